/*
 * words: what a part of a model will do from a cycle on, told relative to that cycle, as a row of
 * words. Two equal rows mean that everything that follows is the same, only later.
 */
#ifndef TAKT_TIMING_WORDS_H
#define TAKT_TIMING_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct words {
    uint64_t *at;
    size_t count, capacity;
    bool failed; /* the host has no memory */
};

static inline bool words_reserve(struct words *words, size_t more)
{
    if (words->count + more <= words->capacity)
        return true;
    const size_t capacity = 2 * words->capacity + more + 64;
    uint64_t *at = (uint64_t *)realloc(words->at, capacity * sizeof *at);
    if (!at) {
        words->failed = true;
        return false;
    }
    words->at = at;
    words->capacity = capacity;
    return true;
}

static inline void words_add(struct words *words, uint64_t word)
{
    if (words_reserve(words, 1))
        words->at[words->count++] = word;
}

/* A cycle that matters only as far as it lies beyond another. */
static inline void words_add_later(struct words *words, uint64_t cycle, uint64_t than)
{
    words_add(words, cycle > than ? cycle - than : 0);
}

static inline bool words_equal(const struct words *a, const struct words *b)
{
    return !a->failed && !b->failed && a->count == b->count &&
           (a->count == 0 || memcmp(a->at, b->at, a->count * sizeof *a->at) == 0);
}

#endif
