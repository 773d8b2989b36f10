/*
 * recorder_pages: the tables of a file, as pages (traces/pages.h).
 *
 * While they are written the file is no open database; the thread of traces/ahead.h is the first to
 * write, the rest comes when the run has ended.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "traces/recorder_state.h"
#include "traces/schema.h"

/* Beside recorder_tables. */
enum {
    ROOT_SOURCE,
    ROOT_STMT,
    ROOT_STRING,
    ROOT_TRANSFER_STMT,
    ROOT_DEP_DST,
    ROOT_MIP_UNIT,
    ROOTS
};
static const char *const root_names[ROOTS] = {"source",        "stmt",    "string",
                                              "transfer_stmt", "dep_dst", "mip_unit"};
static_assert((int)ROOTS + (int)RECORDER_TABLES <= (int)PAGES_ROOTS, "room for each root");

static int find_roots(struct recorder *r)
{
    sqlite3_stmt *s = recorder_prepare(r, "SELECT name, rootpage FROM sqlite_schema");
    int rc = SQLITE_NOMEM;
    while (s && (rc = sqlite3_step(s)) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(s, 0);
        const uint32_t root = (uint32_t)sqlite3_column_int64(s, 1);
        for (size_t i = 0; i < ROOTS + RECORDER_TABLES; i++) {
            if (!strcmp(name, i < ROOTS ? root_names[i] : recorder_tables[i - ROOTS].name)) {
                r->roots[i] = root;
            }
        }
    }
    sqlite3_finalize(s);
    return s ? recorder_sql(r, rc) : -1;
}

int recorder_open_pages(struct recorder *r)
{
    if (find_roots(r) || recorder_exec(r, "COMMIT")) {
        return -1;
    }
    recorder_disconnect(r);
    r->paging = true;
    if (pages_open(&r->pages, r->work.lock, r->work.path)) {
        return -1; /* recorder_close_pages says why */
    }
    ahead_pages(r->ahead, &r->pages, r->roots[ROOT_SOURCE], r->roots[ROOT_STMT]);
    return 0;
}

int recorder_close_pages(struct recorder *r, bool commit)
{
    int status = 0;
    r->paging = false;
    if (pages_close(&r->pages, commit)) {
        recorder_fail(r, strerror(r->pages.error));
        status = -1;
    }
    const bool failed = r->failed;
    r->failed = false;
    if (recorder_connect(r) || recorder_exec(r, "BEGIN")) {
        status = -1;
    }
    r->failed |= failed;
    return status;
}

/* --- made aside ----------------------------------------------------------------------------------- */

/* Entries of an index: two or three columns of which the last is the row id. */
struct entries {
    int64_t *values;
    size_t count;
    unsigned columns;
};

/* Tables that are made aside while the others are written, and the indexes. */
enum { ASIDE_WARNING, ASIDE_DEP, ASIDE_MIP, ASIDE_TABLES };
enum { INDEXES = 3 };

struct apart {
    struct recorder *recorder;
    const struct sink_summary *summary;
    struct tree trees[ASIDE_TABLES];
    struct entries entries[INDEXES];
    struct index indexes[INDEXES];
    int status;
};

static bool in_order(const struct entries *e)
{
    for (size_t i = 1; i < e->count; i++) {
        const int64_t *x = e->values + (i - 1) * e->columns, *y = x + e->columns;
        unsigned k = 0;
        while (k + 1 < e->columns && x[k] == y[k]) {
            k++;
        }
        if (x[k] >= y[k]) {
            return false;
        }
    }
    return true;
}

