/* A period that is recorded and multiplied leaves what the same calls, made each time, would leave. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "timing/account.h"

static uint64_t state = 88172645463325252u;

static uint64_t pick(uint64_t limit)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (state >> 20) % limit;
}

enum { UNITS = 5, CALLS = 40 };

struct call {
    unsigned what, unit;
    uint64_t start, period, duration, count;
};

static void make(struct account *account, const struct call *call, uint64_t later)
{
    const uint64_t start = call->start + later;
    switch (call->what) {
    case 0: account_busy(account, call->unit, 0, start, call->duration); break;
    case 1: account_add(account, call->unit, start, call->duration); break;
    case 2:
        account_periodic(account, call->unit, 0, start, call->period, call->duration, call->count);
        break;
    case 3:
        account_add(account, call->unit, start, call->duration + 3);
        account_remove(account, call->unit, start + 1, call->duration);
        break;
    default:
        account_reason(account, call->unit, REASON_MEMORY, 0, start, start + call->duration);
        break;
    }
}

static void same(const struct account *a, const struct account *b)
{
    assert_int_equal(a->shift, b->shift);
    assert_int_equal(a->reached, b->reached);
    assert_memory_equal(a->windows, b->windows,
                        ACCOUNT_WINDOWS * UNITS * sizeof *a->windows);
    assert_memory_equal(a->cycles, b->cycles, UNITS * sizeof *a->cycles);
    assert_memory_equal(a->events, b->events, UNITS * sizeof *a->events);
}

static void repetitions(void **unused)
{
    (void)unused;
    for (unsigned round = 0; round < 400; round++) {
        struct account made, multiplied;
        struct call calls[CALLS];
        assert_int_equal(account_init(&made, UNITS, NULL), 0);
        assert_int_equal(account_init(&multiplied, UNITS, NULL), 0);
        const uint64_t length = 20 + pick(round % 3 ? 200 : 20000);
        const uint64_t start = 100 + 4 * length + pick(5000);
        const uint64_t count = 1 + pick(round % 4 ? 50 : 5000);
        /* Up to four periods too early and three too late; the last call reaches furthest. */
        for (unsigned i = 0; i < CALLS; i++) {
            calls[i] = (struct call){.what = (unsigned)pick(4),
                                     .unit = (unsigned)pick(UNITS - 1),
                                     .start = start - 4 * length + pick(7 * length),
                                     .duration = 1 + pick(20),
                                     .count = 1 + pick(9)};
            calls[i].period = calls[i].duration + pick(30);
        }
        calls[CALLS - 2] = (struct call){.what = 5, .unit = UNITS - 1, .start = start,
                                         .duration = length};
        calls[CALLS - 1] = (struct call){.start = start + 8 * length + 1000, .duration = 3};
        /* The period before, so that the reach grows by one length only. */
        struct account *accounts[2] = {&made, &multiplied};
        for (unsigned a = 0; a < 2; a++)
            make(accounts[a], &calls[CALLS - 1], -length);
        for (uint64_t c = 0; c <= count; c++)
            for (unsigned i = 0; i < CALLS; i++)
                make(&made, &calls[i], c * length);
        assert_int_equal(account_repeat_begin(&multiplied, start, length, count), 0);
        for (unsigned i = 0; i < CALLS; i++)
            make(&multiplied, &calls[i], 0);
        assert_true(account_repeat_end(&multiplied));
        same(&made, &multiplied);
        account_free(&made);
        account_free(&multiplied);
    }
}

/* What was reached before lies beyond what the period reaches: later periods would not do the same. */
static void refused(void **unused)
{
    (void)unused;
    struct account account, plain;
    assert_int_equal(account_init(&account, UNITS, NULL), 0);
    assert_int_equal(account_init(&plain, UNITS, NULL), 0);
    account_busy(&account, 0, 0, 5000, 10);
    account_busy(&plain, 0, 0, 5000, 10);
    assert_int_equal(account_repeat_begin(&account, 100, 50, 10), 0);
    account_busy(&account, 1, 0, 110, 10);
    account_busy(&plain, 1, 0, 110, 10);
    assert_false(account_repeat_end(&account));
    same(&account, &plain);
    account_free(&account);
    account_free(&plain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(repetitions),
        cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
