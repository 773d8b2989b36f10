/* model: costs, footprints and issue; books.c keeps the books. */
#include "timing/amx/model.h"

#include <stdlib.h>
#include <string.h>

#include "timing/amx/state.h"

const struct param_row amx_params[AMX_PARAM_COUNT] = {
#define PARAM(name, type, sentence) {#name, PARAM_##type, sentence},
#include "timing/amx/param.def"
};

void amx_costs_read(struct amx_costs *costs, const struct config *config, bool documented)
{
    for (size_t i = 0; i < AMX_PARAM_COUNT; i++)
        costs->value[i] = amx_params[i].type == PARAM_INTEGER
                              ? config_integer(config, i, documented)
                              : 0;
}

static unsigned cluster_of(const struct amx_program *program, const struct amx_costs *costs,
                           uint32_t thread)
{
    if (program->cluster[thread] >= 0)
        return (unsigned)program->cluster[thread];
    return (unsigned)(thread % costs->value[AMX_PARAM_clusters]);
}

/* --- what a statement costs --- */

/* The registers of a 64-byte vector at a byte offset of the ring. */
static uint32_t ring_regs(unsigned offset)
{
    const unsigned first = offset / AMX_ROW;
    uint32_t regs = UINT32_C(1) << first;
    if (offset % AMX_ROW)
        regs |= UINT32_C(1) << (first + 1) % AMX_XY_REGS;
    return regs;
}

