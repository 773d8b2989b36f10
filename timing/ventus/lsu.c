/*
 * lsu: loads and stores, one after the other, line by line.
 *
 *   collector --> buffer --> saved --> address calculation --> L1D or shared memory
 *                                                                   |  answers, a line each
 *                                      registers <-- return stage <-+
 *
 * An instruction comes into the buffer of one. When the address calculation has requested the last
 * line of the one before, it is saved there, and the buffer is free. It is taken as soon as the
 * return stage lets it; the first line is requested `address_cycles` later, a cycle more where L1D
 * answers another load in the cycle before, then one a cycle. The shared memory takes a cycle for
 * each lane of the busiest bank, lanes that want the same word one after the other, and
 * `shared_store` for a line that is stored. What L1D cannot take waits with all after it.
 * `lsu_entries` instructions are on their way at most, of a warp `lsu_warp_entries`.
 *
 * Return stage: it takes one answer a cycle while it is idle. The last answer of an instruction
 * makes it write back in the next cycle, or two cycles later when the address calculation took an
 * instruction in the cycle of that answer. Where the port of write-back is taken it waits for a
 * later cycle in which the port is free, and tries again in the one after that; without
 * `return_waits` it tries again two cycles later. In between it takes answers, and the address
 * calculation an instruction. A second instruction that is complete follows at once. Otherwise the
 * address calculation takes nothing from the cycle before a write-back to the one after it.
 */
#include <string.h>

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

/* Lanes that the busiest bank of the shared memory serves for a line, one after the other. */
static uint8_t rounds_of(const struct ventus_model *m, const struct ventus_access *access,
                         uint32_t line)
{
    const uint32_t size = (uint32_t)m->value[VENTUS_PARAM_l1d_line];
    const uint32_t banks = (uint32_t)m->value[VENTUS_PARAM_shared_banks];
    uint8_t used[VENTUS_BANKS] = {0}, most = 1;
    for (uint32_t i = 0; i < access->count; i++) {
        if (access->address[i] / size != line)
            continue;
        const uint8_t count = ++used[access->address[i] / 4 % banks];
        most = count > most ? count : most;
    }
    return most;
}

static bool is_shared(const struct ventus_model *m, uint32_t line)
{
    const uint32_t address = line * (uint32_t)m->value[VENTUS_PARAM_l1d_line];
    return m->shared && address - VENTUS_LOCAL_BASE < VENTUS_LOCAL_SIZE;
}

void ventus_transit_fill(const struct ventus_model *m, const struct ventus_access *access,
                         struct ventus_transit *x)
{
    x->store = access->store && !access->atomic;
    x->copy = access->copied > 0;
    x->shared = 0;
    x->range = false;
    x->next = 0;
    x->count =
        x->copy && access->count == 1 ? range_of(m, access, x) : lines_of(m, access, x->lines);
    x->left = x->count;
    for (uint32_t i = 0; i < x->count && !x->copy; i++) {
        x->rounds[i] = is_shared(m, x->lines[i]) ? rounds_of(m, access, x->lines[i]) : 0;
        x->shared += x->rounds[i] > 0;
    }
}

/* --- return stage ----------------------------------------------------------------------------- */

static uint32_t complete(const struct ventus_lsu *lsu, uint32_t from)
{
    while (from < VENTUS_ENTRIES && (!lsu->entries[from].thread || lsu->entries[from].left))
        from++;
    return from;
}

/* Takes the next answer if it has come. */
static bool take_answer(struct ventus_lsu *lsu, uint64_t now)
{
    if (!lsu->answered || lsu->answers[0].at > now)
        return false;
    struct ventus_transit *entry = &lsu->entries[lsu->answers[0].entry];
    if (entry->shared < entry->count && !entry->store)
        lsu->returned = now;
    memmove(lsu->answers, lsu->answers + 1, --lsu->answered * sizeof *lsu->answers);
    entry->left--;
    return true;
}

static void finish(const struct ventus_transit *x, uint64_t now)
{
    struct ventus_thread *t = x->thread;
    const struct ventus_result result = {.thread = t,
                                         .life = x->life,
                                         .stmt = x->stmt,
                                         .stream = x->stream,
                                         .issued = x->issued,
                                         .by = x->by};
    if (x->life == t->life) {
        t->accesses--;
        t->drained = (struct release){x->by, later(t->drained.at, now + 1)};
    }
    if (x->store) { /* only a fence waits for it */
        ventus_warp_look(t);
        return;
    }
    if (x->copy && x->life == t->life) { /* no register is written */
        t->copies--;
        t->copied = (struct release){x->by, later(t->copied.at, now)};
    }
    ventus_written(t, &result, x->copy ? now - 1 : now);
}

