/* Every form against the oracle over the whole state, with both sets of bodies; faults; reported
 * reads and writes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "functional/kelvin/vector.h"
#include "tests/dice.h"
#include "tests/kelvin/oracle.h"
#include "tests/often.h"

enum { BASE = 0x1000, SIZE = 2048 };

struct world {
    struct kelvin_vector_state state;
    uint32_t x[32];
    uint8_t bytes[SIZE];
    struct riscv_memory memory;
};

/* Extremes are as frequent as all other values together. */
static uint32_t number(struct dice *dice)
{
    static const uint32_t extremes[] = {0,      1,      0xffffffff, 0x80000000, 0x7fffffff, 0x80,
                                        0x7f,   0xff,   0x8080,     0x7f7f,     0x8000,     0x7fff,
                                        0xffff, 0xfe01, 0x80808080, 0x7f7f7f7f, 0x80008000, 0x0f8};
    const uint32_t any = (uint32_t)dice_next(dice);
    switch (any >> 29) {
    case 0:
    case 1:
    case 2:
        return extremes[any % (sizeof extremes / sizeof *extremes)];
    case 3:
        return (any % 67) * 0x01010101u - 0x21212121u;
    case 4:
        return any % 67 - 33;
    default:
        return any;
    }
}

static void fill(struct world *world, struct dice *dice)
{
    uint32_t *words = (uint32_t *)&world->state;
    for (size_t i = 0; i < sizeof world->state / 4; i++)
        words[i] = number(dice);
    world->x[0] = 0;
    for (unsigned i = 1; i < 32; i++)
        world->x[i] = number(dice);
    for (size_t i = 0; i < SIZE; i++)
        world->bytes[i] = (uint8_t)dice_next(dice);
    world->memory = (struct riscv_memory){.bytes = world->bytes, .base = BASE, .size = SIZE};
}

/* Most ops are legal: groups aligned, accumulators and sources in valid registers. */
static struct kelvin_vop an_op(const struct kelvin_form *form, struct dice *dice)
{
    struct kelvin_operands operands;
    const bool wild = dice_below(dice, 8) == 0;
    for (unsigned i = 0; i < KELVIN_OPERAND_KINDS; i++) {
        const bool vector = i >= KELVIN_VD;
        uint64_t any = dice_below(dice, vector ? 64 : 32);
        if (vector && form->m && !wild)
            any &= ~UINT64_C(3);
        operands.at[i] = (uint8_t)any;
    }
    const unsigned family = form->family;
    if ((family == KELVIN_aconv || family == KELVIN_actr) && !wild)
        operands.at[KELVIN_VS] &= 48;
    if ((family == KELVIN_aconv || family == KELVIN_actr || family == KELVIN_acset ||
         family == KELVIN_vcget) &&
        !wild)
        operands.at[KELVIN_VD] = 48;
    struct kelvin_vop op;
    assert_true(kelvin_vector_decode(kelvin_vector_encode(form, &operands), &op));
    return op;
}

/* Scalars for which most loads, stores and convolutions are legal, including the ends of memory. */
static void aim(struct world *world, const struct kelvin_vop *op, struct dice *dice)
{
    const unsigned family = op->form->family;
    const unsigned s = op->operands.at[KELVIN_S], t = op->operands.at[KELVIN_T];
    if (family == KELVIN_vld || family == KELVIN_vst || family == KELVIN_vstq) {
        static const uint32_t amounts[] = {0, 1, 7, 8, 9, 16, 31, 32, 33, 63, 64, 127, 128, 129};
        world->x[t] = t ? amounts[dice_below(dice, 14)] : 0;
        if (dice_below(dice, 4) == 0)
            world->x[t] = t ? (uint32_t)-amounts[dice_below(dice, 14)] : 0;
        static const uint32_t edges[] = {0, SIZE - 32, SIZE - 128, SIZE - 1, SIZE};
        world->x[s] = (uint32_t)(BASE + (dice_below(dice, 3) ? dice_below(dice, SIZE)
                                                             : edges[dice_below(dice, 5)]));
        world->x[0] = 0;
    } else if (family == KELVIN_aconv && t && dice_below(dice, 8)) {
        const uint32_t start = (uint32_t)dice_below(dice, 8);
        const uint32_t stop = start + (uint32_t)dice_below(dice, 8 - start);
        world->x[t] = (world->x[t] & ~0xfffu) | start << 2 | stop << 7;
    } else if ((family == KELVIN_vdwconv || family == KELVIN_adwconv) && t && dice_below(dice, 8))
        world->x[t] = (world->x[t] & ~0xfu) | (uint32_t)dice_below(dice, 3) << 2;
}

