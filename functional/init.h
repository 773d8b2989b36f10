/*
 * init: initial contents of memories (--init).
 *
 *   "zero", "pattern" or "random:SEED" --init_parse--> struct init --init_word--> each word
 */
#ifndef TAKT_FUNCTIONAL_INIT_H
#define TAKT_FUNCTIONAL_INIT_H

#include <stddef.h>
#include <stdint.h>

enum init_kind { INIT_ZERO, INIT_PATTERN, INIT_RANDOM };

struct init {
    enum init_kind kind;
    uint64_t seed; /* for INIT_RANDOM */
};

/* text NULL means zero. Returns 0, or 1 with a message in error. */
int init_parse(struct init *init, const char *text, char *error, size_t error_size);

/* The initial word at a place; a machine gives each of its words a different place number. Random
 * words are splitmix64 of seed and place, so each can be computed independently. */
static inline uint64_t init_word(const struct init *init, uint64_t place)
{
    if (init->kind != INIT_RANDOM)
        return init->kind == INIT_PATTERN ? UINT64_C(0xdeadbeefdeadbeef) : 0;
    uint64_t x = init->seed * UINT64_C(0xd1342543de82ef95) + place * UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

#endif
