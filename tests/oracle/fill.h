/*
 * fill: operands that favour extremes, from a struct dice, so that a seed repeats a run.
 *
 * Values come from exponent edges, neighbours of powers of two, all-ones and single-bit mantissas,
 * zeros and infinities with garbage mantissas, and plain random bits. Callers add cases that depend
 * on several operands: cancellation, ties, exponent distances.
 */
#ifndef TAKT_TESTS_ORACLE_FILL_H
#define TAKT_TESTS_ORACLE_FILL_H

#include "tests/dice.h"
#include "tests/oracle/oracle.h"

unsigned fill_below(struct dice *fill, unsigned limit);
bool fill_chance(struct dice *fill, unsigned in); /* true with probability 1 / in */

uint64_t fill_mantissa(struct dice *fill, unsigned bits);
/* Any encoded value. */
uint64_t fill_float(struct dice *fill, const struct format *format);
/* A value whose exponent is near `exponent`: at most spread below, sometimes equal, never above. */
uint64_t fill_near(struct dice *fill, const struct format *format, unsigned exponent,
                   unsigned spread);
/* An exponent field, edges preferred. */
unsigned fill_exponent(struct dice *fill, const struct format *format);
/* An integer of `bits` bits, edges preferred. */
uint64_t fill_integer(struct dice *fill, unsigned bits);
/* A long word of encoded floats, or of integers when format is NULL. */
uint64_t fill_long(struct dice *fill, const struct format *format, unsigned bits);

#endif
