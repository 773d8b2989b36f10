/*
 * check_use: what the statements of a program do to memories and registers, followed in order, for
 * the warnings never-written, never-forwarded, stale-forward, turn-back-kind and dead-write.
 *
 *   mncore2_check_use_new --> mncore2_check_use_learn for each PE statement that comes again
 *                 --> mncore2_check_use_pass for one that comes once, before its item
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
/* As of pieces.h, of the program's statement `index`. */
int mncore2_check_use_learn(struct check_use *use, uint32_t index, const struct effect *effect);
void mncore2_check_use_pass(struct check_use *use, const struct effect *effect);
/* A PE statement other than nop must have been learned, or it is passing. Returns 0, or -1 when the
 * host has no memory. */
int mncore2_check_use_item(struct check_use *use, size_t item, bool passing);
void mncore2_check_use_free(struct check_use *use);

#endif
