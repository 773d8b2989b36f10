/*
 * fit_centre: one setting, in the middle of all that a fit has kept.
 *
 *   settings, the machine's probes --fit_centre--> one setting more, fit->chosen
 *
 * Many settings explain the same measurements and differ in other programs. The machine's probes
 * (timing/machine_timing.h) are timed with all of them. Descents from some of them, for the
 * measurements and for the median of each probe, end in a setting in the middle.
 */
#ifndef TAKT_ANALYSIS_FIT_CENTRE_H
#define TAKT_ANALYSIS_FIT_CENTRE_H

#include "analysis/fit.h"

/* Before fit_choose_setting; *found: a setting was added and chosen. Returns 0, or -1
 * when the host failed. */
int fit_centre(struct fit *fit, bool *found);
/* In points timed, as fit_tell_progress counts them. */
uint64_t fit_centre_work(const struct fit *fit);

#endif
