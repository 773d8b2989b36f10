#include "traces/slice.h"

#include <stdarg.h>
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
    COLUMN_REASON,
    COLUMN_TILL /* hidden: ts + dur, to choose chunks by */
};

/* Which constraints xFilter gets, in the order of its arguments. */
enum { BY_TRACK = 1, TS_BELOW = 2, TS_FROM = 4, TILL_FROM = 8 };

struct table {
    sqlite3_vtab base;
    sqlite3 *db;
};

/* Units in rising order, of each first what the steps of the stream say, then its own chunks or
 * rows. */
enum source { SOURCE_STEPS, SOURCE_CHUNKS, SOURCE_ROWS };

struct part {
    uint32_t pattern, unit, offset, duration;
};

struct cursor {
    sqlite3_vtab_cursor base;
    sqlite3_stmt *steps;  /* carried, data */
    sqlite3_stmt *chunks; /* data */
    sqlite3_stmt *rows;   /* reason, stmt, start, duration */
    sqlite3_stmt *names;  /* text of a statement */
    bool packed, eof;
    uint32_t units, stream_units;
    uint32_t last_unit; /* of those asked for: up to and with it */
    uint64_t end;       /* of the run */
    struct part *parts; /* by unit, then pattern, then offset */
    size_t part_count, pattern_count;
    size_t *first_part;    /* of each pattern for indexed_unit, and the end */
    uint32_t indexed_unit; /* NONE_ID: none yet */
    enum source source;
    struct slice_item *items, *busy;
    size_t item_capacity, busy_capacity;
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
            "stmt INTEGER, reason INTEGER, till INTEGER HIDDEN)");
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
    int track = -1, below = -1, from = -1, till = -1;
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
        } else if (c->iColumn == COLUMN_TILL &&
                   (c->op == SQLITE_INDEX_CONSTRAINT_GT || c->op == SQLITE_INDEX_CONSTRAINT_GE)) {
            till = i;
        }
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
    if (!c) {
        return SQLITE_NOMEM;
    }
    *cursor = &c->base;
    return SQLITE_OK;
}

static void forget(struct cursor *c)
{
    sqlite3_finalize(c->steps);
    sqlite3_finalize(c->chunks);
    sqlite3_finalize(c->rows);
    c->steps = c->chunks = c->rows = NULL;
    free(c->parts);
    free(c->first_part);
    c->parts = NULL;
    c->first_part = NULL;
    c->part_count = c->pattern_count = 0;
    c->indexed_unit = NONE_ID;
}

static int vt_close(sqlite3_vtab_cursor *cursor)
{
    struct cursor *c = (struct cursor *)cursor;
    forget(c);
    sqlite3_finalize(c->names);
    free(c->items);
    free(c->busy);
    free(c);
    return SQLITE_OK;
}

/* A trace that takt did not write like this; the sentence says what is wrong with it. */
__attribute__((format(printf, 2, 3))) static int damaged(struct cursor *c, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    sqlite3_free(c->base.pVtab->zErrMsg);
    c->base.pVtab->zErrMsg = sqlite3_vmprintf(format, args);
    va_end(args);
    return SQLITE_CORRUPT;
}

/* --- steps and holds of the stream ---------------------------------------------------------------
 */

static bool add(struct slice_item **list, size_t *count, size_t *capacity, uint64_t start,
                uint64_t end, uint32_t stmt, uint32_t reason)
{
    if (*count == *capacity) {
        const size_t larger = *capacity ? 2 * *capacity : CHUNK_ITEMS;
        struct slice_item *grown = realloc(*list, larger * sizeof *grown);
        if (!grown) {
            return false;
        }
        *list = grown;
        *capacity = larger;
    }
    (*list)[(*count)++] = (struct slice_item){
        .start = start, .duration = end - start, .stmt = stmt, .reason = reason};
    return true;
}

static int by_start(const void *a, const void *b)
{
    const uint64_t x = ((const struct slice_item *)a)->start;
    const uint64_t y = ((const struct slice_item *)b)->start;
    return x < y ? -1 : x > y;
}

/* By start; nearly so already, unless somebody made the file: then moving one by one would be long.
 */
