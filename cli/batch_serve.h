/*
 * batch_serve: a process of takt batch, which ends itself where a job takes too long. Between the
 * loop and a process: a header of kind or status, size and number, then the text.
 */
#ifndef TAKT_CLI_BATCH_SERVE_H
#define TAKT_CLI_BATCH_SERVE_H

#include "cli/batch_job.h"

struct batch_header {
    uint32_t code; /* enum batch_kind, or enum takt_status of an answer */
    uint32_t size; /* of the text that follows, which fits: MOST_LINE, batch_loop.c */
    uint64_t number;
};

enum { BATCH_WHY = 160, BATCH_SECONDS = 60, BATCH_MOST_SECONDS = 1000000 };

/* Jobs from fd, and their answers to it, until the input ends. Returns an exit code. */
int batch_serve(struct batch *batch, int fd);
/* Why a process ended in a job, by its status of waitpid(). */
enum takt_status batch_gone(const struct batch *batch, int status, char why[BATCH_WHY]);

#endif
