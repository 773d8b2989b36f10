/* graph_claim: see graph_claim.h. */
#include "timing/mncore2/graph_claim.h"

#include "timing/mncore2/model.h"

static void claim(struct graph *graph, uint32_t unit, bool placed)
{
    const struct graph_node *node = &graph->nodes[graph->node_count - 1];
    for (size_t u = node->use; u < graph->use_count; u++)
        if (graph->uses[u].unit == unit)
            return;
    graph_add_use(graph,
                  &(const struct graph_use){.unit = unit, .placed = placed, .cycles = CYCLES});
}

static uint32_t region_hash(const struct operand *operand)
{
    uint32_t hash = 2166136261u;
    const uint32_t words[] = {operand->mem,        operand->words,   operand->flags & OPERAND_T,
                              (uint8_t)operand->j, operand->addr[0], operand->addr[1],
                              operand->addr[2],    operand->addr[3]};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        hash = (hash ^ words[i]) * 16777619u;
    return (hash ^ hash >> 16) % GRAPH_SEEN;
}

/* Whether a region may have been seen before. */
bool mncore2_graph_see(struct graph_seen *seen, const struct operand *operand)
{
    const uint32_t hash = region_hash(operand);
    const bool before = seen->bits[hash / 8] >> hash % 8 & 1;
    seen->bits[hash / 8] |= (uint8_t)(1 << hash % 8);
    return before;
}

static uint32_t write_port(uint8_t mem)
{
    switch (mem) {
    case MEM_LM0:
        return UNIT_LM0;
    case MEM_LM1:
        return UNIT_LM1;
    case MEM_GRF0:
        return UNIT_GRF0W;
    case MEM_GRF1:
        return UNIT_GRF1W;
    case MEM_T:
        return UNIT_TW;
    case MEM_X:
        return UNIT_MATX;
    case MEM_Y:
        return UNIT_MATY;
    default:
        return NONE_ID;
    }
}

static uint32_t read_port(uint8_t mem)
{
    return mem == MEM_GRF0 ? UNIT_GRF0R : mem == MEM_GRF1 ? UNIT_GRF1R : write_port(mem);
}

static uint32_t group_unit(unsigned group)
{
    switch (group) {
    case GROUP_ALU:
        return UNIT_ALU;
    case GROUP_MAU_CALC:
        return UNIT_MAU;
    case GROUP_L2BM:
        return UNIT_FIXED_COUNT + GRAPH_L2BM;
    case GROUP_L1BM:
        return UNIT_FIXED_COUNT + GRAPH_L1BM;
    case GROUP_L1BM_TURN:
        return UNIT_FIXED_COUNT + GRAPH_TURN;
    default:
        return NONE_ID;
    }
}

/* 3.6.4: one expression of a group, one write of a PE memory, one use of a plane in a step; reads
 * of one memory in a step are of one region, and of an LM its write's. */
void mncore2_graph_claims(struct graph *graph, struct graph_seen *seen, unsigned group,
                          const struct expr *expr)
{
    const uint32_t unit = group_unit(group);
    if (unit != NONE_ID)
        claim(graph, unit, false);
    for (unsigned i = 0; expr && i < (unsigned)expr->in_count + expr->out_count; i++) {
        const struct operand *operand = &expr->in[i];
        const bool write = i >= expr->in_count;
        const bool plane = operand->mem == MEM_X || operand->mem == MEM_Y;
        const uint32_t port = write ? write_port(operand->mem) : read_port(operand->mem);
        if (port != NONE_ID &&
            (write || plane || (operand->mem != MEM_T && !mncore2_graph_see(seen, operand))))
            claim(graph, port, true);
    }
}
