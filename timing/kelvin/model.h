/*
 * model: the timing of a Kelvin program. It uses no values except those in struct kelvin_step:
 * addresses, branch outcomes, control words.
 *
 *   executed steps --kelvin_feed--> intervals, edges at the sink --> summary
 *
 *     fetch cache (L0) <- L1I <-+
 *        |                      +-- memory
 *     core: groups of up to 4   |
 *        |  \-- dbus -> L1D <---+
 *        | vector_delay         |
 *     decode FIFO --+--> queue ALU0 --> ALU0      registers v0..v63: one scoreboard place each
 *      4 a cycle    +--> queue ALU1 --> ALU1
 *                   +--> queue conv --> conv
 *                   +--> queue ldst --> ldst -- dbus
 *
 * mcycle and its aliases depend on timing: execution stops before an instruction that accesses one
 * and continues at its dispatch, with that cycle (kelvin_tell).
 *
 * There are two kernel processes. `core` dispatches in order: an instruction is dispatched when its
 * line has arrived, its registers are ready, its unit is free and the decode FIFO has space.
 * `vector` runs in each cycle in which its state can change: it decodes in order, and each queue
 * starts its first operation when the unit is free and the registers are ready. Within a cycle the
 * core runs first.
 *
 * Rules in addition to cost.def: an ALU processes one register per cycle, so .m takes four; the
 * register of beat k is ready vector_latency after start + k. An operation that writes a register
 * which an earlier queued operation still reads or writes is not decoded before that operation has
 * started and read it: .m reads the register of beat k in its cycle k, others read all in their
 * last cycle (a load or store: before it has transferred that register). Loads and stores access
 * one line per cycle; an access that crosses a line uses both banks in the same cycle. Backward
 * branches are predicted taken, forward branches not taken; a misprediction costs branch_miss
 * cycles. A taken branch, a jump and a system instruction (CSR accesses are some) end the group;
 * CSR accesses, fences and ebreak begin one. A fence, a flush and the end of the program wait for
 * everything in flight. fence.i invalidates the fetch cache and L1I and makes L1D write back dirty
 * lines; flushall and flushat empty all three caches, of all lines or of one; the core resumes
 * when memory has accepted the data.
 *
 * Without caches (tightly coupled memory) a line of code always takes l1i_latency, data
 * load_latency.
 *
 * Run-ahead: in one event the core advances up to the next cycle in which the vector process
 * changes something.
 *
 * Not modelled: ports of the register files, the order of scalar and vector accesses to one
 * address.
 */
#ifndef TAKT_TIMING_KELVIN_MODEL_H
#define TAKT_TIMING_KELVIN_MODEL_H

#include "config/config.h"
#include "functional/kelvin/exec.h"
#include "timing/cache.h"
#include "timing/fifo.h"
#include "timing/resource.h"
#include "timing/run.h"
#include "timing/scoreboard.h"

struct machine_program {
    struct kelvin_program program;
};

enum kelvin_param {
#define PARAM(name, type, sentence) KELVIN_PARAM_##name,
#include "timing/kelvin/param.def"
    KELVIN_PARAMS
};
enum kelvin_unit {
#define UNIT(id, name, path, kind, width, sentence) KELVIN_UNIT_##id,
#include "timing/kelvin/unit.def"
    KELVIN_UNITS
};
enum kelvin_reason {
    KELVIN_REASON_BEFORE = REASON_MACHINE - 1,
#define REASON(id, name, state, limit, sentence) KELVIN_REASON_##id,
#include "timing/kelvin/reason.def"
    KELVIN_REASONS
};
enum kelvin_counter {
#define COUNTER(id, name, unit, peak, sentence) KELVIN_COUNTER_##id,
#include "timing/kelvin/counter.def"
    KELVIN_COUNTERS
};
extern const struct param_row kelvin_params[KELVIN_PARAMS];

/* Instruction classes of the core. */
enum kelvin_class {
    KELVIN_PLAIN,
    KELVIN_MULTIPLY,
    KELVIN_DIVIDE,
    KELVIN_LOAD,
    KELVIN_STORE,
    KELVIN_BRANCH,
    KELVIN_JUMP,
    KELVIN_JUMP_REGISTER,
    KELVIN_CSR_ACCESS,
    KELVIN_SYSTEM,
    KELVIN_WAIT, /* a fence, and the end of the program */
    KELVIN_TO_VECTOR
};

/* Caches that an instruction flushes. */
enum kelvin_flush { KELVIN_FLUSH_NOTHING, KELVIN_FLUSH_CODE, KELVIN_FLUSH_ALL, KELVIN_FLUSH_LINE };

