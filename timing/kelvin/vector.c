/* vector: decode, queues and units of the vector core, a process of the kernel. */
#include "timing/kelvin/model.h"

/* --- operations in flight --------------------------------------------------------------------- */

static struct kelvin_flight *flight_at(struct kelvin_model *m, uint64_t sequence)
{
    return &m->flights[sequence % KELVIN_FLIGHTS];
}

void kelvin_vector_push(struct kelvin_model *m, const struct kelvin_step *step, uint64_t at,
                        uint64_t number)
{
    struct kelvin_flight *f = flight_at(m, m->dispatched);
    kelvin_flight_fill(f, &m->cost[step->stmt], step);
    f->used = true;
    f->sequence = m->dispatched;
    f->dispatched = at;
    f->number = number;
    fifo_push(&m->fifo, m->dispatched++,
              &(struct release){.by = {number, step->stmt, 0}, .at = at});
    m->in_flight++;
    m->counters[KELVIN_COUNTER_VECTOR]++;
    kernel_wake_by(&m->base.kernel, &m->vector, at + m->value[KELVIN_PARAM_vector_delay],
                   PHASE_ARRIVE, "instruction arrives");
}

/* Registers that older operations, decoded but not started, still read or write. */
static void older(struct kelvin_model *m, uint64_t sequence, uint64_t *reads, uint64_t *writes)
{
    while (m->first_flight < m->dispatched && !flight_at(m, m->first_flight)->used)
        m->first_flight++;
    *reads = *writes = 0;
    for (uint64_t s = m->first_flight; s < sequence; s++) {
        const struct kelvin_flight *f = flight_at(m, s);
        if (!f->used)
            continue;
        *reads |= f->reads;
        *writes |= f->writes;
    }
}

static void finished(struct kelvin_model *m, struct kelvin_flight *f, uint64_t done)
{
    f->used = false; /* its start no longer blocks other operations */
    m->in_flight--;
    run_execution(&m->base, &(struct sink_execution){.stream = KELVIN_STREAM_VECTOR + f->unit -
                                                               (uint32_t)KELVIN_UNIT_ALU0,
                                                     .stmt = f->stmt,
                                                     .start = f->start,
                                                     .end = done});
    kelvin_done(m, &(struct producer){f->number, f->stmt, 0}, done);
}

/* --- start ------------------------------------------------------------------------------------ */

static uint64_t ports_of(const struct kelvin_flight *f)
{
    return f->both ? UINT64_C(1) << KELVIN_UNIT_ALU0 | UINT64_C(1) << KELVIN_UNIT_ALU1
                   : UINT64_C(1) << f->unit;
}

/* Consider the registers of beat k. A convolution waits longer for its sources. */
static void consider(struct kelvin_model *m, const struct kelvin_flight *f,
                     const struct place_set *set, unsigned k, struct kelvin_hold *last)
{
    struct producer by;
    const uint64_t more =
        f->unit == KELVIN_UNIT_CONV && set->reads ? m->value[KELVIN_PARAM_conv_wait] : 0;
    const uint64_t ready =
        scoreboard_issue(&m->v, set, 1, m->value[KELVIN_PARAM_vector_latency], &by);
    const uint64_t at = ready ? ready + more : 0;
    if (at <= last->at + k)
        return;
    *last = (struct kelvin_hold){.at = at - k,
                                 .reason = by.kind,
                                 .unit = m->cost[by.statement].unit,
                                 .by = by,
                                 .rule = by.kind == REASON_MEMORY ? "vload_write"
                                         : more                   ? "conv_wait"
                                                                  : "vector_latency"};
}

/* The earliest start of a queue's front operation; FIFO_UNKNOWN while an older operation that
 * conflicts with its registers has not started. */
