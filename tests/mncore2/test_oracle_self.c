/*
 * The oracle against the manual's printed examples, against the manual's formulas term by term
 * (rationals) and against MPFR's rounding. The core takes no part here.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <mpfr.h>

#include "tests/oracle/fill.h"
#include "tests/oracle/oracle.h"

#define assert_hex(a, b) assert_true((uint64_t)(a) == (uint64_t)(b))

/* 4.3: (2^20 + 1)^2 - 2^40 prints 0x4a000010, exact would be 0x4a000004. */
static void example_4_3(void **state)
{
    (void)state;
    struct mau_op op = {.insn = INSN_VFMA, .prec = PREC_F, .z = OPERAND_NEGATE};
    mab_bus x = {{0}}, z = {{0}}, out;
    uint8_t flags[4];
    x[2][0] = UINT64_C(0x4980000849800008);
    z[2][0] = UINT64_C(0x5380000053800000);
    oracle_mau(&op, NULL, (struct oracle_in){x, x, z}, out, flags);
    assert_hex(out[2][0], UINT64_C(0x4a0000104a000010));
    assert_int_equal(flags[2], 15);
}

/* 4.3: equations 4.4 to 4.9, digit by digit, as rationals. */
static void partial_products_by_formula(void **state)
{
    (void)state;
    struct dice fill = {1};
    static const unsigned mantissa[3] = {9, 23, 52}, kept[3] = {9, 18, 36};
    mpq_t sum, term;
    mpz_t product;
    mpq_inits(sum, term, NULL);
    mpz_init(product);
    for (unsigned n = 0; n < 3000; n++) {
        const unsigned f = n % 3, m = mantissa[f];
        const uint64_t a = fill_mantissa(&fill, m), b = fill_mantissa(&fill, m);
        bool omitted = false;
        /* 1 + sum 2^-j A_j + sum 2^-j B_j + P' */
        mpq_set_ui(sum, 1, 1);
        for (unsigned j = 1; j <= m; j++) {
            const unsigned digits = (unsigned)(a >> (m - j) & 1) + (unsigned)(b >> (m - j) & 1);
            mpq_set_ui(term, digits, 1);
            mpq_div_2exp(term, term, j);
            mpq_add(sum, sum, term);
        }
        for (unsigned j = 1; j <= m; j++)
            for (unsigned k = 1; k <= m; k++) {
                if (!(a >> (m - j) & b >> (m - k) & 1))
                    continue;
                if (j <= kept[f] || k <= kept[f]) {
                    mpq_set_ui(term, 1, 1);
                    mpq_div_2exp(term, term, j + k);
                    mpq_add(sum, sum, term);
                } else {
                    omitted = true;
                }
            }
        if (omitted) {
            mpq_set_ui(term, 1, 1);
            mpq_div_2exp(term, term, m == 23 ? 38 : 74);
            mpq_add(sum, sum, term);
        }
        const uint64_t hidden = UINT64_C(1) << m;
        oracle_partial_products(product, m, a | hidden, b | hidden);
        mpq_set_z(term, product);
        mpq_div_2exp(term, term, 2 * m);
        assert_true(mpq_equal(sum, term));
    }
    mpq_clears(sum, term, NULL);
    mpz_clear(product);
}

