#include "analysis/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/fit_bounds.h"
#include "analysis/fit_descend.h"
#include "analysis/fit_middle.h"

/* Sizes at an effort of 100: two minutes of two processors for ten programs of a thousand
 * transfers. */
enum {
    POOL = 240,
    STARTS = 12,
    OTHER_STARTS = 2, /* of each search for the measurements but one */
    OTHER_SET = 4,    /* points that go outwards from there */
    OTHER_ROUNDS = 20,
    ENDS_ROUNDS = 36,
    ACROSS = 24 /* directions across axes */
};

static size_t scaled(const struct fit *fit, size_t size)
{
    const size_t n = size * fit->options.effort / 100;
    return n ? n : 1;
}

/* Descents of a search: each begins at a point of the pool. */
static size_t starts_of(const struct fit *fit, size_t usual, size_t least)
{
    const size_t wanted = scaled(fit, usual) > least ? scaled(fit, usual) : least;
    return wanted < fit->pool.size ? wanted : fit->pool.size;
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

/* What a search may leave of a chip that the model describes: totals jump with a number, so it
 * comes near a setting that explains all and may not find it. Two hundredths of the value are what
 * a fit may predict other programs by; of a value that hardly moves, a tenth of what it moves by.
 * A contradiction smaller than that would be a belief only. */
static double resolution(const struct fit *fit, size_t c)
{
    const double share = 0.02 * fabs(fit->cases[c].measurement->value);
    const double part = 0.1 * fit->rows[c].spread;
    return share < part ? share : part;
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
    }
}

/* How many measurements point i of a set misses by more than a search resolves; the last of them.
 * */
static size_t count_missed(const struct fit *fit, const struct fit_set *set, size_t i, size_t *last)
{
    size_t missed = 0;
    for (size_t c = 0; c < fit->count; c++) {
        const double excess = fit_excess(&fit->cases[c], set->predicted[i * fit->count + c]);
        if (excess <= resolution(fit, c))
            continue;
        *last = c;
        missed++;
    }
    return missed;
}

static enum fit_verdict judge(const struct fit *fit, const struct fit_set *set)
{
    enum fit_verdict best = FIT_CONTRADICTS;
    size_t last;
    for (size_t i = 0; i < set->size; i++) {
        if (set->distance[i] <= 0)
            return FIT_EXPLAINED;
        if (isfinite(set->distance[i]) && count_missed(fit, set, i, &last) == 0)
            best = FIT_NEARLY;
    }
    return best;
}

/* A point that misses a single measurement explains the others: that one is a suspect. */
static void take_suspects(struct fit *fit, const struct fit_set *set)
{
    size_t best = 0, last = 0;
    for (size_t i = 0; i < set->size; i++) {
        best = set->distance[i] < set->distance[best] ? i : best;
        if (isfinite(set->distance[i]) && count_missed(fit, set, i, &last) == 1)
            fit->rows[last].alone = true;
    }
    for (size_t c = 0; c < fit->count; c++) {
        const double excess = fit_excess(&fit->cases[c], set->predicted[best * fit->count + c]);
        fit->rows[c].conflicts = excess > resolution(fit, c);
    }
}

/* --- each measurement by the others ----------------------------------------------------------- */

static void take_left_out(struct fit_row *row, size_t c, const struct fit_set *set, size_t count)
{
    double least = INFINITY, most = -INFINITY, sum = 0, n = 0;
    for (size_t i = 0; i < set->size; i++) {
        const double value = set->predicted[i * count + c];
        row->others = set->distance[i] < row->others ? set->distance[i] : row->others;
        if (set->distance[i] > set->reach || isnan(value))
            continue;
        least = value < least ? value : least;
        most = value > most ? value : most;
        sum += value;
        n++;
    }
    if (n > 0) {
        row->left_out = sum / n;
        row->left_low = least - (most - least) / 4;
        row->left_high = most + (most - least) / 4;
    }
}

