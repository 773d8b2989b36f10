/*
 * certify: whether the certificate of a bound proves it. Shares nothing with bounds.c: a path is
 * walked step by step; of a set the earliest starts and least ends are found again, by going over
 * all arcs until nothing changes any more.
 */
#include <stdlib.h>

#include "timing/bounds.h"

/* The stream's own order, for this-order: which step each node stands in. */
static bool same_step(const struct graph *graph, uint32_t a, uint32_t b)
{
    const uint32_t low = a < b ? a : b, high = a < b ? b : a;
    for (uint32_t n = low + 1; n <= high; n++)
        if (!graph->nodes[n].joined)
            return false;
    return true;
}

/* The most that keeps `to` behind `from` for a reason that holds in the class; -1: nothing does. */
static int64_t order_lag(const struct graph *graph, uint32_t from, uint32_t to)
{
    if (graph->nodes[from].stream != graph->nodes[to].stream)
        return -1;
    if (same_step(graph, from, to))
        return 0;
    return from < to ? (int64_t)graph->nodes[from].issue : -1;
}

static bool counts(enum bound_class class, const struct graph_arc *arc)
{
    switch (class) {
    case BOUND_THIS_ORDER:
        return true;
    case BOUND_ANY_ORDER:
        return arc->kind == ARC_RAW || arc->kind == ARC_WAR || arc->kind == ARC_WAW;
    case BOUND_FREE_PLACES:
        return arc->kind == ARC_RAW && arc->certain;
    case BOUND_CLASSES:
        break;
    }
    return false;
}

static int64_t lag_in(enum bound_class class, const struct graph_arc *arc)
{
    return (int64_t)(class == BOUND_FREE_PLACES ? arc->least : arc->lag);
}

static bool step_holds(const struct bound *bound, const struct graph *graph, size_t k)
{
    const uint32_t from = bound->nodes[k], to = bound->nodes[k + 1];
    int64_t most = bound->class == BOUND_THIS_ORDER ? order_lag(graph, from, to) : -1;
    for (size_t a = graph_arcs_of(graph, to); a < graph->arc_count && graph->arcs[a].to == to; a++)
        if (graph->arcs[a].from == from && counts(bound->class, &graph->arcs[a]) &&
            lag_in(bound->class, &graph->arcs[a]) > most)
            most = lag_in(bound->class, &graph->arcs[a]);
    return most >= (int64_t)bound->lags[k];
}

static bool path_holds(const struct bound *bound, const struct graph *graph)
{
    if (!bound->node_count)
        return false;
    const struct graph_node *first = &graph->nodes[bound->nodes[0]];
    const struct graph_node *last = &graph->nodes[bound->nodes[bound->node_count - 1]];
    uint64_t sum = bound->head + (uint64_t)bound->tail;
    if (bound->head > first->release || bound->tail > (int64_t)last->length)
        return false;
    for (size_t k = 0; k + 1 < bound->node_count; k++) {
        if (!step_holds(bound, graph, k))
            return false;
        sum += bound->lags[k];
    }
    return sum >= bound->cycles;
}

/* --- sets ------------------------------------------------------------------------------------- */

struct times {
    uint64_t *start,
        *rest;        /* of each node: the earliest start; the least from its start to the end */
    uint64_t *behind; /* the least from its completion to the end */
};

static bool raise(uint64_t *value, uint64_t to)
{
    if (*value >= to)
        return false;
    *value = to;
    return true;
}

/* Earliest starts once over everything, in order; whether something changed. */
static bool push(const struct bound *bound, const struct graph *graph, struct times *times)
{
    bool changed = false;
    size_t a = 0;
    for (uint32_t n = 0; n < graph->node_count; n++) {
        const int64_t lag = n && bound->class == BOUND_THIS_ORDER ? order_lag(graph, n - 1, n) : -1;
        if (lag >= 0)
            changed |= raise(&times->start[n], times->start[n - 1] + (uint64_t)lag);
        for (; a < graph->arc_count && graph->arcs[a].to == n; a++)
            if (counts(bound->class, &graph->arcs[a]))
                changed |=
                    raise(&times->start[n], times->start[graph->arcs[a].from] +
                                                (uint64_t)lag_in(bound->class, &graph->arcs[a]));
        if (n && bound->class == BOUND_THIS_ORDER && graph->nodes[n].joined)
            changed |= raise(&times->start[n - 1], times->start[n]);
    }
    return changed;
}

/* The least to the end, backwards. */
static bool pull(const struct bound *bound, const struct graph *graph, struct times *times)
{
    bool changed = false;
    size_t a = graph->arc_count;
    for (uint32_t n = (uint32_t)graph->node_count; n-- > 0;) {
        for (; a > 0 && graph->arcs[a - 1].to == n; a--) {
            const struct graph_arc *arc = &graph->arcs[a - 1];
            if (!counts(bound->class, arc))
                continue;
            changed |= raise(&times->rest[arc->from],
                             times->rest[n] + (uint64_t)lag_in(bound->class, arc));
            if (arc->completes)
                changed |= raise(&times->behind[arc->from], arc->after + times->rest[n]);
        }
        const int64_t lag = n && bound->class == BOUND_THIS_ORDER ? order_lag(graph, n - 1, n) : -1;
        if (lag >= 0)
            changed |= raise(&times->rest[n - 1], times->rest[n] + (uint64_t)lag);
        if (n && bound->class == BOUND_THIS_ORDER && graph->nodes[n].joined)
            changed |= raise(&times->rest[n], times->rest[n - 1]);
    }
    return changed;
}

/* What one member adds; false: it is no member, or its times are not as large as they must be. */
static bool member_holds(const struct bound *bound, const struct graph *graph,
                         const struct times *times, uint32_t node, uint64_t *work)
{
    const struct graph_node *of = &graph->nodes[node];
    for (size_t u = of->use; u < of->use + of->use_count; u++) {
        const struct graph_use *use = &graph->uses[u];
        if (use->unit != bound->unit || (use->placed && bound->class == BOUND_FREE_PLACES))
            continue;
        const int64_t rest =
            use->spread ? (int64_t)(use->after + times->behind[node])
                        : (int64_t)times->rest[node] - (int64_t)(use->offset + use->cycles);
        *work += use->cycles;
        return times->start[node] + use->offset >= bound->head && rest >= bound->tail;
    }
    return false;
}

static bool set_holds(const struct bound *bound, const struct graph *graph)
{
    uint64_t *memory = calloc(3 * graph->node_count + 1, sizeof *memory);
    if (!memory)
        return false;
    struct times times = {memory, memory + graph->node_count, memory + 2 * graph->node_count};
    for (size_t n = 0; n < graph->node_count; n++) {
        times.start[n] = graph->nodes[n].release;
        times.rest[n] = graph->nodes[n].length;
    }
    while (push(bound, graph, &times))
        ;
    while (pull(bound, graph, &times))
        ;
    uint64_t work = 0;
    bool holds = true;
    for (size_t k = 0; k < bound->node_count && holds; k++)
        holds = (k == 0 || bound->nodes[k] > bound->nodes[k - 1]) &&
                member_holds(bound, graph, &times, bound->nodes[k], &work);
    free(memory);
    return holds && (int64_t)(bound->head + work) + bound->tail >= (int64_t)bound->cycles;
}

bool bound_certified(const struct bound *bound, const struct graph *graph)
{
    for (size_t k = 0; k < bound->node_count; k++)
        if (bound->nodes[k] >= graph->node_count)
            return false;
    return bound->kind == BOUND_PATH ? path_holds(bound, graph) : set_holds(bound, graph);
}
