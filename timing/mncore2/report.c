/* report: what a run tells its sink: the header, and at the end totals, transfers and lower bounds, with
 * the critical path (path.c) and slack (slack.c). */
#include "timing/mncore2/costs.h"
#include "timing/mncore2/run.h"

#include <stdlib.h>
#include <string.h>

/* --- begin ------------------------------------------------------------------------------------------- */

static struct param_info *make_params(const struct config *config)
{
    struct param_info *params = calloc(config->count + 1, sizeof *params);
    for (size_t i = 0; params && i < config->count; i++) {
        const struct param *param = &config->params[i];
        const bool text = param->row->type == PARAM_TEXT;
        params[i] = (struct param_info){.name = param->row->name,
                                        .text = text ? param->text : NULL,
                                        .unit = text ? "" : param->unit,
                                        .provenance = provenance_name[param->provenance],
                                        .source = param->source,
                                        .value = param->value,
                                        .low = param->low,
                                        .high = param->high,
                                        .documented = param->documented};
    }
    return params;
}

static void tell_stmt(const void *self, uint32_t id, struct stmt_info *info)
{
    const struct program *program = self;
    size_t length;
    const char *text = program_text(program, id, &length);
    *info = (struct stmt_info){.file = program_source(program, id),
                               .line = program->items[id].line,
                               .text = text,
                               .text_length = length};
}

static void tell_place(const void *self, uint32_t id, uint32_t *file, uint32_t *line)
{
    const struct program *program = self;
    *file = program_source(program, id);
    *line = program->items[id].line;
}

/* Statements are interned by their text with what stands before it in the line, and by their mask. */
static void tell_lines(const void *self, size_t first, size_t count, struct stmt_line *lines)
{
    const struct program *program = self;
    uint32_t file = program_source(program, first);
    for (size_t i = first; i < first + count; i++) {
        while (i >= program->source_first[file + 1])
            file++;
        lines[i - first] =
            (struct stmt_line){program->items[i].offset, file, program->items[i].stmt,
                               program->items[i].line};
    }
}

static bool tell_moves(const void *self, uint32_t id)
{
    const struct program *program = self;
    const struct stmt *stmt = &program->stmts[program->items[id].stmt];
    return stmt->kind == STMT_MV || (stmt->kind == STMT_STEP && stmt->step->wait);
}

static uint64_t program_hash(const void *self, const uint64_t *files)
{
    const struct program *program = self;
    uint64_t hash = 0;
    for (size_t f = 0; f < program->source_count; f++)
        hash = hash * 0x100000001b3u ^ (files ? files[f] : source_hash(&program->sources[f]));
    return hash;
}

static struct stmt_info *make_stmts(const struct program *program)
{
    struct stmt_info *stmts = malloc((program->item_count + 1) * sizeof *stmts);
    for (size_t i = 0; stmts && i < program->item_count; i++)
        tell_stmt(program, (uint32_t)i, &stmts[i]);
    return stmts;
}

int report_header(struct report_header *header, const struct program *program,
                  const struct config *config, const struct model *model, const char *command)
{
    *header = (struct report_header){.params = make_params(config)};
    header->files = calloc(program->source_count + 1, sizeof *header->files);
    if (!header->params || !header->files)
        return -1;
    for (size_t f = 0; f < program->source_count; f++) {
        const struct source *source = &program->sources[f];
        header->files[f] = (struct file_info){source->name, source->text, source->size};
    }
    header->told = (struct sink_header){
        .machine = "mncore2",
        .program = program->source_count ? program->sources[0].name : "",
        .command = command ? command : "",
        .machine_hash = config_hash(config),
        .clock_hz = model->clock_hz,
        /* 1.4: m x n multiply-adds a cycle and MAU in each precision. */
        .peak_flops = {2.0 * 2 * 4 * MABS, 2.0 * 8 * 4 * MABS, 2.0 * 8 * 8 * MABS,
                       2.0 * 16 * 16 * MABS},
        .units = model->units,
        .unit_count = model->unit_count,
        .stream_units = MV_FIRST,
        .params = header->params,
        .param_count = config->count,
        .asked = program,
        .program_hash = program_hash,
        .stmt = tell_stmt,
        .place = tell_place,
        .lines = tell_lines,
        .moves = tell_moves,
        .stmt_count = program->item_count,
        .kind_count = program->stmt_count,
        .files = header->files,
        .file_count = program->source_count,
    };
    return 0;
}

