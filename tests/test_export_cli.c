/* takt export as a user meets it: every example for the viewers, read back by readers that know
 * nothing of takt's. */
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
#include <math.h>
#include <sqlite3.h>

#include "tests/takt_expect.h"
#include "tests/takt_process.h"

static const char *const examples[] = {
    "examples/mncore2/fma.vsm", "examples/mncore2/matmul.vsm",   "examples/mncore2/reduce.vsm",
    "examples/amx/block.amx",   "examples/amx/accumulators.amx", "examples/amx/matmul.amx",
};
enum { EXAMPLES = sizeof examples / sizeof *examples };

static int64_t ask(const char *trace, const char *sql, const char *name)
{
    sqlite3 *db = NULL;
    sqlite3_stmt *s = NULL;
    assert_int_equal(sqlite3_open_v2(trace, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &s, NULL), SQLITE_OK);
    if (name)
        sqlite3_bind_text(s, 1, name, -1, SQLITE_STATIC);
    assert_int_equal(sqlite3_step(s), SQLITE_ROW);
    const int64_t value = sqlite3_column_int64(s, 0);
    sqlite3_finalize(s);
    sqlite3_close(db);
    return value;
}

/* The same, looked up once for each name. */
static int64_t ask_once(json_t *known, const char *trace, const char *sql, const char *name)
{
    if (!json_object_get(known, name))
        json_object_set_new(known, name, json_integer(ask(trace, sql, name)));
    return json_integer_value(json_object_get(known, name));
}

/* The name of a track or counter up to the mark; " x4" of folded units goes, too. */
static void unit_name(char *name, size_t size, const char *text, const char *mark)
{
    const char *end = mark ? strstr(text, mark) : text + strlen(text);
    assert_non_null(end);
    snprintf(name, size, "%.*s", (int)(end - text), text);
    char *times = strstr(name, " x");
    if (times)
        *times = '\0';
}

/* --- perfetto --------------------------------------------------------------------------------- */

/* No unit passes more bytes in a cycle than its width, the last event ends with the run, and each
 * unit is busy as long as its total says. */
static void perfetto_is_within_the_machine(void **state)
{
    (void)state;
    static const char waiting[] = "SELECT count(*) FROM reason WHERE name = ?1 AND state > 0";
    static const char width_of[] = "SELECT 8 * width * instances FROM unit WHERE name = ?1";
    for (size_t i = 0; i < EXAMPLES; i++) {
        const char *trace = takt_record(examples[i], "--detail");
        struct takt_result r = takt_run(ARGS("export", trace, "--format", "perfetto"));
        assert_int_equal(r.exit_code, 0);
        json_t *root = json_loads(r.out, JSON_REJECT_DUPLICATES, NULL), *e;
        json_t *names = json_object(), *busy = json_object();
        json_t *waits = json_object(), *widths = json_object();
        const int64_t cycles =
            ask(trace, "SELECT value FROM meta WHERE key = 'total_cycles'", NULL);
        size_t k, counters = 0;
        json_array_foreach(json_object_get(root, "traceEvents"), k, e)
        {
            const char *phase = json_string_value(json_object_get(e, "ph"));
            const char *name = json_string_value(json_object_get(e, "name"));
            const double ns = 1000 * json_number_value(json_object_get(e, "ts"));
            const double dur = 1000 * json_number_value(json_object_get(e, "dur"));
            char unit[100], track[24];
            snprintf(track, sizeof track, "%lld",
                     (long long)json_integer_value(json_object_get(e, "tid")));
            const bool of_units = json_integer_value(json_object_get(e, "pid")) == 1;
            assert_true(llround(ns + dur) <= cycles);
            if (!strcmp(phase, "C") && strstr(name, " bytes/cycle")) {
                unit_name(unit, sizeof unit, name, " bytes/cycle");
                const double value =
                    json_number_value(json_object_get(json_object_get(e, "args"), "value"));
                const int64_t width = ask_once(widths, trace, width_of, unit);
                if (value > (double)width)
                    fail_msg("%s: %s %g of %lld", examples[i], name, value, (long long)width);
                counters++;
            } else if (of_units && !strcmp(phase, "M") && !strcmp(name, "thread_name")) {
                json_object_set(names, track, json_object_get(json_object_get(e, "args"), "name"));
            } else if (of_units && !strcmp(phase, "X") && !ask_once(waits, trace, waiting, name)) {
                const json_int_t before = json_integer_value(json_object_get(busy, track));
                json_object_set_new(busy, track, json_integer(before + llround(dur)));
            }
        }
        const char *key;
        json_object_foreach(names, key, e)
        {
            char unit[100];
            unit_name(unit, sizeof unit, json_string_value(e), NULL);
            assert_int_equal(json_integer_value(json_object_get(busy, key)),
                             ask(trace, "SELECT busy FROM v_util WHERE unit = ?1", unit));
        }
        assert_true(json_object_size(names) > 0);
        assert_true(counters > 0 || i > 0); /* fma.vsm has transfers */
        json_decref(names);
        json_decref(busy);
        json_decref(waits);
        json_decref(widths);
        json_decref(root);
        takt_result_free(&r);
    }
}

