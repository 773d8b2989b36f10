/*
 * fit_case: a measurement as a function of the machine's numbers.
 *
 *   measurement --fit_case_open--> a run that is done --fit_case_time(numbers)--> prediction
 *
 * The program is read, checked and executed once; a total is timed again in as many threads as
 * wanted. Any other quantity takes a run with a sink of its own.
 */
#ifndef TAKT_ANALYSIS_FIT_CASE_H
#define TAKT_ANALYSIS_FIT_CASE_H

#include "analysis/fit_list.h"
#include "analysis/measured.h"
#include "timing/run.h"

struct fit_case {
    const struct fit_measurement *measurement;
    const struct machine *machine;
    struct machine_program *program;
    struct source source;
    struct run_options options;
    struct machine_run *run;
    uint64_t events;         /* that a run handles, as configured */
    uint64_t work;           /* these, wake-ups and events of units: about its time */
    struct measured *issues; /* of a list of events; or NULL */
    bool sorts;              /* measured_listener.sorts */
};

/* The configuration stands until the case is closed. Returns 0; 1 with a sentence when program or
 * list has errors; -1 when the host failed. Close it in every case. */
int fit_case_open(struct fit_case *c, const struct machine *machine, const struct config *config,
                  const struct fit_measurement *measurement, char error[FIT_ERROR]);
void fit_case_close(struct fit_case *c);

/* alone: a lower bound, of cycles and time only. Returns 0; 1 when these numbers make no chip, or
 * the run has nothing of that name; -1 when the host failed. */
int fit_case_time(const struct fit_case *c, const struct config *config, bool alone, double *value);

/* The run beside the list of an events measurement; both are to be freed in every case. Status as
 * above. */
int fit_case_issues(const struct fit_case *c, const struct config *config,
                    struct measured_listener *listener, struct measured_answer *answer);

#endif
