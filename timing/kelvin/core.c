/* core: dispatch of the scalar core, a process of the kernel. */
#include "timing/kelvin/model.h"

/* --- constraints on the next instruction ------------------------------------------------------ */

static const struct kelvin_step *next_step(const struct kelvin_model *m)
{
    return &m->steps[m->step];
}

uint64_t kelvin_latency(const struct kelvin_model *m, const struct kelvin_cost *cost,
                        const struct kelvin_step *step, const char **rule)
{
    switch ((enum kelvin_class)cost->class) {
    case KELVIN_MULTIPLY:
        *rule = "mul_latency";
        return m->value[KELVIN_PARAM_mul_latency];
    case KELVIN_DIVIDE:
        *rule = "div_base";
        return m->value[KELVIN_PARAM_div_base] +
               (step->quotient + m->value[KELVIN_PARAM_div_bits] - 1) /
                   m->value[KELVIN_PARAM_div_bits];
    case KELVIN_LOAD:
        *rule = "load_latency";
        return m->value[KELVIN_PARAM_load_latency];
    default:
        *rule = "alu_latency";
        return m->value[KELVIN_PARAM_alu_latency];
    }
}

static void consider(struct kelvin_hold *last, const struct kelvin_hold *cause)
{
    if (cause->at > last->at)
        *last = *cause;
}

/* The parameter that gives the latency of a statement. */
static const char *rule_of(const struct kelvin_model *m, struct producer by)
{
    static const struct kelvin_step none;
    const char *rule = "";
    if (by.statement != UINT32_MAX)
        kelvin_latency(m, &m->cost[by.statement], &none, &rule);
    return rule;
}

static void consider_registers(const struct kelvin_model *m, const struct kelvin_cost *cost,
                               uint64_t latency, struct kelvin_hold *last)
{
    const struct place_set set = {0, cost->x_reads, cost->x_writes};
    struct producer by;
    if (!(cost->x_reads | cost->x_writes))
        return;
    const uint64_t at = scoreboard_issue(&m->x, &set, 1, latency, &by);
    if (at <= last->at)
        return;
    last->at = at;
    last->by = by;
    last->reason = by.kind;
    last->unit = m->cost[by.statement].unit;
    last->rule = rule_of(m, by);
}

static void consider_unit(const struct kelvin_model *m, const struct kelvin_cost *cost,
                          struct kelvin_hold *last)
{
    if (cost->class == KELVIN_TO_VECTOR) {
        struct release by;
        const uint64_t at = fifo_push_from(&m->fifo, &by);
        if (at <= last->at)
            return;
        *last = (struct kelvin_hold){
            .at = at,
            .reason = REASON_QUEUE,
            .unit = m->room.by.statement == UINT32_MAX ? (uint32_t)KELVIN_UNIT_CORE : m->room.unit,
            .by = m->room.by,
            .rule = "vector_fifo"};
    } else if (cost->unit != KELVIN_UNIT_CORE && !m->base.options.alone) {
        const uint64_t at = resource_free_at(&m->ports, UINT64_C(1) << cost->unit);
        if (at <= last->at)
            return;
        *last = (struct kelvin_hold){.at = at,
                                     .reason = REASON_PORT,
                                     .unit = cost->unit,
                                     .by = m->holders[cost->unit],
                                     .rule = cost->class == KELVIN_DIVIDE ? "div_bits" : ""};
    }
}

/* A fence and the end of the program wait for everything in flight. */
static void consider_flight(const struct kelvin_model *m, struct kelvin_hold *last)
{
    const struct kelvin_hold done = {.at = m->in_flight ? FIFO_UNKNOWN : m->base.finish,
                                     .reason = KELVIN_REASON_FENCE,
                                     .unit = m->last.statement == UINT32_MAX
                                                 ? (uint32_t)KELVIN_UNIT_CORE
                                                 : m->cost[m->last.statement].unit,
                                     .by = m->last,
                                     .rule = ""};
    consider(last, &done);
}

/* --- fetch ------------------------------------------------------------------------------------ */

