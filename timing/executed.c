/* executed: see executed.h. */
#include "timing/executed.h"

#include <stdlib.h>

#include "host/grow.h"

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

/* The slot of a key, not used if it is new. NULL: the host has no memory. */
static struct executed_slot *map_find(struct executed_map *map, uint64_t key)
{
    if (map->count * 2 >= map->size) {
        struct executed_map more = {.count = map->count, .size = map->size ? map->size * 2 : 1024};
        more.slots = calloc(more.size, sizeof *more.slots);
        if (!more.slots)
            return NULL;
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

int executed_init(struct executed *e, struct graph *graph, size_t streams)
{
    *e = (struct executed){.graph = graph};
    graph->quantum = 1;
    e->last = malloc((streams + 1) * sizeof *e->last);
    for (size_t s = 0; e->last && s < streams; s++)
        e->last[s] = GRAPH_NONE;
    return e->last ? 0 : -1;
}

void executed_free(struct executed *e)
{
    free(e->last);
    free(e->turns.slots);
    free(e->lines.slots);
    free(e->spans.list);
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
    const uint64_t key = (uint64_t)stream << 32 | stmt;
    struct executed_slot *turns = map_find(&e->turns, key);
    struct graph_node *node = NULL;
    const int status = turns ? add_node(e, &node) : -1;
    if (status != 0)
        return status;
    if (!turns->used)
        map_use(&e->turns, turns, key, 0);
    const uint32_t number = (uint32_t)e->graph->node_count - 1, last = e->last[stream];
    node->stmt = stmt;
    node->stream = stream;
    node->occurrence = turns->value++;
    e->last[stream] = number;
    return last == GRAPH_NONE ? 0 : executed_order(e, last, number, lag);
}

int executed_touch(struct executed *e, const struct graph_span *span)
{
    struct graph_span one = *span;
    one.node = (uint32_t)e->graph->node_count - 1;
    return graph_add_span(&e->spans, &one);
}

/* --- lines ------------------------------------------------------------------------------------ */

int executed_line(struct executed *e, uint64_t key, uint32_t stmt, uint32_t *number, bool *first)
{
    struct graph_node *node = NULL;
    struct executed_slot *slot = map_find(&e->lines, key);
    int status = slot ? 0 : -1;
    if (status != 0)
        return status;
    *first = !slot->used;
    if (*first && (status = add_node(e, &node)) == 0) {
        map_use(&e->lines, slot, key, (uint32_t)e->graph->node_count - 1);
        node->stmt = stmt;
        node->stream = ~slot->value; /* its own */
        node->line = true;
    }
    *number = slot->value;
    return status;
}

int executed_access(struct executed *e, uint32_t line, uint32_t node)
{
    struct graph *graph = e->graph;
    struct graph_access *accesses =
        grow(graph->accesses, &graph->access_capacity, graph->access_count + 1, sizeof *accesses);
    if (!accesses)
        return -1;
    graph->accesses = accesses;
    accesses[graph->access_count++] = (struct graph_access){line, node};
    return 0;
}

int executed_link(struct executed *e, graph_lag *lag, const void *context)
{
    return graph_link(e->graph, &e->spans, lag, context);
}
