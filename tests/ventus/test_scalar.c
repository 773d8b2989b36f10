/*
 * Scalars, control registers, configuration, masks, widening sums: pairs of registers against
 * arithmetic in 64 bits, atomic operations by their definition, groups of two registers by hand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/often.h"
#include "tests/ventus/vkit.h"

enum { DATA = 0x40000000 };

static void pairs(void **state)
{
    (void)state;
    static const struct {
        uint32_t word, kind;
        bool immediate;
    } rows[] = {{0x0000003b, 0, false}, {0x4000003b, 1, false}, {0x0000103b, 2, false},
                {0x0000503b, 3, false}, {0x4000503b, 4, false}, {0x0000001b, 0, true},
                {0x0000101b, 2, true},  {0x0000501b, 3, true},  {0x4000501b, 4, true}};
    for (size_t n = 0; n < often(2000); n++) {
        const size_t row = n % 9;
        const uint32_t amount = (uint32_t)(vkit_random() & 63);
        const int32_t imm = (int32_t)(vkit_random() & 4095) - 2048;
        uint32_t word = rows[row].word | 10u << 15 | 14u << 7;
        word |= !rows[row].immediate ? 12u << 20
                : rows[row].kind     ? amount << 20
                                     : (uint32_t)imm << 20;
        vkit_make(&word, 1);
        struct ventus_warp *w = &vkit.warps[0];
        for (uint32_t r = 10; r < 14; r++)
            w->x[r] = vkit_draw();
        const uint64_t a = (uint64_t)w->x[11] << 32 | w->x[10];
        const uint64_t b = !rows[row].immediate ? (uint64_t)w->x[13] << 32 | w->x[12]
                           : rows[row].kind     ? amount
                                                : (uint64_t)(int64_t)imm;
        assert_int_equal(vkit_step(), 0);
        /* Arithmetic shifts by division, which rounds down. */
        const uint64_t fill = a >> 63 && b % 64 ? ~(UINT64_MAX >> b % 64) : 0;
        const uint64_t results[] = {a + b, a - b, a << b % 64, a >> b % 64, a >> b % 64 | fill};
        assert_int_equal(w->x[14], (uint32_t)results[rows[row].kind]);
        assert_int_equal(w->x[15], (uint32_t)(results[rows[row].kind] >> 32));
    }
    for (uint32_t odd = 0; odd < 3; odd++) { /* each operand */
        const uint32_t word = 0x0000003b | (10u + (odd == 0)) << 15 | (12u + (odd == 1)) << 20 |
                              (14u + (odd == 2)) << 7;
        vkit_make(&word, 1);
        assert_int_equal(vkit_step(), 1);
        assert_string_equal(vkit.exec.error, "a pair of registers begins at an even one");
    }
}

static uint32_t changed(uint32_t funct5, uint32_t old, uint32_t operand)
{
    const bool less = (int32_t)old < (int32_t)operand;
    switch (funct5) {
    case 0x00:
        return old + operand;
    case 0x01:
        return operand;
    case 0x04:
        return old ^ operand;
    case 0x08:
        return old | operand;
    case 0x0c:
        return old & operand;
    case 0x10:
        return less ? old : operand;
    case 0x14:
        return less ? operand : old;
    case 0x18:
        return old < operand ? old : operand;
    default:
        return old < operand ? operand : old;
    }
}

