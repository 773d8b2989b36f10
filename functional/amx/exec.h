/*
 * exec: executes statements on registers and memory, without timing. The statements of a section
 * are executed in text order for its first thread, then for the next.
 *
 *   struct amx_program --amx_exec_advance--> struct amx_exec (registers of each thread, memory)
 */
#ifndef TAKT_FUNCTIONAL_AMX_EXEC_H
#define TAKT_FUNCTIONAL_AMX_EXEC_H

#include "functional/amx/program.h"
#include "functional/init.h"
#include "functional/place.h"

struct amx_exec;

struct amx_exec_options {
    FILE *dump;       /* output of d get; NULL discards it */
    struct init init; /* initial registers and memory */
    bool reference;   /* integer arithmetic only */
};

/* NULL when memory is out. */
struct amx_exec *amx_exec_new(const struct amx_program *program,
                              const struct amx_exec_options *options);
void amx_exec_free(struct amx_exec *exec);

/* Execute at most budget statements. Returns 1 if there are more, 0 at the end, -1 when the dump
 * could not be written. */
int amx_exec_advance(struct amx_exec *exec, uint64_t budget);
/* As amx_exec_advance of one statement; *item and *thread: what was executed; NULL at the end. */
int amx_exec_one(struct amx_exec *exec, const struct amx_item **item, uint32_t *thread);
uint64_t amx_exec_done(const struct amx_exec *exec); /* statements executed so far */

/* Equal registers and memory have equal hashes. */
uint64_t amx_exec_hash(const struct amx_exec *exec);

/* m:ADDR, x:ADDR, y:ADDR, z:ADDR (thread 0) or x@THREAD:ADDR ... */
struct place_owner amx_exec_places(struct amx_exec *exec);

#endif
