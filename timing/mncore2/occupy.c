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

static void occupy_slowly(struct machine_run *run, const struct usage *usage, uint64_t t)
{
    const uint64_t start = t + (usage->lands ? run->lanes[0].numbers->write_latency : 0);
    unsigned i = 0;
    for (unsigned length; (length = next_run(usage->mask, &i)) != 0; i += length)
        account_add(&run->account, usage->unit, start + i, length);
}

/* Runs of neighbouring cycles become one slice: those that end after `told`, cut at end. */
static void slices(struct machine_run *run, const struct usage *usage, uint32_t item, uint64_t start,
                   uint64_t told, uint64_t end)
{
    unsigned i = 0;
    for (unsigned length; (length = next_run(usage->mask, &i)) != 0; i += length) {
        const uint64_t from = start + i, to = from + length;
        if (to > told && from < end)
            account_slice(&run->account, usage->unit, REASON_BUSY, item, from,
                          (to < end ? to : end) - from);
    }
}

void occupy_flush(struct machine_run *run, uint64_t before, uint64_t end)
{
    if (!run->account.sink || run->steps_whole)
        return;
    const uint64_t latency = run->lanes[0].numbers->write_latency;
    const uint64_t first = run->recent_count > RECENT ? run->recent_count - RECENT : 0;
    for (uint64_t r = first; r < run->recent_count; r++) {
        struct recent *recent = &run->recent[r % RECENT];
        const uint64_t start = recent->at + latency;
        if (recent->told >= start + CYCLES || start >= before)
            continue;
        const struct stmt_class *class = &run->classes[recent->class];
        for (unsigned u = 0; u < class->usage_count; u++)
            if (run->usages[class->usage + u].lands)
                slices(run, &run->usages[class->usage + u], recent->item, start, recent->told,
                       end);
        recent->told = start + CYCLES;
    }
}

/* What the PE side's units do in [from, to), where the stream does nothing: writes of the steps
 * before land, and the stream's reason holds for the rest, as in the totals. A write that goes on
 * beyond `to` is told when it is known that the run does, too. */
static void idle_slices(struct machine_run *run, enum reason reason, uint32_t item, uint64_t from,
                        uint64_t to)
{
    const uint64_t latency = run->lanes[0].numbers->write_latency;
    const uint64_t oldest = run->recent_count > RECENT ? run->recent_count - RECENT : 0;
    uint64_t told[MV_FIRST];
    for (uint32_t u = 0; u < MV_FIRST; u++)
        told[u] = from;
    for (uint64_t r = oldest; r < run->recent_count; r++) {
        struct recent *recent = &run->recent[r % RECENT];
        const uint64_t start = recent->at + latency;
        if (recent->told >= start + CYCLES || start >= to)
            continue;
        const struct stmt_class *class = &run->classes[recent->class];
        for (unsigned u = 0; u < class->usage_count; u++) {
            const struct usage *usage = &run->usages[class->usage + u];
            unsigned i = 0, length = usage->lands ? next_run(usage->mask, &i) : 0;
            for (; length && start + i < to; i += length, length = next_run(usage->mask, &i)) {
                const uint64_t begin = start + i, end = begin + length;
                uint64_t *at = &told[usage->unit];
                if (end <= recent->told)
                    continue;
                if (begin > *at)
                    account_slice(&run->account, usage->unit, reason, item, *at, begin - *at);
                if (end <= to)
                    account_slice(&run->account, usage->unit, REASON_BUSY, recent->item, begin,
                                  length);
                if (end > *at)
                    *at = end < to ? end : to;
            }
        }
        recent->told = to;
    }
    for (uint32_t u = 0; u < MV_FIRST; u++)
        if (u != UNIT_ISSUE && told[u] < to)
            account_slice(&run->account, u, reason, item, told[u], to - told[u]);
}

