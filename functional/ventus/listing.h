/*
 * listing: what each warp executed, in the form of the public functional simulator's logs: a line
 * with the instruction, a line with what it wrote, the SIMT stack after what changes it.
 *
 *   struct ventus_effect, warp --ventus_listing_step--> text
 *
 *   core   0: 0x800002a0 (0x0200885b) vbeq    v0, v1, pc + 48
 *   core   0: 3 0x800002a0 (0x0200885b) c8_vstart 0x00000000 e32 m1 l16 current mask: ...
 *
 * `core` is the warp. An instruction at the same place as the one before it is not listed again:
 * "Executed 2 times" precedes the next one.
 */
#ifndef TAKT_FUNCTIONAL_VENTUS_LISTING_H
#define TAKT_FUNCTIONAL_VENTUS_LISTING_H

#include "functional/ventus/exec.h"

/* What the listing remembers of a warp. */
struct ventus_listed {
    uint32_t pc, word;
    uint64_t times; /* 0: nothing has been listed */
};

/* Instruction `number` of the boot ROM, which runs before a warp's code. */
enum { VENTUS_BOOT = 5 };
void ventus_listing_boot(FILE *out, const struct ventus_exec *exec, struct ventus_listed *listed,
                         uint32_t core, uint32_t number);
void ventus_listing_step(FILE *out, const struct ventus_exec *exec, struct ventus_listed *listed,
                         const struct ventus_warp *warp, const struct ventus_effect *effect,
                         uint32_t core);

/* What the public simulator runs when all warps of a workgroup have ended: warp 0 continues after
 * its endprg until its first store, which signals the host. Its registers change. */
void ventus_listing_tail(FILE *out, struct ventus_exec *exec, struct ventus_listed *listed,
                         struct ventus_warp *warp, uint32_t core);

/* The text of an instruction as the public simulator has it. */
void ventus_list(const struct ventus_op *op, char text[VENTUS_TEXT]);

#endif
