/* machine: AMX behind the commands (timing/machine.h). */
#include "timing/machine.h"

#include <stdlib.h>
#include <string.h>

#include "config/embed.h"
#include "functional/amx/exec.h"
#include "timing/amx/model.h"

EMBED(amx_config, "config/amx/amx.yaml");

struct machine_program {
    struct amx_program program;
};

/* What is still to be done, in this order; values and time advance side by side. */
struct machine_run {
    const struct amx_program *program;
    struct run_options options;
    struct sink sink;
    struct amx_exec *exec;        /* NULL with timing_only */
    struct amx_model *model;      /* NULL with functional_only */
    struct amx_model *documented; /* the same with documented numbers alone */
    bool executed, timed, timed_documented, finished;
    uint64_t total; /* instructions of all threads */
};

static int amx_load(struct machine_program **out, const struct source *sources, size_t count,
                    struct diag_list *diags)
{
    *out = malloc(sizeof **out);
    if (!*out)
        return -1;
    return amx_program_parse(&(*out)->program, sources, count, diags);
}

static void amx_unload(struct machine_program *program)
{
    if (!program)
        return;
    amx_program_free(&program->program);
    free(program);
}

/* Rules that need the chip: each thread's cluster must exist. */
static int amx_check(const struct machine_program *machine_program, const struct config *config,
                     const struct machine_setting *settings, struct diag_list *diags)
{
    (void)settings;
    const struct amx_program *program = &machine_program->program;
    const uint64_t clusters = config_integer(config, AMX_PARAM_clusters, false);
    int status = 0;
    for (uint32_t t = 0; t < AMX_THREADS; t++) {
        if (program->cluster[t] < 0 || (uint64_t)program->cluster[t] < clusters)
            continue;
        const struct diag at = {.severity = DIAG_ERROR,
                                .file = program->cluster_source[t],
                                .line = program->cluster_line[t],
                                .column = 1,
                                .length = 8,
                                .missing_steps = -1,
                                .missing_cycles = -1,
                                .rule = "",
                                .name = ""};
        status = 1;
        if (t > 0 && program->cluster_line[t] == program->cluster_line[t - 1] &&
            program->cluster_source[t] == program->cluster_source[t - 1] &&
            program->cluster[t] == program->cluster[t - 1])
            continue; /* reported for another thread of the same line */
        diag_add(diags, &at, "there is no cluster %d\nthe chip has clusters 0 to %llu",
                 program->cluster[t], (unsigned long long)clusters - 1);
    }
    return status;
}

static int amx_print(const struct machine_program *program, const struct machine_setting *settings,
                     FILE *out)
{
    (void)settings;
    return amx_program_print(&program->program, out);
}

static void amx_close(struct machine_run *run)
{
    if (!run)
        return;
    amx_exec_free(run->exec);
    amx_model_free(run->model);
    amx_model_free(run->documented);
    free(run);
}

static int check_options(const struct run_options *options, char error[MACHINE_ERROR])
{
    struct init unused;
    return init_parse(&unused, options->init, error, MACHINE_ERROR) != 0 ||
                   machine_specs(options->loads, false, amx_exec_spec, error) != 0 ||
                   machine_specs(options->saves, true, amx_exec_spec, error) != 0
               ? 1
               : 0;
}

/* --load and --save lists: "SPEC=FILE". */
static int move_files(struct machine_run *run, const char *const *list, bool save, char *error)
{
    for (; list && *list; list++) {
        char spec[MACHINE_SPEC];
        const char *path = machine_spec(*list, save, spec, error);
        if (!path)
            return 1;
        const bool big = run->options.word_order_big;
        const int status = save ? amx_exec_save(run->exec, spec, path, big, error, MACHINE_ERROR)
                                : amx_exec_load(run->exec, spec, path, big, error, MACHINE_ERROR);
        if (status != 0)
            return status;
    }
    return 0;
}

