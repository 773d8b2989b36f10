#include "traces/recorder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "traces/image.h"
#include "traces/live.h"
#include "traces/recorder_state.h"
#include "traces/schema.h"

int recorder_fail(struct recorder *r, const char *sentence)
{
    if (!r->failed) {
        snprintf(r->error, sizeof r->error, "cannot record%s%s: %s", r->file ? " to " : "",
                 r->file && r->work.path ? r->work.path : "", sentence);
        r->failed = true;
    }
    return -1;
}

int recorder_sql(struct recorder *r, int rc)
{
    return rc == SQLITE_OK || rc == SQLITE_DONE ? 0 : recorder_fail(r, sqlite3_errmsg(r->db));
}

int recorder_exec(struct recorder *r, const char *sql)
{
    return recorder_sql(r, sqlite3_exec(r->db, sql, NULL, NULL, NULL));
}

static int meta(struct recorder *r, const char *key, int type, uint64_t integer, double real,
                const char *text)
{
    sqlite3_stmt *s;
    int rc = sqlite3_prepare_v2(r->db, "INSERT OR REPLACE INTO meta VALUES (?, ?)", -1, &s, NULL);
    if (rc != SQLITE_OK) {
        return recorder_sql(r, rc);
    }
    sqlite3_bind_text(s, 1, key, -1, SQLITE_STATIC);
    if (type == SQLITE_INTEGER) {
        sqlite3_bind_int64(s, 2, (int64_t)integer);
    } else if (type == SQLITE_FLOAT) {
        sqlite3_bind_double(s, 2, real);
    } else {
        sqlite3_bind_text(s, 2, text ? text : "", -1, SQLITE_STATIC);
    }
    rc = sqlite3_step(s);
    sqlite3_finalize(s);
    return recorder_sql(r, rc);
}

int recorder_meta_integer(struct recorder *r, const char *key, uint64_t value)
{
    return meta(r, key, SQLITE_INTEGER, value, 0, NULL);
}

int recorder_say(struct recorder *r, bool complete)
{
    return recorder_meta_integer(r, "complete", complete) ||
                   recorder_exec(
                       r, complete
                              ? "UPDATE meta SET key = 'total_cycles' WHERE key = 'cycles_reached'"
                              : "UPDATE meta SET key = 'cycles_reached' WHERE key = 'total_cycles'")
               ? -1
               : 0;
}

int recorder_meta_real(struct recorder *r, const char *key, double value)
{
    return meta(r, key, SQLITE_FLOAT, 0, value, NULL);
}

int recorder_meta_text(struct recorder *r, const char *key, const char *text)
{
    return meta(r, key, SQLITE_TEXT, 0, 0, text);
}

/* --- texts ----------------------------------------------------------------------------------- */

static int write_string(struct recorder *r, uint32_t id)
{
    struct dictionary_entry *entry = &r->strings.entries[id - 1];
    if (r->file || entry->written) {
        return 0; /* those of a file are written at the end */
    }
    entry->written = true;
    sqlite3_bind_int64(r->insert_string, 1, id);
    sqlite3_bind_text64(r->insert_string, 2, entry->text, entry->size, SQLITE_STATIC, SQLITE_UTF8);
    r->pending_rows++;
    return recorder_insert(r, r->insert_string);
}

/* Id of a text in the string table; 0 on failure. */
static uint32_t add_string(struct recorder *r, const char *text, size_t size)
{
    bool added;
    const uint32_t id = dictionary_add(&r->strings, text, size, &added);
    if (!id) {
        recorder_fail(r, "out of memory");
        return 0;
    }
    return write_string(r, id) ? 0 : id;
}

/* The same of a literal, which is looked up by its address first. */
static uint32_t add_literal(struct recorder *r, const char *text)
{
    const size_t at = ((uintptr_t)text >> 3 ^ (uintptr_t)text >> 9) % POINTER_CACHE;
    if (r->cache[at].text != text) {
        r->cache[at].id = add_string(r, text, strlen(text));
        r->cache[at].text = r->cache[at].id ? text : NULL;
    }
    return r->cache[at].id;
}

