/*
 * recorder_pages: the tables of a file, as pages (traces/pages.h).
 *
 * The connection stays open meanwhile, between two transactions: the file's change counter tells it what has
 * happened. The thread of traces/ahead.h is the first to write, the rest comes
 * when the run has ended (recorder_apart.c).
 */
#include <assert.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "traces/recorder_state.h"
#include "traces/schema.h"

static const char *const root_names[ROOTS] = {"source", "stmt", "string", "transfer_stmt"};
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
        memset(r->roots, 0, sizeof r->roots); /* recorder_write_ahead: there is nothing to write to */
        return -1;
    }
    r->paging = true;
    if (pages_open(&r->pages, r->work.lock, r->work.path)) {
        memset(r->roots, 0, sizeof r->roots);
        return recorder_fail(r, strerror(r->pages.error));
    }
    return 0;
}

void recorder_write_ahead(struct recorder *r)
{
    ahead_pages(r->ahead, &r->pages, &r->roots[ROOT_SOURCE], &r->roots[ROOT_STMT]);
}

int recorder_close_pages(struct recorder *r, bool commit)
{
    int status = 0;
    if (!commit) {
        aside_wait(r->ahead->aside); /* it may have begun to write what nobody needs */
    }
    r->paging = false;
    if (pages_close(&r->pages, commit)) {
        recorder_fail(r, strerror(r->pages.error));
        status = -1;
    }
    return recorder_exec(r, "BEGIN") ? -1 : status;
}

/* --- tables --------------------------------------------------------------------------------------- */

static void begin_tree(struct recorder *r, struct tree *tree, unsigned root)
{
    tree_begin(tree, &r->ahead->leaves);
    tree_attach(tree, &r->pages, r->roots[root]);
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

/* On their way to the disk: the sync finds little left. */
static void send_pages(void *self)
{
    struct recorder *r = self;
    sync_file_range(r->work.lock, 0, 0, SYNC_FILE_RANGE_WRITE);
}

static int fill_pages(struct recorder *r, const struct sink_summary *s)
{
    if (ahead_join(r->ahead)) {
        return recorder_fail(r, "out of memory");
    }
    if (recorder_write_apart(r, s)) {
        return -1;
    }
    write_strings(r);
    recorder_seal_sources(r);
    r->seals[SEAL_stmt].rows += ahead_all(r->ahead) ? r->ahead->stmt_count : 0;
    r->program_hash = r->ahead->listing.hash;
    aside_do(r->ahead->aside, send_pages, r);
    return 0;
}

int recorder_write_pages(struct recorder *r, const struct sink_summary *s)
{
    int status = 0;
    if (!r->paging) {
        status = recorder_exec(r, SCHEMA_TOTALS_INDEXES) || recorder_open_pages(r) ? -1 : 0;
        if (status == 0) {
            recorder_write_ahead(r);
        }
    }
    if (!r->paging) {
        return -1;
    }
    status = status == 0 ? fill_pages(r, s) : -1;
    return recorder_close_pages(r, status == 0) || status ? -1 : 0;
}
