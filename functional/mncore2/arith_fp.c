#include "functional/mncore2/arith_fp.h"

#include <string.h>

const struct fp_format mncore2_fp_half = {
    .width = 16, .man = 9, .inf = 0x3f, .bias = 31, .dropped = 0};
const struct fp_format mncore2_fp_single = {
    .width = 32, .man = 23, .inf = 0xff, .bias = 127, .dropped = 5};
const struct fp_format mncore2_fp_double = {
    .width = 64, .man = 52, .inf = 0x7ff, .bias = 1023, .dropped = 16};

/* Position of the highest bit in mncore2_fp_add: room for a carry above, for 108 bits below. */
enum { TOP = 124 };

static unsigned highest_bit(fp_u128 value)
{
    const uint64_t high = (uint64_t)(value >> 64);
    if (high != 0)
        return 127 - (unsigned)__builtin_clzll(high);
    return 63 - (unsigned)__builtin_clzll((uint64_t)value);
}

uint64_t mncore2_fp_shift_even(uint64_t value, unsigned shift)
{
    if (shift == 0)
        return value;
    if (shift > 64)
        return 0;
    const uint64_t kept = shift == 64 ? 0 : value >> shift;
    const uint64_t half = (uint64_t)1 << (shift - 1);
    const uint64_t rest = shift == 64 ? value : value & (half | (half - 1));
    return kept + (rest > half || (rest == half && (kept & 1) != 0));
}

struct fp_number mncore2_fp_number_of(bool sign, fp_u128 mag, int exp)
{
    return (struct fp_number){
        .kind = mag != 0 ? FP_FINITE : FP_ZERO, .sign = sign, .exp = exp, .mag = mag};
}

struct fp_number mncore2_fp_unpack(const struct fp_format *f, uint64_t bits)
{
    const unsigned exponent = fp_exponent(f, bits);
    const bool sign = (bits & fp_sign_bit(f)) != 0;
    if (exponent == 0)
        return (struct fp_number){.kind = FP_ZERO, .sign = sign};
    if (exponent == f->inf)
        return (struct fp_number){.kind = FP_INF, .sign = sign};
    return mncore2_fp_number_of(sign, fp_mantissa(f, bits) | (uint64_t)1 << f->man,
                                (int)exponent - f->bias - (int)f->man);
}

fp_u128 mncore2_fp_multiply(const struct fp_format *f, uint64_t a, uint64_t b)
{
    const fp_u128 full = (fp_u128)a * b;
    if (f->dropped == 0)
        return full;
    const uint64_t mask = ((uint64_t)1 << f->dropped) - 1;
    const uint64_t omitted = (a & mask) * (b & mask);
    if (omitted == 0)
        return full;
    /* r: the omitted partial products count as if only the highest of them were 1 (4.7, 4.9). */
    return full - omitted + ((fp_u128)1 << (2 * f->dropped - 2));
}

struct fp_number mncore2_fp_product(const struct fp_format *f, uint64_t a, uint64_t b)
{
    const struct fp_number x = mncore2_fp_unpack(f, a);
    const struct fp_number y = mncore2_fp_unpack(f, b);
    const bool sign = x.sign != y.sign;
    if (x.kind == FP_ZERO || y.kind == FP_ZERO) /* infinity * 0 too: open points */
        return (struct fp_number){.kind = FP_ZERO, .sign = sign};
    if (x.kind == FP_INF || y.kind == FP_INF)
        return (struct fp_number){.kind = FP_INF, .sign = sign};
    return mncore2_fp_number_of(sign, mncore2_fp_multiply(f, (uint64_t)x.mag, (uint64_t)y.mag),
                                x.exp + y.exp);
}

static struct fp_number raise_to_top(struct fp_number number)
{
    const unsigned shift = TOP - highest_bit(number.mag);
    number.mag <<= shift;
    number.exp -= (int)shift;
    return number;
}

