/* Rules of the memory (timing/memory.h) one by one, by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/timing/memory_feed.h"

/* One channel, two banks of rows of two granules. */
static const struct memory_config plain = {.channels = 1,
                                           .banks = 2,
                                           .tccd = 3,
                                           .trcd = 11,
                                           .trp = 10,
                                           .tras = 24,
                                           .tcl = 12,
                                           .turnaround = 6,
                                           .window = 8,
                                           .age_limit = 100,
                                           .write_buffer = 8,
                                           .write_high = 6,
                                           .write_low = 2,
                                           .divisor = {4, 2, 1, 1},
                                           .size = {100, 2, 2, 1}};
enum { BANK = 2, ROW = 4 }; /* to the next bank, to the next row */

struct step {
    uint32_t granule;
    bool write;
    uint64_t arrival;
    uint64_t slot; /* expected */
};

static void run_steps(struct memory_feed *feed, const struct memory_config *config,
                      const struct step *steps, size_t count)
{
    memory_request_count = (unsigned)count;
    for (size_t i = 0; i < count; i++)
        memory_requests[i] = (struct memory_request){
            .access = {.granule = steps[i].granule, .write = steps[i].write},
            .planned = steps[i].arrival};
    memory_feed_run(feed, config, true, NOT_YET);
    memory_feed_finish(feed, UINT64_MAX);
}

static void expect_slots(const struct memory_config *config, const struct step *steps, size_t count)
{
    static struct memory_feed feed;
    run_steps(&feed, config, steps, count);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(memory_requests[i].start, steps[i].slot);
        if (!steps[i].write)
            assert_int_equal(memory_requests[i].there, steps[i].slot + 15 + config->latency);
    }
    memory_feed_free(&feed);
}

#define EXPECT_SLOTS(config, ...)                                                                  \
    do {                                                                                           \
        const struct step steps_[] = {__VA_ARGS__};                                                \
        expect_slots(config, steps_, sizeof steps_ / sizeof *steps_);                              \
    } while (0)

/* tRCD before the first; then a slot each tCCD. The other bank is prepared meanwhile. */
static void slots_follow_each_other(void **unused)
{
    (void)unused;
    EXPECT_SLOTS(&plain, {0, false, 5, 16}, {1, false, 18, 19}, {0, false, 22, 22},
                 {1, false, 26, 26});
    EXPECT_SLOTS(&plain, {0, false, 5, 16}, {1, false, 19, 19}, {0, false, 20, 22});
    EXPECT_SLOTS(&plain, {0, false, 5, 16}, {BANK, false, 7, 19}, {BANK + 1, false, 7, 22});
    EXPECT_SLOTS(&plain, {0, false, 5, 16}, {BANK, false, 8, 19});
    EXPECT_SLOTS(&plain, {0, false, 5, 16}, {BANK, false, 9, 20});
    struct memory_config slow = plain;
    slow.latency = 9;
    EXPECT_SLOTS(&slow, {0, false, 5, 16}, {1, false, 18, 19}, {0, false, 22, 22});
}

/* Opened in cycle 0, the row may be closed in cycle 24: closed at 34, the other open at 45. The
 * bank looks no earlier than the slot of its last access ends, in cycle 14. */
static void rows_stay_open_for_tras(void **unused)
{
    (void)unused;
    EXPECT_SLOTS(&plain, {0, false, 0, 11}, {ROW, false, 0, 45});
    EXPECT_SLOTS(&plain, {0, false, 0, 11}, {ROW, false, 24, 45});
    EXPECT_SLOTS(&plain, {0, false, 0, 11}, {ROW, false, 25, 46});
    struct memory_config quick = plain;
    quick.tras = 14; /* as long as the first access: no wait */
    EXPECT_SLOTS(&quick, {0, false, 0, 11}, {ROW, false, 0, 35});
    quick.tras = 15;
    EXPECT_SLOTS(&quick, {0, false, 0, 11}, {ROW, false, 0, 36});
    quick.tras = 0;
    EXPECT_SLOTS(&quick, {0, false, 0, 11}, {ROW, false, 0, 35});
}

/* The read's slot ends at 14, the last write's at 26. */
static void turnaround_between_directions(void **unused)
{
    (void)unused;
    EXPECT_SLOTS(&plain, {0, false, 0, 11}, {1, true, 0, 20}, {0, true, 0, 23}, {1, false, 24, 32});
    EXPECT_SLOTS(&plain, {0, false, 0, 11}, {1, true, 20, 20});
    EXPECT_SLOTS(&plain, {0, false, 0, 11}, {1, true, 21, 21});
    EXPECT_SLOTS(&plain, {0, true, 0, 11}, {1, true, 14, 14}); /* none before the first */
}

