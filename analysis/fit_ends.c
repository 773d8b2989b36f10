#include "analysis/fit_ends.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/fit_descend.h"
#include "analysis/fit_others.h"

/* Sizes at an effort of 100. */
enum {
    ENDS_ROUNDS = 36,
    ACROSS = 24, /* directions across axes */
    HELD = 2,    /* points of each choice of a text: one towards all that is fast, one all slow */
    ROUNDS = 4,  /* of descents that hold a choice */
    KICKS = 2
};

/* Outwards at the reach of the set, which lets points cross between settings that explain all; then
 * at fit.reach, to which those that cost more come down, or are not kept. */
static int push(struct fit *fit, const struct fit_goal *goal, struct fit_set *ends)
{
    const unsigned rounds = (unsigned)fit_scaled(fit, ENDS_ROUNDS);
    const bool twice = fit->reach < ends->reach;
    int status = fit_search(&fit->model, goal, twice ? rounds - rounds / 3 : rounds, ends);
    ends->reach = fit->reach;
    return status == 0 && twice ? fit_search(&fit->model, goal, rounds - rounds / 3, ends) : status;
}

/* --- all directions --------------------------------------------------------------------------- */

/* The way that each of the points far out is to go: down and up in each axis, then across axes, at
 * first towards all that is fast and all that is slow. */
static double *make_directions(const struct fit *fit, size_t count)
{
    const size_t axes = fit->space.count;
    double *directions = calloc(count * axes + 1, sizeof *directions);
    for (size_t part = 0; directions && part < count; part++) {
        struct fit_dice dice = fit_dice(fit->options.seed ^ UINT64_C(0x9747b28c), part);
        double *way = directions + part * axes;
        for (size_t a = 0; a < axes && part >= 2 * axes; a++) {
            const double slow = fit->space.axes[a].high_is_optimistic ? -1 : 1;
            const size_t across = part - 2 * axes;
            way[a] = across == 0 ? -slow : across == 1 ? slow : 2 * fit_dice_real(&dice) - 1;
        }
        if (part < 2 * axes)
            way[part / 2] = part % 2 ? 1 : -1;
    }
    return directions;
}

static double far_out(const struct fit *fit, const double *way, const double *point)
{
    double sum = 0;
    for (size_t a = 0; a < fit->space.count; a++)
        sum += way[a] * (point[a] - fit->space.axes[a].low) /
               (fit->space.axes[a].high - fit->space.axes[a].low);
    return sum;
}

/* Points as far out as they were found, from the farthest of a set. */
int fit_push_out(struct fit *fit, const bool *all, const struct fit_set *found,
                 struct fit_set *ends)
{
    const size_t axes = fit->space.count;
    if (fit_set_init(ends, &fit->model, 2 * axes + ACROSS) != 0)
        return -1;
    double *ways = make_directions(fit, ends->size);
    const struct fit_goal goal = {.active = all, .directions = ways, .donors = found};
    int status = ways ? 0 : -1;
    for (size_t p = 0; status == 0 && p < ends->size; p++) {
        size_t best = 0;
        for (size_t i = 1; i < found->size; i++)
            if (far_out(fit, ways + p * axes, found->points + i * axes) >
                far_out(fit, ways + p * axes, found->points + best * axes))
                best = i;
        fit_copy_point(&fit->model, ends, p, found, best);
    }
    ends->reach = found->reach;
    if (status == 0)
        status = push(fit, &goal, ends);
    free(ways);
    return status;
}

/* --- choices ---------------------------------------------------------------------------------- */

/* Choices of the texts that a measurement sees: a text has no direction to push to. */
static size_t count_choices(const struct fit *fit)
{
    size_t count = 0;
    for (size_t a = 0; a < fit->space.count; a++)
        if (fit->space.axes[a].text && fit->numbers[a].seen)
            count += (size_t)fit->space.axes[a].high + 1;
    return count;
}

