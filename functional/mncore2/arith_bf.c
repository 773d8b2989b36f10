/* Block float (4.4, 3.6.12.12). */
#include "functional/mncore2/arith_fp.h"
#include "functional/mncore2/arith_kernels.h"

struct rules {
    const struct fp_format *format;
    unsigned low;     /* mantissa bits at the LSB side that stay 0: 5 in pseudo single */
    unsigned shorter; /* b: bits by which hbfn/n and hbfe/n shorten the mantissa */
    bool extended;    /* hbfe */
};

enum { EXTENSION = 6 };

/* All ones in the mantissa bits that decide the carry. Pseudo single: the bits kept and the
 * rounding bit (open points); half: all but the b lowest. */
static bool carries(const struct rules *r, uint64_t bits)
{
    const unsigned left_out = r->low + r->shorter;
    const uint64_t all = ((uint64_t)1 << (r->format->man - left_out)) - 1;
    return fp_mantissa(r->format, bits) >> left_out == all;
}

static void convert_block(const struct rules *r, unsigned n, uint64_t *value)
{
    const struct fp_format *f = r->format;
    unsigned largest = 0;
    for (unsigned i = 0; i < n; i++) {
        const unsigned exponent = fp_exponent(f, value[i]);
        if (exponent > largest)
            largest = exponent;
    }
    bool carry = false;
    for (unsigned i = 0; i < n; i++)
        carry |= fp_exponent(f, value[i]) == largest && carries(r, value[i]);
    const unsigned common = largest + carry + r->shorter;
    for (unsigned i = 0; i < n; i++) {
        const uint64_t sign = value[i] & fp_sign_bit(f);
        const unsigned exponent = fp_exponent(f, value[i]);
        if (largest == 0) { /* (c) */
            value[i] = sign;
            continue;
        }
        if (common >= f->inf) { /* (a) */
            value[i] = sign | (uint64_t)f->inf << f->man;
            continue;
        }
        if (exponent == 0) { /* (b) */
            value[i] = sign | (uint64_t)common << f->man;
            continue;
        }
        const unsigned difference = common - exponent;
        const unsigned threshold = EXTENSION + r->shorter;
        const bool flagged = r->extended && difference >= threshold &&
                             !(difference == threshold && carries(r, value[i]));
        const uint64_t man = fp_mantissa(f, value[i]) | (uint64_t)1 << f->man;
        /* The hidden bit of the largest element becomes the MSB of the field: shift by one more. */
        const unsigned down = difference - (flagged ? EXTENSION : 0) + 1 + r->low;
        const uint64_t rounded = mncore2_fp_shift_even(man, down) << r->low;
        const bool low_exponent = flagged || (r->extended && rounded == 0);
        value[i] = sign | (low_exponent ? 0 : (uint64_t)common << f->man) | rounded;
    }
}

/* One block of elements of `width` bits: `per_pe` elements of each PE's long word, from element
 * `first` on. */
static void convert_words(const struct rules *r, unsigned first, unsigned per_pe,
                          const uint64_t *in, uint64_t *out)
{
    const unsigned width = r->format->width;
    const uint64_t mask = fp_sign_bit(r->format) | (fp_sign_bit(r->format) - 1);
    uint64_t value[16];
    for (unsigned i = 0; i < PE_PER_MAB * per_pe; i++)
        value[i] = in[i / per_pe] >> (64 - width * (first + i % per_pe + 1)) & mask;
    convert_block(r, PE_PER_MAB * per_pe, value);
    for (unsigned i = 0; i < PE_PER_MAB * per_pe; i++)
        out[i / per_pe] |= value[i] << (64 - width * (first + i % per_pe + 1));
}

void mncore2_alu_block_float(const struct alu_op *op, size_t lanes, const uint64_t *const x[2],
                             uint64_t *const out[2])
{
    for (size_t mab = 0; mab < lanes; mab += PE_PER_MAB) {
        const uint64_t *const high = x[0] + mab, *const low = x[1] + mab;
        struct rules r = {.format = &mncore2_fp_single};
        for (unsigned pe = 0; pe < PE_PER_MAB; pe++) {
            out[0][mab + pe] = 0;
            out[1][mab + pe] = op->prec == PREC_H ? 0 : low[pe];
        }
        switch (op->prec) {
        case PREC_D:
            r.format = &mncore2_fp_double;
            convert_words(&r, 0, 1, high, out[0] + mab);
            break;
        case PREC_F: /* two blocks: the words at the MSB side and those at the LSB side */
            convert_words(&r, 0, 1, high, out[0] + mab);
            convert_words(&r, 1, 1, high, out[0] + mab);
            break;
        case PREC_G:
            r.low = 5;
            convert_words(&r, 0, 2, high, out[0] + mab);
            break;
        default: /* two blocks: the long words at the MSB side and those at the LSB side */
            r.format = &mncore2_fp_half;
            r.shorter = op->mantissa >= 6 && op->mantissa <= 9 ? 9u - op->mantissa : 0;
            r.extended = op->insn == INSN_BFE;
            convert_words(&r, 0, 4, high, out[0] + mab);
            convert_words(&r, 0, 4, low, out[1] + mab);
            break;
        }
    }
}
