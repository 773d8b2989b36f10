#include "traces/interval.h"

#include "timing/sink.h"
#include "traces/rows.h"
#include "traces/slice.h"

int interval_open(struct interval_reader *reader, sqlite3 *db, int64_t unit, uint64_t from,
                  uint64_t to)
{
    *reader = (struct interval_reader){
        .chunk = chunk_read(NULL, 0), .from = from, .to = to, .packed = slice_packed(db)};
    const int rc = rows_prepare(
        db,
        reader->packed ? "SELECT data FROM main.slice_chunk WHERE unit = ?1 AND start < ?3 AND "
                         "finish > ?2 ORDER BY start"
                       : "SELECT start, duration, reason, stmt FROM main.slice_row WHERE unit = ?1 "
                         "AND start < ?3 AND start + duration > ?2 ORDER BY start",
        &reader->rows);
    if (rc == SQLITE_OK) {
        sqlite3_bind_int64(reader->rows, 1, unit);
        sqlite3_bind_int64(reader->rows, 2, (int64_t)from);
        sqlite3_bind_int64(reader->rows, 3, to > INT64_MAX ? INT64_MAX : (int64_t)to);
    }
    return rc;
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

int interval_next(struct interval_reader *reader, struct chunk_interval *interval)
{
    for (;;) {
        const int found = reader->packed ? chunk_next(&reader->chunk, interval) : 0;
        if (found < 0)
            return SQLITE_CORRUPT;
        if (found > 0) {
            if (interval->start >= reader->to)
                reader->chunk = chunk_read(NULL, 0);
            else if (interval->start + interval->duration > reader->from)
                return SQLITE_ROW;
            continue;
        }
        const int rc = rows_step(reader->rows);
        if (rc != SQLITE_ROW)
            return rc;
        if (!reader->packed) {
            *interval = plain(reader->rows);
            return SQLITE_ROW;
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
