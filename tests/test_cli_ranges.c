/*
 * What the numbers are worth that nobody has published, from the command line: takt config says of
 * each where it may lie and why; takt sensitivity and the first screen say what that does, by runs
 * that are repeated here one by one.
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
#include <unistd.h>

#include <cmocka.h>

#include "tests/takt_expect.h"
#include "tests/takt_process.h"

static json_t *answer_of(const char *const *arguments)
{
    struct takt_result r = takt_run(arguments);
    json_t *answer = r.exit_code == 0 ? json_loads(r.out, 0, NULL) : NULL;
    if (!answer)
        fail_msg("takt %s %s: exit %d\n%s", arguments[0], arguments[1], r.exit_code, r.err);
    takt_result_free(&r);
    return answer;
}

static uint64_t integer(const json_t *object, const char *name)
{
    const json_t *value = json_object_get(object, name);
    assert_true(json_is_integer(value));
    return (uint64_t)json_integer_value(value);
}

static double item(const json_t *list, size_t i)
{
    return json_number_value(json_array_get(list, i));
}

static const char *text(const json_t *object, const char *name)
{
    const char *value = json_string_value(json_object_get(object, name));
    return value ? value : "";
}

/* --- takt config ------------------------------------------------------------------------------ */

static void every_parameter_is_explained(void **state)
{
    (void)state;
    static const char *const machines[] = {"mncore2", "amx"};
    for (size_t m = 0; m < 2; m++) {
        json_t *answer = answer_of(ARGS("config", machines[m], "--json"));
        const json_t *list = json_object_get(answer, "parameters"), *param;
        size_t i, certain = 0;
        json_array_foreach(list, i, param)
        {
            const char *provenance = text(param, "provenance");
            const json_t *plausible = json_object_get(param, "plausible");
            const json_t *value = json_object_get(param, "value");
            assert_true(*text(param, "unit") && *text(param, "source") && *text(param, "meaning"));
            const bool published =
                strcmp(provenance, "documented") == 0 || strcmp(provenance, "public") == 0;
            assert_true(published == !plausible && published == !*text(param, "reason"));
            certain += published;
            if (json_is_string(value)) {
                bool found = false;
                for (size_t c = 0; c < json_array_size(plausible); c++)
                    found |= json_equal(json_array_get(plausible, c), value);
                assert_true(found && json_array_size(plausible) > 1);
                continue;
            }
            const double low = json_number_value(json_object_get(param, "low"));
            const double high = json_number_value(json_object_get(param, "high"));
            const double number = json_number_value(value);
            assert_true(low <= number && number <= high);
            if (published)
                continue;
            assert_int_equal(json_array_size(plausible), 2);
            assert_true(low <= item(plausible, 0) && item(plausible, 0) <= number &&
                        number <= item(plausible, 1) && item(plausible, 1) <= high);
            assert_true(strstr("low high", text(param, "optimistic")) &&
                        *text(param, "optimistic"));
        }
        assert_true(certain < i);
        json_decref(answer);
    }
    takt_expect(ARGS("config", "mncore2"), 0,
                "dram_trcd = 11 cycles   [assumed]\n"
                "    cycles from activating a row to its first access\n"
                "    plausible 9 .. 15, low is optimistic: 14 to 18 ns of GDDR6-class parts, two "
                "bins around\n"
                "    legal 0 .. 1000, documented-only 0\n"
                "    source: GDDR6 class, 14 ns\n",
                NULL);
    takt_expect(ARGS("config", "mncore2"), 0, "    plausible transfer | path: a limit of", NULL);
    takt_expect(ARGS("config", "amx"), 0, "    plausible 4 alone: ", NULL);
    takt_expect(ARGS("config", "amx", "--set", "load_latency=9"), 0,
                "load_latency = 9 cycles   [assumed, set here]\n", NULL);
}

/* --- takt sensitivity ------------------------------------------------------------------------- */

static uint64_t run_with(const char *program, const char *option, const char *value)
{
    json_t *answer = answer_of(ARGS("run", program, "--json", option, value));
    const uint64_t cycles = integer(answer, "cycles");
    json_decref(answer);
    return cycles;
}

/* One of its plausible values, behind its name. */
static void set_of(const json_t *row, size_t i, const char *format, char out[100])
{
    char number[40];
    const json_t *value = json_array_get(json_object_get(row, "plausible"), i);
    snprintf(number, sizeof number, "%.17g", json_number_value(value));
    snprintf(out, 100, format, text(row, "name"),
             json_is_string(value) ? json_string_value(value) : number);
}

static void larger(uint64_t *most, uint64_t value)
{
    *most = value > *most ? value : *most;
}

