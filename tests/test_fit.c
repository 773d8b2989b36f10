/*
 * fit: secret numbers are found again. A chip is made by --set, its "measurements" are totals of
 * takt run with it, and what takt fit makes of them alone is held against the secret: its numbers
 * lie in the ranges that are left, and totals of other programs in the range that takt run prints.
 */
#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/takt_expect.h"
#include "tests/takt_process.h"

#define MEASURE "examples/mncore2/measure/"

static const char *const quick[] = {"in-flight.vsm", "mv-slot.vsm", "priorities.vsm",
                                    "wait-modes.vsm"};
enum { QUICK = sizeof quick / sizeof *quick };

/* A secret: no number of it is the default chip's. */
#define SECRET "--set", "mv_start_latency=27", "--set", "mv_notice_latency=9"

static json_t *answer_of(const char *const *arguments, int exit_code)
{
    struct takt_result r = takt_run(arguments);
    json_t *answer = json_loads(r.out, 0, NULL);
    if (r.exit_code != exit_code || !answer)
        fail_msg("takt %s: exit %d\n%s%s", arguments[0], r.exit_code, r.out, r.err);
    takt_result_free(&r);
    return answer;
}

static json_int_t cycles_of(const char *path)
{
    json_t *answer = answer_of(ARGS("run", path, "--json", "--silence", "all", SECRET), 0);
    const json_int_t cycles = json_integer_value(json_object_get(answer, "cycles"));
    json_decref(answer);
    return cycles;
}

/* The list of the secret chip; one value is false by so many per cent. */
static const char *make_list(const char *name, const char *false_one, unsigned percent)
{
    char text[4000], folder[1000];
    assert_non_null(getcwd(folder, sizeof folder));
    size_t used = (size_t)snprintf(text, sizeof text, "machine: mncore2\nmeasurements:\n");
    for (size_t i = 0; i < QUICK; i++) {
        char path[200];
        snprintf(path, sizeof path, MEASURE "%s", quick[i]);
        json_int_t value = cycles_of(path);
        if (false_one && strcmp(false_one, quick[i]) == 0)
            value += value * (json_int_t)percent / 100;
        used += (size_t)snprintf(text + used, sizeof text - used,
                                 "- {program: %s/%s, value: %lld, tolerance: 4}\n", folder, path,
                                 (long long)value);
    }
    return takt_temp_file(name, text);
}

static char *fit(const char *list, const char *chip, const char *threads, const char *seed)
{
    struct takt_result r = takt_run(
        ARGS("fit", list, "--out", chip, "--threads", threads, "--seed", seed, "--effort", "12"));
    if (r.exit_code != 0)
        fail_msg("takt fit: exit %d\n%s%s", r.exit_code, r.out, r.err);
    takt_result_free(&r);
    char *text = takt_read_file(chip, NULL);
    assert_non_null(text);
    return text;
}

/* The range of a program, by the chip's own file (NULL: the machine's). */
static void range_of(const char *path, const char *chip, json_int_t range[2])
{
    json_t *answer = chip ? answer_of(ARGS("run", path, "--json", "--config", chip), 0)
                          : answer_of(ARGS("run", path, "--json"), 0);
    json_t *at = json_object_get(answer, "range");
    range[0] = json_integer_value(json_object_get(at, "low"));
    range[1] = json_integer_value(json_object_get(at, "high"));
    json_decref(answer);
}

static void a_secret_chip_is_found(void **unused)
{
    (void)unused;
    const char *list = make_list("fit.yaml", NULL, 0), *chip = takt_temp_path("chip.yaml");
    char *one = fit(list, chip, "1", "1"), *two = fit(list, takt_temp_path("two.yaml"), "2", "1");
    assert_string_equal(one, two); /* whatever the threads */
    assert_non_null(strstr(one, "provenance: measured"));
    free(one);
    free(two);
    static const char *const others[] = {"examples/mncore2/fma.vsm", "examples/mncore2/matmul.vsm",
                                         "examples/mncore2/reduce.vsm"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        json_int_t before[2], after[2];
        const json_int_t truth = cycles_of(others[i]);
        range_of(others[i], NULL, before);
        range_of(others[i], chip, after);
        if (truth < after[0] || truth > after[1])
            fail_msg("%s: %lld is not in %lld to %lld", others[i], (long long)truth,
                     (long long)after[0], (long long)after[1]);
        assert_true(after[1] - after[0] <= before[1] - before[0]);
    }
}

