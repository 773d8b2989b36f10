/*
 * interval: the intervals of one unit, one after the other, for readers that take them by the
 * million; SQL has them as the table `slice`.
 *
 *   unit, cycles --interval_open--> reader --interval_next*--> interval
 *
 * Packed intervals are decoded; a trace without them gives the plain rows of its window.
 */
#ifndef TAKT_TRACES_INTERVAL_H
#define TAKT_TRACES_INTERVAL_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

#include "traces/chunk.h"

struct interval_reader {
    sqlite3_stmt *rows;
    struct chunk_reader chunk;
    uint64_t from, to;
    bool packed;
    int *rc;
};

/* Those that touch [from, to). *rc keeps the first failure, as in traces/rows.h; interval_close
 * follows in any case. */
void interval_open(struct interval_reader *reader, sqlite3 *db, int64_t unit, uint64_t from,
                   uint64_t to, int *rc);
/* The next one; false at the end, and after a failure. */
bool interval_next(struct interval_reader *reader, struct chunk_interval *interval);
void interval_close(struct interval_reader *reader);

#endif
