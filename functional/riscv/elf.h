/*
 * elf: a statically linked ELF32 program to an image, by libelf; its line table by libdw.
 *
 *   source --riscv_elf_load--> segments, symbols, statements (address and word)
 *          --riscv_image_list--> each statement's text, a line of the listing
 *
 * Code is what sections that can be executed hold; without a table of sections, the segments. A
 * statement that the line table knows has its file and line, the others those of the listing.
 * A file that is malformed is refused with a sentence.
 */
#ifndef TAKT_FUNCTIONAL_RISCV_ELF_H
#define TAKT_FUNCTIONAL_RISCV_ELF_H

#include "functional/diag.h"
#include "functional/riscv/image.h"

/* Whether the bytes begin as an ELF file does. */
bool riscv_is_elf(const struct source *source);
/* Whether a header of at least 20 bytes is that of a 32-bit RISC-V file. */
bool riscv_is_elf32(const unsigned char *header);

struct riscv_elf_rules {
    uint64_t base, most; /* memory: addresses [base, base + most) */
    uint32_t flags;      /* e_flags whose meaning does not matter */
    const char *march;   /* as a compiler is told */
};

/* file: index of the source for the findings. Returns 0, 1 when the file is refused, -1 when the
 * host has no memory. Free the image in every case. */
int riscv_elf_load(struct riscv_image *image, const struct source *source, uint32_t file,
                   const struct riscv_elf_rules *rules, struct diag_list *diags);

/* Canonical text of a word at an address, without a newline. */
typedef void riscv_listing(const void *context, const struct riscv_image *image, uint32_t address,
                           uint32_t word, char *text, size_t size);
/* Returns 0, or -1 when the host has no memory. */
int riscv_image_list(struct riscv_image *image, riscv_listing *print, const void *context);

#endif
