/*
 * Matrix-vector products in vector lanes (4.5): integer dot products row by row, then the sum with
 * y as in arith_lanes_mau.h.
 *
 * Rows are processed in the order of their results in memory: the second element of a long word
 * comes first there, so that a vector of sums matches a vector of y.
 */
#ifndef TAKT_FUNCTIONAL_MNCORE2_ARITH_LANES_MATRIX_H
#define TAKT_FUNCTIONAL_MNCORE2_ARITH_LANES_MATRIX_H

#include "functional/mncore2/arith_lanes_mau.h"

/* The dot products of one MAB before they are scaled: sum[i] * 2^(exponent[i] - bias part). */
struct dots {
    int64_t sum[16];
    int64_t exponent[16]; /* of matrix row and vector together; 0: the product is zero */
};

static const uint8_t half_rows[16] = {1, 0, 5, 4, 9, 8, 13, 12, 3, 2, 7, 6, 11, 10, 15, 14};
static const uint8_t single_rows[8] = {1, 0, 3, 2, 5, 4, 7, 6};

LANES_FN __m256i load_row(const uint64_t *row)
{
    return _mm256_loadu_si256((const __m256i_u *)row);
}

/* Horizontal sums of eight rows of eight 32-bit sums. */
LANES_FN __m256i sum_rows32(const __m256i r[8])
{
    const __m256i a =
        _mm256_hadd_epi32(_mm256_hadd_epi32(r[0], r[1]), _mm256_hadd_epi32(r[2], r[3]));
    const __m256i b =
        _mm256_hadd_epi32(_mm256_hadd_epi32(r[4], r[5]), _mm256_hadd_epi32(r[6], r[7]));
    return _mm256_add_epi32(_mm256_permute2x128_si256(a, b, 0x20),
                            _mm256_permute2x128_si256(a, b, 0x31));
}

/* Horizontal sums of four rows of four 64-bit sums. */
LANES_FN __m256i sum_rows64(const __m256i r[4])
{
    const __m256i a =
        _mm256_add_epi64(_mm256_unpacklo_epi64(r[0], r[1]), _mm256_unpackhi_epi64(r[0], r[1]));
    const __m256i b =
        _mm256_add_epi64(_mm256_unpacklo_epi64(r[2], r[3]), _mm256_unpackhi_epi64(r[2], r[3]));
    return _mm256_add_epi64(_mm256_permute2x128_si256(a, b, 0x20),
                            _mm256_permute2x128_si256(a, b, 0x31));
}

/* --- half ------------------------------------------------------------------------------------- */

/* Signed 9-bit mantissas. */
LANES_FN __m256i half_mantissas(__m256i bits)
{
    return _mm256_sign_epi16(_mm256_and_si256(bits, _mm256_set1_epi16(0x1ff)), bits);
}

/* Blocks with uniform exponent fields; false if a block is not uniform, or infinite. */
LANES_FN bool half_dots_plain(const uint64_t *plane, __m256i x, struct dots *dots)
{
    const __m256i field = _mm256_set1_epi16(0x7e00);
    const __m256i x_first = _mm256_broadcastw_epi16(_mm256_castsi256_si128(x));
    const unsigned x_exponent = ((unsigned)_mm256_extract_epi16(x, 0) >> 9) & 0x3f;
    __m256i unlike = _mm256_xor_si256(x, x_first);
    const __m256i vector = half_mantissas(x);
    for (unsigned part = 0; part < 2; part++) {
        __m256i product[8];
        for (unsigned i = 0; i < 8; i++) {
            const uint64_t *const words = plane + (size_t)4 * half_rows[8 * part + i];
            const __m256i row = load_row(words);
            const __m256i first = _mm256_set1_epi16((short)*words);
            const unsigned exponent = (unsigned)(*words >> 9) & 0x3f;
            unlike = _mm256_or_si256(unlike, _mm256_xor_si256(row, first));
            product[i] = _mm256_madd_epi16(half_mantissas(row), vector);
            /* Field 0 in the whole block is zero; plain C handles infinities. */
            dots->exponent[8 * part + i] =
                exponent == 0 || x_exponent == 0 ? 0 : (int64_t)(exponent + x_exponent);
            if (exponent == 0x3f)
                return false;
        }
        const __m256i sums = sum_rows32(product);
        _mm256_storeu_si256((__m256i_u *)(dots->sum + 8 * part),
                            _mm256_cvtepi32_epi64(_mm256_castsi256_si128(sums)));
        _mm256_storeu_si256((__m256i_u *)(dots->sum + 8 * part + 4),
                            _mm256_cvtepi32_epi64(_mm256_extracti128_si256(sums, 1)));
    }
    return x_exponent != 0x3f && _mm256_testz_si256(unlike, field);
}

