/*
 * bench_queue: hold operations (take the next event, push one a little later) a second, with 64 to
 * 4096 pending: the kernel's queue, a plain binary heap, libevent's timers.
 */
#include <event2/event.h>
#include <stdio.h>
#include <stdlib.h>

#include "timing/queue.h"
#include "tests/bench/bench.h"

enum { HOLDS = 20000000, LIBEVENT_HOLDS = 1000000, STEP = 64 };

static uint32_t state = 2463534242u;

static inline uint32_t increment(void)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return 1 + state % STEP;
}

static double wheel(size_t pending)
{
    struct queue queue;
    if (queue_init(&queue, pending + 1) != 0)
        abort();
    for (size_t i = 0; i < pending; i++)
        queue_push(&queue, increment(), PHASE_ARRIVE, &queue);
    const double start = bench_cpu();
    uint64_t sum = 0;
    for (size_t i = 0; i < HOLDS; i++) {
        struct queue_entry entry;
        queue_pop(&queue, &entry);
        sum += entry.cycle;
        queue_push(&queue, entry.cycle + increment(), PHASE_ARRIVE, entry.data);
    }
    const double took = bench_cpu() - start;
    queue_free(&queue);
    return sum ? HOLDS / took : 0;
}

struct plain {
    uint64_t cycle, sequence, data;
};

static int less(const struct plain *a, const struct plain *b)
{
    return a->cycle != b->cycle ? a->cycle < b->cycle : a->sequence < b->sequence;
}

static void heap_push(struct plain *heap, size_t *count, struct plain entry)
{
    size_t i = (*count)++;
    for (; i && less(&entry, &heap[(i - 1) / 2]); i = (i - 1) / 2)
        heap[i] = heap[(i - 1) / 2];
    heap[i] = entry;
}

static struct plain heap_pop(struct plain *heap, size_t *count)
{
    const struct plain top = heap[0], last = heap[--*count];
    size_t i = 0;
    for (size_t child; (child = 2 * i + 1) < *count; i = child) {
        if (child + 1 < *count && less(&heap[child + 1], &heap[child]))
            child++;
        if (!less(&heap[child], &last))
            break;
        heap[i] = heap[child];
    }
    heap[i] = last;
    return top;
}

static double binary_heap(size_t pending)
{
    struct plain *heap = calloc(pending + 1, sizeof *heap);
    if (!heap)
        abort();
    size_t count = 0;
    uint64_t sequence = 0, sum = 0;
    for (size_t i = 0; i < pending; i++)
        heap_push(heap, &count, (struct plain){increment(), sequence++, i});
    const double start = bench_cpu();
    for (size_t i = 0; i < HOLDS; i++) {
        struct plain entry = heap_pop(heap, &count);
        sum += entry.cycle;
        entry.cycle += increment();
        entry.sequence = sequence++;
        heap_push(heap, &count, entry);
    }
    const double took = bench_cpu() - start;
    free(heap);
    return sum ? HOLDS / took : 0;
}

struct timers {
    struct event_base *base;
    size_t left;
};

struct timer {
    struct timers *timers;
    struct event *event;
};

static void fire(evutil_socket_t fd, short what, void *data)
{
    (void)fd;
    (void)what;
    struct timer *timer = data;
    const struct timeval later = {0, (suseconds_t)increment()};
    if (timer->timers->left-- == 0)
        event_base_loopbreak(timer->timers->base);
    event_add(timer->event, &later);
}

static double libevent_timers(size_t pending)
{
    struct event_config *config = event_config_new();
    event_config_set_flag(config, EVENT_BASE_FLAG_PRECISE_TIMER);
    struct timers timers = {event_base_new_with_config(config), LIBEVENT_HOLDS};
    struct timer *timer = calloc(pending, sizeof *timer);
    if (!timers.base || !timer)
        abort();
    for (size_t i = 0; i < pending; i++) {
        const struct timeval later = {0, (suseconds_t)increment()};
        timer[i].timers = &timers;
        timer[i].event = event_new(timers.base, -1, 0, fire, &timer[i]);
        event_add(timer[i].event, &later);
    }
    const double start = bench_cpu();
    event_base_dispatch(timers.base);
    const double took = bench_cpu() - start;
    for (size_t i = 0; i < pending; i++)
        event_free(timer[i].event);
    free(timer);
    event_base_free(timers.base);
    event_config_free(config);
    return LIBEVENT_HOLDS / took;
}

int main(void)
{
    static const size_t sizes[] = {64, 256, 1024, 4096};
    printf("hold operations, million a second, steps of 1 to %d cycles\n", STEP);
    printf("%8s %12s %12s %12s\n", "pending", "queue", "binary heap", "libevent");
    for (size_t i = 0; i < 4; i++)
        printf("%8zu %12.1f %12.1f %12.1f\n", sizes[i], wheel(sizes[i]) * 1e-6,
               binary_heap(sizes[i]) * 1e-6, libevent_timers(sizes[i]) * 1e-6);
    return 0;
}
