/* json_text: a reader of JSON gets back what was written: strings of any bytes, numbers to twelve
 * digits, null for what JSON cannot write (RFC 8259, 6). */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "tests/dice.h"
#include "traces/json_text.h"

/* The value that a reader finds; its text in `written`. */
static json_t *real_read(double value, char written[100])
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    json_text_real(out, value);
    fclose(out);
    assert_in_range(size, 1, 99);
    memcpy(written, text, size + 1);
    json_t *read = json_loads(text, JSON_DECODE_ANY | JSON_REJECT_DUPLICATES, NULL);
    if (!read)
        fail_msg("%s: not JSON", text);
    free(text);
    return read;
}

static void numbers(void **unused)
{
    (void)unused;
    char written[100];
    struct dice dice = {31};
    static const double special[] = {0,
                                     1,
                                     -1,
                                     0.5,
                                     1e-300,
                                     123456789012345,
                                     1e14,
                                     1e15,
                                     -1e300,
                                     1e16,
                                     0.1,
                                     1e-5,
                                     999999999999999,
                                     2.5,
                                     4096.5,
                                     -1e15,
                                     1048577,
                                     1e300,
                                     -999999999999999};
    const size_t count = sizeof special / sizeof *special;
    for (size_t i = 0; i < count + 2000; i++) {
        const double random =
            ldexp((double)(int64_t)dice_next(&dice), (int)dice_below(&dice, 200) - 140);
        const double value = i < count ? special[i] : random;
        json_t *read = real_read(value, written);
        if (!json_is_number(read) ||
            !(fabs(json_number_value(read) - value) <= fabs(value) * 1e-11))
            fail_msg("%.17g: %s", value, written);
        /* Whole numbers of up to fifteen digits are exact and are read as integers. */
        if (value == floor(value) && fabs(value) < 1e15) {
            assert_true(json_is_integer(read));
            assert_true(json_number_value(read) == value);
        }
        json_decref(read);
    }
}

static void no_number(void **unused)
{
    (void)unused;
    static const double values[] = {INFINITY, -INFINITY, NAN};
    char written[100];
    for (size_t i = 0; i < 3; i++) {
        json_t *read = real_read(values[i], written);
        assert_true(json_is_null(read));
        json_decref(read);
    }
}

/* Jansson says what is UTF-8. Bytes are those at the ends of the ranges of the encoding. */
static void strings(void **unused)
{
    (void)unused;
    static const uint8_t bytes[] = {0x00, 0x09, 0x0a, 0x1f, 0x20, '"',  '\\', 'a',  0x7f,
                                    0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2,
                                    0xdf, 0xe0, 0xed, 0xef, 0xf0, 0xf4, 0xf5, 0xff};
    struct dice dice = {37};
    size_t valid = 0;
    for (size_t round = 0; round < 40000; round++) {
        char in[6], *text = NULL;
        size_t written;
        const size_t size = dice_below(&dice, sizeof in + 1);
        for (size_t i = 0; i < size; i++)
            in[i] = (char)bytes[dice_below(&dice, sizeof bytes)];
        FILE *out = open_memstream(&text, &written);
        assert_non_null(out);
        json_text(out, in, size);
        fclose(out);
        json_t *read = json_loads(text, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
        if (!json_is_string(read))
            fail_msg("%s: not a string", text);
        json_t *same = json_stringn(in, size);
        if (same)
            assert_true(json_equal(read, same));
        else
            assert_non_null(strstr(text, "\\ufffd"));
        valid += same != NULL;
        json_decref(same);
        json_decref(read);
        free(text);
    }
    assert_in_range(valid, 4000, 36000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(numbers), cmocka_unit_test(no_number),
                                       cmocka_unit_test(strings)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
