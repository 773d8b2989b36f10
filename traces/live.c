#include "traces/live.h"

#include <stdlib.h>
#include <string.h>

enum live { LIVE_TRANSFER, LIVE_WARNING, LIVE_STMT, LIVE_SOURCE, LIVE_COUNT };

enum { TRANSFER_STMT = 1 };

/* The first column is the row's id, but for warnings, which have none; as traces/schema.sql. */
static const struct {
    const char *name, *columns;
    int64_t first_id;
} tables[LIVE_COUNT] = {
    [LIVE_TRANSFER] = {"transfer",
                       "CREATE TABLE x (id INTEGER, stmt INTEGER, tag INTEGER, priority INTEGER, "
                       "mode INTEGER, long_words INTEGER, bytes INTEGER, issued INTEGER, "
                       "started INTEGER, finished INTEGER, waited INTEGER, waited_by INTEGER, "
                       "limited_by INTEGER)",
                       1},
    [LIVE_WARNING] = {"warning",
                      "CREATE TABLE x (name INTEGER, stmt INTEGER, file INTEGER, line INTEGER, "
                      "sentence INTEGER)",
                      1},
    [LIVE_STMT] = {"stmt",
                   "CREATE TABLE x (id INTEGER, uid INTEGER, file INTEGER, line INTEGER, "
                   "region INTEGER, source INTEGER, at INTEGER, length INTEGER)",
                   0},
    [LIVE_SOURCE] = {"source",
                     "CREATE TABLE x (id INTEGER, file INTEGER, start INTEGER, lines INTEGER, "
                     "text TEXT)",
                     1},
};

/* What xFilter gets. */
enum { EVERY_ROW, BY_ID, BY_STMT };

struct table {
    sqlite3_vtab base;
    struct recorder *recorder;
    enum live live;
    uint32_t *by_stmt; /* transfers in order of stmt; NULL: they are as they stand */
    size_t ordered;    /* how many transfers there were when that was found out */
};

struct cursor {
    sqlite3_vtab_cursor base;
    size_t at, end;
    bool ordered; /* at counts in the order of stmt */
};

struct live_table {
    struct recorder *recorder;
    enum live live;
};

static size_t row_count(const struct table *t)
{
    const struct recorder *r = t->recorder;
    return t->live == LIVE_TRANSFER  ? r->transfers.count
           : t->live == LIVE_WARNING ? r->warnings.count
                                     : r->told.stmt_count;
}

static int vt_connect(sqlite3 *db, void *aux, int argc, const char *const *argv,
                      sqlite3_vtab **vtab, char **error)
{
    (void)argc, (void)argv, (void)error;
    const struct live_table *live = aux;
    const int rc = sqlite3_declare_vtab(db, tables[live->live].columns);
    if (rc != SQLITE_OK) {
        return rc;
    }
    sqlite3_vtab_config(db, SQLITE_VTAB_INNOCUOUS);
    struct table *t = calloc(1, sizeof *t);
    if (!t) {
        return SQLITE_NOMEM;
    }
    t->recorder = live->recorder;
    t->live = live->live;
    *vtab = &t->base;
    return SQLITE_OK;
}

static int vt_disconnect(sqlite3_vtab *vtab)
{
    struct table *t = (struct table *)vtab;
    free(t->by_stmt);
    free(t);
    return SQLITE_OK;
}

