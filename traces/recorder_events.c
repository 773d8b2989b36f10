/* recorder_events: what a run tells as it happens, gathered: transfers, edges, warnings, and the texts in
 * them. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "traces/recorder_state.h"

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

/* --- transfers, told aside ---------------------------------------------------------------------------- */

struct tale {
    struct recorder *recorder;
    sink_tale *tell;
    const void *asked;
};

static int add_edge(void *self, const struct sink_edge *e)
{
    struct recorder *r = self;
    const uint32_t rule = e->rule && *e->rule ? add_literal(r, e->rule) : NONE_ID;
    if (!rule) {
        return -1;
    }
    return deps_add(&r->deps, e, rule) ? recorder_fail(r, "out of memory") : 0;
}

static int add_transfer_of(struct recorder *r, const struct sink_transfer *t, uint32_t mode)
{
    if (!mode) {
        return -1;
    }
    recorder_need_now(r, t->stmt);
    recorder_need_now(r, t->waited_by);
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
    if (r->file) {
        const int64_t entry[TRANSFER_ENTRY] = {row[1], row[0]};
        return out_row(&r->transfer_out, row) || rows_add(r, &r->transfers, entry) ? -1 : 0;
    }
    return rows_add(r, &r->transfers, row);
}

static int add_transfer(void *self, const struct sink_transfer *t)
{
    return add_transfer_of(self, t, add_literal(self, t->mode ? t->mode : ""));
}

/* While the run tells other things texts are not to be touched, nor its edges. */
int recorder_literals(struct recorder *r, const char *const *texts)
{
    for (; texts && *texts; texts++) {
        if (r->literal_count == RECORDER_LITERALS) {
            return recorder_fail(r, "more modes and rules than there is room for");
        }
        const uint32_t id = add_literal(r, *texts);
        if (!id) {
            return -1;
        }
        r->literals[r->literal_count++] = (struct literal){*texts, id};
    }
    return 0;
}

static uint32_t literal_id(struct recorder *r, const char *text)
{
    for (size_t i = 0; i < r->literal_count; i++) {
        const struct literal *literal = &r->literals[i];
        if (literal->text == text) {
            return literal->id;
        }
    }
    recorder_fail(r, "a mode or rule of a transfer was not told at the begin");
    return 0;
}

static int add_moved_edge(void *self, const struct sink_edge *e)
{
    struct recorder *r = self;
    const uint32_t rule = literal_id(r, e->rule);
    return !rule                          ? -1
           : deps_add(&r->moved, e, rule) ? recorder_fail(r, "out of memory")
                                          : 0;
}

static int add_moved(void *self, const struct sink_transfer *t)
{
    return add_transfer_of(self, t, literal_id(self, t->mode));
}

/* Of a trace in memory: the caller touches neither texts nor rows of transfers nor edges meanwhile. */
static void tell_transfers(void *argument)
{
    static const struct sink_ops ops = {.name = "aside", .transfer = add_transfer, .edge = add_edge},
                                 apart = {.name = "apart", .transfer = add_moved, .edge = add_moved_edge};
    struct tale *tale = argument;
    struct recorder *r = tale->recorder;
    struct deps *deps = r->literal_count ? &r->moved : &r->deps;
    deps_begin_here(deps);
    if (!r->failed && tale->tell(tale->asked, &(struct sink){r->literal_count ? &apart : &ops, r})) {
        recorder_fail(r, "out of memory");
    }
    deps_end_here(deps);
    free(tale);
}

static int tell_aside(struct recorder *r, sink_tale *tell, const void *asked)
{
    struct tale *tale = malloc(sizeof *tale);
    if (!tale) {
        return recorder_fail(r, "out of memory");
    }
    *tale = (struct tale){r, tell, asked};
    aside_do(r->deps.aside, tell_transfers, tale);
    return 0;
}

int recorder_transfers_ahead(void *self, sink_tale *tell, const void *asked)
{
    struct recorder *r = self;
    assert(r->literal_count && !r->apart);
    return r->failed ? -1 : tell_aside(r, tell, asked);
}

int recorder_transfers(void *self, sink_tale *tell, const void *asked)
{
    struct recorder *r = self;
    assert(!tell || !r->apart); /* once a run */
    recorder_wait_told(r);
    if (!tell) {
        aside_wait(r->deps.aside); /* nothing that was told ahead may be read from now on */
    }
    if (!tell || r->failed) {
        return r->failed ? -1 : 0;
    }
    deps_hand_over(&r->deps);
    if (tell_aside(r, tell, asked)) {
        return -1;
    }
    r->telling = true;
    r->told_jobs = aside_given(r->deps.aside);
    return r->paging ? recorder_begin_apart(r) : 0;
}

void recorder_wait_told(struct recorder *r)
{
    if (r->telling) {
        aside_wait_for(r->deps.aside, r->told_jobs);
        r->telling = false;
    }
}

