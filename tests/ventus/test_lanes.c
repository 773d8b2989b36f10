/*
 * Vector instructions by lanes against plain arithmetic in 64 bits, RVV 1.0 sections 11 and 12; the
 * SIMT stack against the manual's rule; masks, prefixes and private memory by hand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/often.h"
#include "tests/ventus/vkit.h"

enum { THREADS = 8 };

/* --- integers --------------------------------------------------------------------------------- */

/* What the manual says of funct6 for integers (0) and products (2); *known: it says something. */
static uint32_t plain(uint32_t f6, bool product, uint32_t a, uint32_t b, uint32_t d, bool *known)
{
    const int64_t sa = (int32_t)a, sb = (int32_t)b;
    const uint64_t ua = a, ub = b;
    *known = true;
    if (!product)
        switch (f6) {
        case 0x00:
            return (uint32_t)(ua + ub);
        case 0x02:
            return (uint32_t)(ua - ub);
        case 0x04:
            return a < b ? a : b;
        case 0x05:
            return sa < sb ? a : b;
        case 0x06:
            return a > b ? a : b;
        case 0x07:
            return sa > sb ? a : b;
        case 0x09:
            return a & b;
        case 0x0a:
            return a | b;
        case 0x0b:
            return a ^ b;
        case 0x18:
            return a == b;
        case 0x19:
            return a != b;
        case 0x1a:
            return a < b;
        case 0x1b:
            return sa < sb;
        case 0x1c:
            return a <= b;
        case 0x1d:
            return sa <= sb;
        case 0x20:
            return ua + ub > UINT32_MAX ? UINT32_MAX : (uint32_t)(ua + ub);
        case 0x21:
            return sa + sb > INT32_MAX   ? INT32_MAX
                   : sa + sb < INT32_MIN ? 0x80000000
                                         : (uint32_t)(sa + sb);
        case 0x22:
            return a < b ? 0 : a - b;
        case 0x23:
            return sa - sb > INT32_MAX   ? INT32_MAX
                   : sa - sb < INT32_MIN ? 0x80000000
                                         : (uint32_t)(sa - sb);
        case 0x25:
            return (uint32_t)(ua << (b % 32));
        case 0x28:
            return (uint32_t)(ua >> (b % 32));
        case 0x29:
            return (uint32_t)(sa >> (b % 32));
        default:
            break;
        }
    else
        switch (f6) {
        case 0x20:
            return b ? a / b : UINT32_MAX;
        case 0x21:
            return !b ? UINT32_MAX : (uint32_t)(sa / sb);
        case 0x22:
            return b ? a % b : a;
        case 0x23:
            return !b ? a : (uint32_t)(sa % sb);
        case 0x24:
            return (uint32_t)(ua * ub >> 32);
        case 0x25:
            return (uint32_t)(ua * ub);
        case 0x26:
            return (uint32_t)((uint64_t)(sa * (int64_t)ub) >> 32);
        case 0x27:
            return (uint32_t)((uint64_t)(sa * sb) >> 32);
        case 0x29:
            return (uint32_t)(ub * d + ua);
        case 0x2b:
            return (uint32_t)(ua - ub * d);
        case 0x2d:
            return (uint32_t)(ub * ua + d);
        case 0x2f:
            return (uint32_t)(d - ub * ua);
        default:
            break;
        }
    *known = false;
    return 0;
}

static void integers(void **state)
{
    (void)state;
    unsigned seen = 0;
    for (uint32_t product = 0; product < 2; product++)
        for (uint32_t f6 = 0; f6 < 64; f6++)
            for (size_t round = 0; round < often_rare(80); round++) {
                bool known;
                plain(f6, product, 1, 1, 1, &known);
                if (!known)
                    break;
                const bool scalar = round & 1, masked = round & 2;
                const uint32_t word =
                    vkit_opv(f6, (product ? 2u : 0u) + (scalar ? 4u : 0u), !masked, 5, 6, 7);
                vkit_make(&word, 1);
                struct ventus_warp *w = &vkit.warps[0];
                w->active = vkit_draw() & 0xff;
                w->x[6] = vkit_draw();
                for (uint32_t i = 0; i < THREADS; i++) {
                    w->v[5][i] = vkit_draw();
                    w->v[6][i] = vkit_draw();
                    w->v[7][i] = vkit_draw();
                    w->v[0][i] = vkit_draw();
                }
                const struct ventus_warp before = *w;
                assert_int_equal(vkit_step(), 0);
                for (uint32_t i = 0; i < THREADS; i++) {
                    const uint32_t b = scalar ? before.x[6] : before.v[6][i];
                    const bool on = before.active >> i & 1 && (!masked || (before.v[0][i] & 1));
                    const uint32_t want =
                        plain(f6, product, before.v[5][i], b, before.v[7][i], &known);
                    assert_int_equal(w->v[7][i], on ? want : before.v[7][i]);
                }
                seen++;
            }
    assert_true(seen >= 34 * 20);
}

