#include "timing/mncore2/mv.h"

#include <inttypes.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>

#include "timing/mncore2/mv_dram.h"

static const struct resource_calls port_calls;

/* What mncore2_model_plan makes depends on the mode and groups (its way), ports and operations. */
static int compare_plans(const void *left, const void *right)
{
    const struct plan *a = left, *b = right;
    if (a->way != b->way)
        return a->way < b->way ? -1 : 1;
    if (a->ops != b->ops)
        return a->ops < b->ops ? -1 : 1;
    if (a->ports != b->ports)
        return a->ports < b->ports ? -1 : 1;
    return (a->sources > b->sources) - (a->sources < b->sources);
}

int mncore2_mv_init(struct mv_engine *engine, const struct mv_config *config)
{
    *engine = (struct mv_engine){.kernel = config->kernel,
                                 .program = config->program,
                                 .numbers = config->numbers,
                                 .account = config->account,
                                 .path = config->path,
                                 .unit_events = config->unit_events,
                                 .waiter = config->waiter,
                                 .capacity = (uint32_t)config->capacity};
    for (unsigned t = 0; t < MV_TAGS; t++)
        engine->by_tag[t] = MV_NONE;
    for (unsigned w = 0; w < WAYS; w++)
        engine->ways[w].holder = RESOURCE_NOBODY;
    engine->transfers = calloc(config->capacity + 1, sizeof *engine->transfers);
    engine->in_flight = calloc(config->capacity + 1, sizeof *engine->in_flight);
    const struct memory_setup dram = {.config = &config->numbers->dram,
                                      .kernel = config->kernel,
                                      .calls = &mncore2_mv_dram,
                                      .context = engine,
                                      .groups = GROUPS,
                                      .burst = MV_BURST,
                                      .account = config->account,
                                      .first_unit = model_channel(config->model, 0, 0)};
    if (engine->transfers && engine->in_flight &&
        resource_init(&engine->ports, config->kernel, config->capacity, &port_calls, engine) == 0 &&
        memory_init(&engine->dram, &dram) == 0)
        return 0;
    mncore2_mv_free(engine);
    return -1;
}

void mncore2_mv_free(struct mv_engine *engine)
{
    for (uint32_t t = 0; engine->transfers && t < engine->count; t++) {
        free(engine->transfers[t].ring);
        free(engine->transfers[t].held);
    }
    for (size_t s = 0; s < sizeof engine->spare / sizeof *engine->spare; s++)
        while (engine->spare[s]) {
            struct mv_ring *ring = engine->spare[s];
            engine->spare[s] = ring->next;
            free(ring);
        }
    tdestroy(engine->plans, free);
    free(engine->transfers);
    free(engine->in_flight);
    resource_free(&engine->ports);
    memory_free(&engine->dram);
    engine->plans = NULL;
    engine->transfers = NULL;
    engine->in_flight = NULL;
    engine->count = 0;
}

/* --- the causes of waits ---------------------------------------------------------------------- */

/* A wait in [from, to) for what `by` does at a unit: for the path, and for the units that wait. */
static void hold(const struct transfer *transfer, const struct path_hold *hold)
{
    struct mv_engine *engine = transfer->engine;
    struct path_hold of = *hold;
    of.waited = hold->at - hold->from;
    of.by = hold->by == MV_NONE ? PATH_NONE : engine->transfers[hold->by].record;
    path_held(engine->path, transfer->record, &of);
    for (uint64_t left = transfer->plan->ports; left; left &= left - 1)
        account_reason(engine->account, MV_FIRST + (uint32_t)__builtin_ctzll(left), hold->reason,
                       transfer->item, hold->from, hold->at);
}

static inline const struct resource *way_of(const struct transfer *transfer)
{
    return &transfer->engine->ways[transfer->plan->way];
}

static uint32_t port_reason(const struct transfer *transfer, unsigned port)
{
    if (transfer->engine->ports.ports[port].priority > transfer->mv->priority)
        return REASON_PRIORITY;
    return port >= PORT_LINK ? REASON_LINK : REASON_PORT;
}

/* An operation starts at `at`; by its pace it could have started at transfer->next, its data were
 * there at `since`. The last that ended of what it waited for is the cause: a port, or the way, or
 * a channel that did not accept. */
