/*
 * why: the chain of waits and their causes.
 *
 *   UNIT@CYCLE or a line --> what the unit does there and for which statement
 *                        --> what held that statement, since when, by which rule or resource
 *                        --> what held the holder, and so on to a statement that nothing held
 *
 * What a unit does in a cycle is exact when the trace has intervals there (--detail, --window).
 * Without them the answer comes from the totals (analysis/moment.h) and says how sure it is. In a
 * loop an edge represents all its turns; the chain then follows the first or the last of them,
 * whichever is nearer.
 * While the run is there, a line also has its exact slack, and what needs it if it does nothing but
 * pass steps.
 */
#ifndef TAKT_ANALYSIS_WHY_H
#define TAKT_ANALYSIS_WHY_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "timing/machine.h"

enum why_status {
    WHY_FINE,
    WHY_INPUT, /* no such unit, cycle or line */
    WHY_FAILED /* SQL or memory: sqlite3_errmsg */
};

struct why {
    sqlite3 *db; /* a trace as trace_open gives it */
    FILE *out;   /* where the answer goes, as text or as JSON */
    bool json;
    /* The run of the trace, if it is still there, or one of its program that has not begun. */
    const struct machine *machine;
    struct machine_run *run;
    bool done;       /* it is: a line's slack is exact then */
    char error[300]; /* after WHY_INPUT: a sentence */
};

enum why_status why_unit(struct why *why, const char *unit, uint64_t cycle);
/* Of the statements of the line, the one that was held longest. file: as the trace names it, or
 * what follows its last slash; NULL for any. */
enum why_status why_line(struct why *why, const char *file, uint64_t line);

#endif
