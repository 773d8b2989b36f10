/*
 * takt batch: a line for each job in the order of input, whatever the jobs and however many
 * processes; what is wrong is wrong in its own line alone.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

#include "tests/takt_expect.h"
#include "tests/takt_process.h"

#define FMA   "examples/mncore2/fma.vsm"
#define EARLY "imm f\\\"1.0\\\" $r0/0010\\nnop\\ndvadd $lm0v $r0e $ln0v\\n"

enum { LONG_LINE = 1 << 24 };

/* Each line of the answer as JSON, in an array. */
static json_t *batch(const char *const *arguments, const char *input, int exit_code)
{
    struct takt_result r = takt_run_input(arguments, input);
    json_t *lines = json_array();
    if (r.exit_code != exit_code)
        fail_msg("exit %d, expected %d: %.300s", r.exit_code, exit_code, r.err);
    for (char *at = r.out, *end; *at; at = end + 1) {
        end = strchr(at, '\n');
        assert_non_null(end);
        json_t *line = json_loadb(at, (size_t)(end - at), 0, NULL);
        assert_non_null(line);
        json_array_append_new(lines, line);
    }
    takt_result_free(&r);
    return lines;
}

static bool ok(const json_t *line)
{
    return json_is_true(json_object_get(line, "ok"));
}

static json_int_t integer(const json_t *line, const char *key)
{
    return json_integer_value(json_object_get(line, key));
}

static const char *text(const json_t *line, const char *key)
{
    const char *value = json_string_value(json_object_get(line, key));
    return value ? value : "";
}

static json_t *output_of(const char *const *arguments)
{
    struct takt_result r = takt_run(arguments);
    json_t *root = json_loads(r.out, 0, NULL);
    assert_non_null(root);
    takt_result_free(&r);
    return root;
}

static json_int_t cycles_of_run(const char *path)
{
    json_t *root = output_of(ARGS("run", path, "--json", "--silence", "all"));
    const json_int_t cycles = integer(root, "cycles");
    json_decref(root);
    return cycles;
}

/* By arguments, by a list and by lines: the same, and what takt run says. */
/* An answer that would not fit is a sentence, and the next one is whole. A name of a mebibyte is in
 * each row. */
static void long_answers(void **state)
{
    (void)state;
    enum { STATEMENTS = 200, NAME = 1 << 20 };
    char *input = malloc(NAME + 40 * STATEMENTS + 200), *at = input;
    at = stpcpy(at, "{\"text\":\"");
    for (int i = 0; i < STATEMENTS; i++)
        at += sprintf(at, "imm i\\\"%d\\\" $lr0\\n", i);
    at = stpcpy(at, "\",\"name\":\"");
    memset(at, 'n', NAME);
    stpcpy(at + NAME, ".vsm\"}\n{\"text\":\"nop\\n\"}\n");
    json_t *lines = batch(ARGS("batch", "--statements", "--silence", "all"), input, 1);
    const json_t *first = json_array_get(lines, 0), *second = json_array_get(lines, 1);
    assert_int_equal(json_array_size(lines), 2);
    assert_false(ok(first));
    assert_non_null(strstr(text(first, "why"), "256 MiB"));
    assert_int_equal(integer(first, "warnings"), 0);
    assert_null(json_object_get(first, "cycles"));
    assert_null(json_object_get(first, "statements"));
    assert_true(ok(second));
    assert_int_equal(json_array_size(json_object_get(second, "statements")), 1);
    json_decref(lines);

    lines = batch(ARGS("batch", "--bounds"), input, 0); /* without the rows it fits */
    assert_true(ok(json_array_get(lines, 0)));
    json_decref(lines);
    free(input);
}

