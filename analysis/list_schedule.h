/*
 * list_schedule: one order of a block, slot by slot, the most urgent first.
 *
 *   moves, block --list_open--> struct list --list_run (priorities)--> places, slots
 *
 * In each slot goes what is ready, by priority, as much as can share it. Transfers go as soon
 * as they may, waits as late: when nothing else is ready before, or when the transfer is done by
 * then (by its estimate). If the order of relays runs into a dead end, the chain that began last is
 * kept for itself and everything is tried again.
 */
#ifndef TAKT_ANALYSIS_LIST_SCHEDULE_H
#define TAKT_ANALYSIS_LIST_SCHEDULE_H

#include "timing/moves.h"

struct list {
    const struct moves *moves;
    const struct moves_block *block;
    bool fill_units;    /* a transfer lets steps that are ready fill its unit first */
    uint32_t linger;    /* empty slots before a wait that holds the stream */
    uint64_t *priority; /* the caller's: higher goes first; at first the tail in cycles */
    struct moves_place *places;
    uint32_t slots; /* of the last run */

    /* The rest is its own. */
    size_t *first_out;   /* of each node in out */
    size_t *first_in;    /* of each node in the block's arcs */
    uint32_t *out;       /* arcs by `from` */
    uint32_t *component; /* of nodes that relays connect: the least of them */
    uint32_t *gang;      /* of nodes that one reader of relays needs in one slot: the least */
    struct list_node *nodes;
    struct list_chain *chains; /* by component */
    uint32_t *ready;
    size_t ready_count, place_count;
    uint32_t patience; /* empty slots in a row */
    uint32_t oldest, active, open;
    uint64_t now; /* cycles, by the estimates */
    uint32_t unit_used, lingered;
    uint32_t busy_until[32]; /* of units: slot */
};

/* Returns 0, or -1 when the host has no memory; free it in every case. */
int list_open(struct list *list, const struct moves *moves, const struct moves_block *block);
void list_free(struct list *list);
/* The slots of the block's arcs have changed. */
void list_arcs(struct list *list);
/* Priorities as at first: cycles from the start of a node to the end of all that depends on it. */
void list_tails(struct list *list);
/* False: no order was found. */
bool list_run(struct list *list);

#endif
