/*
 * arith_fp: the three float formats (1.3) and exact numbers of the plain C arithmetic.
 *
 *   bits --unpack--> struct fp_number --products, add--> struct fp_number --pack--> bits
 *
 * A finite number is exactly mag * 2^exp; after mncore2_fp_add the last bit may be sticky. The only
 * rounding is in mncore2_fp_pack (4.3).
 */
#ifndef TAKT_FUNCTIONAL_MNCORE2_ARITH_FP_H
#define TAKT_FUNCTIONAL_MNCORE2_ARITH_FP_H

#include "functional/mncore2/arith.h"

__extension__ typedef unsigned __int128 fp_u128;
__extension__ typedef __int128 fp_i128;

struct fp_format {
    unsigned width; /* of a value */
    unsigned man;   /* mantissa field */
    unsigned inf;   /* exponent field of infinities: all ones */
    int bias;
    unsigned dropped; /* low mantissa bits whose partial products are replaced by r (4.3) */
};

extern const struct fp_format mncore2_fp_half, mncore2_fp_single, mncore2_fp_double;

enum fp_kind { FP_ZERO, FP_FINITE, FP_INF };

struct fp_number {
    enum fp_kind kind;
    bool sign;
    int exp;
    fp_u128 mag; /* not 0 in a finite number */
};

static inline unsigned fp_exponent(const struct fp_format *f, uint64_t bits)
{
    return (unsigned)(bits >> f->man) & f->inf;
}

static inline uint64_t fp_mantissa(const struct fp_format *f, uint64_t bits)
{
    return bits & (((uint64_t)1 << f->man) - 1);
}

static inline uint64_t fp_sign_bit(const struct fp_format *f)
{
    return (uint64_t)1 << (f->width - 1);
}

/* value >> shift, rounded to nearest, ties to even. */
uint64_t mncore2_fp_shift_even(uint64_t value, unsigned shift);

struct fp_number mncore2_fp_unpack(const struct fp_format *f, uint64_t bits);
/* mag * 2^exp; FP_ZERO for mag 0. */
struct fp_number mncore2_fp_number_of(bool sign, fp_u128 mag, int exp);
/* The multiplier of 4.3: full mantissas including the hidden bit, without the dropped partial
 * products. */
fp_u128 mncore2_fp_multiply(const struct fp_format *f, uint64_t a, uint64_t b);
struct fp_number mncore2_fp_product(const struct fp_format *f, uint64_t a, uint64_t b);
/* a + b for magnitudes below 2^108. If the exponents differ too much for an exact sum, the last bit
 * of mag is sticky, which gives the same result in mncore2_fp_pack. */
struct fp_number mncore2_fp_add(struct fp_number a, struct fp_number b);
/* Round to nearest even, then check the exponent range; zeros keep their sign. */
uint64_t mncore2_fp_pack(const struct fp_format *f, struct fp_number number);
/* 4.1: infinities lose their mantissa, zeros their mantissa and sign. */
uint64_t mncore2_fp_normalise(const struct fp_format *f, uint64_t bits);

/* One half of a bus in one lane; absent halves read as zero. */
static inline uint64_t bus_read(const uint64_t *const bus[2], unsigned half, size_t lane)
{
    return bus != NULL && bus[half] != NULL ? bus[half][lane] : 0;
}

static inline void bus_write(uint64_t *const bus[2], unsigned half, size_t lane, uint64_t value)
{
    if (bus != NULL && bus[half] != NULL)
        bus[half][lane] = value;
}

/* Element k of a long word, k = 0 at the MSB side. */
static inline uint32_t word_of(uint64_t value, unsigned k)
{
    return (uint32_t)(value >> (32 - 32 * k));
}

static inline uint16_t half_of(uint64_t value, unsigned k)
{
    return (uint16_t)(value >> (48 - 16 * k));
}

/* Convert two long words of four singles to four halves (3.6.12.19, 3.6.9.24). */
uint64_t mncore2_fp_reduce_input(uint64_t high, uint64_t low);

#endif
