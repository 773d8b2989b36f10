/*
 * schema: the tables of a trace and the numbers that mark a file as one.
 *
 *   empty database --schema_create--> tables, views, dictionaries, schema_field
 *
 * The text of the tables is traces/schema.sql, of v_check traces/check.sql. The version is
 * major * 100 + minor: a reader takes any minor of its own major and refuses a newer major.
 */
#ifndef TAKT_TRACES_SCHEMA_H
#define TAKT_TRACES_SCHEMA_H

#include <sqlite3.h>
#include <stdbool.h>

enum {
    SCHEMA_APPLICATION_ID = 0x54414b54, /* "TAKT" */
    SCHEMA_VERSION = 403 /* to be raised with any change of schema.sql or check.sql, be it a comment: a
                            trace of this version has their tables and views, letter for letter */
};

/* Statements that make the indexes: of the tables that hold totals, and of intervals. */
#define SCHEMA_TOTALS_INDEXES                                                                      \
    "CREATE INDEX transfer_stmt ON transfer (stmt);"
#define SCHEMA_INTERVAL_INDEXES                                                                    \
    "CREATE INDEX slice_chunk_unit ON slice_chunk (unit, start);"                                  \
    "CREATE INDEX slice_row_unit ON slice_row (unit, start);"
#define SCHEMA_INDEXES SCHEMA_TOTALS_INDEXES SCHEMA_INTERVAL_INDEXES

#define SCHEMA_TAKT_VERSION "0.1.0"

/* Create everything in an empty database, inside the caller's transaction if there is one; without
 * documented, schema_field stays empty. Returns an SQLite code. */
int schema_create(sqlite3 *db, bool documented);

#endif
