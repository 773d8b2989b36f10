/* asm_state: the assembler's internal state. asm.c runs the passes, asm_section.c keeps sections,
 * asm_symbol.c symbols, asm_expression.c reads operands, asm_directive.c directives, asm_insn.c
 * instructions. */
#ifndef TAKT_FUNCTIONAL_RISCV_ASM_STATE_H
#define TAKT_FUNCTIONAL_RISCV_ASM_STATE_H

#include "functional/riscv/asm.h"

/* In memory order. ARRAY: function pointers that start-up code calls; NOTE: not part of the
 * program, its contents are skipped. */
enum section_kind {
    SECTION_CODE,
    SECTION_CONSTANT,
    SECTION_ARRAY,
    SECTION_DATA,
    SECTION_ZERO,
    SECTION_NOTE
};
#define NO_SECTION UINT32_MAX

struct section {
    struct riscv_word name;
    enum section_kind kind;
    uint32_t at;    /* offset of the next byte in this pass */
    uint32_t size;  /* at the end of the first pass */
    uint32_t align; /* bytes, a power of two */
    uint32_t base;  /* address: known in the second pass, or given */
    uint32_t room;  /* size of a separately placed section; 0: placed with the others */
    bool given;
    uint32_t file, line; /* of a separately placed section */
    uint8_t *bytes;      /* contents, in the second pass */
};

/* A symbol of one file; files without a symbol of this name see it. */
struct symbol {
    struct riscv_word name;
    uint32_t owner;          /* file that defines or uses it */
    struct riscv_word alias; /* the name that .set assigned, while its value is unknown */
    int64_t value;           /* relative to its section */
    uint32_t section;        /* NO_SECTION: a plain number */
    uint32_t file, line;
    bool defined, label, global, function;
    bool weak;     /* a definition in another file takes precedence; 0 if undefined */
    bool local;    /* .comm does not make it global */
    uint32_t next; /* next symbol in the hash chain, from 1 */
};

/* A numbered local label. */
struct numbered {
    uint32_t number, section, at;
};

/* The distance computed by a %pcrel_hi instruction. */
struct distance {
    uint32_t address;
    int64_t value;
};

enum { SYMBOL_CHAINS = 4096, SECTIONS = 4096, PUSHED = 16 };

struct riscv_asm {
    struct riscv_image *image;
    const struct riscv_dialect *dialect;
    const struct source *sources;
    struct diag_list *diags;
    /* The current statement. */
    const char *line_start, *start, *at, *end;
    uint32_t file, line;
    /* The program. */
    bool second;    /* second pass */
    bool unsettled; /* some .set depends on section addresses or on later definitions */
    bool settling;  /* in the pass between the two, which resolves such values */
    bool wrong, memory_out;
    struct section *sections;
    size_t section_count, section_capacity;
    uint32_t section, previous;               /* current section */
    uint32_t pushed[PUSHED][2], pushed_count; /* stack of .pushsection */
    struct symbol *symbols;
    size_t symbol_count, symbol_capacity;
    uint32_t chains[SYMBOL_CHAINS];
    struct numbered *numbered;
    size_t numbered_count, numbered_capacity, numbered_seen;
    struct distance *distances;
    size_t distance_count, distance_capacity;
    uint8_t *sizes; /* number of words of each li, decided in the first pass */
    size_t size_count, size_capacity, size_seen;
    uint64_t filled;                         /* total bytes of all sections in this pass */
    uint32_t above, above_section, above_at; /* the last instruction, and the position after it */
};

/* The value of an expression. */
struct value {
    int64_t number;
    bool unknown; /* refers to an undefined symbol: first pass only */
    bool moves;   /* an address: its value is known only in the second pass */
};

/* asm_symbol.c, asm_section.c */
/* This file's symbol, created if missing. NULL: memory is out. */
struct symbol *riscv_asm_symbol(struct riscv_asm *as, struct riscv_word name);
/* Resolve a name in this file: this file's symbol, else another file's global one that is not weak,
 * else a weak global one, else any other. NULL: undefined. */
const struct symbol *riscv_asm_find(const struct riscv_asm *as, struct riscv_word name);
/* The symbol of this name in an earlier file, if both are global and not weak; or NULL. */
const struct symbol *riscv_asm_defined_before(const struct riscv_asm *as,
                                              const struct symbol *symbol);
/* True if another file's symbol has this name in the image: an earlier or a global one. */
bool riscv_asm_taken(const struct riscv_asm *as, const struct symbol *symbol);
/* asm_layout.c: a symbol of linker scripts, computed from the section addresses in the second pass.
 * False: not such a name. */
bool riscv_asm_layout(const struct riscv_asm *as, struct riscv_word name, uint32_t *value);
/* Sort key of an ARRAY section. */
uint32_t riscv_asm_array_order(struct riscv_word name);
bool riscv_asm_section(struct riscv_asm *as, struct riscv_word name, enum section_kind kind);
/* Append bytes to the section; from NULL: zeros. False after an error. */
bool riscv_asm_bytes(struct riscv_asm *as, const void *from, uint64_t count);
uint32_t riscv_asm_here(const struct riscv_asm *as);
bool riscv_word_is(struct riscv_word word, const char *text);

/* asm_expression.c: false after an error. */
bool riscv_asm_expression(struct riscv_asm *as, struct value *value);
void riscv_asm_blanks(struct riscv_asm *as);
/* Decode a quoted string, escapes resolved, at most `room` bytes at a time; true while there is
 * more. Length UINT32_MAX after an error. */
bool riscv_asm_string(struct riscv_asm *as, char *text, size_t room, size_t *length);

/* asm_directive.c. True if a directive changes the section, so that it is also read in skipped
 * sections. */
bool riscv_asm_moves(struct riscv_word name);
/* False: unknown directive. */
bool riscv_asm_directive(struct riscv_asm *as, struct riscv_word name);

/* asm_insn.c: false: unknown mnemonic. */
bool riscv_asm_insn(struct riscv_asm *as, struct riscv_word mnemonic);
/* The directive or mnemonic nearest to a word, or NULL. */
const char *riscv_asm_near(struct riscv_asm *as, struct riscv_word mnemonic);
const char *riscv_asm_scalar_near(struct riscv_word mnemonic);

#endif
