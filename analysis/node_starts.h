/*
 * node_starts: what depends on what in a program, and when each node began in a run of it.
 *
 *   setup, program --node_starts_find--> graph, starts, lines --node_starts_free-->
 */
#ifndef TAKT_ANALYSIS_NODE_STARTS_H
#define TAKT_ANALYSIS_NODE_STARTS_H

#include "analysis/candidate.h"
#include "timing/graph.h"

struct node_starts {
    struct graph graph;
    uint64_t *start; /* by node: STARTS_NONE of those outside the machine */
    uint32_t *lines; /* by node, from 1 */
};

/* Of a legal program. values: its time depends on them. To be freed in every case. Returns 0; 1 and
 * a sentence for an error of the program; -1. */
int node_starts_find(struct node_starts *starts, const struct candidate_setup *setup,
                     const struct machine_program *program, bool values, char error[MACHINE_ERROR]);
void node_starts_free(struct node_starts *starts);

#endif
