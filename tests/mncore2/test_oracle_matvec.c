/* Matrix-vector operations in lock-step with the oracle: 4.5, 3.6.9.2 to 3.6.9.9. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/oracle/lockstep.h"

/* A valid block (4.4): one common exponent; extended values in half precision; a few blocks of
 * zeros and of infinities as the conversion makes them. */
static void fill_block(struct dice *fill, uint8_t prec, unsigned n, uint64_t bits[])
{
    const struct format *format = oracle_format(prec);
    const unsigned top = oracle_exponent_max(format);
    unsigned common = fill_exponent(fill, format);
    if (fill_chance(fill, 3)) /* near the edges, where sums of exponents matter */
        common = (unsigned)oracle_bias(format) / 2 + fill_below(fill, format->mantissa);
    if ((common == 0 || common == top) && !fill_chance(fill, 8))
        common = (unsigned)oracle_bias(format);
    const bool extends = prec == PREC_H && fill_chance(fill, 2);
    const bool full = fill_chance(fill, 8);
    for (unsigned i = 0; i < n; i++) {
        uint64_t mantissa =
            full ? (UINT64_C(1) << format->mantissa) - 1 : fill_mantissa(fill, format->mantissa);
        unsigned exponent = common;
        if (common == 0 || common == top)
            mantissa = 0;
        else if (extends && fill_chance(fill, 3))
            exponent = 0;
        bits[i] = oracle_pack(format, fill_below(fill, 2), exponent, mantissa);
    }
    if (extends && common != 0 && common != top) /* somebody carries the common exponent */
        bits[fill_below(fill, n)] =
            oracle_pack(format, fill_below(fill, 2), common, fill_mantissa(fill, format->mantissa));
}

static void fill_plane(struct batch *batch, struct dice *fill, uint8_t prec, size_t mab)
{
    const unsigned rows = prec == PREC_D ? 4 : prec == PREC_H ? 16 : 8;
    const unsigned columns = prec == PREC_H ? 16 : prec == PREC_G ? 8 : 4;
    const unsigned width = 256 / columns / (prec == PREC_F ? 2 : 1); /* bits of an element */
    uint64_t *plane = batch->matrix + 64 * mab;
    for (unsigned i = 0; i < 64; i++) /* rows that the precision does not use hold anything */
        plane[i] = dice_next(fill);
    for (unsigned row = 0; row < rows; row++) {
        uint64_t bits[16];
        fill_block(fill, prec, columns, bits);
        uint64_t *words = plane + 4 * (row * 16 / rows);
        for (unsigned pe = 0; pe < 4; pe++) {
            /* f: the odd columns do not take part; keep what stands there. */
            words[pe] = prec == PREC_F ? words[pe] & UINT32_MAX : 0;
            for (unsigned i = 0; i < columns / 4; i++)
                words[pe] |= oracle_place(bits[pe * (columns / 4) + i], width, i);
        }
    }
}

static void fill_inputs(struct batch *batch, struct dice *fill, const struct mau_op *op, size_t mab)
{
    const struct format *factor = oracle_format(op->prec);
    const struct format *addend = op->prec == PREC_D ? &oracle_double : &oracle_single;
    const unsigned columns = op->prec == PREC_H ? 16 : op->prec == PREC_G ? 8 : 4;
    const unsigned rows = op->prec == PREC_D ? 4 : op->prec == PREC_H ? 16 : 8;
    const struct format *fy = !(op->y & OPERAND_EXTEND)  ? addend
                              : addend == &oracle_double ? &oracle_single
                                                         : &oracle_half;
    uint64_t bits[16];
    fill_block(fill, op->prec, columns, bits);
    for (unsigned i = 0; i < columns; i++)
        batch_put(batch, 0, 4 * mab + i / (columns / 4), factor->bits, i % (columns / 4), bits[i]);
    if (op->insn == INSN_MMUL)
        return;
    mab_bus x, none = {{0}}, products;
    uint8_t flags[4];
    const bool near = fy == addend && fill_chance(fill, 2);
    if (near) { /* cancellation: the addend is the product's opposite, or almost */
        struct mau_op alone = {.insn = INSN_MMUL, .prec = op->prec, .lower = op->lower, .x = op->x};
        batch_mab(batch, 0, mab, x);
        oracle_mau(&alone, batch->matrix + 64 * mab, (struct oracle_in){x, none, none}, products,
                   flags);
    }
    for (unsigned i = 0; i < rows; i++) {
        const unsigned pe = i / (rows / 4), place = i % (rows / 4), per_long = 64 / fy->bits;
        uint64_t c = fill_float(fill, fy);
        if (near) {
            c = oracle_element(products[pe][place / per_long], fy->bits, place % per_long);
            const unsigned exponent = oracle_exponent(fy, c);
            const unsigned away = fy->mantissa - 2 + fill_below(fill, 5);
            if (fill_chance(fill, 3) && exponent > away &&
                exponent + away < oracle_exponent_max(fy)) /* at a tie's distance */
                c = oracle_pack(fy, fill_below(fill, 2),
                                fill_chance(fill, 2) ? exponent - away : exponent + away,
                                fill_mantissa(fill, fy->mantissa));
            else if (exponent != 0 && exponent != oracle_exponent_max(fy))
                c = (c ^ UINT64_C(1) << (fy->bits - 1)) + fill_below(fill, 3) - 1;
        }
        batch_put(batch, 1, 4 * mab + pe, fy->bits, place, c);
    }
}

