#include "timing/fifo.h"

#include <stdlib.h>

int fifo_init(struct fifo *fifo, uint64_t capacity, uint64_t latency, uint64_t refill)
{
    *fifo = (struct fifo){.capacity = capacity, .latency = latency, .refill = refill};
    fifo->slots = calloc(capacity, sizeof *fifo->slots);
    return fifo->slots ? 0 : -1;
}

void fifo_free(struct fifo *fifo)
{
    free(fifo->slots);
    *fifo = (struct fifo){0};
}

uint64_t fifo_push_from(const struct fifo *fifo, struct release *by)
{
    *by = (struct release){.by = NO_PRODUCER};
    if (fifo->pushes < fifo->capacity)
        return fifo->last_push;
    if (fifo_count(fifo) == fifo->capacity)
        return FIFO_UNKNOWN;
    *by = fifo->slots[fifo->pushes % fifo->capacity].popped;
    return later(fifo->last_push, by->at + fifo->refill);
}

uint64_t fifo_pop_from(const struct fifo *fifo, struct release *by)
{
    const struct fifo_entry *front = fifo_front(fifo);
    *by = (struct release){.by = NO_PRODUCER};
    if (!front)
        return FIFO_UNKNOWN;
    *by = front->pushed;
    return later(fifo->last_pop, by->at + fifo->latency);
}

bool fifo_push(struct fifo *fifo, uint64_t data, const struct release *now)
{
    struct release by;
    const uint64_t from = fifo_push_from(fifo, &by);
    if (from == FIFO_UNKNOWN || now->at < from)
        return false;
    fifo->slots[fifo->pushes++ % fifo->capacity] =
        (struct fifo_entry){.data = data, .pushed = *now};
    fifo->last_push = now->at;
    return true;
}

bool fifo_pop(struct fifo *fifo, const struct release *now, struct fifo_entry *entry)
{
    struct release by;
    const uint64_t from = fifo_pop_from(fifo, &by);
    if (from == FIFO_UNKNOWN || now->at < from)
        return false;
    struct fifo_entry *front = &fifo->slots[fifo->pops++ % fifo->capacity];
    front->popped = *now;
    fifo->last_pop = now->at;
    *entry = *front;
    return true;
}
