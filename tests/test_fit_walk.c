/*
 * fit_walk, fit_strata: measurements that a chip gives are explained, whatever chip it is; and a
 * walk says of its end what a run with these numbers does.
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
#include "analysis/fit_walk.h"
#include "timing/machines.h"

static const char list_text[] =
    "machine: mncore2\nmeasurements:\n"
    "- {program: examples/mncore2/measure/wait-modes.vsm, value: 1, tolerance: 4}\n"
    "- {program: examples/mncore2/measure/priorities.vsm, value: 1, tolerance: 4}\n"
    "- {program: examples/mncore2/measure/power.vsm, value: 1, tolerance: 4}\n"
    "- {program: examples/mncore2/measure/mv-slot.vsm, value: 1, tolerance: 4}\n"
    "- {program: examples/mncore2/measure/in-flight.vsm, value: 1, tolerance: 4}\n"
    "- {program: examples/mncore2/measure/gather.vsm, value: 1, tolerance: 4}\n";

static struct fit_list list;
static struct config config;
static struct fit fit;

static bool is_chip(struct config *variant)
{
    char unsaid[MACHINE_ERROR];
    return list.machine->timing->valid(variant, unsaid) == 0;
}

/* The values of the list are the totals of a chip drawn from the plausible ranges. */
static void measure(uint64_t seed)
{
    struct fit_space space;
    struct fit_dice dice = fit_dice(seed, 0);
    struct config variant = config_variant(&config);
    char error[FIT_ERROR] = "";
    assert_int_equal(fit_space_init(&space, &config), 0);
    double *point = calloc(space.count + 1, sizeof *point);
    assert_true(point && variant.params);
    do {
        for (size_t a = 0; a < space.count; a++)
            point[a] = fit_axis_anywhere(&space.axes[a], &dice);
        fit_space_apply(&space, point, &variant);
    } while (!is_chip(&variant));
    for (size_t i = 0; i < list.count; i++) {
        struct fit_case one;
        if (fit_case_open(&one, list.machine, &config, &list.items[i], error) != 0)
            fail_msg("%s", error);
        assert_int_equal(fit_case_time(&one, &variant, false, &list.items[i].value), 0);
        fit_case_close(&one);
    }
    free(point);
    free(variant.params);
    fit_space_free(&space);
}

static void open_list(void)
{
    const struct config_file file = {"list.yaml", list_text, sizeof list_text - 1};
    char error[FIT_ERROR] = "";
    assert_int_equal(fit_list_read(&list, &file, error), 0);
    assert_int_equal(machine_config(list.machine, &config, error, sizeof error), 0);
}

static void find(unsigned effort)
{
    const struct fit_options options = {.threads = 2, .seed = 1, .effort = effort};
    char error[FIT_ERROR] = "";
    if (fit_find(&fit, &list, &config, &options, error) != 0)
        fail_msg("%s", error);
}

static void close_list(void)
{
    config_free(&config);
    fit_list_free(&list);
}

static void what_a_chip_gives_is_explained(void **unused)
{
    (void)unused;
    open_list();
    for (uint64_t seed = 1; seed <= 3; seed++) {
        measure(seed);
        find(25);
        if (fit.verdict != FIT_EXPLAINED)
            fail_msg("chip %u: %s", (unsigned)seed, fit_verdict_words(&fit));
        for (size_t c = 0; c < fit.count; c++)
            assert_true(fabs(fit.rows[c].predicted - list.items[c].value) <= 4 + 1e-6);
        fit_free(&fit);
    }
    close_list();
}

/* The end of a walk from the pool costs what a run with its numbers misses, and no more than where
 * the walk began; what is held stays. */
static void check_end(const struct fit_set *ends, const struct fit_set *pool, const bool *active,
                      const bool *held, size_t i)
{
    const size_t axes = fit.space.count;
    const double *point = ends->points + i * axes;
    double cost = 0, least = INFINITY;
    bool same = false;
    for (size_t c = 0; c < fit.count; c++) {
        const double value = fit_predict(&fit.model, 0, c, point, false);
        if (active[c])
            cost += fit_case_cost(&fit.model, c, value);
    }
    assert_true(fabs(cost - ends->distance[i]) < 1e-6);
    for (size_t k = i; k < pool->size; k += ends->size) {
        bool equal = true;
        least =
            fmin(least, fit_known_distance(&fit.model, active, pool->predicted + k * fit.count));
        for (size_t a = 0; a < axes; a++)
            equal &= !held[a] || pool->points[k * axes + a] == point[a];
        same |= equal;
    }
    assert_true(same);
    assert_true(cost <= least + 1e-6);
}

static void an_end_costs_what_a_run_says(void **unused)
{
    enum { WALKS = 8 };
    (void)unused;
    open_list();
    measure(7);
    find(2);
    const size_t axes = fit.space.count;
    struct fit_set pool, ends;
    bool *active = malloc(WALKS * fit.count), *held = calloc(WALKS * axes, sizeof *held);
    double before = 0, after = 0;
    assert_true(active && held);
    memset(active, true, WALKS * fit.count);
    for (size_t i = 0; i < WALKS; i++) {
        active[i * fit.count + i % fit.count] = false;
        held[i * axes + (3 * i) % axes] = held[i * axes + (5 * i + 1) % axes] = true;
    }
    assert_int_equal(fit_set_init(&pool, &fit.model, 3 * WALKS), 0);
    assert_int_equal(fit_set_init(&ends, &fit.model, WALKS), 0);
    assert_int_equal(fit_pool(&fit.model, &pool), 0);
    const struct fit_cooling cooling = {.starts = WALKS, .steps = 200, .held = held};
    assert_int_equal(fit_walk(&fit.model, active, &pool, cooling, &ends), 0);
    for (size_t i = 0; i < WALKS; i++) {
        check_end(&ends, &pool, active + i * fit.count, held + i * axes, i);
        before +=
            fit_known_distance(&fit.model, active + i * fit.count, pool.predicted + i * fit.count);
        after += ends.distance[i];
    }
    assert_true(after < before / 2);
    free(active);
    free(held);
    fit_set_free(&pool);
    fit_set_free(&ends);
    fit_free(&fit);
    close_list();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_chip_gives_is_explained),
        cmocka_unit_test(an_end_costs_what_a_run_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
