/* What the recorder writes, read back by SQL; and v_check, which finds each cycle moved. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/digest.h"
#include "tests/trace_sample.h"
#include "traces/recorder.h"
#include "traces/schema.h"
#include "traces/sinks.h"
#include "traces/trace.h"

static struct recorder *open_recorder(const char *path, struct recorder_options options)
{
    struct recorder *r = NULL;
    char error[600] = "";
    if (recorder_open(&r, path, &options, error, sizeof error))
        fail_msg("%s", error);
    return r;
}

static struct recorder *record_sample(struct recorder_options options)
{
    options.kept.bounds = &sample_bounds;
    options.kept.graph = &sample_graph;
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
    if (sqlite3_prepare_v2(db, sql, -1, &s, NULL) != SQLITE_OK || sqlite3_step(s) != SQLITE_ROW)
        fail_msg("%s: %s", sql, sqlite3_errmsg(db));
    const int64_t v = sqlite3_column_int64(s, 0);
    sqlite3_finalize(s);
    return v;
}

static void text_is(sqlite3 *db, const char *sql, const char *expected)
{
    sqlite3_stmt *s = NULL;
    if (sqlite3_prepare_v2(db, sql, -1, &s, NULL) != SQLITE_OK || sqlite3_step(s) != SQLITE_ROW)
        fail_msg("%s: %s", sql, sqlite3_errmsg(db));
    assert_string_equal((const char *)sqlite3_column_text(s, 0), expected);
    sqlite3_finalize(s);
}

static void execute(sqlite3 *db, const char *sql)
{
    if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(db));
}

static void expect_sound(sqlite3 *db)
{
    sqlite3_stmt *s = NULL;
    assert_int_equal(sqlite3_prepare_v2(db, "SELECT * FROM v_check", -1, &s, NULL), SQLITE_OK);
    const int rc = sqlite3_step(s);
    if (rc == SQLITE_ROW)
        fail_msg("%s: %s: %s / %s", sqlite3_column_text(s, 0), sqlite3_column_text(s, 1),
                 sqlite3_column_text(s, 2), sqlite3_column_text(s, 3));
    assert_int_equal(rc, SQLITE_DONE);
    sqlite3_finalize(s);
}

static void reads_back(void **state)
{
    (void)state;
    struct recorder *r = record_sample((struct recorder_options){0});
    sqlite3 *db = recorder_db(r);
    expect_sound(db);
    assert_int_equal(value(db, "SELECT value FROM meta WHERE key = 'total_cycles'"), 52);
    assert_int_equal(value(db, "SELECT value FROM meta WHERE key = 'complete'"), 1);
    text_is(db, "SELECT value FROM meta WHERE key = 'program_hash'", "0000000000001234");
    assert_int_equal(value(db, "SELECT busy FROM v_util WHERE unit = 'dram0'"), 30);
    assert_int_equal(value(db, "SELECT cycles FROM v_stall WHERE unit = 'lm0'"), 4);
    assert_int_equal(value(db, "SELECT gap FROM v_gap WHERE class = 'any-order'"), 36);
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
    text_is(db, "SELECT text FROM v_file",
            "mvp/n64 $d0 $p0 i01\nnop/2\nwait i01\nfvfma $lr0v $lr8v $lr16v $lr24v\n"
            "fvfma $lr0v $lr8v $lr16v $lr24v\n");
    text_is(db, "SELECT text FROM source WHERE file = 0 AND line = 3", "wait i01");
    text_is(db, "SELECT tag_name || ' ' || attributes FROM v_transfer",
            "i01 priority 0, long_words 64");
    assert_int_equal(value(db, "SELECT slack FROM stmt_slack WHERE stmt = 1"), 32);
    assert_int_equal(value(db, "SELECT slack FROM stmt_slack WHERE stmt = 3"), 0);
    assert_int_equal(value(db, "SELECT value FROM meta WHERE key = 'events'"), 17);
    text_is(db,
            "SELECT group_concat(name || ifnull(':' || idx, '') || '=' || value, ' ') FROM "
            "(SELECT * FROM counter ORDER BY name, idx)",
            "flops.half=0 flops.single=65536 nops.tags=9 nops.tags:1=8 nops.tags:3=1 "
            "nops.written=2 steps=12");
    text_is(db,
            "SELECT name FROM reason WHERE id = (SELECT reason FROM unit_total WHERE unit = 0 "
            "AND cycles = 8 AND reason <> 0)",
            "nop");
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

/* Every table, row by row, of one database against another. */
static void expect_same_rows(sqlite3 *a, sqlite3 *b)
{
    sqlite3_stmt *tables = NULL;
    assert_int_equal(sqlite3_prepare_v2(a, "SELECT name FROM sqlite_schema WHERE type = 'table'",
                                        -1, &tables, NULL),
                     SQLITE_OK);
    while (sqlite3_step(tables) == SQLITE_ROW) {
        char sql[120];
        sqlite3_stmt *x = NULL, *y = NULL;
        int step;
        snprintf(sql, sizeof sql, "SELECT * FROM %s", sqlite3_column_text(tables, 0));
        assert_int_equal(sqlite3_prepare_v2(a, sql, -1, &x, NULL), SQLITE_OK);
        assert_int_equal(sqlite3_prepare_v2(b, sql, -1, &y, NULL), SQLITE_OK);
        while ((step = sqlite3_step(x)) == SQLITE_ROW) {
            assert_int_equal(sqlite3_step(y), SQLITE_ROW);
            for (int i = 0; i < sqlite3_column_count(x); i++) {
                const int size = sqlite3_column_bytes(x, i);
                if (sqlite3_column_type(x, i) != sqlite3_column_type(y, i) ||
                    size != sqlite3_column_bytes(y, i) ||
                    (size &&
                     memcmp(sqlite3_column_blob(x, i), sqlite3_column_blob(y, i), (size_t)size)))
                    fail_msg("%s, column %d: %s / %s", sql, i, sqlite3_column_text(x, i),
                             sqlite3_column_text(y, i));
            }
        }
        assert_int_equal(step, SQLITE_DONE);
        assert_int_equal(sqlite3_step(y), SQLITE_DONE);
        sqlite3_finalize(x);
        sqlite3_finalize(y);
    }
    sqlite3_finalize(tables);
}