static void three_ways(void **state)
{
    (void)state;
    static const char *const paths[] = {FMA, "examples/amx/matmul.amx",
                                        "examples/mncore2/reduce.vsm"};
    const char *list = takt_temp_file("list", FMA "\n\nexamples/amx/matmul.amx\n"
                                                  "examples/mncore2/reduce.vsm");
    json_t *ways[] = {batch(ARGS("batch", FMA, paths[1], paths[2]), "", 0),
                      batch(ARGS("batch", "--list", list, "--jobs", "1"), "", 0),
                      batch(ARGS("batch", "--list", "-", "--jobs", "3"),
                            FMA "\nexamples/amx/matmul.amx\n"
                                "examples/mncore2/reduce.vsm\n",
                            0),
                      batch(ARGS("batch"),
                            "{\"file\":\"" FMA "\"}\n{\"file\":\"examples/amx/matmul.amx\"}\n"
                            "{\"file\":\"examples/mncore2/reduce.vsm\"}",
                            0)};
    for (size_t way = 0; way < 4; way++) {
        assert_int_equal(json_array_size(ways[way]), 3);
        for (size_t i = 0; i < 3; i++) {
            const json_t *line = json_array_get(ways[way], i);
            assert_true(ok(line));
            assert_string_equal(text(line, "id"), paths[i]);
            if (way == 0)
                assert_int_equal(integer(line, "cycles"), cycles_of_run(paths[i]));
        }
        assert_true(json_equal(ways[way], ways[0]));
    }
    for (size_t way = 0; way < 4; way++)
        json_decref(ways[way]);
}

static void wrong_lines(void **state)
{
    (void)state;
    static const struct {
        const char *line, *why;
    } cases[] = {
        {"{\"text\":\"nop\\n\"}", NULL},
        {"xx", "not JSON"},
        {"{\"text\":\"nop\\n\"", "not JSON"},
        {"{\"text\":\"nop\\n\"} {}", "not JSON"},
        {"\xff\xfe", "not JSON"},
        {"[]", "object"},
        {"{}", "either a text"},
        {"{\"text\":\"\",\"file\":\"k\"}", "either a text"},
        {"{\"text\":1}", "text is to be a text"},
        {"{\"text\":\"\",\"texts\":1}", "texts"},
        {"{\"text\":\"\",\"text\":\"\"}", "not JSON"},
        {"{\"file\":\"/nowhere/k.vsm\"}", "/nowhere/k.vsm"},
        {"{\"file\":\"-\"}", "standard input"},
        {"{\"text\":\"\",\"machine\":\"none\"}", "none"},
        {"{\"text\":\"\",\"machine\":3}", "machine"},
        {"{\"text\":\"\",\"options\":[]}", "options"},
        {"{\"text\":\"\",\"options\":{\"set\":[\"no=1\"]}}", "no"},
        {"{\"text\":\"\",\"options\":{\"set\":\"a=1\"}}", "set"},
        {"{\"text\":\"\",\"options\":{\"set\":{\"a\":[]}}}", "set"},
        {"{\"text\":\"\",\"options\":{\"range\":1}}", "range"},
        {"{\"text\":\"\",\"options\":{\"init\":\"zero\"}}", "options.init needs values"},
        {"{\"text\":\"\",\"options\":{\"packing\":\"tight\"}}", "tight"},
        {"{\"text\":\"\",\"options\":{\"nothing\":true}}", "nothing"},
        {"{\"text\":\"" EARLY "\"}", "3:13: read of GRF0"},
        {"{\"text\":\"\",\"machine\":\"amx\"}", NULL},
        {"{\"text\":\"nop\\n\",\"options\":{\"set\":{\"mv_start_latency\":3}}}", NULL},
    };
    enum { CASES = sizeof cases / sizeof *cases };
    char input[8192] = "";
    for (size_t i = 0; i < CASES; i++) {
        strcat(input, cases[i].line);
        strcat(input, i % 3 ? "\n" : "\n \t\r\n\n"); /* blank lines are none */
    }
    json_t *lines = batch(ARGS("batch", "--jobs", "2"), input, 1);
    assert_int_equal(json_array_size(lines), CASES);
    for (size_t i = 0; i < CASES; i++) {
        const json_t *line = json_array_get(lines, i);
        if (ok(line) != !cases[i].why || (cases[i].why && !strstr(text(line, "why"), cases[i].why)))
            fail_msg("%s: %d %s", cases[i].line, ok(line), text(line, "why"));
        if (!strstr(cases[i].line, "\"file\""))
            assert_int_equal(integer(line, "id"), i + 1);
    }
    json_decref(lines);
}

