/* machine: tensor loops behind the commands (timing/machine.h). */
#include "timing/machine.h"

#include <stdlib.h>

#include "config/embed.h"
#include "functional/directive.h"
#include "functional/loops/exec.h"
#include "timing/loops/model.h"

EMBED(loops_config, "config/loops/loops.yaml");

struct machine_program {
    struct loops_program program;
};

/* Values and time advance side by side, each as long as it is not done. */
struct machine_run {
    const struct loops_program *program;
    struct run_options options;
    const struct sink *sink;
    const struct config *config;
    struct loops_exec *exec; /* NULL with timing_only */
    struct loops_model model, documented;
    struct range range; /* what unpublished numbers are worth */
    bool executed, timed, finished;
};

static const struct param_row params[LOOPS_PARAMS] = {
#define PARAM(name, type, sentence) {#name, PARAM_##type, sentence},
#include "timing/loops/param.def"
};

/* --- programs --------------------------------------------------------------------------------- */

static int load(struct machine_program **program, const struct source *sources, size_t count,
                struct diag_list *diags)
{
    *program = calloc(1, sizeof **program);
    const int status =
        *program ? loops_program_parse(&(*program)->program, sources, count, diags) : -1;
    const int directives = status < 0 ? 0 : directives_check(sources, count, diags);
    return status < 0 || directives < 0 ? -1 : status | directives;
}

static void unload(struct machine_program *program)
{
    if (program)
        loops_program_free(&program->program);
    free(program);
}

/* All errors are those of load; what is left are sums in another order than written. */
static int check(const struct machine_program *machine_program, const struct config *config,
                 const struct machine_setting *settings, struct diag_list *diags)
{
    (void)config;
    (void)settings;
    const struct loops_program *program = &machine_program->program;
    for (const struct loops_nest *nest = program->nests;
         nest < program->nests + program->nest_count; nest++) {
        struct loops_code code;
        loops_generate(program, nest, &code);
        const struct diag at = {.severity = DIAG_WARNING,
                                .file = nest->body.source,
                                .line = nest->body.line,
                                .column = nest->body.column,
                                .length = nest->body.length,
                                .missing_steps = -1,
                                .missing_cycles = -1,
                                .rule = "",
                                .name = "sum-order"};
        if (code.reordered)
            diag_add(diags, &at,
                     "sums of f32 are added in another order than the loops are written, which "
                     "rounds differently\nthe loop that goes over units innermost, outer=beside, "
                     "not peeled");
    }
    return 0;
}

static int print(const struct machine_program *program, const struct machine_setting *settings,
                 FILE *out)
{
    (void)settings;
    return loops_program_print(&program->program, out);
}

static int graph(const struct run_setup *setup, struct graph *graph, char error[MACHINE_ERROR])
{
    return loops_graph(&setup->program->program, setup->config, setup->options->documented, graph,
                       error);
}

static int accept(const struct run_options *options, char error[MACHINE_ERROR])
{
    struct init unused;
    return init_parse(&unused, options->init, error, MACHINE_ERROR) != 0 ||
           machine_specs(options->loads, false, loops_exec_spec, error) != 0 ||
           machine_specs(options->saves, true, loops_exec_spec, error) != 0;
}

/* --- files ------------------------------------------------------------------------------------ */

static int move_file(struct machine_run *run, bool save, const char *spec, const char *path,
                     char error[MACHINE_ERROR])
{
    const bool big = run->options.word_order_big;
    return save ? loops_exec_save(run->exec, spec, path, big, error, MACHINE_ERROR)
                : loops_exec_load(run->exec, spec, path, big, error, MACHINE_ERROR);
}

static int put(struct machine_run *run, const char *spec, const uint64_t *words, size_t count,
               char error[MACHINE_ERROR])
{
    return loops_exec_put(run->exec, spec, words, count, error, MACHINE_ERROR);
}

