#include "timing/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "functional/place.h"
#include "timing/memory_state.h"
#include "timing/unit_event.h"
#include "timing/summary.h"

/* --- models ----------------------------------------------------------------------------------- */

static void free_model(struct machine_model *model)
{
    if (!model)
        return;
    model->run->machine->timing->model_free(model);
    unit_events_close(model->unit_events);
    kernel_free(&model->kernel);
    account_free(&model->account);
    path_free(&model->path);
    charges_free(&model->charges);
    free(model);
}

static int open_model(struct machine_model **result, struct machine_run *run,
                      const struct model_options *options, const struct sink *sink)
{
    struct machine_model *model = calloc(1, run->machine->timing->model_size);
    if (!model)
        return -1;
    model->run = run;
    model->sink = sink;
    model->options = *options;
    model->kernel.run_ahead = !run->options.no_run_ahead && !run->options.events;
    int status = run->machine->timing->model_init(model);
    if (status == 0 && options->found && run->machine->timing->memory)
        status = memory_find(run->machine->timing->memory(model), options->found);
    *result = status == 0 ? model : NULL;
    if (status != 0)
        free_model(model);
    return status;
}

static enum run_status advance_model(struct machine_model *m, uint64_t budget,
                                     char error[MACHINE_ERROR])
{
    const bool more = kernel_run(&m->kernel, budget);
    memcpy(error, m->error, MACHINE_ERROR);
    if (m->status > 0)
        return RUN_FAULT;
    if (m->kernel.broken)
        snprintf(error, MACHINE_ERROR, "broken invariant of the model: %s (cycle %llu)",
                 m->kernel.broken, (unsigned long long)m->kernel.now);
    if (m->kernel.broken || m->status != 0 || m->account.status != 0 || m->path.status != 0)
        return RUN_FAILED;
    return more ? RUN_MORE : RUN_DONE;
}

uint64_t run_total(const struct machine_model *model)
{
    return model->run->machine->timing->total ? model->run->machine->timing->total(model)
                                              : model->finish;
}

int run_again(struct machine_run *run, const struct model_options *options, uint64_t *cycles)
{
    struct machine_model *model;
    char unsaid[MACHINE_ERROR];
    int status = open_model(&model, run, options, NULL);
    if (status != 0)
        return status;
    enum run_status advanced = RUN_MORE;
    while (advanced == RUN_MORE)
        advanced = advance_model(model, UINT64_MAX, unsaid);
    *cycles = run_total(model);
    if (advanced != RUN_DONE || (options->done && options->done(model) != 0))
        status = -1;
    else if (options->delay && model->turns <= options->delay->turn)
        status = 1;
    free_model(model);
    return status;
}

double run_clock(const struct machine_run *run, const struct config *config)
{
    for (size_t i = 0; i < run->machine->timing->param_count; i++)
        if (strcmp(run->machine->timing->params[i].name, "clock_hz") == 0)
            return config_real(config, i, false);
    return 0;
}

/* The lower bound of a machine that is measured in time counts cycles of the configured clock. */
int run_retime(struct machine_run *run, const struct config *config, bool alone, uint64_t *cycles)
{
    const int status =
        run_again(run, &(struct model_options){.config = config, .alone = alone}, cycles);
    const double clock = run_clock(run, run->config), other = run_clock(run, config);
    if (status == 0 && alone && run->machine->timing->in_time && other > clock)
        *cycles = (uint64_t)floor((double)*cycles * (clock / other));
    return status;
}

static int retime(void *context, const struct config *config, bool alone, uint64_t *cycles)
{
    return run_retime(context, config, alone, cycles);
}

int run_range(struct machine_run *run, unsigned threads, struct range *range)
{
    struct config config = config_without_host(run->config);
    const struct range_subject subject = {
        .config = &config, .cycles = run_total(run->model), .retime = retime, .context = run};
    const int status = config.params ? range_find(range, &subject, threads) : -1;
    free(config.params);
    return status;
}

int run_delayed(struct machine_run *run, const struct machine_delay *delay, uint64_t *total)
{
    const struct model_options options = {
        .config = run->config, .documented = run->options.documented, .delay = delay};
    if (run->machine->timing->delayed)
        return run->machine->timing->delayed(run, delay, total);
    return run_again(run, &options, total);
}

/* --- what a model reports --------------------------------------------------------------------- */

struct sink_stmt_total *run_row(struct machine_model *m, uint32_t unit, uint32_t reason,
                                uint32_t stmt)
{
    struct sink_stmt_total *row = m->sink ? charges_at(&m->charges, stmt, unit, reason) : NULL;
    if (m->sink && !row)
        m->status = -1;
    return row;
}

