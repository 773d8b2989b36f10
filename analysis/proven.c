#include "analysis/proven.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "analysis/answer.h"
#include "traces/rows.h"
#include "analysis/utf8_json.h"

/* --- JSON ------------------------------------------------------------------------------------- */

static void set(json_t *object, const char *key, json_t *value, int *rc)
{
    if (json_object_set_new(object, key, value))
        *rc = SQLITE_NOMEM;
}

/* File and line of a statement into an object, under these names. */
static void set_place(sqlite3_stmt *places, json_t *object, const json_t *stmt, const char *line,
                      int *rc)
{
    if (!json_is_integer(stmt))
        return;
    sqlite3_bind_int64(places, 1, json_integer_value(stmt));
    if (rows_step(places) == SQLITE_ROW) {
        set(object, "file", utf8_json(rows_text(places, 0)), rc);
        set(object, line, json_integer(sqlite3_column_int64(places, 1)), rc);
    }
    sqlite3_reset(places);
}

/* Pairs of statement numbers as objects with lines. */
static json_t *resolve(sqlite3_stmt *places, const json_t *pairs, bool path, int *rc)
{
    json_t *list = json_array();
    size_t i;
    json_t *pair;
    json_array_foreach(pairs, i, pair)
    {
        json_t *object = json_object();
        set_place(places, object, json_array_get(pair, 0), "line", rc);
        if (path)
            set(object, "lag", json_incref(json_array_get(pair, 1)), rc);
        else
            set_place(places, object, json_array_get(pair, 1), "last_line", rc);
        if (json_array_append_new(list, object))
            *rc = SQLITE_NOMEM;
    }
    return list;
}

/* Statement numbers of raises as places. */
static void resolve_raises(sqlite3_stmt *places, const json_t *raises, int *rc)
{
    size_t i;
    json_t *raise;
    json_array_foreach(raises, i, raise)
    {
        set_place(places, raise, json_object_get(raise, "stmt"), "line", rc);
        json_object_del(raise, "stmt");
        set(raise, "statements", resolve(places, json_object_get(raise, "statements"), false, rc),
            rc);
    }
}

static json_t *certificate(sqlite3_stmt *places, const char *text, int *rc)
{
    json_t *raw = text ? json_loads(text, 0, NULL) : NULL;
    if (!raw)
        *rc = SQLITE_NOMEM;
    static const char *const lists[] = {"statements", "path"};
    for (unsigned path = 0; raw && path < 2; path++) {
        const json_t *pairs = json_object_get(raw, lists[path]);
        if (pairs)
            set(raw, lists[path], resolve(places, pairs, path == 1, rc), rc);
    }
    resolve_raises(places, json_object_get(raw, "raises"), rc);
    return raw;
}

static const char *const places_sql = "SELECT file, line FROM v_stmt WHERE stmt = ?1";

json_t *proven_json(sqlite3 *db, int *rc)
{
    json_t *list = json_array();
    sqlite3_stmt *places = rows_select(db, places_sql, rc);
    sqlite3_stmt *q = rows_select(
        db, "SELECT class, kind, resource, cycles, certificate FROM bound ORDER BY rowid", rc);
    while (rows_next(q, rc)) {
        json_t *row = json_object();
        const char *unit = rows_text(q, 2);
        set(row, "class", json_string(rows_text(q, 0)), rc);
        set(row, "kind", json_string(rows_text(q, 1)), rc);
        set(row, "unit", *unit ? json_string(unit) : json_null(), rc);
        set(row, "cycles", json_integer(sqlite3_column_int64(q, 3)), rc);
        set(row, "certificate", certificate(places, rows_text(q, 4), rc), rc);
        if (json_array_append_new(list, row))
            *rc = SQLITE_NOMEM;
    }
    sqlite3_finalize(q);
    sqlite3_finalize(places);
    return list;
}

