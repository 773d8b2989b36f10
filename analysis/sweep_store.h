/*
 * sweep_store: the tables of a sweep's results, the same in each chunk and in the merged file.
 *
 *   about(name, value)
 *   points(number, hash, program, chip, AXIS.., ok, cycles, .., why, COUNTER..)
 *
 * Databases are made in memory and written as a whole, so that no lock of a network's file system
 * matters and a reader never sees a part.
 */
#ifndef TAKT_ANALYSIS_SWEEP_STORE_H
#define TAKT_ANALYSIS_SWEEP_STORE_H

#include <jansson.h>
#include <sqlite3.h>

#include "analysis/sweep_spec.h"

enum { SWEEP_ERROR = 800 };

/* A column that every result has. */
bool sweep_store_has(const char *name);
/* The names of counters, and the expressions of quantities. As sweep_spec_read. */
int sweep_store_check(const struct sweep_spec *spec, struct diag_list *diags);

/* The tables; axes and counters are lists of names. Returns an SQLite code, and *db to be closed in
 * every case. */
int sweep_store_new(sqlite3 **db, const json_t *axes, const json_t *counters);
int sweep_store_about(sqlite3 *db, const char *name, const char *value);
int sweep_store_about_number(sqlite3 *db, const char *name, double value);

/* An INSERT of one row. */
sqlite3_stmt *sweep_store_insert(sqlite3 *db, const json_t *axes, const json_t *counters, int *rc);
/* A line of the plan, and what takt batch answers. */
int sweep_store_put(sqlite3_stmt *insert, const json_t *axes, const json_t *counters,
                    const json_t *line, const json_t *answer);

/* Returns 0, or -1 with a sentence. */
int sweep_store_write(sqlite3 *db, const char *path, char error[SWEEP_ERROR]);

#endif
