/* scalar: the arithmetic of RV32IM in exact numbers, from the manual's tables. */
#ifndef TAKT_TESTS_KELVIN_SCALAR_H
#define TAKT_TESTS_KELVIN_SCALAR_H

#include <stdint.h>

/* add to remu, with two registers. */
enum { SCALAR_NAMES = 18 };
extern const char *const scalar_names[SCALAR_NAMES];

uint32_t scalar_value(unsigned name, uint32_t a, uint32_t b);
/* As a signed number. */
int64_t scalar_sign(uint32_t a);

#endif