static void find_start(struct kelvin_model *m, const struct kelvin_flight *f, uint64_t arrived,
                       struct kelvin_hold *last)
{
    *last = (struct kelvin_hold){.at = arrived,
                                 .reason = REASON_EMPTY,
                                 .unit = KELVIN_UNIT_CORE,
                                 .by = {f->number, f->stmt, 0},
                                 .rule = "vector_delay"};
    if (f->decoded.rule) {
        *last = f->decoded;
        last->at = arrived;
    }
    uint64_t still_read, still_written;
    older(m, f->sequence, &still_read, &still_written);
    if ((still_written & (f->reads | f->writes)) || (still_read & f->writes)) {
        last->at = FIFO_UNKNOWN;
        return;
    }
    const uint64_t free_at = m->base.options.alone ? 0 : resource_free_at(&m->ports, ports_of(f));
    if (free_at >= last->at) {
        const unsigned port = resource_last_released(&m->ports, ports_of(f));
        *last = (struct kelvin_hold){
            .at = free_at, .reason = REASON_PORT, .unit = port, .by = m->holders[port], .rule = ""};
    }
    for (unsigned k = 0; k < (f->strip ? (unsigned)KELVIN_STRIPS : 1); k++) {
        const uint64_t reads = kelvin_beat(f, f->reads, k), writes = kelvin_beat(f, f->writes, k);
        consider(m, f, &(struct place_set){0, reads, 0}, k, last);
        consider(m, f, &(struct place_set){0, 0, writes & ~reads}, k, last);
    }
}

/* Record the operation, and charge its unit's wait. */
static uint64_t record(struct kelvin_model *m, const struct kelvin_flight *f,
                       const struct kelvin_hold *cause, uint64_t at, uint64_t done)
{
    const uint32_t queue = f->unit - (uint32_t)KELVIN_UNIT_ALU0;
    struct path_stream *stream = &m->streams[1 + queue];
    const uint64_t since = f->since < at ? f->since : at;
    if (at > since && cause->reason != REASON_EMPTY) {
        for (unsigned u = KELVIN_UNIT_ALU0; u <= KELVIN_UNIT_LDST; u++)
            if (ports_of(f) >> u & 1)
                run_charge(&m->base, (enum kelvin_unit)u, cause->reason, f->stmt, since, at);
        kelvin_report_wait(m, cause, f->stmt, since);
    }
    /* Before it arrived, its queue was idle. */
    const uint64_t idle = stream->now < at ? stream->now : at;
    const bool late = cause->reason == REASON_EMPTY || cause->reason == REASON_QUEUE ||
                      cause->reason == KELVIN_REASON_HAZARD;
    const struct path_record given = {.start = late ? idle : since,
                                      .end = at,
                                      .released = at,
                                      .by = cause->by.number,
                                      .waited = PATH_NONE,
                                      .ordinal = stream->ordinal++,
                                      .stream = 1 + queue,
                                      .stmt = f->stmt,
                                      .reason = (uint8_t)cause->reason,
                                      .absorbs = true,
                                      .active = true,
                                      .pinned = true,
                                      .unit = f->unit,
                                      .claimed = at,
                                      .older = PATH_NONE};
    if (!stream->ordinal || stream->ordinal == 1)
        stream->first = f->stmt;
    stream->now = at + (f->cycles ? f->cycles : 1);
    const uint64_t number = path_issue(&m->base.path, &given);
    if (m->base.path.status == 0)
        path_end(&m->base.path, number, at + 1, done);
    return number;
}

static void take(struct kelvin_model *m, const struct kelvin_flight *f, uint64_t from, uint64_t to,
                 const struct producer *by)
{
    for (unsigned u = KELVIN_UNIT_ALU0; u <= KELVIN_UNIT_LDST; u++)
        if (ports_of(f) >> u & 1)
            kelvin_take(m, (enum kelvin_unit)u, by, from, to);
}

static void hold_sources(struct kelvin_model *m, const struct kelvin_flight *f,
                         const struct producer *by)
{
    for (uint64_t left = f->reads; left; left &= left - 1) {
        const unsigned reg = (unsigned)__builtin_ctzll(left);
        const uint64_t until = f->start + kelvin_last_read(f, reg);
        if (until > m->reading[reg].until) {
            m->reading[reg].until = until;
            m->reading[reg].by = *by;
        }
    }
}

