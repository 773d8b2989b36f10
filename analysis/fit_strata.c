#include "analysis/fit_strata.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/fit_others.h"
#include "analysis/fit_walk.h"

enum { STAGES = 3, LEAST = 8, TRIES = 6, FEW = 6 };

/* Steps of a walk at an effort of 100, walks, and ends of the stage before from which they begin.
 */
static const struct {
    size_t steps, walks, from;
    double hot;
} stages[STAGES] = {{500, FIT_STRATA, FIT_STRATA, 1}, {1250, 12, 12, 0.8}, {4000, 8, 4, 0.8}};

struct strata {
    struct fit *fit;
    const bool *all;
    const struct fit_set *pool;
    size_t axes[FIT_STRATA];
    size_t count, product;
    struct fit_set set;
    bool *held; /* by point of the set and axis */
};

/* --- the strata ------------------------------------------------------------------------------- */

static size_t values_of(const struct fit_axis *axis)
{
    return (size_t)(axis->high - axis->low) + 1;
}

static size_t seen_by(const struct fit *fit, size_t a)
{
    size_t count = 0;
    for (size_t c = 0; c < fit->count; c++)
        count += fit->model.sees[c * fit->space.count + a];
    return count;
}

static bool is_cut(const struct fit_axis *axis)
{
    const bool few = axis->text || (axis->whole && !axis->values && values_of(axis) < FEW);
    return few && axis->high > axis->low;
}

/* Those that most measurements see, as many as make no more strata than walks. */
static void list_axes(struct strata *s)
{
    const struct fit *fit = s->fit;
    s->product = 1;
    for (size_t seen = fit->count; seen > 1; seen--)
        for (size_t a = 0; a < fit->space.count; a++) {
            const struct fit_axis *axis = &fit->space.axes[a];
            if (seen_by(fit, a) != seen || !is_cut(axis) ||
                s->product * values_of(axis) > FIT_STRATA)
                continue;
            s->axes[s->count++] = a;
            s->product *= values_of(axis);
        }
}

/* A point of the pool with the values of a stratum. */
static void place(const struct strata *s, size_t stratum, const double *from, double *point)
{
    const struct fit_space *space = &s->fit->space;
    size_t rest = stratum % s->product;
    memcpy(point, from, space->count * sizeof *point);
    for (size_t k = 0; k < s->count; k++) {
        const struct fit_axis *axis = &space->axes[s->axes[k]];
        point[s->axes[k]] = axis->low + (double)(rest % values_of(axis));
        rest /= values_of(axis);
    }
}

/* From the nearest of TRIES points. Where none is a chip, the distance stays infinite. */
static void begin_work(void *context, size_t i, unsigned worker)
{
    struct strata *s = context;
    struct fit *fit = s->fit;
    const struct fit_set *pool = s->pool;
    const size_t axes = fit->space.count, cases = fit->count;
    double *point = malloc((axes + cases) * sizeof *point), *predicted = point + axes;
    double least = INFINITY;
    if (!point)
        fit->model.status = -1;
    for (size_t n = 0; point && n < TRIES && !fit_is_stopped(&fit->model); n++) {
        const size_t from = (i + n * s->set.size) % pool->size;
        place(s, i, pool->points + from * axes, point);
        if (!fit_is_chip(&fit->model, worker, point))
            continue;
        for (size_t c = 0; c < cases; c++)
            predicted[c] = fit_predict(&fit->model, worker, c, point, false);
        const double cost = fit_walk_cost(&fit->model, s->all, predicted);
        if (!(cost < least))
            continue;
        least = cost;
        memcpy(s->set.points + i * axes, point, axes * sizeof *point);
        memcpy(s->set.predicted + i * cases, predicted, cases * sizeof *predicted);
        s->set.distance[i] = fit_known_distance(&fit->model, s->all, predicted);
    }
    free(point);
}

