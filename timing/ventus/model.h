/*
 * model: when the instructions of a launch may happen.
 *
 *   program, numbers --kernel_run--> intervals, edges at the sink --ventus_settle--> summary
 *
 *   workgroups --> SM:  L1I <-- fetch --> buffer --> issue --> collectors --> salu valu mul fpu ..
 *                         |                            ^        | banks     |      |
 *                         |                            |        v           v      v
 *                         |                        registers <-- write-back <-- load and store unit
 *                         +--> L2 of all SMs <-- RAM                            |       |
 *                               ^------------------------------------------- L1D   shared memory
 *
 * Each stage of an SM that holds something is a process; in a cycle they go in this order: fetch,
 * the load and store unit, and the path from the collectors to the registers.
 *
 * Fetch (fetch.c). One fetch of `fetch_width` instructions a cycle, of the warp with the lowest
 * slot whose buffer of `buffer_groups` groups has room. The L1I answers `fetch_latency` later. An
 * answer that finds no line, or no room any more, is thrown away with the fetches of its warp
 * after it: the warp fetches the same again. While a miss is answered there is no fetch. A group
 * that waits for nothing in front of it is at issue in the second cycle after its answer,
 * `late_fetch` later when the memory was read in the cycle before the answer. A jump empties the
 * buffer. What decides about a warp (branch, barrier, endprg) does not leave its
 * collector in the cycle after fetches were thrown away.
 * Prefixes (warp.c). The decoder takes one that is in front: it needs no collector and no port.
 * Issue (warp.c). A warp issues in order, into a collector. Its next instruction goes when the
 * branch before it is decided (branch), it is in front (fetch), the registers that it reads and
 * writes have been written in an earlier cycle (wait-data, or memory after a load), and the one
 * before it has left its collector (collector); of several warps one scalar and one vector
 * instruction a cycle go, round robin (port). Values are worked out at issue: addresses, operands
 * of divisions and branches are those of the program.
 * Collectors (collect.c). From the cycle after issue on each bank reads one register a cycle for
 * one of them, round robin. Bank: (register + slot of the warp) % `register_banks`, scalars and
 * vectors apart. Two cycles after issue, or three after its last register, an instruction can
 * leave: one scalar and one vector one a cycle, round robin, if its unit takes it.
 * Write-back (collect.c). A result is there `latency` cycles after that; one scalar and one vector
 * result a cycle are written: SALU and VALU, FPU, loads, SFU, MUL, tensor, in this order.
 * Memory (lsu.c, levels.c). The load and store unit takes an instruction, works out addresses, and
 * requests a line a cycle. Answers are merged in its last stage (lsu.c has the rules). Stores are
 * written through; only a fence waits for them. Copies (cp_dma) read their sources in the same
 * way; the warp's next cp_dma_mbarrier goes when the last line of its copies is there.
 * Workgroups (group.c). In order of their numbers, each to the SM with most free warps that has
 * room for its warps, registers and local memory; it keeps them until its last warp has ended.
 * The launch is over with the last one: what is in flight then is not waited for.
 *
 * Not modelled: when the dispatcher gives the next warp of a workgroup to its SM (all begin in the
 * same cycle), bank conflicts of written registers. Critical path comes from the newest million
 * instructions; slack is not promised: a delay changes what others find in the caches.
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
    VENTUS_PLACE_WORDS = VENTUS_PLACES / 64,
    VENTUS_OPERANDS = 32,  /* that a collector reads, most */
    VENTUS_COLLECTORS = 8, /* of an SM, most */
    VENTUS_ENTRIES = 8,    /* of the load and store unit, most */
    VENTUS_RESULTS = 256,  /* on their way to the registers of an SM, most */
    VENTUS_FETCHES = 16,   /* power of two above the latency of a fetch */
    VENTUS_READS = 64,     /* cycles in which the memory's reads are known */
    VENTUS_ANSWERS = 4096  /* ... and the answers of the second level */
};
#define VENTUS_NO_GROUP UINT32_MAX
#define VENTUS_NEVER    UINT64_MAX /* a cycle that is not known yet */

/* A register that a statement's collector reads, as often as the instruction names it. */
struct ventus_operand_read {
    uint16_t reg;
    uint8_t slot; /* source field: 0 to 2; 3: the mask */
    bool vector;
};

/* What a statement costs, fixed before the run. */
struct ventus_cost {
    uint64_t reads[VENTUS_PLACE_WORDS], writes[VENTUS_PLACE_WORDS];
    struct ventus_operand_read operands[VENTUS_OPERANDS];
    uint8_t operand_count;
    uint8_t unit;  /* enum ventus_unit; ISSUE when it needs none */
    uint8_t flops; /* of a lane */
    bool memory, jump, vector;
    bool prefix; /* the decoder takes it: no collector, no port */
    uint32_t interval, latency;
    const char *rule; /* parameter that gives the latency */
};

