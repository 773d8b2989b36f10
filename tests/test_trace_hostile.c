/* Traces that somebody made, not takt: a read of their intervals ends soon, with a sentence. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <sqlite3.h>

#include "tests/takt_process.h"

#define RUN(...) takt_run((const char *const[]){__VA_ARGS__, NULL})

static char *changed(const char *sql)
{
    const char *trace = takt_temp_path("made.db");
    unlink(trace);
    struct takt_result run =
        RUN("run", "examples/mncore2/fma.vsm", "--trace", trace, "--detail", "--quiet");
    assert_int_equal(run.exit_code, 0);
    takt_result_free(&run);
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(trace, &db), SQLITE_OK);
    char *error = NULL;
    if (sqlite3_exec(db, sql, NULL, NULL, &error) != SQLITE_OK)
        fail_msg("%s: %s", sql, error);
    sqlite3_close(db);
    return strdup(trace);
}

static struct takt_result read_all(const char *trace)
{
    return RUN("query", trace, "--csv", "SELECT track_id, count(*) FROM slice GROUP BY track_id");
}

static void made_traces_are_refused(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "UPDATE slice_chunk SET data = x'80010000038020'", /* an interval, then half a number */
        "UPDATE slice_chunk SET data = x'00ffffffffffffffffff0100'", /* 2^64 - 1 cycles */
        "UPDATE slice_chunk SET data = x'808080808080808080808080'",
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *trace = changed(cases[i]);
        struct takt_result read = read_all(trace);
        if (read.exit_code != 1 || !strstr(read.err, "is damaged") ||
            !strstr(read.err, "no packed intervals"))
            fail_msg("%s: exit %d, %.200s%.400s", cases[i], read.exit_code, read.out, read.err);
        takt_result_free(&read);
        unlink(trace);
        free(trace);
    }
}

/* Ids that lead nowhere are read as what they are. */
static void strange_ids_are_read(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "UPDATE slice_chunk SET unit = -5",
        "UPDATE slice_chunk SET data = x'1f0100'", /* reason 31 */
        "UPDATE slice_chunk SET data = x''",
        "UPDATE slice_chunk SET data = x'00018080808008'", /* a statement beyond the last */
        "DELETE FROM reason",
        "DELETE FROM unit",
        "UPDATE attribute SET name = 'a\"b, (SELECT 1) AS \"c'",
        "UPDATE reason SET name = ''",
        "UPDATE transfer SET limited_by = 100000, waited_by = -1, mode = 100000",
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *trace = changed(cases[i]);
        struct takt_result read = read_all(trace);
        assert_int_equal(read.exit_code, 0);
        takt_result_free(&read);
        const char *const *const commands[] = {
            (const char *const[]){"timeline", trace, NULL},
            (const char *const[]){"timeline", "--statements", trace, NULL},
            (const char *const[]){"why", trace, "issue@100", NULL},
            (const char *const[]){"report", trace, "transfers", NULL},
            (const char *const[]){"export", "--format", "perfetto", trace, NULL},
            (const char *const[]){"export", "--format", "html", trace, NULL}};
        for (size_t k = 0; k < sizeof commands / sizeof *commands; k++) {
            read = takt_run(commands[k]);
            assert_true(read.exit_code == 0 || read.exit_code == 1);
            takt_result_free(&read);
        }
        unlink(trace);
        free(trace);
    }
}

/* Questions run takt's own SQL: a file with another view or table of the name is refused. What
 * stands beside them is left alone. */
static void other_schemas_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *sql, *sentence; /* NULL: it is read */
    } cases[] = {
        {"DROP VIEW v_util; CREATE VIEW v_util AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL "
         "SELECT "
         "i + 1 FROM n) SELECT i AS unit_id, i AS unit, i AS kind, i AS path, i AS busy, i AS "
         "waiting, i AS idle, i AS total, i AS utilization FROM n",
         "v_util in it is not what takt makes"},
        {"DROP VIEW v_check; CREATE VIEW v_check AS SELECT 1 AS rule, 1 AS subject, 1 AS expected, "
         "1 "
         "AS found WHERE 0",
         "v_check in it is not what takt makes"},
        {"DROP VIEW v_file", "v_file in it is not what takt makes"},
        {"ALTER TABLE util_window ADD COLUMN more INTEGER",
         "util_window in it is not what takt makes"},
        {"CREATE TABLE note (text TEXT); CREATE VIEW mine AS SELECT * FROM note; CREATE TRIGGER t "
         "AFTER DELETE ON bound BEGIN DELETE FROM meta; END",
         NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *trace = changed(cases[i].sql);
        struct takt_result report = RUN("report", trace);
        assert_int_equal(report.exit_code, cases[i].sentence ? 1 : 0);
        if (cases[i].sentence)
            assert_non_null(strstr(report.err, cases[i].sentence));
        else
            assert_string_equal(report.err, "");
        takt_result_free(&report);
        unlink(trace);
        free(trace);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(made_traces_are_refused),
        cmocka_unit_test(strange_ids_are_read),
        cmocka_unit_test(other_schemas_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
