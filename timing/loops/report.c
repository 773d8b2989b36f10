/* report: what the sink is given. */
#include <stdlib.h>

#include "timing/loops/model.h"
#include "timing/summary.h"

int loops_report_begin(const struct loops_model *m, const struct sink *sink,
                       const struct config *config, const char *command)
{
    static const struct reason_info reasons[] = {
#define REASON(id, name, state, limit, sentence) {name, sentence, STATE_##state, limit},
#include "timing/reason.def"
#define REASON(id, name, state, limit, sentence) {name, sentence, STATE_##state, limit},
#include "timing/loops/reason.def"
    };
    struct counter_info counters[LOOPS_COUNTERS] = {
#define COUNTER(id, name, unit, sentence) {name, NULL, unit, sentence, 0},
#include "timing/loops/counter.def"
    };
    counters[LOOPS_COUNTER_SINGLE].peak = counters[LOOPS_COUNTER_INTEGER].peak =
        2.0 * loops_units(m->program) / config_real(config, LOOPS_PARAM_math_interval, false);
    struct sink_header header = {.machine = machine_loops.name,
                                 .command = command,
                                 .clock_hz = config_real(config, LOOPS_PARAM_clock_hz, false),
                                 .stmts = m->stmts,
                                 .stmt_count = m->stmt_count,
                                 .units = m->units,
                                 .unit_count = loops_unit_count(m),
                                 .reasons = reasons,
                                 .reason_count = sizeof reasons / sizeof *reasons,
                                 .counters = counters,
                                 .counter_count = LOOPS_COUNTERS};
    return machine_begin(sink, &header, config, m->program->sources, m->program->source_count);
}

void loops_report_cycles(struct loops_tile *t, unsigned unit, uint32_t reason, uint64_t from,
                         uint64_t to)
{
    struct loops_model *m = t->model;
    if (from >= to)
        return;
    const uint32_t id = loops_unit_of(m, t->walk.tile, unit), stmt = t->walk.step.stmt;
    struct loops_cell *cell = &m->cells[stmt * loops_unit_count(m) + id];
    cell->cycles[reason] += to - from;
    cell->events[reason]++;
    if (reason == REASON_BUSY)
        account_busy(&m->account, id, stmt, from, to - from);
    else
        account_reason(&m->account, id, reason, stmt, from, to);
}

/* The cycles of each unit after its last work, until the last result of its tile. */
static void charge_tails(struct loops_model *m)
{
    for (const struct loops_tile *t = m->tiles; t < m->tiles + m->tile_count; t++) {
        account_reason(&m->account, loops_unit_of(m, t->walk.tile, LOOPS_UNIT_CONTROL),
                       REASON_DRAINED, NONE_ID, t->order, t->finish);
        for (unsigned u = 0; u < LOOPS_PORTS; u++)
            account_reason(&m->account, loops_unit_of(m, t->walk.tile, u), REASON_DRAINED, NONE_ID,
                           t->holder[u].at > t->order ? t->holder[u].at : t->order, t->finish);
    }
}

static size_t add_rows(const struct loops_cell *cell, struct sink_stmt_total row,
                       struct sink_stmt_total *rows)
{
    size_t count = 0;
    row.ops = cell->ops;
    for (row.reason = 0; row.reason < LOOPS_REASONS; row.reason++) {
        row.cycles = cell->cycles[row.reason];
        row.execs = cell->events[row.reason];
        if (row.cycles)
            rows[count++] = row;
        row.ops = 0; /* of the work alone */
    }
    return count;
}

static struct sink_stmt_total *stmt_rows(const struct loops_model *m, size_t *count)
{
    const size_t units = loops_unit_count(m);
    struct sink_stmt_total *rows =
        malloc((m->stmt_count * units * LOOPS_REASONS + 1) * sizeof *rows);
    *count = 0;
    for (uint32_t stmt = 0; rows && stmt < m->stmt_count; stmt++)
        for (uint32_t unit = 0; unit < units; unit++)
            *count += add_rows(&m->cells[stmt * units + unit],
                               (struct sink_stmt_total){.stmt = stmt, .unit = unit}, rows + *count);
    return rows;
}

int loops_report_finish(struct loops_model *m, bool complete, uint64_t documented,
                        const struct range *range)
{
    const struct sink *sink = m->sink;
    if (!sink || !sink->ops->finish)
        return 0;
    struct sink_counter counters[LOOPS_COUNTERS];
    for (uint32_t i = 0; i < LOOPS_COUNTERS; i++)
        counters[i] = (struct sink_counter){.counter = i, .value = m->counters[i]};
    struct sink_summary s = {.complete = complete,
                             .cycles = m->finish,
                             .cycles_documented = complete ? documented : 0,
                             .events = m->kernel.events,
                             .range = complete ? range : NULL,
                             .counters = counters,
                             .counter_count = LOOPS_COUNTERS};
    charge_tails(m);
    account_flush(&m->account);
    s.stmt_totals = stmt_rows(m, &s.stmt_total_count);
    int status = s.stmt_totals ? m->account.status : -1;
    if (status == 0)
        status = summary_fill(&s, &m->account, &m->path);
    if (status == 0)
        status = sink->ops->finish(sink->context, &s);
    summary_free(&s);
    return status;
}