void report_header_free(struct report_header *header)
{
    free(header->params);
    free(header->files);
}

/* Of transfers that hold each other. */
static const char rule_priority[] = "3.5.7", rule_port[] = "3.5.8", rule_memory[] = "1.5";
enum { AHEAD = 1024 }; /* transfers told at once, while the run goes on */

int report_begin(struct machine_run *run)
{
    run->tell_at = UINT32_MAX;
    const struct program *program = run->program;
    if (!run->sink->ops->begin)
        return 0;
    const char *texts[MV_COUNT + 4] = {rule_priority, rule_port, rule_memory};
    memcpy(texts + 3, mv_title, sizeof mv_title);
    struct report_header header;
    int status = report_header(&header, program, run->config, &run->model, run->options.command);
    if (status == 0 && !run->sink->ops->asks_stmts) {
        run->stmts = make_stmts(program);
        status = run->stmts ? 0 : -1;
    }
    if (status == 0) {
        header.told.stmts = run->stmts;
        header.told.transfer_count = run->lanes[0].mv.capacity;
        header.told.texts = texts;
        run->tell_at = run->sink->ops->transfers_ahead ? AHEAD : UINT32_MAX;
        status = run->sink->ops->begin(run->sink->self, &header.told);
    }
    report_header_free(&header);
    return status;
}

/* --- transfers, some of them ahead ------------------------------------------------------------------- */

/* What held the transfer back longest, if that was longer than its own work; else its own pace. */
static uint32_t limited_by(const struct mv_engine *mv, const struct transfer *transfer)
{
    const struct mv_cause *worst = NULL, *cause;
    uint64_t next = 0;
    while ((cause = mv_next_cause(mv, transfer, &next)))
        if (!worst || cause->waited > worst->waited ||
            (cause->waited == worst->waited && cause->first < worst->first))
            worst = cause;
    return worst && worst->waited > transfer->plan.ops * transfer->plan.pace
               ? worst->unit
               : transfer->plan.limit;
}

/* An edge for the first wait, and one for the others: both ends in time are kept. */
static int tell_cause(const struct mv_engine *mv, const struct sink *sink,
                      const struct transfer *transfer, const struct mv_cause *cause)
{
    const enum edge_kind kind = cause->reason == REASON_MEMORY            ? EDGE_MEMORY
                                : cause->unit >= MV_FIRST + PORT_LINK ? EDGE_LINK
                                                                          : EDGE_PORT;
    struct sink_edge edge = {
        cause->by == MV_NONE ? NONE_ID : mv->transfers[cause->by].item,
        transfer->item,
        kind,
        cause->unit,
        cause->reason == REASON_PRIORITY ? rule_priority
        : kind == EDGE_MEMORY            ? rule_memory
                                         : rule_port,
        cause->first,
        cause->first,
        cause->first - cause->from,
        1};
    if (sink->ops->edge(sink->self, &edge) != 0)
        return -1;
    edge.released = edge.at = cause->at;
    edge.waited = cause->waited - edge.waited;
    edge.times = cause->times - 1;
    return edge.times ? sink->ops->edge(sink->self, &edge) : 0;
}

static int by_first(const void *a, const void *b)
{
    const struct mv_cause *x = a, *y = b;
    return (x->first > y->first) - (x->first < y->first);
}

/* In the order in which they began to bind. */
static int tell_causes(const struct mv_engine *mv, const struct sink *sink,
                       const struct transfer *transfer)
{
    if (!sink->ops->edge)
        return 0;
    for (unsigned i = 0; i < MV_CAUSES && transfer->causes[i].waited; i++)
        if (tell_cause(mv, sink, transfer, &transfer->causes[i]) != 0)
            return -1;
    size_t count = 0;
    for (uint32_t m = transfer->more; m != MV_NONE; m = mv->more[m].next)
        count++;
    if (!count)
        return 0;
    struct mv_cause *causes = malloc(count * sizeof *causes);
    if (!causes)
        return -1;
    size_t i = 0;
    for (uint32_t m = transfer->more; m != MV_NONE; m = mv->more[m].next)
        causes[i++] = mv->more[m].cause;
    qsort(causes, count, sizeof *causes, by_first); /* no two begin to bind in the same cycle */
    int status = 0;
    for (i = 0; i < count && status == 0; i++)
        status = tell_cause(mv, sink, transfer, &causes[i]);
    free(causes);
    return status;
}

