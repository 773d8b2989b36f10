/* warp: the instructions of one warp, and the SM's choice among warps. */
#include "timing/ventus/model.h"

/* --- what it did, and what held it ------------------------------------------------------------ */

/* It was held in [from, at): the statement that held it, and what they share. */
static void edge(struct ventus_thread *t, uint64_t from, struct sink_edge edge)
{
    edge.dst = t->stmt;
    edge.released = edge.at;
    edge.waited = edge.at - from;
    edge.times = 1;
    run_edge(&t->model->base, &edge);
}

/* A stall of the warp in [from, edge.at), with what let it go. */
static void stall(struct ventus_thread *t, struct path_record *record, uint32_t reason,
                  uint64_t from, struct sink_edge cause)
{
    if (cause.at <= from)
        return;
    record->reason = (uint8_t)reason;
    ventus_charge(t, t->stmt, ventus_warp_unit(t->model, t), reason, from, cause.at);
    edge(t, from, cause);
}

/* Its record in path, with what held it. */
static uint64_t record(struct ventus_thread *t, uint64_t at)
{
    struct ventus_model *m = t->model;
    const struct ventus_cost *cost = &m->cost[t->stmt];
    const uint32_t unit = ventus_warp_unit(m, t);
    const struct ventus_waits w = ventus_waits(t);
    struct path_record record = {
        .start = t->order,
        .end = at,
        .released = at,
        .by = PATH_NONE,
        .waited = PATH_NONE,
        .ordinal = m->streams[t->number].ordinal++,
        .stream = t->number,
        .stmt = t->stmt,
        .absorbs = true,
        .active = true,
        .pinned = true,
        .unit = cost->unit == VENTUS_UNIT_ISSUE ? unit : ventus_port_unit(m, t->sm, cost->unit),
        .claimed = w.collector,
        .older = PATH_NONE};
    const uint32_t last = t->last.statement;
    const uint8_t last_unit = last == NONE_ID ? VENTUS_UNIT_ISSUE : m->cost[last].unit;
    stall(t, &record, t->waits ? VENTUS_REASON_BARRIER : VENTUS_REASON_BRANCH, t->order,
          (struct sink_edge){.src = last,
                             .kind = EDGE_SUPPLY,
                             .unit = ventus_port_unit(m, t->sm, VENTUS_UNIT_ISSUE),
                             .rule = "",
                             .at = w.branch});
    stall(t, &record, REASON_EMPTY, w.branch,
          (struct sink_edge){.src = last,
                             .kind = EDGE_SUPPLY,
                             .unit = ventus_port_unit(m, t->sm, VENTUS_UNIT_FETCH),
                             .rule = "fetch_latency",
                             .at = w.fetched});
    if (w.data > w.fetched) {
        const struct ventus_cost *from = &m->cost[t->data.by.statement];
        record.by = t->data.by.number;
        stall(t, &record, from->memory ? REASON_MEMORY : REASON_DATA, w.fetched,
              (struct sink_edge){.src = t->data.by.statement,
                                 .kind = from->memory ? EDGE_MEMORY : EDGE_DATA,
                                 .unit = ventus_port_unit(m, t->sm, from->unit),
                                 .rule = from->rule,
                                 .at = w.data});
    }
    if (w.collector > w.data) {
        const uint64_t pipe = m->value[VENTUS_PARAM_pipe_cycles];
        const bool unit_held = t->collector > t->order + 1 + pipe;
        record.by = t->last.number;
        stall(t, &record, VENTUS_REASON_COLLECTOR, w.data,
              (struct sink_edge){.src = last,
                                 .kind = EDGE_QUEUE,
                                 .unit = ventus_port_unit(m, t->sm, last_unit),
                                 .rule = unit_held ? "" : "pipe_cycles",
                                 .at = w.collector});
    }
    if (at > w.collector) {
        const struct release *holder = &m->sms[t->sm].holder[VENTUS_UNIT_ISSUE];
        record.by = holder->by.number;
        stall(t, &record, REASON_PORT, w.collector,
              (struct sink_edge){.src = holder->by.statement,
                                 .kind = EDGE_PORT,
                                 .unit = ventus_port_unit(m, t->sm, VENTUS_UNIT_ISSUE),
                                 .rule = "",
                                 .at = at});
    }
    ventus_charge(t, t->stmt, unit, REASON_BUSY, at, at + 1);
    m->streams[t->number].now = at + 1;
    return path_issue(&m->base.path, &record);
}

