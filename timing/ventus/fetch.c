/* fetch: the instruction buffer of a warp, filled through the L1 instruction cache. */
#include "timing/ventus/model.h"

static void ask(struct ventus_thread *t, uint64_t at)
{
    kernel_wake(&t->model->base.kernel, &t->fetch, later(at, t->next_fetch), PHASE_ARRIVE,
                "the instruction buffer has room");
}

static void resume(struct process *process, struct kernel *kernel)
{
    struct ventus_thread *t = (struct ventus_thread *)process;
    struct ventus_model *m = t->model;
    struct ventus_sm *sm = &m->sms[t->sm];
    const uint64_t now = kernel->now;
    const uint64_t port = resource_free_at(&sm->ports, UINT64_C(1) << VENTUS_UNIT_FETCH);
    if (!t->warp || t->buffered >= m->value[VENTUS_PARAM_buffer_groups])
        return;
    if (port > now && !m->base.options.alone) {
        ask(t, port);
        return;
    }
    const struct cache_access access = {.address =
                                            t->next_group * 4 * m->value[VENTUS_PARAM_fetch_width],
                                        .cycle = now,
                                        .by = {.number = PATH_NONE, .statement = t->stmt}};
    const struct cache_answer answer = cache_serve(&sm->l1i, &access);
    resource_take(&sm->ports, VENTUS_UNIT_FETCH, t->number, 0, now + 1);
    ventus_charge(t, t->stmt, ventus_port_unit(m, t->sm, VENTUS_UNIT_FETCH), REASON_BUSY, now,
                  now + 1);
    if (answer.kind == CACHE_BLOCKED) {
        ask(t, answer.ready);
        return;
    }
    const bool hit = answer.kind == CACHE_HIT;
    m->counters[hit ? VENTUS_COUNTER_L1I_HITS : VENTUS_COUNTER_L1I_MISSES]++;
    t->buffer[t->buffered++] = (struct ventus_buffer_group){t->next_group++, answer.ready};
    t->next_fetch = hit ? now + 1 : answer.ready;
    ask(t, now + 1);
    ventus_warp_look(t);
}

static void describe(const struct process *process, char *text, size_t size)
{
    const struct ventus_thread *t = (const struct ventus_thread *)process;
    snprintf(text, size, "sm%u warp%u fetch", t->sm, t->slot);
}

void ventus_fetch_init(struct ventus_thread *t)
{
    t->fetch = (struct process){.resume = resume, .describe = describe};
}

void ventus_fetch_from(struct ventus_thread *t, uint32_t pc, uint64_t at)
{
    t->buffered = 0;
    t->next_group = ventus_fetch_group(t->model, pc);
    t->next_fetch = at;
    ask(t, at);
}

void ventus_fetch_used(struct ventus_thread *t, uint32_t pc, uint32_t next, uint64_t at)
{
    const struct ventus_model *m = t->model;
    if (ventus_fetch_group(m, pc) == ventus_fetch_group(m, next) || !t->buffered)
        return;
    t->buffered--;
    for (uint32_t i = 0; i < t->buffered; i++)
        t->buffer[i] = t->buffer[i + 1];
    ask(t, at + 1);
}
