#include "tests/ventus/ieee.h"

#include <stdbool.h>

#include "functional/ventus/float32.h"

const struct ieee_format ieee_half = {5, 10, 15, 1}, ieee_single = {8, 23, 127, 1},
                         ieee_double = {11, 52, 1023, 1}, ieee_brain = {8, 7, 127, 1};

void ieee_value(mpfr_t to, const struct ieee_format *f, uint64_t word)
{
    const uint64_t mantissa = word & ((UINT64_C(1) << f->mantissa) - 1);
    const uint64_t top = (UINT64_C(1) << f->exponent) - 1, exponent = word >> f->mantissa & top;
    const bool negative = word >> (f->mantissa + f->exponent) & 1;
    if (f->infinite && exponent == top) {
        if (mantissa)
            mpfr_set_nan(to);
        else
            mpfr_set_inf(to, negative ? -1 : 1);
        return;
    }
    /* (implicit one + mantissa / 2^bits) * 2^(exponent - bias) */
    const uint64_t whole = exponent ? (UINT64_C(1) << f->mantissa) + mantissa : mantissa;
    mpfr_set_ui(to, whole, MPFR_RNDN);
    mpfr_mul_2si(to, to, (long)(exponent ? exponent : 1) - f->bias - f->mantissa, MPFR_RNDN);
    mpfr_setsign(to, to, negative, MPFR_RNDN);
}

/* Neighbours in steps of `unit` below and above: the mode chooses. *inexact: it is neither. */
static void choose(mpfr_t to, mpfr_srcptr exact, int ternary, long unit, int mode, bool *inexact)
{
    mpfr_t scaled, low;
    mpfr_inits2(IEEE_BITS + 64, scaled, low, (mpfr_ptr)0);
    mpfr_div_2si(scaled, exact, unit, MPFR_RNDN);
    mpfr_floor(low, scaled);
    mpfr_sub(scaled, scaled, low, MPFR_RNDN); /* rest in [0, 1) */
    int half = mpfr_cmp_d(scaled, 0.5), some = mpfr_sgn(scaled);
    if (ternary) { /* the true value is less (ternary > 0) or more */
        if (!some && ternary > 0) {
            mpfr_sub_ui(low, low, 1, MPFR_RNDN);
            half = 1;
        } else if (!half) {
            half = ternary > 0 ? -1 : 1;
        } else if (!some) {
            half = -1;
        }
        some = 1;
    }
    mpfr_div_ui(scaled, low, 2, MPFR_RNDN);
    const bool negative = mpfr_signbit(exact), odd = !mpfr_integer_p(scaled);
    bool up = false;
    switch (mode) {
    case 0:
        up = half > 0 || (half == 0 && odd);
        break;
    case 1:
        up = negative && some;
        break;
    case 2:
        break;
    default:
        up = some;
        break;
    }
    *inexact = some;
    mpfr_add_ui(low, low, up, MPFR_RNDN);
    mpfr_mul_2si(to, low, unit, MPFR_RNDN);
    mpfr_setsign(to, to, negative, MPFR_RNDN);
    mpfr_clears(scaled, low, (mpfr_ptr)0);
}

uint64_t ieee_round_near(mpfr_srcptr exact, int ternary, const struct ieee_format *f, int mode,
                         unsigned *flags)
{
    const bool negative = mpfr_signbit(exact);
    const uint64_t sign = (uint64_t)negative << (f->mantissa + f->exponent);
    const uint64_t infinity = ((UINT64_C(1) << f->exponent) - 1) << f->mantissa;
    bool inexact, unused;
    *flags = 0;
    if (mpfr_nan_p(exact))
        return infinity | UINT64_C(1) << (f->mantissa - 1);
    if (mpfr_inf_p(exact))
        return sign | infinity;
    if (mpfr_zero_p(exact))
        return sign;
    mpfr_t r, free;
    mpfr_inits2(IEEE_BITS + 64, r, free, (mpfr_ptr)0);
    const long least = 1 - f->bias, exponent = mpfr_get_exp(exact) - 1;
    choose(r, exact, ternary, (exponent < least ? least : exponent) - f->mantissa, mode, &inexact);
    choose(free, exact, ternary, exponent - f->mantissa, mode, &unused);
    *flags |= inexact ? VENTUS_NX : 0;
    if (inexact && (mpfr_zero_p(free) || mpfr_get_exp(free) - 1 < least))
        *flags |= VENTUS_UF;
    uint64_t word;
    if (mpfr_zero_p(r)) {
        word = sign;
    } else if (mpfr_get_exp(r) - 1 > f->bias) {
        *flags |= VENTUS_OF | VENTUS_NX;
        const bool finite = mode == 1 || (mode == 2 && !negative) || (mode == 3 && negative);
        word = sign | (finite ? infinity - 1 : infinity);
    } else {
        const long e = mpfr_get_exp(r) - 1 < least ? least : mpfr_get_exp(r) - 1;
        mpfr_mul_2si(r, r, f->mantissa - e, MPFR_RNDN);
        mpfr_abs(r, r, MPFR_RNDN);
        word = mpfr_get_ui(r, MPFR_RNDN); /* the implicit one adds 1 to the exponent's field */
        word = sign | (((uint64_t)(e + f->bias - 1) << f->mantissa) + word);
    }
    mpfr_clears(r, free, (mpfr_ptr)0);
    return word;
}

uint64_t ieee_round(mpfr_srcptr exact, const struct ieee_format *f, int mode, unsigned *flags)
{
    return ieee_round_near(exact, 0, f, mode, flags);
}
