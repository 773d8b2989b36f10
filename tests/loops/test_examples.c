/* The examples: cycles as each derives them by hand, values by arithmetic of the test's own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "config/embed.h"
#include "tests/loops/run.h"

EMBED(example_rest, "examples/loops/rest.loops");
EMBED(example_matmul, "examples/loops/matmul.loops");
EMBED(example_dot, "examples/loops/dot.loops");
EMBED(example_conv, "examples/loops/conv.loops");

static void cycles_are_those_by_hand(void **state)
{
    (void)state;
    assert_int_equal(loops_run_cycles(example_rest, NULL, true), 27050);
    assert_int_equal(loops_run_cycles(example_matmul, NULL, true), 3769);
    assert_int_equal(loops_run_cycles(example_dot, NULL, true), 101);
    assert_int_equal(loops_run_cycles(example_conv, NULL, true), 157092);
}

/* Each number of a line that d get printed. */
static void prints(const char *text, const double *expected, size_t count)
{
    char *dump = loops_run_dump(text, &(const struct run_options){.functional_only = true});
    char *at = strstr(dump, ":(");
    assert_non_null(at);
    for (size_t i = 0; i < count; i++) {
        const double got = strtod(at + 2, &at);
        if (got < expected[i] || got > expected[i])
            fail_msg("number %zu: %g, not %g\n%s", i, got, expected[i], dump);
    }
    free(dump);
}

static void values_are_right(void **state)
{
    (void)state;
    double rest[8], product[8] = {0}, dot = 0, conv[8] = {0};
    for (int x = 0; x < 8; x++)
        rest[x] = 1 + x % 3 + 10 * (1 + x % 2);
    prints(example_rest, rest, 8);
    static const int a[] = {1, -2, 3, -128, 127}, b[] = {3, 5, 7, -9};
    for (int j = 0; j < 8; j++)
        for (int k = 0; k < 30; k++)
            product[j] += a[k % 5] * b[(40 * k + j) % 4];
    prints(example_matmul, product, 8);
    static const double u[] = {0.5, 1.5, -2}, v[] = {1, 2, 4, 8};
    for (int x = 0; x < 1000; x++)
        dot += u[x % 3] * v[x % 4]; /* exact: multiples of 1/2 */
    prints(example_dot, &dot, 1);
    static const double in[] = {1, 0.5, 0.25, 2, 0}, weight[] = {1, -1, 0.5};
    for (int x = 0; x < 8; x++) {
        for (int c = 0; c < 8; c++)
            for (int r = 0; r < 3; r++)
                for (int s = 0; s < 3; s++)
                    conv[x] +=
                        in[(1024 * c + 32 * r + x + s) % 5] * weight[(9 * c + 3 * r + s) % 3];
        conv[x] = conv[x] < 0 ? 0 : conv[x];
    }
    prints(example_conv, conv, 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(cycles_are_those_by_hand),
                                       cmocka_unit_test(values_are_right)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
