/*
 * Products of matrices, every row of insn.def by its name: elements are packed by hand, sums are
 * those of the host's fused multiply-add (single precision), of MPFR (half precision) or of wide
 * integers; the word is put together from the manual's list of fields.
 */
#include <fenv.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "functional/ventus/matrix.h"
#include "tests/often.h"
#include "tests/ventus/ieee.h"
#include "tests/ventus/vkit.h"

/* Types in the order of their numbers; bits: what an element takes. */
static const struct type {
    const char *name;
    unsigned bits;
    struct ieee_format format; /* exponent 0: integers */
    unsigned nan;              /* a magnitude that is no number, or 0 */
} types[] = {
    {"f32", 32, {8, 23, 127, 1}, 0}, {"f16", 16, {5, 10, 15, 1}, 0},
    {"bf16", 16, {8, 7, 127, 1}, 0}, {"e4m3", 8, {4, 3, 7, 0}, 0x7f},
    {"e5m2", 8, {5, 2, 15, 1}, 0},   {"i8", 8, {0, 0, 0, 0}, 0},
    {"i4", 4, {0, 0, 0, 0}, 0},      {"b1", 1, {0, 0, 0, 0}, 0},
    {"e3m2", 8, {3, 2, 3, 0}, 0},    {"e2m3", 8, {2, 3, 1, 0}, 0},
    {"e2m1", 4, {2, 1, 1, 0}, 0},    {"e3m0", 4, {3, 0, 3, 0}, 0},
};

struct product {
    bool is_long, half; /* half: C and D in half precision */
    unsigned type, shape, m, n, k;
    unsigned rounding, a_columns, b_rows, wg, a_register;
    uint32_t a[16 * 64], b[128 * 16], c[16 * 16]; /* A by rows, B by columns, C by rows */
};

enum { REG_A = 40, REG_B = 80, REG_C = 120, REG_D = 160, LOCAL = 0x70000000 };

/* mma has registers of five bits; REGEXT is in test_lanes. */
static uint32_t reg(const struct product *p, uint32_t number)
{
    return p->is_long ? number : (number - REG_A) / 5;
}

static uint32_t target(const struct product *p)
{
    return reg(p, p->is_long ? REG_D : REG_C);
}

static bool parse(const char *name, struct product *p)
{
    char type[8], sum[8];
    *p = (struct product){.is_long = !strncmp(name, "mma64.", 6)};
    const char *at = strchr(name, '.');
    if (strncmp(name, "mma", 3) != 0 || !at ||
        sscanf(at + 1, "m%un%uk%u.%7[^.].%7s", &p->m, &p->n, &p->k, type, sum) != 5)
        return false;
    while (strcmp(types[p->type].name, type) != 0)
        p->type++;
    p->half = !strcmp(sum, "f16");
    static const char *const shapes[][3] = {{"m8n8k8", "m16n8k8", "m16n8k16"},
                                            {"m8n8k16", "m16n16k16", ""},
                                            {"m8n8k32", "m16n8k32", "m16n8k64"}};
    const unsigned list = p->type <= 2 ? 0 : p->type == 5 ? 1 : 2;
    const bool several = p->type <= 2 || p->type == 5 || p->type == 6;
    char shape[16];
    snprintf(shape, sizeof shape, "m%un%uk%u", p->m, p->n, p->k);
    while (several && strcmp(shapes[list][p->shape], shape) != 0)
        p->shape++;
    return true;
}

