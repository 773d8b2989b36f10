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
    while (cycle >> account->shift >= ACCOUNT_WINDOWS)
        fold(account);
}

static void spread(struct account *account, uint32_t unit, uint64_t start, uint64_t end,
                   uint64_t sign)
{
    while (start < end) {
        const uint64_t boundary = ((start >> account->shift) + 1) << account->shift;
        const uint64_t stop = boundary < end ? boundary : end;
        account_row(account, start)[unit] += sign * (stop - start);
        start = stop;
    }
}

void account_add(struct account *account, uint32_t unit, uint64_t start, uint64_t duration)
{
    account_reach(account, start + duration);
    spread(account, unit, start, start + duration, 1);
}

void account_remove(struct account *account, uint32_t unit, uint64_t start, uint64_t duration)
{
    account_reach(account, start + duration);
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

/* Busy cycles in the first x cycles of a pattern of `duration` every `period`, `count` times. */
static uint64_t pattern(uint64_t x, uint64_t period, uint64_t duration, uint64_t count)
{
    const uint64_t whole = x / period;
    if (whole >= count)
        return count * duration;
    const uint64_t rest = x % period;
    return whole * duration + (rest < duration ? rest : duration);
}

void account_periodic(struct account *account, uint32_t unit, uint32_t stmt, uint64_t start,
                      uint64_t period, uint64_t duration, uint64_t count)
{
    if (!count || !duration)
        return;
    const uint64_t end = start + (count - 1) * period + duration;
    account_reach(account, end);
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
