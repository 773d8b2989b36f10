/*
 * What the units do in each cycle: occupancy of ports, reasons, peak rates, slices, windows. By
 * hand from manual 1.4, 3.6.1, 3.6.3.9: reads in t + i, writes in t + 6 + i.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/mncore2/timing_kit.h"

static void run(struct kit *kit, const char *packing, const char *text)
{
    *kit = (struct kit){.options = {.packing = packing}, .detail = true};
    if (kit_run(kit, text) != 0)
        fail_msg("%s\n%s", kit->error, text);
    kit_consistent(kit);
}

struct expectation {
    const char *unit;
    uint32_t reason;
    uint64_t cycles;
};

static void expect(const struct kit *kit, const struct expectation *rows, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (kit_cycles(kit, rows[i].unit, rows[i].reason) != rows[i].cycles)
            fail_msg("%s, reason %d: %llu cycles, expected %llu", rows[i].unit, (int)rows[i].reason,
                     (unsigned long long)kit_cycles(kit, rows[i].unit, rows[i].reason),
                     (unsigned long long)rows[i].cycles);
}
#define EXPECT(kit, rows) expect(kit, rows, sizeof(rows) / sizeof *(rows))

/* 16 cycles: a copy in 0..3, nops in 4..15; the write lands in 6..9. */
static void a_copy(void **unused)
{
    (void)unused;
    struct kit kit;
    run(&kit, "none", "lpassa $lm0v $ln0v\nnop/3\n");
    static const struct expectation rows[] = {
        {"issue", REASON_BUSY, 4}, {"issue", REASON_NOP, 12}, {"alu", REASON_BUSY, 4},
        {"alu", REASON_NOP, 12},   {"lm0", REASON_BUSY, 4},   {"lm0", REASON_NOP, 12},
        {"lm1", REASON_BUSY, 4},   {"lm1", REASON_IDLE, 4},   {"lm1", REASON_NOP, 8},
        {"mau", REASON_IDLE, 4},   {"mau", REASON_NOP, 12},
    };
    EXPECT(&kit, rows);
    static const struct sink_interval lm1[] = {
        {.stmt = 1, .reason = REASON_NOP, .start = 4, .duration = 2},
        {.stmt = 0, .reason = REASON_BUSY, .start = 6, .duration = 4},
        {.stmt = 1, .reason = REASON_NOP, .start = 10, .duration = 6}};
    size_t seen = 0;
    for (size_t i = 0; i < kit.interval_count; i++)
        if (kit.intervals[i].unit == kit_unit(&kit, "lm1")) {
            assert_true(seen < 3);
            assert_int_equal(kit.intervals[i].stmt, lm1[seen].stmt);
            assert_int_equal(kit.intervals[i].reason, lm1[seen].reason);
            assert_int_equal(kit.intervals[i].start, lm1[seen].start);
            assert_int_equal(kit.intervals[i].duration, lm1[seen++].duration);
        }
    assert_int_equal(seen, 3);
    kit_free(&kit);
}

/* The run ends when the last write has landed: LM1's in 6..9 (3.6.3.9), of a second step in 10..13.
 */
static void the_drain(void **unused)
{
    (void)unused;
    static const struct {
        const char *text;
        uint64_t cycles, busy;
    } rows[] = {{"lpassa $lm0v $ln0v\n", 10, 4},
                {"lpassa $lm0v $ln0v\nnop\n", 10, 4},
                {"lpassa $lm0v $ln0v\nnop/2\n", 12, 4},
                {"lpassa $lm0v $ln0v\nlpassa $lm0v $ln8v\n", 14, 8}};
    for (size_t i = 0; i < 4; i++) {
        struct kit kit;
        run(&kit, "none", rows[i].text);
        assert_int_equal(kit.summary.cycles, rows[i].cycles);
        assert_int_equal(kit_cycles(&kit, "lm1", REASON_BUSY), rows[i].busy);
        kit_free(&kit);
    }
}