/* The same of a text that may go away. */
static uint32_t add_copy(struct recorder *r, const char *text)
{
    if (r->copy_count == r->copy_capacity) {
        const size_t capacity = r->copy_capacity ? r->copy_capacity * 2 : 64;
        char **copies = realloc(r->copies, capacity * sizeof *copies);
        if (!copies) {
            recorder_fail(r, "out of memory");
            return 0;
        }
        r->copies = copies;
        r->copy_capacity = capacity;
    }
    bool added = false;
    const size_t size = strlen(text);
    const uint32_t id = dictionary_add(&r->strings, text, size, &added);
    char *copy = id && added ? strdup(text) : NULL;
    if (copy) {
        r->copies[r->copy_count++] = copy;
        r->strings.entries[id - 1].text = copy;
    }
    if (!id || (added && !copy)) {
        recorder_fail(r, "out of memory");
        return 0;
    }
    return write_string(r, id) ? 0 : id;
}

/* The same of a sentence that is said often. */
static uint32_t add_sentence(struct recorder *r, const char *text)
{
    struct short_text mine = {{0}, 0};
    size_t size = 0;
    while (size < sizeof mine.text && text[size]) {
        mine.text[size] = text[size];
        size++;
    }
    if (size == sizeof mine.text) {
        return add_copy(r, text);
    }
    const uint64_t hash = dictionary_hash(DICTIONARY_SEED, mine.text, sizeof mine.text);
    struct short_text *known = &r->short_texts[hash % POINTER_CACHE];
    if (!known->id || memcmp(known->text, mine.text, sizeof mine.text) != 0) {
        mine.id = add_copy(r, text);
        *known = mine;
    }
    return known->id;
}

/* --- transactions ---------------------------------------------------------------------------- */

static int flush_bulks(struct recorder *r)
{
    if (!r->bulk_open) {
        return 0;
    }
    return recorder_sql(r, bulk_flush(&r->slice_row));
}

int recorder_flush(struct recorder *r)
{
    if (r->failed || flush_bulks(r)) {
        return -1;
    }
    r->pending_rows = 0;
    return r->paging ? 0 : recorder_exec(r, "COMMIT; BEGIN");
}

/* By rows, not by time: the same run writes the same bytes. */
static int flush_now_and_then(struct recorder *r)
{
    return r->file && r->pending_rows >= COMMIT_ROWS ? recorder_flush(r) : 0;
}

/* --- the sink -------------------------------------------------------------------------------- */

int recorder_insert(struct recorder *r, sqlite3_stmt *s)
{
    const int rc = sqlite3_step(s);
    sqlite3_reset(s);
    return recorder_sql(r, rc);
}

sqlite3_stmt *recorder_prepare(struct recorder *r, const char *sql)
{
    sqlite3_stmt *s = NULL;
    return recorder_sql(r, sqlite3_prepare_v2(r->db, sql, -1, &s, NULL)) ? NULL : s;
}

static int prepare_tables(struct recorder *r)
{
    r->bulk_open = true;
    r->insert_chunk = recorder_prepare(r, "INSERT INTO slice_chunk VALUES (?, ?, ?, ?, ?, ?)");
    r->insert_steps = recorder_prepare(r, "INSERT INTO step_chunk VALUES (?, ?, ?, ?, ?, ?)");
    return !r->insert_chunk || !r->insert_steps ||
                   recorder_sql(r, bulk_open(&r->slice_row, r->db, "slice_row", 5))
               ? -1
               : 0;
}

static bool has_intervals(const struct recorder_options *options)
{
    return options->detail == DETAIL_CHUNKS || options->window_to > options->window_from;
}

