/* books: what a run comes to: totals, bounds, critical path and slack. */
#include <stdlib.h>
#include <string.h>

#include "timing/amx/state.h"

/* The cycles of each unit after its last work; what nobody speaks of is idle. */
static void tell_tails(struct amx_model *m)
{
    for (uint32_t i = 0; i < m->thread_count; i++) {
        const struct thread *t = &m->threads[i];
        account_cycles(m, cpu_unit(m, i), REASON_DRAINED, NONE_ID, t->order, t->finish);
    }
    for (uint32_t c = 0; c < m->clusters; c++) {
        uint64_t issued = 0, finish = 0; /* last statement, last result of the cluster's threads */
        for (uint32_t i = 0; i < m->thread_count; i++) {
            const struct thread *t = &m->threads[i];
            if (t->cluster != c)
                continue;
            issued = t->order > issued ? t->order : issued;
            finish = t->finish > finish ? t->finish : finish;
        }
        for (unsigned k = UNIT_ARRAY; k <= UNIT_LDST; k++) {
            const uint64_t free_at = m->ports[c][k].free_at;
            account_cycles(m, port_unit(c, k), REASON_DRAINED, NONE_ID,
                        free_at > issued ? free_at : issued, finish);
        }
    }
}

/* The rows of a summary while they are collected. */
struct books {
    struct sink_unit_total *unit_totals;
    struct sink_stmt_total *stmt_totals;
    struct sink_crit *crit;
    struct sink_slack *slack;
    struct sink_bound *bounds;
    struct sink_window *windows;
    size_t stmt_capacity, crit_capacity;
};

static int collect_units(const struct amx_model *m, struct books *b, struct sink_summary *s)
{
    const struct account *a = &m->account;
    b->unit_totals = account_totals(a, m->finish, &s->unit_total_count);
    b->windows = account_windows(a, &s->window_count);
    s->unit_totals = b->unit_totals;
    s->windows = b->windows;
    s->window = UINT64_C(1) << a->shift;
    return b->unit_totals && b->windows ? 0 : -1;
}

static int add_stmt(struct books *b, struct sink_summary *s, const struct sink_stmt_total *row)
{
    /* Threads of one cluster share its port: their rows of one statement join. */
    for (size_t i = s->stmt_total_count; i-- > 0 && b->stmt_totals[i].stmt == row->stmt;)
        if (b->stmt_totals[i].unit == row->unit && b->stmt_totals[i].reason == row->reason) {
            b->stmt_totals[i].cycles += row->cycles;
            b->stmt_totals[i].execs += row->execs;
            b->stmt_totals[i].ops += row->ops;
            b->stmt_totals[i].bytes += row->bytes;
            return 0;
        }
    if (row->cycles == 0)
        return 0;
    if (s->stmt_total_count == b->stmt_capacity) {
        const size_t more = b->stmt_capacity ? b->stmt_capacity * 2 : 64;
        struct sink_stmt_total *larger = realloc(b->stmt_totals, more * sizeof *larger);
        if (!larger)
            return -1;
        b->stmt_totals = larger;
        b->stmt_capacity = more;
    }
    b->stmt_totals[s->stmt_total_count++] = *row;
    return 0;
}

/* What one statement did to one unit: its work, and the cycles in which it was held. */
static int add_unit_rows(struct books *b, struct sink_summary *s, struct sink_stmt_total work,
                         const uint64_t held[HELD_COUNT], const uint64_t events[HELD_COUNT])
{
    static const uint32_t reason[HELD_COUNT] = {REASON_DATA, REASON_MEMORY, REASON_PORT};
    work.reason = REASON_BUSY;
    int status = add_stmt(b, s, &work);
    for (unsigned h = 0; h < HELD_COUNT && status == 0; h++) {
        const struct sink_stmt_total row = {.stmt = work.stmt,
                                            .unit = work.unit,
                                            .reason = reason[h],
                                            .cycles = held[h],
                                            .execs = events[h]};
        status = add_stmt(b, s, &row);
    }
    return status;
}

static int collect_stmts(const struct amx_model *m, struct books *b, struct sink_summary *s)
{
    const struct amx_section *section = m->program->sections;
    int status = 0;
    for (uint32_t stmt = 0; stmt < m->stmt_count && status == 0; stmt++) {
        const struct cost *cost = &m->cost[stmt];
        while (cost->item >= section->end)
            section++;
        const uint32_t threads = (uint32_t)(section->last_thread - section->first_thread) + 1;
        const struct thread *t = m->threads;
        while (t->number != section->first_thread)
            t++;
        for (uint32_t i = 0; i < threads && status == 0; i++, t++) {
            const struct cell *cell = &m->cells[cost->cells + i];
            const struct sink_stmt_total cpu = {.stmt = stmt,
                                                .unit = unit_of(m, t, UNIT_CPU),
                                                .cycles = cell->execs * cost->cpu,
                                                .execs = cell->execs};
            status = add_unit_rows(b, s, cpu, cell->held, cell->held_events);
            if (cost->port == UNIT_CPU || status != 0)
                continue;
            const struct sink_stmt_total port = {.stmt = stmt,
                                                 .unit = unit_of(m, t, cost->port),
                                                 .cycles = cell->execs * cost->interval,
                                                 .execs = cell->execs,
                                                 .ops = cell->execs * cost->flops,
                                                 .bytes = cell->execs * cost->bytes};
            status = add_unit_rows(b, s, port, cell->starved, cell->starved_events);
        }
    }
    s->stmt_totals = b->stmt_totals;
    return status;
}

