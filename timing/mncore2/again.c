#include "timing/mncore2/again.h"

#include <stdlib.h>
#include <string.h>

/* --- nops that could go ----------------------------------------------------------------------- */

/* Statements and cycles of all runs that look whether a run gets longer without some of its nops,
 * since transfers that are ready earlier may find a worse order. Of a program with more nops than
 * that allows, only all together are looked at. */
enum { REMOVABLE_WORK = 1 << 22 };

/* Judges what issues when, in a run without some nops. */
static int judge(struct machine_model *model)
{
    const struct lane *lane = (const struct lane *)model;
    mncore2_lane_arrivals(lane);
    return lane->arrivals ? mncore2_arrivals_judge(lane->arrivals) : 0;
}

/* *cycles is UINT64_MAX where accesses come earlier before a transfer has ended than in the run. */
static int time_again(const struct mncore2_run *run, const uint32_t *cut,
                      const struct machine_delay *delay, uint64_t *cycles)
{
    struct arrivals arrivals = {.count = 0};
    struct again again = {.cut = cut};
    if (run->arrivals.count) {
        if (mncore2_arrivals_open(&arrivals, run->program, run->config) != 0) {
            mncore2_arrivals_free(&arrivals);
            return -1;
        }
        again.arrivals = &arrivals;
    }
    const struct model_options how = {.config = run->config,
                                      .documented = run->options.documented,
                                      .delay = delay,
                                      .own = &again,
                                      .done = judge};
    const int status = run_again(run->shared, &how, cycles);
    if (arrivals.early_cycles > run->arrivals.early_cycles)
        *cycles = UINT64_MAX;
    mncore2_arrivals_free(&arrivals);
    return status;
}

static int time_without(const struct mncore2_run *run, const uint32_t *cut, uint64_t *cycles)
{
    return time_again(run, cut, NULL, cycles);
}

int mncore2_again_delayed(const struct machine_run *shared, const struct machine_delay *delay,
                          uint64_t *cycles)
{
    return time_again(shared->own, NULL, delay, cycles);
}

/* Each row by itself: no more steps than leave the total. */
static int time_rows(struct mncore2_run *run, uint64_t total, uint64_t runs, uint32_t *cut)
{
    struct removable_list *list = &run->removable;
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++) {
        struct removable row = list->rows[i];
        uint64_t cycles = UINT64_MAX;
        for (; row.steps && cycles > total && runs; runs--) {
            mncore2_removable_cut(run->program, &row, row.steps, cut);
            if (time_without(run, cut, &cycles) != 0)
                return -1;
            row.steps -= cycles > total;
        }
        list->untimed |= row.steps && cycles > total;
        mncore2_removable_cut(run->program, &row, 0, cut);
        row.together = row.together < row.steps ? row.together : row.steps;
        if (row.steps)
            list->rows[kept++] = row;
    }
    list->count = kept;
    return 0;
}

/* All together; if that takes longer, one after the other those that do not. */
static int time_together(struct mncore2_run *run, uint64_t total, uint64_t runs, uint32_t *cut,
                         uint64_t *cycles)
{
    const struct removable_list *list = &run->removable;
    for (size_t i = 0; i < list->count; i++)
        mncore2_removable_cut(run->program, &list->rows[i], list->rows[i].together, cut);
    if (time_without(run, cut, cycles) != 0)
        return -1;
    if (*cycles <= total)
        return 0;
    memset(cut, 0, run->program->item_count * sizeof *cut);
    *cycles = total;
    for (size_t i = 0; i < list->count; i++) {
        struct removable *row = &list->rows[i];
        uint64_t less = UINT64_MAX;
        mncore2_removable_cut(run->program, row, row->together, cut);
        if (runs && time_without(run, cut, &less) != 0)
            return -1;
        runs -= runs > 0;
        if (less <= *cycles) {
            *cycles = less;
        } else {
            row->together = 0;
            mncore2_removable_cut(run->program, row, 0, cut);
        }
    }
    return 0;
}

/* The rules have been checked, unless the interlock does instead. */
int mncore2_again_removable(struct mncore2_run *run)
{
    if (run->interlock || run->options.functional_only || run->options.total_only ||
        !run->sink->ops->warning)
        return 0;
    struct removable_list *list = &run->removable;
    if (mncore2_removable_find(run->program, run->config, run->options.documented, &run->arrivals,
                               list) != 0)
        return -1;
    if (!list->count)
        return 0;
    const uint64_t total = run_total(&run->lane->base);
    uint64_t runs = REMOVABLE_WORK / (run->program->item_count + total / 8);
    runs = list->count <= runs ? runs : 0;
    uint64_t cycles = total;
    uint32_t *cut = calloc(run->program->item_count, sizeof *cut);
    int status = cut ? time_rows(run, total, runs, cut) : -1;
    if (status == 0)
        status = time_together(run, total, runs, cut, &cycles);
    for (size_t i = 0; i < list->count; i++)
        run->counters[COUNTER_REMOVABLE_STEPS] += list->rows[i].together;
    run->counters[COUNTER_REMOVABLE_CYCLES] = total - cycles;
    free(cut);
    return status;
}
