/* single: operations of body.def in single precision; they raise their flags in f. */
#ifndef TAKT_FUNCTIONAL_VENTUS_SINGLE_H
#define TAKT_FUNCTIONAL_VENTUS_SINGLE_H

#include "functional/ventus/float32.h"

#define SIGN          UINT32_C(0x80000000)
#define NEG(x)        ((x) ^ SIGN)
#define ADD(x, y)     ventus_f32_add(x, y, f)
#define MUL(x, y)     ventus_f32_mul(x, y, f)
#define DIV(x, y)     ventus_f32_div(x, y, f)
#define FMA(x, y, z)  ventus_f32_fma(x, y, z, f)
#define SQRT(x)       ventus_f32_sqrt(x, f)
#define LESSER(x, y)  ventus_f32_min(x, y, f)
#define GREATER(x, y) ventus_f32_max(x, y, f)
#define EQ(x, y)      ventus_f32_eq(x, y, f)
#define LT(x, y)      ventus_f32_lt(x, y, f)
#define LE(x, y)      ventus_f32_le(x, y, f)

#endif
