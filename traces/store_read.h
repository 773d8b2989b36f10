/*
 * store_read: what answers need of a trace, into the store that a run fills (traces/store.h).
 *
 * Of a database that is one of a region (analysis/region.h) the store is the region's. Texts of
 * statements are there where another waited for them, or they waited.
 */
#ifndef TAKT_TRACES_STORE_READ_H
#define TAKT_TRACES_STORE_READ_H

#include <sqlite3.h>

#include "traces/store.h"

/* Into a new store, to be closed in every case; empty after a failure. Returns an SQLite code. */
int store_read(struct store *store, sqlite3 *db);
/* And the texts of all statements. */
int store_read_texts(struct store *store, sqlite3 *db);

#endif