static int recorder_begin(void *self, const struct sink_header *h)
{
    struct recorder *r = self;
    if (r->failed) {
        return -1;
    }
    r->begun = true;
    r->told = told_of(h);
    r->unit_count = h->unit_count;
    r->slices = calloc(h->unit_count + 1, sizeof *r->slices);
    r->lazy = !r->lean && h->stmt_count > AHEAD_STMTS;
    r->stmt_seen = r->lazy ? calloc(h->stmt_count / 8 + 1, 1) : NULL;
    if (r->lean && h->stmts) {
        /* They may go with the run, before the answer. Their texts stay as long as the program. */
        r->own_stmts = malloc((h->stmt_count + 1) * sizeof *r->own_stmts);
        if (r->own_stmts) {
            memcpy(r->own_stmts, h->stmts, h->stmt_count * sizeof *r->own_stmts);
        }
        r->told.stmts = r->own_stmts;
    }
    if (!r->slices || (r->lazy && !r->stmt_seen) || (r->lean && h->stmts && !r->own_stmts)) {
        return recorder_fail(r, "out of memory");
    }
    if (prepare_tables(r) || recorder_header(r, h) || recorder_files(r, h)) {
        return -1;
    }
    if (!r->lean && !r->lazy && h->program_hash) {
        if (recorder_program_hash(r, h->program_hash(h->asked))) {
            return -1;
        }
        r->told.program_hash = NULL; /* nobody need work it out again */
    }
    r->ahead = r->options.ahead;
    if (!r->lean && !r->ahead && ahead_start(&r->ahead, &r->told, r->file)) {
        return recorder_fail(r, "out of memory");
    }
    r->deps.aside = r->ahead ? r->ahead->aside
                    : h->stmt_count > AHEAD_STMTS ? aside_open()
                                                  : NULL;
    if (r->file) {
        if (recorder_meta_text(r, "partial", r->work.path) || recorder_flush(r)) {
            return -1;
        }
        char error[WORK_ERROR];
        if (work_file_announce(&r->work, error)) {
            return recorder_fail(r, error);
        }
        if (recorder_exec(r, "DELETE FROM meta WHERE key = 'partial'") || recorder_flush(r)) {
            return -1;
        }
        /* Nothing more goes through SQL until the end, unless it is intervals. */
        if (!has_intervals(&r->options) && recorder_open_pages(r)) {
            return -1;
        }
    }
    return 0;
}

static int flush_unit(struct recorder *r, uint32_t unit)
{
    struct slice_buffer *b = &r->slices[unit];
    if (!b->count) {
        return 0;
    }
    for (size_t i = 0; r->lazy && i < b->count; i++) {
        recorder_need_stmt(r, b->items[i].stmt);
    }
    static _Thread_local uint8_t data[CHUNK_BYTES];
    const size_t size = chunk_encode(b->items, b->count, data);
    const uint64_t start = b->items[0].start;
    const struct slice_item *last = &b->items[b->count - 1];
    const uint64_t finish = last->start + last->duration;
    sqlite3_stmt *s = r->insert_chunk;
    sqlite3_bind_int64(s, 1, (int64_t)++r->chunk_count);
    sqlite3_bind_int64(s, 2, unit);
    sqlite3_bind_int64(s, 3, (int64_t)start);
    sqlite3_bind_int64(s, 4, (int64_t)finish);
    sqlite3_bind_int64(s, 5, (int64_t)b->count);
    sqlite3_bind_blob64(s, 6, data, size, SQLITE_STATIC);
    seal_add(r, SEAL_slice_chunk, start + 3 * finish + 5 * b->count + 7 * size);
    r->pending_rows += size / 32;
    b->count = 0;
    return recorder_insert(r, s) || flush_now_and_then(r) ? -1 : 0;
}

