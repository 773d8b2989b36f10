/* What a page holds against the tables of its trace, and the files that it takes from npm. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <glob.h>
#include <jansson.h>
#include <sqlite3.h>

#include "analysis/page_data.h"
#include "tests/often.h"
#include "tests/takt_expect.h"
#include "tests/takt_process.h"
#include "tests/trace_sample.h"
#include "traces/recorder.h"
#include "traces/slice.h"
#include "traces/rows.h"
#include "traces/trace.h"

static sqlite3 *open_db(const char *path)
{
    sqlite3 *db;
    char error[600];
    if (trace_open(&db, path, error, sizeof error) != 0)
        fail_msg("%s", error);
    return db;
}

static json_t *data_of(sqlite3 *db, uint64_t from, uint64_t to)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_int_equal(page_data_print(db, from, to, out), SQLITE_OK);
    fclose(out);
    assert_null(strchr(text, '<'));
    json_error_t error;
    json_t *data = json_loads(text, JSON_REJECT_DUPLICATES, &error);
    if (!data)
        fail_msg("%s at %d", error.text, error.position);
    free(text);
    return data;
}

static json_int_t integer(const json_t *array, size_t place)
{
    const json_t *value = json_array_get(array, place);
    assert_true(json_is_integer(value));
    return json_integer_value(value);
}

static size_t row_count(const json_t *data, const char *table)
{
    return json_array_size(json_object_get(json_object_get(data, table), "rows"));
}

/* The track whose content a unit has. */
static const json_t *track_of(const json_t *data, json_int_t unit)
{
    size_t i;
    const json_t *track;
    json_array_foreach(json_object_get(data, "tracks"), i, track)
    {
        if (json_integer_value(json_object_get(track, "unit")) != unit)
            continue;
        const json_t *same = json_object_get(track, "same");
        return same ? track_of(data, json_integer_value(same)) : track;
    }
    fail_msg("unit %lld has no track", (long long)unit);
    return NULL;
}

/* Cycles of a track's intervals by reason. */
static void add_items(const json_t *items, int64_t cycles[32])
{
    for (size_t i = 0; i < json_array_size(items); i += 4) {
        assert_true(integer(items, i) >= 0); /* in order, none over another */
        cycles[integer(items, i + 2)] += integer(items, i + 1);
    }
}

static int64_t sum_of(const json_t *track, const char *key)
{
    const json_t *list = json_object_get(track, key);
    int64_t sum = 0;
    for (size_t i = 0; i < json_array_size(list); i++)
        sum += integer(list, i);
    return sum;
}

/* For each unit the cycles of the page add up to those of unit_total. */
static void compare_units(sqlite3 *db, const json_t *data)
{
    sqlite3_stmt *s;
    int units = 0;
    sqlite3_prepare_v2(db, "SELECT id FROM unit WHERE kind <> 'node'", -1, &s, NULL);
    for (; sqlite3_step(s) == SQLITE_ROW; units++) {
        const int64_t unit = sqlite3_column_int64(s, 0);
        const json_t *track = track_of(data, unit), *items = json_object_get(track, "items");
        int64_t cycles[32] = {0};
        add_items(items, cycles);
        for (int r = 0; r < 32 && items; r++)
            assert_int_equal(cycles[r],
                             rows_value(db,
                                        "SELECT coalesce(sum(cycles), 0) FROM unit_total WHERE "
                                        "unit = ?1 AND reason = ?2 AND reason <> (SELECT id FROM "
                                        "reason WHERE name = 'idle')",
                                        unit, r, -1));
        for (int state = 0; state < 2 && !items; state++) {
            const char *key = state ? "waiting" : "busy";
            if (json_object_get(track, key))
                assert_int_equal(sum_of(track, key),
                                 rows_value(db,
                                            "SELECT coalesce(sum(cycles), 0) FROM unit_total "
                                            "WHERE unit = ?1 AND state = ?2",
                                            unit, state, -1));
        }
    }
    sqlite3_finalize(s);
    assert_true(units > 0);
    assert_int_equal(row_count(data, "units"), units);
}

