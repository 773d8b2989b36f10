/*
 * region: a trace as if it were of one region of its program alone.
 *
 * Temporary tables take the place of the trace's for this connection: totals of units are those in
 * the region's time, statements, transfers, waits and warnings those of its statements, and
 * total_cycles its cycles. What is known of the whole run only is absent: counters, bounds, slack,
 * windows and the range. The file is not changed.
 */
#ifndef TAKT_ANALYSIS_REGION_H
#define TAKT_ANALYSIS_REGION_H

#include <sqlite3.h>
#include <stdint.h>

/* Number of the region of this name; -1: the trace has none. */
int64_t region_find(sqlite3 *db, const char *name);

/* "load, compute, rest" into text, cut where it does not fit. */
void region_names(sqlite3 *db, char *text, int size);

/* Cycles from its first statement to the end of its last one; 0 where there are no intervals. */
void region_span(sqlite3 *db, int64_t region, uint64_t *from, uint64_t *to);

/* From here on the database is that of the region. Returns an SQLite code. */
int region_select(sqlite3 *db, int64_t region);

#endif
