/*
 * Transfers in time: every mode's documented rate, and how transfers share ports. Counts are
 * derived by hand from manual 3.5.8 and timing/mncore2/README.md. "direct": KIT_DIRECT, so that
 * only ports and rates show.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/dice.h"
#include "tests/mncore2/timing_kit.h"
#include "tests/often.h"

static void run(struct kit *kit, bool direct, const char *text)
{
    *kit = direct ? (struct kit){.options = {.packing = "none"}, .sets = {KIT_DIRECT}}
                  : (struct kit){.options = {.packing = "none"}};
    if (kit_run(kit, text) != 0)
        fail_msg("%s\n%s", kit->error, text);
    kit_consistent(kit);
}

/* --- rates ------------------------------------------------------------------------------------ */

/* Cycles of 64 counted long words: 64 / rate; mvd P->C counts L2BM words, the rate of 8 is the
 * PDM's 512 (3.5.8.22). */
static const struct mode {
    const char *op, *from, *to;
    uint64_t cycles;
} modes[] = {
    {"mvp", "$p0@0", "$d0@0", 4}, /* 3.5.8.2: 16 inside, 8 across */
    {"mvp", "$p0@0", "$d0@1", 8},
    {"mvp", "$d0@3", "$p0@3", 8}, /* 3.5.8.3: 8 inside, 4 across */
    {"mvp", "$d0@0", "$p0@1", 16},
    {"mvp", "$p0@2", "$lc0@2.1", 4}, /* 3.5.8.4 */
    {"mvp", "$p0@2", "$lc0@1.1", 8},
    {"mvp", "$lc0@1.0", "$p0@1", 4}, /* 3.5.8.5 */
    {"mvp", "$lc0@1.0", "$p0@3", 8},
    {"mvp", "$d0@0", "$lc0@0.0", 4}, /* 3.5.8.6 */
    {"mvp", "$d0@0", "$lc0@2.1", 8},
    {"mvp", "$lc0@0.1", "$d0@0", 4}, /* 3.5.8.7 */
    {"mvp", "$lc0@0.1", "$d0@3", 8},
    {"mvp", "$p0@0", "$p0@1", 8},        /* 3.5.8.8 */
    {"mvp", "$p0", "$lc0@.1", 4},        /* 3.5.8.9 */
    {"mvp", "$lc0@.1", "$p0", 4},        /* 3.5.8.10 */
    {"mvp", "$d0", "$lc0@.0", 4},        /* 3.5.8.11 */
    {"mvp", "$lc0@.0", "$d0", 4},        /* 3.5.8.12 */
    {"mvb2", "$d0", "$lc0", 4},          /* 3.5.8.13 */
    {"mvr2dfadd", "$lc0", "$d0", 4},     /* 3.5.8.14 */
    {"mvr2dfadd", "$lc0@1", "$p0@1", 4}, /* 3.5.8.15 */
    {"mvb4", "$d0", "$lc0", 4},          /* 3.5.8.16: 16 in L2BM */
    {"mvr4dfadd", "$lc0", "$d0", 4},     /* 3.5.8.17 */
    {"mvb", "$p0@0", "$lc0", 8},         /* 3.5.8.18: 8 */
    {"mvrdfadd", "$lc0", "$p0@0", 8},    /* 3.5.8.19 */
    {"mvb", "$d0", "$lc0", 2},           /* 3.5.8.20: 32 in L2BM */
    {"mvrdfadd", "$lc0", "$d0", 2},      /* 3.5.8.21 */
    {"mvd", "$p0@0", "$lc0", 64},        /* 3.5.8.22: PDM 8, L2BM 1 */
    {"mvd", "$lc0", "$p0@0", 64},        /* 3.5.8.23 */
    {"mvd", "$p0@0", "$d0", 8},          /* 3.5.8.24: PDM 8, DRAM 2 */
    {"mvd", "$d0", "$p0@0", 8},          /* 3.5.8.25 */
};

/* From issue to completion of one transfer alone. */
static uint64_t alone(const struct mode *mode, uint64_t operations, const struct kit *like)
{
    char text[200];
    snprintf(text, sizeof text, "mvp/n64 $p524224@3 $p0@2\nnop/40\n%s/n%llui01 %s %s\n", mode->op,
             (unsigned long long)(64 * operations), mode->from, mode->to);
    /* Nothing before it in half of the runs, something long over in the other. */
    const char *program = operations % 2 ? strchr(strchr(text, '\n') + 1, '\n') + 1 : text;
    struct kit kit = *like;
    if (kit_run(&kit, program) != 0)
        fail_msg("%s\n%s", kit.error, program);
    const struct sink_transfer *t = &kit.transfers[kit.transfer_count - 1];
    const uint64_t took = t->finished - t->issued;
    kit_free(&kit);
    return took;
}

