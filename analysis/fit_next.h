/*
 * fit_next: which measurement would narrow the ranges of programs most, by the settings that a fit
 * has left.
 *
 *   fit, its list's measurements without a value, probes, programs --fit_next--> rows, best first
 *
 * Every program is timed with every setting of the fit. What a measurement would leave of a
 * program's range is the range over the settings in which the measurement's own total is nearest
 * to that of one setting, on average over the settings. It ranks measurements. What a new fit
 * leaves may be much more: it finds other settings than the few that are known here.
 */
#ifndef TAKT_ANALYSIS_FIT_NEXT_H
#define TAKT_ANALYSIS_FIT_NEXT_H

#include "analysis/fit.h"
#include "analysis/fit_probes.h"

struct fit_next_row {
    const struct fit_measurement *measurement; /* of the list; or, with a text, a probe */
    size_t place;                              /* those of the list first */
    double left; /* of the programs' ranges over the settings, 0 to 1: mean over the programs */
};
struct fit_next {
    struct fit_next_row *rows;
    size_t count;
    struct fit_probes probes;
    bool varies;      /* the settings differ in a program */
    bool interrupted; /* there are no rows */
};

/* Whether these programs can be run. Returns as fit_next_find, before anything is fitted. */
int fit_next_check(const struct fit_list *list, const struct config *config,
                   const char *const *programs, size_t count, char error[FIT_ERROR]);

/* programs: paths, of the fit's machine. Returns 0; 1 with a sentence; -1 when the host failed.
 * Free it in every case. */
int fit_next_find(struct fit_next *next, struct fit *fit, const char *const *programs, size_t count,
                  char error[FIT_ERROR]);
void fit_next_free(struct fit_next *next);

#endif
