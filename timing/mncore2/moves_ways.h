/*
 * moves_ways: how long the transfers of a program take at least, in any order, and what they share.
 *
 * A read of the DRAM that has rows of its own, which no other transfer touches, has to open them:
 * no bank opens a row before an access to it has come (timing/memory.h).
 */
#ifndef TAKT_TIMING_MNCORE2_MOVES_WAYS_H
#define TAKT_TIMING_MNCORE2_MOVES_WAYS_H

#include "timing/mncore2/plain.h"

/* Sets least, way and work of the block's transfers. Returns 0, or -1 when the host failed. */
int mncore2_ways_find(struct plain *plain, const struct config *config, char error[MACHINE_ERROR]);

#endif