/* Rounding against MPFR, in the middle of the range, at its ends by the next test. */
static void rounding_by_mpfr(void **state)
{
    (void)state;
    static const struct format *const formats[3] = {&oracle_half, &oracle_single, &oracle_double};
    struct dice fill = {2};
    struct exact value;
    exact_init(&value);
    for (unsigned n = 0; n < 30000; n++) {
        const struct format *format = formats[n % 3];
        mpz_set_ui(value.m, dice_next(&fill) >> fill_below(&fill, 64));
        mpz_mul_2exp(value.m, value.m, fill_below(&fill, 70));
        mpz_add_ui(value.m, value.m, fill_below(&fill, 3));
        if (fill_chance(&fill, 2))
            mpz_neg(value.m, value.m);
        value.e = (long)fill_below(&fill, 40) - 60;
        mpfr_t near, got;
        mpfr_init2(near, format->mantissa + 1);
        mpfr_init2(got, 64);
        mpfr_set_z_2exp(near, value.m, value.e, MPFR_RNDN);
        const uint64_t bits = exact_round(&value, format, false);
        struct exact back;
        exact_init(&back);
        exact_from_bits(&back, format, bits);
        if (back.infinite) { /* half precision only: 2^32 and up */
            assert_ptr_equal(format, &oracle_half);
            assert_true(mpfr_cmpabs(near, near) == 0 && mpfr_get_exp(near) > 32);
        } else if (oracle_is_zero(format, bits)) {
            assert_true(mpfr_zero_p(near) || mpfr_get_exp(near) < -29);
        } else {
            mpfr_set_z_2exp(got, back.m, back.e, MPFR_RNDN);
            assert_true(mpfr_equal_p(near, got));
        }
        exact_clear(&back);
        mpfr_clears(near, got, (mpfr_ptr)NULL);
    }
    exact_clear(&value);
}

/* 1.3, 3.4.3 example 1, 4.3 steps 2 to 4: formats and both ends of the range. */
static void conversions_at_the_edges(void **state)
{
    (void)state;
    const struct format *s = &oracle_single, *h = &oracle_half, *d = &oracle_double;
    assert_hex(oracle_convert(s, h, 0x3f800000, NULL), 0x3e00); /* 1.0 */
    assert_hex(oracle_convert(s, h, 0x3fc00000, NULL), 0x3f00); /* 1.5 */
    assert_hex(oracle_convert(h, s, 0x3f00, NULL), 0x3fc00000);
    assert_hex(oracle_convert(s, d, 0xc0400000, NULL), UINT64_C(0xc008000000000000));
    /* Largest half: exponent 62, (2 - 2^-9) 2^31. Half a step more is a tie: infinity. */
    assert_hex(oracle_convert(h, s, 0x7dff, NULL), 0x4f7fc000);
    assert_hex(oracle_convert(s, h, 0x4f7fdfff, NULL), 0x7dff);
    assert_hex(oracle_convert(s, h, 0x4f7fe000, NULL), 0x7e00);
    /* Smallest half: 2^-30. Just below it a carry reaches it; one step lower is a zero. */
    assert_hex(oracle_convert(h, s, 0x0200, NULL), 0x30800000);
    assert_hex(oracle_convert(s, h, 0x307fe000, NULL), 0x0200);
    assert_hex(oracle_convert(s, h, 0x307fdfff, NULL), 0x0000);
    assert_hex(oracle_convert(s, h, 0xb07fdfff, NULL), 0x8000);
    /* Exponent 0 is a zero and all ones an infinity, whatever the mantissa. */
    assert_hex(oracle_convert(s, h, 0x807fffff, NULL), 0x8000);
    assert_hex(oracle_convert(s, h, 0xff800001, NULL), 0xfe00);
}

/* 3.4.3 example 4. */
static void block_float_example(void **state)
{
    (void)state;
    static const uint64_t in[4] = {0x3ff0000000000000, 0x4000000000000000, 0x4008000000000000,
                                   0x4010000000000000};
    static const uint64_t want[4] = {0x3ff8000000000000, 0x4008000000000000, 0x400c000000000000,
                                     0x4018000000000000};
    const struct alu_op op = {.insn = INSN_BFN, .prec = PREC_D};
    for (unsigned cycle = 0; cycle < 4; cycle++) {
        mab_bus x, out, care;
        uint8_t flags[4];
        for (unsigned pe = 0; pe < 4; pe++)
            x[pe][0] = in[cycle], x[pe][1] = 5;
        oracle_alu(&op, x, x, out, care, flags);
        for (unsigned pe = 0; pe < 4; pe++) {
            assert_hex(out[pe][0], want[cycle]);
            assert_hex(out[pe][1], 5);
            assert_int_equal(flags[pe], 0);
        }
    }
}

