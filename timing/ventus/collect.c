/* collect: from the collectors of an SM through its units to the registers. */
#include "timing/ventus/collect.h"

/* --- banks ------------------------------------------------------------------------------------ */

/* Of each bank the next source after the one that was read last. */
static void read_bank(struct ventus_sm *sm, bool vector, uint32_t bank, uint64_t now)
{
    const struct ventus_model *m = sm->model;
    uint32_t best = UINT32_MAX, best_source = 0, best_operand = 0;
    for (uint32_t k = 0; k < VENTUS_COLLECTORS; k++) {
        const struct ventus_collector *c = &sm->collectors[k];
        for (uint32_t left = c->thread && c->at < now ? c->pending : 0; left; left &= left - 1) {
            const uint32_t i = (uint32_t)__builtin_ctz(left);
            const struct ventus_operand_read *o = &m->cost[c->stmt].operands[i];
            if (o->vector != vector || c->banks[i] != bank)
                continue;
            const uint32_t source = 4 * k + o->slot;
            const uint32_t rank =
                (source - sm->bank_turn[vector][bank] - 1) & (4 * VENTUS_COLLECTORS - 1);
            if (rank < best) {
                best = rank;
                best_source = source;
                best_operand = i;
            }
        }
    }
    if (best == UINT32_MAX)
        return;
    struct ventus_collector *c = &sm->collectors[best_source / 4];
    c->pending &= ~(UINT32_C(1) << best_operand);
    sm->bank_turn[vector][bank] = (uint8_t)best_source;
    if (!c->pending)
        c->ready = now + VENTUS_BEHIND_READ;
}

/* With nothing in its way: of each bank one of the collector's sources. */
static void read_alone(const struct ventus_model *m, struct ventus_collector *c, uint64_t now)
{
    uint64_t read[2] = {0, 0};
    for (uint32_t left = c->thread && c->at < now ? c->pending : 0; left; left &= left - 1) {
        const uint32_t i = (uint32_t)__builtin_ctz(left);
        uint64_t *banks = &read[m->cost[c->stmt].operands[i].vector];
        if (*banks >> c->banks[i] & 1)
            continue;
        *banks |= UINT64_C(1) << c->banks[i];
        c->pending &= ~(UINT32_C(1) << i);
        if (!c->pending)
            c->ready = now + VENTUS_BEHIND_READ;
    }
}

void ventus_read_banks(struct ventus_sm *sm, uint64_t now)
{
    const struct ventus_model *m = sm->model;
    uint64_t wanted[2] = {0, 0};
    for (uint32_t k = 0; k < VENTUS_COLLECTORS && m->base.options.alone; k++)
        read_alone(m, &sm->collectors[k], now);
    for (uint32_t k = 0; k < VENTUS_COLLECTORS; k++) {
        const struct ventus_collector *c = &sm->collectors[k];
        for (uint32_t left = c->thread && c->at < now ? c->pending : 0; left; left &= left - 1) {
            const uint32_t i = (uint32_t)__builtin_ctz(left);
            wanted[m->cost[c->stmt].operands[i].vector] |= UINT64_C(1) << c->banks[i];
        }
    }
    for (uint32_t vector = 0; vector < 2; vector++)
        for (uint64_t left = wanted[vector]; left; left &= left - 1)
            read_bank(sm, vector, (uint32_t)__builtin_ctzll(left), now);
}

/* --- leaving ---------------------------------------------------------------------------------- */

static bool can_leave(const struct ventus_sm *sm, const struct ventus_collector *c, uint64_t now)
{
    const struct ventus_cost *cost = &sm->model->cost[c->stmt];
    if (sm->model->base.options.alone)
        return true;
    if (cost->unit == VENTUS_UNIT_ISSUE)
        return !ventus_fetch_thrown(sm, now - 1);
    if (cost->memory && c->thread->transit.thread)
        return ventus_lsu_ready(sm);
    return sm->result_count < VENTUS_RESULTS &&
           resource_free_at(&sm->ports, UINT64_C(1) << cost->unit) <= now;
}

/* To its unit; its result is there `latency` cycles later. */
static void enter_unit(struct ventus_sm *sm, const struct ventus_collector *c, uint64_t now)
{
    struct ventus_model *m = sm->model;
    struct ventus_thread *t = c->thread;
    const struct ventus_cost *cost = &m->cost[c->stmt];
    const bool passes = cost->unit == VENTUS_UNIT_SFU;
    const uint64_t ready = now + c->interval - (passes ? 0 : 1) + cost->latency;
    resource_take(&sm->ports, cost->unit, t->number, 0, now + c->interval);
    sm->holder[cost->unit] = (struct release){c->by, now + c->interval};
    sm->holder[cost->unit].by.kind = REASON_PORT;
    ventus_level_charge(m, ventus_port_unit(m, t->sm, cost->unit), c->stmt, now, now + c->interval);
    const struct ventus_result result = {.thread = t,
                                         .life = c->life,
                                         .stmt = c->stmt,
                                         .stream = c->stream,
                                         .unit = cost->unit,
                                         .vector = cost->vector && !cost->writes[0],
                                         .issued = c->at,
                                         .at = ready,
                                         .order = sm->left++,
                                         .by = c->by};
    if (m->base.options.alone)
        ventus_written(t, &result, ready);
    else
        sm->results[sm->result_count++] = result;
}

