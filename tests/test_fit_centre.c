/*
 * fit_centre: the setting that a fit chooses is in the middle of those that it has kept, as the
 * machine's probes show them, and explains the measurements as the nearest do.
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
#include "analysis/fit_middle.h"
#include "analysis/fit_probes.h"
#include "timing/machines.h"

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void every_probe_runs(void **unused)
{
    (void)unused;
    const struct machine *machine = machine_named("mncore2");
    struct config config;
    struct fit_probes probes;
    char error[FIT_ERROR];
    assert_int_equal(machine_config(machine, &config, error, sizeof error), 0);
    assert_int_equal(fit_probes_list(&probes, machine), 0);
    assert_true(probes.count > 40);
    for (size_t i = 0; i < probes.count; i++) {
        struct fit_case probe;
        double cycles = 0;
        if (fit_case_open(&probe, machine, &config, &probes.items[i], error) != 0)
            fail_msg("%s: %s", probes.items[i].program, error);
        assert_int_equal(fit_case_time(&probe, &config, false, &cycles), 0);
        assert_true(cycles > 0);
        fit_case_close(&probe);
        for (size_t k = 0; k < i; k++) {
            const struct fit_measurement *a = &probes.items[i], *b = &probes.items[k];
            assert_string_not_equal(a->program, b->program);
            if (a->text_size == b->text_size)
                assert_memory_not_equal(a->text, b->text, a->text_size);
        }
    }
    fit_probes_free(&probes);
    config_free(&config);
}

static void a_machine_without_probes_has_none(void **unused)
{
    (void)unused;
    struct fit_probes probes;
    assert_int_equal(fit_probes_list(&probes, machine_named("loops")), 0);
    assert_int_equal(probes.count, 0);
    fit_probes_free(&probes);
}

/* What each setting's totals of a probe are from the median, in their spread, is added to
 * away[i]. */
static void add_probe(struct fit *fit, const struct fit_measurement *m, double *away)
{
    const size_t size = fit->settings.size;
    struct config variant = config_variant(fit->config);
    struct fit_case probe;
    char error[FIT_ERROR];
    double totals[200], sorted[200];
    assert_true(size < 200);
    assert_int_equal(fit_case_open(&probe, fit->list->machine, fit->config, m, error), 0);
    for (size_t i = 0; i < size; i++) {
        fit_space_apply(&fit->space, fit->settings.points + i * fit->space.count, &variant);
        assert_int_equal(fit_case_time(&probe, &variant, false, &totals[i]), 0);
    }
    memcpy(sorted, totals, sizeof sorted);
    qsort(sorted, size, sizeof *sorted, by_value);
    const double spread = sorted[size - 1] - sorted[0];
    for (size_t i = 0; i < size && spread > 0; i++)
        away[i] += fabs(totals[i] - sorted[size / 2]) / spread;
    fit_case_close(&probe);
    free(variant.params);
}

/* Two totals of a chip that starts transfers in 27 cycles and notices their ends in 9. Where the
 * search for the middle ends last with this seed, they are not explained. */
static const char list_text[] =
    "machine: mncore2\nmeasurements:\n"
    "- {program: examples/mncore2/measure/wait-modes.vsm, value: 1636, tolerance: 4}\n"
    "- {program: examples/mncore2/measure/priorities.vsm, value: 2100, tolerance: 4}\n";

static void the_chosen_one_is_in_the_middle(void **unused)
{
    (void)unused;
    const struct config_file file = {"list.yaml", list_text, sizeof list_text - 1};
    const struct fit_options options = {.threads = 2, .seed = 3, .effort = 100};
    struct fit_list list = {.count = 0};
    struct config config;
    struct fit_probes probes;
    struct fit fit;
    char error[FIT_ERROR] = "";
    double away[200] = {0}, sorted[200], nearest = INFINITY;
    assert_int_equal(fit_list_read(&list, &file, error), 0);
    assert_int_equal(machine_config(list.machine, &config, error, sizeof error), 0);
    if (fit_find(&fit, &list, &config, &options, error) != 0)
        fail_msg("%s", error);
    assert_int_equal(fit.chosen, fit.settings.size - 1); /* the one that was added */
    for (size_t i = 0; i < fit.settings.size; i++)
        nearest = fmin(nearest, fit.settings.distance[i]);
    assert_true(fit.settings.distance[fit.chosen] <= (nearest > 0 ? nearest + 4 : 0));
    assert_int_equal(fit_probes_list(&probes, list.machine), 0);
    for (size_t i = 0; i < probes.count; i++)
        add_probe(&fit, &probes.items[i], away);
    memcpy(sorted, away, sizeof sorted);
    qsort(sorted, fit.settings.size, sizeof *sorted, by_value);
    assert_true(away[fit.chosen] <= sorted[fit.settings.size / 8]);
    fit_probes_free(&probes);
    fit_free(&fit);
    config_free(&config);
    fit_list_free(&list);
}

/* Groups of memory_latency and vload_write of Kelvin, over five settings. */
static size_t groups_of(const double latencies[5], const double writes[5])
{
    struct fit fit = {.count = 0};
    struct config config;
    char error[MACHINE_ERROR];
    double points[5 * 20] = {0};
    struct fit_number numbers[20] = {{.seen = false}};
    assert_int_equal(machine_config(machine_named("kelvin"), &config, error, sizeof error), 0);
    assert_int_equal(fit_space_init(&fit.space, &config), 0);
    assert_true(fit.space.count <= 20);
    fit.config = &config;
    fit.numbers = numbers;
    fit.settings = (struct fit_set){.size = 5, .points = points};
    for (size_t a = 0; a < fit.space.count; a++) {
        const bool is_latency = strcmp(fit_axis_name(&fit.space, a), "memory_latency") == 0;
        if (!is_latency && strcmp(fit_axis_name(&fit.space, a), "vload_write") != 0)
            continue;
        const double *values = is_latency ? latencies : writes;
        numbers[a] = (struct fit_number){.seen = true, .inner = {INFINITY, -INFINITY}};
        for (size_t i = 0; i < 5; i++) {
            points[i * fit.space.count + a] = values[i];
            numbers[a].inner[0] = fmin(numbers[a].inner[0], values[i]);
            numbers[a].inner[1] = fmax(numbers[a].inner[1], values[i]);
        }
    }
    assert_int_equal(fit_find_groups(&fit), 0);
    free(fit.groups);
    fit_space_free(&fit.space);
    config_free(&config);
    return fit.group_count;
}

/* A sum from 24 to 100 says no more than the latency from 20 to 100. */
static void a_sum_is_said_where_it_says_more(void **unused)
{
    (void)unused;
    assert_int_equal(groups_of((double[]){10, 9, 8, 7, 6}, (double[]){0, 1, 2, 3, 4}), 1);
    assert_int_equal(groups_of((double[]){100, 80, 60, 40, 20}, (double[]){0, 1, 2, 3, 4}), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_probe_runs),
        cmocka_unit_test(a_machine_without_probes_has_none),
        cmocka_unit_test(the_chosen_one_is_in_the_middle),
        cmocka_unit_test(a_sum_is_said_where_it_says_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
