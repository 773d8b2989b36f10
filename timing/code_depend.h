/*
 * code_depend: what depends on what in one block of machine code.
 *
 *   code_depend_start, then each piece in order: code_depend_add --> nodes and arcs of the block
 *
 * A place is followed as a value from before, its root, plus an amount: two addresses of one root
 * are compared by their amounts.
 */
#ifndef TAKT_TIMING_CODE_DEPEND_H
#define TAKT_TIMING_CODE_DEPEND_H

#include "timing/code_moves.h"

enum { CODE_CONSTANT = 0 }; /* root of constants */
struct code_value {
    uint32_t root, amount;
};

struct code_use {
    uint32_t node, stmt;
};

/* It reads a place that was not written since. */
struct code_reader {
    uint32_t place;
    struct code_use use;
};

struct code_access {
    uint32_t node;
    bool store, in_order;
    uint32_t root, offset, size; /* size 0: unknown */
};

/* Zeroed before the first block. */
struct code_depend {
    const struct code *code;
    struct moves_block *block;
    uint32_t roots; /* given so far */
    struct code_value values[CODE_PLACES];
    struct code_use writer[CODE_PLACES]; /* by place */
    uint64_t written[CODE_PLACE_WORDS];  /* places that have one */
    struct code_reader *readers;
    size_t reader_count, reader_capacity;
    struct code_access *accesses;
    size_t access_count, access_capacity;
};

void code_depend_start(struct code_depend *d, const struct code *code, struct moves_block *block);
/* Returns 0 or -1. */
int code_depend_add(struct code_depend *d, const struct riscv_piece *piece);
void code_depend_free(struct code_depend *d);

#endif
