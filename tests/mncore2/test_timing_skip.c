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

#include "tests/gen_program.h"
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

/* Rows of one type, field by field: there is padding between fields. */
#define SAME(rows, count, row, field)                                                              \
    do {                                                                                           \
        assert_int_equal(a->count, b->count);                                                      \
        for (size_t row = 0; row < a->count; row++)                                                \
            assert_int_equal(a->rows[row].field, b->rows[row].field);                              \
    } while (0)

static void same_totals(const struct sink_summary *a, const struct sink_summary *b)
{
    assert_int_equal(a->cycles, b->cycles);
    assert_int_equal(a->cycles_documented, b->cycles_documented);
    assert_int_equal(a->steps, b->steps);
    assert_int_equal(a->pe_statements, b->pe_statements);
    assert_int_equal(a->mv_statements, b->mv_statements);
    assert_int_equal(a->nops_written, b->nops_written);
    assert_int_equal(a->nops_packing, b->nops_packing);
    assert_int_equal(a->nops_wait, b->nops_wait);
    assert_int_equal(a->nops_empty, b->nops_empty);
    assert_memory_equal(a->nops_tag, b->nops_tag, sizeof a->nops_tag);
    assert_int_equal(a->window, b->window);
    assert_memory_equal(a->flops, b->flops, sizeof a->flops);
    SAME(unit_totals, unit_total_count, i, unit);
    SAME(unit_totals, unit_total_count, i, reason);
    SAME(unit_totals, unit_total_count, i, cycles);
    SAME(unit_totals, unit_total_count, i, events);
    SAME(stmt_totals, stmt_total_count, i, stmt);
    SAME(stmt_totals, stmt_total_count, i, unit);
    SAME(stmt_totals, stmt_total_count, i, reason);
    SAME(stmt_totals, stmt_total_count, i, cycles);
    SAME(stmt_totals, stmt_total_count, i, execs);
    SAME(stmt_totals, stmt_total_count, i, ops);
    SAME(stmt_totals, stmt_total_count, i, bytes);
    SAME(windows, window_count, i, unit);
    SAME(windows, window_count, i, index);
    SAME(windows, window_count, i, busy);
    SAME(slack, slack_count, i, first_stmt);
    SAME(slack, slack_count, i, last_stmt);
    SAME(slack, slack_count, i, slack);
    SAME(crit, crit_count, i, start);
    SAME(crit, crit_count, i, duration);
    SAME(crit, crit_count, i, first_stmt);
    SAME(crit, crit_count, i, last_stmt);
    SAME(crit, crit_count, i, unit);
    SAME(crit, crit_count, i, reason);
    SAME(bounds, bound_count, i, cycles);
    SAME(bounds, bound_count, i, unit);
}

static void same_rows(const struct kit *a, const struct kit *b)
{
    SAME(transfers, transfer_count, i, stmt);
    SAME(transfers, transfer_count, i, tag);
    SAME(transfers, transfer_count, i, priority);
    SAME(transfers, transfer_count, i, bytes);
    SAME(transfers, transfer_count, i, long_words);
    SAME(transfers, transfer_count, i, issued);
    SAME(transfers, transfer_count, i, started);
    SAME(transfers, transfer_count, i, finished);
    SAME(transfers, transfer_count, i, waited);
    SAME(transfers, transfer_count, i, waited_by);
    SAME(transfers, transfer_count, i, limited_by);
    SAME(edges, edge_count, i, src);
    SAME(edges, edge_count, i, dst);
    SAME(edges, edge_count, i, kind);
    SAME(edges, edge_count, i, unit);
    SAME(edges, edge_count, i, released);
    SAME(edges, edge_count, i, at);
    SAME(edges, edge_count, i, waited);
}

/* Returns how many items were skipped. A body that breaks a hazard against itself uses ports twice,
 * which no legal program does: its books cannot be consistent. */
static uint64_t same_with_and_without(const char *text, const struct run_options *options,
                                      const char *const sets[KIT_SETS], bool consistent)
{
    struct kit skip = {.options = *options}, whole = {.options = *options};
    whole.options.no_skip = true;
    for (size_t i = 0; i < KIT_SETS && sets && sets[i]; i++)
        skip.sets[i] = whole.sets[i] = sets[i];
    if (kit_run(&skip, text) != 0 || kit_run(&whole, text) != 0)
        fail_msg("%s", skip.error);
    assert_int_equal(whole.skipped, 0);
    same_totals(&skip.summary, &whole.summary);
    same_rows(&skip, &whole);
    const uint64_t skipped = skip.skipped;
    if (consistent)
        kit_consistent(&skip);
    kit_free(&skip);
    kit_free(&whole);
    return skipped;
}