static int recorder_slice(void *self, uint32_t unit, enum reason reason, uint32_t stmt,
                          uint64_t start, uint64_t duration)
{
    struct recorder *r = self;
    if (duration == 0 || unit >= r->unit_count) {
        return 0;
    }
    if (start < r->options.window_to && start + duration > r->options.window_from) {
        seal_add(r, SEAL_slice_row, start + 3 * duration);
        r->pending_rows++;
        recorder_need_stmt(r, stmt);
        if (recorder_sql(
                r, bulk_add(&r->slice_row, (const int64_t[]){unit, reason, id_or_null(stmt),
                                                             (int64_t)start, (int64_t)duration})) ||
            flush_now_and_then(r)) {
            return -1;
        }
    }
    if (r->options.detail != DETAIL_CHUNKS) {
        return 0;
    }
    struct slice_buffer *b = &r->slices[unit];
    if (!b->items && !(b->items = malloc(CHUNK_ITEMS * sizeof *b->items))) {
        return recorder_fail(r, "out of memory");
    }
    b->items[b->count++] = (struct slice_item){
        .start = start, .duration = duration, .stmt = stmt, .reason = (uint32_t)reason};
    return b->count == CHUNK_ITEMS ? flush_unit(r, unit) : 0;
}

static int flush_steps(struct recorder *r)
{
    struct step_buffer *b = &r->steps;
    if (b->count == b->carried) {
        return 0;
    }
    for (size_t i = b->carried; r->lazy && i < b->count; i++) {
        recorder_need_stmt(r, b->items[i].stmt);
    }
    static _Thread_local uint8_t data[CHUNK_BYTES];
    const size_t size = chunk_encode_stream(b->items, b->count, data);
    const uint64_t start = b->items[b->carried].start, own = b->count - b->carried;
    sqlite3_stmt *s = r->insert_steps;
    sqlite3_bind_int64(s, 1, (int64_t)++b->chunks);
    sqlite3_bind_int64(s, 2, (int64_t)start);
    sqlite3_bind_int64(s, 3, (int64_t)b->finish);
    sqlite3_bind_int64(s, 4, (int64_t)b->carried);
    sqlite3_bind_int64(s, 5, (int64_t)own);
    sqlite3_bind_blob64(s, 6, data, size, SQLITE_STATIC);
    seal_add(r, SEAL_step_chunk, start + 3 * b->finish + 5 * own + 7 * size + 11 * b->carried);
    r->pending_rows += size / 32;
    /* What still works when the next item starts, which is not before the last one did. */
    const struct slice_item *last = &b->items[b->count - 1];
    const uint64_t now = last->reason == REASON_BUSY ? last->start : last->start + last->duration;
    size_t first = b->count, kept = 0;
    while (first > 0 && b->items[first - 1].start + b->longest > now) {
        first--;
    }
    for (size_t i = first; i < b->count; i++) {
        if (b->items[i].reason == REASON_BUSY) {
            b->items[kept++] = b->items[i];
        }
    }
    b->count = b->carried = kept < CHUNK_ITEMS / 2 ? kept : 0;
    b->finish = 0;
    return recorder_insert(r, s) || flush_now_and_then(r) ? -1 : 0;
}

static int recorder_pattern(void *self, const struct sink_part *parts, size_t count)
{
    struct recorder *r = self;
    struct step_buffer *b = &r->steps;
    if (b->pattern_count == b->pattern_capacity) {
        const size_t capacity = b->pattern_capacity ? b->pattern_capacity * 2 : 64;
        uint32_t *reach = realloc(b->reach, capacity * sizeof *reach);
        if (!reach) {
            return recorder_fail(r, "out of memory");
        }
        b->reach = reach;
        b->pattern_capacity = capacity;
    }
    sqlite3_stmt *s = recorder_prepare(r, "INSERT INTO pattern VALUES (?, ?, ?, ?)");
    uint32_t reach = 0;
    for (size_t i = 0; s && i < count && !r->failed; i++) {
        unsigned same = 0;
        for (size_t k = 0; k <= i; k++) {
            same += parts[k].unit == parts[i].unit;
        }
        if (same > SINK_UNIT_PARTS) {
            recorder_fail(r, "a step keeps a unit busy in too many pieces");
        }
        const uint32_t end = parts[i].offset + parts[i].duration;
        reach = end > reach ? end : reach;
        seal_add(r, SEAL_pattern, (uint64_t)parts[i].offset + 3 * (uint64_t)parts[i].duration);
        sqlite3_bind_int64(s, 1, (int64_t)b->pattern_count);
        sqlite3_bind_int64(s, 2, parts[i].unit);
        sqlite3_bind_int64(s, 3, parts[i].offset);
        sqlite3_bind_int64(s, 4, parts[i].duration);
        recorder_insert(r, s);
    }
    sqlite3_finalize(s);
    b->reach[b->pattern_count++] = reach;
    b->longest = reach > b->longest ? reach : b->longest;
    return r->failed ? -1 : 0;
}

