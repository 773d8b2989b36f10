#include "analysis/fit_descend.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    AGAIN = 3,    /* searches of one round's steps: effects hold nearby, too */
    LENGTHS = 3,  /* of steps */
    FEW = 8,      /* values that are all tried */
    PLACES = 16,  /* values of an axis that are tried, at most; texts have fewer choices */
    DEPTH = 5,    /* steps of a combination */
    BEAM = 100,   /* combinations that are carried on */
    TRIED = 24,   /* combinations that are timed */
    CHANGES = 48, /* that a kick tries */
    REPAIRS = 2   /* rounds after a kick */
};

/* One number at another value. */
struct step {
    size_t axis;
    double to;
};

struct combination {
    double cost;
    size_t count, steps[DEPTH];
};

/* A combination and one more step. */
struct longer {
    double cost;
    size_t from, step;
};

struct descent {
    struct fit_model *model;
    const bool *active;
    const struct fit_set *pool;
    unsigned worker;
    struct fit_effort effort;
    struct fit_dice dice;
    double *point, *predicted, cost; /* where it is */
    double *tried, *tried_predicted;
    double *best_point, *best_predicted; /* before a kick */
    double *kicked_point;
    size_t *seen;   /* axes that the kicked measurement sees */
    size_t *donors; /* points of the pool */
    struct step *steps;
    double *effects; /* by step and case */
    size_t step_count;
    struct combination *combinations; /* what the next three are in */
    struct combination *beam, *next, *best;
    double *sums, *next_sums; /* by combination of the beam and case */
    double *total;            /* by case */
    struct longer *longer;
};

/* --- steps ------------------------------------------------------------------------------------ */

static bool is_seen(const struct descent *d, size_t axis)
{
    const struct fit_model *model = d->model;
    for (size_t c = 0; c < model->count && axis + 1 != d->effort.held; c++)
        if (d->active[c] && model->sees[c * model->space->count + axis])
            return true;
    return false;
}

/* Other values of an axis, down and up by several lengths, or all where there are few. */
static size_t list_places(struct descent *d, size_t a, double fine, double places[PLACES])
{
    const struct fit_axis *axis = &d->model->space->axes[a];
    const double at = d->point[a], room = axis->high - axis->low;
    size_t count = 0;
    if (axis->values && axis->value_count <= PLACES) {
        for (size_t k = 0; k < axis->value_count; k++)
            if (axis->values[k] != at)
                places[count++] = axis->values[k];
        return count;
    }
    if (axis->text || (axis->whole && room <= FEW)) {
        for (double value = axis->low; value <= axis->high && count < PLACES; value++)
            if (value != at)
                places[count++] = value;
        return count;
    }
    double length = room * fine * (0.35 + 0.3 * fit_dice_real(&d->dice));
    for (unsigned k = 0; k < 2 * LENGTHS; k++) {
        const double step = axis->whole && length < 1 ? 1 : length;
        const double value = fit_axis_round(axis, k % 2 ? at + step : at - step);
        bool known = value == at;
        for (size_t i = 0; i < count; i++)
            known |= places[i] == value;
        if (!known)
            places[count++] = value;
        length *= k % 2 ? 0.25 : 1;
    }
    return count;
}

/* Times the point with one number elsewhere; false: no chip. */
static bool take_effects(struct descent *d, size_t a, double *effects)
{
    struct fit_model *model = d->model;
    for (size_t c = 0; c < model->count; c++) {
        effects[c] = 0;
        if (!d->active[c] || !model->sees[c * model->space->count + a])
            continue;
        const double value = fit_predict(model, d->worker, c, d->tried, false);
        if (isnan(value))
            return false;
        effects[c] = value - d->predicted[c];
    }
    return true;
}

static void make_steps(struct descent *d, double fine)
{
    const size_t axes = d->model->space->count;
    double places[PLACES];
    d->step_count = 0;
    for (size_t a = 0; a < axes; a++) {
        if (!is_seen(d, a))
            continue;
        const size_t count = list_places(d, a, fine, places);
        for (size_t k = 0; k < count && !fit_is_stopped(d->model); k++) {
            memcpy(d->tried, d->point, axes * sizeof *d->tried);
            d->tried[a] = places[k];
            if (fit_is_chip(d->model, d->worker, d->tried) &&
                take_effects(d, a, d->effects + d->step_count * d->model->count))
                d->steps[d->step_count++] = (struct step){a, places[k]};
        }
    }
}

/* --- combinations ----------------------------------------------------------------------------- */

