/* What the recorder writes, read back by SQL; and v_check, which finds every cycle that was moved.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/trace_sample.h"
#include "traces/recorder.h"
#include "traces/sinks.h"
#include "traces/trace.h"

static struct recorder *open_recorder(const char *path, struct recorder_options options)
{
    struct recorder *r = NULL;
    char error[600] = "";
    if (recorder_open(&r, path, &options, error, sizeof error)) {
        fail_msg("%s", error);
    }
    return r;
}

static struct recorder *record_sample(struct recorder_options options)
{
    struct recorder *r = open_recorder(NULL, options);
    const struct sink sink = recorder_sink(r);
    assert_int_equal(sample_run(&sink), 0);
    return r;
}

static void close_recorder(struct recorder *r)
{
    char error[600] = "";
    assert_int_equal(recorder_close(r, error, sizeof error), 0);
}

static int64_t value(sqlite3 *db, const char *sql)
{
    sqlite3_stmt *s = NULL;
    if (sqlite3_prepare_v2(db, sql, -1, &s, NULL) != SQLITE_OK || sqlite3_step(s) != SQLITE_ROW) {
        fail_msg("%s: %s", sql, sqlite3_errmsg(db));
    }
    const int64_t v = sqlite3_column_int64(s, 0);
    sqlite3_finalize(s);
    return v;
}

static void text_is(sqlite3 *db, const char *sql, const char *expected)
{
    sqlite3_stmt *s = NULL;
    if (sqlite3_prepare_v2(db, sql, -1, &s, NULL) != SQLITE_OK || sqlite3_step(s) != SQLITE_ROW) {
        fail_msg("%s: %s", sql, sqlite3_errmsg(db));
    }
    assert_string_equal((const char *)sqlite3_column_text(s, 0), expected);
    sqlite3_finalize(s);
}

static void execute(sqlite3 *db, const char *sql)
{
    if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK) {
        fail_msg("%s: %s", sql, sqlite3_errmsg(db));
    }
}

static void expect_sound(sqlite3 *db)
{
    sqlite3_stmt *s = NULL;
    assert_int_equal(sqlite3_prepare_v2(db, "SELECT * FROM v_check", -1, &s, NULL), SQLITE_OK);
    const int rc = sqlite3_step(s);
    if (rc == SQLITE_ROW) {
        fail_msg("%s: %s: %s / %s", sqlite3_column_text(s, 0), sqlite3_column_text(s, 1),
                 sqlite3_column_text(s, 2), sqlite3_column_text(s, 3));
    }
    assert_int_equal(rc, SQLITE_DONE);
    sqlite3_finalize(s);
}

static void reads_back(void **state)
{
    (void)state;
    struct recorder *r = record_sample((struct recorder_options){.whole = true});
    sqlite3 *db = recorder_db(r);
    expect_sound(db);
    assert_int_equal(value(db, "SELECT value FROM meta WHERE key = 'total_cycles'"), 52);
    assert_int_equal(value(db, "SELECT value FROM meta WHERE key = 'complete'"), 1);
    text_is(db, "SELECT value FROM meta WHERE key = 'program_hash'", "0000000000001234");
    assert_int_equal(value(db, "SELECT busy FROM v_util WHERE unit = 'dram0'"), 30);
    assert_int_equal(value(db, "SELECT cycles FROM v_stall WHERE unit = 'lm0'"), 4);
    assert_int_equal(value(db, "SELECT gap FROM v_gap WHERE bound = 'path'"), 4);
    assert_int_equal(value(db, "SELECT count(*) FROM stmt"), 5);
    assert_int_equal(value(db, "SELECT count(DISTINCT text) FROM v_stmt"), 4);
    assert_int_equal(value(db, "SELECT count(DISTINCT uid) FROM stmt"), 5);
    assert_int_equal(value(db, "SELECT stream FROM v_top_stmt WHERE line = 3"), 32);
    assert_int_equal(value(db, "SELECT count(*) FROM stmt_total"), 10);
    assert_int_equal(value(db, "SELECT ops FROM stmt_total WHERE stmt = 4 AND unit = 1"), 32768);
    assert_int_equal(value(db, "SELECT waited FROM v_transfer WHERE tag = 1"), 32);
    assert_int_equal(value(db, "SELECT waited_by_line FROM v_transfer WHERE tag = 1"), 3);
    text_is(db, "SELECT rule FROM v_dep WHERE kind = 'port'", "3.6.1.1");
    text_is(db, "SELECT src_text FROM v_dep WHERE kind = 'tag'", "mvp/n64 $d0 $p0 i01");
    assert_int_equal(value(db, "SELECT length(text) FROM v_file"), 99);
    assert_int_equal(value(db, "SELECT line FROM v_warning WHERE name = 'removable'"), 2);
    /* The tree: chip > l2b > l1b > mab > (mau, pe > lm0); chip > group > dram0; chip > stream. */
    assert_int_equal(value(db, "SELECT count(*) FROM unit WHERE kind = 'node'"), 6);
    text_is(db,
            "WITH RECURSIVE up(id, path) AS (SELECT parent, name FROM unit WHERE name = 'lm0' "
            "UNION ALL SELECT u.parent, u.name || '.' || up.path FROM up JOIN unit u ON u.id = "
            "up.id) SELECT path FROM up WHERE id IS NULL",
            "chip.l2b.l1b.mab.pe.lm0");
    close_recorder(r);
}

