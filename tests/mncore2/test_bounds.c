/*
 * bounds: on random legal programs no bound of any class is above what was achieved, and every
 * certificate holds; lags of the graph by the manual; a gap that is true.
 */
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/bounds_kit.h"
#include "tests/takt_process.h"
#include "tests/dice.h"
#include "tests/gen_program.h"
#include "tests/often.h"
#include "timing/machines.h"

enum { PROGRAMS = 60 };

static void never_above_the_total(void **unused)
{
    (void)unused;
    static const unsigned features[] = {GEN_ALL & ~GEN_DAR, GEN_MV | GEN_L2BM | GEN_L1BM,
                                        GEN_MASKS | GEN_MATRIX | GEN_ODD, GEN_INDIRECT | GEN_L1BM};
    static const char *const packings[] = {"none", "auto", "flat"};
    size_t taken = 0;
    for (size_t p = 0; p < often(PROGRAMS); p++) {
        const struct gen_options options = {.features = features[p % 4] |
                                                        (p % 3 == 1 ? 0 : (unsigned)GEN_FLAT),
                                            .statements = 1 + (unsigned)(p * 7 % 60),
                                            .tightness = p % 5 ? 100 : 40,
                                            .sets = 3,
                                            .gets = 3};
        char *text = gen_program(41000 + p, &options, NULL);
        assert_non_null(text);
        const bool interlock = p % 2;
        const struct machine_setting settings[] = {
            {"packing", packings[p % 3]}, {interlock ? "interlock" : NULL, ""}, {NULL, NULL}};
        struct subject s = {.machine = &machine_mncore2, .settings = settings};
        if (subject_take(&s, text)) {
            subject_sound(&s, text);
            taken++;
        }
        subject_free(&s);
        free(text);
    }
    assert_true(taken > often(PROGRAMS) / 2);
}

/* Values at and beyond the ends of what is plausible; those that make no chip are passed over. */
static const char *const extremes[] = {"mv_start_latency=0",
                                       "mv_start_latency=1",
                                       "mv_start_latency=300",
                                       "mv_notice_latency=0",
                                       "mv_notice_latency=77",
                                       "mv_slot_steps_auto=1",
                                       "mv_slot_steps_auto=16",
                                       "mv_slot_steps_flat=2",
                                       "mv_slot_steps_flat=5",
                                       "supply_bytes=3",
                                       "supply_bytes=11.3",
                                       "buffer_bytes=4096",
                                       "unit_bytes=4096",
                                       "pdm_port=0",
                                       "pdm_port=13.3",
                                       "pdm_port=1",
                                       "dram_port=0",
                                       "dram_port=3.7",
                                       "dram_port=21.333333",
                                       "l2bm_port=0",
                                       "l2bm_port=17",
                                       "link_width=0",
                                       "link_width=2.5",
                                       "rate_mvp_group=1",
                                       "rate_mvp_group=512",
                                       "rate_mvp_across=512",
                                       "rate_mvd=2",
                                       "rate_mvb_dram=512",
                                       "rate_mvb2=7",
                                       "mode_cap_scope=transfer",
                                       "mode_cap_scope=path",
                                       "dar_write_latency=0",
                                       "dram_channels=1",
                                       "dram_channels=3",
                                       "dram_channels=16",
                                       "dram_banks=1",
                                       "dram_row_bytes=128",
                                       "dram_tccd=0",
                                       "dram_tccd=1",
                                       "dram_tccd=40",
                                       "dram_trcd=0",
                                       "dram_trp=0",
                                       "dram_tras=0",
                                       "dram_tcl=0",
                                       "dram_turnaround=0",
                                       "dram_turnaround=200",
                                       "dram_trefi=0",
                                       "dram_trefi=60",
                                       "dram_refresh_defer=0",
                                       "dram_read_ahead=1",
                                       "dram_read_ahead=1024",
                                       "dram_controller=0",
                                       "dram_window=1",
                                       "dram_age_limit=1",
                                       "dram_write_buffer=1",
                                       "dram_write_high=1",
                                       "dram_write_low=0",
                                       "hazard_lm=0",
                                       "hazard_lm=9",
                                       "hazard_mask=5",
                                       "hazard_bar=6",
                                       "pe_write_latency=0",
                                       "pe_write_latency=31",
                                       "hazard_multicast_pe=60",
                                       "hazard_l2bm_store_load=0",
                                       "hazard_l2bm_store_mv=30",
                                       "dram_map=row:column:bank:channel",
                                       "dram_map=channel:row:bank:column"};

