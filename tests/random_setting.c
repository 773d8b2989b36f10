#include "tests/random_setting.h"

#include <stdio.h>

void random_setting(struct dice *dice, const struct param *param, char text[RANDOM_SETTING])
{
    if (param->row->type == PARAM_TEXT) {
        unsigned count = 0;
        while (param->choices[count])
            count++;
        snprintf(text, RANDOM_SETTING, "%s=%s", param->row->name,
                 param->choices[dice_below(dice, count)]);
        return;
    }
    const double low = param->plausible_low, width = param->plausible_high - low;
    const double part =
        (double)(dice_below(dice, 3) == 0 ? 1000 * dice_below(dice, 2) : dice_below(dice, 1001)) /
        1000;
    const double value = low + part * width;
    if (param->row->type == PARAM_INTEGER)
        snprintf(text, RANDOM_SETTING, "%s=%.0f", param->row->name, value);
    else
        snprintf(text, RANDOM_SETTING, "%s=%.17g", param->row->name, value);
}

size_t random_settings(struct dice *dice, const struct config *config, char texts[][RANDOM_SETTING],
                       const char **sets)
{
    const uint64_t share = 1 + dice_below(dice, 10);
    size_t count = 0;
    for (size_t p = 0; p < config->count; p++) {
        if (!config->params[p].plausible || dice_below(dice, 10) >= share)
            continue;
        random_setting(dice, &config->params[p], texts[count]);
        sets[count] = texts[count];
        count++;
    }
    sets[count] = NULL;
    return count;
}

size_t optimistic_settings(const struct config *config, char texts[][RANDOM_SETTING],
                           const char **sets)
{
    size_t count = 0;
    for (size_t p = 0; p < config->count; p++) {
        const struct param *param = &config->params[p];
        if (!param->plausible)
            continue;
        if (param->row->type == PARAM_TEXT)
            snprintf(texts[count], RANDOM_SETTING, "%s=%s", param->row->name, param->choices[0]);
        else
            snprintf(texts[count], RANDOM_SETTING, "%s=%.17g", param->row->name,
                     param->high_is_optimistic ? param->plausible_high : param->plausible_low);
        sets[count] = texts[count];
        count++;
    }
    sets[count] = NULL;
    return count;
}
