/* cli: what a user meets: help, exit codes, usage, answers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

#include "tests/takt_expect.h"
#include "tests/takt_process.h"

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
    takt_expect(ARGS("--help"), 0, "usage: takt COMMAND", NULL);
    takt_expect(ARGS("--version"), 0, "takt ", NULL);
    takt_expect(ARGS("help", "run"), 0, "usage: takt run", NULL);
    takt_expect(ARGS("--help", "why"), 0, "usage: takt why", NULL);
    takt_expect(ARGS("help", "rum"), 2, NULL, "did you mean 'run'");
    takt_expect(ARGS("--json", "run"), 2, NULL, "'--json' stands where the command stands");
    takt_expect((const char *const[]){NULL}, 2, NULL, "usage: takt COMMAND");
    static const char *const commands[] = {"run",    "check",       "print",  "judge",   "report",
                                           "trace",  "timeline",    "why",    "query",   "export",
                                           "config", "sensitivity", "advise", "schedule"};
    struct takt_result page = takt_run(ARGS("--help"));
    fits(page.out);
    takt_result_free(&page);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        char usage[64];
        snprintf(usage, sizeof usage, "usage: takt %s", commands[i]);
        takt_expect(ARGS(commands[i], "--help"), 0, usage, NULL);
        takt_expect(ARGS(commands[i], "--help"), 0, "\n\nexit: 0 ", NULL);
        page = takt_run(ARGS(commands[i], "--help"));
        fits(page.out);
        takt_result_free(&page);
        struct takt_result r = takt_run(ARGS(commands[i], "--no-such-option"));
        snprintf(usage, sizeof usage, "takt %s: ", commands[i]);
        assert_int_equal(r.exit_code, 2);
        assert_ptr_equal(strstr(r.err, usage), r.err);
        assert_null(strstr(r.err + 1, usage)); /* one sentence, then where the options stand */
        assert_non_null(strstr(r.err, "'--no-such-option'\n"));
        assert_non_null(strstr(r.err, "--help lists the options.\n"));
        takt_result_free(&r);
    }
}