static void start(struct kelvin_model *m, struct kelvin_flight *f, const struct kelvin_hold *cause,
                  uint64_t at)
{
    const uint64_t latency = m->value[KELVIN_PARAM_vector_latency];
    const uint64_t cycles = f->cycles;
    f->start = at;
    /* Beats are consecutive; without beats, the result is ready after the last cycle. */
    const uint64_t first = at + (f->strip ? 0 : cycles - 1) + latency;
    const uint64_t done = at + cycles - 1 + latency;
    const struct producer by = {.number = m->base.sink ? record(m, f, cause, at, done) : PATH_NONE,
                                .statement = f->stmt,
                                .kind = REASON_DATA};
    for (unsigned k = 0; k < (f->strip ? (unsigned)KELVIN_STRIPS : 1); k++) {
        const struct place_set set = {0, 0, kelvin_beat(f, f->writes, k)};
        scoreboard_write(&m->v, &set, 1, first + k, &by);
        kelvin_history_registers(m, f, set.writes, first + k);
    }
    if (m->value[KELVIN_PARAM_read_hold])
        hold_sources(m, f, &by);
    take(m, f, at, at + cycles, &by);
    const struct kelvin_cost *cost = &m->cost[f->stmt];
    if (cost->wide)
        m->counters[KELVIN_COUNTER_MACS] += f->unit == KELVIN_UNIT_CONV ? 256 * cycles : 96;
    f->number = by.number;
    finished(m, f, done);
}

/* --- loads and stores ------------------------------------------------------------------------- */

unsigned kelvin_pieces_each(const struct kelvin_flight *f)
{
    return !f->strip                    ? f->pieces
           : f->pieces <= KELVIN_STRIPS ? 1
                                        : f->pieces / (unsigned)KELVIN_STRIPS;
}

/* The registers that the next piece loads or stores. The last piece of a load also clears registers
 * beyond its length. */
static uint64_t registers_of(const struct kelvin_flight *f)
{
    const uint64_t set = f->reads | f->writes;
    return f->next + 1 == f->pieces ? set : kelvin_beat(f, set, f->next / kelvin_pieces_each(f));
}

/* Access one line in cycle `at`. False: not possible; f->line_at is when to retry. */
static bool move_line(struct kelvin_model *m, struct kelvin_flight *f, uint64_t at)
{
    const uint64_t dbus = UINT64_C(1) << KELVIN_UNIT_DBUS, set = registers_of(f);
    const uint32_t bytes = f->next + 1 == f->pieces ? f->last : f->piece;
    const struct producer made = {f->number, f->stmt, REASON_MEMORY};
    const struct cache_access access = {.address = f->address + f->next * f->stride,
                                        .write = !f->load,
                                        .cycle = at,
                                        .by = {PATH_NONE, f->stmt, 0}};
    uint64_t ready = at + 1;
    struct producer by;
    if (bytes && !m->base.options.alone && resource_free_at(&m->ports, dbus) > at) {
        f->line_at = resource_free_at(&m->ports, dbus);
        return false;
    }
    if (bytes && !kelvin_data_access(m, &access, bytes, &ready, &by)) {
        f->line_at = ready;
        return false;
    }
    if (bytes)
        kelvin_take(m, KELVIN_UNIT_DBUS, &(struct producer){f->number, f->stmt, 0}, at, at + 1);
    ready = f->load ? ready + m->value[KELVIN_PARAM_vload_write] : at + 1;
    if (f->load)
        scoreboard_write(&m->v, &(struct place_set){0, 0, set}, 1, ready, &made);
    if (f->load)
        kelvin_history_registers(m, f, set, ready);
    else
        kelvin_history_memory(m, f, (uint32_t)access.address, bytes, ready);
    f->served = later(f->served, ready);
    f->next++;
    f->line_at = at + 1;
    if (f->next % kelvin_pieces_each(f) == 0) {
        f->reads &= ~set; /* done with these registers */
        f->writes &= ~set;
    }
    return true;
}

/* The queue is in order, so the cause is what its head waits for. */
static void record_wait(struct kelvin_model *m, const struct kelvin_flight *f, uint64_t from,
                        uint64_t to)
{
    const uint32_t stream = 1 + f->unit - (uint32_t)KELVIN_UNIT_ALU0;
    if (m->base.sink && m->base.path.status == 0 && to > from)
        path_issue(&m->base.path,
                   &(const struct path_record){.start = from,
                                               .end = to,
                                               .released = to,
                                               .by = PATH_NONE,
                                               .waited = PATH_NONE,
                                               .ordinal = m->streams[stream].ordinal - 1,
                                               .stream = stream,
                                               .stmt = f->stmt,
                                               .reason = REASON_MEMORY,
                                               .absorbs = true,
                                               .older = PATH_NONE});
}

/* Advance the load or store at the front of its queue. Returns the cycle of its next line;
 * FIFO_UNKNOWN when it is finished. */
