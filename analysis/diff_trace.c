/* diff_trace: a side from a trace: its store, and the intervals of its stream. */
#include "analysis/diff_side.h"

#include <stdlib.h>

#include "traces/rows.h"
#include "traces/slice.h"
#include "traces/store_read.h"

static int read_intervals(struct diff_unit *unit, const struct store *store, uint32_t number,
                          sqlite3 *db)
{
    int rc = SQLITE_OK;
    const struct sink_header *h = &store->header;
    sqlite3_stmt *q = rows_select(
        db, "SELECT ts, dur, reason, stmt FROM slice WHERE track_id = ? ORDER BY ts", &rc);
    if (q)
        sqlite3_bind_int64(q, 1, number);
    while (rows_next(q, &rc)) {
        const uint64_t reason = (uint64_t)sqlite3_column_int64(q, 2);
        const uint64_t stmt = (uint64_t)sqlite3_column_int64(q, 3);
        const bool none = sqlite3_column_type(q, 3) == SQLITE_NULL || stmt >= h->stmt_count;
        const struct sink_interval interval = {.start = (uint64_t)sqlite3_column_int64(q, 0),
                                               .duration = (uint64_t)sqlite3_column_int64(q, 1),
                                               .reason = (uint32_t)reason,
                                               .stmt = none ? NONE_ID : (uint32_t)stmt};
        if (reason >= h->reason_count)
            rows_fail(&rc, SQLITE_CORRUPT);
        else if (diff_unit_add(unit, &interval) != 0)
            rows_fail(&rc, SQLITE_NOMEM);
    }
    sqlite3_finalize(q);
    return rc;
}

/* The stream's intervals, where the trace has some. */
static int read_stream(struct diff_stream *stream, const struct store *store, sqlite3 *db)
{
    const uint32_t unit = diff_side_stream(store);
    if (unit == NONE_ID || !slice_packed(db))
        return SQLITE_OK;
    stream->units = calloc(store->header.unit_count, sizeof *stream->units);
    if (!stream->units)
        return SQLITE_NOMEM;
    stream->unit_count = store->header.unit_count;
    diff_unit_begin(&stream->units[unit]);
    return read_intervals(&stream->units[unit], store, unit, db);
}

int diff_side_trace(struct diff_side *side, sqlite3 *db, struct strings *strings)
{
    struct store store;
    struct diff_stream stream = {.units = NULL};
    *side = (struct diff_side){.cycles = 0};
    int rc = store_read(&store, db);
    if (rc == SQLITE_OK)
        rc = store_read_texts(&store, db);
    if (rc == SQLITE_OK)
        rc = read_stream(&stream, &store, db);
    if (rc == SQLITE_OK) {
        const int status = diff_side_read(side, &store, stream.units ? &stream : NULL, strings);
        rc = status == 0 ? SQLITE_OK : status > 0 ? SQLITE_CORRUPT : SQLITE_NOMEM;
    }
    diff_stream_free(&stream);
    store_close(&store);
    return rc;
}
