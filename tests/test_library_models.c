/*
 * Applications and fits of libtakt: they are the command's, and keep what they promise.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/handles.h"
#include "tests/takt_process.h"

/* --- applications ----------------------------------------------------------------------------- */

static struct takt_text application(const char *yaml)
{
    return (struct takt_text){
        .name = "tests/golden/mncore2/app.yaml", .text = yaml, .size = strlen(yaml)};
}

/* A program that does not use the memory of the board takes the same time each turn; a store takes
 * latency and the bytes by the bandwidth (docs/applications.md). */
static void applications(void **state)
{
    (void)state;
    static const char *const numbers[] = {"host_bandwidth=1e9", "host_latency=1000",
                                          "clock_hz=500e6"};
    const struct takt_text text = application("machine: mncore2\nsteps:\n- run: nops.vsm\n"
                                              "  times: 7\n- store: {bytes: 1000000}\n"),
                           nops = {.name = "tests/golden/mncore2/nops.vsm"};
    const struct takt_options options = {.size = sizeof options};
    struct takt_error error;
    struct takt_app *app;
    struct takt_program *program;
    struct takt_machine *machine = handles_machine("mncore2");
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        handles_fine(takt_machine_set(machine, numbers[i], &error), &error);
    handles_fine(takt_program_open(&program, machine, &nops, 1, &error), &error);
    struct takt_run *run = handles_done(program, &options);
    handles_fine(takt_app_open(&app, machine, &text, 0, &error), &error);
    const uint64_t turns = 7 * takt_run_totals(run)->cycles;
    assert_int_equal(app->step_count, 2);
    assert_int_equal(app->steps[0].done, 7);
    assert_int_equal(app->steps[0].cycles, turns);
    assert_string_equal(app->steps[0].text, "nops.vsm");
    assert_int_equal(app->steps[1].cycles, 500 + 500000); /* 1 us, and 1 ms, of 2 ns each */
    assert_int_equal(app->cycles, turns + 500500);
    assert_false(app->has_range);
    json_t *json = json_loads(app->json, 0, NULL);
    assert_int_equal(handles_integer(json, "cycles"), app->cycles);
    json_decref(json);
    takt_app_close(app);
    takt_run_close(run);
    takt_program_close(program);
    takt_machine_close(machine);
}

static void application_as_command(void **state)
{
    (void)state;
    static const char path[] = "examples/apps/layer.yaml";
    const char *const command[] = {"app", path, "--json", NULL};
    json_t *root = handles_command(command);
    const struct takt_text text = {.name = path};
    struct takt_error error;
    struct takt_app *app;
    handles_fine(takt_app_open(&app, NULL, &text, TAKT_RANGE, &error), &error);
    json_t *json = json_loads(app->json, 0, NULL);
    assert_true(json_equal(root, json));
    json_decref(json);
    json_decref(root);
    takt_app_close(app);
    takt_app_close(NULL);
}

static void wrong_applications(void **state)
{
    (void)state;
    struct takt_error error;
    struct takt_app *app = (struct takt_app *)&error;
    struct takt_machine *amx = handles_machine("amx");
    const struct takt_text none = application("machine: mncore2\nsteps:\n- run: none.vsm\n"),
                           fine = application("machine: mncore2\nsteps:\n- run: nops.vsm\n"),
                           missing = {.name = "examples/none.yaml"}, input = {.name = "-"};
    handles_refused(takt_app_open(&app, NULL, &none, 0, &error), TAKT_INPUT, &error, "none.vsm");
    assert_null(app);
    assert_int_equal(error.line, 3);
    handles_refused(takt_app_open(&app, amx, &fine, 0, &error), TAKT_MISUSE, &error, "mncore2");
    handles_refused(takt_app_open(&app, NULL, &fine, TAKT_VALUES, &error), TAKT_MISUSE, &error,
                    "TAKT_RANGE");
    handles_refused(takt_app_open(&app, NULL, &missing, 0, &error), TAKT_INPUT, &error,
                    "none.yaml");
    handles_refused(takt_app_open(&app, NULL, &input, 0, &error), TAKT_INPUT, &error,
                    "standard input");
    takt_machine_close(amx);
}

