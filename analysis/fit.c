#include "analysis/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/fit_apart.h"
#include "analysis/fit_bounds.h"
#include "analysis/fit_centre.h"
#include "analysis/fit_descend.h"
#include "analysis/fit_ends.h"
#include "analysis/fit_middle.h"
#include "analysis/fit_others.h"
#include "analysis/fit_outside.h"
#include "analysis/fit_sense.h"

/* Sizes at an effort of 100: two minutes of two processors for ten programs of a thousand
 * transfers. */
enum {
    POOL = 240,
    STARTS = 12,
    ROUNDS = 3,
    NEAR = 6, /* of the ends, those that are searched further where none explains all */
    KICKS = 4,
    AFRESH = 8 /* searches from other pools, at most: fit_spare */
};

/* --- the pool --------------------------------------------------------------------------------- */

/* The configuration's own numbers are the pool's first point, where that is a plausible one. */
static void take_own_point(struct fit *fit)
{
    const struct fit_space *space = &fit->space;
    for (size_t a = 0; a < space->count; a++) {
        const struct param *param = &fit->config->params[space->axes[a].param];
        double value = param->value;
        if (space->axes[a].text)
            for (size_t k = 0; param->choices[k]; k++)
                if (strcmp(param->choices[k], param->text) == 0)
                    value = (double)k;
        fit->pool.points[a] = fit_axis_round(&space->axes[a], value);
    }
    for (size_t c = 0; c < fit->count; c++)
        fit->pool.predicted[c] = fit_predict(&fit->model, 0, c, fit->pool.points, false);
}

static void take_tried(struct fit_row *row, double value)
{
    row->tried[0] = value < row->tried[0] ? value : row->tried[0];
    row->tried[1] = value > row->tried[1] ? value : row->tried[1];
}

/* All numbers at their fast ends, and all at their slow ones. */
static int try_corners(struct fit *fit)
{
    double *point = malloc((fit->space.count + 1) * sizeof *point);
    for (unsigned slow = 0; point && slow < 2; slow++) {
        for (size_t a = 0; a < fit->space.count; a++) {
            const struct fit_axis *axis = &fit->space.axes[a];
            point[a] = axis->high_is_optimistic != slow ? axis->high : axis->low;
        }
        if (fit_is_chip(&fit->model, 0, point))
            for (size_t c = 0; c < fit->count; c++)
                take_tried(&fit->rows[c], fit_predict(&fit->model, 0, c, point, false));
    }
    free(point);
    return point ? 0 : -1;
}

static void take_spreads(struct fit *fit)
{
    for (size_t c = 0; c < fit->count; c++) {
        double least = INFINITY, most = -INFINITY;
        for (size_t i = 0; i < fit->pool.size; i++) {
            const double value = fit->pool.predicted[i * fit->count + c];
            least = value < least ? value : least;
            most = value > most ? value : most;
        }
        fit->rows[c].spread = most > least ? most - least : 0;
        fit->rows[c].tried[0] = least;
        fit->rows[c].tried[1] = most;
    }
}

/* --- bounds  ---------------------------------------------------------------------------------- */

/* One that no setting of the box explains contradicts the model by itself: that is proven. */
static void take_impossible(struct fit *fit, const struct fit_box *box)
{
    bool any = false;
    for (size_t c = 0; c < fit->count; c++)
        any |= box->impossible[c];
    for (size_t c = 0; any && c < fit->count; c++) {
        fit->rows[c].impossible = box->impossible[c];
        fit->rows[c].conflicts |= box->impossible[c];
        fit->rows[c].alone &= !box->impossible[c];
        fit->rows[c].undecided = false;
        fit->verdict = FIT_CONTRADICTS;
    }
}

/* --- the settings ----------------------------------------------------------------------------- */

/* Numbers that no measurement sees: at their fast ends, at their slow ends, or anywhere; as the
 * configuration has them where others make no chip with the rest. */