/* More than the sample has: transfers, edges and warnings that differ in one field each, on both
 * sides of the sample's own. */
static void more_events(const struct sink *sink, bool turned)
{
    enum { MANY = 60 };
    static const char *const modes[] = {"mvp D->P", "mvp P->D", "mvb"};
    static const char *const rules[] = {"z", "", "a", "3.5.7"};
    for (unsigned k = 0; k < MANY; k++) {
        const unsigned i = turned ? MANY - 1 - k : k;
        const uint64_t attributes[] = {i % 4, i};
        const struct sink_transfer t = {.stmt = i % 5,
                                        .tag = i % 2,
                                        .tag_name = i % 2 ? "i01" : NULL,
                                        .mode = modes[i % 3],
                                        .bytes = 8 * i,
                                        .issued = i / 8,
                                        .started = i / 4,
                                        .finished = i / 2,
                                        .waited_by = i % 3 ? NONE_ID : 2,
                                        .limited_by = i % 7 ? 3 : NONE_ID,
                                        .attributes = attributes};
        const struct sink_edge e = {.src = i % 4 ? i % 5 : NONE_ID,
                                    .dst = (i + 2) % 5,
                                    .kind = (enum edge_kind)(i % EDGE_KINDS),
                                    .unit = i % 3 ? i % 4 : NONE_ID,
                                    .rule = rules[i % 4],
                                    .released = i % 13,
                                    .at = i % 13 + i % 2,
                                    .waited = i % 5,
                                    .times = 1 + i % 3};
        const struct sink_warning w = {i % 2 ? "late" : "early", i % 6 ? i % 5 : NONE_ID,
                                       modes[i % 3]};
        assert_int_equal(sink->ops->transfer(sink->context, &t), 0);
        assert_int_equal(sink->ops->edge(sink->context, &e), 0);
        assert_int_equal(sink->ops->edge(sink->context, &e), 0);
        assert_int_equal(sink->ops->warning(sink->context, &w), 0);
    }
}

