#include "traces/deps.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "functional/big_memory.h"
#include "traces/dictionary.h"

static uint64_t hash_of(const struct dep *row)
{
    const uint32_t key[] = {row->src, row->dst, row->unit, row->rule, row->kind};
    return dictionary_hash(DICTIONARY_SEED, key, sizeof key);
}

static bool alike(const struct dep *a, const struct dep *b)
{
    return a->src == b->src && a->dst == b->dst && a->unit == b->unit && a->rule == b->rule &&
           a->kind == b->kind;
}

/* Room for all that wait. */
static bool make_room(struct deps *deps)
{
    enum { ROWS = 64 * DEPS_WAITING, SLOTS = 2 * ROWS };
    if (deps->count + DEPS_WAITING > deps->capacity) {
        const size_t capacity = deps->capacity ? deps->capacity * 2 : ROWS;
        struct dep *rows = big_memory_grow(deps->rows, deps->capacity * sizeof *rows,
                                           capacity * sizeof *rows);
        if (!rows) {
            return false;
        }
        deps->rows = rows;
        deps->capacity = capacity;
    }
    if ((deps->count + DEPS_WAITING) * 2 <= deps->slot_count) {
        return true;
    }
    const size_t slot_count = deps->slot_count ? deps->slot_count * 2 : SLOTS;
    uint32_t *slots = big_memory_new(slot_count * sizeof *slots);
    if (!slots) {
        return false;
    }
    big_memory_free(deps->slots, deps->slot_count * sizeof *slots);
    deps->slots = slots;
    deps->slot_count = slot_count;
    for (size_t i = 0; i < deps->count; i++) {
        size_t at = hash_of(&deps->rows[i]) & (slot_count - 1);
        while (slots[at]) {
            at = (at + 1) & (slot_count - 1);
        }
        slots[at] = (uint32_t)(i + 1);
    }
    return true;
}

static void take_in(struct deps *deps, const struct dep_waiting *w)
{
    const size_t mask = deps->slot_count - 1;
    size_t at = w->hash & mask;
    while (deps->slots[at] && !alike(&deps->rows[deps->slots[at] - 1], &w->row)) {
        at = (at + 1) & mask;
    }
    if (!deps->slots[at]) {
        deps->rows[deps->count++] = w->row;
        deps->rows[deps->count - 1].order = deps->count;
        deps->slots[at] = (uint32_t)deps->count;
        return;
    }
    struct dep *row = &deps->rows[deps->slots[at] - 1];
    row->times += w->row.times;
    row->waited += w->row.waited;
    row->tight += w->row.tight;
    row->min_slack = w->row.min_slack < row->min_slack ? w->row.min_slack : row->min_slack;
    row->last_released = w->row.last_released;
    row->last_at = w->row.last_at;
}

int deps_settle(struct deps *deps)
{
    if (!deps->waiting_count) {
        return 0;
    }
    if (!make_room(deps)) {
        return -1;
    }
    const size_t mask = deps->slot_count - 1;
    for (unsigned i = 0; i < deps->waiting_count; i++) {
        const uint32_t id = deps->slots[deps->waiting[i].hash & mask];
        __builtin_prefetch(&deps->rows[id ? id - 1 : deps->count + i], 1);
    }
    for (unsigned i = 0; i < deps->waiting_count; i++) {
        take_in(deps, &deps->waiting[i]);
    }
    deps->waiting_count = 0;
    return 0;
}

int deps_add(struct deps *deps, const struct sink_edge *e, uint32_t rule)
{
    if (deps->waiting_count == DEPS_WAITING && deps_settle(deps)) {
        return -1;
    }
    const uint64_t slack = e->at - e->released, times = e->times ? e->times : 1;
    struct dep_waiting *w = &deps->waiting[deps->waiting_count++];
    w->row = (struct dep){.src = e->src,
                          .dst = e->dst,
                          .unit = e->unit,
                          .rule = rule,
                          .kind = e->kind,
                          .times = times,
                          .waited = e->waited,
                          .tight = slack == 0 ? times : 0,
                          .min_slack = slack,
                          .first_released = e->released,
                          .first_at = e->at,
                          .last_released = e->released,
                          .last_at = e->at};
    w->hash = hash_of(&w->row);
    if (deps->slot_count) {
        __builtin_prefetch(&deps->slots[w->hash & (deps->slot_count - 1)], 1);
    }
    return 0;
}

/* By kind, the longest waits first. */
static int by_wait(const void *a, const void *b)
{
    const struct dep *x = a, *y = b;
    if (x->kind != y->kind) {
        return x->kind < y->kind ? -1 : 1;
    }
    if (x->waited != y->waited) {
        return x->waited > y->waited ? -1 : 1;
    }
    return x->order < y->order ? -1 : 1;
}

/* Put a row into a heap of which the root is the last by by_wait, instead of the root. */
static void sift(struct dep *heap, size_t count, const struct dep *row)
{
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < count; at = child) {
        child += child + 1 < count && by_wait(&heap[child + 1], &heap[child]) > 0;
        if (by_wait(&heap[child], row) <= 0) {
            break;
        }
        heap[at] = heap[child];
    }
    heap[at] = *row;
}

int deps_keep_longest(struct deps *deps, size_t most)
{
    enum { KINDS = EDGE_SUPPLY + 1 };
    struct dep *kept = malloc(KINDS * most * sizeof *kept);
    size_t counts[KINDS] = {0}, count = 0;
    if (!kept || deps_settle(deps)) {
        free(kept);
        return -1;
    }
    for (size_t i = 0; i < deps->count; i++) {
        const struct dep *row = &deps->rows[i];
        struct dep *heap = kept + row->kind * most;
        if (counts[row->kind] < most) {
            heap[counts[row->kind]++] = *row;
            if (counts[row->kind] == most) {
                /* The last first: an array that falls is such a heap. */
                qsort(heap, most, sizeof *heap, by_wait);
                for (size_t a = 0, b = most - 1; a < b; a++, b--) {
                    const struct dep last = heap[b];
                    heap[b] = heap[a];
                    heap[a] = last;
                }
            }
        } else if (by_wait(row, &heap[0]) < 0) {
            sift(heap, most, row);
        }
    }
    for (unsigned kind = 0; kind < KINDS; kind++) {
        if (counts[kind]) {
            qsort(kept + kind * most, counts[kind], sizeof *kept, by_wait);
            memcpy(deps->rows + count, kept + kind * most, counts[kind] * sizeof *kept);
            count += counts[kind];
        }
    }
    deps->count = count;
    free(kept);
    return 0;
}

void deps_free(struct deps *deps)
{
    big_memory_free(deps->rows, deps->capacity * sizeof *deps->rows);
    big_memory_free(deps->slots, deps->slot_count * sizeof *deps->slots);
    *deps = (struct deps){0};
}
