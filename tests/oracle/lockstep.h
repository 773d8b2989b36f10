/*
 * lockstep: compares the core's arithmetic with the oracle, MAB by MAB.
 *
 * A batch is a few MABs of lanes in the layout of arith.h. Each MAB and cycle is one operand set.
 * Sets per opcode and precision: LOCKSTEP_SETS, more in `make test-long` (tests/often.h).
 * TAKT_ORACLE_SEED replaces the seed that a failing case prints.
 */
#ifndef TAKT_TESTS_ORACLE_LOCKSTEP_H
#define TAKT_TESTS_ORACLE_LOCKSTEP_H

#include <stddef.h>
#include <stdio.h>

#include "tests/oracle/fill.h"

enum {
    LOCKSTEP_SETS = 20000,
    LOCKSTEP_MABS = 16,
    LOCKSTEP_LANES = 4 * LOCKSTEP_MABS,
    LOCKSTEP_KERNELS = 2 /* reference, avx2: at most; the host may have fewer */
};

struct batch {
    size_t lanes;
    bool null[3]; /* the LSB half of an input is passed as NULL and reads as 0 */
    uint64_t in[3][2][LOCKSTEP_LANES];
    uint64_t out[LOCKSTEP_KERNELS][2][LOCKSTEP_LANES];
    uint8_t flags[LOCKSTEP_KERNELS][LOCKSTEP_LANES];
    uint64_t matrix[LOCKSTEP_MABS * 64];
};

size_t lockstep_sets(void);
uint64_t lockstep_seed(uint64_t seed);

/* Number of kernel sets of this host; each is compared with the same oracle result. */
unsigned lockstep_kernels(void);
void lockstep_select(unsigned kernel);

/* Choose the number of lanes of the next batch: few or many, with remainders for vector code. */
void batch_shape(struct batch *batch, struct dice *fill);
/* The two halves of an input in the form of arith.h; bus is storage for the pointers. */
const uint64_t *const *batch_input(const struct batch *batch, unsigned input,
                                   const uint64_t *bus[2]);
/* One MAB of an input for the oracle. */
void batch_mab(const struct batch *batch, unsigned input, size_t mab, mab_bus bus);
/* Put one element of `bits` bits at place i of a lane's bus. */
void batch_put(struct batch *batch, unsigned input, size_t lane, unsigned bits, unsigned i,
               uint64_t value);
void batch_clear(struct batch *batch);

/* The expected result of one MAB, and the names used in messages. */
struct expected {
    const char *what; /* name of the operation */
    uint64_t seed;
    unsigned inputs;
    uint64_t (*out)[2], (*care)[2]; /* care: mask of the defined bits */
    const uint8_t *flags;           /* NULL: not compared */
};

/* Compare out and flags of one MAB for every kernel; on a difference print everything and return
 * false. */
bool batch_check(const struct batch *batch, size_t mab, const struct expected *expected);

const char *lockstep_prec(uint8_t prec);
/* "hfma-like" text of an opcode with its precision and flags, in a static buffer. */
const char *lockstep_alu_name(const struct alu_op *op);
const char *lockstep_mau_name(const struct mau_op *op);

#endif
