#include "timing/mncore2/mv.h"

#include <stdlib.h>
#include <string.h>

/* What happens in the queue; data is the transfer. */
enum { EVENT_BEGIN, EVENT_ARRIVE };

int mv_init(struct mv_engine *engine, const struct model *model, const struct numbers *numbers,
            struct account *account, size_t capacity)
{
    memset(engine, 0, sizeof *engine);
    engine->model = model;
    engine->numbers = numbers;
    engine->account = account;
    engine->serve_at = UINT64_MAX;
    engine->capacity = (uint32_t)capacity;
    for (unsigned t = 0; t < MV_TAGS; t++)
        engine->by_tag[t] = MV_NONE;
    engine->transfers = calloc(capacity + 1, sizeof *engine->transfers);
    engine->in_flight = calloc(capacity + 1, sizeof *engine->in_flight);
    if (engine->transfers && engine->in_flight && queue_init(&engine->queue, capacity + 1) == 0 &&
        resource_init(&engine->ports, capacity + 1) == 0 &&
        dram_init(&engine->dram, model, &numbers->dram, account) == 0)
        return 0;
    mv_free(engine);
    return -1;
}

void mv_free(struct mv_engine *engine)
{
    for (uint32_t t = 0; engine->transfers && t < engine->count; t++)
        free(engine->transfers[t].ring);
    for (size_t s = 0; s < sizeof engine->spare / sizeof *engine->spare; s++)
        while (engine->spare[s]) {
            struct mv_ring *ring = engine->spare[s];
            engine->spare[s] = ring->next;
            free(ring);
        }
    free(engine->transfers);
    free(engine->in_flight);
    free(engine->more);
    queue_free(&engine->queue);
    resource_free(&engine->ports);
    if (engine->dram.numbers)
        dram_free(&engine->dram);
    engine->transfers = NULL;
    engine->in_flight = NULL;
    engine->more = NULL;
    engine->count = engine->more_count = engine->more_capacity = 0;
}

/* --- DRAM side of a transfer ----------------------------------------------------------------------- */

static inline bool uses_dram(const struct mv_engine *engine, const struct transfer *transfer)
{
    return transfer->plan.granules && !engine->numbers->dram.ideal;
}

static inline bool reads_dram(const struct mv_engine *engine, const struct transfer *transfer)
{
    return uses_dram(engine, transfer) && !transfer->plan.dram_write;
}

/* The i-th granule of a transfer in a group (3.5.6). */
static inline uint64_t granule_of(const struct transfer *transfer, unsigned group, uint64_t i)
{
    if (!transfer->dar)
        return (transfer->granule + i) % DRAM_GRANULES;
    const uint64_t entry = transfer->dar_run ? i / transfer->dar_run : 0;
    const uint64_t step = transfer->dar_run ? i % transfer->dar_run : i;
    const uint32_t base =
        transfer->dar[group * DAR_ENTRIES + (transfer->dar_first + entry) % DAR_ENTRIES];
    return (base + step) % DRAM_GRANULES;
}

/* All granules of one unit operation arrive at their channels. Returns when the last has its data. */
static uint64_t serve_operation(struct mv_engine *engine, struct transfer *transfer,
                                uint64_t operation, uint64_t arrival)
{
    uint64_t last = 0;
    const unsigned granules = transfer->plan.granules;
    engine->dram.serving = (uint32_t)(transfer - engine->transfers);
    engine->dram.behind = MV_NONE;
    for (unsigned g = 0; g < GROUPS; g++) {
        if (!(transfer->plan.dram_groups >> g & 1))
            continue;
        for (unsigned i = 0; i < granules; i++) {
            const uint64_t granule = granule_of(transfer, g, operation * granules + i);
            const uint64_t there = dram_serve(&engine->dram, g, granule, transfer->plan.dram_write,
                                              arrival, transfer->item);
            last = there > last ? there : last;
        }
    }
    transfer->behind = engine->dram.behind;
    return last;
}