/* A, B in another row of the bank, C in A's row. C goes first if it is in the window when A has
 * gone: then B as above. Else B's row is closed no earlier than 34 + 24 = 58 for C: 68, 79. */
static void open_rows_first_within_the_window(void **unused)
{
    (void)unused;
    struct memory_config config = plain;
    config.window = 1;
    EXPECT_SLOTS(&config, {0, false, 0, 11}, {ROW, false, 0, 45}, {1, false, 0, 79});
    config.window = 2;
    EXPECT_SLOTS(&config, {0, false, 0, 11}, {ROW, false, 0, 45}, {1, false, 0, 14});
    EXPECT_SLOTS(&config, {0, false, 0, 11}, {ROW, false, 0, 45}, {ROW, false, 0, 48},
                 {1, false, 0, 79});
    config.window = 3;
    EXPECT_SLOTS(&config, {0, false, 0, 11}, {ROW, false, 0, 45}, {ROW, false, 0, 48},
                 {1, false, 0, 14});
    /* Writes among themselves likewise. */
    EXPECT_SLOTS(&config, {0, true, 0, 11}, {ROW, true, 0, 45}, {ROW, true, 0, 48},
                 {1, true, 0, 14});
    /* In the cycle in which the bank would close the row, 24, C is still in time; not in 25. */
    EXPECT_SLOTS(&config, {0, false, 0, 11}, {ROW, false, 0, 48}, {1, false, 24, 24});
    EXPECT_SLOTS(&config, {0, false, 0, 11}, {ROW, false, 0, 45}, {1, false, 25, 79});
    /* A bank gets ready for who is beyond the window: its slot is 14, not 25. */
    config.window = 1;
    EXPECT_SLOTS(&config, {0, false, 0, 11}, {BANK, false, 0, 14});
}

/* B has seen as many slots as the limit: none of its bank before it, 45; another bank's goes on. */
static void nobody_starves(void **unused)
{
    (void)unused;
    struct memory_config config = plain;
    config.age_limit = 3;
    EXPECT_SLOTS(&config, {0, false, 0, 11}, {ROW, false, 0, 45}, {0, false, 0, 14},
                 {0, false, 0, 17}, {0, false, 0, 79}, {BANK, false, 0, 20});
    config.age_limit = 4;
    EXPECT_SLOTS(&config, {0, false, 0, 11}, {ROW, false, 0, 45}, {0, false, 0, 14},
                 {0, false, 0, 17}, {0, false, 0, 20}, {BANK, false, 0, 23});
    /* The other direction: after two reads the write, for which its bank gets ready from 14 on; 25
     * is later than 17 + 6. The third read turns the channel again, 28 + 6. */
    config.age_limit = 2;
    EXPECT_SLOTS(&config, {0, false, 0, 11}, {1, false, 0, 14}, {BANK, true, 0, 25},
                 {0, false, 0, 34});
    config.age_limit = 3;
    EXPECT_SLOTS(&config, {0, false, 0, 11}, {1, false, 0, 14}, {BANK, true, 0, 28},
                 {0, false, 0, 17});
}

static void writes_gather(void **unused)
{
    (void)unused;
    struct memory_config config = plain;
    config.write_high = 3;
    config.write_low = 1;
    /* Two wait until no read does: from 14 on their bank gets ready. */
    EXPECT_SLOTS(&config, {0, false, 0, 11}, {1, false, 0, 14}, {BANK, true, 0, 25},
                 {BANK + 1, true, 0, 28});
    /* Three go at once, until one is left in cycle 14. Then bank 0 gets ready, 25; the last write
     * has to wait until the reads' slots have ended, at 31. */
    EXPECT_SLOTS(&config, {0, false, 0, 25}, {1, false, 0, 28}, {BANK, true, 0, 11},
                 {BANK, true, 0, 14}, {BANK + 1, true, 0, 37});
    config.write_low = 0;
    EXPECT_SLOTS(&config, {0, false, 0, 28}, {1, false, 0, 31}, {BANK, true, 0, 11},
                 {BANK, true, 0, 14}, {BANK + 1, true, 0, 17});
    /* A read that comes while writes go for want of reads interrupts them only at the low mark. */
    EXPECT_SLOTS(&config, {0, true, 0, 11}, {0, true, 0, 14}, {1, false, 12, 23});
    config.write_low = 1;
    EXPECT_SLOTS(&config, {0, true, 0, 11}, {0, true, 0, 29}, {1, false, 12, 20});
}