/* The settings found with one choice at another, and points of the pool that have it. */
static int take_with(struct fit *fit, const struct fit_set *found, size_t axis, double choice,
                     struct fit_set *from)
{
    const size_t axes = fit->space.count;
    if (fit_set_init(from, &fit->model, found->size + fit->pool.size) != 0)
        return -1;
    from->size = 0;
    for (size_t i = 0; i < found->size; i++) {
        const size_t at = from->size++;
        fit_copy_point(&fit->model, from, at, found, i);
        from->points[at * axes + axis] = choice;
        for (size_t c = 0; c < fit->count; c++)
            from->predicted[at * fit->count + c] = NAN;
    }
    for (size_t i = 0; i < fit->pool.size; i++)
        if (fit->pool.points[i * axes + axis] == choice)
            fit_copy_point(&fit->model, from, from->size++, &fit->pool, i);
    return fit_complete(&fit->model, from);
}

/* The nearest of the settings found with a choice; where none is near enough, descents that hold it
 * look for one. to->size: 0 when there is none. */
static int find_with(struct fit *fit, const bool *all, const struct fit_set *found, size_t axis,
                     double choice, struct fit_set *to)
{
    const size_t axes = fit->space.count;
    const size_t starts = HELD * (size_t)fit->options.effort / 100;
    size_t best = found->size;
    for (size_t i = 0; i < found->size; i++)
        if (found->points[i * axes + axis] == choice && found->distance[i] <= found->reach &&
            (best == found->size || found->distance[i] < found->distance[best]))
            best = i;
    to->size = best < found->size ? 1 : starts < HELD ? starts : HELD;
    if (best < found->size)
        fit_copy_point(&fit->model, to, 0, found, best);
    if (best < found->size || starts == 0)
        return 0;
    struct fit_set from = {.size = 0};
    int status = take_with(fit, found, axis, choice, &from);
    const struct fit_effort effort = {
        .starts = to->size, .rounds = ROUNDS, .kicks = KICKS, .held = axis + 1};
    if (status == 0)
        status = fit_descend(&fit->model, all, &from, effort, to);
    fit_set_free(&from);
    return status;
}

/* Settings with each choice, two points each. */
static int find_choices(struct fit *fit, const bool *all, const struct fit_set *found,
                        struct fit_set *ends, size_t *held)
{
    int status = 0;
    size_t count = 0;
    for (size_t a = 0; a < fit->space.count; a++) {
        const struct fit_axis *axis = &fit->space.axes[a];
        if (!axis->text || !fit->numbers[a].seen)
            continue;
        for (double k = 0; status == 0 && k <= axis->high; k++) {
            struct fit_set two;
            status = fit_set_init(&two, &fit->model, HELD);
            if (status == 0)
                status = find_with(fit, all, found, a, k, &two);
            for (size_t i = 0; status == 0 && i < HELD && two.size; i++) {
                if (!isfinite(two.distance[i % two.size]))
                    continue;
                held[count] = a;
                fit_copy_point(&fit->model, ends, count++, &two, i % two.size);
            }
            fit_set_free(&two);
        }
    }
    ends->size = count;
    return status;
}

int fit_push_choices(struct fit *fit, const bool *all, const struct fit_set *found,
                     struct fit_set *ends)
{
    const size_t axes = fit->space.count, size = HELD * count_choices(fit);
    double *ways = calloc(size * axes + 1, sizeof *ways);
    size_t *held = calloc(size + 1, sizeof *held);
    int status = fit_set_init(ends, &fit->model, size) | (ways && held ? 0 : -1);
    for (size_t i = 0; status == 0 && i < size * axes; i++)
        ways[i] = fit->space.axes[i % axes].high_is_optimistic == (i / axes % HELD == 0) ? 1 : -1;
    ends->reach = found->reach;
    if (status == 0)
        status = find_choices(fit, all, found, ends, held);
    const struct fit_goal goal = {.active = all, .directions = ways, .held = held, .donors = found};
    if (status == 0)
        status = push(fit, &goal, ends);
    free(ways);
    free(held);
    return status;
}

uint64_t fit_ends_work(const struct fit *fit)
{
    return (2 * fit->space.count + ACROSS) * fit_scaled(fit, ENDS_ROUNDS);
}
