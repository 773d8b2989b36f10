#include "analysis/fit_others.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/fit_descend.h"

enum {
    STARTS = 3, /* of each search for the measurements but one */
    ROUNDS = 3,
    NEAR = 2, /* in a contradiction, points without one measurement each */
    NEAR_ROUNDS = 4,
    AGAIN = 4, /* and points from there, for all */
    AGAIN_KICKS = 4,
    SPARE = 1500000, /* events of all programs once for each number of the machine, at most */
    OTHER_POOLS = 4, /* searches without one measurement each that did not succeed, at most */
    OTHER_STARTS = 4,
    PUSH_ROUNDS = 36, /* of points that go up and down in a measurement, for the others alone */
    DONORS = 12       /* points of the pool whose differences these take */
};

size_t fit_scaled(const struct fit *fit, size_t size)
{
    const size_t n = size * fit->options.effort / 100;
    return n ? n : 1;
}

size_t fit_starts(const struct fit *fit, size_t usual, size_t least)
{
    const size_t wanted = fit_scaled(fit, usual) > least ? fit_scaled(fit, usual) : least;
    return wanted < fit->pool.size ? wanted : fit->pool.size;
}

size_t fit_spare(const struct fit *fit)
{
    uint64_t work = 1;
    for (size_t c = 0; c < fit->count; c++)
        work += fit->cases[c].work;
    return fit_scaled(fit, (size_t)(SPARE / (work * (fit->space.count + 1))));
}

int fit_pool_again(struct fit *fit, size_t k, struct fit_set *pool)
{
    const uint64_t seed = fit->model.seed;
    int status = fit_set_init(pool, &fit->model, fit->pool.size);
    fit->model.seed ^= UINT64_C(0x7feb352d) + k;
    if (status == 0)
        status = fit_pool(&fit->model, pool);
    fit->model.seed = seed;
    return status;
}

uint64_t fit_others_work(const struct fit *fit)
{
    const size_t others = fit->part_count > 1 ? fit->part_count : 0;
    return others * fit_scaled(fit, STARTS) *
           (FIT_ROUND_WORK * ROUNDS + 2 * fit_scaled(fit, PUSH_ROUNDS));
}

size_t fit_nearest(const struct fit_set *set, size_t most, size_t *points)
{
    size_t count = 0;
    for (size_t i = 0; i < set->size; i++) {
        if (!isfinite(set->distance[i]))
            continue;
        size_t at = count < most ? count++ : most;
        for (; at > 0 && set->distance[points[at - 1]] > set->distance[i]; at--)
            if (at < most)
                points[at] = points[at - 1];
        if (at < most)
            points[at] = i;
    }
    return count;
}

/* --- verdict ---------------------------------------------------------------------------------- */

/* What a search may leave of measurements that some setting explains: totals jump with a number, so
 * it comes near such a setting and may not find it. In scales of a measurement: its tolerance and
 * half a thousandth of the value. */
static const double resolved = 12;

static enum fit_verdict verdict_of(double least)
{
    return least <= 0 ? FIT_EXPLAINED : least <= resolved ? FIT_NEARLY : FIT_CONTRADICTS;
}

int fit_judge(struct fit *fit, const struct fit_set *found)
{
    size_t near[NEAR];
    const size_t count = fit_nearest(found, NEAR, near);
    fit_set_free(&fit->near);
    const int status = fit_set_init(&fit->near, &fit->model, count);
    for (size_t i = 0; status == 0 && i < count; i++)
        fit_copy_point(&fit->model, &fit->near, i, found, near[i]);
    const double least = status == 0 && count ? fit->near.distance[0] : INFINITY;
    fit->verdict = verdict_of(least);
    return status;
}

void fit_judge_rows(struct fit *fit)
{
    double cost = 0;
    for (size_t c = 0; c < fit->count; c++)
        cost += fit->rows[c].excess / fit->model.scale[c];
    if (fit->verdict == FIT_CONTRADICTS || verdict_of(cost) != FIT_CONTRADICTS)
        return;
    fit->verdict = FIT_CONTRADICTS;
    for (size_t c = 0; c < fit->count; c++) {
        fit->rows[c].alone = false;
        fit->rows[c].undecided = true;
        fit->rows[c].conflicts = fit->rows[c].excess > 0 && !fit->interrupted;
    }
}

/* --- each measurement by the others ----------------------------------------------------------- */

/* Deviation of a normal distribution, by the median of its distances from the middle. */
#define NORMAL 1.4826

/* Student's t for 95 per cent, by degrees of freedom. */
static double student(size_t degrees)
{
    static const double quantiles[] = {12.71, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306};
    enum { KNOWN = sizeof quantiles / sizeof *quantiles };
    return degrees <= KNOWN ? quantiles[degrees - 1] : 2.2;
}