/* What is fitted is what takt run gives with the chip file and nothing else. */
static void what_is_fitted_is_run(void **unused)
{
    (void)unused;
    char text[1400], folder[600];
    assert_non_null(getcwd(folder, sizeof folder));
    snprintf(text, sizeof text,
             "machine: mncore2\nmeasurements:\n"
             "- {program: %s/" MEASURE "two-writes.vsm, value: 7400, tolerance: 400}\n"
             "- {program: %s/" MEASURE "wait-modes.vsm, value: 1640, tolerance: 100}\n",
             folder, folder);
    const char *chip = takt_temp_path("run.yaml");
    json_t *answer = answer_of(ARGS("fit", takt_temp_file("run-list.yaml", text), "--json", "--out",
                                    chip, "--effort", "5", "--threads", "1", "--compromise",
                                    "--set", "dram_trcd=12", "--set", "mv_start_latency=20"),
                               0),
           *row;
    size_t i;
    json_array_foreach(json_object_get(answer, "measurements"), i, row)
    {
        const char *program = json_string_value(json_object_get(row, "program"));
        json_t *run = answer_of(ARGS("run", program, "--json", "--config", chip), 0);
        assert_true((double)json_integer_value(json_object_get(run, "cycles")) ==
                    json_real_value(json_object_get(row, "fitted")));
        json_decref(run);
    }
    json_decref(answer);
}

/* in-flight.vsm sees nothing but the sum of two latencies, in each of five waits: a step of 4
 * cycles of the sum is 20 cycles, so that 4 cycles of tolerance leave the sum within a step. */
static void a_sum_is_known(void **unused)
{
    (void)unused;
    const char *list = make_list("sum.yaml", NULL, 0);
    json_t *answer = answer_of(ARGS("fit", list, "--json", "--effort", "12"), 0), *group;
    bool found = false;
    size_t i;
    json_array_foreach(json_object_get(answer, "together"), i, group)
    {
        const json_t *names = json_object_get(group, "names");
        if (strcmp(json_string_value(json_array_get(names, 0)), "mv_start_latency") != 0 ||
            strcmp(json_string_value(json_array_get(names, 1)), "mv_notice_latency") != 0)
            continue;
        found = true;
        const double low = json_real_value(json_object_get(group, "low"));
        const double high = json_real_value(json_object_get(group, "high"));
        assert_true(low <= 36 && 36 <= high);
        assert_true(high - low <= 24); /* before: 8 to 128 */
    }
    assert_true(found);
    json_decref(answer);
}

/* Around the default chip two-writes.vsm does not move with tRCD: its rate is that of the ports.
 * With these numbers, rows that open take longer. */
#define HIDDEN                                                                                     \
    "--set", "dram_tccd=4", "--set", "dram_channels=4", "--set", "dram_banks=16", "--set",         \
        "dram_row_bytes=1024", "--set", "dram_trp=15", "--set", "dram_trefi=1425", "--set",        \
        "dram_trfc=260", "--set", "dram_refresh_defer=0", "--set", "dram_window=4"

static json_int_t two_writes(const char *const *arguments)
{
    json_t *answer = answer_of(arguments, 0);
    const json_int_t cycles = json_integer_value(json_object_get(answer, "cycles"));
    json_decref(answer);
    return cycles;
}

