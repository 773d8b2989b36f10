#include "analysis/fit_bounds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int fit_box_init(struct fit_box *box, const struct fit_model *model)
{
    const struct fit_space *space = model->space;
    *box = (struct fit_box){.low = calloc(space->count + 1, sizeof *box->low),
                            .high = calloc(space->count + 1, sizeof *box->high),
                            .choices = calloc(space->count + 1, sizeof *box->choices),
                            .impossible = calloc(model->count + 1, sizeof *box->impossible)};
    if (!box->low || !box->high || !box->choices || !box->impossible)
        return -1;
    for (size_t a = 0; a < space->count; a++) {
        box->low[a] = space->axes[a].low;
        box->high[a] = space->axes[a].high;
        if (!space->axes[a].text)
            continue;
        const size_t count = (size_t)space->axes[a].high + 1;
        box->choices[a] = malloc(count * sizeof **box->choices);
        if (!box->choices[a])
            return -1;
        memset(box->choices[a], true, count);
    }
    return 0;
}

void fit_box_free(struct fit_box *box, const struct fit_space *space)
{
    for (size_t a = 0; box->choices && a < space->count; a++)
        free(box->choices[a]);
    free(box->choices);
    free(box->low);
    free(box->high);
    free(box->impossible);
}

/* One measurement and one axis: is a value of it possible? */
struct question {
    struct fit_model *model;
    const struct fit_box *box;
    unsigned worker;
    size_t c, axis; /* axis = count: none is held */
};

/* The point with the axis at a value and all others at their fast ends. */
static void fast_point(const struct question *q, double value, double *point)
{
    const struct fit_space *space = q->model->space;
    for (size_t a = 0; a < space->count; a++)
        point[a] = space->axes[a].high_is_optimistic ? q->box->high[a] : q->box->low[a];
    if (q->axis < space->count)
        point[q->axis] = value;
}

/* All else at its fastest still takes longer than was measured. */
static bool too_slow(const struct question *q, double value)
{
    const struct fit_measurement *m = q->model->cases[q->c].measurement;
    double *point = malloc((q->model->space->count + 1) * sizeof *point);
    if (!point) {
        q->model->status = -1;
        return false;
    }
    fast_point(q, value, point);
    const bool excluded =
        fit_predict(q->model, q->worker, q->c, point, true) > m->value + m->tolerance + 1e-9;
    free(point);
    return excluded;
}

/* The last value from `good` towards `bad` that is not known to be impossible. */
static double cut(const struct question *q, double good, double bad)
{
    const struct fit_axis *axis = &q->model->space->axes[q->axis];
    const double fine = axis->whole ? 1 : (axis->high - axis->low) / 256;
    if (good == bad || !too_slow(q, bad))
        return bad;
    while (fabs(bad - good) > fine) {
        const double middle = fit_axis_round(axis, good + (bad - good) / 2);
        if (middle == good || middle == bad)
            break;
        if (too_slow(q, middle))
            bad = middle;
        else
            good = middle;
    }
    return axis->whole ? good : bad;
}

/* The box narrowed by all measurements in one axis, from the box as it was. */
struct narrowing {
    struct fit_model *model;
    const struct fit_box *box;
    struct fit_box *next;
};

static bool is_total(const struct fit_case *c)
{
    return c->measurement->kind == FIT_CYCLES || c->measurement->kind == FIT_TIME;
}

static void narrow_choices(const struct narrowing *n, const struct question *q)
{
    const struct fit_axis *axis = &n->model->space->axes[q->axis];
    bool *left = n->next->choices[q->axis];
    size_t first = SIZE_MAX, last = 0;
    for (size_t k = 0; k <= (size_t)axis->high; k++) {
        left[k] = left[k] && !too_slow(q, (double)k);
        first = left[k] && first == SIZE_MAX ? k : first;
        last = left[k] ? k : last;
    }
    if (first != SIZE_MAX) {
        n->next->low[q->axis] = (double)first;
        n->next->high[q->axis] = (double)last;
    }
}

static void narrow_number(const struct narrowing *n, const struct question *q)
{
    const size_t a = q->axis;
    const bool high_fast = n->model->space->axes[a].high_is_optimistic;
    double *const slow = high_fast ? &n->next->low[a] : &n->next->high[a];
    *slow = cut(q, high_fast ? n->next->high[a] : n->next->low[a], *slow);
}

static void narrow_axis(void *context, size_t a, unsigned worker)
{
    const struct narrowing *n = context;
    struct fit_model *model = n->model;
    for (size_t c = 0; c < model->count; c++) {
        const struct question q = {model, n->box, worker, c, a};
        if (!is_total(&model->cases[c]) || !model->sees[c * model->space->count + a] ||
            n->box->impossible[c] || (model->stopped && model->stopped(model->context)))
            continue;
        if (model->space->axes[a].text)
            narrow_choices(n, &q);
        else
            narrow_number(n, &q);
    }
}

static void find_impossible(void *context, size_t c, unsigned worker)
{
    const struct narrowing *n = context;
    const struct question q = {n->model, n->box, worker, c, n->model->space->count};
    n->next->impossible[c] = is_total(&n->model->cases[c]) && too_slow(&q, 0);
}

static void copy_box(const struct fit_space *space, struct fit_box *to, const struct fit_box *from)
{
    memcpy(to->low, from->low, space->count * sizeof *to->low);
    memcpy(to->high, from->high, space->count * sizeof *to->high);
}

int fit_bounds(struct fit_model *model, struct fit_box *box)
{
    enum { PASSES = 3 };
    struct fit_box before;
    int status = fit_box_init(&before, model);
    struct narrowing n = {.model = model, .box = &before, .next = box};
    if (status == 0)
        workers_run(model->workers, model->count, find_impossible, &n);
    for (unsigned pass = 0; status == 0 && pass < PASSES; pass++) {
        memcpy(before.impossible, box->impossible, model->count * sizeof *box->impossible);
        copy_box(model->space, &before, box);
        workers_run(model->workers, model->space->count, narrow_axis, &n);
        status = model->status;
    }
    fit_box_free(&before, model->space);
    return status;
}
