/* The oracle against examples and notes of the instruction reference other than its formulas. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/dice.h"
#include "tests/kelvin/oracle.h"

enum { BASE = 0x1000, SIZE = 4096 };

static struct kelvin_oracle oracle, before;
static uint8_t memory[SIZE];

struct numbers {
    uint8_t vd, vs, vt, vr, s, t;
};

static enum kelvin_fault execute(const char *name, struct numbers n)
{
    const struct kelvin_form *form = kelvin_form_find(name, strlen(name));
    const struct kelvin_operands operands = {.at = {[KELVIN_VD] = n.vd,
                                                    [KELVIN_VS] = n.vs,
                                                    [KELVIN_VT] = n.vt,
                                                    [KELVIN_VR] = n.vr,
                                                    [KELVIN_D] = n.s,
                                                    [KELVIN_S] = n.s,
                                                    [KELVIN_T] = n.t}};
    assert_non_null(form);
    const struct kelvin_vop op = {.form = form, .operands = operands, .legal = true};
    return kelvin_oracle_run(&oracle, &op);
}

static void run(const char *name, struct numbers n)
{
    const enum kelvin_fault fault = execute(name, n);
    if (fault != KELVIN_FAULT_NONE)
        fail_msg("%s: fault %d", name, fault);
}

static void shake(uint64_t seed)
{
    struct dice dice = {seed};
    uint32_t *words = (uint32_t *)&oracle.state;
    for (size_t i = 0; i < sizeof oracle.state / 4; i++)
        words[i] = (uint32_t)dice_next(&dice);
    for (unsigned i = 0; i < SIZE; i++)
        memory[i] = (uint8_t)dice_next(&dice);
    memset(oracle.x, 0, sizeof oracle.x);
    oracle.memory = memory;
    oracle.base = BASE;
    oracle.size = SIZE;
    before = oracle;
}

static void expect_same(unsigned v, unsigned earlier, unsigned registers)
{
    assert_memory_equal(&oracle.state.v[v], &before.state.v[earlier], registers * KELVIN_BYTES);
}

/* "vs1 = 0x66442200, vs2 = 0x77553311" of VZIP is the reverse of the example of VEVNODD. */
static void test_zip(void **context)
{
    (void)context;
    static const char *const sizes[] = {"b", "h", "w"};
    for (unsigned i = 0; i < 6; i++) {
        const bool m = i >= 3;
        char unzip[32], zip[32];
        snprintf(unzip, sizeof unzip, "vevnodd.%s.vv%s", sizes[i % 3], m ? ".m" : "");
        snprintf(zip, sizeof zip, "vzip.%s.vv%s", sizes[i % 3], m ? ".m" : "");
        shake(i + 1);
        run(unzip, (struct numbers){.vd = 16, .vs = 0, .vt = m ? 4 : 1});
        run(zip, (struct numbers){.vd = 32, .vs = 16, .vt = m ? 20 : 17});
        expect_same(32, 0, m ? 8 : 2);
    }
    shake(7);
    for (unsigned l = 0; l < KELVIN_BYTES; l++) {
        oracle.state.v[1].b[l] = (uint8_t)l;
        oracle.state.v[2].b[l] = (uint8_t)(KELVIN_BYTES + l);
    }
    run("vevn.b.vv", (struct numbers){.vd = 8, .vs = 1, .vt = 2});
    run("vodd.b.vv", (struct numbers){.vd = 9, .vs = 1, .vt = 2});
    for (unsigned l = 0; l < KELVIN_BYTES; l++) {
        assert_int_equal(oracle.state.v[8].b[l], 2 * l);
        assert_int_equal(oracle.state.v[9].b[l], 2 * l + 1);
    }
}

