/*
 * Instructions of 64 bits and pairs of registers: integers against GMP, floats against MPFR and the
 * host's doubles; the second half's fields are put together from the manual's list.
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
#include "tests/ventus/ieee.h"
#include "tests/ventus/vkit.h"

/* --- words of 64 bits ------------------------------------------------------------------------- */

enum { A = 20, B = 30, D = 240, X = 10 }; /* vs2, vs1, vd; scalar */

struct word {
    unsigned f3, f6, neg, abs, opsel, omod, from, to;
    unsigned imm; /* of form vi */
};

static void encode(const struct word *p, uint32_t words[2])
{
    const bool scalar = p->f3 >= 4, immediate = p->f3 == 3;
    const struct {
        unsigned width;
        uint64_t value;
    } fields[] = {{7, 0x3f},     {9, 1},       {3, p->f3},
                  {6, p->f6},    {8, D},       {8, immediate ? p->imm : scalar ? X : B},
                  {8, A},        {3, p->neg},  {3, p->abs},
                  {3, p->opsel}, {2, p->omod}, {2, p->from},
                  {2, p->to}};
    uint64_t w = 0;
    unsigned at = 0;
    for (size_t i = 0; i < sizeof fields / sizeof *fields; at += fields[i++].width)
        w |= fields[i].value << at;
    assert_int_equal(at, 64);
    words[0] = (uint32_t)w;
    words[1] = (uint32_t)(w >> 32);
}

/* Of 16 bits the half that opsel chooses. */
static uint64_t source(uint32_t low, uint32_t high, unsigned size, bool upper)
{
    return size == 0   ? (upper ? low >> 16 : low & 0xffff)
           : size == 1 ? low
                       : (uint64_t)high << 32 | low;
}

static void set(mpz_t z, uint64_t word, unsigned size, bool is_signed)
{
    const unsigned bits = 16u << size;
    mpz_set_ui(z, word);
    if (is_signed && word >> (bits - 1) & 1) {
        mpz_t all;
        mpz_init_set_ui(all, 1);
        mpz_mul_2exp(all, all, bits);
        mpz_sub(z, z, all);
        mpz_clear(all);
    }
}

static void wrap(mpz_t z, unsigned bits, bool is_signed)
{
    mpz_fdiv_r_2exp(z, z, bits);
    if (is_signed && mpz_tstbit(z, bits - 1)) {
        mpz_t all;
        mpz_init_set_ui(all, 1);
        mpz_mul_2exp(all, all, bits);
        mpz_sub(z, z, all);
        mpz_clear(all);
    }
}

/* Integers are worked out in 64 bits; OMOD then multiplies or halves, VDSIZE cuts off. */
static uint64_t integer(const struct word *p, uint64_t a, uint64_t b)
{
    const bool is_signed = p->f6 != 4 && p->f6 != 6;
    mpz_t x, y;
    mpz_inits(x, y, NULL);
    set(x, a, p->from, true);
    set(y, b, p->from, true);
    mpz_ptr const both[] = {y, x}; /* src1, src2 */
    for (int i = 0; i < 2; i++) {
        if (p->abs >> i & 1)
            mpz_abs(both[i], both[i]);
        if (p->neg >> i & 1)
            mpz_neg(both[i], both[i]);
        wrap(both[i], is_signed ? 64 : 16u << p->from, is_signed);
    }
    switch (p->f6) {
    case 0x00:
        mpz_add(x, x, y);
        break;
    case 0x02:
        mpz_sub(x, x, y);
        break;
    case 0x25:
        mpz_mul(x, x, y);
        break;
    case 0x04:
    case 0x05:
        if (mpz_cmp(y, x) < 0)
            mpz_set(x, y);
        break;
    default:
        if (mpz_cmp(y, x) > 0)
            mpz_set(x, y);
        break;
    }
    wrap(x, 64, is_signed);
    if (p->omod == 3)
        mpz_fdiv_q_2exp(x, x, 1);
    else
        mpz_mul_2exp(x, x, p->omod);
    wrap(x, 16u << p->to, false);
    const uint64_t result = mpz_get_ui(x);
    mpz_clears(x, y, NULL);
    return result;
}

