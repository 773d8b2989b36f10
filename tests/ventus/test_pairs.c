/*
 * Vector instructions behind a prefix with `pair`, ABS or NEG: integers of 64 bits against GMP,
 * doubles against the host's.
 */
#include <fenv.h>
#include <gmp.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/often.h"
#include "tests/ventus/vkit.h"
#include "tests/ventus/wide.h"

static uint32_t prefix(unsigned pair, unsigned abs, unsigned neg, uint32_t imm)
{
    return imm << 20 | neg << 17 | 1u << 12 | abs << 8 | pair << 11 | 0x0b;
}

static double real(uint64_t word)
{
    double d;
    memcpy(&d, &word, 8);
    return d;
}

static uint64_t bits(double d)
{
    uint64_t word;
    memcpy(&word, &d, 8);
    return (word & ~(UINT64_C(1) << 63)) > UINT64_C(0x7ff0000000000000)
               ? UINT64_C(0x7ff8000000000000)
               : word;
}

/* funct6 of products, beside those of sums. */
#define PRODUCT 64u

/* Of funct6 that are comparisons, one bit. */
static bool is_truth(unsigned key)
{
    return key >= 0x18 && key <= 0x1f;
}

static uint64_t pair_integer(unsigned key, uint64_t a, uint64_t b, uint64_t d)
{
    static const unsigned of_unsigned[] = {0x04, 0x06,           0x1a,           0x1c,
                                           0x1e, PRODUCT | 0x20, PRODUCT | 0x22, PRODUCT | 0x24};
    bool plain = false;
    for (size_t i = 0; i < sizeof of_unsigned / sizeof *of_unsigned; i++)
        plain |= of_unsigned[i] == key;
    mpz_t x, y, z;
    mpz_inits(x, y, z, NULL);
    wide_set(x, a, 2, !plain);
    wide_set(y, b, 2, !plain && key != (PRODUCT | 0x26));
    wide_set(z, d, 2, true);
    const int order = mpz_cmp(x, y);
    switch (key) {
    case 0x00:
        mpz_add(x, x, y);
        break;
    case 0x02:
        mpz_sub(x, x, y);
        break;
    case 0x03:
        mpz_sub(x, y, x);
        break;
    case 0x17: /* vmv */
        mpz_set(x, y);
        break;
    case 0x18:
    case 0x19:
        mpz_set_ui(x, (order == 0) != (key == 0x19));
        break;
    case 0x1a:
    case 0x1b:
        mpz_set_ui(x, order < 0);
        break;
    case 0x1c:
    case 0x1d:
        mpz_set_ui(x, order <= 0);
        break;
    case 0x1e:
    case 0x1f:
        mpz_set_ui(x, order > 0);
        break;
    case 0x04:
    case 0x05:
        mpz_set(x, order < 0 ? x : y);
        break;
    case 0x06:
    case 0x07:
        mpz_set(x, order > 0 ? x : y);
        break;
    case 0x09:
        mpz_and(x, x, y);
        break;
    case 0x0a:
        mpz_ior(x, x, y);
        break;
    case 0x0b:
        mpz_xor(x, x, y);
        break;
    case 0x25:
        mpz_mul_2exp(x, x, b & 63);
        break;
    case 0x28:
        mpz_set_ui(x, a);
        mpz_fdiv_q_2exp(x, x, b & 63);
        break;
    case 0x29:
        mpz_fdiv_q_2exp(x, x, b & 63);
        break;
    case PRODUCT | 0x20:
    case PRODUCT | 0x21:
        if (mpz_sgn(y))
            mpz_tdiv_q(x, x, y);
        else
            mpz_set_si(x, -1);
        break;
    case PRODUCT | 0x22:
    case PRODUCT | 0x23:
        if (mpz_sgn(y))
            mpz_tdiv_r(x, x, y);
        break;
    case PRODUCT | 0x25:
        mpz_mul(x, x, y);
        break;
    case PRODUCT | 0x24:
    case PRODUCT | 0x26:
    case PRODUCT | 0x27:
        mpz_mul(x, x, y);
        mpz_fdiv_q_2exp(x, x, 64);
        break;
    case PRODUCT | 0x29: /* vmadd: vs1 * vd + vs2 */
        mpz_mul(y, y, z);
        mpz_add(x, x, y);
        break;
    case PRODUCT | 0x2b:
        mpz_mul(y, y, z);
        mpz_sub(x, x, y);
        break;
    case PRODUCT | 0x2d: /* vmacc: vs1 * vs2 + vd */
        mpz_mul(x, x, y);
        mpz_add(x, x, z);
        break;
    default:
        mpz_mul(x, x, y);
        mpz_sub(x, z, x);
        break;
    }
    wide_wrap(x, 64, false);
    const uint64_t result = mpz_get_ui(x);
    mpz_clears(x, y, z, NULL);
    return result;
}

