/* vkit: a launch of a few words of code, whose warps a test steps by hand. */
#ifndef TAKT_TESTS_VENTUS_VKIT_H
#define TAKT_TESTS_VENTUS_VKIT_H

#include "functional/ventus/exec.h"

enum { VKIT_CODE = 0x1000, VKIT_OPS = 64, VKIT_FINDINGS = 256 };

/* The launch has two warps of eight threads, unless a test changes k->launch before it starts
 * them. */
struct vkit {
    struct ventus_launch launch;
    struct ventus_memory memory;
    struct ventus_exec exec;
    struct ventus_group group;
    struct ventus_warp warps[VENTUS_WARPS];
    struct ventus_op ops[VKIT_OPS];
    struct ventus_effect effect;
    struct ventus_finding findings[VKIT_FINDINGS]; /* of vkit_check */
    size_t found;
};
extern struct vkit vkit;

/* The code, warps that have not begun, no memory, no checks. */
void vkit_make(const uint32_t *words, size_t count);
/* Warps from the beginning, of the launch as it is now. */
void vkit_start(void);
int vkit_step(void); /* warp 0 */
int vkit_step_warp(uint32_t warp);
/* Memory [base, base + size), a buffer of `given` bytes. */
uint8_t *vkit_memory(uint32_t base, uint32_t size, uint32_t given);
/* Checks on: findings are kept in vkit. */
void vkit_check(void);
void vkit_free(void); /* memory and checks */

/* Random words, every other one from the edges of what 32 bits hold. */
uint32_t vkit_draw(void);
uint64_t vkit_random(void);

/* A word of opcode 0x57; a prefix's twelve bits. */
uint32_t vkit_opv(uint32_t f6, uint32_t f3, uint32_t vm, uint32_t vs2, uint32_t vs1, uint32_t vd);

#endif