/* 4.4 by hand: carry, shifts, half lengths, extended form, exceptions. */
static void block_float_by_hand(void **state)
{
    (void)state;
    uint64_t out[16];
    /* single: 1.0 and 2^-22 * 1.1b: hidden bit at 2^0 and a last place of 2^-22: 1.5 ties to 2. */
    const uint64_t single[4] = {0x3f800000, 0x34c00000, 0xb4400000, 0x80000001};
    oracle_block_float(PREC_F, false, 0, 4, single, out);
    assert_hex(out[0], 0x3fc00000);
    assert_hex(out[1], 0x3f800002);
    assert_hex(out[2], 0xbf800001); /* 0.75 of the last place */
    assert_hex(out[3], 0xbf800000); /* a zero keeps its sign and gets the common exponent */
    /* all ones: the common exponent grows by one (step 2) */
    const uint64_t carry[4] = {0x3fffffff, 0x3f800000, 0, 0};
    oracle_block_float(PREC_F, false, 0, 4, carry, out);
    assert_hex(out[0], 0x40400000);
    assert_hex(out[1], 0x40200000);
    /* largest finite exponent and a carry: infinity (3a) */
    const uint64_t huge[4] = {0x7f7fffff, 0xbf800000, 0x80000000, 0};
    oracle_block_float(PREC_F, false, 0, 4, huge, out);
    assert_hex(out[0], 0x7f800000);
    assert_hex(out[1], 0xff800000);
    assert_hex(out[2], 0xff800000);
    /* all exponents 0 (3c) */
    const uint64_t nothing[4] = {0x007fffff, 0x80000001, 0, 0};
    oracle_block_float(PREC_F, false, 0, 4, nothing, out);
    assert_hex(out[0], 0);
    assert_hex(out[1], 0x80000000);
    /* pseudo single keeps 18 bits: 1.0 + 2^-17 is kept, 2^-18 ties to even. */
    const uint64_t pseudo[8] = {
        0x3f800000 | 1 << 6, 0x3f800000 | 1 << 5, 0x3f800000 | 3 << 5, 0, 0, 0, 0, 0};
    oracle_block_float(PREC_G, false, 0, 8, pseudo, out);
    assert_hex(out[0], 0x3fc00000 | 1 << 5);
    assert_hex(out[1], 0x3fc00000);
    assert_hex(out[2], 0x3fc00000 | 2 << 5);
    /* half, n = 6 (b = 3): exponent + 3; 6 bits are kept. 1 11111 1xxx carries (step 2). */
    uint64_t half[16] = {0x3e00, 0x3e08, 0x3e18};
    oracle_block_float(PREC_H, false, 3, 16, half, out);
    assert_hex(out[0], 0x4400 | 0x020); /* exponent 31 + 3, hidden bit at 2^-3 */
    assert_hex(out[1], 0x4400 | 0x020); /* 1 00000 1000: tie to even */
    assert_hex(out[2], 0x4400 | 0x022);
    half[3] = 0x3ff8; /* 111111 000 */
    oracle_block_float(PREC_H, false, 3, 16, half, out);
    assert_hex(out[3], 0x4600 | 0x020); /* 2.0 = 2^4 * 2^-3 */
    half[3] = 0x3ff7;
    oracle_block_float(PREC_H, false, 3, 16, half, out);
    assert_hex(out[3], 0x4400 | 0x03f);
    /* extended, n = 9: difference 5 stays, 6 is flagged unless all ones. */
    uint64_t wide[16] = {0x3e00, 0x3400, 0x3200, 0x33ff, 0x1800, 0x3000};
    oracle_block_float(PREC_H, true, 0, 16, wide, out);
    assert_hex(out[0], 0x3f00);
    assert_hex(out[1], 0x3e08); /* 2^-5 */
    assert_hex(out[2], 0x0100); /* 2^-6 = 2^(0 - 6) * 1.0 */
    assert_hex(out[3], 0x3e08); /* almost 2^-5: rounds up to it */
    assert_hex(out[4], 0x0000); /* 2^-19: half of the extended last place 2^-14 shifted out */
    assert_hex(out[5], 0x0080); /* 2^-7 */
    assert_hex(out[6], 0x3e00); /* zero: the exceptions give the common exponent */
}

