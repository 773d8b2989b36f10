/* executed: see executed.h. */
#include "timing/executed.h"

#include <stdlib.h>

/* --- maps ------------------------------------------------------------------------------------- */

static struct executed_slot *slot_of(const struct executed_map *map, uint64_t key)
{
    size_t at = (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 20);
    for (;; at++) {
        struct executed_slot *slot = &map->slots[at & (map->size - 1)];
        if (!slot->used || slot->key == key)
            return slot;
    }
}

/* The slot of a key, not used if it is new. NULL: the status is not 0. */
static struct executed_slot *map_find(struct graph *graph, struct executed_map *map, uint64_t key)
{
    if (graph->status != 0)
        return NULL;
    if (map->count * 2 >= map->size) {
        struct executed_map more = {.count = map->count, .size = map->size ? map->size * 2 : 1024};
        more.slots = calloc(more.size, sizeof *more.slots);
        if (!more.slots) {
            graph->status = -1;
            return NULL;
        }
        for (size_t i = 0; i < map->size; i++)
            if (map->slots[i].used)
                *slot_of(&more, map->slots[i].key) = map->slots[i];
        free(map->slots);
        *map = more;
    }
    return slot_of(map, key);
}

static void map_use(struct executed_map *map, struct executed_slot *slot, uint64_t key,
                    uint32_t value)
{
    *slot = (struct executed_slot){key, value, true};
    map->count++;
}

/* --- nodes ------------------------------------------------------------------------------------ */

void executed_init(struct executed *e, struct graph *graph, size_t streams)
{
    *e = (struct executed){.graph = graph};
    graph->quantum = 1;
    e->last = malloc((streams + 1) * sizeof *e->last);
    if (!e->last)
        graph->status = -1;
    for (size_t s = 0; e->last && s < streams; s++)
        e->last[s] = GRAPH_NONE;
}

void executed_free(struct executed *e)
{
    free(e->last);
    free(e->turns.slots);
    free(e->lines.slots);
    graph_spans_free(&e->spans);
}

static size_t most_of(const struct executed *e)
{
    return e->graph->limit ? e->graph->limit : UINT32_MAX / 2;
}

void executed_refusal(const struct executed *e, char error[MACHINE_ERROR])
{
    snprintf(error, MACHINE_ERROR, "the run has more than %zu pieces of work" GRAPH_LIMIT,
             most_of(e));
}

static struct graph_node *add_node(struct graph *graph, size_t most)
{
    if (graph->node_count >= most)
        graph->status = 1;
    return graph_add_node(graph);
}

void executed_order(struct executed *e, uint32_t from, uint32_t to, uint64_t lag)
{
    const struct graph_arc arc = {
        .from = from, .to = to, .kind = ARC_ORDER, .lag = lag, .least = lag, .rule = ""};
    graph_add_arc(e->graph, &arc);
}

struct graph_node *executed_add(struct executed *e, uint32_t stream, uint32_t stmt, uint64_t lag)
{
    const uint64_t key = (uint64_t)stream << 32 | stmt;
    struct executed_slot *turns = map_find(e->graph, &e->turns, key);
    struct graph_node *node = turns ? add_node(e->graph, most_of(e)) : NULL;
    if (!node)
        return NULL;
    if (!turns->used)
        map_use(&e->turns, turns, key, 0);
    const uint32_t number = (uint32_t)e->graph->node_count - 1, last = e->last[stream];
    node->stmt = stmt;
    node->stream = stream;
    node->occurrence = turns->value++;
    e->last[stream] = number;
    if (last != GRAPH_NONE)
        executed_order(e, last, number, lag);
    return node;
}

void executed_touch(struct executed *e, const struct graph_span *span)
{
    struct graph_span one = *span;
    one.node = (uint32_t)e->graph->node_count - 1;
    graph_spans_add(&e->spans, &one);
}

/* --- lines ------------------------------------------------------------------------------------ */

uint32_t executed_line(struct executed *e, uint64_t key, uint32_t stmt, bool *first)
{
    struct executed_slot *slot = map_find(e->graph, &e->lines, key);
    *first = slot && !slot->used;
    if (*first) {
        struct graph_node *node = add_node(e->graph, most_of(e));
        if (!node)
            return GRAPH_NONE;
        map_use(&e->lines, slot, key, (uint32_t)e->graph->node_count - 1);
        node->stmt = stmt;
        node->stream = ~slot->value; /* its own */
        node->line = true;
    }
    return slot ? slot->value : GRAPH_NONE;
}

void executed_access(struct executed *e, uint32_t line, uint32_t node)
{
    struct graph *graph = e->graph;
    struct graph_access *accesses = graph_grow(graph, graph->accesses, &graph->access_capacity,
                                               graph->access_count + 1, sizeof *accesses);
    if (!accesses)
        return;
    graph->accesses = accesses;
    accesses[graph->access_count++] = (struct graph_access){line, node};
}

int executed_link(struct executed *e, graph_lag *lag, const void *context)
{
    return graph_link(e->graph, &e->spans, lag, context);
}
