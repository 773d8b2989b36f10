#include "analysis/fit_search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A round of work, one part for each point. */
struct round {
    struct fit_model *model;
    const struct fit_goal *goal;
    struct fit_set *set;
    const size_t *moved; /* axes that a child may change */
    size_t moved_count;
};

/* --- children --------------------------------------------------------------------------------- */

/* Each of a few values is a choice. */
static bool is_choice(const struct fit_axis *axis)
{
    enum { FEW = 8 };
    return axis->values || (axis->whole && axis->high - axis->low <= FEW);
}

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
    if (axis->text || axis->values || fit_dice_below(dice, 3) == 0) {
        point[a] = fit_axis_anywhere(axis, dice);
        return;
    }
    const double step = step_of(axis, dice);
    point[a] = fit_axis_round(axis, point[a] + (fit_dice_below(dice, 2) ? step : -step));
}

/* The cheapest of a few. */
static size_t good_donor(const struct fit_set *donors, struct fit_dice *dice)
{
    enum { OF = 4 };
    size_t best = fit_dice_below(dice, donors->size);
    for (unsigned k = 1; k < OF; k++) {
        const size_t other = fit_dice_below(dice, donors->size);
        best = donors->distance[other] < donors->distance[best] ? other : best;
    }
    return best;
}

/* In some axes: on by the difference of two points, and often towards a good one. */
static void change_along(const struct round *round, struct fit_dice *dice, double *point)
{
    const size_t axes = round->model->space->count;
    const struct fit_set *donors = round->goal->donors;
    static const double shares[] = {0.05, 0.15, 0.4, 0.9};
    const double *good = donors->points + good_donor(donors, dice) * axes;
    const double *x = donors->points + fit_dice_below(dice, donors->size) * axes;
    const double *y = donors->points + fit_dice_below(dice, donors->size) * axes;
    const double share = shares[fit_dice_below(dice, 4)];
    const double factor = fit_dice_below(dice, 4) ? 0.2 + 0.8 * fit_dice_real(dice) : 1;
    const bool towards = fit_dice_below(dice, 2);
    const size_t sure = fit_dice_below(dice, round->moved_count);
    for (size_t k = 0; k < round->moved_count; k++) {
        const size_t a = round->moved[k];
        const struct fit_axis *axis = &round->model->space->axes[a];
        if (k != sure && fit_dice_real(dice) >= share)
            continue;
        const double step = x[a] - y[a] + (towards ? good[a] - point[a] : 0);
        if (is_choice(axis))
            point[a] = towards ? good[a] : x[a];
        else
            point[a] = fit_axis_round(axis, point[a] + factor * step +
                                                (axis->whole ? fit_dice_real(dice) - 0.5 : 0));
    }
}

static void make_child(const struct round *round, struct fit_dice *dice, double *point)
{
    const uint64_t kind = fit_dice_below(dice, 12);
    if (kind < 8) {
        change_along(round, dice, point);
        return;
    }
    change_one(round, dice, point);
    for (uint64_t more = kind; more < 10; more++)
        change_one(round, dice, point);
}

/* --- selection -------------------------------------------------------------------------------- */

static double merit(const struct round *round, size_t i, const double *point,
                    const double *predicted)
{
    const struct fit_goal *goal = round->goal;
    const struct fit_space *space = round->model->space;
    if (goal->reach)
        return i % 2 ? -predicted[goal->reach[i]] : predicted[goal->reach[i]];
    double sum = 0;
    for (size_t a = 0; goal->directions && a < space->count; a++)
        sum += goal->directions[i * space->count + a] * (point[a] - space->axes[a].low) /
               (space->axes[a].high - space->axes[a].low);
    return sum;
}

static bool takes_place(const struct round *round, size_t i, const double *point, double distance,
                        const double *predicted)
{
    const struct fit_set *set = round->set;
    const double *own = set->points + i * round->model->space->count;
    const double *known = set->predicted + i * round->model->count;
    if (distance > set->reach || set->distance[i] > set->reach)
        return distance <= set->distance[i];
    return merit(round, i, point, predicted) >= merit(round, i, own, known);
}

