/* Vector kernels for AVX2 with FMA. */
#include "functional/mncore2/arith_kernels.h"

#ifdef __x86_64__

#define LANES_BYTES  32
#define LANES_TARGET __attribute__((target("avx2,fma")))

#include <immintrin.h>

#include "functional/mncore2/arith_lanes.h"

/* The sum rounded to nearest and its exact error (Knuth). If the sum is inexact and its last bit
 * even, move it one step towards the error. */
LANES_FN vd lanes_add_odd(vd a, vd b)
{
    const vd sum = a + b;
    const vd b_part = sum - a;
    const vd error = (a - (sum - b_part)) + (b - b_part);
    const vi bits = (vi)sum;
    const vi step = (((vi)error ^ bits) >> 63) | 1;
    return (vd)(bits + (step & ((bits & 1) - 1) & (error != 0.0)));
}

LANES_FN vd lanes_fma(vd a, vd b, vd c)
{
    return (vd)_mm256_fmadd_pd((__m256d)a, (__m256d)b, (__m256d)c);
}

LANES_FN vd lanes_widen(vf v)
{
    return (vd)_mm256_cvtps_pd((__m128)v);
}

LANES_FN vf lanes_narrow(vd v)
{
    return (vf)_mm256_cvtpd_ps((__m256d)v);
}

LANES_FN vw lanes_truncate(vu v)
{
    return __builtin_convertvector(v, vw);
}

LANES_FN vu lanes_load_some(const uint64_t *p, size_t left)
{
    vu v = {0};
    for (size_t i = 0; i < left; i++)
        v[i] = p[i];
    return v;
}

LANES_FN void lanes_store_some(uint64_t *p, vu v, size_t left)
{
    for (size_t i = 0; i < left; i++)
        p[i] = v[i];
}

LANES_FN vu lanes_unit(vu bits, uint64_t low)
{
    return bits & (SIGN64 | EXPONENT64) & (vu)((bits & low) != 0);
}

#include "functional/mncore2/arith_lanes_all.h"

const struct arith_kernels mncore2_arith_avx2 = {
    .name = "avx2", .alu = alu, .mau = mau, .rrn = rrn};

#endif