static void sort_items(struct slice_item *items, size_t count)
{
    enum { MOVES_EACH = 64 };
    size_t moves = MOVES_EACH * count;
    for (size_t i = 1; i < count; i++) {
        const struct slice_item item = items[i];
        size_t k = i;
        for (; k > 0 && items[k - 1].start > item.start; k--) {
            items[k] = items[k - 1];
        }
        items[k] = item;
        if (i - k > moves) {
            qsort(items, count, sizeof *items, by_start);
            return;
        }
        moves -= i - k;
    }
}

/* Where the parts of each pattern begin that keep c->unit busy. */
static void index_parts(struct cursor *c)
{
    if (c->indexed_unit == c->unit) {
        return;
    }
    size_t low = 0, high = c->part_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (c->parts[middle].unit < c->unit) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    for (size_t pattern = 0; pattern <= c->pattern_count; pattern++) {
        while (low < c->part_count && c->parts[low].unit == c->unit &&
               c->parts[low].pattern < pattern) {
            low++;
        }
        c->first_part[pattern] = low;
    }
    c->indexed_unit = c->unit;
}

/* What steps[0 .. count) keep busy of a unit: those of steps[first ..) into items, all into busy.
 */
static bool expand_steps(struct cursor *c, const struct slice_item *steps, size_t count,
                         size_t first, size_t *busy_count)
{
    for (size_t i = 0; i < count; i++) {
        if (steps[i].reason != REASON_BUSY || steps[i].duration >= c->pattern_count) {
            continue;
        }
        for (size_t p = c->first_part[steps[i].duration]; p < c->first_part[steps[i].duration + 1];
             p++) {
            const uint64_t start = steps[i].start + c->parts[p].offset;
            const uint64_t end = start + c->parts[p].duration;
            if (start >= c->end) {
                continue;
            }
            const uint64_t cut = end < c->end ? end : c->end;
            if (!add(&c->busy, busy_count, &c->busy_capacity, start, cut, steps[i].stmt,
                     REASON_BUSY) ||
                (i >= first && !add(&c->items, &c->count, &c->item_capacity, start, cut,
                                    steps[i].stmt, REASON_BUSY))) {
                return false;
            }
        }
    }
    return true;
}

/* A hold's reason in the gaps between what is busy. */
static bool expand_holds(struct cursor *c, const struct slice_item *steps, size_t count,
                         size_t busy_count)
{
    size_t next = 0;
    for (size_t i = 0; i < count; i++) {
        if (steps[i].reason == REASON_BUSY) {
            continue;
        }
        uint64_t at = steps[i].start, to = at + steps[i].duration;
        to = to < c->end ? to : c->end;
        while (next < busy_count && c->busy[next].start + c->busy[next].duration <= at) {
            next++;
        }
        for (size_t b = next; b < busy_count && c->busy[b].start < to; b++) {
            const uint64_t end = c->busy[b].start + c->busy[b].duration;
            if (c->busy[b].start > at && !add(&c->items, &c->count, &c->item_capacity, at,
                                              c->busy[b].start, steps[i].stmt, steps[i].reason)) {
                return false;
            }
            at = end > at ? end : at;
        }
        if (at < to &&
            !add(&c->items, &c->count, &c->item_capacity, at, to, steps[i].stmt, steps[i].reason)) {
            return false;
        }
    }
    return true;
}

/* Two rows of neighbours, each by start, become one. */
static void merge(struct slice_item *items, size_t first, size_t count, struct slice_item *room)
{
    memcpy(room, items, first * sizeof *room);
    size_t a = 0, b = first, out = 0;
    while (a < first) {
        items[out++] = b < count && items[b].start < room[a].start ? items[b++] : room[a++];
    }
}

