/*
 * oracle: a second implementation of the arithmetic of MN-Core 2, written only from the manual
 * (chapter 4, 3.5.5, 3.5.8, 3.6.7 to 3.6.12, 1.3) with exact integers of any size (GMP). It shares
 * no code with functional/ except the structs of arith.h that name an operation. It is slow and
 * literal.
 *
 *   bits --exact_from_bits--> sign * m * 2^e --sum, product--> exact --exact_round--> bits
 *
 * One call works on one MAB: 4 lanes, each with a bus of two long words, [0] the MSB side. A care
 * mask gives the bits defined by the manual; cleared bits (the mantissa of a zero or an infinity
 * after a precision change without normalisation) may have any value.
 *
 * Not modelled: memories, addresses, masks, which belong to the executor.
 */
#ifndef TAKT_TESTS_ORACLE_ORACLE_H
#define TAKT_TESTS_ORACLE_ORACLE_H

#include <gmp.h>
#include <stdbool.h>
#include <stdint.h>

#include "functional/mncore2/arith.h"

/* 1.3: sign 1 bit, then exponent, then mantissa with a hidden bit. */
struct format {
    unsigned bits, exponent, mantissa;
};

extern const struct format oracle_half, oracle_single, oracle_double;

/* The format of a floating-point precision letter; g is single (4.4). */
const struct format *oracle_format(uint8_t prec);

/* Parts of an encoded value. */
unsigned oracle_sign(const struct format *format, uint64_t bits);
unsigned oracle_exponent(const struct format *format, uint64_t bits);
uint64_t oracle_mantissa(const struct format *format, uint64_t bits);
unsigned oracle_exponent_max(const struct format *format); /* all ones: infinity */
int oracle_bias(const struct format *format);
uint64_t oracle_pack(const struct format *format, unsigned sign, unsigned exponent,
                     uint64_t mantissa);
bool oracle_is_zero(const struct format *format, uint64_t bits);
bool oracle_is_infinite(const struct format *format, uint64_t bits);

/* Bit field `index` of `bits` bits, counted from the MSB side of a long word. */
uint64_t oracle_element(uint64_t long_word, unsigned bits, unsigned index);
uint64_t oracle_place(uint64_t element, unsigned bits, unsigned index);

/* m * 2^e, or an infinity: infinite is its sign, -1 or +1; 0 when finite. */
struct exact {
    mpz_t m;
    long e;
    int infinite;
};

void exact_init(struct exact *value);
void exact_clear(struct exact *value);
void exact_zero(struct exact *value);
void exact_from_bits(struct exact *value, const struct format *format, uint64_t bits);
/* sum += value; infinities as in the open points of the manual: mixed ones give +infinity. */
void exact_add(struct exact *sum, const struct exact *value);
/* Round to nearest even, then the range check (4.3 steps 2 and 3), then 4.1. An exact zero is +0;
 * with keep_sign an underflow keeps its sign (precision change without normalisation). */
uint64_t exact_round(const struct exact *value, const struct format *format, bool keep_sign);

/* Value-preserving extension and rounding reduction of one element (3.6.9.23, .24, 3.6.12.19). care
 * receives the defined bits. */
uint64_t oracle_convert(const struct format *from, const struct format *to, uint64_t bits,
                        uint64_t *care);

/* The product of two vector elements with the omitted partial products (4.3), m in {9, 23, 52}; a
 * and b include the hidden bits. scale: the LSB of the result has weight 2^(-2 m). */
void oracle_partial_products(mpz_t product, unsigned mantissa, uint64_t a, uint64_t b);

/* a * b + c of one element in precision d, f or h, rounded to `to`. */
uint64_t oracle_fma(uint8_t prec, uint64_t a, uint64_t b, uint64_t c, bool multiply,
                    const struct format *to);

typedef uint64_t mab_bus[4][2];

/* The inputs of the MAU, each a mab_bus. */
struct oracle_in {
    uint64_t (*x)[2], (*y)[2], (*z)[2];
};

/* One cycle of one MAB. matrix[4 * row + pe]. */
void oracle_mau(const struct mau_op *op, const uint64_t matrix[64], struct oracle_in in,
                mab_bus out, uint8_t flags[4]);

/* The value that mwrite stores; care masks as above. */
void oracle_mwrite(uint8_t prec, uint16_t flags, mab_bus in, mab_bus out, mab_bus care);

/* One cycle of the ALU of one MAB. */
void oracle_alu(const struct alu_op *op, mab_bus x, mab_bus y, mab_bus out, mab_bus care,
                uint8_t flags[4]);

/* Block float conversion of one block of n elements (4.4). bits_cut is b of the half precision
 * rules; prec selects format and kept bits. */
void oracle_block_float(uint8_t prec, bool extended, unsigned bits_cut, unsigned n,
                        const uint64_t in[], uint64_t out[]);

/* One reduction tree over n elements (4.2); `to` is the result's format for floats. */
uint64_t oracle_rrn_element(uint8_t rrn, uint8_t prec, unsigned n, const uint64_t in[],
                            const struct format *to, uint64_t *care);
/* One tree, one long word. */
uint64_t oracle_rrn_stage(uint8_t rrn, uint8_t prec, unsigned n, const uint64_t in[]);
/* L1BM, n = 4 or 16, one long word; with reduce two halves in the lower 32 bits. */
uint64_t oracle_rrn_l1bm(uint8_t rrn, uint8_t prec, bool reduce, unsigned n, const uint64_t in[],
                         uint64_t *care);
uint64_t oracle_rrn_unit(uint8_t rrn, uint8_t prec);

#endif
