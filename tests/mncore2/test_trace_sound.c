/* v_check returns no row for random legal programs, in each packing, whole and stopped on the way,
 * and their intervals are their totals. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/gen_program.h"
#include "timing/machine.h"
#include "traces/recorder.h"
#include "traces/slice.h"

enum { PROGRAMS = 400 };

static void no_row(sqlite3 *db, const char *sql, unsigned seed, const char *packing)
{
    sqlite3_stmt *s = NULL;
    if (sqlite3_prepare_v2(db, sql, -1, &s, NULL) != SQLITE_OK) {
        fail_msg("%s", sqlite3_errmsg(db));
    }
    if (sqlite3_step(s) == SQLITE_ROW) {
        fail_msg("program %u, packing %s: %s: %s, expected %s, found %s", seed, packing,
                 (const char *)sqlite3_column_text(s, 0), (const char *)sqlite3_column_text(s, 1),
                 (const char *)sqlite3_column_text(s, 2), (const char *)sqlite3_column_text(s, 3));
    }
    sqlite3_finalize(s);
}

static bool check_one(unsigned seed, const char *packing, bool stop)
{
    const struct machine *machine = &machine_mncore2;
    /* DAR contents need values: time alone is enough here. */
    const struct gen_options gen = {.features = (seed * 2654435761u >> 16) & (GEN_ALL ^ GEN_DAR),
                                    .statements = 10 + seed % 120,
                                    .tightness = seed % 101};
    size_t size;
    char *text = gen_program(seed, &gen, &size);
    struct source source;
    struct diag_list diags;
    struct config config;
    struct machine_program *program = NULL;
    struct machine_run *run = NULL;
    char error[MACHINE_ERROR] = "";
    assert_non_null(text);
    assert_int_equal(source_from_text(&source, "random.vsm", text, size), 0);
    free(text);
    diag_list_init(&diags);
    assert_int_equal(machine_config(machine, &config, error, sizeof error), 0);
    struct recorder *recorder = NULL;
    const struct recorder_options recording = {.whole = true, .detail = DETAIL_CHUNKS};
    assert_int_equal(recorder_open(&recorder, NULL, &recording, error, sizeof error), 0);
    const struct sink sink = recorder_sink(recorder);
    const struct run_options options = {
        .timing_only = true, .threads = 1, .packing = packing, .interlock = true, .command = ""};
    bool ran = machine->load(&program, &source, 1, &diags) == 0 &&
               machine->open(&run, program, &config, &options, &sink, &diags, error) == 0;
    enum run_status status = RUN_MORE;
    for (int slices = 0; ran && status == RUN_MORE && !(stop && slices == 2); slices++) {
        status = machine->advance(run, stop ? 5 : 100000, &diags, error);
    }
    if (ran && status == RUN_MORE) {
        assert_int_equal(machine->stop(run), 0);
    } else if (status != RUN_DONE) {
        ran = false;
    }
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
    }
    if (run) {
        machine->close(run);
    }
    assert_int_equal(recorder_close(recorder, error, sizeof error), 0);
    if (program) {
        machine->unload(program);
    }
    config_free(&config);
    diag_list_free(&diags);
    source_close(&source);
    return ran;
}

static void random_programs(void **state)
{
    (void)state;
    static const char *const packings[] = {"none", "auto", "flat"};
    unsigned ran = 0;
    for (unsigned seed = 0; seed < PROGRAMS; seed++) {
        ran += check_one(seed, packings[seed % 3], seed % 5 == 4);
    }
    /* auto refuses flat operands; most run. */
    assert_true(ran > PROGRAMS / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_programs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
