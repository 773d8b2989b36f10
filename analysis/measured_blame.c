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

/* --- one run ---------------------------------------------------------------------------------- */

/* What a value gives. */
struct trial {
    double value;
    size_t equal, count; /* of how many */
    double off;
    bool chip; /* it makes one */
};

enum { TRIALS = 512 };

struct search {
    const struct fit_case *c;
    struct config *variant;
    size_t param;
    size_t points; /* over the range */
    double low, high;
    struct trial base, trials[TRIALS];
    size_t count;
};

static int run(const struct search *s, struct trial *trial)
{
    struct measured_listener listener;
    struct measured_answer answer;
    char unsaid[MACHINE_ERROR];
    const struct machine *machine = s->c->machine;
    trial->chip = !machine->timing->valid || machine->timing->valid(s->variant, unsaid) == 0;
    if (!trial->chip)
        return 0;
    const int status = fit_case_issues(s->c, s->variant, &listener, &answer);
    trial->chip = status == 0;
    trial->equal = answer.equal;
    trial->count = answer.count;
    trial->off = answer.off;
    measured_listener_free(&listener);
    measured_answer_free(&answer);
    return status < 0 ? -1 : 0;
}

/* Each value once, and only inside of the range of the search. */
static int try_value(struct search *s, double value, const struct trial **trial)
{
    static const struct trial none;
    struct param *param = &s->variant->params[s->param];
    const struct param was = *param;
    if (trial)
        *trial = &none;
    if (param->row->type == PARAM_INTEGER)
        value = floor(value + 0.5);
    if (value < s->low || value > s->high)
        return 0;
    size_t i = 0;
    while (i < s->count && s->trials[i].value != value)
        i++;
    if (i == TRIALS)
        return 0;
    int status = 0;
    if (i == s->count) {
        s->trials[s->count++] = (struct trial){.value = value};
        param->value = param->documented = value;
        status = run(s, &s->trials[i]);
        *param = was;
    }
    if (trial)
        *trial = &s->trials[i];
    return status;
}

/* by_off: fewer cycles off are more than intervals that are equal. Of equals the one nearest to
 * what is configured. */
static bool better(const struct search *s, const struct trial *a, const struct trial *b,
                   bool by_off)
{
    if (!a->chip || !b->chip)
        return a->chip;
    if (by_off && a->off != b->off)
        return a->off < b->off;
    if (a->equal != b->equal)
        return a->equal > b->equal;
    if (a->off != b->off)
        return a->off < b->off;
    return fabs(a->value - s->base.value) < fabs(b->value - s->base.value);
}

static struct trial best_of(const struct search *s, bool by_off)
{
    struct trial best = s->base;
    for (size_t i = 0; i < s->count; i++)
        if (better(s, &s->trials[i], &best, by_off))
            best = s->trials[i];
    return best;
}

/* --- a number --------------------------------------------------------------------------------- */

static void set_range(struct search *s, const struct param *param, double most)
{
    const double value = param->value, room = 2 * most + 4;
    s->low = value - room < value / 4 ? value - room : value / 4;
    s->high = value + room > 4 * value ? value + room : 4 * value;
    if (param->plausible && param->plausible_low < s->low)
        s->low = param->plausible_low;
    if (param->plausible && param->plausible_high > s->high)
        s->high = param->plausible_high;
    s->low = s->low < param->low ? param->low : s->low;
    s->high = s->high > param->high ? param->high : s->high;
}

/* Whether one of a few values changes anything. */
static int probe(struct search *s, const struct param *param, bool *seen)
{
    const double values[] = {
        s->low,           s->high,          param->plausible_low, param->plausible_high,
        param->value - 1, param->value + 1, param->value / 2,     param->value * 2};
    int status = 0;
    *seen = false;
    for (size_t i = 0; status == 0 && i < sizeof values / sizeof *values; i++) {
        const struct trial *trial;
        status = try_value(s, values[i], &trial);
        *seen |= trial->chip && (trial->equal != s->base.equal || trial->off != s->base.off);
    }
    return status;
}

static int spread(struct search *s, const struct param *param, const double *steps, size_t count)
{
    int status = 0;
    for (size_t k = 0; status == 0 && k < 2 * count; k++)
        status = try_value(s, param->value + (k % 2 ? -steps[k / 2] : steps[k / 2]), NULL);
    const double points = (double)s->points;
    const double low = param->plausible ? param->plausible_low : s->low;
    const double high = param->plausible ? param->plausible_high : s->high;
    const double step = high - low <= points ? 1 : (high - low) / points;
    for (double value = low; status == 0 && value <= high; value += step)
        status = try_value(s, value, NULL);
    return status;
}

/* Ever finer steps from the best. */
static int refine(struct search *s, const struct param *param, bool by_off)
{
    const double least =
        param->row->type == PARAM_INTEGER ? 1 : (s->high - s->low) / (16 * (double)s->points);
    double step = (s->high - s->low) / 8;
    struct trial best = best_of(s, by_off);
    int status = 0;
    while (status == 0 && step >= least / 2) {
        const struct trial *up, *down;
        status = try_value(s, best.value + (step > least ? step : least), &up);
        const struct trial above = *up;
        if (status == 0)
            status = try_value(s, best.value - (step > least ? step : least), &down);
        const struct trial next = status == 0 && better(s, down, &above, by_off) ? *down : above;
        if (better(s, &next, &best, by_off) && s->count + 2 < TRIALS)
            best = next;
        else
            step /= 2;
    }
    return status;
}

