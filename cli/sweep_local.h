/*
 * sweep_local: the chunks of a sweep by worker processes of this host, from a libevent loop.
 *
 *   missing chunks --> worker processes, one chunk each --> FOLDER/chunks/N.db
 *
 * A worker that a signal ends costs its chunk one of three tries. What a chunk's own sentence says
 * (exit code 1 or 3) ends the sweep when the other workers have ended. Workers end with the sweep.
 */
#ifndef TAKT_CLI_SWEEP_LOCAL_H
#define TAKT_CLI_SWEEP_LOCAL_H

#include <stdbool.h>

#include "analysis/sweep_progress.h"

/* progress: what is not done; kept up to date. shown: on standard error. Returns an exit code after
 * saying why. */
int sweep_local_run(struct sweep_progress *progress, size_t jobs, bool shown);

#endif
