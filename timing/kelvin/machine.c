/* machine: connects Kelvin to the commands (timing/machine.h). */

#include <stdlib.h>
#include <string.h>

#include "config/embed.h"
#include "functional/kelvin/vocabulary.h"
#include "functional/riscv/elf.h"
#include "timing/kelvin/values.h"
#include "timing/machines.h"

EMBED(kelvin_config, "config/kelvin/kelvin.yaml");

static unsigned recognise(const char *path, const unsigned char *head)
{
    (void)path;
    return riscv_is_elf32(head);
}

/* --- programs --------------------------------------------------------------------------------- */

static int load(struct machine_program **program, const struct source *sources, size_t count,
                struct diag_list *diags)
{
    *program = calloc(1, sizeof **program);
    return *program ? kelvin_program_load(&(*program)->program, sources, count, diags) : -1;
}

static void unload(struct machine_program *program)
{
    if (program)
        kelvin_program_free(&program->program);
    free(program);
}

static int check(const struct machine_program *program, const struct config *config,
                 const struct machine_setting *settings, struct diag_list *diags)
{
    (void)config;
    (void)settings;
    return kelvin_program_check(&program->program, diags);
}

static int print(const struct machine_program *program, const struct machine_setting *settings,
                 FILE *out)
{
    (void)settings;
    return kelvin_program_print(&program->program, out);
}

/* Check that caches consist of whole sets. */
static int valid(const struct config *config, char error[MACHINE_ERROR])
{
    static const struct {
        enum kelvin_param bytes, ways;
    } caches[] = {{KELVIN_PARAM_l1i_bytes, KELVIN_PARAM_l1i_ways},
                  {KELVIN_PARAM_l1d_bytes, KELVIN_PARAM_l1d_ways}};
    for (size_t i = 0; i < sizeof caches / sizeof *caches; i++) {
        const uint64_t bytes = config_integer(config, caches[i].bytes, false),
                       way = config_integer(config, caches[i].ways, false) *
                             config_integer(config, KELVIN_PARAM_line_bytes, false);
        if (bytes % way == 0)
            continue;
        snprintf(error, MACHINE_ERROR, "%s is %llu, no multiple of %s lines, %llu bytes",
                 kelvin_params[caches[i].bytes].name, (unsigned long long)bytes,
                 kelvin_params[caches[i].ways].name, (unsigned long long)way);
        return 1;
    }
    if (config_integer(config, KELVIN_PARAM_l0_bytes, false) %
        config_integer(config, KELVIN_PARAM_line_bytes, false)) {
        snprintf(error, MACHINE_ERROR, "l0_bytes is not a multiple of line_bytes");
        return 1;
    }
    return 0;
}

static int accept(const struct run_options *options, char error[MACHINE_ERROR])
{
    return !machine_limit(options->settings, error);
}

/* --- runs ------------------------------------------------------------------------------------- */

static struct kelvin_exec *exec_of(const struct machine_run *run)
{
    return ((const struct kelvin_values *)run->own)->exec;
}

static struct place_owner owner(const struct machine_run *run)
{
    return kelvin_exec_places(run ? exec_of(run) : NULL);
}

static int open_run(struct machine_run *run, char error[MACHINE_ERROR])
{
    const struct kelvin_exec_options options = {
        .dump = run->options.dump, .reference = run->options.reference, .init = run->init};
    struct kelvin_values *values = run->own = calloc(1, sizeof *values);
    if (!values)
        return -1;
    values->most = machine_limit(run->options.settings, error);
    if (!values->most)
        return 1;
    snprintf(error, MACHINE_ERROR, "no memory for the state of Kelvin");
    values->exec = kelvin_exec_new(&run->program->program, &options);
    return values->exec ? 0 : -1;
}

static void close_run(struct machine_run *run)
{
    struct kelvin_values *values = run->own;
    if (!values)
        return;
    kelvin_exec_free(values->exec);
    kelvin_exec_free(values->start);
    free(values->kept);
    free(values);
}

/* A run whose executor is not advanced by its model. */
static int open_quiet(const struct run_setup *setup, struct machine_run **run,
                      char error[MACHINE_ERROR])
{
    struct run_options options = *setup->options;
    const struct run_setup quiet = {setup->program, setup->config, &options, &run_unseen};
    options.dump = NULL;
    options.functional_only = false;
    return run_open(run, &machine_kelvin, &quiet, NULL, error);
}

static int graph_of(const struct run_setup *setup, struct graph *graph, char error[MACHINE_ERROR])
{
    struct machine_run *run;
    int status = open_quiet(setup, &run, error);
    if (status == 0) {
        const struct kelvin_values *values = run->own;
        status = kelvin_graph(values->exec, (struct kelvin_model *)run->model, values->most, graph,
                              error);
    }
    run_close(run);
    return status;
}

