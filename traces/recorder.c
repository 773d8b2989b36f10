#include "traces/recorder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/file_identity.h"
#include "traces/recorder_state.h"
#include "traces/schema.h"
#include "traces/sum.h"
#include "traces/trace.h"
#include "traces/trace_file.h"

/* --- events -------------------------------------------------------------------------------------
 */

static int write_chunk(struct recorder *r, uint32_t unit)
{
    struct chunk *chunk = &r->units[unit].chunk;
    if (chunk->count == 0)
        return 0;
    if (!r->insert_chunk)
        r->insert_chunk = recorder_prepare(r, "INSERT INTO slice_chunk VALUES (?, ?, ?, ?, ?, ?)");
    if (!r->insert_chunk)
        return -1;
    sqlite3_bind_int64(r->insert_chunk, 1, (int64_t)unit << 32 | r->units[unit].chunks++);
    sqlite3_bind_int64(r->insert_chunk, 2, unit);
    sqlite3_bind_int64(r->insert_chunk, 3, (int64_t)chunk->start);
    sqlite3_bind_int64(r->insert_chunk, 4, (int64_t)chunk->finish);
    sqlite3_bind_int64(r->insert_chunk, 5, chunk->count);
    sqlite3_bind_blob64(r->insert_chunk, 6, chunk->data, chunk->size, SQLITE_STATIC);
    const int status = recorder_step(r, r->insert_chunk);
    chunk_clear(chunk);
    return status;
}

static int write_row(struct recorder *r, const struct sink_interval *interval)
{
    if (!r->insert_row)
        r->insert_row =
            recorder_prepare(r, "INSERT INTO slice_row VALUES (?, ?, ?, ?, nullif(?, -1))");
    if (!r->insert_row)
        return -1;
    sqlite3_bind_int64(r->insert_row, 1, interval->unit);
    sqlite3_bind_int64(r->insert_row, 2, (int64_t)interval->start);
    sqlite3_bind_int64(r->insert_row, 3, (int64_t)interval->duration);
    sqlite3_bind_int64(r->insert_row, 4, interval->reason);
    sqlite3_bind_int64(r->insert_row, 5, interval->stmt == NONE_ID ? -1 : (int64_t)interval->stmt);
    return recorder_step(r, r->insert_row);
}

/* There are more intervals than are wanted: from here on none is kept. */
static int drop_intervals(struct recorder *r)
{
    r->options.intervals = false;
    for (size_t i = 0; i < r->unit_count; i++)
        chunk_free(&r->units[i].chunk);
    return recorder_exec(r, "DELETE FROM slice_chunk; DELETE FROM slice_row; "
                            "UPDATE meta SET value = 'totals' WHERE key = 'detail'");
}

/* As a plain row, too: those of a window, or all while they are few. */
static int take_row(struct recorder *r, const struct sink_interval *interval)
{
    const bool inside = interval->start < r->options.window_to &&
                        interval->start + interval->duration > r->options.window_from;
    if (inside || r->intervals <= r->options.plain)
        return write_row(r, interval);
    return r->options.plain && r->intervals == r->options.plain + 1
               ? recorder_exec(r, "DELETE FROM slice_row")
               : 0;
}

/* Of the store. */
static int kept(struct recorder *r, int status)
{
    return status == 0 ? 0 : recorder_fail(r, "out of memory");
}

static int take_interval(void *context, const struct sink_interval *interval)
{
    struct recorder *r = context;
    const struct sink_header *h = &r->store->header;
    if (interval->unit >= h->unit_count || interval->reason >= h->reason_count)
        return recorder_fail(r, "an interval of no unit or reason");
    if (kept(r, store_interval(r->store, interval)))
        return -1;
    if (!r->options.intervals)
        return 0;
    r->intervals++;
    if (r->options.most && r->intervals > r->options.most)
        return drop_intervals(r);
    if (take_row(r, interval))
        return -1;
    struct chunk *chunk = &r->units[interval->unit].chunk;
    const struct chunk_interval item = {.start = interval->start,
                                        .duration = interval->duration,
                                        .stmt = interval->stmt,
                                        .reason = interval->reason};
    if (interval->start < chunk->finish)
        return recorder_fail(r, "two intervals of a unit overlap");
    if (chunk_add(chunk, &item))
        return recorder_fail(r, "out of memory");
    return chunk->count == CHUNK_INTERVALS ? write_chunk(r, interval->unit) : 0;
}

static int take_transfer(void *context, const struct sink_transfer *transfer)
{
    struct recorder *r = context;
    return kept(r, store_transfer(r->store, transfer));
}

static int take_edge(void *context, const struct sink_edge *edge)
{
    struct recorder *r = context;
    return kept(r, store_edge(r->store, edge));
}

static int take_warning(void *context, const struct sink_warning *warning)
{
    struct recorder *r = context;
    return kept(r, store_warning(r->store, warning));
}

static int say_state(struct recorder *r)
{
    const struct recorder_fact fact = {"state", r->store->state, 0};
    return *r->store->state ? recorder_write_facts(r, &fact, 1) : 0;
}

int recorder_state(struct recorder *r, const char *hash)
{
    snprintf(r->store->state, sizeof r->store->state, "%s", hash);
    return say_state(r);
}

/* --- begin and finish ---------------------------------------------------------------------------
 */

static int begin(void *context, const struct sink_header *header)
{
    struct recorder *r = context;
    if (header->reason_count > REASON_MAX)
        return recorder_fail(r, "too many reasons");
    r->units = calloc(header->unit_count + 1, sizeof *r->units);
    r->unit_count = header->unit_count;
    if (!r->units)
        return recorder_fail(r, "out of memory");
    if (kept(r, store_begin(r->store, header)))
        return -1;
    r->written = true;
    if (recorder_write_header(r) || recorder_commit(r))
        return -1;
    r->begun = true;
    return 0;
}

