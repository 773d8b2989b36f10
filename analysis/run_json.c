#include "analysis/run_json.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

#include "analysis/utf8_json.h"
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
    default: {
        const char *text = (const char *)sqlite3_column_text(q, column);
        return text ? utf8_json(text) : NULL;
    }
    }
}

/* value NULL: memory was out. */
static void set(json_t *object, const char *key, json_t *value, int *rc)
{
    if (json_object_set_new(object, key, value)) {
        *rc = SQLITE_NOMEM;
    }
}

/* What a function of trace.h found: it gives its fallback, too, when memory is out. */
static int64_t found(sqlite3 *db, int64_t value, int *rc)
{
    if (sqlite3_errcode(db) == SQLITE_NOMEM) {
        *rc = SQLITE_NOMEM;
    }
    return value;
}

/* Every row of sql as an object named after its columns. */
static json_t *rows(sqlite3 *db, const char *sql, int *rc)
{
    json_t *list = json_array();
    sqlite3_stmt *q = NULL;
    int step = sqlite3_prepare_v2(db, sql, -1, &q, NULL);
    while (list && step == SQLITE_OK && (step = sqlite3_step(q)) == SQLITE_ROW) {
        json_t *row = json_object();
        for (int i = 0; i < sqlite3_column_count(q); i++) {
            set(row, sqlite3_column_name(q, i), cell(q, i), rc);
        }
        step = json_array_append_new(list, row) ? SQLITE_NOMEM : SQLITE_OK;
    }
    if (step != SQLITE_DONE) {
        *rc = step;
    }
    sqlite3_finalize(q);
    return list;
}

/* NULL when memory is out. */
static json_t *fact(sqlite3 *db, const char *key, int *rc)
{
    sqlite3_stmt *q = NULL;
    json_t *value = NULL;
    int step = sqlite3_prepare_v2(db, "SELECT value FROM meta WHERE key = ?", -1, &q, NULL);
    if (step == SQLITE_OK) {
        sqlite3_bind_text(q, 1, key, -1, SQLITE_STATIC);
        step = sqlite3_step(q);
        value = step == SQLITE_ROW ? cell(q, 0) : json_null();
    }
    if (step != SQLITE_ROW && step != SQLITE_DONE) {
        *rc = step;
    }
    sqlite3_finalize(q);
    return value;
}

static void set_facts(sqlite3 *db, json_t *object, const char *prefix, const char *const *names,
                      int *rc)
{
    for (; *names; names++) {
        char key[64];
        snprintf(key, sizeof key, "%s%s", prefix, *names);
        set(object, *names, fact(db, key, rc), rc);
    }
}

int run_json_print(sqlite3 *db, const char *state, FILE *out)
{
    int rc = SQLITE_OK;
    const bool complete = found(db, trace_complete(db), &rc);
    json_t *answer = json_object();
    set(answer, "takt", json_string(SCHEMA_TAKT_VERSION), &rc);
    set_facts(db, answer, "", (const char *const[]){"program", "machine", NULL}, &rc);
    set(answer, "complete", json_boolean(complete), &rc);
    /* Nothing stands as a total for a run that did not complete. */
    json_t *clock = fact(db, "clock_hz", &rc);
    const double hz = json_number_value(clock);
    json_decref(clock);
    const int64_t total = found(db, trace_integer(db, "total_cycles", 0), &rc);
    set(answer, "cycles", complete ? json_integer(total) : json_null(), &rc);
    const int64_t documented = found(db, trace_integer(db, "cycles_documented", 0), &rc);
    set(answer, "cycles_documented",
        complete && documented > 0 ? json_integer(documented) : json_null(), &rc);
    if (!complete) {
        set(answer, "cycles_reached", fact(db, "cycles_reached", &rc), &rc);
    }
    set(answer, "seconds", complete && hz > 0 ? json_real((double)total / hz) : json_null(), &rc);
    set(answer, "clock_hz", real_of(hz), &rc);
    set_facts(db, answer, "",
              (const char *const[]){"steps", "pe_statements", "mv_statements", NULL}, &rc);
    json_t *nops = json_object();
    set_facts(db, nops, "nops_", (const char *const[]){"written", "packing", "wait", "empty", NULL},
              &rc);
    set(nops, "tags", rows(db, "SELECT tag, steps FROM nop_tag ORDER BY tag", &rc), &rc);
    set(answer, "nops", nops, &rc);
    set(answer, "units",
        complete ? rows(db,
                        "SELECT unit, kind, busy, waiting, idle, total, utilization FROM v_util "
                        "ORDER BY unit_id",
                        &rc)
                 : json_array(),
        &rc);
    json_t *flops = json_object();
    set_facts(db, flops, "flops_",
              (const char *const[]){"double", "single", "pseudo_single", "half", NULL}, &rc);
    set(answer, "flops", flops, &rc);
    set(answer, "transfers",
        rows(db,
             "SELECT file, line, mode, tag, priority, long_words, bytes, issued, "
             "started, finished, waited, waited_by_line AS waited_by, limited_by "
             "FROM v_transfer ORDER BY issued, id",
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
    set(answer, "bounds",
        rows(db,
             "SELECT b.name AS name, u.name AS unit, b.cycles AS cycles, "
             "b.proof AS proof FROM bound b LEFT JOIN unit u ON u.id = b.unit "
             "ORDER BY b.cycles DESC, b.name",
             &rc),
        &rc);
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
            db, trace_value(db, "SELECT value FROM meta WHERE key = 'warnings_left_out'", 0, 0, 0),
            &rc)),
        &rc);
    if (state) {
        set(answer, "state", json_string(state), &rc);
    }
    const int written =
        answer && rc == SQLITE_OK
            ? json_dumpf(answer, out, JSON_INDENT(1) | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(15))
            : -1;
    json_decref(answer);
    if (written == 0) {
        putc('\n', out);
    }
    return written == 0 && !ferror(out) ? 0 : -1;
}