static int by_cost(const void *a, const void *b)
{
    const struct longer *x = a, *y = b;
    if (x->cost != y->cost)
        return x->cost < y->cost ? -1 : 1;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return (x->step > y->step) - (x->step < y->step);
}

static bool has_axis(const struct descent *d, const struct combination *one, size_t axis)
{
    for (size_t k = 0; k < one->count; k++)
        if (d->steps[one->steps[k]].axis == axis)
            return true;
    return false;
}

static size_t list_longer(struct descent *d, size_t beam)
{
    const size_t cases = d->model->count;
    size_t count = 0;
    for (size_t i = 0; i < beam; i++)
        for (size_t s = 0; s < d->step_count; s++) {
            if (has_axis(d, &d->beam[i], d->steps[s].axis))
                continue;
            for (size_t c = 0; c < cases; c++)
                d->total[c] = d->sums[i * cases + c] + d->effects[s * cases + c];
            const double cost = fit_known_distance(d->model, d->active, d->total);
            if (cost < d->beam[i].cost)
                d->longer[count++] = (struct longer){cost, i, s};
        }
    qsort(d->longer, count, sizeof *d->longer, by_cost);
    return count;
}

/* The cheaper ones are the beam; the same steps in another order are left out. */
static size_t carry_on(struct descent *d, size_t count)
{
    const size_t cases = d->model->count;
    size_t kept = 0;
    for (size_t i = 0; i < count && kept < BEAM; i++) {
        const struct longer *one = &d->longer[i];
        double *sum = d->next_sums + kept * cases;
        for (size_t c = 0; c < cases; c++)
            sum[c] = d->sums[one->from * cases + c] + d->effects[one->step * cases + c];
        if (kept && memcmp(sum, sum - cases, cases * sizeof *sum) == 0)
            continue;
        d->next[kept] = d->beam[one->from];
        d->next[kept].cost = one->cost;
        d->next[kept].steps[d->next[kept].count++] = one->step;
        kept++;
    }
    struct combination *beam = d->beam;
    double *sums = d->sums;
    d->beam = d->next;
    d->sums = d->next_sums;
    d->next = beam;
    d->next_sums = sums;
    return kept;
}

static int by_combined_cost(const void *a, const void *b)
{
    const struct combination *x = a, *y = b;
    if (x->cost != y->cost)
        return x->cost < y->cost ? -1 : 1;
    return memcmp(x->steps, y->steps, sizeof x->steps);
}

static size_t rank_combinations(struct descent *d)
{
    size_t beam = 1, count = 0;
    d->beam[0] = (struct combination){.cost = d->cost};
    memcpy(d->sums, d->predicted, d->model->count * sizeof *d->sums);
    for (unsigned depth = 0; depth < DEPTH && beam; depth++) {
        beam = carry_on(d, list_longer(d, beam));
        for (size_t i = 0; i < beam && i < TRIED / 2; i++)
            d->best[count++] = d->beam[i];
    }
    qsort(d->best, count, sizeof *d->best, by_combined_cost);
    return count < TRIED ? count : TRIED;
}

/* Where the best of the combinations leads, when that costs less. */
static bool take_combination(struct descent *d)
{
    struct fit_model *model = d->model;
    const size_t axes = model->space->count, count = rank_combinations(d);
    size_t best = count;
    double cost = d->cost;
    for (size_t i = 0; i <= count && !fit_is_stopped(model); i++) {
        const size_t k = i < count ? i : best; /* the best once more, for its predictions */
        if (k == count)
            break;
        memcpy(d->tried, d->point, axes * sizeof *d->tried);
        for (size_t s = 0; s < d->best[k].count; s++)
            d->tried[d->steps[d->best[k].steps[s]].axis] = d->steps[d->best[k].steps[s]].to;
        const double now =
            fit_distance(model, d->worker, d->tried, d->active, cost, d->tried_predicted);
        if (now < cost) {
            best = k;
            cost = now;
        }
    }
    if (best == count || cost >= d->cost || fit_is_stopped(model))
        return false;
    memcpy(d->point, d->tried, axes * sizeof *d->point);
    memcpy(d->predicted, d->tried_predicted, model->count * sizeof *d->predicted);
    d->cost = cost;
    return true;
}

/* --- rounds ----------------------------------------------------------------------------------- */

static void descend(struct descent *d, double coarse, unsigned rounds)
{
    const double finest = 0.02;
    double fine = coarse;
    for (unsigned k = 0; k < rounds && d->cost > 0 && !fit_is_stopped(d->model); k++) {
        const double before = d->cost;
        make_steps(d, fine);
        for (unsigned again = 0; again < AGAIN && d->cost > 0; again++)
            if (!take_combination(d))
                break;
        if (d->cost > 0.9 * before)
            fine = fine < finest ? coarse : 0.4 * fine;
        fit_tell_progress(d->model, d->worker, FIT_ROUND_WORK);
    }
}