/* In memory nothing about single statements stays but what the answer refers to. */
static void lean_is_enough_for_the_answer(void **state)
{
    (void)state;
    struct recorder *r = record_sample((struct recorder_options){0});
    sqlite3 *db = recorder_db(r);
    expect_sound(db);
    assert_int_equal(value(db, "SELECT count(*) FROM cost_range"), 0);
    assert_int_equal(value(db, "SELECT count(*) FROM stmt WHERE uid IS NULL"), 5);
    assert_int_equal(value(db, "SELECT line FROM v_warning WHERE name = 'removable'"), 2);
    assert_int_equal(value(db, "SELECT count(*) FROM v_file WHERE text IS NULL"), 1);
    text_is(db, "SELECT dst_text FROM v_dep WHERE kind = 'tag'", "wait i01");
    close_recorder(r);
}

/* Tables that are read where they are gathered: each way to ask finds the rows that a scan finds. */
static void live_tables(void **state)
{
    (void)state;
    enum { TRANSFERS = 300, STMTS = 5 };
    struct recorder *r = open_recorder(NULL, (struct recorder_options){0});
    const struct sink sink = recorder_sink(r);
    assert_int_equal(sample_begin(&sink), 0);
    sqlite3 *db = recorder_db(r);
    assert_int_equal(value(db, "SELECT count(*) FROM transfer"), 0);
    unsigned count[STMTS] = {0};
    for (unsigned round = 0; round < 2; round++) {
        /* In rising order of statements first, then in none. */
        for (unsigned i = 0; i < TRANSFERS; i++) {
            const uint32_t stmt = round ? i * 7 % STMTS : i / (TRANSFERS / (STMTS - 1));
            const struct sink_transfer t = {.stmt = stmt,
                                            .mode = "mvp P->D",
                                            .issued = i,
                                            .finished = i + 10,
                                            .waited_by = i % 2 ? NONE_ID : 3,
                                            .limited_by = NONE_ID};
            assert_int_equal(sink.ops->transfer(sink.self, &t), 0);
            count[stmt]++;
        }
        for (int stmt = 0; stmt < STMTS; stmt++) {
            char sql[120];
            snprintf(sql, sizeof sql, "SELECT count(*) FROM transfer WHERE stmt = %d", stmt);
            assert_int_equal(value(db, sql), count[stmt]);
            snprintf(sql, sizeof sql, "SELECT count(*) FROM transfer WHERE stmt + 0 = %d", stmt);
            assert_int_equal(value(db, sql), count[stmt]);
        }
        assert_int_equal(value(db, "SELECT count(*) FROM transfer WHERE waited_by IS NULL"),
                         (round + 1) * TRANSFERS / 2);
    }
    static const char *const nothing[] = {
        "SELECT count(*) FROM transfer WHERE stmt = -1",
        "SELECT count(*) FROM transfer WHERE stmt = 5",
        "SELECT count(*) FROM transfer WHERE stmt = 1.5",
        "SELECT count(*) FROM transfer WHERE stmt = NULL",
        "SELECT count(*) FROM transfer WHERE stmt = 'mvp'",
        "SELECT count(*) FROM transfer WHERE stmt = 9223372036854775807",
        "SELECT count(*) FROM transfer WHERE id = 0",
        "SELECT count(*) FROM transfer WHERE id = 601",
        "SELECT count(*) FROM transfer WHERE rowid = -9223372036854775808",
        "SELECT count(*) FROM stmt WHERE id = -1",
        "SELECT count(*) FROM stmt WHERE id = 5",
        "SELECT count(*) FROM source WHERE id = 0",
        "SELECT count(*) FROM source WHERE start IS NOT NULL",
        "SELECT count(*) FROM warning",
        ("SELECT count(*) FROM transfer a WHERE (SELECT issued FROM transfer WHERE id = a.id) <> "
         "a.issued"),
        "SELECT count(*) FROM stmt s JOIN v_stmt v ON v.stmt = s.id WHERE v.line <> s.line",
    };
    for (size_t i = 0; i < sizeof nothing / sizeof *nothing; i++) {
        assert_int_equal(value(db, nothing[i]), 0);
    }
    assert_int_equal(value(db, "SELECT issued FROM transfer WHERE id = 300"), 299);
    assert_int_equal(value(db, "SELECT id FROM transfer WHERE rowid = 600"), 600);
    assert_int_equal(value(db, "SELECT id FROM transfer WHERE stmt = 3 AND id = 300"), 300);
    text_is(db, "SELECT text FROM v_stmt WHERE stmt = 2", "wait i01");
    assert_int_equal(sink.ops->warning(sink.self, "removable", 1, "one"), 0);
    assert_int_equal(value(db, "SELECT line FROM v_warning"), 2);
    close_recorder(r);
}

