/* The commands about traces as a user meets them: all examples recorded and queried, exit codes,
 * and what stands on which stream. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>
#include <math.h>
#include <sqlite3.h>

#include "analysis/questions.h"
#include "functional/text.h"
#include "tests/often.h"
#include "tests/takt_expect.h"
#include "tests/takt_process.h"

#define RUN(...) takt_run((const char *const[]){__VA_ARGS__, NULL})

static const char *const examples[] = {
    "examples/mncore2/fma.vsm", "examples/mncore2/matmul.vsm", "examples/mncore2/reduce.vsm",
    "examples/amx/block.amx",   "examples/amx/threads.amx",    "examples/amx/accumulators.amx",
    "examples/amx/matmul.amx",
};

/* Every example, every question in every form; v_check is run by each report. */
static void examples_answer(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i += often_long() ? 1 : 3) {
        const char *trace = takt_record(examples[i], "--detail");
        takt_expect(ARGS("report", trace), 0, "LIMIT", NULL);
        takt_expect_json(ARGS("report", trace, "--json"));
        for (size_t q = 0; q < question_count; q++) {
            takt_expect(ARGS("report", trace, questions[q].name), 0, NULL, NULL);
            takt_expect_json(ARGS("report", trace, questions[q].name, "--json"));
            takt_expect(ARGS("report", trace, questions[q].name, "--csv"), 0, ",", NULL);
        }
        takt_expect(ARGS("report", trace, "check", "--csv"), 0, "rule,subject,expected,found\r\n",
                    NULL);
        takt_expect(ARGS("timeline", trace), 0, "one column =", NULL);
        takt_expect_json(ARGS("timeline", trace, "--json"));
        takt_expect(ARGS("timeline", trace, "--statements", "--width", "120"), 0,
                    "one column =", NULL);
        takt_expect_json(ARGS("export", trace, "--format", "perfetto"));
        takt_expect_json(ARGS("export", trace, "--format", "json"));
        takt_expect(ARGS("export", trace, "--format", "html"), 0, "</html>", NULL);
        takt_expect(ARGS("export", trace, "--format", "csv"), 0, "# transfers\r\nline,mode", NULL);
        /* Intervals and totals say the same about each unit and reason. */
        takt_expect(
            ARGS("query", trace, "--csv",
                 "SELECT count(*) AS wrong FROM (SELECT unit, reason, sum(c) AS off FROM (SELECT "
                 "unit, reason, cycles AS c FROM unit_total WHERE reason <> (SELECT id FROM reason "
                 "WHERE name = 'idle') UNION ALL SELECT "
                 "track_id, reason, -dur FROM slice) GROUP BY unit, reason HAVING off <> 0)"),
            0, "wrong\r\n0\r\n", NULL);
        /* The same first screen as the run's own. */
        struct takt_result run = RUN("run", examples[i]);
        struct takt_result report = RUN("report", trace);
        const char *limit = strstr(run.out, "LIMIT");
        assert_non_null(limit);
        char *line = strndup(limit, strcspn(limit, "\n"));
        assert_non_null(strstr(report.out, line));
        free(line);
        takt_result_free(&run);
        takt_result_free(&report);
    }
}

/* The detail never changes the result, and the same run gives the same totals. */
static void detail_changes_nothing(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        struct takt_result plain = RUN("run", examples[i], "--json");
        assert_int_equal(plain.exit_code, 0);
        const char *trace = takt_temp_path("d.db");
        unlink(trace);
        struct takt_result detail =
            RUN("run", examples[i], "--json", "--trace", trace, "--detail", "--window", "10:90");
        assert_int_equal(detail.exit_code, 0);
        assert_string_equal(plain.out, detail.out);
        takt_result_free(&plain);
        takt_result_free(&detail);
        takt_expect(ARGS("report", trace, "check", "--csv"), 0, "found\r\n", NULL);
        takt_expect(
            ARGS("query", trace, "--csv",
                 "SELECT (SELECT value FROM meta WHERE key = 'detail') AS detail, (SELECT value "
                 "FROM meta WHERE key = 'window_from') AS a, count(*) > 0 AS packed FROM "
                 "slice_chunk"),
            0, "window,10,1\r\n", NULL);
    }
}

static char *repeated(const char *line, size_t times)
{
    const size_t length = strlen(line);
    char *text = malloc(length * times + 1);
    assert_non_null(text);
    for (size_t i = 0; i < times; i++)
        memcpy(text + i * length, line, length);
    text[length * times] = '\0';
    return text;
}

/* 80 columns and 40 lines, whatever the program is called and does. A character of the name takes
 * two columns; each of them three bytes. */
