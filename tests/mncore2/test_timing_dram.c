/*
 * DRAM: sequences, strides, rows, refresh, turnaround, write buffer, against formulas by hand.
 *
 * Default chip: 4 channels, a granule of 16 long words each 3 cycles (tCCD); tRCD 11, tRP 11, tRAS
 * 24; from a read's slot on it takes tCL 12 and the controller's 15; a transfer starts 16 cycles
 * after its issue and its notice takes 16 more. An operation of 64 long words is 4 granules and 4
 * cycles of the path. Map row:bank:column:channel: granule g lies in channel g % 4, column g / 4 %
 * 16, bank g / 64 % 16, row g / 1024.
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

enum { START = 16, NOTICE = 16, TRCD = 11, TRP = 11, TRAS = 24, LAG = 12 + 15, TCCD = 3, PATH = 4 };
enum { ENTRIES = 1024 };

static struct dice dice = {1};

/* DAR of group 0 with these addresses, in a temporary file. */
static void write_dar(char path[32], uint64_t (*address)(uint64_t entry))
{
    snprintf(path, 32, "/tmp/takt-dar-XXXXXX");
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    FILE *file = fdopen(fd, "w");
    assert_non_null(file);
    fprintf(file, "# group entry address\n");
    for (uint64_t i = 0; i < ENTRIES; i++)
        fprintf(file, "0 %llu 0x%llx\n", (unsigned long long)i, (unsigned long long)address(i));
    assert_int_equal(fclose(file), 0);
}

/* From issue to completion of the last transfer. */
static uint64_t took(const char *dar, const char *const *sets, const char *text)
{
    struct kit kit = {.options = {.packing = "none", .dar = dar}};
    for (size_t i = 0; sets && sets[i]; i++)
        kit.sets[i] = sets[i];
    if (kit_run(&kit, text) != 0)
        fail_msg("%s", kit.error);
    kit_consistent(&kit);
    const struct sink_transfer *t = &kit.transfers[kit.transfer_count - 1];
    const uint64_t cycles = t->finished - t->issued;
    kit_free(&kit);
    return cycles;
}

static uint64_t indirect(uint64_t (*address)(uint64_t entry), bool write, uint64_t operations,
                         const char *const *sets)
{
    char path[32], text[100];
    write_dar(path, address);
    snprintf(text, sizeof text,
             write ? "mvp/n%llund1 $lc0@0.0 $di0@0\n" : "mvp/n%llund1 $di0@0 $lc0@0.0\n",
             (unsigned long long)(64 * operations));
    const uint64_t cycles = took(path, sets, text);
    unlink(path);
    return cycles;
}

/* The first data are there TRCD + LAG + TCCD after the request; then the path's 16 a cycle. */
static void a_sequence(void **unused)
{
    (void)unused;
    const uint64_t first = START + TRCD + LAG + TCCD + NOTICE;
    assert_int_equal(took(NULL, NULL, "mvp/n64 $d0@0 $lc0@0.0\n"), first + PATH);
    assert_int_equal(took(NULL, NULL, "mvp/n262144 $d0@0 $lc0@0.0\n"), first + 4096 * PATH);
    /* 262,144 long words in 16,384 cycles are 16 a cycle: 75 % of what the channels could. */
    assert_int_equal(took(NULL, NULL, "mvp/n262144 $lc0@0.0 $d0@0\n"),
                     START + 4096 * PATH + NOTICE);
    /* Both halves of an address run over the end of DRAM. */
    assert_int_equal(took(NULL, NULL, "mvp/n128 $d536870848@0 $lc0@0.0\n"), first + 2 * PATH);
}

static uint64_t every_fourth(uint64_t entry)
{
    return 4 * entry;
}

/* All in channel 0, rows hit: 16 long words every 3 cycles, a fourth of the raw rate. The last
 * granule of k operations, the 4 k-th, is there TRCD + LAG + 3 * 4 k after the requests. The rows
 * of all banks are opened while others are read. */
static void stride_of_one_channel(void **unused)
{
    (void)unused;
    static const uint64_t sizes[] = {1, 2, 8, 16};
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(indirect(every_fourth, false, sizes[i], NULL),
                         START + TRCD + LAG + 4 * TCCD * sizes[i] + PATH + NOTICE);
}

static uint64_t every_row(uint64_t entry)
{
    return 1024 * entry;
}