/* From the ends of the searches for the others, to the least and the greatest it may be. */
static int leave_one_out(struct fit *fit, size_t c, const bool *active, const struct fit_set *found)
{
    struct fit_set set, donors;
    const size_t starts = found->size / fit->count;
    int status =
        fit_set_init(&set, &fit->model, OTHER_SET) | fit_set_init(&donors, &fit->model, starts);
    const struct fit_goal goal = {.active = active, .reach = c, .donors = &fit->settings};
    for (size_t i = 0; status == 0 && i < starts; i++)
        fit_copy_point(&fit->model, &donors, i, found, c * starts + i);
    donors.reach = status == 0 ? fit_level(&donors, 0.5) : 0;
    if (status == 0 && isfinite(donors.reach)) {
        fit_replace_far(&fit->model, &donors);
        for (size_t i = 0; i < OTHER_SET; i++)
            fit_copy_point(&fit->model, &set, i, &donors, i / 2 % starts);
        set.reach = donors.reach > fit->reach ? donors.reach : fit->reach;
        status = fit_search(&fit->model, &goal, (unsigned)scaled(fit, OTHER_ROUNDS), &set);
        take_left_out(&fit->rows[c], c, &set, fit->count);
    }
    fit_set_free(&set);
    fit_set_free(&donors);
    return status;
}

/* Searches that have not seen one of the measurements each. */
static int leave_out(struct fit *fit)
{
    const size_t starts = starts_of(fit, OTHER_STARTS, 2);
    const size_t size = fit->count * starts;
    struct fit_set found;
    bool *active = malloc(size * fit->count + 1);
    int status = fit_set_init(&found, &fit->model, size) | (active ? 0 : -1);
    for (size_t i = 0; active && i < size * fit->count; i++)
        active[i] = i / fit->count / starts != i % fit->count;
    if (status == 0)
        status = fit_descend(&fit->model, active, &fit->pool, starts, &found);
    if (status == 0)
        status = fit_complete(&fit->model, &found);
    for (size_t c = 0; status == 0 && c < fit->count && !is_stopped(fit); c++)
        status = leave_one_out(fit, c, active + c * starts * fit->count, &found);
    fit_set_free(&found);
    free(active);
    return status;
}

/* --- contradictions --------------------------------------------------------------------------- */

/* A suspect inside the range that the others leave contradicts nothing: the search did not resolve
 * it. */
static void doubt_contradiction(struct fit *fit)
{
    bool suspects = false, outside = false;
    for (size_t c = 0; c < fit->count; c++) {
        struct fit_row *row = &fit->rows[c];
        suspects |= row->alone;
        row->alone = row->alone &&
                     (isnan(row->left_out) || !fit_left_inside(row, fit->cases[c].measurement));
        outside |= row->alone;
    }
    if (fit->verdict == FIT_CONTRADICTS && suspects && !outside)
        fit->verdict = FIT_NEARLY;
}

/* When all are explained: the one that is far from what the others leave, when no other is nearly
 * as far. Its numbers may explain it, too; it is worth a second measurement. */
static void find_outlier(struct fit *fit)
{
    const double far = 0.1, times = 3;
    double most = 0, second = 0;
    size_t outlier = 0;
    for (size_t c = 0; c < fit->count && fit->verdict != FIT_CONTRADICTS; c++) {
        const double off = fit_left_off(&fit->rows[c], fit->cases[c].measurement);
        second = off > most ? most : off > second ? off : second;
        outlier = off > most ? c : outlier;
        most = off > most ? off : most;
    }
    if (most > far && most > times * second)
        fit->rows[outlier].alone = true;
}

