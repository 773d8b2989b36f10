#include "functional/amx/arith.h"

#include <math.h>
#include <string.h>

const struct amx_format_info amx_format[4] = {
    [AMX_FORMAT_F16] = {"f16", 5, 10, 16, 0x7e00},
    [AMX_FORMAT_BF16] = {"bf16", 8, 7, 16, 0x7fc0},
    [AMX_FORMAT_F32] = {"f32", 8, 23, 32, 0x7fc00000},
    [AMX_FORMAT_F64] = {"f64", 11, 52, 64, UINT64_C(0x7ff8000000000000)},
};

/* A 128-bit integer; C11 has no such type. */
struct wide {
    uint64_t hi, lo;
};

static struct wide wide_multiply(uint64_t a, uint64_t b)
{
    const uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
    const uint64_t low = a0 * b0;
    const uint64_t middle = a1 * b0 + (low >> 32);
    const uint64_t other = a0 * b1 + (uint32_t)middle;
    return (struct wide){a1 * b1 + (middle >> 32) + (other >> 32), (other << 32) | (uint32_t)low};
}

static struct wide wide_left(struct wide v, unsigned by)
{
    if (by == 0)
        return v;
    if (by >= 64)
        return (struct wide){by >= 128 ? 0 : v.lo << (by - 64), 0};
    return (struct wide){v.hi << by | v.lo >> (64 - by), v.lo << by};
}

/* Shift right with sticky bit: a lost 1 sets the lowest bit, so that rounding remains correct. */
static struct wide wide_right_jam(struct wide v, unsigned by)
{
    if (by == 0)
        return v;
    if (by >= 128)
        return (struct wide){0, (v.hi | v.lo) != 0};
    if (by >= 64) {
        const unsigned rest = by - 64;
        const uint64_t lost = v.lo | (rest ? v.hi << (64 - rest) : 0);
        return (struct wide){0, (v.hi >> rest) | (lost != 0)};
    }
    const uint64_t lost = v.lo << (64 - by);
    return (struct wide){v.hi >> by, v.hi << (64 - by) | v.lo >> by | (lost != 0)};
}

static struct wide wide_add(struct wide a, struct wide b)
{
    const uint64_t lo = a.lo + b.lo;
    return (struct wide){a.hi + b.hi + (lo < a.lo), lo};
}

static struct wide wide_subtract(struct wide a, struct wide b)
{
    return (struct wide){a.hi - b.hi - (a.lo < b.lo), a.lo - b.lo};
}

static bool wide_less(struct wide a, struct wide b)
{
    return a.hi != b.hi ? a.hi < b.hi : a.lo < b.lo;
}

/* Leading zeros of a non-zero number. */
static unsigned leading_zeros(struct wide v)
{
    unsigned n = 0;
    if (v.hi == 0) {
        v.hi = v.lo;
        n = 64;
    }
    for (unsigned step = 32; step; step /= 2)
        if (v.hi >> (64 - step) == 0) {
            v.hi <<= step;
            n += step;
        }
    return n;
}

/* A finite number: significand * 2^exponent. */
struct number {
    uint64_t significand;
    int exponent;
};

static struct number unpack(const struct amx_format_info *f, uint64_t bits)
{
    const uint64_t fraction = bits & ((UINT64_C(1) << f->fraction) - 1);
    const int field = (int)(bits >> f->fraction & ((UINT64_C(1) << f->exponent) - 1));
    const int scale = 1 - ((1 << (f->exponent - 1)) - 1) - (int)f->fraction;
    if (field == 0)
        return (struct number){fraction, scale};
    return (struct number){fraction | UINT64_C(1) << f->fraction, scale + field - 1};
}

