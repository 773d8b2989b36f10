/* The scoreboard against one that remembers every write and looks at every cycle. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/dice.h"
#include "tests/often.h"
#include "timing/scoreboard.h"

static struct dice dice = {1};

static uint64_t pick(uint64_t limit)
{
    return dice_below(&dice, limit);
}

/* --- the oracle ------------------------------------------------------------------------------- */

enum { PLACES = 150, STATEMENTS = 400, SETS = 4 };

/* What a statement does with each place, and what it did with them when it issued. */
static bool reads[STATEMENTS][PLACES], writes[STATEMENTS][PLACES];
static uint64_t lands[STATEMENTS]; /* its writes */

/* Whether the last write of the place among earlier statements has landed by this cycle; if not,
 * *writer becomes who wrote. */
static bool landed(unsigned statement, unsigned place, uint64_t cycle, unsigned *writer)
{
    unsigned s = statement;
    while (s > 0 && !writes[s - 1][place])
        s--;
    if (s == 0 || lands[s - 1] <= cycle)
        return true;
    *writer = s - 1;
    return false;
}

/* The first place in order that holds the statement in this cycle; PLACES: none. */
static unsigned held_by(unsigned statement, uint64_t cycle, uint64_t latency, unsigned *writer)
{
    for (unsigned p = 0; p < PLACES; p++) {
        if (reads[statement][p] && !landed(statement, p, cycle, writer))
            return p;
        if (writes[statement][p] && !landed(statement, p, cycle + latency, writer))
            return p;
    }
    return PLACES;
}

/* Cycle by cycle until nothing holds it; writer: who held it in the last cycle before. */
static uint64_t first_cycle(unsigned statement, uint64_t latency, unsigned *writer)
{
    uint64_t cycle = 0;
    *writer = STATEMENTS;
    while (held_by(statement, cycle, latency, writer) < PLACES)
        cycle++;
    return cycle;
}

/* --- streams ---------------------------------------------------------------------------------- */

/* Places in ascending order, at random, as sets that do not overlap. */
static size_t make_sets(unsigned statement, struct place_set sets[SETS], uint64_t density)
{
    size_t count = 0;
    uint32_t place = (uint32_t)pick(20);
    for (unsigned p = 0; p < PLACES; p++)
        reads[statement][p] = writes[statement][p] = false;
    while (count < SETS && place < PLACES) {
        struct place_set *set = &sets[count++];
        *set = (struct place_set){.first = place};
        const uint32_t length = (uint32_t)(1 + pick(64));
        for (uint32_t i = 0; i < length && place < PLACES; i++, place++) {
            reads[statement][place] = pick(100) < density;
            writes[statement][place] = pick(100) < density;
            set->reads |= (uint64_t)reads[statement][place] << i;
            set->writes |= (uint64_t)writes[statement][place] << i;
        }
        place += (uint32_t)pick(30);
    }
    return count;
}

static void random_streams(void **unused)
{
    (void)unused;
    for (size_t round = 0; round < often(30); round++) {
        struct scoreboard scoreboard;
        assert_int_equal(scoreboard_init(&scoreboard, PLACES), 0);
        const uint64_t longest = 1 + pick(40), density = 1 + pick(round % 2 ? 4 : 40);
        uint64_t now = 0;
        for (unsigned s = 0; s < STATEMENTS; s++) {
            struct place_set sets[SETS];
            const size_t count = make_sets(s, sets, density);
            const uint64_t latency = pick(longest);
            struct producer by;
            unsigned writer;
            const uint64_t expected = first_cycle(s, latency, &writer);
            assert_int_equal(scoreboard_issue(&scoreboard, sets, count, latency, &by), expected);
            if (expected) {
                assert_int_equal(by.number, 1000 + writer);
                assert_int_equal(by.statement, writer % 7);
                assert_int_equal(by.kind, writer % 3);
            } else {
                assert_int_equal(by.number, UINT64_MAX);
                assert_int_equal(by.statement, UINT32_MAX);
            }
            now = expected > now ? expected : now + pick(3);
            lands[s] = now + latency;
            by = (struct producer){1000 + s, s % 7, s % 3};
            scoreboard_write(&scoreboard, sets, count, lands[s], &by);
        }
        scoreboard_free(&scoreboard);
    }
}

/* --- both edges of each rule ------------------------------------------------------------------ */

enum { READY = 20 };

