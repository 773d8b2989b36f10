/*
 * pipeline: the turns of a loop overlapped (software pipelining): how many cycles after each other
 * they begin as written, at least, and in the best order found, which is written as a program.
 *
 *   candidates, region --pipeline_find--> struct pipeline { text, cycles, intervals }
 *       --pipeline_print, pipeline_json, pipeline_free-->
 *
 * All turns are in the text. So nothing is added or renamed: the statements of the region come in
 * another order, those outside it keep theirs with the padding between them.
 *
 * Nothing is given out that was not loaded, checked, run, timed and compared (candidate.h), and
 * nothing that takes as long as the program as written: that is kept then.
 */
#ifndef TAKT_ANALYSIS_PIPELINE_H
#define TAKT_ANALYSIS_PIPELINE_H

#include <stdio.h>

#include "analysis/interval.h"
#include "analysis/schedule.h"

/* Cycles from each turn to the next, in a run. */
struct pipeline_rate {
    uint64_t interval; /* of the steady turns; where none are, on average */
    uint32_t steady;   /* turns in a row of which each statement begins `interval` after the same
                          one of the turn before; 0: there are no three such turns */
};

struct pipeline {
    const char *program, *region; /* names; valid as long as candidates and job */
    const char *equal;            /* as of struct schedule */
    struct turns turns;
    struct interval intervals[INTERVAL_CLASSES];
    char (*unit)[GRAPH_NAME]; /* names of the graph's units */
    struct pipeline_rate written, found;
    uint32_t slots, stages;   /* of the order found: from turn to turn, and turns at a time */
    uint64_t before, after;   /* cycles of the program */
    uint32_t first, last;     /* lines of the loop */
    bool kept;                /* the program stays as it was written */
    bool optimal, same_waits; /* no shorter interval; same_waits: with these waits and tags */
    bool stopped;
    const char *reason; /* why it was kept; "" */
    size_t tries;       /* intervals that were tried */
    char *text;         /* NULL when kept */
    size_t size;
    struct moves_pair *pairs;
    size_t pair_count;
};

struct pipeline_job {
    const struct candidate_setup *setup; /* of the candidates */
    const char *region;
    bool tags; /* as of struct schedule_job */
};

/* Returns 0; 1 and a sentence when there is no such loop, or its order cannot be changed; -1. */
int pipeline_find(struct candidates *candidates, const struct pipeline_job *job,
                  struct pipeline *pipeline, char error[MACHINE_ERROR]);
void pipeline_free(struct pipeline *pipeline);

void pipeline_print(const struct pipeline *pipeline, FILE *out);
struct json_t;
struct json_t *pipeline_json(const struct pipeline *pipeline);

#endif