static int get(const struct machine_run *run, const char *spec, uint64_t *words, size_t count,
               char error[MACHINE_ERROR])
{
    return loops_exec_get(run->exec, spec, words, count, error, MACHINE_ERROR);
}

/* --- runs ------------------------------------------------------------------------------------- */

static void close_run(struct machine_run *run)
{
    loops_exec_free(run->exec);
    loops_model_free(&run->model);
    loops_model_free(&run->documented);
    range_free(&run->range);
    free(run);
}

static int open_values(struct machine_run *run, char error[MACHINE_ERROR])
{
    struct init init;
    if (init_parse(&init, run->options.init, error, MACHINE_ERROR) != 0)
        return 1;
    run->exec = loops_exec_new(run->program, &init, run->options.dump);
    if (run->exec)
        return machine_move(run->options.loads, false, move_file, run, error);
    snprintf(error, MACHINE_ERROR, "no memory for the tensors");
    return -1;
}

static int open_time(struct machine_run *run)
{
    struct loops_model_options options = {.config = run->config,
                                          .documented = run->options.documented,
                                          .run_ahead = !run->options.no_run_ahead,
                                          .sink = run->sink,
                                          .events = run->options.events};
    if (loops_model_init(&run->model, run->program, &options) != 0)
        return -1;
    options = (struct loops_model_options){
        .config = run->config, .documented = true, .run_ahead = options.run_ahead};
    return loops_model_init(&run->documented, run->program, &options);
}

static int open_parts(struct machine_run *run, char error[MACHINE_ERROR])
{
    run->model.program = run->program;
    const int status = run->options.timing_only ? 0 : open_values(run, error);
    if (status != 0)
        return status;
    snprintf(error, MACHINE_ERROR, "no memory for the timing model, or the trace was not begun");
    if (!run->options.functional_only && open_time(run) != 0)
        return -1;
    if (loops_report_begin(&run->model, run->sink, run->config, run->options.command) != 0)
        return -1;
    error[0] = '\0';
    return 0;
}

static int open_run(struct machine_run **result, const struct run_setup *setup,
                    struct diag_list *diags, char error[MACHINE_ERROR])
{
    (void)diags;
    struct machine_run *run = calloc(1, sizeof *run);
    *result = NULL;
    snprintf(error, MACHINE_ERROR, "no memory");
    if (!run)
        return -1;
    error[0] = '\0';
    run->program = &setup->program->program;
    run->options = *setup->options;
    run->sink = setup->sink;
    run->config = setup->config;
    run->executed = run->options.timing_only;
    run->timed = run->options.functional_only;
    const int status = open_parts(run, error);
    if (status == 0)
        *result = run;
    else
        close_run(run);
    return status;
}

/* Times the program again. Returns 1 when the delay's turn never came. */
static int time_again(const struct machine_run *run, const struct loops_model_options *options,
                      uint64_t *cycles)
{
    struct loops_model *model = calloc(1, sizeof *model);
    if (!model)
        return -1;
    int status = loops_model_init(model, run->program, options);
    while (status == 0 && (status = loops_model_advance(model, UINT64_MAX)) == 1)
        status = 0;
    if (status == 0 && options->delay && model->turns <= options->delay->turn)
        status = 1;
    *cycles = model->finish;
    loops_model_free(model);
    free(model);
    return status;
}

/* Nobody waits for others at a unit, so that no number makes the order another one: with all
 * numbers at their best nothing takes less. */
static int retime(void *context, const struct config *config, bool alone, uint64_t *cycles)
{
    (void)alone;
    return time_again(
        context, &(const struct loops_model_options){.config = config, .run_ahead = true}, cycles);
}

static int delayed(struct machine_run *run, const struct machine_delay *delay, uint64_t *total)
{
    return time_again(run,
                      &(const struct loops_model_options){.config = run->config,
                                                          .documented = run->options.documented,
                                                          .run_ahead = true,
                                                          .delay = delay},
                      total);
}

