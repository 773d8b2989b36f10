/*
 * bound_answer: what is proven of a run, or of one of its regions.
 *
 *   store, starts, region --bound_answer_find--> struct bound_answer --bound_answer_print, _json-->
 *
 * The bounds of a region are those of its statements as a separate program.
 */
#ifndef TAKT_ANALYSIS_BOUND_ANSWER_H
#define TAKT_ANALYSIS_BOUND_ANSWER_H

#include <stdio.h>

#include "traces/starts.h"
#include "traces/store.h"

struct bound_answer {
    /* The request; the rest is 0. */
    const char *program;
    const char *region;            /* NULL: the whole program */
    struct starts *starts;         /* the sink that the run was given; of a region alone */
    const struct machine *machine; /* of the whole program, for its proof; or NULL */
    const struct run_setup *setup;
    /* What is found. */
    struct store store; /* the run's, with cycles and bounds of the region; not to be closed */
    struct graph part;  /* the region's, as are these bounds */
    struct bounds found;
    bool uncertified; /* a certificate does not hold: an error of takt */
};

/* store: of a run that is done, with its bounds and graph. Returns 0; 1 for an unknown region; -1
 * when the host has no memory. To be freed in every case. */
int bound_answer_find(struct bound_answer *answer, const struct store *store);
void bound_answer_free(struct bound_answer *answer);

/* Returns 0, or -1 when memory is out. */
int bound_answer_print(const struct bound_answer *answer, FILE *out);
struct json_t;
/* {"cycles", "bounds", "gap"}; NULL when memory is out. */
struct json_t *bound_answer_json(const struct bound_answer *answer);
/* As text for takt certify. Returns 0, or -1 when the host failed. */
int bound_answer_proof(const struct bound_answer *answer, FILE *out);

#endif