/* Each statement that is named has its row, as the table has it. */
static void compare_statements(sqlite3 *db, const json_t *data)
{
    const json_t *rows = json_object_get(json_object_get(data, "statements"), "rows");
    const json_t *texts = json_object_get(json_object_get(data, "texts"), "rows");
    sqlite3_stmt *s;
    size_t i, t = 0;
    const json_t *row;
    sqlite3_prepare_v2(db, "SELECT line, substr(text, 1, 160) FROM stmt WHERE id = ?1", -1, &s,
                       NULL);
    json_array_foreach(rows, i, row)
    {
        const json_t *text = NULL;
        json_array_foreach(texts, t, text) if (integer(text, 0) == integer(row, 3)) break;
        assert_non_null(text);
        sqlite3_bind_int64(s, 1, integer(row, 0));
        assert_int_equal(sqlite3_step(s), SQLITE_ROW);
        assert_int_equal(sqlite3_column_int64(s, 0), integer(row, 2));
        assert_string_equal((const char *)sqlite3_column_text(s, 1),
                            json_string_value(json_array_get(text, 1)));
        sqlite3_reset(s);
    }
    sqlite3_finalize(s);
}

static void compare_counts(sqlite3 *db, const json_t *data)
{
    static const char *const counts[][2] = {
        {"transfers", "SELECT count(*) FROM transfer"},
        {"critical", "SELECT count(*) FROM crit"},
        {"waits", "SELECT count(*) FROM dep WHERE waited > 0"},
        {"reasons", "SELECT count(*) FROM reason"},
        {"statements",
         "SELECT count(*) FROM (SELECT stmt FROM slice UNION SELECT stmt FROM transfer UNION "
         "SELECT waited_by FROM transfer UNION SELECT first_stmt FROM crit UNION SELECT last_stmt "
         "FROM crit UNION SELECT src FROM dep WHERE waited > 0 UNION SELECT dst FROM dep WHERE "
         "waited > 0) WHERE stmt IS NOT NULL"}};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        assert_int_equal(row_count(data, counts[i][0]), rows_value(db, counts[i][1], 0, 0, -1));
}

/* Programs of every machine, with intervals and without. */
static void data_is_that_of_the_tables(void **state)
{
    (void)state;
    glob_t examples;
    int programs = 0;
    assert_int_equal(glob("examples/*/*", 0, NULL, &examples), 0);
    assert_int_equal(glob("examples/*/optimising/*", GLOB_APPEND, NULL, &examples), 0);
    for (size_t i = 0; i < examples.gl_pathc; i += often_long() ? 1 : 4) {
        const char *traces[] = {takt_temp_path("exact.db"), takt_temp_path("totals.db")};
        for (int detail = 1; detail >= 0; detail--) {
            const char *trace = traces[1 - detail];
            struct takt_result r = takt_run(ARGS("run", examples.gl_pathv[i], "--quiet", "--trace",
                                                 trace, detail ? "--detail" : "--timing-only"));
            const int code = r.exit_code;
            takt_result_free(&r);
            if (code != 0)
                continue;
            sqlite3 *db = open_db(trace);
            json_t *data = data_of(db, 0, UINT64_MAX);
            assert_int_equal(json_integer_value(json_object_get(data, "cycles")),
                             trace_integer(db, "total_cycles", -1));
            compare_units(db, data);
            compare_statements(db, data);
            compare_counts(db, data);
            json_decref(data);
            sqlite3_close(db);
            programs++;
        }
    }
    globfree(&examples);
    assert_true(programs > (often_long() ? 20 : 5));
}

/* More intervals than a page holds: windows, whose cycles add up to the same. */
static void long_runs_are_added_up(void **state)
{
    (void)state;
    struct recorder *recorder;
    char error[600] = "";
    assert_int_equal(recorder_open(&recorder, NULL, &(struct recorder_options){.intervals = true},
                                   error, sizeof error),
                     0);
    const struct sink sink = recorder_sink(recorder);
    assert_int_equal(sample_long(&sink, PAGE_INTERVALS + 1, 7, PAGE_INTERVALS + 1), 0);
    sqlite3 *db = recorder_db(recorder);
    assert_int_equal(slice_register(db), SQLITE_OK);
    json_t *data = data_of(db, 0, UINT64_MAX);
    const json_t *track = track_of(data, 0);
    assert_null(json_object_get(track, "items"));
    assert_true(json_array_size(json_object_get(track, "busy")) <= PAGE_WINDOWS);
    compare_units(db, data);
    json_decref(data);

    /* As many as there may be, and no cycle before them. */
    data = data_of(db, 4, UINT64_MAX);
    track = track_of(data, 0);
    assert_int_equal(json_array_size(json_object_get(track, "items")), 4 * PAGE_INTERVALS);
    assert_int_equal(integer(json_object_get(track, "items"), 0), 4);
    assert_null(json_object_get(track_of(data, 1), "items"));
    json_decref(data);
    assert_int_equal(recorder_close(recorder, error, sizeof error), 0);
}