static void move_work(void *context, size_t i, unsigned worker)
{
    const struct round *round = context;
    struct fit_model *model = round->model;
    struct fit_set *set = round->set;
    const size_t axes = model->space->count;
    const size_t *reach = round->goal->reach;
    struct fit_dice dice = fit_dice(model->seed + model->stream, i);
    double *own = set->points + i * axes;
    double *child = malloc((axes + model->count) * sizeof *child), *predicted = child + axes;
    if (!child)
        model->status = -1;
    if (!child || fit_is_stopped(model)) {
        free(child);
        return;
    }
    memcpy(child, own, axes * sizeof *child);
    make_child(round, &dice, child);
    const size_t held = round->goal->held ? round->goal->held[i] : axes;
    if (held < axes)
        child[held] = own[held];
    const double limit = set->distance[i] > set->reach ? set->distance[i] : set->reach;
    const double distance =
        fit_distance(model, worker, child, round->goal->active, limit, predicted);
    if (distance <= limit && reach)
        predicted[reach[i]] = fit_predict(model, worker, reach[i], child, false);
    if (distance <= limit && takes_place(round, i, child, distance, predicted)) {
        memcpy(own, child, axes * sizeof *own);
        memcpy(set->predicted + i * model->count, predicted, model->count * sizeof *predicted);
        set->distance[i] = distance;
    }
    free(child);
}

/* --- sets ------------------------------------------------------------------------------------- */

double fit_level(const struct fit_set *set, double share)
{
    const size_t wanted = (size_t)((double)(set->size - 1) * share);
    for (size_t i = 0; i < set->size; i++) {
        size_t below = 0, same = 0;
        for (size_t k = 0; k < set->size; k++) {
            below += set->distance[k] < set->distance[i];
            same += set->distance[k] == set->distance[i];
        }
        if (below <= wanted && wanted < below + same)
            return set->distance[i];
    }
    return INFINITY;
}

void fit_replace_far(const struct fit_model *model, struct fit_set *set)
{
    size_t from = 0;
    for (size_t i = 0; i < set->size; i++) {
        if (set->distance[i] <= set->reach)
            continue;
        for (size_t k = 0; k < set->size; k++, from++)
            if (set->distance[from % set->size] <= set->reach)
                break;
        if (set->distance[from % set->size] <= set->reach)
            fit_copy_point(model, set, i, set, from++ % set->size);
    }
}

static bool is_reached(const struct fit_goal *goal, size_t c, size_t points)
{
    for (size_t i = 0; goal->reach && i < points; i++)
        if (goal->reach[i] == c)
            return true;
    return false;
}

static size_t list_moved(const struct round *round, size_t *moved)
{
    const struct fit_model *model = round->model;
    size_t count = 0;
    for (size_t a = 0; a < model->space->count; a++) {
        bool seen = false;
        for (size_t c = 0; c < model->count && !seen; c++)
            seen = model->sees[c * model->space->count + a] &&
                   (round->goal->active[c] || is_reached(round->goal, c, round->set->size));
        if (seen)
            moved[count++] = a;
    }
    return count;
}

int fit_search(struct fit_model *model, const struct fit_goal *goal, unsigned rounds,
               struct fit_set *set)
{
    size_t *moved = calloc(model->space->count + 1, sizeof *moved);
    struct round round = {.model = model, .goal = goal, .set = set, .moved = moved};
    round.moved_count = moved ? list_moved(&round, moved) : 0;
    for (unsigned k = 0; k < rounds && round.moved_count && !fit_is_stopped(model); k++) {
        model->stream++;
        workers_run(model->workers, set->size, move_work, &round);
        fit_tell_progress(model, 0, set->size);
    }
    const int status = moved ? 0 : -1;
    free(moved);
    return status || model->status ? -1 : 0;
}