static const struct ieee_format *const formats[] = {&ieee_half, &ieee_single, &ieee_double};

static bool signals(const struct ieee_format *f, uint64_t word)
{
    const uint64_t m = (UINT64_C(1) << f->mantissa) - 1, e = (UINT64_C(1) << f->exponent) - 1;
    return (word >> f->mantissa & e) == e && (word & m) && !(word >> (f->mantissa - 1) & 1);
}

static uint64_t floating(const struct word *p, uint64_t a, uint64_t b, int mode, unsigned *flags)
{
    const struct ieee_format *f = formats[p->from];
    mpfr_t x, y;
    mpfr_inits2(IEEE_BITS, x, y, (mpfr_ptr)0);
    ieee_value(x, f, a);
    ieee_value(y, f, b);
    mpfr_ptr const both[] = {y, x};
    const bool nan = mpfr_nan_p(x) || mpfr_nan_p(y), quiet = !signals(f, a) && !signals(f, b);
    for (int i = 0; i < 2; i++) {
        if (p->abs >> i & 1)
            mpfr_abs(both[i], both[i], MPFR_RNDN);
        if (p->neg >> i & 1)
            mpfr_neg(both[i], both[i], MPFR_RNDN);
    }
    if (p->f6 == 2)
        mpfr_neg(y, y, MPFR_RNDN);
    const bool first = mpfr_signbit(x), other = mpfr_signbit(y);
    if (p->f6 == 0x24) {
        mpfr_mul(x, x, y, MPFR_RNDN);
    } else if (p->f6 == 0 || p->f6 == 2) {
        mpfr_add(x, x, y, MPFR_RNDN);
        if (mpfr_zero_p(x))
            mpfr_setsign(x, x, first == other ? first : mode == 2, MPFR_RNDN);
    } else if (mpfr_nan_p(x) || mpfr_nan_p(y)) {
        if (mpfr_nan_p(x))
            mpfr_set(x, y, MPFR_RNDN);
    } else {
        const int order =
            mpfr_zero_p(x) && mpfr_zero_p(y) ? (int)other - (int)first : mpfr_cmp(x, y);
        if (p->f6 == 4 ? order > 0 : order < 0)
            mpfr_set(x, y, MPFR_RNDN);
    }
    const bool invalid = !quiet || (mpfr_nan_p(x) && !nan);
    const int scales[] = {0, 1, 2, -1};
    mpfr_mul_2si(x, x, scales[p->omod], MPFR_RNDN);
    const uint64_t word = ieee_round(x, formats[p->to], mode, flags);
    *flags |= invalid ? VENTUS_NV : 0;
    mpfr_clears(x, y, (mpfr_ptr)0);
    return word;
}

static uint32_t float_word(unsigned size)
{
    static const uint32_t halves[] = {0,      0x8000, 0x7c00, 0xfc00, 0x7e00,
                                      0x7c01, 1,      0x7bff, 0x3c00, 0x0400};
    const uint64_t r = vkit_random();
    const uint32_t low = (uint32_t)(r >> 8);
    if (size == 0)
        return (r & 3) == 0 ? halves[r >> 40 & 7] | halves[2 + (r >> 44 & 7)] << 16 : low;
    if (size == 1)
        return (r & 3) == 0   ? halves[r >> 40 & 7] << 16
               : (r & 3) == 1 ? (low & 0x807fffff) | (110 + (low >> 24 & 31)) << 23
                              : low;
    return (r & 3) == 0 ? (uint32_t)(r >> 63) << 31 | (1000 + (low & 63)) << 20 | low >> 12 : low;
}

