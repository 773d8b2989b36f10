/* model: costs, units and the kernel's processes. */
#include "timing/amx/model.h"

#include <stdlib.h>

#include "functional/amx/work.h"
#include "timing/amx/state.h"

const struct param_row amx_params[AMX_PARAM_COUNT] = {
#define PARAM(name, type, sentence) {#name, PARAM_##type, sentence},
#include "timing/amx/param.def"
};

/* --- what a statement costs ------------------------------------------------------------------- */

static void matfp_cost(const uint64_t *value, const struct matfp *matfp, struct cost *cost)
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
    cost->flops = matfp_flops(matfp);
}

static void fill_places(const struct span *spans, size_t count, uint64_t places[PLACE_WORDS])
{
    for (size_t i = 0; i < count; i++) {
        const unsigned first = spans[i].space == AMX_SPACE_X   ? 0
                               : spans[i].space == AMX_SPACE_Y ? PLACE_Y
                                                               : PLACE_Z;
        places[first / 64] |= spans[i].set << first % 64;
        if (first % 64 && first / 64 + 1 < PLACE_WORDS)
            places[first / 64 + 1] |= spans[i].set >> (64 - first % 64);
    }
}

static struct cost cost_of(const struct amx_model *m, size_t number)
{
    const struct amx_item *item = &m->program->items[number];
    const uint64_t *value = m->value;
    struct cost cost = {.cpu = (uint32_t)value[AMX_PARAM_issue_interval], .reason = REASON_DATA};
    struct amx_work_storage storage;
    struct work work;
    switch ((enum amx_insn)item->insn) {
#define COST(insn, unit, name, delay)                                                              \
    case AMX_##insn:                                                                               \
        cost.port = UNIT_##unit;                                                                   \
        cost.interval = (uint32_t)value[AMX_PARAM_##name];                                         \
        cost.latency = (uint32_t)value[AMX_PARAM_##delay];                                         \
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
        matfp_cost(value, &item->matfp.decoded, &cost);
    } else if (cost.port == UNIT_LDST) {
        cost.bytes = item->pair ? 2 * AMX_ROW : AMX_ROW;
        cost.reason = work.write_count ? REASON_MEMORY : REASON_DATA;
        cost.latency += item->pair ? cost.interval : 0; /* the second row comes after */
        cost.interval *= item->pair ? 2 : 1;
    } else {
        cost.cpu = cost.interval; /* set and clr */
    }
    cost.length = cost.latency > cost.cpu ? cost.latency : cost.cpu;
    if (cost.port != UNIT_CPU && cost.interval > cost.length)
        cost.length = cost.interval;
    return cost;
}

static void shape(const void *context, uint32_t stmt, struct path_shape *shape)
{
    const struct cost *cost = &((const struct amx_model *)context)->cost[stmt];
    *shape = (struct path_shape){cost->latency, cost->reads, cost->writes};
}

static uint32_t issues(const void *context, uint32_t stream, uint64_t from, uint64_t to)
{
    (void)context;
    (void)stream;
    (void)from;
    (void)to;
    return REASON_BUSY;
}

/* --- making and freeing ----------------------------------------------------------------------- */

static int make_stmts(struct amx_model *m)
{
    const struct amx_program *program = m->program;
    m->cost = calloc(program->item_count + 1, sizeof *m->cost);
    m->stmts = calloc(program->item_count + 1, sizeof *m->stmts);
    m->stmt_of_item = calloc(program->item_count + 1, sizeof *m->stmt_of_item);
    if (!m->cost || !m->stmts || !m->stmt_of_item)
        return -1;
    for (size_t s = 0; s < program->section_count; s++) {
        const struct amx_section *section = &program->sections[s];
        for (size_t i = section->first; i < section->end; i++) {
            const struct amx_item *item = &program->items[i];
            if (item->kind != AMX_ITEM_INSN)
                continue;
            struct cost *cost = &m->cost[m->stmt_count];
            *cost = cost_of(m, i);
            cost->cells = (uint32_t)m->cell_count;
            cost->first_thread = section->first_thread;
            cost->threads = (uint32_t)(section->last_thread - section->first_thread) + 1;
            m->cell_count += cost->threads + m->clusters;
            m->stmts[m->stmt_count] = (struct stmt_info){
                .file = item->source,
                .line = item->line,
                .text = program->sources[item->source].text + item->offset,
                .text_length = item->length};
            m->stmt_of_item[i] = (uint32_t)m->stmt_count++;
        }
    }
    m->cells = calloc(m->options.sink ? m->cell_count + 1 : 1, sizeof *m->cells);
    return m->cells ? 0 : -1;
}

static void name_unit(struct amx_model *m, uint32_t unit, unsigned kind, uint32_t number,
                      uint32_t cluster)
{
    static const struct {
        const char *name, *path, *kind;
    } row[UNIT_KINDS] = {
#define UNIT(id, name, path, kind, sentence) [UNIT_##id] = {name, path, kind},
#include "timing/amx/unit.def"
    };
    char(*name)[64] = m->names[unit];
    snprintf(name[0], sizeof name[0], "%s%u", row[kind].name, number);
    snprintf(name[1], sizeof name[1], kind == UNIT_CPU ? "chip.cluster%u.%s%u" : "chip.cluster%u.%s",
             cluster, row[kind].path, number);
    m->units[unit] = (struct unit_info){
        .name = name[0], .path = name[1], .kind = row[kind].kind, .instances = 1};
    if (kind == UNIT_LDST)
        m->units[unit].width = (double)AMX_ROW / 8;
    if (kind == UNIT_ARRAY) /* the fastest kind: 16-bit lanes, 32 x 32 multiply-adds */
        m->units[unit].peak_flops = 2.0 * 32 * 32 / (double)m->value[AMX_PARAM_interval_16];
}

static int make_units(struct amx_model *m)
{
    m->unit_count = m->thread_count + 2 * (size_t)m->clusters;
    m->units = calloc(m->unit_count, sizeof *m->units);
    m->names = calloc(m->unit_count, sizeof *m->names);
    if (!m->units || !m->names)
        return -1;
    for (uint32_t c = 0; c < m->clusters; c++) {
        name_unit(m, 2 * c, UNIT_ARRAY, c, c);
        name_unit(m, 2 * c + 1, UNIT_LDST, c, c);
    }
    for (const struct thread *t = m->threads; t < m->threads + m->thread_count; t++)
        name_unit(m, cpu_unit(t), UNIT_CPU, t->number, t->cluster);
    return 0;
}

static int make_threads(struct amx_model *m)
{
    m->threads = calloc(AMX_THREADS, sizeof *m->threads);
    m->streams = calloc(AMX_THREADS, sizeof *m->streams);
    if (!m->threads || !m->streams)
        return -1;
    m->clusters = 1;
    for (uint32_t number = 0; number < AMX_THREADS; number++) {
        if (!(m->program->threads >> number & 1))
            continue;
        const int written = m->program->cluster[number];
        struct thread *t = &m->threads[m->thread_count];
        *t = (struct thread){.model = m, .index = m->thread_count++, .number = number};
        t->cluster = written >= 0 ? (uint32_t)written
                                  : number % (uint32_t)m->value[AMX_PARAM_clusters];
        for (unsigned p = 0; p < PLACES; p++)
            t->places[p] = (struct cause){.record = PATH_NONE, .stmt = NONE_ID};
        if (t->cluster >= m->clusters)
            m->clusters = t->cluster + 1;
    }
    for (unsigned p = 0; p < PORTS; p++)
        m->holder[p] = (struct cause){.record = PATH_NONE, .stmt = NONE_ID};
    for (uint32_t i = 0; i < m->thread_count; i++)
        m->streams[i] = (struct path_stream){.unit = cpu_unit(&m->threads[i]), .quantum = 1};
    return 0;
}

/* Of all clusters: a multiply-add in each place of the outer product. */
static double peak(const struct amx_model *m, double lanes, enum amx_param interval)
{
    return 2 * lanes * lanes / (double)m->value[interval] * (double)m->value[AMX_PARAM_clusters];
}

static void make_counters(struct amx_model *m)
{
    static const struct counter_info row[AMX_COUNTERS] = {
#define COUNTER(id, name, index, unit, sentence) {name, index, unit, sentence, 0},
#include "timing/amx/counter.def"
    };
    for (unsigned i = 0; i < AMX_COUNTERS; i++)
        m->counter_info[i] = row[i];
    m->counter_info[AMX_COUNTER_DOUBLE].peak = peak(m, 8, AMX_PARAM_interval_f64);
    m->counter_info[AMX_COUNTER_SINGLE].peak = peak(m, 16, AMX_PARAM_interval_f32);
    m->counter_info[AMX_COUNTER_HALF].peak = peak(m, 32, AMX_PARAM_interval_16);
}

static int make_all(struct amx_model *m)
{
    if (make_threads(m) != 0 || make_stmts(m) != 0 || make_units(m) != 0 ||
        kernel_init(&m->kernel, m->thread_count + 1, m->options.run_ahead) != 0 ||
        resource_init(&m->ports, &m->kernel, m->thread_count, &amx_port_calls, m) != 0)
        return -1;
    make_counters(m);
    if (m->options.events) {
        m->kernel.observe = kernel_print_event;
        m->kernel.context = m->options.events;
    }
    if (!m->options.sink)
        return 0;
    const struct path_config config = {.streams = m->streams,
                                       .stream_count = m->thread_count,
                                       .stmt_count = m->stmt_count,
                                       .remembered = REMEMBERED,
                                       .places = PLACES,
                                       .shape = shape,
                                       .does = issues,
                                       .context = m};
    return account_init(&m->account, m->unit_count, m->options.sink) != 0 ||
                   path_init(&m->path, &config) != 0
               ? -1
               : 0;
}

struct amx_model *amx_model_new(const struct amx_program *program,
                                const struct amx_model_options *options)
{
    struct amx_model *m = calloc(1, sizeof *m);
    if (!m)
        return NULL;
    m->program = program;
    m->options = *options;
    for (size_t i = 0; i < AMX_PARAM_COUNT; i++)
        if (amx_params[i].type == PARAM_INTEGER)
            m->value[i] = config_integer(options->config, i, options->documented);
    if (make_all(m) != 0) {
        amx_model_free(m);
        return NULL;
    }
    amx_threads_start(m);
    return m;
}

void amx_model_free(struct amx_model *m)
{
    if (!m)
        return;
    free(m->cost);
    free(m->stmts);
    free(m->stmt_of_item);
    free(m->cells);
    free(m->threads);
    free(m->streams);
    free(m->units);
    free(m->names);
    kernel_free(&m->kernel);
    resource_free(&m->ports);
    account_free(&m->account);
    path_free(&m->path);
    free(m);
}

void amx_model_header(const struct amx_model *m, struct sink_header *header)
{
    header->units = m->units;
    header->unit_count = m->unit_count;
    header->stmts = m->stmts;
    header->stmt_count = m->stmt_count;
    header->counters = m->counter_info;
    header->counter_count = AMX_COUNTERS;
}

int amx_model_advance(struct amx_model *m, uint64_t budget)
{
    const bool more = kernel_run(&m->kernel, budget);
    if (m->status != 0 || m->account.status != 0 || m->path.status != 0 || m->kernel.broken)
        return -1;
    return more;
}

uint64_t amx_model_cycles(const struct amx_model *m)
{
    return m->finish;
}

uint64_t amx_model_issued(const struct amx_model *m)
{
    return m->kernel.events;
}
