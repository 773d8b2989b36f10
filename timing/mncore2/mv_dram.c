#include "timing/mncore2/mv_dram.h"

#include <stdlib.h>

/* The i-th granule of a transfer in a group (3.5.6). */
static inline uint32_t granule_of(const struct transfer *transfer, unsigned group, uint64_t i)
{
    const struct mv_operand *operand =
        transfer->plan->dram_write ? &transfer->mv->to : &transfer->mv->from;
    if (!transfer->dar)
        return (uint32_t)((operand->addr / DRAM_GRANULE + i) % DRAM_GRANULES);
    const uint64_t run = transfer->mv->nd;
    const uint64_t entry = run ? i / run : 0, step = run ? i % run : i;
    const uint32_t base =
        transfer->dar[group * DAR_ENTRIES + (operand->addr + entry) % DAR_ENTRIES];
    return (uint32_t)((base + step) % DRAM_GRANULES);
}

static inline struct mv_reads *reads_of(const struct transfer *transfer, uint64_t operation)
{
    return &transfer->ring->reads[operation & transfer->ring_mask];
}

void mncore2_mv_dram_ask(struct transfer *transfer, uint64_t operation)
{
    const struct plan *plan = transfer->plan;
    if (!plan->dram_write)
        *reads_of(transfer, operation) = (struct mv_reads){
            .left = plan->granules * (uint32_t)__builtin_popcount(plan->dram_groups),
            .behind = MV_NONE};
    for (unsigned g = 0; g < GROUPS; g++)
        for (unsigned i = 0; i < plan->granules && plan->dram_groups >> g & 1; i++)
            memory_ask(&transfer->engine->dram,
                       &(const struct memory_access){
                           .group = g,
                           .granule = granule_of(transfer, g, operation * plan->granules + i),
                           .write = plan->dram_write,
                           .statement = transfer->item,
                           .requester = mv_id(transfer),
                           .tag = (uint32_t)(operation & transfer->ring_mask),
                           .priority = transfer->mv->priority});
}

bool mncore2_mv_dram_accepts(const struct transfer *transfer)
{
    const unsigned granules = transfer->plan->granules;
    for (unsigned g = 0; g < GROUPS; g++)
        for (unsigned i = 0; i < granules && transfer->plan->dram_groups >> g & 1; i++)
            if (!memory_accepts(&transfer->engine->dram, g,
                                granule_of(transfer, g, transfer->done * granules + i)))
                return false;
    return true;
}

uint32_t mncore2_mv_dram_behind(const struct transfer *transfer)
{
    const unsigned granules = transfer->plan->granules;
    struct memory_room last = {MEMORY_NOBODY, 0};
    if (!transfer->plan->dram_write)
        return reads_of(transfer, transfer->done)->behind;
    for (unsigned g = 0; g < GROUPS; g++)
        for (unsigned i = 0; i < granules && transfer->plan->dram_groups >> g & 1; i++) {
            const struct memory_room room = memory_room(
                &transfer->engine->dram, g, granule_of(transfer, g, transfer->done * granules + i));
            if (room.at > last.at)
                last = room;
        }
    return last.requester == mv_id(transfer) ? MV_NONE : last.requester;
}

uint64_t mncore2_mv_ready_since(const struct transfer *transfer)
{
    if (!mv_reads_dram(transfer))
        return transfer->next;
    const struct mv_reads *reads = reads_of(transfer, transfer->done);
    return reads->left ? UINT64_MAX : later(reads->there, transfer->next);
}

void mncore2_mv_wake_when_ready(struct transfer *transfer, const char *cause)
{
    const uint64_t since = mncore2_mv_ready_since(transfer);
    if (since != UINT64_MAX)
        kernel_wake(transfer->engine->kernel, &transfer->process, since, PHASE_ARRIVE, cause);
}

static void read_served(void *context, const struct memory_access *access, uint64_t there,
                        uint32_t of)
{
    struct mv_engine *engine = context;
    struct transfer *transfer = &engine->transfers[access->requester];
    struct mv_reads *reads = &transfer->ring->reads[access->tag];
    const uint32_t by = of == MEMORY_NOBODY ? MV_NONE : of;
    if (there > reads->there) {
        reads->there = there;
        reads->behind = by;
    } else if (there == reads->there && by < reads->behind) {
        reads->behind = by;
    }
    if (--reads->left == 0 && reads == reads_of(transfer, transfer->done))
        mncore2_mv_wake_when_ready(transfer, "data");
}

/* Requests that passed may go in the next cycle. */
static void write_room(void *context)
{
    struct mv_engine *engine = context;
    if (engine->ports.count)
        kernel_wake_by(engine->kernel, &engine->ports.arbiter, engine->kernel->now + 1, PHASE_GRANT,
                       "room");
}

/* It is known when the stream has ended and the last operation of all has started. */
static uint64_t end_of_run(void *context)
{
    const struct mv_engine *engine = context;
    const struct mv_waiter *waiter = engine->waiter;
    if (waiter->stream->pending || mv_waiter_sleeps(waiter) || engine->in_flight_count)
        return UINT64_MAX;
    return later(later(*waiter->now, *waiter->landed), engine->finished_last);
}

const struct memory_calls mncore2_mv_dram = {read_served, write_room, end_of_run};

static unsigned ring_class(uint64_t count)
{
    unsigned class = 0;
    while (1ull << class < count)
        class ++;
    return class;
}

static uint64_t reads_at_once(const struct transfer *transfer)
{
    return transfer->ahead * transfer->plan->granules *
           (uint64_t)__builtin_popcount(transfer->plan->dram_groups);
}

int mncore2_mv_take_ring(struct mv_engine *engine, struct transfer *transfer)
{
    const uint64_t granules = engine->numbers->read_ahead;
    const uint64_t ahead =
        granules / transfer->plan->granules ? granules / transfer->plan->granules : 1;
    transfer->ahead = ahead < transfer->plan->ops ? ahead : transfer->plan->ops;
    const unsigned class = ring_class(transfer->ahead);
    transfer->ring_mask = (1ull << class) - 1;
    if (memory_reserve(&engine->dram, reads_at_once(transfer)) != 0)
        return -1;
    transfer->ring = engine->spare[class];
    if (transfer->ring)
        engine->spare[class] = transfer->ring->next;
    else
        transfer->ring = malloc(sizeof *transfer->ring + (sizeof(struct mv_reads) << class));
    return transfer->ring ? 0 : -1;
}

void mncore2_mv_give_ring(struct mv_engine *engine, struct transfer *transfer)
{
    if (!transfer->ring)
        return;
    const unsigned class = ring_class(transfer->ahead);
    memory_release(&engine->dram, reads_at_once(transfer));
    transfer->ring->next = engine->spare[class];
    engine->spare[class] = transfer->ring;
    transfer->ring = NULL;
}