/* The first cycle in which every channel takes the next operation's writes. */
static uint64_t accepts_operation(const struct mv_engine *engine, const struct transfer *transfer)
{
    uint64_t last = 0;
    const unsigned granules = transfer->plan.granules;
    for (unsigned g = 0; g < GROUPS; g++) {
        if (!(transfer->plan.dram_groups >> g & 1))
            continue;
        for (unsigned i = 0; i < granules; i++) {
            const uint64_t accepts = dram_accepts(
                &engine->dram, g, granule_of(transfer, g, transfer->done * granules + i));
            last = accepts > last ? accepts : last;
        }
    }
    return last;
}

static inline uint64_t *arrival_of(struct transfer *transfer, uint64_t operation)
{
    return &transfer->ring->arrivals[operation & transfer->ring_mask];
}

/* The transfer begins: as many reads as fit into its buffer are asked for. */
static void begin(struct mv_engine *engine, struct transfer *transfer)
{
    transfer->begun = true;
    if (!reads_dram(engine, transfer))
        return;
    for (uint64_t i = 0; i < transfer->ahead; i++)
        *arrival_of(transfer, i) = serve_operation(engine, transfer, i, transfer->next);
}

/* The cycle from which the next operation waits for its ports. */
static uint64_t ready_since(const struct mv_engine *engine, struct transfer *transfer)
{
    if (!reads_dram(engine, transfer))
        return transfer->next;
    const uint64_t there = *arrival_of(transfer, transfer->done);
    return there > transfer->next ? there : transfer->next;
}

/* Rings of read arrivals are used again; they are allocated at issue, never in the event loop. */
static unsigned ring_class(uint64_t count)
{
    unsigned class = 0;
    while (1ull << class < count)
        class++;
    return class;
}

static int take_ring(struct mv_engine *engine, struct transfer *transfer)
{
    const uint64_t granules = engine->numbers->dram.read_ahead;
    const uint64_t ahead = granules / transfer->plan.granules ? granules / transfer->plan.granules
                                                              : 1;
    transfer->ahead = ahead < transfer->plan.ops ? ahead : transfer->plan.ops;
    const unsigned class = ring_class(transfer->ahead);
    transfer->ring_mask = (1ull << class) - 1;
    transfer->ring = engine->spare[class];
    if (transfer->ring)
        engine->spare[class] = transfer->ring->next;
    else
        transfer->ring = malloc(sizeof *transfer->ring + (sizeof(uint64_t) << class));
    return transfer->ring ? 0 : -1;
}

static void give_ring(struct mv_engine *engine, struct transfer *transfer)
{
    if (!transfer->ring)
        return;
    const unsigned class = ring_class(transfer->ahead);
    transfer->ring->next = engine->spare[class];
    engine->spare[class] = transfer->ring;
    transfer->ring = NULL;
}

/* --- who held whom back ------------------------------------------------------------------------------ */

bool mv_reserve_causes(struct mv_engine *engine, uint64_t count)
{
    enum { LEAST = 64 };
    if (count <= engine->more_capacity - engine->more_count)
        return true;
    const uint64_t needed = engine->more_count + count;
    uint64_t capacity = engine->more_capacity ? 2ull * engine->more_capacity : LEAST;
    capacity = capacity < needed ? needed : capacity;
    if (capacity >= MV_NONE)
        return false;
    struct mv_more *more = realloc(engine->more, (size_t)capacity * sizeof *more);
    if (!more)
        return false;
    engine->more = more;
    engine->more_capacity = (uint32_t)capacity;
    return true;
}

const struct mv_cause *mv_next_cause(const struct mv_engine *engine,
                                     const struct transfer *transfer, uint64_t *at)
{
    if (*at < MV_CAUSES) {
        const struct mv_cause *cause = &transfer->causes[*at];
        if (!cause->waited)
            return NULL;
        *at = *at + 1 < MV_CAUSES ? *at + 1 : MV_CAUSES + (uint64_t)transfer->more;
        return cause;
    }
    const uint64_t index = *at - MV_CAUSES;
    if (index == MV_NONE)
        return NULL;
    *at = MV_CAUSES + (uint64_t)engine->more[index].next;
    return &engine->more[index].cause;
}

static bool names_later(const struct transfer *transfer, uint32_t settled)
{
    for (unsigned i = 0; i < MV_CAUSES && transfer->causes[i].waited; i++)
        if (transfer->causes[i].by != MV_NONE && transfer->causes[i].by >= settled)
            return true;
    return false;
}

