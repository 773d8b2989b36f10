/*
 * image: a program in memory, independent of its source format.
 *
 *   text --riscv_assemble--+
 *                          +--> struct riscv_image: segments, statements, symbols, entry
 *   ELF  --riscv_elf_load--+
 *
 * A statement is one word of code. Statements are sorted by address, which is unique. Their file
 * and line are for messages: those of the assembly text, or of an ELF's line table or listing.
 */
#ifndef TAKT_FUNCTIONAL_RISCV_IMAGE_H
#define TAKT_FUNCTIONAL_RISCV_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "functional/source.h"

#define RISCV_NO_STMT UINT32_MAX

/* Bytes [address, address + size): the first `filled` are given, the rest is 0. */
struct riscv_segment {
    uint32_t address, size, filled;
    uint8_t *bytes;
    bool code;
    bool apart; /* placed separately: riscv_asm_apart, in this line of an assembly text */
    uint32_t file, line;
};

struct riscv_stmt {
    uint32_t address, word;
    uint32_t file, line; /* file: index into files */
    uint32_t column, length;
    const char *text; /* `length` bytes of the file's text */
};

struct riscv_symbol {
    char *name;
    uint32_t value;
    bool label;    /* an address; otherwise a number */
    bool function; /* the start of a function */
    bool visible;  /* not local to the assembler (.L...) */
};

struct riscv_image {
    /* The sources of an assembly text; for an ELF its listing, followed by the files of its line
     * table, whose text is not available. */
    const struct source *files;
    size_t file_count;
    struct source *own_files; /* storage of an ELF's file list */
    struct riscv_segment *segments;
    size_t segment_count, segment_capacity;
    struct riscv_stmt *stmts;
    size_t stmt_count, stmt_capacity;
    struct riscv_symbol *symbols; /* sorted by value; only labels are looked up by it */
    const struct riscv_symbol **by_name;
    size_t symbol_count, symbol_capacity;
    uint32_t entry;
};

void riscv_image_free(struct riscv_image *image);

/* The statement at an address, or RISCV_NO_STMT. */
uint32_t riscv_image_stmt(const struct riscv_image *image, uint32_t address);
/* The label exactly at an address, or NULL; the symbol of a name. */
const struct riscv_symbol *riscv_image_at(const struct riscv_image *image, uint32_t address);
const struct riscv_symbol *riscv_image_symbol(const struct riscv_image *image, const char *name,
                                              size_t length);

/* "main+0x10, dot.c:12", for messages. */
void riscv_image_place(const struct riscv_image *image, uint32_t address, char *text, size_t size);

/* Sort symbols by value, functions first among equal values, and by name; statements by address. 0,
 * or -1 when memory is out. */
int riscv_image_sort(struct riscv_image *image);

/* Append; riscv_image_sort follows. NULL when memory is out. */
struct riscv_segment *riscv_image_add_segment(struct riscv_image *image);
struct riscv_stmt *riscv_image_add_stmt(struct riscv_image *image);
struct riscv_symbol *riscv_image_add_symbol(struct riscv_image *image, const char *name,
                                            size_t length);

#endif