/* "one vsraqs is the same as two chained vsrans"; the first of them without a shift. */
static void test_narrow(void **context)
{
    (void)context;
    static const char *const names[][3] = {{"vsrans.h.vx", "vsrans.b.vx", "vsraqs.b.vx"},
                                           {"vsrans.h.vx", "vsrans.b.r.vx", "vsraqs.b.r.vx"},
                                           {"vsransu.h.vx", "vsransu.b.vx", "vsraqsu.b.vx"}};
    for (unsigned i = 0; i < 300; i++) {
        const char *const *name = names[i % 3];
        shake(i + 1);
        for (unsigned v = 0; v < 4; v++)
            for (unsigned l = 0; l < KELVIN_WORDS; l++) /* 16 bits: the first saturates no lane */
                oracle.state.v[v].w[l] =
                    i % 3 == 2 ? oracle.state.v[v].w[l] >> 16
                               : (uint32_t)((int32_t)(oracle.state.v[v].w[l] >> 17) - 16384);
        oracle.x[5] = i / 3 % 16;
        run(name[0], (struct numbers){.vd = 16, .vs = 0, .t = 0});
        run(name[0], (struct numbers){.vd = 17, .vs = 2, .t = 0});
        /* [0,2,1,3]: evens of the pair of pairs are registers 0 and 1 of the four. */
        run(name[1], (struct numbers){.vd = 18, .vs = 16, .t = 5});
        run(name[2], (struct numbers){.vd = 19, .vs = 0, .t = 5});
        assert_memory_equal(&oracle.state.v[18], &oracle.state.v[19], KELVIN_BYTES);
    }
}

/* "treats the stripmine vm register based on vs1 as a contiguous block". */
static void test_slide(void **context)
{
    (void)context;
    shake(3);
    run("vslidehn.w.4.vv.m", (struct numbers){.vd = 8, .vs = 0, .vt = 4});
    assert_memory_equal(&oracle.state.v[8], before.state.v[0].b + 16, 128);
    run("vslidehp.h.3.vv.m", (struct numbers){.vd = 12, .vs = 0, .vt = 4});
    assert_memory_equal(&oracle.state.v[12], before.state.v[4].b - 6, 128);
    oracle.x[6] = 0x81;
    run("vslidehn.b.2.vx.m", (struct numbers){.vd = 16, .vs = 0, .t = 6});
    assert_memory_equal(&oracle.state.v[16], before.state.v[0].b + 2, 126);
    assert_int_equal(oracle.state.v[19].b[30], 0x81);
    assert_int_equal(oracle.state.v[19].b[31], 0x81);
    run("vslidevn.b.1.vv.m", (struct numbers){.vd = 20, .vs = 0, .vt = 4});
    for (unsigned m = 0; m < 4; m++) {
        assert_memory_equal(oracle.state.v[20 + m].b, before.state.v[m].b + 1, 31);
        assert_int_equal(oracle.state.v[20 + m].b[31], before.state.v[4 + m].b[0]);
    }
}

/* Eight rows by eight columns, reduced by VSRAQS, stored by VSTQ, as the note at VSTQ says. */
static void test_product(void **context)
{
    (void)context;
    shake(5);
    memset(oracle.state.accum, 0, sizeof oracle.state.accum);
    for (unsigned i = 0; i < 16; i++)
        for (unsigned n = 0; n < KELVIN_BYTES; n++)
            oracle.state.v[i].b[n] &= 1;
    before = oracle;
    oracle.x[1] = 7 << 7;
    oracle.x[3] = BASE;
    oracle.x[4] = 100;
    run("aconv.vxv", (struct numbers){.vd = 48, .vs = 0, .t = 1, .vr = 8});
    run("vcget", (struct numbers){.vd = 48});
    run("vsraqs.b.vx", (struct numbers){.vd = 48, .vs = 48});
    run("vsraqs.b.vx", (struct numbers){.vd = 49, .vs = 52});
    run("vstq.b.sp.xx", (struct numbers){.vd = 48, .s = 3, .t = 4});
    run("vstq.b.sp.xx", (struct numbers){.vd = 49, .s = 3, .t = 4});
    for (unsigned y = 0; y < 8; y++)
        for (unsigned c = 0; c < 8; c++) {
            unsigned sum = 0;
            for (unsigned k = 0; k < 32; k++)
                sum += before.state.v[y].b[k] * before.state.v[8 + k / 4].b[4 * c + k % 4];
            assert_int_equal(memory[100 * y + c], sum);
        }
    assert_int_equal(oracle.x[3], BASE + 800);
}

