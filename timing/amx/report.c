/* report: the summary of a run. */
#include <stdlib.h>

#include "timing/amx/model.h"
#include "timing/summary.h"

/* The cycles of each unit after its last work, until the last result of its threads. */
static void charge_tails(struct amx_model *m)
{
    for (uint32_t c = 0; c < m->clusters; c++) {
        uint64_t issued = 0, finish = 0;
        for (const struct thread *t = m->threads; t < m->threads + m->thread_count; t++) {
            if (t->cluster != c)
                continue;
            issued = t->order > issued ? t->order : issued;
            finish = t->finish > finish ? t->finish : finish;
            account_reason(&m->account, cpu_unit(t), REASON_DRAINED, NONE_ID, t->order, t->finish);
        }
        for (uint32_t port = 2 * c; port <= 2 * c + 1; port++) {
            const uint64_t free_at = m->holder[port].at;
            account_reason(&m->account, port, REASON_DRAINED, NONE_ID,
                           free_at > issued ? free_at : issued, finish);
        }
    }
}

static void add_rows(const struct cell *cell, struct sink_stmt_total row,
                     struct sink_stmt_total *rows, size_t *count)
{
    for (row.reason = 0; row.reason < HELD; row.reason++) {
        row.cycles = cell->cycles[row.reason];
        row.execs = cell->events[row.reason];
        if (row.cycles)
            rows[(*count)++] = row;
        row.ops = row.bytes = 0; /* of the work alone */
    }
}

static struct sink_stmt_total *stmt_rows(const struct amx_model *m, size_t *count)
{
    size_t most = 0;
    for (size_t i = 0; i < m->cell_count; i++)
        for (unsigned reason = 0; reason < HELD; reason++)
            most += m->cells[i].cycles[reason] > 0;
    struct sink_stmt_total *rows = malloc((most + 1) * sizeof *rows);
    for (uint32_t stmt = 0; rows && stmt < m->stmt_count; stmt++) {
        const struct cost *cost = &m->cost[stmt];
        const struct cell *cell = &m->cells[cost->cells];
        struct sink_stmt_total row = {.stmt = stmt};
        for (uint32_t i = 0; i < cost->threads; i++, cell++) {
            row.unit = cpu_unit(&m->threads[cost->first + i]);
            add_rows(cell, row, rows, count);
        }
        for (uint32_t c = 0; c < m->clusters; c++, cell++) {
            row.unit = 2 * c + (cost->port == UNIT_LDST);
            row.ops = cell->events[REASON_BUSY] * cost->flops;
            row.bytes = cell->events[REASON_BUSY] * cost->bytes;
            add_rows(cell, row, rows, count);
        }
    }
    return rows;
}

int amx_model_finish(struct amx_model *m, bool complete, uint64_t documented,
                     const struct range *range)
{
    const struct sink *sink = m->sink;
    if (!sink || !sink->ops->finish)
        return 0;
    /* Threads that share a unit may end later although each of them got faster: another one comes
     * first. The estimate itself is then the best that is known. */
    if (documented > m->finish)
        documented = m->finish;
    struct sink_counter counters[AMX_COUNTERS];
    for (uint32_t i = 0; i < AMX_COUNTERS; i++)
        counters[i] = (struct sink_counter){.counter = i, .value = m->counters[i]};
    struct sink_summary s = {.complete = complete,
                             .cycles = m->finish,
                             .cycles_documented = complete ? documented : 0,
                             .events = m->kernel.events,
                             .range = complete ? range : NULL,
                             .counters = counters,
                             .counter_count = AMX_COUNTERS};
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
