/* settle: the end of a run: nops that could go, early accesses, units, statements, counters. */
#include <stdlib.h>
#include <string.h>

#include "host/number.h"
#include "timing/mncore2/again.h"

/* --- nops that could go ----------------------------------------------------------------------- */

static bool is_silenced(const struct mncore2_run *run, const char *warning)
{
    for (const char *const *name = run->options.silenced; name && *name; name++)
        if (strcmp(*name, warning) == 0 || strcmp(*name, "all") == 0)
            return true;
    return false;
}

static int send_removable(const struct mncore2_run *run, uint32_t item, const char *sentence)
{
    const struct sink_warning warning = {"removable", item, sentence};
    return run->sink->ops->warning(run->sink->context, &warning);
}

const char *mncore2_removable_cycles(const struct mncore2_run *run, char *text, size_t size)
{
    char less[NUMBER_TEXT], all[NUMBER_TEXT];
    const uint64_t total = run_total(&run->lane->base);
    const uint64_t saved = run->counters[COUNTER_REMOVABLE_CYCLES];
    number_group(all, (int64_t)total);
    if (saved)
        snprintf(text, size, "%s cycles instead of %s",
                 number_group(less, (int64_t)(total - saved)), all);
    else
        snprintf(text, size, "it takes %s cycles as before", all);
    return text;
}

/* Accesses that come before a transfer has ended that they meet. */
static int report_early(const struct mncore2_run *run)
{
    const struct arrivals *a = &run->arrivals;
    char sentence[192], cycles[NUMBER_TEXT];
    if (!run->sink->ops->warning || is_silenced(run, "early"))
        return 0;
    int status = 0;
    for (size_t i = 0; i < a->early_count && status == 0; i++) {
        const struct early *early = &a->early[i];
        snprintf(sentence, sizeof sentence,
                 "comes %s cycles before the transfer of line %u ends [3.5.3]",
                 number_group(cycles, (int64_t)early->cycles),
                 run->program->items[early->transfer].line);
        const struct sink_warning warning = {"early", (uint32_t)early->access, sentence};
        status = run->sink->ops->warning(run->sink->context, &warning);
    }
    return status;
}

static int report_removable(const struct mncore2_run *run)
{
    const struct removable_list *list = &run->removable;
    char sentence[192], cycles[NUMBER_TEXT], number[NUMBER_TEXT];
    if (is_silenced(run, "removable"))
        return 0;
    int status = 0;
    for (size_t i = 0; status == 0 && i < list->count; i++) {
        snprintf(sentence, sizeof sentence, "nop x%llu", (unsigned long long)list->rows[i].steps);
        status = send_removable(run, (uint32_t)list->rows[i].item, sentence);
    }
    const uint64_t steps = run->counters[COUNTER_REMOVABLE_STEPS],
                   saved = run->counters[COUNTER_REMOVABLE_CYCLES];
    snprintf(sentence, sizeof sentence, "%s nop%s: %s cycle%s%s",
             number_group(number, (int64_t)steps), steps == 1 ? "" : "s",
             number_group(cycles, (int64_t)saved), saved == 1 ? "" : "s",
             list->untimed ? "; each by itself by the rules alone: too many to be timed" : "");
    return status == 0 && list->count ? send_removable(run, NONE_ID, sentence) : status;
}

/* A transfer may end no later than the first access that relies on its end. */
static void limit_slack(const struct mncore2_run *run)
{
    const struct mv_engine *mv = &run->lane->mv;
    if (!run->arrivals.count || run->stream.count > run->stream.capacity)
        return;
    for (uint32_t t = 0; t < mv->count; t++) {
        const uint64_t spare = run->arrivals.spare[mv->transfers[t].item];
        struct path_record *record = path_at(run->path, mv->transfers[t].record);
        if ((int64_t)spare >= 0 && (int64_t)spare < record->limit)
            record->limit = (int64_t)spare;
    }
}

/* --- end -------------------------------------------------------------------------------------- */

