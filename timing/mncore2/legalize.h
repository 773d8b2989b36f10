/*
 * legalize: an order of statements of MN-Core 2 that only the interlock can run, with what makes it
 * legal as written.
 *
 *   loaded program --mncore2_legalize--> program text
 *
 * Statements keep their order and their steps. The nops and mvnops of the text go; each statement
 * then issues in the first step that the rules of 3.6.3 allow, and the nops before it are written.
 * Every rule requires a distance to an earlier statement, so no other choice has an earlier
 * step for any statement, or fewer nops.
 *
 * An access to what a transfer moves, or goes by, waits for it, if the text has no wait in between:
 * in its own step, or in one before it. A transfer without a tag gets one that the text does not
 * use. A wait of the text that has nothing left to wait for goes.
 */
#ifndef TAKT_TIMING_MNCORE2_LEGALIZE_H
#define TAKT_TIMING_MNCORE2_LEGALIZE_H

#include "timing/machine.h"

/* What the order needed. */
struct legalized {
    uint64_t nops; /* steps */
    uint64_t waits, tags;
};

/* Of a loaded program of one source. Returns 0; 1 and a sentence when it cannot be made legal; -1
 * when the host failed. */
int mncore2_legalize(const struct machine_program *program, const struct config *config, FILE *out,
                     struct legalized *counts, char error[MACHINE_ERROR]);

#endif
