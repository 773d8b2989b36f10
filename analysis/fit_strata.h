/*
 * fit_strata: the search of the whole box.
 *
 * Numbers of few values that many measurements see, as the address map, change what all others do:
 * a walk seldom gets from one of their values to another. So the box is cut into strata, one for
 * each combination of these values. A short walk is made in each; a longer one in those that are
 * nearest then; the longest, two in each, in the nearest of these.
 */
#ifndef TAKT_ANALYSIS_FIT_STRATA_H
#define TAKT_ANALYSIS_FIT_STRATA_H

#include "analysis/fit.h"

/* Ends of the longest walks. pool: points of the whole box, with their predictions. all: as true
 * as many times as there are measurements and walks. found: free it in every case. Returns 0, or -1
 * when the host failed. */
int fit_search_strata(struct fit *fit, const bool *all, const struct fit_set *pool,
                      struct fit_set *found);
/* Walks at a time, at most. */
enum { FIT_STRATA = 32 };
/* As fit_tell_progress counts them. */
uint64_t fit_strata_work(const struct fit *fit);

#endif
