/* cli: what a user meets: help, exit codes, messages, and that a bad run leaves nothing behind. */
#include <setjmp.h>
#include <signal.h>
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

#include "tests/takt_process.h"

/* Run with arguments, expect the exit code and a piece of text on stdout or stderr. */
static void expect(const char *const *arguments, int exit_code, const char *out, const char *err)
{
    struct takt_result r = takt_run(arguments);
    if (r.exit_code != exit_code || (out && !strstr(r.out, out)) || (err && !strstr(r.err, err)))
        fail_msg("takt %s ...: exit %d (expected %d), stdout:\n%s\nstderr:\n%s\nexpected '%s' '%s'",
                 arguments[0] ? arguments[0] : "", r.exit_code, exit_code, r.out, r.err,
                 out ? out : "", err ? err : "");
    takt_result_free(&r);
}
#define ARGS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* Nothing of a page of help is wider than a terminal. */
static void fits(const char *text)
{
    for (size_t length; *text; text += length + (text[length] == '\n')) {
        length = strcspn(text, "\n");
        if (length > 80)
            fail_msg("%zu columns: %.*s", length, (int)length, text);
    }
}

static void helps(void **state)
{
    (void)state;
    expect(ARGS("--help"), 0, "usage: takt COMMAND", NULL);
    expect(ARGS("--version"), 0, "takt ", NULL);
    expect(ARGS("help", "run"), 0, "usage: takt run", NULL);
    expect(ARGS("--help", "why"), 0, "usage: takt why", NULL);
    expect(ARGS("help", "rum"), 2, NULL, "did you mean 'run'");
    expect(ARGS("--json", "run"), 2, NULL, "'--json' stands where the command stands");
    expect((const char *const[]){NULL}, 2, NULL, "usage: takt COMMAND");
    static const char *const commands[] = {"run",    "check",  "print",    "judge",
                                           "report", "trace",  "timeline", "why",
                                           "query",  "export", "config"};
    struct takt_result page = takt_run(ARGS("--help"));
    fits(page.out);
    takt_result_free(&page);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        char usage[64];
        snprintf(usage, sizeof usage, "usage: takt %s", commands[i]);
        expect(ARGS(commands[i], "--help"), 0, usage, NULL);
        expect(ARGS(commands[i], "--help"), 0, "\n\nexit: 0 ", NULL);
        page = takt_run(ARGS(commands[i], "--help"));
        fits(page.out);
        takt_result_free(&page);
        struct takt_result r = takt_run(ARGS(commands[i], "--no-such-option"));
        snprintf(usage, sizeof usage, "takt %s: ", commands[i]);
        assert_int_equal(r.exit_code, 2);
        assert_ptr_equal(strstr(r.err, usage), r.err);
        assert_null(strstr(r.err + 1, usage)); /* one sentence, then where the options stand */
        assert_non_null(strstr(r.err, "'--no-such-option'\n"));
        assert_non_null(strstr(r.err, "--help tells the options.\n"));
        takt_result_free(&r);
    }
}

static void usage_errors(void **state)
{
    (void)state;
    expect(ARGS("rum"), 2, NULL, "did you mean 'run'");
    expect(ARGS("run"), 2, NULL, "which program");
    expect(ARGS("check"), 2, NULL, "which program");
    expect(ARGS("run", "x.vsm", "--packing", "tight"), 2, NULL, "none, auto or flat");
    expect(ARGS("run", "x.vsm", "--threads", "0"), 2, NULL, "1 to 256");
    expect(ARGS("run", "x.vsm", "--timing-only", "--functional-only"), 2, NULL, "exclude");
    expect(ARGS("run", "x.vsm", "--window", "9:3"), 2, NULL, "A < B");
    const char *own = takt_temp_file("own.vsm", "nop\n");
    char save[300];
    snprintf(save, sizeof save, "d@0:0+1=%s", own);
    expect(ARGS("run", own, "--dump", own), 2, NULL, "write over the program");
    expect(ARGS("run", own, "--trace", own), 2, NULL, "write over the program");
    expect(ARGS("run", own, "--save", save), 2, NULL, "write over the program");
    expect(ARGS("run", own, "--trace", "x.db", "--dump", "x.db"), 2, NULL, "both write x.db");
    expect(ARGS("run", own, "--dump", "x", "--save", "d@0:0+1=x"), 2, NULL, "both write x");
    expect(ARGS("run", own, "--save", "p@0:0+1=x", "--save", "d@0:0+1=x"), 2, NULL, "both write");
    expect(
        ARGS("run", own, "--save", "p@0:0+1=/dev/null", "--save", "d@0:0+1=/dev/null", "--quiet"),
        0, NULL, NULL);
    expect(ARGS("run", own, "--trace", "-"), 2, NULL, "--trace writes a file");
    expect(ARGS("run", own, "--save", "d@0:0+1=-"), 2, NULL, "--save writes a file");
    expect(ARGS("run", own, "--load", "d@0:0=-"), 2, NULL, "--load reads a file");
    expect(ARGS("run", own, "--trace", ""), 2, NULL, "--trace needs a value");
    expect(ARGS("run", own, "--config", ""), 2, NULL, "--config needs a value");
    expect(ARGS("run", "-", "-"), 2, NULL, "read once");
    expect(ARGS("check", "-", "--config", "-"), 2, NULL, "read once");
    expect(ARGS("judge", "-", "-"), 2, NULL, "read once");
    expect(ARGS("report", "-"), 2, NULL, "read from a file");
    expect(ARGS("trace", "materialize", "--window", "0:", "-"), 2, NULL, "read from a file");
    expect(ARGS("report", "x.db", "stall"), 2, NULL, "did you mean 'stalls'?");
    expect(ARGS("export", "x.db", "--format", "csv", "--question", "stall"), 2, NULL,
           "did you mean 'stalls'?");
    expect(ARGS("run", own, "examples/amx/block.amx"), 2, NULL, "another machine");
    expect(ARGS("run", own, "--functional-only"), 0, "no time", NULL);
    expect(ARGS("run", own, "--functional-only", "--detail"), 2, NULL, "no time to record");
    expect(ARGS("run", own, "--functional-only", "--trace", "x.db"), 2, NULL, "no time to record");
    expect(ARGS("run", own, "--dar", own), 2, NULL, "timing-only");
    expect(ARGS("run", "x.vsm", "--machine", "vax"), 2, NULL, "no machine");
    expect(ARGS("run", "/nonexistent/x.vsm"), 1, NULL, "/nonexistent/x.vsm");
    expect(ARGS("config", "vax"), 2, NULL, "no machine");
    expect(ARGS("config", "mncore2", "amx"), 2, NULL, "one machine");
    expect(ARGS("config", "--set", "clock_hz=1"), 2, NULL, "about one machine");
}

