#include "analysis/fit_walk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct walk {
    struct fit_model *model;
    const bool *active;
    unsigned worker;
    struct fit_cooling cooling;
    const bool *held;
    struct fit_dice dice;
    double *point, *predicted, cost; /* where it is; the cost of logarithms */
    double *next, *next_predicted;
    double *best_point, *best_predicted, best; /* by the distance of fit_model */
    size_t *moved;                             /* axes that active measurements see */
    size_t moved_count;
    bool *changed;      /* by case: sees what a step moves */
    size_t timed, most; /* predictions */
};

/* The natural logarithm to ten digits, with the same bits on every host, which a library's need not
 * have: x = mantissa * 2^exponent, and the series of atanh. */
static double log_of(double x)
{
    int exponent = 0;
    if (!isfinite(x))
        return x;
    double mantissa = frexp(x, &exponent);
    if (mantissa < 0.7071) {
        mantissa *= 2;
        exponent--;
    }
    const double z = (mantissa - 1) / (mantissa + 1), q = z * z;
    const double series =
        1 + q * (1. / 3 + q * (1. / 5 + q * (1. / 7 + q * (1. / 9 + q * (1. / 11)))));
    return exponent * 0.6931471805599453 + 2 * z * series;
}

/* By the tolerance; by a cycle where that is more. */
static double cost_of(const struct fit_model *model, size_t c, double predicted)
{
    const struct fit_measurement *m = model->cases[c].measurement;
    const double unit = m->kind == FIT_TIME ? model->scale[c] : fmax(m->tolerance, 1);
    return log_of(1 + fit_excess(&model->cases[c], predicted) / unit);
}

double fit_walk_cost(const struct fit_model *model, const bool *active, const double *predicted)
{
    double cost = 0;
    for (size_t c = 0; c < model->count; c++)
        cost += active[c] ? cost_of(model, c, predicted[c]) : 0;
    return cost;
}

/* --- a step ----------------------------------------------------------------------------------- */

/* Often near, by any order of length down to a thousandth of the axis. */
static double other_value(struct walk *w, size_t a)
{
    const struct fit_axis *axis = &w->model->space->axes[a];
    const size_t halvings = 10;
    if (axis->text || axis->values || fit_dice_below(&w->dice, 4) == 0)
        return fit_axis_anywhere(axis, &w->dice);
    double length = (axis->high - axis->low) * (1 - fit_dice_real(&w->dice) / 2);
    length = ldexp(length, -(int)fit_dice_below(&w->dice, halvings));
    if (axis->whole && length < 1)
        length = 1;
    return fit_axis_round(axis, w->point[a] + (fit_dice_below(&w->dice, 2) ? length : -length));
}

/* One number; in a third of the steps two or three. Returns whether a measurement sees it. */
static bool make_step(struct walk *w)
{
    const struct fit_model *model = w->model;
    const size_t axes = model->space->count;
    size_t count = fit_dice_below(&w->dice, 3) ? 1 : fit_dice_below(&w->dice, 2) ? 2 : 3;
    bool any = false;
    memcpy(w->next, w->point, axes * sizeof *w->next);
    memset(w->changed, false, model->count * sizeof *w->changed);
    for (; count > 0; count--) {
        const size_t a = w->moved[fit_dice_below(&w->dice, w->moved_count)];
        w->next[a] = other_value(w, a);
        if (w->next[a] == w->point[a])
            continue;
        for (size_t c = 0; c < model->count; c++)
            w->changed[c] |= w->active[c] && model->sees[c * axes + a];
        any = true;
    }
    return any;
}

/* The cost of the next point, or one above the limit where it costs more. */
static double next_cost(struct walk *w, double limit)
{
    struct fit_model *model = w->model;
    double cost = 0;
    for (size_t c = 0; c < model->count; c++) {
        w->next_predicted[c] = w->active[c] ? w->predicted[c] : NAN;
        if (w->active[c] && !w->changed[c])
            cost += cost_of(model, c, w->predicted[c]);
    }
    if (cost > limit || !fit_is_chip(model, w->worker, w->next))
        return INFINITY;
    for (size_t k = 0; k < model->count && cost <= limit; k++) {
        const size_t c = model->order[k];
        if (!w->changed[c])
            continue;
        w->next_predicted[c] = fit_predict(model, w->worker, c, w->next, false);
        w->timed++;
        cost += isnan(w->next_predicted[c]) ? INFINITY : cost_of(model, c, w->next_predicted[c]);
    }
    return cost;
}

static void keep_best(struct walk *w)
{
    const struct fit_model *model = w->model;
    const double distance = fit_known_distance(model, w->active, w->predicted);
    if (distance >= w->best)
        return;
    w->best = distance;
    memcpy(w->best_point, w->point, model->space->count * sizeof *w->point);
    memcpy(w->best_predicted, w->predicted, model->count * sizeof *w->predicted);
}

static void take_step(struct walk *w)
{
    double *point = w->point, *predicted = w->predicted;
    w->point = w->next;
    w->predicted = w->next_predicted;
    w->next = point;
    w->next_predicted = predicted;
    keep_best(w);
}

