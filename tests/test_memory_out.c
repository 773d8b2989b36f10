/* Memory that is out while an answer is made, while a trace is closed, or in the event loop: each
 * place in turn. What is said to be fine is whole; of the rest the trace says that it is not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <event2/event.h>
#include <jansson.h>
#include <sqlite3.h>

#include "analysis/run_json.h"
#include "analysis/screen.h"
#include "cli/loop.c" /* no part of the library */
#include "tests/often.h"
#include "tests/takt_process.h"
#include "tests/trace_sample.h"
#include "timing/run.h"
#include "traces/recorder.h"
#include "traces/rows.h"
#include "traces/trace.h"
#include "traces/store_read.h"

/* --- memory ----------------------------------------------------------------------------------- */

static struct sqlite3_mem_methods usual;
static long requests, refused; /* since count_from; the one that is refused, 0: none */

static void count_from(long refuse)
{
    requests = 0;
    refused = refuse;
}

static bool is_out(void)
{
    return ++requests == refused;
}

static void *sqlite_malloc(int size)
{
    return is_out() ? NULL : usual.xMalloc(size);
}

static void *sqlite_realloc(void *memory, int size)
{
    return is_out() ? NULL : usual.xRealloc(memory, size);
}

static void *plain_malloc(size_t size)
{
    return is_out() ? NULL : malloc(size);
}

static void *plain_realloc(void *memory, size_t size)
{
    return is_out() ? NULL : realloc(memory, size);
}

static int take_memory(void **state)
{
    (void)state;
    struct sqlite3_mem_methods mine;
    if (sqlite3_config(SQLITE_CONFIG_GETMALLOC, &usual) != SQLITE_OK)
        return -1;
    mine = usual;
    mine.xMalloc = sqlite_malloc;
    mine.xRealloc = sqlite_realloc;
    json_set_alloc_funcs(plain_malloc, free);
    event_set_mem_functions(plain_malloc, plain_realloc, free);
    return sqlite3_config(SQLITE_CONFIG_MALLOC, &mine) == SQLITE_OK ? 0 : -1;
}

/* --- traces ----------------------------------------------------------------------------------- */

static struct recorder *record(const char *path)
{
    struct recorder *r = NULL;
    char error[600] = "";
    static const struct recorder_options totals;
    if (recorder_open(&r, path, &totals, error, sizeof error))
        fail_msg("%s", error);
    const struct sink sink = recorder_sink(r);
    assert_int_equal(sample_run(&sink), 0);
    return r;
}

/* Returns whether it says that it is complete. */
static int64_t expect_sound(const char *path)
{
    char error[600] = "";
    sqlite3 *db = NULL;
    if (trace_open(&db, path, error, sizeof error))
        fail_msg("%s", error);
    const int64_t complete = trace_integer(db, "complete", -1);
    assert_int_equal(rows_value(db, "SELECT count(*) FROM v_check", 0, 0, -1), 0);
    sqlite3_close(db);
    return complete;
}

static void expect_complete(const char *path, int64_t complete)
{
    assert_int_equal(expect_sound(path), complete);
}

/* Wherever memory is out in a recording, a call says so, and no trace gets the name. */
static void recording(void **state)
{
    (void)state;
    char path[300], partial[320];
    long last = 0, failed = 0;
    snprintf(path, sizeof path, "%s", takt_temp_path("recording.db"));
    snprintf(partial, sizeof partial, "%s.partial", path);
    for (long n = 0; n <= last; n += n < 100 ? 1 : often_long() ? 7 : 29) {
        static const struct recorder_options all = {.intervals = true, .window_to = 30};
        struct recorder *r = NULL;
        char error[600] = "";
        count_from(n);
        int status = recorder_open(&r, path, &all, error, sizeof error);
        if (status == 0) {
            const struct sink sink = recorder_sink(r);
            const int run = sample_run(&sink);
            assert_int_equal(run != 0, recorder_error(r) != NULL);
            status = recorder_close(r, error, sizeof error);
            assert_true(status != 0 || run == 0);
        }
        refused = 0;
        if (n == 0)
            last = requests;
        if (status) {
            failed++;
            assert_string_not_equal(error, "");
            assert_int_not_equal(access(path, F_OK), 0);
            struct stat st;
            if (stat(partial, &st) == 0 && st.st_size)
                assert_true(expect_sound(partial) >= 0);
            unlink(partial);
        } else {
            expect_complete(path, 1);
            unlink(path);
        }
    }
    assert_true(failed > 100);
}

/* What it prints, NULL when it says that it failed. */
static char *answer(struct recorder *r, bool json, long refuse)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    count_from(refuse);
    struct store store;
    int status = store_read(&store, recorder_db(r));
    if (status == SQLITE_OK)
        status = json ? run_json_print(&store, NULL, out)
                      : screen_print(&store, &(const struct screen_options){.width = 80}, out);
    store_close(&store);
    refused = 0;
    assert_int_equal(fclose(out), 0);
    if (status) {
        free(text);
        return NULL;
    }
    return text;
}

