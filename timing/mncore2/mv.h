/*
 * mv: transfers in flight (manual 3.5.3, 3.5.7, 3.5.8).
 *
 *   mv_issue --start latency--> [op 0][op 1]...[op n-1] --notice latency--> finished --> mv_wait
 *
 * A transfer is a sequence of unit operations. Each takes all of its ports in one cycle, each port
 * for as long as its width asks; the next follows at the mode's pace at the earliest. Ports pick by
 * priority, then by how long an operation has waited, then the older transfer (resource.h).
 *
 * The engine is driven from outside and never runs ahead of what it may know: mv_issue brings it to
 * the cycle of issue, mv_wait and mv_drain to the end of transfers. A transfer that shares no port
 * with another in flight is advanced many unit operations at a time, without events; as soon as a
 * contender is issued both go through the queue, operation by operation. The result is the same.
 */
#ifndef TAKT_TIMING_MNCORE2_MV_H
#define TAKT_TIMING_MNCORE2_MV_H

#include "timing/mncore2/dram.h"
#include "timing/queue.h"
#include "timing/resource.h"

enum { MV_TAGS = 256 /* two hexadecimal digits, 3.2.3 */, MV_CAUSES = 4 /* in the transfer itself */ };
#define MV_NONE UINT32_MAX

enum mv_state {
    MV_SOLO,    /* shares no port with another transfer; advanced when somebody asks */
    MV_QUEUED,  /* its next operation is an event in the queue */
    MV_WAITING, /* its next operation waits for its ports */
    MV_DONE     /* the last operation has started */
};

/* Who held the transfer back, at which unit: operations that waited, from the first to the last. */
struct mv_cause {
    uint32_t by;   /* transfer, or MV_NONE */
    uint32_t unit;
    enum reason reason;
    uint32_t times;       /* operations that waited */
    uint64_t waited;      /* cycles of all of them; 0: this is no cause */
    uint64_t from, first; /* when the first wait began and ended */
    uint64_t at;          /* when the last one ended */
};

/* Causes of a transfer that has more than MV_CAUSES, the one that bound last first. */
struct mv_more {
    struct mv_cause cause;
    uint32_t next; /* index into the engine's list, or MV_NONE */
};

struct mv_ring {
    struct mv_ring *next; /* among spare ones */
    uint64_t arrivals[];
};

struct transfer {
    struct plan plan;
    uint64_t done;    /* operations started */
    uint64_t next;    /* cycle from which the next may start by the mode's pace */
    uint32_t item;
    uint8_t mode, tag, priority, state;
    bool begun;       /* first reads of the DRAM have been asked for */
    uint32_t rivals;  /* transfers in flight that share a port */
    uint32_t first_rival, last_rival; /* of all that ever did: the oldest issued before, the newest
                                         issued after; or MV_NONE */
    uint32_t active;  /* place in the list of those in flight */
    uint32_t older;   /* earlier transfer with the same tag that was not waited for, or MV_NONE */
    uint64_t granule; /* first granule of the DRAM operand */
    const uint32_t *dar; /* [GROUPS][DAR_ENTRIES] of an indirect operand, NULL = direct */
    uint32_t dar_first, dar_run;
    uint64_t ahead;   /* operations whose reads are asked for ahead of the operation */
    struct mv_ring *ring; /* cycle in which the data of an operation are there, by number & mask */
    uint64_t ring_mask;
    uint64_t long_words;
    uint64_t issued, started, finished;
    uint64_t waited;   /* by the stream */
    uint32_t waited_by;
    uint32_t behind;   /* transfer whose granules were in front of those served last, or MV_NONE */
    struct mv_cause causes[MV_CAUSES]; /* the first ones, in order */
    uint32_t more;     /* and the others: index into the engine's list, or MV_NONE */
    uint64_t bound_at; /* when it was held back last, and by which transfer */
    uint32_t bound_by;
};

