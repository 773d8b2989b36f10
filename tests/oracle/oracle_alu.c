/* The ALU (3.6.12), element by element. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/oracle/oracle.h"

/* Holds any sum of two long words, signed or unsigned. */
__extension__ typedef __int128 wide;

struct element {
    uint64_t value, care;
    bool flag;
};

static unsigned prec_bits(uint8_t prec)
{
    switch (prec) {
    case PREC_F:
    case PREC_G:
    case PREC_I:
        return 32;
    case PREC_H:
    case PREC_S:
        return 16;
    default:
        return 64;
    }
}

static bool is_float(uint8_t prec)
{
    return prec == PREC_D || prec == PREC_F || prec == PREC_G || prec == PREC_H;
}

static uint64_t ones(unsigned bits)
{
    return bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

/* The value sign-extended. */
static wide as_signed(uint64_t value, unsigned bits)
{
    const wide number = (wide)value;
    return value >> (bits - 1) & 1 ? number - ((wide)1 << bits) : number;
}

static bool bit_from_top(uint64_t value, unsigned bits, unsigned place)
{
    return value >> (bits - 1 - place) & 1;
}

/* 3.6.12.10 */
static uint64_t floor_of(const struct format *format, uint64_t x)
{
    if (oracle_is_zero(format, x) || oracle_is_infinite(format, x))
        return x;
    struct exact value;
    exact_init(&value);
    exact_from_bits(&value, format, x);
    if (value.e < 0) {
        mpz_fdiv_q_2exp(value.m, value.m, (unsigned long)-value.e); /* towards minus infinity */
        value.e = 0;
    }
    const uint64_t result = exact_round(&value, format, false);
    exact_clear(&value);
    return result;
}

/* 3.6.12.11 */
static uint64_t integer_of(const struct format *format, bool uns, uint64_t x)
{
    const unsigned bits = format->bits;
    struct exact value;
    mpz_t lowest, highest;
    exact_init(&value);
    mpz_inits(lowest, highest, NULL);
    mpz_setbit(highest, uns ? bits : bits - 1);
    if (!uns)
        mpz_neg(lowest, highest);
    mpz_sub_ui(highest, highest, 1);
    exact_from_bits(&value, format, x);
    if (uns) {
        mpz_abs(value.m, value.m);
        value.infinite = value.infinite ? 1 : 0;
    }
    if (value.infinite)
        mpz_set(value.m, value.infinite < 0 ? lowest : highest);
    else if (value.e < 0)
        mpz_tdiv_q_2exp(value.m, value.m, (unsigned long)-value.e); /* towards zero */
    else
        mpz_mul_2exp(value.m, value.m, (unsigned long)value.e);
    if (mpz_cmp(value.m, highest) > 0)
        mpz_set(value.m, highest);
    if (mpz_cmp(value.m, lowest) < 0)
        mpz_set(value.m, lowest);
    mpz_fdiv_r_2exp(value.m, value.m, bits);
    const uint64_t result = mpz_get_ui(value.m);
    exact_clear(&value);
    mpz_clears(lowest, highest, NULL);
    return result;
}

/* 3.6.12.9 and the output of the vendor's emulator: 1 / sqrt(|x|), its mantissa rounded to the
 * nearest of 5 bits after the point. Zero gives infinity, infinity zero (open points). With x = m *
 * 2^e, the root of 2^(2 * n - e) / m has n fractional bits, and the bits cut off never matter: x
 * has too few bits for a tie. */
static uint64_t rsqrt_of(const struct format *format, uint64_t x)
{
    if (oracle_is_zero(format, x))
        return oracle_pack(format, 0, oracle_exponent_max(format), 0);
    if (oracle_is_infinite(format, x))
        return 0;
    struct exact value;
    exact_init(&value);
    exact_from_bits(&value, format, x);
    mpz_abs(value.m, value.m);
    mpz_t root;
    mpz_init(root);
    const long n = 2000;
    mpz_setbit(root, (mp_bitcnt_t)(2 * n - value.e));
    mpz_fdiv_q(root, root, value.m);
    mpz_sqrt(root, root);
    const mp_bitcnt_t cut = mpz_sizeinbase(root, 2) - 6; /* keep the hidden bit and 5 more */
    mpz_fdiv_q_2exp(root, root, cut - 1);
    mpz_add_ui(root, root, 1);
    mpz_fdiv_q_2exp(value.m, root, 1);
    value.e = (long)cut - n;
    /* exact: every format has at least 5 bits */
    const uint64_t result = exact_round(&value, format, false);
    mpz_clear(root);
    exact_clear(&value);
    return result;
}

/* 3.6.12.13: compare x with y in the order of max and min: above, equal or below. */
static int compare_floats(const struct format *format, uint64_t x, uint64_t y)
{
    if (x == y)
        return 0;
    if (oracle_is_zero(format, x) && oracle_is_zero(format, y))
        return 0; /* the result is x */
    const int x_sign = oracle_sign(format, x) ? -1 : 1, y_sign = oracle_sign(format, y) ? -1 : 1;
    if (oracle_is_infinite(format, x) && oracle_is_infinite(format, y) && x_sign == y_sign) {
        /* The mantissas decide, on top of a signed comparison: a larger mantissa is further from
         * zero. */
        return oracle_mantissa(format, x) > oracle_mantissa(format, y) ? x_sign : -x_sign;
    }
    struct exact a, b;
    int order;
    exact_init(&a);
    exact_init(&b);
    exact_from_bits(&a, format, x);
    exact_from_bits(&b, format, y);
    if (a.infinite || b.infinite) {
        order = a.infinite - b.infinite;
    } else {
        mpz_neg(b.m, b.m);
        exact_add(&a, &b);
        order = mpz_sgn(a.m);
    }
    exact_clear(&a);
    exact_clear(&b);
    return order;
}

/* 3.6.12.17 */
static uint64_t shift(uint8_t insn, bool uns, unsigned bits, uint64_t x, uint64_t y)
{
    unsigned amount = (unsigned)(y % (2 * bits));
    const bool barrel = insn == INSN_BSL || insn == INSN_BSR;
    uint64_t result = x;
    if (amount >= bits)
        amount = barrel ? amount - bits : bits;
    for (unsigned i = 0; i < amount; i++) { /* one bit at a time */
        const uint64_t top = result >> (bits - 1) & 1, bottom = result & 1;
        if (insn == INSN_LSL || insn == INSN_BSL)
            result = (result << 1 | (barrel ? top : 0)) & ones(bits);
        else
            result = result >> 1 | (barrel ? bottom : uns ? 0 : top) << (bits - 1);
    }
    return result;
}

/* 3.6.12.18, table 3.12: x's top bit is 1. */
static struct element leaky(uint8_t insn, const struct format *format, uint64_t y)
{
    struct element result = {.value = y, .care = ones(format->bits)};
    const unsigned exponent = oracle_exponent(format, y), top = oracle_exponent_max(format);
    if (insn == INSN_ILRELUD) {
        if (exponent < top) /* all ones are kept, with sign and mantissa of the input */
            result.value = y + (UINT64_C(1) << format->mantissa);
        return result;
    }
    const unsigned down = insn == INSN_LRELUD ? 1 : 3;
    if (exponent == top) {
        /* Half of an infinity is an infinity; its mantissa is undefined. */
        result.care &= ~ones(format->mantissa);
    } else if (exponent <= down) {
        result.value = oracle_pack(format, 1, 0, 0); /* underflow: negative zero */
    } else {
        result.value = y - ((uint64_t)down << format->mantissa);
    }
    return result;
}

static struct element one(const struct alu_op *op, unsigned bits, uint64_t x, uint64_t y)
{
    const uint64_t mask = ones(bits);
    const bool real = is_float(op->prec);
    const struct format *format = oracle_format(op->prec);
    const wide sx = as_signed(x, bits), sy = as_signed(y, bits);
    struct element r = {.value = 0, .care = mask, .flag = false};
    const bool top_clear = !bit_from_top(x, bits, 0);
    switch (op->insn) {
    case INSN_INC:
    case INSN_DEC:
    case INSN_ADD:
    case INSN_SUB: {
        const wide by = op->insn == INSN_INC || op->insn == INSN_DEC ? 1 : op->uns ? (wide)y : sy;
        const bool down = op->insn == INSN_DEC || op->insn == INSN_SUB;
        const wide from = op->uns ? (wide)x : sx;
        const wide sum = down ? from - by : from + by;
        r.value = (uint64_t)sum & mask;
        r.flag = op->uns ? sum >= 0 && sum <= (wide)mask : !bit_from_top(r.value, bits, 0);
        break;
    }
    case INSN_NOT:
        r.value = ~x & mask;
        r.flag = r.value == 0;
        break;
    case INSN_LNOT:
        r.value = x == 0;
        r.flag = r.value == 0;
        break;
    case INSN_AND:
        r.value = x & y;
        r.flag = r.value == 0;
        break;
    case INSN_OR:
        r.value = x | y;
        r.flag = r.value == 0;
        break;
    case INSN_XOR:
        r.value = x ^ y;
        r.flag = r.value == 0;
        break;
    case INSN_LSL:
    case INSN_LSR:
    case INSN_BSL:
    case INSN_BSR:
        r.value = shift(op->insn, op->uns, bits, x, y);
        r.flag = r.value == 0;
        break;
    case INSN_PACKBIT:
        r.value = (x << 1 & mask) | (uint64_t)bit_from_top(y, bits, 0);
        r.flag = !bit_from_top(y, bits, 0);
        break;
    case INSN_MAX:
    case INSN_MIN: {
        int order;
        if (real)
            order = compare_floats(format, x, y);
        else if (op->uns)
            order = x > y ? 1 : x < y ? -1 : 0;
        else
            order = sx > sy ? 1 : sx < sy ? -1 : 0;
        if (op->insn == INSN_MIN)
            order = -order;
        r.flag = order >= 0;
        r.value = r.flag ? x : y;
        break;
    }
    case INSN_RELU:
    case INSN_RELU1:
    case INSN_RELU2:
    case INSN_RELU3: {
        const unsigned place = op->insn == INSN_RELU    ? 0
                               : op->insn == INSN_RELU1 ? 1
                               : op->insn == INSN_RELU2 ? 2
                                                        : 3;
        r.flag = !bit_from_top(x, bits, place);
        r.value = r.flag ? y : oracle_pack(format, 1, 0, 0);
        break;
    }
    case INSN_LRELUD:
    case INSN_LRELU0:
    case INSN_ILRELUD:
        if (top_clear)
            r.value = y;
        else
            r = leaky(op->insn, format, y);
        r.flag = top_clear;
        break;
    case INSN_FLOOR:
        r.value = floor_of(format, x);
        break;
    case INSN_FTOI:
        r.value = integer_of(format, op->uns, x);
        break;
    case INSN_RSQRT:
        r.value = rsqrt_of(format, x);
        r.flag = top_clear;
        break;
    default:
        fprintf(stderr, "the oracle knows no ALU operation of INSN number %d\n", (int)op->insn);
        abort();
    }
    return r;
}

/* 3.6.12.19: r at an input port. */
static void reduce_port(uint64_t bus[2], uint64_t care[2])
{
    uint64_t out = 0, fixed = 0;
    for (unsigned i = 0; i < 4; i++) {
        uint64_t known;
        const uint64_t half = oracle_convert(&oracle_single, &oracle_half,
                                             oracle_element(bus[i / 2], 32, i % 2), &known);
        out |= oracle_place(half, 16, i);
        fixed |= oracle_place(known, 16, i);
    }
    bus[0] = out;
    bus[1] = 0;
    care[0] = fixed;
    care[1] = UINT64_MAX;
}

static void block_float(const struct alu_op *op, mab_bus x, mab_bus out)
{
    const bool extended = op->insn == INSN_BFE;
    const unsigned cut = op->prec == PREC_H ? 9U - op->mantissa : 0;
    uint64_t in[16], made[16];
    for (unsigned pe = 0; pe < 4; pe++)
        out[pe][0] = 0, out[pe][1] = op->prec == PREC_H ? 0 : x[pe][1];
    switch (op->prec) {
    case PREC_D:
        for (unsigned pe = 0; pe < 4; pe++)
            in[pe] = x[pe][0];
        oracle_block_float(op->prec, extended, cut, 4, in, made);
        for (unsigned pe = 0; pe < 4; pe++)
            out[pe][0] = made[pe];
        break;
    case PREC_F: /* two blocks: the MSB words, the LSB words */
        for (unsigned word = 0; word < 2; word++) {
            for (unsigned pe = 0; pe < 4; pe++)
                in[pe] = oracle_element(x[pe][0], 32, word);
            oracle_block_float(op->prec, extended, cut, 4, in, made);
            for (unsigned pe = 0; pe < 4; pe++)
                out[pe][0] |= oracle_place(made[pe], 32, word);
        }
        break;
    case PREC_G:
        for (unsigned i = 0; i < 8; i++)
            in[i] = oracle_element(x[i / 2][0], 32, i % 2);
        oracle_block_float(op->prec, extended, cut, 8, in, made);
        for (unsigned i = 0; i < 8; i++)
            out[i / 2][0] |= oracle_place(made[i], 32, i % 2);
        break;
    default: /* two blocks: the MSB long words, the LSB long words */
        for (unsigned side = 0; side < 2; side++) {
            for (unsigned i = 0; i < 16; i++)
                in[i] = oracle_element(x[i / 4][side], 16, i % 4);
            oracle_block_float(op->prec, extended, cut, 16, in, made);
            for (unsigned i = 0; i < 16; i++)
                out[i / 4][side] |= oracle_place(made[i], 16, i % 4);
        }
        break;
    }
}

void oracle_alu(const struct alu_op *op, mab_bus x, mab_bus y, mab_bus out, mab_bus care,
                uint8_t flags[4])
{
    mab_bus a, b, a_care, b_care;
    memcpy(a, x, sizeof(mab_bus));
    memcpy(b, y, sizeof(mab_bus));
    memset(a_care, 0xff, sizeof(mab_bus));
    memset(b_care, 0xff, sizeof(mab_bus));
    memset(care, 0xff, sizeof(mab_bus));
    memset(flags, 0, 4);
    for (unsigned pe = 0; pe < 4; pe++) {
        if (op->x & OPERAND_REDUCE)
            reduce_port(a[pe], a_care[pe]);
        if (op->y & OPERAND_REDUCE)
            reduce_port(b[pe], b_care[pe]);
    }
    if (op->insn == INSN_BFE || op->insn == INSN_BFN) {
        block_float(op, a, out);
        return;
    }
    const unsigned bits = prec_bits(op->prec), count = 64 / bits, width = 4 / count;
    for (unsigned pe = 0; pe < 4; pe++) {
        const uint64_t word = op->imm;
        switch (op->insn) {
        case INSN_ZERO:
            out[pe][0] = out[pe][1] = 0;
            continue;
        case INSN_IMM:
            out[pe][0] = out[pe][1] = op->uns ? word << 32 : word << 32 | word;
            continue;
        case INSN_MSL: /* PE 0's input comes out of PE 1 */
            out[pe][0] = a[(pe + 3) % 4][0];
            out[pe][1] = a[pe][1];
            care[pe][0] = a_care[(pe + 3) % 4][0];
            continue;
        case INSN_MSR:
            out[pe][0] = a[(pe + 1) % 4][0];
            out[pe][1] = a[pe][1];
            care[pe][0] = a_care[(pe + 1) % 4][0];
            continue;
        default:
            break;
        }
        out[pe][0] = 0;
        /* table 3.9: the LSB long word of the first input is passed through */
        out[pe][1] = a[pe][1];
        care[pe][0] = 0;
        for (unsigned i = 0; i < count; i++) {
            const uint64_t ex = oracle_element(a[pe][0], bits, i);
            const uint64_t ey = oracle_element(b[pe][0], bits, i);
            struct element r;
            if (op->insn == INSN_PASSA)
                r = (struct element){.value = ex, .care = ones(bits), .flag = ex == 0};
            else
                r = one(op, bits, ex, ey);
            out[pe][0] |= oracle_place(r.value, bits, i);
            care[pe][0] |= oracle_place(r.care, bits, i);
            if (r.flag)
                flags[pe] |= (uint8_t)(((1U << width) - 1) << (4 - width * (i + 1)));
        }
        /* Bits undefined at an input port stay undefined in bitwise copies. */
        if (op->insn == INSN_PASSA)
            care[pe][0] &= a_care[pe][0];
    }
}