static void first_screens_fit(void **state)
{
    (void)state;
    char wide[200] = "", longest[220];
    for (int i = 0; i < 40; i++)
        strcat(wide, "\xe9\x95\xb7");
    strcat(wide, ".vsm");
    memset(longest, 'x', 120);
    strcpy(longest + 120, ".vsm");
    char *blanks = repeated(" ", 4000), *lines = repeated("mvp/n640p1 $p0@0 $d0@1\n", 60);
    char spaced[9000];
    snprintf(spaced, sizeof spaced, "mvp/n640i1f%s$p0@0 $lc0@0.0%s# x\nnop; wait i1f\n", blanks,
             blanks);
    const char *const programs[][2] = {
        {wide, "mvp/n640i1f $p0@0 $lc0@0.0\nnop; wait i1f\n"},
        {longest, "nop\n"},
        {"spaced.vsm", spaced},
        {"c\x1b[31m\xc2\x9b.vsm", lines},
        {"empty.vsm", ""},
    };
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        const char *program = takt_temp_file(programs[i][0], programs[i][1]);
        struct takt_result r = RUN("run", program, "--silence", "all");
        assert_int_equal(r.exit_code, 0);
        assert_null(strstr(r.out, "\x1b"));
        assert_null(strstr(r.out, "\xc2\x9b"));
        assert_true(i != 0 || strstr(r.out, "line 2 waits for line 1 "));
        int count = 0;
        for (const char *line = r.out; *line; count++) {
            const size_t size = strcspn(line, "\n");
            int columns = 0;
            for (size_t at = 0; at < size;) {
                const size_t n = text_character(line + at, size - at);
                assert_true(n > 0);
                columns += text_columns(line + at, n);
                at += n;
            }
            if (columns > 80)
                fail_msg("%d columns: %.*s", columns, (int)size, line);
            line += size + (line[size] == '\n');
        }
        assert_in_range(count, 1, 40);
        takt_result_free(&r);
    }
    free(blanks);
    free(lines);
}

/* Transfers that start in another order than they were issued, and a wait from cycle 0 on, which
 * lasts longer than its transfer took: time goes on along each track, and the arrows of a transfer
 * run from its issue on. */
static void perfetto_goes_on_in_time(void **state)
{
    (void)state;
    static const char *const programs[] = {
        "mvp/n512i01 $p0@0 $p0@1\nmvp/n512i02p2 $p512@0 $p512@1\nmvp/n512i03 $d0@0 $p1024@1\n"
        "mvp/n512i1fp1 $d8192@0 $p2048@0\nnop; wait i1f\nnop; wait i02\nnop; wait i01\n",
        "mvp/n640i01 $d0@0 $lc0@0.0\nnop; wait i01\n"};
    for (size_t i = 0; i < 2; i++) {
        const char *program = takt_temp_file("flows.vsm", programs[i]);
        const char *trace = takt_temp_path("flows.db");
        unlink(trace);
        takt_expect(ARGS("run", program, "--packing", i ? "none" : "auto", "--trace", trace,
                         "--detail", "--quiet"),
                    0, NULL, NULL);
        struct takt_result r = RUN("export", trace, "--format", "perfetto");
        json_t *root = json_loads(r.out, 0, NULL);
        const json_t *events = json_object_get(root, "traceEvents");
        json_t *last = json_object(), *ends = json_object(), *event;
        size_t e;
        json_array_foreach(events, e, event)
        {
            const char *phase = json_string_value(json_object_get(event, "ph"));
            const long ts = lround(1000 * json_number_value(json_object_get(event, "ts")));
            const bool counter = !strcmp(phase, "C");
            const json_t *bound = json_object_get(event, "bind_id");
            char key[200];
            if (bound) {
                const bool in = json_object_get(event, "flow_in") != NULL;
                snprintf(key, sizeof key, "%lld", (long long)json_integer_value(bound));
                assert_true(in == (json_object_get(ends, key) != NULL));
                assert_true(in || json_is_true(json_object_get(event, "flow_out")));
                json_object_set_new(ends, key, json_true());
            }
            if (!counter && *phase != 'X')
                continue;
            snprintf(key, sizeof key, "%lld %lld %s",
                     (long long)json_integer_value(json_object_get(event, "pid")),
                     (long long)json_integer_value(json_object_get(event, "tid")),
                     counter ? json_string_value(json_object_get(event, "name")) : "");
            assert_true(ts >= 0 && ts < 1000);
            assert_true(ts >= json_integer_value(json_object_get(last, key)));
            json_object_set_new(last, key, json_integer(ts));
        }
        assert_int_equal(json_object_size(ends), i ? 1 : 4); /* transfers */
        assert_true(i || strstr(r.out, "\"wait i1f\""));
        json_decref(last);
        json_decref(ends);
        json_decref(root);
        takt_result_free(&r);
    }
}

