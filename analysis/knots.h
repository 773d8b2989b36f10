/*
 * knots: chains that cannot be had one after the other.
 *
 * Nodes of one component belong together. Where a component needs something of another and the
 * other way round, on whatever way, the two are one knot: strongly connected parts of the arcs,
 * with the members of each component joined in a ring (Tarjan 1972, without recursion).
 */
#ifndef TAKT_ANALYSIS_KNOTS_H
#define TAKT_ANALYSIS_KNOTS_H

#include "timing/moves.h"

/* component[n], the least member, becomes that of the knot. Returns 0, or -1 when the host has no
 * memory. */
int knots_join(const struct moves_block *block, uint32_t *component);

#endif