static void matfp_cost(const struct amx_model *m, const struct amx_item *item, struct cost *cost)
{
    const struct matfp *f = &item->matfp.decoded;
    if (f->noop) { /* the thread issues it, the unit has nothing to do */
        cost->port = UNIT_CPU;
        cost->interval = cost->latency = cost->cpu;
        return;
    }
    switch ((enum matfp_lanes)f->lanes) {
#define LANE_COST(lanes, name, class)                                                              \
    case MATFP_##lanes:                                                                            \
        cost->interval = (uint32_t)m->costs.value[AMX_PARAM_##name];                               \
        cost->port_rule = #name;                                                                   \
        cost->counter = AMX_COUNTER_##class;                                                         \
        break;
#include "timing/amx/cost.def"
    case MATFP_LANES_COUNT:
        break;
    }
    cost->flops = matfp_flops(f);
    cost->foot.xy_read = ring_regs(f->x_offset) | ring_regs(f->y_offset) << REG_Y;
    if (f->indexed)
        cost->foot.xy_read |= UINT32_C(1) << (f->index_reg + (f->indexed == MATFP_INDEX_Y ? REG_Y : 0));
    /* The accumulator is waited for and taken whole, whatever lanes are enabled. */
    cost->foot.z_write = f->rows;
    if (f->alu != MATFP_RELU && !f->result_zero)
        cost->foot.z_read = f->rows;
}

static void transfer_foot(const struct amx_item *item, struct footprint *foot)
{
    uint64_t regs = 0;
    for (unsigned i = 0; i <= item->pair; i++)
        regs |= UINT64_C(1) << (item->reg + i) % (item->insn == AMX_LDZ || item->insn == AMX_STZ
                                                      ? (unsigned)AMX_Z_ROWS
                                                      : (unsigned)AMX_XY_REGS);
    switch ((enum amx_insn)item->insn) {
    case AMX_LDX:
        foot->xy_write = (uint32_t)regs;
        break;
    case AMX_LDY:
        foot->xy_write = (uint32_t)regs << REG_Y;
        break;
    case AMX_LDZ:
        foot->z_write = regs;
        break;
    case AMX_STX:
        foot->xy_read = (uint32_t)regs;
        break;
    case AMX_STY:
        foot->xy_read = (uint32_t)regs << REG_Y;
        break;
    default:
        foot->z_read = regs;
        break;
    }
}

static void fill_cost(const struct amx_model *m, const struct amx_item *item, struct cost *cost)
{
    cost->cpu = (uint32_t)m->costs.value[AMX_PARAM_issue_interval];
    switch ((enum amx_insn)item->insn) {
#define COST(insn, unit, name, delay)                                                              \
    case AMX_##insn:                                                                               \
        cost->port = UNIT_##unit;                                                                  \
        cost->interval = (uint32_t)m->costs.value[AMX_PARAM_##name];                               \
        cost->latency = (uint32_t)m->costs.value[AMX_PARAM_##delay];                               \
        cost->rule = #delay;                                                                       \
        cost->port_rule = #name;                                                                   \
        break;
#include "timing/amx/cost.def"
    case AMX_INSN_COUNT:
        break;
    }
    if (item->insn == AMX_MATFP) {
        matfp_cost(m, item, cost);
    } else if (cost->port == UNIT_LDST) {
        cost->bytes = item->pair ? 2 * AMX_ROW : AMX_ROW;
        cost->interval *= item->pair ? 2 : 1;
        cost->latency += item->pair ? cost->interval / 2 : 0; /* the second row comes after */
        transfer_foot(item, &cost->foot);
    } else {
        cost->cpu = cost->interval; /* set and clr */
        if (item->insn == AMX_SET) {
            cost->foot.xy_write = (UINT32_C(1) << REG_Z) - 1;
            cost->foot.z_write = UINT64_MAX;
        }
    }
}

/* --- issue --- */

static void consider(struct thread *t, const struct entry *entry, uint64_t ready)
{
    if (ready > t->data) {
        t->data = ready;
        t->data_by = *entry;
    }
}

/* From when on the registers of the thread's next instruction let it go. A write may not land before
 * an earlier one of the same register. */
static void find_data(const struct amx_model *m, struct thread *t)
{
    const struct cost *cost = &m->cost[t->stmt];
    const struct footprint *f = &cost->foot;
    t->data = 0;
    t->data_by = (struct entry){.by = NOBODY, .stmt = NONE_ID};
    for (uint32_t bits = f->xy_read | f->xy_write, r = 0; bits; bits >>= 1, r++) {
        if (!(bits & 1))
            continue;
        const struct entry *e = &t->regs[r];
        if (f->xy_read >> r & 1)
            consider(t, e, e->ready);
        else if (e->ready > cost->latency)
            consider(t, e, e->ready - cost->latency);
    }
    const uint64_t z = f->z_read | f->z_write;
    for (unsigned r = 0; r < AMX_Z_ROWS && z >> r; r++) {
        if (!(z >> r & 1))
            continue;
        const struct entry *e = &t->regs[REG_Z + r];
        if (f->z_read >> r & 1)
            consider(t, e, e->ready);
        else if (e->ready > cost->latency)
            consider(t, e, e->ready - cost->latency);
    }
}

/* Fetch the thread's next instruction. */
static void fetch(struct amx_model *m, struct thread *t)
{
    const struct amx_item *item;
    do
        item = amx_cursor_next(&t->cursor, m->program);
    while (item && item->kind != AMX_ITEM_INSN);
    if (!item) {
        t->done = true;
        return;
    }
    t->stmt = m->stmt_of_item[item - m->program->items];
    find_data(m, t);
}

static struct port *port_of(struct amx_model *m, const struct thread *t, const struct cost *cost)
{
    return cost->port == UNIT_CPU ? NULL : &m->ports[t->cluster][cost->port];
}

static uint64_t issue_cycle(struct amx_model *m, const struct thread *t)
{
    const struct port *port = port_of(m, t, &m->cost[t->stmt]);
    uint64_t at = t->order > t->data ? t->order : t->data;
    if (port && port->free_at > at)
        at = port->free_at;
    return at;
}

/* The thread that issues next: the earliest; of several the one that has waited longest. */
static struct thread *choose(struct amx_model *m)
{
    struct thread *best = NULL;
    uint64_t best_at = 0;
    for (uint32_t i = 0; i < m->thread_count; i++) {
        struct thread *t = &m->threads[i];
        if (t->done)
            continue;
        const uint64_t at = issue_cycle(m, t);
        if (!best || at < best_at || (at == best_at && t->order < best->order)) {
            best = t;
            best_at = at;
        }
    }
    return best;
}

static int emit_edge(const struct amx_model *m, const struct sink_edge *edge)
{
    if (!m->sink || !m->sink->ops->edge)
        return 0;
    return m->sink->ops->edge(m->sink->context, edge);
}

/* Cycles [from, to) in which stmt was held: of the thread, and of a port that had nothing to do. */
static void held(struct amx_model *m, struct thread *t, const struct cost *cost, unsigned why,
                uint64_t from, uint64_t to)
{
    static const uint32_t reason[HELD_COUNT] = {REASON_DATA, REASON_MEMORY, REASON_PORT};
    if (to <= from)
        return;
    const struct amx_section *section = &m->program->sections[t->cursor.section];
    struct cell *cell = &m->cells[cost->cells + t->number - section->first_thread];
    cell->held[why] += to - from;
    cell->held_events[why]++;
    account_cycles(m, unit_of(m, t, UNIT_CPU), reason[why], t->stmt, from, to);
    const struct port *port = port_of(m, t, cost);
    if (!port || port->free_at >= to)
        return;
    const uint64_t start = port->free_at > from ? port->free_at : from;
    cell->starved[why] += to - start;
    cell->starved_events[why]++;
    account_cycles(m, unit_of(m, t, cost->port), reason[why], t->stmt, start, to);
}

/* Everything that held the instruction before it goes at cycle at. */
static int emit_waits(struct amx_model *m, struct thread *t, const struct cost *cost, uint64_t at)
{
    const struct port *port = port_of(m, t, cost);
    const uint64_t ready = t->data > t->order ? t->data : t->order;
    const bool load = t->data_by.load;
    if (ready > t->order) {
        const struct sink_edge edge = {
            .src = t->data_by.stmt,
            .dst = t->stmt,
            .kind = load ? EDGE_MEMORY : EDGE_DATA,
            .unit = t->data_by.stmt == NONE_ID
                        ? NONE_ID
                        : unit_of(m, t, m->cost[t->data_by.stmt].port),
            .rule = t->data_by.stmt == NONE_ID ? "" : m->cost[t->data_by.stmt].rule,
            .released = t->data,
            .at = at,
            .waited = ready - t->order,
            .times = 1};
        held(m, t, cost, load ? HELD_MEMORY : HELD_DATA, t->order, ready);
        if (emit_edge(m, &edge) != 0)
            return -1;
    }
    if (at > ready) {
        const struct sink_edge edge = {.src = port->stmt,
                                       .dst = t->stmt,
                                       .kind = EDGE_PORT,
                                       .unit = unit_of(m, t, cost->port),
                                       .rule = m->cost[port->stmt].port_rule,
                                       .released = at,
                                       .at = at,
                                       .waited = at - ready,
                                       .times = 1};
        held(m, t, cost, HELD_PORT, ready, at);
        if (emit_edge(m, &edge) != 0)
            return -1;
    }
    return 0;
}

static void log_issue(struct amx_model *m, const struct thread *t, uint64_t at)
{
    if (!m->sink)
        return;
    if (m->issued == m->log_capacity && m->log_capacity < LOG_LIMIT) {
        const size_t more = m->log_capacity ? m->log_capacity * 2 : 1024;
        struct issued *larger = realloc(m->log, more * sizeof *larger);
        if (!larger) {
            m->out_of_memory = true;
            return;
        }
        m->log = larger;
        m->log_capacity = more;
    }
    const struct cost *cost = &m->cost[t->stmt];
    struct issued *entry = &m->log[m->issued % m->log_capacity];
    *entry = (struct issued){.at = at, .stmt = t->stmt, .pred = t->last};
    entry->thread = (uint8_t)(t - m->threads);
    entry->binding = BOUND_ORDER;
    if (at > t->order && at == t->data) {
        entry->binding = t->data_by.load ? BOUND_MEMORY : BOUND_DATA;
        entry->pred = t->data_by.by;
    } else if (at > t->order) {
        entry->binding = BOUND_PORT;
        entry->pred = m->ports[t->cluster][cost->port].by;
    }
}

/* Earliest finish if no unit were ever taken: the dependency path. */
static void follow_path(struct amx_model *m, struct thread *t, const struct cost *cost)
{
    const struct footprint *f = &cost->foot;
    uint64_t start = 0;
    for (unsigned r = 0; r < REG_Z && f->xy_read >> r; r++)
        if ((f->xy_read >> r & 1) && t->path[r] > start)
            start = t->path[r];
    for (unsigned r = 0; r < AMX_Z_ROWS && f->z_read >> r; r++)
        if ((f->z_read >> r & 1) && t->path[REG_Z + r] > start)
            start = t->path[REG_Z + r];
    const uint64_t end = start + cost->latency;
    for (unsigned r = 0; r < REG_Z && f->xy_write >> r; r++)
        if (f->xy_write >> r & 1)
            t->path[r] = end;
    for (unsigned r = 0; r < AMX_Z_ROWS && f->z_write >> r; r++)
        if (f->z_write >> r & 1)
            t->path[REG_Z + r] = end;
    if (end > m->path)
        m->path = end;
}

static void write_regs(const struct amx_model *m, struct thread *t, const struct cost *cost,
                       uint64_t at)
{
    const struct footprint *f = &cost->foot;
    const struct amx_item *item = &m->program->items[cost->item];
    const struct entry entry = {.ready = at + cost->latency,
                                .by = m->issued,
                                .stmt = t->stmt,
                                .load = item->insn == AMX_LDX || item->insn == AMX_LDY ||
                                        item->insn == AMX_LDZ};
    for (unsigned r = 0; r < REG_Z && f->xy_write >> r; r++)
        if (f->xy_write >> r & 1)
            t->regs[r] = entry;
    for (unsigned r = 0; r < AMX_Z_ROWS && f->z_write >> r; r++)
        if (f->z_write >> r & 1)
            t->regs[REG_Z + r] = entry;
}

static int issue(struct amx_model *m, struct thread *t)
{
    const struct cost *cost = &m->cost[t->stmt];
    const uint64_t at = issue_cycle(m, t);
    if (emit_waits(m, t, cost, at) != 0)
        return -1;
    log_issue(m, t, at);
    if (m->out_of_memory)
        return -1;

    const struct amx_section *section = &m->program->sections[t->cursor.section];
    m->cells[cost->cells + t->number - section->first_thread].execs++;
    m->counters[AMX_COUNTER_STEPS]++;
    m->counters[cost->counter] += cost->flops;
    uint64_t finish = at + (cost->latency > cost->cpu ? cost->latency : cost->cpu);
    account_cycles(m, unit_of(m, t, UNIT_CPU), REASON_BUSY, t->stmt, at, at + cost->cpu);
    struct port *port = port_of(m, t, cost);
    if (port) {
        account_cycles(m, unit_of(m, t, cost->port), REASON_BUSY, t->stmt, at, at + cost->interval);
        if (finish < at + cost->interval)
            finish = at + cost->interval;
        /* Whatever comes last needs this long after the units before it are through. */
        const uint64_t tail = finish - at > cost->interval ? finish - at - cost->interval : 0;
        if (!port->events || tail < port->shortest_tail)
            port->shortest_tail = tail;
        port->free_at = at + cost->interval;
        port->by = m->issued;
        port->stmt = t->stmt;
        port->busy += cost->interval;
        port->events++;
    }
    write_regs(m, t, cost, at);
    follow_path(m, t, cost);
    t->cpu_total += cost->cpu;
    t->last = m->issued;
    t->last_issue = at;
    t->order = at + cost->cpu;
    if (finish > t->finish)
        t->finish = finish;
    if (finish > m->finish) {
        m->finish = finish;
        m->last_number = m->issued;
    }
    m->issued++;
    fetch(m, t);
    return m->account.status;
}

int amx_model_advance(struct amx_model *m, uint64_t budget)
{
    for (; budget; budget--) {
        struct thread *t = choose(m);
        if (!t)
            return 0;
        if (issue(m, t) != 0)
            return -1;
    }
    return 1;
}

uint64_t amx_model_cycles(const struct amx_model *m)
{
    return m->finish;
}

uint64_t amx_model_issued(const struct amx_model *m)
{
    return m->issued;
}

/* --- making and freeing --- */

static int make_stmts(struct amx_model *m)
{
    const struct amx_program *program = m->program;
    for (size_t s = 0; s < program->section_count; s++) {
        const struct amx_section *section = &program->sections[s];
        const uint32_t threads = (uint32_t)(section->last_thread - section->first_thread) + 1;
        for (size_t i = section->first; i < section->end; i++) {
            const struct amx_item *item = &program->items[i];
            if (item->kind != AMX_ITEM_INSN)
                continue;
            struct cost *cost = &m->cost[m->stmt_count];
            fill_cost(m, item, cost);
            cost->item = (uint32_t)i;
            cost->cells = (uint32_t)m->cell_count;
            m->cell_count += threads;
            m->stmts[m->stmt_count] = (struct stmt_info){
                .file = item->source,
                .line = item->line,
                .text = program->sources[item->source].text + item->offset,
                .text_length = item->length};
            m->stmt_of_item[i] = (uint32_t)m->stmt_count++;
        }
    }
    m->cells = calloc(m->cell_count + 1, sizeof *m->cells);
    return m->cells ? 0 : -1;
}

static const char *const unit_name[UNIT_KINDS] = {
#define UNIT(id, name, path, kind, sentence) [UNIT_##id] = name,
#include "timing/amx/unit.def"
};
static const char *const unit_path[UNIT_KINDS] = {
#define UNIT(id, name, path, kind, sentence) [UNIT_##id] = path,
#include "timing/amx/unit.def"
};
static const char *const unit_word[UNIT_KINDS] = {
#define UNIT(id, name, path, kind, sentence) [UNIT_##id] = kind,
#include "timing/amx/unit.def"
};

static void name_unit(struct amx_model *m, uint32_t unit, unsigned kind, uint32_t number,
                      uint32_t cluster)
{
    char(*name)[64] = m->names[unit];
    snprintf(name[0], 32, "%s%u", unit_name[kind], number);
    snprintf(name[1], sizeof name[1], kind == UNIT_CPU ? "chip.cluster%u.%s%u" : "chip.cluster%u.%s",
             cluster, unit_path[kind], number);
    snprintf(name[2], sizeof name[2], "%s %s", kind == UNIT_CPU ? "issue" : "unit", name[0]);
    m->units[unit] = (struct unit_info){
        .name = name[0], .path = name[1], .kind = unit_word[kind], .instances = 1};
    if (kind == UNIT_LDST)
        m->units[unit].width = (double)AMX_ROW / 8;
    if (kind == UNIT_ARRAY) { /* the fastest kind: 16-bit lanes, 32 x 32 multiply-adds */
        const uint64_t interval = m->costs.value[AMX_PARAM_interval_16];
        m->units[unit].peak_flops = 2.0 * 32 * 32 / (double)(interval ? interval : 1);
    }
}

static int make_units(struct amx_model *m)
{
    m->unit_count = m->thread_count + 2 * (size_t)m->clusters;
    const size_t n = m->unit_count;
    m->units = calloc(n, sizeof *m->units);
    m->names = calloc(n, sizeof *m->names);
    if (!m->units || !m->names || account_init(&m->account, n, m->sink) != 0)
        return -1;
    for (uint32_t i = 0; i < m->thread_count; i++)
        name_unit(m, cpu_unit(m, i), UNIT_CPU, m->threads[i].number, m->threads[i].cluster);
    for (uint32_t c = 0; c < m->clusters; c++) {
        name_unit(m, port_unit(c, UNIT_ARRAY), UNIT_ARRAY, c, c);
        name_unit(m, port_unit(c, UNIT_LDST), UNIT_LDST, c, c);
    }
    return 0;
}

static int make_threads(struct amx_model *m)
{
    m->threads = calloc(AMX_THREADS, sizeof *m->threads);
    if (!m->threads)
        return -1;
    for (uint32_t number = 0; number < AMX_THREADS; number++) {
        if (!(m->program->threads >> number & 1))
            continue;
        struct thread *t = &m->threads[m->thread_count++];
        t->number = number;
        t->cluster = cluster_of(m->program, &m->costs, number);
        t->last = NOBODY;
        for (unsigned r = 0; r < REGS; r++)
            t->regs[r] = (struct entry){.by = NOBODY, .stmt = NONE_ID};
        if (t->cluster >= m->clusters)
            m->clusters = t->cluster + 1;
    }
    if (m->clusters == 0)
        m->clusters = 1;
    return 0;
}

struct amx_model *amx_model_new(const struct amx_program *program, const struct amx_costs *costs,
                                const struct sink *sink)
{
    struct amx_model *m = calloc(1, sizeof *m);
    if (!m)
        return NULL;
    m->program = program;
    m->costs = *costs;
    m->sink = sink;
    m->last_number = NOBODY;
    m->cost = calloc(program->item_count + 1, sizeof *m->cost);
    m->stmts = calloc(program->item_count + 1, sizeof *m->stmts);
    m->stmt_of_item = calloc(program->item_count + 1, sizeof *m->stmt_of_item);
    for (unsigned c = 0; c < AMX_CLUSTERS; c++)
        for (unsigned k = 0; k < UNIT_KINDS; k++)
            m->ports[c][k] = (struct port){.by = NOBODY, .stmt = NONE_ID};
    if (!m->cost || !m->stmts || !m->stmt_of_item || make_stmts(m) != 0 || make_threads(m) != 0 ||
        make_units(m) != 0) {
        amx_model_free(m);
        return NULL;
    }
    for (uint32_t i = 0; i < m->thread_count; i++) {
        amx_cursor_start(&m->threads[i].cursor, program, m->threads[i].number);
        fetch(m, &m->threads[i]);
    }
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
    free(m->units);
    free(m->names);
    account_free(&m->account);
    free(m->log);
    free(m);
}

const struct unit_info *amx_model_units(const struct amx_model *m, size_t *count)
{
    *count = m->unit_count;
    return m->units;
}

const struct stmt_info *amx_model_stmts(const struct amx_model *m, size_t *count)
{
    *count = m->stmt_count;
    return m->stmts;
}
