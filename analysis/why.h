/*
 * why: the chain of who waited for whom.
 *
 *   UNIT@CYCLE or a line --> what the unit does there and for which statement
 *                        --> what held that statement, since when, by which rule or resource
 *                        --> what held its culprit, and so on to a statement that nothing held
 *
 * What a unit does in a cycle is exact when the trace has intervals there (--detail, --window).
 * Without them the answer comes from the totals (analysis/moment.h) and says how sure it is.
 * In a loop an edge stands for all its turns; the chain then follows the first or the last of them,
 * whichever is nearer.
 */
#ifndef TAKT_ANALYSIS_WHY_H
#define TAKT_ANALYSIS_WHY_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum why_status {
    WHY_FINE,
    WHY_INPUT, /* no such unit, cycle or line: see error */
    WHY_FAILED /* SQL or memory: sqlite3_errmsg */
};

enum why_status why_unit(sqlite3 *db, const char *unit, uint64_t cycle, bool json, FILE *out,
                         char *error, size_t error_size);
/* Of the statements of the line, the one that was held longest. file: as the trace names it, or
 * what follows its last slash; NULL for any. */
enum why_status why_line(sqlite3 *db, const char *file, uint64_t line, bool json, FILE *out,
                         char *error, size_t error_size);

#endif
