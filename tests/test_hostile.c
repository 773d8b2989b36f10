/* Files that are written as a whole or not at all, under whatever names; traces of which a byte is
 * another one. */
#include <dirent.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <sqlite3.h>

#include "tests/dice.h"
#include "tests/emulator.h"
#include "tests/often.h"
#include "tests/takt_expect.h"
#include "tests/takt_process.h"

static const char program[] = "examples/mncore2/fma.vsm";

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void expect_text(const char *path, const char *text)
{
    char *found = takt_read_file(path, NULL);
    assert_non_null(found);
    assert_string_equal(found, text);
    free(found);
}

static char *beside(const char *path, const char *name)
{
    char *joined = NULL;
    assert_true(asprintf(&joined, "%.*s/%s", (int)(strrchr(path, '/') - path), path, name) > 0);
    return joined;
}

/* One file by two names: links of both kinds, and links to what does not exist yet. */
static void one_file_by_two_names(void **state)
{
    (void)state;
    const char *own = takt_temp_file("own.loops", "for i in 4:\n");
    char *soft = beside(own, "soft"), *hard = beside(own, "hard"), *soon = beside(own, "soon");
    char *later = beside(own, "later");
    assert_int_equal(symlink("own.loops", soft), 0);
    assert_int_equal(link(own, hard), 0);
    assert_int_equal(symlink("later", soon), 0);
    static const char *const options[] = {"--trace", "--dump", "--events"};
    for (size_t i = 0; i < 3; i++) {
        const char *other = options[(i + 1) % 3];
        takt_expect(ARGS("run", own, options[i], soft), 2, NULL, "would write over");
        takt_expect(ARGS("run", own, options[i], hard), 2, NULL, "would write over");
        takt_expect(ARGS("run", own, options[i], later, other, soon), 2, NULL, "would both write");
        takt_expect(ARGS("run", program, "--config", own, options[i], hard), 2, NULL,
                    "would write over");
    }
    takt_expect(ARGS("run", own, "--trace", "x", "--dump", "./x.partial"), 2, NULL, "both write");
    takt_expect(ARGS("diff", own, hard, "--html", soft), 2, NULL, "would write over");
    takt_expect(ARGS("schedule", own, "--out", soft), 2, NULL, "would write over");
    takt_expect(ARGS("advise", own, "--apply", hard), 2, NULL, "would write over");
    expect_text(own, "for i in 4:\n");
    unlink(soft), unlink(hard), unlink(soon);
    free(soft), free(hard), free(soon), free(later);
}

/* A link stays one, whether its target exists or not, and of every output alike. */
static void links_are_followed(void **state)
{
    (void)state;
    static const char *const options[] = {"--trace", "--dump", "--events", "--save"};
    for (size_t i = 0; i < 4; i++)
        for (int exists = 0; exists < 2; exists++) {
            struct stat status;
            char text[600];
            const char *target = takt_temp_path("target");
            char *name = beside(target, "link");
            unlink(target), unlink(name);
            if (exists)
                write_file(target, "");
            assert_int_equal(symlink("target", name), 0);
            snprintf(text, sizeof text, "%s%s", i == 3 ? "d@0:0+1=" : "", name);
            takt_expect(ARGS("run", program, "--quiet", options[i], text), 0, "", "");
            assert_int_equal(lstat(name, &status), 0);
            assert_true(S_ISLNK(status.st_mode));
            assert_int_equal(stat(target, &status), 0);
            assert_true(S_ISREG(status.st_mode) && (status.st_size > 0 || i == 1));
            unlink(target), unlink(name);
            free(name);
        }
}

/* A fixed temporary name would be somebody's: of a trace it is refused, of others there is none. */
static void names_of_others_stay(void **state)
{
    (void)state;
    const char *name = takt_temp_path("p");
    char *partial = beside(name, "p.partial");
    write_file(partial, "# a program of somebody\n");
    takt_expect(ARGS("run", program, "--quiet", "--trace", name), 1, NULL, "is not changed");
    takt_expect(ARGS("run", program, "--quiet", "--dump", name), 0, "", "");
    takt_expect(ARGS("run", program, "--quiet", "--events", name), 0, "", "");
    expect_text(partial, "# a program of somebody\n");
    unlink(partial), unlink(name);
    free(partial);
}

