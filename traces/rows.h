/*
 * rows: every statement of SQL goes through here. Anything but a row or the end is noted as a
 * failure (host/failure.h), so that an answer that lacks rows is not given as whole, even where a
 * caller does not look; of a damaged trace it is the input's, else the host's.
 *
 *   sqlite3_stmt *s = rows_select(db, sql, &rc);
 *   while (rows_next(s, &rc))
 *       ...
 *   sqlite3_finalize(s);
 *
 * *rc is an SQLite code, SQLITE_OK at first: it keeps the first failure, after which there are no
 * rows.
 */
#ifndef TAKT_TRACES_ROWS_H
#define TAKT_TRACES_ROWS_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* As sqlite3_exec without callback, sqlite3_prepare_v2 and sqlite3_step. */
int rows_exec(sqlite3 *db, const char *sql);
int rows_prepare(sqlite3 *db, const char *sql, sqlite3_stmt **rows);
int rows_step(sqlite3_stmt *rows);

/* Whether a code says that the host failed, which is noted: memory, disk. */
bool rows_host_failed(int rc);

/* For sqlite3_finalize; or NULL. */
sqlite3_stmt *rows_select(sqlite3 *db, const char *sql, int *rc);
/* As rows_exec. */
void rows_do(sqlite3 *db, const char *sql, int *rc);
/* The next row; false at the end, and after a failure. */
bool rows_next(sqlite3_stmt *rows, int *rc);
/* Keep a failure, unless there was one. */
void rows_fail(int *rc, int failure);
/* Binds ?1 and ?2 to cycles; of NULL nothing. */
void rows_window(sqlite3_stmt *rows, uint64_t from, uint64_t to);
/* A column as text, "" for NULL; what finds no memory is "", too, and noted (host/failure.h). */
const char *rows_text(sqlite3_stmt *rows, int column);
/* The same with its length, in which there may be a NUL. */
const char *rows_string(sqlite3_stmt *rows, int column, size_t *size);
/* The text in `size` bytes, truncated if longer. */
void rows_copy(sqlite3_stmt *rows, int column, char *to, size_t size);
/* A single integer by SQL with up to two integer parameters; fallback when there is no row. */
int64_t rows_value(sqlite3 *db, const char *sql, int64_t first, int64_t second, int64_t fallback);

#endif
