/* What --init takes, and how it refuses the rest. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "functional/init.h"

static void kinds(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        struct init init;
    } cases[] = {{NULL, {INIT_ZERO, 0}},
                 {"zero", {INIT_ZERO, 0}},
                 {"pattern", {INIT_PATTERN, 0}},
                 {"random:0", {INIT_RANDOM, 0}},
                 {"random:017", {INIT_RANDOM, 15}},
                 {"random:0x10", {INIT_RANDOM, 16}},
                 {"random:18446744073709551615", {INIT_RANDOM, UINT64_MAX}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct init init = {INIT_RANDOM, 99};
        char error[100];
        assert_int_equal(init_parse(&init, cases[i].text, error, sizeof error), 0);
        assert_int_equal(init.kind, cases[i].init.kind);
        assert_true(init.seed == cases[i].init.seed);
    }
}

static void refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *sentence;
    } cases[] = {{"", "--init takes zero, pattern or random:SEED, not ''"},
                 {"zeros", "not 'zeros'"},
                 {"random", "--init takes"},
                 {"random:", "--init random:SEED needs a number, not ''"},
                 {"random:-1", "needs a number, not '-1'"},
                 {"random: 1", "needs a number"},
                 {"random:+1", "needs a number"},
                 {"random:1x", "needs a number, not '1x'"},
                 {"random:18446744073709551616", "needs a number"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct init init;
        char error[100] = "";
        assert_int_equal(init_parse(&init, cases[i].text, error, sizeof error), 1);
        if (!strstr(error, cases[i].sentence))
            fail_msg("%s: %s", cases[i].text, error);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(kinds), cmocka_unit_test(refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