/* An answer that lacks something is none; the trace of the run, which is over, is whole all the
 * same. */
static void answers(void **state)
{
    (void)state;
    const long step = often_long() ? 11 : 29;
    const char *const path = takt_temp_path("answers.db");
    for (int json = 0; json < 2; json++) {
        long last = 0, failed = 0;
        char *whole = NULL, error[600] = "";
        for (long n = 0; n <= last; n += n ? step : 1) {
            unlink(path);
            struct recorder *r = record(path);
            char *text = answer(r, json, n);
            if (n == 0) {
                assert_non_null(whole = text);
                last = requests;
            } else if (text) {
                assert_string_equal(text, whole);
                free(text);
            } else {
                failed++;
            }
            if (recorder_close(r, error, sizeof error))
                fail_msg("%ld: %s", n, error);
            if (n < 20 * step)
                expect_complete(path, 1);
        }
        assert_true(failed > 10);
        free(whole);
    }
    unlink(path);
}

static void closing(void **state)
{
    (void)state;
    char path[300], partial[320];
    snprintf(path, sizeof path, "%s", takt_temp_path("closing.db"));
    snprintf(partial, sizeof partial, "%s.partial", path);
    long last = 0, failed = 0;
    for (long n = 0; n <= last; n++) {
        char error[600] = "";
        unlink(path);
        struct recorder *r = record(path);
        count_from(n);
        const int status = recorder_close(r, error, sizeof error);
        refused = 0;
        if (n == 0) {
            assert_int_equal(status, 0);
            last = requests;
        }
        if (status == 0)
            expect_complete(path, 1);
        else if (access(partial, F_OK) == 0)
            expect_sound(partial);
        unlink(partial);
        assert_int_equal(status != 0, *error != 0);
        failed += status != 0;
    }
    assert_true(failed > 0);
    unlink(path);
}

/* --- the event loop --------------------------------------------------------------------------- */

static unsigned slices;

static enum run_status execute(struct machine_run *run, uint64_t budget, char error[MACHINE_ERROR])
{
    (void)run, (void)budget, (void)error;
    return ++slices < 3 ? RUN_MORE : RUN_DONE;
}

/* It ends, and says so when nothing ran. */
static void loops(void **state)
{
    (void)state;
    static const struct machine_values values = {.execute = execute};
    static const struct machine machine = {.values = &values};
    static const struct sink_ops none = {.name = "none"};
    const struct sink sink = {&none, NULL};
    long last = 0, failed = 0;
    for (long n = 0; n <= last; n++) {
        struct loop_result result = {.status = RUN_FAULT};
        char error[MACHINE_ERROR] = "";
        slices = 0;
        alarm(60); /* rather than wait for ever */
        count_from(n);
        struct takt_machine chip = {.machine = &machine};
        struct takt_program program = {.machine = &chip};
        struct machine_run executed = {.machine = &machine, .sink = &sink, .timed = true};
        struct takt_run run = {.program = &program, .run = &executed};
        const int status = loop_run(&run, false, error, &result);
        refused = 0;
        alarm(0);
        last = n ? last : requests;
        if (status) {
            assert_string_not_equal(error, "");
            failed++;
        } else {
            assert_int_equal(result.status, RUN_DONE);
            assert_int_equal(slices, 3);
        }
    }
    assert_true(failed > 3);
}

static enum run_status hang(struct machine_run *run, uint64_t budget, char error[MACHINE_ERROR])
{
    (void)run, (void)budget, (void)error;
    raise(SIGTERM);
    for (unsigned i = 0; i < 100; i++)
        sleep(1);
    return RUN_DONE;
}

/* A signal ends a run whose machine does not come back, too. */
static void hangs(void **state)
{
    (void)state;
    static const struct machine_values values = {.execute = hang};
    static const struct machine machine = {.values = &values};
    const pid_t child = fork();
    int status = 0;
    if (child == 0) {
        struct takt_machine chip = {.machine = &machine};
        struct takt_program program = {.machine = &chip};
        struct machine_run hanging = {.machine = &machine, .timed = true};
        struct takt_run run = {.program = &program, .run = &hanging};
        struct loop_result result;
        char error[MACHINE_ERROR];
        loop_guard("run");
        loop_watch(true);
        loop_run(&run, false, error, &result);
        _exit(99);
    }
    assert_true(child > 0 && waitpid(child, &status, 0) == child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), EXIT_INTERRUPTED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers), cmocka_unit_test(closing), cmocka_unit_test(recording),
        cmocka_unit_test(loops),   cmocka_unit_test(hangs),
    };
    return cmocka_run_group_tests(tests, take_memory, NULL);
}
