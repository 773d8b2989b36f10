/* The queue against a pipe that is advanced cycle by cycle, while its two sides run ahead of each
 * other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/dice.h"
#include "tests/often.h"
#include "timing/fifo.h"

static struct dice dice = {1};

static uint64_t pick(uint64_t limit)
{
    return dice_below(&dice, limit);
}

/* --- the oracle ------------------------------------------------------------------------------- */

enum { ENTRIES = 300 };

/* Each side wants its n-th turn so many cycles after it had the one before. */
static uint64_t push_gap[ENTRIES], pop_gap[ENTRIES];
static uint64_t push_at[ENTRIES], pop_at[ENTRIES];

/* Counts slots and entries in each cycle; turns are taken until nobody can take one. */
static void run_oracle(uint64_t capacity, uint64_t latency, uint64_t refill)
{
    unsigned pushed = 0, popped = 0;
    uint64_t push_idle = 0, pop_idle = 0; /* cycles since the last turn */
    for (uint64_t now = 0; popped < ENTRIES; now++, push_idle++, pop_idle++) {
        assert_true(now < 1000000);
        for (bool again = true; again;) {
            uint64_t full = 0;
            for (unsigned i = 0; i < pushed; i++)
                full += i >= popped || pop_at[i] + refill > now;
            again = false;
            if (pushed < ENTRIES && push_idle >= push_gap[pushed] && full < capacity) {
                push_at[pushed++] = now;
                push_idle = 0;
                again = true;
            } else if (popped < pushed && pop_idle >= pop_gap[popped] &&
                       push_at[popped] + latency <= now) {
                pop_at[popped++] = now;
                pop_idle = 0;
                again = true;
            }
        }
    }
}

/* --- streams ---------------------------------------------------------------------------------- */

static void try_push(struct fifo *fifo, uint64_t refill)
{
    struct release by;
    const uint64_t n = fifo->pushes, capacity = fifo->capacity;
    const uint64_t from = fifo_push_from(fifo, &by);
    if (from == FIFO_UNKNOWN) {
        assert_int_equal(fifo_count(fifo), capacity);
        assert_false(fifo_push(fifo, n, &(struct release){.at = FIFO_UNKNOWN}));
        return;
    }
    if (n < capacity) {
        assert_int_equal(by.by.number, UINT64_MAX);
        assert_int_equal(by.at, 0);
    } else {
        assert_int_equal(by.by.number, 5000 + n - capacity);
        assert_int_equal(by.at, pop_at[n - capacity]);
        assert_true(from >= by.at + refill);
    }
    const uint64_t want = (n ? push_at[n - 1] : 0) + push_gap[n];
    const struct release now = {{.number = n, .kind = 3}, later(want, from)};
    assert_int_equal(now.at, push_at[n]);
    if (from > 0)
        assert_false(fifo_push(fifo, n, &(struct release){.at = from - 1}));
    assert_true(fifo_push(fifo, 7 * n, &now));
}

static void try_pop(struct fifo *fifo)
{
    struct release by;
    struct fifo_entry entry;
    const uint64_t n = fifo->pops;
    const uint64_t from = fifo_pop_from(fifo, &by);
    if (from == FIFO_UNKNOWN) {
        assert_null(fifo_front(fifo));
        assert_false(fifo_pop(fifo, &(struct release){.at = FIFO_UNKNOWN}, &entry));
        return;
    }
    assert_int_equal(by.by.number, n);
    assert_int_equal(by.by.kind, 3);
    assert_int_equal(by.at, push_at[n]);
    const uint64_t want = (n ? pop_at[n - 1] : 0) + pop_gap[n];
    const struct release now = {{.number = 5000 + n}, later(want, from)};
    assert_int_equal(now.at, pop_at[n]);
    if (from > 0)
        assert_false(fifo_pop(fifo, &(struct release){.at = from - 1}, &entry));
    assert_int_equal(fifo_front(fifo)->data, 7 * n);
    assert_true(fifo_pop(fifo, &now, &entry));
    assert_int_equal(entry.data, 7 * n);
    assert_int_equal(entry.pushed.at, push_at[n]);
    assert_int_equal(entry.popped.at, pop_at[n]);
}

