/* recorder_rows: rows of a list, bound and inserted many at once. */
#include <stdio.h>

#include "traces/recorder_state.h"

enum { ROWS = 32, INSERT_BYTES = 128 + ROWS * 32 };

static sqlite3_stmt *prepare_rows(struct recorder *r, const struct recorder_rows *rows, int count)
{
    char sql[INSERT_BYTES];
    char *at = sql + snprintf(sql, 100, "INSERT OR FAIL INTO %s VALUES", rows->table);
    for (int i = 0; i < count; i++) {
        *at++ = i ? ',' : ' ';
        *at++ = '(';
        for (int c = 0; c < rows->columns; c++) {
            *at++ = '?';
            *at++ = c + 1 < rows->columns ? ',' : ')';
        }
    }
    *at = '\0';
    return recorder_prepare(r, sql);
}

/* Several rows a statement, which takes half the time of one. */
int recorder_insert(struct recorder *r, const struct recorder_rows *rows)
{
    if (rows->count == 0)
        return 0;
    sqlite3_stmt *many = prepare_rows(r, rows, ROWS), *one = prepare_rows(r, rows, 1);
    size_t i = 0;
    while (many && one && !r->failed && i < rows->count) {
        size_t picked[ROWS];
        int count = 0;
        for (; count < ROWS && i < rows->count; i++)
            if (!rows->keep || rows->keep(rows->list, i))
                picked[count++] = i;
        if (count == ROWS) {
            for (int k = 0; k < ROWS; k++)
                rows->bind(r, rows, picked[k], many, 1 + k * rows->columns);
            recorder_step(r, many);
            continue;
        }
        for (int k = 0; k < count && !r->failed; k++) {
            rows->bind(r, rows, picked[k], one, 1);
            recorder_step(r, one);
        }
    }
    sqlite3_finalize(many);
    sqlite3_finalize(one);
    return r->failed ? -1 : 0;
}

void recorder_bind_id(sqlite3_stmt *s, int index, uint32_t id)
{
    if (id == NONE_ID)
        sqlite3_bind_null(s, index);
    else
        sqlite3_bind_int64(s, index, id);
}

void recorder_bind_integers(sqlite3_stmt *s, int first, const uint64_t *values, int count)
{
    for (int i = 0; i < count; i++)
        sqlite3_bind_int64(s, first + i, (int64_t)values[i]);
}

void recorder_bind_text(sqlite3_stmt *s, int index, const char *text)
{
    sqlite3_bind_text(s, index, text ? text : "", -1, SQLITE_STATIC);
}

int recorder_write_facts(struct recorder *r, const struct recorder_fact *facts, size_t count)
{
    sqlite3_stmt *s = recorder_prepare(r, "INSERT INTO meta VALUES (?, ?)");
    for (size_t i = 0; s && i < count && !r->failed; i++) {
        recorder_bind_text(s, 1, facts[i].key);
        if (facts[i].text)
            recorder_bind_text(s, 2, facts[i].text);
        else
            sqlite3_bind_int64(s, 2, (int64_t)facts[i].number);
        recorder_step(r, s);
    }
    sqlite3_finalize(s);
    return r->failed ? -1 : 0;
}