static void random_kernels(void **unused)
{
    (void)unused;
    static const char *const packings[] = {"none", "auto", "flat"};
    char *text = malloc(TEXT);
    unsigned skipped = 0;
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
        const struct run_options options = {.packing = packings[round % 3]};
        const char *const sets[KIT_SETS] = {round % 5 == 4 ? "pe_write_latency=23" : NULL};
        skipped += same_with_and_without(text, &options, sets, true) > 0;
    }
    assert_true(skipped > 20);
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
        const struct run_options options = {.packing = s % 2 ? "none" : "auto"};
        assert_true(same_with_and_without(text, &options, NULL, true) > 30000);
        /* Closed form: 4 cycles a step; nop/3 is three. */
        if (s % 2)
            assert_int_equal(kit_total("none", NULL, text), (40000 + s) * 4 * (s == 1 ? 3 : 1));
    }
    free(text);
}

/* Written mvnops of turns that are skipped count as those that are timed. */
static void written_mvnops(void **unused)
{
    (void)unused;
    enum { TURNS = 30000 };
    char *text = malloc(TEXT), *at = text;
    assert_non_null(text);
    for (unsigned i = 0; i < TURNS; i++)
        at = stpcpy(at, "nop/3\nmvnop\nlpassa $lm0v $ln0v\nmvnop\nmvnop\n");
    static const char *const packings[] = {"none", "auto", "flat"};
    for (unsigned i = 0; i < 3; i++) {
        struct kit kit = {.options = {.packing = packings[i]}};
        assert_true(same_with_and_without(text, &kit.options, NULL, true) > TURNS);
        assert_int_equal(kit_run(&kit, text), 0);
        assert_true(kit.skipped > 0);
        assert_int_equal(kit.summary.mv_statements, 3 * TURNS);
        kit_free(&kit);
    }
    free(text);
}

/* --- loops with transfers -------------------------------------------------------------------------- */

/* A body with transfers, waits, hazards, whatever the generator makes, `times` times. */
static char *repeat(const char *body, size_t size, size_t times)
{
    char *text = malloc(size * times + 64), *at = text;
    assert_non_null(text);
    for (size_t i = 0; i < times; i++, at += size)
        memcpy(at, body, size);
    strcpy(at, "lpassa $lm0v $ln0v\n");
    return text;
}

static const char *const refreshes[] = {"dram_trefi=0", "dram_trefi=60", "dram_trefi=44",
                                        "dram_trefi=1425", "dram_trefi=97"};

static void random_loops(void **unused)
{
    (void)unused;
    static const char *const packings[] = {"none", "auto", "flat"};
    unsigned skipped = 0, rounds = 0;
    for (unsigned round = 0; round < 150; round++) {
        const struct gen_options body = {.features = GEN_MV | GEN_L2BM | GEN_L1BM |
                                                     (round & 1 ? GEN_MATRIX | GEN_FLAT : 0),
                                         .statements = 5 + pick(40),
                                         .tightness = pick(101)};
        size_t size;
        char *once = gen_program(1000 + round, &body, &size);
        assert_non_null(once);
        char *text = repeat(once, size, 100 + pick(2000));
        struct run_options options = {.packing = packings[round % 3],
                                      .interlock = round % 4 == 3,
                                      .documented = round % 16 == 0};
        const char *const sets[KIT_SETS] = {
            refreshes[round % 5], "dram_trfc=13",
            round % 7 == 6 ? "supply_bytes=9.5" : "mv_start_latency=17",
            round % 11 == 10 ? "mv_slot_steps=1" : "mv_notice_latency=9"};
        skipped += same_with_and_without(text, &options, sets, false) > 0;
        rounds++;
        free(text);
        free(once);
    }
    print_message("%u of %u random loops were skipped\n", skipped, rounds);
    assert_true(skipped > rounds / 4);
}

