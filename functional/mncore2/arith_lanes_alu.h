/* The ALU in vector lanes (table 3.9): all operations but msl, msr, floor, ftoi and rsqrt, which
 * stay in plain C. See arith_lanes.h. */
#ifndef TAKT_FUNCTIONAL_MNCORE2_ARITH_LANES_ALU_H
#define TAKT_FUNCTIONAL_MNCORE2_ARITH_LANES_ALU_H

#include "functional/mncore2/arith_lanes_bf.h"

/* A result, and all ones in each element whose flag is set. */
struct marked {
    vu value, marks;
};

/* One body per element width: vector types U and S, man mantissa bits. The code mirrors arith_alu.c
 * operation by operation. */
#define LANES_ALU(name, U, S, width, man)                                                          \
    LANES_FN struct marked name(const struct alu_op *op, vu x_bits, vu y_bits)                     \
    {                                                                                              \
        const U x = (U)x_bits, y = (U)y_bits, zero = {0};                                          \
        const U sign = ((zero + 1) << (width - 1)), mask = ~zero;                                  \
        const U exponent_mask = (mask << man) & ~sign;                                             \
        const U amount = y & (width - 1), all = (U)((y & width) != zero);                          \
        U r = zero, marks = zero;                                                                  \
        switch (op->insn) {                                                                        \
        case INSN_PASSA:                                                                           \
            r = x;                                                                                 \
            marks = (U)(r == zero);                                                                \
            break;                                                                                 \
        case INSN_NOT:                                                                             \
            r = ~x;                                                                                \
            marks = (U)(r == zero);                                                                \
            break;                                                                                 \
        case INSN_LNOT:                                                                            \
            r = (U)(x == zero) & 1;                                                                \
            marks = (U)(r == zero);                                                                \
            break;                                                                                 \
        case INSN_AND:                                                                             \
            r = x & y;                                                                             \
            marks = (U)(r == zero);                                                                \
            break;                                                                                 \
        case INSN_OR:                                                                              \
            r = x | y;                                                                             \
            marks = (U)(r == zero);                                                                \
            break;                                                                                 \
        case INSN_XOR:                                                                             \
            r = x ^ y;                                                                             \
            marks = (U)(r == zero);                                                                \
            break;                                                                                 \
        case INSN_INC:                                                                             \
            r = x + 1;                                                                             \
            marks = op->uns ? (U)(x != mask) : ~(U)((S)r >> (width - 1));                          \
            break;                                                                                 \
        case INSN_DEC:                                                                             \
            r = x - 1;                                                                             \
            marks = op->uns ? (U)(x != zero) : ~(U)((S)r >> (width - 1));                          \
            break;                                                                                 \
        case INSN_ADD:                                                                             \
            r = x + y;                                                                             \
            marks = op->uns ? (U)(r >= x) : ~(U)((S)r >> (width - 1));                             \
            break;                                                                                 \
        case INSN_SUB:                                                                             \
            r = x - y;                                                                             \
            marks = op->uns ? (U)(x >= y) : ~(U)((S)r >> (width - 1));                             \
            break;                                                                                 \
        case INSN_LSL:                                                                             \
            r = (x << amount) & ~all;                                                              \
            marks = (U)(r == zero);                                                                \
            break;                                                                                 \
        case INSN_LSR:                                                                             \
            if (op->uns)                                                                           \
                r = (x >> amount) & ~all;                                                          \
            else                                                                                   \
                r = (U)((S)x >> (S)(amount | (all & (width - 1))));                                \
            marks = (U)(r == zero);                                                                \
            break;                                                                                 \
        case INSN_BSL:                                                                             \
            r = x << amount | x >> ((zero - amount) & (width - 1));                                \
            marks = (U)(r == zero);                                                                \
            break;                                                                                 \
        case INSN_BSR:                                                                             \
            r = x >> amount | x << ((zero - amount) & (width - 1));                                \
            marks = (U)(r == zero);                                                                \
            break;                                                                                 \
        case INSN_MAX:                                                                             \
        case INSN_MIN: {                                                                           \
            S a = (S)x, b = (S)y;                                                                  \
            U same = (U)(x == y);                                                                  \
            if (is_float_prec(op->prec)) {                                                         \
                /* Sign and magnitude as two's complement; the two zeros are equal. */             \
                a ^= (S)((U)(a >> (width - 1)) & ~sign);                                           \
                b ^= (S)((U)(b >> (width - 1)) & ~sign);                                           \
                same |= (U)((x & exponent_mask) == zero) & (U)((y & exponent_mask) == zero);       \
            } else if (op->uns) {                                                                  \
                a ^= (S)sign;                                                                      \
                b ^= (S)sign;                                                                      \
            }                                                                                      \
            marks = same | (op->insn == INSN_MAX ? (U)(a > b) : (U)(a < b));                       \
            r = (x & marks) | (y & ~marks);                                                        \
            break;                                                                                 \
        }                                                                                          \
        case INSN_PACKBIT:                                                                         \
            r = x << 1 | y >> (width - 1);                                                         \
            marks = ~(U)((S)y >> (width - 1));                                                     \
            break;                                                                                 \
        default: { /* ReLU family */                                                               \
            const unsigned bit = op->insn == INSN_RELU1   ? 1                                      \
                                 : op->insn == INSN_RELU2 ? 2                                      \
                                 : op->insn == INSN_RELU3 ? 3                                      \
                                                          : 0;                                     \
            const U one = (zero + 1) << man, exponent = y & exponent_mask;                         \
            const U infinite = (U)(exponent == exponent_mask);                                     \
            U other = sign;                                                                        \
            marks = (U)((x & sign >> bit) == zero);                                                \
            if (op->insn == INSN_LRELUD || op->insn == INSN_LRELU0) {                              \
                const U less = op->insn == INSN_LRELUD ? one : one + one + one;                    \
                const U fits = (U)((S)exponent > (S)less);                                         \
                other = ((y - less) & fits) | (sign & ~fits);                                      \
                other = (other & ~infinite) | (y & infinite);                                      \
            } else if (op->insn == INSN_ILRELUD) {                                                 \
                other = y + (one & ~infinite);                                                     \
            }                                                                                      \
            r = (y & marks) | (other & ~marks);                                                    \
            break;                                                                                 \
        }                                                                                          \
        }                                                                                          \
        return (struct marked){(vu)r, (vu)marks};                                                  \
    }

