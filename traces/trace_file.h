/*
 * trace_file: how a trace gets its name without damage to a good one.
 *
 *   NAME --trace_file_claim--> NAME.partial, locked --run--> complete: renamed to NAME
 *                                                            else:     stays NAME.partial
 *
 * Only one run at a time writes NAME.partial: it holds SQLite's exclusive lock on it until it
 * ends, however it ends. NAME.partial is taken if it does not exist or is an unfinished
 * trace without a writer; every other file is left alone.
 */
#ifndef TAKT_TRACES_TRACE_FILE_H
#define TAKT_TRACES_TRACE_FILE_H

#include <sqlite3.h>
#include <stdbool.h>

enum { TRACE_FILE_ERROR = 512 };

/* An empty database at partial, in an exclusive transaction whose lock lasts until it is closed.
 * Returns 0; 1 when the file at one of the two names must be left alone or another run writes
 * it; -1 when the host failed. */
int trace_file_claim(sqlite3 **db, const char *name, const char *partial,
                     char error[TRACE_FILE_ERROR]);

/* Remove a partial that is still locked, with the journal that SQLite may leave. */
void trace_file_drop(const char *partial);

/* Bring the closed, complete partial to the disk and give it its name. Returns as above. */
int trace_file_publish(const char *name, const char *partial, char error[TRACE_FILE_ERROR]);

#endif
