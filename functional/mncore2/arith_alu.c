/* The ALU in plain C: table 3.9 with the flags of table 3.11 (3.6.12). */
#include "functional/mncore2/arith_fp.h"
#include "functional/mncore2/arith_kernels.h"

static unsigned width_of(uint8_t prec)
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

static const struct fp_format *format_of(uint8_t prec)
{
    const unsigned width = width_of(prec);
    return width == 64 ? &mncore2_fp_double : width == 16 ? &mncore2_fp_half : &mncore2_fp_single;
}

static int64_t as_signed(uint64_t value, unsigned width)
{
    const uint64_t sign = (uint64_t)1 << (width - 1);
    return (int64_t)((value ^ sign) - sign);
}

/* One element inside the ALU. */
struct element {
    uint64_t x, y;
    unsigned width;
    uint64_t sign, mask; /* of the element's width */
};

/* 3.6.12.10: towards minus infinity; zeros and infinities are returned unchanged. */
static uint64_t floor_of(const struct fp_format *f, uint64_t x)
{
    const unsigned exponent = fp_exponent(f, x);
    if (exponent == 0 || exponent == f->inf)
        return x;
    const bool negative = (x & fp_sign_bit(f)) != 0;
    const int power = (int)exponent - f->bias;
    if (power >= (int)f->man)
        return x;
    if (power < 0)
        return negative ? fp_sign_bit(f) | (uint64_t)f->bias << f->man : 0;
    const uint64_t fraction = ((uint64_t)1 << ((int)f->man - power)) - 1;
    if ((x & fraction) == 0)
        return x;
    /* A carry out of the mantissa increments the exponent, which is correct. */
    return negative ? (x & ~fraction) + fraction + 1 : x & ~fraction;
}

/* 3.6.12.11: towards zero, clipped; the unsigned mode takes the absolute value. */
static uint64_t integer_of(const struct fp_format *f, uint64_t x, bool uns)
{
    const uint64_t sign = fp_sign_bit(f);
    const bool negative = !uns && (x & sign) != 0;
    const uint64_t limit = uns ? sign | (sign - 1) : negative ? sign : sign - 1;
    const struct fp_number n = mncore2_fp_unpack(f, x);
    if (n.kind == FP_ZERO)
        return 0;
    uint64_t magnitude = limit;
    if (n.kind == FP_FINITE && n.exp <= -(int)(f->man + 1)) {
        magnitude = 0;
    } else if (n.kind == FP_FINITE && n.exp < 64) {
        const fp_u128 whole = n.exp < 0 ? n.mag >> -n.exp : n.mag << n.exp;
        if (whole < limit)
            magnitude = (uint64_t)whole;
    }
    return (negative ? -magnitude : magnitude) & (sign | (sign - 1));
}

/* 3.6.12.9 and deviation 66: the exact reciprocal root, its mantissa rounded to the nearest of 5
 * bits. With x = f * 4^k, 1 <= f < 4, m is the integer nearest to 64 / sqrt(f), 32 < m <= 64, and
 * the result is m / 64 * 2^-k. Ties cannot occur: (2 m - 1)^2 * f = 2^14 has no solution in binary
 * fractions. */
static uint64_t reciprocal_root(const struct fp_format *f, uint64_t x)
{
    const unsigned exponent = fp_exponent(f, x);
    if (exponent == 0)
        return (uint64_t)f->inf << f->man;
    if (exponent == f->inf)
        return 0;
    const int power = (int)exponent - f->bias;
    const bool odd = (power & 1) != 0;
    const int k = (power - (odd ? 1 : 0)) / 2;
    const fp_u128 scaled = (fp_u128)(((uint64_t)1 << f->man) | fp_mantissa(f, x)) << odd;
    unsigned m = 32; /* the largest m with m - 1/2 <= 64 / sqrt(f) */
    for (unsigned bit = 32; bit != 0; bit >>= 1) {
        const unsigned twice = 2 * (m + bit) - 1;
        if (twice * twice * scaled <= (fp_u128)1 << (14 + f->man))
            m += bit;
    }
    const int result = m == 64 ? -k : -k - 1;
    return (uint64_t)(result + f->bias) << f->man | (uint64_t)(m & 31) << (f->man - 5);
}

/* 3.6.12.13 for floats: order by sign and magnitude; the two zeros are equal. */
static bool float_takes_x(const struct fp_format *f, const struct element *e, bool max)
{
    if (e->x == e->y || (fp_exponent(f, e->x) == 0 && fp_exponent(f, e->y) == 0))
        return true;
    const uint64_t x = (e->x & e->sign) != 0 ? ~e->x & e->mask : e->x | e->sign;
    const uint64_t y = (e->y & e->sign) != 0 ? ~e->y & e->mask : e->y | e->sign;
    return max ? x > y : x < y;
}

