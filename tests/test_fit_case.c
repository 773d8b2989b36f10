/*
 * fit_case, fit_chip: what a measurement is of a run, and what a chip file says.
 */
#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/fit.h"
#include "tests/takt_expect.h"
#include "tests/takt_process.h"
#include "timing/machines.h"

/* A list of one measurement. */
struct one {
    struct fit_list list;
    struct config config;
    struct fit_case c;
};

static void open_one(struct one *one, const char *machine, const char *program,
                     const char *quantity)
{
    char text[1200], error[FIT_ERROR] = "";
    snprintf(text, sizeof text,
             "machine: %s\nmeasurements:\n- {program: %s, quantity: %s, value: 9}\n", machine,
             program, quantity);
    const struct config_file file = {"list.yaml", text, strlen(text)};
    *one = (struct one){.list = {.count = 0}};
    if (fit_list_read(&one->list, &file, error) != 0)
        fail_msg("%s", error);
    assert_int_equal(machine_config(one->list.machine, &one->config, error, sizeof error), 0);
    if (fit_case_open(&one->c, one->list.machine, &one->config, one->list.items, error) != 0)
        fail_msg("%s", error);
}

static void close_one(struct one *one)
{
    fit_case_close(&one->c);
    config_free(&one->config);
    fit_list_free(&one->list);
}

static double value_of(const char *machine, const char *program, const char *quantity)
{
    struct one one;
    double value = -1;
    open_one(&one, machine, program, quantity);
    assert_int_equal(fit_case_time(&one.c, &one.config, false, &value), 0);
    close_one(&one);
    return value;
}

/* --- regions and lines ------------------------------------------------------------------------ */

static const char regions_vsm[] = "mvp/n64i01 $d0@0 $lc0@0.0\n"
                                  "nop; wait i01\n"
                                  "# takt: begin middle\n"
                                  "lpassa $lm0v $ln0v\n"
                                  "mvp/n2048i05 $d0@0 $lc0@0.0\n"
                                  "nop; wait i05\n"
                                  "lpassa $lm0v $ln0v\n"
                                  "# takt: end\n"
                                  "lpassa $lm0v $ln0v\n"
                                  "# takt: begin moves\n"
                                  "mvp/n2048i06 $d0@0 $lc0@0.0\n"
                                  "nop; wait i06\n"
                                  "# takt: end\n"
                                  "lpassa $lm0v $ln0v\n";
static const char regions_amx[] = ".version M1\n# takt: begin products\nset\n.repeat 3\n"
                                  "    ldx x=0 addr=0 step=64\n    ldy y=0 addr=0 step=64\n"
                                  "    matfp f32 x=0 y=0 z=0\n.end\nstz z=0 addr=8192\n"
                                  "# takt: end\nldx x=1 addr=4096\nclr\n";

/* The second thread is there the longest. */
static const char threads_amx[] =
    ".version M1\n.thread 0\n.cluster 0\n.thread 1\n.cluster 0\n.thread 0\n"
    "# takt: begin a\nmatfp f32 x=0 y=0 z=0\n# takt: end\n.thread 1\n"
    "# takt: begin a\n.repeat 30\n    ldx x=1 addr=0\n    matfp f32 x=1 y=1 z=0\n.end\n"
    "# takt: end\n";

static double reported(const char *program, const char *region)
{
    const char *trace = takt_temp_path("regions.db");
    takt_expect(ARGS("run", program, "--silence", "all", "--trace", trace), 0, NULL, NULL);
    struct takt_result r = takt_run(ARGS("report", trace, "regions", "--json"));
    json_t *rows = json_loads(r.out, 0, NULL), *row;
    double cycles = -1;
    size_t i;
    json_array_foreach(rows, i, row)
    {
        const char *name = json_string_value(json_object_get(row, "region"));
        if (name && strcmp(name, region) == 0)
            cycles = (double)json_integer_value(json_object_get(row, "cycles"));
    }
    if (cycles < 0)
        fail_msg("no region %s in\n%s%s", region, r.out, r.err);
    json_decref(rows);
    takt_result_free(&r);
    return cycles;
}

static void a_region_is_that_of_the_report(void **unused)
{
    (void)unused;
    const char *vsm = takt_temp_file("regions.vsm", regions_vsm);
    const char *amx = takt_temp_file("regions.amx", regions_amx);
    assert_true(value_of("mncore2", vsm, "region middle") == reported(vsm, "middle"));
    assert_true(value_of("mncore2", vsm, "region moves") == reported(vsm, "moves"));
    assert_true(value_of("amx", amx, "region products") == reported(amx, "products"));
    const char *threads = takt_temp_file("threads.amx", threads_amx);
    assert_true(reported(threads, "a") > 30);
    assert_true(value_of("amx", threads, "region a") == reported(threads, "a"));
}

