/*
 * state: inside of the AMX timing model; shared by model.c (issue) and books.c (what a run tells at its end).
 */
#ifndef TAKT_TIMING_AMX_STATE_H
#define TAKT_TIMING_AMX_STATE_H

#include "timing/account.h"
#include "timing/amx/model.h"

enum unit_kind {
#define UNIT(id, name, path, kind, sentence) UNIT_##id,
#include "timing/amx/unit.def"
    UNIT_KINDS
};

enum {
    REGS = 2 * AMX_XY_REGS + AMX_Z_ROWS, /* scoreboard entries: X, Y, Z */
    REG_Y = AMX_XY_REGS,
    REG_Z = 2 * AMX_XY_REGS,
    LOG_LIMIT = 1 << 22 /* newest instructions that are remembered for path and slack */
};
#define NOBODY UINT64_MAX /* no instruction */

/* Scoreboard entries an instruction reads and writes: bit r of xy is X r, bit 8 + r is Y r. */
struct footprint {
    uint32_t xy_read, xy_write;
    uint64_t z_read, z_write;
};

/* What a statement costs, fixed before the run. */
struct cost {
    struct footprint foot;
    uint8_t port;        /* enum unit_kind; UNIT_CPU when it needs no port */
    uint8_t counter;     /* enum amx_counter: of its operations */
    uint32_t cpu;        /* cycles that its thread is taken */
    uint32_t interval;   /* cycles that the port is taken */
    uint32_t latency;    /* cycles until its results are ready */
    uint32_t item;
    uint32_t cells;      /* first cell of its section's threads */
    uint64_t flops, bytes;
    const char *rule;    /* parameter behind the latency */
    const char *port_rule; /* and behind the interval */
};

/* What one statement did on behalf of one thread. */
enum { HELD_DATA, HELD_MEMORY, HELD_PORT, HELD_COUNT };
struct cell {
    uint64_t execs, held[HELD_COUNT]; /* cycles of the thread */
    uint64_t starved[HELD_COUNT];     /* cycles of the port: nothing else to do meanwhile */
    uint64_t starved_events[HELD_COUNT], held_events[HELD_COUNT];
};

/* Who makes a register ready, and when. */
struct entry {
    uint64_t ready;
    uint64_t by;   /* number of the instruction, NOBODY */
    uint32_t stmt;
    uint8_t load;  /* it was a load */
};

struct thread {
    struct amx_cursor cursor;
    uint32_t number, cluster;
    bool done;
    uint32_t stmt;         /* next to issue */
    uint64_t order;        /* first cycle in which the thread can issue it */
    uint64_t data;         /* first cycle in which its registers are ready */
    struct entry data_by;  /* what makes it so */
    uint64_t last;         /* number of the instruction issued last, NOBODY */
    uint64_t last_issue;
    uint64_t finish;       /* all results of this thread are ready */
    uint64_t cpu_total;    /* cycles of its instructions: a lower bound */
    struct entry regs[REGS];
    uint64_t path[REGS];   /* earliest ready cycle if no unit were ever taken */
};

struct port {
    uint64_t free_at;   /* the end of what it does */
    uint64_t by;        /* number of the instruction that holds it, NOBODY */
    uint32_t stmt;
    uint64_t busy, events;
    uint64_t shortest_tail; /* least cycles from the last interval's start to its result */
};

/* An instruction as it was issued. */
enum binding { BOUND_ORDER, BOUND_DATA, BOUND_MEMORY, BOUND_PORT };
struct issued {
    uint64_t at, pred; /* pred: number of the instruction that bound it, NOBODY */
    uint32_t stmt;
    uint8_t thread, binding;
};

struct amx_model {
    const struct amx_program *program;
    struct amx_costs costs;
    const struct sink *sink;
    size_t stmt_count;
    struct cost *cost;         /* of each statement */
    struct stmt_info *stmts;
    uint32_t *stmt_of_item;
    struct cell *cells;
    size_t cell_count;

    uint32_t thread_count, clusters;
    struct thread *threads;
    struct port ports[AMX_CLUSTERS][UNIT_KINDS]; /* ARRAY and LDST */
    uint64_t issued, finish, path, last_number; /* last_number: of the instruction that ends last */
    uint64_t counters[AMX_COUNTERS];

    struct unit_info *units;
    size_t unit_count;
    char (*names)[3][64]; /* name, path, name of its bound */
    struct account account;

    struct issued *log; /* a ring once LOG_LIMIT is reached */
    size_t log_capacity;
    bool out_of_memory;
};

/* Units: array and ldst of each cluster, then the threads. */
static inline uint32_t port_unit(uint32_t cluster, unsigned kind)
{
    return 2 * cluster + (kind == UNIT_LDST);
}

static inline uint32_t cpu_unit(const struct amx_model *m, uint32_t thread)
{
    return 2 * m->clusters + thread;
}

static inline uint32_t unit_of(const struct amx_model *m, const struct thread *t, unsigned kind)
{
    return kind == UNIT_CPU ? cpu_unit(m, (uint32_t)(t - m->threads)) : port_unit(t->cluster, kind);
}

static inline const struct issued *log_at(const struct amx_model *m, uint64_t number)
{
    return &m->log[number % m->log_capacity];
}

/* Cycles [from, to) of a unit belong to reason, for stmt. */
static inline void account_cycles(struct amx_model *m, uint32_t unit, uint32_t reason, uint32_t stmt,
                               uint64_t from, uint64_t to)
{
    if (!m->sink || to <= from)
        return;
    if (reason == REASON_BUSY)
        account_busy(&m->account, unit, stmt, from, to - from);
    else
        account_reason(&m->account, unit, reason, stmt, from, to);
}

#endif