/* 4.4: common exponent 0x1f, mantissa 1 in extended form is 2^-14. */
static void extended_value_example(void **state)
{
    (void)state;
    uint64_t matrix[64] = {0};
    mab_bus x, y = {{0}}, out;
    uint8_t flags[4];
    for (unsigned pe = 0; pe < 4; pe++) {
        matrix[pe] = UINT64_C(0x3e003e003e003e00);
        x[pe][0] = UINT64_C(0x3e003e003e003e00);
        x[pe][1] = 0;
    }
    matrix[0] = UINT64_C(0x00013e003e003e00);
    x[0][0] = UINT64_C(0x3f003e003e003e00); /* 1.0 */
    const struct mau_op op = {.insn = INSN_MMUL, .prec = PREC_H};
    oracle_mau(&op, matrix, (struct oracle_in){x, y, y}, out, flags);
    assert_hex(out[0][0] >> 32, 0x38800000);
    assert_hex(out[0][0] & 0xffffffff, 0);
}

/* 3.6.9.2 to .8: shapes, by small integers. A[i][j] = i + 1 if j = 0, else 0 ... times x. */
static void matrix_shapes(void **state)
{
    (void)state;
    uint64_t matrix[64];
    mab_bus x = {{0}}, y = {{0}}, out;
    uint8_t flags[4];
    /* d: rows 0, 4, 8, 12; block float 1.0 is 0x3ff8..., common exponent of 4: 0x401. */
    memset(matrix, 0, sizeof matrix);
    for (unsigned i = 0; i < 4; i++)
        for (unsigned j = 0; j < 4; j++)
            matrix[16 * i + j] = UINT64_C(0x4010000000000000) | (uint64_t)(i + 1)
                                                                    << 49; /* (i + 1) */
    for (unsigned j = 0; j < 4; j++)
        x[j][0] = UINT64_C(0x4010000000000000) | (uint64_t)(j + 1) << 49;
    struct mau_op op = {.insn = INSN_MMUL, .prec = PREC_D};
    oracle_mau(&op, matrix, (struct oracle_in){x, y, y}, out, flags);
    assert_hex(out[0][0], 0x4024000000000000); /* 10 */
    assert_hex(out[1][0], 0x4034000000000000); /* 20 */
    assert_hex(out[2][0], 0);
    op.lower = true;
    oracle_mau(&op, matrix, (struct oracle_in){x, y, y}, out, flags);
    assert_hex(out[1][0], 0);
    assert_hex(out[2][0], 0x403e000000000000); /* 30 */
    assert_hex(out[3][0], 0x4044000000000000); /* 40 */
    /* f: the LSB words of the rows and of x must not matter. 2.0 in block float: 0x40400000. */
    for (unsigned i = 0; i < 64; i++)
        matrix[i] = UINT64_C(0x4040000012345678);
    for (unsigned j = 0; j < 4; j++)
        x[j][0] = UINT64_C(0x40400000deadbeef);
    op = (struct mau_op){.insn = INSN_MFMA, .prec = PREC_F};
    y[1][0] = UINT64_C(0x0000000041800000); /* 16 */
    oracle_mau(&op, matrix, (struct oracle_in){x, y, y}, out, flags);
    assert_hex(out[0][0], UINT64_C(0x4180000041800000));
    assert_hex(out[1][0], UINT64_C(0x4180000042000000));
    /* h: 16 products of 2 and 2, y extended from half: 64 + 1.5. */
    for (unsigned i = 0; i < 64; i++)
        matrix[i] = UINT64_C(0x4100410041004100);
    for (unsigned j = 0; j < 4; j++)
        x[j][0] = UINT64_C(0x4100410041004100), y[j][0] = UINT64_C(0x3f003f003f003f00);
    op = (struct mau_op){.insn = INSN_MFMA, .prec = PREC_H, .y = OPERAND_EXTEND};
    oracle_mau(&op, matrix, (struct oracle_in){x, y, y}, out, flags);
    assert_hex(out[3][1], UINT64_C(0x4283000042830000)); /* 65.5 */
    op.reduce = true;
    oracle_mau(&op, matrix, (struct oracle_in){x, y, y}, out, flags);
    assert_hex(out[3][0], UINT64_C(0x4a0c4a0c4a0c4a0c));
    assert_hex(out[3][1], 0);
}

