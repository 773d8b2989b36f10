/*
 * loops: repeats in what the streams of a run have issued, unrolled in the text or not.
 *
 * The intervals of a trace say which statement an issuing unit was at, and when. Statements whose
 * texts differ in numbers alone (addresses, registers, tags) count as equal. A loop is a sequence
 * of at least three equal consecutive turns; of several that begin at one statement the
 * one that reaches furthest is taken, of these the one of the shortest turn. Inside one turn loops
 * are looked for again.
 *
 * A turn takes from the issue of its first statement to that of the next turn's. The steady state
 * are the turns of the most frequent length (of equally frequent ones the shortest); entry are the
 * cycles before the first such turn, exit those after the last one.
 */
#ifndef TAKT_ANALYSIS_LOOPS_H
#define TAKT_ANALYSIS_LOOPS_H

#include <sqlite3.h>

/* Fill the table temp.loop, one row a loop in the order of their begin (analysis/loops.sql). It is
 * empty when the trace has no intervals. Returns an SQLite code. */
int loops_find(sqlite3 *db);

#endif