static int add_step(struct recorder *r, const struct slice_item *item, uint64_t finish)
{
    struct step_buffer *b = &r->steps;
    if (!b->items && !(b->items = malloc(CHUNK_ITEMS * sizeof *b->items))) {
        return recorder_fail(r, "out of memory");
    }
    b->items[b->count++] = *item;
    b->finish = finish > b->finish ? finish : b->finish;
    return b->count == CHUNK_ITEMS ? flush_steps(r) : 0;
}

static int recorder_step(void *self, uint32_t pattern, uint32_t stmt, uint64_t start)
{
    struct recorder *r = self;
    const struct slice_item item = {
        .start = start, .duration = pattern, .stmt = stmt, .reason = REASON_BUSY};
    return add_step(r, &item, start + r->steps.reach[pattern]);
}

static int recorder_hold(void *self, enum reason reason, uint32_t stmt, uint64_t start,
                         uint64_t duration)
{
    const struct slice_item item = {
        .start = start, .duration = duration, .stmt = stmt, .reason = (uint32_t)reason};
    return add_step(self, &item, start + duration);
}

static int recorder_transfer(void *self, const struct sink_transfer *t)
{
    struct recorder *r = self;
    const uint32_t mode = add_literal(r, t->mode ? t->mode : "");
    if (!mode) {
        return -1;
    }
    recorder_need_stmt(r, t->stmt);
    recorder_need_stmt(r, t->waited_by);
    seal_add(r, SEAL_transfer,
             t->issued + 3 * t->started + 5 * t->finished + 7 * t->waited + 11 * t->long_words +
                 13 * t->bytes);
    const int64_t row[] = {(int64_t)r->transfers.count + 1,
                           t->stmt,
                           t->tag,
                           t->priority,
                           mode,
                           (int64_t)t->long_words,
                           (int64_t)t->bytes,
                           (int64_t)t->issued,
                           (int64_t)t->started,
                           (int64_t)t->finished,
                           (int64_t)t->waited,
                           id_or_null(t->waited_by),
                           id_or_null(t->limited_by)};
    return rows_add(r, &r->transfers, row);
}

static int recorder_edge(void *self, const struct sink_edge *e)
{
    struct recorder *r = self;
    const uint32_t rule = e->rule && *e->rule ? add_literal(r, e->rule) : NONE_ID;
    if (!rule) {
        return -1;
    }
    return deps_add(&r->deps, e, rule) ? recorder_fail(r, "out of memory") : 0;
}

static void warning_row(int64_t row[WARNING_FIELDS], bool lazy, uint32_t name, uint32_t stmt,
                        int64_t file, int64_t line, uint32_t sentence)
{
    /* Of a long program the place is enough: most statements have no other use for a row. */
    row[0] = name;
    row[1] = lazy && line > 0 ? BULK_NULL : id_or_null(stmt);
    row[2] = line > 0 ? file : BULK_NULL;
    row[3] = line > 0 ? line : BULK_NULL;
    row[4] = sentence;
}

static int add_warning(struct recorder *r, uint32_t name, uint32_t stmt, int64_t file,
                       int64_t line, const char *sentence)
{
    const uint32_t sentence_id = name ? add_sentence(r, sentence) : 0;
    if (!sentence_id) {
        return -1;
    }
    if (!r->lazy || line <= 0) {
        recorder_need_stmt(r, stmt);
    }
    seal_add(r, SEAL_warning, 0);
    int64_t row[WARNING_FIELDS];
    warning_row(row, r->lazy, name, stmt, file, line, sentence_id);
    aside_wait(r->deps.aside); /* the table may move */
    return rows_add(r, &r->warnings, row);
}

