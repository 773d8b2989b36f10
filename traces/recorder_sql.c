/* recorder_sql: calls of SQLite by the recorder, and how a failure is noted. */
#include <stdio.h>

#include "traces/recorder_state.h"
#include "traces/rows.h"

int recorder_fail(struct recorder *r, const char *sentence)
{
    if (!r->failed)
        snprintf(r->error, sizeof r->error, "%s%s%s", r->partial ? r->partial : "recording", ": ",
                 sentence);
    r->failed = true;
    return -1;
}

int recorder_sql(struct recorder *r, int rc)
{
    return rc == SQLITE_OK     ? 0
           : rc == SQLITE_FULL ? recorder_fail(r, "the disk is full")
                               : recorder_fail(r, sqlite3_errmsg(r->db));
}

int recorder_exec(struct recorder *r, const char *sql)
{
    return recorder_sql(r, rows_exec(r->db, sql));
}

sqlite3_stmt *recorder_prepare(struct recorder *r, const char *sql)
{
    sqlite3_stmt *s = NULL;
    recorder_sql(r, rows_prepare(r->db, sql, &s));
    return s;
}

int recorder_step(struct recorder *r, sqlite3_stmt *insert)
{
    const int rc = rows_step(insert);
    const int status = recorder_sql(r, rc == SQLITE_DONE ? SQLITE_OK : rc);
    sqlite3_reset(insert);
    r->written = true;
    return status;
}
