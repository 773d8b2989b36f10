/*
 * certify: whether the certificate of a bound proves it. Shares nothing with bounds.c: a path is
 * walked step by step; of a set the earliest starts and least ends are found again, by going over
 * all arcs until nothing changes any more.
 */
#include <stdlib.h>

#include "timing/bounds.h"

/* The stream's own order, for this-order: the step of each node. */
static bool same_step(const struct graph *graph, uint32_t a, uint32_t b)
{
    const uint32_t low = a < b ? a : b, high = a < b ? b : a;
    for (uint32_t n = low + 1; n <= high; n++)
        if (!graph->nodes[n].joined)
            return false;
    return true;
}

/* The most that keeps `to` after `from` for a reason that holds in the class; -1: nothing does. */
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
        return arc->kind == ARC_RAW || arc->kind == ARC_WAR || arc->kind == ARC_WAW || arc->always;
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
    return most >= 0 && most == (int64_t)bound->lags[k];
}

/* Whether the cycles give the bound, rounded up as the end of the program is. */
static bool proves(const struct graph *graph, int64_t cycles, const struct bound *bound)
{
    const int64_t whole = bound->stream && graph->whole ? (int64_t)graph->whole : 1;
    const int64_t all = (cycles > 0 ? cycles : 0) + (int64_t)graph->end;
    return (all + whole - 1) / whole * whole >= (int64_t)bound->cycles;
}

/* From its start to the end that the bound is about. */
static uint64_t length_of(const struct bound *bound, const struct graph_node *node)
{
    return bound->stream ? node->length - node->settle : node->length;
}

static bool path_holds(const struct bound *bound, const struct graph *graph)
{
    if (!bound->node_count)
        return false;
    const struct graph_node *first = &graph->nodes[bound->nodes[0]];
    const struct graph_node *last = &graph->nodes[bound->nodes[bound->node_count - 1]];
    uint64_t sum = bound->head + (uint64_t)bound->tail;
    if (bound->head > first->release || bound->tail > (int64_t)length_of(bound, last))
        return false;
    for (size_t k = 0; k + 1 < bound->node_count; k++) {
        if (!step_holds(bound, graph, k))
            return false;
        sum += bound->lags[k];
    }
    return proves(graph, (int64_t)sum, bound);
}

/* --- sets ------------------------------------------------------------------------------------- */

struct times {
    uint64_t *start,
        *rest;           /* of each node: the earliest start; the least from its start to the end */
    uint64_t *behind;    /* the least from its completion to the end */
    int64_t *lag, *done; /* of a raise: from its node, or to it from starts and completions */
    size_t tails;        /* the first raise of a tail */
    size_t seen;         /* raises that were come by */
    bool settled;        /* the first pass is over */
    bool failed;         /* of exact raises one does not hold */
};

static bool raise(uint64_t *value, uint64_t to)
{
    if (*value >= to)
        return false;
    *value = to;
    return true;
}

static bool works(enum bound_class class, const struct graph_use *use)
{
    return !use->placed || class != BOUND_FREE_PLACES;
}

static uint64_t work_of(const struct graph_use *use)
{
    return use->cycles * (use->instances > 1 ? use->instances : 1);
}

/* Cycles in which all instances of a unit do that much work. */
static uint64_t shared(const struct graph *graph, uint32_t unit, uint64_t work)
{
    const uint64_t width = graph->units[unit].width;
    return width > 1 ? (work + width - 1) / width : work;
}

static const struct graph_use *use_of(const struct graph *graph, uint32_t node, uint32_t unit)
{
    const struct graph_node *of = &graph->nodes[node];
    for (size_t u = of->use; u < of->use + of->use_count; u++)
        if (graph->uses[u].unit == unit)
            return &graph->uses[u];
    return NULL;
}

/* From the end of a node's use to the end of the program. */
static int64_t rest_of(const struct times *times, uint32_t node, const struct graph_use *use)
{
    return use->spread ? (int64_t)(use->after + times->behind[node])
                       : (int64_t)times->rest[node] - (int64_t)(use->offset + use->cycles);
}

