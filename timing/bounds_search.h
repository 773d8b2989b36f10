/*
 * bounds_search: what bounds.c and bounds_raise.c share: the heads and tails of one class.
 *
 * bounds_raise.c makes them larger than longest paths do: a node starts no earlier than the work of
 * those before it, on any one unit, lets it; and of what follows it likewise.
 */
#ifndef TAKT_TIMING_BOUNDS_SEARCH_H
#define TAKT_TIMING_BOUNDS_SEARCH_H

#include "timing/bounds.h"
#include "timing/one_unit.h"

/* Of each node: its earliest start and where that comes from, the least from its start to the end
 * of the program and what follows. */
struct ends {
    uint64_t head, tail;
    uint32_t before, after; /* GRAPH_NONE: it begins, or ends, a path */
};

/* The work of one unit that a raise is looked for in. */
struct raise_load {
    uint64_t work, head;
    int64_t tail;
    size_t count;
};

struct search {
    const struct graph *graph;
    struct bounds *bounds;
    enum bound_class class;
    bool stream; /* as bound.stream */
    struct ends *ends;
    uint64_t *behind;  /* of each node: the least that follows its completion */
    size_t *first_use; /* by unit: where its uses begin in `used` */
    uint32_t *used;    /* nodes, by unit */
    struct job *jobs;  /* as many as the most uses of one unit, and a heap of them */
    struct job **heap;
    /* While raises are looked for: */
    struct bound_raises *raises;
    size_t window;           /* nodes before and after */
    int64_t *lag, *done;     /* of a window: to or from the node's start, completion; < 0: none */
    struct raise_load *load; /* by unit */
    uint32_t *loaded;        /* units */
    struct job *found;       /* of all units */
    uint32_t *found_unit;
    bool failed; /* the host has no memory */
};

/* Whether an arc holds in a class, and with which lag. */
static inline bool search_holds(enum bound_class class, const struct graph_arc *arc, uint64_t *lag)
{
    *lag = class == BOUND_FREE_PLACES ? arc->least : arc->lag;
    if (arc->from > arc->to)
        return false; /* both start together, or the other one later */
    return class == BOUND_THIS_ORDER || (class == BOUND_ANY_ORDER && arc->always) ||
           (arc->kind < ARC_PORT &&
            (class == BOUND_ANY_ORDER || (arc->kind == ARC_RAW && arc->certain)));
}

/* Instances of a unit. Of several alike ones, heads and tails count as often as work does. */
static inline uint64_t search_width(const struct graph *graph, uint32_t unit)
{
    return graph->units[unit].width ? graph->units[unit].width : 1;
}

static inline uint64_t search_work(const struct graph_use *use)
{
    return use->cycles * (use->instances ? use->instances : 1);
}

/* Whether a use is work for its unit in a class. */
static inline bool search_works(enum bound_class class, const struct graph_use *use)
{
    return use->cycles && !(use->placed && class == BOUND_FREE_PLACES);
}

/* What follows the end of a node's use at least. */
static inline int64_t search_tail(const struct search *search, uint32_t node,
                                  const struct graph_use *use)
{
    return use->spread ? (int64_t)(use->after + search->behind[node])
                       : (int64_t)search->ends[node].tail - (int64_t)(use->offset + use->cycles);
}

/* Before and after a search. Returns 0, or -1 when the host has no memory. */
int raises_start(struct search *search);
void raises_end(struct search *search);

/* The heads of the nodes before it, the tails of those after it are found. */
void raise_head(struct search *search, uint32_t node);
void raise_tail(struct search *search, uint32_t node);

#endif
