/*
 * takt sweep: the points are runs, whatever the chunks, the engine and what was interrupted; what
 * is missing, damaged or foreign is named and refused, and resume mends it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>
#include <sqlite3.h>

#include "tests/emulator.h"
#include "tests/takt_expect.h"
#include "tests/takt_process.h"

enum { PATH = 600 };

static char root[PATH], spec[2 * PATH]; /* examples, and a spec of 36 points */

static const char *takt(void)
{
    return getenv("TAKT") ? getenv("TAKT") : "build/takt";
}

static const char grid[] = "options: {values: true}\n"
                           "grid:\n"
                           "  dram_channels: [2, 4, 8]\n"
                           "  dram_banks: [4, 16]\n"
                           "  dram_window: [1, 8, 32]\n"
                           "quantities: {size: \"dram_channels * dram_banks + dram_window\"}\n"
                           "pareto: [cycles, size]\n";

static const char *spec_of(const char *name, const char *rest)
{
    char text[2000];
    snprintf(text, sizeof text,
             "programs: [%s/examples/mncore2/measure/gather.vsm, "
             "%s/examples/mncore2/measure/read-write.vsm]\n%s",
             root, root, rest);
    return takt_temp_file(name, text);
}

static const char *new_folder(void)
{
    static char folders[8][PATH];
    static unsigned count;
    char name[40];
    char *folder = folders[count % 8];
    snprintf(name, sizeof name, "sweep-%u", count++);
    snprintf(folder, PATH, "%s", takt_temp_path(name));
    return folder;
}