static void advice_is_about_this_program(void **state)
{
    (void)state;
    const char *trace = takt_record("examples/mncore2/fma.vsm", "--detail");
    char advice[400], other[400];
    struct takt_result r = takt_run(ARGS("advise", "--json", "examples/mncore2/fma.vsm"));
    snprintf(advice, sizeof advice, "%s", takt_temp_file("advice.json", r.out));
    takt_result_free(&r);
    snprintf(other, sizeof other, "%s",
             takt_temp_file("other.json", "{\"cycles\": [7, 6], \"items\": []}"));
    const char *broken = takt_temp_file("broken.json", "{\"cycles\": [1256, 6]}");
    const char *export[] = {"export", "--format", "html", trace, "--advice", advice, NULL};
    takt_expect(export, 0, "What could be changed", NULL);
    takt_expect(export, 0, "takt advise has applied these", NULL);
    export[5] = other;
    takt_expect(export, 1, NULL, "is about a run of 7 cycles, the trace of one of 1256");
    export[5] = broken;
    takt_expect(export, 1, NULL, "is not what takt advise --json writes");
    export[5] = "examples/mncore2/fma.vsm";
    takt_expect(export, 1, NULL, "fma.vsm");
    export[2] = "json";
    takt_expect(export, 2, NULL, "--advice goes with --format html");
}

/* Every rule that the page of an example names leads to what the page says about it. */
static void rules_are_links(void **state)
{
    (void)state;
    static const char *const programs[] = {"examples/mncore2/fma.vsm", "examples/kelvin/dot.kelvin",
                                           "examples/ventus/saxpy.ventus"};
    char *const trace = strdup(takt_temp_path("rules.db"));
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        static const char link[] = "href=\"#rule-", cell[] = "<td>3.6.13</td>";
        size_t links = 0;
        takt_expect(ARGS("run", programs[i], "--quiet", "--detail", "--trace", trace), 0, "", NULL);
        struct takt_result page = takt_run(ARGS("export", "--format", "html", trace));
        assert_int_equal(page.exit_code, 0);
        assert_null(strstr(page.out, cell));
        for (const char *at = page.out; (at = strstr(at, link)); links++) {
            char target[120];
            at += strlen(link);
            snprintf(target, sizeof target, "id=\"rule-%.*s\"", (int)strcspn(at, "\""), at);
            if (!strstr(page.out, target))
                fail_msg("%s: there is no %s", programs[i], target);
        }
        assert_true(links > 0);
        takt_result_free(&page);
        unlink(trace);
    }
    free(trace);
}

/* The committed files are those of the version that is pinned, byte by byte. */
static void built_in_library(void **state)
{
    (void)state;
    assert_int_equal(system("cd analysis/page/uplot && sha256sum --quiet -c SHA256SUMS"), 0);
    json_t *package = json_load_file("analysis/page/package.json", 0, NULL);
    json_t *lock = json_load_file("analysis/page/package-lock.json", 0, NULL);
    const char *version =
        json_string_value(json_object_get(json_object_get(package, "dependencies"), "uplot"));
    const json_t *locked = json_object_get(json_object_get(lock, "packages"), "node_modules/uplot");
    assert_non_null(version);
    assert_string_equal(version, json_string_value(json_object_get(locked, "version")));
    size_t size;
    char expected[64], *script = takt_read_file("analysis/page/uplot/uplot.js", &size);
    snprintf(expected, sizeof expected, "uPlot (v%s)", version);
    assert_non_null(strstr(script, expected));
    assert_null(strstr(script, "</script"));
    free(script);
    json_decref(package);
    json_decref(lock);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(data_is_that_of_the_tables),
        cmocka_unit_test(long_runs_are_added_up),
        cmocka_unit_test(advice_is_about_this_program),
        cmocka_unit_test(rules_are_links),
        cmocka_unit_test(built_in_library),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