/* What stood there stays whole, and nothing is left beside it. */
static void full_disks_keep_the_old(void **state)
{
    (void)state;
    static const char *const options[] = {"--dump", "--events", "--save"};
    struct rlimit before, limit;
    getrlimit(RLIMIT_FSIZE, &before);
    for (size_t i = 0; i < 3; i++) {
        const char *path = takt_temp_path("kept");
        char text[600], list[700];
        write_file(path, "old\n");
        snprintf(text, sizeof text, "%s%s", i == 2 ? "d@0:0+100000=" : "", path);
        limit = (struct rlimit){10, before.rlim_max};
        setrlimit(RLIMIT_FSIZE, &limit);
        struct takt_result run =
            takt_run(ARGS("run", "examples/mncore2/matmul.vsm", "--quiet", options[i], text));
        setrlimit(RLIMIT_FSIZE, &before);
        assert_int_equal(run.exit_code, 3);
        takt_result_free(&run);
        expect_text(path, "old\n");
        snprintf(list, sizeof list, "ls %s.* >/dev/null 2>&1", path);
        assert_int_not_equal(system(list), 0);
        unlink(path);
    }
}

/* A finished trace stays what it is while a run of its name fails, even where another client has
 * locked it and a journal lies beside it; the next run that is whole takes its place. */
static void finished_traces_stay(void **state)
{
    (void)state;
    char *path = strdup(takt_temp_path("finished.db")), *journal = NULL;
    struct rlimit before, limit;
    sqlite3 *db = NULL;
    size_t size = 0, now = 0;
    assert_true(asprintf(&journal, "%s-journal", path) > 0);
    takt_expect(ARGS("run", program, "--quiet", "--trace", path), 0, "", "");
    char *whole = takt_read_file(path, &size);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "BEGIN EXCLUSIVE", NULL, NULL, NULL), SQLITE_OK);
    getrlimit(RLIMIT_FSIZE, &before);
    for (rlim_t most = 0; most < 160000; most += 40000) {
        write_file(journal, "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7");
        limit = (struct rlimit){most, before.rlim_max};
        setrlimit(RLIMIT_FSIZE, &limit);
        struct takt_result run = takt_run(ARGS("run", program, "--quiet", "--trace", path));
        setrlimit(RLIMIT_FSIZE, &before);
        assert_int_equal(run.exit_code, 3);
        takt_result_free(&run);
        char *found = takt_read_file(path, &now);
        assert_int_equal(now, size);
        assert_memory_equal(found, whole, size);
        free(found);
    }
    takt_expect(ARGS("run", program, "--quiet", "--timing-only", "--trace", path), 0, "", "");
    sqlite3_close(db);
    takt_expect(ARGS("query", "--csv", path, "SELECT value FROM meta WHERE key = 'complete'"), 0,
                "value\r\n1\r\n", "");
    assert_int_not_equal(access(journal, F_OK), 0);
    unlink(path);
    free(path), free(journal), free(whole);
}

/* --- damaged traces --------------------------------------------------------------------------- */

static const char *const readers[][4] = {
    {"report"},
    {"report", "--json"},
    {"timeline", "--json"},
    {"timeline", "--statements"},
    {"export", "--format", "perfetto"},
    {"export", "--format", "konata"},
    {"export", "--format", "html"},
    {"export", "--format", "csv"},
    {"export", "--format", "json"},
};
enum { READERS = sizeof readers / sizeof *readers };

static struct takt_result read_by(size_t reader, const char *trace)
{
    const char *arguments[8] = {NULL};
    size_t n = 0;
    for (; n < 4 && readers[reader][n]; n++)
        arguments[n] = readers[reader][n];
    arguments[n] = trace;
    return takt_run(arguments);
}

