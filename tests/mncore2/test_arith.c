/*
 * The arithmetic of MN-Core 2: the manual's own examples and both edges of its rules, with
 * expectations worked out by hand from chapter 4 and sections 3.6.9 to 3.6.12. Each case runs on
 * every set of kernels that the host has.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "functional/mncore2/arith.h"
#include "functional/mncore2/arith_select.h"

enum { LANES = 8 };

static const char *const kernel_names[] = {"reference", "avx2", "avx512"};

/* The same value in all lanes of a bus. */
struct bus {
    uint64_t half[2][LANES];
};

static struct bus both(uint64_t high, uint64_t low)
{
    struct bus b;
    for (size_t i = 0; i < LANES; i++) {
        b.half[0][i] = high;
        b.half[1][i] = low;
    }
    return b;
}

static struct bus out;
static uint8_t flags[LANES];

static void run_mau(struct mau_op op, const uint64_t *matrix, const struct bus *x,
                    const struct bus *y, const struct bus *z)
{
    const uint64_t *const none[2] = {NULL, NULL};
    const uint64_t *const xs[2] = {x->half[0], x->half[1]};
    const uint64_t *const ys[2] = {y ? y->half[0] : NULL, y ? y->half[1] : NULL};
    const uint64_t *const zs[2] = {z ? z->half[0] : NULL, z ? z->half[1] : NULL};
    memset(&out, 0x5a, sizeof out);
    mau_cycle(&op, LANES, matrix, xs, y ? ys : none, z ? zs : none,
              (uint64_t *const[]){out.half[0], out.half[1]}, flags);
}

static void run_alu(struct alu_op op, const struct bus *x, const struct bus *y)
{
    const uint64_t *const xs[2] = {x ? x->half[0] : NULL, x ? x->half[1] : NULL};
    const uint64_t *const ys[2] = {y ? y->half[0] : NULL, y ? y->half[1] : NULL};
    memset(&out, 0x5a, sizeof out);
    alu_cycle(&op, LANES, xs, ys, (uint64_t *const[]){out.half[0], out.half[1]}, flags);
}

/* Single and half operations on one element, in every place of the bus at once. */
static uint32_t fvfma(uint32_t x, uint32_t y, uint32_t z, uint16_t negate_z)
{
    const struct bus xs = both((uint64_t)x << 32 | x, 0), ys = both((uint64_t)y << 32 | y, 0),
                     zs = both((uint64_t)z << 32 | z, 0);
    run_mau((struct mau_op){.insn = INSN_VFMA, .prec = PREC_F, .z = negate_z}, NULL, &xs, &ys, &zs);
    for (size_t i = 0; i < LANES; i++) {
        assert_true(out.half[0][i] == out.half[0][0] && out.half[1][i] == 0);
        assert_true(out.half[0][i] >> 32 == (out.half[0][i] & 0xffffffff));
        assert_int_equal(flags[i], (out.half[0][0] & 0x80000000) != 0 ? 0 : 15);
    }
    return (uint32_t)out.half[0][0];
}

static uint64_t dvfma(uint64_t x, uint64_t y, uint64_t z)
{
    const struct bus xs = both(x, 0), ys = both(y, 0), zs = both(z, 0);
    uint64_t result[2];
    for (unsigned lower = 0; lower < 2; lower++) {
        run_mau((struct mau_op){.insn = INSN_VFMA, .prec = PREC_D, .lower = lower != 0}, NULL, &xs,
                &ys, &zs);
        for (size_t i = 0; i < LANES; i++)
            assert_true(out.half[1][i] == 0);
        result[lower] = out.half[0][lower ? 2 : 0];
        assert_true(out.half[0][lower ? 3 : 1] == result[lower]);
        assert_true(out.half[0][lower ? 7 : 5] == result[lower]);
    }
    assert_true(result[0] == result[1]);
    return result[0];
}

static uint16_t hvfmar(uint16_t x, uint16_t y, uint32_t z)
{
    const struct bus xs = both(x * 0x0001000100010001u, 0), ys = both(y * 0x0001000100010001u, 0),
                     zs = both((uint64_t)z << 32 | z, (uint64_t)z << 32 | z);
    run_mau((struct mau_op){.insn = INSN_VFMA, .prec = PREC_H, .reduce = true}, NULL, &xs, &ys,
            &zs);
    for (size_t i = 0; i < LANES; i++) {
        assert_true(out.half[0][i] == (out.half[0][0] & 0xffff) * 0x0001000100010001u);
        assert_true(out.half[1][i] == 0);
    }
    return (uint16_t)out.half[0][0];
}

enum {
    F_ONE = 0x3f800000,
    F_INF = 0x7f800000,
    F_MAX = 0x7f7fffff,
    F_MIN = 0x00800000, /* 2^-126 */
    H_ONE = 0x3e00,
    H_INF = 0x7e00
};
#define F_MINUS 0x80000000u
#define D_ONE ((uint64_t)0x3ff << 52)
#define D_INF ((uint64_t)0x7ff << 52)
#define D_MINUS ((uint64_t)1 << 63)

/* 2^n as a single, as a double. */
static uint32_t f_power(int n)
{
    return (uint32_t)(n + 127) << 23;
}

static uint64_t d_power(int n)
{
    return (uint64_t)(n + 1023) << 52;
}

static void correction_term(void)
{
    /* 4.3: (2^20 + 1)^2 - 2^40, exact 2^21 + 1, printed 0x4a000010. */
    assert_int_equal(fvfma(0x49800008, 0x49800008, f_power(40), OPERAND_NEGATE), 0x4a000010);
    /* j = 18 is still multiplied: (1 + 2^-18)^2 - (1 + 2^-17) = 2^-36. */
    assert_int_equal(fvfma(F_ONE + 32, F_ONE + 32, F_ONE + 64, OPERAND_NEGATE), f_power(-36));
    /* One factor down to j = 23, the other to 18: exact, 2^-41. */
    assert_int_equal(fvfma(F_ONE + 1, F_ONE + 32, F_ONE + 33, OPERAND_NEGATE), f_power(-41));
    /* Both in the low 5 bits: 2^-46, 2^-38 and all of (31 * 2^-23)^2 become 2^-38. */
    assert_int_equal(fvfma(F_ONE + 1, F_ONE + 1, F_ONE + 2, OPERAND_NEGATE), f_power(-38));
    assert_int_equal(fvfma(F_ONE + 16, F_ONE + 16, F_ONE + 32, OPERAND_NEGATE), f_power(-38));
    assert_int_equal(fvfma(F_ONE + 31, F_ONE + 31, F_ONE + 62, OPERAND_NEGATE), f_power(-38));
    /* Double: 16 bits, 2^-74. */
    assert_true(dvfma(D_ONE + 0x10000, D_ONE + 0x10000, (D_ONE + 0x20000) | D_MINUS) ==
                d_power(-72));
    assert_true(dvfma(D_ONE + 1, D_ONE + 0x10000, (D_ONE + 0x10001) | D_MINUS) == d_power(-88));
    assert_true(dvfma(D_ONE + 1, D_ONE + 1, (D_ONE + 2) | D_MINUS) == d_power(-74));
    assert_true(dvfma(D_ONE + 0xffff, D_ONE + 1, (D_ONE + 0x10000) | D_MINUS) == d_power(-74));
}

