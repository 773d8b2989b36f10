/*
 * run: one run of a program on the model; shared by the files that make it up.
 *
 *   machine.c  open, advance, progress, stop, close    classes.c  statements -> unit usage
 *   run.c      the stream: packing, supply, waits      occupy.c   units of the PE side, step by step
 *   skip.c     exact repetitions                       report.c   totals, bounds, paths -> sink
 *   costs.c    costs of statements                     path.c     the critical path
 *   slack.c    freedom of each statement               nops.c     nop steps that could go
 *
 * The same stream drives two lanes: the estimate, which is accounted, and its documented-only twin,
 * of which only the total counts. Between waits both advance alike.
 */
#ifndef TAKT_TIMING_MNCORE2_RUN_H
#define TAKT_TIMING_MNCORE2_RUN_H

#include "functional/mncore2/effect.h"
#include "functional/mncore2/exec.h"
#include "timing/machine.h"
#include "timing/mncore2/hazard.h"
#include "timing/mncore2/mv.h"
#include "timing/mncore2/nops.h"
#include "timing/mncore2/stream.h"

struct machine_program {
    struct program program;
};

/* A unit that a step uses: the cycles of the step, bit i = cycle i; writes land later. */
struct usage {
    uint8_t unit;
    uint8_t lands;  /* 1: a write, in cycle i + write latency */
    uint8_t mask;
    uint8_t cycles; /* bits in mask */
};

/* What the stream needs to know of a distinct statement. Of statements of one shape all but the last
 * three are the same. */
struct stmt_class {
    uint32_t usage;       /* first of its rows in run.usages */
    uint8_t usage_count;
    uint8_t kind;         /* enum stmt_kind */
    uint8_t wait;
    uint8_t known : 1;    /* what is here has been worked out; else everything is 0 */
    uint8_t precision : 7; /* of flops, as in sink_summary */
    uint32_t nops;
    uint32_t flops;       /* operations of one execution */
    uint32_t first_item, last_item;
    uint64_t execs;
};

/* A statement that waited, or could have. */
struct stall {
    uint64_t start, end;
    uint32_t item;
    uint32_t head, binding; /* transfers of lane 0, or MV_NONE */
    enum reason reason;     /* TAG, EMPTY, DATA, PORT */
};

struct lane {
    const struct numbers *numbers;
    uint64_t now;           /* boundary of the next step */
    uint64_t tokens, told;  /* bytes in the instruction buffer, and when that was */
    struct mv_engine mv;
    struct hazard *hazard;  /* NULL without --interlock */
    struct hazard_window *window;
};

enum { RECENT = 32 }; /* steps whose writes may still land; a power of two */

struct recent {
    uint64_t at;
    uint32_t class, item;
    uint64_t told; /* what has landed by then has been given to the sink; never a part of a slice */
};

struct skip; /* of skip.c */

struct machine_run {
    const struct program *program;
    const struct config *config;
    struct run_options options;
    const struct sink *sink;
    struct model model;
    enum packing packing;
    struct packer packer;
    struct lane lanes[2];
    unsigned lane_count;
    bool plain;             /* neither supply nor the MV slot costs time */
    size_t next_item;
    uint64_t nops_left;     /* of a nop/n of next_item, the first of which has been sent */
    bool ended, finished;

    struct stmt_class *classes;
    struct stmt_class *shapes; /* what statements of a shape have in common */
    const struct hazard_profile **profiles[2]; /* of each statement, by lane, with --interlock */
    const struct hazard_shape **hazard_shapes[2]; /* of each shape, likewise */
    struct usage *usages;
    size_t usage_count, usage_capacity;
    struct account account;
    bool steps_whole;       /* the sink takes steps and holds, not the slices of the PE side */
    uint32_t *patterns;     /* the sink's pattern + 1, by first usage */
    size_t pattern_capacity;
    uint32_t pattern_count;
    uint64_t (*landed)[REASON_COUNT]; /* per unit: writes that landed while the stream did nothing */
    struct recent recent[RECENT];
    uint64_t recent_count;

