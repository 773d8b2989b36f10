/*
 * The stream of MN-Core 2 in time: steps, packing, supply, waits, interlock. Every count is derived
 * by hand in the comment beside it; a step is 4 cycles (manual 1.2). "none" unless said otherwise.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "functional/mncore2/program.h"
#include "tests/mncore2/timing_kit.h"
#include "timing/mncore2/stream.h"

/* No latency before and after transfers: their work alone shows. */
#define DIRECT "mv_start_latency=0", "mv_notice_latency=0"

struct row {
    const char *packing;
    const char *sets[6];
    const char *text;
    uint64_t cycles;
};

static void check_rows(const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const uint64_t total = kit_total(rows[i].packing, rows[i].sets, rows[i].text);
        if (total != rows[i].cycles)
            fail_msg("row %zu: %llu cycles, expected %llu:\n%s", i, (unsigned long long)total,
                     (unsigned long long)rows[i].cycles, rows[i].text);
    }
}
#define CHECK_ROWS(rows) check_rows(rows, sizeof(rows) / sizeof *(rows))

static void steps_as_written(void **unused)
{
    (void)unused;
    static const struct row rows[] = {
        {"none", {NULL}, "", 0},
        {"none", {NULL}, "nop\n", 4},
        {"none", {NULL}, "nop/5\n", 20}, /* 5 x 4 */
        /* A write takes 6 cycles (3.6.3.9): that of cycle 3 has landed at 10. */
        {"none", {NULL}, "lpassa $lm0v $ln0v\n", 10},
        {"none", {NULL}, "lpassa $lm0v $ln0v\nnop\n", 10},
        {"none", {NULL}, "lpassa $lm0v $ln0v\nnop/2\n", 12},
        {"none", {NULL}, "lpassa $lm0v $lr0v/0100\nnop\n", 8}, /* that of cycle 1: at 8 */
        {"none", {NULL}, "lpassa $lm0v $nowrite\n", 4},
        {"none", {NULL}, "d set $lm0n0c0b0m0p0 1 0000000000000001\nnop\n", 4}, /* d set: no time */
        {"none", {NULL}, "d get $lm0n0c0b0m0p0 1\n", 0},
        {"none", {NULL}, "mvnop\nnop\nmvnop\n", 4}, /* takes no slot here */
        {"none",
         {"mv_slot_steps_auto=3", "mv_slot_steps_flat=3"},
         "nop\nmvnop\nnop\n",
         8},                                            /* there is no MV slot */
        {"none", {"supply_bytes=1"}, "nop/100\n", 400}, /* nor packed units */
    };
    CHECK_ROWS(rows);
}

