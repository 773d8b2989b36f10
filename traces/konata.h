/*
 * konata: a trace as the log that the pipeline viewer Konata opens (its format "Kanata 0004").
 *
 *   one row        a statement each time it is issued
 *   its stages     on the stream: what it waits for, by the reason's name, then Is; on units: the
 *                  unit's name; of a transfer: queue until it starts, move until it is done
 *   retired        at the end of its last stage
 *
 * Stages that overlap are in separate lanes. Units that are the same in every cycle give one
 * stage. Two issues of a statement with nothing between them are one row. All rows of the window
 * are in memory at once, about 100 bytes a stage.
 */
#ifndef TAKT_TRACES_KONATA_H
#define TAKT_TRACES_KONATA_H

#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>

/* Statements that are in a stream in [from, to), or are transfers that touch it. The trace has
 * intervals. Returns an SQLite code, SQLITE_IOERR when out failed. */
int konata_write(sqlite3 *db, uint64_t from, uint64_t to, FILE *out);

#endif
