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
 * All sources make one program. A name belongs to its file, as for GNU as; another file that has
 * none of this name means it, one that is global (.globl) first, weak ones (.weak) last. Two
 * passes: the first finds how large everything is, the second makes the bytes and the findings; one
 * between them settles a .set that depends on places. Sections lie one behind the other from the
 * machine's base on: code, then read-only data, pointers to functions (.init_array ...), data and
 * zeros, each kind in the order in which its sections begin in the text, at multiples of 16 or of
 * what .align asks for. Those that a dialect begins with riscv_asm_apart lie elsewhere. What flags
 * keep out of memory (debug information) is not read.
 */
#ifndef TAKT_FUNCTIONAL_RISCV_ASM_H
#define TAKT_FUNCTIONAL_RISCV_ASM_H

#include "functional/diag.h"
#include "functional/riscv/image.h"
#include "functional/riscv/insn.h"

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
    uint32_t base;                /* address of the first byte */
    uint32_t most;                /* bytes of memory that the program may fill */
    bool layout;                  /* names of linker scripts are known: asm_layout.c */
    uint32_t apart;               /* where sections that lie apart begin, in pages of 4,096 bytes */
    const struct riscv_csr *csrs; /* until a NULL name */
    void *context;                /* the machine's own: riscv_asm_context */
    /* Number of a scalar register, or -1; NULL: riscv_register. */
    int (*reg)(const char *name, size_t length);
    /* Emit an instruction of insn.def, whose registers are as reg has them; NULL: its word. */
    void (*emit)(struct riscv_asm *as, const struct riscv_op *op);
    /* A statement with a mnemonic that is not in insn.def: read its operands and emit it. False: it
     * is none of the machine's. */
    bool (*other)(struct riscv_asm *as, struct riscv_word mnemonic);
    /* A directive that is not in asm_directive.c's list; in the same way. */
    bool (*directive)(struct riscv_asm *as, struct riscv_word name);
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
/* The cursor, to read again what has been read; what stands at it, for an error. */
struct riscv_asm_mark {
    const char *at;
};
struct riscv_asm_mark riscv_asm_mark(const struct riscv_asm *as);
void riscv_asm_back(struct riscv_asm *as, struct riscv_asm_mark mark);
struct riscv_word riscv_asm_rest(const struct riscv_asm *as);
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
/* A number with a point, or an exponent, as the bits of a single; false with an error. */
bool riscv_asm_float(struct riscv_asm *as, uint32_t *bits);
bool riscv_asm_is_float(struct riscv_asm *as);
/* The distance of a place at most `reach` bytes from here; false with an error. */
bool riscv_asm_target(struct riscv_asm *as, int64_t reach, int32_t *offset);
void riscv_asm_emit(struct riscv_asm *as, uint32_t word);
/* Whether an instruction stands just above this one, and its word. */
bool riscv_asm_above(const struct riscv_asm *as, uint32_t *word);
/* Begin a section of its own under a new label, of `room` bytes at `address`, or at a page that is
 * free. False with an error. */
bool riscv_asm_apart(struct riscv_asm *as, struct riscv_word label, uint32_t room,
                     const uint32_t *address);
void *riscv_asm_context(const struct riscv_asm *as);
/* What is wrong is told, and all values are known, in the second pass. */
bool riscv_asm_second(const struct riscv_asm *as);
/* The host has no memory: reading ends. */
void riscv_asm_no_memory(struct riscv_asm *as);
/* "\n" in the text splits sentence and fix. */
void riscv_asm_error(struct riscv_asm *as, struct riscv_word at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
