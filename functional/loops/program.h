/*
 * program: programs of tensor loops after decoding. Code generation, execution, timing and printing
 * read only this.
 *
 *     units 64                             or: units tiles=2 processors=4 math=8
 *     tensor a f32 100x30x160              innermost dimension last
 *     tensor b f32 100x30x160 base=0x10000 strides=4800,160,1
 *     d set a 0 480000 1 2 3               elements 0 .. 479999 become 1 2 3 1 2 3 ...
 *     nest alternate outer=outermost
 *         for z 100
 *         for y 30
 *         for x 160 over units
 *         b[z,y,x] = a[z,y,x] max 0
 *     end
 *     d get b 0 8
 *
 * All sources together form one program.
 */
#ifndef TAKT_FUNCTIONAL_LOOPS_PROGRAM_H
#define TAKT_FUNCTIONAL_LOOPS_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "functional/diag.h"
#include "functional/source.h"

enum {
    LOOPS_RANK = 8,       /* dimensions of a tensor, loops of a nest */
    LOOPS_NAME = 32,      /* bytes of a name, NUL included */
    LOOPS_TILES = 64,     /* maximum number of tiles */
    LOOPS_UNITS = 1 << 16 /* maximum number of units */
};
/* maximum iterations of a loop, elements of a dimension */
#define LOOPS_LIMIT      (UINT64_C(1) << 31)
#define LOOPS_ITERATIONS (UINT64_C(1) << 62) /* maximum iterations of a nest */
#define LOOPS_MEMORY     (UINT64_C(1) << 30) /* bytes, starting at address 0 */

enum loops_type {
#define TYPE(id, name, bytes) LOOPS_##id,
#include "functional/loops/op.def"
    LOOPS_TYPES
};
enum loops_op {
#define OP(id, text, sentence) LOOPS_OP_##id,
#include "functional/loops/op.def"
    LOOPS_OPS
};
enum loops_assign {
#define ASSIGN(id, text, sentence) LOOPS_ASSIGN_##id,
#include "functional/loops/op.def"
    LOOPS_ASSIGNS
};
enum loops_over {
#define OVER(id, name, sentence) LOOPS_OVER_##id,
#include "functional/loops/op.def"
    LOOPS_OVERS
};
enum loops_strategy {
#define STRATEGY(id, name, sentence) LOOPS_##id,
#include "functional/loops/op.def"
    LOOPS_STRATEGIES
};
extern const char *const loops_type_name[LOOPS_TYPES],
    *const loops_op_text[LOOPS_OPS], *const loops_assign_text[LOOPS_ASSIGNS],
                                         *const loops_over_name[LOOPS_OVERS],
                                             *const loops_strategy_name[LOOPS_STRATEGIES];
extern const uint8_t loops_type_size[LOOPS_TYPES];

/* A position in a source. */
struct loops_place {
    uint32_t source, line, column, length;
    size_t offset;
};

struct loops_tensor {
    char name[LOOPS_NAME];
    uint8_t type, rank;
    uint64_t shape[LOOPS_RANK];
    int64_t stride[LOOPS_RANK]; /* in elements */
    uint64_t base;              /* byte of element 0,0, ... */
    uint64_t low, high;         /* bytes [low, high) that contain all elements */
    bool base_written, strides_written;
};

/* constant + the sum over all loops of iteration times factor. */
struct loops_index {
    int64_t constant;
    int64_t times[LOOPS_RANK];
};

/* The same for a byte address. */
struct loops_map {
    int64_t base;
    int64_t times[LOOPS_RANK];
    uint64_t low, high; /* bytes [low, high) that the nest accesses */
};

enum loops_operand_kind { LOOPS_NOTHING, LOOPS_TENSOR, LOOPS_NUMBER };

struct loops_operand {
    uint8_t kind; /* enum loops_operand_kind */
    uint32_t tensor;
    struct loops_index index[LOOPS_RANK];
    struct loops_map map;
    uint32_t bits; /* of LOOPS_NUMBER: f32 or i32 */
};

enum { LOOPS_TO, LOOPS_A, LOOPS_B, LOOPS_OPERANDS };

struct loops_loop {
    char name[LOOPS_NAME];
    uint64_t limit;
    uint8_t over; /* enum loops_over */
    bool sums;    /* all iterations write the same element of the result */
};

/* result ASSIGN operand OP operand. */
struct loops_nest {
    struct loops_loop loops[LOOPS_RANK]; /* outermost first */
    struct loops_operand operand[LOOPS_OPERANDS];
    uint8_t rank, strategy, assign, op, type; /* type: of the arithmetic, LOOPS_F32 or LOOPS_I32 */
    /* generated outer loops are outermost instead of next to the loop they divide */
    bool outermost;
    bool tree;                     /* results of a step for one element are added pairwise first */
    bool accumulates;              /* some loop sums */
    struct loops_place head, body; /* position of the nest's line and of its body */
    uint32_t last;                 /* line of its end */
};

/* d set, d get: count elements starting with this one, in the order of the shape. */
struct loops_debug {
    uint32_t tensor;
    uint64_t first, count;
    size_t value, value_count; /* d set: in program->values */
};

enum loops_item_kind { LOOPS_ITEM_NEST, LOOPS_ITEM_SET, LOOPS_ITEM_GET };

struct loops_item {
    uint8_t kind; /* enum loops_item_kind */
    struct loops_place place;
    size_t nest;
    struct loops_debug debug;
};

struct loops_program {
    const struct source *sources; /* borrowed */
    size_t source_count;
    uint32_t tiles, processors, math;
    bool units_written;
    struct loops_tensor *tensors;
    size_t tensor_count, tensor_capacity;
    struct loops_nest *nests;
    size_t nest_count, nest_capacity;
    struct loops_item *items; /* in source order */
    size_t item_count, item_capacity;
    uint32_t *values; /* of d set: elements as bits */
    size_t value_count, value_capacity;
    uint64_t memory; /* size of the memory used by tensors, from address 0 */
};

static inline uint32_t loops_units(const struct loops_program *program)
{
    return program->tiles * program->processors * program->math;
}

/* Parse all sources. Findings go to diags, sorted. Returns 0, 1 when there was an error, -1 when
 * memory is out. Free the program in every case. */
int loops_program_parse(struct loops_program *program, const struct source *sources, size_t count,
                        struct diag_list *diags);
void loops_program_free(struct loops_program *program);

/* Print the canonical text, with the generated code as comments. Parsing it gives the same program.
 * Returns 0 or -1. */
int loops_program_print(const struct loops_program *program, FILE *out);

/* The tensor of this name, or NULL. */
const struct loops_tensor *loops_find_tensor(const struct loops_program *program, const char *name,
                                             size_t length);

/* Byte address of element `number` of a tensor, in the order of its shape. */
uint64_t loops_element(const struct loops_tensor *tensor, uint64_t number);
uint64_t loops_elements(const struct loops_tensor *tensor);

#endif
