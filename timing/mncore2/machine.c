/* machine: MN-Core 2 as the commands see it (timing/machine.h). */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "config/embed.h"
#include "functional/directive.h"
#include "functional/mncore2/vocabulary.h"
#include "host/number.h"
#include "timing/machines.h"
#include "timing/mncore2/again.h"
#include "timing/mncore2/check.h"
#include "timing/mncore2/finding.h"
#include "timing/mncore2/moves.h"
#include "timing/mncore2/rename.h"
#include "timing/mncore2/run.h"

EMBED(mncore2_config, "config/mncore2/mncore2.yaml");
EMBED(mncore2_probes, "timing/mncore2/probes.txt");

/* --- programs --------------------------------------------------------------------------------- */

static int load(struct machine_program **program, const struct source *sources, size_t count,
                struct diag_list *diags)
{
    *program = calloc(1, sizeof **program);
    if (!*program)
        return -1;
    (*program)->machine = &machine_mncore2;
    const int status = mncore2_program_parse(&(*program)->program, sources, count, diags);
    const int directives = status < 0 ? 0 : directives_check(sources, count, diags);
    return status < 0 || directives < 0 ? -1 : status | directives;
}

static void unload(struct machine_program *program)
{
    if (!program)
        return;
    mncore2_program_free(&program->program);
    free(program);
}

/* Nops that are for hazards alone; those that wait stay. */
static void drops(const struct machine_program *machine_program,
                  const struct machine_setting *settings,
                  void (*line)(void *context, uint32_t file, uint32_t line), void *context)
{
    const struct program *program = &machine_program->program;
    for (size_t i = 0; machine_setting(settings, "drop-nops") && i < program->item_count; i++) {
        const struct stmt *stmt = &program->stmts[program->items[i].stmt];
        if (stmt->kind == STMT_STEP && stmt->step->nops && !stmt->step->wait)
            line(context, mncore2_program_source(program, i), program->items[i].line);
    }
}

static int print(const struct machine_program *program, const struct machine_setting *settings,
                 FILE *out)
{
    enum packing chosen;
    if (mncore2_packing_choose(&program->program, machine_setting(settings, "packing"), &chosen) !=
        0)
        return 1;
    return mncore2_stream_print(&program->program, chosen,
                                machine_setting(settings, "packed") != NULL, out);
}

/* --- options and memories --------------------------------------------------------------------- */

static int accept(const struct run_options *options, char error[MACHINE_ERROR])
{
    if (!machine_setting(options->settings, "dar") || options->timing_only)
        return 0;
    snprintf(error, MACHINE_ERROR, "--dar is for --timing-only; a run with values has its own DAR");
    return 1;
}

static struct exec *exec_of(const struct machine_run *run)
{
    return ((const struct mncore2_run *)run->own)->exec;
}

static int move_file(struct machine_run *run, bool save, const char *spec, const char *path,
                     char error[MACHINE_ERROR])
{
    const bool big = run->options.word_order_big;
    return save ? mncore2_exec_save(exec_of(run), spec, path, big, error, MACHINE_ERROR)
                : mncore2_exec_load(exec_of(run), spec, path, big, error, MACHINE_ERROR);
}

static int put(struct machine_run *run, const char *spec, const uint64_t *words, size_t count,
               char error[MACHINE_ERROR])
{
    return mncore2_exec_put(exec_of(run), spec, words, count, error, MACHINE_ERROR);
}

static int get(const struct machine_run *run, const char *spec, uint64_t *words, size_t count,
               char error[MACHINE_ERROR])
{
    return mncore2_exec_get(exec_of(run), spec, words, count, error, MACHINE_ERROR);
}

/* --- run -------------------------------------------------------------------------------------- */

static enum run_status execute(struct machine_run *shared, uint64_t budget,
                               char error[MACHINE_ERROR])
{
    struct mncore2_run *run = shared->own;
    (void)error;
    for (; budget && run->executed < run->program->item_count; budget--, run->executed++) {
        const int status = mncore2_exec_item(run->exec, run->program, run->executed, shared->diags);
        if (status != 0)
            return status > 0 ? RUN_FAULT : RUN_FAILED;
    }
    return run->executed < run->program->item_count ? RUN_MORE : RUN_DONE;
}