/* The worst: one channel, one bank, another row each time. Row cycle tRAS + tRP = 35. */
static void stride_of_rows(void **unused)
{
    (void)unused;
    static const uint64_t sizes[] = {1, 2, 5, 9};
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(indirect(every_row, false, sizes[i], NULL),
                         START + TRCD + (TRAS + TRP) * (4 * sizes[i] - 1) + LAG + TCCD + PATH +
                             NOTICE);
}

/* Writes of the same stride are posted as long as fewer than 64 wait in the channel. Operation j,
 * at START + 4 j, brings 4 of them; slots begin at START + TRCD + 3 k. Before the operation can
 * start all but 63 of the 4 j before it must have begun: the last, k = 4 j - 64, a cycle before. */
static void posted_writes(void **unused)
{
    (void)unused;
    /* j = 22: k = 24 begins at 27 + 72 = 99, the operation is at 16 + 88 = 104: posted. j = 23:
     * k = 28 begins at 111, which is later than 16 + 92 = 108. */
    static const char *const no_refresh[] = {"dram_trefi=0", NULL};
    assert_int_equal(indirect(every_fourth, true, 23, no_refresh),
                     START + 22 * PATH + PATH + NOTICE);
    assert_int_equal(indirect(every_fourth, true, 24, no_refresh),
                     START + TRCD + 3 * (4 * 23 - 64) + 1 + PATH + NOTICE);
    assert_int_equal(indirect(every_fourth, true, 64, no_refresh),
                     START + TRCD + 3 * (4 * 63 - 64) + 1 + PATH + NOTICE);
}

static uint64_t scattered(uint64_t entry)
{
    (void)entry;
    return dice_next(&dice) % (1 << 25);
}

/* Random addresses: slower than a sequence, faster than one bank; channels and banks work side by
 * side, so the mean of four channels' longest queue bounds it: 256 granules on 4 channels are at
 * least 64 x 3 cycles, and with 16 banks each at most a few row cycles a bank. */
static void random_addresses(void **unused)
{
    (void)unused;
    const uint64_t cycles = indirect(scattered, false, 64, NULL);
    const uint64_t sequence = START + TRCD + LAG + TCCD + 64 * PATH + NOTICE;
    const uint64_t one_bank = START + TRCD + (TRAS + TRP) * 255 + LAG + TCCD + PATH + NOTICE;
    assert_true(cycles > sequence);
    assert_true(cycles < one_bank / 4);
}

static uint64_t same(uint64_t entry)
{
    (void)entry;
    return 7;
}

/* nd: N granules in a row from each entry. nd4 on entries 4 apart is a sequence again; without nd
 * the first entry serves for all. */
static void consecutive_entries(void **unused)
{
    (void)unused;
    char path[32];
    const uint64_t sequence = START + TRCD + LAG + TCCD + 16 * PATH + NOTICE;
    write_dar(path, every_fourth);
    assert_int_equal(took(path, NULL, "mvp/n1024nd4 $di0@0 $lc0@0.0\n"), sequence);
    assert_int_equal(took(path, NULL, "mvp/n1024 $di0@0 $lc0@0.0\n"), sequence);
    unlink(path);
    /* One granule again and again: one channel, row open. */
    assert_int_equal(indirect(same, false, 4, NULL),
                     START + TRCD + LAG + 4 * TCCD * 4 + PATH + NOTICE);
}

/* Bank 15 is refreshed first, at 1425 / 16 = 89, for 45 cycles: until 134. A read that arrives in
 * that time waits for the rest of it. Granule 960 (long word 15360) lies in bank 15. */
static void refresh(void **unused)
{
    (void)unused;
    const uint64_t free_of_it = START + TRCD + LAG + TCCD + PATH + NOTICE;
    static const struct {
        unsigned nops;
        uint64_t delay;
    } rows[] = {{18, 0},         /* issue 72, arrival 88: just before */
                {19, 134 - 92},  /* arrival 92 */
                {29, 134 - 132}, /* arrival 132 */
                {30, 0}};        /* arrival 136 */
    for (size_t i = 0; i < 4; i++) {
        char text[100];
        snprintf(text, sizeof text, "nop/%u\nmvp/n64 $d15360@0 $lc0@0.0\n", rows[i].nops);
        assert_int_equal(took(NULL, NULL, text), free_of_it + rows[i].delay);
        snprintf(text, sizeof text, "nop/%u\nmvp/n64 $d0@0 $lc0@0.0\n", rows[i].nops);
        assert_int_equal(took(NULL, NULL, text), free_of_it); /* bank 0 is not touched */
    }
}

