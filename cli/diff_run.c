#include "cli/diff_run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/open_trace.h"
#include "traces/recorder.h"
#include "traces/sinks.h"
#include "traces/trace.h"

static int open_finished(struct diff_input *input)
{
    const int code = open_trace("diff", input->path, &input->trace);
    if (code != EXIT_FINE)
        return code;
    if (!trace_complete(input->trace))
        return cli_fail(EXIT_INPUT, "diff", "%s is of a run that did not come to its end",
                        input->path);
    sqlite3_stmt *q = NULL;
    char name[64] = "";
    if (sqlite3_prepare_v2(input->trace, "SELECT value FROM meta WHERE key = 'machine'", -1, &q,
                           NULL) == SQLITE_OK &&
        sqlite3_step(q) == SQLITE_ROW)
        snprintf(name, sizeof name, "%s", (const char *)sqlite3_column_text(q, 0));
    sqlite3_finalize(q);
    input->machine = *name ? cli_machine(name, "") : NULL;
    return input->machine ? EXIT_FINE
                          : cli_fail(EXIT_INPUT, "diff", "%s is of no machine that this takt knows",
                                     input->path);
}

int diff_input_open(struct diff_input *input, const struct diff_options *options)
{
    if (open_trace_is(input->path))
        return open_finished(input);
    input->machine = cli_machine(options->machine_name, input->path);
    return input->machine ? EXIT_FINE
                          : cli_usage("diff", "no machine is named '%s'", options->machine_name);
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
        const int fd = mkstemp(name);
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

struct program_run {
    struct diff_input *input;
    bool json;
    struct run_options run;
    struct config config;
    struct source source;
    struct diag_list diags;
    struct machine_program *program;
    struct recorder *recorder;
    struct diff_stream stream;
};

/* What a call to the machine said that did not return 0. */
static int refused(const struct program_run *p, int status, const char *error)
{
    cli_diags_few(&p->diags, &p->source, 1);
    const char *why = status < 0 ? recorder_error(p->recorder) : NULL;
    if (!why && !error[0] && status < 0)
        why = "out of memory";
    if (why || error[0])
        cli_fail(EXIT_INPUT, "diff", "%s: %s", p->input->path, why ? why : error);
    if (status > 0 && p->json) {
        p->input->told = true;
        cli_diags_json("diff", &p->diags, &p->source, 1);
    }
    return status > 0 ? EXIT_INPUT : EXIT_HOST;
}

static int advance(struct program_run *p, struct machine_run *run)
{
    const struct machine *machine = p->input->machine;
    char error[MACHINE_ERROR] = "";
    struct loop_result result;
    const struct loop_run loop = {machine, run, &p->diags, p->recorder, isatty(STDERR_FILENO)};
    if (loop_run(&loop, error, &result) != 0)
        return cli_fail(EXIT_HOST, "diff", "%s", error);
    if (result.interrupted)
        return cli_fail(EXIT_INTERRUPTED, "diff", "interrupted");
    if (result.status != RUN_DONE)
        return refused(p, result.status == RUN_FAULT ? 1 : -1, error);
    if (p->input->has_values)
        snprintf(p->input->state, sizeof p->input->state, "%016llx",
                 (unsigned long long)machine->hash(run));
    return EXIT_FINE;
}

static int execute(struct program_run *p, struct strings *strings)
{
    const struct machine *machine = p->input->machine;
    char error[MACHINE_ERROR] = "";
    struct machine_run *run = NULL;
    struct tee_sink tee;
    const struct sink sink =
        sink_tee(&tee, recorder_sink(p->recorder), diff_stream_sink(&p->stream));
    const struct run_setup setup = {p->program, &p->config, &p->run, &sink};
    const int status = machine->open(&run, &setup, &p->diags, error);
    if (status != 0)
        return refused(p, status, error);
    int code = advance(p, run);
    if (code == EXIT_FINE) {
        sqlite3 *db = recorder_db(p->recorder);
        if (diff_side_read(&p->input->side, db, &p->stream, strings) != SQLITE_OK)
            code = cli_fail(EXIT_HOST, "diff", "%s", sqlite3_errmsg(db));
    }
    machine->close(run);
    return code;
}

static int load(struct program_run *p, struct strings *strings)
{
    const struct machine *machine = p->input->machine;
    char error[MACHINE_ERROR] = "";
    int status = machine->load(&p->program, &p->source, 1, &p->diags);
    if (status >= 0 && p->program) {
        const int checked = machine->check(p->program, &p->config, p->run.settings, &p->diags);
        status = checked < 0 ? checked : status | checked;
    }
    diag_sort(&p->diags);
    if (status != 0 || p->diags.errors)
        return refused(p, status ? status : 1, error);
    const int opened =
        recorder_open(&p->recorder, NULL, &(struct recorder_options){0}, error, sizeof error);
    if (opened != 0)
        return cli_fail(EXIT_HOST, "diff", "%s", error);
    int code = execute(p, strings);
    if (recorder_close(p->recorder, error, sizeof error) != 0 && code == EXIT_FINE)
        code = cli_fail(EXIT_HOST, "diff", "%s", error);
    return code;
}

static int run_program(struct diff_input *input, const struct diff_options *options,
                       struct strings *strings)
{
    static const char *const silent[] = {"all", NULL};
    struct program_run p = {.input = input, .json = options->json, .run = options->run};
    struct cli_list saves = {0}, sets = {0};
    input->has_values = !options->run.timing_only;
    diag_list_init(&p.diags);
    p.diags.silenced = p.run.silenced = silent;
    bool room = true;
    for (size_t i = 0; i < options->sets.count; i++)
        room &= cli_list_add(&sets, options->sets.items[i]);
    for (size_t i = 0; i < input->sets.count; i++)
        room &= cli_list_add(&sets, input->sets.items[i]);
    int code = room ? EXIT_FINE : cli_fail(EXIT_HOST, "diff", "out of memory");
    if (code == EXIT_FINE && input->has_values) {
        code = open_saves(input, &options->compare, &saves);
        p.run.saves = saves.items;
        input->dump = p.run.dump = tmpfile();
        if (code == EXIT_FINE && !input->dump)
            code = cli_fail(EXIT_HOST, "diff", "a temporary file: %s", strerror(errno));
    }
    if (code == EXIT_FINE)
        code = options_accept("diff", input->machine, &p.run);
    if (code == EXIT_FINE)
        code = cli_config("diff", input->machine, &options->files, &sets, &p.config);
    if (code == EXIT_FINE) {
        char *path = (char *)input->path;
        code = cli_open_sources("diff", &path, 1, &p.source);
        if (code == EXIT_FINE) {
            code = load(&p, strings);
            if (p.program)
                input->machine->unload(p.program);
            cli_close_sources(&p.source, 1);
        }
        config_free(&p.config);
    }
    diff_stream_free(&p.stream);
    diag_list_free(&p.diags);
    for (size_t i = 0; i < saves.count; i++)
        free((char *)saves.items[i]);
    cli_list_free(&saves);
    cli_list_free(&sets);
    return code;
}

int diff_input_read(struct diff_input *input, const struct diff_options *options,
                    struct strings *strings)
{
    if (!input->trace)
        return run_program(input, options, strings);
    const int rc = diff_side_read(&input->side, input->trace, NULL, strings);
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

void diff_input_close(struct diff_input *input)
{
    diff_side_free(&input->side);
    sqlite3_close(input->trace);
    if (input->dump)
        fclose(input->dump);
    for (size_t i = 0; i < input->saved_count; i++)
        if (input->saved[i]) {
            unlink(input->saved[i]);
            free(input->saved[i]);
        }
    free(input->saved);
    cli_list_free(&input->sets);
}

/* --- values ----------------------------------------------------------------------------------- */

static void differ(struct diff_values_found *found, uint64_t at, uint64_t column)
{
    found->verdict = DIFF_UNEQUAL;
    found->at = at;
    found->column = column;
}

/* Line by line. */
static int compare_dumps(FILE *const dumps[2], struct diff_values_found *found, char *texts[2])
{
    size_t rooms[2] = {0, 0};
    rewind(dumps[0]);
    rewind(dumps[1]);
    for (uint64_t line = 1;; line++) {
        ssize_t sizes[2];
        for (unsigned s = 0; s < 2; s++) {
            errno = 0;
            sizes[s] = getline(&texts[s], &rooms[s], dumps[s]);
            if (sizes[s] < 0 && (ferror(dumps[s]) || errno == ENOMEM))
                return cli_fail(EXIT_HOST, "diff", "what was printed cannot be read back");
        }
        if (sizes[0] < 0 && sizes[1] < 0)
            return EXIT_FINE;
        for (unsigned s = 0; s < 2; s++)
            if (sizes[s] <= 0)
                sizes[s] = 0;
        const size_t least = (size_t)(sizes[0] < sizes[1] ? sizes[0] : sizes[1]);
        size_t column = 0;
        while (column < least && texts[0][column] == texts[1][column])
            column++;
        if (sizes[0] == sizes[1] && column == least)
            continue;
        for (unsigned s = 0; s < 2; s++) {
            if (!texts[s] && !(texts[s] = calloc(1, 1)))
                return cli_fail(EXIT_HOST, "diff", "out of memory");
            texts[s][sizes[s]] = '\0';
            texts[s][strcspn(texts[s], "\n")] = '\0';
            found->text[s] = *texts[s] ? texts[s] : "(nothing)";
        }
        differ(found, line, column + 1);
        return EXIT_FINE;
    }
}

/* Word by word, little-endian as --save writes them. */
static int compare_ranges(const char *const names[2], struct diff_values_found *found,
                          char *texts[2])
{
    enum { WORDS = 4096 };
    unsigned char *words = malloc(2 * WORDS * 8);
    FILE *files[2] = {fopen(names[0], "rb"), fopen(names[1], "rb")};
    const bool open = words && files[0] && files[1];
    for (uint64_t at = 0; open && found->verdict == DIFF_EQUAL; at += WORDS) {
        const size_t counts[2] = {fread(words, 8, WORDS, files[0]),
                                  fread(words + WORDS * 8, 8, WORDS, files[1])};
        size_t i = 0;
        while (i < counts[0] && i < counts[1] &&
               memcmp(words + i * 8, words + (WORDS + i) * 8, 8) == 0)
            i++;
        for (unsigned s = 0; s < 2 && i < counts[0] && i < counts[1]; s++) {
            uint64_t word = 0;
            for (unsigned b = 8; b-- > 0;)
                word = word << 8 | words[(s * WORDS + i) * 8 + b];
            free(texts[s]);
            if (asprintf(&texts[s], "0x%016llx", (unsigned long long)word) < 0)
                texts[s] = NULL;
            found->text[s] = texts[s] ? texts[s] : "";
            differ(found, at + i, 0);
        }
        if (counts[0] < WORDS)
            break;
    }
    for (unsigned s = 0; s < 2; s++)
        if (files[s])
            fclose(files[s]);
    free(words);
    return open ? EXIT_FINE : cli_fail(EXIT_HOST, "diff", "a saved range cannot be read back");
}

static void compare_states(const struct diff_input *a, const struct diff_input *b,
                           struct diff_values_found *found)
{
    found->what = "state";
    if (strcmp(a->state, b->state) != 0)
        found->verdict = DIFF_UNEQUAL;
}

int diff_input_values(struct diff_input *a, struct diff_input *b,
                      const struct diff_options *options, struct diff_values_found *found,
                      char *texts[2])
{
    *found = (struct diff_values_found){.what = "get", .text = {"", ""}};
    const bool ran = a->has_values && b->has_values;
    if (!ran && (!*a->state || !*b->state))
        return EXIT_FINE;
    found->verdict = DIFF_EQUAL;
    if (!ran) {
        compare_states(a, b, found);
        return EXIT_FINE;
    }
    FILE *const dumps[2] = {a->dump, b->dump};
    int code = EXIT_FINE;
    if (!options->compare.count) {
        if (fseek(a->dump, 0, SEEK_END) != 0 || fseek(b->dump, 0, SEEK_END) != 0)
            return cli_fail(EXIT_HOST, "diff", "what was printed cannot be read back");
        if (ftell(a->dump) || ftell(b->dump))
            return compare_dumps(dumps, found, texts);
        compare_states(a, b, found);
        return EXIT_FINE;
    }
    for (size_t i = 0; i < options->compare.count && code == EXIT_FINE; i++) {
        const char *what = options->compare.items[i];
        if (found->verdict == DIFF_UNEQUAL)
            break;
        found->what = what;
        if (is_range(what))
            code = compare_ranges((const char *const[]){a->saved[i], b->saved[i]}, found, texts);
        else if (strcmp(what, "get") == 0)
            code = compare_dumps(dumps, found, texts);
        else
            compare_states(a, b, found);
    }
    return code;
}
