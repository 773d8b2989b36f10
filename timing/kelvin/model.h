/*
 * model: when the instructions of a Kelvin program may happen. Values play no part in it but for
 * what an executed instruction is handed over with: addresses, branch outcomes, control words.
 *
 *   executed steps --kelvin_feed--> intervals, edges at the sink --> summary
 *
 *     fetch cache (L0) <- L1I <-+
 *        |                      +-- memory
 *     core: groups of up to 4   |
 *        |  \-- dbus -> L1D <---+
 *        | vector_delay         |
 *     decode FIFO --+--> queue ALU0 --> ALU0      registers v0..v63: a place each of the scoreboard
 *      4 a cycle    +--> queue ALU1 --> ALU1
 *                   +--> queue conv --> conv
 *                   +--> queue ldst --> ldst -- dbus
 *
 * mcycle and its kin are the way back: execution stops in front of an instruction that accesses
 * one, and goes on when it is dispatched, with that cycle (kelvin_tell).
 *
 * Two processes of the kernel. `core` dispatches in order: an instruction goes when its line is
 * there, its registers are ready, its unit is free and the decode FIFO has room. `vector` decodes
 * in order, in each cycle in which something of it can happen; each queue gives its first operation
 * to its unit when that is free and the registers are ready. In a cycle the core comes first.
 *
 * Rules beside cost.def: an ALU works on one register a cycle, so that .m takes four; the register
 * of beat k is ready vector_latency after start + k. Who would write a register that an earlier
 * operation of a queue still reads or writes is not decoded before that has started (a load or
 * store: before it has moved that register). Loads and stores access one line a cycle; what crosses
 * a line takes both banks in the same cycle. Branches backward are foreseen as taken, forward as
 * not; what goes another way costs branch_miss cycles. A taken branch, a jump and a system
 * instruction end the group; CSR accesses, fences and ebreak are its first. A fence, a flush and
 * the end of the program wait for everything in flight. fence.i empties the fetch cache and L1I and
 * has L1D write what is dirty; flushall and flushat empty all three, of all lines or of one; the
 * core resumes when memory has taken what was written.
 *
 * Without caches (tightly coupled memory) a line of code is l1i_latency away, data load_latency,
 * always.
 *
 * Run-ahead: the core goes on in one event up to the next cycle in which the vector side does
 * something.
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

/* What an instruction is to the core. */
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
    KELVIN_WAIT, /* a fence, and what ends the program */
    KELVIN_TO_VECTOR
};

/* What leaves the caches. */
enum kelvin_flush { KELVIN_FLUSH_NOTHING, KELVIN_FLUSH_CODE, KELVIN_FLUSH_ALL, KELVIN_FLUSH_LINE };

/* Fixed before the run. */
struct kelvin_cost {
    uint8_t class;
    uint8_t unit;     /* enum kelvin_unit; of ALU operations the first of the two */
    bool first, last; /* of its group */
    bool backward;
    bool strip, both, in_turn; /* of vector operations: .m in four beats; locks both ALUs */
    bool wide;                 /* reads what its scalar operand says: aconv, vdwconv */
    uint8_t bytes;             /* of a scalar load or store */
    uint8_t flush;             /* enum kelvin_flush */
    uint8_t cycles;            /* of its unit; 0: aconv, which says it at run time */
    uint32_t x_reads, x_writes;
    uint64_t v_reads, v_writes;
    uint32_t address;
    struct kelvin_vop op; /* of a vector operation */
};

struct kelvin_hold {
    uint64_t at; /* FIFO_UNKNOWN: the vector side decides */
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
    uint64_t dispatched, number; /* record of path */
    struct kelvin_hold decoded;  /* who let it be decoded, if it had to wait */
    uint64_t starts;             /* not before this cycle */
    uint64_t start;
    uint64_t since; /* first of its queue, and its unit free, from this cycle on */
    /* Of loads and stores. */
    uint32_t address, stride;
    uint16_t pieces, piece, last, next;
    uint64_t line_at; /* the next line can be asked for */
    uint64_t served;  /* all so far are there */
};

enum { KELVIN_QUEUES = 4, KELVIN_FLIGHTS = 512, KELVIN_REMEMBERED = 1 << 20 };

