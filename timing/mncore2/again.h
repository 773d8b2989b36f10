/*
 * again: what could go from the program (removable.h) without a longer run, and all of it together:
 * run->removable and the counters. The run is done, and timed again without some of its nops.
 */
#ifndef TAKT_TIMING_MNCORE2_AGAIN_H
#define TAKT_TIMING_MNCORE2_AGAIN_H

#include "timing/mncore2/run.h"

/* Returns 0, or -1 when the host failed. */
int mncore2_again_removable(struct mncore2_run *run);
/* machine_timing.delayed */
int mncore2_again_delayed(const struct machine_run *shared, const struct machine_delay *delay,
                          uint64_t *cycles);

#endif
