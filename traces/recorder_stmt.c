/*
 * recorder_stmt: the rows of statements and of the text they stand in.
 *
 * The program's text is kept once, in pieces of some lines; a statement names its piece and place.
 */
#include <stdlib.h>
#include <string.h>

#include "functional/big_memory.h"
#include "traces/recorder_state.h"

/* A row of source fills two pages but for the part that a leaf of the table keeps, so that the part is
 * small: as many bytes, less the record's head. */
enum { PIECE = 2 * (PAGE_SIZE - 4) + 489 + 60 };

/* --- pieces of the files ------------------------------------------------------------------------ */

static bool add_piece(struct recorder *r, const char *text, size_t size)
{
    if (r->piece_count == r->piece_capacity) {
        const size_t capacity = r->piece_capacity ? r->piece_capacity * 2 : 64;
        struct source_piece *pieces = realloc(r->pieces, capacity * sizeof *pieces);
        if (!pieces) {
            recorder_fail(r, "out of memory");
            return false;
        }
        r->pieces = pieces;
        r->piece_capacity = capacity;
    }
    r->pieces[r->piece_count++] = (struct source_piece){text, size};
    return true;
}

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

struct source_out {
    struct tree *tree;   /* or */
    sqlite3_stmt *insert;
};

/* lines PAGES_NULL: the text is itself. */
static int add_source(struct recorder *r, const struct source_out *out, int64_t file, int64_t start,
                      int64_t lines, const char *text, size_t size)
{
    const int64_t id = (int64_t)++r->source_count;
    seal_add(r, SEAL_source,
             (start == PAGES_NULL ? 0 : (uint64_t)start) +
                 (lines == PAGES_NULL ? 0 : 3 * (uint64_t)lines));
    if (out->tree) {
        tree_row(out->tree, id, (const int64_t[]){PAGES_NULL, file, start, lines}, 4, text, size);
        return 0;
    }
    sqlite3_bind_int64(out->insert, 1, id);
    sqlite3_bind_int64(out->insert, 2, file);
    const int64_t values[] = {start, lines};
    for (int i = 0; i < 2; i++) {
        if (values[i] == PAGES_NULL) {
            sqlite3_bind_null(out->insert, 3 + i);
        } else {
            sqlite3_bind_int64(out->insert, 3 + i, values[i]);
        }
    }
    sqlite3_bind_text64(out->insert, 5, text, size, SQLITE_STATIC, SQLITE_UTF8);
    return recorder_insert(r, out->insert);
}

/* The first `end` bytes of a file. */
static int write_pieces(struct recorder *r, const struct source_out *out, size_t f, size_t end)
{
    const struct file_info *file = &r->files[f];
    for (size_t at = 0; file->text && at < end;) {
        const size_t size = piece_size(file->text + at, end - at);
        if (!add_piece(r, file->text + at, size) ||
            add_source(r, out, (int64_t)f, (int64_t)at, PAGES_NULL, file->text + at, size)) {
            return -1;
        }
        at += size;
    }
    return 0;
}

/* Distinct lines, then file after file which of them stand there. */
static int write_packed(struct recorder *r, const struct source_out *out)
{
    const struct packed *p = &r->ahead.packed;
    for (size_t i = 0; i < p->count; i++) {
        const struct packed_entry *entry = &p->entries[i];
        if (add_source(r, out, entry->file, PAGES_NULL, PAGES_NULL, entry->text, entry->size)) {
            return -1;
        }
    }
    size_t f = 0; /* the files before are written */
    for (size_t i = 0; i < p->row_count; i++) {
        const struct packed_row *row = &p->rows[i];
        for (; f <= row->file; f++) {
            const size_t end = f == row->file ? (size_t)row->start : r->files[f].size;
            if (write_pieces(r, out, f, end)) {
                return -1;
            }
        }
        if (add_source(r, out, row->file, (int64_t)row->start, row->lines, p->text + row->text,
                       row->size)) {
            return -1;
        }
    }
    for (; f < r->told.file_count; f++) {
        if (write_pieces(r, out, f, r->files[f].size)) {
            return -1;
        }
    }
    return 0;
}

static int write_files(struct recorder *r, const struct source_out *out)
{
    if (ahead_join(&r->ahead, &r->told)) {
        return recorder_fail(r, "out of memory");
    }
    if (r->ahead.packed.count) {
        return write_packed(r, out);
    }
    for (size_t f = 0; f < r->told.file_count; f++) {
        if (write_pieces(r, out, f, r->files[f].size)) {
            return -1;
        }
    }
    return 0;
}

int recorder_write_source(struct recorder *r, struct tree *source)
{
    return write_files(r, &(struct source_out){.tree = source});
}

/* The row of source that a statement's text stands in, and where. */
struct found {
    int64_t source, at;
};

static int find_text(struct recorder *r, const struct source_out *out, const struct stmt_info *s,
                     size_t *piece, struct found *found)
{
    /* Statements come in the order of their text: from where the last one stood, once around. */
    const uintptr_t place = (uintptr_t)s->text;
    for (size_t i = 0; i < r->piece_count; i++) {
        const struct source_piece *p = &r->pieces[*piece];
        if (place >= (uintptr_t)p->text && place + s->text_length <= (uintptr_t)p->text + p->size) {
            *found = (struct found){(int64_t)*piece + 1, (int64_t)(place - (uintptr_t)p->text) + 1};
            return 0;
        }
        *piece = *piece + 1 < r->piece_count ? *piece + 1 : 0;
    }
    bool added;
    const uint32_t text = dictionary_add(&r->texts, s->text, s->text_length, &added);
    if (!text) {
        return recorder_fail(r, "out of memory");
    }
    *found = (struct found){(int64_t)(r->piece_count + text), 1};
    return added ? add_source(r, out, s->file, PAGES_NULL, PAGES_NULL, s->text, s->text_length) : 0;
}

