/*
 * sink: where a timing model reports to. timing/ calls a sink that it was given; traces/ implements
 * them (null, text, digest, SQLite).
 *
 *   model --begin, interval*, transfer*, edge*, warning*, finish--> sink
 *
 * All calls come from the thread that advances the run. begin is the first, finish the last; a run
 * that fails may end without finish. Between them:
 *   interval    of one unit: in order of start, never overlapping; never for idle
 *   transfer    when it has ended, each once
 *   edge        when its wait has ended; the same edge may come many times
 *   warning     at any time
 * Across units and transfers the order depends on how far processes run ahead: a sink whose output
 * must not depend on it sorts. The arguments of a call are valid only until it returns, the lists
 * of header and summary until the run is closed.
 *
 * Times are whole cycles from 0. Ids are small integers: units, statements and reasons index the
 * lists of the header, counters those of header.counters.
 *
 * A unit is in exactly one state in each cycle of [0, total): busy, or not busy for one reason.
 */
#ifndef TAKT_TIMING_SINK_H
#define TAKT_TIMING_SINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct costs; /* timing/costs.h */
struct range; /* timing/range.h */

/* Reasons of every machine; a machine's own follow from REASON_MACHINE on. */
enum {
#define REASON(id, name, state, limit, sentence) REASON_##id,
#include "timing/reason.def"
    REASON_MACHINE,
    REASON_MAX = 32 /* of all reasons of one machine */
};

#define NONE_ID UINT32_MAX /* no unit, no statement */

enum unit_state { STATE_BUSY, STATE_WAITING, STATE_IDLE };

/* --- the header: lists ------------------------------------------------------------------------ */

struct reason_info {
    const char *name, *sentence;
    enum unit_state state;
    const char *limit; /* as in reason.def; NULL: nothing follows from it */
};

/* A unit or port. path is its place in the tree, "chip.cluster.core.alu"; one row represents all
 * instances that do the same in every cycle. */
struct unit_info {
    const char *name; /* short, unique: "alu", "port0" */
    const char *path;
    const char *kind; /* "issue", "alu", "port", "link", "memory" ... */
    uint32_t instances;
    double width;      /* long words a cycle and instance; 0 when it has none */
    double peak_flops; /* operations a cycle of all instances; 0 when it has none */
};

struct param_info {
    const char *name, *unit, *provenance, *source;
    double value, low, high, documented; /* documented: value under --documented */
    const char *text; /* value of a parameter that is a text; it has no numbers. NULL: a number */
};

/* One statement of the program: its line in a file, and its text there. */
struct stmt_info {
    uint32_t file, line; /* line from 1 */
    uint32_t region;     /* set by machine_begin; 0: outside of all regions */
    uint32_t last;       /* of a block its last line, which the next statements belong to; else 0 */
    const char *text;
    size_t text_length;
};

struct file_info {
    const char *name, *text;
    size_t size;
};

/* Something that a run counts. Names with a dot belong together: "flops.half". */
struct counter_info {
    const char *name;  /* "steps", "flops.half" */
    const char *index; /* what its values are counted by, "tag"; NULL: it has one value */
    const char *unit;  /* "steps", "operations" */
    const char *sentence;
    double peak; /* most that the whole chip does in a cycle; 0: there is no such figure */
};

/* Attributes of a transfer that only this machine has. */
struct attribute_info {
    const char *name, *unit, *sentence;
};

struct sink_header {
    const char *machine, *program, *command;
    uint64_t machine_hash; /* of the configuration */
    uint64_t program_hash; /* of the texts of all files */
    double clock_hz;
    const struct file_info *files;
    size_t file_count;
    const struct stmt_info *stmts; /* in program order */
    size_t stmt_count;
    /* Names from region 0, "rest", on; set by machine_begin. */
    const char *const *regions;
    size_t region_count;
    const struct unit_info *units;
    size_t unit_count;
    const struct param_info *params;
    size_t param_count;
    const struct reason_info *reasons; /* those of reason.def first */
    size_t reason_count;
    const struct counter_info *counters;
    size_t counter_count;
    const struct attribute_info *attributes; /* of transfers */
    size_t attribute_count;
};

/* --- what happens ----------------------------------------------------------------------------- */

/* unit did reason's kind of cycle in [start, start + duration) for stmt (or NONE_ID). */
struct sink_interval {
    uint32_t unit, reason, stmt;
    uint64_t start, duration;
};