typedef int32_t v16 __attribute__((vector_size(64)));

struct half_block {
    v16 man;      /* signed */
    v16 extended; /* all ones where the field is 0 */
    int32_t exponent;
};

LANES_FN struct half_block half_block(const uint64_t *words)
{
    typedef uint16_t v16h __attribute__((vector_size(32)));
    v16h bits;
    memcpy(&bits, words, sizeof bits);
    const v16 e = __builtin_convertvector((bits >> 9) & 0x3f, v16);
    const v16 man = __builtin_convertvector(bits & 0x1ff, v16);
    const v16 sign = -__builtin_convertvector(bits >> 15, v16);
    struct half_block block = {(man ^ sign) - sign, e == 0, 0};
    for (unsigned i = 0; i < 16; i++)
        block.exponent = e[i] > block.exponent ? e[i] : block.exponent;
    return block;
}

/* Any block without infinities: extended values, and values that 4.4 leaves undefined. */
LANES_FN bool half_dots_extended(const uint64_t *plane, const uint64_t *x, struct dots *dots)
{
    const struct half_block vector = half_block(x);
    bool finite = vector.exponent != 0x3f;
    for (unsigned i = 0; i < 16; i++) {
        const struct half_block row = half_block(plane + (size_t)4 * half_rows[i]);
        finite &= row.exponent != 0x3f;
        const v16 product = row.man * vector.man;
        const v16 sign = product >> 31;
        const v16 magnitude = (product ^ sign) - sign;
        const v16 down = (row.extended & 6) + (vector.extended & 6);
        const v16 shifts = down != 0;
        const v16 half = ((v16){0} + 1) << down >> 1;
        const v16 tie = (magnitude >> down) & 1 & shifts;
        const v16 rounded = (magnitude + half + shifts + tie) >> down;
        const v16 signed_product = (rounded ^ sign) - sign;
        int32_t sum = 0;
        for (unsigned j = 0; j < 16; j++)
            sum += signed_product[j];
        dots->sum[i] = sum;
        dots->exponent[i] =
            row.exponent == 0 || vector.exponent == 0 ? 0 : row.exponent + vector.exponent;
    }
    return finite;
}

LANES_FN bool half_dots(const uint64_t *plane, const uint64_t *x, struct dots *dots)
{
    return half_dots_plain(plane, load_row(x), dots) || half_dots_extended(plane, x, dots);
}

/* --- single and pseudo single ----------------------------------------------------------------- */

/* Products of the low words of four long words; in pseudo single precision the products of the high
 * words are added. There mantissas have 18 bits, so signed products are exact. */
struct pseudo_block {
    __m256i low, high;
};

LANES_FN struct pseudo_block pseudo_block(__m256i bits)
{
    const __m256i man = _mm256_srli_epi32(_mm256_and_si256(bits, _mm256_set1_epi32(0x7fffff)), 5);
    const __m256i low = _mm256_sign_epi32(man, bits);
    return (struct pseudo_block){low, _mm256_srli_epi64(low, 32)};
}

/* Four single-precision products with the correction term (4.5). */
LANES_FN __m256i single_products(__m256i a, __m256i b)
{
    const __m256i field = _mm256_set1_epi64x(0x7fffff), low = _mm256_set1_epi64x(31);
    const __m256i zero = _mm256_setzero_si256();
    const __m256i x = _mm256_and_si256(_mm256_srli_epi64(a, 32), field);
    const __m256i y = _mm256_and_si256(_mm256_srli_epi64(b, 32), field);
    const __m256i omitted = _mm256_mul_epu32(_mm256_and_si256(x, low), _mm256_and_si256(y, low));
    const __m256i r =
        _mm256_andnot_si256(_mm256_cmpeq_epi64(omitted, zero), _mm256_set1_epi64x(1 << 8));
    const __m256i magnitude =
        _mm256_add_epi64(_mm256_sub_epi64(_mm256_mul_epu32(x, y), omitted), r);
    const __m256i sign = _mm256_cmpgt_epi64(zero, _mm256_xor_si256(a, b));
    return _mm256_sub_epi64(_mm256_xor_si256(magnitude, sign), sign);
}

