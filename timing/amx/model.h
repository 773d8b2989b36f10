/*
 * model: when the instructions of an AMX program may happen. Values play no part in it.
 *
 *   program, numbers --kernel_run--> intervals, edges at the sink --amx_settle--> summary
 *
 *    cpu0 ---+              one AMX instruction each issue_interval, in program order
 *    cpu2 ---+--> array0    matfp takes the array for its interval; its Z rows can be used again
 *            +--> ldst0     result_latency later. Loads and stores take the port.
 *    cpu1 ------> array1 ...
 *
 * Placement. Threads without .cluster go round all clusters in the order of their numbers:
 * performance clusters first, then those of efficiency cores, whose arrays are slower. A thread on
 * one of these moves once a performance cluster has no thread left: the first such thread, in the
 * cycle in which the last result there is ready. Operations already waiting for the slow unit stay
 * there. No other thread moves.
 *
 * Each CPU thread is a process of the kernel and issues in order. Its next instruction issues when
 * the previous one has issued (order), when every register that it reads is ready
 * (data), and when the array or port that it needs is free (port). Of several threads that could go
 * first on a port, the one that has waited longest goes. What held an instruction last is its
 * binding edge.
 *
 * Run-ahead: as long as no other thread of its cluster can issue, a thread continues in one event.
 *
 * Where the system puts threads is its choice. With a thread that may move, the lower bound of a
 * range (options.alone) holds for every choice: the work of all threads without .cluster on all
 * units together.
 *
 * Lost cycles are the first ones of every thousand: nothing issues, issued operations continue.
 * They are charged to no thread: one that has to issue in them is idle until they end.
 *
 * Not modelled: caches and misses (load_latency is one number), the CPU's own instructions, waiting
 * of a load for a store to the same address. Critical path and slack come from the newest million
 * instructions: of a longer run the part before them is one row of the path, and there is no slack.
 * Nor is there any with a thread on an efficiency cluster: when it moves depends on all others.
 */
#ifndef TAKT_TIMING_AMX_MODEL_H
#define TAKT_TIMING_AMX_MODEL_H

#include "config/config.h"
#include "functional/amx/program.h"
#include "timing/resource.h"
#include "timing/run.h"
#include "timing/scoreboard.h"
#include "timing/unit_event.h"

struct machine_program {
    struct amx_program program;
};

enum amx_param {
#define PARAM(name, type, sentence) AMX_PARAM_##name,
#include "timing/amx/param.def"
    AMX_PARAM_COUNT
};
enum amx_counter {
#define COUNTER(id, name, index, unit, sentence) AMX_COUNTER_##id,
#include "timing/amx/counter.def"
    AMX_COUNTERS
};
enum unit_kind {
#define UNIT(id, name, path, kind, sentence) UNIT_##id,
#include "timing/amx/unit.def"
    UNIT_KINDS
};

enum {
    PLACE_X = AMX_Z_ROWS, /* places of a thread: Z from 0, then X and Y */
    PLACE_Y = PLACE_X + AMX_XY_REGS,
    PLACES = PLACE_Y + AMX_XY_REGS,
    PLACE_WORDS = (PLACES + 63) / 64,
    EFFICIENCY_CLUSTERS = 4,                          /* most that a chip may have */
    PORTS = 2 * (AMX_CLUSTERS + EFFICIENCY_CLUSTERS), /* the first units: array, ldst of each */
    REMEMBERED = 1 << 20                              /* instructions for critical path and slack */
};
enum { LOST_OF = 1000 };
#define NO_PORT    UINT32_MAX
#define NO_CLUSTER UINT32_MAX

/* What a statement costs on a kind of cluster, fixed before the run. */
enum cluster_kind { PERFORMANCE, EFFICIENCY, CLUSTER_KINDS };
struct cost {
    uint64_t reads[PLACE_WORDS], writes[PLACE_WORDS]; /* bit sets of places */
    uint64_t flops, bytes;
    uint32_t port;         /* enum unit_kind; UNIT_CPU when it needs none */
    uint32_t counter;      /* enum amx_counter: of its operations */
    uint32_t cpu;          /* cycles that its thread is taken */
    uint32_t interval;     /* cycles that the port is taken, or 0 */
    uint32_t latency;      /* cycles until its results are ready */
    uint32_t length;       /* cycles until all of that is over */
    uint32_t events;       /* unit events of one execution */
    uint32_t reason;       /* why others wait for its results: DATA or MEMORY */
    const char *rule;      /* parameter of the latency */
    const char *port_rule; /* and of the interval */
};

struct thread {
    struct process process; /* first */
    struct amx_model *model;
    struct amx_cursor cursor;
    uint32_t index, number, cluster;
    bool pinned;         /* the program says on which cluster */
    bool moves;          /* it goes to a performance cluster as soon as one has no thread */
    uint32_t next;       /* the cluster that it has to go to, or NO_CLUSTER */
    uint64_t since;      /* first cycle on its cluster */
    uint32_t stmt;       /* next to issue; NONE_ID at the end */
    uint64_t order;      /* first cycle in which the thread can issue it */
    struct release data; /* what makes its registers ready */
    uint64_t finish;     /* all results of this thread are ready */
    struct scoreboard board;
};