/* .w with an address in a register, .d with one in a pair; words of 32 bits both. */
static void atomic_operations(void **state)
{
    (void)state;
    static const uint32_t list[] = {0, 1, 4, 8, 0xc, 0x10, 0x14, 0x18, 0x1c};
    uint8_t *memory = vkit_memory(DATA, 4096, 4096);
    for (size_t n = 0; n < often(1000); n++) {
        const uint32_t funct5 = list[n % 9], wide = n / 9 & 1;
        const uint32_t word = funct5 << 27 | 12u << 20 | 10u << 15 | (2u + wide) << 12 | 8u << 7 |
                              0x2f | (uint32_t)(vkit_random() & 3) << 25; /* aq, rl */
        vkit_make(&word, 1);
        struct ventus_warp *w = &vkit.warps[0];
        const uint32_t old = vkit_draw(), operand = w->x[12] = vkit_draw();
        memcpy(memory + 64, &old, 4);
        w->x[10] = DATA + 64;
        w->x[11] = 0;
        assert_int_equal(vkit_step(), 0);
        uint32_t now;
        memcpy(&now, memory + 64, 4);
        assert_int_equal(w->x[8], old);
        assert_int_equal(now, changed(funct5, old, operand));
        assert_true(vkit.effect.access.atomic);
    }
    /* lr, sc: once, at the address of the lr. */
    const uint32_t code[] = {0x1000202f | 10u << 15 | 8u << 7,
                             0x1800202f | 12u << 20 | 10u << 15 | 9u << 7,
                             0x1800202f | 12u << 20 | 10u << 15 | 9u << 7};
    for (uint32_t other = 0; other < 2; other++) {
        vkit_make(code, 3);
        struct ventus_warp *w = &vkit.warps[0];
        const uint32_t old = 5;
        memcpy(memory + 64, &old, 4);
        w->x[10] = DATA + 64;
        w->x[12] = 77;
        assert_int_equal(vkit_step(), 0);
        assert_int_equal(w->x[8], 5);
        w->x[10] += 4 * other;
        assert_int_equal(vkit_step(), 0);
        assert_int_equal(w->x[9], other);
        assert_int_equal(memory[64], other ? 5 : 77);
        assert_int_equal(vkit_step(), 0);
        assert_int_equal(w->x[9], 1);
    }
    vkit_free();
}

static uint32_t csr(uint32_t funct3, uint32_t rd, uint32_t number, uint32_t rs1)
{
    return number << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | 0x73;
}

static void control_registers(void **state)
{
    (void)state;
    uint32_t code[16];
    for (uint32_t i = 0; i < 13; i++)
        code[i] = csr(2, 10 + i, 0x800 + i, 0);
    code[13] = csr(2, 30, 0xc22, 0); /* vlenb */
    vkit_make(code, 14);
    vkit.launch.grid[0] = 3;
    vkit.launch.grid[1] = 2;
    vkit.launch.grid[2] = 2;
    vkit.launch.metadata = 0x1234;
    vkit.launch.local = 256;
    vkit.launch.private_base = 0x5000;
    vkit.group.warps = vkit.warps;
    ventus_group_start(&vkit.exec, &vkit.group, 10, 3); /* (1, 1, 1), in slot 3 */
    vkit.warps[1].rpc = 99;
    for (int i = 0; i < 14; i++)
        assert_int_equal(vkit_step_warp(1), 0);
    const uint32_t want[] = {
        8, 2, 8, 0x1234, 3, 1, 0x70000000 + 3 * 256, 0x5000 + 10 * 16 * 64 + 8 * 4, 1, 1, 1, 0, 99};
    for (uint32_t i = 0; i < 13; i++)
        assert_int_equal(vkit.warps[1].x[10 + i], want[i]);
    assert_int_equal(vkit.warps[1].x[30], 4 * 8);
    /* Write, set, clear, by register and immediate; what is read-only cannot be written. */
    const uint32_t writes[] = {csr(1, 5, 0x80c, 6),  csr(2, 5, 0x80c, 7),  csr(3, 5, 0x80c, 8),
                               csr(5, 5, 0x80c, 21), csr(6, 5, 0x80c, 10), csr(7, 5, 0x80c, 1)};
    vkit_make(writes, 6);
    struct ventus_warp *w = &vkit.warps[0];
    w->x[6] = 0xf0;
    w->x[7] = 0x0f;
    w->x[8] = 0x81;
    static const uint32_t after[] = {0xf0, 0xff, 0x7e, 21, 31, 30},
                          before[] = {0, 0xf0, 0xff, 0x7e, 21, 31};
    for (int i = 0; i < 6; i++) {
        assert_int_equal(vkit_step(), 0);
        assert_int_equal(w->rpc, after[i]);
        assert_int_equal(w->x[5], before[i]);
    }
    const uint32_t refused[] = {csr(1, 0, 0x800, 6), csr(2, 5, 0x7ff, 0)};
    for (int i = 0; i < 2; i++) {
        vkit_make(&refused[i], 1);
        assert_int_equal(vkit_step(), 1);
    }
}

