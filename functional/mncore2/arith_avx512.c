/* Vector kernels for AVX-512 (F, BW, DQ, VL). */
#include "functional/mncore2/arith_kernels.h"

#ifdef __x86_64__

#define LANES_BYTES 64
#define LANES_TARGET __attribute__((target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl")))

#include <immintrin.h>

#include "functional/mncore2/arith_lanes.h"

/* Of the neighbours below and above an inexact sum one is odd; an exact sum is both. */
LANES_FN vd lanes_add_odd(vd a, vd b)
{
    const __m512d below = _mm512_add_round_pd((__m512d)a, (__m512d)b,
                                              _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
    const __m512d above = _mm512_add_round_pd((__m512d)a, (__m512d)b,
                                              _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC);
    const __mmask8 odd = _mm512_test_epi64_mask(_mm512_castpd_si512(below), _mm512_set1_epi64(1));
    return (vd)_mm512_mask_blend_pd(odd, above, below);
}

LANES_FN vd lanes_fma(vd a, vd b, vd c)
{
    return (vd)_mm512_fmadd_pd((__m512d)a, (__m512d)b, (__m512d)c);
}

LANES_FN vw lanes_special_single(vw bits)
{
    /* quiet and signalling NaN, both infinities, denormals */
    const __mmask8 special = _mm256_fpclass_ps_mask((__m256)bits, 0x01 | 0x08 | 0x10 | 0x20 | 0x80);
    return (vw)_mm256_movm_epi32(special);
}

#include "functional/mncore2/arith_lanes_alu.h"
#include "functional/mncore2/arith_lanes_matrix.h"
#include "functional/mncore2/arith_lanes_rrn.h"

LANES_TARGET static bool alu(const struct alu_op *op, size_t lanes, const uint64_t *const x[2],
                             const uint64_t *const y[2], uint64_t *const out[2], uint8_t *flags)
{
    return lanes_alu(op, lanes, x, y, out, flags);
}

LANES_TARGET static bool mau(const struct mau_op *op, size_t lanes, const uint64_t *matrix,
                             const uint64_t *const x[2], const uint64_t *const y[2],
                             const uint64_t *const z[2], uint64_t *const out[2], uint8_t *flags)
{
    return lanes_mau(op, lanes, matrix, x, y, z, out, flags);
}

LANES_TARGET static bool rrn(uint8_t opcode, uint8_t prec, bool reduce, size_t n, size_t count,
                             const uint64_t *const src[], uint64_t *dst)
{
    return lanes_rrn(opcode, prec, reduce, n, count, src, dst);
}

const struct arith_kernels arith_avx512 = {.name = "avx512", .alu = alu, .mau = mau, .rrn = rrn};

#endif
