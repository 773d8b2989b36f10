#include "timing/summary.h"

#include <stdlib.h>

#include "timing/costs.h"

int summary_fill(struct sink_summary *summary, const struct account *account,
                 const struct path *path)
{
    const uint64_t total = summary->cycles;
    struct sink_crit *crit = NULL;
    struct sink_slack *slack = NULL;
    summary->window = UINT64_C(1) << account->shift;
    summary->windows = account_windows(account, &summary->window_count);
    summary->unit_totals = account_totals(account, total, &summary->unit_total_count);
    int status = summary->windows && summary->unit_totals ? 0 : -1;
    if (status == 0)
        status = path_critical(path, total, &crit, &summary->crit_count);
    if (status == 0 && summary->complete)
        status = path_slack(path, total, &slack, &summary->slack_count);
    summary->crit = crit;
    summary->slack = slack;
    return status;
}

void summary_free(struct sink_summary *summary)
{
    free((void *)summary->counters);
    free((void *)summary->windows);
    free((void *)summary->unit_totals);
    if (summary->costs)
        costs_free((struct costs *)summary->costs);
    free((void *)summary->costs);
    free((void *)summary->crit);
    free((void *)summary->slack);
}
