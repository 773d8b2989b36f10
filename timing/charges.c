#include "timing/charges.h"

#include <stdlib.h>

#include "host/big_memory.h"
#include "host/grow.h"

static bool is_of(const struct sink_stmt_total *row, uint32_t stmt, uint32_t unit, uint32_t reason)
{
    return row->stmt == stmt && row->unit == unit && row->reason == reason;
}

struct sink_stmt_total *charges_at(struct charges *c, uint32_t stmt, uint32_t unit, uint32_t reason)
{
    uint32_t *first = grow_big(c->first, &c->stmts, (size_t)stmt + 1, sizeof *first);
    if (!first)
        return NULL;
    c->first = first;
    uint32_t *found = &c->found[((stmt * 31 + unit) * 31 + reason) % CHARGES_FOUND];
    if (*found && is_of(&c->list[*found - 1].row, stmt, unit, reason))
        return &c->list[*found - 1].row;
    for (uint32_t i = first[stmt]; i; i = c->list[i - 1].next)
        if (is_of(&c->list[i - 1].row, stmt, unit, reason)) {
            *found = i;
            return &c->list[i - 1].row;
        }
    struct charge *list = grow(c->list, &c->capacity, c->count + 1, sizeof *list);
    if (!list)
        return NULL;
    c->list = list;
    list[c->count] = (struct charge){{.stmt = stmt, .unit = unit, .reason = reason}, first[stmt]};
    *found = first[stmt] = (uint32_t)++c->count;
    return &list[c->count - 1].row;
}

static bool before(const struct sink_stmt_total *a, const struct sink_stmt_total *b)
{
    return a->unit != b->unit ? a->unit < b->unit : a->reason < b->reason;
}

static int by_unit(const void *a, const void *b)
{
    const struct sink_stmt_total *const *x = a, *const *y = b;
    return before(*x, *y) ? -1 : 1;
}

int charges_costs(const struct charges *c, struct costs *costs)
{
    const struct sink_stmt_total **rows = NULL;
    size_t capacity = 0;
    int status = 0;
    for (size_t stmt = 0; status == 0 && stmt < c->stmts; stmt++) {
        size_t count = 0;
        for (uint32_t i = c->first[stmt]; status == 0 && i; i = c->list[i - 1].next) {
            const struct sink_stmt_total **more = grow(rows, &capacity, count + 1, sizeof *rows);
            rows = more ? more : rows;
            if (more)
                rows[count++] = &c->list[i - 1].row;
            else
                status = -1;
        }
        if (count > 1)
            qsort(rows, count, sizeof *rows, by_unit);
        for (size_t i = 0; status == 0 && i < count; i++)
            status = costs_add(costs, rows[i]);
    }
    free(rows);
    return status == 0 ? costs_end(costs) : -1;
}

void charges_free(struct charges *c)
{
    free(c->list);
    big_memory_free(c->first, c->stmts * sizeof *c->first);
}
