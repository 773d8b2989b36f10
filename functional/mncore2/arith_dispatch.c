/* The functions of arith.h: vector kernels where they exist, else plain C. */
#include "functional/mncore2/arith.h"

#include <stdatomic.h>
#include <string.h>

#include "functional/mncore2/arith_fp.h"
#include "functional/mncore2/arith_kernels.h"
#include "functional/mncore2/arith_select.h"

#ifdef __x86_64__
static bool has_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}
#endif

static const struct arith_kernels plain = {.name = "reference"};
static _Atomic(const struct arith_kernels *) selected;

static const struct arith_kernels *best(void)
{
#ifdef __x86_64__
    if (has_avx2())
        return &mncore2_arith_avx2;
#endif
    return &plain;
}

static const struct arith_kernels *kernels(void)
{
    const struct arith_kernels *k = atomic_load_explicit(&selected, memory_order_acquire);
    if (k == NULL) {
        k = best();
        atomic_store_explicit(&selected, k, memory_order_release);
    }
    return k;
}

void mncore2_arith_select(bool reference)
{
    atomic_store_explicit(&selected, reference ? &plain : best(), memory_order_release);
}

bool mncore2_arith_select_name(const char *name)
{
    const struct arith_kernels *k = NULL;
    if (strcmp(name, plain.name) == 0)
        k = &plain;
#ifdef __x86_64__
    else if (strcmp(name, mncore2_arith_avx2.name) == 0 && has_avx2())
        k = &mncore2_arith_avx2;
#endif
    if (k == NULL)
        return false;
    atomic_store_explicit(&selected, k, memory_order_release);
    return true;
}

const char *mncore2_arith_selected(void)
{
    return kernels()->name;
}

void mncore2_alu_cycle(const struct alu_op *op, size_t lanes, const uint64_t *const x[2],
                       const uint64_t *const y[2], uint64_t *const out[2], uint8_t *flags)
{
    const struct arith_kernels *k = kernels();
    if (k->alu == NULL || !k->alu(op, lanes, x, y, out, flags))
        mncore2_alu_reference(op, lanes, x, y, out, flags);
}

void mncore2_mau_cycle(const struct mau_op *op, const struct mau_io *io)
{
    const struct arith_kernels *k = kernels();
    if (k->mau == NULL || !k->mau(op, io))
        mncore2_mau_reference(op, io);
}

void mncore2_mwrite_input(uint8_t prec, uint16_t flags, size_t lanes, const uint64_t *const in[2],
                          uint64_t *const out[2])
{
    const bool negate = (flags & OPERAND_NEGATE) != 0;
    uint64_t signs = 0;
    if (negate)
        signs = prec == PREC_D   ? (uint64_t)1 << 63
                : prec == PREC_H ? 0x8000800080008000
                                 : 0x8000000080000000;
    for (size_t lane = 0; lane < lanes; lane++) {
        uint64_t high = bus_read(in, 0, lane), low = bus_read(in, 1, lane);
        if ((flags & OPERAND_REDUCE) != 0 && prec == PREC_H) {
            high = mncore2_fp_reduce_input(high, low);
            low = 0;
        } else if ((flags & OPERAND_EXTEND) != 0 && prec == PREC_D) {
            high = mncore2_single_to_double(word_of(high, 0));
            low = 0;
        } else if ((flags & OPERAND_EXTEND) != 0 && prec != PREC_H) {
            high = (uint64_t)mncore2_half_to_single(half_of(high, 0)) << 32 |
                   mncore2_half_to_single(half_of(high, 1));
            low = 0;
        } else {
            low ^= signs;
        }
        bus_write(out, 0, lane, high ^ signs);
        bus_write(out, 1, lane, low);
    }
}

/* --- RRN -------------------------------------------------------------------------------------- */

static void tree(struct rrn_op op, size_t n, size_t count, const uint64_t *const src[],
                 uint64_t *dst)
{
    const struct arith_kernels *k = kernels();
    if (k->rrn == NULL || !k->rrn(op, n, count, src, dst))
        mncore2_rrn_reference(op, n, count, src, dst);
}

void mncore2_rrn_stage(uint8_t rrn, uint8_t prec, size_t n, size_t count,
                       const uint64_t *const src[], uint64_t *dst)
{
    tree((struct rrn_op){.rrn = rrn, .prec = prec}, n, count, src, dst);
}

/* L1BM has no half-precision circuits: convert with e, use the single-precision trees, convert back
 * with r (3.6.8.5, 4.2). */
static void l1bm_half(uint8_t rrn, size_t n, size_t count, const uint64_t *const src[],
                      uint64_t *dst)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t wide[16][2], narrow[2];
        const uint64_t *sources[16];
        for (size_t s = 0; s < n && s < 16; s++) {
            for (unsigned k = 0; k < 2; k++)
                wide[s][k] = (uint64_t)mncore2_half_to_single(half_of(src[s][i], 2 * k)) << 32 |
                             mncore2_half_to_single(half_of(src[s][i], 2 * k + 1));
            sources[s] = wide[s];
        }
        mncore2_rrn_l1bm((struct rrn_op){rrn, PREC_F, true}, n, 2, sources, narrow);
        dst[i] = narrow[0] << 32 | narrow[1];
    }
}

void mncore2_rrn_l1bm(struct rrn_op op, size_t n, size_t count, const uint64_t *const src[],
                      uint64_t *dst)
{
    enum { PIECE = 64 };
    op.reduce = op.reduce && op.prec == PREC_F; /* 4.2: single precision only */
    if (op.prec == PREC_H && (op.rrn == RRN_FADD || op.rrn == RRN_MAX || op.rrn == RRN_MIN)) {
        l1bm_half(op.rrn, n, count, src, dst);
        return;
    }
    if (n <= 4) {
        tree(op, n, count, src, dst);
        return;
    }
    /* Two stages; values between them are normalised in the input's precision (4.2.1). */
    for (size_t at = 0; at < count; at += PIECE) {
        const size_t length = count - at < PIECE ? count - at : PIECE;
        uint64_t middle[4][PIECE];
        const uint64_t *second[4];
        for (size_t q = 0; q < 4; q++) {
            const uint64_t *first[4];
            for (size_t i = 0; i < 4; i++)
                first[i] = src[4 * q + i] + at;
            tree((struct rrn_op){.rrn = op.rrn, .prec = op.prec}, 4, length, first, middle[q]);
            second[q] = middle[q];
        }
        tree(op, 4, length, second, dst + at);
    }
}
