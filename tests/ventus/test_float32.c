/* Single precision against the host's own arithmetic, mode by mode, with flags. */
#include <fenv.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "functional/ventus/float32.h"
#include "tests/often.h"

static float number(uint32_t a)
{
    float x;
    memcpy(&x, &a, sizeof x);
    return x;
}

static uint32_t word(float a)
{
    uint32_t x;
    memcpy(&x, &a, sizeof x);
    return (x & 0x7fffffff) > 0x7f800000 ? VENTUS_F32_NAN : x;
}

static uint64_t seed = 88172645463325252u;

static uint32_t draw(void)
{
    static const uint32_t special[] = {0,          0x80000000, 0x7f800000, 0xff800000,
                                       0x7fc00000, 0x7f800001, 1,          0x7f7fffff};
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    const uint32_t r = (uint32_t)(seed >> 16);
    switch (seed >> 61) {
    case 0:
        return special[seed >> 50 & 7];
    case 1:
    case 2:
        return (r & 0x807fffff) | (110 + (uint32_t)(seed >> 40 & 31)) << 23;
    case 3:
        return r & 0x80ffffff;
    default:
        return r;
    }
}

static int flags_of(int raised)
{
    return (raised & FE_INEXACT ? VENTUS_NX : 0) | (raised & FE_UNDERFLOW ? VENTUS_UF : 0) |
           (raised & FE_OVERFLOW ? VENTUS_OF : 0) | (raised & FE_DIVBYZERO ? VENTUS_DZ : 0) |
           (raised & FE_INVALID ? VENTUS_NV : 0);
}

/* The host's result, with its flags. */
static uint32_t host(unsigned op, int mode, const uint32_t s[3], int *flags)
{
    volatile float a = number(s[0]), b = number(s[1]), c = number(s[2]), r;
    fesetround(mode);
    feclearexcept(FE_ALL_EXCEPT);
    switch (op) {
    case 0:
        r = a + b;
        break;
    case 1:
        r = a * b;
        break;
    case 2:
        r = a / b;
        break;
    case 3:
        r = sqrtf(a);
        break;
    default:
        r = fmaf(a, b, c);
        break;
    }
    *flags = flags_of(fetestexcept(FE_ALL_EXCEPT));
    fesetround(FE_TONEAREST);
    return word(r);
}

static uint32_t own(unsigned op, const uint32_t s[3], struct ventus_fcsr *fcsr)
{
    switch (op) {
    case 0:
        return ventus_f32_add(s[0], s[1], fcsr);
    case 1:
        return ventus_f32_mul(s[0], s[1], fcsr);
    case 2:
        return ventus_f32_div(s[0], s[1], fcsr);
    case 3:
        return ventus_f32_sqrt(s[0], fcsr);
    default:
        return ventus_f32_fma(s[0], s[1], s[2], fcsr);
    }
}

static void like_the_host(void **state)
{
    (void)state;
    static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
    const size_t rounds = often(300000);
    for (size_t i = 0; i < rounds; i++) {
        const uint32_t s[3] = {draw(), draw(), draw()};
        const unsigned mode = i & 3, op = (unsigned)(i >> 2) % 5;
        struct ventus_fcsr fcsr = {.rounding = (uint8_t)mode};
        int flags;
        const uint32_t want = host(op, modes[mode], s, &flags), got = own(op, s, &fcsr);
        /* Infinity times zero is invalid whatever is added: hosts differ when that is a NaN. */
        const bool nan = op == 4 && want == VENTUS_F32_NAN;
        if (got != want || (fcsr.flags != flags && !nan))
            fail_msg("op %u mode %u of %08x %08x %08x: %08x flags %x, the host %08x %x", op, mode,
                     s[0], s[1], s[2], got, fcsr.flags, want, (unsigned)flags);
    }
}

/* Ties go away from zero: the products of two floats are exact in double precision. */
static void away(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 100000; i++) {
        const uint32_t a = (draw() & 0x807fffff) | 127u << 23;
        const uint32_t b = (draw() & 0x007fffff) | 127u << 23;
        struct ventus_fcsr fcsr = {.rounding = VENTUS_RMM};
        const double exact = (double)number(a) * (double)number(b), size = fabs(exact);
        int exponent;
        frexp(size, &exponent);
        const double unit = ldexp(1, exponent - 24), rounded = floor(size / unit + 0.5) * unit;
        const float want = (float)(exact < 0 ? -rounded : rounded);
        assert_int_equal(ventus_f32_mul(a, b, &fcsr), word(want));
    }
}

