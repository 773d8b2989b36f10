#include "timing/costs.h"

#include <stdlib.h>

#include "host/grow.h"

static uint64_t hash_rows(const struct sink_stmt_total *t, size_t size)
{
    uint64_t hash = size;
    for (const struct sink_stmt_total *end = t + size; t < end; t++) {
        const uint64_t row = t->unit + t->reason * 0x9e3779b97f4a7c15u +
                             t->cycles * 0x9fb21c651e98df25u + t->execs * 0xd6e8feb86659fd93u +
                             t->ops * 0xc2b2ae3d27d4eb4fu + t->bytes * 0xff51afd7ed558ccdu;
        hash = (hash ^ row ^ row >> 32) * 0x9fb21c651e98df25u;
    }
    return hash ^ hash >> 32;
}

static bool same_rows(const struct sink_stmt_total *a, const struct sink_stmt_total *b, size_t size)
{
    size_t i = 0;
    while (i < size && a[i].unit == b[i].unit && a[i].reason == b[i].reason &&
           a[i].cycles == b[i].cycles && a[i].execs == b[i].execs && a[i].ops == b[i].ops &&
           a[i].bytes == b[i].bytes)
        i++;
    return i == size;
}

/* The slot of a set with these rows, or the empty one where it would be. */
static size_t find_slot(const struct costs *c, const struct sink_stmt_total *rows, size_t size)
{
    size_t at = hash_rows(rows, size) & (c->slot_count - 1);
    for (; c->slots[at]; at = (at + 1) & (c->slot_count - 1)) {
        const struct cost_set *set = &c->sets[c->slots[at] - 1];
        if (set->size == size && same_rows(&c->rows[set->first], rows, size))
            break;
    }
    return at;
}

/* Room for one more statement and set. */
static int reserve(struct costs *c)
{
    struct cost_stmt *stmts = grow(c->stmts, &c->stmt_capacity, c->stmt_count + 1, sizeof *stmts);
    c->stmts = stmts ? stmts : c->stmts;
    struct cost_set *sets = grow(c->sets, &c->set_capacity, c->set_count + 1, sizeof *sets);
    c->sets = sets ? sets : c->sets;
    if (!stmts || !sets)
        return -1;
    if (2 * c->set_count < c->slot_count)
        return 0;
    free(c->slots);
    c->slot_count = c->slot_count ? 2 * c->slot_count : 256;
    c->slots = calloc(c->slot_count, sizeof *c->slots);
    for (size_t i = 0; c->slots && i < c->set_count; i++)
        c->slots[find_slot(c, &c->rows[c->sets[i].first], c->sets[i].size)] = (uint32_t)i + 1;
    return c->slots ? 0 : -1;
}

int costs_end(struct costs *c)
{
    if (!c->open)
        return 0;
    if (reserve(c) != 0)
        return -1;
    const struct sink_stmt_total *rows = &c->rows[c->row_count];
    const size_t at = find_slot(c, rows, c->open);
    if (!c->slots[at]) {
        c->sets[c->set_count] = (struct cost_set){.first = c->row_count, .size = c->open};
        c->slots[at] = (uint32_t)++c->set_count;
        c->row_count += c->open;
    }
    c->sets[c->slots[at] - 1].stmts++;
    c->stmts[c->stmt_count++] = (struct cost_stmt){rows->stmt, c->slots[at] - 1};
    c->open = 0;
    return 0;
}

int costs_add(struct costs *c, const struct sink_stmt_total *row)
{
    if (c->open && c->rows[c->row_count].stmt != row->stmt && costs_end(c) != 0)
        return -1;
    struct sink_stmt_total *rows =
        grow(c->rows, &c->row_capacity, c->row_count + c->open + 1, sizeof *rows);
    if (!rows)
        return -1;
    c->rows = rows;
    rows[c->row_count + c->open++] = *row;
    return 0;
}

struct sink_stmt_total *costs_last(const struct costs *c, uint32_t stmt)
{
    return c->open && c->rows[c->row_count].stmt == stmt ? &c->rows[c->row_count + c->open - 1]
                                                         : NULL;
}

void costs_free(struct costs *c)
{
    free(c->rows);
    free(c->sets);
    free(c->stmts);
    free(c->slots);
    *c = (struct costs){.rows = NULL};
}

struct sink_stmt_total *costs_rows(const struct costs *c, size_t *count)
{
    *count = 0;
    for (size_t i = 0; c && i < c->set_count; i++)
        *count += c->sets[i].size * c->sets[i].stmts;
    struct sink_stmt_total *list = malloc((*count + 1) * sizeof *list), *at = list;
    for (size_t i = 0; list && c && i < c->stmt_count; i++) {
        const struct cost_set *set = &c->sets[c->stmts[i].set];
        for (size_t k = 0; k < set->size; k++, at++) {
            *at = c->rows[set->first + k];
            at->stmt = c->stmts[i].stmt;
        }
    }
    return list;
}