uint32_t mv_settled(struct mv_engine *engine, uint32_t from)
{
    enum { MOST = 4096 }; /* of a program that does not wait */
    uint32_t settled = engine->count, left = MOST;
    if (engine->more_count) /* the list may move */
        return from;
    for (uint32_t i = 0; i < engine->in_flight_count; i++)
        if (engine->in_flight[i] < settled)
            settled = engine->in_flight[i];
    for (unsigned tag = 1; tag < MV_TAGS; tag++)
        for (uint32_t id = engine->by_tag[tag]; id != MV_NONE; id = engine->transfers[id].older) {
            if (id < settled)
                settled = id;
            if (--left == 0)
                return from;
        }
    if (settled > engine->settled)
        engine->settled = settled;
    while (from < settled && !names_later(&engine->transfers[from], settled))
        from++;
    return from;
}

static bool same_cause(const struct mv_cause *a, const struct mv_cause *b)
{
    return a->by == b->by && a->unit == b->unit && a->reason == b->reason;
}

static void again(struct mv_cause *known, const struct mv_cause *cause)
{
    known->times++;
    known->waited += cause->waited;
    known->at = cause->at;
}

/* A cause beside the transfer. What bound last before the other was issued is not the other's: the
 * search ends there, so that it is short however many causes there are. */
static void add_more(struct mv_engine *engine, struct transfer *transfer,
                     const struct mv_cause *cause)
{
    const uint64_t issued = cause->by == MV_NONE ? 0 : engine->transfers[cause->by].issued;
    uint32_t *link = &transfer->more;
    while (*link != MV_NONE && engine->more[*link].cause.at >= issued &&
           !same_cause(&engine->more[*link].cause, cause))
        link = &engine->more[*link].next;
    uint32_t index = *link;
    if (index != MV_NONE && same_cause(&engine->more[index].cause, cause)) {
        *link = engine->more[index].next;
        again(&engine->more[index].cause, cause);
    } else if (mv_reserve_causes(engine, 1)) {
        index = engine->more_count++;
        engine->more[index].cause = *cause;
    } else {
        engine->account->status = -1; /* only with an account is anything explained */
        return;
    }
    engine->more[index].next = transfer->more;
    transfer->more = index;
}

static void add_cause(struct mv_engine *engine, struct transfer *transfer,
                      const struct mv_cause *cause)
{
    for (unsigned i = 0; i < MV_CAUSES; i++) {
        struct mv_cause *known = &transfer->causes[i];
        if (!known->waited) {
            *known = *cause;
            return;
        }
        if (same_cause(known, cause)) {
            again(known, cause);
            return;
        }
    }
    add_more(engine, transfer, cause);
}

static enum reason port_reason(const struct mv_engine *engine, const struct transfer *transfer,
                               unsigned port)
{
    if (engine->ports.ports[port].priority > transfer->priority)
        return REASON_PRIORITY;
    return port >= PORT_LINK ? REASON_LINK : REASON_PORT;
}

static void blame(struct mv_engine *engine, const struct transfer *transfer, enum reason reason,
                  uint64_t from, uint64_t to)
{
    for (uint64_t left = transfer->plan.ports; left; left &= left - 1)
        account_reason(engine->account, MV_FIRST + (uint32_t)__builtin_ctzll(left), reason,
                       transfer->item, from, to);
}

/* An operation starts at `at`; by its pace it could have started at transfer->next, its data were
 * there at `since`. */
