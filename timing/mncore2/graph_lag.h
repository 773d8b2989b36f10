/*
 * graph_lag: how long the first node of an arc keeps the second one back: 3.6.3 (hazard.h) and
 * 3.6.4 between expressions, the wait after a transfer.
 */
#ifndef TAKT_TIMING_MNCORE2_GRAPH_LAG_H
#define TAKT_TIMING_MNCORE2_GRAPH_LAG_H

#include "functional/mncore2/program.h"
#include "timing/graph.h"
#include "timing/mncore2/hazard_profile.h"

/* What a node is made of. */
struct graph_part {
    const struct hazard_profile *profile;  /* of what it does whatever a variable mask holds */
    const struct hazard_profile *any_mask; /* of what it does if that holds ones */
    const struct expr *expr;
    uint32_t item;
    uint32_t over; /* of a transfer: the first item that issues when it has ended, or NONE_ID */
    uint8_t kind;  /* enum stmt_kind */
};

struct graph_lags {
    struct graph_part *parts; /* by node */
    struct hazard *hazard;
    struct hazard_window *window;
    uint64_t *now; /* of the window */
    uint64_t slot; /* cycles of a unit of the packed stream */
};

/* Least distance in cycles by the rules of 3.6.3, a step or more; a step where there is none. rule:
 * set to the section that binds, if one does. */
uint64_t mncore2_graph_distance(const struct graph_lags *lags, const struct hazard_profile *from,
                                const struct hazard_profile *to, const char **rule);

/* As graph_link requires; context: struct graph_lags. */
void mncore2_graph_lag(const void *context, const struct graph *graph, struct graph_arc *arc);

#endif
