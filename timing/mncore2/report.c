/* report: what a run tells its sink: the header, and at the end totals, transfers and lower bounds, with
 * the critical path (path.c) and slack (slack.c). */
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

static uint64_t program_hash(const void *self)
{
    const struct program *program = self;
    uint64_t hash = 0;
    for (size_t f = 0; f < program->source_count; f++)
        hash = hash * 0x100000001b3u ^ source_hash(&program->sources[f]);
    return hash;
}

static struct stmt_info *make_stmts(const struct program *program)
{
    struct stmt_info *stmts = malloc((program->item_count + 1) * sizeof *stmts);
    for (size_t i = 0; stmts && i < program->item_count; i++)
        tell_stmt(program, (uint32_t)i, &stmts[i]);
    return stmts;
}

void report_listing(const struct program *program, struct sink_header *header)
{
    header->asked = program;
    header->program_hash = program_hash;
    header->stmt = tell_stmt;
    header->place = tell_place;
    header->lines = tell_lines;
    header->stmt_count = program->item_count;
    header->kind_count = program->stmt_count;
}

int report_begin(struct machine_run *run)
{
    const struct program *program = run->program;
    if (!run->sink->ops->begin)
        return 0;
    struct param_info *params = make_params(run->config);
    struct file_info *files = calloc(program->source_count + 1, sizeof *files);
    const bool asks = run->sink->ops->asks_stmts;
    run->stmts = asks ? NULL : make_stmts(program);
    int status = -1;
    if (params && files && (asks || run->stmts)) {
        for (size_t f = 0; f < program->source_count; f++) {
            const struct source *source = &program->sources[f];
            files[f] = (struct file_info){source->name, source->text, source->size};
        }
        struct sink_header header = {
            .machine = "mncore2",
            .program = program->source_count ? program->sources[0].name : "",
            .command = run->options.command ? run->options.command : "",
            .machine_hash = config_hash(run->config),
            .clock_hz = run->model.clock_hz,
            /* 1.4: m x n multiply-adds a cycle and MAU in each precision. */
            .peak_flops = {2.0 * 2 * 4 * MABS, 2.0 * 8 * 4 * MABS, 2.0 * 8 * 8 * MABS,
                           2.0 * 16 * 16 * MABS},
            .units = run->model.units,
            .unit_count = run->model.unit_count,
            .stream_units = MV_FIRST,
            .params = params,
            .param_count = run->config->count,
            .stmts = run->stmts,
            .files = files,
            .file_count = program->source_count,
        };
        report_listing(program, &header);
        status = run->sink->ops->begin(run->sink->self, &header);
    }
    free(params);
    free(files);
    return status;
}

