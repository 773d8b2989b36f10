#include "timing/charges.h"

#include <stdlib.h>

#include "host/big_memory.h"
#include "host/grow.h"

struct sink_stmt_total *charges_at(struct charges *c, uint32_t stmt, uint32_t unit, uint32_t reason)
{
    uint32_t *first = grow_big(c->first, &c->stmts, (size_t)stmt + 1, sizeof *first);
    if (!first)
        return NULL;
    c->first = first;
    for (uint32_t i = first[stmt]; i; i = c->list[i - 1].next) {
        struct sink_stmt_total *row = &c->list[i - 1].row;
        if (row->unit == unit && row->reason == reason)
            return row;
    }
    struct charge *list = grow(c->list, &c->capacity, c->count + 1, sizeof *list);
    if (!list)
        return NULL;
    c->list = list;
    list[c->count] = (struct charge){{.stmt = stmt, .unit = unit, .reason = reason}, first[stmt]};
    first[stmt] = (uint32_t)++c->count;
    return &list[c->count - 1].row;
}

static bool before(const struct sink_stmt_total *a, const struct sink_stmt_total *b)
{
    return a->unit != b->unit ? a->unit < b->unit : a->reason < b->reason;
}

struct sink_stmt_total *charges_rows(const struct charges *c, size_t *count)
{
    struct sink_stmt_total *rows = malloc((c->count + 1) * sizeof *rows);
    *count = 0;
    for (size_t stmt = 0; rows && stmt < c->stmts; stmt++) {
        const size_t begin = *count;
        for (uint32_t i = c->first[stmt]; i; i = c->list[i - 1].next) {
            size_t at = (*count)++;
            for (; at > begin && before(&c->list[i - 1].row, &rows[at - 1]); at--)
                rows[at] = rows[at - 1];
            rows[at] = c->list[i - 1].row;
        }
    }
    return rows;
}

void charges_free(struct charges *c)
{
    free(c->list);
    big_memory_free(c->first, c->stmts * sizeof *c->first);
}
