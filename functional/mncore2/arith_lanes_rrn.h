/*
 * The result reduction network in vector lanes (4.2); see arith_lanes.h. Half-precision sums stay
 * in plain C.
 */
#ifndef TAKT_FUNCTIONAL_MNCORE2_ARITH_LANES_RRN_H
#define TAKT_FUNCTIONAL_MNCORE2_ARITH_LANES_RRN_H

#include "functional/mncore2/arith_lanes.h"

enum { TREE = 8 };

/* N singles of each source. An element is rounded to a multiple of 2^(largest exponent - 26), the
 * lowest of the 3 guard bits, by adding and subtracting 1.5 * 2^52 such units: nearest even, as in
 * the alignment shift (4.2.1). The sum of multiples is exact. */
LANES_FN vw add_singles(bool reduce, size_t n, const vw *element, vd *watched)
{
    vwi largest = {0};
    for (size_t s = 0; s < n; s++) {
        const vwi e = (vwi)(element[s] & EXPONENT32);
        const vwi above = e > largest;
        largest = (e & above) | (largest & ~above);
    }
    const vu field = __builtin_convertvector((vw)largest >> 23, vu);
    const vd unit = (vd)(((field + (1023 - 127 - 26 + 52)) << 52) | (uint64_t)1 << 51);
    vd sum = {0};
    for (size_t s = 0; s < n; s++) {
        const vw normal = (vw)((element[s] & EXPONENT32) != 0);
        const vd value = double_of_single(element[s] & normal);
        sum += (value + unit) - unit;
    }
    *watched = watch(*watched, sum);
    return reduce ? half_of_odd(sum) : single_of_odd(sum);
}

LANES_FN bool add_singles_loop(bool reduce, size_t n, size_t count, const uint64_t *const src[],
                               uint64_t *dst)
{
    vd watched = {0};
    for (size_t i = 0; i < count; i += N / 2) {
        const size_t left = count - i;
        vw element[TREE];
        for (size_t s = 0; s < n; s++) {
            if (left >= N / 2) {
                element[s] = load_w(src[s] + i);
            } else {
                element[s] = (vw){0};
                memcpy(&element[s], src[s] + i, left * sizeof *dst);
            }
        }
        const vw sum = add_singles(reduce, n, element, &watched);
        const vw result = reduce ? (vw)join_halves(sum) : sum;
        if (left >= N / 2)
            store_w(dst + i, result);
        else
            memcpy(dst + i, &result, left * sizeof *dst);
    }
    return !any_special(watched);
}

/* Doubles have 56 bits with the guard bits: integers. Converting the exact sum to a double is the
 * only rounding, to nearest even; then the exponent is adjusted and its range checked. */
LANES_FN bool add_doubles_loop(size_t n, size_t count, const uint64_t *const src[], uint64_t *dst)
{
    const uint64_t man_mask = ((uint64_t)1 << 52) - 1;
    vu special = {0};
    for (size_t i = 0; i < count; i += N) {
        const size_t left = count - i < N ? count - i : N;
        vu element[TREE];
        vi largest = {0};
        for (size_t s = 0; s < n; s++) {
            element[s] = load_some(src[s] + i, left);
            const vi e = (vi)((element[s] & EXPONENT64) >> 52);
            const vi above = e > largest;
            largest = (e & above) | (largest & ~above);
            special |= (vu)(e == 0x7ff);
        }
        vi sum = {0};
        for (size_t s = 0; s < n; s++) {
            const vi e = (vi)((element[s] & EXPONENT64) >> 52);
            const vu man = (((element[s] & man_mask) | (uint64_t)1 << 52) << 3) & (vu)(e != 0);
            vi down = largest - e;
            const vi far = down > 62;
            down = (down & ~far) | (far & 62); /* all 56 bits are then far below one half */
            const vi shifts = down != 0;
            const vu half = (((vu){0} + 1) << (vu)down) >> 1;
            const vu tie = (man >> (vu)down) & 1 & (vu)shifts;
            const vi aligned = (vi)((man + half + (vu)shifts + tie) >> (vu)down);
            const vi sign = (vi)element[s] >> 63;
            sum += (aligned ^ sign) - sign;
        }
        const vu bits = (vu) __builtin_convertvector(sum, vd);
        /* The unit of sum is 2^(largest - 1023 - 52 - 3). */
        const vi field = (vi)((bits & EXPONENT64) >> 52) + largest - (1023 + 52 + 3);
        const vu normal = (vu)(field > 0) & (vu)(sum != 0), finite = (vu)(field < 0x7ff);
        const vu value = ((vu)field << 52) | (bits & man_mask);
        const vu result = (bits & SIGN64) | (value & finite) | (~finite & EXPONENT64);
        const vu kept = result & normal;
        store_some(dst + i, kept, left);
    }
    return !any_u(special);
}

