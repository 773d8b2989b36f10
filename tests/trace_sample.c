#include "tests/trace_sample.h"

#include <stdlib.h>
#include <string.h>

#include "timing/costs.h"

static const char text[] = "mvp/n64 $d0 $p0 i01\n"
                           "nop/2\n"
                           "wait i01\n"
                           "fvfma $lr0v $lr8v $lr16v $lr24v\n"
                           "fvfma $lr0v $lr8v $lr16v $lr24v\n";

static const struct unit_info units[SAMPLE_UNITS] = {
    {"stream", "chip.stream", "issue", 1, 0, 0},
    {"mau", "chip.l2b.l1b.mab.mau", "mau", 1024, 0, 65536},
    {"lm0", "chip.l2b.l1b.mab.pe.lm0", "port", 4096, 2, 0},
    {"dram0", "chip.group.dram0", "dram", 1, 16, 0},
};

static const struct param_info params[] = {
    {"clock_hz", "Hz", "documented", "public figure", 750e6, 1, 1e10, 750e6, NULL},
    {"pe_write_latency", "cycles", "documented", "3.6.3.9", 6, 0, 100, 6, NULL},
    {"dram_latency", "cycles", "assumed", "GDDR6 class", 4, 0, 1000, 0, NULL},
};

static const struct reason_info reasons[] = {
#define REASON(id, name, state, limit, sentence) {name, sentence, STATE_##state, limit},
#include "timing/reason.def"
    [SAMPLE_REASON_NOP] = {"nop", "a nop written in the program", STATE_WAITING, NULL},
};

static const struct counter_info counters[] = {
    {"steps", NULL, "steps", "steps issued", 0},
    {"nops.written", NULL, "steps", "steps of written nops", 0},
    {"nops.tags", "tag", "steps", "steps sent while the stream waited for a tag", 0},
    {"flops.single", NULL, "operations", "single precision", 65536},
    {"flops.half", NULL, "operations", "half precision", 524288},
};

static const struct attribute_info attributes[] = {
    {"priority", "", "0 to 3"},
    {"long_words", "long words", "as the statement counts"},
};

static int interval(const struct sink *sink, const struct sink_interval *interval)
{
    return sink->ops->interval ? sink->ops->interval(sink->context, interval) : 0;
}

static struct graph_node nodes[SAMPLE_STMTS] = {
    {.stmt = 0}, {.stmt = 1}, {.stmt = 2}, {.stmt = 3}, {.stmt = 4}};
static struct graph_unit graph_units[] = {{.name = "stream", .unit = SAMPLE_STREAM}};
const struct graph sample_graph = {
    .nodes = nodes, .node_count = SAMPLE_STMTS, .units = graph_units, .unit_count = 1};

static uint32_t path[] = {0, 2, 3, 4}, set[] = {1, 2, 3, 4};
static uint64_t lags[] = {36, 4, 4};
static struct bound bound_rows[] = {
    {BOUND_THIS_ORDER, BOUND_PATH, GRAPH_NONE, 48, path, lags, 4, 0, 4, NULL, false, 0, 0},
    {BOUND_ANY_ORDER, BOUND_UNIT, 0, 16, set, NULL, 4, 0, 0, NULL, false, 0, 0}};
const struct bounds sample_bounds = {.rows = bound_rows, .count = 2};