enum { SETS = 12 };

/* All DRAM times 0, or some of the values above. */
static void pick_sets(struct dice *dice, const char *sets[SETS + 1])
{
    static const char *const ideal[] = {"dram_tccd=0",  "dram_trcd=0",       "dram_trp=0",
                                        "dram_tras=0",  "dram_tcl=0",        "dram_turnaround=0",
                                        "dram_trefi=0", "dram_controller=0", NULL};
    const size_t count = dice_below(dice, SETS + 1);
    size_t at = 0;
    for (const bool all = dice_below(dice, 8) == 0; all && ideal[at]; at++)
        sets[at] = ideal[at];
    for (; at < count; at++)
        sets[at] = extremes[dice_below(dice, sizeof extremes / sizeof *extremes)];
    sets[at] = NULL;
}

static void never_above_whatever_the_numbers(void **unused)
{
    (void)unused;
    static const unsigned features[] = {GEN_ALL, GEN_MV | GEN_L2BM | GEN_DAR, GEN_MV,
                                        GEN_ALL & ~GEN_MV};
    static const char *const packings[] = {"none", "auto", "flat"};
    static struct dice dice = {77};
    size_t taken = 0, combined = 0;
    for (size_t p = 0; p < often(PROGRAMS); p++) {
        const char *sets[SETS + 1];
        const bool interlock = dice_below(&dice, 3) > 0;
        const size_t packing = dice_below(&dice, 3);
        const struct gen_options options = {
            .features = features[p % 4] & (packing == 1 ? ~(unsigned)GEN_FLAT : UINT_MAX),
            .statements = 1 + (unsigned)dice_below(&dice, p % 3 ? 60 : 6),
            .tightness = p % 5 ? 100 : 40};
        const struct machine_setting settings[] = {
            {"packing", packings[packing]}, {interlock ? "interlock" : NULL, ""}, {NULL, NULL}};
        char *text = gen_program(97000 + p, &options, NULL);
        assert_non_null(text);
        pick_sets(&dice, sets);
        struct subject s = {.machine = &machine_mncore2, .settings = settings, .sets = sets};
        if (subject_take(&s, text)) {
            subject_sound(&s, text);
            taken++;
            for (size_t i = 0; i < s.bounds.count; i++)
                combined += s.bounds.rows[i].kind == BOUND_COMBINED;
        }
        subject_free(&s);
        free(text);
    }
    assert_true(taken > often(PROGRAMS) / 3);
    assert_true(combined > 0);
}

/* Few transfers of few rows of a DRAM, so that most of what may hold them back does not. */
static void add_transfer(struct dice *dice, char *text, size_t size)
{
    static const unsigned sizes[] = {64, 64, 64, 128, 192, 1024, 4096, 16384};
    static const char *const forms[] = {
        "mvp/n%ui%02x $d%u@%u $lc%u@%u.0\n", "mvp/n%ui%02x $lc%u@%u.0 $d%u@%u\n",
        "mvp/n%ui%02x $d%u@%u $p%u@%u\n", "mvp/n%ui%02x $p%u@%u $d%u@%u\n",
        "mvp/n%ui%02x $p%u@%u $lc%u@%u.0\n"};
    const size_t used = strlen(text);
    const unsigned form = (unsigned)dice_below(dice, 5), tag = 1 + (unsigned)dice_below(dice, 2);
    const unsigned from = 64 * (unsigned)dice_below(dice, 4),
                   to = 64 * (unsigned)dice_below(dice, 4);
    const unsigned from_group = (unsigned)dice_below(dice, 2);
    const unsigned to_group = (unsigned)dice_below(dice, 2);
    const unsigned wait = (unsigned)dice_below(dice, 3);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    const int n = snprintf(text + used, size - used, forms[form], sizes[dice_below(dice, 8)], tag,
                           from, from_group, to, to_group);
#pragma GCC diagnostic pop
    if (wait < 2)
        snprintf(text + used + (size_t)n, size - used - (size_t)n, "nop%s; wait i%02x\n",
                 wait ? "/2" : "", tag);
}

