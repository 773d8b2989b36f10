/*
 * generate: generates code for a nest on the program's units.
 *
 *   for z 100, for y 30, for x 160 over units (64), alternate
 *     --loops_generate-->  sequential levels  z 100, y 30, x.outer 3      one step each
 *                          lane levels        x.inner 64, in the last of x.outer 32
 *
 * A loop over units is divided: its inner level has one iteration per unit, all executed in one
 * step; its outer level iterates over these steps. A loop that is not larger than its units has
 * only an inner level. Lanes are numbered tile by tile.
 *
 *   alternate  in the last outer iteration the inner level has another, smaller limit; it is
 *              switched after the last but one (outer limit - index = 1)
 *   uniform    the largest limit that divides the loop
 *   masked     the limit is fixed; units beyond the end compute an address and do nothing
 *   peeled     full steps first, and a second part (a nest) for the rest; with several
 *              such loops one part per combination
 *
 * Order of values: steps in order, and lanes in order within a step; summing lanes are innermost.
 * With sum=tree the results of a step for one element are added pairwise, neighbours first (a last
 * one without a partner is kept), before they are added to the element.
 */
#ifndef TAKT_FUNCTIONAL_LOOPS_GENERATE_H
#define TAKT_FUNCTIONAL_LOOPS_GENERATE_H

#include "functional/loops/program.h"

enum {
    LOOPS_SPLITS = 3, /* loops of a nest that can be over units: tiles, processors, math */
    LOOPS_LEVELS = LOOPS_RANK + LOOPS_SPLITS,
    LOOPS_PARTS = 1 << LOOPS_SPLITS
};

/* The division of `count` iterations among units. */
struct loops_limits {
    uint64_t outer;     /* limit of the outer loop; 1: no outer loop */
    uint64_t first;     /* limit of the inner loop */
    uint64_t alternate; /* inner limit in the last outer iteration; 0: the same as first */
    uint64_t rest;      /* iterations left to a second part */
    /* alternate counts the iterations that are not masked; the limit is fixed */
    bool masked;
};
struct loops_limits loops_limits(enum loops_strategy strategy, uint64_t count, uint64_t units);

enum loops_level_kind { LOOPS_WHOLE, LOOPS_OUTER, LOOPS_INNER };

struct loops_level {
    uint8_t loop;  /* loop of the nest */
    uint8_t kind;  /* enum loops_level_kind */
    uint8_t other; /* OUTER: its inner level; INNER: its outer level; LOOPS_LEVELS: none */
    uint8_t over;  /* enum loops_over, for INNER */
    bool masked;
    /* alternate: limit of an INNER level in the last iteration of its outer level, or 0 */
    uint64_t limit, alternate;
    uint64_t factor; /* iterations of the loop per iteration of this level */
    uint64_t start;  /* first iteration of the loop */
};

struct loops_part {
    struct loops_level levels[LOOPS_LEVELS]; /* sequential levels, outermost first, then lanes */
    uint8_t count, sequential, sums;         /* sums: first level whose lanes sum; count: none do */
    uint64_t steps;
};

struct loops_code {
    struct loops_part parts[LOOPS_PARTS];
    uint8_t part_count;
    bool reordered; /* f32 additions are in another order than in the nest as written */
};

void loops_generate(const struct loops_program *program, const struct loops_nest *nest,
                    struct loops_code *code);

/* State elements of the traversal unit per tensor: index, limit and multiplier of each level, and
 * alternate limits (or mask extents). Instructions: one per level, one per switch of a limit or
 * mask, one per body. */
uint64_t loops_part_state(const struct loops_part *part);
uint64_t loops_part_instructions(const struct loops_part *part);

/* Addresses that a part computes for one operand: more than its iterations if it is masked. */
uint64_t loops_part_addresses(const struct loops_part *part);
uint64_t loops_part_iterations(const struct loops_part *part);

/* Number of distinct units of a level's kind. */
uint64_t loops_over_units(const struct loops_program *program, enum loops_over over);

#endif
