/*
 * candidate: is a changed program legal, does it do the same, and how long does it take?
 *
 *   setup --candidate_open--> struct candidates: the program as written, run once
 *   text  --candidate_time--> legal? cycles      --candidate_compare--> the same values?
 *
 * Legal: the language and every rule of the machine take it, no warning comes more often than for
 * the program as written, and no access comes before the end of a transfer that it meets, or
 * earlier before it than as written. The same values: what it dumps is equal byte for byte, and the
 * hash of the whole state is (the order of code in memory apart), with memories that start as zero
 * and at random; a start with which
 * the program as written cannot be run is left out (candidate_tried says which were not).
 *
 * Everything runs in this process, one candidate after the other.
 */
#ifndef TAKT_ANALYSIS_CANDIDATE_H
#define TAKT_ANALYSIS_CANDIDATE_H

#include "timing/machine.h"
#include "timing/moves.h"

struct candidate_setup {
    const struct machine *machine;
    const struct config *config;
    const struct source *source;
    const struct machine_setting *settings; /* as in struct run_options */
    bool new_warnings; /* candidates may have warnings that the program as written has not */
    const char *const *loads;
    bool word_order_big;
    /* Called between trials: true ends a search with the best so far; or NULL. */
    bool (*stop)(void *self);
    void *stop_self;
};

/* A transfer of a program. */
struct candidate_transfer {
    uint32_t line;
    uint64_t cycles; /* from its issue until it is known to be complete */
};

struct candidates;

/* Returns 0; 1 for an error of the program or its files (diags or error say which); -1. */
int candidate_open(struct candidates **candidates, const struct candidate_setup *setup,
                   struct diag_list *diags, char error[MACHINE_ERROR]);
void candidate_free(struct candidates *candidates);

bool candidate_stopped(const struct candidates *candidates);
uint64_t candidate_cycles(const struct candidates *candidates); /* as written */
/* The time can be had with values alone, which takes longer. */
bool candidate_needs_values(const struct candidates *candidates);
const struct machine_program *candidate_program(const struct candidates *candidates);
const struct candidate_transfer *candidate_transfers(const struct candidates *candidates,
                                                     size_t *count);
/* The starts of memories that equality was tried with: "zero, random:1"; waits: of candidates that
 * wait (struct candidate). */
const char *candidate_tried(const struct candidates *candidates, bool waits);

/* The movable parts of the program as written. Returns 0; 1 and a sentence; -1. */
int candidate_moves(const struct candidates *candidates, struct moves *moves,
                    char error[MACHINE_ERROR]);

struct candidate {
    const char *text;
    size_t size;
    const struct machine_setting *settings; /* NULL: those of the setup */
    bool waits; /* it waits for what the program as written reads too early: compared are the values
                   of transfers that end at once */
};

/* All return 0, or -1 when the host failed. *cycles of what is not legal is UINT64_MAX. */
int candidate_time(struct candidates *candidates, const struct candidate *candidate,
                   uint64_t *cycles);
/* The transfers of a legal candidate, by line; none of one that is not. To be freed. */
int candidate_lengths(struct candidates *candidates, const struct candidate *candidate,
                      struct candidate_transfer **transfers, size_t *count);
/* Of the last candidate timed: by how many cycles its accesses come earlier before the ends of
 * transfers, in all, than those of the program as written. */
uint64_t candidate_excess(const struct candidates *candidates);
/* Of a legal candidate. dumps_only: the state need not be equal; without a dump nothing is. */
int candidate_compare(struct candidates *candidates, const struct candidate *candidate,
                      bool dumps_only, bool *equal);

/* A program that has been taken: it is what the next ones start from. Returns 0, 1, -1. */
int candidate_load(const struct candidates *candidates, const struct candidate *candidate,
                   struct source *source, struct machine_program **program);

#endif
