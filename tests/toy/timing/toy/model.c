#include "timing/toy/model.h"

#include <stdlib.h>
#include <string.h>

const struct param_row toy_params[TOY_PARAMS] = {
#define PARAM(name, type, sentence) {#name, PARAM_##type, sentence},
#include "timing/toy/param.def"
};

enum { SEQUENCER, COPIER }; /* ranks at the ports; loads and stores go first */

/* --- what the next statement waits for -------------------------------------------------------- */

static const struct toy_stmt *next_stmt(const struct toy_model *m)
{
    return &m->program->stmts[m->next];
}

static void skip_gets(struct toy_model *m)
{
    while (m->next < m->program->count && next_stmt(m)->insn == TOY_GET)
        m->next++;
}

static uint64_t data_ready(const struct toy_model *m, struct producer *by)
{
    const struct toy_cost *cost = &m->cost[m->next];
    return scoreboard_issue(&m->scoreboard, &cost->accs, 1, cost->latency, by);
}

static uint64_t ready_cycle(const struct toy_model *m)
{
    struct producer by;
    return later(m->order, data_ready(m, &by));
}

/* The end of the copy in flight decides when it issues, and not a unit. */
static bool needs_copier(const struct toy_model *m)
{
    return next_stmt(m)->insn == TOY_COPY || next_stmt(m)->insn == TOY_WAIT;
}

/* --- what held it ----------------------------------------------------------------------------- */

/* Reports what held the statement that issues at `at`: accumulators, and then its unit or the copy
 * in flight. Returns the last one: reason, and its record. */
static uint32_t report_waits(struct toy_model *m, uint64_t at, uint64_t *record)
{
    const struct toy_cost *cost = &m->cost[m->next];
    struct producer by;
    const uint64_t ready = later(m->order, data_ready(m, &by));
    uint32_t reason = REASON_BUSY;
    *record = PATH_NONE;
    if (ready > m->order) {
        const struct toy_cost *from = &m->cost[by.statement];
        reason = REASON_DATA;
        *record = by.number;
        run_charge(&m->base, TOY_UNIT_SEQ, reason, m->next, m->order, ready);
        toy_report_edge(m, (struct sink_edge){.src = by.statement,
                                              .kind = EDGE_DATA,
                                              .unit = from->unit,
                                              .rule = from->latency_rule,
                                              .at = ready,
                                              .waited = ready - m->order});
    }
    if (at == ready)
        return reason;
    const bool copies = needs_copier(m);
    by = copies ? (struct producer){m->copier.record, m->copier.stmt, 0} : m->holders[cost->unit];
    reason = !copies                          ? REASON_PORT
             : next_stmt(m)->insn == TOY_WAIT ? REASON_TAG
                                              : TOY_REASON_COPYING;
    *record = by.number;
    run_charge(&m->base, TOY_UNIT_SEQ, reason, m->next, ready, at);
    toy_report_edge(m, (struct sink_edge){.src = by.statement,
                                          .kind = reason == REASON_PORT  ? EDGE_PORT
                                                  : reason == REASON_TAG ? EDGE_TAG
                                                                         : EDGE_QUEUE,
                                          .unit = copies ? TOY_UNIT_MEM : cost->unit,
                                          .rule = copies ? "copy_notice" : cost->interval_rule,
                                          .at = at,
                                          .waited = at - ready});
    return reason;
}

/* The number of its record in path. A copy, and a use of the port during a copy, is pinned: it has
 * no slack. */
static uint64_t record(struct toy_model *m, uint64_t at)
{
    const struct toy_cost *cost = &m->cost[m->next];
    const struct toy_stmt *stmt = next_stmt(m);
    const bool copies = stmt->insn == TOY_COPY, waits = stmt->insn == TOY_WAIT;
    uint64_t by;
    const uint32_t reason = report_waits(m, at, &by);
    struct path_record given = {.start = m->order,
                                .end = at,
                                .released = at,
                                .by = by,
                                .waited = waits ? m->copier.unwaited : PATH_NONE,
                                .ordinal = m->stream.ordinal,
                                .stmt = m->next,
                                .reason = (uint8_t)reason,
                                .absorbs = true,
                                .active = true,
                                .pinned = copies || (m->copier.busy && cost->unit == TOY_UNIT_MEM),
                                .tag = copies || waits,
                                .unit = copies ? TOY_UNIT_MEM : cost->unit,
                                .units = cost->unit == TOY_UNIT_SEQ ? 0 : UINT64_C(1) << cost->unit,
                                .claimed = at,
                                .older = copies ? m->copier.unwaited : PATH_NONE};
    const uint64_t number = path_issue(&m->base.path, &given);
    if (!copies && m->base.path.status == 0)
        path_end(&m->base.path, number, at + cost->interval, at + cost->latency);
    run_charge(&m->base, TOY_UNIT_SEQ, REASON_BUSY, m->next, at,
               at + m->value[TOY_PARAM_issue_interval]);
    if (cost->unit != TOY_UNIT_SEQ)
        run_charge(&m->base, cost->unit, REASON_BUSY, m->next, at, at + cost->interval);
    m->stream.now = at + m->value[TOY_PARAM_issue_interval];
    m->stream.ordinal++;
    if (waits)
        m->copier.unwaited = PATH_NONE;
    return number;
}

