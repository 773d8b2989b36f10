/* place: on which cluster each thread is, and which one moves when a cluster has no thread left. */
#include "timing/amx/model.h"

/* --- at the start ----------------------------------------------------------------------------- */

void amx_place(struct amx_model *m)
{
    const uint64_t clusters =
        m->value[AMX_PARAM_clusters] + m->value[AMX_PARAM_efficiency_clusters];
    uint64_t free_threads = 0; /* without .cluster, so far */
    m->clusters = 1;
    for (struct thread *t = m->threads; t < m->threads + m->thread_count; t++) {
        const int written = m->program->cluster[t->number];
        t->next = NO_CLUSTER;
        t->pinned = written >= 0;
        t->cluster = (uint32_t)(t->pinned ? (uint64_t)written : free_threads++ % clusters);
        t->moves = !t->pinned && cluster_kind(m, t->cluster) == EFFICIENCY;
        m->moving |= t->moves;
        if (t->cluster >= m->clusters)
            m->clusters = t->cluster + 1;
    }
}

/* --- moving ----------------------------------------------------------------------------------- */

/* The cluster that it is on, or goes to. */
static uint32_t place_of(const struct thread *t)
{
    return t->next != NO_CLUSTER ? t->next : t->cluster;
}

/* First cycle in which a cluster might have no thread left; *certain: it is that cycle. */
static uint64_t ends(const struct amx_model *m, uint32_t cluster, bool *certain)
{
    uint64_t end = 0;
    *certain = true;
    for (const struct thread *t = m->threads; t < m->threads + m->thread_count; t++) {
        if (place_of(t) != cluster)
            continue;
        end = later(end, t->finish);
        if (t->stmt == NONE_ID)
            continue;
        end = later(end, ready_cycle(t) + 1);
        *certain = false;
    }
    return end;
}

uint64_t amx_place_free(const struct amx_model *m)
{
    uint64_t first = UINT64_MAX;
    bool certain;
    for (uint32_t c = 0; c < m->value[AMX_PARAM_clusters]; c++) {
        const uint64_t end = ends(m, c, &certain);
        first = end < first ? end : first;
    }
    return first;
}

static struct thread *next_to_move(struct amx_model *m)
{
    for (struct thread *t = m->threads; t < m->threads + m->thread_count; t++)
        if (t->moves && t->stmt != NONE_ID)
            return t;
    return NULL;
}

/* The clusters that have no thread now each get one; those that will have none later wait. */
static void resume(struct process *process, struct kernel *kernel)
{
    struct amx_model *m =
        (struct amx_model *)(void *)((char *)process - offsetof(struct amx_model, mover));
    for (uint32_t c = 0; c < m->value[AMX_PARAM_clusters]; c++) {
        struct thread *t = next_to_move(m);
        bool certain;
        const uint64_t end = ends(m, c, &certain);
        if (!t)
            return;
        if (certain && end > kernel->now)
            kernel_wake_by(kernel, process, end, PHASE_NOTICE, "a cluster has no thread left");
        if (!certain || end > kernel->now)
            continue;
        t->next = c;
        t->moves = false;
    }
}

void amx_place_ended(struct amx_model *m, const struct thread *ended)
{
    bool certain;
    if (m->base.options.alone || cluster_kind(m, place_of(ended)) == EFFICIENCY)
        return;
    const uint64_t end = ends(m, place_of(ended), &certain);
    if (certain)
        kernel_wake_by(&m->base.kernel, &m->mover, end, PHASE_NOTICE,
                       "a cluster has no thread left");
}

static void describe(const struct process *process, char *text, size_t size)
{
    (void)process;
    snprintf(text, size, "placement");
}

void amx_mover_start(struct amx_model *m)
{
    m->mover = (struct process){.resume = resume, .describe = describe};
    for (const struct thread *t = m->threads; t < m->threads + m->thread_count; t++)
        if (t->stmt == NONE_ID && m->moving)
            amx_place_ended(m, t);
}
