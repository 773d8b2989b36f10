/*
 * stacks: where the cycles of the instruction streams go, in the formats of profilers.
 *
 *   trace --stacks_folded, stacks_speedscope, stacks_callgrind--> text
 *
 * A stack is stream > region > statement > reason; its weight are cycles. All stacks of a stream
 * add up to the cycles of the run. Cycles that belong to no statement have the frame "(no
 * statement)".
 *
 *   folded      a line each, "issue;rest;k.vsm:3 lpassa $lm0v $lr0v;busy 4": flamegraph.pl, inferno
 *   speedscope  the JSON of speedscope.app: a profile for each stream
 *   callgrind   lines of each file and region, for kcachegrind
 */
#ifndef TAKT_TRACES_STACKS_H
#define TAKT_TRACES_STACKS_H

#include <sqlite3.h>
#include <stdio.h>

/* Return an SQLite code, SQLITE_IOERR when out failed. */
int stacks_folded(sqlite3 *db, FILE *out);
int stacks_speedscope(sqlite3 *db, FILE *out);
int stacks_callgrind(sqlite3 *db, FILE *out);

#endif
