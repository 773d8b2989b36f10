/* warp: the instructions of one warp, and the SM's choice among warps. */
#include <string.h>

#include "timing/ventus/collect.h"

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
    const uint8_t port = cost->vector ? VENTUS_UNIT_VISSUE : VENTUS_UNIT_ISSUE;
    struct path_record before = record;
    before.end = before.released = w.branch;
    before.active = false;
    stall(t, &before, t->waits ? VENTUS_REASON_BARRIER : VENTUS_REASON_BRANCH, t->order,
          (struct sink_edge){.src = last,
                             .kind = EDGE_SUPPLY,
                             .unit = ventus_port_unit(m, t->sm, VENTUS_UNIT_ISSUE),
                             .rule = "",
                             .at = w.branch});
    if (at > w.branch && w.branch > t->order) { /* two stalls are two records */
        path_issue(&m->base.path, &before);
        record.start = w.branch;
    } else {
        record.reason = before.reason;
    }
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
        record.by = t->last.number;
        stall(t, &record, VENTUS_REASON_COLLECTOR, w.data,
              (struct sink_edge){.src = last,
                                 .kind = EDGE_QUEUE,
                                 .unit = ventus_port_unit(m, t->sm, last_unit),
                                 .rule = "",
                                 .at = w.collector});
        if (t->held.number != PATH_NONE) {
            record.by = t->held.number;
            record.reason = (uint8_t)t->held.kind;
        }
    }
    if (at > w.collector) {
        const struct release *holder = &m->sms[t->sm].holder[port];
        record.by = holder->by.number;
        stall(t, &record, REASON_PORT, w.collector,
              (struct sink_edge){.src = holder->by.statement,
                                 .kind = EDGE_PORT,
                                 .unit = ventus_port_unit(m, t->sm, port),
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
    m->counters[VENTUS_COUNTER_SINGLE] +=
        (uint64_t)m->cost[t->stmt].flops * (ventus_is_vector(op) ? active : 1);
    m->counters[VENTUS_COUNTER_BRANCHES] += op->form == FORM_VBRANCH;
    m->counters[VENTUS_COUNTER_DIVERGENT] += op->form == FORM_VBRANCH && t->warp->depth > depth;
}

/* --- issue ------------------------------------------------------------------------------------ */

/* A collector: vectors take the first that is empty, scalars the second, so that both can be had in
 * one cycle. */
static struct ventus_collector *empty_collector(struct ventus_sm *sm, bool vector)
{
    const struct ventus_model *m = sm->model;
    const uint32_t count =
        m->base.options.alone ? VENTUS_COLLECTORS : (uint32_t)m->value[VENTUS_PARAM_collectors];
    struct ventus_collector *first = NULL;
    for (struct ventus_collector *c = sm->collectors; c < sm->collectors + count; c++) {
        if (c->thread)
            continue;
        if (vector || first)
            return c;
        first = c;
    }
    return first;
}

static void collect(struct ventus_thread *t, const struct ventus_cost *cost, uint32_t interval,
                    uint64_t at)
{
    struct ventus_sm *sm = &t->model->sms[t->sm];
    struct ventus_collector *c = empty_collector(sm, cost->vector);
    *c = (struct ventus_collector){.thread = t,
                                   .life = t->life,
                                   .stmt = t->stmt,
                                   .interval = interval,
                                   .pending = (uint32_t)((UINT64_C(1) << cost->operand_count) - 1),
                                   .at = at,
                                   .ready = at + VENTUS_BEHIND_ISSUE,
                                   .stream = ventus_stream(t->model, t->warp),
                                   .by = t->last};
    for (uint32_t i = 0; i < cost->operand_count; i++)
        c->banks[i] = (uint8_t)((cost->operands[i].reg + t->slot) %
                                sm->model->value[VENTUS_PARAM_register_banks]);
}

static void wake_released(struct ventus_model *m, uint32_t sm, uint64_t at)
{
    for (struct ventus_thread *t = m->threads; t < m->threads + m->sm_count * m->sm_warps; t++)
        if (t->sm == sm && t->warp && t->sleeps && t->warp->state == VENTUS_RUNS) {
            t->sleeps = false;
            t->branch = at;
            ventus_warp_look(t);
            ventus_stir(&m->sms[sm], at, "the barrier opens");
        }
}

/* The warp's next pc, and when it is known. */
static void go_on(struct ventus_thread *t, const struct ventus_effect *e, uint64_t at)
{
    struct ventus_model *m = t->model;
    struct ventus_warp *w = t->warp;
    const bool ends = w->state == VENTUS_ENDED;
    const bool jumps = !ends && e->next != e->pc + ventus_size(e->op->word);
    t->order = at + 1;
    t->branch = m->cost[t->stmt].jump ? VENTUS_NEVER : 0; /* known when it leaves its collector */
    t->waits = e->barrier;
    t->fenced = e->op->form == FORM_RISCV && e->op->insn == RISCV_FENCE;
    t->sleeps = e->barrier || ends;
    t->jumps = jumps && m->cost[t->stmt].jump;
    if (jumps)
        ventus_fetch_from(t, w->pc, t->jumps ? VENTUS_NEVER : at + 1);
    else
        ventus_fetch_used(t, e->pc, e->next);
    if (ends || e->barrier)
        wake_released(m, t->sm, at + m->value[VENTUS_PARAM_barrier_cycles]);
    ventus_warp_look(t);
}

/* What is counted and observed of an instruction that has issued. */
static void show(struct ventus_thread *t, const struct ventus_effect *e, uint32_t depth,
                 uint64_t at)
{
    struct ventus_model *m = t->model;
    if (m->base.sink)
        count(t, e, depth);
    if (m->base.options.own)
        ventus_history_issued(t, e, at);
    kernel_count(&m->base.kernel, 1);
    if (m->run->observe)
        m->run->observe(m->run->context, t->warp, e);
}

/* A prefix is over when it has been decoded. */
static void decode_prefix(struct ventus_thread *t, const struct ventus_effect *e, uint64_t number,
                          uint64_t at)
{
    struct ventus_model *m = t->model;
    const struct ventus_result result = {.thread = t,
                                         .stmt = t->stmt,
                                         .stream = ventus_stream(m, t->warp),
                                         .issued = at,
                                         .by = {.number = number, .statement = t->stmt}};
    show(t, e, t->warp->depth, at);
    go_on(t, e, at);
    ventus_written(t, &result, at);
}

static void issue(struct ventus_thread *t, uint64_t at)
{
    struct ventus_model *m = t->model;
    struct ventus_sm *sm = &m->sms[t->sm];
    struct ventus_effect e;
    struct ventus_warp *w = t->warp;
    const uint32_t depth = w->depth;
    const uint32_t interval =
        t->stmt == NONE_ID ? 1 : ventus_interval(m, &m->cost[t->stmt], &m->launch->ops[t->stmt], w);
    if (m->base.status != 0)
        return;
    if (m->base.options.own)
        ventus_history_began(t);
    if (ventus_step(&m->run->exec, w, &e) != 0) {
        char sentence[VENTUS_ERROR];
        m->base.status = 1;
        ventus_run_fault(m->run, w, sentence);
        ventus_report_fault(m->base.run, sentence);
        return;
    }
    const struct ventus_cost *cost = &m->cost[t->stmt];
    const uint8_t port = cost->vector ? VENTUS_UNIT_VISSUE : VENTUS_UNIT_ISSUE;
    const uint64_t number = m->base.sink ? record(t, at) : PATH_NONE;
    if (cost->prefix) {
        decode_prefix(t, &e, number, at);
        return;
    }
    t->last = (struct producer){.number = number, .statement = t->stmt};
    sm->holder[port] = (struct release){t->last, at + 1};
    ventus_charge(t, t->stmt, ventus_port_unit(m, t->sm, port), REASON_BUSY, at, at + 1);
    struct place_set sets[VENTUS_PLACE_WORDS];
    ventus_place_sets(cost, sets);
    scoreboard_write(&t->board, sets, VENTUS_PLACE_WORDS, VENTUS_NEVER, &t->last);
    t->collector = VENTUS_NEVER;
    collect(t, cost, interval, at);
    if (m->base.options.alone)
        ventus_alone_issue(t, cost);
    if (cost->memory && e.access.count)
        ventus_access(t, &e);
    show(t, &e, depth, at);
    go_on(t, &e, at);
}

/* Of the warps that can issue a scalar or vector instruction in this cycle the next one after the
 * last; or NULL. */
static struct ventus_thread *choose(struct ventus_sm *sm, bool vector, uint64_t now)
{
    struct ventus_model *m = sm->model;
    struct ventus_thread *threads = m->threads + (sm - m->sms) * m->sm_warps;
    uint32_t slot = sm->turn[vector];
    for (uint32_t i = 0; i < m->sm_warps; i++) {
        slot = slot + 1 < m->sm_warps ? slot + 1 : 0;
        struct ventus_thread *t = &threads[slot];
        if (!t->warp || t->sleeps || t->prefix)
            continue;
        const bool is_vector = t->stmt != NONE_ID && m->cost[t->stmt].vector;
        if (is_vector == vector && ventus_ready(t) <= now)
            return t;
    }
    return NULL;
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

/* The prefixes that are in front. */
static void decode_prefixes(struct ventus_sm *sm, uint64_t now)
{
    struct ventus_model *m = sm->model;
    struct ventus_thread *threads = m->threads + (sm - m->sms) * m->sm_warps;
    for (struct ventus_thread *t = threads; t < threads + m->sm_warps; t++)
        if (t->warp && t->prefix && ventus_ready(t) <= now && !is_delayed(t, now))
            issue(t, now);
}

static void issue_one(struct ventus_sm *sm, bool vector, uint64_t now)
{
    const struct ventus_model *m = sm->model;
    struct ventus_thread *t = NULL;
    do {
        if (empty_collector(sm, vector))
            t = choose(sm, vector, now);
        while (t && is_delayed(t, now))
            t = choose(sm, vector, now);
        if (!t)
            return;
        sm->turn[vector] = t->slot;
        issue(t, now);
        t = NULL;
    } while (m->base.options.alone && m->base.status == 0);
}

static uint64_t next_issue(const struct ventus_sm *sm, uint64_t now)
{
    const struct ventus_model *m = sm->model;
    const struct ventus_thread *threads = m->threads + (sm - m->sms) * m->sm_warps;
    uint64_t next = VENTUS_NEVER;
    for (uint32_t i = 0; i < m->sm_warps; i++) {
        const struct ventus_thread *t = &threads[i];
        const uint64_t at = ventus_ready(t);
        next = at != VENTUS_NEVER && later(now + 1, at) < next ? later(now + 1, at) : next;
        if (t->current.group == VENTUS_NO_GROUP && t->buffered)
            return now + 1;
    }
    return next;
}

/* A cycle of the SM from its collectors to its registers. */
static void resume(struct process *process, struct kernel *kernel)
{
    struct ventus_sm *sm = (struct ventus_sm *)process;
    struct ventus_model *m = sm->model;
    struct ventus_thread *threads = m->threads + (sm - m->sms) * m->sm_warps;
    const uint64_t now = kernel->now;
    ventus_leave_collectors(sm, false, now);
    ventus_leave_collectors(sm, true, now);
    ventus_write_back(sm, false, now);
    ventus_lsu_return(sm, now);
    ventus_write_back(sm, true, now);
    ventus_read_banks(sm, now);
    decode_prefixes(sm, now);
    issue_one(sm, false, now);
    issue_one(sm, true, now);
    for (uint32_t i = 0; i < m->sm_warps; i++)
        ventus_fetch_turn(&threads[i], now);
    uint64_t next = ventus_collect_next(sm, now);
    next = ventus_lsu_next(sm, now) < next ? ventus_lsu_next(sm, now) : next;
    next = next_issue(sm, now) < next ? next_issue(sm, now) : next;
    if (m->base.status != 0)
        kernel_sleep(kernel, process);
    else if (next != VENTUS_NEVER)
        kernel_wake_by(kernel, process, next, PHASE_ARRIVE, "the next cycle with something to do");
}

static void describe(const struct process *process, char *text, size_t size)
{
    const struct ventus_sm *sm = (const struct ventus_sm *)process;
    snprintf(text, size, "sm%u issue", (uint32_t)(sm - sm->model->sms));
}

void ventus_issue_init(struct ventus_sm *sm)
{
    sm->issue = (struct process){.resume = resume, .describe = describe};
    /* Each turn begins with the first. */
    for (uint32_t vector = 0; vector < 2; vector++) {
        sm->turn[vector] = sm->model->sm_warps - 1;
        sm->leave_turn[vector] = VENTUS_COLLECTORS - 1;
        memset(sm->bank_turn[vector], 4 * VENTUS_COLLECTORS - 1, sizeof sm->bank_turn[vector]);
    }
}