static bool set_holds(const struct bound *bound, const struct graph *graph,
                      const struct times *times)
{
    uint64_t work = 0;
    for (size_t k = 0; k < bound->node_count; k++) {
        const uint32_t node = bound->nodes[k];
        const struct graph_use *use = use_of(graph, node, bound->unit);
        if ((k && node <= bound->nodes[k - 1]) || !use || !works(bound->class, use) ||
            times->start[node] + use->offset < bound->head ||
            rest_of(times, node, use) < bound->tail)
            return false;
        work += work_of(use);
    }
    const struct graph_unit *unit = &graph->units[bound->unit];
    if (unit->frame && proves(graph,
                              (int64_t)((bound->node_count + unit->frame_uses - 1) /
                                        unit->frame_uses * unit->frame),
                              bound))
        return true;
    work = shared(graph, bound->unit, work);
    return bound->node_count && proves(graph, (int64_t)(bound->head + work) + bound->tail, bound);
}

static bool node_holds(const struct bound *bound, const struct graph *graph,
                       const struct times *times)
{
    return bound->node_count == 1 && bound->head <= times->start[bound->nodes[0]] &&
           bound->tail <= (int64_t)times->rest[bound->nodes[0]] &&
           proves(graph, (int64_t)bound->head + bound->tail, bound);
}

/* --- raises ----------------------------------------------------------------------------------- */

static void further(int64_t *lag, int64_t from, int64_t by)
{
    if (from >= 0 && by >= 0 && from + by > *lag)
        *lag = from + by;
}

/* Takes an arc into the lags of a raise. */
static void further_by(const struct bound_raise *raise, const struct times *times,
                       const struct graph_arc *arc, int64_t lag)
{
    if (raise->event == RAISE_HEAD) {
        further(&times->lag[arc->from], times->lag[arc->to], lag);
        if (arc->completes)
            further(&times->done[arc->from], times->lag[arc->to], (int64_t)arc->after);
        return;
    }
    further(&times->lag[arc->to], times->lag[arc->from], lag);
    if (raise->event == RAISE_BEHIND && arc->from == raise->node && arc->completes)
        further(&times->lag[arc->to], 0, (int64_t)arc->after);
}

/* Between the raise's node and those between it and `end`, which comes before or after it. */
static void measure(const struct bound *bound, const struct graph *graph, const struct times *times,
                    const struct bound_raise *raise, uint32_t end)
{
    const bool back = raise->event == RAISE_HEAD;
    const uint32_t low = back ? end : raise->node, high = back ? raise->node : end;
    for (uint32_t n = low; n <= high; n++)
        times->lag[n] = times->done[n] = -1;
    times->lag[raise->node] = raise->event == RAISE_BEHIND ? -1 : 0;
    for (uint32_t k = low + 1; k <= high; k++) {
        const uint32_t to = back ? high - (k - low - 1) : k;
        if (bound->class == BOUND_THIS_ORDER)
            further_by(raise, times, &(const struct graph_arc){.from = to - 1, .to = to},
                       order_lag(graph, to - 1, to));
        for (size_t a = graph_arcs_of(graph, to); a < graph->arc_count && graph->arcs[a].to == to;
             a++)
            if (graph->arcs[a].from >= low && graph->arcs[a].from < to &&
                counts(bound->class, &graph->arcs[a]))
                further_by(raise, times, &graph->arcs[a], lag_in(bound->class, &graph->arcs[a]));
    }
}

/* Whether the work of a member is where the raise says. */
static bool lies(const struct bound_raise *raise, const struct times *times, uint32_t node,
                 const struct graph_use *use)
{
    const int64_t lag = times->lag[node];
    if (lag < 0)
        return false;
    if (raise->event != RAISE_HEAD)
        return (uint64_t)lag + use->offset >= raise->head &&
               rest_of(times, node, use) >= raise->tail;
    if (use->spread && times->done[node] < 0)
        return false;
    const int64_t after = use->spread ? (int64_t)use->after + times->done[node]
                                      : lag - (int64_t)(use->offset + use->cycles);
    return times->start[node] + use->offset >= raise->head && after >= raise->tail;
}

static bool raise_holds(const struct bound *bound, const struct graph *graph,
                        const struct times *times, const struct bound_raise *raise)
{
    const uint32_t *members = bound->raises->members + raise->first;
    const bool back = raise->event == RAISE_HEAD;
    if (!raise->count ||
        (back ? members[raise->count - 1] >= raise->node
              : members[0] <= raise->node || members[raise->count - 1] >= graph->node_count))
        return false;
    measure(bound, graph, times, raise, back ? members[0] : members[raise->count - 1]);
    uint64_t work = 0;
    for (size_t k = 0; k < raise->count; k++) {
        const struct graph_use *use = use_of(graph, members[k], raise->unit);
        if ((k && members[k] <= members[k - 1]) || !use || !works(bound->class, use) ||
            !lies(raise, times, members[k], use))
            return false;
        work += work_of(use);
    }
    int64_t most = (int64_t)(raise->head + shared(graph, raise->unit, work)) + raise->tail;
    if (back && most > 0 && most % (int64_t)graph->quantum)
        most += (int64_t)graph->quantum - most % (int64_t)graph->quantum;
    return bound->raises->exact ? most == (int64_t)raise->cycles : most >= (int64_t)raise->cycles;
}

