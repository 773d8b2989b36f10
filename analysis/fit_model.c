#include "analysis/fit_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- the model -------------------------------------------------------------------------------- */

int fit_model_init(struct fit_model *model, unsigned threads)
{
    const size_t axes = model->space->count;
    model->threads = threads;
    model->workers = workers_new(threads);
    model->scale = calloc(model->count + 1, sizeof *model->scale);
    model->sees = calloc(model->count * axes + 1, sizeof *model->sees);
    model->order = calloc(model->count + 1, sizeof *model->order);
    model->variants = calloc(threads, sizeof *model->variants);
    model->surrogates = calloc(model->count + 1, sizeof *model->surrogates);
    if (!model->workers || !model->scale || !model->sees || !model->order || !model->variants ||
        !model->surrogates)
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
        model->scale[c] = 1;
    }
    return 0;
}

void fit_model_free(struct fit_model *model)
{
    workers_free(model->workers);
    for (unsigned w = 0; model->variants && w < model->threads; w++)
        free(model->variants[w].params);
    for (size_t c = 0; model->surrogates && c < model->count; c++)
        fit_surrogate_free(&model->surrogates[c]);
    free(model->surrogates);
    free(model->variants);
    free(model->scale);
    free(model->sees);
    free(model->order);
}

static double predict(struct fit_model *model, unsigned worker, size_t c, bool alone)
{
    double value;
    const int status = fit_case_time(&model->cases[c], &model->variants[worker], alone, &value);
    if (status < 0)
        model->status = -1;
    return status ? NAN : value;
}

double fit_predict(struct fit_model *model, unsigned worker, size_t c, const double *point,
                   bool alone)
{
    fit_space_apply(model->space, point, &model->variants[worker]);
    return predict(model, worker, c, alone);
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
        predicted[c] = predict(model, worker, c, false);
        if (isnan(predicted[c]))
            return INFINITY;
        const double d = fit_excess(&model->cases[c], predicted[c]) / model->scale[c];
        distance = d > distance ? d : distance;
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
        const double d = fit_excess(&model->cases[c], predicted[c]) / model->scale[c];
        distance = d > distance ? d : distance;
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
    return model->status != 0 || (model->stopped && model->stopped());
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
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
            const double share = end < 2 ? (double)end : fit_dice_real(&dice);
            const double room = axis->high - axis->low + (axis->whole ? 1 - 1e-9 : 0);
            const double value = axis->low + share * room;
            point[a] = axis->whole ? fit_axis_round(axis, floor(value)) : value;
        }
        fit_space_apply(space, point, &model->variants[worker]);
        good = valid(model, worker);
    }
    for (size_t c = 0; c < model->count; c++)
        predicted[c] = good && !fit_is_stopped(model) ? predict(model, worker, c, false) : NAN;
}

/* Of each case, the spread of the middle four fifths. */
static int take_scales(struct fit_model *model, const struct fit_set *pool)
{
    double *values = malloc((pool->size + 1) * sizeof *values);
    if (!values)
        return -1;
    for (size_t c = 0; c < model->count; c++) {
        size_t count = 0;
        for (size_t i = 0; i < pool->size; i++)
            if (!isnan(pool->predicted[i * model->count + c]))
                values[count++] = pool->predicted[i * model->count + c];
        if (count == 0)
            continue;
        qsort(values, count, sizeof *values, by_value);
        const double middle = values[count - 1 - count / 10] - values[count / 10];
        const double whole = values[count - 1] - values[0];
        model->scale[c] = middle > 1 ? middle : whole > 1 ? whole : 1;
    }
    free(values);
    return 0;
}

int fit_pool(struct fit_model *model, struct fit_set *pool)
{
    struct task round = {model, pool};
    workers_run(model->workers, round.set->size, pool_work, &round);
    return model->status ? -1 : take_scales(model, pool);
}

/* --- learning --------------------------------------------------------------------------------- */

/* What is near counts more. */
static double weight_of(double distance)
{
    return 1 / (0.05 + (distance < 20 ? distance : 20));
}

struct lesson {
    struct fit_model *model;
    const struct fit_set *set;
};

static void learn_work(void *context, size_t c, unsigned worker)
{
    (void)worker;
    const struct lesson *lesson = context;
    struct fit_surrogate *s = &lesson->model->surrogates[c];
    const struct fit_set *set = lesson->set;
    double *room = malloc((s->terms + s->count + 1) * sizeof *room);
    for (size_t i = 0; room && i < set->size; i++) {
        const double value = set->predicted[i * lesson->model->count + c];
        if (!isnan(value))
            fit_surrogate_add(s, set->points + i * lesson->model->space->count, value,
                              weight_of(set->distance[i]), room);
    }
    if (!room || fit_surrogate_solve(s) != 0)
        lesson->model->status = -1;
    free(room);
}

int fit_learn_from(struct fit_model *model, const struct fit_set *set)
{
    struct lesson lesson = {model, set};
    workers_run(model->workers, model->count, learn_work, &lesson);
    return model->status;
}

/* What the surrogate, made of the first part of the pool, misses by in the rest: where it is good,
 * little is asked of the search to come near. Never more than the spread. */
static void take_miss(void *context, size_t c, unsigned worker)
{
    enum { FIT_FINEST = 4 }; /* cycles */
    (void)worker;
    const struct lesson *lesson = context;
    struct fit_model *model = lesson->model;
    const struct fit_surrogate *s = &model->surrogates[c];
    const size_t axes = model->space->count, from = lesson->set->size * 3 / 4;
    double *room = malloc((s->count + 1) * sizeof *room);
    double sum = 0, count = 0;
    for (size_t i = from; room && i < lesson->set->size; i++) {
        const double value = lesson->set->predicted[i * model->count + c];
        if (isnan(value))
            continue;
        sum += fabs(fit_surrogate_value(s, lesson->set->points + i * axes, room) - value);
        count++;
    }
    free(room);
    const double miss = count > 0 && sum / count > FIT_FINEST ? sum / count : FIT_FINEST;
    if (miss < model->scale[c])
        model->scale[c] = miss;
}

int fit_learn(struct fit_model *model, const struct fit_set *pool)
{
    struct fit_set first = *pool, rest = *pool;
    first.size = pool->size * 3 / 4;
    rest.size = pool->size - first.size;
    rest.points += first.size * model->space->count;
    rest.predicted += first.size * model->count;
    rest.distance += first.size;
    for (size_t c = 0; c < model->count; c++)
        if (fit_surrogate_init(&model->surrogates[c], model->space,
                               model->sees + c * model->space->count) != 0)
            return -1;
    struct lesson lesson = {model, pool};
    int status = fit_learn_from(model, &first);
    if (status == 0)
        workers_run(model->workers, model->count, take_miss, &lesson);
    return status ? status : fit_learn_from(model, &rest);
}

/* --- the rest --------------------------------------------------------------------------------- */

static void complete_work(void *context, size_t i, unsigned worker)
{
    const struct task *round = context;
    struct fit_model *model = round->model;
    double *predicted = round->set->predicted + i * model->count;
    fit_space_apply(model->space, round->set->points + i * model->space->count,
                    &model->variants[worker]);
    for (size_t c = 0; c < model->count; c++)
        if (isnan(predicted[c]))
            predicted[c] = predict(model, worker, c, false);
}

int fit_complete(struct fit_model *model, struct fit_set *set)
{
    struct task round = {model, set};
    workers_run(model->workers, round.set->size, complete_work, &round);
    return model->status ? -1 : 0;
}
