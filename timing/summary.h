/*
 * summary: the rows of a run's end that follow from its account and its path alone.
 *
 *   account, path --summary_fill--> struct sink_summary --summary_free-->
 *
 * These are unit totals, windows and the critical path; of a complete run also slack.
 *
 * Costs and counters are the machine's own, and freed with the rest.
 */
#ifndef TAKT_TIMING_SUMMARY_H
#define TAKT_TIMING_SUMMARY_H

#include "timing/account.h"
#include "timing/path.h"

/* Of the summary, complete and cycles are set before. Returns 0, or -1 when the host has no memory;
 * to be freed in both cases. */
int summary_fill(struct sink_summary *summary, const struct account *account,
                 const struct path *path);
void summary_free(struct sink_summary *summary);

#endif