static void documented_rates(void **unused)
{
    (void)unused;
    static const uint64_t sizes[] = {1, 2, 3, 16, 77, 1024};
    const struct kit ways[] = {{.options = {.packing = "none"}, .sets = {KIT_DIRECT}},
                               {.options = {.packing = "none", .documented = true}}};
    for (size_t m = 0; m < sizeof modes / sizeof *modes; m++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
            for (size_t w = 0; w < 2; w++)
                if (alone(&modes[m], sizes[s], &ways[w]) != sizes[s] * modes[m].cycles)
                    fail_msg("%s %s %s: %llu operations", modes[m].op, modes[m].from, modes[m].to,
                             (unsigned long long)sizes[s]);
}

static const char *port_name(const char *operand)
{
    return operand[1] == 'p' ? "pdm" : operand[1] == 'd' ? "dram" : "l2bm";
}

/* A port is charged what passes it: all destinations together what the transfer writes (3.5.8), no
 * port more than its width in the cycles it is held. */
static void each_port_its_share(void **unused)
{
    (void)unused;
    enum { OPERATIONS = 6 };
    for (size_t m = 0; m < sizeof modes / sizeof *modes; m++) {
        char text[100];
        snprintf(text, sizeof text, "%s/n%di01 %s %s\n", modes[m].op, 64 * OPERATIONS,
                 modes[m].from, modes[m].to);
        struct kit kit;
        run(&kit, false, text);
        const char *to = port_name(modes[m].to), *from = port_name(modes[m].from);
        uint64_t written = 0, read = 0;
        for (size_t i = 0; i < kit.stmt_total_count; i++) {
            const struct sink_stmt_total *row = &kit.stmt_totals[i];
            const struct unit_info *unit = &kit.units[row->unit];
            /* A path of 21.333333 long words is held for parts of cycles, which are not counted. */
            const double held =
                strncmp(unit->name, "dram", 4) == 0 ? (double)row->cycles + 1 : (double)row->cycles;
            assert_true((double)row->bytes <= 8 * unit->width * held);
            assert_true(row->bytes > 0);
            written += strncmp(unit->name, to, strlen(to)) == 0 ? row->bytes : 0;
            read += strncmp(unit->name, from, strlen(from)) == 0 ? row->bytes : 0;
        }
        const uint64_t bytes = kit.transfers[0].bytes;
        if (written != (strcmp(to, from) == 0 ? 2 : 1) * bytes)
            fail_msg("%s: %llu bytes written, %llu at the ports", text, (unsigned long long)bytes,
                     (unsigned long long)written);
        /* Bytes read and written: a copy reads as much, a broadcast less, a reduction more. */
        assert_int_equal(modes[m].op[2] == 'b'   ? read < written
                         : modes[m].op[2] == 'r' ? read > written
                                                 : read == written,
                         1);
        kit_free(&kit);
    }
}

/* With the default chip a transfer alone grows by the documented cycles too: posted writes and
 * reads ahead hide the DRAM behind a constant. */
static void default_slopes(void **unused)
{
    (void)unused;
    static const uint64_t sizes[] = {3, 5, 17, 129, 1025, 4097};
    const struct kit chip = {.options = {.packing = "none"}};
    for (size_t m = 0; m < sizeof modes / sizeof *modes; m++) {
        const uint64_t one = alone(&modes[m], 1, &chip);
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            const uint64_t took = alone(&modes[m], sizes[s], &chip);
            if (took - one != (sizes[s] - 1) * modes[m].cycles)
                fail_msg("%s %s %s: %llu operations take %llu, one %llu", modes[m].op,
                         modes[m].from, modes[m].to, (unsigned long long)sizes[s],
                         (unsigned long long)took, (unsigned long long)one);
        }
    }
}