static void explain(struct mv_engine *engine, struct transfer *transfer, uint64_t since,
                    uint64_t at)
{
    const uint32_t dram =
        UNIT_DRAM0 + (transfer->plan.dram_groups
                          ? (uint32_t)__builtin_ctz(transfer->plan.dram_groups)
                          : 0);
    if (since > transfer->next) {
        const struct mv_cause cause = {transfer->behind,       dram,           REASON_MEMORY, 1,
                                       since - transfer->next, transfer->next, since,         since};
        add_cause(engine, transfer, &cause);
        blame(engine, transfer, REASON_MEMORY, transfer->next, since);
    }
    if (at == since)
        return;
    const unsigned port = resource_last_released(&engine->ports, transfer->plan.ports);
    const struct resource *last = &engine->ports.ports[port];
    struct mv_cause cause = {transfer->behind, dram, REASON_MEMORY, 1, at - since, since, at, at};
    if (last->free_at >= at || (last->free_at > since && !transfer->plan.dram_write)) {
        cause.by = last->holder;
        cause.unit = MV_FIRST + port;
        cause.reason = port_reason(engine, transfer, port);
        transfer->bound_at = at;
        transfer->bound_by = last->holder;
    } else if (!transfer->plan.dram_write) {
        /* Nobody held a port: a request of higher rank kept one, and then stepped aside. */
        cause.by = MV_NONE;
        cause.unit = MV_FIRST + (uint32_t)__builtin_ctzll(transfer->plan.ports);
        cause.reason = REASON_PORT;
    }
    add_cause(engine, transfer, &cause);
    blame(engine, transfer, cause.reason, since, at);
}

/* --- operations -------------------------------------------------------------------------------------- */

static void leave(struct mv_engine *engine, struct transfer *transfer)
{
    transfer->state = MV_DONE;
    const uint32_t last = engine->in_flight[--engine->in_flight_count];
    engine->in_flight[transfer->active] = last;
    engine->transfers[last].active = transfer->active;
    if (transfer->rivals)
        for (uint32_t i = 0; i < engine->in_flight_count; i++) {
            struct transfer *other = &engine->transfers[engine->in_flight[i]];
            if (other->plan.ports & transfer->plan.ports)
                other->rivals--;
        }
    give_ring(engine, transfer);
}

/* `count` operations start, at `at` and then at the mode's pace. More than one only when nothing can
 * come between and the DRAM does not matter. */
static void start_operations(struct mv_engine *engine, struct transfer *transfer, uint64_t at,
                             uint64_t count)
{
    const struct plan *plan = &transfer->plan;
    const uint32_t id = (uint32_t)(transfer - engine->transfers);
    const uint64_t last = at + (count - 1) * plan->pace;
    for (uint64_t left = plan->ports; left; left &= left - 1) {
        const unsigned port = (unsigned)__builtin_ctzll(left);
        const uint64_t hold = plan->hold[port_kind(port)];
        resource_take(&engine->ports, port, id, transfer->priority, last + hold);
        if (!engine->account)
            continue;
        if (count == 1)
            account_busy(engine->account, MV_FIRST + port, transfer->item, at, hold);
        else
            account_periodic(engine->account, MV_FIRST + port, transfer->item, at, plan->pace,
                             hold, count);
    }
    if (uses_dram(engine, transfer)) {
        if (plan->dram_write)
            serve_operation(engine, transfer, transfer->done, at);
        else if (transfer->done + transfer->ahead < plan->ops)
            *arrival_of(transfer, transfer->done + transfer->ahead) =
                serve_operation(engine, transfer, transfer->done + transfer->ahead, at);
    }
    if (transfer->done == 0)
        transfer->started = at;
    transfer->done += count;
    transfer->next = last + plan->pace;
    if (transfer->done == plan->ops) {
        transfer->finished = transfer->next + engine->numbers->notice;
        if (transfer->finished > engine->finished_last)
            engine->finished_last = transfer->finished;
        leave(engine, transfer);
    }
}

/* A transfer that shares no port starts everything it can before `limit`. */
static void run_solo(struct mv_engine *engine, struct transfer *transfer, uint64_t limit)
{
    if (!transfer->begun) {
        if (transfer->next >= limit)
            return;
        begin(engine, transfer);
    }
    const bool steps = uses_dram(engine, transfer);
    while (transfer->state == MV_SOLO) {
        const uint64_t since = ready_since(engine, transfer);
        uint64_t at = since;
        const unsigned port = resource_last_released(&engine->ports, transfer->plan.ports);
        if (engine->ports.ports[port].free_at > at)
            at = engine->ports.ports[port].free_at;
        if (steps && transfer->plan.dram_write) {
            const uint64_t accepts = accepts_operation(engine, transfer);
            at = accepts > at ? accepts : at;
        }
        if (at >= limit)
            return;
        if (engine->account && at > transfer->next)
            explain(engine, transfer, since, at);
        uint64_t count = 1;
        if (!steps) {
            const uint64_t left = transfer->plan.ops - transfer->done;
            const uint64_t fit = (limit - 1 - at) / transfer->plan.pace + 1;
            count = left < fit ? left : fit;
        }
        start_operations(engine, transfer, at, count);
    }
}

