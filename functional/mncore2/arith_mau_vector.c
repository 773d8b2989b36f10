/* The vector operations of the MAU in plain C (3.6.9.10 to .26, 4.3), and its ports. */
#include "functional/mncore2/arith_mau.h"

static uint64_t negated(const struct fp_format *f, uint16_t flags, uint64_t bits)
{
    return (flags & OPERAND_NEGATE) != 0 ? bits ^ fp_sign_bit(f) : bits;
}

uint64_t mncore2_mau_input_d(const uint64_t *const bus[2], uint16_t flags, size_t lane)
{
    const uint64_t value = bus_read(bus, 0, lane);
    return negated(&mncore2_fp_double, flags,
                   (flags & OPERAND_EXTEND) != 0 ? mncore2_single_to_double(word_of(value, 0))
                                                 : value);
}

uint32_t mncore2_mau_input_f(const uint64_t *const bus[2], uint16_t flags, size_t lane, unsigned k)
{
    const uint64_t value = bus_read(bus, 0, lane);
    return (uint32_t)negated(&mncore2_fp_single, flags,
                             (flags & OPERAND_EXTEND) != 0
                                 ? mncore2_half_to_single(half_of(value, k))
                                 : word_of(value, k));
}

/* h: four elements of a long word, or with r of two. */
static uint16_t mau_input_h(const uint64_t *const bus[2], uint16_t flags, size_t lane, unsigned k)
{
    uint16_t value;
    if ((flags & OPERAND_REDUCE) != 0)
        value = mncore2_single_to_half(word_of(bus_read(bus, k / 2, lane), k % 2));
    else
        value = half_of(bus_read(bus, 0, lane), k);
    return (uint16_t)negated(&mncore2_fp_half, flags, value);
}

uint32_t mncore2_mau_input_acc(const uint64_t *const bus[2], uint16_t flags, size_t lane,
                               unsigned k)
{
    uint32_t value;
    if ((flags & OPERAND_EXTEND) != 0)
        value = mncore2_half_to_single(half_of(bus_read(bus, 0, lane), k));
    else
        value = word_of(bus_read(bus, k / 2, lane), k % 2);
    return (uint32_t)negated(&mncore2_fp_single, flags, value);
}

void mncore2_mau_output(const struct mau_op *op, unsigned count, const struct fp_number *sums,
                        size_t lane, uint64_t *const out[2], uint8_t *flags)
{
    /* The only rounding is directly to the output precision of the MAU (3.6.9.25, 4.3). */
    const struct fp_format *to = &mncore2_fp_single;
    if (op->prec == PREC_D)
        to = op->reduce ? &mncore2_fp_single : &mncore2_fp_double;
    else if (op->prec == PREC_H && op->reduce)
        to = &mncore2_fp_half;
    uint64_t bus[2] = {0, 0};
    unsigned flag = 0;
    for (unsigned k = 0; k < count; k++) {
        const uint64_t bits = mncore2_fp_normalise(to, mncore2_fp_pack(to, sums[k]));
        const unsigned position = k * to->width;
        bus[position / 64] |= bits << (64 - to->width - position % 64);
        if ((bits & fp_sign_bit(to)) == 0)
            flag |= ((1u << 4 / count) - 1) << (4 - (k + 1) * (4 / count));
    }
    bus_write(out, 0, lane, bus[0]);
    bus_write(out, 1, lane, bus[1]);
    if (flags != NULL)
        flags[lane] = (uint8_t)flag;
}

/* Operands present: x * y + z with y = 1 or z = 0 if they are not written. */
struct ports {
    const uint64_t *const *y, *const *z;
    uint16_t y_flags, z_flags;
    bool one, zero;
};

static struct ports ports_of(const struct mau_op *op, const uint64_t *const y[2],
                             const uint64_t *const z[2])
{
    switch (op->insn) {
    case INSN_VMUL:
        return (struct ports){.y = y, .y_flags = op->y, .zero = true};
    case INSN_VADD:
        return (struct ports){.z = y, .z_flags = op->y, .one = true};
    case INSN_VPASSA:
        return (struct ports){.one = true, .zero = true};
    default:
        return (struct ports){.y = y, .y_flags = op->y, .z = z, .z_flags = op->z};
    }
}

void mncore2_mau_vector_reference(const struct mau_op *op, const struct mau_io *io)
{
    const struct ports p = ports_of(op, io->y, io->z);
    const uint64_t *const *const x = io->x;
    const struct fp_number nothing = {.kind = FP_ZERO};
    for (size_t lane = 0; lane < io->lanes; lane++) {
        struct fp_number sums[4];
        unsigned count = 0;
        if (op->prec == PREC_D) {
            count = 1;
            /* u multiplies in PE 0 and 1, d in PE 2 and 3; dvadd and dvpassa lack this choice and
             * run in all four (3.6.9.10 to .13). */
            const bool active = p.one || (lane % PE_PER_MAB >= 2) == op->lower;
            const uint64_t a = mncore2_mau_input_d(x, op->x, lane);
            const uint64_t b =
                p.one ? (uint64_t)0x3ff << 52 : mncore2_mau_input_d(p.y, p.y_flags, lane);
            const struct fp_number c =
                p.zero ? nothing
                       : mncore2_fp_unpack(&mncore2_fp_double,
                                           mncore2_mau_input_d(p.z, p.z_flags, lane));
            sums[0] = active ? mncore2_fp_add(mncore2_fp_product(&mncore2_fp_double, a, b), c) : c;
        } else if (op->prec == PREC_H) {
            for (count = 0; count < 4; count++) {
                const uint16_t a = mau_input_h(x, op->x, lane, count);
                const uint16_t b = p.one ? 0x3e00 : mau_input_h(p.y, p.y_flags, lane, count);
                const struct fp_number c =
                    p.zero ? nothing
                           : mncore2_fp_unpack(&mncore2_fp_single,
                                               mncore2_mau_input_acc(p.z, p.z_flags, lane, count));
                sums[count] = mncore2_fp_add(mncore2_fp_product(&mncore2_fp_half, a, b), c);
            }
        } else {
            for (count = 0; count < 2; count++) {
                const uint32_t a = mncore2_mau_input_f(x, op->x, lane, count);
                const uint32_t b =
                    p.one ? 0x3f800000 : mncore2_mau_input_f(p.y, p.y_flags, lane, count);
                const struct fp_number c =
                    p.zero ? nothing
                           : mncore2_fp_unpack(&mncore2_fp_single,
                                               mncore2_mau_input_f(p.z, p.z_flags, lane, count));
                sums[count] = mncore2_fp_add(mncore2_fp_product(&mncore2_fp_single, a, b), c);
            }
        }
        mncore2_mau_output(op, count, sums, lane, io->out, io->flags);
    }
}