static bool waits(const struct ventus_sm *sm)
{
    return sm->model->value[VENTUS_PARAM_return_waits] != 0;
}

/* Whether the first instruction that is complete finds its port of write-back taken. A store, which
 * does not take it, waits for it, too, where loads wait for a free cycle. */
static bool port_taken(const struct ventus_sm *sm, uint64_t now)
{
    const struct ventus_transit *x = &sm->lsu.entries[complete(&sm->lsu, 0)];
    return (waits(sm) || (!x->store && !x->copy)) &&
           sm->written[sm->model->cost[x->stmt].vector] == now;
}

/* The same of one whose answers are put together: without `return_waits` by the vectors' port. */
static bool merge_waits(const struct ventus_sm *sm, uint64_t now)
{
    return waits(sm) ? port_taken(sm, now) : sm->written[1] == now;
}

/* Writes back, unless the port is taken. */
static void write_back(struct ventus_sm *sm, uint64_t now)
{
    struct ventus_lsu *lsu = &sm->lsu;
    const uint32_t first = complete(lsu, 0);
    struct ventus_transit *x = &lsu->entries[first];
    if (port_taken(sm, now)) {
        lsu->state = RETURN_AGAIN;
        return;
    }
    lsu->quiet = now + 1;
    if (!x->store && !x->copy)
        sm->written[sm->model->cost[x->stmt].vector] = now;
    const bool more = complete(lsu, first + 1) < VENTUS_ENTRIES;
    finish(x, now);
    x->thread = NULL;
    lsu->state = more && lsu->state == RETURN_OUT ? RETURN_NEXT : RETURN_REST;
}

void ventus_lsu_return(struct ventus_sm *sm, uint64_t now)
{
    struct ventus_lsu *lsu = &sm->lsu;
    const bool accepts = lsu->accepted == now;
    switch (lsu->state) {
    case RETURN_REST:
    case RETURN_IDLE:
        if (lsu->state == RETURN_IDLE && take_answer(lsu, now) && accepts)
            lsu->state = RETURN_MERGE;
        else if (lsu->state == RETURN_IDLE && complete(lsu, 0) < VENTUS_ENTRIES)
            lsu->state = RETURN_OUT;
        else
            lsu->state = RETURN_IDLE;
        break;
    case RETURN_MERGE:
        lsu->state = complete(lsu, 0) == VENTUS_ENTRIES ? RETURN_IDLE
                     : merge_waits(sm, now)             ? RETURN_AGAIN
                                                        : RETURN_OUT;
        break;
    case RETURN_AGAIN:
        take_answer(lsu, now);
        lsu->state = waits(sm) && port_taken(sm, now) ? RETURN_AGAIN : RETURN_OUT;
        break;
    case RETURN_OUT:
    case RETURN_NEXT:
        write_back(sm, now);
        break;
    }
    if (lsu->state == RETURN_OUT || lsu->state == RETURN_NEXT)
        lsu->quiet = later(lsu->quiet, now + 1);
}

uint64_t ventus_lsu_next(const struct ventus_sm *sm, uint64_t now)
{
    const struct ventus_lsu *lsu = &sm->lsu;
    if (lsu->state != RETURN_IDLE)
        return now + 1;
    return lsu->answered ? later(now + 1, lsu->answers[0].at) : VENTUS_NEVER;
}

/* An answer for the instruction of the address calculation, after those of the same cycle. */
static void answer(struct ventus_sm *sm, uint64_t at)
{
    struct ventus_lsu *lsu = &sm->lsu;
    uint32_t i = lsu->answered++;
    for (; i && lsu->answers[i - 1].at > at; i--)
        lsu->answers[i] = lsu->answers[i - 1];
    lsu->answers[i] = (struct ventus_answer){at, lsu->entry};
    ventus_stir(sm, at, "a line has come");
}

/* --- address calculation and requests --------------------------------------------------------- */

/* The cycle from which L1D is cleared of what it had before the reset. */
static uint64_t cleared(const struct ventus_model *m)
{
    const uint64_t *v = m->value;
    return v[VENTUS_PARAM_l1d_sets] > v[VENTUS_PARAM_since_reset]
               ? v[VENTUS_PARAM_l1d_sets] - v[VENTUS_PARAM_since_reset]
               : 0;
}

/* Requests the next line of x in cycle `now`. Returns when it is there, or 0: it cannot be taken
 * yet, and the request is repeated in cycle *at. Otherwise *at is when the next one can follow. */