/* A row's totals are those of runs. */
static void check_row(const char *program, const json_t *row, uint64_t cycles, uint64_t *most)
{
    const json_t *at = json_object_get(row, "at"), *plausible = json_object_get(row, "plausible");
    uint64_t least = UINT64_MAX, greatest = 0;
    for (size_t i = 0; i < json_array_size(plausible); i++) {
        char set[100];
        set_of(row, i, "%s=%s", set);
        const uint64_t total = run_with(program, "--set", set);
        least = total < least ? total : least;
        larger(&greatest, total);
        if (total != (uint64_t)item(at, i))
            fail_msg("%s --set %s: %llu cycles, not %.0f", program, set, (unsigned long long)total,
                     item(at, i));
    }
    assert_int_equal(json_array_size(at), json_array_size(plausible));
    assert_int_equal(integer(row, "least"), least < cycles ? least : cycles);
    assert_int_equal(integer(row, "greatest"), greatest > cycles ? greatest : cycles);
    larger(most, greatest);
}

/* All numbers at one end: the first or the last text, the faster or the slower number. */
static uint64_t at_end(const char *machine, const char *program, const json_t *rows, bool slow)
{
    json_t *config = answer_of(ARGS("config", machine, "--json"));
    const json_t *row, *param;
    size_t i, k;
    char file[64 * 100] = "";
    json_array_foreach(rows, i, row)
    {
        size_t which = slow ? json_array_size(json_object_get(row, "plausible")) - 1 : 0;
        json_array_foreach(json_object_get(config, "parameters"), k,
                           param) if (strcmp(text(param, "name"), text(row, "name")) == 0 &&
                                      strcmp(text(param, "optimistic"), "high") == 0) which = !slow;
        set_of(row, which, "%s: {value: '%s'}\n", file + strlen(file));
    }
    json_decref(config);
    return run_with(program, "--config", takt_temp_file("end.yaml", file));
}

static void check_program(const char *machine, const char *program)
{
    json_t *answer = answer_of(ARGS("sensitivity", program, "--json"));
    const json_t *range = json_object_get(answer, "range"), *rows, *row;
    const uint64_t cycles = integer(answer, "cycles");
    uint64_t most = cycles, last = UINT64_MAX;
    size_t i;
    rows = json_object_get(answer, "parameters");
    json_array_foreach(rows, i, row)
    {
        check_row(program, row, cycles, &most);
        assert_true(integer(row, "greatest") - integer(row, "least") <= last); /* sorted */
        last = integer(row, "greatest") - integer(row, "least");
        assert_true(integer(range, "low") <= integer(row, "least"));
    }
    const uint64_t fast = at_end(machine, program, rows, false);
    const uint64_t slow = at_end(machine, program, rows, true);
    assert_int_equal(integer(answer, "optimistic"), fast);
    assert_int_equal(integer(answer, "pessimistic"), slow);
    larger(&most, fast);
    larger(&most, slow);
    assert_int_equal(integer(range, "high"), most);
    assert_true(integer(range, "low") <= fast);
    /* The same on the first screen, in takt run --json and in a trace. */
    json_t *run = answer_of(ARGS("run", program, "--json"));
    const json_t *seen = json_object_get(run, "range");
    assert_int_equal(integer(seen, "low"), integer(range, "low"));
    assert_int_equal(integer(seen, "high"), integer(range, "high"));
    assert_int_equal(integer(seen, "parameters"), i);
    const json_t *first = json_array_get(rows, 0);
    assert_string_equal(text(seen, "most"), text(first, "name"));
    assert_int_equal(integer(seen, "most_cycles"),
                     integer(first, "greatest") - integer(first, "least"));
    const char *trace = takt_temp_path("ranges.db");
    unlink(trace);
    takt_expect(ARGS("run", program, "--trace", trace, "--quiet"), 0, NULL, NULL);
    json_t *params = answer_of(ARGS("report", trace, "parameters", "--json", "--top", "100"));
    const json_t *param;
    size_t k, moved = 0;
    json_array_foreach(params, k, param)
        json_array_foreach(rows, i, row) if (strcmp(text(param, "name"), text(row, "name")) == 0)
    {
        assert_int_equal(integer(param, "least"), integer(row, "least"));
        assert_int_equal(integer(param, "greatest"), integer(row, "greatest"));
        moved++;
    }
    assert_int_equal(moved, json_array_size(rows));
    json_decref(params);
    json_t *shares = answer_of(ARGS("report", trace, "assumed", "--json"));
    const json_t *guesses = json_array_get(shares, json_array_size(shares) - 1);
    assert_string_equal(text(guesses, "provenance"), "assumed");
    assert_int_equal(integer(guesses, "most_cycles"),
                     integer(first, "greatest") - integer(first, "least"));
    json_decref(shares);
    json_decref(run);
    json_decref(answer);
}