static int vt_best(sqlite3_vtab *vtab, sqlite3_index_info *info)
{
    const struct table *t = (const struct table *)vtab;
    info->estimatedRows = (sqlite3_int64)row_count(t) + 1;
    info->estimatedCost = (double)info->estimatedRows;
    info->idxNum = EVERY_ROW;
    for (int i = 0; i < info->nConstraint && info->idxNum != BY_ID; i++) {
        const struct sqlite3_index_constraint *c = &info->aConstraint[i];
        if (!c->usable || c->op != SQLITE_INDEX_CONSTRAINT_EQ) {
            continue;
        }
        const bool id = c->iColumn < 0 || (c->iColumn == 0 && t->live != LIVE_WARNING);
        if (!id && (t->live != LIVE_TRANSFER || c->iColumn != TRANSFER_STMT)) {
            continue;
        }
        for (int k = 0; k < i; k++) {
            info->aConstraintUsage[k].argvIndex = 0;
        }
        info->aConstraintUsage[i].argvIndex = 1;
        info->idxNum = id ? BY_ID : BY_STMT;
        info->idxFlags = id ? SQLITE_INDEX_SCAN_UNIQUE : 0;
        info->estimatedRows = id ? 1 : 2;
        info->estimatedCost = id ? 1 : 2;
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
    free(cursor);
    return SQLITE_OK;
}

/* --- transfers by statement ----------------------------------------------------------------------
 */

static int64_t stmt_of(const struct table *t, size_t row)
{
    return t->recorder->transfers.values[row * t->recorder->transfers.columns + TRANSFER_STMT];
}

static int by_stmt_and_row(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

static int order_transfers(struct table *t)
{
    const size_t count = row_count(t);
    if (t->ordered == count) {
        return SQLITE_OK;
    }
    free(t->by_stmt);
    t->by_stmt = NULL;
    size_t row = 1;
    while (row < count && stmt_of(t, row - 1) <= stmt_of(t, row)) {
        row++;
    }
    if (row < count) {
        uint64_t *keys = malloc(count * sizeof *keys); /* statement and row, both below 2^32 */
        t->by_stmt = malloc(count * sizeof *t->by_stmt);
        if (!keys || !t->by_stmt) {
            free(keys);
            return SQLITE_NOMEM;
        }
        for (size_t i = 0; i < count; i++) {
            keys[i] = (uint64_t)stmt_of(t, i) << 32 | i;
        }
        qsort(keys, count, sizeof *keys, by_stmt_and_row);
        for (size_t i = 0; i < count; i++) {
            t->by_stmt[i] = (uint32_t)keys[i];
        }
        free(keys);
    }
    t->ordered = count;
    return SQLITE_OK;
}

static size_t ordered_row(const struct table *t, size_t at)
{
    return t->by_stmt ? t->by_stmt[at] : at;
}

/* The first place in the order whose statement is not below. */
static size_t first_place(const struct table *t, int64_t stmt)
{
    size_t low = 0, high = row_count(t);
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (stmt_of(t, ordered_row(t, middle)) < stmt) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* --- reading -------------------------------------------------------------------------------------
 */

static int vt_filter(sqlite3_vtab_cursor *cursor, int index, const char *text, int argc,
                     sqlite3_value **argv)
{
    (void)text;
    struct cursor *c = (struct cursor *)cursor;
    struct table *t = (struct table *)cursor->pVtab;
    const size_t count = row_count(t);
    c->at = 0;
    c->end = count;
    c->ordered = false;
    if (index == EVERY_ROW || argc < 1) {
        return SQLITE_OK;
    }
    c->end = 0;
    if (sqlite3_value_numeric_type(argv[0]) == SQLITE_NULL) {
        return SQLITE_OK; /* equal to nothing */
    }
    const int64_t wanted = sqlite3_value_int64(argv[0]);
    if (index == BY_ID) {
        const int64_t first = tables[t->live].first_id;
        if (wanted >= first && (uint64_t)(wanted - first) < count) {
            c->at = (size_t)(wanted - first);
            c->end = c->at + 1;
        }
        return SQLITE_OK;
    }
    const int rc = order_transfers(t);
    if (rc != SQLITE_OK || wanted == INT64_MAX) {
        return rc;
    }
    c->ordered = true;
    c->at = first_place(t, wanted);
    c->end = first_place(t, wanted + 1);
    return SQLITE_OK;
}

static int vt_next(sqlite3_vtab_cursor *cursor)
{
    ((struct cursor *)cursor)->at++;
    return SQLITE_OK;
}

static int vt_eof(sqlite3_vtab_cursor *cursor)
{
    const struct cursor *c = (const struct cursor *)cursor;
    return c->at >= c->end;
}

static size_t row_of(const struct cursor *c, const struct table *t)
{
    return c->ordered ? ordered_row(t, c->at) : c->at;
}

static void gathered(sqlite3_context *context, const struct rows *rows, size_t row, int column)
{
    const int64_t value = rows->values[row * rows->columns + (size_t)column];
    if (value != BULK_NULL) {
        sqlite3_result_int64(context, value);
    }
}

/* A statement's text is a row of source by itself. */
static void stmt_column(sqlite3_context *context, const struct recorder *r, size_t row, int column)
{
    const struct stmt_info stmt = told_stmt(&r->told, row);
    const int64_t values[] = {(int64_t)row,
                              0,
                              stmt.file,
                              stmt.line,
                              stmt.region,
                              (int64_t)row + 1,
                              1,
                              (int64_t)stmt.text_length};
    if (column != 1 && (size_t)column < sizeof values / sizeof *values) {
        sqlite3_result_int64(context, values[column]);
    }
}

static void source_column(sqlite3_context *context, const struct recorder *r, size_t row,
                          int column)
{
    const struct stmt_info stmt = told_stmt(&r->told, row);
    if (column == 4) {
        sqlite3_result_text64(context, stmt.text, stmt.text_length, SQLITE_TRANSIENT, SQLITE_UTF8);
    } else if (column < 2) {
        sqlite3_result_int64(context, column == 0 ? (int64_t)row + 1 : (int64_t)stmt.file);
    }
}

static int vt_column(sqlite3_vtab_cursor *cursor, sqlite3_context *context, int column)
{
    const struct table *t = (const struct table *)cursor->pVtab;
    const struct recorder *r = t->recorder;
    const size_t row = row_of((const struct cursor *)cursor, t);
    switch (t->live) {
    case LIVE_TRANSFER:
        gathered(context, &r->transfers, row, column);
        break;
    case LIVE_WARNING:
        gathered(context, &r->warnings, row, column);
        break;
    case LIVE_STMT:
        stmt_column(context, r, row, column);
        break;
    case LIVE_SOURCE:
    case LIVE_COUNT:
        source_column(context, r, row, column);
        break;
    }
    return SQLITE_OK;
}

static int vt_rowid(sqlite3_vtab_cursor *cursor, sqlite3_int64 *rowid)
{
    const struct table *t = (const struct table *)cursor->pVtab;
    *rowid = (int64_t)row_of((const struct cursor *)cursor, t) + tables[t->live].first_id;
    return SQLITE_OK;
}

int live_register(struct recorder *r)
{
    /* Without xCreate: the table is there under its module's name. */
    static const sqlite3_module module = {.iVersion = 1,
                                          .xConnect = vt_connect,
                                          .xBestIndex = vt_best,
                                          .xDisconnect = vt_disconnect,
                                          .xOpen = vt_open,
                                          .xClose = vt_close,
                                          .xFilter = vt_filter,
                                          .xNext = vt_next,
                                          .xEof = vt_eof,
                                          .xColumn = vt_column,
                                          .xRowid = vt_rowid};
    int rc = SQLITE_OK;
    for (int i = 0; i < LIVE_COUNT && rc == SQLITE_OK; i++) {
        struct live_table *live = malloc(sizeof *live);
        if (!live) {
            return SQLITE_NOMEM;
        }
        *live = (struct live_table){r, (enum live)i};
        rc = sqlite3_create_module_v2(r->db, tables[i].name, &module, live, free);
    }
    return rc;
}
