/*
 * The DRAM of one group beside DRAMsim3, a public cycle-accurate simulator, with the same bus,
 * tRCD, tRP, tRAS, tCL and turnaround: the figures of its runs in cycles of 750 MHz, without
 * refresh and without the latencies of a transfer, fed through a path of 16 long words a cycle.
 * Single streams are within 5 %, the others within 10 %.
 *
 * 1,024 granules of 16 long words unless stated. Default map: granule g lies in channel g % 4,
 * column g / 4 % 16, bank g / 64 % 16, row g / 1024; "same banks" are streams 16 Ki long words, one
 * row, from each other.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/dice.h"
#include "tests/mncore2/timing_kit.h"

enum { ENTRIES = 1024 };

static const char *const bare[] = {"dram_trefi=0", "mv_start_latency=0", "mv_notice_latency=0",
                                   "dram_port=16", NULL};
static const char *const defaults[] = {NULL};

static uint64_t total(const char *text, const char *dar, const char *const *sets)
{
    struct kit kit = {.options = {.packing = "none", .dar = dar}};
    for (size_t i = 0; sets[i]; i++)
        kit.sets[i] = sets[i];
    if (kit_run(&kit, text) != 0)
        fail_msg("%s", kit.error);
    kit_consistent(&kit);
    const uint64_t cycles = kit.summary.cycles;
    kit_free(&kit);
    return cycles;
}

static void within(const char *name, uint64_t cycles, uint64_t figure, uint64_t percent)
{
    const uint64_t difference = cycles > figure ? cycles - figure : figure - cycles;
    if (100 * difference > percent * figure)
        fail_msg("%s: %llu cycles are not within %llu %% of %llu", name, (unsigned long long)cycles,
                 (unsigned long long)percent, (unsigned long long)figure);
}

/* --- direct ----------------------------------------------------------------------------------- */

static void direct_streams(void **unused)
{
    (void)unused;
    static const struct {
        const char *name, *text;
        unsigned figure, percent;
    } rows[] = {
        {"read 16 Ki", "mvp/n16384 $d0@0 $lc0@0.0\n", 1110, 5},
        {"read 128 Ki", "mvp/n131072 $d0@0 $lc0@0.0\n", 8278, 5},
        {"write 16 Ki", "mvp/n16384 $lc0@0.0 $d0@0\n", 1024, 5},
        {"write 128 Ki", "mvp/n131072 $lc0@0.0 $d0@0\n", 8192, 5},
        {"two reads, same banks", "mvp/n16384 $d0@0 $lc0@0.0\nmvp/n16384 $d16384@0 $lc0@0.1\n",
         2107, 10},
        {"four reads of 4 Ki",
         "mvp/n4096 $d0@0 $lc0@0.0\nmvp/n4096 $d16384@0 $lc0@0.1\n"
         "mvp/n4096 $d32768@0 $lc4096@0.0\nmvp/n4096 $d49152@0 $lc4096@0.1\n",
         1079, 10},
        {"read + write", "mvp/n16384 $d0@0 $lc0@0.0\nmvp/n16384 $lc0@0.1 $d16384@0\n", 2048, 10},
        {"two writes, same banks",
         "mvp/n16384i01 $lc0@0.0 $d0@0\nmvp/n16384i02 $lc0@0.1 $d16384@0\n", 2048, 10},
        {"read + 2 writes, 2,048 each",
         "mvp/n32768 $d0@0 $lc0@0.0\nmvp/n32768 $lc0@0.1 $d32768@0\n"
         "mvp/n32768 $lc0@0.0 $d65536@0\n",
         6475, 10},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        within(rows[i].name, total(rows[i].text, NULL, bare), rows[i].figure, rows[i].percent);
}

/* --- through DAR ------------------------------------------------------------------------------ */

static uint64_t indirect(const char *text, const uint64_t *addresses, const char *const *sets)
{
    char path[] = "/tmp/takt-dar-XXXXXX";
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    FILE *file = fdopen(fd, "w");
    assert_non_null(file);
    for (unsigned i = 0; i < ENTRIES; i++)
        fprintf(file, "0 %u 0x%llx\n", i, (unsigned long long)addresses[i]);
    assert_int_equal(fclose(file), 0);
    const uint64_t cycles = total(text, path, sets);
    unlink(path);
    return cycles;
}

static const char gather[] = "mvp/n16384nd1 $di0@0 $lc0@0.0\n";
static const char scatter[] = "mvp/n16384nd1 $lc0@0.0 $di0@0\n";

static uint64_t strided(const char *text, unsigned stride, const char *const *sets)
{
    uint64_t addresses[ENTRIES];
    for (unsigned i = 0; i < ENTRIES; i++)
        addresses[i] = (uint64_t)stride * i;
    return indirect(text, addresses, sets);
}

static void strides(void **unused)
{
    (void)unused;
    static const struct {
        unsigned stride, figure;
    } rows[] = {{2, 1599}, {4, 3112}, {16, 3119}, {64, 3112}, {256, 8965}, {1024, 35836}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char name[40];
        snprintf(name, sizeof name, "gather, stride %u", rows[i].stride);
        within(name, strided(gather, rows[i].stride, bare), rows[i].figure, 5);
    }
    within("scatter, stride 1,024", strided(scatter, 1024, bare), 33303, 5);
}

/* The mean of eight sets of addresses; the scatter goes through each set four times. */
static void random_addresses(void **unused)
{
    (void)unused;
    enum { SETS = 8 };
    struct dice dice = {1};
    uint64_t reads = 0, writes = 0;
    for (unsigned set = 0; set < SETS; set++) {
        uint64_t addresses[ENTRIES];
        for (unsigned i = 0; i < ENTRIES; i++)
            addresses[i] = dice_below(&dice, 1 << 25);
        reads += indirect(gather, addresses, bare);
        writes += indirect("mvp/n65536nd1 $lc0@0.0 $di0@0\n", addresses, bare);
    }
    within("random gather", reads / SETS, 1354, 5);
    within("random scatter of 4,096", writes / SETS, 4096, 5);
}

/* --- with everything -------------------------------------------------------------------------- */

/* Two writes that open rows of the same banks: the path's 2 x 1,024 cycles, as with other banks. */
static void an_address_does_not_matter(void **unused)
{
    (void)unused;
    within(
        "two writes, same banks",
        total("mvp/n16384i01 $lc0@0.0 $d0@0\nmvp/n16384i02 $lc0@0.1 $d16384@0\n", NULL, defaults),
        2048, 5);
    within(
        "two writes, other banks",
        total("mvp/n16384i01 $lc0@0.0 $d0@0\nmvp/n16384i02 $lc0@0.1 $d17408@0\n", NULL, defaults),
        2048, 5);
}

/* A bank that has work puts its refresh off until it has none. */
static void refresh_costs_little(void **unused)
{
    (void)unused;
    static const unsigned values[] = {2, 4, 16, 64, 256, 1024};
    static const char *const no_refresh[] = {"dram_trefi=0", NULL};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        within("gather with refresh", strided(gather, values[i], defaults),
               strided(gather, values[i], no_refresh), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(direct_streams),       cmocka_unit_test(strides),
        cmocka_unit_test(random_addresses),     cmocka_unit_test(an_address_does_not_matter),
        cmocka_unit_test(refresh_costs_little),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
