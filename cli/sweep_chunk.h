/*
 * sweep_chunk: points of a sweep, timed as takt batch times its jobs (cli/batch_job.h). Every
 * engine calls this.
 *
 *   lines of the plan --sweep_chunk_run--> FOLDER/chunks/N.db
 */
#ifndef TAKT_CLI_SWEEP_CHUNK_H
#define TAKT_CLI_SWEEP_CHUNK_H

#include "analysis/sweep_folder.h"

/* Changes the process's working folder. Chunks that are done stay. Returns an exit code after
 * saying why. */
int sweep_chunk_run(const struct sweep_folder *folder, size_t first, size_t count);

/* Seconds that a line of the plan takes, at most `most`, in a separate process. head: of
 * sweep.json, which need not be there yet. Negative: no process could be made. */
double sweep_chunk_time(const char *folder, const json_t *head, const char *line, unsigned most);

#endif
