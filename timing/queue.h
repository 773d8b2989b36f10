/*
 * queue: pending entries in their total order (cycle, phase, sequence).
 *
 *              now                                    now + QUEUE_SPAN
 *               |                                           |
 *   slots  [c][c+1][c+2] ...  one per cycle, a list per phase | overflow heap: later cycles
 *
 * A bucket wheel: one slot per cycle of the near future, a bitmap finds the next slot in use, and
 * inside a slot each phase has its list, so that entries leave in the order they came. Later
 * entries wait in a heap and moves into its slot as soon as time has come near enough,
 * before anything else can be pushed there: that keeps the order inside a cycle.
 *
 * A queue holds at most the capacity that it was given. Nothing is allocated after queue_init but
 * by queue_grow.
 */
#ifndef TAKT_TIMING_QUEUE_H
#define TAKT_TIMING_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The phases of a cycle, and the reason for their order. */
#define QUEUE_PHASES(PHASE)                                                                        \
    PHASE(NOTICE, "notice", "what has ended lets a statement of this cycle issue")                 \
    PHASE(ISSUE, "issue", "statements issue, so that what they start can arrive in this cycle")    \
    PHASE(ARRIVE, "arrive", "requests line up, all of them before any is granted")                 \
    PHASE(GRANT, "grant", "each port picks among everything that waits in this cycle")             \
    PHASE(SERVE, "serve", "memory chooses among all accesses, those of this cycle's grants too")   \
    PHASE(ACCESS, "access", "units read, write and land what has been decided for this cycle")

enum phase {
#define PHASE(id, name, reason) PHASE_##id,
    QUEUE_PHASES(PHASE)
#undef PHASE
        PHASE_COUNT
};

enum { QUEUE_SPAN = 1024, QUEUE_LISTS = 7 };

struct queue_entry {
    uint64_t cycle;
    uint32_t phase; /* enum phase */
    void *data;     /* of the owner */
};

struct queue_node;
struct queue_slot;

struct queue {
    uint64_t now;   /* cycle of the last entry that left */
    uint32_t phase; /* and its phase */
    size_t count;
    size_t capacity;
    uint64_t sequence; /* of pushes */
    uint32_t free_list;
    struct queue_node *nodes;
    struct queue_slot *slots;         /* one per cycle of the near future */
    uint64_t bitmap[QUEUE_SPAN / 64]; /* slots in use */
    uint32_t *heap;                   /* overflow, by (cycle, phase, sequence) */
    size_t heap_count;
};

/* Returns 0, or -1 when the host has no memory. */
int queue_init(struct queue *queue, size_t capacity);
void queue_free(struct queue *queue);

/* Room for `more` entries more. Returns 0, or -1 when the host has no memory. */
int queue_grow(struct queue *queue, size_t more);

/* The number of the new entry, which it keeps until it leaves; 0 when the queue is full or the
 * entry is earlier than the one that left last: both are broken invariants of the model. */
uint32_t queue_push(struct queue *queue, uint64_t cycle, enum phase phase, void *data);
/* Remove an entry from any position. */
void queue_remove(struct queue *queue, uint32_t number);

/* Cycle of the next entry; UINT64_MAX when there is none. */
uint64_t queue_next(const struct queue *queue);
/* Take the next entry. False when there is none. */
bool queue_pop(struct queue *queue, struct queue_entry *entry);

#endif