/* Without DRAM the constant is the two latencies: 16 + 4 + 16. */
static void latencies(void **unused)
{
    (void)unused;
    struct kit kit;
    run(&kit, false, "nop\nmvp/n64 $p0@0 $lc0@0.0\n");
    assert_int_equal(kit.transfers[0].issued, 4);
    assert_int_equal(kit.transfers[0].started, 20);
    assert_int_equal(kit.transfers[0].finished, 40);
    assert_int_equal(kit.summary.cycles, 40);
    assert_int_equal(kit.summary.cycles_documented, 8);
    assert_string_equal(kit.transfers[0].mode, "mvp P->C");
    kit_free(&kit);
}

/* --- sharing: who finishes when (direct) ------------------------------------------------------ */

static void sharing(void **unused)
{
    (void)unused;
    static const struct kit_race races[] = {
        /* Disjoint groups: each as alone, 4 operations of 4. */
        {"mvp/n256 $p0@0 $d0@0\nmvp/n256 $p0@1 $d0@1\n", {16, 16}, {NULL}},
        /* One PDM, 16 a cycle together: they take turns, the first at 0, 8, 16, 24. */
        {"mvp/n256 $p0@0 $d0@0\nmvp/n256 $p0@0 $lc0@0.0\n", {28, 32}, {NULL}},
        /* One DRAM path, likewise. */
        {"mvp/n256 $d0@0 $lc0@0.0\nmvp/n256 $d0@0 $lc0@0.1\n", {28, 32}, {NULL}},
        /* Unequal lengths: 64 against 256; turns at 0 and 4, then alone from 8. */
        {"mvp/n256 $p0@0 $d0@0\nmvp/n64 $p0@0 $lc0@0.0\n", {20, 8}, {NULL}},
        /* Two links of 8 fill a PDM of 16: the second starts when the PDM is free, at 4. */
        {"mvp/n256 $p0@0 $d0@1\nmvp/n256 $p0@0 $d0@2\n", {32, 36}, {NULL}},
        /* A third link does not fit: three times 4 cycles of the PDM for 8 of a link each. First at
         * 0, 12, second at 4, 16, third at 8, 20. */
        {"mvp/n128 $p0@0 $d0@1\nmvp/n128 $p0@0 $d0@2\nmvp/n128 $p0@0 $d0@3\n",
         {20, 24, 28},
         {NULL}},
        /* One link: turns of 8. */
        {"mvp/n256 $p0@0 $d0@1\nmvp/n256 $p64@0 $d4096@1\n", {56, 64}, {NULL}},
        /* Opposite directions use two links. */
        {"mvp/n256 $d0@0 $lc0@1.0\nmvp/n256 $d0@1 $lc0@0.0\n", {32, 32}, {NULL}},
        /* DRAM->PDM holds its ports half of its time (8 of 16): another fits between. The first at
         * 0, 8, 16, 24; the second at 4, 12 (8 is the older's), 20, 28. */
        {"mvp/n256 $d0@0 $p0@0\nmvp/n256 $p1024@0 $lc0@0.0\n", {32, 32}, {NULL}},
        /* L2BM takes 32 a cycle, 2 cycles an operation: the second starts at 2, every 8. */
        {"mvp/n256 $p0@0 $lc0@0.0\nmvp/n256 $p0@1 $lc4096@0.0\n", {16, 34}, {NULL}},
        /* mvb D->C needs everything: 2 cycles; mvp inside group 0 holds DRAM 4, L2BM 2. The first
         * at 0; mvb waits until 4 (DRAM0), 2 cycles on L2BM0.0, 1 on DRAM0: 5 would do for the
         * DRAM, 6 for the L2BM: the mvp's next at 6 (since 4), mvb's next (since 6) at 10. */
        {"mvp/n128 $d0@0 $lc0@0.0\nmvb/n128 $d4096 $lc4096\n", {10, 12}, {NULL}},
        /* Same DRAM port in both directions: one port. */
        {"mvp/n128 $p0@0 $d0@0\nmvp/n128 $d4096@0 $lc0@0.0\n", {12, 16}, {NULL}},
        /* Parallel against single: group 3 is shared, so both take turns everywhere. */
        {"mvp/n128 $p0 $lc0@.1\nmvp/n128 $p1024@3 $lc0@3.0\n", {12, 16}, {NULL}},
        /* Longer waiting beats older: the 1st's second operation waits since 4, others since 0. */
        {"mvp/n128 $p0@0 $d0@0\nmvp/n64 $p0@0 $lc0@0.0\nmvp/n64 $p0@0 $lc0@0.1\n",
         {16, 8, 12},
         {NULL}},
        /* One group, no port in common. */
        {"mvp/n128 $d0@0 $lc0@0.0\nmvp/n128 $p0@0 $lc0@0.1\n", {8, 8}, {NULL}},
    };
    KIT_RACES(races);
}

