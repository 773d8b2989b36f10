/* machine: the toy behind the commands (timing/machine.h). */
#include "timing/machine.h"

#include <stdlib.h>

#include "config/embed.h"
#include "functional/toy/exec.h"
#include "functional/directive.h"
#include "timing/toy/model.h"

EMBED(toy_config, "config/toy/toy.yaml");

struct machine_program {
    struct toy_program program;
};

struct machine_run {
    const struct toy_program *program;
    struct run_options options;
    const struct sink *sink;
    const struct config *config;
    struct toy_state state;
    size_t executed; /* statements */
    struct toy_model model, documented;
    struct range range; /* what unpublished numbers are worth */
    bool timed, finished;
};

/* --- programs --------------------------------------------------------------------------------- */

static int load(struct machine_program **program, const struct source *sources, size_t count,
                struct diag_list *diags)
{
    *program = calloc(1, sizeof **program);
    const int status = *program ? toy_parse(&(*program)->program, sources, count, diags) : -1;
    const int directives = status < 0 ? 0 : directives_check(sources, count, diags);
    return status < 0 || directives < 0 ? -1 : status | directives;
}

static void unload(struct machine_program *program)
{
    if (program)
        toy_free(&program->program);
    free(program);
}

static int check(const struct machine_program *program, const struct config *config,
                 const struct machine_setting *settings, struct diag_list *diags)
{
    (void)config;
    (void)settings;
    return toy_check(&program->program, diags);
}

static int print(const struct machine_program *program, const struct machine_setting *settings,
                 FILE *out)
{
    (void)settings;
    return toy_print(&program->program, out);
}

static int accept(const struct run_options *options, char error[MACHINE_ERROR])
{
    struct init unused;
    return init_parse(&unused, options->init, error, MACHINE_ERROR);
}

/* --- runs ------------------------------------------------------------------------------------- */

static void close_run(struct machine_run *run)
{
    toy_model_free(&run->model);
    toy_model_free(&run->documented);
    range_free(&run->range);
    free(run);
}

static int open_parts(struct machine_run *run, const struct config *config)
{
    struct toy_model_options options = {.config = config,
                                        .documented = run->options.documented,
                                        .run_ahead = !run->options.no_run_ahead,
                                        .sink = run->sink,
                                        .events = run->options.events};
    run->model.program = run->program;
    if (!run->options.functional_only) {
        if (toy_model_init(&run->model, run->program, &options) != 0)
            return -1;
        options = (struct toy_model_options){
            .config = config, .documented = true, .run_ahead = options.run_ahead};
        if (toy_model_init(&run->documented, run->program, &options) != 0)
            return -1;
    }
    return toy_report_begin(&run->model, run->sink, config, run->options.command);
}

static int open_run(struct machine_run **result, const struct run_setup *setup,
                    struct diag_list *diags, char error[MACHINE_ERROR])
{
    (void)diags;
    struct machine_run *run = calloc(1, sizeof *run);
    struct init init;
    *result = NULL;
    error[0] = '\0';
    if (!run || init_parse(&init, setup->options->init, error, MACHINE_ERROR) != 0) {
        free(run);
        return run ? 1 : -1;
    }
    run->program = &setup->program->program;
    run->options = *setup->options;
    run->sink = setup->sink;
    run->config = setup->config;
    run->timed = run->options.functional_only;
    toy_state_init(&run->state, &init);
    if (open_parts(run, setup->config) != 0) {
        snprintf(error, MACHINE_ERROR, "out of memory, or the trace could not be begun");
        close_run(run);
        return -1;
    }
    *result = run;
    return 0;
}

static int retime(void *context, const struct config *config, bool alone, uint64_t *cycles)
{
    const struct machine_run *run = context;
    const struct toy_model_options options = {.config = config, .run_ahead = true, .alone = alone};
    struct toy_model *model = malloc(sizeof *model);
    if (!model)
        return -1;
    int status = toy_model_init(model, run->program, &options);
    while (status == 0 && (status = toy_model_advance(model, UINT64_MAX)) == 1)
        status = 0;
    *cycles = model->finish;
    toy_model_free(model);
    free(model);
    return status;
}

static int find_range(struct machine_run *run, unsigned threads, struct range *range)
{
    const struct range_subject subject = {
        .config = run->config, .cycles = run->model.finish, .retime = retime, .context = run};
    return range_find(range, &subject, threads);
}

static int finish(struct machine_run *run, bool complete)
{
    run->finished = true;
    if (!run->options.functional_only) {
        if (complete && !run->options.documented &&
            range_is_cheap(run->config, run->model.kernel.events) &&
            find_range(run, 1, &run->range) != 0)
            return -1;
        return toy_report_finish(&run->model, complete, complete ? run->documented.finish : 0,
                                 &run->range);
    }
    const struct sink_summary summary = {.complete = complete};
    return run->sink->ops->finish ? run->sink->ops->finish(run->sink->context, &summary) : 0;
}

static int execute(struct machine_run *run, uint64_t budget)
{
    int status = 0;
    for (; status == 0 && budget && run->executed < run->program->count; budget--)
        status = toy_exec(&run->state, &run->program->stmts[run->executed++], run->options.dump);
    return status;
}

static enum run_status advance(struct machine_run *run, uint64_t budget, struct diag_list *diags,
                               char error[MACHINE_ERROR])
{
    (void)diags;
    error[0] = '\0';
    if (run->finished)
        return RUN_DONE;
    budget = budget ? budget : 1;
    int status = run->options.timing_only ? 0 : execute(run, budget);
    if (status == 0 && !run->timed) {
        const int more = toy_model_advance(&run->model, budget);
        const int documented = toy_model_advance(&run->documented, budget);
        status = more < 0 || documented < 0 ? -1 : 0;
        run->timed = !more && !documented;
    }
    const bool executed = run->options.timing_only || run->executed == run->program->count;
    if (status == 0 && (!executed || !run->timed))
        return RUN_MORE;
    if (status == 0)
        status = finish(run, true);
    if (status == 0)
        return RUN_DONE;
    snprintf(error, MACHINE_ERROR, "out of memory, or an answer could not be written");
    return RUN_FAILED;
}

static void progress(const struct machine_run *run, struct run_progress *progress)
{
    *progress = (struct run_progress){.cycles = run->model.finish,
                                      .total = run->model.finish,
                                      .items_done = run->executed,
                                      .items_total = run->program->count};
}

static int stop(struct machine_run *run)
{
    return run->finished ? 0 : finish(run, false);
}

static uint64_t hash(const struct machine_run *run)
{
    return run->options.timing_only ? 0 : toy_state_hash(&run->state);
}

static const char *const warnings[] = {NULL};

const struct machine machine_toy = {
    .name = "toy",
    .title = "toy accumulator machine",
    .extensions = ".toy",
    .params = toy_params,
    .param_count = TOY_PARAMS,
    .warnings = warnings,
    .config_text = toy_config,
    .config_end = toy_config_end,
    .config_name = "config/toy/toy.yaml",
    .load = load,
    .unload = unload,
    .accept = accept,
    .check = check,
    .print = print,
    .open = open_run,
    .advance = advance,
    .progress = progress,
    .stop = stop,
    .hash = hash,
    .range = find_range,
    .close = close_run,
};
