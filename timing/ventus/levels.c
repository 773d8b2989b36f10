/* levels: the caches and the memory. */
#include "timing/ventus/model.h"

#include <string.h>

enum { LEVEL_L2, LEVEL_RAM };

static void charge(struct ventus_model *m, struct ventus_taken t)
{
    const uint64_t end = m->over && m->base.finish < t.end ? m->base.finish : t.end;
    if (t.start < end && t.unit < ventus_level_unit(m, LEVEL_L2)) /* of one SM */
        run_charge(&m->base, t.unit, REASON_BUSY, t.stmt, t.start, end);
    else if (t.start < end)
        account_busy(&m->base.account, t.unit, t.stmt, t.start, end - t.start);
}

/* Charges the first of what has been taken that is over; where there is none, the first. */
static void charge_first(struct ventus_model *m)
{
    uint32_t i = 0;
    while (i < m->taken_count && m->taken[i].end > m->base.kernel.now)
        i++;
    i = i < m->taken_count ? i : 0;
    charge(m, m->taken[i]);
    memmove(&m->taken[i], &m->taken[i + 1], (--m->taken_count - i) * sizeof *m->taken);
}

void ventus_level_charge(struct ventus_model *m, uint32_t unit, uint32_t stmt, uint64_t start,
                         uint64_t end)
{
    const struct ventus_taken taken = {unit, stmt, start, end};
    const uint64_t now = m->base.kernel.now;
    if (!m->base.sink)
        return;
    while (m->taken_count && (m->taken_count == VENTUS_TAKEN || m->taken[0].end <= now))
        charge_first(m);
    if (m->over || end <= now + 1)
        charge(m, taken);
    else /* what is in flight when the last warp ends is charged up to then */
        m->taken[m->taken_count++] = taken;
}

void ventus_levels_settle(struct ventus_model *m)
{
    m->over = true; /* or has been stopped */
    while (m->taken_count)
        charge_first(m);
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

/* An answer leaves the second level in cycle `at`, or in the first one after it that is free. */
static uint64_t leaving(struct ventus_model *m, uint64_t at)
{
    if (!m->value[VENTUS_PARAM_l2_answers])
        return at;
    while (m->answers[at % VENTUS_ANSWERS] == at)
        at++;
    return m->answers[at % VENTUS_ANSWERS] = at;
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
    const uint64_t hit = answer.kind == CACHE_HIT ? v[VENTUS_PARAM_l2_hit] : 0;
    return leaving(m, later(answer.ready, access->cycle) + hit) + v[VENTUS_PARAM_l2_return];
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
