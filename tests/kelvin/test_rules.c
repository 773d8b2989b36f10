/* Both edges of each timing rule, by hand: the cycles per iteration of a loop with full caches. `1:
 * addi s11, s11, -1; BODY; bnez s11, 1b`: addi is dispatched in cycle 0, bnez in cycle 1 at the
 * earliest, as it reads s11; the next iteration begins a cycle later (a taken branch ends its
 * group). So an iteration takes 2 cycles if nothing else limits it, else one more than the cycle of
 * bnez, or the cycles of a vector unit. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/takt_process.h"
#include "timing/kelvin/model.h"
#include "timing/machines.h"

static uint64_t cycles_of(const char *text, const char *setting)
{
    struct source source;
    struct machine_program program;
    uint64_t cycles;
    struct diag_list diags;
    struct config config;
    char error[400];
    diag_list_init(&diags);
    assert_int_equal(source_from_text(&source, "k.kelvin", text, strlen(text)), 0);
    if (kelvin_program_load(&program.program, &source, 1, &diags) != 0) {
        diag_print(&diags, &source, 1, stderr, false);
        fail_msg("%s", text);
    }
    assert_int_equal(machine_config(&machine_kelvin, &config, error, sizeof error), 0);
    if (setting)
        assert_int_equal(config_set(&config, setting, error, sizeof error), 0);
    if (run_cycles(&machine_kelvin, &program, &config, &cycles) != 0)
        fail_msg("%s", text);
    config_free(&config);
    kelvin_program_free(&program.program);
    diag_list_free(&diags);
    source_close(&source);
    return cycles;
}

/* Cycles of further, equal iterations. */
static void expect_turn(const char *body, const char *setting, uint64_t turn)
{
    uint64_t cycles[3];
    for (unsigned i = 0; i < 3; i++) {
        char text[2000];
        snprintf(text, sizeof text,
                 " la s0, d\n la s1, d+64\n li s11, %u\n li a6, 7 << 7\n li a7, 2 << 7\n li a5, 1\n"
                 " li a4, -1\n .balign 32\n1: addi s11, s11, -1\n %s\n bnez s11, 1b\n mpause\n"
                 " .balign 4\nf: ret\n .data\n .balign 32\nd: .zero 1024\n",
                 100 + 40 * i, body);
        cycles[i] = cycles_of(text, setting);
    }
    if (cycles[1] - cycles[0] != 40 * turn || cycles[2] - cycles[1] != 40 * turn)
        fail_msg("%s: %" PRIu64 " and %" PRIu64 " cycles for 40 turns, not %" PRIu64 " (%s)", body,
                 cycles[1] - cycles[0], cycles[2] - cycles[1], 40 * turn, setting ? setting : "");
}

struct row {
    const char *body;
    uint64_t turn;
    const char *setting;
};

static void expect_rows(const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++)
        expect_turn(rows[i].body, rows[i].setting, rows[i].turn);
}
#define EXPECT(rows) expect_rows(rows, sizeof(rows) / sizeof *(rows))

#define NOP3 "nop\n nop\n nop\n"
#define NOP4 "nop\n" NOP3

static void groups(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"", 2, NULL},
        {NOP3, 2, NULL},        /* the group of addi is full, bnez begins the next */
        {NOP3 NOP3, 2, NULL},   /* so is the next one */
        {NOP3 NOP4, 3, NULL},   /* bnez is the fifth */
        {"j 2f\n 2:", 2, NULL}, /* a jump ends its group: bnez in cycle 1 */
        {"j 2f\n 2: j 3f\n 3:", 3, NULL},
        {"csrr a0, mscratch", 3, NULL}, /* alone in cycle 1: first and last of its group */
        {"csrr a0, mscratch\n csrr a1, mscratch", 4, NULL},
        {"fence", 3, NULL},      /* alone in cycle 1: it begins and ends its group */
        {NOP3 "fence", 3, NULL}, /* no cycle later if a group begins anyway */
        {"beq s11, a4, 2f\n nop\n 2:", 2, NULL}, /* not taken, as predicted; reads s11: cycle 1 */
        {"beq a5, a4, 2f\n nop\n 2:", 2, NULL},
        {"beq a5, a5, 2f\n nop\n 2:", 3, NULL}, /* cycle 0, one cycle lost, bnez in 2 */
        {"bne a5, a5, 1b", 3, NULL},            /* backward, and not taken */
        {"beq a5, a5, 2f\n nop\n 2:", 2, "branch_miss=0"},
        {"call f", 4, NULL}, /* jal 0; ret 1, one cycle lost; bnez 3 */
        {"call f", 3, "jump_miss=0"},
    };
    EXPECT(rows);
}

