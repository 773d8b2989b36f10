/*
 * exact: an order that schedule_exact has placed in part: what may go next and when, and
 * whether it can still lead to a shorter order than the best one.
 *
 *   struct exact_search (the whole search), struct exact_stream (where the stream is)
 */
#ifndef TAKT_ANALYSIS_EXACT_H
#define TAKT_ANALYSIS_EXACT_H

#include "analysis/schedule_exact.h"

enum { EXACT_KNOWN = 1 << 18 }; /* states that are remembered */

/* A state, by two hashes, and the least time at which it was met. */
struct exact_met {
    uint64_t key, check, now;
};

struct exact_search {
    struct list *list;
    const struct exact_job *job;
    const struct moves *moves;
    const struct moves_block *block;
    uint32_t count; /* of nodes */
    /* From the start of a node's slot: until the stream has passed all that depends on it, and
     * until the last result of that is there. */
    uint64_t tail[EXACT_NODES], rest[EXACT_NODES];
    uint32_t by_tail[EXACT_NODES]; /* nodes, the longest first */
    uint32_t slot[EXACT_NODES], best_slot[EXACT_NODES];
    uint64_t length[EXACT_NODES]; /* of transfers: whole slots from the issue to the completion */
    uint64_t issued[EXACT_NODES];
    uint64_t done[EXACT_NODES]; /* of those that are placed: when they are complete */
    uint32_t order[EXACT_NODES], best_order[EXACT_NODES];
    uint64_t quiet, best_quiet; /* bits: nodes in slots that are written so */
    uint64_t placed;
    uint32_t placed_count;
    uint64_t best; /* cycles */
    uint64_t tried;
    uint32_t best_slots;
    bool improved, gave_up;
    struct exact_met *met;
};

/* Where the stream is: a slot may begin now. */
struct exact_stream {
    uint64_t now, end; /* end: when all results of steps are there */
    uint32_t slot;
    uint32_t used;    /* slots of the unit; all: it is complete */
    bool transferred; /* and the place for its transfer is taken */
    uint64_t open;    /* bits: nodes that must come with a loud slot */
};

/* What placed nodes say about one that is not. */
struct exact_since {
    uint32_t slot;
    uint64_t cycle;
};

static inline uint64_t exact_later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static inline uint64_t exact_bit(uint32_t n)
{
    return UINT64_C(1) << n;
}

static inline const struct moves_node *exact_node(const struct exact_search *s, uint32_t n)
{
    return &s->block->nodes[n];
}

/* Cycles rounded up to slots. */
uint64_t exact_whole_slots(const struct exact_search *s, uint64_t cycles);

/* Cycles of a unit after its slots. */
uint64_t exact_close_of(const struct exact_search *s);

/* Of all nodes; and by_tail. */
void exact_find_tails(struct exact_search *s);

/* Place a node in the slot where the stream is; take back the last one. */
void exact_push(struct exact_search *s, uint32_t n, const struct exact_stream *at);
void exact_pop(struct exact_search *s);

/* When n may go by those that are placed. False: something must come before it that is not. */
bool exact_since_placed(const struct exact_search *s, uint32_t n, const struct exact_stream *at,
                        struct exact_since *since);

/* In this slot. */
bool exact_may_go(const struct exact_search *s, uint32_t n, const struct exact_stream *at);

/* Cycles, when all is placed; before that, at least. */
uint64_t exact_end_of(const struct exact_search *s, const struct exact_stream *at);

/* Of a way that transfers share: one is complete when all of those that are complete before it have
 * had it, too. A transfer that begins now may overtake some that are not complete: the last `over`
 * of them. False: there are not as many. */
bool exact_send(struct exact_search *s, uint32_t n, const struct exact_stream *at, uint32_t over);

/* No order that begins so is shorter than the best one. */
bool exact_hopeless(const struct exact_search *s, const struct exact_stream *at);

/* Whether this state was met no later. */
bool exact_met_before(struct exact_search *s, const struct exact_stream *at);

#endif
