/* The MAU in vector lanes (4.3, 4.5); see arith_lanes.h. Operands are first converted to plain
 * arrays of singles or doubles (sign inversion, e, r and absent halves applied); then one kernel
 * computes the sums. */
#ifndef TAKT_FUNCTIONAL_MNCORE2_ARITH_LANES_MAU_H
#define TAKT_FUNCTIONAL_MNCORE2_ARITH_LANES_MAU_H

#include "functional/mncore2/arith_lanes.h"

enum kind { KIND_FMA, KIND_MUL, KIND_ADD, KIND_PASS };

struct operand_chunk {
    const uint64_t *half[2]; /* CHUNK long words each */
    uint64_t room[2][CHUNK];
};

LANES_FN void plain_operand(struct operand_chunk *c, const uint64_t *const bus[2], size_t at,
                            unsigned halves)
{
    for (unsigned k = 0; k < halves; k++) {
        if (bus != NULL && bus[k] != NULL) {
            c->half[k] = bus[k] + at;
        } else {
            memset(c->room[k], 0, sizeof c->room[k]);
            c->half[k] = c->room[k];
        }
    }
}

/* A port of singles: one long word of two, or two of four (halves = 2). */
LANES_FN void single_operand(struct operand_chunk *c, const uint64_t *const bus[2], uint16_t flags,
                             size_t at, size_t length, unsigned halves)
{
    plain_operand(c, bus, at, halves);
    if ((flags & OPERAND_EXTEND) == 0)
        return;
    const uint64_t *from = c->half[0];
    for (size_t i = 0; i < length; i += N / 2) {
        const vw high = single_of_half(spread_halves(from + i, 0));
        const vw low = single_of_half(spread_halves(from + i, 1));
        store_w(c->room[0] + i, high);
        store_w(c->room[1] + i, low);
    }
    c->half[0] = c->room[0];
    c->half[1] = c->room[1];
}

/* A port of halves, four of them; the result is singles. */
LANES_FN void half_operand(struct operand_chunk *c, const uint64_t *const bus[2], uint16_t flags,
                           size_t at, size_t length)
{
    const bool reduce = (flags & OPERAND_REDUCE) != 0;
    plain_operand(c, bus, at, reduce ? 2 : 1);
    const uint64_t *const from[2] = {c->half[0], c->half[1]};
    for (size_t i = 0; i < length; i += N / 2) {
        vw value[2];
        for (unsigned k = 0; k < 2; k++)
            value[k] = reduce ? single_at_half(load_w(from[k] + i))
                              : single_of_half(spread_halves(from[0] + i, k));
        store_w(c->room[0] + i, value[0]);
        store_w(c->room[1] + i, value[1]);
    }
    c->half[0] = c->room[0];
    c->half[1] = c->room[1];
}

/* A port of doubles. */
LANES_FN void double_operand(struct operand_chunk *c, const uint64_t *const bus[2], uint16_t flags,
                             size_t at, size_t length)
{
    plain_operand(c, bus, at, 1);
    if ((flags & OPERAND_EXTEND) == 0)
        return;
    for (size_t i = 0; i < length; i += N) {
        const vu word = load_u(c->half[0] + i) >> 32;
        const vu magnitude = word & ~(uint64_t)SIGN32, exponent = word & EXPONENT32;
        const vu infinite = (vu)(exponent == EXPONENT32), normal = (vu)(exponent != 0);
        const vu value = ((magnitude << 29) + ((uint64_t)(1023 - 127) << 52)) & ~infinite;
        store_u(c->room[0] + i, ((value | (infinite & EXPONENT64)) & normal) | (word & SIGN32)
                                                                                   << 32);
    }
    c->half[0] = c->room[0];
}

/* The exact product with the correction term of single precision (4.6, 4.7): the low 5 bits of the
 * two mantissas are not multiplied by each other. Every step below is exact. */
LANES_FN vd single_product(vw a, vw b)
{
    const uint64_t low = (uint64_t)31 << (52 - 23);
    const vd x = double_of_single(a), y = double_of_single(b);
    const vd x_hi = (vd)((vu)x & ~low), y_hi = (vd)((vu)y & ~low);
    const vd x_lo = x - x_hi;
    /* r: 2^-38 in units of the product's exponent, with its sign. */
    const vd r = (vd)lanes_unit((vu)x, low) * 0x1p-38;
    return lanes_fma(r, (vd)lanes_unit((vu)y, low), lanes_fma(x_hi, y, x_lo * y_hi));
}

/* The sum with c and the only rounding; watched records infinities. */
LANES_FN vw finish_single(bool adds, bool reduce, vd product, vw c, vd *watched)
{
    vd sum = product;
    *watched = watch(*watched, product);
    if (adds) {
        const vd addend = double_of_single(c);
        *watched = watch(*watched, addend);
        sum = lanes_add_odd(product, addend);
    }
    return reduce ? half_of_odd(sum) : single_of_odd_flushed(sum);
}

