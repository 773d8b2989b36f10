/*
 * kit: random programs of tensor loops, with a model of their own: memory as bytes, the nest as
 * written executed one iteration after the other, and its time step by step. It shares nothing with
 * functional/loops and timing/loops but the text that it writes.
 *
 *   dice --loops_kit_program--> struct kit (text, nests) --loops_kit_execute--> memory
 *                                                  --loops_kit_cycles---> total
 */
#ifndef TAKT_TESTS_LOOPS_KIT_H
#define TAKT_TESTS_LOOPS_KIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tests/dice.h"
#include "tests/event_list.h"

enum { KIT_RANK = 8, KIT_NESTS = 3, KIT_TENSORS = 3 * KIT_NESTS, KIT_TEXT = 1 << 14 };
enum { KIT_F32, KIT_I32, KIT_I8 };
enum { KIT_ALTERNATE, KIT_UNIFORM, KIT_MASKED, KIT_PEELED };
enum { KIT_ALONE, KIT_UNITS, KIT_TILES, KIT_PROCESSORS, KIT_MATH };
enum { KIT_SET, KIT_ADD, KIT_MAX };                            /* assign */
enum { KIT_NONE, KIT_PLUS, KIT_MINUS, KIT_TIMES, KIT_LARGER }; /* op */

struct kit_tensor {
    int type, rank;
    long shape[KIT_RANK], stride[KIT_RANK], base, low, high; /* bytes but shape and stride */
};

struct kit_operand {
    int tensor;                                                 /* -1: a number, or nothing */
    long number, constant[KIT_RANK], times[KIT_RANK][KIT_RANK]; /* by dimension, by loop */
};

struct kit_nest {
    int rank, strategy, assign, op;
    long limit[KIT_RANK];
    int over[KIT_RANK];
    bool sums[KIT_RANK], outermost, exact; /* exact: sums are, whatever their order */
    struct kit_operand to, a, b;
};

struct kit {
    long tiles, processors, math;
    struct kit_tensor tensors[KIT_TENSORS];
    int tensor_count, nest_count;
    struct kit_nest nests[KIT_NESTS];
    long memory; /* bytes, a multiple of 8 */
    char text[KIT_TEXT];
};

void loops_kit_program(struct kit *kit, struct dice *dice);
/* Numbers into all of the memory that tensors lie in. */
void loops_kit_fill(const struct kit *kit, struct dice *dice, uint8_t *memory);
/* The nests as written, one iteration after the other. */
void loops_kit_execute(const struct kit *kit, uint8_t *memory);

/* Parameters as config/loops/loops.yaml names them. */
struct kit_numbers {
    long issue, carry, change, mask, state, drain, address, address_latency, banks, bank, ports,
        read, write, math, add, multiply, integer;
};
/* events: what each step does to units and sums, without lines. */
uint64_t loops_kit_cycles(const struct kit *kit, const struct kit_numbers *numbers,
                          struct event_list *events);

#endif
