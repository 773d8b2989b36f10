/*
 * run: a launch as a whole, without time.
 *
 *   program --ventus_run_new--> memory filled, earlier launches executed
 *           --ventus_run_advance--> the program's launch, a workgroup after the other, each warp an
 *                                   instruction in turn
 *
 * With a timing model the model steps the warps instead; memory and hash are the same thing.
 */
#ifndef TAKT_FUNCTIONAL_VENTUS_RUN_H
#define TAKT_FUNCTIONAL_VENTUS_RUN_H

#include "functional/place.h"
#include "functional/ventus/exec.h"
#include "functional/ventus/program.h"

struct ventus_run {
    const struct ventus_program *program;
    struct ventus_memory memory;
    struct ventus_memory given; /* with what ventus_run_given has kept */
    struct ventus_exec exec;
    struct ventus_group group; /* of ventus_run_advance */
    struct ventus_warp *warps;
    uint32_t next_group, next_warp;
    uint64_t steps;
    /* Called after each step; or NULL. */
    void (*observe)(void *context, const struct ventus_warp *warp,
                    const struct ventus_effect *effect);
    void *context;
    FILE *dump;        /* of gets, or NULL */
    uint32_t fault_pc; /* of what ventus_run_fault said last */
};

enum { VENTUS_ERROR = 512 };

/* Returns 0; 1 with a sentence when the program has an error; -1 when the host has no memory. To
 * be freed in every case. */
int ventus_run_new(struct ventus_run *run, const struct ventus_program *program,
                   char error[VENTUS_ERROR]);
void ventus_run_free(struct ventus_run *run);
/* Words were put into the memory of a run that has not begun: ventus_run_same gives them to another
 * new run of the program, too. Returns 0, or -1 when the host has no memory. */
int ventus_run_given(struct ventus_run *run);
void ventus_run_same(struct ventus_run *run, const struct ventus_run *as);

/* At most `most` steps. Returns 1 while there are more, 0 at the end, -1 with a sentence when the
 * program has an error. */
int ventus_run_advance(struct ventus_run *run, uint64_t steps, char error[VENTUS_ERROR]);

/* The sentence of a fault: where, and what. */
void ventus_run_fault(struct ventus_run *run, const struct ventus_warp *warp,
                      char error[VENTUS_ERROR]);

/* Where the text of the print buffer goes, and values of # takt: get: each time a warp reaches
 * their statement, and those of the end. */
void ventus_run_gets(struct ventus_run *run, FILE *dump);
void ventus_run_end_gets(const struct ventus_run *run, FILE *dump);

/* m:ADDR, or m:SYMBOL. */
struct place_owner ventus_run_places(struct ventus_run *run);

uint32_t ventus_group_count(const struct ventus_launch *launch);
/* Of the memory. Words of code count only as far as they differ from those that were loaded. */
uint64_t ventus_run_hash(const struct ventus_run *run);

#endif
