/*
 * rows: the rows of a SELECT, for a reader that looks once, at its end, whether all went well.
 * *rc is an SQLite code, SQLITE_OK at first: it keeps the first failure, after which there are no
 * rows.
 */
#ifndef TAKT_ANALYSIS_ROWS_H
#define TAKT_ANALYSIS_ROWS_H

#include <sqlite3.h>
#include <stdbool.h>

/* For sqlite3_finalize; or NULL. */
sqlite3_stmt *rows_select(sqlite3 *db, const char *sql, int *rc);
/* The next row; false at the end, and after a failure. */
bool rows_next(sqlite3_stmt *rows, int *rc);
/* Keep a failure, unless there was one. */
void rows_fail(int *rc, int failure);

#endif
