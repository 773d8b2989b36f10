#include "cli/diff_run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/page_data.h"
#include "cli/open_trace.h"
#include "host/file.h"
#include "host/text.h"
#include "timing/run.h"
#include "traces/slice.h"
#include "traces/trace.h"

static int open_finished(struct diff_input *input)
{
    const int code = open_trace("diff", input->path, &input->trace);
    if (code != EXIT_FINE)
        return code;
    if (!trace_complete(input->trace))
        return cli_fail(EXIT_INPUT, "diff", "%s is of a run that did not complete", input->path);
    char name[64];
    trace_text(input->trace, "machine", name, sizeof name);
    input->session.machine = *name ? cli_machine(name, "") : NULL;
    return input->session.machine
               ? EXIT_FINE
               : cli_fail(EXIT_INPUT, "diff", "%s is of no machine that this takt knows",
                          input->path);
}

int diff_input_open(struct diff_input *input, const struct diff_options *options)
{
    char *path = (char *)(uintptr_t)input->path;
    const struct session *both = &options->both;
    struct session *s = &input->session;
    *s = (struct session){.command = "diff",
                          .prefix = path,
                          .json = both->json,
                          .machine_name = both->machine_name,
                          .run = both->run};
    return trace_is(path) ? open_finished(input) : session_choose(s, &path, 1);
}

/* --- a program -------------------------------------------------------------------------------- */

static bool is_range(const char *compare)
{
    return strcmp(compare, "get") != 0 && strcmp(compare, "state") != 0;
}

/* Files for the ranges to compare, and the list for run_options.saves in *saves. */
static int open_saves(struct diff_input *input, const struct cli_list *compare,
                      struct cli_list *saves)
{
    const char *folder = getenv("TMPDIR");
    input->saved = calloc(compare->count + 1, sizeof *input->saved);
    if (!input->saved)
        return cli_fail(EXIT_HOST, "diff", "out of memory");
    input->saved_count = compare->count;
    for (size_t i = 0; i < compare->count; i++) {
        char *name = NULL, *save = NULL;
        if (!is_range(compare->items[i]))
            continue;
        if (asprintf(&name, "%s/takt-diff-XXXXXX", folder && *folder ? folder : "/tmp") < 0)
            return cli_fail(EXIT_HOST, "diff", "out of memory");
        const int fd = replace_temporary(name, 0);
        if (fd < 0) {
            const int code = cli_fail(EXIT_HOST, "diff", "%s: %s", name, strerror(errno));
            free(name);
            return code;
        }
        close(fd);
        input->saved[i] = name;
        if (asprintf(&save, "%s=%s", compare->items[i], name) < 0 || !cli_list_add(saves, save))
            return cli_fail(EXIT_HOST, "diff", "out of memory");
    }
    return EXIT_FINE;
}

static int prepare(struct diff_input *input, const struct diff_options *options)
{
    static const char *const silent[] = {"all", NULL};
    struct session *s = &input->session;
    s->run.silenced = silent;
    input->has_values = !s->run.timing_only;
    if (!cli_list_join(&s->files, &options->both.files) ||
        !cli_list_join(&s->sets, &options->both.sets) || !cli_list_join(&s->sets, &input->sets))
        return cli_fail(EXIT_HOST, "diff", "out of memory");
    if (!input->has_values)
        return EXIT_FINE;
    const int code = open_saves(input, &options->compare, &s->saves);
    s->run.saves = s->saves.items;
    if (code != EXIT_FINE)
        return code;
    input->dump = s->run.dump = tmpfile();
    return input->dump ? EXIT_FINE
                       : cli_fail(EXIT_HOST, "diff", "a temporary file: %s", strerror(errno));
}

static int run(struct diff_input *input)
{
    struct session *s = &input->session;
    const struct sink sink =
        sink_tee(&input->tee, library_sink(s->running), diff_stream_sink(&input->stream));
    const int code = session_run(s, &sink);
    if (code == EXIT_FINE && input->has_values)
        snprintf(input->state, sizeof input->state, "%016llx",
                 (unsigned long long)run_hash(s->running->run));
    return code;
}

/* What the page draws. */
static int keep_data(struct diff_input *input, sqlite3 *db)
{
    size_t size;
    FILE *out = text_open(&input->data, &size);
    const int rc = out ? page_data_print(db, 0, UINT64_MAX, out) : SQLITE_NOMEM;
    const bool whole = text_close(out, &input->data) == 0;
    if (rc == SQLITE_NOMEM || !whole)
        return cli_fail(EXIT_HOST, "diff", "out of memory");
    return rc == SQLITE_OK ? EXIT_FINE : open_trace_failed("diff", input->path, db);
}

