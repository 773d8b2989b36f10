/* tile: one tile as a process of the kernel. */
#include "timing/loops/model.h"

static const struct loops_step *step_of(const struct loops_tile *t)
{
    return &t->walk.step;
}

static uint32_t index_of(const struct loops_tile *t)
{
    return t->walk.tile;
}

/* --- what the next step waits for ------------------------------------------------------------- */

/* Sums of its run; or what ended before it may begin. */
static struct release data_of(const struct loops_tile *t)
{
    const struct loops_step *step = step_of(t);
    struct release data = t->wait;
    if (!step->chained && !step->loads)
        return data;
    struct producer by;
    const struct place_set set = {.first = loops_walk_place(&t->walk), .reads = 1};
    const uint64_t ready = scoreboard_issue(&t->board, &set, 1, 0, &by);
    return ready > data.at ? (struct release){by, ready} : data;
}

static uint64_t ready_cycle(const struct loops_tile *t)
{
    const uint64_t data = data_of(t).at;
    return data > t->order ? data : t->order;
}

static uint64_t ports_of(const struct loops_tile *t)
{
    uint64_t ports = 0;
    for (unsigned u = 0; u < LOOPS_PORTS; u++)
        if (step_of(t)->taken[u])
            ports |= UINT64_C(1) << u;
    return ports;
}

static uint64_t issue_cycle(const struct loops_tile *t)
{
    const uint64_t ready = ready_cycle(t), ports = ports_of(t);
    const uint64_t taken = ports ? resource_free_at(&t->ports, ports) : 0;
    return taken > ready ? taken : ready;
}

/* --- what it did, and what held it ------------------------------------------------------------ */

/* Cycles [from, to) of a unit of the tile belong to its current step. */
static struct sink_stmt_total *charge(struct loops_tile *t, unsigned unit, uint32_t reason,
                                      uint64_t from, uint64_t to)
{
    return run_charge(&t->model->base, loops_unit_of(t->model, index_of(t), unit), reason,
                      step_of(t)->stmt, from, to);
}

/* The step was held in [from, to), its units as far as they had nothing else to do. */
static void held(struct loops_tile *t, uint32_t reason, uint64_t from, uint64_t to)
{
    charge(t, LOOPS_UNIT_CONTROL, reason, from, to);
    for (unsigned u = 0; u < LOOPS_PORTS; u++)
        if (step_of(t)->taken[u])
            charge(t, u, reason, t->holder[u].at > from ? t->holder[u].at : from, to);
}

/* It waited for data until `ready`, and then for a unit. Returns what let it go last. */
static struct producer report_waits(struct loops_tile *t, uint64_t ready, uint64_t at,
                                    uint32_t *reason)
{
    struct loops_model *m = t->model;
    const struct loops_step *step = step_of(t);
    struct producer by = {.number = PATH_NONE};
    struct sink_edge edge = {.dst = step->stmt, .at = at, .times = 1};
    *reason = REASON_BUSY;
    if (ready > t->order) {
        const struct release data = data_of(t);
        const bool end = data.at == t->wait.at;
        *reason = end ? t->wait_reason : step->chained ? REASON_DATA : REASON_MEMORY;
        by = data.by;
        edge.kind = end ? EDGE_ORDER : step->chained ? EDGE_DATA : EDGE_MEMORY;
        edge.src = by.statement;
        edge.unit = loops_unit_of(m, index_of(t),
                                  end             ? LOOPS_UNIT_CONTROL
                                  : step->chained ? LOOPS_UNIT_MATH
                                                  : LOOPS_UNIT_MEMORY);
        edge.rule = *reason == LOOPS_REASON_OUTER ? "outer_drain"
                    : end                         ? ""
                    : step->chained               ? loops_sum_rule(t)
                                                  : "write_latency";
        edge.released = ready;
        edge.waited = ready - t->order;
        held(t, *reason, t->order, ready);
        run_edge(&m->base, &edge);
    }
    if (at > ready) {
        static const char *const rule[LOOPS_PORTS] = {"address_interval", "bank_interval",
                                                      "math_interval"};
        const unsigned port = resource_last_released(&t->ports, ports_of(t));
        by = t->holder[port].by;
        *reason = REASON_PORT;
        edge.kind = EDGE_PORT;
        edge.src = by.statement;
        edge.unit = loops_unit_of(m, index_of(t), port);
        edge.rule = by.statement % 2 ? rule[port] : "state_interval";
        edge.released = at;
        edge.waited = at - ready;
        held(t, REASON_PORT, ready, at);
        run_edge(&m->base, &edge);
    }
    return by;
}

