/*
 * executed: the graph of a run (timing/graph.h), for machines whose programs branch: what a program
 * does is known only when it runs, so that each executed instruction is a node.
 *
 *   functional core --executed_add, graph_add_use, executed_touch, executed_line--> nodes, spans
 *           --executed_link--> graph
 *
 * Nodes come in the order of execution, streams mixed: the stream's own order is an ORDER arc from
 * one of its nodes to the next. Any other order keeps every dependence through registers and memory
 * as it was executed, and each branch the way that it went; no other rule keeps an instruction
 * after a branch (it may be hoisted, or a loop unrolled).
 *
 * Lines: what a cache that begins empty has to fetch at least once in any order. Each
 * line is a node in a separate stream.
 */
#ifndef TAKT_TIMING_EXECUTED_H
#define TAKT_TIMING_EXECUTED_H

#include "timing/machine.h"

/* Numbers by key. */
struct executed_map {
    struct executed_slot {
        uint64_t key;
        uint32_t value;
        bool used;
    } * slots;
    size_t count, size;
};

struct executed {
    struct graph *graph;
    struct graph_spans spans;
    uint32_t *last;            /* node of each stream, or GRAPH_NONE; the machine may change it */
    struct executed_map turns; /* so far, by stream and statement */
    struct executed_map lines; /* nodes by key */
};

/* Of `streams` streams; to be freed in any case. */
void executed_init(struct executed *executed, struct graph *graph, size_t streams);
void executed_free(struct executed *executed);

/* One more node of a stream, `lag` cycles after the stream's last one as written. NULL: the
 * graph's status is not 0; 1 says that it has as many nodes as are wanted (executed_refusal). */
struct graph_node *executed_add(struct executed *executed, uint32_t stream, uint32_t stmt,
                                uint64_t lag);
/* The order of two nodes as written, beyond the stream's own. */
void executed_order(struct executed *executed, uint32_t from, uint32_t to, uint64_t lag);
/* The node that was added last touches a place; span->node is set here. */
void executed_touch(struct executed *executed, const struct graph_span *span);
/* The line of a key, which the statement needs: the node is new if *first and has no uses, release
 * and length yet. GRAPH_NONE: the status is not 0. A node accesses it. */
uint32_t executed_line(struct executed *executed, uint64_t key, uint32_t stmt, bool *first);
void executed_access(struct executed *executed, uint32_t line, uint32_t node);
/* The sentence for a graph that would have more nodes. */
void executed_refusal(const struct executed *executed, char error[MACHINE_ERROR]);
int executed_link(struct executed *executed, graph_lag *lag, const void *context);

#endif
