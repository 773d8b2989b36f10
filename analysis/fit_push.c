/* fit_push: points far out (fit_search.h). */
#include <stdlib.h>
#include <string.h>

#include "analysis/fit_search.h"
#include "analysis/fit_walk.h"

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
static void walk_out(struct fit_walk *walk, const struct direction *d, double within,
                     unsigned steps, struct fit_dice *dice)
{
    const struct fit_space *space = d->space;
    double merit = far_out(d, walk->at);
    for (unsigned t = 0; t < steps; t++) {
        memcpy(walk->next, walk->at, space->count * sizeof *walk->at);
        fit_move(walk->round, dice, walk->next);
        if (d->axis < space->count && t % 2) {
            const struct fit_axis *axis = &space->axes[d->axis];
            const double step = axis->text ? 1 : (axis->high - axis->low) * fit_dice_real(dice) / 4;
            walk->next[d->axis] =
                fit_axis_round(axis, walk->at[d->axis] + d->weights[d->axis] *
                                                             (step < 1 && axis->whole ? 1 : step));
        }
        const double farther = far_out(d, walk->next);
        if (farther < merit || fit_guessed_distance(walk, walk->next, within) > within)
            continue;
        merit = farther;
        memcpy(walk->at, walk->next, space->count * sizeof *walk->at);
    }
}

/* The walks are shorter where one before led to what is no explanation. */
static void push(struct fit_round *round, const struct direction *d, size_t part, unsigned worker,
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
    struct fit_walk walk;
    if (!predicted || fit_walk_init(&walk, round) != 0) {
        model->status = -1;
        free(predicted);
        return;
    }
    for (unsigned t = 0; t < round->tries && !fit_is_stopped(model); t++) {
        const size_t from = fit_dice_below(dice, set->size);
        if (t % 3 == 2)
            fit_walk_from(&walk, set->points + from * axes, set->predicted + from * model->count);
        else
            fit_walk_from(&walk, own, known);
        walk_out(&walk, d, set->reach / 2, t % 3 == 2 ? STEPS : steps, dice);
        if (far_out(d, walk.at) <= far_out(d, own))
            continue;
        const double away =
            fit_distance(model, worker, walk.at, round->active, set->reach, predicted);
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
    struct fit_round *round = context;
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
    fit_copy_point(model, round->set, part, set, best);
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
    struct fit_round round = {.model = model,
                              .before = set,
                              .set = ends,
                              .active = active,
                              .moved = moved,
                              .moved_count = moved ? fit_list_moved(model, active, moved) : 0,
                              .tries = tries};
    ends->reach = set->reach;
    if (moved)
        fit_run_round(&round, push_work);
    free(moved);
    return moved && model->status == 0 ? 0 : -1;
}
