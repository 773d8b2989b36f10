/*
 * arith: element types and the arithmetic of a body.
 *
 *   i8 is widened to i32 when read; a result stored to i8 saturates at -128 and 127.
 *   i32 wraps around: the low 32 bits of the exact result.
 *   f32 is IEEE 754 with nearest even after each operation (a product is rounded before it is
 *   added), subnormal numbers kept; every NaN is 7fc00000. max is IEEE 754-2019 maximum: NaN if one
 *   operand is, and +0 is larger than -0.
 */
#ifndef TAKT_FUNCTIONAL_LOOPS_ARITH_H
#define TAKT_FUNCTIONAL_LOOPS_ARITH_H

#include <string.h>

#include "functional/loops/program.h"

/* Memory is little-endian on every host. */
static inline uint32_t loops_read(enum loops_type type, const uint8_t *at)
{
    if (type == LOOPS_I8)
        return (uint32_t)(int32_t)(int8_t)*at;
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static inline void loops_write(enum loops_type type, uint8_t *at, uint32_t bits)
{
    if (type == LOOPS_I8) {
        const int32_t value = (int32_t)bits;
        *at = (uint8_t)(value < -128 ? -128 : value > 127 ? 127 : value);
        return;
    }
    for (unsigned i = 0; i < 4; i++)
        at[i] = (uint8_t)(bits >> 8 * i);
}

static inline float loops_float(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint32_t loops_float_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return value != value ? UINT32_C(0x7fc00000) : bits;
}

static inline uint32_t loops_compute_float(enum loops_op op, uint32_t x, uint32_t y)
{
    const float a = loops_float(x), b = loops_float(y);
    switch (op) {
    case LOOPS_OP_ADD:
        return loops_float_bits(a + b);
    case LOOPS_OP_SUBTRACT:
        return loops_float_bits(a - b);
    case LOOPS_OP_MULTIPLY:
        return loops_float_bits(a * b);
    case LOOPS_OP_MAX:
        if (a != a || b != b)
            return UINT32_C(0x7fc00000);
        return a < b || (!(b < a) && x >> 31) ? y : x; /* of equal values the one without a sign */
    case LOOPS_OP_NONE:
    case LOOPS_OPS:
        break;
    }
    return loops_float_bits(a);
}

/* type: LOOPS_F32 or LOOPS_I32. */
static inline uint32_t loops_compute(enum loops_type type, enum loops_op op, uint32_t a, uint32_t b)
{
    if (type == LOOPS_F32)
        return loops_compute_float(op, a, b);
    switch (op) {
    case LOOPS_OP_ADD:
        return a + b;
    case LOOPS_OP_SUBTRACT:
        return a - b;
    case LOOPS_OP_MULTIPLY:
        return a * b;
    case LOOPS_OP_MAX:
        return (int32_t)a < (int32_t)b ? b : a;
    case LOOPS_OP_NONE:
    case LOOPS_OPS:
        break;
    }
    return a;
}

#endif
