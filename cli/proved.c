#include "cli/proved.h"

#include <stdlib.h>

#include "traces/recorder.h"
#include "traces/starts.h"

void proved_args_free(struct proved_args *args)
{
    cli_list_free(&args->files);
    cli_list_free(&args->sets);
    cli_settings_free(&args->settings);
}

struct job {
    struct proved_args *args;
    struct proved proved;
    const struct config *config;
    size_t source_count;
    struct machine_program *program;
    struct diag_list diags;
    int (*answer)(const void *context, const struct proved *proved);
    const void *context;
    struct starts *starts; /* NULL: not wanted */
};

static int failed(struct job *job, int status, const char *why)
{
    diag_sort(&job->diags);
    cli_diags_errors(&job->diags, job->proved.sources, job->source_count);
    if (status < 0)
        return cli_fail(EXIT_HOST, job->args->command, "%s", why && *why ? why : "out of memory");
    if (job->args->json && job->diags.errors)
        cli_diags_json(job->args->command, &job->diags, job->proved.sources, job->source_count);
    return why && *why ? cli_fail(EXIT_INPUT, job->args->command, "%s", why) : EXIT_INPUT;
}

static int advance(struct job *job, struct machine_run *run)
{
    char error[MACHINE_ERROR] = "";
    struct loop_result result;
    const struct loop_run loop = {.machine = job->proved.machine, .run = run, .diags = &job->diags};
    if (loop_run(&loop, error, &result) != 0)
        return cli_fail(EXIT_HOST, job->args->command, "%s", error);
    if (result.interrupted)
        return EXIT_INTERRUPTED;
    if (result.status != RUN_DONE)
        return failed(job, result.status == RUN_FAULT ? 1 : -1, error);
    struct run_progress progress;
    job->proved.machine->progress(run, &progress);
    job->proved.cycles = progress.total;
    job->proved.run = run;
    if (job->starts && starts_nodes(job->starts, &job->proved.proof.graph, &job->proved.started,
                                    &job->proved.finished) != 0)
        return cli_fail(EXIT_HOST, job->args->command, "out of memory");
    return job->answer(job->context, &job->proved);
}

static int record(struct job *job, struct run_setup *setup)
{
    char error[MACHINE_ERROR] = "";
    const struct recorder_options options = {
        .regions = cli_regions(job->proved.sources, job->source_count),
        .bounds = &job->proved.proof.bounds,
        .graph = &job->proved.proof.graph};
    struct recorder *recorder;
    struct machine_run *run = NULL;
    if (recorder_open(&recorder, NULL, &options, error, sizeof error) != 0)
        return cli_fail(EXIT_HOST, job->args->command, "%s", error);
    const struct sink recording = recorder_sink(recorder);
    struct starts starts;
    starts_open(&starts, &recording);
    const struct sink sink = job->args->starts ? starts_sink(&starts) : recording;
    setup->sink = &sink;
    job->starts = job->args->starts ? &starts : NULL;
    job->proved.db = recorder_db(recorder);
    const int status = job->proved.machine->open(&run, setup, &job->diags, error);
    const int code = status == 0 ? advance(job, run) : failed(job, status, error);
    if (run)
        job->proved.machine->close(run);
    starts_close(&starts);
    recorder_close(recorder, error, sizeof error);
    return code;
}

/* The run has no values: what the graph is made of does not depend on them. */
static int prove(struct job *job)
{
    const struct machine *machine = job->proved.machine;
    char error[MACHINE_ERROR] = "";
    const struct run_options options = {
        .settings = job->args->settings.items, .timing_only = true, .threads = 1};
    int status = machine->load(&job->program, job->proved.sources, job->source_count, &job->diags);
    if (status == 0)
        status = machine->check(job->program, job->config, options.settings, &job->diags);
    struct run_setup setup = {job->program, job->config, &options, NULL};
    if (status == 0)
        status = machine_prove(&job->proved.proof, machine, &setup, job->args->most, error);
    const int code = status == 0 ? record(job, &setup) : failed(job, status, error);
    machine_proof_free(&job->proved.proof);
    free(job->proved.started);
    free(job->proved.finished);
    if (job->program)
        machine->unload(job->program);
    return code;
}

int proved_run(struct proved_args *args, char **paths, size_t count,
               int (*answer)(const void *context, const struct proved *proved), const void *context)
{
    struct config config = {0};
    struct job job = {
        .args = args,
        .proved = {.machine = cli_machine_for(args->command, args->machine_name, paths, count)},
        .config = &config,
        .source_count = count,
        .answer = answer,
        .context = context};
    if (!job.proved.machine)
        return EXIT_USAGE;
    const struct run_options options = {.settings = args->settings.items, .timing_only = true};
    int code = cli_stdin_once(args->command, paths, count, &args->files);
    if (code == EXIT_FINE)
        code = options_accept(args->command, job.proved.machine, &options);
    if (code == EXIT_FINE)
        code = cli_config(args->command, job.proved.machine, &args->files, &args->sets, &config);
    if (code != EXIT_FINE)
        return code;
    struct source *sources = calloc(count, sizeof *sources);
    code = sources ? cli_open_sources(args->command, paths, count, sources)
                   : cli_fail(EXIT_HOST, args->command, "out of memory");
    if (code == EXIT_FINE) {
        job.proved.sources = sources;
        diag_list_init(&job.diags);
        code = prove(&job);
        diag_list_free(&job.diags);
        cli_close_sources(sources, count);
    }
    free(sources);
    config_free(&config);
    return code;
}
