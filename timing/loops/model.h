/*
 * model: when the steps of generated nests may happen. Values play no part in it.
 *
 *   program, numbers --loops_generate, kernel_run--> intervals, edges at the sink --> summary
 *
 *   control<t>  ---> traversal<t>  address_interval for each operand whose address the step needs
 *               ---> banks<t>      as long as the fullest bank, operand after operand
 *               ---> math<t>       math_interval
 *
 * Each tile is a process of the kernel and issues in order. A part of generated code (a nest; of a
 * peeled one several) begins on all tiles when the one before has ended on all. First control
 * writes the state elements of the traversal unit, then it issues steps. A step issues when control
 * has issued the previous one (order), what it adds to is there (data), and its units are
 * free (port). All of its units are taken from its issue on: that they work on it one after the
 * other is the same for all steps.
 *
 *   t + address_latency + cycles of the banks + read_latency    operands are there
 *     + latency of the operator                                 result
 *     + latency of the sum, for each lane that adds to one element, or each level of pairs
 *     + write_latency                                           stored
 *
 * Where a step stores and reads nothing, read_latency alone is left out: its banks take their time.
 *
 * Accumulators: as long as consecutive steps go to the same elements, these stay in the math units.
 * The first step of such a run reads them, the last one writes them, and only these compute their
 * address. A step inside a run waits for the sum before, a run for what an earlier run of the same
 * elements has stored.
 *
 * A tile that has no lane in a step leaves it out. All of this is the same for two tiles that share
 * nothing, so each has its own rows.
 *
 * Run-ahead: nothing changes what a tile sees until the end of a part, so it continues in one
 * event.
 *
 * Not modelled: how data come into a tile's memory and from tile to tile, operands that stay in
 * registers from step to step. Critical path and slack come from the newest million steps: of a
 * longer run the part before them is one row of the path, and there is no slack. A delay counts as
 * one of all that follows on its tile, so what the tile that ends last executes has slack 0. Of a
 * nest whose runs go to more than 65,536 elements a unit, two can be taken for one.
 */
#ifndef TAKT_TIMING_LOOPS_MODEL_H
#define TAKT_TIMING_LOOPS_MODEL_H

#include "config/config.h"
#include "functional/loops/traverse.h"
#include "timing/resource.h"
#include "timing/run.h"
#include "timing/scoreboard.h"
#include "timing/unit_event.h"

struct machine_program {
    struct loops_program program;
};

enum loops_param {
#define PARAM(name, type, sentence) LOOPS_PARAM_##name,
#include "timing/loops/param.def"
    LOOPS_PARAMS
};
enum loops_counter {
#define COUNTER(id, name, unit, sentence) LOOPS_COUNTER_##id,
#include "timing/loops/counter.def"
    LOOPS_COUNTERS
};
enum loops_unit {
#define UNIT(id, name, path, kind, sentence) LOOPS_UNIT_##id,
#include "timing/loops/unit.def"
    LOOPS_TILE_UNITS,
    LOOPS_PORTS = LOOPS_UNIT_CONTROL /* the units before it are taken by steps */
};
enum loops_reason {
    LOOPS_REASON_BEFORE = REASON_MACHINE - 1,
#define REASON(id, name, state, limit, sentence) LOOPS_REASON_##id,
#include "timing/loops/reason.def"
    LOOPS_REASONS
};

/* What a step, or writing the state before the first one, takes. */
struct loops_step {
    uint32_t stmt;
    bool setup;
    bool chained; /* waits for the sum of the step before */
    bool loads;   /* waits for what an earlier run has stored */
    bool stores;
    uint64_t lanes;              /* 0: the tile leaves it out */
    uint64_t addresses;          /* that are computed, masked ones too */
    uint64_t control;            /* cycles until the next one */
    uint64_t taken[LOOPS_PORTS]; /* cycles of each unit */
    uint64_t sum, length;        /* until the next sum can be added; until all is over */
};

/* Cycles of the banks for an operand, by its address modulo 4; 0: not known yet. */
struct loops_load {
    uint64_t cycles[LOOPS_OPERANDS][4];
};

/* Goes through the steps of one tile; functional of the program and the numbers alone. */
struct loops_walk {
    const struct loops_model *model;
    uint32_t tile;
    size_t nest; /* the open one; nest_count at the end */
    unsigned part;
    struct loops_code code;
    struct loops_traversal at;
    bool setup, ended; /* the state is to be written; the part has no more steps */
    uint8_t trailing;  /* sequential levels from this one on sum: a run */
    uint64_t places;   /* elements that runs of the part go to, as far as they are counted singly */
    struct loops_load
        loads[1 << LOOPS_SPLITS]; /* by which lane levels have their alternate limit */
    uint64_t *words;              /* of the lanes, for bank_cycles */
    struct loops_step step;       /* the current one */
};

