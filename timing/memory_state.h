/*
 * memory_state: what a run leaves in dynamic memory for a later run: open rows, the phase of the
 * refreshes, commands and slots that have not ended, writes that still wait.
 *
 *   run --memory_leave--> state --memory_wait (time passes)--> --memory_find--> next run
 *
 * A state is kept as bytes in which all times are relative to now, and times that no later cycle
 * depends on are left out. Of equal bytes no later run differs.
 *
 * Before the first run all rows are closed and the refreshes have begun at cycle 0 of the
 * application. In memory_wait the writes that wait get their slots, as in a run.
 */
#ifndef TAKT_TIMING_MEMORY_STATE_H
#define TAKT_TIMING_MEMORY_STATE_H

#include "timing/memory.h"

/* All zero: before the first run. */
struct memory_state {
    uint64_t at; /* cycles so far, where no run has left anything */
    char *bytes; /* what a run has left; or NULL */
    size_t size;
    uint64_t groups;
    struct memory_config config;
};

void memory_state_free(struct memory_state *state);
bool memory_state_equal(const struct memory_state *a, const struct memory_state *b);
/* These return 0, or -1 when the host has no memory. */
int memory_state_copy(struct memory_state *copy, const struct memory_state *state);
/* Of a run that ended at cycle `end` of its kernel; replaces the state. */
int memory_leave(const struct memory *memory, uint64_t end, struct memory_state *state);
int memory_wait(struct memory_state *state, uint64_t cycles);
/* After memory_init, with the same configuration, before the first event. */
int memory_find(struct memory *memory, const struct memory_state *state);

#endif
