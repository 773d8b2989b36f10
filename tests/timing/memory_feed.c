#include "tests/timing/memory_feed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

struct memory_request memory_requests[ACCESSES];
unsigned memory_request_count;
struct sink_interval memory_seen[UNITS][ACCESSES];
unsigned memory_seen_count[UNITS];

static int take(void *context, const struct sink_interval *interval)
{
    (void)context;
    assert_true(interval->unit < UNITS && memory_seen_count[interval->unit] < ACCESSES);
    assert_true(interval->stmt < memory_request_count && interval->reason == REASON_BUSY);
    memory_requests[interval->stmt].start = interval->start;
    memory_seen[interval->unit][memory_seen_count[interval->unit]++] = *interval;
    return 0;
}

static const struct sink_ops takes_intervals = {.name = "test", .interval = take};
static const struct sink sink = {&takes_intervals, NULL};

static void served(void *context, const struct memory_access *access, uint64_t there,
                   uint32_t behind)
{
    (void)context;
    struct memory_request *r = &memory_requests[access->tag];
    assert_int_equal(r->there, NOT_YET); /* once, and of a read */
    assert_false(r->access.write);
    r->there = there;
    r->behind = behind;
}

static void room(void *context)
{
    struct memory_feed *feed = context;
    assert_true(feed->room_count < ACCESSES);
    feed->rooms[feed->room_count++] = feed->kernel.now;
}

static uint64_t end_of(void *context)
{
    return ((struct memory_feed *)context)->end;
}

const struct memory_calls memory_feed_calls = {served, room, end_of};

static bool room_for_all(const struct memory_feed *feed)
{
    for (unsigned i = feed->next; i <= feed->next + memory_requests[feed->next].together; i++)
        if (memory_requests[i].access.write &&
            !memory_accepts(&feed->memory, memory_requests[i].access.group,
                            memory_requests[i].access.granule))
            return false;
    return true;
}

/* The accesses whose time has come arrive; those without room try it again in the next cycle. */
static void feed_on(struct process *process, struct kernel *kernel)
{
    struct memory_feed *feed = (struct memory_feed *)process;
    while (feed->next < memory_request_count &&
           memory_requests[feed->next].planned <= kernel->now) {
        if (!room_for_all(feed)) {
            if (kernel->now < feed->end) /* nothing makes room behind it */
                kernel_wake(kernel, process, kernel->now + 1, PHASE_ARRIVE, "room");
            return;
        }
        for (unsigned left = memory_requests[feed->next].together + 1; left; left--) {
            struct memory_request *r = &memory_requests[feed->next++];
            r->arrival = kernel->now;
            memory_ask(&feed->memory, &r->access);
        }
    }
    if (feed->next < memory_request_count)
        kernel_wake(kernel, process, memory_requests[feed->next].planned, PHASE_ARRIVE, "next");
}

/* All memory_requests arrive as planned or when there is room; the answers go into them. */
void memory_feed_run(struct memory_feed *feed, const struct memory_config *config, bool recorded,
                     uint64_t end)
{
    *feed = (struct memory_feed){.process = {.resume = feed_on}, .end = end};
    assert_int_equal(account_init(&feed->account, UNITS, &sink), 0);
    assert_int_equal(kernel_init(&feed->kernel, 2, true), 0);
    const struct memory_setup setup = {.config = config,
                                       .kernel = &feed->kernel,
                                       .calls = &memory_feed_calls,
                                       .context = feed,
                                       .groups = GROUPS,
                                       .burst = BURST,
                                       .account = recorded ? &feed->account : NULL,
                                       .first_unit = FIRST_UNIT};
    assert_int_equal(memory_init(&feed->memory, &setup), 0);
    assert_int_equal(memory_reserve(&feed->memory, ACCESSES / 2), 0);
    assert_int_equal(memory_reserve(&feed->memory, ACCESSES - ACCESSES / 2), 0);
    memset(memory_seen_count, 0, sizeof memory_seen_count);
    for (unsigned i = 0; i < memory_request_count; i++) {
        struct memory_request *r = &memory_requests[i];
        r->access.statement = r->access.tag = i;
        r->arrival = r->there = r->start = NOT_YET;
        r->behind = MEMORY_NOBODY;
    }
    if (memory_request_count)
        kernel_wake(&feed->kernel, &feed->process, memory_requests[0].planned, PHASE_ARRIVE,
                    "begin");
    kernel_run_until(&feed->kernel, LAST);
    assert_null(feed->kernel.broken);
    assert_int_equal(queue_next(&feed->kernel.queue), UINT64_MAX);
}

void memory_feed_finish(struct memory_feed *feed, uint64_t end)
{
    memory_finish(&feed->memory, end);
    memory_finish(&feed->memory, UINT64_MAX); /* once is enough */
    account_flush(&feed->account);
}

void memory_feed_free(struct memory_feed *feed)
{
    memory_release(&feed->memory, ACCESSES);
    memory_free(&feed->memory);
    account_free(&feed->account);
    kernel_free(&feed->kernel);
}
