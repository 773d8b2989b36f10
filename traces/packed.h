/*
 * packed: the text of a long program whose lines repeat, each of them once.
 *
 *   files, lines of statements --packed_make--> entries: distinct lines; of_stmt: which of them
 *                                              rows: one character a line
 *
 * An entry is all from the begin of a statement's line to that of the next statement's line: comments
 * and empty lines between belong to it. What stands before the first statement of a file is in none.
 * Entry e, from 1, is the character PACKED_FIRST + e, beyond U+D7FF 0x800 more, beyond U+FFFD two more:
 * there are no surrogates, and SQLite reads U+FFFE and U+FFFF as something else.
 */
#ifndef TAKT_TRACES_PACKED_H
#define TAKT_TRACES_PACKED_H

#include <stddef.h>
#include <stdint.h>

#include "functional/text_hash.h"
#include "traces/told.h"

enum { PACKED_FIRST = 47, PACKED_LINES = 512 };

struct packed_entry {
    const char *text; /* in its file */
    size_t size;
    size_t at, length; /* of the statement in it */
    uint64_t hash;     /* of the statement's text (dictionary_hash) */
    struct text_hash whole; /* of its own */
    uint32_t file;
};

/* Neighbouring lines of a file, at most PACKED_LINES. */
struct packed_row {
    uint64_t start; /* byte of the file */
    size_t text, size; /* characters: packed.text[text .. text + size) */
    uint32_t file, lines;
};

struct packed {
    struct packed_entry *entries; /* entry - 1 */
    size_t count, capacity;
    uint32_t *of_stmt; /* entry of each statement */
    size_t of_stmt_bytes;
    struct packed_row *rows; /* all statements, file after file */
    size_t row_count;
    char *text;
    size_t text_bytes;
};

/* told->lines must be there. Returns 0; count stays 0 when the lines do not repeat enough. -1 when
 * memory is out. */
int packed_make(struct packed *packed, const struct told *told);
/* Of each file what source_hash gives of its text, from those of its lines. */
void packed_hashes(const struct packed *packed, const struct told *told, uint64_t *files);
void packed_free(struct packed *packed);

#endif