/* Round magnitude * 2^exponent, not zero, to the format: nearest, ties to even. */
static uint64_t pack(const struct amx_format_info *f, bool negative, struct wide magnitude,
                     int exponent)
{
    const int bias = (1 << (f->exponent - 1)) - 1, top = (1 << f->exponent) - 1;
    const uint64_t sign = (uint64_t)negative << (f->bits - 1);

    /* The highest 1 goes to bit 127; the value is then 1.xxx * 2^(exponent + 127). */
    const unsigned up = leading_zeros(magnitude);
    magnitude = wide_left(magnitude, up);
    int field = exponent - (int)up + 127 + bias;
    if (field >= top)
        return sign | (uint64_t)top << f->fraction;
    if (field < 1) { /* denormal results have the scale of exponent field 1 */
        magnitude = wide_right_jam(magnitude, (unsigned)(1 - field));
        field = 1;
    }
    const unsigned drop = 63 - f->fraction; /* bits of hi below the significand */
    uint64_t significand = magnitude.hi >> drop;
    const uint64_t rest = magnitude.hi & ((UINT64_C(1) << drop) - 1);
    const uint64_t half = UINT64_C(1) << (drop - 1);
    if (rest > half || (rest == half && (magnitude.lo != 0 || (significand & 1))))
        significand++;
    /* Adding lets a carry propagate into the exponent: denormal to normal, or up to infinity. */
    return sign | (significand + ((uint64_t)(field - 1) << f->fraction));
}

uint64_t amx_fma(enum amx_format format, uint64_t x, uint64_t y, uint64_t z, bool subtract)
{
    const struct amx_format_info *f = &amx_format[format];
    const uint64_t sign_bit = UINT64_C(1) << (f->bits - 1);
    const uint64_t infinity = ((UINT64_C(1) << f->exponent) - 1) << f->fraction;
    const uint64_t ax = x & (sign_bit - 1), ay = y & (sign_bit - 1), az = z & (sign_bit - 1);
    const bool product_negative = (((x ^ y) & sign_bit) != 0) != subtract;
    const bool z_negative = (z & sign_bit) != 0;

    if (ax > infinity || ay > infinity || az > infinity)
        return f->default_nan;
    if (ax == infinity || ay == infinity) {
        if (ax == 0 || ay == 0 || (az == infinity && z_negative != product_negative))
            return f->default_nan;
        return infinity | (product_negative ? sign_bit : 0);
    }
    if (az == infinity)
        return z;
    if (ax == 0 || ay == 0) {
        if (az == 0) /* a sum of zeros is -0 only when both are */
            return product_negative && z_negative ? sign_bit : 0;
        return z;
    }

    const struct number nx = unpack(f, ax), ny = unpack(f, ay);
    struct wide product = wide_multiply(nx.significand, ny.significand);
    unsigned up = leading_zeros(product) - 1; /* highest 1 at bit 126: room for one carry */
    product = wide_left(product, up);
    int exponent = nx.exponent + ny.exponent - (int)up;
    if (az == 0)
        return pack(f, product_negative, product, exponent);

    const struct number nz = unpack(f, az);
    struct wide addend = {0, nz.significand};
    up = leading_zeros(addend) - 1;
    addend = wide_left(addend, up);
    const int distance = exponent - (nz.exponent - (int)up);
    /* At a distance of 2 or more a difference loses at most two leading bits, and both numbers have
     * at least 22 trailing zeros: the sticky bit stays below the rounding position. */
    if (distance >= 0) {
        addend = wide_right_jam(addend, distance > 128 ? 128 : (unsigned)distance);
    } else {
        product = wide_right_jam(product, distance < -128 ? 128 : (unsigned)-distance);
        exponent -= distance;
    }
    if (product_negative == z_negative)
        return pack(f, z_negative, wide_add(product, addend), exponent);
    if (wide_less(product, addend))
        return pack(f, z_negative, wide_subtract(addend, product), exponent);
    const struct wide difference = wide_subtract(product, addend);
    if ((difference.hi | difference.lo) == 0)
        return 0;
    return pack(f, product_negative, difference, exponent);
}

uint32_t amx_fma32(uint32_t x, uint32_t y, uint32_t z, bool subtract)
{
    float a, b, c;
    x ^= (uint32_t)subtract << 31;
    memcpy(&a, &x, sizeof a);
    memcpy(&b, &y, sizeof b);
    memcpy(&c, &z, sizeof c);
    c = fmaf(a, b, c);
    memcpy(&z, &c, sizeof z);
    return (z & 0x7fffffff) > 0x7f800000 ? 0x7fc00000 : z;
}