static void explain(const struct transfer *transfer, uint64_t since, uint64_t at)
{
    const struct mv_engine *engine = transfer->engine;
    if (!engine->account || at == transfer->next)
        return;
    const unsigned groups = transfer->plan->dram_groups;
    struct path_hold why = {.by =
                                mv_uses_dram(transfer) ? mncore2_mv_dram_behind(transfer) : MV_NONE,
                            .unit = UNIT_DRAM0 + (groups ? (uint32_t)__builtin_ctz(groups) : 0),
                            .reason = REASON_MEMORY,
                            .from = transfer->next,
                            .at = since};
    if (since > transfer->next)
        hold(transfer, &why);
    if (at == since)
        return;
    const unsigned port = resource_last_released(&engine->ports, transfer->plan->ports);
    const struct resource *last = &engine->ports.ports[port], *way = way_of(transfer);
    why.from = since;
    why.at = at;
    if (last->free_at >= at) {
        why.by = last->holder;
        why.unit = MV_FIRST + port;
        why.reason = port_reason(transfer, port);
    } else if (way->free_at >= at) {
        why.by = way->holder;
        why.unit = transfer->plan->limit;
        why.reason = way->priority > transfer->mv->priority ? REASON_PRIORITY : REASON_RATE;
        why.pace = REASON_RATE;
    }
    hold(transfer, &why);
}

/* --- operations ------------------------------------------------------------------------------- */

/* The last operation has started: its ports have no other use for this transfer. */
static void leave(struct transfer *transfer)
{
    struct mv_engine *engine = transfer->engine;
    transfer->state = MV_SENT;
    transfer->next += transfer->rest != 0;
    transfer->finished = transfer->next + engine->numbers->notice;
    engine->finished_last = later(engine->finished_last, transfer->finished);
    const uint32_t last = engine->in_flight[--engine->in_flight_count];
    engine->in_flight[transfer->place] = last;
    engine->transfers[last].place = transfer->place;
    for (uint32_t i = 0; i < engine->in_flight_count && transfer->rivals; i++) {
        struct transfer *other = &engine->transfers[engine->in_flight[i]];
        if (other->plan->ports & transfer->plan->ports)
            other->rivals--;
    }
    mncore2_mv_give_ring(engine, transfer);
    if (engine->path)
        path_end(engine->path, transfer->record, transfer->next, transfer->finished);
    kernel_wake(engine->kernel, &transfer->process, transfer->finished, PHASE_NOTICE, "complete");
}

/* Whether everything begins and ends with a cycle if an operation starts at `at`. */
static bool in_whole_cycles(const struct transfer *transfer, uint64_t at)
{
    const struct resource_set *set = &transfer->engine->ports;
    if (!transfer->engine->numbers->parts)
        return true;
    for (uint64_t left = transfer->plan->ports; left; left &= left - 1) {
        const struct resource *port = &set->ports[__builtin_ctzll(left)];
        if (port->rest && port->free_at == at)
            return false;
    }
    return transfer->plan->whole;
}

/* `count` operations of whole cycles take the ports, at `at` and then at the mode's pace. */
static void take_ports(struct transfer *transfer, uint64_t at, uint64_t count)
{
    struct mv_engine *engine = transfer->engine;
    const struct plan *plan = transfer->plan;
    const uint64_t pace = plan->pace >> RESOURCE_TICK_SHIFT, last = at + (count - 1) * pace;
    for (uint64_t left = plan->ports; left; left &= left - 1) {
        const unsigned port = (unsigned)__builtin_ctzll(left);
        const uint64_t cycles = plan->hold[port_kind(port)] >> RESOURCE_TICK_SHIFT;
        if (!cycles)
            continue;
        resource_take(&engine->ports, port, mv_id(transfer), transfer->mv->priority, last + cycles);
        if (transfer->held)
            transfer->held[mv_held(transfer, port)] += count * cycles;
        if (engine->account)
            account_periodic(engine->account,
                             &(const struct account_pattern){MV_FIRST + port, transfer->item, at,
                                                             pace, cycles, count});
    }
    transfer->next = last + pace;
}

/* Busy cycles are whole: parts add up, also over a pause, and of the cycles in which the port is
 * held at all the first are busy, as many as the sum has. */
