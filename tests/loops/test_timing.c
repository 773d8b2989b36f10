/* Time: random programs against tests/loops/kit_time, with the chip's numbers and with others;
 * running ahead or not; bounds; delays. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/loops/kit.h"
#include "tests/loops/run.h"
#include "tests/often.h"
#include "tests/takt_expect.h"
#include "tests/takt_process.h"

static const char *const names[] = {
    "issue_interval",   "carry_cycles",     "switch_cycles",   "mask_interval", "state_interval",
    "outer_drain",      "address_interval", "address_latency", "bank_bits",     "bank_interval",
    "memory_ports",     "read_latency",     "write_latency",   "math_interval", "add_latency",
    "multiply_latency", "integer_latency"};
enum { NUMBERS = sizeof names / sizeof *names, BANKS = 8 };

static void totals_equal_brute_force(void **state)
{
    (void)state;
    static const long usual[NUMBERS] = {1, 0, 1, 1, 1, 0, 1, 2, 6, 1, 1, 4, 2, 1, 3, 3, 1},
                      least[NUMBERS] = {1, 0, 0, 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 1, 1, 1},
                      most[NUMBERS] = {3, 2, 3, 2, 2, 1, 3, 6, 7, 2, 3, 30, 30, 9, 8, 8, 8};
    for (size_t round = 0; round < often(400); round++) {
        struct dice dice = {round * 104729 + 5};
        static struct kit kit;
        static char text[NUMBERS][40];
        const char *settings[NUMBERS + 1] = {NULL};
        long value[NUMBERS];
        loops_kit_program(&kit, &dice);
        for (size_t i = 0; i < NUMBERS; i++) {
            value[i] = round % 4 == 0
                           ? usual[i]
                           : least[i] + (long)dice_below(&dice, (uint64_t)(most[i] - least[i] + 1));
            snprintf(text[i], sizeof text[i], "%s=%ld", names[i], value[i]);
            settings[i] = text[i];
        }
        value[BANKS] = 1L << value[BANKS];
        struct kit_numbers numbers;
        _Static_assert(sizeof numbers == sizeof value, "the same numbers in the same order");
        memcpy(&numbers, value, sizeof numbers);
        const bool list = round % 3 == 0 || often_long();
        struct event_list brute = {0}, listed = {0};
        const uint64_t expected = loops_kit_cycles(&kit, &numbers, &brute),
                       ahead = loops_run_cycles(kit.text, settings, true),
                       step = list ? loops_run_events(kit.text, settings, &listed)
                                   : loops_run_cycles(kit.text, settings, false);
        if (list && ahead == expected && step == expected && !event_list_same(&listed, &brute))
            fail_msg("the events differ:\n%s", kit.text);
        event_list_free(&brute);
        event_list_free(&listed);
        if (ahead != expected || step != expected) {
            for (size_t i = 0; i < NUMBERS; i++)
                print_error("%s ", settings[i]);
            fail_msg("\nround %zu: %llu ahead, %llu step by step, not %llu\n%s", round,
                     (unsigned long long)ahead, (unsigned long long)step,
                     (unsigned long long)expected, kit.text);
        }
    }
}

/* Through the command: the trace's own checks, equal bytes with and without running ahead, and a
 * bound that is none of more than the total. */
static void traces_are_sound(void **state)
{
    (void)state;
    for (size_t round = 0; round < often(10); round++) {
        struct dice dice = {round * 15485863 + 3};
        static struct kit kit;
        loops_kit_program(&kit, &dice);
        const char *program = takt_temp_file("random.loops", kit.text);
        const char *trace = takt_temp_path("random.db");
        takt_expect(
            ARGS("run", program, "--quiet", "--detail", "--trace", trace, "--silence", "all"), 0,
            NULL, NULL);
        struct takt_result r =
            takt_run(ARGS("query", trace, "SELECT count(*) FROM v_check", "--csv"));
        if (!strstr(r.out, "\n0"))
            fail_msg("v_check has rows:\n%s", kit.text);
        takt_result_free(&r);
        r = takt_run(ARGS("run", program, "--json", "--hash", "--silence", "all"));
        struct takt_result s = takt_run(
            ARGS("run", program, "--json", "--hash", "--silence", "all", "--no-run-ahead"));
        assert_int_equal(r.exit_code, 0);
        assert_string_equal(r.out, s.out);
        takt_result_free(&s);
        const char *cycles = strstr(r.out, "\"cycles\": ");
        const unsigned long long total = strtoull(cycles + 10, NULL, 10);
        takt_result_free(&r);
        r = takt_run(ARGS("bound", program, "--json"));
        if (r.exit_code != 0)
            fail_msg("bound: %s\n%s", r.err, kit.text);
        const char *bound = strstr(r.out, "\"bounds\"");
        for (bound = strstr(bound, "\"cycles\": "); bound; bound = strstr(bound, "\"cycles\": ")) {
            bound += 10;
            if (strtoull(bound, NULL, 10) > total)
                fail_msg("bound %.12s above %llu\n%s", bound, total, kit.text);
        }
        takt_result_free(&r);
    }
}

/* A step goes in the cycle in which the sum before is there, and not earlier. */
static void sums_hold_the_next_step(void **state)
{
    (void)state;
    static const char text[] = "units 4\ntensor a f32 100\ntensor s f32 1\nnest\nfor x 100\n"
                               "s[0] += a[x]\nend\n";
    /* 6 elements of state; the last of 100 steps ends address 2, banks 2, read 4, sum 3 and write 2
     * later; the first step also reads s, so that its addresses take 2 cycles. */
    assert_int_equal(loops_run_cycles(text, NULL, true), 6 + 99 * 3 + 13);
    assert_int_equal(loops_run_cycles(text, (const char *[]){"add_latency=2", NULL}, true),
                     6 + 99 * 2 + 12);
    assert_int_equal(loops_run_cycles(text, (const char *[]){"add_latency=1", NULL}, true),
                     6 + 2 + 98 * 1 + 11);
}

/* Slack is never too large. */
static void delays_by_slack_cost_nothing(void **state)
{
    (void)state;
    for (size_t round = 0; round < often(60); round++) {
        struct dice dice = {round * 32452843 + 11};
        static struct kit kit;
        loops_kit_program(&kit, &dice);
        loops_run_slack(kit.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(totals_equal_brute_force), cmocka_unit_test(traces_are_sound),
        cmocka_unit_test(sums_hold_the_next_step), cmocka_unit_test(delays_by_slack_cost_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
