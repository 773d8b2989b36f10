/* dice: the numbers from which benchmarks make programs, the same in each run. */
#ifndef TAKT_TESTS_BENCH_DICE_H
#define TAKT_TESTS_BENCH_DICE_H

#include <stdint.h>

#define BENCH_SEED 88172645463325252u

static uint64_t state = BENCH_SEED;

static inline uint64_t draw(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
}

static inline unsigned pick(unsigned limit)
{
    return (unsigned)(draw() >> 33) % limit;
}

#endif
