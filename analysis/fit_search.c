#include "analysis/fit_search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/fit_walk.h"

static void move_work(void *context, size_t i, unsigned worker)
{
    enum { STEPS = 1500 };
    const struct fit_round *round = context;
    struct fit_model *model = round->model;
    struct fit_set *set = round->set;
    const size_t axes = model->space->count;
    struct fit_dice dice = fit_dice(model->seed + model->stream, i);
    double *point = set->points + i * axes, *known = set->predicted + i * model->count;
    double *tried = round->tried->points + i * axes;
    double *predicted = round->tried->predicted + i * model->count;
    struct fit_walk walk;
    round->tried->distance[i] = INFINITY;
    if (fit_is_stopped(model) || fit_walk_init(&walk, round) != 0)
        return;
    fit_walk_from(&walk, point, known);
    fit_walk_near(&walk, STEPS, &dice);
    memcpy(tried, walk.at, axes * sizeof *tried);
    const double limit = set->distance[i] > set->reach ? set->distance[i] : set->reach;
    const double d = fit_distance(model, worker, tried, round->active, limit, predicted);
    round->tried->distance[i] = d;
    if (d <= limit) {
        memcpy(point, tried, axes * sizeof *point);
        for (size_t c = 0; c < model->count; c++)
            known[c] = predicted[c];
        set->distance[i] = d;
    }
    free(walk.at);
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* --- the search ------------------------------------------------------------------------------- */

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
            const double d =
                fit_known_distance(model, active, from[f]->predicted + i * model->count);
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
                fit_copy_point(model, set, filled, ranks[i].from, ranks[i].index);
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
            fit_copy_point(model, set, i, set, near[k++ % count]);
    free(near);
    return 0;
}

static void copy_set(const struct fit_model *model, struct fit_set *to, const struct fit_set *from)
{
    for (size_t i = 0; i < from->size; i++)
        fit_copy_point(model, to, i, from, i);
}

static int run_moves(struct fit_round *round, struct fit_set *before, unsigned rounds)
{
    struct fit_model *model = round->model;
    int status = 0;
    for (unsigned k = 0; status == 0 && k < rounds && !fit_is_stopped(model); k++) {
        status = lower(round->set, 0.5);
        if (round->set->reach < FIT_FINE)
            round->set->reach = FIT_FINE;
        copy_set(model, before, round->set);
        model->stream++;
        if (status == 0)
            fit_run_round(round, move_work);
        if (status == 0 && !fit_is_stopped(model))
            status = fit_learn_from(model, round->tried);
    }
    return status;
}

/* What is farther than a share of the set becomes a copy of what is nearer. */
static int cut_off(struct fit_model *model, struct fit_set *set, double share)
{
    set->reach = INFINITY;
    int status = lower(set, share);
    set->reach = set->reach < FIT_FINE ? FIT_FINE : set->reach;
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
    struct fit_round round = {.model = model,
                              .before = &before,
                              .set = set,
                              .tried = &tried,
                              .active = active,
                              .moved = moved,
                              .moved_count =
                                  status == 0 ? fit_list_moved(model, active, moved) : 0};
    if (round.moved_count == 0)
        rounds = 0;
    /* First every point by itself; then, time after time, the farther half begins again where the
     * nearer half is. */
    unsigned done = rounds - rounds / 2;
    if (status == 0)
        status = run_moves(&round, &before, done);
    for (; status == 0 && done < rounds && !fit_is_stopped(model); done += again) {
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
