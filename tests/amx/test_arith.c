/* Arithmetic of AMX against MPFR: one rounding, denormals kept, default NaN. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#define MPFR_USE_INTMAX_T
#include <mpfr.h>

#include "functional/amx/arith.h"
#include "tests/dice.h"

static struct dice dice = {1};

static uint64_t next(void)
{
    return dice_next(&dice);
}

/* Random bits, with a liking for ends: zeros, denormals, all ones, infinities, near exponents. */
static uint64_t extreme(const struct amx_format_info *f)
{
    const uint64_t fraction_mask = (UINT64_C(1) << f->fraction) - 1;
    const uint64_t exponent_mask = (UINT64_C(1) << f->exponent) - 1;
    uint64_t fraction = next() & fraction_mask, exponent = next() & exponent_mask;
    const uint64_t choice = next();
    switch (choice & 7) {
    case 0:
        fraction = 0;
        break;
    case 1:
        fraction = fraction_mask;
        break;
    case 2:
        fraction &= ~(fraction_mask >> (choice >> 8) % f->fraction);
        break;
    case 3:
        fraction = UINT64_C(1) << (choice >> 8) % f->fraction;
        break;
    default:
        break;
    }
    switch (choice >> 4 & 7) {
    case 0:
        exponent = 0;
        break;
    case 1:
        exponent = exponent_mask;
        break;
    case 2:
        exponent = exponent_mask - 1;
        break;
    case 3:
    case 4:
    case 5:
        exponent = exponent_mask / 2 + (choice >> 20) % 8 - 4;
        break;
    default:
        break;
    }
    return (choice >> 63) << (f->bits - 1) | exponent << f->fraction | fraction;
}

static bool is_nan(const struct amx_format_info *f, uint64_t v)
{
    const uint64_t infinity = ((UINT64_C(1) << f->exponent) - 1) << f->fraction;
    return (v & ((UINT64_C(1) << (f->bits - 1)) - 1)) > infinity;
}

/* Exactly the value of a pattern that is no NaN. */
static void to_mpfr(mpfr_t to, const struct amx_format_info *f, uint64_t v)
{
    const int bias = (1 << (f->exponent - 1)) - 1;
    const uint64_t fraction = v & ((UINT64_C(1) << f->fraction) - 1);
    const int exponent = (int)(v >> f->fraction & ((UINT64_C(1) << f->exponent) - 1));
    const bool negative = v >> (f->bits - 1) & 1;
    if (exponent == (1 << f->exponent) - 1) {
        mpfr_set_inf(to, negative ? -1 : 1);
        return;
    }
    mpfr_set_uj(to, exponent ? fraction | UINT64_C(1) << f->fraction : fraction, MPFR_RNDN);
    mpfr_mul_2si(to, to, (exponent ? exponent : 1) - bias - (long)f->fraction, MPFR_RNDN);
    mpfr_setsign(to, to, negative, MPFR_RNDN);
}

/* MPFR's own rounding with the format's precision and exponent range, denormals included. */
static uint64_t oracle(const struct amx_format_info *f, uint64_t x, uint64_t y, uint64_t z,
                       bool subtract)
{
    if (is_nan(f, x) || is_nan(f, y) || is_nan(f, z))
        return f->default_nan;
    const int bias = (1 << (f->exponent - 1)) - 1;
    const mpfr_exp_t old_min = mpfr_get_emin(), old_max = mpfr_get_emax();
    mpfr_t a, b, c, r;
    mpfr_inits2(60, a, b, c, (mpfr_ptr)0);
    mpfr_init2(r, (mpfr_prec_t)f->fraction + 1);
    to_mpfr(a, f, x);
    to_mpfr(b, f, y);
    to_mpfr(c, f, z);
    if (subtract)
        mpfr_neg(a, a, MPFR_RNDN);
    mpfr_set_emin(1 - bias - (long)f->fraction + 1);
    mpfr_set_emax(bias + 1);
    int ternary = mpfr_fma(r, a, b, c, MPFR_RNDN);
    ternary = mpfr_subnormalize(r, ternary, MPFR_RNDN);
    (void)ternary;
    uint64_t result;
    const uint64_t sign = (uint64_t)(mpfr_signbit(r) != 0) << (f->bits - 1);
    if (mpfr_nan_p(r)) {
        result = f->default_nan;
    } else if (mpfr_inf_p(r)) {
        result = sign | ((UINT64_C(1) << f->exponent) - 1) << f->fraction;
    } else if (mpfr_zero_p(r)) {
        result = sign;
    } else {
        mpfr_abs(r, r, MPFR_RNDN);
        const long top = mpfr_get_exp(r) - 1; /* r = 1.xxx * 2^top */
        const long scale = (top < 1 - bias ? 1 - bias : top) - (long)f->fraction;
        mpfr_mul_2si(r, r, -scale, MPFR_RNDN);
        mpfr_set_emin(old_min);
        mpfr_set_emax(old_max);
        const uint64_t significand = (uint64_t)mpfr_get_uj(r, MPFR_RNDN);
        result = top < 1 - bias
                     ? sign | significand
                     : sign | (significand + ((uint64_t)(top + bias - 1) << f->fraction));
    }
    mpfr_set_emin(old_min);
    mpfr_set_emax(old_max);
    mpfr_clears(a, b, c, r, (mpfr_ptr)0);
    return result;
}