static void random_streams(void **unused)
{
    (void)unused;
    for (size_t round = 0; round < often(400); round++) {
        const uint64_t capacity = 1 + pick(8), latency = pick(6), refill = pick(3);
        const uint64_t push_pace = 1 + pick(8), pop_pace = 1 + pick(8), run = 1 + pick(20);
        for (unsigned i = 0; i < ENTRIES; i++) {
            push_gap[i] = pick(30) ? pick(push_pace) : pick(60);
            pop_gap[i] = pick(30) ? pick(pop_pace) : pick(60);
        }
        run_oracle(capacity, latency, refill);
        struct fifo fifo;
        assert_int_equal(fifo_init(&fifo, capacity, latency, refill), 0);
        while (fifo.pops < ENTRIES) {
            for (uint64_t i = 1 + pick(run); i-- > 0 && fifo.pushes < ENTRIES;)
                try_push(&fifo, refill);
            for (uint64_t i = 1 + pick(run); i-- > 0 && fifo.pops < ENTRIES;)
                try_pop(&fifo);
        }
        fifo_free(&fifo);
    }
}

/* --- both edges of each rule ------------------------------------------------------------------ */

/* Two slots, latency 3: pushed at 10, popped at 13; the third push waits for that pop. */
static void full_and_empty(void **unused)
{
    (void)unused;
    for (uint64_t refill = 0; refill <= 1; refill++) {
        struct fifo fifo;
        struct release by;
        struct fifo_entry entry;
        const struct release first = {{.number = 1}, 10}, late = {{.number = 2}, 12};
        const struct release second = {{.number = 3}, 13}, third = {{.number = 4}, 13 + refill};
        assert_int_equal(fifo_init(&fifo, 2, 3, refill), 0);
        assert_true(fifo_push(&fifo, 100, &first));
        assert_true(fifo_push(&fifo, 101, &first)); /* both in one cycle */
        assert_int_equal(fifo_push_from(&fifo, &by), FIFO_UNKNOWN);
        assert_int_equal(fifo_pop_from(&fifo, &by), 13);
        assert_false(fifo_pop(&fifo, &late, &entry));
        assert_true(fifo_pop(&fifo, &second, &entry));
        assert_int_equal(entry.data, 100);
        assert_int_equal(fifo_push_from(&fifo, &by), 13 + refill);
        assert_int_equal(by.by.number, 3);
        assert_int_equal(by.at, 13);
        assert_false(fifo_push(&fifo, 102, &(struct release){.at = 12 + refill}));
        assert_true(fifo_push(&fifo, 102, &third));
        assert_int_equal(fifo_count(&fifo), 2);
        fifo_free(&fifo);
    }
}

/* A push is not before the push in front of it, a pop not before the pop. */
static void in_order(void **unused)
{
    (void)unused;
    struct fifo fifo;
    struct fifo_entry entry;
    const struct release four = {.at = 4}, five = {.at = 5}, six = {.at = 6};
    assert_int_equal(fifo_init(&fifo, 4, 0, 0), 0);
    assert_true(fifo_push(&fifo, 0, &five));
    assert_false(fifo_push(&fifo, 0, &four));
    assert_true(fifo_push(&fifo, 0, &five));
    assert_true(fifo_pop(&fifo, &six, &entry));
    assert_false(fifo_pop(&fifo, &five, &entry));
    assert_true(fifo_pop(&fifo, &six, &entry));
    assert_false(fifo_pop(&fifo, &six, &entry));
    /* Slots that were freed long ago do not help. */
    const struct release late = {.at = 49}, later_still = {.at = 50};
    for (unsigned i = 0; i < 3; i++)
        assert_true(fifo_push(&fifo, 0, &later_still));
    assert_false(fifo_push(&fifo, 0, &late));
    assert_true(fifo_push(&fifo, 0, &later_still));
    fifo_free(&fifo);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_streams),
        cmocka_unit_test(full_and_empty),
        cmocka_unit_test(in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
