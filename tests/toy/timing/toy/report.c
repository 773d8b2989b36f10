/* report: what a run of the toy gives its sink. */
#include <stdlib.h>

#include "timing/summary.h"
#include "timing/toy/model.h"

/* --- lists of the header ---------------------------------------------------------------------- */

static const struct reason_info reasons[TOY_REASONS] = {
#define REASON(id, name, state, limit, sentence) {name, sentence, STATE_##state, limit},
#include "timing/reason.def"
#define REASON(id, name, state, limit, sentence) {name, sentence, STATE_##state, limit},
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

int toy_report_begin(const struct toy_model *m, const struct sink *sink,
                     const struct config *config, const char *command)
{
    const struct toy_program *program = m->program;
    struct stmt_info *stmts = malloc((program->count + 1) * sizeof *stmts);
    if (!stmts)
        return -1;
    for (size_t i = 0; i < program->count; i++) {
        const struct toy_stmt *s = &program->stmts[i];
        stmts[i] = (struct stmt_info){
            .file = s->file, .line = s->line, .text = s->text, .text_length = s->length};
    }
    struct sink_header header = {.machine = "toy",
                                 .command = command,
                                 .clock_hz = config_real(config, TOY_PARAM_clock_hz, false),
                                 .stmts = stmts,
                                 .stmt_count = program->count,
                                 .units = units,
                                 .unit_count = TOY_UNITS,
                                 .reasons = reasons,
                                 .reason_count = TOY_REASONS,
                                 .counters = counters,
                                 .counter_count = TOY_COUNTERS,
                                 .attributes = attributes,
                                 .attribute_count = 1};
    const int status =
        machine_begin(sink, &header, config, program->sources, program->source_count);
    free(stmts);
    return status;
}

/* --- while it runs ---------------------------------------------------------------------------- */

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

/* --- at the end ------------------------------------------------------------------------------- */

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

int toy_report_finish(struct toy_model *m, bool complete, uint64_t documented,
                      const struct range *range)
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
                             .range = range,
                             .events = m->kernel.events,
                             .counters = values,
                             .counter_count = TOY_COUNTERS};
    s.stmt_totals = stmt_rows(m, &s.stmt_total_count);
    int status = s.stmt_totals ? m->account.status : -1;
    if (status == 0)
        status = summary_fill(&s, &m->account, &m->path);
    if (status == 0)
        status = m->sink->ops->finish(m->sink->context, &s);
    summary_free(&s);
    return status;
}
