/*
 * Rules of time by hand, both edges: a loop whose caches are full takes so many cycles a turn.
 *
 *   1: addi s0, s0, -1; BODY; bnez s0, 1b
 *
 * addi goes in cycle 0. An instruction leaves its collector 2 cycles behind its issue, or 3 and one
 * for each register that its busiest bank reads; what its unit gives L cycles later is written in
 * that cycle and read in the next one; the next instruction of the warp goes when it has left. So
 * bnez goes in cycle 5, leaves in cycle 10 (s0 and x0 are of one bank), and is decided in cycle
 * 11 + branch_latency; what it goes to can issue fetch_latency + 2 behind that.
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/ventus/timed.h"

/* --- turns of a loop -------------------------------------------------------------------------- */

struct row {
    const char *body;
    int64_t more; /* cycles that bnez goes later than in the turn without a body */
    const char *settings;
};

/* Bodies know: s1 = a buffer of 8 KiB at a multiple of 4 KiB; s2 = 3, s3 = 5; v1 = lanes; v2 = s1 +
 * 4 * lane, v3 = s1 + 8 * lane, v4 = s1 + 256 * lane, v5 = local + 4 * lane, v6 = local + 128 *
 * lane, v7 = local, v8 = 2 * lane; a warp of four threads. */
static const char loop[] =
    " .launch threads 4\n .launch workgroup %u\n .launch grid 1\n .launch local 4096\n .arg d\n .text\n"
    " csrr t0, knl\n lw t0, 4(t0)\n lw s1, 0(t0)\n li s2, 3\n li s3, 5\n"
    " vid.v v1\n vsll.vi v2, v1, 2\n vadd.vx v2, v2, s1\n"
    " vsll.vi v3, v1, 3\n vadd.vx v3, v3, s1\n"
    " vsll.vi v4, v1, 8\n vadd.vx v4, v4, s1\n"
    " csrr t1, lds\n vsll.vi v5, v1, 2\n vadd.vx v5, v5, t1\n"
    " vsll.vi v6, v1, 7\n vadd.vx v6, v6, t1\n vmv.v.x v7, t1\n"
    " vsll.vi v8, v1, 1\n li s0, %u\n"
    " .balign 8\n1: addi s0, s0, -1\n %s\n bnez s0, 1b\n endprg\n"
    " .buffer d, 8192\n";

static uint64_t turn_of(const char *body, const char *settings, uint32_t threads)
{
    static struct ran ran;
    uint64_t cycles[3];
    struct config config;
    read_config(&config, settings);
    for (unsigned i = 0; i < 3; i++) {
        char text[4000];
        snprintf(text, sizeof text, loop, threads, 40 + 40 * i, body);
        run_text(&ran, text, &config, false);
        cycles[i] = ran.cycles;
    }
    config_free(&config);
    if (cycles[1] - cycles[0] != cycles[2] - cycles[1] || (cycles[1] - cycles[0]) % 40)
        fail_msg("%s: %" PRIu64 " and %" PRIu64 " cycles for 40 turns (%s)", body,
                 cycles[1] - cycles[0], cycles[2] - cycles[1], settings);
    return (cycles[1] - cycles[0]) / 40;
}

static void expect_rows(const struct row *rows, size_t count)
{
    bool wrong = false;
    for (size_t i = 0; i < count; i++) {
        struct config config;
        const char *settings = rows[i].settings ? rows[i].settings : "";
        read_config(&config, settings);
        const uint64_t empty =
            13 + number(&config, "branch_latency") + number(&config, "fetch_latency");
        const uint64_t turn = turn_of(rows[i].body, settings, 4);
        if (turn != empty + (uint64_t)rows[i].more) {
            print_error("%s: %" PRIu64 " cycles a turn, not %" PRIu64 " + %" PRId64 " (%s)\n",
                        rows[i].body, turn, empty, rows[i].more, settings);
            wrong = true;
        }
        config_free(&config);
    }
    assert_false(wrong);
}
#define EXPECT(rows) expect_rows(rows, sizeof(rows) / sizeof *(rows))