static void packing(void **unused)
{
    (void)unused;
    static const struct row rows[] = {
        {"auto", {NULL}, "nop\n", 12},   /* 1 + 2 nops of padding */
        {"auto", {NULL}, "nop/3\n", 12}, /* just full */
        {"auto", {NULL}, "nop/4\n", 24}, /* 3 | 1 + 2 */
        {"flat", {NULL}, "nop\n", 8},
        {"flat", {NULL}, "nop/2\n", 8},
        {"flat", {NULL}, "nop/3\n", 16},
        {"auto", {DIRECT}, "mvp/n64 $p0@0 $lc0@0.0\n", 16}, /* 3 nops, issue at 12, 4 */
        {"flat", {DIRECT}, "mvp/n64 $p0@0 $lc0@0.0\n", 12}, /* 2 nops, issue at 8, 4 */
        {"none", {DIRECT}, "mvp/n64 $p0@0 $lc0@0.0\n", 4},
        /* Two in a row cost 3 (2) steps: issue at 12 and 24 (8 and 16). */
        {"auto", {DIRECT}, "mvp/n64 $p0@0 $lc0@0.0\nmvp/n64 $p0@1 $lc0@1.0\n", 28},
        {"flat", {DIRECT}, "mvp/n64 $p0@0 $lc0@0.0\nmvp/n64 $p0@1 $lc0@1.0\n", 20},
        {"none", {DIRECT}, "mvp/n64 $p0@0 $lc0@0.0\nmvp/n64 $p0@1 $lc0@1.0\n", 4},
        {"auto", {DIRECT}, "nop/3\nmvp/n64 $p0@0 $lc0@0.0\n", 16}, /* its unit's slot is free */
        {"auto", {DIRECT}, "nop/2\nmvp/n64 $p0@0 $lc0@0.0\n", 16}, /* 1 nop before it */
        {"auto", {DIRECT}, "nop/4\nmvp/n64 $p0@0 $lc0@0.0\n", 28}, /* mvnop, 1 + 2 nops, at 24 */
        {"auto", {NULL}, "nop\nmvnop\nnop\n", 24},                 /* 1 + 2 | 1 + 2 */
        {"auto", {NULL}, "nop/3\nmvnop\nnop/3\n", 24},
        /* The slot's own step: after each unit. */
        {"auto", {"mv_slot_steps_auto=1"}, "nop/3\n", 16},
        {"auto", {"mv_slot_steps_auto=1"}, "nop/4\n", 32},
        {"auto", {"mv_slot_steps_auto=2"}, "nop/3\nmvnop\nnop/3\n", 40}, /* 2 x (12 + 8) */
        {"auto",
         {"mv_slot_steps_auto=1", DIRECT},
         "nop/3\nmvp/n64 $p0@0 $lc0@0.0\n",
         16}, /* 12 + 4 */
        {"flat", {"mv_slot_steps_flat=1"}, "nop/4\n", 24},
    };
    CHECK_ROWS(rows);
}

/* Default: flat if a step needs it, else auto. [a,b,c,d] addresses can only be flat (3.6.1.6). */
static void default_packing(void **unused)
{
    (void)unused;
    assert_int_equal(kit_total(NULL, NULL, "lpassa $lm0v $ln0v\n"), 12);
    assert_int_equal(kit_total(NULL, NULL, "lpassa $lm[0,4,2,6] $ln0v\n"), 10); /* 8 */
}

static void nops_by_cause(void **unused)
{
    (void)unused;
    struct kit kit = {.options = {.packing = "auto"}, .sets = {DIRECT}};
    /* nop; then MV: 2 packing nops, issue at 12, done at 16. lpassa at 12; wait finds the notice at
     * 16 = now. Then 1 + 1 + nop/3: units of 3: lpassa, lpassa+wait, nop | nop nop +1. */
    assert_int_equal(kit_run(&kit, "nop\nmvp/n256i03 $p0@0 $lc0@0.0\nlpassa $lm0v $ln0v\n"
                                   "lpassa $lm0v $ln0v; wait i03\nnop/3\n"),
                     0);
    /* 12: issue of the MV, 4 operations of 4 cycles: 28. lpassa 12..16, wait 16..28: 3 nops. */
    assert_int_equal(kit_counter(&kit, "nops.written"), 4);
    assert_int_equal(kit_counter(&kit, "nops.packing"), 3);
    assert_int_equal(kit_counter(&kit, "nops.wait"), 3);
    assert_int_equal(kit_indexed(&kit, "nops.tags", 3), 3);
    assert_int_equal(kit_counter(&kit, "nops.empty"), 0);
    assert_int_equal(kit_counter(&kit, "pe_statements"), 6);
    assert_int_equal(kit_counter(&kit, "mv_statements"), 1);
    assert_int_equal(kit_counter(&kit, "steps"), 12); /* 2 + 4 + 3 + 3 */
    assert_int_equal(kit.summary.cycles, 48);
    kit_consistent(&kit);
    kit_free(&kit);
}

/* mvnop is an MV statement that does nothing (3.5.8.1): it counts as one where the program writes
 * it, not where packing fills a slot, and moves nothing. */
