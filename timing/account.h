/*
 * account: where the cycles of every unit went. A unit is busy, or not busy for one reason; what
 * nobody gives a reason for is idle. The busy cycles are kept by windows of equal length, which
 * double when the run outgrows them, so that utilisation over time is exact and of bounded size.
 *
 *   account_busy, account_periodic, account_reason --> totals, windows --> sink at the end
 *
 * With a sink that takes slices, each call is passed on as well (tier 2).
 */
#ifndef TAKT_TIMING_ACCOUNT_H
#define TAKT_TIMING_ACCOUNT_H

#include "timing/sink.h"

enum { ACCOUNT_WINDOWS = 1024, ACCOUNT_FIRST_SHIFT = 2 };

struct account_repeat;

struct account {
    size_t units;
    unsigned shift;     /* a window is 1 << shift cycles */
    uint64_t *windows;  /* [ACCOUNT_WINDOWS][units] busy cycles */
    uint64_t (*cycles)[REASON_COUNT]; /* per unit; BUSY and IDLE are found at the end */
    uint64_t (*events)[REASON_COUNT];
    uint64_t *told;     /* per unit: account_reason has spoken, or the unit was busy, up to here */
    uint64_t reached;   /* last cycle that account_reach was given */
    struct account_repeat *repeat; /* a period is being recorded, or NULL */
    const struct sink *sink; /* takes slices, or NULL */
    int status;         /* -1 once the sink failed */
};

/* Returns 0, or -1 when the host has no memory. sink may be NULL. */
int account_init(struct account *account, size_t units, const struct sink *sink);
void account_free(struct account *account);

/* Make the windows reach beyond this cycle. */
void account_reach(struct account *account, uint64_t cycle);

/* The windows' row that a cycle lies in; the cycle must have been reached. */
static inline uint64_t *account_row(struct account *account, uint64_t cycle)
{
    return account->windows + (cycle >> account->shift) * account->units;
}

/* Busy cycles into the windows only (no event, no slice). */
void account_add(struct account *account, uint32_t unit, uint64_t start, uint64_t duration);
/* Take back what account_add gave. */
void account_remove(struct account *account, uint32_t unit, uint64_t start, uint64_t duration);

void account_slice(struct account *account, uint32_t unit, enum reason reason, uint32_t stmt,
                   uint64_t start, uint64_t duration);

/* The unit works for stmt in [start, start + duration). */
void account_busy(struct account *account, uint32_t unit, uint32_t stmt, uint64_t start,
                  uint64_t duration);
/* The same `count` times, every `period` cycles; duration <= period. */
void account_periodic(struct account *account, uint32_t unit, uint32_t stmt, uint64_t start,
                      uint64_t period, uint64_t duration, uint64_t count);
/* The unit stood still in [from, to) for this reason, as far as nothing was said about those cycles
 * before. Calls for one unit come in order of time. */
void account_reason(struct account *account, uint32_t unit, enum reason reason, uint32_t stmt,
                    uint64_t from, uint64_t to);

/* Sum of the windows of a unit. */
uint64_t account_total(const struct account *account, uint32_t unit);

/*
 * A period that repeats: what is accounted between begin and end, the first time from cycle `start`
 * on, follows `count` times more, `length` cycles apart. account_repeat_end adds all of that, exactly
 * as if the calls had been made; told is the caller's to move. Not with a sink of slices.
 *
 * begin returns 0, or -1 when the host has no memory; end returns false, and has added nothing, when
 * what was recorded does not repeat after all. account_repeat_drop forgets the recording.
 */
int account_repeat_begin(struct account *account, uint64_t start, uint64_t length, uint64_t count);
bool account_repeat_end(struct account *account);
void account_repeat_drop(struct account *account);

/* Step lists that add to the windows' rows themselves do so only while this holds. */
static inline bool account_direct(const struct account *account)
{
    return !account->repeat;
}

#endif