/* A statement is looked up by its id: nobody reads those of the whole program for the few that a view
 * names. */
static void views_look_statements_up(void **state)
{
    (void)state;
    static const char *const views[] = {"v_dep", "v_transfer", "main.slice"};
    for (unsigned whole = 0; whole < 2; whole++) {
        struct recorder *r = record_sample((struct recorder_options){.whole = whole});
        for (size_t i = 0; i < sizeof views / sizeof *views; i++) {
            char sql[120];
            unsigned found = 0;
            snprintf(sql, sizeof sql, "EXPLAIN QUERY PLAN SELECT * FROM %s", views[i]);
            sqlite3_stmt *s = NULL;
            assert_int_equal(sqlite3_prepare_v2(recorder_db(r), sql, -1, &s, NULL), SQLITE_OK);
            while (sqlite3_step(s) == SQLITE_ROW) {
                const char *plan = (const char *)sqlite3_column_text(s, 3);
                assert_null(strstr(plan, "MATERIALIZE"));
                assert_null(strstr(plan, "AUTOMATIC"));
                /* All but the first table. An index of a live table is told by its number: 1 is by id. */
                assert_true(found == 0 || strstr(plan, "SEARCH") || strstr(plan, "INDEX 1:"));
                found++;
            }
            assert_true(found >= 4);
            sqlite3_finalize(s);
        }
        close_recorder(r);
    }
}