static void spread_unseen(struct fit *fit)
{
    for (size_t i = 0; i < fit->settings.size; i++) {
        double *point = fit->settings.points + i * fit->space.count;
        struct fit_dice dice = fit_dice(fit->options.seed ^ UINT64_C(0x27d4eb2f), i);
        for (size_t a = 0; a < fit->space.count; a++) {
            const struct fit_axis *axis = &fit->space.axes[a];
            const double share = i % 4 == 0   ? axis->high_is_optimistic
                                 : i % 4 == 1 ? !axis->high_is_optimistic
                                 : i % 4 == 2 ? (double)fit_dice_below(&dice, 2)
                                              : fit_dice_real(&dice);
            const double room = axis->high - axis->low;
            if (!fit->numbers[a].seen)
                point[a] = fit_axis_round(axis, axis->low + share * room);
        }
        for (size_t a = 0; a < fit->space.count && !fit_is_chip(&fit->model, 0, point); a++)
            if (!fit->numbers[a].seen)
                point[a] = fit->pool.points[a];
    }
}

/* What is kept: the settings that were found, those far out, and those of choices. */
static int keep_settings(struct fit *fit, const struct fit_set *found, const struct fit_set *ends,
                         const struct fit_set *choices)
{
    const size_t axes = fit->space.count, across = ends->size - 2 * axes;
    size_t seen = 0, count = 0;
    for (size_t a = 0; a < axes; a++)
        seen += fit->numbers[a].seen;
    struct fit_set *kept = &fit->settings;
    fit_set_free(kept);
    if (fit_set_init(kept, &fit->model, found->size + 2 * seen + across + choices->size) != 0)
        return -1;
    for (size_t i = 0; i < found->size; i++)
        if (found->distance[i] <= fit->reach)
            fit_copy_point(&fit->model, kept, count++, found, i);
    for (size_t p = 0; p < ends->size; p++)
        if (ends->distance[p] <= fit->reach && (p >= 2 * axes || fit->numbers[p / 2].seen))
            fit_copy_point(&fit->model, kept, count++, ends, p);
    for (size_t p = 0; p < choices->size; p++)
        if (choices->distance[p] <= fit->reach)
            fit_copy_point(&fit->model, kept, count++, choices, p);
    kept->size = count;
    kept->reach = fit->reach;
    for (size_t i = 0; i < kept->size * fit->count; i++)
        take_tried(&fit->rows[i % fit->count], kept->predicted[i]);
    return 0;
}

static int take_numbers(struct fit *fit, const struct fit_box *box)
{
    const struct fit_set *set = &fit->settings;
    for (size_t a = 0; a < fit->space.count; a++) {
        struct fit_number *number = &fit->numbers[a];
        const struct fit_axis *axis = &fit->space.axes[a];
        number->inner[0] = number->inner[1] = set->points[a];
        for (size_t i = 0; i < set->size; i++) {
            const double value = set->points[i * fit->space.count + a];
            number->inner[0] = value < number->inner[0] ? value : number->inner[0];
            number->inner[1] = value > number->inner[1] ? value : number->inner[1];
            if (axis->text)
                box->choices[a][(size_t)value] = true;
        }
        number->outer[0] = box->low[a] < number->inner[0] ? box->low[a] : number->inner[0];
        number->outer[1] = box->high[a] > number->inner[1] ? box->high[a] : number->inner[1];
        if (!axis->text)
            continue;
        const size_t size = (size_t)axis->high + 1;
        number->choices = calloc(2 * size, sizeof *number->choices);
        if (!number->choices)
            return -1;
        number->kept = number->choices + size;
        memcpy(number->choices, box->choices[a], size * sizeof *number->choices);
        for (size_t i = 0; i < set->size; i++)
            number->kept[(size_t)set->points[i * fit->space.count + a]] = true;
    }
    return 0;
}

/* As a chip file has it. */
static double written(const struct fit *fit, size_t a, double value)
{
    char text[200];
    if (fit->space.axes[a].whole || fit->space.axes[a].text)
        return value;
    fit_axis_text(&fit->space, a, value, text, sizeof text);
    return fit_axis_round(&fit->space.axes[a], strtod(text, NULL));
}

