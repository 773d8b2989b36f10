#include "functional/ventus/float32.h"

#include <math.h>
#include <string.h>

#define SIGN     UINT32_C(0x80000000)
#define INFINITE UINT32_C(0x7f800000)
#define LARGEST  UINT32_C(0x7f7fffff)

static bool is_nan(uint32_t a)
{
    return (a & ~SIGN) > INFINITE;
}

static bool is_signaling(uint32_t a)
{
    return is_nan(a) && !(a & UINT32_C(0x00400000));
}

static bool is_zero(uint32_t a)
{
    return !(a & ~SIGN);
}

static double value_of(uint32_t a)
{
    float f;
    memcpy(&f, &a, sizeof f);
    return (double)f;
}

static uint64_t bits_of(double d)
{
    uint64_t u;
    memcpy(&u, &d, sizeof u);
    return u;
}

static double of_bits(uint64_t u)
{
    double d;
    memcpy(&d, &u, sizeof d);
    return d;
}

/* A result near `value`, of which the exact one differs by the sign of `rest`: of both neighbours
 * of the exact one, that with an odd last bit. */
static double odd(double value, double rest)
{
    const uint64_t bits = bits_of(value);
    if (rest == 0 || (bits & 1))
        return value;
    return of_bits((rest > 0) == (value > 0) ? bits + 1 : bits - 1);
}

static uint32_t invalid(struct ventus_fcsr *fcsr)
{
    fcsr->flags |= VENTUS_NV;
    return VENTUS_F32_NAN;
}

/* A NaN among the sources: the result. */
static uint32_t nan_of(bool signaling, struct ventus_fcsr *fcsr)
{
    fcsr->flags |= signaling ? VENTUS_NV : 0;
    return VENTUS_F32_NAN;
}

/* Whether what is cut off, rest of half * 2, adds one to the magnitude. */
static bool rounds_up(const struct ventus_fcsr *fcsr, bool negative, uint64_t kept, uint64_t rest,
                      uint64_t half)
{
    switch ((enum ventus_rounding)fcsr->rounding) {
    case VENTUS_RNE:
        return rest > half || (rest == half && (kept & 1));
    case VENTUS_RMM:
        return rest >= half;
    case VENTUS_RDN:
        return negative && rest;
    case VENTUS_RUP:
        return !negative && rest;
    case VENTUS_RTZ:
        break;
    }
    return false;
}

static uint32_t overflow(uint32_t sign, struct ventus_fcsr *fcsr)
{
    const uint8_t r = fcsr->rounding;
    fcsr->flags |= VENTUS_OF | VENTUS_NX;
    return sign |
           (r == VENTUS_RTZ || (r == VENTUS_RDN && !sign) || (r == VENTUS_RUP && sign) ? LARGEST
                                                                                       : INFINITE);
}

