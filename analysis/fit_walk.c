#include "analysis/fit_walk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void fit_run_round(struct fit_round *round, void (*work)(void *, size_t, unsigned))
{
    workers_run(round->model->workers, round->set->size, work, round);
}

size_t fit_list_moved(const struct fit_model *model, const bool *active, size_t *moved)
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

/* --- moves ------------------------------------------------------------------------------------ */

static double step_of(const struct fit_axis *axis, struct fit_dice *dice)
{
    const double room = axis->high - axis->low;
    const double step = room * (fit_dice_below(dice, 4) ? 0.03 : 0.2) * fit_dice_real(dice);
    return axis->whole && step < 1 ? 1 : step;
}

static void change_one(const struct fit_round *round, struct fit_dice *dice, double *point)
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
static void change_along(const struct fit_round *round, struct fit_dice *dice, double *point)
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

void fit_move(const struct fit_round *round, struct fit_dice *dice, double *point)
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

int fit_walk_init(struct fit_walk *walk, const struct fit_round *round)
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

static double guess(const struct fit_walk *walk, size_t c, const double *point)
{
    return fit_surrogate_value(&walk->round->model->surrogates[c], point, walk->room);
}

void fit_walk_from(struct fit_walk *walk, const double *point, const double *predicted)
{
    const struct fit_model *model = walk->round->model;
    memcpy(walk->at, point, model->space->count * sizeof *point);
    for (size_t c = 0; c < model->count; c++)
        walk->shift[c] = isnan(predicted[c]) ? 0 : predicted[c] - guess(walk, c, point);
}

double fit_guessed_distance(const struct fit_walk *walk, const double *point, double limit)
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

void fit_walk_near(struct fit_walk *walk, unsigned steps, struct fit_dice *dice)
{
    enum { FARTHER = 40 };
    const size_t size = walk->round->model->space->count * sizeof *walk->at;
    double distance = fit_guessed_distance(walk, walk->at, INFINITY);
    for (unsigned t = 0; t < steps; t++) {
        memcpy(walk->next, walk->at, size);
        fit_move(walk->round, dice, walk->next);
        const double limit = distance > FIT_FINE / 2 ? distance : FIT_FINE / 2;
        const double d = fit_guessed_distance(walk, walk->next, limit);
        if (d > limit)
            continue;
        distance = d;
        memcpy(walk->at, walk->next, size);
        if (d <= FIT_FINE / 2 && steps > t + FARTHER)
            steps = t + FARTHER;
    }
}
