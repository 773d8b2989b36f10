/* occupy: what the units of the PE side do while the stream issues steps, and while it does not. */
#include "timing/mncore2/run.h"

#include <stdlib.h>
#include <string.h>

/* Cycles of `mask`, which starts at t, in [from, to). */
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

static inline struct pending_write *pending(const struct mncore2_run *run, uint64_t number)
{
    return &run->pending[number & (run->pending_size - 1)];
}

/* The oldest step whose writes can still matter. */
static inline uint64_t oldest(const struct mncore2_run *run)
{
    return run->pending_count > run->pending_size ? run->pending_count - run->pending_size : 0;
}

/* Where `lost` has a usage; MEETING_USES: nowhere. */
static inline unsigned meeting_of(const struct usage *usage)
{
    const unsigned port = usage->unit - (unsigned)MEETING_FIRST;
    return port < MEETING_COUNT ? 2 * port + (usage->lands != 0) : (unsigned)MEETING_USES;
}

/* Cycles of a usage that are the statement's own. */
static inline unsigned own(const struct pending_write *write, const struct usage *usage)
{
    const unsigned use = write->yields ? meeting_of(usage) : (unsigned)MEETING_USES;
    return use < MEETING_USES ? usage->mask & ~(unsigned)write->lost[use] : usage->mask;
}

static void occupy_slowly(struct mncore2_run *run, const struct pending_write *write,
                          const struct usage *usage)
{
    const unsigned mask = own(write, usage);
    unsigned i = 0;
    for (unsigned length; (length = next_run(mask, &i)) != 0; i += length)
        account_add(run->account, usage->unit, write->at + usage->lands + i, length);
}

/* Runs of neighbouring cycles become one interval: those that end in (write->sent, before], cut at
 * `end`. */
static void intervals(struct mncore2_run *run, const struct usage *usage,
                      const struct pending_write *write, uint64_t before, uint64_t end)
{
    const uint64_t start = write->at + usage->lands;
    const unsigned mask = own(write, usage);
    unsigned i = 0;
    for (unsigned length; (length = next_run(mask, &i)) != 0; i += length) {
        const uint64_t from = start + i, to = from + length;
        if (to > write->sent && to <= before && from < end)
            account_interval(run->account, usage->unit, REASON_BUSY, write->item, from,
                             (to < end ? to : end) - from);
    }
}

/* Intervals of writes that have landed by `before`, cut at `end`. */
static void flush(struct mncore2_run *run, uint64_t before, uint64_t end)
{
    if (!run->account->sink)
        return;
    for (uint64_t r = oldest(run); r < run->pending_count; r++) {
        struct pending_write *write = pending(run, r);
        if (write->sent >= before || write->sent >= write->at + run->landing_longest + CYCLES)
            continue;
        const struct stmt_class *class = &run->classes[write->class];
        for (unsigned u = 0; u < class->usage_count; u++)
            if (run->usages[class->usage + u].lands)
                intervals(run, &run->usages[class->usage + u], write, before, end);
        write->sent = before;
    }
}

/* What the PE side's units do in [from, to), where the stream does nothing: writes of the steps
 * before land, and the stream's reason holds for the rest, as in the totals. A write that continues
 * beyond `to` is reported once the run is known to continue, too. */