static void never_above_for_few_transfers(void **unused)
{
    (void)unused;
    static struct dice dice = {78};
    size_t equal = 0, taken = 0;
    for (size_t p = 0; p < often(2 * PROGRAMS); p++) {
        const char *sets[SETS + 1];
        char text[1024] = "";
        for (size_t count = 1 + dice_below(&dice, 4); count > 0; count--)
            add_transfer(&dice, text, sizeof text);
        const struct machine_setting settings[] = {
            {"packing", p % 4 ? "none" : "auto"}, {"interlock", ""}, {NULL, NULL}};
        pick_sets(&dice, sets);
        struct subject s = {.machine = &machine_mncore2, .settings = settings, .sets = sets};
        if (subject_take(&s, text)) {
            subject_sound(&s, text);
            taken++;
            equal += bounds_best(&s.bounds, BOUND_THIS_ORDER)->cycles == s.cycles;
        }
        subject_free(&s);
    }
    assert_true(taken > often(PROGRAMS));
    printf("%zu programs of transfers, the bound is met by %zu\n", taken, equal);
}

static const struct machine_setting unpacked[] = {{"packing", "none"}, {NULL, NULL}};

/* Two transfers by ways of their own, and a step that needs each: one after the other there is a
 * true gap, for the same four statements with the second and the third changed over take half as
 * long. */
static void four_statements_in_two_orders(void **unused)
{
    (void)unused;
    static const char slow[] = "mvp/n2048i01 $p0@0 $lc0@0.0\nl2bmd $lc0 $lb0; wait i01\n"
                               "mvp/n2048i02 $p0@1 $lc4096@1.0\nl2bmd $lc4096 $lb512; wait i02\n";
    static const char fast[] = "mvp/n2048i01 $p0@0 $lc0@0.0\nmvp/n2048i02 $p0@1 $lc4096@1.0\n"
                               "l2bmd $lc0 $lb0; wait i01\nl2bmd $lc4096 $lb512; wait i02\n";
    struct subject first = {.machine = &machine_mncore2, .settings = unpacked}, second = first;
    assert_true(subject_take(&first, slow));
    assert_true(subject_take(&second, fast));
    subject_sound(&first, slow);
    subject_sound(&second, fast);
    assert_true(second.cycles < first.cycles);
    const uint64_t any = bounds_best(&first.bounds, BOUND_ANY_ORDER)->cycles;
    assert_int_equal(bounds_best(&first.bounds, BOUND_THIS_ORDER)->cycles, first.cycles);
    assert_int_equal(any, bounds_best(&second.bounds, BOUND_ANY_ORDER)->cycles);
    assert_int_equal(any, second.cycles); /* the gap of the first is all that can be gained */
    subject_free(&first);
    subject_free(&second);
}

/* Two sums that a third needs, which two more need: one ALU makes the third wait for 4 + 8 cycles
 * and the end for 8 + 8 more, and 6 until the last write has landed (3.6.3.9). No path and no work
 * between paths has both: 30 of 34. */
static void units_one_after_the_other(void **unused)
{
    (void)unused;
    static const struct machine_setting settings[] = {
        {"packing", "none"}, {"interlock", ""}, {NULL, NULL}};
    static const char text[] = "lpassa $lm0v $lr0v\nlpassa $lm0v $ls0v\ndvadd $lr0v $ls0v $lr8v\n"
                               "lpassa $lr8v $ln0v\nlpassa $lr8v $ls16v\n";
    struct subject s = {.machine = &machine_mncore2, .settings = settings};
    assert_true(subject_take(&s, text));
    subject_sound(&s, text);
    struct bound best = *bounds_best(&s.bounds, BOUND_ANY_ORDER);
    assert_int_equal(best.kind, BOUND_COMBINED);
    assert_int_equal(best.cycles, 34);
    assert_int_equal(s.cycles, 34);
    for (size_t i = 0; i < s.bounds.count; i++)
        if (s.bounds.rows[i].class == BOUND_ANY_ORDER && s.bounds.rows[i].kind != BOUND_COMBINED)
            assert_true(s.bounds.rows[i].cycles <= 30);
    /* Without its raises, or with one that claims more, it does not hold. */
    struct bound_raises wrong = *best.raises;
    best.raises = NULL;
    assert_false(bound_certified(&best, &s.graph));
    best.raises = &wrong;
    for (size_t r = 0; r < wrong.count; r++)
        wrong.list[r].cycles += 4;
    assert_false(bound_certified(&best, &s.graph));
    subject_free(&s);
}

