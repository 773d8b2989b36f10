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

void toy_report_edge(struct toy_model *m, struct sink_edge edge)
{
    edge.dst = m->next;
    edge.released = edge.at;
    edge.times = 1;
    run_edge(&m->base, &edge);
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

int toy_settle(struct machine_model *model, struct sink_summary *s)
{
    const struct toy_model *m = (const struct toy_model *)model;
    (void)s;
    account_reason(&model->account, TOY_UNIT_SEQ, REASON_DRAINED, NONE_ID, m->order, model->finish);
    return 0;
}
