/* levels: the caches and the memory. */
#include "timing/ventus/model.h"

#include <string.h>

enum { LEVEL_L2, LEVEL_RAM };

/* Charges the first of what has been taken, up to `end`. */
static void charge_first(struct ventus_model *m, uint64_t end)
{
    struct ventus_taken *t = &m->taken[0];
    const uint64_t to = t->end < end ? t->end : end;
    if (t->start < to && t->unit < ventus_level_unit(m, LEVEL_L2)) /* of one SM */
        run_charge(&m->base, t->unit, REASON_BUSY, t->stmt, t->start, to);
    else if (t->start < to)
        account_busy(&m->base.account, t->unit, t->stmt, t->start, to - t->start);
    memmove(t, t + 1, --m->taken_count * sizeof *t);
}

void ventus_level_charge(struct ventus_model *m, uint32_t unit, uint32_t stmt, uint64_t start,
                         uint64_t end)
{
    if (!m->base.sink)
        return;
    /* Accesses still in flight when the last warp ends are not charged. */
    while (m->taken_count && (m->taken_count == VENTUS_TAKEN || m->taken[0].end <= m->base.finish))
        charge_first(m, UINT64_MAX);
    m->taken[m->taken_count++] = (struct ventus_taken){unit, stmt, start, end};
}

void ventus_levels_settle(struct ventus_model *m)
{
    while (m->taken_count)
        charge_first(m, m->base.finish);
}

/* A level's port, taken from the first cycle in which it is free. Returns that cycle. */
static uint64_t take(struct ventus_model *m, uint32_t level, const struct producer *by, uint64_t at,
                     uint64_t interval)
{
    const uint64_t start = later(at, resource_free_at(&m->levels, UINT64_C(1) << level));
    resource_take(&m->levels, level, 0, 0, start + interval);
    ventus_level_charge(m, ventus_level_unit(m, level), by->statement, start, start + interval);
    return start;
}

/* An access that waits until it can go. */
static struct cache_answer serve(struct cache *cache, struct cache_access access)
{
    struct cache_answer answer = cache_serve(cache, &access);
    while (answer.kind == CACHE_BLOCKED) {
        access.cycle = answer.ready;
        answer = cache_serve(cache, &access);
    }
    return answer;
}

static uint64_t from_ram(void *context, const struct cache_access *access)
{
    struct ventus_model *m = context;
    const uint64_t start =
        take(m, LEVEL_RAM, &access->by, access->cycle, m->value[VENTUS_PARAM_ram_interval]);
    m->reads[start % VENTUS_READS] = start;
    return start + m->value[VENTUS_PARAM_ram_latency];
}

uint64_t ventus_l2_cleared(const struct ventus_model *m)
{
    const uint64_t *v = m->value;
    return v[VENTUS_PARAM_l2_sets] > v[VENTUS_PARAM_since_reset] + 1
               ? v[VENTUS_PARAM_l2_sets] - v[VENTUS_PARAM_since_reset] - 1
               : 0;
}

/* A written line is read, merged and written to memory, and the second level does not keep it. */
static uint64_t from_l2(void *context, const struct cache_access *access)
{
    struct ventus_model *m = context;
    const uint64_t *v = m->value;
    struct cache_access next = *access;
    next.cycle = take(m, LEVEL_L2, &access->by, later(access->cycle, ventus_l2_cleared(m)),
                      v[VENTUS_PARAM_l2_interval]);
    next.write = false;
    const struct cache_answer answer = serve(&m->l2, next);
    m->counters[answer.kind == CACHE_HIT ? VENTUS_COUNTER_L2_HITS : VENTUS_COUNTER_L2_MISSES]++;
    if (access->write)
        cache_flush(&m->l2, &next, true, true);
    return later(answer.ready, access->cycle) + v[VENTUS_PARAM_l2_return];
}

static uint64_t to_l1d(void *context, const struct cache_access *access)
{
    struct ventus_model *m = context;
    return from_l2(m, access) + (access->write ? 0 : m->value[VENTUS_PARAM_refill_latency]);
}

/* --- making and freeing ----------------------------------------------------------------------- */

static void level_start(void *context, const struct request *request, uint64_t now)
{
    (void)context;
    (void)request;
    (void)now;
}

static const struct resource_calls level_calls = {.start = level_start};

int ventus_memory_init(struct ventus_model *m)
{
    const uint64_t *v = m->value;
    m->l2_config = (struct cache_config){.sets = v[VENTUS_PARAM_l2_sets],
                                         .ways = v[VENTUS_PARAM_l2_ways],
                                         .line = v[VENTUS_PARAM_l2_line],
                                         .mshrs = v[VENTUS_PARAM_l2_mshrs],
                                         .hit_latency = v[VENTUS_PARAM_l2_latency],
                                         .write_allocate = true,
                                         .next = from_ram,
                                         .context = m};
    int status = cache_init(&m->l2, &m->l2_config);
    if (resource_init(&m->levels, &m->base.kernel, 1, &level_calls, m) != 0)
        status = -1;
    for (uint32_t s = 0; s < m->sm_count; s++) {
        struct ventus_sm *sm = &m->sms[s];
        sm->l1i_config = (struct cache_config){.sets = v[VENTUS_PARAM_l1i_sets],
                                               .ways = v[VENTUS_PARAM_l1i_ways],
                                               .line = v[VENTUS_PARAM_l1i_line],
                                               .mshrs = v[VENTUS_PARAM_l1d_mshrs],
                                               .hit_latency = v[VENTUS_PARAM_fetch_latency],
                                               .write_allocate = true,
                                               .next = from_l2,
                                               .context = m};
        sm->l1d_config = (struct cache_config){.sets = v[VENTUS_PARAM_l1d_sets],
                                               .ways = v[VENTUS_PARAM_l1d_ways],
                                               .line = v[VENTUS_PARAM_l1d_line],
                                               .mshrs = v[VENTUS_PARAM_l1d_mshrs],
                                               .targets = v[VENTUS_PARAM_l1d_targets],
                                               .writes = v[VENTUS_PARAM_l1d_writes],
                                               .hit_latency = v[VENTUS_PARAM_l1d_latency],
                                               .next = to_l1d,
                                               .context = m};
        if (cache_init(&sm->l1i, &sm->l1i_config) != 0 ||
            cache_init(&sm->l1d, &sm->l1d_config) != 0)
            status = -1;
    }
    return status;
}

void ventus_memory_levels_free(struct ventus_model *m)
{
    cache_free(&m->l2);
    resource_free(&m->levels);
    for (uint32_t s = 0; s < m->sm_count; s++) {
        cache_free(&m->sms[s].l1i);
        cache_free(&m->sms[s].l1d);
    }
}