struct met {
    const char *text, *packing, *sets[4];
    uint64_t cycles;
};

/* By hand: 3 steps to a unit of auto and 4 cycles to a step; 16 cycles before a transfer and after
 * it; 64 long words in 4 cycles; a granule is 16 of them. */
static void bounds_that_are_met(void **unused)
{
    (void)unused;
    static const char ways[] = "mvp/n640 $p0@0 $lc0@0.0\nmvp/n640 $p4096@0 $lc4096@0.1\n";
    static const struct met cases[] = {
        {"lpassa $lm0v $lr0v\n", "auto", {NULL}, 12},
        {"lpassa $lm0v $lr0v\n", "flat", {"mv_slot_steps_flat=2"}, 16},
        {"lpassa $lm0v $lr0v\nlpassa $lm8v $ls0v\nlpassa $lm0v $lr8v\nlpassa $lm8v $ls8v\n",
         "auto",
         {NULL},
         24},
        {"mvp/n64 $d0@0 $lc0@0.0\n", "none", {"dram_trcd=0"}, 16 + (12 + 3 + 15) + 4 + 16},
        {"mvp/n64 $d0@0 $lc0@0.0\n",
         "none",
         {"dram_trcd=0", "dram_channels=1", "dram_tccd=20"},
         16 + 4 * 20 + (12 + 15) + 4 + 16},
        {ways, "none", {"pdm_port=0"}, 16 + 2 * 40 + 16},
        {ways, "none", {"pdm_port=0", "mode_cap_scope=transfer"}, 16 + 40 + 16},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct machine_setting settings[] = {{"packing", cases[i].packing}, {NULL, NULL}};
        struct subject s = {
            .machine = &machine_mncore2, .settings = settings, .sets = cases[i].sets};
        assert_true(subject_take(&s, cases[i].text));
        subject_sound(&s, cases[i].text);
        assert_int_equal(s.cycles, cases[i].cycles);
        assert_int_equal(bounds_best(&s.bounds, BOUND_ANY_ORDER)->cycles, cases[i].cycles);
        subject_free(&s);
    }
}

/* The arcs between two lines, by kind; the lag of an arc that is not there is -1. */
static int64_t lag_between(const struct subject *s, uint32_t from, uint32_t to, enum arc_kind kind)
{
    for (size_t a = 0; a < s->graph.arc_count; a++) {
        const struct graph_arc *arc = &s->graph.arcs[a];
        if (s->graph.nodes[arc->from].stmt == from && s->graph.nodes[arc->to].stmt == to &&
            arc->kind == kind)
            return (int64_t)arc->lag;
    }
    return -1;
}

struct lag_case {
    const char *text;
    enum arc_kind kind;
    int64_t lag; /* from the first statement to the last, in cycles; -1: there is no arc */
};

/* 3.6.3.9: GRF a step between, LM two, a mask none; 3.6.1.15: forwarding in the next step. What one
 * step may do together (3.6.4) is no cycle apart. */
