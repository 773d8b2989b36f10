#include "traces/slice.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "timing/sink.h"
#include "traces/chunk.h"
#include "traces/sinks.h"

enum column {
    COLUMN_TS,
    COLUMN_DUR,
    COLUMN_TRACK,
    COLUMN_NAME,
    COLUMN_CATEGORY,
    COLUMN_STMT,
    COLUMN_REASON
};

/* Which constraints xFilter gets, in the order of its arguments. */
enum { BY_TRACK = 1, TS_BELOW = 2, TS_FROM = 4 };

struct table {
    sqlite3_vtab base;
    sqlite3 *db;
};

struct cursor {
    sqlite3_vtab_cursor base;
    sqlite3_stmt *rows;  /* unit, data | unit, reason, stmt, start, duration */
    sqlite3_stmt *names; /* text of a statement */
    bool packed, eof;
    struct slice_item items[CHUNK_ITEMS];
    size_t at, count;
    uint32_t unit;
    int64_t rowid;
};

static int vt_connect(sqlite3 *db, void *aux, int argc, const char *const *argv,
                      sqlite3_vtab **vtab, char **error)
{
    (void)aux, (void)argc, (void)argv, (void)error;
    const int rc = sqlite3_declare_vtab(
        db, "CREATE TABLE x(ts INTEGER, dur INTEGER, track_id INTEGER, name TEXT, category TEXT, "
            "stmt INTEGER, reason INTEGER)");
    if (rc != SQLITE_OK) {
        return rc;
    }
    struct table *t = calloc(1, sizeof *t);
    if (!t) {
        return SQLITE_NOMEM;
    }
    t->db = db;
    *vtab = &t->base;
    return SQLITE_OK;
}

static int vt_disconnect(sqlite3_vtab *vtab)
{
    free(vtab);
    return SQLITE_OK;
}

/* Constraints only choose chunks; SQLite checks each row again. */
static int vt_best(sqlite3_vtab *vtab, sqlite3_index_info *info)
{
    (void)vtab;
    int track = -1, below = -1, from = -1;
    for (int i = 0; i < info->nConstraint; i++) {
        const struct sqlite3_index_constraint *c = &info->aConstraint[i];
        if (!c->usable) {
            continue;
        }
        if (c->iColumn == COLUMN_TRACK && c->op == SQLITE_INDEX_CONSTRAINT_EQ) {
            track = i;
        } else if (c->iColumn == COLUMN_TS &&
                   (c->op == SQLITE_INDEX_CONSTRAINT_LT || c->op == SQLITE_INDEX_CONSTRAINT_LE)) {
            below = i;
        } else if (c->iColumn == COLUMN_TS &&
                   (c->op == SQLITE_INDEX_CONSTRAINT_GT || c->op == SQLITE_INDEX_CONSTRAINT_GE)) {
            from = i;
        }
    }
    int argument = 0;
    info->estimatedCost = 1e6;
    info->idxNum = 0;
    const struct {
        int constraint, bit;
    } uses[] = {{track, BY_TRACK}, {below, TS_BELOW}, {from, TS_FROM}};
    for (size_t i = 0; i < sizeof uses / sizeof *uses; i++) {
        if (uses[i].constraint >= 0) {
            info->aConstraintUsage[uses[i].constraint].argvIndex = ++argument;
            info->idxNum |= uses[i].bit;
            info->estimatedCost /= 10;
        }
    }
    return SQLITE_OK;
}

static int vt_open(sqlite3_vtab *vtab, sqlite3_vtab_cursor **cursor)
{
    (void)vtab;
    struct cursor *c = calloc(1, sizeof *c);
    if (!c) {
        return SQLITE_NOMEM;
    }
    *cursor = &c->base;
    return SQLITE_OK;
}

static int vt_close(sqlite3_vtab_cursor *cursor)
{
    struct cursor *c = (struct cursor *)cursor;
    sqlite3_finalize(c->rows);
    sqlite3_finalize(c->names);
    free(c);
    return SQLITE_OK;
}

static int vt_next(sqlite3_vtab_cursor *cursor)
{
    struct cursor *c = (struct cursor *)cursor;
    c->rowid++;
    if (++c->at < c->count) {
        return SQLITE_OK;
    }
    for (;;) {
        const int rc = sqlite3_step(c->rows);
        if (rc == SQLITE_DONE) {
            c->eof = true;
            return SQLITE_OK;
        }
        if (rc != SQLITE_ROW) {
            return rc;
        }
        c->unit = (uint32_t)sqlite3_column_int64(c->rows, 0);
        c->at = 0;
        if (!c->packed) {
            c->count = 1;
            c->items[0] =
                (struct slice_item){.reason = (uint32_t)sqlite3_column_int64(c->rows, 1),
                                    .stmt = sqlite3_column_type(c->rows, 2) == SQLITE_NULL
                                                ? NONE_ID
                                                : (uint32_t)sqlite3_column_int64(c->rows, 2),
                                    .start = (uint64_t)sqlite3_column_int64(c->rows, 3),
                                    .duration = (uint64_t)sqlite3_column_int64(c->rows, 4)};
            return SQLITE_OK;
        }
        const void *data = sqlite3_column_blob(c->rows, 1);
        if (chunk_decode(data, (size_t)sqlite3_column_bytes(c->rows, 1), c->items, &c->count)) {
            return SQLITE_CORRUPT;
        }
        if (c->count) {
            return SQLITE_OK;
        }
    }
}

