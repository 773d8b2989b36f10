/*
 * again: a run that is done, timed again in another way: on other numbers, with a delay, or without
 * some of its nops. It is not reported.
 */
#ifndef TAKT_TIMING_MNCORE2_AGAIN_H
#define TAKT_TIMING_MNCORE2_AGAIN_H

#include "timing/mncore2/run.h"

struct again {
    const struct model *model;
    bool documented, alone; /* alone: nobody waits for a unit */
    const struct machine_delay *delay;
    const uint32_t *cut; /* by item: nops that are left out; or NULL */
};

/* Returns 0, or -1 when the host failed. */
int mncore2_again(struct machine_run *run, const struct again *how, uint64_t *cycles);

/* The calls of struct range_subject and struct machine. */
int mncore2_again_retime(void *context, const struct config *config, bool alone, uint64_t *cycles);
int mncore2_again_delayed(struct machine_run *run, const struct machine_delay *delay,
                          uint64_t *total);

/* What could go from the program (removable.h) without a longer run, and all of it together:
 * run->removable and the counters. Returns 0, or -1 when the host failed. */
int mncore2_again_removable(struct machine_run *run);

#endif