static void account_parts(struct transfer *transfer, unsigned port, uint64_t at, uint64_t ticks)
{
    struct mv_engine *engine = transfer->engine;
    const struct resource *of = &engine->ports.ports[port];
    struct mv_parts *parts = &engine->parts[port];
    const uint64_t start = later(at, parts->until), end = of->free_at + (of->rest != 0);
    parts->ticks += ticks;
    uint64_t cycles = parts->ticks >> RESOURCE_TICK_SHIFT;
    if (cycles > end - start)
        cycles = end - start;
    if (!cycles)
        return;
    parts->ticks -= cycles << RESOURCE_TICK_SHIFT;
    parts->until = start + cycles;
    transfer->held[mv_held(transfer, port)] += cycles;
    account_busy(engine->account, MV_FIRST + port, transfer->item, start, cycles);
}

/* The same for one that is not: its parts of cycles add up with those before it. */
static void take_parts(struct transfer *transfer, uint64_t at)
{
    struct mv_engine *engine = transfer->engine;
    const struct plan *plan = transfer->plan;
    const struct request holder = {.id = mv_id(transfer), .priority = transfer->mv->priority};
    for (uint64_t left = plan->ports; left; left &= left - 1) {
        const unsigned port = (unsigned)__builtin_ctzll(left);
        const uint64_t ticks = plan->hold[port_kind(port)];
        resource_take_ticks(&engine->ports.ports[port], at, &holder, ticks);
        if (engine->account && ticks)
            account_parts(transfer, port, at, ticks);
    }
    const uint64_t ticks = plan->pace + (at == transfer->next ? transfer->rest : 0);
    transfer->next = at + (ticks >> RESOURCE_TICK_SHIFT);
    transfer->rest = (uint32_t)(ticks % RESOURCE_TICKS);
}

/* Each port of `count` operations, the first of which starts in cycle `at`, is accessed once. */
static void access_ports(const struct transfer *transfer, uint64_t at, uint64_t count)
{
    struct mv_engine *engine = transfer->engine;
    const struct plan *plan = transfer->plan;
    struct unit_event event = {.stmt = transfer->item, .part = "", .of = "long words"};
    if (!engine->unit_events)
        engine->kernel->unit_events += count * (unsigned)__builtin_popcountll(plan->ports);
    for (uint64_t left = engine->unit_events ? plan->ports : 0; left; left &= left - 1) {
        const unsigned port = (unsigned)__builtin_ctzll(left);
        event.unit = MV_FIRST + port;
        event.amount = (uint32_t)plan->words[port_kind(port)];
        event.operation = port >= PORT_LINK ? "pass" : plan->sources >> port & 1 ? "read" : "write";
        unit_event_at(engine->unit_events, at, &event, "operation");
    }
}

/* `count` operations start, at `at` and then at the mode's pace. More than one only when nothing
 * can come between, they take whole cycles and the DRAM does not matter. */
static void start_operations(struct transfer *transfer, uint64_t at, uint64_t count)
{
    struct mv_engine *engine = transfer->engine;
    const struct plan *plan = transfer->plan;
    if (in_whole_cycles(transfer, at))
        take_ports(transfer, at, count);
    else
        take_parts(transfer, at);
    if (engine->numbers->ways) {
        const struct request holder = {.id = mv_id(transfer), .priority = transfer->mv->priority};
        const uint64_t last = at + (count - 1) * (plan->pace >> RESOURCE_TICK_SHIFT);
        resource_take_ticks(&engine->ways[plan->way], last, &holder,
                            plan->way_cycles << RESOURCE_TICK_SHIFT);
    }
    if (mv_uses_dram(transfer)) {
        if (plan->dram_write)
            mncore2_mv_dram_ask(transfer, transfer->done);
        else if (transfer->done + transfer->ahead < plan->ops)
            mncore2_mv_dram_ask(transfer, transfer->done + transfer->ahead);
    }
    if (transfer->done == 0)
        transfer->started = at;
    transfer->done += count;
    kernel_count(engine->kernel, count);
    access_ports(transfer, at, count);
    if (transfer->done == plan->ops)
        leave(transfer);
}

