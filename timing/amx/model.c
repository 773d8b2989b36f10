/* model: costs and units. */
#include "timing/amx/model.h"

#include <stdlib.h>

#include "functional/amx/work.h"

/* --- what a statement costs ------------------------------------------------------------------- */

static void matfp_cost(const uint64_t *value, const struct matfp *matfp, enum cluster_kind kind,
                       struct cost *cost)
{
    if (matfp->noop) { /* the thread issues it, the unit has nothing to do */
        cost->port = UNIT_CPU;
        cost->latency = cost->cpu;
        return;
    }
    switch ((enum matfp_lanes)matfp->lanes) {
#define LANE_COST(lanes, name, class)                                                              \
    case MATFP_##lanes:                                                                            \
        cost->interval = (uint32_t)value[AMX_PARAM_##name];                                        \
        cost->port_rule = #name;                                                                   \
        cost->counter = AMX_COUNTER_##class;                                                       \
        break;
#include "timing/amx/cost.def"
    case MATFP_LANES_COUNT:
        break;
    }
    if (kind == EFFICIENCY) {
        const uint32_t times = (uint32_t)value[AMX_PARAM_efficiency_interval];
        cost->port_rule = times > 1 ? "efficiency_interval" : cost->port_rule;
        cost->interval *= times;
        if (times > 1 && cost->latency < cost->interval) { /* no result before the array is done */
            cost->latency = cost->interval;
            cost->rule = cost->port_rule;
        }
    }
    cost->flops = amx_matfp_flops(matfp);
}

static void fill_places(const struct span *spans, size_t count, uint64_t places[PLACE_WORDS])
{
    static const unsigned first[AMX_SPACE_COUNT] = {
        [AMX_SPACE_X] = PLACE_X, [AMX_SPACE_Y] = PLACE_Y, [AMX_SPACE_Z] = 0};
    for (size_t i = 0; i < count; i++)
        places[first[spans[i].space] / 64] |= spans[i].set << first[spans[i].space] % 64;
}

static struct cost cost_of(const struct amx_model *m, size_t number, enum cluster_kind kind)
{
    const struct amx_item *item = &m->program->items[number];
    struct cost cost = {.cpu = (uint32_t)m->value[AMX_PARAM_issue_interval], .reason = REASON_DATA};
    struct amx_work_storage storage;
    struct work work;
    switch ((enum amx_insn)item->insn) {
#define COST(insn, unit, name, delay)                                                              \
    case AMX_##insn:                                                                               \
        cost.port = UNIT_##unit;                                                                   \
        cost.interval = (uint32_t)m->value[AMX_PARAM_##name];                                      \
        cost.latency = (uint32_t)m->value[AMX_PARAM_##delay];                                      \
        cost.rule = #delay;                                                                        \
        cost.port_rule = #name;                                                                    \
        break;
#include "timing/amx/cost.def"
    case AMX_INSN_COUNT:
        break;
    }
    amx_work_item(m->program, number, &storage, &work);
    fill_places(work.reads, work.read_count, cost.reads);
    fill_places(work.writes, work.write_count, cost.writes);
    if (item->insn == AMX_MATFP) {
        matfp_cost(m->value, &item->matfp.decoded, kind, &cost);
    } else if (cost.port == UNIT_LDST) {
        cost.bytes = item->pair ? 2 * AMX_ROW : AMX_ROW;
        cost.reason = work.write_count ? REASON_MEMORY : REASON_DATA;
        cost.latency += item->pair ? cost.interval : 0; /* the second row comes after */
        cost.interval *= item->pair ? 2 : 1;
    } else {
        cost.cpu = cost.interval; /* set and clr */
    }
    cost.interval = cost.port == UNIT_CPU ? 0 : cost.interval;
    cost.length = cost.latency > cost.cpu ? cost.latency : cost.cpu;
    cost.length = cost.length > cost.interval ? cost.length : cost.interval;
    cost.events = amx_use_count(&cost);
    return cost;
}

static void shape(const void *context, uint32_t stmt, struct path_shape *shape)
{
    const struct cost *cost = &((const struct amx_model *)context)->cost[PERFORMANCE][stmt];
    *shape = (struct path_shape){cost->latency, cost->reads, cost->writes};
}

/* --- making and freeing ----------------------------------------------------------------------- */

static int make_threads(struct amx_model *m)
{
    for (uint32_t number = 0; number < AMX_THREADS; number++) {
        if (!(m->program->threads >> number & 1))
            continue;
        struct thread *t = &m->threads[m->thread_count];
        *t = (struct thread){.model = m, .index = m->thread_count++, .number = number};
        if (scoreboard_init(&t->board, PLACES) != 0)
            return -1;
    }
    m->lost = m->value[m->thread_count > m->value[AMX_PARAM_clusters] ? AMX_PARAM_lost_cycles_busy
                                                                      : AMX_PARAM_lost_cycles];
    amx_place(m);
    for (uint32_t i = 0; i < m->thread_count; i++)
        m->streams[i] = (struct path_stream){.unit = cpu_unit(&m->threads[i]), .quantum = 1};
    return 0;
}

static void add_stmt(struct amx_model *m, size_t number)
{
    const struct amx_item *item = &m->program->items[number];
    for (unsigned kind = 0; kind < CLUSTER_KINDS; kind++)
        m->cost[kind][m->stmt_count] = cost_of(m, number, (enum cluster_kind)kind);
    m->stmts[m->stmt_count] =
        (struct stmt_info){.file = item->source,
                           .line = item->line,
                           .text = m->program->sources[item->source].text + item->offset,
                           .text_length = item->length};
    m->stmt_of_item[number] = (uint32_t)m->stmt_count++;
}

static int make_stmts(struct amx_model *m)
{
    const struct amx_program *program = m->program;
    for (unsigned kind = 0; kind < CLUSTER_KINDS; kind++)
        m->cost[kind] = calloc(program->item_count + 1, sizeof *m->cost[kind]);
    m->stmts = calloc(program->item_count + 1, sizeof *m->stmts);
    m->stmt_of_item = calloc(program->item_count + 1, sizeof *m->stmt_of_item);
    if (!m->cost[PERFORMANCE] || !m->cost[EFFICIENCY] || !m->stmts || !m->stmt_of_item)
        return -1;
    for (size_t s = 0; s < program->section_count; s++)
        for (size_t i = program->sections[s].first; i < program->sections[s].end; i++)
            if (program->items[i].kind == AMX_ITEM_INSN)
                add_stmt(m, i);
    return 0;
}

static struct unit_info *name_unit(struct amx_model *m, uint32_t unit, unsigned kind,
                                   uint32_t number, uint32_t cluster)
{
    static const struct {
        const char *name, *path, *kind;
    } row[UNIT_KINDS] = {
#define UNIT(id, name, path, kind, sentence) [UNIT_##id] = {name, path, kind},
#include "timing/amx/unit.def"
    };
    char(*name)[64] = m->names[unit];
    snprintf(name[0], sizeof name[0], "%s%u", row[kind].name, number);
    snprintf(name[1], sizeof name[1],
             kind == UNIT_CPU ? "chip.cluster%u.%s%u" : "chip.cluster%u.%s", cluster,
             row[kind].path, number);
    m->units[unit] = (struct unit_info){
        .name = name[0], .path = name[1], .kind = row[kind].kind, .instances = 1};
    return &m->units[unit];
}

static int make_units(struct amx_model *m)
{
    m->unit_count = m->thread_count + 2 * (size_t)m->clusters;
    m->units = calloc(m->unit_count, sizeof *m->units);
    m->names = calloc(m->unit_count, sizeof *m->names);
    if (!m->units || !m->names)
        return -1;
    for (uint32_t c = 0; c < m->clusters; c++) {
        /* The fastest kind: 16-bit lanes, 32 x 32 multiply-adds. */
        name_unit(m, 2 * c, UNIT_ARRAY, c, c)->peak_flops =
            2.0 * 32 * 32 / (double)m->value[AMX_PARAM_interval_16] /
            (cluster_kind(m, c) == EFFICIENCY ? (double)m->value[AMX_PARAM_efficiency_interval]
                                              : 1.0);
        name_unit(m, 2 * c + 1, UNIT_LDST, c, c)->width = (double)AMX_ROW / 8;
    }
    for (const struct thread *t = m->threads; t < m->threads + m->thread_count; t++)
        name_unit(m, cpu_unit(t), UNIT_CPU, t->number, t->cluster);
    return 0;
}

int amx_model_make(struct amx_model *m, const struct amx_program *program,
                   const struct config *config, bool documented)
{
    m->program = program;
    for (size_t i = 0; i < AMX_PARAM_COUNT; i++)
        m->value[i] = (uint64_t)config_real(config, i, documented);
    for (unsigned p = 0; p < PORTS; p++)
        m->holder[p].by = NO_PRODUCER;
    return make_threads(m) != 0 || make_stmts(m) != 0 || make_units(m) != 0 ? -1 : 0;
}

int amx_model_init(struct machine_model *model)
{
    struct amx_model *m = (struct amx_model *)model;
    const struct model_options *options = &model->options;
    model->counters = m->counters;
    if (amx_model_make(m, &model->run->program->program, options->config, options->documented) !=
            0 ||
        kernel_init(&model->kernel, m->thread_count + 2, model->kernel.run_ahead) != 0 ||
        resource_init(&m->ports, &model->kernel, m->thread_count, &amx_port_calls, m) != 0)
        return -1;
    const struct path_config path = {.streams = m->streams,
                                     .stream_count = m->thread_count,
                                     .stmt_count = m->stmt_count,
                                     .remembered = REMEMBERED,
                                     .places = PLACES,
                                     .shape = shape,
                                     .no_slack =
                                         m->clusters > m->value[AMX_PARAM_clusters] || m->lost,
                                     .context = m};
    if (model->sink && (account_init(&model->account, m->unit_count, model->sink) != 0 ||
                        path_init(&model->path, &path) != 0))
        return -1;
    if (model->sink && !model->kernel.run_ahead &&
        !(model->unit_events =
              unit_events_open(&model->kernel, &model->status, m->units, &amx_unit_events, m)))
        return -1;
    amx_threads_start(m);
    amx_mover_start(m);
    return 0;
}

/* work * of / all, rounded up. */
static uint64_t share(uint64_t work, uint64_t of, uint64_t all)
{
    return work / all * of + (work % all * of + all - 1) / all;
}

uint64_t amx_model_total(const struct machine_model *model)
{
    const struct amx_model *m = (const struct amx_model *)model;
    uint64_t total = model->finish;
    if (!model->options.alone)
        return total;
    for (uint32_t p = 0; p < PORTS; p++)
        total = later(total, m->work[p]);
    /* Every unit takes at most its part of the work of all: an array of an efficiency cluster takes
     * that many cycles for what another array does in one. */
    const uint64_t fast = m->value[AMX_PARAM_clusters];
    const uint64_t slow = m->value[AMX_PARAM_efficiency_clusters];
    const uint64_t times = m->value[AMX_PARAM_efficiency_interval];
    total = later(total, share(m->pool[0], times, times * fast + slow));
    return later(total, share(m->pool[1], 1, fast + slow));
}

void amx_model_free(struct machine_model *model)
{
    struct amx_model *m = (struct amx_model *)model;
    for (uint32_t i = 0; i < m->thread_count; i++)
        scoreboard_free(&m->threads[i].board);
    for (unsigned kind = 0; kind < CLUSTER_KINDS; kind++)
        free(m->cost[kind]);
    free(m->stmts);
    free(m->stmt_of_item);
    free(m->units);
    free(m->names);
    resource_free(&m->ports);
}
