#include "cli/session.h"
#include "timing/run.h"

#include <stdlib.h>
#include <unistd.h>

#include "host/file.h"

bool session_take(struct session *s, const struct cli_options *options, int argc, char **argv,
                  int *code)
{
    if (!options_take(options, argc, argv, code))
        return false;
    s->run.settings = s->settings.items;
    s->run.loads = s->loads.items;
    s->run.saves = s->saves.items;
    s->run.silenced = s->silenced.items;
    if (!s->run.threads)
        s->run.threads = 1;
    s->light = s->light && !s->run.timing_only && !s->loads.count && !s->run.init;
    s->run.timing_only |= s->light;
    return true;
}

/* --- before the program is read --------------------------------------------------------------- */

int session_choose(struct session *s, char **paths, size_t count)
{
    if (!count)
        return cli_usage(s->command, "which program?");
    s->machine = cli_machine_for(s->command, s->machine_name, paths, count);
    return s->machine ? EXIT_FINE : EXIT_USAGE;
}

/* The handles of the machine, with its configuration, and of the program, with its sources. */
static int open_handles(struct session *s, char **paths, size_t count)
{
    s->chip = library_machine(s->machine);
    s->program = s->chip ? library_program(s->chip, count) : NULL;
    if (!s->program)
        return cli_fail(EXIT_HOST, s->command, "out of memory");
    s->program->diags.silenced = s->run.silenced;
    const int code = cli_config(s->command, s->machine, &s->files, &s->sets, &s->chip->config);
    return code == EXIT_FINE ? cli_open_sources(s->command, paths, count, s->program->sources)
                             : code;
}

int session_open(struct session *s, char **paths, size_t count)
{
    int code = s->machine ? EXIT_FINE : session_choose(s, paths, count);
    if (code == EXIT_FINE)
        code = cli_stdin_once(s->command, paths, count, &s->files);
    if (code == EXIT_FINE)
        code = cli_silenced(s->command, s->machine, &s->silenced);
    if (code == EXIT_FINE)
        code = options_accept(s->command, s->machine, &s->run);
    if (code == EXIT_FINE)
        code = open_handles(s, paths, count);
    if (code == EXIT_INPUT && s->json)
        cli_unread_json();
    return code;
}

/* --- the program ------------------------------------------------------------------------------ */

/* The line of a file that an option names, where the error is in it. */
static void show_line(const struct session *s, const char *error)
{
    const struct machine_setting *settings = s->settings.items;
    for (; settings && settings->name; settings++) {
        const struct machine_option *option =
            machine_option(s->machine, s->command, settings->name);
        struct source file;
        char why[MACHINE_ERROR];
        if (!option || option->file != MACHINE_READS || !file_is_regular(settings->value) ||
            source_open(&file, settings->value, why, sizeof why) != 0)
            continue;
        cli_excerpt(&file, error);
        source_close(&file);
    }
}

static int failed(struct session *s, int status, const char *error)
{
    const struct takt_program *p = s->program;
    const char *why = status < 0 && !*error ? "out of memory" : error;
    if (*why)
        cli_fail(EXIT_INPUT, s->command, "%s%s%s", s->prefix ? s->prefix : "",
                 s->prefix ? ": " : "", why);
    if (status > 0)
        show_line(s, why);
    if (status < 0)
        return EXIT_HOST;
    if (s->json && !p->diags.errors)
        cli_unread_json();
    else if (s->json &&
             cli_diags_json(s->command, &p->diags, p->sources, p->source_count) != EXIT_FINE)
        return EXIT_HOST;
    return EXIT_INPUT;
}

int session_report(struct session *s, int status, const char *error)
{
    struct takt_program *p = s->program;
    diag_sort(&p->diags);
    if (s->warnings)
        cli_diags_few(&p->diags, p->sources, p->source_count);
    else
        cli_diags_errors(&p->diags, p->sources, p->source_count);
    return status == 0 ? EXIT_FINE : failed(s, status, error);
}

/* What goes wrong after the findings of the program have been reported. */
static int failed_later(struct session *s, int status, const char *error)
{
    struct takt_program *p = s->program;
    diag_sort(&p->diags);
    cli_diags_errors(&p->diags, p->sources, p->source_count);
    return failed(s, status, error);
}

int session_load(struct session *s)
{
    return session_report(s, library_judge(s->program, s->run.settings), "");
}

/* The handle of the run, with the options as they are now. */
static int open_run(struct session *s)
{
    if (s->running) {
        s->running->options = s->run;
        return EXIT_FINE;
    }
    s->running = library_run(s->program, &s->run);
    if (!s->running)
        return cli_fail(EXIT_HOST, s->command, "out of memory");
    s->running->found = &s->program->diags;
    return EXIT_FINE;
}

