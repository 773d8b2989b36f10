/*
 * shape: which PE statements differ in addresses and immediates only. Generated code has millions of
 * different statements but few shapes: what a reader works out of everything but the addresses (the
 * units that a step uses, its operations) it works out once a shape.
 */
#ifndef TAKT_FUNCTIONAL_MNCORE2_SHAPE_H
#define TAKT_FUNCTIONAL_MNCORE2_SHAPE_H

#include "functional/mncore2/program.h"

struct pool;

struct shapes {
    struct shape *slots;
    size_t slot_count;
    uint32_t count;
};

/* The number of the step's shape, from 1; 0 when memory is out. Keys live in the pool. */
uint32_t shape_find(struct shapes *shapes, struct pool *pool, const struct step *step);
void shapes_free(struct shapes *shapes);

#endif
