#include "traces/trace.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/file_identity.h"
#include "host/in_use.h"
#include "traces/rows.h"
#include "host/failure.h"
#include "traces/schema.h"
#include "traces/slice.h"
#include "traces/sum.h"

static uint32_t big(const unsigned char *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

bool trace_is_header(const unsigned char head[TRACE_HEADER])
{
    return memcmp(head, "SQLite format 3", 16) == 0 && big(head + 68) == SCHEMA_APPLICATION_ID;
}

bool trace_is(const char *path)
{
    unsigned char head[TRACE_HEADER];
    struct stat st; /* bytes read from a pipe are lost */
    const bool regular = strcmp(path, "-") != 0 && stat(path, &st) == 0 && S_ISREG(st.st_mode);
    const int fd = regular ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    const bool whole = fd >= 0 && pread(fd, head, sizeof head, 0) == sizeof head;
    if (fd >= 0)
        close(fd);
    return whole && trace_is_header(head);
}

bool trace_temporary(sqlite3 *db, bool closed)
{
    const bool before = rows_value(db, "PRAGMA query_only", 0, 0, 0) != 0;
    rows_exec(db, closed ? "PRAGMA query_only = 1" : "PRAGMA query_only = 0");
    return before;
}

char *trace_partial(const char *name)
{
    char *partial = NULL;
    return asprintf(&partial, "%s.partial", name) < 0 ? NULL : partial;
}

/* The name cannot be opened; a run that did not end has left another. Returns 1 or -1. */
static int missing(const char *path, int why, char *error, size_t size)
{
    char *partial = why == ENOENT ? trace_partial(path) : NULL;
    if (partial && access(partial, F_OK) == 0)
        snprintf(error, size, "%s does not exist; %s does: of a run that continues or did not end",
                 path, partial);
    else
        snprintf(error, size, "cannot open %s: %s", path, strerror(why));
    free(partial);
    return why == EMFILE || why == ENFILE || why == ENOMEM || why == EIO ? -1 : 1;
}

int trace_connect(sqlite3 **db, const char *path, int flags)
{
    /* No name is one of SQLite's own: neither :memory: nor file:NAME?OPTIONS. */
    char *name = sqlite3_mprintf("%s%s", *path == '/' ? "" : "./", path);
    const int rc = name ? sqlite3_open_v2(name, db, flags, NULL) : SQLITE_NOMEM;
    sqlite3_free(name);
    return rc;
}

/* A rollback journal begins with a mark and a count of pages, zeros until it is on the disk; then a
 * random number, pages of the database, bytes of a sector and of a page. A connection that keeps
 * its lock zeroes all of this when it commits. Pages and their numbers follow the sector. */
enum { JOURNAL_SECTOR = 512, JOURNAL_HEAD = JOURNAL_SECTOR + 4 };
static bool is_journal(const unsigned char head[JOURNAL_HEAD], ssize_t size)
{
    static const unsigned char magic[] = "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7";
    static const unsigned char zeros[JOURNAL_SECTOR];
    const uint32_t sector = big(head + 20), page = big(head + 24);
    const bool sizes = sector >= 32 && sector <= 65536 && !(sector & (sector - 1)) && page >= 512 &&
                       page <= 65536 && !(page & (page - 1));
    if (!memcmp(head, magic, 8) || (sizes && !memcmp(head, zeros, 12)))
        return true;
    return size >= JOURNAL_SECTOR && !memcmp(head, zeros, JOURNAL_SECTOR) &&
           (size < JOURNAL_HEAD || big(head + JOURNAL_SECTOR) != 0);
}

static const char *const ends[] = {"-journal", "-wal", "-shm"};
enum { ENDS = sizeof ends / sizeof *ends };

/* An output of such a name would make the trace unreadable. */
static void keep_beside(const char *path)
{
    for (size_t i = 0; i < ENDS; i++) {
        char *name = NULL;
        if (asprintf(&name, "%s%s", path, ends[i]) >= 0)
            in_use_keep(name);
        free(name);
    }
}

int trace_beside(const char *path, bool *journal, char *error, size_t size)
{
    *journal = false;
    for (size_t i = 0; i < ENDS; i++) {
        char *name = NULL;
        unsigned char head[JOURNAL_HEAD] = {0};
        const int fd = asprintf(&name, "%s%s", path, ends[i]) < 0
                           ? -1
                           : open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
        const ssize_t n = fd < 0 ? -1 : pread(fd, head, sizeof head, 0);
        if (fd >= 0)
            close(fd);
        const bool sqlite = i == 0 && is_journal(head, n);
        *journal |= sqlite;
        const bool strange = fd >= 0 && n && !sqlite;
        if (strange)
            snprintf(error, size,
                     "%s is not of takt, and SQLite would take it for a part of %s: move it away",
                     name, path);
        free(name);
        if (strange)
            return 1;
    }
    return 0;
}

/* The file header of SQLite, before SQLite sees the file: sentences that say what is wrong. */
static int look(const char *path, bool *journal, char *error, size_t size)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat st;
    if (fd < 0 || fstat(fd, &st)) {
        const int why = errno;
        if (fd >= 0)
            close(fd);
        return missing(path, why, error, size);
    }
    in_use_read(fd);
    keep_beside(path);
    unsigned char head[TRACE_HEADER] = {0};
    const ssize_t n = S_ISREG(st.st_mode) ? pread(fd, head, sizeof head, 0) : 0;
    const int reason = errno;
    close(fd);
    if (n < 0)
        return missing(path, reason, error, size);
    if (!S_ISREG(st.st_mode)) {
        snprintf(error, size, "%s is %s, no takt trace", path,
                 S_ISDIR(st.st_mode) ? "a folder" : "not a regular file");
        return 1;
    }
    if (n < (ssize_t)sizeof head || !trace_is_header(head)) {
        snprintf(error, size, "%s is not a takt trace", path);
        return 1;
    }
    const uint32_t version = big(head + 60);
    if (version / 100 != SCHEMA_VERSION / 100) {
        snprintf(error, size,
                 "%s has trace format %" PRIu32 ".%" PRIu32
                 ", this takt reads %d.x: use the takt that wrote it, or %s",
                 path, version / 100, version % 100, SCHEMA_VERSION / 100,
                 version > SCHEMA_VERSION ? "a newer one" : "record the run again");
        return 1;
    }
    if (head[18] != 1) { /* SQLite would create files next to it */
        snprintf(error, size, "%s is in SQLite's WAL mode: PRAGMA journal_mode = delete ends that",
                 path);
        return 1;
    }
    if (trace_beside(path, journal, error, size))
        return 1;
    const uint64_t page = (uint64_t)head[16] << 8 | head[17];
    const uint64_t bytes = (page == 1 ? 65536 : page) * big(head + 28);
    if (!*journal && (uint64_t)st.st_size < bytes) {
        snprintf(error, size, "%s is cut short: %" PRIu64 " of %" PRIu64 " bytes", path,
                 (uint64_t)st.st_size, bytes);
        return 1;
    }
    return 0;
}

