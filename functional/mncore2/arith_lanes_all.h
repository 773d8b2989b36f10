/* arith_lanes_all: all vector kernels, and the functions that struct arith_kernels points to. */
#ifndef TAKT_FUNCTIONAL_MNCORE2_ARITH_LANES_ALL_H
#define TAKT_FUNCTIONAL_MNCORE2_ARITH_LANES_ALL_H

#include "functional/mncore2/arith_lanes_alu.h"
#include "functional/mncore2/arith_lanes_matrix.h"
#include "functional/mncore2/arith_lanes_rrn.h"

LANES_TARGET static bool alu(const struct alu_op *op, size_t lanes, const uint64_t *const x[2],
                             const uint64_t *const y[2], uint64_t *const out[2], uint8_t *flags)
{
    return lanes_alu(op, lanes, x, y, out, flags);
}

LANES_TARGET static bool mau(const struct mau_op *op, const struct mau_io *io)
{
    return lanes_mau(op, io);
}

LANES_TARGET static bool rrn(struct rrn_op op, size_t n, size_t count, const uint64_t *const src[],
                             uint64_t *dst)
{
    return lanes_rrn(op, n, count, src, dst);
}

#endif