struct sink_transfer {
    uint32_t stmt;
    uint32_t tag;                       /* 0 = none */
    const char *tag_name;               /* as the program writes it, "i03"; NULL without a tag */
    const char *mode;                   /* as the program names it */
    uint64_t bytes;                     /* moved into the destination, all memories together */
    uint64_t issued, started, finished; /* finished: the completion notice has arrived */
    uint64_t waited;                    /* cycles the stream waited for it */
    uint32_t waited_by;                 /* statement, or NONE_ID */
    uint32_t limited_by;                /* unit that paced it */
    const uint64_t *attributes;         /* header.attribute_count values */
};

/* A binding edge: dst could not continue before src released it. */
enum edge_kind {
    EDGE_ORDER,
    EDGE_TAG,
    EDGE_PORT,
    EDGE_DATA,
    EDGE_LINK,
    EDGE_MEMORY,
    EDGE_SUPPLY,
    EDGE_QUEUE,
    EDGE_KINDS
};

struct sink_edge {
    uint32_t src, dst; /* statements; src NONE_ID when the machine itself held it back */
    enum edge_kind kind;
    uint32_t unit;         /* what they share, or NONE_ID */
    const char *rule;      /* manual section or parameter that made it bind; "" if none */
    uint64_t released, at; /* when src released, when dst continued */
    uint64_t waited;       /* cycles dst was held, all times together */
    uint64_t times;        /* how often since the edge came last, at least 1 */
};

struct sink_warning {
    const char *name; /* that silences it; "removable" is for statements that could go */
    uint32_t stmt;    /* or NONE_ID */
    const char *sentence;
};

/* --- the summary: lists ----------------------------------------------------------------------- */

struct sink_unit_total {
    uint32_t unit, region, reason;
    uint64_t cycles, events;
};

struct sink_stmt_total {
    uint32_t stmt, unit, reason;
    uint64_t cycles, execs, ops;
    uint64_t bytes; /* that passed this unit: a transfer's own share of each port */
};

/* One run of the critical path: from..to in time, held by unit for reason, on behalf of stmts. */
struct sink_crit {
    uint64_t start, duration;
    uint32_t first_stmt, last_stmt, unit, reason;
};

/* Neighbouring statements that have the same; ranges come in order and do not overlap. */
struct sink_slack {
    uint32_t first_stmt, last_stmt;
    int64_t slack; /* cycles it could issue later, and what follows with it, without a later end */
    bool exact;    /* exactly `cycles`; else at least */
};

/* Busy cycles of a unit in one window of equal length (utilisation over time, exact). */
struct sink_window {
    uint32_t unit;
    uint64_t index, busy;
};

struct sink_counter {
    uint32_t counter; /* index into header.counters */
    uint32_t index;   /* of a counter that has several values; else 0 */
    uint64_t value;
};

struct sink_summary {
    bool complete;
    const char *ending; /* how the program ended, where there are several ways; or NULL */
    const char *limit;  /* of an application: the sentence of what limits it; else NULL */
    uint64_t cycles;    /* total, as far as the run came */
    /* By documented numbers alone; 0 = not known. */
    uint64_t cycles_documented;
    uint64_t events; /* that the kernel handled */
    /* What unpublished numbers are worth; NULL or without runs: not known. */
    const struct range *range;
    const struct sink_counter *counters;
    size_t counter_count;
    const struct sink_unit_total *unit_totals;
    size_t unit_total_count;
    const struct costs *costs; /* of statements; NULL: none */
    const struct sink_crit *crit;
    size_t crit_count;
    const struct sink_slack *slack;
    size_t slack_count;
    uint64_t window;                   /* length of a utilisation window, cycles; 0 = no windows */
    const struct sink_window *windows; /* by unit, then by index */
    size_t window_count;
};

/* One execution of a statement as the graph of a run has it (timing/executed.h), where intervals do
 * not show it: of streams that begin several in a cycle, or of parts of statements. In each stream
 * a statement's executions come in order. */
struct sink_execution {
    uint32_t stream, stmt;
    uint64_t start, end; /* what it does is there */
};

/* --- the sink --------------------------------------------------------------------------------- */

/* Every call returns 0, or -1 when the host failed (the run then ends with that status). A NULL
 * member is a call that the sink does not need. */
struct sink_ops {
    const char *name;
    int (*begin)(void *context, const struct sink_header *header);
    int (*interval)(void *context, const struct sink_interval *interval);
    int (*transfer)(void *context, const struct sink_transfer *transfer);
    int (*edge)(void *context, const struct sink_edge *edge);
    int (*warning)(void *context, const struct sink_warning *warning);
    int (*execution)(void *context, const struct sink_execution *execution);
    int (*finish)(void *context, const struct sink_summary *summary);
    bool brief; /* finish is given no unit totals, windows, critical path and slacks */
};

struct sink {
    const struct sink_ops *ops;
    void *context;
};

#endif