/* More jobs than are ever under way, long and short in turn; ids are whatever a job says. */
static void order(void **state)
{
    (void)state;
    enum { JOBS = 700 };
    char *input = malloc(JOBS * 200), *at = input;
    for (int i = 0; i < JOBS; i++)
        at += sprintf(at, "{\"id\":{\"n\":%d},\"text\":\"nop/%d\\n\"}\n", i, i % 50 ? 1 : 9999);
    json_t *lines = batch(ARGS("batch", "--jobs", "3"), input, 0);
    json_t *alone = batch(ARGS("batch", "--jobs", "1"), input, 0);
    assert_int_equal(json_array_size(lines), JOBS);
    for (size_t i = 0; i < JOBS; i++)
        assert_int_equal(integer(json_object_get(json_array_get(lines, i), "id"), "n"), i);
    assert_true(json_equal(lines, alone));
    json_decref(lines);
    json_decref(alone);
    free(input);
}

/* Lines of the most bytes and of one more, with and without an end. */
static void long_lines(void **state)
{
    (void)state;
    static const char head[] = "{\"text\":\"nop\\n#", tail[] = "\"}";
    char *input = malloc(3 * (size_t)LONG_LINE + 1000), *at = input;
    for (int more = -1; more <= 1; more++) {
        const size_t fill = LONG_LINE + (size_t)(more + 1) - 1 - strlen(head) - strlen(tail);
        at = stpcpy(at, head);
        memset(at, 'x', fill);
        at = stpcpy(at + fill, tail);
        at = stpcpy(at, more < 1 ? "\n{\"text\":\"nop\\n\"}\n" : "");
    }
    json_t *lines = batch(ARGS("batch", "--jobs", "2"), input, 1);
    assert_int_equal(json_array_size(lines), 5);
    static const bool good[] = {true, true, false, true, false};
    for (size_t i = 0; i < 5; i++) {
        const json_t *line = json_array_get(lines, i);
        assert_int_equal(integer(line, "id"), i + 1);
        assert_true(ok(line) == good[i]);
        if (!good[i])
            assert_non_null(strstr(text(line, "why"), "16 MiB"));
    }
    json_decref(lines);
    free(input);
}

