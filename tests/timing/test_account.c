/* The account against a ledger that holds the state of every unit in every cycle. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/dice.h"
#include "tests/often.h"
#include "timing/account.h"

static struct dice dice = {1};

static uint64_t pick(uint64_t limit)
{
    return dice_below(&dice, limit);
}

/* --- the ledger ------------------------------------------------------------------------------- */

enum { UNITS = 3, CYCLES = 40000, OWN = REASON_MACHINE + 2 };
enum { NOTHING = 255, SKIPPED = 254 }; /* a gap that a later charge has passed */

static unsigned char ledger[UNITS][CYCLES];  /* a reason, NOTHING or SKIPPED */
static unsigned char emitted[UNITS][CYCLES]; /* the same from the intervals that the sink took */
static uint32_t statements[UNITS][CYCLES], emitted_statements[UNITS][CYCLES];
static uint64_t expected_events[UNITS][REASON_MAX];
static struct sink_interval last_emitted[UNITS];
static uint64_t intervals_left; /* the sink fails at 0 */

static void clear(void)
{
    memset(ledger, NOTHING, sizeof ledger);
    memset(emitted, NOTHING, sizeof emitted);
    memset(expected_events, 0, sizeof expected_events);
    memset(last_emitted, 0, sizeof last_emitted);
    intervals_left = UINT64_MAX;
}

static int take(void *context, const struct sink_interval *interval)
{
    assert_ptr_equal(context, emitted);
    assert_true(interval->duration > 0);
    if (intervals_left == 0)
        return -1;
    intervals_left--;
    /* In order of start, and never two where one would do. */
    struct sink_interval *before = &last_emitted[interval->unit];
    const uint64_t end = before->start + before->duration;
    assert_true(interval->start >= end);
    assert_false(interval->start == end && before->duration && before->reason == interval->reason &&
                 before->stmt == interval->stmt);
    *before = *interval;
    for (uint64_t c = interval->start; c < interval->start + interval->duration; c++) {
        assert_int_equal(emitted[interval->unit][c], NOTHING);
        emitted[interval->unit][c] = (unsigned char)interval->reason;
        emitted_statements[interval->unit][c] = interval->stmt;
    }
    return 0;
}

static const struct sink_ops takes_intervals = {.name = "test", .interval = take};
static const struct sink sink = {&takes_intervals, emitted};

/* What lies before a charge is passed. */
static void pass_gaps(uint32_t unit, uint64_t before)
{
    for (uint64_t c = 0; c < before; c++)
        if (ledger[unit][c] == NOTHING)
            ledger[unit][c] = SKIPPED;
}

static void charge(uint32_t unit, unsigned char reason, uint32_t stmt, uint64_t cycle)
{
    ledger[unit][cycle] = reason;
    statements[unit][cycle] = stmt;
}

static void compare(const struct account *account, uint64_t total)
{
    uint64_t cycles[UNITS][REASON_MAX] = {{0}};
    size_t count;
    for (uint32_t u = 0; u < UNITS; u++)
        for (uint64_t c = 0; c < CYCLES; c++) {
            const bool idle = ledger[u][c] == NOTHING || ledger[u][c] == SKIPPED;
            if (c < total)
                cycles[u][idle ? REASON_IDLE : ledger[u][c]]++;
            else
                assert_true(idle);
            assert_int_equal(emitted[u][c], idle ? NOTHING : ledger[u][c]);
            if (!idle)
                assert_int_equal(emitted_statements[u][c], statements[u][c]);
        }
    struct sink_unit_total *rows = account_totals(account, total, &count);
    assert_non_null(rows);
    size_t i = 0;
    for (uint32_t u = 0; u < UNITS; u++)
        for (uint32_t r = 0; r < REASON_MAX; r++) {
            if (!cycles[u][r])
                continue;
            assert_true(i < count);
            assert_int_equal(rows[i].unit, u);
            assert_int_equal(rows[i].reason, r);
            assert_int_equal(rows[i].region, 0);
            assert_int_equal(rows[i].cycles, cycles[u][r]);
            assert_int_equal(rows[i++].events, expected_events[u][r]);
        }
    assert_int_equal(i, count);
    free(rows);

    struct sink_window *windows = account_windows(account, &count);
    assert_non_null(windows);
    const uint64_t length = UINT64_C(1) << account->shift;
    i = 0;
    for (uint32_t u = 0; u < UNITS; u++)
        for (uint64_t first = 0; first < CYCLES; first += length) {
            uint64_t busy = 0;
            for (uint64_t c = first; c < first + length && c < CYCLES; c++)
                busy += ledger[u][c] == REASON_BUSY;
            if (!busy)
                continue;
            assert_true(i < count);
            assert_int_equal(windows[i].unit, u);
            assert_int_equal(windows[i].index, first / length);
            assert_int_equal(windows[i++].busy, busy);
        }
    assert_int_equal(i, count);
    free(windows);
}

/* --- streams ---------------------------------------------------------------------------------- */