static void what_another_limit_hides_is_seen(void **unused)
{
    (void)unused;
    static const char path[] = MEASURE "two-writes.vsm";
    assert_int_equal(two_writes(ARGS("run", path, "--json", "--set", "dram_trcd=9")),
                     two_writes(ARGS("run", path, "--json", "--set", "dram_trcd=15")));
    assert_int_not_equal(two_writes(ARGS("run", path, "--json", "--set", "dram_trcd=9", HIDDEN)),
                         two_writes(ARGS("run", path, "--json", "--set", "dram_trcd=15", HIDDEN)));
    char text[1400], folder[1000];
    assert_non_null(getcwd(folder, sizeof folder));
    snprintf(text, sizeof text,
             "machine: mncore2\nmeasurements:\n- {program: %s/%s, value: 7344, tolerance: 4}\n",
             folder, path);
    const char *list = takt_temp_file("two-writes.yaml", text);
    json_t *answer = answer_of(ARGS("fit", list, "--json", "--effort", "50"), 0), *number;
    const json_t *rows = json_object_get(answer, "measurements");
    bool found = false;
    size_t i;
    json_array_foreach(json_object_get(json_array_get(rows, 0), "sees"), i, number) found |=
        strcmp(json_string_value(json_object_get(number, "name")), "dram_trcd") == 0;
    assert_true(found);
    json_decref(answer);
}

static void a_false_value_is_named(void **unused)
{
    (void)unused;
    const char *list = make_list("false.yaml", "in-flight.vsm", 2);
    const char *chip = takt_temp_path("none.yaml");
    json_t *answer = answer_of(ARGS("fit", list, "--json", "--effort", "12", "--out", chip), 1);
    assert_string_equal(json_string_value(json_object_get(answer, "verdict")), "contradicts");
    json_t *row;
    size_t i;
    json_array_foreach(json_object_get(answer, "measurements"), i, row)
    {
        const bool suspect = json_is_true(json_object_get(row, "others_explained"));
        const bool is_false =
            strstr(json_string_value(json_object_get(row, "program")), "in-flight.vsm") != NULL;
        if (is_false)
            assert_true(suspect);
        for (size_t end = 0; end < 2; end++) { /* nothing of the box gives what is outside */
            const json_t *tried = json_object_get(row, "tried");
            const double left =
                json_number_value(json_array_get(json_object_get(row, "left_out_range"), end));
            assert_true(json_number_value(json_array_get(tried, 0)) <= left);
            assert_true(left <= json_number_value(json_array_get(tried, 1)));
        }
    }
    assert_null(takt_read_file(chip, NULL)); /* nothing is called measured */
    json_decref(answer);
}

/* An interrupt ends the search at once; the answer says so, and progress was said before. */
static void an_interrupt_leaves_an_answer(void **unused)
{
    (void)unused;
    const char *list = make_list("long.yaml", NULL, 0), *takt = getenv("TAKT");
    const char *out = takt_temp_path("out.json"), *err = takt_temp_path("err.txt");
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        dup2(open(out, O_WRONLY | O_CREAT | O_TRUNC, 0600), STDOUT_FILENO);
        dup2(open(err, O_WRONLY | O_CREAT | O_TRUNC, 0600), STDERR_FILENO);
        signal(SIGINT, SIG_DFL);
        execl(takt ? takt : "build/takt", "takt", "fit", list, "--json", "--progress", "--threads",
              "1", "--effort", "10000", (char *)NULL);
        _exit(99);
    }
    char *said = NULL;
    for (int i = 0; i < 6000 && !(said && strstr(said, "searched")); i++) {
        free(said);
        nanosleep(&(const struct timespec){0, 10000000}, NULL);
        said = takt_read_file(err, NULL);
    }
    assert_non_null(said);
    assert_non_null(strstr(said, "searched"));
    free(said);
    kill(child, SIGINT);
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 130);
    char *text = takt_read_file(out, NULL);
    json_t *answer = json_loads(text, 0, NULL);
    assert_true(json_is_true(json_object_get(answer, "interrupted")));
    assert_int_equal(json_array_size(json_object_get(answer, "measurements")), QUICK);
    json_decref(answer);
    free(text);
}

