#include "analysis/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/fit_bounds.h"

/* Sizes at an effort of 100. */
enum {
    POOL = 500,
    SET = 96,
    ROUNDS = 64,
    OTHER_SET = 32, /* of each search for a part of the measurements */
    OTHER_ROUNDS = 16,
    NEAR_SET = 16, /* of the search for the nearest setting of all */
    NEAR_ROUNDS = 40,
    ENDS_TRIES = 5,
    ACROSS = 24, /* directions across axes */
    SPREAD = 48  /* settings of the search that are kept beside those far out */
};

static size_t scaled(const struct fit *fit, size_t size)
{
    const size_t n = size * fit->options.effort / 100;
    return n ? n : 1;
}

static bool is_stopped(const struct fit *fit)
{
    return fit->options.stopped && fit->options.stopped();
}

/* --- sensitivity ------------------------------------------------------------------------------ */

/* Points around which axes are moved: the configuration's own, and two of the pool. */
enum { BASES = 3 };

static const double *base_point(const struct fit *fit, unsigned b)
{
    return fit->pool.points + b * fit->space.count;
}

/* The values that an axis is moved to: its ends, or each choice. */
static double place_of(const struct fit_axis *axis, size_t k)
{
    return axis->text ? (double)k : k ? axis->high : axis->low;
}

static void sense_work(void *context, size_t a, unsigned worker)
{
    struct fit *fit = context;
    const struct fit_axis *axis = &fit->space.axes[a];
    const size_t places = axis->text ? (size_t)axis->high + 1 : 2;
    double *point = malloc((fit->space.count + 1) * sizeof *point);
    if (!point)
        fit->model.status = -1;
    for (size_t c = 0; point && c < fit->count; c++)
        for (unsigned b = 0; b < BASES && !is_stopped(fit); b++) {
            double least = INFINITY, most = -INFINITY;
            memcpy(point, base_point(fit, b), fit->space.count * sizeof *point);
            for (size_t k = 0; k < places; k++) {
                point[a] = place_of(axis, k);
                const double value = fit_predict(&fit->model, worker, c, point, false);
                least = value < least ? value : least;
                most = value > most ? value : most;
            }
            if (most - least > fit->rows[c].effect[a])
                fit->rows[c].effect[a] = most - least;
        }
    free(point);
}

/* Which numbers move which measurement. */
static int sense(struct fit *fit)
{
    workers_run(fit->model.workers, fit->space.count, sense_work, fit);
    for (size_t c = 0; c < fit->count; c++)
        for (size_t a = 0; a < fit->space.count; a++)
            if (fit->rows[c].effect[a] > 0) {
                fit->model.sees[c * fit->space.count + a] = true;
                fit->numbers[a].seen = true;
            }
    return fit->model.status;
}

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

/* --- verdict ---------------------------------------------------------------------------------- */

/* Two steps of the least cycles that a total moves by, and a part of what the surrogate misses by:
 * where totals jump, no search comes nearer. */
static double resolution(const struct fit *fit, size_t c)
{
    const struct fit_measurement *m = fit->cases[c].measurement;
    return (m->kind == FIT_TIME ? 0.0025 * m->value : 8) + 0.5 * fit->model.scale[c];
}

/* How near the nearest setting of a set comes, of the active ones. */
static enum fit_verdict judge(const struct fit *fit, const struct fit_set *set, const bool *active)
{
    enum fit_verdict best = FIT_CONTRADICTS;
    for (size_t i = 0; i < set->size; i++) {
        enum fit_verdict verdict = isfinite(set->distance[i]) ? FIT_EXPLAINED : FIT_CONTRADICTS;
        for (size_t c = 0; c < fit->count; c++) {
            if (!active[c])
                continue;
            const double excess = fit_excess(&fit->cases[c], set->predicted[i * fit->count + c]);
            const enum fit_verdict one = excess <= 0                    ? FIT_EXPLAINED
                                         : excess <= resolution(fit, c) ? FIT_NEARLY
                                                                        : FIT_CONTRADICTS;
            verdict = one > verdict ? one : verdict;
        }
        best = verdict < best ? verdict : best;
    }
    return best;
}

/* Whether a part of the measurements can be explained, by a search of its own; into set. */
static int search_part(struct fit *fit, const bool *active, struct fit_set *set,
                       enum fit_verdict *verdict)
{
    int status = fit_set_init(set, &fit->model, OTHER_SET);
    if (status == 0)
        status = fit_search(&fit->model, active, &fit->pool, NULL,
                            (unsigned)scaled(fit, OTHER_ROUNDS), set);
    *verdict = status == 0 ? judge(fit, set, active) : FIT_CONTRADICTS;
    return status;
}