static void mv_statements(void **unused)
{
    (void)unused;
    static const struct {
        const char *text;
        unsigned mv, transfers;
    } rows[] = {
        {"nop\n", 0, 0},
        {"nop/30\n", 0, 0}, /* ten full units: their mvnops are the packer's */
        {"mvnop\n", 1, 0},
        {"mvnop\nmvnop\nnop\n", 2, 0},
        {"mvp/n64 $p0@0 $d0@0\nmvnop\nnop\n", 2, 1},
    };
    static const char *const packings[] = {"none", "auto", "flat"};
    for (size_t i = 0; i < 3 * (sizeof rows / sizeof *rows); i++) {
        struct kit kit = {.options = {.packing = packings[i % 3]}};
        assert_int_equal(kit_run(&kit, rows[i / 3].text), 0);
        assert_int_equal(kit_counter(&kit, "mv_statements"), rows[i / 3].mv);
        assert_int_equal(kit.transfer_count, rows[i / 3].transfers);
        kit_consistent(&kit);
        kit_free(&kit);
    }
}

/*
 * Supply: a unit is 128 bytes, the buffer of 4096 holds 32 and is full at cycle 0. At 8 bytes a
 * cycle a unit of auto (12 cycles) gets 96 back: unit k finds 4096 - 32 k bytes. Unit 124 finds
 * 128, just enough; unit 125 finds 96 and waits (128 - 96) / 8 = 4 cycles, and so does each unit
 * after it.
 * flat: 8 cycles give 64 back: unit 62 finds 128, unit 63 finds 64 and waits 8.
 */
static void instruction_supply(void **unused)
{
    (void)unused;
    static const struct row rows[] = {
        {"auto", {"supply_bytes=8", "buffer_bytes=4096"}, "nop/375\n", 1500}, /* 125 units */
        {"auto", {"supply_bytes=8", "buffer_bytes=4096"}, "nop/376\n", 1516}, /* 126: 4 more */
        {"auto", {"supply_bytes=8", "buffer_bytes=4096"}, "nop/390\n", 1580}, /* 130: 5 x 4 */
        {"flat", {"supply_bytes=8", "buffer_bytes=4096"}, "nop/126\n", 504},  /* 63 units */
        {"flat", {"supply_bytes=8", "buffer_bytes=4096"}, "nop/128\n", 520},  /* 64: 8 more */
        /* Half a byte a cycle: 32 units from the buffer, which got 12 x 32 / 2 = 192 back by then:
         * unit 32 (at 384) finds 192, unit 33 (at 396) finds 70 and waits 116 cycles. */
        {"auto", {"supply_bytes=0.5", "buffer_bytes=4096"}, "nop/99\n", 396},
        {"auto", {"supply_bytes=0.5", "buffer_bytes=4096"}, "nop/102\n", 524},
    };
    CHECK_ROWS(rows);
    struct kit kit = {.options = {.packing = "auto"},
                      .sets = {"supply_bytes=8", "buffer_bytes=4096"}};
    assert_int_equal(kit_run(&kit, "nop/390\n"), 0);
    assert_int_equal(kit_counter(&kit, "nops.empty"), 5);
    assert_int_equal(kit_cycles(&kit, "issue", REASON_EMPTY), 20);
    assert_int_equal(kit_cycles(&kit, "alu", REASON_EMPTY), 20);
    assert_int_equal(kit.summary.cycles_documented, 1560);
    kit_consistent(&kit);
    kit_free(&kit);
}

/* The longest nop/n there is, whose units cost time. flat: 2^31 units of 8 cycles and a slot of 64.
 * Of those that wait for the supply fewer, since each is one step of the model. auto at 8 bytes a
 * cycle:
 * as above, 125 units without a wait and 4 cycles for each that follows. At 1/65536 of a byte a
 * cycle (the least there is) a unit of flat that finds its buffer empty waits 128 x 65536 cycles
 * less the 8 of the unit before; the first 32 and 8 x 32 / 65536 are there. */
