/* Transfers that a recorder is told while the program runs (timing/sink.h, transfers_ahead) are those that it is told
 * at the end: a trace of totals, which hears them ahead, beside one of a window, which does not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "timing/machine.h"
#include "traces/recorder.h"
#include "tests/bench/dice.h"

enum { LINE = 64, FOLDER = 64 };

/* Some 40 % of the statements issue transfers; what is said of the others is a share of 16. */
struct shape {
    size_t statements;
    unsigned waits; /* statements that wait */
    unsigned untagged; /* transfers without a tag */
    unsigned tags;
    unsigned period; /* statements after which the program begins anew; 0: never */
    unsigned size; /* most unit operations of a transfer */
    bool crowded;  /* all on one link, in all priorities */
};

static char *make_text(const struct shape *shape)
{
    char *text = malloc(shape->statements * LINE + 1), *at = text;
    assert_non_null(text);
    *at = '\0';
    const uint64_t begin = state;
    for (size_t i = 0; i < shape->statements; i++) {
        if (shape->period && i % shape->period == 0) {
            state = begin;
        }
        const unsigned what = pick(16), tag = 1 + pick(shape->tags), group = shape->crowded ? 0 : pick(4);
        if (what < shape->waits) {
            at += snprintf(at, LINE, "nop; wait i%02x\n", tag);
        } else if (what < 10) {
            at += snprintf(at, LINE, "mvp/n%u", 64 * (1 + pick(shape->size)));
            if (pick(16) >= shape->untagged) {
                at += snprintf(at, LINE, "i%02x", tag);
            }
            if (shape->crowded) {
                at += snprintf(at, LINE, "p%u", pick(4));
            }
            at += snprintf(at, LINE, " $d%u@%u $lc%u@%u.%u\n", 64 * pick(100), group, 64 * pick(100), group,
                           pick(2));
        } else {
            at += snprintf(at, LINE, "fvmul $lm%uv $ln%uv $nowrite\n", 8 * pick(4), 8 * pick(4));
        }
    }
    return text;
}

/* stop: after so many turns of the budget; SIZE_MAX: never. Returns whether the run came to its end. */
static bool record(const char *text, const char *path, uint64_t window, uint64_t budget, size_t stop,
                   bool close_only)
{
    const struct machine *machine = &machine_mncore2;
    struct source source;
    struct diag_list diags;
    struct config config;
    struct machine_program *program = NULL;
    struct machine_run *run = NULL;
    struct recorder *recorder = NULL;
    char error[MACHINE_ERROR] = "";
    assert_int_equal(source_from_text(&source, "ahead.vsm", text, strlen(text)), 0);
    diag_list_init(&diags);
    assert_int_equal(machine_config(machine, &config, error, sizeof error), 0);
    assert_int_equal(machine->load(&program, &source, 1, &diags), 0);
    assert_int_equal(machine->check(program, &config, NULL, &diags), 0);
    const struct recorder_options recording = {.window_to = window};
    assert_int_equal(recorder_open(&recorder, path, &recording, error, sizeof error), 0);
    const struct sink sink = recorder_sink(recorder);
    assert_int_equal(sink.ops->transfers_ahead != NULL, window == 0);
    const struct run_options options = {.timing_only = true, .threads = 1, .command = ""};
    assert_int_equal(machine->open(&run, program, &config, &options, &sink, &diags, error), 0);
    enum run_status status = RUN_MORE;
    for (size_t turn = 0; status == RUN_MORE && turn < stop; turn++) {
        status = machine->advance(run, budget, &diags, error);
    }
    assert_true(status == RUN_MORE || status == RUN_DONE);
    if (status == RUN_MORE && !close_only) {
        assert_int_equal(machine->stop(run), 0);
    }
    machine->close(run);
    assert_int_equal(recorder_close(recorder, error, sizeof error), 0);
    machine->unload(program);
    config_free(&config);
    diag_list_free(&diags);
    source_close(&source);
    return status == RUN_DONE;
}

static sqlite3_stmt *rows_of(sqlite3 *db, const char *sql)
{
    sqlite3_stmt *s = NULL;
    if (sqlite3_prepare_v2(db, sql, -1, &s, NULL) != SQLITE_OK) {
        fail_msg("%s: %s", sql, sqlite3_errmsg(db));
    }
    return s;
}

/* Row by row; returns how many. */
static size_t same_rows(sqlite3 *a, sqlite3 *b, const char *sql)
{
    sqlite3_stmt *x = rows_of(a, sql), *y = rows_of(b, sql);
    size_t count = 0;
    for (; sqlite3_step(x) == SQLITE_ROW; count++) {
        assert_int_equal(sqlite3_step(y), SQLITE_ROW);
        for (int i = 0; i < sqlite3_column_count(x); i++) {
            const char *left = (const char *)sqlite3_column_text(x, i),
                       *right = (const char *)sqlite3_column_text(y, i);
            assert_string_equal(left ? left : "NULL", right ? right : "NULL");
        }
    }
    assert_int_equal(sqlite3_step(y), SQLITE_DONE);
    sqlite3_finalize(x);
    sqlite3_finalize(y);
    return count;
}