static void every_column_has_a_sentence(void **state)
{
    (void)state;
    struct recorder *r = record_sample((struct recorder_options){.whole = true});
    sqlite3 *db = recorder_db(r);
    assert_int_equal(
        value(db, "SELECT count(*) FROM sqlite_schema s, pragma_table_info(s.name) c "
                  "WHERE s.type = 'table' AND s.name NOT LIKE 'sqlite%' AND NOT EXISTS (SELECT 1 "
                  "FROM schema_field f WHERE f.owner = s.name AND f.field = c.name "
                  "AND f.type = c.type AND length(f.sentence) > 3)"),
        0);
    assert_int_equal(value(db, "SELECT count(*) FROM sqlite_schema s WHERE s.type = 'table' AND "
                               "NOT EXISTS (SELECT 1 FROM schema_field f WHERE f.owner = s.name "
                               "AND f.field = '' AND length(f.sentence) > 3)"),
                     0);
    /* Columns of views have no declared type; what stands in them is of the type told. */
    assert_int_equal(value(db,
                           "SELECT count(*) FROM sqlite_schema s, pragma_table_info(s.name) c "
                           "WHERE s.type = 'view' AND NOT EXISTS (SELECT 1 FROM schema_field f "
                           "WHERE f.owner = s.name AND f.field = c.name AND length(f.sentence) > 3 "
                           "AND f.type IN ('INTEGER', 'REAL', 'TEXT', 'ANY'))"),
                     0);
    assert_int_equal(value(db, "SELECT count(*) FROM sqlite_schema s WHERE s.type = 'view' AND "
                               "NOT EXISTS (SELECT 1 FROM schema_field f WHERE f.owner = s.name "
                               "AND f.field = '' AND length(f.sentence) > 3)"),
                     0);
    assert_int_equal(value(db, "SELECT count(*) FROM schema_field f WHERE f.owner <> 'meta' AND "
                               "f.field <> '' AND NOT EXISTS (SELECT 1 FROM "
                               "pragma_table_info(f.owner) c WHERE c.name = f.field)"),
                     0);
    sqlite3_stmt *columns = NULL;
    assert_int_equal(sqlite3_prepare_v2(db,
                                        "SELECT format('SELECT count(*) FROM %s WHERE %s IS NOT "
                                        "NULL AND upper(typeof(%s)) <> ''%s''', f.owner, f.field, "
                                        "f.field, f.type) FROM schema_field f JOIN sqlite_schema s "
                                        "ON s.name = f.owner WHERE s.type = 'view' AND f.field <> "
                                        "'' AND f.type <> 'ANY'",
                                        -1, &columns, NULL),
                     SQLITE_OK);
    int asked = 0;
    for (; sqlite3_step(columns) == SQLITE_ROW; asked++) {
        assert_int_equal(value(db, (const char *)sqlite3_column_text(columns, 0)), 0);
    }
    sqlite3_finalize(columns);
    assert_true(asked > 80);
    /* Every fact that stands in meta is documented too. */
    assert_int_equal(value(db, "SELECT count(*) FROM meta m WHERE NOT EXISTS (SELECT 1 FROM "
                               "schema_field f WHERE f.owner = 'meta' AND f.field = m.key)"),
                     0);
    assert_int_equal(value(db, "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND "
                               "sql NOT LIKE '%STRICT%'"),
                     0);
    close_recorder(r);
}

/* docs/trace-schema.md says what the file says. */
static void page_is_up_to_date(void **state)
{
    (void)state;
    FILE *file = fopen("docs/trace-schema.md", "r");
    if (!file) {
        skip(); /* not run from the root */
    }
    static char page[1 << 20];
    page[fread(page, 1, sizeof page - 1, file)] = '\0';
    fclose(file);
    struct recorder *r = record_sample((struct recorder_options){.whole = true});
    sqlite3_stmt *s = NULL;
    assert_int_equal(sqlite3_prepare_v2(recorder_db(r),
                                        "SELECT CASE field WHEN '' THEN 'One row is ' || sentence "
                                        "|| '.' ELSE '| `' || field || '` | ' || type || ' | ' || "
                                        "sentence || ' |' END FROM schema_field",
                                        -1, &s, NULL),
                     SQLITE_OK);
    while (sqlite3_step(s) == SQLITE_ROW) {
        if (!strstr(page, (const char *)sqlite3_column_text(s, 0))) {
            fail_msg("docs/trace-schema.md lacks: %s", sqlite3_column_text(s, 0));
        }
    }
    sqlite3_finalize(s);
    close_recorder(r);
}