static void one_rounding(void)
{
    /* Ties go to even, anything beyond a tie does not, however far below. */
    assert_int_equal(fvfma(f_power(-12), f_power(-12), F_ONE, 0), F_ONE);
    assert_int_equal(fvfma(f_power(-12), f_power(-12), F_ONE + 1, 0), F_ONE + 2);
    assert_int_equal(fvfma(f_power(-12), f_power(-12) + 1, F_ONE, 0), F_ONE + 1);
    assert_int_equal(fvfma(f_power(-12) - 1, f_power(-12), F_ONE, 0), F_ONE);
    /* A product 200 binary orders below only breaks the tie. */
    assert_int_equal(fvfma(f_power(-100), f_power(-100), F_ONE, 0), F_ONE);
    assert_int_equal(fvfma(f_power(-100) | F_MINUS, f_power(-100), F_ONE, 0), F_ONE);
    /* c is the small one: (1 + 2^-12)^2 = 1 + 2^-11 + 2^-24 is a tie, to even below. */
    assert_int_equal(fvfma(F_ONE + 0x800, F_ONE + 0x800, 0, 0), F_ONE + 0x1000);
    assert_int_equal(fvfma(F_ONE + 0x800, F_ONE + 0x800, f_power(-90), 0), F_ONE + 0x1001);
    assert_int_equal(fvfma(F_ONE + 0x800, F_ONE + 0x800, f_power(-90) | F_MINUS, 0),
                     F_ONE + 0x1000);
    assert_true(dvfma(d_power(-26), d_power(-27), D_ONE) == D_ONE);
    assert_true(dvfma(d_power(-26), d_power(-27) + 1, D_ONE) == D_ONE + 1);
    assert_true(dvfma(d_power(-300), d_power(-300), D_ONE) == D_ONE);
    assert_true(dvfma(D_ONE + ((uint64_t)1 << 25), D_ONE + ((uint64_t)1 << 26), 0) ==
                D_ONE + ((uint64_t)3 << 25)); /* (1 + 2^-27)(1 + 2^-26): a tie of 2^-53 */
    assert_true(dvfma(D_ONE + ((uint64_t)1 << 25), D_ONE + ((uint64_t)1 << 26), d_power(-300)) ==
                D_ONE + ((uint64_t)3 << 25) + 1);
    /* r: straight to half. 1 + 2^-10 + 2^-25 lies above the tie; by way of single it would not. */
    assert_int_equal(hvfmar((31 - 12) << 9, (31 - 13) << 9, F_ONE + 0x2000), H_ONE + 1);
    assert_int_equal(hvfmar(0, 0, F_ONE + 0x2000), H_ONE);
    assert_int_equal(hvfmar(0, 0, F_ONE + 0x6000), H_ONE + 2);
}

static void exponent_range(void)
{
    /* Half a unit above the largest value is a tie that rounds to infinity. */
    assert_int_equal(fvfma(F_ONE, F_MAX, f_power(103), 0), F_INF);
    assert_int_equal(fvfma(F_ONE, F_MAX, f_power(103) - 1, 0), F_MAX);
    assert_int_equal(fvfma(F_ONE, F_MAX | F_MINUS, f_power(103) | F_MINUS, 0), F_INF | F_MINUS);
    /* Rounding comes before the check: 2^-126 - 2^-151 is a tie to 2^-126, 2^-126 - 2^-150 is
     * below, and zero is +0. */
    assert_int_equal(fvfma(f_power(-75) | F_MINUS, f_power(-76), F_MIN, 0), F_MIN);
    assert_int_equal(fvfma(f_power(-75) | F_MINUS, f_power(-75), F_MIN, 0), 0);
    assert_int_equal(fvfma(f_power(-75), f_power(-75), F_MIN | F_MINUS, 0), 0);
    assert_int_equal(fvfma(f_power(-75), f_power(-76), F_MIN | F_MINUS, 0), F_MIN | F_MINUS);
    assert_int_equal(fvfma(f_power(-75) | F_MINUS, f_power(-76) + 1, F_MIN, 0), 0);
    assert_int_equal(fvfma(f_power(-100), f_power(-100) | F_MINUS, 0, 0), 0);
    assert_int_equal(fvfma(f_power(100), f_power(100), 0, 0), F_INF);
    /* The product may leave the range when the sum comes back. */
    assert_int_equal(fvfma(f_power(64), f_power(64), F_MAX, OPERAND_NEGATE), f_power(104));
    assert_true(dvfma(d_power(512), d_power(512), D_INF - 1 + D_MINUS) == d_power(971));
    assert_true(dvfma(d_power(-600), d_power(-600), 0) == 0);
    assert_true(dvfma(d_power(-512) | D_MINUS, d_power(-564), d_power(-1022)) == d_power(-1022));
    assert_true(dvfma(d_power(-512) | D_MINUS, d_power(-563), d_power(-1022)) == 0);
    /* Half results: 2^32 is infinity, 2^-30 the smallest. */
    assert_int_equal(hvfmar(0, 0, f_power(32)), H_INF);
    assert_int_equal(hvfmar(0, 0, f_power(32) - 0x2000), H_INF);
    assert_int_equal(hvfmar(0, 0, f_power(32) - 0x2001), H_INF - 1);
    assert_int_equal(hvfmar(0, 0, f_power(-30)), 1 << 9);
    assert_int_equal(hvfmar(0, 0, f_power(-30) - 0x2000), 1 << 9);
    assert_int_equal(hvfmar(0, 0, f_power(-30) - 0x2001), 0);
    assert_int_equal(hvfmar(0, 0, (f_power(-30) - 0x2001) | F_MINUS), 0);
}

static void specials(void)
{
    const uint32_t odd_zero = 0x807fffff, odd_inf = 0xff812345;
    assert_int_equal(fvfma(F_MINUS, F_ONE, F_MINUS, 0), 0);
    assert_int_equal(fvfma(odd_zero, F_MAX, odd_zero, 0), 0);
    assert_int_equal(fvfma(odd_zero, F_MAX, F_ONE, 0), F_ONE);
    assert_int_equal(fvfma(F_ONE, F_ONE, F_ONE | F_MINUS, 0), 0);
    assert_int_equal(fvfma(odd_inf, F_ONE, F_ONE, 0), F_INF | F_MINUS);
    assert_int_equal(fvfma(odd_inf, F_ONE | F_MINUS, F_ONE, 0), F_INF);
    assert_int_equal(fvfma(odd_inf, odd_zero, F_ONE, 0), F_ONE); /* infinity * 0 = 0 */
    assert_int_equal(fvfma(odd_inf, F_ONE, F_INF, 0), F_INF);    /* -inf + inf */
    assert_int_equal(fvfma(F_INF, F_ONE, odd_inf, 0), F_INF);
    assert_int_equal(fvfma(odd_inf, F_ONE, odd_inf, 0), F_INF | F_MINUS);
    assert_int_equal(fvfma(F_ONE, F_ONE, odd_inf, 0), F_INF | F_MINUS);
    assert_true(dvfma(D_INF | 1, D_ONE | D_MINUS, D_ONE) == (D_INF | D_MINUS));
    assert_true(dvfma(D_INF, 1, D_ONE) == D_ONE);
    assert_true(dvfma(D_INF | D_MINUS, D_ONE, D_INF) == D_INF);
    assert_true(dvfma(D_ONE, D_ONE, D_ONE | D_MINUS) == 0);
    assert_int_equal(hvfmar(0x7e01, H_ONE, 0), H_INF);
    assert_int_equal(hvfmar(0x7e01, 0x01ff, F_ONE), H_ONE);
}

