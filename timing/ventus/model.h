/*
 * model: when the instructions of a launch may happen.
 *
 *   program, numbers --kernel_run--> intervals, edges at the sink --ventus_settle--> summary
 *
 *   workgroups --> SM:  L1I <-- fetch --> buffer of each warp --> issue --> collector of each warp
 *                         |                                                  |  register banks
 *                         |       write-back <-- salu valu mul fpu sfu tensor lsu <--+
 *                         |                                                    |
 *                         |                       shared memory, L1D <---------+
 *                         +--> L2 of all SMs <-- RAM              |
 *                               ^---------------------------------+
 *
 * Fetch (fetch.c). Each warp has a buffer of `buffer_groups` groups of `fetch_width` instructions.
 * While one has room its next group goes through the L1 instruction cache, one group of an SM a
 * cycle; the group behind one that misses waits until that has come. What jumps empties the buffer.
 * Issue (warp.c). A warp issues in order. Its next instruction goes when it is in the buffer
 * (fetch), when the branch before it is decided (branch), when the registers that it reads and
 * writes are ready (wait-data, or memory behind a load), when the warp's collector is empty
 * (collector); of several warps one a cycle goes (port), by `warp_policy`. Values are worked out at
 * issue: addresses and branches are those of the program.
 * Collector. An operand takes its bank, (register + slot of the warp) % `register_banks`, a cycle;
 * scalar and vector registers have banks of their own. With all operands the instruction goes to
 * its unit as soon as that is free and leaves the collector. `pipe_cycles` pass beside that.
 * Write-back. A result leaves its unit `latency` cycles after it has entered it; one scalar and one
 * vector result of an SM a cycle are written, and can be read in the next one.
 * Memory (lsu.c, levels.c). The load and store unit takes an instruction after the other:
 * `lsu_interval` cycles, and one for each line of the L1 data cache, or of the shared memory for
 * each word of the same bank. A load is there when its last line is. Stores are written through;
 * nobody waits for them. Misses go to the second level and to memory, in the order in which the
 * first level sends them. Copies (cp_dma) read their sources in the same way, beside the warp; the
 * warp's next cp_dma_mbarrier goes when the last line of its copies is there.
 * Workgroups (group.c). In order of their numbers, each to the SM with most free warps that has
 * room for its warps, registers and local memory; it keeps them until its last warp has ended.
 *
 * Not modelled: the order in which units that are free at once are given to collectors (it is that
 * of issue). Critical path comes from the newest million instructions; slack is not promised: a
 * delay changes what others find in the caches.
 */
#ifndef TAKT_TIMING_VENTUS_MODEL_H
#define TAKT_TIMING_VENTUS_MODEL_H

#include "config/config.h"
#include "functional/ventus/run.h"
#include "functional/ventus/work.h"
#include "timing/cache.h"
#include "timing/resource.h"
#include "timing/run.h"
#include "timing/scoreboard.h"

struct machine_program {
    struct ventus_program program;
};

enum ventus_param {
#define PARAM(name, type, sentence) VENTUS_PARAM_##name,
#include "timing/ventus/param.def"
    VENTUS_PARAMS
};
enum ventus_counter {
#define COUNTER(id, name, index, unit, sentence) VENTUS_COUNTER_##id,
#include "timing/ventus/counter.def"
    VENTUS_COUNTERS
};
enum ventus_unit {
#define UNIT(id, name, path, kind, shared, sentence) VENTUS_UNIT_##id,
#include "timing/ventus/unit.def"
    VENTUS_UNIT_KINDS
};
enum {
    VENTUS_REASON_FIRST = REASON_MACHINE - 1,
#define REASON(id, name, state, limit, sentence) VENTUS_REASON_##id,
#include "timing/ventus/reason.def"
    VENTUS_REASONS
};

enum {
    VENTUS_SM_WARPS = 8,             /* most */
    VENTUS_GROUPS = 8,               /* of a warp's instruction buffer, most */
    VENTUS_TAKEN = 256,              /* of L2 and RAM at a time */
    VENTUS_BANKS = 64,               /* of registers or shared memory, most */
    VENTUS_LINES = 5 * VENTUS_LANES, /* of an access: of 16 bytes in lines of 4, most */
    VENTUS_PORTS = VENTUS_UNIT_WARP, /* of an SM: its units but for the warps */
    VENTUS_PLACES = VENTUS_XREGS + VENTUS_VREGS,
    VENTUS_PLACE_WORDS = VENTUS_PLACES / 64
};
#define VENTUS_NEVER UINT64_MAX /* a cycle that is not known yet */

/* What a statement costs, fixed before the run. */
struct ventus_cost {
    uint64_t reads[VENTUS_PLACE_WORDS], writes[VENTUS_PLACE_WORDS];
    uint8_t unit; /* enum ventus_unit; ISSUE when it needs none */
    bool memory, jump, vector;
    uint32_t interval, latency;
    const char *rule; /* parameter behind the latency */
};

/* The groups of instructions that a warp has fetched, or is fetching. */
struct ventus_buffer_group {
    uint32_t group;
    uint64_t ready;
};