static int recorder_warning(void *self, const char *name, uint32_t stmt, const char *sentence)
{
    struct recorder *r = self;
    uint32_t file = 0, line = 0;
    if (stmt < r->told.stmt_count) {
        told_place(&r->told, stmt, &file, &line);
    }
    return add_warning(r, add_literal(r, name), stmt, file, line, sentence);
}

/* Rows of the warnings of many statements. They are made aside: where a statement stands is far from
 * where the one before does. */
struct warned {
    struct recorder *recorder;
    uint32_t name;
    uint32_t *sentences; /* ids */
    size_t first, count; /* rows */
    struct sink_warned stmts[];
};

static void make_warnings(void *argument)
{
    struct warned *w = argument;
    struct recorder *r = w->recorder;
    for (size_t i = 0; i < w->count; i++) {
        const uint32_t stmt = w->stmts[i].stmt;
        uint32_t file = 0, line = 0;
        if (stmt < r->told.stmt_count) {
            told_place(&r->told, stmt, &file, &line);
        }
        int64_t row[WARNING_FIELDS];
        warning_row(row, r->lazy, w->name, stmt, file, line, w->sentences[w->stmts[i].sentence]);
        memcpy(r->warnings.values + (w->first + i) * WARNING_FIELDS, row, sizeof row);
    }
    free(w->sentences);
    free(w);
}

static int recorder_warnings(void *self, const char *name, const struct sink_warnings *warnings)
{
    struct recorder *r = self;
    const size_t count = warnings->count;
    struct warned *w = malloc(sizeof *w + count * sizeof *w->stmts);
    uint32_t *sentences = malloc((warnings->sentence_count + 1) * sizeof *sentences);
    bool fine = w && sentences && rows_reserve(r, &r->warnings, count) == 0;
    const uint32_t name_id = fine ? add_literal(r, name) : 0;
    fine = fine && name_id;
    for (size_t i = 0; fine && i < warnings->sentence_count; i++) {
        sentences[i] = add_sentence(r, warnings->sentences[i]);
        fine = sentences[i] != 0;
    }
    if (!fine) {
        free(w);
        free(sentences);
        return recorder_fail(r, "out of memory");
    }
    *w = (struct warned){r, name_id, sentences, r->warnings.count, count};
    if (count) {
        memcpy(w->stmts, warnings->warned, count * sizeof *w->stmts);
    }
    for (size_t i = 0; i < count && !r->lazy; i++) {
        recorder_need_stmt(r, w->stmts[i].stmt);
    }
    r->warnings.count += count;
    r->seals[SEAL_warning].rows += count;
    aside_do(r->deps.aside, make_warnings, w);
    return 0;
}

int recorder_diag(struct recorder *r, const struct diag *diag)
{
    return r->failed
               ? -1
               : add_warning(r, add_copy(r, diag->name && *diag->name ? diag->name : diag->rule),
                             NONE_ID, diag->file, diag->line, diag->message ? diag->message : "");
}

int recorder_left_out(struct recorder *r, uint64_t warnings)
{
    r->left_out = warnings; /* written at the end, and at once where that can be */
    return r->failed ? -1 : !r->db ? 0 : recorder_meta_integer(r, "warnings_left_out", warnings);
}

static int recorder_finish(void *self, const struct sink_summary *summary)
{
    struct recorder *r = self;
    if (r->failed || !r->begun) {
        return -1;
    }
    r->finished = true;
    if (flush_steps(r)) {
        return -1;
    }
    for (uint32_t u = 0; u < r->unit_count; u++) {
        if (flush_unit(r, u)) {
            return -1;
        }
    }
    if (flush_bulks(r) || recorder_summary(r, summary)) {
        return -1;
    }
    r->complete = summary->complete;
    return 0;
}

