/* bench: the clocks of the benchmarks. */
#ifndef TAKT_TESTS_BENCH_BENCH_H
#define TAKT_TESTS_BENCH_BENCH_H

#include <time.h>

static inline double bench_clock(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Seconds of processor time, the system's included, so that neighbours on the machine count
 * less. */
static inline double bench_cpu(void)
{
    return bench_clock(CLOCK_PROCESS_CPUTIME_ID);
}

/* Seconds as they pass, for what runs on several threads. */
static inline double bench_wall(void)
{
    return bench_clock(CLOCK_MONOTONIC);
}

#endif