static int has_chunks(sqlite3 *db, bool *packed)
{
    sqlite3_stmt *s = NULL;
    int rc = sqlite3_prepare_v2(db, "SELECT 1 FROM main.slice_chunk LIMIT 1", -1, &s, NULL);
    if (rc == SQLITE_OK) {
        *packed = sqlite3_step(s) == SQLITE_ROW;
    }
    sqlite3_finalize(s);
    return rc;
}

static int vt_filter(sqlite3_vtab_cursor *cursor, int index, const char *text, int argc,
                     sqlite3_value **argv)
{
    (void)text;
    struct cursor *c = (struct cursor *)cursor;
    sqlite3 *db = ((struct table *)cursor->pVtab)->db;
    sqlite3_finalize(c->rows);
    c->rows = NULL;
    int rc = has_chunks(db, &c->packed);
    if (rc != SQLITE_OK) {
        return rc;
    }
    char *sql = sqlite3_mprintf("SELECT unit, %s FROM main.%s WHERE 1%s%s%s ORDER BY unit, start",
                                c->packed ? "data" : "reason, stmt, start, duration",
                                c->packed ? "slice_chunk" : "slice_row",
                                index & BY_TRACK ? " AND unit = ?1" : "",
                                index & TS_BELOW ? " AND start <= ?2" : "",
                                !(index & TS_FROM) ? ""
                                : c->packed        ? " AND finish > ?3"
                                                   : " AND start >= ?3");
    if (!sql) {
        return SQLITE_NOMEM;
    }
    rc = sqlite3_prepare_v2(db, sql, -1, &c->rows, NULL);
    sqlite3_free(sql);
    if (rc == SQLITE_OK && !c->names) {
        rc = sqlite3_prepare_v2(db,
                                "SELECT g.text FROM main.stmt s JOIN main.string g ON g.id = "
                                "s.text WHERE s.id = ?",
                                -1, &c->names, NULL);
    }
    if (rc != SQLITE_OK) {
        return rc;
    }
    int argument = 0;
    for (int bit = BY_TRACK, place = 1; bit <= TS_FROM; bit <<= 1, place++) {
        if (index & bit && argument < argc) {
            sqlite3_bind_value(c->rows, place, argv[argument++]);
        }
    }
    c->eof = false;
    c->at = c->count = 0;
    c->rowid = 0;
    return vt_next(cursor);
}

static int vt_eof(sqlite3_vtab_cursor *cursor)
{
    return ((struct cursor *)cursor)->eof;
}

static int vt_column(sqlite3_vtab_cursor *cursor, sqlite3_context *context, int column)
{
    struct cursor *c = (struct cursor *)cursor;
    const struct slice_item *item = &c->items[c->at];
    switch ((enum column)column) {
    case COLUMN_TS:
        sqlite3_result_int64(context, (sqlite3_int64)item->start);
        break;
    case COLUMN_DUR:
        sqlite3_result_int64(context, (sqlite3_int64)item->duration);
        break;
    case COLUMN_TRACK:
        sqlite3_result_int64(context, c->unit);
        break;
    case COLUMN_NAME:
        sqlite3_bind_int64(c->names, 1, item->stmt);
        if (item->stmt != NONE_ID && sqlite3_step(c->names) == SQLITE_ROW) {
            sqlite3_result_value(context, sqlite3_column_value(c->names, 0));
        } else {
            sqlite3_result_text(context, sink_reason_name((enum reason)item->reason), -1,
                                SQLITE_STATIC);
        }
        sqlite3_reset(c->names);
        break;
    case COLUMN_CATEGORY:
        sqlite3_result_text(context, sink_reason_name((enum reason)item->reason), -1,
                            SQLITE_STATIC);
        break;
    case COLUMN_STMT:
        if (item->stmt != NONE_ID) {
            sqlite3_result_int64(context, item->stmt);
        }
        break;
    case COLUMN_REASON:
        sqlite3_result_int64(context, item->reason);
        break;
    }
    return SQLITE_OK;
}

static int vt_rowid(sqlite3_vtab_cursor *cursor, sqlite3_int64 *rowid)
{
    *rowid = ((struct cursor *)cursor)->rowid;
    return SQLITE_OK;
}

int slice_register(sqlite3 *db)
{
    static const sqlite3_module module = {.iVersion = 1,
                                          .xCreate = vt_connect,
                                          .xConnect = vt_connect,
                                          .xBestIndex = vt_best,
                                          .xDisconnect = vt_disconnect,
                                          .xDestroy = vt_disconnect,
                                          .xOpen = vt_open,
                                          .xClose = vt_close,
                                          .xFilter = vt_filter,
                                          .xNext = vt_next,
                                          .xEof = vt_eof,
                                          .xColumn = vt_column,
                                          .xRowid = vt_rowid};
    int rc = sqlite3_create_module(db, "takt_slice", &module, NULL);
    if (rc == SQLITE_OK) {
        rc = sqlite3_exec(db, "PRAGMA temp_store = MEMORY", NULL, NULL, NULL);
    }
    if (rc != SQLITE_OK) {
        return rc;
    }
    return sqlite3_exec(db, "CREATE VIRTUAL TABLE temp.slice USING takt_slice", NULL, NULL, NULL);
}
