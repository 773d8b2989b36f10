/* occupy: what the units of the PE side do while the stream issues steps, and while it does not. */
#include "timing/mncore2/run.h"

#include <stdlib.h>
#include <string.h>

/* Cycles of `mask`, issued at t and landing `latency` later, that lie in [from, to). */
static uint64_t overlap(unsigned mask, uint64_t t, uint64_t from, uint64_t to)
{
    uint64_t count = 0;
    for (unsigned i = 0; i < CYCLES; i++)
        count += (mask >> i & 1) && t + i >= from && t + i < to;
    return count;
}

/* The first run of neighbouring cycles in mask from *i on: its length, 0 when there is none. */
static unsigned next_run(unsigned mask, unsigned *i)
{
    while (*i < CYCLES && !(mask >> *i & 1))
        ++*i;
    unsigned length = 0;
    while (*i + length < CYCLES && (mask >> (*i + length) & 1))
        length++;
    return length;
}

static inline struct pending_write *pending(const struct machine_run *run, uint64_t number)
{
    return &run->pending[number & (run->pending_size - 1)];
}

/* The oldest step whose writes can still matter. */
static inline uint64_t oldest(const struct machine_run *run)
{
    return run->pending_count > run->pending_size ? run->pending_count - run->pending_size : 0;
}

static void occupy_slowly(struct machine_run *run, const struct usage *usage, uint64_t t)
{
    const uint64_t start = t + (usage->lands ? run->lane.numbers->write_latency : 0);
    unsigned i = 0;
    for (unsigned length; (length = next_run(usage->mask, &i)) != 0; i += length)
        account_add(&run->account, usage->unit, start + i, length);
}

/* Runs of neighbouring cycles become one interval: those that have not gone to the
 * sink, cut at `end`. */
static void intervals(struct machine_run *run, const struct usage *usage,
                      const struct pending_write *write, uint64_t end)
{
    const uint64_t start = write->at + (usage->lands ? run->lane.numbers->write_latency : 0);
    unsigned i = 0;
    for (unsigned length; (length = next_run(usage->mask, &i)) != 0; i += length) {
        const uint64_t from = start + i, to = from + length;
        if (to > write->sent && from < end)
            account_interval(&run->account, usage->unit, REASON_BUSY, write->item, from,
                             (to < end ? to : end) - from);
    }
}

/* Intervals of the writes of steps that begin to land before `before`, cut at `end`. */
static void flush(struct machine_run *run, uint64_t before, uint64_t end)
{
    if (!run->account.sink)
        return;
    const uint64_t latency = run->lane.numbers->write_latency;
    for (uint64_t r = oldest(run); r < run->pending_count; r++) {
        struct pending_write *write = pending(run, r);
        const uint64_t start = write->at + latency;
        if (write->sent >= start + CYCLES || start >= before)
            continue;
        const struct stmt_class *class = &run->classes[write->class];
        for (unsigned u = 0; u < class->usage_count; u++)
            if (run->usages[class->usage + u].lands)
                intervals(run, &run->usages[class->usage + u], write, end);
        write->sent = start + CYCLES;
    }
}

/* What the PE side's units do in [from, to), where the stream does nothing: writes of the steps
 * before land, and the stream's reason holds for the rest, as in the totals. A write that goes on
 * beyond `to` goes to the sink when it is known that the run does, too. */
static void idle_intervals(struct machine_run *run, uint32_t reason, uint32_t item, uint64_t from,
                           uint64_t to)
{
    const uint64_t latency = run->lane.numbers->write_latency;
    uint64_t sent[MV_FIRST];
    for (uint32_t u = 0; u < MV_FIRST; u++)
        sent[u] = from;
    for (uint64_t r = oldest(run); r < run->pending_count; r++) {
        struct pending_write *write = pending(run, r);
        const uint64_t start = write->at + latency;
        if (write->sent >= start + CYCLES || start >= to)
            continue;
        const struct stmt_class *class = &run->classes[write->class];
        for (unsigned u = 0; u < class->usage_count; u++) {
            const struct usage *usage = &run->usages[class->usage + u];
            unsigned i = 0, length = usage->lands ? next_run(usage->mask, &i) : 0;
            for (; length && start + i < to; i += length, length = next_run(usage->mask, &i)) {
                const uint64_t begin = start + i, end = begin + length;
                uint64_t *at = &sent[usage->unit];
                if (end <= write->sent)
                    continue;
                if (begin > *at)
                    account_interval(&run->account, usage->unit, reason, item, *at, begin - *at);
                if (end <= to)
                    account_interval(&run->account, usage->unit, REASON_BUSY, write->item, begin,
                                     length);
                if (end > *at)
                    *at = end < to ? end : to;
            }
        }
        write->sent = to;
    }
    for (uint32_t u = 0; u < MV_FIRST; u++)
        if (u != UNIT_ISSUE && sent[u] < to)
            account_interval(&run->account, u, reason, item, sent[u], to - sent[u]);
}

