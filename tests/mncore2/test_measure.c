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

/* 16384 long words through a link of 8 a cycle: 512 steps; each transfer alone has its mode's 8:
 * 256. Latencies come on top, those of DRAM too. */
static void a_link_is_shared(void **unused)
{
    (void)unused;
    const struct counters shared = COUNT("ports.vsm", "--silence", "all");
    const struct counters wide = COUNT("ports.vsm", "--set", "link_width=16");
    assert_in_range(both(&shared, 1, 2), 512, 536);
    assert_in_range(both(&wide, 1, 2), 256, 280);
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_run),
                                       cmocka_unit_test(rows_have_numbers),
                                       cmocka_unit_test(slots_are_free),
                                       cmocka_unit_test(shortest_transfers),
                                       cmocka_unit_test(nothing_limits_transfers),
                                       cmocka_unit_test(a_link_is_shared),
                                       cmocka_unit_test(rows_cost),
                                       cmocka_unit_test(turns_cost)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