static void put(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

/* Every answer is that of the whole trace, or a sentence. */
static void damage(void **state)
{
    (void)state;
    enum { PAGE = 4096 };
    struct dice dice = {5};
    const char *path = takt_temp_path("whole.db");
    takt_expect(ARGS("run", program, "--quiet", "--detail", "--trace", path), 0, "", "");
    size_t size = 0;
    char *whole = takt_read_file(path, &size), *other = malloc(size);
    struct takt_result good[READERS];
    assert_non_null(other);
    for (size_t r = 0; r < READERS; r++) {
        good[r] = read_by(r, path);
        assert_int_equal(good[r].exit_code, 0);
    }
    const size_t rounds = often(60);
    size_t refused = 0;
    for (size_t i = 0; i < rounds; i++) {
        memcpy(other, whole, size);
        const size_t at = dice_below(&dice, size);
        char *page = other + at / PAGE * PAGE;
        const size_t length =
            (size_t)(other + size - page) < PAGE ? (size_t)(other + size - page) : (size_t)PAGE;
        switch (i % 4) {
        case 1: /* the count of changes, too, by which a user's own are known */
            other[24 + dice_below(&dice, 4)] ^= (char)(1 << dice_below(&dice, 8));
            /* fall through */
        case 0:
            other[at] = (char)(other[at] ^ (1 << dice_below(&dice, 8)));
            break;
        case 2:
            memset(page, dice_below(&dice, 2) ? 0 : 0xff, length);
            break;
        default:
            memmove(page, whole + dice_below(&dice, size / PAGE) * PAGE, length);
        }
        put(path, other, size);
        const size_t r = i % READERS;
        struct takt_result run = read_by(r, path);
        const bool same = run.exit_code == 0 && run.out_size == good[r].out_size &&
                          memcmp(run.out, good[r].out, run.out_size) == 0;
        if (!same && (run.exit_code != 1 || !run.err_size))
            fail_msg("byte %zu: takt %s %s: exit %d %.300s", at, readers[r][0],
                     readers[r][1] ? readers[r][1] : "", run.exit_code, run.err);
        refused += !same;
        takt_result_free(&run);
    }
    assert_true(refused > rounds / 2);
    for (size_t r = 0; r < READERS; r++)
        takt_result_free(&good[r]);
    unlink(path);
    free(whole);
    free(other);
}

/* What SQLite changes in a trace, a user does: it is read. What takt changes is summed up again. */
static void changes_are_no_damage(void **state)
{
    (void)state;
    const char *path = takt_temp_path("changed.db");
    takt_expect(ARGS("run", program, "--quiet", "--detail", "--trace", path), 0, "", "");
    takt_expect(ARGS("trace", "materialize", "--window", "0:20", path), 0, NULL, "");
    size_t size = 0;
    char *whole = takt_read_file(path, &size);
    whole[size / 2] = (char)(whole[size / 2] ^ 1);
    put(path, whole, size);
    takt_expect(ARGS("report", path), 1, "", "is damaged");
    whole[size / 2] = (char)(whole[size / 2] ^ 1);
    put(path, whole, size);
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(
        sqlite3_exec(db, "CREATE TABLE mine (a); INSERT INTO mine VALUES (1)", NULL, NULL, NULL),
        SQLITE_OK);
    sqlite3_close(db);
    takt_expect(ARGS("report", path), 0, NULL, "");
    takt_expect(ARGS("query", "--csv", path, "SELECT a FROM mine"), 0, "a\r\n1\r\n", "");
    unlink(path);
    free(whole);
}

/* One row takes longer than the query may: the answer is 200 MB wide, and its reader slow. */
static void seconds_hold_within_a_row(void **state)
{
    (void)state;
    const char *path = takt_temp_path("slow.db");
    takt_expect(ARGS("run", program, "--quiet", "--trace", path), 0, "", "");
    takt_expect(ARGS("query", "--seconds", "1", path,
                     "SELECT length(replace(hex(zeroblob(100000000)), '00', 'ab') LIKE "
                     "'%a%b%a%c'), zeroblob(200000000), zeroblob(200000001) FROM stmt, stmt"),
                1, "", "stopped after 1 s");
    unlink(path);
}

/* Runs at once with one name: each ends well, and what stands there is what one of them wrote. */
static void runs_of_one_name(void **state)
{
    (void)state;
    enum { RUNS = 4 };
    const char *takt = getenv("TAKT") ? getenv("TAKT") : "build/takt";
    char *path = strdup(takt_temp_path("dump"));
    takt_expect(ARGS("run", "examples/mncore2/matmul.vsm", "--quiet", "--dump", path), 0, "", "");
    char *alone = takt_read_file(path, NULL);
    assert_true(alone && alone[0]);
    for (int round = 0; round < 3; round++) {
        pid_t runs[RUNS];
        for (int i = 0; i < RUNS; i++) {
            runs[i] = fork();
            if (runs[i] == 0) {
                execl(takt, takt, "run", "examples/mncore2/matmul.vsm", "--quiet", "--dump", path,
                      (char *)NULL);
                _exit(127);
            }
            assert_true(runs[i] > 0);
        }
        for (int i = 0; i < RUNS; i++) {
            int status;
            assert_int_equal(waitpid(runs[i], &status, 0), runs[i]);
            assert_int_equal(status, 0);
        }
        expect_text(path, alone);
    }
    unlink(path);
    free(alone);
    free(path);
}

/* Somebody else writes to the trace: no answer, and no waiting without an end. */
static void readers_beside_a_writer(void **state)
{
    (void)state;
    char *path = strdup(takt_temp_path("locked.db"));
    takt_expect(ARGS("run", program, "--quiet", "--trace", path), 0, "", "");
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(
        sqlite3_exec(db, "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE", NULL, NULL, NULL),
        SQLITE_OK);
    takt_expect(ARGS("report", path), 1, "", "is being written");
    takt_expect(ARGS("query", path, "SELECT 1"), 1, "", "is being written");
    takt_expect(ARGS("export", "--format", "perfetto", path), 1, "", "is being written");
    takt_expect(ARGS("diff", path, path), 1, "", "is being written");
    sqlite3_close(db);
    takt_expect(ARGS("report", path), 0, NULL, "");
    unlink(path);
    free(path);
}

/* Values that no run writes, by a user's hand: an answer or a sentence. One leaked a text. */
static void rows_without_what_they_hold(void **state)
{
    (void)state;
    static const char *const changes[] = {"UPDATE stmt SET text = NULL",
                                          "UPDATE stmt SET line = NULL, file = NULL",
                                          "UPDATE unit SET name = NULL",
                                          "DELETE FROM stmt",
                                          "UPDATE stmt_cost_set SET busy = NULL",
                                          "UPDATE meta SET value = NULL",
                                          "DELETE FROM unit",
                                          "UPDATE reason SET name = NULL"};
    static const char small[] = "examples/mncore2/matmul.vsm";
    char *path = strdup(takt_temp_path("changed.db"));
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        takt_expect(ARGS("run", small, "--quiet", "--detail", "--trace", path), 0, "", "");
        sqlite3 *db = NULL;
        assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
        const bool changed = sqlite3_exec(db, changes[i], NULL, NULL, NULL) == SQLITE_OK;
        sqlite3_close(db);
        const char *const *const asked[] = {ARGS("report", path),
                                            ARGS("report", "--json", path),
                                            ARGS("timeline", path),
                                            ARGS("why", path, "issue@100"),
                                            ARGS("export", "--format", "konata", path),
                                            ARGS("export", "--format", "html", path),
                                            ARGS("diff", "--json", path, path)};
        for (size_t k = 0; changed && k < sizeof asked / sizeof *asked; k++) {
            struct takt_result run = takt_run(asked[k]);
            if (run.exit_code != 0 && (run.exit_code != 1 || !run.err_size))
                fail_msg("%s: takt %s: exit %d %.300s", changes[i], asked[k][0], run.exit_code,
                         run.err);
            takt_result_free(&run);
        }
        unlink(path);
    }
    free(path);
}