struct kelvin_model {
    struct machine_model base; /* first */
    struct process core, vector;
    const struct kelvin_program *program;
    uint64_t value[KELVIN_PARAMS];
    struct kelvin_cost *cost;
    struct resource_set ports; /* of enum kelvin_unit */
    struct producer holders[KELVIN_UNITS];
    struct scoreboard x, v;
    struct cache l0, l1i, l1d;
    struct cache_config l0_config, l1i_config, l1d_config;
    /* The steps that have been executed and not yet timed. */
    struct kelvin_step *steps;
    struct kelvin_exec *copy; /* that executes them; NULL: the run's own values */
    bool borrowed;            /* steps: they are the run's, all of them */
    uint64_t fed;             /* steps before these */
    size_t step_count, step;
    bool all;  /* no more will come */
    bool asks; /* the one step is not executed: it accesses mcycle */
    /* The core. */
    uint64_t cycle;   /* of the group that is open */
    uint32_t slot;    /* instructions in it */
    uint64_t settled; /* cycles below have been charged */
    uint64_t held;    /* a delay of one statement */
    uint64_t line;    /* number of the fetched line, from 1 */
    struct kelvin_hold fetched, redirected, blocked;
    bool waiting; /* for the vector side */
    /* The vector side. */
    struct fifo fifo, queues[KELVIN_QUEUES];
    struct kelvin_flight flights[KELVIN_FLIGHTS];
    uint64_t in_flight;           /* dispatched and not complete */
    uint64_t dispatched, decoded; /* sequence numbers */
    uint64_t first_flight;        /* lowest sequence that may be in flight */
    unsigned turn;                /* ALU of the next operation */
    struct kelvin_hold room;      /* who let the decode go on last */
    uint64_t issued[KELVIN_QUEUES];
    struct producer last;        /* who set base.finish */
    uint64_t work[KELVIN_UNITS]; /* cycles of each unit */
    uint64_t counters[KELVIN_COUNTERS];
    struct path_stream streams[1 + KELVIN_QUEUES]; /* core, then the queues */
};

/* As struct machine says. */
int kelvin_model_init(struct machine_model *model);
void kelvin_model_free(struct machine_model *model);
uint64_t kelvin_model_total(const struct machine_model *model);

/* values.c: execute the next steps. */
void kelvin_feed(struct kelvin_model *model);
/* The step that is dispatched in this cycle asks for it: execute it. */
void kelvin_tell(struct kelvin_model *model, uint64_t cycle);

/* core.c, vector.c */
uint64_t kelvin_latency(const struct kelvin_model *model, const struct kelvin_cost *cost,
                        const struct kelvin_step *step, const char **rule);
/* Whether a branch or jump goes where the core does not go on by itself. */
bool kelvin_missed(const struct kelvin_cost *cost, const struct kelvin_step *step);
/* What is known of an operation before it is on its way. */
void kelvin_flight_fill(struct kelvin_flight *flight, const struct kelvin_cost *cost,
                        const struct kelvin_step *step);
/* Pieces of one register of a load or store. */
unsigned kelvin_pieces_each(const struct kelvin_flight *flight);
void kelvin_core_start(struct kelvin_model *model);
void kelvin_vector_start(struct kelvin_model *model);
/* An operation is on its way to the vector side. */
void kelvin_vector_push(struct kelvin_model *model, const struct kelvin_step *step, uint64_t at,
                        uint64_t number);
/* caches.c */
int kelvin_caches_init(struct kelvin_model *model);
/* An access to the data cache in a cycle in which dbus is free: when it is served, or false and the
 * cycle to come back. */
bool kelvin_data_access(struct kelvin_model *model, const struct cache_access *access,
                        uint32_t bytes, uint64_t *ready, struct producer *by);

/* In a cycle in which nothing is in flight: the cycle in which memory has taken what was dirty. */
uint64_t kelvin_flush(struct kelvin_model *model, const struct kelvin_cost *cost,
                      const struct kelvin_step *step, uint64_t at, const struct producer *by);

/* A unit belongs to an instruction from a cycle on. */
void kelvin_take(struct kelvin_model *model, enum kelvin_unit unit, const struct producer *by,
                 uint64_t from, uint64_t to);
/* What it does is there in this cycle. */
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
/* One execution on a unit that took no cycle of its own. */
void kelvin_count_event(struct kelvin_model *model, enum kelvin_unit unit, uint32_t stmt);
/* An execution of a stream of the graph. */
void kelvin_report_execution(struct kelvin_model *model, const struct sink_execution *execution);
/* dst was held in [from, cause->at). */
void kelvin_report_wait(struct kelvin_model *model, const struct kelvin_hold *cause, uint32_t dst,
                        uint64_t from);

/* The registers of beat k. */
static inline uint64_t kelvin_beat(const struct kelvin_flight *flight, uint64_t set, unsigned k)
{
    return flight->strip ? set & UINT64_C(0x1111111111111111) << k : set;
}

/* graph.c. Streams of the graph: the core, and each queue from VECTOR on. */
enum { KELVIN_STREAM_CORE, KELVIN_STREAM_VECTOR };
/* Of what is executed from here on, at most `most` instructions, by the model's numbers.
 * As struct machine says. */
int kelvin_graph(struct kelvin_exec *exec, const struct kelvin_model *model, uint64_t most,
                 struct graph *graph, char error[MACHINE_ERROR]);

#endif