json_t *proven_gap_json(sqlite3 *db, int *rc)
{
    sqlite3_stmt *q = rows_select(db, "SELECT class, gap FROM v_gap WHERE gap IS NOT NULL", rc);
    json_t *gap = rows_next(q, rc) ? json_pack("{s:s, s:I}", "class", rows_text(q, 0), "cycles",
                                               (json_int_t)sqlite3_column_int64(q, 1))
                                   : json_null();
    sqlite3_finalize(q);
    return gap;
}

/* --- phrases ---------------------------------------------------------------------------------- */

enum { LINES_SHOWN = 4 };

/* " 4 > 9 > 12": the lines of a path, if they are few. */
static void path_lines(sqlite3 *db, const char *text, char *lines, size_t size, int *rc)
{
    sqlite3_stmt *places = NULL;
    json_t *raw = text ? json_loads(text, 0, NULL) : NULL;
    int step = raw ? rows_prepare(db, places_sql, &places) : SQLITE_NOMEM;
    size_t i, count = 0, used = 0;
    int64_t before = 0;
    json_t *pair;
    lines[0] = '\0';
    json_array_foreach(json_object_get(raw, "path"), i, pair)
    {
        const json_t *stmt = json_array_get(pair, 0);
        if (step != SQLITE_OK || !json_is_integer(stmt))
            continue;
        sqlite3_bind_int64(places, 1, json_integer_value(stmt));
        const int64_t line = rows_step(places) == SQLITE_ROW ? sqlite3_column_int64(places, 1) : 0;
        sqlite3_reset(places);
        if (line == before)
            continue;
        before = line;
        if (count++ == LINES_SHOWN) {
            lines[0] = '\0';
            break;
        }
        const int n =
            snprintf(lines + used, size - used, "%s%lld", used ? " > " : " ", (long long)line);
        used += n > 0 && (size_t)n < size - used ? (size_t)n : 0;
    }
    if (step != SQLITE_OK)
        *rc = step;
    sqlite3_finalize(places);
    json_decref(raw);
}

static void fill(sqlite3 *db, sqlite3_stmt *q, struct proven *proven, int *rc)
{
    char number[ANSWER_NUMBER], lines[PROVEN_PHRASE / 2] = "";
    const char *class = rows_text(q, 0);
    const char *kind = rows_text(q, 1);
    const char *unit = rows_text(q, 2);
    char *cycles = answer_number(number, sqlite3_column_int64(q, 3));
    if (strcmp(class, "this-order") == 0) {
        snprintf(proven->this_order, PROVEN_PHRASE, "this order %s", cycles);
        return;
    }
    const bool any = strcmp(class, "any-order") == 0;
    if (!*unit)
        path_lines(db, rows_text(q, 6), lines, sizeof lines, rc);
    snprintf(any ? proven->any_order : proven->free_places, PROVEN_PHRASE, "%s %s (%s%s%.60s)",
             any ? "any order" : "free places", cycles, kind, *unit ? " " : "",
             *unit ? unit : lines);
    if (!any)
        return;
    proven->computed = true;
    snprintf(proven->gap, PROVEN_PHRASE, "gap %s cycle%s, %.1f %%",
             answer_number(number, sqlite3_column_int64(q, 4)),
             sqlite3_column_int64(q, 4) == 1 ? "" : "s", 100.0 * sqlite3_column_double(q, 5));
}

int proven_find(sqlite3 *db, struct proven *proven)
{
    *proven = (struct proven){.computed = false};
    int rc = SQLITE_OK;
    sqlite3_stmt *q = rows_select(
        db,
        "SELECT class, kind, unit, cycles, gap, share, (SELECT certificate FROM bound b "
        "WHERE b.class = g.class AND b.kind = g.kind) FROM v_gap g",
        &rc);
    while (rows_next(q, &rc))
        fill(db, q, proven, &rc);
    sqlite3_finalize(q);
    return rc;
}
