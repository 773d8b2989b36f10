/*
 * fit_search: the settings that explain measurements, by search.
 *
 *   fit_pool        points of the whole box with all predictions (fit_model.h)
 *   fit_search      from the pool: a set of points, moved until they explain what is active
 *   fit_push        from such a set: points as far out as they were found, in each axis either way
 *                   and in directions across axes
 *
 * The distance of a point is the largest excess of |prediction - value| over the tolerance, each
 * divided by what the measurement's surrogate misses by; 0: the point explains all. In a round each
 * point of the set walks along the surrogates, as they are corrected where it stands, until these
 * explain all and farther at random; where it ends is timed exactly, taken when it is no farther
 * than the point or than half of the set, and added to what surrogates are made of. A walk's steps
 * are along differences of two other points (which follow sums that cannot be told apart), in one
 * number, or in a few. Each point has dice of its own and sees the others as they were before the
 * round, so that threads do not change the answer.
 */
#ifndef TAKT_ANALYSIS_FIT_SEARCH_H
#define TAKT_ANALYSIS_FIT_SEARCH_H

#include "analysis/fit_model.h"

/* Return 0, or -1 when the host failed; fit_search 1 when no point of the pool is a chip.
 * active: by case; which are to be explained. */
/* also: points to begin with beside the pool's, or NULL. */
int fit_search(struct fit_model *model, const bool *active, const struct fit_set *pool,
               const struct fit_set *also, unsigned rounds, struct fit_set *set);
/* Points 2a and 2a + 1 of `ends`: at the least and the greatest value of axis a. Those behind them:
 * far out towards all that is fast, all that is slow, and in directions by chance. */
int fit_push(struct fit_model *model, const bool *active, const struct fit_set *set, unsigned tries,
             struct fit_set *ends);

#endif