/* What cannot matter, or says two things at once, is told before anything is read or written. */
static void contradictions(void **state)
{
    (void)state;
    const char *own = takt_temp_file("own.vsm", "nop\n");
    const char *const *const pairs[] = {
        ARGS("run", own, "--detail"),
        ARGS("run", own, "--window", "0:9"),
        ARGS("run", own, "--functional-only", "--documented"),
        ARGS("run", own, "--no-skip"),
        ARGS("run", own, "--packing", "none", "--packing", "flat"),
        ARGS("run", own, "--threads", "1", "--threads", "2"),
        ARGS("report", "x.db", "units", "--csv", "--json"),
        ARGS("query", "x.db", "SELECT 1", "--json", "--csv"),
        ARGS("export", "x.db", "--format", "csv", "--format", "json"),
        ARGS("run", own, "--set", "clock_hz"),
        ARGS("run", own, "--set", "=1"),
        ARGS("check", own, "--set", "x"),
        ARGS("config", "mncore2", "--set", "x"),
        ARGS("run", own, "--timing-only", "--threads", "1"),
        ARGS("run", own, "--timing-only", "--reference"),
        ARGS("run", own, "--timing-only", "--init", "zero"),
        ARGS("run", own, "--word-order", "little"),
        ARGS("print", own, "--packing", "flat"),
        ARGS("report", "x.db", "--top", "3"),
        ARGS("timeline", "x.db", "--rows", "3"),
        ARGS("timeline", "x.db", "--statements", "--all"),
    };
    static const char *const sentences[] = {"--trace FILE says which",
                                            "--trace FILE says which",
                                            "changes nothing",
                                            "--timing-only",
                                            "given twice",
                                            "given twice",
                                            "exclude each other",
                                            "exclude each other",
                                            "given twice",
                                            "KEY=VALUE",
                                            "KEY=VALUE",
                                            "KEY=VALUE",
                                            "KEY=VALUE",
                                            "--threads changes nothing",
                                            "--reference changes nothing",
                                            "--init changes nothing",
                                            "--load and --save",
                                            "--packed",
                                            "needs a question",
                                            "--statements",
                                            "about units"};
    assert_int_equal(sizeof sentences / sizeof *sentences, sizeof pairs / sizeof *pairs);
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        expect(pairs[i], 2, NULL, sentences[i]);
    /* Twice the same is no contradiction; an assignment may be repeated. */
    expect(ARGS("run", own, "--packing", "none", "--packing", "none", "--quiet"), 0, NULL, NULL);
    expect(ARGS("run", own, "--set", "clock_hz=1e9", "--set", "clock_hz=5e8", "--quiet"), 0, NULL,
           NULL);
    expect(ARGS("run", own, "--timing-only", "--no-skip"), 0, "complete", NULL);
    /* Without time a program must be legal all the same, as --packing and --interlock say. */
    const char *hazard = takt_temp_file("hazard.vsm", "zero $lm0v\nlpassa $lm0v $nowrite\n");
    expect(ARGS("run", hazard, "--functional-only"), 1, NULL, "hazard.vsm:2:");
    expect(ARGS("run", hazard, "--functional-only", "--interlock"), 0, "no time", NULL);
}

/* What can be judged before the run is: nothing runs, nothing is written, and usage is the reason.
 */