static void draw_lane(const struct word *p, bool is_float, uint32_t i)
{
    struct ventus_warp *w = &vkit.warps[0];
    for (uint32_t r = 0; r < 2; r++) {
        w->v[A + r][i] = is_float ? float_word(p->from) : vkit_draw();
        w->v[B + r][i] = is_float ? float_word(p->from) : vkit_draw();
        w->v[D + r][i] = vkit_draw();
        w->x[X + r] = is_float ? float_word(p->from) : vkit_draw();
    }
}

static void words_of_64_bits(void **state)
{
    (void)state;
    static const struct {
        unsigned f3, f6;
    } rows[] = {{0, 0}, {4, 0}, {3, 0}, {0, 2}, {4, 2},    {0, 4},    {4, 4},   {0, 5}, {4, 5},
                {0, 6}, {4, 6}, {0, 7}, {4, 7}, {2, 0x25}, {6, 0x25}, {1, 0},   {5, 0}, {1, 2},
                {5, 2}, {1, 4}, {5, 4}, {1, 6}, {5, 6},    {1, 0x24}, {5, 0x24}};
    const size_t count = sizeof rows / sizeof *rows;
    for (size_t n = 0; n < often(4000); n++) {
        const uint64_t r = vkit_random();
        const bool is_float = rows[n % count].f3 == 1 || rows[n % count].f3 == 5;
        const struct word p = {.f3 = rows[n % count].f3,
                               .f6 = rows[n % count].f6,
                               .neg = r & 7,
                               .abs = r >> 3 & 7,
                               .opsel = r >> 6 & 7,
                               .omod = r >> 9 & 3,
                               .from = (unsigned)(r >> 11) % 3,
                               .to = (unsigned)(r >> 20) % 3,
                               .imm = r >> 30 & 255};
        uint32_t words[2];
        const int mode = (int)(r >> 40 & 3);
        encode(&p, words);
        vkit_make(words, 2);
        struct ventus_warp *w = &vkit.warps[0];
        w->fcsr.rounding = (uint8_t)mode;
        w->active = (uint32_t)(r >> 50) & 0xff;
        for (uint32_t i = 0; i < 8; i++)
            draw_lane(&p, is_float, i);
        const struct ventus_warp before = *w;
        if (vkit_step() != 0)
            fail_msg("%s", vkit.exec.error);
        assert_int_equal(w->pc, VKIT_CODE + 8);
        unsigned all = 0;
        for (uint32_t i = 0; i < 8; i++) {
            const bool scalar = p.f3 >= 4;
            const uint64_t a = source(before.v[A][i], before.v[A + 1][i], p.from, p.opsel >> 1 & 1);
            const uint64_t b =
                p.f3 == 3 ? source((uint32_t)(int8_t)p.imm, p.imm >> 7 ? UINT32_MAX : 0, p.from, 0)
                : scalar  ? source(before.x[X], before.x[X + 1], p.from, p.opsel & 1)
                          : source(before.v[B][i], before.v[B + 1][i], p.from, p.opsel & 1);
            unsigned flags = 0;
            uint32_t low = before.v[D][i], high = before.v[D + 1][i];
            if (before.active >> i & 1) {
                const uint64_t result =
                    is_float ? floating(&p, a, b, mode, &flags) : integer(&p, a, b);
                high = p.to == 2 ? (uint32_t)(result >> 32) : high;
                low = p.to           ? (uint32_t)result
                      : p.opsel >> 2 ? (low & 0xffff) | (uint32_t)result << 16
                                     : (low & 0xffff0000) | (uint32_t)result;
            }
            all |= flags;
            if (w->v[D][i] != low || w->v[D + 1][i] != high)
                fail_msg("f3 %u f6 %x neg %u abs %u sel %u omod %u sizes %u %u mode %d of %llx "
                         "%llx: %08x %08x, not %08x %08x",
                         p.f3, p.f6, p.neg, p.abs, p.opsel, p.omod, p.from, p.to, mode,
                         (unsigned long long)a, (unsigned long long)b, w->v[D + 1][i], w->v[D][i],
                         high, low);
        }
        assert_int_equal(w->fcsr.flags, all);
    }
}