/* --- kicks ------------------------------------------------------------------------------------ */

/* The active measurement that costs most. */
static size_t farthest(const struct descent *d)
{
    size_t worst = 0;
    double most = -1;
    for (size_t c = 0; c < d->model->count; c++) {
        const double cost = d->active[c] ? fit_case_cost(d->model, c, d->predicted[c]) : -1;
        worst = cost > most ? c : worst;
        most = cost > most ? cost : most;
    }
    return worst;
}

/* Points of the pool from which the measurement is predicted that well. */
static size_t list_donors(struct descent *d, size_t c, double limit)
{
    const struct fit_model *model = d->model;
    size_t count = 0;
    for (size_t i = 0; i < d->pool->size; i++) {
        const double predicted = d->pool->predicted[i * model->count + c];
        if (!isnan(predicted) && fit_case_cost(model, c, predicted) <= limit)
            d->donors[count++] = i;
    }
    return count;
}

/* Neighbours among the numbers that a measurement sees, each at an end: the machine's file has
 * numbers of one part, as those of refresh, in a row, and one hides what another does. */
static void change_neighbours(struct descent *d, size_t seen)
{
    const size_t most = 5, size = 2 + fit_dice_below(&d->dice, most - 1);
    const size_t first = fit_dice_below(&d->dice, seen);
    for (size_t k = first; k < seen && k < first + size; k++) {
        const struct fit_axis *axis = &d->model->space->axes[d->seen[k]];
        const uint64_t end = fit_dice_below(&d->dice, 5);
        d->tried[d->seen[k]] = end < 2   ? axis->low
                               : end < 4 ? axis->high
                                         : fit_axis_anywhere(axis, &d->dice);
    }
}

/* The point with some of the numbers that a measurement sees at those of another point, with
 * neighbours at their ends, or with up to four numbers anywhere. */
static void change_some(struct descent *d, size_t seen, size_t donors)
{
    const struct fit_space *space = d->model->space;
    memcpy(d->tried, d->point, space->count * sizeof *d->tried);
    if (donors && fit_dice_below(&d->dice, 2)) {
        const size_t from = d->donors[fit_dice_below(&d->dice, donors)];
        const double share = fit_dice_real(&d->dice);
        for (size_t k = 0; k < seen; k++)
            if (fit_dice_real(&d->dice) < share)
                d->tried[d->seen[k]] = d->pool->points[from * space->count + d->seen[k]];
        return;
    }
    if (d->effort.together && fit_dice_below(&d->dice, 2)) {
        change_neighbours(d, seen);
        return;
    }
    for (uint64_t more = 1 + fit_dice_below(&d->dice, 4); more > 0; more--) {
        const size_t a = d->seen[fit_dice_below(&d->dice, seen)];
        d->tried[a] = fit_axis_anywhere(&space->axes[a], &d->dice);
    }
}

/* Where a kick leads, to d->point; false: nowhere. */
static bool kick(struct descent *d)
{
    struct fit_model *model = d->model;
    const size_t axes = model->space->count, c = farthest(d);
    const double limit = fit_case_cost(model, c, d->predicted[c]) / 4;
    double least = INFINITY;
    size_t count = 0;
    for (size_t a = 0; a < axes; a++)
        if (model->sees[c * axes + a] && a + 1 != d->effort.held)
            d->seen[count++] = a;
    const size_t donors = list_donors(d, c, limit);
    memcpy(d->best_point, d->point, axes * sizeof *d->point);
    memcpy(d->best_predicted, d->predicted, model->count * sizeof *d->predicted);
    for (unsigned k = 0; k < CHANGES && count && !fit_is_stopped(model); k++) {
        change_some(d, count, donors);
        if (!fit_is_chip(model, d->worker, d->tried) ||
            !(fit_case_cost(model, c, fit_predict(model, d->worker, c, d->tried, false)) <= limit))
            continue;
        const double cost =
            fit_distance(model, d->worker, d->tried, d->active, least, d->tried_predicted);
        if (cost >= least)
            continue;
        least = cost;
        memcpy(d->kicked_point, d->tried, axes * sizeof *d->tried);
        memcpy(d->predicted, d->tried_predicted, model->count * sizeof *d->predicted);
    }
    if (!isfinite(least)) {
        memcpy(d->predicted, d->best_predicted, model->count * sizeof *d->predicted);
        return false;
    }
    memcpy(d->point, d->kicked_point, axes * sizeof *d->point);
    d->cost = least;
    return true;
}