/* Fixed write masks leave cycles out (3.6.2.1); variable ones do not. */
static void masks(void **unused)
{
    (void)unused;
    struct kit kit;
    run(&kit, "none", "lpassa $lm0v $lr0v/1000\nnop/3\n");
    assert_int_equal(kit_cycles(&kit, "grf0.w", REASON_BUSY), 1);
    kit_free(&kit);
    run(&kit, "none", "lpassa $lm0v $lr0v/0110\nnop/3\n");
    assert_int_equal(kit_cycles(&kit, "grf0.w", REASON_BUSY), 2);
    kit_free(&kit);
    run(&kit, "none", "lpassa $lm0v $omr1\nlpassa $lm0v $lr0v/$imr1\nnop/3\n");
    assert_int_equal(kit_cycles(&kit, "grf0.w", REASON_BUSY), 4);
    kit_free(&kit);
    /* The second statement writes in no cycle: LM0 began to be busy once. */
    static const char *const last[] = {"$lm8v/0000", "$lmt/0000"};
    for (unsigned i = 0; i < 2; i++) {
        char text[80];
        snprintf(text, sizeof text, "lpassa $lm0v $ln0v\nnop/3\nlpassa $lr0v %s\nnop/3\n", last[i]);
        run(&kit, "none", text);
        assert_int_equal(kit_cycles(&kit, "lm0", REASON_BUSY), 4);
        for (size_t t = 0; t < kit.summary.unit_total_count; t++)
            if (kit.summary.unit_totals[t].unit == kit_unit(&kit, "lm0") &&
                kit.summary.unit_totals[t].reason == REASON_BUSY)
                assert_int_equal(kit.summary.unit_totals[t].events, 1);
        kit_free(&kit);
    }
}

/* Each kind of statement and what it occupies; nop/3 lets every write land. */
static void kinds(void **unused)
{
    (void)unused;
    static const struct {
        const char *text;
        struct expectation rows[6];
    } cases[] = {
        {"lpassa $t $lr0v\nnop/3\n", {{"t.r", REASON_BUSY, 4}, {"grf0.w", REASON_BUSY, 4}}},
        {"lpassa $lr0v $t\nnop/3\n", {{"grf0.r", REASON_BUSY, 4}, {"t.w", REASON_BUSY, 4}}},
        {"lpassa $ls0v $ls64v\nnop/3\n", {{"grf1.r", REASON_BUSY, 4}, {"grf1.w", REASON_BUSY, 4}}},
        {"dvadd $lm0v $ln0v $lr0v\nnop/3\n",
         {{"mau", REASON_BUSY, 4},
          {"alu", REASON_BUSY, 0},
          {"lm0", REASON_BUSY, 4},
          {"lm1", REASON_BUSY, 4}}},
        /* Two expressions read one operand: one access. */
        {"dvadd $lm0v $lm0v $lr0v; lpassa $lm0v $ls0v\nnop/3\n",
         {{"mau", REASON_BUSY, 4}, {"alu", REASON_BUSY, 4}, {"lm0", REASON_BUSY, 4}}},
        {"gmwrite $lm0v $ly0\nnop/3\n", {{"maty", REASON_BUSY, 4}, {"matx", REASON_BUSY, 0}}},
        /* L2BM -> L1BM: L2BM read by all, L1BM written in 6..9. */
        {"l2bmb $lc0 $lb0\nnop/3\n",
         {{"l2bm0.pe", REASON_BUSY, 4},
          {"l2bm1.pe", REASON_BUSY, 4},
          {"l1bm0.l2b", REASON_BUSY, 4},
          {"l1bm7.l2b", REASON_BUSY, 4},
          {"l1bm.pe", REASON_BUSY, 0}}},
        /* Subsets: only L1B 2 (3.6.7.1). */
        {"l2bmb@2 $lc0 $lb0\nnop/3\n",
         {{"l1bm2.l2b", REASON_BUSY, 4}, {"l1bm0.l2b", REASON_BUSY, 0}}},
        {"l2bm@1 $lb0 $lc0\nnop/3\n",
         {{"l1bm1.l2b", REASON_BUSY, 4},
          {"l1bm2.l2b", REASON_BUSY, 0},
          {"l2bm0.pe", REASON_BUSY, 4},
          {"rrn.l2b", REASON_BUSY, 0}}},
        {"l2bmrdfadd $lb0 $lc0\nnop/3\n", {{"rrn.l2b", REASON_BUSY, 4}}},
        {"l1bmm $lb0 $lr0v\nnop/3\n", {{"l1bm.pe", REASON_BUSY, 4}, {"grf0.w", REASON_BUSY, 4}}},
        {"l1bmrdfadd $lr0v $lb0\nnop/3\n",
         {{"l1bm.pe", REASON_BUSY, 4}, {"rrn.l1b", REASON_BUSY, 4}, {"grf0.r", REASON_BUSY, 4}}},
        /* Into the turn-back register only: no port of the SRAM. */
        {"l1bmrdfadd $lr0v $lbi\nnop/3\n", {{"l1bm.pe", REASON_BUSY, 0}}},
        /* L2BM 1 of each group into DARBUF; one word a cycle from there. */
        {"l2bmdars $lc0@.1 $dar0; l2bmdarw\nnop/3\n",
         {{"l2bm1.pe", REASON_BUSY, 4},
          {"l2bm0.pe", REASON_BUSY, 0},
          {"darbuf", REASON_BUSY, 4},
          {"dar", REASON_BUSY, 4}}},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct kit kit;
        run(&kit, "none", cases[c].text);
        for (size_t i = 0; i < 6 && cases[c].rows[i].unit; i++)
            expect(&kit, &cases[c].rows[i], 1);
        kit_free(&kit);
    }
}