static void issue_rules(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"", 0, NULL},
        {"", 0, "branch_latency=5"},
        {"", 0, "fetch_latency=6"},
        {"addi a0, s2, 1", 3, NULL},                  /* 4, bnez 8 */
        {"addi a0, s2, 1\n addi a1, s2, 1", 7, NULL}, /* 4, 8, bnez 12 */
        {"addi a0, s2, 1\n addi a0, a0, 1", 8, NULL}, /* 4, 9, bnez 13 */
        {"addi a0, s2, 1\n addi a0, a0, 1\n addi a0, a0, 1", 13, NULL},
        {"lui a0, 1", 1, NULL},                        /* 4; no operand: it leaves in 6 */
        {"mul a0, s2, s3\n addi a1, a0, 1", 10, NULL}, /* 4, leaves 8, written 10; 11, bnez 15 */
        {"mul a0, s2, s3\n addi a1, a0, 1", 14, "mul_latency=6"},
        {"vadd.vi v20, v1, 1\n vadd.vi v20, v20, 1", 8, NULL},
        {"vadd.vi v20, v1, 1\n vadd.vi v21, v1, 1", 7, NULL},
        {"vfadd.vv v20, v1, v2\n vfadd.vv v20, v20, v3", 10, NULL},
        {"vfmax.vv v20, v1, v2\n vfadd.vv v20, v20, v3", 9, NULL},
        {"vfmacc.vv v20, v1, v2\n vfadd.vv v20, v20, v3", 12, NULL}, /* v1, v2, v20: 1, 2, 0 */
        /* Rows show the results of both, so they are not later for those that no row shows. */
        {"vfmacc.vv v20, v1, v2\n vfadd.vv v20, v20, v3", 12, "unseen_latency=2"},
    };
    EXPECT(rows);
}

/* Registers n and n + 4 share a bank; a register named twice is read twice. */
static void banks(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"add a0, s2, s3", 3, NULL}, /* x18, x19 */
        {"add a0, s2, s6", 4, NULL}, /* x18, x22 */
        {"add a0, s2, s2", 4, NULL},      {"add a0, s2, s6", 3, "register_banks=8"},
        {"vadd.vv v20, v1, v2", 3, NULL}, {"vadd.vv v20, v1, v5", 4, NULL},
        {"vadd.vx v20, v1, s2", 3, NULL}, /* banks of their own: v1, x18 */
        {"vmadd.vv v5, v1, v9", 5, NULL}, /* v1, v5, v9: three in a bank */
    };
    EXPECT(rows);
}

/* A pass takes sfu_pass cycles and one for each bit of the longest quotient of its lanes. */
static void divisions(void **state)
{
    (void)state;
    static const struct row rows[] = {
        /* 4, leaves 8; 101 / 11 takes two steps: written at 8 + 4 + 2 + 1; 16, bnez 20. */
        {"divu a0, s3, s2\n addi a1, a0, 1", 15, NULL},
        {"divu a0, s2, s3\n addi a1, a0, 1", 13, NULL}, /* 3 / 5 has none */
        {"divu a0, s3, s2\n addi a1, a0, 1", 21, "sfu_pass=10"},
        {"divu a0, s3, s2\n addi a1, a0, 1", 18, "sfu_latency=4"},
        /* Lanes 0 to 3 by 3: none, none, none, one bit; four passes of a lane, two of two lanes,
         * or one of all. */
        {"vdivu.vx v20, v1, s2\n vadd.vi v20, v20, 1", 26, NULL},
        {"vdivu.vx v20, v1, s2\n vadd.vi v20, v20, 1", 18, "sfu_threads=2"},
        {"vdivu.vx v20, v1, s2\n vadd.vi v20, v20, 1", 14, "sfu_threads=1"},
        {"vdivu.vx v20, v1, s2\n vadd.vi v20, v20, 1", 18, "sfu_lanes=2"},
        {"vdivu.vx v20, v1, s2\n vadd.vi v20, v20, 1", 14, "sfu_lanes=8"}, /* of four threads */
    };
    EXPECT(rows);
}

/* A load goes at 4, leaves at 8, is taken at 9, asks for its first line at 11, has it at 13 and
 * writes it at 14. */
