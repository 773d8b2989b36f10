/*
 * one_unit: what jobs that one unit has to do take at least, each with an earliest start (head) and
 * what follows its end (tail): the most that head + work + tail of any set of them proves (Carlier
 * 1982).
 */
#ifndef TAKT_TIMING_ONE_UNIT_H
#define TAKT_TIMING_ONE_UNIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct job {
    uint64_t head, work;
    int64_t tail;
    uint32_t node;
    uint64_t left, ended; /* of one_unit_most */
};

/* Jobs with at least this head and tail. */
struct job_set {
    uint64_t head, work;
    int64_t tail;
    size_t count;
};

static inline bool job_in(const struct job *job, const struct job_set *set)
{
    return job->head >= set->head && job->tail >= set->tail;
}

/* The set that proves most; sorts the jobs by head. heap: room for as many. count is not 0. */
struct job_set one_unit_most(struct job *jobs, size_t count, struct job **heap);

#endif