static void malformed_options(void **state)
{
    (void)state;
    const char *own = takt_temp_file("own.vsm", "d get $lm0n0c0b0m0p0 1\n");
    const char *dump = takt_temp_file("kept.txt", "what stood there\n");
    static const char *const bad[][3] = {
        {"--save", "p@0:0=x.bin", "how many long words"},
        {"--save", "q@0:0+1=x.bin", "no such place"},
        {"--save", "p@0:0+1", "SPEC=FILE"},
        {"--save", "p@4:0+1=x", "no such place"},
        {"--load", "p@0:zero=x.bin", "address"},
        {"--load", "p@0:0", "SPEC=FILE"},
        {"--load", "p@0:0=", "SPEC=FILE"},
        {"--init", "ones", "zero, pattern"},
        {"--init", "random:x", "random:SEED"},
        {"--silence", "never-writen", "never-written"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        expect(ARGS("run", own, "--dump", dump, bad[i][0], bad[i][1]), 2, NULL, bad[i][2]);
    size_t size;
    char *kept = takt_read_file(dump, &size);
    assert_string_equal(kept, "what stood there\n");
    free(kept);
    expect(ARGS("check", own, "--silence", "mv-races"), 2, NULL, "removable");
    expect(ARGS("check", own, "--silence", "all", "--silence", "mv-race"), 0, NULL, NULL);
    /* The names of one machine are not those of another. */
    const char *amx = "examples/amx/block.amx";
    expect(ARGS("run", amx, "--silence", "mv-race"), 2, NULL, "all, z-row, set-clears");
    expect(ARGS("run", amx, "--silence", "z-row", "--quiet"), 0, NULL, NULL);
    expect(ARGS("run", amx, "--packing", "auto"), 2, NULL, "programs of amx have none");
    expect(ARGS("run", amx, "--interlock"), 2, NULL, "--interlock is for machines");
    expect(ARGS("check", amx, "--packing", "flat"), 2, NULL, "--packing is for machines");
    expect(ARGS("print", amx, "--packed"), 2, NULL, "programs of amx have none");
    expect(ARGS("run", amx, "--save", "w:0+1=x.bin"), 2, NULL, "what --save takes");
    expect(ARGS("run", amx, "--load", "m:0"), 2, NULL, "SPEC=FILE");
    expect(ARGS("run", amx, "--init", "random:"), 2, NULL, "needs a number");
    expect(ARGS("run", "nowhere.vsm", "--json"), 1, "\"ok\": false", "nowhere.vsm");
    /* A configuration that makes no chip is none, whatever is done with it. */
    static const char *const commands[] = {"config", "run", "check"};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        const char *subject = i == 0 ? "mncore2" : own;
        expect(ARGS(commands[i], subject, "--set", "dram_map=bank"), 1, NULL, "once each");
        expect(ARGS(commands[i], subject, "--set", "dram_trfc=99999", "--set", "dram_trefi=10"), 1,
               NULL, "no time between refreshes");
    }
    /* Counted in 1/65536 of a byte: half of one is the least that does not round to 0. */
    expect(ARGS("config", "mncore2", "--set", "supply_bytes=0.0000077"), 0, "supply_bytes", NULL);
    expect(ARGS("config", "mncore2", "--set", "supply_bytes=0.0000076"), 1, NULL, "rounds to 0");
    expect(ARGS("config", "mncore2", "--set", "dram_map=channel:row:bank:column"), 0,
           "dram_map = channel:row:bank:column", NULL);
}

/* DAR contents of a run without values: comments of any length, faults with their place. */
static void dar_files(void **state)
{
    (void)state;
    const char *gather =
        takt_temp_file("gather.vsm", "mvp/n64i01 $di0@0 $lc0@0.0\nnop; wait i01\n");
    char text[600];
    snprintf(text, sizeof text, "# %0400d 0 0 9\n\n 0 0 64 # granule\n3 1023 0x40", 0);
    const char *dar = takt_temp_file("dar.txt", text);
    expect(ARGS("run", gather, "--timing-only"), 1, NULL, "--dar FILE");
    expect(ARGS("run", gather, "--timing-only", "--dar", dar), 0, "complete", NULL);
    char blanks[300];
    snprintf(blanks, sizeof blanks, "0 0%280d", 0);
    const char *const bad[] = {"4 0 0", "0 1024 0", "0 0 4294967296", "0 -1 0",
                               "0 0",   "0 0 0 0",  blanks};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        snprintf(text, sizeof text, "0 0 64\n%s\n", bad[i]);
        dar = takt_temp_file("dar.txt", text);
        expect(ARGS("run", gather, "--timing-only", "--dar", dar), 1, NULL, "dar.txt:2: expected");
    }
    expect(ARGS("run", gather, "--timing-only", "--dar", "/dev/zero"), 1, NULL, "zero:1: expected");
    expect(ARGS("run", gather, "--timing-only", "--dar", "/nonexistent/dar"), 1, NULL,
           "No such file");
    expect(ARGS("run", gather, "--timing-only", "--dar", "/"), 1, NULL, "Is a directory");
}