uint64_t amx_fma64(uint64_t x, uint64_t y, uint64_t z, bool subtract)
{
    double a, b, c;
    x ^= (uint64_t)subtract << 63;
    memcpy(&a, &x, sizeof a);
    memcpy(&b, &y, sizeof b);
    memcpy(&c, &z, sizeof c);
    c = fma(a, b, c);
    memcpy(&z, &c, sizeof z);
    return (z & (UINT64_MAX >> 1)) > UINT64_C(0x7ff0000000000000) ? UINT64_C(0x7ff8000000000000)
                                                                  : z;
}

double amx_double16(enum amx_format format, uint16_t value)
{
    const uint32_t wide = amx_widen(format, value);
    float single;
    memcpy(&single, &wide, sizeof single);
    return (double)single;
}

/* Round a double to a 16-bit format: nearest, ties to even. */
static uint16_t round16(const struct amx_format_info *f, uint64_t bits)
{
    const uint16_t sign = (uint16_t)(bits >> 48 & 0x8000);
    const uint64_t magnitude = bits & (UINT64_MAX >> 1);
    const int bias = (1 << (f->exponent - 1)) - 1, top = (1 << f->exponent) - 1;
    if (magnitude > UINT64_C(0x7ff0000000000000))
        return (uint16_t)f->default_nan;
    if (magnitude < UINT64_C(0x0010000000000000))
        return sign; /* zero: sums of 16-bit products never come near the denormals of a double */
    int field = (int)(magnitude >> 52) - 1023 + bias;
    if (field >= top)
        return (uint16_t)(sign | top << f->fraction);
    unsigned drop = 52 - f->fraction;
    if (field < 1) {
        drop += (unsigned)(1 - field);
        field = 1;
        if (drop > 54) /* less than half of the smallest denormal */
            return sign;
    }
    const uint64_t significand = (magnitude & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52;
    const uint64_t half = UINT64_C(1) << (drop - 1);
    const uint64_t odd = significand >> drop & 1;
    /* Half less one, plus one if the last bit is odd: a carry rounds up. */
    const uint64_t rounded = (significand + (half - 1) + odd) >> drop;
    return (uint16_t)(sign | (uint16_t)(rounded + ((uint64_t)(field - 1) << f->fraction)));
}

uint16_t amx_fma16(enum amx_format format, double x, double y, double z)
{
    const double product = x * y;
    const double sum = product + z;
    /* The exact error of the sum (two-sum); its sign decides ties of the second rounding. */
    const double part = sum - product;
    const double error = (product - (sum - part)) + (z - part);
    uint64_t bits;
    memcpy(&bits, &sum, sizeof bits);
    if (error > 0 || error < 0) {
        if (!(bits & 1)) /* round to odd: one unit towards the error where the last bit is even */
            bits = (error > 0) == (sum > 0) ? bits + 1 : bits - 1;
    }
    return round16(&amx_format[format], bits);
}

uint32_t amx_widen(enum amx_format format, uint16_t value)
{
    const struct amx_format_info *f = &amx_format[format];
    const uint32_t sign = (uint32_t)(value & 0x8000) << 16;
    const uint32_t magnitude = value & 0x7fff;
    const uint32_t infinity = ((UINT32_C(1) << f->exponent) - 1) << f->fraction;
    if (magnitude > infinity)
        return 0x7fc00000;
    if (format == AMX_FORMAT_BF16)
        return sign | magnitude << 16;
    if (magnitude == infinity)
        return sign | 0x7f800000;
    if (magnitude >> f->fraction) /* normal: the same fraction, 112 more bias */
        return sign | ((magnitude << 13) + (UINT32_C(112) << 23));
    if (magnitude == 0)
        return sign;
    const struct number n = unpack(f, magnitude);
    return (uint32_t)pack(&amx_format[AMX_FORMAT_F32], sign != 0, (struct wide){0, n.significand},
                          n.exponent);
}

bool amx_not_positive(enum amx_format format, uint64_t x)
{
    const struct amx_format_info *f = &amx_format[format];
    const uint64_t sign_bit = UINT64_C(1) << (f->bits - 1);
    const uint64_t infinity = ((UINT64_C(1) << f->exponent) - 1) << f->fraction;
    const uint64_t magnitude = x & (sign_bit - 1);
    return magnitude <= infinity && (magnitude == 0 || (x & sign_bit));
}