/* --- each measurement by the others ----------------------------------------------------------- */

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int take_left_out(struct fit *fit, size_t c, const struct fit_set *set)
{
    struct fit_row *row = &fit->rows[c];
    double *values = malloc((set->size + 1) * sizeof *values);
    size_t count = 0;
    if (!values)
        return -1;
    for (size_t i = 0; i < set->size; i++)
        if (!isnan(set->predicted[i * fit->count + c]))
            values[count++] = set->predicted[i * fit->count + c];
    if (count) {
        qsort(values, count, sizeof *values, by_value);
        const double margin = (values[count - 1] - values[0]) / 4;
        row->left_out = values[count / 2];
        row->left_low = values[0] - margin;
        row->left_high = values[count - 1] + margin;
    }
    free(values);
    return 0;
}

static int leave_out(struct fit *fit)
{
    bool *active = malloc((fit->count + 1) * sizeof *active);
    int status = active ? 0 : -1;
    for (size_t c = 0; status == 0 && fit->count > 1 && c < fit->count && !is_stopped(fit); c++) {
        struct fit_set set;
        enum fit_verdict verdict;
        memset(active, true, fit->count);
        active[c] = false;
        status = search_part(fit, active, &set, &verdict);
        if (status == 0)
            status = fit_complete(&fit->model, &set);
        if (status == 0)
            status = take_left_out(fit, c, &set);
        fit->rows[c].alone = verdict < FIT_CONTRADICTS;
        fit_set_free(&set);
    }
    free(active);
    return status < 0 ? -1 : 0;
}

/* --- contradictions --------------------------------------------------------------------------- */

/* Take out, one after the other, what the rest contradicts each other without. */
static int find_conflict(struct fit *fit)
{
    bool *active = malloc((fit->count + 1) * sizeof *active);
    int status = active ? 0 : -1;
    if (active)
        memset(active, true, fit->count);
    for (size_t k = 0; status == 0 && k < fit->count && !is_stopped(fit); k++) {
        struct fit_set set;
        enum fit_verdict verdict;
        if (fit->rows[k].alone)
            continue; /* the others are explained: it belongs to every such set */
        active[k] = false;
        status = search_part(fit, active, &set, &verdict);
        active[k] = verdict < FIT_CONTRADICTS;
        fit_set_free(&set);
    }
    for (size_t c = 0; active && c < fit->count; c++)
        fit->rows[c].conflicts = active[c];
    free(active);
    return status < 0 ? -1 : 0;
}

/* One that no setting of the box explains contradicts the model by itself. */
static bool take_impossible(struct fit *fit, const struct fit_box *box)
{
    bool any = false;
    for (size_t c = 0; c < fit->count; c++) {
        fit->rows[c].conflicts = box->impossible[c];
        any |= box->impossible[c];
    }
    return any;
}

/* --- the settings ----------------------------------------------------------------------------- */

/* Numbers that no measurement sees: at their fast ends, at their slow ends, or anywhere. */
static void spread_unseen(struct fit *fit)
{
    for (size_t i = 0; i < fit->settings.size; i++) {
        struct fit_dice dice = fit_dice(fit->options.seed ^ UINT64_C(0x27d4eb2f), i);
        for (size_t a = 0; a < fit->space.count; a++) {
            const struct fit_axis *axis = &fit->space.axes[a];
            const double share = i % 4 == 0   ? axis->high_is_optimistic
                                 : i % 4 == 1 ? !axis->high_is_optimistic
                                 : i % 4 == 2 ? (double)fit_dice_below(&dice, 2)
                                              : fit_dice_real(&dice);
            const double room = axis->high - axis->low;
            if (!fit->numbers[a].seen)
                fit->settings.points[i * fit->space.count + a] =
                    fit_axis_round(axis, axis->low + share * room);
        }
    }
}

static void copy_setting(const struct fit *fit, struct fit_set *to, size_t i,
                         const struct fit_set *from, size_t k)
{
    memcpy(to->points + i * fit->space.count, from->points + k * fit->space.count,
           fit->space.count * sizeof(double));
    memcpy(to->predicted + i * fit->count, from->predicted + k * fit->count,
           fit->count * sizeof(double));
    to->distance[i] = from->distance[k];
}

