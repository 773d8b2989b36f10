/*
 * state: inside of the AMX timing model; shared by model.c (costs and units), thread.c (issue) and
 * report.c (summary).
 */
#ifndef TAKT_TIMING_AMX_STATE_H
#define TAKT_TIMING_AMX_STATE_H

#include "timing/account.h"
#include "timing/amx/model.h"
#include "timing/kernel.h"
#include "timing/path.h"
#include "timing/resource.h"

enum unit_kind {
#define UNIT(id, name, path, kind, sentence) UNIT_##id,
#include "timing/amx/unit.def"
    UNIT_KINDS
};

enum {
    PLACE_Y = AMX_XY_REGS, /* places of a thread: X, Y, Z */
    PLACE_Z = 2 * AMX_XY_REGS,
    PLACES = PLACE_Z + AMX_Z_ROWS,
    PLACE_WORDS = (PLACES + 63) / 64,
    PORTS = 2 * AMX_CLUSTERS, /* their units come first: array and ldst of each cluster */
    REMEMBERED = 1 << 20      /* instructions for critical path and slack */
};
#define NO_PORT UINT32_MAX

/* What a statement costs, fixed before the run. */
struct cost {
    uint64_t reads[PLACE_WORDS], writes[PLACE_WORDS]; /* bit sets of places */
    uint64_t flops, bytes;
    uint32_t port;     /* enum unit_kind; UNIT_CPU when it needs none */
    uint32_t counter;  /* enum amx_counter: of its operations */
    uint32_t cpu;      /* cycles that its thread is taken */
    uint32_t interval; /* cycles that the port is taken */
    uint32_t latency;  /* cycles until its results are ready */
    uint32_t length;   /* cycles until all of that is over */
    uint32_t reason;   /* why others wait for its results: DATA or MEMORY */
    uint32_t first_thread, threads; /* that execute it, by number */
    uint32_t cells;    /* its first cell: those of the threads come first, then those of clusters */
    const char *rule;      /* parameter behind the latency */
    const char *port_rule; /* and behind the interval */
};

/* What one statement did on one unit, by reason; a machine-wide reason above PORT holds nothing. */
struct cell {
    uint64_t cycles[REASON_DRAINED], events[REASON_DRAINED];
};

/* What makes a place ready, or a port free. */
struct cause {
    uint64_t ready;
    uint64_t record; /* of path, PATH_NONE */
    uint32_t stmt;   /* NONE_ID before anything was done */
};

struct thread {
    struct process process; /* first */
    struct amx_model *model;
    struct amx_cursor cursor;
    uint32_t index, number, cluster;
    uint32_t stmt;     /* next to issue; NONE_ID at the end */
    uint64_t order;    /* first cycle in which the thread can issue it */
    struct cause data; /* what makes its registers ready last, and when */
    uint64_t finish;   /* all results of this thread are ready */
    struct cause places[PLACES];
};

struct amx_model {
    const struct amx_program *program;
    struct amx_model_options options;
    uint64_t value[AMX_PARAM_COUNT]; /* the numbers of this run */
    size_t stmt_count;
    struct cost *cost; /* of each statement */
    struct stmt_info *stmts;
    uint32_t *stmt_of_item;
    struct cell *cells;
    size_t cell_count;

    struct kernel kernel;
    struct resource_set ports;
    struct cause holder[PORTS]; /* of each port; ready: when it becomes free */
    struct thread *threads;
    struct path_stream *streams; /* one a thread */
    uint32_t thread_count, clusters;
    uint64_t finish;
    uint64_t counters[AMX_COUNTERS];
    struct counter_info counter_info[AMX_COUNTERS];
    struct unit_info *units;
    size_t unit_count;
    char (*names)[2][64]; /* name, path */
    struct account account;
    struct path path;
    int status; /* -1 once the sink failed */
};

static inline uint32_t port_of(const struct thread *t, const struct cost *cost)
{
    return cost->port == UNIT_CPU ? NO_PORT : 2 * t->cluster + (cost->port == UNIT_LDST);
}

static inline uint32_t cpu_unit(const struct thread *t)
{
    return 2 * t->model->clusters + t->index;
}

/* The unit that works for a statement of the thread. */
static inline uint32_t work_unit(const struct thread *t, const struct cost *cost)
{
    const uint32_t port = port_of(t, cost);
    return port == NO_PORT ? cpu_unit(t) : port;
}

/* The first instruction of every thread is there, and its process will wake. */
void amx_threads_start(struct amx_model *model);
extern const struct resource_calls amx_port_calls;

#endif