static const char *below(const char *folder, const char *name)
{
    static char paths[8][2 * PATH];
    static unsigned count;
    char *path = paths[count++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static int shell(const char *format, ...)
{
    char command[8 * PATH];
    va_list args;
    va_start(args, format);
    vsnprintf(command, sizeof command, format, args);
    va_end(args);
    const int status = system(command);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

/* All points, as text. */
static char *points_of(const char *folder)
{
    struct takt_result r = takt_run(ARGS("sweep", "report", folder, "--csv"));
    if (r.exit_code != 0)
        fail_msg("report of %s: %d, %s", folder, r.exit_code, r.err);
    char *out = r.out;
    free(r.err);
    return out;
}

static char *expected; /* of an undisturbed run with one process and one chunk */

static void is_as_expected(const char *folder)
{
    char *points = points_of(folder);
    assert_string_equal(points, expected);
    free(points);
}

static void finish(const char *folder)
{
    takt_expect(ARGS("sweep", "resume", folder), 0, "36 of 36 points, 0 failed", NULL);
    is_as_expected(folder);
}

static int set_up(void **state)
{
    (void)state;
    if (!realpath(".", root) || access("examples/mncore2/measure/gather.vsm", R_OK) != 0)
        return 0; /* not run from the root: each test then skips */
    snprintf(spec, sizeof spec, "%s", spec_of("grid.yaml", grid));
    const char *folder = new_folder();
    takt_expect(ARGS("sweep", spec, "--out", folder, "--jobs", "1", "--chunk", "100"), 0,
                "36 points in 1 chunk\n36 of 36 points, 0 failed", "");
    expected = points_of(folder);
    return 0;
}

static void needs_examples(void)
{
    if (!expected)
        skip();
}

/* --- what points are -------------------------------------------------------------------------- */

static json_t *report_of(const char *folder)
{
    struct takt_result r = takt_run(ARGS("sweep", "report", folder, "--json"));
    json_t *root_of = json_loads(r.out, 0, NULL);
    assert_int_equal(r.exit_code, 0);
    assert_non_null(root_of);
    takt_result_free(&r);
    return root_of;
}

static sqlite3 *open_result(const char *folder)
{
    sqlite3 *db;
    assert_int_equal(sqlite3_open_v2(below(folder, "sweep.db"), &db, SQLITE_OPEN_READONLY, NULL),
                     SQLITE_OK);
    return db;
}

/* Each total is that of takt run with the same numbers. */
static void points_are_runs(void **state)
{
    (void)state;
    needs_examples();
    const char *folder = new_folder();
    const char *drawn =
        spec_of("drawn.yaml", "options: {values: true}\ndraw:\n  points: 5\n  seed: 3\n"
                              "  parameters: {dram_tras: plausible, dram_map: plausible, "
                              "dram_trefi: [1000, 3000]}\n");
    takt_expect(ARGS("sweep", drawn, "--out", folder), 0, "10 of 10 points, 0 failed", NULL);
    sqlite3 *db = open_result(folder);
    sqlite3_stmt *s;
    int rows = 0;
    sqlite3_prepare_v2(db,
                       "SELECT program, cycles, 'dram_tras=' || dram_tras, 'dram_map=' || "
                       "dram_map, 'dram_trefi=' || dram_trefi, dram_trefi FROM points",
                       -1, &s, NULL);
    for (; sqlite3_step(s) == SQLITE_ROW; rows++) {
        const char *text[5];
        for (int i = 0; i < 5; i++)
            text[i] = (const char *)sqlite3_column_text(s, i);
        struct takt_result r = takt_run(ARGS("run", text[0], "--json", "--silence", "all", "--set",
                                             text[2], "--set", text[3], "--set", text[4]));
        json_t *run = json_loads(r.out, 0, NULL);
        assert_int_equal(json_integer_value(json_object_get(run, "cycles")),
                         sqlite3_column_int64(s, 1));
        assert_in_range(sqlite3_column_int64(s, 5), 1000, 3000);
        json_decref(run);
        takt_result_free(&r);
    }
    assert_int_equal(rows, 10);
    sqlite3_finalize(s);
    sqlite3_close(db);
}

/* A front against every pair of designs; both programs count in each. */
static void front_is_not_beaten(void **state)
{
    (void)state;
    needs_examples();
    const char *folder = new_folder();
    takt_expect(ARGS("sweep", spec, "--out", folder), 0, NULL, NULL);
    sqlite3 *db = open_result(folder);
    sqlite3_stmt *s;
    double cycles[100], size[100];
    int count = 0, left = 0;
    sqlite3_prepare_v2(db,
                       "SELECT avg(cycles), dram_channels * dram_banks + dram_window FROM points "
                       "GROUP BY dram_channels, dram_banks, dram_window",
                       -1, &s, NULL);
    for (; sqlite3_step(s) == SQLITE_ROW; count++) {
        cycles[count] = sqlite3_column_double(s, 0);
        size[count] = sqlite3_column_double(s, 1);
    }
    sqlite3_finalize(s);
    sqlite3_close(db);
    assert_int_equal(count, 18);
    json_t *report = report_of(folder);
    const json_t *front = json_object_get(report, "front");
    for (int i = 0; i < count; i++) {
        bool beaten = false, listed = false;
        for (int k = 0; k < count; k++)
            beaten |= cycles[k] <= cycles[i] && size[k] <= size[i] &&
                      (cycles[k] < cycles[i] || size[k] < size[i]);
        for (size_t k = 0; k < json_array_size(front); k++) {
            const json_t *row = json_array_get(front, k);
            listed |= json_number_value(json_object_get(row, "cycles")) == cycles[i] &&
                      json_number_value(json_object_get(row, "size")) == size[i];
        }
        assert_int_equal(listed, !beaten);
        left += !beaten;
    }
    assert_true(left > 1);
    json_decref(report);
}

/* --- engines ---------------------------------------------------------------------------------- */

static void chunks_do_not_show(void **state)
{
    (void)state;
    needs_examples();
    static const char *const sizes[] = {"1", "5", "35"};
    for (size_t i = 0; i < 3; i++) {
        const char *folder = new_folder();
        takt_expect(ARGS("sweep", spec, "--out", folder, "--chunk", sizes[i], "--jobs", "3"), 0,
                    "36 of 36 points, 0 failed", NULL);
        is_as_expected(folder);
    }
}

/* The commands for GNU parallel, one after the other. */
static void commands_of_parallel(void **state)
{
    (void)state;
    needs_examples();
    if (emulated())
        skip(); /* the commands run takt as it is */
    const char *folder = new_folder();
    takt_expect(ARGS("sweep", spec, "--out", folder, "--chunk", "7", "--engine", "parallel"), 0,
                "--resume-failed", "");
    takt_expect(ARGS("sweep", "status", folder), 0, "0 of 36 points done", "");
    takt_expect(ARGS("sweep", "merge", folder), 1, NULL, "these are missing: 0-5;");
    assert_int_equal(shell("head -3 '%s/parallel.txt' | sh", folder), 0);
    takt_expect(ARGS("sweep", "status", folder), 0, "21 of 36 points done", "");
    takt_expect(ARGS("sweep", "merge", folder), 1, NULL, "these are missing: 3-5;");
    takt_expect(ARGS("sweep", "merge", folder, "--partial"), 0, "21 of 36 points", "");
    assert_int_equal(shell("sh '%s/parallel.txt'", folder), 0);
    takt_expect(ARGS("sweep", "merge", folder), 0, "36 of 36 points", "");
    is_as_expected(folder);
}

/* --- what goes wrong -------------------------------------------------------------------------- */

static const char *whole(void)
{
    const char *folder = new_folder();
    takt_expect(ARGS("sweep", spec, "--out", folder, "--chunk", "4"), 0, NULL, NULL);
    return folder;
}

static void lost_cut_and_foreign(void **state)
{
    (void)state;
    needs_examples();
    const char *folder = whole(), *other = new_folder();
    assert_int_equal(unlink(below(folder, "chunks/3.db")), 0);
    takt_expect(ARGS("sweep", "merge", folder), 1, NULL, "these are missing: 3;");
    is_as_expected(folder); /* the earlier result is as it was */
    finish(folder);

    /* Cut within a page, between pages, and to nothing. */
    static const int sizes[] = {5000, 4096, 8192, 0};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        assert_int_equal(truncate(below(folder, "chunks/5.db"), sizes[i]), 0);
        takt_expect(ARGS("sweep", "merge", folder), 1, NULL, "chunks/5.db is");
        takt_expect(ARGS("sweep", "status", folder), 0, "32 of 36 points done", "");
        finish(folder);
    }

    /* Of another sweep; a copy under another name; what is no database. */
    takt_expect(ARGS("sweep", spec_of("one.yaml", "set: {dram_banks: 8}\noptions: {values: true}"),
                     "--out", other),
                0, NULL, NULL);
    assert_int_equal(shell("cp '%s/chunks/0.db' '%s/chunks/x.db'", other, folder), 0);
    takt_expect(ARGS("sweep", "merge", folder), 1, NULL, "x.db is of another sweep");
    assert_int_equal(shell("cp '%s/chunks/2.db' '%s/chunks/x.db'", folder, folder), 0);
    takt_expect(ARGS("sweep", "merge", folder), 0, "36 of 36 points", "");
    is_as_expected(folder);
    assert_int_equal(shell("echo takt > '%s/chunks/x.db'", folder), 0);
    takt_expect(ARGS("sweep", "merge", folder), 1, NULL, "x.db is no chunk of a sweep");
}

static void change(const char *path, const char *sql)
{
    sqlite3 *db;
    assert_int_equal(sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

static void other_versions_and_results(void **state)
{
    (void)state;
    needs_examples();
    const char *folder = whole();
    assert_int_equal(shell("cp '%s/chunks/2.db' '%s/chunks/x.db'", folder, folder), 0);
    change(below(folder, "chunks/x.db"), "UPDATE points SET cycles = cycles + 1");
    takt_expect(ARGS("sweep", "merge", folder), 1, NULL, "another result of point");
    change(below(folder, "chunks/x.db"), "UPDATE points SET hash = hash || '0'");
    takt_expect(ARGS("sweep", "merge", folder), 1, NULL, "that the plan has not");
    change(below(folder, "chunks/x.db"), "UPDATE about SET value = '0.0.1' WHERE name = 'takt'");
    takt_expect(ARGS("sweep", "merge", folder), 1, NULL, "a result of takt 0.0.1");
    assert_int_equal(unlink(below(folder, "chunks/x.db")), 0);
    assert_int_equal(
        shell("sed -i 's/\"takt\": \"[^\"]*\"/\"takt\": \"0.0.1\"/' '%s/sweep.json'", folder), 0);
    takt_expect(ARGS("sweep", "resume", folder), 1, NULL, "was planned by takt 0.0.1");
    takt_expect(ARGS("sweep", "chunk", folder, "0"), 1, NULL, "was planned by takt 0.0.1");
}

static void two_merges_at_once(void **state)
{
    (void)state;
    needs_examples();
    const char *folder = whole();
    assert_int_equal(unlink(below(folder, "sweep.db")), 0);
    assert_int_equal(shell("all=; for i in 1 2 3 4; do '%s' sweep merge '%s' > /dev/null & "
                           "all=\"$all $!\"; done; for one in $all; do wait $one || exit 1; done",
                           takt(), folder),
                     0);
    is_as_expected(folder);
    assert_int_equal(shell("test $(ls '%s' | grep -c '^sweep.db') = 1", folder), 0);
}

/* No file may grow beyond a few blocks: as on a full disk, but for the reason. */
static void no_room(void **state)
{
    (void)state;
    needs_examples();
    const char *folder = new_folder();
    takt_expect(ARGS("sweep", spec, "--out", folder, "--chunk", "9", "--engine", "parallel"), 0,
                NULL, NULL);
    takt_expect(ARGS("sweep", "chunk", folder, "1"), 0, "", "");
    assert_int_equal(shell("trap '' XFSZ; ulimit -f 4; '%s' sweep resume '%s' --engine local 2> "
                           "'%s/said'",
                           takt(), folder, folder),
                     3);
    assert_int_equal(shell("grep -q 'not everything could be written' '%s/said'", folder), 0);
    assert_int_equal(shell("test \"$(ls '%s/chunks')\" = 1.db", folder), 0);
    takt_expect(ARGS("sweep", "resume", folder, "--engine", "local"), 0, "36 of 36 points", NULL);
    is_as_expected(folder);
}

/* --- what is killed --------------------------------------------------------------------------- */

static pid_t start(const char *folder)
{
    const pid_t pid = fork();
    if (pid == 0) {
        if (!freopen("/dev/null", "w", stdout) || !freopen(below(folder, "said"), "w", stderr))
            _exit(99);
        execl(takt(), "takt", "sweep", "resume", folder, "--engine", "local", "--jobs", "1",
              (char *)NULL);
        _exit(99);
    }
    assert_true(pid > 0);
    return pid;
}

static void rest(void)
{
    nanosleep(&(const struct timespec){0, 2000000}, NULL);
}

/* The only worker of a sweep; 0: there is none at the moment. */
static pid_t worker_of(pid_t sweep)
{
    char path[80];
    long pid = 0;
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)sweep, (int)sweep);
    FILE *file = fopen(path, "r");
    if (file && fscanf(file, "%ld", &pid) != 1)
        pid = 0;
    if (file)
        fclose(file);
    return (pid_t)pid;
}

/* A folder with a plan of 12 chunks, of which none is done. */
static const char *planned(void)
{
    const char *folder = new_folder();
    takt_expect(ARGS("sweep", spec, "--out", folder, "--chunk", "3", "--engine", "parallel"), 0,
                NULL, NULL);
    return folder;
}

static int end_of(pid_t pid)
{
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void killed_sweeps(void **state)
{
    (void)state;
    needs_examples();
    static const int signals[] = {SIGKILL, SIGINT, SIGTERM};
    for (size_t i = 0; i < 3; i++) {
        const char *folder = planned();
        const pid_t pid = start(folder);
        while (access(below(folder, "chunks/1.db"), F_OK) != 0)
            rest();
        kill(pid, signals[i]);
        const int code = end_of(pid);
        if (code != 0) { /* it may have been faster */
            assert_int_equal(code, signals[i] == SIGKILL ? 128 + SIGKILL : 130);
            takt_expect(ARGS("sweep", "merge", folder), 1, NULL, "are missing");
        }
        takt_expect(ARGS("sweep", "resume", folder, "--engine", "local"), 0, "36 of 36", NULL);
        is_as_expected(folder);
    }
}

/* A chunk whose worker is killed is run again. */
static void killed_workers(void **state)
{
    (void)state;
    needs_examples();
    const char *folder = planned();
    const pid_t pid = start(folder);
    pid_t worker;
    while ((worker = worker_of(pid)) == 0)
        rest();
    kill(worker, SIGKILL);
    assert_int_equal(end_of(pid), 0);
    assert_int_equal(shell("grep -q 'by signal 9; it is run again' '%s/said'", folder), 0);
    takt_expect(ARGS("sweep", "merge", folder), 0, "36 of 36", "");
    is_as_expected(folder);
}

/* --- points of chunks at work ----------------------------------------------------------------- */

static json_int_t status_of(const char *folder, const char *name)
{
    struct takt_result r = takt_run(ARGS("sweep", "status", folder, "--json"));
    json_t *answer = json_loads(r.out, 0, NULL);
    assert_int_equal(r.exit_code, 0);
    assert_non_null(json_object_get(answer, name));
    const json_int_t number = json_integer_value(json_object_get(answer, name));
    json_decref(answer);
    takt_result_free(&r);
    return number;
}

static void progress_by_points(void **state)
{
    (void)state;
    needs_examples();
    enum { POINTS = 5000 };
    const char *folder = new_folder();
    const char *path =
        spec_of("long.yaml", "options: {values: true}\n"
                             "draw: {points: 2500, seed: 3, parameters: {dram_banks: plausible, "
                             "dram_window: [1, 64], dram_trcd: [1, 90], dram_tcl: [1, 90]}}\n");
    takt_expect(ARGS("sweep", path, "--out", folder, "--chunk", "10000", "--engine", "parallel"), 0,
                NULL, NULL);
    const pid_t pid = start(folder);
    json_int_t done = 0;
    for (unsigned tries = 0; done == 0 && tries < 2000; tries++) {
        rest();
        done = status_of(folder, "at_work");
    }
    assert_true(done > 0 && done < POINTS);
    assert_true(status_of(folder, "done") >= done);
    assert_int_equal(status_of(folder, "chunks_done"), 0);
    kill(pid, SIGTERM);
    assert_int_equal(end_of(pid), 130);
    assert_int_equal(shell("test -z \"$(ls '%s/chunks')\"", folder), 0);
    assert_int_equal(status_of(folder, "done"), 0);
}

/* A part says something while it is new, and of as many points as the chunk can have. */
static void parts_that_are_left(void **state)
{
    (void)state;
    needs_examples();
    const char *folder = planned();
    const double now = (double)time(NULL);
    const struct {
        const char *format;
        double started, updated;
        json_int_t done;
    } parts[] = {
        {"{\"points\": 2, \"failed\": 1, \"started\": %f, \"updated\": %f}", now - 9, now, 2},
        {"{\"points\": 4, \"failed\": 1, \"started\": %f, \"updated\": %f}", now - 9, now, 0},
        {"{\"points\": 2, \"failed\": 3, \"started\": %f, \"updated\": %f}", now - 9, now, 0},
        {"{\"points\": 2, \"failed\": 0, \"started\": %f, \"updated\": %f}", now - 99, now - 90, 0},
        /* 100 seconds each */
        {"{\"points\": 2, \"failed\": 0, \"started\": %f, \"updated\": %f}", now - 290, now - 90,
         2},
        {"{\"points\": 2, \"failed\": 0, \"started\": %f", now, 0, 0},
        {"[[[[", now, 0, 0},
        {"", now, 0, 0}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        FILE *file = fopen(below(folder, "chunks/7.part"), "w");
        assert_non_null(file);
        fprintf(file, parts[i].format, parts[i].started, parts[i].updated);
        fclose(file);
        assert_int_equal(status_of(folder, "done"), parts[i].done);
        assert_int_equal(status_of(folder, "failed"), i == 0);
    }
    takt_expect(ARGS("sweep", "resume", folder, "--engine", "local"), 0, "36 of 36 points", NULL);
    is_as_expected(folder);
}

/* --- drawn points ----------------------------------------------------------------------------- */

static char *drawn(const char *rest)
{
    const char *folder = new_folder(), *path = spec_of("drawn.yaml", rest);
    size_t size;
    takt_expect(ARGS("sweep", path, "--out", folder, "--engine", "parallel"), 0, NULL, NULL);
    char *plan = takt_read_file(below(folder, "plan.jsonl"), &size), *values = calloc(size + 1, 1);
    for (const char *at = plan; (at = strstr(at, "\"dram_tcl\":")); at++)
        snprintf(values + strlen(values), size + 1 - strlen(values), "%ld ",
                 strtol(at + strlen("\"dram_tcl\":"), NULL, 10));
    free(plan);
    return values;
}

/* Values that are drawn depend on the seed, but on nothing else in the spec. */
static void drawn_values_stay(void **state)
{
    (void)state;
    needs_examples();
    char *alone = drawn("draw: {points: 9, seed: 5, parameters: {dram_tcl: [1, 1000]}}\n");
    char *among = drawn("set: {dram_banks: 8}\noptions: {range: true}\ndraw: {points: 9, seed: 5, "
                        "parameters: {dram_trp: [1, 90], dram_tcl: [1, 1000]}}\n");
    char *other = drawn("draw: {points: 9, seed: 6, parameters: {dram_tcl: [1, 1000]}}\n");
    assert_true(strlen(alone) > 18);
    assert_string_equal(alone, among);
    assert_string_not_equal(alone, other);
    free(alone);
    free(among);
    free(other);
}

/* --- status, page, spec ----------------------------------------------------------------------- */

static void progress_and_page(void **state)
{
    (void)state;
    needs_examples();
    const char *folder = whole(), *page = takt_temp_path("sweep.html");
    size_t size;
    struct takt_result r = takt_run(ARGS("sweep", "status", folder, "--json"));
    json_t *answer = json_loads(r.out, 0, NULL);
    assert_int_equal(json_integer_value(json_object_get(answer, "done")), 36);
    assert_int_equal(json_integer_value(json_object_get(answer, "chunks_done")), 9);
    assert_int_equal(json_array_size(json_object_get(answer, "missing")), 0);
    assert_true(json_real_value(json_object_get(answer, "rate")) > 0);
    json_decref(answer);
    takt_result_free(&r);
    takt_expect(ARGS("sweep", "report", folder, "--html", page), 0, "", "");
    char *text = takt_read_file(page, &size);
    assert_non_null(strstr(text, "<h2>Pareto front</h2>"));
    /* Heads of numbers are aligned as the numbers, which have groups. */
    assert_non_null(strstr(text, "<th class=\"n\">dram_channels</th>"));
    assert_non_null(strstr(text, "<th>parameter</th>"));
    assert_non_null(strstr(text, "<th class=\"n\">spread, %</th>"));
    assert_null(strstr(text, "_percent</th>"));
    assert_null(strstr(text, "http://"));
    assert_null(strstr(text, "src="));
    free(text);
}

/* A point that no chip is, and a program with an error, are rows that say so. */
static void failures_are_rows(void **state)
{
    (void)state;
    needs_examples();
    const char *folder = new_folder();
    const char *path = takt_temp_file("wrong.yaml", "programs: [wrong.vsm]\n"
                                                    "grid: {dram_banks: [8, 16]}\n");
    takt_temp_file("wrong.vsm", "nop\nnonsense\n");
    takt_expect(ARGS("sweep", path, "--out", folder), 0, "2 of 2 points, 2 failed", "");
    json_t *report = report_of(folder);
    const json_t *row = json_array_get(json_object_get(report, "failures"), 0);
    assert_int_equal(json_integer_value(json_object_get(row, "points")), 2);
    const char *why = json_string_value(json_object_get(row, "why"));
    assert_non_null(why);
    assert_int_equal(strncmp(why, "wrong.vsm:2:1", 13), 0); /* no folder of this host in it */
    json_decref(report);
}

/* Each finding has its place and the text below which the caret is; no folder is made. */
static void errors_have_a_place(void **state)
{
    (void)state;
    needs_examples();
    static const struct {
        const char *rest, *place, *sentence, *caret;
    } wrong[] = {
        {"grid:\n  dram_chanels: [2]\n", ":3:3: error: ", "did you mean 'dram_channels'?",
         "    dram_chanels: [2]\n    ^~~~~~~~~~~~\n"},
        {"grid: {dram_banks: [4, x]}\n", ":2:24: error: ", "takes an integer, not 'x'",
         "                         ^\n"},
        {"grid: {dram_banks: [4]}\nlist: [{dram_banks: 8}]\n",
         ":3:1: error: ", "grid or list, not both", "  ^~~~\n"},
        {"pareto: [cycles, nope]\n", ":2:18: error: ", "no such column: nope",
         "                   ^~~~\n"},
        {"quantities: {a: \"1); DROP TABLE points; --\"}\n", ":2:17: error: ", "several parts",
         "                  ^~~"},
        {"draw: {points: 2, parameters: {dram_tcl: [9, 2]}}\n",
         ":2:42: error: ", "LOW is above HIGH", "^~~~~~\n"},
        {"grid: {dram_banks: [4}\n", ":2:22: error: ", "", "^\n"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const char *folder = new_folder(), *path = spec_of("bad.yaml", wrong[i].rest);
        struct takt_result r = takt_run(ARGS("sweep", path, "--out", folder));
        assert_int_equal(r.exit_code, 1);
        assert_string_equal(r.out, "");
        if (!strstr(r.err, wrong[i].place) || !strstr(r.err, wrong[i].sentence) ||
            !strstr(r.err, wrong[i].caret))
            fail_msg("%s answered %s", wrong[i].rest, r.err);
        assert_int_equal(access(folder, F_OK), -1);
        takt_result_free(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_are_runs),      cmocka_unit_test(front_is_not_beaten),
        cmocka_unit_test(chunks_do_not_show),   cmocka_unit_test(commands_of_parallel),
        cmocka_unit_test(lost_cut_and_foreign), cmocka_unit_test(other_versions_and_results),
        cmocka_unit_test(two_merges_at_once),   cmocka_unit_test(no_room),
        cmocka_unit_test(killed_sweeps),        cmocka_unit_test(killed_workers),
        cmocka_unit_test(drawn_values_stay),    cmocka_unit_test(progress_by_points),
        cmocka_unit_test(parts_that_are_left),  cmocka_unit_test(progress_and_page),
        cmocka_unit_test(failures_are_rows),    cmocka_unit_test(errors_have_a_place)};
    return cmocka_run_group_tests(tests, set_up, NULL);
}
