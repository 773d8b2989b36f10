/*
 * modulo: one order for all turns of a loop, each of which begins the same number of slots after
 * the one before (iterative modulo scheduling, Rau 1994).
 *
 *   moves, turns, dependences --modulo_open--> struct modulo
 *       --modulo_run (slots between turns)--> a slot for each position of a turn --modulo_free-->
 *
 * Positions are placed by the longest way to the end of the turn, each as early as it can be; where
 * none of `interval` slots in a row is possible, what is in the way goes and is placed again later.
 * Two positions are compared as the turns that would meet there: in the first, the last and some
 * turns between.
 */
#ifndef TAKT_ANALYSIS_MODULO_H
#define TAKT_ANALYSIS_MODULO_H

#include "analysis/fold.h"
#include "analysis/turns.h"

#define MODULO_NONE UINT32_MAX

struct modulo {
    const struct moves *moves;
    const struct turns *turns;
    const struct fold *fold; /* of interval_fold */
    uint32_t interval;       /* slots from turn to turn, of the last run */
    uint32_t *at;            /* by position: its slot in the first turn; the first one is 0 */
    uint32_t length;         /* slots of a turn */
    uint64_t tries;          /* slots that were tried, in all runs */

    /* The rest is its own. */
    struct modulo_node *nodes;
    uint32_t *out, *in; /* arcs by `from`, by `to` */
    size_t *first_out, *first_in;
    uint32_t align; /* transfers are at multiples of it */
    uint32_t *rows; /* by slot modulo the interval: its first position; others follow in nodes */
    size_t row_capacity;
    uint32_t *clashes;
    size_t clash_count;
};

/* Returns 0, or -1 when the host has no memory; free it in every case. */
int modulo_open(struct modulo *modulo, const struct moves *moves, const struct turns *turns,
                const struct fold *fold);
void modulo_free(struct modulo *modulo);

/* Slots between turns are a multiple of this. */
uint32_t modulo_step(const struct modulo *modulo);
/* Returns 1; 0: no order was found in which all stages of a turn are under way at a time, twice; -1
 * when the host has no memory. */
int modulo_run(struct modulo *modulo, uint32_t interval);

#endif