static void count(struct loops_tile *t, struct sink_stmt_total *math)
{
    const struct loops_step *step = step_of(t);
    struct loops_model *m = t->model;
    const struct loops_nest *nest = &m->program->nests[t->walk.nest];
    if (step->setup)
        return;
    const struct loops_part *part = &t->walk.code.parts[t->walk.part];
    uint64_t all = 1, entries = 1;
    for (unsigned k = part->sequential; k < part->count; k++) {
        const uint64_t lanes = part->levels[k].masked ? part->levels[k].limit : t->walk.at.limit[k];
        all *= lanes;
        entries *= k < part->sums ? lanes : 1; /* what is summed goes to one */
    }
    uint64_t done = 1;
    for (unsigned k = part->sequential; k < part->count; k++)
        done *= t->walk.at.limit[k];
    if (index_of(t) == 0) { /* it has lanes in every step */
        m->counters[LOOPS_COUNTER_STEPS]++;
        m->counters[LOOPS_COUNTER_SLOTS] += loops_units(m->program);
        m->counters[LOOPS_COUNTER_MASKED] += all - done;
        m->counters[LOOPS_COUNTER_ENTRIES] += step->stores ? entries : 0;
    }
    m->counters[LOOPS_COUNTER_ITERATIONS] += step->lanes;
    m->counters[LOOPS_COUNTER_ADDRESSES] += step->addresses;
    const uint64_t ops =
        step->lanes * ((nest->op != LOOPS_OP_NONE) + (uint64_t)(nest->assign != LOOPS_ASSIGN_SET));
    m->counters[nest->type == LOOPS_F32 ? LOOPS_COUNTER_SINGLE : LOOPS_COUNTER_INTEGER] += ops;
    if (math)
        math->ops += ops;
}

/* The number of its record. No other tile waits for its units, so it names no unit. */
static uint64_t record(struct loops_tile *t, uint64_t at)
{
    struct loops_model *m = t->model;
    const struct loops_step *step = step_of(t);
    struct path_stream *stream = &m->streams[index_of(t)];
    uint32_t reason;
    const struct producer by = report_waits(t, ready_cycle(t), at, &reason);
    const unsigned unit = step->setup ? LOOPS_UNIT_TRAVERSAL : LOOPS_UNIT_MATH;
    const bool last =
        t->walk.nest + 1 == m->program->nest_count && t->walk.part + 1 == t->walk.code.part_count;
    const struct path_record record = {.start = t->order < at ? t->order : at,
                                       .end = at,
                                       .released = at,
                                       .by = by.number,
                                       .waited = PATH_NONE,
                                       .ordinal = stream->ordinal++,
                                       .stream = index_of(t),
                                       .stmt = step->stmt,
                                       .reason = (uint8_t)reason,
                                       .active = true,
                                       .pinned = !last,
                                       .unit = loops_unit_of(m, index_of(t), unit),
                                       .claimed = at,
                                       .older = PATH_NONE};
    charge(t, LOOPS_UNIT_CONTROL, REASON_BUSY, at, at + step->control);
    struct sink_stmt_total *row = NULL; /* of the last one, math */
    for (unsigned u = 0; u < LOOPS_PORTS; u++)
        row = charge(t, u, REASON_BUSY, at, at + step->taken[u]);
    count(t, row);
    stream->now = at + step->control;
    const uint64_t number = path_issue(&m->base.path, &record);
    if (m->base.path.status == 0)
        path_end(&m->base.path, number, at + step->control, at + step->length);
    return number;
}

/* --- issue ------------------------------------------------------------------------------------ */

/* It is the one that shall issue later: then it is ready only then. */
static bool hold_back(struct loops_tile *t, uint64_t at)
{
    struct loops_model *m = t->model;
    if (!m->base.options.delay || m->base.options.delay->stmt != step_of(t)->stmt ||
        m->base.turns++ != m->base.options.delay->turn)
        return false;
    t->wait = (struct release){NO_PRODUCER, at + m->base.options.delay->cycles};
    return true;
}