/* Stable, by the first column, which is below 2^32: rows come in order of what follows it. */
static bool sort_entries(struct entries *e)
{
    enum { BITS = 11, BUCKETS = 1 << BITS, KEY = 32 };
    const size_t row = e->columns * sizeof *e->values;
    int64_t *other = in_order(e) ? NULL : malloc(e->count * row + 1);
    if (!other) {
        return in_order(e);
    }
    for (unsigned shift = 0; shift < KEY; shift += BITS) {
        size_t at[BUCKETS + 1] = {0};
        for (size_t i = 0; i < e->count; i++) {
            at[(e->values[i * e->columns] >> shift & (BUCKETS - 1)) + 1]++;
        }
        for (size_t b = 1; b <= BUCKETS; b++) {
            at[b] += at[b - 1];
        }
        for (size_t i = 0; i < e->count; i++) {
            const int64_t *from = e->values + i * e->columns;
            memcpy(other + at[from[0] >> shift & (BUCKETS - 1)]++ * e->columns, from, row);
        }
        int64_t *sorted = other;
        other = e->values;
        e->values = sorted;
        if (in_order(e)) {
            break;
        }
    }
    free(other);
    return in_order(e);
}

static bool make_entries(struct entries *e, size_t most, unsigned columns)
{
    e->columns = columns;
    e->values = malloc((most * columns + 1) * sizeof *e->values);
    return e->values != NULL;
}

static int make_indexes(struct apart *apart)
{
    const struct recorder *r = apart->recorder;
    const struct sink_summary *s = apart->summary;
    struct entries *transfers = &apart->entries[0], *deps = &apart->entries[1],
                   *windows = &apart->entries[2];
    if (!make_entries(transfers, r->transfers.count, 2) || !make_entries(deps, r->deps.count, 2) ||
        !make_entries(windows, s->window_count, 3)) {
        return -1;
    }
    for (size_t i = 0; i < r->transfers.count; i++) {
        const int64_t *row = r->transfers.values + i * r->transfers.columns;
        int64_t *entry = transfers->values + 2 * transfers->count++;
        entry[0] = row[1];
        entry[1] = row[0];
    }
    for (size_t i = 0; i < r->deps.count; i++) {
        int64_t *entry = deps->values + 2 * deps->count++;
        entry[0] = r->deps.rows[i].dst;
        entry[1] = (int64_t)r->deps.rows[i].order;
    }
    for (size_t i = 0; i < s->window_count; i++) {
        if (s->windows[i].busy) {
            int64_t *entry = windows->values + 3 * windows->count++;
            entry[0] = s->windows[i].unit;
            entry[1] = (int64_t)s->windows[i].index;
            entry[2] = (int64_t)windows->count;
        }
    }
    for (unsigned i = 0; i < INDEXES; i++) {
        struct entries *e = &apart->entries[i];
        if (!sort_entries(e)) {
            return -1;
        }
        index_make(&apart->indexes[i], e->values, e->count, e->columns);
    }
    return 0;
}

static int make_table(struct apart *apart, struct tree *tree, const struct recorder_table *table)
{
    struct out out = {.recorder = apart->recorder,
                      .tree = tree,
                      .columns = table->columns,
                      .keyed = table->keyed};
    return table->rows(apart->recorder, &out, apart->summary);
}

static const struct recorder_table *const aside_tables[ASIDE_TABLES] = {
    [ASIDE_WARNING] = &recorder_tables[TABLE_WARNING],
    [ASIDE_DEP] = &recorder_tables[TABLE_DEP],
    [ASIDE_MIP] = &recorder_tables[TABLE_MIP],
};

static void make_apart(void *argument)
{
    struct apart *apart = argument;
    for (unsigned i = 0; i < ASIDE_TABLES && apart->status == 0; i++) {
        apart->status = make_table(apart, &apart->trees[i], aside_tables[i]);
    }
    if (apart->status == 0) {
        apart->status = make_indexes(apart);
    }
}

static void begin_apart(struct apart *apart)
{
    for (unsigned i = 0; i < ASIDE_TABLES; i++) {
        tree_begin(&apart->trees[i]);
    }
    for (unsigned i = 0; i < INDEXES; i++) {
        tree_begin(&apart->indexes[i].tree);
    }
    aside_do(apart->recorder->ahead->aside, make_apart, apart);
}

