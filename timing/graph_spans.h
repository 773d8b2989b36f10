/*
 * graph_spans: the places that the nodes of a graph touch, in the order of the nodes.
 *
 *   node, place --graph_spans_add--> struct graph_spans --graph_spans_at--> struct graph_span
 *
 * A program touches the same places again and again, so that each is kept once.
 */
#ifndef TAKT_TIMING_GRAPH_SPANS_H
#define TAKT_TIMING_GRAPH_SPANS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A place that a node touches. definite: in every instance and cycle that another definite access
 * of the place sees, whatever the values are. */
struct graph_span {
    uint32_t node;
    uint16_t space;
    bool write, definite;
    bool latch;   /* a register that keeps its last value only: arcs are `adjacent` */
    bool shared;  /* the place is one for all streams */
    uint64_t set; /* instances, bit by bit; 0: there is one alone */
    uint64_t first, count;
};

struct graph_touch {
    uint32_t node, place; /* of places */
};

struct graph_spans {
    struct graph_touch *list;
    size_t count, capacity;
    struct graph_span *places; /* each once; their nodes mean nothing */
    size_t place_count, place_capacity;
    uint32_t *slots; /* places by hash; GRAPH_SPANS_FREE: none */
    size_t slot_count;
    bool lost; /* one found no memory */
};
#define GRAPH_SPANS_FREE UINT32_MAX

void graph_spans_add(struct graph_spans *spans, const struct graph_span *span);
struct graph_span graph_spans_at(const struct graph_spans *spans, size_t number);
void graph_spans_free(struct graph_spans *spans);

#endif
