#include "analysis/fit_space.h"
#include "host/hash.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "timing/machine.h"

static size_t choices_of(const struct param *param)
{
    size_t count = 0;
    while (param->choices && param->choices[count])
        count++;
    return count;
}

int fit_space_init(struct fit_space *space, const struct config *config)
{
    *space = (struct fit_space){.config = config,
                                .axes = calloc(config->count + 1, sizeof *space->axes)};
    for (size_t i = 0; space->axes && i < config->count; i++) {
        const struct param *param = &config->params[i];
        const bool text = param->row->type == PARAM_TEXT;
        const struct fit_axis axis = {
            .param = i,
            .low = text ? 0 : param->plausible_low,
            .high = text ? (double)choices_of(param) - 1 : param->plausible_high,
            .whole = param->row->type != PARAM_REAL,
            .text = text,
            .high_is_optimistic = param->high_is_optimistic,
        };
        if (param->plausible && !param->overridden && axis.low < axis.high &&
            !config_of_host(param->row))
            space->axes[space->count++] = axis;
    }
    return space->axes ? 0 : -1;
}

/* The variant with other numbers around an axis: as the configuration has them, all at their fast
 * ends, all at their slow ones, or anywhere. */
static void apply_around(const struct fit_space *space, size_t round, double *point,
                         struct config *variant)
{
    struct fit_dice dice = fit_dice(round, 0);
    for (size_t a = 0; a < space->count; a++) {
        const struct fit_axis *axis = &space->axes[a];
        point[a] = round > 2                                  ? fit_axis_anywhere(axis, &dice)
                   : axis->high_is_optimistic == (round == 1) ? axis->high
                                                              : axis->low;
    }
    if (round > 0)
        fit_space_apply(space, point, variant);
}

/* Whether the machine takes a value with some of the others; a limit may bind two numbers. */
static bool is_legal(const struct fit_space *space, const struct machine *machine, size_t a,
                     double value, double *point)
{
    enum { AROUND = 24 };
    char unsaid[MACHINE_ERROR];
    bool legal = false;
    for (size_t round = 0; round < AROUND && !legal; round++) {
        struct config variant = config_variant(space->config);
        if (!variant.params)
            return true;
        apply_around(space, round, point, &variant);
        variant.params[space->axes[a].param].value = value;
        legal = machine->timing->valid(&variant, unsaid) == 0;
        free(variant.params);
    }
    return legal;
}

static int keep_values(struct fit_space *space, const struct machine *machine, size_t a,
                       double *point)
{
    struct fit_axis *axis = &space->axes[a];
    const size_t all = (size_t)(axis->high - axis->low) + 1;
    size_t count = 0;
    double *values = malloc(all * sizeof *values);
    if (!values)
        return -1;
    for (size_t k = 0; k < all; k++)
        if (is_legal(space, machine, a, axis->low + (double)k, point))
            values[count++] = axis->low + (double)k;
    if (count == 0 || count == all) {
        free(values);
        return 0;
    }
    axis->values = values;
    axis->value_count = count;
    axis->low = values[0];
    axis->high = values[count - 1];
    return 0;
}

int fit_space_keep_legal(struct fit_space *space, const struct machine *machine)
{
    enum { MOST = 256 }; /* values of an axis that are all tried */
    double *point = malloc((space->count + 1) * sizeof *point);
    int status = point ? 0 : -1;
    for (size_t a = 0; status == 0 && machine->timing->valid && a < space->count; a++)
        if (space->axes[a].whole && !space->axes[a].text &&
            space->axes[a].high - space->axes[a].low < MOST)
            status = keep_values(space, machine, a, point);
    free(point);
    return status;
}

void fit_space_free(struct fit_space *space)
{
    for (size_t a = 0; space->axes && a < space->count; a++)
        free(space->axes[a].values);
    free(space->axes);
    *space = (struct fit_space){.config = NULL};
}

void fit_space_apply(const struct fit_space *space, const double *point, struct config *variant)
{
    for (size_t a = 0; a < space->count; a++) {
        struct param *param = &variant->params[space->axes[a].param];
        if (space->axes[a].text)
            param->text = param->choices[(size_t)point[a]];
        else
            param->value = point[a];
        param->documented = param->value;
    }
}

double fit_axis_round(const struct fit_axis *axis, double value)
{
    if (axis->values) {
        size_t best = 0;
        for (size_t k = 1; k < axis->value_count; k++)
            if (fabs(axis->values[k] - value) < fabs(axis->values[best] - value))
                best = k;
        return axis->values[best];
    }
    if (axis->whole)
        value = floor(value + 0.5);
    return value < axis->low ? axis->low : value > axis->high ? axis->high : value;
}

const char *fit_axis_name(const struct fit_space *space, size_t axis)
{
    return space->config->params[space->axes[axis].param].row->name;
}

void fit_axis_text(const struct fit_space *space, size_t axis, double value, char *text,
                   size_t size)
{
    const struct param *param = &space->config->params[space->axes[axis].param];
    if (space->axes[axis].text)
        snprintf(text, size, "%s", param->choices[(size_t)value]);
    else
        snprintf(text, size, "%.10g", value);
}

/* --- dice ------------------------------------------------------------------------------------- */

struct fit_dice fit_dice(uint64_t seed, uint64_t stream)
{
    return (struct fit_dice){hash_mix(seed + 1) ^
                             hash_mix(stream * UINT64_C(0x9e3779b97f4a7c15) + 7)};
}

static uint64_t throw_dice(struct fit_dice *dice)
{
    return hash_mix(dice->state += UINT64_C(0x9e3779b97f4a7c15));
}

uint64_t fit_dice_below(struct fit_dice *dice, uint64_t limit)
{
    return throw_dice(dice) % limit;
}

double fit_dice_real(struct fit_dice *dice)
{
    return (double)(throw_dice(dice) >> 11) * 0x1p-53;
}

double fit_axis_anywhere(const struct fit_axis *axis, struct fit_dice *dice)
{
    const double room = axis->high - axis->low;
    if (axis->values)
        return axis->values[fit_dice_below(dice, axis->value_count)];
    if (!axis->whole)
        return axis->low + room * fit_dice_real(dice);
    return axis->low + (double)fit_dice_below(dice, (uint64_t)room + 1);
}
