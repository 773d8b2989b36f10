/*
 * sink: where a timing model reports to. timing/ calls a sink that it was given and never looks at
 * what becomes of it; traces/ implements them (null, text, digest, SQLite).
 *
 *   model --begin, slice*, transfer*, edge*, finish--> sink
 *
 * All times are integer cycles from 0. Ids are small integers: unit, reason and statement ids index
 * the tables given to begin.
 *
 * A unit is in exactly one state in each cycle of [0, total): busy, or not busy for one reason.
 */
#ifndef TAKT_TIMING_SINK_H
#define TAKT_TIMING_SINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Why a unit is not busy, or that it is. The order is the dictionary of the trace (reason table). */
#define TAKT_REASONS(REASON)                                                                       \
    REASON(BUSY, "busy", "the unit does work")                                                     \
    REASON(DATA, "wait-data", "waits until a value can be read")                                   \
    REASON(PORT, "port", "a port it needs is held")                                                \
    REASON(TAG, "tag", "the stream waits for a tag")                                               \
    REASON(MEMORY, "memory", "waits for DRAM")                                                     \
    REASON(LINK, "link", "waits for a link between groups")                                        \
    REASON(PRIORITY, "priority", "another transfer of higher priority goes first")                 \
    REASON(EMPTY, "empty", "the instruction buffer is empty")                                      \
    REASON(PACKING, "packing", "a nop that packing inserted")                                      \
    REASON(NOP, "nop", "a nop written in the program")                                             \
    REASON(DRAINED, "drained", "no more statement to issue, transfers still run")                  \
    REASON(IDLE, "idle", "the statement does not use it")

enum reason {
#define REASON(id, name, sentence) REASON_##id,
    TAKT_REASONS(REASON)
#undef REASON
        REASON_COUNT
};

#define NONE_ID UINT32_MAX /* no unit, no statement */

/* A unit or port. path is its place in the tree, "chip.l2b.l1b.mab.mau"; one row stands for all
 * instances that do the same in every cycle. */
struct unit_info {
    const char *name;  /* short, unique: "mau", "lm0", "pdm0" */
    const char *path;
    const char *kind;  /* "issue", "alu", "mau", "port", "link", "memory" ... */
    uint32_t instances;
    double width;      /* long words a cycle and instance; 0 when it has none */
    double peak_flops; /* operations a cycle of all instances; 0 when it has none */
};

struct param_info {
    const char *name, *unit, *provenance, *source;
    double value, low, high, documented; /* documented: value under --documented */
    const char *text; /* value of a parameter that is a text; it has no numbers. NULL: a number */
};

/* One item of the program that costs something. */
struct stmt_info {
    uint32_t file, line;
    uint32_t region;       /* 0 */
    const char *text;
    size_t text_length;
};

/* Where a statement stands. Statements come in the order of their text, at most one a line. */
struct stmt_line {
    uint64_t offset; /* of its line in the file */
    uint32_t file;
    uint32_t kind;   /* below kind_count; lines of a kind begin alike, to the end of the statement */
    uint32_t line;   /* from 1 */
};

struct file_info {
    const char *name, *text;
    size_t size;
};

struct sink_header {
    const char *machine, *program, *command;
    uint64_t machine_hash;
    double clock_hz;
    double peak_flops[4]; /* operations a cycle of the whole chip, as flops of the summary; 0: none */
    const struct unit_info *units;
    size_t unit_count;
    uint32_t stream_units; /* the first so many follow the stream of steps; 0 = no such stream */
    const struct param_info *params;
    size_t param_count;
    const void *asked; /* what the functions below are given; stands as long as the program */
    uint64_t (*program_hash)(const void *asked, const uint64_t *files); /* files: source_hash
                                                     (functional/source.h) of each, or NULL */
    const struct stmt_info *stmts; /* NULL for a sink that asks for them; then: */
    void (*stmt)(const void *asked, uint32_t id, struct stmt_info *info);
    void (*place)(const void *asked, uint32_t id, uint32_t *file, uint32_t *line); /* the same
                                                     without the text; NULL: nobody told it */
    void (*lines)(const void *asked, size_t first, size_t count, struct stmt_line *lines); /* NULL:
                                                                                     nobody tells */
    bool (*moves)(const void *asked, uint32_t id); /* it issues a transfer or waits for one, so that what is told of
                                                      transfers will name it; NULL: nobody tells */
    size_t stmt_count, kind_count;
    size_t transfer_count; /* at most so many will be told; 0: nobody knows */
    const char *const *texts; /* modes and rules of transfers and their edges, literals: all of them, for a run that
                                 tells transfers ahead, and none by the call of transfer; ends with NULL. NULL: not so */
    const struct file_info *files;
    size_t file_count;
    /* Of a header that is told before the run: something that the run, if it is given this header, need not do if
     * it has been done, by any thread, once. NULL: nothing. */
    void (*work)(void *work_asked);
    void *work_asked;
};

