/*
 * skip: stretches of PE statements that repeat are timed once and multiplied.
 *
 *   items:  ... A B C  A B C  A B C  A B C  X ...      period of 3 items and L cycles, 4 times
 *               seen   timed  `-- added ---'
 *
 * Between waits and MV statements the stream's state is its clock and the writes that still have to
 * land, which reach back write latency + 4 cycles. In a stretch whose period is at least that long
 * every repetition after the first therefore does exactly what the one before did, L cycles later:
 * counters grow by the same, each window gets what falls into it of the periodic pattern. With
 * --no-skip every total is the same.
 */
#include "timing/mncore2/run.h"

#include <stdlib.h>
#include <string.h>

/* A skip costs about as much as timing a few thousand steps. */
enum { MAX_ITEMS = 4096, MAX_CYCLES = 16384, LEAST_ITEMS = 16384, TAIL = 64 };

/* Busy cycles of each unit of the PE side in the first x cycles of what one period issues. */
struct pattern {
    uint32_t (*sum)[MV_FIRST]; /* after x cycles, x up to length + TAIL */
    uint64_t length;           /* of the period */
    uint64_t end;              /* after the last cycle that a step of the period can touch; 0 = none */
};

/* Items that go on as they did `period` items before. */
static size_t matching(const struct machine_run *run, size_t item, size_t period)
{
    const struct item *items = run->program->items;
    const size_t count = run->program->item_count;
    size_t length = 0;
    while (item + length < count && items[item + length].stmt == items[item + length - period].stmt)
        length++;
    return length;
}

/* Cycles of the items [first, first + count), 0 when one of them does more than issue. */
static uint64_t plain_cycles(const struct machine_run *run, size_t first, size_t count)
{
    uint64_t steps = 0;
    for (size_t i = first; i < first + count; i++) {
        const struct stmt_class *class = &run->classes[run->program->items[i].stmt];
        if (class->kind == STMT_MV || class->kind == STMT_MVNOP || class->wait)
            return 0;
        if (class->kind == STMT_STEP)
            steps += class->nops ? class->nops : 1;
        if (steps > MAX_CYCLES / CYCLES)
            return 0;
    }
    return steps * CYCLES;
}

static void make_pattern(const struct machine_run *run, size_t first, size_t count,
                         struct pattern *pattern)
{
    const uint64_t latency = run->lanes[0].numbers->write_latency;
    const uint64_t end = pattern->length + TAIL;
    memset(pattern->sum, 0, (end + 1) * sizeof *pattern->sum);
    uint64_t at = 0;
    for (size_t i = first; i < first + count; i++) {
        const struct stmt_class *class = &run->classes[run->program->items[i].stmt];
        for (unsigned u = 0; u < class->usage_count; u++) {
            const struct usage *usage = &run->usages[class->usage + u];
            for (unsigned c = 0; c < CYCLES; c++)
                pattern->sum[at + c + (usage->lands ? latency : 0) + 1][usage->unit] +=
                    usage->mask >> c & 1;
        }
        if (class->usage_count)
            pattern->end = at + latency + CYCLES;
        if (class->kind == STMT_STEP)
            at += CYCLES * (class->nops ? class->nops : 1);
    }
    for (uint64_t x = 1; x <= end; x++)
        for (unsigned u = 0; u < MV_FIRST; u++)
            pattern->sum[x][u] += pattern->sum[x - 1][u];
}

/* Busy cycles of a unit in the first x cycles of `count` periods. */
static uint64_t repeated(const struct pattern *pattern, unsigned unit, uint64_t x, uint64_t count)
{
    const uint64_t end = pattern->length + TAIL;
    const uint64_t all = pattern->sum[end][unit];
    /* Periods that lie wholly before x, then those that reach over it. */
    uint64_t whole = x >= end ? (x - end) / pattern->length + 1 : 0;
    if (whole > count)
        whole = count;
    uint64_t sum = whole * all;
    for (uint64_t k = whole; k < count && k * pattern->length < x; k++) {
        const uint64_t rest = x - k * pattern->length;
        sum += pattern->sum[rest < end ? rest : end][unit];
    }
    return sum;
}

