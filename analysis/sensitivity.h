/*
 * sensitivity: what each unpublished number is worth for a program.
 *
 *   run_range (timing/run.h) --> struct sensitivity --sensitivity_print, sensitivity_json-->
 */
#ifndef TAKT_ANALYSIS_SENSITIVITY_H
#define TAKT_ANALYSIS_SENSITIVITY_H

#include <stdio.h>

#include "config/config.h"
#include "timing/range.h"

struct sensitivity {
    const char *machine, *program;
    const struct config *config;
    uint64_t cycles; /* as configured */
    const struct range *range;
};

/* all: numbers that change nothing, too. */
void sensitivity_print(const struct sensitivity *sensitivity, bool all, FILE *out);
struct json_t;
struct json_t *sensitivity_json(const struct sensitivity *sensitivity);
/* The plausible values of a parameter: a list of choices, or [low, high]. */
struct json_t *sensitivity_plausible(const struct param *param);

#endif
