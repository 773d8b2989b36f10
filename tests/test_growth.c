/*
 * What a question, a picture or an export costs grows no faster than the trace: steps of SQLite's
 * machine and bytes that it holds, counted at two sizes, and the memory of a whole process.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <cmocka.h>

#include "analysis/page.h"
#include "analysis/report.h"
#include "analysis/run_json.h"
#include "analysis/screen.h"
#include "analysis/timeline.h"
#include "tests/takt_process.h"
#include "tests/trace_sample.h"
#include "traces/konata.h"
#include "traces/perfetto.h"
#include "traces/recorder.h"
#include "traces/rows.h"
#include "traces/slice.h"
#include "traces/store_read.h"

enum { SMALL = 2000, LARGE = 20000, STEPS = 100 };

struct cost {
    uint64_t steps;
    int64_t bytes; /* at most, above what was held before */
};

static struct recorder *record(const char *path, uint32_t stmts)
{
    struct recorder *recorder;
    char error[600] = "";
    assert_int_equal(recorder_open(&recorder, path, &(struct recorder_options){.intervals = true},
                                   error, sizeof error),
                     0);
    const struct sink sink = recorder_sink(recorder);
    assert_int_equal(sample_long(&sink, stmts, 4, stmts), 0);
    return recorder;
}

static int count(void *steps)
{
    ++*(uint64_t *)steps;
    return 0;
}

/* --- what is asked ---------------------------------------------------------------------------- */

static int ask_all(sqlite3 *db, FILE *out)
{
    int rc = SQLITE_OK;
    for (size_t i = 0; i < question_count && rc == SQLITE_OK; i++)
        rc = report_question(db, &questions[i], -1, &(struct answer_options){.form = ANSWER_CSV},
                             out);
    return rc;
}

static int ask_screen(sqlite3 *db, FILE *out)
{
    struct store store;
    const int rc = store_read(&store, db);
    const int status =
        rc == SQLITE_OK ? screen_print(&store, &(struct screen_options){.width = 80}, out) : rc;
    store_close(&store);
    return status;
}

static int ask_json(sqlite3 *db, FILE *out)
{
    struct store store;
    const int rc = store_read(&store, db);
    const int status = rc == SQLITE_OK ? run_json_print(&store, NULL, out) : rc;
    store_close(&store);
    return status;
}

static int ask_slack(sqlite3 *db, FILE *out)
{
    (void)out;
    return rows_exec(db, "SELECT slack FROM stmt_slack ORDER BY stmt");
}

static int ask_timeline(sqlite3 *db, FILE *out)
{
    return (int)timeline_print(db, &(struct timeline_options){.to = INT64_MAX, .width = 80}, out);
}

static int ask_statements(sqlite3 *db, FILE *out)
{
    return (int)timeline_print(
        db,
        &(struct timeline_options){.to = INT64_MAX, .width = 80, .rows = 60, .statements = true},
        out);
}

static int ask_perfetto(sqlite3 *db, FILE *out)
{
    return perfetto_write(db, 0, INT64_MAX, out);
}

static int ask_konata(sqlite3 *db, FILE *out)
{
    return konata_write(db, 0, INT64_MAX, out);
}

static int ask_page(sqlite3 *db, FILE *out)
{
    return page_print(db, &(struct page_options){.to = UINT64_MAX}, out);
}

static struct cost cost_of(sqlite3 *db, int (*ask)(sqlite3 *db, FILE *out))
{
    struct cost cost = {.steps = 0};
    FILE *out = fopen("/dev/null", "w");
    assert_non_null(out);
    sqlite3_int64 before, held, peak;
    sqlite3_status64(SQLITE_STATUS_MEMORY_USED, &before, &peak, 1);
    sqlite3_progress_handler(db, STEPS, count, &cost.steps);
    assert_int_equal(ask(db, out), 0);
    sqlite3_progress_handler(db, 0, NULL, NULL);
    sqlite3_status64(SQLITE_STATUS_MEMORY_USED, &held, &peak, 1);
    cost.bytes = peak - before;
    fclose(out);
    return cost;
}

static void steps_and_bytes(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int (*ask)(sqlite3 *db, FILE *out);
        int64_t bytes; /* a statement */
    } rows[] = {{"questions", ask_all, 150},    {"screen", ask_screen, 1},
                {"JSON", ask_json, 1},          {"slack", ask_slack, 1},
                {"timeline", ask_timeline, 30}, {"statements", ask_statements, 30},
                {"perfetto", ask_perfetto, 30}, {"konata", ask_konata, 30},
                {"page", ask_page, 100}};
    enum { ROWS = sizeof rows / sizeof *rows };
    static const uint32_t sizes[] = {SMALL, LARGE};
    struct cost costs[2][ROWS];
    for (size_t s = 0; s < 2; s++) {
        struct recorder *recorder = record(NULL, sizes[s]);
        sqlite3 *db = recorder_db(recorder);
        assert_int_equal(slice_register(db), SQLITE_OK);
        for (size_t i = 0; i < ROWS; i++)
            costs[s][i] = cost_of(db, rows[i].ask);
        recorder_close(recorder, (char[600]){0}, 600);
    }
    for (size_t i = 0; i < ROWS; i++) {
        const struct cost small = costs[0][i], large = costs[1][i];
        if (large.steps * SMALL > 13 * (small.steps + 100) * LARGE / 10)
            fail_msg("%s: %llu and %llu times %d steps", rows[i].name,
                     (unsigned long long)small.steps, (unsigned long long)large.steps, STEPS);
        if (large.bytes - small.bytes > rows[i].bytes * (LARGE - SMALL))
            fail_msg("%s: %lld and %lld bytes", rows[i].name, (long long)small.bytes,
                     (long long)large.bytes);
    }
}

/* Exports that are written as they are read, and pictures: a process that is no larger. */
static void processes(void **state)
{
    (void)state;
    enum { MORE = 8 * 1024 /* KiB */ };
    static const uint32_t sizes[] = {10000, 100000};
    static const char *const commands[][6] = {
        {"timeline", NULL},
        {"timeline", "--statements", NULL},
        {"export", "--format", "perfetto", "--events=0", "--output=/dev/null", NULL}};
    const char *traces[2];
    setenv("ASAN_OPTIONS", "quarantine_size_mb=1", 1); /* what is freed is not held */
    for (size_t s = 0; s < 2; s++) {
        traces[s] = takt_temp_path(s ? "large.db" : "small.db");
        recorder_close(record(traces[s], sizes[s]), (char[600]){0}, 600);
    }
    long peaks[2];
    for (size_t s = 0; s < 2; s++) {
        for (size_t c = 0; c < sizeof commands / sizeof *commands; c++) {
            const char *arguments[8];
            size_t n = 0;
            for (; commands[c][n]; n++)
                arguments[n] = commands[c][n];
            arguments[n] = traces[s];
            arguments[n + 1] = NULL;
            struct takt_result r = takt_run(arguments);
            assert_int_equal(r.exit_code, 0);
            takt_result_free(&r);
        }
        struct rusage usage;
        getrusage(RUSAGE_CHILDREN, &usage);
        peaks[s] = usage.ru_maxrss;
    }
    assert_true(peaks[1] - peaks[0] < MORE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_and_bytes),
        cmocka_unit_test(processes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
