/* The examples: values against a computation from their data, lane by lane. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/takt_process.h"

enum { WORDS = 128 };

/* The numbers after each `before` of text, in order. */
static size_t numbers(const char *text, const char *before, const char *end, uint32_t *words)
{
    size_t count = 0;
    for (const char *at = text; (at = strstr(at, before)) && at < end; count++) {
        assert_true(count < WORDS);
        at += strlen(before);
        words[count] = (uint32_t)strtoul(at, NULL, 16);
    }
    return count;
}

/* The bytes of `.word` behind a label of an example, up to the next label. */
static size_t data_of(const char *path, const char *label, uint8_t *bytes)
{
    uint32_t words[WORDS];
    char line[64];
    char *text = takt_read_file(path, NULL);
    assert_non_null(text);
    snprintf(line, sizeof line, "\n%s:\n", label);
    const char *from = strstr(text, line);
    assert_non_null(from);
    from += strlen(line);
    const char *end = strchr(from, ':');
    assert_non_null(end);
    const size_t count = numbers(from, "0x", end, words);
    for (size_t i = 0; i < 4 * count; i++)
        bytes[i] = (uint8_t)(words[i / 4] >> 8 * (i % 4));
    free(text);
    return 4 * count;
}

/* The output of an example's gets. */
static void run(const char *path, uint32_t *words, size_t count)
{
    struct takt_result r = takt_run((const char *[]){"run", path, "--dump", "-", "--quiet", NULL});
    if (r.exit_code != 0)
        fail_msg("%s: exit %d\n%s", path, r.exit_code, r.err);
    assert_int_equal(numbers(r.out, "0x", r.out + r.out_size, words), count);
    takt_result_free(&r);
}

static void dot(void **unused)
{
    (void)unused;
    const char *path = "examples/kelvin/dot.kelvin";
    uint8_t x[4 * WORDS], y[4 * WORDS];
    const size_t bytes = data_of(path, "x", x);
    assert_int_equal(bytes, 512);
    assert_int_equal(data_of(path, "y", y), bytes);
    uint32_t expected = 0, got[WORDS];
    for (size_t i = 0; i < bytes; i += 2)
        expected += (uint32_t)((int16_t)(x[i] | x[i + 1] << 8) * (int16_t)(y[i] | y[i + 1] << 8));
    run(path, got, 1);
    assert_int_equal(got[0], expected);
}

/* c[i][j] = sum over k of a[i][k] b[k][j]; b is stored in words of four k for one j. */
static void matmul(void **unused)
{
    (void)unused;
    static const char *const paths[] = {"examples/kelvin/matmul_aconv.kelvin",
                                        "examples/kelvin/matmul_vmacc.kelvin"};
    uint32_t got[2][WORDS];
    for (size_t which = 0; which < 2; which++) {
        uint8_t a[4 * WORDS], b[4 * WORDS];
        assert_int_equal(data_of(paths[which], "a", a), 8 * 32);
        assert_int_equal(data_of(paths[which], "b", b), 32 * 8);
        run(paths[which], got[which], 64);
        for (size_t i = 0; i < 8; i++)
            for (size_t j = 0; j < 8; j++) {
                int32_t sum = 0;
                for (size_t k = 0; k < 32; k++)
                    sum += (int8_t)a[32 * i + k] * (int8_t)b[k / 4 * 32 + 4 * j + k % 4];
                assert_int_equal((int32_t)got[which][8 * i + j], sum);
            }
    }
    assert_memory_equal(got[0], got[1], 64 * sizeof got[0][0]);
}

/* Nine taps for each of 32 channels, four points; sums are divided by 256, rounded half up and
 * saturated to a byte, which some exceed. */
static void depthwise(void **unused)
{
    (void)unused;
    static const char *const paths[] = {"examples/kelvin/depthwise_vdwconv.kelvin",
                                        "examples/kelvin/depthwise_vacc.kelvin"};
    uint32_t got[2][WORDS];
    size_t cut = 0;
    for (size_t which = 0; which < 2; which++) {
        uint8_t input[4 * WORDS], taps[4 * WORDS];
        assert_int_equal(data_of(paths[which], "input", input), 12 * 32);
        assert_int_equal(data_of(paths[which], "taps", taps), 9 * 32);
        run(paths[which], got[which], 32);
        for (size_t point = 0; point < 4; point++)
            for (size_t channel = 0; channel < 32; channel++) {
                int32_t sum = 128;
                for (size_t k = 0; k < 9; k++)
                    sum +=
                        (int8_t)input[32 * (point + k) + channel] * (int8_t)taps[32 * k + channel];
                sum = sum >= 0 ? sum / 256 : -((255 - sum) / 256);
                cut += sum > 127 || sum < -128;
                sum = sum > 127 ? 127 : sum < -128 ? -128 : sum;
                const size_t at = 32 * point + channel;
                assert_int_equal((int8_t)(got[which][at / 4] >> 8 * (at % 4)), sum);
            }
    }
    assert_true(cut > 0);
    assert_memory_equal(got[0], got[1], 32 * sizeof got[0][0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dot),
        cmocka_unit_test(matmul),
        cmocka_unit_test(depthwise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
