#include "analysis/diff_reader.h"

#include <string.h>

#include "host/grow.h"

uint32_t diff_reader_column_id(sqlite3_stmt *q, int column, size_t count)
{
    const int64_t id = sqlite3_column_int64(q, column);
    const bool valid =
        sqlite3_column_type(q, column) == SQLITE_INTEGER && id >= 0 && (uint64_t)id < count;
    return valid ? (uint32_t)id : NONE_ID;
}

uint64_t diff_reader_column_cycles(sqlite3_stmt *q, int column)
{
    return (uint64_t)sqlite3_column_int64(q, column);
}

bool diff_reader_room(struct diff_reader *r, void *list, size_t count, size_t *capacity,
                      size_t size)
{
    void *items, *more;
    memcpy(&items, list, sizeof items);
    more = grow(items, capacity, count + 1, size);
    if (more)
        memcpy(list, &more, sizeof more);
    else
        rows_fail(&r->rc, SQLITE_NOMEM);
    return r->rc == SQLITE_OK;
}
