/*
 * model: when the toy does what. Two processes on the kernel:
 *
 *   sequencer   issues one statement after the other, each when its accumulators are ready and its
 *               unit is free
 *   copier      moves the cells of one copy after the other through the memory port, on which loads
 *               and stores go first; its notice lets a wait, or the next copy, go on
 *
 * Run-ahead: the sequencer goes on in one event, but for what the copier has to do with, as long as
 * a copy is in flight.
 */
#ifndef TAKT_TIMING_TOY_MODEL_H
#define TAKT_TIMING_TOY_MODEL_H

#include "functional/toy/program.h"
#include "timing/account.h"
#include "timing/kernel.h"
#include "timing/machine.h"
#include "timing/path.h"
#include "timing/resource.h"
#include "timing/scoreboard.h"

enum toy_param {
#define PARAM(name, type, sentence) TOY_PARAM_##name,
#include "timing/toy/param.def"
    TOY_PARAMS
};
enum toy_unit {
#define UNIT(id, name, path, kind, width) TOY_UNIT_##id,
#include "timing/toy/unit.def"
    TOY_UNITS
};
enum toy_reason {
    TOY_REASON_BEFORE = REASON_MACHINE - 1,
#define REASON(id, name, state, limit, sentence) TOY_REASON_##id,
#include "timing/toy/reason.def"
    TOY_REASONS
};
enum toy_counter {
#define COUNTER(id, name, unit, sentence) TOY_COUNTER_##id,
#include "timing/toy/counter.def"
    TOY_COUNTERS
};
extern const struct param_row toy_params[TOY_PARAMS];

/* What a statement takes, fixed before the run. */
struct toy_cost {
    enum toy_unit unit; /* TOY_UNIT_SEQ: none but the sequencer */
    uint64_t interval, latency;
    const char *interval_rule, *latency_rule; /* parameters */
    struct place_set accs;
};

/* Cycles of one statement on each unit, by reason. */
struct toy_cell {
    uint64_t cycles[TOY_UNITS][TOY_REASONS];
};

struct toy_copier {
    struct process process; /* first */
    bool busy;
    uint32_t stmt, left; /* cells that still have to move */
    uint64_t since;      /* ready for the next one */
    uint64_t issued, started;
    uint64_t record;   /* of path */
    uint64_t unwaited; /* newest record that no wait has seen, or PATH_NONE */
};

struct toy_model {
    struct process sequencer; /* first */
    const struct toy_program *program;
    const struct sink *sink; /* NULL: only the total is wanted */
    uint64_t value[TOY_PARAMS];
    bool alone; /* for a lower bound: nobody waits for a unit */
    struct toy_cost *cost;
    struct toy_cell *cells;
    struct kernel kernel;
    struct resource_set ports;
    struct producer holders[TOY_UNITS]; /* of the ports */
    struct scoreboard scoreboard;
    struct toy_copier copier;
    uint32_t next;   /* statement */
    uint64_t order;  /* first cycle in which it may issue as far as the sequencer goes */
    uint64_t finish; /* all results are there */
    uint64_t counters[TOY_COUNTERS];
    struct account account;
    struct path path;
    struct path_stream stream;
    int status; /* -1 once the sink failed */
};

struct toy_model_options {
    const struct config *config;
    bool documented, run_ahead, alone;
    const struct sink *sink;
    FILE *events;
};

/* Returns 0, or -1 when the host has no memory; to be freed in both cases. */
int toy_model_init(struct toy_model *model, const struct toy_program *program,
                   const struct toy_model_options *options);
void toy_model_free(struct toy_model *model);

/* Returns 1 while there is more to do, 0 at the end, -1 when the host failed. */
int toy_model_advance(struct toy_model *model, uint64_t budget);

/* report.c: begin the sink. model->program alone is needed of the model. Returns 0 or -1. */
int toy_report_begin(const struct toy_model *model, const struct sink *sink,
                     const struct config *config, const char *command);
/* Cycles of a unit belong to a reason and a statement. */
void toy_report_cycles(struct toy_model *model, enum toy_unit unit, uint32_t reason, uint32_t stmt,
                       uint64_t from, uint64_t to);
/* The statement that issues next was held in [edge->at - edge->waited, edge->at). */
void toy_report_edge(struct toy_model *model, struct sink_edge edge);
/* The copy has ended; a wait has stood for so long. */
void toy_report_copy(struct toy_model *model, uint64_t waited);
/* documented: the total of a run with documented numbers, 0 = unknown. Returns 0 or -1. */
int toy_report_finish(struct toy_model *model, bool complete, uint64_t documented,
                      const struct range *range);

#endif
