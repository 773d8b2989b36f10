/* arith_mau: shared by the plain C bodies of the MAU: reading elements at the input ports and
 * writing results to the output bus. x, y, z are the operands as written in the manual. */
#ifndef TAKT_FUNCTIONAL_MNCORE2_ARITH_MAU_H
#define TAKT_FUNCTIONAL_MNCORE2_ARITH_MAU_H

#include "functional/mncore2/arith_fp.h"

/* Input ports (3.6.9.22 to .24). A d port reads a long word, or with e a word. An f port reads two
 * elements of a long word, or with e of a word. The single-precision addend of h (acc) is four
 * elements of two long words, or with e of one. */
uint64_t mncore2_mau_input_d(const uint64_t *const bus[2], uint16_t flags, size_t lane);
uint32_t mncore2_mau_input_f(const uint64_t *const bus[2], uint16_t flags, size_t lane, unsigned k);
uint32_t mncore2_mau_input_acc(const uint64_t *const bus[2], uint16_t flags, size_t lane,
                               unsigned k);

/* The results of one PE: count = 1 (d), 2 (f, g) or 4 (h) elements, rounded, normalised, placed at
 * the MSB side of the bus (1.2), and their flags (3.6.9.26). */
void mncore2_mau_output(const struct mau_op *op, unsigned count, const struct fp_number *sums,
                        size_t lane, uint64_t *const out[2], uint8_t *flags);

void mncore2_mau_vector_reference(const struct mau_op *op, const struct mau_io *io);

#endif