static uint64_t chosen_side(const struct alu_op *op, const struct element *e, bool *flag)
{
    const bool max = op->insn == INSN_MAX;
    bool takes_x;
    if (is_float(op->prec)) {
        takes_x = float_takes_x(format_of(op->prec), e, max);
    } else if (op->uns) {
        takes_x = max ? e->x >= e->y : e->x <= e->y;
    } else {
        const int64_t x = as_signed(e->x, e->width), y = as_signed(e->y, e->width);
        takes_x = max ? x >= y : x <= y;
    }
    *flag = takes_x;
    return takes_x ? e->x : e->y;
}

/* 3.6.12.17: only the low bits of the amount count, up to the bit whose weight is the width. */
static uint64_t shift(const struct alu_op *op, const struct element *e)
{
    const unsigned width = e->width;
    unsigned amount = (unsigned)(e->y & (2 * width - 1));
    const bool all = amount >= width;
    const uint64_t fill = !op->uns && (e->x & e->sign) != 0 ? e->mask : 0;
    switch (op->insn) {
    case INSN_LSL:
        return all ? 0 : e->x << amount;
    case INSN_LSR:
        if (all)
            return fill;
        return amount == 0 ? e->x : e->x >> amount | fill << (width - amount);
    default:
        if (op->insn == INSN_BSR)
            amount = 2 * width - amount;
        amount %= width;
        return amount == 0 ? e->x : e->x << amount | e->x >> (width - amount);
    }
}

/* Table 3.12; bit is counted from the MSB. The exponent moves by -1, -3 or +1. */
static uint64_t rectify(const struct alu_op *op, const struct element *e, bool *flag)
{
    const struct fp_format *f = format_of(op->prec);
    const unsigned exponent = fp_exponent(f, e->y);
    const uint64_t one = (uint64_t)1 << f->man;
    unsigned bit = 0, halvings = 1;
    switch (op->insn) {
    case INSN_RELU1:
        bit = 1;
        break;
    case INSN_RELU2:
        bit = 2;
        break;
    case INSN_RELU3:
        bit = 3;
        break;
    case INSN_LRELU0:
        halvings = 3;
        break;
    default:
        break;
    }
    *flag = (e->x & e->sign >> bit) == 0;
    if (*flag)
        return e->y;
    switch (op->insn) {
    case INSN_LRELUD:
    case INSN_LRELU0:
        if (exponent == f->inf)
            return e->y;
        return exponent <= halvings ? e->sign : e->y - halvings * one;
    case INSN_ILRELUD:
        return exponent == f->inf ? e->y : e->y + one;
    default:
        return e->sign;
    }
}

/* Rows of other groups. Every ALU row of insn.def needs a case below; a missing case stops the
 * build with the row's name. */
#define OTHER_NOP(id)        case INSN_##id:
#define OTHER_NOFORWARD(id)  case INSN_##id:
#define OTHER_WAIT(id)       case INSN_##id:
#define OTHER_L2BM(id)       case INSN_##id:
#define OTHER_L2BMDARW(id)   case INSN_##id:
#define OTHER_L1BM(id)       case INSN_##id:
#define OTHER_MAU_CALC(id)   case INSN_##id:
#define OTHER_MAU_MWRITE(id) case INSN_##id:
#define OTHER_MAU_MREAD(id)  case INSN_##id:
#define OTHER_ALU(id)

static uint64_t compute(const struct alu_op *op, const struct element *e, bool *flag)
{
    const uint64_t x = e->x, y = e->y;
    uint64_t r = 0;
    switch ((enum insn)op->insn) {
    case INSN_INC:
        r = (x + 1) & e->mask;
        *flag = op->uns ? x != e->mask : (r & e->sign) == 0;
        return r;
    case INSN_DEC:
        r = (x - 1) & e->mask;
        *flag = op->uns ? x != 0 : (r & e->sign) == 0;
        return r;
    case INSN_ADD:
        r = (x + y) & e->mask;
        *flag = op->uns ? r >= x : (r & e->sign) == 0;
        return r;
    case INSN_SUB:
        r = (x - y) & e->mask;
        *flag = op->uns ? x >= y : (r & e->sign) == 0;
        return r;
    case INSN_MAX:
    case INSN_MIN:
        return chosen_side(op, e, flag);
    case INSN_RELU:
    case INSN_RELU1:
    case INSN_RELU2:
    case INSN_RELU3:
    case INSN_LRELUD:
    case INSN_LRELU0:
    case INSN_ILRELUD:
        return rectify(op, e, flag);
    case INSN_RSQRT:
        *flag = (x & e->sign) == 0;
        return reciprocal_root(format_of(op->prec), x);
    case INSN_FLOOR:
        *flag = false;
        return floor_of(format_of(op->prec), x);
    case INSN_FTOI:
        *flag = false;
        return integer_of(format_of(op->prec), x, op->uns);
    case INSN_PACKBIT:
        *flag = (y & e->sign) == 0;
        return x << 1 | (y & e->sign) >> (e->width - 1);
    case INSN_PASSA:
        r = x;
        break;
    case INSN_NOT:
        r = ~x;
        break;
    case INSN_LNOT:
        r = x == 0;
        break;
    case INSN_AND:
        r = x & y;
        break;
    case INSN_OR:
        r = x | y;
        break;
    case INSN_XOR:
        r = x ^ y;
        break;
    case INSN_LSL:
    case INSN_LSR:
    case INSN_BSL:
    case INSN_BSR:
        r = shift(op, e);
        break;
    case INSN_ZERO:
    case INSN_IMM:
    case INSN_MSL:
    case INSN_MSR:
    case INSN_BFE:
    case INSN_BFN: /* mncore2_alu_reference handles them before the call */
#define INSN(id, mnemonic, group, types, inputs, wide, uns, section, sentence) OTHER_##group(id)
#include "functional/mncore2/insn.def"
    case INSN_COUNT:
        break;
    }
    r &= e->mask;
    *flag = r == 0;
    return r;
}