static int end_apart(struct apart *apart)
{
    struct recorder *r = apart->recorder;
    aside_wait(r->ahead->aside);
    for (unsigned i = 0; i < ASIDE_TABLES; i++) {
        if (apart->status == 0) {
            tree_attach(&apart->trees[i], &r->pages,
                        r->roots[ROOTS + (aside_tables[i] - recorder_tables)]);
            tree_end(&apart->trees[i]);
        }
        tree_free(&apart->trees[i]);
    }
    for (unsigned i = 0; i < INDEXES; i++) {
        if (apart->status == 0) {
            index_attach(&apart->indexes[i], &r->pages, r->roots[ROOT_TRANSFER_STMT + i]);
        }
        tree_free(&apart->indexes[i].tree);
        free(apart->entries[i].values);
    }
    return apart->status ? recorder_fail(r, "out of memory") : 0;
}

/* --- tables --------------------------------------------------------------------------------------- */

static void begin_tree(struct recorder *r, struct tree *tree, unsigned root)
{
    tree_begin(tree);
    tree_attach(tree, &r->pages, r->roots[root]);
}

static bool is_aside(const struct recorder_table *table)
{
    for (unsigned i = 0; i < ASIDE_TABLES; i++) {
        if (table == aside_tables[i]) {
            return true;
        }
    }
    return false;
}

static int write_tables(struct recorder *r, const struct sink_summary *s)
{
    int status = 0;
    for (unsigned i = 0; i < RECORDER_TABLES && status == 0; i++) {
        const struct recorder_table *table = &recorder_tables[i];
        if (is_aside(table)) {
            continue;
        }
        struct tree tree;
        begin_tree(r, &tree, ROOTS + i);
        struct out out = {
            .recorder = r, .tree = &tree, .columns = table->columns, .keyed = table->keyed};
        status = table->rows(r, &out, s);
        tree_end(&tree);
    }
    return status;
}

static int write_stmts(struct recorder *r)
{
    struct tree tree;
    begin_tree(r, &tree, ROOT_STMT);
    const int status = recorder_write_stmts(r, &tree);
    tree_end(&tree);
    return status;
}

static void write_strings(struct recorder *r)
{
    struct tree tree;
    begin_tree(r, &tree, ROOT_STRING);
    for (size_t i = 0; i < r->strings.count; i++) {
        const struct dictionary_entry *string = &r->strings.entries[i];
        const int64_t id = (int64_t)i + 1;
        tree_text(&tree, id, &id, 1, true, string->text, string->size);
    }
    tree_end(&tree);
}

static int fill_pages(struct recorder *r, const struct sink_summary *s)
{
    if (ahead_join(r->ahead) || deps_settle(&r->deps)) {
        return recorder_fail(r, "out of memory");
    }
    recorder_seal_sources(r);
    r->seals[SEAL_stmt].rows = r->ahead->stmt_count;
    struct apart apart = {.recorder = r, .summary = s};
    begin_apart(&apart);
    int status = write_tables(r, s);
    if (status == 0 && !ahead_all(r->ahead)) {
        recorder_need_deps(r); /* the last to refer to statements */
        status = write_stmts(r);
    }
    if (status == 0) {
        write_strings(r);
    }
    return end_apart(&apart) || status ? -1 : 0;
}

int recorder_write_pages(struct recorder *r, const struct sink_summary *s)
{
    int status = 0;
    if (!r->paging) {
        status = recorder_exec(r, SCHEMA_TOTALS_INDEXES) || recorder_open_pages(r) ? -1 : 0;
    }
    if (!r->paging) {
        return -1;
    }
    status = status == 0 ? fill_pages(r, s) : -1;
    return recorder_close_pages(r, status == 0) || status ? -1 : 0;
}