static void descend_kicked(struct descent *d, unsigned kicks)
{
    const double coarse = 0.4;
    const size_t axes = d->model->space->count;
    for (unsigned k = 0; k < kicks && d->cost > 0 && !fit_is_stopped(d->model); k++) {
        const double before = d->cost;
        if (!kick(d))
            continue;
        descend(d, coarse, REPAIRS);
        if (d->cost < before)
            continue;
        memcpy(d->point, d->best_point, axes * sizeof *d->point);
        memcpy(d->predicted, d->best_predicted, d->model->count * sizeof *d->predicted);
        d->cost = before;
    }
}

unsigned fit_effort_rounds(struct fit_effort effort)
{
    return effort.rounds + REPAIRS * effort.kicks;
}

/* --- all points ------------------------------------------------------------------------------- */

struct task {
    struct fit_model *model;
    const bool *active;
    const struct fit_set *pool;
    struct fit_effort effort;
    struct fit_set *set;
};

static bool open_descent(struct descent *d)
{
    const size_t axes = d->model->space->count, cases = d->model->count;
    const size_t steps = axes * PLACES;
    double *numbers = calloc(4 * axes + (4 + steps + 2 * BEAM) * cases + 1, sizeof *numbers);
    d->steps = calloc(steps + 1, sizeof *d->steps);
    d->combinations = calloc(2 * BEAM + TRIED / 2 * DEPTH, sizeof *d->combinations);
    d->longer = calloc(steps * BEAM + 1, sizeof *d->longer);
    d->seen = calloc(axes + d->pool->size + 1, sizeof *d->seen);
    d->donors = d->seen + axes;
    d->point = numbers;
    if (!numbers || !d->steps || !d->combinations || !d->longer || !d->seen)
        return false;
    d->beam = d->combinations;
    d->next = d->beam + BEAM;
    d->best = d->next + BEAM;
    d->tried = d->point + axes;
    d->best_point = d->tried + axes;
    d->kicked_point = d->best_point + axes;
    d->predicted = d->kicked_point + axes;
    d->tried_predicted = d->predicted + cases;
    d->best_predicted = d->tried_predicted + cases;
    d->total = d->best_predicted + cases;
    d->effects = d->total + cases;
    d->sums = d->effects + steps * cases;
    d->next_sums = d->sums + BEAM * cases;
    return true;
}

static void descend_work(void *context, size_t i, unsigned worker)
{
    const struct task *task = context;
    struct fit_model *model = task->model;
    struct fit_set *set = task->set;
    const size_t axes = model->space->count;
    struct descent d = {.model = model,
                        .active = task->active + i * model->count,
                        .pool = task->pool,
                        .worker = worker,
                        .effort = task->effort,
                        .dice = fit_dice((model->seed ^ UINT64_C(0x1b873593)) + model->stream, i)};
    size_t best = i % task->effort.starts;
    set->distance[i] = INFINITY;
    d.cost = INFINITY;
    for (size_t k = i % task->effort.starts; k < task->pool->size; k += task->effort.starts) {
        const double cost =
            fit_known_distance(model, d.active, task->pool->predicted + k * model->count);
        best = cost < d.cost ? k : best;
        d.cost = cost < d.cost ? cost : d.cost;
    }
    fit_copy_point(model, set, i, task->pool, best);
    set->distance[i] = d.cost;
    if (!open_descent(&d))
        model->status = -1;
    else if (isfinite(d.cost)) {
        memcpy(d.point, set->points + i * axes, axes * sizeof *d.point);
        memcpy(d.predicted, set->predicted + i * model->count, model->count * sizeof *d.predicted);
        descend(&d, 1, task->effort.rounds);
        descend_kicked(&d, task->effort.kicks);
        memcpy(set->points + i * axes, d.point, axes * sizeof *d.point);
        memcpy(set->predicted + i * model->count, d.predicted, model->count * sizeof *d.predicted);
        set->distance[i] = d.cost;
    }
    free(d.combinations);
    free(d.point);
    free(d.steps);
    free(d.longer);
    free(d.seen);
}

int fit_descend(struct fit_model *model, const bool *active, const struct fit_set *pool,
                struct fit_effort effort, struct fit_set *set)
{
    struct task task = {model, active, pool, effort, set};
    model->stream++;
    fit_tell_progress(model, 0, 0);
    workers_run(model->workers, set->size, descend_work, &task);
    return model->status ? -1 : 0;
}
