/*
 * vector_bodies: what the instructions on registers do, one body for each family, step and size,
 * twice: plain C for every host, and the same source for AVX2.
 *
 * A body goes over the registers of an operand (four with .m). Where a family reads or writes
 * several registers, the next one stands `strips` behind: {v0, v1}, with .m {v0..v3, v4..v7}.
 */
#ifndef TAKT_FUNCTIONAL_KELVIN_VECTOR_BODIES_H
#define TAKT_FUNCTIONAL_KELVIN_VECTOR_BODIES_H

#include "functional/kelvin/vector.h"

struct kelvin_strip {
    union kelvin_register *d;
    const union kelvin_register *a, *b;
    unsigned strips, b_next; /* b_next 0: one register of equal lanes, else 1 */
    unsigned slide;          /* vslide*: bytes */
};

/* Sources of a convolution; their bytes extend by sign and bias, those of narrow by number 0. */
struct kelvin_products {
    unsigned start, count; /* aconv: word start + i of the eight narrow ones belongs to wide[i] */
    const union kelvin_register *narrow, *wide;
    bool sign[2];
    int16_t bias[2];
};

typedef void kelvin_body(const struct kelvin_strip *strip);

struct kelvin_bodies {
    const char *name;
    kelvin_body *lanes[KELVIN_FAMILIES][4][3]; /* family, step, size */
    void (*aconv)(union kelvin_register accum[KELVIN_WORDS], const struct kelvin_products *);
    void (*dwconv)(union kelvin_register dwacc[KELVIN_STRIPS], const struct kelvin_products *);
};

extern const struct kelvin_bodies kelvin_bodies_plain;
#ifdef __x86_64__
extern const struct kelvin_bodies kelvin_bodies_avx2;
#endif

#endif
