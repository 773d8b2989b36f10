/*
 * graph: the graph of an MN-Core 2 program with the content of its nodes, for reordering
 * (moves.c).
 */
#ifndef TAKT_TIMING_MNCORE2_GRAPH_H
#define TAKT_TIMING_MNCORE2_GRAPH_H

#include "timing/machine.h"
#include "timing/mncore2/arrive.h"
#include "timing/mncore2/graph_lag.h"

struct graph_made {
    /* Set before, as is graph.limit. */
    bool documented;
    bool places; /* the turnaround register is a place like any other: what writes it keeps its
                    order, whether the value is read or not */

    struct graph graph;
    struct graph_spans spans; /* of the nodes, in their order */
    struct graph_lags lags;
    uint64_t now;             /* of its window */
    struct arrivals arrivals; /* of the run as written */
};

/* As machine_advice.graph; made must not move and is freed in every case. */
int mncore2_graph_make(struct graph_made *made, const struct run_setup *setup,
                       char error[MACHINE_ERROR]);
void mncore2_graph_free(struct graph_made *made);

#endif