static void progress(const struct machine_run *shared, struct run_progress *progress)
{
    const struct mncore2_run *run = shared->own;
    progress->items_done = run->lane ? run->lane->next_item : run->executed;
    progress->items_total = run->program->item_count;
    if (run->lane)
        progress->cycles = run->lane->now;
}

static uint64_t hash(const struct machine_run *run)
{
    return mncore2_exec_hash(exec_of(run));
}

/* --- check ------------------------------------------------------------------------------------ */

static int take_warning(void *context, const struct sink_warning *warning)
{
    (void)context;
    (void)warning;
    return 0;
}

static const struct sink_ops check_ops = {.name = "check", .warning = take_warning};

/* The program without values, and what could go from it. *run is NULL where its time depends on
 * them. */
static int open_check(struct machine_run **run, const struct machine_program *program,
                      const struct config *config, const struct machine_setting *settings)
{
    char error[MACHINE_ERROR];
    struct diag_list unused;
    const struct machine_setting *packing = settings;
    while (packing->name && strcmp(packing->name, "packing") != 0)
        packing++;
    const struct machine_setting own[] = {*packing, {NULL, NULL}};
    const struct run_options options = {.timing_only = true, .settings = own};
    const struct sink sink = {&check_ops, NULL};
    diag_list_init(&unused);
    const struct run_setup setup = {program, config, &options, &sink};
    int status = run_open(run, &machine_mncore2, &setup, &unused, error);
    if (status == 0)
        status = run_whole(*run, &unused, error);
    diag_list_free(&unused);
    return status < 0 ? -1 : 0;
}

static struct diag note_at(const struct program *program, size_t item, uint64_t steps,
                           const struct diag_list *notes)
{
    struct diag at = mncore2_finding_place(program, item, NULL, notes);
    at.severity = DIAG_NOTE;
    at.rule = "3.6.3";
    at.name = "removable";
    at.spare_steps = steps;
    return at;
}

static void note_row(const struct program *program, const struct removable *row, bool untimed,
                     struct diag_list *notes)
{
    const struct diag at = note_at(program, row->item, row->steps, notes);
    diag_add(notes, &at, "%llu of %llu nop steps could go: no rule requires them%s\n%s",
             (unsigned long long)row->steps, (unsigned long long)row->written,
             untimed ? "; that the total is no longer then was not tried" : "",
             row->steps == row->written ? "remove the run" : "shorten the run");
}

static void note_total(const struct mncore2_run *run, struct diag_list *notes)
{
    const uint64_t steps = run->counters[COUNTER_REMOVABLE_STEPS];
    const uint64_t saved = run->counters[COUNTER_REMOVABLE_CYCLES];
    char cycles[64];
    struct diag at = note_at(run->program, run->removable.rows[0].item, steps, notes);
    at.spare_cycles = saved;
    at.spare_timed = true;
    diag_add(notes, &at, "in all %llu nop step%s could go: %s", (unsigned long long)steps,
             steps == 1 ? "" : "s", mncore2_removable_cycles(run, cycles, sizeof cycles));
}

/* Notes of what could go. The user wants them: of all that is silenced only their own name
 * counts. */
static int note_removable(const struct machine_program *program, const struct config *config,
                          const struct machine_setting *settings, struct diag_list *diags)
{
    for (const char *const *name = diags->silenced; name && *name; name++)
        if (strcmp(*name, "removable") == 0)
            return 0;
    struct diag_list notes; /* warnings do not take their room */
    struct removable_list without = {NULL, 0, 0, false};
    struct machine_run *shared;
    diag_list_init(&notes);
    int status = open_check(&shared, program, config, settings);
    const struct mncore2_run *run = shared ? shared->own : NULL;
    if (status == 0 && !run)
        status = mncore2_removable_find(&program->program, config, false, NULL, &without);
    const struct removable_list *list = run ? &run->removable : &without;
    if (status == 0 && run && list->count)
        note_total(run, &notes);
    for (size_t i = 0; status == 0 && i < list->count; i++)
        note_row(&program->program, &list->rows[i], !run || list->untimed, &notes);
    diag_join(diags, &notes);
    free(without.rows);
    run_close(shared);
    return status;
}

