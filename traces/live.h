/*
 * live: tables of a recording in memory, read where the recorder gathers them: no row is copied
 * into the database.
 *
 *   struct recorder --live_register--> transfer, warning, stmt, source (traces/schema.sql)
 *
 * stmt has a row for each statement of the program, and source the text of each; both ask the
 * program, which has to outlive the database. Statements have no uid here.
 */
#ifndef TAKT_TRACES_LIVE_H
#define TAKT_TRACES_LIVE_H

#include "traces/recorder_state.h"

/* The four tables appear in the recorder's database, which has no such ones (IMAGE_LEAN). Returns
 * an SQLite code. */
int live_register(struct recorder *r);

#endif
