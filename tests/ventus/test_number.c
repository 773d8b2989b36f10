/* Floats of every format against MPFR: values by their formula, operations rounded once, flags. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "functional/ventus/number.h"
#include "tests/often.h"
#include "tests/ventus/vkit.h"
#include "tests/ventus/ieee.h"

static const struct {
    enum ventus_format format;
    const struct ieee_format *oracle;
} wide[] = {{VENTUS_F16, &ieee_half}, {VENTUS_F32, &ieee_single}, {VENTUS_F64, &ieee_double}};

/* Words with exponents that meet, limits, infinities and NaN of both kinds. */
static uint64_t word_of(const struct ieee_format *f)
{
    const uint64_t r = vkit_random(), m = (UINT64_C(1) << f->mantissa) - 1;
    const unsigned bits = (unsigned)(f->mantissa + f->exponent);
    const uint64_t top = (UINT64_C(1) << f->exponent) - 1, sign = (r >> 63) << bits;
    const uint64_t near = (uint64_t)f->bias - 20 % (uint64_t)f->bias + (vkit_random() & 31);
    const uint64_t edges[] = {0,
                              1,
                              m,
                              m + 1,
                              top << f->mantissa,
                              (top << f->mantissa) - 1,
                              top << f->mantissa | 1,
                              top << f->mantissa | (m ^ m >> 1)};
    switch (r & 7) {
    case 0:
    case 1:
        return sign | edges[r >> 8 & 7];
    case 2:
        return sign | (r >> 8 & m);
    case 3:
    case 4:
        return sign | (near & top) << f->mantissa | (r >> 8 & m);
    case 5:
        return sign | (near & top) << f->mantissa | (m & ~(r >> 8 & 3));
    default:
        return (r >> 3) & (UINT64_MAX >> (63 - bits));
    }
}

static bool signals(const struct ieee_format *f, uint64_t word)
{
    const uint64_t m = (UINT64_C(1) << f->mantissa) - 1, e = (UINT64_C(1) << f->exponent) - 1;
    return (word >> f->mantissa & e) == e && (word & m) && !(word >> (f->mantissa - 1) & 1);
}

enum { ADD, MUL, DIV, SQRT, FMA, OPERATIONS };

/* A NaN that no source is makes the operation invalid; a quotient by zero is its own flag. */
static uint64_t want(unsigned op, const struct ieee_format *f, const uint64_t s[3], int mode,
                     unsigned *flags)
{
    mpfr_t a, b, c, r;
    const unsigned sources = op == SQRT ? 1 : op == FMA ? 3 : 2;
    int ternary = 0;
    mpfr_inits2(IEEE_BITS, a, b, c, r, (mpfr_ptr)0);
    mpfr_ptr const values[] = {a, b, c};
    bool nan = false, invalid = false;
    for (unsigned i = 0; i < sources; i++) {
        ieee_value(values[i], f, s[i]);
        nan |= mpfr_nan_p(values[i]) != 0;
        invalid |= signals(f, s[i]);
    }
    switch (op) {
    case ADD:
        mpfr_add(r, a, b, MPFR_RNDN);
        break;
    case MUL:
        mpfr_mul(r, a, b, MPFR_RNDN);
        break;
    case DIV:
        ternary = mpfr_div(r, a, b, MPFR_RNDN);
        break;
    case SQRT:
        ternary = mpfr_sqrt(r, a, MPFR_RNDN);
        break;
    default:
        mpfr_mul(r, a, b, MPFR_RNDN);
        invalid |= !mpfr_nan_p(a) && !mpfr_nan_p(b) && mpfr_nan_p(r);
        mpfr_add(r, r, c, MPFR_RNDN);
        break;
    }
    const bool addition = op == ADD || op == FMA;
    if (addition && mpfr_zero_p(r)) { /* an exact zero of unlike signs: negative when down */
        mpfr_ptr const last = op == ADD ? b : c;
        bool first = mpfr_signbit(a);
        first = op == FMA ? first != (mpfr_signbit(b) != 0) : first;
        const bool other = mpfr_signbit(last);
        mpfr_setsign(r, r, first == other ? first : mode == 2, MPFR_RNDN);
    }
    uint64_t word = ieee_round_near(r, ternary, f, mode, flags);
    invalid |= mpfr_nan_p(r) && !nan;
    *flags |= invalid ? VENTUS_NV : 0;
    if (op == DIV && mpfr_zero_p(b) && mpfr_regular_p(a))
        *flags |= VENTUS_DZ;
    mpfr_clears(a, b, c, r, (mpfr_ptr)0);
    return word;
}