/* --- events ------------------------------------------------------------------------------------------ */

int recorder_edge(void *self, const struct sink_edge *edge)
{
    struct recorder *r = self;
    assert(!r->apart); /* tables of what has been told are being made */
    recorder_wait_told(r);
    return add_edge(r, edge);
}

int recorder_transfer(void *self, const struct sink_transfer *transfer)
{
    struct recorder *r = self;
    assert(!r->apart && !r->transfer_tree.pages); /* its rows are written aside */
    recorder_wait_told(r);
    return add_transfer(r, transfer);
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

/* The table may move: not while rows of it are made aside. */
static void wait_for_warnings(struct recorder *r)
{
    if (r->warnings_aside) {
        aside_wait(r->deps.aside);
        r->warnings_aside = false;
    }
}

static int add_warning(struct recorder *r, uint32_t name, uint32_t stmt, int64_t file,
                       int64_t line, const char *sentence)
{
    const uint32_t sentence_id = name ? add_sentence(r, sentence) : 0;
    if (!sentence_id) {
        return -1;
    }
    if (!r->lazy || line <= 0) {
        recorder_need_now(r, stmt);
    }
    seal_add(r, SEAL_warning, 0);
    int64_t row[WARNING_FIELDS];
    warning_row(row, r->lazy, name, stmt, file, line, sentence_id);
    wait_for_warnings(r);
    return rows_add(r, &r->warnings, row);
}

int recorder_warning(void *self, const char *name, uint32_t stmt, const char *sentence)
{
    struct recorder *r = self;
    recorder_wait_told(r);
    uint32_t file = 0, line = 0;
    if (stmt < r->told.stmt_count) {
        told_place(&r->told, stmt, &file, &line);
    }
    return add_warning(r, add_literal(r, name), stmt, file, line, sentence);
}

/* Warnings of many statements. Where one stands is far from where the one before does: their rows are made
 * aside, those of a file in its tree. */
struct warned {
    struct recorder *recorder;
    uint32_t name;
    uint32_t *sentences; /* ids */
    int64_t *rows;       /* those of a trace in memory */
    size_t before;       /* of a file: rows of others that come first */
    size_t count;
    struct sink_warned stmts[];
};

static void warned_row(const struct warned *w, size_t i, int64_t row[WARNING_FIELDS])
{
    const struct recorder *r = w->recorder;
    const uint32_t stmt = w->stmts[i].stmt;
    uint32_t file = 0, line = 0;
    if (stmt < r->told.stmt_count) {
        told_place(&r->told, stmt, &file, &line);
    }
    warning_row(row, r->lazy, w->name, stmt, file, line, w->sentences[w->stmts[i].sentence]);
}

static void free_warned(struct warned *w)
{
    free(w->sentences);
    free(w);
}

static void make_warnings(void *argument)
{
    struct warned *w = argument;
    for (size_t i = 0; i < w->count; i++) {
        warned_row(w, i, w->rows + i * WARNING_FIELDS);
    }
    free_warned(w);
}

static void write_warnings(void *argument)
{
    struct warned *w = argument;
    struct recorder *r = w->recorder;
    int status = rows_write(&r->warnings, w->before, &r->warning_out);
    for (size_t i = 0; i < w->count && status == 0; i++) {
        int64_t row[WARNING_FIELDS];
        warned_row(w, i, row);
        status = out_row(&r->warning_out, row);
    }
    free_warned(w);
}

int recorder_warnings(void *self, const char *name, const struct sink_warnings *warnings)
{
    struct recorder *r = self;
    recorder_wait_told(r);
    const size_t count = warnings->count;
    wait_for_warnings(r);
    struct warned *w = malloc(sizeof *w + count * sizeof *w->stmts);
    uint32_t *sentences = malloc((warnings->sentence_count + 1) * sizeof *sentences);
    bool fine = w && sentences && (r->file || rows_reserve(r, &r->warnings, count) == 0);
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
    *w = (struct warned){.recorder = r, .name = name_id, .sentences = sentences, .count = count};
    if (count) {
        memcpy(w->stmts, warnings->warned, count * sizeof *w->stmts);
    }
    r->seals[SEAL_warning].rows += count;
    r->warnings_aside = true;
    if (r->file) {
        w->before = r->warnings.count;
        aside_do(r->deps.aside, write_warnings, w);
        return 0;
    }
    w->rows = r->warnings.values + r->warnings.count * WARNING_FIELDS;
    r->warnings.count += count;
    aside_do(r->deps.aside, make_warnings, w);
    return 0;
}

int recorder_diag(struct recorder *r, const struct diag *diag)
{
    recorder_wait_told(r);
    return r->failed
               ? -1
               : add_warning(r, add_copy(r, diag->name && *diag->name ? diag->name : diag->rule),
                             NONE_ID, diag->file, diag->line, diag->message ? diag->message : "");
}