/* What needs no unit: branches, barriers, the end of a warp. */
static void decide(const struct ventus_collector *c, uint64_t now)
{
    struct ventus_thread *t = c->thread;
    const struct ventus_cost *cost = &t->model->cost[c->stmt];
    const struct ventus_result result = {.thread = t,
                                         .life = c->life,
                                         .stmt = c->stmt,
                                         .stream = c->stream,
                                         .issued = c->at,
                                         .by = c->by};
    if (c->life == t->life && t->warp && cost->jump) {
        t->branch = now + cost->latency + 1;
        if (t->jumps)
            ventus_fetch_from(t, t->warp->pc, t->branch);
        t->jumps = false;
    }
    ventus_written(t, &result, now); /* the link of a call, if anything */
    if (c->life == t->life && t->warp && t->warp->state == VENTUS_ENDED)
        ventus_leave(t, now - VENTUS_BEHIND_ISSUE + t->model->value[VENTUS_PARAM_end_cycles]);
}

static void leave(struct ventus_sm *sm, uint32_t k, uint64_t now)
{
    const struct ventus_collector c = sm->collectors[k];
    struct ventus_thread *t = c.thread;
    const struct ventus_cost *cost = &sm->model->cost[c.stmt];
    sm->collectors[k].thread = NULL;
    sm->leave_turn[cost->vector] = k;
    if (c.life == t->life) {
        const struct release *holder = &sm->holder[cost->unit];
        t->collector = now;
        t->held = holder->at == now && c.ready < now ? holder->by : NO_PRODUCER;
    }
    if (cost->memory && t->transit.thread)
        ventus_lsu_take(t, now);
    else if (cost->unit == VENTUS_UNIT_ISSUE)
        decide(&c, now);
    else
        enter_unit(sm, &c, now);
}

void ventus_leave_collectors(struct ventus_sm *sm, bool vector, uint64_t now)
{
    const struct ventus_model *m = sm->model;
    for (uint32_t i = 1; i <= VENTUS_COLLECTORS; i++) {
        const uint32_t k = (sm->leave_turn[vector] + i) % VENTUS_COLLECTORS;
        const struct ventus_collector *c = &sm->collectors[k];
        if (!c->thread || c->pending || c->ready > now || m->cost[c->stmt].vector != vector)
            continue;
        if (can_leave(sm, c, now))
            leave(sm, k, now);
        if (!m->base.options.alone)
            return; /* those after it wait, too */
    }
}

/* --- write-back ------------------------------------------------------------------------------- */

/* Units in the order in which they are given the port. */
static uint32_t rank_of(const struct ventus_result *r)
{
    static const uint8_t ranks[VENTUS_UNIT_KINDS] = {[VENTUS_UNIT_FPU] = 1,
                                                     [VENTUS_UNIT_SFU] = 3,
                                                     [VENTUS_UNIT_MUL] = 4,
                                                     [VENTUS_UNIT_TENSOR] = 5};
    return ranks[r->unit];
}

void ventus_write_back(struct ventus_sm *sm, bool behind_loads, uint64_t now)
{
    for (uint32_t vector = 0; vector < 2; vector++) {
        const struct ventus_result *best = NULL;
        for (const struct ventus_result *r = sm->results; r < sm->results + sm->result_count; r++)
            if (r->vector == vector && r->at <= now && (rank_of(r) > 2) == behind_loads &&
                (!best || rank_of(r) < rank_of(best) ||
                 (rank_of(r) == rank_of(best) &&
                  (r->at < best->at || (r->at == best->at && r->order < best->order)))))
                best = r;
        if (!best || sm->written[vector] == now)
            continue;
        const struct ventus_result result = *best;
        sm->results[best - sm->results] = sm->results[--sm->result_count];
        sm->written[vector] = now;
        ventus_written(result.thread, &result, now);
    }
}

uint64_t ventus_collect_next(const struct ventus_sm *sm, uint64_t now)
{
    uint64_t next = VENTUS_NEVER;
    for (uint32_t k = 0; k < VENTUS_COLLECTORS; k++) {
        const struct ventus_collector *c = &sm->collectors[k];
        if (!c->thread)
            continue;
        const uint64_t at = c->pending ? now + 1 : later(now + 1, c->ready);
        next = at < next ? at : next;
    }
    for (uint32_t i = 0; i < sm->result_count; i++) {
        const uint64_t at = later(now + 1, sm->results[i].at);
        next = at < next ? at : next;
    }
    return next;
}
