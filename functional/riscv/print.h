/*
 * print: canonical text of an image. Assembling it gives the same bytes at the same addresses.
 *
 *   struct riscv_image, how the machine writes its words --riscv_image_print--> text
 *
 * Everything up to the last word of code is in .text, with bytes that are not code as .byte; the
 * rest is in .data. Separately placed segments are written .buffer NAME, BYTES, ADDRESS.
 */
#ifndef TAKT_FUNCTIONAL_RISCV_PRINT_H
#define TAKT_FUNCTIONAL_RISCV_PRINT_H

#include "functional/riscv/get.h"

struct riscv_print_rules {
    const void *context;
    uint32_t base; /* base address of the assembler */
    const struct riscv_gets *gets;
    /* The branch target of a statement; false if it is not a branch. */
    bool (*target)(const void *context, uint32_t stmt, uint32_t *address);
    /* Write the text of a statement; target: text for the branch target, or NULL. Returns the
     * number of words the text covers. */
    uint32_t (*text)(const void *context, uint32_t stmt, const char *target, char *text,
                     size_t size);
};

/* Returns 0 or -1. */
int riscv_image_print(const struct riscv_image *image, const struct riscv_print_rules *rules,
                      FILE *out);

#endif
