/* executed: see executed.h. */
#include "timing/executed.h"

#include <stdlib.h>

#include "host/grow.h"

int executed_init(struct executed *e, struct graph *graph, size_t streams, size_t stmts)
{
    *e = (struct executed){.graph = graph};
    graph->quantum = 1;
    e->streams = calloc(streams + 1, sizeof *e->streams);
    for (; e->streams && e->stream_count < streams; e->stream_count++) {
        uint32_t *turns = calloc(stmts + 1, sizeof *turns);
        if (!turns)
            return -1;
        e->streams[e->stream_count] = (struct executed_stream){GRAPH_NONE, turns};
    }
    return e->streams ? 0 : -1;
}

void executed_free(struct executed *e)
{
    for (size_t s = 0; s < e->stream_count; s++)
        free(e->streams[s].turns);
    free(e->streams);
    free(e->spans.list);
    free(e->lines);
}

static size_t most_of(const struct executed *e)
{
    return e->graph->limit ? e->graph->limit : UINT32_MAX / 2;
}

void executed_refusal(const struct executed *e, char error[MACHINE_ERROR])
{
    snprintf(error, MACHINE_ERROR, "the run has more than %zu pieces of work", most_of(e));
}

static int add_node(struct executed *e, struct graph_node **node)
{
    if (e->graph->node_count >= most_of(e))
        return 1;
    return (*node = graph_add_node(e->graph)) ? 0 : -1;
}

int executed_order(struct executed *e, uint32_t from, uint32_t to, uint64_t lag)
{
    const struct graph_arc arc = {
        .from = from, .to = to, .kind = ARC_ORDER, .lag = lag, .least = lag, .rule = ""};
    return graph_add_arc(e->graph, &arc);
}

int executed_add(struct executed *e, uint32_t stream, uint32_t stmt, uint64_t lag)
{
    struct executed_stream *of = &e->streams[stream];
    struct graph_node *node = NULL;
    const int status = add_node(e, &node);
    if (status != 0)
        return status;
    const uint32_t number = (uint32_t)e->graph->node_count - 1, last = of->last;
    node->stmt = stmt;
    node->stream = stream;
    node->occurrence = of->turns[stmt]++;
    of->last = number;
    return last == GRAPH_NONE ? 0 : executed_order(e, last, number, lag);
}

int executed_touch(struct executed *e, const struct graph_span *span)
{
    struct graph_span one = *span;
    one.node = (uint32_t)e->graph->node_count - 1;
    one.definite = true;
    return graph_add_span(&e->spans, &one);
}

/* --- lines ------------------------------------------------------------------------------------ */

static struct executed_line *slot_of(const struct executed *e, uint64_t key)
{
    size_t at = (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 20);
    for (;; at++) {
        struct executed_line *slot = &e->lines[at & (e->line_slots - 1)];
        if (slot->node == GRAPH_NONE || slot->key == key)
            return slot;
    }
}

static int grow_lines(struct executed *e)
{
    struct executed old = *e;
    if (e->line_count * 2 < e->line_slots)
        return 0;
    e->line_slots = old.line_slots ? old.line_slots * 2 : 1024;
    e->lines = malloc(e->line_slots * sizeof *e->lines);
    if (!e->lines) {
        *e = old;
        return -1;
    }
    for (size_t i = 0; i < e->line_slots; i++)
        e->lines[i].node = GRAPH_NONE;
    for (size_t i = 0; i < old.line_slots; i++)
        if (old.lines[i].node != GRAPH_NONE)
            *slot_of(e, old.lines[i].key) = old.lines[i];
    free(old.lines);
    return 0;
}

static int note_access(struct graph *graph, uint32_t line, uint32_t by)
{
    struct graph_access *accesses =
        grow(graph->accesses, &graph->access_capacity, graph->access_count + 1, sizeof *accesses);
    if (!accesses)
        return -1;
    graph->accesses = accesses;
    accesses[graph->access_count++] = (struct graph_access){line, by};
    return 0;
}

int executed_line(struct executed *e, uint64_t key, uint32_t by, uint32_t *number, bool *first)
{
    struct graph_node *node;
    int status = grow_lines(e);
    if (status != 0)
        return status;
    struct executed_line *slot = slot_of(e, key);
    *first = slot->node == GRAPH_NONE;
    if (*first && (status = add_node(e, &node)) == 0) {
        *slot = (struct executed_line){key, (uint32_t)e->graph->node_count - 1};
        e->line_count++;
        node->stmt = e->graph->nodes[by].stmt;
        node->stream = ~slot->node; /* its own */
        node->line = true;
    }
    *number = slot->node;
    return status == 0 ? note_access(e->graph, slot->node, by) : status;
}

int executed_link(struct executed *e, graph_lag *lag, const void *context)
{
    return graph_link(e->graph, &e->spans, lag, context);
}
