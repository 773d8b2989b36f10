#include "functional/ventus/number.h"

static const struct {
    uint8_t exponent, mantissa; /* bits */
    int bias;
    bool infinite, nan; /* an exponent of ones is infinity and NaN; or all ones are NaN alone */
} formats[VENTUS_FORMATS] = {
    [VENTUS_F16] = {5, 10, 15, true, true},    [VENTUS_F32] = {8, 23, 127, true, true},
    [VENTUS_F64] = {11, 52, 1023, true, true}, [VENTUS_BF16] = {8, 7, 127, true, true},
    [VENTUS_E4M3] = {4, 3, 7, false, true},    [VENTUS_E5M2] = {5, 2, 15, true, true},
    [VENTUS_E3M2] = {3, 2, 3, false, false},   [VENTUS_E2M3] = {2, 3, 1, false, false},
    [VENTUS_E2M1] = {2, 1, 1, false, false},   [VENTUS_E3M0] = {3, 0, 3, false, false},
};

static const struct ventus_number quiet = {.kind = VENTUS_NAN};

static uint64_t ones(unsigned count)
{
    return (UINT64_C(1) << count) - 1;
}

/* Index of the highest bit that is 1; a != 0. */
static int top(ventus_wide a)
{
    const uint64_t high = (uint64_t)(a >> 64);
    return high ? 127 - __builtin_clzll(high) : 63 - __builtin_clzll((uint64_t)a);
}

struct ventus_number ventus_number(enum ventus_format format, uint64_t bits)
{
    const unsigned m = formats[format].mantissa, e = formats[format].exponent;
    const uint64_t mantissa = bits & ones(m), exponent = bits >> m & ones(e);
    struct ventus_number a = {.negative = bits >> (m + e) & 1};
    if (formats[format].infinite && exponent == ones(e)) {
        a.kind = mantissa ? VENTUS_NAN : VENTUS_INFINITE;
        a.signaling = mantissa && !(mantissa >> (m - 1) & 1);
        return a;
    }
    if (!formats[format].infinite && formats[format].nan && exponent == ones(e) &&
        mantissa == ones(m)) {
        a.kind = VENTUS_NAN;
        return a;
    }
    a.mantissa = exponent ? mantissa | UINT64_C(1) << m : mantissa;
    a.exponent = (int)(exponent ? exponent : 1) - formats[format].bias - (int)m;
    a.kind = a.mantissa ? VENTUS_FINITE : VENTUS_ZERO;
    return a;
}

/* --- rounding --------------------------------------------------------------------------------- */

static ventus_wide round_at(ventus_wide a, int cut, bool negative, uint8_t rounding, bool *inexact)
{
    *inexact = false;
    if (cut <= 0)
        return a << -cut;
    cut = cut > 127 ? 127 : cut;
    const ventus_wide half = (ventus_wide)1 << (cut - 1), rest = a & (2 * half - 1);
    const ventus_wide kept = a >> cut;
    *inexact = rest != 0;
    switch ((enum ventus_rounding)rounding) {
    case VENTUS_RNE:
        return kept + (rest > half || (rest == half && (kept & 1)));
    case VENTUS_RMM:
        return kept + (rest >= half);
    case VENTUS_RDN:
        return kept + (negative && rest);
    case VENTUS_RUP:
        return kept + (!negative && rest);
    case VENTUS_RTZ:
        break;
    }
    return kept;
}