/* A wait ends a step or two after the transfer's completion. */
static void lines_that_move_or_wait_are_lines(void **unused)
{
    (void)unused;
    const char *vsm = takt_temp_file("lines.vsm", regions_vsm);
    const double first = value_of("mncore2", vsm, "transfer 1"),
                 waited = value_of("mncore2", vsm, "between 1 2"),
                 between = value_of("mncore2", vsm, "between 2 6");
    assert_true(waited >= first && waited <= first + 8);
    assert_true(value_of("mncore2", vsm, "between 1 6") == waited + between);
    assert_true(value_of("mncore2", vsm, "between 6 1") == waited + between);
}

/* The eighth warp of the second workgroup alone gets there. */
static void every_stream_is_looked_at(void **unused)
{
    (void)unused;
    const char *wide = takt_temp_file(
        "wide.ventus",
        "    .launch grid 2\n    .launch workgroup 256\n    .arg a\n    .text\n    csrr t1, wid\n"
        "    li t2, 7\n    bne t1, t2, skip\n    csrr t3, gidx\n    beqz t3, skip\n"
        "    # takt: begin rare\n    addi t4, t4, 1\n    addi t4, t4, 1\n    # takt: end\n"
        "    j fin\nskip:\n    nop\nfin:\n    endprg\n    .buffer a, 64\n");
    assert_true(value_of("ventus", wide, "between 11 12") > 0);
    assert_true(value_of("ventus", wide, "region rare") > 0);
}

/* --- values of numbers ------------------------------------------------------------------------ */

static void open_space(struct fit_space *space, struct config *config, const char *name)
{
    char error[MACHINE_ERROR];
    const struct machine *machine = machine_named(name);
    assert_int_equal(machine_config(machine, config, error, sizeof error), 0);
    assert_int_equal(fit_space_init(space, config), 0);
    assert_int_equal(fit_space_keep_legal(space, machine), 0);
}

/* ventus_valid: a line is a power of two. */
static void a_number_has_the_values_that_make_a_chip(void **unused)
{
    (void)unused;
    static const double powers[] = {8, 16, 32, 64};
    struct fit_space space;
    struct config config;
    open_space(&space, &config, "ventus");
    size_t a = 0;
    while (a < space.count && strcmp(fit_axis_name(&space, a), "l2_line") != 0)
        a++;
    assert_true(a < space.count);
    const struct fit_axis *line = &space.axes[a];
    assert_int_equal(line->value_count, 4);
    assert_memory_equal(line->values, powers, sizeof powers);
    assert_true(fit_axis_round(line, 20) == 16 && fit_axis_round(line, 50) == 64);
    struct fit_dice dice = fit_dice(1, 1);
    for (unsigned k = 0; k < 100; k++) {
        const double value = fit_axis_anywhere(line, &dice);
        assert_true(fit_axis_round(line, value) == value);
    }
    fit_space_free(&space);
    config_free(&config);
}

/* Where a limit binds two numbers, each value of one goes with some of the other. */
static void no_other_number_loses_a_value(void **unused)
{
    (void)unused;
    static const char *const names[] = {"mncore2", "kelvin", "amx", "loops"};
    for (size_t m = 0; m < sizeof names / sizeof *names; m++) {
        struct fit_space space;
        struct config config;
        open_space(&space, &config, names[m]);
        for (size_t a = 0; a < space.count; a++)
            assert_null(space.axes[a].values);
        fit_space_free(&space);
        config_free(&config);
    }
}

/* --- time ------------------------------------------------------------------------------------- */

static void a_bound_in_time_is_of_the_same_clock(void **unused)
{
    (void)unused;
    static const char *const programs[][2] = {{"kelvin", "examples/kelvin/dot.kelvin"},
                                              {"loops", "examples/loops/matmul.loops"},
                                              {"amx", "examples/amx/matmul.amx"}};
    for (size_t p = 0; p < sizeof programs / sizeof *programs; p++) {
        struct one one;
        open_one(&one, programs[p][0], programs[p][1], "time");
        for (unsigned k = 0; k <= 4; k++) {
            struct config variant = config_variant(&one.config);
            size_t clock = 0;
            while (strcmp(variant.params[clock].row->name, "clock_hz") != 0)
                clock++;
            struct param *param = &variant.params[clock];
            param->value =
                param->plausible_low + k * (param->plausible_high - param->plausible_low) / 4;
            double bound = -1, time = -1;
            assert_int_equal(fit_case_time(&one.c, &variant, true, &bound), 0);
            assert_int_equal(fit_case_time(&one.c, &variant, false, &time), 0);
            if (!(bound > 0 && bound <= time))
                fail_msg("%s at %g Hz: bound %g, time %g", programs[p][1], param->value, bound,
                         time);
            free(variant.params);
        }
        close_one(&one);
    }
}

