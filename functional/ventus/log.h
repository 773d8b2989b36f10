/*
 * log: a launch as the public functional simulator lists it (listing.h).
 *
 *   program, memory --ventus_log--> text
 *
 * The simulator runs a workgroup at a time, in their order, each on the same cores: core N is
 * warp N of the workgroup. Each core executes an instruction in turn, from the boot ROM on; those
 * that wait or have ended are passed over. When all have ended, core 0 continues after its endprg
 * until the store that signals the host.
 */
#ifndef TAKT_FUNCTIONAL_VENTUS_LOG_H
#define TAKT_FUNCTIONAL_VENTUS_LOG_H

#include "functional/ventus/run.h"

/* The log of the launch that `of` is a run of, whether it has begun or not, of at most `most`
 * instructions (0: no limit). Returns 0; 1 with a sentence when the program has an error, or has
 * not ended by then: the log goes up to there; -1 when the host has no memory. */
int ventus_log(FILE *out, const struct ventus_run *of, uint64_t most, char error[VENTUS_ERROR]);

#endif