/* Two may wait. The slot of the first begins at 11: there is room in cycle 12. */
static void room_for_writes(void **unused)
{
    (void)unused;
    static struct memory_feed feed;
    struct memory_config config = plain;
    config.write_buffer = config.write_high = 2;
    config.write_low = 0;
    static const struct step steps[] = {{.write = true},
                                        {.write = true},
                                        {.write = true},
                                        {.write = true},
                                        {.write = false, .arrival = 16}};
    static const uint64_t arrivals_at[] = {0, 0, 12, 15, 16}, rooms[] = {11, 14, 17};
    run_steps(&feed, &config, steps, 5);
    for (unsigned i = 0; i < 5; i++)
        assert_int_equal(memory_requests[i].arrival, arrivals_at[i]);
    assert_int_equal(feed.room_count, 3);
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(feed.rooms[i], rooms[i]);
    assert_int_equal(memory_room(&feed.memory, 0, 0).at, 17);
    assert_int_equal(memory_room(&feed.memory, 1, 0).requester, MEMORY_NOBODY);
    memory_feed_free(&feed);
}

/* Bank 0 of two is refreshed at 100, bank 1 at 50, in 30 cycles. */
static void refresh_of_idle_banks(void **unused)
{
    (void)unused;
    struct memory_config config = plain;
    config.trefi = 100;
    config.trfc = 30;
    config.defer = 1;
    EXPECT_SLOTS(&config, {0, false, 99, 110}); /* put off */
    EXPECT_SLOTS(&config, {0, false, 100, 111});
    EXPECT_SLOTS(&config, {0, false, 101, 141}); /* begun in cycle 100 */
    EXPECT_SLOTS(&config, {BANK, false, 50, 61});
    EXPECT_SLOTS(&config, {BANK, false, 51, 91});
    /* The first access leaves at 71. The open row is closed from 100 on: who comes in 100 or before
     * finds it; who comes later does not. Who comes before it is closed, at 110, puts the refresh
     * itself off. */
    EXPECT_SLOTS(&config, {0, false, 60, 71}, {1, false, 100, 100});
    EXPECT_SLOTS(&config, {0, false, 60, 71}, {1, false, 101, 121});
    EXPECT_SLOTS(&config, {0, false, 60, 71}, {1, false, 110, 121});
    EXPECT_SLOTS(&config, {0, false, 60, 71}, {1, false, 111, 151});
    EXPECT_SLOTS(&config, {0, false, 60, 71}, {1, false, 141, 152});
    /* Not before tRAS: opened at 90, closed from 114 on. */
    EXPECT_SLOTS(&config, {0, false, 90, 101}, {1, false, 114, 114});
    EXPECT_SLOTS(&config, {0, false, 90, 101}, {1, false, 115, 135});
    /* Long idle. */
    EXPECT_SLOTS(&config, {0, false, 60, 71}, {1, false, 99920, 99941});
    EXPECT_SLOTS(&config, {0, false, 60, 71}, {1, false, 99931, 99942});
}

/* Fifty accesses to an open row from 90 on: slots at 101 + 3 k. As soon as more refreshes are due
 * than a bank may owe it closes the row, and the next slot is 10 + 30 + 11 cycles later. */
static void refresh_is_not_put_off_for_ever(void **unused)
{
    (void)unused;
    static const struct {
        uint64_t defer;
        unsigned last; /* before a refresh */
        uint64_t closes;
    } rows[] = {{1, 32, 200}, {2, 49, 0}};
    struct memory_config config = plain;
    config.trefi = 100;
    config.trfc = 30;
    struct step steps[50];
    for (unsigned i = 0; i < 2; i++) {
        config.defer = rows[i].defer;
        for (unsigned k = 0; k < 50; k++)
            steps[k] = (struct step){.arrival = 90,
                                     .slot = k <= rows[i].last ? 101 + 3 * k
                                                               : rows[i].closes + 51 +
                                                                     3 * (k - 1 - rows[i].last)};
        expect_slots(&config, steps, 50);
    }
    /* None may be owed: the row that is opened at 99 serves one access and is closed at 123 for the
     * refresh of 100. The other bank goes on. */
    config.defer = 0;
    EXPECT_SLOTS(&config, {0, false, 99, 110}, {0, false, 99, 174});
    EXPECT_SLOTS(&config, {0, false, 100, 141});
    EXPECT_SLOTS(&config, {0, false, 99, 110}, {0, false, 99, 174}, {BANK, false, 99, 113},
                 {BANK, false, 99, 116});
    /* Five cycles from a refresh to the next: a row serves one access, then those that have become
     * due meanwhile are made up for: from 112 on three until 397, from 431 on seven until 1096. */
    config.trfc = 95;
    EXPECT_SLOTS(&config, {0, false, 0, 11}, {0, false, 99, 99}, {0, false, 100, 397 + 11},
                 {0, false, 150, 1096 + 11});
}

