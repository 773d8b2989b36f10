/*
 * fit_descend: from several places of the box towards settings that explain what is active.
 *
 * A round moves each number that an active measurement sees, alone, to some other values, and times
 * every measurement exactly. Totals are nearly sums of such steps' effects. So combinations of a
 * few steps are ranked by the sum of their effects, and the first ones are timed exactly. The best
 * takes the point's place when it costs less. Steps get smaller where little is won.
 *
 * Totals are not sums where one limit hides another. So a descent may also be kicked: of random
 * changes of some numbers that the farthest measurement sees, one that brings it near is made, at
 * whatever cost, and rounds repair the others. A kick that does not pay is undone.
 *
 * Points do not see each other, and each has its own random numbers: threads do not change the
 * answer.
 */
#ifndef TAKT_ANALYSIS_FIT_DESCEND_H
#define TAKT_ANALYSIS_FIT_DESCEND_H

#include "analysis/fit_model.h"

struct fit_effort {
    size_t starts;
    unsigned rounds, kicks; /* rounds at first; kicks with some rounds each after them */
    size_t held;            /* 1 + the axis that stays as it is; 0: none */
    bool together;          /* kicks also move neighbours to their ends */
};

/* Point i of the set begins at the nearest of each `starts`-th point of the pool, from i on (modulo
 * starts), for active + i * cases. Returns 0, or -1 when the host failed. */
int fit_descend(struct fit_model *model, const bool *active, const struct fit_set *pool,
                struct fit_effort effort, struct fit_set *set);
/* Rounds of a point, at most. */
unsigned fit_effort_rounds(struct fit_effort effort);
/* Calls of fit_model's progress count these for a round of a point. */
#define FIT_ROUND_WORK 66

#endif