/* One cycle, anywhere. */
static void tampering_is_found(void **state)
{
    (void)state;
    static const char *const changes[] = {
        "UPDATE meta SET value = value + 1 WHERE key = 'total_cycles'",
        "UPDATE meta SET value = value - 1 WHERE key = 'cycles_assumed'",
        "UPDATE meta SET value = value - 1 WHERE key = 'cycles_documented'",
        "UPDATE meta SET value = value + 1 WHERE key = 'nops_wait'",
        "UPDATE meta SET value = value + 1 WHERE key = 'nops_written'",
        "UPDATE meta SET value = value - 1 WHERE key = 'steps'",
        "UPDATE meta SET value = 0 WHERE key = 'complete'",
        "DELETE FROM meta WHERE key = 'total_cycles'",
        "UPDATE unit_total SET cycles = cycles + 1 WHERE unit = 0 AND reason = 0",
        "UPDATE unit_total SET cycles = cycles + 1 WHERE reason = 11",
        "UPDATE unit_total SET cycles = cycles + CASE reason WHEN 0 THEN 1 ELSE -1 END "
        "WHERE unit = 1",
        "UPDATE unit_total SET state = 1 WHERE unit = 1 AND reason = 0",
        "UPDATE cost SET cycles = cycles + 1 WHERE rowid = 1",
        "UPDATE cost SET bytes = bytes + 1 WHERE rowid = 1",
        "UPDATE cost_range SET shape = shape + 1 WHERE first_stmt = 0",
        "UPDATE cost_range SET last_stmt = last_stmt + 1 WHERE first_stmt = 0",
        "UPDATE cost_range SET last_stmt = -1 WHERE first_stmt = 0",
        "UPDATE source SET start = start + 1 WHERE id = 1",
        "UPDATE nop_tag SET steps = steps + 1",
        "UPDATE transfer SET issued = issued + 1",
        "UPDATE transfer SET started = started + 1",
        "UPDATE transfer SET finished = finished + 1",
        "UPDATE transfer SET finished = 3",
        "UPDATE transfer SET waited = waited + 1",
        "UPDATE dep SET waited = waited + 1 WHERE id = 1",
        "UPDATE dep SET first_released = first_released - 1, last_released = last_released + 1 "
        "WHERE id = 1",
        "UPDATE dep SET first_at = first_at + 1 WHERE id = 2",
        "UPDATE dep SET last_at = last_at + 1 WHERE id = 2",
        "UPDATE slack_range SET slack = slack + 1 WHERE first_stmt = 1",
        "UPDATE crit SET duration = duration + 1 WHERE start = 4",
        "UPDATE crit SET start = start + 1 WHERE start = 4",
        "UPDATE crit SET duration = duration - 1 WHERE start = 48",
        "UPDATE bound SET cycles = cycles + 1 WHERE name = 'issue'",
        "UPDATE bound SET cycles = 53 WHERE name = 'path'",
        "UPDATE mip SET busy = busy + 1 WHERE unit = 3 AND idx = 0",
        "UPDATE mip SET idx = idx + 1 WHERE unit = 3 AND idx = 2",
        "UPDATE slice_chunk SET start = start + 1 WHERE id = 1",
        "UPDATE slice_row SET duration = duration + 1 WHERE rowid = 1",
        "DELETE FROM transfer",
        "DELETE FROM stmt WHERE id = 4",
        "DELETE FROM warning",
    };
    struct recorder *r = record_sample((struct recorder_options){
        .whole = true, .detail = DETAIL_CHUNKS, .window_from = 0, .window_to = 52});
    sqlite3 *db = recorder_db(r);
    expect_sound(db);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        execute(db, "SAVEPOINT tamper");
        execute(db, changes[i]);
        assert_true(sqlite3_changes(db) > 0);
        if (value(db, "SELECT count(*) FROM v_check") == 0) {
            fail_msg("not found: %s", changes[i]);
        }
        execute(db, "ROLLBACK TO tamper; RELEASE tamper");
    }
    expect_sound(db);
    close_recorder(r);
}

/* The same binding edge in every turn of a loop is one row. */
static void edges_are_gathered(void **state)
{
    (void)state;
    struct recorder *r = open_recorder(NULL, (struct recorder_options){.whole = true});
    const struct sink sink = recorder_sink(r);
    assert_int_equal(sample_begin(&sink), 0);
    for (uint64_t i = 0; i < 3000; i++) {
        const struct sink_edge e = {.src = (uint32_t)(i % 3),
                                    .dst = 4,
                                    .kind = EDGE_DATA,
                                    .unit = NONE_ID,
                                    .rule = "3.6.3.9",
                                    .released = 10 * i,
                                    .at = 10 * i + i % 2,
                                    .waited = 7};
        assert_int_equal(sink.ops->edge(sink.self, &e), 0);
    }
    assert_int_equal(sample_finish(&sink, true), 0);
    sqlite3 *db = recorder_db(r);
    assert_int_equal(value(db, "SELECT count(*) FROM dep"), 3);
    assert_int_equal(value(db, "SELECT times FROM dep WHERE src = 1"), 1000);
    assert_int_equal(value(db, "SELECT waited FROM dep WHERE src = 1"), 7000);
    assert_int_equal(value(db, "SELECT tight FROM dep WHERE src = 1"), 500);
    assert_int_equal(value(db, "SELECT min_slack FROM dep WHERE src = 1"), 0);
    assert_int_equal(value(db, "SELECT first_released FROM dep WHERE src = 1"), 10);
    assert_int_equal(value(db, "SELECT last_released FROM dep WHERE src = 1"), 29980);
    close_recorder(r);
}

