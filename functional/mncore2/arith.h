/*
 * arith: the values of MN-Core 2, bit for bit (manual chapter 4, 3.6.9 to 3.6.12).
 *
 * Everything works on lanes: one lane is one PE, four neighbours are one MAB. A bus is what travels
 * between PE memories and a unit in one cycle: two long words, [0] the MSB side, [1] the LSB side
 * (1.2). A word operand sits at the MSB side of bus[0], the rest is 0. Each pointer below names
 * `lanes` long words (lanes is a multiple of 4); a NULL half of a bus reads as all zero. Outputs
 * never overlap inputs.
 *
 * Flags are the four mask bits of a PE and cycle (3.6.12.1, 3.6.9.26): bit 3 stands for the most
 * significant half word. They do not see zero-flush masks.
 *
 * No function here allocates, fails or keeps state.
 */
#ifndef TAKT_FUNCTIONAL_MNCORE2_ARITH_H
#define TAKT_FUNCTIONAL_MNCORE2_ARITH_H

#include "functional/mncore2/program.h"

/* What a unit does to its inputs at its ports (3.6.9.22 to .24, 3.6.12.19): operand_flag bits
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
    bool lower;       /* d variants of double precision */
    bool reduce;      /* r: the result rounds straight to the next lower precision (3.6.9.25) */
    uint16_t x, y, z; /* operand_flag bits, in the order in which the operands are written;
                         for mfma/mmul x is the vector, y the addend */
};

/* One cycle of the ALU. x, y may be all NULL where the op has no such input. flags may be NULL. */
void mncore2_alu_cycle(const struct alu_op *op, size_t lanes, const uint64_t *const x[2],
                       const uint64_t *const y[2], uint64_t *const out[2], uint8_t *flags);

/* What the MAU sees of one cycle: buses of two halves each. matrix holds lanes / 4 planes of 64
 * long words: row r (physical) of the plane, PE p: matrix[64 * mab + 4 * r + p]; NULL for the
 * vector operations. x, y, z are NULL where the operation has no such input; flags may be NULL. */
struct mau_io {
    size_t lanes;
    const uint64_t *matrix;
    const uint64_t *const *x, *const *y, *const *z;
    uint64_t *const *out;
    uint8_t *flags;
};

/* One cycle of the MAU. */
void mncore2_mau_cycle(const struct mau_op *op, const struct mau_io *io);

/* What mwrite stores: its input after sign inversion and precision change (3.6.10). words is the
 * operand's access length; in hmwrite with r two long words become one. */
void mncore2_mwrite_input(uint8_t prec, uint16_t flags, size_t lanes, const uint64_t *const in[2],
                          uint64_t *const out[2]);

/*
 * The result reduction network. Each of the n sources is `count` long words; element i of the
 * result reduces element i of all sources. prec says how a long word splits. mncore2_rrn_stage is
 * one adder tree of n elements (4.2): n = 2 or 4 (MV), 4 (L1BM stage), 2 or 8 (L2BM).
 */
void mncore2_rrn_stage(uint8_t rrn, uint8_t prec, size_t n, size_t count,
                       const uint64_t *const src[], uint64_t *dst);
/*
 * L1BM's reduction: n = 4 (one stage) or 16 (two stages of 4: MAB 0..3, 4..7, ... first). With
 * reduce (single precision only) the last stage rounds straight to half; dst then holds, for every
 * source long word, two half values in the lower 32 bits (higher one first); the caller places them
 * (3.6.8.5).
 */
struct rrn_op {
    uint8_t rrn, prec;
    bool reduce;
};
void mncore2_rrn_l1bm(struct rrn_op op, size_t n, size_t count, const uint64_t *const src[],
                      uint64_t *dst);
/* The unit value of an rrn_opcode as a long word (3.3). */
uint64_t mncore2_rrn_unit(uint8_t rrn, uint8_t prec);

/* Conversions by element, used by transfers with e and r and by the dump. Half: 1+6+9 bits. */
uint32_t mncore2_half_to_single(uint16_t half);
uint64_t mncore2_single_to_double(uint32_t single);
uint16_t
mncore2_single_to_half(uint32_t single); /* nearest even; overflow infinity, underflow zero */
/* Values as the dump shows them: exponent 0 is a signed zero, all ones a signed infinity. */
double mncore2_half_value(uint16_t half);
double mncore2_single_value(uint32_t single);
double mncore2_double_value(uint64_t value);

#endif