struct sink recorder_sink(struct recorder *recorder)
{
    static const struct sink_ops totals = {.name = "sqlite",
                                           .asks_stmts = true,
                                           .shares_costs = true,
                                           .begin = recorder_begin,
                                           .transfer = recorder_transfer,
                                           .edge = recorder_edge,
                                           .warning = recorder_warning,
.warnings = recorder_warnings,
                                           .finish = recorder_finish};
    static const struct sink_ops intervals = {.name = "sqlite",
                                              .asks_stmts = true,
                                              .shares_costs = true,
                                              .begin = recorder_begin,
                                              .slice = recorder_slice,
                                              .transfer = recorder_transfer,
                                              .edge = recorder_edge,
                                              .warning = recorder_warning,
.warnings = recorder_warnings,
                                              .finish = recorder_finish};
    static const struct sink_ops packed = {.name = "sqlite",
                                           .asks_stmts = true,
                                           .shares_costs = true,
                                           .begin = recorder_begin,
                                           .slice = recorder_slice,
                                           .pattern = recorder_pattern,
                                           .step = recorder_step,
                                           .hold = recorder_hold,
                                           .transfer = recorder_transfer,
                                           .edge = recorder_edge,
                                           .warning = recorder_warning,
.warnings = recorder_warnings,
                                           .finish = recorder_finish};
    static const struct sink_ops lean = {.name = "sqlite",
                                         .asks_stmts = true,
                                         .whole_only = true,
                                         .begin = recorder_begin,
                                         .transfer = recorder_transfer,
                                         .edge = recorder_edge,
                                         .warning = recorder_warning,
.warnings = recorder_warnings,
                                         .finish = recorder_finish};
    /* Plain rows are made of intervals one by one. */
    const bool rows = recorder->options.window_to > recorder->options.window_from;
    return (struct sink){.ops = rows                                        ? &intervals
                                : recorder->options.detail == DETAIL_CHUNKS ? &packed
                                : recorder->lean                            ? &lean
                                                                            : &totals,
                         .self = recorder};
}

/* --- open and close -------------------------------------------------------------------------- */

void recorder_disconnect(struct recorder *r)
{
    sqlite3_finalize(r->insert_string);
    sqlite3_finalize(r->insert_chunk);
    sqlite3_finalize(r->insert_steps);
    r->insert_string = r->insert_chunk = r->insert_steps = NULL;
    if (r->bulk_open) {
        bulk_close(&r->slice_row);
        r->bulk_open = false;
    }
    sqlite3_close(r->db);
    r->db = NULL;
}

static void release(struct recorder *r)
{
    recorder_disconnect(r);
    for (size_t i = 0; i < r->copy_count; i++) {
        free(r->copies[i]);
    }
    for (size_t i = 0; r->slices && i < r->unit_count; i++) {
        free(r->slices[i].items);
    }
    free(r->copies);
    free(r->slices);
    free(r->steps.items);
    free(r->steps.reach);
    deps_free(&r->deps);
    if (!r->ahead) {
        aside_close(r->deps.aside);
    }
    recorder_free_stmts(r);
    dictionary_free(&r->strings);
    free(r);
}

/* Rollback journal without syncs: appended pages are not journalled, a killed process leaves what
 * was committed. The syncs come before the file says that it is complete, and before it gets its
 * name (work_file_publish). */
int recorder_connect(struct recorder *r)
{
    const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    const int rc = sqlite3_open_v2(r->file ? r->work.path : ":memory:", &r->db, flags, NULL);
    if (rc != SQLITE_OK) {
        return recorder_fail(r, r->db ? sqlite3_errmsg(r->db) : "out of memory");
    }
    sqlite3_busy_timeout(r->db, 1000);
    return r->file ? recorder_exec(r, "PRAGMA page_size = 4096; PRAGMA auto_vacuum = NONE;"
                                      "PRAGMA locking_mode = EXCLUSIVE;"
                                      "PRAGMA journal_mode = TRUNCATE; PRAGMA synchronous = OFF")
                   : 0;
}

/* The empty trace gets its name as a whole: whatever ends the process, what is left says that it is
 * not complete. */
