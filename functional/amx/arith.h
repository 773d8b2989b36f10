/*
 * arith: floating point of the AMX unit: IEEE 754, round to nearest even, denormals supported, one
 * rounding in a fused multiply-add. Every NaN result is the default NaN of its format (FPCR.DN =
 * 1). Values are bit patterns in the low bits of a uint64_t.
 *
 * amx_fma uses exact integer arithmetic for any format. The other functions give the same results
 * with the host's double and fma, which IEEE hosts round once.
 */
#ifndef TAKT_FUNCTIONAL_AMX_ARITH_H
#define TAKT_FUNCTIONAL_AMX_ARITH_H

#include <stdbool.h>
#include <stdint.h>

enum amx_format { AMX_FORMAT_F16, AMX_FORMAT_BF16, AMX_FORMAT_F32, AMX_FORMAT_F64 };

struct amx_format_info {
    const char *name;
    unsigned exponent, fraction, bits; /* widths; bits = 1 + exponent + fraction */
    uint64_t default_nan;
};
extern const struct amx_format_info amx_format[4];

/* z + x*y, or z - x*y when subtract. */
uint64_t amx_fma(enum amx_format format, uint64_t x, uint64_t y, uint64_t z, bool subtract);

uint32_t amx_fma32(uint32_t x, uint32_t y, uint32_t z, bool subtract);
uint64_t amx_fma64(uint64_t x, uint64_t y, uint64_t z, bool subtract);

/* The same for f16 and bf16 in doubles, in which a product of two is exact. */
double amx_double16(enum amx_format format, uint16_t value);
uint16_t amx_fma16(enum amx_format format, double x, double y, double z);

/* f16 or bf16 to f32: exact; a NaN becomes the default NaN. */
uint32_t amx_widen(enum amx_format format, uint16_t value);

/* x <= 0, false for a NaN. */
bool amx_not_positive(enum amx_format format, uint64_t x);

#endif