static int expand(struct cursor *c)
{
    static _Thread_local struct slice_item steps[CHUNK_ITEMS];
    size_t count = 0, busy_count = 0;
    const int64_t carried = sqlite3_column_int64(c->steps, 0);
    if (chunk_decode_stream(sqlite3_column_blob(c->steps, 1),
                            (size_t)sqlite3_column_bytes(c->steps, 1), steps, &count) ||
        carried < 0 || (size_t)carried > count) {
        return damaged(c, "step_chunk holds no packed steps");
    }
    c->count = 0;
    index_parts(c);
    if (!expand_steps(c, steps, count, (size_t)carried, &busy_count)) {
        return SQLITE_NOMEM;
    }
    sort_items(c->items, c->count);
    sort_items(c->busy, busy_count);
    for (size_t i = 1; i < busy_count; i++) {
        if (c->busy[i - 1].start + c->busy[i - 1].duration > c->busy[i].start) {
            return damaged(c, "two steps keep unit %u busy in cycle %llu", c->unit,
                           (unsigned long long)c->busy[i].start);
        }
    }
    const size_t own = c->count;
    if (!expand_holds(c, steps, count, busy_count)) {
        return SQLITE_NOMEM;
    }
    /* busy holds at least as many as are own, so it has the room. */
    if (own && own < c->count) {
        merge(c->items, own, c->count, c->busy);
    }
    return SQLITE_OK;
}

/* --- one source after the other ------------------------------------------------------------------
 */

static int take_row(struct cursor *c)
{
    c->count = 0;
    if (c->source == SOURCE_STEPS) {
        return expand(c);
    }
    const void *data = sqlite3_column_blob(c->chunks, 0);
    if (!c->items || c->item_capacity < CHUNK_ITEMS) {
        free(c->items);
        c->items = malloc(CHUNK_ITEMS * sizeof *c->items);
        c->item_capacity = c->items ? CHUNK_ITEMS : 0;
    }
    if (!c->items) {
        return SQLITE_NOMEM;
    }
    return chunk_decode(data, (size_t)sqlite3_column_bytes(c->chunks, 0), c->items, &c->count)
               ? damaged(c, "slice_chunk holds no packed intervals")
               : SQLITE_OK;
}

static int plain_next(struct cursor *c)
{
    const int rc = sqlite3_step(c->rows);
    c->eof = rc != SQLITE_ROW;
    if (rc != SQLITE_ROW) {
        return rc == SQLITE_DONE ? SQLITE_OK : rc;
    }
    c->count = 0;
    c->at = 0;
    c->unit = (uint32_t)sqlite3_column_int64(c->rows, 0);
    const uint64_t start = (uint64_t)sqlite3_column_int64(c->rows, 3);
    return add(&c->items, &c->count, &c->item_capacity, start,
               start + (uint64_t)sqlite3_column_int64(c->rows, 4),
               sqlite3_column_type(c->rows, 2) == SQLITE_NULL
                   ? NONE_ID
                   : (uint32_t)sqlite3_column_int64(c->rows, 2),
               (uint32_t)sqlite3_column_int64(c->rows, 1))
               ? SQLITE_OK
               : SQLITE_NOMEM;
}

/* The next source of the unit, or the next unit; false at the end. */
static bool turn(struct cursor *c)
{
    if (c->source == SOURCE_STEPS) {
        sqlite3_reset(c->steps);
        c->source = SOURCE_CHUNKS;
    } else {
        if (c->unit == c->last_unit) {
            return false;
        }
        c->unit++;
        c->source = c->unit < c->stream_units ? SOURCE_STEPS : SOURCE_CHUNKS;
    }
    if (c->source == SOURCE_CHUNKS) {
        sqlite3_reset(c->chunks);
        sqlite3_bind_int64(c->chunks, 1, c->unit);
    }
    return true;
}

static int vt_next(sqlite3_vtab_cursor *cursor)
{
    struct cursor *c = (struct cursor *)cursor;
    c->rowid++;
    if (++c->at < c->count) {
        return SQLITE_OK;
    }
    if (!c->packed) {
        return plain_next(c);
    }
    for (;;) {
        int rc = sqlite3_step(c->source == SOURCE_STEPS ? c->steps : c->chunks);
        if (rc == SQLITE_ROW) {
            rc = take_row(c);
            c->at = 0;
            if (rc != SQLITE_OK || c->count) {
                return rc;
            }
        } else if (rc != SQLITE_DONE) {
            return rc;
        } else if (!turn(c)) {
            c->eof = true;
            return SQLITE_OK;
        }
    }
}

/* --- filter --------------------------------------------------------------------------------------
 */

