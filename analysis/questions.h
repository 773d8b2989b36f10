/*
 * questions: the list of analysis/<name>.sql, built in.
 *
 * Each file begins with a comment: `-- name: the question`, `-- columns:` with one line a column,
 * `-- example:`; then one SELECT that may use :top, the greatest number of rows.
 */
#ifndef TAKT_ANALYSIS_QUESTIONS_H
#define TAKT_ANALYSIS_QUESTIONS_H

#include <sqlite3.h>
#include <stddef.h>

enum question_source {
    FROM_TABLES,    /* of the trace */
    FROM_INTERVALS, /* of a trace with --detail */
    FROM_RUN        /* of its program, at its end (nops_find) */
};

struct question {
    const char *name;
    const char *sql; /* the whole file */
    /* Makes temporary tables that it selects from; NULL: there are none. Returns an SQLite code. */
    int (*prepare)(sqlite3 *db);
    enum question_source source;
};

extern const struct question questions[];
extern const size_t question_count;

/* NULL when there is none of this name. */
const struct question *question_find(const char *name);

/* The question: the rest of the first line, without its NUL. */
const char *question_asks(const struct question *question, size_t *size);

#endif