static void vector_forms(void)
{
    /* The long words of four singles 1 2 | 3 4 and of halves 1 2 3 4. */
    const struct bus h = both(0x3e00400041004200, 0), f = both(0x3f80000040000000, 0x4040000040800000);
    /* hvadd: x half, y two long words of singles; 4 flags, one each. */
    run_mau((struct mau_op){.insn = INSN_VADD, .prec = PREC_H, .y = OPERAND_NEGATE}, NULL, &h, &f,
            NULL);
    assert_true(out.half[0][3] == 0 && out.half[1][3] == 0);
    const struct bus g = both(0x4000000040000000, 0x4000000040000000); /* 2 2 | 2 2 */
    run_mau((struct mau_op){.insn = INSN_VADD, .prec = PREC_H, .y = OPERAND_NEGATE}, NULL, &h, &g,
            NULL);
    assert_true(out.half[0][0] == 0xbf80000000000000 && out.half[1][0] == 0x3f80000040000000);
    assert_int_equal(flags[0], 7);
    /* z with e: halves of one long word; x with r: two long words of singles. */
    run_mau((struct mau_op){.insn = INSN_VFMA, .prec = PREC_H, .x = OPERAND_REDUCE | OPERAND_NEGATE,
                            .z = OPERAND_EXTEND},
            NULL, &f, &h, &h);
    assert_true(out.half[0][0] == 0x00000000c0000000 && out.half[1][0] == 0xc0c00000c1400000);
    assert_int_equal(flags[0], 8);
    /* the same with a half-precision result: one long word, the rest 0 */
    run_mau((struct mau_op){.insn = INSN_VMUL, .prec = PREC_H, .reduce = true}, NULL, &h, &h, NULL);
    assert_true(out.half[0][0] == 0x3e00420044404600 && out.half[1][0] == 0);
    /* f with e: the two halves of a word */
    run_mau((struct mau_op){.insn = INSN_VADD, .prec = PREC_F, .x = OPERAND_EXTEND}, NULL, &h, &f,
            NULL);
    assert_true(out.half[0][0] == 0x4000000040800000 && out.half[1][0] == 0);
    run_mau((struct mau_op){.insn = INSN_VPASSA, .prec = PREC_F, .x = OPERAND_NEGATE}, NULL, &f,
            NULL, NULL);
    assert_true(out.half[0][0] == 0xbf800000c0000000 && out.half[1][0] == 0);
    assert_int_equal(flags[0], 0);
    /* d with e takes the word at the MSB side; r gives one there */
    run_mau((struct mau_op){.insn = INSN_VPASSA, .prec = PREC_D, .x = OPERAND_EXTEND}, NULL, &f,
            NULL, NULL);
    assert_true(out.half[0][0] == D_ONE && out.half[1][0] == 0);
    run_mau((struct mau_op){.insn = INSN_VADD, .prec = PREC_D, .x = OPERAND_EXTEND,
                            .y = OPERAND_EXTEND, .reduce = true},
            NULL, &f, &f, NULL);
    assert_true(out.half[0][0] == (uint64_t)0x40000000 << 32 && out.half[1][0] == 0);
    /* double to single directly: 1 + 2^-24 is a tie, 2^-60 more is not */
    const struct bus tie = both(D_ONE + ((uint64_t)1 << 28), 0), bit = both(d_power(-60), 0);
    run_mau((struct mau_op){.insn = INSN_VPASSA, .prec = PREC_D, .reduce = true}, NULL, &tie, NULL,
            NULL);
    assert_true(out.half[0][0] == (uint64_t)F_ONE << 32);
    run_mau((struct mau_op){.insn = INSN_VADD, .prec = PREC_D, .reduce = true}, NULL, &tie, &bit,
            NULL);
    assert_true(out.half[0][0] == (uint64_t)(F_ONE + 1) << 32);
    assert_int_equal(flags[0], 15);
    /* u and d: the other two PE get z, normalised (3.6.9.10) */
    const struct bus two = both(d_power(1), 0), odd = both(D_MINUS | 5, 0);
    run_mau((struct mau_op){.insn = INSN_VFMA, .prec = PREC_D, .lower = true}, NULL, &two, &two,
            &odd);
    for (size_t i = 0; i < LANES; i++)
        assert_true(out.half[0][i] == (i % 4 >= 2 ? d_power(2) : 0));
    run_mau((struct mau_op){.insn = INSN_VMUL, .prec = PREC_D}, NULL, &two, &two, NULL);
    for (size_t i = 0; i < LANES; i++)
        assert_true(out.half[0][i] == (i % 4 < 2 ? d_power(2) : 0));
    /* 3.7.1: integers to floats: (2^23 | n) - 2^23 */
    const struct bus n = both(0x4b0000644b00006b, 0), big = both(0x4b0000004b000000, 0);
    run_mau((struct mau_op){.insn = INSN_VADD, .prec = PREC_F, .y = OPERAND_NEGATE}, NULL, &n, &big,
            NULL);
    assert_true(out.half[0][0] == 0x42c8000042d60000); /* 100, 107 */
}

/* --- matrix and vector -------------------------------------------------------------------------- */

static uint64_t plane[64 * LANES / 4];

