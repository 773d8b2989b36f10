/*
 * charges: what statements have on units, by reason: totals that grow during a run.
 *
 *   charges_at --> the row of a statement, unit and reason --charges_costs--> costs of the summary
 *
 * Only rows in use take memory.
 */
#ifndef TAKT_TIMING_CHARGES_H
#define TAKT_TIMING_CHARGES_H

#include "timing/costs.h"

struct charge {
    struct sink_stmt_total row;
    uint32_t next; /* of the same statement, from 1; 0: none */
};

enum { CHARGES_FOUND = 4096 }; /* a power of two */

struct charges {
    struct charge *list;
    size_t count, capacity;
    uint32_t *first; /* by statement, as next */
    size_t stmts;
    uint32_t found[CHARGES_FOUND]; /* rows used last, as next, by a hash of their key */
};

/* The row, 0 at its first use, valid until the next call. NULL
 * when the host has no memory. */
struct sink_stmt_total *charges_at(struct charges *charges, uint32_t stmt, uint32_t unit,
                                   uint32_t reason);
/* All rows, by statement, unit and reason. Returns 0, or -1 when the host has no memory. */
int charges_costs(const struct charges *charges, struct costs *costs);
void charges_free(struct charges *charges);

#endif
