#include "timing/summary.h"

#include <stdlib.h>

int summary_fill(struct sink_summary *summary, const struct account *account,
                 const struct path *path, uint32_t first_unit, const struct path_proof *proven)
{
    const uint64_t total = summary->cycles;
    struct sink_crit *crit = NULL;
    struct sink_slack *slack = NULL;
    struct sink_bound *bounds = NULL;
    summary->window = UINT64_C(1) << account->shift;
    summary->windows = account_windows(account, &summary->window_count);
    summary->unit_totals = account_totals(account, total, &summary->unit_total_count);
    int status = summary->windows && summary->unit_totals ? 0 : -1;
    if (status == 0)
        status = path_critical(path, total, &crit, &summary->crit_count);
    if (status == 0 && summary->complete)
        status = path_slack(path, total, &slack, &summary->slack_count);
    if (status == 0 && summary->complete)
        status = path_bounds(path, account, first_unit, proven, &bounds, &summary->bound_count);
    summary->crit = crit;
    summary->slack = slack;
    summary->bounds = bounds;
    return status;
}

void summary_free(struct sink_summary *summary)
{
    free((void *)summary->windows);
    free((void *)summary->unit_totals);
    free((void *)summary->stmt_totals);
    free((void *)summary->crit);
    free((void *)summary->slack);
    free((void *)summary->bounds);
}
