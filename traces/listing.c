#include "traces/listing.h"

#include <stdlib.h>
#include <string.h>

#include "host/big_memory.h"
#include "traces/pages.h"

/* A row of source fills two pages but for the part that a leaf of the table keeps, so that the part
 * is small: as many bytes, less the record's head. */
enum { PIECE = 2 * (PAGE_SIZE - 4) + 489 + 60, BLOCK = 64 };

/* --- pieces of the files ------------------------------------------------------------------------
 */

/* Whole lines, as many as fit; at least one. */
static size_t piece_size(const char *text, size_t left)
{
    if (left <= PIECE) {
        return left;
    }
    const char *end = memrchr(text, '\n', PIECE);
    end = end ? end : memchr(text + PIECE, '\n', left - PIECE);
    return end ? (size_t)(end - text) + 1 : left;
}

static bool add_piece(struct listing *l, const struct source_piece *piece)
{
    if (l->piece_count == l->piece_capacity) {
        const size_t capacity = l->piece_capacity ? l->piece_capacity * 2 : 64;
        struct source_piece *pieces = realloc(l->pieces, capacity * sizeof *pieces);
        if (!pieces) {
            return false;
        }
        l->pieces = pieces;
        l->piece_capacity = capacity;
    }
    l->pieces[l->piece_count++] = *piece;
    return true;
}

/* The bytes of a file from `from` to `to`. */
static bool cut(struct listing *l, size_t file, size_t from, size_t to)
{
    const char *text = l->told.files[file].text;
    while (text && from < to) {
        const size_t size = piece_size(text + from, to - from);
        if (!add_piece(l, &(struct source_piece){text + from, size, from, (uint32_t)file})) {
            return false;
        }
        from += size;
    }
    return true;
}

/* Of a packed text from its distinct lines. */
static int make_hash(struct listing *l)
{
    const struct told *told = &l->told;
    if (!told->program_hash) {
        return 0;
    }
    uint64_t *files = NULL;
    if (l->packed.count) {
        files = malloc((told->file_count + 1) * sizeof *files);
        if (!files) {
            return -1;
        }
        packed_hashes(&l->packed, told, files);
    }
    l->hash = told->program_hash(told->asked, files);
    free(files);
    return 0;
}

int listing_make(struct listing *l, const struct told *told, bool pack)
{
    *l = (struct listing){.told = *told};
    if ((pack && told->lines && packed_make(&l->packed, told)) || make_hash(l)) {
        return -1;
    }
    l->ordinal_bytes = (told->stmt_count + 1) * sizeof *l->ordinals;
    l->ordinals = big_memory_new(l->ordinal_bytes);
    if (told->lines && !l->packed.count) {
        l->kind_bytes = (told->kind_count + 1) * sizeof *l->kinds;
        l->kinds = big_memory_touched(l->kind_bytes);
        if (!l->kinds) {
            return -1;
        }
    }
    for (size_t f = 0; !l->packed.count && f < told->file_count; f++) {
        if (!cut(l, f, 0, told->files[f].size)) {
            return -1;
        }
    }
    return l->ordinals ? ordinals_make(l->ordinals, told, &l->packed, l->kinds) : -1;
}

void listing_free(struct listing *l)
{
    packed_free(&l->packed);
    big_memory_free(l->ordinals, l->ordinal_bytes);
    big_memory_free(l->kinds, l->kind_bytes);
    free(l->pieces);
    dictionary_free(&l->texts);
    *l = (struct listing){0};
}

/* --- rows of source -----------------------------------------------------------------------------
 */

struct giving {
    struct listing *listing;
    listing_take *take;
    void *self;
};

/* start, lines: PAGES_NULL where there is none. */
static int give(const struct giving *g, int64_t file, int64_t start, int64_t lines,
                const char *text, size_t size)
{
    struct listing *l = g->listing;
    l->source_count++;
    l->source_sum += (start == PAGES_NULL ? 0 : (uint64_t)start) +
                     (lines == PAGES_NULL ? 0 : 3 * (uint64_t)lines);
    return g->take(g->self, (int64_t)l->source_count,
                   (const int64_t[SOURCE_COLUMNS]){(int64_t)l->source_count, file, start, lines}, text, size);
}