static void priorities(void **unused)
{
    (void)unused;
    static const struct kit_race races[] = {
        /* Issued second in the same cycle, but goes first; then the other alone. */
        {"mvp/n256 $p0@0 $d0@0\nmvp/n256p1 $p0@0 $lc0@0.0\n", {32, 16}, {NULL}},
        {"mvp/n256p2 $p0@0 $d0@0\nmvp/n256p3 $p0@0 $lc0@0.0\n", {32, 16}, {NULL}},
        {"mvp/n256p3 $p0@0 $d0@0\nmvp/n256p3 $p0@0 $lc0@0.0\n", {28, 32}, {NULL}},
        /* Issued at 4: the running operation ends, then it is alone until 20. */
        {"mvp/n256 $p0@0 $d0@0\nnop\nmvp/n256p3 $p0@0 $lc0@0.0\n", {32, 20}, {NULL}},
        /* Issued at 4 with the same priority: the older's second operation waits since 4, too, and
         * goes first; then turns: older at 0, 4, 12, 20, younger at 8, 16, 24, 28. */
        {"mvp/n256 $p0@0 $d0@0\nnop\nmvp/n256 $p0@0 $lc0@0.0\n", {24, 32}, {NULL}},
        /* Issued at 8, in the middle of an operation of 8: waits for the link until 16. */
        {"mvp/n192 $p0@0 $d0@1\nnop/3\nmvp/n64p1 $p64@0 $lc0@1.0\n", {32, 24}, {NULL}},
    };
    KIT_RACES(races);
}

/* The binding edges of transfers that wait for one another. */
static void edges(void **unused)
{
    (void)unused;
    struct kit kit;
    run(&kit, true, "mvp/n64 $p0@0 $d0@0\nmvp/n64 $p64@0 $lc0@0.0\n");
    assert_int_equal(kit.edge_count, 1);
    assert_int_equal(kit.edges[0].src, 0);
    assert_int_equal(kit.edges[0].dst, 1);
    assert_int_equal(kit.edges[0].kind, EDGE_PORT);
    assert_int_equal(kit.edges[0].unit, kit_unit(&kit, "pdm0"));
    assert_int_equal(kit.edges[0].waited, 4);
    assert_int_equal(kit.edges[0].released, 4);
    assert_int_equal(kit_cycles(&kit, "l2bm0.0", REASON_PORT), 4);
    assert_int_equal(kit_cycles(&kit, "l2bm0.0", REASON_BUSY), 2);
    assert_int_equal(kit_cycles(&kit, "pdm0", REASON_BUSY), 8);
    assert_int_equal(kit_cycles(&kit, "dram0", REASON_IDLE), 4);
    kit_free(&kit);
}

/* Two that take turns: each edge has its first wait and its last. Operations of 4 cycles on pdm0,
 * one after the other from cycle 0: a0 b0 a1 b1 a2 (who has waited longer goes first). */
