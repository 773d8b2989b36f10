/*
 * piece: the parts of a program's code that can change their places, and the program with its
 * pieces in another order.
 *
 *   image, source --riscv_pieces_find--> struct riscv_pieces
 *   pieces, order --riscv_pieces_write--> an assembly text, or an ELF file
 *
 * A piece of an ELF file is a word of code, or the words that must stay together. A piece of a text
 * is one instruction as it is written, which may be several words (li): it moves with the comment
 * at the end of its line. Everything else stays in its line.
 */
#ifndef TAKT_FUNCTIONAL_RISCV_PIECE_H
#define TAKT_FUNCTIONAL_RISCV_PIECE_H

#include <stdio.h>

#include "functional/riscv/image.h"

struct riscv_piece {
    uint32_t first, count; /* statements */
    bool fixed;            /* its text cannot be moved */
    bool leads;            /* something that stays precedes it: a label, a directive, a gap */
};

struct riscv_pieces {
    const struct riscv_image *image;
    const struct source *source; /* the text, or the ELF file */
    bool elf;
    struct riscv_piece *items; /* by address */
    size_t count;
};

/* source: of the image, which may have no other. together: how many statements from this one on
 * stay together; NULL: each stays alone. Returns 0 or -1; free the pieces in every case. */
int riscv_pieces_find(struct riscv_pieces *pieces, const struct riscv_image *image,
                      const struct source *source,
                      uint32_t (*together)(const struct riscv_image *image, uint32_t stmt));
void riscv_pieces_free(struct riscv_pieces *pieces);

/* order[i]: the piece that goes to the place of piece i. Pieces only change their places with
 * others that they are adjacent to, with no piece in between that leads. Returns 0 or -1. */
int riscv_pieces_write(const struct riscv_pieces *pieces, const uint32_t *order, FILE *out);

#endif
