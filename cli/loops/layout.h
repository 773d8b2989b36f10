/*
 * layout: a tensor over the levels of a machine's tree (struct machine_level), all of whose
 * elements do the same steps: other sizes are padded to a multiple.
 *
 *   shape, levels --loops_layout--> for each level the dimension that it divides
 *
 * Every way to hand the levels out is tried: each to a dimension or to none. The best has the
 * fewest elements in each processing element; of equal ones the one that uses fewer units, and that
 * hands the lower levels to the inner dimensions.
 */
#ifndef TAKT_CLI_LOOPS_LAYOUT_H
#define TAKT_CLI_LOOPS_LAYOUT_H

#include "cli/loops/choose.h"
#include "timing/machine.h"

enum { LOOPS_TREE = 8 }; /* most levels */

struct loops_layout {
    unsigned levels;
    unsigned dimension[LOOPS_TREE]; /* that each level divides; rank: none */
    uint64_t used[LOOPS_TREE];      /* units of a level that have elements */
    uint64_t block[LOOPS_RANK];     /* of each dimension in one processing element */
    uint64_t elements;              /* in one processing element, padding too */
    uint64_t units, padded;         /* processing elements; elements in all of them */
    uint64_t tried;
};

/* False when there are more than 2^22 ways, or more levels than that. */
bool loops_layout(const struct loops_shape *shape, const struct machine_level *levels,
                  struct loops_layout *best);

#endif