static void many_statements(void **state)
{
    (void)state;
    enum { MANY = 200000 };
    struct recorder *r =
        open_recorder(NULL, (struct recorder_options){.whole = true, .detail = DETAIL_CHUNKS});
    const struct sink sink = recorder_sink(r);
    assert_int_equal(sample_long(&sink, MANY, 4, MANY), 0);
    sqlite3 *db = recorder_db(r);
    expect_sound(db);
    assert_int_equal(value(db, "SELECT count(*) FROM stmt"), MANY);
    assert_int_equal(value(db, "SELECT count(*) FROM stmt_total"), 2 * MANY);
    assert_int_equal(value(db, "SELECT count(*) FROM cost"), 8);
    assert_int_equal(value(db, "SELECT sum(count) FROM slice_chunk"), 2 * MANY);
    /* A rhythm of four statements is one repetition a chunk: far below a byte an interval. */
    assert_true(value(db, "SELECT sum(length(data)) FROM slice_chunk") < 2 * MANY / 50);
    close_recorder(r);
}

/* Beyond 100,000 statements nothing is asked of the program but what it tells then: the same rows. */
static void same_beyond_the_limit(void **state)
{
    (void)state;
    enum { MANY = 100001 };
    int64_t uids[2];
    for (int turn = 0; turn < 2; turn++) {
        struct recorder *r = open_recorder(NULL, (struct recorder_options){.whole = true});
        const struct sink sink = recorder_sink(r);
        const uint32_t count = (uint32_t)(MANY - 1 + turn);
        /* Stopped after 80: ten transfers, of every eighth statement, and no costs. */
        assert_int_equal(sample_long(&sink, count, 7, 80), 0);
        sqlite3 *db = recorder_db(r);
        assert_int_equal(value(db, "SELECT count(*) FROM transfer"), 10);
        assert_int_equal(value(db, "SELECT count(*) FROM stmt"), count);
        assert_int_equal(value(db, "SELECT value FROM meta WHERE key = 'statements'"), count);
        uids[turn] = value(db, "SELECT uid FROM stmt WHERE id = 79");
        assert_int_equal(value(db, "SELECT line FROM stmt WHERE id = 79"), 80);
        close_recorder(r);
    }
    assert_true(uids[0] == uids[1] && uids[0] != 0);
}

/* The sink never changes the result, and the digest does not depend on the detail. */
static void digest_is_the_same(void **state)
{
    (void)state;
    uint64_t digests[3];
    for (int i = 0; i < 3; i++) {
        struct digest_sink digest;
        digest_init(&digest);
        struct recorder *r = open_recorder(
            NULL, (struct recorder_options){.whole = i == 2,
                                            .detail = i == 2 ? DETAIL_CHUNKS : DETAIL_TOTALS});
        struct tee_sink tee;
        const struct sink sink =
            sink_tee(&tee, sink_digest(&digest), i == 0 ? sink_null() : recorder_sink(r));
        assert_true((sink.ops->slice != NULL) == (i == 2));
        assert_int_equal(sample_run(&sink), 0);
        digests[i] = digest.digest;
        assert_int_equal(digest.events, 6);
        close_recorder(r);
    }
    assert_true(digests[0] == digests[1] && digests[1] == digests[2]);
}

static void text_is_readable(void **state)
{
    (void)state;
    char *out = NULL;
    size_t size;
    struct text_sink text = {.out = open_memstream(&out, &size), .slices = true};
    const struct sink sink = sink_text(&text);
    /* The header must stay until the end: begin, events and finish in one go. */
    assert_int_equal(sample_run(&sink), 0);
    fclose(text.out);
    assert_non_null(strstr(out, "transfer 1 mvp D->P i01 64 lw issued 0 started 4 finished 40 "
                                "waited 32 limited-by dram0\n"));
    assert_non_null(strstr(out, "edge port 4 -> 5 lm0 3.6.1.1 released 46 at 46 waited 4\n"));
    assert_non_null(strstr(out, "slice stream tag 8 +32 3\n"));
    assert_non_null(strstr(out, "finish complete 52 cycles 48 documented 12 steps\n"));
    free(out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_back),
        cmocka_unit_test(lean_is_enough_for_the_answer),
        cmocka_unit_test(live_tables),
        cmocka_unit_test(views_look_statements_up),
        cmocka_unit_test(every_column_has_a_sentence),
        cmocka_unit_test(tampering_is_found),
        cmocka_unit_test(page_is_up_to_date),
        cmocka_unit_test(edges_are_gathered),
        cmocka_unit_test(many_statements),
        cmocka_unit_test(same_beyond_the_limit),
        cmocka_unit_test(digest_is_the_same),
        cmocka_unit_test(text_is_readable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