/* Processes may run ahead or not: the rows are the same for each order of arrival. */
static void order_of_arrival_does_not_matter(void **state)
{
    (void)state;
    struct recorder *r[2];
    for (int turned = 0; turned < 2; turned++) {
        r[turned] = open_recorder(
            NULL, (struct recorder_options){.intervals = true, .window_from = 10, .window_to = 46});
        const struct sink sink = recorder_sink(r[turned]);
        assert_int_equal(sample_begin(&sink), 0);
        if (turned)
            more_events(&sink, true);
        assert_int_equal(turned ? sample_events_turned(&sink) : sample_events(&sink), 0);
        if (!turned)
            more_events(&sink, false);
        assert_int_equal(sample_finish(&sink, true), 0);
    }
    assert_int_equal(value(recorder_db(r[0]), "SELECT count(*) FROM transfer"), 61);
    assert_int_equal(value(recorder_db(r[0]), "SELECT count(*) FROM warning"), 61);
    assert_true(value(recorder_db(r[0]), "SELECT count(*) FROM dep") > 20);
    expect_same_rows(recorder_db(r[0]), recorder_db(r[1]));
    close_recorder(r[0]);
    close_recorder(r[1]);
}

/* Of more than 10,000 warnings of statements the first of the program are kept; what is said of the
 * whole run always is. */
static void warnings_without_end(void **state)
{
    enum { EXTRA = 7 };
    (void)state;
    struct recorder *r = open_recorder(NULL, (struct recorder_options){.intervals = false});
    const struct sink sink = recorder_sink(r);
    assert_int_equal(sample_begin(&sink), 0);
    for (uint32_t i = 0; i < DIAG_LIMIT + EXTRA; i++) {
        const struct sink_warning w = {"many", i < EXTRA ? 4 : 2, "of a statement"};
        assert_int_equal(sink.ops->warning(sink.context, &w), 0);
    }
    const struct sink_warning all = {"many", NONE_ID, "of the run"};
    assert_int_equal(sink.ops->warning(sink.context, &all), 0);
    assert_int_equal(sample_finish(&sink, true), 0);
    sqlite3 *db = recorder_db(r);
    assert_int_equal(value(db, "SELECT count(*) FROM warning WHERE stmt = 2"), DIAG_LIMIT);
    assert_int_equal(value(db, "SELECT count(*) FROM warning WHERE stmt = 4"), 0);
    assert_int_equal(value(db, "SELECT count(*) FROM warning WHERE stmt IS NULL"), 1);
    assert_int_equal(value(db, "SELECT value FROM meta WHERE key = 'warnings_left_out'"), EXTRA);
    close_recorder(r);
}

/* Texts: of no line, of several lines, of a line that is not there, empty, of two files; a line
 * that two statements are. */
