/*
 * fit_outside: settings that say of a probe what no setting found so far says.
 *
 *   settings, the machine's probes --fit_search_outside--> further settings
 *
 * Descents end where most of the box leads to, and pushes stay near there. So of the probes
 * (timing/machine_timing.h) of which the settings leave most open, the nearest points of the whole
 * box whose total is beyond that of all settings are searched for the measurements, with the total
 * kept there.
 */
#ifndef TAKT_ANALYSIS_FIT_OUTSIDE_H
#define TAKT_ANALYSIS_FIT_OUTSIDE_H

#include "analysis/fit.h"

/* Returns 0, or -1 when the host failed. */
int fit_search_outside(struct fit *fit);
/* In points timed, at most. */
uint64_t fit_outside_work(const struct fit *fit);

#endif