static void refused_words(void **state)
{
    (void)state;
    const struct {
        struct word word;
        const char *sentence;
    } rows[] = {{{.f3 = 0, .from = 3}, "3 is no size of a source or result"},
                {{.f3 = 0, .to = 3}, "3 is no size of a source or result"}};
    uint32_t words[2];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        encode(&rows[i].word, words);
        vkit_make(words, 2);
        assert_int_equal(vkit_step(), 1);
        assert_string_equal(vkit.exec.error, rows[i].sentence);
    }
    /* vd odd: a pair when VDSIZE is 64 bits, and only then. */
    for (unsigned to = 1; to < 3; to++) {
        encode(&(struct word){.f3 = 0, .to = to}, words);
        words[0] |= 1u << 25;
        vkit_make(words, 2);
        assert_int_equal(vkit_step(), to == 2);
    }
    assert_string_equal(vkit.exec.error, "a pair of registers begins at an even one");
    /* The second half is missing, or is what the program jumps to. */
    vkit_make(words, 1);
    assert_int_equal(vkit_step(), 1);
    encode(&(struct word){.f3 = 0}, words);
    vkit_make(words, 2);
    vkit.warps[0].pc += 4;
    assert_int_equal(vkit_step(), 1);
}

/* --- pairs by prefix -------------------------------------------------------------------------- */

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

static uint64_t pair_integer(unsigned f6, unsigned f3, uint64_t a, uint64_t b, uint64_t d)
{
    const bool product = f3 == 2;
    mpz_t x, y, z;
    mpz_inits(x, y, z, NULL);
    const bool plain = product && (f6 == 0x20 || f6 == 0x22 || f6 == 0x24); /* unsigned */
    set(x, a, 2, !plain);
    set(y, b, 2, !plain && f6 != 0x26);
    set(z, d, 2, true);
    const uint64_t key = f6 | (product ? 64 : 0);
    switch (key) {
    case 0x00:
        mpz_add(x, x, y);
        break;
    case 0x02:
        mpz_sub(x, x, y);
        break;
    case 0x05:
        mpz_set(x, mpz_cmp(x, y) < 0 ? x : y);
        break;
    case 0x07:
        mpz_set(x, mpz_cmp(x, y) > 0 ? x : y);
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
    case 64 + 0x20:
    case 64 + 0x21:
        if (mpz_sgn(y))
            mpz_tdiv_q(x, x, y);
        else
            mpz_set_si(x, -1);
        break;
    case 64 + 0x22:
    case 64 + 0x23:
        if (mpz_sgn(y))
            mpz_tdiv_r(x, x, y);
        break;
    case 64 + 0x25:
        mpz_mul(x, x, y);
        break;
    case 64 + 0x24:
    case 64 + 0x26:
    case 64 + 0x27:
        mpz_mul(x, x, y);
        mpz_fdiv_q_2exp(x, x, 64);
        break;
    case 64 + 0x29: /* vmadd: vs1 * vd + vs2 */
        mpz_mul(y, y, z);
        mpz_add(x, x, y);
        break;
    case 64 + 0x2b:
        mpz_mul(y, y, z);
        mpz_sub(x, x, y);
        break;
    case 64 + 0x2d: /* vmacc: vs1 * vs2 + vd */
        mpz_mul(x, x, y);
        mpz_add(x, x, z);
        break;
    default:
        mpz_mul(x, x, y);
        mpz_sub(x, z, x);
        break;
    }
    wrap(x, 64, false);
    const uint64_t result = mpz_get_ui(x);
    mpz_clears(x, y, z, NULL);
    return result;
}

