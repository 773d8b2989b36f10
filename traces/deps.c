#include "traces/deps.h"

#include <stdbool.h>
#include <stdlib.h>

#include "host/grow.h"

static uint32_t hash_of(const struct dep *row)
{
    const uint32_t key[] = {row->src, row->dst, row->unit, row->rule, row->kind};
    return (uint32_t)strings_hash(STRINGS_SEED, key, sizeof key);
}

/* Room for one more. */
static int reserve(struct deps *deps)
{
    struct dep *rows = grow(deps->rows, &deps->capacity, deps->count + 1, sizeof *rows);
    if (!rows)
        return -1;
    deps->rows = rows;
    if (deps->count * 2 < deps->slot_count)
        return 0;
    const size_t slot_count = deps->slot_count ? deps->slot_count * 2 : 2048;
    uint32_t *slots = calloc(slot_count, sizeof *slots);
    if (!slots)
        return -1;
    for (size_t i = 0; i < deps->count; i++) {
        size_t at = hash_of(&deps->rows[i]) & (slot_count - 1);
        while (slots[at])
            at = (at + 1) & (slot_count - 1);
        slots[at] = (uint32_t)(i + 1);
    }
    free(deps->slots);
    deps->slots = slots;
    deps->slot_count = slot_count;
    return 0;
}

static bool same(const struct dep *a, const struct dep *b)
{
    return a->dst == b->dst && a->src == b->src && a->unit == b->unit && a->rule == b->rule &&
           a->kind == b->kind;
}

int deps_add(struct deps *deps, const struct sink_edge *e, uint32_t rule)
{
    if (reserve(deps))
        return -1;
    const uint64_t slack = e->at - e->released;
    struct dep *row = &deps->rows[deps->count];
    *row = (struct dep){.src = e->src,
                        .dst = e->dst,
                        .unit = e->unit,
                        .kind = (uint32_t)e->kind,
                        .rule = rule,
                        .min_slack = slack,
                        .first_released = e->released,
                        .first_at = e->at};
    size_t at = hash_of(row) & (deps->slot_count - 1);
    while (deps->slots[at] && !same(&deps->rows[deps->slots[at] - 1], row))
        at = (at + 1) & (deps->slot_count - 1);
    if (deps->slots[at])
        row = &deps->rows[deps->slots[at] - 1];
    else
        deps->slots[at] = (uint32_t)++deps->count;
    row->times += e->times;
    row->waited += e->waited;
    row->tight += slack ? 0 : e->times;
    row->min_slack = slack < row->min_slack ? slack : row->min_slack;
    if (e->at < row->first_at || (e->at == row->first_at && e->released < row->first_released)) {
        row->first_at = e->at;
        row->first_released = e->released;
    }
    if (e->at > row->last_at || (e->at == row->last_at && e->released > row->last_released)) {
        row->last_at = e->at;
        row->last_released = e->released;
    }
    return 0;
}

static int by_place(const void *a, const void *b)
{
    const struct dep *x = a, *y = b;
    const uint32_t keys[][2] = {{x->dst, y->dst},
                                {x->src, y->src},
                                {x->kind, y->kind},
                                {x->unit, y->unit},
                                {x->rule, y->rule}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i][0] != keys[i][1])
            return keys[i][0] < keys[i][1] ? -1 : 1;
    return 0;
}

void deps_sort(struct deps *deps, const struct strings *strings)
{
    for (size_t i = 0; i < deps->count; i++)
        deps->rows[i].rule = strings_id(strings, deps->rows[i].rule);
    if (deps->count)
        qsort(deps->rows, deps->count, sizeof *deps->rows, by_place);
}

void deps_free(struct deps *deps)
{
    free(deps->rows);
    free(deps->slots);
    *deps = (struct deps){0};
}
