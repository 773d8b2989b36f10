/*
 * application_answers: what commands about programs answer about an application. Each takes the
 * options of a session, which is empty afterwards, and returns an exit code after saying why.
 */
#ifndef TAKT_CLI_APPLICATION_ANSWERS_H
#define TAKT_CLI_APPLICATION_ANSWERS_H

#include "cli/application.h"

/* Whether the arguments are one application. */
bool application_given(char **paths, int count);

/* program_only: --region or --proof was given. */
int application_bound(struct session *session, const char *path, bool program_only);
int application_sensitivity(struct session *session, const char *path, bool all);
/* sets: those of takt whatif; speeds: UNIT=K. */
int application_whatif(struct session *session, const char *path, const struct cli_list *sets,
                       const struct cli_list *speeds);

#endif
