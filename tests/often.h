/*
 * often: how many rounds a random campaign makes: so many in `make test`, so many times as many in
 * `make test-long` as TAKT_OFTEN says. More rounds go on where fewer end: round n is the same in
 * both.
 */
#ifndef TAKT_TESTS_OFTEN_H
#define TAKT_TESTS_OFTEN_H

#include <stddef.h>
#include <stdlib.h>

static inline size_t often(size_t rounds)
{
    const char *text = getenv("TAKT_OFTEN");
    const unsigned long times = text ? strtoul(text, NULL, 10) : 1;
    return times > 0 ? rounds * times : rounds;
}

#endif