static void scalar_latencies(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"add a0, a5, a5\n add a1, a0, a0", 2, NULL}, /* 0, 1 */
        {"add a0, a5, a5\n add a1, a0, a0\n add a2, a1, a1", 3, NULL},
        {"mul a0, a5, a5\n add a1, a0, a0", 3, NULL},              /* 0, 2: not 1 */
        {"mul a0, a5, a5\n " NOP3 NOP3 "add a1, a0, a0", 3, NULL}, /* 2 anyway */
        /* may not land before the mul: 1 */
        {"mul a0, a5, a5\n add a0, a5, a5", 2, NULL},
        {"mul a0, a5, a5\n mul a1, a5, a5", 2, NULL}, /* one unit: 0, 1 */
        {"mul a0, a5, a5\n mul a1, a5, a5\n mul a2, a5, a5", 3, NULL},
        {"div a0, a5, a5\n add a1, a0, a0", 5, NULL},   /* 3 and 1 bit */
        {"divu a0, a4, a5\n add a1, a0, a0", 36, NULL}, /* 3 and 32 bits */
        /* the unit: 0 and 4, the next iteration at 8 */
        {"div a0, a5, a5\n div a1, a5, a5", 8, NULL},
        {"lw a0, 0(s0)\n add a1, a0, a0", 3, NULL},
        {"lw a0, 0(s0)\n " NOP3 NOP3 "add a1, a0, a0", 3, NULL},
        {"lw a0, 0(s0)\n sw a5, 4(s0)", 2, NULL}, /* one access per cycle: 0, 1 */
        {"lw a0, 0(s0)\n sw a5, 4(s0)\n lb a1, 9(s0)", 3, NULL},
        {"lw a0, 30(s0)\n sw a5, 4(s0)", 2, NULL}, /* both banks in the same cycle */
        {"lw a0, 0(s0)\n fence", 4, NULL},         /* ready in 2: fence 2, bnez 3 */
    };
    EXPECT(rows);
}

/* Through the queue: dispatched in 0, decoded in 5, started in 6. */
static void vector_units(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"vadd.w.vv v0, v1, v2\n fence", 10, NULL}, /* ready in 8: fence 8, bnez 9 */
        {"vadd.w.vv v0, v1, v2\n fence", 11, "vector_delay=6"},
        {"vadd.w.vv.m v0, v4, v8\n fence", 13, NULL}, /* the last of four 3 later */
        {"vadd.w.vv v0, v1, v2\n vadd.w.vv v3, v1, v2", 2, NULL},
        {"vadd.w.vv v0, v0, v1", 2, NULL}, /* a chain of 2 */
        {"vadd.w.vv v0, v0, v1\n vadd.w.vv v0, v0, v1", 4, NULL},
        {"vadd.w.vv v0, v0, v1\n vadd.w.vv v0, v0, v1", 6, "vector_latency=3"},
        {"vadd.w.vv.m v0, v4, v8", 2, NULL}, /* 4 cycles of one of two ALUs */
        {"vadd.w.vv.m v0, v4, v8\n vadd.w.vv.m v16, v4, v8", 4, NULL},
        /* Register by register: the second from 2 on. */
        {"vadd.w.vv.m v0, v0, v4\n vadd.w.vv.m v0, v0, v4", 4, "read_hold=0"},
        /* What overwrites v0 to v3 is decoded when v3 is read, in cycle 3. */
        {"vadd.w.vv.m v0, v0, v4\n vadd.w.vv.m v0, v0, v4", 8, NULL},
        /* 6 to 9, the last result ready in 11; v2 is read in 8: vdup decoded then, ready in 11. */
        {"vadd.w.vv.m v8, v0, v4\n vdup.w.x v2, a5\n fence", 13, NULL},
        {"vadd.w.vv.m v8, v0, v4\n vdup.w.x v3, a5\n fence", 14, NULL},
        {"vadd.w.vv.m v8, v0, v4\n vdup.w.x v3, a5\n fence", 13, "read_hold=0"},
        {"vmul.w.vx.m v0, v4, a5\n vmul.w.vx.m v8, v4, a5\n vmul.w.vx.m v12, v4, a5", 3, NULL},
        {"vmul.w.vv.m v0, v4, v4\n vmul.w.vv.m v8, v4, v4\n vmul.w.vv.m v12, v4, v4", 6, NULL},
        {"vmulw.w.vx.m v0, v8, a5\n vmulw.w.vx.m v16, v8, a5", 4, NULL}, /* not on both ALUs */
        {"vmv.v.m v0, v4\n vmv.v.m v8, v4\n vmv.v.m v12, v4", 3, NULL},
        {"vslidehn.b.1.vv.m v0, v4, v8\n vslidehp.b.1.vv.m v12, v4, v8\n vmv.v.m v16, v4", 3, NULL},
        {"vslidevn.b.1.vv.m v0, v4, v8\n vslidevp.b.1.vv.m v12, v4, v8", 4, NULL},
        {"vsraqs.b.vx v0, v4, a5\n vsraqs.b.vx v1, v4, a5\n vsraqs.b.vx v2, v4, a5", 3, NULL},
        {"vsraqs.b.vx.m v0, v16, a5", 4, NULL},
        {"adwinit.v v0, v4\n adwconv.vxv v0, v4, zero, v8\n vdwconv.vxv v0, v4, zero, v8", 3, NULL},
        {"vdwconv.vxv v0, v4, zero, v8\n vadd.w.vv v16, v0, v1\n fence", 12, NULL}, /* 6, 8 */
    };
    EXPECT(rows);
}