/* With one row of one bank each, every granule opens another row of the same bank: without refresh
 * tRAS + tRP = 24 + 11 cycles each. The bank never is without work, so it refreshes as soon as it
 * owes nine, once in each tREFI from then on; each costs tRFC, at most with tRP and tRAS. */
static void refresh_and_rows(void **unused)
{
    (void)unused;
    static const char map[] = "dram_map=channel:bank:column:row";
    static const char text[] = "mvp/n8192 $d0@0 $lc0@0.0\n";
    const uint64_t without = took(NULL, (const char *const[]){map, "dram_trefi=0", NULL}, text);
    assert_int_equal(without, START + 511 * (24 + 11) + TRCD + LAG + TCCD + PATH + NOTICE);
    static const struct {
        const char *set;
        uint64_t trefi;
    } every[] = {{"dram_trefi=1425", 1425}, {"dram_trefi=600", 600}, {"dram_trefi=300", 300}};
    for (size_t i = 0; i < 3; i++) {
        const uint64_t cycles = took(NULL, (const char *const[]){map, every[i].set, NULL}, text);
        /* The first of bank 0 is due after tREFI; 8 are put off. */
        const uint64_t refreshes = cycles / every[i].trefi - 8;
        assert_true(cycles >= without + (refreshes - 1) * 45);
        assert_true(cycles <= without + refreshes * (45 + TRAS + TRP));
    }
}

/* Write of a row at 16: activate, start 27, channel free at 30. A read of the same row that arrives
 * at 24 goes first; one that arrives at 28 turns the channel: 30 + 6; one that arrives at 48 finds
 * the row open and the channel idle. */
static void turnaround(void **unused)
{
    (void)unused;
    assert_int_equal(took(NULL, NULL, "mvp/n64 $p0@0 $d0@0\nnop/2\nmvp/n64 $d0@0 $lc0@0.0\n"),
                     27 - 8 + LAG + TCCD + PATH + NOTICE);
    assert_int_equal(took(NULL, NULL, "mvp/n64 $p0@0 $d0@0\nnop/3\nmvp/n64 $d0@0 $lc0@0.0\n"),
                     36 - 12 + LAG + TCCD + PATH + NOTICE);
    assert_int_equal(took(NULL, NULL, "mvp/n64 $p0@0 $d0@0\nnop/8\nmvp/n64 $d0@0 $lc0@0.0\n"),
                     START + LAG + TCCD + PATH + NOTICE);
    /* Read after read: no turn. The second has its slot at 30, its data at 30 + LAG + TCCD = 60;
     * the first has the path from 27 + 30 = 57 on, until 61. */
    assert_int_equal(took(NULL, NULL, "mvp/n64 $d0@0 $lc0@0.1\nnop\nmvp/n64 $d0@0 $lc0@0.0\n"),
                     61 - 4 + PATH + NOTICE);
}

/* The address map decides what a sequence does: with the channel on top, 1024 granules in a row go
 * to one channel: 3 cycles each. */
static void address_map(void **unused)
{
    (void)unused;
    static const char *const map[] = {"dram_map=channel:row:bank:column", NULL};
    assert_int_equal(took(NULL, map, "mvp/n1024 $d0@0 $lc0@0.0\n"),
                     START + TRCD + LAG + 64 * TCCD + PATH + NOTICE);
    static const char *const wrong[] = {"dram_map=row:bank:bank:channel", NULL};
    struct kit kit = {.options = {.packing = "none"}, .sets = {wrong[0]}};
    assert_int_equal(kit_run(&kit, "nop\n"), 1);
    kit_free(&kit);
}

/* A run without values does not know the DAR; --documented needs none of them but asks all the
 * same, since the other total does. */
static void dar_is_needed(void **unused)
{
    (void)unused;
    struct kit kit = {.options = {.packing = "none"}};
    assert_int_equal(kit_run(&kit, "nop\nmvp/n64nd1 $di0@0 $lc0@0.0\n"), 1);
    assert_int_equal(kit.errors, 1);
    kit_free(&kit);
    struct kit bad = {.options = {.packing = "none", .dar = "/nonexistent/dar"}};
    assert_int_equal(kit_run(&bad, "nop\n"), 1);
    kit_free(&bad);
}

