/*
 * get: values to print, requested by comments in the program.
 *
 *     # takt: get v8.w 8       each time the statement below is reached, or at the end of the run
 *     # takt: get x10          when no statement follows
 *     # takt: get m:result.w 4
 *
 *   directives --riscv_gets_read--> struct riscv_gets --riscv_gets_print--> lines of --dump
 *
 *   DEBUG-V(8,0):(0x00000001, 0x00000002) #get v8.w 2
 */
#ifndef TAKT_FUNCTIONAL_RISCV_GET_H
#define TAKT_FUNCTIONAL_RISCV_GET_H

#include <stdio.h>

#include "functional/diag.h"
#include "functional/directive.h"
#include "functional/riscv/image.h"

struct riscv_get {
    uint32_t stmt; /* printed before it; RISCV_NO_STMT: at the end */
    char file;     /* x, v, m */
    char size;     /* b, h, w */
    uint32_t at;   /* register; byte address of memory */
    uint32_t count;
    const char *text; /* as written */
    size_t length;
};

struct riscv_gets {
    struct riscv_get *items; /* sorted by stmt */
    size_t count, capacity;
};

/* What the machine supports. */
struct riscv_get_rules {
    int (*scalar)(const char *name, size_t length); /* number of a register, or -1 */
    uint32_t scalars;                               /* of 4 bytes */
    uint32_t vectors, vector_bytes;                 /* v0 to v(vectors - 1) */
    uint32_t vector_words;                          /* the count if none is written */
    uint64_t memory;                                /* in bytes */
    bool ends_with_memory; /* at the end of the run only memory can be printed */
};

/* Returns 0, 1 for a malformed directive, -1 when memory is out. Free the gets in every case. */
int riscv_gets_read(struct riscv_gets *gets, const struct riscv_get_rules *rules,
                    const struct riscv_image *image, const struct directives *directives,
                    struct diag_list *diags);
void riscv_gets_free(struct riscv_gets *gets);

/* Access to the machine's state. */
struct riscv_get_state {
    const struct riscv_get_rules *rules;
    /* `size` bytes from `offset` on, or NULL if they do not exist. */
    const uint8_t *(*bytes)(const void *context, const struct riscv_get *get, uint64_t offset,
                            uint32_t size);
    const void *context;
    const char *who; /* suffix of each line, or "" */
};
/* Print the gets of a statement. */
void riscv_gets_print(const struct riscv_gets *gets, uint32_t stmt,
                      const struct riscv_get_state *state, FILE *out);

/* Print the canonical text of a statement's gets, starting at *next, which is moved past them. */
void riscv_gets_write(const struct riscv_gets *gets, uint32_t stmt, size_t *next, FILE *out);

#endif
