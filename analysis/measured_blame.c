#include "analysis/measured_blame.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 12 }; /* differences that are tried, either way */

/* The commonest differences of intervals, the commonest first; then small ones. */
static size_t list_steps(const struct measured_answer *answer, double steps[STEPS])
{
    enum { COMMON = 8 };
    struct {
        double step;
        size_t times;
    } seen[64];
    size_t count = 0, kinds = 0;
    for (size_t i = 0; i < answer->count; i++) {
        const struct measured_interval *one = &answer->intervals[i];
        const double step = fabs((double)one->measured - (double)one->modelled);
        size_t k = 0;
        while (k < kinds && seen[k].step != step)
            k++;
        if (step == 0 || (k == kinds && kinds == sizeof seen / sizeof *seen))
            continue;
        if (k == kinds)
            seen[kinds++].times = 0;
        seen[k].step = step;
        seen[k].times++;
    }
    while (count < COMMON && kinds) {
        size_t most = 0;
        for (size_t k = 1; k < kinds; k++)
            if (seen[k].times > seen[most].times)
                most = k;
        steps[count++] = seen[most].step;
        seen[most] = seen[--kinds];
    }
    for (double small = 1; small <= 4 && count < STEPS; small++) {
        bool there = false;
        for (size_t k = 0; k < count; k++)
            there |= steps[k] == small;
        if (!there)
            steps[count++] = small;
    }
    return count;
}

/* How many intervals are equal with one number at a value; 0: no chip. */
static int try_value(const struct fit_case *c, struct config *variant, size_t param, double value,
                     size_t *equal)
{
    struct measured_listener listener;
    struct measured_answer answer;
    char unsaid[MACHINE_ERROR];
    const struct param was = variant->params[param];
    *equal = 0;
    if (value < was.low || value > was.high)
        return 0;
    variant->params[param].value = variant->params[param].documented = value;
    int status = c->machine->timing->valid ? c->machine->timing->valid(variant, unsaid) : 0;
    if (status == 0) {
        status = fit_case_issues(c, variant, &listener, &answer);
        *equal = status == 0 ? answer.equal : 0;
        measured_listener_free(&listener);
        measured_answer_free(&answer);
    }
    variant->params[param] = was;
    return status < 0 ? -1 : 0;
}

static int try_param(const struct fit_case *c, struct config *variant, const double *steps,
                     size_t count, struct measured_suspect *best)
{
    const struct param *param = &variant->params[best->param];
    int status = 0;
    for (size_t k = 0; status == 0 && k < 2 * count; k++) {
        const double value = param->value + (k % 2 ? -steps[k / 2] : steps[k / 2]);
        size_t equal;
        status = try_value(c, variant, best->param, value, &equal);
        if (status == 0 && equal > best->equal) {
            best->equal = equal;
            best->value = value;
        }
    }
    /* A number may count in steps, or several times: on from the best as long as it helps. */
    for (double step = 1; status == 0 && step >= 1 && best->value != param->value;) {
        const double value = best->value + (best->value > param->value ? step : -step);
        size_t equal;
        status = try_value(c, variant, best->param, value, &equal);
        if (equal <= best->equal)
            break;
        best->equal = equal;
        best->value = value;
    }
    return status;
}

static void take_suspect(struct measured_suspect suspects[MEASURED_SUSPECTS], size_t *count,
                         struct measured_suspect one)
{
    size_t at = *count < MEASURED_SUSPECTS ? (*count)++ : MEASURED_SUSPECTS;
    for (; at > 0 && suspects[at - 1].equal < one.equal; at--)
        if (at < MEASURED_SUSPECTS)
            suspects[at] = suspects[at - 1];
    if (at < MEASURED_SUSPECTS)
        suspects[at] = one;
}

int measured_blame(const struct fit_case *c, const struct config *config,
                   const struct measured_answer *answer,
                   struct measured_suspect suspects[MEASURED_SUSPECTS], size_t *count)
{
    double steps[STEPS];
    const size_t step_count = list_steps(answer, steps);
    struct config variant = config_variant(config);
    int status = variant.params ? 0 : -1;
    *count = 0;
    for (size_t p = 0; status == 0 && answer->equal < answer->count && p < config->count; p++) {
        struct measured_suspect best = {p, config->params[p].value, answer->equal};
        if (config->params[p].row->type == PARAM_TEXT)
            continue;
        status = try_param(c, &variant, steps, step_count, &best);
        if (best.equal > answer->equal)
            take_suspect(suspects, count, best);
    }
    free(variant.params);
    return status;
}
