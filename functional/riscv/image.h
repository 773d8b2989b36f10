/*
 * image: a program as it lies in memory, whatever it was made of.
 *
 *   text --riscv_assemble--+
 *                          +--> struct riscv_image: segments, statements, symbols, entry
 *   ELF  --riscv_elf_load--+
 *
 * A statement is one word of code. Statements are in order of their addresses; no two have the same
 * address. Their file and line are for people: of an assembly text its own, of an ELF those of its
 * line table, or of its listing.
 */
#ifndef TAKT_FUNCTIONAL_RISCV_IMAGE_H
#define TAKT_FUNCTIONAL_RISCV_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "functional/source.h"

#define RISCV_NO_STMT UINT32_MAX

/* Bytes [address, address + size): the first `filled` are given, the others 0. */
struct riscv_segment {
    uint32_t address, size, filled;
    uint8_t *bytes;
    bool code;
    bool apart; /* it belongs to no other one: riscv_asm_apart */
};

struct riscv_stmt {
    uint32_t address, word;
    uint32_t file, line; /* file: index into files */
    uint32_t column, length;
    const char *text; /* length bytes of a file's text */
};

struct riscv_symbol {
    char *name;
    uint32_t value;
    bool label;    /* an address; else a number */
    bool function; /* begins one */
    bool visible;  /* not local to the assembler (.L...) */
};

struct riscv_image {
    /* The given sources of a text; of an ELF its listing, and then files of its line table, whose
     * text is not known. */
    const struct source *files;
    size_t file_count;
    struct source *own_files; /* those of an ELF */
    struct riscv_segment *segments;
    size_t segment_count, segment_capacity;
    struct riscv_stmt *stmts;
    size_t stmt_count, stmt_capacity;
    struct riscv_symbol *symbols; /* by value, labels alone are looked up by it */
    size_t symbol_count, symbol_capacity;
    uint32_t entry;
};

void riscv_image_free(struct riscv_image *image);

/* The statement at an address, or RISCV_NO_STMT. */
uint32_t riscv_image_stmt(const struct riscv_image *image, uint32_t address);
/* The label nearest below or at an address, of functions where there is one, or NULL. */
const struct riscv_symbol *riscv_image_label(const struct riscv_image *image, uint32_t address);
/* The label exactly there, or NULL; and the symbol of this name. */
const struct riscv_symbol *riscv_image_at(const struct riscv_image *image, uint32_t address);
const struct riscv_symbol *riscv_image_symbol(const struct riscv_image *image, const char *name,
                                              size_t length);

/* "main+0x10, dot.c:12" for people. */
void riscv_image_place(const struct riscv_image *image, uint32_t address, char *text, size_t size);

/* Symbols by value; of those with the same value a function first. Statements by address. */
void riscv_image_sort(struct riscv_image *image);

/* Append. NULL when the host has no memory. */
struct riscv_segment *riscv_image_add_segment(struct riscv_image *image);
struct riscv_stmt *riscv_image_add_stmt(struct riscv_image *image);
struct riscv_symbol *riscv_image_add_symbol(struct riscv_image *image, const char *name,
                                            size_t length);

#endif
