/* cli: findings as a user meets them, in text and in JSON. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>
#include <jansson.h>

#include "tests/takt_expect.h"
#include "tests/takt_process.h"

static void bad_programs(void **state)
{
    (void)state;
    const char *bad = takt_temp_file("bad.vsm", "nop\nlpasa $lr0v $ls0v\nlpassa $lr1v $ls0v\n");
    takt_expect(ARGS("run", bad), 1, NULL, "bad.vsm:2:1: error: ");
    takt_expect(ARGS("run", bad), 1, NULL, "lpassa");
    /* A message names nothing that only the source tree has. */
    const char *odd = takt_temp_file("odd.vsm", "frobnicate\n");
    takt_expect(ARGS("check", odd), 1, NULL, "unknown opcode frobnicate [manual 3.6]");
    takt_expect(ARGS("check", odd), 1, NULL, "fix: manual 3.6.5 to 3.6.13");
    takt_expect(ARGS("check", bad), 1, NULL, "bad.vsm:3:");
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
    takt_expect(ARGS("check", path), 1, NULL, "many.vsm:10000:1: error");
    r = takt_run(ARGS("check", path, "--json"));
    root = json_loads(r.out, 0, NULL);
    assert_non_null(root);
    assert_int_equal(json_array_size(json_object_get(root, "diagnostics")), 10000);
    assert_int_equal(json_integer_value(json_object_get(root, "errors")), MANY);
    assert_int_equal(json_integer_value(json_object_get(root, "left_out")), MANY - 10000);
    json_decref(root);
    takt_result_free(&r);
    /* The same of warnings, which a run prints, too: one a line. */
    for (size_t i = 0; i < MANY; i++)
        memcpy(many + 4 * i, "c a\n", 4);
    memcpy(many + (size_t)4 * MANY, "nop\n", 5);
    const char *warned = takt_temp_file("warned.vsm", many);
    free(many);
    takt_expect(ARGS("run", warned), 0, NULL, "10095 more warnings; takt check lists them");
    r = takt_run(ARGS("run", warned, "--json", "--silence", "removable"));
    root = json_loads(r.out, 0, NULL);
    assert_non_null(root);
    assert_int_equal(json_array_size(json_object_get(root, "warnings")), 10000);
    assert_int_equal(json_integer_value(json_object_get(root, "left_out")), MANY - 10000);
    json_decref(root);
    takt_result_free(&r);
    /* Nothing is left that looks like a trace. */
    const char *trace = takt_temp_path("none.db");
    takt_expect(ARGS("run", bad, "--trace", trace), 1, NULL, "error");
    struct stat info;
    assert_int_not_equal(stat(trace, &info), 0);
    const char *legal = takt_temp_file("legal.vsm", "lpassa $lr0v $ls0v\n");
    takt_expect(ARGS("check", legal, "--json"), 0, "\"ok\": true", NULL);
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
        takt_expect(ARGS("print", path, "--silence", "dead-write"), 0, NULL,
                    "warn.vsm:5:11: warning: ");
        takt_expect(ARGS("print", path, "--silence", "nothing"), 2, NULL, "is named 'nothing'");
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

/* The same file again: its lines have other names than those of the first time. */
static void a_file_again(void **state)
{
    (void)state;
    const char *path = takt_temp_file("again.vsm", "nop\nimm i\"1\" $lr0\n");
    char sentence[300];
    snprintf(sentence, sizeof sentence, "is overwritten in line 2 of a later %s before", path);
    takt_expect(ARGS("check", path, path), 0, NULL, sentence);
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
    takt_expect(ARGS("check", reads, reads), 1, NULL, sentence);
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
    takt_expect(ARGS("check", spare, "--removable", "--werror"), 0, NULL,
                "spare.vsm:2:1: note: 1 of 3 nop steps could go");
    takt_expect(ARGS("check", spare, "--removable", "--json"), 0, "\"name\": \"removable\"", NULL);
    takt_expect(ARGS("check", spare, "--removable", "--silence", "all"), 0, NULL,
                "spare.vsm:2:1: note: 1 of 3 nop steps could go");
    takt_expect(ARGS("run", spare), 0, "REMOVABLE  1 step in all: it takes 24 cycles as before\n",
                NULL);
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
        assert_null(strstr(r.out, "\"name\": \"removable\""));
        assert_null(strstr(r.out, "REMOVABLE"));
        takt_result_free(&r);
    }
}