/* --- calls that fail -------------------------------------------------------------------------- */

#ifndef __SANITIZE_ADDRESS__ /* which wants to be first */

/* With the n-th call of a kind failing, and how many there are (tests/hostile/fail.c). */
static struct takt_result run_failing_program(const char *path, const char *const *arguments,
                                              const char *kind, long n, long *calls)
{
    char number[24];
    const char *const count = takt_temp_path("count");
    const char *takt = getenv("TAKT");
    char *library = beside(takt ? takt : "build/takt", "tests/hostile/fail.so");
    snprintf(number, sizeof number, "%ld", n);
    setenv("FAIL_KIND", kind, 1);
    setenv("FAIL_PLACES", "1", 1);
    setenv("FAIL_AT", number, 1);
    setenv("FAIL_COUNT", count, 1);
    const char *const preloaded = getenv("LD_PRELOAD");
    char *before = preloaded ? strdup(preloaded) : NULL;
    setenv("LD_PRELOAD", library, 1);
    const char *argv[16] = {path};
    for (size_t i = 0; arguments[i] && i < 14; i++)
        argv[i + 1] = arguments[i];
    const struct takt_result result = path ? takt_run_program(argv, "") : takt_run(arguments);
    before ? setenv("LD_PRELOAD", before, 1) : unsetenv("LD_PRELOAD");
    unsetenv("FAIL_AT"); /* `make coverage` preloads the same for all tests */
    free(before);
    free(library);
    char *text = takt_read_file(count, NULL);
    *calls = text ? strtol(text, NULL, 10) : 0;
    free(text);
    return result;
}