int sample_begin(const struct sink *sink)
{
    /* Nothing that a sink is given stands longer than the call. */
    struct stmt_info *stmts = calloc(SAMPLE_STMTS, sizeof *stmts);
    char *copy = strdup(text);
    if (!stmts || !copy)
        abort();
    const struct file_info file = {"dir/k.vsm", copy, sizeof text - 1};
    const char *line = copy;
    for (uint32_t i = 0; i < SAMPLE_STMTS; i++) {
        const size_t length = strcspn(line, "\n");
        stmts[i] = (struct stmt_info){.line = i + 1, .text = line, .text_length = length};
        line += length + 1;
    }
    const struct sink_header header = {.machine = "sample",
                                       .program = "dir/k.vsm",
                                       .command = "takt run dir/k.vsm",
                                       .program_hash = 0x1234,
                                       .machine_hash = 0x5678,
                                       .clock_hz = 750e6,
                                       .files = &file,
                                       .file_count = 1,
                                       .stmts = stmts,
                                       .stmt_count = SAMPLE_STMTS,
                                       .units = units,
                                       .unit_count = SAMPLE_UNITS,
                                       .params = params,
                                       .param_count = sizeof params / sizeof *params,
                                       .reasons = reasons,
                                       .reason_count = sizeof reasons / sizeof *reasons,
                                       .counters = counters,
                                       .counter_count = sizeof counters / sizeof *counters,
                                       .attributes = attributes,
                                       .attribute_count = sizeof attributes / sizeof *attributes};
    const int status = sink->ops->begin ? sink->ops->begin(sink->context, &header) : 0;
    memset(copy, 'x', sizeof text - 1);
    memset(stmts, 0xff, SAMPLE_STMTS * sizeof *stmts);
    free(copy);
    free(stmts);
    return status;
}

static const struct sink_interval intervals[] = {
    {SAMPLE_STREAM, SAMPLE_REASON_NOP, 1, 0, 8}, {SAMPLE_DRAM0, REASON_BUSY, 0, 6, 30},
    {SAMPLE_STREAM, REASON_TAG, 2, 8, 32},       {SAMPLE_STREAM, REASON_BUSY, 3, 40, 4},
    {SAMPLE_LM0, REASON_BUSY, 3, 40, 2},         {SAMPLE_LM0, REASON_PORT, 4, 42, 4},
    {SAMPLE_STREAM, REASON_BUSY, 4, 44, 4},      {SAMPLE_MAU, REASON_BUSY, 3, 44, 4},
    {SAMPLE_LM0, REASON_BUSY, 4, 46, 6},         {SAMPLE_STREAM, REASON_DRAINED, NONE_ID, 48, 4},
    {SAMPLE_MAU, REASON_BUSY, 4, 48, 4},
};

static const uint64_t attribute_values[] = {0, 64};

static const struct sink_transfer transfer = {.stmt = 0,
                                              .tag = 1,
                                              .tag_name = "i01",
                                              .mode = "mvp D->P",
                                              .bytes = 512,
                                              .issued = 0,
                                              .started = 4,
                                              .finished = 40,
                                              .waited = 32,
                                              .waited_by = 2,
                                              .limited_by = SAMPLE_DRAM0,
                                              .attributes = attribute_values};

static const struct sink_edge edges[] = {
    {0, 2, EDGE_TAG, SAMPLE_DRAM0, "", 40, 40, 32, 1},
    {3, 4, EDGE_PORT, SAMPLE_LM0, "3.6.1.1", 46, 46, 4, 1},
};

static const struct sink_warning warning = {"removable", 1, "nop/2 x2"};

int sample_events(const struct sink *sink)
{
    for (size_t i = 0; i < sizeof intervals / sizeof *intervals; i++)
        if (interval(sink, &intervals[i]))
            return -1;
    if (sink->ops->transfer && sink->ops->transfer(sink->context, &transfer))
        return -1;
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++)
        if (sink->ops->edge && sink->ops->edge(sink->context, &edges[i]))
            return -1;
    return sink->ops->warning ? sink->ops->warning(sink->context, &warning) : 0;
}

int sample_events_turned(const struct sink *sink)
{
    if (sink->ops->warning && sink->ops->warning(sink->context, &warning))
        return -1;
    for (size_t i = sizeof edges / sizeof *edges; i-- > 0;)
        if (sink->ops->edge && sink->ops->edge(sink->context, &edges[i]))
            return -1;
    if (sink->ops->transfer && sink->ops->transfer(sink->context, &transfer))
        return -1;
    /* The last unit first, each in order of start. */
    for (uint32_t unit = SAMPLE_UNITS; unit-- > 0;)
        for (size_t i = 0; i < sizeof intervals / sizeof *intervals; i++)
            if (intervals[i].unit == unit && interval(sink, &intervals[i]))
                return -1;
    return 0;
}

static void sample_costs(struct costs *costs, const struct sink_stmt_total *rows, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (costs_add(costs, &rows[i]) != 0)
            abort();
    if (costs_end(costs) != 0)
        abort();
}

