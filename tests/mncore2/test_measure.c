/*
 * measure: the ten programs for the hardware. Each is legal, says nothing but the note on 3.5.9,
 * runs to its end and is named in docs/deviations.md; what the model expects of its counters is
 * derived by hand here, and moves with the number that the program is to measure.
 */
#include <glob.h>
#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "host/number.h"
#include "tests/takt_expect.h"
#include "tests/takt_process.h"

#define MEASURE "examples/mncore2/measure/"

enum { PROGRAMS = 10, TAGS = 256 };

/* Cycles, and steps that waited for each tag. */
struct counters {
    json_int_t cycles, tag[TAGS];
};

static struct counters count(const char *const *arguments)
{
    struct counters counters = {0};
    struct takt_result r = takt_run(arguments);
    if (r.exit_code != 0)
        fail_msg("%s: exit %d\n%s", arguments[1], r.exit_code, r.err);
    json_t *root = json_loads(r.out, 0, NULL), *tag;
    assert_non_null(root);
    assert_true(json_is_true(json_object_get(root, "complete")));
    counters.cycles = json_integer_value(json_object_get(root, "cycles"));
    size_t i;
    json_array_foreach(json_object_get(json_object_get(root, "nops"), "tags"), i, tag)
        counters.tag[json_integer_value(json_object_get(tag, "tag")) % TAGS] =
        json_integer_value(json_object_get(tag, "steps"));
    json_decref(root);
    takt_result_free(&r);
    return counters;
}

#define COUNT(program, ...) count(ARGS("run", MEASURE program, "--json", __VA_ARGS__))

static void all_run(void **unused)
{
    (void)unused;
    glob_t files;
    assert_int_equal(glob(MEASURE "*.vsm", 0, NULL, &files), 0);
    assert_int_equal(files.gl_pathc, PROGRAMS);
    char *page = takt_read_file("docs/deviations.md", NULL);
    assert_non_null(page);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        const char *path = files.gl_pathv[i], *name = strrchr(path, '/') + 1;
        takt_expect(ARGS("check", path, "--werror", "--json"), 0, "\"warnings\": 0", NULL);
        assert_true(count(ARGS("run", path, "--json")).cycles > 0);
        char named[80];
        snprintf(named, sizeof named, "`%s`", name);
        if (!strstr(page, named))
            fail_msg("docs/deviations.md does not say what %s measures", name);
        char *text = takt_read_file(path, NULL);
        assert_non_null(text);
        if (!strstr(text, "\n# Read: "))
            fail_msg("%s does not say what to read", name);
        free(text);
    }
    free(page);
    globfree(&files);
}

/* Each row has a number of its own, and those that the ten programs would settle are there. */
static void rows_have_numbers(void **unused)
{
    (void)unused;
    enum { ROWS = 1000 };
    static unsigned seen[ROWS];
    char *page = takt_read_file("docs/deviations.md", NULL);
    assert_non_null(page);
    unsigned rows = 0;
    for (const char *at = page; (at = strstr(at, "\n| ")); at++) {
        char *end;
        const unsigned long number = strtoul(at + 3, &end, 10);
        if (end == at + 3)
            continue;
        if (number >= ROWS || seen[number]++)
            fail_msg("row %lu of docs/deviations.md is there twice", number);
        rows++;
    }
    assert_true(rows > 130);
    /* `| 86, 92; ...` at the end of the programs' rows. */
    for (const char *at = page; (at = strstr(at, "\n| `")); at++) {
        const char *end = strchr(at + 1, '\n');
        while (end[-1] != '|' || end[0] != ' ')
            end--;
        for (char *next; *end == ' ' || *end == ','; end = next) {
            const unsigned long number = strtoul(end + 1, &next, 10);
            if (next == end + 1)
                break;
            if (number >= ROWS || !seen[number])
                fail_msg("docs/deviations.md has no row %lu", number);
        }
    }
    free(page);
}

