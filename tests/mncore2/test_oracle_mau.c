/*
 * Vector operations and matrix register inputs in lock-step with the oracle: 4.3, 3.6.9.10 to
 * 3.6.9.26, 3.6.10, and the conversions of 3.6.9.23 and .24 by element.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/oracle/lockstep.h"

/* What an operand's memory holds: the format at the port, or the one it is converted from. */
static const struct format *stored(const struct format *port, uint16_t flags)
{
    if (flags & OPERAND_EXTEND)
        return port == &oracle_double ? &oracle_single : &oracle_half;
    return flags & OPERAND_REDUCE ? &oracle_single : port;
}

/* An addend that hurts: close to -a b, at a tie, or far away by about the mantissa's length. */
static uint64_t hurting(struct dice *fill, const struct format *format, uint64_t product)
{
    const unsigned top = oracle_exponent_max(format);
    const unsigned exponent = oracle_exponent(format, product);
    const unsigned sign = oracle_sign(format, product) ^ !fill_chance(fill, 4);
    uint64_t bits = product & ~(UINT64_C(1) << (format->bits - 1));
    if (exponent == 0 || exponent == top)
        return fill_float(fill, format);
    switch (fill_below(fill, 5)) {
    case 0: /* exact or by a few last places */
    case 1:
        bits = bits + fill_below(fill, 5) - 2;
        break;
    case 2: { /* a rounding place or so away, either side */
        const int places = (int)format->mantissa + (int)fill_below(fill, 5) - 2;
        const int moved = (int)exponent + (fill_chance(fill, 2) ? places : -places);
        if (moved > 0 && moved < (int)top)
            bits = oracle_pack(format, 0, (unsigned)moved,
                               fill_chance(fill, 2) ? 0 : fill_mantissa(fill, format->mantissa));
        break;
    }
    case 3: /* the same exponent or a neighbour */
        bits = oracle_pack(format, 0, exponent - fill_below(fill, 2),
                           fill_mantissa(fill, format->mantissa));
        break;
    default: /* only the upper part: many last places stay */
        bits &= ~((UINT64_C(1) << fill_below(fill, format->mantissa)) - 1);
        break;
    }
    return bits | (uint64_t)sign << (format->bits - 1);
}

static void fill_vector(struct batch *batch, struct dice *fill, const struct mau_op *op)
{
    const struct format *factor = oracle_format(op->prec);
    const struct format *addend = op->prec == PREC_D ? &oracle_double : &oracle_single;
    const unsigned count = op->prec == PREC_D ? 1 : op->prec == PREC_H ? 4 : 2;
    const bool adds = op->insn == INSN_VADD;
    const struct format *fx = stored(factor, op->x);
    const struct format *fy = stored(adds ? addend : factor, op->y);
    const struct format *fz = stored(addend, op->z);
    const uint64_t one = oracle_pack(factor, 0, (unsigned)oracle_bias(factor), 0);
    batch_clear(batch);
    for (size_t lane = 0; lane < batch->lanes; lane++)
        for (unsigned i = 0; i < count; i++) {
            const uint64_t a = fill_float(fill, fx);
            uint64_t b = fill_float(fill, fy), c = fill_float(fill, fz);
            if (!fill_chance(fill, 3)) {
                const uint64_t wide_a = oracle_convert(fx, factor, a, NULL);
                const uint64_t wide_b = adds ? one : oracle_convert(fy, factor, b, NULL);
                const struct format *last = adds ? fy : fz;
                const uint64_t product = oracle_fma(op->prec, wide_a, wide_b, 0, true, last);
                *(adds ? &b : &c) = hurting(fill, last, product);
            }
            batch_put(batch, 0, lane, fx->bits, i, a);
            if (op->insn != INSN_VPASSA)
                batch_put(batch, 1, lane, fy->bits, i, b);
            if (op->insn == INSN_VFMA)
                batch_put(batch, 2, lane, fz->bits, i, c);
        }
    /* What an operation does not read may hold anything. */
    if (op->prec != PREC_H)
        for (size_t lane = 0; lane < batch->lanes; lane++)
            for (unsigned input = 0; input < 3; input++)
                batch->in[input][1][lane] = dice_next(fill);
}

static uint16_t port_flags(struct dice *fill, bool addend, uint8_t prec)
{
    uint16_t flags = fill_chance(fill, 3) ? OPERAND_NEGATE : 0;
    if (!fill_chance(fill, 3))
        return flags;
    if (prec == PREC_H && !addend)
        return flags | OPERAND_REDUCE;
    return flags | OPERAND_EXTEND;
}

