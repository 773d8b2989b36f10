/* thread: one CPU thread as a process of the kernel. */
#include "timing/amx/state.h"

/* --- the next instruction --------------------------------------------------------------------- */

/* From when on the registers of the thread's next instruction let it go. A write may not land before
 * an earlier one of the same register. */
static void find_data(struct thread *t, const struct cost *cost)
{
    t->data = (struct cause){.record = PATH_NONE, .stmt = NONE_ID};
    for (unsigned w = 0; w < PLACE_WORDS; w++)
        for (uint64_t left = cost->reads[w] | cost->writes[w]; left; left &= left - 1) {
            const unsigned bit = (unsigned)__builtin_ctzll(left);
            const struct cause *place = &t->places[64 * w + bit];
            const uint64_t early = cost->reads[w] >> bit & 1 ? 0 : cost->latency;
            if (place->ready > t->data.ready + early) {
                t->data = *place;
                t->data.ready -= early;
            }
        }
}

static void fetch(struct thread *t)
{
    const struct amx_model *m = t->model;
    const struct amx_item *item;
    do
        item = amx_cursor_next(&t->cursor, m->program);
    while (item && item->kind != AMX_ITEM_INSN);
    t->stmt = item ? m->stmt_of_item[item - m->program->items] : NONE_ID;
    if (item)
        find_data(t, &m->cost[t->stmt]);
}

/* First cycle in which thread and registers let the instruction go. */
static uint64_t ready_cycle(const struct thread *t)
{
    return t->data.ready > t->order ? t->data.ready : t->order;
}

/* --- what held it ----------------------------------------------------------------------------- */

/* Cycles [from, to) of a unit belong to reason, for a statement: of its cell, of the account. */
static void charge(struct thread *t, uint32_t unit, uint32_t reason, uint64_t from, uint64_t to)
{
    struct amx_model *m = t->model;
    if (to <= from)
        return;
    const struct cost *cost = &m->cost[t->stmt];
    const uint32_t at = unit == cpu_unit(t) ? t->number - cost->first_thread
                                            : cost->threads + t->cluster;
    struct cell *cell = &m->cells[cost->cells + at];
    cell->cycles[reason] += to - from;
    cell->events[reason]++;
    if (reason == REASON_BUSY)
        account_busy(&m->account, unit, t->stmt, from, to - from);
    else
        account_reason(&m->account, unit, reason, t->stmt, from, to);
}

/* The instruction was held in [from, to), its port with it as far as it had nothing else to do. */
static void held(struct thread *t, struct sink_edge edge, uint32_t reason, uint64_t from)
{
    struct amx_model *m = t->model;
    const struct sink_ops *ops = m->options.sink->ops;
    const uint32_t port = port_of(t, &m->cost[t->stmt]);
    const uint64_t to = from + edge.waited;
    charge(t, cpu_unit(t), reason, from, to);
    if (port != NO_PORT) {
        const uint64_t free_at = m->holder[port].ready;
        charge(t, port, reason, free_at > from ? free_at : from, to);
    }
    edge.dst = t->stmt;
    edge.times = 1;
    if (ops->edge && m->status == 0)
        m->status = ops->edge(m->options.sink->context, &edge);
}

/* Report what held the instruction before cycle at. Returns why it was held last, and the cause. */
static uint32_t report_waits(struct thread *t, uint64_t at, const struct cause **last)
{
    const struct amx_model *m = t->model;
    const uint64_t ready = ready_cycle(t);
    uint32_t reason = REASON_BUSY;
    if (ready > t->order) {
        const struct cost *by = &m->cost[t->data.stmt];
        const struct sink_edge edge = {.src = t->data.stmt,
                                       .kind = by->reason == REASON_MEMORY ? EDGE_MEMORY : EDGE_DATA,
                                       .unit = work_unit(t, by),
                                       .rule = by->rule,
                                       .released = ready,
                                       .at = at,
                                       .waited = ready - t->order};
        reason = by->reason;
        *last = &t->data;
        held(t, edge, reason, t->order);
    }
    if (at > ready) {
        const uint32_t port = port_of(t, &m->cost[t->stmt]);
        const struct cause *by = &m->holder[port];
        const struct sink_edge edge = {.src = by->stmt,
                                       .kind = EDGE_PORT,
                                       .unit = port,
                                       .rule = m->cost[by->stmt].port_rule,
                                       .released = at,
                                       .at = at,
                                       .waited = at - ready};
        reason = REASON_PORT;
        *last = by;
        held(t, edge, reason, ready);
    }
    return reason;
}

