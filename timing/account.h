/*
 * account: where the cycles of every unit went. In each cycle a unit is busy, or not busy for one
 * reason, or idle without a reason.
 *
 *   account_busy, account_periodic, account_reason --> intervals --> sink
 *                  |
 *                  +--> cycles and events by reason, busy cycles by window
 *                                      |
 *                       account_totals, account_windows --> rows of the summary
 *
 * Busy cycles are kept by windows of equal length; when the run outgrows them, pairs of windows are
 * added up and the length doubles. So utilisation over time is exact and of bounded size.
 *
 * Rules. account_busy may come in any order of time. account_reason comes in order of time for each
 * unit; it charges the cycles from the end of what was charged to the unit before, so that a cycle
 * is charged once. A gap before that end stays idle.
 *
 * Intervals go to the sink in order of their calls, for each unit. Neighbours that touch, of one
 * reason and statement, are one interval: the last one of a unit is kept until another one follows,
 * or account_flush. An interval begins after the previous one: parameters can let a unit do two
 * things in one cycle (a port that reads while a write of several cycles lands).
 *
 * Does not model: two instances of one unit that do different things.
 */
#ifndef TAKT_TIMING_ACCOUNT_H
#define TAKT_TIMING_ACCOUNT_H

#include "timing/sink.h"

enum { ACCOUNT_WINDOWS = 1024, ACCOUNT_FIRST_SHIFT = 2 };

struct account {
    size_t units;
    unsigned shift;                 /* a window is 1 << shift cycles */
    uint64_t *windows;              /* [ACCOUNT_WINDOWS][units] busy cycles */
    uint64_t (*cycles)[REASON_MAX]; /* per unit; BUSY and IDLE follow from the windows */
    uint64_t (*events)[REASON_MAX];
    uint64_t *settled;          /* per unit: end of what was charged to it so far */
    uint64_t reached;           /* last cycle that account_reach was given */
    struct sink_interval *open; /* per unit: the last interval, which may grow; duration 0: none */
    const struct sink *sink;    /* takes intervals, or NULL */
    int status;                 /* -1 once the sink failed */
};

/* sink may be NULL. Returns 0, or -1 when the host has no memory. */
int account_init(struct account *account, size_t units, const struct sink *sink);
void account_free(struct account *account);

/* Make the windows reach this cycle. */
void account_reach(struct account *account, uint64_t cycle);

/* The windows' row that contains a cycle; the cycle must have been reached. */
static inline uint64_t *account_row(struct account *account, uint64_t cycle)
{
    return account->windows + (cycle >> account->shift) * account->units;
}

/* Busy cycles into the windows only: no event, no interval, nothing settled. */
void account_add(struct account *account, uint32_t unit, uint64_t start, uint64_t duration);
/* Take back what account_add gave. */
void account_remove(struct account *account, uint32_t unit, uint64_t start, uint64_t duration);

/* Into the sink only. */
void account_interval(struct account *account, uint32_t unit, uint32_t reason, uint32_t stmt,
                      uint64_t start, uint64_t duration);

/* The unit works for stmt in [start, start + duration). */
void account_busy(struct account *account, uint32_t unit, uint32_t stmt, uint64_t start,
                  uint64_t duration);
/* The same `count` times, every `period` cycles; duration <= period. */
struct account_pattern {
    uint32_t unit, stmt;
    uint64_t start, period, duration, count;
};
void account_periodic(struct account *account, const struct account_pattern *pattern);
/* The unit waited for this reason in the part of [from, to) that is not charged yet. */
void account_reason(struct account *account, uint32_t unit, uint32_t reason, uint32_t stmt,
                    uint64_t from, uint64_t to);

/* At the end: what is still open goes to the sink. */
void account_flush(struct account *account);

/* Busy cycles of a unit: the sum of its windows. */
uint64_t account_total(const struct account *account, uint32_t unit);

/*
 * Rows of a summary, allocated; the caller frees them. NULL when the host has no memory.
 * account_totals: by unit, then by reason, without empty rows. The rows of each unit add up to
 * `total`; a unit that was charged more than that, a broken invariant, has no idle row.
 * account_windows: by unit, then by index, without empty windows.
 */
struct sink_unit_total *account_totals(const struct account *account, uint64_t total,
                                       size_t *count);
struct sink_window *account_windows(const struct account *account, size_t *count);

#endif