static void matrix_products(void)
{
    /* Half: every element 1.0 is mantissa 0x100 under the field of 1.0; 16 * 2 + 4 = 36. */
    const struct bus ones = both(0x3f003f003f003f00, 0), twos = both(0x4100410041004100, 0),
                     four = both(0x4080000040800000, 0x4080000040800000);
    for (size_t i = 0; i < sizeof plane / sizeof *plane; i++)
        plane[i] = 0x3f003f003f003f00;
    run_mau((struct mau_op){.insn = INSN_MFMA, .prec = PREC_H}, plane, &twos, &four, NULL);
    assert_true(out.half[0][5] == 0x4210000042100000 && out.half[1][5] == 0x4210000042100000);
    run_mau((struct mau_op){.insn = INSN_MFMA, .prec = PREC_H, .x = OPERAND_NEGATE,
                            .y = OPERAND_NEGATE, .reduce = true},
            plane, &twos, &four, NULL);
    assert_true(out.half[0][5] == 0xc840c840c840c840 && out.half[1][5] == 0);
    assert_int_equal(flags[5], 0);
    /* Which element goes where: row r of the plane holds r in column 3, else 0. Under the field of
     * 2^4 the mantissa counts 2^-4. */
    for (size_t i = 0; i < sizeof plane / sizeof *plane; i++)
        plane[i] = 0x4600460046004600 | (i % 4 == 0 ? i % 64 / 4 << 4 : 0);
    run_mau((struct mau_op){.insn = INSN_MMUL, .prec = PREC_H}, plane, &ones, NULL, NULL);
    assert_true(out.half[0][0] == 0x000000003f800000 && out.half[1][0] == 0x4000000040400000);
    assert_true(out.half[0][3] == 0x4140000041500000 && out.half[1][3] == 0x4160000041700000);
    /* Extended: common field 0x1f, an element of field 0 and mantissa 1 is 2^-14 (4.4). Its product
     * with 1.0 (mantissa 0x100) counts 2^8 * 2^-16, down 6: 2^-14. */
    for (size_t i = 0; i < sizeof plane / sizeof *plane; i++)
        plane[i] = i % 4 == 0 ? 0x00013e003e003e00 : 0x3e003e003e003e00;
    run_mau((struct mau_op){.insn = INSN_MMUL, .prec = PREC_H}, plane, &ones, NULL, NULL);
    assert_true(out.half[0][0] >> 32 == f_power(-14));
    /* Both extended: down 12 with nearest even. 0x1ff * 0x1ff = 0x3fc01, 63.75 units: 64. */
    for (size_t i = 0; i < 64 * LANES / 4; i += 4)
        plane[i] = 0x01ff3e003e003e00;
    struct bus x = both(0x3e003e003e003e00, 0);
    x.half[0][0] = x.half[0][4] = 0x01ff3e003e003e00;
    run_mau((struct mau_op){.insn = INSN_MMUL, .prec = PREC_H}, plane, &x, NULL, NULL);
    assert_true(out.half[0][0] >> 32 == f_power(6 - 16));
    /* 0x120 * 0x040 = 0x4800, 4.5 units: 4, even. */
    for (size_t i = 0; i < 64 * LANES / 4; i += 4)
        plane[i] = 0x01203e003e003e00;
    x.half[0][0] = x.half[0][4] = 0x00403e003e003e00;
    run_mau((struct mau_op){.insn = INSN_MMUL, .prec = PREC_H}, plane, &x, NULL, NULL);
    assert_true(out.half[0][0] >> 32 == f_power(2 - 16));
    /* An all-zero block and an addend: the addend, normalised. */
    memset(plane, 0, sizeof plane);
    const struct bus zeros = both(F_MINUS, (uint64_t)F_MINUS << 32);
    run_mau((struct mau_op){.insn = INSN_MFMA, .prec = PREC_H}, plane, &ones, &zeros, NULL);
    assert_true(out.half[0][0] == 0 && out.half[1][0] == 0);
    assert_int_equal(flags[0], 15);
}

static void matrix_precisions(void)
{
    /* Double: rows 0, 4, 8, 12 of the plane; 1.0 is mantissa 2^51 under the field of 1.0. */
    memset(plane, 0, sizeof plane);
    for (size_t row = 0; row < 4; row++)
        for (size_t p = 0; p < 4; p++)
            plane[16 * row + p] = plane[64 + 16 * row + p] =
                row == p ? D_ONE | (uint64_t)1 << 51 : D_ONE;
    struct bus x = both(0, 0), y = both(d_power(3), 0);
    for (size_t i = 0; i < LANES; i++)
        x.half[0][i] = D_ONE | (uint64_t)(i % 4 + 1) << 48; /* (i + 1) / 8 */
    run_mau((struct mau_op){.insn = INSN_MFMA, .prec = PREC_D}, plane, &x, &y, NULL);
    assert_true(out.half[0][0] == (d_power(3) | (uint64_t)1 << 46)); /* 8 + 1/8 */
    assert_true(out.half[0][1] == (d_power(3) | (uint64_t)2 << 46));
    assert_true(out.half[0][2] == d_power(3) && out.half[0][7] == d_power(3));
    run_mau((struct mau_op){.insn = INSN_MMUL, .prec = PREC_D, .lower = true}, plane, &x, NULL,
            NULL);
    assert_true(out.half[0][0] == 0 && out.half[0][5] == 0);
    assert_true(out.half[0][2] == (d_power(-2) | (uint64_t)1 << 51)); /* 3/8 */
    assert_true(out.half[0][7] == d_power(-1));
    /* The correction term of each product: four times (1 * 2^-51)^2 -> 4 * 2^-74 * 4. */
    for (size_t i = 0; i < sizeof plane / sizeof *plane; i++)
        plane[i] = D_ONE | 1;
    x = both(D_ONE | 1, 0);
    run_mau((struct mau_op){.insn = INSN_MMUL, .prec = PREC_D}, plane, &x, NULL, NULL);
    assert_true(out.half[0][0] == d_power(2 - 74 + 2));
    /* Single: even rows, words at the MSB side only; the others may hold anything. */
    for (size_t i = 0; i < sizeof plane / sizeof *plane; i++)
        plane[i] = i / 4 % 2 == 0 ? 0x3f8000017fffffff : 0xffffffffffffffff;
    x = both(0x3f80000112345678, 0);
    run_mau((struct mau_op){.insn = INSN_MMUL, .prec = PREC_F}, plane, &x, NULL, NULL);
    assert_true(out.half[0][0] == (f_power(2 - 38 + 2) * 0x0000000100000001u));
    assert_true(out.half[1][0] == 0);
    /* Pseudo single ignores the low 5 bits: 8 * (0x20 * 2^-22)^2, exactly. */
    for (size_t i = 0; i < sizeof plane / sizeof *plane; i++)
        plane[i] = i / 4 % 2 == 0 ? 0x3f80003f3f800020 : 0xffffffffffffffff;
    x = both(0x3f8000203f80003f, 0);
    run_mau((struct mau_op){.insn = INSN_MMUL, .prec = PREC_G}, plane, &x, NULL, NULL);
    assert_true(out.half[0][0] == (f_power(3 - 34) * 0x0000000100000001u));
    /* y with e: the halves of the word at the MSB side */
    y = both((uint64_t)0x3e00c000 << 32, 0); /* 1, -2 */
    memset(plane, 0, sizeof plane);
    run_mau((struct mau_op){.insn = INSN_MFMA, .prec = PREC_G, .y = OPERAND_EXTEND}, plane, &x, &y,
            NULL);
    assert_true(out.half[0][0] == 0x3f800000c0000000);
    assert_int_equal(flags[0], 12);
}

static void matrix_writes(void)
{
    const uint64_t high[4] = {0x3f80000040000000, 0, 0, 0}, low[4] = {0x4040000040800000, 0, 0, 0};
    const uint64_t *const in[2] = {high, low};
    uint64_t a[4], b[4];
    uint64_t *const to[2] = {a, b};
    mwrite_input(PREC_H, OPERAND_REDUCE | OPERAND_NEGATE, 4, in, to);
    assert_true(a[0] == 0xbe00c000c100c200);
    mwrite_input(PREC_H, OPERAND_NEGATE, 4, in, to);
    assert_true(a[0] == 0xbf808000c0008000 && b[0] == 0xc0408000c0808000);
    mwrite_input(PREC_F, OPERAND_NEGATE, 4, in, to);
    assert_true(a[0] == 0xbf800000c0000000);
    mwrite_input(PREC_D, OPERAND_EXTEND, 4, in, to);
    assert_true(a[0] == D_ONE);
    mwrite_input(PREC_D, OPERAND_NEGATE, 4, in, to);
    assert_true(a[0] == 0xbf80000040000000);
    const uint64_t halves[4] = {0x3e00c00000000000, 0, 0, 0};
    mwrite_input(PREC_G, OPERAND_EXTEND, 4, (const uint64_t *const[]){halves, NULL}, to);
    assert_true(a[0] == 0x3f800000c0000000);
    mwrite_input(PREC_H, 0, 4, in, to);
    assert_true(a[0] == high[0] && b[0] == low[0]);
}

