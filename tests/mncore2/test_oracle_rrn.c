/* The result reduction network in lock-step with the oracle: 4.2, 3.5.5, 3.3. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/oracle/lockstep.h"

enum { COUNT = 37 }; /* long words a call: no multiple of a vector */

static const struct format *float_of(uint8_t rrn, uint8_t prec)
{
    return rrn == RRN_FADD || rrn == RRN_MAX || rrn == RRN_MIN ? oracle_format(prec) : NULL;
}

static unsigned bits_of(uint8_t prec)
{
    return prec == PREC_D || prec == PREC_L ? 64 : prec == PREC_H || prec == PREC_S ? 16 : 32;
}

/* n values that meet in one tree: exponents within the guard bits' reach, opposites, equal ones. */
static void fill_sources(struct dice *fill, uint8_t rrn, uint8_t prec, unsigned n,
                         uint64_t source[16][COUNT])
{
    const struct format *format = float_of(rrn, prec);
    const unsigned bits = bits_of(prec);
    for (unsigned w = 0; w < COUNT; w++)
        for (unsigned j = 0; j < 64 / bits; j++) {
            const bool near = format && !fill_chance(fill, 4);
            const unsigned largest = format ? fill_exponent(fill, format) : 0;
            const unsigned spread = format ? fill_chance(fill, 2) ? 8 : format->mantissa + 6 : 0;
            const bool sparse = fill_chance(fill, 3); /* zero words: logical and, or */
            uint64_t value[16];
            for (unsigned i = 0; i < n; i++) {
                value[i] = near     ? fill_near(fill, format, largest, spread)
                           : format ? fill_float(fill, format)
                                    : fill_integer(fill, bits);
                if (!format && sparse && !fill_chance(fill, 4))
                    value[i] = 0;
                if (i && fill_chance(fill, 4)) {
                    value[i] = value[fill_below(fill, i)];
                    if (fill_chance(fill, 2))
                        value[i] ^= UINT64_C(1) << (bits - 1);
                    if (fill_chance(fill, 3))
                        value[i] ^= 1;
                }
                if (j == 0)
                    source[i][w] = 0;
                source[i][w] |= oracle_place(value[i], bits, j);
            }
        }
}

static const char *const operation[] = {"",     "fadd", "max", "min", "iadd",
                                        "band", "and",  "bor", "or"};

static void differs(struct rrn_op op, unsigned n, uint64_t seed, const uint64_t in[], uint64_t want,
                    uint64_t got)
{
    fprintf(stderr, "%s%s%s of %u differs from the oracle (TAKT_ORACLE_SEED=%#llx)\n",
            lockstep_prec(op.prec), operation[op.rrn], op.reduce ? " with r" : "", n,
            (unsigned long long)seed);
    for (unsigned i = 0; i < n; i++)
        fprintf(stderr, "  in %2u    %016llx\n", i, (unsigned long long)in[i]);
    fprintf(stderr, "  expected %016llx\n  got      %016llx\n", (unsigned long long)want,
            (unsigned long long)got);
    fail();
}

static void stage_sets(uint8_t rrn, uint8_t prec, unsigned n)
{
    static uint64_t source[16][COUNT], got[LOCKSTEP_KERNELS][COUNT];
    const size_t sets = lockstep_sets();
    uint64_t seed = lockstep_seed(0x52524e00U + rrn * 256U + prec * 16U + n);
    const uint64_t *pointers[16];
    for (unsigned i = 0; i < n; i++)
        pointers[i] = source[i];
    for (size_t done = 0; done < sets; seed++) {
        struct dice fill = {seed};
        const size_t count = 1 + fill_below(&fill, COUNT);
        fill_sources(&fill, rrn, prec, n, source);
        for (unsigned k = 0; k < lockstep_kernels(); k++) {
            lockstep_select(k);
            mncore2_rrn_stage(rrn, prec, n, count, pointers, got[k]);
        }
        for (size_t w = 0; w < count; w++, done++) {
            uint64_t in[16];
            for (unsigned i = 0; i < n; i++)
                in[i] = source[i][w];
            const uint64_t want = oracle_rrn_stage(rrn, prec, n, in);
            for (unsigned k = 0; k < lockstep_kernels(); k++)
                if (want != got[k][w])
                    differs((struct rrn_op){rrn, prec, false}, n, seed, in, want, got[k][w]);
        }
    }
}

