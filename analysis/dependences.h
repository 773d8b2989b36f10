/*
 * dependences: what must come before what in a run, with the slack of each pair, and how much later
 * statements could issue.
 *
 *   graph, starts, store --dependences_find--> rows --dependences_print, _dot, _json-->
 *
 * Pairs of executions are rows by themselves; in print equal ones are one.
 */
#ifndef TAKT_ANALYSIS_DEPENDENCES_H
#define TAKT_ANALYSIS_DEPENDENCES_H

#include <stdio.h>

#include "timing/graph.h"
#include "traces/starts.h"
#include "traces/store.h"

struct dependence {
    const struct graph_arc *arc;
    uint32_t from, to; /* statements; a larger number: outside the machine */
    uint64_t times;
    bool known;    /* slack is */
    int64_t slack; /* cycles that the run left beyond those that the pair needs */
};

struct dependences {
    /* What is wanted; the rest is 0. */
    const struct store *store;
    const struct graph *graph;
    const char *file;   /* of line, or its last part; "": any */
    uint64_t line;      /* 0: all lines */
    const char *region; /* NULL: all */
    /* What is found. */
    bool *wanted; /* by statement */
    size_t wanted_count;
    struct dependence *rows;
    size_t count;
};

/* For a run that is done; starts: the sink that it was given. Returns 0; 1 for an unknown region;
 * -1 when the host has no memory. To be freed in every case. */
int dependences_find(struct dependences *dependences, struct starts *starts);
void dependences_free(struct dependences *dependences);

void dependences_print(struct dependences *dependences, FILE *out);
/* For Graphviz. */
void dependences_dot(const struct dependences *dependences, FILE *out);
struct json_t;
/* {"cycles", "deps", "slack"} */
struct json_t *dependences_json(const struct dependences *dependences);

/* Memory or register file of an arc's place; "" of a port. */
const char *dependences_space(const struct graph *graph, const struct graph_arc *arc);

#endif