/* Dense, on rows slid beforehand, must equal the sparse formats: [n-1,n,n+1], [n,n+1,n+2] by words.
 * Each byte is one channel, which VSRAQS puts in its position. */
static void test_depthwise(void **context)
{
    (void)context;
    const uint32_t control = UINT32_C(1) << 31 | 5u << 22 | 1u << 21 | 3u << 12;
    for (unsigned sparsity = 1; sparsity < 3; sparsity++) {
        struct kelvin_vector_state sparse;
        shake(sparsity);
        oracle.x[1] = control | sparsity << 2;
        run("vdwconv.vxv", (struct numbers){.vd = 32, .vs = 0, .t = 1, .vr = 8});
        sparse = oracle.state;
        oracle = before;
        oracle.x[1] = control;
        const union kelvin_register *v = before.state.v;
        for (unsigned row = 0; row < 3; row++)
            for (unsigned l = 0; l < KELVIN_WORDS; l++) /* v0, v1, v2 as one long line */
                oracle.state.v[row].w[l] = v[0].w[l + row + (sparsity == 1 ? 7 : 0)];
        run("vdwconv.vxv", (struct numbers){.vd = 32, .vs = 0, .t = 1, .vr = 8});
        assert_memory_equal(&sparse.v[32], &oracle.state.v[32], 4 * KELVIN_BYTES);
        assert_memory_equal(sparse.dwacc, oracle.state.dwacc, sizeof sparse.dwacc);
    }
    shake(9);
    memset(oracle.state.dwacc, 0, sizeof oracle.state.dwacc);
    memset(&oracle.state.v[8], 1, 3 * KELVIN_BYTES);
    for (unsigned i = 0; i < 3; i++)
        for (unsigned n = 0; n < KELVIN_BYTES; n++)
            oracle.state.v[i].b[n] = (uint8_t)(n + i);
    oracle.x[1] = 0;
    run("vdwconv.vxv", (struct numbers){.vd = 32, .vs = 0, .t = 1, .vr = 8});
    run("vsraqs.b.vx", (struct numbers){.vd = 40, .vs = 32});
    for (unsigned n = 0; n < KELVIN_BYTES; n++)
        assert_int_equal(oracle.state.v[40].b[n], 3 * n + 3);
}

/* Transposing twice is the identity; VCGET clears; after ADWINIT a product of zeros gives the
 * registers. */
static void test_accumulators(void **context)
{
    (void)context;
    shake(11);
    run("actr.v", (struct numbers){.vd = 48, .vs = 16});
    for (unsigned i = 0; i < 8; i++)
        for (unsigned j = 0; j < 8; j++)
            assert_int_equal(oracle.state.accum[j].w[i], before.state.v[16 + i].w[j]);
    run("vcget", (struct numbers){.vd = 48});
    run("actr.v", (struct numbers){.vd = 48, .vs = 48});
    run("vcget", (struct numbers){.vd = 48});
    expect_same(48, 16, 8);
    for (unsigned i = 0; i < sizeof oracle.state.accum / 4; i++)
        assert_int_equal(oracle.state.accum[i / 8].w[i % 8], 0);
    run("acset.v", (struct numbers){.vd = 48, .vs = 3});
    run("vcget", (struct numbers){.vd = 48});
    expect_same(48, 3, 8);
    run("adwinit.v", (struct numbers){.vd = 0, .vs = 20});
    memset(oracle.state.v, 0, 4 * sizeof *oracle.state.v);
    oracle.x[1] = 0;
    run("vdwconv.vxv", (struct numbers){.vd = 40, .vs = 0, .t = 1, .vr = 0});
    expect_same(40, 20, 4);
}

