#include "analysis/measured_align.h"

#include <stdbool.h>
#include <stdlib.h>

enum {
    AGREE = 16,  /* as many equal places in a row belong together */
    EDITS = 128, /* left out of both together between two such rows */
    WORK = 64    /* comparisons, per point */
};

/* Paths from a pair (i, j) on: with d points left out of both, on diagonal k, i - j having grown by
 * k, the farthest leads to i + ends[d][EDITS + k]; below 0: none does. */
struct align {
    const struct measured_point *a, *b;
    size_t a_count, b_count;
    size_t *matches;
    int64_t (*ends)[2 * EDITS + 1];
    uint64_t work, most;
};

static bool same(const struct align *w, size_t i, size_t j)
{
    return w->a[i].place == w->b[j].place;
}

/* --- the order -------------------------------------------------------------------------------- */

struct rest {
    size_t i, j;
    int64_t a, b; /* points from there on */
};

/* Where the farthest path enters a diagonal, by leaving out one of a, or else one of b. */
static int64_t enter(const struct align *w, const struct rest *r, int d, int k, bool *of_a)
{
    const int64_t *before = w->ends[d - 1] + EDITS;
    const int64_t right =
        k > -d && before[k - 1] >= 0 && before[k - 1] < r->a ? before[k - 1] + 1 : -1;
    const int64_t down = k < d && before[k + 1] - k <= r->b ? before[k + 1] : -1;
    *of_a = right > down;
    return *of_a ? right : down;
}

static void take_path(const struct align *w, const struct rest *r, int d, int k)
{
    bool of_a = false;
    for (; d > 0; d--, k += of_a ? -1 : 1)
        for (int64_t at = enter(w, r, d, k, &of_a); at < w->ends[d][EDITS + k]; at++)
            w->matches[r->i + (size_t)at] = r->j + (size_t)(at - k);
}

/* After a pair that differs: the path with the fewest left out that leads to AGREE pairs in a row,
 * or with pairs alone to the end of either. */
static bool find_path(struct align *w, size_t *i, size_t *j)
{
    const struct rest r = {*i, *j, (int64_t)(w->a_count - *i), (int64_t)(w->b_count - *j)};
    bool of_a;
    w->ends[0][EDITS] = 0;
    for (int d = 1; d <= EDITS && w->work < w->most; d++)
        for (int k = -d; k <= d; k += 2) {
            const int64_t begin = enter(w, &r, d, k, &of_a);
            int64_t end = begin;
            while (begin >= 0 && end < r.a && end - k < r.b &&
                   same(w, r.i + (size_t)end, r.j + (size_t)(end - k)))
                end++;
            w->ends[d][EDITS + k] = end;
            w->work += (uint64_t)(end - begin) + 1;
            if (end == begin || (end - begin < AGREE && end < r.a && end - k < r.b))
                continue;
            take_path(w, &r, d, k);
            *i += (size_t)end;
            *j += (size_t)(end - k);
            return true;
        }
    return false;
}

/* How many pairs agree from (i, j) on, up to AGREE. */
static size_t agreement(struct align *w, size_t i, size_t j)
{
    size_t k = 0;
    while (k < AGREE && i + k < w->a_count && j + k < w->b_count && same(w, i + k, j + k))
        k++;
    w->work += k + 1;
    return k;
}

/* A list that begins late, or lacks a long part; or the run does. */
static bool find_part(struct align *w, size_t *i, size_t *j)
{
    const size_t a = w->a_count - *i, b = w->b_count - *j;
    size_t most = 0, of_a = 0, of_b = 0;
    for (size_t skip = 1; (skip < a || skip < b) && most < AGREE && w->work < w->most; skip++) {
        const size_t later = skip < b ? agreement(w, *i, *j + skip) : 0;
        const size_t before = skip < a ? agreement(w, *i + skip, *j) : 0;
        if (later <= most && before <= most)
            continue;
        most = later > before ? later : before;
        of_b = later > before ? skip : 0;
        of_a = later > before ? 0 : skip;
    }
    *i += of_a;
    *j += of_b;
    return most > 0;
}

static int match(struct align *w)
{
    size_t i = 0, j = 0;
    while (i < w->a_count && j < w->b_count) {
        if (same(w, i, j)) {
            w->matches[i++] = j++;
            continue;
        }
        if (!w->ends && !(w->ends = malloc((EDITS + 1) * sizeof *w->ends)))
            return -1;
        if (!find_path(w, &i, &j) && !find_part(w, &i, &j)) {
            i++;
            j++;
        }
    }
    return 0;
}

