/*
 * graph_mv: the units that a transfer works for in a graph: its ports, the way that bounds its
 * mode's rate, the channels of the DRAM, and the unit of a packed stream that an MV statement ends.
 */
#ifndef TAKT_TIMING_MNCORE2_GRAPH_MV_H
#define TAKT_TIMING_MNCORE2_GRAPH_MV_H

#include "timing/graph.h"
#include "timing/mncore2/model.h"

struct graph_mv {
    struct graph *graph;
    const struct numbers *numbers;
    uint32_t slot_unit, channels; /* units of the graph: of the MV slot; the first channel */
    bool accounted;               /* channels are those of the sink's header */
    uint64_t slot;                /* cycles from an MV statement to the next; 0: not packed */
    uint32_t way[WAYS];           /* units of the graph; NONE_ID: not yet seen */
};

/* Units of the channels. */
void mncore2_graph_channels(struct graph_mv *units);

/* Cycles from the issue until the transfer is complete. */
uint64_t mncore2_graph_length(const struct graph_mv *units, const struct plan *plan);

/* The uses of the node that was added last. */
void mncore2_graph_uses(struct graph_mv *units, const struct mv *mv, const struct plan *plan);

#endif
