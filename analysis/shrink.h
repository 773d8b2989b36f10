/*
 * shrink: empty slots in front of a wait that holds the stream as long without them. They save
 * nothing, and cost where transfers take less time than assumed.
 *
 *   places, cycles --shrink_waits--> the same order with fewer such slots, no longer
 */
#ifndef TAKT_ANALYSIS_SHRINK_H
#define TAKT_ANALYSIS_SHRINK_H

#include "analysis/candidate.h"

struct shrink {
    struct candidates *candidates;
    const struct moves *moves;  /* of one block */
    struct moves_place *places; /* of it; they change */
    bool waits;                 /* as of struct candidate */
    uint64_t cycles;            /* that the places take; no more afterwards */
};

/* Returns 0, or -1 when the host failed. */
int shrink_waits(struct shrink *shrink);

#endif
