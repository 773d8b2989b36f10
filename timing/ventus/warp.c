/* warp: the instructions of one warp, as a process of the kernel; and workgroups. */
#include "timing/ventus/model.h"

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* --- the next instruction --------------------------------------------------------------------- */

static void place_sets(const struct ventus_cost *cost, struct place_set sets[VENTUS_PLACE_WORDS])
{
    for (uint32_t i = 0; i < VENTUS_PLACE_WORDS; i++)
        sets[i] = (struct place_set){64 * i, cost->reads[i], cost->writes[i]};
}

static uint32_t group_of(const struct ventus_model *m, uint32_t pc)
{
    return pc / (4 * (uint32_t)m->value[VENTUS_PARAM_fetch_width]) + 1;
}

/* What stands at the warp's pc; stmt is NONE_ID when nothing does: the step says so. */
static void look(struct ventus_thread *t)
{
    const struct ventus_model *m = t->model;
    const uint32_t at = (t->warp->pc - m->launch->code) / 4;
    t->stmt = at < m->stmt_count ? at : NONE_ID;
    t->data = (struct release){.by = NO_PRODUCER, .at = 0};
    if (t->stmt == NONE_ID)
        return;
    struct place_set sets[VENTUS_PLACE_WORDS];
    const struct ventus_cost *cost = &m->cost[t->stmt];
    place_sets(cost, sets);
    t->data.at = scoreboard_issue(&t->board, sets, VENTUS_PLACE_WORDS, cost->latency, &t->data.by);
}

static uint64_t ready_cycle(const struct ventus_thread *t)
{
    return later(later(t->order, t->fetched), t->data.at);
}

static void wake(struct ventus_thread *t)
{
    kernel_wake(&t->model->base.kernel, &t->process, ready_cycle(t), PHASE_ISSUE,
                t->data.at > later(t->order, t->fetched) ? "registers are ready"
                : t->fetched > t->order                  ? "instruction is there"
                                                         : "next instruction");
}

/* The instruction at the warp's pc, `before` having issued at `at`. */
static void fetch_next(struct ventus_thread *t, bool jumped, uint64_t at)
{
    const struct ventus_model *m = t->model;
    const uint32_t pc = t->warp->pc, group = group_of(m, pc);
    const uint64_t *v = m->value;
    if (jumped) {
        t->line = group;
        t->line_ready = ventus_fetch(t, pc, at + v[VENTUS_PARAM_jump_cycles]);
    }
    t->fetched = group == t->line ? t->line_ready : t->fetched;
}

/* The first instruction of what was fetched last has gone: the next is asked for. */
static void fetch_ahead(struct ventus_thread *t, uint32_t pc, uint64_t at)
{
    const struct ventus_model *m = t->model;
    const uint32_t size = 4 * (uint32_t)m->value[VENTUS_PARAM_fetch_width];
    if (group_of(m, pc) != t->line)
        return;
    t->line_ready = ventus_fetch(t, pc / size * size + size, at + 1);
    t->line++;
}

/* --- what it did, and what held it ------------------------------------------------------------ */

static void charge(struct ventus_thread *t, uint32_t unit, uint32_t reason, uint64_t from,
                   uint64_t to)
{
    struct ventus_model *m = t->model;
    if (to <= from || t->stmt == NONE_ID)
        return;
    struct ventus_cell *cell = &m->cells[t->stmt * m->unit_count + unit];
    cell->cycles[reason] += to - from;
    cell->events[reason]++;
    if (reason == REASON_BUSY)
        account_busy(&m->base.account, unit, t->stmt, from, to - from);
    else
        account_reason(&m->base.account, unit, reason, t->stmt, from, to);
}

/* It was held in [from, at): the statement that held it, and what they share. */
static void edge(struct ventus_thread *t, uint64_t from, struct sink_edge edge)
{
    struct ventus_model *m = t->model;
    edge.dst = t->stmt;
    edge.released = edge.at;
    edge.waited = edge.at - from;
    edge.times = 1;
    if (m->base.sink->ops->edge && m->base.status == 0)
        m->base.status = m->base.sink->ops->edge(m->base.sink->context, &edge);
}

