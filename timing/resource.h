/*
 * resource: ports that serve one operation at a time, and the operations that wait for them.
 *
 *   request {ports, priority, since} --resource_ask--> waiting list, in rank order
 *   the arbiter, a process of the kernel, serves the list in phase GRANT of every cycle in which
 *   something changed                              --> calls->start
 *
 *        rank:      1st [A B]   2nd [B C]   3rd [C D]   4th [D]
 *        free now:  A, C, D
 *        1st and 2nd wait for B and hold nothing back; 3rd starts; 4th waits for D.
 *
 * An operation takes all of its ports in the same cycle, each for its own time. Of those that
 * can go in a cycle the one of highest rank goes first: higher priority, then the longer wait, then
 * the smaller id. One that cannot go, for a port or for another reason (calls->ready), keeps no
 * port. So an operation of several ports may wait as long as others use them in turn, whatever its
 * rank; there is no age limit.
 *
 * A port may be held for a part of a cycle: time is counted in ticks, RESOURCE_TICKS a cycle. It
 * can be taken in the cycle in which it becomes free: an operation that takes it then follows
 * without a gap, so that parts add up; one that takes it later begins with the cycle.
 *
 * A port keeps its last holder and until when it held: that is the cause of the wait of the next
 * one. Holds of less than a cycle are not kept.
 *
 * An operation whose ports no other one wants may take them without a request, not before
 * resource_free_at. Nothing is allocated after resource_init.
 */
#ifndef TAKT_TIMING_RESOURCE_H
#define TAKT_TIMING_RESOURCE_H

#include "timing/kernel.h"

enum { RESOURCE_MAX = 64, RESOURCE_TICK_SHIFT = 16, RESOURCE_TICKS = 1 << RESOURCE_TICK_SHIFT };
#define RESOURCE_NOBODY UINT32_MAX

struct resource {
    uint64_t free_at;  /* first cycle in which it can be taken */
    uint32_t holder;   /* its last holder, RESOURCE_NOBODY before the first */
    uint32_t priority; /* of the holder */
    uint32_t rest;     /* ticks of cycle free_at that it is still held */
};

struct request {
    uint64_t ports; /* bit p: needs port p */
    uint64_t since; /* cycle from which it waits */
    uint32_t id;
    uint32_t priority;
};

struct resource_calls {
    /* First cycle >= now in which the request may go as far as it is concerned itself; while that
     * is later than now it waits. Called when its ports are free. NULL: now. */
    uint64_t (*ready)(void *context, const struct request *request, uint64_t now);
    /* The request starts now: take its ports with resource_take. It has left the list. */
    void (*start)(void *context, const struct request *request, uint64_t now);
};

struct resource_set {
    struct process arbiter; /* first */
    struct kernel *kernel;
    const struct resource_calls *calls;
    void *context;
    struct resource ports[RESOURCE_MAX];
    struct request *waiting; /* in rank order */
    size_t count, capacity;
    uint32_t waiters[RESOURCE_MAX]; /* requests that want each port */
    uint64_t wanted;                /* ports that requests want */
};

/* capacity: requests that wait at most. The set counts as one process of the kernel and must not
 * move. Returns 0, or -1 when the host has no memory. */
int resource_init(struct resource_set *set, struct kernel *kernel, size_t capacity,
                  const struct resource_calls *calls, void *context);
void resource_free(struct resource_set *set);

/* Line up, in a phase before GRANT. */
void resource_ask(struct resource_set *set, const struct request *request);
/* Something that calls->ready depends on has changed in this cycle. */
void resource_changed(struct resource_set *set);

static inline void resource_take(struct resource_set *set, unsigned port, uint32_t holder,
                                 uint32_t priority, uint64_t until)
{
    set->ports[port] = (struct resource){.free_at = until, .holder = holder, .priority = priority};
}

/* The same from cycle `at` on, in which it is free, for `ticks` ticks. Returns the whole cycles
 * that it is held. */
static inline uint64_t resource_take_ticks(struct resource *port, uint64_t at,
                                           const struct request *holder, uint64_t ticks)
{
    const uint64_t held = ticks + (port->free_at == at ? port->rest : 0);
    const uint64_t cycles = held >> RESOURCE_TICK_SHIFT;
    if (cycles) {
        port->holder = holder->id;
        port->priority = holder->priority;
    }
    if (held) {
        port->free_at = at + cycles;
        port->rest = (uint32_t)(held % RESOURCE_TICKS);
    }
    return cycles;
}

/* Of these ports (bits, at least one) the one that is released last; of several the first. */
unsigned resource_last_released(const struct resource_set *set, uint64_t ports);

/* First cycle in which all of these ports are free without a new holder. */
static inline uint64_t resource_free_at(const struct resource_set *set, uint64_t ports)
{
    return set->ports[resource_last_released(set, ports)].free_at;
}

#endif
