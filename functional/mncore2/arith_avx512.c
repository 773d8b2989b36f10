/* Vector kernels for AVX-512 (F, BW, DQ, VL). */
#include "functional/mncore2/arith_kernels.h"

#ifdef __x86_64__

#define LANES_BYTES  64
#define LANES_TARGET __attribute__((target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl")))

#include <immintrin.h>

#include "functional/mncore2/arith_lanes.h"

/* Of the neighbours below and above an inexact sum one is odd; an exact sum is both. */
LANES_FN vd lanes_add_odd(vd a, vd b)
{
    const __m512d below =
        _mm512_add_round_pd((__m512d)a, (__m512d)b, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
    const __m512d above =
        _mm512_add_round_pd((__m512d)a, (__m512d)b, _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC);
    const __mmask8 odd = _mm512_test_epi64_mask(_mm512_castpd_si512(below), _mm512_set1_epi64(1));
    return (vd)_mm512_mask_blend_pd(odd, above, below);
}

LANES_FN vd lanes_fma(vd a, vd b, vd c)
{
    return (vd)_mm512_fmadd_pd((__m512d)a, (__m512d)b, (__m512d)c);
}

LANES_FN vd lanes_widen(vf v)
{
    return (vd)_mm512_cvtps_pd((__m256)v);
}

LANES_FN vf lanes_narrow(vd v)
{
    return (vf)_mm512_cvtpd_ps((__m512d)v);
}

LANES_FN vw lanes_truncate(vu v)
{
    return (vw)_mm512_cvtepi64_epi32((__m512i)v);
}

LANES_FN vu lanes_load_some(const uint64_t *p, size_t left)
{
    return (vu)_mm512_maskz_loadu_epi64((__mmask8)((1u << left) - 1), p);
}

LANES_FN void lanes_store_some(uint64_t *p, vu v, size_t left)
{
    _mm512_mask_storeu_epi64(p, (__mmask8)((1u << left) - 1), (__m512i)v);
}

LANES_FN vu lanes_unit(vu bits, uint64_t low)
{
    const __mmask8 some = _mm512_test_epi64_mask((__m512i)bits, _mm512_set1_epi64((long long)low));
    return (vu)_mm512_maskz_and_epi64(some, (__m512i)bits,
                                      _mm512_set1_epi64((long long)(SIGN64 | EXPONENT64)));
}

#include "functional/mncore2/arith_lanes_all.h"

const struct arith_kernels mncore2_arith_avx512 = {
    .name = "avx512", .alu = alu, .mau = mau, .rrn = rrn};

#endif