/* Its record in path, with what held it. */
static uint64_t record(struct ventus_thread *t, uint64_t at)
{
    struct ventus_model *m = t->model;
    const struct ventus_cost *cost = &m->cost[t->stmt];
    const uint32_t unit = ventus_warp_unit(m, t);
    const uint64_t fetched = later(t->order, t->fetched), ready = later(fetched, t->data.at);
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
        .claimed = ready,
        .older = PATH_NONE};
    if (fetched > t->order) {
        record.reason = t->waits ? VENTUS_REASON_BARRIER : REASON_EMPTY;
        charge(t, unit, record.reason, t->order, fetched);
        edge(t, t->order,
             (struct sink_edge){.src = t->last.statement,
                                .kind = EDGE_SUPPLY,
                                .unit = ventus_port_unit(m, t->sm, VENTUS_UNIT_FETCH),
                                .rule = t->waits ? "" : "fetch_latency",
                                .at = fetched});
    }
    if (ready > fetched) {
        const struct ventus_cost *from = &m->cost[t->data.by.statement];
        record.by = t->data.by.number;
        record.reason = from->memory ? REASON_MEMORY : REASON_DATA;
        charge(t, unit, record.reason, fetched, ready);
        edge(t, fetched,
             (struct sink_edge){.src = t->data.by.statement,
                                .kind = from->memory ? EDGE_MEMORY : EDGE_DATA,
                                .unit = ventus_port_unit(m, t->sm, from->unit),
                                .rule = from->rule,
                                .at = ready});
    }
    if (at > ready) {
        const uint64_t ports = UINT64_C(1) << VENTUS_UNIT_ISSUE | UINT64_C(1) << cost->unit;
        const uint32_t port = resource_last_released(&m->sms[t->sm].ports, ports);
        const struct release *holder = &m->sms[t->sm].holder[port];
        record.by = holder->by.number;
        record.reason = REASON_PORT;
        charge(t, unit, REASON_PORT, ready, at);
        edge(t, ready,
             (struct sink_edge){.src = holder->by.statement,
                                .kind = EDGE_PORT,
                                .unit = ventus_port_unit(m, t->sm, port),
                                .rule = "",
                                .at = at});
    }
    charge(t, unit, REASON_BUSY, at, at + 1);
    m->streams[t->number].now = at + 1;
    return path_issue(&m->base.path, &record);
}

static void count(struct ventus_model *m, const struct ventus_effect *e)
{
    const struct ventus_op *op = e->op;
    m->counters[VENTUS_COUNTER_STEPS]++;
    m->counters[ventus_is_vector(op) ? VENTUS_COUNTER_VECTORS : VENTUS_COUNTER_SCALARS]++;
    const uint32_t active = (uint32_t)__builtin_popcount(e->mask);
    if (ventus_is_vector(op) && e->mask) {
        m->counters[VENTUS_COUNTER_LANES] += active;
        m->counters[VENTUS_COUNTER_LANES_ALL] += m->launch->threads;
    }
    if (ventus_class_of(op) == VENTUS_FPU)
        m->counters[VENTUS_COUNTER_SINGLE] += ventus_is_vector(op) ? active : 1;
    m->counters[VENTUS_COUNTER_BRANCHES] += op->form == FORM_VBRANCH;
}

/* --- issue ------------------------------------------------------------------------------------ */

static void dispatch(struct ventus_model *m, uint64_t at);

/* Cycles that the unit of an instruction is taken. */
static uint32_t interval_of(const struct ventus_model *m, const struct ventus_cost *cost,
                            const struct ventus_op *op)
{
    const uint64_t *v = m->value;
    if (cost->unit != VENTUS_UNIT_SFU)
        return cost->interval;
    const uint64_t lanes = ventus_is_vector(op) ? m->launch->threads : 1;
    const uint64_t times = (lanes + v[VENTUS_PARAM_sfu_lanes] - 1) / v[VENTUS_PARAM_sfu_lanes];
    return (uint32_t)(times * v[VENTUS_PARAM_sfu_interval]);
}