/* 3.4.3 examples 5 and 6, 3.6.12.3, .6, .7, .8, 3.7.1. */
static void alu_examples(void **state)
{
    (void)state;
    mab_bus x = {{0}}, y = {{0}}, out, care;
    uint8_t flags[4];
    static const uint64_t example_6[4] = {0x0000111111110000, 0x0000000011111111,
                                          0x1111000000000000, 0};
    for (unsigned pe = 0; pe < 4; pe++)
        x[pe][0] = example_6[pe];
    struct alu_op op = {.insn = INSN_PASSA, .prec = PREC_S};
    oracle_alu(&op, x, y, out, care, flags);
    assert_memory_equal(flags, ((uint8_t[]){9, 12, 7, 15}), 4);
    op.prec = PREC_L;
    oracle_alu(&op, x, y, out, care, flags);
    assert_memory_equal(flags, ((uint8_t[]){0, 0, 0, 15}), 4);
    op = (struct alu_op){.insn = INSN_SUB, .prec = PREC_I};
    for (unsigned cycle = 0; cycle < 4; cycle++) {
        for (uint64_t pe = 0; pe < 4; pe++) {
            x[pe][0] = pe << 32 | pe;
            y[pe][0] = (uint64_t)cycle << 32 | cycle;
        }
        oracle_alu(&op, x, y, out, care, flags);
        for (unsigned pe = 0; pe < 4; pe++)
            assert_int_equal(flags[pe], pe >= cycle ? 15 : 0);
    }
    op = (struct alu_op){.insn = INSN_IMM, .uns = true, .imm = 0x00010001};
    oracle_alu(&op, x, y, out, care, flags);
    assert_hex(out[1][0], UINT64_C(0x0001000100000000));
    assert_hex(out[1][1], UINT64_C(0x0001000100000000));
    memset(x, 0, sizeof x);
    op = (struct alu_op){.insn = INSN_DEC, .prec = PREC_S};
    oracle_alu(&op, x, y, out, care, flags);
    assert_hex(out[0][0], UINT64_MAX);
    assert_int_equal(flags[0], 0);
    op = (struct alu_op){.insn = INSN_NOT, .prec = PREC_L};
    oracle_alu(&op, x, y, out, care, flags);
    assert_hex(out[0][0], UINT64_MAX);
    for (uint64_t pe = 0; pe < 4; pe++)
        x[pe][0] = pe << 32 | pe;
    op = (struct alu_op){.insn = INSN_LNOT, .prec = PREC_I};
    oracle_alu(&op, x, y, out, care, flags);
    assert_hex(out[0][0], UINT64_C(0x0000000100000001));
    assert_hex(out[3][0], 0);
    op = (struct alu_op){.insn = INSN_MSL};
    oracle_alu(&op, x, y, out, care, flags);
    assert_hex(out[0][0], UINT64_C(0x0000000300000003));
    assert_hex(out[1][0], 0);
    /* 3.7.1: 100 as a float is (2^23 | 100) - 2^23. */
    assert_hex(oracle_fma(PREC_F, 0x4b000064, 0x3f800000, 0xcb000000, true, &oracle_single),
               0x42c80000);
}

