/*
 * Properties of the timing model over random legal programs: the accounts add up, slices never
 * overlap, the interlock finds nothing to wait for, values change no cycle.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/gen_program.h"
#include "tests/mncore2/timing_kit.h"

static const char *const packings[] = {"none", "auto", "flat", NULL};

static char *program(uint64_t seed, unsigned features, unsigned statements)
{
    const struct gen_options options = {.features = features,
                                        .statements = statements,
                                        .tightness = (unsigned)(seed % 101),
                                        .sets = 2,
                                        .gets = 1};
    char *text = gen_program(seed, &options, NULL);
    assert_non_null(text);
    return text;
}

static void run(struct kit *kit, uint64_t seed, const char *text)
{
    if (kit_run(kit, text) != 0)
        fail_msg("seed %llu: %s\n%s", (unsigned long long)seed, kit->error, text);
    kit_consistent(kit);
}

/* Everything but indirect DRAM, which needs values. */
enum { TIMED = GEN_ALL & ~GEN_DAR };

static void accounts_add_up(void **unused)
{
    (void)unused;
    for (uint64_t seed = 0; seed < 400; seed++) {
        const unsigned features = seed % 2 ? TIMED : TIMED & ~GEN_FLAT;
        char *text = program(seed, features, 60);
        const char *packing = packings[seed % 4];
        if (seed % 2 && seed % 4 == 1)
            packing = "none"; /* flat operands cannot be packed as auto */
        struct kit sliced = {.options = {.packing = packing}, .slices = true};
        struct kit plain = {.options = {.packing = packing}, .budget = 7};
        run(&sliced, seed, text);
        run(&plain, seed, text);
        assert_int_equal(sliced.summary.cycles, plain.summary.cycles);
        assert_int_equal(sliced.edge_count, plain.edge_count);
        kit_free(&sliced);
        kit_free(&plain);
        free(text);
    }
}

/* A legal program needs no interlock: not one cycle is waited for a hazard. */
static void interlock_is_idle(void **unused)
{
    (void)unused;
    for (uint64_t seed = 1000; seed < 1200; seed++) {
        char *text = program(seed, TIMED, 60);
        struct kit strict = {.options = {.packing = "none"}, .checked = true};
        struct kit locked = {.options = {.packing = "none", .interlock = true}};
        run(&strict, seed, text);
        run(&locked, seed, text);
        assert_int_equal(strict.summary.cycles, locked.summary.cycles);
        assert_int_equal(kit_cycles(&locked, "issue", REASON_DATA), 0);
        assert_int_equal(kit_cycles(&locked, "issue", REASON_PORT), 0);
        kit_free(&strict);
        kit_free(&locked);
        free(text);
    }
}

/* Time does not depend on data; with values only the DAR matters. */
static void values_change_no_cycle(void **unused)
{
    (void)unused;
    for (uint64_t seed = 2000; seed < 2030; seed++) {
        char *text = program(seed, TIMED, 40);
        struct kit timed = {.options = {.packing = "none"}};
        struct kit coupled = {.options = {.packing = "none"}, .values = true};
        run(&timed, seed, text);
        run(&coupled, seed, text);
        assert_int_equal(timed.summary.cycles, coupled.summary.cycles);
        assert_int_equal(timed.summary.cycles_documented, coupled.summary.cycles_documented);
        kit_free(&timed);
        kit_free(&coupled);
        free(text);
    }
    for (uint64_t seed = 3000; seed < 3030; seed++) {
        char *text = program(seed, GEN_MV | GEN_DAR | GEN_L2BM, 40);
        struct kit coupled = {.options = {.packing = "none"}, .values = true, .slices = true};
        run(&coupled, seed, text);
        kit_free(&coupled);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accounts_add_up),
        cmocka_unit_test(interlock_is_idle),
        cmocka_unit_test(values_change_no_cycle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
