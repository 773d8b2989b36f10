/* Directives in sources: regions by line held against a reading line by line, and what is wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "functional/directive.h"
#include "tests/dice.h"

static void open_text(struct source *source, const char *name, const char *text)
{
    assert_int_equal(source_from_text(source, name, text, strlen(text)), 0);
}

static void by_hand(void **state)
{
    (void)state;
    struct source sources[2];
    struct directives d;
    open_text(&sources[0], "a.s",
              "one\n# takt: begin load\ntwo\n  #takt:end\nthree\n# takt: begin store\r\nfour\r\n"
              "# takt: end\r\n# takt: expect  cycles <= 1400 \n# taktful\n## takt: begin x\n");
    open_text(&sources[1], "b.s", "# takt: begin load\nfive\n# takt: end");
    assert_int_equal(directives_read(&d, sources, 2, NULL), 0);
    assert_int_equal(d.region_count, 2);
    assert_string_equal(d.names[0], "rest");
    assert_string_equal(d.names[1], "load");
    assert_string_equal(d.names[2], "store");
    static const uint32_t of_a[] = {0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 0};
    for (uint32_t line = 1; line < 12; line++)
        assert_int_equal(directives_region(&d, 0, line), of_a[line]);
    assert_int_equal(directives_region(&d, 1, 1), 0);
    assert_int_equal(directives_region(&d, 1, 2), 1);
    assert_int_equal(directives_region(&d, 1, 3), 0);
    assert_int_equal(d.expect_count, 1);
    assert_int_equal(d.expects[0].line, 9);
    assert_int_equal(d.expects[0].column, 17);
    assert_int_equal(d.expects[0].length, strlen("cycles <= 1400"));
    assert_memory_equal(d.expects[0].text, "cycles <= 1400", d.expects[0].length);
    directives_free(&d);
    source_close(&sources[0]);
    source_close(&sources[1]);
}

/* Each is one finding, at this place. */
static void malformed(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t line, column;
        const char *message;
    } rows[] = {
        {"# takt: begin\n", 1, 14, "one word"},
        {"# takt: begin a b\n", 1, 15, "one word"},
        {"# takt: begin rest\n", 1, 15, "rest is the name"},
        {"# takt: begin a\n# takt: begin b\n# takt: end\n", 2, 15, "in another"},
        {"# takt: begin a\nx\n", 1, 15, "has no end"},
        {"x\n# takt: end\n", 2, 9, "no region is open"},
        {"# takt: begin a\n# takt: end a\n", 2, 13, "takes nothing"},
        {"# takt: expect \n", 1, 16, "nothing is expected"},
        {"# takt: start a\n", 1, 9, "no such directive"},
        {"# takt:\n", 1, 8, "no such directive"},
        {"x # takt: begin a\n", 1, 3, "after a statement"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct source source;
        struct diag_list diags;
        diag_list_init(&diags);
        open_text(&source, "k.s", rows[i].text);
        const int status = directives_check(&source, 1, &diags);
        if (status != 1 || diags.count != 1 || diags.items[0].line != rows[i].line ||
            diags.items[0].column != rows[i].column ||
            !strstr(diags.items[0].message, rows[i].message) || !diags.items[0].fix)
            fail_msg("%s: status %d, %zu findings, %s at %u:%u", rows[i].text, status, diags.count,
                     diags.count ? diags.items[0].message : "",
                     diags.count ? diags.items[0].line : 0,
                     diags.count ? diags.items[0].column : 0);
        diag_list_free(&diags);
        source_close(&source);
    }
}

/* Texts put together at random: the region of each line is what a reading from the top gives. */
static void at_random(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "x\n", "# takt: begin a\n", "# takt: begin b\n", "# takt: end\n", "\n", "# a comment\n"};
    for (uint64_t round = 0; round < 400; round++) {
        struct dice dice = {round};
        char text[1200] = "";
        uint32_t region[41], open = 0;
        uint32_t named[2] = {0, 0}, names = 0;
        for (uint32_t line = 1; line <= 40; line++) {
            uint64_t kind = dice_below(&dice, 6);
            if ((open && (kind == 1 || kind == 2)) || (!open && kind == 3))
                kind = 0;
            if (line == 40)
                kind = open ? 3 : 0;
            strcat(text, lines[kind]);
            region[line] = kind == 0 ? open : UINT32_MAX;
            if (kind == 1 || kind == 2) {
                if (!named[kind - 1])
                    named[kind - 1] = ++names;
                open = named[kind - 1];
            } else if (kind == 3) {
                open = 0;
            }
        }
        struct source source;
        struct directives d;
        open_text(&source, "k.s", text);
        assert_int_equal(directives_read(&d, &source, 1, NULL), 0);
        for (uint32_t line = 1; line <= 40; line++)
            if (region[line] != UINT32_MAX)
                assert_int_equal(directives_region(&d, 0, line), region[line]);
        directives_free(&d);
        source_close(&source);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand),
        cmocka_unit_test(malformed),
        cmocka_unit_test(at_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
