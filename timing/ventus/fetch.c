/* fetch: the instruction buffers of an SM's warps, filled through the L1 instruction cache. */
#include "timing/ventus/model.h"

static struct ventus_sm *sm_of(const struct ventus_thread *t)
{
    return &t->model->sms[t->sm];
}

static void ask(struct ventus_thread *t, uint64_t at)
{
    kernel_wake_by(&t->model->base.kernel, &sm_of(t)->fetch, at, PHASE_NOTICE,
                   "an instruction buffer has room");
}

static struct ventus_fetching *answer_of(struct ventus_sm *sm, uint64_t at)
{
    return &sm->fetching[at & (VENTUS_FETCHES - 1)];
}

/* Its warp fetches the same again; later fetches of it are not wanted. */
static void again(struct ventus_sm *sm, struct ventus_thread *t, uint32_t group)
{
    t->next_group = group;
    for (uint32_t i = 0; i < VENTUS_FETCHES; i++)
        if (sm->fetching[i].thread == t)
            sm->fetching[i].thread = NULL;
}

/* What the cache answers in this cycle. Returns the warp that fetches again, or NULL. */
static struct ventus_thread *take_answer(struct ventus_sm *sm, uint64_t now)
{
    const struct ventus_model *m = sm->model;
    struct ventus_fetching fetching = *answer_of(sm, now);
    struct ventus_thread *t = fetching.thread;
    answer_of(sm, now)->thread = NULL;
    if (!t)
        return NULL;
    if (!fetching.hit || t->buffered >= m->value[VENTUS_PARAM_buffer_groups]) {
        again(sm, t, fetching.group);
        sm->thrown[now & 1] = now;
        return t;
    }
    t->buffer[t->buffered++] = (struct ventus_buffer_group){fetching.group, now};
    if (t->current.group == VENTUS_NO_GROUP)
        ventus_stir(sm, now + 1, "a group of instructions is in the buffer");
    return NULL;
}

static void request(struct ventus_sm *sm, struct ventus_thread *t, uint64_t now)
{
    struct ventus_model *m = sm->model;
    const struct cache_access access = {.address =
                                            t->next_group * 4 * m->value[VENTUS_PARAM_fetch_width],
                                        .cycle = now,
                                        .by = {.number = PATH_NONE, .statement = t->stmt}};
    const struct cache_answer answer = cache_serve(&sm->l1i, &access);
    const bool hit = answer.kind == CACHE_HIT;
    m->counters[VENTUS_COUNTER_L1I_HITS] += hit;
    m->counters[VENTUS_COUNTER_L1I_MISSES] += answer.kind == CACHE_MISS;
    ventus_charge(t, t->stmt, ventus_port_unit(m, t->sm, VENTUS_UNIT_FETCH), REASON_BUSY, now,
                  now + 1);
    const uint64_t at = now + m->value[VENTUS_PARAM_fetch_latency];
    *answer_of(sm, at) = (struct ventus_fetching){t, t->next_group++, hit};
}

/* Whether a warp has room, which it had when the cycle began. */
static bool has_room(const struct ventus_thread *t, uint64_t now)
{
    const uint32_t come = t->buffered && t->buffer[t->buffered - 1].at == now;
    return t->warp && t->fetch_from <= now &&
           t->buffered - come < t->model->value[VENTUS_PARAM_buffer_groups];
}

/* The first cycle in which the SM has to look again. */
static uint64_t next_look(const struct ventus_sm *sm, uint64_t now)
{
    const struct ventus_model *m = sm->model;
    const struct ventus_thread *threads = m->threads + (sm - m->sms) * m->sm_warps;
    uint64_t next = VENTUS_NEVER;
    for (uint32_t i = 0; i < VENTUS_FETCHES; i++)
        if (sm->fetching[i].thread)
            return now + 1;
    for (uint32_t i = 0; i < m->sm_warps; i++) {
        const struct ventus_thread *t = &threads[i];
        if (t->warp && t->buffered < m->value[VENTUS_PARAM_buffer_groups] &&
            t->fetch_from != VENTUS_NEVER)
            next = later(now + 1, t->fetch_from) < next ? later(now + 1, t->fetch_from) : next;
    }
    return next;
}

static void resume(struct process *process, struct kernel *kernel)
{
    struct ventus_sm *sm =
        (struct ventus_sm *)((char *)process - offsetof(struct ventus_sm, fetch));
    struct ventus_model *m = sm->model;
    struct ventus_thread *threads = m->threads + (sm - m->sms) * m->sm_warps, *t = threads;
    const uint64_t now = kernel->now;
    const bool missed = answer_of(sm, now)->thread && !answer_of(sm, now)->hit;
    const struct ventus_thread *fetches_again = take_answer(sm, now);
    while (t < threads + m->sm_warps && !has_room(t, now))
        t++;
    if (t < threads + m->sm_warps && t != fetches_again && !missed)
        request(sm, t, now);
    const uint64_t next = next_look(sm, now);
    if (next != VENTUS_NEVER)
        kernel_wake(kernel, process, next, PHASE_NOTICE, "the next fetch");
}

static void describe(const struct process *process, char *text, size_t size)
{
    const struct ventus_sm *sm =
        (const struct ventus_sm *)((const char *)process - offsetof(struct ventus_sm, fetch));
    snprintf(text, size, "sm%u fetch", (uint32_t)(sm - sm->model->sms));
}

void ventus_fetch_init(struct ventus_sm *sm)
{
    sm->fetch = (struct process){.resume = resume, .describe = describe};
}

bool ventus_fetch_thrown(const struct ventus_sm *sm, uint64_t at)
{
    return at && sm->thrown[at & 1] == at;
}

void ventus_fetch_from(struct ventus_thread *t, uint32_t pc, uint64_t at)
{
    t->buffered = 0;
    t->current.group = VENTUS_NO_GROUP;
    again(sm_of(t), t, ventus_fetch_group(t->model, pc));
    t->fetch_from = at;
    if (at == VENTUS_NEVER)
        return;
    if (t->model->base.options.alone) { /* no other fetch: it is there as soon as possible */
        t->current = (struct ventus_buffer_group){t->next_group, at};
        t->fetched = at + t->model->value[VENTUS_PARAM_fetch_latency] + 2;
        return;
    }
    ask(t, at);
}

void ventus_fetch_used(struct ventus_thread *t, uint32_t pc, uint32_t next)
{
    const uint32_t group = ventus_fetch_group(t->model, next);
    if (ventus_fetch_group(t->model, pc) == group)
        return;
    t->current.group = t->model->base.options.alone ? group : VENTUS_NO_GROUP;
}

/* Whether what the cache has answered in the cycle before comes late: the memory was read in the
 * one before that. */
static bool is_late(const struct ventus_thread *t, uint64_t at)
{
    const uint64_t *reads = t->model->reads;
    return t->model->value[VENTUS_PARAM_late_fetch] && at > 2 && t->buffer[0].at + 1 == at &&
           reads[(at - 2) % VENTUS_READS] == at - 2;
}

void ventus_fetch_turn(struct ventus_thread *t, uint64_t at)
{
    if (t->current.group != VENTUS_NO_GROUP || !t->buffered || t->buffer[0].at >= at)
        return;
    if (is_late(t, at))
        return;
    t->current = (struct ventus_buffer_group){t->buffer[0].group, at + 1};
    t->buffered--;
    for (uint32_t i = 0; i < t->buffered; i++)
        t->buffer[i] = t->buffer[i + 1];
    if (t->warp)
        ask(t, at + 1);
    ventus_warp_look(t);
}