/* Not committed before the file is closed: queries on this connection see it; the file of a killed
 * run lacks it. */
static int say_complete(struct recorder *r)
{
    char sql[120];
    snprintf(sql, sizeof sql,
             "INSERT OR REPLACE INTO meta VALUES ('total_cycles', %llu), ('complete', 1)",
             (unsigned long long)r->store->summary.cycles);
    return recorder_exec(r, sql);
}

static int finish(void *context, const struct sink_summary *summary)
{
    struct recorder *r = context;
    for (uint32_t i = 0; i < r->unit_count; i++)
        if (write_chunk(r, i))
            return -1;
    r->written = true;
    if (kept(r, store_finish(r->store, summary)) || recorder_write_events(r) ||
        recorder_write_summary(r) || recorder_exec(r, SCHEMA_INDEXES) || recorder_commit(r))
        return -1;
    r->complete = summary->complete;
    return r->complete ? say_complete(r) : 0;
}

struct sink recorder_sink(struct recorder *r)
{
    static const struct sink_ops totals = {.name = "SQLite",
                                           .begin = begin,
                                           .transfer = take_transfer,
                                           .edge = take_edge,
                                           .warning = take_warning,
                                           .finish = finish};
    static const struct sink_ops intervals = {.name = "SQLite",
                                              .begin = begin,
                                              .interval = take_interval,
                                              .transfer = take_transfer,
                                              .edge = take_edge,
                                              .warning = take_warning,
                                              .finish = finish};
    return (struct sink){r->options.intervals || r->store->options.regions ? &intervals : &totals,
                         r};
}

/* --- the database -------------------------------------------------------------------------------
 */

int recorder_commit(struct recorder *r)
{
    if (r && r->failed)
        return -1;
    if (!r || !r->partial || !r->written || r->complete)
        return 0;
    r->written = false;
    return recorder_exec(r, "COMMIT; BEGIN");
}

sqlite3 *recorder_db(struct recorder *r)
{
    return r->db;
}

const char *recorder_error(const struct recorder *r)
{
    return r->failed ? r->error : NULL;
}

static void free_recorder(struct recorder *r)
{
    sqlite3_finalize(r->insert_chunk);
    sqlite3_finalize(r->insert_row);
    sqlite3_close(r->db);
    for (size_t i = 0; r->units && i < r->unit_count; i++)
        chunk_free(&r->units[i].chunk);
    store_close(&r->own);
    free(r->units);
    free(r->path);
    free(r->partial);
    free(r);
}

static int open_memory(struct recorder *r)
{
    return recorder_sql(r, sqlite3_open_v2(":memory:", &r->db,
                                           SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL)) ||
                   recorder_exec(r, "PRAGMA temp_store = MEMORY; BEGIN")
               ? -1
               : 0;
}

static int open_file(struct recorder *r, const char *path)
{
    char error[TRACE_FILE_ERROR];
    r->path = file_target(path); /* a link stays one */
    if (!r->path)
        return recorder_fail(r, strerror(errno));
    r->partial = trace_partial(r->path);
    if (!r->partial)
        return recorder_fail(r, "out of memory");
    const int status = trace_file_claim(&r->db, r->path, r->partial, error);
    if (status) {
        snprintf(r->error, sizeof r->error, "%s", error);
        r->failed = true;
    }
    return status;
}

int recorder_open(struct recorder **recorder, const char *path,
                  const struct recorder_options *options, char *error, size_t error_size)
{
    struct recorder *r = calloc(1, sizeof *r);
    *recorder = NULL;
    if (!r) {
        snprintf(error, error_size, "out of memory");
        return -1;
    }
    r->options = *options;
    store_open(&r->own, &options->kept);
    r->store = options->store ? options->store : &r->own;
    r->options.intervals |= r->options.window_to > r->options.window_from;
    int status = path ? open_file(r, path) : open_memory(r);
    const bool claimed = status == 0;
    if (status == 0)
        status = recorder_sql(r, schema_create(r->db)) ||
                         recorder_exec(r, "INSERT INTO meta VALUES ('complete', 0); COMMIT; BEGIN")
                     ? -1
                     : 0;
    if (status) {
        snprintf(error, error_size, "%s", r->error);
        if (claimed && r->partial)
            trace_file_drop(r->partial);
        free_recorder(r);
        return status;
    }
    *recorder = r;
    return 0;
}

int recorder_close(struct recorder *r, char *error, size_t error_size)
{
    /* Memory that was out for a question has taken the transaction back. */
    if (!r->failed && r->complete && sqlite3_get_autocommit(r->db) &&
        recorder_exec(r, "BEGIN") == 0 && say_complete(r) == 0)
        say_state(r);
    if (!r->failed && r->partial)
        recorder_exec(r, "COMMIT");
    if (!r->failed && r->partial && r->begun)
        recorder_sql(r, sum_write(r->db));
    int status = r->failed ? -1 : 0;
    snprintf(error, error_size, "%s", r->error);
    if (r->partial && !r->begun)
        trace_file_drop(r->partial);
    char *path = r->path, *partial = r->partial;
    const bool complete = r->complete;
    r->path = r->partial = NULL;
    free_recorder(r);
    if (status == 0 && partial && complete) {
        char why[TRACE_FILE_ERROR];
        status = trace_file_publish(path, partial, why);
        if (status)
            snprintf(error, error_size, "%s", why);
    }
    free(path);
    free(partial);
    return status;
}
