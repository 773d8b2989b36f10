/*
 * sweep_engines: chunks by other programs: a job array of Slurm, or the list of commands that GNU
 * parallel takes. Both run `takt sweep chunk FOLDER FIRST COUNT`, which leaves what is done.
 */
#ifndef TAKT_CLI_SWEEP_ENGINES_H
#define TAKT_CLI_SWEEP_ENGINES_H

#include "analysis/sweep_progress.h"

/* Submit one array for what is missing; jobs: how many tasks may run at once, 0: any number.
 * Returns an exit code after saying why; says on standard output what to do next. */
int sweep_engines_slurm(const struct sweep_progress *progress, size_t jobs);
/* FOLDER/parallel.txt, and on standard output the command that takes it. */
int sweep_engines_parallel(const struct sweep_progress *progress, size_t jobs);

#endif