/* One that no setting of the box explains contradicts the model by itself: that is proven. */
static void take_impossible(struct fit *fit, const struct fit_box *box)
{
    bool any = false;
    for (size_t c = 0; c < fit->count; c++)
        any |= box->impossible[c];
    for (size_t c = 0; any && c < fit->count; c++) {
        fit->rows[c].impossible = fit->rows[c].conflicts = box->impossible[c];
        fit->rows[c].alone = false;
        fit->verdict = FIT_CONTRADICTS;
    }
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

/* What is kept: the settings that were found, and those far out. */
static int keep_settings(struct fit *fit, const struct fit_set *found, const struct fit_set *ends)
{
    const size_t axes = fit->space.count, across = ends->size - 2 * axes;
    size_t seen = 0, count = 0;
    for (size_t a = 0; a < axes; a++)
        seen += fit->numbers[a].seen;
    struct fit_set *kept = &fit->settings;
    fit_set_free(kept);
    if (fit_set_init(kept, &fit->model, found->size + 2 * seen + across) != 0)
        return -1;
    for (size_t i = 0; i < found->size; i++)
        fit_copy_point(&fit->model, kept, count++, found, i);
    for (size_t p = 0; p < ends->size; p++)
        if (p >= 2 * axes || fit->numbers[p / 2].seen)
            fit_copy_point(&fit->model, kept, count++, ends, p);
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
static int push_out(struct fit *fit, const bool *all, const struct fit_set *found,
                    struct fit_set *ends)
{
    const size_t axes = fit->space.count;
    double *ways = make_directions(fit, ends->size);
    const struct fit_goal goal = {
        .active = all, .reach = fit->count, .directions = ways, .donors = found};
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
        status = fit_search(&fit->model, &goal, (unsigned)scaled(fit, ENDS_ROUNDS), ends);
    free(ways);
    return status;
}

/* What no setting explains: which measurements would be missed if these were to be few. */
static int find_suspects(struct fit *fit, const bool *all, size_t starts)
{
    struct fit_set set;
    int status = fit_set_init(&set, &fit->model, starts);
    fit->model.robust = true;
    if (status == 0)
        status = fit_descend(&fit->model, all, &fit->pool, starts, &set);
    if (status == 0)
        fit->verdict = judge(fit, &set);
    if (status == 0 && fit->verdict == FIT_CONTRADICTS)
        take_suspects(fit, &set);
    fit->model.robust = false;
    fit_set_free(&set);
    return status;
}

static int search(struct fit *fit)
{
    const size_t starts = starts_of(fit, STARTS, 4);
    struct fit_set ends = {.size = 0}, found;
    bool *all = malloc(starts * fit->count + 1);
    int status = fit_set_init(&found, &fit->model, starts) | (all ? 0 : -1);
    if (all)
        memset(all, true, starts * fit->count);
    if (status == 0)
        status = fit_descend(&fit->model, all, &fit->pool, starts, &found);
    if (status == 0)
        fit->verdict = judge(fit, &found);
    if (status == 0 && fit->verdict == FIT_CONTRADICTS)
        status = find_suspects(fit, all, starts);
    if (status == 0) {
        /* What explains all does not stand alone: other numbers, which cost a little more, are as
         * likely to be near one that explains all and was not found. */
        fit->reach = found.reach = 2 * fit_level(&found, 0.75);
        status = isfinite(found.reach) ? 0 : 1;
    }
    if (status == 0) {
        fit_replace_far(&fit->model, &found);
        status = fit_set_init(&ends, &fit->model, 2 * fit->space.count + ACROSS);
    }
    if (status == 0)
        status = push_out(fit, all, &found, &ends);
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
    int status = fit_set_init(&fit->pool, &fit->model,
                              (scaled(fit, POOL) < POOL ? scaled(fit, POOL) : POOL) + BASES);
    if (status == 0)
        status = fit_pool(&fit->model, &fit->pool);
    if (status == 0) {
        take_own_point(fit);
        take_spreads(fit);
        status = sense(fit);
    }
    if (status == 0)
        status = fit_box_init(&box, &fit->model);
    if (status == 0)
        status = fit_bounds(&fit->model, &box);
    if (status == 0)
        status = search(fit);
    if (status == 0)
        status = fit->count > 1 ? leave_out(fit) : 0;
    if (status == 0) {
        doubt_contradiction(fit);
        find_outlier(fit);
    }
    if (status == 0)
        take_impossible(fit, &box);
    fit->interrupted = is_stopped(fit);
    if (status == 0 && !fit->interrupted) /* else it is not known what is unseen */
        spread_unseen(fit);
    if (status == 0)
        status = take_numbers(fit, &box);
    if (status == 0)
        status = fit_find_groups(fit) | fit_choose_setting(fit);
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
        fit->rows[c].others = INFINITY;
        fit->rows[c].left_out = fit->rows[c].left_low = fit->rows[c].left_high = NAN;
        fit->rows[c].effect = calloc(fit->space.count + 1, sizeof(double));
        status = fit->rows[c].effect ? status : -1;
    }
    return fit->rows && fit->numbers ? status : -1;
}

/* Points that the searches are to time. */
static uint64_t planned_work(const struct fit *fit)
{
    const size_t others = fit->count > 1 ? fit->count : 0;
    return FIT_DESCENT_WORK * (scaled(fit, STARTS) + others * scaled(fit, OTHER_STARTS)) +
           (2 * fit->space.count + ACROSS) * scaled(fit, ENDS_ROUNDS) +
           others * OTHER_SET * scaled(fit, OTHER_ROUNDS);
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
                                    .stopped = options->stopped,
                                    .planned = planned_work(fit),
                                    .progress = options->progress};
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