static void texts_of_statements(void **state)
{
    (void)state;
    char first[] = "  a; b # c\n\n d\ne", second[] = "a\n";
    const struct file_info files[] = {{"first", first, sizeof first - 1},
                                      {"empty", "", 0},
                                      {"second", second, sizeof second - 1}};
    static const struct unit_info unit = {"stream", "stream", "issue", 1, 0, 0};
    const struct stmt_info stmts[] = {
        {0, 1, 0, 0, first + 2, 1},  {0, 1, 0, 0, first + 5, 1}, {0, 3, 0, 0, first + 13, 1},
        {0, 3, 0, 0, first + 13, 3}, {2, 1, 0, 0, second, 1},    {2, 9, 0, 0, second, 1},
        {2, 1, 0, 0, "made up", 7},  {2, 1, 0, 0, second, 1},
    };
    static const char *const texts[] = {"a", "b", "d", "d\ne", "a", "a", "made up", "a"};
    enum { STMTS = sizeof stmts / sizeof *stmts };
    const struct sink_header header = {.machine = "m",
                                       .files = files,
                                       .file_count = 3,
                                       .stmts = stmts,
                                       .stmt_count = STMTS,
                                       .units = &unit,
                                       .unit_count = 1};
    const struct sink_summary summary = {.complete = true};
    struct recorder *r = open_recorder(NULL, (struct recorder_options){0});
    const struct sink sink = recorder_sink(r);
    assert_int_equal(sink.ops->begin(sink.context, &header), 0);
    assert_int_equal(sink.ops->finish(sink.context, &summary), 0);
    sqlite3 *db = recorder_db(r);
    for (int i = 0; i < STMTS; i++) {
        char sql[80];
        snprintf(sql, sizeof sql, "SELECT text FROM v_stmt WHERE stmt = %d", i);
        text_is(db, sql, texts[i]);
        snprintf(sql, sizeof sql, "SELECT line FROM stmt WHERE id = %d", i);
        assert_int_equal(value(db, sql), stmts[i].line);
    }
    text_is(db, "SELECT text FROM v_file WHERE id = 0", first);
    text_is(db, "SELECT text FROM v_file WHERE id = 1", "");
    text_is(db, "SELECT text FROM v_file WHERE id = 2", second);
    assert_int_equal(value(db, "SELECT count(*) FROM source"), 4 + 0 + 1);
    assert_int_equal(value(db, "SELECT count(*) FROM source WHERE line IN (1, 4) AND file = 0"), 2);
    assert_int_equal(value(db, "SELECT count(*) FROM other_line"), 4);
    assert_int_equal(value(db, "SELECT count(*) FROM text"), 5); /* a, b, d, d\ne, made up */
    assert_int_equal(value(db, "SELECT count(DISTINCT text) FROM text"), 5);
    /* "a" four times, and each statement is known by its own uid. */
    assert_int_equal(value(db, "SELECT count(DISTINCT uid) FROM stmt"), STMTS);
    expect_sound(db);
    close_recorder(r);
}

/* A statement that has moved keeps its uid; one more of the same text gets its own. */
static void uid_survives_moved_lines(void **state)
{
    (void)state;
    static const char *const programs[] = {"x\ny\nx\n", "\n\nx\nz\n\ny\nx\nx\n"};
    int64_t x[2], second_x[2], y[2];
    for (int i = 0; i < 2; i++) {
        const struct file_info file = {"f", programs[i], strlen(programs[i])};
        static const struct unit_info unit = {"stream", "stream", "issue", 1, 0, 0};
        struct stmt_info stmts[8];
        size_t count = 0;
        for (uint32_t at = 0, line = 1; programs[i][at]; at++)
            if (programs[i][at] == '\n')
                line++;
            else
                stmts[count++] =
                    (struct stmt_info){.line = line, .text = programs[i] + at, .text_length = 1};
        const struct sink_header header = {.files = &file,
                                           .file_count = 1,
                                           .stmts = stmts,
                                           .stmt_count = count,
                                           .units = &unit,
                                           .unit_count = 1};
        struct recorder *r = open_recorder(NULL, (struct recorder_options){0});
        const struct sink sink = recorder_sink(r);
        assert_int_equal(sink.ops->begin(sink.context, &header), 0);
        sqlite3 *db = recorder_db(r);
        x[i] = value(db, "SELECT s.uid FROM v_stmt s WHERE text = 'x' ORDER BY stmt LIMIT 1");
        second_x[i] =
            value(db, "SELECT uid FROM v_stmt WHERE text = 'x' ORDER BY stmt LIMIT 1 OFFSET 1");
        y[i] = value(db, "SELECT uid FROM v_stmt WHERE text = 'y'");
        close_recorder(r);
    }
    assert_true(x[0] == x[1] && second_x[0] == second_x[1] && y[0] == y[1]);
    assert_true(x[0] != second_x[0] && x[0] != y[0]);
}