/* One half of the bus: a * b + c, with the signs that the product and c get. */
struct half_io {
    const uint64_t *a, *b, *c;
    uint64_t *out;
    size_t length;
    bool minus, minus_c;
};

/* Single precision in one half of the bus; true if plain C has to recompute it. */
LANES_FN bool single_kernel(enum kind kind, struct half_io io)
{
    const uint32_t product_sign = io.minus ? SIGN32 : 0, c_sign = io.minus_c ? SIGN32 : 0;
    const bool adds = kind == KIND_FMA || kind == KIND_ADD;
    const unsigned mode = flush_on();
    vd watched = {0};
    for (size_t i = 0; i < io.length; i += N / 2) {
        const vw av = load_w(io.a + i) ^ product_sign;
        const vd product = kind == KIND_FMA || kind == KIND_MUL
                               ? single_product(av, load_w(io.b + i))
                               : double_of_single(av);
        vw cv = {0};
        if (adds)
            cv = load_w(io.c + i) ^ c_sign;
        store_w(io.out + i, finish_single(adds, false, product, cv, &watched));
    }
    flush_off(mode);
    return any_special(watched);
}

/* Half precision in one half of the bus. The halves are given as singles, whose product of two
 * 10-bit mantissas is exact. With reduce the results are halves in the low 16 bits of each word. */
LANES_FN bool half_kernel(enum kind kind, bool reduce, struct half_io io)
{
    const uint32_t product_sign = io.minus ? SIGN32 : 0, c_sign = io.minus_c ? SIGN32 : 0;
    const bool adds = kind == KIND_FMA || kind == KIND_ADD;
    const unsigned mode = flush_on();
    vd watched = {0};
    for (size_t i = 0; i < io.length; i += N / 2) {
        vf product = (vf)(load_w(io.a + i) ^ product_sign);
        if (kind == KIND_FMA || kind == KIND_MUL)
            product *= (vf)load_w(io.b + i);
        vw cv = {0};
        if (adds)
            cv = load_w(io.c + i) ^ c_sign;
        store_w(io.out + i,
                finish_single(adds, reduce, double_of_single((vw)product), cv, &watched));
    }
    flush_off(mode);
    return any_special(watched);
}

/* All ones for each double that is neither zero nor has an exponent field in [lowest, highest]. */
LANES_FN vu special_double(vu bits, uint64_t lowest, uint64_t highest)
{
    const vi magnitude = (vi)(bits & ~SIGN64);
    const vi above = magnitude - (vi)((vu){0} + (lowest << 52));
    const vi outside = (above < 0) | (above >= (int64_t)((highest - lowest + 1) << 52));
    return (vu)(outside & (magnitude != 0));
}

struct pair {
    vd high, low;
};

LANES_FN struct pair two_sum(vd a, vd b)
{
    const vd sum = a + b;
    const vd b_part = sum - a;
    return (struct pair){sum, (a - (sum - b_part)) + (b - b_part)};
}

/* The exact product with the correction term of double precision (4.8, 4.9), as high + low with
 * high rounded to nearest. Exact while the exponents are away from the limits. */
LANES_FN struct pair double_product(vu a, vu b)
{
    const uint64_t low_bits = 0xffff;
    const vd x = (vd)a, y = (vd)b;
    const vd high = x * y;
    const vd low = lanes_fma(x, y, -high);
    const vd x_lo = x - (vd)(a & ~low_bits), y_lo = y - (vd)(b & ~low_bits);
    const vd r = (vd)lanes_unit(a, low_bits) * 0x1p-74 * (vd)lanes_unit(b, low_bits);
    const vd exact_low = low + lanes_fma(-x_lo, y_lo, r);
    const vd sum = high + exact_low;
    return (struct pair){sum, exact_low - (sum - high)};
}

/* Reduce a product (its two parts, high first) and c to high + low such that one rounding of this
 * sum gives the correct result in any precision up to double: S. Boldo, G. Melquiond, "Emulation of
 * a FMA and correctly rounded sums: proved algorithms using rounding to odd", IEEE Transactions on
 * Computers 57 (2008). */
LANES_FN struct pair sum_with(struct pair product, vd c)
{
    const struct pair t = two_sum(c, product.low);
    const struct pair v = two_sum(product.high, t.high);
    return (struct pair){v.high, lanes_add_odd(t.low, v.low)};
}

/* Zeros are +0; there are no denormals (4.1). */
LANES_FN vu normal_double(vd value)
{
    const vu magnitude = (vu)value & ~SIGN64;
    return (vu)value & (vu)((vi)magnitude >= (int64_t)1 << 52);
}