/* An instruction: vs1 is x6 where f3 says so, or an immediate; vd is 8. */
struct pair {
    unsigned f6, f3, vs2, vs1;
    int rounding;
};

/* It behind `pair`: random words into s (vs2, the other source, vd), and the result. */
static uint64_t step_pair(const struct pair *p, uint64_t s[3])
{
    const unsigned f6 = p->f6, f3 = p->f3, vs1 = p->vs1;
    const bool is_float = f3 == 1 || f3 == 5, truth = f3 % 4 != 2 && is_truth(f6);
    const uint32_t words[] = {prefix(1, 0, 0, 0), vkit_opv(f6, f3, 1, p->vs2, vs1, 8)};
    vkit_make(words, 2);
    struct ventus_warp *w = &vkit.warps[0];
    w->fcsr.rounding = (uint8_t)p->rounding;
    w->active = 1;
    for (uint32_t k = 0; k < 3; k++) {
        const uint32_t low = vkit_draw(), high = is_float ? wide_float(2) : vkit_draw();
        w->v[4 + 2 * k][0] = low;
        w->v[5 + 2 * k][0] = high;
        s[k] = (uint64_t)high << 32 | low;
    }
    if (f3 >= 4) {
        w->x[6] = w->v[6][0];
        w->x[7] = w->v[7][0];
        w->v[6][0] = w->v[7][0] = 0xdeadbeef;
    } else if (f3 == 3) {
        const bool shift = f6 == 0x25 || f6 == 0x28 || f6 == 0x29; /* of unsigned immediates */
        s[1] = (uint64_t)(int64_t)(vs1 & 16 && !shift ? (int)vs1 - 32 : (int)vs1);
    }
    if (is_float && (vkit_random() & 7) == 0 && f3 != 5) { /* equal, and zeros of either sign */
        s[1] = vkit_random() & 1 ? s[0] : s[0] ^ UINT64_C(1) << 63;
        w->v[6][0] = (uint32_t)s[1];
        w->v[7][0] = (uint32_t)(s[1] >> 32);
    }
    const uint32_t kept = w->v[9][0];
    assert_int_equal(vkit_step(), 0);
    if (vkit_step() != 0)
        fail_msg("%x %u: %s", f6, f3, vkit.exec.error);
    if (truth)
        assert_int_equal(w->v[9][0], kept);
    return truth ? w->v[8][0] : (uint64_t)w->v[9][0] << 32 | w->v[8][0];
}

static void pairs_of_integers(void **state)
{
    (void)state;
    /* Forms with a vector, an immediate and a scalar: bits 0, 1 and 2. */
    static const struct {
        unsigned key, forms;
    } rows[] = {{0x00, 7},           {0x02, 5},           {0x03, 6},           {0x04, 5},
                {0x05, 5},           {0x06, 5},           {0x07, 5},           {0x09, 7},
                {0x0a, 7},           {0x0b, 7},           {0x17, 7},           {0x18, 7},
                {0x19, 7},           {0x1a, 5},           {0x1b, 5},           {0x1c, 7},
                {0x1d, 7},           {0x1e, 6},           {0x1f, 6},           {0x25, 7},
                {0x28, 7},           {0x29, 7},           {PRODUCT | 0x20, 5}, {PRODUCT | 0x21, 5},
                {PRODUCT | 0x22, 5}, {PRODUCT | 0x23, 5}, {PRODUCT | 0x24, 5}, {PRODUCT | 0x25, 5},
                {PRODUCT | 0x26, 5}, {PRODUCT | 0x27, 5}, {PRODUCT | 0x29, 5}, {PRODUCT | 0x2b, 5},
                {PRODUCT | 0x2d, 5}, {PRODUCT | 0x2f, 5}};
    static const unsigned form[] = {0, 3, 4};
    const size_t count = sizeof rows / sizeof *rows;
    for (size_t n = 0; n < often(6000); n++) {
        const unsigned key = rows[n % count].key, which = (unsigned)(n / count % 3);
        const bool product = key & PRODUCT;
        const unsigned f3 = product ? (which == 2 ? 6 : 2) : form[which];
        if (!(rows[n % count].forms >> which & 1))
            continue;
        const unsigned vs1 = f3 == 3 ? (unsigned)(vkit_random() & 31) : 6;
        uint64_t s[3];
        const struct pair p = {key & 63, f3, key == 0x17 ? 0 : 4, vs1, 0};
        const uint64_t got = step_pair(&p, s);
        const uint64_t want = pair_integer(key, s[0], s[1], s[2]);
        if (got != want)
            fail_msg("%x %u of %llx %llx %llx: %llx, not %llx", key, f3, (unsigned long long)s[0],
                     (unsigned long long)s[1], (unsigned long long)s[2], (unsigned long long)got,
                     (unsigned long long)want);
    }
}

