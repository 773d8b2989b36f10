/*
 * nops: what each written nop of a run is needed for, as a table for analysis/nops.sql.
 *
 *   trace, run --nops_find--> temp.nop: one row for each pair of statements that needs steps of a
 *                             nop; one without a pair where nothing needs them
 */
#ifndef TAKT_ANALYSIS_NOPS_H
#define TAKT_ANALYSIS_NOPS_H

#include <sqlite3.h>

#include "timing/machine.h"

/* An empty table, unless it has been filled. Returns an SQLite code. */
int nops_table(sqlite3 *db);
/* run: of the program of the trace, done. Returns an SQLite code. */
int nops_find(sqlite3 *db, const struct machine *machine, const struct machine_run *run);

#endif
