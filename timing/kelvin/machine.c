/* machine: Kelvin behind the commands (timing/machine.h). */
#include "timing/machine.h"

#include <stdlib.h>
#include <string.h>

#include "config/embed.h"
#include "functional/riscv/elf.h"
#include "host/grow.h"
#include "timing/kelvin/model.h"

EMBED(kelvin_config, "config/kelvin/kelvin.yaml");

enum { CHUNK = 4096, KEPT = 1 << 16 }; /* steps that are executed at a time, or kept */

struct values {
    struct kelvin_exec *exec;
    struct kelvin_exec *start; /* the state at the begin, for another timing */
    uint64_t most;             /* instructions */
    struct kelvin_step *kept;  /* all of them, if kept_all: those of the first model */
    size_t kept_count, kept_capacity;
    bool kept_all;
};

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

/* The sizes of caches make whole sets. */
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
        snprintf(error, MACHINE_ERROR, "l0_bytes is no multiple of line_bytes");
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
    return ((const struct values *)run->own)->exec;
}

static struct place_owner owner(const struct machine_run *run)
{
    return kelvin_exec_places(run ? exec_of(run) : NULL);
}

static int open_run(struct machine_run *run, char error[MACHINE_ERROR])
{
    const struct kelvin_exec_options options = {
        .dump = run->options.dump, .reference = run->options.reference, .init = run->init};
    struct values *values = run->own = calloc(1, sizeof *values);
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
    struct values *values = run->own;
    if (!values)
        return;
    kelvin_exec_free(values->exec);
    kelvin_exec_free(values->start);
    free(values->kept);
    free(values);
}

static int graph_of(const struct run_setup *setup, struct graph *graph, char error[MACHINE_ERROR])
{
    static const struct sink_ops none = {.name = "none"};
    const struct sink sink = {&none, NULL};
    struct run_options options = *setup->options;
    const struct run_setup quiet = {setup->program, setup->config, &options, &sink};
    struct machine_run *run;
    options.dump = NULL;
    options.functional_only = false;
    int status = run_open(&run, &machine_kelvin, &quiet, NULL, error);
    if (status == 0) {
        struct values *values = run->own;
        status = kelvin_graph(values->exec, (struct kelvin_model *)run->model, values->most, graph,
                              error);
    }
    run_close(run);
    return status;
}

/* What an execution has come to: 1 with a sentence when the program is at fault. */
static int judge(const struct machine_run *run, char error[MACHINE_ERROR])
{
    const struct values *values = run->own;
    const struct kelvin_program *program = &run->program->program;
    const enum kelvin_end end = kelvin_exec_end(values->exec);
    if (end == KELVIN_RUNS && kelvin_exec_done(values->exec) >= values->most) {
        snprintf(error, MACHINE_ERROR,
                 "the program has not ended after %llu instructions (--max-instructions)",
                 (unsigned long long)values->most);
        return 1;
    }
    if (end == KELVIN_RUNS || end == KELVIN_ENDED)
        return kelvin_exec_failed(values->exec) ? -1 : 0;
    const uint32_t stmt = kelvin_exec_stmt(values->exec);
    if (program->elf || stmt == RISCV_NO_STMT) {
        snprintf(error, MACHINE_ERROR, "%s", kelvin_exec_sentence(values->exec));
        return 1;
    }
    const struct riscv_stmt *at = &program->image.stmts[stmt];
    const struct diag where = {.severity = DIAG_ERROR,
                               .file = at->file,
                               .line = at->line,
                               .column = at->column,
                               .length = at->length,
                               .missing_steps = -1,
                               .missing_cycles = -1};
    diag_add(run->diags, &where, "%s%s", kelvin_exec_sentence(values->exec),
             end == KELVIN_BROKE_OFF ? "\nend a program that passes with mpause" : "");
    return 1;
}

static uint64_t room(const struct values *values, uint64_t budget)
{
    const uint64_t left = values->most - kelvin_exec_done(values->exec);
    return left < budget ? left : budget;
}

static enum run_status execute(struct machine_run *run, uint64_t budget, char error[MACHINE_ERROR])
{
    const struct values *values = run->own;
    kelvin_exec_advance(values->exec, room(values, budget), NULL);
    const int status = judge(run, error);
    return status != 0                                    ? status > 0 ? RUN_FAULT : RUN_FAILED
           : kelvin_exec_end(values->exec) == KELVIN_RUNS ? RUN_MORE
                                                          : RUN_DONE;
}

