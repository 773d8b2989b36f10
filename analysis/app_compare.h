/*
 * app_compare: an application and its proven bounds, or the same with other numbers.
 *
 *   struct app_answer --app_bounds_find--> struct app_bounds --print, json-->
 *   two struct app_answer --app_whatif_print, app_whatif_json-->
 */
#ifndef TAKT_ANALYSIS_APP_COMPARE_H
#define TAKT_ANALYSIS_APP_COMPARE_H

#include "analysis/app_answer.h"

/* Totals in which each turn takes what is proven of its program; transfers take what they do. */
struct app_bounds {
    const struct app_answer *answer;
    uint64_t cycles[BOUND_CLASSES];
};

/* Status as app_time. */
int app_bounds_find(struct app_bounds *bounds, char error[MACHINE_ERROR]);
void app_bounds_print(const struct app_bounds *bounds, FILE *out);
struct json_t;
struct json_t *app_bounds_json(const struct app_bounds *bounds);

/* sets: the changes as "KEY=VALUE", NULL-terminated. */
struct app_whatif {
    const struct app_answer *before, *after;
    const char *const *sets;
};
void app_whatif_print(const struct app_whatif *whatif, FILE *out);
struct json_t *app_whatif_json(const struct app_whatif *whatif);

#endif
