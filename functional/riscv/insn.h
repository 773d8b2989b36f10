/*
 * insn: the scalar instructions: encoding, text, and results of those that use only registers.
 *
 *   word --riscv_decode--> struct riscv_op --riscv_encode--> word
 *                                          --riscv_print---> canonical text
 *                          riscv_alu, riscv_branch_taken: values
 *
 * Memory, traps and CSRs belong to the machines.
 */
#ifndef TAKT_FUNCTIONAL_RISCV_INSN_H
#define TAKT_FUNCTIONAL_RISCV_INSN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum riscv_insn {
#define RISCV(id, mnemonic, extension, format, match, mask, sentence) RISCV_##id,
#include "functional/riscv/insn.def"
    RISCV_INSN_COUNT
};

/* A machine has a set of these. */
enum riscv_extension {
    RISCV_EXT_I = 1,
    RISCV_EXT_M = 2,
    RISCV_EXT_ZICSR = 4,
    RISCV_EXT_ZIFENCEI = 8,
    RISCV_EXT_PRIVILEGED = 16
};

enum riscv_format {
    RISCV_FORMAT_R,
    RISCV_FORMAT_I,
    RISCV_FORMAT_SHIFT,
    RISCV_FORMAT_LOAD,
    RISCV_FORMAT_STORE,
    RISCV_FORMAT_BRANCH,
    RISCV_FORMAT_UPPER,
    RISCV_FORMAT_JUMP,
    RISCV_FORMAT_CSR,
    RISCV_FORMAT_CSRI,
    RISCV_FORMAT_FENCE,
    RISCV_FORMAT_NONE
};

struct riscv_row {
    const char *mnemonic;
    uint32_t match, mask;
    uint8_t extension, format;
};
extern const struct riscv_row riscv_rows[RISCV_INSN_COUNT];

/* imm is sign-extended according to the format. For branches and jumps it is the offset from pc,
 * for UPPER the whole value with its low 12 bits 0, for CSR and CSRI the CSR number (rs1 of CSRI is
 * the immediate), for FENCE the eight bits pred and succ. */
struct riscv_op {
    uint8_t insn; /* enum riscv_insn */
    uint8_t rd, rs1, rs2, rs3;
    int32_t imm;
};

enum { RISCV_PIECES = 4 };

/* How words hold an immediate: pieces of the word from bit `at` and of the value from bit `low`. */
struct riscv_imm {
    bool is_signed;
    uint8_t bits;
    struct {
        uint8_t at, low, width;
    } pieces[RISCV_PIECES];
};
int32_t riscv_imm_take(const struct riscv_imm *imm, uint64_t word);
uint64_t riscv_imm_place(const struct riscv_imm *imm, uint32_t value);

/* Decode a word, considering only these extensions. False: unknown. */
bool riscv_decode(uint32_t word, unsigned extensions, struct riscv_op *op);
/* The word that riscv_decode decodes to op. Fields must be in range (riscv_asm checks them). */
uint32_t riscv_encode(const struct riscv_op *op);

/* The row of a mnemonic, or RISCV_INSN_COUNT. */
enum riscv_insn riscv_find(const char *mnemonic, size_t length, unsigned extensions);

/* "zero", "ra", "sp" ... and "x32" to "x63" for machines with more than 32; the number of a name of
 * the first 32 ("x5", "t0", "fp" for s0), or -1. */
extern const char *const riscv_register_names[64];
int riscv_register(const char *name, size_t length);

enum { RISCV_TEXT = 128 };

/* Canonical text. target: text for the target of a branch or jump; csr: text for the CSR; NULL:
 * print numbers. */
void riscv_print(const struct riscv_op *op, const char *target, const char *csr,
                 char text[RISCV_TEXT]);