static uint64_t ask(struct ventus_sm *sm, const struct ventus_transit *x, uint64_t now,
                    uint64_t *at)
{
    struct ventus_model *m = sm->model;
    const uint64_t *v = m->value;
    *at = now + 1;
    if (ventus_transit_rounds(x, x->next)) {
        const uint64_t rounds = ventus_transit_rounds(x, x->next);
        if (now < sm->lsu.shared_free) {
            *at = sm->lsu.shared_free;
            return 0;
        }
        *at = sm->lsu.shared_free =
            now + rounds - 1 + (x->store ? v[VENTUS_PARAM_shared_store] : 1);
        return now + v[VENTUS_PARAM_shared_latency] + rounds - 1;
    }
    if (!x->next && now && now == sm->lsu.returned + 1)
        return 0;
    if (now < cleared(m)) {
        *at = cleared(m);
        return 0;
    }
    const struct cache_access access = {.address = ventus_transit_line(x, x->next) *
                                                   v[VENTUS_PARAM_l1d_line],
                                        .write = x->store,
                                        .cycle = now,
                                        .by = x->by};
    const struct cache_answer answer = cache_serve(&sm->l1d, &access);
    if (answer.kind == CACHE_BLOCKED) {
        *at = answer.ready;
        return 0;
    }
    m->counters[answer.kind == CACHE_HIT ? VENTUS_COUNTER_L1D_HITS : VENTUS_COUNTER_L1D_MISSES]++;
    return x->store ? now + v[VENTUS_PARAM_l1d_latency] : answer.ready;
}

/* The next line of the instruction that it has. */
static void request(struct ventus_sm *sm, uint64_t now)
{
    struct ventus_lsu *lsu = &sm->lsu;
    struct ventus_transit *x = &lsu->transit;
    uint64_t next;
    const uint64_t there = ask(sm, x, now, &next);
    if (there) {
        answer(sm, there);
        x->next++;
    }
    x->at = next;
    if (x->next < x->count)
        return;
    ventus_level_charge(sm->model, ventus_port_unit(sm->model, x->thread->sm, VENTUS_UNIT_LSU),
                        x->stmt, lsu->accepted, now + 1);
    lsu->free = now + 1;
    x->thread = NULL;
}

static uint32_t free_entry(const struct ventus_lsu *lsu, uint32_t entries)
{
    uint32_t i = 0;
    while (i < entries && lsu->entries[i].thread)
        i++;
    return i;
}

/* Whether an entry is free, and the warp has not all that one may have. */
static bool has_room(const struct ventus_sm *sm)
{
    const struct ventus_lsu *lsu = &sm->lsu;
    const uint32_t entries = (uint32_t)sm->model->value[VENTUS_PARAM_lsu_entries];
    uint64_t own = 0;
    for (uint32_t i = 0; i < entries; i++)
        own += lsu->entries[i].thread && lsu->entries[i].thread == lsu->saved.thread;
    return free_entry(lsu, entries) < entries &&
           own < sm->model->value[VENTUS_PARAM_lsu_warp_entries];
}

static void accept(struct ventus_sm *sm, uint64_t now)
{
    const uint64_t *v = sm->model->value;
    struct ventus_lsu *lsu = &sm->lsu;
    const uint32_t entry = free_entry(lsu, (uint32_t)v[VENTUS_PARAM_lsu_entries]);
    lsu->transit = lsu->saved;
    lsu->transit.at = now + v[VENTUS_PARAM_address_cycles];
    lsu->entries[entry] = lsu->transit;
    lsu->entry = entry;
    lsu->accepted = now;
    lsu->saved.thread = NULL;
    sm->holder[VENTUS_UNIT_LSU].by = lsu->transit.by;
    sm->holder[VENTUS_UNIT_LSU].by.kind = lsu->full ? REASON_MEMORY : REASON_PORT;
    lsu->full = false;
}