/* --- a walk ----------------------------------------------------------------------------------- */

static void walk_on(struct walk *w)
{
    const double cold = 0.05;
    const size_t tries = 20 * w->most; /* many time nothing */
    for (size_t k = 0; k < tries && w->timed < w->most && w->best > 0 && w->moved_count &&
                       !fit_is_stopped(w->model);
         k++) {
        const double left = 1 - (double)w->timed / (double)w->most;
        const double heat = cold + (w->cooling.hot - cold) * left;
        if (!make_step(w))
            continue;
        const double limit = w->cost - heat * log_of(1 - fit_dice_real(&w->dice));
        const double cost = next_cost(w, limit);
        if (!(cost <= limit))
            continue;
        w->cost = cost;
        take_step(w);
    }
    fit_tell_progress(w->model, w->worker, w->cooling.steps);
}

static bool is_seen(const struct walk *w, size_t axis)
{
    const struct fit_model *model = w->model;
    for (size_t c = 0; c < model->count && !(w->held && w->held[axis]); c++)
        if (w->active[c] && model->sees[c * model->space->count + axis])
            return true;
    return false;
}

/* Predictions of all steps: as many as see an axis, on average, but no more than eight of each. */
static size_t work_of(const struct walk *w)
{
    const struct fit_model *model = w->model;
    const size_t most = 8;
    size_t seen = 0;
    for (size_t k = 0; k < w->moved_count; k++)
        for (size_t c = 0; c < model->count; c++)
            seen += w->active[c] && model->sees[c * model->space->count + w->moved[k]];
    const size_t each = w->moved_count ? (seen + w->moved_count / 2) / w->moved_count : 0;
    return w->cooling.steps * (each < 1 ? 1 : each < most ? each : most);
}

/* At a point of a set, of which each active prediction is known. */
static bool open_walk(struct walk *w, const struct fit_set *set, size_t i)
{
    const size_t axes = w->model->space->count, cases = w->model->count;
    double *numbers = calloc(3 * (axes + cases) + 1, sizeof *numbers);
    w->moved = calloc(axes + 1, sizeof *w->moved);
    w->changed = calloc(cases + 1, sizeof *w->changed);
    w->best_point = numbers;
    if (!numbers || !w->moved || !w->changed)
        return false;
    w->best_predicted = w->best_point + axes;
    w->point = w->best_predicted + cases;
    w->next = w->point + axes;
    w->predicted = w->next + axes;
    w->next_predicted = w->predicted + cases;
    for (size_t a = 0; a < axes; a++)
        if (is_seen(w, a))
            w->moved[w->moved_count++] = a;
    memcpy(w->point, set->points + i * axes, axes * sizeof *w->point);
    memcpy(w->predicted, set->predicted + i * cases, cases * sizeof *w->predicted);
    w->cost = fit_walk_cost(w->model, w->active, w->predicted);
    w->most = work_of(w);
    w->best = INFINITY;
    keep_best(w);
    return true;
}

struct task {
    struct fit_model *model;
    const bool *active;
    const struct fit_set *pool;
    struct fit_cooling cooling;
    struct fit_set *set;
};

static void walk_work(void *context, size_t i, unsigned worker)
{
    const struct task *task = context;
    struct fit_model *model = task->model;
    struct fit_set *set = task->set;
    const size_t axes = model->space->count;
    struct walk w = {.model = model,
                     .active = task->active + i * model->count,
                     .worker = worker,
                     .cooling = task->cooling,
                     .held = task->cooling.held ? task->cooling.held + i * axes : NULL,
                     .dice = fit_dice((model->seed ^ UINT64_C(0x1b873593)) + model->stream, i)};
    size_t first = i % task->cooling.starts;
    double least = INFINITY;
    for (size_t k = first; k < task->pool->size; k += task->cooling.starts) {
        const double distance =
            fit_known_distance(model, w.active, task->pool->predicted + k * model->count);
        first = distance < least ? k : first;
        least = distance < least ? distance : least;
    }
    fit_copy_point(model, set, i, task->pool, first);
    set->distance[i] = least;
    if (!open_walk(&w, set, i))
        model->status = -1;
    else if (isfinite(least)) {
        walk_on(&w);
        memcpy(set->points + i * axes, w.best_point, axes * sizeof *w.point);
        memcpy(set->predicted + i * model->count, w.best_predicted,
               model->count * sizeof *w.predicted);
        set->distance[i] = w.best;
    }
    free(w.best_point);
    free(w.moved);
    free(w.changed);
}

int fit_walk(struct fit_model *model, const bool *active, const struct fit_set *pool,
             struct fit_cooling cooling, struct fit_set *set)
{
    cooling.hot = cooling.hot > 0 ? cooling.hot : FIT_HOT;
    struct task task = {model, active, pool, cooling, set};
    model->stream++;
    fit_tell_progress(model, 0, 0);
    workers_run(model->workers, set->size, walk_work, &task);
    return model->status ? -1 : 0;
}