static void integers(void **state)
{
    (void)state;
    struct ventus_fcsr f = {.rounding = VENTUS_RNE};
    assert_int_equal(ventus_f32_to_int(word(2.5f), true, &f), 2);
    assert_int_equal(f.flags, VENTUS_NX);
    assert_int_equal(ventus_f32_to_int(word(3.5f), true, &f), 4);
    assert_int_equal(ventus_f32_to_int(word(-2147483648.0f), true, &f), 0x80000000);
    f.flags = 0;
    assert_int_equal(ventus_f32_to_int(word(2147483648.0f), true, &f), 0x7fffffff);
    assert_int_equal(f.flags, VENTUS_NV);
    assert_int_equal(ventus_f32_to_int(word(-0.25f), false, &f), 0);
    assert_int_equal(ventus_f32_to_int(word(-1), false, &f), 0);
    assert_int_equal(ventus_f32_to_int(VENTUS_F32_NAN, true, &f), 0x7fffffff);
    assert_int_equal(ventus_f32_to_int(VENTUS_F32_NAN, false, &f), 0xffffffff);
    assert_int_equal(ventus_f32_to_int(0xff800000, false, &f), 0);
    assert_int_equal(ventus_f32_of_int(16777217, true, &f), word(16777216));
    assert_int_equal(ventus_f32_of_int(0xffffffff, false, &f), word(4294967296.0f));
    assert_int_equal(ventus_f32_of_int(0xffffffff, true, &f), word(-1));
}

/* RVV 1.0, sections 13.9 and 13.10: ends of the tables and their examples. */
static void estimates(void **state)
{
    (void)state;
    struct ventus_fcsr f = {.rounding = VENTUS_RNE};
    assert_int_equal(ventus_f32_rec7(word(1.0f), &f), 0x3f7f0000);
    assert_int_equal(ventus_f32_rsqrt7(word(1.0f), &f), 0x3f7f0000);
    assert_int_equal(ventus_f32_rec7(0x00718abc, &f), 0x7e900000);
    assert_int_equal(ventus_f32_rec7(0x7f765432, &f), 0x00214000);
    assert_int_equal(ventus_f32_rsqrt7(0x00718abc, &f), 0x5f080000);
    assert_int_equal(ventus_f32_rsqrt7(0x7f765432, &f), 0x1f820000);
    for (unsigned i = 0; i < 20000; i++) {
        const uint32_t a = (draw() & 0x007fffff) | (64 + i % 128) << 23;
        const double x = (double)number(a);
        assert_true(fabs((double)number(ventus_f32_rec7(a, &f)) * x - 1) < 1.0 / 128);
        assert_true(fabs((double)number(ventus_f32_rsqrt7(a, &f)) * sqrt(x) - 1) < 1.0 / 128);
        const double e = exp(x);
        if (e < 3e38)
            assert_true(fabs((double)number(ventus_f32_exp(a, &f)) / e - 1) < 6.1e-8);
    }
}

static void compare(void **state)
{
    (void)state;
    struct ventus_fcsr f = {.rounding = VENTUS_RNE};
    assert_int_equal(ventus_f32_min(0, 0x80000000, &f), 0x80000000);
    assert_int_equal(ventus_f32_max(0, 0x80000000, &f), 0);
    assert_int_equal(ventus_f32_min(VENTUS_F32_NAN, word(2), &f), word(2));
    assert_int_equal(f.flags, 0);
    assert_int_equal(ventus_f32_min(0x7f800001, word(2), &f), word(2));
    assert_int_equal(f.flags, VENTUS_NV);
    f.flags = 0;
    assert_false(ventus_f32_eq(VENTUS_F32_NAN, 0, &f));
    assert_int_equal(f.flags, 0);
    assert_false(ventus_f32_lt(VENTUS_F32_NAN, 0, &f));
    assert_int_equal(f.flags, VENTUS_NV);
    assert_true(ventus_f32_le(0x80000000, 0, &f));
    assert_int_equal(ventus_f32_class(0x7f800001), 1 << 8);
    assert_int_equal(ventus_f32_class(1), 1 << 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(like_the_host), cmocka_unit_test(away),    cmocka_unit_test(integers),
        cmocka_unit_test(estimates),     cmocka_unit_test(compare),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
