#include "traces/recorder.h"

#include <errno.h>
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
    if (!atomic_exchange(&r->failing, true)) {
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
    if (!r->insert_meta) {
        r->insert_meta = recorder_prepare(r, "INSERT OR REPLACE INTO meta VALUES (?, ?)");
    }
    sqlite3_stmt *const s = r->insert_meta;
    if (!s) {
        return -1;
    }
    sqlite3_bind_text(s, 1, key, -1, SQLITE_STATIC);
    if (type == SQLITE_INTEGER) {
        sqlite3_bind_int64(s, 2, (int64_t)integer);
    } else if (type == SQLITE_FLOAT) {
        sqlite3_bind_double(s, 2, real);
    } else {
        sqlite3_bind_text(s, 2, text ? text : "", -1, SQLITE_STATIC);
    }
    return recorder_insert(r, s);
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
int recorder_flush_now_and_then(struct recorder *r)
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

static bool has_intervals(const struct recorder_options *options)
{
    return options->detail == DETAIL_CHUNKS || options->window_to > options->window_from;
}

static int prepare_tables(struct recorder *r)
{
    if (!has_intervals(&r->options)) {
        return 0;
    }
    r->bulk_open = true;
    r->insert_chunk = recorder_prepare(r, "INSERT INTO slice_chunk VALUES (?, ?, ?, ?, ?, ?)");
    r->insert_steps = recorder_prepare(r, "INSERT INTO step_chunk VALUES (?, ?, ?, ?, ?, ?)");
    return !r->insert_chunk || !r->insert_steps ||
                   recorder_sql(r, bulk_open(&r->slice_row, r->db, "slice_row", 5))
               ? -1
               : 0;
}

static enum ahead_paging paging_of(const struct recorder *r)
{
    return !r->file                      ? AHEAD_NO_PAGES
           : has_intervals(&r->options) ? AHEAD_PAGES_LATE
                                         : AHEAD_PAGES_SOON;
}

/* Two edges for each transfer: one of its own, and the wait for it. Of a file the pages, too: rows of both, of
 * statements and in indexes. */
static void make_room(void *self)
{
    enum { BYTES = 280, MOST = 4 * LEAVES_BLOCK };
    struct recorder *r = self;
    deps_reserve(&r->deps, r->literal_count ? r->transfer_room : 2 * r->transfer_room);
    if (r->literal_count) {
        deps_reserve(&r->moved, r->transfer_room);
    }
    if (r->file) {
        const size_t pages = r->transfer_room * BYTES / PAGE_SIZE;
        leaf_pool_reserve(&r->ahead->leaves, pages < MOST ? pages : MOST);
    }
}

/* From here on the name tells of a run that has not ended. */
static void announce(void *self)
{
    struct recorder *r = self;
    char error[WORK_ERROR];
    if (work_file_announce(&r->work, r->announcement, r->announcement_size, error)) {
        recorder_fail(r, error);
    }
    free(r->announcement);
    r->announcement = NULL;
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
    if (!r->opening && (prepare_tables(r) || recorder_header(r, h))) {
        return -1;
    }
    r->told.files = r->files;
    if (!r->lazy) {
        r->told.program_hash = NULL; /* recorder_header has told it */
    }
    if (!r->lean && !r->ahead && ahead_start(&r->ahead, &r->told, paging_of(r), NULL, NULL)) {
        return recorder_fail(r, "out of memory");
    }
    tree_begin(&r->transfer_tree, r->ahead ? &r->ahead->leaves : NULL);
    tree_begin(&r->warning_tree, r->ahead ? &r->ahead->leaves : NULL);
    if (r->ahead) {
        r->deps.aside = r->ahead->aside;
    } else if (!r->deps.aside && h->stmt_count > AHEAD_STMTS) {
        r->deps.aside = aside_open();
    }
    if (r->file && recorder_literals(r, h->texts)) {
        return -1;
    }
    if (r->file) {
        /* By whoever is free for it. */
        aside_do(aside_idle(r->deps.aside) ? r->deps.aside : NULL, announce, r);
    }
    if (r->deps.aside && h->transfer_count) {
        r->transfer_room = h->transfer_count;
        aside_do(r->deps.aside, make_room, r);
    }
    if (r->file) {
        /* Nothing more goes through SQL until the end, unless it is intervals. */
        if (!r->opening && !has_intervals(&r->options)) {
            if (recorder_flush(r) || recorder_open_pages(r)) {
                return -1;
            }
            recorder_write_ahead(r);
        }
    }
    /* Rows that the thread of ahead is told go to the file as they come. */
    if (r->paging && r->literal_count) {
        tree_attach(&r->transfer_tree, &r->pages, r->roots[ROOTS + TABLE_TRANSFER]);
    }
    if (r->paging) {
        tree_attach(&r->warning_tree, &r->pages, r->roots[ROOTS + TABLE_WARNING]);
    }
    return r->failed ? -1 : 0;
}

int recorder_left_out(struct recorder *r, uint64_t warnings)
{
    r->left_out = warnings; /* written at the end, and at once where that can be */
    return r->failed ? -1 : r->paging ? 0 : recorder_meta_integer(r, "warnings_left_out", warnings);
}

/* So that recorder_close finds little left to wait for. */
static void sync_file(void *self)
{
    struct recorder *r = self;
    if (fdatasync(r->work.lock) && errno != EINVAL && errno != EROFS) {
        r->sync_error = errno; /* the system says it once */
    }
}

/* What the pages of a file now hold. */
static void let_go(void *self)
{
    struct recorder *r = self;
    rows_free(&r->transfers);
    rows_free(&r->warnings);
    deps_drop(&r->deps);
    deps_drop(&r->moved);
    ahead_let_go(r->ahead);
    leaf_pool_drop(&r->ahead->leaves);
}

static int recorder_finish(void *self, const struct sink_summary *summary)
{
    struct recorder *r = self;
    int status = -1;
    if (!r->failed && r->begun) {
        r->finished = true;
        if (!r->file || has_intervals(&r->options)) {
            recorder_wait_told(r); /* what follows is not only the tables of a file */
        }
        if (recorder_flush_intervals(r) == 0 && flush_bulks(r) == 0) {
            status = recorder_summary(r, summary);
        }
    }
    recorder_wait_told(r);
    r->complete = status == 0 && summary->complete;
    if (r->file && r->complete && r->deps.aside) {
        aside_do(r->deps.aside, sync_file, r);
        r->sync_job = aside_given(r->deps.aside);
        aside_do(r->deps.aside, let_go, r); /* while the caller waits for the disk */
    }
    return status;
}

/* What a recorder of each kind takes. */
#define TAKES                                                                                      \
    .name = "sqlite", .asks_stmts = true, .begin = recorder_begin, .transfer = recorder_transfer,  \
    .edge = recorder_edge, .warning = recorder_warning, .warnings = recorder_warnings,             \
    .transfers = recorder_transfers, .finish = recorder_finish

struct sink recorder_sink(struct recorder *recorder)
{
    static const struct sink_ops totals = {TAKES, .shares_costs = true};
    static const struct sink_ops file = {
        TAKES, .shares_costs = true, .transfers_ahead = recorder_transfers_ahead};
    static const struct sink_ops intervals = {
        TAKES, .shares_costs = true, .slice = recorder_slice};
    static const struct sink_ops packed = {TAKES,
                                           .shares_costs = true,
                                           .slice = recorder_slice,
                                           .pattern = recorder_pattern,
                                           .step = recorder_step,
                                           .hold = recorder_hold};
    static const struct sink_ops lean = {TAKES, .whole_only = true};
    /* Plain rows are made of intervals one by one. */
    const bool rows = recorder->options.window_to > recorder->options.window_from;
    return (struct sink){.ops = rows                                        ? &intervals
                                : recorder->options.detail == DETAIL_CHUNKS ? &packed
                                : recorder->lean                            ? &lean
                                : recorder->file                            ? &file
                                                                            : &totals,
                         .self = recorder};
}

/* --- open and close -------------------------------------------------------------------------- */

static void disconnect(struct recorder *r)
{
    sqlite3_finalize(r->insert_meta);
    sqlite3_finalize(r->insert_string);
    sqlite3_finalize(r->insert_chunk);
    sqlite3_finalize(r->insert_steps);
    r->insert_meta = r->insert_string = r->insert_chunk = r->insert_steps = NULL;
    if (r->bulk_open) {
        bulk_close(&r->slice_row);
        r->bulk_open = false;
    }
    sqlite3_close(r->db);
    r->db = NULL;
}

static void disconnect_aside(void *self)
{
    disconnect(self);
}

/* The work file is left to the caller. */
static void release(struct recorder *r, struct work_file *work)
{
    r->dropped = true;
    if (r->ahead) {
        ahead_stop(r->ahead); /* it may still open the file, and read what follows */
    }
    aside_wait(r->deps.aside);
    recorder_end_apart(r);
    if (r->paging) {
        recorder_close_pages(r, false);
    }
    pages_free(&r->pages);
    disconnect(r);
    for (size_t i = 0; i < r->copy_count; i++) {
        free(r->copies[i]);
    }
    for (size_t i = 0; r->slices && i < r->unit_count; i++) {
        free(r->slices[i].items);
    }
    free(r->path);
    free(r->copies);
    free(r->announcement);
    free(r->slices);
    free(r->steps.items);
    free(r->steps.reach);
    deps_free(&r->deps);
    deps_free(&r->moved);
    if (!r->ahead) {
        aside_close(r->deps.aside);
    }
    recorder_free_stmts(r);
    dictionary_free(&r->strings);
    *work = r->work;
    free(r);
}

/* It never began: nothing is left of it. */
static void drop(struct recorder *r)
{
    struct work_file work;
    release(r, &work);
    work_file_drop(&work);
}

/* Rollback journal without syncs: appended pages are not journalled, a killed process leaves what
 * was committed. The syncs come before the file says that it is complete, and before it gets its
 * name (work_file_publish). */
static int connect_database(struct recorder *r)
{
    const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    /* The locks of a file are those of traces/work_file.h: this connection does without. */
    const int rc = r->file ? sqlite3_open_v2(r->work.path, &r->db, flags, "unix-none")
                           : sqlite3_open_v2(":memory:", &r->db, flags, NULL);
    if (rc != SQLITE_OK) {
        return recorder_fail(r, r->db ? sqlite3_errmsg(r->db) : "out of memory");
    }
    return r->file ? recorder_exec(r, "PRAGMA page_size = 4096; PRAGMA auto_vacuum = NONE;"
                                      "PRAGMA journal_mode = TRUNCATE; PRAGMA synchronous = OFF")
                   : 0;
}

/* The empty trace gets its name as a whole: whatever ends the process, what is left says that it is
 * not complete. */
static int start_file(struct recorder *r)
{
    size_t size;
    const void *image = image_bytes(has_intervals(&r->options) ? IMAGE_FILE : IMAGE_TOTALS, &size);
    char sentence[WORK_ERROR] = "";
    const int status = work_file_open(&r->work, r->path, image, size, sentence);
    if (status) {
        snprintf(r->error, sizeof r->error, "%s", sentence);
    }
    return status;
}

static int prepare_database(struct recorder *r)
{
    if (connect_database(r) ||
        (!r->file && recorder_sql(r, image_load(r->db, r->lean ? IMAGE_LEAN : IMAGE_FILE))) ||
        (r->lean && recorder_sql(r, live_register(r))) || recorder_exec(r, "BEGIN")) {
        return -1;
    }
    if (!r->file) {
        r->insert_string = recorder_prepare(r, "INSERT INTO string VALUES (?, ?)");
    }
    return r->file || r->insert_string ? 0 : -1;
}

/* As recorder_open; the sentence is in r->error. */
static int open_now(struct recorder *r)
{
    const int status = r->file ? start_file(r) : 0;
    return status ? status : prepare_database(r);
}

/* The same by the thread of ahead, as far as the header goes. */
static void open_aside(void *self)
{
    struct recorder *r = self;
    r->opened = open_now(r);
    if (r->opened == 0 && (recorder_header(r, r->options.header) || (r->file && recorder_open_pages(r)))) {
        r->opened = -1;
    }
}

/* The first job of ahead. */
static void begin_aside(void *self)
{
    struct recorder *r = self;
    const struct sink_header *h = r->options.header;
    if (r->opening) {
        open_aside(r);
    }
    if (h->work && r->opened == 0 && !r->dropped) {
        h->work(h->work_asked);
    }
}

/* What does not wait for the program to be legal. In memory that is the head and the work of the header: what is
 * recorded else comes with the run. */
static int start_early(struct recorder *r)
{
    const struct sink_header *h = r->options.header;
    if (h->stmt_count <= AHEAD_STMTS) {
        return 0;
    }
    if (r->lean) {
        r->opening = true;
        r->deps.aside = aside_open();
        aside_do(r->deps.aside, begin_aside, r);
        return 0;
    }
    const struct told told = told_of(h);
    r->opening = !has_intervals(&r->options) && !work_file_left(r->path);
    if (ahead_start(&r->ahead, &told, paging_of(r), begin_aside, r)) {
        return -1;
    }
    if (r->opening) {
        recorder_write_ahead(r);
    }
    return 0;
}

int recorder_open(struct recorder **recorder, const char *path,
                  const struct recorder_options *options, char *error, size_t error_size)
{
    struct recorder *r = calloc(1, sizeof *r);
    char *own_path = path ? strdup(path) : NULL;
    if (!r || (path && !own_path)) {
        free(r);
        free(own_path);
        snprintf(error, error_size, "cannot record: out of memory");
        return -1;
    }
    r->work.lock = -1;
    r->path = own_path;
    r->options = options ? *options : (struct recorder_options){0};
    r->file = path != NULL;
    r->lean = !path && !r->options.whole;
    r->transfers.columns = r->file ? TRANSFER_ENTRY : TRANSFER_FIELDS;
    r->transfer_out = (struct out){
        .recorder = r, .tree = &r->transfer_tree, .columns = TRANSFER_FIELDS, .keyed = true};
    r->warnings.columns = WARNING_FIELDS;
    r->warning_out =
        (struct out){.recorder = r, .tree = &r->warning_tree, .columns = WARNING_FIELDS};
    *recorder = r;
    if (!r->options.header) {
        return recorder_ready(r, error, error_size);
    }
    if ((r->file || r->lean) && start_early(r)) {
        snprintf(error, error_size, "cannot record: out of memory");
        drop(r);
        return -1;
    }
    return 0;
}

int recorder_ready(struct recorder *r, char *error, size_t error_size)
{
    if (r->ahead) {
        aside_wait_for(r->ahead->aside, r->ahead->first);
    } else {
        aside_wait(r->deps.aside);
    }
    if (!r->opening) {
        r->opened = open_now(r);
    }
    r->options.header = NULL;
    const int status = r->opened;
    if (status) {
        snprintf(error, error_size, "%s", r->error);
        drop(r);
    }
    return status;
}

void recorder_abandon(struct recorder *r)
{
    work_file_abandon(&r->work);
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

/* Of a run that came to its summary all has been committed, but for the last word (recorder_summary): that comes
 * when the rest is on the disk. A question that found no memory has taken it back by itself. */
static int end_transaction(struct recorder *r)
{
    if (!r->finished) {
        return recorder_exec(r, "COMMIT");
    }
    return sqlite3_get_autocommit(r->db) ? 0 : recorder_exec(r, "ROLLBACK");
}

/* The last word, when all the rest is on the disk: what a kill leaves before it says that it is not
 * complete, after it is a whole trace that lacks its name (work_file.h). */
static int say_complete(struct recorder *r)
{
    if (!r->complete) {
        return 0;
    }
    aside_wait_for(r->deps.aside, r->sync_job);
    if (r->sync_error == 0 && (!r->sync_job || has_intervals(&r->options))) {
        sync_file(r); /* what nobody has, or indexes that came later */
    }
    if (r->sync_error) {
        return recorder_fail(r, strerror(r->sync_error));
    }
    return recorder_exec(r, "BEGIN") || recorder_say(r, true) || recorder_exec(r, "COMMIT") ? -1
                                                                                            : 0;
}

int recorder_close(struct recorder *r, char *error, size_t error_size)
{
    if (!r->file || !r->begun) {
        drop(r);
        return 0;
    }
    if (r->paging) { /* the run did not come to its end */
        ahead_stop(r->ahead);
        recorder_close_pages(r, false);
    }
    if (!r->failed && flush_bulks(r) == 0 && end_transaction(r) == 0 && make_indexes(r) == 0 &&
        say_complete(r) == 0) {
        /* If not, work_file_publish finds the journal, which is empty. */
        sqlite3_exec(r->db, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL);
    }
    const bool failed = r->failed, complete = r->complete;
    snprintf(error, error_size, "%s", r->error);
    /* The thread of ahead writes no more; it may be letting things go, and the connection with them. */
    aside_do(r->deps.aside, disconnect_aside, r);
    char sentence[WORK_ERROR];
    /* Of a failed one what was committed stays readable. */
    const int status = work_file_publish(&r->work, !failed && complete, sentence);
    if (!failed && status) {
        snprintf(error, error_size, "%s", sentence);
    }
    struct work_file none;
    release(r, &none);
    return failed ? -1 : status;
}
