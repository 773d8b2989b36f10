/*
 * page_data: what the pictures of a page are drawn from, as one JSON object.
 *
 *   trace --analysis/page/NAME.sql--> {"cycles":1256, "from":0, "to":1256, ...,
 *                                      "NAME":{"columns":[...], "rows":[[...], ...], "cut":false},
 *                                      "tracks":[...]}
 *
 * A track has what one unit did in the cycles shown:
 *   {"unit":3, "items":[gap, duration, reason, statement, ...]}   its intervals. gap: cycles since
 * the end of the one before; statement: number + 1, less that of the one before; 0: no statement
 *   {"unit":4, "step":64, "from":0, "busy":[...], "waiting":[...], "reason":[...]}   cycles of each
 *       window of `step` cycles, and the reason of most of those it waited; where there are more
 *       intervals than a page can hold, and without intervals, then "busy" alone
 *   {"unit":5, "same":3}   the same as an earlier unit
 *
 * Intervals of issuing units are kept first, and none after a unit with more than the page holds.
 * Statements and texts are those that something else in the object names.
 */
#ifndef TAKT_ANALYSIS_PAGE_DATA_H
#define TAKT_ANALYSIS_PAGE_DATA_H

#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>

/* Of a page at most: intervals, windows of a unit, rows of another table. */
enum { PAGE_INTERVALS = 300000, PAGE_WINDOWS = 2000, PAGE_ROWS = 30000 };

/* The cycles [from, to), cut to those of the run; db has temp.slice (traces/slice.h). Within it,
 * "<" is written as an escape, so that it is safe in a script element. Returns an SQLite code. */
int page_data_print(sqlite3 *db, uint64_t from, uint64_t to, FILE *out);

#endif