static void edges_of_turns(void **unused)
{
    (void)unused;
    struct kit kit;
    run(&kit, true, "mvp/n192 $p0@0 $d0@0\nmvp/n128 $p192@0 $lc0@0.0\n");
    assert_int_equal(kit.summary.cycles, 20);
    assert_int_equal(kit.edge_count, 4);
    static const struct sink_edge expected[] = {
        {.src = 0, .dst = 1, .at = 4, .waited = 4},
        {.src = 0, .dst = 1, .at = 12, .waited = 4},
        {.src = 1, .dst = 0, .at = 8, .waited = 4},
        {.src = 1, .dst = 0, .at = 16, .waited = 4},
    };
    for (size_t e = 0; e < kit.edge_count; e++) {
        size_t i = 0;
        while (i < 4 && expected[i].at != kit.edges[e].at)
            i++;
        assert_true(i < 4);
        assert_int_equal(kit.edges[e].src, expected[i].src);
        assert_int_equal(kit.edges[e].dst, expected[i].dst);
        assert_int_equal(kit.edges[e].released, expected[i].at);
        assert_int_equal(kit.edges[e].waited, expected[i].waited);
        assert_int_equal(kit.edges[e].times, 1);
    }
    /* The path is the port, for the one whose operation it does. */
    assert_int_equal(kit.summary.crit_count, 5);
    for (uint32_t i = 0; i < 5; i++) {
        assert_int_equal(kit.summary.crit[i].start, 4 * i);
        assert_int_equal(kit.summary.crit[i].duration, 4);
        assert_int_equal(kit.summary.crit[i].last_stmt, i % 2);
        assert_int_equal(kit.summary.crit[i].reason, REASON_BUSY);
    }
    assert_int_equal(kit.summary.crit[1].unit, kit_unit(&kit, "pdm0"));
    assert_int_equal(kit.summary.crit[2].unit, kit_unit(&kit, "pdm0"));
    kit_free(&kit);
    /* In 16 operations each the first and the last wait stand for all. */
    run(&kit, true, "mvp/n1024 $p0@0 $d0@0\nmvp/n1024 $p1024@0 $lc0@0.0\n");
    assert_int_equal(kit.summary.cycles, 128);
    uint64_t times[2] = {0}, waited[2] = {0};
    for (size_t e = 0; e < kit.edge_count; e++) {
        times[kit.edges[e].dst] += kit.edges[e].times;
        waited[kit.edges[e].dst] += kit.edges[e].waited;
    }
    assert_int_equal(kit.edge_count, 4);
    assert_int_equal(times[0], 15); /* all but a0 */
    assert_int_equal(waited[0], 60);
    assert_int_equal(times[1], 16);
    assert_int_equal(waited[1], 64);
    kit_free(&kit);
}

static void edges_of_links_and_priorities(void **unused)
{
    (void)unused;
    struct kit kit;
    run(&kit, true, "mvp/n64 $p0@0 $d0@1\nmvp/n64 $lc0@0.0 $p0@1\n");
    assert_int_equal(kit.edge_count, 1);
    assert_int_equal(kit.edges[0].kind, EDGE_LINK);
    assert_int_equal(kit.edges[0].unit, kit_unit(&kit, "link0-1"));
    assert_int_equal(kit.edges[0].waited, 8);
    assert_int_equal(kit_cycles(&kit, "pdm1", REASON_LINK), 8);
    kit_free(&kit);
    run(&kit, true, "mvp/n64 $p0@0 $d0@0\nmvp/n128p1 $p64@0 $lc0@0.0\n");
    assert_int_equal(kit.transfers[0].finished, 12);
    assert_int_equal(kit.edge_count, 1);
    assert_int_equal(kit.edges[0].src, 1);
    assert_int_equal(kit.edges[0].dst, 0);
    assert_string_equal(kit.edges[0].rule, "3.5.7");
    assert_int_equal(kit_cycles(&kit, "dram0", REASON_PRIORITY), 8);
    kit_free(&kit);
    /* The link alone is shared: two operations of 8 cycles, of a higher priority. */
    run(&kit, true, "mvp/n64 $p0@0 $d0@1\nmvp/n128p1 $lc0@0.0 $p0@1\n");
    assert_int_equal(kit.transfers[0].finished, 24);
    assert_int_equal(kit.edge_count, 1);
    assert_int_equal(kit.edges[0].src, 1);
    assert_int_equal(kit.edges[0].dst, 0);
    assert_int_equal(kit.edges[0].kind, EDGE_LINK);
    assert_int_equal(kit.edges[0].unit, kit_unit(&kit, "link0-1"));
    assert_string_equal(kit.edges[0].rule, "3.5.7");
    assert_int_equal(kit.edges[0].waited, 16);
    assert_int_equal(kit_cycles(&kit, "pdm0", REASON_PRIORITY), 16);
    kit_free(&kit);
}

/* A long transfer of 64 operations is held by 20 short ones, each of which takes pdm0 for two
 * operations of 4 cycles from the cycle of its issue on. */
