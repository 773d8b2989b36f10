/*
 * fit_others: whether measurements contradict each other, and each measurement by the others.
 *
 *   fit_judge       a verdict, from the ends of the search for all
 *   fit_judge_rows  the same, from what the chosen setting gives
 *   fit_leave_out   what the others alone predict of each; in a contradiction, without which one
 *                   the others are explained. Measurements of a group are left out together.
 */
#ifndef TAKT_ANALYSIS_FIT_OTHERS_H
#define TAKT_ANALYSIS_FIT_OTHERS_H

#include "analysis/fit.h"

/* A size by the effort; at least 1. */
size_t fit_scaled(const struct fit *fit, size_t size);
/* Descents of a search: each begins at a point of the pool. */
size_t fit_starts(const struct fit *fit, size_t usual, size_t least);
/* The points of a set that cost least, up to `most`, the nearest first; returns how many. */
size_t fit_nearest(const struct fit_set *set, size_t most, size_t *points);

/* Return 0, or -1 when the host failed. */
int fit_judge(struct fit *fit, const struct fit_set *found);
int fit_leave_out(struct fit *fit);
/* Nothing is explained by a chosen setting that misses by more than a search leaves. */
void fit_judge_rows(struct fit *fit);
/* In points timed, as fit_tell_progress counts them. */
uint64_t fit_others_work(const struct fit *fit);

#endif