static struct takt_result run_failing(const char *const *arguments, const char *kind, long n,
                                      long *calls)
{
    return run_failing_program(NULL, arguments, kind, n, calls);
}

/* Every step-th call of a kind fails: the same rows, or TAKT_HOST with a sentence. */
static void fail_handles(const char *path, const char *second, const char *kind, long steps)
{
    const char *takt = getenv("TAKT");
    char *handles = beside(takt ? takt : "build/takt", "tests/hostile/handles");
    char *partial = NULL;
    const char *const *const arguments = ARGS(path, second);
    long calls = 0, unused;
    assert_true(asprintf(&partial, "%s.partial", second) > 0);
    unlink(second);
    struct takt_result good = run_failing_program(handles, arguments, kind, 0, &calls);
    assert_int_equal(good.exit_code, 0);
    assert_true(calls > 0);
    const long step = calls / steps + 1;
    for (long n = 1; n <= calls; n += step) {
        unlink(second);
        unlink(partial);
        struct takt_result run = run_failing_program(handles, arguments, kind, n, &unused);
        const bool same = run.exit_code == 0 && strcmp(run.out, good.out) == 0;
        if (!same && (run.exit_code != 3 || (!run.err_size && kind[0] != 'w')))
            fail_msg("%s %s: %s %ld of %ld fails: exit %d %.300s", path, second, kind, n, calls,
                     run.exit_code, run.err);
        takt_result_free(&run);
    }
    unlink(second);
    unlink(partial);
    takt_result_free(&good);
    free(partial);
    free(handles);
}

/* Every handle of libtakt (tests/hostile/handles.c). A trace was once blamed for memory that was
 * out, a place in the text was another, and a summary without counters was written; an error of the
 * program was another one, or there was none, where its finding had no memory. */
static void handles_of_calls_that_fail(void **state)
{
    (void)state;
    static const char *const programs[] = {
        "tests/hostile/small/p.vsm", "tests/hostile/small/p.amx", "tests/hostile/small/p.kelvin",
        "tests/hostile/small/p.ventus", "examples/loops/dot.loops"};
    static const char *const kinds[] = {"memory", "sqlite", "write"};
    if (emulated())
        skip(); /* the program of the handles is run as it is */
    const long steps = often_long() ? 60 : 20;
    char *trace = strdup(takt_temp_path("handles.db"));
    for (size_t p = 0; p < sizeof programs / sizeof *programs; p++) {
        for (size_t k = 0; k < 3; k++)
            fail_handles(programs[p], trace, kinds[k], steps);
        fail_handles(programs[p], "--better", "memory", p < 2 ? steps / 4 : steps);
    }
    fail_handles("tests/hostile/small/rows.vsm", "--better", "memory", steps / 4);
    free(trace);
}

/* The answer is that of an undisturbed run, or the host's failure with a sentence. The judge once
 * rejected a right answer or blamed the test case, `config --json` lost fields, a page crashed
 * where the text of a row found no memory, and a table was the fault of its SQL. */
