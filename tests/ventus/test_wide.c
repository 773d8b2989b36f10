/*
 * Instructions of 64 bits: integers against GMP, floats against MPFR; the second half's fields are
 * put together from the manual's list.
 */
#include <gmp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/often.h"
#include "tests/ventus/ieee.h"
#include "tests/ventus/vkit.h"
#include "tests/ventus/wide.h"

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

/* Integers are worked out in 64 bits; OMOD then multiplies or halves, VDSIZE cuts off. */
static uint64_t integer(const struct word *p, uint64_t a, uint64_t b)
{
    const bool is_signed = p->f6 != 4 && p->f6 != 6;
    mpz_t x, y;
    mpz_inits(x, y, NULL);
    wide_set(x, a, p->from, true);
    wide_set(y, b, p->from, true);
    mpz_ptr const both[] = {y, x}; /* src1, src2 */
    for (int i = 0; i < 2; i++) {
        if (p->abs >> i & 1)
            mpz_abs(both[i], both[i]);
        if (p->neg >> i & 1)
            mpz_neg(both[i], both[i]);
        wide_wrap(both[i], is_signed ? 64 : 16u << p->from, is_signed);
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
    wide_wrap(x, 64, is_signed);
    if (p->omod == 3)
        mpz_fdiv_q_2exp(x, x, 1);
    else
        mpz_mul_2exp(x, x, p->omod);
    wide_wrap(x, 16u << p->to, false);
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

static void draw_lane(const struct word *p, bool is_float, uint32_t i)
{
    struct ventus_warp *w = &vkit.warps[0];
    for (uint32_t r = 0; r < 2; r++) {
        w->v[A + r][i] = is_float ? wide_float(p->from) : vkit_draw();
        w->v[B + r][i] = is_float ? wide_float(p->from) : vkit_draw();
        w->v[D + r][i] = vkit_draw();
        w->x[X + r] = is_float ? wide_float(p->from) : vkit_draw();
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
    } rows[] = {{{.f3 = 0, .from = 3}, "3 is not a size of a source or result"},
                {{.f3 = 0, .to = 3}, "3 is not a size of a source or result"}};
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(words_of_64_bits),
                                       cmocka_unit_test(refused_words)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
