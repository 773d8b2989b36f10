/*
 * model: when the toy does what. Two processes on the kernel:
 *
 *   sequencer   issues one statement after the other, each when its accumulators are ready and its
 *               unit is free
 *   copier      moves the cells of one copy after the other through the memory port, on which loads
 *               and stores go first; its notice lets a wait, or the next copy, continue
 *
 * Run-ahead: the sequencer continues in one event, except where the copier takes part while
 * a copy is in flight.
 */
#ifndef TAKT_TIMING_TOY_MODEL_H
#define TAKT_TIMING_TOY_MODEL_H

#include "functional/toy/program.h"
#include "timing/resource.h"
#include "timing/run.h"
#include "timing/scoreboard.h"

struct machine_program {
    struct toy_program program;
};

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
    struct machine_model base; /* first */
    struct process sequencer;
    const struct toy_program *program;
    uint64_t value[TOY_PARAMS];
    struct toy_cost *cost;
    struct resource_set ports;
    struct producer holders[TOY_UNITS]; /* of the ports */
    struct scoreboard scoreboard;
    struct toy_copier copier;
    uint32_t next;  /* statement */
    uint64_t order; /* first cycle in which it may issue as far as the sequencer goes */
    uint64_t counters[TOY_COUNTERS];
    struct path_stream stream;
};

/* As struct machine says. */
int toy_model_init(struct machine_model *model);
void toy_model_free(struct machine_model *model);

/* report.c; lists and calls of struct machine. */
extern const struct reason_info toy_reasons[TOY_REASONS];
extern const struct counter_info toy_counters[TOY_COUNTERS];
int toy_describe(const struct machine_run *run, struct sink_header *header,
                 struct machine_lists *lists);
int toy_settle(struct machine_model *model, struct sink_summary *summary);
/* The statement that issues next was held in [edge->at - edge->waited, edge->at). */
void toy_report_edge(struct toy_model *model, struct sink_edge edge);
/* The copy has ended; a wait has lasted that long. */
void toy_report_copy(struct toy_model *model, uint64_t waited);

#endif