static void compare(const struct world *world, const struct kelvin_oracle *oracle,
                    const struct kelvin_vop *op)
{
    if (memcmp(&world->state, &oracle->state, sizeof world->state) ||
        memcmp(world->x, oracle->x, sizeof world->x) ||
        memcmp(world->bytes, oracle->memory, SIZE)) {
        for (unsigned r = 0; r < KELVIN_REGISTERS; r++)
            for (unsigned i = 0; i < KELVIN_WORDS; i++)
                if (world->state.v[r].w[i] != oracle->state.v[r].w[i])
                    print_error("v%u.w[%u] is %08x, not %08x\n", r, i, world->state.v[r].w[i],
                                oracle->state.v[r].w[i]);
        fail_msg("%s vd %u vs %u vt %u vr %u s %u t %u", op->form->name, op->operands.at[KELVIN_VD],
                 op->operands.at[KELVIN_VS], op->operands.at[KELVIN_VT], op->operands.at[KELVIN_VR],
                 op->operands.at[KELVIN_S], op->operands.at[KELVIN_T]);
    }
}

static void campaign(const char *bodies)
{
    static struct world world, before;
    static struct kelvin_oracle oracle;
    const struct kelvin_form *forms;
    const size_t count = kelvin_forms(&forms);
    unsigned faults[5] = {0};
    if (!kelvin_vector_select(bodies))
        skip();
    for (size_t round = 0; round < often(60); round++) {
        struct dice dice = {round + 1};
        fill(&before, &dice);
        for (size_t i = 0; i < count; i++) {
            const struct kelvin_vop op = an_op(&forms[i], &dice);
            if (op.form->family > KELVIN_getvl)
                continue;
            aim(&before, &op, &dice);
            world = before;
            world.memory.bytes = world.bytes;
            oracle.state = world.state;
            memcpy(oracle.x, world.x, sizeof world.x);
            oracle.memory = malloc(SIZE);
            memcpy(oracle.memory, world.bytes, SIZE);
            oracle.base = BASE;
            oracle.size = SIZE;
            const enum kelvin_fault fault =
                kelvin_vector_execute(&world.state, world.x, &world.memory, &op);
            const enum kelvin_fault expected = kelvin_oracle_run(&oracle, &op);
            if (fault != expected)
                fail_msg("%s: fault %d, not %d", op.form->name, fault, expected);
            faults[fault]++;
            compare(&world, &oracle, &op);
            free(oracle.memory);
        }
    }
    for (unsigned i = 0; i < 5; i++)
        assert_true(faults[i] > 0);
    assert_true(faults[0] > 2 * (faults[1] + faults[2] + faults[3] + faults[4]));
    kelvin_vector_select(NULL);
}

static void test_plain(void **context)
{
    (void)context;
    campaign("plain");
}

static void test_avx2(void **context)
{
    (void)context;
    campaign("avx2");
}

/* State outside the reads has no influence; state outside the writes is unchanged. */
static void test_work(void **context)
{
    (void)context;
    static struct world before, one, two;
    const struct kelvin_form *forms;
    const size_t count = kelvin_forms(&forms);
    for (size_t round = 0; round < often(12); round++) {
        struct dice dice = {round + 77};
        for (size_t i = 0; i < count; i++) {
            struct kelvin_vector_work work;
            const struct kelvin_vop op = an_op(&forms[i], &dice);
            if (op.form->family > KELVIN_getvl)
                continue;
            if (i % 16 == 0)
                fill(&before, &dice);
            aim(&before, &op, &dice);
            one = two = before;
            one.memory.bytes = one.bytes;
            two.memory.bytes = two.bytes;
            kelvin_vector_work(&op, one.x, &work);
            for (unsigned r = 0; r < KELVIN_REGISTERS; r++)
                if (!(work.reads >> r & 1))
                    two.state.v[r].w[r % 8] ^= 0x10004001;
            for (unsigned r = 1; r < 32; r++)
                if (!(work.x_reads >> r & 1))
                    two.x[r] ^= 0x10;
            if (!work.accum_reads)
                two.state.accum[3].w[4] ^= 1;
            if (!work.dwacc_reads)
                two.state.dwacc[3].w[4] ^= 1;
            const enum kelvin_fault fault =
                kelvin_vector_execute(&one.state, one.x, &one.memory, &op);
            assert_int_equal(kelvin_vector_execute(&two.state, two.x, &two.memory, &op), fault);
            for (unsigned r = 0; r < KELVIN_REGISTERS; r++)
                if (fault || !(work.writes >> r & 1))
                    assert_memory_equal(&one.state.v[r], &before.state.v[r], KELVIN_BYTES);
                else if (memcmp(&one.state.v[r], &two.state.v[r], KELVIN_BYTES) != 0)
                    fail_msg("%s reads more for v%u", op.form->name, r);
            for (unsigned r = 1; r < 32; r++)
                if (!(work.x_writes >> r & 1))
                    assert_int_equal(one.x[r], before.x[r]);
                else
                    assert_int_equal(one.x[r], fault ? before.x[r] : two.x[r]);
            if (!work.accum_writes)
                assert_memory_equal(one.state.accum, before.state.accum, sizeof one.state.accum);
            if (!work.dwacc_writes)
                assert_memory_equal(one.state.dwacc, before.state.dwacc, sizeof one.state.dwacc);
            for (uint32_t n = 0; n < SIZE; n++) {
                bool inside = false;
                for (uint32_t k = 0; k < work.pieces; k++)
                    inside |= BASE + n - (work.address + k * work.stride) <
                              (k + 1 < work.pieces ? work.piece : work.last);
                if (fault || !work.store || !inside)
                    assert_int_equal(one.bytes[n], before.bytes[n]);
                else
                    assert_int_equal(one.bytes[n], two.bytes[n]);
            }
        }
    }
}