static void usage_errors(void **state)
{
    (void)state;
    takt_expect(ARGS("rum"), 2, NULL, "did you mean 'run'");
    takt_expect(ARGS("run"), 2, NULL, "which program");
    takt_expect(ARGS("check"), 2, NULL, "which program");
    takt_expect(ARGS("run", "x.vsm", "--packing", "tight"), 2, NULL, "none, auto or flat");
    takt_expect(ARGS("run", "x.vsm", "--threads", "0"), 2, NULL, "1 to 256");
    takt_expect(ARGS("run", "x.vsm", "--timing-only", "--functional-only"), 2, NULL, "exclude");
    takt_expect(ARGS("run", "x.vsm", "--window", "9:3"), 2, NULL, "A < B");
    const char *own = takt_temp_file("own.vsm", "nop\n");
    char save[300];
    snprintf(save, sizeof save, "d@0:0+1=%s", own);
    takt_expect(ARGS("run", own, "--dump", own), 2, NULL, "would write over");
    takt_expect(ARGS("run", own, "--trace", own), 2, NULL, "would write over");
    takt_expect(ARGS("run", own, "--save", save), 2, NULL, "would write over");
    takt_expect(ARGS("run", own, "--trace", "x.db", "--dump", "x.db"), 2, NULL, "both write x.db");
    takt_expect(ARGS("run", own, "--dump", "x", "--save", "d@0:0+1=x"), 2, NULL, "both write x");
    takt_expect(ARGS("run", own, "--save", "p@0:0+1=x", "--save", "d@0:0+1=x"), 2, NULL,
                "both write");
    takt_expect(
        ARGS("run", own, "--save", "p@0:0+1=/dev/null", "--save", "d@0:0+1=/dev/null", "--quiet"),
        0, NULL, NULL);
    takt_expect(ARGS("run", own, "--trace", "-"), 2, NULL, "--trace writes a file");
    takt_expect(ARGS("run", own, "--save", "d@0:0+1=-"), 2, NULL, "--save writes a file");
    takt_expect(ARGS("run", own, "--load", "d@0:0=-"), 2, NULL, "--load reads a file");
    takt_expect(ARGS("run", own, "--trace", ""), 2, NULL, "--trace needs a value");
    takt_expect(ARGS("run", own, "--config", ""), 2, NULL, "--config needs a value");
    takt_expect(ARGS("run", "-", "-"), 2, NULL, "read once");
    takt_expect(ARGS("check", "-", "--config", "-"), 2, NULL, "read once");
    takt_expect(ARGS("judge", "-", "-"), 2, NULL, "read once");
    takt_expect(ARGS("report", "-"), 2, NULL, "read from a file");
    takt_expect(ARGS("trace", "materialize", "--window", "0:", "-"), 2, NULL, "read from a file");
    takt_expect(ARGS("report", "x.db", "stall"), 2, NULL, "did you mean 'stalls'?");
    takt_expect(ARGS("export", "x.db", "--format", "csv", "--question", "stall"), 2, NULL,
                "did you mean 'stalls'?");
    takt_expect(ARGS("run", own, "examples/amx/block.amx"), 2, NULL, "another machine");
    takt_expect(ARGS("run", own, "--functional-only"), 0, "no time", NULL);
    takt_expect(ARGS("run", own, "--functional-only", "--detail"), 2, NULL, "no time to record");
    takt_expect(ARGS("run", own, "--functional-only", "--trace", "x.db"), 2, NULL,
                "no time to record");
    takt_expect(ARGS("run", own, "--dar", own), 2, NULL, "timing-only");
    takt_expect(ARGS("run", "x.vsm", "--machine", "vax"), 2, NULL, "no machine");
    takt_expect(ARGS("run", "/nonexistent/x.vsm"), 1, NULL, "/nonexistent/x.vsm");
    takt_expect(ARGS("config", "vax"), 2, NULL, "no machine");
    takt_expect(ARGS("config", "mncore2", "amx"), 2, NULL, "one machine");
    takt_expect(ARGS("config", "--set", "clock_hz=1"), 2, NULL, "about one machine");
}