static int collect_bounds(const struct amx_model *m, struct books *b, struct sink_summary *s)
{
    b->bounds = calloc(m->unit_count + 1, sizeof *b->bounds);
    if (!b->bounds)
        return -1;
    for (uint32_t i = 0; i < m->thread_count; i++)
        b->bounds[s->bound_count++] = (struct sink_bound){
            m->names[cpu_unit(m, i)][2], cpu_unit(m, i), m->threads[i].cpu_total,
            "a thread issues its instructions one after the other"};
    for (uint32_t c = 0; c < m->clusters; c++)
        for (unsigned k = UNIT_ARRAY; k <= UNIT_LDST; k++) {
            const struct port *port = &m->ports[c][k];
            const uint32_t unit = port_unit(c, k);
            if (port->events)
                b->bounds[s->bound_count++] = (struct sink_bound){
                    m->names[unit][2], unit, port->busy + port->shortest_tail,
                    "the unit does one thing at a time, and the last result follows its interval"};
        }
    b->bounds[s->bound_count++] = (struct sink_bound){
        "path", NONE_ID, m->path, "each result needs its latency after the results that it uses"};
    s->bounds = b->bounds;
    return 0;
}

/* --- critical path: back from the instruction that ended last, along what bound each --- */

static int add_crit(struct books *b, struct sink_summary *s, const struct sink_crit *run)
{
    if (run->duration == 0)
        return 0;
    struct sink_crit *last = s->crit_count ? &b->crit[s->crit_count - 1] : NULL;
    if (last && last->unit == run->unit && last->reason == run->reason) {
        /* Collected backwards: the run begins earlier now. */
        last->start = run->start;
        last->duration += run->duration;
        last->first_stmt = run->first_stmt;
        return 0;
    }
    if (s->crit_count == b->crit_capacity) {
        const size_t more = b->crit_capacity ? b->crit_capacity * 2 : 64;
        struct sink_crit *larger = realloc(b->crit, more * sizeof *larger);
        if (!larger)
            return -1;
        b->crit = larger;
        b->crit_capacity = more;
    }
    b->crit[s->crit_count++] = *run;
    return 0;
}

static uint64_t log_first(const struct amx_model *m)
{
    return m->issued > m->log_capacity ? m->issued - m->log_capacity : 0;
}

static int collect_path(const struct amx_model *m, struct books *b, struct sink_summary *s)
{
    if (!m->issued)
        return 0;
    const uint64_t oldest = log_first(m);
    uint64_t number = m->last_number, until = m->finish;
    uint32_t last_stmt = log_at(m, number)->stmt;
    enum binding binding = BOUND_DATA; /* the total waits for the last result */
    while (number != NOBODY && number >= oldest) {
        /* From the issue of this instruction to `until`, the issue of the one that it bound. */
        const struct issued *i = log_at(m, number);
        const struct thread *t = &m->threads[i->thread];
        const struct cost *cost = &m->cost[i->stmt];
        const bool ported = cost->port != UNIT_CPU;
        const struct sink_crit run = {
            .start = i->at,
            .duration = until - i->at,
            .first_stmt = i->stmt,
            .last_stmt = last_stmt,
            .unit = unit_of(m, t, binding == BOUND_ORDER || !ported ? UNIT_CPU : cost->port),
            .reason = binding == BOUND_DATA     ? REASON_DATA
                      : binding == BOUND_MEMORY ? REASON_MEMORY
                                                : REASON_BUSY};
        if (add_crit(b, s, &run) != 0)
            return -1;
        until = i->at;
        last_stmt = i->stmt;
        binding = (enum binding)i->binding;
        number = i->pred;
    }
    if (until > 0) { /* older than what is remembered: told as one run of the thread */
        const struct sink_crit run = {.duration = until,
                                      .first_stmt = 0,
                                      .last_stmt = last_stmt,
                                      .unit = cpu_unit(m, 0),
                                      .reason = REASON_BUSY};
        if (add_crit(b, s, &run) != 0)
            return -1;
    }
    for (size_t i = 0; i < s->crit_count / 2; i++) {
        const struct sink_crit swap = b->crit[i];
        b->crit[i] = b->crit[s->crit_count - 1 - i];
        b->crit[s->crit_count - 1 - i] = swap;
    }
    s->crit = b->crit;
    return 0;
}

