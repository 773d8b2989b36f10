/*
 * graph_any: what holds in any order of an MN-Core 2 program, apart from places.
 *
 *   graph, linked --mncore2_graph_any--> more arcs and uses
 *
 *   port lags   a port that a node turns, and that another needs, where dependences keep the two in
 *               their order: an LM that is read 12 cycles after a write, whatever the addresses.
 *               Such arcs are `always`
 *   relays      what fills a forwarding register that is read keeps others of its unit from filling
 *               it until the last reader has started: a use of the unit's `relay`, as long as the
 *               longest path from the one to the other takes. A reader of the same unit that fills
 *               nothing that is read takes one more step of it
 */
#ifndef TAKT_TIMING_MNCORE2_GRAPH_ANY_H
#define TAKT_TIMING_MNCORE2_GRAPH_ANY_H

#include "timing/mncore2/graph_lag.h"

/* Of a graph that has been linked; extras: its first unit of graph_claim.h. Returns 0, or -1 when
 * the host has no memory. */
int mncore2_graph_any(struct graph *graph, const struct graph_lags *lags, uint32_t extras);

#endif
