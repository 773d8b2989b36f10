/*
 * mv: transfers in flight (manual 3.5.3, 3.5.7, 3.5.8).
 *
 *   mncore2_mv_issue --start latency--> [op 0][op 1]...[op n-1] --notice latency--> the waiter
 *
 * A transfer is a process that sends unit operations. Each takes all of its ports in one cycle,
 * each port for as long as its width requires; the next follows at the mode's pace at the earliest.
 * Ports pick by priority, then by how long an operation has waited, then the older transfer
 * (timing/resource.h). The documented rate of a mode may belong to the way that transfers of this
 * mode between the same groups share: then each operation takes the way, too. Two transfers on one
 * way share a port: a way has a PDM or DRAM at one end.
 *
 * Only the stream starts transfers. So a transfer that shares no port with another in flight may
 * send all operations up to the stream's next possible issue in one event; its horizon is that
 * cycle. As soon as a contender is issued, both line up operation by operation.
 */
#ifndef TAKT_TIMING_MNCORE2_MV_H
#define TAKT_TIMING_MNCORE2_MV_H

#include "timing/unit_event.h"
#include "timing/memory.h"
#include "timing/mncore2/model.h"
#include "timing/path.h"
#include "timing/resource.h"

enum { MV_TAGS = 256 /* two hexadecimal digits, 3.2.3 */ };
#define MV_NONE UINT32_MAX

enum mv_state {
    MV_STARTING, /* issued, its first operation is still to come */
    MV_SENDING,  /* its next operation is an event */
    MV_WAITING,  /* its next operation waits for its ports */
    MV_SENT,     /* the last operation has started */
    MV_DONE      /* the completion notice has arrived */
};

struct mv_engine;

/* The reads of one operation. */
struct mv_reads {
    uint64_t there;  /* when the last data are there, of those that have their slots */
    uint32_t left;   /* granules that have none yet */
    uint32_t behind; /* transfer that the last ones queued after, or MV_NONE */
};

struct mv_ring {
    struct mv_ring *next; /* among spare ones */
    struct mv_reads reads[];
};

struct transfer {
    struct process process; /* first */
    struct mv_engine *engine;
    const struct mv *mv;
    const struct plan *plan; /* in engine->plans */
    uint64_t record;         /* in engine->path */
    uint64_t done;           /* operations started */
    uint64_t next;           /* cycle from which the next may start by the mode's pace */
    uint32_t rest;           /* ticks of that cycle used by the previous one */
    uint64_t issued, started, finished;
    uint32_t item;
    uint32_t rivals; /* transfers in flight that share a port */
    uint32_t place;  /* in the list of those in flight */
    uint32_t older;  /* earlier transfer with the same tag that was not waited for, or MV_NONE */
    uint8_t state;
    bool reported;
    const uint32_t *dar;  /* [GROUPS][DAR_ENTRIES] of an indirect operand, NULL = direct */
    uint64_t ahead;       /* operations whose reads are requested before the operation */
    struct mv_ring *ring; /* reads of its next operations, by number & mask */
    uint64_t ring_mask;
    uint64_t *held;  /* of its ports in order: cycles, if some operations take fractions; or NULL */
    uint64_t waited; /* by the stream */
    uint32_t waited_by; /* statement, or NONE_ID */
};

/* Index of a port among those of the transfer. */
static inline unsigned mv_held(const struct transfer *transfer, unsigned port)
{
    return (unsigned)__builtin_popcountll(transfer->plan->ports & ((UINT64_C(1) << port) - 1));
}

/* The stream in which transfers are issued and waited for. */
struct mv_waiter {
    struct process *stream;
    const uint64_t *now;    /* the stream's own time */
    const uint64_t *landed; /* end of its last write */
    unsigned tag;           /* it sleeps until this tag's transfers are done; 0 = it does not */
    uint32_t transfer;      /* it sleeps until this one is done; MV_NONE: it does not */
};

static inline bool mv_waiter_sleeps(const struct mv_waiter *waiter)
{
    return waiter->tag || waiter->transfer != MV_NONE;
}

/* A port that is held for parts of cycles: what it was held and has no busy cycle yet, and the end
 * of its last busy cycle. */
struct mv_parts {
    uint64_t ticks, until;
};

struct mv_engine {
    struct kernel *kernel;
    const struct program *program;
    const struct numbers *numbers;
    struct account *account; /* NULL: neither account nor path is kept */
    struct path *path;
    struct unit_events *unit_events; /* without run-ahead, of the estimate; else NULL */
    struct mv_waiter *waiter;
    struct transfer *transfers;
    void *plans; /* of struct plan: each once, however many transfers have it */
    uint32_t count, capacity;
    uint32_t *in_flight;
    uint32_t in_flight_count;
    uint32_t by_tag[MV_TAGS];      /* newest transfer that was not waited for, or MV_NONE */
    uint32_t outstanding[MV_TAGS]; /* of those, how many are not done */
    struct resource_set ports;
    struct resource ways[WAYS];
    struct memory dram;
    struct mv_parts parts[PORT_COUNT];
    struct mv_ring *spare[16]; /* to use again, by size */
    bool alone;                /* no transfer ever waits: the total is a lower bound */
    uint64_t work[PORT_COUNT]; /* ticks of each port, where alone */
    uint64_t finished_last;    /* latest completion notice that is known */
};

struct mv_config {
    struct kernel *kernel;
    const struct program *program; /* whose items the transfers are */
    const struct model *model;
    const struct numbers *numbers;
    struct account *account;
    struct path *path;
    struct unit_events *unit_events;
    struct mv_waiter *waiter;
    size_t capacity; /* transfers of the whole run */
};

/* Returns 0, or -1 when the host has no memory. */
int mncore2_mv_init(struct mv_engine *engine, const struct mv_config *config);
void mncore2_mv_free(struct mv_engine *engine);

/*
 * An MV statement is issued now. dar: contents of all DAR [GROUPS][DAR_ENTRIES] if an operand is
 * indirect; it must live as long as the engine. record: what the path knows of the issue, and when
 * the first operation may start (claimed). Returns 0, or -1 when the host has no memory.
 */
int mncore2_mv_issue(struct mv_engine *engine, const struct mv *mv, const uint32_t *dar,
                     const struct path_record *record);

/* A statement that waited for a tag continues. Returns the transfer whose completion notice came
 * last, or MV_NONE when none was issued since the last wait for this tag. */
uint32_t mncore2_mv_waited(struct mv_engine *engine, unsigned tag);

/* Where no transfer ever waits: cycles that the busiest port alone makes a run take. */
uint64_t mncore2_mv_least(const struct mv_engine *engine);

/* First cycle from which no port is busy. */
uint64_t mncore2_mv_free_at(const struct mv_engine *engine);

#endif
