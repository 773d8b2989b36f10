/*
 * range: the low end is a lower bound. For random programs no setting of the unpublished numbers
 * inside their plausible ranges gives a total below it. The high end is the largest total found,
 * which few settings exceed. At either end of its legal range each number leaves values and
 * accounts sound.
 */
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/gen_program.h"
#include "tests/mncore2/timing_kit.h"
#include "tests/often.h"
#include "tests/random_setting.h"
#include "tests/takt_process.h"
#include "timing/machines.h"
#include "timing/range.h"

enum { SETTINGS = 20, PROGRAMS = 50 };

static struct dice dice = {18};
static struct config config;

static int read_config(void **state)
{
    (void)state;
    char error[MACHINE_ERROR];
    return machine_config(&machine_mncore2, &config, error, sizeof error);
}

static int drop_config(void **state)
{
    (void)state;
    config_free(&config);
    return 0;
}

/* --- the low end ------------------------------------------------------------------------------ */

static struct kit kit_of(uint64_t program)
{
    static const char *const packings[] = {"none", "auto", "flat"};
    return (struct kit){
        .options = {.packing = packings[program % 3], .interlock = program % 4 == 3}};
}

static size_t tried, above; /* settings, and those above the high end */

static bool below(const char *text, uint64_t program, const struct range *range)
{
    char sets[KIT_SETS][RANDOM_SETTING];
    struct kit kit = kit_of(program);
    const size_t n = random_settings(&dice, &config, sets, kit.sets);
    if (kit_run(&kit, text) != 0)
        fail_msg("%s", kit.error); /* any plausible numbers make a chip */
    const bool found = kit.summary.cycles < range->low;
    tried++;
    above += kit.summary.cycles > range->high;
    for (size_t i = 0; i < n && found; i++)
        print_error("--set %s ", kit.sets[i]);
    kit_free(&kit);
    return found;
}

static void low_is_a_bound(void **unused)
{
    (void)unused;
    size_t narrower = 0;
    for (uint64_t p = 0; p < PROGRAMS; p++) {
        const struct gen_options options = {.features = p % 2 ? GEN_MV | GEN_L2BM
                                                              : GEN_ALL & ~(unsigned)GEN_DAR,
                                            .statements = 40,
                                            .tightness = (unsigned)(p % 101)};
        char *text = gen_program(77000 + p, &options, NULL);
        assert_non_null(text);
        struct kit base = kit_of(p);
        base.ranges = true;
        assert_int_equal(kit_run(&base, text), 0);
        assert_true(base.range.known);
        assert_true(base.range.low <= base.summary.cycles);
        assert_true(base.range.high >= base.summary.cycles);
        narrower += base.range.low < base.range.high;
        for (size_t i = 0; i < often(SETTINGS); i++)
            if (below(text, p, &base.range))
                fail_msg("program %llu: below %llu\n%s", (unsigned long long)p,
                         (unsigned long long)base.range.low, text);
        kit_free(&base);
        free(text);
    }
    assert_true(narrower > PROGRAMS / 2);
    printf("%zu of %zu settings above the high end\n", above, tried);
    assert_true(above * 25 <= tried);
}

/* --- the ends of what is legal ---------------------------------------------------------------- */

/* A run with a number that no chip may have, on its own, either makes no chip, which is said, or
 * ends with the same values and sound accounts. */
static void try_end(const char *text, const struct param *param, double value, uint64_t values)
{
    char set[RANDOM_SETTING];
    snprintf(set, sizeof set, "%s=%.17g", param->row->name, value);
    struct kit kit = {.options = {.interlock = true}, .values = true, .sets = {set}};
    alarm(60);
    if (kit_run(&kit, text) != 0) {
        assert_true(kit.error[0] != '\0');
    } else {
        kit_consistent(&kit);
        if (kit.hash != values)
            fail_msg("%s: other values", set);
    }
    alarm(0);
    kit_free(&kit);
}

static void every_end_is_sound(void **unused)
{
    (void)unused;
    glob_t files;
    assert_int_equal(glob("examples/mncore2/*.vsm", 0, NULL, &files), 0);
    assert_int_equal(glob("examples/mncore2/measure/*.vsm", GLOB_APPEND, NULL, &files), 0);
    for (size_t f = 0; f < files.gl_pathc; f++) {
        char *text = takt_read_file(files.gl_pathv[f], NULL);
        assert_non_null(text);
        struct kit base = {.options = {.interlock = true}, .values = true, .ranges = true};
        if (kit_run(&base, text) != 0)
            fail_msg("%s: %s", files.gl_pathv[f], base.error);
        /* Each parameter with some programs, in a long campaign with all. */
        for (size_t p = 0; p < config.count; p++) {
            const struct param *param = &config.params[p];
            if (param->row->type == PARAM_TEXT || (p + f) % files.gl_pathc >= often(1))
                continue;
            try_end(text, param, param->low, base.hash);
            try_end(text, param, param->high, base.hash);
        }
        kit_free(&base);
        free(text);
    }
    globfree(&files);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(low_is_a_bound),
        cmocka_unit_test(every_end_is_sound),
    };
    return cmocka_run_group_tests_name("range", tests, read_config, drop_config);
}
