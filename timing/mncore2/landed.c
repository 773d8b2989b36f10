/*
 * landed: when a transfer may begin that reads what steps before it have written to L2BM (manual
 * 3.6.3.1 and its figures of landing). Operations go through a region from its least address, so
 * one that reads higher addresses may begin earlier. In the documented-only run a
 * transfer may read where it may issue: where a write lands is inferred.
 */
#include "timing/mncore2/run.h"

#include "functional/mncore2/effect.h"

void mncore2_landed_note(struct lane *lane, uint32_t stmt)
{
    lane->stored[lane->stored_count++ % STORED_RECENT] = (struct stored){lane->now, stmt};
}

/* First word of a region, counted from its begin, that a cycle of an access writes; UINT64_MAX:
 * none. L2BM wraps around, and has a power of two of words. */
static uint64_t first_met(const struct region *region, const struct access *write, unsigned cycle)
{
    const uint64_t last = L2BM_LONGS - 1, at = (write->addr[cycle] - region->addr) & last;
    if (at < region->length)
        return at;
    return ((region->addr - write->addr[cycle]) & last) < write->length ? 0 : UINT64_MAX;
}

/* The same for all that a step writes: the cycle from which the transfer may begin. */
static uint64_t behind_step(const struct region *region, const struct effect *effect,
                            const struct plan *plan, uint64_t lands)
{
    const uint64_t each = region->length / plan->ops;
    uint64_t begin = 0;
    for (size_t i = 0; i < effect->count; i++) {
        const struct access *access = &effect->access[i];
        if (access->space != SPACE_L2BM || !access->write || !(access->set & region->set))
            continue;
        for (unsigned c = 0; c < CYCLES; c++) {
            const uint64_t word = first_met(region, access, c);
            if (word == UINT64_MAX)
                continue;
            const uint64_t later = word / each * plan->pace >> RESOURCE_TICK_SHIFT;
            if (lands + c + 1 > begin + later)
                begin = lands + c + 1 - later;
        }
    }
    return begin;
}

uint64_t mncore2_landed_begin(const struct lane *lane, const struct mv *mv)
{
    const uint64_t lands = lane->l2bm_lands;
    const uint64_t start = lane->now + lane->numbers->start;
    uint64_t begin = start;
    struct region region[2];
    struct plan plan;
    if (mv->from.mem != MEM_L2BM || lands <= lane->numbers->start)
        return start; /* the step before has landed */
    mncore2_effect_of_mv(mv, region);
    mncore2_model_plan(lane->numbers, mv, &plan);
    for (uint64_t n = lane->stored_count; n-- > 0 && lane->stored_count - n <= STORED_RECENT;) {
        const struct stored *stored = &lane->stored[n % STORED_RECENT];
        struct effect effect;
        if (stored->at + lands + CYCLES <= start)
            break;
        mncore2_effect_of_step(lane->run->program->stmts[stored->stmt].step, &effect);
        const uint64_t behind = behind_step(&region[0], &effect, &plan, stored->at + lands);
        if (behind > begin)
            begin = behind;
    }
    return begin;
}
