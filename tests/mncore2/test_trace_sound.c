/* v_check returns no row for random legal programs, in each packing, whole and stopped on the way,
 * their intervals are their totals, and steps emitted whole are the same as single intervals. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/gen_program.h"
#include "tests/mncore2/timing_kit.h"
#include "tests/often.h"
#include "timing/machines.h"
#include "timing/run.h"
#include "traces/recorder.h"
#include "traces/slice.h"

enum { PROGRAMS = 400, LONG_PROGRAMS = 3 };

static void no_row(sqlite3 *db, const char *sql, unsigned seed, const char *packing)
{
    sqlite3_stmt *s = NULL;
    if (sqlite3_prepare_v2(db, sql, -1, &s, NULL) != SQLITE_OK)
        fail_msg("%s", sqlite3_errmsg(db));
    if (sqlite3_step(s) == SQLITE_ROW)
        fail_msg("program %u, packing %s: %s: %s, expected %s, found %s", seed, packing,
                 (const char *)sqlite3_column_text(s, 0), (const char *)sqlite3_column_text(s, 1),
                 (const char *)sqlite3_column_text(s, 2), (const char *)sqlite3_column_text(s, 3));
    sqlite3_finalize(s);
}

/* Unit, start, duration, reason and statement of each interval. */
static sqlite3_stmt *intervals(sqlite3 *db, const char *table)
{
    char sql[200];
    sqlite3_stmt *s = NULL;
    snprintf(sql, sizeof sql,
             "SELECT track_id, ts, dur, reason, coalesce(stmt, -1) FROM %s ORDER BY track_id, ts",
             table);
    if (sqlite3_prepare_v2(db, sql, -1, &s, NULL) != SQLITE_OK)
        fail_msg("%s", sqlite3_errmsg(db));
    return s;
}

/* Row by row. */
static void same_intervals(sqlite3 *whole, sqlite3 *single, const char *table, unsigned seed)
{
    sqlite3_stmt *a = intervals(whole, "temp.slice"), *b = intervals(single, table);
    for (bool more = true; more;) {
        more = sqlite3_step(a) == SQLITE_ROW;
        if ((sqlite3_step(b) == SQLITE_ROW) != more)
            fail_msg("program %u: not as many intervals in %s", seed, table);
        for (int column = 0; more && column < 5; column++)
            if (sqlite3_column_int64(a, column) != sqlite3_column_int64(b, column))
                fail_msg("program %u: unit %lld, %lld cycles from %lld, and in %s unit %lld, %lld "
                         "cycles from %lld",
                         seed, sqlite3_column_int64(a, 0), sqlite3_column_int64(a, 2),
                         sqlite3_column_int64(a, 1), table, sqlite3_column_int64(b, 0),
                         sqlite3_column_int64(b, 2), sqlite3_column_int64(b, 1));
    }
    sqlite3_finalize(a);
    sqlite3_finalize(b);
}

/* The same run with --window over all of it, which shows each interval to the recorder. */
static void compare_forms(const struct machine_program *program, const struct config *config,
                          const struct run_options *options, bool stop, sqlite3 *whole,
                          unsigned seed)
{
    char error[MACHINE_ERROR] = "";
    struct diag_list diags;
    struct recorder *recorder = NULL;
    struct machine_run *run = NULL;
    const struct recorder_options recording = {.window_to = INT64_MAX};
    diag_list_init(&diags);
    assert_int_equal(recorder_open(&recorder, NULL, &recording, error, sizeof error), 0);
    const struct sink sink = recorder_sink(recorder);
    const struct run_setup setup = {program, config, options, &sink};
    assert_int_equal(run_open(&run, &machine_mncore2, &setup, &diags, error), 0);
    enum run_status status = RUN_MORE;
    for (int slices = 0; status == RUN_MORE && !(stop && slices == 2); slices++)
        status = run_advance(run, stop ? 5 : 100000, &diags, error);
    if (status == RUN_MORE)
        assert_int_equal(run_stop(run), 0);
    sqlite3 *single = recorder_db(recorder);
    assert_int_equal(slice_register(single), SQLITE_OK);
    same_intervals(whole, single, "temp.slice", seed); /* its own packed ones */
    same_intervals(whole, single, "main.slice", seed); /* the plain rows */
    run_close(run);
    assert_int_equal(recorder_close(recorder, error, sizeof error), 0);
    diag_list_free(&diags);
}