/* A hazard holds the stream at its MV statement, not the transfer. */
static void held_before_issue(void **state)
{
    (void)state;
    const char *program = takt_temp_file("held.vsm", "l2bm@0 $lb0 $lc0\nmvp/n64 $lc0@0.0 $p0@0\n");
    const char *trace = takt_temp_path("held.db");
    unlink(trace);
    takt_expect(ARGS("run", program, "--interlock", "--packing", "none", "--trace", trace,
                     "--quiet", "--silence", "all"),
                0, NULL, NULL);
    takt_expect(ARGS("report", trace, "stalls", "--csv"), 0,
                "\r\n4,1,stream,data,l2bm0.pe,3.6.3.1,2,", NULL);
    takt_expect(ARGS("report", trace, "hazards", "--csv"), 0, "\r\n4,1,data,3.6.3.1,l2bm0.pe,1,",
                NULL);
}

/* A parameter that is a text is its own value: it has no unit and no range. */
static void texts_are_values(void **state)
{
    (void)state;
    const char *trace = takt_temp_path("map.db");
    unlink(trace);
    takt_expect(ARGS("run", "examples/mncore2/fma.vsm", "--trace", trace, "--quiet", "--set",
                     "dram_map=bank:channel:row:column"),
                0, NULL, NULL);
    takt_expect(ARGS("report", trace, "parameters", "--csv"), 0,
                "\ndram_map,bank:channel:row:column,,,,,", NULL);
    takt_expect(ARGS("report", trace, "parameters", "--csv"), 0, "\ndram_banks,16,banks,1,256,16,",
                NULL);
}

/* A trace has the values of its run: the documented ones where it was asked for them. */
static void values_are_those_of_the_run(void **state)
{
    (void)state;
    static const char differ[] = "SELECT count(*) > 0 FROM param WHERE value <> documented "
                                 "AND typeof(value) <> 'text'";
    for (int documented = 0; documented < 2; documented++) {
        const char *trace =
            takt_record("examples/mncore2/fma.vsm", documented ? "--documented" : "--quiet");
        takt_expect(ARGS("query", "--csv", trace, differ), 0, documented ? "\n0\r" : "\n1\r", NULL);
    }
}

/* No line of a timeline is wider than --width. */
static void timelines_keep_their_width(void **state)
{
    (void)state;
    static const char *const widths[] = {"20", "40", "80", "117", "200"};
    for (int d = 0; d < 2; d++) {
        const char *trace = takt_record("examples/mncore2/fma.vsm", d ? "--detail" : "--quiet");
        for (size_t w = 0; w < 2 * sizeof widths / sizeof *widths; w++) {
            const char *width = widths[w / 2];
            struct takt_result r =
                RUN("timeline", trace, "--width", width, w % 2 ? "--statements" : "--all");
            assert_int_equal(r.exit_code, 0);
            const size_t most = strtoul(width, NULL, 10);
            /* The legend of a trace without intervals has a sentence of 43 columns. */
            const size_t limit = most < 43 ? 43 : most;
            for (const char *line = r.out; *line;) {
                const size_t size = strcspn(line, "\n");
                if (size > limit)
                    fail_msg("%zu columns of %s: %.*s", size, width, (int)size, line);
                line += size + (line[size] == '\n');
            }
            takt_result_free(&r);
        }
    }
}

/* A loop is one link, however many turns it takes. */
static void loops_are_shown_once(void **state)
{
    (void)state;
    const char *program =
        takt_temp_file("loop.amx", ".version M1\n.repeat 100\n matfp f32 x=0 y=0 z=0\n.end\n");
    const char *trace = takt_record(program, "--detail");
    struct takt_result why = RUN("why", trace, "array0@200");
    assert_int_equal(why.exit_code, 0);
    const char *link = strstr(why.out, " held ");
    assert_non_null(link);
    assert_null(strstr(link + 1, " held "));
    assert_non_null(strstr(link, "... and so on: 99 times in all\n"));
    takt_result_free(&why);
    takt_expect(ARGS("why", trace, "array0@200", "--json"), 0, "\"repeats\": 1", NULL);
}

static void sleep_ms(long ms)
{
    nanosleep(&(const struct timespec){ms / 1000, ms % 1000 * 1000000}, NULL);
}

