/*
 * run: one run of a program on the model; shared by the files that make it up.
 *
 *   machine.c  programs, values, check                 classes.c  statements -> unit usage
 *   issue.c    the stream: packing, supply, waits      occupy.c   units of the PE side, by step
 *   mv*.c      transfers                               report.c   header, transfers -> sink
 *   landed.c   L2BM before transfers                   dar.c      DAR before transfers
 *   arrive.c   accesses before a transfer has ended    hold.c     waits for its end
 *   costs.c    costs of statements                     open.c     open, close
 *   lane.c     open, advance, close a lane             settle.c   totals, warnings -> sink
 *
 * A lane is one kernel with its stream and transfers. The estimate is accounted; the
 * documented-only total is a second lane that is run after it, without account and path.
 */
#ifndef TAKT_TIMING_MNCORE2_RUN_H
#define TAKT_TIMING_MNCORE2_RUN_H

#include "functional/mncore2/exec.h"
#include "timing/unit_event.h"
#include "timing/mncore2/arrive.h"
#include "timing/mncore2/hazard.h"
#include "timing/mncore2/mv.h"
#include "timing/mncore2/removable.h"
#include "timing/mncore2/stream.h"
#include "timing/run.h"

struct machine_program {
    struct program program;
    const struct machine *machine; /* by which runs of it are opened */
};

/* A unit that a step uses: the cycles of the step, bit i = cycle i; writes land later. */
struct usage {
    uint8_t unit;
    /* Cycles from the issue until a write takes its port (hazard_landing); 0: at once. */
    uint8_t lands;
    uint8_t mask;
    uint8_t cycles;        /* bits in mask */
    uint8_t reads, writes; /* cycles in which a memory is read, and in which a write begins */
    uint8_t read, written; /* of it, in each of these cycles, in the memory's units */
    uint8_t kind;          /* enum hazard_kind of what lands */
    uint8_t space;         /* enum space of the memory */
};

/* Ports of L1BM and L2BM on which writes of different latency may land, or a write while another
 * statement reads: cycles that two want are the earlier statement's alone. */
enum {
    MEETING_FIRST = UNIT_L1BM0,
    MEETING_COUNT = UNIT_L2BM1_PE + 1 - UNIT_L1BM0,
    MEETING_USES = 2 * MEETING_COUNT /* of each port what holds it at once, and what lands */
};
enum meeting { MEETING_L1BM, MEETING_L2BM, MEETINGS };

/* Rows of run.usages that many statements share. */
struct usage_run {
    uint32_t first, count;
};
enum { USAGE_RUNS = 256 };

/* What the stream needs to know of a distinct statement. */
struct stmt_class {
    uint32_t usage; /* first of its rows in run.usages */
    uint8_t usage_count;
    uint8_t kind; /* enum stmt_kind */
    uint8_t wait;
    uint8_t known : 1;             /* what is here has been worked out; else everything is 0 */
    uint8_t precision : 6;         /* of flops: double, single, pseudo single, half */
    uint8_t vector : 1;            /* they are those of the vector mode */
    bool darw;                     /* l2bmdarw */
    uint8_t meets_now;             /* bit: enum meeting that it reads */
    uint8_t meets_later[MEETINGS]; /* latency of its writes there; 0 = none */
    uint16_t accesses;             /* of memories and landings, in single cycles */
    uint8_t masked[2]; /* cycles without a write by a fixed mask; under a variable one */
    uint32_t nops;
    uint32_t flops; /* operations of one execution */
    /* Cycles from its issue until its last write has landed, 0: it writes nothing that lands later,
     * and the unit; the second without L2BM, for a documented-only total. */
    uint16_t lands[2];
    uint8_t lands_on[2];
    uint32_t first_item;
    uint64_t execs;
};

/* A step whose writes may still land. */
struct pending_write {
    uint64_t at;
    uint32_t class, item;
    uint64_t sent; /* intervals that end up to this cycle are with the sink */
    bool yields;
    uint16_t less; /* accesses that are the earlier statement's alone */
    /* Where it yields: cycles that an earlier statement has, as usage.mask. */
    uint8_t lost[MEETING_USES];
};

/* What one l2bmdarw has replaced: an entry in each cycle, from the first on. */
struct dar_write {
    uint32_t first;
    uint64_t step; /* steps of the program before it, nops included */
    uint32_t old[GROUPS][CYCLES];
};

/* Steps after which a write has taken effect: dar_write_latency is at most 60 cycles. */
enum { DAR_RECENT = 16 };

/* A step that wrote to L2BM. Within this many steps it may not have landed: 60 empty steps at most
 * keep a port (3.6.3.2). */
struct stored {
    uint64_t at;
    uint32_t stmt;
};
enum { STORED_RECENT = 64 };

/* Which DAR an indirect transfer finds in the order of the program, and what the writes shortly
 * before it have replaced, the last one last. */