/* A statement is looked up by its id: nobody reads those of the whole program for the few that a
 * view names. */
static void views_look_statements_up(void **state)
{
    (void)state;
    static const char *const views[] = {"v_dep", "v_transfer", "main.slice"};
    struct recorder *r = record_sample((struct recorder_options){0});
    for (size_t i = 0; i < sizeof views / sizeof *views; i++) {
        char sql[120];
        unsigned found = 0;
        snprintf(sql, sizeof sql, "EXPLAIN QUERY PLAN SELECT * FROM %s", views[i]);
        sqlite3_stmt *s = NULL;
        assert_int_equal(sqlite3_prepare_v2(recorder_db(r), sql, -1, &s, NULL), SQLITE_OK);
        for (; sqlite3_step(s) == SQLITE_ROW; found++) {
            const char *plan = (const char *)sqlite3_column_text(s, 3);
            assert_null(strstr(plan, "MATERIALIZE"));
            assert_null(strstr(plan, "AUTOMATIC"));
        }
        assert_true(found >= 3);
        sqlite3_finalize(s);
    }
    close_recorder(r);
}

static void every_column_has_a_sentence(void **state)
{
    (void)state;
    struct recorder *r = record_sample((struct recorder_options){0});
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
    /* Columns of views have no declared type; their values are of the documented type. */
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
    int checked = 0;
    for (; sqlite3_step(columns) == SQLITE_ROW; checked++)
        assert_int_equal(value(db, (const char *)sqlite3_column_text(columns, 0)), 0);
    sqlite3_finalize(columns);
    assert_true(checked > 80);
    /* Every fact that stands in meta is documented too. */
    assert_int_equal(value(db, "SELECT count(*) FROM meta m WHERE NOT EXISTS (SELECT 1 FROM "
                               "schema_field f WHERE f.owner = 'meta' AND f.field = m.key)"),
                     0);
    assert_int_equal(value(db, "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND "
                               "sql NOT LIKE '%STRICT%'"),
                     0);
    close_recorder(r);
}

