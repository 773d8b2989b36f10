/*
 * Rules of the timing model that the manual leaves to the chip: who goes first at a port, who
 * shares a mode's rate, widths of parts of a long word, what the documented-only total may count
 * on. Counts are derived by hand in the comment beside them. KIT_DIRECT: ports and rates alone
 * show; a unit operation of 64 long words holds PDM and DRAM for 4 cycles, L2BM for 2, a link for
 * 8.
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
#include "timing/machines.h"

/* --- priority among what can go (3.5.7) ------------------------------------------------------- */

static void nothing_is_held_back(void **unused)
{
    (void)unused;
    static const struct kit_race races[] = {
        /* Two of priority 3 share link 0-1, 8 cycles an operation: 2 x 128 operations take turns,
         * at 0, 16, ... 2032 and 8, 24, ... 2040. DRAM 0 is theirs in the first 4 of each 8 cycles;
         * in the others the third goes, though it has priority 0: at 4, 12, ... 1020. */
        {"mvp/n8192p3 $d0@0 $lc0@1.0\nmvp/n8192p3 $d8192@0 $lc8192@1.1\n"
         "mvp/n8192 $d32768@0 $lc0@0.0\n",
         {2040, 2048, 1024},
         {NULL}},
        /* The priority decides between those that can go: at 8 the link and DRAM 0 are free, and
         * the third waits since 8, too. With the link half as wide, 16 cycles an operation, the
         * third goes at 4, 8 and 12; at 16 the second does. */
        {"mvp/n128p3 $d0@0 $lc0@1.0\nmvp/n128 $d32768@0 $lc0@0.0\n", {16, 16}, {NULL}},
        {"mvp/n128p3 $d0@0 $lc0@1.0\nmvp/n256 $d32768@0 $lc0@0.0\n", {32, 24}, {"link_width=4"}},
        /* The second waits for PDM 0 until 4 and leaves L2BM 0.0 to the third: 0 and 1, and 8
         * cycles of the link. */
        {"mvp/n64p3 $p0@0 $d0@0\nmvp/n64p3 $p64@0 $lc0@0.0\nmvp/n64 $lc64@0.0 $p0@1\n",
         {4, 8, 8},
         {NULL}},
        /* What has begun is not interrupted: the third holds L2BM 0.0, 8 long words a cycle, in
         * 0..7, so the second, which could have PDM 0 at 4, goes at 8 and ends at 16. */
        {"mvp/n64p3 $p0@0 $d0@0\nmvp/n64p3 $p64@0 $lc0@0.0\nmvp/n64 $lc64@0.0 $p0@1\n",
         {4, 16, 8},
         {"l2bm_port=8"}},
    };
    KIT_RACES(races);
}

/* --- who shares the rate of a mode (3.5.8) ---------------------------------------------------- */

#define ONE "mvp/n16384 $d0@0 $p0@0\n"
#define TWO "mvp/n8192 $d0@0 $p0@0\nmvp/n8192 $d8192@0 $p8192@0\n"

static void a_way_has_one_rate(void **unused)
{
    (void)unused;
    static const struct kit_race races[] = {
        /* 3.5.8.3: 8 long words a cycle inside a group; 256 operations of 8 cycles, of which DRAM
         * and PDM are held in 4. In two halves they take turns: 0, 16, ... 2032 and 8, 24, ...
         * 2040. */
        {ONE, {2048}, {NULL}},
        {TWO, {2040, 2048}, {NULL}},
        /* Each for itself: the second in the 4 cycles that the first leaves. */
        {ONE, {2048}, {"mode_cap_scope=transfer"}},
        {TWO, {1024, 1028}, {"mode_cap_scope=transfer"}},
        /* The second begins when the first has ended: no gap, and none too few. */
        {"mvp/n64 $d0@0 $p0@0\nnop\nmvp/n64 $d64@0 $p64@0\n", {8, 16}, {NULL}},
        {"mvp/n64 $d0@0 $p0@0\nnop/2\nmvp/n64 $d64@0 $p64@0\n", {8, 16}, {NULL}},
        {"mvp/n64 $d0@0 $p0@0\nnop/3\nmvp/n64 $d64@0 $p64@0\n", {8, 20}, {NULL}},
        /* Other groups, another way: of all four sides; of the destination, at 4 a cycle across
         * (16 cycles, 0 and 4 on DRAM 0); of the source, likewise on PDM 0. */
        {"mvp/n128 $d0@0 $p0@0\nmvp/n128 $d0@1 $p0@1\n", {16, 16}, {NULL}},
        {"mvp/n64 $d0@0 $p0@0\nmvp/n64 $d64@0 $p0@1\n", {8, 20}, {NULL}},
        {"mvp/n64 $d0@0 $p0@0\nmvp/n64 $d64@1 $p64@0\n", {8, 20}, {NULL}},
        /* Another mode between the same memories: 3.5.8.2, 16 a cycle, at 4. */
        {"mvp/n64 $d0@0 $p0@0\nmvp/n64 $p64@0 $d64@0\n", {8, 8}, {NULL}},
        /* 3.5.8.24: 8 a cycle of one PDM, 8 cycles an operation; another PDM is another way. DRAM 1
         * cycle, links 2: the second at 1. */
        {"mvd/n64 $p0@0 $d0\nmvd/n64 $p64@0 $d64\n", {8, 16}, {NULL}},
        {"mvd/n64 $p0@0 $d0\nmvd/n64 $p0@1 $d64\n", {8, 9}, {NULL}},
        /* Between the same groups, whichever L2BM: no difference where ports are as wide as the
         * rate. */
        {"mvp/n128 $d0@0 $lc0@0.0\nmvp/n128 $d128@0 $lc0@0.1\n", {12, 16}, {"dram_port=32"}},
    };
    KIT_RACES(races);
}