/* --- ALU ---------------------------------------------------------------------------------------- */

static uint64_t alu(uint8_t insn, uint8_t prec, bool uns, uint64_t x, uint64_t y, unsigned flag)
{
    const struct bus xs = both(x, 0x1122334455667788), ys = both(y, 0x99);
    run_alu((struct alu_op){.insn = insn, .prec = prec, .uns = uns}, &xs, &ys);
    for (size_t i = 0; i < LANES; i++) {
        assert_true(out.half[0][i] == out.half[0][0]);
        /* one long word a cycle: the LSB one is that of the first input (table 3.9) */
        assert_true(out.half[1][i] == 0x1122334455667788);
        assert_int_equal(flags[i], flag);
    }
    return out.half[0][0];
}

static void alu_manual(void)
{
    /* 3.6.12.3: immu s"1"; imm without u. */
    run_alu((struct alu_op){.insn = INSN_IMM, .imm = 0x00010001, .uns = true}, NULL, NULL);
    assert_true(out.half[0][0] == 0x0001000100000000 && out.half[1][7] == 0x0001000100000000);
    run_alu((struct alu_op){.insn = INSN_IMM, .imm = 0x3f003f00}, NULL, NULL);
    assert_true(out.half[0][0] == 0x3f003f003f003f00 && out.half[1][0] == 0x3f003f003f003f00);
    assert_int_equal(flags[0], 0);
    run_alu((struct alu_op){.insn = INSN_ZERO}, NULL, NULL);
    assert_true(out.half[0][0] == 0 && out.half[1][7] == 0 && flags[0] == 0);
    /* 3.4.3 example 6 */
    static const struct {
        uint64_t value;
        unsigned half_flags, long_flags;
    } example[] = {{0x0000111111110000, 9, 0},
                   {0x0000000011111111, 12, 0},
                   {0x1111000000000000, 7, 0},
                   {0, 15, 15}};
    for (size_t i = 0; i < 4; i++) {
        assert_true(alu(INSN_PASSA, PREC_S, false, example[i].value, 1, example[i].half_flags) ==
                    example[i].value);
        alu(INSN_PASSA, PREC_L, false, example[i].value, 1, example[i].long_flags);
    }
    alu(INSN_PASSA, PREC_I, false, 0x0000000011111111, 0, 12);
    /* 3.4.3 example 5: isub of PE number and cycle number; flags where not negative */
    for (unsigned pe = 0; pe < 4; pe++)
        for (unsigned cycle = 0; cycle < 4; cycle++)
            alu(INSN_SUB, PREC_I, false, pe * 0x0000000100000001u, cycle * 0x0000000100000001u,
                pe >= cycle ? 15 : 0);
    /* 3.6.12.6, .7, .8 */
    assert_true(alu(INSN_DEC, PREC_S, false, 0, 0, 0) == UINT64_MAX);
    assert_true(alu(INSN_NOT, PREC_L, false, 0, 0, 0) == UINT64_MAX);
    assert_true(alu(INSN_LNOT, PREC_I, false, 0, 0, 0) == 0x0000000100000001);
    assert_true(alu(INSN_LNOT, PREC_I, false, 0x0000000200000002, 0, 15) == 0);
    /* 3.6.12.4: msl 0 to 1, 1 to 2, 2 to 3, 3 to 0 */
    struct bus x = both(0, 7);
    for (size_t i = 0; i < LANES; i++)
        x.half[0][i] = i;
    run_alu((struct alu_op){.insn = INSN_MSL}, &x, NULL);
    for (size_t i = 0; i < LANES; i++)
        assert_true(out.half[0][i] == i / 4 * 4 + (i + 3) % 4 && out.half[1][i] == 7);
    run_alu((struct alu_op){.insn = INSN_MSR}, &x, NULL);
    for (size_t i = 0; i < LANES; i++)
        assert_true(out.half[0][i] == i / 4 * 4 + (i + 1) % 4 && flags[i] == 0);
    /* 3.6.12.14: four signs packed, starting from $msb1 */
    uint64_t packed = 0x8000800080008000;
    static const uint64_t signs[] = {0x8000000080000000, 0x8000800000000000, 0xffff7fff00008000,
                                     0x0000ffff8000ffff};
    for (size_t i = 0; i < 4; i++) {
        const struct bus a = both(packed, 0), b = both(signs[i], 0);
        run_alu((struct alu_op){.insn = INSN_PACKBIT, .prec = PREC_H}, &a, &b);
        packed = out.half[0][0];
    }
    assert_true(packed == 0x000e000500090003);
    assert_int_equal(flags[0], 8);
    /* 3.6.12.19: r; both long words become one, LSB 0, passa or not */
    const struct bus singles = both(0x3f800000c0000000, 0x7f80000100000001);
    run_alu((struct alu_op){.insn = INSN_PASSA, .prec = PREC_H, .x = OPERAND_REDUCE}, &singles,
            NULL);
    assert_true(out.half[0][0] == 0x3e00c0007e000000 && out.half[1][0] == 0);
    assert_int_equal(flags[0], 1);
    run_alu((struct alu_op){.insn = INSN_OR, .prec = PREC_S, .y = OPERAND_REDUCE}, &singles,
            &singles);
    assert_true(out.half[0][0] == (0x3f800000c0000000 | 0x3e00c0007e000000));
    assert_true(out.half[1][0] == 0x7f80000100000001);
    run_alu((struct alu_op){.insn = INSN_PASSA, .prec = PREC_I}, &singles, NULL);
    assert_true(out.half[0][0] == singles.half[0][0] && out.half[1][0] == singles.half[1][0]);
}

static void alu_integers(void)
{
    /* wrap-around, and what the flags say (table 3.11) */
    assert_true(alu(INSN_ADD, PREC_S, false, 0x7fff8000ffff0001, 0x00018000ffff0001, 0x5) ==
                0x80000000fffe0002);
    assert_true(alu(INSN_ADD, PREC_S, true, 0x7fff8000ffff0001, 0x00018000ffff0001, 0x9) ==
                0x80000000fffe0002);
    assert_true(alu(INSN_SUB, PREC_I, true, 0x0000000100000001, 0x0000000100000002, 12) ==
                0x00000000ffffffff);
    assert_true(alu(INSN_INC, PREC_L, true, UINT64_MAX, 0, 0) == 0);
    assert_true(alu(INSN_INC, PREC_L, false, UINT64_MAX, 0, 15) == 0);
    assert_true(alu(INSN_INC, PREC_L, false, INT64_MAX, 0, 0) == D_MINUS);
    assert_true(alu(INSN_INC, PREC_L, true, INT64_MAX, 0, 15) == D_MINUS);
    assert_true(alu(INSN_DEC, PREC_L, true, 0, 0, 0) == UINT64_MAX);
    assert_true(alu(INSN_DEC, PREC_L, false, 1, 0, 15) == 0);
    alu(INSN_AND, PREC_I, false, 0xffff0000ffff0000, 0x0000ffff00010000, 12);
    alu(INSN_OR, PREC_S, false, 0, 0x0001000000010000, 5);
    alu(INSN_XOR, PREC_S, false, 0x1234123412341234, 0x1234123412351234, 13);
    assert_true(alu(INSN_MAX, PREC_S, false, 0xffff7fff00050005, 0x0001800000050006, 6) ==
                0x00017fff00050006);
    assert_true(alu(INSN_MAX, PREC_S, true, 0xffff7fff00050005, 0x0001800000050006, 10) ==
                0xffff800000050006);
    assert_true(alu(INSN_MIN, PREC_S, false, 0xffff7fff00050005, 0x0001800000050006, 11) ==
                0xffff800000050005);
}

