#include "analysis/fit_sense.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- alone ------------------------------------------------------------------------------------ */

/* The values that an axis is moved to: its ends, or each choice. */
static double place_of(const struct fit_axis *axis, size_t k)
{
    return axis->text ? (double)k : k ? axis->high : axis->low;
}

static void sense_axis(void *context, size_t a, unsigned worker)
{
    struct fit *fit = context;
    const struct fit_axis *axis = &fit->space.axes[a];
    const size_t places = axis->text ? (size_t)axis->high + 1 : 2;
    double *point = malloc((fit->space.count + 1) * sizeof *point);
    if (!point)
        fit->model.status = -1;
    for (size_t c = 0; point && c < fit->count; c++)
        for (unsigned b = 0; b < FIT_BASES && !fit_is_stopped(&fit->model); b++) {
            double least = INFINITY, most = -INFINITY;
            memcpy(point, fit->pool.points + b * fit->space.count,
                   fit->space.count * sizeof *point);
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

/* --- together --------------------------------------------------------------------------------- */

/* All measurements at each point of a set. */
struct sensing {
    struct fit *fit;
    const struct fit_set *set;
    const double *to; /* numbers are moved to those of this point; NULL: of the set's next one */
};

/* One measurement at one of these points. */
struct crossing {
    struct fit *fit;
    size_t c;
    unsigned worker;
    const double *from, *to;
    size_t *axes; /* that no effect is known of */
    size_t count;
    double *point;
};

/* The prediction with the first `moved` of the axes moved; NAN: no chip. */
static double cross(const struct crossing *x, size_t moved)
{
    memcpy(x->point, x->from, x->fit->space.count * sizeof *x->point);
    for (size_t k = 0; k < moved; k++)
        x->point[x->axes[k]] = x->to[x->axes[k]];
    if (!fit_is_chip(&x->fit->model, x->worker, x->point))
        return NAN;
    return fit_predict(&x->fit->model, x->worker, x->c, x->point, false);
}

/* Finds one axis that moves the measurement, when all together do; false: none does here. */
static bool find_one(struct crossing *x, double before)
{
    size_t low = 0, high = x->count;
    double at_low = before, at_high = cross(x, high);
    while (!isnan(at_high) && at_high != at_low && high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        const double value = cross(x, middle);
        if (isnan(value))
            return false;
        if (value != at_low) {
            high = middle;
            at_high = value;
        } else {
            low = middle;
        }
    }
    if (isnan(at_high) || at_high == at_low)
        return false;
    x->fit->rows[x->c].effect[x->axes[low]] = fabs(at_high - at_low);
    x->axes[low] = x->axes[--x->count];
    return true;
}

static void sense_case(void *context, size_t c, unsigned worker)
{
    const struct sensing *sensing = context;
    struct fit *fit = sensing->fit;
    const struct fit_set *set = sensing->set;
    const size_t axes = fit->space.count;
    struct crossing x = {.fit = fit,
                         .c = c,
                         .worker = worker,
                         .axes = malloc((axes + 1) * sizeof *x.axes),
                         .point = malloc((axes + 1) * sizeof *x.point)};
    if (!x.axes || !x.point)
        fit->model.status = -1;
    for (size_t a = 0; x.axes && a < axes; a++)
        if (!(fit->rows[c].effect[a] > 0))
            x.axes[x.count++] = a;
    for (size_t i = 0; x.axes && x.point && i < set->size; i++) {
        const double before = set->predicted[i * fit->count + c];
        x.from = set->points + i * axes;
        x.to = sensing->to ? sensing->to : set->points + (i + 1) % set->size * axes;
        while (!isnan(before) && x.count && !fit_is_stopped(&fit->model) && find_one(&x, before))
            ;
    }
    free(x.axes);
    free(x.point);
}

static void sense_together(struct sensing *sensing)
{
    struct fit *fit = sensing->fit;
    workers_run(fit->model.workers, fit->count, sense_case, sensing);
    for (size_t c = 0; c < fit->count; c++)
        for (size_t a = 0; a < fit->space.count; a++)
            if (fit->rows[c].effect[a] > 0) {
                fit->model.sees[c * fit->space.count + a] = true;
                fit->numbers[a].seen = true;
            }
}

int fit_sense(struct fit *fit)
{
    workers_run(fit->model.workers, fit->space.count, sense_axis, fit);
    sense_together(&(struct sensing){.fit = fit, .set = &fit->pool});
    return fit->model.status;
}

int fit_sense_settings(struct fit *fit)
{
    sense_together(&(struct sensing){.fit = fit, .set = &fit->settings, .to = fit->pool.points});
    return fit->model.status;
}