/* A step's slices in one call; its pattern is told when it first comes. */
static int tell_step(struct machine_run *run, const struct stmt_class *class, uint32_t item,
                     uint64_t t)
{
    const struct sink *sink = run->sink;
    if (class->usage >= run->pattern_capacity) {
        const size_t capacity = 2 * (size_t)class->usage + 64;
        uint32_t *patterns = realloc(run->patterns, capacity * sizeof *patterns);
        if (!patterns)
            return -1;
        memset(patterns + run->pattern_capacity, 0,
               (capacity - run->pattern_capacity) * sizeof *patterns);
        run->patterns = patterns;
        run->pattern_capacity = capacity;
    }
    uint32_t *pattern = &run->patterns[class->usage];
    if (!*pattern) {
        struct sink_part parts[UINT8_MAX * CYCLES / 2];
        size_t count = 0;
        for (unsigned u = 0; u < class->usage_count; u++) {
            const struct usage *usage = &run->usages[class->usage + u];
            const uint32_t lands =
                usage->lands ? (uint32_t)run->lanes[0].numbers->write_latency : 0;
            for (uint32_t i = 0; i < CYCLES; i++)
                if (usage->mask >> i & 1) {
                    if (i && (usage->mask >> (i - 1) & 1))
                        parts[count - 1].duration++;
                    else
                        parts[count++] = (struct sink_part){usage->unit, i + lands, 1};
                }
        }
        if (sink->ops->pattern(sink->self, parts, count) != 0)
            return -1;
        *pattern = ++run->pattern_count;
    }
    return sink->ops->step(sink->self, *pattern - 1, item, t);
}

void occupy_step(struct machine_run *run, uint32_t index, uint32_t item, uint64_t t)
{
    struct account *account = &run->account;
    struct stmt_class *class = &run->classes[index];
    const struct usage *usage = run->usages + class->usage;
    const uint64_t last = t + run->lanes[0].numbers->write_latency + CYCLES - 1;
    if (last >> account->shift >= ACCOUNT_WINDOWS)
        account_reach(account, last);
    if (last >> account->shift == t >> account->shift && account_direct(account)) {
        uint64_t *row = account_row(account, t);
        for (unsigned u = 0; u < class->usage_count; u++)
            row[usage[u].unit] += usage[u].cycles;
    } else {
        for (unsigned u = 0; u < class->usage_count; u++)
            occupy_slowly(run, &usage[u], t);
    }
    if (run->steps_whole) {
        if (class->usage_count && account->status == 0)
            account->status = tell_step(run, class, item, t);
    } else if (account->sink) {
        occupy_flush(run, t, UINT64_MAX);
        for (unsigned u = 0; u < class->usage_count; u++)
            if (!usage[u].lands)
                slices(run, &usage[u], item, t, t, UINT64_MAX);
    }
    run->recent[run->recent_count++ % RECENT] = (struct recent){t, index, item, 0};
    class->execs++;
    run->statements++;
}

void occupy_idle(struct machine_run *run, enum reason reason, uint32_t item, uint64_t from, uint64_t to)
{
    run->account.cycles[UNIT_ISSUE][reason] += to - from;
    run->account.events[UNIT_ISSUE][reason]++;
    if (run->steps_whole) {
        if (to > from && run->account.status == 0)
            run->account.status =
                run->sink->ops->hold(run->sink->self, reason, item, from, to - from);
    } else if (run->account.sink) {
        occupy_flush(run, from < CYCLES ? 0 : from - CYCLES + 1, UINT64_MAX); /* what has landed */
        account_slice(&run->account, UNIT_ISSUE, reason, item, from, to - from);
        if (to > from)
            idle_slices(run, reason, item, from, to);
    }
    /* Writes of the steps before land while nothing is issued: those cycles are busy, not idle. */
    const uint64_t latency = run->lanes[0].numbers->write_latency;
    const uint64_t oldest = run->recent_count > RECENT ? run->recent_count - RECENT : 0;
    for (uint64_t r = run->recent_count; r-- > oldest;) {
        const struct recent *recent = &run->recent[r % RECENT];
        if (recent->at + latency + CYCLES <= from)
            break;
        const struct stmt_class *class = &run->classes[recent->class];
        for (unsigned u = 0; u < class->usage_count; u++) {
            const struct usage *usage = &run->usages[class->usage + u];
            if (usage->lands)
                run->landed[usage->unit][reason] +=
                    overlap(usage->mask, recent->at + latency, from, to);
        }
    }
}
