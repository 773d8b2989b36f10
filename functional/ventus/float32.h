/*
 * float32: arithmetic of single precision, with rounding modes and flags of the RISC-V F extension.
 *
 *   two words --ventus_f32_add(rounding, flags)--> word, flags raised
 *
 * Every operation is worked out in double precision, rounded to odd (enough for a correct second
 * rounding to 24 bits), and rounded once in integers: the answer does not depend on the host's
 * rounding mode and raises nothing there. NaN results are 0x7fc00000. Underflow is judged after
 * rounding.
 */
#ifndef TAKT_FUNCTIONAL_VENTUS_FLOAT32_H
#define TAKT_FUNCTIONAL_VENTUS_FLOAT32_H

#include <stdbool.h>
#include <stdint.h>

enum ventus_rounding { VENTUS_RNE, VENTUS_RTZ, VENTUS_RDN, VENTUS_RUP, VENTUS_RMM };
enum { VENTUS_NX = 1, VENTUS_UF = 2, VENTUS_OF = 4, VENTUS_DZ = 8, VENTUS_NV = 16 };
#define VENTUS_F32_NAN UINT32_C(0x7fc00000)

struct ventus_fcsr {
    uint8_t rounding; /* enum ventus_rounding */
    uint8_t flags;    /* raised so far */
};

uint32_t ventus_f32_add(uint32_t a, uint32_t b, struct ventus_fcsr *fcsr);
uint32_t ventus_f32_mul(uint32_t a, uint32_t b, struct ventus_fcsr *fcsr);
uint32_t ventus_f32_div(uint32_t a, uint32_t b, struct ventus_fcsr *fcsr);
uint32_t ventus_f32_sqrt(uint32_t a, struct ventus_fcsr *fcsr);
uint32_t ventus_f32_fma(uint32_t a, uint32_t b, uint32_t c, struct ventus_fcsr *fcsr);
uint32_t ventus_f32_min(uint32_t a, uint32_t b, struct ventus_fcsr *fcsr);
uint32_t ventus_f32_max(uint32_t a, uint32_t b, struct ventus_fcsr *fcsr);
bool ventus_f32_eq(uint32_t a, uint32_t b, struct ventus_fcsr *fcsr);
bool ventus_f32_lt(uint32_t a, uint32_t b, struct ventus_fcsr *fcsr);
bool ventus_f32_le(uint32_t a, uint32_t b, struct ventus_fcsr *fcsr);
uint32_t ventus_f32_class(uint32_t a);
uint32_t ventus_f32_to_int(uint32_t a, bool is_signed, struct ventus_fcsr *fcsr);
uint32_t ventus_f32_of_int(uint32_t a, bool is_signed, struct ventus_fcsr *fcsr);
/* Estimates of 7 bits, RVV 1.0 sections 13.9 and 13.10. */
uint32_t ventus_f32_rec7(uint32_t a, struct ventus_fcsr *fcsr);
uint32_t ventus_f32_rsqrt7(uint32_t a, struct ventus_fcsr *fcsr);
/* e to the power of a, rounded once. */
uint32_t ventus_f32_exp(uint32_t a, struct ventus_fcsr *fcsr);

#endif