static void every_total_is_a_run(void **state)
{
    (void)state;
    check_program("mncore2", "examples/mncore2/reduce.vsm");
    check_program("amx", "examples/amx/matmul.amx");
}

/* A number that is given stays as it is. */
static void what_is_set_stays(void **state)
{
    (void)state;
    const char *program = "examples/amx/matmul.amx";
    json_t *all = answer_of(ARGS("sensitivity", program, "--json"));
    json_t *less = answer_of(ARGS("sensitivity", program, "--json", "--set", "load_latency=16"));
    assert_int_equal(integer(all, "cycles"), integer(less, "cycles")); /* it is the default */
    const json_t *rows = json_object_get(less, "parameters"), *row;
    assert_int_equal(json_array_size(rows) + 1,
                     json_array_size(json_object_get(all, "parameters")));
    size_t i;
    json_array_foreach(rows, i, row) assert_string_not_equal(text(row, "name"), "load_latency");
    json_decref(all);
    json_decref(less);
    takt_expect(ARGS("sensitivity", program), 0,
                "\nMEASURE  load_latency: largest effect, it moves the total by ", NULL);
    takt_expect(ARGS("sensitivity", "examples/amx/accumulators.amx"), 0,
                "\n  9 more change nothing\n", NULL);
    takt_expect(ARGS("sensitivity", "examples/amx/accumulators.amx", "--all"), 0, "\n  clock_hz   ",
                NULL);
}

/* A run that is long enough does not make some seventy others, and says who does. */
static void long_runs_name_the_command(void **state)
{
    (void)state;
    enum { LINES = 100000 };
    static const char step[] = "lpassa $lr0v $ls0v\n";
    char *many = malloc(LINES * (sizeof step - 1) + 1);
    assert_non_null(many);
    for (size_t i = 0; i < LINES; i++)
        memcpy(many + i * (sizeof step - 1), step, sizeof step);
    const char *long_vsm = takt_temp_file("long.vsm", many);
    const char *long_amx =
        takt_temp_file("long.amx", ".repeat 1000000\nmatfp f32 z=0\nmatfp f32 z=1\n.end\n");
    free(many);
    static const char command[] = "uncertain: takt sensitivity gives the range";
    for (size_t i = 0; i < 2; i++) {
        const char *program = i ? long_amx : long_vsm;
        const char *short_one = i ? "examples/amx/matmul.amx" : "examples/mncore2/reduce.vsm";
        takt_expect(ARGS("run", program, "--timing-only"), 0, command, NULL);
        json_t *answer = answer_of(ARGS("run", program, "--timing-only", "--json"));
        assert_null(json_object_get(answer, "range"));
        json_decref(answer);
        struct takt_result r = takt_run(ARGS("run", short_one));
        assert_null(strstr(r.out, command));
        assert_non_null(strstr(r.out, " constants are unpublished"));
        takt_result_free(&r);
        /* With the documents' numbers there is nothing to move. */
        r = takt_run(ARGS("run", short_one, "--documented"));
        assert_null(strstr(r.out, "unpublished"));
        takt_result_free(&r);
    }
}

/* README, "What is promised": each run also gives the total that does without unpublished numbers.
 * It is the one that --documented runs. */
static void both_totals_are_shown(void **state)
{
    (void)state;
    static const char *const programs[] = {"examples/mncore2/fma.vsm", "examples/amx/matmul.amx",
                                           "examples/loops/matmul.loops",
                                           "examples/kelvin/dot.kelvin"};
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        struct takt_result r = takt_run(ARGS("run", programs[i], "--documented"));
        char cycles[60] = "(documented numbers alone: ";
        const char *figures = strstr(r.out, "   ");
        assert_int_equal(r.exit_code, 0);
        assert_non_null(figures);
        strncat(cycles, figures + 3, strcspn(figures + 3, " "));
        takt_result_free(&r);
        takt_expect(ARGS("run", programs[i]), 0, cycles, NULL);
        takt_expect(ARGS("run", programs[i]), 0, " constants are unpublished", NULL);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_parameter_is_explained),
        cmocka_unit_test(every_total_is_a_run),
        cmocka_unit_test(what_is_set_stays),
        cmocka_unit_test(long_runs_name_the_command),
        cmocka_unit_test(both_totals_are_shown),
    };
    return cmocka_run_group_tests_name("ranges", tests, NULL, NULL);
}
