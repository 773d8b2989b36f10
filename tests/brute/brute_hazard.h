/*
 * brute_hazard: may a statement issue in this cycle? A model of manual 3.6.3 that keeps, for every
 * single address, when it was written, and looks at every single address again when it is read.
 * Slow and simple on purpose; shares no code with functional/mncore2/effect.c or
 * timing/mncore2/hazard.c, and takes the manual's numbers as they stand there.
 */
#ifndef TAKT_TESTS_BRUTE_HAZARD_H
#define TAKT_TESTS_BRUTE_HAZARD_H

#include "functional/mncore2/program.h"

struct brute_hazard;

struct brute_hazard *brute_hazard_new(void);
void brute_hazard_free(struct brute_hazard *hazard);

/* True when nothing in 3.6.3 forbids the statement at cycle t. */
bool brute_hazard_step_legal(const struct brute_hazard *hazard, const struct step *step, int64_t t);
bool brute_hazard_mv_legal(const struct brute_hazard *hazard, const struct mv *mv, int64_t t);
/* It issues. */
void brute_hazard_issue(struct brute_hazard *hazard, const struct step *step, int64_t t);
void brute_hazard_set_mask(struct brute_hazard *hazard);

#endif
