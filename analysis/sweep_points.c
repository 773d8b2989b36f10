#include "analysis/sweep_points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/fit_space.h"
#include "host/hash.h"

static uint64_t times(uint64_t a, uint64_t b)
{
    uint64_t product;
    return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

uint64_t sweep_points_of_program(const struct sweep_spec *spec)
{
    uint64_t count = times(spec->chips.count ? spec->chips.count : 1, spec->rows);
    for (size_t a = 0; a < spec->axis_count; a++)
        if (spec->axes[a].way == SWEEP_EACH)
            count = times(count, spec->axes[a].values.count);
    return count;
}

uint64_t sweep_points_count(const struct sweep_spec *spec)
{
    return times(sweep_points_of_program(spec), spec->programs.count);
}

static json_t *value_json(const struct sweep_axis *axis, const char *text)
{
    if (axis->flag)
        return json_boolean(strcmp(text, "true") == 0);
    if (axis->type == PARAM_TEXT)
        return json_string(text);
    const double value = strtod(text, NULL);
    return axis->type == PARAM_INTEGER ? json_integer((json_int_t)value) : json_real(value);
}

/* By seed, name and row alone: another parameter or option in the spec changes no drawn value. */
static json_t *draw(const struct sweep_axis *axis, uint64_t seed, uint64_t row)
{
    const double width = axis->high - axis->low;
    struct fit_dice dice =
        fit_dice(seed + hash_bytes(HASH_START, axis->name, strlen(axis->name)), row);
    if (axis->type == PARAM_TEXT)
        return json_string(axis->values.items[fit_dice_below(&dice, axis->values.count)].text);
    return axis->type == PARAM_INTEGER
               ? json_integer((json_int_t)axis->low +
                              (json_int_t)fit_dice_below(&dice, (uint64_t)width + 1))
               : json_real(axis->low + width * fit_dice_real(&dice));
}

bool sweep_points_make(const struct sweep_spec *spec, uint64_t number, struct sweep_point *point)
{
    const uint64_t row = number % spec->rows;
    bool good = true;
    *point = (struct sweep_point){.options = json_object(), .set = json_object()};
    number /= spec->rows;
    for (size_t a = spec->axis_count; a-- > 0;) {
        const struct sweep_axis *axis = &spec->axes[a];
        const size_t count = axis->values.count;
        const char *text = axis->way == SWEEP_ROW    ? axis->values.items[row].text
                           : axis->way == SWEEP_EACH ? axis->values.items[number % count].text
                                                     : NULL;
        if (axis->way == SWEEP_EACH)
            number /= count;
        if (axis->way == SWEEP_ROW && !text)
            continue;
        json_t *value =
            axis->way == SWEEP_DRAWN ? draw(axis, spec->seed, row) : value_json(axis, text);
        good &= json_object_set_new(axis->kind == SWEEP_SET ? point->set : point->options,
                                    axis->name, value) == 0;
    }
    const size_t chips = spec->chips.count ? spec->chips.count : 1;
    point->chip = number % chips;
    point->program = number / chips;
    return good;
}

void sweep_points_free(struct sweep_point *point)
{
    json_decref(point->options);
    json_decref(point->set);
}
