/*
 * work: reads and writes of an MN-Core 2 statement (functional/work.h), derived from its effect.
 *
 *   program, item --mncore2_work--> struct work
 *
 *   stream      0: one PE stream, which MV statements pass, too
 *   operation   enum stmt_kind
 *   space, port enum space, enum side (effect.h)
 *   when        cycles of the step; all of them in an MV statement
 *   set         instances: L1B numbers of L1BM, group * 2 + L2B of L2BM, groups of PDM, DRAM, DAR
 *               and DARBUF; 0 for memories of every PE or MAB
 *   addresses   first DRAM long word of an MV statement; empty if DAR supplies it
 *
 * LM0 and LM1 addresses are relative to the base address register, which is a separate read. An
 * address known only at run time (T-indirect, DAR) counts as the whole memory. The pointers of
 * l2bmdarw are not modelled. d get, d set and r lines act outside the machine: their work is empty.
 */
#ifndef TAKT_TESTS_MNCORE2_WORK_H
#define TAKT_TESTS_MNCORE2_WORK_H

#include "functional/mncore2/effect.h"
#include "functional/work.h"

struct mncore2_work_storage {
    /* Reads, then writes: each access in each cycle, split in two if it wraps; base registers. */
    struct span spans[MAX_ACCESSES * CYCLES * 2 + 2];
    uint64_t addresses[2];
};

void mncore2_work(const struct program *program, size_t item, struct mncore2_work_storage *storage,
                  struct work *work);

#endif
