/*
 * The vector kernels against the plain C code, in the manner of checkasm: every operation,
 * precision and port option, operands that favour the edges, lengths that leave tails. Each set of
 * kernels that this host can run is tested. The plain C code itself stands against the exact oracle
 * elsewhere.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "functional/mncore2/arith.h"
#include "functional/mncore2/arith_kernels.h"
#include "functional/mncore2/arith_select.h"
#include "tests/dice.h"

enum { LANES = 100, ROUNDS = 60 };

static const char *const kernel_names[] = {"avx2"};

static struct dice dice = {1};

static unsigned below(unsigned n)
{
    return (unsigned)dice_below(&dice, n);
}

struct layout {
    unsigned width, man, inf;
};

static struct layout layout_of(uint8_t prec)
{
    switch (prec) {
    case PREC_D:
    case PREC_L:
        return (struct layout){64, 52, 0x7ff};
    case PREC_H:
    case PREC_S:
        return (struct layout){16, 9, 0x3f};
    default:
        return (struct layout){32, 23, 0xff};
    }
}

/* How wild a fill is. Vector kernels hand whole chunks back when they meet infinities, so most
 * fills must do without. */
enum fill { FILL_NEAR, FILL_WIDE, FILL_EDGE, FILL_BITS, FILL_COUNT };

static uint64_t element(const struct layout *l, enum fill fill)
{
    const unsigned bias = l->inf / 2;
    const uint64_t man_mask = ((uint64_t)1 << l->man) - 1;
    uint64_t man = dice_next(&dice) & man_mask;
    switch (below(8)) {
    case 0:
        man = 0;
        break;
    case 1:
        man = man_mask;
        break;
    case 2:
        man = (uint64_t)1 << below(l->man);
        break;
    case 3:
        man = man_mask ^ (uint64_t)1 << below(l->man);
        break;
    case 4:
        man &= man_mask << below(l->man);
        break;
    default:
        break;
    }
    uint64_t exponent = bias - 2 + below(5);
    if (fill == FILL_WIDE)
        exponent = 1 + dice_next(&dice) % (l->inf - 1);
    if (fill == FILL_EDGE)
        switch (below(6)) {
        case 0:
            exponent = 1 + below(3);
            break;
        case 1:
            exponent = l->inf - 1 - below(3);
            break;
        case 2:
            exponent = bias / 2 + below(3);
            break;
        case 3:
            exponent = bias + bias / 2 + below(3);
            break;
        default:
            break;
        }
    if (below(16) == 0 && fill != FILL_BITS)
        exponent = man = 0;
    if (fill == FILL_BITS) {
        exponent = below(3) == 0 ? 0 : below(3) == 0 ? l->inf : dice_next(&dice) & l->inf;
        if (below(4) == 0)
            man = below(4);
    }
    return (dice_next(&dice) & 1) << (l->width - 1) | exponent << l->man | man;
}

static uint64_t long_word(uint8_t prec, enum fill fill)
{
    const struct layout l = layout_of(prec);
    uint64_t value = 0;
    for (unsigned at = 0; at < 64; at += l.width)
        value |= element(&l, fill) << at;
    return value;
}

struct bus {
    uint64_t half[2][LANES];
    const uint64_t *in[2];
};

static void fill_bus(struct bus *bus, uint8_t prec, enum fill fill)
{
    for (unsigned k = 0; k < 2; k++) {
        for (size_t i = 0; i < LANES; i++)
            bus->half[k][i] = long_word(prec, fill);
        bus->in[k] = bus->half[k];
    }
    if (below(12) == 0)
        bus->in[1] = NULL;
}

static const size_t lengths[] = {4, 8, 12, 32, 36, 64, LANES};

static size_t length_of(void)
{
    return lengths[below(sizeof lengths / sizeof *lengths)];
}

struct outputs {
    uint64_t half[2][LANES];
    uint8_t flags[LANES];
};

static void assert_same(const struct outputs *want, const struct outputs *got, size_t lanes)
{
    for (unsigned k = 0; k < 2; k++)
        for (size_t i = 0; i < lanes; i++)
            if (want->half[k][i] != got->half[k][i])
                fail_msg("%s: half %u, lane %zu: %016llx, plain C has %016llx",
                         mncore2_arith_selected(), k, i, (unsigned long long)got->half[k][i],
                         (unsigned long long)want->half[k][i]);
    assert_memory_equal(want->flags, got->flags, lanes);
    /* nothing past the lanes */
    for (size_t i = lanes; i < LANES; i++) {
        assert_true(got->half[0][i] == 0x5a5a && got->half[1][i] == 0x5a5a);
        assert_int_equal(got->flags[i], 0x5a);
    }
}

