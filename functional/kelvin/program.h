/*
 * program: a Kelvin program after loading, from assembly text or an ELF file. The one type between
 * the user's file and whoever executes, times, checks or prints it.
 *
 *   sources --kelvin_program_load--> struct kelvin_program --kelvin_program_print--> canonical text
 *
 * A statement is a word of code. A line of text can be several (li, la); a .word in code is one.
 * Regions of an ELF or a text without directives are its functions.
 */
#ifndef TAKT_FUNCTIONAL_KELVIN_PROGRAM_H
#define TAKT_FUNCTIONAL_KELVIN_PROGRAM_H

#include <stdio.h>

#include "functional/diag.h"
#include "functional/kelvin/state.h"
#include "functional/riscv/get.h"
#include "functional/riscv/image.h"
#include "functional/riscv/insn.h"

enum {
    KELVIN_EXTENSIONS =
        RISCV_EXT_I | RISCV_EXT_M | RISCV_EXT_ZICSR | RISCV_EXT_ZIFENCEI | RISCV_EXT_PRIVILEGED
};

/* A word as it is executed. */
enum kelvin_kind { KELVIN_UNDEFINED, KELVIN_SCALAR, KELVIN_VECTOR, KELVIN_CORE };
struct kelvin_insn {
    uint8_t kind; /* enum kelvin_kind; CORE: of vector's rows, but executed by the core */
    bool cycles;  /* it accesses mcycle or one of its other names */
    union {
        struct riscv_op scalar;
        struct kelvin_vop vector;
    };
};
void kelvin_insn_decode(uint32_t word, struct kelvin_insn *insn);
/* Canonical text; target: of a branch, or NULL. */
void kelvin_insn_print(uint32_t word, const char *target, char *text, size_t size);

/* Memory is in blocks of KELVIN_MEMORY, neighbours in one range. */
struct kelvin_range {
    uint32_t base, size;
};
enum { KELVIN_RANGES = 16, KELVIN_BLOCKS = 64 };

/* Words of code without large gaps; first: of all of them, the number of its first one. */
struct kelvin_code {
    uint32_t base, words, first;
};

struct kelvin_program {
    struct riscv_image image;
    const struct source *sources; /* given */
    size_t source_count;
    bool elf;
    struct kelvin_range ranges[KELVIN_RANGES]; /* of memory, upwards; the first begins at 0 */
    size_t range_count;
    struct kelvin_code *code; /* upwards */
    size_t code_count;
    uint32_t code_words; /* of all */
    struct riscv_gets gets;
    const char **regions; /* names from 0, "rest", on */
    size_t region_count;
    uint32_t *region_of; /* each statement's; NULL: directives say, or there is none */
};

extern const struct riscv_get_rules kelvin_get_rules;

/* Returns 0, 1 when there was an error, -1 when the host has no memory. Free it in every case. */
int kelvin_program_load(struct kelvin_program *program, const struct source *sources, size_t count,
                        struct diag_list *diags);
void kelvin_program_free(struct kelvin_program *program);

/* check.c: words that trap whatever the values are, as warnings ("illegal"), and what is hardly
 * meant ("doubtful"). Returns 0, or -1 when the host has no memory. */
int kelvin_program_check(const struct kelvin_program *program, struct diag_list *diags);

/* Canonical text: assembled again it is the same bytes at the same addresses. Returns 0 or -1. */
int kelvin_program_print(const struct kelvin_program *program, FILE *out);

/* Where the loads of a symbol's name begin: its value; false: there is no such label. */
bool kelvin_program_address(const struct kelvin_program *program, const char *name, size_t length,
                            uint32_t *address);

/* Whether there is memory. */
bool kelvin_program_has(const struct kelvin_program *program, uint64_t address);
/* The place of an address in the code, as a number below code_words; UINT32_MAX: there is none. */
uint32_t kelvin_program_slot(const struct kelvin_program *program, uint32_t address);

/* Name of a CSR, or NULL; whether an access writes one that is read-only. */
const char *kelvin_csr_name(uint32_t number);
static inline bool kelvin_csr_traps(const struct riscv_op *op)
{
    return op->imm >= 0xc00 && riscv_writes_csr(op);
}

#endif