/* Whether a transfer sends its operations by itself: no shared port, no choice by a memory. */
static bool is_alone(const struct transfer *transfer)
{
    return !transfer->rivals && !mv_uses_dram(transfer);
}

/* When the next operation of a transfer can start that is alone. */
static uint64_t could_start(const struct transfer *transfer)
{
    const uint64_t at =
        later(transfer->next, resource_free_at(&transfer->engine->ports, transfer->plan->ports));
    return later(at, way_of(transfer)->free_at);
}

/* A transfer that is alone starts what it can before its horizon. */
static void send_alone(struct transfer *transfer)
{
    struct kernel *kernel = transfer->engine->kernel;
    const uint64_t limit = kernel_horizon(kernel, &transfer->process);
    while (transfer->state == MV_SENDING) {
        const uint64_t at = could_start(transfer);
        if (at >= limit) {
            kernel_wake(kernel, &transfer->process, at, PHASE_ARRIVE, "pace");
            return;
        }
        if (kernel_exhausted(kernel)) {
            kernel_pause(kernel, &transfer->process);
            return;
        }
        explain(transfer, transfer->next, at);
        uint64_t count = 1;
        if (in_whole_cycles(transfer, at)) {
            const uint64_t left = transfer->plan->ops - transfer->done;
            const uint64_t fit =
                (limit - 1 - at) / (transfer->plan->pace >> RESOURCE_TICK_SHIFT) + 1;
            count = left < fit ? left : fit;
        }
        start_operations(transfer, at, count);
    }
}

/* The next operation of a transfer that is not alone lines up, or will when its data are there. */
static void line_up(struct transfer *transfer)
{
    struct mv_engine *engine = transfer->engine;
    const uint64_t since = mncore2_mv_ready_since(transfer);
    if (since > engine->kernel->now) {
        mncore2_mv_wake_when_ready(transfer, "ready");
        return;
    }
    const struct request request = {transfer->plan->ports, since, mv_id(transfer),
                                    transfer->mv->priority};
    transfer->state = MV_WAITING;
    resource_ask(&engine->ports, &request);
}

static uint64_t request_ready(void *context, const struct request *request, uint64_t now)
{
    const struct mv_engine *engine = context;
    const struct transfer *transfer = &engine->transfers[request->id];
    const uint64_t ready = later(now, way_of(transfer)->free_at);
    if (!transfer->plan->dram_write || !mv_uses_dram(transfer) || mncore2_mv_dram_accepts(transfer))
        return ready;
    return UINT64_MAX; /* write_room */
}

static void request_start(void *context, const struct request *request, uint64_t now)
{
    struct mv_engine *engine = context;
    struct transfer *transfer = &engine->transfers[request->id];
    transfer->state = MV_SENDING;
    explain(transfer, request->since, now);
    start_operations(transfer, now, 1);
    if (transfer->state != MV_SENDING)
        return;
    if (is_alone(transfer))
        kernel_wake(engine->kernel, &transfer->process, could_start(transfer), PHASE_ARRIVE,
                    "pace");
    else
        mncore2_mv_wake_when_ready(transfer, "pace");
}

static const struct resource_calls port_calls = {request_ready, request_start};

/* --- the process ------------------------------------------------------------------------------ */

/* The transfer begins: it requests as many reads as fit into its buffer. */
static void begin(struct transfer *transfer)
{
    transfer->state = MV_SENDING;
    if (mv_reads_dram(transfer))
        for (uint64_t i = 0; i < transfer->ahead; i++)
            mncore2_mv_dram_ask(transfer, i);
}

static void complete(struct transfer *transfer)
{
    struct mv_engine *engine = transfer->engine;
    const unsigned tag = transfer->mv->tag;
    struct mv_waiter *waiter = engine->waiter;
    transfer->state = MV_DONE;
    kernel_count(engine->kernel, 1);
    const bool last = tag && --engine->outstanding[tag] == 0 && waiter->tag == tag;
    if (last || waiter->transfer == mv_id(transfer))
        kernel_wake(engine->kernel, waiter->stream,
                    later(*waiter->now, (engine->kernel->now + CYCLES - 1) / CYCLES * CYCLES),
                    PHASE_ISSUE, last ? "tag" : "transfer");
}