/* Exponent fields between which products and sums of doubles stay in the host's range. */
enum {
    LOWEST_FACTOR = 1023 - 400,
    HIGHEST_FACTOR = 1023 + 400,
    LOWEST_TERM = 1023 - 900,
    HIGHEST_TERM = 1023 + 900
};

LANES_FN bool double_kernel(enum kind kind, bool reduce, bool lower, struct half_io io)
{
    const uint64_t product_sign = io.minus ? SIGN64 : 0, c_sign = io.minus_c ? SIGN64 : 0;
    const bool multiplies = kind == KIND_FMA || kind == KIND_MUL;
    vu active = {0}, special = {0}; /* PE 0, 1 or PE 2, 3 multiply (3.6.9.10) */
    for (unsigned i = 0; i < N; i++)
        active[i] = !multiplies || (i % PE_PER_MAB >= 2) == lower ? ~(uint64_t)0 : 0;
    for (size_t i = 0; i < io.length; i += N) {
        const vu av = (load_u(io.a + i) & active) ^ product_sign;
        vu cv = {0};
        vd sum, odd;
        if (kind == KIND_FMA || kind == KIND_ADD)
            cv = load_u(io.c + i) ^ c_sign;
        if (multiplies) {
            const vu bv = load_u(io.b + i) & active;
            special |= special_double(av, LOWEST_FACTOR, HIGHEST_FACTOR) |
                       special_double(bv, LOWEST_FACTOR, HIGHEST_FACTOR) |
                       special_double(cv, LOWEST_TERM, HIGHEST_TERM);
            const struct pair product = double_product(av, bv);
            if (kind == KIND_FMA) {
                const struct pair v = sum_with(product, (vd)cv);
                sum = v.high + v.low;
                odd = lanes_add_odd(v.high, v.low);
            } else {
                sum = product.high;
                odd = lanes_add_odd(product.high, product.low);
            }
        } else {
            special |= special_double(av, 1, 0x7fd) | special_double(cv, 1, 0x7fd);
            sum = (vd)av + (vd)cv;
            odd = lanes_add_odd((vd)av, (vd)cv);
        }
        store_u(io.out + i, reduce ? __builtin_convertvector(single_of_odd(odd), vu) << 32
                                   : normal_double(sum));
    }
    return any_u(special);
}

/* Flags: the inverted sign of each element, repeated (3.6.9.26). */
LANES_FN void mau_flags(const struct mau_op *op, const uint64_t *high, const uint64_t *low,
                        size_t length, uint8_t *flags)
{
    const bool four_singles = op->prec == PREC_H && !op->reduce;
    for (size_t i = 0; i < length; i++) {
        const uint64_t h = ~high[i];
        uint64_t marks = h;
        if (op->prec == PREC_D) {
            marks = (uint64_t)((int64_t)h >> 63);
        } else if (op->prec != PREC_H) {
            marks = (h & 0x8000000080000000) | (h & 0x8000000080000000) >> 16;
        } else if (four_singles) {
            const uint64_t l = ~low[i];
            marks = (h & SIGN64) | (h & SIGN32) << 16 | (l & SIGN64) >> 32 | (l & SIGN32) >> 16;
        }
        flags[i] = flags_of(marks);
    }
}

struct chunk_out {
    uint64_t *half[2];
    uint64_t room[2][CHUNK];
};

LANES_FN void open_out(struct chunk_out *o, uint64_t *const out[2], size_t at)
{
    for (unsigned k = 0; k < 2; k++)
        o->half[k] = out[k] != NULL ? out[k] + at : o->room[k];
}

LANES_FN void mau_chunk_again(const struct mau_op *op, size_t at, size_t length,
                              const struct mau_io *io)
{
    const uint64_t *in[3][2] = {{NULL, NULL}, {NULL, NULL}, {NULL, NULL}};
    const uint64_t *const *const bus[3] = {io->x, io->y, io->z};
    uint64_t *result[2];
    for (unsigned k = 0; k < 2; k++) {
        for (unsigned b = 0; b < 3; b++)
            if (bus[b] != NULL && bus[b][k] != NULL)
                in[b][k] = bus[b][k] + at;
        result[k] = io->out[k] != NULL ? io->out[k] + at : NULL;
    }
    const struct mau_io chunk = {.lanes = length,
                                 .matrix = io->matrix != NULL ? io->matrix + 16 * at : NULL,
                                 .x = in[0],
                                 .y = in[1],
                                 .z = in[2],
                                 .out = result,
                                 .flags = io->flags != NULL ? io->flags + at : NULL};
    mncore2_mau_reference(op, &chunk);
}

