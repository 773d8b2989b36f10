/*
 * diff_side: one of two runs that are compared, as a list of what each cycle was spent on.
 *
 *   store of a run + its stream --diff_side_read--> statements, cells, runs, params
 *   trace --diff_side_trace--> the same
 *
 * Why the issuing stream. Its cycles tile [0, total) in every run: a cycle belongs to the statement
 * that issues in it, at which the stream waits, or that the end still waits for. Of two versions of
 * a schedule nearly all of these are equal and cancel; what remains is what was changed and which
 * waits became longer or shorter for it. The critical path tiles the time, too, but jumps between
 * units: where one version waits for a memory and the other no longer does, all statements of one
 * of them enter the path, and thousands of cells hide the few that were changed.
 *
 * A wait alone does not say what made it long. So a cycle in which the stream waits
 * is split further, by the binding edges of the run: first by what held the statement, and where
 * that is a transfer, by what held the transfer in turn. Each such part names a unit and a second
 * statement, its source. Parts of a wait have no order in time: the longest hold comes first, and
 * no part is longer than the hold or than what is left of the wait.
 *
 * Of several streams it is the one that ends last: the fewest cycles idle, then the fewest drained,
 * then the first. What is not charged to any statement (a stream that has drained) is charged to
 * the statement with which the critical path ends.
 *
 * A trace without intervals has only totals: equal statements that share one total get equal parts
 * of it, and what the machine itself inserts belongs to no statement.
 */
#ifndef TAKT_ANALYSIS_DIFF_SIDE_H
#define TAKT_ANALYSIS_DIFF_SIDE_H

#include <sqlite3.h>

#include "analysis/diff_stream.h"
#include "traces/store.h"

/* All names and texts are numbers of one struct strings, which both sides share. */
struct diff_stmt {
    uint32_t file; /* index into files */
    uint32_t line;
    uint32_t text;   /* blanks are one blank */
    uint32_t word;   /* its first word, up to a slash */
    uint32_t region; /* name */
};

/* Cycles that add up to those of the run, modulo 2^64. */
struct diff_cell {
    uint32_t stmt, source; /* statements, or NONE_ID; source: what held stmt */
    uint32_t reason, unit;
    uint64_t cycles;
};

struct diff_param {
    uint32_t name, value, unit;
};

struct diff_side {
    uint64_t cycles;
    uint32_t machine, stream; /* stream: the name of its unit */
    uint32_t state;           /* hash of the final state, if the trace keeps it */
    uint32_t *files;
    size_t file_count;
    uint32_t *regions; /* names; the first is for statements in no region */
    size_t region_count;
    struct diff_stmt *stmts;
    size_t stmt_count;
    struct diff_cell *cells;
    size_t cell_count, cell_capacity;
    struct diff_run *runs; /* reason: a number of strings */
    size_t run_count;
    bool ordered;              /* runs are known to be in order of time */
    bool all;                  /* they are the whole of it */
    struct diff_param *params; /* by name */
    size_t param_count;
};

/* Of a run that is done. stream NULL: by totals alone. Returns 0; 1 where the store of a trace
 * contradicts itself; -1 without memory. side is to be freed in every case. */
int diff_side_read(struct diff_side *side, const struct store *store,
                   const struct diff_stream *stream, struct strings *strings);
/* Returns an SQLite code; SQLITE_CORRUPT where rows of the trace contradict each other. */
int diff_side_trace(struct diff_side *side, sqlite3 *db, struct strings *strings);
/* The unit of the stream that is compared; NONE_ID: none. */
uint32_t diff_side_stream(const struct store *store);
void diff_side_free(struct diff_side *side);

#endif
