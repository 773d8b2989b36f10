/*
 * machine_advice: what depends on what in a machine's programs, and which changes of a program are
 * possible. Any member may be NULL: the machine has no such answer. Status of calls: 0, 1 or -1, as
 * in timing/machine.h.
 */
#ifndef TAKT_TIMING_MACHINE_ADVICE_H
#define TAKT_TIMING_MACHINE_ADVICE_H

#include "timing/machine_options.h"
#include "timing/moves.h"

struct graph;   /* timing/graph.h */
struct renamed; /* timing/renamed.h */

/* A parameter that makes units of a name faster: one row for each of takt whatif --speed. */
struct machine_speed {
    const char *unit, *param;
    bool rate; /* the parameter is a rate and is multiplied; otherwise a time and is divided */
};

/* A rule that requires steps between two statements. */
struct machine_need {
    uint32_t first, second;
    const char *rule;
    uint64_t steps; /* of those in question */
};

/* Why statements that only pass steps are needed. */
struct machine_needs {
    uint32_t first, last;      /* the statements in a row */
    uint64_t written;          /* their steps ... */
    uint64_t step_cycles;      /* cycles of each */
    uint64_t spare;            /* ... and how many of these no rule requires */
    struct machine_need *rows; /* largest first; freed by the caller */
    size_t count, capacity;
};

typedef int machine_needs_found(void *self, const struct machine_needs *needs);

struct machine_advice {
    /* The dependences in a program that has passed check, in a run with this setup (its sink is not
     * used). The caller sets graph->limit and zeroes the rest, and frees the graph in every case.
     * Returns 0; 1 with a sentence when the graph would have more nodes than the limit, or for an
     * error of the program during the run; -1 when the host has no memory. */
    int (*graph)(const struct run_setup *setup, struct graph *graph, char error[MACHINE_ERROR]);
    /* What can be moved in a program that has passed check, with times by this configuration; of a
     * program whose path depends on values, in a run with this setup (its sink is not used).
     * Returns 0; 1 with a sentence when this program cannot be reordered; -1. Free the moves in
     * every case. */
    int (*moves)(const struct run_setup *setup, struct moves *moves, char error[MACHINE_ERROR]);
    /* The values of a legal program of one source in other places. Returns 0, also if none moves;
     * -1. Free renamed in every case. */
    int (*rename)(const struct machine_program *program, struct renamed *renamed);
    bool tags;     /* of transfers, for which statements wait: moves.tags */
    bool overlaps; /* the turns of a repeat in the text can be overlapped (analysis/pipeline.h):
                      moves_node.written, and lanes that differ between nodes of one line */
    /* Changes of a legal program of one source that are worth a try. Returns 0, -1 when the host
     * has no memory, or the value that found returned. */
    int (*advise)(const struct machine_program *program, const struct config *config,
                  const struct machine_setting *settings, moves_advised *found, void *self);
    /* Every line that takt whatif with these settings removes from the program. */
    void (*drops)(const struct machine_program *program, const struct machine_setting *settings,
                  void (*line)(void *context, uint32_t file, uint32_t line), void *context);
    const struct machine_speed *speeds; /* by unit, up to a NULL unit */
    /* Of a statement that only passes steps. Returns 0; 1 for any other statement; -1 when the host
     * has no memory. */
    int (*needs)(const struct machine_run *run, uint32_t stmt, struct machine_needs *needs);
    /* The same of all such statements, in program order; what found gets is valid during the call.
     * Returns 0, -1 when the host has no memory, or the value other than 0 that found returned. */
    int (*all_needs)(const struct machine_run *run, machine_needs_found *found, void *self);
};

#endif