int session_prove(struct session *s, size_t most, bool required)
{
    char error[MACHINE_ERROR] = "";
    const int code = open_run(s);
    if (code != EXIT_FINE)
        return code;
    const int status = library_prove(s->running, most, error);
    return status == 0 || (status > 0 && !required) ? EXIT_FINE : failed_later(s, status, error);
}

int session_search(struct session *s)
{
    if (!s->running || !s->running->proof.bounds.count)
        return EXIT_FINE;
    return library_search_quickly(s->running) == 0
               ? EXIT_FINE
               : cli_fail(EXIT_HOST, s->command, "out of memory");
}

/* --- its run ---------------------------------------------------------------------------------- */

int session_record(struct session *s, const char *path, struct recorder_options options)
{
    char error[MACHINE_ERROR] = "";
    const int code = open_run(s);
    if (code != EXIT_FINE)
        return code;
    const int status = library_record(s->running, path, options, error);
    if (status != 0)
        return failed_later(s, status, error);
    s->trace = path;
    s->db = recorder_db(s->running->recorder);
    s->store = &s->running->store;
    return EXIT_FINE;
}

int session_keep(struct session *s, bool regions)
{
    char error[MACHINE_ERROR] = "";
    const int code = open_run(s);
    if (code != EXIT_FINE)
        return code;
    const int status = library_keep(s->running, regions, error);
    s->store = &s->running->store;
    return status == 0 ? EXIT_FINE : failed_later(s, status, error);
}

static int interrupted(const struct session *s)
{
    struct run_progress progress;
    run_progress(s->running->run, &progress);
    return cli_fail(EXIT_INTERRUPTED, s->command,
                    "interrupted at cycle %llu; the run is not complete%s%s%s",
                    (unsigned long long)progress.cycles, s->trace ? ", its trace is " : "",
                    s->trace ? s->trace : "", s->trace ? ".partial" : "");
}

/* What the run itself has warned of, after the first `before` findings. */
static int report_warnings(const struct session *s, size_t before)
{
    const struct takt_program *p = s->program;
    struct diag_list later = {.count = 0};
    later.items = malloc((p->diags.count - before + 1) * sizeof *later.items);
    if (!later.items)
        return -1;
    for (size_t i = before; i < p->diags.count; i++)
        if (p->diags.items[i].severity == DIAG_WARNING)
            later.items[later.count++] = p->diags.items[i];
    later.warnings = later.count;
    cli_diags(&later, p->sources, p->source_count);
    free(later.items);
    return 0;
}

static int advance(struct session *s)
{
    char error[MACHINE_ERROR] = "";
    struct run_progress progress;
    struct loop_result result;
    const size_t before = s->program->diags.count;
    if (loop_run(s->running, isatty(STDERR_FILENO), error, &result) != 0 ||
        (s->warnings && report_warnings(s, before) != 0))
        return failed(s, -1, error);
    if (!result.interrupted && result.status == RUN_DONE) {
        run_progress(s->running->run, &progress);
        s->cycles = progress.total;
        return library_slacks(s->running) == 0 ? EXIT_FINE : failed(s, -1, "");
    }
    run_stop(s->running->run);
    return result.interrupted ? interrupted(s)
                              : failed_later(s, result.status == RUN_FAULT ? 1 : -1, error);
}

/* Where it cannot begin without values, it begins with them. */
static int begin(struct session *s, struct sink sink, char error[MACHINE_ERROR])
{
    struct diag_list found;
    if (!s->light)
        return library_begin(s->running, sink, error);
    diag_list_init(&found);
    s->running->found = &found;
    int status = library_begin(s->running, sink, error);
    s->running->found = &s->program->diags;
    if (status > 0) {
        s->running->options.timing_only = false;
        status = library_begin(s->running, sink, error);
    } else {
        diag_append(&s->program->diags, &found);
    }
    diag_list_free(&found);
    return status;
}

int session_run(struct session *s, const struct sink *sink)
{
    char error[MACHINE_ERROR] = "";
    const int code = open_run(s);
    if (code != EXIT_FINE)
        return code;
    const int status = begin(s, sink ? *sink : library_sink(s->running), error);
    return status == 0 ? advance(s) : failed_later(s, status, error);
}

int session_keep_proven(struct session *s, size_t most, bool events)
{
    s->run.total_only = !events;
    int code = session_load(s);
    if (code == EXIT_FINE)
        code = session_prove(s, most, true);
    if (code == EXIT_FINE)
        code = session_keep(s, true);
    if (s->running)
        s->running->store.options.no_events = !events;
    return code;
}

int session_finish(struct session *s, char error[MACHINE_ERROR])
{
    s->db = NULL;
    s->store = NULL;
    return s->running ? library_finish(s->running, error) : 0;
}

void session_close(struct session *s)
{
    takt_run_close(s->running);
    takt_program_close(s->program);
    takt_machine_close(s->chip);
    struct cli_list *const lists[] = {&s->files, &s->sets, &s->loads, &s->saves, &s->silenced};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        cli_list_free(lists[i]);
    cli_settings_free(&s->settings);
}
