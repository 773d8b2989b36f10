/*
 * program: a Kelvin program after loading, from assembly text or an ELF file. Execution, timing,
 * checks and printing read only this.
 *
 *   sources --kelvin_program_load--> struct kelvin_program --kelvin_program_print--> canonical text
 *
 * A statement is a word of code. A line can give several (li, la); a .word in code is one. The
 * regions of an ELF, or of a text without directives, are its functions.
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

/* A decoded word. */
enum kelvin_kind { KELVIN_UNDEFINED, KELVIN_SCALAR, KELVIN_VECTOR, KELVIN_CORE };
struct kelvin_insn {
    uint8_t kind; /* enum kelvin_kind; CORE: a row of vector.def that the scalar core executes */
    bool cycles;  /* it accesses mcycle or one of its aliases */
    union {
        struct riscv_op scalar;
        struct kelvin_vop vector;
    };
};
void kelvin_insn_decode(uint32_t word, struct kelvin_insn *insn);

/* Memory is allocated in blocks of KELVIN_MEMORY bytes; adjacent blocks form one range. */
struct kelvin_range {
    uint32_t base, size;
};
enum { KELVIN_RANGES = 16, KELVIN_BLOCKS = 64 };

/* A run of code words without large gaps; first: index of its first word among all code words. */
struct kelvin_code {
    uint32_t base, words, first;
};

struct kelvin_program {
    struct riscv_image image;
    const struct source *sources; /* as given */
    size_t source_count;
    bool elf;
    struct kelvin_range ranges[KELVIN_RANGES]; /* sorted; the first begins at 0 */
    size_t range_count;
    struct kelvin_code *code; /* sorted */
    size_t code_count;
    uint32_t code_words; /* number of code words in all ranges */
    struct riscv_gets gets;
    const char **regions; /* region names; 0 is "rest" */
    size_t region_count;
    uint32_t *region_of; /* region of each statement; NULL: given by directives, or none */
};

extern const struct riscv_get_rules kelvin_get_rules;

/* Returns 0, 1 when there was an error, -1 when memory is out. Free the program in every case. */
int kelvin_program_load(struct kelvin_program *program, const struct source *sources, size_t count,
                        struct diag_list *diags);
void kelvin_program_free(struct kelvin_program *program);

/* check.c: warnings about words that always trap ("illegal") and about probable mistakes
 * ("doubtful"). Returns 0, or -1 when memory is out. */
int kelvin_program_check(const struct kelvin_program *program, struct diag_list *diags);

/* Canonical text. Assembling it gives the same bytes at the same addresses. Returns 0; 1 when an
 * ELF file has memory beyond the KELVIN_MEMORY bytes that text can fill; or -1. */
int kelvin_program_print(const struct kelvin_program *program, FILE *out);

/* The value of a label; false: there is no such label. */
bool kelvin_program_address(const struct kelvin_program *program, const char *name, size_t length,
                            uint32_t *address);

/* True if the address is in memory. */
bool kelvin_program_has(const struct kelvin_program *program, uint64_t address);
/* The index of a code word, below code_words; UINT32_MAX: not in the code. */
uint32_t kelvin_program_slot(const struct kelvin_program *program, uint32_t address);

/* The name of a CSR, or NULL; whether an access writes a read-only CSR. */
const char *kelvin_csr_name(uint32_t number);
static inline bool kelvin_csr_traps(const struct riscv_op *op)
{
    return op->imm >= 0xc00 && riscv_writes_csr(op);
}

#endif
