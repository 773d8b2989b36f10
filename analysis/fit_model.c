#include "analysis/fit_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- the model -------------------------------------------------------------------------------- */

/* What an excess of 1 is: the tolerance and half a thousandth, so that neither the largest total
 * nor the one with the least tolerance alone decides. */
static double scale_of(const struct fit_measurement *m)
{
    const double scale = m->tolerance + 5e-4 * fabs(m->value);
    return scale > 1 || m->kind == FIT_TIME ? scale + 1e-9 : 1;
}

int fit_model_init(struct fit_model *model, unsigned threads)
{
    const size_t axes = model->space->count;
    model->threads = threads;
    model->workers = workers_new(threads);
    model->scale = calloc(model->count + 1, sizeof *model->scale);
    model->sees = calloc(model->count * axes + 1, sizeof *model->sees);
    model->order = calloc(model->count + 1, sizeof *model->order);
    model->variants = calloc(threads, sizeof *model->variants);
    model->memo = fit_memo_new(axes);
    if (!model->memo || !model->workers || !model->scale || !model->sees || !model->order ||
        !model->variants)
        return -1;
    for (unsigned w = 0; w < threads; w++) {
        model->variants[w] = config_variant(model->space->config);
        if (!model->variants[w].params)
            return -1;
    }
    for (size_t c = 0; c < model->count; c++) {
        size_t at = c;
        for (; at > 0 && model->cases[model->order[at - 1]].events > model->cases[c].events; at--)
            model->order[at] = model->order[at - 1];
        model->order[at] = c;
        model->scale[c] = scale_of(model->cases[c].measurement);
    }
    return 0;
}

void fit_model_free(struct fit_model *model)
{
    workers_free(model->workers);
    fit_memo_free(model->memo);
    for (unsigned w = 0; model->variants && w < model->threads; w++)
        free(model->variants[w].params);
    free(model->variants);
    free(model->scale);
    free(model->sees);
    free(model->order);
}

/* The worker's variant has the point's numbers. */
static double predict(struct fit_model *model, unsigned worker, size_t c, const double *point,
                      bool alone)
{
    const struct fit_memo_key key = {c, alone, point};
    double value;
    if (fit_memo_find(model->memo, key, &value))
        return value;
    const int status = fit_case_time(&model->cases[c], &model->variants[worker], alone, &value);
    if (status < 0)
        model->status = -1;
    value = status ? NAN : value;
    if (status >= 0)
        fit_memo_keep(model->memo, key, value);
    return value;
}

double fit_predict(struct fit_model *model, unsigned worker, size_t c, const double *point,
                   bool alone)
{
    fit_space_apply(model->space, point, &model->variants[worker]);
    return predict(model, worker, c, point, alone);
}

double fit_excess(const struct fit_case *c, double predicted)
{
    const double excess =
        fabs(predicted - c->measurement->value) - c->measurement->tolerance - 1e-9;
    return excess > 0 ? excess : 0;
}

static bool valid(const struct fit_model *model, unsigned worker)
{
    char unsaid[MACHINE_ERROR];
    const struct machine *machine = model->cases[0].machine;
    return !machine->timing->valid || machine->timing->valid(&model->variants[worker], unsaid) == 0;
}

bool fit_is_chip(struct fit_model *model, unsigned worker, const double *point)
{
    fit_space_apply(model->space, point, &model->variants[worker]);
    return valid(model, worker);
}

void fit_tell_progress(struct fit_model *model, unsigned worker, size_t timed)
{
    const unsigned long long done = atomic_fetch_add(&model->done, timed) + timed;
    if (worker == 0 && model->progress && model->planned)
        model->progress((unsigned)(100 * done / model->planned));
}

double fit_case_cost(const struct fit_model *model, size_t c, double predicted)
{
    return fit_excess(&model->cases[c], predicted) / model->scale[c];
}

/* The distance of a point, or one above the limit where it is farther. */
double fit_distance(struct fit_model *model, unsigned worker, const double *point,
                    const bool *active, double limit, double *predicted)
{
    double distance = 0;
    for (size_t c = 0; c < model->count; c++)
        predicted[c] = NAN;
    fit_space_apply(model->space, point, &model->variants[worker]);
    if (!valid(model, worker))
        return INFINITY;
    for (size_t k = 0; k < model->count && distance <= limit; k++) {
        const size_t c = model->order[k];
        if (!active[c])
            continue;
        predicted[c] = predict(model, worker, c, point, false);
        if (isnan(predicted[c]))
            return INFINITY;
        const double d = fit_case_cost(model, c, predicted[c]);
        distance += d;
    }
    return distance;
}