static void idle_intervals(struct mncore2_run *run, uint32_t reason, uint32_t item, uint64_t from,
                           uint64_t to)
{
    uint64_t sent[MV_FIRST];
    for (uint32_t u = 0; u < MV_FIRST; u++)
        sent[u] = from;
    for (uint64_t r = oldest(run); r < run->pending_count; r++) {
        struct pending_write *write = pending(run, r);
        if (write->sent >= write->at + run->landing_longest + CYCLES)
            continue;
        const struct stmt_class *class = &run->classes[write->class];
        for (unsigned u = 0; u < class->usage_count; u++) {
            const struct usage *usage = &run->usages[class->usage + u];
            const uint64_t start = write->at + usage->lands;
            const unsigned mask = own(write, usage);
            unsigned i = 0, length = usage->lands ? next_run(mask, &i) : 0;
            for (; length && start + i < to; i += length, length = next_run(mask, &i)) {
                const uint64_t begin = start + i, end = begin + length;
                uint64_t *at = &sent[usage->unit];
                if (end <= write->sent)
                    continue;
                if (begin > *at)
                    account_interval(run->account, usage->unit, reason, item, *at, begin - *at);
                if (end <= to)
                    account_interval(run->account, usage->unit, REASON_BUSY, write->item, begin,
                                     length);
                if (end > *at)
                    *at = end < to ? end : to;
            }
        }
        write->sent = to;
    }
    for (uint32_t u = 0; u < MV_FIRST; u++)
        if (u != UNIT_ISSUE && sent[u] < to)
            account_interval(run->account, u, reason, item, sent[u], to - sent[u]);
}

/* --- ports where statements meet -------------------------------------------------------------- */

static bool meets(const struct mncore2_run *run, const struct stmt_class *class, uint64_t t)
{
    for (unsigned m = 0; m < MEETINGS; m++)
        if (((class->meets_now >> m & 1) && t < run->meeting_until[m]) ||
            (class->meets_later[m] && t + class->meets_later[m] < run->meeting_until[m]))
            return true;
    return false;
}

/* Cycles of `usage` of the newest statement in which an earlier write lands on its port. */
static unsigned taken(const struct mncore2_run *run, const struct pending_write *newest,
                      const struct usage *usage)
{
    unsigned mask = 0;
    for (uint64_t r = oldest(run); r < run->pending_count; r++) {
        const struct pending_write *write = pending(run, r);
        const struct stmt_class *class = &run->classes[write->class];
        for (unsigned u = 0; u < class->usage_count && write != newest; u++) {
            const struct usage *other = &run->usages[class->usage + u];
            if (other->unit != usage->unit || !other->lands)
                continue;
            for (unsigned i = 0; i < CYCLES; i++)
                mask |= (unsigned)overlap(own(write, other), write->at + other->lands,
                                          newest->at + usage->lands + i,
                                          newest->at + usage->lands + i + 1)
                        << i;
        }
    }
    return mask & usage->mask;
}

/* No rule keeps l2bmi and a following L2BM to L1BM so far apart that they land in different
 * cycles; nor others, where hazard_* is set so. */
static void give_way(struct mncore2_run *run, struct pending_write *newest)
{
    const struct stmt_class *class = &run->classes[newest->class];
    memset(newest->lost, 0, sizeof newest->lost);
    if (!run->lost)
        run->lost = calloc(run->program->stmt_count, sizeof *run->lost);
    if (!run->lost) {
        run->account->status = -1;
        return;
    }
    for (unsigned u = 0; u < class->usage_count; u++) {
        const struct usage *usage = &run->usages[class->usage + u];
        const unsigned use = meeting_of(usage);
        const unsigned mask = use < MEETING_USES ? taken(run, newest, usage) : 0;
        if (!mask)
            continue;
        newest->less += (uint16_t)(__builtin_popcount(mask & usage->reads) +
                                   __builtin_popcount(mask & usage->writes));
        newest->yields = true;
        newest->lost[use] = (uint8_t)mask;
        run->lost[newest->class][use] += (uint64_t)__builtin_popcount(mask);
    }
}

/* --- what issues ------------------------------------------------------------------------------ */

/* The statement joins those whose writes are to land. */
static struct pending_write *join(struct mncore2_run *run, uint32_t index, uint32_t item,
                                  uint64_t t)
{
    const struct stmt_class *class = &run->classes[index];
    struct pending_write *write = pending(run, run->pending_count++);
    write->at = write->sent = t;
    write->class = index;
    write->item = item;
    write->yields = false;
    write->less = 0;
    if (meets(run, class, t))
        give_way(run, write);
    for (unsigned m = 0; m < MEETINGS; m++)
        if (class->meets_later[m] && t + class->meets_later[m] + CYCLES > run->meeting_until[m])
            run->meeting_until[m] = t + class->meets_later[m] + CYCLES;
    return write;
}