/* Properties of a statement, fixed before the run. */
struct kelvin_cost {
    uint8_t class;
    uint8_t unit;     /* enum kelvin_unit; for ALU operations the first of the two */
    bool first, last; /* must be first or last of its group */
    bool backward;
    /* vector operations: .m in four beats; locks both ALUs; alternates between the ALUs */
    bool strip, both, in_turn;
    bool wide;      /* registers depend on the scalar operand: aconv, vdwconv */
    uint8_t bytes;  /* size of a scalar load or store */
    uint8_t flush;  /* enum kelvin_flush */
    uint8_t cycles; /* cycles on its unit; 0: aconv, known at run time */
    uint32_t x_reads, x_writes;
    uint64_t v_reads, v_writes;
    uint32_t address;
    struct kelvin_vop op; /* the vector operation */
};

struct kelvin_hold {
    uint64_t at; /* FIFO_UNKNOWN: depends on the vector process */
    uint32_t reason, unit;
    struct producer by;
    const char *rule;
};

/* A vector operation in flight. */
struct kelvin_flight {
    uint32_t stmt;
    bool used, both, strip;
    bool started, load;
    uint8_t unit;
    uint16_t cycles;
    uint64_t sequence;
    uint64_t reads, writes;
    uint64_t dispatched, number; /* its record in the path */
    struct kelvin_hold decoded;  /* the operation that delayed its decode, if any */
    uint64_t starts;             /* cannot start before this cycle */
    uint64_t start;
    uint64_t since; /* from this cycle on it was first in its queue and its unit was free */
    /* Loads and stores only. */
    uint32_t address, stride;
    uint16_t pieces, piece, last, next;
    uint64_t line_at; /* earliest cycle of the next line access */
    uint64_t served;  /* all pieces so far have arrived by this cycle */
};

enum { KELVIN_QUEUES = 4, KELVIN_FLIGHTS = 512, KELVIN_REMEMBERED = 1 << 20 };

struct kelvin_model {
    struct machine_model base; /* must be first */
    struct process core, vector;
    const struct kelvin_program *program;
    uint64_t value[KELVIN_PARAMS];
    struct kelvin_cost *cost;
    struct resource_set ports; /* indexed by enum kelvin_unit */
    struct producer holders[KELVIN_UNITS];
    struct scoreboard x, v;
    struct { /* of a vector register: the last cycle in which a started operation reads it */
        uint64_t until;
        struct producer by;
    } reading[KELVIN_REGISTERS];
    struct cache l0, l1i, l1d;
    struct cache_config l0_config, l1i_config, l1d_config;
    /* Steps that have been executed but not yet timed. */
    struct kelvin_step *steps;
    struct kelvin_exec *copy; /* executes them; NULL: the run's own executor */
    bool borrowed;            /* steps is the run's array and holds all steps */
    uint64_t fed;             /* number of steps before these */
    size_t step_count, step;
    bool all;  /* there are no further steps */
    bool asks; /* the only step is not executed yet: it accesses mcycle */
    /* The scalar core. */
    uint64_t cycle;   /* of the current group */
    uint32_t slot;    /* instructions in it */
    uint64_t settled; /* cycles below this have been charged */
    uint64_t held;    /* an extra delay of one statement */
    uint64_t line;    /* number of the fetched line, from 1 */
    struct kelvin_hold fetched, redirected, blocked;
    bool waiting; /* for the vector process */
    /* The vector core. */
    struct fifo fifo, queues[KELVIN_QUEUES];
    struct kelvin_flight flights[KELVIN_FLIGHTS];
    uint64_t in_flight;           /* dispatched and not complete */
    uint64_t dispatched, decoded; /* sequence numbers */
    uint64_t first_flight;        /* lowest sequence that may be in flight */
    unsigned turn;                /* ALU of the next operation */
    struct kelvin_hold room;      /* the operation that last made room for decode */
    uint64_t issued[KELVIN_QUEUES];
    struct producer last;        /* producer of base.finish */
    uint64_t work[KELVIN_UNITS]; /* busy cycles of each unit */
    uint64_t counters[KELVIN_COUNTERS];
    struct path_stream streams[1 + KELVIN_QUEUES]; /* core, then the queues */
};

/* As specified by struct machine. */
int kelvin_model_init(struct machine_model *model);
void kelvin_model_free(struct machine_model *model);
uint64_t kelvin_model_total(const struct machine_model *model);

/* values.c: execute the next steps. */
void kelvin_feed(struct kelvin_model *model);
/* The current step is dispatched in this cycle and accesses mcycle: execute it. */
void kelvin_tell(struct kelvin_model *model, uint64_t cycle);

/* history.c: as struct machine_values says. In a model whose options.own is set: the last of its
 * steps is executed; the current one is dispatched; a vector operation writes registers, or memory,
 * that can be read from cycle `at` on. */