static int find_moves(const struct run_setup *setup, struct moves *moves, char error[MACHINE_ERROR])
{
    struct machine_run *run;
    const bool for_bound = moves->free_waits; /* no order of these blocks proves anything */
    *moves = (struct moves){.blocks = NULL};
    if (for_bound)
        return 0;
    int status = open_quiet(setup, &run, error);
    if (status == 0) {
        const struct kelvin_values *values = run->own;
        status = kelvin_moves(values->exec, (struct kelvin_model *)run->model, values->most, moves,
                              error);
    }
    run_close(run);
    return status;
}

static enum run_status execute(struct machine_run *run, uint64_t budget, char error[MACHINE_ERROR])
{
    const struct kelvin_values *values = run->own;
    kelvin_exec_advance(values->exec, kelvin_values_room(values, budget), NULL);
    const int status = kelvin_values_judge(run, error);
    return status != 0                                    ? status > 0 ? RUN_FAULT : RUN_FAILED
           : kelvin_exec_end(values->exec) == KELVIN_RUNS ? RUN_MORE
                                                          : RUN_DONE;
}

static const char *ending(const struct machine_run *run)
{
    return kelvin_exec_sentence(exec_of(run));
}

static void progress(const struct machine_run *run, struct run_progress *progress)
{
    progress->items_done = kelvin_exec_done(exec_of(run));
    progress->items_total = kelvin_exec_end(exec_of(run)) == KELVIN_RUNS ? 0 : progress->items_done;
}

static uint64_t hash(const struct machine_run *run)
{
    return kelvin_exec_hash(exec_of(run));
}

static const char *const warnings[] = {"illegal", "doubtful", NULL};

static const struct machine_option options[] = {
    {.commands = "run why expect report",
     .name = "max-instructions",
     .argument = "N",
     .help = "a program that has not ended after N instructions is at\n"
             "fault (1000000000)"},
    {.name = NULL},
};

static const struct machine_speed speeds[] = {
#define SPEED(unit, param, rate) {unit, #param, rate},
#include "timing/kelvin/speed.def"
    {.unit = NULL},
};

static const struct riscv_image *image(const struct machine_program *program)
{
    return &program->program.image;
}

static const struct machine_language language_table = {
    .extensions = ".kelvin .s",
    .recognise = recognise,
    .load = load,
    .unload = unload,
    .check = check,
    .print = print,
    .warnings = warnings,
    .traps = "illegal",
    .options = options,
    .accept = accept,
    .regions = true,
    .image = image,
    .wide = true,
    .vocabulary = &kelvin_vocabulary,
};

static const struct machine_values values_table = {
    .executes = true,
    .by_values = true,
    .open = open_run,
    .close = close_run,
    .execute = execute,
    .progress = progress,
    .hash = hash,
    .owner = owner,
    .places = "m:ADDR (memory, 64-bit words) or m:SYMBOL,\n"
              "x@N, v@N or v@N:WORD (registers)",
    .history = kelvin_history,
    .history_places = "x@N, v@N or v@N:WORD (registers), m:ADDR or m:SYMBOL,\n"
                      "(64-bit words), with +COUNT words or without, 8 at most",
    .ending = ending,
};

static const struct machine_timing timing_table = {
    .params = kelvin_params,
    .param_count = KELVIN_PARAMS,
    .config_text = kelvin_config,
    .config_end = kelvin_config_end,
    .config_name = "config/kelvin/kelvin.yaml",
    .valid = valid,
    .reasons = kelvin_reasons,
    .reason_count = KELVIN_REASONS,
    .counters = kelvin_counters,
    .counter_count = KELVIN_COUNTERS,
    .describe = kelvin_describe,
    .model_size = sizeof(struct kelvin_model),
    .model_init = kelvin_model_init,
    .model_free = kelvin_model_free,
    .total = kelvin_model_total,
    .settle = kelvin_settle,
    .quantum = 1,
};

static const struct machine_advice advice_table = {
    .graph = graph_of,
    .moves = find_moves,
    .speeds = speeds,
};

static const struct term terms[] = {
#define TERM(kind, word, phrase, text, example) {kind, word, phrase, text, example},
#include "timing/kelvin/term.def"
    {.word = NULL},
};

const struct machine machine_kelvin = {
    .name = "kelvin",
    .title = "Kelvin",
    .language = &language_table,
    .values = &values_table,
    .timing = &timing_table,
    .advice = &advice_table,
    .terms = terms,
};