static void no_row(sqlite3 *db, const char *sql)
{
    sqlite3_stmt *s = rows_of(db, sql);
    if (sqlite3_step(s) == SQLITE_ROW) {
        fail_msg("%s: %s", sql, (const char *)sqlite3_column_text(s, 0));
    }
    sqlite3_finalize(s);
}

static void sound(sqlite3 *db)
{
    no_row(db, "SELECT * FROM v_check");
    no_row(db, "SELECT * FROM pragma_integrity_check WHERE integrity_check <> 'ok'");
    no_row(db, "SELECT * FROM transfer WHERE stmt NOT IN (SELECT id FROM stmt) OR "
               "waited_by NOT IN (SELECT id FROM stmt) OR mode NOT IN (SELECT id FROM string)");
    no_row(db, "SELECT * FROM dep WHERE src NOT IN (SELECT id FROM stmt) OR "
               "dst NOT IN (SELECT id FROM stmt) OR rule NOT IN (SELECT id FROM string)");
}

struct folder {
    char path[FOLDER], ahead[FOLDER + 16], late[FOLDER + 16];
};

static void make_folder(struct folder *folder)
{
    strcpy(folder->path, "/tmp/takt-ahead-XXXXXX");
    assert_non_null(mkdtemp(folder->path));
    snprintf(folder->ahead, sizeof folder->ahead, "%s/ahead.db", folder->path);
    snprintf(folder->late, sizeof folder->late, "%s/late.db", folder->path);
}

static void remove_folder(const struct folder *folder)
{
    unlink(folder->ahead);
    unlink(folder->late);
    assert_int_equal(rmdir(folder->path), 0);
}

static const struct shape shapes[] = {
    {9000, 3, 0, 8, 0, 4, false},    /* each transfer is waited for, sooner or later */
    {9000, 3, 2, 200, 0, 4, false},  /* tags that nobody waits for for long, and none */
    {9000, 0, 4, 20, 0, 2, false},   /* nobody waits: nothing can be told ahead */
    {9000, 0, 16, 20, 0, 2, false},  /* no tags: everything can */
    {4000, 2, 0, 6, 0, 40, true},    /* more causes than a transfer has room for */
    {60000, 3, 0, 8, 500, 4, false}, /* repetitions, which come at once */
    {130000, 3, 1, 8, 0, 4, false},  /* long: told to another thread */
    {130000, 3, 1, 8, 1000, 4, false},
};

/* budget: statements at a time; stop, close_only: as record takes them. Returns the transfers. */
static size_t compare(const struct shape *shape, uint64_t budget, size_t stop, bool close_only)
{
    struct folder folder;
    make_folder(&folder);
    char *text = make_text(shape);
    const bool ended = record(text, folder.ahead, 0, budget, stop, close_only);
    assert_int_equal(record(text, folder.late, 1, budget, stop, close_only), ended);
    sqlite3 *ahead = NULL, *late = NULL;
    assert_int_equal(sqlite3_open(folder.ahead, &ahead), SQLITE_OK);
    assert_int_equal(sqlite3_open(folder.late, &late), SQLITE_OK);
    sound(ahead);
    sound(late);
    const size_t transfers = same_rows(
        ahead, late,
        "SELECT t.*, s.text FROM (SELECT id, stmt, tag, priority, long_words, bytes, issued, started, "
        "finished, waited, waited_by, limited_by, mode FROM transfer) t JOIN string s ON s.id = t.mode "
        "ORDER BY t.id");
    same_rows(ahead, late,
              "SELECT d.id, d.src, d.dst, d.kind, d.unit, d.times, d.waited, d.tight, d.min_slack, "
              "d.first_released, d.first_at, d.last_released, d.last_at, s.text FROM dep d LEFT JOIN "
              "string s ON s.id = d.rule ORDER BY d.id");
    same_rows(ahead, late, "SELECT id, uid, line FROM stmt ORDER BY id");
    same_rows(ahead, late, "SELECT key, value FROM meta WHERE key NOT LIKE 'window%' AND key NOT IN "
                           "('detail', 'partial', 'program_hash') ORDER BY key");
    sqlite3_close(ahead);
    sqlite3_close(late);
    free(text);
    remove_folder(&folder);
    return transfers;
}

static void as_at_the_end(void **unused)
{
    (void)unused;
    state = BENCH_SEED;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        assert_true(compare(&shapes[i], UINT64_MAX, SIZE_MAX, false) > shapes[i].statements / 4);
    }
}

/* Stopped anywhere, also by closing what was not stopped: then nothing of the run is recorded. */
static void stopped_on_the_way(void **unused)
{
    (void)unused;
    state = BENCH_SEED;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        const uint64_t budget = 1 + shapes[i].statements / 8;
        if (shapes[i].period) {
            continue; /* totals come further in a turn than intervals */
        }
        for (size_t stop = 1; stop < 8; stop += 3) {
            assert_true(compare(&shapes[i], budget, stop, false) <= stop * budget);
            assert_int_equal(compare(&shapes[i], budget, stop, true), 0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_at_the_end),
                                       cmocka_unit_test(stopped_on_the_way)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