static void longest_nops(void **unused)
{
    (void)unused;
    const uint64_t nops = UINT32_MAX, few = 300000, by_three = few / 3;
    assert_int_equal(
        kit_total("flat", (const char *const[]){"mv_slot_steps_flat=16", NULL}, "nop/4294967295\n"),
        (nops + 1) / 2 * 72);
    assert_int_equal(kit_total("auto",
                               (const char *const[]){"supply_bytes=8", "buffer_bytes=4096", NULL},
                               "nop/300000\n"),
                     by_three * 12 + (by_three - 125) * 4);
    /* Unit 32 finds 256 of 65536 x 128 parts. */
    assert_int_equal(kit_total("flat",
                               (const char *const[]){"supply_bytes=0.0000152587890625",
                                                     "buffer_bytes=4096", NULL},
                               "nop/300000\n"),
                     32 * 8 + (few / 2 - 32) * (128 * 65536) - 256 + 8);
    /* Between two of them the buffer fills up again, and the parts add up. */
    struct kit kit = {.options = {.packing = "auto"},
                      .sets = {"supply_bytes=8", "buffer_bytes=4096"}};
    assert_int_equal(kit_run(&kit, "nop/300000\nlpassa $lm0v $ln0v\nnop/299997\n"), 0);
    const uint64_t units = 2 * by_three; /* one step and two of padding in the last */
    assert_int_equal(kit.summary.cycles, units * 12 + (units - 125) * 4);
    assert_int_equal(kit_counter(&kit, "nops.written"), 2 * few - 3);
    assert_int_equal(kit_counter(&kit, "nops.empty"), units - 125);
    assert_int_equal(kit_cycles(&kit, "issue", REASON_EMPTY), 4 * (units - 125));
    kit_consistent(&kit);
    kit_free(&kit);
}

/* A run that emits intervals can be stopped in the middle of a nop/n; its intervals tile. */
static void stopped_in_nops(void **unused)
{
    (void)unused;
    for (uint64_t stop = 1; stop < 30; stop++) {
        struct kit kit = {.options = {.packing = "flat"},
                          .sets = {"mv_slot_steps_flat=1", "supply_bytes=8", "buffer_bytes=4096"},
                          .detail = true,
                          .stop_after = stop};
        assert_int_equal(kit_run(&kit, "nop\nnop/4294967295\n"), 0);
        assert_int_equal(kit_counter(&kit, "nops.written"), stop);
        assert_int_equal(kit_counter(&kit, "pe_statements"), stop);
        assert_int_equal(kit_cycles(&kit, "issue", REASON_NOP), 4 * stop);
        assert_int_equal(kit_counter(&kit, "steps") * 4, kit.summary.cycles);
        uint64_t counted = 0;
        for (size_t i = 0; i < kit.stmt_total_count; i++)
            if (kit.stmt_totals[i].reason == REASON_NOP)
                counted += kit.stmt_totals[i].cycles;
        assert_int_equal(counted, 4 * stop);
        kit_consistent(&kit);
        kit_free(&kit);
    }
}

/* P->C inside a group: 64 long words in 4 cycles. The waiting step is the last: 4 cycles more. */
static void waits(void **unused)
{
    (void)unused;
#define MV64 "mvp/n64i01 $p0@0 $lc0@0.0\n"
    static const struct row rows[] = {
        {"none", {"mv_start_latency=0", "mv_notice_latency=0"}, MV64 "nop; wait i01\n", 8},
        {"none", {"mv_start_latency=0", "mv_notice_latency=1"}, MV64 "nop; wait i01\n", 12}, /* 5 */
        {"none", {"mv_start_latency=0", "mv_notice_latency=4"}, MV64 "nop; wait i01\n", 12}, /* 8 */
        {"none", {"mv_start_latency=0", "mv_notice_latency=5"}, MV64 "nop; wait i01\n", 16}, /* 9 */
        {"none", {"mv_start_latency=3", "mv_notice_latency=1"}, MV64 "nop; wait i01\n", 12},
        {"none", {"mv_start_latency=4", "mv_notice_latency=1"}, MV64 "nop; wait i01\n", 16},
        {"none", {NULL}, MV64 "nop; wait i01\n", 40},                  /* 16 + 4 + 16 = 36 */
        {"none", {DIRECT}, MV64 "nop/3\nnop; wait i01\n", 16},         /* long done */
        {"none", {DIRECT}, MV64 "nop/3; wait i01\n", 16},              /* 4 + 3 x 4 */
        {"none", {DIRECT}, MV64 "nop; wait i01\nnop; wait i01\n", 12}, /* the second is free */
        /* A tag carried twice: 4 and 8 cycles on disjoint ports. */
        {"none", {DIRECT}, MV64 "mvp/n128i01 $p0@1 $lc0@1.0\nnop; wait i01\n", 12},
        {"none", {DIRECT}, "mvp/n128i01 $p0@1 $lc0@1.0\n" MV64 "nop; wait i01\n", 12},
        /* A wait holds back the MV statements behind it (3.6.13): 4 + 4, then 8 + 4 and 4. */
        {"none", {DIRECT}, MV64 "nop; wait i01\nmvp/n64i02 $p64@0 $lc64@0.0\nnop; wait i02\n", 16},
        /* Completion on and off the step boundary: mvb D->C moves 64 in 2 cycles; no DRAM delay. */
        {"none",
         {DIRECT, "dram_trcd=0", "dram_tcl=0", "dram_controller=0"},
         "mvb/n64i01 $d0 $lc0\nnop; wait i01\n",
         12}, /* 3 (tCCD) + 2 = 5 -> 8 */
    };
    CHECK_ROWS(rows);
#undef MV64
}