LANES_FN bool is_float_prec(uint8_t prec)
{
    return prec == PREC_D || prec == PREC_F || prec == PREC_G || prec == PREC_H;
}

LANES_ALU(alu_long, vu, vi, 64, 52)
LANES_ALU(alu_word, vu32, vi32, 32, 23)
LANES_ALU(alu_half, vu16, vi16, 16, 9)

/* One half of the bus. y, out and flags may be NULL. */
struct alu_half_io {
    size_t lanes;
    const uint64_t *x, *y;
    uint64_t *out;
    uint8_t *flags;
};

LANES_FN void alu_loop(unsigned width, const struct alu_op *op, const struct alu_half_io *io)
{
    const size_t lanes = io->lanes;
    const uint64_t *const x = io->x, *const y = io->y;
    uint64_t *const out = io->out;
    uint8_t *const flags = io->flags;
    for (size_t i = 0; i < lanes; i += N) {
        const size_t left = lanes - i;
        const vu a = load_some(x + i, left);
        vu b = {0};
        if (y != NULL)
            b = load_some(y + i, left);
        const struct marked m = width == 64   ? alu_long(op, a, b)
                                : width == 32 ? alu_word(op, a, b)
                                              : alu_half(op, a, b);
        if (out != NULL)
            store_some(out + i, m.value, left);
        if (flags != NULL)
            for (size_t k = 0; k < N && k < left; k++)
                flags[i + k] = flags_of(m.marks[k]);
    }
}

/* With constant fields of op the compiler hoists the switches above out of the loops: one copy per
 * operation. */
#define LANES_ALU_CASE(width)                                                                      \
    switch (op->insn) {                                                                            \
        LANES_ALU_OP(width, PASSA)                                                                 \
        LANES_ALU_OP(width, NOT)                                                                   \
        LANES_ALU_OP(width, LNOT)                                                                  \
        LANES_ALU_OP(width, AND)                                                                   \
        LANES_ALU_OP(width, OR)                                                                    \
        LANES_ALU_OP(width, XOR)                                                                   \
        LANES_ALU_OP(width, INC)                                                                   \
        LANES_ALU_OP(width, DEC)                                                                   \
        LANES_ALU_OP(width, ADD)                                                                   \
        LANES_ALU_OP(width, SUB)                                                                   \
        LANES_ALU_OP(width, LSL)                                                                   \
        LANES_ALU_OP(width, LSR)                                                                   \
        LANES_ALU_OP(width, BSL)                                                                   \
        LANES_ALU_OP(width, BSR)                                                                   \
        LANES_ALU_OP(width, MAX)                                                                   \
        LANES_ALU_OP(width, MIN)                                                                   \
        LANES_ALU_OP(width, PACKBIT)                                                               \
        LANES_ALU_OP(width, RELU)                                                                  \
        LANES_ALU_OP(width, RELU1)                                                                 \
        LANES_ALU_OP(width, RELU2)                                                                 \
        LANES_ALU_OP(width, RELU3)                                                                 \
        LANES_ALU_OP(width, LRELUD)                                                                \
        LANES_ALU_OP(width, LRELU0)                                                                \
        LANES_ALU_OP(width, ILRELUD)                                                               \
    default:                                                                                       \
        return false;                                                                              \
    }

