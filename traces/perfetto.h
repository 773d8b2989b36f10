/*
 * perfetto: a trace as trace-event JSON, which ui.perfetto.dev and chrome://tracing open.
 *
 *   process "units"          a track a unit, a slice an interval (needs --detail)
 *   process "transfers"      issue --flow--> transfer --flow--> the wait that stood for it; a track
 * a transfer that runs beside others process "critical path"  its runs process "counters" busy
 * share of each unit by window; bytes a cycle in flight
 *
 * One cycle is shown as one microsecond, so that all numbers stay whole; otherData has the clock.
 * Written event by event: memory does not grow with the trace, but for the open transfers.
 */
#ifndef TAKT_TRACES_PERFETTO_H
#define TAKT_TRACES_PERFETTO_H

#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>

/* Number of events that a window would give, about: for a warning before writing. */
uint64_t perfetto_estimate(sqlite3 *db, uint64_t from, uint64_t to);

/* Events that touch [from, to). Returns an SQLite code, SQLITE_IOERR when out failed. */
int perfetto_write(sqlite3 *db, uint64_t from, uint64_t to, FILE *out);

#endif
