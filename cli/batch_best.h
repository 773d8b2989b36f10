/*
 * batch_best: of many programs the best few, which compute what a reference does (takt batch
 * --best).
 *
 *   jobs --batch_best_note--> and their answers --batch_best_take--> a list by cycles
 *        --batch_best_next--> jobs that compare values, the best first, until there are enough
 *        --batch_best_print--> a line of JSON each, by rank
 *
 * Values are those that get statements print; where the reference prints nothing, the hash of its
 * final state. They arrive when transfers end. Only programs that are about to be printed are
 * compared.
 */
#ifndef TAKT_CLI_BATCH_BEST_H
#define TAKT_CLI_BATCH_BEST_H

#include "cli/batch_job.h"
#include "cli/options.h"

struct batch_best_setup {
    uint64_t most;             /* programs that are printed */
    const char *by;            /* a field of answers; the lowest is best */
    const char *reference;     /* a file; NULL: values are not compared */
    const char *init;          /* memories at the start of comparisons; NULL: zero and random */
    const struct batch *batch; /* what holds for all jobs */
};

struct batch_best;

/* NULL when memory is out. */
struct batch_best *batch_best_new(const struct batch_best_setup *setup);
void batch_best_free(struct batch_best *best);

/* A job of the input, in order. Returns 0, or -1 when memory is out. */
int batch_best_note(struct batch_best *best, const struct batch_job *job);
/* The answer to a job, whose line is given up. Returns 0, or -1 when memory is out. */
int batch_best_take(struct batch_best *best, uint64_t number, char *answer);
/* When all of the input has its answers: the text of the next job, of kind BATCH_JSON, which gets
 * this number; NULL: none at present. */
char *batch_best_next(struct batch_best *best, uint64_t number);
/* Returns an exit code after saying why. */
int batch_best_print(struct batch_best *best);

#endif
