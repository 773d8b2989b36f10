/*
 * exec: executes the generated nests on memory, without timing: one nest after the other, each in
 * the order of functional/loops/generate.h.
 *
 *   struct loops_program --loops_exec_advance--> struct loops_exec (memory)
 */
#ifndef TAKT_FUNCTIONAL_LOOPS_EXEC_H
#define TAKT_FUNCTIONAL_LOOPS_EXEC_H

#include "functional/init.h"
#include "functional/loops/traverse.h"
#include "functional/place.h"

struct loops_exec;

/* dump receives the output of d get; NULL discards it. NULL when memory is out. */
struct loops_exec *loops_exec_new(const struct loops_program *program, const struct init *init,
                                  FILE *dump);
void loops_exec_free(struct loops_exec *exec);

/* Execute at most budget iterations, or elements of d set and d get. Returns 1 if there are more, 0
 * at the end, -1 when the dump could not be written. */
int loops_exec_advance(struct loops_exec *exec, uint64_t budget);
uint64_t loops_exec_done(const struct loops_exec *exec); /* items completed so far */

/* An element that was written: by a d set, or by a step of a nest's part, which the indices of the
 * sequential levels name (others are 0). */
struct loops_write {
    size_t item; /* of the program */
    unsigned part;
    uint64_t index[LOOPS_LEVELS];
    uint64_t address, bytes;
};
/* From here on each write is reported, when it is in memory. */
void loops_exec_watch(struct loops_exec *exec,
                      void (*wrote)(void *context, const struct loops_write *write), void *context);

/* Equal memories have equal hashes. */
uint64_t loops_exec_hash(const struct loops_exec *exec);

/* m:ADDR (memory) or TENSOR:ADDR, relative to the lowest byte of the tensor. */
struct place_owner loops_exec_places(struct loops_exec *exec);

#endif
