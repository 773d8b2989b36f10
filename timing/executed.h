/*
 * executed: the graph of a run (timing/graph.h), for machines whose programs branch: what a program
 * does is known only when it runs, so that each executed instruction is a node.
 *
 *   functional core --executed_add, graph_add_use, executed_touch, executed_line--> nodes, spans
 *           --executed_link--> graph
 *
 * Nodes come in the order of execution, streams mixed: the stream's own order is an ORDER arc from
 * one of its nodes to the next. Any other order keeps every dependence through registers and memory
 * as it was executed, and each branch the way that it went; nothing else holds an instruction
 * behind a branch (it may be hoisted, or a loop unrolled).
 *
 * Lines: what a cache that begins empty has to fetch at least once in any order, whoever comes
 * first. A line is a node in a stream of its own.
 */
#ifndef TAKT_TIMING_EXECUTED_H
#define TAKT_TIMING_EXECUTED_H

#include "timing/machine.h"

struct executed_stream {
    uint32_t last;   /* node, or GRAPH_NONE; the machine may change it */
    uint32_t *turns; /* of each statement so far */
};

struct executed {
    struct graph *graph;
    struct graph_spans spans;
    struct executed_stream *streams;
    size_t stream_count;
    struct executed_line {
        uint64_t key;
        uint32_t node;
    } * lines; /* by hash; node GRAPH_NONE: free */
    size_t line_count, line_slots;
};

/* Of so many streams and statements. Returns 0, or -1 when the host has no memory; to be freed in
 * both cases. */
int executed_init(struct executed *executed, struct graph *graph, size_t streams, size_t stmts);
void executed_free(struct executed *executed);

/* One more node of a stream, `lag` cycles behind the stream's last one as written. Returns 0; 1
 * when the graph has as many nodes as are wanted (executed_refusal says so); -1 when the host has
 * no memory. These are the status of all calls. */
int executed_add(struct executed *executed, uint32_t stream, uint32_t stmt, uint64_t lag);
/* The order of two nodes as written, beyond the stream's own. */
int executed_order(struct executed *executed, uint32_t from, uint32_t to, uint64_t lag);
/* The node that was added last touches a place. */
int executed_touch(struct executed *executed, const struct graph_span *span);
/* The node `by` accesses the line of a key; *node is new if *first: it has no uses, release and
 * length yet. */
int executed_line(struct executed *executed, uint64_t key, uint32_t by, uint32_t *node,
                  bool *first);
/* The sentence for a graph that would have more nodes. */
void executed_refusal(const struct executed *executed, char error[MACHINE_ERROR]);
int executed_link(struct executed *executed, graph_lag *lag, const void *context);

#endif