/* What is kept: settings far out, and some of the search. */
static int keep_settings(struct fit *fit, const struct fit_set *found, const struct fit_set *ends)
{
    const size_t axes = fit->space.count, across = ends->size - 2 * axes;
    size_t seen = 0, count = 0;
    for (size_t a = 0; a < axes; a++)
        seen += fit->numbers[a].seen;
    struct fit_set *kept = &fit->settings;
    fit_set_free(kept);
    const size_t spread = found->size < SPREAD ? found->size : SPREAD;
    if (fit_set_init(kept, &fit->model, spread + 2 * seen + across) != 0)
        return -1;
    for (size_t i = 0; i < spread; i++)
        copy_setting(fit, kept, count++, found, i * found->size / spread);
    for (size_t p = 0; p < ends->size; p++)
        if (p >= 2 * axes || fit->numbers[p / 2].seen)
            copy_setting(fit, kept, count++, ends, p);
    kept->reach = found->reach;
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
        const size_t size = ((size_t)axis->high + 1) * sizeof *number->choices;
        number->choices = malloc(size);
        if (!number->choices)
            return -1;
        memcpy(number->choices, box->choices[a], size);
    }
    return 0;
}

/* How much two numbers rise and fall together over the settings: -1 to 1. */
static double correlation(const struct fit *fit, size_t a, size_t b)
{
    const struct fit_set *set = &fit->settings;
    const size_t axes = fit->space.count;
    const double n = (double)set->size;
    double x = 0, y = 0, xx = 0, yy = 0, xy = 0;
    for (size_t i = 0; i < set->size; i++) {
        const double u = set->points[i * axes + a], v = set->points[i * axes + b];
        x += u;
        y += v;
        xx += u * u;
        yy += v * v;
        xy += u * v;
    }
    const double spread = (xx - x * x / n) * (yy - y * y / n);
    return spread > 1e-12 ? (xy - x * y / n) / sqrt(spread) : 0;
}

static bool alike(const struct fit *fit, size_t a, size_t b)
{
    const struct fit_axis *x = &fit->space.axes[a], *y = &fit->space.axes[b];
    return !x->text && !y->text && fit->numbers[a].seen && fit->numbers[b].seen &&
           strcmp(fit->config->params[x->param].unit, fit->config->params[y->param].unit) == 0;
}

/* Numbers of one unit of which one falls where the other rises. */
static int find_groups(struct fit *fit)
{
    const size_t axes = fit->space.count;
    fit->groups = calloc(axes + 1, sizeof *fit->groups);
    for (size_t a = 0; fit->groups && a < axes; a++)
        for (size_t b = a + 1; b < axes && fit->group_count < axes; b++) {
            if (!alike(fit, a, b) || correlation(fit, a, b) > -0.8)
                continue;
            struct fit_group group = {{a, b}, 2, INFINITY, -INFINITY};
            for (size_t i = 0; i < fit->settings.size; i++) {
                const double *point = fit->settings.points + i * axes;
                const double sum = point[a] + point[b];
                group.low = sum < group.low ? sum : group.low;
                group.high = sum > group.high ? sum : group.high;
            }
            fit->groups[fit->group_count++] = group;
        }
    return fit->groups ? 0 : -1;
}

/* The setting in the middle of all found, where numbers count as much as they move measurements. */
static int choose(struct fit *fit)
{
    const struct fit_set *set = &fit->settings;
    double best = INFINITY;
    double *cost = calloc(set->size + 1, sizeof *cost);
    double *values = malloc((set->size + 1) * sizeof *values);
    for (size_t a = 0; cost && values && a < fit->space.count; a++) {
        const struct fit_axis *axis = &fit->space.axes[a];
        double weight = 0;
        for (size_t c = 0; c < fit->count; c++)
            weight += fit->rows[c].effect[a] / fit->model.scale[c];
        for (size_t i = 0; i < set->size; i++)
            values[i] = set->points[i * fit->space.count + a];
        qsort(values, set->size, sizeof *values, by_value);
        const double middle = values[set->size / 2];
        for (size_t i = 0; i < set->size; i++)
            cost[i] += weight * fabs(set->points[i * fit->space.count + a] - middle) /
                       (axis->high - axis->low);
    }
    /* Of what does not explain all, the nearest. */
    for (size_t i = 0; cost && values && i < set->size; i++) {
        const double rank = fit_is_explained(fit) ? cost[i] : set->distance[i] * 1e6 + cost[i];
        if (rank < best) {
            best = rank;
            fit->chosen = i;
        }
    }
    const int status = cost && values ? 0 : -1;
    free(cost);
    free(values);
    return status;
}

static void take_rows(struct fit *fit)
{
    const struct fit_set *set = &fit->settings;
    const double *chosen = set->points + fit->chosen * fit->space.count;
    for (size_t a = 0; a < fit->space.count; a++)
        fit->numbers[a].value = chosen[a];
    for (size_t c = 0; c < fit->count; c++) {
        struct fit_row *row = &fit->rows[c];
        row->predicted = set->predicted[fit->chosen * fit->count + c];
        row->excess = fit_excess(&fit->cases[c], row->predicted);
        row->low = row->high = row->predicted;
        for (size_t i = 0; i < set->size; i++) {
            const double value = set->predicted[i * fit->count + c];
            row->low = value < row->low ? value : row->low;
            row->high = value > row->high ? value : row->high;
        }
    }
}

