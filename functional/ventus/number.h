/*
 * number: floats of any format as exact values, for the formats other than single precision and
 * for results computed in one format and rounded to another.
 *
 *   bits --ventus_number--> struct ventus_number --add, mul, ...--> --ventus_number_bits--> bits
 *
 * A result holds at least 107 bits and remembers whether any were cut off, so that rounding it once
 * to at most 53 bits is exact. NaN results are the format's quiet NaN without sign. Formats without
 * infinities and NaNs are sources alone.
 */
#ifndef TAKT_FUNCTIONAL_VENTUS_NUMBER_H
#define TAKT_FUNCTIONAL_VENTUS_NUMBER_H

#include "functional/ventus/float32.h"

__extension__ typedef unsigned __int128 ventus_wide;

enum ventus_format {
    VENTUS_F16, /* 1 + 5 + 10 bits */
    VENTUS_F32,
    VENTUS_F64,
    VENTUS_BF16, /* 1 + 8 + 7 */
    VENTUS_E4M3, /* no infinity; all ones is NaN */
    VENTUS_E5M2,
    VENTUS_E3M2, /* neither infinity nor NaN, as those below */
    VENTUS_E2M3,
    VENTUS_E2M1,
    VENTUS_E3M0,
    VENTUS_FORMATS
};

enum ventus_kind { VENTUS_ZERO, VENTUS_FINITE, VENTUS_INFINITE, VENTUS_NAN };

struct ventus_number {
    uint8_t kind; /* enum ventus_kind */
    bool negative, signaling;
    int exponent;         /* the value is mantissa * 2^exponent */
    ventus_wide mantissa; /* its last bit is sticky: 1 when lower bits were cut off */
};

/* From bits of a format, low ones first. */
struct ventus_number ventus_number(enum ventus_format format, uint64_t bits);
/* Rounded by fcsr->rounding, flags raised. Of the formats F16, F32 and F64 alone. */
uint64_t ventus_number_bits(enum ventus_format format, const struct ventus_number *a,
                            struct ventus_fcsr *fcsr);

/* They raise NV where RISC-V does. */
struct ventus_number ventus_number_add(const struct ventus_number *a, const struct ventus_number *b,
                                       struct ventus_fcsr *fcsr);
struct ventus_number ventus_number_mul(const struct ventus_number *a, const struct ventus_number *b,
                                       struct ventus_fcsr *fcsr);
struct ventus_number ventus_number_div(const struct ventus_number *a, const struct ventus_number *b,
                                       struct ventus_fcsr *fcsr);
struct ventus_number ventus_number_sqrt(const struct ventus_number *a, struct ventus_fcsr *fcsr);
/* a * b + c, not rounded in between; infinity times zero raises NV whatever c is. */
struct ventus_number ventus_number_fma(const struct ventus_number *a, const struct ventus_number *b,
                                       const struct ventus_number *c, struct ventus_fcsr *fcsr);
struct ventus_number ventus_number_least(const struct ventus_number *a,
                                         const struct ventus_number *b, bool largest,
                                         struct ventus_fcsr *fcsr);
/* -1, 0, 1; 2: unordered. No flags. */
int ventus_number_compare(const struct ventus_number *a, const struct ventus_number *b);

#endif
