/*
 * fit_space: settings of a machine's unpublished numbers as points.
 *
 *   configuration --fit_space_init--> one axis for each number with a plausible range
 *   point --fit_space_apply--> the configuration in which the numbers are so
 *
 * A coordinate is the number, rounded to one that the axis has; of a text, the index of its choice.
 */
#ifndef TAKT_ANALYSIS_FIT_SPACE_H
#define TAKT_ANALYSIS_FIT_SPACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "config/config.h"

struct machine;

struct fit_axis {
    size_t param;     /* of the configuration */
    double low, high; /* of a text 0 and its last choice */
    bool whole, text;
    bool high_is_optimistic;
    double *values; /* rising, where the machine refuses some between low and high; or NULL */
    size_t value_count;
};

struct fit_space {
    const struct config *config;
    struct fit_axis *axes;
    size_t count;
};

/* Returns 0, or -1 when the host has no memory. */
int fit_space_init(struct fit_space *space, const struct config *config);
/* Whole numbers of which the machine takes only some, as powers of two: these alone are values of
 * the axis. Likewise. */
int fit_space_keep_legal(struct fit_space *space, const struct machine *machine);
void fit_space_free(struct fit_space *space);
/* variant: made by config_variant of the space's configuration. */
void fit_space_apply(const struct fit_space *space, const double *point, struct config *variant);
/* The nearest value of an axis. */
double fit_axis_round(const struct fit_axis *axis, double value);
const char *fit_axis_name(const struct fit_space *space, size_t axis);
/* "16" or "row:bank:column:channel" into text. */
void fit_axis_text(const struct fit_space *space, size_t axis, double value, char *text,
                   size_t size);

/* Numbers that look random, the same on every host: from a seed, a stream for each part. */
struct fit_dice {
    uint64_t state;
};
struct fit_dice fit_dice(uint64_t seed, uint64_t stream);
uint64_t fit_dice_below(struct fit_dice *dice, uint64_t limit);
double fit_dice_real(struct fit_dice *dice); /* in [0, 1) */
/* Any value of an axis. */
double fit_axis_anywhere(const struct fit_axis *axis, struct fit_dice *dice);

#endif
