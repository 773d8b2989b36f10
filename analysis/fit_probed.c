#include "analysis/fit_probed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int open_probes(struct fit_probed *probed)
{
    struct fit *fit = probed->fit;
    const struct machine *machine = fit->list->machine;
    struct fit_probes *probes = &probed->probes;
    char error[FIT_ERROR];
    int status = fit_probes_list(probes, machine);
    probed->cases = calloc(fit->count + probes->count + 1, sizeof *probed->cases);
    if (status != 0 || !probed->cases)
        return -1;
    memcpy(probed->cases, fit->cases, fit->count * sizeof *probed->cases);
    probed->count = fit->count;
    for (size_t i = 0; status == 0 && i < probes->count; i++)
        status = fit_case_open(&probed->cases[probed->count++], machine, fit->config,
                               &probes->items[i], error);
    return status;
}

static int open_model(struct fit_probed *probed)
{
    const struct fit *fit = probed->fit;
    probed->model = (struct fit_model){.space = &fit->space,
                                       .cases = probed->cases,
                                       .count = probed->count,
                                       .seed = fit->options.seed,
                                       .stopped = fit->options.stopped,
                                       .context = fit->options.context,
                                       .done = fit->model.done,
                                       .planned = fit->model.planned,
                                       .progress = fit->options.progress};
    if (fit_model_init(&probed->model, fit->options.threads) != 0)
        return -1;
    memcpy(probed->model.sees, fit->model.sees,
           fit->count * fit->space.count * sizeof *probed->model.sees);
    return fit_set_init(&probed->settings, &probed->model, fit->settings.size);
}

static int take_settings(struct fit_probed *probed)
{
    const struct fit *fit = probed->fit;
    const size_t axes = fit->space.count, count = probed->count;
    struct fit_set *set = &probed->settings;
    memcpy(set->points, fit->settings.points, set->size * axes * sizeof *set->points);
    memcpy(set->distance, fit->settings.distance, set->size * sizeof *set->distance);
    for (size_t i = 0; i < set->size; i++) {
        for (size_t a = 0; a < axes; a++)
            if (!fit->numbers[a].seen)
                set->points[i * axes + a] = fit->pool.points[a];
        for (size_t c = 0; c < count; c++)
            set->predicted[i * count + c] =
                c < fit->count ? fit->settings.predicted[i * fit->count + c] : NAN;
    }
    return fit_complete(&probed->model, set);
}

int fit_probed_open(struct fit_probed *probed, struct fit *fit)
{
    *probed = (struct fit_probed){.fit = fit};
    int status = open_probes(probed);
    if (status == 0)
        status = open_model(probed);
    return status ? status : take_settings(probed);
}

void fit_probed_close(struct fit_probed *probed)
{
    probed->fit->model.done = probed->model.done;
    fit_set_free(&probed->settings);
    fit_model_free(&probed->model);
    for (size_t c = probed->fit->count; c < probed->count; c++)
        fit_case_close(&probed->cases[c]);
    fit_probes_free(&probed->probes);
    free(probed->cases);
}

double fit_probed_value(const struct fit_probed *probed, const struct fit_set *set, size_t i,
                        size_t c)
{
    return set->predicted[i * probed->count + c];
}

bool fit_probed_extremes(const struct fit_probed *probed, size_t c, size_t extremes[2])
{
    const struct fit_set *set = &probed->settings;
    double least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < set->size; i++) {
        const double value = fit_probed_value(probed, set, i, c);
        if (isnan(value) || set->distance[i] > probed->fit->reach)
            continue;
        if (value > most) {
            most = value;
            extremes[0] = i;
        }
        if (value < least) {
            least = value;
            extremes[1] = i;
        }
    }
    return most > least;
}

double fit_probed_cost(const struct fit_probed *probed, const struct fit_set *set, size_t i)
{
    double cost = 0;
    for (size_t c = 0; c < probed->fit->count; c++)
        cost += fit_case_cost(&probed->model, c, set->predicted[i * probed->count + c]);
    return cost;
}

int fit_probed_keep(const struct fit_probed *probed, const struct fit_set *set,
                    const size_t *points, size_t count)
{
    struct fit *fit = probed->fit;
    struct fit_set more;
    const size_t axes = fit->space.count, size = fit->settings.size;
    if (fit_set_init(&more, &fit->model, size + count) != 0) {
        fit_set_free(&more);
        return -1;
    }
    for (size_t k = 0; k < size; k++)
        fit_copy_point(&fit->model, &more, k, &fit->settings, k);
    for (size_t k = 0; k < count; k++) {
        const size_t at = size + k, i = points[k];
        memcpy(more.points + at * axes, set->points + i * axes, axes * sizeof *more.points);
        memcpy(more.predicted + at * fit->count, set->predicted + i * probed->count,
               fit->count * sizeof *more.predicted);
        more.distance[at] = fit_probed_cost(probed, set, i);
    }
    more.reach = fit->settings.reach;
    fit_set_free(&fit->settings);
    fit->settings = more;
    return 0;
}