/* How far a point is from the other measurements, as a share of each beyond its tolerance: the
 * median, so that a few false ones change nothing. values: room for all cases. */
static double usual_miss(const struct fit *fit, size_t part, const double *predicted,
                         double *values)
{
    size_t count = 0;
    for (size_t c = 0; c < fit->count; c++) {
        const double value = fit->cases[c].measurement->value;
        if (fit->parts[c] != part && value > 0 && !isnan(predicted[c]))
            values[count++] = fit_excess(&fit->cases[c], predicted[c]) / value;
    }
    return fit_median(values, count);
}

/* What is as near to the others as a search resolves. */
static double level_of(const struct fit_set *set)
{
    const double more = 4;
    double least = INFINITY;
    for (size_t i = 0; i < set->size; i++)
        least = set->distance[i] < least ? set->distance[i] : least;
    return fmax(least + more, fit_level(set, 0.75));
}

/* The prediction is the mean of the descents that come as near as any. The ends of its range are
 * those of the points that went out from there, and a hundredth of the value farther, or a
 * twentieth of what the value moves by, which a search does not resolve. A model that misses the
 * other measurements misses this one, too: the ends are farther by what it misses, as a normal
 * distribution with that median has it. */
static void take_left_out(struct fit *fit, size_t c, const struct fit_set *set,
                          const struct fit_set *ends, double *values)
{
    struct fit_row *row = &fit->rows[c];
    double sum = 0, missed = 0, n = 0, low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < set->size; i++) {
        const double value = set->predicted[i * fit->count + c];
        row->others = set->distance[i] < row->others ? set->distance[i] : row->others;
        if (!(set->distance[i] <= ends->reach) || isnan(value))
            continue;
        sum += value;
        missed += usual_miss(fit, fit->parts[c], set->predicted + i * fit->count, values);
        n++;
    }
    if (n < 1)
        return;
    for (size_t i = 0; i < ends->size; i++) {
        const double value = ends->predicted[i * fit->count + c];
        low = ends->distance[i] <= ends->reach ? fmin(low, value) : low;
        high = ends->distance[i] <= ends->reach ? fmax(high, value) : high;
    }
    const double mean = sum / n, share = 0.01 * fabs(mean), part = 0.05 * row->spread;
    double margin = share < part ? share : part;
    if (fit->count > 2)
        margin += student(fit->count - 2) * NORMAL * missed / n * fabs(mean);
    row->left_out = mean;
    row->left_low = low - margin;
    row->left_high = high + margin;
    row->tried[0] = fmin(row->tried[0], low);
    row->tried[1] = fmax(row->tried[1], high);
}

/* Points of the set and the pool's nearest to the others: none has seen the measurement. */
static int take_donors(const struct fit *fit, const bool *active, const struct fit_set *set,
                       struct fit_set *donors)
{
    size_t near[DONORS];
    struct fit_set pool = fit->pool;
    pool.distance = malloc((pool.size + 1) * sizeof *pool.distance);
    for (size_t i = 0; pool.distance && i < pool.size; i++)
        pool.distance[i] = fit_known_distance(&fit->model, active, pool.predicted + i * fit->count);
    const size_t count = pool.distance ? fit_nearest(&pool, DONORS, near) : 0;
    const int status = fit_set_init(donors, &fit->model, set->size + count);
    for (size_t i = 0; status == 0 && i < donors->size; i++)
        if (i < set->size)
            fit_copy_point(&fit->model, donors, i, set, i);
        else
            fit_copy_point(&fit->model, donors, i, &pool, near[i - set->size]);
    free(pool.distance);
    return pool.distance ? status : -1;
}

static bool others_see(const struct fit *fit, const bool *active, size_t a)
{
    for (size_t k = 0; k < fit->count; k++)
        if (active[k] && fit->model.sees[k * fit->space.count + a])
            return true;
    return false;
}

/* What only the measurement sees is open: at its slow ends in points that go up, else at its fast
 * ones. */
static void open_unseen(struct fit *fit, size_t c, const bool *active, struct fit_set *ends)
{
    const size_t axes = fit->space.count;
    double *own = malloc((axes + 1) * sizeof *own);
    if (!own)
        fit->model.status = -1;
    for (size_t i = 0; own && i < ends->size; i++) {
        double *point = ends->points + i * axes;
        memcpy(own, point, axes * sizeof *own);
        for (size_t a = 0; a < axes; a++) {
            const struct fit_axis *axis = &fit->space.axes[a];
            if (fit->model.sees[c * axes + a] && !others_see(fit, active, a))
                point[a] = axis->high_is_optimistic == i % 2 ? axis->high : axis->low;
        }
        if (fit_is_chip(&fit->model, 0, point))
            ends->predicted[i * fit->count + c] = fit_predict(&fit->model, 0, c, point, false);
        else
            memcpy(point, own, axes * sizeof *own);
    }
    free(own);
}