/* At whatever time: what is not known is not said, and neither is the chip file written. */
static void an_early_interrupt_says_what_it_is(void **unused)
{
    (void)unused;
    static const int milliseconds[] = {20, 60, 100, 150, 250, 500, 1000};
    const char *takt = getenv("TAKT");
    char *list = strdup(make_list("early.yaml", NULL, 0));
    assert_non_null(list);
    for (size_t i = 0; i < sizeof milliseconds / sizeof *milliseconds; i++) {
        const char *out = takt_temp_path("early.txt"), *err = takt_temp_path("early.err");
        const char *chip = takt_temp_path("early.chip");
        const pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            dup2(open(out, O_WRONLY | O_CREAT | O_TRUNC, 0600), STDOUT_FILENO);
            dup2(open(err, O_WRONLY | O_CREAT | O_TRUNC, 0600), STDERR_FILENO);
            signal(SIGINT, SIG_DFL);
            execl(takt ? takt : "build/takt", "takt", "fit", list, "--out", chip, "--threads", "1",
                  "--effort", "10000", (char *)NULL);
            _exit(99);
        }
        nanosleep(
            &(const struct timespec){milliseconds[i] / 1000, milliseconds[i] % 1000 * 1000000L},
            NULL);
        kill(child, SIGINT);
        int status = 0;
        assert_int_equal(waitpid(child, &status, 0), child);
        if (WIFSIGNALED(status)) { /* before main */
            assert_int_equal(WTERMSIG(status), SIGINT);
            continue;
        }
        assert_int_equal(WEXITSTATUS(status), 130);
        char *said = takt_read_file(out, NULL), *told = takt_read_file(err, NULL);
        char *written = takt_read_file(chip, NULL);
        const char *unseen = strstr(said, "UNSEEN");
        assert_true(!unseen || !strstr(unseen, "mv_start_latency")); /* in-flight.vsm sees it */
        assert_null(strstr(told, "no setting inside"));
        assert_true(written || !*told || strstr(told, "was not written") ||
                    strcmp(told, "takt fit: interrupted\n") == 0);
        free(said);
        free(told);
        free(written);
    }
    free(list);
}

/* nops.vsm depends on nothing but what MV slots cost, and so does power.vsm. */
static void the_next_measurement_is_named(void **unused)
{
    (void)unused;
    char text[4000], folder[900];
    assert_non_null(getcwd(folder, sizeof folder));
    snprintf(text, sizeof text,
             "machine: mncore2\nmeasurements:\n"
             "- {program: %s/" MEASURE "in-flight.vsm, value: %lld, tolerance: 4}\n"
             "- {program: %s/" MEASURE "wait-modes.vsm, value: ~}\n"
             "- {program: %s/" MEASURE "power.vsm, value: ~}\n",
             folder, (long long)cycles_of(MEASURE "in-flight.vsm"), folder, folder);
    json_t *answer = answer_of(ARGS("fit", takt_temp_file("next.yaml", text), "--json", "--effort",
                                    "5", "--next", "tests/golden/mncore2/nops.vsm"),
                               0);
    const json_t *rows = json_object_get(answer, "next"), *first = json_array_get(rows, 0);
    assert_int_equal(json_array_size(rows), 10); /* of two of the list and all probes */
    assert_non_null(strstr(json_string_value(json_object_get(first, "program")), "power.vsm"));
    assert_true(json_real_value(json_object_get(first, "left")) < 0.01);
    json_decref(answer);
}

static void wrong_lists_are_refused(void **unused)
{
    (void)unused;
    static const struct {
        const char *text, *said;
    } lists[] = {
        {"machine: none\n", ":1:10: error: no machine is named 'none'"},
        {"measurements: []\n", "machine: NAME is required"},
        {"machine: mncore2\nmeasurements:\n- {value: 3}\n", ":3:3: error: which program"},
        {"machine: mncore2\nmeasurements:\n- {program: a.vsm, value: x}\n",
         "is not a decimal number"},
        {"machine: mncore2\nmeasurements:\n- {program: a.vsm, quantity: joules}\n",
         "'joules' is not cycles"},
        {"machine: mncore2\nmeasurements:\n- {program: a.vsm, options: {colour: red}}\n",
         "no option 'colour'"},
        {"machine: mncore2\nmeasurements:\n- {program: a.vsm, value: ~}\n", "no measurement has"},
        {"machine: mncore2\nmeasurements: [&a {program: a.vsm}, *a]\n", "an alias"},
    };
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        takt_expect(ARGS("fit", takt_temp_file("wrong.yaml", lists[i].text)), 1, NULL,
                    lists[i].said);
    takt_expect(ARGS("fit", MEASURE "measure.yaml"), 1, NULL, "no measurement has a value");
}