/* A machine that is named in quotes, set up; one that is not valid is refused as a program's. */
static void machine_of_an_application(void **state)
{
    (void)state;
    static const struct {
        const char *yaml, *name, *wrong;
    } texts[] = {
        {"machine: \"kelvin\"\nsteps:\n- load: {bytes: 1000000}\n", "kelvin", "l1d_bytes=1000"},
        {"machine: 'ventus'\nsteps:\n- load: {bytes: 1000000}\n", "ventus", "l1d_line=6"}};
    for (size_t i = 0; i < 2; i++) {
        struct takt_error error;
        struct takt_app *app;
        struct takt_program *program;
        struct takt_machine *machine;
        const struct takt_text text = application(texts[i].yaml), empty = {"k", "", 0};
        handles_fine(takt_app_machine(&machine, &text, &error), &error);
        assert_string_equal(takt_machine_name(machine), texts[i].name);
        handles_fine(takt_machine_set(machine, "host_latency=1000", &error), &error);
        handles_fine(takt_machine_set(machine, "host_bandwidth=1e9", &error), &error);
        handles_fine(takt_machine_set(machine, "clock_hz=500e6", &error), &error);
        handles_fine(takt_app_open(&app, machine, &text, 0, &error), &error);
        assert_int_equal(app->cycles, 500500); /* 1 us, and 1 ms, of 2 ns each */
        takt_app_close(app);
        handles_fine(takt_machine_set(machine, texts[i].wrong, &error), &error);
        handles_refused(takt_program_open(&program, machine, &empty, 1, &error), TAKT_INPUT, &error,
                        "l1d_");
        handles_refused(takt_app_open(&app, machine, &text, 0, &error), TAKT_INPUT, &error, "l1d_");
        takt_machine_close(machine);
    }
}

/* --- measurements ----------------------------------------------------------------------------- */

static struct takt_text measured(const char *yaml)
{
    return (struct takt_text){
        .name = "examples/kelvin/list.yaml", .text = yaml, .size = strlen(yaml)};
}

/* What a chip with another number would measure is explained, by a chip with which programs take
 * just that. */
static void fits(void **state)
{
    (void)state;
    static const char path[] = "examples/kelvin/dot.kelvin";
    const struct takt_options options = {.size = sizeof options, .flags = TAKT_RANGE};
    const struct takt_text file = {.name = path};
    struct takt_fit_search search = TAKT_FIT_SEARCH_INIT;
    struct takt_error error;
    struct takt_fit *fit;
    struct takt_program *program;
    char yaml[200];
    struct takt_machine *chip = handles_machine("kelvin"), *fitted = handles_machine("kelvin");
    handles_fine(takt_machine_set(chip, "memory_latency=30", &error), &error);
    handles_fine(takt_program_open(&program, chip, &file, 1, &error), &error);
    struct takt_run *run = handles_done(program, NULL);
    const uint64_t cycles = takt_run_totals(run)->cycles;
    takt_run_close(run);
    takt_program_close(program);
    snprintf(yaml, sizeof yaml,
             "machine: kelvin\nmeasurements:\n- {program: dot.kelvin, value: %llu}\n",
             (unsigned long long)cycles);
    const struct takt_text list = measured(yaml);
    search.effort = 10;
    handles_fine(takt_fit_open(&fit, NULL, &list, 1, &search, &error), &error);
    assert_true(fit->explained);
    assert_int_equal(fit->row_count, 1);
    assert_true(fit->rows[0].predicted == (double)cycles);
    size_t named = 0;
    for (size_t i = 0; i < fit->number_count; i++) {
        const struct takt_fit_number *number = &fit->numbers[i];
        assert_true(number->left_low <= number->value && number->value <= number->left_high);
        if (strcmp(number->name, "memory_latency") == 0) {
            named++;
            assert_true(number->left_low <= 30 && 30 <= number->left_high);
        }
    }
    assert_int_equal(named, 1);
    json_t *json = json_loads(fit->json, 0, NULL);
    assert_non_null(json);
    json_decref(json);
    handles_fine(takt_machine_config(fitted, "fitted.yaml", fit->chip, fit->chip_size, &error),
                 &error);
    handles_fine(takt_program_open(&program, fitted, &file, 1, &error), &error);
    run = handles_done(program, &options);
    assert_int_equal(takt_run_totals(run)->cycles, cycles);
    assert_true(takt_run_totals(run)->range_low <= cycles &&
                cycles <= takt_run_totals(run)->range_high);
    takt_run_close(run);
    takt_program_close(program);
    takt_fit_close(fit);
    takt_fit_close(NULL);
    takt_machine_close(fitted);
    takt_machine_close(chip);
}

static bool at_once(void *context)
{
    ++*(atomic_int *)context;
    return true;
}

