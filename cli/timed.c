#include "cli/timed.h"

#include <unistd.h>

enum { PROVEN = 1000000 }; /* nodes of a graph, at most */

static int failed(const struct timed *t, const struct diag_list *diags, int status,
                  const char *error)
{
    cli_diags_errors(diags, t->sources, t->source_count);
    if (t->json && status > 0 && diags->errors)
        cli_diags_json(t->command, diags, t->sources, t->source_count);
    if (status < 0 || error[0])
        return cli_fail(status < 0 ? EXIT_HOST : EXIT_INPUT, t->command, "%s",
                        error[0] ? error : "out of memory");
    return EXIT_INPUT; /* the findings say why */
}

static int advance(const struct timed *t, struct machine_run *run, struct recorder *recorder,
                   struct diag_list *diags)
{
    char error[MACHINE_ERROR] = "";
    const struct loop_run loop = {t->machine, run, diags, recorder, isatty(STDERR_FILENO)};
    struct loop_result result;
    if (loop_run(&loop, error, &result) != 0)
        return cli_fail(EXIT_HOST, t->command, "%s", error);
    if (result.interrupted)
        return cli_fail(EXIT_INTERRUPTED, t->command, "interrupted; the run is not complete");
    if (result.status == RUN_DONE)
        return EXIT_FINE;
    diag_sort(diags);
    const char *why = recorder_error(recorder);
    return failed(t, diags, result.status == RUN_FAULT ? 1 : -1, why ? why : error);
}

/* The program is loaded and legal, or need not be. */
static int execute(const struct timed *t, const struct machine_program *program,
                   struct recorder *recorder, struct diag_list *diags, uint64_t *cycles)
{
    char error[MACHINE_ERROR] = "";
    struct machine_run *run = NULL;
    const struct sink sink = recorder_sink(recorder);
    const struct run_setup setup = {program, t->config, t->options, &sink};
    int status = t->proof ? machine_prove(t->proof, t->machine, &setup, PROVEN, error) : 0;
    if (status >= 0) { /* 1: too large, nothing is proven */
        error[0] = '\0';
        status = t->machine->open(&run, &setup, diags, error);
    }
    if (status != 0)
        return failed(t, diags, status, error);
    for (size_t i = 0; i < diags->count; i++)
        if (diags->items[i].severity == DIAG_WARNING)
            recorder_diag(recorder, &diags->items[i]);
    const int code = advance(t, run, recorder, diags);
    struct run_progress progress;
    t->machine->progress(run, &progress);
    *cycles = progress.total;
    if (code != EXIT_FINE)
        t->machine->stop(run);
    t->machine->close(run);
    return code;
}

int timed_run(const struct timed *t, struct recorder *recorder, uint64_t *cycles, size_t *errors)
{
    struct machine_program *program = NULL;
    struct diag_list diags, rules;
    diag_list_init(&diags);
    diag_list_init(&rules);
    diags.silenced = rules.silenced = t->options->silenced;
    int status = t->machine->load(&program, t->sources, t->source_count, &diags);
    if (status == 0) {
        status = t->machine->check(program, t->config, t->options->settings, &rules);
        if (errors)
            *errors = rules.errors;
        if (status > 0 && t->unchecked)
            status = 0;
        else
            diag_join(&diags, &rules);
    }
    diag_sort(&diags);
    int code;
    if (status != 0)
        code = failed(t, &diags, status, "");
    else
        code = execute(t, program, recorder, &diags, cycles);
    if (program)
        t->machine->unload(program);
    diag_list_free(&diags);
    diag_list_free(&rules);
    return code;
}
