/*
 * fold: what depends on what between the turns of a loop, as if each turn were the same.
 *
 *   fold_add, from each arc between two turns --fold_merge--> struct fold_arc, one for each pair of
 *   positions and number of turns between
 *
 * An arc says: the position `to`, `turns` turns later, starts at least `lag` after `from`.
 */
#ifndef TAKT_ANALYSIS_FOLD_H
#define TAKT_ANALYSIS_FOLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fold_arc {
    uint32_t from, to; /* positions in a turn */
    uint32_t turns;    /* from the one to the other */
    uint32_t turn;     /* of `from`; after fold_merge: of how many turns */
    uint64_t lag;      /* after fold_merge: the largest of any turn ... */
    uint64_t least;    /* ... and the least of those that have one */
    bool relay;        /* of any */
    bool every;        /* each turn has it that can, and not only the first ones and the last */
};

struct fold {
    struct fold_arc *arcs;
    size_t count, capacity;
};

/* lag, relay, the positions and turns are set. Returns 0, or -1 when the host has no memory. */
int fold_add(struct fold *fold, const struct fold_arc *arc);
void fold_merge(struct fold *fold, uint32_t turns);
/* Without arcs that follow from those of fewer turns, whatever the interval; after fold_merge. */
void fold_thin(struct fold *fold);
void fold_free(struct fold *fold);

/* A chain that comes back to its first position some turns later. */
struct fold_ring {
    uint64_t lag;        /* of the whole chain; 0: there is no chain */
    uint32_t turns;      /* that it takes */
    uint32_t *positions; /* its positions in order; the caller frees it */
    size_t count;
};

/* The ring with the most cycles a turn, over the arcs that every turn has. Returns 0, or -1 when
 * the host has no memory. */
int fold_longest(const struct fold *fold, uint32_t positions, struct fold_ring *ring);

#endif
