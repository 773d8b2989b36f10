#include "analysis/fit_centre.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/fit_descend.h"
#include "analysis/fit_others.h"
#include "analysis/fit_probes.h"

/* Sizes at an effort of 100. */
enum {
    STARTS = 8,
    ROUNDS = 4,
    SPREAD = 8, /* what a probe's whole spread away from its median costs */
    MISSES = 4  /* what the measurements may cost more than with the nearest setting */
};

/* --- measurements and probes ------------------------------------------------------------------ */

struct centre {
    struct fit *fit;
    struct fit_probes probes;
    struct fit_case *cases; /* those of the fit, then a probe each */
    size_t count;
    struct fit_model model;
    struct fit_set settings, found;
};

/* 1: the chip refuses a probe. */
static int open_probes(struct centre *centre)
{
    struct fit *fit = centre->fit;
    const struct machine *machine = fit->list->machine;
    struct fit_probes *probes = &centre->probes;
    char error[FIT_ERROR];
    int status = fit_probes_list(probes, machine);
    centre->cases = calloc(fit->count + probes->count + 1, sizeof *centre->cases);
    if (status != 0 || !centre->cases)
        return -1;
    memcpy(centre->cases, fit->cases, fit->count * sizeof *centre->cases);
    centre->count = fit->count;
    for (size_t i = 0; status == 0 && i < probes->count; i++)
        status = fit_case_open(&centre->cases[centre->count++], machine, fit->config,
                               &probes->items[i], error);
    return status;
}

/* The settings as points of the model with probes. What no measurement sees stays as it is. */
static int take_settings(struct centre *centre)
{
    const struct fit *fit = centre->fit;
    const size_t axes = fit->space.count, count = centre->count;
    struct fit_set *set = &centre->settings;
    memcpy(set->points, fit->settings.points, set->size * axes * sizeof *set->points);
    for (size_t i = 0; i < set->size; i++) {
        for (size_t a = 0; a < axes; a++)
            if (!fit->numbers[a].seen)
                set->points[i * axes + a] = fit->pool.points[a];
        for (size_t c = 0; c < count; c++)
            set->predicted[i * count + c] =
                c < fit->count ? fit->settings.predicted[i * fit->count + c] : NAN;
    }
    return fit_complete(&centre->model, set);
}

/* A probe is as if it had been measured as the median of the settings. */
static void take_median(struct centre *centre, size_t c, double *values)
{
    const struct fit *fit = centre->fit;
    const size_t axes = fit->space.count;
    size_t n = 0;
    for (size_t i = 0; i < centre->settings.size; i++) {
        const double value = centre->settings.predicted[i * centre->count + c];
        if (!isnan(value))
            values[n++] = value;
    }
    centre->probes.items[c - fit->count].value = fit_median(values, n);
    const double spread = n ? values[n - 1] - values[0] : 0;
    centre->model.scale[c] = spread > 0 ? spread / SPREAD : INFINITY;
    for (size_t a = 0; a < axes; a++)
        centre->model.sees[c * axes + a] = spread > 0 && fit->numbers[a].seen;
}

static int open_model(struct centre *centre)
{
    const struct fit *fit = centre->fit;
    centre->model = (struct fit_model){.space = &fit->space,
                                       .cases = centre->cases,
                                       .count = centre->count,
                                       .seed = fit->options.seed,
                                       .stopped = fit->options.stopped,
                                       .context = fit->options.context,
                                       .done = fit->model.done,
                                       .planned = fit->model.planned,
                                       .progress = fit->options.progress};
    const size_t starts = fit_scaled(fit, STARTS);
    if (fit_model_init(&centre->model, fit->options.threads) != 0 ||
        fit_set_init(&centre->settings, &centre->model, fit->settings.size) != 0 ||
        fit_set_init(&centre->found, &centre->model,
                     starts < fit->settings.size ? starts : fit->settings.size) != 0)
        return -1;
    memcpy(centre->model.sees, fit->model.sees,
           fit->count * fit->space.count * sizeof *centre->model.sees);
    return 0;
}