/* The windows get what falls into them of `count` periods from `start` on. */
static void fill_windows(struct machine_run *run, const struct pattern *pattern, uint64_t start,
                         uint64_t count)
{
    struct account *account = &run->account;
    if (!pattern->end)
        return;
    const uint64_t end = start + (count - 1) * pattern->length + pattern->end;
    account_reach(account, end - 1);
    uint64_t done[MV_FIRST] = {0};
    for (uint64_t at = start; at < end;) {
        const uint64_t boundary = ((at >> account->shift) + 1) << account->shift;
        const uint64_t stop = boundary < end ? boundary : end;
        uint64_t *row = account_row(account, at);
        for (unsigned u = 0; u < MV_FIRST; u++) {
            const uint64_t sum = repeated(pattern, u, stop - start, count);
            row[u] += sum - done[u];
            done[u] = sum;
        }
        at = stop;
    }
}

void skip_remember(const struct machine_run *run, struct skip_before *before)
{
    before->statements = run->statements;
    before->nops_written = run->nops_written;
    memcpy(before->cycles, run->account.cycles[UNIT_ISSUE], sizeof before->cycles);
    memcpy(before->events, run->account.events[UNIT_ISSUE], sizeof before->events);
    memcpy(before->landed, run->landed, sizeof before->landed);
}

static void multiply(struct machine_run *run, const struct skip_before *before, uint64_t count)
{
    run->statements += (run->statements - before->statements) * count;
    run->nops_written += (run->nops_written - before->nops_written) * count;
    uint64_t *cycles = run->account.cycles[UNIT_ISSUE], *events = run->account.events[UNIT_ISSUE];
    for (unsigned r = 0; r < REASON_COUNT; r++) {
        cycles[r] += (cycles[r] - before->cycles[r]) * count;
        events[r] += (events[r] - before->events[r]) * count;
        for (unsigned u = 0; u < MV_FIRST; u++)
            run->landed[u][r] += (run->landed[u][r] - before->landed[u][r]) * count;
    }
}

/* --- from run.c ---------------------------------------------------------------------------------- */

bool skip_open(struct machine_run *run)
{
    run->skips = run->options.timing_only && !run->options.no_skip && run->plain &&
                 !run->options.interlock && !run->account.sink &&
                 run->program->item_count > LEAST_ITEMS &&
                 run->lanes[0].numbers->write_latency + CYCLES <= TAIL;
    if (run->skips)
        run->pattern = malloc((MAX_CYCLES + TAIL + 1) * sizeof(uint32_t[MV_FIRST]));
    return !run->skips || run->pattern;
}

bool skip_find(struct machine_run *run, size_t period, size_t *timed, uint64_t *count)
{
    const size_t item = run->next_item;
    const size_t length = matching(run, item, period);
    run->skip_from = item + length + 1;
    if (length < LEAST_ITEMS)
        return false;
    const uint64_t cycles = plain_cycles(run, item - period, period);
    if (!cycles)
        return false;
    /* The period must outlast the writes in flight: take it several times if need be, and they must
     * be of the same stretch. */
    const uint64_t least = run->lanes[0].numbers->write_latency + CYCLES;
    const uint64_t times = (least + cycles - 1) / cycles;
    *timed = period * times;
    if (cycles * times > MAX_CYCLES || *timed > MAX_ITEMS || *timed > item ||
        matching(run, item - *timed + period, period) < length)
        return false;
    *count = length / *timed;
    return *count > 1;
}

void skip_multiply(struct machine_run *run, size_t first, size_t timed, uint64_t count,
                   const struct skip_before *before)
{
    struct pattern pattern = {.sum = run->pattern,
                              .length = plain_cycles(run, first, timed)};
    const uint64_t cycles = pattern.length * count;
    make_pattern(run, first, timed, &pattern);
    fill_windows(run, &pattern, run->lanes[0].now, count);
    multiply(run, before, count);
    for (size_t i = first; i < first + timed; i++) {
        const struct stmt_class *class = &run->classes[run->program->items[i].stmt];
        if (class->kind == STMT_STEP) {
            run->classes[run->program->items[i].stmt].execs += count;
            packer_steps(&run->packer, (class->nops ? class->nops : 1) * count);
        }
    }
    for (unsigned r = 0; r < RECENT; r++) {
        run->recent[r].at += cycles;
        run->recent[r].item += (uint32_t)(timed * count);
    }
    for (unsigned l = 0; l < run->lane_count; l++)
        run->lanes[l].now += cycles;
    run->next_item += timed * count;
}
