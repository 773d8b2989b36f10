/*
 * arith: bit-exact arithmetic of MN-Core 2 (manual chapter 4, 3.6.9 to 3.6.12).
 *
 * All functions work on lanes: one lane is one PE, four consecutive lanes are one MAB. A bus
 * carries two long words between the PE memories and a unit in one cycle: [0] the MSB side, [1] the
 * LSB side (1.2). A word operand is at the MSB side of bus[0]; the rest is 0. Each pointer below
 * names `lanes` long words (lanes is a multiple of 4); a NULL half of a bus reads as all zero.
 * Outputs never overlap inputs.
 *
 * Flags are the four mask bits of a PE and cycle (3.6.12.1, 3.6.9.26): bit 3 belongs to the most
 * significant half word. Zero-flush masks do not affect them.
 *
 * No function here allocates, fails or keeps state.
 */
#ifndef TAKT_FUNCTIONAL_MNCORE2_ARITH_H
#define TAKT_FUNCTIONAL_MNCORE2_ARITH_H

#include "functional/mncore2/program.h"

/* Input modifiers that a unit applies at its ports (3.6.9.22 to .24, 3.6.12.19): operand_flag bits
 * NEGATE, EXTEND, REDUCE. */
struct alu_op {
    uint8_t insn; /* enum insn: ZERO .. ILRELUD */
    uint8_t prec; /* enum prec */
    bool uns;
    uint8_t mantissa; /* hbfn, hbfe */
    uint16_t x, y;    /* operand_flag bits of each input */
    uint32_t imm;
};

struct mau_op {
    uint8_t insn;     /* MFMA MMUL VFMA VMUL VADD VPASSA */
    uint8_t prec;     /* D F G H */
    bool lower;       /* the d variants of double precision */
    bool reduce;      /* r: the result rounds straight to the next lower precision (3.6.9.25) */
    uint16_t x, y, z; /* operand_flag bits, in the order of the operands as written; for mfma/mmul x
                       * is the vector and y the addend */
};

/* One cycle of the ALU. Both halves of x or y may be NULL if the operation lacks that input; flags
 * may be NULL. */
void mncore2_alu_cycle(const struct alu_op *op, size_t lanes, const uint64_t *const x[2],
                       const uint64_t *const y[2], uint64_t *const out[2], uint8_t *flags);

/* Operands and results of the MAU in one cycle; each bus has two halves. matrix holds lanes / 4
 * planes of 64 long words: row r (physical), PE p is matrix[64 * mab + 4 * r + p]; NULL for the
 * vector operations. x, y, z are NULL if the operation lacks that input; flags may be NULL. */
struct mau_io {
    size_t lanes;
    const uint64_t *matrix;
    const uint64_t *const *x, *const *y, *const *z;
    uint64_t *const *out;
    uint8_t *flags;
};

/* One cycle of the MAU. */
void mncore2_mau_cycle(const struct mau_op *op, const struct mau_io *io);

/* The value that mwrite stores: its input after sign inversion and precision conversion (3.6.10).
 * words is the operand's access length; hmwrite with r turns two long words into one. */
void mncore2_mwrite_input(uint8_t prec, uint16_t flags, size_t lanes, const uint64_t *const in[2],
                          uint64_t *const out[2]);

/* The result reduction network. Each of the n sources is `count` long words; element i of the
 * result reduces element i of all sources. prec determines how a long word is split into elements.
 * mncore2_rrn_stage is one adder tree of n elements (4.2): n = 2 or 4 (MV), 4 (L1BM stage), 2 or 8
 * (L2BM). */
void mncore2_rrn_stage(uint8_t rrn, uint8_t prec, size_t n, size_t count,
                       const uint64_t *const src[], uint64_t *dst);
/* L1BM's reduction: n = 4 (one stage) or 16 (two stages of 4: MAB 0..3, 4..7, ... first). With
 * reduce (single precision only) the last stage rounds directly to half; dst then holds two half
 * values for every source long word, in its lower 32 bits, the higher one first. The caller stores
 * them (3.6.8.5). */
struct rrn_op {
    uint8_t rrn, prec;
    bool reduce;
};
void mncore2_rrn_l1bm(struct rrn_op op, size_t n, size_t count, const uint64_t *const src[],
                      uint64_t *dst);
/* The identity element of an rrn_opcode as a long word (3.3). */
uint64_t mncore2_rrn_unit(uint8_t rrn, uint8_t prec);

/* Conversions of one element, used by transfers with e and r and by the dump. Half: 1+6+9 bits. */
uint32_t mncore2_half_to_single(uint16_t half);
uint64_t mncore2_single_to_double(uint32_t single);
uint16_t
mncore2_single_to_half(uint32_t single); /* nearest even; overflow infinity, underflow zero */
/* Values as the dump prints them: exponent 0 is a signed zero, all ones a signed infinity. */
double mncore2_half_value(uint16_t half);
double mncore2_single_value(uint32_t single);
double mncore2_double_value(uint64_t value);

#endif
