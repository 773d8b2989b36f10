#include "analysis/fold.h"

#include <stdlib.h>
#include <string.h>

#include "host/grow.h"

int fold_add(struct fold *fold, const struct fold_arc *arc)
{
    if (!grow_list(&fold->arcs, &fold->capacity, fold->count + 1, sizeof *fold->arcs))
        return -1;
    fold->arcs[fold->count] = *arc;
    fold->arcs[fold->count++].least = arc->lag;
    return 0;
}

void fold_free(struct fold *fold)
{
    free(fold->arcs);
    *fold = (struct fold){.arcs = NULL};
}

static int by_place(const void *first, const void *second)
{
    const struct fold_arc *a = first, *b = second;
    if (a->to != b->to)
        return a->to < b->to ? -1 : 1;
    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    if (a->turns != b->turns)
        return a->turns < b->turns ? -1 : 1;
    return a->turn < b->turn ? -1 : a->turn > b->turn;
}

static bool same_place(const struct fold_arc *a, const struct fold_arc *b)
{
    return a->to == b->to && a->from == b->from && a->turns == b->turns;
}

/* Several arcs of one turn: the largest lag of them holds. */
static void merge_turn(struct fold_arc *arc, const struct fold_arc *list, size_t count)
{
    *arc = list[0];
    for (size_t i = 1; i < count; i++) {
        arc->lag = list[i].lag > arc->lag ? list[i].lag : arc->lag;
        arc->relay |= list[i].relay;
    }
}

void fold_merge(struct fold *fold, uint32_t turns)
{
    size_t kept = 0;
    if (fold->count)
        qsort(fold->arcs, fold->count, sizeof *fold->arcs, by_place);
    for (size_t i = 0, next; i < fold->count; i = next) {
        struct fold_arc all = {.least = UINT64_MAX}, one;
        uint32_t seen = 0;
        for (next = i; next < fold->count && same_place(&fold->arcs[i], &fold->arcs[next]);) {
            size_t end = next + 1;
            while (end < fold->count && same_place(&fold->arcs[i], &fold->arcs[end]) &&
                   fold->arcs[end].turn == fold->arcs[next].turn)
                end++;
            merge_turn(&one, &fold->arcs[next], end - next);
            const bool relay = all.relay || one.relay;
            const uint64_t most = one.lag > all.lag ? one.lag : all.lag,
                           least = one.lag < all.least ? one.lag : all.least;
            all = one;
            all.relay = relay;
            all.lag = most;
            all.least = least;
            seen++;
            next = end;
        }
        all.turn = seen;
        all.every = all.turns <= turns / 2 && seen == turns - all.turns;
        fold->arcs[kept++] = all;
    }
    fold->count = kept;
}

void fold_thin(struct fold *fold)
{
    size_t kept = 0, first = 0; /* first: of those of its positions that are kept */
    for (size_t a = 0; a < fold->count; a++) {
        const struct fold_arc arc = fold->arcs[a];
        bool follows = false;
        if (kept > first && (fold->arcs[first].from != arc.from || fold->arcs[first].to != arc.to))
            first = kept;
        for (size_t k = first; k < kept && !arc.relay; k++)
            follows |= fold->arcs[k].lag >= arc.lag;
        if (!follows)
            fold->arcs[kept++] = arc;
    }
    fold->count = kept;
}

/* --- the longest ring ------------------------------------------------------------------------- */

/* A ratio of cycles to turns that rings are compared with, and the longest ways by it. */
struct ways {
    const struct fold *fold;
    uint32_t positions;
    int64_t lag, turns;
    int64_t *far;
    size_t *by; /* the arc that a way ends with */
};

static bool lengthen(struct ways *w, uint32_t *changed)
{
    bool longer = false;
    for (size_t a = 0; a < w->fold->count; a++) {
        const struct fold_arc *arc = &w->fold->arcs[a];
        const int64_t far =
            w->far[arc->from] + (int64_t)arc->least * w->turns - (int64_t)arc->turns * w->lag;
        if (!arc->every || far <= w->far[arc->to])
            continue;
        w->far[arc->to] = far;
        w->by[arc->to] = a;
        *changed = arc->to;
        longer = true;
    }
    return longer;
}

/* The ring that the way to a position runs into; that way has more arcs than there are positions.
 */
static int keep_ring(const struct ways *w, uint32_t at, struct fold_ring *ring)
{
    const struct fold_arc *arcs = w->fold->arcs;
    for (uint32_t i = 0; i < w->positions; i++)
        at = arcs[w->by[at]].from;
    const uint32_t first = at;
    uint32_t *positions = malloc(w->positions * sizeof *positions);
    if (!positions)
        return -1;
    free(ring->positions);
    *ring = (struct fold_ring){.positions = positions};
    do {
        const struct fold_arc *arc = &arcs[w->by[at]];
        ring->lag += arc->least;
        ring->turns += arc->turns;
        at = arc->from;
        positions[ring->count++] = at;
    } while (at != first && ring->count < w->positions);
    for (size_t i = 0; i < ring->count / 2; i++) {
        const uint32_t other = positions[ring->count - 1 - i];
        positions[ring->count - 1 - i] = positions[i];
        positions[i] = other;
    }
    return 0;
}

/* A ring with more cycles a turn than w says. Returns 1; 0: there is no such ring; -1. */
static int longer_ring(struct ways *w, struct fold_ring *ring)
{
    uint32_t changed = 0;
    memset(w->far, 0, w->positions * sizeof *w->far);
    for (uint32_t pass = 0; pass <= w->positions; pass++)
        if (!lengthen(w, &changed))
            return 0;
    return keep_ring(w, changed, ring) == 0 ? 1 : -1;
}

int fold_longest(const struct fold *fold, uint32_t positions, struct fold_ring *ring)
{
    struct ways w = {.fold = fold,
                     .positions = positions,
                     .turns = 1,
                     .far = malloc((positions + 1) * sizeof *w.far),
                     .by = calloc(positions + 1, sizeof *w.by)};
    *ring = (struct fold_ring){.lag = 0};
    int status = w.far && w.by ? 1 : -1;
    while (status == 1) {
        status = longer_ring(&w, ring);
        if (status == 1 && !ring->turns) { /* no program has one: nothing follows from it */
            ring->lag = 0;
            break;
        }
        w.lag = (int64_t)ring->lag;
        w.turns = ring->turns;
    }
    free(w.far);
    free(w.by);
    return status < 0 ? -1 : 0;
}