static void alu_shifts(void)
{
    /* amounts modulo 2n; n and above shift everything out (3.6.12.17) */
    assert_true(alu(INSN_LSL, PREC_S, false, 0x8001800180018001, 0x000f0010001f0020, 6) ==
                0x8000000000008001);
    assert_true(alu(INSN_LSR, PREC_S, true, 0x8001800180018001, 0x000f0010001f0020, 6) ==
                0x0001000000008001);
    assert_true(alu(INSN_LSR, PREC_S, false, 0x8001800180018001, 0x000f0010001f0020, 0) ==
                0xffffffffffff8001);
    assert_true(alu(INSN_LSR, PREC_S, false, 0x7001700170017001, 0x000f0010001f0020, 14) ==
                0x0000000000007001);
    assert_true(alu(INSN_BSL, PREC_S, false, 0x8001800180018001, 0x000100110010ffff, 0) ==
                0x000300038001c000);
    assert_true(alu(INSN_BSR, PREC_S, false, 0x8001800180018001, 0x000100110010ffff, 0) ==
                0xc000c00080010003);
    assert_true(alu(INSN_LSL, PREC_L, false, 3, 63, 0) == D_MINUS);
    assert_true(alu(INSN_LSL, PREC_L, false, 3, 64, 15) == 0);
    assert_true(alu(INSN_LSL, PREC_L, false, 3, 127, 15) == 0);
    assert_true(alu(INSN_LSL, PREC_L, false, 3, 128, 0) == 3);
    assert_true(alu(INSN_LSR, PREC_L, false, D_MINUS, 64, 0) == UINT64_MAX);
    assert_true(alu(INSN_BSL, PREC_L, false, D_MINUS | 1, 65, 0) == 3);
    assert_true(alu(INSN_BSR, PREC_I, false, 0x0000000100000001, 0x0000000100000021, 0) ==
                0x8000000080000000);
    assert_true(alu(INSN_LSR, PREC_I, true, 0x8000000080000000, 0x0000001f00000020, 3) ==
                0x0000000100000000);
}

static void alu_floats(void)
{
    /* floor: towards minus infinity; zeros and infinities as they are */
    assert_true(alu(INSN_FLOOR, PREC_F, false, 0x3fc00000bfc00000, 0, 0) == 0x3f800000c0000000);
    assert_true(alu(INSN_FLOOR, PREC_F, false, 0x3f7fffff80800000, 0, 0) == 0x00000000bf800000);
    assert_true(alu(INSN_FLOOR, PREC_F, false, 0x8000012300000123, 0, 0) == 0x8000012300000123);
    assert_true(alu(INSN_FLOOR, PREC_F, false, 0xff8001237f800123, 0, 0) == 0xff8001237f800123);
    assert_true(alu(INSN_FLOOR, PREC_F, false, 0xc07fffffc0800000, 0, 0) == 0xc0800000c0800000);
    assert_true(alu(INSN_FLOOR, PREC_D, false, 0xbff0000000000001, 0, 0) == 0xc000000000000000);
    assert_true(alu(INSN_FLOOR, PREC_D, false, 0x432fffffffffffff, 0, 0) == 0x432ffffffffffffe);
    assert_true(alu(INSN_FLOOR, PREC_H, false, 0x3e01be01bc0051ff, 0, 0) == 0x3e00c000be0051ff);
    /* ftoi: towards zero, clipped */
    assert_true(alu(INSN_FTOI, PREC_F, false, 0x3fffffffff812345, 0, 0) == 0x0000000180000000);
    assert_true(alu(INSN_FTOI, PREC_F, false, 0xbfffffff4effffff, 0, 0) == 0xffffffff7fffff80);
    assert_true(alu(INSN_FTOI, PREC_F, false, 0x4f000000cf000000, 0, 0) == 0x7fffffff80000000);
    assert_true(alu(INSN_FTOI, PREC_F, false, 0x7f800000cf000001, 0, 0) == 0x7fffffff80000000);
    assert_true(alu(INSN_FTOI, PREC_F, true, 0xcf7fffff4f800000, 0, 0) == 0xffffff00ffffffff);
    assert_true(alu(INSN_FTOI, PREC_F, true, 0xbf7fffff807fffff, 0, 0) == 0);
    assert_true(alu(INSN_FTOI, PREC_D, false, 0xc3e0000000000000, 0, 0) == D_MINUS);
    assert_true(alu(INSN_FTOI, PREC_D, true, 0x43efffffffffffff, 0, 0) == 0xfffffffffffff800);
    assert_true(alu(INSN_FTOI, PREC_H, false, 0x5a00da00da014000, 0, 0) == 0x4000c000bfe00002);
    assert_true(alu(INSN_FTOI, PREC_H, false, 0x5c00dc007e00fe00, 0, 0) == 0x7fff80007fff8000);
    /* max, min: two zeros: x; equal signs of infinity: mantissas; else values */
    assert_true(alu(INSN_MAX, PREC_F, false, 0x8000000000000001, 0x0000000180000000, 15) ==
                0x8000000000000001);
    assert_true(alu(INSN_MIN, PREC_F, false, 0x0000000080000001, 0x8000000080000001, 15) ==
                0x0000000080000001);
    assert_true(alu(INSN_MAX, PREC_F, false, 0x7f800001ff800001, 0x7f800002ff800002, 3) ==
                0x7f800002ff800001);
    assert_true(alu(INSN_MAX, PREC_F, false, 0xbf80000080000000, 0xc000000080800000, 15) ==
                0xbf80000080000000);
    assert_true(alu(INSN_MIN, PREC_F, false, 0xbf80000080000000, 0xc000000080800000, 0) ==
                0xc000000080800000);
    assert_true(alu(INSN_MAX, PREC_H, false, 0x3e00be003e00be00, 0xbe003e003e01be01, 9) ==
                0x3e003e003e01be00);
    /* ReLU family (table 3.12): y passes bit for bit, else -0 */
    assert_true(alu(INSN_RELU, PREC_F, false, 0x00000000ffffffff, 0x0000000100000001, 12) ==
                0x0000000180000000);
    assert_true(alu(INSN_RELU1, PREC_F, false, 0xbfffffff40000000, 0x1234567812345678, 12) ==
                0x1234567880000000);
    assert_true(alu(INSN_RELU2, PREC_H, false, 0xdfff2000dfff2000, 0x1234123412341234, 10) ==
                0x1234800012348000);
    assert_true(alu(INSN_RELU3, PREC_D, false, 0x1000000000000000, 5, 0) == D_MINUS);
    assert_true(alu(INSN_LRELUD, PREC_F, false, 0xbf800000bf800000, 0x40400000c0400000, 0) ==
                0x3fc00000bfc00000);
    assert_true(alu(INSN_LRELUD, PREC_F, false, 0xbf800000bf800000, 0x0100000100ffffff, 0) ==
                0x0080000180000000);
    assert_true(alu(INSN_LRELU0, PREC_F, false, 0xbf800000bf800000, 0x0200000101ffffff, 0) ==
                0x0080000180000000);
    assert_true(alu(INSN_LRELU0, PREC_F, false, 0x3f800000bf800000, 0x0200000141000000, 12) ==
                0x020000013f800000);
    assert_true(alu(INSN_ILRELUD, PREC_F, false, 0xbf800000bf800000, 0x00000000807fffff, 0) ==
                0x0080000080ffffff);
    assert_true(alu(INSN_ILRELUD, PREC_F, false, 0xbf800000bf800000, 0x7f012345ffffffff, 0) ==
                0x7f812345ffffffff);
    /* rsqrt: sign ignored, within 2^-5, exact range */
    for (unsigned i = 0; i < 2000; i++) {
        const uint32_t x = 0x00800000u + i * 0x10325u * 15u;
        const double root = single_value((uint32_t)(alu(INSN_RSQRT, PREC_F, false, x | (uint64_t)x << 32,
                                                        0, 15) >> 32));
        const double error = root * root * single_value(x) - 1;
        assert_true(error > -0x1p-5 && error < 0x1p-5);
    }
    assert_true(alu(INSN_RSQRT, PREC_F, false, 0x80000001ff800000, 0, 0) == 0x7f80000000000000);
    assert_true(alu(INSN_RSQRT, PREC_D, false, d_power(-1022) | D_MINUS, 0, 0) == d_power(511));
    assert_true(alu(INSN_RSQRT, PREC_H, false, 0x3e0042003a007e00, 0, 15) == 0x3e003c0040000000);
}

