/*
 * bulk: rows of integers into one table, 64 rows a statement.
 *
 *   bulk_open --add*--> rows --bulk_close-->
 *
 * One row a statement reaches 3 M rows/s, 64 rows a statement about twice that. Only integers and
 * NULL: texts are interned before they come here.
 */
#ifndef TAKT_TRACES_BULK_H
#define TAKT_TRACES_BULK_H

#include <sqlite3.h>
#include <stdint.h>

#define BULK_NULL INT64_MIN

enum { BULK_ROWS = 64, BULK_COLUMNS = 16 };

struct bulk {
    sqlite3 *db;
    sqlite3_stmt *many, *one;
    int columns, pending;
    int64_t values[BULK_ROWS * BULK_COLUMNS];
};

/* Every call returns an SQLite code. */
int bulk_open(struct bulk *bulk, sqlite3 *db, const char *table, int columns);
int bulk_add(struct bulk *bulk, const int64_t *row);
int bulk_flush(struct bulk *bulk);
void bulk_close(struct bulk *bulk); /* drops what was not flushed */

#endif
