/* machine: the tables of Ventus (timing/machine.h). */

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "config/embed.h"
#include "functional/riscv/elf.h"
#include "functional/ventus/illegal.h"
#include "functional/ventus/log.h"
#include "functional/ventus/vocabulary.h"
#include "host/file.h"
#include "timing/machines.h"
#include "timing/ventus/model.h"

EMBED(ventus_config, "config/ventus/ventus.yaml");

/* The values are those of the timed run, which steps the warps; without time they run alone. */
struct values {
    struct ventus_run run; /* first */
    struct ventus_check *check;
    bool unrecorded;    /* the sink did not take a warning */
    struct replace log; /* --log */
};

static const struct param_row params[VENTUS_PARAMS] = {
#define PARAM(name, type, sentence) {#name, PARAM_##type, sentence},
#include "timing/ventus/param.def"
};

/* --- programs --------------------------------------------------------------------------------- */

static int ventus_load(struct machine_program **out, const struct source *sources, size_t count,
                       struct diag_list *diags)
{
    *out = calloc(1, sizeof **out);
    if (!*out)
        return -1;
    int status = ventus_program_load(&(*out)->program, sources, count, diags);
    if (status == 0)
        status = ventus_find_groups(&(*out)->program);
    diag_sort(diags);
    return status;
}

static void ventus_unload(struct machine_program *program)
{
    if (!program)
        return;
    ventus_program_free(&program->program);
    free(program);
}

static int ventus_valid(const struct config *config, char error[MACHINE_ERROR])
{
    static const uint8_t lines[] = {VENTUS_PARAM_l1i_line, VENTUS_PARAM_l1d_line,
                                    VENTUS_PARAM_l2_line};
    for (size_t i = 0; i < sizeof lines; i++) {
        const uint64_t line = config_integer(config, lines[i], false);
        if (line < 4 || (line & (line - 1))) {
            snprintf(error, MACHINE_ERROR, "%s is a power of two of at least 4",
                     params[lines[i]].name);
            return 1;
        }
    }
    return 0;
}

/* Vector registers that a program names, in steps of four. */
static uint32_t registers_used(const struct ventus_launch *launch)
{
    uint32_t used = 0;
    for (size_t i = 0; i < launch->op_count; i++) {
        const struct ventus_prefix none = {.set = false};
        const struct ventus_prefix prefix = i ? ventus_prefix_of(&launch->ops[i - 1]) : none;
        struct ventus_work_storage storage;
        struct work work;
        ventus_work(&launch->ops[i], &prefix, &storage, &work);
        for (size_t k = 0; k < work.read_count + work.write_count; k++) {
            const struct span *span =
                k < work.read_count ? &work.reads[k] : &work.writes[k - work.read_count];
            if (span->space == VENTUS_SPACE_V && span->first + span->count > used)
                used = (uint32_t)(span->first + span->count);
        }
    }
    return (used + 3) / 4 * 4;
}

/* Where local memory is a memory of the SM, nothing comes there from a buffer. */
static int check_buffers(const struct machine_program *program, const struct config *config,
                         struct diag_list *diags)
{
    int status = 0;
    const struct riscv_image *image = &program->program.image;
    const bool shared = !strcmp(config_text(config, VENTUS_PARAM_local_path, false), "shared");
    for (size_t i = 0; i < image->segment_count && shared; i++) {
        const struct riscv_segment *s = &image->segments[i];
        const struct diag at = {
            .severity = DIAG_ERROR, .file = s->file, .line = s->line, .column = 1, .length = 1};
        if (!s->apart || s->address - VENTUS_LOCAL_BASE >= VENTUS_LOCAL_SIZE)
            continue;
        diag_add(diags, &at,
                 "a buffer at 0x%08x, in an SM's local memory, which no host fills"
                 "\ngive it another address, or none",
                 s->address);
        status = 1;
    }
    return status;
}