/* The same where all predictions are known. */
double fit_known_distance(const struct fit_model *model, const bool *active,
                          const double *predicted)
{
    double distance = 0;
    for (size_t c = 0; c < model->count; c++) {
        if (!active[c])
            continue;
        if (isnan(predicted[c]))
            return INFINITY;
        const double d = fit_case_cost(model, c, predicted[c]);
        distance += d;
    }
    return distance;
}

/* --- sets ------------------------------------------------------------------------------------- */

int fit_set_init(struct fit_set *set, const struct fit_model *model, size_t size)
{
    *set = (struct fit_set){.size = size,
                            .points = calloc(size * model->space->count + 1, sizeof(double)),
                            .predicted = calloc(size * model->count + 1, sizeof(double)),
                            .distance = calloc(size + 1, sizeof(double))};
    return set->points && set->predicted && set->distance ? 0 : -1;
}

void fit_set_free(struct fit_set *set)
{
    free(set->points);
    free(set->predicted);
    free(set->distance);
    *set = (struct fit_set){.size = 0};
}

void fit_copy_point(const struct fit_model *model, struct fit_set *to, size_t i,
                    const struct fit_set *from, size_t k)
{
    const size_t axes = model->space->count;
    memcpy(to->points + i * axes, from->points + k * axes, axes * sizeof(double));
    memcpy(to->predicted + i * model->count, from->predicted + k * model->count,
           model->count * sizeof(double));
    to->distance[i] = from->distance[k];
}

bool fit_is_stopped(const struct fit_model *model)
{
    return model->status != 0 || (model->stopped && model->stopped(model->context));
}

/* Work on each point of a set. */
struct task {
    struct fit_model *model;
    struct fit_set *set;
};

/* --- the pool --------------------------------------------------------------------------------- */

/* Anywhere in the box, and at its ends more often than by chance. */
static void pool_work(void *context, size_t i, unsigned worker)
{
    const struct task *round = context;
    struct fit_model *model = round->model;
    const struct fit_space *space = model->space;
    struct fit_dice dice = fit_dice(model->seed, i);
    double *point = round->set->points + i * space->count;
    double *predicted = round->set->predicted + i * model->count;
    enum { TRIES = 100 };
    bool good = false;
    for (unsigned t = 0; !good && t < TRIES; t++) {
        for (size_t a = 0; a < space->count; a++) {
            const struct fit_axis *axis = &space->axes[a];
            const uint64_t end = fit_dice_below(&dice, 12);
            point[a] = end == 0   ? axis->low
                       : end == 1 ? axis->high
                                  : fit_axis_anywhere(axis, &dice);
        }
        good = fit_is_chip(model, worker, point);
    }
    for (size_t c = 0; c < model->count; c++)
        predicted[c] =
            good && !fit_is_stopped(model) ? predict(model, worker, c, point, false) : NAN;
}

int fit_pool(struct fit_model *model, struct fit_set *pool)
{
    struct task round = {model, pool};
    workers_run(model->workers, round.set->size, pool_work, &round);
    return model->status ? -1 : 0;
}

/* --- the rest --------------------------------------------------------------------------------- */

static void complete_work(void *context, size_t i, unsigned worker)
{
    const struct task *round = context;
    struct fit_model *model = round->model;
    double *predicted = round->set->predicted + i * model->count;
    const double *point = round->set->points + i * model->space->count;
    fit_space_apply(model->space, point, &model->variants[worker]);
    for (size_t c = 0; c < model->count; c++)
        if (isnan(predicted[c]))
            predicted[c] = predict(model, worker, c, point, false);
}

int fit_complete(struct fit_model *model, struct fit_set *set)
{
    struct task round = {model, set};
    workers_run(model->workers, round.set->size, complete_work, &round);
    return model->status ? -1 : 0;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double fit_median(double *values, size_t count)
{
    qsort(values, count, sizeof *values, by_value);
    return count ? (values[count / 2] + values[(count - 1) / 2]) / 2 : 0;
}
