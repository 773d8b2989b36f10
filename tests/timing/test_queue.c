/* The queue against a plain list that is searched for its first entry: same order, whatever the
 * distances. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/dice.h"
#include "timing/queue.h"

static struct dice dice = {1};

static char owners[4096]; /* entries belong to their addresses */

static void expect(struct queue *queue, uint64_t cycle, size_t owner)
{
    struct queue_entry entry;
    assert_int_equal(queue_next(queue), cycle);
    assert_true(queue_pop(queue, &entry));
    assert_int_equal(entry.cycle, cycle);
    assert_ptr_equal(entry.data, &owners[owner]);
}

static void order_of_phases_and_sequence(void **unused)
{
    (void)unused;
    struct queue queue;
    struct queue_entry entry;
    assert_int_equal(queue_init(&queue, 16), 0);
    assert_true(queue_push(&queue, 5, PHASE_GRANT, &owners[1]));
    assert_true(queue_push(&queue, 5, PHASE_NOTICE, &owners[2]));
    assert_true(queue_push(&queue, 4, PHASE_GRANT, &owners[3]));
    assert_true(queue_push(&queue, 5, PHASE_NOTICE, &owners[4]));
    assert_true(queue_push(&queue, 1000000, PHASE_NOTICE, &owners[5]));
    expect(&queue, 4, 3);
    expect(&queue, 5, 2);
    expect(&queue, 5, 4);
    expect(&queue, 5, 1);
    expect(&queue, 1000000, 5);
    assert_false(queue_pop(&queue, &entry));
    assert_true(queue_next(&queue) == UINT64_MAX);
    queue_free(&queue);
}

static void refuses_the_past_and_too_many(void **unused)
{
    (void)unused;
    struct queue queue;
    assert_int_equal(queue_init(&queue, 2), 0);
    assert_true(queue_push(&queue, 7, PHASE_ISSUE, &owners[0]));
    expect(&queue, 7, 0);
    assert_false(queue_push(&queue, 6, PHASE_GRANT, &owners[0]));
    assert_false(queue_push(&queue, 7, PHASE_NOTICE, &owners[0]));
    const uint32_t first = queue_push(&queue, 7, PHASE_ISSUE, &owners[1]);
    assert_true(first);
    assert_true(queue_push(&queue, 7, PHASE_GRANT, &owners[2]));
    assert_false(queue_push(&queue, 9, PHASE_GRANT, &owners[3]));
    queue_remove(&queue, first);
    assert_true(queue_push(&queue, 9, PHASE_GRANT, &owners[3]));
    expect(&queue, 7, 2);
    expect(&queue, 9, 3);
    queue_free(&queue);
    assert_int_equal(queue_init(&queue, 0), 0);
    assert_false(queue_push(&queue, 0, PHASE_ISSUE, &owners[0]));
    queue_free(&queue);
    assert_int_equal(queue_init(&queue, SIZE_MAX), -1);
}

/* The overflow must enter its slot before later pushes to the same cycle; the last cycle of the
 * wheel and the first of the overflow do not meet in one slot. */
static void overflow_keeps_the_sequence(void **unused)
{
    (void)unused;
    struct queue queue;
    assert_int_equal(queue_init(&queue, 8), 0);
    assert_true(queue_push(&queue, QUEUE_SPAN + 10, PHASE_GRANT, &owners[1]));
    assert_true(queue_push(&queue, 11, PHASE_GRANT, &owners[0]));
    expect(&queue, 11, 0);
    assert_true(queue_push(&queue, QUEUE_SPAN + 10, PHASE_GRANT, &owners[2]));
    assert_true(queue_push(&queue, QUEUE_SPAN + 10, PHASE_ARRIVE, &owners[3]));
    assert_true(queue_push(&queue, QUEUE_SPAN + 11, PHASE_NOTICE, &owners[4]));
    assert_true(queue_push(&queue, 11, PHASE_GRANT, &owners[5]));
    expect(&queue, 11, 5);
    expect(&queue, QUEUE_SPAN + 10, 3);
    expect(&queue, QUEUE_SPAN + 10, 1);
    expect(&queue, QUEUE_SPAN + 10, 2);
    expect(&queue, QUEUE_SPAN + 11, 4);
    queue_free(&queue);
}

struct plain {
    uint64_t cycle, sequence;
    uint32_t phase, number;
    void *data;
};

static bool plain_before(const struct plain *a, const struct plain *b)
{
    if (a->cycle != b->cycle)
        return a->cycle < b->cycle;
    if (a->phase != b->phase)
        return a->phase < b->phase;
    return a->sequence < b->sequence;
}

static void agrees_with_a_list(void **unused)
{
    (void)unused;
    enum { PENDING = 200, ROUNDS = 60000 };
    static const uint64_t reach[] = {1, 4, 64, QUEUE_SPAN, 3 * QUEUE_SPAN, 100000};
    struct queue queue;
    struct plain list[PENDING];
    size_t count = 0;
    uint64_t sequence = 0, now = 0;
    uint32_t phase = 0;
    assert_int_equal(queue_init(&queue, 3), 0);
    for (size_t round = 0; round < ROUNDS; round++) {
        const uint64_t act = dice_next(&dice) % 8;
        if (count == 0 || (count < PENDING && act < 4)) {
            const uint64_t distance = dice_next(&dice) % reach[dice_next(&dice) % 6];
            uint32_t p = (uint32_t)(dice_next(&dice) % PHASE_COUNT);
            if (distance == 0 && p < phase)
                p = phase;
            void *data = &owners[round % sizeof owners];
            if (count == queue.capacity)
                assert_int_equal(queue_grow(&queue, 1 + dice_next(&dice) % 20), 0);
            const uint32_t number = queue_push(&queue, now + distance, (enum phase)p, data);
            assert_true(number);
            for (size_t i = 0; i < count; i++)
                assert_int_not_equal(list[i].number, number);
            list[count++] = (struct plain){now + distance, sequence++, p, number, data};
        } else if (act == 7) {
            const size_t i = dice_next(&dice) % count;
            queue_remove(&queue, list[i].number);
            list[i] = list[--count];
        } else {
            size_t first = 0;
            for (size_t i = 1; i < count; i++)
                if (plain_before(&list[i], &list[first]))
                    first = i;
            struct queue_entry entry;
            assert_int_equal(queue_next(&queue), list[first].cycle);
            assert_true(queue_pop(&queue, &entry));
            assert_int_equal(entry.cycle, list[first].cycle);
            assert_int_equal(entry.phase, list[first].phase);
            assert_ptr_equal(entry.data, list[first].data);
            now = entry.cycle;
            phase = entry.phase;
            list[first] = list[--count];
        }
        assert_int_equal(queue.count, count);
    }
    queue_free(&queue);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order_of_phases_and_sequence),
        cmocka_unit_test(refuses_the_past_and_too_many),
        cmocka_unit_test(overflow_keeps_the_sequence),
        cmocka_unit_test(agrees_with_a_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
