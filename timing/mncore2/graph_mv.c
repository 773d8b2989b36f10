/* graph_mv: see graph_mv.h. */
#include "timing/mncore2/graph_mv.h"

#include <stdio.h>
#include <stdlib.h>

void mncore2_graph_channels(struct graph_mv *units)
{
    const uint64_t each = units->numbers->dram.channels;
    char name[GRAPH_NAME];
    units->channels = (uint32_t)units->graph->unit_count;
    for (unsigned c = 0; c < GROUPS * each; c++) {
        snprintf(name, sizeof name, "dram%u.ch%u", c / (unsigned)each, c % (unsigned)each);
        graph_add_unit(units->graph, name, units->accounted ? UNIT_FIXED_COUNT + c : GRAPH_NONE);
    }
}

static bool uses_dram(const struct graph_mv *units, const struct plan *plan)
{
    return plan->granules && !units->numbers->dram.ideal;
}

/* Cycles from the issue until the first operation may start: that of a read has its data no earlier
 * than an open row gives them. */
static uint64_t begin_of(const struct graph_mv *units, const struct plan *plan)
{
    const struct memory_config *dram = &units->numbers->dram;
    if (!uses_dram(units, plan) || plan->dram_write)
        return units->numbers->start;
    const uint64_t read = dram->tcl + dram->tccd + dram->latency;
    return units->numbers->start + (read ? read : 1);
}

uint64_t mncore2_graph_length(const struct graph_mv *units, const struct plan *plan)
{
    return begin_of(units, plan) + plan_cycles(plan) + units->numbers->notice;
}

/* Work in parts that are over `after` before the completion. */
static void spread(const struct graph_mv *units, uint32_t unit, uint64_t offset, uint64_t cycles,
                   uint64_t after)
{
    if (cycles)
        graph_add_use(
            units->graph,
            &(const struct graph_use){
                .unit = unit, .spread = true, .offset = offset, .cycles = cycles, .after = after});
}

static void use_ports(const struct graph_mv *units, const struct plan *plan)
{
    const uint64_t begin = begin_of(units, plan), notice = units->numbers->notice;
    for (uint64_t left = plan->ports; left; left &= left - 1) {
        const unsigned port = (unsigned)__builtin_ctzll(left);
        const uint64_t hold = plan->hold[port_kind(port)];
        const uint64_t spare = plan->whole ? plan->pace - hold : 0;
        spread(units, MV_FIRST + port, begin, (plan->ops * hold) >> RESOURCE_TICK_SHIFT,
               notice + (spare >> RESOURCE_TICK_SHIFT));
    }
}

static void use_way(struct graph_mv *units, const struct mv *mv, const struct plan *plan)
{
    uint32_t *unit = &units->way[plan->way];
    if (!units->numbers->ways)
        return;
    if (*unit == GRAPH_NONE) {
        char name[GRAPH_NAME], from[12] = "all", to[12] = "all";
        if (mv->from.group >= 0)
            snprintf(from, sizeof from, "%d", mv->from.group);
        if (mv->to.group >= 0)
            snprintf(to, sizeof to, "%d", mv->to.group);
        *unit = (uint32_t)units->graph->unit_count;
        snprintf(name, sizeof name, "%s %.3s>%.3s", mncore2_mv_title[mv->mode], from, to);
        graph_add_unit(units->graph, name, GRAPH_NONE);
    }
    spread(units, *unit, begin_of(units, plan), plan->ops * plan->way_cycles,
           units->numbers->notice + (plan->pace >> RESOURCE_TICK_SHIFT) - plan->way_cycles);
}

/* Slots that a channel has given before the transfer is complete. Of writes as many may still wait
 * as its buffer takes, the last operation's come later, and one slot may not be over. */
static uint64_t slots_of(const struct numbers *numbers, const struct plan *plan, uint64_t granules)
{
    const uint64_t later = plan->dram_write ? numbers->dram.write_buffer + plan->granules : 0;
    return granules > later ? granules - later : 0;
}

static void use_channels(const struct graph_mv *units, const struct mv *mv, const struct plan *plan)
{
    const struct memory_config *dram = &units->numbers->dram;
    const struct mv_operand *operand = plan->dram_write ? &mv->to : &mv->from;
    if (!uses_dram(units, plan) || operand->indirect || !dram->tccd)
        return;
    uint64_t *granules = calloc(dram->channels, sizeof *granules);
    if (!granules) {
        units->graph->status = -1;
        return;
    }
    for (uint64_t i = 0; i < plan->ops * plan->granules; i++) {
        const uint64_t granule = (operand->addr / DRAM_GRANULE + i) % DRAM_GRANULES;
        granules[granule / dram->divisor[MEMORY_CHANNEL] % dram->size[MEMORY_CHANNEL]]++;
    }
    const uint64_t read = plan->dram_write ? 0 : dram->tcl + dram->latency;
    const uint64_t after = read + (plan->pace >> RESOURCE_TICK_SHIFT) + units->numbers->notice;
    for (unsigned c = 0; c < GROUPS * dram->channels; c++)
        if (plan->dram_groups >> c / dram->channels & 1)
            spread(units, units->channels + c, units->numbers->start,
                   slots_of(units->numbers, plan, granules[c % dram->channels]) * dram->tccd,
                   after);
    free(granules);
}

void mncore2_graph_uses(struct graph_mv *units, const struct mv *mv, const struct plan *plan)
{
    use_ports(units, plan);
    use_way(units, mv, plan);
    use_channels(units, mv, plan);
    if (units->slot)
        graph_add_use(units->graph,
                      &(const struct graph_use){.unit = units->slot_unit, .cycles = units->slot});
}
