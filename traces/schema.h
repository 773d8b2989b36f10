/*
 * schema: the tables of a trace and the numbers that mark a file as one.
 *
 *   empty database --schema_create--> tables, views, schema_field, state, dep_kind
 *
 * The text of the tables is traces/schema.sql, of v_check traces/check.sql. The version is
 * major * 100 + minor: a reader takes any minor of the same major and refuses every other major.
 */
#ifndef TAKT_TRACES_SCHEMA_H
#define TAKT_TRACES_SCHEMA_H

#include <sqlite3.h>

#include "version.h" /* TAKT_VERSION; the Makefile makes it */

enum {
    SCHEMA_APPLICATION_ID = 0x54414b54, /* "TAKT" */
    SCHEMA_VERSION = 1102 /* to be raised with any change of schema.sql or check.sql, be it a
                            comment: a trace of this version has them letter for letter */
};

/* Made when everything has been written. */
#define SCHEMA_INDEXES                                                                             \
    "CREATE INDEX transfer_stmt ON transfer (stmt);"                                               \
    "CREATE INDEX dep_dst ON dep (dst);"                                                           \
    "CREATE INDEX slice_chunk_unit ON slice_chunk (unit, start);"

/* Create everything in an empty database, inside the caller's transaction if there is one. Returns
 * an SQLite code. */
int schema_create(sqlite3 *db);
/* Only the tables and views. */
int schema_tables(sqlite3 *db);

#endif
