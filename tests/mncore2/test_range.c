/*
 * range: the low end is a lower bound. For random programs no setting of the unpublished numbers
 * inside their plausible ranges gives a total below it; the high end is a total of a run.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/dice.h"
#include "tests/gen_program.h"
#include "tests/mncore2/timing_kit.h"
#include "tests/often.h"
#include "timing/range.h"

enum { SETTINGS = 20, PROGRAMS = 50, SET_SIZE = 80 };

static struct dice dice = {1};

static uint64_t pick(uint64_t below)
{
    return dice_below(&dice, below);
}

/* A random value inside the plausible range, often one of its ends, as an assignment. */
static void assign(char *text, const struct param *param)
{
    if (param->row->type == PARAM_TEXT) {
        size_t count = 0;
        while (param->choices[count])
            count++;
        snprintf(text, SET_SIZE, "%s=%s", param->row->name, param->choices[pick(count)]);
        return;
    }
    const double low = param->plausible_low, width = param->plausible_high - low;
    const double part = pick(3) == 0 ? (double)pick(2) : (double)pick(1001) / 1000;
    const double value = low + part * width;
    if (param->row->type == PARAM_INTEGER)
        snprintf(text, SET_SIZE, "%s=%llu", param->row->name, (unsigned long long)(value + 0.5));
    else
        snprintf(text, SET_SIZE, "%s=%.17g", param->row->name, value);
}

static void low_is_a_bound(void **unused)
{
    (void)unused;
    struct config config;
    char error[MACHINE_ERROR];
    assert_int_equal(machine_config(&machine_mncore2, &config, error, sizeof error), 0);
    size_t narrower = 0;
    for (uint64_t p = 0; p < PROGRAMS; p++) {
        const struct gen_options options = {
            .features = GEN_MV | GEN_L2BM, .statements = 40, .tightness = (unsigned)(p % 101)};
        char *text = gen_program(77000 + p, &options, NULL);
        assert_non_null(text);
        static const char *const packings[] = {"none", "auto", "flat"};
        struct kit base = {.options = {.packing = packings[p % 3]}};
        assert_int_equal(kit_run(&base, text), 0);
        assert_true(base.range.known);
        assert_true(base.range.low <= base.summary.cycles);
        assert_true(base.range.high >= base.summary.cycles);
        narrower += base.range.low < base.range.high;
        for (size_t i = 0; i < often(SETTINGS); i++) {
            char sets[KIT_SETS][SET_SIZE];
            struct kit kit = {.options = {.packing = packings[p % 3]}};
            for (size_t k = 0, n = 0; k < 200 && n + 1 < KIT_SETS; k++) {
                const struct param *param = &config.params[pick(config.count)];
                if (!param->plausible)
                    continue;
                assign(sets[n], param);
                kit.sets[n] = sets[n];
                n++;
            }
            if (kit_run(&kit, text) == 0 && kit.summary.cycles < base.range.low)
                fail_msg("program %llu: %llu cycles, below %llu", (unsigned long long)p,
                         (unsigned long long)kit.summary.cycles,
                         (unsigned long long)base.range.low);
            kit_free(&kit);
        }
        kit_free(&base);
        free(text);
    }
    assert_true(narrower > PROGRAMS / 2);
    config_free(&config);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(low_is_a_bound)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