static void every_culprit_has_its_edge(void **unused)
{
    (void)unused;
    enum { SHORT = 20 };
    char text[SHORT * 60 + 60], *at = text;
    at += sprintf(at, "mvp/n4096 $p0@0 $lc0@0.0\nnop/3\n");
    for (unsigned i = 0; i < SHORT; i++)
        at += sprintf(at, "mvp/n128p3 $p%u@0 $lc%u@0.1\nnop/5\n", 8192 + 128 * i, 128 * i);
    struct kit kit;
    run(&kit, true, text);
    assert_int_equal(kit.transfers[0].finished, 64 * 4 + SHORT * 8);
    assert_int_equal(kit.edge_count, SHORT);
    for (uint32_t i = 0; i < SHORT; i++) {
        assert_int_equal(kit.edges[i].src, 2 + 2 * i);
        assert_int_equal(kit.edges[i].dst, 0);
        assert_int_equal(kit.edges[i].kind, EDGE_PORT);
        assert_int_equal(kit.edges[i].unit, kit_unit(&kit, "pdm0"));
        assert_string_equal(kit.edges[i].rule, "3.5.7");
        assert_int_equal(kit.edges[i].waited, 8);
        assert_int_equal(kit.edges[i].at, 12 + 20 * i + 8);
        assert_int_equal(kit.edges[i].times, 1);
    }
    /* The path: nops until the last of them issues, that one, and the rest of the long one. */
    assert_int_equal(kit.summary.crit_count, 3);
    assert_int_equal(kit.summary.crit[0].duration, 12 + 20 * (SHORT - 1));
    assert_int_equal(kit.summary.crit[1].last_stmt, 2 * SHORT);
    assert_int_equal(kit.summary.crit[1].duration, 8);
    assert_int_equal(kit.summary.crit[2].last_stmt, 0);
    assert_int_equal(kit.summary.crit[2].start, 400);
    kit_free(&kit);
}

/*
 * Without latencies and with a DRAM that holds nothing back, a transfer takes its operations at the
 * documented rate and its waits, whoever it waited for: the edges must add up to the rest, and no
 * two of them may be alike but for the first wait and the later ones.
 */
static void edges_add_up(void **unused)
{
    (void)unused;
    enum { TRANSFERS = 60, MODES = 24 };
    struct dice dice = {1};
    unsigned crowded = 0;
    for (unsigned round = 0; round < often(200); round++) {
        char text[TRANSFERS * 80], *at = text;
        uint64_t alone[TRANSFERS] = {0};
        uint32_t item[TRANSFERS], items = 0;
        for (unsigned i = 0; i < TRANSFERS; i++) {
            const struct mode *mode = &modes[dice_below(&dice, round % 2 ? MODES : 9)];
            const unsigned ops = i % 20 == 0 ? 60 : 1 + (unsigned)dice_below(&dice, 4);
            at += sprintf(at, "%s/n%up%u %s %s\n", mode->op, 64 * ops,
                          (unsigned)dice_below(&dice, 4), mode->from, mode->to);
            item[i] = items++;
            alone[i] = ops * mode->cycles;
            if (dice_below(&dice, 4)) {
                at += sprintf(at, "nop/%u\n", 1 + (unsigned)dice_below(&dice, 9));
                items++;
            }
        }
        struct kit kit;
        run(&kit, true, text);
        for (unsigned i = 0; i < TRANSFERS; i++) {
            uint64_t waited = 0, edges = 0;
            for (size_t e = 0; e < kit.edge_count; e++) {
                const struct sink_edge *edge = &kit.edges[e];
                if (edge->dst != item[i])
                    continue;
                waited += edge->waited;
                edges++;
                unsigned alike = 0;
                for (size_t f = 0; f < kit.edge_count; f++)
                    alike += kit.edges[f].dst == edge->dst && kit.edges[f].src == edge->src &&
                             kit.edges[f].unit == edge->unit &&
                             !strcmp(kit.edges[f].rule, edge->rule);
                assert_in_range(alike, 1, 2);
            }
            const struct sink_transfer *transfer = &kit.transfers[i];
            if (transfer->finished - transfer->issued != alone[i] + waited)
                fail_msg("round %u, transfer %u: %llu cycles, not %llu and waits of %llu\n%s",
                         round, i, (unsigned long long)(transfer->finished - transfer->issued),
                         (unsigned long long)alone[i], (unsigned long long)waited, text);
            crowded += edges > 8;
        }
        kit_free(&kit);
    }
    assert_true(crowded > often(50));
}

/* bytes: what arrives in all destinations together. */
static void bytes(void **unused)
{
    (void)unused;
    struct kit kit;
    run(&kit, true,
        "mvp/n64 $p0@0 $d0@0\nmvb/n64 $p0@0 $lc0\nmvd/n64 $p0@0 $lc0\nmvb/n64 $d0 $lc0\n"
        "mvrdfadd/n128 $lc0 $d0\nmvb2/n64 $d0 $lc0\n");
    const uint64_t expected[] = {512, 8 * 512, 8 * 512, 8 * 512, 2 * 4 * 128, 8 * 512};
    for (size_t t = 0; t < kit.transfer_count; t++)
        assert_int_equal(kit.transfers[t].bytes, expected[t]);
    kit_free(&kit);
}

