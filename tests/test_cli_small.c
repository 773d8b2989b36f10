/* Small things that a user of the commands meets: what is recorded without being asked for, what is
 * said once, and errors for programs that read JSON. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>
#include <sqlite3.h>

#include "tests/takt_expect.h"
#include "tests/takt_process.h"

static const char kernel[] = "examples/mncore2/fma.vsm";

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

static const char *record(const char *program, const char *option)
{
    const char *trace = takt_temp_path("small.db");
    unlink(trace);
    takt_expect(ARGS("run", program, "--trace", trace, "--quiet", "--silence", "all", option), 0,
                NULL, NULL);
    return trace;
}

/* A short run has its intervals, and `slice` is the same in takt and in the plain shell. */
static void short_runs_have_intervals(void **state)
{
    (void)state;
    static const char sum[] = "SELECT sum(ts * 31 + dur * 7 + track_id + reason + coalesce(stmt, 0)"
                              " + length(name) + length(category)) AS n FROM slice";
    const char *trace = record(kernel, NULL);
    char expected[64];
    snprintf(expected, sizeof expected, "n\r\n%lld\r\n", (long long)ask(trace, sum));
    assert_true(ask(trace, sum) > 0);
    takt_expect(ARGS("query", trace, sum, "--csv"), 0, expected, NULL);
    assert_int_equal(ask(trace, "SELECT value = 'intervals' FROM meta WHERE key = 'detail'"), 1);
}

static void without_intervals_it_is_said(void **state)
{
    (void)state;
    const char *trace = record(kernel, "--no-detail");
    takt_expect(ARGS("query", trace, "SELECT count(*) AS n FROM slice", "--csv"), 0, "n\r\n0\r\n",
                "has no intervals, so slice is empty");
    struct takt_result r = takt_run(ARGS("query", trace, "SELECT count(*) FROM stmt"));
    assert_string_equal(r.err, "");
    takt_result_free(&r);
    takt_expect(ARGS("run", kernel, "--trace", trace, "--no-detail", "--detail"), 2, NULL,
                "exclude");
}

static void first_screen_keeps_its_width(void **state)
{
    (void)state;
    static const char *const widths[] = {"40", "60", "120"};
    for (size_t i = 0; i < 3; i++) {
        struct takt_result r = takt_run(ARGS("run", kernel, "--width", widths[i]));
        assert_int_equal(r.exit_code, 0);
        for (const char *line = r.out; *line; line += strcspn(line, "\n") + 1)
            assert_true(strcspn(line, "\n") <= strtoul(widths[i], NULL, 10));
        takt_result_free(&r);
    }
    takt_expect(ARGS("run", kernel, "--width", "39"), 2, NULL, "40 to 5000");
}

/* Each table and each record of a row. */
static void tables_keep_their_width(void **state)
{
    (void)state;
    static const char *const questions[] = {"statements", "stalls",   "units",
                                            "transfers",  "counters", "windows"};
    const char *trace = record(kernel, "--no-detail");
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++) {
        struct takt_result r = takt_run(ARGS("report", trace, questions[i], "--width", "40"));
        assert_int_equal(r.exit_code, 0);
        assert_true(r.out_size > 40);
        for (const char *line = r.out; *line; line += strcspn(line, "\n") + 1)
            if (strcspn(line, "\n") > 40)
                fail_msg("%s: %s", questions[i], line);
        takt_result_free(&r);
    }
    takt_expect(ARGS("report", trace, "statements", "--width", "0"), 0, "line  text", NULL);
    takt_expect(ARGS("query", trace, "SELECT 'a' AS one, 'b' AS two", "--width", "9"), 0,
                "one  two\na    b", NULL);
    takt_expect(ARGS("query", trace, "SELECT 1234 AS one, 2 AS two, 3 AS six", "--width", "11"), 0,
                "one  1234\ntwo  2\nsix  3\n", NULL);
}

static size_t times(const char *text, const char *piece)
{
    size_t count = 0;
    for (const char *at = text; (at = strstr(at, piece)) != NULL; at++)
        count++;
    return count;
}