struct sink_stmt_total *run_charge(struct machine_model *m, uint32_t unit, uint32_t reason,
                                   uint32_t stmt, uint64_t from, uint64_t to)
{
    struct sink_stmt_total *row = to > from ? run_row(m, unit, reason, stmt) : NULL;
    if (!row)
        return NULL;
    row->cycles += to - from;
    row->execs++;
    if (reason == REASON_BUSY)
        account_busy(&m->account, unit, stmt, from, to - from);
    else
        account_reason(&m->account, unit, reason, stmt, from, to);
    return row;
}

void run_edge(struct machine_model *m, const struct sink_edge *edge)
{
    if (m->sink && m->sink->ops->edge && m->status == 0)
        m->status = m->sink->ops->edge(m->sink->context, edge);
}

void run_execution(struct machine_model *m, const struct sink_execution *execution)
{
    if (m->sink && m->sink->ops->execution && m->status == 0)
        m->status = m->sink->ops->execution(m->sink->context, execution);
}

/* --- open and close --------------------------------------------------------------------------- */

static int begin(struct machine_run *run)
{
    const struct machine *machine = run->machine;
    if (!run->sink->ops->begin)
        return 0;
    struct machine_lists *lists = &run->lists;
    lists->counters = calloc(machine->timing->counter_count + 1, sizeof *lists->counters);
    if (!lists->counters)
        return -1;
    memcpy(lists->counters, machine->timing->counters,
           machine->timing->counter_count * sizeof *lists->counters);
    run->header = (struct sink_header){.machine = machine->name,
                                       .command = run->options.command,
                                       .clock_hz = run_clock(run, run->config),
                                       .reasons = machine->timing->reasons,
                                       .reason_count = machine->timing->reason_count,
                                       .counters = lists->counters,
                                       .counter_count = machine->timing->counter_count};
    if (machine->timing->describe(run, &run->header, lists) != 0 ||
        machine_header(&run->header, lists, run->config, run->options.documented) != 0)
        return -1;
    return run->sink->ops->begin(run->sink->context, &run->header);
}

static int move_file(struct machine_run *run, bool save, const char *spec, const char *path,
                     char error[MACHINE_ERROR])
{
    if (!run->machine->values->owner)
        return run->machine->values->move(run, save, spec, path, error);
    const struct place_owner owner = run->machine->values->owner(run);
    return (save ? place_save : place_load)(&owner, spec, path, run->options.word_order_big, error,
                                            MACHINE_ERROR);
}

int run_put(struct machine_run *run, const char *spec, const uint64_t *words, size_t count,
            char error[MACHINE_ERROR])
{
    if (!run->machine->values->owner)
        return run->machine->values->put(run, spec, words, count, error);
    const struct place_owner owner = run->machine->values->owner(run);
    return place_put(&owner, spec, words, count, error, MACHINE_ERROR);
}

int run_get(const struct machine_run *run, const char *spec, uint64_t *words, size_t count,
            char error[MACHINE_ERROR])
{
    if (!run->machine->values->owner)
        return run->machine->values->get(run, spec, words, count, error);
    const struct place_owner owner = run->machine->values->owner(run);
    return place_get(&owner, spec, words, count, error, MACHINE_ERROR);
}

static int open_parts(struct machine_run *run, char error[MACHINE_ERROR])
{
    const struct machine *machine = run->machine;
    const struct run_options *options = &run->options;
    if (init_parse(&run->init, options->init, error, MACHINE_ERROR) != 0)
        return 1;
    int status = machine->values->open(run, error);
    if (status == 0 && !options->timing_only)
        status = machine_move(options->loads, false, move_file, run, error);
    if (status == 0 && !options->functional_only) {
        const struct model_options how = {
            .config = run->config, .documented = options->documented, .found = options->found};
        status = open_model(&run->model, run, &how, run->sink);
    }
    if (status != 0)
        return status;
    if (run->model && options->events) {
        run->model->kernel.observe = kernel_print_event;
        run->model->kernel.context = options->events;
    }
    run->timed = !run->model;
    run->executed = options->timing_only || (run->model && machine->values->executes);
    return begin(run);
}

static const struct sink_ops no_ops = {.name = "none"};
const struct sink run_unseen = {&no_ops, NULL};