/* What cannot matter, or contradicts itself, is refused before anything is read or written. */
static void contradictions(void **state)
{
    (void)state;
    const char *own = takt_temp_file("own.vsm", "nop\n");
    const char *const *const pairs[] = {
        ARGS("run", own, "--detail"),
        ARGS("run", own, "--window", "0:9"),
        ARGS("run", own, "--functional-only", "--documented"),
        ARGS("run", own, "--functional-only", "--events", "-"),
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
                                            "no time to record",
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
        takt_expect(pairs[i], 2, NULL, sentences[i]);
    /* Twice the same is no contradiction; an assignment may be repeated. */
    takt_expect(ARGS("run", own, "--packing", "none", "--packing", "none", "--quiet"), 0, NULL,
                NULL);
    takt_expect(ARGS("run", own, "--set", "clock_hz=1e9", "--set", "clock_hz=5e8", "--quiet"), 0,
                NULL, NULL);
    takt_expect(ARGS("run", own, "--timing-only", "--no-run-ahead"), 0, "complete", NULL);
    /* Without time a program must be legal all the same, as --packing and --interlock say. */
    const char *hazard = takt_temp_file("hazard.vsm", "zero $lm0v\nlpassa $lm0v $nowrite\n");
    takt_expect(ARGS("run", hazard, "--functional-only"), 1, NULL, "hazard.vsm:2:");
    takt_expect(ARGS("run", hazard, "--functional-only", "--interlock"), 0, "no time", NULL);
}

/* What can be judged before the run is: nothing runs or is written, and usage is the reason. */
static void malformed_options(void **state)
{
    (void)state;
    const char *own = takt_temp_file("own.vsm", "d get $lm0n0c0b0m0p0 1\n");
    const char *dump = takt_temp_file("kept.txt", "what stood there\n");
    static const char *const bad[][3] = {
        {"--save", "p@0:0=x.bin", "how many long words"},
        {"--save", "q@0:0+1=x.bin", "no such place"},
        {"--save", "p@0:0+1", "SPEC=FILE"},
        {"--save", "p@0:0+0=x.bin", "must be 1 to 524288"},
        {"--save", "p@0:0+x=x.bin", "must be 1 to 524288"},
        {"--save", "d@0:536870911+2=x.bin", "must be 1 to 1 "},
        {"--save", "b@0.0:0+1=x.bin", "no such place"},
        {"--save", "c@0.2:0+1=x.bin", "no such place"},
        {"--save", "p@0:0+1x=x.bin", "left over"},
        {"--save", "p@0:0+1=", "SPEC=FILE"},
        {"--load", "d@0:536870912=x.bin", "a number below 536870912"},
        {"--load", "p@0:0+0=x.bin", "must be 1 to"},
        {"--save", "p@4:0+1=x", "no such place"},
        {"--load", "p@0:zero=x.bin", "address"},
        {"--load", "p@0:0", "SPEC=FILE"},
        {"--load", "p@0:0=", "SPEC=FILE"},
        {"--init", "ones", "zero, pattern"},
        {"--init", "random:x", "random:SEED"},
        {"--silence", "never-writen", "never-written"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        takt_expect(ARGS("run", own, "--dump", dump, bad[i][0], bad[i][1]), 2, NULL, bad[i][2]);
        /* Before the program is even looked at. */
        takt_expect(ARGS("run", "/nonexistent/none.vsm", bad[i][0], bad[i][1]), 2, NULL, bad[i][2]);
    }
    static const char *const places[] = {"m:0+0=x", "m:0=x", "x@0:0+=x", "q:0+1=x", "m:0+1"};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        takt_expect(ARGS("run", "/nonexistent/none.amx", "--save", places[i]), 2, NULL, "--save");
    size_t size;
    char *kept = takt_read_file(dump, &size);
    assert_string_equal(kept, "what stood there\n");
    free(kept);
    takt_expect(ARGS("check", own, "--silence", "mv-races"), 2, NULL, "removable");
    takt_expect(ARGS("check", own, "--silence", "all", "--silence", "mv-race"), 0, NULL, NULL);
    /* The names of one machine are not those of another. */
    const char *amx = "examples/amx/block.amx";
    takt_expect(ARGS("run", amx, "--silence", "mv-race"), 2, NULL, "all, z-row, set-clears");
    takt_expect(ARGS("run", amx, "--silence", "z-row", "--quiet"), 0, NULL, NULL);
    takt_expect(ARGS("run", amx, "--packing", "auto"), 2, NULL, "programs of amx have none");
    takt_expect(ARGS("run", amx, "--interlock"), 2, NULL, "--interlock is for machines");
    takt_expect(ARGS("check", amx, "--packing", "flat"), 2, NULL, "--packing is for machines");
    takt_expect(ARGS("check", amx, "--removable"), 2, NULL, "that have it (mncore2)");
    takt_expect(ARGS("check", own, "--interlock"), 2, NULL, "--interlock");
    /* Of one name the words may differ by command, and help shows what each command takes. */
    takt_expect(ARGS("check", own, "--packing", "none"), 0, NULL, NULL);
    takt_expect(ARGS("print", own, "--packed", "--packing", "none"), 2, NULL,
                "takes auto or flat, not 'none'");
    takt_expect(ARGS("run", own, "--packing", ""), 2, NULL, "--packing needs a value");
    takt_expect(ARGS("run", "--help"), 0, "\nprograms of mncore2 only\n  --packing MODE  ", NULL);
    takt_expect(ARGS("run", "--help"), 0, "  amx: m:ADDR (memory), ", NULL);
    takt_expect(ARGS("check", "--help"), 0, "\n  --removable  ", NULL);
    takt_expect(ARGS("print", amx, "--packed"), 2, NULL, "programs of amx have none");
    takt_expect(ARGS("run", amx, "--save", "w:0+1=x.bin"), 2, NULL, "what --save takes");
    takt_expect(ARGS("run", amx, "--load", "m:0"), 2, NULL, "SPEC=FILE");
    takt_expect(ARGS("run", amx, "--init", "random:"), 2, NULL, "needs a number");
    takt_expect(ARGS("run", "nowhere.vsm", "--json"), 1, "\"ok\": false", "nowhere.vsm");
    /* A configuration that makes no chip is none, whatever is done with it. */
    static const char *const commands[] = {"config", "run", "check"};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        const char *subject = i == 0 ? "mncore2" : own;
        takt_expect(ARGS(commands[i], subject, "--set", "dram_map=bank"), 1, NULL, "once each");
        takt_expect(
            ARGS(commands[i], subject, "--set", "dram_trfc=99999", "--set", "dram_trefi=10"), 1,
            NULL, "no time between refreshes");
    }
    /* Counted in 1/65536 of a byte: half of one is the least that does not round to 0. */
    takt_expect(ARGS("config", "mncore2", "--set", "supply_bytes=0.0000077"), 0, "supply_bytes",
                NULL);
    takt_expect(ARGS("config", "mncore2", "--set", "supply_bytes=0.0000076"), 1, NULL,
                "rounds to 0");
    takt_expect(ARGS("config", "mncore2", "--set", "dram_map=channel:row:bank:column"), 0,
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
    takt_expect(ARGS("run", gather, "--timing-only"), 1, NULL, "--dar FILE");
    takt_expect(ARGS("run", gather, "--timing-only", "--dar", dar), 0, "complete", NULL);
    char blanks[300];
    snprintf(blanks, sizeof blanks, "0 0%280d", 0);
    const char *const bad[] = {"4 0 0",   "0 1024 0", "0 0 4294967296", "0 -1 0", "0 0",
                               "0 0 0 0", blanks};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        snprintf(text, sizeof text, "0 0 64\n%s\n", bad[i]);
        dar = takt_temp_file("dar.txt", text);
        takt_expect(ARGS("run", gather, "--timing-only", "--dar", dar), 1, NULL,
                    "dar.txt:2: expected");
    }
    takt_expect(ARGS("run", gather, "--timing-only", "--dar", "/dev/zero"), 1, NULL,
                "zero:1: expected");
    takt_expect(ARGS("run", gather, "--timing-only", "--dar", "/nonexistent/dar"), 1, NULL,
                "No such file");
    takt_expect(ARGS("run", gather, "--timing-only", "--dar", "/"), 1, NULL, "Is a directory");
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

/* Whatever is at fault, with --json there is an object that says so. */
static void json_of_faults(void **state)
{
    (void)state;
    const char *bad = takt_temp_file("bad.vsm", "lpassa $lm0v $lr0v\nlpassa $lr0v $ln0v\n");
    const char *trace = takt_temp_path("no-program.db");
    unlink(trace);
    takt_expect(ARGS("run", "examples/mncore2/reduce.vsm", "--trace", trace, "--quiet"), 0, NULL,
                NULL);
    const char *const commands[][5] = {
        {"run", "--json"},
        {"check", "--json"},
        {"bound", "--json"},
        {"deps", "--json"},
        {"why", "--json", "--line", "1"},
        {"whatif", "--json", "--packing", "none"},
        {"expect", "--json"},
        {"sensitivity", "--json"},
        {"advise", "--json"},
        {"schedule", "--json", "--out", "/dev/null"},
    };
    const char *const inputs[] = {bad, "/nonexistent/none.vsm", trace};
    for (size_t c = 0; c < sizeof commands / sizeof *commands; c++)
        for (size_t i = 0; i < 3; i++) {
            const char *arguments[8] = {NULL};
            size_t count = 0;
            for (; count < 5 && commands[c][count]; count++)
                arguments[count] = commands[c][count];
            arguments[count++] = inputs[i];
            if (strcmp(arguments[0], "expect") == 0)
                arguments[count++] = "cycles <= 1";
            if (i == 2 && (!strcmp(arguments[0], "why") || !strcmp(arguments[0], "expect")))
                continue; /* they read traces */
            struct takt_result r = takt_run(arguments);
            json_t *answer = json_loads(r.out, 0, NULL);
            const json_t *found = json_object_get(answer, "diagnostics");
            if (r.exit_code != 1 || !json_is_false(json_object_get(answer, "ok")) ||
                (json_array_size(found) > 0) != (i == 0))
                fail_msg("takt %s: exit %d\n%s%s", arguments[0], r.exit_code, r.out, r.err);
            if (i == 2 && !strstr(r.err, "is a takt trace, not a program"))
                fail_msg("takt %s: %s", arguments[0], r.err);
            json_decref(answer);
            takt_result_free(&r);
        }
}

/* What would be without effect, or mean nothing, is no silent success. */
static void without_effect(void **state)
{
    (void)state;
    const char *reduce = "examples/mncore2/reduce.vsm", *trace = takt_temp_path("effect.db");
    unlink(trace);
    takt_expect(ARGS("run", reduce, "--trace", trace, "--quiet"), 0, NULL, NULL);
    takt_expect(ARGS("expect", trace, "cycles > 0"), 0, "ok: ", NULL);
    takt_expect(ARGS("expect", trace, "cycles > 0", "--set", "dram_port=3"), 2, NULL,
                "for a program");
    takt_expect(ARGS("expect", reduce, "warnings(never-written) == 0"), 0, "ok: ", NULL);
    takt_expect(ARGS("expect", reduce, "warnings(never-writen) == 0"), 2, NULL,
                "no warning of mncore2 is named 'never-writen'");
    takt_expect(ARGS("deps", reduce, "--line", "1"), 1, NULL, "no statement stands on line 1");
    takt_expect(ARGS("bound", reduce, "examples/amx/block.amx"), 2, NULL, "another machine");
    const char *unknown = takt_temp_file("program.txt", "zero $lm0v\n");
    takt_expect(ARGS("run", unknown), 2, NULL, "--machine NAME says it: mncore2 (");
    takt_expect(ARGS("print", unknown), 2, NULL, "--machine NAME says it");
    takt_expect(ARGS("run", unknown, "--machine", "mncore2"), 0, "cycles", NULL);
    takt_expect(ARGS("run", takt_temp_file("empty.vsm", "")), 0, "LIMIT   nothing is done\n  ",
                NULL);
    takt_expect(ARGS("whatif", reduce, "--speed", "dram=2", "--speed", "dram=2"), 2, NULL, "twice");
    const char *one = takt_temp_file("one.vsm", "zero $lr0v\n");
    takt_expect(ARGS("deps", one), 0, "no dependences\n", NULL);
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
    takt_expect(ARGS("run", fma, "--trace", trace, "--quiet"), 0, NULL, NULL);
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
        {"sensitivity", fma, "--json"},
        {"config", "--json"},
        {"why", trace, "issue@500", "--json"},
        {"why", trace, "dram0@20", "--json"},
        {"why", trace, "lm0@300", "--json"},
        {"why", trace, "--line", "48", "--json"},
        {"timeline", trace, "--json"},
        {"timeline", trace, "--statements", "--json"},
        {"advise", "examples/mncore2/matmul.vsm", "--json"},
        {"schedule", "examples/mncore2/matmul.vsm", "--out", "/dev/null", "--json"},
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
    takt_expect(ARGS("config"), 0, "mncore2", NULL);
    takt_expect(ARGS("config", "mncore2"), 0, "clock_hz = 750000000 Hz", NULL);
    takt_expect(ARGS("config", "mncore2", "--set", "clock_hz=5e8"), 0, "clock_hz = 500000000 Hz",
                NULL);
    takt_expect(ARGS("run", program, "--set", "clock_hx=1"), 1, NULL, "did you mean 'clock_hz'");
    takt_expect(ARGS("run", program, "--set", "clock_hz=fast"), 1, NULL, "takes a number");
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
        const char *const *arguments =
            values ? ARGS("run", reduce, "--hash", "--json", "--functional-only")
                   : ARGS("run", reduce, "--hash", "--json");
        r = takt_run(arguments);
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
    takt_expect(ARGS("run", one), 0, "one.vsm   ", NULL);
    takt_expect(ARGS("run", one, two), 0, "one.vsm +1   ", NULL);
    takt_expect(ARGS("run", one, two, one), 0, "one.vsm +2   ", NULL);
    /* Stalls of the JSON name both files. */
    const char *gives = takt_temp_file("gives.vsm", "mvp/n640i01 $p0@0 $lc0@0.0\n");
    const char *waits = takt_temp_file("waits.vsm", "nop; wait i01\n");
    struct takt_result r = takt_run(ARGS("run", gives, waits, "--json"));
    json_t *root = json_loads(r.out, 0, NULL);
    assert_non_null(root);
    const json_t *stall = json_array_get(json_object_get(root, "stalls"), 0);
    assert_int_equal(json_object_size(stall), 9);
    assert_string_equal(json_string_value(json_object_get(stall, "kind")), "tag");
    assert_string_equal(json_string_value(json_object_get(stall, "culprit_file")), gives);
    assert_string_equal(json_string_value(json_object_get(stall, "file")), waits);
    json_decref(root);
    takt_result_free(&r);
    /* A line may be named with its file. */
    const char *trace = takt_temp_path("several.db");
    char place[300];
    unlink(trace);
    takt_expect(ARGS("run", one, two, "--trace", trace, "--quiet"), 0, NULL, NULL);
    takt_expect(ARGS("why", trace, "--line", "one.vsm:1"), 0, "one.vsm:1 nop", NULL);
    takt_expect(ARGS("why", trace, "--line", "two.vsm:1"), 0, "two.vsm:1 nop", NULL);
    snprintf(place, sizeof place, "%s:1", two);
    takt_expect(ARGS("why", trace, "--line", place), 0, "two.vsm:1 nop", NULL);
    takt_expect(ARGS("why", trace, "--line", "wo.vsm:1"), 1, NULL,
                "no statement stands on line 1 of wo");
    takt_expect(ARGS("why", trace, "--line", "two.vsm:2"), 1, NULL, "line 2 of two.vsm");
    static const char *const bad[] = {"0", "x", ":1", "two.vsm:", "two.vsm:0", "4294967296"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        takt_expect(ARGS("why", trace, "--line", bad[i]), 2, NULL, "N or FILE:N");
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

/* Expectations of each kind beside the word that d get prints: right, wrong, or none of the type's
 * (NULL). A half is 1 + 6 + 9 bits. */
static void expectations(void **state)
{
    (void)state;
    static const char right[] = "ACCEPTED", wrong[] = "REJECTED";
    static const struct {
        const char *word, *expectation, *verdict;
    } rows[] = {
        {"00ff010203040506", "[0, 255, 1, 2, 3, 4, 5, 6] / UByte", right},
        {"00ff010203040506", "[0, 256, 1, 2, 3, 4, 5, 6] / UByte", NULL},
        {"00ff010203040506", "[0, -1, 1, 2, 3, 4, 5, 6] / UByte", NULL},
        {"00ff010203040506", "[0, -1, 1, 2, 3, 4, 5, 6] / Byte", right},
        {"7f80000000000000", "[127, -128, 0, 0, 0, 0, 0, 0] / Byte", right},
        {"7f80000000000000", "[128, -128, 0, 0, 0, 0, 0, 0] / Byte", NULL},
        {"7f80000000000000", "[127, -129, 0, 0, 0, 0, 0, 0] / Byte", NULL},
        {"ffff8000000000ff", "[65535, 32768, 0, 255] / UShort", right},
        {"ffff8000000000ff", "[-1, -32768, 0, 255] / Short", right},
        {"ffff8000000000ff", "[-1, -32768, 0, 254] / Short", wrong},
        {"00000001fffffffe", "[1, -2] / Int", right},
        {"00000001fffffffe", "1.0, -2.0 / Int", right},
        {"00000001fffffffe", "[1.5, -2] / Int", NULL},
        {"00000001fffffffe", "[1, -2.25] / Int", NULL},
        {"00000001fffffffe", "[0x1, 0xfffffffe] / Int", right}, /* hexadecimal: the bits */
        {"00000001fffffffe", "[0x1, 0x1fffffffe] / Int", NULL},
        {"00000001fffffffe", "[1, 4294967294] / UInt", right},
        {"fffffff60000000a", "[-010, 010] / Int", right}, /* decimal all the same */
        {"8000000000000000", "[-9223372036854775808] / Long", right},
        {"8000000000000000", "[-9223372036854775809] / Long", NULL},
        {"7fffffffffffffff", "[9223372036854775807] / Long", right},
        {"7fffffffffffffff", "[9223372036854775808] / Long", NULL},
        {"ffffffffffffffff", "[99999999999999999999] / Long", NULL},
        {"ffffffffffffffff", "[18446744073709551615] / ULong", right},
        {"ffffffffffffffff", "[18446744073709551616] / ULong", NULL},
        {"3e00be0041000000", "[1, -1, 3, 0] / Half", right},
        {"3e00be0041000000", "[1, -1, 3.5, 0] / Half", wrong},
        {"3e00be0041000000", "[1, -1, 3.5, 0] / Half atol=0.5", right},
        {"3e00be0041000000", "[1, -1, 3.5, 0] / Half atol=0.49", wrong},
        {"4142434445464748", "ABCDEFGH / String", right},
        /* Escapes mean the character: 31 0a 32 0a 46 69 7a 7a is two lines and Fizz. */
        {"310a320a46697a7a", "\"1\\n2\\nFizz\" / String", right},
        {"310a320a46697a7a", "'1\\n2\\nFizz' / String", right},
        {"310a320a46697a7a", "1\\n2\\nFizz / String", right},
        {"315c6e325c6e4669", "\"1\\n2\\nFi\" / String", wrong}, /* letter by letter */
        {"315c6e325c6e4669", "\"1\\\\n2\\\\nFi\" / String", right},
        {"61096222005c5cff", "\"a\\tb\\\"\\0\\\\\\x5c\\xFf\" / String", right},
        {"2f3d232f20223a20", "\"/=\\x23/ \\\": \" / String", right},
        {"0030310041420000", "\"\\001\\0AB\\0\\0\" / String", right}, /* one digit after \0 */
        {"4142434445464748", "\"\\x4142CDEFGH\" / String", wrong},    /* two after \x */
        {"4142434445464748", "\"\\x4\" / String", NULL},
        {"4142434445464748", "\"\\x4G\" / String", NULL},
        {"4142434445464748", "\"A\\qB\" / String", NULL},
        {"4142434445464748", "\"AB\\\" / String", NULL}, /* the backslash takes the quote */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[400];
        snprintf(text, sizeof text,
                 "d set $ln0n0c0b0m0p0 1 %s\n"
                 "# ======= YOUR VSM WILL BE INSERTED HERE =======\nnop/2\n"
                 "# ======= Output =======\nd get $ln0n0c0b0m0p0 1 # v=%s\n",
                 rows[i].word, rows[i].expectation);
        const char *testcase = takt_temp_file("expectation.vsm", text);
        const char *answer = takt_temp_file("nop.vsm", "nop\n");
        const char *fault = strstr(rows[i].expectation, "String") ? "the escapes of a String are"
                                                                  : "not a number of this type";
        takt_expect(ARGS("judge", testcase, answer), rows[i].verdict == right ? 0 : 1,
                    rows[i].verdict, rows[i].verdict ? NULL : fault);
    }
}

static void judges(void **state)
{
    (void)state;
    const char *testcase = "examples/mncore2/judge-testcase.vsm";
    takt_expect(ARGS("judge", testcase, "examples/mncore2/judge-answer.vsm"), 0,
                "ACCEPTED!! score=5 j=5 m=0", NULL);
    takt_expect(ARGS("judge", testcase, "examples/mncore2/judge-wrong.vsm"), 1, "REJECTED", NULL);
    /* mvnop is an MV statement (3.5.8.1): one more than the answer above. */
    const char *mvnop = takt_temp_file("mvnop.vsm", "lpassa $lm0v $lr0v\nnop\nmvnop\n"
                                                    "lpassa $lr0v $nowrite\n"
                                                    "ladd $aluf $lr0v $ln0v\nnop\n");
    takt_expect(ARGS("judge", testcase, mvnop), 0, "ACCEPTED!! score=6 j=5 m=1", NULL);
    const char *set = takt_temp_file("set.vsm", "d set $ln0n0c0b0m0p0 1 l0\n"
                                                "lpassa $lm0v $lr0v\nnop\nlpassa $lr0v $nowrite\n"
                                                "ladd $aluf $lr0v $ln0v # comment\nnop ! gone\n");
    takt_expect(ARGS("judge", testcase, set), 0, "ACCEPTED", NULL);
    takt_expect(ARGS("judge", testcase, set, "--enable-set"), 1, "INVALID", NULL);
    const char *broken = takt_temp_file("broken.vsm", "lpassa $lm0v\n");
    takt_expect(ARGS("judge", testcase, broken), 1, NULL, "broken.vsm:1:");
    takt_expect(ARGS("judge", "examples/mncore2/fma.vsm", broken), 1, NULL, "YOUR VSM");
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
    takt_expect(ARGS("judge", testcase, none), 1, NULL, "/nonexistent/none.vsm");
    /* An unreadable expectation is reported with its place, and there is no verdict. */
    const char *unread = takt_temp_file(
        "unread.vsm", "# ======= YOUR VSM WILL BE INSERTED HERE =======\nnop/2\n"
                      "# ======= Output =======\nd get $ln0n0c0b0m0p0 1 #  twice=[2] / Lang\n");
    takt_expect(
        ARGS("judge", unread, good), 1, NULL,
        "unread.vsm:4:27: error: no type of an expectation is named 'Lang'; they are ULong, ");
    takt_expect(ARGS("judge", unread, good), 1, NULL,
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
    takt_expect(ARGS("judge", testcase, good, "--json"), 0, "\"accepted\": true", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(helps),
        cmocka_unit_test(usage_errors),
        cmocka_unit_test(contradictions),
        cmocka_unit_test(malformed_options),
        cmocka_unit_test(dar_files),
        cmocka_unit_test(page_of_json),
        cmocka_unit_test(json_of_faults),
        cmocka_unit_test(without_effect),
        cmocka_unit_test(configuration),
        cmocka_unit_test(hashes),
        cmocka_unit_test(several_programs),
        cmocka_unit_test(twice_the_same),
        cmocka_unit_test(expectations),
        cmocka_unit_test(judges),
    };
    return cmocka_run_group_tests_name("cli", tests, NULL, NULL);
}
