/* report: what the sink is given. */
#include "timing/amx/model.h"

const struct reason_info amx_reasons[AMX_REASONS] = {
#define REASON(id, name, state, limit, sentence) {name, sentence, STATE_##state, limit},
#include "timing/reason.def"
};
const struct counter_info amx_counters[AMX_COUNTERS] = {
#define COUNTER(id, name, index, unit, sentence) {name, index, unit, sentence, 0},
#include "timing/amx/counter.def"
};

/* Operations a cycle of all clusters: a multiply-add in each place of the outer product. */
static double peak(const struct config *config, enum amx_param interval, double lanes)
{
    const double clusters = config_real(config, AMX_PARAM_clusters, false) +
                            config_real(config, AMX_PARAM_efficiency_clusters, false) /
                                config_real(config, AMX_PARAM_efficiency_interval, false);
    return 2 * lanes * lanes / config_real(config, interval, false) * clusters;
}

int amx_describe(const struct machine_run *run, struct sink_header *header,
                 struct machine_lists *lists)
{
    const struct amx_program *program = &run->program->program;
    const struct amx_model *m = (const struct amx_model *)run->model;
    lists->sources = program->sources;
    lists->source_count = program->source_count;
    lists->counters[AMX_COUNTER_DOUBLE].peak = peak(run->config, AMX_PARAM_interval_f64, 8);
    lists->counters[AMX_COUNTER_SINGLE].peak = peak(run->config, AMX_PARAM_interval_f32, 16);
    lists->counters[AMX_COUNTER_HALF].peak = peak(run->config, AMX_PARAM_interval_16, 32);
    if (!m)
        return 0;
    header->stmts = m->stmts;
    header->stmt_count = m->stmt_count;
    header->units = m->units;
    header->unit_count = m->unit_count;
    return 0;
}

/* The cycles of each unit after its last work, until the last result of its threads. */
static void charge_tails(struct amx_model *m)
{
    for (uint32_t c = 0; c < m->clusters; c++) {
        uint64_t issued = 0, finish = 0;
        for (const struct thread *t = m->threads; t < m->threads + m->thread_count; t++) {
            if (t->cluster != c)
                continue;
            issued = t->order > issued ? t->order : issued;
            finish = t->finish > finish ? t->finish : finish;
            account_reason(&m->base.account, cpu_unit(t), REASON_DRAINED, NONE_ID, t->order,
                           t->finish);
        }
        for (uint32_t port = 2 * c; port <= 2 * c + 1; port++) {
            const uint64_t free_at = m->holder[port].at;
            account_reason(&m->base.account, port, REASON_DRAINED, NONE_ID,
                           free_at > issued ? free_at : issued, finish);
        }
    }
}

int amx_settle(struct machine_model *model, struct sink_summary *s)
{
    struct amx_model *m = (struct amx_model *)model;
    (void)s;
    charge_tails(m);
    return 0;
}
