/* wide: words of 16, 32 and 64 bits as integers of GMP, and random floats of these sizes. */
#ifndef TAKT_TESTS_VENTUS_WIDE_H
#define TAKT_TESTS_VENTUS_WIDE_H

#include <gmp.h>
#include <stdbool.h>
#include <stdint.h>

/* The value of a word of 16 << size bits. */
void wide_set(mpz_t z, uint64_t word, unsigned size, bool is_signed);
/* What the lowest bits of z stand for. */
void wide_wrap(mpz_t z, unsigned bits, bool is_signed);
/* 32 bits of a float of 16 << size bits, of a double the upper half: often at the edges. */
uint32_t wide_float(unsigned size);

#endif
