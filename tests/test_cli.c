/* cli: what tests/cases/cli cannot say: answers held against pages, against SQLite, against each
 * other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>
#include <sqlite3.h>

#include "tests/emulator.h"
#include "tests/takt_expect.h"
#include "tests/takt_process.h"

static const char kernel[] = "examples/mncore2/fma.vsm";

/* Every name in an answer stands in docs/json.md, between backquotes or in a list of fields. */
static void names_stand_in_page(const json_t *value, const char *page, const char *whose)
{
    size_t i;
    json_t *part;
    const char *key;
    json_array_foreach(value, i, part) names_stand_in_page(part, page, whose);
    json_object_foreach((json_t *)(uintptr_t)value, key, part)
    {
        const size_t length = strlen(key);
        bool found = false;
        for (const char *at = page; !found && (at = strstr(at, key)); at++)
            found = strchr("`{ ", at[-1]) && strchr("`,}:", at[length]);
        if (!found)
            fail_msg("docs/json.md lacks `%s` of takt %s", key, whose);
        names_stand_in_page(part, page, whose);
    }
}

static void page_of_json(void **state)
{
    (void)state;
    size_t size;
    char *page = takt_read_file("docs/json.md", &size);
    if (!page)
        skip(); /* not run from the root */
    const char *trace = takt_temp_path("page.db");
    unlink(trace);
    const char *fma = "examples/mncore2/fma.vsm";
    takt_expect(ARGS("run", fma, "--trace", trace, "--quiet"), 0, NULL, NULL);
    const char *bad = takt_temp_file("bad.vsm", "lpassa $lm0v $lr0v\nlpassa $lr0v $ln0v\n");
    const char *wait = takt_temp_file("wait.vsm", "lpassa $lr0v $lm0v\n");
    const char *const commands[][7] = {
        {"run", fma, "--json"},
        {"run", fma, "--json", "--functional-only", "--hash"},
        {"report", trace, "--json"},
        {"report", "--list", "--json"},
        {"check", bad, "--json"},
        {"check", wait, bad, "--json", "--silence", "never-written"},
        {"judge", "--json", "examples/mncore2/judge-testcase.vsm",
         "examples/mncore2/judge-answer.vsm"},
        {"judge", "--json", "examples/mncore2/judge-testcase.vsm", "/nonexistent/none.vsm"},
        {"config", "mncore2", "--json"},
        {"sensitivity", fma, "--json"},
        {"config", "--json"},
        {"why", trace, "issue@500", "--json"},
        {"why", trace, "dram0@20", "--json"},
        {"why", trace, "lm0@300", "--json"},
        {"why", trace, "--line", "48", "--json"},
        {"timeline", trace, "--json"},
        {"timeline", trace, "--statements", "--json"},
        {"advise", "examples/mncore2/matmul.vsm", "--json"},
        {"schedule", "examples/mncore2/matmul.vsm", "--out", "/dev/null", "--json"},
        {"schedule", "tests/naive/sort.vsm", "--rename", "--out", "/dev/null", "--json"},
    };
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        struct takt_result r = takt_run(commands[i]);
        json_t *answer = json_loads(r.out, 0, NULL);
        if (!answer)
            fail_msg("takt %s: %s %s", commands[i][0], r.out, r.err);
        names_stand_in_page(answer, page, commands[i][0]);
        json_decref(answer);
        takt_result_free(&r);
    }
    free(page);
}

/* A value as plain SQLite sees it. */
static int64_t ask(const char *trace, const char *sql)
{
    sqlite3 *db = NULL;
    sqlite3_stmt *s = NULL;
    assert_int_equal(sqlite3_open_v2(trace, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &s, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(s), SQLITE_ROW);
    const int64_t value = sqlite3_column_int64(s, 0);
    sqlite3_finalize(s);
    sqlite3_close(db);
    return value;
}

/* A short run has its intervals, and `slice` is the same in takt and in the plain shell. */
static void short_runs_have_intervals(void **state)
{
    (void)state;
    static const char sum[] = "SELECT sum(ts * 31 + dur * 7 + track_id + reason + coalesce(stmt, 0)"
                              " + length(name) + length(category)) AS n FROM slice";
    const char *trace = takt_temp_path("small.db");
    takt_expect(ARGS("run", kernel, "--trace", trace, "--quiet"), 0, NULL, NULL);
    char expected[64];
    snprintf(expected, sizeof expected, "n\r\n%lld\r\n", (long long)ask(trace, sum));
    assert_true(ask(trace, sum) > 0);
    takt_expect(ARGS("query", trace, sum, "--csv"), 0, expected, NULL);
    assert_int_equal(ask(trace, "SELECT value = 'intervals' FROM meta WHERE key = 'detail'"), 1);
}

static void program_in_json(void **state)
{
    (void)state;
    struct takt_result text = takt_run(ARGS("print", kernel));
    struct takt_result r = takt_run(ARGS("print", "--json", kernel));
    json_t *answer = json_loads(r.out, 0, NULL);
    assert_string_equal(json_string_value(json_object_get(answer, "program")), text.out);
    json_decref(answer);
    takt_result_free(&r);
    takt_result_free(&text);
}

/* A mode in which even a reader makes files beside the trace. */
static void wal_is_refused(void **state)
{
    (void)state;
    const char *trace = takt_temp_path("beside.db");
    takt_expect(ARGS("run", "examples/mncore2/reduce.vsm", "--trace", trace, "--quiet"), 0, NULL,
                NULL);
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(trace, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "PRAGMA journal_mode = wal", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
    takt_expect(ARGS("report", trace), 1, NULL, "WAL mode");
    assert_int_equal(access(takt_temp_path("beside.db-shm"), F_OK), -1);
}

static void no_descriptors(void **state)
{
    (void)state;
    if (emulated())
        skip(); /* it opens files of its own, and says so with a status of its own */
    const char *takt = getenv("TAKT") ? getenv("TAKT") : "build/takt";
    for (int most = 5; most < 10; most++) {
        char line[300];
        snprintf(line, sizeof line,
                 "exec >/dev/null 2>&1; ulimit -n %d; exec '%s' run examples/amx/block.amx", most,
                 takt);
        const int status = system(line);
        assert_true(WIFEXITED(status));
        if (WEXITSTATUS(status) != 3 && WEXITSTATUS(status) != 0)
            fail_msg("%d descriptors: exit %d", most, WEXITSTATUS(status));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(page_of_json),    cmocka_unit_test(short_runs_have_intervals),
        cmocka_unit_test(program_in_json), cmocka_unit_test(wal_is_refused),
        cmocka_unit_test(no_descriptors),
    };
    return cmocka_run_group_tests_name("cli", tests, NULL, NULL);
}
