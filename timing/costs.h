/*
 * costs: what statements have on units, by reason. Statements whose rows differ in nothing but the
 * statement share one set of them: a long program has few sets.
 *
 *   costs_add* --> costs_end --> rows, sets, stmts
 *
 * The rows of a statement are added together, the statements in order.
 */
#ifndef TAKT_TIMING_COSTS_H
#define TAKT_TIMING_COSTS_H

#include "timing/sink.h"

struct cost_set {
    size_t first, size; /* rows; their stmt is that of the first statement */
    uint64_t stmts;     /* that have them */
};

struct costs {
    struct sink_stmt_total *rows;
    struct cost_set *sets; /* in the order of their first statement */
    struct cost_stmt {
        uint32_t stmt, set;
    } * stmts; /* in order */
    size_t row_count, set_count, stmt_count;
    /* While they are made. */
    size_t row_capacity, set_capacity, stmt_capacity, slot_count;
    size_t open;     /* rows of the statement that is being added, after the others */
    uint32_t *slots; /* set + 1; 0: empty */
};

/* Return 0, or -1 when the host has no memory; to be freed in every case. */
int costs_add(struct costs *costs, const struct sink_stmt_total *row);
int costs_end(struct costs *costs);
/* The row that was added last; NULL: none of this statement. */
struct sink_stmt_total *costs_last(const struct costs *costs, uint32_t stmt);
void costs_free(struct costs *costs);

/* All rows of all statements, allocated; NULL when the host has no memory. costs may be NULL. */
struct sink_stmt_total *costs_rows(const struct costs *costs, size_t *count);

#endif