/* 10000 units of 3 PE slots, 15000 of 2: 30000 steps each, as long as the MV slot is free. */
static void slots_are_free(void **unused)
{
    (void)unused;
    assert_int_equal(COUNT("mv-slot.vsm", "--packing", "auto").cycles, 120000);
    assert_int_equal(COUNT("mv-slot.vsm", "--packing", "flat").cycles, 120000);
}

/*
 * Without latencies an operation is done after the cycles that 3.5.8 gives 64 counted long words:
 * the wait takes these in steps. With the default ones each takes 8 more, 16 + 16 cycles; those
 * that read DRAM wait for its data besides.
 */
static void shortest_transfers(void **unused)
{
    (void)unused;
    static const struct {
        unsigned cycles;
        bool reads_dram;
    } modes[24] = {
        {4, false}, {8, true},  {4, false},  {4, false},  {4, true},  {4, false}, /* .2 to .7 */
        {8, false}, {4, false}, {4, false},  {4, true},   {4, false}, {4, true},  /* to .13 */
        {4, false}, {4, false}, {4, true},   {4, false},  {8, false}, {8, false}, /* to .19 */
        {2, true},  {2, false}, {64, false}, {64, false}, {8, false}, {8, true},  /* to .25 */
    };
    const struct counters bare = COUNT("wait-modes.vsm", "--documented");
    const char *calm = "dram_trefi=0"; /* a refresh meets one mode or another */
    const struct counters chip = COUNT("wait-modes.vsm", "--set", calm);
    const struct counters slow =
        COUNT("wait-modes.vsm", "--set", calm, "--set", "mv_notice_latency=36");
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        const json_int_t steps = (modes[i].cycles + 3) / 4;
        assert_int_equal(bare.tag[i + 1], steps);
        if (!modes[i].reads_dram)
            assert_int_equal(chip.tag[i + 1], (32 + modes[i].cycles + 3) / 4);
        else
            assert_true(chip.tag[i + 1] > steps + 8);
        assert_int_equal(slow.tag[i + 1], chip.tag[i + 1] + 5); /* 20 cycles later */
    }
}

/*
 * The long transfer has 1024 operations of 8 cycles, and each of the n - 1 short ones takes its
 * turn among them: 8192 + 8 (n - 1) cycles and 32 of latency. The MV statements between, each in a
 * unit of its own, take 12 (n - 1) of these; the rest is waited for: 2056 - (n - 1) steps.
 */
static void nothing_limits_transfers(void **unused)
{
    (void)unused;
    const struct counters got = COUNT("in-flight.vsm", "--silence", "all");
    for (int round = 1, n = 4; round <= 5; round++, n *= 2)
        assert_int_equal(got.tag[round], 2056 - (n - 1));
}

static json_int_t both(const struct counters *counters, unsigned a, unsigned b)
{
    return counters->tag[a] + counters->tag[b];
}

/* Long words over the width of the way that they share, in steps, and latencies, those of DRAM too.
 * Alone each has its mode's rate, 16 or 8. */
static void ways_are_shared(void **unused)
{
    (void)unused;
    const struct counters chip = COUNT("ports.vsm", "--silence", "all");
    const struct counters wide =
        COUNT("ports.vsm", "--set", "link_width=16", "--set", "pdm_port=32", "--set",
              "l2bm_port=64", "--set", "dram_port=0", "--set", "dram_tccd=0");
    assert_in_range(both(&chip, 1, 2), 16384 / 8 / 4, 16384 / 8 / 4 + 24);
    assert_in_range(both(&wide, 1, 2), 16384 / 16 / 4, 16384 / 16 / 4 + 24);
    assert_in_range(both(&chip, 3, 4), 12288 / 16 / 4, 12288 / 16 / 4 + 24);
    assert_in_range(both(&wide, 3, 4), 4096 / 8 / 4, 4096 / 8 / 4 + 24);
    assert_true(both(&chip, 5, 6) > 12288 * 3 / 64 / 4);
    assert_in_range(both(&wide, 5, 6), 4096 / 8 / 4, 4096 / 8 / 4 + 24);
    assert_in_range(both(&chip, 7, 8) + chip.tag[9], 20480 / 32 / 4, 20480 / 32 / 4 + 24);
    assert_in_range(both(&wide, 7, 8) + wide.tag[9], 4096 / 8 / 4, 4096 / 8 / 4 + 24);
}