static int open_values(struct machine_run *run, char *error)
{
    struct amx_exec_options options = {.dump = run->options.dump,
                                       .reference = run->options.reference};
    if (init_parse(&options.init, run->options.init, error, MACHINE_ERROR) != 0)
        return 1;
    run->exec = amx_exec_new(run->program, &options);
    if (!run->exec) {
        snprintf(error, MACHINE_ERROR, "no memory for the state of AMX");
        return -1;
    }
    return move_files(run, run->options.loads, false, error);
}

static int open_time(struct machine_run *run, const struct config *config, char *error)
{
    struct amx_model_options options = {.config = config,
                                        .documented = run->options.documented,
                                        .run_ahead = !run->options.no_run_ahead,
                                        .sink = &run->sink,
                                        .events = run->options.events};
    run->model = amx_model_new(run->program, &options);
    options.documented = true;
    options.sink = NULL;
    options.events = NULL;
    run->documented = amx_model_new(run->program, &options);
    if (!run->model || !run->documented) {
        snprintf(error, MACHINE_ERROR, "no memory for the timing model");
        return -1;
    }
    return 0;
}

static uint64_t program_hash(const struct amx_program *program)
{
    uint64_t hash = 0;
    for (size_t i = 0; i < program->source_count; i++)
        hash = hash * UINT64_C(0x9E3779B97F4A7C15) + source_hash(&program->sources[i]);
    return hash;
}

static void fill_params(struct param_info params[AMX_PARAM_COUNT], const struct config *config)
{
    for (size_t i = 0; i < AMX_PARAM_COUNT; i++) {
        const struct param *p = &config->params[i];
        params[i] = (struct param_info){.name = p->row->name,
                                        .unit = p->unit,
                                        .provenance = provenance_name[p->provenance],
                                        .source = p->source,
                                        .value = p->value,
                                        .low = p->low,
                                        .high = p->high,
                                        .documented = p->documented};
    }
}

/* Hand the sink the lists of what is going to run. */
static int begin(struct machine_run *run, const struct config *config, char *error)
{
    static const struct reason_info reasons[] = {
#define REASON(id, name, state, sentence) {name, sentence, STATE_##state},
#include "timing/reason.def"
    };
    const struct amx_program *program = run->program;
    struct param_info params[AMX_PARAM_COUNT];
    fill_params(params, config);
    struct file_info *files = calloc(program->source_count + 1, sizeof *files);
    if (!files) {
        snprintf(error, MACHINE_ERROR, "no memory");
        return -1;
    }
    for (size_t i = 0; i < program->source_count; i++)
        files[i] = (struct file_info){program->sources[i].name, program->sources[i].text,
                                      program->sources[i].size};
    struct sink_header header = {.machine = machine_amx.name,
                                 .program = program->source_count ? program->sources[0].name : "",
                                 .command = run->options.command ? run->options.command : "",
                                 .machine_hash = config_hash(config),
                                 .program_hash = program_hash(program),
                                 .clock_hz = config_real(config, AMX_PARAM_clock_hz, false),
                                 .files = files,
                                 .file_count = program->source_count,
                                 .params = params,
                                 .param_count = AMX_PARAM_COUNT,
                                 .reasons = reasons,
                                 .reason_count = sizeof reasons / sizeof *reasons};
    if (run->model)
        amx_model_header(run->model, &header);
    const int status = run->sink.ops->begin ? run->sink.ops->begin(run->sink.context, &header) : 0;
    free(files);
    if (status != 0)
        snprintf(error, MACHINE_ERROR, "the trace could not be begun");
    return status;
}

static int amx_open(struct machine_run **out, const struct machine_program *program,
                    const struct config *config, const struct run_options *options,
                    const struct sink *sink, struct diag_list *diags, char error[MACHINE_ERROR])
{
    (void)diags;
    error[0] = '\0';
    struct machine_run *run = calloc(1, sizeof *run);
    *out = NULL;
    if (!run) {
        snprintf(error, MACHINE_ERROR, "no memory");
        return -1;
    }
    run->program = &program->program;
    run->options = *options;
    run->sink = *sink;
    for (uint32_t t = 0; t < AMX_THREADS; t++) {
        const uint64_t length = amx_program_length(run->program, t);
        run->total = run->total > UINT64_MAX - length ? UINT64_MAX : run->total + length;
    }
    int status = 0;
    if (!options->timing_only)
        status = open_values(run, error);
    if (status == 0 && !options->functional_only)
        status = open_time(run, config, error);
    if (status == 0)
        status = begin(run, config, error);
    if (status != 0) {
        amx_close(run);
        return status;
    }
    run->executed = !run->exec;
    run->timed = !run->model;
    run->timed_documented = !run->documented;
    *out = run;
    return 0;
}

