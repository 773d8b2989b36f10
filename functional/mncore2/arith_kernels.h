/* arith_kernels: the interface between the functions of arith.h and their implementations. The
 * plain C bodies implement everything. A set of vector kernels may handle a whole call; it returns
 * false for calls that it does not support. */
#ifndef TAKT_FUNCTIONAL_MNCORE2_ARITH_KERNELS_H
#define TAKT_FUNCTIONAL_MNCORE2_ARITH_KERNELS_H

#include "functional/mncore2/arith.h"

void mncore2_alu_reference(const struct alu_op *op, size_t lanes, const uint64_t *const x[2],
                           const uint64_t *const y[2], uint64_t *const out[2], uint8_t *flags);
/* bfn and bfe (4.4); x is the input after its port's conversion. */
void mncore2_alu_block_float(const struct alu_op *op, size_t lanes, const uint64_t *const x[2],
                             uint64_t *const out[2]);
void mncore2_mau_reference(const struct mau_op *op, const struct mau_io *io);
/* One adder tree; reduce rounds a single-precision fadd directly to half. */
void mncore2_rrn_reference(struct rrn_op op, size_t n, size_t count, const uint64_t *const src[],
                           uint64_t *dst);

struct arith_kernels {
    const char *name;
    bool (*alu)(const struct alu_op *op, size_t lanes, const uint64_t *const x[2],
                const uint64_t *const y[2], uint64_t *const out[2], uint8_t *flags);
    bool (*mau)(const struct mau_op *op, const struct mau_io *io);
    bool (*rrn)(struct rrn_op op, size_t n, size_t count, const uint64_t *const src[],
                uint64_t *dst);
};

#ifdef __x86_64__
extern const struct arith_kernels mncore2_arith_avx2;
#endif

#endif
