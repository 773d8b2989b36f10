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

/* Words of different places and of different seeds differ; the same place has the same word. */
static void words(void **state)
{
    (void)state;
    enum { WORDS = 2000 };
    const struct init zero = {INIT_ZERO, 3}, pattern = {INIT_PATTERN, 3}, random = {INIT_RANDOM, 3};
    const struct init other = {INIT_RANDOM, 4};
    unsigned ones = 0;
    for (uint64_t place = 0; place < WORDS; place++) {
        assert_true(init_word(&zero, place) == 0);
        assert_true(init_word(&pattern, place) == UINT64_C(0xdeadbeefdeadbeef));
        const uint64_t word = init_word(&random, place);
        assert_true(word == init_word(&random, place));
        assert_true(word != init_word(&other, place));
        for (uint64_t earlier = 0; earlier < place; earlier++)
            assert_true(word != init_word(&random, earlier));
        ones += (unsigned)__builtin_popcountll(word);
    }
    assert_in_range(ones, 63 * WORDS / 2, 65 * WORDS / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(kinds), cmocka_unit_test(refused),
                                       cmocka_unit_test(words)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