/* --- konata ----------------------------------------------------------------------------------- */

/* Fields of one line, at most six. */
static int fields_of(char *line, char **fields)
{
    int count = 0;
    for (char *rest = line; count < 6 && (fields[count] = strsep(&rest, "\t")) != NULL;)
        count++;
    return count;
}

struct konata {
    json_t *open;   /* "row lane" -> begin */
    json_t *rows;   /* row -> stages open; -1: retired */
    json_t *cycles; /* stage's name -> cycles */
    uint64_t cycle;
};

static json_int_t get(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    assert_non_null(value);
    return json_integer_value(value);
}

static void read_stage(struct konata *k, bool begins, char **fields)
{
    char key[64];
    snprintf(key, sizeof key, "%s %s", fields[1], fields[2]);
    const json_int_t open = get(k->rows, fields[1]);
    assert_true(open >= 0);
    json_object_set_new(k->rows, fields[1], json_integer(begins ? open + 1 : open - 1));
    if (begins) {
        assert_null(json_object_get(k->open, key));
        json_object_set_new(k->open, key, json_integer((json_int_t)k->cycle));
        return;
    }
    const json_int_t length = (json_int_t)k->cycle - get(k->open, key);
    assert_true(length > 0);
    json_object_del(k->open, key);
    const json_int_t before = json_integer_value(json_object_get(k->cycles, fields[3]));
    json_object_set_new(k->cycles, fields[3], json_integer(before + length));
}

/* The rules of the format: time goes on, rows are numbered as they come, stages of a lane follow
 * each other, and a row retires once, when none of its stages is open. */
static struct konata read_konata(char *text)
{
    struct konata k = {json_object(), json_object(), json_object(), 0};
    long rows = 0, retired = 0;
    char *rest = text, *line = strsep(&rest, "\n");
    assert_string_equal(line, "Kanata\t0004");
    while ((line = strsep(&rest, "\n")) != NULL && *line) {
        char *f[6];
        const int count = fields_of(line, f);
        if (!strcmp(f[0], "C=")) {
            assert_int_equal(count, 2);
            k.cycle = strtoull(f[1], NULL, 10);
        } else if (!strcmp(f[0], "C")) {
            assert_true(count == 2 && strtoll(f[1], NULL, 10) > 0);
            k.cycle += strtoull(f[1], NULL, 10);
        } else if (!strcmp(f[0], "I")) {
            assert_int_equal(count, 4);
            assert_int_equal(atol(f[1]), rows++);
            json_object_set_new(k.rows, f[1], json_integer(0));
        } else if (!strcmp(f[0], "L")) {
            assert_true(count == 4 && json_object_get(k.rows, f[1]));
        } else if (!strcmp(f[0], "S") || !strcmp(f[0], "E")) {
            assert_int_equal(count, 4);
            read_stage(&k, *f[0] == 'S', f);
        } else {
            assert_string_equal(f[0], "R");
            assert_int_equal(count, 4);
            assert_int_equal(atol(f[2]), retired++);
            assert_int_equal(get(k.rows, f[1]), 0);
            json_object_set_new(k.rows, f[1], json_integer(-1));
        }
    }
    assert_int_equal(rows, retired);
    assert_int_equal(json_object_size(k.open), 0);
    return k;
}