/* Blocks with uniform exponent fields, as bfn produces them; else false. */
LANES_FN bool single_dots(bool pseudo, const uint64_t *plane, const uint64_t *vector,
                          struct dots *dots)
{
    const __m256i x = load_row(vector);
    const uint32_t x_first = (uint32_t)(*vector >> 32);
    const unsigned x_exponent = (x_first >> 23) & 0xff;
    const __m256i field = pseudo ? _mm256_set1_epi32((int)EXPONENT32)
                                 : _mm256_set1_epi64x((int64_t)((uint64_t)EXPONENT32 << 32));
    __m256i unlike = _mm256_xor_si256(x, _mm256_set1_epi32((int)x_first));
    const struct pseudo_block xm = pseudo_block(x);
    for (unsigned part = 0; part < 2; part++) {
        __m256i product[4];
        for (unsigned i = 0; i < 4; i++) {
            const uint64_t *const words = plane + (size_t)8 * single_rows[4 * part + i];
            const __m256i row = load_row(words);
            const uint32_t first = (uint32_t)(*words >> 32);
            const unsigned exponent = (first >> 23) & 0xff;
            unlike = _mm256_or_si256(unlike, _mm256_xor_si256(row, _mm256_set1_epi32((int)first)));
            if (pseudo) {
                const struct pseudo_block m = pseudo_block(row);
                product[i] = _mm256_add_epi64(_mm256_mul_epi32(m.low, xm.low),
                                              _mm256_mul_epi32(m.high, xm.high));
            } else {
                product[i] = single_products(row, x);
            }
            dots->exponent[4 * part + i] =
                exponent == 0 || x_exponent == 0 ? 0 : (int64_t)(exponent + x_exponent);
            if (exponent == 0xff)
                return false;
        }
        _mm256_storeu_si256((__m256i_u *)(dots->sum + 4 * part), sum_rows64(product));
    }
    return x_exponent != 0xff && _mm256_testz_si256(unlike, field);
}

/* --- the sum with y --------------------------------------------------------------------------- */

/* sum * 2^(exponent - weight), exactly; |sum| < 2^51. */
LANES_FN vd scaled(const struct dots *dots, unsigned first, int64_t weight)
{
    const int64_t magic = 0x4338000000000000; /* the double 1.5 * 2^52 */
    vi sum, exponent;
    memcpy(&sum, dots->sum + first, sizeof sum);
    memcpy(&exponent, dots->exponent + first, sizeof exponent);
    const vd value = (vd)(sum + magic) - 0x1.8p52;
    const vi power = (exponent + (1023 - weight)) << 52;
    return (vd)((vi)(value * (vd)power) & (exponent != 0));
}

