#include "analysis/knots.h"

#include <stdlib.h>

struct visit {
    uint32_t number, low; /* number: in the order of visits, from 1 */
    uint32_t ring;        /* the next member of the component */
    size_t next;          /* arc to look at; the ring follows the last */
    bool open;            /* on the stack of parts that are not complete */
};

struct walk {
    const struct moves_block *block;
    struct visit *visits;
    size_t *first; /* arcs of each node in out */
    uint32_t *out;
    uint32_t *path, *open;
    size_t path_count, open_count;
    uint32_t visited;
};

static void enter(struct walk *w, uint32_t n)
{
    w->visits[n].number = w->visits[n].low = ++w->visited;
    w->visits[n].next = w->first[n];
    w->visits[n].open = true;
    w->path[w->path_count++] = w->open[w->open_count++] = n;
}

/* The part that began with n is complete. */
static void leave(struct walk *w, uint32_t n, uint32_t *component)
{
    size_t from = w->open_count;
    uint32_t least = n;
    do {
        const uint32_t member = w->open[--from];
        least = member < least ? member : least;
    } while (w->open[from] != n);
    for (size_t i = from; i < w->open_count; i++) {
        component[w->open[i]] = least;
        w->visits[w->open[i]].open = false;
    }
    w->open_count = from;
}

static void visit_from(struct walk *w, uint32_t start, uint32_t *component)
{
    enter(w, start);
    while (w->path_count > 0) {
        const uint32_t n = w->path[w->path_count - 1];
        struct visit *v = &w->visits[n];
        if (v->next <= w->first[n + 1]) {
            const uint32_t to =
                v->next == w->first[n + 1] ? v->ring : w->block->arcs[w->out[v->next]].to;
            v->next++;
            if (w->visits[to].number == 0)
                enter(w, to);
            else if (w->visits[to].open && w->visits[to].number < v->low)
                v->low = w->visits[to].number;
            continue;
        }
        w->path_count--;
        if (w->path_count > 0 && v->low < w->visits[w->path[w->path_count - 1]].low)
            w->visits[w->path[w->path_count - 1]].low = v->low;
        if (v->low == v->number)
            leave(w, n, component);
    }
}

static void sort_arcs(struct walk *w)
{
    const struct moves_block *block = w->block;
    for (size_t a = 0; a < block->arc_count; a++)
        w->first[block->arcs[a].from + 2]++;
    for (size_t n = 2; n < block->node_count + 2; n++)
        w->first[n] += w->first[n - 1];
    for (size_t a = 0; a < block->arc_count; a++)
        w->out[w->first[block->arcs[a].from + 1]++] = (uint32_t)a;
}

int knots_join(const struct moves_block *block, uint32_t *component)
{
    const size_t count = block->node_count;
    struct walk w = {.block = block,
                     .visits = calloc(count + 1, sizeof *w.visits),
                     .first = calloc(count + 2, sizeof *w.first),
                     .out = calloc(block->arc_count + 1, sizeof *w.out),
                     .path = calloc(count + 1, sizeof *w.path),
                     .open = calloc(count + 1, sizeof *w.open)};
    const bool good = w.visits && w.first && w.out && w.path && w.open;
    if (good) {
        sort_arcs(&w);
        for (uint32_t n = 0; n < count;
             n++) { /* the ring: each member is inserted after the first */
            w.visits[n].ring = component[n] == n ? n : w.visits[component[n]].ring;
            w.visits[component[n]].ring = n;
        }
        for (uint32_t n = 0; n < count; n++)
            if (w.visits[n].number == 0)
                visit_from(&w, n, component);
    }
    free(w.visits);
    free(w.first);
    free(w.out);
    free(w.path);
    free(w.open);
    return good ? 0 : -1;
}
