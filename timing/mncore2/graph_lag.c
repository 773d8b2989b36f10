#include "timing/mncore2/graph_lag.h"

#include <string.h>

static bool same_region(const struct operand *a, const struct operand *b)
{
    return a->words == b->words && a->j == b->j &&
           (a->flags & OPERAND_T) == (b->flags & OPERAND_T) &&
           memcmp(a->addr, b->addr, sizeof a->addr) == 0;
}

/* Whether 3.6.4 keeps two operands of different expressions out of one step. */
static bool operands_part(const struct operand *a, bool a_writes, const struct operand *b,
                          bool b_writes)
{
    if (a->mem != b->mem)
        return false;
    switch (a->mem) {
    case MEM_X:
    case MEM_Y:
        return true;
    case MEM_LM0:
    case MEM_LM1:
        return (a_writes && b_writes) || !same_region(a, b);
    case MEM_GRF0:
    case MEM_GRF1:
        return a_writes == b_writes && (a_writes || !same_region(a, b));
    case MEM_T:
    case MEM_OMR:
    case MEM_BAR0:
    case MEM_BAR1:
        return a_writes && b_writes;
    default:
        return false;
    }
}

static bool takes_lm0_bits(const struct expr *a, const struct expr *b)
{
    if (a->insn != INSN_IMM)
        return false;
    for (unsigned i = 0; i < (unsigned)b->in_count + b->out_count; i++)
        if (b->in[i].mem == MEM_LM0)
            return true;
    return false;
}

/* Whether two expressions may ever share a step; true when in doubt. */
static bool can_share(const struct graph_node *first, const struct expr *a,
                      const struct graph_node *second, const struct expr *b)
{
    if (first->part == second->part)
        return false;
    if (!a || !b)
        return true;
    for (unsigned i = 0; i < (unsigned)a->in_count + a->out_count; i++)
        for (unsigned k = 0; k < (unsigned)b->in_count + b->out_count; k++)
            if (operands_part(&a->in[i], i >= a->in_count, &b->in[k], k >= b->in_count))
                return false;
    return !takes_lm0_bits(a, b) && !takes_lm0_bits(b, a);
}

uint64_t mncore2_graph_distance(const struct graph_lags *l, const struct hazard_profile *from,
                                const struct hazard_profile *to, const char **rule)
{
    struct hazard_finding why = {.row = HAZARD_COUNT};
    if (!from || !to)
        return CYCLES;
    *l->now += mncore2_hazard_longest(l->hazard) / CYCLES * CYCLES + 2 * CYCLES;
    mncore2_hazard_forget_mask(l->window, 0);
    mncore2_hazard_issue(l->window, from, *l->now, 0);
    const uint64_t lag = mncore2_hazard_earliest(l->window, to, *l->now + CYCLES, &why) - *l->now;
    if (why.row != HAZARD_COUNT)
        *rule = mncore2_hazard_rules[why.row].section;
    return lag;
}

static void lag_of_transfer(const struct graph_lags *l, const struct graph *graph,
                            struct graph_arc *arc)
{
    const struct graph_part *to = &l->parts[arc->to];
    const bool waited = graph->nodes[arc->from].waited <= to->item;
    const bool issues = to->kind == STMT_STEP || to->kind == STMT_MV;
    arc->rule = "3.6.13";
    arc->completes = waited || (issues && l->parts[arc->from].over <= to->item);
    if (!arc->completes)
        return;
    /* The wait belongs to the consuming step or an earlier one. */
    arc->after = to->kind == STMT_STEP || !waited ? 0 : CYCLES;
    arc->lag = (graph->nodes[arc->from].length + CYCLES - 1) / CYCLES * CYCLES + arc->after;
    arc->least = arc->lag;
}

void mncore2_graph_lag(const void *context, const struct graph *graph, struct graph_arc *arc)
{
    const struct graph_lags *l = context;
    const struct graph_part *from = &l->parts[arc->from], *to = &l->parts[arc->to];
    if (from->kind == STMT_MV && arc->kind == ARC_PORT) {
        arc->lag = l->slot;
        return;
    }
    if (from->kind == STMT_MV) {
        lag_of_transfer(l, graph, arc);
        return;
    }
    if (from->kind != STMT_STEP || from->item == to->item)
        return; /* the expressions of a step begin together */
    if (to->kind != STMT_STEP && to->kind != STMT_MV) {
        arc->lag = CYCLES;
        return;
    }
    arc->rule = arc->adjacent                                    ? "3.6.1.15"
                : arc->kind != ARC_RAW                           ? "3.6.4"
                : arc->space == SPACE_X || arc->space == SPACE_Y ? "3.6.1.14"
                                                                 : "3.6.3.9";
    if (arc->kind == ARC_WAR && to->kind == STMT_STEP &&
        can_share(&graph->nodes[arc->from], from->expr, &graph->nodes[arc->to], to->expr))
        return;
    arc->lag = mncore2_graph_distance(l, from->profile, to->profile, &arc->rule);
    /* A forwarding register hands a value to the next step. */
    arc->least = to->kind == STMT_STEP ? CYCLES : arc->lag;
}