/* Distinct lines, then file after file which of them stand there. */
static int give_packed(const struct giving *g)
{
    struct listing *l = g->listing;
    const struct packed *p = &l->packed;
    int status = 0;
    for (size_t i = 0; status == 0 && i < p->count; i++) {
        const struct packed_entry *entry = &p->entries[i];
        status = give(g, entry->file, PAGES_NULL, PAGES_NULL, entry->text, entry->size);
    }
    size_t f = 0; /* the files before are written */
    for (size_t i = 0; status == 0 && i <= p->row_count; i++) {
        const struct packed_row *row = i < p->row_count ? &p->rows[i] : NULL;
        /* What stands before the first statement of a file, and files without any. */
        l->piece_count = 0;
        for (; f < l->told.file_count && (!row || f <= row->file); f++) {
            const size_t end = row && f == row->file ? (size_t)row->start : l->told.files[f].size;
            if (!cut(l, f, 0, end)) {
                return -1;
            }
        }
        for (size_t k = 0; status == 0 && k < l->piece_count; k++) {
            const struct source_piece *piece = &l->pieces[k];
            status =
                give(g, piece->file, (int64_t)piece->start, PAGES_NULL, piece->text, piece->size);
        }
        if (status == 0 && row) {
            status =
                give(g, row->file, (int64_t)row->start, row->lines, p->text + row->text, row->size);
        }
    }
    return status;
}

int listing_sources(struct listing *l, listing_take *take, void *self)
{
    const struct giving g = {l, take, self};
    int status = 0;
    if (!l->files_written && l->packed.count) {
        status = give_packed(&g);
    }
    for (size_t i = 0; status == 0 && !l->files_written && !l->packed.count && i < l->piece_count;
         i++) {
        const struct source_piece *piece = &l->pieces[i];
        status = give(&g, piece->file, (int64_t)piece->start, PAGES_NULL, piece->text, piece->size);
    }
    l->files_written = true;
    for (; status == 0 && l->texts_written < l->texts.count; l->texts_written++) {
        const struct dictionary_entry *text = &l->texts.entries[l->texts_written];
        status = give(&g, text->uses, PAGES_NULL, PAGES_NULL, text->text, text->size);
    }
    return status;
}

/* --- rows of statements -------------------------------------------------------------------------
 */

/* The row of source that a statement's text stands in, and where. */
struct found {
    int64_t source, at;
};

static int find_text(struct listing *l, const struct stmt_info *s, struct found *found)
{
    /* Statements come in the order of their text: from where the last one stood, once around. */
    const uintptr_t place = (uintptr_t)s->text;
    for (size_t i = 0; i < l->piece_count; i++) {
        const struct source_piece *p = &l->pieces[l->piece];
        if (place >= (uintptr_t)p->text && place + s->text_length <= (uintptr_t)p->text + p->size) {
            *found =
                (struct found){(int64_t)l->piece + 1, (int64_t)(place - (uintptr_t)p->text) + 1};
            return 0;
        }
        l->piece = l->piece + 1 < l->piece_count ? l->piece + 1 : 0;
    }
    bool added;
    const uint32_t text = dictionary_add(&l->texts, s->text, s->text_length, &added);
    if (!text) {
        return -1;
    }
    if (added) {
        l->texts.entries[text - 1].uses = s->file;
    }
    *found = (struct found){(int64_t)(l->piece_count + text), 1};
    return 0;
}

int listing_stmts(struct listing *l, size_t first, size_t count, int64_t rows[][STMT_COLUMNS])
{
    const struct packed *packed = &l->packed;
    struct stmt_line lines[BLOCK];
    for (size_t done = 0; done < count; done++) {
        const size_t id = first + done;
        const struct stmt_line *line = &lines[done % BLOCK];
        if (l->told.lines && done % BLOCK == 0) {
            const size_t left = count - done;
            l->told.lines(l->told.asked, id, left < BLOCK ? left : BLOCK, lines);
        }
        struct stmt_info s;
        struct found found = {0};
        uint64_t hash;
        if (packed->count) {
            const uint32_t number = packed->of_stmt[id];
            const struct packed_entry *entry = &packed->entries[number - 1];
            s = (struct stmt_info){
                .file = line->file, .line = line->line, .text_length = entry->length};
            found = (struct found){number, (int64_t)entry->at + 1};
            hash = entry->hash;
        } else if (l->kinds) {
            const struct kind_text *kind = &l->kinds[line->kind];
            s = (struct stmt_info){.file = line->file,
                                   .line = line->line,
                                   .text = l->told.files[line->file].text + line->offset + kind->at,
                                   .text_length = kind->length};
            hash = kind->alike.hash;
        } else {
            s = told_stmt(&l->told, id);
            hash = dictionary_hash(DICTIONARY_SEED, s.text, s.text_length);
        }
        if (!packed->count && find_text(l, &s, &found)) {
            return -1;
        }
        /* Hash of its text, its region and its ordinal. */
        const uint64_t mark[2] = {s.region, l->ordinals[id]};
        const int64_t uid = (int64_t)(dictionary_hash(hash, mark, sizeof mark) >> 1);
        const int64_t row[STMT_COLUMNS] = {
            (int64_t)id, uid,          s.file,   s.line,
            s.region,    found.source, found.at, (int64_t)s.text_length};
        memcpy(rows[done], row, sizeof row);
    }
    return 0;
}