/* --- the sequencer ---------------------------------------------------------------------------- */

static void start_copy(struct toy_model *m, uint64_t at, uint64_t number)
{
    struct toy_copier *c = &m->copier;
    c->busy = true;
    c->stmt = m->next;
    c->left = next_stmt(m)->count;
    c->issued = at;
    c->since = at + m->value[TOY_PARAM_copy_start];
    c->record = c->unwaited = number;
    kernel_wake(&m->base.kernel, &c->process, c->since, PHASE_ARRIVE, "copy starts");
}

static void issue(struct toy_model *m, uint64_t at)
{
    const struct toy_cost *cost = &m->cost[m->next];
    const uint64_t number = m->base.sink ? record(m, at) : PATH_NONE;
    const struct producer by = {number, m->next, 0};
    if (cost->unit != TOY_UNIT_SEQ) {
        resource_take(&m->ports, cost->unit, SEQUENCER, 0, at + cost->interval);
        m->holders[cost->unit] = by;
    }
    scoreboard_write(&m->scoreboard, &cost->accs, 1, at + cost->latency, &by);
    if (next_stmt(m)->insn == TOY_COPY)
        start_copy(m, at, number);
    m->order = at + m->value[TOY_PARAM_issue_interval];
    m->base.finish =
        later(m->base.finish, later(m->order, at + later(cost->interval, cost->latency)));
    m->counters[TOY_COUNTER_STEPS]++;
    kernel_count(&m->base.kernel, 1);
    m->next++;
    skip_gets(m);
}

static void wake_sequencer(struct toy_model *m)
{
    if (m->next < m->program->count)
        kernel_wake(&m->base.kernel, &m->sequencer, later(ready_cycle(m), m->base.kernel.now),
                    PHASE_ISSUE, "next statement");
}

static void sequence(struct process *process, struct kernel *kernel)
{
    struct toy_model *m =
        (struct toy_model *)((char *)process - offsetof(struct toy_model, sequencer));
    const uint64_t end = kernel_horizon(kernel, process);
    while (m->next < m->program->count) {
        if (kernel_exhausted(kernel)) {
            kernel_pause(kernel, process);
            return;
        }
        const enum toy_unit unit = m->cost[m->next].unit;
        const bool copier = needs_copier(m);
        uint64_t at = later(ready_cycle(m), kernel->now);
        if (unit != TOY_UNIT_SEQ && !m->base.options.alone)
            at = later(at, resource_free_at(&m->ports, UINT64_C(1) << unit));
        if (at >= end ||
            (m->copier.busy && (copier || (unit == TOY_UNIT_MEM && !m->base.options.alone))))
            break;
        issue(m, at);
    }
    if (m->next == m->program->count)
        return;
    if (ready_cycle(m) > kernel->now) {
        wake_sequencer(m);
    } else if (!needs_copier(m)) {
        const struct request request = {.ports = UINT64_C(1) << m->cost[m->next].unit,
                                        .since = ready_cycle(m),
                                        .id = SEQUENCER,
                                        .priority = 1};
        resource_ask(&m->ports, &request);
    } /* else the copier's notice wakes it */
}

/* --- the copier ------------------------------------------------------------------------------- */

static void start_cell(struct toy_model *m, uint64_t now)
{
    struct toy_copier *c = &m->copier;
    const uint64_t interval = m->value[TOY_PARAM_copy_interval];
    if (c->left == m->program->stmts[c->stmt].count)
        c->started = now;
    resource_take(&m->ports, TOY_UNIT_MEM, COPIER, 0, now + interval);
    if (m->base.sink && now > c->since && m->base.path.status == 0)
        path_held(&m->base.path, c->record,
                  &(struct path_hold){.by = m->holders[TOY_UNIT_MEM].number,
                                      .unit = TOY_UNIT_MEM,
                                      .reason = REASON_PORT,
                                      .waited = now - c->since,
                                      .from = c->since,
                                      .at = now});
    m->holders[TOY_UNIT_MEM] = (struct producer){c->record, c->stmt, 0};
    run_charge(&m->base, TOY_UNIT_MEM, REASON_BUSY, c->stmt, now, now + interval);
    kernel_count(&m->base.kernel, 1);
    m->counters[TOY_COUNTER_COPIED]++;
    c->since = now + interval;
    if (--c->left) {
        kernel_wake(&m->base.kernel, &c->process, c->since, PHASE_ARRIVE, "next cell");
        return;
    }
    const uint64_t notice = c->since + m->value[TOY_PARAM_copy_notice];
    if (m->base.sink && m->base.path.status == 0)
        path_end(&m->base.path, c->record, c->since, notice);
    kernel_wake(&m->base.kernel, &c->process, notice, PHASE_NOTICE, "copy complete");
}

