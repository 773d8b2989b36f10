/*
 * nops: the steps of written nop runs that no rule asks for (removable.h), as the warnings of a run. Of
 * a long program they are looked for before the run, by whoever has the time, or else in a thread of its own
 * while the program runs.
 *
 *   program --nops_begin, nops_look or nops_start--> found --nops_tell--> warnings "removable" of the sink
 *
 * What is told does not depend on that: if nobody has looked, nops_tell does.
 */
#ifndef TAKT_TIMING_MNCORE2_NOPS_H
#define TAKT_TIMING_MNCORE2_NOPS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "config/config.h"
#include "functional/mncore2/program.h"
#include "timing/sink.h"

enum { NOPS_FEW = 32, NOPS_SENTENCE = 32 };

struct nops {
    const struct program *program;
    const struct config *config;
    bool documented;
    struct sink_warned *found;
    size_t count, capacity;
    char (*sentences)[NOPS_SENTENCE];
    size_t sentence_count, sentence_capacity;
    uint32_t few[NOPS_FEW]; /* sentence + 1 for so many steps; 0: none yet */
    int status;
    pthread_t thread;
    bool threaded, looked, told;
};

/* program and config have to stand until nops_free. */
void nops_begin(struct nops *nops, const struct program *program, const struct config *config,
                bool documented);
void nops_look(struct nops *nops);
/* In a thread, if the program is long. */
void nops_start(struct nops *nops);
/* Once, whenever it is called first. Returns 0, -1 when the host has no memory, or what the sink returned. */
int nops_tell(struct nops *nops, const struct sink *sink);
void nops_free(struct nops *nops);

#endif