/* Numbers of the list's chip, and what is laid over them. */
static void machine_of_a_fit(void **state)
{
    (void)state;
    struct takt_error error;
    struct takt_fit *fit;
    struct takt_machine *machine;
    char yaml[400];
    const char *chip = takt_temp_path("list-chip.yaml");
    FILE *file = fopen(chip, "w");
    assert_non_null(file);
    fputs("l1d_ways:\n  value: 3\n", file);
    fclose(file);
    snprintf(yaml, sizeof yaml,
             "machine: \"kelvin\"\nchip: %s\nmeasurements:\n- {program: dot.kelvin, value: 9}\n",
             chip);
    const struct takt_text list = measured(yaml), input = {.name = "-"};
    handles_fine(takt_fit_machine(&machine, &list, 1, &error), &error);
    assert_string_equal(takt_machine_name(machine), "kelvin");
    handles_fine(takt_machine_set(machine, "l1d_bytes=16384", &error), &error);
    handles_refused(takt_fit_open(&fit, machine, &list, 1, NULL, &error), TAKT_INPUT, &error,
                    "no multiple of l1d_ways");
    takt_machine_close(machine);
    handles_refused(takt_fit_machine(&machine, &input, 1, &error), TAKT_INPUT, &error,
                    "standard input");
    assert_null(machine);
    handles_refused(takt_fit_open(&fit, NULL, &input, 1, NULL, &error), TAKT_INPUT, &error,
                    "standard input");
}

/* True at its first call alone. */
static bool at_first(void *context)
{
    return atomic_fetch_add((atomic_int *)context, 1) == 0;
}

static void stops_for_good(void **state)
{
    (void)state;
    struct takt_error error;
    atomic_int calls = 0;
    struct takt_fit *fit = NULL;
    struct takt_advice *advice;
    struct takt_fit_search measure = TAKT_FIT_SEARCH_INIT;
    struct takt_search better = TAKT_SEARCH_INIT;
    struct takt_program *program = handles_program(HANDLES_FMA);
    const struct takt_text list =
        measured("machine: kelvin\nmeasurements:\n- {program: dot.kelvin, value: 9}\n");
    measure.threads = 1;
    measure.stop = better.stop = at_first;
    measure.context = better.context = &calls;
    if (takt_fit_open(&fit, NULL, &list, 1, &measure, &error) == TAKT_FINE)
        assert_true(fit->stopped);
    takt_fit_close(fit);
    assert_int_equal(calls, 1);
    calls = 0;
    handles_fine(takt_advice_open(&advice, program, &better, &error), &error);
    assert_int_equal(calls, 1);
    assert_true(advice->stopped && !advice->complete);
    takt_advice_close(advice);
    takt_program_close(program);
}

static void wrong_fits(void **state)
{
    (void)state;
    struct takt_error error;
    struct takt_fit *fit = (struct takt_fit *)&error;
    struct takt_fit_search search = TAKT_FIT_SEARCH_INIT;
    struct takt_machine *amx = handles_machine("amx");
    const struct takt_text
        one = measured("machine: kelvin\nmeasurements:\n- {program: dot.kelvin, value: 9}\n"),
        odd = measured("machine: kelvin\nmeasurements:\n- {value: 9}\n"),
        none = {.name = "examples/none.yaml"}, nameless = {.text = "x"};
    handles_refused(takt_fit_open(&fit, NULL, &odd, 1, NULL, &error), TAKT_INPUT, &error,
                    "list.yaml:3");
    assert_null(fit);
    handles_refused(takt_fit_open(&fit, NULL, &none, 1, NULL, &error), TAKT_INPUT, &error,
                    "none.yaml");
    handles_refused(takt_fit_open(&fit, amx, &one, 1, NULL, &error), TAKT_MISUSE, &error, "kelvin");
    handles_refused(takt_fit_open(&fit, NULL, &nameless, 1, NULL, &error), TAKT_MISUSE, &error,
                    "name");
    handles_refused(takt_fit_open(&fit, NULL, NULL, 0, NULL, &error), TAKT_MISUSE, &error, "list");
    handles_refused(takt_fit_open(NULL, NULL, &one, 1, NULL, &error), TAKT_MISUSE, &error, "place");
    search.effort = 0;
    handles_refused(takt_fit_open(&fit, NULL, &one, 1, &search, &error), TAKT_MISUSE, &error,
                    "effort");
    atomic_int calls = 0;
    search = (struct takt_fit_search)TAKT_FIT_SEARCH_INIT;
    search.stop = at_once;
    search.context = &calls;
    if (takt_fit_open(&fit, NULL, &one, 1, &search, &error) == TAKT_FINE)
        assert_true(fit->stopped);
    assert_true(calls > 0);
    takt_fit_close(fit);
    takt_machine_close(amx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(applications),
        cmocka_unit_test(fits),
        cmocka_unit_test(machine_of_an_application),
        cmocka_unit_test(machine_of_a_fit),
        cmocka_unit_test(stops_for_good),
        cmocka_unit_test(wrong_fits),
        cmocka_unit_test(application_as_command),
        cmocka_unit_test(wrong_applications),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
