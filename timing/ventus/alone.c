/*
 * alone: when a line is there at the earliest, for a total that is a lower bound (timing/range.h).
 *
 * What an access waits for depends on the accesses before it, whose order depends on the numbers:
 * they may have fetched its line earlier, on this SM if workgroups go elsewhere, or displaced it.
 * Here a fetch begins when the first access could request its line, all SMs have one L1D, both
 * levels keep each line, and nothing waits for room or a port. L2 has the lines of the code, which
 * other fetches may have brought. Accesses come in order of time.
 *
 * Each line that a warp waits for is fetched at least once, in any order: the run ends no earlier
 * than L2 and all MSHRs of L1D together need for that many. What no one waits for may still be in
 * flight then.
 */
#include <stdlib.h>

#include "timing/ventus/model.h"

enum { FIRST_ROOM = 64 };

static struct ventus_arrival *place_of(const struct ventus_arrivals *a, uint32_t line)
{
    size_t i = (line * UINT32_C(2654435761)) & (a->room - 1);
    while (a->rows[i].known && a->rows[i].line != line)
        i = (i + 1) & (a->room - 1);
    return &a->rows[i];
}

static int grow(struct ventus_arrivals *a)
{
    struct ventus_arrivals more = *a;
    more.room = a->room ? 2 * a->room : FIRST_ROOM;
    more.rows = calloc(more.room, sizeof *more.rows);
    if (!more.rows)
        return -1;
    for (size_t i = 0; i < a->room; i++)
        if (a->rows[i].known)
            *place_of(&more, a->rows[i].line) = a->rows[i];
    free(a->rows);
    *a = more;
    return 0;
}

/* The row of a line; NULL when the host has no memory. */
static struct ventus_arrival *arrival_of(struct ventus_arrivals *a, uint32_t line)
{
    if (2 * a->count >= a->room && grow(a) != 0)
        return NULL;
    struct ventus_arrival *row = place_of(a, line);
    row->line = line;
    return row;
}

static bool holds_code(const struct ventus_model *m, uint32_t line)
{
    const uint64_t size = m->value[VENTUS_PARAM_l2_line], from = line * size,
                   code = m->launch->code;
    return from < code + 4 * m->stmt_count && from + size > code;
}

/* At L2, requested in cycle `at`; likewise. */
static struct ventus_arrival *at_l2(struct ventus_model *m, uint32_t line, uint64_t at)
{
    const uint64_t *v = m->value;
    struct ventus_arrival *row = arrival_of(&m->alone_l2, line);
    if (!row || row->known)
        return row;
    row->known = true;
    row->at =
        holds_code(m, line) ? 0 : at + v[VENTUS_PARAM_l2_latency] + v[VENTUS_PARAM_ram_latency];
    m->alone_l2.count++;
    return row;
}

/* The first of the registers that an instruction waits for, after `from`; VENTUS_PLACES: none. */
static uint32_t next_place(const struct ventus_cost *cost, bool reads, uint32_t from)
{
    for (; from < VENTUS_PLACES; from++)
        if ((cost->writes[from / 64] | (reads ? cost->reads[from / 64] : 0)) >> from % 64 & 1)
            break;
    return from;
}

void ventus_alone_load(struct ventus_thread *t, uint32_t stmt, uint64_t lines)
{
    const uint32_t place = next_place(&t->model->cost[stmt], false, 0);
    if (place < VENTUS_PLACES)
        t->unread[place] = lines;
    else
        t->model->alone_l1d.unread += lines;
}

void ventus_alone_issue(struct ventus_thread *t, const struct ventus_cost *cost)
{
    for (uint32_t place = next_place(cost, true, 0); place < VENTUS_PLACES;
         place = next_place(cost, true, place + 1))
        t->unread[place] = 0;
}

/* What a warp has waited for is there before it ends. */
void ventus_alone_leave(struct ventus_thread *t)
{
    struct ventus_model *m = t->model;
    const uint64_t *v = m->value;
    struct ventus_arrivals *l1d = &m->alone_l1d;
    for (uint32_t place = 0; place < VENTUS_PLACES; place++) {
        l1d->unread += t->unread[place];
        t->unread[place] = 0;
    }
    const uint64_t lines = l1d->fetched - l1d->unread,
                   miss = v[VENTUS_PARAM_l1d_latency] + v[VENTUS_PARAM_l2_latency] +
                          v[VENTUS_PARAM_l2_return] + v[VENTUS_PARAM_refill_latency],
                   most = m->sm_count * v[VENTUS_PARAM_l1d_mshrs];
    uint64_t *end = &m->base.finish;
    if (!lines)
        return;
    *end = later(*end, l1d->first + (lines + most - 1) / most * miss);
    *end = later(*end, l1d->first + (lines - 1) * v[VENTUS_PARAM_l2_interval] + miss);
}

uint64_t ventus_alone_line(struct ventus_model *m, uint32_t line, uint64_t at)
{
    const uint64_t *v = m->value;
    struct ventus_arrival *row = arrival_of(&m->alone_l1d, line);
    if (row && !row->known) {
        const uint64_t asked = later(at + v[VENTUS_PARAM_l1d_latency], ventus_l2_cleared(m)),
                       address = line * v[VENTUS_PARAM_l1d_line];
        const struct ventus_arrival *below =
            at_l2(m, (uint32_t)(address / v[VENTUS_PARAM_l2_line]), asked);
        if (below) {
            row->known = true;
            row->at = later(asked + v[VENTUS_PARAM_l2_latency], below->at) +
                      v[VENTUS_PARAM_l2_return] + v[VENTUS_PARAM_refill_latency];
            m->alone_l1d.count++;
            if (!m->alone_l1d.fetched++)
                m->alone_l1d.first = at;
        }
    }
    if (row && row->known)
        return row->at;
    m->base.status = -1;
    return at;
}

void ventus_alone_free(struct ventus_model *m)
{
    free(m->alone_l1d.rows);
    free(m->alone_l2.rows);
}
