/*
 * launch: a kernel and what it is started with.
 *
 *   struct ventus_launch --ventus_launch_fill--> memory with its buffers
 *
 * One buffer holds the code: ops[] are its words, from `code` on.
 */
#ifndef TAKT_FUNCTIONAL_VENTUS_LAUNCH_H
#define TAKT_FUNCTIONAL_VENTUS_LAUNCH_H

#include "functional/ventus/insn.h"
#include "functional/ventus/memory.h"

enum { VENTUS_PAGE = 4096 }; /* memory is given in pages of this many bytes */

struct ventus_buffer {
    uint32_t base;
    uint64_t size, room; /* given bytes; bytes of memory */
    uint8_t *bytes;      /* size of them, or NULL */
};

struct ventus_launch {
    uint32_t start;          /* address of the first instruction */
    uint32_t grid[3];        /* workgroups */
    uint32_t threads, warps; /* of a warp; of a workgroup */
    uint32_t metadata;       /* address of the metadata buffer: CSR_KNL */
    uint32_t local, private; /* bytes of a workgroup; of a thread */
    uint32_t sgprs, vgprs;
    uint32_t private_base;
    struct ventus_buffer *buffers;
    size_t buffer_count, buffer_capacity;
    uint32_t code;
    struct ventus_op *ops;
    size_t op_count;
};

/* Whether an address is in a buffer of the launch, or in local memory. */
bool ventus_launch_has(const struct ventus_launch *launch, uint32_t address);
void ventus_launch_free(struct ventus_launch *launch);
/* Add the launch's buffers to a memory, as far as they are not there, and fill them. Returns 0; 1
 * with a sentence; -1. */
int ventus_launch_fill(const struct ventus_launch *launch, struct ventus_memory *memory,
                       char *error, size_t error_size);

/* Local memory and the stacks after it, as an SM sees them: as ventus_memory_at, but allocated at
 * the first access. NULL: the address is not there, or the host has no memory. */
uint8_t *ventus_local_at(struct ventus_memory *memory, uint32_t address, uint32_t count,
                         uint32_t sm);
/* Make it zero again, between two launches. */
void ventus_local_clear(struct ventus_memory *memory);

#endif
