/*
 * perfetto: a trace as trace-event JSON, which ui.perfetto.dev and chrome://tracing open.
 *
 *   process "units"          a track a unit, a slice an interval (needs intervals)
 *   process "transfers"      issue --> transfer --> the wait for it, with arrows; a track
 *                            for each transfer that overlaps others
 *   process "critical path"  its runs
 *   process "counters"       busy share and bytes a cycle of each unit by window
 *
 * Units that are the same in every cycle share a track, and those that are never busy have none. A
 * wait that stalls a stream, too, is shown at the stream only.
 *
 * One cycle is one nanosecond: 1,240 cycles read as 1240 ns. otherData has the clock. Written event
 * by event: memory does not grow with the trace, but for the open transfers.
 */
#ifndef TAKT_TRACES_PERFETTO_H
#define TAKT_TRACES_PERFETTO_H

#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>

/* Events that touch [from, to). Returns an SQLite code, SQLITE_IOERR when out failed. */
int perfetto_write(sqlite3 *db, uint64_t from, uint64_t to, FILE *out);

#endif
