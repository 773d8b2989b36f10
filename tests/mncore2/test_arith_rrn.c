/*
 * The result reduction network of MN-Core 2: both edges of its rules, with expectations worked out
 * by hand from sections 3.3, 3.6.8.5 and 4.2.
 */
#include "tests/mncore2/arith_case.h"

/* --- RRN -------------------------------------------------------------------------------------- */

static unsigned width_of(uint8_t prec)
{
    switch (prec) {
    case PREC_D:
    case PREC_L:
        return 64;
    case PREC_H:
    case PREC_S:
        return 16;
    default:
        return 32;
    }
}

/* One element of up to 16 sources, in every place of a long word; others do not matter. */
static uint64_t tree(uint8_t rrn, uint8_t prec, size_t n, const uint64_t *values)
{
    const unsigned width = width_of(prec);
    uint64_t words[16][3], result[3];
    const uint64_t *src[16];
    for (size_t s = 0; s < n; s++) {
        uint64_t word = 0;
        for (unsigned at = 0; at < 64; at += width)
            word |= values[s] << at;
        words[s][0] = words[s][2] = word;
        words[s][1] = ~(uint64_t)s;
        src[s] = words[s];
    }
    mncore2_rrn_stage(rrn, prec, n, 3, src, result);
    assert_true(result[0] == result[2]);
    const uint64_t element = result[0] >> (64 - width);
    for (unsigned at = 0; at < 64; at += width)
        assert_true(result[0] << at >> (64 - width) == element);
    return element;
}

static uint64_t l1bm(uint8_t rrn, uint8_t prec, bool reduce, size_t n, const uint64_t *values)
{
    const uint64_t *src[16];
    uint64_t result;
    for (size_t s = 0; s < n; s++)
        src[s] = &values[s];
    mncore2_rrn_l1bm((struct rrn_op){rrn, prec, reduce}, n, 1, src, &result);
    return result;
}