/* --- loops ------------------------------------------------------------------------------------ */

static bool equal(const struct align *w, size_t i_from, size_t i, size_t j_from, size_t j)
{
    return w->a[i].cycle - w->a[i_from].cycle == w->b[j].cycle - w->b[j_from].cycle;
}

/* Points of the run are left out before pairs[t], or after the last: in a loop as well some pairs
 * earlier, which are then pairs with later points. How many pairs earlier makes most equal. */
static size_t best_shift(struct align *w, const size_t *pairs, size_t count, size_t t, size_t next)
{
    const size_t *m = w->matches;
    int64_t sum = 0, best = t < count && equal(w, pairs[t - 1], pairs[t], m[pairs[t - 1]], next);
    size_t shift = 0;
    for (size_t k = 1; k <= t && same(w, pairs[t - k], next - k) && w->work < w->most; k++) {
        const size_t i = pairs[t - k], j = next - k;
        bool joins = false;
        w->work++;
        if (t - k + 1 < count)
            sum += equal(w, i, pairs[t - k + 1], j, j + 1);
        if (k < t) {
            const size_t before = pairs[t - k - 1];
            sum -= equal(w, before, i, m[before], m[i]);
            joins = equal(w, before, i, m[before], j);
        }
        if (sum + joins > best) {
            best = sum + joins;
            shift = k;
        }
    }
    return shift;
}

static int shift_gaps(struct align *w)
{
    size_t *pairs = malloc((w->a_count + 1) * sizeof *pairs), count = 0;
    if (!pairs)
        return -1;
    for (size_t i = 0; i < w->a_count; i++)
        if (w->matches[i] != SIZE_MAX)
            pairs[count++] = i;
    for (size_t t = 1; t <= count && count; t++) {
        const size_t next = t < count ? w->matches[pairs[t]] : w->b_count;
        if (next == w->matches[pairs[t - 1]] + 1)
            continue;
        for (size_t k = best_shift(w, pairs, count, t, next); k > 0; k--)
            w->matches[pairs[t - k]] = next - k;
    }
    free(pairs);
    return 0;
}

/* --- both ways -------------------------------------------------------------------------------- */

/* Pairs, and of the intervals between them those that are equal. */
static size_t score(const struct align *w)
{
    size_t pairs = 0, equals = 0, before = 0;
    for (size_t i = 0; i < w->a_count; i++) {
        if (w->matches[i] == SIZE_MAX)
            continue;
        equals += pairs && equal(w, before, i, w->matches[before], w->matches[i]);
        pairs++;
        before = i;
    }
    return pairs + equals;
}

static int find(struct align *w)
{
    w->work = 0;
    w->most = WORK * ((uint64_t)w->a_count + w->b_count) + (1 << 20);
    for (size_t i = 0; i < w->a_count; i++)
        w->matches[i] = SIZE_MAX;
    const int status = match(w);
    w->work = 0;
    return status == 0 ? shift_gaps(w) : -1;
}

static void turn(const struct measured_point *points, size_t count, struct measured_point *turned)
{
    for (size_t i = 0; i < count; i++)
        turned[count - 1 - i] = (struct measured_point){
            .cycle = points[count - 1].cycle - points[i].cycle, .place = points[i].place};
}

/* From the end: a list that begins late is the run's end. */
static int find_turned(struct align *w)
{
    const size_t a = w->a_count, b = w->b_count;
    struct measured_point *points = malloc((a + b) * sizeof *points);
    size_t *matches = malloc(a * sizeof *matches);
    struct align turned = {.a = points,
                           .b = points + a,
                           .a_count = a,
                           .b_count = b,
                           .matches = matches,
                           .ends = w->ends};
    int status = -1;
    if (points && matches) {
        turn(w->a, a, points);
        turn(w->b, b, points + a);
        status = find(&turned);
        w->ends = turned.ends;
    }
    if (status == 0 && score(&turned) > score(w))
        for (size_t i = 0; i < a; i++)
            w->matches[a - 1 - i] = matches[i] == SIZE_MAX ? SIZE_MAX : b - 1 - matches[i];
    free(points);
    free(matches);
    return status;
}

int measured_align(const struct measured_point *list, size_t list_count,
                   const struct measured_point *run, size_t run_count, size_t *matches)
{
    struct align w = {
        .a = list, .b = run, .a_count = list_count, .b_count = run_count, .matches = matches};
    int status = find(&w);
    if (status == 0 && list_count && run_count && score(&w) < 2 * list_count - 1)
        status = find_turned(&w);
    free(w.ends);
    return status;
}
