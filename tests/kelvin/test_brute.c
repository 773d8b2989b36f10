/* Cycles of the event-driven model against a cycle-by-cycle model (tests/kelvin/brute.h). */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "functional/place.h"
#include "tests/dice.h"
#include "tests/kelvin/brute.h"
#include "tests/kelvin/random_text.h"
#include "tests/often.h"
#include "timing/kelvin/model.h"
#include "timing/machines.h"

enum { STEPS = 200000 };
static struct kelvin_step steps[STEPS];
static uint64_t dispatched[STEPS], core_events;

static void numbers_of(const struct config *config, struct brute_numbers *numbers)
{
    *numbers = (struct brute_numbers){
#define PARAM(name, ...) .name = (uint64_t)config_real(config, KELVIN_PARAM_##name, false),
#include "timing/kelvin/param.def"
    };
}

static void count_core(void *context, const struct event *event)
{
    const struct kelvin_model *model = context;
    if (event->wake == &model->core)
        core_events++;
}

/* *read: the last value of mcycle that the program read. */
static uint64_t model_cycles(const struct kelvin_program *program, const struct config *config,
                             bool run_ahead, uint64_t *read)
{
    static const struct sink_ops none = {.name = "none"};
    const struct sink sink = {&none, NULL};
    const struct machine_program machine_program = {*program};
    const struct run_options options = {.total_only = true, .no_run_ahead = !run_ahead};
    const struct run_setup setup = {&machine_program, config, &options, &sink};
    struct machine_run *run;
    struct run_progress progress;
    char error[MACHINE_ERROR];
    assert_int_equal(run_open(&run, &machine_kelvin, &setup, NULL, error), 0);
    core_events = 0;
    run->model->kernel.observe = count_core;
    run->model->kernel.context = run->model;
    assert_int_equal(run_advance(run, UINT64_MAX, NULL, error), RUN_DONE);
    run_progress(run, &progress);
    const struct place_owner owner = machine_kelvin.values->owner(run);
    assert_int_equal(place_get(&owner, "x@25", read, 1, error, sizeof error), 0);
    run_close(run);
    return progress.total;
}

/* Values are computed once, timing by both models. */
static void compare(const char *text, const struct config *config, const char *what)
{
    struct source source;
    struct kelvin_program program;
    struct diag_list diags;
    struct brute_numbers numbers;
    diag_list_init(&diags);
    assert_int_equal(source_from_text(&source, "k.kelvin", text, strlen(text)), 0);
    if (kelvin_program_load(&program, &source, 1, &diags) != 0) {
        diag_print(&diags, &source, 1, stderr, false);
        fail_msg("%s", text);
    }
    struct kelvin_exec *exec = kelvin_exec_new(&program, &(struct kelvin_exec_options){0});
    assert_non_null(exec);
    const size_t count = (size_t)kelvin_exec_advance(exec, STEPS, steps);
    if (kelvin_exec_end(exec) != KELVIN_ENDED)
        fail_msg("%s\n%s", kelvin_exec_sentence(exec), text);
    numbers_of(config, &numbers);
    uint64_t read[2], expected = 0;
    const uint64_t cycles = model_cycles(&program, config, true, &read[0]),
                   brute = kelvin_brute(&program, steps, count, &numbers, dispatched);
    if (cycles != brute || cycles != model_cycles(&program, config, false, &read[1]))
        fail_msg("%" PRIu64 " cycles, not %" PRIu64 " (%s)\n%s", cycles, brute, what, text);
    for (size_t i = 0; i < count; i++) {
        struct kelvin_insn insn;
        kelvin_insn_decode(program.image.stmts[steps[i].stmt].word, &insn);
        if (insn.cycles)
            expected = dispatched[i];
    }
    if (read[0] != expected || read[1] != expected)
        fail_msg("mcycle is %" PRIu64 " and %" PRIu64 ", not %" PRIu64 " (%s)\n%s", read[0],
                 read[1], expected, what, text);
    uint64_t groups = 0; /* without run-ahead no event spans two cycles */
    for (size_t i = 0; i < count; i++)
        groups += !i || dispatched[i] != dispatched[i - 1];
    assert_true(core_events >= groups);
    kelvin_exec_free(exec);
    kelvin_program_free(&program);
    diag_list_free(&diags);
    source_close(&source);
}

static void read_config(struct config *config)
{
    char error[400];
    assert_int_equal(machine_config(&machine_kelvin, config, error, sizeof error), 0);
}

static void random_programs(void **state)
{
    (void)state;
    struct config config;
    read_config(&config);
    for (size_t round = 0; round < often(200); round++) {
        static struct text text;
        random_text(&text, round + 1);
        compare(text.bytes, &config, "as the chip file says");
    }
    config_free(&config);
}

/* Random parameters, including small caches. */
static void set_randomly(struct config *config, struct dice *dice)
{
    static const struct {
        const char *name;
        unsigned low, high;
    } rows[] = {
        {"dispatch_width", 1, 6}, {"l0_ahead", 0, 2},        {"l1i_latency", 1, 4},
        {"l1d_misses", 1, 4},     {"memory_latency", 1, 60}, {"memory_interval", 1, 8},
        {"alu_latency", 1, 3},    {"mul_latency", 1, 4},     {"div_base", 1, 5},
        {"div_bits", 1, 4},       {"load_latency", 1, 4},    {"branch_miss", 0, 3},
        {"jump_miss", 0, 2},      {"vector_delay", 1, 8},    {"vector_fifo", 1, 16},
        {"vector_guard", 0, 8},   {"vector_decode", 1, 4},   {"queue_alu", 1, 8},
        {"queue_conv", 1, 4},     {"queue_ldst", 1, 8},      {"vector_latency", 1, 4},
        {"conv_wait", 0, 4},      {"conv_set", 1, 10},       {"vload_write", 0, 4},
        {"caches", 0, 1},         {"read_hold", 0, 1},
    };
    static const struct {
        const char *name;
        unsigned sizes[3];
    } caches[] = {{"l0_bytes", {64, 128, 1024}},
                  {"l1i_bytes", {256, 512, 8192}},
                  {"l1i_ways", {1, 2, 4}},
                  {"l1d_bytes", {256, 1024, 16384}},
                  {"l1d_ways", {1, 2, 4}}};
    char text[100], error[400];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const unsigned range = rows[i].high - rows[i].low + 1;
        snprintf(text, sizeof text, "%s=%u", rows[i].name,
                 rows[i].low + (unsigned)dice_below(dice, range));
        if (dice_below(dice, 3) == 0)
            assert_int_equal(config_set(config, text, error, sizeof error), 0);
    }
    for (size_t i = 0; i < sizeof caches / sizeof *caches; i++) {
        snprintf(text, sizeof text, "%s=%u", caches[i].name, caches[i].sizes[dice_below(dice, 3)]);
        if (dice_below(dice, 2))
            assert_int_equal(config_set(config, text, error, sizeof error), 0);
    }
}

static void random_machines(void **state)
{
    (void)state;
    for (size_t round = 0; round < often(200); round++) {
        static struct text text;
        struct dice dice = {round};
        struct config config;
        char what[40];
        read_config(&config);
        set_randomly(&config, &dice);
        random_text(&text, round + 1000);
        snprintf(what, sizeof what, "machine %zu", round);
        compare(text.bytes, &config, what);
        config_free(&config);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_programs),
                                       cmocka_unit_test(random_machines)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
