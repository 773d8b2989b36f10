/*
 * fit_outside, fit_apart: further settings of a fit, which cost no more than the reach and say of
 * the machine's probes what none said before.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/fit.h"
#include "analysis/fit_apart.h"
#include "analysis/fit_outside.h"
#include "analysis/fit_probes.h"
#include "timing/machines.h"

/* Two totals of a chip that starts transfers in 27 cycles and notices their ends in 9. */
static const char list_text[] =
    "machine: mncore2\nmeasurements:\n"
    "- {program: examples/mncore2/measure/wait-modes.vsm, value: 1636, tolerance: 4}\n"
    "- {program: examples/mncore2/measure/priorities.vsm, value: 2100, tolerance: 4}\n";

static struct fit_list list;
static struct config config;
static struct fit_probes probes;
static struct fit fit;

/* A fit of little effort, which leaves something to be found. */
static int open_fit(void **unused)
{
    (void)unused;
    const struct config_file file = {"list.yaml", list_text, sizeof list_text - 1};
    const struct fit_options options = {.threads = 2, .seed = 1, .effort = 10};
    char error[FIT_ERROR] = "";
    assert_int_equal(fit_list_read(&list, &file, error), 0);
    assert_int_equal(machine_config(list.machine, &config, error, sizeof error), 0);
    if (fit_find(&fit, &list, &config, &options, error) != 0)
        fail_msg("%s", error);
    assert_int_equal(fit.verdict, FIT_EXPLAINED);
    assert_int_equal(fit_probes_list(&probes, list.machine), 0);
    fit.options.effort = 100;
    return 0;
}

static int close_fit(void **unused)
{
    (void)unused;
    fit_probes_free(&probes);
    fit_free(&fit);
    config_free(&config);
    fit_list_free(&list);
    return 0;
}

/* Of a program by each setting, where what no measurement sees is as the chip has it. */
static void take_totals(const struct fit_measurement *m, double *totals)
{
    struct config variant = config_variant(fit.config);
    struct fit_case one;
    char error[FIT_ERROR];
    if (fit_case_open(&one, list.machine, fit.config, m, error) != 0)
        fail_msg("%s", error);
    for (size_t i = 0; i < fit.settings.size; i++) {
        double *point = fit.settings.points + i * fit.space.count;
        for (size_t a = 0; a < fit.space.count; a++)
            point[a] = fit.numbers[a].seen ? point[a] : fit.pool.points[a];
        fit_space_apply(&fit.space, point, &variant);
        assert_int_equal(fit_case_time(&one, &variant, false, &totals[i]), 0);
    }
    fit_case_close(&one);
    free(variant.params);
}

static bool is_beyond(const double *totals, size_t before, size_t at)
{
    double least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < before; i++) {
        least = fmin(least, totals[i]);
        most = fmax(most, totals[i]);
    }
    return totals[at] < least || totals[at] > most;
}

/* How many of the settings from `before` on are beyond all before it in some probe; each of them
 * explains the measurements to within the reach, as a run with its numbers says. */
static size_t count_beyond(size_t before)
{
    const size_t size = fit.settings.size;
    bool *beyond = calloc(size + 1, sizeof *beyond);
    double *totals = calloc(size + 1, sizeof *totals), *costs = calloc(size + 1, sizeof *costs);
    size_t count = 0;
    assert_true(beyond && totals && costs);
    for (size_t p = 0; p < probes.count; p++) {
        take_totals(&probes.items[p], totals);
        for (size_t i = before; i < size; i++)
            beyond[i] |= is_beyond(totals, before, i);
    }
    for (size_t c = 0; c < fit.count; c++) {
        take_totals(fit.cases[c].measurement, totals);
        for (size_t i = before; i < size; i++)
            costs[i] += fit_case_cost(&fit.model, c, totals[i]);
    }
    for (size_t i = before; i < size; i++) {
        assert_true(costs[i] <= fit.reach + 1e-9);
        count += beyond[i];
    }
    free(beyond);
    free(totals);
    free(costs);
    return count;
}

static void pushes_go_farther_in_probes(void **unused)
{
    (void)unused;
    const size_t before = fit.settings.size;
    assert_int_equal(fit_push_apart(&fit), 0);
    assert_true(fit.settings.size > before);
    assert_int_equal(count_beyond(before), fit.settings.size - before);
}

static void settings_outside_are_found(void **unused)
{
    (void)unused;
    const size_t before = fit.settings.size;
    assert_int_equal(fit_search_outside(&fit), 0);
    assert_true(fit.settings.size > before);
    assert_true(count_beyond(before) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(pushes_go_farther_in_probes, open_fit, close_fit),
        cmocka_unit_test_setup_teardown(settings_outside_are_found, open_fit, close_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
