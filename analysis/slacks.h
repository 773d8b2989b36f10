/*
 * slacks: the exact slack of statements (timing/slack.h), instead of what is safe, into the store
 * and the trace of a run that is done.
 */
#ifndef TAKT_ANALYSIS_SLACKS_H
#define TAKT_ANALYSIS_SLACKS_H

#include "analysis/library.h"

/* Of the wanted statements; NULL: of all. Where one run with a delay of each would take more than
 * `work`, nothing is done. Returns 0, or -1 when the host failed. */
int slacks_find(struct takt_run *run, uint64_t work, const bool *wanted);

/* Of all statements, if the trace is a file, with less work: nobody may ask about them. */
int slacks_keep(struct takt_run *run);

#endif