static int64_t number(sqlite3 *db, const char *sql, int64_t fallback)
{
    sqlite3_stmt *s = NULL;
    int64_t value = fallback;
    if (sqlite3_prepare_v2(db, sql, -1, &s, NULL) == SQLITE_OK && sqlite3_step(s) == SQLITE_ROW &&
        sqlite3_column_type(s, 0) != SQLITE_NULL) {
        value = sqlite3_column_int64(s, 0);
    }
    sqlite3_finalize(s);
    return value;
}

bool slice_packed(sqlite3 *db)
{
    return number(db, "SELECT 1 FROM main.slice_chunk LIMIT 1", 0) == 1 ||
           number(db, "SELECT 1 FROM main.step_chunk LIMIT 1", 0) == 1;
}

/* What a row of pattern must be after the one before it, so that no step expands without end. */
static int take_part(struct cursor *c, sqlite3_stmt *s, unsigned *same)
{
    const int64_t pattern = sqlite3_column_int64(s, 0), unit = sqlite3_column_int64(s, 1);
    const int64_t offset = sqlite3_column_int64(s, 2), duration = sqlite3_column_int64(s, 3);
    if (pattern < 0 || (size_t)pattern >= c->pattern_count || unit < 0 || unit >= c->stream_units ||
        offset < 0 || offset > UINT32_MAX || duration < 1 || duration > UINT32_MAX) {
        return damaged(c, "pattern %lld of unit %lld: %lld cycles from %lld are no part of a step",
                       (long long)pattern, (long long)unit, (long long)duration, (long long)offset);
    }
    const struct part *before = c->part_count ? &c->parts[c->part_count - 1] : NULL;
    const bool follows = before && before->unit == unit && before->pattern == pattern;
    *same = follows ? *same + 1 : 1;
    if (*same > SINK_UNIT_PARTS) {
        return damaged(c, "pattern %lld keeps unit %lld busy more than %d times",
                       (long long)pattern, (long long)unit, SINK_UNIT_PARTS);
    }
    if (follows && before->offset + (int64_t)before->duration > offset) {
        return damaged(c, "pattern %lld keeps unit %lld busy twice in cycle %lld",
                       (long long)pattern, (long long)unit, (long long)offset);
    }
    c->parts[c->part_count++] =
        (struct part){(uint32_t)pattern, (uint32_t)unit, (uint32_t)offset, (uint32_t)duration};
    return SQLITE_OK;
}

static int read_patterns(struct cursor *c, sqlite3 *db)
{
    const int64_t count = number(db, "SELECT count(*) FROM main.pattern", 0);
    const int64_t last = number(db, "SELECT max(pattern) FROM main.pattern", -1);
    sqlite3_stmt *s = NULL;
    if (last < -1 || last >= count) { /* each has a part, the issue unit's */
        return damaged(c, "pattern %lld, of %lld parts in all", (long long)last, (long long)count);
    }
    c->pattern_count = (size_t)(last + 1);
    int rc = sqlite3_prepare_v2(db,
                                "SELECT pattern, unit, start, duration FROM main.pattern "
                                "ORDER BY unit, pattern, start",
                                -1, &s, NULL);
    c->parts = malloc((size_t)(count + 1) * sizeof *c->parts);
    c->first_part = calloc(c->pattern_count + 1, sizeof *c->first_part);
    if (rc == SQLITE_OK && (!c->parts || !c->first_part)) {
        rc = SQLITE_NOMEM;
    }
    unsigned same = 0;
    while (rc == SQLITE_OK && c->part_count < (size_t)count && sqlite3_step(s) == SQLITE_ROW) {
        rc = take_part(c, s, &same);
    }
    sqlite3_finalize(s);
    return rc;
}

static int prepare(sqlite3 *db, sqlite3_stmt **s, const char *head, int index, bool track,
                   bool finish, const char *order)
{
    char *sql = sqlite3_mprintf("%s%s%s%s%s ORDER BY %s", head, track ? " AND unit = ?1" : "",
                                index & TS_BELOW ? " AND start <= ?2" : "",
                                !(index & TS_FROM) ? ""
                                : finish           ? " AND finish > ?3"
                                                   : " AND start >= ?3",
                                !(index & TILL_FROM) ? ""
                                : finish             ? " AND finish >= ?4"
                                                     : " AND start + duration >= ?4",
                                order);
    const int rc = sql ? sqlite3_prepare_v2(db, sql, -1, s, NULL) : SQLITE_NOMEM;
    sqlite3_free(sql);
    return rc;
}

