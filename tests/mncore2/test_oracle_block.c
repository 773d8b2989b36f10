/* Block float conversions in lock-step with the oracle: 4.4, 3.6.12.12. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/oracle/lockstep.h"

/* Mantissas around the carry of step 2: ones in the upper bits, anything below. */
static uint64_t carry_mantissa(struct dice *fill, unsigned bits)
{
    const uint64_t ones = (UINT64_C(1) << bits) - 1;
    const unsigned low = fill_below(fill, 7);
    const uint64_t below = (UINT64_C(1) << low) - 1;
    const uint64_t mantissa = (ones & ~below) | (dice_next(fill) & below);
    return fill_chance(fill, 2) ? mantissa : mantissa ^ UINT64_C(1) << fill_below(fill, bits);
}

static void block_sets(uint8_t insn, uint8_t prec, uint8_t mantissa)
{
    static struct batch batch;
    const size_t sets = lockstep_sets();
    uint64_t seed = lockstep_seed(0x424600U + insn * 4096U + prec * 16U + mantissa);
    for (size_t done = 0; done < sets; seed++) {
        struct dice fill = {seed};
        struct alu_op op = {.insn = insn, .prec = prec, .mantissa = mantissa};
        batch_shape(&batch, &fill);
        batch_clear(&batch);
        if (prec == PREC_H && fill_chance(&fill, 4))
            op.x = OPERAND_REDUCE;
        const bool reduces = op.x & OPERAND_REDUCE;
        const struct format *format = reduces ? &oracle_single : oracle_format(prec);
        for (size_t mab = 0; mab < batch.lanes / 4; mab++) {
            unsigned largest = fill_exponent(&fill, format);
            if (reduces && !fill_chance(&fill, 4))
                largest = 96 + fill_below(&fill, 63); /* half precision's range */
            const unsigned spread = fill_chance(&fill, 2) ? 12 : format->mantissa + 4;
            const bool anything = fill_chance(&fill, 8);
            for (size_t lane = 4 * mab; lane < 4 * mab + 4; lane++)
                for (unsigned i = 0; i < 128 / format->bits; i++) {
                    uint64_t bits = anything ? fill_float(&fill, format)
                                             : fill_near(&fill, format, largest, spread);
                    if (fill_chance(&fill, 5))
                        bits = (bits & ~((UINT64_C(1) << format->mantissa) - 1)) |
                               carry_mantissa(&fill, format->mantissa);
                    if (fill_chance(&fill, 24)) /* zeros and garbage */
                        bits = oracle_pack(format, fill_below(&fill, 2), 0,
                                           fill_mantissa(&fill, format->mantissa));
                    batch_put(&batch, 0, lane, format->bits, i, bits);
                }
        }
        const uint64_t *bus[2], *const none[2] = {NULL, NULL};
        for (unsigned k = 0; k < lockstep_kernels(); k++) {
            uint64_t *const out[2] = {batch.out[k][0], batch.out[k][1]};
            lockstep_select(k);
            mncore2_alu_cycle(&op, batch.lanes, batch_input(&batch, 0, bus), none, out,
                              batch.flags[k]);
        }
        const char *name = lockstep_alu_name(&op);
        for (size_t mab = 0; mab < batch.lanes / 4; mab++, done++) {
            mab_bus x, y = {{0}}, want, care;
            uint8_t flags[4];
            batch_mab(&batch, 0, mab, x);
            oracle_alu(&op, x, y, want, care, flags);
            const struct expected expected = {name, seed, 1, want, care, flags};
            if (!batch_check(&batch, mab, &expected))
                fail();
        }
    }
}

static void wide(void **state)
{
    (void)state;
    block_sets(INSN_BFN, PREC_D, 0);
    block_sets(INSN_BFN, PREC_F, 0);
    block_sets(INSN_BFN, PREC_G, 0);
}

static void half_normal(void **state)
{
    (void)state;
    for (uint8_t n = 6; n <= 9; n++)
        block_sets(INSN_BFN, PREC_H, n);
}

static void half_extended(void **state)
{
    (void)state;
    for (uint8_t n = 6; n <= 9; n++)
        block_sets(INSN_BFE, PREC_H, n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wide),
        cmocka_unit_test(half_normal),
        cmocka_unit_test(half_extended),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
