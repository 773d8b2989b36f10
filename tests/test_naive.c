/*
 * The programs of tests/naive, written one expression a step with the nops that the check asks for.
 * schedule finds an order for most of them that is proven optimal. None takes longer than a version
 * scheduled by hand (tests/naive/by-hand). tests/improved.h checks the results: equal values from
 * another start, no access earlier before the end of a transfer. No version by hand goes below the
 * bound that a search has proven.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/exact_bound.h"
#include "tests/improved.h"
#include "tests/often.h"
#include "tests/takt_process.h"
#include "timing/machines.h"

static const char *const programs[] = {
    "axpy.vsm",      "chains.vsm",        "complex.vsm",      "dataflow.vsm",
    "dot.vsm",       "double-buffer.vsm", "fir.vsm",          "gather.vsm",
    "horner.vsm",    "load-nops.vsm",     "nbody.vsm",        "overwrite-source.vsm",
    "prefix.vsm",    "product.vsm",       "reductions.vsm",   "scan.vsm",
    "softmax.vsm",   "sort.vsm",          "store-at-end.vsm", "tiles.vsm",
    "too-early.vsm", "xorshift.vsm",      "chain.amx",        "outer.amx",
};

enum {
    PROGRAMS = sizeof programs / sizeof *programs,
    STEP = 3,        /* make test takes every third program */
    NOT_OPTIMAL = 4, /* at most, of all; at first eight were allowed */
};

static const struct machine *machine_called(const char *name)
{
    return strstr(name, ".amx") ? &machine_amx : &machine_mncore2;
}

static char *read_named(const char *folder, const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r");
    if (!file)
        return NULL;
    fclose(file);
    return takt_read_file(path, NULL);
}

/* The cycles of the version by hand; UINT64_MAX without one. */
static uint64_t by_hand(const char *name, const char *text)
{
    const struct machine *machine = machine_called(name);
    char *hand = read_named("tests/naive/by-hand", name);
    if (!hand)
        return UINT64_MAX;
    struct outcome written = improved_run(machine, text, NULL),
                   other = improved_run(machine, hand, NULL);
    improved_equal(&written, &other, hand);
    const uint64_t cycles = other.cycles;
    improved_free(&written);
    improved_free(&other);
    free(hand);
    return cycles;
}

/* What a search of every order proves, with waits anywhere, is met by no order that was found. */
static bool search_is_below(const struct machine *machine, const char *text,
                            const struct schedule *found)
{
    char error[MACHINE_ERROR];
    const struct source source = {
        .name = (char *)(uintptr_t) "program", .text = text, .size = strlen(text)};
    struct machine_program *program = NULL;
    struct diag_list diags;
    struct config config;
    struct machine_proof proof;
    struct exact_found exact;
    const struct run_options options = {.timing_only = true};
    diag_list_init(&diags);
    assert_int_equal(machine_config(machine, &config, error, sizeof error), 0);
    assert_int_equal(machine->language->load(&program, &source, 1, &diags), 0);
    const struct run_setup setup = {program, &config, &options, NULL};
    assert_int_equal(machine_prove(&proof, machine, &setup, 0, error), 0);
    assert_int_equal(exact_bound_add(&proof.bounds, machine, &setup,
                                     &(const struct exact_effort){.states = 20000}, &exact),
                     0);
    assert_true(bounds_best(&proof.bounds, BOUND_ANY_ORDER)->cycles <= found->after);
    assert_true(bounds_best(&proof.bounds, BOUND_THIS_ORDER)->cycles >=
                    bounds_best(&proof.bounds, BOUND_ANY_ORDER)->cycles ||
                !exact.searched);
    machine_proof_free(&proof);
    config_free(&config);
    machine->language->unload(program);
    diag_list_free(&diags);
    return exact.searched;
}

static void best_orders(void **state)
{
    (void)state;
    size_t optimal = 0, hands = 0, searched = 0, count = 0;
    for (size_t i = 0; i < PROGRAMS; i += often_long() ? 1 : STEP, count++) {
        const struct machine *machine = machine_called(programs[i]);
        char *text = read_named("tests/naive", programs[i]);
        struct schedule s;
        assert_non_null(text);
        assert_true(improved_schedule(machine, text, NULL, &s));
        const uint64_t hand = by_hand(programs[i], text);
        if (s.after > hand || s.bound > hand)
            fail_msg("%s: %llu cycles, bound %llu, by hand %llu", programs[i],
                     (unsigned long long)s.after, (unsigned long long)s.bound,
                     (unsigned long long)hand);
        optimal += s.optimal;
        searched += search_is_below(machine, text, &s);
        struct schedule tagged;
        if (improved_job(machine, text, NULL, &(const struct schedule_job){.tags = true},
                         &tagged)) {
            search_is_below(machine, text, &tagged);
            schedule_free(&tagged);
        }
        hands += hand != UINT64_MAX;
        if (!s.kept && !s.optimal) { /* a second schedule of it saves nothing */
            struct schedule again;
            assert_true(improved_schedule(machine, s.text, NULL, &again));
            assert_int_equal(again.after, s.after);
            schedule_free(&again);
        }
        schedule_free(&s);
        free(text);
    }
    print_message("%zu of %zu programs: proven optimal; %zu by hand, too\n", optimal, count, hands);
    assert_true(optimal + NOT_OPTIMAL >= count);
    assert_true(hands >= (often_long() ? 5 : 1));
    assert_true(searched >= (often_long() ? 8 : 2));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(best_orders)};
    return cmocka_run_group_tests_name("naive", tests, NULL, NULL);
}
