#include "cli/session.h"

#include <stdlib.h>
#include <unistd.h>

#include "functional/directive.h"

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

static int open_sources(struct session *s, char **paths, size_t count)
{
    struct source *sources = calloc(count, sizeof *sources);
    const int code = sources ? cli_open_sources(s->command, paths, count, sources)
                             : cli_fail(EXIT_HOST, s->command, "out of memory");
    if (code != EXIT_FINE) {
        free(sources);
        return code;
    }
    s->sources = sources;
    s->source_count = count;
    return EXIT_FINE;
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
        code = cli_config(s->command, s->machine, &s->files, &s->sets, &s->config);
    if (code == EXIT_FINE)
        code = open_sources(s, paths, count);
    if (code == EXIT_INPUT && s->json)
        cli_unread_json();
    return code;
}

/* --- the program ------------------------------------------------------------------------------ */

static int failed(struct session *s, int status, const char *error)
{
    const char *why = status < 0 && s->recorder ? recorder_error(s->recorder) : NULL;
    if (!why)
        why = status < 0 && !*error ? "out of memory" : error;
    if (*why)
        cli_fail(EXIT_INPUT, s->command, "%s%s%s", s->prefix ? s->prefix : "",
                 s->prefix ? ": " : "", why);
    if (status < 0)
        return EXIT_HOST;
    if (s->json && !s->diags.errors)
        cli_unread_json();
    else if (s->json &&
             cli_diags_json(s->command, &s->diags, s->sources, s->source_count) != EXIT_FINE)
        return EXIT_HOST;
    return EXIT_INPUT;
}

int session_report(struct session *s, int status, const char *error)
{
    diag_sort(&s->diags);
    if (s->warnings)
        cli_diags_few(&s->diags, s->sources, s->source_count);
    else
        cli_diags_errors(&s->diags, s->sources, s->source_count);
    return status == 0 ? EXIT_FINE : failed(s, status, error);
}

/* What goes wrong after the findings of the program have been reported. */
static int failed_later(struct session *s, int status, const char *error)
{
    diag_sort(&s->diags);
    cli_diags_errors(&s->diags, s->sources, s->source_count);
    return failed(s, status, error);
}

int session_load(struct session *s)
{
    diag_list_init(&s->diags);
    s->diags.silenced = s->run.silenced;
    int status = s->machine->load(&s->program, s->sources, s->source_count, &s->diags);
    status = machine_legal(s->machine, status, s->program, &s->config, s->run.settings, &s->diags);
    return session_report(s, status, "");
}

int session_prove(struct session *s, size_t most, bool required)
{
    char error[MACHINE_ERROR] = "";
    const struct run_setup setup = {s->program, &s->config, &s->run, NULL};
    const int status = machine_prove(&s->proof, s->machine, &setup, most, error);
    return status == 0 || (status > 0 && !required) ? EXIT_FINE : failed_later(s, status, error);
}

/* --- its run ---------------------------------------------------------------------------------- */

int session_record(struct session *s, const char *path, struct recorder_options options)
{
    char error[MACHINE_ERROR];
    options.regions =
        options.regions && (s->machine->regions || directives_regions(s->sources, s->source_count));
    options.bounds = &s->proof.bounds;
    options.graph = &s->proof.graph;
    const int status = recorder_open(&s->recorder, path, &options, error, sizeof error);
    if (status != 0) {
        s->recorder = NULL;
        return failed_later(s, status, error);
    }
    s->trace = path;
    s->db = recorder_db(s->recorder);
    return EXIT_FINE;
}

static int interrupted(const struct session *s)
{
    struct run_progress progress;
    s->machine->progress(s->running, &progress);
    return cli_fail(EXIT_INTERRUPTED, s->command,
                    "interrupted at cycle %llu; the run is not complete%s%s%s",
                    (unsigned long long)progress.cycles, s->trace ? ", its trace is " : "",
                    s->trace ? s->trace : "", s->trace ? ".partial" : "");
}

static int advance(struct session *s)
{
    char error[MACHINE_ERROR] = "";
    struct run_progress progress;
    struct loop_result result;
    const struct loop_run loop = {s->machine, s->running, &s->diags, s->recorder,
                                  isatty(STDERR_FILENO)};
    if (loop_run(&loop, error, &result) != 0)
        return failed(s, -1, error);
    if (!result.interrupted && result.status == RUN_DONE) {
        s->machine->progress(s->running, &progress);
        s->cycles = progress.total;
        return EXIT_FINE;
    }
    s->machine->stop(s->running);
    return result.interrupted ? interrupted(s)
                              : failed_later(s, result.status == RUN_FAULT ? 1 : -1, error);
}

int session_run(struct session *s, const struct sink *sink)
{
    char error[MACHINE_ERROR] = "";
    s->sink = sink ? *sink : recorder_sink(s->recorder);
    const struct run_setup setup = {s->program, &s->config, &s->run, &s->sink};
    const int status = s->machine->open(&s->running, &setup, &s->diags, error);
    if (status != 0)
        return failed_later(s, status, error);
    if (s->recorder)
        recorder_diags(s->recorder, &s->diags); /* finish reports a failure */
    return advance(s);
}

int session_record_proven(struct session *s, size_t most)
{
    int code = session_load(s);
    if (code == EXIT_FINE)
        code = session_prove(s, most, true);
    if (code == EXIT_FINE)
        code = session_record(s, NULL, (struct recorder_options){.regions = true});
    return code;
}

int session_finish(struct session *s, char error[MACHINE_ERROR])
{
    if (s->running)
        s->machine->close(s->running);
    const int status = s->recorder ? recorder_close(s->recorder, error, MACHINE_ERROR) : 0;
    s->running = NULL;
    s->recorder = NULL;
    s->db = NULL;
    return status;
}

void session_close(struct session *s)
{
    char error[MACHINE_ERROR];
    session_finish(s, error);
    if (s->program)
        s->machine->unload(s->program);
    machine_proof_free(&s->proof);
    diag_list_free(&s->diags);
    if (s->sources)
        cli_close_sources(s->sources, s->source_count);
    free(s->sources);
    config_free(&s->config);
    struct cli_list *const lists[] = {&s->files, &s->sets, &s->loads, &s->saves, &s->silenced};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        cli_list_free(lists[i]);
    cli_settings_free(&s->settings);
}