static void calls_that_fail(void **state)
{
    (void)state;
    static const char judged[] = "examples/mncore2/judge-testcase.vsm";
    static const char answer[] = "examples/mncore2/judge-answer.vsm";
    char *trace = strdup(takt_temp_path("failing.db"));
    takt_expect(ARGS("run", "examples/loops/dot.loops", "--quiet", "--detail", "--trace", trace), 0,
                "", "");
    const char *const *const commands[] = {ARGS("judge", "--json", judged, answer),
                                           ARGS("config", "--json", "amx"),
                                           ARGS("report", "--json", trace),
                                           ARGS("timeline", trace),
                                           ARGS("query", trace, "SELECT * FROM stmt"),
                                           ARGS("export", "--format", "html", trace),
                                           ARGS("run", "--json", "examples/loops/dot.loops"),
                                           ARGS("batch", "--bounds", "examples/loops/dot.loops")};
    static const char *const kinds[] = {"memory", "sqlite", "write"};
    struct dice dice = {9};
    for (size_t c = 0; c < sizeof commands / sizeof *commands; c++)
        for (size_t k = 0; k < 3; k++) {
            long calls, unused;
            struct takt_result good = run_failing(commands[c], kinds[k], 0, &calls);
            assert_int_equal(good.exit_code, 0);
            for (size_t i = 0; calls && i < often(8); i++) {
                const long n = 1 + (long)dice_below(&dice, (uint64_t)calls);
                struct takt_result run = run_failing(commands[c], kinds[k], n, &unused);
                const bool same = run.exit_code == 0 && run.out_size == good.out_size &&
                                  memcmp(run.out, good.out, run.out_size) == 0;
                if (!same && (run.exit_code != 3 || !run.err_size))
                    fail_msg("takt %s: %s %ld of %ld fails: exit %d %.300s", commands[c][0],
                             kinds[k], n, calls, run.exit_code, run.err);
                takt_result_free(&run);
            }
            takt_result_free(&good);
        }
    unlink(trace);
    free(trace);
}

/* Every step-th place where it asks for memory, an emulated program at fewer; there are at least so
 * many. */
static void places_fail(const char *const *command, long least, long step)
{
    long calls, unused;
    step *= emulated() ? 16 : 1;
    struct takt_result good = run_failing(command, "memory", 0, &calls);
    assert_int_equal(good.exit_code, 0);
    assert_true(calls >= least);
    for (long n = 1; n <= calls; n += step) {
        struct takt_result run = run_failing(command, "memory", n, &unused);
        const bool same = run.exit_code == 0 && run.out_size == good.out_size &&
                          memcmp(run.out, good.out, run.out_size) == 0;
        if (!same && (run.exit_code != 3 || !run.err_size))
            fail_msg("takt %s: memory %ld of %ld fails: exit %d %.300s", command[0], n, calls,
                     run.exit_code, run.err);
        takt_result_free(&run);
    }
    takt_result_free(&good);
}

/* A run of MN-Core 2 once crashed where its first
 * ports found none, and where the first transfer of a kind did; a batch where the name of its first
 * program did. A proof did not hold, a program could not be run again, a fit had fewer rows, and
 * the plan of a sweep was damaged, where memory was out. */
static void runs_of_calls_that_fail(void **state)
{
    (void)state;
    static const char small[] = "tests/hostile/small/p.vsm",
                      moves[] = "tests/hostile/small/move.vsm";
    char *proof = strdup(takt_temp_path("proof")), *trace = strdup(takt_temp_path("nops.db"));
    char *folder = strdup(takt_temp_path("plan")), *text = takt_read_file(small, NULL);
    char *copy = strdup(takt_temp_file("p.vsm", text));
    char *list = strdup(takt_temp_file("list.yaml", "machine: mncore2\nmeasurements:\n"
                                                    "- {program: p.vsm, value: 48}\n"));
    char *spec = strdup(takt_temp_file("spec.yaml", "programs: [p.vsm]\n"
                                                    "quantities: {twice: 2 * cycles}\n"));
    takt_expect(ARGS("bound", "--silence", "all", "--proof", proof, small), 0, NULL, "");
    takt_expect(ARGS("run", "--silence", "all", "--quiet", "--trace", trace, small), 0, NULL, "");
    takt_expect(ARGS("sweep", spec, "--out", folder), 0, NULL, NULL);
    places_fail(ARGS("run", "--json", "--silence", "all", small), 100, 1);
    places_fail(ARGS("run", "--json", "--silence", "all", moves), 100, 1);
    places_fail(ARGS("certify", small, proof), 50, 1);
    places_fail(ARGS("report", "--json", trace, "nops"), 100, 3);
    places_fail(ARGS("batch", "--best", "1", "--equal-to", small, small, moves), 50, 1);
    places_fail(ARGS("sweep", "merge", folder), 50, 1);
    places_fail(ARGS("fit", "--effort", "1", "--threads", "1", "--json", list), 100, 6);
    remove(proof);
    remove(trace);
    remove(copy);
    for (size_t i = 0; i < 6; i++)
        free((char *[]){proof, trace, folder, text, copy, list}[i]);
    free(spec);
}