void mncore2_occupy_step(struct machine_run *run, uint32_t index, uint32_t item, uint64_t t)
{
    struct account *account = &run->account;
    struct stmt_class *class = &run->classes[index];
    const struct usage *usage = run->usages + class->usage;
    const uint64_t last = t + run->lane.numbers->write_latency + CYCLES - 1;
    if (last >> account->shift >= ACCOUNT_WINDOWS)
        account_reach(account, last);
    if (last >> account->shift == t >> account->shift) {
        uint64_t *row = account_row(account, t);
        for (unsigned u = 0; u < class->usage_count; u++)
            row[usage[u].unit] += usage[u].cycles;
    } else {
        for (unsigned u = 0; u < class->usage_count; u++)
            occupy_slowly(run, &usage[u], t);
    }
    if (account->sink) {
        flush(run, t, UINT64_MAX);
        for (unsigned u = 0; u < class->usage_count; u++)
            if (!usage[u].lands)
                intervals(run, &usage[u], &(const struct pending_write){t, index, item, t},
                          UINT64_MAX);
    }
    *pending(run, run->pending_count++) = (struct pending_write){t, index, item, 0};
    class->execs++;
    run->counters[COUNTER_PE_STATEMENTS]++;
}

void mncore2_occupy_idle(struct machine_run *run, uint32_t reason, uint32_t item, uint64_t from,
                         uint64_t to)
{
    run->account.cycles[UNIT_ISSUE][reason] += to - from;
    run->account.events[UNIT_ISSUE][reason]++;
    if (run->account.sink) {
        flush(run, from < CYCLES ? 0 : from - CYCLES + 1, UINT64_MAX); /* what has landed */
        account_interval(&run->account, UNIT_ISSUE, reason, item, from, to - from);
        if (to > from)
            idle_intervals(run, reason, item, from, to);
    }
    /* Writes of the steps before land while nothing is issued: those cycles are busy, not idle. */
    const uint64_t latency = run->lane.numbers->write_latency;
    for (uint64_t r = run->pending_count; r-- > oldest(run);) {
        const struct pending_write *write = pending(run, r);
        if (write->at + latency + CYCLES <= from)
            break;
        const struct stmt_class *class = &run->classes[write->class];
        for (unsigned u = 0; u < class->usage_count; u++) {
            const struct usage *usage = &run->usages[class->usage + u];
            if (usage->lands)
                run->landed[usage->unit][reason] +=
                    overlap(usage->mask, write->at + latency, from, to);
        }
    }
}

/* Cycles of a write that lie at or behind `total`: none, if it does not land. */
static uint64_t cut(const struct machine_run *run, const struct pending_write *write,
                    const struct usage *usage, uint64_t total)
{
    return usage->lands ? overlap(usage->mask, write->at + run->lane.numbers->write_latency, total,
                                  UINT64_MAX)
                        : 0;
}

uint64_t mncore2_occupy_cut(const struct machine_run *run, uint32_t class,
                            const struct usage *usage, uint64_t total)
{
    uint64_t sum = 0;
    for (uint64_t r = run->pending_count; r-- > oldest(run);) {
        const struct pending_write *write = pending(run, r);
        if (write->at + run->lane.numbers->write_latency + CYCLES <= total)
            break;
        if (write->class == class)
            sum += cut(run, write, usage, total);
    }
    return sum;
}

static const uint8_t stream_reasons[] = {REASON_DATA,    REASON_PORT, REASON_TAG,    REASON_EMPTY,
                                         REASON_PACKING, REASON_NOP,  REASON_DRAINED};

/* The stream's reason holds for every unit of the PE side in the cycles in which it does nothing.
 * */
static void share_reasons(struct machine_run *run)
{
    struct account *account = &run->account;
    for (uint32_t u = UNIT_ISSUE + 1; u < MV_FIRST; u++)
        for (unsigned i = 0; i < sizeof stream_reasons; i++) {
            const uint32_t reason = stream_reasons[i];
            account->cycles[u][reason] =
                account->cycles[UNIT_ISSUE][reason] - run->landed[u][reason];
            account->events[u][reason] =
                account->cycles[u][reason] ? account->events[UNIT_ISSUE][reason] : 0;
        }
}

void mncore2_occupy_finish(struct machine_run *run, uint64_t total)
{
    for (uint64_t r = oldest(run); r < run->pending_count; r++) {
        const struct pending_write *write = pending(run, r);
        const struct stmt_class *class = &run->classes[write->class];
        for (unsigned u = 0; u < class->usage_count; u++) {
            const struct usage *usage = &run->usages[class->usage + u];
            for (unsigned i = 0; usage->lands && i < CYCLES; i++) {
                const uint64_t at = write->at + run->lane.numbers->write_latency + i;
                if ((usage->mask >> i & 1) && at >= total)
                    account_remove(&run->account, usage->unit, at, 1);
            }
        }
    }
    flush(run, UINT64_MAX, total);
    share_reasons(run);
    for (size_t s = 0; s < run->program->stmt_count; s++) {
        const struct stmt_class *class = &run->classes[s];
        for (unsigned i = 0; i < class->usage_count; i++)
            run->account.events[run->usages[class->usage + i].unit][REASON_BUSY] += class->execs;
    }
}
