/*
 * slacks: the exact slack of statements (timing/slack.h), instead of what is safe, into the store
 * of a run that is done.
 */
#ifndef TAKT_ANALYSIS_SLACKS_H
#define TAKT_ANALYSIS_SLACKS_H

#include "traces/store.h"

struct machine_run;

/* Of the wanted statements; NULL: of all. Where one run with a delay of each would take more than
 * `work`, nothing is done. Returns 0, or -1 when the host failed. */
int slacks_find(struct machine_run *run, struct store *store, uint64_t work, const bool *wanted);

#endif