/* The number of its record. */
static uint64_t record(struct thread *t, uint64_t at)
{
    struct amx_model *m = t->model;
    const struct cost *cost = &m->cost[t->stmt];
    struct path_stream *stream = &m->streams[t->index];
    const struct cause *by = NULL;
    const uint32_t port = port_of(t, cost);
    const uint32_t reason = report_waits(t, at, &by);
    const struct path_record given = {.start = t->order,
                                      .end = at,
                                      .released = at,
                                      .by = by ? by->record : PATH_NONE,
                                      .waited = PATH_NONE,
                                      .ordinal = stream->ordinal,
                                      .stream = t->index,
                                      .stmt = t->stmt,
                                      .reason = (uint8_t)reason,
                                      .absorbs = true,
                                      .active = true,
                                      .unit = work_unit(t, cost),
                                      .units = port == NO_PORT ? 0 : UINT64_C(1) << port,
                                      .alone = cost->length,
                                      .claimed = at,
                                      .older = PATH_NONE};
    const uint64_t number = path_issue(&m->path, &given);
    if (m->path.status == 0)
        path_end(&m->path, number, at + (port == NO_PORT ? 0 : cost->interval), at + cost->length);
    charge(t, cpu_unit(t), REASON_BUSY, at, at + cost->cpu);
    if (port != NO_PORT)
        charge(t, port, REASON_BUSY, at, at + cost->interval);
    stream->now = at + cost->cpu;
    stream->ordinal++;
    stream->work += cost->cpu;
    m->counters[AMX_COUNTER_STEPS]++;
    m->counters[cost->counter] += cost->flops;
    return number;
}

/* --- issue ------------------------------------------------------------------------------------ */

static void issue(struct thread *t, uint64_t at)
{
    struct amx_model *m = t->model;
    const struct cost *cost = &m->cost[t->stmt];
    const uint64_t number = m->options.sink ? record(t, at) : PATH_NONE;
    const uint32_t port = port_of(t, cost);
    if (port != NO_PORT) {
        resource_take(&m->ports, port, t->index, 0, at + cost->interval);
        m->holder[port] = (struct cause){at + cost->interval, number, t->stmt};
    }
    for (unsigned w = 0; w < PLACE_WORDS; w++)
        for (uint64_t left = cost->writes[w]; left; left &= left - 1)
            t->places[64 * w + (unsigned)__builtin_ctzll(left)] =
                (struct cause){at + cost->latency, number, t->stmt};
    t->order = at + cost->cpu;
    if (at + cost->length > t->finish)
        t->finish = at + cost->length;
    if (t->finish > m->finish)
        m->finish = t->finish;
    kernel_count(&m->kernel, 1);
    fetch(t);
}

static void sleep_until_ready(struct thread *t)
{
    if (t->stmt != NONE_ID)
        kernel_wake(&t->model->kernel, &t->process, ready_cycle(t), PHASE_ISSUE,
                    t->data.ready > t->order ? "registers are ready" : "next instruction");
}

/* First cycle in which another thread of the cluster can issue. */
static uint64_t others(const struct process *process, const struct kernel *kernel)
{
    (void)kernel;
    const struct thread *t = (const struct thread *)process;
    const struct amx_model *m = t->model;
    uint64_t first = UINT64_MAX;
    for (const struct thread *o = m->threads; o < m->threads + m->thread_count; o++)
        if (o != t && o->cluster == t->cluster && o->stmt != NONE_ID && ready_cycle(o) < first)
            first = ready_cycle(o);
    return first;
}

/* Its next instruction is ready. It goes at once unless its port is held or others want it, and so do
 * those behind it, up to the horizon. */
static void resume(struct process *process, struct kernel *kernel)
{
    struct thread *t = (struct thread *)process;
    const struct amx_model *m = t->model;
    const uint64_t horizon = kernel_horizon(kernel, process), contended = others(process, kernel);
    while (t->stmt != NONE_ID) {
        if (kernel_exhausted(kernel)) {
            kernel_pause(kernel, process);
            return;
        }
        const uint32_t port = port_of(t, &m->cost[t->stmt]);
        uint64_t at = ready_cycle(t);
        if (port != NO_PORT && m->ports.ports[port].free_at > at)
            at = m->ports.ports[port].free_at;
        if (at >= horizon || (port != NO_PORT && at >= contended))
            break;
        issue(t, at);
    }
    if (t->stmt == NONE_ID || ready_cycle(t) > kernel->now) {
        sleep_until_ready(t);
        return;
    }
    const struct request request = {.ports = UINT64_C(1) << port_of(t, &m->cost[t->stmt]),
                                    .since = t->order,
                                    .id = t->index};
    resource_ask(&t->model->ports, &request);
}

static void start(void *context, const struct request *request, uint64_t now)
{
    struct thread *t = &((struct amx_model *)context)->threads[request->id];
    issue(t, now);
    sleep_until_ready(t);
}

const struct resource_calls amx_port_calls = {.start = start};

static void describe(const struct process *process, char *text, size_t size)
{
    const struct thread *t = (const struct thread *)process;
    snprintf(text, size, "cpu%u", t->number);
    if (t->stmt != NONE_ID)
        snprintf(text, size, "cpu%u line %u", t->number, t->model->stmts[t->stmt].line);
}

void amx_threads_start(struct amx_model *model)
{
    for (struct thread *t = model->threads; t < model->threads + model->thread_count; t++) {
        t->process = (struct process){.resume = resume, .horizon = others, .describe = describe};
        amx_cursor_start(&t->cursor, model->program, t->number);
        fetch(t);
        model->streams[t->index].first = t->stmt;
        sleep_until_ready(t);
    }
}
