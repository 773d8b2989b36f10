/* report: output of a run to its sink. */
#include <stdlib.h>

#include "timing/kelvin/model.h"

/* --- lists for the header --------------------------------------------------------------------- */

const struct reason_info kelvin_reasons[KELVIN_REASONS] = {
#define REASON(id, name, state, limit, sentence) {name, sentence, STATE_##state, limit},
#include "timing/reason.def"
#define REASON(id, name, state, limit, sentence) {name, sentence, STATE_##state, limit},
#include "timing/kelvin/reason.def"
};
static const struct unit_info units[KELVIN_UNITS] = {
#define UNIT(id, name, path, kind, width, sentence) {name, path, kind, 1, width, 0},
#include "timing/kelvin/unit.def"
};
const struct counter_info kelvin_counters[KELVIN_COUNTERS] = {
#define COUNTER(id, name, unit, peak, sentence) {name, NULL, unit, sentence, peak},
#include "timing/kelvin/counter.def"
};

int kelvin_describe(const struct machine_run *run, struct sink_header *header,
                    struct machine_lists *lists)
{
    const struct kelvin_program *program = &run->program->program;
    const struct riscv_image *image = &program->image;
    struct stmt_info *stmts = lists->stmts = calloc(image->stmt_count + 1, sizeof *stmts);
    struct file_info *files = lists->files = calloc(image->file_count + 1, sizeof *files);
    if (!stmts || !files)
        return -1;
    for (size_t i = 0; i < image->stmt_count; i++) {
        const struct riscv_stmt *s = &image->stmts[i];
        stmts[i] = (struct stmt_info){.file = s->file,
                                      .line = s->line,
                                      .region = program->region_of ? program->region_of[i] : 0,
                                      .text = s->text,
                                      .text_length = s->length};
    }
    for (size_t i = 0; i < image->file_count; i++)
        files[i] =
            (struct file_info){image->files[i].name, image->files[i].text, image->files[i].size};
    lists->sources = program->sources;
    lists->source_count = program->source_count;
    header->files = files;
    header->file_count = image->file_count;
    header->stmts = stmts;
    header->stmt_count = image->stmt_count;
    header->regions = program->regions;
    header->region_count = program->region_count;
    header->units = units;
    header->unit_count = KELVIN_UNITS;
    return 0;
}

/* --- while it runs ---------------------------------------------------------------------------- */

void kelvin_count_event(struct kelvin_model *m, enum kelvin_unit unit, uint32_t stmt)
{
    struct sink_stmt_total *row = run_row(&m->base, unit, REASON_BUSY, stmt);
    if (row)
        row->execs++;
}

static enum edge_kind edge_of(uint32_t reason)
{
    return reason == REASON_PORT            ? EDGE_PORT
           : reason == REASON_QUEUE         ? EDGE_QUEUE
           : reason == REASON_MEMORY        ? EDGE_MEMORY
           : reason == KELVIN_REASON_FETCH  ? EDGE_SUPPLY
           : reason == KELVIN_REASON_BRANCH ? EDGE_ORDER
                                            : EDGE_DATA;
}

void kelvin_report_wait(struct kelvin_model *m, const struct kelvin_hold *cause, uint32_t dst,
                        uint64_t from)
{
    const struct sink_edge edge = {.src = cause->by.statement == UINT32_MAX ? NONE_ID
                                                                            : cause->by.statement,
                                   .dst = dst,
                                   .kind = edge_of(cause->reason),
                                   .unit = cause->unit,
                                   .rule = cause->rule ? cause->rule : "",
                                   .released = cause->at,
                                   .at = cause->at,
                                   .waited = cause->at > from ? cause->at - from : 0,
                                   .times = 1};
    if (edge.waited)
        run_edge(&m->base, &edge);
}

/* --- at the end ------------------------------------------------------------------------------- */

int kelvin_settle(struct machine_model *model, struct sink_summary *s)
{
    const struct kelvin_model *m = (const struct kelvin_model *)model;
    (void)s;
    account_reason(&model->account, KELVIN_UNIT_CORE, REASON_DRAINED, NONE_ID, m->settled,
                   model->finish);
    return 0;
}