/* Join two words of halves in the low parts into the one long word that a reduced half op gives. */
LANES_FN void join_reduced(const uint64_t *high, const uint64_t *low, size_t length, uint64_t *out)
{
    for (size_t i = 0; i < length; i += N / 2) {
        const vu_half joined = join_halves(load_w(high + i)) << 32 | join_halves(load_w(low + i));
        store_w(out + i, (vw)joined);
    }
}

/* The lanes [from, to); pieces that the vector code cannot handle are computed by plain C. */
struct range {
    size_t from, to, step;
};

/* One chunk; true if it has to be recomputed. */
LANES_FN bool vector_chunk(enum kind kind, const struct mau_op *op, size_t at, size_t length,
                           const struct mau_io *io)
{
    const uint64_t *const *const x = io->x, *const *const y = io->y, *const *const z = io->z;
    uint64_t *const *const out = io->out;
    uint8_t *const flags = io->flags;
    const bool product = kind == KIND_FMA || kind == KIND_MUL;
    const uint64_t *const *const c_bus = kind == KIND_ADD ? y : z;
    const uint16_t c_flags = kind == KIND_ADD ? op->y : kind == KIND_FMA ? op->z : 0;
    const uint16_t b_flags = product ? op->y : 0;
    const bool minus = ((op->x ^ b_flags) & OPERAND_NEGATE) != 0;
    const bool minus_c = (c_flags & OPERAND_NEGATE) != 0;
    const bool with_c = kind == KIND_FMA || kind == KIND_ADD;
    struct operand_chunk a, b, c;
    struct chunk_out o;
    bool again = false;
    if (length % (op->prec == PREC_D ? N : N / 2) != 0)
        return true; /* a short tail */
    b.half[0] = b.half[1] = c.half[0] = c.half[1] = NULL;
    open_out(&o, out, at);
    if (op->prec == PREC_D) {
        double_operand(&a, x, op->x, at, length);
        if (product)
            double_operand(&b, y, b_flags, at, length);
        if (with_c)
            double_operand(&c, c_bus, c_flags, at, length);
        const struct half_io half = {a.half[0], b.half[0], c.half[0], o.half[0],
                                     length,    minus,     minus_c};
        again = op->reduce ? double_kernel(kind, true, op->lower, half)
                           : double_kernel(kind, false, op->lower, half);
    } else if (op->prec == PREC_H) {
        half_operand(&a, x, op->x, at, length);
        if (product)
            half_operand(&b, y, b_flags, at, length);
        if (with_c)
            single_operand(&c, c_bus, c_flags, at, length, 2);
        for (unsigned k = 0; k < 2; k++) {
            const struct half_io half = {
                a.half[k], b.half[k], c.half[k], op->reduce ? o.room[k] : o.half[k],
                length,    minus,     minus_c};
            again |= op->reduce ? half_kernel(kind, true, half) : half_kernel(kind, false, half);
        }
        if (op->reduce)
            join_reduced(o.room[0], o.room[1], length, o.half[0]);
    } else {
        single_operand(&a, x, op->x, at, length, 1);
        if (product)
            single_operand(&b, y, b_flags, at, length, 1);
        if (with_c)
            single_operand(&c, c_bus, c_flags, at, length, 1);
        struct half_io half = {a.half[0], b.half[0], c.half[0], o.half[0], length, minus, minus_c};
        if (minus || minus_c) {
            again = single_kernel(kind, half);
        } else {
            half.minus = half.minus_c = false; /* a separate loop, without signs */
            again = single_kernel(kind, half);
        }
    }
    if (out[1] != NULL && (op->prec != PREC_H || op->reduce))
        memset(out[1] + at, 0, length * sizeof *out[1]);
    if (!again && flags != NULL)
        mau_flags(op, o.half[0], o.half[1], length, flags + at);
    return again;
}

/* One function per kind, so that its loops hold only the work of this kind. */
#define VECTOR_KIND(name, kind)                                                                    \
    LANES_OUTER void name(const struct mau_op *op, struct range range, const struct mau_io *io)    \
    {                                                                                              \
        for (size_t at = range.from; at < range.to; at += range.step) {                            \
            const size_t left = range.to - at, length = left < range.step ? left : range.step;     \
            if (!vector_chunk(kind, op, at, length, io))                                           \
                continue;                                                                          \
            if (length > PIECE)                                                                    \
                name(op, (struct range){at, at + length, PIECE}, io);                              \
            else                                                                                   \
                mau_chunk_again(op, at, length, io);                                               \
        }                                                                                          \
    }

VECTOR_KIND(vector_fma, KIND_FMA)
VECTOR_KIND(vector_mul, KIND_MUL)
VECTOR_KIND(vector_add, KIND_ADD)
VECTOR_KIND(vector_pass, KIND_PASS)

#endif