static int find_range(struct machine_run *run, unsigned threads, struct range *range)
{
    const struct range_subject subject = {
        .config = run->config, .cycles = run->model.finish, .retime = retime, .context = run};
    return range_find(range, &subject, threads);
}

static int finish(struct machine_run *run, bool complete)
{
    const struct run_options *o = &run->options;
    run->finished = true;
    if (o->functional_only) {
        const struct sink_summary summary = {.complete = complete};
        return run->sink->ops->finish ? run->sink->ops->finish(run->sink->context, &summary) : 0;
    }
    if (complete && !o->documented && !o->total_only && !o->no_range &&
        range_is_cheap(run->config, run->model.kernel.events) &&
        find_range(run, 1, &run->range) != 0)
        return -1;
    return loops_report_finish(&run->model, complete, complete ? run->documented.finish : 0,
                               &run->range);
}

static int advance_time(struct machine_run *run, uint64_t budget)
{
    const int more = loops_model_advance(&run->model, budget);
    const int documented = loops_model_advance(&run->documented, budget);
    return more < 0 || documented < 0 ? -1 : more || documented;
}

static enum run_status advance(struct machine_run *run, uint64_t budget, struct diag_list *diags,
                               char error[MACHINE_ERROR])
{
    (void)diags;
    int more = 0;
    error[0] = '\0';
    if (run->finished)
        return RUN_DONE;
    budget = budget ? budget : 1;
    if (!run->executed && (more = loops_exec_advance(run->exec, budget)) < 0)
        snprintf(error, MACHINE_ERROR, "the dump could not be written");
    run->executed = !more;
    if (more >= 0 && !run->timed) {
        more = advance_time(run, budget);
        run->timed = !more;
        if (more < 0)
            snprintf(error, MACHINE_ERROR, "the trace could not be written, or memory is out");
    }
    if (more < 0)
        return RUN_FAILED;
    if (!run->executed || !run->timed)
        return RUN_MORE;
    const int status =
        run->exec ? machine_move(run->options.saves, true, move_file, run, error) : 0;
    if (status != 0)
        return status > 0 ? RUN_FAULT : RUN_FAILED;
    if (finish(run, true) == 0)
        return RUN_DONE;
    snprintf(error, MACHINE_ERROR, "the summary could not be recorded");
    return RUN_FAILED;
}

static void progress(const struct machine_run *run, struct run_progress *progress)
{
    *progress = (struct run_progress){.cycles = run->model.finish,
                                      .total = run->model.finish,
                                      .items_done = run->exec ? loops_exec_done(run->exec) : 0,
                                      .items_total = run->program->item_count};
}

static int stop(struct machine_run *run)
{
    return run->finished ? 0 : finish(run, false);
}

static uint64_t hash(const struct machine_run *run)
{
    return run->exec ? loops_exec_hash(run->exec) : 0;
}

static const char *const warnings[] = {"sum-order", NULL};

static const struct machine_speed speeds[] = {
#define SPEED(unit, param, rate) {unit, #param, rate},
#include "timing/loops/speed.def"
    {.unit = NULL},
};

const struct machine machine_loops = {
    .name = "loops",
    .title = "tensor loops",
    .extensions = ".loops",
    .params = params,
    .param_count = LOOPS_PARAMS,
    .warnings = warnings,
    .config_text = loops_config,
    .config_end = loops_config_end,
    .config_name = "config/loops/loops.yaml",
    .speeds = speeds,
    .places = "m:ADDR (memory), TENSOR:ADDR",
    .load = load,
    .unload = unload,
    .accept = accept,
    .check = check,
    .print = print,
    .graph = graph,
    .open = open_run,
    .advance = advance,
    .progress = progress,
    .stop = stop,
    .hash = hash,
    .put = put,
    .get = get,
    .range = find_range,
    .delayed = delayed,
    .quantum = 1,
    .close = close_run,
};
