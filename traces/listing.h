/*
 * listing: the rows that a trace has of the program alone: its text, and the statements in it.
 *
 *   struct told --listing_make--> struct listing --listing_stmts--> rows of stmt
 *                                                --listing_sources--> rows of source
 *
 * The text stands once: in pieces of some lines, or, of a long program whose lines repeat, each
 * line once (traces/packed.h). A statement names its row of source and its place there. Statements
 * whose text stands in no file have rows of source of their own.
 */
#ifndef TAKT_TRACES_LISTING_H
#define TAKT_TRACES_LISTING_H

#include <stdbool.h>

#include "traces/dictionary.h"
#include "traces/ordinals.h"
#include "traces/packed.h"

enum { STMT_COLUMNS = 8, SOURCE_COLUMNS = 4 /* before the text */ };

struct listing {
    struct told told;
    uint64_t hash; /* of the program; 0: nobody told */
    struct packed packed;
    uint32_t *ordinals; /* of each statement */
    size_t ordinal_bytes;
    struct kind_text *kinds; /* NULL: the text is packed, or nobody told kinds */
    size_t kind_bytes;
    struct source_piece {
        const char *text;
        size_t size, start;
        uint32_t file;
    } * pieces; /* of the files: source.id 1 .. piece_count, unless the text is packed */
    size_t piece_count, piece_capacity, piece; /* piece: of the statement before */
    struct dictionary texts; /* that stand in no file; uses: the file they count to */
    bool files_written;
    size_t texts_written;
    uint64_t source_count, source_sum; /* rows that were given, and their seal */
};

/* told and what it points to have to stand as long as the listing. pack: the text, if its lines
 * repeat. Returns 0, or -1 when memory is out; listing_free must follow. */
int listing_make(struct listing *listing, const struct told *told, bool pack);
void listing_free(struct listing *listing);

/* Rows of stmt of `count` statements from `first` on, with the id as the first column. Rising ids
 * are fastest. Returns 0, or -1 when memory is out. */
int listing_stmts(struct listing *listing, size_t first, size_t count,
                  int64_t rows[][STMT_COLUMNS]);

/* A row of source: id, file, start, lines (PAGES_NULL for NULL). */
typedef int listing_take(void *self, int64_t id, const int64_t columns[SOURCE_COLUMNS],
                         const char *text, size_t size);
/* Those that were not given before; texts that stand in no file come with the statements that have
 * them. Returns 0 or what take did. */
int listing_sources(struct listing *listing, listing_take *take, void *self);

#endif