/* Another edge, or none, for who waits because of the way. */
static void the_way_is_the_cause(void **unused)
{
    (void)unused;
    struct kit kit;
    /* DRAM 0 and PDM 0 are busy until 4, the way until 8. */
    kit_direct(&kit, NULL, "mvp/n64 $d0@0 $p0@0\nmvp/n64 $d64@0 $p64@0\n");
    assert_int_equal(kit.edge_count, 1);
    assert_int_equal(kit.edges[0].src, 0);
    assert_int_equal(kit.edges[0].dst, 1);
    assert_int_equal(kit.edges[0].kind, EDGE_PORT);
    assert_int_equal(kit.edges[0].unit, kit_unit(&kit, "dram0"));
    assert_string_equal(kit.edges[0].rule, "3.5.8");
    assert_int_equal(kit.edges[0].waited, 8);
    assert_int_equal(kit_cycles(&kit, "dram0", REASON_RATE), 4);
    assert_int_equal(kit_cycles(&kit, "pdm0", REASON_RATE), 4);
    kit_free(&kit);
    kit_direct(&kit, NULL, "mvp/n64 $d0@0 $p0@0\nmvp/n128p1 $d64@0 $p64@0\n");
    assert_int_equal(kit.transfers[0].finished, 24);
    assert_int_equal(kit.edge_count, 1);
    assert_string_equal(kit.edges[0].rule, "3.5.7");
    /* Of [0, 16) the last use of DRAM 0, [8, 12), leaves 4. */
    assert_int_equal(kit_cycles(&kit, "dram0", REASON_PRIORITY), 4);
    kit_free(&kit);
}

/* The default chip shares the rate, the documented-only total does not. */
static void the_default_is_the_way(void **unused)
{
    (void)unused;
    struct kit one = {.options = {.packing = "none"}}, two = one;
    assert_int_equal(kit_run(&one, ONE), 0);
    assert_int_equal(kit_run(&two, TWO), 0);
    assert_int_equal(one.summary.cycles, two.summary.cycles);
    assert_true(one.summary.cycles > 2048 && one.summary.cycles < 2048 + 100);
    /* Rate alone: 8 a cycle. Of two, the second waits for 64 long words of the DRAM, 3 cycles. */
    assert_int_equal(one.summary.cycles_documented, 2048);
    assert_int_equal(two.summary.cycles_documented, 1024 + 3);
    kit_free(&one);
    kit_free(&two);
}

/* --- parts of a long word a cycle ------------------------------------------------------------- */

