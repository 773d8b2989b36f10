/*
 * trace_run: a run of the program that a trace holds, with the trace's numbers.
 *
 *   trace --trace_run_open--> session, whose run has not begun
 *         --trace_run_repeat--> the same at its end, if it takes as long as the trace says
 */
#ifndef TAKT_CLI_TRACE_RUN_H
#define TAKT_CLI_TRACE_RUN_H

#include "cli/session.h"

/* Whether path is to be read as a trace: it is one, or it has no machine's extension and no option
 * is for a program (own: some option of the command itself is). *code is EXIT_USAGE after saying
 * that a trace has no use for such an option. */
bool trace_run_given(const struct session *s, const char *path, bool own, int *code);
/* False, with nothing said: there is no such run. session_close in every case. */
bool trace_run_open(struct session *s, sqlite3 *db);
/* Open it and run it. Returns EXIT_FINE; an exit code after saying why. */
int trace_run_repeat(struct session *s, sqlite3 *db, const char *path);

#endif
