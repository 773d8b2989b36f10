/*
 * fit_apart: settings that differ most in the machine's probes.
 *
 *   settings, the machine's probes --fit_push_apart--> further settings
 *
 * Settings far out in their numbers need not be far out in what they say of other programs. Of each
 * probe (timing/machine_timing.h) the settings with the least and the greatest total move on, at no
 * more than the reach, as far as the total falls or rises.
 */
#ifndef TAKT_ANALYSIS_FIT_APART_H
#define TAKT_ANALYSIS_FIT_APART_H

#include "analysis/fit.h"

/* Returns 0, or -1 when the host failed. */
int fit_push_apart(struct fit *fit);
/* In points timed, at most. */
uint64_t fit_apart_work(const struct fit *fit);

#endif
