/*
 * query: SQL of the user on a trace, which it can read and nothing else.
 *
 * An authorizer allows reading and functions; no other file can be attached, nothing written.
 * Limits on time, rows and the size of a value keep a slip from taking the machine.
 */
#ifndef TAKT_ANALYSIS_QUERY_H
#define TAKT_ANALYSIS_QUERY_H

#include "analysis/answer.h"

struct query_options {
    struct answer_options answer;
    double seconds; /* 0: no limit */
};

enum query_status {
    QUERY_FINE,
    QUERY_CUT,    /* the row limit cut the answer */
    QUERY_LATE,   /* the time limit stopped it */
    QUERY_REFUSED /* not SQL, not one statement, or not reading: see error */
};

/* Limits the size of a value of this connection, and all memory of SQLite. Returns the limit of
 * memory before. */
int64_t query_limit(sqlite3 *db);

/* Returns a status, or -1 when the trace or the host failed (sqlite3_errmsg says why). */
int query_run(sqlite3 *db, const char *sql, const struct query_options *options, FILE *out,
              char *error, size_t error_size);

#endif
