/*
 * often: how many rounds a random campaign makes: a quarter of them in `make test`, TAKT_OFTEN
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

static inline size_t often(size_t rounds)
{
    if (!often_long())
        return (rounds + 3) / 4;
    const unsigned long times = strtoul(getenv("TAKT_OFTEN"), NULL, 10);
    return times > 0 ? rounds * times : rounds;
}

#endif