struct dar_use {
    uint32_t table, count; /* of the writes */
    size_t writes;         /* first of them in dar_list.writes */
};

struct dar_list {
    uint32_t **tables; /* [GROUPS][DAR_ENTRIES] each */
    size_t count, capacity;
    struct dar_use *used; /* by transfer; only of indirect ones it means anything */
    struct dar_write *writes;
    size_t write_count, write_capacity;
    struct dar_write recent[DAR_RECENT]; /* a ring */
    uint64_t recent_count;
    uint32_t next; /* entry that l2bmdarw writes next */
    bool changed;  /* since the last table */
};

/* Position of the stream in its next item. */
enum stage {
    STAGE_FETCH,
    STAGE_WAIT,  /* it sleeps at a wait */
    STAGE_HOLD,  /* it sleeps until a transfer has ended that the item meets */
    STAGE_NOPS,  /* more nops of a nop/n */
    STAGE_MV,    /* an MV statement issues when the kernel has reached its cycle */
    STAGE_VALUES /* it has been timed */
};

struct lane {
    struct machine_model base; /* first */
    struct process stream;
    struct mncore2_run *run;
    struct model chip; /* of other numbers than the run's */
    const struct numbers *numbers;
    struct packer packer;
    bool plain;              /* neither supply nor the MV slot costs time */
    uint64_t slot_cycles;    /* of the MV slot of a unit */
    uint64_t now;            /* boundary of the next step */
    uint64_t tokens, filled; /* bytes in the instruction buffer, and when that was */
    size_t next_item;
    enum stage stage;
    uint64_t nops_left; /* of a nop/n of next_item, the first of which has been sent */
    uint64_t mv_start;  /* of the MV statement that issues: when it began to stall, and why */
    uint32_t mv_reason;
    bool ended;
    uint64_t landed;      /* end of the last write so far, of ... */
    size_t landed_item;   /* ... this item, on ... */
    uint32_t landed_on;   /* ... this unit, ... */
    uint64_t landed_from; /* ... whose step was over here */
    const uint32_t *cut;  /* by item: nops that are left out; or NULL */
    struct mv_waiter waiter;
    struct mv_engine mv;
    uint64_t darw_at[DAR_RECENT], darw_count; /* when the last l2bmdarw issued, a ring */
    uint64_t
        l2bm_lands; /* cycles until what a step writes there does; 0 in a documented-only run */
    struct stored stored[STORED_RECENT]; /* a ring */
    uint64_t stored_count;
    uint32_t **dars; /* tables of transfers that found old entries */
    size_t dar_count, dar_capacity;
    struct hazard *hazard; /* NULL without --interlock */
    struct hazard_window *window;
    const struct hazard_profile **profiles; /* of each statement, with --interlock */
    struct arrivals *arrivals;              /* to be filled, or NULL */
    struct hold *hold;                      /* NULL: accesses do not wait for transfers */
    /* Of the estimate alone, else NULL. */
    struct account *account;
    struct path *path;
    bool starved; /* its newest record but for MV statements is a stall for the supply */
};

struct mncore2_run {
    struct machine_run *shared;
    const struct program *program;
    const struct config *config;
    struct run_options options;
    const struct sink *sink;
    struct model model;
    enum packing packing;
    bool interlock;    /* stall until legal instead of refusing */
    bool holds;        /* and until transfers have ended that an access meets */
    struct lane *lane; /* the estimate; NULL without time */
    struct path_stream stream;
    struct removable_list removable;
    struct arrivals arrivals; /* of the estimate */
    size_t executed;          /* items, without time */

    struct stmt_class *classes;
    struct usage *usages;
    size_t usage_count, usage_capacity;
    struct usage_run usage_runs[USAGE_RUNS]; /* kept last, by their hash */
    struct account *account;                 /* the estimate's */
    struct path *path;
    uint64_t (*landed)[REASON_MAX]; /* per unit: writes that landed while the stream did nothing */
    struct pending_write *pending;  /* a ring of pending_size, a power of two */
    uint64_t pending_size, pending_count;
    uint64_t landing[KIND_COUNT + 1], landing_longest; /* of writes, by kind; the last: at once */
    uint64_t meeting_until[MEETINGS];                  /* end of the writes that are to land */
    uint64_t (*lost)[MEETING_USES]; /* cycles by class; NULL until there are any */
    uint64_t counters[COUNTERS_MNCORE2];
    uint64_t nops_tag[MV_TAGS];
    uint64_t stalled;     /* steps of the interlock */
    uint64_t slot_cycles; /* of MV slots */

    struct exec *exec;
    struct dar_list dars;
};

/* What run_again is for: the program without some of its nops. */
struct again {
    const uint32_t *cut;       /* by item: nops that are left out */
    struct arrivals *arrivals; /* to be filled, or NULL */
};