struct loops_tile {
    struct process process; /* first */
    struct loops_model *model;
    struct loops_walk walk;
    struct scoreboard board; /* a place for each run */
    uint64_t order;          /* first cycle in which control can issue */
    uint64_t finish;         /* all of its results are there */
    struct release ended;    /* of those the last one */
    struct release wait; /* an end that the next step waits for: of a part or an outer iteration */
    uint32_t wait_reason;
    struct release holder[LOOPS_PORTS];
    struct resource_set ports;
    bool waiting; /* at the end of a part, or between two outer iterations */
    bool between;
};

struct loops_model {
    struct machine_model base; /* first */
    const struct loops_program *program;
    uint64_t value[LOOPS_PARAMS];
    struct stmt_info *stmts; /* two for each nest: its head, its body */
    size_t stmt_count;
    struct unit_info *units;
    char (*names)[2][48];
    uint32_t tile_count; /* that have anything to do, at least 1 */
    struct loops_tile tiles[LOOPS_TILES];
    uint64_t counters[LOOPS_COUNTERS];
    uint32_t arrived; /* tiles that wait for the others */
    struct path_stream streams[LOOPS_TILES];
};

static inline uint32_t loops_unit_of(const struct loops_model *model, uint32_t tile, unsigned unit)
{
    return unit == LOOPS_UNIT_CONTROL ? LOOPS_PORTS * model->tile_count + tile
                                      : LOOPS_PORTS * tile + unit;
}

/* Cycles from the issue of a step until its result can be used: it is stored, or the next sum can
 * be added to it. */
static inline uint64_t loops_result(const struct loops_step *step)
{
    return step->stores ? step->length : step->sum;
}

static inline size_t loops_unit_count(const struct loops_model *model)
{
    return (size_t)LOOPS_TILE_UNITS * model->tile_count;
}

/* Costs, units and tiles of a model that is 0, without a run. Returns 0, or -1 when the host has
 * no memory; to be freed in both cases. */
int loops_model_make(struct loops_model *model, const struct loops_program *program,
                     const struct config *config, bool documented);
/* As struct machine says. No tile waits for another at a unit, so no number changes the order
 * and `alone` makes no difference. */
int loops_model_init(struct machine_model *model);
void loops_model_free(struct machine_model *model);

/* walk.c */
int loops_walk_init(struct loops_walk *walk, const struct loops_model *model, uint32_t tile);
void loops_walk_free(struct loops_walk *walk);
/* Begin a part: its first step is the setup. A tile without lanes in the part has ended at once. */
void loops_walk_begin(struct loops_walk *walk);
/* The next step of the part. */
void loops_walk_next(struct loops_walk *walk);
/* The next part, or nest == nest_count; then loops_walk_begin. */
void loops_walk_part(struct loops_walk *walk);
/* Whether an outer iteration of a divided loop ends with the current step. */
bool loops_walk_outer(const struct loops_walk *walk);
/* Lanes of a tile in a part, and the offset of the first one to each operand. */
uint64_t loops_tile_lanes(const struct loops_program *program, const struct loops_traversal *at,
                          uint32_t tile, uint64_t count[LOOPS_LEVELS],
                          int64_t offset[LOOPS_OPERANDS]);
/* The place of the scoreboard that the current run has. */
uint32_t loops_walk_place(const struct loops_walk *walk);

/* use.c: what the current step of a tile, which issues in a cycle, does to units and accumulators,
 * as unit events. */
void loops_use(struct loops_tile *tile, uint64_t at);
extern const struct unit_event_calls loops_unit_events;
/* The parameter that says when the next sum of the current step's nest can be added. */
const char *loops_sum_rule(const struct loops_tile *tile);

/* history.c: as struct machine_values says. In a model whose options.own is set: the current step
 * issues. */
int loops_history(struct machine_run *run, const char *text, struct history *history,
                  char error[MACHINE_ERROR]);
void loops_history_issued(struct loops_tile *tile, uint64_t at);

/* tile.c: put the tiles' first events into the kernel, which is ready. */
void loops_tiles_start(struct loops_model *model);

/* report.c; lists and calls of struct machine. */
extern const struct reason_info loops_reasons[LOOPS_REASONS];
extern const struct counter_info loops_counters[LOOPS_COUNTERS];
int loops_describe(const struct machine_run *run, struct sink_header *header,
                   struct machine_lists *lists);
int loops_settle(struct machine_model *model, struct sink_summary *summary);

/* graph.c: as struct machine says. */
int loops_graph(const struct loops_program *program, const struct config *config, bool documented,
                struct graph *graph, char error[MACHINE_ERROR]);

#endif