static void encode(const struct product *p, uint32_t words[2])
{
    const bool second = types[p->type].bits == 16 && p->type == 1 && !p->half;
    uint64_t w = 0;
    if (!p->is_long) {
        words[0] = p->type << 29 | p->shape << 26 | (uint32_t)second << 25 | reg(p, REG_B) << 20 |
                   reg(p, REG_A) << 15 | 5u << 12 | target(p) << 7 | 0x0b;
        return;
    }
    const struct {
        unsigned width;
        uint64_t value;
    } fields[] = {{7, 0x3f},        {9, 0},         {1, p->a_register}, {1, p->wg},
                  {2, p->rounding}, {8, REG_D},     {8, REG_C},         {2, 0},
                  {1, second},      {1, p->b_rows}, {1, p->a_columns},  {8, REG_A},
                  {8, REG_B},       {3, p->shape},  {4, p->type}};
    unsigned at = 0;
    for (size_t i = 0; i < sizeof fields / sizeof *fields; at += fields[i++].width)
        w |= fields[i].value << at;
    assert_int_equal(at, 64);
    words[0] = (uint32_t)w;
    words[1] = (uint32_t)(w >> 32);
}

/* Bits from `bit` on of registers from `first` on: 32 lanes of 32 bits each. */
static void pack(struct ventus_warp *w, uint32_t first, uint32_t bit, unsigned bits, uint32_t value)
{
    uint32_t *word = &w->v[first + bit / 1024][bit / 32 % 32];
    const uint64_t mask = ((UINT64_C(1) << bits) - 1) << bit % 32;
    *word = (uint32_t)((*word & ~mask) | ((uint64_t)value << bit % 32 & mask));
}

static void pack_bytes(uint8_t *to, uint32_t bit, unsigned bits, uint32_t value)
{
    for (unsigned i = 0; i < bits; i++) {
        to[(bit + i) / 8] &= (uint8_t) ~(1u << (bit + i) % 8);
        to[(bit + i) / 8] |= (uint8_t)((value >> i & 1) << (bit + i) % 8);
    }
}

static void fill(struct product *p, bool extreme)
{
    const unsigned bits = types[p->type].bits;
    const uint32_t mask = bits == 32 ? UINT32_MAX : (1u << bits) - 1;
    for (unsigned i = 0; i < p->m * p->k + p->n * p->k; i++) {
        uint32_t r = (uint32_t)(vkit_random() >> 20) & mask;
        const struct ieee_format *f = &types[p->type].format;
        if (!extreme && f->exponent >= 5) /* exponents that meet */
            r = (r & ~(((1u << f->exponent) - 1) << f->mantissa)) |
                ((uint32_t)f->bias - 4 + (r >> 3 & 7)) << f->mantissa;
        *(i < p->m * p->k ? &p->a[i] : &p->b[i - p->m * p->k]) = r;
    }
    for (unsigned i = 0; i < p->m * p->n; i++) {
        const uint32_t r = (uint32_t)(vkit_random() >> 20);
        p->c[i] = types[p->type].format.exponent == 0 ? (extreme ? vkit_draw() : r)
                  : p->half ? (extreme ? r & 0xffff : (r & 0x83ff) | (13 + (r >> 20 & 3)) << 10)
                            : (extreme ? r : (r & 0x807fffff) | (124 + (r >> 25 & 7)) << 23);
    }
}

static void put(const struct product *p, struct ventus_warp *w)
{
    const unsigned bits = types[p->type].bits, sum = p->half ? 16 : 32;
    for (unsigned i = 0; i < p->m; i++)
        for (unsigned k = 0; k < p->k; k++)
            pack(w, reg(p, REG_A), bits * (p->a_columns ? k * p->m + i : i * p->k + k), bits,
                 p->a[i * p->k + k]);
    for (unsigned j = 0; j < p->n; j++)
        for (unsigned k = 0; k < p->k; k++)
            pack(w, reg(p, REG_B), bits * (p->b_rows ? k * p->n + j : j * p->k + k), bits,
                 p->b[j * p->k + k]);
    for (unsigned i = 0; i < p->m * p->n; i++)
        pack(w, reg(p, REG_C), sum * i, sum, p->c[i]);
}

static float single(const struct type *t, uint32_t word)
{
    mpfr_t v;
    mpfr_init2(v, 64);
    ieee_value(v, &t->format, word);
    if (t->nan && (word & ((1u << (t->bits - 1)) - 1)) == t->nan)
        mpfr_set_nan(v);
    const float f = mpfr_get_flt(v, MPFR_RNDN);
    mpfr_clear(v);
    return f;
}