static size_t files_in(const char *folder)
{
    size_t count = 0;
    DIR *entries = opendir(folder);
    assert_non_null(entries);
    while (readdir(entries))
        count++;
    closedir(entries);
    return count;
}

/* SIGTERM as a file is created or renamed: an output once stayed under its partial name. */
static void interrupts_leave_no_partial_file(void **state)
{
    (void)state;
    static const char small[] = "tests/hostile/small/p.vsm";
    const char *const folder = takt_temp_path("interrupted");
    char *page, *trace, *before = getenv("TMPDIR") ? strdup(getenv("TMPDIR")) : NULL;
    assert_int_equal(mkdir(folder, 0777), 0);
    assert_true(asprintf(&page, "%s/x", folder) > 0);
    assert_true(asprintf(&trace, "%s/t.db", folder) > 0);
    setenv("TMPDIR", folder, 1);
    takt_expect(ARGS("run", small, "--quiet", "--trace", trace), 0, "", NULL);
    const char *const *const commands[] = {
        ARGS("run", small, "--quiet", "--dump", page),
        ARGS("export", "--format", "html", "--output", page, trace),
        ARGS("diff", "--compare", "get", "--compare", "d@0:0+8", small, small, "--html", page)};
    for (size_t c = 0; c < sizeof commands / sizeof *commands; c++) {
        long calls, unused;
        struct takt_result good = run_failing(commands[c], "interrupt", 0, &calls);
        if (good.exit_code != 0)
            fail_msg("%s: exit %d %.300s", commands[c][0], good.exit_code, good.err);
        assert_true(calls > 0);
        takt_result_free(&good);
        const size_t count = files_in(folder);
        for (long n = 1; n <= calls; n++) {
            struct takt_result run = run_failing(commands[c], "interrupt", n, &unused);
            assert_true(run.exit_code == 130 || run.exit_code == 0); /* 0: after the last one */
            assert_int_equal(files_in(folder), count);
            takt_result_free(&run);
        }
    }
    before ? setenv("TMPDIR", before, 1) : unsetenv("TMPDIR");
    unlink(page);
    unlink(trace);
    assert_int_equal(rmdir(folder), 0);
    free(page);
    free(trace);
    free(before);
}

static struct takt_result answers_of(const char *trace)
{
    return takt_run(ARGS("query", trace,
                         "SELECT key, value, 0, 0 FROM meta UNION ALL "
                         "SELECT line, text, stmt, region FROM v_stmt UNION ALL "
                         "SELECT stmt, slack, exact, 0 FROM stmt_slack"));
}

/* A run that ends with 0 has left a whole trace. The hash of the state was once missing in one, and
 * a count that could not be read let slacks be written beyond their array. */
static void traces_of_calls_that_fail(void **state)
{
    (void)state;
    char *trace = strdup(takt_temp_path("failing.db"));
    char *partial = strdup(takt_temp_path("failing.db.partial"));
    const char *const *const run =
        ARGS("run", "tests/hostile/small/p.amx", "--json", "--hash", "--trace", trace);
    static const char *const kinds[] = {"memory", "sqlite", "write"};
    struct dice dice = {10};
    for (size_t k = 0; k < 3; k++) {
        long calls, unused;
        struct takt_result good = run_failing(run, kinds[k], 0, &calls);
        assert_int_equal(good.exit_code, 0);
        struct takt_result answers = answers_of(trace);
        assert_int_equal(answers.exit_code, 0);
        assert_non_null(strstr(answers.out, "\nstate  "));
        for (size_t i = 0; i < often(8); i++) {
            const long n = 1 + (long)dice_below(&dice, (uint64_t)calls);
            unlink(trace);
            unlink(partial);
            struct takt_result again = run_failing(run, kinds[k], n, &unused);
            if (again.exit_code == 0) {
                struct takt_result found = answers_of(trace);
                if (found.exit_code != 0 || strcmp(found.out, answers.out) != 0 ||
                    strcmp(again.out, good.out) != 0)
                    fail_msg("%s %ld of %ld fails: exit 0, another answer", kinds[k], n, calls);
                takt_result_free(&found);
            } else if (again.exit_code != 3 || !again.err_size)
                fail_msg("%s %ld of %ld fails: exit %d %.300s", kinds[k], n, calls, again.exit_code,
                         again.err);
            takt_result_free(&again);
        }
        takt_result_free(&answers);
        takt_result_free(&good);
    }
    unlink(trace);
    unlink(partial);
    free(trace);
    free(partial);
}