/* -1: the host failed, 1: an error of the trace. */
static int explain(int rc, const char *sentence, const char *path, char *error, size_t error_size)
{
    rc &= 0xff;
    if (rc == SQLITE_OK && failure_count() && !failure_count_host()) { /* cleared since */
        snprintf(error, error_size, "%s lacks something that a trace holds", path);
        return 1;
    }
    if (rc == SQLITE_OK) { /* what the trace lacks is noted */
        snprintf(error, error_size, "%s: %s", path,
                 failure_count() ? failure_sentence() : "out of memory");
        return -1;
    }
    if (rc == SQLITE_CORRUPT || rc == SQLITE_NOTADB) {
        snprintf(error, error_size, "%s is damaged: %s", path, sentence);
        return 1;
    }
    snprintf(error, error_size, "%s: %s", path, sentence);
    return rc == SQLITE_NOMEM || rc == SQLITE_IOERR || rc == SQLITE_FULL || rc == SQLITE_CANTOPEN ||
                   rc == SQLITE_READONLY || rc == SQLITE_BUSY
               ? -1
               : 1;
}

int trace_error(sqlite3 *db, const char *path, char *error, size_t error_size)
{
    /* SQLite takes a page that cannot be read for a damaged one. */
    const bool unread = sqlite3_errcode(db) != SQLITE_OK && sqlite3_system_errno(db) == EIO;
    return explain(unread ? SQLITE_IOERR : sqlite3_errcode(db), sqlite3_errmsg(db), path, error,
                   error_size);
}

/* Tables and views are those that takt makes: what a question runs is takt's own SQL, whatever the
 * file is. Other tables are allowed. Returns an SQLite code; SQLITE_MISMATCH with the name of
 * the first that is not so. */
