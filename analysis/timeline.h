/*
 * timeline: units or statements by cycles, in characters.
 *
 *                 0         16        32        48
 *   stream        nnttttttttIIII__            one column = the cycles the head names
 *   mem0          .#######......
 *
 * A column shows what took most of its cycles: # busy, : busy for less than it is idle, . idle, I
 * issued, and for what holds a unit back: d data, p port, t tag, u queue, m memory, l link, r
 * priority, e empty, _ drained, and a letter of its name for a reason of the machine; for transfers
 * in the statement view: q issued but not started, ~ in flight.
 *
 * With intervals (--detail) the picture is exact. Without them the unit view shows busy tenths of
 * windows (1 to 9, #) and the statement view transfers alone.
 */
#ifndef TAKT_ANALYSIS_TIMELINE_H
#define TAKT_ANALYSIS_TIMELINE_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct timeline_options {
    uint64_t from, to;                /* cycles; to is cut to the run's end */
    int width;                        /* columns of the whole line */
    uint64_t rows;                    /* most statements shown */
    bool statements, json, all_units; /* all_units: those without a busy cycle too */
};

enum timeline_status { TIMELINE_FINE, TIMELINE_EMPTY, TIMELINE_FAILED };

/* TIMELINE_EMPTY: the window holds no cycle of the run. */
enum timeline_status timeline_print(sqlite3 *db, const struct timeline_options *options, FILE *out);

#endif