/* Cycles in the log are those of the trace. */
static void konata_has_the_cycles(void **state)
{
    (void)state;
    for (size_t i = 0; i < EXAMPLES; i++) {
        const char *trace = takt_record(examples[i], "--detail");
        struct takt_result r = takt_run(ARGS("export", trace, "--format", "konata"));
        assert_int_equal(r.exit_code, 0);
        struct konata k = read_konata(r.out);
        assert_true(k.cycle <= (uint64_t)ask(trace,
                                             "SELECT value FROM meta WHERE key = 'total_cycles'",
                                             NULL));
        const char *name;
        json_t *cycles;
        const bool one = ask(trace, "SELECT count(*) FROM unit WHERE kind = 'issue'", NULL) == 1;
        json_object_foreach(k.cycles, name, cycles)
        {
            static const char of_stream[] =
                "SELECT sum(t.cycles) FROM unit_total t JOIN unit u ON u.id = t.unit "
                "JOIN reason y ON y.id = t.reason WHERE u.kind = 'issue' AND y.name = ?1";
            const int64_t have = json_integer_value(cycles);
            char unit[100];
            unit_name(unit, sizeof unit, name, NULL);
            if (!strcmp(name, "move"))
                assert_int_equal(have,
                                 ask(trace, "SELECT sum(finished - started) FROM transfer", NULL));
            else if (!strcmp(name, "queue"))
                assert_int_equal(have,
                                 ask(trace, "SELECT sum(started - issued) FROM transfer", NULL));
            else if (ask(trace, "SELECT count(*) FROM unit WHERE name = ?1", unit))
                /* What transfers do on units is their stage `move`. */
                assert_int_equal(
                    have, ask(trace,
                              "SELECT sum(c.cycles) FROM stmt_total c JOIN unit u ON u.id = c.unit "
                              "JOIN reason y ON y.id = c.reason WHERE u.name = ?1 AND y.state = 0 "
                              "AND c.stmt NOT IN (SELECT stmt FROM transfer)",
                              unit));
            else if (one)
                assert_int_equal(have, ask(trace, of_stream, strcmp(name, "Is") ? name : "busy"));
        }
        assert_true(json_object_size(k.cycles) > 1);
        json_decref(k.open);
        json_decref(k.rows);
        json_decref(k.cycles);
        takt_result_free(&r);
    }
}

static void konata_needs_intervals(void **state)
{
    (void)state;
    const char *trace = takt_temp_path("plain.db");
    unlink(trace);
    takt_expect(ARGS("run", "examples/mncore2/fma.vsm", "--trace", trace, "--quiet", "--no-detail"),
                0, NULL, NULL);
    takt_expect(ARGS("export", trace, "--format", "konata"), 1, NULL, "no intervals");
}

/* --- large traces ----------------------------------------------------------------------------- */

static char *large_program(size_t statements)
{
    static const char body[] = "lpassa $lm0v $lr0v\nnop/2\nfvfma $lm0v $lm0v $lr0v $ln0v\nnop/2\n";
    char *text = malloc(statements / 4 * (sizeof body - 1) + 1);
    assert_non_null(text);
    for (size_t i = 0; i < statements / 4; i++)
        memcpy(text + i * (sizeof body - 1), body, sizeof body);
    return text;
}

/* A hundred thousand statements stay below 20 MB: the cycles that fit, with a sentence; or all of
 * them, compressed. */
static void large_traces_stay_small(void **state)
{
    (void)state;
    enum { MOST = 20000000 };
    char *text = large_program(100000);
    const char *program = takt_temp_file("large.vsm", text);
    const char *trace = takt_temp_path("large.db"), *out = takt_temp_path("large.json");
    const char *packed = takt_temp_path("large.json.gz");
    unlink(trace);
    takt_expect(ARGS("run", program, "--timing-only", "--trace", trace, "--detail", "--quiet",
                     "--silence", "all"),
                0, NULL, NULL);
    takt_expect(ARGS("export", trace, "--format", "perfetto", "--output", out), 0, NULL,
                "takt export: only the cycles 0 to ");
    takt_expect(ARGS("export", trace, "--format", "perfetto", "--events", "0", "--output", packed),
                0, "", NULL);
    size_t size = 0, packed_size = 0;
    char *whole = takt_read_file(out, &size), *small = takt_read_file(packed, &packed_size);
    assert_in_range(size, MOST / 2, MOST);
    assert_in_range(packed_size, MOST / 100, MOST);
    json_t *root = json_loadb(whole, size, 0, NULL);
    /* About as many as promised, besides the counters of 1024 windows a unit. */
    assert_in_range(json_array_size(json_object_get(root, "traceEvents")), 110000, 170000);
    assert_int_equal((unsigned char)small[0], 0x1f); /* what gzip starts with */
    assert_int_equal((unsigned char)small[1], 0x8b);
    json_decref(root);
    free(whole);
    free(small);
    free(text);
    takt_expect(ARGS("export", trace, "--format", "html", "--events", "5"), 2, NULL,
                "--events goes with --format perfetto or konata");
    takt_expect(ARGS("export", trace, "--format", "konata", "--window", "100:200"), 0,
                "Kanata\t0004\nC=\t", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(perfetto_is_within_the_machine),
        cmocka_unit_test(konata_has_the_cycles),
        cmocka_unit_test(konata_needs_intervals),
        cmocka_unit_test(large_traces_stay_small),
    };
    return cmocka_run_group_tests_name("export", tests, NULL, NULL);
}
