/*
 * expect_values: what a run and its baseline computed, for `takt expect 'values == baseline'`.
 *
 *   session --expect_values_want--> run --expect_values_take--> struct diff_input
 *   trace --expect_values_state-------------------------------> struct diff_input
 *   one of each run --expect_values_find--> equal or not
 */
#ifndef TAKT_CLI_EXPECT_VALUES_H
#define TAKT_CLI_EXPECT_VALUES_H

#include "analysis/expectation.h"
#include "cli/diff_run.h"

struct expect_values {
    struct diff_input inputs[2]; /* of the baseline and of the run */
    struct diff_values_found found;
    char *texts[2];
};

/* Between session_open and session_load: the run keeps what it computes; data arrive when transfers
 * end. Returns an exit code after saying why. */
int expect_values_want(struct session *session, struct diff_input *input);
/* After the run. */
void expect_values_take(const struct session *session, struct diff_input *input);
/* A trace has the hash of its state, or nothing. */
void expect_values_state(const struct store *store, struct diff_input *input);

/* Compare them, once. Returns an exit code; EXIT_USAGE with a sentence where a trace, one of the
 * two paths, has no values. */
int expect_values_find(struct expect_values *values, const char *const paths[2],
                       char error[EXPECTATION_ERROR]);
/* "they are equal (get)", or the first difference. */
void expect_values_print(const struct expect_values *values, FILE *out);
void expect_values_close(struct expect_values *values);

#endif
