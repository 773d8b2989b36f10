#include "traces/bulk.h"

#include <stdio.h>
#include <string.h>

static int prepare(struct bulk *bulk, const char *table, int rows, sqlite3_stmt **statement)
{
    char sql[128 + BULK_ROWS * (2 * BULK_COLUMNS + 2)];
    size_t n = (size_t)snprintf(sql, sizeof sql, "INSERT INTO %s VALUES ", table);
    for (int r = 0; r < rows; r++) {
        sql[n++] = r ? ',' : ' ';
        for (int c = 0; c < bulk->columns; c++) {
            sql[n++] = c ? ',' : '(';
            sql[n++] = '?';
        }
        sql[n++] = ')';
    }
    return sqlite3_prepare_v3(bulk->db, sql, (int)n, SQLITE_PREPARE_PERSISTENT, statement, NULL);
}

int bulk_open(struct bulk *bulk, sqlite3 *db, const char *table, int columns)
{
    memset(bulk, 0, sizeof *bulk);
    bulk->db = db;
    bulk->columns = columns;
    int rc = prepare(bulk, table, BULK_ROWS, &bulk->many);
    if (rc == SQLITE_OK) {
        rc = prepare(bulk, table, 1, &bulk->one);
    }
    return rc;
}

static int insert(sqlite3_stmt *s, const int64_t *values, int count)
{
    for (int i = 0; i < count; i++) {
        if (values[i] == BULK_NULL) {
            sqlite3_bind_null(s, i + 1);
        } else {
            sqlite3_bind_int64(s, i + 1, values[i]);
        }
    }
    const int rc = sqlite3_step(s);
    sqlite3_reset(s);
    return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

int bulk_add(struct bulk *bulk, const int64_t *row)
{
    memcpy(bulk->values + bulk->pending * bulk->columns, row, (size_t)bulk->columns * sizeof *row);
    if (++bulk->pending < BULK_ROWS) {
        return SQLITE_OK;
    }
    bulk->pending = 0;
    return insert(bulk->many, bulk->values, BULK_ROWS * bulk->columns);
}

int bulk_flush(struct bulk *bulk)
{
    int rc = SQLITE_OK;
    for (int r = 0; r < bulk->pending && rc == SQLITE_OK; r++) {
        rc = insert(bulk->one, bulk->values + r * bulk->columns, bulk->columns);
    }
    bulk->pending = 0;
    return rc;
}

void bulk_close(struct bulk *bulk)
{
    sqlite3_finalize(bulk->many);
    sqlite3_finalize(bulk->one);
    bulk->many = bulk->one = NULL;
}