static void vector_sets(uint8_t insn, uint8_t prec)
{
    static struct batch batch;
    const uint64_t first = lockstep_seed(0x4d415500U + insn * 16U + prec);
    const size_t sets = lockstep_sets();
    const unsigned inputs = insn == INSN_VFMA ? 3 : insn == INSN_VPASSA ? 1 : 2;
    uint64_t seed = first;
    for (size_t done = 0; done < sets; seed++) {
        struct dice fill = {seed};
        struct mau_op op = {.insn = insn, .prec = prec};
        batch_shape(&batch, &fill);
        if (fill_chance(&fill, 2)) {
            op.x = port_flags(&fill, false, prec);
            op.y = inputs > 1 ? port_flags(&fill, insn == INSN_VADD, prec) : 0;
            op.z = inputs > 2 ? port_flags(&fill, true, prec) : 0;
        }
        op.reduce = prec != PREC_F && fill_chance(&fill, 3);
        op.lower = prec == PREC_D && inputs > 1 && insn != INSN_VADD && fill_chance(&fill, 2);
        if (prec == PREC_H) /* the upper long word of a single input matters */
            memset(batch.null, 0, sizeof batch.null);
        fill_vector(&batch, &fill, &op);
        const uint64_t *bus[3][2];
        for (unsigned k = 0; k < lockstep_kernels(); k++) {
            uint64_t *const out[2] = {batch.out[k][0], batch.out[k][1]};
            lockstep_select(k);
            mncore2_mau_cycle(&op, &(struct mau_io){.lanes = batch.lanes,
                                                    .x = batch_input(&batch, 0, bus[0]),
                                                    .y = batch_input(&batch, 1, bus[1]),
                                                    .z = batch_input(&batch, 2, bus[2]),
                                                    .out = out,
                                                    .flags = batch.flags[k]});
        }
        const char *name = lockstep_mau_name(&op);
        for (size_t mab = 0; mab < batch.lanes / 4; mab++, done++) {
            mab_bus x, y, z, want, care;
            uint8_t flags[4];
            memset(care, 0xff, sizeof care);
            batch_mab(&batch, 0, mab, x);
            batch_mab(&batch, 1, mab, y);
            batch_mab(&batch, 2, mab, z);
            oracle_mau(&op, NULL, (struct oracle_in){x, y, z}, want, flags);
            const struct expected expected = {name, seed, inputs, want, care, flags};
            if (!batch_check(&batch, mab, &expected))
                fail();
        }
    }
}

#define VECTOR(name, insn)                                                                         \
    static void name(void **state)                                                                 \
    {                                                                                              \
        (void)state;                                                                               \
        vector_sets(insn, PREC_D);                                                                 \
        vector_sets(insn, PREC_F);                                                                 \
        vector_sets(insn, PREC_H);                                                                 \
    }
VECTOR(vfma, INSN_VFMA)
VECTOR(vmul, INSN_VMUL)
VECTOR(vadd, INSN_VADD)
VECTOR(vpassa, INSN_VPASSA)

/* mwrite's input: every precision, plain, -, e, r. */
static void mwrite(void **state)
{
    (void)state;
    static struct batch batch;
    static const uint8_t precs[4] = {PREC_D, PREC_F, PREC_G, PREC_H};
    const size_t sets = lockstep_sets();
    for (unsigned p = 0; p < 4; p++) {
        const uint8_t prec = precs[p];
        uint64_t seed = lockstep_seed(0x6d770000U + prec);
        for (size_t done = 0; done < sets; seed++) {
            struct dice fill = {seed};
            batch_shape(&batch, &fill);
            const uint16_t flags = port_flags(&fill, false, prec);
            const struct format *format = stored(oracle_format(prec), flags);
            for (size_t lane = 0; lane < batch.lanes; lane++)
                for (unsigned half = 0; half < 2; half++)
                    batch.in[0][half][lane] = fill_long(&fill, format, format->bits);
            const uint64_t *bus[2];
            for (unsigned k = 0; k < lockstep_kernels(); k++) {
                uint64_t *const out[2] = {batch.out[k][0], batch.out[k][1]};
                lockstep_select(k);
                mncore2_mwrite_input(prec, flags, batch.lanes, batch_input(&batch, 0, bus), out);
            }
            const struct mau_op op = {.insn = INSN_MWRITE, .prec = prec, .x = flags};
            const char *name = lockstep_mau_name(&op);
            for (size_t mab = 0; mab < batch.lanes / 4; mab++, done++) {
                mab_bus in, want, care;
                batch_mab(&batch, 0, mab, in);
                oracle_mwrite(prec, flags, in, want, care);
                const struct expected expected = {name, seed, 1, want, care, NULL};
                if (!batch_check(&batch, mab, &expected))
                    fail();
            }
        }
    }
}

/* Conversions by element: every half, many singles and doubles. */
static void conversions(void **state)
{
    (void)state;
    struct dice fill = {lockstep_seed(7)};
    const size_t sets = lockstep_sets();
    uint64_t care;
    for (unsigned half = 0; half < 65536; half++) {
        const uint64_t want = oracle_convert(&oracle_half, &oracle_single, half, &care);
        if ((want ^ mncore2_half_to_single((uint16_t)half)) & care)
            fail_msg("half_to_single(%#x)", half);
    }
    for (size_t done = 0; done < sets; done++) {
        /* Around half's range, else anywhere. */
        uint32_t single = (uint32_t)fill_float(&fill, &oracle_single);
        if (fill_chance(&fill, 2))
            single =
                (uint32_t)oracle_pack(&oracle_single, fill_below(&fill, 2),
                                      (fill_chance(&fill, 2) ? 94 : 156) + fill_below(&fill, 6),
                                      fill_mantissa(&fill, 23));
        const uint64_t want = oracle_convert(&oracle_single, &oracle_half, single, &care);
        if ((want ^ mncore2_single_to_half(single)) & care)
            fail_msg("single_to_half(%#x) = %#x, not %#x", single, mncore2_single_to_half(single),
                     (unsigned)want);
        const uint64_t up = oracle_convert(&oracle_single, &oracle_double, single, &care);
        if ((up ^ mncore2_single_to_double(single)) & care)
            fail_msg("single_to_double(%#x)", single);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vfma),   cmocka_unit_test(vmul),        cmocka_unit_test(vadd),
        cmocka_unit_test(vpassa), cmocka_unit_test(conversions), cmocka_unit_test(mwrite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