#define TREE(rrn, prec, ...)                                                                       \
    tree(rrn, prec, sizeof((uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t), (uint64_t[]){__VA_ARGS__})

static void reduction_sums(void)
{
    /* A tie; one unit of the lowest guard bit above it; half a unit is a tie to even: nothing. */
    assert_true(TREE(RRN_FADD, PREC_F, F_ONE, f_power(-24), 0, 0) == F_ONE);
    assert_true(TREE(RRN_FADD, PREC_F, F_ONE, f_power(-24), f_power(-26), 0) == F_ONE + 1);
    assert_true(TREE(RRN_FADD, PREC_F, f_power(-27), f_power(-24), F_ONE, 0) == F_ONE);
    assert_true(TREE(RRN_FADD, PREC_F, f_power(-27) + 1, f_power(-24), F_ONE, 0) == F_ONE + 1);
    assert_true(TREE(RRN_FADD, PREC_F, f_power(-27), f_power(-24), F_ONE, f_power(-27)) == F_ONE);
    /* Below 1: half a unit is lost; three quarters become one, one and a half become two, and then
     * 1 - 2^-24 - 2^-25 is a tie to 1 - 2^-23. */
    assert_true(TREE(RRN_FADD, PREC_F, F_ONE, f_power(-24) | F_MINUS, f_power(-26) | F_MINUS,
                     f_power(-27) | F_MINUS) == F_ONE - 1);
    assert_true(TREE(RRN_FADD, PREC_F, F_ONE, f_power(-24) | F_MINUS,
                     f_power(-27) | F_MINUS | 0x400000, f_power(-26) | F_MINUS) == F_ONE - 2);
    assert_true(TREE(RRN_FADD, PREC_F, F_ONE, f_power(-24) | F_MINUS,
                     f_power(-26) | F_MINUS | 0x400000, 0) == F_ONE - 2);
    assert_true(TREE(RRN_FADD, PREC_F, F_ONE, F_ONE, F_ONE, F_ONE) == f_power(2));
    assert_true(TREE(RRN_FADD, PREC_F, f_power(126), f_power(126), f_power(126), f_power(126)) ==
                F_INF);
    assert_true(TREE(RRN_FADD, PREC_F, F_MAX, f_power(103)) == F_INF);
    assert_true(TREE(RRN_FADD, PREC_F, F_MAX, f_power(102)) == F_MAX);
    assert_true(TREE(RRN_FADD, PREC_F, F_MINUS, F_MINUS, F_MINUS, F_MINUS) == 0);
    assert_true(TREE(RRN_FADD, PREC_F, F_ONE, F_ONE | F_MINUS) == 0);
    assert_true(TREE(RRN_FADD, PREC_F, 0x007fffff, 0x807fffff, F_MIN, 0x000000ff) == F_MIN);
    assert_true(TREE(RRN_FADD, PREC_F, F_MIN | 0x400000, F_MIN | F_MINUS) == 0);
    assert_true(TREE(RRN_FADD, PREC_F, F_MIN | F_MINUS | 0x400000, F_MIN) == 0);
    assert_true(TREE(RRN_FADD, PREC_F, 0xff800001, F_ONE, F_ONE, F_MAX) == (F_INF | F_MINUS));
    assert_true(TREE(RRN_FADD, PREC_F, 0xff800001, 0x7f800001, F_ONE, F_MAX) == F_INF);
    assert_true(TREE(RRN_FADD, PREC_D, D_ONE, d_power(-53), d_power(-55), 0) == D_ONE + 1);
    assert_true(TREE(RRN_FADD, PREC_D, D_ONE, d_power(-53), d_power(-56), 0) == D_ONE);
    assert_true(TREE(RRN_FADD, PREC_D, D_ONE, d_power(-53), d_power(-56) + 1, 0) == D_ONE + 1);
    assert_true(TREE(RRN_FADD, PREC_D, D_ONE, D_ONE | D_MINUS, D_MINUS, 1) == 0);
    assert_true(TREE(RRN_FADD, PREC_D, D_INF - 1, d_power(970)) == D_INF);
    assert_true(TREE(RRN_FADD, PREC_D, D_INF - 1, d_power(969)) == D_INF - 1);
    assert_true(TREE(RRN_FADD, PREC_D, d_power(-1022) + 1, d_power(-1022) | D_MINUS) == 0);
    assert_true(TREE(RRN_FADD, PREC_D, D_ONE, d_power(-1022), d_power(-300), d_power(-1000)) ==
                D_ONE);
    assert_true(TREE(RRN_FADD, PREC_D, D_INF | D_MINUS, D_ONE) == (D_INF | D_MINUS));
    assert_true(TREE(RRN_FADD, PREC_H, H_ONE, (31 - 10) << 9, (31 - 12) << 9, 0) == H_ONE + 1);
    assert_true(TREE(RRN_FADD, PREC_H, H_ONE, (31 - 10) << 9, (31 - 13) << 9, 0) == H_ONE);
    assert_true(TREE(RRN_FADD, PREC_H, H_ONE, H_ONE, H_ONE, H_ONE, H_ONE, H_ONE, H_ONE, H_ONE) ==
                34 << 9);
}

static void reduction_stages(void)
{
    uint64_t v[16] = {0};
    const uint64_t both_words = 0x0000000100000001;
    /* Stages of 4 with a rounding each: 2^-24 is lost twice where one tree would add it up. */
    v[0] = F_ONE * both_words;
    v[1] = v[4] = f_power(-24) * both_words;
    assert_true(l1bm(RRN_FADD, PREC_F, false, 16, v) == F_ONE * both_words);
    v[2] = v[1];
    v[4] = 0;
    assert_true(l1bm(RRN_FADD, PREC_F, false, 16, v) == (F_ONE + 1) * both_words);
    /* Reduction in the last stage, straight from the exact sum. */
    v[1] = f_power(-10) * both_words;
    v[2] = f_power(-25) * both_words;
    assert_true(l1bm(RRN_FADD, PREC_F, true, 4, v) == 0x3e013e01);
    assert_true(l1bm(RRN_FADD, PREC_F, true, 16, v) == 0x3e003e00); /* lost in the first stage */
    v[2] = 0;
    v[7] = f_power(-25) * both_words;
    assert_true(l1bm(RRN_FADD, PREC_F, true, 16, v) == 0x3e013e01);
    /* The higher half comes first. */
    const uint64_t w[4] = {0x3f80000040000000, 0, 0, 0};
    assert_true(l1bm(RRN_FADD, PREC_F, true, 4, w) == 0x3e004000);
    /* l1bmrhfadd: e, single trees, r. */
    for (size_t i = 0; i < 16; i++)
        v[i] = 0x3e003e003e00be00;
    assert_true(l1bm(RRN_FADD, PREC_H, true, 16, v) == 0x460046004600c600);
}

static void reduction_others(void)
{
    /* Sign and magnitude; +0 above -0; nothing is normalised (4.2.2). */
    assert_true(TREE(RRN_MAX, PREC_F, F_MINUS, 0) == 0);
    assert_true(TREE(RRN_MAX, PREC_F, 0, F_MINUS) == 0);
    assert_true(TREE(RRN_MIN, PREC_F, 0, F_MINUS) == F_MINUS);
    assert_true(TREE(RRN_MAX, PREC_F, 0x80000003, 0x80000001, 0x80000002, 0x807fffff) ==
                0x80000001);
    assert_true(TREE(RRN_MIN, PREC_F, 0x00000003, 0x00000001, 0x00000002, 0x007fffff) ==
                0x00000001);
    assert_true(TREE(RRN_MAX, PREC_F, 0x7f800001, 0x7f800003, F_MAX, 0xffffffff) == 0x7f800003);
    assert_true(TREE(RRN_MIN, PREC_D, D_ONE, D_INF | D_MINUS | 1, D_INF | D_MINUS) ==
                (D_INF | D_MINUS | 1));
    assert_true(TREE(RRN_MAX, PREC_H, 0xbe01, 0xbe00, 0xfe00, 0xc000) == 0xbe00);
    uint64_t v[16];
    for (size_t i = 0; i < 16; i++)
        v[i] = 0xc0000000bf802000; /* -2, -(1 + 2^-10) */
    v[9] = 0x80000000bf802001;
    assert_true(l1bm(RRN_MAX, PREC_F, true, 16, v) == 0x8000be00);
    assert_true(l1bm(RRN_MIN, PREC_F, true, 16, v) == 0xc000be01);
    assert_true(l1bm(RRN_MAX, PREC_F, false, 16, v) == 0x80000000bf802000);
    /* Integers. */
    assert_true(TREE(RRN_IADD, PREC_S, 0xffff, 1, 0x8000, 0x8001) == 1);
    assert_true(TREE(RRN_IADD, PREC_I, 0xffffffff, 1, 0x80000000, 0x80000001) == 1);
    assert_true(TREE(RRN_IADD, PREC_L, UINT64_MAX, 3) == 2);
    assert_true(TREE(RRN_BAND, PREC_I, 0xff00ff00, 0x0ff00ff0, 0xffffffff, 0xffffffff) ==
                0x0f000f00);
    assert_true(TREE(RRN_BOR, PREC_S, 0x0001, 0x0010, 0x0100, 0x1000) == 0x1111);
    assert_true(TREE(RRN_AND, PREC_I, 0x10, 0x01, 0x80000000, 5) == 1);
    assert_true(TREE(RRN_AND, PREC_L, 0x10, 0, 3, 5) == 0);
    assert_true(TREE(RRN_OR, PREC_S, 0, 0, 0x8000, 0) == 1);
    assert_true(TREE(RRN_OR, PREC_I, 0, 0) == 0);
    assert_true(mncore2_rrn_unit(RRN_FADD, PREC_D) == 0 && mncore2_rrn_unit(RRN_OR, PREC_L) == 0);
    assert_true(mncore2_rrn_unit(RRN_IADD, PREC_S) == 0 && mncore2_rrn_unit(RRN_BOR, PREC_I) == 0);
    assert_true(mncore2_rrn_unit(RRN_MAX, PREC_H) == UINT64_MAX &&
                mncore2_rrn_unit(RRN_AND, PREC_S) == UINT64_MAX);
    assert_true(mncore2_rrn_unit(RRN_BAND, PREC_L) == UINT64_MAX);
    assert_true(mncore2_rrn_unit(RRN_MIN, PREC_D) == 0x7fffffffffffffff);
    assert_true(mncore2_rrn_unit(RRN_MIN, PREC_F) == 0x7fffffff7fffffff);
    assert_true(mncore2_rrn_unit(RRN_MIN, PREC_H) == 0x7fff7fff7fff7fff);
}

CASE(reduction_sums)
CASE(reduction_stages)
CASE(reduction_others)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reduction_sums),
        cmocka_unit_test(test_reduction_stages),
        cmocka_unit_test(test_reduction_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
