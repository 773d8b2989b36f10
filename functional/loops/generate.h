/*
 * generate: the code that a nest becomes for the program's units.
 *
 *   for z 100, for y 30, for x 160 over units (64), alternate
 *     --loops_generate-->  sequential levels  z 100, y 30, x.outer 3      a step each
 *                          lane levels        x.inner 64, in the last of x.outer 32
 *
 * A loop over units is divided: its inner level holds an iteration for each unit, all of them in
 * one step; its outer level goes through these. A loop that is no larger than its units has an
 * inner level alone. Lanes are numbered tile by tile.
 *
 *   alternate  in the last outer iteration the inner level has another, smaller limit; it is
 *              switched behind the last but one (outer limit - index = 1)
 *   uniform    the largest limit that divides the loop
 *   masked     the limit stays; units beyond the end compute an address and do nothing
 *   peeled     as far as all units are used, and a second part (a nest) for the rest; with several
 *              such loops a part for each combination
 *
 * Order of values: the steps in their order, inside a step the lanes in their order: those that sum
 * come innermost. With sum=tree the results of a step for one element are added in pairs,
 * neighbours first (a last one without partner goes on as it is), before they go to the element.
 */
#ifndef TAKT_FUNCTIONAL_LOOPS_GENERATE_H
#define TAKT_FUNCTIONAL_LOOPS_GENERATE_H

#include "functional/loops/program.h"

enum {
    LOOPS_SPLITS = 3, /* loops over units of a nest: tiles, processors, math */
    LOOPS_LEVELS = LOOPS_RANK + LOOPS_SPLITS,
    LOOPS_PARTS = 1 << LOOPS_SPLITS
};

/* How `count` iterations are divided among units. */
struct loops_limits {
    uint64_t outer;     /* limit of the outer loop; 1: there is none */
    uint64_t first;     /* limit of the inner loop */
    uint64_t alternate; /* in the last outer iteration; 0: the first */
    uint64_t rest;      /* iterations left to a second nest */
    bool masked;        /* alternate are those that are not masked; the limit stays */
};
struct loops_limits loops_limits(enum loops_strategy strategy, uint64_t count, uint64_t units);

enum loops_level_kind { LOOPS_WHOLE, LOOPS_OUTER, LOOPS_INNER };

struct loops_level {
    uint8_t loop;  /* of the nest */
    uint8_t kind;  /* enum loops_level_kind */
    uint8_t other; /* of OUTER its inner level, of INNER its outer one; LOOPS_LEVELS: none */
    uint8_t over;  /* enum loops_over, of INNER */
    bool masked;
    uint64_t limit, alternate; /* alternate: of INNER while its outer level is at its end, or 0 */
    uint64_t factor;           /* iterations of the loop in one of this level */
    uint64_t start;            /* iteration of the loop at which it begins */
};

struct loops_part {
    struct loops_level levels[LOOPS_LEVELS]; /* sequential ones, the outermost first, then lanes */
    uint8_t count, sequential, sums; /* sums: from this level on lanes sum; count: none do */
    uint64_t steps;
};

struct loops_code {
    struct loops_part parts[LOOPS_PARTS];
    uint8_t part_count;
    bool reordered; /* additions of f32 come in another order than in the nest as written */
};

void loops_generate(const struct loops_program *program, const struct loops_nest *nest,
                    struct loops_code *code);

/* State elements of the traversal unit for each tensor: index, limit and multiplier of each level,
 * alternate limits (or extents to mask by). And instructions: one a level, one a switch of a limit
 * or a mask, one a body. */
uint64_t loops_part_state(const struct loops_part *part);
uint64_t loops_part_instructions(const struct loops_part *part);

/* Addresses that a part computes for one operand: more than iterations where it is masked. */
uint64_t loops_part_addresses(const struct loops_part *part);
uint64_t loops_part_iterations(const struct loops_part *part);

/* Distinct units that a level's kind has. */
uint64_t loops_over_units(const struct loops_program *program, enum loops_over over);

/* Code as text, indented, each line behind prefix. */
int loops_code_print(const struct loops_program *program, const struct loops_nest *nest,
                     const char *prefix, FILE *out);

#endif