#define LANES_ALU_OP(width, id)                                                                    \
    case INSN_##id: {                                                                              \
        const struct alu_op own = {.insn = INSN_##id, .prec = op->prec, .uns = op->uns};           \
        alu_loop(width, &own, io);                                                                 \
        break;                                                                                     \
    }

#define LANES_ALU_WIDTH(width)                                                                     \
    LANES_OUTER bool alu_all_##width(const struct alu_op *op, const struct alu_half_io *io)        \
    {                                                                                              \
        LANES_ALU_CASE(width)                                                                      \
        return true;                                                                               \
    }

LANES_ALU_WIDTH(64)
LANES_ALU_WIDTH(32)
LANES_ALU_WIDTH(16)

LANES_FN bool alu_plain(const struct alu_op *op, size_t lanes, const uint64_t *const x[2],
                        const uint64_t *y, uint64_t *const out[2], uint8_t *flags)
{
    const struct alu_half_io io = {lanes, x[0], y, out[0], flags};
    bool known;
    if (op->insn == INSN_BFN || op->insn == INSN_BFE) {
        lanes_block_float(op, lanes, x, out);
        if (flags != NULL)
            memset(flags, 0, lanes);
        return true;
    }
    switch (op->prec) {
    case PREC_F:
    case PREC_G:
    case PREC_I:
        known = alu_all_32(op, &io);
        break;
    case PREC_H:
    case PREC_S:
        known = alu_all_16(op, &io);
        break;
    default:
        known = alu_all_64(op, &io);
        break;
    }
    if (known && out[1] != NULL)
        memcpy(out[1], x[1], lanes * sizeof *out[1]);
    return known;
}

/* One chunk of an input after its port's conversion: absent halves are zero, r turns two long words
 * into one (3.6.12.19). */
LANES_FN void alu_port(const uint64_t *const bus[2], uint16_t port_flags, size_t at, size_t length,
                       uint64_t room[2][CHUNK], const uint64_t *in[2])
{
    for (unsigned k = 0; k < 2; k++) {
        in[k] = room[k];
        if (bus != NULL && bus[k] != NULL)
            in[k] = bus[k] + at;
        else
            memset(room[k], 0, length * sizeof *room[k]);
    }
    if ((port_flags & OPERAND_REDUCE) == 0)
        return;
    for (size_t i = 0; i < length; i += N / 2) {
        const vw high = half_of_single(load_w(in[0] + i)), low = half_of_single(load_w(in[1] + i));
        store_w(room[0] + i, (vw)(join_halves(high) << 32 | join_halves(low)));
    }
    memset(room[1], 0, length * sizeof *room[1]);
    in[0] = room[0];
    in[1] = room[1];
}

LANES_FN bool lanes_alu(const struct alu_op *op, size_t lanes, const uint64_t *const x[2],
                        const uint64_t *const y[2], uint64_t *const out[2], uint8_t *flags)
{
    const bool reduces = ((op->x | op->y) & OPERAND_REDUCE) != 0;
    if (!reduces && x != NULL && x[0] != NULL && x[1] != NULL)
        return alu_plain(op, lanes, x, y != NULL ? y[0] : NULL, out, flags);
    for (size_t at = 0; at < lanes; at += CHUNK) {
        const size_t length = lanes - at < CHUNK ? lanes - at : CHUNK;
        uint64_t x_room[2][CHUNK], y_room[2][CHUNK];
        const uint64_t *xs[2], *ys[2];
        uint64_t *const result[2] = {out[0] != NULL ? out[0] + at : NULL,
                                     out[1] != NULL ? out[1] + at : NULL};
        alu_port(x, op->x, at, length, x_room, xs);
        alu_port(y, op->y, at, length, y_room, ys);
        if (!alu_plain(op, length, xs, ys[0], result, flags != NULL ? flags + at : NULL))
            return false;
    }
    return true;
}

#endif