static void ask(struct mv_engine *engine, struct transfer *transfer, uint64_t since, uint64_t now)
{
    const struct request request = {transfer->plan.ports, since,
                                    (uint32_t)(transfer - engine->transfers), transfer->priority};
    transfer->state = MV_WAITING;
    if (!resource_ask(&engine->ports, &request))
        engine->broken = "more operations wait than there are transfers";
    if (now < engine->serve_at)
        engine->serve_at = now;
}

static void push(struct mv_engine *engine, struct transfer *transfer, uint64_t cycle, uint32_t what)
{
    transfer->state = MV_QUEUED;
    if (!queue_push(&engine->queue, cycle, PHASE_ARRIVE, what,
                    (uint64_t)(transfer - engine->transfers)))
        engine->broken = "an event was pushed into the past";
}

/* A transfer gets a rival: from now on its operations go through the queue. All that could start
 * before `now` has started. */
static void enter_queue(struct mv_engine *engine, struct transfer *transfer, uint64_t now)
{
    if (!transfer->begun) {
        push(engine, transfer, transfer->next, EVENT_BEGIN);
        return;
    }
    const uint64_t since = ready_since(engine, transfer);
    if (since < now)
        ask(engine, transfer, since, now);
    else
        push(engine, transfer, since, EVENT_ARRIVE);
}

static uint64_t request_ready(void *self, const struct request *request, uint64_t now)
{
    const struct mv_engine *engine = self;
    const struct transfer *transfer = &engine->transfers[request->id];
    if (!transfer->plan.dram_write || !uses_dram(engine, transfer))
        return now;
    return accepts_operation(engine, transfer);
}

static void request_start(void *self, const struct request *request, uint64_t now)
{
    struct mv_engine *engine = self;
    struct transfer *transfer = &engine->transfers[request->id];
    if (engine->account && now > transfer->next)
        explain(engine, transfer, request->since, now);
    start_operations(engine, transfer, now, 1);
    if (transfer->state == MV_DONE)
        return;
    if (transfer->rivals == 0)
        transfer->state = MV_SOLO;
    else
        push(engine, transfer, ready_since(engine, transfer), EVENT_ARRIVE);
}

static const struct resource_calls port_calls = {request_ready, request_start};

/* The next thing that happens in the queue or at the ports, if it does before `limit`. */
static bool step(struct mv_engine *engine, uint64_t limit)
{
    const uint64_t next = queue_next(&engine->queue);
    if ((next < engine->serve_at ? next : engine->serve_at) >= limit || engine->broken)
        return false;
    if (next > engine->serve_at) {
        const uint64_t now = engine->serve_at;
        engine->serve_at = resource_serve(&engine->ports, now, &port_calls, engine);
        return true;
    }
    struct queue_event event;
    queue_pop(&engine->queue, &event);
    struct transfer *transfer = &engine->transfers[event.data];
    if (event.what == EVENT_BEGIN) {
        begin(engine, transfer);
        /* Its reads may make a waiting write unacceptable, which then leaves its ports to others. */
        if (event.cycle < engine->serve_at)
            engine->serve_at = event.cycle;
    }
    const uint64_t since = ready_since(engine, transfer);
    if (since > event.cycle)
        push(engine, transfer, since, EVENT_ARRIVE);
    else
        ask(engine, transfer, since, event.cycle);
    return true;
}

/* Everything before `cycle` happens, as far as transfers share ports. */
static void run_queue(struct mv_engine *engine, uint64_t cycle)
{
    while (step(engine, cycle))
        continue;
}