int sample_finish(const struct sink *sink, bool complete)
{
    static const struct sink_unit_total unit_totals[] = {
        {SAMPLE_STREAM, 0, REASON_BUSY, 8, 2}, {SAMPLE_STREAM, 0, SAMPLE_REASON_NOP, 8, 1},
        {SAMPLE_STREAM, 0, REASON_TAG, 32, 1}, {SAMPLE_STREAM, 0, REASON_DRAINED, 4, 1},
        {SAMPLE_MAU, 0, REASON_BUSY, 8, 2},    {SAMPLE_MAU, 0, REASON_IDLE, 44, 1},
        {SAMPLE_LM0, 0, REASON_BUSY, 8, 2},    {SAMPLE_LM0, 0, REASON_PORT, 4, 1},
        {SAMPLE_LM0, 0, REASON_IDLE, 40, 1},   {SAMPLE_DRAM0, 0, REASON_BUSY, 30, 1},
        {SAMPLE_DRAM0, 0, REASON_IDLE, 22, 2},
    };
    static const struct sink_stmt_total stmt_totals[] = {
        {0, SAMPLE_DRAM0, REASON_BUSY, 30, 1, 0, 512},
        {1, SAMPLE_STREAM, SAMPLE_REASON_NOP, 8, 1, 0, 0},
        {2, SAMPLE_STREAM, REASON_TAG, 32, 1, 0, 0},
        {3, SAMPLE_STREAM, REASON_BUSY, 4, 1, 0, 0},
        {3, SAMPLE_MAU, REASON_BUSY, 4, 1, 32768, 0},
        {3, SAMPLE_LM0, REASON_BUSY, 2, 1, 0, 65536},
        {4, SAMPLE_STREAM, REASON_BUSY, 4, 1, 0, 0},
        {4, SAMPLE_MAU, REASON_BUSY, 4, 1, 32768, 0},
        {4, SAMPLE_LM0, REASON_BUSY, 6, 1, 0, 65536},
        {4, SAMPLE_LM0, REASON_PORT, 4, 1, 0, 0},
    };
    static const struct sink_crit crit[] = {
        {0, 4, 0, 0, SAMPLE_STREAM, REASON_BUSY},
        {4, 36, 0, 0, SAMPLE_DRAM0, REASON_MEMORY},
        {40, 8, 3, 4, SAMPLE_STREAM, REASON_BUSY},
        {48, 4, 4, 4, SAMPLE_MAU, REASON_DATA},
    };
    static const struct sink_slack slack[] = {
        {0, 0, 0, false}, {1, 1, 32, false}, {2, 4, 0, false}};
    static const struct sink_window windows[] = {
        {SAMPLE_STREAM, 2, 8}, {SAMPLE_MAU, 2, 4},    {SAMPLE_MAU, 3, 4},    {SAMPLE_LM0, 2, 4},
        {SAMPLE_LM0, 3, 4},    {SAMPLE_DRAM0, 0, 10}, {SAMPLE_DRAM0, 1, 16}, {SAMPLE_DRAM0, 2, 4},
    };
    /* Single values of nops.tags are of tag 1 and 3; flops.half has no row, so it is 0. */
    static const struct sink_counter counted[] = {
        {0, 0, 12}, {1, 0, 2}, {2, 3, 1}, {2, 1, 8}, {3, 0, 65536}};
    struct costs costs = {.rows = NULL};
    sample_costs(&costs, stmt_totals, sizeof stmt_totals / sizeof *stmt_totals);
    const struct sink_summary summary = {
        .complete = complete,
        .cycles = SAMPLE_CYCLES,
        .cycles_documented = 48,
        .events = 17,
        .counters = counted,
        .counter_count = sizeof counted / sizeof *counted,
        .window = 16,
        .unit_totals = unit_totals,
        .unit_total_count = sizeof unit_totals / sizeof *unit_totals,
        .costs = &costs,
        .crit = crit,
        .crit_count = sizeof crit / sizeof *crit,
        .slack = slack,
        .slack_count = sizeof slack / sizeof *slack,
        .windows = windows,
        .window_count = sizeof windows / sizeof *windows,
    };
    const int status = sink->ops->finish ? sink->ops->finish(sink->context, &summary) : 0;
    costs_free(&costs);
    return status;
}

