/*
 * interval: how many cycles after each other the turns of a loop can begin, at least.
 *
 *   turns, graph, moves --interval_find--> one bound a class, with what limits it
 *
 * It holds for the steady state: all turns are ordered alike, and each of any number of turns
 * begins the same number of cycles after the one before. A program of few turns, or one whose turns
 * are ordered in different ways, may need less on average.
 *
 *   unit   a unit works for each turn. Where some of its statements turn it, so that others have to
 *          wait, it turns once in an interval at least
 *   steps  statements that never share a step, whatever turns meet
 *   chain  a statement depends on itself some turns before, over others; only dependences that each
 *          turn has count
 *
 * Classes are those of timing/bounds.h, and INTERVAL_WAITS: any order with the waits and tags as
 * written.
 */
#ifndef TAKT_ANALYSIS_INTERVAL_H
#define TAKT_ANALYSIS_INTERVAL_H

#include "analysis/turns.h"

enum interval_class { INTERVAL_ANY_ORDER, INTERVAL_FREE_PLACES, INTERVAL_WAITS, INTERVAL_CLASSES };
extern const char *const interval_class_names[INTERVAL_CLASSES]; /* "any-order" */

struct interval_unit {
    uint32_t unit;   /* of the graph */
    uint64_t cycles; /* a turn needs of it */
    uint64_t turned; /* of them those in which it turns */
};

enum interval_limit { INTERVAL_NOTHING, INTERVAL_UNIT, INTERVAL_STEPS, INTERVAL_CHAIN };
extern const char *const interval_limit_names[]; /* "", "unit" */

struct interval {
    uint64_t cycles; /* a multiple of the graph's quantum */
    enum interval_limit limit;
    struct interval_unit *units; /* the largest first; of INTERVAL_WAITS none */
    size_t unit_count;
    uint64_t steps;  /* cycles of those; 0: not known */
    uint32_t *apart; /* their lines in the first turn */
    size_t apart_count;
    uint64_t chain;  /* cycles of the chain that needs most a turn; 0: there is none */
    uint32_t turns;  /* that it takes */
    uint32_t *lines; /* in the first turn */
    size_t line_count;
};

/* Dependences between the pieces of the turns, in slots. A wait comes the estimated time after its
 * transfer; least: the least time, without what only the time of the program as written keeps
 * apart. Returns 0, or -1 when the host has no memory. */
int interval_fold(const struct turns *turns, const struct moves *moves, bool least,
                  struct fold *fold);

/* To be freed in every case. Returns 0, or -1 when the host has no memory. */
int interval_find(struct interval intervals[INTERVAL_CLASSES], const struct turns *turns,
                  const struct node_starts *starts, const struct moves *moves);
void interval_free(struct interval intervals[INTERVAL_CLASSES]);

#endif