/* The lane's bit of v0 chooses; no lane is left out. */
static void pairs_merged(void **state)
{
    (void)state;
    for (unsigned f3 = 0; f3 < 6; f3 += f3 == 0 ? 3 : 1) {
        const uint32_t words[] = {prefix(1, 0, 0, 0), vkit_opv(0x17, f3, 0, 4, 6, 8)};
        vkit_make(words, 2);
        struct ventus_warp *w = &vkit.warps[0];
        const uint64_t other = f3 == 3   ? 6
                               : f3 == 0 ? UINT64_C(0x500000004)
                                         : UINT64_C(0x700000006);
        for (uint32_t i = 0; i < 8; i++) {
            w->v[0][i] = i & 1;
            w->v[4][i] = 0x10 + i;
            w->v[5][i] = 0x20 + i;
            w->v[6][i] = 4;
            w->v[7][i] = 5;
        }
        w->x[6] = 6;
        w->x[7] = 7;
        assert_int_equal(vkit_step(), 0);
        assert_int_equal(vkit_step(), 0);
        for (uint32_t i = 0; i < 8; i++) {
            assert_int_equal(w->v[8][i], i & 1 ? (uint32_t)other : 0x10 + i);
            assert_int_equal(w->v[9][i], i & 1 ? (uint32_t)(other >> 32) : 0x20 + i);
        }
    }
}

/* *flags: invalid and division by zero. */
static uint64_t pair_float(unsigned f6, uint64_t a, uint64_t b, uint64_t d, int mode,
                           unsigned *flags)
{
    static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
    volatile double x = real(a), y = real(b), z = real(d), r;
    fesetround(modes[mode]);
    feclearexcept(FE_ALL_EXCEPT);
    switch (f6) {
    case 0x00:
        r = x + y;
        break;
    case 0x02:
        r = x - y;
        break;
    case 0x20:
        r = x / y;
        break;
    case 0x24:
        r = x * y;
        break;
    case 0x13:
        r = sqrt(x);
        break;
    case 0x21:
        r = y / x;
        break;
    case 0x27:
        r = y - x;
        break;
    case 0x28:
        r = fma(y, z, x);
        break;
    case 0x29:
        r = fma(-y, z, -x);
        break;
    case 0x2a:
        r = fma(y, z, -x);
        break;
    case 0x2b:
        r = fma(-y, z, x);
        break;
    case 0x2c:
        r = fma(y, x, z);
        break;
    case 0x2d:
        r = fma(-y, x, -z);
        break;
    case 0x2e:
        r = fma(y, x, -z);
        break;
    case 0x2f:
        r = fma(-y, x, z);
        break;
    case 0x08:
        r = copysign(x, y);
        break;
    case 0x09:
        r = copysign(x, -y);
        break;
    case 0x0a:
        r = b >> 63 ? copysign(x, a >> 63 ? 1.0 : -1.0) : x;
        break;
    case 0x04:
        r = isnan(x) ? y : isnan(y) ? x : x < y || (x == y && signbit(x)) ? x : y;
        break;
    case 0x06:
        r = isnan(x) ? y : isnan(y) ? x : x > y || (x == y && signbit(y)) ? x : y;
        break;
    case 0x18:
        r = x == y;
        break;
    case 0x19:
        r = x <= y;
        break;
    case 0x1b:
        r = x < y;
        break;
    case 0x1c:
        r = x != y;
        break;
    case 0x1d:
        r = x > y;
        break;
    default:
        r = x >= y; /* vmfge */
        break;
    }
    *flags =
        (fetestexcept(FE_INVALID) ? VENTUS_NV : 0) | (fetestexcept(FE_DIVBYZERO) ? VENTUS_DZ : 0);
    fesetround(FE_TONEAREST);
    if (is_truth(f6))
        return r != 0;
    const double result = r; /* signs are moved whatever else the word holds */
    uint64_t word;
    memcpy(&word, &result, 8);
    return f6 >= 8 && f6 <= 10 ? word : bits(r);
}

