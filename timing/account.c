#include "timing/account.h"

#include <stdlib.h>
#include <string.h>

int account_init(struct account *account, size_t units, const struct sink *sink)
{
    *account = (struct account){.units = units, .shift = ACCOUNT_FIRST_SHIFT};
    if (sink && sink->ops->interval)
        account->sink = sink;
    const size_t size = units ? units : 1;
    account->windows = calloc(ACCOUNT_WINDOWS * size, sizeof *account->windows);
    account->cycles = calloc(size, sizeof *account->cycles);
    account->events = calloc(size, sizeof *account->events);
    account->settled = calloc(size, sizeof *account->settled);
    account->open = calloc(size, sizeof *account->open);
    if (account->windows && account->cycles && account->events && account->settled && account->open)
        return 0;
    account_free(account);
    return -1;
}

void account_free(struct account *account)
{
    free(account->windows);
    free(account->cycles);
    free(account->events);
    free(account->settled);
    free(account->open);
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

/* Windows from this one on are empty. */
static size_t windows_end(const struct account *account)
{
    const uint64_t end = (account->reached >> account->shift) + 1;
    return end < ACCOUNT_WINDOWS ? (size_t)end : ACCOUNT_WINDOWS;
}

void account_reach(struct account *account, uint64_t cycle)
{
    if (cycle > account->reached)
        account->reached = cycle;
    while (cycle >> account->shift >= ACCOUNT_WINDOWS)
        fold(account);
}

/* First cycle of the next window. */
static uint64_t next_window(const struct account *account, uint64_t cycle)
{
    return ((cycle >> account->shift) + 1) << account->shift;
}

/* sign: 1 adds, UINT64_MAX takes away. */
static void spread(struct account *account, uint32_t unit, uint64_t start, uint64_t duration,
                   uint64_t sign)
{
    if (!duration)
        return;
    const uint64_t end = start + duration;
    account_reach(account, end - 1);
    while (start < end) {
        const uint64_t boundary = next_window(account, start);
        const uint64_t stop = boundary < end ? boundary : end;
        account_row(account, start)[unit] += sign * (stop - start);
        start = stop;
    }
}

void account_add(struct account *account, uint32_t unit, uint64_t start, uint64_t duration)
{
    spread(account, unit, start, duration, 1);
}

void account_remove(struct account *account, uint32_t unit, uint64_t start, uint64_t duration)
{
    spread(account, unit, start, duration, UINT64_MAX);
}

/* The open interval of a unit goes to the sink. */
static void send(struct account *account, struct sink_interval *open)
{
    if (open->duration && account->status == 0)
        account->status = account->sink->ops->interval(account->sink->context, open);
    open->duration = 0;
}

void account_interval(struct account *account, uint32_t unit, uint32_t reason, uint32_t stmt,
                      uint64_t start, uint64_t duration)
{
    if (!account->sink || !duration)
        return;
    struct sink_interval *open = &account->open[unit];
    const uint64_t end = start + duration, taken = open->start + open->duration;
    if (end <= taken)
        return;
    if (start < taken)
        start = taken;
    if (open->duration && open->reason == reason && open->stmt == stmt && start == taken) {
        open->duration += end - start;
        return;
    }
    send(account, open);
    *open = (struct sink_interval){
        .unit = unit, .reason = reason, .stmt = stmt, .start = start, .duration = end - start};
}

void account_flush(struct account *account)
{
    for (size_t u = 0; account->sink && u < account->units; u++)
        send(account, &account->open[u]);
}

static void settle(struct account *account, uint32_t unit, uint64_t end)
{
    if (end > account->settled[unit])
        account->settled[unit] = end;
}

void account_busy(struct account *account, uint32_t unit, uint32_t stmt, uint64_t start,
                  uint64_t duration)
{
    account_add(account, unit, start, duration);
    account->events[unit][REASON_BUSY]++;
    settle(account, unit, start + duration);
    account_interval(account, unit, REASON_BUSY, stmt, start, duration);
}

/* Busy cycles in the first x cycles of a pattern. */
static uint64_t busy_in(const struct account_pattern *pattern, uint64_t x)
{
    const uint64_t whole = x / pattern->period;
    if (whole >= pattern->count)
        return pattern->count * pattern->duration;
    const uint64_t rest = x % pattern->period;
    return whole * pattern->duration + (rest < pattern->duration ? rest : pattern->duration);
}

void account_periodic(struct account *account, const struct account_pattern *pattern)
{
    if (!pattern->count || !pattern->duration)
        return;
    const uint32_t unit = pattern->unit;
    const uint64_t start = pattern->start;
    const uint64_t end = start + (pattern->count - 1) * pattern->period + pattern->duration;
    account_reach(account, end - 1);
    uint64_t done = 0;
    for (uint64_t at = start; at < end;) {
        const uint64_t boundary = next_window(account, at);
        const uint64_t stop = boundary < end ? boundary : end;
        const uint64_t sum = busy_in(pattern, stop - start);
        account_row(account, at)[unit] += sum - done;
        done = sum;
        at = stop;
    }
    account->events[unit][REASON_BUSY] += pattern->count;
    settle(account, unit, end);
    if (pattern->duration == pattern->period)
        account_interval(account, unit, REASON_BUSY, pattern->stmt, start,
                         pattern->count * pattern->period);
    else
        for (uint64_t i = 0; account->sink && i < pattern->count; i++)
            account_interval(account, unit, REASON_BUSY, pattern->stmt, start + i * pattern->period,
                             pattern->duration);
}

void account_reason(struct account *account, uint32_t unit, uint32_t reason, uint32_t stmt,
                    uint64_t from, uint64_t to)
{
    if (from < account->settled[unit])
        from = account->settled[unit];
    if (from >= to)
        return;
    account->cycles[unit][reason] += to - from;
    account->events[unit][reason]++;
    account->settled[unit] = to;
    account_interval(account, unit, reason, stmt, from, to - from);
}

uint64_t account_total(const struct account *account, uint32_t unit)
{
    const size_t windows = windows_end(account);
    uint64_t sum = 0;
    for (size_t w = 0; w < windows; w++)
        sum += account->windows[w * account->units + unit];
    return sum;
}

/* Cycles of one unit by reason, idle and busy included. */
static void unit_cycles(const struct account *account, uint32_t unit, uint64_t total,
                        uint64_t cycles[REASON_MAX])
{
    memcpy(cycles, account->cycles[unit], sizeof account->cycles[unit]);
    cycles[REASON_BUSY] = account_total(account, unit);
    cycles[REASON_IDLE] = 0;
    uint64_t charged = 0;
    for (uint32_t r = 0; r < REASON_MAX; r++)
        charged += cycles[r];
    if (charged < total)
        cycles[REASON_IDLE] = total - charged;
}

struct sink_unit_total *account_totals(const struct account *account, uint64_t total, size_t *count)
{
    struct sink_unit_total *rows = malloc((account->units * REASON_MAX + 1) * sizeof *rows);
    *count = 0;
    for (uint32_t u = 0; rows && u < account->units; u++) {
        uint64_t cycles[REASON_MAX];
        unit_cycles(account, u, total, cycles);
        for (uint32_t r = 0; r < REASON_MAX; r++)
            if (cycles[r])
                rows[(*count)++] = (struct sink_unit_total){
                    .unit = u, .reason = r, .cycles = cycles[r], .events = account->events[u][r]};
    }
    return rows;
}

struct sink_window *account_windows(const struct account *account, size_t *count)
{
    const size_t windows = windows_end(account);
    size_t used = 0;
    for (size_t i = 0; i < windows * account->units; i++)
        used += account->windows[i] != 0;
    struct sink_window *rows = malloc((used + 1) * sizeof *rows);
    *count = 0;
    for (uint32_t u = 0; rows && u < account->units; u++)
        for (uint64_t w = 0; w < windows; w++)
            if (account->windows[w * account->units + u])
                rows[(*count)++] =
                    (struct sink_window){u, w, account->windows[w * account->units + u]};
    return rows;
}