struct amx_model {
    struct machine_model base; /* first */
    const struct amx_program *program;
    uint64_t value[AMX_PARAM_COUNT];  /* the numbers of this run */
    struct cost *cost[CLUSTER_KINDS]; /* of each statement */
    struct stmt_info *stmts;
    size_t stmt_count;
    uint32_t *stmt_of_item;
    struct unit_info *units;
    size_t unit_count;
    char (*names)[2][64]; /* name, path */
    uint64_t counters[AMX_COUNTERS];

    struct resource_set ports;
    struct release holder[PORTS]; /* of each port; at: when it becomes free */
    uint64_t work[PORTS];         /* cycles of each port, by threads whose place is certain */
    uint64_t pool[2]; /* of all arrays and of all other ports, as if on a performance cluster */
    struct thread threads[AMX_THREADS];
    struct path_stream streams[AMX_THREADS];
    uint32_t thread_count, clusters;
    uint64_t lost;        /* of every LOST_OF cycles, the first ones, in which nothing issues */
    struct process mover; /* of threads that may move */
    bool moving;          /* there are such threads */
};

static inline enum cluster_kind cluster_kind(const struct amx_model *m, uint32_t cluster)
{
    return cluster < m->value[AMX_PARAM_clusters] ? PERFORMANCE : EFFICIENCY;
}

/* The costs of statements for a thread: their minimum, without waits. */
static inline const struct cost *costs_of(const struct thread *t)
{
    const struct amx_model *m = t->model;
    return m->cost[m->base.options.alone && t->moves ? PERFORMANCE : cluster_kind(m, t->cluster)];
}

/* The first cycle from this on in which something may issue. */
static inline uint64_t awake(const struct amx_model *m, uint64_t cycle)
{
    return m->lost && cycle % LOST_OF < m->lost ? cycle - cycle % LOST_OF + m->lost : cycle;
}

/* First cycle in which thread and registers let the instruction go. */
static inline uint64_t ready_cycle(const struct thread *t)
{
    return awake(t->model, later(t->data.at, t->order));
}

static inline uint32_t port_of(const struct thread *t, const struct cost *cost)
{
    return cost->port == UNIT_CPU ? NO_PORT : 2 * t->cluster + (cost->port == UNIT_LDST);
}

static inline uint32_t cpu_unit(const struct thread *t)
{
    return 2 * t->model->clusters + t->index;
}

/* Costs, units and threads of a model that is 0, without a run. Returns 0, or -1 when the host has
 * no memory; to be freed in both cases. */
int amx_model_make(struct amx_model *model, const struct amx_program *program,
                   const struct config *config, bool documented);
/* As struct machine says. */
int amx_model_init(struct machine_model *model);
void amx_model_free(struct machine_model *model);
uint64_t amx_model_total(const struct machine_model *model);

/* report.c */
enum { AMX_REASONS = REASON_MACHINE };
extern const struct reason_info amx_reasons[AMX_REASONS];
extern const struct counter_info amx_counters[AMX_COUNTERS];
int amx_describe(const struct machine_run *run, struct sink_header *header,
                 struct machine_lists *lists);
int amx_settle(struct machine_model *model, struct sink_summary *summary);

/* graph.c: as struct machine says. */
int amx_graph(const struct amx_program *program, const struct config *config, bool documented,
              struct graph *graph, char error[MACHINE_ERROR]);
/* What the items [first, end), instructions of one section without .repeat or .end between them,
 * need of each other, executed once each: the nodes are the items. Returns 0, or -1 when the host
 * has no memory; to be freed in every case. */
int amx_graph_block(const struct amx_model *model, size_t first, size_t end, struct graph *graph);

/* Put the threads' first events into the kernel, which is ready. */
void amx_threads_start(struct amx_model *model);

/* place.c: which thread is on which cluster. */
void amx_place(struct amx_model *model);
/* A thread has issued its last instruction: another one may come into its place. */
void amx_place_ended(struct amx_model *model, const struct thread *ended);
/* First cycle in which a thread that moves might be given a place. */
uint64_t amx_place_free(const struct amx_model *model);
void amx_mover_start(struct amx_model *model);
extern const struct resource_calls amx_port_calls;

/* history.c: as struct machine_values says; each issue of a run whose options.own are times. */
struct amx_times;
int amx_history(struct machine_run *run, const char *text, struct history *history,
                char error[MACHINE_ERROR]);
void amx_history_issue(struct amx_times *times, const struct thread *thread, uint64_t at);

/* use.c: what an instruction that issues in a cycle does to its unit and to its thread's registers,
 * as unit events; and how many these are. */
void amx_use(struct thread *thread, const struct cost *cost, uint64_t at);
uint32_t amx_use_count(const struct cost *cost);
extern const struct unit_event_calls amx_unit_events;

#endif