/* --- chip files ------------------------------------------------------------------------------- */

static size_t axis_of(const struct fit *fit, const char *name)
{
    size_t a = 0;
    while (a < fit->space.count && strcmp(fit_axis_name(&fit->space, a), name) != 0)
        a++;
    assert_true(a < fit->space.count);
    return a;
}

/* low < high <= buffer holds for the documented numbers, too: 0, 4096, 4096. */
static void a_rule_of_several_numbers_is_kept(void **unused)
{
    (void)unused;
    static const char list_text[] =
        "machine: mncore2\nmeasurements:\n"
        "- {program: examples/mncore2/measure/wait-modes.vsm, value: 1636, tolerance: 100}\n";
    static const char *const numbers[] = {"dram_write_buffer", "dram_write_high", "dram_write_low"};
    const struct config_file file = {"list.yaml", list_text, sizeof list_text - 1};
    const struct fit_options options = {.threads = 1, .seed = 1, .effort = 1};
    struct fit_list list = {.count = 0};
    struct config config, chip;
    struct fit fit;
    char error[FIT_ERROR] = "";
    assert_int_equal(fit_list_read(&list, &file, error), 0);
    assert_int_equal(machine_config(list.machine, &config, error, sizeof error), 0);
    if (fit_find(&fit, &list, &config, &options, error) != 0)
        fail_msg("%s", error);
    fit.verdict = FIT_EXPLAINED;
    for (unsigned seen = 0; seen < 8; seen++) { /* as if a measurement had seen these */
        char *text = NULL;
        size_t size = 0;
        for (unsigned k = 0; k < 3; k++)
            fit.numbers[axis_of(&fit, numbers[k])].seen = seen >> k & 1;
        if (fit_make_chip(&fit, &text, &size, error) != 0)
            fail_msg("%u: %s", seen, error);
        const struct config_file written = {"chip.yaml", text, size};
        assert_int_equal(machine_config(list.machine, &chip, error, sizeof error), 0);
        assert_int_equal(config_overlay(&chip, &written, error, sizeof error), 0);
        assert_int_equal(list.machine->timing->valid(&chip, error), 0);
        config_free(&chip);
        free(text);
    }
    fit_free(&fit);
    config_free(&config);
    fit_list_free(&list);
}

/* --- a search that is stopped ----------------------------------------------------------------- */

struct stop {
    unsigned long calls, at;
};

static bool is_stopped(void *context)
{
    struct stop *stop = context;
    return ++stop->calls > stop->at;
}

static unsigned accused(struct stop *stop)
{
    static const char text[] =
        "machine: loops\nmeasurements:\n"
        "- {program: examples/loops/dot.loops, value: 159, tolerance: 1}\n"
        "- {program: examples/loops/matmul.loops, value: 7496, tolerance: 1}\n"
        "- {program: examples/loops/matmul.loops, value: 9900}\n";
    const struct config_file file = {"list.yaml", text, sizeof text - 1};
    struct fit_list list = {.count = 0};
    struct config config;
    struct fit fit;
    char error[FIT_ERROR] = "";
    assert_int_equal(fit_list_read(&list, &file, error), 0);
    assert_int_equal(machine_config(list.machine, &config, error, sizeof error), 0);
    const struct fit_options options = {
        .threads = 1, .seed = 1, .effort = 2, .stopped = is_stopped, .context = stop};
    const int status = fit_find(&fit, &list, &config, &options, error);
    unsigned count = 0;
    if (status < 0 || (status > 0 && stop->at > stop->calls))
        fail_msg("%s", error);
    for (size_t c = 0; status == 0 && c < fit.count; c++)
        count += fit.rows[c].alone || fit.rows[c].conflicts;
    fit_free(&fit);
    config_free(&config);
    fit_list_free(&list);
    return count;
}

static void a_search_that_is_stopped_accuses_nothing(void **unused)
{
    (void)unused;
    struct stop whole = {.at = UINT32_MAX};
    assert_true(accused(&whole) > 0);
    for (unsigned k = 1; k < 16; k++) {
        struct stop stop = {.at = whole.calls * k / 16};
        if (accused(&stop))
            fail_msg("stopped at %lu of %lu", stop.at, whole.calls);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_number_has_the_values_that_make_a_chip),
        cmocka_unit_test(no_other_number_loses_a_value),
        cmocka_unit_test(a_region_is_that_of_the_report),
        cmocka_unit_test(lines_that_move_or_wait_are_lines),
        cmocka_unit_test(every_stream_is_looked_at),
        cmocka_unit_test(a_bound_in_time_is_of_the_same_clock),
        cmocka_unit_test(a_rule_of_several_numbers_is_kept),
        cmocka_unit_test(a_search_that_is_stopped_accuses_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
