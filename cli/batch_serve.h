/*
 * batch_serve: a process of takt batch. Between the loop and a process: a header of kind or status,
 * size and number, then the text.
 */
#ifndef TAKT_CLI_BATCH_SERVE_H
#define TAKT_CLI_BATCH_SERVE_H

#include "cli/batch_job.h"

struct batch_header {
    uint32_t code; /* enum batch_kind, or enum takt_status of an answer */
    uint32_t size; /* of the text that follows, which fits: MOST_LINE, batch_job.c */
    uint64_t number;
};

/* Jobs from fd, and their answers to it, until the input ends. Returns an exit code. */
int batch_serve(struct batch *batch, int fd);

#endif
