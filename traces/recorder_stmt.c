/*
 * recorder_stmt: the rows of statements and of the text they stand in.
 *
 * The program's text is kept once, in pieces of some lines; a statement names its piece and place.
 */
#include <stdlib.h>
#include <string.h>

#include "traces/recorder_state.h"

/* A row of source fills two pages but for the part that a leaf of the table keeps, so that the part is
 * small: as many bytes, less the record's head. */
enum { PIECE = 2 * (PAGE_SIZE - 4) + 489 + 60 };

/* --- ordinals: how often a text stood before ---------------------------------------------------- */

/* Half a hash each; where it stands says the other half. Texts that agree in both count as the same,
 * which one pair of a hundred thousand million does. */
struct ordinal {
    uint32_t hash, uses; /* uses 0: empty */
};

struct ordinals {
    struct ordinal *slots;
    size_t mask;
};

/* Room for as many texts as there are statements. */
static bool make_ordinals(struct ordinals *o, size_t stmts)
{
    size_t slots = 64;
    while (slots < stmts + stmts / 2) {
        slots *= 2;
    }
    *o = (struct ordinals){.slots = calloc(slots, sizeof *o->slots), .mask = slots - 1};
    return o->slots;
}

/* From 1. */
static uint32_t next_ordinal(struct ordinals *o, uint64_t hash)
{
    size_t at = hash & o->mask;
    const uint32_t rest = (uint32_t)(hash >> 32);
    while (o->slots[at].uses && o->slots[at].hash != rest) {
        at = (at + 1) & o->mask;
    }
    o->slots[at].hash = rest;
    return ++o->slots[at].uses;
}

/* Statements at a time: their texts are hashed and the slots on their way before the first is used. */
enum { BLOCK = 64 };

static void read_block(const struct recorder *r, const struct ordinals *o, size_t first,
                       struct stmt_info infos[BLOCK], uint64_t hashes[BLOCK])
{
    for (size_t i = 0; i < BLOCK && first + i < r->stmt_count; i++) {
        infos[i] = recorder_stmt(r, first + i);
        hashes[i] = dictionary_hash(DICTIONARY_SEED, infos[i].text, infos[i].text_length);
        __builtin_prefetch(&o->slots[hashes[i] & o->mask], 1);
    }
}

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

static int add_source(struct recorder *r, const struct source_out *out, int64_t file, int64_t start,
                      const char *text, size_t size)
{
    const int64_t id = (int64_t)++r->source_count;
    seal_add(r, SEAL_source, start == PAGES_NULL ? 0 : (uint64_t)start);
    if (out->tree) {
        tree_row(out->tree, id, (const int64_t[]){PAGES_NULL, file, start}, 3, text, size);
        return 0;
    }
    sqlite3_bind_int64(out->insert, 1, id);
    sqlite3_bind_int64(out->insert, 2, file);
    if (start == PAGES_NULL) {
        sqlite3_bind_null(out->insert, 3);
    } else {
        sqlite3_bind_int64(out->insert, 3, start);
    }
    sqlite3_bind_text64(out->insert, 4, text, size, SQLITE_STATIC, SQLITE_UTF8);
    return recorder_insert(r, out->insert);
}

static int write_pieces(struct recorder *r, const struct source_out *out)
{
    for (size_t f = 0; f < r->file_count; f++) {
        const struct file_info *file = &r->files[f];
        for (size_t at = 0; file->text && at < file->size;) {
            const size_t size = piece_size(file->text + at, file->size - at);
            if (!add_piece(r, file->text + at, size) ||
                add_source(r, out, (int64_t)f, (int64_t)at, file->text + at, size)) {
                return -1;
            }
            at += size;
        }
    }
    return 0;
}

/* The row of source that a statement's text stands in, and where. */
struct found {
    int64_t source, at;
};

static int find_text(struct recorder *r, const struct source_out *out, const struct stmt_info *s,
                     size_t *piece, struct found *found)
{
    /* Statements come in the order of their text: from where the last one stood, once around. */
    const uintptr_t text = (uintptr_t)s->text;
    for (size_t i = 0; i < r->piece_count; i++) {
        const struct source_piece *p = &r->pieces[*piece];
        if (text >= (uintptr_t)p->text && text + s->text_length <= (uintptr_t)p->text + p->size) {
            *found = (struct found){(int64_t)*piece + 1, (int64_t)(text - (uintptr_t)p->text) + 1};
            return 0;
        }
        *piece = *piece + 1 < r->piece_count ? *piece + 1 : 0;
    }
    bool added;
    const uint32_t id = dictionary_add(&r->texts, s->text, s->text_length, &added);
    if (!id) {
        return recorder_fail(r, "out of memory");
    }
    *found = (struct found){(int64_t)(r->piece_count + id), 1};
    return added ? add_source(r, out, s->file, PAGES_NULL, s->text, s->text_length) : 0;
}