static void options(void **state)
{
    (void)state;
    json_t *lines = batch(ARGS("batch", FMA, "--units", "--transfers", "--statements", "--bounds",
                               "--range", "--counters", "--dump", "--hash", "--diagnostics",
                               "--path", "--limit", "--set", "mv_start_latency=10"),
                          "", 0);
    const json_t *line = json_array_get(lines, 0);
    const json_t *units = json_object_get(line, "units"), *unit;
    size_t i;
    assert_true(json_array_size(units) > 0);
    json_array_foreach(units, i, unit)
    {
        json_int_t sum = 0;
        const char *name;
        json_t *cycles;
        json_object_foreach(json_object_get(unit, "reasons"), name, cycles) sum +=
            json_integer_value(cycles);
        assert_int_equal(sum, integer(line, "cycles"));
    }
    assert_int_equal(json_array_size(json_object_get(line, "transfers")), 8);
    assert_true(json_array_size(json_object_get(line, "statements")) > 0);
    assert_true(json_array_size(json_object_get(line, "bounds")) > 0);
    assert_true(json_array_size(json_object_get(line, "counters")) > 0);
    assert_true(json_is_array(json_object_get(line, "diagnostics")));
    assert_true(json_is_array(json_object_get(line, "run_warnings")));
    json_int_t path = 0;
    json_array_foreach(json_object_get(line, "path"), i, unit) path += integer(unit, "cycles");
    assert_int_equal(path, integer(line, "cycles"));
    json_t *run = output_of(ARGS("run", FMA, "--json", "--set", "mv_start_latency=10"));
    json_t *limit = json_object_get(line, "limit");
    json_t *same = json_object_get(run, "limit");
    assert_non_null(strstr(text(limit, "text"), "transfers"));
    assert_string_equal(text(limit, "text"), text(same, "sentence"));
    json_object_del(limit, "text");
    assert_true(json_equal(limit, same));
    json_decref(run);
    assert_int_equal(integer(json_array_get(json_object_get(line, "transfers"), 0), "long_words"),
                     2048);
    assert_true(integer(json_object_get(line, "range"), "low") <= integer(line, "cycles"));
    assert_true(integer(json_object_get(line, "range"), "high") >= integer(line, "cycles"));
    assert_int_equal(strlen(text(line, "state")), 16);
    assert_true(strlen(text(line, "dump")) > 0);
    json_decref(lines);

    /* A job's own go before those of all, and its assignments behind them. */
    lines = batch(ARGS("batch", "--set", "mv_start_latency=10", "--units", "--jobs", "1"),
                  "{\"file\":\"" FMA "\"}\n"
                  "{\"file\":\"" FMA "\",\"options\":{\"set\":{\"mv_start_latency\":400},"
                  "\"units\":false}}\n{\"file\":\"" FMA "\"}\n",
                  0);
    const json_t *first = json_array_get(lines, 0), *own = json_array_get(lines, 1);
    assert_true(integer(own, "cycles") > integer(first, "cycles"));
    assert_null(json_object_get(own, "units"));
    assert_true(json_equal(first, json_array_get(lines, 2)));
    json_decref(lines);
}

/* Findings are those of takt check, with all their fields, and those of the run. */
static void diagnostics(void **state)
{
    (void)state;
    static const char path[] = "tests/naive/too-early.vsm";
    json_t *lines = batch(ARGS("batch", path, "--diagnostics"), "", 0);
    json_t *check = output_of(ARGS("check", path, "--json"));
    const json_t *line = json_array_get(lines, 0), *own = json_object_get(line, "run_warnings");
    assert_true(json_array_size(json_object_get(check, "diagnostics")) > 0);
    assert_true(
        json_equal(json_object_get(line, "diagnostics"), json_object_get(check, "diagnostics")));
    assert_null(json_object_get(line, "left_out"));
    assert_int_equal(json_array_size(own), 1);
    assert_string_equal(text(json_array_get(own, 0), "name"), "early");
    assert_int_equal(integer(json_array_get(own, 0), "line"), 11);
    json_decref(check);
    json_decref(lines);

    enum { LINES = 12000 };
    char *many = malloc(LINES * 3 + 100), *at = many + sprintf(many, "{\"text\":\"");
    for (size_t i = 0; i < LINES; i++)
        at += sprintf(at, "x\\n");
    strcpy(at, "\"}\n");
    lines = batch(ARGS("batch"), many, 1);
    line = json_array_get(lines, 0);
    assert_int_equal(integer(line, "errors"), LINES);
    assert_int_equal(json_array_size(json_object_get(line, "diagnostics")), 10000);
    assert_int_equal(integer(line, "left_out"), LINES - 10000);
    json_decref(lines);
    free(many);
}

/* --- processes that end ----------------------------------------------------------------------- */

/* A child of the process, or 0. */
static pid_t child_of(pid_t parent)
{
    DIR *processes = opendir("/proc");
    assert_non_null(processes);
    pid_t child = 0;
    for (struct dirent *entry; !child && (entry = readdir(processes));) {
        char path[300], line[512];
        snprintf(path, sizeof path, "/proc/%.250s/stat", entry->d_name);
        FILE *stat = fopen(path, "r");
        int of = 0;
        if (stat && fgets(line, sizeof line, stat) && strrchr(line, ')') &&
            sscanf(strrchr(line, ')'), ") %*c %d", &of) == 1 && of == parent)
            child = atoi(line);
        if (stat)
            fclose(stat);
    }
    closedir(processes);
    return child;
}