/* RVV 1.0 section 11.4: vadc, vmadc, vsbc, vmsbc with a vector, a scalar, an immediate; carries in
 * bit 0 of each lane of v0, where there are any. */
static void carries(void **state)
{
    (void)state;
    for (uint32_t f6 = 0x10; f6 < 0x14; f6++)
        for (uint32_t f3 = 0; f3 <= 4; f3++)
            for (uint32_t vm = 0; vm < 2; vm++) {
                const uint32_t word = vkit_opv(f6, f3, vm, 5, 6, 7);
                const bool difference = f6 >= 0x12, out = f6 & 1;
                struct ventus_op op;
                const bool there = f3 == 0 || f3 == 4 || (f3 == 3 && !difference);
                /* vmv.x.s and its kin share funct6 with other functs; a sum itself needs v0. */
                if (f3 == 1 || f3 == 2)
                    continue;
                assert_int_equal(ventus_decode(word, NULL, &op), there && (out || !vm));
                for (int round = 0; round < 60 && there && (out || !vm); round++) {
                    vkit_make(&word, 1);
                    struct ventus_warp *w = &vkit.warps[0];
                    const uint32_t a = w->v[5][0] = vkit_draw(), x = w->x[6] = vkit_draw();
                    const uint32_t v = w->v[6][0] = vkit_draw(), m = w->v[0][0] = vkit_draw();
                    const uint64_t b = f3 == 0 ? v : f3 == 4 ? x : 6, c = vm ? 0 : m & 1;
                    assert_int_equal(vkit_step(), 0);
                    const uint64_t sum = a + b + c;
                    const bool borrow = a < b + c;
                    const uint32_t want = difference ? out ? borrow : (uint32_t)(a - b - c)
                                          : out ? sum > UINT32_MAX
                                                     : (uint32_t)sum;
                    assert_int_equal(w->v[7][0], want);
                }
            }
}

static void extensions(void **state)
{
    (void)state;
    static const struct {
        uint32_t vs1, in, out;
    } rows[] = {{4, 0xffffff80, 0x80},   {5, 0xffffff80, 0xffffff80}, {5, 0x7f, 0x7f},
                {6, 0xffff8000, 0x8000}, {7, 0x12348000, 0xffff8000}, {7, 0x7fff, 0x7fff}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const uint32_t word = vkit_opv(0x12, 2, 1, 5, rows[i].vs1, 7);
        vkit_make(&word, 1);
        vkit.warps[0].v[5][0] = rows[i].in;
        assert_int_equal(vkit_step(), 0);
        assert_int_equal(vkit.warps[0].v[7][0], rows[i].out);
    }
}