/* A word that is not an instruction may be data: an error only if it is executed. */
static int ventus_check(const struct machine_program *program, const struct config *config,
                        const struct machine_setting *settings, struct diag_list *diags)
{
    (void)settings;
    if (!program->program.launch_count) /* load has found errors */
        return 0;
    const struct ventus_launch *launch = ventus_program_launch(&program->program);
    const uint64_t times =
        config_integer(config, VENTUS_PARAM_warp_registers, false) ? launch->warps : 1;
    enum { VECTORS = 2 };
    const struct {
        const char *what;
        uint64_t taken, most;
    } limits[] = {
        {"warps", launch->warps, config_integer(config, VENTUS_PARAM_sm_warps, false)},
        {"scalar registers", times * launch->sgprs,
         config_integer(config, VENTUS_PARAM_sgprs, false)},
        {"vector registers", times * launch->vgprs,
         config_integer(config, VENTUS_PARAM_vgprs, false)},
        {"bytes of local memory", launch->local, VENTUS_LOCAL_SIZE},
    };
    const struct diag at = {.severity = DIAG_ERROR, .line = 1, .column = 1, .length = 1};
    int status = 0;
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        if (limits[i].taken > limits[i].most) {
            const uint32_t used = registers_used(launch);
            char fix[64] = "";
            if (i == VECTORS && times * used <= limits[i].most)
                snprintf(fix, sizeof fix, "\ngive .launch vgprs %u, as many as the program uses",
                         used);
            diag_add(diags, &at,
                     "a workgroup of %llu %s does not fit into an SM, which holds %llu%s",
                     (unsigned long long)limits[i].taken, limits[i].what,
                     (unsigned long long)limits[i].most, fix);
            status = 1;
        }
    if (check_buffers(program, config, diags) != 0)
        status = 1;
    return status ? status : ventus_illegal(&program->program, diags);
}

static int ventus_print(const struct machine_program *program,
                        const struct machine_setting *settings, FILE *out)
{
    (void)settings;
    return ventus_program_print(&program->program, out);
}

/* --- options ---------------------------------------------------------------------------------- */

static int ventus_accept(const struct run_options *options, char error[MACHINE_ERROR])
{
    if (options->init && strcmp(options->init, "zero") != 0) {
        snprintf(error, MACHINE_ERROR, "memory that a launch does not fill is zero: --init zero");
        return 1;
    }
    return !machine_limit(options->settings, error);
}

static struct place_owner owner(const struct machine_run *run)
{
    return ventus_run_places(run ? &((struct values *)run->own)->run : NULL);
}

/* --- the log ---------------------------------------------------------------------------------- */

/* Of the launch once more, in the simulator's order. Where that takes far longer than the run did,
 * workgroups wait for others that have not begun in it. */
static int write_log(const struct values *values, bool fault, char error[MACHINE_ERROR])
{
    char sentence[VENTUS_ERROR];
    const struct ventus_exec *exec = &values->run.exec;
    const uint64_t far = 4 * exec->steps + 1000;
    const uint64_t most = exec->most && exec->most < far ? exec->most : far;
    const int status = ventus_log(values->log.file, &values->run, most, sentence);
    if (status > 0 && !fault)
        snprintf(error, MACHINE_ERROR,
                 "--log, one workgroup after the other: %.300s; does one wait for a later one?",
                 sentence);
    return status > 0 && fault ? 0 : status;
}

static int end_log(struct machine_run *run, enum run_status ended, char error[MACHINE_ERROR])
{
    struct values *values = run->own;
    const bool keep = ended != RUN_FAILED;
    const int status = keep && values->log.file ? write_log(values, ended == RUN_FAULT, error) : 0;
    char unsaid[MACHINE_ERROR];
    const int closed =
        replace_close(&values->log, keep && status >= 0, status ? unsaid : error, MACHINE_ERROR);
    return status ? status : closed;
}

/* --- findings --------------------------------------------------------------------------------- */

