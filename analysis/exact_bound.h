/*
 * exact_bound: what an exhaustive search proves of a small program, as a row of its bounds.
 *
 *   run_setup, bounds --exact_bound_add--> bounds, with rows `search` of its classes this-order and
 *                                               any-order
 *
 * Every order of the program's pieces (timing/moves.h) is searched, with transfers that take their
 * least cycles (schedule_exact.h). There is a row only where that proves more than the other bounds
 * do.
 */
#ifndef TAKT_ANALYSIS_EXACT_BOUND_H
#define TAKT_ANALYSIS_EXACT_BOUND_H

#include "timing/bounds.h"
#include "timing/machine.h"
#include "timing/moves.h"

enum {
    EXACT_BOUND_STATES = 500, /* of an answer that is to be quick */
    EXACT_BOUND_MORE = 20000, /* of takt bound and takt schedule */
    EXACT_BOUND_NODES = 1024  /* most of a graph whose pieces may be few enough */
};

struct exact_effort {
    uint64_t states; /* that are tried; doubled until stop says so, where that is not NULL */
    bool (*stop)(void *self);
    void *self;
};

struct exact_found {
    bool searched; /* every order */
    uint64_t cycles, states;
    size_t pieces;
    const char *why; /* not searched: a clause */
};

/* Returns 0, or -1 when the host has no memory. */
int exact_bound_add(struct bounds *bounds, const struct machine *machine,
                    const struct run_setup *setup, const struct exact_effort *effort,
                    struct exact_found *found);

/* Why every order of these pieces cannot be searched; NULL: it can be. */
const char *exact_bound_refusal(const struct moves *moves);

#endif
