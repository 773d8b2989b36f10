/*
 * histories: what places of Kelvin, Ventus and the loop engine hold in a cycle. At the end of a run
 * a place holds what the state has; writes are in order; before its first edge a write is not seen,
 * from its last one on it is. When they land is compared with events in tests/cases/cli/value.case.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include <cmocka.h>

#include "functional/place.h"
#include "timing/history.h"
#include "timing/machines.h"
#include "timing/run.h"

static size_t followed, landed;

static void judge_writes(const struct history *h, uint64_t end)
{
    for (size_t i = 0; i < h->count; i++) {
        const struct history_write *w = &h->writes[i];
        assert_true(w->issued <= w->first && w->first <= w->readable && w->readable <= end);
        const struct history_at on = history_at(h, w->readable);
        assert_true(on.last && on.last->readable == w->readable);
        if (w->first == w->issued)
            continue;
        const struct history_at before = history_at(h, w->first - 1);
        assert_true(!before.last || before.last->readable < w->first);
        assert_non_null(before.landing);
        landed++;
    }
}

static void judge(struct machine_run *run, const char *place)
{
    const struct machine *machine = run->machine;
    struct history h = {.count = 0};
    char error[MACHINE_ERROR] = "";
    uint64_t words[HISTORY_WORDS];
    const uint64_t end = run_total(run->model);
    if (machine->values->history(run, place, &h, error) != 0)
        fail_msg("%s: %s", place, error);
    const struct history_at at = history_at(&h, end);
    assert_non_null(at.words);
    assert_null(at.landing);
    assert_null(at.next);
    const struct place_owner owner = machine->values->owner(run);
    if (place_get(&owner, place, words, h.words, error, sizeof error) != 0)
        fail_msg("%s: %s", place, error);
    for (size_t i = 0; i < h.words; i++)
        if (at.words[i] != words[i])
            fail_msg("%s: word %zu is %llx at the end, and in the state %llx", place, i,
                     (unsigned long long)at.words[i], (unsigned long long)words[i]);
    judge_writes(&h, end);
    followed += h.count > 0;
    history_free(&h);
}

static void run_one(const struct machine *machine, const char *path, const char *const *places)
{
    static const struct sink_ops none = {.name = "none"};
    const struct sink sink = {&none, NULL};
    char error[MACHINE_ERROR] = "";
    struct config config;
    struct diag_list diags;
    struct source source;
    struct machine_program *program;
    struct machine_run *run;
    diag_list_init(&diags);
    assert_int_equal(machine_config(machine, &config, error, sizeof error), 0);
    assert_int_equal(source_open(&source, path, error, sizeof error), 0);
    assert_int_equal(machine->language->load(&program, &source, 1, &diags), 0);
    const struct run_options options = {.total_only = true, .threads = 1};
    const struct run_setup setup = {program, &config, &options, &sink};
    assert_int_equal(run_open(&run, machine, &setup, &diags, error), 0);
    assert_int_equal(run_whole(run, &diags, error), 0);
    for (; *places; places++)
        judge(run, *places);
    run_close(run);
    machine->language->unload(program);
    source_close(&source);
    config_free(&config);
    diag_list_free(&diags);
}

static void needs_examples(void)
{
    if (access("examples/kelvin/dot.kelvin", R_OK) != 0)
        skip();
}

static void kelvin(void **state)
{
    static const char *const files[] = {"dot", "matmul_aconv", "matmul_vmacc", "depthwise_vdwconv",
                                        "depthwise_vacc"};
    static char names[31 + 64 + 8][16];
    const char *places[31 + 64 + 9] = {NULL};
    size_t count = 0;
    (void)state;
    needs_examples();
    for (unsigned i = 1; i < 32; i++) {
        snprintf(names[count], sizeof names[0], "x@%u", i);
        places[count] = names[count];
        count++;
    }
    for (unsigned i = 0; i < 64; i += 3) {
        snprintf(names[count], sizeof names[0], i % 2 ? "v@%u" : "v@%u:1+2", i);
        places[count] = names[count];
        count++;
    }
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[80];
        snprintf(path, sizeof path, "examples/kelvin/%s.kelvin", files[i]);
        if (access(path, R_OK) == 0)
            run_one(&machine_kelvin, path, places);
    }
    run_one(&machine_kelvin, "examples/kelvin/dot.kelvin",
            (const char *const[]){"m:result", "m:x+8", NULL});
    assert_true(followed > 20);
    assert_true(landed > 100);
}

static void ventus(void **state)
{
    (void)state;
    needs_examples();
    followed = landed = 0;
    run_one(&machine_ventus, "examples/ventus/saxpy.ventus",
            (const char *const[]){"m:y", "m:y+8", "m:x", NULL});
    assert_int_equal(followed, 2);
}

static void loops(void **state)
{
    (void)state;
    needs_examples();
    followed = landed = 0;
    run_one(&machine_loops, "examples/loops/dot.loops",
            (const char *const[]){"s:0", "a:3+2", "m:0+8", NULL});
    run_one(&machine_loops, "examples/loops/matmul.loops",
            (const char *const[]){"c:0", "c:7", "c:100+8", "a:5", "m:40", NULL});
    run_one(&machine_loops, "examples/loops/rest.loops",
            (const char *const[]){"m:0", "m:11", "m:40+8", "m:100", NULL});
    assert_true(followed > 5);
    assert_true(landed > 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(kelvin), cmocka_unit_test(ventus),
                                       cmocka_unit_test(loops)};
    return cmocka_run_group_tests_name("histories", tests, NULL, NULL);
}