/* A wait: 3 nops for the tag, in which a write still lands. The copy at 0, MV at 4 (4 operations,
 * no latency: 20), wait from 4 to 20; the write lands in 6..9. */
static void waiting(void **unused)
{
    (void)unused;
    struct kit kit = {.options = {.packing = "none"},
                      .detail = true,
                      .sets = {"mv_start_latency=0", "mv_notice_latency=0"}};
    assert_int_equal(
        kit_run(&kit, "lpassa $lm0v $ln0v\nmvp/n256i01 $p0@0 $lc0@0.0\nnop; wait i01\n"), 0);
    static const struct expectation rows[] = {
        {"issue", REASON_BUSY, 4}, {"issue", REASON_TAG, 16}, {"issue", REASON_NOP, 4},
        {"lm1", REASON_BUSY, 4},   {"lm1", REASON_TAG, 12},   {"lm1", REASON_IDLE, 4},
        {"lm1", REASON_NOP, 4},    {"pdm0", REASON_BUSY, 16}, {"pdm0", REASON_IDLE, 8},
    };
    EXPECT(&kit, rows);
    kit_consistent(&kit);
    kit_free(&kit);
}

/* After the last statement the PE side is drained while a transfer runs on. */
static void drained(void **unused)
{
    (void)unused;
    struct kit kit = {.options = {.packing = "none"},
                      .detail = true,
                      .sets = {"mv_start_latency=0", "mv_notice_latency=0"}};
    assert_int_equal(kit_run(&kit, "mvp/n256 $p0@0 $lc0@0.0\nlpassa $lm0v $ln0v\n"), 0);
    static const struct expectation rows[] = {
        {"issue", REASON_DRAINED, 12},
        {"lm1", REASON_DRAINED, 8},
        {"lm1", REASON_BUSY, 4},
        {"lm1", REASON_IDLE, 4},
    };
    EXPECT(&kit, rows);
    kit_consistent(&kit);
    kit_free(&kit);
}

/* 1.4: 2 x 4, 8 x 4, 8 x 8, 16 x 16 products with their sums a cycle and MAU, 1024 MAU: at 750 MHz
 * 12.29, 49.15, 98.3, 393.2 TFLOPS; in the vector mode 2, 8 and 16 products. Back to back the units
 * never rest, and what was counted is the peak of its precision and mode. */