/* What a point misses by; no chip: more than all. */
static double cost_at(struct fit *fit, const double *point)
{
    double cost = fit_is_chip(&fit->model, 0, point) ? 0 : INFINITY;
    for (size_t c = 0; c < fit->count && isfinite(cost); c++)
        cost += fit_case_cost(&fit->model, c, fit_predict(&fit->model, 0, c, point, false));
    return isnan(cost) ? INFINITY : cost;
}

/* The numbers of the chosen setting, as they are written, and what they give; those that no
 * measurement sees as they were, where that makes a chip, and none misses by more. */
static int take_values(struct fit *fit)
{
    const double *chosen = fit->settings.points + fit->chosen * fit->space.count;
    double *point = malloc((fit->space.count + 1) * sizeof *point);
    if (!point)
        return -1;
    for (size_t a = 0; a < fit->space.count; a++)
        point[a] = fit->numbers[a].seen || !fit->sensed ? chosen[a] : fit->pool.points[a];
    const double own = cost_at(fit, point);
    const double *values = isfinite(own) && own <= cost_at(fit, chosen) + 1e-9 ? point : chosen;
    for (size_t a = 0; a < fit->space.count; a++)
        fit->numbers[a].value = point[a] = written(fit, a, values[a]);
    for (size_t c = 0; c < fit->count; c++)
        fit->rows[c].predicted = fit_predict(&fit->model, 0, c, point, false);
    free(point);
    return 0;
}

static void take_unreached(struct fit *fit, size_t c)
{
    const struct fit_measurement *m = fit->cases[c].measurement;
    struct fit_row *row = &fit->rows[c];
    take_tried(row, row->low);
    take_tried(row, row->high);
    row->unreached = fit->verdict == FIT_CONTRADICTS && row->excess > 0 &&
                     (row->tried[1] < m->value - m->tolerance - 1e-9 ||
                      row->tried[0] > m->value + m->tolerance + 1e-9);
    row->conflicts |= row->unreached && !fit->interrupted;
}

static void take_rows(struct fit *fit)
{
    const struct fit_set *set = &fit->settings;
    for (size_t i = 0; i < set->size; i++)
        fit->explaining += set->distance[i] <= 0;
    for (size_t c = 0; c < fit->count; c++) {
        struct fit_row *row = &fit->rows[c];
        if (isnan(row->predicted))
            row->predicted = set->predicted[fit->chosen * fit->count + c];
        row->excess = fit_excess(&fit->cases[c], row->predicted);
        row->low = row->high = row->predicted;
        for (size_t i = 0; i < set->size; i++) {
            const double value = set->predicted[i * fit->count + c];
            row->low = value < row->low ? value : row->low;
            row->high = value > row->high ? value : row->high;
        }
        take_unreached(fit, c);
    }
}

bool fit_is_explained(const struct fit *fit)
{
    return fit->verdict == FIT_EXPLAINED || fit->verdict == FIT_NEARLY;
}

/* --- the whole -------------------------------------------------------------------------------- */

/* Where none explains all, the nearest are searched further. together: of fit_effort. */
static int search_further(struct fit *fit, const bool *all, bool together, struct fit_set *found)
{
    size_t near[NEAR];
    struct fit_set from = {.size = 0}, to = {.size = 0};
    const size_t count = fit_nearest(found, NEAR, near);
    int status = 0;
    if (count && found->distance[near[0]] > 0) {
        status = fit_set_init(&from, &fit->model, count) | fit_set_init(&to, &fit->model, count);
        for (size_t i = 0; status == 0 && i < count; i++)
            fit_copy_point(&fit->model, &from, i, found, near[i]);
        if (status == 0)
            status = fit_descend(
                &fit->model, all, &from,
                (struct fit_effort){.starts = count, .kicks = KICKS, .together = together}, &to);
        for (size_t i = 0; status == 0 && i < count; i++)
            fit_copy_point(&fit->model, found, near[i], &to, i);
    }
    if (status == 0)
        status = fit_judge(fit, found);
    fit_set_free(&from);
    fit_set_free(&to);
    return status;
}