/* --- slack: how much later each statement could issue, the order on every unit kept --- */

struct later {
    uint64_t thread[AMX_THREADS];            /* latest issue of the thread's next instruction */
    uint64_t port[AMX_CLUSTERS][UNIT_KINDS]; /* of the port's next */
    uint64_t need[AMX_THREADS][REGS];        /* latest cycle in which the register must be ready */
};

/* The latest issue of one instruction, going backwards in time. */
static uint64_t latest_issue(const struct amx_model *m, struct later *later,
                             const struct issued *i)
{
    const struct cost *cost = &m->cost[i->stmt];
    const struct footprint *f = &cost->foot;
    const uint32_t cluster = m->threads[i->thread].cluster;
    uint64_t *need = later->need[i->thread];
    uint64_t length = cost->latency > cost->cpu ? cost->latency : cost->cpu;
    uint64_t latest = later->thread[i->thread] - cost->cpu;
    if (cost->port != UNIT_CPU) {
        length = length > cost->interval ? length : cost->interval;
        const uint64_t next = later->port[cluster][cost->port] - cost->interval;
        latest = next < latest ? next : latest;
    }
    if (m->finish - length < latest)
        latest = m->finish - length;
    for (unsigned r = 0; r < REGS; r++) {
        const bool writes = r < REG_Z ? f->xy_write >> r & 1 : f->z_write >> (r - REG_Z) & 1;
        if (writes && need[r] - cost->latency < latest)
            latest = need[r] - cost->latency;
    }
    for (unsigned r = 0; r < REGS; r++) {
        const bool writes = r < REG_Z ? f->xy_write >> r & 1 : f->z_write >> (r - REG_Z) & 1;
        const bool reads = r < REG_Z ? f->xy_read >> r & 1 : f->z_read >> (r - REG_Z) & 1;
        if (writes) /* an earlier write must have landed by then */
            need[r] = latest + cost->latency;
        if (reads && latest < need[r])
            need[r] = latest;
    }
    later->thread[i->thread] = latest;
    if (cost->port != UNIT_CPU)
        later->port[cluster][cost->port] = latest;
    return latest;
}

static int collect_slack(const struct amx_model *m, struct books *b, struct sink_summary *s)
{
    if (!m->issued || log_first(m) > 0)
        return 0; /* of a part alone it would not be the slack of the statement */
    enum { FAR = 1 << 20 };
    const uint64_t never = m->finish + FAR;
    struct later *later = malloc(sizeof *later);
    b->slack = calloc(m->stmt_count, sizeof *b->slack);
    if (!later || !b->slack) {
        free(later);
        return -1;
    }
    uint64_t *fields = (uint64_t *)later;
    for (size_t i = 0; i < sizeof *later / sizeof *fields; i++)
        fields[i] = never;
    for (uint32_t i = 0; i < m->stmt_count; i++)
        b->slack[i] = (struct sink_slack){i, i, -1};
    for (uint64_t n = m->issued; n-- > 0;) {
        const struct issued *i = log_at(m, n);
        const int64_t slack = (int64_t)(latest_issue(m, later, i) - i->at);
        struct sink_slack *of = &b->slack[i->stmt];
        if (of->slack < 0 || slack < of->slack)
            of->slack = slack;
    }
    free(later);
    for (uint32_t i = 0; i < m->stmt_count; i++)
        if (b->slack[i].slack >= 0)
            b->slack[s->slack_count++] = b->slack[i];
    s->slack = b->slack;
    return 0;
}

int amx_model_finish(struct amx_model *m, bool complete, uint64_t documented)
{
    if (!m->sink || !m->sink->ops->finish)
        return 0;
    /* Threads that share a unit may end later although each of them got faster: who comes first
     * changes. The estimate itself is then the best that is known. */
    if (documented > m->finish)
        documented = m->finish;
    struct sink_counter counters[AMX_COUNTERS];
    for (uint32_t i = 0; i < AMX_COUNTERS; i++)
        counters[i] = (struct sink_counter){.counter = i, .value = m->counters[i]};
    struct sink_summary s = {.complete = complete,
                             .cycles = m->finish,
                             .cycles_documented = complete ? documented : 0,
                             .events = m->issued,
                             .counters = counters,
                             .counter_count = AMX_COUNTERS};
    struct books b = {0};
    tell_tails(m);
    int status = m->account.status;
    if (status == 0 && (collect_units(m, &b, &s) != 0 || collect_stmts(m, &b, &s) != 0 ||
                        collect_bounds(m, &b, &s) != 0 || collect_path(m, &b, &s) != 0 ||
                        collect_slack(m, &b, &s) != 0))
        status = -1;
    if (status == 0)
        status = m->sink->ops->finish(m->sink->context, &s);
    free(b.unit_totals);
    free(b.stmt_totals);
    free(b.crit);
    free(b.slack);
    free(b.bounds);
    free(b.windows);
    return status;
}
