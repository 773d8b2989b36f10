/*
 * measured_blame: which one number or choice of the machine, if it were another, would make most
 * intervals of a run those that were measured.
 *
 * Each is tried by runs: a choice with all others, a number with values over its plausible range
 * and around it, and those that the differences suggest; then with ever finer steps from the best.
 * Long programs have fewer values.
 */
#ifndef TAKT_ANALYSIS_MEASURED_BLAME_H
#define TAKT_ANALYSIS_MEASURED_BLAME_H

#include "analysis/fit_case.h"

struct measured_suspect {
    size_t param;
    const char *choice;      /* or NULL: a number */
    double value, low, high; /* as many are equal from low to high; value: the nearest */
    size_t equal, count;     /* intervals that are then as measured, of those in both */
    double off;              /* cycles by which the others miss */
    bool plausible;          /* not beyond its plausible range, if it has one */
};

enum { MEASURED_SUSPECTS = 10 };

struct measured_suspects {
    struct measured_suspect items[MEASURED_SUSPECTS]; /* the best first */
    size_t count;
    size_t tied; /* with which as many intervals are equal as with the first, it included */
};

/* The best values of numbers and choices that make more intervals equal. Returns 0, or -1 when the
 * host failed. */
int measured_blame(const struct fit_case *c, const struct config *config,
                   const struct measured_answer *answer, struct measured_suspects *suspects);

#endif