static void schedule_of_calls_that_fail(const char *const *schedule, const char *made, long step)
{
    long calls, unused;
    struct takt_result good = run_failing(schedule, "memory", 0, &calls);
    assert_int_equal(good.exit_code, 0);
    size_t size, other;
    char *text = takt_read_file(made, &size);
    assert_non_null(text);
    assert_true(calls > 100);
    for (long n = 1; n <= calls; n += step) {
        unlink(made);
        struct takt_result run = run_failing(schedule, "memory", n, &unused);
        char *found = takt_read_file(made, &other);
        const bool same = run.exit_code == 0 && found && other == size &&
                          memcmp(found, text, size) == 0 && strcmp(run.out, good.out) == 0;
        const bool whole = !found || (other == size && memcmp(found, text, size) == 0);
        if (!same && (run.exit_code != 3 || !run.err_size || !whole))
            fail_msg("memory %ld of %ld fails: exit %d %.300s", n, calls, run.exit_code, run.err);
        free(found);
        takt_result_free(&run);
    }
    takt_result_free(&good);
    free(text);
}

/* A schedule is that of an undisturbed run. A step once passed for one that the language refuses
 * where there was no memory to read it, and another order was written with exit 0. */
static void schedules_of_calls_that_fail(void **state)
{
    (void)state;
    char *made = strdup(takt_temp_path("failing.vsm")),
         *shared =
             strdup(takt_temp_file("shared.vsm", "zero $lr0v\nnop\nladd $lr0v $lr0v $ls0v\n"
                                                 "zero $lr0v\nnop\nladd $lr0v $lr0v $ls8v\n"));
    schedule_of_calls_that_fail(ARGS("schedule", "tests/hostile/small/p.vsm", "--out", made), made,
                                1);
    schedule_of_calls_that_fail(ARGS("schedule", shared, "--rename", "--out", made), made,
                                often_long() ? 5 : 17);
    schedule_of_calls_that_fail(ARGS("schedule", "--loop", "rows", "tests/hostile/small/rows.vsm",
                                     "--out", made, "--silence", "all"),
                                made, often_long() ? 7 : 17);
    unlink(made);
    unlink(shared);
    free(shared);
    free(made);
}

#else

static void schedules_of_calls_that_fail(void **state)
{
    (void)state;
    skip();
}

static void runs_of_calls_that_fail(void **state)
{
    (void)state;
    skip();
}

static void calls_that_fail(void **state)
{
    (void)state;
    skip();
}

static void handles_of_calls_that_fail(void **state)
{
    (void)state;
    skip();
}

static void traces_of_calls_that_fail(void **state)
{
    (void)state;
    skip();
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_file_by_two_names),
        cmocka_unit_test(links_are_followed),
        cmocka_unit_test(names_of_others_stay),
        cmocka_unit_test(full_disks_keep_the_old),
        cmocka_unit_test(finished_traces_stay),
        cmocka_unit_test(damage),
        cmocka_unit_test(handles_of_calls_that_fail),
        cmocka_unit_test(calls_that_fail),
        cmocka_unit_test(runs_of_calls_that_fail),
        cmocka_unit_test(seconds_hold_within_a_row),
        cmocka_unit_test(changes_are_no_damage),
        cmocka_unit_test(runs_of_one_name),
        cmocka_unit_test(readers_beside_a_writer),
        cmocka_unit_test(rows_without_what_they_hold),
        cmocka_unit_test(traces_of_calls_that_fail),
        cmocka_unit_test(interrupts_leave_no_partial_file),
        cmocka_unit_test(schedules_of_calls_that_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