/* The same of packed text, and the statement without a look at it. Returns the hash of its text. */
static uint64_t place_packed(const struct recorder *r, size_t id, struct stmt_info *s,
                             struct found *found)
{
    const uint32_t number = r->ahead.packed.of_stmt[id];
    const struct packed_entry *entry = &r->ahead.packed.entries[number - 1];
    *s = (struct stmt_info){.text_length = entry->length};
    told_place(&r->told, id, &s->file, &s->line);
    *found = (struct found){number, (int64_t)entry->at + 1};
    return entry->hash;
}

/* The statement without a look at it, by its kind. Returns the hash of its text. */
static uint64_t place_kind(const struct recorder *r, size_t id, struct stmt_info *s)
{
    struct stmt_line line;
    r->told.lines(r->told.asked, id, 1, &line);
    const struct kind_text *kind = &r->ahead.kinds[line.kind];
    *s = (struct stmt_info){.text = r->files[line.file].text + line.offset + kind->at,
                            .text_length = kind->length};
    told_place(&r->told, id, &s->file, &s->line);
    return kind->hash;
}

/* --- statements --------------------------------------------------------------------------------- */

static bool bit(const uint8_t *bits, size_t i)
{
    return bits[i / 8] >> i % 8 & 1;
}

/* The next statement from i on that gets a row; stmt_count when there is none. */
static size_t next_wanted(const struct recorder *r, size_t i)
{
    if (!r->lazy) {
        return i;
    }
    while (i < r->told.stmt_count && !bit(r->stmt_seen, i)) {
        i += i % 8 == 0 && r->stmt_seen[i / 8] == 0 ? 8 : 1;
    }
    return i < r->told.stmt_count ? i : r->told.stmt_count;
}

/* Hash of its text, its region and its ordinal. */
static int64_t uid_of(const struct recorder *r, size_t id, const struct stmt_info *s, uint64_t hash)
{
    const uint64_t mark[2] = {s->region, r->ahead.ordinals[id]};
    return (int64_t)(dictionary_hash(hash, mark, sizeof mark) >> 1);
}

static int write_each(struct recorder *r, const struct source_out *source, struct out *out)
{
    const struct packed *packed = &r->ahead.packed;
    size_t piece = 0;
    int status = 0;
    for (size_t i = next_wanted(r, 0); i < r->told.stmt_count && status == 0;
         i = next_wanted(r, i + 1)) {
        struct stmt_info s;
        struct found found = {0};
        uint64_t hash;
        if (packed->count) {
            hash = place_packed(r, i, &s, &found);
        } else if (r->ahead.kinds) {
            hash = place_kind(r, i, &s);
        } else {
            s = told_stmt(&r->told, i);
            hash = dictionary_hash(DICTIONARY_SEED, s.text, s.text_length);
        }
        const int64_t uid = uid_of(r, i, &s, hash);
        if (bit(r->stmt_written, i)) {
            continue;
        }
        r->stmt_written[i / 8] |= (uint8_t)(1 << i % 8);
        if (!packed->count) {
            status = find_text(r, source, &s, &piece, &found);
        }
        if (status == 0) {
            seal_add(r, SEAL_stmt, 0);
            status = out_row(out, (const int64_t[]){(int64_t)i, uid, s.file, s.line, s.region,
                                                    found.source, found.at,
                                                    (int64_t)s.text_length});
        }
    }
    return status;
}

enum { STMT_COLUMNS = 8 };

int recorder_write_stmts(struct recorder *r, struct tree *source_tree, struct tree *stmt_tree)
{
    if (!r->stmt_written && !(r->stmt_written = calloc(r->told.stmt_count / 8 + 1, 1))) {
        return recorder_fail(r, "out of memory");
    }
    struct source_out source = {.tree = source_tree};
    struct out out = {.recorder = r, .tree = stmt_tree, .columns = STMT_COLUMNS, .keyed = true};
    int status = 0;
    if (!source_tree) {
        source.insert = recorder_prepare(r, "INSERT INTO source VALUES (?, ?, ?, ?, ?)");
        status = source.insert ? out_open(&out, r, "stmt", STMT_COLUMNS, true) : -1;
    }
    if (status == 0 && !r->source_count) {
        status = write_files(r, &source);
    }
    if (status == 0) {
        status = write_each(r, &source, &out);
    }
    if (source.insert) {
        sqlite3_finalize(source.insert);
        status = out_close(&out) ? -1 : status;
    }
    return status;
}

static int write_sql(struct recorder *r, struct rows *rows, const char *table, bool keyed)
{
    if (rows->written == rows->count) {
        return 0;
    }
    struct out out;
    int status = out_open(&out, r, table, rows->columns, keyed);
    if (status == 0) {
        status = rows_write(rows, &out);
    }
    return out_close(&out) ? -1 : status;
}

int recorder_write_rows(struct recorder *r)
{
    return r->lean ? 0
           : recorder_write_stmts(r, NULL, NULL) ||
                   write_sql(r, &r->transfers, "transfer", true) ||
                   write_sql(r, &r->warnings, "warning", false)
               ? -1
               : 0;
}

void recorder_free_stmts(struct recorder *r)
{
    ahead_free(&r->ahead); /* first: it may still read what follows */
    free(r->own_stmts);
    free(r->stmt_seen);
    free(r->stmt_written);
    big_memory_free(r->shape, r->shape ? (r->told.stmt_count + 1) * sizeof *r->shape : 0);
    free(r->files);
    free(r->pieces);
    rows_free(&r->transfers);
    rows_free(&r->warnings);
    dictionary_free(&r->texts);
}
