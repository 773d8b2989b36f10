#include "timing/account.h"

#include <stdlib.h>
#include <string.h>

int account_init(struct account *account, size_t units, const struct sink *sink)
{
    *account = (struct account){.units = units, .shift = ACCOUNT_FIRST_SHIFT};
    if (sink && sink->ops->slice)
        account->sink = sink;
    account->windows = calloc(ACCOUNT_WINDOWS * units, sizeof *account->windows);
    account->cycles = calloc(units, sizeof *account->cycles);
    account->events = calloc(units, sizeof *account->events);
    account->told = calloc(units, sizeof *account->told);
    if (account->windows && account->cycles && account->events && account->told)
        return 0;
    account_free(account);
    return -1;
}

void account_free(struct account *account)
{
    account_repeat_drop(account);
    free(account->windows);
    free(account->cycles);
    free(account->events);
    free(account->told);
    *account = (struct account){0};
}

/* Windows of twice the length: each pair becomes one. */
static void fold(struct account *account)
{
    const size_t units = account->units;
    for (size_t w = 0; w < ACCOUNT_WINDOWS / 2; w++)
        for (size_t u = 0; u < units; u++)
            account->windows[w * units + u] =
                account->windows[2 * w * units + u] + account->windows[(2 * w + 1) * units + u];
    memset(account->windows + ACCOUNT_WINDOWS / 2 * units, 0,
           ACCOUNT_WINDOWS / 2 * units * sizeof *account->windows);
    account->shift++;
}

void account_reach(struct account *account, uint64_t cycle)
{
    if (cycle > account->reached)
        account->reached = cycle;
    while (cycle >> account->shift >= ACCOUNT_WINDOWS)
        fold(account);
}

/* Busy cycles in the first x cycles of a pattern of `duration` every `period`, `count` times. */
static uint64_t pattern(uint64_t x, uint64_t period, uint64_t duration, uint64_t count)
{
    const uint64_t whole = x / period;
    if (whole >= count)
        return count * duration;
    const uint64_t rest = x % period;
    return whole * duration + (rest < duration ? rest : duration);
}

/* --- a period that repeats ------------------------------------------------------------------------- */

enum { TURNS = 64 }; /* how far from its own period anything may lie, in periods */

struct turn {
    uint64_t *bins; /* [marks][units] busy cycles, or NULL */
};

/* Cycle start + q * length + r lies in turn q, bin of r. The marks are where boundaries of windows
 * can fall in a period, so that a bin never lies in two windows, in whatever turn. */
struct account_repeat {
    uint64_t start, length, count;
    uint64_t reached; /* at the start */
    uint64_t *marks;  /* ascending, the first is 0 */
    size_t mark_count;
    struct turn turns[2 * TURNS + 1];
    bool failed;
    uint64_t (*cycles)[REASON_COUNT]; /* at the start */
    uint64_t (*events)[REASON_COUNT];
};