static int begin(struct strata *s)
{
    struct fit *fit = s->fit;
    const size_t axes = fit->space.count, size = s->product < LEAST ? LEAST : s->product;
    s->held = calloc(FIT_STRATA * axes + 1, sizeof *s->held);
    if (fit_set_init(&s->set, &fit->model, size) != 0 || !s->held)
        return -1;
    for (size_t i = 0; i < size; i++) {
        s->set.distance[i] = INFINITY;
        for (size_t c = 0; c < fit->count; c++)
            s->set.predicted[i * fit->count + c] = NAN;
    }
    for (size_t i = 0; i < FIT_STRATA; i++)
        for (size_t k = 0; k < s->count; k++)
            s->held[i * axes + s->axes[k]] = true;
    workers_run(fit->model.workers, size, begin_work, s);
    return fit->model.status ? -1 : 0;
}

/* --- stages ----------------------------------------------------------------------------------- */

static double cost_at(const struct strata *s, size_t i)
{
    const double *predicted = s->set.predicted + i * s->fit->count;
    return isfinite(s->set.distance[i]) ? fit_walk_cost(&s->fit->model, s->all, predicted)
                                        : INFINITY;
}

static size_t nearest(const struct strata *s, const bool *taken)
{
    size_t best = s->set.size;
    for (size_t i = 0; i < s->set.size; i++)
        if (!taken[i] && (best == s->set.size || cost_at(s, i) < cost_at(s, best)))
            best = i;
    return best;
}

/* What does not explain all may be taken again. */
static void release(const struct strata *s, bool *taken)
{
    for (size_t i = 0; i < s->set.size; i++)
        taken[i] &= s->set.distance[i] <= 0;
}

/* The nearest ones, each as often as there is room; those that explain all once. */
static int take_nearest(struct strata *s, size_t walks, size_t from)
{
    struct fit_set next;
    bool *taken = calloc(s->set.size + 1, sizeof *taken);
    const size_t size = walks < s->set.size ? walks : s->set.size;
    int status = fit_set_init(&next, &s->fit->model, size) | (taken ? 0 : -1);
    for (size_t n = 0; status == 0 && n < size; n++) {
        size_t best = nearest(s, taken);
        if (n >= from && (best == s->set.size || s->set.distance[best] > 0)) {
            if (n % from == 0)
                release(s, taken);
            best = nearest(s, taken);
        }
        best = best < s->set.size ? best : n % s->set.size;
        taken[best] = true;
        fit_copy_point(&s->fit->model, &next, n, &s->set, best);
    }
    free(taken);
    fit_set_free(&s->set);
    s->set = next;
    return status;
}

static int walk(struct strata *s, size_t stage)
{
    struct fit_set ends = {.size = 0};
    int status = take_nearest(s, stages[stage].walks, stages[stage].from);
    if (status == 0)
        status = fit_set_init(&ends, &s->fit->model, s->set.size);
    if (status != 0) {
        fit_set_free(&ends);
        return status;
    }
    const struct fit_cooling cooling = {.starts = s->set.size,
                                        .steps = fit_scaled(s->fit, stages[stage].steps),
                                        .held = s->held,
                                        .hot = stages[stage].hot};
    status = fit_walk(&s->fit->model, s->all, &s->set, cooling, &ends);
    fit_set_free(&s->set);
    s->set = ends;
    return status;
}

int fit_search_strata(struct fit *fit, const bool *all, const struct fit_set *pool,
                      struct fit_set *found)
{
    struct strata s = {.fit = fit, .all = all, .pool = pool};
    list_axes(&s);
    int status = begin(&s);
    for (size_t k = 0; status == 0 && k < STAGES; k++)
        status = walk(&s, k);
    free(s.held);
    *found = s.set;
    return status;
}

uint64_t fit_strata_work(const struct fit *fit)
{
    const size_t usual = 24;
    uint64_t work = 0;
    for (size_t k = 0; k < STAGES; k++)
        work += fit_scaled(fit, stages[k].steps) * (k ? stages[k].walks : usual);
    return work;
}
