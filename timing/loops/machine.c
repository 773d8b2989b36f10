/* machine: the tables of tensor loops (timing/machine.h). */
#include "timing/machine.h"

#include <stdlib.h>

#include "config/embed.h"
#include "functional/directive.h"
#include "functional/loops/exec.h"
#include "functional/loops/vocabulary.h"
#include "timing/loops/model.h"
#include "timing/machines.h"

EMBED(loops_config, "config/loops/loops.yaml");

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
    for (size_t i = 0; i < program->nest_count; i++) {
        const struct loops_nest *nest = &program->nests[i];
        struct loops_code code;
        loops_generate(program, nest, &code);
        const struct diag at = {.severity = DIAG_WARNING,
                                .file = nest->body.source,
                                .line = nest->body.line,
                                .column = nest->body.column,
                                .length = nest->body.length,
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

/* --- runs ------------------------------------------------------------------------------------- */

static int open_run(struct machine_run *run, char error[MACHINE_ERROR])
{
    if (run->options.timing_only)
        return 0;
    snprintf(error, MACHINE_ERROR, "no memory for the tensors");
    run->own = loops_exec_new(&run->program->program, &run->init, run->options.dump);
    return run->own ? 0 : -1;
}

static void close_run(struct machine_run *run)
{
    loops_exec_free(run->own);
}

static enum run_status execute(struct machine_run *run, uint64_t budget, char error[MACHINE_ERROR])
{
    (void)error;
    const int more = loops_exec_advance(run->own, budget);
    return more < 0 ? RUN_FAILED : more ? RUN_MORE : RUN_DONE;
}

static struct place_owner owner(const struct machine_run *run)
{
    return loops_exec_places(run ? run->own : NULL);
}

static void progress(const struct machine_run *run, struct run_progress *progress)
{
    progress->items_done = run->own ? loops_exec_done(run->own) : 0;
    progress->items_total = run->program->program.item_count;
}

static uint64_t hash(const struct machine_run *run)
{
    return loops_exec_hash(run->own);
}

static const char *const warnings[] = {"sum-order", NULL};

static const struct machine_speed speeds[] = {
#define SPEED(unit, param, rate) {unit, #param, rate},
#include "timing/loops/speed.def"
    {.unit = NULL},
};

static const struct machine_language language_table = {
    .extensions = ".loops",
    .load = load,
    .unload = unload,
    .check = check,
    .print = print,
    .warnings = warnings,
    .vocabulary = &loops_vocabulary,
};

static const struct machine_values values_table = {
    .open = open_run,
    .close = close_run,
    .execute = execute,
    .progress = progress,
    .hash = hash,
    .owner = owner,
    .places = "m:ADDR (memory), TENSOR:ADDR",
    .history = loops_history,
    .history_places = "m:ADDR or TENSOR:ADDR (64-bit words of memory),\n"
                      "with +COUNT words or without, 8 at most",
};

static const struct machine_timing timing_table = {
    .params = params,
    .param_count = LOOPS_PARAMS,
    .config_text = loops_config,
    .config_end = loops_config_end,
    .config_name = "config/loops/loops.yaml",
    .reasons = loops_reasons,
    .reason_count = LOOPS_REASONS,
    .counters = loops_counters,
    .counter_count = LOOPS_COUNTERS,
    .describe = loops_describe,
    .model_size = sizeof(struct loops_model),
    .model_init = loops_model_init,
    .model_free = loops_model_free,
    .settle = loops_settle,
    .quantum = 1,
};

static const struct machine_advice advice_table = {
    .graph = graph,
    .speeds = speeds,
};

static const struct term terms[] = {
#define TERM(kind, word, phrase, text, example) {kind, word, phrase, text, example},
#include "timing/loops/term.def"
    {.word = NULL},
};

const struct machine machine_loops = {
    .name = "loops",
    .title = "tensor loops",
    .language = &language_table,
    .values = &values_table,
    .timing = &timing_table,
    .advice = &advice_table,
    .terms = terms,
};
