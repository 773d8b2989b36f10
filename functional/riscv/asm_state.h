/*
 * asm_state: the assembler's own. asm.c runs the passes, asm_section.c keeps sections,
 * asm_symbol.c symbols, asm_expression.c reads operands, asm_directive.c directives,
 * asm_insn.c instructions.
 */
#ifndef TAKT_FUNCTIONAL_RISCV_ASM_STATE_H
#define TAKT_FUNCTIONAL_RISCV_ASM_STATE_H

#include "functional/riscv/asm.h"

/* In the order in which they lie. ARRAY: pointers to functions that start-up code calls; NOTE: not
 * of the program, what stands in it is not read. */
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
    uint32_t at;    /* bytes so far in this pass */
    uint32_t size;  /* at the end of the first pass */
    uint32_t align; /* bytes, a power of two */
    uint32_t base;  /* known in the second pass, or given */
    uint32_t room;  /* bytes of one that lies apart; 0: it does not */
    bool given;
    uint8_t *bytes; /* of the second pass */
};

/* A name of one file; other files see it where they have none of this name. */
struct symbol {
    struct riscv_word name;
    uint32_t owner;          /* the file */
    struct riscv_word alias; /* the name that .set gave it, while its value is not known */
    int64_t value;           /* in its section */
    uint32_t section;        /* NO_SECTION: a number */
    uint32_t file, line;
    bool defined, label, global, function;
    bool weak;     /* another file's goes first; 0 where none is defined */
    bool local;    /* .comm does not make it global */
    uint32_t next; /* in its chain, from 1 */
};

/* A numbered local label. */
struct numbered {
    uint32_t number, section, at;
};

/* What the %pcrel_hi of an instruction stands for. */
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
    /* The statement. */
    const char *line_start, *start, *at, *end;
    uint32_t file, line;
    /* The program. */
    bool second;    /* pass */
    bool unsettled; /* a .set depends on the places of sections, or on what stands below it */
    bool settling;  /* a pass between the two, which finds the values of those */
    bool wrong, memory_out;
    struct section *sections;
    size_t section_count, section_capacity;
    uint32_t section, previous;               /* where the statement goes to */
    uint32_t pushed[PUSHED][2], pushed_count; /* of .pushsection */
    struct symbol *symbols;
    size_t symbol_count, symbol_capacity;
    uint32_t chains[SYMBOL_CHAINS];
    struct numbered *numbered;
    size_t numbered_count, numbered_capacity, numbered_seen;
    struct distance *distances;
    size_t distance_count, distance_capacity;
    uint8_t *sizes; /* words that each li takes, as the first pass has decided */
    size_t size_count, size_capacity, size_seen;
    uint64_t filled;                         /* bytes of all sections in this pass */
    uint32_t above, above_section, above_at; /* the last instruction, and what comes behind it */
};

/* What an expression is. */
struct value {
    int64_t number;
    bool unknown; /* a symbol that is not defined yet: pass 1 alone */
    bool moves;   /* an address, whose value is known in the second pass only */
};

/* asm_symbol.c, asm_section.c */
/* This file's symbol, made if there is none. NULL: no memory. */
struct symbol *riscv_asm_symbol(struct riscv_asm *as, struct riscv_word name);
/* What a name in this file means: this file's symbol, another file's that is global, any other
 * file's; of several that are global one that is not weak. NULL: none is defined. */
const struct symbol *riscv_asm_find(const struct riscv_asm *as, struct riscv_word name);
/* An earlier file's of this name, both being global and not weak; or NULL. */
const struct symbol *riscv_asm_defined_before(const struct riscv_asm *as,
                                              const struct symbol *symbol);
/* Whether another file's symbol has the name in the image: an earlier or a global one. */
bool riscv_asm_taken(const struct riscv_asm *as, const struct symbol *symbol);
/* asm_layout.c: a name that linker scripts define, from the places of the sections in the second
 * pass. False: it is none. */
bool riscv_asm_layout(const struct riscv_asm *as, struct riscv_word name, uint32_t *value);
/* Order of an ARRAY's sections, smaller first. */
uint32_t riscv_asm_array_order(struct riscv_word name);
bool riscv_asm_section(struct riscv_asm *as, struct riscv_word name, enum section_kind kind);
/* Bytes at the cursor of the section; from NULL: zeros. False with an error. */
bool riscv_asm_bytes(struct riscv_asm *as, const void *from, uint64_t count);
uint32_t riscv_asm_here(const struct riscv_asm *as);
bool riscv_word_is(struct riscv_word word, const char *text);

/* asm_expression.c: false with an error. */
bool riscv_asm_expression(struct riscv_asm *as, struct value *value);
void riscv_asm_blanks(struct riscv_asm *as);
/* The characters of a string in quotes, escapes resolved, to at most `room` bytes of text; in
 * pieces: true while there is more. Length UINT32_MAX with an error. */
bool riscv_asm_string(struct riscv_asm *as, char *text, size_t room, size_t *length);

/* asm_directive.c. Whether a directive goes to another section, so that it is read in every one. */
bool riscv_asm_moves(struct riscv_word name);
/* False: there is no such directive. */
bool riscv_asm_directive(struct riscv_asm *as, struct riscv_word name);

/* asm_insn.c: false: there is no such mnemonic. */
bool riscv_asm_insn(struct riscv_asm *as, struct riscv_word mnemonic);
/* The directive or mnemonic nearest to a word, or NULL. */
const char *riscv_asm_near(struct riscv_asm *as, struct riscv_word mnemonic);
const char *riscv_asm_scalar_near(struct riscv_word mnemonic);

#endif
