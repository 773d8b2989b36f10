/*
 * slice: the table of all intervals, packed or plain, for SQL.
 *
 *   slice(ts, dur, track_id, name, category, stmt, reason), and hidden: till = ts + dur
 *
 * ts and dur are cycles, track_id is unit.id, name the statement's text (or the reason if it has no
 * statement), category the reason's name. Idle is never there: it is the complement. When the trace
 * holds packed intervals they are decoded, else the plain rows of a window are shown.
 *
 * The view of the same name inside the file shows the plain rows to tools without takt; this table
 * hides it.
 */
#ifndef TAKT_TRACES_SLICE_H
#define TAKT_TRACES_SLICE_H

#include <sqlite3.h>
#include <stdbool.h>

/* Does the trace hold packed intervals? */
bool slice_packed(sqlite3 *db);
/* Does it hold any, packed or plain? */
bool slice_any(sqlite3 *db);

/* Make temp.slice in db. Returns an SQLite code. */
int slice_register(sqlite3 *db);

#endif