static inline bool riscv_is_branch(enum riscv_insn insn)
{
    return insn >= RISCV_BEQ && insn <= RISCV_BGEU;
}
static inline bool riscv_is_load(enum riscv_insn insn)
{
    return insn >= RISCV_LB && insn <= RISCV_LHU;
}
static inline bool riscv_is_store(enum riscv_insn insn)
{
    return insn >= RISCV_SB && insn <= RISCV_SW;
}
static inline bool riscv_is_multiply(enum riscv_insn insn)
{
    return insn >= RISCV_MUL && insn <= RISCV_MULHU;
}
static inline bool riscv_is_divide(enum riscv_insn insn)
{
    return insn >= RISCV_DIV && insn <= RISCV_REMU;
}
static inline bool riscv_is_csr(enum riscv_insn insn)
{
    return insn >= RISCV_CSRRW && insn <= RISCV_CSRRCI;
}
/* For CSR instructions: csrrs and csrrc with x0 or 0 only read. */
static inline bool riscv_writes_csr(const struct riscv_op *op)
{
    return op->insn == RISCV_CSRRW || op->insn == RISCV_CSRRWI || op->rs1 != 0;
}
/* True if the second operand is the register rs2; else it is imm. */
static inline bool riscv_reads_rs2(enum riscv_insn insn)
{
    const uint8_t format = riscv_rows[insn].format;
    return format == RISCV_FORMAT_R || format == RISCV_FORMAT_STORE ||
           format == RISCV_FORMAT_BRANCH;
}
static inline bool riscv_reads_rs1(enum riscv_insn insn)
{
    const uint8_t format = riscv_rows[insn].format;
    return format <= RISCV_FORMAT_BRANCH || format == RISCV_FORMAT_CSR;
}
static inline bool riscv_writes_rd(enum riscv_insn insn)
{
    const uint8_t format = riscv_rows[insn].format;
    return format <= RISCV_FORMAT_LOAD ||
           (format >= RISCV_FORMAT_UPPER && format <= RISCV_FORMAT_CSRI);
}

static inline bool riscv_branch_taken(enum riscv_insn insn, uint32_t a, uint32_t b)
{
    switch (insn) {
    case RISCV_BEQ:
        return a == b;
    case RISCV_BNE:
        return a != b;
    case RISCV_BLT:
        return (int32_t)a < (int32_t)b;
    case RISCV_BGE:
        return (int32_t)a >= (int32_t)b;
    case RISCV_BLTU:
        return a < b;
    default:
        return a >= b;
    }
}

static inline uint32_t riscv_high(int64_t a, int64_t b)
{
    return (uint32_t)((uint64_t)(a * b) >> 32);
}

/* a and b: rs1, and rs2 or imm. Division by zero and overflow give the values defined by the
 * manual, without a trap. 0 for instructions that do not compute from two operands. */
static inline uint32_t riscv_alu(enum riscv_insn insn, uint32_t a, uint32_t b)
{
    const int32_t sa = (int32_t)a, sb = (int32_t)b;
    const bool overflow = a == UINT32_C(0x80000000) && b == UINT32_MAX;
    switch (insn) {
    case RISCV_ADDI:
    case RISCV_ADD:
        return a + b;
    case RISCV_SUB:
        return a - b;
    case RISCV_SLTI:
    case RISCV_SLT:
        return sa < sb;
    case RISCV_SLTIU:
    case RISCV_SLTU:
        return a < b;
    case RISCV_XORI:
    case RISCV_XOR:
        return a ^ b;
    case RISCV_ORI:
    case RISCV_OR:
        return a | b;
    case RISCV_ANDI:
    case RISCV_AND:
        return a & b;
    case RISCV_SLLI:
    case RISCV_SLL:
        return a << (b & 31);
    case RISCV_SRLI:
    case RISCV_SRL:
        return a >> (b & 31);
    case RISCV_SRAI:
    case RISCV_SRA:
        return (uint32_t)(sa >> (b & 31));
    case RISCV_MUL:
        return a * b;
    case RISCV_MULH:
        return riscv_high(sa, sb);
    case RISCV_MULHSU:
        return riscv_high(sa, b);
    case RISCV_MULHU:
        return (uint32_t)((uint64_t)a * b >> 32);
    case RISCV_DIV:
        return !b ? UINT32_MAX : overflow ? a : (uint32_t)(sa / sb);
    case RISCV_DIVU:
        return b ? a / b : UINT32_MAX;
    case RISCV_REM:
        return !b ? a : overflow ? 0 : (uint32_t)(sa % sb);
    case RISCV_REMU:
        return b ? a % b : a;
    default:
        return 0;
    }
}

#endif
