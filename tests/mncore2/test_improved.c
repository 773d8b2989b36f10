/*
 * takt schedule and takt advise for random programs of MN-Core 2, with transfers, waits, masks and
 * packing: tests/improved.h holds what they find to what they say.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

#include "tests/gen_program.h"
#include "tests/improved.h"
#include "tests/often.h"

static const char *const packings[] = {NULL, "none", "flat"};

static void schedules(void **state)
{
    (void)state;
    size_t shorter = 0, optimal = 0, refused = 0;
    for (uint64_t round = 0; round < often(2); round++) {
        const struct gen_options options = {.features = round % 3 ? GEN_ALL : GEN_ALL & ~GEN_MV,
                                            .statements = (unsigned)(4 + round % 40),
                                            .tightness = (unsigned)(round * 37 % 101),
                                            .sets = 2,
                                            .gets = 3};
        char *text = gen_program(round + 1, &options, NULL);
        struct schedule s;
        if (improved_schedule(&machine_mncore2, text, packings[round / 2 % 3], &s)) {
            shorter += !s.kept;
            optimal += s.optimal;
            schedule_free(&s);
        } else {
            refused++;
        }
        free(text);
    }
    if (getenv("TAKT_OFTEN"))
        print_message("%zu shorter, %zu optimal, %zu refused\n", shorter, optimal, refused);
    assert_true(shorter > 0);
}

static void advice(void **state)
{
    (void)state;
    size_t items = 0;
    for (uint64_t round = 0; round < often(2); round++) {
        const struct gen_options options = {.features = round % 2 ? GEN_ALL : GEN_ALL & ~GEN_MV,
                                            .statements = (unsigned)(4 + round % 16),
                                            .tightness = (unsigned)(round * 37 % 101),
                                            .sets = 1,
                                            .gets = 2};
        char *text = gen_program(round + 100, &options, NULL);
        items += improved_advice(&machine_mncore2, text, packings[round / 2 % 3], round % 8 == 7);
        free(text);
    }
    if (getenv("TAKT_OFTEN"))
        print_message("%zu items\n", items);
    assert_true(items > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(schedules), cmocka_unit_test(advice)};
    return cmocka_run_group_tests_name("mncore2, improved", tests, NULL, NULL);
}
