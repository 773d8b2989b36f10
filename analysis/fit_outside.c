#include "analysis/fit_outside.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/fit_descend.h"
#include "analysis/fit_others.h"
#include "analysis/fit_probed.h"

/* Sizes at an effort of 100. */
enum {
    POOL = 1500,
    PROBES = 16, /* that are searched for */
    ROUNDS = 3,
    STRICT = 300 /* what a probe costs by the settings' spread away from where it is to be */
};

/* A probe that the settings leave open. */
struct open_probe {
    size_t at;          /* its case */
    size_t extremes[2]; /* settings with the greatest and the least total */
    double found[2];    /* these totals */
    double box[2];      /* likewise of the pool */
};

struct outside {
    struct fit_probed probed;
    struct fit_set pool;
    struct open_probe *probes; /* the most open ones first */
    size_t count;
    bool *active;
    struct fit_set from, to;
};

/* --- which probes ----------------------------------------------------------------------------- */

static double share_of(const struct open_probe *probe)
{
    return (probe->found[0] - probe->found[1]) / (probe->box[0] - probe->box[1]);
}

static int by_share(const void *a, const void *b)
{
    const struct open_probe *x = a, *y = b;
    if (share_of(x) != share_of(y))
        return share_of(x) > share_of(y) ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

static void take_box(const struct outside *outside, struct open_probe *probe)
{
    probe->box[0] = probe->found[0];
    probe->box[1] = probe->found[1];
    for (size_t i = 0; i < outside->pool.size; i++) {
        const double value = fit_probed_value(&outside->probed, &outside->pool, i, probe->at);
        probe->box[0] = value > probe->box[0] ? value : probe->box[0];
        probe->box[1] = value < probe->box[1] ? value : probe->box[1];
    }
}

/* Probes with the same settings at their ends show the same. */
static void leave_out_alike(struct outside *outside)
{
    size_t count = 0;
    for (size_t k = 0; k < outside->count; k++) {
        const struct open_probe one = outside->probes[k];
        bool alike = false;
        for (size_t i = 0; i < count; i++)
            alike |= memcmp(outside->probes[i].extremes, one.extremes, sizeof one.extremes) == 0;
        if (!alike)
            outside->probes[count++] = one;
    }
    outside->count = count;
}

static void choose_probes(struct outside *outside)
{
    const struct fit_probed *probed = &outside->probed;
    const size_t most = fit_scaled(probed->fit, PROBES);
    for (size_t c = probed->fit->count; c < probed->count; c++) {
        struct open_probe probe = {.at = c};
        if (!fit_probed_extremes(probed, c, probe.extremes))
            continue;
        for (unsigned side = 0; side < 2; side++)
            probe.found[side] =
                fit_probed_value(probed, &probed->settings, probe.extremes[side], c);
        take_box(outside, &probe);
        outside->probes[outside->count++] = probe;
    }
    qsort(outside->probes, outside->count, sizeof *outside->probes, by_share);
    leave_out_alike(outside);
    outside->count = outside->count < most ? outside->count : most;
}

/* --- searches --------------------------------------------------------------------------------- */

/* The probe is as if it had been measured to be anywhere beyond the settings' totals. */
static void measure_beyond(struct outside *outside, const struct open_probe *probe, unsigned side)
{
    struct fit_probed *probed = &outside->probed;
    const struct fit *fit = probed->fit;
    const double spread = probe->found[side] - probe->found[!side], step = spread / 20;
    const double begin = probe->found[side] + step, end = probe->box[side] + step;
    struct fit_measurement *m = &probed->probes.items[probe->at - fit->count];
    m->value = (begin + end) / 2;
    m->tolerance = fabs(end - begin) / 2;
    probed->model.scale[probe->at] = fabs(spread) / STRICT;
    for (size_t a = 0; a < fit->space.count; a++)
        probed->model.sees[probe->at * fit->space.count + a] = fit->numbers[a].seen;
}

/* The nearest of the pool. */
static size_t nearest_start(const struct outside *outside, const bool *active)
{
    const struct fit_probed *probed = &outside->probed;
    double least = INFINITY;
    size_t best = 0;
    for (size_t i = 0; i < outside->pool.size; i++) {
        const double cost =
            fit_known_distance(&probed->model, active, outside->pool.predicted + i * probed->count);
        best = cost < least ? i : best;
        least = cost < least ? cost : least;
    }
    return best;
}

/* Settings beyond, on one side, of each probe; those found are kept. */
static int search_side(struct outside *outside, unsigned side)
{
    struct fit_probed *probed = &outside->probed;
    const size_t cases = probed->count, measured = probed->fit->count;
    size_t *points = calloc(outside->count + 1, sizeof *points), count = 0;
    memset(outside->active, false, outside->count * cases);
    for (size_t k = 0; k < outside->count; k++) {
        bool *active = outside->active + k * cases;
        memset(active, true, measured);
        active[outside->probes[k].at] = true;
        measure_beyond(outside, &outside->probes[k], side);
        fit_copy_point(&probed->model, &outside->from, k, &outside->pool,
                       nearest_start(outside, active));
    }
    int status = points ? 0 : -1;
    if (status == 0)
        status = fit_descend(&probed->model, outside->active, &outside->from,
                             (struct fit_effort){.starts = outside->count, .rounds = ROUNDS},
                             &outside->to);
    for (size_t k = 0; status == 0 && k < outside->count; k++)
        if (fit_probed_cost(probed, &outside->to, k) <= probed->fit->reach)
            points[count++] = k;
    if (status == 0 && !fit_is_stopped(&probed->model))
        status = fit_probed_keep(probed, &outside->to, points, count);
    free(points);
    return status;
}

/* Points of the whole box; what no measurement sees is as the settings have it. */
static int take_pool(struct outside *outside)
{
    struct fit_probed *probed = &outside->probed;
    const struct fit *fit = probed->fit;
    struct fit_set *pool = &outside->pool;
    int status = fit_set_init(pool, &probed->model, fit_scaled(fit, POOL));
    const uint64_t seed = probed->model.seed;
    probed->model.seed ^= UINT64_C(0x5bd1e995);
    if (status == 0)
        status = fit_pool(&probed->model, pool);
    probed->model.seed = seed;
    for (size_t i = 0; status == 0 && i < pool->size; i++) {
        for (size_t a = 0; a < fit->space.count; a++)
            if (!fit->numbers[a].seen)
                pool->points[i * fit->space.count + a] = fit->pool.points[a];
        for (size_t c = fit->count; c < probed->count; c++)
            pool->predicted[i * probed->count + c] = NAN;
    }
    return status ? status : fit_complete(&probed->model, pool);
}

static int search(struct outside *outside)
{
    struct fit_probed *probed = &outside->probed;
    int status = take_pool(outside);
    outside->probes = calloc(probed->probes.count + 1, sizeof *outside->probes);
    if (status != 0 || !outside->probes)
        return -1;
    choose_probes(outside);
    outside->active = calloc(outside->count * probed->count + 1, sizeof *outside->active);
    status = fit_set_init(&outside->from, &probed->model, outside->count) |
             fit_set_init(&outside->to, &probed->model, outside->count) |
             (outside->active ? 0 : -1);
    for (unsigned side = 0; status == 0 && side < 2 && outside->count; side++)
        status = search_side(outside, side);
    return status;
}

int fit_search_outside(struct fit *fit)
{
    if (!fit->list->machine->timing->probes || fit->verdict == FIT_CONTRADICTS ||
        fit_is_stopped(&fit->model))
        return 0;
    struct outside outside = {.count = 0};
    int status = fit_probed_open(&outside.probed, fit);
    if (status == 0)
        status = search(&outside);
    fit_set_free(&outside.pool);
    fit_set_free(&outside.from);
    fit_set_free(&outside.to);
    free(outside.probes);
    free(outside.active);
    fit_probed_close(&outside.probed);
    return status < 0 ? -1 : 0;
}

uint64_t fit_outside_work(const struct fit *fit)
{
    return fit->list->machine->timing->probes
               ? 2 * (uint64_t)FIT_ROUND_WORK * fit_scaled(fit, PROBES) * ROUNDS
               : 0;
}