static void lags_follow_the_manual(void **unused)
{
    (void)unused;
    static const struct lag_case cases[] = {
        {"lpassa $lm0v $lr0v\nnop/3\nlpassa $lr0v $ln0v\n", ARC_RAW, 8},
        {"lpassa $lm0v $lr0v\nnop/3\nlpassa $lr8v $ln0v\n", ARC_RAW, -1},
        {"lpassa $lm0v $ln0v\nnop/3\nlpassa $ln0v $lr0v\n", ARC_RAW, 12},
        {"lpassa $lm0v $ln0v\nnop/3\nlpassa $ln8v $lr0v\n", ARC_RAW, -1},
        {"lpassa $lm0v $ln0v\nnop/2\nlpassa $ln8v $lr0v\n", ARC_PORT, 12},
        {"lpassa $lm0v $omr1\nnop/3\nlpassa $ln0v $lr0v/$imr1\n", ARC_RAW, 4},
        {"lpassa $lm0v $lr0v\nlpassa $aluf $ln0v\n", ARC_RAW, 4},
        {"lpassa $lr0v $lm0v\nlpassa $ls0v $lr0v\n", ARC_WAR, 4},      /* one ALU */
        {"dvadd $lr0v $ls0v $lm0v\nlpassa $ln0v $lr0v\n", ARC_WAR, 0}, /* may share a step */
        {"dvadd $lr0v $ls0v $lm0v\nlpassa $ln0v $lm0v\n", ARC_WAW, 4},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct subject s = {.machine = &machine_mncore2, .settings = unpacked};
        assert_true(subject_take(&s, cases[i].text));
        uint32_t last = 0;
        for (size_t n = 0; n < s.graph.node_count; n++)
            last = s.graph.nodes[n].stmt;
        const int64_t lag = lag_between(&s, 0, last, cases[i].kind);
        if (lag != cases[i].lag)
            fail_msg("%slag %lld, not %lld", cases[i].text, (long long)lag,
                     (long long)cases[i].lag);
        subject_sound(&s, cases[i].text);
        subject_free(&s);
    }
}

/* What is read of a transfer waits for it; without a wait there is the order alone. */
static void transfers_hold_what_waits(void **unused)
{
    (void)unused;
    static const char *const texts[] = {"mvp/n64i01 $p0@0 $lc0@0.0\nl2bmd $lc0 $lb0; wait i01\n",
                                        "mvp/n64 $p0@0 $lc0@0.0\nl2bmd $lc0 $lb0\n"};
    for (unsigned i = 0; i < 2; i++) {
        struct subject s = {.machine = &machine_mncore2, .settings = unpacked};
        assert_true(subject_take(&s, texts[i]));
        const uint64_t length = (s.graph.nodes[0].length + 3) / 4 * 4;
        assert_int_equal(lag_between(&s, 0, 1, ARC_RAW), i == 0 ? length : 0);
        assert_int_equal(s.graph.arcs[0].completes, i == 0);
        subject_free(&s);
    }
}

/* What holds in any order beside places, by hand; a step is 4 cycles, and the last write has landed
 * 6 behind its step. */
static void ports_and_relays(void **unused)
{
    (void)unused;
    static const struct {
        const char *path;
        uint64_t cycles;
    } cases[] = {
        /* Of a block the first product is written to LM0 one step behind its read, and the next
         * block reads LM0 three steps behind that write (3.6.3.9): 4 times 16 cycles but for the
         * first step, which the last block does not need; so 3 x 16 + 8 + 6. */
        {"tests/naive/prefix.vsm", 3 * 16 + 8 + 6},
        /* A block's sum is forwarded over one empty step, then the product to the next one: four
         * steps in which the MAU can begin nothing that is forwarded. 8 cycles of imm and the
         * register, 4 x 16, 6. */
        {"tests/naive/chains.vsm", 8 + 4 * 16 + 6},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct machine_setting settings[] = {{"packing", "none"}, {NULL, NULL}};
        struct subject s = {.machine = &machine_mncore2, .settings = settings};
        char *text = takt_read_file(cases[i].path, NULL);
        assert_true(subject_take(&s, text));
        subject_sound(&s, text);
        const struct bound *best = bounds_best(&s.bounds, BOUND_ANY_ORDER);
        assert_int_equal(best->cycles, cases[i].cycles);
        subject_free(&s);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(never_above_the_total),
                                       cmocka_unit_test(ports_and_relays),
                                       cmocka_unit_test(never_above_whatever_the_numbers),
                                       cmocka_unit_test(never_above_for_few_transfers),
                                       cmocka_unit_test(four_statements_in_two_orders),
                                       cmocka_unit_test(units_one_after_the_other),
                                       cmocka_unit_test(bounds_that_are_met),
                                       cmocka_unit_test(lags_follow_the_manual),
                                       cmocka_unit_test(transfers_hold_what_waits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