static void widths_are_real(void **unused)
{
    (void)unused;
    static const struct kit_race races[] = {
        /* 3.5.8.4: 4 cycles of 64 long words, PDM 0 held for 3: who has waited longest at 0, 3, 6,
         * ...
         * 21; the last of either 4 cycles after 18 and 21. */
        {"mvp/n256 $p0@0 $lc0@0.0\nmvp/n256 $p256@0 $lc0@0.1\n",
         {22, 25},
         {"pdm_port=21.333333", "mode_cap_scope=transfer"}},
        /* 64 / 24 = 2.667 cycles: 0, 2, 5, 8, 10, 13, 16, 18. */
        {"mvp/n256 $p0@0 $lc0@0.0\nmvp/n256 $p256@0 $lc0@0.1\n",
         {20, 22},
         {"pdm_port=24", "mode_cap_scope=transfer"}},
        /* The port alone sets the pace: 4 x 4.267 = 17.07 cycles, 15 x 4.267 = 64. */
        {"mvp/n256 $p0@0 $lc0@0.0\n", {18}, {"pdm_port=15"}},
        {"mvp/n960 $p0@0 $lc0@0.0\n", {64}, {"pdm_port=15"}},
        {"mvp/n1984 $p0@0 $lc0@0.0\n", {128}, {"pdm_port=15.5"}},
        /* Unlimited: as alone. Less than a cycle: 64 / 128, two in each cycle of L2BM 0.0, but each
         * PDM gives 16 a cycle inside its group, 8 across: at 0, 0 and 1, and at 4, 8 and 9. */
        {"mvp/n256 $p0@0 $lc0@0.0\nmvp/n256 $p256@0 $lc0@0.1\n",
         {16, 16},
         {"pdm_port=0", "mode_cap_scope=transfer"}},
        {"mvp/n128 $p0@0 $lc0@0.0\nmvp/n128 $p0@1 $lc128@0.0\nmvp/n128 $p0@2 $lc256@0.0\n",
         {8, 16, 17},
         {"l2bm_port=128"}},
    };
    KIT_RACES(races);
    static const struct {
        const char *set;
        uint64_t pdm;
    } busy[] = {{"pdm_port=21.333333", 24}, {"pdm_port=24", 21}, {"pdm_port=0", 0}};
    for (size_t i = 0; i < sizeof busy / sizeof *busy; i++) {
        struct kit kit;
        kit_direct(&kit, (const char *const[]){busy[i].set, "mode_cap_scope=transfer", NULL},
                   "mvp/n256 $p0@0 $lc0@0.0\nmvp/n256 $p256@0 $lc0@0.1\n");
        assert_int_equal(kit_cycles(&kit, "pdm0", REASON_BUSY), busy[i].pdm); /* whole ones */
        kit_free(&kit);
    }
}

static void widths_that_are_none(void **unused)
{
    (void)unused;
    static const char *const refused[] = {"link_width=0.0009", "mode_cap_scope=way"};
    static const char *const taken[] = {"link_width=0.0009765625", "mode_cap_scope=transfer"};
    for (size_t i = 0; i < 2; i++) {
        struct kit bad = {.sets = {refused[i]}}, good = {.sets = {taken[i]}};
        assert_int_not_equal(kit_run(&bad, "nop\n"), 0);
        assert_non_null(strstr(bad.error, i ? "path or transfer" : "1/1024"));
        assert_int_equal(kit_run(&good, "nop\n"), 0);
        kit_free(&bad);
        kit_free(&good);
    }
}

/* --- what is proven --------------------------------------------------------------------------- */

/* The documents give the rate of each transfer alone (3.5.8) and 128 GB/s a DRAM (1.5), which is
 * 21.33 long words a cycle; no width of a PDM, an L2BM or a link. */
static void documented_only(void **unused)
{
    (void)unused;
    struct kit kit = {.options = {.packing = "none"}};
    /* One DRAM: operations of 3 cycles as with pdm_port above. */
    assert_int_equal(kit_run(&kit, "mvp/n256 $d0@0 $lc0@0.0\nmvp/n256 $d256@0 $lc0@0.1\n"), 0);
    assert_int_equal(kit.summary.cycles_documented, 25);
    kit_free(&kit);
    /* One link, one PDM: only DRAM 1 is shared, 3 cycles of each 8. The second begins at 3. */
    kit = (struct kit){.options = {.packing = "none"}};
    assert_int_equal(kit_run(&kit, "mvp/n256 $p0@0 $d0@1\nmvp/n256 $p256@0 $d4096@1\n"), 0);
    assert_int_equal(kit.summary.cycles_documented, 35);
    kit_free(&kit);
    /* 3.5.8.20: 16 long words of each DRAM are 0.75 cycles; 32 a cycle of L2BM are 2. */
    kit = (struct kit){.options = {.packing = "none"}};
    assert_int_equal(kit_run(&kit, "mvb/n1024 $d0 $lc0\n"), 0);
    assert_int_equal(kit.summary.cycles_documented, 32);
    kit_free(&kit);
    /* A path that is set wider than the documents have it is as wide there, too. */
    kit = (struct kit){.options = {.packing = "none"}, .sets = {"dram_port=64"}};
    assert_int_equal(kit_run(&kit, "mvp/n256 $d0@0 $lc0@0.0\nmvp/n256 $d256@0 $lc0@0.1\n"), 0);
    assert_int_equal(kit.summary.cycles_documented, 17);
    kit_free(&kit);
}

/* 1.5: a DRAM has 128 GB/s, 21.33 long words a cycle at 750 MHz; 3.5.8.6 and .2: a mode alone
 * has 16 long words of it. So 4,096 long words take 256 cycles or a little more, and two modes
 * together 2 x 32 KiB at 128 GB/s: 512 ns, 384 cycles. The DRAM's own accesses may add 5 %. */
