/* report: what a run of the toy gives its sink. */
#include "timing/toy/model.h"

#include <stdlib.h>

/* --- lists of the header ---------------------------------------------------------------------- */

const struct reason_info toy_reasons[TOY_REASONS] = {
#define REASON(id, name, state, limit, sentence) {name, sentence, STATE_##state, limit},
#include "timing/reason.def"
#define REASON(id, name, state, limit, sentence) {name, sentence, STATE_##state, limit},
#include "timing/toy/reason.def"
};
static const struct unit_info units[TOY_UNITS] = {
#define UNIT(id, name, path, kind, width) {name, path, kind, 1, width, 0},
#include "timing/toy/unit.def"
};
const struct counter_info toy_counters[TOY_COUNTERS] = {
#define COUNTER(id, name, unit, sentence) {name, NULL, unit, sentence, 0},
#include "timing/toy/counter.def"
};
static const struct attribute_info attributes[] = {{"cells", "cells", "that it moves"}};

int toy_describe(const struct machine_run *run, struct sink_header *header,
                 struct machine_lists *lists)
{
    const struct toy_program *program = &run->program->program;
    lists->sources = program->sources;
    lists->source_count = program->source_count;
    lists->stmts = malloc((program->count + 1) * sizeof *lists->stmts);
    if (!lists->stmts)
        return -1;
    for (size_t i = 0; i < program->count; i++) {
        const struct toy_stmt *s = &program->stmts[i];
        lists->stmts[i] = (struct stmt_info){
            .file = s->file, .line = s->line, .text = s->text, .text_length = s->length};
    }
    header->stmts = lists->stmts;
    header->stmt_count = program->count;
    header->units = units;
    header->unit_count = TOY_UNITS;
    header->attributes = attributes;
    header->attribute_count = 1;
    return 0;
}

/* --- while it runs ---------------------------------------------------------------------------- */

void toy_report_cycles(struct toy_model *m, enum toy_unit unit, uint32_t reason, uint32_t stmt,
                       uint64_t from, uint64_t to)
{
    if (!m->base.sink || to <= from)
        return;
    m->cells[stmt].cycles[unit][reason] += to - from;
    if (reason == REASON_BUSY)
        account_busy(&m->base.account, unit, stmt, from, to - from);
    else
        account_reason(&m->base.account, unit, reason, stmt, from, to);
}

void toy_report_edge(struct toy_model *m, struct sink_edge edge)
{
    edge.dst = m->next;
    edge.released = edge.at;
    edge.times = 1;
    if (m->base.sink->ops->edge && m->base.status == 0)
        m->base.status = m->base.sink->ops->edge(m->base.sink->context, &edge);
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
                                           .finished = m->base.kernel.now,
                                           .waited = waited,
                                           .waited_by = waited ? m->next : NONE_ID,
                                           .limited_by = TOY_UNIT_MEM,
                                           .attributes = &cells};
    if (m->base.sink && m->base.sink->ops->transfer && m->base.status == 0)
        m->base.status = m->base.sink->ops->transfer(m->base.sink->context, &transfer);
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

int toy_settle(struct machine_model *model, struct sink_summary *s)
{
    struct toy_model *m = (struct toy_model *)model;
    account_reason(&model->account, TOY_UNIT_SEQ, REASON_DRAINED, NONE_ID, m->order, model->finish);
    s->stmt_totals = stmt_rows(m, &s->stmt_total_count);
    return s->stmt_totals ? 0 : -1;
}
