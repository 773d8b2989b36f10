/* machine: Kelvin behind the commands (timing/machine.h). */
#include "timing/machine.h"

#include <stdlib.h>
#include <string.h>

#include "config/embed.h"
#include "timing/kelvin/model.h"

EMBED(kelvin_config, "config/kelvin/kelvin.yaml");

struct machine_program {
    struct kelvin_program program;
};

enum { CHUNK = 4096 }; /* steps that are executed at a time */
#define MOST_DEFAULT UINT64_C(1000000000)

/* Values run ahead of time by a chunk of steps, which both models then time. */
struct machine_run {
    const struct kelvin_program *program;
    struct run_options options;
    const struct sink *sink;
    const struct config *config;
    struct kelvin_exec *exec;
    struct kelvin_exec *start; /* the state at the begin, for another timing */
    struct kelvin_step *steps;
    size_t count;  /* in steps */
    uint64_t most; /* instructions */
    struct kelvin_model model, documented;
    bool begun, executed, timed, finished;
    struct range range;
};

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
    kelvin_program_check(&program->program, diags);
    return 0;
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

/* --max-instructions; 0 with a sentence. */
static uint64_t most_of(const struct machine_setting *settings, char error[MACHINE_ERROR])
{
    const char *text = machine_setting(settings, "max-instructions");
    if (!text)
        return MOST_DEFAULT;
    uint64_t number = 0;
    const char *at = text;
    for (; *at >= '0' && *at <= '9' && number < UINT64_MAX / 20; at++)
        number = number * 10 + (uint64_t)(*at - '0');
    if (!*at && number)
        return number;
    snprintf(error, MACHINE_ERROR, "--max-instructions takes a number from 1, not '%.60s'", text);
    return 0;
}

static int accept(const struct run_options *options, char error[MACHINE_ERROR])
{
    struct init unused;
    return init_parse(&unused, options->init, error, MACHINE_ERROR) != 0 ||
                   machine_specs(options->loads, false, kelvin_exec_spec, error) != 0 ||
                   machine_specs(options->saves, true, kelvin_exec_spec, error) != 0 ||
                   !most_of(options->settings, error)
               ? 1
               : 0;
}

/* --- runs ------------------------------------------------------------------------------------- */

static int move_file(struct machine_run *run, bool save, const char *spec, const char *path,
                     char error[MACHINE_ERROR])
{
    const bool big = run->options.word_order_big;
    return save ? kelvin_exec_save(run->exec, spec, path, big, error, MACHINE_ERROR)
                : kelvin_exec_load(run->exec, spec, path, big, error, MACHINE_ERROR);
}

static int put(struct machine_run *run, const char *spec, const uint64_t *words, size_t count,
               char error[MACHINE_ERROR])
{
    return kelvin_exec_put(run->exec, spec, words, count, error, MACHINE_ERROR);
}

static int get(const struct machine_run *run, const char *spec, uint64_t *words, size_t count,
               char error[MACHINE_ERROR])
{
    return kelvin_exec_get(run->exec, spec, words, count, error, MACHINE_ERROR);
}

static void close_run(struct machine_run *run)
{
    if (!run)
        return;
    kelvin_exec_free(run->exec);
    kelvin_exec_free(run->start);
    if (!run->options.functional_only) {
        kelvin_model_free(&run->model);
        kelvin_model_free(&run->documented);
    }
    range_free(&run->range);
    free(run->steps);
    free(run);
}

static int open_time(struct machine_run *run)
{
    struct kelvin_model_options options = {.config = run->config,
                                           .documented = run->options.documented,
                                           .run_ahead = !run->options.no_run_ahead,
                                           .sink = run->sink,
                                           .events = run->options.events};
    run->steps = malloc(CHUNK * sizeof *run->steps);
    if (!run->steps || kelvin_model_init(&run->model, run->program, &options) != 0)
        return -1;
    options = (struct kelvin_model_options){
        .config = run->config, .documented = true, .run_ahead = options.run_ahead};
    return kelvin_model_init(&run->documented, run->program, &options);
}

static int open_exec(struct machine_run *run, FILE *dump, char error[MACHINE_ERROR])
{
    struct kelvin_exec_options options = {.dump = dump, .reference = run->options.reference};
    run->most = most_of(run->options.settings, error);
    if (!run->most || init_parse(&options.init, run->options.init, error, MACHINE_ERROR) != 0)
        return 1;
    run->exec = kelvin_exec_new(run->program, &options);
    snprintf(error, MACHINE_ERROR, "no memory for the state of Kelvin");
    return run->exec ? machine_move(run->options.loads, false, move_file, run, error) : -1;
}

