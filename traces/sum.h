/*
 * sum: a checksum of the file of a trace, or of a sweep's result, after its last page, which SQLite
 * does not read. It is the one part of the file that takt writes without SQLite.
 *
 *   the pages of SQLite | "takt sum" | change counter of the file (4) | 0 (4) | sum (8)
 *
 * A file whose change counter is higher, in both of its places, was changed since by SQLite (a
 * user's own table, say): nothing holds it against the sum. In any other one a bit that is not what
 * was written shows.
 */
#ifndef TAKT_TRACES_SUM_H
#define TAKT_TRACES_SUM_H

#include <sqlite3.h>

enum { SUM_SIZE = 24 };

/* Of a database that this connection has locked, with no change open. Returns an SQLite code. */
int sum_write(sqlite3 *db);
/* Within a transaction that has read: SQLITE_OK where the sum is right or there is none,
 * SQLITE_CORRUPT where it is wrong. */
int sum_verify(sqlite3 *db);

#endif