uint64_t ventus_number_bits(enum ventus_format format, const struct ventus_number *a,
                            struct ventus_fcsr *fcsr)
{
    const unsigned m = formats[format].mantissa, e = formats[format].exponent;
    const uint64_t sign = (uint64_t)a->negative << (m + e), infinite = ones(e) << m;
    const uint8_t r = fcsr->rounding;
    if (a->kind == VENTUS_NAN)
        return infinite | UINT64_C(1) << (m - 1);
    if (a->kind == VENTUS_INFINITE || a->kind == VENTUS_ZERO)
        return sign | (a->kind == VENTUS_INFINITE ? infinite : 0);
    const int high = top(a->mantissa), least = 1 - formats[format].bias;
    const int exponent = a->exponent + high; /* the value is in [2^exponent, 2^(exponent + 1)) */
    const int cut = high - (int)m, below = exponent < least ? least - exponent : 0;
    bool inexact, unused;
    const ventus_wide kept = round_at(a->mantissa, cut + below, a->negative, r, &inexact);
    if (inexact)
        fcsr->flags |= VENTUS_NX;
    if (below && inexact) { /* tiny after rounding, had the exponent no bound */
        const ventus_wide full = round_at(a->mantissa, cut, a->negative, r, &unused);
        if (!(below == 1 && full >> (m + 1)))
            fcsr->flags |= VENTUS_UF;
    }
    if (below)
        return sign | (uint64_t)kept;
    const int64_t biased = exponent + formats[format].bias + (kept >> (m + 1) ? 1 : 0);
    if (biased < (int64_t)ones(e))
        return sign | (((uint64_t)(exponent + formats[format].bias - 1) << m) + (uint64_t)kept);
    fcsr->flags |= VENTUS_OF | VENTUS_NX;
    return sign | (r == VENTUS_RTZ || (r == VENTUS_RDN && !sign) || (r == VENTUS_RUP && sign)
                       ? infinite - 1
                       : infinite);
}

/* --- arithmetic ------------------------------------------------------------------------------- */

static struct ventus_number invalid(struct ventus_fcsr *fcsr)
{
    fcsr->flags |= VENTUS_NV;
    return quiet;
}

static bool either_nan(const struct ventus_number *a, const struct ventus_number *b,
                       struct ventus_fcsr *fcsr)
{
    if ((a->kind == VENTUS_NAN && a->signaling) || (b->kind == VENTUS_NAN && b->signaling))
        fcsr->flags |= VENTUS_NV;
    return a->kind == VENTUS_NAN || b->kind == VENTUS_NAN;
}

/* The same value with its highest bit at 124; what a shift to the right cuts off stays in the last
 * bit. */
static void normalize(struct ventus_number *a)
{
    const int shift = 124 - top(a->mantissa);
    a->mantissa <<= shift; /* no source has more bits than that */
    a->exponent -= shift;
}

static ventus_wide shifted(ventus_wide a, int right)
{
    if (right >= 127)
        return a != 0;
    return a >> right | ((a & (((ventus_wide)1 << right) - 1)) != 0);
}

struct ventus_number ventus_number_add(const struct ventus_number *a, const struct ventus_number *b,
                                       struct ventus_fcsr *fcsr)
{
    if (either_nan(a, b, fcsr))
        return quiet;
    if (a->kind == VENTUS_INFINITE)
        return b->kind == VENTUS_INFINITE && a->negative != b->negative ? invalid(fcsr) : *a;
    const struct ventus_number zero = {
        .negative = a->negative == b->negative ? a->negative : fcsr->rounding == VENTUS_RDN};
    if (a->kind == VENTUS_ZERO)
        return b->kind == VENTUS_ZERO ? zero : *b;
    if (b->kind == VENTUS_ZERO)
        return *a;
    if (b->kind == VENTUS_INFINITE)
        return *b;
    struct ventus_number x = *a, y = *b;
    normalize(&x);
    normalize(&y);
    if (y.exponent > x.exponent) {
        const struct ventus_number t = x;
        x = y;
        y = t;
    }
    y.mantissa = shifted(y.mantissa, x.exponent - y.exponent);
    if (x.negative == y.negative) {
        x.mantissa += y.mantissa;
        return x;
    }
    if (x.mantissa == y.mantissa)
        return zero;
    const bool swap = x.mantissa < y.mantissa;
    x.negative = swap ? y.negative : x.negative;
    x.mantissa = swap ? y.mantissa - x.mantissa : x.mantissa - y.mantissa;
    return x;
}