/* Request the line of the next instruction, and the next ones, when the core enters it. */
static void fetch(struct kelvin_model *m, const struct kelvin_cost *cost, uint64_t at)
{
    const uint64_t line = m->value[KELVIN_PARAM_line_bytes];
    const struct producer by = {PATH_NONE, next_step(m)->stmt, 0};
    struct cache_access access = {.address = cost->address / line * line, .cycle = at, .by = by};
    struct cache_answer answer = cache_serve(&m->l0, &access);
    while (answer.kind == CACHE_BLOCKED) {
        access.cycle = answer.ready;
        answer = cache_serve(&m->l0, &access);
    }
    m->counters[KELVIN_COUNTER_L0_MISSES] += answer.kind == CACHE_MISS;
    m->line = access.address / line + 1;
    m->fetched = (struct kelvin_hold){.at = answer.ready,
                                      .reason = KELVIN_REASON_FETCH,
                                      .unit = KELVIN_UNIT_CORE,
                                      .by = NO_PRODUCER,
                                      .rule = "l1i_latency"};
    for (uint64_t i = 1; i <= m->value[KELVIN_PARAM_l0_ahead]; i++) {
        access.address += line;
        if (kelvin_program_has(m->program, access.address))
            cache_serve(&m->l0, &access);
    }
}

/* --- dispatch --------------------------------------------------------------------------------- */

static void new_group(struct kelvin_model *m, uint64_t at)
{
    m->cycle = at;
    m->slot = 0;
}

/* The earliest cycle of the next instruction, and what delays it. m->cycle already includes the
 * group rules. */
static void find_cause(struct kelvin_model *m, const struct kelvin_cost *cost, uint64_t latency,
                       struct kelvin_hold *last)
{
    *last = (struct kelvin_hold){
        .at = m->cycle, .reason = REASON_BUSY, .unit = KELVIN_UNIT_CORE, .by = NO_PRODUCER};
    consider(last, &m->redirected);
    consider(last, &m->fetched);
    consider_registers(m, cost, latency, last);
    consider_unit(m, cost, last);
    consider(last, &m->blocked);
    if (cost->class == KELVIN_WAIT)
        consider_flight(m, last);
    if (last->at != FIFO_UNKNOWN && last->at < m->held)
        last->at = m->held;
}

static uint64_t record(struct kelvin_model *m, const struct kelvin_hold *cause, uint32_t stmt,
                       uint64_t finished)
{
    struct path_stream *stream = &m->streams[0];
    const uint64_t at = cause->at;
    if (at > m->settled) {
        run_charge(&m->base, KELVIN_UNIT_CORE, cause->reason, stmt, m->settled, at);
        kelvin_report_wait(m, cause, stmt, m->settled);
    }
    if (at >= m->settled)
        run_charge(&m->base, KELVIN_UNIT_CORE, REASON_BUSY, stmt, at, at + 1);
    else
        kelvin_count_event(m, KELVIN_UNIT_CORE, stmt);
    m->settled = at + 1;
    const struct path_record given = {.start = at > m->cycle ? m->cycle : at,
                                      .end = at,
                                      .released = at,
                                      .by = cause->by.number,
                                      .waited = PATH_NONE,
                                      .ordinal = stream->ordinal++,
                                      .stmt = stmt,
                                      .reason = (uint8_t)cause->reason,
                                      .absorbs = true,
                                      .active = true,
                                      .pinned = true,
                                      .unit = m->cost[stmt].class == KELVIN_TO_VECTOR
                                                  ? (uint32_t)KELVIN_UNIT_CORE
                                                  : m->cost[stmt].unit,
                                      .claimed = at,
                                      .older = PATH_NONE};
    stream->now = at + 1;
    const uint64_t number = path_issue(&m->base.path, &given);
    if (m->base.path.status == 0)
        path_end(&m->base.path, number, at + 1, finished);
    run_execution(&m->base,
                  &(struct sink_execution){
                      .stream = KELVIN_STREAM_CORE, .stmt = stmt, .start = at, .end = finished});
    return number;
}