static void warn(void *context, const struct ventus_finding *finding)
{
    struct machine_run *run = context;
    struct values *values = run->own;
    const struct ventus_launch *launch = ventus_program_launch(&run->program->program);
    const uint32_t index = (finding->pc - launch->code) / 4;
    const struct sink_warning warning = {.stmt = run->model && index < launch->op_count ? index
                                                                                        : NONE_ID,
                                         .name = ventus_names[finding->name],
                                         .sentence = finding->sentence};
    ventus_report_finding(run, DIAG_WARNING, finding->pc, warning.name, warning.sentence);
    if (run->sink->ops->warning && run->sink->ops->warning(run->sink->context, &warning) != 0)
        values->unrecorded = true;
}

/* --- runs ------------------------------------------------------------------------------------- */

static int ventus_open(struct machine_run *run, char error[MACHINE_ERROR])
{
    struct values *values = run->own = calloc(1, sizeof *values);
    /* Of the run itself, not of the runs that a proof makes. */
    const char *log =
        run->options.total_only ? NULL : machine_setting(run->options.settings, "log");
    if (!values || !(values->check = ventus_check_new(warn, run)))
        return -1;
    int status = ventus_run_new(&values->run, &run->program->program, error);
    if (status == 0 && log)
        status = replace_open(&values->log, log, error, MACHINE_ERROR);
    if (status != 0)
        return status;
    values->run.exec.most = machine_limit(run->options.settings, error);
    values->run.exec.check = values->check;
    ventus_run_gets(&values->run, run->options.dump);
    return 0;
}

static void ventus_close(struct machine_run *run)
{
    struct values *values = run->own;
    char unsaid[MACHINE_ERROR];
    if (!values)
        return;
    replace_close(&values->log, false, unsaid, sizeof unsaid);
    ventus_run_free(&values->run);
    ventus_check_free(values->check);
    free(values);
}

/* A run for other answers than its time. */
static int open_quiet(const struct run_setup *setup, struct machine_run **run,
                      struct diag_list *diags, char error[MACHINE_ERROR])
{
    static const struct sink_ops none = {.name = "none"};
    static const struct sink sink = {&none, NULL};
    struct run_options options = *setup->options;
    const struct run_setup quiet = {setup->program, setup->config, &options, &sink};
    options.dump = NULL;
    options.saves = NULL;
    options.events = NULL;
    options.functional_only = false;
    options.total_only = true;
    diag_list_init(diags);
    return run_open(run, &machine_ventus, &quiet, diags, error);
}

static int ventus_graph(const struct run_setup *setup, struct graph *graph,
                        char error[MACHINE_ERROR])
{
    enum { SLICE = 4096 };
    struct machine_run *run;
    struct diag_list diags;
    int status = open_quiet(setup, &run, &diags, error);
    if (status == 0) {
        enum run_status advanced = RUN_MORE;
        struct ventus_builder *b = ventus_graph_new((struct ventus_model *)run->model, graph);
        while (b && advanced == RUN_MORE && graph->status == 0)
            advanced = run_advance(run, SLICE, &diags, error);
        if (advanced == RUN_FAULT && !*error)
            snprintf(error, MACHINE_ERROR, "the program has errors: takt run lists them");
        status = !b || advanced == RUN_FAILED ? -1
                 : advanced == RUN_FAULT      ? 1
                                              : ventus_graph_end(b, error);
        ventus_graph_free(b);
    }
    run_close(run);
    diag_list_free(&diags);
    return status;
}

static int find_moves(const struct run_setup *setup, struct moves *moves, char error[MACHINE_ERROR])
{
    struct machine_run *run;
    struct diag_list diags;
    const bool for_bound = moves->free_waits; /* no order of these blocks proves anything */
    *moves = (struct moves){.blocks = NULL};
    if (for_bound)
        return 0;
    int status = open_quiet(setup, &run, &diags, error);
    if (status == 0)
        status = ventus_moves(run->own, (struct ventus_model *)run->model, moves, error);
    run_close(run);
    diag_list_free(&diags);
    return status;
}

static enum run_status ventus_execute(struct machine_run *run, uint64_t budget,
                                      char error[MACHINE_ERROR])
{
    const struct values *values = run->own;
    const int more = ventus_run_advance(run->own, budget, error);
    if (more < 0) {
        ventus_report_fault(run, error);
        error[0] = '\0';
    }
    return values->unrecorded ? RUN_FAILED : more < 0 ? RUN_FAULT : more ? RUN_MORE : RUN_DONE;
}