static uint32_t single_sum(const struct product *p, const uint32_t *a, const uint32_t *b,
                           uint32_t c)
{
    static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
    volatile float sum;
    memcpy((void *)&sum, &c, 4);
    for (unsigned k = 0; k < p->k; k++) {
        volatile float x = single(&types[p->type], a[k]), y = single(&types[p->type], b[k]);
        fesetround(modes[p->rounding]);
        sum = fmaf(x, y, sum);
        fesetround(FE_TONEAREST);
    }
    const float result = sum;
    memcpy(&c, &result, 4);
    return (c & 0x7fffffff) > 0x7f800000 ? VENTUS_F32_NAN : c;
}

static uint32_t half_sum(const struct product *p, const uint32_t *a, const uint32_t *b, uint32_t c)
{
    mpfr_t x, y, s;
    unsigned flags;
    mpfr_inits2(200, x, y, s, (mpfr_ptr)0);
    for (unsigned k = 0; k < p->k; k++) {
        ieee_value(x, &ieee_half, a[k]);
        ieee_value(y, &ieee_half, b[k]);
        ieee_value(s, &ieee_half, c);
        mpfr_mul(x, x, y, MPFR_RNDN);
        const bool unlike = mpfr_signbit(x) != mpfr_signbit(s), zero = mpfr_zero_p(x);
        mpfr_add(s, s, x, MPFR_RNDN);
        if (mpfr_zero_p(s) && (unlike || !zero))
            mpfr_setsign(s, s, p->rounding == 2, MPFR_RNDN);
        c = (uint32_t)ieee_round(s, &ieee_half, (int)p->rounding, &flags);
    }
    mpfr_clears(x, y, s, (mpfr_ptr)0);
    return c;
}

static uint32_t integer_sum(const struct product *p, const uint32_t *a, const uint32_t *b,
                            uint32_t c)
{
    const unsigned bits = types[p->type].bits;
    long long sum = (int32_t)c;
    for (unsigned k = 0; k < p->k; k++) {
        long long x = a[k], y = b[k];
        if (bits > 1) { /* two's complement */
            x -= x >> (bits - 1) ? 1LL << bits : 0;
            y -= y >> (bits - 1) ? 1LL << bits : 0;
        }
        sum += x * y;
    }
    if (p->is_long && p->rounding == 0)
        sum = sum > 2147483647LL ? 2147483647LL : sum < -2147483648LL ? -2147483648LL : sum;
    return (uint32_t)sum;
}

static uint32_t want(const struct product *p, unsigned i, unsigned j)
{
    const uint32_t *a = &p->a[i * p->k], *b = &p->b[j * p->k], c = p->c[i * p->n + j];
    return types[p->type].format.exponent == 0 ? integer_sum(p, a, b, c)
           : p->half                           ? half_sum(p, a, b, c)
                                               : single_sum(p, a, b, c);
}

static void compare(const struct product *p, const struct ventus_warp *w, const char *name)
{
    const unsigned sum = p->half ? 16 : 32;
    for (unsigned i = 0; i < p->m; i++)
        for (unsigned j = 0; j < p->n; j++) {
            const uint32_t bit = (i * p->n + j) * sum, word = bit / 32;
            const uint32_t got = w->v[target(p) + word / 32][word % 32] >> bit % 32 &
                                 (p->half ? 0xffff : UINT32_MAX);
            if (got != want(p, i, j))
                fail_msg("%s, element %u %u: %08x, not %08x", name, i, j, got, want(p, i, j));
        }
}

static struct ventus_warp *begin(const struct product *p, uint32_t warps)
{
    uint32_t words[2];
    encode(p, words);
    vkit_make(words, p->is_long ? 2 : 1);
    vkit.launch.threads = 32;
    vkit.launch.warps = warps;
    vkit.launch.local = 0x4000;
    vkit_start();
    if (!p->is_long)
        vkit.warps[0].fcsr.rounding = (uint8_t)p->rounding;
    return &vkit.warps[0];
}