static void clear(struct outputs *o)
{
    for (size_t i = 0; i < LANES; i++) {
        o->half[0][i] = o->half[1][i] = 0x5a5a;
        o->flags[i] = 0x5a;
    }
}

static void check_mau(const struct mau_op *op, size_t lanes, const uint64_t *matrix,
                      const struct bus *x, const struct bus *y, const struct bus *z)
{
    struct outputs want, got;
    uint64_t *const wanted[2] = {want.half[0], want.half[1]};
    uint64_t *const both[2] = {got.half[0], got.half[1]}, *const upper[2] = {got.half[0], NULL};
    struct mau_io io = {lanes, matrix, x->in, y->in, z->in, wanted, want.flags};
    clear(&want);
    clear(&got);
    mncore2_mau_reference(op, &io);
    io.out = both;
    io.flags = got.flags;
    mncore2_mau_cycle(op, &io);
    assert_same(&want, &got, lanes);
    /* without flags, without the LSB half */
    clear(&got);
    io.out = upper;
    io.flags = NULL;
    mncore2_mau_cycle(op, &io);
    assert_memory_equal(want.half[0], got.half[0], lanes * sizeof *got.half[0]);
}

/* z close to -x*y, so that the sum cancels down to the correction term. */
static void cancel(const struct mau_op *op, const struct bus *x, const struct bus *y, struct bus *z)
{
    struct mau_op product = *op;
    uint64_t result[2][LANES];
    product.insn = INSN_VMUL;
    product.reduce = false;
    uint64_t *const out[2] = {result[0], result[1]};
    mncore2_mau_reference(
        &product, &(struct mau_io){.lanes = LANES, .x = x->in, .y = y->in, .z = z->in, .out = out});
    const uint64_t signs = op->prec == PREC_D ? (uint64_t)1 << 63 : 0x8000000080000000;
    for (unsigned k = 0; k < 2; k++)
        for (size_t i = 0; i < LANES; i++)
            if (below(2) == 0)
                z->half[k][i] = (result[k][i] ^ signs) + (below(3) == 0 ? below(3) : 0);
}

static void each_kernel(void (*body)(void))
{
    unsigned found = 0;
    for (size_t i = 0; i < sizeof kernel_names / sizeof *kernel_names; i++)
        if (mncore2_arith_select_name(kernel_names[i])) {
            found++;
            body();
        }
    mncore2_arith_select(false);
    if (found == 0)
        skip();
}

static void vector_body(void)
{
    static const uint8_t insns[] = {INSN_VFMA, INSN_VMUL, INSN_VADD, INSN_VPASSA};
    static const uint8_t precs[] = {PREC_D, PREC_F, PREC_H};
    for (unsigned round = 0; round < ROUNDS * 4; round++)
        for (size_t p = 0; p < 3; p++)
            for (size_t i = 0; i < 4; i++) {
                const enum fill fill = (enum fill)(round % FILL_COUNT);
                const uint8_t prec = precs[p];
                struct mau_op op = {.insn = insns[i], .prec = prec};
                op.lower = below(2) != 0;
                op.reduce = prec != PREC_F && below(3) == 0;
                uint16_t *const ports[3] = {&op.x, &op.y, &op.z};
                uint8_t at_port[3] = {prec, prec, prec};
                for (unsigned k = 0; k < 3; k++) {
                    const bool adds = insns[i] == INSN_VADD ? k == 1 : k == 2;
                    *ports[k] = below(2) != 0 ? OPERAND_NEGATE : 0;
                    if (prec == PREC_H && adds)
                        at_port[k] = PREC_F;
                    if (below(4) != 0)
                        continue;
                    if (prec == PREC_H && !adds) {
                        *ports[k] |= OPERAND_REDUCE;
                        at_port[k] = PREC_F;
                    } else {
                        *ports[k] |= OPERAND_EXTEND;
                        at_port[k] = prec == PREC_D ? PREC_F : PREC_H;
                    }
                }
                struct bus x, y, z;
                fill_bus(&x, at_port[0], fill);
                fill_bus(&y, at_port[1], fill);
                fill_bus(&z, at_port[2], fill);
                if (insns[i] == INSN_VFMA && (op.z & OPERAND_EXTEND) == 0 && below(2) == 0)
                    cancel(&op, &x, &y, &z);
                check_mau(&op, length_of(), NULL, &x, &y, &z);
            }
}

