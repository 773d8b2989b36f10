/*
 * graph: what must come before what in a program, and by how many cycles, once for all machines.
 *
 *   program --machine_advice.graph--> nodes with spans of places --graph_link--> arcs
 *           --> bounds (timing/bounds.h), takt deps, schedulers
 *
 * A node is the smallest piece of work that may be moved by itself: an expression of a step where
 * several share one, a transfer, an instruction as often as it is executed. Padding and waits have
 * no nodes. An operation outside the machine (a dump, a preset) is a node that takes no time, so
 * that it keeps its place among what it reads and writes.
 *
 * An arc goes from a lower to a higher number: nodes are in the order of the program, stream after
 * stream, or in the order in which they were executed, where streams wait for each other (then
 * ORDER arcs say what the stream's own order is). Only inside one step, whose reads come before its
 * writes, a WAR arc of lag 0 may go from a higher to a lower one.
 *
 * An arc says: `to` may not start less than `lag` cycles after `from` started. Lags are those of
 * the pair by itself, of the machine's own rules, never too large:
 *   RAW, WAR, WAW  by the places that both touch, as written. These hold in any order.
 *   PORT           no place, only a port that has to turn: holds as long as `from` is first; a
 *                  change of the order must judge the pair the other way round by the rules
 *   ORDER          neither: the order of a stream or a queue; holds in this order
 * Only neighbours have an arc: a place's reader and the write before it, a write and what touched
 * the place since the write before. What follows from two arcs has none.
 *
 * certain    the reader really gets what the writer made: neither a mask nor an address that only
 *            the run knows decides (a RAW arc that would remain with other registers)
 * completes  `from` is a transfer and the program waits for it before `to`, as it must: `to` starts
 *            `after` cycles after its completion, whenever that is. A transfer that the program
 *            does not wait for before `to` has an arc with lag 0: their order, and a race
 * always     of PORT or ORDER: dependences keep the two in this order, so that the lag holds in any
 * adjacent   the place holds the value only until the next write of any kind (a forwarding
 *            register): nothing that writes it may come between. Such places have RAW arcs only,
 *            in addition to those of the places that two nodes share otherwise
 *
 * Two nodes with uses of one unit never use it in the same cycle, whatever the order; of a unit of
 * several instances (width) never more than that many at once. A use that others could share (a
 * port that several read at one address) is that of the first alone.
 */
#ifndef TAKT_TIMING_GRAPH_H
#define TAKT_TIMING_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "timing/graph_spans.h"

enum arc_kind { ARC_RAW, ARC_WAR, ARC_WAW, ARC_PORT, ARC_ORDER, ARC_KINDS };
extern const char *const graph_arc_names[ARC_KINDS]; /* "RAW" */

#define GRAPH_NONE UINT32_MAX

/* cycles of a unit in [start + offset, start + offset + cycles) of a node's start; or, if spread,
 * in parts anywhere from start + offset on, the last of which ends `after` before its
 * completion. */
struct graph_use {
    uint32_t unit; /* index into graph.units */
    bool spread;
    bool placed; /* it is the place of a value that needs the unit: another place, another unit */
    uint32_t instances; /* of the unit, at once; 0: one */
    uint64_t offset, cycles, after;
};

struct graph_node {
    uint32_t stmt;       /* as the sink's header numbers them; GRAPH_NONE: of none */
    uint32_t occurrence; /* of the statement in its stream: how many times it came before */
    uint32_t stream;
    uint32_t waited;   /* of a transfer: the statement that waits for it, or GRAPH_NONE */
    uint16_t part;     /* of the statement: a machine's own number, e.g. its parallel-issue group */
    bool joined : 1;   /* starts with the node before it, as written: the same step */
    bool outside : 1;  /* takes no time and no unit */
    bool transfer : 1; /* runs in parallel with its stream */
    bool line : 1;     /* of memory, fetched for the first statement that needs it */
    uint32_t issue;    /* cycles until the next statement of the stream may start */
    uint32_t use, use_count; /* in uses, which several nodes may share */
    uint64_t length;         /* cycles from its start until the program can end */
    uint64_t settle;         /* of them those after the end of its stream: a result that lands */
    uint64_t release;        /* it cannot start earlier */
};