/* --- block float -------------------------------------------------------------------------------- */

static void bf(uint8_t insn, uint8_t prec, unsigned mantissa, const uint64_t high[4],
               const uint64_t low[4])
{
    struct bus x;
    for (size_t i = 0; i < LANES; i++) {
        x.half[0][i] = high[i % 4];
        x.half[1][i] = low[i % 4];
    }
    run_alu((struct alu_op){.insn = insn, .prec = prec, .mantissa = (uint8_t)mantissa}, &x, NULL);
    for (size_t i = 4; i < LANES; i++)
        assert_true(out.half[0][i] == out.half[0][i - 4] && out.half[1][i] == out.half[1][i - 4]);
    assert_int_equal(flags[0], 0);
}

static void expect(unsigned half, uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
    const uint64_t want[] = {a, b, c, d};
    for (size_t i = 0; i < 4; i++)
        if (out.half[half][i] != want[i])
            fail_msg("PE %zu: %016llx, not %016llx", i, (unsigned long long)out.half[half][i],
                     (unsigned long long)want[i]);
}

static void block_float(void)
{
    const uint64_t rest[4] = {1, 2, 3, 4};
    /* 3.4.3 example 4: four PE with 1.0, 2.0, 3.0, 4.0 in one cycle each. */
    static const uint64_t example[][2] = {{0x3ff0000000000000, 0x3ff8000000000000},
                                          {0x4000000000000000, 0x4008000000000000},
                                          {0x4008000000000000, 0x400c000000000000},
                                          {0x4010000000000000, 0x4018000000000000}};
    for (size_t i = 0; i < 4; i++) {
        const uint64_t in[4] = {example[i][0], example[i][0], example[i][0], example[i][0]};
        bf(INSN_BFN, PREC_D, 0, in, rest);
        expect(0, example[i][1], example[i][1], example[i][1], example[i][1]);
        expect(1, 1, 2, 3, 4);
    }
    /* Different exponents, a sign, a tie to even, a zero; the low word is a block of its own. */
    const uint64_t singles[4] = {0x4080000000000000, 0xbf80000180000001, 0x3f80000300000000,
                                 0x80000005807fffff};
    bf(INSN_BFN, PREC_F, 0, singles, rest);
    expect(0, 0x40c0000000000000, 0xc090000080000000, 0x4090000000000000, 0xc080000080000000);
    /* 0x3f800003 >> 3 = 0x100000.3: 3/8 rounds down. Ties: */
    const uint64_t ties[4] = {0x40800000ff800000, 0x3f8000043f800000, 0x3f80000c00000000,
                              0x3400000080000000};
    bf(INSN_BFN, PREC_F, 0, ties, rest);
    expect(0, 0x40c00000ff800000, 0x409000007f800000, 0x409000027f800000, 0x40800000ff800000);
    /* The carry rule: all ones at the largest exponent; at a smaller one it is no matter. */
    const uint64_t ones[4] = {0x3fffffff3f800000, 0x3f8000003effffff, 0, 0x80000000bf7fffff};
    bf(INSN_BFN, PREC_F, 0, ones, rest);
    expect(0, 0x404000003fc00000, 0x402000003fa00000, 0x400000003f800000, 0xc0000000bfc00000);
    const uint64_t largest[4] = {0x7f7fffff7f7ffffe, 0xbf800000bf800000, 0, 0x8000000080000000};
    bf(INSN_BFN, PREC_F, 0, largest, rest);
    expect(0, 0x7f8000007f7fffff, 0xff800000ff000000, 0x7f8000007f000000, 0xff800000ff000000);
    /* Pseudo single: 8 elements, 18 bits; the carry looks at the upper 18. */
    const uint64_t carry[4] = {0x3fffffe03f800000, 0, 0, 0x80000000bf800000};
    bf(INSN_BFN, PREC_G, 0, carry, rest);
    expect(0, 0x4040000040200000, 0x4000000040000000, 0x4000000040000000, 0xc0000000c0200000);
    const uint64_t stays[4] = {0x3fffffdf3f800000, 0, 0, 0xbfffffa03fffff80};
    bf(INSN_BFN, PREC_G, 0, stays, rest);
    expect(0, 0x3fffffe03fc00000, 0x3f8000003f800000, 0x3f8000003f800000, 0xbfffffc03fffffc0);
    expect(1, 1, 2, 3, 4);
}

