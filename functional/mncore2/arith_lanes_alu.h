/*
 * The ALU in vector lanes (table 3.9): everything whose elements do not mix and need no loop;
 * floor, ftoi, rsqrt and block float stay in plain C. See arith_lanes.h.
 */
#ifndef TAKT_FUNCTIONAL_MNCORE2_ARITH_LANES_ALU_H
#define TAKT_FUNCTIONAL_MNCORE2_ARITH_LANES_ALU_H

#include "functional/mncore2/arith_lanes.h"

/* A result and the elements whose flag is set, all ones each. */
struct marked {
    vu value, marks;
};

/*
 * One body per element width: vector types U and S, man mantissa bits. It follows
 * arith_alu.c operation by operation.
 */
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
                /* Sign and magnitude as two's complement, but two zeros count as equal. */        \
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

LANES_FN void alu_loop(unsigned width, const struct alu_op *op, size_t lanes, const uint64_t *x,
                       const uint64_t *y, uint64_t *out, uint8_t *flags)
{
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

/* The switches above leave the loops when op's fields are constants: copy them per operation. */
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
        alu_loop(width, &own, lanes, x, y, out, flags);                                            \
        break;                                                                                     \
    }

#define LANES_ALU_WIDTH(width)                                                                     \
    LANES_OUTER bool alu_all_##width(const struct alu_op *op, size_t lanes, const uint64_t *x,     \
                                     const uint64_t *y, uint64_t *out, uint8_t *flags)             \
    {                                                                                              \
        LANES_ALU_CASE(width)                                                                      \
        return true;                                                                               \
    }

LANES_ALU_WIDTH(64)
LANES_ALU_WIDTH(32)
LANES_ALU_WIDTH(16)

LANES_FN bool lanes_alu(const struct alu_op *op, size_t lanes, const uint64_t *const x[2],
                        const uint64_t *const y[2], uint64_t *const out[2], uint8_t *flags)
{
    if (((op->x | op->y) & OPERAND_REDUCE) != 0 || x == NULL || x[0] == NULL)
        return false;
    const uint64_t *const second = y != NULL ? y[0] : NULL;
    bool known;
    switch (op->prec) {
    case PREC_F:
    case PREC_G:
    case PREC_I:
        known = alu_all_32(op, lanes, x[0], second, out[0], flags);
        break;
    case PREC_H:
    case PREC_S:
        known = alu_all_16(op, lanes, x[0], second, out[0], flags);
        break;
    default:
        known = alu_all_64(op, lanes, x[0], second, out[0], flags);
        break;
    }
    if (!known)
        return false;
    if (out[1] != NULL && x[1] != NULL)
        memcpy(out[1], x[1], lanes * sizeof *out[1]);
    else if (out[1] != NULL)
        memset(out[1], 0, lanes * sizeof *out[1]);
    return true;
}

#endif