static void resume(struct process *process, struct kernel *kernel)
{
    struct transfer *transfer = (struct transfer *)process;
    (void)kernel;
    if (transfer->state == MV_SENT) {
        complete(transfer);
        return;
    }
    if (transfer->state == MV_STARTING)
        begin(transfer);
    if (is_alone(transfer))
        send_alone(transfer);
    else
        line_up(transfer);
}

/* The notice of a transfer cannot come before this. */
static uint64_t finished_at_least(const struct transfer *transfer)
{
    if (transfer->state >= MV_SENT)
        return transfer->finished;
    const uint64_t left = (transfer->plan->ops - transfer->done) * transfer->plan->pace;
    return transfer->next + (left >> RESOURCE_TICK_SHIFT) + transfer->engine->numbers->notice;
}

/* The stream issues nothing before it wakes; while it waits for a tag, not before all transfers
 * that carry it are done. */
static uint64_t next_issue(const struct process *process, const struct kernel *kernel)
{
    const struct mv_engine *engine = ((const struct transfer *)process)->engine;
    const struct mv_waiter *waiter = engine->waiter;
    (void)kernel;
    if (waiter->stream->pending)
        return waiter->stream->wake_at;
    uint64_t at = mv_waiter_sleeps(waiter) ? *waiter->now : UINT64_MAX; /* else it has ended */
    if (waiter->transfer != MV_NONE) {
        const struct transfer *one = &engine->transfers[waiter->transfer];
        return &one->process == process ? UINT64_MAX : later(at, finished_at_least(one));
    }
    for (uint32_t t = engine->by_tag[waiter->tag]; waiter->tag && t != MV_NONE;
         t = engine->transfers[t].older) {
        if (&engine->transfers[t].process == process)
            return UINT64_MAX;
        at = later(at, finished_at_least(&engine->transfers[t]));
    }
    return at;
}

static void describe(const struct process *process, char *text, size_t size)
{
    const struct transfer *transfer = (const struct transfer *)process;
    snprintf(text, size, "transfer %" PRIu32 " (line %" PRIu32 ")", mv_id(transfer),
             transfer->engine->program->items[transfer->item].line);
}

/* --- the stream's calls ----------------------------------------------------------------------- */

static void meet_holder(struct mv_engine *engine, const struct transfer *transfer,
                        const struct resource *held)
{
    if (held->free_at + (held->rest != 0) > transfer->next)
        path_meet(engine->path, engine->transfers[held->holder].record, transfer->record);
}

/* The last operation of a completed transfer may still hold a port, or the way. */
static void meet_last(struct mv_engine *engine, const struct transfer *transfer)
{
    for (uint64_t left = transfer->plan->ports; left; left &= left - 1)
        meet_holder(engine, transfer, &engine->ports.ports[__builtin_ctzll(left)]);
    meet_holder(engine, transfer, way_of(transfer));
}

/* What is issued shares ports with others in flight: from now on all of these line up. */
static void meet(struct mv_engine *engine, struct transfer *transfer)
{
    if (engine->path)
        meet_last(engine, transfer);
    for (uint32_t i = engine->in_flight_count; i-- > 0;) {
        struct transfer *other = &engine->transfers[engine->in_flight[i]];
        if (!(other->plan->ports & transfer->plan->ports))
            continue;
        other->rivals++;
        transfer->rivals++;
        if (engine->path)
            path_meet(engine->path, other->record, transfer->record);
        if (other->state == MV_SENDING && !mv_uses_dram(other))
            kernel_wake_by(engine->kernel, &other->process,
                           later(mncore2_mv_ready_since(other), engine->kernel->now), PHASE_ARRIVE,
                           "contender");
    }
}

/* Where no transfer ever waits, all operations go at the mode's pace. */
static void go_alone(struct transfer *transfer)
{
    struct mv_engine *engine = transfer->engine;
    const struct plan *plan = transfer->plan;
    for (uint64_t left = plan->ports; left; left &= left - 1) {
        const unsigned port = (unsigned)__builtin_ctzll(left);
        engine->work[port] += plan->ops * plan->hold[port_kind(port)];
    }
    transfer->done = plan->ops;
    transfer->next += plan_cycles(plan);
    transfer->state = MV_SENT;
    transfer->finished = transfer->next + engine->numbers->notice;
    engine->finished_last = later(engine->finished_last, transfer->finished);
    kernel_wake(engine->kernel, &transfer->process, transfer->finished, PHASE_NOTICE, "complete");
}