/* A real number fits in a narrow range only: values between the best and its neighbours, twice. */
static int divide(struct search *s, bool by_off)
{
    enum { ROUNDS = 2 };
    const size_t pieces = s->points / 4;
    int status = 0;
    for (int round = 0; round < ROUNDS; round++) {
        const double at = best_of(s, by_off).value;
        double below = s->low, above = s->high;
        for (size_t i = 0; i < s->count; i++) {
            const double value = s->trials[i].value;
            below = value < at && value > below ? value : below;
            above = value > at && value < above ? value : above;
        }
        for (size_t k = 1; status == 0 && k < pieces; k++) {
            const double share = (double)k / (double)pieces;
            status = try_value(s, below + (at - below) * share, NULL);
            if (status == 0)
                status = try_value(s, at + (above - at) * share, NULL);
        }
    }
    return status;
}

/* How far as many intervals are equal: towards one end, by steps that double and then halve. */
static int extend(struct search *s, const struct param *param, const struct trial *best,
                  double sign, double *end)
{
    const double least =
        param->row->type == PARAM_INTEGER ? 1 : (s->high - s->low) / (1024 * (double)s->points);
    double step = least;
    bool grows = true;
    int status = 0;
    *end = best->value;
    while (status == 0 && step >= least) {
        const struct trial *trial;
        status = try_value(s, *end + sign * step, &trial);
        if (trial->chip && trial->equal == best->equal)
            *end = trial->value;
        else
            grows = false;
        step = grows ? 2 * step : step / 2;
    }
    return status;
}

static int try_number(struct search *s, const double *steps, size_t count,
                      struct measured_suspect *found)
{
    const struct param *param = &s->variant->params[s->param];
    double most = 0;
    for (size_t k = 0; k < count; k++)
        most = steps[k] > most ? steps[k] : most;
    set_range(s, param, most);
    bool seen;
    int status = probe(s, param, &seen);
    if (status != 0 || !seen)
        return status;
    status = spread(s, param, steps, count);
    for (int by_off = 0; status == 0 && by_off < 2; by_off++)
        status = refine(s, param, by_off);
    for (int by_off = 0; status == 0 && param->row->type == PARAM_REAL && by_off < 2; by_off++)
        status = divide(s, by_off);
    struct trial best = best_of(s, false);
    if (status != 0 || best.equal <= s->base.equal)
        return status;
    status = extend(s, param, &best, -1, &found->low);
    if (status == 0)
        status = extend(s, param, &best, 1, &found->high);
    best = best_of(s, false);
    found->equal = best.equal;
    found->count = best.count;
    found->off = best.off;
    found->value = best.value;
    found->plausible = !param->plausible ||
                       (found->low <= param->plausible_high && found->high >= param->plausible_low);
    return status;
}

/* --- all -------------------------------------------------------------------------------------- */

static bool ahead(const struct measured_suspect *a, const struct measured_suspect *b)
{
    if (a->equal != b->equal)
        return a->equal > b->equal;
    return a->off != b->off ? a->off < b->off : a->plausible && !b->plausible;
}

static void take_suspect(struct measured_suspects *suspects, size_t base,
                         struct measured_suspect one)
{
    struct measured_suspect *items = suspects->items;
    if (one.equal <= base)
        return;
    if (suspects->count == 0 || one.equal > items[0].equal)
        suspects->tied = 1;
    else
        suspects->tied += one.equal == items[0].equal;
    size_t at = suspects->count < MEASURED_SUSPECTS ? suspects->count++ : MEASURED_SUSPECTS;
    for (; at > 0 && ahead(&one, &items[at - 1]); at--)
        if (at < MEASURED_SUSPECTS)
            items[at] = items[at - 1];
    if (at < MEASURED_SUSPECTS)
        items[at] = one;
}

static int try_choices(const struct search *s, struct measured_suspects *suspects)
{
    struct param *param = &s->variant->params[s->param];
    char *was = param->text;
    int status = 0;
    for (size_t k = 0; status == 0 && param->choices && param->choices[k]; k++) {
        struct trial trial = {.value = 0};
        if (strcmp(param->choices[k], was) == 0)
            continue;
        param->text = param->choices[k];
        status = run(s, &trial);
        param->text = was;
        if (status == 0 && trial.chip)
            take_suspect(suspects, s->base.equal,
                         (struct measured_suspect){.param = s->param,
                                                   .choice = param->choices[k],
                                                   .equal = trial.equal,
                                                   .count = trial.count,
                                                   .off = trial.off,
                                                   .plausible = true});
    }
    return status;
}

/* Values of a number's range: fewer where a run has many events. */
static size_t points_of(const struct fit_case *c, size_t params)
{
    enum { LEAST = 8, MOST = 64 };
    const double points = 3e8 / ((double)c->events * (double)params);
    return points < LEAST ? LEAST : points > MOST ? MOST : (size_t)points;
}

int measured_blame(const struct fit_case *c, const struct config *config,
                   const struct measured_answer *answer, struct measured_suspects *suspects)
{
    double steps[STEPS];
    const size_t step_count = list_steps(answer, steps);
    struct config variant = config_variant(config);
    struct search *s = calloc(1, sizeof *s);
    int status = variant.params && s ? 0 : -1;
    *suspects = (struct measured_suspects){.count = 0};
    const bool differs = answer->equal < answer->count || answer->unmatched;
    for (size_t p = 0; status == 0 && differs && p < config->count; p++) {
        const struct param *param = &config->params[p];
        if (config_of_host(param->row))
            continue;
        *s = (struct search){.c = c, .variant = &variant, .param = p};
        s->points = points_of(c, config->count);
        s->base = (struct trial){param->value, answer->equal, answer->count, answer->off, true};
        struct measured_suspect found = {.param = p, .equal = answer->equal};
        if (param->row->type == PARAM_TEXT)
            status = try_choices(s, suspects);
        else
            status = try_number(s, steps, step_count, &found);
        take_suspect(suspects, answer->equal, found);
    }
    free(variant.params);
    free(s);
    return status;
}
