/*
 * print: canonical text of an image: assembled again it is the same bytes at the same addresses.
 *
 *   struct riscv_image, how the machine writes its words --riscv_image_print--> text
 *
 * Everything up to the last word of code stands in .text, bytes that are no code as .byte; what
 * comes behind it stands in .data. Segments that lie apart are .buffer NAME, BYTES, ADDRESS.
 */
#ifndef TAKT_FUNCTIONAL_RISCV_PRINT_H
#define TAKT_FUNCTIONAL_RISCV_PRINT_H

#include "functional/riscv/get.h"

struct riscv_print_rules {
    const void *context;
    uint32_t base; /* where the assembler begins */
    const struct riscv_gets *gets;
    /* The address that a statement branches to; false: it is no branch. */
    bool (*target)(const void *context, uint32_t stmt, uint32_t *address);
    /* The text of a statement; target: what stands for that address, or NULL. Returns how many
     * statements it is. */
    uint32_t (*text)(const void *context, uint32_t stmt, const char *target, char *text,
                     size_t size);
};

/* Returns 0 or -1. */
int riscv_image_print(const struct riscv_image *image, const struct riscv_print_rules *rules,
                      FILE *out);

#endif