/* A load or store: in the collector of its warp, or in the load and store unit. */
struct ventus_transit {
    struct ventus_thread *thread; /* NULL: none */
    uint32_t stmt, count, next;   /* lines of L1D, or cycles of the shared memory */
    uint32_t lines[VENTUS_LINES];
    bool store, shared;
    bool copy, range; /* cp_dma; bulk and tensor: `count` lines from lines[0] on */
    uint32_t stream;  /* of its warp */
    uint64_t issued;
    uint64_t at, ready; /* where it is from `at` on; what its lines so far bring is there */
    struct producer by;
};

struct ventus_thread {
    struct process fetch; /* first: the front end */
    struct ventus_model *model;
    uint32_t sm, slot, number; /* number: among all warps of the chip */
    struct ventus_warp *warp;  /* NULL: nothing runs here */
    uint64_t began;            /* the warp */
    uint32_t stmt;             /* next to issue */
    uint64_t order;            /* first cycle in which the warp can issue it */
    uint64_t branch;           /* ... and in which the branch before it is decided */
    uint64_t fetched;          /* ... and in which it has been fetched */
    uint64_t collector;        /* ... and in which the collector is empty */
    struct release data;
    bool waits;            /* the instruction before it was a barrier */
    bool sleeps;           /* ... for which others have not arrived */
    struct producer last;  /* its last instruction */
    uint32_t copies;       /* cp_dma on their way ... */
    struct release copied; /* ... and the last one that has come */
    struct scoreboard board;
    struct ventus_buffer_group buffer[VENTUS_GROUPS];
    uint32_t buffered, next_group;
    uint64_t next_fetch; /* not before */
    struct ventus_transit transit;
};

/* Cycles of L2 or RAM that are still to be charged. */
struct ventus_taken {
    uint32_t level, stmt;
    uint64_t start, end;
};

struct ventus_place {
    struct ventus_group group;
    struct ventus_warp *warps;
    bool used;
};

struct ventus_sm {
    struct process issue; /* first */
    struct process lsu;
    struct ventus_model *model;
    struct resource_set ports;
    struct release holder[VENTUS_PORTS];
    uint64_t banks[2][VENTUS_BANKS]; /* scalar, vector: not free before */
    uint64_t written[2], slots[2];   /* write-back: slots bit k: cycle written + k is taken */
    uint32_t turn;                   /* slot that issued last */
    uint64_t next_issue;             /* not before */
    struct ventus_transit transit;   /* in the load and store unit */
    struct ventus_thread *queue[VENTUS_SM_WARPS]; /* of the load and store unit */
    uint32_t queued;
    struct cache_config l1i_config, l1d_config;
    struct cache l1i, l1d;
    uint32_t free;                               /* warps */
    uint32_t sgprs, vgprs, local;                /* not taken */
    struct ventus_place places[VENTUS_SM_WARPS]; /* workgroups */
};

struct ventus_model {
    struct machine_model base; /* first */
    const struct ventus_program *program;
    const struct ventus_launch *launch;
    struct ventus_run *run; /* values: the run's, or its own */
    struct ventus_run own;
    uint64_t value[VENTUS_PARAMS];
    bool greedy, shared;                            /* warp_policy; local_path */
    uint32_t group_sgprs, group_vgprs, group_local; /* that a workgroup takes of an SM */
    struct ventus_cost *cost;
    struct stmt_info *stmts;
    size_t stmt_count;
    uint64_t *idle;                      /* of each statement: lanes that it left idle */
    uint64_t by_lines[VENTUS_LINES + 1]; /* accesses by the lines that they coalesced to */
    struct unit_info *units;
    size_t unit_count;
    char (*names)[2][48];
    uint64_t counters[VENTUS_COUNTERS];

    uint32_t sm_count, sm_warps;
    struct ventus_sm sms[VENTUS_SMS];
    struct ventus_thread threads[VENTUS_SMS * VENTUS_SM_WARPS];
    struct path_stream streams[VENTUS_SMS * VENTUS_SM_WARPS];
    struct resource_set levels;              /* ports of L2 and RAM */
    struct ventus_taken taken[VENTUS_TAKEN]; /* in the order in which they begin */
    uint32_t taken_count;
    struct cache_config l2_config;
    struct cache l2;
    uint32_t next_group, groups;
};

/* Units of the header. */
static inline uint32_t ventus_port_unit(const struct ventus_model *m, uint32_t sm, uint32_t port)
{
    return sm * (VENTUS_PORTS + m->sm_warps) + port;
}
static inline uint32_t ventus_warp_unit(const struct ventus_model *m, const struct ventus_thread *t)
{
    return t->sm * (VENTUS_PORTS + m->sm_warps) + VENTUS_PORTS + t->slot;
}
static inline uint32_t ventus_level_unit(const struct ventus_model *m, uint32_t level)
{
    return m->sm_count * (VENTUS_PORTS + m->sm_warps) + level;
}

/* As struct machine says. */
int ventus_model_init(struct machine_model *model);
void ventus_model_free(struct machine_model *model);

