/*
 * fit_walk: from several places of the box to settings that explain what is active, by simulated
 * annealing.
 *
 * A step moves one number, or a few, and times the measurements that see them. A step that costs
 * less is taken; one that costs more is taken with a chance that falls with what it costs and with
 * the temperature, which falls along the walk. What counts is the sum over the measurements of
 * log(1 + miss / tolerance): a measurement that is missed by much says little of how near the point
 * is, as long as others are explained; a sum of misses has many places where no small step pays.
 *
 * Walks do not see each other, and each has its own random numbers: threads do not change the
 * answer.
 */
#ifndef TAKT_ANALYSIS_FIT_WALK_H
#define TAKT_ANALYSIS_FIT_WALK_H

#include "analysis/fit_model.h"

/* The temperature at which a walk begins, where no other is said. */
#define FIT_HOT 1

struct fit_cooling {
    size_t starts;
    size_t steps;     /* of a walk: it ends when it has timed as many predictions as these do */
    const bool *held; /* by point and axis: stays as it is; or NULL */
    double hot;       /* the temperature at first; 0: FIT_HOT */
};

/* What a walk adds up, of the measurements that are active. */
double fit_walk_cost(const struct fit_model *model, const bool *active, const double *predicted);

/* Point i of the set begins at the nearest of each `starts`-th point of the pool, from i on (modulo
 * starts), for active + i * cases; it is the nearest one of its walk, by fit_model's distance.
 * Returns 0, or -1 when the host failed. */
int fit_walk(struct fit_model *model, const bool *active, const struct fit_set *pool,
             struct fit_cooling cooling, struct fit_set *set);

#endif