static void two_modes_have_the_whole_dram(void **unused)
{
    (void)unused;
    static const char *const reads = "mvp/n4096 $d0@0 $lc0@0.0\n",
                             *const both = "mvp/n4096 $d0@0 $lc0@0.0\nmvp/n4096 $p0@0 $d65536@0\n";
    for (unsigned ideal = 0; ideal < 2; ideal++) {
        struct kit kit = {.options = {.packing = "none"}};
        static const char *const sets[] = {"dram_tccd=0",  "dram_trcd=0",      "dram_trp=0",
                                           "dram_tras=0",  "dram_tcl=0",       "dram_turnaround=0",
                                           "dram_trefi=0", "dram_controller=0"};
        memcpy(kit.sets, sets, ideal ? sizeof sets : 0);
        struct kit alone = kit;
        assert_int_equal(kit_run(&alone, reads), 0);
        assert_int_equal(kit_run(&kit, both), 0);
        kit_consistent(&kit);
        const uint64_t last = kit.transfers[1].finished > kit.transfers[0].finished
                                  ? kit.transfers[1].finished
                                  : kit.transfers[0].finished;
        const uint64_t slack = ideal ? 4 : 20, notice = 16, start = 16;
        assert_true(alone.transfers[0].finished - alone.transfers[0].started - notice == 256);
        assert_true(last >= 384 + start + notice);
        assert_true(last <= 384 + start + notice + slack + (ideal ? 0 : 12 + 3 + 15 + 11));
        assert_true(kit_cycles(&kit, "dram0", REASON_BUSY) == 384);
        kit_free(&alone);
        kit_free(&kit);
    }
}

/*
 * Two of priority 3 that share a link, and one that shares only their DRAM (the first of the races
 * above, where the ports of the chip give 2,040, 2,048 and 1,024).
 *
 * With a DRAM's path of 16 long words the links set the pace as there: the first operation starts
 * behind mv_start_latency, 16, and the first data, dram_trcd + dram_tcl + dram_tccd +
 * dram_controller = 11 + 12 + 3 + 15 = 41; 2 x 128 operations of 8 cycles; mv_notice_latency, 16.
 * The third begins behind what the others ask for ahead, 2 x 128 granules, 4 in 3 cycles, and what
 * they ask for meanwhile. Its rows are in the same banks: where one is open, the next granule of
 * the others waits for their own again, of which their requests ahead hide nearly all.
 *
 * The documents limit no link, so with --documented only DRAM 0 is shared, 3 cycles an operation:
 * the three take turns, 9 cycles a round, at 0, 3 and 6 of each. The last ones start at 9 x 127 =
 * 1,143, 1,146 and 1,149 and take 8, 8 and 4 cycles. An inferred width of 8 would make that 2,048.
 */
static void who_shares_what(void **unused)
{
    (void)unused;
    static const char text[] = "mvp/n8192p3 $d0@0 $lc0@1.0\nmvp/n8192p3 $d8192@0 $lc8192@1.1\n"
                               "mvp/n8192 $d32768@0 $lc0@0.0\n";
    struct kit kit = {.options = {.packing = "none"}, .sets = {"dram_port=16"}};
    assert_int_equal(kit_run(&kit, text), 0);
    kit_consistent(&kit);
    assert_in_range(kit.summary.cycles, 16 + 41 + 2048 + 16, 16 + 41 + 2048 + 16 + 11);
    /* A quarter of the slots is left: 6 of 8 cycles are the others'. */
    assert_in_range(kit.transfers[2].started, 16 + 41 + 192, 16 + 41 + 2 * 192);
    assert_true(kit.transfers[2].finished < kit.transfers[0].finished);
    assert_int_equal(kit.summary.cycles_documented, 1154);
    kit_free(&kit);
    kit = (struct kit){.options = {.packing = "none", .documented = true}};
    assert_int_equal(kit_run(&kit, text), 0);
    static const uint64_t finished[] = {1151, 1154, 1153};
    for (size_t t = 0; t < 3; t++)
        assert_int_equal(kit.transfers[t].finished, finished[t]);
    kit_free(&kit);
}

static void same_proof(const struct kit *kit, const struct kit *reference, const char *set)
{
    if (kit->summary.cycles_documented != reference->summary.cycles_documented)
        fail_msg("%s: documented-only %llu, not %llu", set,
                 (unsigned long long)kit->summary.cycles_documented,
                 (unsigned long long)reference->summary.cycles_documented);
}