/* The array's latency is 4 in the run and 5 in the list: six accumulations onto one row. */
static void a_latency_is_named(void **unused)
{
    (void)unused;
    const char *program = takt_temp_file("k.amx", "matfp f32 z=0\nmatfp f32 z=0\nmatfp f32 z=0\n");
    const char *list = takt_temp_file("k.csv", "cycle,event,stream,place,word\n10,issue,0,1,\n"
                                               "15,issue,0,2,\n20,issue,0,3,\n");
    json_t *answer = answer_of(ARGS("diff", program, list, "--json"), 0);
    assert_int_equal(json_integer_value(json_object_get(answer, "intervals")), 2);
    assert_int_equal(json_integer_value(json_object_get(answer, "equal")), 0);
    const json_t *number = json_array_get(json_object_get(answer, "numbers"), 0);
    assert_string_equal(json_string_value(json_object_get(number, "name")), "result_latency");
    assert_true(json_real_value(json_object_get(number, "value")) == 5);
    assert_string_equal(
        json_string_value(json_object_get(json_object_get(answer, "first"), "rule")),
        "result_latency");
    json_decref(answer);
    takt_expect(ARGS("diff", program, takt_temp_file("bad.csv", "a,b\n")), 1, NULL,
                "the first line has no column cycle");
}

/* A number that the others do not see may be anything: totals of the same chip with other values of
 * it lie in the range that the others leave, however short the search. */
static void what_only_one_sees_is_open(void **unused)
{
    (void)unused;
    static const char loads[] = "    li a0, 0x1000\n"
                                "    li a1, 50\n"
                                "again:\n"
                                "    vld.w.x v0, a0\n"
                                "    vadd.w.vv v4, v0, v0\n"
                                "    addi a1, a1, -1\n"
                                "    bnez a1, again\n"
                                "    mpause\n";
    const char *turns = takt_temp_file(
        "turns.kelvin",
        "    li a0, 100\nagain:\n    addi a0, a0, -1\n    bnez a0, again\n    mpause\n");
    const char *path = takt_temp_file("loads.kelvin", loads);
    static const char *const settings[] = {"vload_write=1", "vload_write=0", "vload_write=4"};
    json_int_t totals[3], alone = 0;
    for (unsigned k = 0; k < 4; k++) {
        json_t *answer = answer_of(ARGS("run", k < 3 ? path : turns, "--json", "--silence", "all",
                                        "--set", settings[k % 3]),
                                   0);
        *(k < 3 ? &totals[k] : &alone) = json_integer_value(json_object_get(answer, "cycles"));
        json_decref(answer);
    }
    assert_true(totals[1] < totals[0] && totals[0] < totals[2]);
    char text[600];
    snprintf(text, sizeof text,
             "machine: kelvin\nmeasurements:\n- {program: %s, value: %lld, tolerance: 0}\n"
             "- {program: %s, value: %lld, tolerance: 0}\n",
             turns, (long long)alone, path, (long long)totals[0]);
    const char *list = takt_temp_file("open.yaml", text);
    static const char *const seeds[] = {"1", "2", "3"};
    for (size_t s = 0; s < 3; s++) {
        json_t *answer = answer_of(
            ARGS("fit", list, "--json", "--effort", "2", "--seed", seeds[s], "--threads", "2"), 0);
        json_t *row = json_array_get(json_object_get(answer, "measurements"), 1);
        json_t *range = json_object_get(row, "left_out_range");
        for (size_t k = 0; k < 3; k++) {
            assert_true(json_number_value(json_array_get(range, 0)) <= (double)totals[k]);
            assert_true(json_number_value(json_array_get(range, 1)) >= (double)totals[k]);
        }
        json_decref(answer);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_secret_chip_is_found),
        cmocka_unit_test(what_is_fitted_is_run),
        cmocka_unit_test(a_sum_is_known),
        cmocka_unit_test(what_another_limit_hides_is_seen),
        cmocka_unit_test(what_only_one_sees_is_open),
        cmocka_unit_test(a_false_value_is_named),
        cmocka_unit_test(an_interrupt_leaves_an_answer),
        cmocka_unit_test(an_early_interrupt_says_what_it_is),
        cmocka_unit_test(the_next_measurement_is_named),
        cmocka_unit_test(wrong_lists_are_refused),
        cmocka_unit_test(a_latency_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
