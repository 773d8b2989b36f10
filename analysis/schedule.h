/*
 * schedule: a program in a better order, with the same values.
 *
 *   candidates, settings --schedule_find--> struct schedule { text, cycles }
 *       --schedule_print, schedule_json, schedule_free-->
 *
 * A first order comes from list_schedule.h with the longest path after each node as its priority.
 * Then priorities are changed at random, with a fixed seed and a number of tries that depends on
 * the size alone, so that the same program always gets the same order; what is not longer stays. A
 * program of at most EXACT_NODES pieces without transfers is also searched completely
 * (schedule_exact).
 *
 * At last what advise.h finds is applied, unless the order is known to be the best.
 *
 * Nothing is given out that was not loaded, checked, run, timed and compared (candidate.h), and
 * nothing that takes as long as the program as written: that is kept then.
 */
#ifndef TAKT_ANALYSIS_SCHEDULE_H
#define TAKT_ANALYSIS_SCHEDULE_H

#include <stdio.h>

#include "analysis/candidate.h"
#include "timing/moves.h"
#include "timing/renamed.h"

struct schedule {
    const char *program; /* its name; valid as long as the candidates, as is: */
    const char *equal;   /* the starts of memories with which the values were seen to be equal */
    uint64_t before, after;
    uint64_t bound;       /* no order with the same places takes fewer cycles; 0: not known */
    uint64_t free_places; /* no order takes fewer, wherever its values are; 0: not known */
    bool same_waits;      /* of the bound: no order that also has the same waits and tags */
    bool kept;            /* the program stays as it was written; after = before */
    bool optimal;         /* no order with the same places takes fewer cycles */
    const char *reason;   /* why it was kept or why it is optimal; "" */
    bool stopped;         /* before everything was tried */
    bool divided;         /* regions keep statements apart */
    size_t nodes, tries;
    char *text; /* NULL when kept */
    size_t size;
    struct moves_pair *pairs; /* that no wait of the program as written keeps in order */
    size_t pair_count;

    bool rename;            /* it was tried */
    uint64_t unrenamed;     /* cycles with all values in their places */
    struct renamed renamed; /* its values are those that moved; none: with others it is no shorter.
                               Then bound, optimal and tries are those of the renamed program */
};

struct schedule_job {
    const struct candidate_setup *setup; /* of the candidates */
    bool tags;                           /* such pairs get tags and waits */
    bool on; /* the search continues until setup.stop ends it, or nothing can be better */
};

/* Returns 0; 1 and a sentence when the program cannot be put into another order; -1. */
int schedule_find(struct candidates *candidates, const struct schedule_job *job,
                  struct schedule *schedule, char error[MACHINE_ERROR]);
/* The same; if it is shorter, the best order of the program with its values in other places
 * (timing/renamed.h). It is compared with the program as written: all dumps, and the state apart
 * from places that the program as written does not touch. Of a machine that has them. */
int schedule_find_renamed(struct candidates *candidates, const struct schedule_job *job,
                          struct schedule *schedule, char error[MACHINE_ERROR]);
void schedule_free(struct schedule *schedule);

/* Pairs that no wait of the program as written keeps in order. */
void schedule_pairs_print(const struct moves_pair *pairs, size_t count, FILE *out);
void schedule_print(const struct schedule *schedule, FILE *out);
struct json_t;
struct json_t *schedule_pairs_json(const struct moves_pair *pairs, size_t count);
struct json_t *schedule_json(const struct schedule *schedule);

#endif
