/* The result reduction network in plain C (3.5.5, 3.6.8.4, 3.6.8.5, 4.2). */
#include "functional/mncore2/arith_fp.h"
#include "functional/mncore2/arith_kernels.h"

enum { GUARD = 3, MAX_TREE = 16 };

static unsigned width_of(uint8_t prec)
{
    switch (prec) {
    case PREC_D:
    case PREC_L:
        return 64;
    case PREC_H:
    case PREC_S:
        return 16;
    default:
        return 32;
    }
}

static const struct fp_format *format_of(uint8_t prec)
{
    return prec == PREC_D   ? &mncore2_fp_double
           : prec == PREC_H ? &mncore2_fp_half
                            : &mncore2_fp_single;
}

/* 4.2.1: hidden bit and 3 guard bits, alignment with nearest even, exact sum, one rounding. */
static uint64_t add_elements(const struct fp_format *from, const struct fp_format *to, size_t n,
                             const uint64_t *elements)
{
    unsigned largest = 0;
    bool positive_inf = false, negative_inf = false;
    for (size_t i = 0; i < n; i++) {
        const unsigned exponent = fp_exponent(from, elements[i]);
        if (exponent > largest)
            largest = exponent;
        if (exponent == from->inf) {
            if ((elements[i] & fp_sign_bit(from)) != 0)
                negative_inf = true;
            else
                positive_inf = true;
        }
    }
    struct fp_number sum = {.kind = FP_INF, .sign = !positive_inf};
    if (!positive_inf && !negative_inf) {
        int64_t total = 0;
        for (size_t i = 0; i < n; i++) {
            const unsigned exponent = fp_exponent(from, elements[i]);
            if (exponent == 0)
                continue;
            const uint64_t man = fp_mantissa(from, elements[i]) | (uint64_t)1 << from->man;
            const int64_t aligned =
                (int64_t)mncore2_fp_shift_even(man << GUARD, largest - exponent);
            total += (elements[i] & fp_sign_bit(from)) != 0 ? -aligned : aligned;
        }
        sum = mncore2_fp_number_of(total < 0, (fp_u128)(uint64_t)(total < 0 ? -total : total),
                                   (int)largest - from->bias - (int)from->man - GUARD);
    }
    return mncore2_fp_normalise(to, mncore2_fp_pack(to, sum));
}

/* 4.2.2: sign and magnitude integers; +0 is above -0. */
static uint64_t sign_magnitude_key(uint64_t bits, uint64_t sign)
{
    return (bits & sign) != 0 ? sign - 1 - (bits & (sign - 1)) : bits | sign;
}

static uint64_t reduce_elements(uint8_t rrn, uint8_t prec, size_t n, const uint64_t *elements)
{
    const unsigned width = width_of(prec);
    const uint64_t sign = (uint64_t)1 << (width - 1);
    const uint64_t mask = sign | (sign - 1);
    uint64_t value = elements[0];
    if (rrn == RRN_AND || rrn == RRN_OR)
        value = value != 0;
    for (size_t i = 1; i < n; i++) {
        const uint64_t next = elements[i];
        const uint64_t key = sign_magnitude_key(next, sign), best = sign_magnitude_key(value, sign);
        switch (rrn) {
        case RRN_MAX:
            value = key > best ? next : value;
            break;
        case RRN_MIN:
            value = key < best ? next : value;
            break;
        case RRN_IADD:
            value = (value + next) & mask;
            break;
        case RRN_BAND:
            value &= next;
            break;
        case RRN_BOR:
            value |= next;
            break;
        case RRN_AND:
            value = value != 0 && next != 0;
            break;
        case RRN_OR:
            value = value != 0 || next != 0;
            break;
        default:
            break;
        }
    }
    return value;
}

void mncore2_rrn_reference(struct rrn_op op, size_t n, size_t count, const uint64_t *const src[],
                           uint64_t *dst)
{
    const unsigned width = width_of(op.prec);
    const uint64_t mask = width == 64 ? ~(uint64_t)0 : ((uint64_t)1 << width) - 1;
    const struct fp_format *from = format_of(op.prec);
    const struct fp_format *to = op.reduce ? &mncore2_fp_half : from;
    if (n > MAX_TREE)
        n = MAX_TREE;
    for (size_t i = 0; i < count; i++) {
        uint64_t result = 0;
        for (unsigned position = 64; position > 0; position -= width) {
            uint64_t elements[MAX_TREE] = {0};
            for (size_t s = 0; s < n; s++)
                elements[s] = src[s][i] >> (position - width) & mask;
            uint64_t value;
            if (op.rrn == RRN_FADD)
                value = add_elements(from, to, n, elements);
            else
                value = reduce_elements(op.rrn, op.prec, n, elements);
            if (op.reduce && op.rrn != RRN_FADD)
                value = mncore2_single_to_half((uint32_t)value); /* no normalisation: 4.2.2 */
            result |= value << (op.reduce ? (position - width) / 2 : position - width);
        }
        dst[i] = result;
    }
}

uint64_t mncore2_rrn_unit(uint8_t rrn, uint8_t prec)
{
    switch (rrn) {
    case RRN_MAX:
    case RRN_BAND:
    case RRN_AND:
        return ~(uint64_t)0;
    case RRN_MIN: /* the largest signed integer of the precision, in each element (3.3) */
        switch (width_of(prec)) {
        case 64:
            return INT64_MAX;
        case 32:
            return 0x7fffffff7fffffff;
        default:
            return 0x7fff7fff7fff7fff;
        }
    default:
        return 0;
    }
}
