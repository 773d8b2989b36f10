/*
 * fit_surrogate: a quick stand-in for one prediction: a polynomial of second degree in the numbers
 * that it sees, by weighted least squares over the points that were timed exactly.
 *
 *   fit_surrogate_init --fit_surrogate_add*, fit_surrogate_solve--> fit_surrogate_value
 *
 * It guides the search and decides nothing: what the search takes has been timed exactly.
 */
#ifndef TAKT_ANALYSIS_FIT_SURROGATE_H
#define TAKT_ANALYSIS_FIT_SURROGATE_H

#include "analysis/fit_space.h"

struct fit_surrogate {
    struct fit_coordinate {
        size_t axis;
        double choice;       /* of a text: 1 where it is this one, else 0; below 0: a number */
        double middle, half; /* of a number: scaled to [-1, 1] */
    } * coordinates;
    size_t count;    /* of coordinates */
    size_t terms;    /* 1 + count + products */
    double *matrix;  /* sums of products of terms, lower triangle of terms * terms */
    double *right;   /* sums of terms times values */
    double *factors; /* solved */
    double offset;   /* first value that was added: sums stay small */
    bool begun;
};

/* sees: by axis. Returns 0, or -1 when the host has no memory. */
int fit_surrogate_init(struct fit_surrogate *s, const struct fit_space *space, const bool *sees);
void fit_surrogate_free(struct fit_surrogate *s);
/* room: of terms + count doubles. */
void fit_surrogate_add(struct fit_surrogate *s, const double *point, double value, double weight,
                       double *room);
/* Returns 0, or -1 when the host has no memory. */
int fit_surrogate_solve(struct fit_surrogate *s);
/* room: of count doubles. */
double fit_surrogate_value(const struct fit_surrogate *s, const double *point, double *room);

#endif
