/*
 * fit_model: measurements as functions of a point, and sets of points.
 *
 *   cases, axes --fit_model_init--> fit_model --fit_pool--> points of the whole box, timed exactly
 */
#ifndef TAKT_ANALYSIS_FIT_MODEL_H
#define TAKT_ANALYSIS_FIT_MODEL_H

#include <stdatomic.h>

#include "analysis/fit_case.h"
#include "analysis/fit_memo.h"
#include "analysis/fit_space.h"
#include "host/workers.h"

struct fit_model {
    const struct fit_space *space;
    const struct fit_case *cases;
    size_t count;
    double *scale;           /* by case: what a distance of 1 is */
    bool *sees;              /* by case and axis */
    size_t *order;           /* of cases, cheap ones first */
    struct config *variants; /* by worker */
    struct fit_memo *memo;
    unsigned threads;
    struct workers *workers;
    uint64_t seed, stream; /* of dice: another one for each round */
    atomic_ullong done;
    uint64_t planned;                   /* points timed */
    void (*progress)(unsigned percent); /* after each round; or NULL */
    bool (*stopped)(void *context);     /* the search ends where it is; or NULL */
    void *context;
    atomic_int status; /* -1: the host failed */
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

/* Beyond the tolerance, in the case's scale. */
double fit_case_cost(const struct fit_model *model, size_t c, double predicted);

int fit_set_init(struct fit_set *set, const struct fit_model *model, size_t size);
void fit_set_free(struct fit_set *set);

/* The distance of a point, or one above the limit where it is farther; predicted is set, NAN where
 * a prediction was not needed. INFINITY: no chip. */
double fit_distance(struct fit_model *model, unsigned worker, const double *point,
                    const bool *active, double limit, double *predicted);
/* The same where all predictions are known. */
double fit_known_distance(const struct fit_model *model, const bool *active,
                          const double *predicted);
void fit_copy_point(const struct fit_model *model, struct fit_set *to, size_t i,
                    const struct fit_set *from, size_t k);
bool fit_is_stopped(const struct fit_model *model);
/* Sorts the values; 0 for none. */
double fit_median(double *values, size_t count);
/* Whether the machine takes these numbers. */
bool fit_is_chip(struct fit_model *model, unsigned worker, const double *point);
/* From a worker or, as worker 0, between rounds. */
void fit_tell_progress(struct fit_model *model, unsigned worker, size_t timed);

/* Return 0, or -1 when the host failed. */
int fit_pool(struct fit_model *model, struct fit_set *pool);
/* All predictions of all points of a set. */
int fit_complete(struct fit_model *model, struct fit_set *set);

#endif
