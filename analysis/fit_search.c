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
    if (!model->workers || !model->scale || !model->sees || !model->order || !model->variants)
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
    fit_space_apply(model->space, point, &model->variants[worker]);
    if (!valid(model, worker))
        return INFINITY;
    for (size_t c = 0; c < model->count; c++)
        predicted[c] = NAN;
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
    uint64_t stream;
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

static void move_work(void *context, size_t i, unsigned worker)
{
    const struct round *round = context;
    struct fit_model *model = round->model;
    struct fit_set *set = round->set;
    const size_t axes = model->space->count;
    struct fit_dice dice = fit_dice(model->seed + round->stream, i);
    double *point = malloc((axes + model->count + 1) * sizeof *point);
    if (!point)
        model->status = -1;
    for (unsigned t = 0; point && t < round->tries && !is_stopped(model); t++) {
        double *predicted = point + axes;
        memcpy(point, set->points + i * axes, axes * sizeof *point);
        move(round, &dice, point);
        const double limit = set->reach > 0 ? set->reach : 0;
        const double d = distance_of(model, worker, point, round->active, limit, predicted);
        if (d > limit)
            continue;
        memcpy(set->points + i * axes, point, axes * sizeof *point);
        memcpy(set->predicted + i * model->count, predicted, model->count * sizeof *point);
        set->distance[i] = d;
    }
    free(point);
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

/* The best of the candidates, into the set; the rest of the set are copies of these. */
static int choose(struct fit_model *model, const bool *active, const struct fit_set *const from[2],
                  struct fit_set *set)
{
    struct rank {
        double distance;
        size_t from, index;
    } *ranks, one;
    const size_t total = from[0]->size + (from[1] ? from[1]->size : 0);
    size_t count = 0;
    ranks = malloc((total + 1) * sizeof *ranks);
    if (!ranks)
        return -1;
    for (size_t f = 0; f < 2 && from[f]; f++)
        for (size_t i = 0; i < from[f]->size; i++) {
            one = (struct rank){
                known_distance(model, active, from[f]->predicted + i * model->count), f, i};
            if (isfinite(one.distance))
                ranks[count++] = one;
        }
    /* Equal distances stay in their order. */
    for (size_t i = 0; i < count; i++)
        for (size_t k = i; k > 0 && ranks[k].distance < ranks[k - 1].distance; k--) {
            one = ranks[k];
            ranks[k] = ranks[k - 1];
            ranks[k - 1] = one;
        }
    for (size_t i = 0; count && i < set->size; i++) {
        copy_point(model, set, i, from[ranks[i % count].from], ranks[i % count].index);
        set->distance[i] = ranks[i % count].distance;
    }
    free(ranks);
    set->reach = INFINITY;
    return count ? 0 : 1;
}

/* Lower the reach to the median; what is farther becomes a copy of a nearer one. */
static int lower(struct fit_model *model, struct fit_set *set, uint64_t stream)
{
    double *sorted = malloc((set->size + 1) * sizeof *sorted);
    size_t *near = malloc((set->size + 1) * sizeof *near);
    if (sorted && near) {
        size_t count = 0;
        memcpy(sorted, set->distance, set->size * sizeof *sorted);
        qsort(sorted, set->size, sizeof *sorted, by_value);
        const double middle = sorted[set->size / 2];
        set->reach = middle < set->reach ? middle : set->reach;
        for (size_t i = 0; i < set->size; i++)
            if (set->distance[i] <= set->reach)
                near[count++] = i;
        struct fit_dice dice = fit_dice(model->seed ^ UINT64_C(0x5bd1e995), stream);
        for (size_t i = 0; i < set->size; i++)
            if (set->distance[i] > set->reach)
                copy_point(model, set, i, set, near[fit_dice_below(&dice, count)]);
    }
    const int status = sorted && near ? 0 : -1;
    free(sorted);
    free(near);
    return status;
}

static void copy_set(const struct fit_model *model, struct fit_set *to, const struct fit_set *from)
{
    for (size_t i = 0; i < from->size; i++)
        copy_point(model, to, i, from, i);
}

int fit_search(struct fit_model *model, const bool *active, const struct fit_set *pool,
               const struct fit_set *also, size_t moves, struct fit_set *set)
{
    enum { TRIES = 4, SETTLED = 12 };
    struct fit_set before;
    size_t *moved = calloc(model->space->count + 1, sizeof *moved);
    const struct fit_set *const from[2] = {pool, also};
    int status = fit_set_init(&before, model, set->size) | (moved ? 0 : -1);
    if (status == 0)
        status = choose(model, active, from, set);
    struct round round = {.model = model,
                          .before = &before,
                          .set = set,
                          .active = active,
                          .moved = moved,
                          .moved_count = status == 0 ? list_moved(model, active, moved) : 0,
                          .tries = TRIES};
    size_t settled = 0;
    for (size_t spent = 0; status == 0 && round.moved_count && !is_stopped(model) &&
                           settled < SETTLED && spent < moves;
         spent += set->size * TRIES) {
        status = lower(model, set, ++round.stream);
        copy_set(model, &before, set);
        if (status == 0)
            run_round(&round, move_work);
        settled += set->reach <= 0;
    }
    set->reach = 0;
    for (size_t i = 0; i < set->size; i++)
        set->reach = set->distance[i] > set->reach ? set->distance[i] : set->reach;
    fit_set_free(&before);
    free(moved);
    return status < 0 || model->status ? -1 : 0;
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

/* A move that may lead farther out. */
static void propose(const struct round *round, const struct direction *d, unsigned t,
                    struct fit_dice *dice, const double *own, double *point)
{
    const struct fit_space *space = d->space;
    const size_t from = fit_dice_below(dice, round->before->size);
    const bool other = d->axis < space->count && t % 3 == 2;
    memcpy(point, other ? round->before->points + from * space->count : own,
           space->count * sizeof *point);
    if (t % 3 || d->axis == space->count)
        move(round, dice, point);
    if (d->axis == space->count)
        return;
    const struct fit_axis *axis = &space->axes[d->axis];
    const double end = d->weights[d->axis] > 0 ? axis->high : axis->low, at = own[d->axis];
    const double share = t % 4 == 0 ? 1 : fit_dice_real(dice);
    point[d->axis] = fit_axis_round(axis, at + share * (end - at));
    if (axis->whole && point[d->axis] == at)
        point[d->axis] = fit_axis_round(axis, at + d->weights[d->axis]);
}

static void push(struct round *round, const struct direction *d, size_t part, unsigned worker,
                 struct fit_dice *dice, double *point)
{
    struct fit_model *model = round->model;
    struct fit_set *ends = round->set;
    const size_t axes = model->space->count;
    double *own = ends->points + part * axes, *predicted = point + axes;
    double merit = far_out(d, own);
    for (unsigned t = 0; t < round->tries && !is_stopped(model); t++) {
        propose(round, d, t, dice, own, point);
        const double farther = far_out(d, point);
        if (farther <= merit)
            continue;
        const double away =
            distance_of(model, worker, point, round->active, round->before->reach, predicted);
        if (away > round->before->reach)
            continue;
        merit = farther;
        memcpy(own, point, axes * sizeof *point);
        memcpy(ends->predicted + part * model->count, predicted, model->count * sizeof *point);
        ends->distance[part] = away;
    }
}

static void push_work(void *context, size_t part, unsigned worker)
{
    struct round *round = context;
    struct fit_model *model = round->model;
    const struct fit_set *set = round->before;
    const size_t axes = model->space->count;
    struct fit_dice dice = fit_dice(model->seed ^ UINT64_C(0x9747b28c), part);
    double *room = malloc((2 * axes + model->count + 1) * sizeof *room);
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
        push(round, &d, part, worker, &dice, room + axes);
    free(room);
}

int fit_push(struct fit_model *model, const bool *active, const struct fit_set *set,
             unsigned tries, struct fit_set *ends)
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