/* ignored: SIG_DFL, or SIG_IGN as after nohup. */
static pid_t start_with(const char *program, const char *trace, const char *err,
                        void (*ignored)(int))
{
    const char *takt = getenv("TAKT");
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        const int fd = open(err, O_WRONLY | O_CREAT | O_TRUNC, 0600);
        dup2(fd, STDERR_FILENO);
        dup2(fd, STDOUT_FILENO);
        signal(SIGINT, SIG_DFL); /* a shell's background job ignores it */
        signal(SIGTERM, SIG_DFL);
        signal(SIGHUP, ignored);
        execl(takt ? takt : "build/takt", "takt", "run", program, "--trace", trace, (char *)NULL);
        _exit(99);
    }
    return child;
}

static pid_t start(const char *program, const char *trace, const char *err)
{
    return start_with(program, trace, err, SIG_DFL);
}

static int signal_and_wait(pid_t child, int number)
{
    kill(child, number);
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Start a run, and send it a signal once its trace is so large that intervals are in it. */
static int interrupt(const char *program, const char *trace, const char *err, int number)
{
    char partial[4200];
    snprintf(partial, sizeof partial, "%s.partial", trace);
    unlink(partial);
    const pid_t child = start(program, trace, err);
    struct stat at = {.st_size = 0};
    for (int i = 0; i < 60000 && at.st_size < 400000; i++) {
        sleep_ms(1);
        if (stat(partial, &at) != 0)
            at.st_size = 0;
    }
    return signal_and_wait(child, number);
}

/* Ctrl-C while the program is still being read: there is no trace yet, and none is left. */
static void interrupted_before(void **state)
{
    (void)state;
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    const char *pipe = takt_temp_path("slow.vsm"), *trace = takt_temp_path("none.db");
    const char *err = takt_temp_path("err.txt");
    unlink(pipe);
    unlink(trace);
    assert_int_equal(mkfifo(pipe, 0600), 0);
    for (size_t i = 0; i < 3; i++) {
        const pid_t child = start(pipe, trace, err);
        const int end = open(pipe, O_WRONLY); /* returns when takt has opened the other */
        assert_true(end >= 0);
        assert_int_equal(write(end, "nop\n", 4), 4);
        assert_int_equal(signal_and_wait(child, signals[i]), 130);
        close(end);
        char *text = takt_read_file(err, NULL);
        assert_string_equal(text, "takt run: interrupted\n");
        free(text);
        assert_int_not_equal(access(trace, F_OK), 0);
    }
    unlink(pipe);
}

/* Ctrl-C: exit 130, a sentence, and a trace of another name that says that it is not whole. */
static void interrupted_runs(void **state)
{
    (void)state;
    char *steps = repeated("lpassa $lm0v $lr0v\nlpassa $lm8v $lr8v\n", 300000);
    const char *program = takt_temp_file("long.vsm", steps);
    free(steps);
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < 3; i++) {
        const char *trace = takt_temp_path("long.db"), *err = takt_temp_path("err.txt");
        unlink(trace);
        assert_int_equal(interrupt(program, trace, err, signals[i]), 130);
        char *text = takt_read_file(err, NULL);
        assert_non_null(text);
        assert_non_null(strstr(text, "interrupted at cycle "));
        assert_non_null(strstr(text, "not complete"));
        assert_null(strstr(text, "LIMIT"));
        free(text);
        char partial[4200];
        snprintf(partial, sizeof partial, "%s.partial", trace);
        takt_expect(ARGS("report", trace), 1, NULL, ".partial does: of a run that continues");
        takt_expect(ARGS("report", partial), 0, "INCOMPLETE: stopped at cycle ", NULL);
        takt_expect(
            ARGS("query", partial, "--csv", "SELECT value FROM meta WHERE key = 'complete'"), 0,
            "value\r\n0\r\n", NULL);
        takt_expect(
            ARGS("query", partial, "--csv", "SELECT count(*) FROM meta WHERE key = 'total_cycles'"),
            0, "\r\n0\r\n", NULL);
        takt_expect(ARGS("report", partial, "check", "--csv"), 0, "found\r\n", NULL);
        unlink(partial);
    }
}

