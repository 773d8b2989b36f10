/*
 * check: whether a whole program may run at all, beyond what reading it already refused.
 *
 *   struct program --mncore2_check--> findings in source order
 *
 * Errors: every hazard of 3.6.3 (hazard.h), and a flat operand in an auto-stride stream (1.2).
 * Warnings, each silenced by its name:
 *
 *   never-written     reads memory that nothing before has written (d set counts as writing)
 *   never-forwarded   reads a forwarding or turn-back register that nothing before has filled
 *   stale-forward     reads a forwarding register that the step before (other than nop and
 *                     noforward) did not fill: the manual defines only that step's value
 *   turn-back-kind    turns back by another kind, or another mabdiff, than what was put in
 *                     (3.6.8.2)
 *   variable-mask     legal only because a variable mask is known to be 0 in some cycles
 *   dead-write        a PE memory write that is overwritten before any read
 *   mv-race           touches what an MV statement in flight still reads or has not yet written
 *   tag-never-waited  an MV statement's tag that no later statement waits for
 *   tag-reused        a tag given again before anything waited for it
 *   wait-without-mv   waits for a tag that no MV statement before carries
 *   dar-in-flight     an MV statement uses DAR entries that l2bmdarw may not have written yet
 *                     (3.5.6)
 *
 * A note, once a program, silenced by its name too:
 *
 *   mv-together       MV statements are in flight together: 3.5.9 has constraints on them, and
 *                     describes them elsewhere
 *
 * The stream is taken as written, not as packed: nops written are steps, an MV statement
 * costs none, a wait counts as its own step only. What packing inserts would only add steps.
 *
 * A program with a statement that reading it refused gets errors alone.
 *
 * Inaccuracies: Base address registers and T are not evaluated. Once a register has been written,
 * the accesses of its LM count as touching anything, and neither warn nor excuse. PDM and DRAM
 * belong to the host too, so reads of them never warn. At most CHECK_FLIGHTS transfers are watched
 * for races.
 */
#ifndef TAKT_TIMING_MNCORE2_CHECK_H
#define TAKT_TIMING_MNCORE2_CHECK_H

#include "config/config.h"
#include "functional/diag.h"
#include "functional/mncore2/program.h"
#include "timing/mncore2/hazard.h"

enum { CHECK_FLIGHTS = 256 };

/* packing as in mncore2_packing_choose; auto refuses flat operands. Returns 0 when there was no
 * error, 1 when there was, -1 when the host has no memory or packing is not a valid word. */
int mncore2_check(const struct program *program, const struct config *config, const char *packing,
                  struct diag_list *diags);

#endif