struct ventus_number ventus_number_mul(const struct ventus_number *a, const struct ventus_number *b,
                                       struct ventus_fcsr *fcsr)
{
    if (either_nan(a, b, fcsr))
        return quiet;
    struct ventus_number r = {.kind = VENTUS_ZERO, .negative = a->negative != b->negative};
    if (a->kind == VENTUS_INFINITE || b->kind == VENTUS_INFINITE) {
        if (a->kind == VENTUS_ZERO || b->kind == VENTUS_ZERO)
            return invalid(fcsr);
        r.kind = VENTUS_INFINITE;
    } else if (a->kind == VENTUS_FINITE && b->kind == VENTUS_FINITE) {
        r.kind = VENTUS_FINITE;
        r.exponent = a->exponent + b->exponent;
        r.mantissa = a->mantissa * b->mantissa; /* sources of at most 53 bits */
    }
    return r;
}

struct ventus_number ventus_number_div(const struct ventus_number *a, const struct ventus_number *b,
                                       struct ventus_fcsr *fcsr)
{
    if (either_nan(a, b, fcsr))
        return quiet;
    struct ventus_number r = {.kind = VENTUS_ZERO, .negative = a->negative != b->negative};
    if (a->kind == b->kind && a->kind != VENTUS_FINITE)
        return invalid(fcsr);
    if (a->kind == VENTUS_INFINITE || b->kind == VENTUS_ZERO) {
        fcsr->flags |= a->kind == VENTUS_FINITE ? VENTUS_DZ : 0;
        r.kind = VENTUS_INFINITE;
    } else if (a->kind == VENTUS_FINITE && b->kind == VENTUS_FINITE) {
        struct ventus_number x = *a;
        normalize(&x); /* the quotient has 71 bits or more */
        const ventus_wide quotient = x.mantissa / b->mantissa;
        r.kind = VENTUS_FINITE;
        r.exponent = x.exponent - b->exponent;
        r.mantissa = quotient | (quotient * b->mantissa != x.mantissa);
    }
    return r;
}

struct ventus_number ventus_number_sqrt(const struct ventus_number *a, struct ventus_fcsr *fcsr)
{
    if (either_nan(a, a, fcsr))
        return quiet;
    if (a->kind == VENTUS_ZERO || (a->kind == VENTUS_INFINITE && !a->negative))
        return *a;
    if (a->negative)
        return invalid(fcsr);
    struct ventus_number x = *a;
    normalize(&x);
    if (x.exponent & 1) {
        x.exponent--;
        x.mantissa <<= 1;
    }
    ventus_wide root = 0; /* digit by digit, 63 bits */
    for (int bit = 63; bit >= 0; bit--) {
        const ventus_wide next = root | (ventus_wide)1 << bit;
        if (next * next <= x.mantissa)
            root = next;
    }
    x.exponent /= 2;
    x.exponent -= 1; /* room for the last bit */
    x.mantissa = root << 1 | (root * root != x.mantissa);
    return x;
}

struct ventus_number ventus_number_fma(const struct ventus_number *a, const struct ventus_number *b,
                                       const struct ventus_number *c, struct ventus_fcsr *fcsr)
{
    const struct ventus_number product = ventus_number_mul(a, b, fcsr);
    return ventus_number_add(&product, c, fcsr);
}

/* --- comparisons ------------------------------------------------------------------------------ */

int ventus_number_compare(const struct ventus_number *a, const struct ventus_number *b)
{
    struct ventus_fcsr unsaid = {.rounding = VENTUS_RNE};
    struct ventus_number minus = *b;
    if (a->kind == VENTUS_NAN || b->kind == VENTUS_NAN)
        return 2;
    if (a->kind == VENTUS_INFINITE && b->kind == VENTUS_INFINITE)
        return (int)b->negative - (int)a->negative;
    minus.negative = !b->negative;
    const struct ventus_number d = ventus_number_add(a, &minus, &unsaid);
    return d.kind == VENTUS_ZERO ? 0 : d.negative ? -1 : 1;
}

struct ventus_number ventus_number_least(const struct ventus_number *a,
                                         const struct ventus_number *b, bool largest,
                                         struct ventus_fcsr *fcsr)
{
    either_nan(a, b, fcsr);
    if (a->kind == VENTUS_NAN)
        return b->kind == VENTUS_NAN ? quiet : *b;
    if (b->kind == VENTUS_NAN)
        return *a;
    const int order = ventus_number_compare(a, b);
    const bool below = order ? order < 0 : a->negative; /* -0 is below 0 */
    return below != largest ? *a : *b;
}