static void every_row(void **state)
{
    (void)state;
    unsigned rows = 0, longs = 0;
    for (size_t i = 0; i < VENTUS_INSNS - RISCV_INSN_COUNT; i++) {
        struct product p;
        if (!parse(ventus_insns[i].name, &p))
            continue;
        rows += !p.is_long;
        longs += p.is_long;
        for (size_t round = 0; round < often(6); round++) {
            const bool integers = types[p.type].format.exponent == 0;
            p.rounding = (unsigned)(integers ? round & 1 : vkit_random() & 3);
            p.a_columns = p.is_long && (vkit_random() & 1);
            p.b_rows = p.is_long && (vkit_random() & 1);
            fill(&p, round % 3 == 0);
            struct ventus_warp *w = begin(&p, 1);
            put(&p, w);
            if (vkit_step() != 0)
                fail_msg("%s: %s", ventus_insns[i].name, vkit.exec.error);
            assert_int_equal(vkit.warps[0].pc, VKIT_CODE + (p.is_long ? 8 : 4));
            compare(&p, w, ventus_insns[i].name);
        }
    }
    /* FP32 3, FP16 6, BF16 3, FP8 2, INT8 2, INT4 3, binary 1; FP6 and FP4 by mma64 alone */
    assert_int_equal(rows, 20);
    assert_int_equal(longs, 24);
}

/* Products by 128 of 32 bits, by hand. */
static void passes(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint32_t passes;
    } rows[] = {{"mma.m8n8k8.f32.f32", 4},     {"mma.m16n8k16.f32.f32", 16},
                {"mma.m16n8k16.f16.f16", 8},   {"mma64.m16n16k16.i8.i32", 8},
                {"mma.m8n8k32.i4.i32", 2},     {"mma64.m8n8k128.b1.i32", 2},
                {"mma64.m16n8k32.e3m2.f32", 8}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct product p;
        uint32_t words[2];
        struct ventus_op op;
        assert_true(parse(rows[i].name, &p));
        encode(&p, words);
        assert_true(ventus_decode(words[0], &words[1], &op));
        assert_int_equal(ventus_matrix_passes(&op), rows[i].passes);
    }
}

/* Sums that just fit and just do not: saturated and cut off. */
static void saturation(void **state)
{
    (void)state;
    for (unsigned wraps = 0; wraps < 2; wraps++)
        for (int step = -1; step <= 1; step++)
            for (int negative = 0; negative < 2; negative++) {
                struct product p;
                assert_true(parse("mma64.m8n8k16.i8.i32", &p));
                p.rounding = wraps;
                memset(p.a, 0, sizeof p.a);
                memset(p.b, 0, sizeof p.b);
                for (unsigned i = 0; i < 64; i++)
                    p.c[i] = negative ? 0x80000000u + 1 : 0x7fffffffu - 1;
                p.a[0] = negative ? 0xff : 1; /* element 0 0 adds -1 or 1 times 1 + step */
                p.b[0] = (uint32_t)(1 + step);
                struct ventus_warp *w = begin(&p, 1);
                put(&p, w);
                assert_int_equal(vkit_step(), 0);
                const uint32_t got = w->v[REG_D][0];
                const uint32_t plain = p.c[0] + (uint32_t)((negative ? -1 : 1) * (1 + step));
                const uint32_t limit = negative ? 0x80000000u : 0x7fffffffu;
                assert_int_equal(got, step == 1 && !wraps ? limit : plain);
            }
}