static int run_program(struct diff_input *input, const struct diff_options *options,
                       struct strings *strings)
{
    struct session *s = &input->session;
    char *path = (char *)(uintptr_t)input->path, error[MACHINE_ERROR];
    int code = prepare(input, options);
    if (code == EXIT_FINE)
        code = session_open(s, &path, 1);
    if (code == EXIT_FINE && input->has_values) {
        machine_arriving(s->machine, s->run.settings, input->settings, DIFF_SETTINGS);
        s->run.settings = input->settings;
    }
    if (code == EXIT_FINE)
        code = session_load(s);
    if (code == EXIT_FINE)
        code = options->pictures
                   ? session_record(s, NULL, (struct recorder_options){.intervals = true})
                   : session_keep(s, false);
    if (code == EXIT_FINE)
        code = run(input);
    if (code == EXIT_FINE && diff_side_read(&input->side, s->store, &input->stream, strings) != 0)
        code = cli_fail(EXIT_HOST, "diff", "out of memory");
    if (code == EXIT_FINE && options->pictures)
        code = slice_register(s->db) == SQLITE_OK ? keep_data(input, s->db)
                                                  : cli_fail(EXIT_HOST, "diff", "out of memory");
    if (session_finish(s, error) != 0 && code == EXIT_FINE)
        code = cli_fail(EXIT_HOST, "diff", "%s", error);
    return code;
}

static int read_trace(struct diff_input *input, struct strings *strings)
{
    const int rc = diff_side_trace(&input->side, input->trace, strings);
    if (rc == SQLITE_CORRUPT)
        return cli_fail(EXIT_INPUT, "diff", "%s is damaged: its tables contradict each other",
                        input->path);
    if (rc == SQLITE_NOMEM)
        return cli_fail(EXIT_HOST, "diff", "out of memory");
    if (rc != SQLITE_OK)
        return open_trace_failed("diff", input->path, input->trace);
    const uint32_t state = input->side.state;
    if (state != NONE_ID)
        snprintf(input->state, sizeof input->state, "%s", strings->entries[state].text);
    return EXIT_FINE;
}

int diff_input_read(struct diff_input *input, const struct diff_options *options,
                    struct strings *strings)
{
    if (!input->trace)
        return run_program(input, options, strings);
    int code = read_trace(input, strings);
    if (code == EXIT_FINE && options->pictures)
        code = keep_data(input, input->trace);
    if (code == EXIT_INPUT && options->both.json)
        cli_unread_json();
    return code;
}

void diff_input_close(struct diff_input *input)
{
    for (size_t i = 0; i < input->session.saves.count; i++)
        free((char *)(uintptr_t)input->session.saves.items[i]);
    session_close(&input->session);
    diff_stream_free(&input->stream);
    diff_side_free(&input->side);
    sqlite3_close(input->trace);
    if (input->dump)
        fclose(input->dump);
    for (size_t i = 0; i < input->saved_count; i++)
        if (input->saved[i]) {
            unlink(input->saved[i]);
            replace_forget(input->saved[i]);
            free(input->saved[i]);
        }
    free(input->saved);
    free(input->data);
    cli_list_free(&input->sets);
}

/* --- values ----------------------------------------------------------------------------------- */

static int read_back(const char *command, int status, const char *what)
{
    return status == 0 ? EXIT_FINE
                       : cli_fail(EXIT_HOST, command, "%s", status > 0 ? what : "out of memory");
}

static int compare_dumps(const char *command, FILE *const dumps[2], struct diff_values_found *found,
                         char *texts[2])
{
    return read_back(command, diff_values_dumps(found, dumps, texts),
                     "what was printed cannot be read back");
}

static int compare_ranges(const char *command, const char *const names[2],
                          struct diff_values_found *found, char *texts[2])
{
    FILE *const files[2] = {file_open(names[0]), file_open(names[1])};
    const int status = diff_values_ranges(found, files, texts);
    for (unsigned s = 0; s < 2; s++)
        if (files[s])
            fclose(files[s]);
    return read_back(command, status, "a saved range cannot be read back");
}

int diff_input_values(struct diff_input *a, struct diff_input *b,
                      const struct diff_options *options, struct diff_values_found *found,
                      char *texts[2])
{
    *found = (struct diff_values_found){.what = "get", .text = {"", ""}};
    const char *const states[2] = {a->state, b->state};
    const bool ran = a->has_values && b->has_values;
    if (!ran && (!*a->state || !*b->state))
        return EXIT_FINE;
    found->verdict = DIFF_EQUAL;
    if (!ran) {
        diff_values_states(found, states);
        return EXIT_FINE;
    }
    const char *command = options->both.command;
    FILE *const dumps[2] = {a->dump, b->dump};
    int code = EXIT_FINE;
    if (!options->compare.count) {
        if (fseek(a->dump, 0, SEEK_END) != 0 || fseek(b->dump, 0, SEEK_END) != 0)
            return cli_fail(EXIT_HOST, command, "what was printed cannot be read back");
        if (ftell(a->dump) || ftell(b->dump))
            return compare_dumps(command, dumps, found, texts);
        diff_values_states(found, states);
        return EXIT_FINE;
    }
    for (size_t i = 0; i < options->compare.count && code == EXIT_FINE; i++) {
        const char *what = options->compare.items[i];
        if (found->verdict == DIFF_UNEQUAL)
            break;
        found->what = what;
        if (is_range(what))
            code = compare_ranges(command, (const char *const[]){a->saved[i], b->saved[i]}, found,
                                  texts);
        else if (strcmp(what, "get") == 0)
            code = compare_dumps(command, dumps, found, texts);
        else
            diff_values_states(found, states);
    }
    return code;
}