/* From points of another pool: the better ends of both searches. */
static int search_afresh(struct fit *fit, const bool *all, size_t k, struct fit_set *found)
{
    struct fit_set more, pool;
    int status = fit_pool_again(fit, k, &pool) | fit_set_init(&more, &fit->model, found->size);
    if (status == 0)
        status = fit_descend(&fit->model, all, &pool,
                             (struct fit_effort){.starts = found->size, .rounds = ROUNDS}, &more);
    if (status == 0)
        fit_take_better(fit, found, &more);
    fit_set_free(&more);
    fit_set_free(&pool);
    return status ? status : search_further(fit, all, true, found);
}

/* No search reaches a value that is proven impossible, or outside of all that was tried. */
static bool is_hopeless(const struct fit *fit, const struct fit_box *box)
{
    bool any = false;
    for (size_t c = 0; c < fit->count; c++) {
        const struct fit_measurement *m = fit->cases[c].measurement;
        any |= box->impossible[c] || m->value + m->tolerance < fit->rows[c].tried[0] ||
               m->value - m->tolerance > fit->rows[c].tried[1];
    }
    return any;
}

/* What explains all does not stand alone: other numbers, which cost a little more, are as likely to
 * be near one that explains all and was not found. Where one was found, what costs more than three
 * times what a search resolves is not kept, so that ranges do not grow with what searches miss. */
static void set_reach(struct fit *fit, struct fit_set *found)
{
    const double most = 36;
    fit->reach = found->reach = 2 * fit_level(found, 0.75);
    if (fit->near.size && fit->near.distance[0] <= 0 && fit->reach > most)
        fit->reach = most;
}

static int keep(struct fit *fit, const bool *all, struct fit_set *found)
{
    struct fit_set ends = {.size = 0}, choices = {.size = 0};
    size_t near[1];
    fit_replace_far(&fit->model, found);
    int status = fit_push_out(fit, all, found, &ends);
    if (status == 0)
        status = fit_push_choices(fit, all, found, &choices);
    if (status == 0)
        status = keep_settings(fit, found, &ends, &choices);
    if (status == 0 && fit_nearest(&fit->settings, 1, near) &&
        fit->settings.distance[near[0]] < fit->near.distance[0])
        status = fit_judge(fit, &fit->settings);
    fit_set_free(&ends);
    fit_set_free(&choices);
    return status;
}

static double least_of(const struct fit_set *found)
{
    size_t near[1];
    return fit_nearest(found, 1, near) ? found->distance[near[0]] : INFINITY;
}

/* Whether another pool is tried: once where the measurements seem to contradict; where a search
 * costs little, some times more while no setting explains all. */
static bool goes_on(const struct fit *fit, const struct fit_box *box, size_t k)
{
    const size_t spare = fit_spare(fit);
    const bool more = spare > 1 && k < AFRESH && k < spare;
    return (fit->verdict == FIT_CONTRADICTS ? more || k < 1 : more && fit->verdict == FIT_NEARLY) &&
           !is_hopeless(fit, box) && !fit_is_stopped(&fit->model);
}

static int search(struct fit *fit, const struct fit_box *box)
{
    const size_t starts = fit_starts(fit, STARTS, 4);
    struct fit_set found;
    bool *all = malloc(starts * fit->count + 1);
    int status = fit_set_init(&found, &fit->model, starts) | (all ? 0 : -1);
    if (all)
        memset(all, true, starts * fit->count);
    if (status == 0)
        status = fit_descend(&fit->model, all, &fit->pool,
                             (struct fit_effort){.starts = starts, .rounds = ROUNDS}, &found);
    if (status == 0)
        status = search_further(fit, all, least_of(&found) > 12, &found);
    for (size_t k = 0; status == 0 && goes_on(fit, box, k); k++)
        status = search_afresh(fit, all, k, &found);
    if (status == 0 && fit->verdict == FIT_CONTRADICTS && fit->part_count > 1)
        status = fit_search_without(fit, all, &found);
    if (status == 0) {
        set_reach(fit, &found);
        status = isfinite(found.reach) ? keep(fit, all, &found) : 1;
    }
    fit_set_free(&found);
    free(all);
    return status;
}

