#include "analysis/run_json.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/proven.h"
#include "analysis/utf8_json.h"
#include "analysis/verdict.h"
#include "traces/rows.h"
#include "traces/schema.h"
#include "traces/trace.h"

static json_t *real_of(double value)
{
    return value == floor(value) && fabs(value) < 1e15 ? json_integer((json_int_t)value)
                                                       : json_real(value);
}

static json_t *cell(sqlite3_stmt *q, int column)
{
    switch (sqlite3_column_type(q, column)) {
    case SQLITE_NULL:
        return json_null();
    case SQLITE_INTEGER:
        return json_integer(sqlite3_column_int64(q, column));
    case SQLITE_FLOAT:
        return json_real(sqlite3_column_double(q, column));
    default:
        return utf8_json(rows_text(q, column));
    }
}

/* value NULL: memory was out. */
static void set(json_t *object, const char *key, json_t *value, int *rc)
{
    if (json_object_set_new(object, key, value))
        *rc = SQLITE_NOMEM;
}

/* What a function of trace.h found: it gives its fallback, too, when memory is out. */
static int64_t found(sqlite3 *db, int64_t value, int *rc)
{
    if (sqlite3_errcode(db) == SQLITE_NOMEM)
        *rc = SQLITE_NOMEM;
    return value;
}

/* Every row of sql (trace_expand) as an object named after its columns. */
static json_t *rows(sqlite3 *db, const char *sql, int *rc)
{
    json_t *list = json_array();
    sqlite3_stmt *q = NULL;
    char *expanded = trace_expand(db, sql);
    int step = expanded ? rows_prepare(db, expanded, &q) : SQLITE_NOMEM;
    sqlite3_free(expanded);
    while (list && step == SQLITE_OK && (step = rows_step(q)) == SQLITE_ROW) {
        json_t *row = json_object();
        for (int i = 0; i < sqlite3_column_count(q); i++)
            set(row, sqlite3_column_name(q, i), cell(q, i), rc);
        step = json_array_append_new(list, row) ? SQLITE_NOMEM : SQLITE_OK;
    }
    if (step != SQLITE_DONE)
        *rc = step;
    sqlite3_finalize(q);
    return list;
}

/* Single counts of the counter in the row of q (name, idx_name, unit): [{idx_name, unit}]. */
static json_t *counts(sqlite3 *db, sqlite3_stmt *q, int *rc)
{
    json_t *list = json_array();
    sqlite3_stmt *s = NULL;
    int step = rows_prepare(
        db, "SELECT idx, value FROM counter WHERE name = ? AND idx IS NOT NULL ORDER BY idx", &s);
    if (step == SQLITE_OK)
        sqlite3_bind_value(s, 1, sqlite3_column_value(q, 0));
    while (list && step == SQLITE_OK && (step = rows_step(s)) == SQLITE_ROW) {
        json_t *row = json_object();
        set(row, rows_text(q, 1), cell(s, 0), rc);
        set(row, rows_text(q, 2), cell(s, 1), rc);
        step = json_array_append_new(list, row) ? SQLITE_NOMEM : SQLITE_OK;
    }
    if (step != SQLITE_DONE)
        *rc = step;
    sqlite3_finalize(s);
    return list;
}

/* Each counter as a field of its name; "a.b" is field b of object a. */
static void set_counters(sqlite3 *db, json_t *answer, int *rc)
{
    sqlite3_stmt *q = NULL;
    int step = rows_prepare(
        db, "SELECT name, idx_name, unit, value FROM counter WHERE idx IS NULL ORDER BY rowid", &q);
    while (step == SQLITE_OK && (step = rows_step(q)) == SQLITE_ROW) {
        const char *name = rows_text(q, 0);
        const char *dot = strchr(name, '.');
        char *group = strndup(name, dot ? (size_t)(dot - name) : 0);
        json_t *object = answer;
        step = group ? SQLITE_OK : SQLITE_NOMEM;
        if (group && dot && !(object = json_object_get(answer, group))) {
            object = json_object();
            set(answer, group, object, rc);
        }
        if (group)
            set(object, dot ? dot + 1 : name,
                sqlite3_column_type(q, 1) == SQLITE_NULL ? cell(q, 3) : counts(db, q, rc), rc);
        free(group);
    }
    if (step != SQLITE_DONE)
        *rc = step;
    sqlite3_finalize(q);
}

/* NULL when memory is out. */
static json_t *fact(sqlite3 *db, const char *key, int *rc)
{
    sqlite3_stmt *q = NULL;
    json_t *value = NULL;
    int step = rows_prepare(db, "SELECT value FROM meta WHERE key = ?", &q);
    if (step == SQLITE_OK) {
        sqlite3_bind_text(q, 1, key, -1, SQLITE_STATIC);
        step = rows_step(q);
        value = step == SQLITE_ROW ? cell(q, 0) : json_null();
    }
    if (step != SQLITE_ROW && step != SQLITE_DONE)
        *rc = step;
    sqlite3_finalize(q);
    return value;
}