int kelvin_history(struct machine_run *run, const char *text, struct history *history,
                   char error[MACHINE_ERROR]);
void kelvin_history_executed(struct kelvin_model *model, struct kelvin_exec *exec);
void kelvin_history_dispatched(struct kelvin_model *model, uint64_t at, uint64_t done);
void kelvin_history_registers(struct kelvin_model *model, const struct kelvin_flight *flight,
                              uint64_t set, uint64_t at);
void kelvin_history_memory(struct kelvin_model *model, const struct kelvin_flight *flight,
                           uint32_t address, uint32_t bytes, uint64_t at);

/* core.c, flight.c, vector.c */
uint64_t kelvin_latency(const struct kelvin_model *model, const struct kelvin_cost *cost,
                        const struct kelvin_step *step, const char **rule);
/* True if a branch or jump was mispredicted. */
bool kelvin_missed(const struct kelvin_cost *cost, const struct kelvin_step *step);
/* Fill the properties of an operation known at dispatch. */
void kelvin_flight_fill(struct kelvin_flight *flight, const struct kelvin_cost *cost,
                        const struct kelvin_step *step);
/* Number of pieces per register of a load or store. */
unsigned kelvin_pieces_each(const struct kelvin_flight *flight);
void kelvin_core_start(struct kelvin_model *model);
void kelvin_vector_start(struct kelvin_model *model);
/* Send an operation to the vector core. */
void kelvin_vector_push(struct kelvin_model *model, const struct kelvin_step *step, uint64_t at,
                        uint64_t number);
/* caches.c */
int kelvin_caches_init(struct kelvin_model *model);
/* Access the data cache in a cycle in which dbus is free. True: *ready is when the data arrives;
 * false: *ready is when to retry. */
bool kelvin_data_access(struct kelvin_model *model, const struct cache_access *access,
                        uint32_t bytes, uint64_t *ready, struct producer *by);

/* Called with nothing in flight. Returns the cycle in which memory has accepted all dirty lines. */
uint64_t kelvin_flush(struct kelvin_model *model, const struct kelvin_cost *cost,
                      const struct kelvin_step *step, uint64_t at, const struct producer *by);

/* A unit is occupied by an instruction from a cycle on. */
void kelvin_take(struct kelvin_model *model, enum kelvin_unit unit, const struct producer *by,
                 uint64_t from, uint64_t to);
/* The results of an instruction are complete in this cycle. */
static inline void kelvin_done(struct kelvin_model *model, const struct producer *by, uint64_t at)
{
    if (at > model->base.finish) {
        model->base.finish = at;
        model->last = *by;
    }
}

/* report.c */
extern const struct reason_info kelvin_reasons[KELVIN_REASONS];
extern const struct counter_info kelvin_counters[KELVIN_COUNTERS];
int kelvin_describe(const struct machine_run *run, struct sink_header *header,
                    struct machine_lists *lists);
int kelvin_settle(struct machine_model *model, struct sink_summary *summary);
/* Count an execution on a unit that took no extra cycle. */
void kelvin_count_event(struct kelvin_model *model, enum kelvin_unit unit, uint32_t stmt);
/* Report a wait: the statement was held in [from, cause->at). */
void kelvin_report_wait(struct kelvin_model *model, const struct kelvin_hold *cause, uint32_t dst,
                        uint64_t from);

/* The registers of beat k. */
static inline uint64_t kelvin_beat(const struct kelvin_flight *flight, uint64_t set, unsigned k)
{
    return flight->strip ? set & UINT64_C(0x1111111111111111) << k : set;
}

/* Cycles from the start of an operation of an ALU or the convolution unit until it has read a
 * register for the last time. */
static inline uint64_t kelvin_last_read(const struct kelvin_flight *flight, unsigned reg)
{
    return flight->strip ? reg % KELVIN_STRIPS : flight->cycles - 1U;
}

/* graph.c. Streams of the graph: the core, and the queues from VECTOR on. */
enum { KELVIN_STREAM_CORE, KELVIN_STREAM_VECTOR };
/* Build the graph of the next instructions, at most `most`, with the model's parameters. As
 * specified by struct machine. */
int kelvin_graph(struct kelvin_exec *exec, const struct kelvin_model *model, uint64_t most,
                 struct graph *graph, char error[MACHINE_ERROR]);

struct moves;
/* moves.c: what may be moved, by a run of at most `most` instructions. As specified by struct
 * machine_advice; the moves are zero. */
int kelvin_moves(struct kelvin_exec *exec, const struct kelvin_model *model, uint64_t most,
                 struct moves *moves, char error[MACHINE_ERROR]);

#endif