static void count(struct ventus_thread *t, const struct ventus_effect *e, uint32_t depth)
{
    struct ventus_model *m = t->model;
    const struct ventus_op *op = e->op;
    const uint32_t active = (uint32_t)__builtin_popcount(e->mask);
    const bool lanes = ventus_is_vector(op) && e->mask;
    m->counters[VENTUS_COUNTER_STEPS]++;
    m->counters[ventus_is_vector(op) ? VENTUS_COUNTER_VECTORS : VENTUS_COUNTER_SCALARS]++;
    if (lanes) {
        m->counters[VENTUS_COUNTER_LANES] += active;
        m->counters[VENTUS_COUNTER_LANES_ALL] += m->launch->threads;
        m->idle[t->stmt] += m->launch->threads - active;
    }
    struct sink_stmt_total *row = run_row(&m->base, ventus_warp_unit(m, t), REASON_BUSY, t->stmt);
    if (row)
        row->ops += lanes ? active : 1;
    if (ventus_class_of(op) == VENTUS_FPU)
        m->counters[VENTUS_COUNTER_SINGLE] += ventus_is_vector(op) ? active : 1;
    m->counters[VENTUS_COUNTER_BRANCHES] += op->form == FORM_VBRANCH;
    m->counters[VENTUS_COUNTER_DIVERGENT] += op->form == FORM_VBRANCH && t->warp->depth > depth;
}

/* --- issue ------------------------------------------------------------------------------------ */

uint32_t ventus_interval(const struct ventus_model *m, const struct ventus_cost *cost,
                         const struct ventus_op *op)
{
    const uint64_t *v = m->value;
    if (cost->unit != VENTUS_UNIT_SFU)
        return cost->interval;
    const uint64_t lanes = later(m->launch->threads / v[VENTUS_PARAM_sfu_share], 1);
    const uint64_t wanted = ventus_is_vector(op) ? m->launch->threads : 1;
    return (uint32_t)((wanted + lanes - 1) / lanes * v[VENTUS_PARAM_sfu_interval]);
}

/* The cycle in which the operands of an instruction that issues in cycle `at` have been read. */
static uint64_t collect(struct ventus_thread *t, const struct ventus_cost *cost, uint64_t at)
{
    struct ventus_model *m = t->model;
    struct ventus_sm *sm = &m->sms[t->sm];
    uint64_t done = at + 1;
    for (uint32_t word = 0; word < VENTUS_PLACE_WORDS; word++)
        for (uint64_t left = cost->reads[word]; left; left &= left - 1) {
            const uint64_t reg = 64 * word + (uint64_t)__builtin_ctzll(left);
            uint64_t *free =
                &sm->banks[word > 0][(reg + t->slot) % m->value[VENTUS_PARAM_register_banks]];
            const uint64_t cycle = m->base.options.alone ? at + 1 : later(at + 1, *free);
            *free = cycle + 1;
            done = later(done, cycle + 1);
        }
    return done + m->value[VENTUS_PARAM_pipe_cycles];
}

static void wake_released(struct ventus_model *m, uint32_t sm, uint64_t at)
{
    for (struct ventus_thread *t = m->threads; t < m->threads + m->sm_count * m->sm_warps; t++)
        if (t->sm == sm && t->sleeps && t->warp->state == VENTUS_RUNS) {
            t->sleeps = false;
            t->branch = at;
            ventus_warp_look(t);
        }
}

/* What the instruction does on its unit, its operands being there in cycle `from`. Returns the
 * cycle in which its result can be read. */
static uint64_t execute(struct ventus_thread *t, const struct ventus_cost *cost,
                        const struct ventus_effect *e, uint64_t from)
{
    struct ventus_model *m = t->model;
    struct ventus_sm *sm = &m->sms[t->sm];
    const uint64_t unit = UINT64_C(1) << cost->unit;
    const uint64_t start =
        m->base.options.alone ? from : later(from, resource_free_at(&sm->ports, unit));
    const uint64_t freed = start + ventus_interval(m, cost, e->op);
    resource_take(&sm->ports, cost->unit, t->number, 0, freed);
    sm->holder[cost->unit] = (struct release){t->last, freed};
    t->collector = start;
    ventus_charge(t, t->stmt, ventus_port_unit(m, t->sm, cost->unit), REASON_BUSY, start, freed);
    return ventus_write_back(sm, cost->vector, freed - 1 + cost->latency);
}

/* Where the warp goes on, and when that is known. */
static void go_on(struct ventus_thread *t, const struct ventus_effect *e, uint64_t at,
                  uint64_t decided)
{
    struct ventus_model *m = t->model;
    struct ventus_warp *w = t->warp;
    t->order = at + m->value[VENTUS_PARAM_warp_switch];
    t->branch = m->cost[t->stmt].jump ? decided : 0;
    t->waits = t->sleeps = e->barrier;
    if (w->state != VENTUS_ENDED && e->next != e->pc + ventus_size(e->op->word))
        ventus_fetch_from(t, w->pc, decided);
    else if (w->state != VENTUS_ENDED)
        ventus_fetch_used(t, e->pc, w->pc, at);
    if (w->state == VENTUS_ENDED || e->barrier)
        wake_released(m, t->sm, at + 1);
    if (w->state == VENTUS_ENDED)
        ventus_leave(t, at + 1);
    ventus_warp_look(t);
}