/* A dump takes its name when the run is complete. */
static void dumps(void **state)
{
    (void)state;
    const char *dump = takt_temp_file("dump.txt", "what stood there\n");
    char *text;
    size_t size;
    /* The run ends, but what it shall save finds no place. */
    const char *own = takt_temp_file("own.vsm", "d get $lm0n0c0b0m0p0 1\n");
    expect(ARGS("run", own, "--dump", dump, "--save", "p@0:0+1=/nonexistent/x"), 3, NULL,
           "/nonexistent/x");
    text = takt_read_file(dump, &size);
    assert_string_equal(text, "what stood there\n");
    free(text);
    char partial[256];
    snprintf(partial, sizeof partial, "%s.partial", dump);
    assert_int_equal(access(partial, F_OK), -1);
    expect(ARGS("run", own, "--dump", dump, "--quiet"), 0, NULL, NULL);
    text = takt_read_file(dump, &size);
    assert_non_null(strstr(text, "DEBUG-LM0"));
    free(text);
    assert_int_equal(access(partial, F_OK), -1);
    /* Behind a link, the file itself. */
    const char *link = takt_temp_path("link.txt");
    unlink(link);
    assert_int_equal(symlink(dump, link), 0);
    expect(ARGS("run", own, "--dump", link, "--quiet"), 0, NULL, NULL);
    struct stat st;
    assert_int_equal(lstat(link, &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    expect(ARGS("run", own, "--dump", "/dev/full", "--quiet"), 3, NULL, NULL);
    expect(ARGS("run", own, "--dump", "/nonexistent/d.txt"), 3, NULL, "/nonexistent/d.txt");
}

/* Every name in an answer stands in docs/json.md, between backquotes or in a list of fields. */
static void names_stand_in_page(const json_t *value, const char *page, const char *whose)
{
    size_t i;
    json_t *part;
    const char *key;
    json_array_foreach(value, i, part) names_stand_in_page(part, page, whose);
    json_object_foreach((json_t *)(uintptr_t)value, key, part)
    {
        const size_t length = strlen(key);
        bool found = false;
        for (const char *at = page; !found && (at = strstr(at, key)); at++)
            found = strchr("`{ ", at[-1]) && strchr("`,}:", at[length]);
        if (!found)
            fail_msg("docs/json.md lacks `%s` of takt %s", key, whose);
        names_stand_in_page(part, page, whose);
    }
}

static void page_of_json(void **state)
{
    (void)state;
    size_t size;
    char *page = takt_read_file("docs/json.md", &size);
    if (!page)
        skip(); /* not run from the root */
    const char *trace = takt_temp_path("page.db");
    unlink(trace);
    const char *fma = "examples/mncore2/fma.vsm";
    expect(ARGS("run", fma, "--trace", trace, "--quiet"), 0, NULL, NULL);
    const char *bad = takt_temp_file("bad.vsm", "lpassa $lm0v $lr0v\nlpassa $lr0v $ln0v\n");
    const char *wait = takt_temp_file("wait.vsm", "lpassa $lr0v $lm0v\n");
    const char *const commands[][7] = {
        {"run", fma, "--json"},
        {"run", fma, "--json", "--functional-only", "--hash"},
        {"report", trace, "--json"},
        {"report", "--list", "--json"},
        {"check", bad, "--json"},
        {"check", wait, bad, "--json", "--silence", "never-written"},
        {"judge", "--json", "examples/mncore2/judge-testcase.vsm",
         "examples/mncore2/judge-answer.vsm"},
        {"judge", "--json", "examples/mncore2/judge-testcase.vsm", "/nonexistent/none.vsm"},
        {"config", "mncore2", "--json"},
        {"config", "--json"},
        {"why", trace, "issue@500", "--json"},
        {"why", trace, "dram0@20", "--json"},
        {"why", trace, "lm0@300", "--json"},
        {"why", trace, "--line", "48", "--json"},
        {"timeline", trace, "--json"},
        {"timeline", trace, "--statements", "--json"},
    };
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        struct takt_result r = takt_run(commands[i]);
        json_t *answer = json_loads(r.out, 0, NULL);
        if (!answer)
            fail_msg("takt %s: %s %s", commands[i][0], r.out, r.err);
        names_stand_in_page(answer, page, commands[i][0]);
        json_decref(answer);
        takt_result_free(&r);
    }
    free(page);
}

static void configuration(void **state)
{
    (void)state;
    const char *program = takt_temp_file("nop.vsm", "nop\n");
    expect(ARGS("config"), 0, "mncore2", NULL);
    expect(ARGS("config", "mncore2"), 0, "clock_hz = 750000000 Hz", NULL);
    expect(ARGS("config", "mncore2", "--set", "clock_hz=5e8"), 0, "clock_hz = 500000000 Hz", NULL);
    expect(ARGS("run", program, "--set", "clock_hx=1"), 1, NULL, "did you mean 'clock_hz'");
    expect(ARGS("run", program, "--set", "clock_hz=fast"), 1, NULL, "takes a number");
    struct takt_result r = takt_run(ARGS("config", "mncore2", "--json"));
    json_error_t error;
    json_t *root = json_loads(r.out, 0, &error);
    assert_non_null(root);
    json_t *list = json_object_get(root, "parameters"), *row;
    size_t i;
    assert_true(json_array_size(list) > 10);
    json_array_foreach(list, i, row)
    {
        assert_true(json_string_length(json_object_get(row, "source")) > 0);
        assert_true(json_string_length(json_object_get(row, "meaning")) > 0);
    }
    json_decref(root);
    takt_result_free(&r);
}

static void bad_programs(void **state)
{
    (void)state;
    const char *bad = takt_temp_file("bad.vsm", "nop\nlpasa $lr0v $ls0v\nlpassa $lr1v $ls0v\n");
    expect(ARGS("run", bad), 1, NULL, "bad.vsm:2:1: error: ");
    expect(ARGS("run", bad), 1, NULL, "lpassa");
    /* A message names nothing that only the source tree has. */
    const char *odd = takt_temp_file("odd.vsm", "frobnicate\n");
    expect(ARGS("check", odd), 1, NULL, "unknown opcode frobnicate [manual 3.6]");
    expect(ARGS("check", odd), 1, NULL, "fix: manual 3.6.5 to 3.6.13");
    expect(ARGS("check", bad), 1, NULL, "bad.vsm:3:");
    struct takt_result r = takt_run(ARGS("check", bad, "--json"));
    assert_int_equal(r.exit_code, 1);
    json_t *root = json_loads(r.out, 0, NULL);
    assert_non_null(root);
    assert_true(json_is_false(json_object_get(root, "ok")));
    json_t *list = json_object_get(root, "diagnostics");
    assert_true(json_array_size(list) >= 2);
    json_t *first = json_array_get(list, 0);
    assert_int_equal(json_integer_value(json_object_get(first, "line")), 2);
    assert_string_equal(json_string_value(json_object_get(first, "severity")), "error");
    assert_int_equal(json_integer_value(json_object_get(root, "errors")), 2);
    assert_int_equal(json_integer_value(json_object_get(root, "left_out")), 0);
    json_decref(root);
    takt_result_free(&r);
    /* More findings than a list holds: the rest is counted. */
    enum { MANY = 10100 };
    char *many = malloc(4 * MANY + 5);
    assert_non_null(many);
    for (size_t i = 0; i < MANY; i++)
        memcpy(many + 3 * i, "zz\n", 4);
    const char *path = takt_temp_file("many.vsm", many);
    /* A run shows as much as somebody reads; the check shows them all. */
    r = takt_run(ARGS("run", path));
    assert_int_equal(r.exit_code, 1);
    assert_non_null(strstr(r.err, "many.vsm:50:1: error"));
    assert_null(strstr(r.err, "many.vsm:51:1: error"));
    assert_non_null(strstr(r.err, "10100 errors, 0 warnings; takt check lists them"));
    takt_result_free(&r);
    expect(ARGS("check", path), 1, NULL, "many.vsm:10000:1: error");
    r = takt_run(ARGS("check", path, "--json"));
    root = json_loads(r.out, 0, NULL);
    assert_non_null(root);
    assert_int_equal(json_array_size(json_object_get(root, "diagnostics")), 10000);
    assert_int_equal(json_integer_value(json_object_get(root, "errors")), MANY);
    assert_int_equal(json_integer_value(json_object_get(root, "left_out")), MANY - 10000);
    json_decref(root);
    takt_result_free(&r);
    /* The same of warnings, which a run tells, too: one a line. */
    for (size_t i = 0; i < MANY; i++)
        memcpy(many + 4 * i, "c a\n", 4);
    memcpy(many + (size_t)4 * MANY, "nop\n", 5);
    const char *warned = takt_temp_file("warned.vsm", many);
    free(many);
    expect(ARGS("run", warned), 0, "and 10097 more", "10095 more warnings; takt check lists them");
    r = takt_run(ARGS("run", warned, "--json", "--silence", "removable"));
    root = json_loads(r.out, 0, NULL);
    assert_non_null(root);
    assert_int_equal(json_array_size(json_object_get(root, "warnings")), 10000);
    assert_int_equal(json_integer_value(json_object_get(root, "left_out")), MANY - 10000);
    json_decref(root);
    takt_result_free(&r);
    /* Nothing is left that looks like a trace. */
    const char *trace = takt_temp_path("none.db");
    expect(ARGS("run", bad, "--trace", trace), 1, NULL, "error");
    struct stat info;
    assert_int_not_equal(stat(trace, &info), 0);
    const char *legal = takt_temp_file("legal.vsm", "lpassa $lr0v $ls0v\n");
    expect(ARGS("check", legal, "--json"), 0, "\"ok\": true", NULL);
}

/* Printing shows as few warnings as a run does, and none that are silenced. */
static void warnings_of_print(void **state)
{
    (void)state;
    char text[6 * 32 + 1] = "", six[40];
    for (unsigned i = 1; i <= 6; i++) {
        snprintf(six, sizeof six, "lpassa $lm4096 $lr%u\n", 2 * i);
        strcat(text, six);
        if (i < 5)
            continue;
        const char *path = takt_temp_file("warn.vsm", text);
        struct takt_result r = takt_run(ARGS("print", path));
        assert_int_equal(r.exit_code, 0);
        assert_non_null(strstr(r.err, "warn.vsm:5:11: warning: "));
        assert_null(strstr(r.err, "warn.vsm:6:"));
        assert_int_equal(strstr(r.err, "1 more warning; takt check lists them") != NULL, i == 6);
        assert_int_equal(strncmp(r.out, "lpassa $lm0 $lr2\n", 17), 0);
        takt_result_free(&r);
        static const char *const names[] = {"address-wraps", "all"};
        for (unsigned k = 0; k < 2; k++) {
            r = takt_run(ARGS("print", path, "--silence", names[k]));
            assert_int_equal(r.exit_code, 0);
            assert_int_equal(r.err_size, 0);
            takt_result_free(&r);
        }
        expect(ARGS("print", path, "--silence", "dead-write"), 0, NULL, "warn.vsm:5:11: warning: ");
        expect(ARGS("print", path, "--silence", "nothing"), 2, NULL, "is named 'nothing'");
    }
}

/* A line of another file is named with that file; a line of the same file is not. */
static void lines_of_other_files(void **state)
{
    (void)state;
    static const struct {
        const char *first, *second, *sentence; /* %s: the other file's name where there is one */
        unsigned other_line;
        bool later; /* the finding is in the first text, and refers to the second */
    } cases[] = {
        {"nop/3\nlpassa $lr0v $lm0v\n", "lpassa $lm0v $ln0v\n",
         "too soon after the write of LM0 in line 2%s: ", 2, false},
        {"lpassa $peid $omr1/1100\nlpassa $peid $lr0/$imr1\n", "nop\nlpassa $lr0 $ls0v\n",
         "in line 2%s only because its variable mask", 2, false},
        {"nop\nmvp/n64i01 $p0@0 $lc0@0.0\n", "zero $lr0v\nl2bmb $lc0 $lb0\n",
         "which the transfer of line 2%s may not have written yet", 2, false},
        {"nop\nmvp/n64 $p0@0 $lc0@0.0\n", "zero $lr0v\nl2bmb $lc0 $lb0\n",
         "fix: give the MV statement of line 2%s a tag and wait for it", 2, false},
        {"mvp/n64i01 $p0@0 $lc0@0.0\n", "nop\nmvp/n64i01 $p0@1 $lc0@1.0\n",
         "nothing has waited for the transfer of line 1%s [manual", 1, false},
        {"zero $lr0v\n", "nop\nzero $lr0v\nlpassa $lr0v $nowrite\n",
         "is overwritten in line 2%s before anything reads it", 2, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char both[400], other[300], sentence[600];
        const char *one = takt_temp_file("one.vsm", cases[i].first);
        const char *two = takt_temp_file("two.vsm", cases[i].second);
        snprintf(other, sizeof other, " of %s", cases[i].later ? two : one);
        snprintf(sentence, sizeof sentence, cases[i].sentence, other);
        struct takt_result r = takt_run(ARGS("check", one, two));
        if (!strstr(r.err, sentence))
            fail_msg("no '%s' in: %s", sentence, r.err);
        takt_result_free(&r);
        r = takt_run(ARGS("check", one, two, "--json"));
        json_t *root = json_loads(r.out, 0, NULL), *row, *found = NULL;
        size_t k;
        json_array_foreach(json_object_get(root, "diagnostics"), k, row)
        {
            if (json_object_get(row, "other_file"))
                found = row;
        }
        assert_non_null(found);
        assert_int_equal(json_integer_value(json_object_get(found, "other_line")),
                         cases[i].other_line);
        assert_string_equal(json_string_value(json_object_get(found, "other_file")),
                            cases[i].later ? two : one);
        json_decref(root);
        takt_result_free(&r);
        /* The same two texts in one file. */
        unsigned lines = 0;
        for (const char *p = cases[i].first; *p; p++)
            lines += *p == '\n';
        snprintf(both, sizeof both, "%s%s", cases[i].first, cases[i].second);
        const char *whole = takt_temp_file("both.vsm", both);
        r = takt_run(ARGS("check", whole));
        assert_non_null(strstr(r.err, " line "));
        assert_null(strstr(r.err, " of /"));
        takt_result_free(&r);
        r = takt_run(ARGS("check", whole, "--json"));
        char line[40];
        snprintf(line, sizeof line, "\"other_line\": %u",
                 cases[i].other_line + (cases[i].later ? lines : 0));
        assert_non_null(strstr(r.out, line));
        assert_null(strstr(r.out, "other_file"));
        takt_result_free(&r);
    }
}

/* The same file again: its lines are told apart from those of the first time. */
static void a_file_again(void **state)
{
    (void)state;
    const char *path = takt_temp_file("again.vsm", "nop\nimm i\"1\" $lr0\n");
    char sentence[300];
    snprintf(sentence, sizeof sentence, "is overwritten in line 2 of a later %s before", path);
    expect(ARGS("check", path, path), 0, NULL, sentence);
    const char *wait =
        takt_temp_file("wait.vsm", "lpassa $lm0v $lr0v\nlpassa $lr0v $lm0v\nnop/9\n");
    struct takt_result r = takt_run(ARGS("check", wait, "--json", "--silence", "all"));
    assert_null(strstr(r.out, "other_file")); /* line 1 of the same */
    assert_non_null(strstr(r.out, "\"other_line\": 1"));
    takt_result_free(&r);
    r = takt_run(ARGS("check", path, path, path, "--json"));
    json_t *root = json_loads(r.out, 0, NULL), *row;
    size_t i;
    assert_int_equal(json_array_size(json_object_get(root, "diagnostics")), 2);
    json_array_foreach(json_object_get(root, "diagnostics"), i, row)
    {
        assert_string_equal(json_string_value(json_object_get(row, "file")), path);
        assert_string_equal(json_string_value(json_object_get(row, "other_file")), path);
    }
    json_decref(root);
    takt_result_free(&r);
    const char *reads = takt_temp_file("reads.vsm", "lpassa $lr0v $nowrite\nlpassa $lm0v $lr0v\n");
    snprintf(sentence, sizeof sentence, "the write of GRF0 in line 2 of an earlier %s:", reads);
    expect(ARGS("check", reads, reads), 1, NULL, sentence);
}

/* Findings speak of addresses as the program does: hexadecimal where it is. */
static void addresses_as_written(void **state)
{
    (void)state;
    static const struct {
        const char *text, *finding, *fix;
    } cases[] = {
        /* An LM has 4096 words and wraps around (3.6.1.6), a GRF 512 and does not (3.6.1.10). */
        {"lpassa $lm4098v $nowrite\n", "address 4098 is beyond", "write 2\n"},
        {"lpassa $lm0x1002v $nowrite\n", "address 0x1002 is beyond", "write 0x2\n"},
        {"lpassa $lm[0x1002,0,2,4] $nowrite\n", "address 0x1002 is beyond", "write 0x2\n"},
        {"lpassa $lm[4098,0,2,0x4] $nowrite\n", "address 4098 is beyond", "write 2\n"},
        {"lpassa $lr0x200v $nowrite\n", "address 0x200 is beyond", "last one is 0x1fe\n"},
        {"lpassa $lr512v $nowrite\n", "address 512 is beyond", "last one is 510\n"},
        {"lpassa $lr0x11v $nowrite\n", "address 0x11 is not aligned", "address 0x12\n"},
        {"lpassa $lr17v $nowrite\n", "address 17 is not aligned", "address 18\n"},
        {"d get $lm0x1002 1\n", "address 0x1002 is beyond", "write 0x2\n"},
        {"d get $r0x200 1\n", "address 0x200 is beyond", "last one is 0x1ff\n"},
        /* A DRAM has 2^29 long words (3.5.2.2), a unit operation 64 (3.5.3). */
        {"mvp/n64 $p0@0 $d0x20000040@0\n", "address 0x20000040 is", "write 0x40\n"},
        {"mvp/n64 $p0@0 $d0x7f@0\n", "address 0x7f must be", "address 0x80\n"},
        {"mvp/n0x50 $p0@0 $d0@0\n", "a multiple of 64", "size n0x40\n"},
        {"fmwrite $lr0v $lx0x9\n", "row 0x9 is beyond", "write 0x1\n"},
        {"l2bmb $lc0x11 $lb0\n", "address 0x11 must be aligned", "address 0x10\n"},
        {"l2bmb $lc0x8000 $lb0\n", "address 0x8000 is beyond", "last one is 0x7fff\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct takt_result r = takt_run(ARGS("check", takt_temp_file("as.vsm", cases[i].text)));
        const char *finding = strstr(r.err, cases[i].finding);
        if (!finding || !strstr(finding, cases[i].fix))
            fail_msg("%s: no '%s' and '%s' in\n%s", cases[i].text, cases[i].finding, cases[i].fix,
                     r.err);
        takt_result_free(&r);
    }
    /* What lies beyond the end cannot be aligned either: one finding. */
    struct takt_result r =
        takt_run(ARGS("check", takt_temp_file("as.vsm", "lpassa $lr513v $nowrite\n")));
    assert_non_null(strstr(r.err, "address 513 is beyond"));
    assert_null(strstr(r.err, "aligned"));
    takt_result_free(&r);
}

/* Notes on request, which change no exit code and can be silenced; rows of the first screen. */
static void nops_that_can_go(void **state)
{
    (void)state;
    const char *spare = takt_temp_file("spare.vsm", "zero $lm0v\nnop/3\nlpassa $lm0v $nowrite\n");
    const char *due = takt_temp_file("due.vsm", "zero $lm0v\nnop/2\nlpassa $lm0v $nowrite\n");
    static const char *const silent[] = {"removable", "all"};
    expect(ARGS("check", spare, "--removable", "--werror"), 0, NULL,
           "spare.vsm:2:1: note: 1 of 3 nop steps could go");
    expect(ARGS("check", spare, "--removable", "--json"), 0, "\"name\": \"removable\"", NULL);
    expect(ARGS("run", spare), 0, "REMOVABLE  spare.vsm:2 nop x1\n", NULL);
    const char *const *const quiet[] = {
        ARGS("check", spare, "--json"),
        ARGS("check", due, "--removable", "--json"),
        ARGS("check", spare, "--removable", "--json", "--silence", silent[0]),
        ARGS("run", due),
        ARGS("run", spare, "--silence", silent[0]),
        ARGS("run", spare, "--silence", silent[1]),
        ARGS("run", spare, "--interlock"),
    };
    for (size_t i = 0; i < sizeof quiet / sizeof *quiet; i++) {
        struct takt_result r = takt_run(quiet[i]);
        assert_int_equal(r.exit_code, 0);
        assert_null(strstr(r.out, "removable"));
        assert_null(strstr(r.out, "REMOVABLE"));
        takt_result_free(&r);
    }
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
    const char *trace = takt_temp_path("full.db"), *told = takt_temp_path("told.txt");
    const char *bad = takt_temp_file("bad.vsm", "lpassa $lm0v\n");
    const char *wrong = "examples/mncore2/judge-testcase.vsm examples/mncore2/judge-wrong.vsm";
    unlink(trace);
    expect(ARGS("run", "examples/mncore2/fma.vsm", "--trace", trace, "--quiet"), 0, NULL, NULL);
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
                 asked = sizeof questions / sizeof *questions;
    for (size_t i = 0; i < plain + asked + 3; i++) {
        char command[500], line[900];
        if (i < plain)
            snprintf(command, sizeof command, "%s", arguments[i]);
        else if (i < plain + asked)
            snprintf(command, sizeof command, questions[i - plain], trace);
        else if (i < plain + asked + 2)
            snprintf(command, sizeof command, "%s --json '%s'", i % 2 ? "check" : "run", bad);
        else
            snprintf(command, sizeof command, "judge %s", wrong);
        snprintf(line, sizeof line, "%s >/dev/full 2>'%s'", command, told);
        const int code = shell(line);
        size_t size;
        char *text = takt_read_file(told, &size);
        const size_t told_size = strlen(text);
        if (told_size)
            text[told_size - 1] = '\0'; /* the last newline */
        const char *last = strrchr(text, '\n');
        if (code != 3 || strncmp(last ? last + 1 : text, "takt", 4) != 0)
            fail_msg("takt %s: exit %d, '%s'", command, code, text);
        free(text);
    }
    /* Nothing was to be said there. */
    assert_int_equal(shell("why / issue@5 >/dev/full 2>/dev/null"), 1);
}

/* A limit on the size of files ends no process: what could not be written is told. */
static void limited_files(void **state)
{
    (void)state;
    const char *trace = takt_temp_path("limited.db"), *page = takt_temp_path("limited.html");
    const char *saved = takt_temp_path("limited.bin"), *whole = takt_temp_path("whole.db");
    const char *takt = getenv("TAKT") ? getenv("TAKT") : "build/takt";
    unlink(whole);
    expect(ARGS("run", "examples/mncore2/fma.vsm", "--trace", whole, "--quiet"), 0, NULL, NULL);
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
    expect(ARGS("run", "examples/mncore2/fma.vsm", "--trace", trace, "--quiet"), 0, NULL, NULL);
    expect(ARGS("report", trace), 0, "complete", NULL);
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
        expect(ARGS("run", path, "--trace", trace, "--quiet"), 0, NULL, NULL);
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
    expect(ARGS("report", trace), 0, "complete", NULL);
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
    expect(ARGS("run", "examples/mncore2/reduce.vsm", "--trace", trace, "--quiet"), 0, NULL, NULL);
    static const char *const formats[] = {"json", "csv", "perfetto", "html"};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        expect(ARGS("export", trace, "--format", formats[i], "--output", trace), 2, NULL,
               "write over the trace");
    expect(ARGS("report", trace, "check"), 0, NULL, NULL);
}

/* The hash of the state stands in the JSON, which stays one value. */
static void hashes(void **state)
{
    (void)state;
    const char *reduce = "examples/mncore2/reduce.vsm";
    struct takt_result r = takt_run(ARGS("run", reduce, "--hash", "--quiet"));
    assert_int_equal(r.exit_code, 0);
    assert_int_equal(r.out_size, strlen("state 0123456789abcdef\n"));
    char hash[17];
    snprintf(hash, sizeof hash, "%.16s", r.out + strlen("state "));
    takt_result_free(&r);
    for (int values = 0; values < 2; values++) {
        const char *const *asked =
            values ? ARGS("run", reduce, "--hash", "--json", "--functional-only")
                   : ARGS("run", reduce, "--hash", "--json");
        r = takt_run(asked);
        json_t *root = json_loads(r.out, 0, NULL);
        if (!root)
            fail_msg("no JSON: '%s'", r.out);
        assert_string_equal(json_string_value(json_object_get(root, "state")), hash);
        json_decref(root);
        takt_result_free(&r);
    }
    r = takt_run(ARGS("run", reduce, "--json"));
    assert_null(strstr(r.out, "\"state\""));
    takt_result_free(&r);
}

/* Of several programs the first is named, and how many follow. */
static void several_programs(void **state)
{
    (void)state;
    const char *one = takt_temp_file("one.vsm", "nop\n"), *two = takt_temp_file("two.vsm", "nop\n");
    expect(ARGS("run", one), 0, "one.vsm   ", NULL);
    expect(ARGS("run", one, two), 0, "one.vsm +1   ", NULL);
    expect(ARGS("run", one, two, one), 0, "one.vsm +2   ", NULL);
    /* A line is asked for by its file, too. */
    const char *trace = takt_temp_path("several.db");
    char place[300];
    unlink(trace);
    expect(ARGS("run", one, two, "--trace", trace, "--quiet"), 0, NULL, NULL);
    expect(ARGS("why", trace, "--line", "one.vsm:1"), 0, "one.vsm:1 nop", NULL);
    expect(ARGS("why", trace, "--line", "two.vsm:1"), 0, "two.vsm:1 nop", NULL);
    snprintf(place, sizeof place, "%s:1", two);
    expect(ARGS("why", trace, "--line", place), 0, "two.vsm:1 nop", NULL);
    expect(ARGS("why", trace, "--line", "wo.vsm:1"), 1, NULL,
           "no statement stands on line 1 of wo");
    expect(ARGS("why", trace, "--line", "two.vsm:2"), 1, NULL, "line 2 of two.vsm");
    static const char *const bad[] = {"0", "x", ":1", "two.vsm:", "two.vsm:0", "4294967296"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        expect(ARGS("why", trace, "--line", bad[i]), 2, NULL, "N or FILE:N");
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

static void twice_the_same(void **state)
{
    (void)state;
    const char *paths[2] = {takt_temp_path("a.db"), takt_temp_path("b.db")};
    char *text[2];
    for (int i = 0; i < 2; i++) {
        struct takt_result r = takt_run(ARGS("run", "examples/mncore2/fma.vsm", "--json", "--trace",
                                             paths[0], "--threads", i ? "2" : "1"));
        assert_int_equal(r.exit_code, 0);
        text[i] = strdup(r.out);
        takt_result_free(&r);
    }
    assert_string_equal(text[0], text[1]);
    free(text[0]);
    free(text[1]);
}

static void judges(void **state)
{
    (void)state;
    const char *testcase = "examples/mncore2/judge-testcase.vsm";
    expect(ARGS("judge", testcase, "examples/mncore2/judge-answer.vsm"), 0,
           "ACCEPTED!! score=5 j=5 m=0", NULL);
    expect(ARGS("judge", testcase, "examples/mncore2/judge-wrong.vsm"), 1, "REJECTED", NULL);
    /* mvnop is an MV statement (3.5.8.1): one more than the answer above. */
    const char *mvnop = takt_temp_file("mvnop.vsm", "lpassa $lm0v $lr0v\nnop\nmvnop\n"
                                                    "lpassa $lr0v $nowrite\n"
                                                    "ladd $aluf $lr0v $ln0v\nnop\n");
    expect(ARGS("judge", testcase, mvnop), 0, "ACCEPTED!! score=6 j=5 m=1", NULL);
    const char *set = takt_temp_file("set.vsm", "d set $ln0n0c0b0m0p0 1 l0\n"
                                                "lpassa $lm0v $lr0v\nnop\nlpassa $lr0v $nowrite\n"
                                                "ladd $aluf $lr0v $ln0v # comment\nnop ! gone\n");
    expect(ARGS("judge", testcase, set), 0, "ACCEPTED", NULL);
    expect(ARGS("judge", testcase, set, "--enable-set"), 1, "INVALID", NULL);
    const char *broken = takt_temp_file("broken.vsm", "lpassa $lm0v\n");
    expect(ARGS("judge", testcase, broken), 1, NULL, "broken.vsm:1:");
    expect(ARGS("judge", "examples/mncore2/fma.vsm", broken), 1, NULL, "YOUR VSM");
    /* Files that cannot be judged: the same three fields, whatever the reason. */
    const char *good = "examples/mncore2/judge-answer.vsm", *none = "/nonexistent/none.vsm";
    const struct {
        const char *testcase, *answer, *why;
    } cannot[] = {
        {none, good, "/nonexistent/none.vsm: No such file"},
        {testcase, none, "/nonexistent/none.vsm: No such file"},
        {none, none, "/nonexistent/none.vsm: No such file"},
        {testcase, "/", ""},
        {"examples/mncore2/fma.vsm", good, "YOUR VSM WILL BE INSERTED"},
        {testcase, broken, "broken.vsm:1:"},
    };
    for (size_t i = 0; i < sizeof cannot / sizeof *cannot; i++) {
        struct takt_result r =
            takt_run(ARGS("judge", cannot[i].testcase, cannot[i].answer, "--json"));
        assert_int_equal(r.exit_code, 1);
        json_t *root = json_loads(r.out, 0, NULL);
        if (!root)
            fail_msg("no JSON: '%s'", r.out);
        assert_true(json_is_false(json_object_get(root, "accepted")));
        assert_true(json_is_false(json_object_get(root, "valid")));
        const char *why = json_string_value(json_object_get(root, "why"));
        if (!why || !*why || !strstr(why, cannot[i].why))
            fail_msg("'%s' is not in '%s'", cannot[i].why, r.out);
        assert_int_equal(json_object_size(root), 3);
        assert_true(r.err_size > 0);
        json_decref(root);
        takt_result_free(&r);
    }
    expect(ARGS("judge", testcase, none), 1, NULL, "/nonexistent/none.vsm");
    /* An expectation that nobody can read: told with its place, and no verdict. */
    const char *unread = takt_temp_file(
        "unread.vsm", "# ======= YOUR VSM WILL BE INSERTED HERE =======\nnop/2\n"
                      "# ======= Output =======\nd get $ln0n0c0b0m0p0 1 #  twice=[2] / Lang\n");
    expect(ARGS("judge", unread, good), 1, NULL,
           "unread.vsm:4:27: error: no type of an expectation is named 'Lang'; they are ULong, ");
    expect(ARGS("judge", unread, good), 1, NULL,
           "\n                            ^~~~~~~~~~~~~~~~\n");
    struct takt_result r = takt_run(ARGS("judge", unread, good, "--json"));
    json_t *root = json_loads(r.out, 0, NULL);
    assert_non_null(root);
    assert_int_equal(json_object_size(root), 3);
    assert_non_null(strstr(json_string_value(json_object_get(root, "why")), "unread.vsm:4:27: "));
    json_decref(root);
    takt_result_free(&r);
    r = takt_run(ARGS("judge", unread, good));
    assert_int_equal(r.out_size, 0);
    takt_result_free(&r);
    expect(ARGS("judge", testcase, good, "--json"), 0, "\"accepted\": true", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(helps),
        cmocka_unit_test(usage_errors),
        cmocka_unit_test(contradictions),
        cmocka_unit_test(dar_files),
        cmocka_unit_test(malformed_options),
        cmocka_unit_test(dumps),
        cmocka_unit_test(page_of_json),
        cmocka_unit_test(configuration),
        cmocka_unit_test(bad_programs),
        cmocka_unit_test(warnings_of_print),
        cmocka_unit_test(lines_of_other_files),
        cmocka_unit_test(a_file_again),
        cmocka_unit_test(addresses_as_written),
        cmocka_unit_test(nops_that_can_go),
        cmocka_unit_test(full_disks),
        cmocka_unit_test(limited_files),
        cmocka_unit_test(names_of_bytes),
        cmocka_unit_test(early_readers),
        cmocka_unit_test(exports_of_traces),
        cmocka_unit_test(hashes),
        cmocka_unit_test(several_programs),
        cmocka_unit_test(standard_input),
        cmocka_unit_test(twice_the_same),
        cmocka_unit_test(judges),
    };
    return cmocka_run_group_tests_name("cli", tests, NULL, NULL);
}