static int graph_of(const struct run_setup *setup, struct graph *graph, char error[MACHINE_ERROR])
{
    const struct kelvin_model_options options = {.config = setup->config,
                                                 .documented = setup->options->documented};
    struct machine_run *run = calloc(1, sizeof *run);
    int status = run ? 0 : -1;
    if (run) {
        run->program = &setup->program->program;
        run->options = *setup->options;
        status = kelvin_model_init(&run->model, run->program, &options);
        if (status == 0)
            status = open_exec(run, NULL, error);
        if (status == 0)
            status = kelvin_graph(run->exec, &run->model, run->most, graph, error);
    }
    close_run(run);
    return status;
}

static int open_parts(struct machine_run *run, char error[MACHINE_ERROR])
{
    const int status = open_exec(run, run->options.dump, error);
    if (status != 0)
        return status;
    snprintf(error, MACHINE_ERROR, "no memory for the timing model");
    if (!run->options.functional_only && open_time(run) != 0)
        return -1;
    snprintf(error, MACHINE_ERROR, "the trace could not be begun");
    run->model.program = run->program;
    if (kelvin_report_begin(&run->model, run->sink, run->config, run->options.command) != 0)
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
    error[0] = '\0';
    if (!run) {
        snprintf(error, MACHINE_ERROR, "no memory");
        return -1;
    }
    run->program = &setup->program->program;
    run->options = *setup->options;
    run->sink = setup->sink;
    run->config = setup->config;
    run->timed = run->options.functional_only;
    const int status = open_parts(run, error);
    if (status == 0)
        *result = run;
    else
        close_run(run);
    return status;
}

/* --- the same program again ------------------------------------------------------------------- */

struct again {
    const struct config *config;
    bool documented, alone;
    const struct machine_delay *delay;
};

