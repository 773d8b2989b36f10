#include "analysis/align.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Elements that both sides have, and their positions. */
struct kept {
    uint32_t *keys, *places;
    size_t count;
};

struct search {
    const uint32_t *a, *b; /* keys */
    int64_t *down, *up;    /* by diagonal x - y: the furthest x from the begin, and from the end */
    uint32_t *match;       /* of what is kept */
};

/* a[x0..x1) and b[y0..y1). */
struct part {
    int64_t x0, x1, y0, y1;
};

/* --- what both sides have --------------------------------------------------------------------- */

static int by_key(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static int keep(struct align_side side, struct align_side other, struct kept *kept)
{
    uint32_t *sorted = malloc((other.count + 1) * sizeof *sorted);
    kept->keys = malloc((side.count + 1) * sizeof *kept->keys);
    kept->places = malloc((side.count + 1) * sizeof *kept->places);
    if (!sorted || !kept->keys || !kept->places) {
        free(sorted);
        return -1;
    }
    if (other.count) {
        memcpy(sorted, other.keys, other.count * sizeof *sorted);
        qsort(sorted, other.count, sizeof *sorted, by_key);
    }
    for (size_t i = 0; other.count && i < side.count; i++)
        if (bsearch(&side.keys[i], sorted, other.count, sizeof *sorted, by_key)) {
            kept->keys[kept->count] = side.keys[i];
            kept->places[kept->count++] = (uint32_t)i;
        }
    free(sorted);
    return 0;
}

/* --- the search ------------------------------------------------------------------------------- */

/* Diagonals of one direction that have been reached: every second one from low to high. */
struct front {
    int64_t low, high;
};

/* One more diagonal on both sides, if the part has it; what it holds lets its neighbour win. */
static void widen(struct front *front, int64_t *reached, struct front limit, int64_t nothing)
{
    if (front->low > limit.low)
        reached[--front->low - 1] = nothing;
    else
        ++front->low;
    if (front->high < limit.high)
        reached[++front->high + 1] = nothing;
    else
        --front->high;
}

/* The place furthest from where the direction began, when the script has become too long. */
static void furthest(const struct search *s, const struct part *p, const struct front *fronts,
                     int64_t *x_at, int64_t *y_at)
{
    int64_t most = -1, least = INT64_MAX;
    int64_t down_x = p->x0, up_x = p->x1, down_y = p->y0, up_y = p->y1;
    for (int64_t d = fronts[0].high; d >= fronts[0].low; d -= 2) {
        int64_t x = s->down[d] < p->x1 ? s->down[d] : p->x1, y = x - d;
        if (y > p->y1) {
            x = p->y1 + d;
            y = p->y1;
        }
        if (x + y > most) {
            most = x + y;
            down_x = x;
            down_y = y;
        }
    }
    for (int64_t d = fronts[1].high; d >= fronts[1].low; d -= 2) {
        int64_t x = s->up[d] > p->x0 ? s->up[d] : p->x0, y = x - d;
        if (y < p->y0) {
            x = p->y0 + d;
            y = p->y0;
        }
        if (x + y < least) {
            least = x + y;
            up_x = x;
            up_y = y;
        }
    }
    const bool down = most - (p->x0 + p->y0) >= p->x1 + p->y1 - least;
    *x_at = down ? down_x : up_x;
    *y_at = down ? down_y : up_y;
}

/* A place that a shortest script passes: where the scripts from both ends meet. */
static void meet(const struct search *s, const struct part *p, int64_t *x_at, int64_t *y_at)
{
    const struct front limit = {p->x0 - p->y1, p->x1 - p->y0};
    const int64_t first = p->x0 - p->y0, last = p->x1 - p->y1;
    struct front fronts[2] = {{first, first}, {last, last}};
    const bool odd = (first - last) & 1;
    int64_t *const down = s->down, *const up = s->up;
    down[first] = p->x0;
    up[last] = p->x1;
    for (unsigned edits = 1;; edits++) {
        widen(&fronts[0], down, limit, -1);
        for (int64_t d = fronts[0].high; d >= fronts[0].low; d -= 2) {
            int64_t x = down[d - 1] < down[d + 1] ? down[d + 1] : down[d - 1] + 1, y = x - d;
            while (x < p->x1 && y < p->y1 && s->a[x] == s->b[y]) {
                x++;
                y++;
            }
            down[d] = x;
            if (odd && fronts[1].low <= d && d <= fronts[1].high && up[d] <= x) {
                *x_at = x;
                *y_at = y;
                return;
            }
        }
        widen(&fronts[1], up, limit, INT64_MAX);
        for (int64_t d = fronts[1].high; d >= fronts[1].low; d -= 2) {
            int64_t x = up[d - 1] < up[d + 1] ? up[d - 1] : up[d + 1] - 1, y = x - d;
            while (x > p->x0 && y > p->y0 && s->a[x - 1] == s->b[y - 1]) {
                x--;
                y--;
            }
            up[d] = x;
            if (!odd && fronts[0].low <= d && d <= fronts[0].high && x <= down[d]) {
                *x_at = x;
                *y_at = y;
                return;
            }
        }
        if (edits == ALIGN_EXACT) {
            furthest(s, p, fronts, x_at, y_at);
            return;
        }
    }
}

static void search_part(const struct search *s, struct part p)
{
    for (;;) {
        while (p.x0 < p.x1 && p.y0 < p.y1 && s->a[p.x0] == s->b[p.y0])
            s->match[p.x0++] = (uint32_t)p.y0++;
        while (p.x0 < p.x1 && p.y0 < p.y1 && s->a[p.x1 - 1] == s->b[p.y1 - 1])
            s->match[--p.x1] = (uint32_t)--p.y1;
        if (p.x0 == p.x1 || p.y0 == p.y1)
            return;
        int64_t x, y;
        meet(s, &p, &x, &y);
        search_part(s, (struct part){p.x0, x, p.y0, y});
        p.x0 = x;
        p.y0 = y;
    }
}

/* --- among equal scripts ---------------------------------------------------------------------- */

/* A run of elements without a match that ends in front of a match of its first element extends by
 * one. to: the matches of this side; from: those of the other. */
static void slide(struct align_side side, uint32_t *to, uint32_t *from)
{
    size_t first = 0; /* of the run that ends in front of i */
    for (size_t i = 0; i < side.count; i++) {
        if (to[i] == ALIGN_NONE)
            continue;
        if (first < i && side.keys[first] == side.keys[i]) {
            to[first] = to[i];
            from[to[first]] = (uint32_t)first;
            to[i] = ALIGN_NONE;
            first++;
        } else {
            first = i + 1;
        }
    }
}

static void invert(const uint32_t *match, size_t count, uint32_t *back, size_t back_count)
{
    for (size_t i = 0; i < back_count; i++)
        back[i] = ALIGN_NONE;
    for (size_t i = 0; i < count; i++)
        if (match[i] != ALIGN_NONE)
            back[match[i]] = (uint32_t)i;
}

int align(struct align_side a, struct align_side b, uint32_t *match)
{
    struct kept x = {.keys = NULL}, y = {.keys = NULL};
    int status = keep(a, b, &x) | keep(b, a, &y);
    const size_t room = x.count + y.count + 3;
    int64_t *const diagonals = malloc(2 * room * sizeof *diagonals);
    uint32_t *const found = malloc((x.count + 1) * sizeof *found);
    uint32_t *const back = malloc((b.count + 1) * sizeof *back);
    if (status != 0 || !diagonals || !found || !back) {
        status = -1;
    } else {
        const struct search search = {.a = x.keys,
                                      .b = y.keys,
                                      .down = diagonals + y.count + 1,
                                      .up = diagonals + room + y.count + 1,
                                      .match = found};
        for (size_t i = 0; i < x.count; i++)
            found[i] = ALIGN_NONE;
        search_part(&search, (struct part){0, (int64_t)x.count, 0, (int64_t)y.count});
        for (size_t i = 0; i < a.count; i++)
            match[i] = ALIGN_NONE;
        for (size_t i = 0; i < x.count; i++)
            if (found[i] != ALIGN_NONE)
                match[x.places[i]] = y.places[found[i]];
        invert(match, a.count, back, b.count);
        slide(a, match, back);
        slide(b, back, match);
    }
    free(diagonals);
    free(found);
    free(back);
    free(x.keys);
    free(x.places);
    free(y.keys);
    free(y.places);
    return status;
}
