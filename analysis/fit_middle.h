/* fit_middle: of the settings that a fit has kept: which numbers go together, and which setting is
 * in the middle. */
#ifndef TAKT_ANALYSIS_FIT_MIDDLE_H
#define TAKT_ANALYSIS_FIT_MIDDLE_H

#include "analysis/fit.h"

/* Into fit->groups and fit->chosen. Return 0, or -1 when the host has no memory. */
int fit_find_groups(struct fit *fit);
int fit_choose_setting(struct fit *fit);

#endif