static uint64_t own(unsigned op, enum ventus_format format, const uint64_t s[3],
                    struct ventus_fcsr *fcsr)
{
    const struct ventus_number a = ventus_number(format, s[0]), b = ventus_number(format, s[1]),
                               c = ventus_number(format, s[2]);
    const struct ventus_number r = op == ADD    ? ventus_number_add(&a, &b, fcsr)
                                   : op == MUL  ? ventus_number_mul(&a, &b, fcsr)
                                   : op == DIV  ? ventus_number_div(&a, &b, fcsr)
                                   : op == SQRT ? ventus_number_sqrt(&a, fcsr)
                                                : ventus_number_fma(&a, &b, &c, fcsr);
    return ventus_number_bits(format, &r, fcsr);
}

static void operations(void **state)
{
    (void)state;
    for (size_t i = 0; i < often(12000); i++) {
        const size_t k = i % 3;
        const struct ieee_format *f = wide[k].oracle;
        const uint64_t s[3] = {word_of(f), word_of(f), word_of(f)};
        const unsigned op = (unsigned)(i / 3 % OPERATIONS);
        const int mode = (int)(vkit_random() & 3);
        struct ventus_fcsr fcsr = {.rounding = (uint8_t)mode};
        unsigned flags;
        const uint64_t expected = want(op, f, s, mode, &flags),
                       got = own(op, wide[k].format, s, &fcsr);
        if (got != expected || fcsr.flags != flags)
            fail_msg("format %zu op %u mode %d of %llx %llx %llx: %llx flags %x, MPFR %llx %x", k,
                     op, mode, (unsigned long long)s[0], (unsigned long long)s[1],
                     (unsigned long long)s[2], (unsigned long long)got, fcsr.flags,
                     (unsigned long long)expected, flags);
    }
}

/* Ties go away from zero in the fifth mode, which MPFR's oracle does not have. */
static void ties(void **state)
{
    (void)state;
    /* 1 + 2^-11 is half way between two halves, 1 - 2^-12 as well. */
    const struct ventus_number one = ventus_number(VENTUS_F32, 0x3f800000),
                               up = ventus_number(VENTUS_F32, 0x3a000000),
                               down = ventus_number(VENTUS_F32, 0xb9800000);
    for (uint8_t mode = 0; mode <= VENTUS_RMM; mode++) {
        struct ventus_fcsr f = {.rounding = mode};
        const struct ventus_number above = ventus_number_add(&one, &up, &f),
                                   below = ventus_number_add(&one, &down, &f);
        const uint64_t high[] = {0x3c00, 0x3c00, 0x3c00, 0x3c01, 0x3c01};
        const uint64_t low[] = {0x3c00, 0x3bff, 0x3bff, 0x3c00, 0x3c00};
        assert_int_equal(ventus_number_bits(VENTUS_F16, &above, &f), high[mode]);
        assert_int_equal(ventus_number_bits(VENTUS_F16, &below, &f), low[mode]);
        assert_int_equal(f.flags, VENTUS_NX);
    }
}

/* Every word of the small formats by its formula; which of them are no numbers, by name. */
static void small_formats(void **state)
{
    (void)state;
    static const struct {
        enum ventus_format format;
        struct ieee_format f;
        uint64_t nan; /* without sign; 0: none */
    } rows[] = {
        {VENTUS_F16, {5, 10, 15, 1}, 0}, {VENTUS_BF16, {8, 7, 127, 1}, 0},
        {VENTUS_E5M2, {5, 2, 15, 1}, 0}, {VENTUS_E4M3, {4, 3, 7, 0}, 0x7f},
        {VENTUS_E3M2, {3, 2, 3, 0}, 0},  {VENTUS_E2M3, {2, 3, 1, 0}, 0},
        {VENTUS_E2M1, {2, 1, 1, 0}, 0},  {VENTUS_E3M0, {3, 0, 3, 0}, 0},
    };
    mpfr_t v;
    mpfr_init2(v, 64);
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        const unsigned bits = 1u + (unsigned)(rows[r].f.exponent + rows[r].f.mantissa);
        for (uint64_t word = 0; word < UINT64_C(1) << bits; word++) {
            const struct ventus_number a = ventus_number(rows[r].format, word);
            struct ventus_fcsr fcsr = {.rounding = VENTUS_RNE};
            const uint64_t magnitude = word & ((UINT64_C(1) << (bits - 1)) - 1);
            uint64_t single = ventus_number_bits(VENTUS_F32, &a, &fcsr), expected;
            unsigned flags;
            ieee_value(v, &rows[r].f, word);
            if (rows[r].nan && magnitude == rows[r].nan)
                mpfr_set_nan(v);
            expected = ieee_round(v, &ieee_single, 0, &flags);
            assert_int_equal(single, expected);
            assert_int_equal(fcsr.flags, 0); /* all of them are exact in single precision */
        }
    }
    mpfr_clear(v);
    /* Largest and smallest numbers, as the public format descriptions give them. */
    struct ventus_fcsr f = {.rounding = VENTUS_RNE};
    const struct {
        enum ventus_format format;
        uint64_t word;
        float value;
    } limits[] = {
        {VENTUS_E4M3, 0x7e, 448},      {VENTUS_E4M3, 0x01, 0x1p-9f}, {VENTUS_E5M2, 0x7b, 57344},
        {VENTUS_E5M2, 0x01, 0x1p-16f}, {VENTUS_E3M2, 0x1f, 28},      {VENTUS_E2M3, 0x1f, 7.5f},
        {VENTUS_E2M1, 0x07, 6},        {VENTUS_E2M1, 0x01, 0.5f},    {VENTUS_E3M0, 0x07, 16}};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        uint32_t single;
        memcpy(&single, &limits[i].value, 4);
        const struct ventus_number a = ventus_number(limits[i].format, limits[i].word);
        assert_int_equal(ventus_number_bits(VENTUS_F32, &a, &f), single);
    }
}

