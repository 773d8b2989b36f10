/*
 * choose: which loop of a tensor goes over which units, in which order, with which limits.
 *
 *   shape, units, strategy --loops_choose--> the nest of the fewest steps, how many were tried
 *
 * Every order of the loops (up to five; of more the one as written), and for each every way to hand
 * the units out: all of them to one loop, or tiles, processors and math units each to a separate
 * loop or to none. Of equal ones the one that has fewer state elements, whose divided loop has the
 * smaller stride, and that is nearest to the order as written.
 */
#ifndef TAKT_CLI_LOOPS_CHOOSE_H
#define TAKT_CLI_LOOPS_CHOOSE_H

#include "functional/loops/generate.h"

enum { LOOPS_ORDERED = 5 }; /* loops whose orders are all tried */

struct loops_shape {
    unsigned rank;
    uint64_t size[LOOPS_RANK]; /* the innermost dimension last */
    bool as_written;           /* that order, the innermost loop over all units */
};

struct loops_choice {
    struct loops_nest nest; /* without a body */
    struct loops_code code;
    unsigned dimension[LOOPS_RANK]; /* of each loop, from 0 */
    uint64_t steps, state, instructions, entries;
    uint64_t tried, orders;
    uint64_t cycles; /* of c = a + b on such tensors; 0: not timed */
};

/* False when text is not a shape such as 100x30x160. */
bool loops_shape_parse(struct loops_shape *shape, const char *text);

/* program: its units alone. */
void loops_choose(const struct loops_shape *shape, const struct loops_program *program,
                  enum loops_strategy strategy, struct loops_choice *best);

/* The least steps of any limits from 1 to the units, for each loop that `choice` divides; and how
 * many limits that were. */
uint64_t loops_least_steps(const struct loops_shape *shape, const struct loops_program *program,
                           const struct loops_choice *choice, uint64_t *limits);

/* ceil(product of the dimensions / units) */
uint64_t loops_shape_bound(const struct loops_shape *shape, uint64_t units);
uint64_t loops_shape_iterations(const struct loops_shape *shape);

/* The choice as a program: c = a + b, tensors packed in the order as written. Returns 0 or -1. */
int loops_choice_print(const struct loops_shape *shape, const struct loops_program *program,
                       const struct loops_choice *choice, FILE *out);

#endif