/* After nohup a terminal may go away: the run comes to its end. */
static void a_signal_that_is_ignored(void **state)
{
    (void)state;
    char *steps = repeated("lpassa $lm0v $lr0v\nlpassa $lm8v $lr8v\n", 300000);
    const char *program = takt_temp_file("long.vsm", steps);
    free(steps);
    const char *trace = takt_temp_path("nohup.db"), *err = takt_temp_path("err.txt");
    unlink(trace);
    char partial[4200];
    snprintf(partial, sizeof partial, "%s.partial", trace);
    const pid_t child = start_with(program, trace, err, SIG_IGN);
    for (int i = 0; i < 15000 && access(partial, F_OK) != 0; i++)
        sleep_ms(1);
    assert_int_equal(signal_and_wait(child, SIGHUP), 0);
    takt_expect(ARGS("query", trace, "--csv", "SELECT value FROM meta WHERE key = 'complete'"), 0,
                "value\r\n1\r\n", NULL);
}

/* While a run writes its trace, another of the same name is refused and readers get a sentence. */
static void one_run_a_name(void **state)
{
    (void)state;
    const char *err = takt_temp_path("err.txt");
    char trace[300], partial[320];
    snprintf(trace, sizeof trace, "%s", takt_temp_path("one.db"));
    snprintf(partial, sizeof partial, "%s.partial", trace);
    unlink(trace);
    unlink(partial);
    char *steps = repeated("lpassa $lm0v $lr0v\nlpassa $lm8v $lr8v\n", 500000);
    const char *program = takt_temp_file("long.vsm", steps);
    free(steps);
    const pid_t child = start(program, trace, err);
    for (int i = 0; i < 15000 && access(partial, F_OK) != 0; i++)
        sleep_ms(1);
    for (bool locked = false; !locked;) { /* stopped while it holds the lock */
        sleep_ms(5);
        kill(child, SIGSTOP);
        struct takt_result r = takt_run(ARGS("report", partial));
        locked = strstr(r.err, "is being written") != NULL;
        takt_result_free(&r);
        if (!locked)
            kill(child, SIGCONT);
        assert_int_equal(waitpid(child, NULL, WNOHANG), 0);
    }
    takt_expect(ARGS("run", "examples/mncore2/fma.vsm", "--quiet", "--trace", trace), 1, NULL,
                "another run writes this trace");
    takt_expect(ARGS("report", partial), 1, NULL, "is being written by a run that has not ended");
    takt_expect(ARGS("report", trace), 1, NULL, ".partial does");
    kill(child, SIGCONT);
    assert_int_equal(signal_and_wait(child, SIGTERM), 130);
    takt_expect(ARGS("run", "examples/mncore2/fma.vsm", "--quiet", "--trace", trace), 0, NULL,
                NULL);
    assert_int_not_equal(access(partial, F_OK), 0);
    takt_expect(ARGS("report", trace), 0, "LIMIT", NULL);
}

/* --events: a list beside what the run says without; a run at fault leaves what stood there. */
static void events_are_listed(void **state)
{
    (void)state;
    char list[300];
    snprintf(list, sizeof list, "%s", takt_temp_path("events.txt"));
    unlink(list);
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        struct takt_result plain = RUN("run", examples[i], "--json");
        struct takt_result listed = RUN("run", examples[i], "--json", "--events", list);
        assert_int_equal(listed.exit_code, 0);
        assert_string_equal(plain.out, listed.out);
        size_t size;
        char *text = takt_read_file(list, &size);
        assert_non_null(text);
        assert_true(size > 0);
        free(text);
        takt_result_free(&plain);
        takt_result_free(&listed);
    }
    const char *wrong = takt_temp_file("wrong.vsm", "lpassa\n");
    const char *kept = takt_temp_file("kept.txt", "kept\n");
    takt_expect(ARGS("run", wrong, "--events", kept), 1, NULL, "error");
    char *text = takt_read_file(kept, NULL);
    assert_string_equal(text, "kept\n");
    free(text);
    takt_expect(ARGS("run", examples[0], "--events", examples[0]), 2, NULL,
                "--events examples/mncore2/fma.vsm would write over");
    takt_expect(ARGS("run", examples[0], "--json", "--events", "-"), 2, NULL,
                "--events - and --json both want standard output");
}

/* Facts, transfers, waits and totals are the same without run-ahead; the events are more. */
static void run_ahead_changes_nothing(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        struct takt_result ahead = RUN("run", examples[i], "--json");
        struct takt_result one = RUN("run", examples[i], "--json", "--no-run-ahead");
        json_t *a = json_loads(ahead.out, 0, NULL), *b = json_loads(one.out, 0, NULL);
        assert_true(a && b);
        assert_true(json_integer_value(json_object_get(a, "events")) > 0);
        assert_true(json_integer_value(json_object_get(a, "events")) <=
                    json_integer_value(json_object_get(b, "events")));
        json_object_del(a, "events");
        json_object_del(b, "events");
        assert_true(json_equal(a, b));
        json_decref(a);
        json_decref(b);
        takt_result_free(&ahead);
        takt_result_free(&one);
    }
}

