#include "analysis/fit_middle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

static double width_of(const struct fit_number *number)
{
    return number->inner[1] - number->inner[0];
}

/* Numbers of one unit of which one falls where the other rises, and whose sum says more than each
 * of them: it is within half of the wider one's range. */
int fit_find_groups(struct fit *fit)
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
            const double wider = fmax(width_of(&fit->numbers[a]), width_of(&fit->numbers[b]));
            if (group.high - group.low <= wider / 2)
                fit->groups[fit->group_count++] = group;
        }
    return fit->groups ? 0 : -1;
}

/* Of the settings that explain all, or nearly, the one in the middle of all found, where numbers
 * count as much as they move measurements; without such a setting, the nearest. */
int fit_choose_setting(struct fit *fit)
{
    const struct fit_set *set = &fit->settings;
    const double near = 0.5;
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
        const double middle = fit_median(values, set->size);
        for (size_t i = 0; i < set->size; i++)
            cost[i] += weight * fabs(set->points[i * fit->space.count + a] - middle) /
                       (axis->high - axis->low);
    }
    for (size_t i = 0; cost && values && i < set->size; i++) {
        const double rank = (set->distance[i] > near ? set->distance[i] : 0) * 1e6 + cost[i];
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
