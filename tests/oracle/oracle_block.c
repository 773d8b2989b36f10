/* Block float conversion (4.4), step by step with the manual's numbers. */
#include "tests/oracle/oracle.h"

/* value * 2^-shift rounded to nearest even, computed exactly for any shift. */
static uint64_t round_down_shift(uint64_t value, unsigned shift)
{
    if (shift == 0)
        return value;
    if (shift > 63)
        return 0; /* value has at most 53 bits: below one half */
    const uint64_t quotient = value >> shift;
    const uint64_t rest = value & ((UINT64_C(1) << shift) - 1);
    const uint64_t half = UINT64_C(1) << (shift - 1);
    return quotient + (rest > half || (rest == half && (quotient & 1)));
}

void oracle_block_float(uint8_t prec, bool extended, unsigned bits_cut, unsigned n,
                        const uint64_t in[], uint64_t out[])
{
    const struct format *format = oracle_format(prec);
    const unsigned infinity = oracle_exponent_max(format);
    /* 1: the largest exponent. */
    unsigned largest = 0;
    for (unsigned i = 0; i < n; i++)
        if (oracle_exponent(format, in[i]) > largest)
            largest = oracle_exponent(format, in[i]);
    /* 2: the carry. It depends on all mantissa bits; in half precision without the b bits on the
     * LSB side; in pseudo single on the upper 18 (open point: the rule applied to the bits
     * kept). */
    const unsigned ignored = prec == PREC_H ? bits_cut : prec == PREC_G ? 5 : 0;
    const uint64_t ones = (UINT64_C(1) << (format->mantissa - ignored)) - 1;
    bool carry = false;
    for (unsigned i = 0; i < n; i++)
        carry |= oracle_exponent(format, in[i]) == largest &&
                 oracle_mantissa(format, in[i]) >> ignored == ones;
    /* Half precision 3: b is added. */
    const unsigned common = largest + carry + (prec == PREC_H ? bits_cut : 0);
    /* The field keeps format->mantissa bits (g: its upper 18) including the hidden bit, so the
     * hidden bit moves down by at least one position. */
    const unsigned dropped = prec == PREC_G ? 6 : 1;
    for (unsigned i = 0; i < n; i++) {
        const unsigned sign = oracle_sign(format, in[i]);
        const unsigned exponent = oracle_exponent(format, in[i]);
        const uint64_t mantissa = oracle_mantissa(format, in[i]);
        /* 3: exceptions. (c) comes before (a): if every exponent is 0 there is no infinity. */
        if (largest == 0) {
            out[i] = oracle_pack(format, sign, 0, 0);
        } else if (common >= infinity) {
            out[i] = oracle_pack(format, sign, infinity, 0);
        } else if (exponent == 0) {
            out[i] = oracle_pack(format, sign, common, 0);
        } else {
            /* 4, 5 and the extended form's 2 to 7. */
            const unsigned difference = common - exponent;
            const uint64_t value = mantissa | UINT64_C(1) << format->mantissa;
            const bool flagged = extended && difference >= 6 + bits_cut &&
                                 !(difference == 6 + bits_cut && mantissa >> ignored == ones);
            const unsigned shift = difference - (flagged ? 6 : 0) + dropped;
            const uint64_t rounded = round_down_shift(value, shift) << (dropped - 1);
            if (rounded == 0 && extended)
                out[i] = oracle_pack(format, sign, 0, 0);
            else
                out[i] = oracle_pack(format, sign, flagged ? 0 : common, rounded);
        }
    }
}