/* Rows of one bank, opened for one granule each: 256 times tRAS + tRP, or nothing of it. */
static void rows_cost(void **unused)
{
    (void)unused;
    const struct counters chip = COUNT("gather.vsm", "--silence", "all");
    const struct counters free_rows =
        COUNT("gather.vsm", "--set", "dram_tras=0", "--set", "dram_trp=0", "--set", "dram_trcd=0");
    assert_true(chip.tag[4] > 256 * 30 / 4); /* steps */
    assert_true(free_rows.tag[4] < chip.tag[4] / 2);
    assert_true(chip.tag[1] < chip.tag[2] && chip.tag[2] < chip.tag[4]);
}

/* A turn for each change of direction, or none. */
static void turns_cost(void **unused)
{
    (void)unused;
    const struct counters slow = COUNT("read-write.vsm", "--set", "dram_turnaround=1000");
    const struct counters none = COUNT("read-write.vsm", "--set", "dram_turnaround=0");
    assert_true(both(&slow, 3, 4) > both(&none, 3, 4) + 1000 / 4);
    assert_int_equal(slow.tag[1], none.tag[1]);
}

/* --- what a row says that a program measures -------------------------------------------------- */

/* Parameters of the rows, at both ends of what is plausible, and the tags whose steps are added; no
 * tag: the cycles. No plausible rate of supply is low enough. */
static const struct {
    const char *program, *parameter, *ends[2];
    bool said; /* the row has the numbers of both */
    unsigned tags[3];
    const char *packing;
} named[] = {
    {"mv-slot.vsm", "mv_slot_steps_auto", {"0", "1"}, true, {0}, "auto"},
    {"mv-slot.vsm", "mv_slot_steps_flat", {"0", "2"}, true, {0}, "flat"},
    {"mv-slot.vsm", "supply_bytes", {"12", "42.666667"}, false, {0}, "flat"},
    {"wait-modes.vsm", "mv_start_latency", {"4", "64"}, false, {1}, NULL},
    {"wait-modes.vsm", "mv_notice_latency", {"4", "64"}, false, {1}, NULL},
    {"wait-modes.vsm", "dram_tcl", {"9", "18"}, false, {2}, NULL},
    {"dram-pdm.vsm", "mode_cap_scope", {"transfer", "path"}, false, {2, 3}, NULL},
    {"two-writes.vsm", "dram_window", {"4", "64"}, true, {1, 2}, NULL},
    {"read-write.vsm", "dram_turnaround", {"3", "12"}, true, {5, 6}, NULL},
    {"read-write.vsm", "dram_write_buffer", {"48", "128"}, true, {3, 4}, NULL},
    {"read-write.vsm", "dram_write_high", {"32", "48"}, true, {3, 4}, NULL},
    {"read-write.vsm", "dram_write_low", {"0", "24"}, true, {5, 6}, NULL},
    {"gather.vsm", "dram_channels", {"4", "8"}, true, {4}, NULL},
    {"gather.vsm",
     "dram_map",
     {"row:bank:column:channel", "row:bank:channel:column"},
     true,
     {2},
     NULL},
    {"gather.vsm", "dram_tccd", {"3", "4"}, true, {2}, NULL},
    {"gather.vsm", "dram_tras", {"20", "30"}, true, {4}, NULL},
    {"gather.vsm", "dram_trp", {"9", "15"}, true, {4}, NULL},
    {"ports.vsm", "link_width", {"8", "16"}, true, {1, 2}, NULL},
    {"ports.vsm", "pdm_port", {"16", "32"}, true, {3, 4}, NULL},
    {"ports.vsm", "dram_port", {"16", "21.333333"}, true, {5, 6}, NULL},
    {"ports.vsm", "l2bm_port", {"32", "64"}, true, {7, 8, 9}, NULL},
};
enum { NAMED = sizeof named / sizeof *named };

