/*
 * fit_others: whether measurements contradict each other, and each measurement by the others.
 *
 *   fit_judge           a verdict, from the ends of the search for all
 *   fit_judge_rows      the same, from what the chosen setting gives
 *   fit_search_without  in a contradiction, without which one the others are explained
 *   fit_leave_out       what the others alone predict of each. Measurements of a group are left
 *                       out together.
 */
#ifndef TAKT_ANALYSIS_FIT_OTHERS_H
#define TAKT_ANALYSIS_FIT_OTHERS_H

#include "analysis/fit.h"

/* A size by the effort; at least 1. */
size_t fit_scaled(const struct fit *fit, size_t size);
/* Descents of a search: each begins at a point of the pool. */
size_t fit_starts(const struct fit *fit, size_t usual, size_t least);
/* How many further searches a list affords: many where the programs are short and the machine has
 * few numbers. By counts of events and numbers, so that it is the same on every host. */
size_t fit_spare(const struct fit *fit);
/* The k-th of other pools, of the same size. To be freed in every case; 0, or -1. */
int fit_pool_again(struct fit *fit, size_t k, struct fit_set *pool);
/* The points of a set that cost least, up to `most`, the nearest first; returns how many. */
size_t fit_nearest(const struct fit_set *set, size_t most, size_t *points);

/* What costs less than the worst of `found` takes its place. */
void fit_take_better(const struct fit *fit, struct fit_set *found, const struct fit_set *more);

/* Return 0, or -1 when the host failed. */
int fit_judge(struct fit *fit, const struct fit_set *found);
/* In a contradiction: searches without each of the measurements, and from what these found once
 * more for all, for `found`, and judges that. */
int fit_search_without(struct fit *fit, const bool *all, struct fit_set *found);
int fit_leave_out(struct fit *fit);
/* Nothing is explained by a chosen setting that misses by more than a search leaves. */
void fit_judge_rows(struct fit *fit);
/* In points timed, as fit_tell_progress counts them. */
uint64_t fit_others_work(const struct fit *fit);

#endif