/* Strict: what 3.6.3.9 asks for is refused when missing; --interlock waits instead. */
static uint64_t interlocked(const char *text)
{
    struct kit kit = {.options = {.packing = "none", .interlock = true}};
    assert_int_equal(kit_run(&kit, text), 0);
    kit_consistent(&kit);
    const uint64_t total = kit.summary.cycles;
    kit_free(&kit);
    return total;
}

static bool legal(const char *text)
{
    struct kit kit = {.options = {.packing = "none"}, .checked = true};
    const int status = kit_run(&kit, text);
    kit_free(&kit);
    return status == 0;
}

static void interlock(void **unused)
{
    (void)unused;
    /* LM: 2 empty steps. The last write takes 6 cycles more. */
    assert_false(legal("lpassa $lm0v $ln0v\nnop\nlpassa $ln0v $lr0v\n"));
    assert_true(legal("lpassa $lm0v $ln0v\nnop/2\nlpassa $ln0v $lr0v\n"));
    assert_int_equal(interlocked("lpassa $lm0v $ln0v\nlpassa $ln0v $lr0v\n"), 16 + 6);
    assert_int_equal(interlocked("lpassa $lm0v $ln0v\nnop\nlpassa $ln0v $lr0v\n"), 16 + 6);
    assert_int_equal(interlocked("lpassa $lm0v $ln0v\nnop/2\nlpassa $ln0v $lr0v\n"), 16 + 6);
    assert_int_equal(interlocked("lpassa $lm0v $ln0v\nnop/3\nlpassa $ln0v $lr0v\n"), 20 + 6);
    /* GRF, cycle by cycle: written in 0 and 1: readable in 7 and 8, so the step at 8 reads it;
     * written in 2 and 3: readable in 9 and 10, so the step at 12 does. */
    assert_int_equal(interlocked("imm f\"1.0\" $r0/1000\ndvadd $lm0v $r0e $ln0v\n"), 12 + 6);
    assert_int_equal(interlocked("imm f\"1.0\" $r0/0100\ndvadd $lm0v $r0e $ln0v\n"), 12 + 6);
    assert_int_equal(interlocked("imm f\"1.0\" $r0/0010\ndvadd $lm0v $r0e $ln0v\n"), 16 + 6);
    assert_int_equal(interlocked("imm f\"1.0\" $r0/0001\ndvadd $lm0v $r0e $ln0v\n"), 16 + 6);
    /* L1BM -> L2BM, then L2BM -> L1BM: 3 empty steps (3.6.3.2). */
    assert_int_equal(interlocked("l2bm@0 $lb0 $lc0\nl2bmb $lc64 $lb64\n"), 20 + 6);
    /* L1BM -> L2BM, then an MV that reads it: 1 empty step (3.6.3.1), issue at 8; an MV statement
     * costs no step: the last step ended at 4, the transfer's end counts. It reads from 14 on, when
     * what lands in 10..13 is there, for 4 cycles. */
    struct kit kit = {.options = {.packing = "none", .interlock = true}, .sets = {DIRECT}};
    assert_int_equal(kit_run(&kit, "l2bm@0 $lb0 $lc0\nmvp/n64 $lc0@0.0 $p0@0\n"), 0);
    assert_int_equal(kit.transfers[0].issued, 8);
    assert_int_equal(kit.summary.cycles, 18);
    assert_int_equal(kit.edge_count, 1);
    assert_int_equal(kit.edges[0].src, 0);
    assert_int_equal(kit.edges[0].dst, 1);
    assert_string_equal(kit.edges[0].rule, "3.6.3.1");
    assert_int_equal(kit.edges[0].waited, 4);
    kit_free(&kit);
}