/* A warning stands on one of the two streams; the report of the trace has it, too. */
static void warnings_are_said_once(void **state)
{
    (void)state;
    const char *program = takt_temp_file("warned.vsm", "lpassa $lm0v $ln0v\n");
    const char *trace = takt_temp_path("warned.db");
    unlink(trace);
    struct takt_result r = takt_run(ARGS("run", program, "--trace", trace));
    assert_int_equal(times(r.out, "reads LM0") + times(r.err, "reads LM0"), 1);
    takt_result_free(&r);
    takt_expect(ARGS("report", trace), 0, "reads LM0", NULL);
}

/* What a refused statement would have written is not known. */
static void refused_statements_are_alone(void **state)
{
    (void)state;
    const char *program =
        takt_temp_file("refused.vsm", "lpassa $nosuch $lm0v\nfvadd $lm0v $lm0v $ln0v\n"
                                      "fvadd $lm8v $lm8v $ln8v\nlpassa $lm0v $ln16v\n");
    takt_expect(ARGS("check", program), 1, NULL, "1 error, 0 warnings");
    program = takt_temp_file("read.vsm", "lpassa $lm0v $ln0v\n");
    takt_expect(ARGS("check", program), 0, NULL, "0 errors, 1 warning");
}

static void expect_error(const char *const *arguments, int exit_code, const char *sentence)
{
    struct takt_result r = takt_run(arguments);
    json_t *answer = json_loads(r.out, 0, NULL);
    assert_int_equal(r.exit_code, exit_code);
    assert_true(json_is_false(json_object_get(answer, "ok")));
    const char *error = json_string_value(json_object_get(answer, "error"));
    if (!error || !strstr(error, sentence))
        fail_msg("%s", r.out);
    json_decref(answer);
    takt_result_free(&r);
}

static void errors_in_json(void **state)
{
    (void)state;
    expect_error(ARGS("run", "--json", "--bogus", kernel), 2, "there is no option '--bogus'");
    expect_error(ARGS("run", "--json", "--docmented", kernel), 2, "did you mean '--documented'?");
    expect_error(ARGS("run", "--json", "--trace"), 2, "--trace needs a value");
    expect_error(ARGS("run", "--json=3", "--json", kernel), 2, "--json takes no value");
    expect_error(ARGS("run", "--json"), 2, "which program?");
    expect_error(ARGS("report", "--json", "nosuch.db", "nosuch"), 2, "there is no question");
    expect_error(ARGS("run", "--json", "nosuch.vsm"), 1, "cannot open nosuch.vsm");
    expect_error(ARGS("print", "--json", "nosuch.vsm"), 1, "cannot open nosuch.vsm");
    const char *program = takt_temp_file("refused.vsm", "lpassa $nosuch $lm0v\n");
    struct takt_result r = takt_run(ARGS("print", "--json", program));
    json_t *answer = json_loads(r.out, 0, NULL);
    assert_int_equal(r.exit_code, 1);
    assert_int_equal(json_array_size(json_object_get(answer, "diagnostics")), 1);
    json_decref(answer);
    takt_result_free(&r);
    struct takt_result text = takt_run(ARGS("print", kernel));
    r = takt_run(ARGS("print", "--json", kernel));
    answer = json_loads(r.out, 0, NULL);
    assert_string_equal(json_string_value(json_object_get(answer, "program")), text.out);
    json_decref(answer);
    takt_result_free(&r);
    takt_result_free(&text);
}

/* Before the program is looked at, which is no program here. */
static void machines_without_an_order_are_refused(void **state)
{
    (void)state;
    const char *program = takt_temp_file("text.kelvin", "no program\n");
    takt_expect(ARGS("advise", program), 1, "", "there is no advice for programs of kelvin");
    takt_expect(ARGS("schedule", "--out", takt_temp_path("ordered"), program), 1, "",
                "there is no other order for programs of kelvin");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_runs_have_intervals),
        cmocka_unit_test(without_intervals_it_is_said),
        cmocka_unit_test(first_screen_keeps_its_width),
        cmocka_unit_test(tables_keep_their_width),
        cmocka_unit_test(warnings_are_said_once),
        cmocka_unit_test(refused_statements_are_alone),
        cmocka_unit_test(errors_in_json),
        cmocka_unit_test(machines_without_an_order_are_refused),
    };
    return cmocka_run_group_tests_name("small things", tests, NULL, NULL);
}