static struct kelvin_vop op_of(const char *name, struct kelvin_operands operands)
{
    const struct kelvin_form *form = kelvin_form_find(name, strlen(name));
    struct kelvin_vop op;
    assert_non_null(form);
    assert_true(kelvin_vector_decode(kelvin_vector_encode(form, &operands), &op));
    return op;
}

/* Both edges of the rules on register numbers. */
static void test_legal(void **context)
{
    (void)context;
    static const struct {
        const char *name;
        uint8_t vd, vs, vt, vr;
        bool legal;
    } cases[] = {
        {"vadd.b.vv", 63, 63, 63, 0, true},      {"vadd.b.vv.m", 60, 60, 60, 0, true},
        {"vadd.b.vv.m", 61, 60, 60, 0, false},   {"vadd.b.vv.m", 60, 58, 60, 0, false},
        {"vadd.b.vv.m", 60, 60, 1, 0, false},    {"vaddw.h.vv", 62, 63, 63, 0, true},
        {"vaddw.h.vv", 63, 63, 63, 0, false},    {"vaddw.h.vv.m", 56, 60, 60, 0, true},
        {"vaddw.h.vv.m", 60, 0, 0, 0, false},    {"vacc.w.vv", 0, 62, 63, 0, true},
        {"vacc.w.vv", 0, 63, 63, 0, false},      {"vsrans.b.vv", 63, 62, 63, 0, true},
        {"vsrans.b.vv", 63, 63, 63, 0, false},   {"vsraqs.b.vv", 63, 60, 63, 0, true},
        {"vsraqs.b.vv", 63, 61, 63, 0, false},   {"vsraqs.b.vv.m", 60, 48, 60, 0, true},
        {"vsraqs.b.vv.m", 60, 52, 60, 0, false}, {"vzip.w.vv", 62, 0, 0, 0, true},
        {"vzip.w.vv", 63, 0, 0, 0, false},       {"vmulw.b.vv", 0, 0, 0, 0, false},
        {"aconv.vxv", 48, 32, 0, 63, true},      {"aconv.vxv", 47, 32, 0, 8, false},
        {"aconv.vxv", 48, 33, 0, 8, false},      {"vcget", 48, 0, 0, 0, true},
        {"vcget", 56, 0, 0, 0, false},           {"acset.v", 48, 56, 0, 0, true},
        {"acset.v", 48, 57, 0, 0, false},        {"acset.v", 0, 0, 0, 0, false},
        {"actr.v", 48, 48, 0, 0, true},          {"actr.v", 48, 8, 0, 0, false},
        {"adwinit.v", 9, 60, 0, 0, true},        {"adwinit.v", 9, 61, 0, 0, false},
        {"vdwconv.vxv", 60, 63, 0, 61, true},    {"vdwconv.vxv", 61, 63, 0, 61, false},
        {"vdwconv.vxv", 60, 63, 0, 62, false},   {"adwconv.vxv", 63, 63, 0, 61, true},
        {"vld.w.x.m", 60, 0, 0, 0, true},        {"vld.w.x.m", 62, 0, 0, 0, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct kelvin_operands operands = {.at = {[KELVIN_VD] = cases[i].vd,
                                                        [KELVIN_VS] = cases[i].vs,
                                                        [KELVIN_VT] = cases[i].vt,
                                                        [KELVIN_VR] = cases[i].vr}};
        const struct kelvin_vop op = op_of(cases[i].name, operands);
        if (op.legal != cases[i].legal || op.legal != (kelvin_vector_illegal(&op) == NULL))
            fail_msg("%s, case %zu", cases[i].name, i);
    }
}

static void test_doubtful(void **context)
{
    (void)context;
    static const struct {
        const char *name;
        uint8_t vd, vs, vt;
        bool doubtful;
    } cases[] = {
        {"vsliden.b.1.vv", 1, 1, 2, true},  {"vsliden.b.1.vv", 2, 1, 2, true},
        {"vsliden.b.1.vv", 3, 1, 2, false}, {"vsliden.b.1.vx", 2, 1, 2, false},
        {"vzip.b.vv", 1, 2, 9, true},       {"vzip.b.vv", 1, 3, 9, false},
        {"vzip.b.vv.m", 8, 0, 12, true},    {"vzip.b.vv.m", 8, 0, 16, false},
        {"vadd.b.vv", 1, 1, 1, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct kelvin_operands operands = {.at = {[KELVIN_VD] = cases[i].vd,
                                                        [KELVIN_VS] = cases[i].vs,
                                                        [KELVIN_VT] = cases[i].vt,
                                                        [KELVIN_T] = cases[i].vt}};
        const struct kelvin_vop op = op_of(cases[i].name, operands);
        char text[300] = "", vd[8];
        assert_int_equal(kelvin_vector_doubtful(&op, text, sizeof text), cases[i].doubtful);
        snprintf(vd, sizeof vd, "v%u ", cases[i].vd); /* the actual operand, not the required one */
        assert_int_equal(strstr(text, vd) != NULL, cases[i].doubtful);
    }
}

/* From the reference: 8 rows of 32 bytes by 8 columns, reduced to bytes, are four rows of 8 bytes
 * per register, which vstq then stores with a stride. */
static void test_product(void **context)
{
    (void)context;
    static struct world world;
    struct dice dice = {5};
    fill(&world, &dice);
    memset(world.state.accum, 0, sizeof world.state.accum);
    for (unsigned i = 0; i < 16; i++)
        for (unsigned n = 0; n < KELVIN_BYTES; n++)
            world.state.v[i].b[n] = (uint8_t)dice_below(&dice, 2);
    uint32_t sums[8][8] = {{0}};
    for (unsigned y = 0; y < 8; y++)
        for (unsigned c = 0; c < 8; c++)
            for (unsigned k = 0; k < 32; k++)
                sums[y][c] +=
                    (uint32_t)world.state.v[y].b[k] * world.state.v[8 + k / 4].b[4 * c + k % 4];
    world.x[1] = 7 << 7;
    world.x[2] = 0;
    world.x[3] = BASE;
    world.x[4] = 100;
    static const struct {
        const char *name;
        struct kelvin_operands operands;
    } program[] = {
        {"aconv.vxv", {.at = {[KELVIN_VD] = 48, [KELVIN_T] = 1, [KELVIN_VR] = 8}}},
        {"vcget", {.at = {[KELVIN_VD] = 48}}},
        {"vsraqs.b.vx", {.at = {[KELVIN_VD] = 48, [KELVIN_VS] = 48, [KELVIN_T] = 2}}},
        {"vsraqs.b.vx", {.at = {[KELVIN_VD] = 49, [KELVIN_VS] = 52, [KELVIN_T] = 2}}},
        {"vstq.b.sp.xx", {.at = {[KELVIN_VD] = 48, [KELVIN_S] = 3, [KELVIN_T] = 4}}},
        {"vstq.b.sp.xx", {.at = {[KELVIN_VD] = 49, [KELVIN_S] = 3, [KELVIN_T] = 4}}},
    };
    for (size_t i = 0; i < sizeof program / sizeof *program; i++) {
        const struct kelvin_vop op = op_of(program[i].name, program[i].operands);
        assert_int_equal(kelvin_vector_execute(&world.state, world.x, &world.memory, &op), 0);
    }
    for (unsigned y = 0; y < 8; y++)
        for (unsigned c = 0; c < 8; c++)
            assert_int_equal(world.bytes[100 * y + c], sums[y][c]);
    assert_int_equal(world.x[3], BASE + 800);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain),    cmocka_unit_test(test_avx2),
        cmocka_unit_test(test_work),     cmocka_unit_test(test_legal),
        cmocka_unit_test(test_doubtful), cmocka_unit_test(test_product),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