#define HIT " l1d_latency=2"
static void loads(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"lw a0, 0(s1)\n addi a1, a0, 1", 14, HIT}, /* addi at 15, bnez at 19 */
        {"lw a0, 0(s1)\n addi a1, a0, 1", 17, HIT " address_cycles=5"},
        {"lw a0, 0(s1)\n addi a1, a0, 1", 32, " l1d_latency=20"},
        {"vlw12.v v20, 0(v2)\n vadd.vi v21, v20, 1", 15, HIT}, /* 16 bytes: two lines */
        {"vlw12.v v20, 0(v2)\n vadd.vi v21, v20, 1", 14, HIT " l1d_line=16"},
        {"vlw12.v v20, 0(v3)\n vadd.vi v21, v20, 1", 17, HIT}, /* four lines */
        {"vlw12.v v20, 0(v3)\n vadd.vi v21, v20, 1", 14, HIT " l1d_line=32"},
        {"vlbu12.v v20, 0(v1)\n vadd.vi v21, v20, 1", 15, HIT}, /* private: words side by side */
        {"sw s2, 0(s1)", 3, HIT},                               /* nobody waits for it */
    };
    EXPECT(rows);
}

/* --- memory, once ----------------------------------------------------------------------------- */

static uint64_t cycles_of(const char *text, const char *settings)
{
    static struct ran ran;
    struct config config;
    read_config(&config, settings);
    run_text(&ran, text, &config, false);
    config_free(&config);
    return ran.cycles;
}

/* A launch is over end_cycles after its last endprg, whatever is still in flight. */
static void in_flight(void **state)
{
    (void)state;
    static const char *const bodies[] = {"lw t2, 4(t0)", "vfsqrt.v v2, v1", "vdivu.vv v2, v1, v1"};
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        static const char *const settings[] = {"", "ram_latency=400 float_bits=300 sfu_pass=300"};
        uint64_t cycles[2];
        for (unsigned k = 0; k < 2; k++) {
            static struct ran ran;
            struct config config;
            char text[400];
            snprintf(text, sizeof text,
                     " .launch threads 4\n .launch workgroup 4\n .text\n csrr t0, knl\n"
                     " vmv.v.i v1, 3\n .balign 8\n %s\n endprg\n",
                     bodies[i]);
            read_config(&config, settings[k]);
            run_text(&ran, text, &config, false);
            config_free(&config);
            cycles[k] = ran.cycles;
            while (!ran.issued[cycles[k] - 1])
                cycles[k]--;
            cycles[k] = ran.cycles - (cycles[k] - 1); /* after the last issue */
            assert_true(ran.last <= ran.cycles);
        }
        assert_int_equal(cycles[0], 3);
        assert_int_equal(cycles[1], 3);
    }
}

/* A fence holds the warp until its loads and stores are done: a store is answered l1d_latency
 * after its line. */
static void fences(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"fence", 1, HIT},                                  /* leaves 6, no operand */
        {"lw a0, 0(s1)\n fence\n addi a1, s3, 1", 14, HIT}, /* 4, 8; written 14; 15, bnez 19 */
        {"lw a0, 0(s1)\n fence\n addi a1, s3, 1", 32, " l1d_latency=20"},
        {"sw s2, 0(s1)\n fence\n addi a1, s3, 1", 14, HIT},
    };
    EXPECT(rows);
}

/* Lines that nobody has: they go to memory, one each `ram_interval`; an MSHR is held from the look
 * up until the line is there. One warp, one load of four lanes, 64 bytes apart. */
static void mshrs(void **state)
{
    (void)state;
    static const char text[] =
        " .launch threads 4\n .launch workgroup 4\n .arg d\n .text\n csrr t0, knl\n"
        " lw t0, 4(t0)\n lw s1, 0(t0)\n vid.v v1\n vsll.vi v1, v1, 6\n"
        " vadd.vx v1, v1, s1\n vlw12.v v2, 0(v1)\n vadd.vi v2, v2, 1\n"
        " endprg\n .buffer d, 4096\n";
/* The code is one line: nothing else is on its way. */
#define FAR    "ram_latency=4 l2_line=8 l1i_line=128"
#define MEMORY FAR " l2_interval=1"
    /* A line is there 2 + 5 + 4 + 2 + 3 cycles after it was looked up; answers that come side by
     * side may take the return stage a cycle more. */
    const uint64_t alone = 16, look = 3; /* the fourth line looks up three later */
    const uint64_t wide = cycles_of(text, MEMORY " ram_interval=1 l1d_mshrs=4");
    assert_int_equal(cycles_of(text, MEMORY " ram_interval=1 l1d_mshrs=5"), wide);
    const uint64_t one = cycles_of(text, MEMORY " ram_interval=1 l1d_mshrs=1");
    assert_true(one >= wide - look + 3 * alone - 1 && one <= wide - look + 3 * alone);
    /* With two, the third goes when the first is there, the fourth when the second is. */
    const uint64_t two = cycles_of(text, MEMORY " ram_interval=1 l1d_mshrs=2");
    assert_true(two >= wide - look + alone - 1 && two <= wide - look + alone + 1);
    /* L2 takes a line every five cycles: the fourth 15 behind the first, not 3. */
    const uint64_t slow = cycles_of(text, FAR " l1d_mshrs=4 l2_interval=5 ram_interval=1");
    assert_true(slow >= wide + 11 && slow <= wide + 12);
}

