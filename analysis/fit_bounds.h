/* fit_bounds: which values of the numbers measurements exclude, whatever the others are. */
#ifndef TAKT_ANALYSIS_FIT_BOUNDS_H
#define TAKT_ANALYSIS_FIT_BOUNDS_H

#include "analysis/fit_search.h"

/* The part of the box that is left: ends of each axis; of a text, which choices. */
struct fit_box {
    double *low, *high; /* by axis */
    bool **choices;     /* by axis; NULL: a number */
    bool *impossible;   /* by case: no setting of the box gives its value */
};

int fit_box_init(struct fit_box *box, const struct fit_model *model);
void fit_box_free(struct fit_box *box, const struct fit_space *space);

/* Narrow the box. A value goes when the lower bound of a total with it, all else at its fastest,
 * is above a measurement; or when the total with it and all else at its slowest is below the
 * measurement by more than a hundredth: totals hardly fall when a number gets slower, but they may.
 * Returns 0, or -1 when the host failed. */
int fit_bounds(struct fit_model *model, struct fit_box *box);

#endif
