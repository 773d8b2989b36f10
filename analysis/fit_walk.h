/*
 * fit_walk: steps of a search from point to point, along surrogates.
 *
 *   fit_walk_init, fit_walk_from --fit_walk_near--> where the surrogates explain what is active
 */
#ifndef TAKT_ANALYSIS_FIT_WALK_H
#define TAKT_ANALYSIS_FIT_WALK_H

#include "analysis/fit_model.h"

/* A distance below this is none: the search does not resolve more. */
#define FIT_FINE 0.02

/* A round of work, one part for each point. */
struct fit_round {
    struct fit_model *model;
    const struct fit_set *before; /* as they were */
    struct fit_set *set;
    const bool *active;
    const size_t *moved; /* axes that a move may change */
    size_t moved_count;
    struct fit_set *tried; /* what was timed exactly, one of each point */
    unsigned tries;
};

struct fit_walk {
    const struct fit_round *round;
    double *at, *next, *shift, *room; /* shift: by case, what corrects the surrogate */
};

void fit_run_round(struct fit_round *round, void (*work)(void *, size_t, unsigned));
/* The axes that an active measurement sees. Returns how many. */
size_t fit_list_moved(const struct fit_model *model, const bool *active, size_t *moved);
/* One step of chance. */
void fit_move(const struct fit_round *round, struct fit_dice *dice, double *point);

/* Returns 0, or -1 without memory; walk->at is to be freed. */
int fit_walk_init(struct fit_walk *walk, const struct fit_round *round);
/* Begin at a point whose predictions are known. */
void fit_walk_from(struct fit_walk *walk, const double *point, const double *predicted);
double fit_guessed_distance(const struct fit_walk *walk, const double *point, double limit);
/* Nearer until the surrogates explain all, then a little farther: they hold near where it began. */
void fit_walk_near(struct fit_walk *walk, unsigned steps, struct fit_dice *dice);

#endif