/* 4.2.1: three guard bits, rounding of each element before the sum. */
static void rrn_by_hand(void **state)
{
    (void)state;
    /* 1 + 3 * 2^-27: each is half of the last guard place, a tie, gone. */
    const uint64_t tie[4] = {0x3f800000, 0x32000000, 0x32000000, 0x32000000};
    assert_hex(oracle_rrn_element(RRN_FADD, PREC_F, 4, tie, &oracle_single, NULL), 0x3f800000);
    /* 1 + 3 * 1.5 * 2^-27: each rounds up to 2^-26; 3/8 of a last place are lost. */
    const uint64_t up[4] = {0x3f800000, 0x32400000, 0x32400000, 0x32400000};
    assert_hex(oracle_rrn_element(RRN_FADD, PREC_F, 4, up, &oracle_single, NULL), 0x3f800000);
    /* 1 + 3 * 2^-25 = 6/8 of a last place: up. */
    const uint64_t more[4] = {0x3f800000, 0x33000000, 0x33000000, 0x33000000};
    assert_hex(oracle_rrn_element(RRN_FADD, PREC_F, 4, more, &oracle_single, NULL), 0x3f800001);
    /* exponent up by 2 and by a carry one more */
    const uint64_t big[4] = {0x3fffffff, 0x3fffffff, 0x3fffffff, 0x3fffffff};
    assert_hex(oracle_rrn_element(RRN_FADD, PREC_F, 4, big, &oracle_single, NULL), 0x40ffffff);
    /* -0 - 0: normalised to +0; overflow to infinity */
    const uint64_t zeros[2] = {0x80000000, 0x80000001};
    assert_hex(oracle_rrn_element(RRN_FADD, PREC_F, 2, zeros, &oracle_single, NULL), 0);
    const uint64_t over[2] = {0xff7fffff, 0xff7fffff};
    assert_hex(oracle_rrn_element(RRN_FADD, PREC_F, 2, over, &oracle_single, NULL), 0xff800000);
    /* 4.2.2: +0 above -0, no normalisation. */
    const uint64_t signs[2] = {0x80000000, 0x00000000};
    assert_hex(oracle_rrn_element(RRN_MAX, PREC_F, 2, signs, &oracle_single, NULL), 0);
    assert_hex(oracle_rrn_element(RRN_MIN, PREC_F, 2, signs, &oracle_single, NULL), 0x80000000);
    const uint64_t garbage[2] = {0x00000005, 0x80000007};
    assert_hex(oracle_rrn_element(RRN_MAX, PREC_F, 2, garbage, &oracle_single, NULL), 5);
    /* 3.3: the unit values */
    assert_hex(oracle_rrn_unit(RRN_FADD, PREC_F), 0);
    assert_hex(oracle_rrn_unit(RRN_MAX, PREC_H), UINT64_MAX);
    assert_hex(oracle_rrn_unit(RRN_MIN, PREC_F), UINT64_C(0x7fffffff7fffffff));
    assert_hex(oracle_rrn_unit(RRN_AND, PREC_L), UINT64_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(example_4_3),
        cmocka_unit_test(partial_products_by_formula),
        cmocka_unit_test(rounding_by_mpfr),
        cmocka_unit_test(conversions_at_the_edges),
        cmocka_unit_test(block_float_example),
        cmocka_unit_test(block_float_by_hand),
        cmocka_unit_test(extended_value_example),
        cmocka_unit_test(matrix_shapes),
        cmocka_unit_test(alu_examples),
        cmocka_unit_test(rrn_by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
