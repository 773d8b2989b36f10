/* The ALU in lock-step with the oracle: 3.6.12 but for the block float conversions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "functional/mncore2/parse.h"
#include "tests/oracle/lockstep.h"

static bool is_real(uint8_t prec)
{
    return prec == PREC_D || prec == PREC_F || prec == PREC_H;
}

static unsigned bits_of(uint8_t prec)
{
    return prec == PREC_F || prec == PREC_I ? 32 : prec == PREC_H || prec == PREC_S ? 16 : 64;
}

/* Elements that stand around an integer, a limit of the integers, or each other. */
static uint64_t fill_element(struct dice *fill, const struct alu_op *op)
{
    const unsigned bits = bits_of(op->prec);
    if (!is_real(op->prec))
        return fill_integer(fill, bits);
    const struct format *format = oracle_format(op->prec);
    if ((op->insn == INSN_FTOI || op->insn == INSN_FLOOR) && fill_chance(fill, 2)) {
        const unsigned whole = fill_chance(fill, 2) ? fill_below(fill, format->mantissa + 3)
                                                    : bits - 3 + fill_below(fill, 5);
        const unsigned exponent = (unsigned)oracle_bias(format) + whole;
        const uint64_t low = whole < format->mantissa ? UINT64_C(1) << (format->mantissa - whole)
                                                      : 1; /* the place of 1.0 */
        uint64_t mantissa = fill_mantissa(fill, format->mantissa);
        if (fill_chance(fill, 2)) /* an integer, or just beside it */
            mantissa = (mantissa & ~(low - 1)) + fill_below(fill, 3) - 1;
        mantissa &= (UINT64_C(1) << format->mantissa) - 1;
        return oracle_pack(format, fill_below(fill, 2),
                           exponent > oracle_exponent_max(format) ? oracle_exponent_max(format)
                                                                  : exponent,
                           mantissa);
    }
    return fill_float(fill, format);
}

static uint64_t related(struct dice *fill, unsigned bits, uint64_t x)
{
    const uint64_t mask = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
    switch (fill_below(fill, 5)) {
    case 0:
        return x;
    case 1:
        return x ^ UINT64_C(1) << (bits - 1);
    case 2:
        return (x + 1) & mask;
    case 3:
        return ~x & mask;
    default:
        return (0 - x) & mask;
    }
}

static void fill_alu(struct batch *batch, struct dice *fill, const struct alu_op *op)
{
    const unsigned bits = bits_of(op->prec);
    batch_clear(batch);
    for (size_t lane = 0; lane < batch->lanes; lane++) {
        const bool zeros = fill_chance(fill, 8);
        for (unsigned i = 0; i < 64 / bits; i++) {
            const uint64_t x = zeros && !fill_chance(fill, 4) ? 0 : fill_element(fill, op);
            uint64_t y = fill_element(fill, op);
            if (fill_chance(fill, 3))
                y = related(fill, bits, x);
            batch_put(batch, 0, lane, bits, i, x);
            batch_put(batch, 1, lane, bits, i, y);
        }
        batch->in[0][1][lane] = dice_next(fill);
        batch->in[1][1][lane] = dice_next(fill);
    }
    for (unsigned input = 0; input < 2; input++)
        if ((input ? op->y : op->x) & OPERAND_REDUCE)
            for (size_t lane = 0; lane < batch->lanes; lane++)
                for (unsigned half = 0; half < 2; half++) {
                    uint64_t word = 0;
                    for (unsigned j = 0; j < 2; j++) {
                        /* mostly within half precision's range */
                        uint64_t bits32 = fill_float(fill, &oracle_single);
                        if (!fill_chance(fill, 3))
                            bits32 =
                                oracle_pack(&oracle_single, fill_below(fill, 2),
                                            94 + fill_below(fill, 68), fill_mantissa(fill, 23));
                        word |= oracle_place(bits32, 32, j);
                    }
                    batch->in[input][half][lane] = word;
                }
}

static void alu_sets(uint8_t insn, uint8_t prec, bool uns)
{
    static struct batch batch;
    const size_t sets = lockstep_sets();
    uint64_t seed = lockstep_seed(0x414c5500U + insn * 4096U + prec * 16U + uns);
    for (size_t done = 0; done < sets; seed++) {
        struct dice fill = {seed};
        struct alu_op op = {.insn = insn, .prec = prec, .uns = uns};
        batch_shape(&batch, &fill);
        /* 3.6.12.19: an operand that expects half precision may be rounded from single. */
        if (prec == PREC_H && fill_chance(&fill, 3)) {
            op.x = fill_chance(&fill, 2) ? OPERAND_REDUCE : 0;
            op.y = fill_chance(&fill, 2) ? OPERAND_REDUCE : 0;
        }
        op.imm = (uint32_t)dice_next(&fill);
        fill_alu(&batch, &fill, &op);
        const uint64_t *bus[2][2];
        for (unsigned k = 0; k < lockstep_kernels(); k++) {
            uint64_t *const out[2] = {batch.out[k][0], batch.out[k][1]};
            lockstep_select(k);
            mncore2_alu_cycle(&op, batch.lanes, batch_input(&batch, 0, bus[0]),
                              batch_input(&batch, 1, bus[1]), out, batch.flags[k]);
        }
        const char *name = lockstep_alu_name(&op);
        for (size_t mab = 0; mab < batch.lanes / 4; mab++, done++) {
            mab_bus x, y, want, care;
            uint8_t flags[4];
            batch_mab(&batch, 0, mab, x);
            batch_mab(&batch, 1, mab, y);
            oracle_alu(&op, x, y, want, care, flags);
            const struct expected expected = {name, seed, 2, want, care, flags};
            if (!batch_check(&batch, mab, &expected))
                fail();
        }
    }
}

/* Every spelling of the group, as the rows of insn.def give them; what the oracle lacks stops
 * it. */
static void rows(bool (*wanted)(uint8_t prec))
{
    size_t count;
    unsigned tried = 0;
    const struct opcode *all = mncore2_opcode_all(&count);
    for (size_t i = 0; i < count; i++) {
        const struct opcode *row = &all[i];
        if (row->kind != OPCODE_PE || mncore2_insns[row->insn].group != GROUP_ALU || row->alias ||
            row->insn == INSN_BFE || row->insn == INSN_BFN || !wanted(row->prec))
            continue;
        alu_sets(row->insn, row->prec, row->uns);
        tried++;
    }
    assert_true(tried > 0);
}

static bool integer(uint8_t prec)
{
    return prec == PREC_L || prec == PREC_I || prec == PREC_S;
}

static bool untyped(uint8_t prec)
{
    return !is_real(prec) && !integer(prec);
}

static void without_precision(void **state)
{
    (void)state;
    rows(untyped);
}

static void integers(void **state)
{
    (void)state;
    rows(integer);
}

static void floats(void **state)
{
    (void)state;
    rows(is_real);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_precision),
        cmocka_unit_test(integers),
        cmocka_unit_test(floats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
