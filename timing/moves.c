#include "timing/moves.h"

#include <stdlib.h>

#include "host/grow.h"

struct moves_node *moves_add_node(struct moves_block *block, const struct moves_node *node)
{
    struct moves_node *nodes =
        grow(block->nodes, &block->node_capacity, block->node_count + 1, sizeof *nodes);
    if (!nodes)
        return NULL;
    block->nodes = nodes;
    nodes[block->node_count] = *node;
    return &nodes[block->node_count++];
}

int moves_add_arc(struct moves_block *block, const struct moves_arc *arc)
{
    struct moves_arc *arcs =
        grow(block->arcs, &block->arc_capacity, block->arc_count + 1, sizeof *arcs);
    if (!arcs)
        return -1;
    block->arcs = arcs;
    arcs[block->arc_count++] = *arc;
    return 0;
}

void moves_free(struct moves *moves)
{
    for (size_t b = 0; b < moves->block_count; b++) {
        free(moves->blocks[b].nodes);
        free(moves->blocks[b].arcs);
    }
    free(moves->blocks);
    free(moves->pairs);
    if (moves->free)
        moves->free(moves->context);
    *moves = (struct moves){.blocks = NULL};
}

struct moves_pair *moves_free_but_pairs(struct moves *moves, size_t *count)
{
    struct moves_pair *pairs = moves->pairs;
    *count = moves->pair_count;
    moves->pairs = NULL;
    moves_free(moves);
    return pairs;
}

void moves_pairs_untagged(struct moves_pair *pairs, size_t count)
{
    for (size_t i = 0; i < count; i++)
        pairs[i].tag[0] = '\0';
}
