/* thread: what a warp waits for, and what is charged to its statements. */
#include "timing/ventus/model.h"

/* The cycle from which the instruction at pc is in front; VENTUS_NEVER when that is open. */
static uint64_t fetched(const struct ventus_thread *t, uint32_t pc)
{
    if (t->model->base.options.alone)
        return t->fetched;
    return t->current.group == ventus_fetch_group(t->model, pc) ? t->current.at : VENTUS_NEVER;
}

void ventus_place_sets(const struct ventus_cost *cost, struct place_set sets[VENTUS_PLACE_WORDS])
{
    for (uint32_t i = 0; i < VENTUS_PLACE_WORDS; i++)
        sets[i] = (struct place_set){64 * i, cost->reads[i], cost->writes[i]};
}

void ventus_stir(struct ventus_sm *sm, uint64_t at, const char *cause)
{
    kernel_wake_by(&sm->model->base.kernel, &sm->issue, at, PHASE_ARRIVE, cause);
}

void ventus_warp_look(struct ventus_thread *t)
{
    const struct ventus_model *m = t->model;
    if (!t->warp || t->sleeps)
        return;
    const uint32_t at = (t->warp->pc - m->launch->code) / 4;
    t->stmt = at < m->stmt_count ? at : NONE_ID;
    t->data = (struct release){.by = NO_PRODUCER, .at = 0};
    t->fetched = fetched(t, t->warp->pc);
    t->prefix = t->stmt != NONE_ID && m->cost[t->stmt].prefix;
    if (t->stmt == NONE_ID)
        return;
    struct place_set sets[VENTUS_PLACE_WORDS];
    const struct ventus_cost *cost = &m->cost[t->stmt];
    ventus_place_sets(cost, sets);
    t->data.at = scoreboard_issue(&t->board, sets, VENTUS_PLACE_WORDS, 0, &t->data.by);
    if (t->fenced && t->drained.at > t->data.at)
        t->data = t->drained;
    if (t->fenced && t->accesses)
        t->data.at = VENTUS_NEVER;
    if (m->launch->ops[t->stmt].form == FORM_DMA_BARRIER) {
        t->data = t->copied;
        t->data.at = t->copies ? VENTUS_NEVER : t->copied.at;
    }
}

void ventus_written(struct ventus_thread *t, const struct ventus_result *r, uint64_t at)
{
    struct ventus_model *m = t->model;
    if (m->over && at >= m->base.finish) /* still in flight when the launch is over */
        at = m->base.finish - 1;
    else if (!m->base.options.alone)
        m->base.finish = later(m->base.finish, at + 1);
    if (r->life == t->life) {
        struct place_set sets[VENTUS_PLACE_WORDS];
        ventus_place_sets(&m->cost[r->stmt], sets);
        scoreboard_write(&t->board, sets, VENTUS_PLACE_WORDS, at + 1, &r->by);
    }
    if (m->base.options.own)
        ventus_history_written(t, r, at + 1);
    if (m->base.sink && m->base.path.status == 0 && r->by.number != PATH_NONE)
        path_end(&m->base.path, r->by.number, at + 1, at + 1);
    run_execution(&m->base,
                  &(struct sink_execution){
                      .stream = r->stream, .stmt = r->stmt, .start = r->issued, .end = at + 1});
    ventus_warp_look(t);
}

void ventus_charge(struct ventus_thread *t, uint32_t stmt, uint32_t unit, uint32_t reason,
                   uint64_t from, uint64_t to)
{
    if (stmt != NONE_ID)
        run_charge(&t->model->base, unit, reason, stmt, from, to);
}
