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
    default:
        return utf8_json((const char *)sqlite3_column_text(q, column));
    }
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
            json_object_set_new(row, sqlite3_column_name(q, i), cell(q, i));
        }
        json_array_append_new(list, row);
        step = SQLITE_OK;
    }
    if (step != SQLITE_DONE) {
        *rc = step;
    }
    sqlite3_finalize(q);
    return list;
}

static json_t *fact(sqlite3 *db, const char *key)
{
    sqlite3_stmt *q = NULL;
    json_t *value = NULL;
    if (sqlite3_prepare_v2(db, "SELECT value FROM meta WHERE key = ?", -1, &q, NULL) == SQLITE_OK) {
        sqlite3_bind_text(q, 1, key, -1, SQLITE_STATIC);
        if (sqlite3_step(q) == SQLITE_ROW) {
            value = cell(q, 0);
        }
    }
    sqlite3_finalize(q);
    return value ? value : json_null();
}

static void set_facts(sqlite3 *db, json_t *object, const char *prefix, const char *const *names)
{
    for (; *names; names++) {
        char key[64];
        snprintf(key, sizeof key, "%s%s", prefix, *names);
        json_object_set_new(object, *names, fact(db, key));
    }
}

int run_json_print(sqlite3 *db, const char *state, FILE *out)
{
    int rc = SQLITE_OK;
    const bool complete = trace_complete(db);
    json_t *answer = json_object();
    json_object_set_new(answer, "takt", json_string(SCHEMA_TAKT_VERSION));
    set_facts(db, answer, "", (const char *const[]){"program", "machine", NULL});
    json_object_set_new(answer, "complete", json_boolean(complete));
    /* Nothing stands as a total for a run that did not complete. */
    json_t *clock = fact(db, "clock_hz");
    const double hz = json_number_value(clock);
    json_decref(clock);
    const int64_t total = trace_integer(db, "total_cycles", 0);
    json_object_set_new(answer, "cycles", complete ? json_integer(total) : json_null());
    const int64_t documented = trace_integer(db, "cycles_documented", 0);
    json_object_set_new(answer, "cycles_documented",
                        complete && documented > 0 ? json_integer(documented) : json_null());
    if (!complete) {
        json_object_set_new(answer, "cycles_reached", fact(db, "cycles_reached"));
    }
    json_object_set_new(answer, "seconds",
                        complete && hz > 0 ? json_real((double)total / hz) : json_null());
    json_object_set_new(answer, "clock_hz", real_of(hz));
    set_facts(db, answer, "",
              (const char *const[]){"steps", "pe_statements", "mv_statements", NULL});
    json_t *nops = json_object();
    set_facts(db, nops, "nops_",
              (const char *const[]){"written", "packing", "wait", "empty", NULL});
    json_object_set_new(nops, "tags", rows(db, "SELECT tag, steps FROM nop_tag ORDER BY tag", &rc));
    json_object_set_new(answer, "nops", nops);
    json_object_set_new(
        answer, "units",
        complete ? rows(db,
                        "SELECT unit, kind, busy, waiting, idle, total, utilization FROM v_util "
                        "ORDER BY unit_id",
                        &rc)
                 : json_array());
    json_t *flops = json_object();
    set_facts(db, flops, "flops_",
              (const char *const[]){"double", "single", "pseudo_single", "half", NULL});
    json_object_set_new(answer, "flops", flops);
    json_object_set_new(answer, "transfers",
                        rows(db,
                             "SELECT file, line, mode, tag, priority, long_words, bytes, issued, "
                             "started, finished, waited, waited_by_line AS waited_by, limited_by "
                             "FROM v_transfer ORDER BY issued, id",
                             &rc));
    json_object_set_new(answer, "stalls",
                        rows(db,
                             "SELECT waited, times, kind, unit, rule, src_file AS culprit_file, "
                             "src_line AS culprit_line, dst_file AS file, dst_line AS line FROM "
                             "v_dep WHERE waited > 0 ORDER BY waited DESC, id "
                             "LIMIT 20",
                             &rc));
    json_object_set_new(answer, "bounds",
                        rows(db,
                             "SELECT b.name AS name, u.name AS unit, b.cycles AS cycles, "
                             "b.proof AS proof FROM bound b LEFT JOIN unit u ON u.id = b.unit "
                             "ORDER BY b.cycles DESC, b.name",
                             &rc));
    json_object_set_new(answer, "parameters",
                        rows(db,
                             "SELECT provenance, count(*) AS count FROM param GROUP BY provenance "
                             "ORDER BY provenance",
                             &rc));
    json_object_set_new(answer, "warnings",
                        rows(db,
                             "SELECT file, line, name, sentence AS message FROM v_warning "
                             "ORDER BY file, line, name",
                             &rc));
    json_object_set_new(
        answer, "left_out",
        json_integer(trace_value(db, "SELECT value FROM meta WHERE key = 'warnings_left_out'", 0, 0,
                                 0)));
    if (state) {
        json_object_set_new(answer, "state", json_string(state));
    }
    const int written =
        answer
            ? json_dumpf(answer, out, JSON_INDENT(1) | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(15))
            : -1;
    json_decref(answer);
    putc('\n', out);
    return rc == SQLITE_OK && written == 0 && !ferror(out) ? 0 : -1;
}
