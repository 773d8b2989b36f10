/*
 * shape: which PE statements differ in addresses and immediates only. Generated code has millions
 * of different statements but few shapes: what does not depend on the addresses (the units that a
 * step uses, its operations) is worked out once a shape.
 */
#ifndef TAKT_FUNCTIONAL_MNCORE2_SHAPE_H
#define TAKT_FUNCTIONAL_MNCORE2_SHAPE_H

#include "functional/mncore2/program.h"

struct pool;

enum {
    /* Words of a key: the step, and each expression with its operands. */
    SHAPE_HEAD = 2,
    SHAPE_WORDS = 1 + GROUP_COUNT * (SHAPE_HEAD + MAX_IN + MAX_OUT)
};

/* What remains to be checked of 3.6.4 when a step of the same shape was legal: that these operands
 * have the same addresses, as they had there. all: everything. */
enum { RULES_PAIRS = 5 };
struct rules_rest {
    bool all;
    uint8_t pairs;
    struct rules_pair {
        uint8_t group[2], operand[2];
    } pair[RULES_PAIRS];
};
/* rules.c; of a legal step, and of another one of its shape. */
struct rules_rest mncore2_rules_rest(const struct step *step);
bool mncore2_rules_hold(const struct rules_rest *rest, const struct step *step);

struct shape {
    uint64_t hash;
    struct shape *next;     /* of the step that came after one of this shape the last time */
    uint32_t words, number; /* number from 1 */
    struct rules_rest rest; /* of 3.6.4 for the next steps of this shape */
    uint64_t key[];
};

struct shapes {
    struct shape **slots; /* shapes live in the pool */
    size_t slot_count;
    uint32_t count;
    struct shape *last;
    /* The key of the last call of mncore2_shape_known. */
    uint64_t key[SHAPE_WORDS];
    uint32_t words;
};

/* The step's shape if there was one before, else NULL. */
const struct shape *mncore2_shape_known(struct shapes *shapes, const struct step *step);
/* Adds the shape that the last call of mncore2_shape_known did not find. Its key lives in the pool.
 * NULL when memory is out. */
const struct shape *mncore2_shape_add(struct shapes *shapes, struct pool *pool,
                                      const struct rules_rest *rest);
void mncore2_shapes_free(struct shapes *shapes);

#endif
