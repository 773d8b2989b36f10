/*
 * The matrix-vector operations of the MAU in plain C (3.6.9.2 to .9, 4.5).
 *
 * A row of the matrix and the vector are one block each; an element is sign, exponent field and
 * mantissa without hidden bit, (-1)^s * 2^(e - bias) * man * 2^(1 - m).
 *
 * Invalid block float values, which 4.4 leaves undefined, are interpreted as follows: the common
 * exponent is the largest field of the block and applies to every element whose field is not 0;
 * field 0 is zero, or in half precision an extended value.
 */
#include "functional/mncore2/arith_mau.h"

#include "functional/mncore2/arith_kernels.h"

struct element {
    bool sign, inf, extended;
    uint64_t man; /* 0: the element is zero, unless inf */
};

struct block {
    unsigned size;
    unsigned exponent; /* the common exponent's field */
    struct element element[16];
};

/* Sizes of a block and of the result in the four precisions (1.4). */
struct shape {
    const struct fp_format *format;
    unsigned columns; /* elements of a block */
    unsigned rows;    /* of the logical matrix */
    unsigned per_pe;  /* result elements */
    uint64_t ignored; /* low mantissa bits that pseudo single leaves out (4.4) */
};

static struct shape shape_of(uint8_t prec)
{
    switch (prec) {
    case PREC_D:
        return (struct shape){.format = &mncore2_fp_double, .columns = 4, .rows = 4, .per_pe = 1};
    case PREC_F:
        return (struct shape){.format = &mncore2_fp_single, .columns = 4, .rows = 8, .per_pe = 2};
    case PREC_G:
        return (struct shape){
            .format = &mncore2_fp_single, .columns = 8, .rows = 8, .per_pe = 2, .ignored = 0x1f};
    default:
        return (struct shape){.format = &mncore2_fp_half, .columns = 16, .rows = 16, .per_pe = 4};
    }
}

/* Element j of a block that spans the four PE of a MAB; words[p] is PE p's long word. Single
 * precision uses the word at the MSB side: columns 0, 2, 4, 6 (3.6.9.4). */
static uint64_t element_bits(uint8_t prec, const uint64_t words[PE_PER_MAB], unsigned j)
{
    switch (prec) {
    case PREC_D:
        return words[j];
    case PREC_F:
        return word_of(words[j], 0);
    case PREC_G:
        return word_of(words[j / 2], j % 2);
    default:
        return half_of(words[j / 4], j % 4);
    }
}

static struct block block_of(uint8_t prec, const struct shape *shape,
                             const uint64_t words[PE_PER_MAB], bool negate)
{
    const struct fp_format *f = shape->format;
    struct block block = {.size = shape->columns};
    for (unsigned j = 0; j < block.size; j++) {
        const unsigned exponent = fp_exponent(f, element_bits(prec, words, j));
        if (exponent > block.exponent)
            block.exponent = exponent;
    }
    for (unsigned j = 0; j < block.size; j++) {
        const uint64_t bits = element_bits(prec, words, j);
        const unsigned exponent = fp_exponent(f, bits);
        struct element *e = &block.element[j];
        e->sign = ((bits & fp_sign_bit(f)) != 0) != negate;
        e->man = fp_mantissa(f, bits) & ~shape->ignored;
        if (exponent == 0) {
            e->extended = prec == PREC_H;
            if (prec != PREC_H || block.exponent == 0)
                e->man = 0;
        }
        e->inf = block.exponent == f->inf && (exponent != 0 || e->man != 0);
    }
    return block;
}

static struct fp_number dot(const struct fp_format *f, const struct block *a, const struct block *b)
{
    fp_i128 sum = 0;
    bool positive_inf = false, negative_inf = false;
    for (unsigned i = 0; i < a->size; i++) {
        const struct element *x = &a->element[i], *y = &b->element[i];
        const bool sign = x->sign != y->sign;
        if (x->inf || y->inf) {
            const bool zero = (!x->inf && x->man == 0) || (!y->inf && y->man == 0);
            positive_inf |= !zero && !sign;
            negative_inf |= !zero && sign;
            continue;
        }
        fp_u128 product = mncore2_fp_multiply(f, x->man, y->man);
        /* An extended value is 6 binary places below the common exponent; the product is shifted
         * down and rounded before the sum (4.5; open points). */
        const unsigned down = 6 * ((unsigned)x->extended + (unsigned)y->extended);
        if (down != 0)
            product = mncore2_fp_shift_even((uint64_t)product, down);
        sum += sign ? -(fp_i128)product : (fp_i128)product;
    }
    if (positive_inf || negative_inf)
        return (struct fp_number){.kind = FP_INF, .sign = !positive_inf};
    const int exp = (int)a->exponent + (int)b->exponent - 2 * f->bias - 2 * ((int)f->man - 1);
    return mncore2_fp_number_of(sum < 0, sum < 0 ? (fp_u128)-sum : (fp_u128)sum, exp);
}

static struct fp_number addend(const struct mau_op *op, const uint64_t *const y[2], size_t lane,
                               unsigned k)
{
    if (op->insn == INSN_MMUL)
        return (struct fp_number){.kind = FP_ZERO};
    switch (op->prec) {
    case PREC_D:
        return mncore2_fp_unpack(&mncore2_fp_double, mncore2_mau_input_d(y, op->y, lane));
    case PREC_H:
        return mncore2_fp_unpack(&mncore2_fp_single, mncore2_mau_input_acc(y, op->y, lane, k));
    default:
        return mncore2_fp_unpack(&mncore2_fp_single, mncore2_mau_input_f(y, op->y, lane, k));
    }
}

static void matrix(const struct mau_op *op, const struct mau_io *io)
{
    const struct shape shape = shape_of(op->prec);
    for (size_t mab = 0; mab < io->lanes / PE_PER_MAB; mab++) {
        uint64_t words[PE_PER_MAB];
        for (unsigned pe = 0; pe < PE_PER_MAB; pe++)
            words[pe] = bus_read(io->x, 0, mab * PE_PER_MAB + pe);
        const struct block vector =
            block_of(op->prec, &shape, words, (op->x & OPERAND_NEGATE) != 0);
        for (unsigned pe = 0; pe < PE_PER_MAB; pe++) {
            const size_t lane = mab * PE_PER_MAB + pe;
            struct fp_number sums[4];
            for (unsigned k = 0; k < shape.per_pe; k++) {
                const unsigned row = pe * shape.per_pe + k;
                sums[k] = addend(op, io->y, lane, k);
                /* Double precision: rows 0, 1 with u, 2, 3 with d (3.6.9.2). */
                if (op->prec == PREC_D && (row >= 2) != op->lower)
                    continue;
                const unsigned physical = row * (MATRIX_ROWS / shape.rows); /* 3.6.1.14 */
                const struct block block =
                    block_of(op->prec, &shape, io->matrix + 64 * mab + (size_t)4 * physical, false);
                sums[k] = mncore2_fp_add(dot(shape.format, &block, &vector), sums[k]);
            }
            mncore2_mau_output(op, shape.per_pe, sums, lane, io->out, io->flags);
        }
    }
}

void mncore2_mau_reference(const struct mau_op *op, const struct mau_io *io)
{
    if (op->insn == INSN_MFMA || op->insn == INSN_MMUL)
        matrix(op, io);
    else
        mncore2_mau_vector_reference(op, io);
}