static int descend(struct centre *centre)
{
    const size_t starts = centre->found.size, most = centre->settings.size;
    bool *all = malloc(starts * centre->count + 1);
    double *values = calloc(most + 1, sizeof *values);
    int status = all && values ? take_settings(centre) : -1;
    for (size_t c = centre->fit->count; status == 0 && c < centre->count; c++)
        take_median(centre, c, values);
    if (status == 0) {
        memset(all, true, starts * centre->count);
        status =
            fit_descend(&centre->model, all, &centre->settings,
                        (struct fit_effort){.starts = starts, .rounds = ROUNDS}, &centre->found);
    }
    free(all);
    free(values);
    return status;
}

/* --- the choice ------------------------------------------------------------------------------- */

/* What the measurements alone cost. */
static double own_cost(const struct centre *centre, size_t i)
{
    double cost = 0;
    for (size_t c = 0; c < centre->fit->count; c++)
        cost += fit_case_cost(&centre->model, c, centre->found.predicted[i * centre->count + c]);
    return cost;
}

/* Adds a point to the settings, as the chosen one. */
static int add_setting(const struct centre *centre, size_t i, double cost)
{
    struct fit *fit = centre->fit;
    struct fit_set more;
    const size_t axes = fit->space.count, size = fit->settings.size;
    if (fit_set_init(&more, &fit->model, size + 1) != 0) {
        fit_set_free(&more);
        return -1;
    }
    for (size_t k = 0; k < size; k++)
        fit_copy_point(&fit->model, &more, k, &fit->settings, k);
    memcpy(more.points + size * axes, centre->found.points + i * axes, axes * sizeof *more.points);
    memcpy(more.predicted + size * fit->count, centre->found.predicted + i * centre->count,
           fit->count * sizeof *more.predicted);
    more.distance[size] = cost;
    more.reach = fit->settings.reach;
    fit_set_free(&fit->settings);
    fit->settings = more;
    fit->chosen = size;
    return 0;
}

/* The least cost of all, among those that explain the measurements about as well as any. */
static int choose(const struct centre *centre, bool *found)
{
    const struct fit *fit = centre->fit;
    double nearest = INFINITY, least = INFINITY;
    for (size_t i = 0; i < fit->settings.size; i++)
        nearest = fit->settings.distance[i] < nearest ? fit->settings.distance[i] : nearest;
    const double limit = nearest > 0 ? nearest + MISSES : 0;
    size_t best = 0;
    for (size_t i = 0; i < centre->found.size; i++)
        if (centre->found.distance[i] < least && own_cost(centre, i) <= limit) {
            least = centre->found.distance[i];
            best = i;
        }
    *found = isfinite(least);
    return *found ? add_setting(centre, best, own_cost(centre, best)) : 0;
}

int fit_centre(struct fit *fit, bool *found)
{
    struct centre centre = {.fit = fit};
    *found = false;
    if (!fit->list->machine->timing->probes || fit_is_stopped(&fit->model))
        return 0;
    int status = open_probes(&centre);
    if (status == 0)
        status = open_model(&centre);
    if (status == 0)
        status = descend(&centre);
    if (status == 0 && !fit_is_stopped(&fit->model))
        status = choose(&centre, found);
    fit_set_free(&centre.settings);
    fit_set_free(&centre.found);
    fit_model_free(&centre.model);
    for (size_t c = fit->count; c < centre.count; c++)
        fit_case_close(&centre.cases[c]);
    fit_probes_free(&centre.probes);
    free(centre.cases);
    return status < 0 ? -1 : 0;
}

uint64_t fit_centre_work(const struct fit *fit)
{
    return fit->list->machine->timing->probes
               ? (uint64_t)FIT_ROUND_WORK * fit_scaled(fit, STARTS) * ROUNDS
               : 0;
}
