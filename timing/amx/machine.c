/* machine: AMX behind the commands (timing/machine.h). */
#include "timing/machine.h"

#include <stdlib.h>
#include <string.h>

#include "config/embed.h"
#include "functional/amx/exec.h"
#include "functional/directive.h"
#include "timing/amx/model.h"
#include "timing/amx/moves.h"

EMBED(amx_config, "config/amx/amx.yaml");

struct machine_program {
    struct amx_program program;
};

/* Values and time advance side by side, each as long as it is not done. */
struct machine_run {
    const struct amx_program *program;
    struct run_options options;
    const struct sink *sink;
    struct amx_exec *exec;       /* NULL with timing_only */
    struct amx_model model;      /* not used with functional_only */
    struct amx_model documented; /* the same with documented numbers alone */
    const struct config *config;
    struct range range; /* what unpublished numbers are worth */
    bool executed, timed, finished;
    uint64_t total; /* instructions of all threads */
};

static const struct param_row params[AMX_PARAM_COUNT] = {
#define PARAM(name, type, sentence) {#name, PARAM_##type, sentence},
#include "timing/amx/param.def"
};

static int amx_load(struct machine_program **out, const struct source *sources, size_t count,
                    struct diag_list *diags)
{
    *out = malloc(sizeof **out);
    if (!*out)
        return -1;
    const int status = amx_program_parse(&(*out)->program, sources, count, diags);
    const int directives = status < 0 ? 0 : directives_check(sources, count, diags);
    return status < 0 || directives < 0 ? -1 : status | directives;
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

static int graph_of(const struct run_setup *setup, struct graph *graph, char error[MACHINE_ERROR])
{
    return amx_graph(&setup->program->program, setup->config, setup->options->documented, graph,
                     error);
}

static int find_moves(const struct machine_program *program, const struct config *config,
                      const struct machine_setting *settings, struct moves *moves,
                      char error[MACHINE_ERROR])
{
    (void)settings;
    (void)error;
    return amx_moves(&program->program, config, moves);
}

static int advise(const struct machine_program *program, const struct config *config,
                  const struct machine_setting *settings, moves_advised *found, void *self)
{
    (void)settings;
    return amx_advise(&program->program, config, found, self);
}

static void amx_close(struct machine_run *run)
{
    if (!run)
        return;
    amx_exec_free(run->exec);
    amx_model_free(&run->model);
    amx_model_free(&run->documented);
    range_free(&run->range);
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

static int move_file(struct machine_run *run, bool save, const char *spec, const char *path,
                     char error[MACHINE_ERROR])
{
    const bool big = run->options.word_order_big;
    return save ? amx_exec_save(run->exec, spec, path, big, error, MACHINE_ERROR)
                : amx_exec_load(run->exec, spec, path, big, error, MACHINE_ERROR);
}

static int put(struct machine_run *run, const char *spec, const uint64_t *words, size_t count,
               char error[MACHINE_ERROR])
{
    return amx_exec_put(run->exec, spec, words, count, error, MACHINE_ERROR);
}

static int get(const struct machine_run *run, const char *spec, uint64_t *words, size_t count,
               char error[MACHINE_ERROR])
{
    return amx_exec_get(run->exec, spec, words, count, error, MACHINE_ERROR);
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
    return machine_move(run->options.loads, false, move_file, run, error);
}

static int open_time(struct machine_run *run, const struct config *config)
{
    const bool documented = run->options.documented;
    if (amx_model_init(&run->model, run->program, config, documented, run->sink) != 0 ||
        amx_model_init(&run->documented, run->program, config, true, NULL) != 0)
        return -1;
    run->model.kernel.run_ahead = !run->options.no_run_ahead;
    if (run->options.events) {
        run->model.kernel.observe = kernel_print_event;
        run->model.kernel.context = run->options.events;
    }
    amx_threads_start(&run->model);
    amx_threads_start(&run->documented);
    return 0;
}

/* Operations a cycle of all clusters: a multiply-add in each place of the outer product. */
static double peak(const struct config *config, enum amx_param interval, double lanes)
{
    return 2 * lanes * lanes / config_real(config, interval, false) *
           config_real(config, AMX_PARAM_clusters, false);
}

/* Hand the sink the lists of what is going to run. */
static int begin(struct machine_run *run, const struct config *config)
{
    static const struct reason_info reasons[] = {
#define REASON(id, name, state, limit, sentence) {name, sentence, STATE_##state, limit},
#include "timing/reason.def"
    };
    struct counter_info counters[] = {
#define COUNTER(id, name, index, unit, sentence) {name, index, unit, sentence, 0},
#include "timing/amx/counter.def"
    };
    counters[AMX_COUNTER_DOUBLE].peak = peak(config, AMX_PARAM_interval_f64, 8);
    counters[AMX_COUNTER_SINGLE].peak = peak(config, AMX_PARAM_interval_f32, 16);
    counters[AMX_COUNTER_HALF].peak = peak(config, AMX_PARAM_interval_16, 32);
    struct sink_header header = {.machine = machine_amx.name,
                                 .command = run->options.command,
                                 .clock_hz = config_real(config, AMX_PARAM_clock_hz, false),
                                 .stmts = run->model.stmts,
                                 .stmt_count = run->model.stmt_count,
                                 .units = run->model.units,
                                 .unit_count = run->model.unit_count,
                                 .reasons = reasons,
                                 .reason_count = sizeof reasons / sizeof *reasons,
                                 .counters = counters,
                                 .counter_count = AMX_COUNTERS};
    return machine_begin(run->sink, &header, config, run->program->sources,
                         run->program->source_count);
}

static int open_parts(struct machine_run *run, const struct config *config,
                      char error[MACHINE_ERROR])
{
    const int status = run->options.timing_only ? 0 : open_values(run, error);
    if (status != 0)
        return status;
    snprintf(error, MACHINE_ERROR, "no memory for the timing model");
    if (!run->options.functional_only && open_time(run, config) != 0)
        return -1;
    snprintf(error, MACHINE_ERROR, "the trace could not be begun");
    if (begin(run, config) != 0)
        return -1;
    error[0] = '\0';
    return 0;
}

static int amx_open(struct machine_run **out, const struct run_setup *setup,
                    struct diag_list *diags, char error[MACHINE_ERROR])
{
    (void)diags;
    struct machine_run *run = calloc(1, sizeof *run);
    *out = NULL;
    error[0] = '\0';
    if (!run) {
        snprintf(error, MACHINE_ERROR, "no memory");
        return -1;
    }
    run->program = &setup->program->program;
    run->config = setup->config;
    run->options = *setup->options;
    run->sink = setup->sink;
    run->executed = run->options.timing_only;
    run->timed = run->options.functional_only;
    for (uint32_t t = 0; t < AMX_THREADS; t++) {
        const uint64_t length = amx_program_length(run->program, t);
        run->total = run->total > UINT64_MAX - length ? UINT64_MAX : run->total + length;
    }
    const int status = open_parts(run, setup->config, error);
    if (status == 0)
        *out = run;
    else
        amx_close(run);
    return status;
}

/* How the same threads are timed again. */
struct again {
    const struct config *config;
    bool documented, alone; /* alone: nobody waits for a port */
    const struct machine_delay *delay;
};

/* Returns 1 when the delay's turn never came. */
static int time_again(const struct machine_run *run, const struct again *how, uint64_t *cycles)
{
    struct amx_model *model = calloc(1, sizeof *model);
    if (!model)
        return -1;
    int status = amx_model_init(model, run->program, how->config, how->documented, NULL);
    model->alone = how->alone;
    model->delay = how->delay;
    if (status == 0)
        amx_threads_start(model);
    while (status == 0 && kernel_run(&model->kernel, UINT64_MAX))
        continue;
    if (status == 0 && (model->kernel.broken || model->status != 0))
        status = -1;
    if (status == 0 && how->delay && model->turns <= how->delay->turn)
        status = 1;
    *cycles = model->finish;
    for (uint32_t p = 0; how->alone && p < PORTS; p++)
        if (model->work[p] > *cycles)
            *cycles = model->work[p];
    amx_model_free(model);
    free(model);
    return status;
}

static int retime(void *context, const struct config *config, bool alone, uint64_t *cycles)
{
    return time_again(context, &(struct again){.config = config, .alone = alone}, cycles);
}

static int delayed(struct machine_run *run, const struct machine_delay *delay, uint64_t *total)
{
    const struct again how = {
        .config = run->config, .documented = run->options.documented, .delay = delay};
    return time_again(run, &how, total);
}

static int find_range(struct machine_run *run, unsigned threads, struct range *range)
{
    const struct range_subject subject = {
        .config = run->config, .cycles = run->model.finish, .retime = retime, .context = run};
    return range_find(range, &subject, threads);
}

static int send_summary(struct machine_run *run, bool complete)
{
    run->finished = true;
    if (!run->options.functional_only) {
        if (complete && !run->options.documented && !run->options.total_only &&
            !run->options.no_range && range_is_cheap(run->config, run->model.kernel.events) &&
            find_range(run, 1, &run->range) != 0)
            return -1;
        return amx_model_finish(&run->model, complete, complete ? run->documented.finish : 0,
                                &run->range);
    }
    const struct sink_summary summary = {.complete = complete};
    return run->sink->ops->finish ? run->sink->ops->finish(run->sink->context, &summary) : 0;
}

/* Returns 1 while there is more to do, 0, or -1 when the sink failed, memory is out or an invariant
 * of the model is broken. */
static int advance_time(struct machine_run *run, uint64_t budget, char *error)
{
    struct amx_model *m = &run->model;
    const bool more = kernel_run(&m->kernel, budget);
    const bool documented_more = kernel_run(&run->documented.kernel, budget);
    const char *broken = m->kernel.broken ? m->kernel.broken : run->documented.kernel.broken;
    if (broken)
        snprintf(error, MACHINE_ERROR, "cycle %llu: %s", (unsigned long long)m->kernel.now, broken);
    else if (m->status != 0 || m->account.status != 0 || m->path.status != 0)
        snprintf(error, MACHINE_ERROR, "the trace could not be written, or memory is out");
    else
        return more || documented_more;
    return -1;
}

static enum run_status amx_advance(struct machine_run *run, uint64_t budget,
                                   struct diag_list *diags, char error[MACHINE_ERROR])
{
    (void)diags;
    int more = 0;
    error[0] = '\0';
    if (run->finished)
        return RUN_DONE;
    budget = budget ? budget : 1;
    if (!run->executed && (more = amx_exec_advance(run->exec, budget)) < 0)
        snprintf(error, MACHINE_ERROR, "the dump could not be written");
    run->executed = !more;
    if (more >= 0 && !run->timed)
        run->timed = !(more = advance_time(run, budget, error));
    if (more < 0)
        return RUN_FAILED;
    if (!run->executed || !run->timed)
        return RUN_MORE;
    const int status =
        run->exec ? machine_move(run->options.saves, true, move_file, run, error) : 0;
    if (status != 0)
        return status > 0 ? RUN_FAULT : RUN_FAILED;
    if (send_summary(run, true) == 0)
        return RUN_DONE;
    snprintf(error, MACHINE_ERROR, "the summary could not be recorded");
    return RUN_FAILED;
}

static void amx_progress(const struct machine_run *run, struct run_progress *progress)
{
    *progress =
        (struct run_progress){.cycles = run->model.finish,
                              .total = run->model.finish,
                              .items_done = run->options.functional_only ? amx_exec_done(run->exec)
                                                                         : run->model.kernel.events,
                              .items_total = run->total};
}

static int amx_stop(struct machine_run *run)
{
    return run->finished ? 0 : send_summary(run, false);
}

static uint64_t amx_hash(const struct machine_run *run)
{
    return run->exec ? amx_exec_hash(run->exec) : 0;
}

static const char *const warnings[] = {"z-row", "set-clears", NULL};

static const struct machine_speed speeds[] = {
#define SPEED(unit, param, rate) {unit, #param, rate},
#include "timing/amx/speed.def"
    {.unit = NULL},
};

const struct machine machine_amx = {
    .name = "amx",
    .title = "Apple AMX matfp",
    .extensions = ".amx",
    .params = params,
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
    .speeds = speeds,
    .print = amx_print,
    .graph = graph_of,
    .moves = find_moves,
    .advise = advise,
    .open = amx_open,
    .advance = amx_advance,
    .progress = amx_progress,
    .stop = amx_stop,
    .hash = amx_hash,
    .put = put,
    .get = get,
    .range = find_range,
    .delayed = delayed,
    .quantum = 1,
    .close = amx_close,
};