static uint64_t run_lines(struct kelvin_model *m, struct kelvin_flight *f, uint64_t now)
{
    const uint64_t from = later(f->line_at, f->since);
    if (f->line_at > now)
        return f->line_at;
    if (!move_line(m, f, now)) {
        run_charge(&m->base, KELVIN_UNIT_LDST, REASON_MEMORY, f->stmt, from, f->line_at);
        record_wait(m, f, from, f->line_at);
        return f->line_at;
    }
    kelvin_take(m, KELVIN_UNIT_LDST, &(struct producer){f->number, f->stmt, REASON_MEMORY}, now,
                now + 1);
    if (f->next < f->pieces)
        return f->line_at;
    m->streams[1 + f->unit - (uint32_t)KELVIN_UNIT_ALU0].now = now + 1;
    if (m->base.sink && m->base.path.status == 0)
        path_end(&m->base.path, f->number, now + 1, f->served);
    finished(m, f, f->served);
    return FIFO_UNKNOWN;
}

static void start_lines(struct kelvin_model *m, struct kelvin_flight *f,
                        const struct kelvin_hold *cause, uint64_t at)
{
    f->started = true;
    f->start = at;
    f->line_at = at;
    if (m->base.sink)
        f->number = record(m, f, cause, at, at);
    m->holders[KELVIN_UNIT_LDST] = (struct producer){f->number, f->stmt, REASON_MEMORY};
}

/* --- queues ----------------------------------------------------------------------------------- */

struct tick {
    uint64_t now, next; /* next: the next known cycle in which something can change */
    bool changed;
};

static void not_before(struct tick *t, uint64_t cycle)
{
    if (cycle < t->next)
        t->next = cycle;
}

static void leave(struct kelvin_model *m, const struct kelvin_flight *f, unsigned queue,
                  uint64_t now)
{
    const struct release at = {.by = {f->number, f->stmt, 0}, .at = now};
    struct fifo_entry gone;
    fifo_pop(&m->queues[queue], &at, &gone);
    if (f->both)
        fifo_pop(&m->queues[!queue], &at, &gone);
    m->issued[queue]++;
    m->room = (struct kelvin_hold){
        .reason = REASON_QUEUE, .unit = f->unit, .by = at.by, .rule = "vector_fifo"};
}

/* True if this operation is at the front of the queue. */
static bool is_front(const struct kelvin_model *m, unsigned queue, uint64_t sequence)
{
    const struct fifo_entry *front = fifo_front(&m->queues[queue]);
    return front && front->data == sequence;
}

static void run_queue(struct kelvin_model *m, unsigned queue, struct tick *t)
{
    const struct fifo_entry *front = fifo_front(&m->queues[queue]);
    struct release by;
    if (!front)
        return;
    struct kelvin_flight *f = flight_at(m, front->data);
    const uint64_t arrived = fifo_pop_from(&m->queues[queue], &by);
    if (arrived > t->now) {
        not_before(t, arrived);
        return;
    }
    if (f->both && (queue == 1 || !is_front(m, 1, f->sequence)))
        return; /* queue 0 starts it; a change of the other queue's front triggers another try */
    if (f->starts > t->now) {
        not_before(t, f->starts);
        return;
    }
    if (!f->started) {
        if (!f->since) {
            const uint64_t free_at = resource_free_at(&m->ports, UINT64_C(1) << f->unit);
            f->since = later(arrived, free_at);
        }
        struct kelvin_hold cause;
        find_start(m, f, arrived, &cause);
        if (cause.at > t->now) {
            if (cause.at != FIFO_UNKNOWN) { /* final: no later event changes it */
                f->starts = cause.at;
                not_before(t, cause.at);
            }
            return;
        }
        /* It may have been possible at cause.at; then the information that arrived since is the
         * cause. */
        if (f->unit == KELVIN_UNIT_LDST)
            start_lines(m, f, &cause, t->now);
        else
            start(m, f, &cause, t->now);
        kernel_count(&m->base.kernel, 1);
        t->changed = true;
        if (f->unit != KELVIN_UNIT_LDST) {
            leave(m, f, queue, t->now);
            return;
        }
    }
    const uint64_t line = run_lines(m, f, t->now);
    if (line == FIFO_UNKNOWN) {
        leave(m, f, queue, t->now);
        t->changed = true;
    } else {
        not_before(t, line);
    }
}

/* --- decode ----------------------------------------------------------------------------------- */