struct graph_arc {
    uint32_t from, to;
    uint8_t kind; /* enum arc_kind */
    bool certain, completes, adjacent, always;
    uint16_t space;       /* index into graph.spaces: the first place that both touch */
    uint64_t first, last; /* its addresses; of PORT: 0 */
    uint64_t lag, after;  /* after: where completes */
    uint64_t least;       /* of RAW: the lag if the value were kept where that is least */
    const char *rule;     /* section or parameter of the lag, "" if it is the order alone */
};

enum { GRAPH_NAME = 32 };
struct graph_unit {
    char name[GRAPH_NAME];
    uint32_t unit;  /* of the sink's header, or GRAPH_NONE: it has no account of its time */
    uint32_t width; /* set by the machine: alike instances, any of which works; or 0: one */
    /* Set by the machine, or 0: time is divided into consecutive frames of that many cycles between
     * the begin and the end of the program, with at most frame_uses uses each. */
    uint64_t frame, frame_uses;
};

/* A node that accesses a line. */
struct graph_access {
    uint32_t line, node;
};

/* Appended to the sentence that there are too many nodes. */
#define GRAPH_LIMIT "; takt bound and takt deps take more with --most N"

struct graph {
    struct graph_node *nodes;
    size_t node_count, node_capacity;
    struct graph_arc *arcs; /* by `to`, then in no order that means anything */
    size_t arc_count, arc_capacity;
    struct graph_use *uses;
    size_t use_count, use_capacity;
    uint32_t *sharers; /* by hash of uses: the first node that has them */
    size_t sharer_count, sharer_room;
    struct graph_unit *units;
    size_t unit_count, unit_capacity;
    struct graph_access *accesses; /* all of those lines that a part may have */
    size_t access_count, access_capacity;
    const char *const *spaces; /* the machine's names of places, "GRF0" */
    uint64_t quantum;          /* starts are multiples of it */
    uint64_t end;              /* of the program, after the end of all nodes */
    uint64_t whole;            /* and the end of the streams of this, whatever the order; 0: none */
    size_t limit;              /* most nodes that are wanted; set before, 0: no limit */
    int status;                /* 0; -1: the host has no memory, 1: as the machine has it */
};

void graph_free(struct graph *graph);

/* False for arcs that restate program order, stay inside a statement, or come from a cache line. */
bool graph_arc_told(const struct graph *graph, const struct graph_arc *arc);

/* First arc into a node: those of node n are [graph_arcs_of(n), graph_arcs_of(n + 1)). Binary
 * search. */
size_t graph_arcs_of(const struct graph *graph, size_t node);

/* The chosen nodes of a graph, by node, the lines that no others access, and what they need of each
 * other, as a separate program that may begin anywhere in a frame. Returns 0, or -1 when the
 * host has no memory; to be freed in every case. */
int graph_select(struct graph *part, const struct graph *graph, const bool *chosen);

/* --- what a machine calls to make one --------------------------------------------------------- */

/* Lag, after, completes and rule of an arc whose other members are set. */
typedef void graph_lag(const void *context, const struct graph *graph, struct graph_arc *arc);

/* Without memory graph.status becomes -1, and while it is not 0 nothing is added: code that builds
 * a graph checks it between nodes, and graph_link returns it. A unit comes before its uses. */
void graph_add_unit(struct graph *graph, const char *name, uint32_t unit);
/* NULL: the status is not 0. */
struct graph_node *graph_add_node(struct graph *graph);
/* Of the node that was added last. */
void graph_add_use(struct graph *graph, const struct graph_use *use);
/* That node shares its uses with an earlier one that has the same; graph_add_node does that. */
void graph_share_uses(struct graph *graph);
/* Of all nodes, each with its own. */
size_t graph_use_total(const struct graph *graph);
/* A PORT or ORDER arc, before graph_link. */
void graph_add_arc(struct graph *graph, const struct graph_arc *arc);
/* Room for one more element of a list that a machine keeps with the graph, as host/grow.h has it:
 * NULL makes the status -1, too. */
/* With arcs that were added after graph_link. Returns 0, or -1 when the host has no memory. */
int graph_sort(struct graph *graph);
void *graph_grow(struct graph *graph, void *list, size_t *capacity, size_t count, size_t size);
/* Finds the dependences between the spans, which are in order of nodes, and sorts all arcs.
 * Returns the status. */
int graph_link(struct graph *graph, const struct graph_spans *spans, graph_lag *lag,
               const void *context);

#endif