/* What a kill leaves of a run with --detail: intervals and statements, and no word of its length
 * and of edges. */
static void cut_off_runs(void **state)
{
    (void)state;
    const char *trace = takt_temp_path("cut.db");
    unlink(trace);
    takt_expect(ARGS("run", "examples/mncore2/fma.vsm", "--quiet", "--detail", "--trace", trace), 0,
                NULL, NULL);
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(trace, &db), SQLITE_OK);
    assert_int_equal(
        sqlite3_exec(
            db,
            "UPDATE meta SET value = 0 WHERE key = 'complete';"
            "DELETE FROM meta WHERE key IN ('total_cycles', 'cycles_reached', 'cycles_documented',"
            "'cycles_assumed'); DELETE FROM unit_total; DELETE FROM dep;"
            "DELETE FROM stmt_cost_set; DELETE FROM cost_set; DELETE FROM cost; DELETE FROM transfer_attribute;"
            "DELETE FROM transfer; DELETE FROM slack_range; DELETE FROM crit;"
            "DELETE FROM util_window; DELETE FROM bound; DELETE FROM string;"
            "UPDATE counter SET value = NULL",
            NULL, NULL, NULL),
        SQLITE_OK);
    sqlite3_close(db);
    takt_expect(ARGS("report", trace), 0, "INCOMPLETE: the run was cut off or still runs", NULL);
    takt_expect(ARGS("timeline", trace, "--window", "0:80"), 0, "\nissue  ", NULL);
    takt_expect(ARGS("timeline", trace, "--window", "99999999:100000000"), 1, NULL,
                "the window holds no cycle of the run");
    takt_expect(ARGS("why", trace, "issue@2"), 0, "issue at cycle 2: packing, from 0 to 12 (exact)",
                NULL);
    takt_expect(ARGS("why", trace, "issue@2"), 0, "before it wrote what held what", NULL);
    takt_expect(ARGS("why", trace, "issue@99999999"), 1, NULL, "is not in the run, which has ");
    takt_expect(ARGS("report", trace, "--json"), 0, "\"steps\": null", NULL);
}

/* A line of several files is named with its file. */
static void places_of_several_files(void **state)
{
    (void)state;
    static const char *const text =
        "lpassa $peid $lr0v\nnop\nmvp/n64i01 $p0@0 $d0@0\nnop; wait i01\n";
    char first[200], second[200];
    snprintf(first, sizeof first, "%s", takt_temp_file("first.vsm", text));
    snprintf(second, sizeof second, "%s", takt_temp_file("second.vsm", text));
    const char *trace = takt_temp_path("places.db");
    unlink(trace);
    takt_expect(ARGS("run", first, second, "--quiet", "--silence", "all", "--trace", trace), 0,
                NULL, NULL);
    takt_expect(ARGS("report", trace, "transfers", "--csv"), 0, "\nfirst.vsm:3,mvp P->D,", NULL);
    takt_expect(ARGS("report", trace, "transfers", "--csv"), 0, ",first.vsm:4,pdm0", NULL);
    takt_expect(ARGS("report", trace, "stalls", "--csv"), 0,
                ",second.vsm:4,nop; wait i01,second.vsm:3,", NULL);
    takt_expect(ARGS("report", trace, "statements", "--csv"), 0, "\nsecond.vsm:4,", NULL);
    takt_expect(ARGS("report", trace, "tags", "--csv"), 0, ",first.vsm:3,", NULL);
    takt_expect(ARGS("report", trace, "critical", "--csv"), 0, ",second.vsm:3,", NULL);
}

/* The first screen's head, all above the units: no figure is cut, however long the name. */
static void expect_screen(const char *program)
{
    struct takt_result run = RUN("run", program);
    assert_int_equal(run.exit_code, 0);
    int lines = 0;
    for (const char *line = run.out; *line; line += strcspn(line, "\n") + 1) {
        const size_t length = strcspn(line, "\n");
        lines++;
        if (length > 80)
            fail_msg("%zu columns: %.*s", length, (int)length, line);
        const char *cut = memmem(line, length, "..", 2);
        if (cut && cut > line && cut[-1] >= '0' && cut[-1] <= '9')
            fail_msg("cut inside a figure: %.*s", (int)length, line);
    }
    assert_true(lines <= 40);
    assert_true(strcspn(strstr(run.out, "cycles"), "\n") > 0);
    assert_true(strstr(run.out, "cycles") < strchr(run.out, '\n'));
    const char *floor = strstr(run.out, "\nFLOOR   ");
    assert_non_null(floor);
    assert_true(strstr(floor, " to gain") || strstr(floor, "not computed"));
    takt_result_free(&run);
}

