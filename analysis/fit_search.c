#include "analysis/fit_search.h"

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
    return !machine->valid || machine->valid(&model->variants[worker], unsaid) == 0;
}

/* The distance of a point, or one above the limit where it is farther. */
static double distance_of(struct fit_model *model, unsigned worker, const double *point,
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
static double known_distance(const struct fit_model *model, const bool *active,
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

static void copy_point(const struct fit_model *model, struct fit_set *to, size_t i,
                       const struct fit_set *from, size_t k)
{
    const size_t axes = model->space->count;
    memcpy(to->points + i * axes, from->points + k * axes, axes * sizeof(double));
    memcpy(to->predicted + i * model->count, from->predicted + k * model->count,
           model->count * sizeof(double));
    to->distance[i] = from->distance[k];
}

/* A round of work, one part for each point. */
struct round {
    struct fit_model *model;
    const struct fit_set *before; /* as they were */
    struct fit_set *set;
    const bool *active;
    const size_t *moved; /* axes that a move may change */
    size_t moved_count;
    struct fit_set *tried; /* what was timed exactly, one of each point */
    unsigned tries;
};

static void run_round(struct round *round, void (*work)(void *, size_t, unsigned))
{
    workers_run(round->model->workers, round->set->size, work, round);
}

static bool is_stopped(const struct fit_model *model)
{
    return model->status != 0 || (model->stopped && model->stopped());
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* --- the pool --------------------------------------------------------------------------------- */

/* Anywhere in the box, and at its ends more often than by chance. */
static void pool_work(void *context, size_t i, unsigned worker)
{
    const struct round *round = context;
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
        predicted[c] = good && !is_stopped(model) ? predict(model, worker, c, false) : NAN;
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
    struct round round = {.model = model, .set = pool};
    run_round(&round, pool_work);
    return model->status ? -1 : take_scales(model, pool);
}

/* A distance below this is none: the search does not resolve more. */
#define FINE 0.02

/* --- moves ------------------------------------------------------------------------------------ */

static double step_of(const struct fit_axis *axis, struct fit_dice *dice)
{
    const double room = axis->high - axis->low;
    const double step = room * (fit_dice_below(dice, 4) ? 0.03 : 0.2) * fit_dice_real(dice);
    return axis->whole && step < 1 ? 1 : step;
}

static void change_one(const struct round *round, struct fit_dice *dice, double *point)
{
    const size_t a = round->moved[fit_dice_below(dice, round->moved_count)];
    const struct fit_axis *axis = &round->model->space->axes[a];
    if (axis->text || fit_dice_below(dice, 3) == 0) {
        const double room = axis->high - axis->low + (axis->whole ? 1 - 1e-9 : 0);
        const double value = axis->low + room * fit_dice_real(dice);
        point[a] = axis->whole ? fit_axis_round(axis, floor(value)) : value;
        return;
    }
    const double step = step_of(axis, dice);
    point[a] = fit_axis_round(axis, point[a] + (fit_dice_below(dice, 2) ? step : -step));
}

/* Along the difference of two other points, in some of the axes. */
static void change_along(const struct round *round, struct fit_dice *dice, double *point)
{
    const struct fit_space *space = round->model->space;
    const struct fit_set *set = round->before;
    const double *a = set->points + fit_dice_below(dice, set->size) * space->count;
    const double *b = set->points + fit_dice_below(dice, set->size) * space->count;
    static const double shares[] = {0.1, 0.25, 0.5, 1.1};
    const double share = shares[fit_dice_below(dice, 4)];
    const double factor = fit_dice_below(dice, 3) ? 1 : 0.2 + 0.9 * fit_dice_real(dice);
    for (size_t k = 0; k < round->moved_count; k++) {
        const size_t i = round->moved[k];
        const struct fit_axis *axis = &space->axes[i];
        if (fit_dice_real(dice) >= share || a[i] == b[i])
            continue;
        point[i] = axis->text ? a[i] : fit_axis_round(axis, point[i] + factor * (a[i] - b[i]));
    }
}

static void move(const struct round *round, struct fit_dice *dice, double *point)
{
    const uint64_t kind = fit_dice_below(dice, 20);
    if (kind < 10) {
        change_along(round, dice, point);
    } else {
        change_one(round, dice, point);
        for (uint64_t more = kind; more < 14; more += 2)
            change_one(round, dice, point);
    }
}

/* --- walks along surrogates ------------------------------------------------------------------- */

struct walk {
    const struct round *round;
    double *at, *next, *shift, *room; /* shift: by case, what corrects the surrogate */
};

static int walk_init(struct walk *walk, const struct round *round)
{
    const size_t axes = round->model->space->count, most = 1024;
    walk->round = round;
    walk->at = calloc(2 * axes + round->model->count + most, sizeof *walk->at);
    walk->next = walk->at + axes;
    walk->shift = walk->next + axes;
    walk->room = walk->shift + round->model->count;
    if (!walk->at)
        round->model->status = -1;
    return walk->at ? 0 : -1;
}

static double guess(const struct walk *walk, size_t c, const double *point)
{
    return fit_surrogate_value(&walk->round->model->surrogates[c], point, walk->room);
}

/* Begin at a point whose predictions are known. */
static void walk_from(struct walk *walk, const double *point, const double *predicted)
{
    const struct fit_model *model = walk->round->model;
    memcpy(walk->at, point, model->space->count * sizeof *point);
    for (size_t c = 0; c < model->count; c++)
        walk->shift[c] = isnan(predicted[c]) ? 0 : predicted[c] - guess(walk, c, point);
}

static double guessed_distance(const struct walk *walk, const double *point, double limit)
{
    const struct fit_model *model = walk->round->model;
    double distance = 0;
    for (size_t c = 0; c < model->count && distance <= limit; c++) {
        if (!walk->round->active[c])
            continue;
        const double value = guess(walk, c, point) + walk->shift[c];
        const double d = fit_excess(&model->cases[c], value) / model->scale[c];
        distance = d > distance ? d : distance;
    }
    return distance;
}

/* Nearer until the surrogates explain all, then a little farther: they hold near where it began. */
static void walk_near(struct walk *walk, unsigned steps, struct fit_dice *dice)
{
    enum { FARTHER = 40 };
    const size_t size = walk->round->model->space->count * sizeof *walk->at;
    double distance = guessed_distance(walk, walk->at, INFINITY);
    for (unsigned t = 0; t < steps; t++) {
        memcpy(walk->next, walk->at, size);
        move(walk->round, dice, walk->next);
        const double limit = distance > FINE / 2 ? distance : FINE / 2;
        const double d = guessed_distance(walk, walk->next, limit);
        if (d > limit)
            continue;
        distance = d;
        memcpy(walk->at, walk->next, size);
        if (d <= FINE / 2 && steps > t + FARTHER)
            steps = t + FARTHER;
    }
}

static void move_work(void *context, size_t i, unsigned worker)
{
    enum { STEPS = 1500 };
    const struct round *round = context;
    struct fit_model *model = round->model;
    struct fit_set *set = round->set;
    const size_t axes = model->space->count;
    struct fit_dice dice = fit_dice(model->seed + model->stream, i);
    double *point = set->points + i * axes, *known = set->predicted + i * model->count;
    double *tried = round->tried->points + i * axes;
    double *predicted = round->tried->predicted + i * model->count;
    struct walk walk;
    round->tried->distance[i] = INFINITY;
    if (is_stopped(model) || walk_init(&walk, round) != 0)
        return;
    walk_from(&walk, point, known);
    walk_near(&walk, STEPS, &dice);
    memcpy(tried, walk.at, axes * sizeof *tried);
    const double limit = set->distance[i] > set->reach ? set->distance[i] : set->reach;
    const double d = distance_of(model, worker, tried, round->active, limit, predicted);
    round->tried->distance[i] = d;
    if (d <= limit) {
        memcpy(point, tried, axes * sizeof *point);
        for (size_t c = 0; c < model->count; c++)
            known[c] = predicted[c];
        set->distance[i] = d;
    }
    free(walk.at);
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

static int learn(struct fit_model *model, const struct fit_set *set)
{
    struct lesson lesson = {model, set};
    workers_run(model->workers, model->count, learn_work, &lesson);
    return model->status;
}

/* What the surrogate, made of the first part of the pool, misses by in the rest: where it is good,
 * little is asked of the search to come near. Never more than the spread. */
static void take_miss(void *context, size_t c, unsigned worker)
{
    enum { FINEST = 4 }; /* cycles */
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
    const double miss = count > 0 && sum / count > FINEST ? sum / count : FINEST;
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
    int status = learn(model, &first);
    if (status == 0)
        workers_run(model->workers, model->count, take_miss, &lesson);
    return status ? status : learn(model, &rest);
}

/* --- the search ------------------------------------------------------------------------------- */

static size_t list_moved(const struct fit_model *model, const bool *active, size_t *moved)
{
    size_t count = 0;
    for (size_t a = 0; a < model->space->count; a++) {
        bool seen = false;
        for (size_t c = 0; c < model->count; c++)
            seen |= active[c] && model->sees[c * model->space->count + a];
        if (seen)
            moved[count++] = a;
    }
    return count;
}

struct rank {
    double distance;
    const struct fit_set *from;
    size_t index;
    bool taken;
};

static int by_distance(const void *a, const void *b)
{
    const struct rank *x = a, *y = b;
    if (x->distance != y->distance)
        return x->distance < y->distance ? -1 : 1;
    return x->from != y->from ? (x->from > y->from) - (x->from < y->from)
                              : (x->index > y->index) - (x->index < y->index);
}

/* Each value of an axis that has few of them keeps its nearest points: what is far now may be what
 * explains all in the end. */
static size_t take_values(const struct fit_space *space, struct rank *ranks, size_t count,
                          size_t room)
{
    enum { FEW = 8, EACH = 2 };
    size_t taken = 0;
    for (size_t a = 0; a < space->count; a++) {
        const struct fit_axis *axis = &space->axes[a];
        if (!axis->whole || axis->high - axis->low > FEW)
            continue;
        for (double value = axis->low; value <= axis->high; value++)
            for (size_t i = 0, have = 0; i < count && have < EACH && taken < room; i++) {
                if (ranks[i].from->points[ranks[i].index * space->count + a] != value)
                    continue;
                have++;
                taken += !ranks[i].taken;
                ranks[i].taken = true;
            }
    }
    return taken;
}

/* The best of the candidates, into the set. */
static int choose(struct fit_model *model, const bool *active, const struct fit_set *const from[2],
                  struct fit_set *set)
{
    const size_t total = from[0]->size + (from[1] ? from[1]->size : 0);
    struct rank *ranks = calloc(total + 1, sizeof *ranks);
    size_t count = 0;
    if (!ranks)
        return -1;
    for (size_t f = 0; f < 2 && from[f]; f++)
        for (size_t i = 0; i < from[f]->size; i++) {
            const double d = known_distance(model, active, from[f]->predicted + i * model->count);
            if (isfinite(d))
                ranks[count++] = (struct rank){d, from[f], i, false};
        }
    qsort(ranks, count, sizeof *ranks, by_distance);
    size_t taken = take_values(model->space, ranks, count, set->size / 2);
    for (size_t i = 0; i < count && taken < set->size; i++) {
        taken += !ranks[i].taken;
        ranks[i].taken = true;
    }
    size_t filled = 0;
    while (count && filled < set->size)
        for (size_t i = 0; i < count && filled < set->size; i++)
            if (ranks[i].taken) {
                copy_point(model, set, filled, ranks[i].from, ranks[i].index);
                set->distance[filled++] = ranks[i].distance;
            }
    free(ranks);
    set->reach = INFINITY;
    return count ? 0 : 1;
}

/* The distance that a share of the set is within. */
static int lower(struct fit_set *set, double share)
{
    double *sorted = malloc((set->size + 1) * sizeof *sorted);
    if (!sorted)
        return -1;
    memcpy(sorted, set->distance, set->size * sizeof *sorted);
    qsort(sorted, set->size, sizeof *sorted, by_value);
    const double within = sorted[(size_t)((double)(set->size - 1) * share)];
    set->reach = within < set->reach ? within : set->reach;
    free(sorted);
    return 0;
}

/* What is farther becomes a copy of what is within reach. */
static int replace_far(struct fit_model *model, struct fit_set *set)
{
    size_t *near = malloc((set->size + 1) * sizeof *near), count = 0;
    if (!near)
        return -1;
    for (size_t i = 0; i < set->size; i++)
        if (set->distance[i] <= set->reach)
            near[count++] = i;
    for (size_t i = 0, k = 0; count && i < set->size; i++)
        if (set->distance[i] > set->reach)
            copy_point(model, set, i, set, near[k++ % count]);
    free(near);
    return 0;
}

static void copy_set(const struct fit_model *model, struct fit_set *to, const struct fit_set *from)
{
    for (size_t i = 0; i < from->size; i++)
        copy_point(model, to, i, from, i);
}

static int run_moves(struct round *round, struct fit_set *before, unsigned rounds)
{
    struct fit_model *model = round->model;
    int status = 0;
    for (unsigned k = 0; status == 0 && k < rounds && !is_stopped(model); k++) {
        status = lower(round->set, 0.5);
        if (round->set->reach < FINE)
            round->set->reach = FINE;
        copy_set(model, before, round->set);
        model->stream++;
        if (status == 0)
            run_round(round, move_work);
        if (status == 0 && !is_stopped(model))
            status = learn(model, round->tried);
    }
    return status;
}

/* What is farther than a share of the set becomes a copy of what is nearer. */
static int cut_off(struct fit_model *model, struct fit_set *set, double share)
{
    set->reach = INFINITY;
    int status = lower(set, share);
    set->reach = set->reach < FINE ? FINE : set->reach;
    if (status == 0)
        status = replace_far(model, set);
    return status;
}

int fit_search(struct fit_model *model, const bool *active, const struct fit_set *pool,
               const struct fit_set *also, unsigned rounds, struct fit_set *set)
{
    const unsigned again = rounds / 8 + 1;
    struct fit_set before, tried;
    size_t *moved = calloc(model->space->count + 1, sizeof *moved);
    const struct fit_set *const from[2] = {pool, also};
    int status = fit_set_init(&before, model, set->size) | fit_set_init(&tried, model, set->size) |
                 (moved ? 0 : -1);
    if (status == 0)
        status = choose(model, active, from, set);
    struct round round = {.model = model,
                          .before = &before,
                          .set = set,
                          .tried = &tried,
                          .active = active,
                          .moved = moved,
                          .moved_count = status == 0 ? list_moved(model, active, moved) : 0};
    if (round.moved_count == 0)
        rounds = 0;
    /* First every point by itself; then, time after time, the farther half begins again where the
     * nearer half is. */
    unsigned done = rounds - rounds / 2;
    if (status == 0)
        status = run_moves(&round, &before, done);
    for (; status == 0 && done < rounds && !is_stopped(model); done += again) {
        status = cut_off(model, set, 0.5);
        if (status == 0)
            status = run_moves(&round, &before, again);
    }
    if (status == 0)
        status = cut_off(model, set, 0.6);
    fit_set_free(&before);
    fit_set_free(&tried);
    free(moved);
    return status < 0 || model->status ? -1 : status;
}

/* --- points far out --------------------------------------------------------------------------- */

/* How far a point is out in the direction of a part. */
struct direction {
    const struct fit_space *space;
    size_t axis; /* of an end; else space->count */
    double *weights;
};

static double far_out(const struct direction *d, const double *point)
{
    double sum = 0;
    for (size_t a = 0; a < d->space->count; a++) {
        const struct fit_axis *axis = &d->space->axes[a];
        sum += d->weights[a] * (point[a] - axis->low) / (axis->high - axis->low);
    }
    return sum;
}

static void take_direction(struct direction *d, size_t part, struct fit_dice *dice)
{
    const size_t axes = d->space->count, across = part < 2 * axes ? 0 : part - 2 * axes;
    d->axis = part < 2 * axes ? part / 2 : axes;
    for (size_t a = 0; a < axes; a++) {
        const double slow = d->space->axes[a].high_is_optimistic ? -1 : 1;
        d->weights[a] = across < 2 ? (across ? slow : -slow) : 2 * fit_dice_real(dice) - 1;
        if (d->axis < axes)
            d->weights[a] = a != d->axis ? 0 : part % 2 ? 1 : -1;
    }
}

/* A walk outwards, where the surrogates explain all. */
static void walk_out(struct walk *walk, const struct direction *d, double within, unsigned steps,
                     struct fit_dice *dice)
{
    const struct fit_space *space = d->space;
    double merit = far_out(d, walk->at);
    for (unsigned t = 0; t < steps; t++) {
        memcpy(walk->next, walk->at, space->count * sizeof *walk->at);
        move(walk->round, dice, walk->next);
        if (d->axis < space->count && t % 2) {
            const struct fit_axis *axis = &space->axes[d->axis];
            const double step = axis->text ? 1 : (axis->high - axis->low) * fit_dice_real(dice) / 4;
            walk->next[d->axis] =
                fit_axis_round(axis, walk->at[d->axis] + d->weights[d->axis] *
                                                             (step < 1 && axis->whole ? 1 : step));
        }
        const double farther = far_out(d, walk->next);
        if (farther < merit || guessed_distance(walk, walk->next, within) > within)
            continue;
        merit = farther;
        memcpy(walk->at, walk->next, space->count * sizeof *walk->at);
    }
}

/* The walks are shorter where one before led to what is no explanation. */
static void push(struct round *round, const struct direction *d, size_t part, unsigned worker,
                 struct fit_dice *dice)
{
    enum { STEPS = 2000 };
    struct fit_model *model = round->model;
    struct fit_set *ends = round->set;
    const struct fit_set *set = round->before;
    const size_t axes = model->space->count;
    double *own = ends->points + part * axes, *known = ends->predicted + part * model->count;
    double *predicted = malloc((model->count + 1) * sizeof *predicted);
    unsigned steps = STEPS;
    struct walk walk;
    if (!predicted || walk_init(&walk, round) != 0) {
        model->status = -1;
        free(predicted);
        return;
    }
    for (unsigned t = 0; t < round->tries && !is_stopped(model); t++) {
        const size_t from = fit_dice_below(dice, set->size);
        if (t % 3 == 2)
            walk_from(&walk, set->points + from * axes, set->predicted + from * model->count);
        else
            walk_from(&walk, own, known);
        walk_out(&walk, d, set->reach / 2, t % 3 == 2 ? STEPS : steps, dice);
        if (far_out(d, walk.at) <= far_out(d, own))
            continue;
        const double away =
            distance_of(model, worker, walk.at, round->active, set->reach, predicted);
        steps = away > set->reach ? steps / 4 + 20 : STEPS;
        if (away > set->reach)
            continue;
        memcpy(own, walk.at, axes * sizeof *own);
        memcpy(known, predicted, model->count * sizeof *known);
        ends->distance[part] = away;
    }
    free(walk.at);
    free(predicted);
}

static void push_work(void *context, size_t part, unsigned worker)
{
    struct round *round = context;
    struct fit_model *model = round->model;
    const struct fit_set *set = round->before;
    const size_t axes = model->space->count;
    struct fit_dice dice = fit_dice(model->seed ^ UINT64_C(0x9747b28c), part);
    double *room = malloc((axes + 1) * sizeof *room);
    if (!room) {
        model->status = -1;
        return;
    }
    struct direction d = {.space = model->space, .weights = room};
    take_direction(&d, part, &dice);
    size_t best = 0;
    for (size_t i = 1; i < set->size; i++)
        if (far_out(&d, set->points + i * axes) > far_out(&d, set->points + best * axes))
            best = i;
    copy_point(model, round->set, part, set, best);
    bool seen = d.axis == axes;
    for (size_t k = 0; k < round->moved_count; k++)
        seen |= round->moved[k] == d.axis;
    if (seen && round->moved_count)
        push(round, &d, part, worker, &dice);
    free(room);
}

int fit_push(struct fit_model *model, const bool *active, const struct fit_set *set, unsigned tries,
             struct fit_set *ends)
{
    size_t *moved = calloc(model->space->count + 1, sizeof *moved);
    struct round round = {.model = model,
                          .before = set,
                          .set = ends,
                          .active = active,
                          .moved = moved,
                          .moved_count = moved ? list_moved(model, active, moved) : 0,
                          .tries = tries};
    ends->reach = set->reach;
    if (moved)
        run_round(&round, push_work);
    free(moved);
    return moved && model->status == 0 ? 0 : -1;
}

/* --- the rest --------------------------------------------------------------------------------- */

static void complete_work(void *context, size_t i, unsigned worker)
{
    const struct round *round = context;
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
    struct round round = {.model = model, .set = set};
    run_round(&round, complete_work);
    return model->status ? -1 : 0;
}