/* Whatever an assumed or inferred number is, it does not move the documented-only total. */
static void guesses_prove_nothing(void **unused)
{
    (void)unused;
    static const char text[] =
        "mvp/n2048i01p3 $d0 $lc0@.0\nmvp/n2048i02 $d2048 $lc0@.1\nlpassa $lm0v $ln0v\n"
        "mvb4/n640 $d8192 $lc4096\nmvp/n640i04 $p0@0 $d65536@1\nmvp/n640 $p640@0 $d70000@2\n"
        "mvp/n512 $d80000@0 $p8192@0\nmvp/n512i05 $d90112@0 $p16384@0\nnop/7; wait i01\n"
        "l2bmd $lc0 $lb0; wait i02\nnop; wait i04\nnop/3\nlpassa $lm8v $ln8v; wait i05\n";
    for (unsigned packing = 0; packing < 3; packing++) {
        static const char *const packings[] = {"none", "auto", "flat"};
        struct kit reference = {.options = {.packing = packings[packing]}};
        char error[MACHINE_ERROR];
        struct config config;
        unsigned tried = 0;
        assert_int_equal(machine_config(&machine_mncore2, &config, error, sizeof error), 0);
        assert_int_equal(kit_run(&reference, text), 0);
        kit_consistent(&reference);
        for (size_t p = 0; p < config.count; p++) {
            const struct param *param = &config.params[p];
            const bool guess =
                param->provenance == PROVENANCE_ASSUMED || param->provenance == PROVENANCE_INFERRED;
            for (unsigned end = 0; end < 3 && guess && param->row->type != PARAM_TEXT; end++) {
                const double value = end == 0   ? param->low
                                     : end == 1 ? param->value + 1
                                                : (param->high < 5000 ? param->high : 5000);
                char set[80];
                snprintf(set, sizeof set, "%s=%.17g", param->row->name, value);
                /* 1.5 limits the DRAM; the refresh must leave time. */
                if (strcmp(param->row->name, "dram_port") == 0 && (value == 0 || value > 22))
                    continue;
                struct kit kit = {.options = {.packing = packings[packing]}, .sets = {set}};
                if (kit_run(&kit, text) == 0) {
                    kit_consistent(&kit);
                    same_proof(&kit, &reference, set);
                    tried++;
                }
                kit_free(&kit);
            }
        }
        assert_true(tried > 70);
        kit_free(&reference);
        config_free(&config);
    }
}

/* --- when writes take their port -------------------------------------------------------------- */

/* Busy cycles of a unit that begin at `from`, one after the other; 0 = none begin there. */
static uint64_t busy_from(const struct kit *kit, const char *unit, uint64_t from)
{
    const uint32_t u = kit_unit(kit, unit);
    uint64_t end = from;
    for (size_t i = 0; i < kit->interval_count; i++)
        if (kit->intervals[i].unit == u && kit->intervals[i].reason == REASON_BUSY &&
            kit->intervals[i].start == end)
            end += kit->intervals[i].duration;
    return end - from;
}

static void detailed(struct kit *kit, const char *const *sets, const char *text)
{
    *kit = (struct kit){.options = {.packing = "none", .interlock = true}, .detail = true};
    for (size_t i = 0; sets && sets[i]; i++)
        kit->sets[i] = sets[i];
    if (kit_run(kit, text) != 0)
        fail_msg("%s\n%s", kit->error, text);
    kit_consistent(kit);
}

/* One statement at 0; its port is busy in four cycles from `lands` on. Where a port must turn for n
 * empty steps, these end two cycles before the next step may begin, at 4 (n + 1): with n - 1 empty
 * steps the later statement would meet them, with n it does not. */
static void writes_land(void **unused)
{
    (void)unused;
    static const struct {
        const char *text, *unit, *set;
        uint64_t lands;
    } rows[] = {
        /* 3.6.3.2: 3 steps. 16 - 2 is the end. */
        {"l2bm@1 $lb0 $lc0\n", "l2bm0.pe", NULL, 10},
        {"l2bmrdfadd $lb0 $lc0\n", "l2bm1.pe", NULL, 10},
        {"l2bmd $lb0 $lc0\n", "l2bm1.pe", "hazard_l2bm_store_load=4", 14},
        /* 3.6.3.3: 2 steps; 3.6.3.6: 6 cycles. */
        {"l2bmb $lc0 $lb0\n", "l1bm7.l2b", NULL, 6},
        {"l2bmb@2 $lc0 $lb0\n", "l1bm2.l2b", "hazard_l1bm_load_store=3", 10},
        /* 3.6.3.4: 3 steps; 3.6.3.5: 10 cycles. */
        {"l2bmi@0/0 $lb0 $lb0\n", "l1bm1.l2b", NULL, 10},
        {"l2bmi@0/0 $lb0 $lb0\n", "l1bm1.l2b", "hazard_multicast_store=2", 6},
        /* 3.6.3.8: 2 steps. */
        {"l1bmrdfadd $lr0v $lb0\n", "l1bm.pe", NULL, 6},
        {"l1bmrdfadd $lr0v $lb0\n", "l1bm.pe", "hazard_pe_store_load=1", 2},
        /* 3.6.3.9: 2 steps of LM, 6 cycles of GRF and T. */
        {"lpassa $lr0v $lm0v\n", "lm0", NULL, 6},
        {"lpassa $lr0v $ln0v\n", "lm1", "hazard_lm=1", 2},
        {"lpassa $lm0v $lr0v\n", "grf0.w", NULL, 6},
        {"lpassa $lm0v $ls0v\n", "grf1.w", "pe_write_latency=7", 7},
        {"lpassa $lm0v $t\n", "t.w", NULL, 6},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[80];
        struct kit kit;
        snprintf(text, sizeof text, "%snop/5\n", rows[i].text);
        detailed(&kit, (const char *const[]){rows[i].set, NULL}, text);
        assert_int_equal(kit_cycles(&kit, rows[i].unit, REASON_BUSY), 4);
        if (busy_from(&kit, rows[i].unit, rows[i].lands) != 4)
            fail_msg("%s%s: not in %llu", rows[i].text, rows[i].unit,
                     (unsigned long long)rows[i].lands);
        kit_free(&kit);
    }
    /* The source of l2bmi at once, here by 0 and to all others. */
    struct kit kit;
    detailed(&kit, NULL, "l2bmi@0/0 $lb0 $lb0\nnop/5\n");
    assert_int_equal(busy_from(&kit, "l1bm0.l2b", 0), 4);
    assert_int_equal(kit_cycles(&kit, "l1bm0.l2b", REASON_BUSY), 4);
    kit_free(&kit);
}