/* --- shared memory ---------------------------------------------------------------------------- */

/* As a load of L1D, but a bank serves one lane a cycle, whatever word it wants. */
static void shared_memory(void **state)
{
    (void)state;
#define SHARED "local_path=shared l1d_line=128"
    static const struct row rows[] = {
        {"vlw12.v v20, 0(v5)\n vadd.vi v21, v20, 1", 14, SHARED}, /* neighbours */
        {"vlw12.v v20, 0(v7)\n vadd.vi v21, v20, 1", 17, SHARED}, /* one word: four rounds */
        {"vlw12.v v20, 0(v6)\n vadd.vi v21, v20, 1", 17, SHARED}, /* four lines */
        {"vlw12.v v20, 0(v5)\n vadd.vi v21, v20, 1", 15, SHARED " shared_banks=2"},
        {"vlw12.v v20, 0(v5)\n vadd.vi v21, v20, 1", 21, SHARED " shared_latency=9"},
    };
    EXPECT(rows);
    static struct ran ran;
    struct config config;
    char text[4000];
    read_config(&config, SHARED);
    snprintf(text, sizeof text, loop, 4, 10, "vlw12.v v20, 0(v7)");
    run_text(&ran, text, &config, false);
    assert_int_equal(ran.counters[VENTUS_COUNTER_SHARED], 10);
    assert_int_equal(ran.counters[VENTUS_COUNTER_CONFLICTS], 30);
    config_free(&config);
}

/* --- branches of threads, barriers ------------------------------------------------------------ */

/* v1 is 0 to 3: lanes 0 and 1 are below 2. Both ways are gone when they part, one when not. */
static void divergence(void **state)
{
    (void)state;
    static const char parts[] = "la t3, 3f\n setrpc x0, t3, 0\n li t4, %d\n vmv.v.x v20, t4\n"
                                " vblt v1, v20, 2f\n %s\n j 3f\n2: %s\n3: join\n";
    static const char two[] = "addi a0, s2, 1\n addi a1, s2, 1\n", none[] = "";
    uint64_t turns[2][4]; /* all lanes to 2, or half of them; with two more on neither way, on the
                             first, the second, both */
    for (unsigned half = 0; half < 2; half++)
        for (unsigned k = 0; k < 4; k++) {
            char body[400];
            snprintf(body, sizeof body, parts, half ? 2 : 4, k & 1 ? two : none,
                     k & 2 ? two : none);
            turns[half][k] = turn_of(body, "fetch_width=4 buffer_groups=8", 4);
        }
    assert_int_equal(turns[0][1], turns[0][0]);
    assert_true(turns[0][2] >= turns[0][0] + 8);
    assert_int_equal(turns[0][3], turns[0][2]);
    assert_true(turns[1][1] >= turns[1][0] + 8);
    assert_true(turns[1][2] >= turns[1][0] + 8);
    assert_true(turns[1][3] >= turns[1][0] + 16);
    static struct ran ran;
    struct config config;
    char body[400], text[4000];
    read_config(&config, "");
    snprintf(body, sizeof body, parts, 2, two, two);
    snprintf(text, sizeof text, loop, 4, 10, body);
    run_text(&ran, text, &config, false);
    assert_int_equal(ran.counters[VENTUS_COUNTER_BRANCHES], 10);
    assert_int_equal(ran.counters[VENTUS_COUNTER_DIVERGENT], 10);
    config_free(&config);
}

/* A warp alone passes a barrier barrier_cycles after its issue, when it has left its collector,
 * which takes two, at the earliest: 4, bnez 7. Of two warps the one that comes first waits for the
 * other. */
