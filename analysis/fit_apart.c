#include "analysis/fit_apart.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/fit_others.h"
#include "analysis/fit_probed.h"

enum {
    ROUNDS = 24 /* at an effort of 100 */
};

/* Those that got farther than any setting before. */
static int keep_farther(const struct fit_probed *probed, const struct fit_set *ends,
                        const size_t *reach, const size_t *from)
{
    size_t *points = calloc(ends->size + 1, sizeof *points), count = 0;
    for (size_t i = 0; points && i < ends->size; i++) {
        const double before = fit_probed_value(probed, &probed->settings, from[i], reach[i]);
        const double after = fit_probed_value(probed, ends, i, reach[i]);
        if (ends->distance[i] <= ends->reach && (i % 2 ? after < before : after > before))
            points[count++] = i;
    }
    const int status = points ? fit_probed_keep(probed, ends, points, count) : -1;
    free(points);
    return status;
}

static int push_apart(struct fit_probed *probed)
{
    struct fit *fit = probed->fit;
    const size_t most = 2 * probed->probes.count;
    size_t *from = calloc(most + 1, sizeof *from), *reach = calloc(most + 1, sizeof *reach);
    bool *active = calloc(probed->count + 1, sizeof *active);
    struct fit_set ends;
    int status = fit_set_init(&ends, &probed->model, most) | (from && reach && active ? 0 : -1);
    if (status == 0) {
        memset(active, true, fit->count * sizeof *active);
        ends.size = 0;
        for (size_t c = fit->count; c < probed->count; c++)
            if (fit_probed_extremes(probed, c, from + ends.size)) {
                reach[ends.size] = reach[ends.size + 1] = c;
                ends.size += 2;
            }
        for (size_t i = 0; i < ends.size; i++)
            fit_copy_point(&probed->model, &ends, i, &probed->settings, from[i]);
        ends.reach = fit->reach;
        const struct fit_goal goal = {
            .active = active, .reach = reach, .donors = &probed->settings};
        status = fit_search(&probed->model, &goal, (unsigned)fit_scaled(fit, ROUNDS), &ends);
    }
    if (status == 0 && !fit_is_stopped(&fit->model))
        status = keep_farther(probed, &ends, reach, from);
    fit_set_free(&ends);
    free(from);
    free(reach);
    free(active);
    return status;
}

int fit_push_apart(struct fit *fit)
{
    if (!fit->list->machine->timing->probes || fit->verdict == FIT_CONTRADICTS ||
        fit_is_stopped(&fit->model))
        return 0;
    struct fit_probed probed;
    int status = fit_probed_open(&probed, fit);
    if (status == 0)
        status = push_apart(&probed);
    fit_probed_close(&probed);
    return status < 0 ? -1 : 0;
}

uint64_t fit_apart_work(const struct fit *fit)
{
    const uint64_t usual = 100; /* points */
    return fit->list->machine->timing->probes ? usual * fit_scaled(fit, ROUNDS) : 0;
}