static void convolution(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"aconv.vxv v48, v0, a6, v16", 8, NULL},
        {"aconv.vxv v48, v0, a7, v16", 3, NULL},
        /* Each cycle reads all its registers: the load is decoded in 7, starts in 8, its register
         * is ready in 11, the next one starts in 13. */
        {"aconv.vxv v48, v0, a6, v16\n vld.w.x v7, s0", 13, NULL},
        {"aconv.vxv v48, v0, a6, v16\n vld.w.x v7, s0", 8, "read_hold=0"},
        {"aconv.vxv v48, v0, a6, v16\n vld.w.x v8, s0", 8, NULL},
        {"acset.v v48, v0", 8, NULL},
        {"actr.v v48, v0", 8, NULL},
        /* they read no vector register */
        {"vcget v48\n vcget v48\n vcget v48", 3, NULL},
        /* add 0, its register ready in 2, aconv in 4; an operation that overwrites its source is
         * decoded in 4 and starts in 5. */
        {"vadd.w.vv v0, v9, v9\n aconv.vxv v48, v0, zero, v16", 5, NULL},
        {"vadd.w.vv v0, v9, v9\n aconv.vxv v48, v0, zero, v16", 3, "conv_wait=0"},
        /* Dispatched in 0, aconv from 6 to 13; vcget 14, ready in 16: fence 16, bnez 17. */
        {"aconv.vxv v48, v0, a6, v16\n vcget v48\n fence", 18, NULL},
    };
    EXPECT(rows);
}

static void vector_memory(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"vld.w.x v0, s0\n vld.w.x v1, s1\n vld.w.x v2, s0", 3, NULL},
        {"vld.w.x.m v0, s0", 4, NULL},
        {"vst.w.x.m v0, s0", 4, NULL},
        {"vstq.b.s.xx v0, s0, a5", 4, NULL},
        {"vstq.b.s.xx.m v0, s0, a5", 16, NULL},
        {"vld.b.l.xx.m v0, s0, a5", 2, NULL}, /* a byte is one line */
        {"vld.b.l.xx.m v0, s0, zero\n vld.b.l.xx.m v4, s0, zero\n lw a0, 0(s0)\n lw a1, 0(s0)", 2,
         NULL}, /* length 0: one cycle of the unit, none of the port */
        {"vld.w.x.m v0, s0\n lw a0, 0(s0)", 5, NULL}, /* a single port */
        /* load 0, its register ready in 3; then the store; the next load, which may not write
         * before it, is decoded in 3 and starts in 4. */
        {"vld.w.x v0, s0\n vst.w.x v0, s1", 4, NULL},
        {"vld.w.x v0, s0\n vst.w.x v0, s1", 3, "vload_write=0"},
        {"vld.w.x v0, s0\n fence", 11, NULL}, /* 6, ready in 9: fence 9, bnez 10 */
        /* An updated base is ready like a sum: 0, 1, 2. */
        {"vld.w.p.xx v0, s0, a3\n vld.w.p.xx v1, s0, a3\n add a0, s0, s0", 3, NULL},
        {"vld.w.x v0, s0\n vld.w.x v1, s0\n add a0, s0, s0", 2, NULL},
        /* Register by register: loads 6 to 9, ready in 9 to 12; the ALU follows from 9 on, its last
         * one ready in 14. */
        {"vld.w.x.m v0, s0\n vadd.w.vv.m v8, v0, v0\n fence", 16, NULL},
    };
    EXPECT(rows);
}

