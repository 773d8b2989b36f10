/*
 * check_use: what the statements of a program do to memories and registers, followed in order, for
 * the warnings never-written, never-forwarded, stale-forward, turn-back-kind and dead-write.
 *
 *   mncore2_check_use_new --> mncore2_check_use_shape for each shape of PE statements
 *                 --> mncore2_check_use_learn for each PE statement that comes again
 *                 --> mncore2_check_use_item for each item in order --> mncore2_check_use_free
 *
 * All PEs run the same statements, so one map serves them all, and one the L1BM of a number in all
 * L2B. What is moved from where nothing has written is followed: where it leaves L2BM for PDM or
 * DRAM, that is a finding.
 */
#ifndef TAKT_TIMING_MNCORE2_CHECK_USE_H
#define TAKT_TIMING_MNCORE2_CHECK_USE_H

#include "functional/diag.h"
#include "functional/mncore2/effect.h"

struct check_use;

/* NULL when the host has no memory. */
struct check_use *mncore2_check_use_new(const struct program *program, struct diag_list *diags);
/* The first statement of a shape and its effect. Returns 0, or -1 when the host has no memory. */
int mncore2_check_use_shape(struct check_use *use, const struct stmt *stmt,
                            const struct effect *effect);
/* The program's statement `index`, whose shape is known. Returns 0, or -1 when the host has no
 * memory. */
int mncore2_check_use_learn(struct check_use *use, uint32_t index);
/* A PE statement other than nop must have been learned, or it is passing: only its shape is known,
 * and nothing of it is kept, which suits statements that occur once. Returns 0, or -1 when the host
 * has no memory. */
int mncore2_check_use_item(struct check_use *use, size_t item, bool passing);
void mncore2_check_use_free(struct check_use *use);

#endif