static int same_schema(sqlite3 *opened, char name[64])
{
    static const char *const ours = "SELECT type, name, sql FROM sqlite_schema WHERE sql NOT NULL";
    sqlite3 *model = NULL;
    sqlite3_stmt *expected = NULL, *found = NULL;
    int rc = sqlite3_open_v2(":memory:", &model, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);
    rc = rc == SQLITE_OK ? schema_tables(model) : rc;
    rc = rc == SQLITE_OK ? rows_prepare(model, ours, &expected) : rc;
    if (rc == SQLITE_OK)
        rc = rows_prepare(opened,
                          "SELECT count(*) FROM main.sqlite_schema WHERE type = ? AND name = ? "
                          "AND sql = ?",
                          &found);
    while (rc == SQLITE_OK && rows_step(expected) == SQLITE_ROW) {
        for (int i = 0; i < 3; i++)
            sqlite3_bind_value(found, i + 1, sqlite3_column_value(expected, i));
        const int step = rows_step(found);
        const bool there = step == SQLITE_ROW && sqlite3_column_int64(found, 0) == 1;
        if (step != SQLITE_ROW || !there) {
            snprintf(name, 64, "%s", rows_text(expected, 1));
            rc = step == SQLITE_ROW ? SQLITE_MISMATCH : step;
        }
        sqlite3_reset(found);
    }
    sqlite3_finalize(expected);
    sqlite3_finalize(found);
    sqlite3_close(model);
    return rc;
}