static json_t *next_answer(FILE *answers)
{
    char line[4096];
    assert_non_null(fgets(line, sizeof line, answers));
    json_t *answer = json_loads(line, 0, NULL);
    assert_non_null(answer);
    return answer;
}

static void give(int to, const char *line)
{
    assert_int_equal(write(to, line, strlen(line)), strlen(line));
}

/* A process that is killed, with and without a job, costs that job alone; the command says so. A
 * pipe that nobody opens to write keeps it at work. */
static void killed(void **state)
{
    (void)state;
    int in[2], out[2], status;
    char pipe_job[300];
    const char *path = takt_temp_path("nobody.vsm"), *errors = takt_temp_path("errors");
    const char *takt = getenv("TAKT") ? getenv("TAKT") : "build/takt";
    snprintf(pipe_job, sizeof pipe_job, "{\"file\":\"%s\",\"id\":\"pipe\"}\n", path);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_int_equal(pipe(in), 0);
    assert_int_equal(pipe(out), 0);
    const pid_t batch_process = fork();
    if (batch_process == 0) {
        dup2(in[0], 0);
        dup2(out[1], 1);
        dup2(open(errors, O_WRONLY | O_CREAT, 0600), 2);
        close(in[1]);
        close(out[0]);
        execl(takt, "takt", "batch", "--jobs", "1", "--any-file", (char *)NULL);
        _exit(127);
    }
    close(in[0]);
    close(out[1]);
    FILE *answers = fdopen(out[0], "r");
    give(in[1], "{\"text\":\"nop\\n\",\"id\":\"first\"}\n");
    json_t *answer = next_answer(answers);
    assert_true(ok(answer));
    json_decref(answer);

    kill(child_of(batch_process), SIGKILL); /* it has nothing to do */
    while (child_of(batch_process))
        usleep(1000);
    give(in[1], "{\"text\":\"nop\\n\",\"id\":\"second\"}\n");
    answer = next_answer(answers);
    assert_true(ok(answer));
    json_decref(answer);

    give(in[1], pipe_job);
    give(in[1], "{\"text\":\"nop/3\\n\",\"id\":\"last\"}\n");
    usleep(50000); /* so that the loop has handed out the job */
    kill(child_of(batch_process), SIGKILL);
    answer = next_answer(answers);
    assert_false(ok(answer));
    assert_string_equal(text(answer, "id"), "pipe");
    assert_non_null(strstr(text(answer, "why"), "signal 9"));
    json_decref(answer);
    answer = next_answer(answers);
    assert_string_equal(text(answer, "id"), "last");
    assert_true(ok(answer));
    json_decref(answer);
    close(in[1]);
    fclose(answers);
    assert_int_equal(waitpid(batch_process, &status, 0), batch_process);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 3);
    char *said = takt_read_file(errors, NULL);
    assert_string_equal(said, "takt batch: the host failed in a job, whose answer says how\n");
    free(said);
}

#define LOOP                                                                                       \
    "{\"text\":\".globl _start\\n_start: j _start\\n\",\"machine\":\"kelvin\",\"id\":\"loop\""
#define FINE "{\"text\":\"nop\\n\",\"id\":\"fine\"}\n"

static void expect_why(const json_t *line, const char *id, const char *words)
{
    assert_string_equal(text(line, "id"), id);
    assert_false(ok(line));
    if (!strstr(text(line, "why"), words))
        fail_msg("%s: %s", id, text(line, "why"));
}

/* Jobs without an end: a program that loops and a pipe without a writer. Each costs itself
 * alone, whatever the number of processes; its trace stays partial. */
