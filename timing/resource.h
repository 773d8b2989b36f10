/*
 * resource: ports that serve one operation at a time, and who waits for them.
 *
 *   request {ports, priority, since} --resource_ask--> waiting list, in rank order
 *   once a cycle in which something changed: resource_serve
 *
 *        rank:      1st [A B]   2nd [B C]   3rd [C D]   4th [D]
 *        free now:  A, C, D
 *        1st waits for B and keeps A and B; 2nd waits for B and keeps C too; 3rd waits for C and
 *        keeps D; 4th waits: every port serves the first in rank that wants it.
 *
 * An operation takes all of its ports in the same cycle, each for a time of its own. Rank is higher
 * priority first, then who has waited longer, then the smaller id (the older transfer).
 *
 * A port knows who held it last and until when: that is the binding edge of whoever starts next.
 * Nothing is allocated after resource_init.
 */
#ifndef TAKT_TIMING_RESOURCE_H
#define TAKT_TIMING_RESOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RESOURCE_MAX = 64 };
#define RESOURCE_NOBODY UINT32_MAX

struct resource {
    uint64_t free_at; /* first cycle in which it can be taken */
    uint32_t holder;  /* who took it last, RESOURCE_NOBODY before anyone did */
    uint32_t priority; /* of the holder */
};

struct request {
    uint64_t ports; /* bit p: needs port p */
    uint64_t since; /* cycle from which it waits */
    uint32_t id;
    uint32_t priority;
};

struct resource_table {
    struct resource ports[RESOURCE_MAX];
    struct request *waiting; /* in rank order */
    size_t count, capacity;
    uint32_t waiters[RESOURCE_MAX]; /* requests that want each port */
    uint64_t wanted;                /* ports that somebody wants */
};

struct resource_calls {
    /* First cycle >= now in which the request may go as far as it is concerned itself; while that
     * is later than now it keeps no port from others. */
    uint64_t (*ready)(void *self, const struct request *request, uint64_t now);
    /* The request starts now: take its ports with resource_take. It has left the list. */
    void (*start)(void *self, const struct request *request, uint64_t now);
};

int resource_init(struct resource_table *table, size_t capacity);
void resource_free(struct resource_table *table);

/* False when the list is full: a broken invariant. */
bool resource_ask(struct resource_table *table, const struct request *request);

/* Start whatever can start in this cycle. Returns the next cycle at which calling again can change
 * anything if nobody asks before; UINT64_MAX = none. */
uint64_t resource_serve(struct resource_table *table, uint64_t now,
                        const struct resource_calls *calls, void *self);

static inline void resource_take(struct resource_table *table, unsigned port, uint32_t holder,
                                 uint32_t priority, uint64_t until)
{
    table->ports[port] = (struct resource){until, holder, priority};
}

/* The port among these that was released last, RESOURCE_MAX for an empty set. */
unsigned resource_last_released(const struct resource_table *table, uint64_t ports);

#endif
