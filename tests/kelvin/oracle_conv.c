/* Convolutions and their accumulators. */
#include "tests/kelvin/oracle_parts.h"

#include <string.h>

/* 8b: 0123456789abcdef, 32b: 048c 26ae 159d 37bf */
static const unsigned interleave[] = {0, 2, 1, 3};

static uint32_t field(uint32_t word, unsigned high, unsigned low)
{
    return word >> low & ((UINT32_C(2) << (high - low)) - 1);
}

struct factor {
    bool is_signed;
    int64_t bias;
};

static struct factor factor1(uint32_t control)
{
    return (struct factor){field(control, 21, 21),
                           (int64_t)oracle_extend(field(control, 20, 12), 9, false)};
}

static struct factor factor2(uint32_t control)
{
    return (struct factor){field(control, 31, 31),
                           (int64_t)oracle_extend(field(control, 30, 22), 9, false)};
}

/* (signed(SData,Data) + signed(Bias)), 10 bits; the product of two has at most 19. */
static int64_t biased(struct factor factor, uint8_t data)
{
    return (int64_t)oracle_extend(data, 8, !factor.is_signed) + factor.bias;
}

static void accumulate(union kelvin_register *v, unsigned lane, int64_t sum)
{
    oracle_put(v, 32, lane, oracle_get(v, 32, lane) + (uint64_t)sum);
}

/* ACONV */
enum kelvin_fault oracle_aconv(const struct oracle_op *op)
{
    const uint32_t control = op->value2;
    const unsigned mode = field(control, 1, 0);
    const unsigned start = field(control, 6, 2), stop = field(control, 11, 7);
    const struct factor one = factor1(control), two = factor2(control);
    if (op->vd != KELVIN_ACCUMULATOR_REGISTER || op->vs1 % 16 != 0)
        return KELVIN_FAULT_OPERANDS;
    if (mode != 0 || start > stop || stop > 7 || op->vs3 + stop - start >= KELVIN_REGISTERS)
        return KELVIN_FAULT_CONTROL;
    for (unsigned y = 0; y < 8; y++)
        for (unsigned x = start; x <= stop; x++)
            for (unsigned column = 0; column < 8; column++) {
                int64_t sum = 0;
                for (unsigned k = 0; k < 4; k++)
                    sum += biased(one, op->before.v[op->vs1 + y].b[4 * x + k]) *
                           biased(two, op->before.v[op->vs3 + x - start].b[4 * column + k]);
                const unsigned l = 8 * (y & 3) + column;
                accumulate(&op->after->state.accum[(y & ~3u) + interleave[l % 4]], l / 4, sum);
            }
    return KELVIN_FAULT_NONE;
}

/* VCGET */
enum kelvin_fault oracle_vcget(const struct oracle_op *op)
{
    if (op->vd != KELVIN_ACCUMULATOR_REGISTER)
        return KELVIN_FAULT_OPERANDS;
    for (unsigned y = 0; y < 8; y++)
        for (unsigned l = 0; l < KELVIN_WORDS; l++) {
            oracle_put(&op->after->state.v[op->vd + y], 32, l,
                       oracle_get(&op->before.accum[y], 32, l));
            oracle_put(&op->after->state.accum[y], 32, l, 0);
        }
    return KELVIN_FAULT_NONE;
}

/* ACSET */
enum kelvin_fault oracle_acset(const struct oracle_op *op)
{
    if (op->vd != KELVIN_ACCUMULATOR_REGISTER)
        return KELVIN_FAULT_OPERANDS;
    for (unsigned y = 0; y < 8; y++)
        for (unsigned l = 0; l < KELVIN_WORDS; l++)
            oracle_put(&op->after->state.accum[y], 32, l, oracle_vs1(op, y, 32, l));
    return KELVIN_FAULT_NONE;
}

/* ACTR */
enum kelvin_fault oracle_actr(const struct oracle_op *op)
{
    if (op->vd != KELVIN_ACCUMULATOR_REGISTER || op->vs1 % 16 != 0)
        return KELVIN_FAULT_OPERANDS;
    for (unsigned i = 0; i < KELVIN_WORDS; i++)
        for (unsigned j = 0; j < KELVIN_WORDS; j++)
            oracle_put(&op->after->state.accum[j], 32, i, oracle_vs1(op, i, 32, j));
    return KELVIN_FAULT_NONE;
}

/* 32-bit lanes of `first`, followed by `second`, starting at lane `index`. */
static union kelvin_register slide_next(const union kelvin_register *first,
                                        const union kelvin_register *second, unsigned index)
{
    union kelvin_register result;
    for (unsigned l = 0; l < KELVIN_WORDS; l++) {
        const bool inside = l + index < KELVIN_WORDS;
        oracle_put(&result, 32, l,
                   inside ? oracle_get(first, 32, l + index)
                          : oracle_get(second, 32, l + index - KELVIN_WORDS));
    }
    return result;
}

/* VDWCONV, ADWCONV */
enum kelvin_fault oracle_vdwconv(const struct oracle_op *op)
{
    static const unsigned rebase[16][3] = {
        {0, 1, 2}, {1, 2, 3}, {2, 3, 4}, {3, 4, 5}, {4, 5, 6}, {5, 6, 7}, {6, 7, 8}, {1, 0, 2},
        {1, 2, 0}, {3, 4, 0}, {5, 6, 0}, {7, 8, 0}, {2, 0, 1}, {4, 0, 1}, {6, 0, 1}, {8, 0, 1}};
    const uint32_t control = op->value2;
    const unsigned mode = field(control, 1, 0), sparsity = field(control, 3, 2);
    const unsigned *base = rebase[field(control, 7, 4)];
    const struct factor one = factor1(control), two = factor2(control);
    const union kelvin_register *row[3], *b = &op->before.v[op->vs3];
    union kelvin_register a[3];
    if (mode != 0 || sparsity == 3)
        return KELVIN_FAULT_CONTROL;
    for (unsigned i = 0; i < 3; i++) {
        if (op->vs1 + base[i] >= KELVIN_REGISTERS)
            return KELVIN_FAULT_CONTROL;
        row[i] = &op->before.v[op->vs1 + base[i]];
        a[i] = *row[i];
    }
    if (sparsity == 1) {                                     /* [n-1,n,n+1] */
        a[0] = slide_next(row[0], row[1], KELVIN_WORDS - 1); /* vslide_p by 1 */
        a[1] = *row[1];
        a[2] = slide_next(row[1], row[2], 1);
    } else if (sparsity == 2) { /* [n,n+1,n+2] */
        a[0] = *row[0];
        a[1] = slide_next(row[0], row[1], 1);
        a[2] = slide_next(row[0], row[1], 2);
    }
    for (unsigned l = 0; l < KELVIN_WORDS; l++)
        for (unsigned i = 0; i < 4; i++) {
            int64_t sum = 0;
            for (unsigned k = 0; k < 3; k++)
                sum += biased(one, a[k].b[4 * l + i]) * biased(two, b[k].b[4 * l + i]);
            accumulate(&op->after->state.dwacc[interleave[i]], l, sum);
        }
    for (unsigned i = 0; i < 4 && strcmp(op->base, "vdwconv") == 0; i++)
        op->after->state.v[op->vd + i] = op->after->state.dwacc[i];
    return KELVIN_FAULT_NONE;
}

/* ADWINIT */
enum kelvin_fault oracle_adwinit(const struct oracle_op *op)
{
    for (unsigned i = 0; i < 4; i++)
        op->after->state.dwacc[i] = op->before.v[op->vs1 + i];
    return KELVIN_FAULT_NONE;
}