static void check(enum amx_format format, uint64_t x, uint64_t y, uint64_t z, bool subtract)
{
    const struct amx_format_info *f = &amx_format[format];
    const uint64_t expected = oracle(f, x, y, z, subtract);
    uint64_t got = amx_fma(format, x, y, z, subtract);
    if (got == expected && format == AMX_FORMAT_F32)
        got = amx_fma32((uint32_t)x, (uint32_t)y, (uint32_t)z, subtract);
    if (got == expected && f->bits == 16)
        got = amx_fma16(format, amx_double16(format, (uint16_t)(x ^ (subtract ? 0x8000 : 0))),
                        amx_double16(format, (uint16_t)y), amx_double16(format, (uint16_t)z));
    if (got == expected && format == AMX_FORMAT_F64)
        got = amx_fma64(x, y, z, subtract);
    if (got != expected)
        fail_msg("%s: %llx %c %llx * %llx is %llx, not %llx", f->name, (unsigned long long)z,
                 subtract ? '-' : '+', (unsigned long long)x, (unsigned long long)y,
                 (unsigned long long)expected, (unsigned long long)got);
}

static void fma_rounds_once(void **state)
{
    (void)state;
    for (unsigned format = 0; format < 4; format++)
        for (unsigned i = 0; i < 200000; i++) {
            const struct amx_format_info *f = &amx_format[format];
            const uint64_t x = extreme(f), y = extreme(f);
            uint64_t z = extreme(f);
            if (i % 4 == 0) /* near the product: cancellation, and ties */
                z = amx_fma((enum amx_format)format, x, y, 0, i % 8 == 0) ^ (next() & 3);
            check((enum amx_format)format, x, y, z, next() & 1);
        }
}

/* f16 to f32 is exact for every pattern; NaN becomes the default. */
static void widening_is_exact(void **state)
{
    (void)state;
    for (unsigned v = 0; v < 65536; v++)
        for (unsigned k = 0; k < 2; k++) {
            const enum amx_format format = k ? AMX_FORMAT_BF16 : AMX_FORMAT_F16;
            const struct amx_format_info *f = &amx_format[format];
            const uint32_t bits = amx_widen(format, (uint16_t)v);
            if (is_nan(f, v)) {
                assert_int_equal(bits, 0x7fc00000);
                continue;
            }
            mpfr_t expected;
            mpfr_init2(expected, 60);
            to_mpfr(expected, f, v);
            float value;
            memcpy(&value, &bits, sizeof value);
            assert_int_equal(mpfr_cmp_d(expected, (double)value), 0);
            assert_int_equal(bits >> 31, v >> 15);
            mpfr_clear(expected);
        }
}

static void not_positive_is_false_for_nan(void **state)
{
    (void)state;
    assert_true(amx_not_positive(AMX_FORMAT_F16, 0));
    assert_true(amx_not_positive(AMX_FORMAT_F16, 0x8000));
    assert_true(amx_not_positive(AMX_FORMAT_F16, 0x8001));
    assert_true(amx_not_positive(AMX_FORMAT_F16, 0xfc00));
    assert_false(amx_not_positive(AMX_FORMAT_F16, 0xfc01));
    assert_false(amx_not_positive(AMX_FORMAT_F16, 0x7e00));
    assert_false(amx_not_positive(AMX_FORMAT_F16, 1));
    assert_true(amx_not_positive(AMX_FORMAT_F64, UINT64_C(0xfff0000000000000)));
    assert_false(amx_not_positive(AMX_FORMAT_F64, UINT64_C(0xfff0000000000001)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fma_rounds_once),
        cmocka_unit_test(widening_is_exact),
        cmocka_unit_test(not_positive_is_false_for_nan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
