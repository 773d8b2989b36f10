#include "timing/cache.h"

#include <stdlib.h>

int cache_init(struct cache *cache, const struct cache_config *config)
{
    *cache = (struct cache){.config = config};
    cache->ways = calloc(config->sets * config->ways, sizeof *cache->ways);
    cache->mshrs = calloc(config->mshrs, sizeof *cache->mshrs);
    cache->writes = calloc(config->writes + 1, sizeof *cache->writes);
    if (cache->ways && cache->mshrs && cache->writes)
        return 0;
    cache_free(cache);
    return -1;
}

void cache_free(struct cache *cache)
{
    free(cache->ways);
    free(cache->mshrs);
    free(cache->writes);
    *cache = (struct cache){0};
}

static struct cache_way *find_line(const struct cache_config *config, struct cache_way *set,
                                   uint64_t line)
{
    for (uint64_t w = 0; w < config->ways; w++)
        if (set[w].used && set[w].line == line)
            return &set[w];
    return NULL;
}

/* A fetch that ends before the one that the answer waits for so far. */
static void wait_for(struct cache_answer *answer, uint64_t fill, const struct producer *by)
{
    if (fill > answer->ready || (fill == answer->ready && by->number >= answer->cause.number))
        return;
    answer->ready = fill;
    answer->cause = *by;
}

static const struct cache_answer blocked = {
    .kind = CACHE_BLOCKED, .ready = UINT64_MAX, .cause = {.number = UINT64_MAX}};

/* The way to replace in a cycle, or NULL and when there will be one. */
static struct cache_way *find_victim(const struct cache_config *config, struct cache_way *set,
                                     uint64_t cycle, struct cache_answer *answer)
{
    struct cache_way *victim = NULL;
    *answer = blocked;
    for (uint64_t w = 0; w < config->ways; w++)
        if (set[w].fill > cycle)
            wait_for(answer, set[w].fill, &set[w].by);
        else if (!victim || set[w].used < victim->used)
            victim = &set[w];
    return victim;
}

/* The same for MSHRs, or forwarded writes. */
static struct cache_mshr *find_mshr(struct cache_mshr *mshrs, uint64_t count, uint64_t cycle,
                                    struct cache_answer *answer)
{
    *answer = blocked;
    for (uint64_t m = 0; m < count; m++) {
        if (mshrs[m].fill <= cycle)
            return &mshrs[m];
        wait_for(answer, mshrs[m].fill, &mshrs[m].by);
    }
    return NULL;
}

/* When the next level has served the access to a line, or taken it. */
static uint64_t go_on(const struct cache *cache, uint64_t line, bool write,
                      const struct cache_access *access)
{
    const struct cache_config *config = cache->config;
    const struct cache_access next = {.address = line * config->line,
                                      .write = write,
                                      .cycle = access->cycle + config->hit_latency,
                                      .by = access->by};
    return config->next ? config->next(config->context, &next) : next.cycle + config->next_latency;
}

static struct cache_answer miss(struct cache *cache, struct cache_way *set, uint64_t line,
                                const struct cache_access *access)
{
    const struct cache_config *config = cache->config;
    struct cache_answer answer;
    struct cache_way *way = find_victim(config, set, access->cycle, &answer);
    if (!way)
        return answer;
    struct cache_mshr *mshr = find_mshr(cache->mshrs, config->mshrs, access->cycle, &answer);
    if (!mshr)
        return answer;
    const uint64_t fill = go_on(cache, line, false, access);
    answer = (struct cache_answer){.kind = CACHE_MISS,
                                   .ready = fill,
                                   .cause = NO_PRODUCER,
                                   .writeback = way->dirty,
                                   .victim = way->line * config->line};
    if (way->dirty)
        go_on(cache, way->line, true, access);
    *mshr = (struct cache_mshr){fill, access->by};
    *way = (struct cache_way){.line = line,
                              .fill = fill,
                              .used = ++cache->accesses,
                              .waiting = 1,
                              .dirty = access->write && config->write_back,
                              .by = access->by};
    return answer;
}

struct cache_answer cache_serve(struct cache *cache, const struct cache_access *access)
{
    const struct cache_config *config = cache->config;
    const uint64_t line = access->address / config->line;
    struct cache_way *set = &cache->ways[line % config->sets * config->ways];
    struct cache_way *way = find_line(config, set, line);
    const uint64_t looked_up = access->cycle + config->hit_latency;
    const bool allocates = !access->write || config->write_allocate;
    const bool goes_on = access->write && (!config->write_back || !(way || allocates));
    struct cache_answer answer = {.kind = CACHE_MISS, .ready = looked_up, .cause = NO_PRODUCER};
    struct cache_mshr *write = cache->writes;
    if (goes_on && config->writes) {
        write = find_mshr(cache->writes, config->writes, access->cycle, &answer);
        if (!write)
            return answer;
        answer = (struct cache_answer){CACHE_MISS, .ready = looked_up, .cause = NO_PRODUCER};
    }
    if (way) {
        const bool there = way->fill <= access->cycle;
        if (!there && config->targets && way->waiting >= config->targets)
            return (struct cache_answer){
                .kind = CACHE_BLOCKED, .ready = way->fill, .cause = way->by};
        way->waiting += !there;
        way->used = ++cache->accesses;
        way->dirty |= access->write && config->write_back;
        if (there && !goes_on)
            return (struct cache_answer){
                .kind = CACHE_HIT, .ready = looked_up, .cause = NO_PRODUCER};
        answer.kind = there ? CACHE_HIT : CACHE_MERGED;
        answer.ready = there ? looked_up : later(looked_up, way->fill);
        if (!there)
            answer.cause = way->by;
    } else if (allocates) {
        answer = miss(cache, set, line, access);
    }
    if (goes_on && answer.kind != CACHE_BLOCKED)
        *write = (struct cache_mshr){go_on(cache, line, true, access), access->by};
    return answer;
}

uint64_t cache_flush(struct cache *cache, const struct cache_access *access, bool one, bool forget)
{
    const struct cache_config *config = cache->config;
    const uint64_t line = access->address / config->line;
    uint64_t served = access->cycle;
    const uint64_t first = one ? line % config->sets * config->ways : 0;
    const uint64_t count = (one ? 1 : config->sets) * config->ways;
    for (uint64_t i = first; i < first + count; i++) {
        struct cache_way *way = &cache->ways[i];
        if (!way->used || (one && way->line != line))
            continue;
        const struct cache_access next = {.address = way->line * config->line,
                                          .write = true,
                                          .cycle = access->cycle,
                                          .by = access->by};
        if (way->dirty)
            served = later(served, config->next ? config->next(config->context, &next)
                                                : next.cycle + config->next_latency);
        way->dirty = false;
        if (forget)
            *way = (struct cache_way){0};
    }
    return served;
}
