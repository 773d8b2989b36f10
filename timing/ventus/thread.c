/* thread: what a warp waits for, when its SM can issue, and what is charged to its statements. */
#include "timing/ventus/model.h"

/* The cycle from which the instruction at pc is in the buffer; VENTUS_NEVER when that is open. */
static uint64_t fetched(const struct ventus_thread *t, uint32_t pc)
{
    return t->buffered && t->buffer[0].group == ventus_fetch_group(t->model, pc)
               ? t->buffer[0].ready
               : VENTUS_NEVER;
}

void ventus_place_sets(const struct ventus_cost *cost, struct place_set sets[VENTUS_PLACE_WORDS])
{
    for (uint32_t i = 0; i < VENTUS_PLACE_WORDS; i++)
        sets[i] = (struct place_set){64 * i, cost->reads[i], cost->writes[i]};
}

void ventus_arm(struct ventus_sm *sm)
{
    struct ventus_model *m = sm->model;
    const struct ventus_thread *threads = m->threads + (sm - m->sms) * m->sm_warps;
    uint64_t first = VENTUS_NEVER;
    for (uint32_t i = 0; i < m->sm_warps; i++) {
        const uint64_t ready = ventus_ready(&threads[i]);
        first = ready < first ? ready : first;
    }
    if (first == VENTUS_NEVER)
        kernel_sleep(&m->base.kernel, &sm->issue);
    else
        kernel_wake(&m->base.kernel, &sm->issue,
                    later(first, m->base.options.alone ? m->base.kernel.now : sm->next_issue),
                    PHASE_ISSUE, "a warp can issue");
}

void ventus_warp_look(struct ventus_thread *t)
{
    const struct ventus_model *m = t->model;
    if (t->warp && !t->sleeps) {
        const uint32_t at = (t->warp->pc - m->launch->code) / 4;
        t->stmt = at < m->stmt_count ? at : NONE_ID;
        t->data = (struct release){.by = NO_PRODUCER, .at = 0};
        t->fetched = fetched(t, t->warp->pc);
    }
    if (t->warp && !t->sleeps && t->stmt != NONE_ID) {
        struct place_set sets[VENTUS_PLACE_WORDS];
        const struct ventus_cost *cost = &m->cost[t->stmt];
        ventus_place_sets(cost, sets);
        t->data.at = scoreboard_issue(&t->board, sets, VENTUS_PLACE_WORDS, 0, &t->data.by);
        if (m->launch->ops[t->stmt].form == FORM_DMA_BARRIER) {
            t->data = t->copied;
            t->data.at = t->copies ? VENTUS_NEVER : t->copied.at;
        }
    }
    ventus_arm(&t->model->sms[t->sm]);
}

void ventus_charge(struct ventus_thread *t, uint32_t stmt, uint32_t unit, uint32_t reason,
                   uint64_t from, uint64_t to)
{
    if (stmt != NONE_ID)
        run_charge(&t->model->base, unit, reason, stmt, from, to);
}

uint64_t ventus_write_back(struct ventus_sm *sm, bool vector, uint64_t at)
{
    const uint64_t now = sm->model->base.kernel.now, passed = now - sm->written[vector];
    sm->slots[vector] = passed < 64 ? sm->slots[vector] >> passed : 0;
    sm->written[vector] = now;
    while (!sm->model->base.options.alone && at - now < 64 && sm->slots[vector] >> (at - now) & 1)
        at++;
    if (at - now < 64)
        sm->slots[vector] |= UINT64_C(1) << (at - now);
    return at + 1;
}