/* A wait on time is a binding edge from the MV to the statement. */
static void edges_of_waits(void **unused)
{
    (void)unused;
    struct kit kit = {.options = {.packing = "none"}, .sets = {DIRECT}};
    assert_int_equal(
        kit_run(&kit, "mvp/n192i01 $p0@0 $lc0@0.0\nlpassa $lm0v $ln0v\nnop; wait i01\n"), 0);
    assert_int_equal(kit.edge_count, 1); /* 3 x 4 = 12; the step wants 4 */
    const struct sink_edge *edge = &kit.edges[0];
    assert_int_equal(edge->src, 0);
    assert_int_equal(edge->dst, 2);
    assert_int_equal(edge->kind, EDGE_TAG);
    assert_int_equal(edge->released, 12);
    assert_int_equal(edge->at, 12);
    assert_int_equal(edge->waited, 8);
    assert_int_equal(kit.transfers[0].waited, 8);
    assert_int_equal(kit.transfers[0].waited_by, 2);
    /* The path: [0,12) the transfer, [12,16) the step. */
    assert_int_equal(kit.summary.crit_count, 2);
    assert_int_equal(kit.summary.crit[0].first_stmt, 0);
    assert_int_equal(kit.summary.crit[0].duration, 12);
    assert_int_equal(kit.summary.crit[1].duration, 4);
    /* lpassa could issue a step later, for its write then has landed at 14, two steps later at 18;
     * the MV and the waiting step could not. */
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(kit_slack(&kit, i), i == 1 ? 4 : 0);
    kit_consistent(&kit);
    kit_free(&kit);
}

/* The worked example of docs/timing.md. */
static void worked_example(void **unused)
{
    (void)unused;
#define REST                                                                                       \
    "mvp/n64i02 $p128@0 $lc0@0.1\nlpassa $lm0v $ln0v\nnop; wait i01\nl2bmb $lc0 $lb0; wait i02\n"
    struct kit kit = {.options = {.packing = "none"}, .sets = {DIRECT}, .detail = true};
    assert_int_equal(kit_run(&kit, "mvp/n128i01 $p0@0 $lc0@0.0\n" REST), 0);
    assert_int_equal(kit.summary.cycles, 26);
    assert_int_equal(kit_indexed(&kit, "nops.tags", 1), 2);
    assert_int_equal(kit.transfers[0].finished, 12);
    assert_int_equal(kit.transfers[1].finished, 8);
    static const struct sink_crit path[] = {{0, 4, 0, 0, 0, REASON_BUSY},
                                            {4, 4, 1, 1, 0, REASON_BUSY},
                                            {8, 4, 0, 0, 0, REASON_BUSY},
                                            {12, 8, 3, 4, 0, REASON_BUSY},
                                            {20, 6, 4, 4, 0, REASON_DATA}};
    assert_int_equal(kit.summary.crit_count, 5);
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(kit.summary.crit[i].reason, path[i].reason);
        assert_int_equal(kit.summary.crit[i].start, path[i].start);
        assert_int_equal(kit.summary.crit[i].duration, path[i].duration);
        assert_int_equal(kit.summary.crit[i].first_stmt, path[i].first_stmt);
        assert_int_equal(kit.summary.crit[i].last_stmt, path[i].last_stmt);
    }
    kit_consistent(&kit);
    kit_free(&kit);
    struct kit first = {.options = {.packing = "none"}, .sets = {DIRECT}};
    assert_int_equal(kit_run(&first, "mvp/n128i01p1 $p0@0 $lc0@0.0\n" REST), 0);
    assert_int_equal(first.summary.cycles, 22);
    kit_free(&first);
    struct kit chip = {.options = {.packing = "none"}};
    assert_int_equal(kit_run(&chip, "mvp/n128i01 $p0@0 $lc0@0.0\n" REST), 0);
    assert_int_equal(chip.summary.cycles, 58);            /* 16 before, 16 after */
    assert_int_equal(chip.summary.cycles_documented, 22); /* nothing limits the PDM: 8 and 4 */
    kit_free(&chip);