/* Returns 1 when the delay's turn never came. */
static int time_again(const struct machine_run *run, const struct again *how, uint64_t *cycles)
{
    const struct kelvin_model_options options = {.config = how->config,
                                                 .documented = how->documented,
                                                 .run_ahead = true,
                                                 .alone = how->alone,
                                                 .delay = how->delay};
    struct kelvin_model *model = malloc(sizeof *model);
    struct kelvin_step *steps = malloc(CHUNK * sizeof *steps);
    struct kelvin_exec *exec = kelvin_exec_copy(run->start);
    int status = model && steps && exec ? 0 : -1;
    if (model)
        status = status | kelvin_model_init(model, run->program, &options);
    int more = status == 0;
    while (more > 0) {
        if (kelvin_model_hungry(model)) {
            const size_t count = (size_t)kelvin_exec_advance(exec, CHUNK, steps);
            kelvin_model_feed(model, steps, count, kelvin_exec_end(exec) != KELVIN_RUNS);
        }
        more = kelvin_model_advance(model, UINT64_MAX);
    }
    if (status == 0 && more < 0)
        status = -1;
    if (status == 0 && how->delay && model->turns <= how->delay->turn)
        status = 1;
    if (status == 0)
        *cycles = model->finish;
    for (unsigned u = 0; status == 0 && how->alone && u < KELVIN_UNITS; u++)
        *cycles = kelvin_later(*cycles, model->work[u]);
    if (model)
        kelvin_model_free(model);
    kelvin_exec_free(exec);
    free(model);
    free(steps);
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

/* --- advance ---------------------------------------------------------------------------------- */

static int finish(struct machine_run *run, bool complete)
{
    struct sink_summary summary = {.complete = complete};
    run->finished = true;
    if (complete)
        summary.ending = kelvin_exec_sentence(run->exec);
    if (run->options.functional_only)
        return run->sink->ops->finish ? run->sink->ops->finish(run->sink->context, &summary) : 0;
    if (complete && !run->options.documented && !run->options.total_only &&
        !run->options.no_range && range_is_cheap(run->config, run->model.kernel.events) &&
        find_range(run, 1, &run->range) != 0)
        return -1;
    if (complete) { /* another order at a unit may make the more optimistic machine slower */
        const uint64_t documented = run->documented.finish;
        summary.range = &run->range;
        summary.cycles_documented = documented < run->model.finish ? documented : run->model.finish;
    }
    return kelvin_report_finish(&run->model, &summary);
}

/* Execute up to a chunk. Returns 1 when the program is at fault. */
static int execute(struct machine_run *run, uint64_t budget, struct diag_list *diags, char *error)
{
    const uint64_t done = kelvin_exec_done(run->exec);
    uint64_t count = run->most - done < budget ? run->most - done : budget;
    if (run->steps && count > CHUNK)
        count = CHUNK;
    run->count = (size_t)kelvin_exec_advance(run->exec, count, run->steps);
    const enum kelvin_end end = kelvin_exec_end(run->exec);
    run->executed = end != KELVIN_RUNS;
    if (end == KELVIN_RUNS && kelvin_exec_done(run->exec) >= run->most) {
        snprintf(error, MACHINE_ERROR,
                 "the program has not ended after %llu instructions (--max-instructions)",
                 (unsigned long long)run->most);
        return 1;
    }
    if (end != KELVIN_FAULTED)
        return 0;
    const uint32_t stmt = kelvin_exec_stmt(run->exec);
    if (run->program->elf || stmt == RISCV_NO_STMT) {
        snprintf(error, MACHINE_ERROR, "%s", kelvin_exec_sentence(run->exec));
        return 1;
    }
    const struct riscv_stmt *at = &run->program->image.stmts[stmt];
    const struct diag where = {.severity = DIAG_ERROR,
                               .file = at->file,
                               .line = at->line,
                               .column = at->column,
                               .length = at->length ? at->length : 1,
                               .missing_steps = -1,
                               .missing_cycles = -1,
                               .rule = "",
                               .name = ""};
    diag_add(diags, &where, "%s", kelvin_exec_sentence(run->exec));
    return 1;
}

/* Both models time what has been executed. Returns 1 while there is more, or -1. */
static int advance_time(struct machine_run *run)
{
    int more = 0;
    struct kelvin_model *const models[] = {&run->model, &run->documented};
    const size_t count = run->options.total_only ? 1 : 2;
    for (size_t i = 0; i < count; i++) {
        kelvin_model_feed(models[i], run->steps, run->count, run->executed);
        int one;
        do
            one = kelvin_model_advance(models[i], UINT64_MAX);
        while (one > 0 && !kelvin_model_hungry(models[i]));
        if (one < 0)
            return -1;
        more |= one;
    }
    return more;
}

static int begin(struct machine_run *run)
{
    run->begun = true;
    if (run->options.functional_only)
        return 0;
    run->start = kelvin_exec_copy(run->exec);
    return run->start ? 0 : -1;
}

static enum run_status advance(struct machine_run *run, uint64_t budget, struct diag_list *diags,
                               char error[MACHINE_ERROR])
{
    error[0] = '\0';
    if (run->finished)
        return RUN_DONE;
    budget = budget ? budget : 1;
    int status = run->begun ? 0 : begin(run);
    while (status == 0 && budget && !run->executed) {
        status = execute(run, budget, diags, error);
        if (status == 0 && !run->timed && advance_time(run) < 0)
            status = -1;
        budget -= run->count < budget ? run->count : budget;
        if (!run->count)
            break;
    }
    if (status > 0)
        return RUN_FAULT;
    if (status == 0 && kelvin_exec_failed(run->exec)) {
        snprintf(error, MACHINE_ERROR, "the dump could not be written");
        return RUN_FAILED;
    }
    if (status == 0 && !run->executed)
        return RUN_MORE;
    if (status == 0)
        status = machine_move(run->options.saves, true, move_file, run, error);
    if (status > 0)
        return RUN_FAULT;
    if (status == 0)
        status = finish(run, true);
    if (status == 0)
        return RUN_DONE;
    if (!*error)
        snprintf(error, MACHINE_ERROR, "out of memory, or the trace could not be written");
    return RUN_FAILED;
}

static void progress(const struct machine_run *run, struct run_progress *progress)
{
    const uint64_t done = kelvin_exec_done(run->exec);
    *progress = (struct run_progress){.cycles = run->model.finish,
                                      .total = run->model.finish,
                                      .items_done = done,
                                      .items_total = run->executed ? done : 0};
}

static int stop(struct machine_run *run)
{
    return run->finished ? 0 : finish(run, false);
}

static uint64_t hash(const struct machine_run *run)
{
    return kelvin_exec_hash(run->exec);
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
    .extensions = ".kelvin",
    .params = kelvin_params,
    .param_count = KELVIN_PARAMS,
    .warnings = warnings,
    .config_text = kelvin_config,
    .config_end = kelvin_config_end,
    .config_name = "config/kelvin/kelvin.yaml",
    .options = options,
    .speeds = speeds,
    .regions = true,
    .places = "m:ADDR (memory, 64-bit words) or m:SYMBOL,\n"
              "x@N, v@N or v@N:WORD (registers)",
    .load = load,
    .unload = unload,
    .valid = valid,
    .accept = accept,
    .check = check,
    .print = print,
    .graph = graph_of,
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