int run_open(struct machine_run **result, const struct machine *machine,
             const struct run_setup *setup, struct diag_list *diags, char error[MACHINE_ERROR])
{
    struct machine_run *run = calloc(1, sizeof *run);
    int status = -1;
    error[0] = '\0';
    if (run) {
        run->machine = machine;
        run->program = setup->program;
        run->config = setup->config;
        run->options = *setup->options;
        run->options.timing_only &= !machine->values->by_values;
        run->sink = setup->sink;
        run->diags = diags;
        status = open_parts(run, error);
    }
    if (status < 0 && !error[0])
        snprintf(error, MACHINE_ERROR, "out of memory, or the trace could not be begun");
    if (status != 0) {
        run_close(run);
        run = NULL;
    }
    *result = run;
    return status;
}

int run_values(const struct machine_run *run, struct machine_run **again, struct diag_list *diags,
               char error[MACHINE_ERROR])
{
    const struct run_options options = {.functional_only = true,
                                        .settings = run->options.settings,
                                        .init = run->options.init,
                                        .loads = run->options.loads,
                                        .word_order_big = run->options.word_order_big,
                                        .threads = 1};
    const struct run_setup setup = {run->program, run->config, &options, &run_unseen};
    return run_open(again, run->machine, &setup, diags, error);
}

void run_close(struct machine_run *run)
{
    if (!run)
        return;
    summary_free(&run->summary);
    machine_lists_free(&run->lists);
    free_model(run->model);
    free_model(run->second);
    run->machine->values->close(run);
    range_free(&run->range);
    free(run);
}

/* --- the end ---------------------------------------------------------------------------------- */

static bool wants_others(const struct machine_run *run)
{
    return run->model && !run->options.documented && !run->options.total_only;
}

static int list_counters(const struct machine_model *m, struct sink_summary *s)
{
    const size_t count = m->run->machine->timing->counter_count;
    struct sink_counter *rows = malloc((count + 1) * sizeof *rows);
    for (uint32_t c = 0; rows && c < count; c++)
        rows[c] = (struct sink_counter){.counter = c, .value = m->counters[c]};
    s->counters = rows;
    s->counter_count = count;
    return rows ? 0 : -1;
}

static int list_costs(const struct machine_model *m, struct sink_summary *s)
{
    struct costs *costs = calloc(1, sizeof *costs);
    s->costs = costs;
    return costs ? charges_costs(&m->charges, costs) : -1;
}

static int fill(struct machine_run *run, struct sink_summary *s)
{
    struct machine_model *m = run->model;
    s->cycles = run_total(m);
    s->events = m->kernel.events + m->kernel.unit_events;
    if (s->complete) {
        s->cycles_documented = run->documented;
        s->range = &run->range;
    }
    int status = run->machine->timing->settle(m, s);
    account_flush(&m->account);
    if (status != 0 || m->account.status != 0)
        return -1;
    if (!s->counters)
        status = list_counters(m, s);
    if (status == 0 && !s->costs)
        status = list_costs(m, s);
    return status == 0 && run->sink->ops->finish && !run->sink->ops->brief
               ? summary_fill(s, &m->account, &m->path)
               : status;
}

static int finish(struct machine_run *run, bool complete)
{
    struct sink_summary *s = &run->summary;
    s->complete = complete;
    run->finished = true;
    if (complete)
        s->ending = run_ending(run);
    int status = run->model ? fill(run, s) : 0;
    if (status == 0 && run->sink->ops->finish)
        status = run->sink->ops->finish(run->sink->context, s);
    if (run->model)
        path_free(&run->model->path); /* it is large; the summary has what followed from it */
    return status;
}

int run_stop(struct machine_run *run)
{
    return run->finished ? 0 : finish(run, false);
}

/* --- advance ---------------------------------------------------------------------------------- */

/* The total with documented numbers. */
static enum run_status advance_second(struct machine_run *run, uint64_t budget, char *error)
{
    const struct model_options options = {.config = run->config, .documented = true};
    if (run->options.documented && run->model)
        run->documented = run_total(run->model);
    if (!wants_others(run))
        return RUN_DONE;
    if (!run->second && open_model(&run->second, run, &options, NULL) != 0)
        return RUN_FAILED;
    const enum run_status status = advance_model(run->second, budget, error);
    run->documented = run_total(run->second);
    if (status == RUN_DONE) { /* it is large */
        free_model(run->second);
        run->second = NULL;
    }
    return status;
}

/* The range, where it costs little compared with the run. */
static int find_range(struct machine_run *run)
{
    if (!run->config || !wants_others(run) || run->options.no_range)
        return 0;
    struct config config = config_without_host(run->config);
    const bool cheap = config.params && range_is_cheap(&config, run->model->kernel.events);
    const int status = config.params ? 0 : -1;
    free(config.params);
    return cheap ? run_range(run, 1, &run->range) : status;
}