static void copy(struct process *process, struct kernel *kernel)
{
    struct toy_copier *c = (struct toy_copier *)process;
    struct toy_model *m = (struct toy_model *)((char *)c - offsetof(struct toy_model, copier));
    if (c->left && m->base.options.alone) {
        start_cell(m, kernel->now);
        return;
    }
    if (c->left) {
        const struct request request = {
            .ports = UINT64_C(1) << TOY_UNIT_MEM, .since = c->since, .id = COPIER};
        resource_ask(&m->ports, &request);
        return;
    }
    c->busy = false;
    m->base.finish = later(m->base.finish, kernel->now);
    kernel_count(kernel, 1);
    if (m->next == m->program->count || !needs_copier(m)) {
        toy_report_copy(m, 0);
        return;
    }
    const uint64_t ready = ready_cycle(m);
    const bool waits = next_stmt(m)->insn == TOY_WAIT && ready < kernel->now;
    toy_report_copy(m, waits ? kernel->now - ready : 0);
    wake_sequencer(m);
}

static void start(void *context, const struct request *request, uint64_t now)
{
    struct toy_model *m = context;
    if (request->id == COPIER) {
        start_cell(m, now);
        return;
    }
    issue(m, now);
    wake_sequencer(m);
}

/* --- making and freeing ----------------------------------------------------------------------- */

static void describe(const struct process *process, char *text, size_t size)
{
    const struct toy_model *m =
        (const struct toy_model *)((const char *)process - offsetof(struct toy_model, sequencer));
    snprintf(text, size, "sequencer");
    if (m->next < m->program->count)
        snprintf(text, size, "sequencer line %u", next_stmt(m)->line);
}

static void describe_copier(const struct process *process, char *text, size_t size)
{
    (void)process;
    snprintf(text, size, "copier");
}

static void cost_of(const struct toy_model *m, size_t i, struct toy_cost *cost)
{
    struct toy_work_storage storage;
    struct work work;
    switch (m->program->stmts[i].insn) {
#define COST(insn, what, name, delay)                                                              \
    case TOY_##insn:                                                                               \
        *cost = (struct toy_cost){TOY_UNIT_##what,                                                 \
                                  m->value[TOY_PARAM_##name],                                      \
                                  m->value[TOY_PARAM_##delay],                                     \
                                  #name,                                                           \
                                  #delay,                                                          \
                                  {0}};                                                            \
        break;
#include "timing/toy/cost.def"
    case TOY_GET:
    case TOY_INSNS:
        break;
    }
    toy_work(m->program, i, &storage, &work);
    cost->accs.reads = work.read_count ? work.reads->set : 0;
    cost->accs.writes = work.write_count ? work.writes->set : 0;
}

static void shape(const void *context, uint32_t stmt, struct path_shape *shape)
{
    const struct toy_cost *cost = &((const struct toy_model *)context)->cost[stmt];
    *shape = (struct path_shape){cost->latency, &cost->accs.reads, &cost->accs.writes};
}

static uint32_t does(const void *context, uint32_t stream, uint64_t from, uint64_t to)
{
    (void)context;
    (void)stream;
    (void)from;
    (void)to;
    return REASON_BUSY;
}

static int init_parts(struct toy_model *m)
{
    static const struct resource_calls calls = {.start = start};
    m->cost = calloc(m->program->count + 1, sizeof *m->cost);
    if (!m->cost || kernel_init(&m->base.kernel, 3, m->base.kernel.run_ahead) != 0 ||
        resource_init(&m->ports, &m->base.kernel, 2, &calls, m) != 0 ||
        scoreboard_init(&m->scoreboard, TOY_ACCS) != 0 ||
        account_init(&m->base.account, TOY_UNITS, m->base.sink) != 0)
        return -1;
    const struct path_config config = {.streams = &m->stream,
                                       .stream_count = 1,
                                       .stmt_count = m->program->count,
                                       .places = TOY_ACCS,
                                       .shape = shape,
                                       .does = does,
                                       .context = m};
    return path_init(&m->base.path, &config);
}

int toy_model_init(struct machine_model *model)
{
    struct toy_model *m = (struct toy_model *)model;
    const struct model_options *options = &model->options;
    m->sequencer =
        (struct process){.resume = sequence, .horizon = kernel_never, .describe = describe};
    m->program = &model->run->program->program;
    m->copier.process = (struct process){.resume = copy, .describe = describe_copier};
    m->copier.unwaited = PATH_NONE;
    m->stream = (struct path_stream){.unit = TOY_UNIT_SEQ, .quantum = 1};
    model->counters = m->counters;
    for (size_t i = 0; i < TOY_PARAMS; i++)
        if (toy_params[i].type == PARAM_INTEGER)
            m->value[i] = config_integer(options->config, i, options->documented);
    if (init_parts(m) != 0)
        return -1;
    for (size_t i = 0; i < m->program->count; i++)
        cost_of(m, i, &m->cost[i]);
    skip_gets(m);
    m->stream.first = m->next;
    wake_sequencer(m);
    return 0;
}

void toy_model_free(struct machine_model *model)
{
    struct toy_model *m = (struct toy_model *)model;
    free(m->cost);
    resource_free(&m->ports);
    scoreboard_free(&m->scoreboard);
}
