/*
 * vector_bodies: the bodies of register instructions, one per family, step and size. The same
 * source is compiled twice: as plain C for every host, and for AVX2.
 *
 * A body processes the registers of an operand (four with .m). If a family reads or writes several
 * registers, they are `strips` apart: {v0, v1}, with .m {v0..v3, v4..v7}.
 */
#ifndef TAKT_FUNCTIONAL_KELVIN_VECTOR_BODIES_H
#define TAKT_FUNCTIONAL_KELVIN_VECTOR_BODIES_H

#include "functional/kelvin/vector.h"

struct kelvin_strip {
    union kelvin_register *d;
    const union kelvin_register *a, *b;
    unsigned strips, b_next; /* b_next: 0 if b is one register with equal lanes, else 1 */
    unsigned slide;          /* vslide*: bytes */
};

/* Sources of a convolution; bytes are extended with sign and bias, those of narrow by number 0. */
struct kelvin_products {
    /* aconv: word start + i of the eight narrow ones is multiplied by wide[i] */
    unsigned start, count;
    const union kelvin_register *narrow, *wide;
    bool sign[2];
    int16_t bias[2];
};

typedef void kelvin_body(const struct kelvin_strip *strip);

struct kelvin_bodies {
    const char *name;
    kelvin_body *lanes[KELVIN_FAMILIES][4][3]; /* indexed by family, step, size */
    void (*aconv)(union kelvin_register accum[KELVIN_WORDS], const struct kelvin_products *);
    void (*dwconv)(union kelvin_register dwacc[KELVIN_STRIPS], const struct kelvin_products *);
};

extern const struct kelvin_bodies kelvin_bodies_plain;
#ifdef __x86_64__
extern const struct kelvin_bodies kelvin_bodies_avx2;
#endif

#endif