static void figures_stay_whole(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++)
        expect_screen(examples[i]);
    static const char *const names[] = {
        "a.vsm",
        "a-name-of-some-length.vsm",
        "one_that_a_generator_made_and_that_is_longer_than_the_line_of_a_terminal_by_itself.vsm",
        "name-of-some-length-that-fits-alone-but-not-with-figures.vsm",
    };
    char *steps = repeated("lpassa $lm0v $lr0v\n", often_long() ? 30000 : 3000);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        expect_screen(takt_temp_file(names[i], steps));
    free(steps);
}

/* Every statement of a long program stands in the trace. */
static void lines_of_a_long_program(void **state)
{
    (void)state;
    enum { NOPS = 100001 };
    char *text = repeated("nop\n", NOPS);
    const char *path = takt_temp_file("nops.vsm", text), *trace = takt_temp_path("nops.db");
    free(text);
    unlink(trace);
    takt_expect(ARGS("run", path, "--quiet", "--trace", trace), 0, NULL, NULL);
    takt_expect(ARGS("why", trace, "--line", "50000"), 0, "was held by nothing", NULL);
    takt_expect(ARGS("why", trace, "--line", "100002"), 1, NULL,
                "there is no statement on line 100002");
}

static void usage_is_reported(void **state)
{
    (void)state;
    const char *trace = takt_record("examples/mncore2/matmul.vsm", "--detail");
    takt_expect(ARGS("report"), 2, NULL, "which trace?");
    takt_expect(ARGS("report", "--list"), 0, "bandwidth ", NULL);
    takt_expect(ARGS("report", "--list", "--help"), 0, "units: which unit limits", NULL);
    takt_expect(ARGS("report", trace, "unit"), 2, NULL, "did you mean 'units'?");
    takt_expect(ARGS("report", trace, "--csv"), 2, NULL, "--csv needs a question");
    takt_expect(ARGS("report", trace, "units", "--top", "x"), 2, NULL, "--top");
    takt_expect(ARGS("report", "nowhere.db"), 1, NULL, "cannot open nowhere.db");
    takt_expect(ARGS("report", "examples/mncore2/fma.vsm"), 0, "LIMIT", NULL);
    takt_expect(ARGS("query", trace), 2, NULL, NULL);
    takt_expect(ARGS("query", trace, "DELETE FROM stmt_row"), 1, NULL, "can only read");
    takt_expect(ARGS("query", trace, "ATTACH 'x' AS y"), 1, NULL, "can only read");
    takt_expect(ARGS("query", trace, "SELECT nosuch FROM stmt"), 1, NULL, "no such column: nosuch");
    takt_expect(ARGS("query", trace, "SELECT * FROM units"), 1, NULL, "FROM schema_field lists");
    takt_expect(ARGS("query", trace, "SELECT owner, field, sentence FROM schema_field"), 0,
                "v_util", NULL);
    takt_expect(ARGS("query", trace, "SELECT id FROM unit", "--rows", "2", "--csv"), 0,
                "id\r\n0\r\n1\r\n", "only the first 2 rows");
    struct takt_result result =
        takt_run_input(ARGS("query", trace, "-", "--csv"), "SELECT count(*) AS n FROM file");
    assert_int_equal(result.exit_code, 0);
    assert_string_equal(result.out, "n\r\n1\r\n");
    takt_result_free(&result);
    takt_expect(ARGS("export", trace), 2, NULL, "--format");
    takt_expect(
        ARGS("export", trace, "--format", "pdf"), 2, NULL,
        "perfetto, perfetto-proto, konata, csv, json, folded, speedscope, callgrind or html");
    takt_expect(ARGS("export", trace, "--format", "json", "--window", "1:2"), 2, NULL, "perfetto");
    takt_expect(ARGS("export", trace, "--format", "html", "--output", "/dev/full"), 3, NULL,
                "/dev/full");
    takt_expect(ARGS("timeline", trace, "--window", "9:3"), 2, NULL, "A:B");
    takt_expect(ARGS("timeline", trace, "--window", "999999:"), 1, NULL, "holds no cycle");
    takt_expect(ARGS("export", trace, "--format", "perfetto", "--window", "999999:"), 1, NULL,
                "holds no cycle");
    takt_expect(ARGS("trace", "materialize", "--window", "999999:", trace), 1, NULL,
                "holds no cycle");
    takt_expect(ARGS("trace", "materialize", trace), 2, NULL, "--window");
    takt_expect(ARGS("trace", "materialize", "--window", "0:16", trace), 0, "rows in slice_row",
                NULL);
    takt_expect(ARGS("trace", "polish", trace), 2, NULL, NULL);
    takt_expect(ARGS("report", trace), 0, "LIMIT", NULL);
}