static void wake_released(struct ventus_model *m, uint32_t sm, uint64_t at)
{
    for (struct ventus_thread *t = m->threads; t < m->threads + m->sm_count * m->sm_warps; t++)
        if (t->sm == sm && t->sleeps && t->warp->state == VENTUS_RUNS) {
            t->sleeps = false;
            t->fetched = later(t->fetched, at);
            look(t);
            wake(t);
        }
}

static void leave(struct ventus_thread *t, uint64_t at)
{
    struct ventus_model *m = t->model;
    struct ventus_sm *sm = &m->sms[t->sm];
    struct ventus_group *group = t->warp->group;
    t->warp = NULL;
    if (m->base.sink)
        account_reach(&m->base.account, at);
    if (group->ended < group->count)
        return;
    for (uint32_t i = 0; i < VENTUS_SM_WARPS; i++)
        if (&sm->places[i].group == group)
            sm->places[i].used = false;
    sm->free += group->count;
    m->base.finish = later(m->base.finish, at + m->value[VENTUS_PARAM_end_cycles]);
    dispatch(m, at);
}

static void issue(struct ventus_thread *t, uint64_t at)
{
    struct ventus_model *m = t->model;
    struct ventus_sm *sm = &m->sms[t->sm];
    struct ventus_effect e;
    struct ventus_warp *w = t->warp;
    const uint32_t depth = w->depth, pc = w->pc;
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
    const struct producer producer = {.number = number, .statement = t->stmt};
    const uint32_t interval = interval_of(m, cost, e.op);
    uint64_t ready = at + cost->latency + (interval ? interval - 1 : 0), freed = at + interval;
    resource_take(&sm->ports, VENTUS_UNIT_ISSUE, t->number, 0, at + 1);
    sm->holder[VENTUS_UNIT_ISSUE] = (struct release){producer, at + 1};
    if (cost->memory && e.access.count) {
        ready = ventus_access(t, &e, at);
        freed = resource_free_at(&sm->ports, UINT64_C(1) << VENTUS_UNIT_LSU);
    } else if (cost->unit != VENTUS_UNIT_ISSUE) {
        resource_take(&sm->ports, cost->unit, t->number, 0, freed);
    }
    sm->holder[cost->unit] = (struct release){producer, freed};
    const uint64_t done = e.access.store && !e.access.atomic ? freed : later(ready, freed);
    if (m->base.sink) {
        charge(t, ventus_port_unit(m, t->sm, VENTUS_UNIT_ISSUE), REASON_BUSY, at, at + 1);
        if (cost->unit != VENTUS_UNIT_ISSUE) {
            const uint32_t unit = ventus_port_unit(m, t->sm, cost->unit);
            charge(t, unit, REASON_BUSY, at, freed);
            m->cells[t->stmt * m->unit_count + unit].bytes +=
                (uint64_t)e.access.count * e.access.bytes * (e.access.count > 0);
        }
        if (m->base.path.status == 0)
            path_end(&m->base.path, number, freed, done);
        count(m, &e);
        m->counters[VENTUS_COUNTER_DIVERGENT] += e.op->form == FORM_VBRANCH && w->depth > depth;
    }
    struct place_set sets[VENTUS_PLACE_WORDS];
    place_sets(cost, sets);
    scoreboard_write(&t->board, sets, VENTUS_PLACE_WORDS, ready, &producer);
    m->base.finish = later(m->base.finish, done);
    t->last = producer;
    t->order = at + later(m->value[VENTUS_PARAM_warp_switch], 1);
    t->waits = t->sleeps = e.barrier;
    kernel_count(&m->base.kernel, 1);
    if (m->run->observe)
        m->run->observe(m->run->context, w, &e);
    fetch_ahead(t, pc, at);
    if (w->state == VENTUS_ENDED) {
        wake_released(m, t->sm, at + 1);
        leave(t, at + 1);
        return;
    }
    fetch_next(t, ventus_is_jump(e.op) && e.next != e.pc + 4, at);
    if (e.barrier)
        wake_released(m, t->sm, at + 1);
    if (!e.barrier) {
        look(t);
        wake(t);
    }
}

