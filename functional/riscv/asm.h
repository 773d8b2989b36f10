/*
 * asm: assembly text to an image.
 *
 *   sources --riscv_assemble--> struct riscv_image, findings
 *
 * The text is what GNU as takes for RISC-V, as far as it goes: labels, numbered local labels (1:,
 * 1b, 1f), directives (asm_directive.c lists them), expressions over 64-bit numbers, the scalar
 * instructions of insn.def and the usual pseudo-instructions (asm_insn.c). Comments begin with #
 * or //, or stand in C's; ; divides statements. A machine adds mnemonics of its own by a dialect.
 *
 * All sources make one program. Two passes: the first finds how large everything is, the second
 * makes the bytes and the findings. Sections lie one behind the other from address 0: code, then
 * read-only data, data and zeros, each kind in the order in which its sections begin in the text,
 * at multiples of 16 or of what .align asks for.
 */
#ifndef TAKT_FUNCTIONAL_RISCV_ASM_H
#define TAKT_FUNCTIONAL_RISCV_ASM_H

#include "functional/diag.h"
#include "functional/riscv/image.h"

struct riscv_asm; /* the statement being read */

struct riscv_word {
    const char *text;
    size_t length;
};

struct riscv_csr {
    const char *name;
    uint32_t number;
};

struct riscv_dialect {
    unsigned extensions;          /* set of enum riscv_extension */
    uint32_t most;                /* bytes of memory that the program may fill */
    const struct riscv_csr *csrs; /* until a NULL name */
    /* Number of a scalar register, or -1; NULL: riscv_register. */
    int (*reg)(const char *name, size_t length);
    /* A statement with a mnemonic that is not in insn.def: read its operands and emit it. False: it
     * is none of the machine's. */
    bool (*other)(struct riscv_asm *as, struct riscv_word mnemonic);
    /* The mnemonic of the machine's own nearest to a word, or NULL. */
    const char *(*suggest)(const char *word, size_t length);
};

/* Returns 0, 1 when there was an error, -1 when the host has no memory. Free the image in every
 * case; it refers to the sources. */
int riscv_assemble(struct riscv_image *image, const struct source *sources, size_t count,
                   const struct riscv_dialect *dialect, struct diag_list *diags);

/* --- for a dialect: operands of the statement ------------------------------------------------- */

/* Name, number or sign at the cursor; length 0 at the end. Reading goes on behind it. */
struct riscv_word riscv_asm_word(struct riscv_asm *as);
/* Whether the statement is at its end, or goes on with this character; that is then passed. */
bool riscv_asm_done(struct riscv_asm *as);
bool riscv_asm_take(struct riscv_asm *as, char sign);
/* A comma; false with an error. */
bool riscv_asm_comma(struct riscv_asm *as);
/* Nothing may follow; false with an error. */
bool riscv_asm_end(struct riscv_asm *as);
/* A scalar register; false with an error. */
bool riscv_asm_reg(struct riscv_asm *as, uint8_t *number);
/* An expression from low to high; false with an error, in which `what` names it. In the first pass
 * it may not be known: then it is low. */
bool riscv_asm_value(struct riscv_asm *as, const char *what, int64_t low, int64_t high,
                     int64_t *value);
void riscv_asm_emit(struct riscv_asm *as, uint32_t word);
/* "\n" in the text splits sentence and fix. */
void riscv_asm_error(struct riscv_asm *as, struct riscv_word at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