/* Every row, or that there is none, is printed; what was left out only when something was. */
static void rows_are_counted(void **state)
{
    (void)state;
    const char *trace = takt_record("examples/mncore2/fma.vsm", NULL);
    /* The program has eight transfers. */
    takt_expect(ARGS("report", trace, "transfers", "--top", "7"), 0, "the first 7 rows", NULL);
    struct takt_result r =
        takt_run((const char *const[]){"report", trace, "transfers", "--top", "8", "--csv", NULL});
    size_t lines = 0;
    for (const char *at = r.out; *at; at++)
        lines += *at == '\n';
    assert_int_equal(lines, 1 + 8);
    takt_result_free(&r);
    static const char *const whole[] = {"8", "9", "0"};
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++) {
        r = takt_run((const char *const[]){"report", trace, "transfers", "--top", whole[i], NULL});
        assert_int_equal(r.exit_code, 0);
        assert_null(strstr(r.out, "rows"));
        takt_result_free(&r);
    }
    takt_expect(ARGS("report", trace, "check"), 0, "\n(no rows)\n", NULL);
    takt_expect(ARGS("query", trace, "SELECT 1 WHERE 0"), 0, "(no rows)\n", NULL);
    r = takt_run((const char *const[]){"report", trace, "check", "--csv", NULL});
    assert_string_equal(r.out, "rule,subject,expected,found\r\n");
    takt_result_free(&r);
    r = takt_run(
        (const char *const[]){"query", trace, "SELECT x'00ff2c' AS b, x'' AS c", "--csv", NULL});
    assert_string_equal(r.out, "b,c\r\n00ff2c,\r\n");
    takt_result_free(&r);
    /* In a table bytes are counted, and what would move the columns is not printed. */
    takt_expect(ARGS("query", trace,
                     "SELECT x'0001' AS b, 'a' || char(9) || 'ä' || CAST(x'01ff' AS text) AS t, "
                     "1.5 AS f, NULL AS n"),
                0, "b        t        f  n\n2 bytes  a ä ?  1.5   \n", NULL);
    r = takt_run(
        (const char *const[]){"query", trace, "--width", "30",
                              "SELECT 1000 AS n, 'a text of more than thirty columns' AS t", NULL});
    assert_string_equal(r.out, "   n  t\n1000  a text of more than th..\n");
    takt_result_free(&r);
    takt_expect(ARGS("query", trace, "REINDEX"), 1, NULL, "can only read");
}

static void files_are_guarded(void **state)
{
    (void)state;
    const char *program = "examples/mncore2/matmul.vsm";
    takt_expect(ARGS("run", program, "--quiet", "--trace", "/dev/full"), 3, NULL, "/dev/full");
    takt_expect(ARGS("run", program, "--quiet", "--trace", "/nonexistent/k.db"), 3, NULL,
                "/nonexistent");
    const char *other = takt_temp_file("thesis.txt", "not a trace, and the only copy\n");
    takt_expect(ARGS("run", program, "--quiet", "--trace", other), 1, NULL, "is not changed");
    size_t size;
    char *text = takt_read_file(other, &size);
    assert_string_equal(text, "not a trace, and the only copy\n");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_of_a_long_program),
        cmocka_unit_test(examples_answer),
        cmocka_unit_test(detail_changes_nothing),
        cmocka_unit_test(figures_stay_whole),
        cmocka_unit_test(loops_are_shown_once),
        cmocka_unit_test(timelines_keep_their_width),
        cmocka_unit_test(texts_are_values),
        cmocka_unit_test(values_are_those_of_the_run),
        cmocka_unit_test(held_before_issue),
        cmocka_unit_test(perfetto_goes_on_in_time),
        cmocka_unit_test(first_screens_fit),
        cmocka_unit_test(interrupted_before),
        cmocka_unit_test(interrupted_runs),
        cmocka_unit_test(a_signal_that_is_ignored),
        cmocka_unit_test(one_run_a_name),
        cmocka_unit_test(events_are_listed),
        cmocka_unit_test(run_ahead_changes_nothing),
        cmocka_unit_test(cut_off_runs),
        cmocka_unit_test(places_of_several_files),
        cmocka_unit_test(usage_is_reported),
        cmocka_unit_test(rows_are_counted),
        cmocka_unit_test(files_are_guarded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
