/*
 * takt schedule and takt advise for random programs of AMX, with loops, threads that share their
 * cluster, and loads and stores of memory that overlaps: tests/improved.h holds what they find to
 * what they say.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

#include "tests/amx/random_program.h"
#include "tests/improved.h"
#include "tests/often.h"
#include "timing/machines.h"

enum { TEXT = 4096 };

static void schedules(void **state)
{
    (void)state;
    size_t shorter = 0, optimal = 0;
    for (uint64_t round = 0; round < often_rare(16); round++) {
        struct dice dice = {round};
        struct schedule s;
        char text[TEXT];
        amx_random_program(&dice, text, sizeof text);
        assert_true(improved_schedule(&machine_amx, text, NULL, &s));
        shorter += !s.kept;
        optimal += s.optimal;
        schedule_free(&s);
    }
    if (often_long())
        print_message("%zu shorter, %zu optimal\n", shorter, optimal);
    assert_true(shorter > 0);
}

static void advice(void **state)
{
    (void)state;
    size_t items = 0;
    for (uint64_t round = 0; round < often_rare(16); round++) {
        struct dice dice = {round + 1000000};
        char text[TEXT];
        amx_random_program(&dice, text, sizeof text);
        items += improved_advice(&machine_amx, text, NULL, round % 8 == 7);
    }
    if (often_long())
        print_message("%zu items\n", items);
    assert_true(items > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(schedules), cmocka_unit_test(advice)};
    return cmocka_run_group_tests_name("amx, improved", tests, NULL, NULL);
}