static bool check_text(const char *text, size_t size, unsigned seed, const char *packing, bool stop)
{
    const struct machine *machine = &machine_mncore2;
    struct source source;
    struct diag_list diags;
    struct config config;
    struct machine_program *program = NULL;
    struct machine_run *run = NULL;
    char error[MACHINE_ERROR] = "";
    assert_int_equal(source_from_text(&source, "random.vsm", text, size), 0);
    diag_list_init(&diags);
    assert_int_equal(machine_config(machine, &config, error, sizeof error), 0);
    struct recorder *recorder = NULL;
    const struct recorder_options recording = {.intervals = true};
    assert_int_equal(recorder_open(&recorder, NULL, &recording, error, sizeof error), 0);
    const struct sink sink = recorder_sink(recorder);
    struct machine_setting settings[KIT_SETTINGS];
    kit_settings(&(const struct kit_options){.packing = packing, .interlock = true}, settings);
    const struct run_options options = {
        .timing_only = true, .threads = 1, .settings = settings, .command = ""};
    bool ran = machine->language->load(&program, &source, 1, &diags) == 0;
    const struct run_setup setup = {program, &config, &options, &sink};
    ran = ran && run_open(&run, machine, &setup, &diags, error) == 0;
    enum run_status status = RUN_MORE;
    for (int slices = 0; ran && status == RUN_MORE && !(stop && slices == 2); slices++)
        status = run_advance(run, stop ? 5 : 100000, &diags, error);
    if (ran && status == RUN_MORE)
        assert_int_equal(run_stop(run), 0);
    else if (status != RUN_DONE)
        ran = false;
    sqlite3 *db = recorder_db(recorder);
    if (ran) {
        assert_null(recorder_error(recorder));
        no_row(db, "SELECT * FROM v_check", seed, packing);
        assert_int_equal(slice_register(db), SQLITE_OK);
        no_row(
            db,
            "SELECT 'slice', u.name, t.c, s.d FROM unit u LEFT JOIN (SELECT unit, sum(cycles) AS "
            "c FROM unit_total WHERE reason = 0 GROUP BY unit) t ON t.unit = u.id LEFT JOIN "
            "(SELECT track_id, sum(dur) AS d FROM slice WHERE reason = 0 GROUP BY track_id) s "
            "ON s.track_id = u.id WHERE coalesce(t.c, 0) <> coalesce(s.d, 0)",
            seed, packing);
        no_row(db,
               "SELECT 'slice', 'overlap on unit ' || track_id, before, ts FROM (SELECT track_id, "
               "ts, lag(ts + dur, 1, 0) OVER (PARTITION BY track_id ORDER BY ts) AS before FROM "
               "slice) WHERE ts < before",
               seed, packing);
        /* No run of the critical path says that the stream works while something holds it, none
         * stands on a unit that does nothing (of a DRAM's path, which may have parts of cycles
         * alone, its channels do something), and each names statements if there are any. */
        no_row(db,
               "SELECT 'crit', c.start, c.duration, s.ts FROM crit c JOIN slice s ON s.track_id = "
               "c.unit AND s.ts < c.start + c.duration AND s.ts + s.dur > c.start JOIN unit u ON "
               "u.id = c.unit WHERE u.kind = 'issue' AND c.reason = 0 AND s.category IN ('tag', "
               "'wait-data', 'port', 'empty')",
               seed, packing);
        no_row(db,
               "SELECT 'crit', c.start, 'work of ' || u.name, 'none' FROM crit c JOIN unit u ON "
               "u.id = c.unit WHERE c.reason IN (SELECT id FROM reason WHERE name IN ('busy', "
               "'memory')) "
               "AND NOT EXISTS (SELECT 1 FROM unit_total t JOIN unit o ON o.id = t.unit "
               "WHERE t.reason = 0 AND (o.id = u.id OR o.name LIKE u.name || '.ch%'))",
               seed, packing);
        /* A hold lies between the issue of a transfer and its last operation; its first and its
         * last wait are in order, and no shorter than they say. */
        no_row(db,
               "SELECT 'dep', d.id, t.issued || ' to ' || t.finished, d.first_at || ', ' || "
               "d.last_at FROM dep d JOIN transfer t ON t.stmt = d.dst JOIN dep_kind k ON k.id = "
               "d.kind WHERE d.first_at > t.issued AND (d.last_at >= t.finished OR d.first_at > "
               "d.last_at OR d.waited < d.times OR (d.times = 1) <> (d.first_at = d.last_at) OR "
               "d.waited > d.last_at - t.issued)",
               seed, packing);
        compare_forms(program, &config, &options, stop, db, seed);
    }
    if (run)
        run_close(run);
    assert_int_equal(recorder_close(recorder, error, sizeof error), 0);
    if (program)
        machine->language->unload(program);
    config_free(&config);
    diag_list_free(&diags);
    source_close(&source);
    return ran;
}

static bool check_one(unsigned seed, unsigned statements, const char *packing, bool stop)
{
    /* DAR contents need values: time alone is enough here. */
    const struct gen_options gen = {.features = (seed * 2654435761u >> 16) & (GEN_ALL ^ GEN_DAR),
                                    .statements = statements,
                                    .tightness = seed % 101};
    size_t size;
    char *text = gen_program(seed, &gen, &size);
    assert_non_null(text);
    const bool ran = check_text(text, size, seed, packing, stop);
    free(text);
    return ran;
}

static void random_programs(void **state)
{
    (void)state;
    static const char *const packings[] = {"none", "auto", "flat"};
    unsigned ran = 0;
    for (unsigned seed = 0; seed < often(PROGRAMS); seed++)
        ran += check_one(seed, 10 + seed % 120, packings[seed % 3], seed % 5 == 4);
    /* More steps than a chunk holds, with holds between. */
    for (unsigned seed = 0; seed < often(LONG_PROGRAMS); seed++)
        assert_true(check_one(PROGRAMS + seed, 6000, "none", false));
    /* auto refuses flat operands; most run. */
    assert_true(ran > often(PROGRAMS) / 2);
}

/* A wait from cycle 0 on ends with the step after the notice: longer than the transfer took. */
static void wait_from_the_start(void **state)
{
    (void)state;
    static const char text[] = "mvp/n640i01 $d0@0 $lc0@0.0\nnop; wait i01\n";
    static const char *const packings[] = {"none", "auto", "flat"};
    for (unsigned i = 0; i < 3; i++)
        assert_true(check_text(text, strlen(text), i, packings[i], false));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_programs),
                                       cmocka_unit_test(wait_from_the_start)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