static void l1bm_sets(uint8_t rrn, uint8_t prec, bool reduce, unsigned n)
{
    static uint64_t source[16][COUNT], got[LOCKSTEP_KERNELS][COUNT];
    const size_t sets = lockstep_sets();
    uint64_t seed = lockstep_seed(0x4c314200U + rrn * 256U + prec * 16U + n + reduce);
    const uint64_t *pointers[16];
    for (unsigned i = 0; i < n; i++)
        pointers[i] = source[i];
    for (size_t done = 0; done < sets; seed++) {
        struct dice fill = {seed};
        const size_t count = 1 + fill_below(&fill, COUNT);
        fill_sources(&fill, rrn, prec, n, source);
        if (reduce && fill_chance(&fill, 2)) /* where half precision ends */
            for (unsigned i = 0; i < n; i++)
                for (size_t w = 0; w < count; w++)
                    for (unsigned j = 0; j < 2; j++) {
                        const uint64_t bits = oracle_element(source[i][w], 32, j);
                        const unsigned exponent = (w & 1 ? 92U : 153U) + fill_below(&fill, 8);
                        source[i][w] &= j ? ~(uint64_t)UINT32_MAX : UINT32_MAX;
                        source[i][w] |= oracle_place(
                            oracle_pack(&oracle_single, oracle_sign(&oracle_single, bits), exponent,
                                        oracle_mantissa(&oracle_single, bits)),
                            32, j);
                    }
        for (unsigned k = 0; k < lockstep_kernels(); k++) {
            lockstep_select(k);
            mncore2_rrn_l1bm((struct rrn_op){rrn, prec, reduce}, n, count, pointers, got[k]);
        }
        for (size_t w = 0; w < count; w++, done++) {
            uint64_t in[16], care;
            for (unsigned i = 0; i < n; i++)
                in[i] = source[i][w];
            const uint64_t want = oracle_rrn_l1bm(rrn, prec, reduce, n, in, &care);
            for (unsigned k = 0; k < lockstep_kernels(); k++)
                if ((want ^ got[k][w]) & care)
                    differs((struct rrn_op){rrn, prec, reduce}, n, seed, in, want, got[k][w]);
        }
    }
}

static void all_of(uint8_t rrn)
{
    static const uint8_t real[3] = {PREC_D, PREC_F, PREC_H}, whole[3] = {PREC_L, PREC_I, PREC_S};
    const bool is_real = rrn == RRN_FADD || rrn == RRN_MAX || rrn == RRN_MIN;
    for (unsigned p = 0; p < 3; p++) {
        const uint8_t prec = is_real ? real[p] : whole[p];
        assert_true(mncore2_rrn_unit(rrn, prec) == oracle_rrn_unit(rrn, prec));
        for (unsigned n = 2; n <= 8; n *= 2)
            stage_sets(rrn, prec, n);
        if (prec == PREC_H)
            continue; /* half precision in L1BM is single precision with e and r (4.2) */
        l1bm_sets(rrn, prec, false, 4);
        l1bm_sets(rrn, prec, false, 16);
        if (prec == PREC_F) {
            l1bm_sets(rrn, prec, true, 4);
            l1bm_sets(rrn, prec, true, 16);
        }
    }
}

#define REDUCTION(name, rrn)                                                                       \
    static void name(void **state)                                                                 \
    {                                                                                              \
        (void)state;                                                                               \
        all_of(rrn);                                                                               \
    }
REDUCTION(fadd, RRN_FADD)
REDUCTION(max, RRN_MAX)
REDUCTION(min, RRN_MIN)
REDUCTION(iadd, RRN_IADD)
REDUCTION(band, RRN_BAND)
REDUCTION(logical_and, RRN_AND)
REDUCTION(bor, RRN_BOR)
REDUCTION(logical_or, RRN_OR)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fadd), cmocka_unit_test(max),        cmocka_unit_test(min),
        cmocka_unit_test(iadd), cmocka_unit_test(band),       cmocka_unit_test(logical_and),
        cmocka_unit_test(bor),  cmocka_unit_test(logical_or),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