struct sink_transfer {
    uint32_t stmt;
    uint32_t tag;           /* 0 = none */
    uint32_t priority;
    const char *mode;       /* "mvp P->D" */
    uint64_t long_words;    /* as n<size> counts */
    uint64_t bytes;         /* moved into the destination, all memories together */
    uint64_t issued, started, finished; /* finished: the completion notice has arrived */
    uint64_t waited;        /* cycles the stream stood at a wait for it */
    uint32_t waited_by;     /* statement, or NONE_ID */
    uint32_t limited_by;    /* unit that paced it */
};

/* What one step of a stream keeps busy: unit in [start + offset, start + offset + duration), each
 * unit at most SINK_UNIT_PARTS times. */
enum { SINK_UNIT_PARTS = 16 };
struct sink_part {
    uint32_t unit, offset, duration;
};

/* A binding edge: dst could not go on before src released it. */
enum edge_kind { EDGE_ORDER, EDGE_TAG, EDGE_PORT, EDGE_DATA, EDGE_LINK, EDGE_MEMORY, EDGE_SUPPLY };

struct sink_edge {
    uint32_t src, dst;      /* statements; src NONE_ID when the machine itself held it back */
    enum edge_kind kind;
    uint32_t unit;          /* what they share, or NONE_ID */
    const char *rule;       /* manual section or parameter that made it bind; "" if none */
    uint64_t released, at;  /* when src released, when dst went on */
    uint64_t waited;        /* cycles dst was held, all times together */
    uint64_t times;         /* how often since the edge was told last; 0 is 1 */
};

/* Warnings that differ in their statement and in few sentences. Nothing of it stands after the call. */
struct sink_warnings {
    const char *const *sentences;
    size_t sentence_count;
    const struct sink_warned {
        uint32_t stmt, sentence; /* sentence: index into sentences */
    } *warned;
    size_t count;
};

struct sink_unit_total {
    uint32_t unit, region;
    enum reason reason;
    uint64_t cycles, events;
};

struct sink_stmt_total {
    uint32_t stmt, unit;
    enum reason reason;
    uint64_t cycles, execs, ops;
    uint64_t bytes; /* that passed this unit: a transfer's own share of each port */
};

/* A cost that many statements share: its lines are sink_summary.costs[first .. first + count), of
 * which unit, reason, cycles, execs, ops and bytes hold for each of them. */
struct sink_cost {
    size_t first, count;
};

/* Neighbouring statements, all of which have this cost. */
struct sink_cost_range {
    uint32_t first_stmt, last_stmt;
    uint32_t cost; /* index into sink_summary.shared */
};

/* One run of the critical path: from..to in time, held by unit for reason, on behalf of stmts. */
struct sink_crit {
    uint64_t start, duration;
    uint32_t first_stmt, last_stmt, unit;
    enum reason reason;
};

/* Neighbouring statements that have the same; ranges come in order and do not overlap. */
struct sink_slack {
    uint32_t first_stmt, last_stmt;
    int64_t slack; /* cycles it could issue later, and what follows with it, without a later end */
};

struct sink_bound {
    const char *name;  /* "issue", "unit mau", "path" */
    uint32_t unit;     /* or NONE_ID */
    uint64_t cycles;
    const char *proof; /* one sentence */
};

/* Busy cycles of a unit in one window of equal length (utilisation over time, exact). */
struct sink_window {
    uint32_t unit;
    uint64_t index, busy;
};

