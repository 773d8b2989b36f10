/* ieee: floats of any format by MPFR: values by their formula, one rounding of an exact value. */
#ifndef TAKT_TESTS_VENTUS_IEEE_H
#define TAKT_TESTS_VENTUS_IEEE_H

#include <mpfr.h>
#include <stdint.h>

/* Bits of exponent and mantissa; infinite: an exponent of ones is infinity or NaN. */
struct ieee_format {
    int exponent, mantissa, bias;
    int infinite;
};
extern const struct ieee_format ieee_half, ieee_single, ieee_double, ieee_brain;

enum { IEEE_BITS = 4400 }; /* exact sums and products of doubles fit */

/* The value of a word; infinities and NaN as MPFR has them. */
void ieee_value(mpfr_t to, const struct ieee_format *format, uint64_t word);
/* An exact value rounded once, by RISC-V's numbers 0 to 3 of rounding modes, with its flags. NaN is
 * the format's quiet one. */
uint64_t ieee_round(mpfr_srcptr exact, const struct ieee_format *format, int mode, unsigned *flags);
/* As the quotient or root of inexact operations: `ternary` says on which side the exact value lies,
 * as MPFR does. */
uint64_t ieee_round_near(mpfr_srcptr near, int ternary, const struct ieee_format *format, int mode,
                         unsigned *flags);

#endif