static void resume(struct process *process, struct kernel *kernel)
{
    struct ventus_lsu *lsu = (struct ventus_lsu *)process;
    struct ventus_sm *sm = (struct ventus_sm *)((char *)process - offsetof(struct ventus_sm, lsu));
    const uint64_t now = kernel->now;
    if (!lsu->transit.thread && !lsu->saved.thread && lsu->buffer.thread && lsu->buffer.at < now) {
        lsu->saved = lsu->buffer;
        lsu->buffer.thread = NULL;
        sm->holder[VENTUS_UNIT_LSU].at = now;
        ventus_stir(sm, now, "the load and store unit has room");
    }
    if (lsu->transit.thread && lsu->transit.at <= now)
        request(sm, now);
    if (!lsu->transit.thread && lsu->saved.thread && lsu->free <= now && now > lsu->quiet) {
        lsu->full |= !has_room(sm);
        if (has_room(sm))
            accept(sm, now);
    }
    if (lsu->transit.thread)
        kernel_wake(kernel, process, later(now + 1, lsu->transit.at), PHASE_ISSUE, "next line");
    else if (lsu->saved.thread || lsu->buffer.thread)
        kernel_wake(kernel, process, now + 1, PHASE_ISSUE, "next load or store");
}

static void describe(const struct process *process, char *text, size_t size)
{
    const struct ventus_sm *sm =
        (const struct ventus_sm *)((const char *)process - offsetof(struct ventus_sm, lsu));
    snprintf(text, size, "sm%u lsu", (uint32_t)(sm - sm->model->sms));
}

void ventus_lsu_init(struct ventus_sm *sm)
{
    sm->lsu.process = (struct process){.resume = resume, .describe = describe};
    sm->lsu.accepted = VENTUS_NEVER;
}

/* With nothing in its way: a line a cycle, and written back. A store ends when it has left. Lines
 * count as requested with the first, since a later access may request its lines before them. */
static void pass_alone(struct ventus_sm *sm, struct ventus_transit *x)
{
    struct ventus_model *m = sm->model;
    const uint64_t *v = m->value, fetched = m->alone_l1d.fetched;
    const uint64_t taken = x->at + 1 + v[VENTUS_PARAM_address_cycles],
                   first = x->shared ? taken : later(taken, cleared(m));
    uint64_t at = first, ready = first;
    for (; x->next < x->count && !x->store; x->next++, at++) {
        if (ventus_transit_rounds(x, x->next)) {
            at += x->rounds[x->next] - 1u;
            ready = later(ready, at + v[VENTUS_PARAM_shared_latency]);
        } else {
            ready = later(ready, at + v[VENTUS_PARAM_l1d_latency]);
            ready = later(ready, ventus_alone_line(m, ventus_transit_line(x, x->next), first));
        }
    }
    ventus_alone_load(x->thread, x->stmt, m->alone_l1d.fetched - fetched);
    finish(x, ready + 1);
}

void ventus_lsu_take(struct ventus_thread *t, uint64_t at)
{
    struct ventus_sm *sm = &t->model->sms[t->sm];
    struct ventus_transit *x = &t->transit;
    x->at = at;
    if (x->store) { /* nothing waits for it: it ends when it has left */
        run_execution(&t->model->base,
                      &(struct sink_execution){
                          .stream = x->stream, .stmt = x->stmt, .start = x->issued, .end = at + 1});
        if (t->model->base.sink && t->model->base.path.status == 0)
            path_end(&t->model->base.path, x->by.number, at, at);
    }
    if (t->model->base.options.alone) {
        pass_alone(sm, x);
        x->thread = NULL;
        return;
    }
    sm->lsu.buffer = *x;
    x->thread = NULL;
    kernel_wake_by(&t->model->base.kernel, &sm->lsu.process, at + 1, PHASE_ISSUE,
                   "a load or store arrives");
}

void ventus_access(struct ventus_thread *t, const struct ventus_effect *effect)
{
    struct ventus_model *m = t->model;
    struct ventus_transit *x = &t->transit;
    const struct ventus_access *access = &effect->access;
    ventus_transit_fill(m, access, x);
    x->thread = t;
    x->life = t->life;
    x->stmt = t->stmt;
    x->by = t->last;
    x->stream = ventus_stream(m, t->warp);
    x->issued = m->base.kernel.now;
    t->copies += x->copy;
    t->accesses++;
    m->counters[VENTUS_COUNTER_ACCESSES] += access->count;
    m->counters[VENTUS_COUNTER_LINES] += x->count - x->shared;
    if (x->shared < x->count && !x->copy)
        m->by_lines[x->count - x->shared]++;
    m->counters[VENTUS_COUNTER_SHARED] += x->shared > 0;
    for (uint32_t i = 0; i < x->count && x->shared; i++)
        m->counters[VENTUS_COUNTER_CONFLICTS] += x->rounds[i] ? x->rounds[i] - 1u : 0;
    struct sink_stmt_total *row =
        run_row(&m->base, ventus_port_unit(m, t->sm, VENTUS_UNIT_LSU), REASON_BUSY, t->stmt);
    if (row)
        row->bytes += (uint64_t)access->count * access->bytes;
}
