/* run: programs of tensor loops through the machine, inside the test's process. */
#ifndef TAKT_TESTS_LOOPS_RUN_H
#define TAKT_TESTS_LOOPS_RUN_H

#include <stddef.h>
#include <stdint.h>

#include "tests/event_list.h"
#include "timing/machine.h"

/* Memory before and after; the test fails with the findings when the program is refused. */
void loops_run_values(const char *text, const uint64_t *before, uint64_t *after, size_t words);

/* What it prints, by all of `options` but dump; to be freed. */
char *loops_run_dump(const char *text, const struct run_options *options);

/* The total under settings "name=value", until NULL; settings may be NULL. */
uint64_t loops_run_cycles(const char *text, const char *const *settings, bool run_ahead);

/* The same, and what units do in single cycles. */
uint64_t loops_run_events(const char *text, const char *const *settings, struct event_list *events);

/* The test fails unless each statement of slack may be issued so much later, in its first turn and
 * in the last one, with the same total. */
void loops_run_slack(const char *text);

#endif