/* lane.c: as struct machine says. */
struct memory *mncore2_lane_memory(struct machine_model *model);
/* lane.c: the run is done: when each transfer ended. */
void mncore2_lane_arrivals(const struct lane *lane);

/* history.c: as struct machine_values says. */
int mncore2_history(struct machine_run *shared, const char *text, struct history *history,
                    char error[MACHINE_ERROR]);

/* open.c: as struct machine says. */
int mncore2_run_open(struct machine_run *shared, char error[MACHINE_ERROR]);
void mncore2_run_close(struct machine_run *shared);

/* classes.c */
int mncore2_classes_init(struct mncore2_run *run);
void mncore2_classes_free(struct mncore2_run *run);
/* Work out the usage of a statement for a lane. Returns 0, or -1 when the host has no memory. */
int mncore2_class_learn(struct mncore2_run *run, struct lane *lane, uint32_t stmt);

/* The kind of hazard.def that says when a write of this memory, through this port (enum side), has
 * landed; KIND_COUNT: at once. multicast: of the step's transfer between L2BM and L1BM. */
enum hazard_kind mncore2_landing_kind(enum space space, unsigned side, bool multicast);

/* issue.c: the stream of a lane. */
struct process mncore2_issue_process(void);

/* lane.c: as struct machine says; options.own is the lane's cut. */
int mncore2_lane_open(struct machine_model *model);
void mncore2_lane_free(struct machine_model *model);
uint64_t mncore2_lane_total(const struct machine_model *model);
/* Everything before the stream's cycle happens, nothing of the stream: a run that is stopped. */
void mncore2_lane_settle(struct lane *lane);

/* occupy.c: the units of the PE side. A statement of class `index` issues at cycle t. */
void mncore2_occupy_step(struct mncore2_run *run, uint32_t index, uint32_t item, uint64_t t);
/* The issue unit sends nothing of the program in [from, to). */
void mncore2_occupy_idle(struct mncore2_run *run, uint32_t reason, uint32_t item, uint64_t from,
                         uint64_t to);
/* The run ended at `total`: writes that land later are not counted. */
void mncore2_occupy_finish(struct mncore2_run *run, uint64_t total);
/* What happens of itself without run-ahead; context is the run. */
extern const struct unit_event_calls mncore2_unit_events;
/* Cycles of one usage of a class that do not count: an earlier statement has the port, or its
 * writes would land at or after `total`. */
uint64_t mncore2_occupy_cut(const struct mncore2_run *run, uint32_t class,
                            const struct usage *usage, uint64_t total);

/* dar.c: contents of all DAR as the next transfer of a lane, which issues now, finds them; NULL
 * when memory is out. */
const uint32_t *mncore2_dar_contents(struct lane *lane);
/* Before an item is executed. */
void mncore2_dar_follow(struct mncore2_run *run, const struct stmt *stmt);
/* From a file (--dar); 0, 1 or -1 with a sentence. */
int mncore2_dar_read(struct mncore2_run *run, const char *path, char error[MACHINE_ERROR]);
void mncore2_dar_free(struct dar_list *dars);

/* landed.c: a step of a lane writes to L2BM and issues now. */
void mncore2_landed_note(struct lane *lane, uint32_t stmt);
/* First cycle in which the operations of a transfer may begin that issues now: mv_start_latency
 * later, and none reads before what it reads has landed. */
uint64_t mncore2_landed_begin(const struct lane *lane, const struct mv *mv);

/* hold.c: accesses wait for the transfers that they meet. */
struct hold *mncore2_hold_new(const struct program *program);
void mncore2_hold_free(struct hold *hold);
/* A transfer that the next item of the lane meets and that may not have ended; MV_NONE: none. Call
 * it at least once for each item, in order. On no memory the lane's status is -1. */
uint32_t mncore2_hold_find(struct lane *lane);
/* The last MV statement has issued. */
void mncore2_hold_issue(struct lane *lane);

/* costs.c: rows of statements, allocated, in the order of stmt; flops go to the counters. NULL when
 * the host has no memory. */
struct costs *mncore2_costs_find(struct mncore2_run *run, uint64_t total);

/* graph.c: as struct machine says. */
int mncore2_graph(const struct run_setup *setup, struct graph *graph, char error[MACHINE_ERROR]);

/* report.c; lists and calls of struct machine. */
extern const struct reason_info mncore2_reasons[REASONS_MNCORE2];
extern const struct counter_info mncore2_counters[COUNTERS_MNCORE2];
int mncore2_describe(const struct machine_run *shared, struct sink_header *header,
                     struct machine_lists *lists);
/* A transfer that has ended, once the statement that waited for it is known. */
int mncore2_report_transfer(struct mncore2_run *run, struct transfer *transfer);

/* settle.c; as struct machine says. */
int mncore2_settle(struct machine_model *model, struct sink_summary *summary);
/* What all steps that could go are worth, in words. */
const char *mncore2_removable_cycles(const struct mncore2_run *run, char *text, size_t size);

#endif
