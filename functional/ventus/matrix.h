/*
 * matrix: D = A * B + C of one warp, the shapes and types of mma and mma64.
 *
 *   op --ventus_matrix--> struct ventus_matrix: shape, types, places of the elements
 *
 * Elements are consecutive in the words of the warp: word w in lane w % 32 of register
 * first + w / 32, low bits first. A by rows and B by columns, unless AL and BL say otherwise; C and
 * D by rows. Elements of 6 bits take 8. With `wg` four warps have four times as many rows; an
 * operand in local memory is named by a descriptor: lane 0 of its register is the address, lane 1
 * the bytes from one row (of B: column, unless BL) to the next.
 */
#ifndef TAKT_FUNCTIONAL_VENTUS_MATRIX_H
#define TAKT_FUNCTIONAL_VENTUS_MATRIX_H

#include "functional/ventus/insn.h"

/* Numbers of the field DT. */
enum ventus_element {
    VENTUS_ELEMENT_F32,
    VENTUS_ELEMENT_F16,
    VENTUS_ELEMENT_BF16,
    VENTUS_ELEMENT_E4M3,
    VENTUS_ELEMENT_E5M2,
    VENTUS_ELEMENT_I8,
    VENTUS_ELEMENT_I4,
    VENTUS_ELEMENT_B1,
    VENTUS_ELEMENT_E3M2,
    VENTUS_ELEMENT_E2M3,
    VENTUS_ELEMENT_E2M1,
    VENTUS_ELEMENT_E3M0,
    VENTUS_ELEMENTS
};

struct ventus_matrix {
    uint8_t element;         /* enum ventus_element, of A and B */
    uint32_t m, n, k;        /* of one warp */
    uint32_t bits, sum_bits; /* of an element of A and B; of C and D */
    bool a_columns, b_rows;  /* AL, BL */
    bool group;              /* wg: B is in local memory ... */
    bool a_local;            /* ... and so does A */
    bool wraps;              /* integers: what does not fit is cut off; else it saturates */
    uint8_t rounding;        /* enum ventus_rounding of mma64; of mma that of the warp */
};

struct ventus_matrix ventus_matrix(const struct ventus_op *op);

/* Its products in those of a vftta, 128 of 32 bits: of half the bits twice as many count as one. Of
 * vftta 1. */
uint32_t ventus_matrix_passes(const struct ventus_op *op);

/* Registers that A, B and each of C and D take. */
struct ventus_matrix_registers {
    uint32_t a, b, c;
};
struct ventus_matrix_registers ventus_matrix_registers(const struct ventus_matrix *matrix);

#endif