static void run_to_end(struct mv_engine *engine, struct transfer *transfer)
{
    while (transfer->state != MV_DONE && !engine->broken) {
        if (transfer->state == MV_SOLO)
            run_solo(engine, transfer, UINT64_MAX);
        else if (!step(engine, UINT64_MAX))
            engine->broken = "a transfer waits for nothing";
    }
}

/* --- from outside -------------------------------------------------------------------------------------- */

int mv_issue(struct mv_engine *engine, const struct mv *mv, uint32_t item, uint64_t at,
             const uint32_t *dar)
{
    if (engine->count == engine->capacity) {
        engine->broken = "more transfers than MV statements";
        return 0;
    }
    run_queue(engine, at);
    const uint32_t id = engine->count++;
    struct transfer *transfer = &engine->transfers[id];
    *transfer = (struct transfer){.item = item,
                                  .mode = mv->mode,
                                  .tag = mv->tag,
                                  .priority = mv->priority,
                                  .next = at + engine->numbers->start,
                                  .issued = at,
                                  .long_words = mv->size,
                                  .first_rival = MV_NONE,
                                  .last_rival = MV_NONE,
                                  .older = MV_NONE,
                                  .waited_by = NONE_ID,
                                  .bound_by = MV_NONE,
                                  .behind = MV_NONE,
                                  .more = MV_NONE};
    model_plan(engine->numbers, mv, &transfer->plan);
    const struct mv_operand *operand = transfer->plan.dram_write ? &mv->to : &mv->from;
    if (operand->mem == MEM_DRAM && operand->indirect) {
        transfer->dar = dar;
        transfer->dar_first = (uint32_t)operand->addr;
        transfer->dar_run = mv->nd;
    } else {
        transfer->granule = operand->addr / DRAM_GRANULE;
    }
    if (mv->tag) {
        transfer->older = engine->by_tag[mv->tag];
        engine->by_tag[mv->tag] = id;
    }
    for (uint32_t i = engine->in_flight_count; i-- > 0;) {
        struct transfer *other = &engine->transfers[engine->in_flight[i]];
        if (!(other->plan.ports & transfer->plan.ports))
            continue;
        if (other->state == MV_SOLO)
            run_solo(engine, other, at);
        if (other->state == MV_DONE)
            continue;
        other->rivals++;
        transfer->rivals++;
        other->last_rival = id;
        if (engine->in_flight[i] < transfer->first_rival)
            transfer->first_rival = engine->in_flight[i];
        if (other->state == MV_SOLO)
            enter_queue(engine, other, at);
    }
    transfer->active = engine->in_flight_count;
    engine->in_flight[engine->in_flight_count++] = id;
    if (reads_dram(engine, transfer) && take_ring(engine, transfer) != 0)
        return -1;
    if (transfer->rivals)
        enter_queue(engine, transfer, at);
    return 0;
}

uint64_t mv_wait(struct mv_engine *engine, unsigned tag, uint32_t *transfer)
{
    uint64_t latest = 0;
    *transfer = MV_NONE;
    for (uint32_t id = engine->by_tag[tag]; id != MV_NONE; id = engine->transfers[id].older) {
        run_to_end(engine, &engine->transfers[id]);
        if (*transfer == MV_NONE || engine->transfers[id].finished > latest) {
            latest = engine->transfers[id].finished;
            *transfer = id;
        }
    }
    engine->by_tag[tag] = MV_NONE;
    return latest;
}

void mv_drain(struct mv_engine *engine)
{
    while (engine->in_flight_count && !engine->broken)
        run_to_end(engine, &engine->transfers[engine->in_flight[0]]);
}

uint64_t mv_settle(struct mv_engine *engine, uint64_t cycle)
{
    run_queue(engine, cycle);
    for (uint32_t i = engine->in_flight_count; i-- > 0;)
        if (engine->transfers[engine->in_flight[i]].state == MV_SOLO)
            run_solo(engine, &engine->transfers[engine->in_flight[i]], cycle);
    uint64_t free_at = 0;
    for (unsigned p = 0; p < PORT_COUNT; p++)
        if (engine->ports.ports[p].free_at > free_at)
            free_at = engine->ports.ports[p].free_at;
    const uint64_t channels = dram_free_at(&engine->dram);
    return channels > free_at ? channels : free_at;
}
