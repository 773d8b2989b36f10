#include "analysis/fit_centre.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/fit_descend.h"
#include "analysis/fit_others.h"
#include "analysis/fit_probed.h"

/* Sizes at an effort of 100. */
enum {
    STARTS = 8,
    ROUNDS = 4,
    SPREAD = 8, /* what a probe's whole spread away from its median costs */
    MISSES = 4  /* what the measurements may cost more than with the nearest setting */
};

/* A probe is as if it had been measured as the median of the settings. */
static void take_median(struct fit_probed *probed, size_t c, double *values)
{
    const struct fit *fit = probed->fit;
    const size_t axes = fit->space.count;
    size_t n = 0;
    for (size_t i = 0; i < probed->settings.size; i++) {
        const double value = probed->settings.predicted[i * probed->count + c];
        if (!isnan(value))
            values[n++] = value;
    }
    probed->probes.items[c - fit->count].value = fit_median(values, n);
    const double spread = n ? values[n - 1] - values[0] : 0;
    probed->model.scale[c] = spread > 0 ? spread / SPREAD : INFINITY;
    for (size_t a = 0; a < axes; a++)
        probed->model.sees[c * axes + a] = spread > 0 && fit->numbers[a].seen;
}

static int descend(struct fit_probed *probed, struct fit_set *ends)
{
    const size_t starts = fit_scaled(probed->fit, STARTS), most = probed->settings.size;
    const size_t size = starts < most ? starts : most;
    bool *all = malloc(size * probed->count + 1);
    double *values = calloc(most + 1, sizeof *values);
    int status = fit_set_init(ends, &probed->model, size) | (all && values ? 0 : -1);
    for (size_t c = probed->fit->count; status == 0 && c < probed->count; c++)
        take_median(probed, c, values);
    if (status == 0) {
        memset(all, true, size * probed->count);
        status = fit_descend(&probed->model, all, &probed->settings,
                             (struct fit_effort){.starts = size, .rounds = ROUNDS}, ends);
    }
    free(all);
    free(values);
    return status;
}

/* The least cost of all, among those that explain the measurements about as well as any. */
static int choose(const struct fit_probed *probed, const struct fit_set *ends, bool *found)
{
    struct fit *fit = probed->fit;
    double nearest = INFINITY, least = INFINITY;
    for (size_t i = 0; i < fit->settings.size; i++)
        nearest = fit->settings.distance[i] < nearest ? fit->settings.distance[i] : nearest;
    const double limit = nearest > 0 ? nearest + MISSES : 0;
    size_t best = 0;
    for (size_t i = 0; i < ends->size; i++)
        if (ends->distance[i] < least && fit_probed_cost(probed, ends, i) <= limit) {
            least = ends->distance[i];
            best = i;
        }
    *found = isfinite(least);
    if (!*found)
        return 0;
    fit->chosen = fit->settings.size;
    return fit_probed_keep(probed, ends, &best, 1);
}

int fit_centre(struct fit *fit, bool *found)
{
    *found = false;
    if (!fit->list->machine->timing->probes || fit_is_stopped(&fit->model))
        return 0;
    struct fit_probed probed;
    struct fit_set ends = {.size = 0};
    int status = fit_probed_open(&probed, fit);
    if (status == 0)
        status = descend(&probed, &ends);
    if (status == 0 && !fit_is_stopped(&fit->model))
        status = choose(&probed, &ends, found);
    fit_set_free(&ends);
    fit_probed_close(&probed);
    return status < 0 ? -1 : 0;
}

uint64_t fit_centre_work(const struct fit *fit)
{
    return fit->list->machine->timing->probes
               ? (uint64_t)FIT_ROUND_WORK * fit_scaled(fit, STARTS) * ROUNDS
               : 0;
}