static int open_target(sqlite3 **db, const char *path, bool change, char *error, size_t error_size)
{
    bool journal = false;
    const int status = look(path, &journal, error, error_size);
    if (status)
        return status;
    /* A journal of a killed run must be rolled back, which is writing. */
    const int flags =
        (change || journal ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY) | SQLITE_OPEN_NOMUTEX;
    sqlite3 *opened = NULL;
    int rc = trace_connect(&opened, path, flags);
    if (rc == SQLITE_OK) {
        sqlite3_busy_timeout(opened, 200);
        rc = rows_exec(opened, "BEGIN; SELECT value FROM meta WHERE key = 'complete'");
    }
    const int summed = rc == SQLITE_OK ? sum_verify(opened) : SQLITE_OK;
    if (rc == SQLITE_OK)
        rc = rows_exec(opened, "COMMIT");
    rc = rc == SQLITE_OK ? summed : rc;
    char name[64] = "";
    const int64_t version =
        rc == SQLITE_OK ? rows_value(opened, "PRAGMA user_version", 0, 0, 0) : SCHEMA_VERSION;
    if (rc == SQLITE_OK && version == SCHEMA_VERSION)
        rc = same_schema(opened, name);
    if (rc == SQLITE_OK)
        rc = sqlite3_db_config(opened, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    if (rc == SQLITE_OK)
        rc = slice_register(opened);
    if (rc == SQLITE_OK && !change)
        rc = rows_exec(opened, "PRAGMA query_only = 1");
    if (rc != SQLITE_OK) {
        int why = -1;
        if (!opened) {
            snprintf(error, error_size, "%s: out of memory", path);
        } else if (*name && rc == SQLITE_MISMATCH) {
            snprintf(
                error, error_size,
                "%s is damaged or was changed: %s in it is not what takt makes; record the run "
                "again",
                path, name);
            why = 1;
        } else if (summed == SQLITE_CORRUPT) {
            snprintf(error, error_size,
                     "%s is damaged: it does not hold what was written; record the run again",
                     path);
            why = 1;
        } else if (rc == SQLITE_BUSY) {
            snprintf(error, error_size, "%s is being written by a run that has not ended", path);
            why = 1;
        } else if (rc == SQLITE_ERROR) {
            snprintf(error, error_size, "%s is not a takt trace: %s", path, sqlite3_errmsg(opened));
            why = 1;
        } else {
            why = trace_error(opened, path, error, error_size);
        }
        sqlite3_close(opened);
        return why;
    }
    *db = opened;
    return 0;
}

/* SQLite looks for a journal next to the file itself, so everything here does. */
static int open_as(sqlite3 **db, const char *path, bool change, char *error, size_t error_size)
{
    char *target = file_target(path);
    *db = NULL;
    if (!target)
        return missing(path, errno, error, error_size);
    const int status = open_target(db, target, change, error, error_size);
    free(target);
    return status;
}

int trace_open(sqlite3 **db, const char *path, char *error, size_t error_size)
{
    return open_as(db, path, false, error, error_size);
}

int trace_open_for_change(sqlite3 **db, const char *path, char *error, size_t error_size)
{
    return open_as(db, path, true, error, error_size);
}

char *trace_expand(sqlite3 *db, const char *sql)
{
    static const char mark[] = "/*attributes*/";
    const char *at = strstr(sql, mark);
    if (!at)
        return sqlite3_mprintf("%s", sql);
    sqlite3_str *text = sqlite3_str_new(db);
    int rc = SQLITE_OK;
    sqlite3_str_append(text, sql, (int)(at - sql));
    sqlite3_stmt *s = rows_select(db, "SELECT id, name FROM attribute ORDER BY id", &rc);
    while (rows_next(s, &rc))
        sqlite3_str_appendf(text,
                            ", (SELECT value FROM transfer_attribute WHERE transfer = t.id AND "
                            "attribute = %lld) AS \"%w\"",
                            sqlite3_column_int64(s, 0), rows_text(s, 1));
    sqlite3_finalize(s);
    sqlite3_str_appendall(text, at + sizeof mark - 1);
    char *expanded = sqlite3_str_finish(text);
    if (rc == SQLITE_OK)
        return expanded;
    sqlite3_free(expanded);
    return NULL;
}

int64_t trace_reached(sqlite3 *db)
{
    return rows_value(db,
                      "SELECT coalesce((SELECT cycles FROM v_reached), (SELECT max(finish) FROM ("
                      "SELECT max(finish) AS finish FROM slice_chunk UNION ALL "
                      "SELECT max(start + duration) FROM slice_row)))",
                      0, 0, -1);
}

void trace_reasons(sqlite3 *db, char names[REASON_MAX][64], int *rc)
{
    sqlite3_stmt *s = rows_select(db, "SELECT id, name FROM reason WHERE id < ?1", rc);
    sqlite3_bind_int64(s, 1, REASON_MAX);
    while (rows_next(s, rc))
        snprintf(names[sqlite3_column_int64(s, 0) & (REASON_MAX - 1)], sizeof *names, "%s",
                 rows_text(s, 1));
    sqlite3_finalize(s);
}

char *trace_text(sqlite3 *db, const char *key, char *text, size_t size)
{
    int rc = SQLITE_OK;
    sqlite3_stmt *q = rows_select(db, "SELECT value FROM meta WHERE key = ?1", &rc);
    sqlite3_bind_text(q, 1, key, -1, SQLITE_STATIC);
    snprintf(text, size, "%s", rows_next(q, &rc) ? rows_text(q, 0) : "");
    sqlite3_finalize(q);
    return text;
}

int64_t trace_integer(sqlite3 *db, const char *key, int64_t fallback)
{
    int rc = SQLITE_OK;
    sqlite3_stmt *q = rows_select(db, "SELECT value FROM meta WHERE key = ?1", &rc);
    sqlite3_bind_text(q, 1, key, -1, SQLITE_STATIC);
    const bool found = rows_next(q, &rc) && sqlite3_column_type(q, 0) != SQLITE_NULL;
    const int64_t value = found ? sqlite3_column_int64(q, 0) : fallback;
    sqlite3_finalize(q);
    return value;
}

bool trace_complete(sqlite3 *db)
{
    return trace_integer(db, "complete", 0) == 1;
}

int trace_materialize(sqlite3 *db, const char *path, uint64_t from, uint64_t to, char *error,
                      size_t error_size)
{
    char window[200];
    snprintf(window, sizeof window,
             "INSERT OR REPLACE INTO meta VALUES ('window_from', %" PRIu64 "), "
             "('window_to', %" PRIu64 ")",
             from, to);
    int rc = SQLITE_OK;
    /* The window replaces an earlier one. */
    rows_do(db, "BEGIN IMMEDIATE; DELETE FROM slice_row", &rc);
    sqlite3_stmt *insert =
        rows_select(db,
                    "INSERT INTO main.slice_row SELECT track_id, ts, dur, reason, stmt "
                    "FROM temp.slice WHERE ts < ?2 AND till > ?1",
                    &rc);
    rows_window(insert, from, to);
    rows_next(insert, &rc);
    sqlite3_finalize(insert);
    rows_do(db, window, &rc);
    rows_do(db, "COMMIT", &rc);
    /* No other process writes while it is summed up; a trace without a sum is one, too. */
    if (rc == SQLITE_OK && rows_exec(db, "BEGIN EXCLUSIVE") == SQLITE_OK)
        rc = sum_write(db);
    if (!sqlite3_get_autocommit(db))
        rows_do(db, "COMMIT", &rc);
    if (rc == SQLITE_OK)
        return 0;
    rows_exec(db, "ROLLBACK");
    return explain(rc, sqlite3_errstr(rc), path, error, error_size);
}
