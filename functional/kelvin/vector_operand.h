/* vector_operand: the registers of an op's operands, the control words of convolutions, and the
 * byte runs of loads and stores; shared by execution and kelvin_vector_work. */
#ifndef TAKT_FUNCTIONAL_KELVIN_VECTOR_OPERAND_H
#define TAKT_FUNCTIONAL_KELVIN_VECTOR_OPERAND_H

#include "functional/kelvin/vector.h"

/* Registers of vd and vs1, in units of `strips`; the lane size of a scalar second source relative
 * to the form's size, as a power of two. */
struct kelvin_shape {
    uint8_t d, a;
    int8_t scalar;
};
struct kelvin_shape kelvin_shape(enum kelvin_family family);

static inline unsigned kelvin_strips(const struct kelvin_form *form)
{
    return form->m ? KELVIN_STRIPS : 1;
}

/*
 * Control words of aconv and vdwconv:
 *
 *   31     30..22   21     20..12   11..7  6..2  1..0
 *   sdata2 sbias2   sdata1 sbias1   stop   start mode   aconv
 *                                   base 7..4, sparsity 3..2   vdwconv
 */
struct kelvin_control {
    unsigned mode, start, stop, sparsity, base;
    bool sign[2]; /* signedness of the narrow and the wide source */
    int16_t bias[2];
};
struct kelvin_control kelvin_control(uint32_t word);
/* True if an aconv, vdwconv or adwconv may run with this control word; its registers must exist. */
bool kelvin_control_legal(const struct kelvin_vop *op, const struct kelvin_control *control);
/* Previous, current, next: offsets from vs1 (16 bases). */
extern const uint8_t kelvin_control_bases[16][3];

/* Byte runs, and the base register after the op. */
struct kelvin_runs {
    uint32_t address, stride, piece, last, pieces;
    uint32_t base;
    bool post; /* the base register changes */
};
struct kelvin_runs kelvin_runs(const struct kelvin_vop *op, const uint32_t x[32]);

#endif