/* A group of instructions in a warp's buffer, there at the end of cycle `at`. */
struct ventus_buffer_group {
    uint32_t group;
    uint64_t at;
};

/* A fetch that the L1 instruction cache has not answered yet. */
struct ventus_fetching {
    struct ventus_thread *thread; /* NULL: none, or no longer wanted */
    uint32_t group;
    bool hit;
};

/* A load or store on its way: lines of L1D or of the shared memory. */
struct ventus_transit {
    struct ventus_thread *thread; /* NULL: none */
    uint32_t life, stmt, count, next;
    uint32_t left; /* lines that have not been answered */
    uint32_t lines[VENTUS_LINES];
    uint8_t rounds[VENTUS_LINES]; /* of the shared memory: lanes of its busiest bank; 0: L1D's */
    uint32_t shared;              /* such lines */
    bool store;
    bool copy, range; /* cp_dma; bulk and tensor: `count` lines from lines[0] on */
    uint32_t stream;  /* of its warp */
    uint64_t issued;
    uint64_t at; /* where it is from `at` on */
    struct producer by;
};

/* An answer for a line of entry `entry`, in the order in which they come. */
struct ventus_answer {
    uint64_t at;
    uint32_t entry;
};

/* The last stage of the load and store unit, which merges answers and writes back. */
enum ventus_return {
    RETURN_IDLE,
    RETURN_MERGE,
    RETURN_OUT,
    RETURN_NEXT,
    RETURN_REST,
    RETURN_AGAIN
};

struct ventus_lsu {
    struct process process;                       /* first: address calculation, and requests */
    struct ventus_transit buffer, saved, transit; /* two in front of it; in it */
    uint32_t entry;                               /* of that one */
    uint64_t accepted, free; /* it took its last one; it can take the next one from `free` on */
    uint64_t shared_free;    /* the shared memory can take a line from then on */
    uint64_t returned;       /* L1D answered a load last */
    struct ventus_transit entries[VENTUS_ENTRIES];
    struct ventus_answer answers[VENTUS_ENTRIES * VENTUS_LINES];
    uint32_t answered; /* of them */
    enum ventus_return state;
    uint64_t quiet; /* takes no instruction up to this cycle */
    bool full;      /* the next one has waited for memory to answer earlier ones */
};

/* An instruction that reads its operands. */
struct ventus_collector {
    struct ventus_thread *thread;           /* NULL: empty */
    uint32_t life, stmt, interval, pending; /* pending: operands that have not been read */
    uint8_t banks[VENTUS_OPERANDS];
    uint64_t at, ready; /* issued; can leave from `ready` on */
    uint32_t stream;
    struct producer by;
};

/* A result that has left its collector. */
struct ventus_result {
    struct ventus_thread *thread;
    uint32_t life, stmt, stream;
    uint8_t unit;
    bool vector;
    uint64_t issued, at, order; /* there in cycle `at` */
    struct producer by;
};

struct ventus_thread {
    struct ventus_model *model;
    uint32_t sm, slot, number; /* number: among all warps of the chip */
    struct ventus_warp *warp;  /* NULL: nothing runs here */
    uint32_t life;             /* warps that have begun here */
    uint64_t began;            /* the warp */
    uint32_t stmt;             /* next to issue */
    uint64_t order;            /* first cycle in which the warp can issue it */
    uint64_t branch;           /* ... and in which the branch before it is decided */
    uint64_t fetched;          /* ... and in which it has been fetched */
    uint64_t collector;        /* ... and in which the collector of the one before it is empty */
    struct release data;
    bool prefix;            /* ... which is a prefix */
    bool waits;             /* the instruction before it was a barrier */
    bool sleeps;            /* ... for which others have not arrived */
    bool jumps;             /* the branch before it empties the buffer: fetch from its pc then */
    struct producer last;   /* its last instruction */
    struct producer held;   /* ... and what had its unit until then; kind: the reason */
    uint32_t copies;        /* cp_dma on their way ... */
    struct release copied;  /* ... and the last one that has come */
    bool fenced;            /* the instruction before it was a fence: it waits for all ... */
    uint32_t accesses;      /* ... loads and stores under way ... */
    struct release drained; /* ... the last one of which has come */
    struct scoreboard board;
    struct ventus_buffer_group buffer[VENTUS_GROUPS];
    uint32_t buffered, next_group;
    struct ventus_buffer_group current; /* in front of issue; VENTUS_NO_GROUP: none */
    uint64_t fetch_from;
    struct ventus_transit transit;  /* of the instruction in its collector */
    uint64_t unread[VENTUS_PLACES]; /* alone.c: lines of a register's load, which no one has read */
};

