/*
 * launch: a kernel and what it is started with.
 *
 *   NAME.metadata, NAME.data --ventus_case_load--> struct ventus_launch, memory with its buffers
 *
 * One code piece is decoded once: ops[] are the words of [code, code + 4 * op_count).
 */
#ifndef TAKT_FUNCTIONAL_VENTUS_LAUNCH_H
#define TAKT_FUNCTIONAL_VENTUS_LAUNCH_H

#include "functional/ventus/insn.h"
#include "functional/ventus/memory.h"

struct ventus_buffer {
    uint32_t base;
    uint64_t size, room; /* given bytes; bytes of memory */
};

struct ventus_launch {
    uint32_t start;           /* address of the first instruction */
    uint32_t grid[3];         /* workgroups */
    uint32_t threads, warps;  /* of a warp; of a workgroup */
    uint32_t metadata;        /* address of the metadata buffer: CSR_KNL */
    uint32_t local, private;  /* bytes of a workgroup; of a thread */
    uint32_t sgprs, vgprs;
    uint32_t private_base;
    struct ventus_buffer *buffers;
    size_t buffer_count, buffer_capacity;
    uint32_t code;
    struct ventus_op *ops;
    size_t op_count;
};

#endif
