#include "traces/slice.h"

#include <stdbool.h>
#include <stdlib.h>

#include "timing/sink.h"
#include "traces/chunk.h"
#include "traces/rows.h"

enum column {
    COLUMN_TS,
    COLUMN_DUR,
    COLUMN_TRACK,
    COLUMN_NAME,
    COLUMN_CATEGORY,
    COLUMN_STMT,
    COLUMN_REASON,
    COLUMN_TILL /* hidden: ts + dur, to choose chunks by */
};

/* Which constraints xFilter gets, in the order of its arguments. */
enum { BY_TRACK = 1, TS_BELOW = 2, TS_FROM = 4, TILL_FROM = 8 };

struct table {
    sqlite3_vtab base;
    sqlite3 *db;
};

/* Of packed intervals rows are unit, data; of plain ones unit, start, duration, reason, stmt. */
struct cursor {
    sqlite3_vtab_cursor base;
    sqlite3_stmt *rows;
    sqlite3_stmt *statement, *reason; /* text of a statement, name of a reason */
    bool packed, eof;
    struct chunk_reader reader;
    struct chunk_interval interval;
    int64_t unit, rowid;
};

static int vt_connect(sqlite3 *db, void *aux, int argc, const char *const *argv,
                      sqlite3_vtab **vtab, char **error)
{
    (void)aux, (void)argc, (void)argv, (void)error;
    const int rc = sqlite3_declare_vtab(
        db, "CREATE TABLE x(ts INTEGER, dur INTEGER, track_id INTEGER, name TEXT, category TEXT, "
            "stmt INTEGER, reason INTEGER, till INTEGER HIDDEN)");
    if (rc != SQLITE_OK)
        return rc;
    struct table *t = calloc(1, sizeof *t);
    if (!t)
        return SQLITE_NOMEM;
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
    int track = -1, below = -1, from = -1, till = -1;
    for (int i = 0; i < info->nConstraint; i++) {
        const struct sqlite3_index_constraint *c = &info->aConstraint[i];
        if (!c->usable)
            continue;
        if (c->iColumn == COLUMN_TRACK && c->op == SQLITE_INDEX_CONSTRAINT_EQ)
            track = i;
        else if (c->iColumn == COLUMN_TS &&
                 (c->op == SQLITE_INDEX_CONSTRAINT_LT || c->op == SQLITE_INDEX_CONSTRAINT_LE))
            below = i;
        else if (c->iColumn == COLUMN_TS &&
                 (c->op == SQLITE_INDEX_CONSTRAINT_GT || c->op == SQLITE_INDEX_CONSTRAINT_GE))
            from = i;
        else if (c->iColumn == COLUMN_TILL &&
                 (c->op == SQLITE_INDEX_CONSTRAINT_GT || c->op == SQLITE_INDEX_CONSTRAINT_GE))
            till = i;
    }
    int argument = 0;
    info->estimatedCost = 1e6;
    info->idxNum = 0;
    const struct {
        int constraint, bit;
    } uses[] = {{track, BY_TRACK}, {below, TS_BELOW}, {from, TS_FROM}, {till, TILL_FROM}};
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
    if (!c)
        return SQLITE_NOMEM;
    *cursor = &c->base;
    return SQLITE_OK;
}

static int vt_close(sqlite3_vtab_cursor *cursor)
{
    struct cursor *c = (struct cursor *)cursor;
    sqlite3_finalize(c->rows);
    sqlite3_finalize(c->statement);
    sqlite3_finalize(c->reason);
    free(c);
    return SQLITE_OK;
}

/* The current plain row of c->rows. */
static void take_row(struct cursor *c)
{
    const bool none = sqlite3_column_type(c->rows, 4) == SQLITE_NULL;
    c->interval = (struct chunk_interval){
        .start = (uint64_t)sqlite3_column_int64(c->rows, 1),
        .duration = (uint64_t)sqlite3_column_int64(c->rows, 2),
        .reason = (uint32_t)sqlite3_column_int64(c->rows, 3),
        .stmt = none ? NONE_ID : (uint32_t)sqlite3_column_int64(c->rows, 4)};
}

static int vt_next(sqlite3_vtab_cursor *cursor)
{
    struct cursor *c = (struct cursor *)cursor;
    c->rowid++;
    for (;;) {
        const int found = c->packed ? chunk_next(&c->reader, &c->interval) : 0;
        if (found > 0)
            return SQLITE_OK;
        if (found < 0) {
            sqlite3_free(cursor->pVtab->zErrMsg);
            cursor->pVtab->zErrMsg = sqlite3_mprintf("slice_chunk holds no packed intervals");
            return SQLITE_CORRUPT;
        }
        const int rc = rows_step(c->rows);
        c->eof = rc != SQLITE_ROW;
        if (rc != SQLITE_ROW)
            return rc == SQLITE_DONE ? SQLITE_OK : rc;
        c->unit = sqlite3_column_int64(c->rows, 0);
        if (!c->packed) {
            take_row(c);
            return SQLITE_OK;
        }
        const void *data = sqlite3_column_blob(c->rows, 1);
        c->reader = chunk_read(data, (size_t)sqlite3_column_bytes(c->rows, 1));
    }
}

