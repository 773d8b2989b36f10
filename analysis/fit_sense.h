/*
 * fit_sense: which numbers move which measurement.
 *
 *   points of the whole box --fit_sense--> model.sees, rows[].effect, numbers[].seen
 *
 * Each number is moved alone around FIT_BASES points. What a measurement does not see there it may
 * see elsewhere: a row of the memory that is always open hides its timings. So at every point of
 * the pool all such numbers are moved together to another point's; when that moves the measurement,
 * one that does is found by halving.
 * So they are at each of the settings that were found, to the values that they had: what is called
 * unseen moves nothing there.
 */
#ifndef TAKT_ANALYSIS_FIT_SENSE_H
#define TAKT_ANALYSIS_FIT_SENSE_H

#include "analysis/fit.h"

/* The pool has at least these points, and they are timed. */
#define FIT_BASES 3

/* Return 0, or -1 when the host failed. */
int fit_sense(struct fit *fit);
int fit_sense_settings(struct fit *fit);

#endif