#undef REST
}

/* The same cycles whatever the slices in which the run is driven, and with values. */
static void same_however_driven(void **unused)
{
    (void)unused;
    static const char text[] = "mvp/n256i01p1 $p0@0 $lc0@0.0\nmvp/n256i02 $p1024@0 $d0@0\n"
                               "lpassa $lm0v $ln0v\nnop; wait i01\nmvp/n128i03 $d0@0 $lc0@0.1\n"
                               "lpassa $lm8v $ln8v; wait i02\nnop; wait i03\n";
    struct kit whole = {0}, small = {.budget = 1}, values = {.values = true, .budget = 3};
    assert_int_equal(kit_run(&whole, text), 0);
    assert_int_equal(kit_run(&small, text), 0);
    assert_int_equal(kit_run(&values, text), 0);
    assert_int_equal(whole.summary.cycles, small.summary.cycles);
    assert_int_equal(whole.summary.cycles, values.summary.cycles);
    for (size_t i = 0; i < whole.transfer_count; i++) {
        assert_int_equal(whole.transfers[i].finished, small.transfers[i].finished);
        assert_int_equal(whole.transfers[i].finished, values.transfers[i].finished);
    }
    kit_consistent(&whole);
    kit_free(&whole);
    kit_free(&small);
    kit_free(&values);
}

static void stopped_early(void **unused)
{
    (void)unused;
    struct kit kit = {.options = {.packing = "none"}, .stop_after = 3};
    assert_int_equal(kit_run(&kit, "mvp/n4096i01 $p0@0 $d0@0\nlpassa $lm0v $ln0v\nnop/9\nnop\n"),
                     0);
    assert_false(kit.summary.complete);
    assert_int_equal(kit.summary.cycles_documented, 0);
    assert_true(kit.summary.cycles >= 40);
    kit_consistent(&kit);
    kit_free(&kit);
}

/* Writes that are to land when a run stops count up to its end, though no event has come for them:
 * what units did is what their statements did. */
static void stopped_before_landings(void **unused)
{
    (void)unused;
    for (uint64_t stop = 1; stop < 60; stop++)
        for (unsigned documented = 0; documented < 2; documented++) {
            struct kit kit = {
                .options = {.packing = "none", .documented = documented, .no_run_ahead = true},
                .stop_after = stop};
            assert_int_equal(kit_run(&kit, "lpassa $lm0v $ln0v\nl2bm@0 $lb0 $lc0\nlpassa $t $lr0v\n"
                                           "mvp/n64i01 $p0@0 $d0@0\nlpassa $lm8v $ls0v $t\nnop\n"
                                           "l2bm@1 $lb64 $lc64\nlpassa $lr0v $ln8v\n"),
                             0);
            kit_consistent(&kit);
            kit_free(&kit);
        }
}

/* Short runs of nops show every unit; long ones are one nop/n, and packing the text again gives the
 * same text. */