static void least_and_order(void **state)
{
    (void)state;
    const struct {
        uint64_t a, b, least, most;
        int order;
        uint8_t flags;
    } rows[] = {{0x8000, 0, 0x8000, 0, 0, 0},
                {0, 0x8000, 0x8000, 0, 0, 0},
                {0x3c00, 0xbc00, 0xbc00, 0x3c00, 1, 0},
                {0xfc00, 0x7c00, 0xfc00, 0x7c00, -1, 0},
                {0x7c00, 0x7c00, 0x7c00, 0x7c00, 0, 0},
                {0x7e00, 0x3c00, 0x3c00, 0x3c00, 2, 0},
                {0x3c00, 0x7c01, 0x3c00, 0x3c00, 2, 16},
                {0x7e00, 0x7e01, 0x7e00, 0x7e00, 2, 0},
                {0xfc00, 0xfbff, 0xfc00, 0xfbff, -1, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct ventus_number a = ventus_number(VENTUS_F16, rows[i].a),
                                   b = ventus_number(VENTUS_F16, rows[i].b);
        struct ventus_fcsr f = {.rounding = VENTUS_RNE};
        const struct ventus_number least = ventus_number_least(&a, &b, false, &f);
        assert_int_equal(f.flags, rows[i].flags);
        const struct ventus_number most = ventus_number_least(&a, &b, true, &f);
        assert_int_equal(ventus_number_bits(VENTUS_F16, &least, &f), rows[i].least);
        assert_int_equal(ventus_number_bits(VENTUS_F16, &most, &f), rows[i].most);
        assert_int_equal(ventus_number_compare(&a, &b), rows[i].order);
    }
}

/* vfexp against MPFR in every mode. */
static void exponentials(void **state)
{
    (void)state;
    mpfr_t x, r;
    mpfr_inits2(300, x, r, (mpfr_ptr)0);
    static const uint32_t edges[] = {
        0x42b17217, 0x42b17218, 0xc2aeac4f, 0xc2aeac50, 0xc2cff1b4,
        0xc2cff1b5, 0xc2ce8ed0, 0xc2ce8ed1, 0x00000001, 0x80000001,
        0x33000000, 0xb3000000, 0x33800000, 0x3f800000, 0xbf800000,
        0x43480000, 0xc3480000, 0x45000000, 0xc5000000, /* the hardest: */ 0x33ffffff,
        0x347ffffe, 0x34fffffc, 0x357ffff8, 0xb4800001, 0xb5000002};
    const size_t fixed = sizeof edges / sizeof *edges;
    for (size_t i = 0; i < often(60000) + 5 * fixed; i++) {
        const uint64_t random = vkit_random();
        uint32_t word = i < 5 * fixed ? edges[i / 5]
                                      : (uint32_t)(random >> 63) << 31 |
                                            (uint32_t)(100 + (random >> 40) % 36) << 23 |
                                            (uint32_t)(random & 0x7fffff);
        const int mode = (int)(i % 5 < 4 ? i % 5 : 0);
        struct ventus_fcsr fcsr = {.rounding = (uint8_t)mode};
        unsigned flags;
        ieee_value(x, &ieee_single, word);
        const int ternary = mpfr_exp(r, x, MPFR_RNDN);
        const uint32_t expected = (uint32_t)ieee_round_near(r, ternary, &ieee_single, mode, &flags);
        const uint32_t got = ventus_f32_exp(word, &fcsr);
        if (got != expected || fcsr.flags != flags)
            fail_msg("exp of %08x mode %d: %08x flags %x, MPFR %08x %x", word, mode, got,
                     fcsr.flags, expected, flags);
    }
    mpfr_clears(x, r, (mpfr_ptr)0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operations),    cmocka_unit_test(ties),
        cmocka_unit_test(small_formats), cmocka_unit_test(least_and_order),
        cmocka_unit_test(exponentials),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