/* RVV 1.0 section 3.8 with its four roundings, at both sides of a tie. */
static void fixed_point(void **state)
{
    (void)state;
    /* 5 >> 1, 7 >> 1, 5 >> 2, 6 >> 2, 7 >> 2: to nearest up, to even, down, to odd */
    static const struct {
        uint32_t value, amount, result[4];
    } rows[] = {{5, 1, {3, 2, 2, 3}}, {7, 1, {4, 4, 3, 3}}, {5, 2, {1, 1, 1, 1}},
                {6, 2, {2, 2, 1, 1}}, {7, 2, {2, 2, 1, 1}}, {4, 2, {1, 1, 1, 1}}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
        for (uint32_t mode = 0; mode < 4; mode++) {
            const uint32_t word = vkit_opv(0x2a, 3, 1, 5, rows[r].amount, 7); /* vssrl.vi */
            vkit_make(&word, 1);
            vkit.warps[0].vxrm = mode;
            vkit.warps[0].v[5][0] = rows[r].value;
            assert_int_equal(vkit_step(), 0);
            assert_int_equal(vkit.warps[0].v[7][0], rows[r].result[mode]);
        }
    const uint32_t smul = vkit_opv(0x27, 0, 1, 5, 6, 7);
    vkit_make(&smul, 1);
    vkit.warps[0].v[5][0] = vkit.warps[0].v[6][0] = 0x80000000;
    vkit.warps[0].v[5][1] = vkit.warps[0].v[6][1] = 0x40000000;
    assert_int_equal(vkit_step(), 0);
    assert_int_equal(vkit.warps[0].v[7][0], 0x7fffffff);
    assert_int_equal(vkit.warps[0].v[7][1], 0x20000000);
    assert_int_equal(vkit.warps[0].vxsat, 1);
    /* The greatest and the least value are no saturation. */
    const uint32_t sadd = vkit_opv(0x21, 0, 1, 5, 6, 7);
    vkit_make(&sadd, 1);
    for (uint32_t lane = 0; lane < VENTUS_LANES; lane++) {
        vkit.warps[0].v[5][lane] = lane & 1 ? 0x80000001 : 0x7ffffffe;
        vkit.warps[0].v[6][lane] = lane & 1 ? UINT32_MAX : 1;
    }
    assert_int_equal(vkit_step(), 0);
    assert_int_equal(vkit.warps[0].v[7][0], 0x7fffffff);
    assert_int_equal(vkit.warps[0].v[7][1], 0x80000000);
    assert_int_equal(vkit.warps[0].vxsat, 0);
}

static void wide(void **state)
{
    (void)state;
    static const uint32_t f6[] = {0x30, 0x31, 0x32, 0x33, 0x38, 0x3a, 0x3b};
    for (size_t f = 0; f < sizeof f6 / sizeof *f6; f++)
        for (int round = 0; round < 50; round++) {
            const uint32_t word = vkit_opv(f6[f], 2, 1, 5, 6, 8);
            vkit_make(&word, 1);
            const uint32_t a = vkit.warps[0].v[5][0] = vkit_draw(),
                           b = vkit.warps[0].v[6][0] = vkit_draw();
            const uint64_t sa = (uint64_t)(int64_t)(int32_t)a, sb = (uint64_t)(int64_t)(int32_t)b;
            const uint64_t want[] = {(uint64_t)a + b, sa + sb, (uint64_t)a - b, sa - sb,
                                     (uint64_t)a * b, sa * b,  sa * sb};
            assert_int_equal(vkit_step(), 0);
            assert_int_equal(vkit.warps[0].v[8][0], (uint32_t)want[f]);
            assert_int_equal(vkit.warps[0].v[9][0], (uint32_t)(want[f] >> 32));
        }
    const uint32_t odd = vkit_opv(0x31, 2, 1, 5, 6, 9);
    vkit_make(&odd, 1);
    assert_int_equal(vkit_step(), 1);
    assert_string_equal(vkit.exec.error, "a pair of registers begins at an even one");
}

/* --- threads ---------------------------------------------------------------------------------- */

static uint32_t branch(uint32_t f3, int32_t offset)
{
    const uint32_t o = (uint32_t)offset;
    return (o >> 12 & 1) << 31 | (o >> 5 & 63) << 25 | 1u << 20 | 2u << 15 | f3 << 12 |
           (o >> 1 & 15) << 8 | (o >> 11 & 1) << 7 | 0x5b; /* v1 with v2 */
}

/* vbne v1, v2 to the last word, where a join stands; RPC is there, too. */
static void diverge(uint32_t jumping)
{
    const uint32_t words[] = {branch(1, 8), 0x00000013, 0x0000205b};
    vkit_make(words, 3);
    vkit.warps[0].rpc = VKIT_CODE + 8;
    for (uint32_t i = 0; i < THREADS; i++)
        vkit.warps[0].v[1][i] = jumping >> i & 1;
    assert_int_equal(vkit_step(), 0);
}

static void stack(void **state)
{
    (void)state;
    const struct ventus_warp *w = &vkit.warps[0];
    diverge(0);
    assert_int_equal(w->pc, VKIT_CODE + 4);
    assert_int_equal(w->depth, 0);
    diverge(0xff);
    assert_int_equal(w->pc, VKIT_CODE + 8);
    assert_int_equal(w->depth, 0);
    diverge(0x07); /* three jump, five stay: the three go first */
    assert_int_equal(w->pc, VKIT_CODE + 8);
    assert_int_equal(w->active, 0x07);
    assert_int_equal(w->depth, 2);
    assert_int_equal(w->stack[1].pc, VKIT_CODE + 4);
    assert_int_equal(w->stack[1].mask, 0xf8);
    assert_int_equal(w->stack[0].pc, VKIT_CODE + 8);
    assert_int_equal(w->stack[0].mask, 0xff);
    diverge(0x1f); /* five jump: the three that stay go first */
    assert_int_equal(w->pc, VKIT_CODE + 4);
    assert_int_equal(w->active, 0xe0);
    assert_int_equal(w->stack[1].pc, VKIT_CODE + 8);
    diverge(0x0f); /* as many: the else way first */
    assert_int_equal(w->pc, VKIT_CODE + 8);
    assert_int_equal(w->active, 0x0f);
    assert_int_equal(vkit_step(), 0); /* join: the others */
    assert_int_equal(w->pc, VKIT_CODE + 4);
    assert_int_equal(w->active, 0xf0);
    assert_int_equal(vkit_step(), 0);
    assert_int_equal(vkit_step(), 0); /* join: all of them, at the same place */
    assert_int_equal(w->pc, VKIT_CODE + 8);
    assert_int_equal(w->active, 0xff);
    assert_int_equal(w->depth, 0);
    assert_int_equal(vkit_step(), 0); /* nothing to take */
    assert_int_equal(w->pc, VKIT_CODE + 12);
}

static void barriers(void **state)
{
    (void)state;
    const uint32_t words[] = {0x0400400b, 0x0000400b};
    vkit_make(words, 2);
    assert_int_equal(vkit_step(), 0);
    assert_int_equal(vkit.warps[0].state, VENTUS_WAITS);
    assert_int_equal(vkit_step_warp(1), 0);
    assert_int_equal(vkit.warps[0].state, VENTUS_RUNS);
    assert_int_equal(vkit.warps[1].state, VENTUS_RUNS);
    vkit_make(words, 2); /* a warp that has ended is not waited for */
    assert_int_equal(vkit_step(), 0);
    vkit.warps[1].pc = VKIT_CODE + 4;
    assert_int_equal(vkit_step_warp(1), 0);
    assert_int_equal(vkit.warps[1].state, VENTUS_ENDED);
    assert_int_equal(vkit.warps[0].state, VENTUS_RUNS);
}

static void prefixes(void **state)
{
    (void)state;
    /* regext: rs2 + 1 * 32, rd + 2 * 32; vadd.vx v71, v37, x6. regexti: 1 * 32 + 3. */
    const uint32_t words[] = {(1u << 6 | 2u) << 20 | 0x200b, vkit_opv(0, 4, 1, 5, 6, 7),
                              (1u << 6) << 20 | 0x300b, vkit_opv(0, 3, 1, 5, 3, 8),
                              vkit_opv(0, 3, 1, 5, 31, 9)};
    vkit_make(words, 5);
    vkit.warps[0].v[37][0] = 40;
    vkit.warps[0].v[5][0] = 100;
    vkit.warps[0].x[6] = 2;
    for (int i = 0; i < 5; i++)
        assert_int_equal(vkit_step(), 0);
    assert_int_equal(vkit.warps[0].v[71][0], 42);
    assert_int_equal(vkit.warps[0].v[8][0], 135);
    assert_int_equal(vkit.warps[0].v[9][0], 99); /* without a prefix again: -1 */
}

static void private_words(void **state)
{
    (void)state;
    const uint32_t word = 4u << 20 | 1u << 15 | 2u << 12 | 3u << 7 | 0x2b; /* vlw.v v3, 4(v1) */
    vkit_make(&word, 1);
    assert_int_equal(vkit_step(), 1); /* no memory is there */
    assert_int_equal(ventus_memory_add(&vkit.memory, 0x90000000, 4096, 1), 0);
    for (uint32_t i = 0; i < 64; i++)
        memcpy(ventus_memory_at(&vkit.memory, 0x90000000 + 4 * i, 4), &(uint32_t){1000 + i}, 4);
    vkit_make(&word, 1);
    assert_int_equal(vkit_step(), 0);
    /* Word 1 of 2 * 8 threads: 16 words behind the first. */
    for (uint32_t i = 0; i < THREADS; i++)
        assert_int_equal(vkit.warps[0].v[3][i], 1016 + i);
    assert_int_equal(vkit_step_warp(1), 0);
    assert_int_equal(vkit.warps[1].v[3][0], 1024);
    ventus_memory_free(&vkit.memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers),    cmocka_unit_test(carries),  cmocka_unit_test(extensions),
        cmocka_unit_test(fixed_point), cmocka_unit_test(wide),     cmocka_unit_test(stack),
        cmocka_unit_test(barriers),    cmocka_unit_test(prefixes), cmocka_unit_test(private_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