/* Whether it has issued. */
static bool issue(struct loops_tile *t, uint64_t at)
{
    struct loops_model *m = t->model;
    const struct loops_step *step = step_of(t);
    if (hold_back(t, at))
        return false;
    const struct producer by = {.number = m->base.sink ? record(t, at) : PATH_NONE,
                                .statement = step->stmt};
    for (unsigned u = 0; u < LOOPS_PORTS; u++)
        if (step->taken[u]) {
            t->holder[u] = (struct release){by, at + step->taken[u]};
            resource_take(&t->ports, u, index_of(t), 0, at + step->taken[u]);
        }
    if (!step->setup && m->program->nests[t->walk.nest].assign != LOOPS_ASSIGN_SET) {
        const struct place_set set = {.first = loops_walk_place(&t->walk), .writes = 1};
        scoreboard_write(&t->board, &set, 1, at + loops_result(step), &by);
    }
    t->order = at + step->control;
    if (at + step->length >= t->finish) {
        t->finish = at + step->length;
        t->ended = (struct release){by, t->finish};
    }
    m->base.finish = t->finish > m->base.finish ? t->finish : m->base.finish;
    kernel_count(&m->base.kernel, 1);
    loops_use(t, at);
    if (m->base.options.own)
        loops_history_issued(t, at);
    t->wait.at = 0;
    return true;
}

/* --- parts ------------------------------------------------------------------------------------ */

static void release_tile(struct loops_tile *t, const struct release *end, uint32_t reason)
{
    t->waiting = t->between = false;
    t->model->arrived--;
    t->wait = *end;
    t->wait_reason = reason;
    kernel_wake(&t->model->base.kernel, &t->process, end->at, PHASE_NOTICE,
                reason == LOOPS_REASON_OUTER ? "the outer iteration before has ended"
                                             : "the nest before has ended");
}

/* All tiles wait. Where some have more of the part to do, these continue; else the next part begins
 * on all, where there is one. */
static void go_on(struct loops_model *m)
{
    struct loops_tile *const last = m->tiles + m->tile_count;
    struct release end = m->tiles[0].ended;
    bool between = false;
    for (struct loops_tile *t = m->tiles; t < last; t++) {
        between |= t->between;
        if (t->ended.at > end.at)
            end = t->ended;
    }
    for (struct loops_tile *t = m->tiles; t < last; t++) {
        if (between && t->between)
            release_tile(t, &end, LOOPS_REASON_OUTER);
        if (between)
            continue;
        loops_walk_part(&t->walk);
        if (t->walk.nest == m->program->nest_count)
            continue;
        loops_walk_begin(&t->walk);
        release_tile(t, &end, LOOPS_REASON_NEST);
    }
}

/* between: two outer iterations, not at the end of the part. */
static void arrive(struct loops_tile *t, bool between)
{
    t->waiting = true;
    t->between = between;
    if (++t->model->arrived == t->model->tile_count)
        go_on(t->model);
}

/* To the next step. Returns whether an outer iteration has ended, before others of the part, at
 * which tiles wait for each other. */
static bool advance(struct loops_tile *t)
{
    const bool outer = t->model->value[LOOPS_PARAM_outer_drain] && !step_of(t)->setup &&
                       loops_walk_outer(&t->walk);
    loops_walk_next(&t->walk);
    return outer && !t->walk.ended;
}

static void resume(struct process *process, struct kernel *kernel)
{
    struct loops_tile *t = (struct loops_tile *)process;
    const uint64_t end = kernel_horizon(kernel, process);
    if (t->waiting || t->walk.nest == t->model->program->nest_count)
        return;
    while (!t->walk.ended) {
        if (kernel_exhausted(kernel)) {
            kernel_pause(kernel, process);
            return;
        }
        if (!step_of(t)->lanes) {
            kernel_spend(kernel, 1);
        } else {
            const uint64_t at = issue_cycle(t);
            if (at >= end) {
                kernel_wake(kernel, process, at, PHASE_ISSUE, "next step");
                return;
            }
            if (!issue(t, at))
                continue;
        }
        if (advance(t)) {
            arrive(t, true);
            return;
        }
    }
    arrive(t, false);
}

static void describe(const struct process *process, char *text, size_t size)
{
    const struct loops_tile *t = (const struct loops_tile *)process;
    if (t->walk.ended)
        snprintf(text, size, "tile%u", index_of(t));
    else
        snprintf(text, size, "tile%u line %u", index_of(t), t->model->stmts[step_of(t)->stmt].line);
}

void loops_tiles_start(struct loops_model *model)
{
    for (struct loops_tile *t = model->tiles; t < model->tiles + model->tile_count; t++) {
        t->process =
            (struct process){.resume = resume, .horizon = kernel_never, .describe = describe};
        for (unsigned u = 0; u < LOOPS_PORTS; u++)
            t->holder[u] = (struct release){NO_PRODUCER, 0};
        t->ended.by = t->wait.by = NO_PRODUCER;
        if (!model->program->nest_count)
            continue;
        loops_walk_begin(&t->walk);
        kernel_wake(&model->base.kernel, &t->process, 0, PHASE_ISSUE, "start");
    }
}