/* From each descent for the others a point upwards and one downwards in the measurement. */
static int push_left_out(struct fit *fit, size_t c, const struct fit_set *set, struct fit_set *ends)
{
    struct fit_set donors = {.size = 0};
    bool *active = malloc(fit->count + 1);
    size_t *reach = malloc((2 * set->size + 1) * sizeof *reach);
    int status = fit_set_init(ends, &fit->model, 2 * set->size) | (active && reach ? 0 : -1);
    for (size_t k = 0; active && k < fit->count; k++)
        active[k] = fit->parts[k] != fit->parts[c];
    if (status == 0)
        status = take_donors(fit, active, set, &donors);
    for (size_t i = 0; status == 0 && i < ends->size; i++) {
        fit_copy_point(&fit->model, ends, i, set, i / 2);
        reach[i] = c;
    }
    if (status == 0)
        open_unseen(fit, c, active, ends);
    ends->reach = level_of(set);
    const struct fit_goal goal = {.active = active, .reach = reach, .donors = &donors};
    if (status == 0 && isfinite(ends->reach))
        status = fit_search(&fit->model, &goal, (unsigned)fit_scaled(fit, PUSH_ROUNDS), ends);
    fit_set_free(&donors);
    free(active);
    free(reach);
    return status;
}

static void copy_points(const struct fit *fit, struct fit_set *to, const struct fit_set *from,
                        size_t first)
{
    for (size_t i = 0; i < to->size; i++)
        fit_copy_point(&fit->model, to, i, from, first + i);
}

/* Whether a search without the measurement explained the others. */
static bool is_decided(const struct fit_row *row)
{
    const double explained = 2;
    return row->others <= explained;
}

/* Searches without one part of the measurements each, from points of a set. open: not for parts
 * of which one has succeeded. */
static int search_others(struct fit *fit, const struct fit_set *from, struct fit_effort effort,
                         bool open, struct fit_set *found)
{
    const size_t size = fit->part_count * effort.starts;
    bool *active = malloc(size * fit->count + 1), *done = calloc(fit->part_count + 1, 1);
    int status = fit_set_init(found, &fit->model, size) | (active && done ? 0 : -1);
    for (size_t c = 0; status == 0 && open && c < fit->count; c++)
        done[fit->parts[c]] |= is_decided(&fit->rows[c]);
    for (size_t i = 0; status == 0 && i < size * fit->count; i++) {
        const size_t part = i / fit->count / effort.starts;
        active[i] = !done[part] && part != fit->parts[i % fit->count];
    }
    if (status == 0)
        status = fit_descend(&fit->model, active, from, effort, found);
    for (size_t i = 0; status == 0 && i < size; i++)
        if (done[i / effort.starts])
            found->distance[i] = INFINITY;
    free(active);
    free(done);
    return status;
}

/* --- contradictions --------------------------------------------------------------------------- */

/* Without which one the others are explained. */
static void take_suspects(struct fit *fit)
{
    for (size_t c = 0; c < fit->count; c++) {
        struct fit_row *row = &fit->rows[c];
        row->alone = is_decided(row);
        row->undecided = !row->alone;
        row->conflicts = fit->near.size && fit_excess(&fit->cases[c], fit->near.predicted[c]) > 0;
    }
}

void fit_take_better(const struct fit *fit, struct fit_set *found, const struct fit_set *more)
{
    for (size_t i = 0; i < more->size; i++) {
        size_t worst = 0;
        for (size_t k = 1; k < found->size; k++)
            worst = found->distance[k] > found->distance[worst] ? k : worst;
        if (more->distance[i] < found->distance[worst])
            fit_copy_point(&fit->model, found, worst, more, i);
    }
}

/* All measurements once more, from what was found without one of them: that is another way to a
 * setting that explains all. */
static int search_again(struct fit *fit, const bool *all, struct fit_set *others,
                        struct fit_set *found)
{
    size_t near[AGAIN];
    struct fit_set from = {.size = 0}, to = {.size = 0};
    int status = fit_complete(&fit->model, others);
    for (size_t i = 0; status == 0 && i < others->size; i++)
        others->distance[i] =
            fit_known_distance(&fit->model, all, others->predicted + i * fit->count);
    const size_t count = status == 0 ? fit_nearest(others, AGAIN, near) : 0;
    if (status == 0)
        status = fit_set_init(&from, &fit->model, count) | fit_set_init(&to, &fit->model, count);
    for (size_t i = 0; status == 0 && i < count; i++)
        fit_copy_point(&fit->model, &from, i, others, near[i]);
    if (status == 0 && count)
        status = fit_descend(
            &fit->model, all, &from,
            (struct fit_effort){.starts = count, .kicks = AGAIN_KICKS, .together = true}, &to);
    if (status == 0) {
        fit_take_better(fit, found, &to);
        status = fit_judge(fit, found);
    }
    fit_set_free(&from);
    fit_set_free(&to);
    return status;
}

