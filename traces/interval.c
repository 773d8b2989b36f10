#include "traces/interval.h"

#include "timing/sink.h"
#include "traces/rows.h"
#include "traces/slice.h"

void interval_open(struct interval_reader *reader, sqlite3 *db, int64_t unit, uint64_t from,
                   uint64_t to, int *rc)
{
    const bool packed = slice_packed(db);
    *reader = (struct interval_reader){
        .chunk = chunk_read(NULL, 0), .from = from, .to = to, .packed = packed, .rc = rc};
    reader->rows = rows_select(
        db,
        packed ? "SELECT data FROM main.slice_chunk WHERE unit = ?3 AND start < ?2 AND finish > ?1 "
                 "ORDER BY start"
               : "SELECT start, duration, reason, stmt FROM main.slice_row WHERE unit = ?3 AND "
                 "start < ?2 AND start + duration > ?1 ORDER BY start",
        rc);
    rows_window(reader->rows, from, to);
    sqlite3_bind_int64(reader->rows, 3, unit);
}

static struct chunk_interval plain(sqlite3_stmt *row)
{
    return (struct chunk_interval){.start = (uint64_t)sqlite3_column_int64(row, 0),
                                   .duration = (uint64_t)sqlite3_column_int64(row, 1),
                                   .reason = (uint32_t)sqlite3_column_int64(row, 2),
                                   .stmt = sqlite3_column_type(row, 3) == SQLITE_NULL
                                               ? NONE_ID
                                               : (uint32_t)sqlite3_column_int64(row, 3)};
}

bool interval_next(struct interval_reader *reader, struct chunk_interval *interval)
{
    for (;;) {
        const int found = reader->packed ? chunk_next(&reader->chunk, interval) : 0;
        if (found > 0) {
            if (interval->start >= reader->to)
                reader->chunk = chunk_read(NULL, 0);
            else if (interval->start + interval->duration > reader->from)
                return true;
            continue;
        }
        if (found < 0)
            rows_fail(reader->rc, SQLITE_CORRUPT);
        if (!rows_next(reader->rows, reader->rc))
            return false;
        if (!reader->packed) {
            *interval = plain(reader->rows);
            return true;
        }
        reader->chunk = chunk_read(sqlite3_column_blob(reader->rows, 0),
                                   (size_t)sqlite3_column_bytes(reader->rows, 0));
    }
}

void interval_close(struct interval_reader *reader)
{
    sqlite3_finalize(reader->rows);
    *reader = (struct interval_reader){0};
}
