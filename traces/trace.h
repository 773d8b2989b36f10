/*
 * trace: open a recorded file for questions.
 *
 *   path --trace_open--> read-only database with the table `slice` over all intervals
 *
 * A file that is not a trace, is truncated or of another major version is refused with a sentence.
 * A run that did not end leaves NAME.partial, which opens and says complete = 0.
 */
#ifndef TAKT_TRACES_TRACE_H
#define TAKT_TRACES_TRACE_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "timing/sink.h"

enum { TRACE_HEADER = 100 };
/* Whether a file with this header is a trace, of any version. */
bool trace_is_header(const unsigned char head[TRACE_HEADER]);
/* Whether a file of this name can be read and begins as a trace does. */
bool trace_is(const char *path);

/* "NAME.partial", to be freed; NULL when memory is out. */
char *trace_partial(const char *name);

/* As sqlite3_open_v2, of the file that the name means. */
int trace_connect(sqlite3 **db, const char *path, int flags);

/* SQLite takes files by their names for parts of the one at path, and removes them. 0, and whether
 * one is the journal of a process that writes or was killed; 1 and a sentence about one that is not
 * a journal. */
int trace_beside(const char *path, bool *journal, char *error, size_t error_size);

/* Returns 0; 1 for an error of the file; -1 of the host. */
int trace_open(sqlite3 **db, const char *path, char *error, size_t error_size);

/* The same for writing (takt trace). */
int trace_open_for_change(sqlite3 **db, const char *path, char *error, size_t error_size);

/* An opened trace takes no statement that writes, be it into temporary tables, unless closed is
 * false. Returns the previous state. */
bool trace_temporary(sqlite3 *db, bool closed);

/* What a failed statement says, as a sentence about the trace. Returns 1 or -1 as above. */
int trace_error(sqlite3 *db, const char *path, char *error, size_t error_size);

/* Facts: a number of meta, or fallback. */
int64_t trace_integer(sqlite3 *db, const char *key, int64_t fallback);
bool trace_complete(sqlite3 *db);
/* A text of meta, "" where there is none; returns text. */
char *trace_text(sqlite3 *db, const char *key, char *text, size_t size);

/* SQL over transfers t, in which the first comment "attributes" becomes a column for each attribute
 * of this trace's transfers, by its name. To be given to sqlite3_free; NULL when memory is out or
 * the trace fails. */
char *trace_expand(sqlite3 *db, const char *sql);

/* The names of the reasons by their ids; *rc as in traces/rows.h. */
void trace_reasons(sqlite3 *db, char names[REASON_MAX][64], int *rc);

/* Cycles of the run, or how far it came; of one that was killed, how far the intervals go that were
 * committed. -1: not known. */
int64_t trace_reached(sqlite3 *db);

/*
 * Write the packed intervals that touch [from, to) as plain rows of slice_row, so that tools
 * without takt see them; they replace those of an earlier window. Returns 0; 1 for an error of the
 * trace, -1 when the host failed: error then says why, and the trace stays as it was. path is for
 * the sentence.
 */
int trace_materialize(sqlite3 *db, const char *path, uint64_t from, uint64_t to, char *error,
                      size_t error_size);

#endif
