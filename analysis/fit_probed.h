/*
 * fit_probed: the settings that a fit keeps, timed in the machine's probes as well.
 *
 *   fit, its settings --fit_probed_open--> a model of the measurements and of a probe each
 */
#ifndef TAKT_ANALYSIS_FIT_PROBED_H
#define TAKT_ANALYSIS_FIT_PROBED_H

#include "analysis/fit.h"
#include "analysis/fit_probes.h"

struct fit_probed {
    struct fit *fit;
    struct fit_probes probes;
    struct fit_case *cases; /* those of the fit, then a probe each */
    size_t count;
    struct fit_model model;
    struct fit_set settings; /* what no measurement sees is as the configuration has it */
};

/* Returns 0; 1 when the chip refuses a probe; -1 when the host failed. Close it in every case. */
int fit_probed_open(struct fit_probed *probed, struct fit *fit);
void fit_probed_close(struct fit_probed *probed);
double fit_probed_value(const struct fit_probed *probed, const struct fit_set *set, size_t i,
                        size_t c);
/* Of the settings within the reach of the fit, those with the greatest total of a case and with the
 * least. false: all have the same. */
bool fit_probed_extremes(const struct fit_probed *probed, size_t c, size_t extremes[2]);
/* What the measurements alone cost at a point of a set of this model. */
double fit_probed_cost(const struct fit_probed *probed, const struct fit_set *set, size_t i);
/* Adds points of a set of this model to the fit's settings. Returns 0, or -1 when the host
 * failed. */
int fit_probed_keep(const struct fit_probed *probed, const struct fit_set *set,
                    const size_t *points, size_t count);

#endif
