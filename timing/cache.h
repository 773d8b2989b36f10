/*
 * cache: when an access finds its line, and what it sends to the next level. Tags and times only;
 * the contents are the functional core's.
 *
 *   access --cache_serve--> line there:            hit
 *                           line on its way:       merged
 *                           line not there:        miss; fetch and victim --> next level
 *                           no place to fetch to:  blocked; come back in cycle `ready`
 *
 * Accesses come in order of time. Rules, for an access in cycle c:
 * Place: line number = address / line; set = line number % sets.
 * Hit: its line is in the set, filled in cycle c or before. Ready at c + hit_latency.
 * Merged: its line is in the set, filled later. Ready when it is filled, at
 * c + hit_latency at the earliest. With `targets` no more accesses than that wait for a line, its
 * miss included: the next one is blocked until the line is filled.
 * Miss: it takes an MSHR until its line is filled, and a way of the set: an unused one, or the one
 * used longest ago whose line is not on its way. The fetch reaches the next level at c +
 * hit_latency; when that has served it, the line is filled and the access is ready.
 * Blocked: all ways of the set wait for their lines, or all MSHRs are taken, in cycle c. Nothing
 * happens; ready is the first cycle in which the access can go if nothing else comes before.
 * Writes: with write_back the line becomes dirty, and goes to the next level when it is replaced.
 * Otherwise the write itself is forwarded. Without write_allocate a write whose line is not in the
 * set is a miss that takes neither MSHR nor way: it is forwarded to the next level and is ready at
 * c + hit_latency. Everything is forwarded at c + hit_latency, in the order fetch, victim, write;
 * no access waits for writes. With `writes` at most that many writes (victims not counted) are in
 * flight, until the next level has served them; the next one is blocked.
 *
 * Does not model: banks and ports, sectors, critical word first, prefetch, coherence.
 *
 * Nothing is allocated after cache_init.
 */
#ifndef TAKT_TIMING_CACHE_H
#define TAKT_TIMING_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "timing/producer.h"

struct cache_access {
    uint64_t address;
    bool write;
    uint64_t cycle;
    struct producer by;
};

/* Sizes are at least 1. */
struct cache_config {
    uint64_t sets, ways;
    uint64_t line; /* bytes */
    uint64_t mshrs;
    uint64_t targets; /* accesses that an MSHR serves, its miss included; 0: any number */
    uint64_t writes;  /* forwarded writes in flight; 0: no limit */
    uint64_t hit_latency;
    bool write_back, write_allocate;
    /* The cycle in which the next level has served an access to a whole line, not before
     * access->cycle; NULL: it takes next_latency. */
    uint64_t (*next)(void *context, const struct cache_access *access);
    void *context;
    uint64_t next_latency;
};

enum cache_kind { CACHE_HIT, CACHE_MERGED, CACHE_MISS, CACHE_BLOCKED };

struct cache_answer {
    enum cache_kind kind;
    uint64_t ready;
    struct producer cause; /* merged, blocked: whose fetch it waits for, of several that end in one
                            * cycle the one with the lowest number; else NO_PRODUCER */
    bool writeback;        /* a dirty line was replaced ... */
    uint64_t victim;       /* ... and its address */
};

struct cache_way {
    uint64_t line;    /* number */
    uint64_t fill;    /* cycle in which it is filled */
    uint64_t used;    /* number of the last access, from 1; 0 = empty */
    uint64_t waiting; /* accesses that wait, or waited, for the fill */
    bool dirty;
    struct producer by; /* of the fetch */
};

struct cache_mshr {
    uint64_t fill; /* taken before this cycle */
    struct producer by;
};

struct cache {
    const struct cache_config *config;
    uint64_t accesses;
    struct cache_way *ways; /* [sets][ways] */
    struct cache_mshr *mshrs;
    struct cache_mshr *writes; /* likewise: forwarded writes */
};

/* config stays the caller's. Returns 0, or -1 when the host has no memory. */
int cache_init(struct cache *cache, const struct cache_config *config);
void cache_free(struct cache *cache);

struct cache_answer cache_serve(struct cache *cache, const struct cache_access *access);

/* Dirty lines go to the next level, in the order of sets and ways, all in access->cycle; `forget`:
 * no line is in the cache afterwards, also one that is on its way. Of all lines, or (`one`) of that
 * of the address. Returns the cycle in which the next level has served the last of them,
 * access->cycle when none is dirty. */
uint64_t cache_flush(struct cache *cache, const struct cache_access *access, bool one, bool forget);

#endif