/* --- transfers ----------------------------------------------------------------------------------------- */

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
static int tell_cause(const struct machine_run *run, const struct transfer *transfer,
                      const struct mv_cause *cause)
{
    const struct sink *sink = run->sink;
    const enum edge_kind kind = cause->reason == REASON_MEMORY            ? EDGE_MEMORY
                                : cause->unit >= MV_FIRST + PORT_LINK ? EDGE_LINK
                                                                          : EDGE_PORT;
    struct sink_edge edge = {
        cause->by == MV_NONE ? NONE_ID : run->lanes[0].mv.transfers[cause->by].item,
        transfer->item,
        kind,
        cause->unit,
        cause->reason == REASON_PRIORITY ? "3.5.7" : kind == EDGE_MEMORY ? "1.5" : "3.5.8",
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
static int tell_causes(const struct machine_run *run, const struct transfer *transfer)
{
    const struct mv_engine *mv = &run->lanes[0].mv;
    if (!run->sink->ops->edge)
        return 0;
    for (unsigned i = 0; i < MV_CAUSES && transfer->causes[i].waited; i++)
        if (tell_cause(run, transfer, &transfer->causes[i]) != 0)
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
        status = tell_cause(run, transfer, &causes[i]);
    free(causes);
    return status;
}

static int tell_transfers(const struct machine_run *run)
{
    const struct mv_engine *mv = &run->lanes[0].mv;
    const struct sink *sink = run->sink;
    for (uint32_t t = 0; t < mv->count; t++) {
        const struct transfer *transfer = &mv->transfers[t];
        if (transfer->state != MV_DONE)
            continue; /* the run was stopped before its end */
        if (tell_causes(run, transfer) != 0)
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

/* --- totals -------------------------------------------------------------------------------------------- */

struct tables {
    struct sink_unit_total *units;
    size_t unit_count;
    struct sink_stmt_total *stmts;
    size_t stmt_count, stmt_capacity;
    struct sink_stmt_total *costs; /* lines that statements share ... */
    size_t cost_count, cost_capacity;
    struct sink_cost *shared;      /* ... each a cost of an own shape ... */
    struct cost_key *keys;         /* ... found by what makes them alike */
    size_t shared_count, shared_capacity;
    struct sink_stmt_cost *stmt_costs;
    size_t stmt_cost_count;
    uint8_t *own;                  /* by item, as bits: it shares its cost with nobody */
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

static int add_total(struct sink_stmt_total **rows, size_t *count, size_t *capacity,
                     const struct sink_stmt_total *row)
{
    if (*count == *capacity) {
        const size_t larger = *capacity ? 2 * *capacity : 256;
        struct sink_stmt_total *grown = realloc(*rows, larger * sizeof *grown);
        if (!grown)
            return -1;
        *rows = grown;
        *capacity = larger;
    }
    (*rows)[(*count)++] = *row;
    return 0;
}

static int add_stmt_total(struct tables *tables, const struct sink_stmt_total *row)
{
    return add_total(&tables->stmts, &tables->stmt_count, &tables->stmt_capacity, row);
}

/* Cycles of a class's writes that would land after the end. */
static uint64_t cut_off(const struct machine_run *run, uint32_t class, const struct usage *usage,
                        uint64_t total)
{
    const uint64_t latency = run->lanes[0].numbers->write_latency;
    const uint64_t oldest = run->recent_count > RECENT ? run->recent_count - RECENT : 0;
    uint64_t cut = 0;
    for (uint64_t r = oldest; usage->lands && r < run->recent_count; r++) {
        const struct recent *recent = &run->recent[r % RECENT];
        for (unsigned i = 0; recent->class == class && i < CYCLES; i++)
            cut += (usage->mask >> i & 1) && recent->at + latency + i >= total;
    }
    return cut;
}

/* Nops of this class that a stopped run had still to send. */
static uint64_t unsent(const struct machine_run *run, uint32_t s)
{
    return run->nops_left && run->program->items[run->next_item].stmt == s ? run->nops_left : 0;
}

enum { CLASS_LINES = 64 };

/* The lines of a class, under its first item. Returns how many. */
static size_t class_lines(const struct machine_run *run, uint32_t s, uint64_t total,
                          struct sink_stmt_total lines[CLASS_LINES])
{
    const struct stmt_class *class = &run->classes[s];
    size_t count = 0;
    if (class->nops)
        lines[count++] = (struct sink_stmt_total){
            .stmt = class->first_item,
            .unit = UNIT_ISSUE,
            .reason = REASON_NOP,
            .cycles = (class->execs * class->nops - unsent(run, s)) * CYCLES,
            .execs = class->execs};
    const size_t nops = count;
    for (unsigned i = 0; i < class->usage_count; i++) {
        const struct usage *usage = &run->usages[class->usage + i];
        const uint64_t cycles = class->execs * usage->cycles - cut_off(run, s, usage, total);
        /* Read and write of a single-port memory are one line. */
        size_t same = nops;
        while (same < count && lines[same].unit != usage->unit)
            same++;
        if (same < count)
            lines[same].cycles += cycles;
        else if (count < CLASS_LINES)
            lines[count++] = (struct sink_stmt_total){
                .stmt = class->first_item,
                .unit = usage->unit,
                .reason = REASON_BUSY,
                .cycles = cycles,
                .execs = class->execs,
                .ops = usage->unit == UNIT_MAU ? class->flops * class->execs : 0};
    }
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (lines[i].cycles)
            lines[kept++] = lines[i];
    return kept;
}

/* Classes with the same of these have the same lines, if nothing of theirs was cut off. */
struct cost_key {
    uint64_t execs;
    uint32_t usage, usage_count, nops, flops;
    uint32_t cost; /* index + 1; 0 = the slot is empty */
};

static struct cost_key *find_key(struct cost_key *slots, size_t count, const struct cost_key *key)
{
    const uint64_t factor = 0x9e3779b97f4a7c15u;
    uint64_t hash = (key->execs ^ (uint64_t)key->usage << 32) * factor;
    hash = (hash ^ hash >> 32 ^ key->nops ^ (uint64_t)key->flops << 32) * factor;
    struct cost_key *slot = &slots[(hash >> 32) & (count - 1)];
    while (slot->cost &&
           (slot->execs != key->execs || slot->usage != key->usage || slot->nops != key->nops ||
            slot->usage_count != key->usage_count || slot->flops != key->flops))
        slot = slot == slots + count - 1 ? slots : slot + 1;
    return slot;
}

/* Room for one more cost; the table of keys stays half empty. */
static int grow_costs(struct tables *tables)
{
    if (tables->shared_count < tables->shared_capacity)
        return 0;
    const size_t capacity = tables->shared_capacity ? 2 * tables->shared_capacity : 64;
    struct sink_cost *shared = realloc(tables->shared, capacity * sizeof *shared);
    if (!shared)
        return -1;
    tables->shared = shared;
    struct cost_key *keys = calloc(2 * capacity, sizeof *keys);
    if (!keys)
        return -1;
    for (size_t i = 0; i < 2 * tables->shared_capacity; i++)
        if (tables->keys[i].cost)
            *find_key(keys, 2 * capacity, &tables->keys[i]) = tables->keys[i];
    free(tables->keys);
    tables->keys = keys;
    tables->shared_capacity = capacity;
    return 0;
}

/* Index of the cost of such classes, made of this one's lines if it is the first. */
static int share_cost(const struct machine_run *run, struct tables *tables, uint32_t s,
                      uint64_t total, uint32_t *cost)
{
    const struct stmt_class *class = &run->classes[s];
    struct cost_key key = {.execs = class->execs,
                           .usage = class->usage,
                           .usage_count = class->usage_count,
                           .nops = class->nops,
                           .flops = class->flops};
    if (grow_costs(tables) != 0)
        return -1;
    struct cost_key *slot = find_key(tables->keys, 2 * tables->shared_capacity, &key);
    if (!slot->cost) {
        struct sink_stmt_total lines[CLASS_LINES];
        const size_t count = class_lines(run, s, total, lines);
        tables->shared[tables->shared_count] = (struct sink_cost){tables->cost_count, count};
        key.cost = (uint32_t)++tables->shared_count;
        *slot = key;
        for (size_t i = 0; i < count; i++)
            if (add_total(&tables->costs, &tables->cost_count, &tables->cost_capacity,
                          &lines[i]) != 0)
                return -1;
    }
    *cost = slot->cost - 1;
    return 0;
}

static void set_own(struct tables *tables, uint32_t item)
{
    tables->own[item / 8] |= (uint8_t)(1 << item % 8);
}

/* Statements that waited, or whose last writes or nops were cut off at the end, have costs of their own. */
static int find_own(const struct machine_run *run, struct tables *tables)
{
    tables->own = calloc(run->program->item_count / 8 + 1, 1);
    tables->stmt_costs = malloc((run->program->stmt_count + 1) * sizeof *tables->stmt_costs);
    if (!tables->own || !tables->stmt_costs)
        return -1;
    for (size_t i = 0; i < run->stall_count; i++)
        if (run->stalls[i].item != NONE_ID)
            set_own(tables, run->stalls[i].item);
    const uint64_t oldest = run->recent_count > RECENT ? run->recent_count - RECENT : 0;
    for (uint64_t r = oldest; r < run->recent_count; r++)
        set_own(tables, run->classes[run->recent[r % RECENT].class].first_item);
    if (run->nops_left)
        set_own(tables, run->classes[run->program->items[run->next_item].stmt].first_item);
    return 0;
}

/* A row stands for all executions of the same statement, under its first item. */
static int class_totals(struct machine_run *run, struct tables *tables, uint64_t total,
                        struct sink_summary *summary)
{
    const bool rows = !run->sink->ops->whole_only, shares = run->sink->ops->shares_costs;
    if (rows && shares && find_own(run, tables) != 0)
        return -1;
    for (uint32_t s = 0; s < run->program->stmt_count; s++) {
        const struct stmt_class *class = &run->classes[s];
        if (class->kind != STMT_STEP || !class->execs)
            continue;
        summary->flops[class->precision] += class->flops * class->execs;
        if (!rows)
            continue;
        const uint32_t item = class->first_item;
        if (shares && !(tables->own[item / 8] >> item % 8 & 1)) {
            uint32_t cost;
            if (share_cost(run, tables, s, total, &cost) != 0)
                return -1;
            tables->stmt_costs[tables->stmt_cost_count++] = (struct sink_stmt_cost){item, cost};
            continue;
        }
        struct sink_stmt_total lines[CLASS_LINES];
        const size_t count = class_lines(run, s, total, lines);
        for (size_t i = 0; i < count; i++)
            if (add_stmt_total(tables, &lines[i]) != 0)
                return -1;
    }
    return 0;
}

static int stall_totals(struct machine_run *run, struct tables *tables)
{
    for (size_t i = 0; i < run->stall_count; i++) {
        const struct stall *stall = &run->stalls[i];
        const struct sink_stmt_total row = {.stmt = stall->item,
                                            .unit = UNIT_ISSUE,
                                            .reason = stall->reason,
                                            .cycles = stall->end - stall->start,
                                            .execs = 1};
        /* A run of empty-buffer stalls is not one statement's. */
        if (row.cycles && stall->reason != REASON_EMPTY && add_stmt_total(tables, &row) != 0)
            return -1;
    }
    const struct mv_engine *mv = &run->lanes[0].mv;
    for (uint32_t t = 0; t < mv->count; t++) {
        const struct transfer *transfer = &mv->transfers[t];
        for (unsigned p = 0; p < PORT_COUNT && transfer->done; p++) {
            if (!(transfer->plan.ports >> p & 1))
                continue;
            const struct sink_stmt_total row = {
                .stmt = transfer->item,
                .unit = MV_FIRST + p,
                .reason = REASON_BUSY,
                .cycles = transfer->done * transfer->plan.hold[port_kind(p)],
                .execs = 1,
                .bytes = transfer->done * transfer->plan.words[port_kind(p)] *
                         sizeof(uint64_t)};
            if (add_stmt_total(tables, &row) != 0)
                return -1;
        }
    }
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
    if (unit_totals(run, tables) != 0 || class_totals(run, tables, total, summary) != 0 ||
        make_windows(run, tables) != 0)
        return -1;
    if (!run->sink->ops->whole_only &&
        (stall_totals(run, tables) != 0 || path_find(run, total, &tables->crit, &tables->crit_count) != 0 ||
         (summary->complete && slack_find(run, total, &tables->slack, &tables->slack_count) != 0)))
        return -1;
    make_bounds(run, tables);
    summary->window = 1ull << run->account.shift;
    summary->unit_totals = tables->units;
    summary->unit_total_count = tables->unit_count;
    summary->stmt_totals = tables->stmts;
    summary->stmt_total_count = tables->stmt_count;
    summary->costs = tables->costs;
    summary->shared = tables->shared;
    summary->shared_count = tables->shared_count;
    summary->stmt_costs = tables->stmt_costs;
    summary->stmt_cost_count = tables->stmt_cost_count;
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
        status = fill(run, &tables, &summary);
        if (status == 0)
            status = tell_transfers(run) | run->account.status;
        if (status == 0 && complete)
            status = nops_tell(&run->nops, run->sink);
    }
    if (status == 0 && run->sink->ops->finish)
        status = run->sink->ops->finish(run->sink->self, &summary);
    free(tables.units);
    free(tables.stmts);
    free(tables.costs);
    free(tables.shared);
    free(tables.keys);
    free(tables.stmt_costs);
    free(tables.own);
    free(tables.windows);
    free(tables.crit);
    free(tables.slack);
    return status;
}
