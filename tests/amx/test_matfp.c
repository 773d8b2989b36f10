/* matfp against vectors that were made by an emulator compared with the silicon: 6,000 operands of
 * all modes on pseudo-random state, each with a digest of Z. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "config/embed.h"
#include "functional/amx/matfp.h"
#include "tests/dice.h"
#include "tests/often.h"

EMBED(matfp_cases, "tests/amx/matfp_cases.txt");

/* x, y, z in this order; class 1 clears the bits that make infinities and NaN likely. */
static void fill(struct amx_regs *regs, uint64_t seed, unsigned class)
{
    struct dice dice = {seed};
    const uint64_t mask = class ? UINT64_C(0xBFFFBFFFBFFFBFFF) : UINT64_MAX;
    for (unsigned i = 0; i < AMX_RING; i += 8)
        amx_put64(regs->x + i, dice_next(&dice) & mask);
    for (unsigned i = 0; i < AMX_RING; i += 8)
        amx_put64(regs->y + i, dice_next(&dice) & mask);
    for (unsigned i = 0; i < AMX_Z_ROWS * AMX_ROW; i += 8)
        amx_put64(&regs->z[i / AMX_ROW][i % AMX_ROW], dice_next(&dice) & mask);
}

static uint64_t digest(const struct amx_regs *regs)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (unsigned i = 0; i < AMX_Z_ROWS * AMX_ROW; i++)
        hash = (hash ^ regs->z[i / AMX_ROW][i % AMX_ROW]) * UINT64_C(0x100000001b3);
    return hash;
}

static void run_cases(bool reference)
{
    static struct amx_regs regs;
    unsigned count = 0, wrong = 0;
    char *text = malloc(EMBED_SIZE(matfp_cases) + 1);
    assert_non_null(text);
    memcpy(text, matfp_cases, EMBED_SIZE(matfp_cases));
    text[EMBED_SIZE(matfp_cases)] = '\0';
    for (char *line = text; *line; count++) {
        const unsigned long long number = strtoull(line, &line, 10);
        const unsigned long version = strtoul(line, &line, 10);
        const unsigned long long operand = strtoull(line, &line, 16);
        const unsigned long class = strtoul(line, &line, 10);
        const unsigned long long expected = strtoull(line, &line, 16);
        line += *line == '\n';
        fill(&regs, number, (unsigned)class);
        struct matfp matfp;
        amx_matfp_decode(&matfp, operand, version == 2 ? AMX_M2 : AMX_M1);
        amx_matfp_execute(&regs, &matfp, reference);
        if (digest(&regs) != expected && ++wrong <= 10)
            print_error("case %llu, M%lu, operand %016llx\n", number, version, operand);
    }
    free(text);
    assert_int_equal(count, 6000);
    assert_int_equal(wrong, 0);
}

static void all_cases_by_the_hosts_fma(void **state)
{
    (void)state;
    run_cases(false);
}

static void all_cases_by_integers(void **state)
{
    (void)state;
    run_cases(true);
}

/* What stands in ignored bits changes nothing: 9, 19, 26, 31, 37, 41, 46, 57, 63, and 52 of an
 * indexed load. */
static void ignored_bits_are_ignored(void **state)
{
    (void)state;
    static const unsigned ignored[] = {9, 19, 26, 31, 37, 41, 46, 57, 63, 52};
    struct dice dice = {7};
    static struct amx_regs before, one, two;
    for (unsigned round = 0; round < often(300); round++) {
        const uint64_t indexed = round % 2 ? UINT64_C(1) << 53 : 0;
        uint64_t operand =
            (dice_next(&dice) & ~(UINT64_C(7) << 54) & ~(UINT64_C(1) << 53)) | indexed;
        if (!indexed)
            operand &= ~(UINT64_C(0x3e) << 47);
        const unsigned bit = ignored[round % (indexed ? 10 : 9)];
        fill(&before, round, 1);
        one = two = before;
        struct matfp matfp;
        amx_matfp_decode(&matfp, operand, AMX_M2);
        amx_matfp_execute(&one, &matfp, false);
        amx_matfp_decode(&matfp, operand ^ UINT64_C(1) << bit, AMX_M2);
        amx_matfp_execute(&two, &matfp, false);
        assert_memory_equal(&one, &two, sizeof one);
    }
}

/* The conditions under which nothing happens. */
static void noops_do_nothing(void **state)
{
    (void)state;
    static struct amx_regs before, after;
    for (unsigned mode = 0; mode < 64; mode++)
        for (unsigned high = 0; high < 8; high++) {
            const uint64_t operand =
                (uint64_t)mode << 47 | (uint64_t)high << 54 | UINT64_C(4) << 42;
            fill(&before, mode * 8 + high, 1);
            after = before;
            struct matfp matfp;
            amx_matfp_decode(&matfp, operand, AMX_M1);
            amx_matfp_execute(&after, &matfp, false);
            const bool works = high == 0 && (mode == 0 || mode == 1 || mode == 4);
            assert_int_equal(memcmp(&before, &after, sizeof before) != 0, works);
            assert_int_equal(matfp.noop, !works);
        }
}

/* The layout of mixed widths by one product: X lane 5, Y lane 3 go to row 2 * 3 + 1, lane 2. */
static void mixed_widths_interleave_rows(void **state)
{
    (void)state;
    static struct amx_regs regs, expected;
    memset(&regs, 0, sizeof regs);
    amx_put16(regs.x + 2 * 5, 0x4000); /* 2 */
    amx_put16(regs.y + 2 * 3, 0x4200); /* 3 */
    expected = regs;
    amx_put32(&expected.z[7][4 * 2], 0x40c00000); /* 6 */
    struct matfp matfp;
    amx_matfp_decode(&matfp, UINT64_C(3) << 42 | UINT64_C(7) << 20, AMX_M1);
    amx_matfp_execute(&regs, &matfp, false);
    assert_memory_equal(&regs, &expected, sizeof regs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_cases_by_the_hosts_fma),   cmocka_unit_test(all_cases_by_integers),
        cmocka_unit_test(ignored_bits_are_ignored),     cmocka_unit_test(noops_do_nothing),
        cmocka_unit_test(mixed_widths_interleave_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