/* One chunk of whole MABs; true if it has to be recomputed. */
LANES_FN bool matrix_chunk(uint8_t prec, bool reduce, const struct mau_op *op, size_t at,
                           size_t length, const struct mau_io *io)
{
    const unsigned halves = prec == PREC_H ? 2 : 1;
    /* Biases and the weight of the lowest product bit: mantissas of m bits, 2^(1 - m) each. */
    const int64_t weight = prec == PREC_H   ? 2 * 31 + 2 * 8
                           : prec == PREC_G ? 2 * 127 + 2 * 17
                                            : 2 * 127 + 2 * 22;
    const uint32_t product_sign = (op->x & OPERAND_NEGATE) != 0 ? SIGN32 : 0;
    const uint32_t y_sign = (op->y & OPERAND_NEGATE) != 0 ? SIGN32 : 0;
    const bool adds = op->insn == INSN_MFMA;
    struct operand_chunk xs, ys;
    struct chunk_out o;
    vd watched = {0};
    open_out(&o, io->out, at);
    plain_operand(&xs, io->x, at, 1);
    if (adds)
        single_operand(&ys, io->y, op->y, at, length, halves);
    const unsigned mode = flush_on();
    uint64_t *const target[2] = {reduce ? o.room[0] : o.half[0], reduce ? o.room[1] : o.half[1]};
    for (size_t pe = 0; pe < length; pe += PE_PER_MAB) {
        struct dots dots;
        const uint64_t *const plane = io->matrix + 16 * (at + pe);
        const bool done = prec == PREC_H
                              ? half_dots(plane, xs.half[0] + pe, &dots)
                              : single_dots(prec == PREC_G, plane, xs.half[0] + pe, &dots);
        if (!done) {
            flush_off(mode);
            return true;
        }
        for (unsigned i = 0; i < 8 * halves; i += N) {
            const size_t place = pe + i % 8 / 2;
            const vd product = (vd)((vu)scaled(&dots, i, weight) ^ (uint64_t)product_sign << 32);
            vw c = {0};
            if (adds)
                c = load_w(ys.half[i / 8] + place) ^ y_sign;
            store_w(target[i / 8] + place, finish_single(adds, reduce, product, c, &watched));
        }
    }
    flush_off(mode);
    if (any_special(watched))
        return true;
    if (reduce)
        join_reduced(o.room[0], o.room[1], length, o.half[0]);
    if (io->out[1] != NULL && (prec != PREC_H || reduce))
        memset(io->out[1] + at, 0, length * sizeof *io->out[1]);
    if (io->flags != NULL)
        mau_flags(op, o.half[0], o.half[1], length, io->flags + at);
    return false;
}

/* --- double ----------------------------------------------------------------------------------- */

/* One row of double precision, scaled, as high + low; false if plain C has to compute it: invalid
 * blocks, infinities, exponents near the limits. */
LANES_FN bool double_row(const uint64_t *row, const uint64_t *x, double *high, double *low)
{
    const uint64_t man_mask = ((uint64_t)1 << 52) - 1, dropped = 0xffff;
    const uint64_t unlike = (row[0] ^ row[1]) | (row[0] ^ row[2]) | (row[0] ^ row[3]) |
                            (x[0] ^ x[1]) | (x[0] ^ x[2]) | (x[0] ^ x[3]);
    const int a = (int)(row[0] >> 52 & 0x7ff), b = (int)(x[0] >> 52 & 0x7ff);
    if ((unlike & EXPONENT64) != 0 || a == 0x7ff || b == 0x7ff)
        return false;
    if (a == 0 || b == 0)
        return true;
    const int power = a + b - 2 * 1023 - 2 * 51;
    if (power < -900 || power > 700)
        return false;
    fp_i128 sum = 0;
    for (unsigned j = 0; j < 4; j++) {
        const uint64_t m = row[j] & man_mask, n = x[j] & man_mask;
        const uint64_t omitted = (m & dropped) * (n & dropped);
        const fp_i128 product =
            (fp_i128)((fp_u128)m * n) - (fp_i128)omitted + (omitted != 0 ? (fp_i128)1 << 30 : 0);
        sum += ((row[j] ^ x[j]) & SIGN64) != 0 ? -product : product;
    }
    /* |sum| < 2^106: an upper and a lower half of 53 bits, each rounded separately. */
    const uint64_t bits = (uint64_t)(power + 1023) << 52;
    double scale;
    memcpy(&scale, &bits, sizeof scale);
    const double upper = (double)(int64_t)(sum >> 53) * 0x1p53 * scale;
    const double lower = (double)(int64_t)((uint64_t)sum & (((uint64_t)1 << 53) - 1)) * scale;
    *high = upper + lower;
    *low = lower - (*high - upper);
    return true;
}