static json_t *limit(sqlite3 *db, int *rc)
{
    struct verdict verdict;
    const int found_verdict = verdict_find(db, &verdict);
    if (found_verdict != SQLITE_OK)
        *rc = found_verdict;
    return verdict_json(&verdict);
}

int run_json_print(sqlite3 *db, const char *state, FILE *out)
{
    int rc = SQLITE_OK;
    const bool complete = found(db, trace_complete(db), &rc);
    json_t *answer = json_object();
    set(answer, "takt", json_string(TAKT_VERSION), &rc);
    set(answer, "program", fact(db, "program", &rc), &rc);
    set(answer, "machine", fact(db, "machine", &rc), &rc);
    set(answer, "complete", json_boolean(complete), &rc);
    if (found(db, rows_value(db, "SELECT count(*) FROM meta WHERE key = 'ending'", 0, 0, 1), &rc))
        set(answer, "ending", fact(db, "ending", &rc), &rc);
    /* Nothing stands as a total for a run that did not complete. */
    json_t *clock = fact(db, "clock_hz", &rc);
    const double hz = json_number_value(clock);
    json_decref(clock);
    const int64_t total = found(db, trace_integer(db, "total_cycles", 0), &rc);
    set(answer, "cycles", complete ? json_integer(total) : json_null(), &rc);
    const int64_t documented = found(db, trace_integer(db, "cycles_documented", 0), &rc);
    set(answer, "cycles_documented",
        complete && documented > 0 ? json_integer(documented) : json_null(), &rc);
    if (found(db, trace_integer(db, "range_low", -1), &rc) >= 0) {
        json_t *range = json_object();
        set(range, "low", fact(db, "range_low", &rc), &rc);
        set(range, "high", fact(db, "range_high", &rc), &rc);
        set(range, "parameters", fact(db, "range_parameters", &rc), &rc);
        set(range, "most", fact(db, "range_most", &rc), &rc);
        set(range, "most_cycles", fact(db, "range_most_cycles", &rc), &rc);
        set(answer, "range", range, &rc);
    }
    if (!complete)
        set(answer, "cycles_reached", fact(db, "cycles_reached", &rc), &rc);
    set(answer, "seconds", complete && hz > 0 ? json_real((double)total / hz) : json_null(), &rc);
    set(answer, "clock_hz", real_of(hz), &rc);
    set(answer, "events", fact(db, "events", &rc), &rc);
    set_counters(db, answer, &rc);
    set(answer, "units",
        complete ? rows(db,
                        "SELECT unit, kind, busy, waiting, idle, total, utilization FROM v_util "
                        "ORDER BY unit_id",
                        &rc)
                 : json_array(),
        &rc);
    set(answer, "limit", complete ? limit(db, &rc) : json_null(), &rc);
    set(answer, "regions",
        complete ? rows(db,
                        "SELECT r.name AS region, (SELECT count(*) FROM stmt s WHERE s.region = "
                        "r.id) AS statements, sum(t.cycles) AS cycles, r.bound AS bound "
                        "FROM region r JOIN "
                        "unit_total t ON t.region = r.id WHERE t.unit = (SELECT min(id) FROM unit "
                        "WHERE kind = 'issue') AND EXISTS (SELECT 1 FROM region WHERE id > 0) "
                        "GROUP BY r.id ORDER BY r.id = 0, r.id",
                        &rc)
                 : json_array(),
        &rc);
    set(answer, "transfers",
        rows(db,
             "SELECT file, line, mode, tag, tag_name, bytes, issued, started, finished, waited, "
             "waited_by_line AS waited_by, limited_by /*attributes*/ "
             "FROM v_transfer t ORDER BY issued, id",
             &rc),
        &rc);
    set(answer, "stalls",
        rows(db,
             "SELECT waited, times, kind, unit, rule, src_file AS culprit_file, "
             "src_line AS culprit_line, dst_file AS file, dst_line AS line FROM "
             "v_dep WHERE waited > 0 ORDER BY waited DESC, id "
             "LIMIT 20",
             &rc),
        &rc);
    set(answer, "bounds", proven_json(db, &rc), &rc);
    set(answer, "gap", proven_gap_json(db, &rc), &rc);
    set(answer, "parameters",
        rows(db,
             "SELECT provenance, count(*) AS count FROM param GROUP BY provenance "
             "ORDER BY provenance",
             &rc),
        &rc);
    set(answer, "warnings",
        rows(db,
             "SELECT file, line, name, sentence AS message FROM v_warning "
             "ORDER BY file, line, name",
             &rc),
        &rc);
    set(answer, "left_out",
        json_integer(found(
            db, rows_value(db, "SELECT value FROM meta WHERE key = 'warnings_left_out'", 0, 0, 0),
            &rc)),
        &rc);
    if (state)
        set(answer, "state", json_string(state), &rc);
    const int written =
        answer && rc == SQLITE_OK
            ? json_dumpf(answer, out, JSON_INDENT(1) | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(15))
            : -1;
    json_decref(answer);
    if (written == 0)
        putc('\n', out);
    return written == 0 && !ferror(out) ? 0 : -1;
}