static void print_packed(void **unused)
{
    (void)unused;
    static const struct {
        const char *text, *packing;
        enum packing form;
        const char *expected; /* NULL: only that it is short and stays the same */
    } cases[] = {
        {"nop/4\n", "auto", PACKING_AUTO, "nop\nnop\nnop\nmvnop\nnop\nnop\nnop\nmvnop\n"},
        {"nop/3\nnop; wait i01\n", "flat", PACKING_FLAT,
         "nop\nnop\nmvnop\nnop\nnop; wait i01\nmvnop\n"},
        {"nop/1000000000\n", "auto", PACKING_AUTO, "nop/999999999\nmvnop\nnop\nnop\nnop\nmvnop\n"},
        {"nop/1000000000\n", "flat", PACKING_FLAT, "nop/1000000000\nmvnop\n"},
        {"noforward\nnop/53\n", "auto", PACKING_AUTO,
         "noforward\nnop\nnop\nmvnop\nnop/51\nmvnop\n"},
        {"nop/4294967295; wait i01\nmvnop\n", "flat", PACKING_FLAT,
         "nop; wait i01\nnop\nmvnop\nnop/4294967292\nmvnop\nnop\nnop\nmvnop\n"},
        {"noforward\nnop/1000\nmvnop\nnop/48\n", "auto", PACKING_AUTO, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = strdup(cases[i].text);
        for (int round = 0; round < 2; round++) {
            struct diag_list diags;
            struct source source;
            struct program program;
            diag_list_init(&diags);
            assert_int_equal(source_from_text(&source, "t.vsm", text, strlen(text)), 0);
            assert_int_equal(mncore2_program_parse(&program, &source, 1, &diags), 0);
            char *printed = NULL;
            size_t size = 0;
            FILE *out = open_memstream(&printed, &size);
            assert_non_null(out);
            assert_int_equal(mncore2_stream_print(&program, cases[i].form, true, out), 0);
            fclose(out);
            assert_true(size < 500);
            if (cases[i].expected)
                assert_string_equal(printed, cases[i].expected);
            if (round > 0)
                assert_string_equal(printed, text);
            mncore2_program_free(&program);
            source_close(&source);
            diag_list_free(&diags);
            /* Both texts take the same time. */
            if (round == 0 && strlen(cases[i].text) < 12)
                assert_int_equal(kit_total(cases[i].packing, (const char *const[6]){NULL}, printed),
                                 kit_total(cases[i].packing, (const char *const[6]){NULL}, text));
            free(text);
            text = printed;
        }
        free(text);
    }
}

/* On the critical path stalls for the supply are one row, but not across a wait: the transfer's
 * notice has long arrived, so that the wait itself takes no time. */
static void wait_between_stalls(void **state)
{
    (void)state;
    static const char *const texts[] = {"mvp/n64i01 $p0@0 $d0@0\nnop/99\nnop; wait i01\nnop/99\n",
                                        "mvp/n64 $p0@0 $d0@0\nnop/99\nnop\nnop/99\n"};
    for (size_t i = 0; i < 2; i++) {
        struct kit kit = {.options = {.packing = "auto"},
                          .sets = {"supply_bytes=128", "unit_bytes=4096", "buffer_bytes=4096"}};
        assert_int_equal(kit_run(&kit, texts[i]), 0);
        kit_consistent(&kit);
        size_t starved = 0;
        for (size_t c = 0; c < kit.summary.crit_count; c++)
            starved += kit.summary.crit[c].reason == REASON_EMPTY;
        assert_int_equal(starved, i == 0 ? 2 : 1);
        assert_int_equal(kit_cycles(&kit, "issue", REASON_TAG), 0);
        kit_free(&kit);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_as_written),
        cmocka_unit_test(packing),
        cmocka_unit_test(default_packing),
        cmocka_unit_test(nops_by_cause),
        cmocka_unit_test(mv_statements),
        cmocka_unit_test(instruction_supply),
        cmocka_unit_test(longest_nops),
        cmocka_unit_test(stopped_in_nops),
        cmocka_unit_test(waits),
        cmocka_unit_test(interlock),
        cmocka_unit_test(edges_of_waits),
        cmocka_unit_test(worked_example),
        cmocka_unit_test(same_however_driven),
        cmocka_unit_test(stopped_before_landings),
        cmocka_unit_test(stopped_early),
        cmocka_unit_test(print_packed),
        cmocka_unit_test(wait_between_stalls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
