/* Totals of statements against a table of all of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <stdlib.h>

#include "tests/dice.h"
#include "timing/charges.h"

enum { STMTS = 300, UNITS = 5, REASONS = 4, TIMES = 3000 };

static void as_in_a_table(void **state)
{
    (void)state;
    static uint64_t cycles[STMTS][UNITS][REASONS];
    struct charges charges = {.list = NULL};
    size_t count, expected = 0;
    struct dice dice = {1};
    memset(cycles, 0, sizeof cycles);
    for (unsigned i = 0; i < TIMES; i++) {
        const uint32_t stmt = (uint32_t)(dice_below(&dice, STMTS)),
                       unit = (uint32_t)(dice_below(&dice, UNITS)),
                       reason = (uint32_t)(dice_below(&dice, REASONS));
        struct sink_stmt_total *row = charges_at(&charges, stmt, unit, reason);
        assert_non_null(row);
        assert_int_equal(row->cycles, cycles[stmt][unit][reason]);
        row->cycles += i + 1;
        cycles[stmt][unit][reason] += i + 1;
    }
    struct costs costs = {.rows = NULL};
    assert_int_equal(charges_costs(&charges, &costs), 0);
    struct sink_stmt_total *rows = costs_rows(&costs, &count);
    assert_non_null(rows);
    for (uint32_t s = 0; s < STMTS; s++)
        for (uint32_t u = 0; u < UNITS; u++)
            for (uint32_t r = 0; r < REASONS; r++) {
                if (!cycles[s][u][r])
                    continue;
                assert_true(expected < count);
                const struct sink_stmt_total *row = &rows[expected++];
                assert_true(row->stmt == s && row->unit == u && row->reason == r);
                assert_int_equal(row->cycles, cycles[s][u][r]);
            }
    assert_int_equal(count, expected);
    free(rows);
    costs_free(&costs);
    charges_free(&charges);
}

static void none(void **state)
{
    (void)state;
    struct charges charges = {.list = NULL};
    size_t count = 1;
    struct costs costs = {.rows = NULL};
    assert_int_equal(charges_costs(&charges, &costs), 0);
    struct sink_stmt_total *rows = costs_rows(&costs, &count);
    assert_non_null(rows);
    assert_int_equal(count, 0);
    free(rows);
    costs_free(&costs);
    charges_free(&charges);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_in_a_table), cmocka_unit_test(none)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