/* The run ends when L2BM's writes have landed, in 10..13, with up to two nops behind the step. In
 * the documented-only total they do not count: 12 cycles leave 10 and 11 of them, 16 all. */
static void late_writes_land(void **unused)
{
    (void)unused;
    static const uint64_t total[] = {0, 14, 14, 16}, busy[] = {0, 0, 2, 4};
    for (unsigned nops = 1; nops < 4; nops++) {
        char text[60];
        struct kit kit;
        snprintf(text, sizeof text, "l2bm@1 $lb0 $lc0\nnop/%u\n", nops);
        detailed(&kit, NULL, text);
        assert_int_equal(kit.summary.cycles, total[nops]);
        assert_int_equal(kit.summary.cycles_documented, 4 + 4 * nops);
        assert_int_equal(kit_cycles(&kit, "l2bm0.pe", REASON_BUSY), 4);
        kit_free(&kit);
        kit = (struct kit){.options = {.packing = "none", .documented = true}, .detail = true};
        assert_int_equal(kit_run(&kit, text), 0);
        kit_consistent(&kit);
        assert_int_equal(kit.summary.cycles, 4 + 4 * nops);
        assert_int_equal(kit_cycles(&kit, "l2bm0.pe", REASON_BUSY), busy[nops]);
        kit_free(&kit);
    }
}

static uint64_t busy_of(const struct kit *kit, const char *unit, uint32_t stmt)
{
    for (size_t i = 0; i < kit->stmt_total_count; i++) {
        const struct sink_stmt_total *row = &kit->stmt_totals[i];
        if (row->unit == kit_unit(kit, unit) && row->stmt == stmt && row->reason == REASON_BUSY)
            return row->cycles;
    }
    return 0;
}

/* No rule keeps a transfer L2BM to L1BM one step from l2bmi: both land in 10..13. The cycles count
 * once. */
static void writes_that_meet(void **unused)
{
    (void)unused;
    struct kit kit;
    detailed(&kit, NULL, "l2bmi@0/0 $lb0 $lb0\nl2bmb $lc0 $lb64\nnop/5\nl2bmb $lc0 $lb64\nnop/5\n");
    assert_int_equal(kit_cycles(&kit, "l1bm1.l2b", REASON_BUSY), 8); /* and 34..37 */
    assert_int_equal(busy_of(&kit, "l1bm1.l2b", 0), 4);
    assert_int_equal(busy_of(&kit, "l1bm1.l2b", 1), 4);
    assert_int_equal(kit_cycles(&kit, "l1bm0.l2b", REASON_BUSY), 12); /* read in 0..3 */
    assert_int_equal(busy_of(&kit, "l1bm0.l2b", 1), 8);
    kit_free(&kit);
    /* Two steps apart they do not meet: 14..17. */
    detailed(&kit, NULL, "l2bmi@0/0 $lb0 $lb0\nnop\nl2bmb $lc0 $lb64\nnop/5\n");
    assert_int_equal(busy_from(&kit, "l1bm1.l2b", 10), 8);
    kit_free(&kit);
    /* l2bmdars reads L2BM 0 in 8..11, where the rule is set off; the write has 10 and 11. */
    detailed(&kit, (const char *const[]){"hazard_l2bm_store_dars=0", NULL},
             "l2bm@0 $lb0 $lc0\nnop\nl2bmdars $lc0@.0 $dar0\nnop/5\n");
    assert_int_equal(kit_cycles(&kit, "l2bm0.pe", REASON_BUSY), 6);
    assert_int_equal(busy_from(&kit, "l2bm0.pe", 8), 6);
    assert_int_equal(busy_of(&kit, "l2bm0.pe", 2), 2);
    kit_free(&kit);
    /* A write that overtakes another one on its port makes no chip. */
    static const char *const sets[] = {"hazard_multicast_store=4", "hazard_l1bm_load_store=3"};
    struct kit bad = {.sets = {sets[0]}}, good = {.sets = {sets[0], sets[1]}};
    assert_int_not_equal(kit_run(&bad, "nop\n"), 0);
    assert_non_null(strstr(bad.error, "more than 1 apart"));
    assert_int_equal(kit_run(&good, "nop\n"), 0);
    kit_free(&bad);
    kit_free(&good);
}

