#include "analysis/app_trace.h"

#include <stdlib.h>
#include <string.h>

#include "host/number.h"
#include "timing/costs.h"
#include "timing/summary.h"

enum { HOST, BOARDS, CHIP }; /* units */

enum { BOARD_COUNT, TURNS, SIMULATED, LOADED, STORED, HOST_BUSY, COUNTERS };
static const struct counter_info counters[COUNTERS] = {
    [BOARD_COUNT] = {.name = "boards", .unit = "boards", .sentence = "boards of the application"},
    [TURNS] = {.name = "turns", .unit = "turns", .sentence = "turns of programs on all boards"},
    [SIMULATED] = {.name = "simulated", .unit = "turns", .sentence = "turns that were simulated"},
    [LOADED] = {.name = "host.loaded",
                .unit = "bytes",
                .sentence = "bytes from the host to all boards"},
    [STORED] = {.name = "host.stored",
                .unit = "bytes",
                .sentence = "bytes from all boards to the host"},
    [HOST_BUSY] = {.name = "host.busy",
                   .unit = "cycles",
                   .sentence = "cycles of all links together"},
};

/* --- statements ------------------------------------------------------------------------------- */

static char *text_of(const struct app_answer *a, uint32_t step, uint32_t row)
{
    const struct app *app = a->how.app;
    char what[APP_TEXT], cycles[NUMBER_TEXT], *text = NULL;
    const char *word = app_kind_name(app->steps[step].kind);
    app_step_text(app, &app->steps[step], what);
    if (row == NONE_ID)
        return asprintf(&text, "%s %s", word, what) < 0 ? NULL : text;
    const uint32_t turn = a->time.rows[row].turn;
    number_group(cycles, (int64_t)a->time.turns.turns[turn].cycles);
    return asprintf(&text, "%s %s, kind %u: %s cycles", word, what, turn, cycles) < 0 ? NULL : text;
}

static int add_stmt(struct app_trace *t, const struct app_answer *a, uint32_t step, uint32_t row)
{
    const size_t i = t->header.stmt_count;
    t->steps[i] = step;
    t->rows[i] = row;
    t->texts[i] = text_of(a, step, row);
    if (!t->texts[i])
        return -1;
    t->lists.stmts[i] = (struct stmt_info){.line = a->how.app->steps[step].line,
                                           .text = t->texts[i],
                                           .text_length = strlen(t->texts[i])};
    t->header.stmt_count++;
    return 0;
}

static int list_stmts(struct app_trace *t, const struct app_answer *a)
{
    const size_t steps = a->how.app->count, rows = a->time.row_count;
    t->lists.stmts = calloc(steps + rows + 1, sizeof *t->lists.stmts);
    t->texts = calloc(steps + rows + 1, sizeof *t->texts);
    t->steps = calloc(steps + rows + 1, sizeof *t->steps);
    t->rows = calloc(steps + rows + 1, sizeof *t->rows);
    if (!t->lists.stmts || !t->texts || !t->steps || !t->rows)
        return -1;
    t->header.stmts = t->lists.stmts;
    for (uint32_t s = 0; s < steps; s++) {
        if (a->how.app->steps[s].kind != APP_RUN && add_stmt(t, a, s, NONE_ID) != 0)
            return -1;
        for (uint32_t r = 0; r < rows; r++)
            if (a->time.rows[r].step == s && add_stmt(t, a, s, r) != 0)
                return -1;
    }
    return 0;
}

/* --- units and totals ------------------------------------------------------------------------- */

static int list_units(struct app_trace *t, const struct app_answer *a)
{
    const struct app_turns *turns = &a->time.turns;
    const uint32_t boards = a->how.app->boards;
    t->units = calloc(CHIP + turns->unit_count, sizeof *t->units);
    if (!t->units)
        return -1;
    t->units[HOST] = (struct unit_info){"host", "host", "link", boards, 0, 0};
    t->units[BOARDS] = (struct unit_info){"boards", "boards", "issue", boards, 0, 0};
    for (size_t u = 0; u < turns->unit_count; u++)
        t->units[CHIP + u] = (struct unit_info){
            turns->units[u].name, turns->units[u].path, "unit", turns->units[u].instances, 0, 0};
    t->header.units = t->units;
    t->header.unit_count = CHIP + turns->unit_count;
    return 0;
}

static uint64_t exposed_of(const struct app_answer *a, bool runs)
{
    uint64_t cycles = 0;
    for (size_t s = 0; s < a->how.app->count; s++)
        if ((a->how.app->steps[s].kind == APP_RUN) == runs)
            cycles += a->time.sums[s].exposed;
    return cycles;
}

static uint64_t busy_of(const struct app_answer *a, const char *name)
{
    for (size_t u = 0; u < a->busy_count; u++)
        if (a->busy[u].name == name)
            return a->busy[u].cycles / a->how.app->boards;
    return 0;
}

static int list_totals(struct app_trace *t, const struct app_answer *a)
{
    const size_t units = t->header.unit_count;
    struct sink_unit_total *totals = calloc(2 * units, sizeof *totals);
    t->summary.unit_totals = totals;
    for (uint32_t u = 0; totals && u < units; u++) {
        const uint64_t busy = u < CHIP ? exposed_of(a, u == BOARDS) : busy_of(a, t->units[u].name);
        const uint64_t idle = a->time.total - busy;
        if (busy)
            totals[t->summary.unit_total_count++] =
                (struct sink_unit_total){u, 0, REASON_BUSY, busy, 1};
        if (idle)
            totals[t->summary.unit_total_count++] =
                (struct sink_unit_total){u, 0, REASON_IDLE, idle, 1};
    }
    return totals ? 0 : -1;
}