/* Takes in the next raises of a node; whether something changed. */
static bool take_raises(const struct bound *bound, const struct graph *graph, struct times *times,
                        uint32_t node, bool heads, size_t *next)
{
    bool changed = false;
    for (; bound->raises && *next < bound->raises->count; ++*next) {
        const struct bound_raise *one = &bound->raises->list[*next];
        if (one->node != node || (one->event == RAISE_HEAD) != heads)
            break;
        uint64_t *value = heads                        ? &times->start[node]
                          : one->event == RAISE_BEHIND ? &times->behind[node]
                                                       : &times->rest[node];
        const bool more = *value < one->cycles,
                   holds = more && raise_holds(bound, graph, times, one);
        if (holds)
            changed |= raise(value, one->cycles);
        times->failed |= !times->settled && !holds && (more || bound->class != BOUND_THIS_ORDER);
        times->seen += !times->settled;
    }
    return changed;
}

/* --- times ------------------------------------------------------------------------------------ */

/* Earliest starts once over everything, in order; whether something changed. */
static bool push(const struct bound *bound, const struct graph *graph, struct times *times)
{
    bool changed = false;
    size_t a = 0, next = 0;
    for (uint32_t n = 0; n < graph->node_count; n++) {
        const int64_t lag = n && bound->class == BOUND_THIS_ORDER ? order_lag(graph, n - 1, n) : -1;
        if (lag >= 0)
            changed |= raise(&times->start[n], times->start[n - 1] + (uint64_t)lag);
        for (; a < graph->arc_count && graph->arcs[a].to == n; a++)
            if (counts(bound->class, &graph->arcs[a]))
                changed |=
                    raise(&times->start[n], times->start[graph->arcs[a].from] +
                                                (uint64_t)lag_in(bound->class, &graph->arcs[a]));
        changed |= take_raises(bound, graph, times, n, true, &next);
        if (n && bound->class == BOUND_THIS_ORDER && graph->nodes[n].joined)
            changed |= raise(&times->start[n - 1], times->start[n]);
    }
    times->tails = next;
    return changed;
}

/* The least to the end, backwards. */
static bool pull(const struct bound *bound, const struct graph *graph, struct times *times)
{
    bool changed = false;
    size_t a = graph->arc_count, next = times->tails;
    for (uint32_t n = (uint32_t)graph->node_count; n-- > 0;) {
        changed |= take_raises(bound, graph, times, n, false, &next);
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

/* --- one bound -------------------------------------------------------------------------------- */

static bool times_hold(const struct bound *bound, const struct graph *graph)
{
    const size_t count = graph->node_count;
    uint64_t *memory = calloc(3 * count + 1, sizeof *memory);
    int64_t *lags = calloc(2 * count + 1, sizeof *lags);
    bool holds = false;
    if (memory && lags) {
        struct times times = {.start = memory,
                              .rest = memory + count,
                              .behind = memory + 2 * count,
                              .lag = lags,
                              .done = lags + count};
        for (size_t n = 0; n < count; n++) {
            times.start[n] = graph->nodes[n].release;
            times.rest[n] = length_of(bound, &graph->nodes[n]);
        }
        while (push(bound, graph, &times))
            times.settled = true;
        times.settled = false;
        while (pull(bound, graph, &times))
            times.settled = true;
        const bool exact = bound->raises && bound->raises->exact;
        if (exact && (times.failed || times.seen != bound->raises->count))
            holds = false;
        else
            holds = bound->unit == GRAPH_NONE ? node_holds(bound, graph, &times)
                                              : set_holds(bound, graph, &times);
    }
    free(memory);
    free(lags);
    return holds;
}

bool bound_certified(const struct bound *bound, const struct graph *graph)
{
    for (size_t k = 0; k < bound->node_count; k++)
        if (bound->nodes[k] >= graph->node_count)
            return false;
    return bound->kind == BOUND_PATH ? path_holds(bound, graph) : times_hold(bound, graph);
}