/* Some neighbouring transfers. */
struct tale {
    const struct mv_engine *mv;
    uint32_t from, to;
    struct tale *before;
};

/* A sink_tale. */
static int tell_transfers(const void *asked, const struct sink *sink)
{
    const struct tale *tale = asked;
    const struct mv_engine *mv = tale->mv;
    for (uint32_t t = tale->from; t < tale->to; t++) {
        const struct transfer *transfer = &mv->transfers[t];
        if (transfer->state != MV_DONE)
            continue; /* the run was stopped before its end */
        if (tell_causes(mv, sink, transfer) != 0)
            return -1;
        const struct sink_transfer row = {.stmt = transfer->item,
                                          .tag = transfer->tag,
                                          .priority = transfer->priority,
                                          .mode = mv_title[transfer->mode],
                                          .long_words = transfer->long_words,
                                          .bytes = transfer->plan.bytes,
                                          .issued = transfer->issued,
                                          .started = transfer->started,
                                          .finished = transfer->finished,
                                          .waited = transfer->waited,
                                          .waited_by = transfer->waited_by,
                                          .limited_by = limited_by(mv, transfer)};
        if (sink->ops->transfer && sink->ops->transfer(sink->self, &row) != 0)
            return -1;
    }
    return 0;
}

static struct tale *next_tale(struct machine_run *run, uint32_t to)
{
    struct tale *tale = malloc(sizeof *tale);
    if (tale) {
        *tale = (struct tale){&run->lanes[0].mv, run->told, to, run->tales};
        run->tales = tale;
        run->told = to;
    }
    return tale;
}

int report_ahead(struct machine_run *run)
{
    struct mv_engine *mv = &run->lanes[0].mv;
    const uint32_t settled = mv_settled(mv, run->told);
    run->tell_at = mv->count < UINT32_MAX - AHEAD ? mv->count + AHEAD : UINT32_MAX;
    if (settled == run->told)
        return 0;
    const struct tale *tale = next_tale(run, settled);
    return tale ? run->sink->ops->transfers_ahead(run->sink->self, tell_transfers, tale) : -1;
}

/* The others. */
static int report_transfers(struct machine_run *run)
{
    const struct sink *sink = run->sink;
    const struct tale *tale = next_tale(run, run->lanes[0].mv.count);
    return !tale                   ? -1
           : sink->ops->transfers ? sink->ops->transfers(sink->self, tell_transfers, tale)
                                  : tell_transfers(tale, sink);
}

void report_free(struct machine_run *run)
{
    if (run->tales && !run->finished)
        run->sink->ops->transfers(run->sink->self, NULL, NULL); /* it had the first ones */
    while (run->tales) {
        struct tale *tale = run->tales;
        run->tales = tale->before;
        free(tale);
    }
}

/* --- totals -------------------------------------------------------------------------------------------- */

struct tables {
    struct sink_unit_total *units;
    size_t unit_count;
    struct costs costs;
    struct sink_window *windows;
    size_t window_count;
    struct sink_crit *crit;
    size_t crit_count;
    struct sink_slack *slack;
    size_t slack_count;
    struct sink_bound bounds[3];
    size_t bound_count;
};

static const enum reason stream_reasons[] = {REASON_DATA,    REASON_PORT, REASON_TAG,    REASON_EMPTY,
                                             REASON_PACKING, REASON_NOP,  REASON_DRAINED};
enum { STREAM_REASONS = sizeof stream_reasons / sizeof *stream_reasons };

/* On the PE side the stream's reason holds for every unit in the cycles in which it does nothing. */
static void stream_side(struct machine_run *run, uint64_t total)
{
    for (uint32_t u = 0; u < MV_FIRST; u++) {
        const uint64_t busy = account_total(&run->account, u);
        uint64_t told = busy;
        for (unsigned i = 0; i < STREAM_REASONS; i++) {
            const enum reason reason = stream_reasons[i];
            if (u != UNIT_ISSUE) {
                run->account.cycles[u][reason] =
                    run->account.cycles[UNIT_ISSUE][reason] - run->landed[u][reason];
                run->account.events[u][reason] =
                    run->account.cycles[u][reason] ? run->account.events[UNIT_ISSUE][reason] : 0;
            }
            told += run->account.cycles[u][reason];
        }
        run->account.cycles[u][REASON_BUSY] = busy;
        run->account.cycles[u][REASON_IDLE] = total - told;
    }
    for (size_t s = 0; s < run->program->stmt_count; s++) {
        const struct stmt_class *class = &run->classes[s];
        for (unsigned i = 0; i < class->usage_count; i++)
            run->account.events[run->usages[class->usage + i].unit][REASON_BUSY] += class->execs;
    }
}

