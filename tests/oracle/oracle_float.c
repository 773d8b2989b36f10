/* Formats (1.3), exact values, rounding (4.1 to 4.3). */
#include "tests/oracle/oracle.h"

const struct format oracle_half = {16, 6, 9};
const struct format oracle_single = {32, 8, 23};
const struct format oracle_double = {64, 11, 52};

const struct format *oracle_format(uint8_t prec)
{
    return prec == PREC_D ? &oracle_double : prec == PREC_H ? &oracle_half : &oracle_single;
}

unsigned oracle_sign(const struct format *format, uint64_t bits)
{
    return (unsigned)(bits >> (format->bits - 1)) & 1;
}

unsigned oracle_exponent_max(const struct format *format)
{
    return (1U << format->exponent) - 1;
}

unsigned oracle_exponent(const struct format *format, uint64_t bits)
{
    return (unsigned)(bits >> format->mantissa) & oracle_exponent_max(format);
}

uint64_t oracle_mantissa(const struct format *format, uint64_t bits)
{
    return bits & ((UINT64_C(1) << format->mantissa) - 1);
}

int oracle_bias(const struct format *format)
{
    return (1 << (format->exponent - 1)) - 1;
}

uint64_t oracle_pack(const struct format *format, unsigned sign, unsigned exponent,
                     uint64_t mantissa)
{
    return (uint64_t)sign << (format->bits - 1) | (uint64_t)exponent << format->mantissa | mantissa;
}

bool oracle_is_zero(const struct format *format, uint64_t bits)
{
    return oracle_exponent(format, bits) == 0;
}

bool oracle_is_infinite(const struct format *format, uint64_t bits)
{
    return oracle_exponent(format, bits) == oracle_exponent_max(format);
}

uint64_t oracle_element(uint64_t long_word, unsigned bits, unsigned index)
{
    const uint64_t shifted = long_word >> (64 - bits * (index + 1));
    return bits == 64 ? shifted : shifted & ((UINT64_C(1) << bits) - 1);
}

uint64_t oracle_place(uint64_t element, unsigned bits, unsigned index)
{
    return element << (64 - bits * (index + 1));
}

void exact_init(struct exact *value)
{
    mpz_init(value->m);
    value->e = 0;
    value->infinite = 0;
}

void exact_clear(struct exact *value)
{
    mpz_clear(value->m);
}

void exact_zero(struct exact *value)
{
    mpz_set_ui(value->m, 0);
    value->e = 0;
    value->infinite = 0;
}

void exact_from_bits(struct exact *value, const struct format *format, uint64_t bits)
{
    exact_zero(value);
    if (oracle_is_zero(format, bits))
        return;
    const unsigned sign = oracle_sign(format, bits);
    if (oracle_is_infinite(format, bits)) {
        value->infinite = sign ? -1 : 1;
        return;
    }
    const uint64_t m = oracle_mantissa(format, bits) | UINT64_C(1) << format->mantissa;
    mpz_set_ui(value->m, m);
    if (sign)
        mpz_neg(value->m, value->m);
    value->e = (long)oracle_exponent(format, bits) - oracle_bias(format) - (long)format->mantissa;
}

void exact_add(struct exact *sum, const struct exact *value)
{
    if (sum->infinite || value->infinite) {
        if (!sum->infinite)
            sum->infinite = value->infinite;
        else if (value->infinite && value->infinite != sum->infinite)
            sum->infinite = 1;
        return;
    }
    if (mpz_sgn(value->m) == 0)
        return;
    if (mpz_sgn(sum->m) == 0) {
        mpz_set(sum->m, value->m);
        sum->e = value->e;
    } else if (sum->e <= value->e) {
        mpz_t shifted;
        mpz_init(shifted);
        mpz_mul_2exp(shifted, value->m, (unsigned long)(value->e - sum->e));
        mpz_add(sum->m, sum->m, shifted);
        mpz_clear(shifted);
    } else {
        mpz_mul_2exp(sum->m, sum->m, (unsigned long)(sum->e - value->e));
        mpz_add(sum->m, sum->m, value->m);
        sum->e = value->e;
    }
}

uint64_t exact_round(const struct exact *value, const struct format *format, bool keep_sign)
{
    const unsigned top = oracle_exponent_max(format);
    if (value->infinite)
        return oracle_pack(format, value->infinite < 0, top, 0);
    const int sign = mpz_sgn(value->m);
    if (sign == 0)
        return 0;
    /* Find q, e with q of exactly mantissa + 1 bits, q * 2^e nearest to the magnitude. */
    const unsigned want = format->mantissa + 1;
    const unsigned have = (unsigned)mpz_sizeinbase(value->m, 2);
    long e = value->e;
    mpz_t q, rest, half;
    mpz_inits(q, rest, half, NULL);
    mpz_abs(q, value->m);
    if (have > want) {
        const unsigned cut = have - want;
        mpz_fdiv_r_2exp(rest, q, cut);
        mpz_fdiv_q_2exp(q, q, cut);
        mpz_set_ui(half, 1);
        mpz_mul_2exp(half, half, cut - 1);
        const int order = mpz_cmp(rest, half);
        if (order > 0 || (order == 0 && mpz_odd_p(q)))
            mpz_add_ui(q, q, 1);
        e += (long)cut;
        if (mpz_sizeinbase(q, 2) > want) { /* the carry changes the exponent (4.3 step 2) */
            mpz_fdiv_q_2exp(q, q, 1);
            e += 1;
        }
    } else {
        mpz_mul_2exp(q, q, want - have);
        e -= (long)(want - have);
    }
    const uint64_t m = mpz_get_ui(q);
    mpz_clears(q, rest, half, NULL);
    const long exponent = e + (long)format->mantissa + oracle_bias(format);
    if (exponent >= (long)top)
        return oracle_pack(format, sign < 0, top, 0);
    if (exponent <= 0)
        return keep_sign ? oracle_pack(format, sign < 0, 0, 0) : 0;
    return oracle_pack(format, sign < 0, (unsigned)exponent,
                       m & ((UINT64_C(1) << format->mantissa) - 1));
}

uint64_t oracle_convert(const struct format *from, const struct format *to, uint64_t bits,
                        uint64_t *care)
{
    const uint64_t all = to->bits == 64 ? UINT64_MAX : (UINT64_C(1) << to->bits) - 1;
    uint64_t result;
    if (oracle_is_zero(from, bits)) {
        result = oracle_pack(to, oracle_sign(from, bits), 0, 0);
    } else {
        struct exact value;
        exact_init(&value);
        exact_from_bits(&value, from, bits);
        result = exact_round(&value, to, true);
        exact_clear(&value);
    }
    if (care) {
        *care = all;
        if (oracle_is_zero(to, result) || oracle_is_infinite(to, result))
            *care &= ~((UINT64_C(1) << to->mantissa) - 1);
    }
    return result;
}
