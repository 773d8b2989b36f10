/*
 * state: what a warp and a workgroup hold.
 *
 *   warp        pc, x (64 scalar registers, x0 is 0), v (256 vector registers of a word a lane),
 *               active lanes, SIMT stack, CSRs
 *   workgroup   its warps, its local memory
 *
 * SIMT stack: an entry is a path still to be run: from `pc` on by the lanes `mask`, until `rpc`.
 *   VBRANCH, lanes that disagree   push {rpc, rpc, active}, push {rpc, the path of more lanes},
 *                                  continue with that of fewer (equal numbers: the else path)
 *   JOIN at top.rpc                continue at top.pc with top.mask, pop
 */
#ifndef TAKT_FUNCTIONAL_VENTUS_STATE_H
#define TAKT_FUNCTIONAL_VENTUS_STATE_H

#include "functional/ventus/float32.h"
#include "functional/ventus/insn.h"
#include "functional/ventus/memory.h"

enum {
    VENTUS_LANES = 32, /* most threads of a warp */
    VENTUS_WARPS = 32, /* most warps of a workgroup */
    VENTUS_XREGS = 64,
    VENTUS_FREGS = 32, /* of the public toolchain: FMV.W.X writes them */
    VENTUS_VREGS = 256,
    VENTUS_SMS = 4,    /* most SMs, each with its local memory */
    VENTUS_STACK = 64, /* entries of the SIMT stack */
    VENTUS_WRITES = 8  /* registers that one instruction writes, groups counted singly */
};
#define VENTUS_LOCAL_BASE UINT32_C(0x70000000)
#define VENTUS_LOCAL_SIZE UINT32_C(0x20000) /* of an SM: 1,024 lines of 128 bytes */
/* What the driver maps from there on, up to the code: after the local memory scalar stacks;
 * start-up code gives each warp a MiB. */
#define VENTUS_LOCAL_SPACE UINT32_C(0x10000000)
#define VENTUS_STACK_SIZE  UINT32_C(0x100000)

struct ventus_path {
    uint32_t rpc, pc, mask;
};

enum ventus_region { VENTUS_IN_DEFAULT, VENTUS_IN_GLOBAL, VENTUS_IN_PRIVATE, VENTUS_IN_LOCAL };

/* What a prefix says of the next instruction. rd ... rs3: three bits each for its fields; high: six
 * bits of its immediate; absolute, negated: bit 0 of src1 (vs1, the scalar, the immediate), 1 of
 * src2 (vs2), 2 of src3. */
struct ventus_prefix {
    uint8_t rd, rs1, rs2, rs3, high;
    bool set, immediate;
    bool pair;
    uint8_t absolute, negated;
    bool memory; /* it is of the next access, or of nothing */
    uint8_t space, words;
};

enum ventus_warp_state {
    VENTUS_RUNS,
    VENTUS_WAITS, /* at a barrier */
    VENTUS_WAITS_COPIES /* at cp_dma_mbarrier */,
    VENTUS_ENDED
};

struct ventus_warp {
    uint32_t pc;
    uint32_t x[VENTUS_XREGS];
    uint64_t f[VENTUS_FREGS];
    uint32_t v[VENTUS_VREGS][VENTUS_LANES];
    uint64_t x_known;               /* registers that something was written to */
    uint32_t v_known[VENTUS_VREGS]; /* lanes */
    uint32_t active, rpc, npc;      /* npc: where the last branch or join went */
    struct ventus_path stack[VENTUS_STACK];
    uint32_t depth;
    struct ventus_prefix prefix;
    struct ventus_fcsr fcsr;
    uint32_t vl, vtype, vstart, vxrm, vxsat, mstatus, mtvec, print;
    uint32_t number; /* in its workgroup */
    struct ventus_group *group;
    uint8_t state; /* enum ventus_warp_state */
    bool copies;   /* cp_dma that no cp_dma_mbarrier has waited for */
    uint64_t executed;
};

struct ventus_group {
    uint32_t x, y, z; /* in the grid */
    uint32_t sm;      /* whose local memory it sees */
    uint32_t slot;    /* of its SM */
    uint32_t local;   /* address of its local memory */
    uint32_t private_base;
    uint32_t count, waiting, ended; /* warps */
    uint32_t stamp;                 /* changes at each barrier: ventus_check (check.h) */
    struct ventus_warp *warps;
};

/* One access of memory: as many addresses as lanes took part. */
struct ventus_access {
    uint32_t count, bytes; /* bytes of each */
    bool store, atomic;
    uint32_t address[2 * VENTUS_LANES];
    /* Of a cp_dma: bytes written to local memory. The addresses are those of the sources; of bulk
     * and tensor copies the first one, `bytes` all that is copied. */
    uint64_t copied;
};

/* What one step did. */
struct ventus_effect {
    const struct ventus_op *op;
    uint32_t pc, next;
    uint32_t mask; /* lanes that took part; of a scalar 0 */
    /* Register numbers with their prefix. */
    uint8_t rd, rs1, rs2, rs3;
    struct ventus_access access;
    bool barrier; /* it waits for the others of its workgroup */
};

#endif