/* Busy once or periodically, from a cycle that is not settled. */
static uint64_t work(struct account *account, uint32_t unit, uint64_t from, uint32_t stmt)
{
    const uint64_t duration = 1 + pick(30), count = pick(3) ? 1 : 1 + pick(20);
    const uint64_t period = duration + (pick(3) ? pick(10) : 0);
    if (count == 1 && pick(2))
        account_busy(account, unit, stmt, from, duration);
    else
        account_periodic(account,
                         &(struct account_pattern){unit, stmt, from, period, duration, count});
    expected_events[unit][REASON_BUSY] += count;
    for (uint64_t i = 0; i < count; i++)
        for (uint64_t c = 0; c < duration; c++)
            charge(unit, REASON_BUSY, stmt, from + i * period + c);
    pass_gaps(unit, from + (count - 1) * period + duration);
    return from + (count - 1) * period + duration;
}

/* A wait that may begin before the end of what is settled. */
static uint64_t wait_some(struct account *account, uint32_t unit, uint64_t at, uint32_t stmt)
{
    static const unsigned char reasons[] = {REASON_DATA, REASON_MEMORY, REASON_DRAINED, OWN};
    const unsigned char reason = reasons[pick(4)];
    const uint64_t from = at - pick(at < 20 ? at + 1 : 20), to = from + pick(60);
    bool any = false;
    account_reason(account, unit, reason, stmt, from, to);
    for (uint64_t c = from; c < to; c++)
        if (ledger[unit][c] == NOTHING) {
            charge(unit, reason, stmt, c);
            any = true;
        }
    if (any)
        pass_gaps(unit, to);
    expected_events[unit][reason] += any;
    return to > at ? to : at;
}

static void random_streams(void **unused)
{
    (void)unused;
    static const uint64_t ends[] = {200, 4096, 9000, CYCLES - 700};
    for (size_t round = 0; round < often(40); round++) {
        struct account account;
        assert_int_equal(account_init(&account, UNITS, &sink), 0);
        clear();
        uint64_t end = 0;
        for (uint32_t u = 0; u < UNITS; u++) {
            uint64_t at = 0;
            while (at < ends[round % 4]) {
                const uint32_t stmt = (uint32_t)pick(round % 2 ? 3 : 1000);
                const uint64_t begin = at + (pick(2) ? pick(25) : 0);
                at = pick(2) ? work(&account, u, begin, stmt) : wait_some(&account, u, begin, stmt);
            }
            end = at > end ? at : end;
        }
        assert_true(end < CYCLES);
        account_flush(&account);
        account_flush(&account); /* once is enough */
        assert_int_equal(account.status, 0);
        compare(&account, end + pick(CYCLES - end));
        account_free(&account);
    }
}

/* What is taken back leaves no trace, wherever windows begin. */
static void added_and_removed(void **unused)
{
    (void)unused;
    struct account account;
    assert_int_equal(account_init(&account, UNITS, &sink), 0);
    clear();
    for (unsigned i = 0; i < 500; i++) {
        const uint32_t unit = (uint32_t)pick(UNITS);
        const uint64_t start = pick(CYCLES - 200), duration = pick(100), part = pick(duration + 1);
        account_add(&account, unit, start, duration);
        account_remove(&account, unit, start, part);
        account_remove(&account, unit, start + part, duration - part);
        account_add(&account, unit, start, 0);
    }
    compare(&account, CYCLES); /* all idle */
    assert_int_equal(account.settled[0], 0);
    account_free(&account);
}

/* --- edges ------------------------------------------------------------------------------------ */

/* The last cycle of the last window does not fold; the next one does. Only `duration` cycles count,
 * not the cycle behind them. */
static void windows_double(void **unused)
{
    (void)unused;
    const uint64_t span = (uint64_t)ACCOUNT_WINDOWS << ACCOUNT_FIRST_SHIFT;
    struct account account;
    size_t count;
    assert_int_equal(account_init(&account, 1, NULL), 0);
    account_busy(&account, 0, 0, span - 1, 1);
    account_add(&account, 0, 3, 2);
    assert_int_equal(account.shift, ACCOUNT_FIRST_SHIFT);
    struct sink_window *rows = account_windows(&account, &count);
    assert_non_null(rows);
    assert_int_equal(count, 3);
    assert_int_equal(rows[1].index, 1);
    assert_int_equal(rows[2].index, ACCOUNT_WINDOWS - 1);
    free(rows);
    account_busy(&account, 0, 0, span, 1);
    assert_int_equal(account.shift, ACCOUNT_FIRST_SHIFT + 1);
    rows = account_windows(&account, &count);
    assert_non_null(rows);
    assert_int_equal(count, 3);
    assert_int_equal(rows[0].index, 0);
    assert_int_equal(rows[0].busy, 2);
    assert_int_equal(rows[1].index, ACCOUNT_WINDOWS / 2 - 1);
    assert_int_equal(rows[2].index, ACCOUNT_WINDOWS / 2);
    free(rows);
    assert_int_equal(account_total(&account, 0), 4);
    account_reach(&account, UINT64_C(1) << 40);
    assert_int_equal(account_total(&account, 0), 4);
    assert_int_equal(account.reached, UINT64_C(1) << 40);
    account_free(&account);
}