/* The slot of requester 7 ends at 14: whoever arrives at 13 is behind it, at 14 no longer; and so
 * is the second access of somebody else, as long as that slot has not ended. */
static void who_was_in_front(void **unused)
{
    (void)unused;
    static struct memory_feed feed;
    static const uint64_t times[][2] = {{13, 13}, {13, 14}, {14, 14}};
    static const uint32_t expected[][2] = {
        {7, 7}, {7, MEMORY_NOBODY}, {MEMORY_NOBODY, MEMORY_NOBODY}};
    for (unsigned i = 0; i < 3; i++) {
        memory_request_count = 3;
        memory_requests[0] = (struct memory_request){.access = {.requester = 7}};
        for (unsigned k = 0; k < 2; k++)
            memory_requests[k + 1] =
                (struct memory_request){.access = {.requester = 8}, .planned = times[i][k]};
        memory_feed_run(&feed, &plain, false, NOT_YET);
        assert_int_equal(memory_requests[0].behind, MEMORY_NOBODY);
        for (unsigned k = 0; k < 2; k++)
            assert_int_equal(memory_requests[k + 1].behind, expected[i][k]);
        memory_feed_free(&feed);
    }
}

/* Slots [11,14) and [14,17). A slot counts as far as it lies before the end. */
static void the_end_of_a_run(void **unused)
{
    (void)unused;
    static struct memory_feed feed;
    static const uint64_t busy[] = {0, 1, 2, 3, 4, 5, 6, 6}; /* ends 11 to 18 */
    static const uint64_t events[] = {0, 1, 1, 1, 2, 2, 2, 2};
    for (unsigned i = 0; i < 8; i++) {
        memory_request_count = 2;
        memory_requests[0] = memory_requests[1] = (struct memory_request){.access = {.group = 1}};
        memory_feed_run(&feed, &plain, true, 11 + i);
        memory_feed_finish(&feed, 11 + i);
        assert_int_equal(account_total(&feed.account, FIRST_UNIT + 1), busy[i]);
        assert_int_equal(feed.account.events[FIRST_UNIT + 1][REASON_BUSY], events[i]);
        memory_feed_free(&feed);
    }
}

/* Without any times data are there one cycle later. */
static void never_in_the_same_cycle(void **unused)
{
    (void)unused;
    static struct memory_feed feed;
    const struct memory_config none = {.channels = 1,
                                       .banks = 1,
                                       .window = 1,
                                       .age_limit = 1,
                                       .write_buffer = 1,
                                       .write_high = 1,
                                       .divisor = {1, 1, 1, 1},
                                       .size = {100, 1, 1, 1}};
    memory_request_count = 2;
    memory_requests[0] = memory_requests[1] = (struct memory_request){.planned = 7};
    memory_feed_run(&feed, &none, true, NOT_YET);
    assert_int_equal(memory_requests[0].there, 8);
    assert_int_equal(memory_requests[1].there, 8);
    memory_feed_free(&feed);
}

/* Accesses beyond those reserved, for which there may be room, break the model and nothing else. */
static void too_many_accesses(void **unused)
{
    (void)unused;
    struct kernel kernel;
    struct memory memory;
    assert_int_equal(kernel_init(&kernel, 1, true), 0);
    const struct memory_setup setup = {
        .config = &plain, .kernel = &kernel, .calls = &memory_feed_calls, .groups = 1};
    assert_int_equal(memory_init(&memory, &setup), 0);
    for (unsigned i = 0; i < 8; i++) {
        assert_null(kernel.broken);
        memory_ask(&memory, &(const struct memory_access){.granule = i});
    }
    for (unsigned i = 8; !kernel.broken && i < 1000; i++)
        memory_ask(&memory, &(const struct memory_access){.granule = i});
    assert_non_null(kernel.broken);
    memory_free(&memory);
    kernel_free(&kernel);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slots_follow_each_other),
        cmocka_unit_test(rows_stay_open_for_tras),
        cmocka_unit_test(turnaround_between_directions),
        cmocka_unit_test(open_rows_first_within_the_window),
        cmocka_unit_test(nobody_starves),
        cmocka_unit_test(writes_gather),
        cmocka_unit_test(room_for_writes),
        cmocka_unit_test(refresh_of_idle_banks),
        cmocka_unit_test(refresh_is_not_put_off_for_ever),
        cmocka_unit_test(who_was_in_front),
        cmocka_unit_test(the_end_of_a_run),
        cmocka_unit_test(never_in_the_same_cycle),
        cmocka_unit_test(too_many_accesses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