static int start_file(struct recorder *r, const char *path, char *error, size_t error_size)
{
    size_t size;
    const void *image = image_bytes(has_intervals(&r->options) ? IMAGE_FILE : IMAGE_TOTALS, &size);
    char sentence[WORK_ERROR] = "";
    const int status = work_file_open(&r->work, path, image, size, sentence);
    if (status) {
        snprintf(error, error_size, "%s", sentence);
    }
    return status;
}

static int prepare_database(struct recorder *r)
{
    if (recorder_connect(r) ||
        (!r->file && recorder_sql(r, image_load(r->db, r->lean ? IMAGE_LEAN : IMAGE_FILE))) ||
        (r->lean && recorder_sql(r, live_register(r))) || recorder_exec(r, "BEGIN")) {
        return -1;
    }
    if (!r->file) {
        r->insert_string = recorder_prepare(r, "INSERT INTO string VALUES (?, ?)");
    }
    return r->file || r->insert_string ? 0 : -1;
}

int recorder_open(struct recorder **recorder, const char *path,
                  const struct recorder_options *options, char *error, size_t error_size)
{
    struct recorder *r = calloc(1, sizeof *r);
    if (!r) {
        snprintf(error, error_size, "cannot record: out of memory");
        return -1;
    }
    r->work.lock = -1;
    r->options = options ? *options : (struct recorder_options){0};
    r->file = path != NULL;
    r->lean = !path && !r->options.whole;
    r->transfers.columns = TRANSFER_FIELDS;
    r->warnings.columns = WARNING_FIELDS;
    if (r->file) {
        const int status = start_file(r, path, error, error_size);
        if (status) {
            release(r);
            return status;
        }
    }
    if (prepare_database(r)) {
        snprintf(error, error_size, "%s", r->error);
        struct work_file work = r->work;
        release(r);
        work_file_drop(&work);
        return -1;
    }
    *recorder = r;
    return 0;
}

sqlite3 *recorder_db(struct recorder *recorder)
{
    struct recorder *r = recorder;
    flush_bulks(r);
    aside_wait(r->deps.aside);
    if (!r->file && r->begun && !r->finished && !r->failed) {
        recorder_write_rows(r);
    }
    return r->db;
}

const char *recorder_error(const struct recorder *recorder)
{
    return recorder->failed ? recorder->error : NULL;
}

/* Indexes come last: with them the run would take ten times as long. */
static int make_indexes(struct recorder *r)
{
    return has_intervals(&r->options) ? recorder_exec(r, SCHEMA_INTERVAL_INDEXES) : 0;
}

/* The last word, when all the rest is on the disk: what a kill leaves before it says that it is not
 * complete, after it is a whole trace that lacks its name (work_file.h). */
static int say_complete(struct recorder *r)
{
    if (!r->complete) {
        return 0;
    }
    fsync(r->work.lock); /* work_file_publish tells when that fails */
    return recorder_exec(r, "BEGIN") || recorder_say(r, true) || recorder_exec(r, "COMMIT") ? -1
                                                                                            : 0;
}

int recorder_close(struct recorder *r, char *error, size_t error_size)
{
    if (!r->file) {
        release(r);
        return 0;
    }
    if (!r->begun) {
        struct work_file work = r->work;
        release(r);
        work_file_drop(&work);
        return 0;
    }
    if (r->paging) { /* the run did not come to its end */
        ahead_stop(r->ahead);
        recorder_close_pages(r, false);
    }
    if (!r->failed && flush_bulks(r) == 0 && make_indexes(r) == 0 && recorder_say(r, false) == 0 &&
        recorder_exec(r, "COMMIT") == 0 && say_complete(r) == 0) {
        recorder_exec(r, "PRAGMA journal_mode = DELETE");
    }
    const bool failed = r->failed, complete = r->complete;
    snprintf(error, error_size, "%s", r->error);
    struct work_file work = r->work;
    release(r);
    char sentence[WORK_ERROR];
    if (failed) {
        /* What was committed stays readable. */
        work_file_publish(&work, false, sentence);
        return -1;
    }
    const int status = work_file_publish(&work, complete, sentence);
    if (status) {
        snprintf(error, error_size, "%s", sentence);
    }
    return status;
}