/* A reason ends before what is settled, at it, and one cycle behind it. */
static void reasons_begin_where_it_is_settled(void **unused)
{
    (void)unused;
    struct account account;
    assert_int_equal(account_init(&account, 1, NULL), 0);
    account_busy(&account, 0, 0, 10, 5);
    account_reason(&account, 0, REASON_DATA, 0, 8, 14);
    account_reason(&account, 0, REASON_DATA, 0, 8, 15);
    assert_int_equal(account.events[0][REASON_DATA], 0);
    account_reason(&account, 0, REASON_DATA, 0, 8, 16);
    assert_int_equal(account.cycles[0][REASON_DATA], 1);
    assert_int_equal(account.events[0][REASON_DATA], 1);
    account_reason(&account, 0, REASON_TAG, 0, 18, 20);
    assert_int_equal(account.cycles[0][REASON_TAG], 2);
    assert_int_equal(account.settled[0], 20);
    account_free(&account);
}

static void busy_rows(void **unused)
{
    (void)unused;
    struct account account;
    size_t count;
    assert_int_equal(account_init(&account, 1, NULL), 0);
    account_busy(&account, 0, 0, 0, 7);
    account_reason(&account, 0, REASON_PORT, 0, 7, 9);
    for (uint64_t total = 8; total <= 10; total++) {
        struct sink_unit_total *rows = account_totals(&account, total, &count);
        assert_non_null(rows);
        assert_int_equal(count, total <= 9 ? 2 : 3); /* charged 9 cycles */
        if (count == 3)
            assert_int_equal(rows[2].cycles, 1);
        free(rows);
    }
    account_free(&account);
    assert_int_equal(account_init(&account, 0, NULL), 0);
    struct sink_unit_total *none = account_totals(&account, 5, &count);
    assert_non_null(none);
    assert_int_equal(count, 0);
    free(none);
    account_free(&account);
}

/* The first failure of a sink stays, and nothing is emitted behind it. A sink without the call does
 * not matter. */
/* A port may read while a write lands: the cycles that they share are the earlier one's. */
static void one_interval_a_cycle(void **unused)
{
    (void)unused;
    for (uint64_t shift = 0; shift < 8; shift++) {
        for (uint64_t length = 1; length < 8; length++) {
            clear();
            struct account account;
            assert_int_equal(account_init(&account, UNITS, &sink), 0);
            account_interval(&account, 0, REASON_BUSY, 1, 10, 4);
            account_interval(&account, 0, REASON_BUSY, 2, 10 + shift, length);
            account_interval(&account, 0, REASON_BUSY, 2, 30, 1);
            account_flush(&account);
            for (uint64_t c = 0; c < 30; c++) {
                const bool first = c >= 10 && c < 14;
                const bool second = !first && c >= 10 + shift && c < 10 + shift + length;
                assert_int_equal(emitted[0][c], first || second ? REASON_BUSY : NOTHING);
                if (first || second)
                    assert_int_equal(emitted_statements[0][c], first ? 1 : 2);
            }
            account_free(&account);
        }
    }
}

static void failing_sink(void **unused)
{
    (void)unused;
    static const struct sink_ops takes_nothing = {.name = "test"};
    static const struct sink silent = {&takes_nothing, NULL};
    struct account account;
    clear();
    assert_int_equal(account_init(&account, UNITS, &sink), 0);
    intervals_left = 1;
    account_busy(&account, 0, 0, 0, 3);
    account_busy(&account, 0, 0, 3, 3); /* the same interval */
    account_busy(&account, 0, 1, 6, 1);
    assert_int_equal(intervals_left, 0);
    assert_int_equal(account.status, 0);
    account_reason(&account, 0, REASON_DATA, 0, 8, 9);
    assert_int_equal(account.status, -1);
    intervals_left = 10;
    account_reason(&account, 0, REASON_TAG, 0, 9, 10);
    account_flush(&account);
    assert_int_equal(account.status, -1);
    assert_int_equal(intervals_left, 10);
    assert_int_equal(account_total(&account, 0), 7);
    account_free(&account);
    assert_int_equal(account_init(&account, UNITS, &silent), 0);
    account_busy(&account, 0, 0, 0, 3);
    const struct account_pattern pattern = {.start = 3, .period = 4, .duration = 2, .count = 3};
    account_periodic(&account, &pattern);
    account_flush(&account);
    assert_int_equal(account.status, 0);
    account_free(&account);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_streams), cmocka_unit_test(added_and_removed),
        cmocka_unit_test(windows_double), cmocka_unit_test(reasons_begin_where_it_is_settled),
        cmocka_unit_test(busy_rows),      cmocka_unit_test(one_interval_a_cycle),
        cmocka_unit_test(failing_sink),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