    struct stall *stalls;
    size_t stall_count, stall_capacity;
    uint64_t lag;           /* cycles that the path without contention is ahead of lane 0 */
    uint64_t path_tag[MV_TAGS], path_last;

    uint64_t statements, nops_written, nops_packing, nops_wait, nops_empty, stalled;
    uint64_t nops_tag[MV_TAGS];
    uint64_t slot_cycles, mv_statements;

    struct tale *tales;     /* of transfers that the sink was given; the last ones first */
    uint32_t told, tell_at; /* transfers so far; and how many there are to be when more can be told */

    struct nops nops;
    struct skip *skip;      /* NULL: repetitions are not looked for */
    uint64_t items_skipped;
    bool logging;           /* stalls and edges are to be given to skip_log_* too */
    size_t skip_from;       /* next item at which skip_here has something to do */

    struct exec *exec;
    uint32_t **dars;        /* snapshots of all DAR */
    size_t dar_count, dar_capacity;
    bool dar_changed;       /* since the last snapshot */
    struct stmt_info *stmts;
    char *error;            /* MACHINE_ERROR bytes, of the call that runs */
};

/* classes.c */
int classes_init(struct machine_run *run);
void classes_free(struct machine_run *run);
/* Work out the usage of a statement. Returns 0, or -1 when the host has no memory. */
int class_learn(struct machine_run *run, uint32_t stmt);

/* run.c: up to `budget` items of the stream, timed and (with values) executed. */
enum run_status run_items(struct machine_run *run, uint64_t budget, struct diag_list *diags);
/* The last unit is filled up and every transfer ends. */
void run_end(struct machine_run *run);

/* occupy.c: the units of the PE side. A statement of class `index` issues at cycle t. */
void occupy_step(struct machine_run *run, uint32_t index, uint32_t item, uint64_t t);
/* The issue unit sends nothing of the program in [from, to). */
void occupy_idle(struct machine_run *run, enum reason reason, uint32_t item, uint64_t from,
                 uint64_t to);
/* Slices of the writes of steps that begin to land before `before`; what lies beyond `end` is cut off. */
void occupy_flush(struct machine_run *run, uint64_t before, uint64_t end);

/* run.c: what a wait or a stall leaves behind: for the report, and for the sink. */
void run_stall(struct machine_run *run, const struct stall *stall);
void run_edge(struct machine_run *run, const struct sink_edge *edge);

/* skip.c: stretches of the stream that repeat. Return 0, or -1 when the host has no memory. */
int skip_open(struct machine_run *run);
void skip_close(struct machine_run *run);
/* Before next_item, when that has come to skip_from: may move next_item, and time, forward. */
int skip_here(struct machine_run *run);
void skip_log_stall(struct machine_run *run, const struct stall *stall);
void skip_log_edge(struct machine_run *run, const struct sink_edge *edge);

/* report.c */
/* What a run tells its sink to begin with, and the lists it points to. Returns 0, or -1 when memory is out; in both
 * cases report_header_free must follow. */
struct report_header {
    struct sink_header told; /* first: timing/machine.h hands it out */
    struct param_info *params;
    struct file_info *files;
};
int report_header(struct report_header *header, const struct program *program,
                  const struct config *config, const struct model *model, const char *command);
void report_header_free(struct report_header *header);
int report_begin(struct machine_run *run);
/* When run->tell_at has come: tell transfers ahead. */
int report_ahead(struct machine_run *run);
/* What it needs for that. */
void report_free(struct machine_run *run);
int report_finish(struct machine_run *run, bool complete);

/* path.c: rows that tile [0, total), the caller's to free in every case. slack.c: ranges in order, the
 * same. Return 0, or -1 when the host has no memory. */
int path_find(const struct machine_run *run, uint64_t total, struct sink_crit **rows, size_t *count);
int slack_find(const struct machine_run *run, uint64_t total, struct sink_slack **rows,
               size_t *count);

#endif
