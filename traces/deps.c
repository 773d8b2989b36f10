#include "traces/deps.h"

#include <stdlib.h>
#include <string.h>

#include "host/big_memory.h"
#include "traces/dictionary.h"

/* In the order in which they came. */
struct deps_block {
    struct deps *deps;
    size_t count;
    struct {
        struct sink_edge edge;
        uint32_t rule;
    } items[DEPS_BLOCK];
};

static uint32_t hash_of(uint32_t src, uint32_t dst, uint32_t unit, uint32_t rule, uint32_t kind)
{
    const uint32_t key[] = {src, dst, unit, rule, kind};
    return (uint32_t)dictionary_hash(DICTIONARY_SEED, key, sizeof key);
}

/* Room for so many more. */
static bool make_room(struct deps *deps, size_t more)
{
    enum { ROWS = DEPS_BLOCK, SLOTS = 2 * ROWS, MAPPED = BIG_MEMORY_MAPPED / sizeof(struct dep) + 1 };
    if (deps->count + more > deps->capacity) {
        const size_t twice = deps->capacity * 2,
                     capacity = !twice ? ROWS : twice < MAPPED ? MAPPED : twice;
        struct dep *rows = big_memory_grow(deps->rows, deps->capacity * sizeof *rows,
                                           capacity * sizeof *rows);
        if (!rows) {
            return false;
        }
        deps->rows = rows;
        deps->capacity = capacity;
    }
    if ((deps->count + more) * 2 <= deps->slot_count) {
        return true;
    }
    const size_t slot_count = deps->slot_count ? deps->slot_count * 2 : SLOTS;
    struct deps_slot *slots = big_memory_new(slot_count * sizeof *slots);
    if (!slots) {
        return false;
    }
    for (size_t i = 0; i < deps->slot_count; i++) {
        const struct deps_slot *slot = &deps->slots[i];
        size_t at = slot->hash & (slot_count - 1);
        while (slot->row && slots[at].row) {
            at = (at + 1) & (slot_count - 1);
        }
        if (slot->row) {
            slots[at] = *slot;
        }
    }
    big_memory_free(deps->slots, deps->slot_count * sizeof *slots);
    deps->slots = slots;
    deps->slot_count = slot_count;
    return true;
}

void deps_reserve(struct deps *deps, size_t rows)
{
    enum { MOST = 1 << 16 };
    size_t slots = 2;
    rows = rows < MOST ? rows : MOST;
    while (slots < 2 * (rows + DEPS_BLOCK)) {
        slots *= 2;
    }
    if (rows && !deps->rows && !deps->slots) {
        deps->rows = big_memory_touched(rows * sizeof *deps->rows);
        deps->capacity = deps->rows ? rows : 0;
        deps->slots = big_memory_touched(slots * sizeof *deps->slots);
        deps->slot_count = deps->slots ? slots : 0;
    }
}

static struct dep *row_of(struct deps *deps, uint32_t hash, const struct sink_edge *e, uint32_t rule)
{
    const size_t mask = deps->slot_count - 1;
    for (size_t at = hash & mask;; at = (at + 1) & mask) {
        struct deps_slot *slot = &deps->slots[at];
        struct dep *row = &deps->rows[slot->row ? slot->row - 1 : deps->count];
        if (!slot->row) {
            *row = (struct dep){.order = ++deps->count,
                                .src = e->src,
                                .dst = e->dst,
                                .unit = e->unit,
                                .rule = rule,
                                .kind = e->kind,
                                .min_slack = e->at - e->released,
                                .first_released = e->released,
                                .first_at = e->at};
            *slot = (struct deps_slot){(uint32_t)deps->count, hash};
            return row;
        }
        if (slot->hash == hash && row->src == e->src && row->dst == e->dst && row->unit == e->unit && row->rule == rule &&
            row->kind == (uint32_t)e->kind) {
            return row;
        }
    }
}

static void take_in(struct dep *row, const struct sink_edge *e)
{
    const uint64_t slack = e->at - e->released, times = e->times ? e->times : 1;
    row->times += times;
    row->waited += e->waited;
    row->tight += slack == 0 ? times : 0;
    row->min_slack = slack < row->min_slack ? slack : row->min_slack;
    row->last_released = e->released;
    row->last_at = e->at;
}

static void take_block(struct deps_block *block)
{
    enum { AHEAD = 16 };
    struct deps *deps = block->deps;
    uint32_t hashes[DEPS_BLOCK];
    if (!deps->failed && !make_room(deps, block->count)) {
        deps->failed = true;
    }
    const size_t count = deps->failed ? 0 : block->count, mask = deps->slot_count - 1;
    for (size_t i = 0; i < count; i++) {
        const struct sink_edge *e = &block->items[i].edge;
        hashes[i] = hash_of(e->src, e->dst, e->unit, block->items[i].rule, e->kind);
    }
    for (size_t i = 0; i < count + AHEAD; i++) {
        if (i < count) {
            __builtin_prefetch(&deps->slots[hashes[i] & mask], 1);
        }
        if (i >= AHEAD / 2 && i - AHEAD / 2 < count) {
            const uint32_t id = deps->slots[hashes[i - AHEAD / 2] & mask].row;
            __builtin_prefetch(&deps->rows[id ? id - 1 : deps->count], 1);
        }
        if (i >= AHEAD) {
            const struct sink_edge *e = &block->items[i - AHEAD].edge;
            take_in(row_of(deps, hashes[i - AHEAD], e, block->items[i - AHEAD].rule), e);
        }
    }
    block->count = 0;
}

static void take_and_free(void *block)
{
    take_block(block);
    free(block);
}

void deps_hand_over(struct deps *deps)
{
    if (deps->block && deps->here) {
        take_block(deps->block);
    } else if (deps->block) {
        aside_do(deps->aside, take_and_free, deps->block);
        deps->block = NULL;
    }
}

void deps_begin_here(struct deps *deps)
{
    deps->here = true;
}

void deps_end_here(struct deps *deps)
{
    deps_hand_over(deps);
    free(deps->block);
    deps->block = NULL;
    deps->here = false;
}

int deps_settle(struct deps *deps)
{
    deps_hand_over(deps);
    aside_wait(deps->aside);
    return deps->failed ? -1 : 0;
}

int deps_add(struct deps *deps, const struct sink_edge *edge, uint32_t rule)
{
    if (!deps->block) {
        deps->block = malloc(sizeof *deps->block);
        if (!deps->block) {
            return -1;
        }
        deps->block->deps = deps;
        deps->block->count = 0;
    }
    struct deps_block *block = deps->block;
    block->items[block->count].edge = *edge;
    block->items[block->count++].rule = rule;
    if (block->count == DEPS_BLOCK) {
        deps_hand_over(deps);
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

void deps_drop(struct deps *deps)
{
    free(deps->block);
    big_memory_free(deps->rows, deps->capacity * sizeof *deps->rows);
    big_memory_free(deps->slots, deps->slot_count * sizeof *deps->slots);
    deps->block = NULL;
    deps->rows = NULL;
    deps->slots = NULL;
    deps->count = deps->capacity = deps->slot_count = 0;
}

void deps_free(struct deps *deps)
{
    aside_wait(deps->aside);
    deps_drop(deps);
}