/* Cycles of the load and store units, L2 or RAM that are still to be charged. */
struct ventus_taken {
    uint32_t unit, stmt;
    uint64_t start, end;
};

struct ventus_place {
    struct ventus_group group;
    struct ventus_warp *warps;
    uint32_t left; /* warps that have ended */
    bool used;
};

struct ventus_sm {
    struct process issue; /* first: collectors, units, write-back */
    struct process fetch;
    struct ventus_lsu lsu;
    struct ventus_model *model;
    struct resource_set ports;
    struct release holder[VENTUS_PORTS];
    struct ventus_collector collectors[VENTUS_COLLECTORS];
    struct ventus_result results[VENTUS_RESULTS];
    uint32_t result_count;
    uint64_t left;                      /* results, ever */
    uint8_t bank_turn[2][VENTUS_BANKS]; /* scalar, vector: source that was read last */
    uint32_t turn[2], leave_turn[2];    /* slot that issued, collector that left last */
    uint64_t written[2];                /* the ports of write-back were taken last */
    struct ventus_fetching fetching[VENTUS_FETCHES]; /* by the cycle of their answer */
    uint64_t thrown[2]; /* cycles in which fetches were thrown away, the last even and odd one */
    struct cache_config l1i_config, l1d_config;
    struct cache l1i, l1d;
    uint32_t free;                               /* warps */
    uint32_t sgprs, vgprs, local;                /* not taken */
    struct ventus_place places[VENTUS_SM_WARPS]; /* workgroups */
};

/* When lines are there at the earliest (alone.c): a table by hash. */
struct ventus_arrival {
    uint32_t line;
    bool known;
    uint64_t at;
};

struct ventus_arrivals {
    struct ventus_arrival *rows;
    size_t count, room; /* room: 0 or a power of two */
    uint64_t first;     /* the cycle of the first request */
    uint64_t fetched;   /* lines that the level below has to send */
    uint64_t unread;    /* ... and those among them that no warp has waited for */
};

struct ventus_model {
    struct machine_model base; /* first */
    const struct ventus_program *program;
    const struct ventus_launch *launch;
    struct ventus_run *run; /* values: the run's, or its own */
    struct ventus_run own;
    uint64_t value[VENTUS_PARAMS];
    bool shared;                                    /* local_path */
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
    struct ventus_arrivals alone_l1d, alone_l2;
    uint64_t reads[VENTUS_READS];     /* of the memory, by the cycle in which each begins */
    uint64_t answers[VENTUS_ANSWERS]; /* of the second level, by the cycle in which each leaves */
    uint32_t next_group, groups, ended;
    uint64_t next_begin; /* of the next workgroup, at the earliest */
    bool over;           /* all workgroups have ended, in cycle base.finish */
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
/* A finding about the instruction at pc; the program's error is at the values' fault_pc. */
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
    w.collector = t->prefix ? w.data : later(w.data, t->collector);
    return w;
}
/* The first cycle in which it can issue, as far as it is concerned itself. */
static inline uint64_t ventus_ready(const struct ventus_thread *t)
{
    return !t->warp || t->sleeps ? VENTUS_NEVER : ventus_waits(t).collector;
}

/* thread.c */
void ventus_place_sets(const struct ventus_cost *cost, struct place_set sets[VENTUS_PLACE_WORDS]);
/* What the warp waits for may have come: find out what it issues next, and when. Its stmt is
 * NONE_ID when there is no instruction at its pc: the step says so. */
void ventus_warp_look(struct ventus_thread *thread);
/* The SM's pipeline has something to do in cycle `at`. */
void ventus_stir(struct ventus_sm *sm, uint64_t at, const char *cause);
/* The registers that a statement writes are written in cycle `at` (the warp that issued it was the
 * `life`th of its thread), and the execution is over. */
void ventus_written(struct ventus_thread *thread, const struct ventus_result *result, uint64_t at);
void ventus_charge(struct ventus_thread *thread, uint32_t stmt, uint32_t unit, uint32_t reason,
                   uint64_t from, uint64_t to);

/* fetch.c: the buffer of a warp is filled from the group of pc on, not before `at`; the instruction
 * at pc has issued, `next` follows; at the end of cycle `at` the next group comes in
 * front of issue. */