static int by_value(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* cycle - start in whole lengths, rounded down, and the rest. */
static int64_t turn_of(const struct account_repeat *repeat, uint64_t cycle, uint64_t *rest)
{
    if (cycle >= repeat->start) {
        *rest = (cycle - repeat->start) % repeat->length;
        return (int64_t)((cycle - repeat->start) / repeat->length);
    }
    const uint64_t before = repeat->start - cycle;
    const uint64_t turns = (before + repeat->length - 1) / repeat->length;
    *rest = turns * repeat->length - before;
    return -(int64_t)turns;
}

/* The last mark <= rest. */
static size_t mark_of(const struct account_repeat *repeat, uint64_t rest)
{
    size_t low = 0, high = repeat->mark_count;
    while (high - low > 1) {
        const size_t middle = (low + high) / 2;
        if (repeat->marks[middle] <= rest)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Where the windows' boundaries fall once everything has been reached. */
static void make_marks(const struct account *account, struct account_repeat *repeat)
{
    const uint64_t last = repeat->reached + (repeat->count + 1) * repeat->length;
    unsigned shift = account->shift;
    while (last >> shift >= ACCOUNT_WINDOWS)
        shift++;
    size_t count = 0;
    repeat->marks[count++] = 0;
    for (uint64_t w = 0; w <= ACCOUNT_WINDOWS; w++)
        turn_of(repeat, w << shift, &repeat->marks[count++]);
    qsort(repeat->marks, count, sizeof *repeat->marks, by_value);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || repeat->marks[i] != repeat->marks[repeat->mark_count - 1])
            repeat->marks[repeat->mark_count++] = repeat->marks[i];
}

int account_repeat_begin(struct account *account, uint64_t start, uint64_t length, uint64_t count)
{
    struct account_repeat *repeat = calloc(1, sizeof *repeat);
    const size_t size = account->units * sizeof *repeat->cycles;
    if (!repeat)
        return -1;
    account->repeat = repeat;
    repeat->start = start;
    repeat->length = length;
    repeat->count = count;
    repeat->reached = account->reached;
    repeat->marks = malloc((ACCOUNT_WINDOWS + 2) * sizeof *repeat->marks);
    repeat->cycles = malloc(size);
    repeat->events = malloc(size);
    if (!repeat->marks || !repeat->cycles || !repeat->events) {
        account_repeat_drop(account);
        return -1;
    }
    memcpy(repeat->cycles, account->cycles, size);
    memcpy(repeat->events, account->events, size);
    make_marks(account, repeat);
    return 0;
}

void account_repeat_drop(struct account *account)
{
    struct account_repeat *repeat = account->repeat;
    if (!repeat)
        return;
    for (size_t t = 0; t < sizeof repeat->turns / sizeof *repeat->turns; t++)
        free(repeat->turns[t].bins);
    free(repeat->marks);
    free(repeat->cycles);
    free(repeat->events);
    free(repeat);
    account->repeat = NULL;
}

/* `duration` every `period`, `count` times from `start` on, goes into the bins. */
static void record(const struct account *account, uint32_t unit, uint64_t start, uint64_t period,
                   uint64_t duration, uint64_t count, uint64_t sign)
{
    struct account_repeat *repeat = account->repeat;
    const uint64_t end = start + (count - 1) * period + duration;
    uint64_t rest, done = 0;
    int64_t turn = turn_of(repeat, start, &rest);
    size_t mark = mark_of(repeat, rest);
    for (uint64_t at = start; at < end; rest = repeat->marks[mark]) {
        if (turn < -TURNS || turn > TURNS) {
            repeat->failed = true;
            return;
        }
        uint64_t **bins = &repeat->turns[turn + TURNS].bins;
        if (!*bins && !(*bins = calloc(repeat->mark_count * account->units, sizeof **bins))) {
            repeat->failed = true;
            return;
        }
        const bool last = mark + 1 == repeat->mark_count;
        const uint64_t edge = last ? repeat->length : repeat->marks[mark + 1];
        const uint64_t stop = at + (edge - rest) < end ? at + (edge - rest) : end;
        const uint64_t sum = pattern(stop - start, period, duration, count);
        (*bins)[mark * account->units + unit] += sign * (sum - done);
        done = sum;
        at = stop;
        mark = last ? 0 : mark + 1;
        turn += last;
    }
}

/* What all repetitions of one turn's bins have before a cycle; the sum of the bins before each mark
 * and of all is in `before`. */
static uint64_t sum_before(const struct account_repeat *repeat, int64_t turn, const uint64_t *before,
                           uint64_t cycle)
{
    uint64_t rest;
    const int64_t first = turn + 1; /* the turn in which the first repetition's lies */
    const int64_t at = turn_of(repeat, cycle, &rest);
    if (at < first)
        return 0;
    const uint64_t whole = (uint64_t)(at - first);
    if (whole >= repeat->count)
        return repeat->count * before[repeat->mark_count];
    return whole * before[repeat->mark_count] + before[mark_of(repeat, rest)];
}

static void distribute(struct account *account, int64_t turn, uint32_t unit, uint64_t *before)
{
    const struct account_repeat *repeat = account->repeat;
    const uint64_t *bins = repeat->turns[turn + TURNS].bins;
    before[0] = 0;
    for (size_t m = 0; m < repeat->mark_count; m++)
        before[m + 1] = before[m] + bins[m * account->units + unit];
    if (!before[repeat->mark_count])
        return;
    uint64_t done = 0;
    for (uint64_t w = 0; w < ACCOUNT_WINDOWS; w++) {
        const uint64_t sum = sum_before(repeat, turn, before, (w + 1) << account->shift);
        account->windows[w * account->units + unit] += sum - done;
        done = sum;
    }
}

bool account_repeat_end(struct account *account)
{
    struct account_repeat *repeat = account->repeat;
    uint64_t *before = malloc((repeat->mark_count + 1) * sizeof *before);
    bool any = false;
    for (size_t t = 0; t < sizeof repeat->turns / sizeof *repeat->turns; t++)
        any |= repeat->turns[t].bins != NULL;
    const bool fine = before && !repeat->failed &&
                      account->reached == repeat->reached + (any ? repeat->length : 0);
    if (fine) {
        if (any)
            account_reach(account, account->reached + repeat->count * repeat->length);
        for (int64_t turn = -TURNS; turn <= TURNS; turn++)
            for (uint32_t u = 0; u < account->units && repeat->turns[turn + TURNS].bins; u++)
                distribute(account, turn, u, before);
        for (uint32_t u = 0; u < account->units; u++)
            for (unsigned r = 0; r < REASON_COUNT; r++) {
                account->cycles[u][r] +=
                    (account->cycles[u][r] - repeat->cycles[u][r]) * repeat->count;
                account->events[u][r] +=
                    (account->events[u][r] - repeat->events[u][r]) * repeat->count;
            }
    }
    free(before);
    account_repeat_drop(account);
    return fine;
}

/* --- busy cycles ------------------------------------------------------------------------------------- */

static void spread(struct account *account, uint32_t unit, uint64_t start, uint64_t end,
                   uint64_t sign)
{
    if (account->repeat)
        record(account, unit, start, end - start, end - start, 1, sign);
    while (start < end) {
        const uint64_t boundary = ((start >> account->shift) + 1) << account->shift;
        const uint64_t stop = boundary < end ? boundary : end;
        account_row(account, start)[unit] += sign * (stop - start);
        start = stop;
    }
}

void account_add(struct account *account, uint32_t unit, uint64_t start, uint64_t duration)
{
    if (!duration)
        return;
    account_reach(account, start + duration - 1);
    spread(account, unit, start, start + duration, 1);
}

void account_remove(struct account *account, uint32_t unit, uint64_t start, uint64_t duration)
{
    if (!duration)
        return;
    account_reach(account, start + duration - 1);
    spread(account, unit, start, start + duration, UINT64_MAX);
}

void account_slice(struct account *account, uint32_t unit, enum reason reason, uint32_t stmt,
                   uint64_t start, uint64_t duration)
{
    if (account->sink && duration && account->status == 0)
        account->status = account->sink->ops->slice(account->sink->self, unit, reason, stmt, start,
                                                    duration);
}

void account_busy(struct account *account, uint32_t unit, uint32_t stmt, uint64_t start,
                  uint64_t duration)
{
    account_add(account, unit, start, duration);
    account->events[unit][REASON_BUSY]++;
    if (start + duration > account->told[unit])
        account->told[unit] = start + duration;
    account_slice(account, unit, REASON_BUSY, stmt, start, duration);
}

void account_periodic(struct account *account, uint32_t unit, uint32_t stmt, uint64_t start,
                      uint64_t period, uint64_t duration, uint64_t count)
{
    if (!count || !duration)
        return;
    const uint64_t end = start + (count - 1) * period + duration;
    account_reach(account, end - 1);
    if (account->repeat)
        record(account, unit, start, period, duration, count, 1);
    uint64_t done = 0;
    for (uint64_t at = start; at < end;) {
        const uint64_t boundary = ((at >> account->shift) + 1) << account->shift;
        const uint64_t stop = boundary < end ? boundary : end;
        const uint64_t sum = pattern(stop - start, period, duration, count);
        account_row(account, at)[unit] += sum - done;
        done = sum;
        at = stop;
    }
    account->events[unit][REASON_BUSY] += count;
    if (end > account->told[unit])
        account->told[unit] = end;
    if (!account->sink)
        return;
    if (duration == period)
        account_slice(account, unit, REASON_BUSY, stmt, start, count * period);
    else
        for (uint64_t i = 0; i < count; i++)
            account_slice(account, unit, REASON_BUSY, stmt, start + i * period, duration);
}

void account_reason(struct account *account, uint32_t unit, enum reason reason, uint32_t stmt,
                    uint64_t from, uint64_t to)
{
    if (from < account->told[unit])
        from = account->told[unit];
    if (from >= to)
        return;
    account->cycles[unit][reason] += to - from;
    account->events[unit][reason]++;
    account->told[unit] = to;
    account_slice(account, unit, reason, stmt, from, to - from);
}

uint64_t account_total(const struct account *account, uint32_t unit)
{
    uint64_t sum = 0;
    for (size_t w = 0; w < ACCOUNT_WINDOWS; w++)
        sum += account->windows[w * account->units + unit];
    return sum;
}
