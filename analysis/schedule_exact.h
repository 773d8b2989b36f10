/*
 * schedule_exact: the best order of a small block, or the proof that no order is better.
 *
 *   struct list, cycles --schedule_exact--> 1: no order takes fewer cycles than there are now
 *
 * In its time each transfer takes its least cycles (moves.h) if it has its way alone, so it may be
 * less than that of a run. It is the run's where there are no transfers.
 */
#ifndef TAKT_ANALYSIS_SCHEDULE_EXACT_H
#define TAKT_ANALYSIS_SCHEDULE_EXACT_H

#include "analysis/list_schedule.h"

enum { EXACT_NODES = 64, EXACT_STATES = 100000 };

struct exact_job {
    uint64_t most; /* states that are tried */
    /* Of each node's transfer instead of the least: then ways are given in the order of issue, and
     * what is found proves nothing. NULL: the least. */
    const uint64_t *lengths;
    bool (*stop)(void *self);
    void *self;
    uint64_t *tried; /* gets how many were; or NULL */
};

/* Cycles of the list's last order, where slots and results alone make the time. */
uint64_t schedule_cycles(const struct list *list);
/* Search all orders of the block for one with fewer cycles than that, which it leaves in both.
 * Returns 1 when none takes fewer than `cycles` then, 0 when it gave up, -1 when the host has no
 * memory. */
int schedule_exact(struct list *list, const struct exact_job *job, uint64_t *cycles);

#endif
