/* report: what a run of the toy gives its sink. */
#include <stdlib.h>

#include "timing/toy/model.h"

/* --- lists of the header ------------------------------------------------------------------------ */

static const struct reason_info reasons[TOY_REASONS] = {
#define REASON(id, name, state, sentence) {name, sentence, STATE_##state},
#include "timing/reason.def"
#define REASON(id, name, state, sentence) {name, sentence, STATE_##state},
#include "timing/toy/reason.def"
};
static const struct unit_info units[TOY_UNITS] = {
#define UNIT(id, name, path, kind, width) {name, path, kind, 1, width, 0},
#include "timing/toy/unit.def"
};
static const struct counter_info counters[TOY_COUNTERS] = {
#define COUNTER(id, name, unit, sentence) {name, NULL, unit, sentence, 0},
#include "timing/toy/counter.def"
};
static const struct attribute_info attributes[] = {{"cells", "cells", "that it moves"}};

void toy_report_header(struct sink_header *header)
{
    header->units = units;
    header->unit_count = TOY_UNITS;
    header->reasons = reasons;
    header->reason_count = TOY_REASONS;
    header->counters = counters;
    header->counter_count = TOY_COUNTERS;
    header->attributes = attributes;
    header->attribute_count = 1;
}

/* --- while it runs ------------------------------------------------------------------------------ */

void toy_report_cycles(struct toy_model *m, enum toy_unit unit, uint32_t reason, uint32_t stmt,
                       uint64_t from, uint64_t to)
{
    if (!m->sink || to <= from)
        return;
    m->cells[stmt].cycles[unit][reason] += to - from;
    if (reason == REASON_BUSY)
        account_busy(&m->account, unit, stmt, from, to - from);
    else
        account_reason(&m->account, unit, reason, stmt, from, to);
}

void toy_report_edge(struct toy_model *m, struct sink_edge edge)
{
    edge.dst = m->next;
    edge.released = edge.at;
    edge.times = 1;
    if (m->sink->ops->edge && m->status == 0)
        m->status = m->sink->ops->edge(m->sink->context, &edge);
}

void toy_report_copy(struct toy_model *m, uint64_t waited)
{
    const struct toy_copier *c = &m->copier;
    const uint64_t cells = m->program->stmts[c->stmt].count;
    const struct sink_transfer transfer = {.stmt = c->stmt,
                                           .tag = 1,
                                           .tag_name = "copy",
                                           .mode = "copy",
                                           .bytes = 8 * cells,
                                           .issued = c->issued,
                                           .started = c->started,
                                           .finished = m->kernel.now,
                                           .waited = waited,
                                           .waited_by = waited ? m->next : NONE_ID,
                                           .limited_by = TOY_UNIT_MEM,
                                           .attributes = &cells};
    if (m->sink && m->sink->ops->transfer && m->status == 0)
        m->status = m->sink->ops->transfer(m->sink->context, &transfer);
}

/* --- at the end --------------------------------------------------------------------------------- */

static struct sink_stmt_total *stmt_rows(const struct toy_model *m, size_t *count)
{
    struct sink_stmt_total *rows =
        malloc((m->program->count * TOY_UNITS * TOY_REASONS + 1) * sizeof *rows);
    for (uint32_t s = 0; rows && s < m->program->count; s++)
        for (uint32_t u = 0; u < TOY_UNITS; u++)
            for (uint32_t r = 0; r < TOY_REASONS; r++)
                if (m->cells[s].cycles[u][r])
                    rows[(*count)++] = (struct sink_stmt_total){.stmt = s,
                                                                .unit = u,
                                                                .reason = r,
                                                                .cycles = m->cells[s].cycles[u][r],
                                                                .execs = 1};
    return rows;
}

int toy_report_finish(struct toy_model *m, bool complete, uint64_t documented)
{
    if (!m->sink->ops->finish)
        return 0;
    account_reason(&m->account, TOY_UNIT_SEQ, REASON_DRAINED, NONE_ID, m->order, m->finish);
    account_flush(&m->account);
    struct sink_counter values[TOY_COUNTERS];
    for (uint32_t i = 0; i < TOY_COUNTERS; i++)
        values[i] = (struct sink_counter){.counter = i, .value = m->counters[i]};
    struct sink_summary s = {.complete = complete,
                             .cycles = m->finish,
                             .cycles_documented = documented,
                             .events = m->kernel.events,
                             .counters = values,
                             .counter_count = TOY_COUNTERS,
                             .window = UINT64_C(1) << m->account.shift};
    uint64_t busy[TOY_UNITS];
    for (uint32_t u = 0; u < TOY_UNITS; u++)
        busy[u] = account_total(&m->account, u);
    struct sink_unit_total *totals = account_totals(&m->account, m->finish, &s.unit_total_count);
    struct sink_window *windows = account_windows(&m->account, &s.window_count);
    struct sink_stmt_total *stmts = stmt_rows(m, &s.stmt_total_count);
    struct sink_bound *bounds = NULL;
    struct sink_crit *crit = NULL;
    struct sink_slack *slack = NULL;
    int status = m->account.status;
    if (!totals || !windows || !stmts ||
        path_bounds(&m->path, &(struct path_units){busy, TOY_UNITS, 0}, &bounds, &s.bound_count) ||
        path_critical(&m->path, m->finish, &crit, &s.crit_count) != 0 ||
        path_slack(&m->path, m->finish, &slack, &s.slack_count) != 0)
        status = -1;
    s.unit_totals = totals;
    s.windows = windows;
    s.stmt_totals = stmts;
    s.bounds = bounds;
    s.crit = crit;
    s.slack = slack;
    if (status == 0)
        status = m->sink->ops->finish(m->sink->context, &s);
    free(totals);
    free(windows);
    free(stmts);
    free(bounds);
    free(crit);
    free(slack);
    return status;
}