static void matvec_sets(uint8_t insn, uint8_t prec)
{
    static struct batch batch;
    const size_t sets = lockstep_sets();
    uint64_t seed = lockstep_seed(0x4d560000U + insn * 16U + prec);
    for (size_t done = 0; done < sets; seed++) {
        struct dice fill = {seed};
        struct mau_op op = {.insn = insn, .prec = prec};
        batch_shape(&batch, &fill);
        batch_clear(&batch);
        memset(batch.null, 0, sizeof batch.null);
        op.lower = prec == PREC_D && fill_chance(&fill, 2);
        op.reduce = (prec == PREC_D || prec == PREC_H) && fill_chance(&fill, 3);
        op.x = fill_chance(&fill, 4) ? OPERAND_NEGATE : 0;
        if (insn == INSN_MFMA) {
            op.y = fill_chance(&fill, 4) ? OPERAND_NEGATE : 0;
            op.y |= fill_chance(&fill, 4) ? OPERAND_EXTEND : 0;
        }
        for (size_t mab = 0; mab < batch.lanes / 4; mab++) {
            fill_plane(&batch, &fill, prec, mab);
            fill_inputs(&batch, &fill, &op, mab);
        }
        if (prec == PREC_F) /* the LSB words of x do not take part */
            for (size_t lane = 0; lane < batch.lanes; lane++)
                batch.in[0][0][lane] |= dice_next(&fill) >> 32;
        const uint64_t *bus[2][2];
        for (unsigned k = 0; k < lockstep_kernels(); k++) {
            uint64_t *const out[2] = {batch.out[k][0], batch.out[k][1]};
            lockstep_select(k);
            mncore2_mau_cycle(&op, &(struct mau_io){.lanes = batch.lanes,
                                                    .matrix = batch.matrix,
                                                    .x = batch_input(&batch, 0, bus[0]),
                                                    .y = batch_input(&batch, 1, bus[1]),
                                                    .out = out,
                                                    .flags = batch.flags[k]});
        }
        const char *name = lockstep_mau_name(&op);
        for (size_t mab = 0; mab < batch.lanes / 4; mab++, done++) {
            mab_bus x, y, want, care;
            uint8_t flags[4];
            memset(care, 0xff, sizeof care);
            batch_mab(&batch, 0, mab, x);
            batch_mab(&batch, 1, mab, y);
            oracle_mau(&op, batch.matrix + 64 * mab, (struct oracle_in){x, y, y}, want, flags);
            const struct expected expected = {name, seed, insn == INSN_MFMA ? 2 : 1,
                                              want, care, flags};
            if (!batch_check(&batch, mab, &expected)) {
                for (unsigned i = 0; i < 64; i++)
                    fprintf(stderr, "%s%016llx", i % 4 ? " " : "\n  A ",
                            (unsigned long long)batch.matrix[64 * mab + i]);
                fprintf(stderr, "\n");
                fail();
            }
        }
    }
}

#define MATVEC(name, prec)                                                                         \
    static void name(void **state)                                                                 \
    {                                                                                              \
        (void)state;                                                                               \
        matvec_sets(INSN_MFMA, prec);                                                              \
        matvec_sets(INSN_MMUL, prec);                                                              \
    }
MATVEC(double_precision, PREC_D)
MATVEC(single_precision, PREC_F)
MATVEC(pseudo_single_precision, PREC_G)
MATVEC(half_precision, PREC_H)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(double_precision),
        cmocka_unit_test(single_precision),
        cmocka_unit_test(pseudo_single_precision),
        cmocka_unit_test(half_precision),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