/* The lanes that GETMAXVL lists, and the clamp of GETVL. */
static void test_length(void **context)
{
    (void)context;
    static const struct {
        const char *name;
        uint32_t xs1, xs2, expected;
    } cases[] = {
        {"getmaxvl.w", 0, 0, 8},    {"getmaxvl.h", 0, 0, 16},         {"getmaxvl.b", 0, 0, 32},
        {"getmaxvl.w.m", 0, 0, 32}, {"getmaxvl.h.m", 0, 0, 64},       {"getmaxvl.b.m", 0, 0, 128},
        {"getvl.b.x", 31, 0, 31},   {"getvl.b.x", 0x80000000, 0, 32}, {"getvl.h.xx", 100, 0, 0},
        {"getvl.h.xx", 9, 12, 9},   {"getvl.h.xx.m", 77, 63, 63},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        memset(oracle.x, 0, sizeof oracle.x);
        oracle.x[3] = cases[i].xs1;
        oracle.x[4] = cases[i].xs2;
        run(cases[i].name, (struct numbers){.s = 3, .t = 4});
        assert_int_equal(oracle.x[3], cases[i].expected);
    }
    oracle.x[3] = 5;
    run("getvl.b.xx", (struct numbers){.s = 3, .t = 0});
    assert_int_equal(oracle.x[3], 5);
}

/* A tile of four lines, 256 bytes apart, one column of a register wide: see Vertical Modes. A .tp
 * has the length of .l and the stride of .s. */
static void test_memory(void **context)
{
    (void)context;
    shake(13);
    oracle.x[3] = BASE;
    oracle.x[4] = 256;
    run("vld.b.tp.xx.m", (struct numbers){.vd = 4, .s = 3, .t = 4});
    for (unsigned m = 0; m < 4; m++)
        assert_memory_equal(&oracle.state.v[4 + m], memory + 256 * m, KELVIN_BYTES);
    assert_int_equal(oracle.x[3], BASE + KELVIN_BYTES);
    run("vld.w.p.x.m", (struct numbers){.vd = 8, .s = 3, .t = 0});
    assert_memory_equal(&oracle.state.v[8], memory + KELVIN_BYTES, 4 * KELVIN_BYTES);
    assert_int_equal(oracle.x[3], BASE + 5 * KELVIN_BYTES);
    oracle.x[4] = 5;
    run("vld.h.lp.xx", (struct numbers){.vd = 12, .s = 3, .t = 4});
    assert_memory_equal(&oracle.state.v[12], memory + 5 * KELVIN_BYTES, 10);
    for (unsigned l = 5; l < 16; l++)
        assert_int_equal(oracle.state.v[12].h[l], 0);
    assert_int_equal(oracle.x[3], BASE + 5 * KELVIN_BYTES + 10);
    oracle.x[3] = BASE + SIZE - 10;
    run("vst.h.l.xx", (struct numbers){.vd = 12, .s = 3, .t = 4});
    oracle.x[4] = 6;
    assert_int_equal(execute("vst.h.l.xx", (struct numbers){.vd = 12, .s = 3, .t = 4}),
                     KELVIN_FAULT_STORE);
    assert_int_equal(execute("vld.h.l.xx", (struct numbers){.vd = 12, .s = 3, .t = 4}),
                     KELVIN_FAULT_LOAD);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_zip),       cmocka_unit_test(test_narrow),
        cmocka_unit_test(test_slide),     cmocka_unit_test(test_product),
        cmocka_unit_test(test_depthwise), cmocka_unit_test(test_accumulators),
        cmocka_unit_test(test_length),    cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