static int check(const struct machine_program *program, const struct config *config,
                 const struct machine_setting *settings, struct diag_list *diags)
{
    if (mncore2_stalls(settings))
        return 0;
    const char *packing = machine_setting(settings, "packing");
    const int status = mncore2_check(&program->program, config, packing, diags);
    if (status != 0 || diags->errors || !machine_setting(settings, "removable"))
        return status;
    return note_removable(program, config, settings, diags);
}

static int needs(const struct machine_run *shared, uint32_t stmt, struct machine_needs *found)
{
    const struct mncore2_run *run = shared->own;
    return mncore2_removable_needs(run->program, run->config, run->options.documented,
                                   &run->arrivals, stmt, found);
}

static int all_needs(const struct machine_run *shared, machine_needs_found *found, void *self)
{
    const struct mncore2_run *run = shared->own;
    return mncore2_removable_all_needs(run->program, run->config, &run->arrivals,
                                       run->options.documented, found, self);
}

static uint64_t early(const struct machine_run *shared)
{
    return ((const struct mncore2_run *)shared->own)->arrivals.early_cycles;
}

static int valid(const struct config *config, char error[MACHINE_ERROR])
{
    return mncore2_model_check(config, error, MACHINE_ERROR);
}

/* In the order of docs/diagnostics.md. */
static const char *const warnings[] = {"host-line",
                                       "ambiguous-l2bm",
                                       "immediate-overflow",
                                       "address-wraps",
                                       "short-reduce",
                                       "reduce-long",
                                       "unaligned-dars",
                                       "unaligned-dram",
                                       "never-written",
                                       "never-forwarded",
                                       "stale-forward",
                                       "turn-back-kind",
                                       "dead-write",
                                       "mv-race",
                                       "tag-never-waited",
                                       "mv-together",
                                       "tag-reused",
                                       "wait-without-mv",
                                       "dar-in-flight",
                                       "variable-mask",
                                       "early",
                                       "removable",
                                       NULL};

static const char *const about_values[] = {"never-written", "never-forwarded", "dead-write", NULL};

static const char *const packings[] = {"none", "auto", "flat", NULL};
static const char *const packed_forms[] = {"auto", "flat", NULL};
static const struct machine_option options[] = {
    {.commands = "run advise schedule legalize why value expect report",
     .name = "packing",
     .argument = "MODE",
     .words = packings,
     .help = "none, auto or flat (default: flat if the program needs it,\nelse auto)"},
    {.commands = "run why value expect report",
     .name = "interlock",
     .help = "stall until legal instead of refusing a hazard"},
    {.commands = "run",
     .name = "poison",
     .help = "until a transfer ends, its destination reads as other\n"
             "values, and what changes its source spoils its result"},
    {.commands = "run",
     .name = "dar",
     .argument = "FILE",
     .file = MACHINE_READS,
     .help = "DAR contents for --timing-only, which $di needs: lines of\nGROUP ENTRY ADDRESS"},
    {.commands = "whatif",
     .name = "packing",
     .argument = "MODE",
     .words = packings,
     .changes = true,
     .help = "in this packing: none, auto or flat"},
    {.commands = "whatif",
     .name = "drop-nops",
     .changes = true,
     .help = "without the nops that the program writes, but for those\n"
             "that wait; a hazard stalls, as with --interlock, and an\n"
             "access waits until a transfer that it meets has ended"},
    {.commands = "whatif",
     .name = "interlock",
     .help = "stall until legal, before and after the change"},
    {.commands = "check",
     .name = "packing",
     .argument = "MODE",
     .words = packings,
     .help = "none, auto or flat (default: flat if the program needs it,\n"
             "else auto): auto has no place for flat operands; hazards\n"
             "are those of the stream as written, whatever the packing"},
    {.commands = "check",
     .name = "removable",
     .help = "also note the steps of written nops that no hazard\n"
             "requires; notes have the name removable and never change\nthe exit code"},
    {.commands = "print",
     .name = "packed",
     .help = "the packed stream with the nops and mvnops that packing\ninserts"},
    {.commands = "print",
     .name = "packing",
     .argument = "MODE",
     .words = packed_forms,
     .with = "packed",
     .help = "auto or flat, with --packed (default: flat if the program\nneeds it)"},
    {.name = NULL},
};

