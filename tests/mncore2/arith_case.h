/*
 * What the hand-derived cases of the arithmetic share: operands that are the same in every lane,
 * patterns of well-known numbers, and each case run on every set of kernels that the host has.
 */
#ifndef TAKT_TESTS_MNCORE2_ARITH_CASE_H
#define TAKT_TESTS_MNCORE2_ARITH_CASE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "functional/mncore2/arith.h"
#include "functional/mncore2/arith_select.h"

enum { LANES = 8 };

static const char *const kernel_names[] = {"reference", "avx2"};

/* The same value in all lanes of a bus. */
struct bus {
    uint64_t half[2][LANES];
};

static inline struct bus both(uint64_t high, uint64_t low)
{
    struct bus b;
    for (size_t i = 0; i < LANES; i++) {
        b.half[0][i] = high;
        b.half[1][i] = low;
    }
    return b;
}

static struct bus out;
static uint8_t flags[LANES];

static inline void run_mau(struct mau_op op, const uint64_t *matrix, const struct bus *x,
                           const struct bus *y, const struct bus *z)
{
    const uint64_t *const xs[2] = {x->half[0], x->half[1]};
    const uint64_t *const ys[2] = {y ? y->half[0] : NULL, y ? y->half[1] : NULL};
    const uint64_t *const zs[2] = {z ? z->half[0] : NULL, z ? z->half[1] : NULL};
    memset(&out, 0x5a, sizeof out);
    mncore2_mau_cycle(&op, &(struct mau_io){.lanes = LANES,
                                            .matrix = matrix,
                                            .x = xs,
                                            .y = ys,
                                            .z = zs,
                                            .out = (uint64_t *const[]){out.half[0], out.half[1]},
                                            .flags = flags});
}

static inline void run_alu(struct alu_op op, const struct bus *x, const struct bus *y)
{
    const uint64_t *const xs[2] = {x ? x->half[0] : NULL, x ? x->half[1] : NULL};
    const uint64_t *const ys[2] = {y ? y->half[0] : NULL, y ? y->half[1] : NULL};
    memset(&out, 0x5a, sizeof out);
    mncore2_alu_cycle(&op, LANES, xs, ys, (uint64_t *const[]){out.half[0], out.half[1]}, flags);
}

enum {
    F_ONE = 0x3f800000,
    F_INF = 0x7f800000,
    F_MAX = 0x7f7fffff,
    F_MIN = 0x00800000, /* 2^-126 */
    H_ONE = 0x3e00,
    H_INF = 0x7e00
};
#define F_MINUS 0x80000000u
#define D_ONE   ((uint64_t)0x3ff << 52)
#define D_INF   ((uint64_t)0x7ff << 52)
#define D_MINUS ((uint64_t)1 << 63)

/* 2^n as a single, as a double. */
static inline uint32_t f_power(int n)
{
    return (uint32_t)(n + 127) << 23;
}

static inline uint64_t d_power(int n)
{
    return (uint64_t)(n + 1023) << 52;
}

/* --- each case on all kernels ----------------------------------------------------------------- */

static inline void on_each(void (*body)(void))
{
    for (size_t i = 0; i < sizeof kernel_names / sizeof *kernel_names; i++)
        if (mncore2_arith_select_name(kernel_names[i]))
            body();
    mncore2_arith_select(false);
}

#define CASE(name)                                                                                 \
    static void test_##name(void **unused)                                                         \
    {                                                                                              \
        (void)unused;                                                                              \
        on_each(name);                                                                             \
    }

#endif
