#include "traces/rows.h"

#include <stdio.h>
#include <stddef.h>

#include "host/failure.h"

bool rows_host_failed(int rc)
{
    switch (rc & 0xff) {
    case SQLITE_NOMEM:
    case SQLITE_IOERR:
    case SQLITE_FULL:
    case SQLITE_CANTOPEN:
    case SQLITE_MISUSE:
        failure_note(sqlite3_errstr(rc));
        return true;
    default:
        return false;
    }
}

static int note(int rc)
{
    switch (rc & 0xff) {
    case SQLITE_OK:
    case SQLITE_ROW:
    case SQLITE_DONE:
    case SQLITE_INTERRUPT: /* an interrupt was requested */
        break;
    default:
        if (!rows_host_failed(rc))
            failure_note_input(sqlite3_errstr(rc));
    }
    return rc;
}

int rows_exec(sqlite3 *db, const char *sql)
{
    return note(sqlite3_exec(db, sql, NULL, NULL, NULL));
}

int rows_prepare(sqlite3 *db, const char *sql, sqlite3_stmt **rows)
{
    *rows = NULL;
    return note(sqlite3_prepare_v2(db, sql, -1, rows, NULL));
}

int rows_step(sqlite3_stmt *rows)
{
    return note(sqlite3_step(rows));
}

void rows_fail(int *rc, int failure)
{
    if (*rc == SQLITE_OK)
        *rc = note(failure);
}

void rows_do(sqlite3 *db, const char *sql, int *rc)
{
    if (*rc == SQLITE_OK)
        *rc = rows_exec(db, sql);
}

void rows_window(sqlite3_stmt *rows, uint64_t from, uint64_t to)
{
    sqlite3_bind_int64(rows, 1, (int64_t)from);
    sqlite3_bind_int64(rows, 2, to > INT64_MAX ? INT64_MAX : (int64_t)to);
}

const char *rows_string(sqlite3_stmt *rows, int column, size_t *size)
{
    const bool none = sqlite3_column_type(rows, column) == SQLITE_NULL;
    const char *text = (const char *)sqlite3_column_text(rows, column);
    if (!text && !none)
        failure_note("out of memory");
    *size = text ? (size_t)sqlite3_column_bytes(rows, column) : 0;
    return text ? text : "";
}

const char *rows_text(sqlite3_stmt *rows, int column)
{
    size_t size;
    return rows_string(rows, column, &size);
}

sqlite3_stmt *rows_select(sqlite3 *db, const char *sql, int *rc)
{
    sqlite3_stmt *rows = NULL;
    if (*rc == SQLITE_OK)
        *rc = rows_prepare(db, sql, &rows);
    return rows;
}

bool rows_next(sqlite3_stmt *rows, int *rc)
{
    const int step = rows && *rc == SQLITE_OK ? rows_step(rows) : SQLITE_DONE;
    if (step != SQLITE_ROW && step != SQLITE_DONE)
        *rc = step;
    return step == SQLITE_ROW;
}

void rows_copy(sqlite3_stmt *rows, int column, char *to, size_t size)
{
    snprintf(to, size, "%s", rows_text(rows, column));
}

int64_t rows_value(sqlite3 *db, const char *sql, int64_t first, int64_t second, int64_t fallback)
{
    sqlite3_stmt *s = NULL;
    int64_t value = fallback;
    if (rows_prepare(db, sql, &s) == SQLITE_OK) {
        const int parameters = sqlite3_bind_parameter_count(s);
        if (parameters > 0)
            sqlite3_bind_int64(s, 1, first);
        if (parameters > 1)
            sqlite3_bind_int64(s, 2, second);
        if (rows_step(s) == SQLITE_ROW && sqlite3_column_type(s, 0) != SQLITE_NULL)
            value = sqlite3_column_int64(s, 0);
    }
    sqlite3_finalize(s);
    return value;
}
