/* thread: one CPU thread as a process of the kernel. */
#include "timing/amx/model.h"

/* --- the next instruction --------------------------------------------------------------------- */

/* X and Y first: of several registers that are ready last, the first binds. */
static void place_sets(const struct cost *cost, struct place_set sets[PLACE_WORDS])
{
    sets[0] = (struct place_set){PLACE_X, cost->reads[1], cost->writes[1]};
    sets[1] = (struct place_set){0, cost->reads[0], cost->writes[0]};
}

/* What makes the registers of its next instruction ready. */
static struct release registers(const struct thread *t)
{
    const struct cost *cost = &costs_of(t)[t->stmt];
    struct place_set sets[PLACE_WORDS];
    struct release data;
    place_sets(cost, sets);
    data.at = scoreboard_issue(&t->board, sets, PLACE_WORDS, cost->latency, &data.by);
    return data;
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
        t->data = registers(t);
}

/* It goes to its new cluster, and by the numbers there. */
static void move(struct thread *t, uint64_t now)
{
    t->cluster = t->next;
    t->next = NO_CLUSTER;
    t->since = now;
    const struct release data = registers(t);
    if (data.at > t->data.at)
        t->data = data;
}

/* --- what it did, and what held it ------------------------------------------------------------ */

/* Cycles [from, to) of a unit belong to the statement, for this reason. */
static struct sink_stmt_total *charge(struct thread *t, uint32_t unit, uint32_t reason,
                                      uint64_t from, uint64_t to)
{
    return run_charge(&t->model->base, unit, reason, t->stmt, from, to);
}

/* A statement held the instruction in [from, to), and its port as far as that had nothing else to
 * do; it issues at `at`. */
static void held(struct thread *t, uint32_t by, uint32_t reason, uint64_t from, uint64_t to,
                 uint64_t at)
{
    struct amx_model *m = t->model;
    const struct cost *cost = &costs_of(t)[by];
    const uint32_t port = port_of(t, &costs_of(t)[t->stmt]), shared = port_of(t, cost);
    charge(t, cpu_unit(t), reason, from, to);
    if (port != NO_PORT) {
        const uint64_t here = from > t->since ? from : t->since;
        charge(t, port, reason, m->holder[port].at > here ? m->holder[port].at : here, to);
    }
    const struct sink_edge edge = {.src = by,
                                   .dst = t->stmt,
                                   .kind = reason == REASON_PORT     ? EDGE_PORT
                                           : reason == REASON_MEMORY ? EDGE_MEMORY
                                                                     : EDGE_DATA,
                                   .unit = shared == NO_PORT ? cpu_unit(t) : shared,
                                   .rule = reason == REASON_PORT ? cost->port_rule : cost->rule,
                                   .released = to,
                                   .at = at,
                                   .waited = to - from,
                                   .times = 1};
    run_edge(&m->base, &edge);
}

/* The number of its record. */
static uint64_t record(struct thread *t, const struct cost *cost, uint64_t at)
{
    struct amx_model *m = t->model;
    struct path_stream *stream = &m->streams[t->index];
    const uint32_t port = port_of(t, cost);
    const uint64_t ready = ready_cycle(t);
    struct path_record record = {.start = t->order,
                                 .end = at,
                                 .released = at,
                                 .by = PATH_NONE,
                                 .waited = PATH_NONE,
                                 .ordinal = stream->ordinal++,
                                 .stream = t->index,
                                 .stmt = t->stmt,
                                 .absorbs = true,
                                 .active = true,
                                 .unit = port == NO_PORT ? cpu_unit(t) : port,
                                 .units = port == NO_PORT ? 0 : UINT64_C(1) << port,
                                 .claimed = ready,
                                 .older = PATH_NONE};
    if (ready > t->order) {
        record.by = t->data.by.number;
        record.reason = (uint8_t)costs_of(t)[t->data.by.statement].reason;
        held(t, t->data.by.statement, record.reason, t->order, ready, at);
    }
    if (at > ready) {
        record.by = m->holder[port].by.number;
        record.reason = REASON_PORT;
        held(t, m->holder[port].by.statement, REASON_PORT, ready, at, at);
    }
    charge(t, cpu_unit(t), REASON_BUSY, at, at + cost->cpu);
    struct sink_stmt_total *row = charge(t, port, REASON_BUSY, at, at + cost->interval);
    if (row) {
        row->ops += cost->flops;
        row->bytes += cost->bytes;
    }
    m->counters[AMX_COUNTER_STEPS]++;
    m->counters[cost->counter] += cost->flops;
    stream->now = at + cost->cpu;
    const uint64_t number = path_issue(&m->base.path, &record);
    if (m->base.path.status == 0)
        path_end(&m->base.path, number, at + cost->interval, at + cost->length);
    return number;
}

/* --- issue ------------------------------------------------------------------------------------ */