static struct sink_stmt_total total_of(const struct app_trace *t, const struct app_answer *a,
                                       uint32_t stmt)
{
    const struct app_sum *sum = &a->time.sums[t->steps[stmt]];
    const struct app_step *step = &a->how.app->steps[t->steps[stmt]];
    struct sink_stmt_total total = {.stmt = stmt, .unit = HOST, .reason = REASON_BUSY};
    if (t->rows[stmt] == NONE_ID) {
        total.cycles = sum->exposed;
        total.execs = sum->done;
        total.bytes = sum->done * step->bytes;
        return total;
    }
    const struct app_row *row = &a->time.rows[t->rows[stmt]];
    total.unit = BOARDS;
    total.cycles = row->exposed * a->time.turns.turns[row->turn].cycles;
    total.execs = row->turns;
    return total;
}

/* The critical path: each statement once, all its times together. */
static int list_path(struct app_trace *t, const struct app_answer *a)
{
    struct sink_crit *rows = calloc(t->header.stmt_count + 1, sizeof *rows);
    uint64_t start = 0;
    t->summary.crit = rows;
    for (uint32_t s = 0; rows && s < t->header.stmt_count; s++) {
        const struct sink_stmt_total total = total_of(t, a, s);
        if (total.cycles)
            rows[t->summary.crit_count++] =
                (struct sink_crit){start, total.cycles, s, s, total.unit, REASON_BUSY};
        start += total.cycles;
    }
    return rows ? 0 : -1;
}

static int list_costs(struct app_trace *t, const struct app_answer *a)
{
    t->costs = calloc(1, sizeof *t->costs);
    t->summary.costs = t->costs;
    for (uint32_t s = 0; t->costs && s < t->header.stmt_count; s++) {
        const struct sink_stmt_total total = total_of(t, a, s);
        if (total.execs && costs_add(t->costs, &total) != 0)
            return -1;
    }
    return t->costs ? costs_end(t->costs) : -1;
}

static uint64_t bytes_of(const struct app_answer *a, enum app_kind kind)
{
    uint64_t bytes = 0;
    for (size_t s = 0; s < a->how.app->count; s++)
        if (a->how.app->steps[s].kind == kind)
            bytes += a->time.sums[s].done * a->how.app->steps[s].bytes;
    return bytes;
}

static int list_counters(struct app_trace *t, const struct app_answer *a)
{
    struct sink_counter *rows = calloc(COUNTERS, sizeof *rows);
    uint64_t values[COUNTERS] = {[BOARD_COUNT] = a->how.app->boards,
                                 [SIMULATED] = a->time.turns.simulated,
                                 [LOADED] = bytes_of(a, APP_LOAD),
                                 [STORED] = bytes_of(a, APP_STORE),
                                 [HOST_BUSY] = a->time.host};
    for (size_t r = 0; r < a->time.row_count; r++)
        values[TURNS] += a->time.rows[r].turns;
    for (uint32_t c = 0; rows && c < COUNTERS; c++)
        rows[c] = (struct sink_counter){.counter = c, .value = values[c]};
    t->summary.counters = rows;
    t->summary.counter_count = rows ? COUNTERS : 0;
    return rows ? 0 : -1;
}

/* --- the report ------------------------------------------------------------------------------- */

int app_trace_open(struct app_trace *t, const struct app_answer *a, const char *command)
{
    const struct machine *machine = a->how.app->machine;
    *t = (struct app_trace){
        .header = {.machine = machine->name,
                   .command = command,
                   .clock_hz = a->time.clock_hz,
                   .reasons = machine->timing->reasons,
                   .reason_count = machine->timing->reason_count,
                   .counters = counters,
                   .counter_count = COUNTERS},
        .lists = {.sources = a->how.app->source, .source_count = 1, .with_host = true},
        .summary = {.complete = true,
                    .cycles = a->time.total,
                    .cycles_documented = a->documented,
                    .events = a->time.turns.events,
                    .range = &a->range}};
    t->summary.limit = app_answer_limit(a, t->limit);
    if (list_stmts(t, a) != 0 || list_units(t, a) != 0 || list_totals(t, a) != 0 ||
        list_costs(t, a) != 0 || list_path(t, a) != 0 || list_counters(t, a) != 0)
        return -1;
    return machine_header(&t->header, &t->lists, a->how.config, a->how.options->documented);
}

int app_trace_send(struct app_trace *t, const struct sink *sink)
{
    const int status = sink->ops->begin ? sink->ops->begin(sink->context, &t->header) : 0;
    return status == 0 && sink->ops->finish ? sink->ops->finish(sink->context, &t->summary)
                                            : status;
}

void app_trace_close(struct app_trace *t)
{
    for (size_t i = 0; t->texts && i < t->header.stmt_count; i++)
        free(t->texts[i]);
    summary_free(&t->summary);
    machine_lists_free(&t->lists);
    free(t->units);
    free(t->texts);
    free(t->steps);
    free(t->rows);
    *t = (struct app_trace){.units = NULL};
}
