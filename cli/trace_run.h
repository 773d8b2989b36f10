/*
 * trace_run: a run of the program that a trace holds, with the trace's numbers.
 *
 *   trace --trace_run_open--> session, whose run has not begun
 *         --trace_run_repeat--> the same at its end, if it takes as long as the trace says
 */
#ifndef TAKT_CLI_TRACE_RUN_H
#define TAKT_CLI_TRACE_RUN_H

#include "cli/session.h"

/* False, with nothing said: there is no such run. session_close in every case. */
bool trace_run_open(struct session *s, sqlite3 *db);
/* Open it and run it. Returns EXIT_FINE; an exit code after saying why. */
int trace_run_repeat(struct session *s, sqlite3 *db, const char *path);

#endif