static void jobs_without_an_end(void **state)
{
    (void)state;
    char input[2000];
    const char *path = takt_temp_path("endless.vsm"), *trace = takt_temp_path("loop.db");
    assert_int_equal(mkfifo(path, 0600), 0);
    snprintf(input, sizeof input,
             FINE LOOP ",\"options\":{\"trace\":\"%s\"}}\n" FINE
                       "{\"file\":\"%s\",\"id\":\"pipe\"}\n" FINE,
             trace, path);
    static const char *const processes[] = {"1", "3"};
    for (size_t i = 0; i < 2; i++) {
        json_t *lines = batch(
            ARGS("batch", "--any-file", "--job-seconds", "1", "--jobs", processes[i]), input, 1);
        assert_int_equal(json_array_size(lines), 5);
        for (size_t k = 0; k < 5; k += 2)
            assert_true(ok(json_array_get(lines, k)));
        expect_why(json_array_get(lines, 1), "loop", "--job-seconds");
        expect_why(json_array_get(lines, 3), "pipe", "--job-seconds");
        assert_int_not_equal(access(trace, F_OK), 0);
        json_decref(lines);
    }
}

/* Where nothing says otherwise a program is a regular file, and instructions have a limit that does
 * not depend on the host. */
static void limits(void **state)
{
    (void)state;
    const char *path = takt_temp_path("refused.vsm");
    assert_int_equal(mkfifo(path, 0600), 0);
    json_t *lines = batch(ARGS("batch", "--machine", "mncore2", "/dev/zero", FMA, path), "", 1);
    expect_why(json_array_get(lines, 0), "/dev/zero", "not a regular file");
    assert_true(ok(json_array_get(lines, 1)));
    expect_why(json_array_get(lines, 2), path, "not a regular file");
    json_decref(lines);
    lines = batch(ARGS("batch", "--machine", "mncore2", "--any-file", "/dev/null"), "", 0);
    assert_true(ok(json_array_get(lines, 0)));
    json_decref(lines);
    lines = batch(ARGS("batch", "--job-seconds", "0", "--max-instructions", "1000"), LOOP "}\n", 1);
    expect_why(json_array_get(lines, 0), "loop", "1000 instructions");
    json_decref(lines);
}

static void usage(void **state)
{
    (void)state;
    json_decref(batch(ARGS("batch", "--jobs", "0"), "", 2));
    json_decref(batch(ARGS("batch", "--list", "k", FMA), "", 2));
    json_decref(batch(ARGS("batch", "--machine", "none", FMA), "", 2));
    json_decref(batch(ARGS("batch", "--list", "/nowhere/list"), "", 1));
    json_decref(batch(ARGS("batch", "--config", "/nowhere/c.yaml", FMA), "", 1));
    json_t *none = batch(ARGS("batch"), "", 0);
    assert_int_equal(json_array_size(none), 0);
    json_decref(none);
}

/* Lines without a job, also as the last ones, while another process has nothing to do. */
static void blank_lines(void **state)
{
    (void)state;
    static const char *const inputs[] = {"{\"file\": \"" FMA "\"}\n\n \n\t\n",
                                         "\n\n{\"file\": \"" FMA "\"}\n \n",
                                         "{\"file\": \"" FMA "\"}\n  "};
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
        json_t *lines = batch(ARGS("batch", "--jobs", "3"), inputs[i], 0);
        assert_int_equal(json_array_size(lines), 1);
        json_decref(lines);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_ways),
        cmocka_unit_test(wrong_lines),
        cmocka_unit_test(order),
        cmocka_unit_test(long_lines),
        cmocka_unit_test(long_answers),
        cmocka_unit_test(options),
        cmocka_unit_test(diagnostics),
        cmocka_unit_test(killed),
        cmocka_unit_test(usage),
        cmocka_unit_test(blank_lines),
        cmocka_unit_test(jobs_without_an_end),
        cmocka_unit_test(limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
