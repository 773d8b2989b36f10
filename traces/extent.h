/*
 * extent: about how many events an export of a trace has, and how many cycles a number of them
 * covers, without reading the intervals.
 */
#ifndef TAKT_TRACES_EXTENT_H
#define TAKT_TRACES_EXTENT_H

#include <sqlite3.h>
#include <stdint.h>

/* Intervals, transfers (three events each) and runs of the critical path that touch [from, to),
 * about: intervals count by their share of the packed rows that hold them. */
uint64_t extent_events(sqlite3 *db, uint64_t from, uint64_t to);

/* The end of the longest window from `from` on that has about `most` events, at least one cycle and
 * at most up to `to`. */
uint64_t extent_end(sqlite3 *db, uint64_t from, uint64_t to, uint64_t most);

#endif