bool slice_packed(sqlite3 *db)
{
    return rows_value(db, "SELECT 1 FROM main.slice_chunk LIMIT 1", 0, 0, 0) == 1;
}

bool slice_any(sqlite3 *db)
{
    return slice_packed(db) || rows_value(db, "SELECT 1 FROM main.slice_row LIMIT 1", 0, 0, 0) == 1;
}

static int prepare(struct cursor *c, sqlite3 *db, int index)
{
    char *sql = sqlite3_mprintf("SELECT unit, %s WHERE 1%s%s%s%s ORDER BY unit, start",
                                c->packed ? "data FROM main.slice_chunk"
                                          : "start, duration, reason, stmt FROM main.slice_row",
                                index & BY_TRACK ? " AND unit = ?1" : "",
                                index & TS_BELOW ? " AND start <= ?2" : "",
                                !(index & TS_FROM) ? ""
                                : c->packed        ? " AND finish > ?3"
                                                   : " AND start >= ?3",
                                !(index & TILL_FROM) ? ""
                                : c->packed          ? " AND finish >= ?4"
                                                     : " AND start + duration >= ?4");
    const int rc = sql ? rows_prepare(db, sql, &c->rows) : SQLITE_NOMEM;
    sqlite3_free(sql);
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
    c->packed = slice_packed(db);
    c->reader = chunk_read(NULL, 0);
    c->eof = false;
    c->rowid = 0;
    int rc = prepare(c, db, index);
    if (rc == SQLITE_OK && !c->statement)
        rc = rows_prepare(db, "SELECT text FROM main.v_stmt WHERE stmt = ?", &c->statement);
    if (rc == SQLITE_OK && !c->reason)
        rc = rows_prepare(db, "SELECT name FROM main.reason WHERE id = ?", &c->reason);
    if (rc != SQLITE_OK)
        return rc;
    int argument = 0;
    for (int bit = BY_TRACK, place = 1; bit <= TILL_FROM; bit <<= 1, place++)
        if (index & bit && argument < argc)
            sqlite3_bind_value(c->rows, place, argv[argument++]);
    return vt_next(cursor);
}

static int vt_eof(sqlite3_vtab_cursor *cursor)
{
    return ((struct cursor *)cursor)->eof;
}

/* The text that `names` gives for an id. False: there is none. */
static bool result_name(sqlite3_context *context, sqlite3_stmt *names, uint32_t id)
{
    sqlite3_bind_int64(names, 1, id);
    const bool found = id != NONE_ID && rows_step(names) == SQLITE_ROW;
    if (found)
        sqlite3_result_value(context, sqlite3_column_value(names, 0));
    sqlite3_reset(names);
    return found;
}

static int vt_column(sqlite3_vtab_cursor *cursor, sqlite3_context *context, int column)
{
    struct cursor *c = (struct cursor *)cursor;
    const struct chunk_interval *interval = &c->interval;
    switch ((enum column)column) {
    case COLUMN_TS:
        sqlite3_result_int64(context, (sqlite3_int64)interval->start);
        break;
    case COLUMN_DUR:
        sqlite3_result_int64(context, (sqlite3_int64)interval->duration);
        break;
    case COLUMN_TRACK:
        sqlite3_result_int64(context, c->unit);
        break;
    case COLUMN_NAME:
        if (!result_name(context, c->statement, interval->stmt))
            result_name(context, c->reason, interval->reason);
        break;
    case COLUMN_CATEGORY:
        result_name(context, c->reason, interval->reason);
        break;
    case COLUMN_STMT:
        if (interval->stmt != NONE_ID)
            sqlite3_result_int64(context, interval->stmt);
        break;
    case COLUMN_REASON:
        sqlite3_result_int64(context, interval->reason);
        break;
    case COLUMN_TILL:
        sqlite3_result_int64(context, (sqlite3_int64)(interval->start + interval->duration));
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
    if (rc == SQLITE_OK)
        rc = rows_exec(db, "PRAGMA temp_store = MEMORY");
    if (rc != SQLITE_OK)
        return rc;
    return rows_exec(db, "CREATE VIRTUAL TABLE temp.slice USING takt_slice");
}