/* Take and count the unit of a scalar instruction. */
static void take_unit(struct kelvin_model *m, const struct kelvin_cost *cost, uint64_t at,
                      uint64_t latency, const struct producer *by)
{
    const uint64_t held = cost->class == KELVIN_DIVIDE ? latency : 1;
    if (cost->unit == KELVIN_UNIT_CORE || cost->class == KELVIN_TO_VECTOR)
        return;
    kelvin_take(m, (enum kelvin_unit)cost->unit, by, at, at + held);
}

bool kelvin_missed(const struct kelvin_cost *cost, const struct kelvin_step *step)
{
    return cost->class == KELVIN_BRANCH
               ? step->taken != cost->backward
               : cost->class == KELVIN_JUMP_REGISTER ||
                     (step->taken && cost->class != KELVIN_JUMP && cost->class != KELVIN_WAIT);
}

/* The group and the fetch after an instruction. */
static void follow(struct kelvin_model *m, const struct kelvin_cost *cost,
                   const struct kelvin_step *step, uint64_t at, const struct producer *by)
{
    const bool branch = cost->class == KELVIN_BRANCH;
    const bool missed = kelvin_missed(cost, step);
    m->counters[KELVIN_COUNTER_BRANCHES] += branch;
    m->counters[KELVIN_COUNTER_MISSED] += missed;
    m->slot++;
    if (m->slot == m->value[KELVIN_PARAM_dispatch_width] || cost->last || step->taken || missed)
        new_group(m, at + 1);
    if (missed)
        m->redirected = (struct kelvin_hold){
            .at = at + 1 + m->value[branch ? KELVIN_PARAM_branch_miss : KELVIN_PARAM_jump_miss],
            .reason = KELVIN_REASON_BRANCH,
            .unit = KELVIN_UNIT_CORE,
            .by = *by,
            .rule = branch ? "branch_miss" : "jump_miss"};
}

/* Access memory before dispatch: if the cache cannot accept it, the instruction retries later. */
static bool access_memory(struct kelvin_model *m, const struct kelvin_cost *cost,
                          const struct kelvin_step *step, uint64_t at, uint64_t *ready)
{
    struct cache_access access = {.address = step->address,
                                  .write = cost->class == KELVIN_STORE,
                                  .cycle = at,
                                  .by = {PATH_NONE, step->stmt, 0}};
    struct producer by;
    if (kelvin_data_access(m, &access, cost->bytes, ready, &by))
        return true;
    by.number = PATH_NONE;
    m->blocked = (struct kelvin_hold){.at = *ready,
                                      .reason = REASON_MEMORY,
                                      .unit = KELVIN_UNIT_MEM,
                                      .by = by,
                                      .rule = "l1d_misses"};
    return false;
}

static void flush(struct kelvin_model *m, const struct kelvin_cost *cost,
                  const struct kelvin_step *step, uint64_t at, const struct producer *by)
{
    const struct producer write = {PATH_NONE, by->statement, 0};
    const uint64_t until = kelvin_flush(m, cost, step, at, &write);
    if (until > m->redirected.at)
        m->redirected = (struct kelvin_hold){.at = until,
                                             .reason = KELVIN_REASON_FENCE,
                                             .unit = KELVIN_UNIT_MEM,
                                             .by = *by,
                                             .rule = "memory_interval"};
}