static int ventus_ended(struct machine_run *run, enum run_status status, char error[MACHINE_ERROR])
{
    struct values *values = run->own;
    if (status == RUN_DONE)
        ventus_run_end_gets(&values->run, run->options.dump);
    const int closed = end_log(run, status, error);
    return (run->options.dump && ferror(run->options.dump)) || values->unrecorded ? -1 : closed;
}

static void ventus_progress(const struct machine_run *run, struct run_progress *progress)
{
    if (!run->model)
        progress->items_done = ((const struct ventus_run *)run->own)->steps;
}

static uint64_t ventus_hash(const struct machine_run *run)
{
    return ventus_run_hash(run->own);
}

static const struct machine_option options[] = {
    {.commands = "run why expect report",
     .name = "max-instructions",
     .argument = "N",
     .help = "a launch whose warps have not ended after N instructions\n"
             "is an error (1000000000)"},
    {.commands = "run",
     .name = "log",
     .argument = "FILE",
     .file = MACHINE_WRITES,
     .help = "write each warp's instructions and what they wrote, as\n"
             "the public functional simulator lists them, one\n"
             "workgroup after the other"},
    {.name = NULL},
};

static const struct machine_speed speeds[] = {
#define SPEED(unit, param, rate) {unit, #param, rate},
#include "timing/ventus/speed.def"
    {.unit = NULL},
};

/* The launch file is in the folder of the ELF file. */
static unsigned recognise(const char *path, const unsigned char *head)
{
    return riscv_is_elf32(head) && ventus_elf_described(path) ? 2 : 0;
}

static const struct riscv_image *image(const struct machine_program *program)
{
    return &program->program.image;
}

static const struct machine_language language_table = {
    .extensions = ".metadata .ventus .yaml",
    .recognise = recognise,
    .load = ventus_load,
    .unload = ventus_unload,
    .check = ventus_check,
    .print = ventus_print,
    .warnings = ventus_names,
    .traps = "illegal",
    .options = options,
    .accept = ventus_accept,
    .image = image,
    .vocabulary = &ventus_vocabulary,
};

static const struct machine_values values_table = {
    .executes = true,
    .by_values = true,
    .open = ventus_open,
    .close = ventus_close,
    .execute = ventus_execute,
    .progress = ventus_progress,
    .hash = ventus_hash,
    .owner = owner,
    .places = "m:ADDR (memory, in 64-bit words) or m:SYMBOL",
    .history = ventus_history,
    .history_places = "x@WARP:N, v@WARP:N.LANE with +COUNT lanes or without\n"
                      "(registers; warps in the order of workgroups),\n"
                      "m:ADDR or m:SYMBOL with +COUNT 64-bit words or without",
    .ended = ventus_ended,
};

static const struct machine_timing timing_table = {
    .params = params,
    .param_count = VENTUS_PARAMS,
    .config_text = ventus_config,
    .config_end = ventus_config_end,
    .config_name = "config/ventus/ventus.yaml",
    .valid = ventus_valid,
    .reasons = ventus_reasons,
    .reason_count = VENTUS_REASONS,
    .counters = ventus_counters,
    .counter_count = VENTUS_COUNTERS,
    .describe = ventus_report_describe,
    .model_size = sizeof(struct ventus_model),
    .model_init = ventus_model_init,
    .model_free = ventus_model_free,
    .settle = ventus_settle,
    .quantum = 1,
};

static const struct machine_advice advice_table = {
    .graph = ventus_graph,
    .moves = find_moves,
    .speeds = speeds,
};

static const struct term terms[] = {
#define TERM(kind, word, phrase, text, example) {kind, word, phrase, text, example},
#include "timing/ventus/term.def"
    {.word = NULL},
};

const struct machine machine_ventus = {
    .name = "ventus",
    .title = "Ventus GPGPU",
    .language = &language_table,
    .values = &values_table,
    .timing = &timing_table,
    .advice = &advice_table,
    .terms = terms,
};