static void vector_kernels(void **unused)
{
    (void)unused;
    each_kernel(vector_body);
}

/* Block float of valid operands; now and then bits as they come. */
static void block_bus(struct bus *bus, uint8_t prec, enum fill fill, unsigned kind)
{
    fill_bus(bus, prec, fill);
    bus->in[1] = bus->half[1];
    if (kind == 0)
        return;
    const struct alu_op op = {.insn = prec == PREC_H && kind > 1 ? INSN_BFE : INSN_BFN,
                              .prec = prec,
                              .mantissa = (uint8_t)(6 + below(4))};
    uint64_t out[2][LANES];
    mncore2_alu_reference(&op, LANES, bus->in, NULL, (uint64_t *const[]){out[0], out[1]}, NULL);
    memcpy(bus->half, out, sizeof out);
}

static void matrix_body(void)
{
    static const uint8_t precs[] = {PREC_D, PREC_F, PREC_G, PREC_H};
    static uint64_t matrix[LANES / 4 * 64];
    for (unsigned round = 0; round < ROUNDS * 2; round++)
        for (size_t p = 0; p < 4; p++) {
            const uint8_t prec = precs[p];
            const enum fill fill = (enum fill)(round / 2 % FILL_COUNT);
            const unsigned kind = below(4);
            struct mau_op op = {.insn = below(4) == 0 ? INSN_MMUL : INSN_MFMA, .prec = prec};
            op.lower = below(2) != 0;
            op.reduce = (prec == PREC_D || prec == PREC_H) && below(3) == 0;
            op.x = below(2) != 0 ? OPERAND_NEGATE : 0;
            op.y = below(2) != 0 ? OPERAND_NEGATE : 0;
            struct bus x, y;
            for (unsigned row = 0; row < 16; row++) {
                block_bus(&x, prec, fill, kind);
                for (size_t lane = 0; lane < LANES; lane++)
                    matrix[64 * (lane / 4) + 4 * row + lane % 4] = x.half[0][lane];
            }
            block_bus(&x, prec, fill, below(8) == 0 ? 0 : kind);
            uint8_t y_prec = prec == PREC_D ? PREC_D : PREC_F;
            if (below(4) == 0) {
                op.y |= OPERAND_EXTEND;
                y_prec = prec == PREC_D ? PREC_F : PREC_H;
            }
            fill_bus(&y, y_prec, fill);
            const struct mau_op product = {.insn = INSN_MMUL, .prec = prec, .x = op.x ^ op.y};
            uint64_t *const out[2] = {y.half[0], y.half[1]};
            if ((op.y & OPERAND_EXTEND) == 0 && below(3) == 0)
                mncore2_mau_reference(
                    &product,
                    &(struct mau_io){.lanes = LANES, .matrix = matrix, .x = x.in, .out = out});
            check_mau(&op, length_of(), matrix, &x, &y, &y);
        }
}

static void matrix_kernels(void **unused)
{
    (void)unused;
    each_kernel(matrix_body);
}

