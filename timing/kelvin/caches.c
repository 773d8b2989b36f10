/* caches: the caches and their requests to memory; the units of instructions. */
#include "timing/kelvin/model.h"

void kelvin_take(struct kelvin_model *m, enum kelvin_unit unit, const struct producer *by,
                 uint64_t from, uint64_t to)
{
    if (!m->base.options.alone)
        resource_take(&m->ports, unit, by->statement, 0, to);
    m->holders[unit] = *by;
    m->work[unit] += to - from;
    run_charge(&m->base, unit, REASON_BUSY, by->statement, from, to);
}

/* Memory serves one line after the other. */
static uint64_t from_memory(void *context, const struct cache_access *access)
{
    struct kelvin_model *m = context;
    const uint64_t interval = m->value[KELVIN_PARAM_memory_interval];
    uint64_t at = access->cycle;
    if (!m->base.options.alone)
        at = later(at, resource_free_at(&m->ports, UINT64_C(1) << KELVIN_UNIT_MEM));
    kelvin_take(m, KELVIN_UNIT_MEM, &access->by, at, at + interval);
    kelvin_done(m, &access->by, at + interval);
    return at + m->value[KELVIN_PARAM_memory_latency];
}

static uint64_t from_l1i(void *context, const struct cache_access *access)
{
    struct kelvin_model *m = context;
    if (!m->value[KELVIN_PARAM_caches])
        return access->cycle + m->value[KELVIN_PARAM_l1i_latency];
    struct cache_answer answer = cache_serve(&m->l1i, access);
    while (answer.kind == CACHE_BLOCKED) {
        struct cache_access again = *access;
        again.cycle = answer.ready;
        answer = cache_serve(&m->l1i, &again);
    }
    m->counters[KELVIN_COUNTER_L1I_MISSES] += answer.kind == CACHE_MISS;
    return answer.ready;
}

int kelvin_caches_init(struct kelvin_model *m)
{
    const uint64_t line = m->value[KELVIN_PARAM_line_bytes];
    m->l0_config = (struct cache_config){.sets = m->value[KELVIN_PARAM_l0_bytes] / line,
                                         .ways = 1,
                                         .line = line,
                                         .mshrs = 4,
                                         .next = from_l1i,
                                         .context = m};
    m->l1i_config = (struct cache_config){.sets = m->value[KELVIN_PARAM_l1i_bytes] / line /
                                                  m->value[KELVIN_PARAM_l1i_ways],
                                          .ways = m->value[KELVIN_PARAM_l1i_ways],
                                          .line = line,
                                          .mshrs = 4,
                                          .hit_latency = m->value[KELVIN_PARAM_l1i_latency],
                                          .next = from_memory,
                                          .context = m};
    m->l1d_config = (struct cache_config){.sets = m->value[KELVIN_PARAM_l1d_bytes] / line /
                                                  m->value[KELVIN_PARAM_l1d_ways],
                                          .ways = m->value[KELVIN_PARAM_l1d_ways],
                                          .line = line,
                                          .mshrs = m->value[KELVIN_PARAM_l1d_misses],
                                          .hit_latency = m->value[KELVIN_PARAM_load_latency],
                                          .write_back = true,
                                          .write_allocate = true,
                                          .next = from_memory,
                                          .context = m};
    struct cache_config *const all[] = {&m->l0_config, &m->l1i_config, &m->l1d_config};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        all[i]->sets += !all[i]->sets;
    return cache_init(&m->l0, &m->l0_config) || cache_init(&m->l1i, &m->l1i_config) ||
                   cache_init(&m->l1d, &m->l1d_config)
               ? -1
               : 0;
}

bool kelvin_data_access(struct kelvin_model *m, const struct cache_access *access, uint32_t bytes,
                        uint64_t *ready, struct producer *by)
{
    const uint64_t line = m->value[KELVIN_PARAM_line_bytes];
    struct cache_access one = *access;
    const uint64_t last = (access->address + (bytes ? bytes - 1 : 0)) / line * line;
    *ready = 0;
    *by = NO_PRODUCER;
    if (!m->value[KELVIN_PARAM_caches]) {
        *ready = access->cycle + m->value[KELVIN_PARAM_load_latency];
        return true;
    }
    for (one.address = access->address / line * line; one.address <= last; one.address += line) {
        const struct cache_answer answer = cache_serve(&m->l1d, &one);
        *by = answer.cause;
        if (answer.kind == CACHE_BLOCKED) {
            *ready = answer.ready;
            return false;
        }
        m->counters[answer.kind == CACHE_HIT ? KELVIN_COUNTER_L1D_HITS
                                             : KELVIN_COUNTER_L1D_MISSES]++;
        *ready = later(*ready, answer.ready);
    }
    return true;
}

/* fence.i: code is fetched again, and earlier stores reach memory first. flushall, flushat: all
 * lines, or the line of the address, leave every cache. */
uint64_t kelvin_flush(struct kelvin_model *m, const struct kelvin_cost *cost,
                      const struct kelvin_step *step, uint64_t at, const struct producer *by)
{
    const bool one = cost->flush == KELVIN_FLUSH_LINE;
    const struct cache_access access = {.address = step->address, .cycle = at, .by = *by};
    if (!m->value[KELVIN_PARAM_caches] && cost->flush != KELVIN_FLUSH_CODE)
        return at;
    cache_flush(&m->l0, &access, one, true);
    m->line = 0;
    if (!m->value[KELVIN_PARAM_caches])
        return at;
    cache_flush(&m->l1i, &access, one, true);
    const uint64_t served = cache_flush(&m->l1d, &access, one, cost->flush != KELVIN_FLUSH_CODE);
    return served > at ? served - m->value[KELVIN_PARAM_memory_latency] +
                             m->value[KELVIN_PARAM_memory_interval]
                       : at;
}