/* docs/trace-schema.md says what the file says; with TAKT_UPDATE_DOCS set it is written. */
static void page_is_up_to_date(void **state)
{
    (void)state;
    static const char path[] = "docs/trace-schema.md";
    static char page[1 << 20];
    char *made = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&made, &size);
    struct recorder *r = open_recorder(NULL, (struct recorder_options){0});
    sqlite3_stmt *s = NULL;
    assert_non_null(out);
    fprintf(
        out,
        "# Tables of a trace\n\nThe file says the same of itself: `SELECT * FROM "
        "schema_field`. All tables are STRICT; ids are small integers; texts that\nrepeat stand "
        "in `string`. Format %d.%d. Made by `TAKT_UPDATE_DOCS=1 "
        "build/tests/test_trace_recorder`.\n",
        SCHEMA_VERSION / 100, SCHEMA_VERSION % 100);
    /* The facts of meta are the last rows, behind those of all tables. */
    assert_int_equal(
        sqlite3_prepare_v2(
            recorder_db(r),
            "SELECT CASE WHEN field = '' THEN format(char(10) || '## %s' || char(10) || 'One row "
            "is %s.' || char(10), owner, sentence) ELSE iif(lag(field) OVER (ORDER BY rowid) = '' "
            "OR (owner = 'meta' AND lag(owner) OVER (ORDER BY rowid) <> 'meta'), iif(lag(field) "
            "OVER (ORDER BY rowid) = '', '', char(10) || '## Facts of meta' || char(10)) || "
            "char(10) || '| name | type | meaning |' || char(10) || '|---|---|---|' || char(10), "
            "'') || format('| `%s` | %s | %s |', field, type, sentence) || char(10) END "
            "FROM schema_field ORDER BY rowid",
            -1, &s, NULL),
        SQLITE_OK);
    while (sqlite3_step(s) == SQLITE_ROW)
        fputs((const char *)sqlite3_column_text(s, 0), out);
    sqlite3_finalize(s);
    close_recorder(r);
    fputs(
        "\n## Packed intervals\n`slice_chunk.data` has three LEB128 numbers for each interval:\n\n"
        "```\n[gap << 5 | reason] [duration] [zigzag(stmt - stmt of the interval before)]\n```\n"
        "`gap` is the cycles between the end of the interval before and this start. A chunk begins "
        "at cycle 0 and statement 0,\nso that it stands alone; statement numbers are modulo "
        "2^32, and 2^32 - 1 is none.\n",
        out);
    fclose(out);
    if (getenv("TAKT_UPDATE_DOCS")) {
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        fputs(made, file);
        fclose(file);
    }
    FILE *file = fopen(path, "r");
    if (!file)
        skip(); /* not run from the root */
    page[fread(page, 1, sizeof page - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(page, made);
    free(made);
}

/* What contradicts something else. */
static void tampering_is_found(void **state)
{
    (void)state;
    static const char *const changes[] = {
        "UPDATE meta SET value = value + 1 WHERE key = 'total_cycles'",
        "UPDATE meta SET value = value - 1 WHERE key = 'cycles_assumed'",
        "UPDATE meta SET value = value - 1 WHERE key = 'cycles_documented'",
        "UPDATE meta SET value = 0 WHERE key = 'complete'",
        "UPDATE meta SET value = 2 WHERE key = 'complete'",
        "DELETE FROM meta WHERE key = 'total_cycles'",
        "UPDATE counter SET value = value + 1 WHERE name = 'nops.tags' AND idx IS NULL",
        "UPDATE counter SET value = value + 1 WHERE name = 'nops.tags' AND idx = 3",
        "DELETE FROM counter WHERE name = 'nops.tags' AND idx = 1",
        "UPDATE unit_total SET cycles = cycles + 1 WHERE unit = 0 AND reason = 0",
        "UPDATE unit_total SET cycles = cycles + 1 WHERE unit = 1 AND reason <> 0",
        "UPDATE unit_total SET cycles = cycles + CASE reason WHEN 0 THEN 1 ELSE -1 END "
        "WHERE unit = 1",
        "UPDATE unit_total SET state = 1 WHERE unit = 1 AND reason = 0",
        "UPDATE cost SET cycles = cycles + 1 WHERE unit = 1 AND "
        "cost = (SELECT cost FROM stmt_cost_set WHERE stmt = 3)",
        "DELETE FROM cost WHERE unit = 1 AND cost = (SELECT cost FROM stmt_cost_set WHERE stmt = 3)",
        "UPDATE stmt_cost_set SET cost = 99 WHERE stmt = 3",
        "DELETE FROM stmt_cost_set WHERE stmt = 3",
        "UPDATE cost_set SET stmts = stmts + 1 WHERE cost = 0",
        "DELETE FROM cost_set WHERE cost = (SELECT cost FROM stmt_cost_set WHERE stmt = 3)",
        "UPDATE transfer SET started = 41",
        "UPDATE transfer SET finished = 3",
        "UPDATE transfer SET finished = 53",
        "UPDATE transfer SET waited = 53",
        "DELETE FROM transfer_attribute WHERE attribute = 1",
        "UPDATE dep SET first_released = first_at + 1 WHERE id = 1",
        "UPDATE dep SET first_at = last_at + 1 WHERE id = 2",
        "UPDATE dep SET last_at = 53 WHERE id = 2",
        "UPDATE crit SET duration = duration + 1 WHERE start = 4",
        "UPDATE crit SET start = start + 1 WHERE start = 4",
        "UPDATE crit SET duration = duration - 1 WHERE start = 48",
        "UPDATE bound SET cycles = 53 WHERE kind = 'path'",
        "UPDATE util_window SET busy = busy + 1 WHERE unit = 3 AND idx = 0",
        "UPDATE util_window SET busy = 17 WHERE unit = 3 AND idx = 1",
        "DELETE FROM stmt_row WHERE id = 4",
    };
    struct recorder *r = record_sample(
        (struct recorder_options){.intervals = true, .window_from = 0, .window_to = 52});
    sqlite3 *db = recorder_db(r);
    expect_sound(db);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        execute(db, "SAVEPOINT tamper");
        execute(db, changes[i]);
        assert_true(sqlite3_changes(db) > 0);
        if (value(db, "SELECT count(*) FROM v_check") == 0)
            fail_msg("not found: %s", changes[i]);
        execute(db, "ROLLBACK TO tamper; RELEASE tamper");
    }
    expect_sound(db);
    close_recorder(r);
}

