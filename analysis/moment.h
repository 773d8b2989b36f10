/*
 * moment: what a unit does in one cycle, as far as the totals of a trace (tier 1) show.
 *
 *   drained tail, holds of the stream, transfers in flight, windows of utilisation
 *       --moment_find--> a state, how sure it is, and whose chain of waits explains it
 *
 * Edges of the stream are exact where each is of one execution and they add up to the cycles
 * that the unit is charged for the reason; a window is exact when it is empty or full.
 */
#ifndef TAKT_ANALYSIS_MOMENT_H
#define TAKT_ANALYSIS_MOMENT_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

enum { MOMENT_FLIGHTS = 4, MOMENT_NAME = 64 };

enum moment_sure {
    MOMENT_UNKNOWN, /* the trace does not show it */
    MOMENT_WINDOWS, /* busy for part of the window */
    MOMENT_EXACT
};

/* The stream waits for one reason in [from, to), at stmt; from < 0: not known to wait. */
struct moment_hold {
    char reason[MOMENT_NAME];
    int64_t stmt, from, to;
};

struct moment {
    enum moment_sure sure;
    char what[MOMENT_NAME]; /* busy, idle, drained, issues, not busy, or a reason */
    int64_t from, to;       /* of what; -1: not known */
    int64_t stmt, at;       /* whose waits explain it, and from which cycle back; stmt < 0: none */
    int64_t window_from, window_to, busy; /* window_from < 0: the trace has no windows */
    struct moment_hold stream;
    /* How often stmt, on this unit, was held by a loop around the cycle, how long in all, and the
     * ends of the first and last time; often = 0: it was not. */
    int64_t often, often_waited, often_first, often_last;
    /* Nearest statements of the stream with a known cycle, and that cycle; before < 0: none. */
    int64_t before, before_at, after, after_at;
    /* transfer.id of those in flight that use the unit, and how many there are. */
    int64_t flights[MOMENT_FLIGHTS], flight_count;
};

/* cycle is in the run of `cycles`. False when SQL fails. */
bool moment_find(sqlite3 *db, int64_t unit, int64_t cycle, int64_t cycles, struct moment *moment);

#endif
