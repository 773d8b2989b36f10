/*
 * traverse: the tensor traversal unit. For each level of a part (functional/loops/generate.h) it
 * has an index and a limit, for each operand and level a multiplier:
 *
 *   address = base + sum of index * multiplier
 *
 * Behind each iteration the innermost index goes up by one; at its limit it goes back to 0 and the
 * level around it goes up, and so on (a carry). When an outer level stands at its last iteration
 * (limit - index = 1), the limit of its inner level becomes the alternate one, until the outer
 * level goes back to 0. A masked level does the same here: what the mask leaves counts as its
 * limit.
 *
 * With end = part->sequential it goes from step to step and keeps the limits of the lanes.
 */
#ifndef TAKT_FUNCTIONAL_LOOPS_TRAVERSE_H
#define TAKT_FUNCTIONAL_LOOPS_TRAVERSE_H

#include "functional/loops/generate.h"

struct loops_traversal {
    const struct loops_part *part;
    uint8_t end; /* levels that it counts */
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

/* The next iteration. Returns the level whose index went up; those behind it went back to 0.
 * LOOPS_LEVELS: that was the last one, and it stands at the first again. */
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
