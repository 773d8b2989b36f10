/*
 * bounds: how many cycles a program takes at least, in three classes by what may change.
 *
 *   struct graph --bounds_find--> rows, each with a certificate --bound_certified--> true
 *
 *   this-order   padding and waits alone: the statements keep their order and their steps
 *   any-order    the order, and what shares a step: every dependence as written is kept
 *   free-places  also which register or address holds a value: true dependences alone. A transfer
 *                keeps the memories that it names
 *
 * Numbers are those of the graph: the run's own. In each class
 *   path      the longest way through the arcs that hold
 *   unit, issue, transfer
 *             of one unit the nodes from a set: the earliest start of any (head), all of their
 *             work, the least that follows any (tail); over all heads and tails at once. issue: of
 *             what only the instruction stream has; transfer: of a port that transfers take in
 *             parts. Of a unit that comes in frames also the frames that its uses need
 *   combined  the same, or one node, with heads and tails that follow from other units' work, too:
 *             what all nodes of a set do on one unit before a node starts, or after it. Only where
 *             it is more than the others of its class
 *
 * graph.end follows each. Where the streams end at multiples of graph.whole, bounds of them
 * alone, without what settles after them, do so too; others are of all.
 *
 * A certificate names the nodes. timing/certify.c checks it against the graph by itself.
 */
#ifndef TAKT_TIMING_BOUNDS_H
#define TAKT_TIMING_BOUNDS_H

#include "timing/graph.h"

enum bound_class { BOUND_THIS_ORDER, BOUND_ANY_ORDER, BOUND_FREE_PLACES, BOUND_CLASSES };
enum bound_kind {
    BOUND_PATH,
    BOUND_UNIT,
    BOUND_ISSUE,
    BOUND_TRANSFER,
    BOUND_COMBINED,
    BOUND_SEARCH, /* of every order, by others (analysis/exact_bound.h): it has no certificate */
    BOUND_KINDS
};
extern const char *const bound_class_names[BOUND_CLASSES]; /* "this-order" */
extern const char *const bound_kind_names[BOUND_KINDS];

/* More than longest paths prove, by the work of a unit: head + work + tail of these nodes.
 *   HEAD    a node's start: their heads, and what follows their work up to its start; rounded up to
 *           the graph's quantum
 *   TAIL    from a node's start to the end: what comes before their work from its start on, and
 *           what follows that to the end
 *   BEHIND  from a transfer's completion to the end, likewise */
enum raise_event { RAISE_HEAD, RAISE_TAIL, RAISE_BEHIND };

struct bound_raise {
    enum raise_event event;
    uint32_t node, unit;
    uint64_t cycles, head;
    int64_t tail;
    size_t first, count; /* in members */
};

struct bound_raises {
    struct bound_raise *list; /* each rests on those before it alone */
    size_t count, capacity;
    uint32_t *members;
    size_t member_count, member_capacity;
    bool
        exact; /* of a proof from outside: each proves just what it says, and holds in its turn; but
                   in this order it may say what is known */
};

struct bound {
    enum bound_class class;
    enum bound_kind kind;
    uint32_t unit; /* of the graph; GRAPH_NONE for a path or one node */
    uint64_t cycles;
    /* Of a path: its nodes in order, the cycles from each to the next, the release of the first and
     * the length of the last, of the streams alone without what settles. Of a unit: the set, no
     * lags, its least head and tail: from the last use of the unit on, which can be less than 0
     * where a use is longer than its node. */
    uint32_t *nodes;
    uint64_t *lags;
    size_t node_count;
    uint64_t head;
    int64_t tail;
    const struct bound_raises *raises; /* combined: those of its class; else NULL */
    bool stream;                       /* of the streams alone, rounded up to graph.whole */
    size_t pieces; /* BOUND_SEARCH: of the program, and the states that were tried */
    uint64_t states;
};

struct bounds {
    struct bound *rows; /* by class, the largest first; of each kind the largest alone */
    size_t count, capacity;
    struct bound_raises *raises; /* by class, twice: of all, of streams; NULL: there are no rows */
};

/* Whether an arc holds in a class, and with which lag. */
bool bounds_holds(enum bound_class class, const struct graph_arc *arc, uint64_t *lag);
/* Whether a use is work for its unit in a class. */
bool bounds_works(enum bound_class class, const struct graph_use *use);

/* Every class. To be freed in every case. Returns 0, or -1 when the host has no memory. */
int bounds_find(struct bounds *bounds, const struct graph *graph);
void bounds_free(struct bounds *bounds);

/* The largest of a class; NULL: none was computed. */
const struct bound *bounds_best(const struct bounds *bounds, enum bound_class class);

/* Whether the certificate proves the cycles. False also when the host has no memory. */
bool bound_certified(const struct bound *bound, const struct graph *graph);

#endif