/* Without one part each, from points of a set, then for all. */
static int search_parts(struct fit *fit, const bool *all, const struct fit_set *from,
                        struct fit_effort effort, struct fit_set *found)
{
    struct fit_set others;
    int status = search_others(fit, from, effort, true, &others);
    for (size_t c = 0; status == 0 && c < fit->count; c++)
        for (size_t k = 0; k < effort.starts; k++) {
            const double cost = others.distance[fit->parts[c] * effort.starts + k];
            fit->rows[c].others = cost < fit->rows[c].others ? cost : fit->rows[c].others;
        }
    if (status == 0)
        status = search_again(fit, all, &others, found);
    fit_set_free(&others);
    return status;
}

int fit_search_without(struct fit *fit, const bool *all, struct fit_set *found)
{
    struct fit_set near = {.size = 0}, pool;
    const size_t spare = fit_spare(fit) / fit->part_count;
    int status = fit_set_init(&near, &fit->model, fit->near.size);
    if (status == 0)
        copy_points(fit, &near, &fit->near, 0);
    if (status == 0)
        status =
            search_parts(fit, all, &near,
                         (struct fit_effort){.starts = near.size, .rounds = NEAR_ROUNDS}, found);
    for (size_t k = 0; status == 0 && k < spare && k < OTHER_POOLS &&
                       fit->verdict == FIT_CONTRADICTS && !fit_is_stopped(&fit->model);
         k++) {
        status = fit_pool_again(fit, k, &pool);
        if (status == 0)
            status = search_parts(
                fit, all, &pool,
                (struct fit_effort){.starts = OTHER_STARTS, .rounds = ROUNDS, .kicks = AGAIN_KICKS},
                found);
        fit_set_free(&pool);
    }
    fit_set_free(&near);
    return status;
}

/* A prediction is as good as those of the other parts, which were made the same way: its ends
 * are at least as far as a normal distribution with their median error has them. values: room for
 * all cases. */
static void widen_by_errors(struct fit *fit, double *values)
{
    for (size_t c = 0; c < fit->count; c++) {
        struct fit_row *row = &fit->rows[c];
        size_t count = 0;
        for (size_t k = 0; k < fit->count; k++) {
            const double value = fit->cases[k].measurement->value, guess = fit->rows[k].left_out;
            if (fit->parts[k] != fit->parts[c] && value > 0 && !isnan(guess))
                values[count++] = fit_excess(&fit->cases[k], guess) / value;
        }
        if (count < 2 || isnan(row->left_out))
            continue;
        const double margin =
            student(count - 1) * NORMAL * fit_median(values, count) * fabs(row->left_out);
        row->left_low = fmin(row->left_low, row->left_out - margin);
        row->left_high = fmax(row->left_high, row->left_out + margin);
    }
}

/* What nothing of the box gives is not left either. */
static void clamp_left_out(struct fit_row *row)
{
    row->left_low = isnan(row->left_out) ? NAN : fmax(row->left_low, row->tried[0]);
    row->left_high = isnan(row->left_out) ? NAN : fmin(row->left_high, row->tried[1]);
}

int fit_leave_out(struct fit *fit)
{
    const size_t starts = fit_starts(fit, STARTS, 2);
    struct fit_set found, one, ends;
    double *values = malloc((fit->count + 1) * sizeof *values);
    const struct fit_effort effort = {.starts = starts, .rounds = ROUNDS};
    int status = search_others(fit, &fit->pool, effort, false, &found) |
                 fit_set_init(&one, &fit->model, starts) | (values ? 0 : -1);
    if (status == 0)
        status = fit_complete(&fit->model, &found);
    for (size_t c = 0; status == 0 && c < fit->count && !fit_is_stopped(&fit->model); c++) {
        copy_points(fit, &one, &found, fit->parts[c] * starts);
        status = push_left_out(fit, c, &one, &ends);
        if (status == 0)
            take_left_out(fit, c, &one, &ends, values);
        fit_set_free(&ends);
    }
    if (status == 0 && fit->verdict == FIT_CONTRADICTS && !fit_is_stopped(&fit->model))
        take_suspects(fit);
    if (status == 0)
        widen_by_errors(fit, values);
    for (size_t c = 0; c < fit->count; c++)
        clamp_left_out(&fit->rows[c]);
    free(values);
    fit_set_free(&found);
    fit_set_free(&one);
    return status;
}
