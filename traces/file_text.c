#include "traces/file_text.h"

#include <stdlib.h>
#include <string.h>

#include "traces/rows.h"
#include "traces/trace.h"

/* Line numbers from 1 and the texts, in any order. */
static sqlite3_stmt *select_lines(sqlite3 *db, int64_t file, int64_t most, int *rc)
{
    sqlite3_stmt *s =
        rows_select(db, "SELECT line, text FROM source WHERE file = ?1 AND line <= ?2", rc);
    if (s) {
        sqlite3_bind_int64(s, 1, file);
        sqlite3_bind_int64(s, 2, most);
    }
    return s;
}

/* Puts each line with its end where `ends` has its begin, which moves to its end. Another program
 * may have written to the trace since the lines were measured. */
static void place(sqlite3_stmt *s, char *text, size_t *ends, int64_t lines, int *rc)
{
    const size_t size = ends[lines];
    while (rows_next(s, rc)) {
        const int64_t line = sqlite3_column_int64(s, 0);
        const size_t length = (size_t)sqlite3_column_bytes(s, 1);
        if (line < 1 || line > lines || length >= size || ends[line - 1] >= size - length) {
            *rc = SQLITE_CORRUPT;
            break;
        }
        size_t *at = &ends[line - 1];
        if (length)
            memcpy(text + *at, sqlite3_column_blob(s, 1), length);
        text[*at + length] = '\n';
        *at += length + 1;
    }
}

int file_text(sqlite3 *db, int64_t file, int64_t most, char **text, size_t *size)
{
    const int64_t lines =
        rows_value(db, "SELECT count(*) FROM source WHERE file = ?1 AND line <= ?2", file, most, 0);
    const size_t all = (size_t)rows_value(db, "SELECT size FROM file WHERE id = ?1", file, 0, 0);
    size_t *begins = calloc((size_t)lines + 1, sizeof *begins);
    int rc = begins ? SQLITE_OK : SQLITE_NOMEM;
    *text = NULL;
    *size = 0;
    sqlite3_stmt *s = select_lines(db, file, most, &rc);
    while (rows_next(s, &rc)) {
        const int64_t line = sqlite3_column_int64(s, 0);
        if (line < 1 || line > lines || begins[line])
            rc = SQLITE_CORRUPT;
        else
            begins[line] = (size_t)sqlite3_column_bytes(s, 1) + 1;
    }
    for (int64_t line = 1; rc == SQLITE_OK && line <= lines; line++)
        begins[line] += begins[line - 1];
    if (rc == SQLITE_OK && !(*text = malloc(begins[lines] + 1)))
        rc = SQLITE_NOMEM;
    if (rc == SQLITE_OK)
        rc = sqlite3_reset(s);
    if (rc == SQLITE_OK) {
        *size = begins[lines];
        place(s, *text, begins, lines, &rc);
        if (*size > all) /* the last line has no end */
            *size = all;
    }
    sqlite3_finalize(s);
    free(begins);
    if (rc != SQLITE_OK) {
        free(*text);
        *text = NULL;
        *size = 0;
    }
    return rc;
}