static int choose(struct fit *fit)
{
    bool found;
    const int status = fit_centre(fit, &found);
    fit->interrupted = fit_is_stopped(&fit->model);
    if (status != 0 || !found)
        return status ? status : fit_choose_setting(fit);
    if (fit->settings.distance[fit->chosen] <= 0 && fit->verdict == FIT_NEARLY)
        fit->verdict = FIT_EXPLAINED;
    return 0;
}

static int find_all(struct fit *fit)
{
    struct fit_box box = {.low = NULL};
    int status =
        fit_set_init(&fit->pool, &fit->model,
                     (fit_scaled(fit, POOL) < POOL ? fit_scaled(fit, POOL) : POOL) + FIT_BASES);
    if (status == 0)
        status = fit_pool(&fit->model, &fit->pool);
    if (status == 0) {
        take_own_point(fit);
        take_spreads(fit);
        status = try_corners(fit);
    }
    if (status == 0) {
        status = fit_sense(fit);
        fit->sensed = status == 0 && !fit_is_stopped(&fit->model);
    }
    if (status == 0)
        status = fit_box_init(&box, &fit->model);
    if (status == 0)
        status = fit_bounds(&fit->model, &box);
    if (status == 0)
        status = search(fit, &box);
    if (status == 0)
        status = fit->part_count > 1 ? fit_leave_out(fit) : 0;
    if (status == 0)
        take_impossible(fit, &box);
    fit->interrupted = fit_is_stopped(&fit->model);
    if (status == 0 && fit->sensed)
        status = fit_sense_settings(fit);
    if (status == 0)
        status = fit_search_outside(fit);
    if (status == 0)
        status = fit_push_apart(fit);
    if (status == 0 && fit->sensed)
        spread_unseen(fit);
    if (status == 0)
        status = choose(fit);
    if (status == 0)
        status = take_numbers(fit, &box);
    if (status == 0)
        status = fit_find_groups(fit);
    if (status == 0)
        status = take_values(fit);
    if (status == 0) {
        take_rows(fit);
        fit_judge_rows(fit);
    }
    fit_box_free(&box, &fit->space);
    return status < 0 || fit->model.status ? -1 : status;
}

static int open_cases(struct fit *fit, char error[FIT_ERROR])
{
    int status = 0;
    fit->cases = calloc(fit->list->count + 1, sizeof *fit->cases);
    if (!fit->cases)
        return -1;
    for (size_t i = 0; status == 0 && i < fit->list->count; i++)
        if (fit->list->items[i].known)
            status = fit_case_open(&fit->cases[fit->count++], fit->list->machine, fit->config,
                                   &fit->list->items[i], error);
    return status;
}

/* Measurements of a group are one part, each other one is a part by itself. */
static int divide(struct fit *fit)
{
    fit->parts = calloc(fit->count + 1, sizeof *fit->parts);
    for (size_t c = 0; fit->parts && c < fit->count; c++) {
        const char *group = fit->cases[c].measurement->group;
        size_t first = 0;
        while (group && first < c &&
               !(fit->cases[first].measurement->group &&
                 strcmp(fit->cases[first].measurement->group, group) == 0))
            first++;
        fit->parts[c] = group && first < c ? fit->parts[first] : fit->part_count++;
    }
    return fit->parts ? 0 : -1;
}

static bool same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

/* Whether both are the same quantity of the same run. */
static bool same_run(const struct fit_measurement *a, const struct fit_measurement *b)
{
    bool same = strcmp(a->path, b->path) == 0 && strcmp(a->quantity, b->quantity) == 0 &&
                same_text(a->init, b->init);
    for (size_t k = 0; k < FIT_OPTIONS; k++)
        same = same && same_text(a->loads[k], b->loads[k]) &&
               same_text(a->settings[k].name, b->settings[k].name) &&
               same_text(a->settings[k].value, b->settings[k].value);
    return same;
}

