/*
 * Repetitions are skipped exactly: with --no-skip every number that the sink gets is the same.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/mncore2/timing_kit.h"

enum { TEXT = 8 * 1024 * 1024 };

static uint64_t state = 0x2545f4914f6cdd1du;

static unsigned pick(unsigned limit)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (unsigned)(state >> 33) % limit;
}

static const char *const steps[] = {
    "nop\n",
    "nop/3\n",
    "lpassa $lm0v $ln0v\n",
    "dvadd $lm0v $ln0v $lr0v; lpassa $lr64v $ls0v\n",
    "lpassa $lr0v $ls0v/1000\n",
    "lpassa $lr0v $t/0110\n",
    "l1bmm $lb0 $lr0v\n",
    "l2bmb@2 $lc0 $lb0\n",
    "fvfma $lr0v $ls0v $lm0v $ls64v\n",
    "d get $lm0n0c0b0m0p0 1\n",
};

/* A kernel of a few statements, repeated, between others. */
static char *stretch(char *at, char *end, unsigned period, unsigned lines)
{
    const char *kernel[64];
    for (unsigned i = 0; i < period; i++)
        kernel[i] = steps[pick(sizeof steps / sizeof *steps)];
    kernel[0] = steps[pick(9)]; /* some time must pass */
    for (unsigned i = 0; i < lines && at + 100 < end; i++)
        at = stpcpy(at, kernel[i % period]);
    return at;
}

static void same_totals(const struct sink_summary *a, const struct sink_summary *b)
{
    assert_int_equal(a->cycles, b->cycles);
    assert_int_equal(a->cycles_documented, b->cycles_documented);
    assert_int_equal(a->steps, b->steps);
    assert_int_equal(a->pe_statements, b->pe_statements);
    assert_int_equal(a->nops_written, b->nops_written);
    assert_int_equal(a->nops_packing, b->nops_packing);
    assert_int_equal(a->nops_wait, b->nops_wait);
    assert_int_equal(a->window, b->window);
    assert_memory_equal(a->flops, b->flops, sizeof a->flops);
    assert_int_equal(a->unit_total_count, b->unit_total_count);
    for (size_t i = 0; i < a->unit_total_count; i++) {
        assert_int_equal(a->unit_totals[i].unit, b->unit_totals[i].unit);
        assert_int_equal(a->unit_totals[i].reason, b->unit_totals[i].reason);
        assert_int_equal(a->unit_totals[i].cycles, b->unit_totals[i].cycles);
        assert_int_equal(a->unit_totals[i].events, b->unit_totals[i].events);
    }
    assert_int_equal(a->stmt_total_count, b->stmt_total_count);
    for (size_t i = 0; i < a->stmt_total_count; i++) {
        assert_int_equal(a->stmt_totals[i].stmt, b->stmt_totals[i].stmt);
        assert_int_equal(a->stmt_totals[i].cycles, b->stmt_totals[i].cycles);
        assert_int_equal(a->stmt_totals[i].execs, b->stmt_totals[i].execs);
        assert_int_equal(a->stmt_totals[i].ops, b->stmt_totals[i].ops);
    }
    assert_int_equal(a->window_count, b->window_count);
    for (size_t i = 0; i < a->window_count; i++) {
        assert_int_equal(a->windows[i].unit, b->windows[i].unit);
        assert_int_equal(a->windows[i].index, b->windows[i].index);
        assert_int_equal(a->windows[i].busy, b->windows[i].busy);
    }
    assert_int_equal(a->slack_count, b->slack_count);
    for (size_t i = 0; i < a->slack_count; i++)
        assert_int_equal(a->slack[i].slack, b->slack[i].slack);
    assert_int_equal(a->crit_count, b->crit_count);
    for (size_t i = 0; i < a->crit_count; i++) {
        assert_int_equal(a->crit[i].start, b->crit[i].start);
        assert_int_equal(a->crit[i].duration, b->crit[i].duration);
        assert_int_equal(a->crit[i].first_stmt, b->crit[i].first_stmt);
        assert_int_equal(a->crit[i].last_stmt, b->crit[i].last_stmt);
    }
}

static void same_with_and_without(const char *text, const char *packing, const char *set)
{
    struct kit skip = {.options = {.packing = packing}, .sets = {set}};
    struct kit whole = {.options = {.packing = packing, .no_skip = true}, .sets = {set}};
    if (kit_run(&skip, text) != 0 || kit_run(&whole, text) != 0)
        fail_msg("%s", skip.error);
    same_totals(&skip.summary, &whole.summary);
    assert_int_equal(skip.transfer_count, whole.transfer_count);
    for (size_t i = 0; i < skip.transfer_count; i++)
        assert_int_equal(skip.transfers[i].finished, whole.transfers[i].finished);
    kit_consistent(&skip);
    kit_consistent(&whole);
    kit_free(&skip);
    kit_free(&whole);
}

static void random_kernels(void **unused)
{
    (void)unused;
    static const char *const packings[] = {"none", "auto", "flat"};
    char *text = malloc(TEXT);
    assert_non_null(text);
    for (unsigned round = 0; round < 30; round++) {
        char *at = text;
        for (unsigned part = 0; part < 1 + pick(3); part++) {
            if (pick(2))
                at = stpcpy(at, "mvp/n16384i01 $p0@0 $lc0@0.0\nmvp/n8192i02 $d0@1 $lc0@1.1\n");
            at = stretch(at, text + TEXT, 1 + pick(5), pick(40));
            at = stretch(at, text + TEXT, 1 + pick(round % 2 ? 5 : 60), 20000 + pick(30000));
            if (pick(2))
                at = stpcpy(at, "nop; wait i01\nlpassa $lm0v $ln0v; wait i02\n");
        }
        same_with_and_without(text, packings[round % 3],
                              round % 5 == 4 ? "pe_write_latency=23" : NULL);
    }
    free(text);
}

/* One statement again and again is the shortest period: 4 cycles, below the write latency. */
static void one_statement(void **unused)
{
    (void)unused;
    char *text = malloc(TEXT);
    assert_non_null(text);
    for (unsigned s = 0; s < 9; s++) {
        char *at = text;
        for (unsigned i = 0; i < 40000 + s; i++)
            at = stpcpy(at, steps[s]);
        same_with_and_without(text, s % 2 ? "none" : "auto", NULL);
        /* Closed form: 4 cycles a step; nop/3 is three. */
        if (s % 2)
            assert_int_equal(kit_total("none", NULL, text), (40000 + s) * 4 * (s == 1 ? 3 : 1));
    }
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_kernels),
        cmocka_unit_test(one_statement),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
