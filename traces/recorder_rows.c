/* recorder_rows: rows that are gathered, and where they go. */
#include <string.h>

#include "host/big_memory.h"
#include "traces/recorder_state.h"

int rows_reserve(struct recorder *r, struct rows *rows, size_t more)
{
    if (rows->count + more <= rows->capacity) {
        return 0;
    }
    const size_t row_bytes = rows->columns * sizeof *rows->values,
                 mapped = BIG_MEMORY_MAPPED / row_bytes + 1;
    size_t capacity = rows->capacity ? rows->capacity * 2 : 64;
    if (rows->capacity && capacity < mapped) {
        capacity = mapped;
    }
    while (capacity < rows->count + more) {
        capacity *= 2;
    }
    int64_t *values =
        big_memory_grow(rows->values, rows->capacity * row_bytes, capacity * row_bytes);
    if (!values) {
        return recorder_fail(r, "out of memory");
    }
    rows->values = values;
    rows->capacity = capacity;
    return 0;
}

int rows_add(struct recorder *r, struct rows *rows, const int64_t *row)
{
    if (rows->count == rows->capacity && rows_reserve(r, rows, 1)) {
        return -1;
    }
    memcpy(rows->values + rows->count++ * rows->columns, row, rows->columns * sizeof *row);
    return 0;
}

void rows_free(struct rows *rows)
{
    big_memory_free(rows->values, rows->capacity * rows->columns * sizeof *rows->values);
    *rows = (struct rows){0};
}

int out_open(struct out *out, struct recorder *r, const char *table, unsigned columns, bool keyed)
{
    out->recorder = r;
    out->tree = NULL;
    out->index = NULL;
    out->columns = columns;
    out->keyed = keyed;
    out->id = 0;
    return recorder_sql(r, bulk_open(&out->bulk, r->db, table, (int)columns));
}

int out_row(struct out *out, const int64_t *row)
{
    if (out->index) {
        index_row(out->index, row);
        return 0;
    }
    if (!out->tree) {
        return recorder_sql(out->recorder, bulk_add(&out->bulk, row));
    }
    out->id = out->keyed ? row[0] : out->id + 1;
    tree_row(out->tree, out->id, row, out->columns, out->keyed);
    return 0;
}

int out_close(struct out *out)
{
    const int status = recorder_sql(out->recorder, bulk_flush(&out->bulk));
    bulk_close(&out->bulk);
    return status;
}

int rows_write(struct rows *rows, size_t end, struct out *out)
{
    for (; rows->written < end; rows->written++) {
        if (out_row(out, rows->values + rows->written * rows->columns)) {
            return -1;
        }
    }
    return 0;
}
