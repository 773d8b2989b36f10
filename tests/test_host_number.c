/* Numbers as users read them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "host/number.h"
#include "tests/dice.h"

static void whole_numbers(void **state)
{
    (void)state;
    char text[NUMBER_TEXT];
    assert_string_equal(number_group(text, 0), "0");
    assert_string_equal(number_group(text, 999), "999");
    assert_string_equal(number_group(text, -1000), "-1,000");
    assert_string_equal(number_group(text, INT64_MIN), "-9,223,372,036,854,775,808");
}

static void real_numbers(void **state)
{
    (void)state;
    char text[NUMBER_TEXT];
    assert_string_equal(number_group_real(text, 0.25), "0.25");
    assert_string_equal(number_group_real(text, 999.5), "999.5");
    assert_string_equal(number_group_real(text, 1000), "1,000");
    assert_string_equal(number_group_real(text, -123456.5), "-123,456.5");
    assert_string_equal(number_group_real(text, 1234567.25), "1,234,567.25");
    assert_string_equal(number_group_real(text, 1e15), "1e+15");
}

/* Without its commas it is the number with ten digits; three digits are between two of them. */
static void commas_divide_thousands(void **state)
{
    (void)state;
    struct dice dice = {3};
    for (int i = 0; i < 20000; i++) {
        char text[NUMBER_TEXT], plain[NUMBER_TEXT], expected[NUMBER_TEXT];
        const double value =
            ((double)dice_below(&dice, 1000000000) - 5e8) / (double)(1 + dice_below(&dice, 1000));
        size_t n = 0;
        number_group_real(text, value);
        snprintf(expected, sizeof expected, "%.10g", value);
        for (const char *at = text; *at; at++)
            if (*at != ',')
                plain[n++] = *at;
            else
                assert_int_equal(strspn(at + 1, "0123456789"), 3);
        plain[n] = '\0';
        assert_string_equal(plain, expected);
        assert_true(strcspn(text + (*text == '-'), ",.e") <= 3);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_numbers),
        cmocka_unit_test(real_numbers),
        cmocka_unit_test(commas_divide_thousands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
