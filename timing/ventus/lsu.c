/* lsu: loads and stores, one after the other, line by line. */
#include "timing/ventus/model.h"

/* The lines of an access, in the order in which lanes first touch them. */
static uint32_t lines_of(const struct ventus_model *m, const struct ventus_access *access,
                         uint32_t lines[VENTUS_LINES])
{
    const uint32_t size = (uint32_t)m->value[VENTUS_PARAM_l1d_line];
    uint32_t count = 0;
    for (uint32_t i = 0; i < access->count; i++) {
        const uint32_t last = (access->address[i] + access->bytes - 1) / size;
        for (uint32_t line = access->address[i] / size; line <= last; line++) {
            uint32_t k = 0;
            while (k < count && lines[k] != line)
                k++;
            lines[k] = line;
            count += k == count;
        }
    }
    return count;
}

/* Those of a copy that is one piece. */
static uint32_t range_of(const struct ventus_model *m, const struct ventus_access *access,
                         struct ventus_transit *x)
{
    const uint32_t size = (uint32_t)m->value[VENTUS_PARAM_l1d_line];
    const uint64_t end = (uint64_t)access->address[0] + access->bytes;
    x->range = true;
    x->lines[0] = access->address[0] / size;
    return (uint32_t)((end - 1) / size) - x->lines[0] + 1;
}

/* Cycles of the shared memory: the most different words that one of its banks is asked for. */
static uint32_t rounds_of(const struct ventus_model *m, const struct ventus_access *access)
{
    uint32_t words[2 * VENTUS_LANES], used[VENTUS_BANKS] = {0}, most = 0;
    uint32_t count = 0;
    for (uint32_t i = 0; i < access->count; i++) {
        const uint32_t word = access->address[i] / 4;
        uint32_t k = 0;
        while (k < count && words[k] != word)
            k++;
        if (k < count)
            continue;
        words[count++] = word;
        const uint32_t rounds = ++used[word % m->value[VENTUS_PARAM_shared_banks]];
        most = rounds > most ? rounds : most;
    }
    return most;
}

static bool is_shared(const struct ventus_model *m, const struct ventus_access *access)
{
    return m->shared && access->address[0] - VENTUS_LOCAL_BASE < VENTUS_LOCAL_SIZE;
}

void ventus_transit_fill(const struct ventus_model *m, const struct ventus_access *access,
                         struct ventus_transit *x)
{
    *x = (struct ventus_transit){.store = access->store && !access->atomic,
                                 .copy = access->copied > 0,
                                 .shared = !access->copied && is_shared(m, access)};
    x->count = x->shared                       ? rounds_of(m, access)
               : x->copy && access->count == 1 ? range_of(m, access, x)
                                               : lines_of(m, access, x->lines);
}

/* The last line of a load or store went in cycle `at`. */
static void finish(struct ventus_sm *sm, struct ventus_transit *x, uint64_t at)
{
    struct ventus_model *m = sm->model;
    struct ventus_thread *t = x->thread;
    const struct ventus_cost *cost = &m->cost[x->stmt];
    uint64_t ready = x->store ? at + 1 : x->ready;
    resource_take(&sm->ports, VENTUS_UNIT_LSU, t->number, 0, at + 1);
    ventus_charge(t, x->stmt, ventus_port_unit(m, t->sm, VENTUS_UNIT_LSU), REASON_BUSY, x->at,
                  at + 1);
    if (x->copy) { /* no register is written */
        t->copies--;
        t->copied = (struct release){x->by, later(t->copied.at, ready)};
    } else if (!x->store) {
        ready = ventus_write_back(sm, cost->vector, ready);
        struct place_set sets[VENTUS_PLACE_WORDS];
        ventus_place_sets(cost, sets);
        scoreboard_write(&t->board, sets, VENTUS_PLACE_WORDS, ready, &x->by);
    }
    m->base.finish = later(m->base.finish, ready);
    if (m->base.sink && m->base.path.status == 0)
        path_end(&m->base.path, x->by.number, at + 1, ready);
    ventus_report_execution(
        m, &(struct sink_execution){
               .stream = x->stream, .stmt = x->stmt, .start = x->issued, .end = ready});
    x->thread = NULL;
    ventus_warp_look(t);
}

