/* cli: what is read and written: a bad run leaves nothing behind, a lost answer is reported. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>
#include <sqlite3.h>

#include "tests/emulator.h"
#include "tests/takt_expect.h"
#include "tests/takt_process.h"

/* A dump takes its name when the run is complete. */
static void dumps(void **state)
{
    (void)state;
    const char *dump = takt_temp_file("dump.txt", "what stood there\n");
    char *text;
    size_t size;
    /* The run ends, but what it shall save finds no place. */
    const char *own = takt_temp_file("own.vsm", "d get $lm0n0c0b0m0p0 1\n");
    takt_expect(ARGS("run", own, "--dump", dump, "--save", "p@0:0+1=/nonexistent/x"), 3, NULL,
                "/nonexistent/x");
    text = takt_read_file(dump, &size);
    assert_string_equal(text, "what stood there\n");
    free(text);
    char partial[256];
    snprintf(partial, sizeof partial, "%s.partial", dump);
    assert_int_equal(access(partial, F_OK), -1);
    takt_expect(ARGS("run", own, "--dump", dump, "--quiet"), 0, NULL, NULL);
    text = takt_read_file(dump, &size);
    assert_non_null(strstr(text, "DEBUG-LM0"));
    free(text);
    assert_int_equal(access(partial, F_OK), -1);
    /* Behind a link, the file itself. */
    const char *link = takt_temp_path("link.txt");
    unlink(link);
    assert_int_equal(symlink(dump, link), 0);
    takt_expect(ARGS("run", own, "--dump", link, "--quiet"), 0, NULL, NULL);
    struct stat st;
    assert_int_equal(lstat(link, &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    takt_expect(ARGS("run", own, "--dump", "/dev/full", "--quiet"), 3, NULL, NULL);
    takt_expect(ARGS("run", own, "--dump", "/nonexistent/d.txt"), 3, NULL, "/nonexistent/d.txt");
}

/* Exit code of "takt <arguments>" under a shell. */
static int shell(const char *arguments)
{
    char line[1200];
    const char *takt = getenv("TAKT") ? getenv("TAKT") : "build/takt";
    snprintf(line, sizeof line, "'%s' %s", takt, arguments);
    const int status = system(line);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

/* An answer that finds no place is none, whatever it is about; the sentence says so. */
static void full_disks(void **state)
{
    (void)state;
    if (access("/dev/full", W_OK) != 0)
        skip();
    const char *trace = takt_temp_path("full.db"), *errors = takt_temp_path("errors.txt");
    const char *bad = takt_temp_file("bad.vsm", "lpassa $lm0v\n");
    const char *wrong = "examples/mncore2/judge-testcase.vsm examples/mncore2/judge-wrong.vsm";
    unlink(trace);
    takt_expect(ARGS("run", "examples/mncore2/fma.vsm", "--trace", trace, "--quiet"), 0, NULL,
                NULL);
    static const char *const arguments[] = {"--help",
                                            "--version",
                                            "run --help",
                                            "config",
                                            "config mncore2",
                                            "config mncore2 --json",
                                            "report --list",
                                            "print examples/mncore2/fma.vsm",
                                            "run examples/mncore2/fma.vsm --hash",
                                            "run examples/mncore2/fma.vsm --json",
                                            "run examples/mncore2/fma.vsm --quiet --dump -"};
    static const char *const questions[] = {"report %s",
                                            "report %s --json",
                                            "report %s units",
                                            "timeline %s",
                                            "why %s issue@500 --json",
                                            "query %s 'SELECT * FROM unit'",
                                            "export %s --format html"};
    const size_t plain = sizeof arguments / sizeof *arguments,
                 question_count = sizeof questions / sizeof *questions;
    for (size_t i = 0; i < plain + question_count + 3; i++) {
        char command[500], line[900];
        if (i < plain)
            snprintf(command, sizeof command, "%s", arguments[i]);
        else if (i < plain + question_count)
            snprintf(command, sizeof command, questions[i - plain], trace);
        else if (i < plain + question_count + 2)
            snprintf(command, sizeof command, "%s --json '%s'", i % 2 ? "check" : "run", bad);
        else
            snprintf(command, sizeof command, "judge %s", wrong);
        snprintf(line, sizeof line, "%s >/dev/full 2>'%s'", command, errors);
        const int code = shell(line);
        size_t size;
        char *text = takt_read_file(errors, &size);
        const size_t told_size = strlen(text);
        if (told_size)
            text[told_size - 1] = '\0'; /* the last newline */
        const char *last = strrchr(text, '\n');
        if (code != 3 || strncmp(last ? last + 1 : text, "takt", 4) != 0)
            fail_msg("takt %s: exit %d, '%s'", command, code, text);
        free(text);
    }
    /* What is opened does not take the place of what is closed. */
    assert_int_equal(shell("batch examples/mncore2/reduce.vsm <&- >&- 2>/dev/null"), 3);
    /* Nothing was to be said there. */
    assert_int_equal(shell("why / issue@5 >/dev/full 2>/dev/null"), 1);
    assert_int_equal(shell("expect --json >/dev/full 2>/dev/null"), 3);
}

/* A limit on the size of files ends no process: a failed write is reported. */
static void limited_files(void **state)
{
    (void)state;
    const char *trace = takt_temp_path("limited.db"), *page = takt_temp_path("limited.html");
    const char *saved = takt_temp_path("limited.bin"), *whole = takt_temp_path("whole.db");
    const char *takt = getenv("TAKT") ? getenv("TAKT") : "build/takt";
    unlink(whole);
    takt_expect(ARGS("run", "examples/mncore2/fma.vsm", "--trace", whole, "--quiet"), 0, NULL,
                NULL);
    char commands[3][600];
    snprintf(commands[0], sizeof commands[0], "run examples/mncore2/fma.vsm --quiet --trace '%s'",
             trace);
    snprintf(commands[1], sizeof commands[1],
             "run examples/mncore2/fma.vsm --quiet --save 'd@0:0+4096=%s'", saved);
    snprintf(commands[2], sizeof commands[2], "export --format html --output '%s' '%s'", page,
             whole);
    for (size_t i = 0; i < 3; i++) {
        char line[2000];
        snprintf(line, sizeof line, "ulimit -f 8; '%s' %s 2>/dev/null", takt, commands[i]);
        const int status = system(line);
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 3)
            fail_msg("takt %s: status %x", commands[i], (unsigned)status);
    }
    assert_int_equal(access(page, F_OK), -1);
    takt_expect(ARGS("run", "examples/mncore2/fma.vsm", "--trace", trace, "--quiet"), 0, NULL,
                NULL);
    takt_expect(ARGS("report", trace), 0, "complete", NULL);
}

/* File names may hold any bytes, JSON takes UTF-8: nothing is lost but what is none. */
static void names_of_bytes(void **state)
{
    (void)state;
    size_t size;
    char *text = takt_read_file("examples/mncore2/fma.vsm", &size), line[300];
    assert_non_null(text);
    static const char *const names[][2] = {{"b\xff\xc3\xa4.vsm", "b?\xc3\xa4.vsm"},
                                           {"\xc3\xa4.vsm", "\xc3\xa4.vsm"}};
    for (size_t i = 0; i < 2; i++) {
        const char *path = takt_temp_file(names[i][0], text), *trace = takt_temp_path("bytes.db");
        unlink(trace);
        takt_expect(ARGS("run", path, "--trace", trace, "--quiet"), 0, NULL, NULL);
        struct takt_result r = takt_run(ARGS("why", trace, "--line", "30", "--json"));
        json_t *root = json_loads(r.out, 0, NULL);
        assert_non_null(root);
        const json_t *first = json_array_get(json_object_get(root, "chain"), 0);
        const char *place =
            json_string_value(json_object_get(json_object_get(first, "statement"), "place"));
        snprintf(line, sizeof line, "%s:30", names[i][1]);
        assert_string_equal(place, line);
        json_decref(root);
        takt_result_free(&r);
        const char *bad = takt_temp_file(names[i][0], "zz\n");
        r = takt_run(ARGS("check", bad, "--json"));
        root = json_loads(r.out, 0, NULL);
        assert_non_null(root);
        const char *file = json_string_value(
            json_object_get(json_array_get(json_object_get(root, "diagnostics"), 0), "file"));
        assert_non_null(file);
        assert_string_equal(strrchr(file, '/') + 1, names[i][1]);
        json_decref(root);
        takt_result_free(&r);
    }
    free(text);
}

/* Whoever reads the answer may go before its end: the trace is whole. */
static void early_readers(void **state)
{
    (void)state;
    enum { MANY = 4000 };
    char *many = malloc(24 * MANY + 1), *at = many;
    assert_non_null(many);
    for (unsigned i = 0; i < MANY; i++)
        at += sprintf(at, "lpassa $lm4096 $lr%u\n", 2 * (i % 200));
    const char *program = takt_temp_file("many.vsm", many), *trace = takt_temp_path("early.db");
    free(many);
    char line[900];
    unlink(trace);
    snprintf(line, sizeof line, "run '%s' --json --trace '%s' 2>/dev/null | head -c 1 >/dev/null",
             program, trace);
    assert_int_equal(shell(line), 0);
    takt_expect(ARGS("report", trace), 0, "complete", NULL);
    char partial[300];
    snprintf(partial, sizeof partial, "%s.partial", trace);
    assert_int_equal(access(partial, F_OK), -1);
}

/* A trace is not written over by what is taken out of it. */
static void exports_of_traces(void **state)
{
    (void)state;
    const char *trace = takt_temp_path("kept.db");
    unlink(trace);
    takt_expect(ARGS("run", "examples/mncore2/reduce.vsm", "--trace", trace, "--quiet"), 0, NULL,
                NULL);
    static const char *const formats[] = {"json", "csv", "perfetto", "html"};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        takt_expect(ARGS("export", trace, "--format", formats[i], "--output", trace), 2, NULL,
                    "would write over");
    takt_expect(ARGS("report", trace, "check"), 0, NULL, NULL);
}

static void holds(const char *path, const char *whole)
{
    size_t size;
    char *text = takt_read_file(path, &size);
    assert_non_null(text);
    assert_string_equal(text, whole);
    free(text);
}

/* SQLite takes NAME-journal, -wal and -shm for its own by their names, and removes them. */
static void somebodys_files(void **state)
{
    (void)state;
    static const char *const ends[] = {"db-journal", "db-wal", "db-shm", "db.partial-journal"};
    const char *trace = takt_temp_path("beside.db");
    unlink(trace);
    takt_expect(ARGS("run", "examples/mncore2/reduce.vsm", "--trace", trace, "--quiet"), 0, "", "");
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        char name[40];
        snprintf(name, sizeof name, "beside.%s", ends[i]);
        const char *of_somebody = takt_temp_file(name, "of somebody");
        const bool partial = strstr(name, "partial") != NULL;
        const char *said = partial ? NULL : "move it away";
        takt_expect(ARGS("run", "examples/mncore2/reduce.vsm", "--trace", trace), 1, NULL,
                    "move it away");
        takt_expect(ARGS("report", trace), partial ? 0 : 1, NULL, said);
        takt_expect(ARGS("trace", "materialize", "--window", "1:9", trace), partial ? 0 : 1, NULL,
                    said);
        holds(of_somebody, "of somebody");
        unlink(of_somebody);
    }
    /* A mode in which even a reader makes them. */
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(trace, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "PRAGMA journal_mode = wal", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
    takt_expect(ARGS("report", trace), 1, NULL, "WAL mode");
    assert_int_equal(access(takt_temp_path("beside.db-shm"), F_OK), -1);
    unlink(trace);
}

/* Names that mean something else to SQLite are names of files. */
static void names_of_sqlite(void **state)
{
    (void)state;
    static const char *const names[] = {":memory:", "file:x.db?mode=memory"};
    for (size_t i = 0; i < 2; i++) {
        takt_expect(ARGS("run", "examples/mncore2/reduce.vsm", "--trace", names[i], "--quiet"), 0,
                    "", "");
        takt_expect(ARGS("report", names[i]), 0, "complete", "");
        assert_int_equal(unlink(names[i]), 0);
    }
}

/* What takes the place of a file has its rights; what is a descriptor is written where it stands.
 */
static void places_of_files(void **state)
{
    (void)state;
    static const char program[] = "examples/mncore2/reduce.vsm";
    const char *dump = takt_temp_file("kept.txt", "private"), *trace = takt_temp_path("kept.db");
    unlink(trace);
    takt_expect(ARGS("run", program, "--quiet", "--trace", trace), 0, "", "");
    assert_int_equal(chmod(dump, 0640), 0);
    assert_int_equal(chmod(trace, 0600), 0);
    takt_expect(ARGS("run", program, "--quiet", "--dump", dump, "--trace", trace), 0, "", "");
    struct stat st;
    assert_int_equal(stat(dump, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0640);
    assert_int_equal(stat(trace, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    char line[900], name[256];
    size_t size;
    char *whole = takt_read_file(dump, &size);
    static const char *const ways[] = {"/dev/stdout' >>", "/dev/fd/3' 3>>", "/dev/stderr' 2>>"};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        const char *out = takt_temp_file("out.txt", "first\n");
        snprintf(line, sizeof line, "run %s --quiet --dump '%s'%s'", program, ways[i], out);
        assert_int_equal(shell(line), 0);
        snprintf(line, sizeof line, "first\n%s", whole);
        holds(out, line);
    }
    free(whole);
    memset(name, 'n', 255); /* the longest that there is */
    name[255] = '\0';
    const char *longest = takt_temp_path(name);
    takt_expect(ARGS("run", program, "--quiet", "--dump", longest), 0, "", "");
    assert_int_equal(unlink(longest), 0);
}

/* A log is that of the run, written once. */
static void logs(void **state)
{
    (void)state;
    static const char program[] = "examples/ventus/saxpy.ventus";
    const char *log = takt_temp_file("log.txt", "what stood there\n");
    char line[900];
    snprintf(line, sizeof line, "run %s --quiet --log /dev/full 2>/dev/null", program);
    assert_int_equal(shell(line), 3);
    const char *takt = getenv("TAKT") ? getenv("TAKT") : "build/takt";
    snprintf(line, sizeof line, "ulimit -f 8; '%s' run %s --quiet --log '%s' 2>/dev/null", takt,
             program, log);
    assert_int_not_equal(system(line), 0);
    holds(log, "what stood there\n");
    takt_expect(ARGS("diff", program, program, "--log", log), 2, NULL, "--log");
    takt_expect(ARGS("batch", program, program, "--log", log), 2, NULL, "--log");
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

static void standard_input(void **state)
{
    (void)state;
    struct takt_result r = takt_run_input(ARGS("run", "-", "--quiet", "--dump", "-"),
                                          "imm i\"66\" $lr0\nd get $lr0n0c0b0m0p0 1");
    assert_int_equal(r.exit_code, 0);
    assert_string_equal(r.out, "DEBUG-GREG0(n0c0b0m0p0,0):(f:0, i:{{0x0,0x42},{0x0,0x42}}, "
                               "v:0x4200000042) #d get $lr0n0c0b0m0p0 1\n");
    takt_result_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dumps),
        cmocka_unit_test(full_disks),
        cmocka_unit_test(limited_files),
        cmocka_unit_test(names_of_bytes),
        cmocka_unit_test(early_readers),
        cmocka_unit_test(exports_of_traces),
        cmocka_unit_test(standard_input),
        cmocka_unit_test(somebodys_files),
        cmocka_unit_test(names_of_sqlite),
        cmocka_unit_test(places_of_files),
        cmocka_unit_test(logs),
        cmocka_unit_test(no_descriptors),
    };
    return cmocka_run_group_tests_name("cli files", tests, NULL, NULL);
}