/* VS (bits 9, 10) and FS (13, 14) are dirty when they are on; bit 31 says that one is, and is not
 * written. */
static void status_of_registers(void **state)
{
    (void)state;
    static const uint32_t rows[][2] = {{0, 0},
                                       {0x80000000, 0},
                                       {1 << 9, 3 << 9 | 0x80000000},
                                       {1 << 13, 3 << 13 | 0x80000000},
                                       {2 << 9 | 1 << 14 | 8, 3 << 9 | 3 << 13 | 0x80000008},
                                       {8, 8}};
    const uint32_t code[] = {csr(1, 0, 0x300, 6), csr(2, 5, 0x300, 0)};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        vkit_make(code, 2);
        vkit.warps[0].x[6] = rows[i][0];
        assert_int_equal(vkit_step(), 0);
        assert_int_equal(vkit_step(), 0);
        assert_int_equal(vkit.warps[0].x[5], rows[i][1]);
    }
}

/* vsetvli with e32, m1 and m2; sums over both registers of a group; other types when used. */
static void configuration(void **state)
{
    (void)state;
    static const struct {
        uint32_t type, wanted, vl;
    } rows[] = {{0xd0, 5, 5}, {0xd0, 8, 8},   {0xd0, 9, 8},
                {0xd1, 9, 9}, {0xd1, 16, 16}, {0xd1, 17, 16}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const uint32_t code[] = {rows[i].type << 20 | 5u << 15 | 7u << 12 | 6u << 7 | 0x57,
                                 vkit_opv(0, 4, 1, 2, 7, 4)}; /* vadd.vx v4, v2, x7 */
        vkit_make(code, 2);
        struct ventus_warp *w = &vkit.warps[0];
        w->x[5] = rows[i].wanted;
        w->x[7] = 1;
        for (uint32_t lane = 0; lane < 8; lane++) {
            w->v[2][lane] = 100 + lane;
            w->v[3][lane] = 200 + lane;
        }
        assert_int_equal(vkit_step(), 0);
        assert_int_equal(w->x[6], rows[i].vl);
        assert_int_equal(vkit_step(), 0);
        for (uint32_t k = 0; k < 16; k++)
            assert_int_equal(w->v[4 + k / 8][k % 8],
                             k < rows[i].vl ? 101 + 100 * (k / 8) + k % 8 : 0);
    }
    static const uint32_t types[] = {0xc8, 0xd2, 0xd8, 0xc0}; /* e16; m4; e64; e8 */
    for (size_t i = 0; i < 4; i++) {
        const uint32_t code[] = {types[i] << 20 | 5u << 15 | 7u << 12 | 6u << 7 | 0x57,
                                 vkit_opv(0, 4, 1, 2, 7, 4)};
        vkit_make(code, 2);
        assert_int_equal(vkit_step(), 0);
        assert_int_equal(vkit_step(), 1);
        assert_non_null(strstr(vkit.exec.error, "vtype is not supported by Ventus"));
    }
}

