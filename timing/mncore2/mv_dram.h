/*
 * mv_dram: what a transfer has to do with the DRAM: its reads come before its operations, in a ring
 * of those that are pending; its writes need room at their channels.
 */
#ifndef TAKT_TIMING_MNCORE2_MV_DRAM_H
#define TAKT_TIMING_MNCORE2_MV_DRAM_H

#include "timing/mncore2/mv.h"
#include "timing/producer.h"

enum { MV_BURST = 64 / DRAM_GRANULE }; /* granules of a unit operation at most */

/* The calls of the engine's memory. */
extern const struct memory_calls mncore2_mv_dram;

static inline uint32_t mv_id(const struct transfer *transfer)
{
    return (uint32_t)(transfer - transfer->engine->transfers);
}

static inline bool mv_uses_dram(const struct transfer *transfer)
{
    return transfer->plan->granules && !transfer->engine->numbers->dram.ideal;
}

static inline bool mv_reads_dram(const struct transfer *transfer)
{
    return mv_uses_dram(transfer) && !transfer->plan->dram_write;
}

/* All granules of one unit operation arrive at their channels. */
void mncore2_mv_dram_ask(struct transfer *transfer, uint64_t operation);
/* Whether every channel takes the next operation's writes. */
bool mncore2_mv_dram_accepts(const struct transfer *transfer);
/* The transfer that the next operation queued after: with its reads, or with its writes when the
 * buffer was full. MV_NONE: none. */
uint32_t mncore2_mv_dram_behind(const struct transfer *transfer);

/* The cycle from which the next operation waits for its ports; UINT64_MAX while it is not known
 * when its data are there. */
uint64_t mncore2_mv_ready_since(const struct transfer *transfer);
/* Wake the transfer when its next operation is ready, if that is known. */
void mncore2_mv_wake_when_ready(struct transfer *transfer, const char *cause);

/* The ring of a transfer that reads, at its issue; it goes back when all have been served. Rings
 * are used again. Returns 0, or -1 when the host has no memory. */
int mncore2_mv_take_ring(struct mv_engine *engine, struct transfer *transfer);
void mncore2_mv_give_ring(struct mv_engine *engine, struct transfer *transfer);

#endif