static enum run_status fail(char *error, const char *sentence)
{
    snprintf(error, MACHINE_ERROR, "%s", sentence);
    return RUN_FAILED;
}

/* The end of the program: files are written, the sink gets its summary. */
static enum run_status finish(struct machine_run *run, char *error)
{
    if (run->exec) {
        const int status = move_files(run, run->options.saves, true, error);
        if (status != 0)
            return status > 0 ? RUN_FAULT : RUN_FAILED;
    }
    run->finished = true;
    if (run->model) {
        if (amx_model_finish(run->model, true, amx_model_cycles(run->documented)) != 0)
            return fail(error, "the summary could not be recorded");
    } else if (run->sink.ops->finish) {
        const struct sink_summary summary = {.complete = true};
        if (run->sink.ops->finish(run->sink.context, &summary) != 0)
            return fail(error, "the summary could not be recorded");
    }
    return RUN_DONE;
}

static enum run_status amx_advance(struct machine_run *run, uint64_t budget,
                                   struct diag_list *diags, char error[MACHINE_ERROR])
{
    (void)diags;
    error[0] = '\0';
    if (run->finished)
        return RUN_DONE;
    budget = budget ? budget : 1;
    if (!run->executed) {
        const int more = amx_exec_advance(run->exec, budget);
        if (more < 0)
            return fail(error, "the dump could not be written");
        run->executed = !more;
    }
    if (!run->timed) {
        const int more = amx_model_advance(run->model, budget);
        if (more < 0)
            return fail(error, "the trace could not be written, or memory is out");
        run->timed = !more;
    }
    if (!run->timed_documented)
        run->timed_documented = !amx_model_advance(run->documented, budget);
    if (run->executed && run->timed && run->timed_documented)
        return finish(run, error);
    return RUN_MORE;
}

static void amx_progress(const struct machine_run *run, struct run_progress *progress)
{
    *progress = (struct run_progress){.cycles = run->model ? amx_model_cycles(run->model) : 0,
                                      .items_done = run->model ? amx_model_issued(run->model)
                                                               : amx_exec_done(run->exec),
                                      .items_total = run->total};
}

static int amx_stop(struct machine_run *run)
{
    if (run->finished)
        return 0;
    run->finished = true;
    if (run->model)
        return amx_model_finish(run->model, false, 0);
    const struct sink_summary summary = {.complete = false};
    return run->sink.ops->finish ? run->sink.ops->finish(run->sink.context, &summary) : 0;
}

static uint64_t amx_hash(const struct machine_run *run)
{
    return run->exec ? amx_exec_hash(run->exec) : 0;
}

static const char *const warnings[] = {"z-row", "set-clears", NULL};

const struct machine machine_amx = {
    .name = "amx",
    .title = "Apple AMX matfp",
    .extensions = ".amx",
    .params = amx_params,
    .param_count = AMX_PARAM_COUNT,
    .warnings = warnings,
    .config_text = amx_config,
    .config_end = amx_config_end,
    .config_name = "config/amx/amx.yaml",
    .load = amx_load,
    .unload = amx_unload,
    .places = "m:ADDR (memory), x@T:ADDR, y@T:ADDR,\n"
              "z@T:ADDR (registers of thread T)",
    .accept = check_options,
    .check = amx_check,
    .print = amx_print,
    .open = amx_open,
    .advance = amx_advance,
    .progress = amx_progress,
    .stop = amx_stop,
    .hash = amx_hash,
    .close = amx_close,
};