/* Masks lane by lane; vmerge, vid, vmv.x.s and vmv.s.x with what the manual changes. */
static void masks(void **state)
{
    (void)state;
    for (uint32_t f6 = 0x18; f6 < 0x20; f6++) {
        const uint32_t word = vkit_opv(f6, 2, 1, 4, 5, 6);
        vkit_make(&word, 1);
        struct ventus_warp *w = &vkit.warps[0];
        for (uint32_t i = 0; i < 4; i++) {
            w->v[4][i] = i & 1;
            w->v[5][i] = i >> 1;
        }
        assert_int_equal(vkit_step(), 0);
        /* vmandn, vmand, vmor, vmxor, vmorn, vmnand, vmnor, vmxnor of vs2 and vs1 */
        static const uint32_t truth[8][4] = {{0, 1, 0, 0}, {0, 0, 0, 1}, {0, 1, 1, 1},
                                             {0, 1, 1, 0}, {1, 1, 0, 1}, {1, 1, 1, 0},
                                             {1, 0, 0, 0}, {1, 0, 0, 1}};
        for (uint32_t i = 0; i < 4; i++)
            assert_int_equal(w->v[6][i], truth[f6 - 0x18][i]);
    }
    const uint32_t code[] = {vkit_opv(0x17, 4, 0, 4, 7, 6), vkit_opv(0x14, 2, 1, 0, 17, 8),
                             vkit_opv(0x10, 2, 1, 4, 0, 9), vkit_opv(0x10, 6, 1, 0, 7, 10)};
    vkit_make(code, 4);
    struct ventus_warp *w = &vkit.warps[0];
    w->active = 0x3f;
    w->x[7] = 42;
    for (uint32_t i = 0; i < 8; i++) {
        w->v[0][i] = i & 1 ? 3 : 2; /* bit 0 counts */
        w->v[4][i] = 10 + i;
        w->v[8][i] = w->v[10][i] = 1000;
    }
    for (int i = 0; i < 4; i++)
        assert_int_equal(vkit_step(), 0);
    for (uint32_t i = 0; i < 6; i++) {
        assert_int_equal(w->v[6][i], i & 1 ? 42 : 10 + i);
        assert_int_equal(w->v[8][i], i);
        assert_int_equal(w->v[10][i], 42); /* vmv.s.x writes each lane */
    }
    assert_int_equal(w->x[9], 15); /* vmv.x.s: the last active lane stays */
    assert_int_equal(w->v[8][6], 1000);
}

/* Sums of products of 64 bits, and sources of 64 bits with scalars of 32. */
static void widening(void **state)
{
    (void)state;
    for (size_t n = 0; n < often(1000); n++) {
        static const struct {
            uint32_t f6, f3;
        } rows[] = {{0x3c, 2}, {0x3d, 2}, {0x3e, 6}, {0x3f, 2}, {0x34, 2},
                    {0x35, 6}, {0x36, 6}, {0x37, 2}, {0x34, 6}};
        const size_t row = n % 9;
        const uint32_t word = vkit_opv(rows[row].f6, rows[row].f3, 1, 4, 6, 8);
        vkit_make(&word, 1);
        struct ventus_warp *w = &vkit.warps[0];
        for (uint32_t r = 4; r < 10; r++)
            w->v[r][0] = vkit_draw();
        w->x[6] = vkit_draw();
        const bool scalar = rows[row].f3 == 6;
        const uint32_t a = w->v[4][0], b = scalar ? w->x[6] : w->v[6][0];
        const uint64_t d = (uint64_t)w->v[9][0] << 32 | w->v[8][0];
        const uint64_t wide_a = (uint64_t)w->v[5][0] << 32 | a;
        const uint64_t sa = (uint64_t)(int64_t)(int32_t)a, sb = (uint64_t)(int64_t)(int32_t)b;
        const uint64_t wide_b =
            scalar ? rows[row].f6 & 1 ? sb : b : (uint64_t)w->v[7][0] << 32 | w->v[6][0];
        /* vwmaccus: the scalar is unsigned; vwmaccsu: vs1 is signed */
        const uint64_t want = rows[row].f6 == 0x3c   ? (uint64_t)a * b + d
                              : rows[row].f6 == 0x3d ? sa * sb + d
                              : rows[row].f6 == 0x3e ? sa * b + d
                              : rows[row].f6 == 0x3f ? a * sb + d
                              : rows[row].f6 < 0x36  ? wide_a + wide_b
                                                     : wide_a - wide_b;
        assert_int_equal(vkit_step(), 0);
        assert_int_equal((uint64_t)w->v[9][0] << 32 | w->v[8][0], want);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs),
        cmocka_unit_test(atomic_operations),
        cmocka_unit_test(control_registers),
        cmocka_unit_test(status_of_registers),
        cmocka_unit_test(configuration),
        cmocka_unit_test(masks),
        cmocka_unit_test(widening),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