static void alu_body(void)
{
    static const uint8_t precs[] = {PREC_D, PREC_F, PREC_G, PREC_H, PREC_L, PREC_I, PREC_S};
    for (unsigned round = 0; round < ROUNDS; round++)
        for (size_t p = 0; p < 7; p++)
            for (unsigned insn = INSN_ZERO; insn <= INSN_ILRELUD; insn++)
                for (unsigned uns = 0; uns < 2; uns++) {
                    if ((insn == INSN_BFN && precs[p] >= PREC_L) ||
                        (insn == INSN_BFE && precs[p] != PREC_H))
                        continue;
                    struct alu_op op = {.insn = (uint8_t)insn, .prec = precs[p], .uns = uns != 0};
                    op.mantissa = (uint8_t)(6 + below(4));
                    op.imm = (uint32_t)dice_next(&dice);
                    if (below(8) == 0)
                        op.x = OPERAND_REDUCE;
                    if (below(8) == 0)
                        op.y = OPERAND_REDUCE;
                    struct bus x, y;
                    fill_bus(&x, precs[p], (enum fill)(round % FILL_COUNT));
                    fill_bus(&y, precs[p], (enum fill)(below(FILL_COUNT)));
                    for (size_t i = 0; i < LANES; i++) {
                        if (below(4) == 0)
                            y.half[0][i] = x.half[0][i];
                        if (below(8) == 0)
                            x.half[0][i] = below(2) != 0 ? 0 : ~(uint64_t)0;
                        if (below(4) == 0) /* amounts that shift */
                            y.half[0][i] &= 0x00ff00ff00ff00ff;
                    }
                    struct outputs want, got;
                    const size_t lanes = length_of();
                    clear(&want);
                    clear(&got);
                    mncore2_alu_reference(&op, lanes, x.in, y.in,
                                          (uint64_t *const[]){want.half[0], want.half[1]},
                                          want.flags);
                    mncore2_alu_cycle(&op, lanes, x.in, y.in,
                                      (uint64_t *const[]){got.half[0], got.half[1]}, got.flags);
                    assert_same(&want, &got, lanes);
                }
}

static void alu_kernels(void **unused)
{
    (void)unused;
    each_kernel(alu_body);
}

static void rrn_body(void)
{
    static const uint8_t floats[] = {PREC_D, PREC_F, PREC_H};
    static const uint8_t ints[] = {PREC_L, PREC_I, PREC_S};
    static const size_t sizes[] = {2, 4, 8};
    static uint64_t data[16][LANES];
    const uint64_t *src[16];
    for (unsigned round = 0; round < ROUNDS * 8; round++)
        for (uint8_t rrn = RRN_FADD; rrn <= RRN_OR; rrn++)
            for (size_t p = 0; p < 3; p++) {
                const uint8_t prec = rrn <= RRN_MIN ? floats[p] : ints[p];
                const enum fill fill = (enum fill)(round % FILL_COUNT);
                const size_t n = sizes[below(3)], count = 1 + below(LANES);
                for (unsigned s = 0; s < 16; s++) {
                    src[s] = data[s];
                    for (size_t i = 0; i < count; i++)
                        data[s][i] = below(8) == 0 && s > 0
                                         ? data[s - 1][i] ^ (uint64_t)below(2) << 63
                                         : long_word(prec, fill);
                }
                uint64_t want[LANES], got[LANES + 1];
                mncore2_rrn_reference((struct rrn_op){rrn, prec, false}, n, count, src, want);
                got[count] = 0x5a5a;
                mncore2_rrn_stage(rrn, prec, n, count, src, got);
                assert_memory_equal(want, got, count * sizeof *got);
                assert_true(got[count] == 0x5a5a);
                if (prec != PREC_F)
                    continue;
                mncore2_rrn_reference((struct rrn_op){rrn, prec, true}, 4, count, src, want);
                mncore2_rrn_l1bm((struct rrn_op){rrn, prec, true}, 4, count, src, got);
                assert_memory_equal(want, got, count * sizeof *got);
                /* two stages: whatever the kernels, the same */
                const char *const name = mncore2_arith_selected();
                mncore2_rrn_l1bm((struct rrn_op){rrn, prec, (round & 1) != 0}, 16, count, src, got);
                mncore2_arith_select(true);
                mncore2_rrn_l1bm((struct rrn_op){rrn, prec, (round & 1) != 0}, 16, count, src,
                                 want);
                assert_true(mncore2_arith_select_name(name));
                assert_memory_equal(want, got, count * sizeof *got);
            }
}

static void rrn_kernels(void **unused)
{
    (void)unused;
    each_kernel(rrn_body);
}

static void selection(void **unused)
{
    (void)unused;
    mncore2_arith_select(true);
    assert_string_equal(mncore2_arith_selected(), "reference");
    assert_false(mncore2_arith_select_name("no such kernels"));
    assert_string_equal(mncore2_arith_selected(), "reference");
    assert_true(mncore2_arith_select_name("reference"));
    mncore2_arith_select(false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(selection),      cmocka_unit_test(vector_kernels),
        cmocka_unit_test(matrix_kernels), cmocka_unit_test(alu_kernels),
        cmocka_unit_test(rrn_kernels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
