/*
 * fit_search: the settings that explain measurements, by search.
 *
 *   fit_model       measurements as functions of a point (fit_case.h, fit_space.h), and their
 *                   surrogates (fit_surrogate.h)
 *   fit_pool        points of the whole box with all predictions
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

#include <stdatomic.h>

#include "analysis/fit_case.h"
#include "analysis/fit_surrogate.h"
#include "host/workers.h"

struct fit_model {
    const struct fit_space *space;
    const struct fit_case *cases;
    size_t count;
    double *scale;                    /* by case: what a distance of 1 is */
    bool *sees;                       /* by case and axis */
    size_t *order;                    /* of cases, cheap ones first */
    struct fit_surrogate *surrogates; /* by case */
    struct config *variants;          /* by worker */
    unsigned threads;
    struct workers *workers;
    uint64_t seed, stream; /* of dice: another one for each round */
    bool (*stopped)(void); /* the search ends where it is; or NULL */
    atomic_int status;     /* -1: the host failed */
};

struct fit_set {
    size_t size;
    double *points;    /* size * axes */
    double *predicted; /* size * cases; NAN: not known */
    double *distance;  /* INFINITY: these numbers make no chip */
    double reach;      /* no distance is more */
};

int fit_model_init(struct fit_model *model, unsigned threads);
void fit_model_free(struct fit_model *model);

/* The prediction of one case, by a worker. NAN: no chip, or the host failed (model->status). */
double fit_predict(struct fit_model *model, unsigned worker, size_t c, const double *point,
                   bool alone);
/* |prediction - value| beyond the tolerance. */
double fit_excess(const struct fit_case *c, double predicted);

int fit_set_init(struct fit_set *set, const struct fit_model *model, size_t size);
void fit_set_free(struct fit_set *set);

/* All return 0, or -1 when the host failed; fit_search 1 when no point of the pool is a chip.
 * active: by case; which are to be explained. */
int fit_pool(struct fit_model *model, struct fit_set *pool);
/* The surrogates, by the pool; model->sees is known. */
int fit_learn(struct fit_model *model, const struct fit_set *pool);
/* also: points to begin with beside the pool's, or NULL. */
int fit_search(struct fit_model *model, const bool *active, const struct fit_set *pool,
               const struct fit_set *also, unsigned rounds, struct fit_set *set);
/* Points 2a and 2a + 1 of `ends`: at the least and the greatest value of axis a. Those behind them:
 * far out towards all that is fast, all that is slow, and in directions by chance. */
int fit_push(struct fit_model *model, const bool *active, const struct fit_set *set, unsigned tries,
             struct fit_set *ends);
/* All predictions of all points of a set. */
int fit_complete(struct fit_model *model, struct fit_set *set);

#endif
