/*
 * The MAU of MN-Core 2: the manual's own examples and both edges of its rules, with expectations
 * worked out by hand from chapter 4 and sections 3.6.9 and 3.6.10; and the conversions.
 */
#include "tests/mncore2/arith_case.h"

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
    const struct bus h = both(0x3e00400041004200, 0),
                     f = both(0x3f80000040000000, 0x4040000040800000);
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
    run_mau((struct mau_op){.insn = INSN_VFMA,
                            .prec = PREC_H,
                            .x = OPERAND_REDUCE | OPERAND_NEGATE,
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
    run_mau((struct mau_op){.insn = INSN_VADD,
                            .prec = PREC_D,
                            .x = OPERAND_EXTEND,
                            .y = OPERAND_EXTEND,
                            .reduce = true},
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

/* --- matrix and vector ------------------------------------------------------------------------ */

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
    run_mau((struct mau_op){.insn = INSN_MFMA,
                            .prec = PREC_H,
                            .x = OPERAND_NEGATE,
                            .y = OPERAND_NEGATE,
                            .reduce = true},
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
    mncore2_mwrite_input(PREC_H, OPERAND_REDUCE | OPERAND_NEGATE, 4, in, to);
    assert_true(a[0] == 0xbe00c000c100c200);
    mncore2_mwrite_input(PREC_H, OPERAND_NEGATE, 4, in, to);
    assert_true(a[0] == 0xbf808000c0008000 && b[0] == 0xc0408000c0808000);
    mncore2_mwrite_input(PREC_F, OPERAND_NEGATE, 4, in, to);
    assert_true(a[0] == 0xbf800000c0000000);
    mncore2_mwrite_input(PREC_D, OPERAND_EXTEND, 4, in, to);
    assert_true(a[0] == D_ONE);
    mncore2_mwrite_input(PREC_D, OPERAND_NEGATE, 4, in, to);
    assert_true(a[0] == 0xbf80000040000000);
    const uint64_t halves[4] = {0x3e00c00000000000, 0, 0, 0};
    mncore2_mwrite_input(PREC_G, OPERAND_EXTEND, 4, (const uint64_t *const[]){halves, NULL}, to);
    assert_true(a[0] == 0x3f800000c0000000);
    mncore2_mwrite_input(PREC_H, 0, 4, in, to);
    assert_true(a[0] == high[0] && b[0] == low[0]);
}

/* --- conversions ------------------------------------------------------------------------------ */

static void conversions(void)
{
    for (uint32_t h = 0; h < 0x10000; h++) {
        const uint16_t half = (uint16_t)h;
        const uint16_t sign = half & 0x8000, field = half & 0x7e00;
        const uint16_t plain = field == 0 ? sign : field == 0x7e00 ? sign | field : half;
        assert_int_equal(mncore2_single_to_half(mncore2_half_to_single(half)), plain);
        assert_true(mncore2_half_value(half) == mncore2_single_value(mncore2_half_to_single(half)));
    }
    assert_int_equal(mncore2_half_to_single(0x3e00), F_ONE);
    assert_int_equal(mncore2_half_to_single(0x8001), F_MINUS);
    assert_int_equal(mncore2_half_to_single(0xfe01), F_INF | F_MINUS);
    assert_true(mncore2_single_to_double(F_ONE + 1) == D_ONE + ((uint64_t)1 << 29));
    assert_true(mncore2_single_to_double(F_MIN) == d_power(-126));
    assert_true(mncore2_single_to_double(0x80000001) == D_MINUS);
    assert_true(mncore2_single_to_double(0xffffffff) == (D_INF | D_MINUS));
    assert_int_equal(mncore2_single_to_half(F_ONE + 0x2000), H_ONE);
    assert_int_equal(mncore2_single_to_half(F_ONE + 0x2001), H_ONE + 1);
    assert_int_equal(mncore2_single_to_half(f_power(32) - 0x2001), H_INF - 1);
    assert_int_equal(mncore2_single_to_half(f_power(32) - 0x2000), H_INF);
    assert_int_equal(mncore2_single_to_half((f_power(-30) - 0x2001) | F_MINUS), 0x8000);
    assert_int_equal(mncore2_single_to_half((f_power(-30) - 0x2000) | F_MINUS), 0x8200);
    assert_true(mncore2_half_value(0x4100) == 3.0 && mncore2_single_value(0xc0400000) == -3.0);
    assert_true(1 / mncore2_double_value(D_MINUS | 5) < 0 &&
                mncore2_double_value(D_INF | 5) > 1e308);
}

CASE(correction_term)
CASE(one_rounding)
CASE(exponent_range)
CASE(specials)
CASE(vector_forms)
CASE(matrix_products)
CASE(matrix_precisions)
CASE(matrix_writes)
CASE(conversions)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_correction_term),   cmocka_unit_test(test_one_rounding),
        cmocka_unit_test(test_exponent_range),    cmocka_unit_test(test_specials),
        cmocka_unit_test(test_vector_forms),      cmocka_unit_test(test_matrix_products),
        cmocka_unit_test(test_matrix_precisions), cmocka_unit_test(test_matrix_writes),
        cmocka_unit_test(test_conversions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