static void block_float_half(void)
{
    const uint64_t zeros[4] = {0x8000000000000001, 0, 0, 0x00000000000081ff};
    /* 1, 2^-5, 2^-6, just below 2^-5 | a little less, 2^-14, 2^-15 (a tie), a little more | signs
     * and zeros | 1.5, the smallest, 2^-1. */
    const uint64_t values[4] = {0x3e003400320033ff, 0x33fe220020002001, 0xa00080010000be00,
                                0x3f00020082003c00};
    bf(INSN_BFN, PREC_H, 9, values, zeros);
    expect(0, 0x3f003e083e043e08, 0x3e083e003e003e00, 0xbe00be003e00bf00, 0x3f803e00be003e80);
    expect(1, 0x8000000000000000, 0, 0, 0x8000);
    bf(INSN_BFE, PREC_H, 9, values, zeros);
    expect(0, 0x3f003e0801003e08, 0x01ff000100000001, 0x8000be003e00bf00, 0x3f80000080003e80);
    expect(1, 0x8000000000000000, 0, 0, 0x8000);
    /* Three bits shorter: the common exponent is 3 higher; the LSB long words carry. */
    const uint64_t high[4] = {0x3e00320033f833f7, 0xbe00000000000000, 0, 0};
    const uint64_t low[4] = {0x3ff83e0080000000, 0, 0, 0x3ff7};
    bf(INSN_BFN, PREC_H, 6, high, low);
    expect(0, 0x4420440044014401, 0xc420440044004400, 0x4400440044004400, 0x4400440044004400);
    expect(1, 0x46204610c6004600, 0x4600460046004600, 0x4600460046004600, 0x4600460046004620);
    bf(INSN_BFE, PREC_H, 6, high, low);
    expect(0, 0x442000204401003f, 0xc420440044004400, 0x4400440044004400, 0x4400440044004400);
    const uint64_t no_carry[4] = {0x3ff7000000000000, 0, 0, 0};
    bf(INSN_BFN, PREC_H, 6, no_carry, zeros);
    expect(0, 0x443f440044004400, 0x4400440044004400, 0x4400440044004400, 0x4400440044004400);
    /* b makes the common exponent reach infinity, or not. */
    const uint64_t reaches[4] = {0x7a00be0000000000, 0, 0, 0x8000};
    const uint64_t just_not[4] = {0x7800000000000000, 0, 0, 0x8000};
    bf(INSN_BFE, PREC_H, 7, reaches, just_not);
    expect(0, 0x7e00fe007e007e00, 0x7e007e007e007e00, 0x7e007e007e007e00, 0x7e007e007e00fe00);
    expect(1, 0x7c407c007c007c00, 0x7c007c007c007c00, 0x7c007c007c007c00, 0x7c007c007c00fc00);
    /* r at the input: one block of 16 from both long words, the other one is zero */
    const struct bus x = both(0x3f80000040000000, 0x3f800000c0000000);
    run_alu((struct alu_op){.insn = INSN_BFN, .prec = PREC_H, .mantissa = 9, .x = OPERAND_REDUCE},
            &x, NULL);
    expect(0, 0x408041004080c100, 0x408041004080c100, 0x408041004080c100, 0x408041004080c100);
    expect(1, 0, 0, 0, 0);
}

/* --- RRN ---------------------------------------------------------------------------------------- */

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

/* One element of up to 16 sources, in every place of a long word; other long words do not matter. */
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
    rrn_stage(rrn, prec, n, 3, src, result);
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
    rrn_l1bm(rrn, prec, reduce, n, 1, src, &result);
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
    assert_true(rrn_unit(RRN_FADD, PREC_D) == 0 && rrn_unit(RRN_OR, PREC_L) == 0);
    assert_true(rrn_unit(RRN_IADD, PREC_S) == 0 && rrn_unit(RRN_BOR, PREC_I) == 0);
    assert_true(rrn_unit(RRN_MAX, PREC_H) == UINT64_MAX && rrn_unit(RRN_AND, PREC_S) == UINT64_MAX);
    assert_true(rrn_unit(RRN_BAND, PREC_L) == UINT64_MAX);
    assert_true(rrn_unit(RRN_MIN, PREC_D) == 0x7fffffffffffffff);
    assert_true(rrn_unit(RRN_MIN, PREC_F) == 0x7fffffff7fffffff);
    assert_true(rrn_unit(RRN_MIN, PREC_H) == 0x7fff7fff7fff7fff);
}

/* --- conversions -------------------------------------------------------------------------------- */

static void conversions(void)
{
    for (uint32_t h = 0; h < 0x10000; h++) {
        const uint16_t half = (uint16_t)h;
        const uint16_t sign = half & 0x8000, field = half & 0x7e00;
        const uint16_t plain = field == 0 ? sign : field == 0x7e00 ? sign | field : half;
        assert_int_equal(single_to_half(half_to_single(half)), plain);
        assert_true(double_to_single(single_to_double(half_to_single(half))) ==
                    half_to_single(half));
        assert_true(half_value(half) == single_value(half_to_single(half)));
    }
    assert_int_equal(half_to_single(0x3e00), F_ONE);
    assert_int_equal(half_to_single(0x8001), F_MINUS);
    assert_int_equal(half_to_single(0xfe01), F_INF | F_MINUS);
    assert_true(single_to_double(F_ONE + 1) == D_ONE + ((uint64_t)1 << 29));
    assert_true(single_to_double(F_MIN) == d_power(-126));
    assert_true(single_to_double(0x80000001) == D_MINUS);
    assert_true(single_to_double(0xffffffff) == (D_INF | D_MINUS));
    assert_int_equal(single_to_half(F_ONE + 0x2000), H_ONE);
    assert_int_equal(single_to_half(F_ONE + 0x2001), H_ONE + 1);
    assert_int_equal(single_to_half(f_power(32) - 0x2001), H_INF - 1);
    assert_int_equal(single_to_half(f_power(32) - 0x2000), H_INF);
    assert_int_equal(single_to_half((f_power(-30) - 0x2001) | F_MINUS), 0x8000);
    assert_int_equal(single_to_half((f_power(-30) - 0x2000) | F_MINUS), 0x8200);
    assert_int_equal(double_to_single(D_ONE + ((uint64_t)1 << 28)), F_ONE);
    assert_int_equal(double_to_single(D_ONE + ((uint64_t)1 << 28) + 1), F_ONE + 1);
    assert_int_equal(double_to_single(d_power(128) - 1), F_INF);
    assert_int_equal(double_to_single((d_power(-126) - 1) | D_MINUS), F_MIN | F_MINUS);
    assert_int_equal(double_to_single(d_power(-127) | D_MINUS), F_MINUS);
    assert_true(half_value(0x4100) == 3.0 && single_value(0xc0400000) == -3.0);
    assert_true(1 / double_value(D_MINUS | 5) < 0 && double_value(D_INF | 5) > 1e308);
}

/* --- all of it on all kernels ------------------------------------------------------------------- */

static void on_each(void (*body)(void))
{
    for (size_t i = 0; i < sizeof kernel_names / sizeof *kernel_names; i++)
        if (arith_select_name(kernel_names[i]))
            body();
    arith_select(false);
}

#define CASE(name)                                                                                 \
    static void test_##name(void **unused)                                                         \
    {                                                                                              \
        (void)unused;                                                                              \
        on_each(name);                                                                             \
    }

CASE(correction_term)
CASE(one_rounding)
CASE(exponent_range)
CASE(specials)
CASE(vector_forms)
CASE(matrix_products)
CASE(matrix_precisions)
CASE(matrix_writes)
CASE(alu_manual)
CASE(alu_integers)
CASE(alu_shifts)
CASE(alu_floats)
CASE(block_float)
CASE(block_float_half)
CASE(reduction_sums)
CASE(reduction_stages)
CASE(reduction_others)
CASE(conversions)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_correction_term),   cmocka_unit_test(test_one_rounding),
        cmocka_unit_test(test_exponent_range),    cmocka_unit_test(test_specials),
        cmocka_unit_test(test_vector_forms),      cmocka_unit_test(test_matrix_products),
        cmocka_unit_test(test_matrix_precisions), cmocka_unit_test(test_matrix_writes),
        cmocka_unit_test(test_alu_manual),        cmocka_unit_test(test_alu_integers),
        cmocka_unit_test(test_alu_shifts),        cmocka_unit_test(test_alu_floats),
        cmocka_unit_test(test_block_float),       cmocka_unit_test(test_block_float_half),
        cmocka_unit_test(test_reduction_sums),    cmocka_unit_test(test_reduction_stages),
        cmocka_unit_test(test_reduction_others),  cmocka_unit_test(test_conversions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