static void count_steps(struct mncore2_run *run)
{
    uint64_t *c = run->counters;
    const uint64_t slots = run->slot_cycles / CYCLES;
    c[COUNTER_NOPS_WRITTEN] -= run->lane->nops_left;
    run->stream.now = run->lane->now;
    run->stream.ordinal = run->lane->next_item;
    run->stream.landed = run->lane->landed;
    run->stream.landed_ordinal = run->lane->landed_item;
    run->stream.landed_from = run->lane->landed_from;
    run->stream.landed_on = run->lane->landed_on;
    c[COUNTER_PE_STATEMENTS] += c[COUNTER_NOPS_WRITTEN];
    c[COUNTER_NOPS_PACKING] += slots;
    c[COUNTER_STEPS] = c[COUNTER_PE_STATEMENTS] + c[COUNTER_NOPS_PACKING] + c[COUNTER_NOPS_WAIT] +
                       c[COUNTER_NOPS_EMPTY] + run->stalled;
}

static int list_counters(const struct mncore2_run *run, struct sink_summary *summary)
{
    /* Removable steps are computed only where they are reported (again.c). */
    const bool looked = run->sink->ops->warning;
    struct sink_counter *rows = malloc((COUNTERS_MNCORE2 + MV_TAGS) * sizeof *rows);
    if (!rows)
        return -1;
    for (uint32_t c = 0; c < COUNTERS_MNCORE2; c++)
        if (c != COUNTER_NOPS_TAGS &&
            (looked || (c != COUNTER_REMOVABLE_STEPS && c != COUNTER_REMOVABLE_CYCLES)))
            rows[summary->counter_count++] =
                (struct sink_counter){.counter = c, .value = run->counters[c]};
    for (uint32_t t = 0; t < MV_TAGS; t++)
        if (run->nops_tag[t])
            rows[summary->counter_count++] = (struct sink_counter){
                .counter = COUNTER_NOPS_TAGS, .index = t, .value = run->nops_tag[t]};
    summary->counters = rows;
    return 0;
}

/* What the units did until the end. */
static int close_accounts(struct mncore2_run *run, struct sink_summary *summary)
{
    struct lane *lane = run->lane;
    if (!summary->complete) {
        mncore2_lane_settle(lane);
        const uint64_t total = run_total(&lane->base), free_at = mncore2_mv_free_at(&lane->mv);
        summary->cycles = total > free_at ? total : free_at;
    }
    if (summary->cycles > lane->now)
        mncore2_occupy_idle(run, REASON_DRAINED, NONE_ID, lane->now, summary->cycles);
    memory_finish(&lane->mv.dram, summary->cycles);
    const struct memory_counts *dram = &lane->mv.dram.counts;
    run->counters[COUNTER_DRAM_ACCESSES] = dram->accesses;
    run->counters[COUNTER_DRAM_OPENED] = dram->opened;
    run->counters[COUNTER_DRAM_CONFLICTS] = dram->conflicts;
    mncore2_occupy_finish(run, summary->cycles);
    account_flush(run->account);
    count_steps(run);
    for (uint32_t t = 0; t < lane->mv.count && run->account->status == 0; t++)
        if (lane->mv.transfers[t].state >= MV_SENT)
            run->account->status = mncore2_report_transfer(run, &lane->mv.transfers[t]);
    return run->account->status;
}

int mncore2_settle(struct machine_model *model, struct sink_summary *summary)
{
    struct mncore2_run *run = model->run->own;
    int status = 0;
    mncore2_lane_arrivals(run->lane);
    if (summary->complete && run->lane->arrivals)
        status = mncore2_arrivals_judge(&run->arrivals);
    if (summary->complete && status == 0)
        limit_slack(run);
    if (summary->complete && status == 0)
        status = mncore2_again_removable(run);
    if (status == 0)
        status = close_accounts(run, summary);
    if (status == 0)
        status = report_early(run);
    if (status == 0)
        status = report_removable(run);
    if (status == 0) {
        summary->costs = mncore2_costs_find(run, summary->cycles);
        status = summary->costs ? list_counters(run, summary) : -1;
    }
    return status;
}
