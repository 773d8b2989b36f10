/*
 * graph_claim: what keeps two expressions out of one step (3.6.4), as units that a step has once: a
 * group, a port of a PE memory, a matrix plane.
 */
#ifndef TAKT_TIMING_MNCORE2_GRAPH_CLAIM_H
#define TAKT_TIMING_MNCORE2_GRAPH_CLAIM_H

#include "functional/mncore2/program.h"
#include "timing/graph.h"

/* Units that only a step has, after those of unit.def. */
enum {
    GRAPH_L2BM,
    GRAPH_L1BM,
    GRAPH_TURN,
    GRAPH_SLOT,
    GRAPH_RELAY_ALU,
    GRAPH_RELAY_MAU,
    GRAPH_EXTRAS
};

/* Regions that a port has been claimed for, by hash. */
enum { GRAPH_SEEN = 1 << 16 };
struct graph_seen {
    uint8_t bits[GRAPH_SEEN / 8];
};

/* Whether a region may have been seen before. */
bool mncore2_graph_see(struct graph_seen *seen, const struct operand *operand);

/* The uses of the node that was added last, an expression of this group (NULL: l2bmdarw). */
void mncore2_graph_claims(struct graph *graph, struct graph_seen *seen, unsigned group,
                          const struct expr *expr);

#endif
