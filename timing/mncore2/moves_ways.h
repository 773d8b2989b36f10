/*
 * moves_ways: how long the transfers of a program take at least, in any order, and what they share.
 *
 * A read of the DRAM has to open its rows if no other transfer touches them: no bank
 * opens a row before an access to it has arrived (timing/memory.h).
 */
#ifndef TAKT_TIMING_MNCORE2_MOVES_WAYS_H
#define TAKT_TIMING_MNCORE2_MOVES_WAYS_H

#include "timing/mncore2/plain.h"

/* Sets least, way and work of the block's transfers. Returns 0, or -1 when the host failed. */
int mncore2_ways_find(struct plain *plain, const struct config *config, char error[MACHINE_ERROR]);

#endif
