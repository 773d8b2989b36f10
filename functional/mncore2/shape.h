/*
 * shape: which PE statements differ in addresses and immediates only. Generated code has millions of
 * different statements but few shapes: what a reader works out of everything but the addresses (the
 * units that a step uses, its operations) it works out once a shape.
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

struct shape {
    uint64_t hash;
    struct shape *next; /* of the step that came after one of this shape the last time */
    uint32_t words, number; /* number from 1 */
    bool legal;             /* 3.6.4 holds for every step of this shape (rules.c) */
    uint64_t key[];
};

struct shapes {
    struct shape **slots; /* shapes live in the pool */
    size_t slot_count;
    uint32_t count;
    struct shape *last;
    /* What shape_known was asked last. */
    uint64_t key[SHAPE_WORDS];
    uint32_t words;
};

/* The step's shape if there was one before, else NULL. */
const struct shape *shape_known(struct shapes *shapes, const struct step *step);
/* The shape that shape_known was just asked for and did not know. Its key lives in the pool. NULL
 * when memory is out. */
const struct shape *shape_add(struct shapes *shapes, struct pool *pool, bool legal);
void shapes_free(struct shapes *shapes);

#endif
