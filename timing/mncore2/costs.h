/*
 * costs: what each statement cost: cycles, executions, operations and bytes by unit.
 *
 *   struct machine_run --mncore2_costs_find--> struct costs --> sink_summary
 *
 * For a sink that shares costs, statements of the same cost name one. Those that waited, or whose
 * last
 * writes or nops were cut off at the end, have lines of their own.
 */
#ifndef TAKT_TIMING_MNCORE2_COSTS_H
#define TAKT_TIMING_MNCORE2_COSTS_H

#include "timing/sink.h"

struct machine_run;

struct cost_lines {
    struct sink_stmt_total *rows;
    size_t count, capacity;
};

struct class_key;
struct transfer_key;

struct costs {
    struct cost_lines stmts;  /* of statements that share with nobody */
    struct cost_lines lines;  /* that statements share ... */
    struct sink_cost *shared; /* ... each a cost of an own shape ... */
    size_t shared_count, shared_capacity;
    struct class_key *class_keys,
        *last_class; /* ... found by what makes them alike; tables, half empty */
    size_t class_slots, class_count;
    struct transfer_key *transfer_keys;
    size_t transfer_slots, transfer_count;
    struct sink_cost_range *ranges; /* by statement */
    size_t range_count, range_capacity;
    uint8_t *own; /* by item, as bits: it shares its cost with nobody */
};

/* total: the run's cycles. costs begins as zeros; costs_free must follow. Operations of the whole
 * run are added
 * to flops (timing/sink.h). Returns 0, or -1 when the host has no memory. */
int mncore2_costs_find(const struct machine_run *run, uint64_t total, struct costs *costs,
                       uint64_t flops[4]);
void costs_free(struct costs *costs);

#endif
