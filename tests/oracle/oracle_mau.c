/* Vector and matrix-vector multiply-add (4.3, 4.5, 3.6.9), matrix writes (3.6.10). */
#include <string.h>

#include "tests/oracle/oracle.h"

/* 4.6 to 4.9: mantissa digits 1..kept of both factors are multiplied; the product of two digits
 * beyond that is replaced by 2^-(2 kept + 2). Half and pseudo single keep all digits. */
static unsigned digits_kept(unsigned mantissa)
{
    return mantissa == 23 ? 18 : mantissa == 52 ? 36 : mantissa;
}

void oracle_partial_products(mpz_t product, unsigned mantissa, uint64_t a, uint64_t b)
{
    mpz_t term;
    mpz_init_set_ui(term, b);
    mpz_set_ui(product, a);
    mpz_mul(product, product, term);
    const unsigned beyond = mantissa - digits_kept(mantissa);
    if (beyond) {
        const uint64_t low = (UINT64_C(1) << beyond) - 1;
        mpz_set_ui(term, a & low);
        mpz_mul_ui(term, term, b & low);
        if (mpz_sgn(term) != 0) {
            mpz_sub(product, product, term);
            /* digit j has weight 2^(mantissa - j) here: 2^-(2 kept + 2) is 2^(2 beyond - 2) */
            mpz_set_ui(term, 1);
            mpz_mul_2exp(term, term, 2 * beyond - 2);
            mpz_add(product, product, term);
        }
    }
    mpz_clear(term);
}

/* The exact product of two normal numbers; zeros and infinities as in the open points: infinity * 0
 * = 0, infinity * finite has the sign of the product. */
static void multiply(struct exact *product, const struct format *format, uint64_t a, uint64_t b)
{
    exact_zero(product);
    if (oracle_is_zero(format, a) || oracle_is_zero(format, b))
        return;
    const bool negative = oracle_sign(format, a) != oracle_sign(format, b);
    if (oracle_is_infinite(format, a) || oracle_is_infinite(format, b)) {
        product->infinite = negative ? -1 : 1;
        return;
    }
    const uint64_t hidden = UINT64_C(1) << format->mantissa;
    oracle_partial_products(product->m, format->mantissa, oracle_mantissa(format, a) | hidden,
                            oracle_mantissa(format, b) | hidden);
    if (negative)
        mpz_neg(product->m, product->m);
    product->e = (long)oracle_exponent(format, a) + (long)oracle_exponent(format, b) -
                 2 * (long)oracle_bias(format) - 2 * (long)format->mantissa;
}

uint64_t oracle_fma(uint8_t prec, uint64_t a, uint64_t b, uint64_t c, bool product_on,
                    const struct format *to)
{
    const struct format *factor = oracle_format(prec);
    const struct format *addend = prec == PREC_D ? &oracle_double : &oracle_single;
    struct exact sum, term;
    exact_init(&sum);
    exact_init(&term);
    if (product_on)
        multiply(&sum, factor, a, b);
    exact_from_bits(&term, addend, c);
    exact_add(&sum, &term);
    const uint64_t result = exact_round(&sum, to, false);
    exact_clear(&sum);
    exact_clear(&term);
    return result;
}

/* An input port: element i of a PE's bus in the requested format, after negation, e or r. */
static uint64_t port(const uint64_t bus[2], const struct format *format, uint16_t flags, unsigned i)
{
    const struct format *stored = format;
    if (flags & OPERAND_EXTEND)
        stored = format == &oracle_double ? &oracle_single : &oracle_half;
    else if (flags & OPERAND_REDUCE)
        stored = &oracle_single;
    const unsigned per_long = 64 / stored->bits;
    uint64_t bits = oracle_element(bus[i / per_long], stored->bits, i % per_long);
    if (flags & OPERAND_NEGATE)
        bits ^= UINT64_C(1) << (stored->bits - 1);
    return stored == format ? bits : oracle_convert(stored, format, bits, NULL);
}

/* A block of block float values (4.4): sign, mantissa without hidden bit, common exponent. */
struct block {
    unsigned n;
    int common; /* biased */
    bool negative[16], extended[16];
    uint64_t m[16];
};