/* The same binding edge in every turn of a loop is one row. */
static void edges_are_gathered(void **state)
{
    (void)state;
    struct recorder *r = open_recorder(NULL, (struct recorder_options){0});
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
                                    .waited = 7,
                                    .times = 1};
        assert_int_equal(sink.ops->edge(sink.context, &e), 0);
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
    struct recorder *r = open_recorder(NULL, (struct recorder_options){.intervals = true});
    const struct sink sink = recorder_sink(r);
    assert_int_equal(sample_long(&sink, MANY, 4, MANY), 0);
    sqlite3 *db = recorder_db(r);
    expect_sound(db);
    assert_int_equal(value(db, "SELECT count(*) FROM stmt"), MANY);
    assert_int_equal(value(db, "SELECT count(*) FROM stmt_total"), 2 * MANY);
    /* One cost for each of the four that statements have in turn, with two units. */
    assert_int_equal(value(db, "SELECT count(*) FROM stmt_cost_set"), MANY);
    assert_int_equal(value(db, "SELECT count(*) FROM cost"), 2 * 4);
    assert_int_equal(value(db, "SELECT count(*) FROM transfer"), MANY / 8);
    assert_int_equal(value(db, "SELECT sum(count) FROM slice_chunk"), 2 * MANY);
    assert_int_equal(value(db, "SELECT max(count) FROM slice_chunk"), 4096);
    /* Small numbers take a byte each. */
    assert_int_equal(value(db, "SELECT sum(length(data)) FROM slice_chunk WHERE start > 0 AND "
                               "count = 4096") /
                         value(db, "SELECT sum(count) FROM slice_chunk WHERE start > 0 AND count = "
                                   "4096"),
                     3);
    close_recorder(r);
}

/* The sink never changes the result, and the digest does not depend on the detail. */
static void digest_is_the_same(void **state)
{
    (void)state;
    uint64_t digests[3];
    for (int i = 0; i < 3; i++) {
        struct digest_sink digest;
        digest_init(&digest);
        struct recorder *r = open_recorder(NULL, (struct recorder_options){.intervals = i == 2});
        struct tee_sink tee;
        const struct sink sink =
            sink_tee(&tee, sink_digest(&digest), i == 0 ? sink_null() : recorder_sink(r));
        assert_true((sink.ops->interval != NULL) == (i == 2));
        assert_int_equal(sample_run(&sink), 0);
        digests[i] = digest.digest;
        assert_int_equal(digest.events, 6);
        close_recorder(r);
    }
    assert_true(digests[0] == digests[1] && digests[1] == digests[2]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_back),
        cmocka_unit_test(order_of_arrival_does_not_matter),
        cmocka_unit_test(warnings_without_end),
        cmocka_unit_test(texts_of_statements),
        cmocka_unit_test(uid_survives_moved_lines),
        cmocka_unit_test(views_look_statements_up),
        cmocka_unit_test(every_column_has_a_sentence),
        cmocka_unit_test(tampering_is_found),
        cmocka_unit_test(page_is_up_to_date),
        cmocka_unit_test(edges_are_gathered),
        cmocka_unit_test(many_statements),
        cmocka_unit_test(digest_is_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
