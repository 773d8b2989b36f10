/*
 * arith_lanes: the vector kernels. The file that includes the arith_lanes_*.h headers first defines
 *
 *   LANES_BYTES    32
 *   LANES_TARGET   the target attribute of every function
 *   the functions declared below as lanes_..., with its intrinsics
 *
 * Single and half precision are computed in FP64 lanes: every product of 24-bit mantissas is exact
 * there, and a sum rounded to odd rounds correctly to 24 or 10 bits afterwards, since 53 >= 24 + 2
 * (4.3 requires a single rounding). The rest is integer arithmetic.
 *
 * Kernels work in chunks. A chunk with values that FP64 lanes cannot handle (infinities, exponent 0
 * with a mantissa, exponents near the limits) is recomputed by the plain C code.
 */
#ifndef TAKT_FUNCTIONAL_MNCORE2_ARITH_LANES_H
#define TAKT_FUNCTIONAL_MNCORE2_ARITH_LANES_H

#include <immintrin.h>
#include <string.h>

#include "functional/mncore2/arith_fp.h"
#include "functional/mncore2/arith_kernels.h"

#define LANES_FN    static inline __attribute__((always_inline)) LANES_TARGET
#define LANES_OUTER static __attribute__((noinline)) LANES_TARGET

/* N elements of 64 bits, N of 32 bits, and whole vectors of narrower elements. */
enum {
    N = LANES_BYTES / 8,
    CHUNK = 128, /* lanes at a time; a multiple of N */
    PIECE = 8    /* lanes per recomputed piece of a chunk */
};

typedef double vd __attribute__((vector_size(LANES_BYTES)));
typedef uint64_t vu __attribute__((vector_size(LANES_BYTES)));
typedef int64_t vi __attribute__((vector_size(LANES_BYTES)));
typedef uint32_t vu32 __attribute__((vector_size(LANES_BYTES)));
typedef int32_t vi32 __attribute__((vector_size(LANES_BYTES)));
typedef uint16_t vu16 __attribute__((vector_size(LANES_BYTES)));
typedef int16_t vi16 __attribute__((vector_size(LANES_BYTES)));
typedef uint64_t vu_half __attribute__((vector_size(LANES_BYTES / 2)));
typedef float vf __attribute__((vector_size(LANES_BYTES / 2)));
typedef uint32_t vw __attribute__((vector_size(LANES_BYTES / 2)));
typedef int32_t vwi __attribute__((vector_size(LANES_BYTES / 2)));

static const uint64_t SIGN64 = (uint64_t)1 << 63;
static const uint64_t EXPONENT64 = (uint64_t)0x7ff << 52;
static const uint32_t SIGN32 = (uint32_t)1 << 31;
static const uint32_t EXPONENT32 = (uint32_t)0xff << 23;

/* a + b rounded to odd; a * b + c fused. */
LANES_FN vd lanes_add_odd(vd a, vd b);
LANES_FN vd lanes_fma(vd a, vd b, vd c);
/* Plain conversions; compilers split the generic form into halves. */
LANES_FN vd lanes_widen(vf v);
LANES_FN vf lanes_narrow(vd v);
LANES_FN vw lanes_truncate(vu v);
/* Sign and exponent of each double that has a bit of `low` set, else 0. */
LANES_FN vu lanes_unit(vu bits, uint64_t low);
/* The first `left` < N long words; the rest is 0. */
LANES_FN vu lanes_load_some(const uint64_t *p, size_t left);
LANES_FN void lanes_store_some(uint64_t *p, vu v, size_t left);

LANES_FN vu load_u(const uint64_t *p)
{
    vu v;
    memcpy(&v, p, sizeof v);
    return v;
}

LANES_FN vu load_some(const uint64_t *p, size_t left)
{
    return left >= N ? load_u(p) : lanes_load_some(p, left);
}

LANES_FN void store_u(uint64_t *p, vu v)
{
    memcpy(p, &v, sizeof v);
}

LANES_FN void store_some(uint64_t *p, vu v, size_t left)
{
    if (left >= N)
        store_u(p, v);
    else
        lanes_store_some(p, v, left);
}

/* N singles: N / 2 long words. */
LANES_FN vw load_w(const uint64_t *p)
{
    vw v;
    memcpy(&v, p, sizeof v);
    return v;
}

LANES_FN void store_w(uint64_t *p, vw v)
{
    memcpy(p, &v, sizeof v);
}

LANES_FN vd double_of_single(vw bits)
{
    return lanes_widen((vf)bits);
}

/* The chip has no denormals: exponent 0 is zero, and a result that is too small after rounding is
 * zero (1.3, 4.3). The host's DAZ and FTZ modes do the same, since x86 detects tininess after
 * rounding; the kernels of single and half precision run in these modes. Values must
 * be loaded and stored between the two calls, so that no arithmetic is moved across them. */
LANES_FN unsigned flush_on(void)
{
    enum { FTZ_DAZ = 0x8040 };
    const unsigned before = _mm_getcsr();
    _mm_setcsr(before | FTZ_DAZ);
    __asm__ volatile("" ::: "memory");
    return before;
}