/* What ends a run early, or before it begins, is reported once; JSON says that it is not ok. */
static void faults_of_runs(void **state)
{
    (void)state;
    /* A warning and, without values and DAR contents, an error. */
    const char *gather =
        takt_temp_file("gather.vsm", "mvp/n64i01 $di0@0 $lc0@0.0\nnop; wait i01\n");
    struct takt_result r = takt_run(ARGS("run", gather, "--timing-only", "--json"));
    assert_int_equal(r.exit_code, 1);
    const char *warning = strstr(r.err, ": warning: "), *error = strstr(r.err, ": error: ");
    assert_non_null(warning);
    assert_non_null(error);
    assert_null(strstr(warning + 1, ": warning: "));
    assert_non_null(strstr(error, "\n1 error, 1 warning\n"));
    json_t *root = json_loads(r.out, 0, NULL);
    assert_non_null(root);
    assert_true(json_is_false(json_object_get(root, "ok")));
    assert_int_equal(json_integer_value(json_object_get(root, "errors")), 1);
    assert_int_equal(json_array_size(json_object_get(root, "diagnostics")), 2);
    json_decref(root);
    takt_result_free(&r);
    /* No place in a program. */
    const char *own = takt_temp_file("own.vsm", "nop\n");
    const char *text = takt_temp_file("thesis.txt", "the only copy\n");
    const char *const *const cases[] = {
        ARGS("run", own, "--json", "--set", "clock=1"),
        ARGS("run", own, "--json", "--config", "/nonexistent.yaml"),
        ARGS("run", own, "--json", "--load", "d@0:0=/nonexistent"),
        ARGS("run", own, "--json", "--trace", text),
        ARGS("run", own, "--json", "--timing-only", "--dar", "/nonexistent"),
        ARGS("run", "/nonexistent.vsm", "--json"),
        ARGS("check", own, "--json", "--set", "clock=1"),
        ARGS("check", "/nonexistent.vsm", "--json"),
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        r = takt_run(cases[i]);
        root = json_loads(r.out, 0, NULL);
        if (r.exit_code != 1 || !r.err_size || !root ||
            !json_is_false(json_object_get(root, "ok")) ||
            json_array_size(json_object_get(root, "diagnostics")) != 0)
            fail_msg("case %zu: exit %d, '%s', '%s'", i, r.exit_code, r.out, r.err);
        json_decref(root);
        takt_result_free(&r);
    }
}

/* Warnings do not take the room of notes, and what is not listed is counted. */
static void notes_have_room(void **state)
{
    (void)state;
    enum { MANY = 10100, LISTED = 10000 };
    static const char kernel[] = "zero $lm0v\nzero $ln0v\nnop/5\nlpassa $lm0v $nowrite\n";
    char *text = malloc(MANY * (sizeof kernel - 1) + 1);
    assert_non_null(text);
    for (size_t i = 0; i < MANY; i++)
        memcpy(text + i * (sizeof kernel - 1), kernel, sizeof kernel);
    const char *path = takt_temp_file("notes.vsm", text);
    free(text);
    struct takt_result r = takt_run(ARGS("check", path, "--removable", "--json"));
    assert_int_equal(r.exit_code, 0);
    json_t *root = json_loads(r.out, 0, NULL), *list = json_object_get(root, "diagnostics"), *one;
    assert_non_null(root);
    size_t i, notes = 0;
    json_array_foreach(list, i, one)
    {
        notes += strcmp(json_string_value(json_object_get(one, "severity")), "note") == 0;
    }
    const json_int_t warnings = json_integer_value(json_object_get(root, "warnings"));
    assert_int_equal(notes, LISTED);
    assert_int_equal(json_integer_value(json_object_get(root, "notes")), MANY + 1);
    assert_true(warnings > LISTED); /* what is written to $ln0v, again and again */
    assert_int_equal(json_array_size(list), 2 * LISTED);
    assert_int_equal(json_integer_value(json_object_get(root, "left_out")),
                     MANY + 1 + warnings - 2 * LISTED);
    json_decref(root);
    takt_result_free(&r);
    takt_expect(ARGS("check", path, "--removable"), 0, NULL, ", 10101 notes\n");
    takt_expect(ARGS("check", path, "--removable", "--silence", "all"), 0, NULL,
                "0 errors, 0 warnings, 10101 notes\n");
}

/* A run lists the findings of a line in the order in which they stand in it, as a check does. */
static void order_within_a_line(void **state)
{
    (void)state;
    static const char *const operands[] = {"$lm0v", "$lr0v", "$ls0v", "$ln0v"};
    static const char *const reads[] = {"reads LM0 ", "reads GRF0 ", "reads GRF1 ", "reads LM1 "};
    for (unsigned a = 0; a < 4; a++) {
        for (unsigned b = 0; b < 4; b++) {
            if (a == b)
                continue;
            char text[64];
            snprintf(text, sizeof text, "dvadd %s %s $lt\n", operands[a], operands[b]);
            const char *path = takt_temp_file("order.vsm", text);
            struct takt_result r = takt_run(ARGS("run", path, "--json", "--silence", "dead-write"));
            const char *first = strstr(r.out, reads[a]), *second = strstr(r.out, reads[b]);
            assert_non_null(first);
            assert_non_null(second);
            assert_true(first < second);
            takt_result_free(&r);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_programs),         cmocka_unit_test(warnings_of_print),
        cmocka_unit_test(lines_of_other_files), cmocka_unit_test(a_file_again),
        cmocka_unit_test(addresses_as_written), cmocka_unit_test(nops_that_can_go),
        cmocka_unit_test(faults_of_runs),       cmocka_unit_test(notes_have_room),
        cmocka_unit_test(order_within_a_line),
    };
    return cmocka_run_group_tests_name("cli findings", tests, NULL, NULL);
}