static void issue(struct ventus_thread *t, uint64_t at)
{
    struct ventus_model *m = t->model;
    struct ventus_sm *sm = &m->sms[t->sm];
    struct ventus_effect e;
    struct ventus_warp *w = t->warp;
    const uint32_t depth = w->depth;
    if (m->base.status != 0)
        return;
    if (ventus_step(&m->run->exec, w, &e) != 0) {
        char sentence[VENTUS_ERROR];
        m->base.status = 1;
        ventus_run_fault(m->run, w, sentence);
        ventus_report_fault(m->base.run, sentence);
        return;
    }
    const struct ventus_cost *cost = &m->cost[t->stmt];
    const uint64_t number = m->base.sink ? record(t, at) : PATH_NONE;
    t->last = (struct producer){.number = number, .statement = t->stmt};
    sm->holder[VENTUS_UNIT_ISSUE] = (struct release){t->last, at + 1};
    ventus_charge(t, t->stmt, ventus_port_unit(m, t->sm, VENTUS_UNIT_ISSUE), REASON_BUSY, at,
                  at + 1);
    const uint64_t operands = collect(t, cost, at);
    uint64_t ready = operands + cost->latency;
    t->collector = operands;
    const bool accesses = cost->memory && e.access.count;
    if (accesses)
        ready = VENTUS_NEVER; /* until its last line has gone */
    else if (cost->unit != VENTUS_UNIT_ISSUE)
        ready = execute(t, cost, &e, operands);
    struct place_set sets[VENTUS_PLACE_WORDS];
    ventus_place_sets(cost, sets);
    scoreboard_write(&t->board, sets, VENTUS_PLACE_WORDS, ready, &t->last);
    if (accesses)
        ventus_access(t, &e, operands);
    if (ready != VENTUS_NEVER)
        m->base.finish = later(m->base.finish, ready);
    if (m->base.sink) {
        if (m->base.path.status == 0 && ready != VENTUS_NEVER)
            path_end(&m->base.path, number, ready, ready);
        count(t, &e, depth);
    }
    kernel_count(&m->base.kernel, 1);
    if (ready != VENTUS_NEVER)
        ventus_report_execution(
            m, &(struct sink_execution){
                   .stream = ventus_stream(m, w), .stmt = t->stmt, .start = at, .end = ready});
    if (m->run->observe)
        m->run->observe(m->run->context, w, &e);
    go_on(t, &e, at, ready == VENTUS_NEVER ? operands : ready);
}

/* Of the warps that can issue in this cycle the one that goes; or NULL. */
static struct ventus_thread *choose(struct ventus_sm *sm, uint64_t now)
{
    struct ventus_model *m = sm->model;
    struct ventus_thread *threads = m->threads + (sm - m->sms) * m->sm_warps, *best = NULL;
    if (m->greedy && ventus_ready(&threads[sm->turn]) <= now)
        return &threads[sm->turn];
    for (uint32_t i = 1; i <= m->sm_warps; i++) {
        struct ventus_thread *t = &threads[(sm->turn + i) % m->sm_warps];
        if (ventus_ready(t) > now)
            continue;
        if (!m->greedy)
            return t;
        if (!best || ventus_ready(t) < ventus_ready(best))
            best = t;
    }
    return best;
}

/* Whether it is the execution that this model delays, for the first time. */
static bool is_delayed(struct ventus_thread *t, uint64_t now)
{
    struct machine_model *m = &t->model->base;
    const struct machine_delay *delay = m->options.delay;
    if (!delay || t->stmt != delay->stmt || m->turns > delay->turn || m->turns++ < delay->turn)
        return false;
    t->order = now + delay->cycles;
    return true;
}

static void resume(struct process *process, struct kernel *kernel)
{
    struct ventus_sm *sm = (struct ventus_sm *)process;
    struct ventus_model *m = sm->model;
    struct ventus_thread *t = choose(sm, kernel->now);
    while (t && is_delayed(t, kernel->now))
        t = choose(sm, kernel->now);
    for (; t && m->base.status == 0; t = m->base.options.alone ? choose(sm, kernel->now) : NULL) {
        sm->turn = t->slot;
        sm->next_issue = kernel->now + 1;
        issue(t, kernel->now);
    }
    if (m->base.status != 0)
        kernel_sleep(kernel, process);
    else
        ventus_arm(sm);
}

static void describe(const struct process *process, char *text, size_t size)
{
    const struct ventus_sm *sm = (const struct ventus_sm *)process;
    snprintf(text, size, "sm%u issue", (uint32_t)(sm - sm->model->sms));
}

void ventus_issue_init(struct ventus_sm *sm)
{
    sm->issue = (struct process){.resume = resume, .describe = describe};
}
