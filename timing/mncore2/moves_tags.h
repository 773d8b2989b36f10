/*
 * moves_tags: pairs of a transfer and an access that only the time between them keeps in order, and
 * the tags and waits that could keep them instead (takt schedule --tags).
 *
 *   graph, arrivals --mncore2_tags_find--> pairs; wanted: the access at which each transfer is
 *   waited for, and its tag
 */
#ifndef TAKT_TIMING_MNCORE2_MOVES_TAGS_H
#define TAKT_TIMING_MNCORE2_MOVES_TAGS_H

#include "timing/moves.h"
#include "timing/mncore2/graph.h"

/* A wait in front of an item. */
struct added_wait {
    size_t item, transfer; /* items */
    uint8_t tag;
};

struct tags {
    struct added_wait *waits; /* by item */
    size_t count, capacity;
    uint8_t *tag;    /* by item, of transfers in a pair: the tag that is waited for, 0: there was
                        none left; NULL: no tags are added */
    size_t *wait_at; /* by item, of transfers: the index of its wait + 1 */
};

/* Steps from a transfer to an access, where the arc is of such a pair: until the transfer ended in
 * the run as written; or, if the access came before that, as many as there were. Else 0. */
uint32_t mncore2_tags_slots(const struct graph_made *made, const struct program *program,
                            const struct graph_arc *arc);
/* Cycles between the two of such a pair, where the access came before the end; else 0. */
uint32_t mncore2_tags_kept(const struct graph_made *made, const struct program *program,
                           const struct graph_arc *arc);

/* Adds the pairs to moves.pairs, and where moves.tags is set finds the waits. To be freed in every
 * case. Returns 0, or -1 when the host has no memory. */
int mncore2_tags_find(struct tags *tags, const struct graph_made *made,
                      const struct program *program, struct moves *moves);
void mncore2_tags_free(struct tags *tags);

/* The wait that was added for the transfer of an item; NULL: none. */
const struct added_wait *mncore2_tags_wait(const struct tags *tags, size_t transfer);

#endif
