/* shape: groups PE statements that differ only in addresses and immediates. Generated code has
 * millions of different statements but few shapes, so everything independent of addresses (units,
 * operations) is computed once per shape. */
#ifndef TAKT_FUNCTIONAL_MNCORE2_SHAPE_H
#define TAKT_FUNCTIONAL_MNCORE2_SHAPE_H

#include "functional/mncore2/program.h"

struct pool;

enum {
    /* Words of a key: the step, and each expression with its operands. */
    SHAPE_HEAD = 2,
    SHAPE_WORDS = 1 + GROUP_COUNT * (SHAPE_HEAD + MAX_IN + MAX_OUT)
};

struct shape {
    uint64_t hash;
    uint32_t words, number; /* number from 1 */
    uint64_t key[];
};

struct shapes {
    struct shape **slots; /* shapes live in the pool */
    size_t slot_count;
    uint32_t count;
    uint64_t key[SHAPE_WORDS]; /* key of the current step */
    uint32_t words;
};

/* The step's shape, created if new; its key is stored in the pool. NULL when memory is out. */
const struct shape *mncore2_shape_of(struct shapes *shapes, struct pool *pool,
                                     const struct step *step);
void mncore2_shapes_free(struct shapes *shapes);

#endif
