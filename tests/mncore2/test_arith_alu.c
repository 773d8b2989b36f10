/*
 * The ALU of MN-Core 2: the manual's own examples and both edges of its rules, with expectations
 * worked out by hand from section 3.6.12 and, for block float, 4.4.
 */
#include <math.h>

#include "tests/mncore2/arith_case.h"

/* --- ALU -------------------------------------------------------------------------------------- */

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
    /* rsqrt: sign ignored; the mantissa is the nearest of 5 bits (the C library's root decides). */
    for (unsigned i = 0; i < 2000; i++) {
        const uint32_t x = 0x00800000u + i * 0x10325u * 15u;
        int exponent;
        const double exact = frexp(1 / sqrt(mncore2_single_value(x)), &exponent);
        const double root = mncore2_single_value(
            (uint32_t)(alu(INSN_RSQRT, PREC_F, false, x | (uint64_t)x << 32, 0, 15) >> 32));
        assert_true(root == ldexp(nearbyint(exact * 64) / 64, exponent));
    }
    /* The vendor's emulator: frsqrt of 2.0 is 0x3f340000, 1.01101 in binary times 2^-1. The same
     * in the other precisions; just above 1 the mantissa carries into the exponent. */
    assert_true(alu(INSN_RSQRT, PREC_F, false, 0x40000000c0000000, 0, 12) == 0x3f3400003f340000);
    assert_true(alu(INSN_RSQRT, PREC_D, false, 0x4000000000000000, 0, 15) == 0x3fe6800000000000);
    assert_true(alu(INSN_RSQRT, PREC_H, false, 0x4000c0003e003fff, 0, 11) == 0x3cd03cd03e003cd0);
    assert_true(alu(INSN_RSQRT, PREC_F, false, 0x3f8000013f7fffff, 0, 15) == 0x3f8000003f800000);
    assert_true(alu(INSN_RSQRT, PREC_F, false, 0x80000001ff800000, 0, 0) == 0x7f80000000000000);
    assert_true(alu(INSN_RSQRT, PREC_D, false, d_power(-1022) | D_MINUS, 0, 0) == d_power(511));
    assert_true(alu(INSN_RSQRT, PREC_H, false, 0x3e0042003a007e00, 0, 15) == 0x3e003c0040000000);
}

/* --- block float ------------------------------------------------------------------------------ */

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

CASE(alu_manual)
CASE(alu_integers)
CASE(alu_shifts)
CASE(alu_floats)
CASE(block_float)
CASE(block_float_half)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_alu_manual),  cmocka_unit_test(test_alu_integers),
        cmocka_unit_test(test_alu_shifts),  cmocka_unit_test(test_alu_floats),
        cmocka_unit_test(test_block_float), cmocka_unit_test(test_block_float_half),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
