/*
 * fit_ends: settings that explain about as well as any, as far out as they are found.
 *
 *   fit_push_out      down and up in each axis, and across axes
 *   fit_push_choices  with each choice of each text that a measurement sees
 */
#ifndef TAKT_ANALYSIS_FIT_ENDS_H
#define TAKT_ANALYSIS_FIT_ENDS_H

#include "analysis/fit.h"

/* From the farthest of a set, no farther than its reach. ends: two for each axis, then others; free
 * it in every case. Return 0, or -1 when the host failed. */
int fit_push_out(struct fit *fit, const bool *all, const struct fit_set *found,
                 struct fit_set *ends);
/* ends: some may cost more than the reach. all: of two points. */
int fit_push_choices(struct fit *fit, const bool *all, const struct fit_set *found,
                     struct fit_set *ends);
/* In points timed, as fit_tell_progress counts them. */
uint64_t fit_ends_work(const struct fit *fit);

#endif
