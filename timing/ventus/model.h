/*
 * model: when the instructions of a launch may happen.
 *
 *   program, numbers --kernel_run--> intervals, edges at the sink --ventus_settle--> summary
 *
 *   grid --workgroups--> sm0: warp0 --+--> issue --> salu valu mul fpu sfu tensor
 *                             warp1 --+          \-> lsu --> L1 data --+
 *                             ...   <-- fetch <-- L1 instructions -----+--> L2 --> RAM
 *                        sm1: ...
 *
 * A warp is a process of the kernel and issues in order. Its next instruction goes when it has been
 * fetched (empty), when the registers that it reads and writes are ready (data, or memory behind a
 * load), and when the SM's issue port and its unit are free (port). Of several warps that could go
 * in a cycle the one goes that has waited longest. The values are worked out at issue: addresses
 * and branches are those of the program.
 *
 * Fetch: `fetch_width` instructions of one line at a time through the L1 instruction cache; those
 * behind are fetched when the first of the last ones issues. A jump fetches anew.
 * Memory: the load and store unit takes a line of the L1 data cache a cycle; lanes of one line go
 * together. A load is there when its last line is. Stores are written through; nobody waits for
 * them. Misses go to the second level and to memory, in the order in which the first level sends
 * them.
 * Workgroups: in order of their numbers, each to the SM with most free warps, when it has room for
 * all its warps; they keep their warps until the last one has ended.
 *
 * Not modelled: register banks and collectors, bank conflicts of local memory, which goes through
 * the caches as the rest, limits of registers on occupancy. Critical path comes from the newest
 * million instructions; slack is not promised: a delay changes what others find in the caches.
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
    VENTUS_PORTS = VENTUS_UNIT_WARP, /* of an SM: its units but for the warps */
    VENTUS_PLACES = VENTUS_XREGS + VENTUS_VREGS,
    VENTUS_PLACE_WORDS = VENTUS_PLACES / 64,
    VENTUS_HELD = 16 /* reasons that a statement may be charged with: all */
};

/* What a statement costs, fixed before the run. */
struct ventus_cost {
    uint64_t reads[VENTUS_PLACE_WORDS], writes[VENTUS_PLACE_WORDS];
    uint8_t unit; /* enum ventus_unit; ISSUE when it needs none */
    bool memory, jump;
    uint32_t interval, latency;
    const char *rule; /* parameter behind the latency */
};

/* What one statement did on one unit. */
struct ventus_cell {
    uint64_t cycles[VENTUS_HELD], events[VENTUS_HELD];
    uint64_t ops, bytes;
};

struct ventus_thread {
    struct process process; /* first */
    struct ventus_model *model;
    uint32_t sm, slot, number; /* number: among all warps of the chip */
    struct ventus_warp *warp;  /* NULL: nothing runs here */
    uint32_t stmt;             /* next to issue */
    uint64_t order;            /* first cycle in which the warp can issue it */
    uint64_t fetched;          /* ... and in which it has been fetched */
    uint32_t line;             /* fetch group that has been asked for last, 0: none */
    uint64_t line_ready;
    struct release data;
    bool waits;           /* the instruction before it was a barrier */
    bool sleeps;          /* ... for which others have not arrived */
    struct producer last; /* its last instruction */
    struct scoreboard board;
};

struct ventus_place {
    struct ventus_group group;
    struct ventus_warp *warps;
    bool used;
};

struct ventus_sm {
    struct ventus_model *model;
    struct resource_set ports;
    struct release holder[VENTUS_PORTS];
    struct cache_config l1i_config, l1d_config;
    struct cache l1i, l1d;
    uint32_t free;                               /* warps */
    struct ventus_place places[VENTUS_SM_WARPS]; /* workgroups */
};

struct ventus_model {
    struct machine_model base; /* first */
    const struct ventus_program *program;
    const struct ventus_launch *launch;
    struct ventus_run *run; /* values: the run's, or its own */
    struct ventus_run own;
    uint64_t value[VENTUS_PARAMS];
    struct ventus_cost *cost;
    struct stmt_info *stmts;
    size_t stmt_count;
    struct ventus_cell *cells; /* [statement][unit] */
    struct unit_info *units;
    size_t unit_count;
    char (*names)[2][48];
    uint64_t counters[VENTUS_COUNTERS];

    uint32_t sm_count, sm_warps;
    struct ventus_sm sms[VENTUS_SMS];
    struct ventus_thread threads[VENTUS_SMS * VENTUS_SM_WARPS];
    struct path_stream streams[VENTUS_SMS * VENTUS_SM_WARPS];
    struct resource_set levels; /* ports of L2 and RAM */
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

/* machine.c: the program is at fault at the values' fault_pc. */
void ventus_report_fault(struct machine_run *run, const char *sentence);

/* warp.c: put the first workgroups' events into the kernel. */
void ventus_warps_start(struct ventus_model *model);
extern const struct resource_calls ventus_port_calls;
/* memory.c: a fetch, and the lines of an access, not before `at`. They return when what was asked
 * for is there. *by: who made it wait, for the memory unit that it took. */
uint64_t ventus_fetch(struct ventus_thread *thread, uint32_t pc, uint64_t at);
uint64_t ventus_access(struct ventus_thread *thread, const struct ventus_effect *effect,
                       uint64_t at);
int ventus_memory_init(struct ventus_model *model);
void ventus_memory_levels_free(struct ventus_model *model);

#endif