static void mv_side(struct machine_run *run, uint64_t total)
{
    for (uint32_t u = MV_FIRST; u < run->model.unit_count; u++) {
        uint64_t told = account_total(&run->account, u);
        run->account.cycles[u][REASON_BUSY] = told;
        for (unsigned r = 0; r < REASON_COUNT; r++)
            if (r != REASON_BUSY)
                told += run->account.cycles[u][r];
        run->account.cycles[u][REASON_IDLE] = total - told;
    }
}

static int unit_totals(struct machine_run *run, struct tables *tables)
{
    tables->units = malloc(run->model.unit_count * REASON_COUNT * sizeof *tables->units);
    if (!tables->units)
        return -1;
    for (uint32_t u = 0; u < run->model.unit_count; u++)
        for (unsigned r = 0; r < REASON_COUNT; r++)
            if (run->account.cycles[u][r])
                tables->units[tables->unit_count++] =
                    (struct sink_unit_total){u, 0, (enum reason)r, run->account.cycles[u][r],
                                             run->account.events[u][r]};
    return 0;
}

static int make_windows(struct machine_run *run, struct tables *tables)
{
    const size_t units = run->model.unit_count;
    size_t used = 0;
    for (size_t i = 0; i < ACCOUNT_WINDOWS * units; i++)
        used += run->account.windows[i] != 0;
    tables->windows = malloc((used + 1) * sizeof *tables->windows);
    if (!tables->windows)
        return -1;
    for (uint32_t u = 0; u < units; u++)
        for (uint64_t w = 0; w < ACCOUNT_WINDOWS; w++)
            if (run->account.windows[w * units + u])
                tables->windows[tables->window_count++] =
                    (struct sink_window){u, w, run->account.windows[w * units + u]};
    return 0;
}

/* --- lower bounds -------------------------------------------------------------------------------------- */

static void make_bounds(struct machine_run *run, struct tables *tables)
{
    const uint64_t slots = run->statements + run->nops_written + run->nops_packing;
    const uint64_t issue = slots * CYCLES + run->slot_cycles;
    tables->bounds[tables->bound_count++] =
        (struct sink_bound){"issue", UNIT_ISSUE, issue,
                            "every step of the stream, written and packing nops included, takes 4 "
                            "cycles of the issue unit"};
    uint32_t busiest = UNIT_ISSUE + 1;
    for (uint32_t u = UNIT_ISSUE + 1; u < run->model.unit_count; u++)
        if (run->account.cycles[u][REASON_BUSY] > run->account.cycles[busiest][REASON_BUSY])
            busiest = u;
    tables->bounds[tables->bound_count++] =
        (struct sink_bound){"unit", busiest, run->account.cycles[busiest][REASON_BUSY],
                            "the busiest unit's own work, one operation at a time"};
    const uint64_t stream = run->lanes[0].now - run->lag;
    tables->bounds[tables->bound_count++] =
        (struct sink_bound){"path", NONE_ID, stream > run->path_last ? stream : run->path_last,
                            "the stream in order, each transfer as fast as alone, each wait for its "
                            "transfers"};
}

/* --- end ------------------------------------------------------------------------------------------------- */