static void pairs_of_integers(void **state)
{
    (void)state;
    static const unsigned plain[] = {0, 2, 5, 7, 9, 10, 11, 0x25, 0x28, 0x29},
                          product[] = {0x20, 0x21, 0x22, 0x23, 0x24, 0x25,
                                       0x26, 0x27, 0x29, 0x2b, 0x2d, 0x2f};
    for (size_t n = 0; n < often(1500); n++) {
        const bool is_product = n % 22 >= 10;
        const unsigned f6 = is_product ? product[n % 22 - 10] : plain[n % 22];
        const uint32_t words[] = {prefix(1, 0, 0, 0), vkit_opv(f6, is_product ? 2 : 0, 1, 4, 6, 8)};
        vkit_make(words, 2);
        struct ventus_warp *w = &vkit.warps[0];
        uint64_t s[3];
        for (uint32_t k = 0; k < 3; k++) {
            w->v[4 + 2 * k][0] = vkit_draw();
            w->v[5 + 2 * k][0] = vkit_draw();
            s[k] = (uint64_t)w->v[5 + 2 * k][0] << 32 | w->v[4 + 2 * k][0];
        }
        assert_int_equal(vkit_step(), 0);
        if (vkit_step() != 0)
            fail_msg("%x: %s", f6, vkit.exec.error);
        const uint64_t want = pair_integer(f6, is_product ? 2 : 0, s[0], s[1], s[2]),
                       got = (uint64_t)w->v[9][0] << 32 | w->v[8][0];
        if (got != want)
            fail_msg("%x of %llx %llx %llx: %llx, not %llx", f6, (unsigned long long)s[0],
                     (unsigned long long)s[1], (unsigned long long)s[2], (unsigned long long)got,
                     (unsigned long long)want);
    }
}

static uint64_t pair_float(unsigned f6, uint64_t a, uint64_t b, uint64_t d, int mode)
{
    static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
    volatile double x = real(a), y = real(b), z = real(d), r;
    fesetround(modes[mode]);
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
    default:
        r = x == y; /* vmfeq */
        break;
    }
    fesetround(FE_TONEAREST);
    if (f6 == 0x18)
        return r != 0;
    const double result = r; /* signs are moved whatever else the word holds */
    uint64_t word;
    memcpy(&word, &result, 8);
    return f6 == 8 || f6 == 9 ? word : bits(r);
}

static void pairs_of_floats(void **state)
{
    (void)state;
    static const unsigned list[] = {0,    2,    0x20, 0x24, 0x13, 0x28, 0x29, 0x2a,
                                    0x2b, 0x2c, 0x2d, 0x2e, 0x2f, 8,    9,    0x18};
    for (size_t n = 0; n < often(4000); n++) {
        const unsigned f6 = list[n % 16];
        const int mode = (int)(vkit_random() & 3);
        const uint32_t words[] = {prefix(1, 0, 0, 0), vkit_opv(f6, 1, 1, 4, f6 == 0x13 ? 0 : 6, 8)};
        vkit_make(words, 2);
        struct ventus_warp *w = &vkit.warps[0];
        w->fcsr.rounding = (uint8_t)mode;
        uint64_t s[3];
        for (uint32_t k = 0; k < 3; k++) {
            w->v[4 + 2 * k][0] = vkit_draw();
            w->v[5 + 2 * k][0] = float_word(2);
            s[k] = (uint64_t)w->v[5 + 2 * k][0] << 32 | w->v[4 + 2 * k][0];
        }
        w->active = 1;
        assert_int_equal(vkit_step(), 0);
        if (vkit_step() != 0)
            fail_msg("%x: %s", f6, vkit.exec.error);
        const uint64_t want = pair_float(f6, s[0], s[1], s[2], mode);
        const uint64_t got = f6 == 0x18 ? w->v[8][0] : (uint64_t)w->v[9][0] << 32 | w->v[8][0];
        if (got != want)
            fail_msg("%x mode %d of %llx %llx %llx: %llx, not %llx", f6, mode,
                     (unsigned long long)s[0], (unsigned long long)s[1], (unsigned long long)s[2],
                     (unsigned long long)got, (unsigned long long)want);
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
        cmocka_unit_test(words_of_64_bits),  cmocka_unit_test(refused_words),
        cmocka_unit_test(pairs_of_integers), cmocka_unit_test(pairs_of_floats),
        cmocka_unit_test(modifiers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