/* Four warps: B, and A, from local memory by descriptor; each has its own rows. */
static void groups(void **state)
{
    (void)state;
    static const char *const names[] = {"mma64.m16n8k16.f16.f32", "mma64.m8n8k32.i4.i32",
                                        "mma64.m8n8k128.b1.i32", "mma64.m16n8k32.e5m2.f32"};
    uint8_t *local = vkit_memory(LOCAL, 0x10000, 0x10000);
    for (int round = 0; round < 32; round++) {
        struct product p;
        assert_true(parse(names[round & 3], &p));
        const unsigned bits = types[p.type].bits, warp = (unsigned)(vkit_random() % 8);
        p.wg = 1;
        p.a_register = round >> 2 & 1;
        p.a_columns = round >> 3 & 1;
        p.b_rows = round >> 4 & 1;
        fill(&p, false);
        begin(&p, 8);
        struct ventus_warp *w = &vkit.warps[warp];
        put(&p, w);
        const uint32_t from_a = 64, from_b = 0x2000;
        const uint32_t pitch_a = bits * (p.a_columns ? 4 * p.m : p.k) / 8 + 16;
        const uint32_t pitch_b = bits * (p.b_rows ? p.n : p.k) / 8 + 16;
        const unsigned row = warp % 4 * p.m;
        for (unsigned i = 0; i < p.m && !p.a_register; i++)
            for (unsigned k = 0; k < p.k; k++)
                pack_bytes(local,
                           8 * (from_a + pitch_a * (p.a_columns ? k : row + i)) +
                               bits * (p.a_columns ? row + i : k),
                           bits, p.a[i * p.k + k]);
        for (unsigned j = 0; j < p.n; j++)
            for (unsigned k = 0; k < p.k; k++)
                pack_bytes(local,
                           8 * (from_b + pitch_b * (p.b_rows ? k : j)) + bits * (p.b_rows ? j : k),
                           bits, p.b[j * p.k + k]);
        if (!p.a_register) {
            w->v[REG_A][0] = LOCAL + from_a;
            w->v[REG_A][1] = pitch_a;
        }
        w->v[REG_B][0] = LOCAL + from_b;
        w->v[REG_B][1] = pitch_b;
        if (vkit_step_warp(warp) != 0)
            fail_msg("%s", vkit.exec.error);
        compare(&p, w, names[round & 3]);
    }
    vkit_free();
}

/* The last byte of local memory and the one behind it; registers to v255 and beyond. */
static void limits(void **state)
{
    (void)state;
    struct product p;
    vkit_memory(LOCAL, 0x10000, 0x10000);
    assert_true(parse("mma64.m8n8k16.i8.i32", &p));
    p.wg = p.a_register = 1;
    for (uint32_t over = 0; over < 2; over++) {
        struct ventus_warp *w = begin(&p, 4);
        w->v[REG_B][0] = LOCAL + 0x4000 - 8 * 16 + over;
        w->v[REG_B][1] = 16;
        assert_int_equal(vkit_step(), (int)over);
    }
    assert_non_null(strstr(vkit.exec.error, "beyond the local memory of its workgroup"));
    begin(&p, 4)->v[REG_B][0] = LOCAL - 1;
    assert_int_equal(vkit_step(), 1);
    vkit_free();
    /* D of m16n16 takes eight registers. */
    for (uint32_t first = 248; first < 250; first++) {
        assert_true(parse("mma64.m16n16k16.i8.i32", &p));
        uint32_t words[2];
        encode(&p, words);
        const uint64_t word = ((uint64_t)words[1] << 32 | words[0]) & ~(UINT64_C(255) << 20);
        words[0] = (uint32_t)(word | first << 20);
        words[1] = (uint32_t)(word >> 32);
        vkit_make(words, 2);
        vkit.launch.threads = 32;
        vkit_start();
        assert_int_equal(vkit_step(), first == 249);
    }
    assert_string_equal(vkit.exec.error, "a matrix beyond v255");
    begin(&p, 1);
    vkit.launch.threads = 16;
    assert_int_equal(vkit_step(), 1);
    assert_string_equal(vkit.exec.error, "products of matrices need warps of 32 threads");
    /* Sparsity is reserved: such a word is not an instruction. */
    uint32_t words[2];
    encode(&p, words);
    words[1] |= 1u << 4;
    struct ventus_op op;
    assert_false(ventus_decode(words[0], &words[1], &op));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row), cmocka_unit_test(passes), cmocka_unit_test(saturation),
        cmocka_unit_test(groups),    cmocka_unit_test(limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