/* All is executed and timed. */
static enum run_status end(struct machine_run *run, char *error)
{
    int status = run->options.timing_only
                     ? 0
                     : machine_move(run->options.saves, true, move_file, run, error);
    if (status == 0 && run->machine->values->ended)
        status = run->machine->values->ended(run, RUN_DONE, error);
    if (status == 0)
        status = find_range(run);
    if (status == 0)
        status = finish(run, true);
    return status == 0 ? RUN_DONE : status > 0 ? RUN_FAULT : RUN_FAILED;
}

/* A slice of values, and one of time. */
static enum run_status advance(struct machine_run *run, uint64_t budget, char *error)
{
    enum run_status status = RUN_DONE;
    if (!run->executed) {
        status = run->machine->values->execute(run, budget, error);
        run->executed = status == RUN_DONE;
    }
    if (status <= RUN_DONE && !run->timed) {
        status = advance_model(run->model, budget, error);
        run->timed = status == RUN_DONE;
    }
    return status > RUN_DONE ? status : run->executed && run->timed ? RUN_DONE : RUN_MORE;
}

enum run_status run_advance(struct machine_run *run, uint64_t budget, struct diag_list *diags,
                            char error[MACHINE_ERROR])
{
    char unsaid[MACHINE_ERROR];
    error[0] = '\0';
    if (run->finished)
        return RUN_DONE;
    run->diags = diags;
    budget = budget ? budget : 1;
    enum run_status status = run->executed && run->timed ? RUN_DONE : advance(run, budget, error);
    if (status == RUN_DONE)
        status = advance_second(run, budget, error);
    if (status == RUN_DONE)
        status = end(run, error);
    if (status > RUN_DONE && run->machine->values->ended)
        run->machine->values->ended(run, status, unsaid);
    if (status == RUN_FAILED && !error[0])
        snprintf(error, MACHINE_ERROR, "%s",
                 run->options.dump && ferror(run->options.dump)
                     ? "the dump could not be written"
                     : "the host failed: out of memory, or the trace could not be written");
    return status;
}

int run_whole(struct machine_run *run, struct diag_list *diags, char error[MACHINE_ERROR])
{
    enum run_status status;
    do
        status = run_advance(run, UINT64_MAX, diags, error);
    while (status == RUN_MORE);
    return status == RUN_DONE ? 0 : status == RUN_FAULT ? 1 : -1;
}

void run_progress(const struct machine_run *run, struct run_progress *progress)
{
    *progress = (struct run_progress){.items_done = 0};
    if (run->model)
        *progress = (struct run_progress){.cycles = run->model->finish,
                                          .total = run_total(run->model),
                                          .items_done = run->model->kernel.events};
    run->machine->values->progress(run, progress);
}

const char *run_ending(const struct machine_run *run)
{
    return run->machine->values->ending ? run->machine->values->ending(run) : NULL;
}

uint64_t run_early(const struct machine_run *run)
{
    return run->model && run->machine->timing->early ? run->machine->timing->early(run) : 0;
}

uint64_t run_hash(const struct machine_run *run)
{
    return run->options.timing_only ? 0 : run->machine->values->hash(run);
}

int run_leave(const struct machine_run *run, struct memory_state *state, bool *used)
{
    const uint64_t cycles = run_total(run->model);
    const struct memory *memory =
        run->machine->timing->memory ? run->machine->timing->memory(run->model) : NULL;
    *used = memory && memory->asked;
    if (*used)
        return memory_leave(memory, cycles, state);
    return memory_wait(state, cycles);
}

int run_cycles(const struct machine *machine, const struct machine_program *program,
               const struct config *config, uint64_t *cycles)
{
    const struct run_options options = {.timing_only = true, .total_only = true, .threads = 1};
    const struct run_setup setup = {program, config, &options, &run_unseen};
    struct machine_run *run;
    struct diag_list unsaid;
    char error[MACHINE_ERROR];
    diag_list_init(&unsaid);
    int status = run_open(&run, machine, &setup, &unsaid, error);
    enum run_status advanced = RUN_MORE;
    while (status == 0 && advanced == RUN_MORE)
        advanced = run_advance(run, UINT64_MAX, &unsaid, error);
    if (status == 0) {
        *cycles = run_total(run->model);
        status = advanced == RUN_DONE ? 0 : advanced == RUN_FAULT ? 1 : -1;
    }
    run_close(run);
    diag_list_free(&unsaid);
    return status;
}