static void pairs_of_floats(void **state)
{
    (void)state;
    /* Forms with a vector and a scalar: bits 0 and 1. */
    static const struct {
        unsigned f6, forms;
    } rows[] = {{0x00, 3}, {0x02, 3}, {0x04, 3}, {0x06, 3}, {0x08, 3}, {0x09, 3}, {0x0a, 3},
                {0x13, 1}, {0x18, 3}, {0x19, 3}, {0x1b, 3}, {0x1c, 3}, {0x1d, 2}, {0x1f, 2},
                {0x20, 3}, {0x21, 2}, {0x24, 3}, {0x27, 2}, {0x28, 3}, {0x29, 3}, {0x2a, 3},
                {0x2b, 3}, {0x2c, 3}, {0x2d, 3}, {0x2e, 3}, {0x2f, 3}};
    const size_t count = sizeof rows / sizeof *rows;
    for (size_t n = 0; n < often(8000); n++) {
        const unsigned f6 = rows[n % count].f6, which = (unsigned)(n / count % 2);
        const int mode = (int)(vkit_random() & 3);
        if (!(rows[n % count].forms >> which & 1))
            continue;
        uint64_t s[3];
        unsigned flags;
        const struct pair p = {f6, which ? 5 : 1, 4, f6 == 0x13 ? 0 : 6, mode};
        const uint64_t got = step_pair(&p, s);
        const uint64_t want = pair_float(f6, s[0], s[1], s[2], mode, &flags);
        if (got != want)
            fail_msg("%x mode %d of %llx %llx %llx: %llx, not %llx", f6, mode,
                     (unsigned long long)s[0], (unsigned long long)s[1], (unsigned long long)s[2],
                     (unsigned long long)got, (unsigned long long)want);
        /* Minimum and maximum are written out above, and hosts differ in infinity * 0 + NaN. */
        const unsigned raised = vkit.warps[0].fcsr.flags & (VENTUS_NV | VENTUS_DZ);
        if (f6 >= 8 && f6 < 0x28 && raised != flags)
            fail_msg("%x of %llx %llx: flags %x, not %x", f6, (unsigned long long)s[0],
                     (unsigned long long)s[1], raised, flags);
    }
}

/* ABS and NEG of words of 32 bits: floats by their sign, integers by their value. */
static void modifiers(void **state)
{
    (void)state;
    for (unsigned abs = 0; abs < 8; abs++)
        for (unsigned neg = 0; neg < 8; neg++) {
            /* vmacc: vs1 * vs2 + vd */
            const uint32_t words[] = {prefix(0, abs, neg, 0), vkit_opv(0x2d, 2, 1, 4, 6, 8)};
            vkit_make(words, 2);
            struct ventus_warp *w = &vkit.warps[0];
            const int32_t values[] = {-3, -5, -1000}; /* src1, src2, src3 */
            int64_t s[3];
            for (int i = 0; i < 3; i++) {
                s[i] = abs >> i & 1 ? -values[i] : values[i];
                s[i] = neg >> i & 1 ? -s[i] : s[i];
            }
            w->v[6][0] = (uint32_t)values[0];
            w->v[4][0] = (uint32_t)values[1];
            w->v[8][0] = (uint32_t)values[2];
            assert_int_equal(vkit_step(), 0);
            assert_int_equal(vkit_step(), 0);
            assert_int_equal((int32_t)w->v[8][0], s[0] * s[1] + s[2]);
        }
    const uint32_t words[] = {prefix(0, 1, 2, 0), vkit_opv(0, 1, 1, 4, 6, 8), prefix(0, 1, 0, 0),
                              0x00000013};
    vkit_make(words, 4);
    vkit.warps[0].v[4][0] = 0x40400000; /* 3, negated */
    vkit.warps[0].v[6][0] = 0xc0a00000; /* -5, its size */
    assert_int_equal(vkit_step(), 0);
    assert_int_equal(vkit_step(), 0);
    assert_int_equal(vkit.warps[0].v[8][0], 0x40000000);
    assert_int_equal(vkit_step(), 0);
    assert_int_equal(vkit_step(), 1);
    assert_string_equal(vkit.exec.error, "pair, ABS and NEG are of vector arithmetic in lanes");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_of_integers), cmocka_unit_test(pairs_merged),
        cmocka_unit_test(pairs_of_floats), cmocka_unit_test(modifiers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
