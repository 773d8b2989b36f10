/* costs: what each statement costs on each unit. */
#include "timing/mncore2/run.h"

#include <stdlib.h>

#include "timing/costs.h"

enum { CLASS_ROWS = 64 };

struct rows {
    struct costs *costs;
    int status;
};

static void add(struct rows *rows, const struct sink_stmt_total *row)
{
    if ((!row->cycles && !row->bytes) || rows->status != 0)
        return;
    struct sink_stmt_total *last = costs_last(rows->costs, row->stmt);
    if (last && last->unit == row->unit && last->reason == row->reason && row->unit == UNIT_ISSUE &&
        row->reason != REASON_NOP) { /* two stalls of one statement */
        last->cycles += row->cycles;
        last->execs += row->execs;
        return;
    }
    rows->status = costs_add(rows->costs, row);
}

/* A row covers all executions of a statement, under its first item. */
static void add_class(const struct mncore2_run *run, struct rows *rows, uint32_t s, uint64_t total)
{
    const struct stmt_class *class = &run->classes[s];
    const struct lane *lane = run->lane;
    const bool sends = lane->nops_left && run->program->items[lane->next_item].stmt == s;
    struct sink_stmt_total units[CLASS_ROWS];
    size_t count = 0;
    if (class->nops)
        units[count++] = (struct sink_stmt_total){
            .stmt = class->first_item,
            .unit = UNIT_ISSUE,
            .reason = REASON_NOP,
            .cycles = (class->execs * class->nops - (sends ? lane->nops_left : 0)) * CYCLES,
            .execs = class->execs};
    const size_t nops = count;
    for (unsigned i = 0; i < class->usage_count; i++) {
        const struct usage *usage = &run->usages[class->usage + i];
        const uint64_t cycles =
            class->execs * usage->cycles - mncore2_occupy_cut(run, s, usage, total);
        size_t same = nops; /* read and write of a single-port memory are one row */
        while (same < count && units[same].unit != usage->unit)
            same++;
        if (same < count)
            units[same].cycles += cycles;
        else if (count < CLASS_ROWS)
            units[count++] = (struct sink_stmt_total){
                .stmt = class->first_item,
                .unit = usage->unit,
                .reason = REASON_BUSY,
                .cycles = cycles,
                .execs = class->execs,
                .ops = usage->unit == UNIT_MAU ? class->flops * class->execs : 0};
    }
    for (size_t i = 0; i < count; i++)
        add(rows, &units[i]);
}

/* The transfer's own share of each port. */
static void add_transfer(struct rows *rows, const struct transfer *transfer)
{
    const struct plan *plan = transfer->plan;
    for (uint32_t p = 0; p < PORT_COUNT; p++)
        if (plan->ports >> p & 1)
            add(rows, &(const struct sink_stmt_total){
                          .stmt = transfer->item,
                          .unit = MV_FIRST + p,
                          .reason = REASON_BUSY,
                          .cycles = transfer->held ? transfer->held[mv_held(transfer, p)]
                                                   : transfer->done * (plan->hold[port_kind(p)] >>
                                                                       RESOURCE_TICK_SHIFT),
                          .execs = 1,
                          .bytes = transfer->done * plan->words[port_kind(p)] * sizeof(uint64_t)});
}

/* A stretch of stalls for want of supply is not one statement's. */
static void add_stall(struct rows *rows, const struct path_record *record)
{
    if (record->reason != REASON_EMPTY)
        add(rows, &(const struct sink_stmt_total){.stmt = record->stmt,
                                                  .unit = UNIT_ISSUE,
                                                  .reason = record->reason,
                                                  .cycles = record->end - record->start,
                                                  .execs = 1});
}

static void count_masks(struct mncore2_run *run, const struct stmt_class *class)
{
    run->counters[COUNTER_MASKED_FIXED] += class->masked[0] * class->execs;
    run->counters[COUNTER_MASKED_VARIABLE] += class->masked[1] * class->execs;
}

static void count_flops(struct mncore2_run *run, const struct stmt_class *class)
{
    /* The vector mode has no pseudo single precision (1.4). */
    static const enum counter_mncore2 vector[] = {
        COUNTER_FLOPS_VECTOR_DOUBLE, COUNTER_FLOPS_VECTOR_SINGLE, COUNTER_FLOPS_VECTOR_SINGLE,
        COUNTER_FLOPS_VECTOR_HALF};
    const uint64_t flops = class->flops * class->execs;
    run->counters[COUNTER_FLOPS_DOUBLE + class->precision] += flops;
    if (class->vector)
        run->counters[vector[class->precision]] += flops;
}

/* Classes, transfers and records come in the order of their statements; so do the rows. */
struct costs *mncore2_costs_find(struct mncore2_run *run, uint64_t total)
{
    struct rows rows = {.costs = calloc(1, sizeof *rows.costs)};
    rows.status = rows.costs ? 0 : -1;
    const struct mv_engine *mv = &run->lane->mv;
    const uint32_t classes = (uint32_t)run->program->stmt_count;
    uint64_t n = 0;
    for (uint32_t s = 0, t = 0; s <= classes; s++) {
        const struct stmt_class *class = s < classes ? &run->classes[s] : NULL;
        if (class && (class->kind != STMT_STEP || !class->execs))
            continue;
        const uint32_t item = class ? class->first_item : NONE_ID;
        for (;;) {
            const uint32_t stall = n < run->stream.count ? path_at(run->path, n)->stmt : NONE_ID;
            const uint32_t transfer = t < mv->count ? mv->transfers[t].item : NONE_ID;
            if (stall < item && stall <= transfer)
                add_stall(&rows, path_at(run->path, n++));
            else if (transfer < item)
                add_transfer(&rows, &mv->transfers[t++]);
            else
                break;
        }
        if (class) {
            count_flops(run, class);
            count_masks(run, class);
            add_class(run, &rows, s, total);
        }
    }
    if (rows.status == 0 && costs_end(rows.costs) == 0)
        return rows.costs;
    if (rows.costs)
        costs_free(rows.costs);
    free(rows.costs);
    return NULL;
}