struct mv_engine {
    const struct model *model;
    const struct numbers *numbers;
    struct account *account;  /* NULL in the documented twin */
    struct transfer *transfers;
    uint32_t count, capacity;
    uint32_t settled; /* of which the first so many are written to no more: mv_settled */
    uint32_t *in_flight;
    uint32_t in_flight_count;
    uint32_t by_tag[MV_TAGS];
    struct resource_table ports;
    struct queue queue;
    uint64_t serve_at;        /* next cycle in which the ports must be looked at */
    struct dram dram;
    struct mv_ring *spare[16]; /* to use again, by size */
    struct mv_more *more;     /* causes that did not fit into their transfers */
    uint32_t more_count, more_capacity;
    uint64_t finished_last;   /* latest completion notice so far */
    const char *broken;       /* a broken invariant, or NULL */
};

/* capacity: transfers of the whole run. Returns 0, or -1 when the host has no memory. */
int mv_init(struct mv_engine *engine, const struct model *model, const struct numbers *numbers,
            struct account *account, size_t capacity);
void mv_free(struct mv_engine *engine);

/* An MV statement is issued at cycle `at`, not before any earlier call's. dar: contents of all DAR
 * [GROUPS][DAR_ENTRIES] if an operand is indirect; it must live as long as the engine. Returns 0,
 * or -1 when the host has no memory. */
int mv_issue(struct mv_engine *engine, const struct mv *mv, uint32_t item, uint64_t at,
             const uint32_t *dar);

/*
 * A statement waits for a tag. Returns the cycle in which the last completion notice of the
 * transfers that carry it arrives, and that transfer; 0 and MV_NONE when none was issued since the
 * last wait for this tag.
 */
uint64_t mv_wait(struct mv_engine *engine, unsigned tag, uint32_t *transfer);

/* Run everything to its end. */
void mv_drain(struct mv_engine *engine);

/* Everything that happens before this cycle has happened; returns the first cycle from which no
 * port is taken. */
uint64_t mv_settle(struct mv_engine *engine, uint64_t cycle);

/* The causes of a transfer one by one: starts at *at = 0; NULL after the last. */
const struct mv_cause *mv_next_cause(const struct mv_engine *engine,
                                     const struct transfer *transfer, uint64_t *at);

/* The transfers before this one, and those that their causes name, have ended and been waited for, if anybody will:
 * nothing of them is written to any more, nor do they move. `from`: as it was told last. */
uint32_t mv_settled(struct mv_engine *engine, uint32_t from);

/* Room for so many causes more beside transfers. False when the host has no memory. */
bool mv_reserve_causes(struct mv_engine *engine, uint64_t count);

/* --- mv_repeat.c: repetitions of the stream, for skip.c ------------------------------------------------ */

/* What a repeating stretch of the stream does with transfers. */
struct mv_loop {
    bool any; /* false: neither transfers nor waits, so that it leaves the engine alone */
    uint64_t tags[MV_TAGS / 64];  /* bit: the stretch issues transfers with this tag ... */
    uint64_t waits[MV_TAGS / 64]; /* ... or waits for it */
    unsigned groups;              /* bit: its transfers use the DRAM of this group */
};

/* How far apart two equal moments are. */
struct mv_shift {
    uint64_t cycles;
    uint32_t transfers, items;
};

/* Everything that the engine will do from cycle `now` on, when statement `item` is the next, as far
 * as the stretch can tell. */
void mv_words(const struct mv_engine *engine, const struct mv_loop *loop, uint64_t now,
              uint32_t item, struct words *words);
/* The oldest transfer that can still change, or the number of all. */
uint32_t mv_oldest(const struct mv_engine *engine, const struct mv_loop *loop);
/*
 * The last 2 * shift->transfers transfers are those of two equal periods, of which the later one
 * began at cycle `since`; what was issued before that is over. It follows `count` times more.
 * Returns 0, or -1 when the host has no memory (and nothing has changed).
 */
int mv_repeat(struct mv_engine *engine, const struct mv_loop *loop, const struct mv_shift *shift,
              uint64_t count, uint64_t since);

#endif
