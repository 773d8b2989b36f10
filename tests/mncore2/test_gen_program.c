/*
 * The generator of legal programs beside the checker. Both were written from 3.6 and 3.5 by
 * themselves: what the generator thinks legal must pass, and what it thinks one step too early
 * must be refused.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/gen_program.h"
#include "tests/often.h"
#include "timing/machines.h"
#include "timing/mncore2/check.h"

static struct config config;

static int read_config(void **state)
{
    (void)state;
    char error[MACHINE_ERROR];
    const struct machine *m = &machine_mncore2;
    return machine_config(m, &config, error, sizeof error);
}

static int drop_config(void **state)
{
    (void)state;
    config_free(&config);
    return 0;
}

/* Is the text a legal program? Warnings that speak of a fault of the generator count as no. */
static bool legal(const char *text, size_t size, bool print)
{
    static const char *const faults[] = {"mv-race",         "tag-reused",     "tag-never-waited",
                                         "wait-without-mv", "turn-back-kind", "stale-forward",
                                         "never-forwarded"};
    struct source source;
    struct diag_list diags;
    struct program program;
    assert_int_equal(source_from_text(&source, "generated", text, size), 0);
    diag_list_init(&diags);
    bool fine = mncore2_program_parse(&program, &source, 1, &diags) == 0 &&
                mncore2_check(&program, &config, NULL, &diags) == 0;
    for (size_t i = 0; i < diags.count; i++)
        for (size_t f = 0; f < sizeof faults / sizeof *faults; f++)
            fine &= strcmp(diags.items[i].name, faults[f]) != 0;
    if (!fine && print)
        diag_print(&diags, &source, 1, stderr, false);
    mncore2_program_free(&program);
    diag_list_free(&diags);
    source_close(&source);
    return fine;
}

static void same_seed_same_text(void **state)
{
    (void)state;
    const struct gen_options options = {
        .features = GEN_ALL, .statements = 100, .tightness = 70, .sets = 5, .gets = 5};
    size_t size, again;
    char *first = gen_program(1, &options, &size), *second = gen_program(1, &options, &again);
    char *other = gen_program(2, &options, NULL);
    assert_int_equal(size, again);
    assert_int_equal(size, strlen(first));
    assert_string_equal(first, second);
    assert_string_not_equal(first, other);
    free(first);
    free(second);
    free(other);
}

static void programs_are_accepted(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < often(1000); seed++) {
        const struct gen_options options = {
            /* everything, or any mixture */
            .features = seed % 2 ? GEN_ALL : (unsigned)(seed * 2654435761U >> 7) & GEN_ALL,
            .statements = 100,
            .tightness = (unsigned)(seed % 5) * 25,
            .sets = (unsigned)(seed % 7),
            .gets = 3,
        };
        size_t size;
        char *text = gen_program(seed, &options, &size);
        assert_non_null(text);
        if (!legal(text, size, true))
            fail_msg("seed %llu", (unsigned long long)seed);
        free(text);
    }
}

/* At tightness 100 each nop is due: one less is refused. Masks are left out, since a variable mask
 * that happens to be zero makes an early statement legal. */
static void one_step_less_is_refused(void **state)
{
    (void)state;
    const struct gen_options options = {.features = GEN_ALL & ~(unsigned)(GEN_MASKS | GEN_STYLE),
                                        .statements = 60,
                                        .tightness = 100};
    size_t tried = 0;
    for (uint64_t seed = 0; seed < 100; seed++) {
        size_t size;
        char *text = gen_program(seed, &options, &size);
        char *early = malloc(size + 1);
        assert_non_null(early);
        for (char *at = text; (at = strstr(at, "\nnop")); at++) {
            char *line = at + 1, *end = strchr(line, '\n');
            if (memchr(line, ';', (size_t)(end - line)))
                continue; /* carries a wait */
            const long count = line[3] == '/' ? strtol(line + 4, NULL, 10) : 1;
            size_t used = (size_t)(line - text);
            memcpy(early, text, used);
            if (count > 1)
                used += (size_t)snprintf(early + used, size + 1 - used, "nop/%ld\n", count - 1);
            const size_t rest = size - (size_t)(end + 1 - text);
            memcpy(early + used, end + 1, rest);
            tried++;
            if (legal(early, used + rest, false))
                fail_msg("seed %llu: accepted without a nop that 3.6.3 requires, before %.60s",
                         (unsigned long long)seed, end + 1);
        }
        free(early);
        free(text);
    }
    assert_true(tried > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_seed_same_text),
        cmocka_unit_test(programs_are_accepted),
        cmocka_unit_test(one_step_less_is_refused),
    };
    return cmocka_run_group_tests(tests, read_config, drop_config);
}
