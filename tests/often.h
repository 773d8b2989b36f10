/*
 * often: how many rounds a random campaign makes: an eighth of them in `make test`, TAKT_OFTEN
 * times as many in `make test-long`. Round n is the same in both.
 */
#ifndef TAKT_TESTS_OFTEN_H
#define TAKT_TESTS_OFTEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

static inline bool often_long(void)
{
    return getenv("TAKT_OFTEN") != NULL;
}

/* In `make test` the part'th part of the rounds, rounded up. */
static inline size_t often_part(size_t rounds, size_t part)
{
    if (!often_long())
        return (rounds + part - 1) / part;
    const unsigned long times = strtoul(getenv("TAKT_OFTEN"), NULL, 10);
    return times > 0 ? rounds * times : rounds;
}

static inline size_t often(size_t rounds)
{
    return often_part(rounds, 8);
}

/* Twice as many: where rare cases have to be seen. */
static inline size_t often_rare(size_t rounds)
{
    return often_part(rounds, 4);
}

#endif
