/*
 * app_turn: turns of programs, each simulated once for each state of the memory that it finds.
 *
 *   program, state --app_turns_at--> struct app_turn: cycles, what it leaves
 *
 * A turn is a run of a program as `takt run` runs it, from its first statement to the end of
 * everything: the file's values are in memory, and nothing else of earlier turns is seen but the
 * dynamic memory (timing/memory_state.h), where the machine has one.
 */
#ifndef TAKT_ANALYSIS_APP_TURN_H
#define TAKT_ANALYSIS_APP_TURN_H

#include "analysis/app.h"
#include "timing/memory_state.h"
#include "timing/sink.h"

#define APP_NO_STATE UINT32_MAX

struct app_unit {
    char *name, *path;
    uint32_t instances;
};

/* Cycles of a unit: busy in a turn; or on its critical path, for a reason. */
struct app_share {
    uint32_t unit, reason;
    uint64_t cycles;
};

struct app_turn {
    uint32_t program;
    uint32_t state, leaves; /* memory before and after; APP_NO_STATE: it does not use it */
    uint64_t cycles, events;
    struct app_share *busy, *path; /* of turns that are shown */
    size_t busy_count, path_count;
};

struct app_turns {
    const struct app *app;
    const struct config *config;
    const struct run_options *options;
    bool alone, shown, fresh;      /* fresh: simulate each turn, also one seen before */
    const enum bound_class *bound; /* cycles are what is proven of a turn; NULL: what it takes */
    struct diag_list *fault;       /* of a turn that failed; faulty: its program */
    uint32_t faulty;
    char error[MACHINE_ERROR];
    struct memory_state *states;
    size_t state_count, state_capacity;
    struct app_turn *turns;
    size_t count, capacity;
    struct app_unit *units;
    size_t unit_count, unit_capacity;
    uint32_t *slots, *state_slots; /* index + 1; 0: empty */
    size_t slot_count, state_slot_count;
    uint32_t *unasked; /* by program: the turn that does not use the memory, + 1 */
    uint64_t simulated, events;
};

/* Status of these: 0; 1 for a program that failed (error, fault, faulty) or numbers that make no
 * chip; -1 when the host has no memory. To be closed in every case. */
int app_turns_open(struct app_turns *turns, const struct app *app);
void app_turns_close(struct app_turns *turns);
/* The turn of a program that finds a state, which may be changed to one that has waited. */
int app_turns_at(struct app_turns *turns, uint32_t program, uint32_t state, uint32_t *turn);
/* A state after more cycles. */
int app_turns_wait(struct app_turns *turns, uint32_t state, uint64_t cycles, uint32_t *after);

#endif