/* --- statements --------------------------------------------------------------------------------- */

static bool bit(const uint8_t *bits, size_t i)
{
    return bits[i / 8] >> i % 8 & 1;
}

/* Its row stood before its cost was known. */
static int update_stmt(struct recorder *r, sqlite3_stmt **update, size_t id, int64_t shape)
{
    if (!*update && !(*update = recorder_prepare(
                          r, "UPDATE stmt SET shape = ?2 WHERE id = ?1"))) {
        return -1;
    }
    sqlite3_bind_int64(*update, 1, (int64_t)id);
    sqlite3_bind_int64(*update, 2, shape);
    return recorder_insert(r, *update);
}

static int write_each(struct recorder *r, const struct source_out *source, struct out *out,
                      struct ordinals *ordinals)
{
    struct stmt_info infos[BLOCK];
    uint64_t hashes[BLOCK];
    size_t piece = 0;
    sqlite3_stmt *update = NULL;
    int status = 0;
    for (size_t i = 0; i < r->stmt_count && status == 0; i++) {
        const bool wanted = !r->lazy || bit(r->stmt_seen, i);
        struct stmt_info *const s = &infos[i % BLOCK];
        if (i % BLOCK == 0) {
            read_block(r, ordinals, i, infos, hashes);
        }
        const uint64_t hash = hashes[i % BLOCK];
        const uint64_t mark[2] = {s->region, next_ordinal(ordinals, hash)};
        if (!wanted) {
            continue;
        }
        const int64_t uid = (int64_t)(dictionary_hash(hash, mark, sizeof mark) >> 1);
        const uint32_t shape = r->shape ? r->shape[i] : 0;
        if (bit(r->stmt_written, i)) {
            if (shape) {
                struct seal *seal = &r->seals[SEAL_stmt];
                seal->sum = (seal->sum + shape) % SEAL_MODULUS;
                status = update_stmt(r, &update, i, shape);
            }
            continue;
        }
        r->stmt_written[i / 8] |= (uint8_t)(1 << i % 8);
        struct found found = {0};
        status = find_text(r, source, s, &piece, &found);
        if (status == 0) {
            seal_add(r, SEAL_stmt, shape);
            status = out_row(out, (const int64_t[]){(int64_t)i, uid, s->file, s->line, s->region,
                                                    found.source, found.at,
                                                    (int64_t)s->text_length,
                                                    shape ? (int64_t)shape : PAGES_NULL});
        }
    }
    sqlite3_finalize(update);
    return status;
}

enum { STMT_COLUMNS = 9 };

int recorder_write_stmts(struct recorder *r, struct tree *source_tree, struct tree *stmt_tree)
{
    if (!r->stmt_written && !(r->stmt_written = calloc(r->stmt_count / 8 + 1, 1))) {
        return recorder_fail(r, "out of memory");
    }
    struct source_out source = {.tree = source_tree};
    struct out out = {.recorder = r, .tree = stmt_tree, .columns = STMT_COLUMNS, .keyed = true};
    int status = 0;
    if (!source_tree) {
        source.insert = recorder_prepare(r, "INSERT INTO source VALUES (?, ?, ?, ?)");
        status = source.insert ? out_open(&out, r, "stmt", STMT_COLUMNS, true) : -1;
    }
    if (status == 0 && !r->source_count) {
        status = write_pieces(r, &source);
    }
    struct ordinals ordinals = {0};
    if (status == 0 && !make_ordinals(&ordinals, r->stmt_count)) {
        status = recorder_fail(r, "out of memory");
    }
    if (status == 0) {
        status = write_each(r, &source, &out, &ordinals);
    }
    free(ordinals.slots);
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
    free(r->own_stmts);
    free(r->stmt_seen);
    free(r->stmt_written);
    free(r->shape);
    free(r->files);
    free(r->pieces);
    free(r->transfers.values);
    free(r->warnings.values);
    dictionary_free(&r->texts);
}
