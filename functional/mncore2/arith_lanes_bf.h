/* Block float in vector lanes (4.4, 3.6.12.12); mirrors arith_bf.c. A block is one vector; in
 * single precision two blocks share a vector, word by word. See arith_lanes.h. */
#ifndef TAKT_FUNCTIONAL_MNCORE2_ARITH_LANES_BF_H
#define TAKT_FUNCTIONAL_MNCORE2_ARITH_LANES_BF_H

#include "functional/mncore2/arith_lanes.h"

typedef uint16_t bf_halves __attribute__((vector_size(32))); /* a block */
/* part of a block, or all of it */
typedef uint16_t bf_part __attribute__((vector_size(LANES_BYTES / 2)));
typedef int32_t bf_word __attribute__((vector_size(32)));
typedef int64_t bf_long __attribute__((vector_size(32)));

struct bf_rules {
    unsigned low, shorter; /* as in arith_bf.c */
    bool extended;
};

/* The largest magnitude of a block decides: it has the largest exponent, and if any element of that
 * exponent carries, it does. Returns the exponent field of the block: 0 for a block of zeros, the
 * field of infinity if it overflows. */
LANES_FN uint64_t bf_common(uint64_t largest, unsigned man, uint64_t infinity,
                            const struct bf_rules *r)
{
    const uint64_t exponent = largest >> man;
    if (exponent == 0)
        return 0;
    const unsigned left_out = r->low + r->shorter;
    const uint64_t ones = (((uint64_t)1 << man) - 1) >> left_out;
    const bool carry = (largest >> left_out & ones) == ones;
    const uint64_t common = exponent + carry + r->shorter;
    return common < infinity ? common : infinity;
}

/* Elements in lanes of type S, `common` likewise. */
#define LANES_BF(name, S, man, width, lane_width)                                                  \
    LANES_FN S name(S bits, S common, const struct bf_rules *r)                                    \
    {                                                                                              \
        enum { INFINITY_FIELD = (1 << (width - 1 - man)) - 1 };                                    \
        const S one = (S){0} + 1;                                                                  \
        const S sign = bits & (one << (width - 1)), fraction = bits & ((one << man) - 1);          \
        const S exponent = bits >> man & INFINITY_FIELD;                                           \
        const int threshold = 6 + (int)r->shorter;                                                 \
        const S difference = common - exponent;                                                    \
        S flagged = {0};                                                                           \
        if (r->extended) {                                                                         \
            const S ones = ((one << man) - 1) >> (int)r->shorter;                                  \
            flagged = (difference > threshold) |                                                   \
                      ((difference == threshold) & (fraction >> (int)r->shorter != ones));         \
        }                                                                                          \
        S down = difference + 1 + (int)r->low - (flagged & 6);                                     \
        const S far = (down > lane_width - 2) | (down < 1);                                        \
        down = (down & ~far) | (far & (lane_width - 2)); /* the result is 0 in either case */      \
        const S value = fraction | one << man;                                                     \
        const S rounded = ((value + (one << (down - 1)) - 1 + (value >> down & 1)) >> down)        \
                          << (int)r->low;                                                          \
        S field = common << man;                                                                   \
        S result = rounded | (field & ~flagged);                                                   \
        if (r->extended)                                                                           \
            result &= ~(rounded == 0);                                                             \
        const S zero = exponent == 0, infinite = common == INFINITY_FIELD;                         \
        result = (result & ~zero) | (field & zero);                                                \
        result = (result & ~infinite) | (field & infinite);                                        \
        return sign | (result & (common != 0));                                                    \
    }

LANES_BF(bf_convert_half, vi32, 9, 16, 32)
LANES_BF(bf_convert_word, bf_word, 23, 32, 32)
LANES_BF(bf_convert_long, bf_long, 52, 64, 64)

