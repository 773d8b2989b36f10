/*
 * measured_blame: which one number of the machine, if it were another, would make most intervals of
 * a run those that were measured.
 *
 * Each number is tried with values that the differences themselves suggest, by a run of each.
 */
#ifndef TAKT_ANALYSIS_MEASURED_BLAME_H
#define TAKT_ANALYSIS_MEASURED_BLAME_H

#include "analysis/fit_case.h"

struct measured_suspect {
    size_t param;
    double value;
    size_t equal; /* intervals that are then as measured */
};

enum { MEASURED_SUSPECTS = 5 };

/* The best values of up to MEASURED_SUSPECTS numbers that make more intervals equal, the best
 * first. Returns 0, or -1 when the host failed. */
int measured_blame(const struct fit_case *c, const struct config *config,
                   const struct measured_answer *answer,
                   struct measured_suspect suspects[MEASURED_SUSPECTS], size_t *count);

#endif
