/* report: what a run gives its sink before it ends: the header, and transfers. */
#include "timing/mncore2/run.h"

#include <stdlib.h>

/* --- begin ------------------------------------------------------------------------------------ */

const struct reason_info mncore2_reasons[REASONS_MNCORE2] = {
#define REASON(id, name, state, limit, sentence) {name, sentence, STATE_##state, limit},
#include "timing/reason.def"
#define REASON(id, name, state, limit, sentence) {name, sentence, STATE_##state, limit},
#include "timing/mncore2/reason.def"
};

/* 1.4: m x n multiply-adds a cycle and MAU in the matrix mode, m in the vector mode, whose double
 * precision multiplies half of its elements. */
static const double peaks[COUNTERS_MNCORE2] = {
    [COUNTER_FLOPS_DOUBLE] = 2.0 * 2 * 4 * MABS,    [COUNTER_FLOPS_SINGLE] = 2.0 * 8 * 4 * MABS,
    [COUNTER_FLOPS_PSEUDO] = 2.0 * 8 * 8 * MABS,    [COUNTER_FLOPS_HALF] = 2.0 * 16 * 16 * MABS,
    [COUNTER_FLOPS_VECTOR_DOUBLE] = 2.0 * 2 * MABS, [COUNTER_FLOPS_VECTOR_SINGLE] = 2.0 * 8 * MABS,
    [COUNTER_FLOPS_VECTOR_HALF] = 2.0 * 16 * MABS};

const struct counter_info mncore2_counters[COUNTERS_MNCORE2] = {
#define COUNTER(id, name, index, unit, sentence) {name, index, unit, sentence, 0},
#include "timing/mncore2/counter.def"
};

enum { ATTRIBUTE_PRIORITY, ATTRIBUTE_LONG_WORDS, ATTRIBUTE_ALONE, ATTRIBUTES };
static const struct attribute_info attributes[ATTRIBUTES] = {
    [ATTRIBUTE_PRIORITY] = {"priority", "", "0 to 3, the higher goes first (3.5.7)"},
    [ATTRIBUTE_LONG_WORDS] = {"long_words", "long words", "as the statement's size counts"},
    [ATTRIBUTE_ALONE] = {"cycles_alone", "cycles",
                         "of its unit operations at the rate of the mode (3.5.8)"}};

static struct stmt_info *make_stmts(const struct program *program)
{
    struct stmt_info *stmts = malloc((program->item_count + 1) * sizeof *stmts);
    for (size_t i = 0; stmts && i < program->item_count; i++) {
        size_t length;
        const char *text = mncore2_program_text(program, i, &length);
        stmts[i] = (struct stmt_info){.file = mncore2_program_source(program, i),
                                      .line = program->items[i].line,
                                      .text = text,
                                      .text_length = length};
    }
    return stmts;
}

int mncore2_describe(const struct machine_run *shared, struct sink_header *header,
                     struct machine_lists *lists)
{
    const struct mncore2_run *run = shared->own;
    const struct program *program = run->program;
    for (unsigned c = 0; c < COUNTERS_MNCORE2; c++)
        lists->counters[c].peak = peaks[c];
    lists->sources = program->sources;
    lists->source_count = program->source_count;
    header->stmts = lists->stmts = make_stmts(program);
    header->stmt_count = program->item_count;
    header->units = run->model.units;
    header->unit_count = run->model.unit_count;
    header->attributes = attributes;
    header->attribute_count = ATTRIBUTES;
    return lists->stmts ? 0 : -1;
}

/* --- transfers -------------------------------------------------------------------------------- */

static enum edge_kind kind_of(const struct path_hold *hold)
{
    return hold->reason == REASON_MEMORY        ? EDGE_MEMORY
           : hold->unit >= MV_FIRST + PORT_LINK ? EDGE_LINK
                                                : EDGE_PORT;
}

/* An edge for the first wait, and one for the others: both ends in time are kept. */
static int send_hold(const struct mncore2_run *run, uint32_t item, const struct path_hold *hold)
{
    const struct sink *sink = run->sink;
    const enum edge_kind kind = kind_of(hold);
    struct sink_edge edge = {.src = hold->by == PATH_NONE ? NONE_ID
                                                          : path_at(run->path, hold->by)->stmt,
                             .dst = item,
                             .kind = kind,
                             .unit = hold->unit,
                             .rule = hold->reason == REASON_PRIORITY ? "3.5.7"
                                     : kind == EDGE_MEMORY           ? "1.5"
                                                                     : "3.5.8",
                             .released = hold->first,
                             .at = hold->first,
                             .waited = hold->first - hold->from,
                             .times = 1};
    if (sink->ops->edge(sink->context, &edge) != 0)
        return -1;
    edge.released = edge.at = hold->at;
    edge.waited = hold->waited - edge.waited;
    edge.times = hold->times - 1;
    return edge.times ? sink->ops->edge(sink->context, &edge) : 0;
}

/* What held the transfer longest, if that was longer than its own work; else what sets its pace. */
static uint32_t limited_by(const struct transfer *transfer, const struct path_hold *holds,
                           size_t count)
{
    const struct path_hold *worst = NULL;
    for (size_t i = 0; i < count; i++)
        if (!worst || holds[i].waited > worst->waited)
            worst = &holds[i];
    return worst && worst->waited > plan_cycles(transfer->plan) ? worst->unit
                                                                : transfer->plan->limit;
}

static int send_transfer(const struct mncore2_run *run, const struct transfer *transfer,
                         uint32_t limit)
{
    const struct mv *mv = transfer->mv;
    const uint64_t values[ATTRIBUTES] = {[ATTRIBUTE_PRIORITY] = mv->priority,
                                         [ATTRIBUTE_LONG_WORDS] = mv->size,
                                         [ATTRIBUTE_ALONE] = plan_cycles(transfer->plan)};
    char tag[8];
    snprintf(tag, sizeof tag, "i%02x", mv->tag);
    const struct sink_transfer row = {.stmt = transfer->item,
                                      .tag = mv->tag,
                                      .tag_name = mv->tag ? tag : NULL,
                                      .mode = mncore2_mv_title[mv->mode],
                                      .bytes = transfer->plan->bytes,
                                      .issued = transfer->issued,
                                      .started = transfer->started,
                                      .finished = transfer->finished,
                                      .waited = transfer->waited,
                                      .waited_by = transfer->waited_by,
                                      .limited_by = limit,
                                      .attributes = values};
    return run->sink->ops->transfer(run->sink->context, &row);
}

int mncore2_report_transfer(struct mncore2_run *run, struct transfer *transfer)
{
    enum { FEW = 16 };
    const struct sink_ops *ops = run->sink->ops;
    struct path_hold few[FEW], *holds = few;
    if (transfer->reported || (!ops->edge && !ops->transfer))
        return 0;
    transfer->reported = true;
    size_t count = path_holds(run->path, transfer->record, few, FEW);
    if (count > FEW) {
        holds = malloc(count * sizeof *holds);
        if (!holds)
            return -1;
        count = path_holds(run->path, transfer->record, holds, count);
    }
    int status = 0;
    for (size_t i = 0; ops->edge && status == 0 && i < count; i++)
        status = send_hold(run, transfer->item, &holds[i]);
    if (ops->transfer && status == 0)
        status = send_transfer(run, transfer, limited_by(transfer, holds, count));
    if (holds != few)
        free(holds);
    return status;
}
