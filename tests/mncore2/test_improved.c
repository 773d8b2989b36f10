/*
 * takt schedule and takt advise for random programs of MN-Core 2, with transfers, waits, masks and
 * packing: tests/improved.h holds what they find to what they say.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "tests/gen_program.h"
#include "tests/improved.h"
#include "tests/often.h"
#include "timing/machines.h"

static const char *const packings[] = {NULL, "none", "flat"};

static void schedules(void **state)
{
    (void)state;
    size_t shorter = 0, optimal = 0, refused = 0;
    for (uint64_t round = 0; round < often(2); round++) {
        const struct gen_options options = {.features = round % 3 ? GEN_ALL : GEN_ALL & ~GEN_MV,
                                            .statements = (unsigned)(4 + round % 40),
                                            .tightness = (unsigned)(round * 37 % 101),
                                            .sets = 2,
                                            .gets = 3};
        char *text = gen_program(round + 1, &options, NULL);
        struct schedule s;
        if (improved_schedule(&machine_mncore2, text, packings[round / 2 % 3], &s)) {
            shorter += !s.kept;
            optimal += s.optimal;
            schedule_free(&s);
        } else {
            refused++;
        }
        free(text);
    }
    if (often_long())
        print_message("%zu shorter, %zu optimal, %zu refused\n", shorter, optimal, refused);
    assert_true(shorter > 0);
}

/* The text with a region from about its third to its half. */
static char *with_region(const char *text)
{
    size_t lines = 0, line = 0, size = 0;
    char *marked = NULL;
    FILE *out = open_memstream(&marked, &size);
    for (const char *at = text; *at; at++)
        lines += *at == '\n';
    for (const char *at = text; *at; at = strchr(at, '\n') + 1, line++) {
        if (line == lines / 3)
            fputs("# takt: begin part\n", out);
        if (line == lines / 2)
            fputs("# takt: end\n", out);
        fprintf(out, "%.*s\n", (int)strcspn(at, "\n"), at);
    }
    fclose(out);
    return marked;
}

static void regions(void **state)
{
    (void)state;
    for (uint64_t round = 0; round < often(1); round++) {
        const struct gen_options options = {.features = GEN_ALL & ~(unsigned)GEN_STYLE,
                                            .statements = (unsigned)(6 + round % 20),
                                            .tightness = (unsigned)(round * 37 % 101),
                                            .sets = 1,
                                            .gets = 1};
        char *text = gen_program(round + 7000, &options, NULL), *marked = with_region(text);
        struct schedule s;
        if (improved_schedule(&machine_mncore2, marked, NULL, &s)) {
            const char *begin = s.kept ? marked : strstr(s.text, "# takt: begin part\n");
            assert_non_null(begin);
            assert_non_null(strstr(begin, "# takt: end\n"));
            schedule_free(&s);
        }
        free(marked);
        free(text);
    }
}

static void advice(void **state)
{
    (void)state;
    size_t items = 0;
    for (uint64_t round = 0; round < often(2); round++) {
        const struct gen_options options = {.features = round % 2 ? GEN_ALL : GEN_ALL & ~GEN_MV,
                                            .statements = (unsigned)(4 + round % 16),
                                            .tightness = (unsigned)(round * 37 % 101),
                                            .sets = 1,
                                            .gets = 2};
        char *text = gen_program(round + 100, &options, NULL);
        items += improved_advice(&machine_mncore2, text, packings[round / 2 % 3], round % 8 == 7);
        free(text);
    }
    if (often_long())
        print_message("%zu items\n", items);
    assert_true(items > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(schedules), cmocka_unit_test(regions),
                                       cmocka_unit_test(advice)};
    return cmocka_run_group_tests_name("mncore2, improved", tests, NULL, NULL);
}
