/* machine: the toy for the commands (timing/machine.h). */
#include "timing/machine.h"

#include <stdlib.h>

#include "config/embed.h"
#include "functional/toy/exec.h"
#include "functional/directive.h"
#include "timing/toy/model.h"

EMBED(toy_config, "config/toy/toy.yaml");

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

/* --- runs ------------------------------------------------------------------------------------- */

static int open_run(struct machine_run *run, char error[MACHINE_ERROR])
{
    (void)error;
    struct toy_state *state = run->own = malloc(sizeof *state);
    if (!state)
        return -1;
    toy_state_init(state, &run->init);
    return 0;
}

static void close_run(struct machine_run *run)
{
    free(run->own);
}

static enum run_status execute(struct machine_run *run, uint64_t budget, char error[MACHINE_ERROR])
{
    (void)error;
    const struct toy_program *program = &run->program->program;
    struct toy_state *state = run->own;
    for (; budget && state->executed < program->count; budget--)
        if (toy_exec(state, &program->stmts[state->executed++], run->options.dump) != 0)
            return RUN_FAILED;
    return state->executed < program->count ? RUN_MORE : RUN_DONE;
}

static void progress(const struct machine_run *run, struct run_progress *progress)
{
    progress->items_done = ((const struct toy_state *)run->own)->executed;
    progress->items_total = run->program->program.count;
}

static uint64_t hash(const struct machine_run *run)
{
    return toy_state_hash(run->own);
}

static const char *const warnings[] = {NULL};

static const struct machine_language language_table = {
    .extensions = ".toy",
    .load = load,
    .unload = unload,
    .check = check,
    .print = print,
    .warnings = warnings,
};

static const struct machine_values values_table = {
    .open = open_run,
    .close = close_run,
    .execute = execute,
    .progress = progress,
    .hash = hash,
};

static const struct machine_timing timing_table = {
    .params = toy_params,
    .param_count = TOY_PARAMS,
    .config_text = toy_config,
    .config_end = toy_config_end,
    .config_name = "config/toy/toy.yaml",
    .reasons = toy_reasons,
    .reason_count = TOY_REASONS,
    .counters = toy_counters,
    .counter_count = TOY_COUNTERS,
    .describe = toy_describe,
    .model_size = sizeof(struct toy_model),
    .model_init = toy_model_init,
    .model_free = toy_model_free,
    .settle = toy_settle,
};

static const struct machine_advice advice_table = {0};

const struct machine machine_toy = {
    .name = "toy",
    .title = "toy accumulator machine",
    .language = &language_table,
    .values = &values_table,
    .timing = &timing_table,
    .advice = &advice_table,
};
