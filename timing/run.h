/*
 * run: one run of a program, the same for every machine: values and time advance in slices, then
 * come the other totals, and the sink gets its summary.
 *
 *   run_open --> run_advance* --> run_close
 *                     \--> run_progress, run_stop, run_hash, run_put, run_get
 *
 * A machine gives (timing/machine.h) what it keeps for a run, run->own; what it executes;
 * and a model of its time, which may be opened many times for the same run: with other numbers,
 * with a delay, in several threads. The first one has the sink. Its own type begins with
 * struct machine_model. Values are executed by run_advance, or by the model itself
 * (machine_values.executes).
 *
 * The total with documented numbers alone is that of a second model, which runs when the first one
 * is done. It may be more than the estimate: parts that became faster can let others come first and
 * the whole end later.
 */
#ifndef TAKT_TIMING_RUN_H
#define TAKT_TIMING_RUN_H

#include "functional/init.h"
#include "timing/account.h"
#include "timing/charges.h"
#include "timing/kernel.h"
#include "timing/machine.h"
#include "timing/path.h"

/* How a model times its run. */
struct model_options {
    const struct config *config;
    bool documented;                   /* by documented numbers alone */
    bool alone;                        /* without waits for units: the total is a lower bound */
    const struct machine_delay *delay; /* or NULL */
    const struct memory_state *found;  /* as in struct run_options */
    void *own;                         /* of the machine's own calls of run_again; else NULL */
    /* Of run_again: the model is done. Returns 0 or -1. Or NULL. */
    int (*done)(struct machine_model *model);
};

struct unit_events; /* timing/unit_event.h */

struct machine_model {
    struct machine_run *run;
    const struct sink *sink; /* NULL: only the total is wanted */
    struct model_options options;
    uint64_t turns; /* that options.delay's statement has had */
    struct kernel kernel;
    struct account account; /* this and path only with a sink */
    struct path path;
    struct charges charges;
    struct unit_events *unit_events; /* without run-ahead, of a model with a sink; else NULL */
    uint64_t *counters;              /* values in the order of machine_timing.counters */
    uint64_t finish;                 /* the total so far, results included */
    int status; /* 1: an error of the program, -1: sink failed or out of memory */
    char error[MACHINE_ERROR];
};

struct machine_run {
    const struct machine *machine;
    const struct machine_program *program;
    const struct config *config;
    struct run_options options;
    struct init init;
    const struct sink *sink;
    struct sink_header header; /* from begin on; its lists are the machine's and these */
    struct machine_lists lists;
    struct sink_summary summary; /* from the end on */
    struct diag_list *diags;     /* of the call that is on its way */
    void *own;                   /* the machine's */
    struct machine_model *model; /* NULL with functional_only */
    struct machine_model *second;
    uint64_t documented; /* total of the second model; 0: not known */
    struct range range;
    bool executed, timed, finished;
};

/* What a model reports while it runs; without a sink nothing happens.
 * run_row: the totals of a statement on a unit, to be added to. NULL: no sink, or no memory.
 * run_charge: cycles [from, to) of a unit belong to a reason and a statement. Returns the row of
 * its totals, for operations and bytes; NULL when there are no such cycles, or no memory. */
struct sink_stmt_total *run_row(struct machine_model *model, uint32_t unit, uint32_t reason,
                                uint32_t stmt);
struct sink_stmt_total *run_charge(struct machine_model *model, uint32_t unit, uint32_t reason,
                                   uint32_t stmt, uint64_t from, uint64_t to);
void run_edge(struct machine_model *model, const struct sink_edge *edge);
void run_execution(struct machine_model *model, const struct sink_execution *execution);

/* Status of these as in timing/machine.h. *run is NULL unless 0 is returned. */
int run_open(struct machine_run **run, const struct machine *machine, const struct run_setup *setup,
             struct diag_list *diags, char error[MACHINE_ERROR]);
/* The same program and start once more, without time, for the machine to advance. */
int run_values(const struct machine_run *run, struct machine_run **again, struct diag_list *diags,
               char error[MACHINE_ERROR]);
extern const struct sink run_unseen;     /* of a run whose events are dropped */
void run_close(struct machine_run *run); /* or NULL */
/* Do about `budget` statements or events of work, then return. */
enum run_status run_advance(struct machine_run *run, uint64_t budget, struct diag_list *diags,
                            char error[MACHINE_ERROR]);
/* To its end, for runs without a progress display. Returns a status. */
int run_whole(struct machine_run *run, struct diag_list *diags, char error[MACHINE_ERROR]);
void run_progress(const struct machine_run *run, struct run_progress *progress);
/* Stop early: the sink gets finish with complete = false. Returns 0, or -1 when that failed. */
int run_stop(struct machine_run *run);
/* How a program ended, where there are several ways, or NULL. */
const char *run_ending(const struct machine_run *run);
/* As machine_timing.early; 0 where the machine has none, or without time. */
uint64_t run_early(const struct machine_run *run);
/* Of the machine state without the program's own code; 0 without values. */
uint64_t run_hash(const struct machine_run *run);
/* 64-bit words into the place SPEC of --load, between open and the first advance; and exactly
 * `count` words from there. Of a machine with places. Status as in timing/machine.h. */
int run_put(struct machine_run *run, const char *spec, const uint64_t *words, size_t count,
            char error[MACHINE_ERROR]);
int run_get(const struct machine_run *run, const char *spec, uint64_t *words, size_t count,
            char error[MACHINE_ERROR]);

/* The effect of unpublished numbers on a complete run, by runs in `threads` threads. To be
 * freed with range_free in every case. Returns 0, or -1 when the host failed. */
int run_range(struct machine_run *run, unsigned threads, struct range *range);
/* The total of a complete run, timed again with one delay, a multiple of machine_timing.quantum;
 * UINT64_MAX where the delay moves an access ahead of the end of its transfer. Returns 0; 1 when
 * the statement has no such turn; -1 when the host failed. */
int run_delayed(struct machine_run *run, const struct machine_delay *delay, uint64_t *total);
/* The total of a complete run, timed again in another way. Returns 0; 1 when these numbers make
 * no valid chip, or the delay's turn never came; -1 when the host failed. */
int run_again(struct machine_run *run, const struct model_options *options, uint64_t *cycles);
/* The same with other numbers alone; `alone` as in range.h. May run in several threads. */
int run_retime(struct machine_run *run, const struct config *config, bool alone, uint64_t *cycles);
/* Cycles a second by these numbers; 0: the machine has no such number. */
double run_clock(const struct machine_run *run, const struct config *config);
/* What a complete run leaves for a later one; where the machine has no memory that a later run can
 * see, time passes. *used: whether it has used the memory, and with it what it found there.
 * Returns 0, or -1 when the host has no memory. */
int run_leave(const struct machine_run *run, struct memory_state *state, bool *used);
/* The total of a program that has passed check, and nothing else: without values where its time
 * does not depend on them. Returns 0; 1 for an error of the program; -1 when the host failed. */
int run_cycles(const struct machine *machine, const struct machine_program *program,
               const struct config *config, uint64_t *cycles);
/* Cycles from 0 to the end of everything that has happened. */
uint64_t run_total(const struct machine_model *model);

#endif
