/* Time of copies: they go on beside the warp, line by line, and cp_dma_mbarrier waits for them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/takt_process.h"

/* Cycles of one warp that copies so many bytes, with statements before and behind the mbarrier. */
static unsigned long cycles(unsigned bytes, unsigned before, unsigned behind, bool waits)
{
    char text[8192];
    size_t at = (size_t)snprintf(
        text, sizeof text,
        ".launch grid 1\n.launch workgroup 32\n.launch threads 32\n.launch local 8192\n"
        ".buffer a, 8192\n.text\n_start:\n  la s0, a\n  csrr s2, lds\n  li t1, %u\n"
        "  vid.v v1\n  cp_dma_bulk s2, s0, t1\n",
        bytes);
    for (unsigned i = 0; i < before + behind + 1; i++)
        at += (size_t)snprintf(text + at, sizeof text - at, "%s",
                               i != before ? "  vadd.vv v1, v1, v1\n"
                               : waits     ? "  cp_dma_mbarrier\n"
                                           : "");
    snprintf(text + at, sizeof text - at, "  endprg\n");
    const char *const arguments[] = {
        "run", takt_temp_file("c.ventus", text), "--json", "--silence", "all", NULL};
    struct takt_result r = takt_run(arguments);
    const char *found = strstr(r.out, "\"cycles\":");
    if (r.exit_code != 0 || !found)
        fail_msg("exit %d: %s", r.exit_code, r.err);
    const unsigned long value = strtoul(found + strlen("\"cycles\":"), NULL, 10);
    takt_result_free(&r);
    return value;
}

/* As many bytes more cost as much more, to one in a hundred: the caches see other sets. */
static void about(unsigned long a, unsigned long b)
{
    if (a > b + b / 100 || b > a + a / 100)
        fail_msg("%lu cycles and %lu", a, b);
}

static void by_lines(void **state)
{
    (void)state;
    const unsigned long one = cycles(1024, 0, 0, true), two = cycles(2048, 0, 0, true),
                        three = cycles(3072, 0, 0, true), five = cycles(5120, 0, 0, true);
    assert_true(two > one + 128); /* 128 lines of 8 bytes, at best one a cycle */
    about(three - two, two - one);
    about(five - three, 2 * (two - one));
}

/* Work in front of the mbarrier is hidden, work behind it is not. */
static void beside_the_warp(void **state)
{
    (void)state;
    const unsigned long none = cycles(4096, 0, 0, true), before = cycles(4096, 60, 0, true),
                        behind = cycles(4096, 0, 60, true);
    const unsigned long work = cycles(16, 60, 0, false) - cycles(16, 0, 0, false);
    assert_true(work > 60);
    assert_true(before < none + work / 4);
    assert_true(behind > none + work / 2);
    /* Longer work than copying: the mbarrier has nothing to wait for. */
    const unsigned long little = cycles(16, 120, 0, true), plain = cycles(16, 120, 0, false);
    assert_true(little <= plain + 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_lines),
        cmocka_unit_test(beside_the_warp),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
