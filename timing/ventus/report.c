/* report: the summary of a run. */
#include <stdlib.h>

#include "timing/summary.h"
#include "timing/ventus/model.h"

/* The cycles of each warp after its last instruction, while others still run. */
static void charge_tails(struct ventus_model *m)
{
    for (struct ventus_thread *t = m->threads; t < m->threads + m->sm_count * m->sm_warps; t++)
        if (m->streams[t->number].ordinal)
            account_reason(&m->account, ventus_warp_unit(m, t), REASON_DRAINED, NONE_ID, t->order,
                           m->finish);
}

static struct sink_stmt_total *stmt_rows(const struct ventus_model *m, size_t *count)
{
    size_t most = 0;
    const size_t cells = m->stmt_count * m->unit_count;
    for (size_t i = 0; i < cells; i++)
        for (uint32_t reason = 0; reason < VENTUS_HELD; reason++)
            most += m->cells[i].cycles[reason] > 0;
    struct sink_stmt_total *rows = malloc((most + 1) * sizeof *rows);
    for (size_t i = 0; rows && i < cells; i++) {
        const struct ventus_cell *cell = &m->cells[i];
        for (uint32_t reason = 0; reason < VENTUS_HELD; reason++)
            if (cell->cycles[reason])
                rows[(*count)++] =
                    (struct sink_stmt_total){.stmt = (uint32_t)(i / m->unit_count),
                                             .unit = (uint32_t)(i % m->unit_count),
                                             .reason = reason,
                                             .cycles = cell->cycles[reason],
                                             .execs = cell->events[reason],
                                             .ops = reason == REASON_BUSY ? cell->ops : 0,
                                             .bytes = reason == REASON_BUSY ? cell->bytes : 0};
    }
    return rows;
}

int ventus_model_finish(struct ventus_model *m, bool complete, uint64_t documented,
                        const struct range *range)
{
    const struct sink *sink = m->sink;
    if (!sink || !sink->ops->finish)
        return 0;
    /* With faster parts other warps may come first and the whole end later: the estimate itself is
     * then the best that is known. */
    if (documented > m->finish)
        documented = m->finish;
    struct sink_counter counters[VENTUS_COUNTERS];
    for (uint32_t i = 0; i < VENTUS_COUNTERS; i++)
        counters[i] = (struct sink_counter){.counter = i, .value = m->counters[i]};
    struct sink_summary s = {.complete = complete,
                             .cycles = m->finish,
                             .cycles_documented = complete ? documented : 0,
                             .events = m->kernel.events,
                             .range = complete ? range : NULL,
                             .counters = counters,
                             .counter_count = VENTUS_COUNTERS};
    charge_tails(m);
    account_flush(&m->account);
    s.stmt_totals = stmt_rows(m, &s.stmt_total_count);
    int status = s.stmt_totals ? m->account.status : -1;
    if (status == 0)
        status = summary_fill(&s, &m->account, &m->path);
    if (status == 0)
        status = sink->ops->finish(sink->context, &s);
    summary_free(&s);
    return status;
}
