/*
 * fit_probes: a machine's programs of one shape each (timing/machine_timing.h) as measurements
 * without a value.
 *
 *   machine --fit_probes_list--> measurements, whose program is the probe's name
 */
#ifndef TAKT_ANALYSIS_FIT_PROBES_H
#define TAKT_ANALYSIS_FIT_PROBES_H

#include "analysis/fit_list.h"

struct fit_probes {
    struct fit_measurement *items;
    char *names; /* all, one after the other, each with its NUL */
    size_t count;
};

/* No items for a machine that has none. Returns 0, or -1 when the host has no memory; free it in
 * every case. */
int fit_probes_list(struct fit_probes *probes, const struct machine *machine);
void fit_probes_free(struct fit_probes *probes);

#endif
