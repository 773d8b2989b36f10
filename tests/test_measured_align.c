/*
 * measured_align: a list that lacks rows of a run, or has rows of its own, and the run again.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "analysis/measured_align.h"
#include "tests/dice.h"
#include "tests/often.h"

enum { MOST = 4000 };

static struct measured_point run[MOST], list[2 * MOST];
static size_t matches[2 * MOST], truth[2 * MOST];

/* A prologue, loops of random bodies, with intervals that repeat or do not, and an end. */
static size_t make_run(struct dice *dice)
{
    size_t count = 0;
    uint64_t place = 0, cycle = 0;
    while (count < 40 || (dice_below(dice, 4) && count < MOST - 900)) {
        const size_t body = 1 + dice_below(dice, 30), turns = 1 + dice_below(dice, 30);
        for (size_t i = 0; i < body * turns && count < MOST; i++) {
            cycle += dice_below(dice, 2) ? 3 : 1 + dice_below(dice, 200);
            run[count] =
                (struct measured_point){.cycle = cycle, .place = place + i % body, .index = count};
            count++;
        }
        place += body;
    }
    return count;
}

static size_t equal_intervals(size_t count)
{
    size_t equal = 0, before = SIZE_MAX;
    for (size_t i = 0; i < count; i++) {
        if (matches[i] == SIZE_MAX)
            continue;
        assert_int_equal(list[i].place, run[matches[i]].place);
        if (before != SIZE_MAX) {
            assert_true(matches[before] < matches[i]);
            equal += list[i].cycle - list[before].cycle ==
                     run[matches[i]].cycle - run[matches[before]].cycle;
        }
        before = i;
    }
    return equal;
}

/* All rows of a list that lacks some of the run, or its beginning, are in it, with all intervals
 * equal. The search is bounded: one list in a hundred may have a few that are not. */
static void rows_that_a_list_lacks_shift_nothing(void **state)
{
    (void)state;
    struct dice dice = {7};
    const size_t rounds = often(800);
    size_t missed = 0;
    for (size_t round = 0; round < rounds; round++) {
        const size_t run_count = make_run(&dice);
        const size_t one_in = 20 + dice_below(&dice, 400), first = dice_below(&dice, run_count / 2);
        size_t count = 0;
        for (size_t i = round % 2 ? first : 0; i < run_count; i++)
            if (dice_below(&dice, one_in))
                list[count++] = run[i];
        assert_int_equal(measured_align(list, count, run, run_count, matches), 0);
        size_t matched = 0;
        for (size_t i = 0; i < count; i++)
            matched += matches[i] != SIZE_MAX;
        missed += matched != count || equal_intervals(count) != count - 1;
    }
    if (missed > rounds / 100)
        fail_msg("%zu of %zu lists are not in the run", missed, rounds);
}

/* A row of the list's own between two that are the run's. */
static void rows_that_a_list_has_alone_are_left_out(void **state)
{
    (void)state;
    struct dice dice = {11};
    for (size_t round = 0; round < often(800); round++) {
        const size_t run_count = make_run(&dice);
        size_t count = 0;
        for (size_t i = 0; i < run_count; i++) {
            if (dice_below(&dice, 50) == 0)
                list[count++] = (struct measured_point){.cycle = run[i].cycle, .place = 99999};
            truth[count] = i;
            list[count++] = run[i];
        }
        assert_int_equal(measured_align(list, count, run, run_count, matches), 0);
        for (size_t i = 0; i < count; i++)
            assert_int_equal(matches[i], list[i].place == 99999 ? SIZE_MAX : truth[i]);
    }
}

/* Sequences that share nothing but places end in time, and what is matched is in order. */
static void other_sequences_end(void **state)
{
    (void)state;
    struct dice dice = {13};
    for (size_t round = 0; round < often(64); round++) {
        const uint64_t places = 1 + dice_below(&dice, 12);
        for (size_t i = 0; i < MOST; i++) {
            run[i] = (struct measured_point){.cycle = 3 * i, .place = dice_below(&dice, places)};
            list[i] = (struct measured_point){.cycle = 2 * i, .place = dice_below(&dice, places)};
        }
        const size_t count = dice_below(&dice, MOST);
        assert_int_equal(measured_align(list, count, run, MOST, matches), 0);
        equal_intervals(count);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_that_a_list_lacks_shift_nothing),
        cmocka_unit_test(rows_that_a_list_has_alone_are_left_out),
        cmocka_unit_test(other_sequences_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