static int open_packed(struct cursor *c, sqlite3 *db, int index)
{
    const int64_t units = number(db, "SELECT count(*) FROM main.unit WHERE kind <> 'node'", 0);
    const int64_t last = number(db, "SELECT max(id) FROM main.unit WHERE kind <> 'node'", -1);
    const int64_t stream_units = number(
        db, "SELECT value FROM main.meta WHERE key = 'stream_units' AND typeof(value) = 'integer'",
        0);
    if (last != units - 1 || units > UINT32_MAX || stream_units < 0 || stream_units > units) {
        return damaged(c, "%lld units, the last is %lld, %lld follow the stream", (long long)units,
                       (long long)last, (long long)stream_units);
    }
    c->units = (uint32_t)units;
    c->stream_units = (uint32_t)stream_units;
    c->end = (uint64_t)number(db,
                              "SELECT value FROM main.meta WHERE key IN ('total_cycles', "
                              "'cycles_reached') AND typeof(value) = 'integer'",
                              INT64_MAX);
    int rc = prepare(db, &c->chunks, "SELECT data FROM main.slice_chunk WHERE 1", index, true, true,
                     "start");
    if (rc == SQLITE_OK && c->stream_units) {
        rc = read_patterns(c, db);
    }
    if (rc == SQLITE_OK && c->stream_units) {
        rc = prepare(db, &c->steps, "SELECT carried, data FROM main.step_chunk WHERE 1", index,
                     false, true, "id");
    }
    return rc;
}

static void bind(sqlite3_stmt *s, int place, sqlite3_value *value)
{
    if (s) {
        sqlite3_bind_value(s, place, value); /* SQLITE_RANGE where it is not asked for */
    }
}

static int vt_filter(sqlite3_vtab_cursor *cursor, int index, const char *text, int argc,
                     sqlite3_value **argv)
{
    (void)text;
    struct cursor *c = (struct cursor *)cursor;
    sqlite3 *db = ((struct table *)cursor->pVtab)->db;
    forget(c);
    c->packed = slice_packed(db);
    c->eof = false;
    c->at = c->count = 0;
    c->rowid = 0;
    int rc = c->packed ? open_packed(c, db, index)
                       : prepare(db, &c->rows,
                                 "SELECT unit, reason, stmt, start, duration FROM main.slice_row "
                                 "WHERE 1",
                                 index, index & BY_TRACK, false, "unit, start");
    if (rc == SQLITE_OK && !c->names) {
        rc = sqlite3_prepare_v2(db, "SELECT text FROM main.v_stmt WHERE stmt = ?", -1, &c->names,
                                NULL);
    }
    if (rc != SQLITE_OK) {
        return rc;
    }
    int argument = 0;
    int64_t track = -1;
    for (int bit = BY_TRACK, place = 1; bit <= TILL_FROM; bit <<= 1, place++) {
        if (!(index & bit) || argument == argc) {
            continue;
        }
        sqlite3_value *value = argv[argument++];
        if (bit == BY_TRACK) {
            track = sqlite3_value_type(value) == SQLITE_INTEGER ? sqlite3_value_int64(value) : -1;
        }
        bind(c->steps, place, value);
        bind(c->chunks, place, value);
        bind(c->rows, place, value);
    }
    if (!c->packed) {
        return vt_next(cursor);
    }
    if (c->units == 0 || (index & BY_TRACK && (track < 0 || track >= c->units))) {
        c->eof = true;
        return SQLITE_OK;
    }
    c->unit = index & BY_TRACK ? (uint32_t)track : 0;
    c->last_unit = index & BY_TRACK ? c->unit : c->units - 1;
    c->source = c->unit < c->stream_units ? SOURCE_STEPS : SOURCE_CHUNKS;
    sqlite3_bind_int64(c->chunks, 1, c->unit);
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
    case COLUMN_TILL:
        sqlite3_result_int64(context, (sqlite3_int64)(item->start + item->duration));
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
