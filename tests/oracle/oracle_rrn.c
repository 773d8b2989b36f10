/* The result reduction network (4.2, 3.5.5, 3.3). */
#include "tests/oracle/oracle.h"

static unsigned element_bits(uint8_t prec)
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

static uint64_t ones(unsigned bits)
{
    return bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

uint64_t oracle_rrn_unit(uint8_t rrn, uint8_t prec)
{
    const unsigned bits = element_bits(prec);
    uint64_t unit = 0, all = 0;
    if (rrn == RRN_MAX || rrn == RRN_BAND || rrn == RRN_AND)
        unit = ones(bits);
    else if (rrn == RRN_MIN)
        unit = ones(bits) >> 1;
    for (unsigned i = 0; i < 64 / bits; i++)
        all |= oracle_place(unit, bits, i);
    return all;
}

/* 4.2.1 */
static uint64_t add(const struct format *format, unsigned n, const uint64_t in[],
                    const struct format *to)
{
    struct exact sum;
    exact_init(&sum);
    unsigned largest = 0;
    for (unsigned i = 0; i < n; i++) {
        if (oracle_is_infinite(format, in[i])) {
            struct exact infinity = {.infinite = oracle_sign(format, in[i]) ? -1 : 1};
            exact_add(&sum, &infinity);
        }
        if (oracle_exponent(format, in[i]) > largest)
            largest = oracle_exponent(format, in[i]);
    }
    if (!sum.infinite && largest != 0) {
        mpz_t m, rest, half;
        mpz_inits(m, rest, half, NULL);
        for (unsigned i = 0; i < n; i++) {
            if (oracle_is_zero(format, in[i]))
                continue;
            mpz_set_ui(m, oracle_mantissa(format, in[i]) | UINT64_C(1) << format->mantissa);
            mpz_mul_2exp(m, m, 3);
            const unsigned shift = largest - oracle_exponent(format, in[i]);
            if (shift) {
                mpz_fdiv_r_2exp(rest, m, shift);
                mpz_fdiv_q_2exp(m, m, shift);
                mpz_set_ui(half, 1);
                mpz_mul_2exp(half, half, shift - 1);
                const int order = mpz_cmp(rest, half);
                if (order > 0 || (order == 0 && mpz_odd_p(m)))
                    mpz_add_ui(m, m, 1);
            }
            if (oracle_sign(format, in[i]))
                mpz_sub(sum.m, sum.m, m);
            else
                mpz_add(sum.m, sum.m, m);
        }
        mpz_clears(m, rest, half, NULL);
        sum.e = (long)largest - oracle_bias(format) - (long)format->mantissa - 3;
    }
    const uint64_t result = exact_round(&sum, to, false);
    exact_clear(&sum);
    return result;
}

/* 4.2.2: sign and magnitude; +0 above -0. */
static bool below(const struct format *format, uint64_t a, uint64_t b)
{
    const unsigned a_sign = oracle_sign(format, a), b_sign = oracle_sign(format, b);
    if (a_sign != b_sign)
        return a_sign > b_sign;
    return a_sign ? b < a : a < b;
}

uint64_t oracle_rrn_element(uint8_t rrn, uint8_t prec, unsigned n, const uint64_t in[],
                            const struct format *to, uint64_t *care)
{
    const unsigned bits = element_bits(prec);
    uint64_t result = in[0];
    bool truth = rrn == RRN_AND;
    if (care)
        *care = ones(to ? to->bits : bits);
    if (rrn == RRN_FADD)
        return add(oracle_format(prec), n, in, to);
    if (rrn == RRN_AND || rrn == RRN_OR) {
        for (unsigned i = 0; i < n; i++)
            truth = rrn == RRN_AND ? truth && in[i] != 0 : truth || in[i] != 0;
        return truth;
    }
    const struct format *format = rrn == RRN_MAX || rrn == RRN_MIN ? oracle_format(prec) : NULL;
    for (unsigned i = 1; i < n; i++)
        switch (rrn) {
        case RRN_MAX:
            result = below(format, result, in[i]) ? in[i] : result;
            break;
        case RRN_MIN:
            result = below(format, in[i], result) ? in[i] : result;
            break;
        case RRN_IADD:
            result = (result + in[i]) & ones(bits);
            break;
        case RRN_BAND:
            result &= in[i];
            break;
        default:
            result |= in[i];
            break;
        }
    if (format && to && to != format)
        return oracle_convert(format, to, result, care);
    return result;
}

uint64_t oracle_rrn_stage(uint8_t rrn, uint8_t prec, unsigned n, const uint64_t in[])
{
    const unsigned bits = element_bits(prec);
    uint64_t result = 0;
    for (unsigned j = 0; j < 64 / bits; j++) {
        uint64_t element[16];
        for (unsigned i = 0; i < n; i++)
            element[i] = oracle_element(in[i], bits, j);
        const bool is_float = rrn == RRN_FADD || rrn == RRN_MAX || rrn == RRN_MIN;
        const uint64_t one =
            oracle_rrn_element(rrn, prec, n, element, is_float ? oracle_format(prec) : NULL, NULL);
        result |= oracle_place(one, bits, j);
    }
    return result;
}

uint64_t oracle_rrn_l1bm(uint8_t rrn, uint8_t prec, bool reduce, unsigned n, const uint64_t in[],
                         uint64_t *care)
{
    uint64_t first[4];
    const uint64_t *last = in;
    if (n == 16) {
        for (unsigned quad = 0; quad < 4; quad++)
            first[quad] = oracle_rrn_stage(rrn, prec, 4, in + 4 * quad);
        last = first;
    }
    *care = UINT64_MAX;
    if (!reduce)
        return oracle_rrn_stage(rrn, prec, 4, last);
    uint64_t result = 0;
    *care = UINT64_MAX << 32;
    for (unsigned j = 0; j < 2; j++) {
        uint64_t element[4], fixed;
        for (unsigned i = 0; i < 4; i++)
            element[i] = oracle_element(last[i], 32, j);
        result |= oracle_rrn_element(rrn, prec, 4, element, &oracle_half, &fixed) << (16 - 16 * j);
        *care |= fixed << (16 - 16 * j);
    }
    return result;
}