struct fp_number mncore2_fp_add(struct fp_number a, struct fp_number b)
{
    if (a.kind == FP_INF || b.kind == FP_INF) {
        struct fp_number sum = a.kind == FP_INF ? a : b;
        if (a.kind == FP_INF && b.kind == FP_INF && a.sign != b.sign)
            sum.sign = false; /* open points: infinity - infinity */
        return sum;
    }
    if (a.kind == FP_ZERO)
        return b;
    if (b.kind == FP_ZERO)
        return a;
    a = raise_to_top(a);
    b = raise_to_top(b);
    if (a.exp < b.exp) {
        const struct fp_number c = a;
        a = b;
        b = c;
    }
    const unsigned shift = (unsigned)(a.exp - b.exp);
    if (shift > 127)
        b.mag = 1;
    else if (shift > 0)
        b.mag = b.mag >> shift | ((b.mag & (((fp_u128)1 << shift) - 1)) != 0);
    if (a.sign == b.sign)
        return mncore2_fp_number_of(a.sign, a.mag + b.mag, a.exp);
    if (a.mag >= b.mag)
        return mncore2_fp_number_of(a.sign, a.mag - b.mag, a.exp);
    return mncore2_fp_number_of(b.sign, b.mag - a.mag, a.exp);
}

uint64_t mncore2_fp_pack(const struct fp_format *f, struct fp_number number)
{
    const uint64_t sign = number.sign ? fp_sign_bit(f) : 0;
    const uint64_t infinity = (uint64_t)f->inf << f->man;
    if (number.kind == FP_ZERO)
        return sign;
    if (number.kind == FP_INF)
        return sign | infinity;
    int exponent = number.exp + (int)highest_bit(number.mag);
    const int surplus = (int)highest_bit(number.mag) - (int)f->man;
    uint64_t man;
    if (surplus <= 0) {
        man = (uint64_t)number.mag << -surplus;
    } else {
        const fp_u128 half = (fp_u128)1 << (surplus - 1);
        const fp_u128 rest = number.mag & (half | (half - 1));
        man = (uint64_t)(number.mag >> surplus);
        man += rest > half || (rest == half && (man & 1) != 0);
    }
    if (man >> (f->man + 1) != 0) {
        man >>= 1;
        exponent++;
    }
    exponent += f->bias;
    if (exponent >= (int)f->inf)
        return sign | infinity;
    if (exponent <= 0)
        return sign;
    return sign | (uint64_t)exponent << f->man | fp_mantissa(f, man);
}

uint64_t mncore2_fp_normalise(const struct fp_format *f, uint64_t bits)
{
    const unsigned exponent = fp_exponent(f, bits);
    if (exponent == 0)
        return 0;
    if (exponent == f->inf)
        return bits & ~fp_mantissa(f, bits);
    return bits;
}

/* --- conversions ------------------------------------------------------------------------------ */

static uint64_t convert(const struct fp_format *to, const struct fp_format *from, uint64_t bits)
{
    return mncore2_fp_pack(to, mncore2_fp_unpack(from, bits));
}

uint32_t mncore2_half_to_single(uint16_t half)
{
    const uint32_t sign = (uint32_t)(half & 0x8000) << 16, magnitude = half & 0x7fff;
    if (magnitude < 1 << 9)
        return sign;
    if (magnitude >= 0x3f << 9)
        return sign | 0xffu << 23;
    return sign | ((magnitude << 14) + ((127u - 31u) << 23));
}

uint64_t mncore2_single_to_double(uint32_t single)
{
    return convert(&mncore2_fp_double, &mncore2_fp_single, single);
}

uint16_t mncore2_single_to_half(uint32_t single)
{
    return (uint16_t)convert(&mncore2_fp_half, &mncore2_fp_single, single);
}

uint64_t mncore2_fp_reduce_input(uint64_t high, uint64_t low)
{
    return (uint64_t)mncore2_single_to_half(word_of(high, 0)) << 48 |
           (uint64_t)mncore2_single_to_half(word_of(high, 1)) << 32 |
           (uint64_t)mncore2_single_to_half(word_of(low, 0)) << 16 |
           mncore2_single_to_half(word_of(low, 1));
}

static double host_double(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

double mncore2_half_value(uint16_t half)
{
    return host_double(convert(&mncore2_fp_double, &mncore2_fp_half, half));
}

double mncore2_single_value(uint32_t single)
{
    return host_double(convert(&mncore2_fp_double, &mncore2_fp_single, single));
}

double mncore2_double_value(uint64_t value)
{
    return host_double(convert(&mncore2_fp_double, &mncore2_fp_double, value));
}