static void barriers(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"barrier", 2, NULL},
        {"barrier\n barrier", 5, NULL},
        {"barrier", 5, "barrier_cycles=6"},
        {"barrier", 1, "barrier_cycles=1"},
    };
    EXPECT(rows);
    static const char late[] = " .launch threads 4\n .launch workgroup 8\n .text\n csrr t0, wid\n"
                               " beqz t0, 2f\n li t1, %u\n1: addi t1, t1, -1\n bnez t1, 1b\n"
                               "2: barrier\n endprg\n";
    uint64_t cycles[2];
    for (unsigned i = 0; i < 2; i++) {
        char text[400];
        snprintf(text, sizeof text, late, 100 + 40 * i);
        cycles[i] = cycles_of(text, "");
    }
    /* t1 and x0 are of two banks: a turn is a cycle shorter than that of s0. */
    assert_int_equal(cycles[1] - cycles[0], 40 * (turn_of("", "", 4) - 1));
}

/* --- several warps ---------------------------------------------------------------------------- */

/* Warps that wait for loads do so at the same time, until the load and store unit is the limit. */
static void warps_hide_latency(void **state)
{
    (void)state;
    static const char body[] = "lw a0, 0(s1)\n addi a1, a0, 1";
    const uint64_t one = turn_of(body, "l1d_latency=40", 4);
    assert_true(turn_of(body, "l1d_latency=40", 8) < one + one / 4);
    assert_true(turn_of(body, "l1d_latency=40", 16) < one + one / 2);
    /* Taken for 39 + 1 cycles a load, of eight warps in turn. */
    uint64_t cycles[2];
    for (unsigned i = 0; i < 2; i++) {
        char text[4000];
        snprintf(text, sizeof text, loop, 32, 40 + 40 * i, body);
        cycles[i] = cycles_of(text, "address_cycles=39");
    }
    assert_true(cycles[1] - cycles[0] >= 40 * 8 * 40);
    assert_true(cycles[1] - cycles[0] < 40 * 9 * 40);
}

/* --- workgroups ------------------------------------------------------------------------------- */

/* Four workgroups of two warps; what they may have decides how many an SM takes. */
static void occupancy(void **state)
{
    (void)state;
    static const struct {
        const char *launch, *settings;
        uint64_t warps;
    } rows[] = {
        {"sgprs 64\n .launch vgprs 64", "sms=1", 8},
        {"sgprs 64\n .launch vgprs 64", "sms=2", 4},
        {"sgprs 64\n .launch vgprs 64", "sms=4", 2},
        {"sgprs 64\n .launch vgprs 64", "sms=1 sm_warps=5", 4},
        {"sgprs 64\n .launch vgprs 64", "sms=1 sgprs=255", 6},
        {"sgprs 61\n .launch vgprs 64", "sms=1 sgprs=255", 6}, /* in steps of four */
        {"sgprs 60\n .launch vgprs 64", "sms=1 sgprs=240", 8},
        {"sgprs 64\n .launch vgprs 256", "sms=1", 8},
        {"sgprs 64\n .launch vgprs 253", "sms=1 vgprs=1023", 6},
        {"sgprs 64\n .launch vgprs 64\n .launch local 0x8000", "sms=1", 8},
        {"sgprs 64\n .launch vgprs 64\n .launch local 0x8001", "sms=1", 6},
        {"sgprs 64\n .launch vgprs 64\n .launch local 0x20000", "sms=1", 2},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        static struct ran ran;
        struct config config;
        char text[600];
        read_config(&config, rows[i].settings);
        snprintf(
            text, sizeof text,
            " .launch threads 4\n .launch workgroup 8\n .launch grid 4\n .launch %s\n .text\n li t1, 100\n"
            "1: addi t1, t1, -1\n bnez t1, 1b\n endprg\n",
            rows[i].launch);
        run_text(&ran, text, &config, false);
        if (ran.counters[VENTUS_COUNTER_WARPS_MOST] != rows[i].warps)
            fail_msg("%s, %s: %" PRIu64 " warps", rows[i].launch, rows[i].settings,
                     ran.counters[VENTUS_COUNTER_WARPS_MOST]);
        config_free(&config);
    }
}

/* --- whole programs --------------------------------------------------------------------------- */