LANES_FN void bf_halves_block(const uint64_t *in, uint64_t *out, const struct bf_rules *r)
{
    bf_halves bits;
    memcpy(&bits, in, sizeof bits);
    /* The largest magnitude, by the horizontal minimum of the complement. */
    const bf_halves inverted = ~bits & 0x7fff;
    __m128i part[2];
    memcpy(part, &inverted, sizeof part);
    const __m128i smallest = _mm_minpos_epu16(_mm_min_epu16(part[0], part[1]));
    const uint64_t largest = 0x7fff ^ ((unsigned)_mm_cvtsi128_si32(smallest) & 0xffff);
    const vi32 common = (vi32){0} + (int32_t)bf_common(largest, 9, 0x3f, r);
    for (size_t at = 0; at < sizeof bits; at += sizeof(bf_part)) {
        bf_part halves;
        memcpy(&halves, (const char *)in + at, sizeof halves);
        const vi32 result = bf_convert_half(__builtin_convertvector(halves, vi32), common, r);
        halves = __builtin_convertvector(result, bf_part);
        memcpy((char *)out + at, &halves, sizeof halves);
    }
}

LANES_FN void bf_words_block(bool pseudo, const uint64_t *in, uint64_t *out,
                             const struct bf_rules *r)
{
    bf_word bits, common;
    memcpy(&bits, in, sizeof bits);
    uint32_t largest[2] = {0, 0}; /* of the words at the LSB side, at the MSB side */
    for (unsigned i = 0; i < 8; i++) {
        const uint32_t magnitude = (uint32_t)bits[i] & ~SIGN32;
        largest[i % 2] = magnitude > largest[i % 2] ? magnitude : largest[i % 2];
    }
    if (pseudo)
        largest[0] = largest[1] = largest[0] > largest[1] ? largest[0] : largest[1];
    for (unsigned i = 0; i < 8; i++)
        common[i] = (int32_t)bf_common(largest[i % 2], 23, 0xff, r);
    const bf_word result = bf_convert_word(bits, common, r);
    memcpy(out, &result, sizeof result);
}

LANES_FN void bf_longs_block(const uint64_t *in, uint64_t *out, const struct bf_rules *r)
{
    bf_long bits;
    memcpy(&bits, in, sizeof bits);
    uint64_t largest = 0;
    for (unsigned i = 0; i < 4; i++)
        largest = (in[i] & ~SIGN64) > largest ? in[i] & ~SIGN64 : largest;
    const bf_long common = (bf_long){0} + (int64_t)bf_common(largest, 52, 0x7ff, r);
    const bf_long result = bf_convert_long(bits, common, r);
    memcpy(out, &result, sizeof result);
}

/* x has both halves; out[k] may be NULL. */
LANES_OUTER void lanes_block_float(const struct alu_op *op, size_t lanes,
                                   const uint64_t *const x[2], uint64_t *const out[2])
{
    const struct bf_rules half = {
        .shorter = op->mantissa >= 6 && op->mantissa <= 9 ? 9u - op->mantissa : 0,
        .extended = op->insn == INSN_BFE};
    const struct bf_rules single = {0}, pseudo = {.low = 5};
    for (size_t mab = 0; mab < lanes; mab += PE_PER_MAB) {
        if (op->prec == PREC_H && out[1] != NULL)
            bf_halves_block(x[1] + mab, out[1] + mab, &half);
        else if (out[1] != NULL)
            memcpy(out[1] + mab, x[1] + mab, PE_PER_MAB * sizeof *out[1]);
        if (out[0] == NULL)
            continue;
        switch (op->prec) {
        case PREC_D:
            bf_longs_block(x[0] + mab, out[0] + mab, &single);
            break;
        case PREC_F:
            bf_words_block(false, x[0] + mab, out[0] + mab, &single);
            break;
        case PREC_G:
            bf_words_block(true, x[0] + mab, out[0] + mab, &pseudo);
            break;
        default:
            bf_halves_block(x[0] + mab, out[0] + mab, &half);
            break;
        }
    }
}

#endif