/* With values the addresses come from the DAR that the program filled: l2bmdars/l2bmdarw. L2BM 0 of
 * each group holds 0, 4, 8 ... as address words, so the same stride as above. */
static void addresses_of_the_core(void **unused)
{
    (void)unused;
    static char text[20000];
    char *at = text;
    for (unsigned i = 0; i < 32; i++) /* entries 2 i and 2 i + 1: addresses 8 i and 8 i + 4 */
        at += sprintf(at, "d set $lc%un0c0 1 %08x%08x\n", i, 8 * i, 8 * i + 4);
    at += sprintf(at, "l2bmdars $lc0@.0 $dar0; l2bmdarw\n");
    for (unsigned i = 1; i < 16; i++)
        at += sprintf(at, "l2bmdarw\n");
    sprintf(at, "mvp/n1024nd1 $di0@0 $lc1024@0.0\n");
    struct kit kit = {.options = {.packing = "none"}, .values = true};
    if (kit_run(&kit, text) != 0)
        fail_msg("%s", kit.error);
    assert_int_equal(kit.transfers[0].issued, 64);
    assert_int_equal(kit.transfers[0].finished - 64,
                     START + TRCD + LAG + 4 * TCCD * 16 + PATH + NOTICE);
    assert_string_equal(kit.units[kit.transfers[0].limited_by].name, "dram0");
    kit_consistent(&kit);
    kit_free(&kit);
}

/* Channels' busy time: a granule is 3 cycles, and no more than the run lasts. */
static void channel_time(void **unused)
{
    (void)unused;
    struct kit kit = {.options = {.packing = "none"}};
    assert_int_equal(kit_run(&kit, "mvp/n4096 $d0@0 $lc0@0.0\n"), 0);
    kit_consistent(&kit);
    for (unsigned c = 0; c < 4; c++) {
        char name[16];
        snprintf(name, sizeof name, "dram0.ch%u", c);
        assert_int_equal(kit_cycles(&kit, name, REASON_BUSY), 64 * TCCD);
        snprintf(name, sizeof name, "dram1.ch%u", c);
        assert_int_equal(kit_cycles(&kit, name, REASON_BUSY), 0);
    }
    kit_free(&kit);
    /* Posted writes that are still under way at the end are cut off there: 4 operations start at
     * 16, 20, 24, 28 and the run ends at 48; granules at 27, 30, 33, 36 ... all before. */
    struct kit writes = {.options = {.packing = "none"}, .sets = {"mv_notice_latency=0"}};
    assert_int_equal(kit_run(&writes, "mvp/n256 $lc0@0.0 $d0@0\n"), 0);
    /* End 32: channel 0 works in 27..29 and 30, 31. */
    assert_int_equal(writes.summary.cycles, 32);
    assert_int_equal(kit_cycles(&writes, "dram0.ch0", REASON_BUSY), 5);
    kit_consistent(&writes);
    kit_free(&writes);
}

/* Manual 3.5.7: in DRAM, too, the accesses of higher priority go first. All are of one granule. */
static void priorities(void **unused)
{
    (void)unused;
    static const char *const others[] = {"", "p1", "p2", "p3"};
    char path[32], text[120];
    uint64_t last = UINT64_MAX;
    write_dar(path, same);
    const uint64_t alone = took(path, NULL, "mvp/n8192nd1i02 $di0@0 $lc0@1.0\n");
    for (unsigned p = 0; p < 4; p++) {
        snprintf(text, sizeof text,
                 "mvp/n8192nd1i01p1 $di0@0 $lc0@0.0\nmvp/n8192nd1i02%s $di0@0 $lc0@1.0\n",
                 others[p]);
        const uint64_t cycles = took(path, NULL, text);
        assert_true(p < 2 ? cycles > alone * 5 / 4 : cycles < alone + TRAS + TRP + TRCD);
        assert_true(cycles <= last);
        last = cycles;
    }
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sequence),       cmocka_unit_test(stride_of_one_channel),
        cmocka_unit_test(stride_of_rows),   cmocka_unit_test(posted_writes),
        cmocka_unit_test(random_addresses), cmocka_unit_test(consecutive_entries),
        cmocka_unit_test(refresh),          cmocka_unit_test(refresh_and_rows),
        cmocka_unit_test(turnaround),       cmocka_unit_test(address_map),
        cmocka_unit_test(dar_is_needed),    cmocka_unit_test(addresses_of_the_core),
        cmocka_unit_test(channel_time),     cmocka_unit_test(priorities),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