/* From the reference: fence.i invalidates instruction caches, flushall and flushat clean and
 * invalidate the level of the core. A line from memory takes memory_latency 20. */
static void flushes(void **state)
{
    (void)state;
    static const struct row rows[] = {
        /* fence.i 1; its line again: requested in 2, ready at 2 + 2 + 20: bnez 24; addi is earlier
         * in the same line. */
        {"fence.i", 25, NULL},
        {"fence.i", 10, "memory_latency=5"},
        {"fence.i", 26, "l1i_latency=3"},
        /* The line of s0 was stored to: memory has it from 1 to 3, the code line is requested in
         * 3. */
        {"sw a5, 0(s0)\n fence.i", 26, NULL},
        {"sw a5, 0(s0)\n fence.i", 30, "memory_interval=6"},
        {"flushall", 25, NULL},
        /* The line of s1 comes from memory each iteration, ready in 22; code stays cached, and so
         * does the line of s0. */
        {"lw a0, 0(s1)\n flushat s1\n lw a1, 0(s0)", 24, NULL},
        {"lw a0, 0(s0)\n flushat s1\n lw a1, 0(s0)", 4, "caches=0"}, /* 0, 2, 3 */
        {"fence.i", 5, "caches=0"}, /* 1; requested in 2, ready in 4 */
        /* There is no cache to leave: as with flushat, 0, 2, 3. */
        {"lw a0, 0(s0)\n flushall\n lw a1, 0(s0)", 4, "caches=0"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        expect_turn(rows[i].body, rows[i].setting, rows[i].turn);
}

/* kelvin-tcm.yaml: every access takes the same time, whatever the parameters of the missing caches,
 * and however much data there is. */
static void tightly_coupled(void **state)
{
    (void)state;
    static const char text[] = " la s0, d\n li s11, 400\n1: lw a0, 0(s0)\n vld.w.x.m v0, s0\n"
                               " addi s0, s0, 160\n addi s11, s11, -1\n bnez s11, 1b\n mpause\n"
                               " .data\nd: .zero 65536\n";
    static const char *const sets[] = {"memory_latency=1", "memory_latency=1000", "l1d_bytes=128"};
    const char *program = takt_temp_file("tcm.kelvin", text);
    char *tcm = takt_read_file("config/kelvin/kelvin-tcm.yaml", NULL);
    if (!tcm)
        skip(); /* not run from the root */
    free(tcm);
    uint64_t cycles[3];
    for (size_t i = 0; i < 3; i++) {
        struct takt_result r = takt_run((const char *const[]){"run", "--json", "--config",
                                                              "config/kelvin/kelvin-tcm.yaml",
                                                              "--set", sets[i], program, NULL});
        assert_int_equal(r.exit_code, 0);
        const char *at = strstr(r.out, "\"cycles\": ");
        assert_non_null(at);
        cycles[i] = strtoull(at + 10, NULL, 10);
        takt_result_free(&r);
    }
    /* Per iteration: five accesses use the data port. */
    assert_in_range(cycles[0], 5 * 400, 5 * 400 + 40);
    assert_int_equal(cycles[1], cycles[0]);
    assert_int_equal(cycles[2], cycles[0]);
}

/* The iterations of the examples, whose comments derive these cycles from the table. */
static void examples(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint64_t turn;
    } rows[] = {{"dot", 64},
                {"matmul_aconv", 42},
                {"matmul_vmacc", 385},
                {"depthwise_vacc", 145},
                {"depthwise_vdwconv", 48}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char path[100];
        uint64_t cycles[2];
        snprintf(path, sizeof path, "examples/kelvin/%s.kelvin", rows[i].name);
        char *text = takt_read_file(path, NULL);
        if (!text)
            skip(); /* not run from the root */
        char *turns = strstr(text, "li s1, 3");
        assert_non_null(turns);
        for (unsigned k = 0; k < 2; k++) {
            turns[7] = (char)('4' + 5 * k);
            cycles[k] = cycles_of(text, NULL);
        }
        if (cycles[1] - cycles[0] != 5 * rows[i].turn)
            fail_msg("%s: %" PRIu64 " cycles for five turns", rows[i].name, cycles[1] - cycles[0]);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups),        cmocka_unit_test(scalar_latencies),
        cmocka_unit_test(vector_units),  cmocka_unit_test(convolution),
        cmocka_unit_test(vector_memory), cmocka_unit_test(examples),
        cmocka_unit_test(flushes),       cmocka_unit_test(tightly_coupled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
