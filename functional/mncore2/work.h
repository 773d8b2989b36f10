/*
 * work: what an MN-Core 2 statement reads and writes (functional/work.h), made of its effect.
 *
 *   program, item --mncore2_work--> struct work
 *
 *   stream      0: one PE stream, which MV statements pass, too
 *   operation   enum stmt_kind
 *   space, port enum space, enum side (effect.h)
 *   when        cycles of the step; all of them in an MV statement
 *   set         instances: L1B numbers of L1BM, group * 2 + L2B of L2BM, groups of PDM, DRAM, DAR
 *               and DARBUF; 0 for what every PE or MAB has and uses alike
 *   addresses   long word of DRAM at which an MV statement begins; none where DAR gives it
 *
 * LM0 and LM1 are counted from their base address register, which is a read of its own. What is
 * found only in the run (T-indirect, DAR) is the whole memory. Not a place: the pointers of
 * l2bmdarw. d get, d set and r lines read and write for the user, outside the machine: their work
 * is empty.
 */
#ifndef TAKT_FUNCTIONAL_MNCORE2_WORK_H
#define TAKT_FUNCTIONAL_MNCORE2_WORK_H

#include "functional/mncore2/effect.h"
#include "functional/work.h"

struct mncore2_work_storage {
    /* Reads, then writes: each access in each cycle, cut in two where it wraps; base registers. */
    struct span spans[MAX_ACCESSES * CYCLES * 2 + 2];
    uint64_t addresses[2];
};

void mncore2_work(const struct program *program, size_t item, struct mncore2_work_storage *storage,
                  struct work *work);

#endif