static void find_repeated(struct fit *fit)
{
    for (size_t c = 0; c < fit->count; c++)
        for (size_t k = 0; k < fit->count; k++)
            fit->rows[c].repeated |= fit->parts[c] != fit->parts[k] &&
                                     same_run(fit->cases[c].measurement, fit->cases[k].measurement);
}

static int allocate(struct fit *fit)
{
    int status = fit_space_init(&fit->space, fit->config) | divide(fit);
    if (status == 0)
        status = fit_space_keep_legal(&fit->space, fit->list->machine);
    fit->rows = calloc(fit->count + 1, sizeof *fit->rows);
    fit->numbers = calloc(fit->space.count + 1, sizeof *fit->numbers);
    for (size_t c = 0; fit->rows && c < fit->count; c++) {
        fit->rows[c].others = INFINITY;
        fit->rows[c].left_out = fit->rows[c].left_low = fit->rows[c].left_high = NAN;
        fit->rows[c].effect = calloc(fit->space.count + 1, sizeof(double));
        status = fit->rows[c].effect ? status : -1;
    }
    if (!fit->rows || !fit->numbers || status)
        return -1;
    find_repeated(fit);
    return 0;
}

/* Points that the searches are to time. */
static uint64_t planned_work(const struct fit *fit)
{
    return FIT_ROUND_WORK * (fit_scaled(fit, STARTS) * ROUNDS +
                             NEAR * fit_effort_rounds((struct fit_effort){.kicks = KICKS})) +
           fit_ends_work(fit) + fit_others_work(fit) + fit_outside_work(fit) + fit_apart_work(fit) +
           fit_centre_work(fit);
}

int fit_find(struct fit *fit, const struct fit_list *list, const struct config *config,
             const struct fit_options *options, char error[FIT_ERROR])
{
    *fit = (struct fit){.list = list, .config = config, .options = *options};
    error[0] = '\0';
    int status = open_cases(fit, error);
    if (status == 0)
        status = allocate(fit);
    if (status == 0 && fit->count == 0) {
        fit->verdict = FIT_NOTHING;
        snprintf(error, FIT_ERROR, "no measurement has a value: fill in those of %s",
                 list->count ? list->items[0].place : "the list");
        return 1;
    }
    fit->model = (struct fit_model){.space = &fit->space,
                                    .cases = fit->cases,
                                    .count = fit->count,
                                    .seed = options->seed,
                                    .stopped = options->stopped,
                                    .context = options->context,
                                    .planned = planned_work(fit),
                                    .progress = options->progress};
    if (status == 0)
        status = fit_model_init(&fit->model, options->threads);
    if (status == 0)
        status = find_all(fit);
    fit->interrupted |= status > 0 && fit_is_stopped(&fit->model);
    if (status > 0 && fit->interrupted)
        snprintf(error, FIT_ERROR, "interrupted before a setting was found");
    else if (status > 0 && !*error)
        snprintf(error, FIT_ERROR, "no setting inside the plausible ranges makes a chip");
    return status;
}

void fit_free(struct fit *fit)
{
    fit_model_free(&fit->model);
    for (size_t c = 0; c < fit->count; c++)
        fit_case_close(&fit->cases[c]);
    for (size_t c = 0; fit->rows && c < fit->count; c++)
        free(fit->rows[c].effect);
    for (size_t a = 0; fit->numbers && a < fit->space.count; a++)
        free(fit->numbers[a].choices);
    free(fit->cases);
    free(fit->parts);
    free(fit->rows);
    free(fit->numbers);
    free(fit->groups);
    fit_set_free(&fit->pool);
    fit_set_free(&fit->settings);
    fit_set_free(&fit->near);
    fit_space_free(&fit->space);
}