static bool dispatch(struct kelvin_model *m, const struct kelvin_hold *cause)
{
    const struct kelvin_step *step = next_step(m);
    const struct kelvin_cost *cost = &m->cost[step->stmt];
    const uint64_t at = cause->at;
    const char *rule;
    const uint64_t latency = kelvin_latency(m, cost, step, &rule);
    const bool memory = cost->class == KELVIN_LOAD || cost->class == KELVIN_STORE;
    uint64_t ready = at + latency;
    if (m->base.options.delay && m->base.options.delay->stmt == step->stmt && m->held <= at &&
        m->base.turns++ == m->base.options.delay->turn) {
        m->held = at + m->base.options.delay->cycles;
        return true;
    }
    if (memory && !access_memory(m, cost, step, at, &ready))
        return true;
    if (cost->class == KELVIN_STORE)
        ready = at + 1;
    if (m->asks)
        kelvin_tell(m, at);
    const uint64_t done = cost->x_writes ? ready : at + 1;
    const struct producer by = {.number =
                                    m->base.sink ? record(m, cause, step->stmt, done) : PATH_NONE,
                                .statement = step->stmt,
                                .kind = cost->class == KELVIN_LOAD ? REASON_MEMORY : REASON_DATA};
    if (at > m->cycle)
        new_group(m, at);
    take_unit(m, cost, at, latency, &by);
    if (cost->x_writes) {
        const struct place_set set = {0, 0, cost->x_writes};
        scoreboard_write(&m->x, &set, 1, ready, &by);
    }
    kelvin_done(m, &by, done);
    if (m->base.options.own)
        kelvin_history_dispatched(m, at, done);
    m->counters[KELVIN_COUNTER_INSTRUCTIONS]++;
    if (cost->class == KELVIN_TO_VECTOR)
        kelvin_vector_push(m, step, at, by.number);
    follow(m, cost, step, at, &by);
    if (cost->flush)
        flush(m, cost, step, at, &by);
    m->step++;
    kernel_count(&m->base.kernel, 1);
    return true;
}

/* --- the process ------------------------------------------------------------------------------ */

static void resume(struct process *process, struct kernel *kernel)
{
    struct kelvin_model *m =
        (struct kelvin_model *)((char *)process - offsetof(struct kelvin_model, core));
    m->waiting = false;
    for (;;) {
        if (m->step == m->step_count && !m->all)
            kelvin_feed(m);
        if (m->step == m->step_count || m->base.status != 0)
            return;
        if (kernel_exhausted(kernel)) {
            kernel_pause(kernel, process);
            return;
        }
        const struct kelvin_step *step = next_step(m);
        const struct kelvin_cost *cost = &m->cost[step->stmt];
        const uint64_t horizon = kernel_horizon(kernel, process);
        const char *rule;
        if (cost->first && m->slot)
            new_group(m, m->cycle + 1);
        const uint64_t from = later(m->cycle, m->redirected.at);
        if (cost->address / m->value[KELVIN_PARAM_line_bytes] + 1 != m->line) {
            if (from >= horizon) {
                kernel_wake(kernel, process, from, PHASE_ISSUE, "next line");
                return;
            }
            fetch(m, cost, from);
        }
        struct kelvin_hold cause;
        find_cause(m, cost, kelvin_latency(m, cost, step, &rule), &cause);
        if (cause.at == FIFO_UNKNOWN) {
            m->waiting = true; /* the vector process wakes it */
            return;
        }
        if (cause.at >= horizon) {
            kernel_wake(kernel, process, cause.at, PHASE_ISSUE, "next instruction");
            return;
        }
        dispatch(m, &cause);
    }
}

static uint64_t horizon(const struct process *process, const struct kernel *kernel)
{
    const struct kelvin_model *m =
        (const struct kelvin_model *)((const char *)process - offsetof(struct kelvin_model, core));
    (void)kernel;
    return m->vector.pending ? m->vector.wake_at : UINT64_MAX;
}

static void describe(const struct process *process, char *text, size_t size)
{
    const struct kelvin_model *m =
        (const struct kelvin_model *)((const char *)process - offsetof(struct kelvin_model, core));
    if (m->step < m->step_count)
        snprintf(text, size, "core line %u", m->program->image.stmts[m->steps[m->step].stmt].line);
    else
        snprintf(text, size, "core");
    /* the program has no instructions */
    for (size_t i = 0; !m->steps && i < m->program->image.stmt_count; i++)
        if (m->program->image.stmts[i].address == m->program->image.entry)
            snprintf(text, size, "core line %u", m->program->image.stmts[i].line);
}

void kelvin_core_start(struct kelvin_model *m)
{
    m->core = (struct process){.resume = resume, .horizon = horizon, .describe = describe};
    kernel_wake(&m->base.kernel, &m->core, 0, PHASE_ISSUE, "begin");
}
