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
#include "timing/sink.h"

#define RUN(...) takt_run((const char *const[]){__VA_ARGS__, NULL})

/* 4096 steps of pattern 0, the first at cycle 4, each four cycles after the one before. */
#define STEPS                                                                                      \
    "DELETE FROM step_chunk; "                                                                     \
    "INSERT INTO step_chunk VALUES (1, 4, 100000, 0, 4096, x'8001000003ff1f'); "                   \
    "UPDATE meta SET value = 1 << 40 WHERE key = 'total_cycles'; "
/* `count` parts of pattern 0 and unit 0, written last to first, each a cycle long, `apart` apart.
 */
#define PARTS(count, apart)                                                                        \
    "DELETE FROM pattern WHERE pattern = 0 AND unit = 0; "                                         \
    "WITH RECURSIVE n(i) AS (SELECT " #count " UNION ALL SELECT i - 1 FROM n WHERE i > 1) "        \
    "INSERT INTO pattern SELECT 0, 0, " #apart " * i, 1 FROM n"

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
    if (sqlite3_exec(db, sql, NULL, NULL, &error) != SQLITE_OK) {
        fail_msg("%s: %s", sql, error);
    }
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
    static const struct {
        const char *sql, *sentence;
    } cases[] = {
        {STEPS PARTS(3000, 1), "more than 16 times"},
        {STEPS PARTS(17, 100000), "more than 16 times"},
        {STEPS PARTS(16, 4), "two steps keep unit 0 busy in cycle"},
        {STEPS PARTS(16, 0), "twice in cycle 0"},
        {"UPDATE pattern SET start = -5 WHERE unit = 5", "no part of a step"},
        {"UPDATE pattern SET duration = 0 WHERE unit = 5", "no part of a step"},
        {"UPDATE pattern SET duration = 1 << 32 WHERE unit = 5", "no part of a step"},
        {"UPDATE pattern SET unit = 70 WHERE unit = 5", "no part of a step"},
        {"UPDATE pattern SET pattern = -1 WHERE rowid = 1", "no part of a step"},
        {"UPDATE pattern SET pattern = 1 << 40 WHERE rowid = 1", "pattern 1099511627776"},
        {"UPDATE pattern SET pattern = -5", "pattern -5"},
        {"UPDATE unit SET id = 2000000000 WHERE id = 3", "the last is 2000000000"},
        {"UPDATE meta SET value = 2000000000 WHERE key = 'stream_units'", "follow the stream"},
        {"UPDATE meta SET value = -1 WHERE key = 'stream_units'", "follow the stream"},
        /* 4097 steps; a hold (reason 1) to cycle 2^63. */
        {"UPDATE step_chunk SET data = x'80010000038020'", "no packed steps"},
        {"UPDATE step_chunk SET data = x'02ffffffffffffffff7f00'", "no packed steps"},
        {"UPDATE step_chunk SET carried = 5000", "no packed steps"},
        {"UPDATE slice_chunk SET data = x'80010000038020'", "no packed intervals"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *trace = changed(cases[i].sql);
        struct takt_result read = read_all(trace);
        if (read.exit_code != 1 || !strstr(read.err, "is damaged") ||
            !strstr(read.err, cases[i].sentence)) {
            fail_msg("%s: exit %d, %.200s%.400s", cases[i].sql, read.exit_code, read.out, read.err);
        }
        takt_result_free(&read);
        unlink(trace);
        free(trace);
    }
}

/* The other edge: as many parts as a pattern may have, in the worst order for a sort, are read. */
static void as_many_as_allowed(void **state)
{
    (void)state;
    assert_int_equal(SINK_UNIT_PARTS, 16);
    char *trace = changed(STEPS PARTS(16, 100000));
    struct takt_result read = read_all(trace);
    assert_int_equal(read.exit_code, 0);
    assert_non_null(strstr(read.out, "\r\n0,65536\r\n"));
    takt_result_free(&read);
    /* Their starts rise, although those of the steps' parts do not. */
    read = RUN("query", trace, "--csv",
               "SELECT count(*) AS falls FROM (SELECT ts - lag(ts) OVER () AS by FROM slice WHERE "
               "track_id = 0) WHERE by <= 0");
    assert_string_equal(read.out, "falls\r\n0\r\n");
    takt_result_free(&read);
    unlink(trace);
    free(trace);
    /* No pattern at all: the holds are what is left. */
    trace = changed("DELETE FROM pattern");
    read = read_all(trace);
    assert_int_equal(read.exit_code, 0);
    takt_result_free(&read);
    unlink(trace);
    free(trace);
}

/* Questions run takt's own SQL: a file with another view or table of the name is refused. What stands
 * beside them is left alone. */
static void other_schemas_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *sql, *sentence; /* NULL: it is read */
    } cases[] = {
        {"DROP VIEW v_util; CREATE VIEW v_util AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT "
         "i + 1 FROM n) SELECT i AS unit_id, i AS unit, i AS kind, i AS path, i AS busy, i AS "
         "waiting, i AS idle, i AS total, i AS utilization FROM n",
         "v_util in it is not what takt makes"},
        {"DROP VIEW v_check; CREATE VIEW v_check AS SELECT 1 AS rule, 1 AS subject, 1 AS expected, 1 "
         "AS found WHERE 0",
         "v_check in it is not what takt makes"},
        {"DROP VIEW v_file", "v_file in it is not what takt makes"},
        {"ALTER TABLE mip ADD COLUMN more INTEGER", "mip in it is not what takt makes"},
        {"CREATE TABLE note (text TEXT); CREATE VIEW mine AS SELECT * FROM note; CREATE TRIGGER t "
         "AFTER DELETE ON seal BEGIN DELETE FROM meta; END",
         NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *trace = changed(cases[i].sql);
        struct takt_result report = RUN("report", trace);
        assert_int_equal(report.exit_code, cases[i].sentence ? 1 : 0);
        if (cases[i].sentence) {
            assert_non_null(strstr(report.err, cases[i].sentence));
        } else {
            assert_string_equal(report.err, "");
        }
        takt_result_free(&report);
        unlink(trace);
        free(trace);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(made_traces_are_refused),
        cmocka_unit_test(as_many_as_allowed),
        cmocka_unit_test(other_schemas_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