/* It is the one that shall issue later: then it is ready only then. */
static bool hold_back(struct thread *t, uint64_t at)
{
    struct amx_model *m = t->model;
    if (!m->base.options.delay || m->base.options.delay->stmt != t->stmt ||
        m->base.turns++ != m->base.options.delay->turn)
        return false;
    t->data.at = at + m->base.options.delay->cycles;
    return true;
}

static void issue(struct thread *t, uint64_t at)
{
    struct amx_model *m = t->model;
    if (hold_back(t, at))
        return;
    const struct cost *cost = &costs_of(t)[t->stmt];
    const uint32_t port = port_of(t, cost);
    const struct producer producer = {.number = m->base.sink ? record(t, cost, at) : PATH_NONE,
                                      .statement = t->stmt};
    struct place_set sets[PLACE_WORDS];
    place_sets(cost, sets);
    if (port != NO_PORT) {
        resource_take(&m->ports, port, t->index, 0, at + cost->interval);
        m->holder[port] = (struct release){producer, at + cost->interval};
        m->pool[port % 2] += m->cost[PERFORMANCE][t->stmt].interval;
        if (t->pinned || !m->moving)
            m->work[port] += cost->interval;
    }
    scoreboard_write(&t->board, sets, PLACE_WORDS, at + cost->latency, &producer);
    t->order = awake(m, at + cost->cpu);
    if (at + cost->length > t->finish)
        t->finish = at + cost->length;
    if (t->finish > m->base.finish)
        m->base.finish = t->finish;
    kernel_count(&m->base.kernel, 1);
    amx_use(t, cost, at);
    if (m->base.options.own)
        amx_history_issue(m->base.options.own, t, at);
    fetch(t);
    if (t->stmt == NONE_ID && m->moving)
        amx_place_ended(m, t);
}

static void wake_when_ready(struct thread *t)
{
    if (t->stmt != NONE_ID)
        kernel_wake(&t->model->base.kernel, &t->process, ready_cycle(t), PHASE_ISSUE,
                    t->data.at > t->order ? "registers are ready" : "next instruction");
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

/* First cycle in which that, or a place for it elsewhere, may change what it does. */
static uint64_t horizon_of(const struct process *process, const struct kernel *kernel)
{
    const struct thread *t = (const struct thread *)process;
    const uint64_t other = others(process, kernel);
    const uint64_t place = t->moves ? amx_place_free(t->model) : UINT64_MAX;
    return place < other ? place : other;
}

/* The next instruction is ready. It issues at once unless its port is held or others want it, and
 * so do the following ones, up to the horizon. */
static void resume(struct process *process, struct kernel *kernel)
{
    struct thread *t = (struct thread *)process;
    const struct amx_model *m = t->model;
    if (t->next != NO_CLUSTER)
        move(t, kernel->now);
    const uint64_t horizon = kernel_horizon(kernel, process), contended = others(process, kernel);
    while (t->stmt != NONE_ID) {
        if (kernel_exhausted(kernel)) {
            kernel_pause(kernel, process);
            return;
        }
        const uint32_t port = port_of(t, &costs_of(t)[t->stmt]);
        uint64_t at = ready_cycle(t);
        if (port != NO_PORT && !m->base.options.alone && m->holder[port].at > at)
            at = awake(m, m->holder[port].at);
        if (!m->base.options.alone && (at >= horizon || (port != NO_PORT && at >= contended)))
            break;
        issue(t, at);
    }
    if (t->stmt == NONE_ID || ready_cycle(t) > kernel->now) {
        wake_when_ready(t);
        return;
    }
    const struct request request = {.ports = UINT64_C(1) << port_of(t, &costs_of(t)[t->stmt]),
                                    .since = t->order,
                                    .id = t->index};
    resource_ask(&t->model->ports, &request);
}

static void start(void *context, const struct request *request, uint64_t now)
{
    struct thread *t = &((struct amx_model *)context)->threads[request->id];
    issue(t, now);
    wake_when_ready(t);
}

static uint64_t may_start(void *context, const struct request *request, uint64_t now)
{
    (void)request;
    return awake(context, now);
}

const struct resource_calls amx_port_calls = {.ready = may_start, .start = start};

static void describe(const struct process *process, char *text, size_t size)
{
    const struct thread *t = (const struct thread *)process;
    if (t->stmt == NONE_ID)
        snprintf(text, size, "cpu%u", t->number);
    else
        snprintf(text, size, "cpu%u line %u", t->number, t->model->stmts[t->stmt].line);
}

void amx_threads_start(struct amx_model *model)
{
    for (struct thread *t = model->threads; t < model->threads + model->thread_count; t++) {
        t->process =
            (struct process){.resume = resume, .horizon = horizon_of, .describe = describe};
        t->order = awake(model, 0);
        amx_cursor_start(&t->cursor, model->program, t->number);
        fetch(t);
        model->streams[t->index].first = t->stmt;
        wake_when_ready(t);
    }
}