/*
 * An MV statement reads L2BM when the data have landed (3.6.3.1, 3.6.3.2). What a step of cycle 0
 * writes in its cycle i lands in 10 + i, 16 long words each, so all 64 can be read from 14 on. With
 * KIT_DIRECT operations begin with the issue; an operation is 4 cycles behind the one before.
 */
static void reads_what_has_landed(void **unused)
{
    (void)unused;
#define JOINS "l2bmrdfadd $lb0 $lc0\n" /* no hazard towards MV: one may follow at 4 */
#define READS "mvp/n64 $lc0@0.0 $p0@0\n"
    static const struct {
        const char *set, *text;
        uint64_t started, finished;
    } rows[] = {
        {NULL, JOINS READS, 14, 18},
        {NULL, JOINS "nop\n" READS, 14, 18},
        {NULL, JOINS "nop/2\n" READS, 14, 18},
        {NULL, JOINS "nop/3\n" READS, 16, 20},
        {NULL, "l2bm@1 $lb0 $lc0\nnop\n" READS, 14, 18},
        {NULL, JOINS "nop\n" JOINS READS, 22, 26}, /* the later of two */
        /* Latencies before the first read: 9, 10 and 11 behind the issue at 4. */
        {"mv_start_latency=9", JOINS READS, 14, 18},
        {"mv_start_latency=10", JOINS READS, 14, 18},
        {"mv_start_latency=11", JOINS READS, 15, 19},
        /* 4 x 2 - 2 = 6 and 4 x 4 - 2 = 14; 0: the step itself. */
        {"hazard_l2bm_store_load=2", JOINS READS, 10, 14},
        {"hazard_l2bm_store_load=4", JOINS READS, 18, 22},
        {"hazard_l2bm_store_load=0", JOINS READS, 4, 8},
        /* 3.6.7.8 joins 64 long words a cycle. Operation 0 reads those of cycle 0, which can be
         * read from 11 on; of the address 192 on those of cycle 3, from 14 on. */
        {NULL, "l2bmd $lb0 $lc0\nmvp/n64 $lc0@0.0 $p0@0\n", 11, 15},
        {NULL, "l2bmd $lb0 $lc0\nmvp/n64 $lc192@0.0 $p0@0\n", 14, 18},
        /* Operations 0 .. 3 at 11, 15, 19, 23 are behind 11, 12, 13, 14. */
        {NULL, "l2bmd $lb0 $lc0\nmvp/n256 $lc0@0.0 $p0@0\n", 11, 27},
        /* The second operation reads what is written: it goes at 14. */
        {NULL, "l2bm@0 $lb0 $lc64\nnop\nmvp/n128 $lc0@0.0 $p0@0\n", 10, 18},
        {NULL, "l2bm@0 $lb0 $lc128\nnop\nmvp/n192 $lc0@0.0 $p0@0\n", 8, 20},
        /* 3.6.3.1's own example, where "the write is sure to be complete": nothing waits. */
        {NULL, "l2bm@0 $lb0 $lc4096\nnop\nmvp/n4160 $lc0@.0 $d0\n", 8, 268},
        /* Elsewhere, and no read. */
        {NULL, "l2bm@0 $lb0 $lc64\nmvp/n64 $lc0@0.0 $p0@0\n", 4, 8},
        {NULL, "l2bm@0 $lb0 $lc64\nmvp/n64 $lc128@0.0 $p0@0\n", 4, 8},
        {NULL, JOINS "mvp/n64 $p0@0 $lc0@0.0\n", 4, 8},
        {NULL, JOINS "mvp/n64 $p0@0 $d0@0\n", 4, 8},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (unsigned documented = 0; documented < 2; documented++) {
            struct kit kit = {.options = {.packing = "none", .documented = documented},
                              .sets = {KIT_DIRECT}};
            size_t count = 0;
            while (kit.sets[count])
                count++;
            kit.sets[count] = rows[i].set;
            if (kit_run(&kit, rows[i].text) != 0)
                fail_msg("%s", kit.error);
            kit_consistent(&kit);
            /* The documents know neither latency nor landing: it reads where it may issue. */
            const uint64_t issued = kit.transfers[0].issued;
            const uint64_t started = documented ? issued : rows[i].started;
            if (kit.transfers[0].started != started ||
                kit.transfers[0].finished - started != rows[i].finished - rows[i].started)
                fail_msg("%s%s: %llu to %llu", rows[i].text, rows[i].set ? rows[i].set : "",
                         (unsigned long long)kit.transfers[0].started,
                         (unsigned long long)kit.transfers[0].finished);
            kit_free(&kit);
        }
    /* The numbers of the chip have it landed in any case. */
    struct kit kit = {.options = {.packing = "none"}};
    assert_int_equal(kit_run(&kit, JOINS READS), 0);
    assert_int_equal(kit.transfers[0].started, 4 + 16);
    kit_free(&kit);
}

/* --- DAR (3.5.6) ------------------------------------------------------------------------------ */

/*
 * l2bmdarw of cycle 0 writes entry i in cycle i; an MV statement issued at t finds the new one if t
 * is beyond i + dar_write_latency. Entries 0 to 3 were 0 and become 0x400, 0x800, 0xc00 and 0xc00:
 * rows 1, 2, 3 and 3 of one bank, 1,024 granules each. A gather of one granule for each entry takes
 * 10 cycles for the first row and 20 for each change of row (dram_trp and dram_trcd of 10, all else
 * 0), and one more, since data are there in the cycle behind the slot at the earliest:
 *
 *   new entries     0        1        2        3        4
 *   rows         0 0 0 0  1 0 0 0  1 2 0 0  1 2 3 0  1 2 3 3
 *   cycles         11       31       51       71       51
 */
static void dar_takes_effect(void **unused)
{
    (void)unused;
    static const struct {
        unsigned latency, nops; /* the MV statement issues at 4 + 4 nops */
        uint64_t cycles;
    } rows[] = {{0, 0, 51}, {1, 0, 71}, {2, 0, 51},   {3, 0, 31},   {4, 0, 11},  {4, 1, 51},
                {5, 1, 71}, {6, 1, 51}, {7, 1, 31},   {8, 1, 11},   {6, 0, 11},  {6, 2, 51},
                {8, 2, 51}, {9, 2, 71}, {60, 14, 11}, {59, 14, 31}, {60, 15, 51}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[300], nops[20] = "", latency[40];
        snprintf(latency, sizeof latency, "dar_write_latency=%u", rows[i].latency);
        if (rows[i].nops)
            snprintf(nops, sizeof nops, "nop/%u\n", rows[i].nops);
        snprintf(
            text, sizeof text,
            "d set $lc0 2 000004000000080000000c0000000c00\nl2bmdars $lc0@.0 $dar0; l2bmdarw\n%s"
            "mvp/n64nd1 $di0@0 $p0@0\n",
            nops);
        struct kit kit = {.options = {.packing = "none"},
                          .values = true,
                          .sets = {"mv_start_latency=0", "dram_tccd=0", "dram_trcd=10",
                                   "dram_trp=10", "dram_tras=0", "dram_tcl=0", "dram_turnaround=0",
                                   "dram_trefi=0", "dram_controller=0", latency}};
        if (kit_run(&kit, text) != 0)
            fail_msg("%s", kit.error);
        kit_consistent(&kit);
        assert_int_equal(kit.transfers[0].issued, 4 + 4 * rows[i].nops);
        if (kit.transfers[0].started - kit.transfers[0].issued != rows[i].cycles)
            fail_msg("latency %u, %u nops: %llu cycles, expected %llu", rows[i].latency,
                     rows[i].nops,
                     (unsigned long long)(kit.transfers[0].started - kit.transfers[0].issued),
                     (unsigned long long)rows[i].cycles);
        kit_free(&kit);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_held_back), cmocka_unit_test(a_way_has_one_rate),
        cmocka_unit_test(the_way_is_the_cause), cmocka_unit_test(the_default_is_the_way),
        cmocka_unit_test(widths_are_real),      cmocka_unit_test(widths_that_are_none),
        cmocka_unit_test(documented_only),      cmocka_unit_test(two_modes_have_the_whole_dram),
        cmocka_unit_test(who_shares_what),      cmocka_unit_test(guesses_prove_nothing),
        cmocka_unit_test(writes_land),          cmocka_unit_test(late_writes_land),
        cmocka_unit_test(writes_that_meet),     cmocka_unit_test(reads_what_has_landed),
        cmocka_unit_test(dar_takes_effect),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
