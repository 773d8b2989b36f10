/*
 * elf: a statically linked ELF32 program to an image, by libelf; its line table by libdw.
 *
 *   source --riscv_elf_load--> segments, symbols, statements (address and word)
 *          --riscv_image_list--> each statement's text, a line of the listing
 *
 * Code is the contents of executable sections; without a section table, of executable segments. A
 * statement found in the line table gets its file and line there, the others those of the listing.
 * A malformed file is rejected with an error.
 */
#ifndef TAKT_FUNCTIONAL_RISCV_ELF_H
#define TAKT_FUNCTIONAL_RISCV_ELF_H

#include "functional/diag.h"
#include "functional/riscv/image.h"

/* True if the bytes begin with the ELF magic. */
bool riscv_is_elf(const struct source *source);
/* True if a header of at least 20 bytes belongs to a 32-bit RISC-V file. */
bool riscv_is_elf32(const unsigned char *header);

/* Where the byte of an address is in a file that riscv_elf_load has accepted; SIZE_MAX: nowhere. */
size_t riscv_elf_offset(const struct source *source, uint32_t address);

struct riscv_elf_rules {
    uint64_t base, most; /* memory: addresses [base, base + most) */
    uint32_t flags;      /* e_flags to ignore */
    const char *march;   /* the -march value of the machine, for messages */
};

/* file: index of the source in findings. Returns 0, 1 when the file is rejected, -1 when memory is
 * out. Free the image in every case. */
int riscv_elf_load(struct riscv_image *image, const struct source *source, uint32_t file,
                   const struct riscv_elf_rules *rules, struct diag_list *diags);

/* Print the canonical text of a word at an address, without a newline. */
typedef void riscv_listing(const void *context, const struct riscv_image *image, uint32_t address,
                           uint32_t word, char *text, size_t size);
/* Returns 0, or -1 when memory is out. */
int riscv_image_list(struct riscv_image *image, riscv_listing *print, const void *context);

#endif
