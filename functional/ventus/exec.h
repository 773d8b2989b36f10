/*
 * exec: one instruction of one warp.
 *
 *   launch, memory, code --ventus_group_start--> warps --ventus_step--> warps, memory,
 *                                                                       struct ventus_effect
 *
 * Which warp goes next is the caller's choice: its order alone decides what a program reads that
 * has races.
 */
#ifndef TAKT_FUNCTIONAL_VENTUS_EXEC_H
#define TAKT_FUNCTIONAL_VENTUS_EXEC_H

#include <stdio.h>

#include "functional/ventus/check.h"
#include "functional/ventus/launch.h"
#include "functional/ventus/state.h"

enum { VENTUS_SENTENCE = 256, VENTUS_RESERVATIONS = 128 };

/* A word that an lr has reserved: the next sc of the warp fails when another has written it. */
struct ventus_reservation {
    const struct ventus_warp *warp;
    uint32_t address, sm;
};

/* A register that a step wrote, for the listing: (number << 4 | kind), kinds as the public
 * simulator has them. */
enum {
    VENTUS_KEY_X = 0,
    VENTUS_KEY_F = 1,
    VENTUS_KEY_V = 2,
    VENTUS_KEY_HINT = 3,
    VENTUS_KEY_CSR = 4
};

struct ventus_exec {
    const struct ventus_launch *launch;
    struct ventus_memory *memory;
    uint32_t sm; /* whose local memory is there */
    /* What the step wrote, in order; only when listing is on. */
    bool listing;
    uint32_t keys[VENTUS_WRITES];
    uint32_t key_count;
    uint32_t stored[2 * VENTUS_LANES]; /* values of a store, as access.address */
    struct ventus_check *check;        /* NULL: nothing is checked beyond faults */
    struct ventus_reservation reservations[VENTUS_RESERVATIONS]; /* of all warps, newest last */
    uint32_t reservation_count;
    uint64_t steps, most; /* instructions so far, and that there may be; most 0: no limit */
    uint32_t stamps;
    char error[VENTUS_SENTENCE];
    /* Called before each instruction, at warp->pc; or NULL. */
    void (*reach)(void *context, const struct ventus_warp *warp);
    void *reacher;
    FILE *printed; /* where the host puts what a print buffer holds; or NULL */
};

/* The workgroup (x, y, z) in a slot of an SM; group->warps has room for the launch's warps. */
void ventus_group_start(struct ventus_exec *exec, struct ventus_group *group, uint32_t number,
                        uint32_t slot);

/* Execute the instruction at warp->pc. Returns 0, or 1 with a sentence in exec->error when the
 * program has an error; the warp is at the instruction then. A warp that waits or has ended may not
 * step. */
int ventus_step(struct ventus_exec *exec, struct ventus_warp *warp, struct ventus_effect *effect);

/* --- parts ------------------------------------------------------------------------------------ */

int ventus_fault(struct ventus_exec *exec, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static inline void ventus_note(struct ventus_exec *exec, uint32_t number, uint32_t kind)
{
    if (exec->listing && exec->key_count < VENTUS_WRITES)
        exec->keys[exec->key_count++] = number << 4 | kind;
}
static inline void ventus_write_x(struct ventus_exec *exec, struct ventus_warp *warp, uint32_t reg,
                                  uint32_t value)
{
    if (!reg)
        return;
    warp->x[reg] = value;
    warp->x_known |= UINT64_C(1) << reg;
    ventus_note(exec, reg, VENTUS_KEY_X);
}
/* A vector register of the lanes of a mask. */
void ventus_write_v(struct ventus_exec *exec, struct ventus_warp *warp, uint32_t reg, uint32_t mask,
                    const uint32_t value[VENTUS_LANES]);
/* Raise flags of floats. */
void ventus_raise(struct ventus_exec *exec, struct ventus_warp *warp, uint8_t flags);
/* Other warps lose what they have reserved of these bytes. */
void ventus_unreserve(struct ventus_exec *exec, const struct ventus_warp *warp, uint32_t address,
                      uint32_t bytes);
/* Lanes of vector group g that take part. */
uint32_t ventus_lanes(const struct ventus_exec *exec, const struct ventus_warp *warp,
                      const struct ventus_op *op, uint32_t g);
/* Release the other warps of the workgroup that may continue. Returns 1 with a sentence when none
 * ever can. */
int ventus_release(struct ventus_exec *exec, struct ventus_group *group);
static inline bool ventus_is_access(const struct ventus_op *op)
{
    return op->form == FORM_RISCV ? riscv_is_load((enum riscv_insn)op->insn) ||
                                        riscv_is_store((enum riscv_insn)op->insn)
                                  : (op->form >= FORM_VLOAD && op->form <= FORM_VSX) ||
                                        (op->form >= FORM_AMO && op->form <= FORM_LR64) ||
                                        op->form == FORM_LOAD64 || op->form == FORM_STORE64;
}

/* Of an op with whole register numbers, what ends the run whatever values are: a sentence or NULL;
 * and whether there is a form for the operands of its word or prefix. */
const char *ventus_access_illegal(const struct ventus_op *whole,
                                  const struct ventus_prefix *prefix);
const char *ventus_matrix_illegal(const struct ventus_op *whole, uint32_t threads);
bool ventus_long_exists(const struct ventus_op *op, const struct ventus_prefix *prefix);
enum { VENTUS_TENSOR_LANES = 15 /* in which cp_dma_tensor has its parameters */ };

/* By family; status as ventus_step. */
int ventus_step_control(struct ventus_exec *exec, struct ventus_warp *warp,
                        struct ventus_effect *effect);
int ventus_step_csr(struct ventus_exec *exec, struct ventus_warp *warp,
                    const struct ventus_effect *effect);
int ventus_step_scalar(struct ventus_exec *exec, struct ventus_warp *warp,
                       struct ventus_effect *effect);
int ventus_step_lanes(struct ventus_exec *exec, struct ventus_warp *warp,
                      struct ventus_effect *effect);
int ventus_step_long(struct ventus_exec *exec, struct ventus_warp *warp,
                     struct ventus_effect *effect);
int ventus_step_matrix(struct ventus_exec *exec, struct ventus_warp *warp,
                       struct ventus_effect *effect);
int ventus_step_access(struct ventus_exec *exec, struct ventus_warp *warp,
                       struct ventus_effect *effect);
int ventus_step_copy(struct ventus_exec *exec, struct ventus_warp *warp,
                     struct ventus_effect *effect);

#endif
