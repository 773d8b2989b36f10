/* aside: jobs come in order and once, whoever does them; and edges that a job adds (traces/deps.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>
#include <time.h>

#include "traces/aside.h"
#include "traces/deps.h"

enum { JOBS = 200 };

struct log {
    int next; /* written by jobs alone, one after the other */
    int order[JOBS];
};

struct entry {
    struct log *log;
    int number;
};

static void note(void *argument)
{
    const struct entry *entry = argument;
    entry->log->order[entry->log->next++] = entry->number;
}

static void one_after_the_other(void **unused)
{
    (void)unused;
    for (int with = 0; with < 2; with++) {
        struct aside *aside = with ? aside_open() : NULL;
        struct log log = {0};
        struct entry entries[JOBS];
        for (int i = 0; i < JOBS; i++) {
            entries[i] = (struct entry){&log, i};
            assert_int_equal(aside_given(aside), with ? i : 0);
            aside_do(aside, note, &entries[i]);
            if (i == JOBS / 2) {
                aside_wait_for(aside, aside_given(aside));
                assert_int_equal(log.next, i + 1);
            }
        }
        aside_wait(aside);
        assert_int_equal(log.next, JOBS);
        for (int i = 0; i < JOBS; i++) {
            assert_int_equal(log.order[i], i);
        }
        aside_close(aside);
    }
}

/* --- shared jobs ---------------------------------------------------------------------------------- */

struct sharing {
    atomic_int slow; /* the job in the queue has been done */
    atomic_int done[JOBS], early[JOBS];
    const bool *queued;
};

static void be_slow(void *argument)
{
    struct sharing *sharing = argument;
    nanosleep(&(const struct timespec){.tv_nsec = 5000000}, NULL);
    sharing->slow = 1;
}

static void share(void *argument, size_t number)
{
    struct sharing *sharing = argument;
    sharing->early[number] = !sharing->slow;
    sharing->done[number]++;
}

static void shared_by_two(void **unused)
{
    (void)unused;
    static const size_t counts[] = {0, 1, 2, 7, JOBS};
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        for (int with = 0; with < 2; with++) {
            for (int kind = 0; kind < 3; kind++) { /* none, some, all need the queue */
                struct aside *aside = with ? aside_open() : NULL;
                bool queued[JOBS];
                struct sharing sharing = {.queued = queued};
                for (size_t i = 0; i < JOBS; i++) {
                    queued[i] = kind == 2 || (kind == 1 && i % 3 == 1);
                }
                aside_do(aside, be_slow, &sharing);
                aside_share(aside, share, queued, aside_given(aside), counts[c], &sharing);
                assert_int_equal(sharing.slow, 1);
                for (size_t i = 0; i < JOBS; i++) {
                    assert_int_equal(sharing.done[i], i < counts[c]);
                    assert_false(sharing.early[i] && queued[i]);
                }
                aside_close(aside);
            }
        }
    }
}

/* --- edges ---------------------------------------------------------------------------------------- */

enum { BEFORE = DEPS_BLOCK + 10, INSIDE = 3 * DEPS_BLOCK + 5 };

static struct sink_edge edge_of(uint32_t i)
{
    return (struct sink_edge){.src = i % 700, .dst = i % 1100, .kind = EDGE_PORT, .at = i, .waited = 1};
}

static void add_inside(void *argument)
{
    struct deps *deps = argument;
    deps_begin_here(deps);
    for (uint32_t i = 0; i < INSIDE; i++) {
        const struct sink_edge edge = edge_of(BEFORE + i);
        deps_add(deps, &edge, 1);
    }
    deps_end_here(deps);
}

static void reserve(void *argument)
{
    deps_reserve(argument, 100); /* fewer than come */
}

/* By a job, with room made before or not: the same rows as by the caller alone. */
static void edges_of_a_job(void **unused)
{
    (void)unused;
    struct deps plain = {0};
    for (uint32_t i = 0; i < BEFORE + INSIDE; i++) {
        const struct sink_edge edge = edge_of(i);
        assert_int_equal(deps_add(&plain, &edge, 1), 0);
    }
    assert_int_equal(deps_settle(&plain), 0);
    assert_true(plain.count > 700);
    for (int with = 0; with < 4; with++) {
        struct deps deps = {.aside = with % 2 ? aside_open() : NULL};
        if (with / 2) {
            aside_do(deps.aside, reserve, &deps);
        }
        for (uint32_t i = 0; i < BEFORE; i++) {
            const struct sink_edge edge = edge_of(i);
            assert_int_equal(deps_add(&deps, &edge, 1), 0);
        }
        deps_hand_over(&deps);
        aside_do(deps.aside, add_inside, &deps);
        aside_wait(deps.aside);
        assert_int_equal(deps_settle(&deps), 0);
        assert_int_equal(deps.count, plain.count);
        for (size_t i = 0; i < deps.count; i++) {
            const struct dep *a = &deps.rows[i], *b = &plain.rows[i];
            assert_true(a->order == b->order && a->src == b->src && a->dst == b->dst &&
                        a->times == b->times && a->waited == b->waited && a->last_at == b->last_at &&
                        a->first_at == b->first_at);
        }
        struct aside *aside = deps.aside;
        deps_free(&deps);
        aside_close(aside);
    }
    deps_free(&plain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_after_the_other),
        cmocka_unit_test(shared_by_two),
        cmocka_unit_test(edges_of_a_job),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
