/*
 * The warnings of takt check, each with a program that must raise it and its nearest neighbour that
 * must not; and that checking survives, sorts and stays near-linear.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/mncore2/check_text.h"

/* 3.5.9: constraints among MV statements in flight together, "described elsewhere". */
static void in_flight_together(void **state)
{
    (void)state;
    struct check_text text;
    check_text_open(&text, "mvp/n64 $p0@0 $d0@0\nmvp/n64 $p0@1 $d0@1\n");
    check_text_run(&text, NULL);
    assert_int_equal(text.status, 0); /* a note refuses nothing */
    assert_int_equal(text.diags.notes, 1);
    assert_int_equal(text.diags.warnings, 0);
    assert_string_equal(check_text_find(&text, "mv-together")->rule, "3.5.9");
    static const char *const names[] = {"mv-together", NULL};
    text.diags.silenced = names;
    check_text_run(&text, NULL);
    assert_int_equal(text.diags.notes, 0);
    check_text_close(&text);
}

/* 3.5.6: entry i of a step's four is written in cycle i; with dar_write_latency = 6 the new one is
 * found from cycle i + 7 on, so entries 0 and 1 from the second empty step on, 2 and 3 from the
 * third. */
static void dar_in_flight(void **state)
{
    (void)state;
    struct check_text text;
    check_text_open(&text, "l2bmdars $lc0@.0 $dar0; l2bmdarw\nmvp/n64nd1 $di0@0 $p0@0\n");
    check_text_run(&text, NULL);
    const struct diag *diag = check_text_find(&text, "dar-in-flight");
    assert_string_equal(diag->rule, "3.5.6");
    assert_int_equal(diag->missing_cycles, 3 + 7 - 4);
    assert_int_equal(diag->missing_steps, 2);
    assert_int_equal(diag->column, 12);
    check_text_close(&text);
}

/* A finding can be silenced by name, and then is not counted. */
static void silenced(void **state)
{
    (void)state;
    static const char *const names[] = {"dead-write", "never-written", NULL};
    struct check_text text;
    check_text_open(&text, "zero $lr0v\nzero $lr0v\nlpassa $lm0v $ln0v\nlpassa $aluf $ls0v\n"
                           "lpassa $mauf $ls8v\n");
    assert_int_equal(text.parsed, 0);
    text.diags.silenced = names;
    check_text_run(&text, NULL);
    assert_int_equal(check_text_count(&text, "dead-write"), 0);
    assert_int_equal(check_text_count(&text, "never-written"), 0);
    assert_int_equal(check_text_count(&text, "never-forwarded"), 1);
    assert_int_equal(text.diags.warnings, 1);
    assert_int_equal(text.status, 0);
    check_text_close(&text);
}

/* A flat operand has no place in an auto-stride stream (1.2). */
static void flat_in_auto(void **state)
{
    (void)state;
    struct check_text text;
    check_text_open(&text, "zero $ln0v\nlpassa $lm[0,4,10,14] $lr0v\n");
    assert_int_equal(text.parsed, 0);
    check_text_run(&text, "auto");
    assert_int_equal(text.status, 1);
    assert_string_equal(check_text_find(&text, NULL)->rule, "1.2");
    assert_int_equal(check_text_find(&text, NULL)->line, 2);
    check_text_run(&text, "flat");
    assert_int_equal(text.status, 0);
    check_text_run(&text, NULL);
    assert_int_equal(text.status, 0);
    check_text_run(&text, "packed");
    assert_int_equal(text.status, -1);
    check_text_close(&text);
}

/* Findings in source order, errors before warnings of the same place. */
static void sorted(void **state)
{
    (void)state;
    struct check_text text;
    check_text_open(&text, "lpassa $lr0v $lm0v\nlpassa $lm0v $ls0v\nlpassa $lm64v $ls0v\n"
                           "mvp/n64i01 $p0@0 $d0@0\n");
    check_text_run(&text, NULL);
    for (size_t i = 1; i < text.diags.count; i++) {
        const struct diag *a = &text.diags.items[i - 1], *b = &text.diags.items[i];
        assert_true(a->line < b->line || (a->line == b->line && a->column <= b->column));
    }
    assert_int_equal(check_text_count(&text, NULL), 2);
    check_text_close(&text);
}

/* Many transfers in flight and many writes: near-linear, not quadratic. */
static void scale(void **state)
{
    (void)state;
    enum { LINES = 100000, LINE = 96 };
    char *program = malloc((size_t)LINES * LINE + 1);
    assert_non_null(program);
    double seconds[2];
    for (int turn = 0; turn < 2; turn++) {
        size_t used = 0;
        for (int i = 0; i < LINES / (turn ? 1 : 10); i++)
            used += (size_t)sprintf(
                program + used, "mvp/n64 $p%d@0 $d%d@%d\nladd $lm%dv $lr%dv $ln%dv\n",
                i % 8192 * 64, i * 64, i % 4, i % 500 * 8, i % 60 * 8, i % 500 * 8);
        struct check_text text;
        check_text_open(&text, program);
        assert_int_equal(text.parsed, 0);
        const clock_t start = clock();
        check_text_run(&text, NULL);
        seconds[turn] = (double)(clock() - start) / CLOCKS_PER_SEC;
        check_text_close(&text);
    }
    free(program);
    /* Ten times the program, at most 40 times the time: quadratic would take a hundred. */
    assert_true(seconds[1] < 40 * (seconds[0] + 0.01));
}

/* More findings than a list holds: the first ones have their places, all are counted. */
static void more_than_a_list(void **unused)
{
    (void)unused;
    enum { LINES = DIAG_LIMIT + 500 };
    static const char *const lines[2] = {"lpassa $peid $lr0v\n", " lpassa $peid $lr0v\n"};
    char *program = malloc(LINES * 24 + 1), *at = program;
    assert_non_null(program);
    for (size_t i = 0; i < LINES; i++)
        at = stpcpy(at, lines[i % 2]);
    struct check_text text;
    check_text_open(&text, program);
    check_text_run(&text, NULL);
    assert_int_equal(text.diags.errors, 0);
    assert_int_equal(text.diags.warnings, LINES - 1); /* but for the last write */
    assert_int_equal(text.diags.count, DIAG_LIMIT);
    for (size_t i = 0; i < DIAG_LIMIT; i++) {
        assert_string_equal(text.diags.items[i].name, "dead-write");
        assert_int_equal(text.diags.items[i].line, i + 1);
        assert_int_equal(text.diags.items[i].column, i % 2 ? 15 : 14);
        assert_int_equal(text.diags.items[i].length, 5);
    }
    check_text_close(&text);
    free(program);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_flight_together),
        cmocka_unit_test(dar_in_flight),
        cmocka_unit_test(silenced),
        cmocka_unit_test(flat_in_auto),
        cmocka_unit_test(sorted),
        cmocka_unit_test(scale),
        cmocka_unit_test(more_than_a_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