/* What the first model has been fed, for others: a program of few instructions is executed once. */
static void keep_steps(struct values *values, const struct kelvin_model *m)
{
    const size_t count = values->kept_count + m->step_count;
    struct kelvin_step *kept =
        values->kept_count == m->fed && count <= KEPT
            ? grow(values->kept, &values->kept_capacity, count + 1, sizeof *kept)
            : NULL;
    if (!kept)
        return;
    values->kept = kept;
    memcpy(kept + values->kept_count, m->steps, m->step_count * sizeof *kept);
    values->kept_count = count;
    values->kept_all = m->all && m->base.status == 0;
}

/* The run's first model executes the values of the run, others a copy. */
void kelvin_feed(struct kelvin_model *m)
{
    struct values *values = m->base.run->own;
    m->step = m->step_count = 0;
    if (!m->steps && !m->base.sink && values->kept_all) {
        m->steps = values->kept;
        m->step_count = values->kept_count;
        m->borrowed = m->all = true;
        return;
    }
    if (!m->steps) {
        m->steps = malloc(CHUNK * sizeof *m->steps);
        if (m->base.sink)
            values->start = kelvin_exec_copy(values->exec);
        else
            m->copy = kelvin_exec_copy(values->start);
        if (!m->steps || !(m->base.sink ? values->start : m->copy))
            m->base.status = -1;
    }
    struct kelvin_exec *exec = m->copy ? m->copy : values->exec;
    if (m->base.status == 0)
        kelvin_exec_time(exec);
    if (m->base.status == 0)
        m->step_count = (size_t)kelvin_exec_advance(exec, room(values, CHUNK), m->steps);
    if (m->base.status == 0 && !m->copy)
        m->base.status = judge(m->base.run, m->base.error);
    m->all = m->base.status != 0 || kelvin_exec_end(exec) != KELVIN_RUNS;
    if (m->base.status == 0 && !m->step_count && kelvin_exec_asks(exec) != RISCV_NO_STMT) {
        m->steps[0] = (struct kelvin_step){.stmt = kelvin_exec_asks(exec)};
        m->step_count = 1;
        m->asks = true;
    } else if (m->base.sink) { /* with other cycles the program may go another way */
        keep_steps(values, m);
    }
    m->fed += m->step_count;
}

/* The step that asks for its cycle is executed when that is known. */
void kelvin_tell(struct kelvin_model *m, uint64_t cycle)
{
    struct values *values = m->base.run->own;
    struct kelvin_exec *exec = m->copy ? m->copy : values->exec;
    m->asks = false;
    kelvin_exec_tell(exec, cycle);
    kelvin_exec_advance(exec, 1, &m->steps[m->step]);
    if (!m->copy)
        m->base.status = judge(m->base.run, m->base.error);
    m->all = m->base.status != 0 || kelvin_exec_end(exec) != KELVIN_RUNS;
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
    {.commands = "run why expect",
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

const struct machine machine_kelvin = {
    .name = "kelvin",
    .title = "Kelvin",
    .extensions = ".kelvin .s",
    .params = kelvin_params,
    .param_count = KELVIN_PARAMS,
    .warnings = warnings,
    .traps = "illegal",
    .config_text = kelvin_config,
    .config_end = kelvin_config_end,
    .config_name = "config/kelvin/kelvin.yaml",
    .options = options,
    .speeds = speeds,
    .regions = true,
    .places = "m:ADDR (memory, 64-bit words) or m:SYMBOL,\n"
              "x@N, v@N or v@N:WORD (registers)",
    .recognise = recognise,
    .load = load,
    .unload = unload,
    .valid = valid,
    .accept = accept,
    .check = check,
    .print = print,
    .graph = graph_of,
    .reasons = kelvin_reasons,
    .reason_count = KELVIN_REASONS,
    .counters = kelvin_counters,
    .counter_count = KELVIN_COUNTERS,
    .executes = true,
    .by_values = true,
    .open = open_run,
    .close = close_run,
    .execute = execute,
    .ending = ending,
    .progress = progress,
    .hash = hash,
    .owner = owner,
    .describe = kelvin_describe,
    .model_size = sizeof(struct kelvin_model),
    .model_init = kelvin_model_init,
    .model_free = kelvin_model_free,
    .total = kelvin_model_total,
    .settle = kelvin_settle,
    .quantum = 1,
};
