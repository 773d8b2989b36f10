/*
 * asm: assembly text to an image.
 *
 *   sources --riscv_assemble--> struct riscv_image, findings
 *
 * The language is a subset of GNU as for RISC-V: labels, numbered local labels (1:, 1b, 1f),
 * directives (listed in asm_directive.c), expressions over 64-bit numbers, the scalar instructions
 * of insn.def and the usual pseudo-instructions (asm_insn.c). Comments begin with # or //, or are C
 * comments; ; separates statements. A machine adds its mnemonics through a dialect.
 *
 * All sources form one program. A symbol belongs to its file, as in GNU as. A file without a
 * definition of a name uses that of another file: preferably a global one (.globl), weak ones
 * (.weak) last. There are two passes: the first computes sizes, the second emits bytes and
 * findings; a pass between them resolves a .set that depends on addresses. Sections are consecutive
 * from the machine's base address: code, read-only data, function pointers (.init_array ...), data
 * and zeros, each kind in the order of first appearance, aligned to 16 or to what .align requires.
 * Sections that a dialect opens with riscv_asm_apart are placed elsewhere. Sections whose flags
 * keep them out of memory (debug information) are skipped.
 */
#ifndef TAKT_FUNCTIONAL_RISCV_ASM_H
#define TAKT_FUNCTIONAL_RISCV_ASM_H

#include "functional/diag.h"
#include "functional/riscv/image.h"
#include "functional/riscv/insn.h"

struct riscv_asm; /* the parser at the current statement */

struct riscv_word {
    const char *text;
    size_t length;
};

struct riscv_csr {
    const char *name;
    uint32_t number;
};

struct riscv_dialect {
    unsigned extensions; /* set of enum riscv_extension */
    uint32_t base;       /* address of the first byte */
    uint32_t most;       /* memory available to the program, in bytes */
    bool layout;         /* names of linker scripts are known: asm_layout.c */
    uint32_t apart; /* address of the first separate section; each begins a page of 4,096 bytes */
    const struct riscv_csr *csrs; /* ends with a NULL name */
    void *context;                /* the machine's data: riscv_asm_context returns it */
    /* Number of a scalar register, or -1; NULL: riscv_register. */
    int (*reg)(const char *name, size_t length);
    /* Emit an instruction of insn.def whose register numbers come from reg; NULL: emit the plain
     * word. */
    void (*emit)(struct riscv_asm *as, const struct riscv_op *op);
    /* A statement whose mnemonic is not in insn.def: read its operands and emit it. False: unknown
     * mnemonic. */
    bool (*other)(struct riscv_asm *as, struct riscv_word mnemonic);
    /* The same for a directive that is not listed in asm_directive.c. */
    bool (*directive)(struct riscv_asm *as, struct riscv_word name);
    /* The machine's mnemonic nearest to a word, or NULL. */
    const char *(*suggest)(const char *word, size_t length);
};

/* Returns 0, 1 when there was an error, -1 when memory is out. Free the image in every case; it
 * points into the sources. */
int riscv_assemble(struct riscv_image *image, const struct source *sources, size_t count,
                   const struct riscv_dialect *dialect, struct diag_list *diags);

/* --- for a dialect: operands of the statement ------------------------------------------------- */

/* Consume the name, number or sign at the cursor; length 0 at the end. */
struct riscv_word riscv_asm_word(struct riscv_asm *as);
/* True at the end of the statement, or if the next character is this one, which is then
 * consumed. */
bool riscv_asm_done(struct riscv_asm *as);
bool riscv_asm_take(struct riscv_asm *as, char sign);
/* A saved cursor, to parse again, and the word at it, for an error. */
struct riscv_asm_mark {
    const char *at;
};
struct riscv_asm_mark riscv_asm_mark(const struct riscv_asm *as);
void riscv_asm_back(struct riscv_asm *as, struct riscv_asm_mark mark);
struct riscv_word riscv_asm_rest(const struct riscv_asm *as);
/* Expect a comma; false after an error. */
bool riscv_asm_comma(struct riscv_asm *as);
/* Expect the end of the statement; false after an error. */
bool riscv_asm_end(struct riscv_asm *as);
/* A scalar register; false after an error. */
bool riscv_asm_reg(struct riscv_asm *as, uint8_t *number);
/* An expression from low to high; `what` names it in error messages; false after an error. In the
 * first pass an unknown value is reported as low. */
bool riscv_asm_value(struct riscv_asm *as, const char *what, int64_t low, int64_t high,
                     int64_t *value);
/* A number with a point or an exponent, as the bits of a single; false after an error. */
bool riscv_asm_float(struct riscv_asm *as, uint32_t *bits);
bool riscv_asm_is_float(struct riscv_asm *as);
/* The distance to a target at most `reach` bytes away; false after an error. */
bool riscv_asm_target(struct riscv_asm *as, int64_t reach, int32_t *offset);
void riscv_asm_emit(struct riscv_asm *as, uint32_t word);
/* True if an instruction directly precedes this one; its word. */
bool riscv_asm_above(const struct riscv_asm *as, uint32_t *word);
/* Begin a separate section with a new label, of `room` bytes at `address`, or at a free page. False
 * after an error. */
bool riscv_asm_apart(struct riscv_asm *as, struct riscv_word label, uint32_t room,
                     const uint32_t *address);
void *riscv_asm_context(const struct riscv_asm *as);
/* True in the second pass, in which all values are known and errors are reported. */
bool riscv_asm_second(const struct riscv_asm *as);
/* Record that memory is out; parsing stops. */
void riscv_asm_no_memory(struct riscv_asm *as);
/* "\n" in the text separates message and fix. */
void riscv_asm_error(struct riscv_asm *as, struct riscv_word at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
