#include "analysis/rows.h"

#include <stddef.h>

void rows_fail(int *rc, int failure)
{
    if (*rc == SQLITE_OK)
        *rc = failure;
}

sqlite3_stmt *rows_select(sqlite3 *db, const char *sql, int *rc)
{
    sqlite3_stmt *rows = NULL;
    if (*rc == SQLITE_OK)
        *rc = sqlite3_prepare_v2(db, sql, -1, &rows, NULL);
    return rows;
}

bool rows_next(sqlite3_stmt *rows, int *rc)
{
    const int step = rows && *rc == SQLITE_OK ? sqlite3_step(rows) : SQLITE_DONE;
    if (step != SQLITE_ROW && step != SQLITE_DONE)
        *rc = step;
    return step == SQLITE_ROW;
}
