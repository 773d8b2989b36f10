/*
 * traverse: the tensor traversal unit. It has an index and a limit for each level of a part
 * (functional/loops/generate.h), and a multiplier for each operand and level:
 *
 *   address = base + sum of index * multiplier
 *
 * After each iteration the innermost index is incremented; at its limit it is reset to 0 and the
 * enclosing level is incremented, and so on (a carry). In the last iteration of an outer level
 * (limit - index = 1) its inner level uses the alternate limit, until the outer level is reset. A
 * masked level is treated alike: the number of unmasked iterations is its limit.
 *
 * With end = part->sequential it advances step by step and maintains the limits of the lanes.
 */
#ifndef TAKT_FUNCTIONAL_LOOPS_TRAVERSE_H
#define TAKT_FUNCTIONAL_LOOPS_TRAVERSE_H

#include "functional/loops/generate.h"

struct loops_traversal {
    const struct loops_part *part;
    uint8_t end; /* number of levels traversed */
    uint64_t index[LOOPS_LEVELS], limit[LOOPS_LEVELS];
    int64_t multiplier[LOOPS_OPERANDS][LOOPS_LEVELS];
    int64_t address[LOOPS_OPERANDS];
};

static inline void loops_traversal_start(struct loops_traversal *t, const struct loops_nest *nest,
                                         const struct loops_part *part, uint8_t end)
{
    *t = (struct loops_traversal){.part = part, .end = end};
    for (unsigned o = 0; o < LOOPS_OPERANDS; o++)
        t->address[o] = nest->operand[o].map.base;
    for (unsigned k = 0; k < part->count; k++) {
        const struct loops_level *level = &part->levels[k];
        t->limit[k] = level->limit;
        for (unsigned o = 0; o < LOOPS_OPERANDS; o++) {
            const int64_t times = nest->operand[o].map.times[level->loop];
            t->multiplier[o][k] = times * (int64_t)level->factor;
            t->address[o] += times * (int64_t)level->start;
        }
    }
}

static inline void loops_traversal_move(struct loops_traversal *t, unsigned level, int64_t steps)
{
    for (unsigned o = 0; o < LOOPS_OPERANDS; o++)
        t->address[o] += t->multiplier[o][level] * steps;
}

/* Advance to the next iteration. Returns the level whose index was incremented; those inside it
 * were reset to 0. LOOPS_LEVELS: that was the last iteration, and the traversal is at the first
 * again. */
static inline unsigned loops_traversal_next(struct loops_traversal *t)
{
    for (unsigned k = t->end; k-- > 0;) {
        const struct loops_level *level = &t->part->levels[k];
        const bool turns = level->kind == LOOPS_OUTER && t->part->levels[level->other].alternate;
        loops_traversal_move(t, k, 1);
        if (++t->index[k] < t->limit[k]) {
            if (turns && t->limit[k] - t->index[k] == 1)
                t->limit[level->other] = t->part->levels[level->other].alternate;
            return k;
        }
        loops_traversal_move(t, k, -(int64_t)t->index[k]);
        t->index[k] = 0;
        if (turns)
            t->limit[level->other] = t->part->levels[level->other].limit;
    }
    return LOOPS_LEVELS;
}

#endif