LANES_FN void flush_off(unsigned before)
{
    __asm__ volatile("" ::: "memory");
    _mm_setcsr(before);
}

/* 0 while all values so far are finite, else NaN. */
LANES_FN vd watch(vd before, vd value)
{
    return lanes_fma(value, (vd){0}, before);
}

LANES_FN bool any_special(vd watched)
{
    bool special = false;
    for (unsigned i = 0; i < N; i++)
        special |= watched[i] != 0;
    return special;
}

LANES_FN bool any_u(vu v)
{
    uint64_t all = 0;
    for (unsigned i = 0; i < N; i++)
        all |= v[i];
    return all != 0;
}

/* Convert a sum rounded to odd to single. The threshold is where 24 bits round up to 2^-126; below
 * it the result is +0 (4.1, 4.3). The conversion overflows after rounding, as 4.3 requires. */
LANES_FN vw single_of_odd(vd odd)
{
    const vu bits = (vu)odd;
    const vd magnitude = (vd)(bits & ~SIGN64);
    const vu keep = (vu)(magnitude >= 0x1.ffffffp-127);
    return (vw)lanes_narrow((vd)(bits & keep));
}

/* The same under flush_on. Adding +0 makes -0 positive. */
LANES_FN vw single_of_odd_flushed(vd odd)
{
    return (vw)(lanes_narrow(odd) + (vf){0});
}

/* Convert a sum rounded to odd to half, in the low 16 bits of each element. */
LANES_FN vw half_of_odd(vd odd)
{
    enum { DROP = 52 - 9 };
    const vu bits = (vu)odd;
    const vu magnitude = bits & ~SIGN64;
    const vu rounded =
        (magnitude + (((uint64_t)1 << (DROP - 1)) - 1) + ((magnitude >> DROP) & 1)) >> DROP;
    const vi half = (vi)rounded - ((vi){0} + ((1023 - 31) << 9)); /* exponent and mantissa */
    const vu normal = (vu)(half >= (1 << 9)), finite = (vu)(half < (63 << 9));
    const vu value = ((vu)half & finite) | (~finite & (63 << 9));
    const vu result = (value | ((bits >> 48) & 0x8000)) & normal;
    return lanes_truncate(result);
}

/* Convert the halves in the low 16 bits of each element to singles; infinities and zeros as in
 * 3.6.9.23. */
LANES_FN vw single_of_half(vw half)
{
    const vw exponent = half & 0x7e00;
    const vw infinite = (vw)(exponent == 0x7e00), normal = (vw)(exponent != 0);
    const vw value = (((half & 0x7fff) << 14) + ((127 - 31) << 23)) & ~infinite;
    return ((value | (infinite & EXPONENT32)) & normal) | (half & 0x8000) << 16;
}

/* Round singles to half precision; the result is still a single (3.6.9.24). */
LANES_FN vw single_at_half(vw bits)
{
    const uint32_t smallest = (127 - 30) << 23, infinity = (127 + 32) << 23;
    const vw magnitude = bits & ~SIGN32;
    const vw rounded = (magnitude + 0x1fff + ((magnitude >> 14) & 1)) & ~(uint32_t)0x3fff;
    const vw infinite =
        (vw)((vwi)rounded >= (int32_t)infinity) | (vw)((vwi)magnitude >= (int32_t)EXPONENT32);
    const vw normal = (vw)((vwi)rounded >= (int32_t)smallest) | infinite;
    return (((rounded & ~infinite) | (infinite & EXPONENT32)) & normal) | (bits & SIGN32);
}

/* Round singles to half precision; the result is a half in the low 16 bits. */
LANES_FN vw half_of_single(vw bits)
{
    const vw single = single_at_half(bits);
    const vw exponent = single & EXPONENT32;
    const vw infinite = (vw)(exponent == EXPONENT32), normal = (vw)(exponent != 0);
    const vw half = (((single & ~SIGN32) >> 14) - ((127 - 31) << 9)) & normal;
    return (half & ~infinite) | (infinite & 0x7e00) | (single >> 16 & 0x8000);
}

/* Spread the two halves of each long word's upper (k = 0) or lower 32 bits into words. */
LANES_FN vw spread_halves(const uint64_t *p, unsigned k)
{
    vu_half v;
    memcpy(&v, p, sizeof v);
    v = k == 0 ? v >> 32 : v & 0xffffffff;
    return (vw)((v & 0xffff) | (v & 0xffff0000) << 16);
}

/* The inverse: the low 16 bits of both words of each long word, joined in its low 32 bits. */
LANES_FN vu_half join_halves(vw v)
{
    const vu_half u = (vu_half)v;
    return (u & 0xffff) | ((u >> 16) & 0xffff0000);
}

/* The four mask bits of a lane from the marks at the top of its half words (3.6.12.1). */
LANES_FN uint8_t flags_of(uint64_t marks)
{
    const uint64_t v = (marks >> 15) & 0x0001000100010001;
    return (uint8_t)((v | v >> 15 | v >> 30 | v >> 45) & 15);
}

#endif