/* --- accesses as events ----------------------------------------------------------------------- */

/* What one usage reads and writes in one of its cycles. A port that an earlier statement has is
 * neither read nor landed on. */
static void begin_accesses(struct mncore2_run *run, const struct pending_write *write,
                           const struct usage *usage, unsigned cycle)
{
    static const char *const units[SPACE_COUNT] = {
        [SPACE_X] = "rows",          [SPACE_Y] = "rows",       [SPACE_L1BM] = "long words",
        [SPACE_L2BM] = "long words", [SPACE_DARBUF] = "words", [SPACE_DAR] = "words"};
    const unsigned mine = own(write, usage) >> cycle & 1;
    const char *of = units[usage->space] ? units[usage->space] : "words";
    struct unit_event event = {.unit = usage->unit,
                               .stmt = write->item,
                               .part = "",
                               .operation = "read",
                               .landing = "land",
                               .phase = PHASE_ACCESS,
                               .amount = usage->read,
                               .of = of,
                               .holds = true};
    const bool reads = usage->reads >> cycle & mine;
    if (reads)
        unit_event_at(run->lane->base.unit_events, write->at + cycle, &event, "issue");
    if (!(usage->writes >> cycle & 1) || (!mine && !usage->lands))
        return;
    event.operation = "write";
    event.amount = usage->written;
    event.lands = mine ? usage->lands : 0;
    event.rule = mncore2_hazard_landing_rule((enum hazard_kind)usage->kind);
    event.holds = !usage->lands && !reads;
    unit_event_at(run->lane->base.unit_events, write->at + cycle, &event, "issue");
}

/* The units of a statement work in its cycles: memories in events, the others at once. */
static void occupy_by_events(struct mncore2_run *run, const struct pending_write *write)
{
    const struct stmt_class *class = &run->classes[write->class];
    for (unsigned u = 0; u < class->usage_count; u++) {
        const struct usage *usage = &run->usages[class->usage + u];
        if (!(usage->reads | usage->writes))
            occupy_slowly(run, write, usage);
        for (unsigned i = 0; i < CYCLES; i++)
            begin_accesses(run, write, usage, i);
    }
}

static void hold_port(void *context, const struct unit_event *event, uint64_t cycle)
{
    account_add(((struct mncore2_run *)context)->account, event->unit, cycle, 1);
}

static uint32_t line_of(const void *context, uint32_t item)
{
    return ((const struct mncore2_run *)context)->program->items[item].line;
}

const struct unit_event_calls mncore2_unit_events = {.line = line_of, .hold = hold_port};

/* last: of the cycles in which it may work. */
static void occupy_at_once(struct mncore2_run *run, const struct pending_write *write,
                           uint64_t last)
{
    struct account *account = run->account;
    const struct stmt_class *class = &run->classes[write->class];
    const struct usage *usage = run->usages + class->usage;
    if (last >> account->shift == write->at >> account->shift && !write->yields) {
        uint64_t *row = account_row(account, write->at);
        for (unsigned u = 0; u < class->usage_count; u++)
            row[usage[u].unit] += usage[u].cycles;
    } else {
        for (unsigned u = 0; u < class->usage_count; u++)
            occupy_slowly(run, write, &usage[u]);
    }
}

void mncore2_occupy_step(struct mncore2_run *run, uint32_t index, uint32_t item, uint64_t t)
{
    struct account *account = run->account;
    struct stmt_class *class = &run->classes[index];
    const struct usage *usage = run->usages + class->usage;
    const uint64_t last = t + run->landing_longest + CYCLES - 1;
    account_reach(account, last);
    flush(run, t, UINT64_MAX);
    const struct pending_write *write = join(run, index, item, t);
    if (run->lane->base.unit_events) {
        occupy_by_events(run, write);
    } else {
        run->lane->base.kernel.unit_events += (uint64_t) class->accesses - write->less;
        occupy_at_once(run, write, last);
    }
    for (unsigned u = 0; account->sink && u < class->usage_count; u++)
        if (!usage[u].lands)
            intervals(run, &usage[u], write, UINT64_MAX, UINT64_MAX);
    class->execs++;
    run->counters[COUNTER_PE_STATEMENTS]++;
}