/* The row of a program, without its end of line; to be freed. */
static char *row_of(const char *page, const char *program)
{
    char name[80];
    snprintf(name, sizeof name, "\n| `%s` |", program);
    const char *at = strstr(page, name);
    assert_non_null(at);
    char *row = strndup(at + 1, strcspn(at + 1, "\n"));
    assert_non_null(row);
    return row;
}

static json_int_t measured(size_t i, unsigned end)
{
    char path[80], setting[80];
    snprintf(path, sizeof path, MEASURE "%s", named[i].program);
    snprintf(setting, sizeof setting, "%s=%s", named[i].parameter, named[i].ends[end]);
    const struct counters got = count(ARGS("run", path, "--json", "--set", setting,
                                           named[i].packing ? "--packing" : "--silence",
                                           named[i].packing ? named[i].packing : "all"));
    json_int_t sum = 0;
    for (unsigned t = 0; t < 3; t++)
        sum += named[i].tags[t] ? got.tag[named[i].tags[t]] : 0;
    return named[i].tags[0] ? sum : got.cycles;
}

static void parameters_move_their_numbers(void **unused)
{
    (void)unused;
    char *page = takt_read_file("docs/deviations.md", NULL);
    assert_non_null(page);
    for (size_t i = 0; i < NAMED; i++) {
        char *row = row_of(page, named[i].program), number[32];
        const json_int_t ends[] = {measured(i, 0), measured(i, 1)};
        if (ends[0] == ends[1])
            fail_msg("%s does not move with %s", named[i].program, named[i].parameter);
        for (unsigned end = 0; end < 2 && named[i].said; end++)
            if (!strstr(row, number_group(number, ends[end])))
                fail_msg("the row of %s does not say %s, of %s=%s", named[i].program, number,
                         named[i].parameter, named[i].ends[end]);
        free(row);
    }
    free(page);
}

/* Each that a row names is in the table above. */
static void rows_name_what_moves(void **unused)
{
    (void)unused;
    char *page = takt_read_file("docs/deviations.md", NULL);
    assert_non_null(page);
    glob_t files;
    assert_int_equal(glob(MEASURE "*.vsm", 0, NULL, &files), 0);
    for (size_t f = 0; f < files.gl_pathc; f++) {
        const char *program = strrchr(files.gl_pathv[f], '/') + 1;
        char *row = row_of(page, program), *state = NULL;
        char *cell = strrchr(row, ';');
        for (char *name = cell ? strtok_r(cell, "`", &state) : NULL; name;
             name = strtok_r(NULL, "`", &state)) {
            size_t i = 0;
            while (i < NAMED && (strcmp(named[i].program, program) != 0 ||
                                 strcmp(named[i].parameter, name) != 0))
                i++;
            if (i == NAMED && name[0] >= 'a' && name[0] <= 'z')
                fail_msg("%s: does it measure %s?", program, name);
        }
        free(row);
    }
    free(page);
    globfree(&files);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_run),
                                       cmocka_unit_test(rows_have_numbers),
                                       cmocka_unit_test(slots_are_free),
                                       cmocka_unit_test(shortest_transfers),
                                       cmocka_unit_test(nothing_limits_transfers),
                                       cmocka_unit_test(ways_are_shared),
                                       cmocka_unit_test(rows_cost),
                                       cmocka_unit_test(turns_cost),
                                       cmocka_unit_test(parameters_move_their_numbers),
                                       cmocka_unit_test(rows_name_what_moves)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
