/*
 * vector: the instructions that Kelvin adds to RV32IM (vector.def): mnemonics, encodings, values.
 *
 *   mnemonic --kelvin_form_find--> form --kelvin_vector_encode--> word
 *   word --kelvin_vector_decode--> op --kelvin_vector_execute--> registers, memory, accumulators
 *                                  op --kelvin_vector_work--> what it will read and write
 *
 * A form is one of 1,173 mnemonics with its match, mask and operands in the order in which they are
 * written. An op is a form with register numbers; its name is form->name, it prints as the name and
 * the operands. Some words belong to two forms (getvl.b.x with x0 is getmaxvl.b): decode gives the
 * one with fewer operands.
 *
 * The last rows of vector.def (eexit to flushat) have encodings here; what they do is the core's.
 *
 * Not modelled: results of register groups that overlap where the reference forbids it
 * (kelvin_vector_doubtful): sources count as read before the first write.
 */
#ifndef TAKT_FUNCTIONAL_KELVIN_VECTOR_H
#define TAKT_FUNCTIONAL_KELVIN_VECTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "functional/riscv/memory.h"

enum {
    KELVIN_REGISTERS = 64,
    KELVIN_BYTES = 32, /* of a register */
    KELVIN_WORDS = KELVIN_BYTES / 4,
    KELVIN_STRIPS = 4,                /* registers of a .m operand */
    KELVIN_ACCUMULATOR_REGISTER = 48, /* the only vd of aconv, vcget, acset, actr */
};

/* Lanes are little-endian in the bytes. */
union kelvin_register {
    uint8_t b[KELVIN_BYTES];
    uint16_t h[KELVIN_BYTES / 2];
    uint32_t w[KELVIN_WORDS];
};

struct kelvin_vector_state {
    union kelvin_register v[KELVIN_REGISTERS];
    union kelvin_register accum[KELVIN_WORDS]; /* as vcget gives them */
    union kelvin_register dwacc[KELVIN_STRIPS];
};

/* KELVIN_VADD, named as the rows of vector.def are. */
enum kelvin_family {
#define VECTOR(family, ...)      KELVIN_##family,
#define VECTOR_WORD(family, ...) KELVIN_##family,
#include "functional/kelvin/vector.def"
    KELVIN_FAMILIES
};

/* Fields of a word: bits 11..7, 19..15, 24..20 for scalars; 11..6, 19..14, 25..20, 31..26. */
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
    uint8_t size;   /* of a lane: 1 << size bytes */
    uint8_t step;   /* what the variant adds to func2: rounding, sign, slide step less one */
    bool m, scalar; /* .m; the second source is a scalar register */
    uint8_t count;  /* operands, as they are written */
    uint8_t operands[4];
};

struct kelvin_operands {
    uint8_t at[KELVIN_OPERAND_KINDS]; /* register numbers */
};

struct kelvin_vop {
    const struct kelvin_form *form;
    struct kelvin_operands operands;
    bool legal; /* kelvin_vector_illegal is NULL */
};

/* All forms, in the order of vector.def. */
size_t kelvin_forms(const struct kelvin_form **forms);
/* NULL if there is no such mnemonic. As the reference spells them, too: vmulh.b.u.vv, vmulh.b.ur.vv
 * and vmulh.b.u.r.vv are vmulhu.b.vv and vmulhu.b.r.vv, actr.w.v and actr.w.v.m are actr.v. */
const struct kelvin_form *kelvin_form_find(const char *name, size_t length);

/* Forms without a size have the same meaning whatever the size field holds. */
bool kelvin_vector_decode(uint32_t word, struct kelvin_vop *op);
/* Register numbers that fit their fields; those of operands that the form lacks are ignored. */
uint32_t kelvin_vector_encode(const struct kelvin_form *form,
                              const struct kelvin_operands *operands);

enum kelvin_fault {
    KELVIN_FAULT_NONE,
    KELVIN_FAULT_OPERANDS, /* kelvin_vector_illegal says which */
    KELVIN_FAULT_CONTROL,  /* the control word of a convolution */
    KELVIN_FAULT_LOAD,
    KELVIN_FAULT_STORE,
};
/* NULL where operands are legal whatever the registers hold, else the rule that they break, such as
 * "the registers of a .m instruction are multiples of 4". */
const char *kelvin_vector_illegal(const struct kelvin_vop *op);
/* Whether it is executed and yet against the reference, a rule that no unit checks: as a sentence
 * that says what is the case. */
bool kelvin_vector_doubtful(const struct kelvin_vop *op, char *text, size_t size);

/* x[0] is 0. A fault leaves everything as it was. Of the families behind getvl nothing is done. */
enum kelvin_fault kelvin_vector_execute(struct kelvin_vector_state *state, uint32_t x[32],
                                        struct riscv_memory *memory, const struct kelvin_vop *op);

/* The bodies: "avx2" or "plain"; NULL: the fastest that the processor has. False if it has not. */
bool kelvin_vector_select(const char *name);

/* What one op touches; x as it is before. Bit n stands for register n; x0 is never among them. */
struct kelvin_vector_work {
    uint64_t reads, writes;
    uint32_t x_reads, x_writes;
    bool accum_reads, accum_writes, dwacc_reads, dwacc_writes;
    /* Memory: `pieces` runs of bytes, piece i at address + i * stride. The last of a load or store
     * with a length may be shorter: `last` bytes. */
    bool load, store;
    uint32_t address, stride, piece, last, pieces;
};
void kelvin_vector_work(const struct kelvin_vop *op, const uint32_t x[32],
                        struct kelvin_vector_work *work);

#endif
