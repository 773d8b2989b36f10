/*
 * slack: how much later a statement may issue without a later end of the run, by runs that are
 * timed with the delay.
 *
 *   run that is done, statement, what is safe (path_slack) --slack_find--> cycles, exact or not
 *
 * The slack is the greatest number of cycles, of whole quanta of the stream, such that no delay up
 * to it makes the total larger. A longer delay may not: access to a unit goes by
 * rank, so totals are not monotonic. Of a statement that is executed often it is the least of all
 * its turns. From what is safe on, each further quantum costs a run.
 *
 * Work is counted in statements and cycles of runs: some ten million of them take a second.
 */
#ifndef TAKT_TIMING_SLACK_H
#define TAKT_TIMING_SLACK_H

#include "timing/machine.h"

enum { SLACK_WORK = 1 << 26 }; /* for interactive questions */

struct slack {
    uint64_t cycles;
    bool exact; /* else a lower bound: more runs cost too much, or the machine has none, or the
                   statement is never executed */
};

/* What one run takes. */
uint64_t slack_work(const struct machine_run *run);
/* What was done is taken from *work. Returns 0, or -1 when the host failed. */
int slack_find(const struct machine *machine, struct machine_run *run, uint32_t stmt, uint64_t safe,
               uint64_t *work, struct slack *slack);

#endif
