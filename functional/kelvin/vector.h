/*
 * vector: the instructions that Kelvin adds to RV32IM (vector.def): mnemonics, encodings, values.
 *
 *   mnemonic --kelvin_form_find--> form --kelvin_vector_encode--> word
 *   word --kelvin_vector_decode--> op --kelvin_vector_execute--> registers, memory, accumulators
 *                                  op --kelvin_vector_work--> registers and memory it accesses
 *
 * A form is one of 1,173 mnemonics with its match, mask and operands in source order. An op is a
 * form with register numbers; it prints as form->name and the operands. Some words belong to two
 * forms (getvl.b.x with x0 is getmaxvl.b): decode returns the one with fewer operands.
 *
 * The last rows of vector.def (eexit to flushat) are only encoded here; the core executes them.
 *
 * Not modelled: the results of register groups that overlap where the reference forbids it
 * (kelvin_vector_doubtful): all sources are read before the first write.
 */
#ifndef TAKT_FUNCTIONAL_KELVIN_VECTOR_H
#define TAKT_FUNCTIONAL_KELVIN_VECTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "functional/riscv/memory.h"

enum {
    KELVIN_REGISTERS = 64,
    KELVIN_BYTES = 32, /* bytes per register */
    KELVIN_WORDS = KELVIN_BYTES / 4,
    KELVIN_STRIPS = 4,                /* registers of a .m operand */
    KELVIN_ACCUMULATOR_REGISTER = 48, /* the only vd allowed for aconv, vcget, acset, actr */
};

/* Lanes are little-endian in the bytes. */
union kelvin_register {
    uint8_t b[KELVIN_BYTES];
    uint16_t h[KELVIN_BYTES / 2];
    uint32_t w[KELVIN_WORDS];
};

struct kelvin_vector_state {
    union kelvin_register v[KELVIN_REGISTERS];
    union kelvin_register accum[KELVIN_WORDS]; /* in the layout of vcget */
    union kelvin_register dwacc[KELVIN_STRIPS];
};

/* KELVIN_VADD etc., named after the rows of vector.def. */
enum kelvin_family {
#define VECTOR(family, ...)      KELVIN_##family,
#define VECTOR_WORD(family, ...) KELVIN_##family,
#include "functional/kelvin/vector.def"
    KELVIN_FAMILIES
};

/* Fields of a word: bits 11..7, 19..15, 24..20 for scalars; 11..6, 19..14, 25..20, 31..26 for
 * vectors. */
enum kelvin_operand {
    KELVIN_D,
    KELVIN_S,
    KELVIN_T,
    KELVIN_VD,
    KELVIN_VS,
    KELVIN_VT,
    KELVIN_VR,
    KELVIN_OPERAND_KINDS,
};

struct kelvin_form {
    char name[20];
    uint32_t match, mask;
    uint8_t family; /* enum kelvin_family */
    uint8_t size;   /* lane size: 1 << size bytes */
    uint8_t step;   /* variant, added to func2: rounding, sign, slide step less one */
    bool m, scalar; /* .m; the second source is a scalar register */
    uint8_t count;  /* operands in source order */
    uint8_t operands[4];
};

struct kelvin_operands {
    uint8_t at[KELVIN_OPERAND_KINDS]; /* register numbers */
};

struct kelvin_vop {
    const struct kelvin_form *form;
    struct kelvin_operands operands;
    bool legal; /* kelvin_vector_illegal returns NULL */
};

/* All forms, in the order of vector.def. */
size_t kelvin_forms(const struct kelvin_form **forms);
/* The form of a mnemonic, or NULL. The reference's spellings are accepted, too: vmulh.b.u.vv,
 * vmulh.b.ur.vv and vmulh.b.u.r.vv are vmulhu.b.vv and vmulhu.b.r.vv; actr.w.v and actr.w.v.m are
 * actr.v. */
const struct kelvin_form *kelvin_form_find(const char *name, size_t length);

/* For forms without a size, the size field is ignored. */
bool kelvin_vector_decode(uint32_t word, struct kelvin_vop *op);
/* Register numbers must fit their fields; those of operands that the form lacks are ignored. */
uint32_t kelvin_vector_encode(const struct kelvin_form *form,
                              const struct kelvin_operands *operands);

enum kelvin_fault {
    KELVIN_FAULT_NONE,
    KELVIN_FAULT_OPERANDS, /* kelvin_vector_illegal gives the rule */
    KELVIN_FAULT_CONTROL,  /* invalid control word of a convolution */
    KELVIN_FAULT_LOAD,
    KELVIN_FAULT_STORE,
};
/* NULL if the operands are legal for all register contents, else the rule they violate, such as
 * "the registers of a .m instruction are multiples of 4". */
const char *kelvin_vector_illegal(const struct kelvin_vop *op);
/* True if the op executes but violates the reference by a rule that no unit checks; text describes
 * it. */
bool kelvin_vector_doubtful(const struct kelvin_vop *op, char *text, size_t size);

/* Execute one op. x[0] is 0. After a fault the state is unchanged. Families from getvl on that the
 * core executes are ignored. */
enum kelvin_fault kelvin_vector_execute(struct kelvin_vector_state *state, uint32_t x[32],
                                        struct riscv_memory *memory, const struct kelvin_vop *op);

/* Select the bodies: "avx2" or "plain"; NULL: the fastest the processor supports. False if
 * unsupported. */
bool kelvin_vector_select(const char *name);

/* Registers and memory that one op accesses; x holds the values before it. Bit n is register n; x0
 * is never included. */
struct kelvin_vector_work {
    uint64_t reads, writes;
    uint32_t x_reads, x_writes;
    bool accum_reads, accum_writes, dwacc_reads, dwacc_writes;
    /* Memory: `pieces` runs of bytes, piece i at address + i * stride. The last piece of a load or
     * store with a length may be shorter: `last` bytes. */
    bool load, store;
    uint32_t address, stride, piece, last, pieces;
};
void kelvin_vector_work(const struct kelvin_vop *op, const uint32_t x[32],
                        struct kelvin_vector_work *work);

#endif
