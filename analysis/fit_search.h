/*
 * fit_search: settings that cost no more than a level, as far out as they are found.
 *
 *   fit_descend     points that explain what is active, or come near (fit_descend.h)
 *   fit_search      points that go outwards from there
 *
 * The cost of a point is the sum over the measurements of |prediction - value| beyond the
 * tolerance, divided by the case's scale (fit_model.h); 0: the point explains all. In a round each
 * point of the set has a child: by
 * differences of the donors, which keep a sum of which the parts are not seen, and of a better
 * one; or by a change of a few numbers. Of two that cost no more than the level, the one with the
 * greater merit stays.
 *
 * Each point has its own random numbers and the donors do not change, so that threads do not
 * change the answer. A child is timed no further than the level.
 */
#ifndef TAKT_ANALYSIS_FIT_SEARCH_H
#define TAKT_ANALYSIS_FIT_SEARCH_H

#include "analysis/fit_model.h"

/* What a search is for. */
struct fit_goal {
    const bool *active;  /* by case: to be explained */
    const size_t *reach; /* by point: the case whose prediction it raises, if even, or lowers; or
                            NULL */
    const double *directions; /* by point and axis: each goes this way; or NULL */
    const size_t *held;       /* by point: the axis that stays, or how many there are; or NULL */
    const struct fit_set *donors; /* whose differences are taken */
};

/* Moves the points of a set, round after round. Returns 0, or -1 when the host failed. */
int fit_search(struct fit_model *model, const struct fit_goal *goal, unsigned rounds,
               struct fit_set *set);
/* The cost that the better share of a set does not exceed. */
double fit_level(const struct fit_set *set, double share);
/* What costs more than the level becomes a copy of what does not. */
void fit_replace_far(const struct fit_model *model, struct fit_set *set);

#endif