/* The input after its port's conversion (3.6.12.19). */
static void alu_input(const uint64_t *const bus[2], uint16_t flags, size_t lane, uint64_t value[2])
{
    value[0] = bus_read(bus, 0, lane);
    value[1] = bus_read(bus, 1, lane);
    if ((flags & OPERAND_REDUCE) != 0) {
        value[0] = mncore2_fp_reduce_input(value[0], value[1]);
        value[1] = 0;
    }
}

static void fixed(const struct alu_op *op, size_t lanes, uint64_t *const out[2])
{
    const uint64_t high = op->insn == INSN_IMM ? (uint64_t)op->imm << 32 : 0;
    const uint64_t value = op->insn == INSN_IMM && !op->uns ? high | op->imm : high;
    for (size_t lane = 0; lane < lanes; lane++) {
        bus_write(out, 0, lane, value);
        bus_write(out, 1, lane, value);
    }
}

/* Operations across the four PE of a MAB: msl, msr (3.6.12.4), bfn, bfe (3.6.12.12). */
static void across_mab(const struct alu_op *op, size_t lanes, const uint64_t *const x[2],
                       uint64_t *const out[2])
{
    for (size_t mab = 0; mab < lanes; mab += PE_PER_MAB) {
        uint64_t in[2][PE_PER_MAB], result[2][PE_PER_MAB];
        for (unsigned pe = 0; pe < PE_PER_MAB; pe++) {
            uint64_t value[2];
            alu_input(x, op->x, mab + pe, value);
            in[0][pe] = value[0];
            in[1][pe] = value[1];
        }
        if (op->insn == INSN_MSL || op->insn == INSN_MSR) {
            for (unsigned pe = 0; pe < PE_PER_MAB; pe++) {
                const unsigned from = op->insn == INSN_MSL ? pe + PE_PER_MAB - 1 : pe + 1;
                result[0][pe] = in[0][from % PE_PER_MAB];
                result[1][pe] = in[1][pe];
            }
        } else {
            mncore2_alu_block_float(op, PE_PER_MAB, (const uint64_t *const[]){in[0], in[1]},
                                    (uint64_t *const[]){result[0], result[1]});
        }
        for (unsigned pe = 0; pe < PE_PER_MAB; pe++) {
            bus_write(out, 0, mab + pe, result[0][pe]);
            bus_write(out, 1, mab + pe, result[1][pe]);
        }
    }
}

static void clear_flags(size_t lanes, uint8_t *flags)
{
    for (size_t lane = 0; flags != NULL && lane < lanes; lane++)
        flags[lane] = 0;
}

void mncore2_alu_reference(const struct alu_op *op, size_t lanes, const uint64_t *const x[2],
                           const uint64_t *const y[2], uint64_t *const out[2], uint8_t *flags)
{
    switch (op->insn) {
    case INSN_ZERO:
    case INSN_IMM:
        fixed(op, lanes, out);
        clear_flags(lanes, flags);
        return;
    case INSN_MSL:
    case INSN_MSR:
    case INSN_BFE:
    case INSN_BFN:
        across_mab(op, lanes, x, out);
        clear_flags(lanes, flags);
        return;
    default:
        break;
    }
    const unsigned width = width_of(op->prec);
    const uint64_t sign = (uint64_t)1 << (width - 1);
    struct element e = {.width = width, .sign = sign, .mask = sign | (sign - 1)};
    for (size_t lane = 0; lane < lanes; lane++) {
        uint64_t a[2], b[2];
        alu_input(x, op->x, lane, a);
        alu_input(y, op->y, lane, b);
        uint64_t result = 0;
        unsigned flag = 0;
        for (unsigned position = 0; position < 64; position += width) {
            e.x = a[0] >> position & e.mask;
            e.y = b[0] >> position & e.mask;
            bool set = false;
            result |= (compute(op, &e, &set) & e.mask) << position;
            if (set)
                flag |= ((1u << width / 16) - 1) << position / 16;
        }
        bus_write(out, 0, lane, result);
        bus_write(out, 1, lane, a[1]);
        if (flags != NULL)
            flags[lane] = (uint8_t)flag;
    }
}