/* report.c; lists and calls of struct machine. */
extern const struct reason_info ventus_reasons[VENTUS_REASONS];
extern const struct counter_info ventus_counters[VENTUS_COUNTERS];
int ventus_report_describe(const struct machine_run *run, struct sink_header *header,
                           struct machine_lists *lists);
int ventus_settle(struct machine_model *model, struct sink_summary *summary);
/* A finding about the instruction at pc; the program is at fault at the values' fault_pc. */
void ventus_report_finding(const struct machine_run *run, enum diag_severity severity, uint32_t pc,
                           const char *name, const char *sentence);
void ventus_report_fault(const struct machine_run *run, const char *sentence);

/* group.c: workgroups that wait go to SMs; a warp has ended. */
void ventus_dispatch(struct ventus_model *model, uint64_t at);
void ventus_leave(struct ventus_thread *thread, uint64_t at);

/* warp.c */
void ventus_issue_init(struct ventus_sm *sm);

/* What a warp waits for, in this order, each never before the one in front. */
struct ventus_waits {
    uint64_t branch, fetched, data, collector;
};
static inline struct ventus_waits ventus_waits(const struct ventus_thread *t)
{
    struct ventus_waits w;
    w.branch = later(t->order, t->branch);
    w.fetched = later(w.branch, t->fetched);
    w.data = later(w.fetched, t->data.at);
    w.collector = later(w.data, t->collector);
    return w;
}
/* The first cycle in which it can issue, as far as it is concerned itself. */
static inline uint64_t ventus_ready(const struct ventus_thread *t)
{
    return !t->warp || t->sleeps ? VENTUS_NEVER : ventus_waits(t).collector;
}

/* thread.c */
/* Wakes the SM when the first of its warps can issue. */
void ventus_arm(struct ventus_sm *sm);
void ventus_place_sets(const struct ventus_cost *cost, struct place_set sets[VENTUS_PLACE_WORDS]);
/* What the warp waits for may have come: find out what it issues next, and when. Its stmt is
 * NONE_ID when nothing stands at its pc: the step says so. */
void ventus_warp_look(struct ventus_thread *thread);
/* A result that has left its unit in cycle `at` (0: scalar, 1: vector). Returns the cycle in which
 * it can be read. */
uint64_t ventus_write_back(struct ventus_sm *sm, bool vector, uint64_t at);
void ventus_charge(struct ventus_thread *thread, uint32_t stmt, uint32_t unit, uint32_t reason,
                   uint64_t from, uint64_t to);

void ventus_fetch_init(struct ventus_thread *thread);
/* fetch.c: its buffer is filled from the group of pc on, not before `at`; the instruction at pc has
 * issued, `next` follows. */
void ventus_fetch_from(struct ventus_thread *thread, uint32_t pc, uint64_t at);
void ventus_fetch_used(struct ventus_thread *thread, uint32_t pc, uint32_t next, uint64_t at);
static inline uint32_t ventus_fetch_group(const struct ventus_model *m, uint32_t pc)
{
    return pc / (4 * (uint32_t)m->value[VENTUS_PARAM_fetch_width]);
}

void ventus_lsu_init(struct ventus_sm *sm);
/* lsu.c: thread->transit arrives with its operands at transit.at. */
void ventus_access(struct ventus_thread *thread, const struct ventus_effect *effect, uint64_t at);

/* levels.c: an access that waits until it can go; making and freeing. */
struct cache_answer ventus_serve(struct cache *cache, struct cache_access access);
void ventus_levels_settle(struct ventus_model *model);
int ventus_memory_init(struct ventus_model *model);
void ventus_memory_levels_free(struct ventus_model *model);

/* warp.c: cycles that the unit of an instruction is taken. lsu.c: what an access is: its lines, or
 * cycles of the shared memory. */
uint32_t ventus_interval(const struct ventus_model *model, const struct ventus_cost *cost,
                         const struct ventus_op *op);
static inline uint32_t ventus_transit_line(const struct ventus_transit *transit, uint32_t i)
{
    return transit->range ? transit->lines[0] + i : transit->lines[i];
}
void ventus_transit_fill(const struct ventus_model *model, const struct ventus_access *access,
                         struct ventus_transit *transit);

/* The warps of a launch in order of their workgroups are the streams of its graph. */
static inline uint32_t ventus_stream(const struct ventus_model *m, const struct ventus_warp *warp)
{
    const uint32_t *grid = m->launch->grid;
    const struct ventus_group *group = warp->group;
    return ((group->z * grid[1] + group->y) * grid[0] + group->x) * m->launch->warps + warp->number;
}
/* report.c */
void ventus_report_execution(struct ventus_model *model, const struct sink_execution *execution);

/* graph.c: of what the run of this model, which has not begun, executes; it observes the run. NULL:
 * the host has no memory. */
struct ventus_builder *ventus_graph_new(struct ventus_model *model, struct graph *graph);
/* The graph, and its status: 1 where it would have more nodes. */
int ventus_graph_end(struct ventus_builder *builder, char error[MACHINE_ERROR]);
void ventus_graph_free(struct ventus_builder *builder); /* or NULL */

#endif