LANES_FN bool double_chunk(const struct mau_op *op, size_t at, size_t length,
                           const struct mau_io *io)
{
    const uint64_t product_sign = (op->x & OPERAND_NEGATE) != 0 ? SIGN64 : 0;
    const uint64_t y_sign = (op->y & OPERAND_NEGATE) != 0 ? SIGN64 : 0;
    const bool adds = op->insn == INSN_MFMA;
    struct operand_chunk xs, ys;
    struct chunk_out o;
    double high[CHUNK], low[CHUNK];
    vu special = {0};
    if (length % N != 0)
        return true;
    open_out(&o, io->out, at);
    plain_operand(&xs, io->x, at, 1);
    if (adds)
        double_operand(&ys, io->y, op->y, at, length);
    for (size_t pe = 0; pe < length; pe++) {
        const size_t row = pe % PE_PER_MAB, mab = pe - row;
        high[pe] = low[pe] = 0;
        if ((row >= 2) == op->lower && !double_row(io->matrix + 16 * (at + mab) + 16 * row,
                                                   xs.half[0] + mab, &high[pe], &low[pe]))
            return true;
    }
    for (size_t i = 0; i < length; i += N) {
        vu h, l, c = {0};
        memcpy(&h, high + i, sizeof h);
        memcpy(&l, low + i, sizeof l);
        if (adds)
            c = load_u(ys.half[0] + i) ^ y_sign;
        special |= special_double(c, LOWEST_TERM, HIGHEST_TERM);
        const struct pair product = {(vd)(h ^ product_sign), (vd)(l ^ product_sign)};
        const struct pair sum = sum_with(product, (vd)c);
        const vu result =
            op->reduce
                ? __builtin_convertvector(single_of_odd(lanes_add_odd(sum.high, sum.low)), vu) << 32
                : normal_double(sum.high + sum.low);
        store_u(o.half[0] + i, result);
    }
    if (any_u(special))
        return true;
    if (io->out[1] != NULL)
        memset(io->out[1] + at, 0, length * sizeof *io->out[1]);
    if (io->flags != NULL)
        mau_flags(op, o.half[0], o.half[1], length, io->flags + at);
    return false;
}

/* --- all -------------------------------------------------------------------------------------- */

LANES_FN bool one_chunk(uint8_t prec, bool reduce, const struct mau_op *op, size_t at,
                        size_t length, const struct mau_io *io)
{
    return prec == PREC_D ? double_chunk(op, at, length, io)
                          : matrix_chunk(prec, reduce, op, at, length, io);
}

/* One function per precision. */
#define MATRIX_KIND(name, smallest, prec, reduce)                                                  \
    LANES_OUTER void name(const struct mau_op *op, struct range range, const struct mau_io *io)    \
    {                                                                                              \
        for (size_t at = range.from; at < range.to; at += range.step) {                            \
            const size_t left = range.to - at, length = left < range.step ? left : range.step;     \
            if (!one_chunk(prec, reduce, op, at, length, io))                                      \
                continue;                                                                          \
            if (length > smallest)                                                                 \
                name(op, (struct range){at, at + length, smallest}, io);                           \
            else                                                                                   \
                mau_chunk_again(op, at, length, io);                                               \
        }                                                                                          \
    }

MATRIX_KIND(matrix_single, PE_PER_MAB, PREC_F, false)
MATRIX_KIND(matrix_pseudo, PE_PER_MAB, PREC_G, false)
MATRIX_KIND(matrix_half, PE_PER_MAB, PREC_H, false)
MATRIX_KIND(matrix_half_reduced, PE_PER_MAB, PREC_H, true)
MATRIX_KIND(matrix_double, PIECE, PREC_D, false)

LANES_FN void matrix_kernel(const struct mau_op *op, struct range all, const struct mau_io *io)
{
    switch (op->prec) {
    case PREC_F:
        matrix_single(op, all, io);
        break;
    case PREC_G:
        matrix_pseudo(op, all, io);
        break;
    case PREC_H:
        if (op->reduce)
            matrix_half_reduced(op, all, io);
        else
            matrix_half(op, all, io);
        break;
    default:
        matrix_double(op, all, io);
        break;
    }
}

LANES_FN bool lanes_mau(const struct mau_op *op, const struct mau_io *io)
{
    const struct range all = {0, io->lanes, CHUNK};
    switch (op->insn) {
    case INSN_MFMA:
    case INSN_MMUL:
        matrix_kernel(op, all, io);
        return true;
    case INSN_VFMA:
        vector_fma(op, all, io);
        return true;
    case INSN_VMUL:
        vector_mul(op, all, io);
        return true;
    case INSN_VADD:
        vector_add(op, all, io);
        return true;
    case INSN_VPASSA:
        vector_pass(op, all, io);
        return true;
    default:
        return false;
    }
}

#endif
