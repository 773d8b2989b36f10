/* report: what the sink is given. */
#include <stdlib.h>

#include "timing/loops/model.h"

const struct reason_info loops_reasons[LOOPS_REASONS] = {
#define REASON(id, name, state, limit, sentence) {name, sentence, STATE_##state, limit},
#include "timing/reason.def"
#define REASON(id, name, state, limit, sentence) {name, sentence, STATE_##state, limit},
#include "timing/loops/reason.def"
};
const struct counter_info loops_counters[LOOPS_COUNTERS] = {
#define COUNTER(id, name, unit, sentence) {name, NULL, unit, sentence, 0},
#include "timing/loops/counter.def"
};

int loops_describe(const struct machine_run *run, struct sink_header *header,
                   struct machine_lists *lists)
{
    const struct loops_program *program = &run->program->program;
    const struct loops_model *m = (const struct loops_model *)run->model;
    lists->sources = program->sources;
    lists->source_count = program->source_count;
    lists->counters[LOOPS_COUNTER_SINGLE].peak = lists->counters[LOOPS_COUNTER_INTEGER].peak =
        2.0 * loops_units(program) / config_real(run->config, LOOPS_PARAM_math_interval, false);
    if (!m)
        return 0;
    header->stmts = m->stmts;
    header->stmt_count = m->stmt_count;
    header->units = m->units;
    header->unit_count = loops_unit_count(m);
    return 0;
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
        account_busy(&m->base.account, id, stmt, from, to - from);
    else
        account_reason(&m->base.account, id, reason, stmt, from, to);
}

/* The cycles of each unit after its last work, until the last result of its tile. */
static void charge_tails(struct loops_model *m)
{
    for (const struct loops_tile *t = m->tiles; t < m->tiles + m->tile_count; t++) {
        account_reason(&m->base.account, loops_unit_of(m, t->walk.tile, LOOPS_UNIT_CONTROL),
                       REASON_DRAINED, NONE_ID, t->order, t->finish);
        for (unsigned u = 0; u < LOOPS_PORTS; u++)
            account_reason(&m->base.account, loops_unit_of(m, t->walk.tile, u), REASON_DRAINED,
                           NONE_ID, t->holder[u].at > t->order ? t->holder[u].at : t->order,
                           t->finish);
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

int loops_settle(struct machine_model *model, struct sink_summary *s)
{
    struct loops_model *m = (struct loops_model *)model;
    charge_tails(m);
    s->stmt_totals = stmt_rows(m, &s->stmt_total_count);
    return s->stmt_totals ? 0 : -1;
}