static void resume(struct process *process, struct kernel *kernel)
{
    struct ventus_thread *t = (struct ventus_thread *)process;
    struct ventus_model *m = t->model;
    if (m->base.options.alone || t->stmt == NONE_ID) {
        issue(t, kernel->now);
        return;
    }
    const struct request request = {.ports = UINT64_C(1) << VENTUS_UNIT_ISSUE |
                                             UINT64_C(1) << m->cost[t->stmt].unit,
                                    .since = ready_cycle(t),
                                    .id = t->number};
    resource_ask(&m->sms[t->sm].ports, &request);
}

static void start(void *context, const struct request *request, uint64_t now)
{
    const struct ventus_sm *sm = context;
    issue(&sm->model->threads[request->id], now);
}

const struct resource_calls ventus_port_calls = {.start = start};

static void describe(const struct process *process, char *text, size_t size)
{
    const struct ventus_thread *t = (const struct ventus_thread *)process;
    if (!t->warp || t->stmt == NONE_ID)
        snprintf(text, size, "sm%u warp%u", t->sm, t->slot);
    else
        snprintf(text, size, "sm%u warp%u line %u", t->sm, t->slot, t->model->stmts[t->stmt].line);
}

/* --- workgroups ------------------------------------------------------------------------------- */

static struct ventus_place *free_place(struct ventus_sm *sm)
{
    struct ventus_place *place = sm->places;
    while (place->used)
        place++;
    return place;
}

static void begin_warp(struct ventus_thread *t, struct ventus_warp *warp, uint64_t at)
{
    t->warp = warp;
    t->waits = t->sleeps = false;
    t->last = NO_PRODUCER;
    t->order = at;
    t->fetched = at;
    t->line = 0;
    t->stmt = (warp->pc - t->model->launch->code) / 4;
    for (size_t i = 0; i < t->board.places; i++)
        t->board.ready[i] = 0;
    if (t->model->streams[t->number].ordinal == 0)
        t->model->streams[t->number].first = t->stmt;
    fetch_next(t, true, at);
    look(t);
    wake(t);
}

/* Workgroups that wait go to the SM with most room. */
static void dispatch(struct ventus_model *m, uint64_t at)
{
    while (m->next_group < m->groups) {
        struct ventus_sm *sm = m->sms;
        for (struct ventus_sm *s = m->sms; s < m->sms + m->sm_count; s++)
            sm = s->free > sm->free ? s : sm;
        if (sm->free < m->launch->warps)
            return;
        struct ventus_place *place = free_place(sm);
        place->used = true;
        place->group.warps = place->warps;
        sm->free -= m->launch->warps;
        ventus_group_start(&m->run->exec, &place->group, m->next_group++,
                           (uint32_t)(place - sm->places));
        place->group.sm = (uint32_t)(sm - m->sms);
        const uint64_t held = m->sm_warps - sm->free;
        if (held > m->counters[VENTUS_COUNTER_OCCUPANCY])
            m->counters[VENTUS_COUNTER_OCCUPANCY] = held;
        uint32_t next = 0;
        for (struct ventus_thread *t = m->threads; next < m->launch->warps; t++)
            if (t->sm == (uint32_t)(sm - m->sms) && !t->warp)
                begin_warp(t, &place->group.warps[next++], at);
    }
}

void ventus_warps_start(struct ventus_model *m)
{
    for (uint32_t i = 0; i < m->sm_count * m->sm_warps; i++) {
        struct ventus_thread *t = &m->threads[i];
        t->process = (struct process){.resume = resume, .describe = describe};
    }
    dispatch(m, m->value[VENTUS_PARAM_launch_cycles]);
}