/* One line in cycle `at`. Returns the cycle of the next one, 0 when that was the last. */
static uint64_t step(struct ventus_sm *sm, struct ventus_transit *x, uint64_t at)
{
    struct ventus_model *m = sm->model;
    if (x->shared) {
        x->ready = at + m->value[VENTUS_PARAM_shared_latency];
    } else {
        const struct cache_access access = {.address = ventus_transit_line(x, x->next) *
                                                       m->value[VENTUS_PARAM_l1d_line],
                                            .write = x->store,
                                            .cycle = at,
                                            .by = x->by};
        const struct cache_answer answer = cache_serve(&sm->l1d, &access);
        if (answer.kind == CACHE_BLOCKED)
            return answer.ready;
        m->counters[answer.kind == CACHE_HIT ? VENTUS_COUNTER_L1D_HITS
                                             : VENTUS_COUNTER_L1D_MISSES]++;
        x->ready = later(x->ready, answer.ready);
    }
    if (++x->next < x->count)
        return at + 1;
    finish(sm, x, at);
    return 0;
}

static void resume(struct process *process, struct kernel *kernel)
{
    struct ventus_sm *sm = (struct ventus_sm *)((char *)process - offsetof(struct ventus_sm, lsu));
    const struct ventus_model *m = sm->model;
    struct ventus_transit *x = &sm->transit;
    const uint64_t now = kernel->now;
    if (x->thread) {
        const uint64_t next = step(sm, x, now);
        if (next)
            kernel_wake(kernel, process, next, PHASE_SERVE, "next line");
    }
    if (x->thread || !sm->queued)
        return;
    const uint64_t free = resource_free_at(&sm->ports, UINT64_C(1) << VENTUS_UNIT_LSU);
    const uint64_t from = later(sm->queue[0]->transit.at, free);
    if (from > now) {
        kernel_wake(kernel, process, from, PHASE_SERVE, "next load or store");
        return;
    }
    struct ventus_thread *t = sm->queue[0];
    sm->transit = t->transit;
    sm->transit.at = now;
    for (uint32_t i = 1; i < sm->queued; i++)
        sm->queue[i - 1] = sm->queue[i];
    sm->queued--;
    t->collector = now + 1;
    kernel_wake(kernel, process, now + m->value[VENTUS_PARAM_lsu_interval], PHASE_SERVE,
                "addresses are there");
    ventus_warp_look(t);
}

static void describe(const struct process *process, char *text, size_t size)
{
    const struct ventus_sm *sm =
        (const struct ventus_sm *)((const char *)process - offsetof(struct ventus_sm, lsu));
    snprintf(text, size, "sm%u lsu", (uint32_t)(sm - sm->model->sms));
}

void ventus_lsu_init(struct ventus_sm *sm)
{
    sm->lsu = (struct process){.resume = resume, .describe = describe};
}

void ventus_access(struct ventus_thread *t, const struct ventus_effect *effect, uint64_t at)
{
    struct ventus_model *m = t->model;
    struct ventus_sm *sm = &m->sms[t->sm];
    struct ventus_transit *x = &t->transit;
    const struct ventus_access *access = &effect->access;
    ventus_transit_fill(m, access, x);
    x->thread = t;
    x->stmt = t->stmt;
    x->at = at;
    x->by = t->last;
    x->stream = ventus_stream(m, t->warp);
    x->issued = m->base.kernel.now;
    t->copies += x->copy;
    m->counters[VENTUS_COUNTER_ACCESSES] += access->count;
    m->counters[VENTUS_COUNTER_LINES] += x->shared ? 0 : x->count;
    if (!x->shared && !x->copy)
        m->by_lines[x->count]++;
    m->counters[VENTUS_COUNTER_SHARED] += x->shared;
    m->counters[VENTUS_COUNTER_CONFLICTS] += x->shared ? x->count - 1 : 0;
    struct sink_stmt_total *row =
        run_row(&m->base, ventus_port_unit(m, t->sm, VENTUS_UNIT_LSU), REASON_BUSY, t->stmt);
    if (row)
        row->bytes += (uint64_t)access->count * access->bytes;
    if (m->base.options.alone) {
        for (at += m->value[VENTUS_PARAM_lsu_interval]; at; at = step(sm, x, at))
            continue;
        return;
    }
    t->collector = VENTUS_NEVER;
    sm->queue[sm->queued++] = t;
    if (!sm->transit.thread && sm->queued == 1)
        kernel_wake(&m->base.kernel, &sm->lsu, at, PHASE_SERVE, "a load or store arrives");
}
