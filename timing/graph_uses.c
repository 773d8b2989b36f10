/* graph_uses: what the nodes of a graph need of units; nodes that need the same share it. */
#include "timing/graph.h"

#include <stdlib.h>
#include <string.h>

#include "host/grow.h"

void graph_add_use(struct graph *graph, const struct graph_use *use)
{
    struct graph_use *uses =
        graph->status == 0 && graph->use_count < UINT32_MAX
            ? grow(graph->uses, &graph->use_capacity, graph->use_count + 1, sizeof *uses)
            : NULL;
    if (!uses) {
        graph->status = graph->status ? graph->status : -1;
        return;
    }
    graph->uses = uses;
    uses[graph->use_count++] = *use;
    graph->nodes[graph->node_count - 1].use_count++;
}

size_t graph_use_total(const struct graph *graph)
{
    size_t total = 0;
    for (size_t n = 0; n < graph->node_count; n++)
        total += graph->nodes[n].use_count;
    return total;
}

static size_t hash_of(const struct graph *graph, const struct graph_node *node)
{
    const uint64_t odd = UINT64_C(0x9e3779b97f4a7c15);
    uint64_t hash = node->use_count;
    for (size_t u = node->use; u < (size_t)node->use + node->use_count; u++) {
        const struct graph_use *use = &graph->uses[u];
        hash = (hash ^ hash >> 29 ^ use->unit) * odd;
        hash = (hash ^ hash >> 30 ^ use->offset) * odd;
        hash = (hash ^ hash >> 31 ^ use->cycles) * odd;
        hash = (hash ^ hash >> 32 ^ use->after) * odd;
    }
    return (size_t)(hash ^ hash >> 32);
}

static bool same_use(const struct graph_use *a, const struct graph_use *b)
{
    return a->unit == b->unit && a->offset == b->offset && a->cycles == b->cycles &&
           a->after == b->after && a->spread == b->spread && a->placed == b->placed &&
           a->instances == b->instances;
}

static bool same(const struct graph *graph, const struct graph_node *a, const struct graph_node *b)
{
    bool is = a->use_count == b->use_count;
    for (uint32_t u = 0; is && u < a->use_count; u++)
        is = same_use(&graph->uses[a->use + u], &graph->uses[b->use + u]);
    return is;
}

/* The slot of the first node with these uses, or of none. */
static uint32_t *slot_of(const struct graph *graph, const struct graph_node *node)
{
    const size_t mask = graph->sharer_room - 1;
    size_t at = hash_of(graph, node) & mask;
    while (graph->sharers[at] != GRAPH_NONE &&
           !same(graph, &graph->nodes[graph->sharers[at]], node))
        at = (at + 1) & mask;
    return &graph->sharers[at];
}

static bool make_room(struct graph *graph)
{
    enum { FIRST = 256 };
    if (graph->sharer_count < graph->sharer_room / 2)
        return true;
    const size_t old_room = graph->sharer_room, room = old_room ? 2 * old_room : FIRST;
    uint32_t *old = graph->sharers, *slots = malloc(room * sizeof *slots);
    if (!slots)
        return false;
    memset(slots, 0xff, room * sizeof *slots);
    graph->sharers = slots;
    graph->sharer_room = room;
    for (size_t i = 0; i < old_room; i++)
        if (old[i] != GRAPH_NONE)
            *slot_of(graph, &graph->nodes[old[i]]) = old[i];
    free(old);
    return true;
}

void graph_share_uses(struct graph *graph)
{
    struct graph_node *node = graph->node_count ? &graph->nodes[graph->node_count - 1] : NULL;
    if (!node || !node->use_count || graph->status != 0)
        return;
    if (!make_room(graph)) {
        graph->status = -1;
        return;
    }
    uint32_t *slot = slot_of(graph, node);
    if (*slot == GRAPH_NONE) {
        *slot = (uint32_t)graph->node_count - 1;
        graph->sharer_count++;
    } else if (graph->nodes[*slot].use != node->use) {
        graph->use_count = node->use;
        node->use = graph->nodes[*slot].use;
    }
}