/* A queue without space for it, or -1. */
static int full_queue(struct kelvin_model *m, const struct kelvin_flight *f, unsigned queue,
                      struct tick *t)
{
    for (unsigned q = queue; q <= (f->both ? 1U : queue); q++) {
        struct release by;
        const uint64_t from = fifo_push_from(&m->queues[q], &by);
        if (from <= t->now)
            continue;
        if (from != FIFO_UNKNOWN)
            not_before(t, from);
        return (int)q;
    }
    return -1;
}

/* The cycle in which what it overwrites has been read, or before; and by which operation. */
static uint64_t sources_read(struct kelvin_model *m, struct kelvin_flight *f, uint64_t now)
{
    uint64_t until = 0;
    for (uint64_t left = f->writes; left; left &= left - 1) {
        const unsigned reg = (unsigned)__builtin_ctzll(left);
        if (m->reading[reg].until <= until)
            continue;
        until = m->reading[reg].until;
        if (until > now)
            f->decoded = (struct kelvin_hold){.reason = KELVIN_REASON_HAZARD,
                                              .unit = m->cost[m->reading[reg].by.statement].unit,
                                              .by = m->reading[reg].by,
                                              .rule = "read_hold"};
    }
    return until;
}

static bool decode_one(struct kelvin_model *m, struct tick *t)
{
    struct release by;
    const uint64_t from = fifo_pop_from(&m->fifo, &by);
    if (from > t->now) {
        if (from != FIFO_UNKNOWN)
            not_before(t, from);
        return false;
    }
    struct kelvin_flight *f = flight_at(m, fifo_front(&m->fifo)->data);
    const struct kelvin_cost *cost = &m->cost[f->stmt];
    const unsigned queue = cost->in_turn ? m->turn : f->unit - (unsigned)KELVIN_UNIT_ALU0;
    uint64_t reads, writes;
    older(m, f->sequence, &reads, &writes);
    if (f->writes & (reads | writes))
        return false; /* retried after that operation has started, which is a change */
    const uint64_t read = sources_read(m, f, t->now);
    if (read > t->now) {
        not_before(t, read);
        return false;
    }
    if (full_queue(m, f, queue, t) >= 0)
        return false;
    if (!f->decoded.rule && t->now > f->dispatched + m->value[KELVIN_PARAM_vector_delay] &&
        m->room.rule)
        f->decoded = m->room;
    const struct release now = {.by = {f->number, f->stmt, 0}, .at = t->now};
    struct fifo_entry gone;
    fifo_pop(&m->fifo, &now, &gone);
    if (cost->in_turn) {
        f->unit = (uint8_t)(KELVIN_UNIT_ALU0 + (int)m->turn);
        m->turn = !m->turn;
    }
    for (unsigned q = queue; q <= (f->both ? 1U : queue); q++)
        fifo_push(&m->queues[q], f->sequence, &now);
    t->changed = true;
    return true;
}

/* --- the process ------------------------------------------------------------------------------ */

static void resume(struct process *process, struct kernel *kernel)
{
    struct kelvin_model *m =
        (struct kelvin_model *)((char *)process - offsetof(struct kelvin_model, vector));
    struct tick t = {.now = kernel->now, .next = FIFO_UNKNOWN};
    static const uint8_t order[KELVIN_QUEUES] = {3, 2, 0,
                                                 1}; /* loads first: others wait for them */
    for (unsigned i = 0; i < KELVIN_QUEUES; i++)
        run_queue(m, order[i], &t);
    const uint64_t decoded = m->decoded;
    while (m->decoded - decoded < m->value[KELVIN_PARAM_vector_decode] && decode_one(m, &t))
        m->decoded++;
    if (m->in_flight && t.changed)
        t.next = t.now + 1;
    if (t.next != FIFO_UNKNOWN)
        kernel_wake(kernel, process, t.next, PHASE_ARRIVE, "operations");
    /* there is space, or everything is done */
    if (m->waiting && (m->decoded > decoded || !m->in_flight))
        kernel_wake_by(kernel, &m->core, t.now + 1, PHASE_ISSUE, "the vector side went on");
}

static void describe(const struct process *process, char *text, size_t size)
{
    (void)process;
    snprintf(text, size, "vector");
}

void kelvin_vector_start(struct kelvin_model *m)
{
    m->vector = (struct process){.resume = resume, .describe = describe};
}