static uint64_t issue(const struct scoreboard *scoreboard, const struct place_set *set,
                      uint64_t latency, uint64_t *number)
{
    struct producer by;
    const uint64_t cycle = scoreboard_issue(scoreboard, set, 1, latency, &by);
    *number = by.number;
    return cycle;
}

/* Place 3 is ready in cycle 20: a read issues then; a write of latency L issues at 20 - L, 0 at
 * the earliest; a place that is read and written counts as read. */
static void reads_and_writes(void **unused)
{
    (void)unused;
    struct scoreboard scoreboard;
    uint64_t number;
    const struct producer one = {.number = 1};
    const struct place_set read = {.reads = 8}, write = {.writes = 8};
    const struct place_set both = {.reads = 8, .writes = 8}, other = {.reads = 4, .writes = 16};
    assert_int_equal(scoreboard_init(&scoreboard, 64), 0);
    scoreboard_write(&scoreboard, &write, 1, READY, &one);
    assert_int_equal(issue(&scoreboard, &read, 100, &number), READY);
    assert_int_equal(number, 1);
    assert_int_equal(issue(&scoreboard, &write, 0, &number), READY);
    assert_int_equal(issue(&scoreboard, &write, 1, &number), READY - 1);
    assert_int_equal(issue(&scoreboard, &write, READY - 1, &number), 1);
    assert_int_equal(number, 1);
    assert_int_equal(issue(&scoreboard, &write, READY, &number), 0);
    assert_int_equal(number, UINT64_MAX);
    assert_int_equal(issue(&scoreboard, &write, READY + 1, &number), 0);
    assert_int_equal(issue(&scoreboard, &both, READY, &number), READY);
    assert_int_equal(issue(&scoreboard, &other, 0, &number), 0);
    assert_int_equal(number, UINT64_MAX);
    scoreboard_free(&scoreboard);
}

/* Of places that let go in the same cycle the first counts; one cycle more wins. A read and a write
 * are compared by when they let go. */
static void the_first_of_several(void **unused)
{
    (void)unused;
    struct scoreboard scoreboard;
    uint64_t number;
    assert_int_equal(scoreboard_init(&scoreboard, 64), 0);
    const struct producer by[] = {{.number = 0}, {.number = 1}};
    const struct place_set places[] = {{.writes = 2}, {.writes = UINT64_C(1) << 63}};
    const struct place_set reads_both = {.reads = 2 | UINT64_C(1) << 63};
    for (uint64_t first = READY - 1; first <= READY + 1; first++) {
        scoreboard_write(&scoreboard, &places[0], 1, first, &by[0]);
        scoreboard_write(&scoreboard, &places[1], 1, READY, &by[1]);
        issue(&scoreboard, &reads_both, 0, &number);
        assert_int_equal(number, first < READY);
    }
    /* Place 1 is written with latency 5, place 63 is read. */
    const struct place_set mixed = {.reads = UINT64_C(1) << 63, .writes = 2};
    for (uint64_t first = READY + 4; first <= READY + 6; first++) {
        scoreboard_write(&scoreboard, &places[0], 1, first, &by[0]);
        assert_int_equal(issue(&scoreboard, &mixed, 5, &number), first < READY + 6 ? READY : 21);
        assert_int_equal(number, first < READY + 5);
    }
    scoreboard_free(&scoreboard);
}

/* Only what is written changes; the later of two writes is the one that counts. */
static void writes_replace(void **unused)
{
    (void)unused;
    struct scoreboard scoreboard;
    uint64_t number;
    assert_int_equal(scoreboard_init(&scoreboard, 70), 0);
    const struct producer one = {.number = 1}, two = {.number = 2};
    const struct place_set wide = {.first = 6, .reads = 1, .writes = UINT64_MAX - 1};
    const struct place_set narrow = {.first = 69, .writes = 1};
    scoreboard_write(&scoreboard, &wide, 1, READY, &one);
    scoreboard_write(&scoreboard, &narrow, 1, READY, &two);
    for (uint32_t p = 0; p < 70; p++) {
        const struct place_set read = {.first = p, .reads = 1};
        assert_int_equal(issue(&scoreboard, &read, 0, &number), p < 7 ? 0 : READY);
        assert_int_equal(number, p < 7 ? UINT64_MAX : p == 69 ? 2 : 1);
    }
    scoreboard_free(&scoreboard);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_streams),
        cmocka_unit_test(reads_and_writes),
        cmocka_unit_test(the_first_of_several),
        cmocka_unit_test(writes_replace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
