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

int loops_settle(struct machine_model *model, struct sink_summary *s)
{
    struct loops_model *m = (struct loops_model *)model;
    (void)s;
    charge_tails(m);
    return 0;
}