/* The value of a double, to be taken as rounded to odd. */
static uint32_t rounded(double value, struct ventus_fcsr *fcsr)
{
    const uint64_t bits = bits_of(value);
    const uint32_t sign = bits >> 63 ? SIGN : 0;
    const int exponent = (int)(bits >> 52 & 0x7ff) - 1023;
    const uint64_t mantissa = (bits & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52;
    if (exponent == 1024)
        return bits << 12 ? VENTUS_F32_NAN : sign | INFINITE;
    if (exponent == -1023) /* no operation on floats gives a double that is subnormal */
        return sign;
    /* 24 bits stay of a normal number, fewer of a subnormal one. */
    int cut = 29 + (exponent < -126 ? -126 - exponent : 0);
    cut = cut > 62 ? 62 : cut;
    const uint64_t half = UINT64_C(1) << (cut - 1), rest = mantissa & (2 * half - 1);
    uint64_t kept = mantissa >> cut;
    kept += rounds_up(fcsr, sign, kept, rest, half);
    if (rest)
        fcsr->flags |= VENTUS_NX;
    if (exponent < -126) {
        /* Tiny after rounding: with 24 bits and no bound on the exponent it stays below 2^-126. */
        const uint64_t near = UINT64_C(1) << 28, left = mantissa & (2 * near - 1);
        const uint64_t full = (mantissa >> 29) + rounds_up(fcsr, sign, mantissa >> 29, left, near);
        if (rest && !(exponent == -127 && full >> 24))
            fcsr->flags |= VENTUS_UF;
        return sign | (uint32_t)kept;
    }
    const uint32_t word = (uint32_t)(((uint64_t)(exponent + 126) << 23) + kept);
    return word >= INFINITE ? overflow(sign, fcsr) : sign | word;
}

/* Exact sum of two doubles that came from floats or their products. */
static double sum(double a, double b)
{
    const double s = a + b, t = s - a;
    return odd(s, (a - (s - t)) + (b - t));
}

static bool is_infinite(uint32_t a)
{
    return (a & ~SIGN) == INFINITE;
}

/* An exact 0 of a sum of opposite signs is negative only when rounding down. */
static uint32_t rounded_sum(double a, double b, struct ventus_fcsr *fcsr)
{
    const double s = sum(a, b);
    if (s != 0)
        return rounded(s, fcsr);
    const bool both = signbit(a) && signbit(b), either = signbit(a) || signbit(b);
    return both || (either && fcsr->rounding == VENTUS_RDN) ? SIGN : 0;
}

uint32_t ventus_f32_add(uint32_t a, uint32_t b, struct ventus_fcsr *fcsr)
{
    if (is_nan(a) || is_nan(b))
        return nan_of(is_signaling(a) || is_signaling(b), fcsr);
    if (is_infinite(a))
        return is_infinite(b) && a != b ? invalid(fcsr) : a;
    return is_infinite(b) ? b : rounded_sum(value_of(a), value_of(b), fcsr);
}

uint32_t ventus_f32_mul(uint32_t a, uint32_t b, struct ventus_fcsr *fcsr)
{
    if (is_nan(a) || is_nan(b))
        return nan_of(is_signaling(a) || is_signaling(b), fcsr);
    if ((is_infinite(a) && is_zero(b)) || (is_infinite(b) && is_zero(a)))
        return invalid(fcsr);
    return rounded(value_of(a) * value_of(b), fcsr); /* 48 bits: exact */
}

uint32_t ventus_f32_div(uint32_t a, uint32_t b, struct ventus_fcsr *fcsr)
{
    const uint32_t sign = (a ^ b) & SIGN;
    if (is_nan(a) || is_nan(b))
        return nan_of(is_signaling(a) || is_signaling(b), fcsr);
    if ((is_infinite(a) && is_infinite(b)) || (is_zero(a) && is_zero(b)))
        return invalid(fcsr);
    if (is_infinite(a) || is_infinite(b) || is_zero(a))
        return sign | (is_infinite(a) ? INFINITE : 0);
    if (is_zero(b)) {
        fcsr->flags |= VENTUS_DZ;
        return sign | INFINITE;
    }
    const double x = value_of(a), y = value_of(b), q = x / y, rest = fma(-q, y, x);
    return rounded(odd(q, y > 0 ? rest : -rest), fcsr);
}

uint32_t ventus_f32_sqrt(uint32_t a, struct ventus_fcsr *fcsr)
{
    if (is_nan(a))
        return nan_of(is_signaling(a), fcsr);
    if (is_zero(a) || a == INFINITE)
        return a;
    if (a & SIGN)
        return invalid(fcsr);
    const double x = value_of(a), q = sqrt(x);
    return rounded(odd(q, fma(-q, q, x)), fcsr);
}

uint32_t ventus_f32_fma(uint32_t a, uint32_t b, uint32_t c, struct ventus_fcsr *fcsr)
{
    if ((is_infinite(a) && is_zero(b)) || (is_infinite(b) && is_zero(a)))
        return invalid(fcsr);
    if (is_nan(a) || is_nan(b) || is_nan(c))
        return nan_of(is_signaling(a) || is_signaling(b) || is_signaling(c), fcsr);
    const uint32_t sign = (a ^ b) & SIGN;
    if (is_infinite(a) || is_infinite(b))
        return is_infinite(c) && (c & SIGN) != sign ? invalid(fcsr) : sign | INFINITE;
    return is_infinite(c) ? c : rounded_sum(value_of(a) * value_of(b), value_of(c), fcsr);
}

/* --- comparisons ------------------------------------------------------------------------------ */

static bool unordered(uint32_t a, uint32_t b, bool quiet, struct ventus_fcsr *fcsr)
{
    if (!is_nan(a) && !is_nan(b))
        return false;
    if (!quiet || is_signaling(a) || is_signaling(b))
        fcsr->flags |= VENTUS_NV;
    return true;
}

bool ventus_f32_eq(uint32_t a, uint32_t b, struct ventus_fcsr *fcsr)
{
    return !unordered(a, b, true, fcsr) && value_of(a) == value_of(b);
}

bool ventus_f32_lt(uint32_t a, uint32_t b, struct ventus_fcsr *fcsr)
{
    return !unordered(a, b, false, fcsr) && value_of(a) < value_of(b);
}

bool ventus_f32_le(uint32_t a, uint32_t b, struct ventus_fcsr *fcsr)
{
    return !unordered(a, b, false, fcsr) && value_of(a) <= value_of(b);
}

/* -0 is below 0; a NaN gives way to a number. */
static uint32_t least(uint32_t a, uint32_t b, bool largest, struct ventus_fcsr *fcsr)
{
    if (is_signaling(a) || is_signaling(b))
        fcsr->flags |= VENTUS_NV;
    if (is_nan(a))
        return is_nan(b) ? VENTUS_F32_NAN : b;
    if (is_nan(b))
        return a;
    const bool below = is_zero(a) && is_zero(b) ? (a & SIGN) != 0 : value_of(a) < value_of(b);
    return below != largest ? a : b;
}

uint32_t ventus_f32_min(uint32_t a, uint32_t b, struct ventus_fcsr *fcsr)
{
    return least(a, b, false, fcsr);
}

uint32_t ventus_f32_max(uint32_t a, uint32_t b, struct ventus_fcsr *fcsr)
{
    return least(a, b, true, fcsr);
}

uint32_t ventus_f32_class(uint32_t a)
{
    const bool negative = a & SIGN;
    const uint32_t magnitude = a & ~SIGN;
    if (is_nan(a))
        return is_signaling(a) ? 1u << 8 : 1u << 9;
    if (magnitude == INFINITE)
        return negative ? 1u << 0 : 1u << 7;
    if (magnitude >= UINT32_C(0x00800000))
        return negative ? 1u << 1 : 1u << 6;
    if (magnitude)
        return negative ? 1u << 2 : 1u << 5;
    return negative ? 1u << 3 : 1u << 4;
}

/* --- integers --------------------------------------------------------------------------------- */

uint32_t ventus_f32_to_int(uint32_t a, bool is_signed, struct ventus_fcsr *fcsr)
{
    const double low = is_signed ? -2147483648.0 : 0,
                 high = is_signed ? 2147483647.0 : 4294967295.0;
    const double x = is_nan(a) ? INFINITY : value_of(a), floored = floor(x);
    if (is_nan(a) || is_infinite(a)) {
        fcsr->flags |= VENTUS_NV;
        return x > 0 ? (uint32_t)high : (uint32_t)(int64_t)low;
    }
    /* Halves of the magnitude: 0, between, 1/2, between. */
    const bool negative = a & SIGN;
    const double whole = negative ? -ceil(x) : floored, part = (negative ? -x : x) - whole;
    const uint64_t rest = part == 0 ? 0 : part < 0.5 ? 1 : part == 0.5 ? 2 : 3;
    const uint64_t kept = whole < 1e18 ? (uint64_t)whole : UINT64_C(1) << 60;
    const double magnitude = whole + rounds_up(fcsr, negative, kept, rest, 2);
    const double result = negative ? -magnitude : magnitude;
    if (result < low || result > high) {
        fcsr->flags |= VENTUS_NV;
        return result > high ? (uint32_t)high : (uint32_t)(int64_t)low;
    }
    fcsr->flags |= rest ? VENTUS_NX : 0;
    return (uint32_t)(int64_t)result;
}

uint32_t ventus_f32_of_int(uint32_t a, bool is_signed, struct ventus_fcsr *fcsr)
{
    if (!a)
        return 0;
    return rounded(is_signed ? (double)(int32_t)a : (double)a, fcsr);
}

/* --- estimates -------------------------------------------------------------------------------- */

/* Sign, exponent and 23 bits of a subnormal number as of a normal one; the exponent may be 0 or
 * less. */
static int normalize(uint32_t *fraction, int exponent)
{
    if (exponent)
        return exponent;
    for (exponent = 1; !(*fraction >> 23); exponent--)
        *fraction <<= 1;
    *fraction &= 0x7fffff;
    return exponent;
}

/* 7 bits after the binary point of 2 * y, for y in [1/2, 1). */
static uint32_t seven(double y)
{
    return (uint32_t)floor((2 * y - 1) * 128 + 0.5);
}

uint32_t ventus_f32_rec7(uint32_t a, struct ventus_fcsr *fcsr)
{
    const uint32_t sign = a & SIGN;
    const uint8_t r = fcsr->rounding;
    uint32_t fraction = a & 0x7fffff;
    if (is_nan(a))
        return nan_of(is_signaling(a), fcsr);
    if (is_infinite(a))
        return sign;
    if (is_zero(a)) {
        fcsr->flags |= VENTUS_DZ;
        return sign | INFINITE;
    }
    const int exponent = normalize(&fraction, (int)(a >> 23 & 0xff));
    if (exponent < -1) { /* above the largest */
        fcsr->flags |= VENTUS_OF | VENTUS_NX;
        return sign | (r == VENTUS_RTZ || (r == VENTUS_RDN && !sign) || (r == VENTUS_RUP && sign)
                           ? LARGEST
                           : INFINITE);
    }
    const uint32_t out = seven(1 / (1 + ((fraction >> 16) + 0.5) / 128)) << 16;
    const int to = 253 - exponent;
    if (to > 0)
        return sign | (uint32_t)to << 23 | out;
    return sign | (out | 1u << 23) >> (1 - to);
}

uint32_t ventus_f32_rsqrt7(uint32_t a, struct ventus_fcsr *fcsr)
{
    uint32_t fraction = a & 0x7fffff;
    if (is_nan(a))
        return nan_of(is_signaling(a), fcsr);
    if (is_zero(a)) {
        fcsr->flags |= VENTUS_DZ;
        return (a & SIGN) | INFINITE;
    }
    if (a & SIGN)
        return invalid(fcsr);
    if (a == INFINITE)
        return 0;
    const int exponent = normalize(&fraction, (int)(a >> 23 & 0xff));
    const bool even = !(exponent & 1); /* of the biased exponent: the number is 2 * 4^n * 1.f */
    const double x = (1 + ((fraction >> 17) + 0.5) / 64) * (even ? 2 : 1);
    const int to = (380 - exponent) >> 1; /* (3 * 127 - 1 - exponent) / 2 */
    return (uint32_t)to << 23 | seven(1 / sqrt(x)) << 16;
}

uint32_t ventus_f32_exp(uint32_t a, struct ventus_fcsr *fcsr)
{
    if (is_nan(a))
        return nan_of(is_signaling(a), fcsr);
    if (is_infinite(a))
        return a & SIGN ? 0 : INFINITE;
    if (is_zero(a))
        return UINT32_C(0x3f800000);
    const double x = value_of(a);
    if (x > 200)
        return overflow(0, fcsr);
    if (fabs(x) < 0x1p-20) { /* the difference to 1 has more bits than the power */
        const long double more = expm1l((long double)x);
        const double near = (double)(1 + more);
        return rounded(odd(near, (double)(more - ((long double)near - 1))), fcsr);
    }
    /* Of a double whose last digits are far from where it could be rounded to either side, they do
     * not matter; else 64 bits decide: all powers have been compared once. */
    const double near = exp(x < -200 ? -200 : x);
    if (x > -87 && ((bits_of(near) + 2) & 0xfffffff) > 4)
        return rounded(of_bits(bits_of(near) | 1), fcsr);
    const long double value = expl(x < -200 ? -200 : (long double)x);
    return rounded(odd((double)value, (double)(value - (double)value)), fcsr);
}
