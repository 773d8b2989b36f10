/*
 * bounds: on random legal programs no bound of any class is above what was achieved, and every
 * certificate holds.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/bounds_kit.h"
#include "tests/gen_program.h"
#include "tests/often.h"

enum { PROGRAMS = 60 };

static void never_above_the_total(void **unused)
{
    (void)unused;
    static const unsigned features[] = {GEN_ALL & ~GEN_DAR, GEN_MV | GEN_L2BM | GEN_L1BM,
                                        GEN_MASKS | GEN_MATRIX | GEN_ODD, GEN_INDIRECT | GEN_L1BM};
    static const char *const packings[] = {"none", "auto", "flat"};
    size_t taken = 0;
    for (size_t p = 0; p < often(PROGRAMS); p++) {
        const struct gen_options options = {.features = features[p % 4] |
                                                        (p % 3 == 1 ? 0 : (unsigned)GEN_FLAT),
                                            .statements = 1 + (unsigned)(p * 7 % 60),
                                            .tightness = p % 5 ? 100 : 40,
                                            .sets = 3,
                                            .gets = 3};
        char *text = gen_program(41000 + p, &options, NULL);
        assert_non_null(text);
        const bool interlock = p % 2;
        const struct machine_setting settings[] = {
            {"packing", packings[p % 3]}, {interlock ? "interlock" : NULL, ""}, {NULL, NULL}};
        struct subject s = {.machine = &machine_mncore2, .settings = settings};
        if (subject_take(&s, text)) {
            subject_sound(&s, text);
            taken++;
        }
        subject_free(&s);
        free(text);
    }
    assert_true(taken > often(PROGRAMS) / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(never_above_the_total)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