static void block_read(struct block *block, const struct format *format, uint8_t prec, unsigned n,
                       const uint64_t bits[])
{
    block->n = n;
    block->common = 0;
    for (unsigned i = 0; i < n; i++) {
        const int exponent = (int)oracle_exponent(format, bits[i]);
        block->negative[i] = oracle_sign(format, bits[i]);
        block->m[i] = oracle_mantissa(format, bits[i]);
        if (prec == PREC_G)
            block->m[i] &= ~UINT64_C(31); /* the 5 bits on the LSB side count as 0 */
        if (exponent > block->common)
            block->common = exponent;
    }
    for (unsigned i = 0; i < n; i++)
        block->extended[i] =
            prec == PREC_H && block->common != 0 && oracle_exponent(format, bits[i]) == 0;
}

static void shift_to_even(mpz_t value, unsigned shift)
{
    mpz_t rest;
    mpz_init(rest);
    mpz_fdiv_r_2exp(rest, value, shift);
    mpz_fdiv_q_2exp(value, value, shift);
    const int order = mpz_cmp_ui(rest, 1UL << (shift - 1));
    if (order > 0 || (order == 0 && mpz_odd_p(value)))
        mpz_add_ui(value, value, 1);
    mpz_clear(rest);
}

/* 4.12 to 4.14. */
static void inner_product(struct exact *sum, const struct format *format, const struct block *a,
                          const struct block *b)
{
    exact_zero(sum);
    const int top = (int)oracle_exponent_max(format);
    if (a->common == 0 || b->common == 0)
        return; /* every value of such a block is a zero (1.3) */
    if (a->common == top || b->common == top) {
        struct exact term;
        exact_init(&term);
        for (unsigned i = 0; i < a->n; i++) {
            const bool a_infinite = a->common == top && !a->extended[i];
            const bool b_infinite = b->common == top && !b->extended[i];
            const bool zero = (!a_infinite && a->m[i] == 0) || (!b_infinite && b->m[i] == 0);
            exact_zero(&term);
            if (!zero && (a_infinite || b_infinite))
                term.infinite = a->negative[i] != b->negative[i] ? -1 : 1;
            exact_add(sum, &term);
        }
        exact_clear(&term);
        return;
    }
    mpz_t product;
    mpz_init(product);
    for (unsigned i = 0; i < a->n; i++) {
        oracle_partial_products(product, format->mantissa, a->m[i], b->m[i]);
        const unsigned extended = (unsigned)a->extended[i] + (unsigned)b->extended[i];
        if (extended)
            shift_to_even(product, 6 * extended);
        if (a->negative[i] != b->negative[i])
            mpz_sub(sum->m, sum->m, product);
        else
            mpz_add(sum->m, sum->m, product);
    }
    mpz_clear(product);
    /* a = 2^e sum 2^(1-j) A_j: the LSB of m has weight 2^(e + 1 - mantissa). */
    sum->e = a->common + b->common - 2 * (long)oracle_bias(format) + 2 - 2 * (long)format->mantissa;
}

/* Store element i of the `count` elements of one PE. */
static void put(uint64_t bus[2], uint8_t *flags, const struct format *to, unsigned i,
                unsigned count, uint64_t bits)
{
    const unsigned per_long = 64 / to->bits;
    bus[i / per_long] |= oracle_place(bits, to->bits, i % per_long);
    /* 3.6.9.26: the inverted sign bit, replicated over the flag bits of the element. */
    const unsigned width = 4 / count;
    if (!oracle_sign(to, bits))
        *flags |= (uint8_t)(((1U << width) - 1) << (4 - width * (i + 1)));
}

static void matrix_vector(const struct mau_op *op, const uint64_t matrix[64], struct oracle_in in,
                          mab_bus out, uint8_t flags[4], const struct format *to)
{
    const struct format *factor = oracle_format(op->prec);
    const struct format *addend = op->prec == PREC_D ? &oracle_double : &oracle_single;
    const unsigned rows = op->prec == PREC_D ? 4 : op->prec == PREC_H ? 16 : 8;
    const unsigned columns = op->prec == PREC_H ? 16 : op->prec == PREC_G ? 8 : 4;
    const unsigned stored = op->prec == PREC_D ? 1 : op->prec == PREC_H ? 4 : 2; /* per PE */
    const unsigned used = columns / 4;                                           /* per PE */
    struct block vector, row;
    uint64_t bits[16];
    for (unsigned j = 0; j < columns; j++)
        bits[j] = port(in.x[j / used], factor, op->x, j % used);
    block_read(&vector, factor, op->prec, columns, bits);
    struct exact sum, term;
    exact_init(&sum);
    exact_init(&term);
    for (unsigned i = 0; i < rows; i++) {
        exact_zero(&sum);
        const unsigned per_pe = rows / 4;
        const bool product_on = op->prec != PREC_D || (i / 2 == (op->lower ? 1 : 0));
        if (product_on) {
            /* Single precision uses the even columns: the MSB word of each PE's long word. */
            for (unsigned j = 0; j < columns; j++)
                bits[j] =
                    oracle_element(matrix[4 * (i * 16 / rows) + j / used], 64 / stored, j % used);
            block_read(&row, factor, op->prec, columns, bits);
            inner_product(&sum, factor, &row, &vector);
        }
        if (op->insn == INSN_MFMA) {
            exact_from_bits(&term, addend, port(in.y[i / per_pe], addend, op->y, i % per_pe));
            exact_add(&sum, &term);
        }
        const unsigned pe = i / per_pe;
        put(out[pe], &flags[pe], to, i % per_pe, per_pe, exact_round(&sum, to, false));
    }
    exact_clear(&sum);
    exact_clear(&term);
}

