/* group: workgroups on SMs. */
#include "timing/ventus/collect.h"

static struct ventus_place *free_place(struct ventus_sm *sm)
{
    struct ventus_place *place = sm->places;
    while (place->used)
        place++;
    return place;
}

static bool has_room(const struct ventus_model *m, const struct ventus_sm *sm)
{
    return sm->free >= m->launch->warps && sm->sgprs >= m->group_sgprs &&
           sm->vgprs >= m->group_vgprs && sm->local >= m->group_local;
}

/* A warp begins at warp->pc. */
static void begin(struct ventus_thread *t, struct ventus_warp *warp, uint64_t at)
{
    t->warp = warp;
    t->began = at;
    t->waits = t->sleeps = false;
    t->last = NO_PRODUCER;
    t->order = at;
    t->branch = t->collector = 0;
    t->jumps = t->fenced = false;
    t->accesses = 0;
    t->drained = (struct release){NO_PRODUCER, 0};
    t->life++;
    t->stmt = (warp->pc - t->model->launch->code) / 4;
    for (size_t i = 0; i < t->board.places; i++)
        t->board.ready[i] = 0;
    if (t->model->streams[t->number].ordinal == 0)
        t->model->streams[t->number].first = t->stmt;
    ventus_fetch_from(t, warp->pc, at);
    ventus_warp_look(t);
    if (t->model->base.options.alone)
        ventus_stir(&t->model->sms[t->sm], t->fetched, "a warp begins");
}

static void place_group(struct ventus_model *m, struct ventus_sm *sm, uint64_t at)
{
    struct ventus_place *place = free_place(sm);
    place->used = true;
    place->group.warps = place->warps;
    sm->free -= m->launch->warps;
    sm->sgprs -= m->group_sgprs;
    sm->vgprs -= m->group_vgprs;
    sm->local -= m->group_local;
    ventus_group_start(&m->run->exec, &place->group, m->next_group++,
                       (uint32_t)(place - sm->places));
    place->group.sm = (uint32_t)(sm - m->sms);
    const uint64_t held = m->sm_warps - sm->free;
    if (held > m->counters[VENTUS_COUNTER_WARPS_MOST])
        m->counters[VENTUS_COUNTER_WARPS_MOST] = held;
    uint32_t next = 0;
    struct ventus_thread *t = m->threads + (sm - m->sms) * m->sm_warps;
    for (; next < m->launch->warps; t++)
        if (!t->warp) {
            begin(t, &place->group.warps[next], at + next * m->value[VENTUS_PARAM_dispatch_cycles]);
            next++;
        }
}

void ventus_dispatch(struct ventus_model *m, uint64_t at)
{
    m->next_begin = later(m->next_begin, at);
    while (m->next_group < m->groups) {
        struct ventus_sm *best = NULL;
        for (struct ventus_sm *sm = m->sms; sm < m->sms + m->sm_count; sm++)
            if (has_room(m, sm) && (!best || sm->free > best->free))
                best = sm;
        if (!best)
            return;
        place_group(m, best, m->next_begin);
        m->next_begin += m->value[VENTUS_PARAM_group_interval];
    }
}

void ventus_leave(struct ventus_thread *t, uint64_t at)
{
    struct ventus_model *m = t->model;
    struct ventus_sm *sm = &m->sms[t->sm];
    struct ventus_place *place = (struct ventus_place *)t->warp->group; /* first there */
    t->warp = NULL;
    if (m->base.options.alone)
        ventus_alone_leave(t);
    m->counters[VENTUS_COUNTER_WARPS_CYCLES] += at - t->began;
    if (m->base.sink)
        account_reach(&m->base.account, at);
    if (++place->left < place->group.count)
        return;
    place->used = false;
    place->left = 0;
    sm->free += place->group.count;
    sm->sgprs += m->group_sgprs;
    sm->vgprs += m->group_vgprs;
    sm->local += m->group_local;
    m->base.finish = later(m->base.finish, at);
    m->over = ++m->ended == m->groups;
    ventus_dispatch(m, at + m->value[VENTUS_PARAM_group_latency]);
}