void mncore2_occupy_idle(struct mncore2_run *run, uint32_t reason, uint32_t item, uint64_t from,
                         uint64_t to)
{
    run->account->cycles[UNIT_ISSUE][reason] += to - from;
    run->account->events[UNIT_ISSUE][reason]++;
    if (run->account->sink) {
        flush(run, from, UINT64_MAX);
        account_interval(run->account, UNIT_ISSUE, reason, item, from, to - from);
        if (to > from)
            idle_intervals(run, reason, item, from, to);
    }
    /* Writes of the steps before land while nothing is issued: those cycles are busy, not idle. */
    for (uint64_t r = run->pending_count; r-- > oldest(run);) {
        const struct pending_write *write = pending(run, r);
        if (write->at + run->landing_longest + CYCLES <= from)
            break;
        const struct stmt_class *class = &run->classes[write->class];
        for (unsigned u = 0; u < class->usage_count; u++) {
            const struct usage *usage = &run->usages[class->usage + u];
            if (usage->lands)
                run->landed[usage->unit][reason] +=
                    overlap(own(write, usage), write->at + usage->lands, from, to);
        }
    }
}

uint64_t mncore2_occupy_cut(const struct mncore2_run *run, uint32_t class,
                            const struct usage *usage, uint64_t total)
{
    const unsigned use = meeting_of(usage);
    uint64_t sum = run->lost && use < MEETING_USES ? run->lost[class][use] : 0;
    for (uint64_t r = run->pending_count; r-- > oldest(run);) {
        const struct pending_write *write = pending(run, r);
        if (write->at + run->landing_longest + CYCLES <= total)
            break;
        if (write->class == class && usage->lands)
            sum += overlap(own(write, usage), write->at + usage->lands, total, UINT64_MAX);
    }
    return sum;
}

static const uint8_t stream_reasons[] = {REASON_DATA,    REASON_PORT, REASON_TAG,    REASON_EMPTY,
                                         REASON_PACKING, REASON_NOP,  REASON_DRAINED};

/* In cycles in which a unit of the PE side does nothing it has the stream's reason. */
static void share_reasons(struct mncore2_run *run)
{
    struct account *account = run->account;
    for (uint32_t u = UNIT_ISSUE + 1; u < MV_FIRST; u++)
        for (unsigned i = 0; i < sizeof stream_reasons; i++) {
            const uint32_t reason = stream_reasons[i];
            account->cycles[u][reason] =
                account->cycles[UNIT_ISSUE][reason] - run->landed[u][reason];
            account->events[u][reason] =
                account->cycles[u][reason] ? account->events[UNIT_ISSUE][reason] : 0;
        }
}

void mncore2_occupy_finish(struct mncore2_run *run, uint64_t total)
{
    for (uint64_t r = oldest(run); r < run->pending_count; r++) {
        const struct pending_write *write = pending(run, r);
        const struct stmt_class *class = &run->classes[write->class];
        for (unsigned u = 0; u < class->usage_count; u++) {
            const struct usage *usage = &run->usages[class->usage + u];
            const unsigned mask = own(write, usage);
            for (unsigned i = 0; usage->lands && i < CYCLES; i++) {
                const uint64_t at = write->at + usage->lands + i;
                if ((mask >> i & 1) && at >= total)
                    account_remove(run->account, usage->unit, at, 1);
            }
        }
    }
    flush(run, UINT64_MAX, total);
    share_reasons(run);
    for (size_t s = 0; s < run->program->stmt_count; s++) {
        const struct stmt_class *class = &run->classes[s];
        for (unsigned i = 0; i < class->usage_count; i++)
            run->account->events[run->usages[class->usage + i].unit][REASON_BUSY] += class->execs;
    }
}