void ventus_fetch_init(struct ventus_sm *sm);
void ventus_fetch_from(struct ventus_thread *thread, uint32_t pc, uint64_t at);
void ventus_fetch_used(struct ventus_thread *thread, uint32_t pc, uint32_t next);
void ventus_fetch_turn(struct ventus_thread *thread, uint64_t at);
/* Whether fetches were thrown away in cycle `at`, this one or the one before it. */
bool ventus_fetch_thrown(const struct ventus_sm *sm, uint64_t at);
static inline uint32_t ventus_fetch_group(const struct ventus_model *m, uint32_t pc)
{
    return pc / (4 * (uint32_t)m->value[VENTUS_PARAM_fetch_width]);
}

/* lsu.c: whether it can take the load or store of a collector; thread->transit leaves it in cycle
 * `at`; its answers in cycle `at`. The next cycle in which there is something to return. */
void ventus_lsu_init(struct ventus_sm *sm);
static inline bool ventus_lsu_ready(const struct ventus_sm *sm)
{
    return !sm->lsu.buffer.thread;
}
void ventus_lsu_take(struct ventus_thread *thread, uint64_t at);
void ventus_lsu_return(struct ventus_sm *sm, uint64_t at);
uint64_t ventus_lsu_next(const struct ventus_sm *sm, uint64_t at);
/* thread->transit is this access; what it counts. */
void ventus_access(struct ventus_thread *thread, const struct ventus_effect *effect);

/* levels.c */
/* Cycles of a unit are charged as far as the launch lasts. */
void ventus_level_charge(struct ventus_model *model, uint32_t unit, uint32_t stmt, uint64_t start,
                         uint64_t end);
void ventus_levels_settle(struct ventus_model *model);
int ventus_memory_init(struct ventus_model *model);
/* The cycle from which L2 is cleared of what it had before the reset. */
uint64_t ventus_l2_cleared(const struct ventus_model *model);
/* alone.c: the earliest cycle in which a line of L1D is there that is requested in cycle `at`.
 * Without memory of the host the model's status is -1. */
uint64_t ventus_alone_line(struct ventus_model *model, uint32_t line, uint64_t at);
/* A load was the first to request `lines`; an instruction issues; a warp has ended. */
void ventus_alone_load(struct ventus_thread *thread, uint32_t stmt, uint64_t lines);
void ventus_alone_issue(struct ventus_thread *thread, const struct ventus_cost *cost);
void ventus_alone_leave(struct ventus_thread *thread);
void ventus_alone_free(struct ventus_model *model);
void ventus_memory_levels_free(struct ventus_model *model);

/* cost.c: what a statement costs; cycles that the unit of an instruction is taken, by the values
 * that its warp has in front of it. lsu.c: what an access is: its lines. */
struct ventus_cost ventus_cost_of(const struct ventus_model *model, size_t stmt);
uint32_t ventus_interval(const struct ventus_model *model, const struct ventus_cost *cost,
                         const struct ventus_op *op, const struct ventus_warp *warp);
/* The most registers that it reads in one bank. */
uint32_t ventus_bank_reads(const struct ventus_model *model, const struct ventus_cost *cost);
static inline uint32_t ventus_transit_line(const struct ventus_transit *transit, uint32_t i)
{
    return transit->range ? transit->lines[0] + i : transit->lines[i];
}
/* Cycles that its line i takes the shared memory; 0: it is one of L1D. */
static inline uint32_t ventus_transit_rounds(const struct ventus_transit *transit, uint32_t i)
{
    return transit->shared ? transit->rounds[i] : 0;
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
/* history.c: as struct machine_values says. In a model whose options.own is set: a warp is about to
 * issue; it has issued; the registers of its instruction can be read from cycle `at` on. */
int ventus_history(struct machine_run *run, const char *text, struct history *history,
                   char error[MACHINE_ERROR]);
void ventus_history_began(struct ventus_thread *thread);
void ventus_history_issued(struct ventus_thread *thread, const struct ventus_effect *effect,
                           uint64_t at);
void ventus_history_written(struct ventus_thread *thread, const struct ventus_result *result,
                            uint64_t at);

/* graph.c: of what the run of this model, which has not begun, executes; it observes the run. NULL:
 * the host has no memory. */
struct ventus_builder *ventus_graph_new(struct ventus_model *model, struct graph *graph);
/* The graph, and its status: 1 where it would have more nodes. */
int ventus_graph_end(struct ventus_builder *builder, char error[MACHINE_ERROR]);
void ventus_graph_free(struct ventus_builder *builder); /* or NULL */

struct moves;
/* moves.c: what may be moved, by executing the run without time. As specified by struct
 * machine_advice; the moves are zero. */
int ventus_moves(struct ventus_run *run, const struct ventus_model *model, struct moves *moves,
                 char error[MACHINE_ERROR]);

#endif