/* A transfer that many hold back in each turn, over when the turn is or only in the next. */
static void crowded_loops(void **unused)
{
    (void)unused;
    enum { TURNS = 300 };
    for (unsigned round = 0; round < 4; round++) {
        char body[2048], *at = body;
        at += sprintf(at, "%smvp/n2048i01 $p0@0 $lc0@0.0\n", round % 2 ? "nop; wait i01\n" : "");
        for (unsigned i = 0; i < 12; i++)
            at += sprintf(at, "mvp/n128p3 $p%u@0 $lc%u@0.1\nnop/%u\n", 8192 + 128 * i, 128 * i,
                          round < 2 ? 5 : 3);
        if (round % 2 == 0)
            at = stpcpy(at, "nop; wait i01\n");
        char *text = repeat(body, (size_t)(at - body), TURNS);
        const struct run_options options = {.packing = "none"};
        assert_true(same_with_and_without(text, &options, NULL, true) > 0);
        struct kit kit = {.options = options};
        assert_int_equal(kit_run(&kit, text), 0);
        uint64_t held = 0; /* edges of the long transfers */
        for (size_t e = 0; e < kit.edge_count; e++)
            held += !strcmp(kit.edges[e].rule, "3.5.7");
        assert_true(held >= 10 * TURNS);
        kit_free(&kit);
        free(text);
    }
}

/* Loops in loops: the inner ones are skipped in each turn of the outer one, or with it. */
static void nested_loops(void **unused)
{
    (void)unused;
    unsigned skipped = 0, rounds = 0;
    for (unsigned round = 0; round < 24; round++) {
        const struct gen_options inner = {.features = GEN_L1BM | (round & 1 ? GEN_MV : 0),
                                          .statements = 1 + pick(12),
                                          .tightness = pick(101)};
        const struct gen_options outer = {.features = GEN_MV, .statements = 3 + pick(10)};
        size_t size[2];
        char *once = gen_program(3000 + round, &inner, &size[0]);
        char *around = gen_program(4000 + round, &outer, &size[1]);
        assert_non_null(once);
        assert_non_null(around);
        char *turns = repeat(once, size[0], 1500 + pick(2500));
        char *turn = malloc(strlen(turns) + size[1] + 1);
        assert_non_null(turn);
        strcpy(stpcpy(turn, around), turns);
        char *text = repeat(turn, strlen(turn), 2 + pick(12));
        const struct run_options options = {.packing = round % 3 ? "auto" : "none"};
        const char *const sets[KIT_SETS] = {refreshes[round % 5], "dram_trfc=13"};
        skipped += same_with_and_without(text, &options, sets, false) > 0;
        rounds++;
        free(text);
        free(turn);
        free(turns);
        free(once);
        free(around);
    }
    print_message("%u of %u nested loops were skipped\n", skipped, rounds);
    assert_true(skipped > rounds / 2);
}

/* Small budgets and an early stop leave whole books. */
static void in_pieces(void **unused)
{
    (void)unused;
    const struct gen_options body = {.features = GEN_MV | GEN_L1BM, .statements = 20};
    size_t size;
    char *once = gen_program(77, &body, &size);
    assert_non_null(once);
    char *text = repeat(once, size, 3000);
    struct kit whole = {.sets = {"dram_trefi=44", "dram_trfc=13"}};
    assert_int_equal(kit_run(&whole, text), 0);
    assert_true(whole.skipped > 0);
    for (uint64_t budget = 1; budget < 2000; budget = budget * 7 + 1) {
        struct kit pieces = {.sets = {"dram_trefi=44", "dram_trfc=13"}, .budget = budget};
        assert_int_equal(kit_run(&pieces, text), 0);
        same_totals(&pieces.summary, &whole.summary);
        same_rows(&pieces, &whole);
        kit_free(&pieces);
    }
    for (uint64_t stop = 10; stop < 200000; stop = stop * 3 + 7) {
        struct kit stopped = {.sets = {"dram_trefi=44", "dram_trfc=13"}, .stop_after = stop};
        assert_int_equal(kit_run(&stopped, text), 0);
        kit_consistent(&stopped);
        kit_free(&stopped);
    }
    kit_free(&whole);
    free(text);
    free(once);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_kernels),
        cmocka_unit_test(one_statement),
        cmocka_unit_test(written_mvnops),
        cmocka_unit_test(random_loops),
        cmocka_unit_test(crowded_loops),
        cmocka_unit_test(nested_loops),
        cmocka_unit_test(in_pieces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