/* 32 lanes of neighbouring words: sixteen lines of 8 bytes, one of 128. Half of the lanes idle. */
static void lines_of_chips(void **state)
{
    (void)state;
    static const char text[] = " .launch workgroup 32\n .arg d\n .text\n csrr t0, knl\n"
                               " lw t0, 4(t0)\n lw s1, 0(t0)\n vid.v v1\n vsll.vi v2, v1, 2\n"
                               " vadd.vx v2, v2, s1\n vlw12.v v3, 0(v2)\n li t1, 16\n"
                               " vmv.v.x v4, t1\n la t3, 1f\n setrpc x0, t3, 0\n"
                               " vblt v1, v4, 1f\n vadd.vi v5, v1, 1\n1: join\n endprg\n"
                               " .balign 128\n .buffer d, 4096\n";
    static struct ran old, new;
    char error[400];
    struct source overlay;
    struct config config;
    read_config(&config, "");
    run_text(&old, text, &config, false);
    assert_int_equal(source_open(&overlay, "config/ventus/ventus128.yaml", error, sizeof error), 0);
    const struct config_file file = {overlay.name, overlay.text, overlay.size};
    if (config_overlay(&config, &file, error, sizeof error) != 0)
        fail_msg("%s", error);
    run_text(&new, text, &config, false);
    assert_int_equal(old.counters[VENTUS_COUNTER_LINES], 2 + 16);
    assert_int_equal(new.counters[VENTUS_COUNTER_LINES], 2 + 1);
    assert_true(new.cycles < old.cycles);
    assert_int_equal(new.counters[VENTUS_COUNTER_ACCESSES], 2 + 32);
    assert_int_equal(old.idle, 48); /* of vadd, and of join on either way */
    assert_int_equal(old.of_lines[1], 2);
    assert_int_equal(old.of_lines[16], 1);
    assert_int_equal(new.of_lines[1], 3);
    source_close(&overlay);
    config_free(&config);
}

/* Where nobody waits for a unit the end comes no later, but each warp's instructions still follow
 * each other. */
static void alone(void **state)
{
    (void)state;
    static const char *const bodies[] = {"lw a0, 0(s1)\n addi a1, a0, 1\n sw a1, 8(s1)",
                                         "vlw12.v v20, 0(v3)\n vadd.vi v20, v20, 1",
                                         "divu a0, s2, s3\n barrier"};
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        static struct ran ran;
        char text[4000];
        struct config config;
        struct opened opened;
        uint64_t cycles = 0;
        read_config(&config, "");
        snprintf(text, sizeof text, loop, 16, 40, bodies[i]);
        open_text(&opened, &ran, text, &config, false);
        const struct model_options options = {.config = &config, .alone = true};
        assert_int_equal(run_again(opened.run, &options, &cycles), 0);
        assert_true(cycles <= ran.cycles);
        assert_true(cycles >= ran.counters[VENTUS_COUNTER_STEPS] / 4);
        close_text(&opened);
        config_free(&config);
    }
}

static void run_ahead_changes_nothing(void **state)
{
    (void)state;
    static const char *const bodies[] = {"",
                                         "vlw12.v v20, 0(v4)\n vadd.vi v21, v20, 1\n sw s2, 0(s1)",
                                         "divu a0, s2, s3\n vfadd.vv v20, v1, v2\n barrier"};
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        static struct ran ran[2];
        struct config config;
        char text[4000];
        read_config(&config, "");
        snprintf(text, sizeof text, loop, 32, 20, bodies[i]);
        run_text(&ran[0], text, &config, false);
        run_text(&ran[1], text, &config, true);
        assert_int_equal(ran[0].cycles, ran[1].cycles);
        assert_memory_equal(ran[0].counters, ran[1].counters, sizeof ran[0].counters);
        assert_memory_equal(ran[0].issued, ran[1].issued, sizeof ran[0].issued);
        config_free(&config);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(issue_rules),
        cmocka_unit_test(banks),
        cmocka_unit_test(divisions),
        cmocka_unit_test(in_flight),
        cmocka_unit_test(fences),
        cmocka_unit_test(loads),
        cmocka_unit_test(mshrs),
        cmocka_unit_test(shared_memory),
        cmocka_unit_test(divergence),
        cmocka_unit_test(barriers),
        cmocka_unit_test(warps_hide_latency),
        cmocka_unit_test(occupancy),
        cmocka_unit_test(lines_of_chips),
        cmocka_unit_test(alone),
        cmocka_unit_test(run_ahead_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