/* The peaks of the fabric: all groups at once, 16 a cycle each. */
static void limited_by(void **unused)
{
    (void)unused;
    struct kit kit;
    run(&kit, true, "mvp/n4096 $p0@0 $d0@1\nmvp/n64 $p8192@0 $d8192@1\n");
    assert_string_equal(kit.units[kit.transfers[0].limited_by].name, "link0-1");
    assert_string_equal(kit.units[kit.transfers[1].limited_by].name, "link0-1");
    kit_free(&kit);
    /* Seven operations at link0-1, 56 cycles: five culprits hold pdm0 for 8 each, the last dram1
     * for 64, which is more than the transfer's own work. */
    run(&kit, true,
        "mvp/n448 $p0@0 $d0@1\nnop/2\nmvp/n128p3 $p64@0 $lc0@0.0\nnop/4\n"
        "mvp/n128p3 $p64@0 $lc0@0.0\nnop/4\nmvp/n128p3 $p64@0 $lc0@0.0\nnop/4\n"
        "mvp/n128p3 $p64@0 $lc0@0.0\nnop/4\nmvp/n128p3 $p64@0 $lc0@0.0\nnop/4\n"
        "mvp/n1024p3 $p64@1 $d0@1\n");
    assert_int_equal(kit.transfers[0].finished, 56 + 5 * 8 + 64);
    assert_string_equal(kit.units[kit.transfers[0].limited_by].name, "dram1");
    kit_free(&kit);
    run(&kit, true, "mvp/n4096 $p0 $lc0@.0\n");
    assert_int_equal(kit.summary.cycles, 256);
    for (unsigned g = 0; g < 4; g++) {
        char name[8];
        snprintf(name, sizeof name, "pdm%u", g);
        assert_int_equal(kit_cycles(&kit, name, REASON_BUSY), 256);
    }
    assert_int_equal(kit_cycles(&kit, "l2bm2.0", REASON_BUSY), 128);
    kit_free(&kit);
}

/* Narrower ports than the mode's rate slow it down: they are resources of their own. */
static void narrow_ports(void **unused)
{
    (void)unused;
    static const char *const pdm[] = {"mv_start_latency=0", "mv_notice_latency=0", "pdm_port=4",
                                      NULL};
    static const char *const link[] = {"mv_start_latency=0", "mv_notice_latency=0", "link_width=4",
                                       NULL};
    assert_int_equal(kit_total("none", pdm, "mvp/n256 $p0@0 $lc0@0.0\n"), 64);
    assert_int_equal(kit_total("none", link, "mvp/n256 $p0@0 $lc0@1.0\n"), 64);
    assert_int_equal(kit_total("none", link, "mvp/n256 $p0@0 $lc0@0.0\n"), 16);
}

/* Many at once: 1,000 transfers of one operation on one port, one after the other. */
static void a_crowd(void **unused)
{
    (void)unused;
    enum { CROWD = 1000 };
    static char text[CROWD * 40];
    char *at = text;
    for (unsigned i = 0; i < CROWD; i++)
        at += sprintf(at, "mvp/n64 $p%u@0 $lc0@0.%u\n", 64 * (i % 100), i % 2);
    struct kit kit;
    run(&kit, true, text);
    for (unsigned i = 0; i < CROWD; i++)
        assert_int_equal(kit.transfers[i].finished, 4 * (i + 1));
    kit_free(&kit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(documented_rates),
        cmocka_unit_test(each_port_its_share),
        cmocka_unit_test(default_slopes),
        cmocka_unit_test(latencies),
        cmocka_unit_test(sharing),
        cmocka_unit_test(priorities),
        cmocka_unit_test(edges),
        cmocka_unit_test(edges_of_turns),
        cmocka_unit_test(edges_of_links_and_priorities),
        cmocka_unit_test(every_culprit_has_its_edge),
        cmocka_unit_test(edges_add_up),
        cmocka_unit_test(bytes),
        cmocka_unit_test(limited_by),
        cmocka_unit_test(narrow_ports),
        cmocka_unit_test(a_crowd),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