static const struct machine_speed speeds[] = {
#define SPEED(unit, param, rate) {unit, #param, rate},
#include "timing/mncore2/speed.def"
    {.unit = NULL},
};

/* 1.1, 1.5; l2bmd has 64 long words a cycle for 8 L1B (3.6.7.4), l1bmd one for each PE
 * (3.6.8.20). */
static const struct machine_level levels[] = {
    {"group", GROUPS, PDM_LONGS, 0},     {"L2B", L2B_PER_GROUP, L2BM_LONGS, 0},
    {"L1B", L1B_PER_L2B, L1BM_LONGS, 8}, {"MAB", MAB_PER_L1B, 0, 0},
    {"PE", PE_PER_MAB, LM_WORDS, 1},     {.name = NULL},
};

static const struct machine_language language_table = {
    .extensions = ".vsm",
    .load = load,
    .unload = unload,
    .check = check,
    .print = print,
    .warnings = warnings,
    .about_values = about_values,
    .options = options,
    .accept = accept,
    .once = true,
    .vocabulary = &mncore2_vocabulary,
};

static const struct machine_values values_table = {
    .executes = true,
    .open = mncore2_run_open,
    .close = mncore2_run_close,
    .execute = execute,
    .progress = progress,
    .hash = hash,
    .spec = mncore2_exec_spec,
    .move = move_file,
    .put = put,
    .get = get,
    .places = "p@G:ADDR (PDM), d@G:ADDR (DRAM),\n"
              "c@G.L2B:ADDR (L2BM), b@G.L2B.L1B:ADDR (L1BM)",
    .history = mncore2_history,
    .history_places = "as d get has it, $lm0n0c0b0m0p0: m n r s t lb lc p d, one\n"
                      "group, L2B, L1B, MAB and PE; or as --load has it, p@0:16",
    .levels = levels,
    .step_words = CYCLES,
    .step_cycles = CYCLES,
};

static const struct machine_timing timing_table = {
    .params = mncore2_params,
    .param_count = PARAM_MNCORE2_COUNT,
    .config_text = mncore2_config,
    .config_end = mncore2_config_end,
    .config_name = "config/mncore2/mncore2.yaml",
    .valid = valid,
    .reasons = mncore2_reasons,
    .reason_count = REASONS_MNCORE2,
    .passed = UINT64_C(1) << REASON_NOP | UINT64_C(1) << REASON_PACKING,
    .counters = mncore2_counters,
    .counter_count = COUNTERS_MNCORE2,
    .describe = mncore2_describe,
    .model_size = sizeof(struct lane),
    .model_init = mncore2_lane_open,
    .model_free = mncore2_lane_free,
    .memory = mncore2_lane_memory,
    .probes = mncore2_probes,
    .probes_end = mncore2_probes_end,
    .total = mncore2_lane_total,
    .settle = mncore2_settle,
    .quantum = CYCLES,
    .early = early,
    .delayed = mncore2_again_delayed,
};

static int find_moves(const struct run_setup *setup, struct moves *moves, char error[MACHINE_ERROR])
{
    return mncore2_moves(setup->program, setup->config, setup->options->settings, moves, error);
}

static const struct machine_advice advice_table = {
    .graph = mncore2_graph,
    .moves = find_moves,
    .rename = mncore2_rename,
    .tags = true,
    .overlaps = true,
    .advise = mncore2_advise,
    .drops = drops,
    .speeds = speeds,
    .needs = needs,
    .all_needs = all_needs,
};

static const struct term terms[] = {
#define TERM(kind, word, phrase, text, example) {kind, word, phrase, text, example},
#include "timing/mncore2/term.def"
    {.word = NULL},
};

const struct machine machine_mncore2 = {
    .name = "mncore2",
    .title = "PFN MN-Core 2",
    .language = &language_table,
    .values = &values_table,
    .timing = &timing_table,
    .advice = &advice_table,
    .terms = terms,
};
