/*
 * file_text: the text of a source file out of a trace, put together in the memory that it takes.
 *
 * The view v_file has the same as one value, which SQLite sorts and joins in several times as much.
 */
#ifndef TAKT_TRACES_FILE_TEXT_H
#define TAKT_TRACES_FILE_TEXT_H

#include <sqlite3.h>
#include <stddef.h>
#include <stdint.h>

/* Its first `most` lines, or all. *text is for free(). Returns an SQLite code. */
int file_text(sqlite3 *db, int64_t file, int64_t most, char **text, size_t *size);

#endif