int sample_run(const struct sink *sink)
{
    return sample_begin(sink) || sample_events(sink) || sample_finish(sink, true) ? -1 : 0;
}

int sample_long(const struct sink *sink, uint32_t stmts, uint32_t period, uint32_t stop_at)
{
    static const char *const texts[] = {"ladd $r0 $r1 $r2", "lsub $r0 $r1 $r2", "lxor $r0 $r1 $r2",
                                        "fvmul $lr0v $lr8v $lr16v"};
    static const struct unit_info long_units[] = {{"stream", "chip.stream", "issue", 1, 0, 0},
                                                  {"alu", "chip.pe.alu", "alu", 4096, 0, 0}};
    const struct file_info file = {"long.vsm", "", 0};
    struct stmt_info *list = calloc(stmts, sizeof *list);
    struct sink_stmt_total *totals = calloc((size_t)stmts * 2, sizeof *totals);
    struct sink_slack *slack = calloc(stmts, sizeof *slack);
    int status = list && totals && slack ? 0 : -1;
    for (uint32_t i = 0; !status && i < stmts; i++) {
        const char *t = texts[i % period % 4];
        list[i] = (struct stmt_info){.line = i + 1, .text = t, .text_length = strlen(t)};
        totals[2 * i] = (struct sink_stmt_total){i, 0, REASON_BUSY, 4, 1, 0, 0};
        totals[2 * i + 1] =
            (struct sink_stmt_total){i, 1, REASON_BUSY, 1 + i % period % 4, 1, 4096, 0};
        slack[i] = (struct sink_slack){i, i, 0, false};
    }
    const struct sink_header header = {.machine = "mncore2",
                                       .program = "long.vsm",
                                       .command = "",
                                       .clock_hz = 750e6,
                                       .units = long_units,
                                       .unit_count = 2,
                                       .reasons = reasons,
                                       .reason_count = sizeof reasons / sizeof *reasons,
                                       .stmts = list,
                                       .stmt_count = stmts,
                                       .files = &file,
                                       .file_count = 1};
    status = status || (sink->ops->begin && sink->ops->begin(sink->context, &header)) ? -1 : 0;
    uint64_t busy = 0;
    for (uint32_t i = 0; !status && i < stmts && i < stop_at; i++) {
        const uint64_t start = 4 * (uint64_t)i, alu = 1 + i % period % 4;
        const struct sink_interval both[] = {{0, REASON_BUSY, i, start, 4},
                                             {1, REASON_BUSY, i, start, alu}};
        if (interval(sink, &both[0]) || interval(sink, &both[1]))
            status = -1;
        busy += alu;
        if (!status && i % 8 == 7 && sink->ops->transfer) {
            const struct sink_transfer t = {.stmt = i,
                                            .mode = "mvp P->D",
                                            .issued = start,
                                            .started = start,
                                            .finished = start + 4,
                                            .waited_by = NONE_ID,
                                            .limited_by = 1};
            status = sink->ops->transfer(sink->context, &t);
        }
    }
    if (!status && sink->ops->finish) {
        const bool complete = stop_at >= stmts;
        struct costs costs = {.rows = NULL};
        sample_costs(&costs, totals, complete ? (size_t)stmts * 2 : 0);
        const uint32_t issued = complete ? stmts : stop_at;
        const uint64_t cycles = 4 * (uint64_t)issued;
        const struct sink_unit_total unit_totals[] = {{0, 0, REASON_BUSY, cycles, issued},
                                                      {1, 0, REASON_BUSY, busy, issued},
                                                      {1, 0, REASON_IDLE, cycles - busy, issued}};
        const struct sink_summary summary = {.complete = complete,
                                             .cycles = cycles,
                                             .unit_totals = unit_totals,
                                             .unit_total_count = 3,
                                             .costs = &costs,
                                             .slack = slack,
                                             .slack_count = complete ? stmts : 0};
        status = sink->ops->finish(sink->context, &summary);
        costs_free(&costs);
    }
    free(list);
    free(totals);
    free(slack);
    return status;
}
