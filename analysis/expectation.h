/*
 * expectation: what a run shall hold, as one comparison, and whether it does.
 *
 *   cycles <= 1400      util(alu) >= 90%      slack(40) >= 1      cycles(load) <= baseline
 *
 *   cycles, cycles(REGION)   of the run; in which the issuing unit is in a region
 *   busy(UNIT), util(UNIT)   its cycles of work; their share of the run
 *   wait(REASON)             cycles in which issuing units are held for it
 *   bound(CLASS), gap(CLASS) the greatest lower bound of a class; how far above it the run is, as a
 *                            share of the run
 *   slack(LINE)              least slack of its statements; of several programs FILE:LINE
 *   warnings, warnings(NAME) how many; those named removable count only so
 *   values                   with == baseline or != baseline alone: what both computed, which the
 *                            caller compares
 *   a counter                as takt report TRACE counters names them: steps
 *
 * Compared by <= >= < > == != with a number, followed by % a hundredth, or with `baseline`, the
 * same of another trace. Whole numbers of 64 bits are compared exactly.
 */
#ifndef TAKT_ANALYSIS_EXPECTATION_H
#define TAKT_ANALYSIS_EXPECTATION_H

#include <stdbool.h>
#include <stddef.h>

#include "traces/store.h"

enum { EXPECTATION_NAME = 64, EXPECTATION_ARGUMENT = 200, EXPECTATION_ERROR = 500 };

enum expectation_compare { EXPECT_LE, EXPECT_GE, EXPECT_LT, EXPECT_GT, EXPECT_EQ, EXPECT_NE };

struct expectation {
    char name[EXPECTATION_NAME], argument[EXPECTATION_ARGUMENT]; /* argument: empty when none */
    enum expectation_compare compare;
    long double limit; /* a hundredth of the number before % */
    bool percent, baseline;
    bool at_least, limit_at_least; /* what was found for it is known to be no less, but not more */
};

/* Returns 0, or 1 with a sentence in error. */
int expectation_parse(struct expectation *expectation, const char *text, size_t length,
                      char error[EXPECTATION_ERROR]);

/* What the run has; at_least is set. Returns 0, or 1 with a sentence when it has nothing of that
 * name. */
int expectation_value(const struct store *store, struct expectation *expectation,
                      long double *value, char error[EXPECTATION_ERROR]);

/* It is about values: 1 where they are equal, which no store knows. */
bool expectation_compares_values(const struct expectation *expectation);

/* It is about a bound, which takes a while to find. */
bool expectation_needs_proof(const struct expectation *expectation);

/* It is about a counter that the run knows and has not counted. */
bool expectation_is_uncounted(const struct store *store, const struct expectation *expectation);

/* Whether it is about the exact slack of this statement. */
bool expectation_delays(const struct store *store, const struct expectation *expectation,
                        uint32_t stmt);

/* It is whole, and a count of 64 bits. */
bool expectation_whole(long double value);

/* What is not known to hold does not. */
bool expectation_holds(const struct expectation *expectation, long double value);

/* 1,256 or 35.2 % or 0.352: a value as the expectation writes its own. */
void expectation_number(const struct expectation *expectation, long double value, char text[40]);

#endif