static void peaks(void **unused)
{
    (void)unused;
    static const struct {
        const char *statement;
        unsigned precision;
        uint64_t per_cycle;
        const char *vector;
    } rows[] = {
        {"dmfmad $lx $lm0v $ln0v $nowrite\n", 0, 2 * 4 * 2 * 1024, NULL},
        {"fmfma $lx $lm0v $ln0v $nowrite\n", 1, 8 * 4 * 2 * 1024, NULL},
        {"gmfma $lx $lm0v $ln0v $nowrite\n", 2, 8 * 8 * 2 * 1024, NULL},
        {"hmfma $lx $llm0v $lln0v $nowrite\n", 3, 16 * 16 * 2 * 1024, NULL},
        {"dvfmad $lm0v $ln0v $lr0v $nowrite\n", 0, 2 * 2 * 1024, "flops.vector_double"},
        {"fvfma $lm0v $ln0v $lr0v $nowrite\n", 1, 8 * 2 * 1024, "flops.vector_single"},
        {"hvfma $lm0v $ln0v $lr0v $nowrite\n", 3, 16 * 2 * 1024, "flops.vector_half"},
    };
    enum { STEPS = 300 };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        static char text[STEPS * 40];
        char *at = text;
        for (unsigned i = 0; i < STEPS; i++)
            at = stpcpy(at, rows[r].statement);
        struct kit kit;
        run(&kit, "none", text);
        assert_int_equal(kit.summary.cycles, 4 * STEPS);
        static const char *const names[] = {"flops.double", "flops.single", "flops.pseudo_single",
                                            "flops.half"};
        for (unsigned p = 0; p < 4; p++)
            assert_int_equal(kit_counter(&kit, names[p]),
                             p == rows[r].precision ? rows[r].per_cycle * 4 * STEPS : 0);
        const char *counter = rows[r].vector ? rows[r].vector : names[rows[r].precision];
        for (unsigned c = 0; c < COUNTERS_MNCORE2; c++) {
            const bool vector = strncmp(kit.counters[c].name, "flops.vector_", 13) == 0;
            if (strcmp(kit.counters[c].name, counter) == 0)
                assert_true(kit.counters[c].peak == (double)rows[r].per_cycle);
            if (vector)
                assert_int_equal(kit_counter(&kit, kit.counters[c].name),
                                 rows[r].vector && strcmp(kit.counters[c].name, counter) == 0
                                     ? rows[r].per_cycle * 4 * STEPS
                                     : 0);
        }
        assert_int_equal(kit_cycles(&kit, "mau", REASON_BUSY), 4 * STEPS);
        assert_true(kit.units[kit_unit(&kit, "mau")].peak_flops == 16 * 16 * 2 * 1024);
        kit_free(&kit);
    }
}

/* Utilisation over time stays exact while the windows double: 10,000 steps with every second an ALU
 * step, in any window half of the cycles. */
static void windows(void **unused)
{
    (void)unused;
    enum { PAIRS = 5000 };
    static char text[PAIRS * 40];
    char *at = text;
    for (unsigned i = 0; i < PAIRS; i++)
        at = stpcpy(at, "lpassa $lr0v $nowrite\nnop\n");
    struct kit kit;
    run(&kit, "none", text);
    const uint64_t window = kit.summary.window;
    assert_true(window >= 8 && kit.summary.cycles <= window * 1024);
    for (size_t i = 0; i < kit.summary.window_count; i++)
        if (kit.summary.windows[i].unit == kit_unit(&kit, "alu") &&
            (kit.summary.windows[i].index + 1) * window <= kit.summary.cycles)
            assert_int_equal(kit.summary.windows[i].busy, window / 2);
    kit_free(&kit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_copy), cmocka_unit_test(the_drain), cmocka_unit_test(masks),
        cmocka_unit_test(kinds),  cmocka_unit_test(waiting),   cmocka_unit_test(drained),
        cmocka_unit_test(peaks),  cmocka_unit_test(windows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
