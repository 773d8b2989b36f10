/* machine: the tables of AMX (timing/machine.h). */
#include "timing/machine.h"

#include <stdlib.h>
#include <string.h>

#include "config/embed.h"
#include "functional/amx/exec.h"
#include "functional/directive.h"
#include "functional/amx/vocabulary.h"
#include "timing/amx/model.h"
#include "timing/amx/moves.h"
#include "timing/machines.h"

EMBED(amx_config, "config/amx/amx.yaml");

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
    const uint64_t clusters = config_integer(config, AMX_PARAM_clusters, false) +
                              config_integer(config, AMX_PARAM_efficiency_clusters, false);
    int status = 0;
    for (uint32_t t = 0; t < AMX_THREADS; t++) {
        if (program->cluster[t] < 0 || (uint64_t)program->cluster[t] < clusters)
            continue;
        const struct diag at = {.severity = DIAG_ERROR,
                                .file = program->cluster_source[t],
                                .line = program->cluster_line[t],
                                .column = 1,
                                .length = 8};
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

static int find_moves(const struct run_setup *setup, struct moves *moves, char error[MACHINE_ERROR])
{
    (void)error;
    return amx_moves(&setup->program->program, setup->config, moves);
}

static int advise(const struct machine_program *program, const struct config *config,
                  const struct machine_setting *settings, moves_advised *found, void *self)
{
    (void)settings;
    return amx_advise(&program->program, config, found, self);
}

/* --- runs ------------------------------------------------------------------------------------- */

static int amx_open(struct machine_run *run, char error[MACHINE_ERROR])
{
    const struct amx_exec_options options = {
        .dump = run->options.dump, .reference = run->options.reference, .init = run->init};
    if (run->options.timing_only)
        return 0;
    snprintf(error, MACHINE_ERROR, "no memory for the state of AMX");
    run->own = amx_exec_new(&run->program->program, &options);
    return run->own ? 0 : -1;
}

static void amx_close(struct machine_run *run)
{
    amx_exec_free(run->own);
}

static enum run_status amx_execute(struct machine_run *run, uint64_t budget,
                                   char error[MACHINE_ERROR])
{
    (void)error;
    const int more = amx_exec_advance(run->own, budget);
    return more < 0 ? RUN_FAILED : more ? RUN_MORE : RUN_DONE;
}

static struct place_owner owner(const struct machine_run *run)
{
    return amx_exec_places(run ? run->own : NULL);
}

static uint64_t amx_hash(const struct machine_run *run)
{
    return amx_exec_hash(run->own);
}

static void amx_progress(const struct machine_run *run, struct run_progress *progress)
{
    for (uint32_t t = 0; t < AMX_THREADS; t++) {
        const uint64_t length = amx_program_length(&run->program->program, t);
        progress->items_total = progress->items_total > UINT64_MAX - length
                                    ? UINT64_MAX
                                    : progress->items_total + length;
    }
    if (!run->model)
        progress->items_done = amx_exec_done(run->own);
}

static const char *const warnings[] = {"z-row", "set-clears", NULL};

static const struct machine_speed speeds[] = {
#define SPEED(unit, param, rate) {unit, #param, rate},
#include "timing/amx/speed.def"
    {.unit = NULL},
};

static const struct machine_language language_table = {
    .extensions = ".amx",
    .load = amx_load,
    .unload = amx_unload,
    .check = amx_check,
    .print = amx_print,
    .warnings = warnings,
    .vocabulary = &amx_vocabulary,
};

static const struct machine_values values_table = {
    .open = amx_open,
    .close = amx_close,
    .execute = amx_execute,
    .progress = amx_progress,
    .hash = amx_hash,
    .owner = owner,
    .places = "m:ADDR (memory), x@T:ADDR, y@T:ADDR,\n"
              "z@T:ADDR (registers of thread T)",
    .history = amx_history,
    .history_places = "x@T:ADDR, y@T:ADDR, z@T:ADDR with +COUNT words or without,\n"
                      "up to a whole register of 8 words",
};

static const struct machine_timing timing_table = {
    .params = params,
    .param_count = AMX_PARAM_COUNT,
    .config_text = amx_config,
    .config_end = amx_config_end,
    .config_name = "config/amx/amx.yaml",
    .reasons = amx_reasons,
    .reason_count = AMX_REASONS,
    .counters = amx_counters,
    .counter_count = AMX_COUNTERS,
    .describe = amx_describe,
    .model_size = sizeof(struct amx_model),
    .model_init = amx_model_init,
    .model_free = amx_model_free,
    .in_time = true,
    .total = amx_model_total,
    .settle = amx_settle,
    .quantum = 1,
};

static const struct machine_advice advice_table = {
    .graph = graph_of,
    .moves = find_moves,
    .advise = advise,
    .speeds = speeds,
};

static const struct term terms[] = {
#define TERM(kind, word, phrase, text, example) {kind, word, phrase, text, example},
#include "timing/amx/term.def"
    {.word = NULL},
};

const struct machine machine_amx = {
    .name = "amx",
    .title = "Apple AMX matfp",
    .language = &language_table,
    .values = &values_table,
    .timing = &timing_table,
    .advice = &advice_table,
    .terms = terms,
};