struct sink_summary {
    bool complete;
    uint64_t cycles;            /* total, as far as the run came */
    uint64_t cycles_documented; /* every assumed parameter at its most optimistic; 0 = not known */
    uint64_t cycles_assumed;    /* cycles - cycles_documented where both are known */
    uint64_t steps;             /* issued, nops of all causes included */
    uint64_t pe_statements;     /* written steps, a nop/N counts N */
    uint64_t mv_statements;     /* written mvnops included */
    uint64_t nops_written, nops_packing, nops_wait, nops_empty; /* steps */
    uint64_t nops_tag[256];     /* nops_wait by tag */
    uint64_t flops[4];          /* double, single, pseudo single, half */
    uint64_t window;            /* length of a utilisation window, cycles; 0 = no windows */
    const struct sink_unit_total *unit_totals;
    size_t unit_total_count;
    const struct sink_stmt_total *stmt_totals;
    size_t stmt_total_count;
    /* For a sink that shares costs: the statements that stmt_totals leaves out, each in one range; in any order. */
    const struct sink_stmt_total *costs;
    const struct sink_cost *shared;
    size_t shared_count;
    const struct sink_cost_range *cost_ranges;
    size_t cost_range_count;
    const struct sink_crit *crit;
    size_t crit_count;
    const struct sink_slack *slack;
    size_t slack_count;
    const struct sink_bound *bounds;
    size_t bound_count;
    const struct sink_window *windows; /* by unit, then by index */
    size_t window_count;
};

struct sink {
    const struct sink_ops *ops;
    void *self;
};

/* Returns 0, or -1 when memory is out or what it called returned so. */
typedef int sink_tale(const void *asked, const struct sink *sink);

/* Every call returns 0, or -1 when the host failed (the run then ends with that status). A NULL
 * member is a call the sink does not need. */
struct sink_ops {
    const char *name;
    bool whole_only; /* finish reads what holds for the whole run: a model may leave stmt_totals, crit
                        and slack out, which have a row or more for each statement */
    bool asks_stmts;   /* begin may be given header.stmt instead of header.stmts */
    bool shares_costs; /* finish reads costs, shared and cost_ranges beside stmt_totals */
    int (*begin)(void *self, const struct sink_header *header);
    /* Detail (tier 2): unit did reason's kind of cycle in [start, start + duration) for stmt. Never
     * called for idle; per unit in order of start, never overlapping. */
    int (*slice)(void *self, uint32_t unit, enum reason reason, uint32_t stmt, uint64_t start,
                 uint64_t duration);
    /* The same detail of the units that follow the stream, a call a step instead of one for each of
     * their intervals: for a sink that has all three, beside slice for the other units.
     *   pattern  the next pattern, from 0 on: its parts by unit do not overlap
     *   step     at start, stmt keeps the pattern's parts busy; what reaches beyond the end of the
     *            run is cut off; start never falls
     *   hold     no step issues in [start, start + duration): where a unit of the stream is not busy
     *            with a step before, reason holds */
    int (*pattern)(void *self, const struct sink_part *parts, size_t count);
    int (*step)(void *self, uint32_t pattern, uint32_t stmt, uint64_t start);
    int (*hold)(void *self, enum reason reason, uint32_t stmt, uint64_t start, uint64_t duration);
    int (*transfer)(void *self, const struct sink_transfer *transfer);
    int (*edge)(void *self, const struct sink_edge *edge);
    int (*warning)(void *self, const char *name, uint32_t stmt, const char *sentence); /* name: a
                                                        literal; the sentence may go away */
    /* Many of one name at once, instead of a call for each: for a sink that has it. */
    int (*warnings)(void *self, const char *name, const struct sink_warnings *warnings);
    /* Instead of the calls of transfer, and of edge for transfers, at the end of a run, for a sink that has it:
     * it calls tell(asked, sink) once, at the latest in finish, by any thread; tell calls transfer and edge of
     * the sink it is given. What tell reads stands until finish returns, or this is called with tell NULL: the
     * run ends without finish, and none of it may be read from then on. Before it, edges and warnings of the
     * run itself have been told. */
    int (*transfers)(void *self, sink_tale *tell, const void *asked);
    /* Beside it, of a run that told texts: some transfers that will not change any more, while the run goes on, in
     * order and before those that are told at its end; tell as above, but it also calls while the run tells other
     * things. transfers ends it, too. */
    int (*transfers_ahead)(void *self, sink_tale *tell, const void *asked);
    int (*finish)(void *self, const struct sink_summary *summary);
};

#endif
