/*
 * check_use: what the statements of a program do to memories and registers, followed in order, for
 * the warnings never-written, never-forwarded, stale-forward, turn-back-kind and dead-write.
 *
 *   check_use_new --> check_use_learn for each distinct PE statement
 *                 --> check_use_item for each item in order --> check_use_free
 *
 * One picture stands for all PEs, and for the same address of all L1BM or L2BM of one number: they
 * all run the same statements.
 */
#ifndef TAKT_TIMING_MNCORE2_CHECK_USE_H
#define TAKT_TIMING_MNCORE2_CHECK_USE_H

#include "functional/diag.h"
#include "functional/mncore2/effect.h"

struct check_use;

/* NULL when the host has no memory. */
struct check_use *check_use_new(const struct program *program, struct diag_list *diags);
/* The effect of the program's statement `index`. Returns 0, or -1 when the host has no memory. */
int check_use_learn(struct check_use *use, uint32_t index, const struct effect *effect);
/* Every PE statement that is no nop must have been learned, or its effect given: then nothing of it is
 * kept, which suits statements that occur once. */
void check_use_item(struct check_use *use, size_t item, const struct effect *effect);
void check_use_free(struct check_use *use);

#endif