static uint64_t latest(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Writes of the last steps that land after the end are not counted. */
static void cut_drain(struct machine_run *run, uint64_t total)
{
    const uint64_t latency = run->lanes[0].numbers->write_latency;
    const uint64_t oldest = run->recent_count > RECENT ? run->recent_count - RECENT : 0;
    for (uint64_t r = oldest; r < run->recent_count; r++) {
        const struct recent *recent = &run->recent[r % RECENT];
        const struct stmt_class *class = &run->classes[recent->class];
        for (unsigned u = 0; u < class->usage_count; u++) {
            const struct usage *usage = &run->usages[class->usage + u];
            for (unsigned i = 0; usage->lands && i < CYCLES; i++)
                if ((usage->mask >> i & 1) && recent->at + latency + i >= total)
                    account_remove(&run->account, usage->unit, recent->at + latency + i, 1);
        }
    }
    occupy_flush(run, UINT64_MAX, total);
}

static int fill(struct machine_run *run, struct tables *tables, struct sink_summary *summary)
{
    const uint64_t total = summary->cycles;
    stream_side(run, total);
    mv_side(run, total);
    if (unit_totals(run, tables) != 0 || costs_find(run, total, &tables->costs, summary->flops) != 0 ||
        make_windows(run, tables) != 0)
        return -1;
    if (!run->sink->ops->whole_only &&
        (path_find(run, total, &tables->crit, &tables->crit_count) != 0 ||
         (summary->complete && slack_find(run, total, &tables->slack, &tables->slack_count) != 0)))
        return -1;
    make_bounds(run, tables);
    summary->window = 1ull << run->account.shift;
    summary->unit_totals = tables->units;
    summary->unit_total_count = tables->unit_count;
    summary->stmt_totals = tables->costs.stmts.rows;
    summary->stmt_total_count = tables->costs.stmts.count;
    summary->costs = tables->costs.lines.rows;
    summary->shared = tables->costs.shared;
    summary->shared_count = tables->costs.shared_count;
    summary->cost_ranges = tables->costs.ranges;
    summary->cost_range_count = tables->costs.range_count;
    summary->crit = tables->crit;
    summary->crit_count = tables->crit_count;
    summary->slack = tables->slack;
    summary->slack_count = tables->slack_count;
    summary->bounds = tables->bounds;
    summary->bound_count = summary->complete ? tables->bound_count : 0;
    summary->windows = tables->windows;
    summary->window_count = tables->window_count;
    return 0;
}

static void count_steps(const struct machine_run *run, struct sink_summary *summary)
{
    const uint64_t written = run->nops_written - run->nops_left;
    summary->steps = run->statements + written + run->nops_packing + run->nops_wait +
                     run->nops_empty + run->stalled + run->slot_cycles / CYCLES;
    summary->pe_statements = run->statements + written;
    summary->mv_statements = run->mv_statements;
    summary->nops_written = written;
    summary->nops_packing = run->nops_packing + run->slot_cycles / CYCLES;
    summary->nops_wait = run->nops_wait;
    summary->nops_empty = run->nops_empty;
    memcpy(summary->nops_tag, run->nops_tag, sizeof summary->nops_tag);
}

int report_finish(struct machine_run *run, bool complete)
{
    run->finished = true;
    struct sink_summary summary = {.complete = complete};
    struct tables tables = {0};
    int status = 0;
    if (!run->options.functional_only) {
        struct lane *lane = &run->lanes[0];
        const uint64_t held = complete ? 0 : mv_settle(&lane->mv, lane->now);
        summary.cycles = latest(latest(lane->now, lane->mv.finished_last), held);
        if (complete)
            summary.cycles_documented =
                run->lane_count > 1 ? latest(run->lanes[1].now, run->lanes[1].mv.finished_last)
                                    : summary.cycles;
        if (complete && summary.cycles > summary.cycles_documented)
            summary.cycles_assumed = summary.cycles - summary.cycles_documented;
        if (summary.cycles > lane->now)
            occupy_idle(run, REASON_DRAINED, NONE_ID, lane->now, summary.cycles);
        dram_finish(&lane->mv.dram, summary.cycles);
        cut_drain(run, summary.cycles);
        count_steps(run, &summary);
        /* A sink that works aside has something to do while the summary is made. */
        const struct sink *sink = run->sink;
        status = run->account.status;
        if (status == 0)
            status = nops_tell(&run->nops, sink);
        if (status == 0)
            status = report_transfers(run);
        if (status == 0)
            status = fill(run, &tables, &summary);
        if (status != 0 && sink->ops->transfers)
            sink->ops->transfers(sink->self, NULL, NULL);
    }
    if (status == 0 && run->sink->ops->finish)
        status = run->sink->ops->finish(run->sink->self, &summary);
    free(tables.units);
    costs_free(&tables.costs);
    free(tables.windows);
    free(tables.crit);
    free(tables.slack);
    return status;
}
