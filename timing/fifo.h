/*
 * fifo: a bounded queue between two stages, in order.
 *
 *   producer --fifo_push(cycle)--> [slot][slot][slot] --fifo_pop(cycle)--> consumer
 *
 *   push at c          the entry can be popped from c + latency on
 *   pop at c           its slot can be filled again from c + refill on
 *
 * Rules. The n-th push fills the slot that the push `capacity` before it filled: it can go in the
 * first cycle that is not before the push in front of it and in which that slot has been freed. The
 * n-th pop takes what the n-th push brought: it can go in the first cycle that is not before the
 * pop in front of it and in which the entry has arrived. Any number of pushes and pops fit into one
 * cycle. With refill 0 a full queue takes a push in the cycle of the pop, with refill 1 in the
 * next.
 *
 * The two sides may run ahead of each other: only the order of pushes, the order of pops, and that
 * an entry is pushed before it is popped count, not which call of the other side comes first.
 *
 * Does not model: how many entries a port takes in one cycle, entries that leave out of order.
 *
 * Nothing is allocated after fifo_init.
 */
#ifndef TAKT_TIMING_FIFO_H
#define TAKT_TIMING_FIFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "timing/producer.h"

#define FIFO_UNKNOWN UINT64_MAX /* it needs a push or a pop that has not come yet */

struct fifo_entry {
    uint64_t data; /* of the owner */
    struct release pushed, popped;
};

struct fifo {
    uint64_t capacity, latency, refill;
    uint64_t pushes, pops;
    uint64_t last_push, last_pop; /* cycles */
    struct fifo_entry *slots;
};

/* capacity >= 1. Returns 0, or -1 when the host has no memory. */
int fifo_init(struct fifo *fifo, uint64_t capacity, uint64_t latency, uint64_t refill);
void fifo_free(struct fifo *fifo);

/* First cycle in which the next push, the next pop can go, or FIFO_UNKNOWN. *by is the pop or push
 * of the other side that this one needs, and when it was; NO_PRODUCER and 0 when it needs none. */
uint64_t fifo_push_from(const struct fifo *fifo, struct release *by);
uint64_t fifo_pop_from(const struct fifo *fifo, struct release *by);

/* False, and nothing happens, when the cycle is earlier. *entry is what was taken. */
bool fifo_push(struct fifo *fifo, uint64_t data, const struct release *now);
bool fifo_pop(struct fifo *fifo, const struct release *now, struct fifo_entry *entry);

/* Entries that were pushed and not popped, as far as both sides have come. */
static inline uint64_t fifo_count(const struct fifo *fifo)
{
    return fifo->pushes - fifo->pops;
}

/* What the next pop takes, or NULL. */
static inline const struct fifo_entry *fifo_front(const struct fifo *fifo)
{
    return fifo_count(fifo) ? &fifo->slots[fifo->pops % fifo->capacity] : NULL;
}

#endif
