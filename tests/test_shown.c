/* Text of the user on a terminal and on a page: whatever bytes it has, columns are kept, and a page
 * shows the text and nothing else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/columns.h"
#include "analysis/html.h"
#include "tests/dice.h"
#include "tests/often.h"

enum { MOST = 400 };

static struct dice dice = {5};

/* Text of pieces that need care: marks of a page, controls, characters of two columns and of none,
 * parts of characters, what only looks like one. */
static void make(char *text, size_t pieces)
{
    static const char *const all[] = {"a",
                                      "<",
                                      ">",
                                      "&",
                                      "\"",
                                      "\t",
                                      "\n",
                                      " ",
                                      "\x01",
                                      "\x7f",
                                      "\xff",
                                      "\x80",
                                      "\xc3\xa9",
                                      "\xe4\xb8\xad",
                                      "e\xcc\x81",
                                      "\xe4\xb8",
                                      "\xed\xa0\x80",
                                      "\xc2\x85",
                                      "\xf0\x9f\x98\x80",
                                      "&amp;",
                                      "</td>",
                                      "\xc0\xbc"};
    size_t size = 0;
    for (; pieces > 0 && size + 8 < MOST; pieces--) {
        const char *piece = all[dice_below(&dice, sizeof all / sizeof *all)];
        strcpy(text + size, piece);
        size += strlen(piece);
    }
    text[size] = '\0';
}

/* Bytes of the well-formed UTF-8 character at text, by the table of RFC 3629; 0: none begins. */
static size_t utf8(const unsigned char *u)
{
    static const struct {
        unsigned char first, last, low, high; /* of the first byte, and of the second */
        size_t size;
    } forms[] = {
        {0x00, 0x7f, 0, 0, 1},       {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
        {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
        {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4}};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        if (u[0] < forms[i].first || u[0] > forms[i].last)
            continue;
        bool good = forms[i].size == 1 || (u[1] >= forms[i].low && u[1] <= forms[i].high);
        for (size_t b = 2; good && b < forms[i].size; b++)
            good = u[b] >= 0x80 && u[b] <= 0xbf;
        return good ? forms[i].size : 0;
    }
    return 0;
}

/* --- a page ----------------------------------------------------------------------------------- */

/* What a browser shows: no element may begin, and what is no character reads U+FFFD. */
static void expect_shown(const char *written, const char *text)
{
    static const struct {
        const char *mark, *means;
    } marks[] = {{"&lt;", "<"}, {"&gt;", ">"}, {"&amp;", "&"}, {"&quot;", "\""}};
    const char *at = written;
    while (*text) {
        const size_t size = utf8((const unsigned char *)text);
        const bool control = size == 1 && (unsigned char)*text < 0x20 && *text != '\t';
        const char *expected = text;
        size_t length = size;
        if (size == 0 || control) {
            expected = "\xef\xbf\xbd";
            length = 3;
        }
        for (size_t m = 0; m < sizeof marks / sizeof *marks; m++) {
            if (*text == *marks[m].means) {
                expected = marks[m].mark;
                length = strlen(expected);
            }
        }
        if (strncmp(at, expected, length) != 0)
            fail_msg("%.10s is written as %.10s", text, at);
        at += length;
        text += size ? size : 1;
    }
    assert_string_equal(at, "");
}

static char *written(void (*write)(FILE *, const char *), const char *text)
{
    char *all = NULL;
    size_t size;
    FILE *out = open_memstream(&all, &size);
    write(out, text);
    fclose(out);
    return all;
}

static void pages(void **state)
{
    (void)state;
    for (size_t round = 0; round < often(8000); round++) {
        char text[MOST];
        make(text, dice_below(&dice, 40));
        char *shown = written(html_words, text);
        expect_shown(shown, text);
        free(shown);
    }
}

/* A cell is a beginning of the text, of at most 160 bytes, that parts no character. */
static void cells(void **state)
{
    (void)state;
    size_t cut = 0;
    for (size_t round = 0; round < often(8000); round++) {
        enum { BYTES = 160 };
        char text[MOST], start[MOST];
        size_t size = 0, fits = 0;
        make(text, dice_below(&dice, 100));
        while (text[size]) {
            const size_t n = utf8((const unsigned char *)text + size);
            size += n ? n : 1;
            if (size <= BYTES)
                fits = size;
        }
        char *shown = written(html_cell, text);
        const size_t length = strlen(shown);
        if (size > BYTES) {
            /* What is no character may be cut in front of, too. */
            assert_true(length > 3 && !strcmp(shown + length - 3, "..."));
            shown[length - 3] = '\0';
            while (fits > 0) {
                snprintf(start, sizeof start, "%.*s", (int)fits, text);
                char *whole = written(html_words, start);
                const bool same = !strcmp(whole, shown);
                free(whole);
                if (same)
                    break;
                fits--;
            }
            assert_in_range(fits, BYTES - 8, BYTES);
            cut++;
        } else {
            expect_shown(shown, text);
        }
        free(shown);
    }
    assert_true(cut > 100);
}

/* --- a terminal ------------------------------------------------------------------------------- */

static void columns(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int columns;
    } known[] = {{"", 0},
                 {"abc", 3},
                 {"\xe4\xb8\xad", 2},
                 {"e\xcc\x81", 1},
                 {"\xf0\x9f\x98\x80", 2},
                 {"\xff\xff", 2},
                 {"\xe4\xb8", 2}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        assert_int_equal(columns_of(known[i].text), known[i].columns);
    for (size_t round = 0; round < often(8000); round++) {
        char text[MOST], first[MOST];
        make(text, dice_below(&dice, 40));
        const int most = (int)dice_below(&dice, 50), all = columns_of(text);
        int taken, more = 0;
        const size_t bytes = columns_fit(text, most, &taken);
        snprintf(first, sizeof first, "%.*s", (int)bytes, text);
        assert_int_equal(columns_of(first), taken);
        assert_true(taken <= most);
        if (text[bytes])
            columns_character(text + bytes, &more);
        assert_true(text[bytes] ? taken + more > most : taken == all);
        /* Cleaned, it is as wide, and every byte of it can be printed. */
        assert_int_equal(columns_clean(text), all);
        for (const char *at = text; *at;) {
            const size_t size = utf8((const unsigned char *)at);
            assert_true(size > 0 && (size > 1 || ((unsigned char)*at >= 0x20 && *at != 0x7f)));
            at += size;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pages),
        cmocka_unit_test(cells),
        cmocka_unit_test(columns),
    };
    return cmocka_run_group_tests_name("shown", tests, NULL, NULL);
}