uint64_t mncore2_mv_least(const struct mv_engine *engine)
{
    uint64_t least = 0;
    for (unsigned p = 0; p < PORT_COUNT; p++)
        if (engine->work[p])
            least = later(least, engine->numbers->start + (engine->work[p] >> RESOURCE_TICK_SHIFT) +
                                     engine->numbers->notice);
    return least;
}

/* NULL: the host has no memory. */
static const struct plan *plan_of(struct mv_engine *engine, const struct mv *mv)
{
    struct plan plan;
    mncore2_model_plan(engine->numbers, mv, &plan);
    void *found = tfind(&plan, &engine->plans, compare_plans);
    struct plan *own = NULL;
    if (!found && (own = malloc(sizeof *own))) {
        *own = plan;
        found = tsearch(own, &engine->plans, compare_plans);
    }
    if (!found)
        free(own);
    return found ? *(struct plan **)found : NULL;
}

int mncore2_mv_issue(struct mv_engine *engine, const struct mv *mv, const uint32_t *dar,
                     const struct path_record *record)
{
    struct kernel *kernel = engine->kernel;
    if (engine->count == engine->capacity) {
        kernel->broken = "more transfers than MV statements";
        return 0;
    }
    const struct plan *plan = plan_of(engine, mv);
    if (!plan)
        return -1;
    const uint32_t id = engine->count++;
    struct transfer *transfer = &engine->transfers[id];
    *transfer = (struct transfer){
        .process = {.resume = resume, .horizon = next_issue, .describe = describe},
        .engine = engine,
        .mv = mv,
        .plan = plan,
        .record = PATH_NONE,
        .next = record->claimed,
        .issued = kernel->now,
        .item = record->stmt,
        .older = MV_NONE,
        .waited_by = NONE_ID,
        .place = engine->in_flight_count};
    if ((plan->dram_write ? &mv->to : &mv->from)->indirect)
        transfer->dar = dar;
    if (mv->tag) {
        transfer->older = engine->by_tag[mv->tag];
        engine->by_tag[mv->tag] = id;
        engine->outstanding[mv->tag]++;
    }
    if (engine->path) {
        struct path_record of = *record;
        of.active = of.rigid = true;
        of.pinned = mv_uses_dram(transfer);
        of.tag = mv->tag;
        of.unit = plan->limit;
        of.pace = plan->paced ? REASON_RATE : REASON_BUSY;
        of.units = plan->ports;
        of.older =
            transfer->older == MV_NONE ? PATH_NONE : engine->transfers[transfer->older].record;
        transfer->record = path_issue(engine->path, &of);
    }
    if (engine->path && engine->path->status != 0)
        return -1;
    if (engine->alone) {
        go_alone(transfer);
        return 0;
    }
    meet(engine, transfer);
    engine->in_flight[engine->in_flight_count++] = id;
    if (mv_reads_dram(transfer) && mncore2_mv_take_ring(engine, transfer) != 0)
        return -1;
    if (engine->account && engine->numbers->parts &&
        !(transfer->held =
              calloc((size_t)__builtin_popcountll(plan->ports) + 1, sizeof *transfer->held)))
        return -1;
    kernel_wake(kernel, &transfer->process, transfer->next, PHASE_ARRIVE, "start");
    return 0;
}

uint32_t mncore2_mv_waited(struct mv_engine *engine, unsigned tag)
{
    uint32_t last = MV_NONE;
    for (uint32_t t = engine->by_tag[tag]; t != MV_NONE; t = engine->transfers[t].older)
        if (last == MV_NONE || engine->transfers[t].finished > engine->transfers[last].finished)
            last = t;
    engine->by_tag[tag] = MV_NONE;
    return last;
}

uint64_t mncore2_mv_free_at(const struct mv_engine *engine)
{
    const uint64_t all = (1ull << PORT_COUNT) - 1;
    uint64_t at = later(resource_free_at(&engine->ports, all), memory_free_at(&engine->dram));
    for (unsigned p = 0; p < PORT_COUNT; p++)
        at = later(at, engine->parts[p].until);
    return at;
}
