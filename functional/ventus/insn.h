/*
 * insn: one instruction word and what it means.
 *
 *   word --ventus_decode--> struct ventus_op --ventus_step (exec.h)--> registers and memory
 *                                            --ventus_encode--> word
 *                                            --ventus_insn_print---> canonical text (text.c)
 *
 * Register numbers are those of the word: a REGEXT before it puts three bits in front of each. An
 * operand that a form does not have is 0.
 */
#ifndef TAKT_FUNCTIONAL_VENTUS_INSN_H
#define TAKT_FUNCTIONAL_VENTUS_INSN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "functional/riscv/insn.h"

enum ventus_insn_id {
    VENTUS_FIRST = RISCV_INSN_COUNT - 1, /* those below are of functional/riscv */
#define INSN(id, name, match, mask, form, body) VENTUS_##id,
#include "functional/ventus/insn.def"
    VENTUS_INSNS
};

/* Operands. */
enum ventus_form {
#define FORM(id, operands, imm) FORM_##id,
#include "functional/ventus/form.def"
    VENTUS_FORMS,
    FORM_SCALARS = FORM_VV /* those before it are scalar */
};

/* The bits of an immediate, from the high bit on: I12 bits 31..20, S12 31..25 and 11..7, BRANCH as
 * RV32I has it, V5 and U5 19..15, SHIFT6 25..20, L8 40..33; U and Z: unsigned. */
enum ventus_imm {
    IMM_NONE,
    IMM_I12,
    IMM_U12,
    IMM_S12,
    IMM_I11,
    IMM_S11,
    IMM_SHIFT6,
    IMM_BRANCH,
    IMM_V5,
    IMM_U5,
    IMM_Z11,
    IMM_Z10,
    IMM_L8
};

enum ventus_body {
#define BODY(id)               BODY_##id,
#define SCALAR(id, value)      BODY(id)
#define LANES(id, sign, value) BODY(id)
#define WORDS(id, value)       BODY(id)
#define FIXED(id, value)       BODY(id)
#define PAIRS(id, value)       BODY(id)
#define SIGNS(id, value)       BODY(id)
#define FLOAT(id, value)       BODY(id)
#define TRUTH(id, value)       BODY(id)
#define SINGLE(id, value)      BODY(id)
#include "functional/ventus/body.def"
    VENTUS_BODIES
};

/* match and mask: the low half is the first word, the high half the second one. */
struct ventus_insn {
    const char *name;
    uint64_t match, mask;
    uint8_t form, body;
};

/* From VENTUS_FIRST + 1 on. */
extern const struct ventus_insn ventus_insns[VENTUS_INSNS - RISCV_INSN_COUNT];

#define VENTUS_NO_INSN UINT16_MAX

struct ventus_op {
    uint32_t word, high; /* high: the second word of an instruction of 64 bits */
    int32_t imm;         /* of functional/riscv's as there */
    uint16_t insn;       /* enum riscv_insn, enum ventus_insn_id, or VENTUS_NO_INSN */
    uint8_t form, body;
    uint8_t rd, rs1, rs2, rs3;
    uint8_t rounding; /* of scalar floats: as in the word, 7 = that of the register */
    bool masked;      /* by v0 */
    bool two;         /* its registers may be groups of two: ventus_find_groups */
};

/* next: the word after it, or NULL. False: not an instruction; op->insn is VENTUS_NO_INSN. */
bool ventus_decode(uint32_t word, const uint32_t *next, struct ventus_op *op);
/* count words of little-endian code. The second word of an instruction is VENTUS_NO_INSN. */
void ventus_decode_all(const uint8_t *code, size_t count, struct ventus_op *ops);

/* The word, of 64 bits both, that ventus_decode understands as op: of whole register numbers and
 * immediates the bits that it has room for. */
uint64_t ventus_encode(const struct ventus_op *op);

/* One operand of a form. */
struct ventus_operand {
    char letter;
    bool pair;
    uint8_t low, width; /* its bits instead; width 0: the letter's own field */
};
/* Those of an op, as form.def has them, and the next one of them; the letter '\0' ends them. */
const char *ventus_operands(const struct ventus_op *op);
struct ventus_operand ventus_next_operand(const char **at);
/* Of an operand's letter (form.def): 'x', 'v' or 'f', '\0' for other operands; its field. */
char ventus_file_of(char letter);
uint8_t *ventus_register_of(struct ventus_op *op, char letter);
/* Whether v0 may mask it: of words whose bit 25 says so. */
bool ventus_is_masked_form(const struct ventus_op *op);
/* Least and most of its immediate. */
void ventus_imm_range(const struct ventus_op *op, int32_t *low, int32_t *high);
/* Whether its old vd is a source: multiply-adds. */
bool ventus_reads_third(const struct ventus_op *op);

/* Bytes of an instruction, by its first word. */
static inline uint32_t ventus_size(uint32_t word)
{
    return (word & 0x7f) == 0x3f ? 8 : 4;
}

/* Words after the operands that set bits of an instruction: option.def. */
struct ventus_option {
    uint8_t form;
    const char *word;
    uint64_t mask, value;
};
extern const struct ventus_option ventus_options[];
extern const size_t ventus_option_count;

static inline bool ventus_is_vector(const struct ventus_op *op)
{
    return op->form >= FORM_SCALARS;
}

/* Of functional/riscv: all but calls of a supervisor. */
#define VENTUS_EXTENSIONS (RISCV_EXT_I | RISCV_EXT_M | RISCV_EXT_ZICSR)

/* The name of a control register, or NULL. */
const char *ventus_csr_name(uint32_t csr);

/* Canonical text; assembling it gives the same word. prefix: the instruction above it, or NULL;
 * target: text for the target of a branch, or NULL: ". + 8". */
enum { VENTUS_TEXT = 200 };
struct ventus_prefix;
void ventus_insn_print(const struct ventus_op *op, const struct ventus_prefix *prefix,
                       const char *target, char text[VENTUS_TEXT]);

#endif
