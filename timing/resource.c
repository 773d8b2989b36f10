#include "timing/resource.h"

#include <stdlib.h>
#include <string.h>

int resource_init(struct resource_table *table, size_t capacity)
{
    memset(table, 0, sizeof *table);
    for (unsigned p = 0; p < RESOURCE_MAX; p++)
        table->ports[p].holder = RESOURCE_NOBODY;
    table->capacity = capacity;
    table->waiting = calloc(capacity + 1, sizeof *table->waiting);
    return table->waiting ? 0 : -1;
}

void resource_free(struct resource_table *table)
{
    free(table->waiting);
    table->waiting = NULL;
    table->count = table->capacity = 0;
}

static bool ranks_before(const struct request *a, const struct request *b)
{
    if (a->priority != b->priority)
        return a->priority > b->priority;
    if (a->since != b->since)
        return a->since < b->since;
    return a->id < b->id;
}

static void count_ports(struct resource_table *table, uint64_t ports, uint32_t change)
{
    for (uint64_t left = ports; left; left &= left - 1) {
        const unsigned p = (unsigned)__builtin_ctzll(left);
        table->waiters[p] += change;
        if (table->waiters[p])
            table->wanted |= 1ull << p;
        else
            table->wanted &= ~(1ull << p);
    }
}

bool resource_ask(struct resource_table *table, const struct request *request)
{
    if (table->count == table->capacity)
        return false;
    size_t i = table->count++;
    while (i > 0 && ranks_before(request, &table->waiting[i - 1])) {
        table->waiting[i] = table->waiting[i - 1];
        i--;
    }
    table->waiting[i] = *request;
    count_ports(table, request->ports, 1);
    return true;
}

uint64_t resource_serve(struct resource_table *table, uint64_t now,
                        const struct resource_calls *calls, void *self)
{
    uint64_t next = UINT64_MAX;
    uint64_t taken = 0; /* busy, or kept by someone of higher rank */
    for (uint64_t left = table->wanted; left; left &= left - 1) {
        const unsigned p = (unsigned)__builtin_ctzll(left);
        if (table->ports[p].free_at > now)
            taken |= 1ull << p;
    }
    size_t kept = 0, i = 0;
    for (; i < table->count && (table->wanted & ~taken); i++) {
        const struct request request = table->waiting[i];
        const uint64_t ready = calls->ready(self, &request, now);
        if (ready > now) {
            next = ready < next ? ready : next;
        } else if (request.ports & taken) {
            taken |= request.ports;
        } else {
            taken |= request.ports;
            count_ports(table, request.ports, (uint32_t)-1);
            calls->start(self, &request, now);
            continue;
        }
        table->waiting[kept++] = request;
    }
    if (kept != i) {
        memmove(&table->waiting[kept], &table->waiting[i],
                (table->count - i) * sizeof *table->waiting);
        table->count -= i - kept;
    }
    for (uint64_t left = table->wanted; left; left &= left - 1) {
        const uint64_t free_at = table->ports[__builtin_ctzll(left)].free_at;
        if (free_at > now && free_at < next)
            next = free_at;
    }
    return next;
}

unsigned resource_last_released(const struct resource_table *table, uint64_t ports)
{
    unsigned last = RESOURCE_MAX;
    for (uint64_t left = ports; left; left &= left - 1) {
        const unsigned p = (unsigned)__builtin_ctzll(left);
        if (last == RESOURCE_MAX || table->ports[p].free_at > table->ports[last].free_at)
            last = p;
    }
    return last;
}
