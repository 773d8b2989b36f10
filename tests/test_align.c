/* align: the script is a script, and as short as the longest common subsequence allows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "analysis/align.h"
#include "tests/dice.h"
#include "tests/often.h"

enum { MOST = 24 };

/* By the recurrence, all prefixes. */
static size_t longest_common(const uint32_t *a, size_t a_count, const uint32_t *b, size_t b_count)
{
    size_t row[MOST + 1] = {0};
    for (size_t i = 0; i < a_count; i++) {
        size_t corner = 0;
        for (size_t j = 0; j < b_count; j++) {
            const size_t above = row[j + 1];
            if (a[i] == b[j])
                row[j + 1] = corner + 1;
            else if (row[j] > above)
                row[j + 1] = row[j];
            corner = above;
        }
    }
    return row[b_count];
}

/* How many matches; each is of equal elements, and they ascend. */
static size_t sound(const uint32_t *a, size_t a_count, const uint32_t *b, size_t b_count,
                    const uint32_t *match)
{
    size_t matches = 0, next = 0;
    for (size_t i = 0; i < a_count; i++) {
        if (match[i] == ALIGN_NONE)
            continue;
        assert_true(match[i] >= next && match[i] < b_count);
        assert_int_equal(a[i], b[match[i]]);
        next = match[i] + 1;
        matches++;
    }
    return matches;
}

static void script_is_shortest(void **state)
{
    (void)state;
    struct dice dice = {19};
    for (size_t round = 0; round < often(20000); round++) {
        uint32_t a[MOST], b[MOST], match[MOST];
        const unsigned letters = 1 + (unsigned)dice_below(&dice, 6);
        const size_t a_count = dice_below(&dice, MOST + 1), b_count = dice_below(&dice, MOST + 1);
        for (size_t i = 0; i < a_count; i++)
            a[i] = (uint32_t)dice_below(&dice, letters) * 7919;
        for (size_t i = 0; i < b_count; i++)
            b[i] = (uint32_t)dice_below(&dice, letters + 1) * 7919;
        assert_int_equal(
            align((struct align_side){a, a_count}, (struct align_side){b, b_count}, match), 0);
        assert_int_equal(sound(a, a_count, b, b_count, match),
                         longest_common(a, a_count, b, b_count));
    }
}

/* One more or one fewer of a run, or turn of a loop, is the last one. */
static void repeats_end_with_the_odd_one(void **state)
{
    (void)state;
    const uint32_t three[] = {9, 1, 2, 1, 2, 1, 2, 8}, two[] = {9, 1, 2, 1, 2, 8};
    const struct align_side long_side = {three, 8}, short_side = {two, 6};
    uint32_t match[8];
    assert_int_equal(align(long_side, short_side, match), 0);
    const uint32_t removed[] = {0, 1, 2, 3, 4, ALIGN_NONE, ALIGN_NONE, 5};
    assert_memory_equal(match, removed, sizeof removed);
    assert_int_equal(align(short_side, long_side, match), 0);
    const uint32_t added[] = {0, 1, 2, 3, 4, 7};
    assert_memory_equal(match, added, sizeof added);
}

/* Neither what has nothing in common, nor what is shuffled, nor a block that moved takes long. */
static void long_sequences_take_no_square(void **state)
{
    (void)state;
    enum { LONG = 200000, MOVED = 50000 };
    uint32_t *const a = malloc(LONG * sizeof *a), *const b = malloc(LONG * sizeof *b),
                    *const match = malloc(LONG * sizeof *match);
    struct dice dice = {3};
    for (unsigned kind = 0; kind < 4; kind++) {
        for (uint32_t i = 0; i < LONG; i++) {
            a[i] = kind == 3 ? (uint32_t)dice_below(&dice, 3) : i;
            b[i] = kind == 0   ? LONG + i
                   : kind == 1 ? (i + MOVED) % LONG
                   : kind == 2 ? i
                               : (uint32_t)dice_below(&dice, 3);
        }
        for (uint32_t i = LONG; kind == 2 && i > 1;) {
            const uint32_t other = (uint32_t)dice_below(&dice, i--), key = b[i];
            b[i] = b[other];
            b[other] = key;
        }
        const clock_t start = clock();
        const struct align_side sides[] = {{a, LONG}, {b, LONG}};
        assert_int_equal(align(sides[0], sides[1], match), 0);
        const size_t matches = sound(a, LONG, b, LONG, match);
        if (getenv("TAKT_SHOW"))
            print_message("kind %u: %zu matches, %.2f s\n", kind, matches,
                          (double)(clock() - start) / CLOCKS_PER_SEC);
        assert_true(kind != 0 || matches == 0);
        assert_true(kind != 1 || matches == LONG - MOVED);
        assert_true(matches > 0 || kind == 0);
    }
    free(a);
    free(b);
    free(match);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(script_is_shortest),
        cmocka_unit_test(repeats_end_with_the_odd_one),
        cmocka_unit_test(long_sequences_take_no_square),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
