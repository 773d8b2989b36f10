/* The event queue against a plain sorted list: same order, whatever the distances. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "timing/queue.h"

static uint64_t state = 88172645463325252u;

static uint64_t random64(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static void order_of_phases_and_sequence(void **unused)
{
    (void)unused;
    struct queue queue;
    assert_int_equal(queue_init(&queue, 16), 0);
    assert_true(queue_push(&queue, 5, PHASE_GRANT, 1, 0));
    assert_true(queue_push(&queue, 5, PHASE_NOTICE, 2, 0));
    assert_true(queue_push(&queue, 4, PHASE_GRANT, 3, 0));
    assert_true(queue_push(&queue, 5, PHASE_NOTICE, 4, 0));
    assert_true(queue_push(&queue, 1000000, PHASE_RELEASE, 5, 0));
    assert_int_equal(queue_next(&queue), 4);
    const uint32_t expected[] = {3, 2, 4, 1, 5};
    struct queue_event event;
    for (size_t i = 0; i < 5; i++) {
        assert_true(queue_pop(&queue, &event));
        assert_int_equal(event.what, expected[i]);
    }
    assert_int_equal(event.cycle, 1000000);
    assert_false(queue_pop(&queue, &event));
    assert_true(queue_next(&queue) == UINT64_MAX);
    queue_free(&queue);
}

static void refuses_the_past_and_too_many(void **unused)
{
    (void)unused;
    struct queue queue;
    struct queue_event event;
    assert_int_equal(queue_init(&queue, 2), 0);
    assert_true(queue_push(&queue, 7, PHASE_ISSUE, 0, 0));
    assert_true(queue_pop(&queue, &event));
    assert_false(queue_push(&queue, 6, PHASE_GRANT, 0, 0));
    assert_false(queue_push(&queue, 7, PHASE_NOTICE, 0, 0));
    assert_true(queue_push(&queue, 7, PHASE_ISSUE, 1, 0));
    assert_true(queue_push(&queue, 7, PHASE_GRANT, 2, 0));
    assert_false(queue_push(&queue, 9, PHASE_GRANT, 3, 0));
    queue_free(&queue);
}

/* The overflow must enter its slot before later pushes to the same cycle. */
static void overflow_keeps_the_sequence(void **unused)
{
    (void)unused;
    struct queue queue;
    struct queue_event event;
    assert_int_equal(queue_init(&queue, 8), 0);
    assert_true(queue_push(&queue, QUEUE_SPAN + 10, PHASE_GRANT, 1, 0));
    assert_true(queue_push(&queue, 11, PHASE_GRANT, 0, 0));
    assert_true(queue_pop(&queue, &event));
    assert_true(queue_push(&queue, QUEUE_SPAN + 10, PHASE_GRANT, 2, 0));
    assert_true(queue_push(&queue, QUEUE_SPAN + 10, PHASE_ARRIVE, 3, 0));
    const uint32_t expected[] = {3, 1, 2};
    for (size_t i = 0; i < 3; i++) {
        assert_true(queue_pop(&queue, &event));
        assert_int_equal(event.what, expected[i]);
    }
    queue_free(&queue);
}

struct plain {
    uint64_t cycle, sequence;
    uint32_t phase;
};

static int plain_order(const struct plain *a, const struct plain *b)
{
    if (a->cycle != b->cycle)
        return a->cycle < b->cycle ? -1 : 1;
    if (a->phase != b->phase)
        return a->phase < b->phase ? -1 : 1;
    return a->sequence < b->sequence ? -1 : 1;
}

static void agrees_with_a_list(void **unused)
{
    (void)unused;
    enum { PENDING = 200, ROUNDS = 50000 };
    struct queue queue;
    assert_int_equal(queue_init(&queue, PENDING + 1), 0);
    struct plain list[PENDING + 1];
    size_t count = 0;
    uint64_t sequence = 0;
    uint64_t now = 0;
    uint32_t phase = 0;
    for (size_t round = 0; round < ROUNDS; round++) {
        const bool push = count == 0 || (count < PENDING && random64() % 2);
        if (push) {
            static const uint64_t reach[] = {1, 4, 64, QUEUE_SPAN, 3 * QUEUE_SPAN, 100000};
            const uint64_t distance = random64() % reach[random64() % 6];
            uint32_t p = (uint32_t)(random64() % PHASE_COUNT);
            if (distance == 0 && p < phase)
                p = phase;
            assert_true(queue_push(&queue, now + distance, (enum phase)p, 0, sequence));
            list[count++] = (struct plain){now + distance, sequence++, p};
            continue;
        }
        size_t first = 0;
        for (size_t i = 1; i < count; i++)
            if (plain_order(&list[i], &list[first]) < 0)
                first = i;
        struct queue_event event;
        assert_true(queue_next(&queue) == list[first].cycle);
        assert_true(queue_pop(&queue, &event));
        assert_true(event.cycle == list[first].cycle);
        assert_true(event.data == list[first].sequence);
        assert_true(event.phase == list[first].phase);
        now = event.cycle;
        phase = event.phase;
        list[first] = list[--count];
        assert_true(queue.count == count);
    }
    queue_free(&queue);
}

/* Moved on, the queue gives the same events in the same order, later; a list of them is that order. */
static void listed_and_moved(void **unused)
{
    (void)unused;
    enum { EVENTS = 200, LATER = 7777, MORE = 1000 };
    for (unsigned round = 0; round < 50; round++) {
        struct queue plain, moved;
        struct queue_event list[EVENTS], event;
        assert_int_equal(queue_init(&plain, EVENTS), 0);
        assert_int_equal(queue_init(&moved, EVENTS), 0);
        for (unsigned i = 0; i < EVENTS; i++) {
            const uint64_t cycle = 5 + random64() % (round % 2 ? 3000 : 40);
            const enum phase phase = (enum phase)(random64() % PHASE_COUNT);
            assert_true(queue_push(&plain, cycle, phase, i, i));
            assert_true(queue_push(&moved, cycle, phase, i, i));
        }
        /* Some leave first, so that the wheel has turned. */
        for (unsigned i = 0; i < EVENTS / 4; i++) {
            assert_true(queue_pop(&plain, &event));
            assert_true(queue_pop(&moved, &event));
        }
        queue_shift(&moved, LATER, MORE);
        const size_t count = queue_list(&moved, list, EVENTS);
        assert_int_equal(count, EVENTS - EVENTS / 4);
        for (size_t i = 0; i < count; i++) {
            struct queue_event later;
            assert_true(queue_pop(&plain, &event));
            assert_int_equal(queue_next(&moved), event.cycle + LATER);
            assert_true(queue_pop(&moved, &later));
            assert_int_equal(later.cycle, event.cycle + LATER);
            assert_int_equal(later.data, event.data + MORE);
            assert_int_equal(later.what, event.what);
            assert_int_equal(list[i].cycle, later.cycle);
            assert_int_equal(list[i].data, later.data);
            assert_int_equal(list[i].what, event.what);
        }
        assert_false(queue_pop(&moved, &event));
        assert_int_equal(queue_list(&moved, list, EVENTS), 0);
        queue_free(&plain);
        queue_free(&moved);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order_of_phases_and_sequence),
        cmocka_unit_test(refuses_the_past_and_too_many),
        cmocka_unit_test(overflow_keeps_the_sequence),
        cmocka_unit_test(agrees_with_a_list),
        cmocka_unit_test(listed_and_moved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