#define LANES_RRN(name, U, S, width)                                                               \
    LANES_FN vu name(uint8_t rrn, vu best_bits, vu next_bits)                                      \
    {                                                                                              \
        const U best = (U)best_bits, next = (U)next_bits, zero = {0};                              \
        const U rest = ~((zero + 1) << (width - 1));                                               \
        if (rrn == RRN_IADD)                                                                       \
            return (vu)(best + next);                                                              \
        /* Sign and magnitude as two's complement (4.2.2). */                                      \
        const S a = (S)best ^ (S)((U)((S)best >> (width - 1)) & rest);                             \
        const S b = (S)next ^ (S)((U)((S)next >> (width - 1)) & rest);                             \
        const U takes = rrn == RRN_MAX ? (U)(b > a) : (U)(b < a);                                  \
        return (vu)((next & takes) | (best & ~takes));                                             \
    }

LANES_RRN(rrn_long, vu, vi, 64)
LANES_RRN(rrn_word, vu32, vi32, 32)
LANES_RRN(rrn_half, vu16, vi16, 16)

LANES_FN void reduce_loop(uint8_t rrn, unsigned width, size_t n, size_t count,
                          const uint64_t *const src[], uint64_t *dst)
{
    for (size_t i = 0; i < count; i += N) {
        const size_t left = count - i < N ? count - i : N;
        vu best = load_some(src[0] + i, left);
        for (size_t s = 1; s < n; s++) {
            const vu next = load_some(src[s] + i, left);
            if (rrn == RRN_BAND)
                best &= next;
            else if (rrn == RRN_BOR)
                best |= next;
            else
                best = width == 64   ? rrn_long(rrn, best, next)
                       : width == 32 ? rrn_word(rrn, best, next)
                                     : rrn_half(rrn, best, next);
        }
        store_some(dst + i, best, left);
    }
}

LANES_OUTER bool add_single_tree(bool reduce, size_t n, size_t count, const uint64_t *const src[],
                                 uint64_t *dst)
{
    if (n == 4)
        return reduce ? add_singles_loop(true, 4, count, src, dst)
                      : add_singles_loop(false, 4, count, src, dst);
    return reduce ? add_singles_loop(true, n, count, src, dst)
                  : add_singles_loop(false, n, count, src, dst);
}

LANES_OUTER bool add_double_tree(size_t n, size_t count, const uint64_t *const src[], uint64_t *dst)
{
    return n == 4 ? add_doubles_loop(4, count, src, dst) : add_doubles_loop(n, count, src, dst);
}

LANES_OUTER void reduce_tree(uint8_t rrn, unsigned width, size_t n, size_t count,
                             const uint64_t *const src[], uint64_t *dst)
{
    reduce_loop(rrn, width, n, count, src, dst);
}

/* Also false if a sum met infinities: plain C then recomputes all of dst. */
LANES_FN bool lanes_rrn(struct rrn_op op, size_t n, size_t count, const uint64_t *const src[],
                        uint64_t *dst)
{
    if (n > TREE || n == 0)
        return false;
    switch (op.rrn) {
    case RRN_FADD:
        if (op.prec == PREC_D)
            return add_double_tree(n, count, src, dst);
        return op.prec == PREC_F && add_single_tree(op.reduce, n, count, src, dst);
    case RRN_MAX:
    case RRN_MIN:
    case RRN_IADD:
    case RRN_BAND:
    case RRN_BOR:
        if (op.reduce)
            return false;
        reduce_tree(op.rrn,
                    op.prec == PREC_D || op.prec == PREC_L   ? 64
                    : op.prec == PREC_H || op.prec == PREC_S ? 16
                                                             : 32,
                    n, count, src, dst);
        return true;
    default:
        return false;
    }
}

#endif