static void vector(const struct mau_op *op, struct oracle_in in, mab_bus out, uint8_t flags[4],
                   const struct format *to)
{
    const struct format *factor = oracle_format(op->prec);
    const struct format *addend = op->prec == PREC_D ? &oracle_double : &oracle_single;
    const unsigned count = op->prec == PREC_D ? 1 : op->prec == PREC_H ? 4 : 2;
    const uint64_t one = oracle_pack(factor, 0, (unsigned)oracle_bias(factor), 0);
    for (unsigned pe = 0; pe < 4; pe++)
        for (unsigned i = 0; i < count; i++) {
            const uint64_t a = port(in.x[pe], factor, op->x, i);
            uint64_t b = one, c = 0;
            bool product_on = true;
            if (op->insn == INSN_VFMA || op->insn == INSN_VMUL) {
                b = port(in.y[pe], factor, op->y, i);
                product_on = op->prec != PREC_D || (pe / 2 == (op->lower ? 1 : 0));
            }
            if (op->insn == INSN_VFMA)
                c = port(in.z[pe], addend, op->z, i);
            if (op->insn == INSN_VADD)
                c = port(in.y[pe], addend, op->y, i);
            put(out[pe], &flags[pe], to, i, count, oracle_fma(op->prec, a, b, c, product_on, to));
        }
}

void oracle_mau(const struct mau_op *op, const uint64_t matrix[64], struct oracle_in in,
                mab_bus out, uint8_t flags[4])
{
    const struct format *to = op->prec == PREC_D ? &oracle_double : &oracle_single;
    if (op->reduce)
        to = op->prec == PREC_D ? &oracle_single : &oracle_half;
    memset(out, 0, sizeof(mab_bus));
    memset(flags, 0, 4);
    if (op->insn == INSN_MFMA || op->insn == INSN_MMUL)
        matrix_vector(op, matrix, in, out, flags, to);
    else
        vector(op, in, out, flags, to);
}

void oracle_mwrite(uint8_t prec, uint16_t flags, mab_bus in, mab_bus out, mab_bus care)
{
    const struct format *format = oracle_format(prec);
    const struct format *stored = format;
    if (flags & OPERAND_EXTEND)
        stored = format == &oracle_double ? &oracle_single : &oracle_half;
    if (flags & OPERAND_REDUCE)
        stored = &oracle_single;
    const bool both = prec == PREC_H && !(flags & OPERAND_REDUCE);
    const unsigned per_long = 64 / format->bits;
    memset(out, 0, sizeof(mab_bus));
    memset(care, 0, sizeof(mab_bus));
    for (unsigned pe = 0; pe < 4; pe++)
        for (unsigned i = 0; i < per_long * (both ? 2 : 1); i++) {
            const unsigned stored_per_long = 64 / stored->bits;
            uint64_t bits =
                oracle_element(in[pe][i / stored_per_long], stored->bits, i % stored_per_long);
            if (flags & OPERAND_NEGATE)
                bits ^= UINT64_C(1) << (stored->bits - 1);
            uint64_t fixed = format->bits == 64 ? UINT64_MAX : (UINT64_C(1) << format->bits) - 1;
            if (stored != format)
                bits = oracle_convert(stored, format, bits, &fixed);
            out[pe][i / per_long] |= oracle_place(bits, format->bits, i % per_long);
            care[pe][i / per_long] |= oracle_place(fixed, format->bits, i % per_long);
        }
}