bool fit_is_explained(const struct fit *fit)
{
    return fit->verdict == FIT_EXPLAINED || fit->verdict == FIT_NEARLY;
}

/* --- the whole -------------------------------------------------------------------------------- */

/* The nearest setting alone, from those found; it decides, and takes the place of the first. */
static int search_near(struct fit *fit, const bool *all, struct fit_set *found)
{
    struct fit_set near;
    int status = fit_set_init(&near, &fit->model, NEAR_SET);
    size_t best = 0;
    if (status == 0)
        status =
            fit_search(&fit->model, all, found, NULL, (unsigned)scaled(fit, NEAR_ROUNDS), &near);
    if (status == 0)
        fit->verdict = judge(fit, &near, all);
    for (size_t i = 1; status == 0 && i < near.size; i++)
        if (near.distance[i] < near.distance[best])
            best = i;
    if (status == 0 && near.distance[best] < found->distance[0])
        copy_setting(fit, found, 0, &near, best);
    fit_set_free(&near);
    return status;
}

static int search(struct fit *fit)
{
    struct fit_set ends = {.size = 0}, found;
    bool *all = malloc((fit->count + 1) * sizeof *all);
    int status = all ? fit_set_init(&found, &fit->model, SET) : -1;
    if (!all)
        return -1;
    memset(all, true, fit->count);
    if (status == 0)
        status =
            fit_search(&fit->model, all, &fit->pool, NULL, (unsigned)scaled(fit, ROUNDS), &found);
    if (status == 0)
        status = search_near(fit, all, &found);
    if (status == 0)
        status = fit_set_init(&ends, &fit->model, 2 * fit->space.count + ACROSS);
    if (status == 0)
        status = fit_push(&fit->model, all, &found, (unsigned)scaled(fit, ENDS_TRIES), &ends);
    if (status == 0)
        status = keep_settings(fit, &found, &ends);
    fit_set_free(&found);
    fit_set_free(&ends);
    free(all);
    return status;
}

static int find_all(struct fit *fit)
{
    struct fit_box box = {.low = NULL};
    int status = fit_set_init(&fit->pool, &fit->model, scaled(fit, POOL) + BASES);
    if (status == 0)
        status = fit_pool(&fit->model, &fit->pool);
    if (status == 0) {
        take_own_point(fit);
        status = sense(fit);
    }
    if (status == 0)
        status = fit_learn(&fit->model, &fit->pool);
    if (status == 0)
        status = fit_box_init(&box, &fit->model);
    if (status == 0)
        status = fit_bounds(&fit->model, &box);
    if (status == 0)
        status = search(fit);
    if (status == 0)
        status = leave_out(fit);
    if (status == 0 && take_impossible(fit, &box))
        fit->verdict = FIT_CONTRADICTS;
    else if (status == 0 && !fit_is_explained(fit))
        status = find_conflict(fit);
    fit->interrupted = is_stopped(fit);
    if (status == 0 && !fit->interrupted) /* else it is not known what is unseen */
        spread_unseen(fit);
    if (status == 0)
        status = take_numbers(fit, &box);
    if (status == 0)
        status = find_groups(fit) | choose(fit);
    if (status == 0)
        take_rows(fit);
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

static int allocate(struct fit *fit)
{
    int status = fit_space_init(&fit->space, fit->config);
    fit->rows = calloc(fit->count + 1, sizeof *fit->rows);
    fit->numbers = calloc(fit->space.count + 1, sizeof *fit->numbers);
    for (size_t c = 0; fit->rows && c < fit->count; c++) {
        fit->rows[c].left_out = fit->rows[c].left_low = fit->rows[c].left_high = NAN;
        fit->rows[c].effect = calloc(fit->space.count + 1, sizeof(double));
        status = fit->rows[c].effect ? status : -1;
    }
    return fit->rows && fit->numbers ? status : -1;
}

int fit_find(struct fit *fit, const struct fit_list *list, const struct config *config,
             const struct fit_options *options, char error[FIT_ERROR])
{
    *fit = (struct fit){.list = list, .config = config, .options = *options};
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
                                    .stopped = options->stopped};
    if (status == 0)
        status = fit_model_init(&fit->model, options->threads);
    if (status == 0)
        status = find_all(fit);
    if (status > 0)
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
    free(fit->rows);
    free(fit->numbers);
    free(fit->groups);
    fit_set_free(&fit->pool);
    fit_set_free(&fit->settings);
    fit_space_free(&fit->space);
}
