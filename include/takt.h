/*
 * takt: how many cycles an accelerator program takes, why, and how far that is from the best
 * possible. The library of the command of that name.
 *
 *   takt_machine_open --> machine: which one, its numbers and options
 *           |
 *   takt_program_open --> program: parsed and checked --> findings
 *           |
 *     takt_run_open --> run --takt_run_put*, takt_run_advance--> totals, rows, words, dump
 *
 * Errors. What can fail returns an enum takt_status and, when that is neither TAKT_FINE nor
 * TAKT_MORE, puts it and one sentence into *error, which may be NULL. Nothing is printed, nothing
 * exits, no signal handler is set. An open that fails leaves NULL in the handle, but for
 * takt_program_open, which keeps the findings. Every close takes NULL.
 *
 * NULL. A pointer that a call needs and that is NULL is a TAKT_MISUSE, which names it. error, the
 * init, trace and search of options, the region of a proof, the machine of an application or a
 * fit, the value of an option and a text of no bytes may be NULL.
 * Calls without a status need their handle and, for rows, a place for the pointer; every close
 * takes NULL.
 *
 * Threads. Different handles may be used in different threads at once. One machine may serve
 * programs, and one program runs, in several threads; a machine is changed, and a run used, by one
 * thread at a time.
 *
 * Lifetime. A program keeps its machine, and a run its program: handles may be closed in any order.
 * Rows and texts are valid until the handle they came from is closed. Texts end with NUL; they are
 * bytes as the program has them, UTF-8 where that is.
 *
 * Units. Times are whole cycles from 0, lines and columns count from 1, columns count bytes.
 */
#ifndef TAKT_H
#define TAKT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define TAKT_API __attribute__((visibility("default")))
#else
#define TAKT_API
#endif

enum takt_status {
    TAKT_FINE = 0,
    TAKT_INPUT = 1,  /* an error in the program, a file, a parameter, a place or an init word */
    TAKT_MISUSE = 2, /* the call is: an unknown machine, option or warning, a call out of order */
    TAKT_HOST = 3,   /* memory, disk */
    TAKT_MORE = 4    /* takt_run_advance: call again */
};

struct takt_error {
    enum takt_status status;
    char text[640]; /* one sentence without the final stop, and one line, without control */
                    /* characters; "FILE:LINE:COLUMN: " before it where there is a place */
    char file[256]; /* of an error in a program, the first: its place; else "", 0 and "". Of an */
                    /* error of a whole file, as an ELF file's header, line and column are 0 */
    uint32_t line, column;
    char rule[64], fix[256]; /* as in a finding */
};

/* "0.1.0" */
TAKT_API const char *takt_version(void);

/* --- a machine -------------------------------------------------------------------------------- */

struct takt_machine;

/* name: as `takt --help` lists machines, or the name of a program's file, whose extension says;
 * NULL: the first of that list. */
TAKT_API enum takt_status takt_machine_open(struct takt_machine **machine, const char *name,
                                            struct takt_error *error);
/* The following change it; while a program of it is open they are a TAKT_MISUSE. One parameter, "KEY=VALUE"; `takt config NAME` lists them. */
TAKT_API enum takt_status takt_machine_set(struct takt_machine *machine, const char *assignment,
                                           struct takt_error *error);
/* The text of a configuration file, to be laid over what is set; name: for messages. */
TAKT_API enum takt_status takt_machine_config(struct takt_machine *machine, const char *name,
                                              const char *text, size_t size,
                                              struct takt_error *error);
/* An option of `takt run` or `takt check` for programs of this machine alone, without the dashes;
 * value NULL: of one that takes none. */
TAKT_API enum takt_status takt_machine_option(struct takt_machine *machine, const char *name,
                                              const char *value, struct takt_error *error);
/* Drop warnings of this name, "all" every one. */
TAKT_API enum takt_status takt_machine_silence(struct takt_machine *machine, const char *name,
                                               struct takt_error *error);
/* A unit K times as fast, "UNIT=K", as `takt whatif --speed`: sets parameters. */
TAKT_API enum takt_status takt_machine_speed(struct takt_machine *machine, const char *text,
                                             struct takt_error *error);
TAKT_API const char *takt_machine_name(const struct takt_machine *machine);
TAKT_API void takt_machine_close(struct takt_machine *machine);

/* --- a program -------------------------------------------------------------------------------- */

struct takt_program;

/* One text of a program. text NULL: the file of this name is read, never standard input; a name is
 * for messages else. */
struct takt_text {
    const char *name, *text;
    size_t size;
};

enum takt_severity { TAKT_NOTE, TAKT_WARNING, TAKT_ERROR };

struct takt_finding {
    const char *file;
    uint32_t line, column;
    uint32_t length; /* bytes from there that are meant, at least 1 */
    enum takt_severity severity;
    const char *rule;      /* section of the machine's manual, or "" */
    const char *name;      /* of a warning, to silence it; "" of an error */
    const char *text;      /* one sentence without the final stop */
    const char *fix;       /* what would make it legal, or NULL */
    int32_t missing_steps; /* empty steps that would make it legal, or -1 */
    uint64_t spare_steps;  /* empty steps that could go, or 0: of notes, with the option for them */
    uint64_t spare_cycles; /* what that would save, where it is known */
};

struct takt_detail {
    uint32_t text;          /* the finding is in this one of the program's texts, from 0 */
    uint32_t other_line;    /* of the other statement of a hazard or conflict, or 0 */
    const char *other_file; /* of that line; NULL: the same */
    int32_t missing_cycles; /* empty cycles that would make it legal, or -1 */
};

/* Parse and check texts, one after the other on the same state. TAKT_INPUT for errors in the
 * program: the sentence is the first error's, the findings are in *program, which no run can be
 * opened for. *program is NULL when there is nothing to list. */
TAKT_API enum takt_status takt_program_open(struct takt_program **program,
                                            struct takt_machine *machine,
                                            const struct takt_text *texts, size_t count,
                                            struct takt_error *error);
/* As takt check judges: a statement that always fails when executed is an error, too. */
TAKT_API enum takt_status takt_program_check(struct takt_program **program,
                                             struct takt_machine *machine,
                                             const struct takt_text *texts, size_t count,
                                             struct takt_error *error);
/* Findings in source order; how many are listed is returned, at most 10,000, and of the option
 * removable 10,000 more. */
TAKT_API size_t takt_program_findings(const struct takt_program *program,
                                      const struct takt_finding **findings);
/* More of each finding, in the same order. */
TAKT_API size_t takt_program_details(const struct takt_program *program,
                                     const struct takt_detail **details);
/* How many findings of a severity there are, those included that are not listed. */
TAKT_API size_t takt_program_count(const struct takt_program *program, enum takt_severity severity);
TAKT_API void takt_program_close(struct takt_program *program);

/* --- a run ------------------------------------------------------------------------------------ */

struct takt_run;

/* Other bits are TAKT_MISUSE. */
enum takt_flags {
    TAKT_VALUES = 1,     /* compute values; without it, time alone */
    TAKT_NO_TIME = 2,    /* values alone; with TAKT_VALUES only */
    TAKT_DOCUMENTED = 4, /* by documented numbers alone */
    TAKT_RANGE = 8,      /* totals over the plausible ranges of unpublished numbers; many runs */
    TAKT_BOUNDS = 16,    /* proven lower bounds */
    TAKT_STATEMENTS = 32,
    TAKT_TRANSFERS = 64,
    TAKT_DETAIL = 128,       /* of a trace: intervals, too */
    TAKT_PATH = 256,         /* the critical path */
    TAKT_VERDICT = 512,      /* what the run is bound by */
    TAKT_DEPENDENCES = 1024, /* what must come before what, and slacks; many runs */
    TAKT_WARNINGS = 2048,    /* what the run itself warns of, and removable work; many runs */
    TAKT_REGIONS = 4096, /* cycles of regions, for takt_run_expect; with TAKT_BOUNDS their bounds */
    TAKT_DIFF = 8192     /* what takt_diff_open compares */
};

/* Later versions may add fields at the end. A field beyond size is 0; bytes up to size that this
 * version does not know must be 0: TAKT_MISUSE else, and for a size that ends within a field. */
struct takt_options {
    size_t size;       /* sizeof(struct takt_options) of the caller */
    unsigned flags;    /* of enum takt_flags */
    unsigned threads;  /* for values, at most 256; 0 is 1; results do not depend on it */
    const char *init;  /* memories start as "zero" (NULL), "pattern" or "random:SEED" */
    const char *trace; /* file to write an SQLite trace to, or NULL */
};
#define TAKT_OPTIONS_INIT                                                                          \
    {                                                                                              \
        .size = sizeof(struct takt_options)                                                        \
    }

struct takt_totals {
    bool complete;              /* the program ran to its end; else the rest is 0 */
    uint64_t cycles;            /* 0 with TAKT_NO_TIME */
    uint64_t cycles_documented; /* by documented numbers alone */
    double clock_hz;
    uint64_t events; /* of the simulation, as in docs/json.md */
    bool has_range;  /* with TAKT_RANGE, and where some number has a plausible range */
    uint64_t range_low, range_high;
};

/* cycles of all units in all states add up to the total, for each unit. */
struct takt_reason {
    const char *name;
    uint64_t cycles;
};
struct takt_unit {
    const char *name, *kind;
    uint32_t instances; /* that do the same in every cycle */
    uint64_t busy, waiting, idle;
    const struct takt_reason *reasons; /* "busy" among them, in the order of the machine's list */
    size_t reason_count;
};

/* What a statement did in one unit, for one reason. */
struct takt_statement {
    const char *file, *text;
    uint32_t line;
    const char *unit, *reason;
    uint64_t cycles, executions, operations, bytes;
};

/* Attributes of this machine's transfers in addition to the fields below; docs/trace-schema.md. */
struct takt_attribute {
    const char *name, *unit;
    uint64_t value;
};
struct takt_transfer {
    const char *file, *mode;
    uint32_t line;
    const char *tag; /* as the program writes it, or NULL */
    uint64_t bytes, issued, started, finished;
    uint64_t waited;                         /* cycles the stream waited for it */
    uint32_t waited_by;                      /* line of that wait, or 0 */
    const char *limited_by;                  /* unit that paced it, or NULL */
    const struct takt_attribute *attributes; /* the same names in each transfer of a run */
    size_t attribute_count;
};

/* One step of the critical path: a unit, busy or waiting for one reason on behalf of statements,
 * the first and the last of a row, or two transfers that held each other in turn. Steps come in
 * order of time and add up to the total. */
struct takt_step {
    uint64_t start, cycles;
    const char *unit;             /* or NULL */
    const char *reason;           /* "busy" or what is waited for */
    const char *file, *last_file; /* NULL without a statement */
    uint32_t line, last_line;
};

/* What limits the run: as LIMIT on the first screen of `takt run`. */
struct takt_place {
    const char *file;
    uint32_t line;
    const char *tag; /* of a transfer, or NULL */
};
struct takt_verdict {
    const char *text; /* "alu is busy in 86.0 % of the cycles" */
    const char *kind; /* "resource"; "" where nothing is done */
    const char *unit; /* that limits, or NULL */
    double busy;      /* share of the unit, 0 to 1 */
    double share;     /* of the critical path that counts for the kind, 0 to 1 */
    const struct takt_place *lines;
    size_t line_count;
    const char *cause; /* what these cycles are due to, "chain"; or NULL */
};

struct takt_bound {
    const char *class_name; /* "this-order", "any-order", "free-places" */
    const char *kind;       /* "path", "unit", "issue", "transfer", "combined", "search" */
    const char *unit;       /* NULL of a path */
    uint64_t cycles;
};

/* A pair of executions, the second of which must follow the first. */
struct takt_dependence {
    const char *from_file, *to_file; /* NULL: outside the machine */
    uint32_t from_line, to_line;
    const char *kind;     /* "RAW", "WAR", "WAW", "PORT" */
    const char *space;    /* memory or register file of the place; "" of a port */
    uint64_t first, last; /* the place */
    uint64_t lag;         /* least cycles between their starts */
    const char *rule;
    bool completes; /* from the end of the first, a transfer */
    bool has_slack; /* it is known */
    int64_t slack;  /* cycles that the run left beyond the lag */
};

/* How much later a statement could issue, all that follows moving along, without a later end. */
struct takt_slack {
    const char *file;
    uint32_t line;
    uint64_t cycles;
    bool exact; /* false: a lower bound */
};

/* One expectation, as `takt expect` takes it: "cycles <= 1400", "util(alu) >= 90%". */
struct takt_expectation {
    bool holds;
    double value, limit;
    bool exact; /* false: the value is a lower bound */
};

struct takt_counter {
    const char *name, *unit; /* "steps", "flops.half"; docs/json.md lists them */
    const char *index_name;  /* what it is counted by; NULL: it has one value */
    uint32_t index;
    uint64_t value;
};

/* One unpublished number, moved alone over its plausible range; the largest effect comes first. */
struct takt_parameter {
    const char *name;
    uint64_t at_low, at_high; /* totals */
};

/* The same with what takt sensitivity prints. */
struct takt_sensitivity {
    const char *name, *provenance;
    uint64_t at_low, at_high; /* totals */
    uint64_t least, greatest; /* of all totals tried with this number */
};

TAKT_API enum takt_status takt_run_open(struct takt_run **run, struct takt_program *program,
                                        const struct takt_options *options,
                                        struct takt_error *error);
/* 64-bit words into a place, before the first advance. place: as SPEC of `takt run --load`. */
TAKT_API enum takt_status takt_run_put(struct takt_run *run, const char *place,
                                       const uint64_t *words, size_t count,
                                       struct takt_error *error);
/* Do about `budget` statements of work, 0: all. TAKT_MORE until the run is done; a trace is
 * complete then. After an error the run can only be closed. */
TAKT_API enum takt_status takt_run_advance(struct takt_run *run, uint64_t budget,
                                           struct takt_error *error);
/* Never NULL; all 0 before the run is done. */
TAKT_API const struct takt_totals *takt_run_totals(const struct takt_run *run);
/* Rows of a run that is done; how many there are is returned. */
TAKT_API size_t takt_run_units(const struct takt_run *run, const struct takt_unit **rows);
TAKT_API size_t takt_run_counters(const struct takt_run *run, const struct takt_counter **rows);
TAKT_API size_t takt_run_statements(const struct takt_run *run, const struct takt_statement **rows);
TAKT_API size_t takt_run_transfers(const struct takt_run *run, const struct takt_transfer **rows);
TAKT_API size_t takt_run_bounds(const struct takt_run *run, const struct takt_bound **rows);
TAKT_API size_t takt_run_path(const struct takt_run *run, const struct takt_step **rows);
TAKT_API size_t takt_run_parameters(const struct takt_run *run, const struct takt_parameter **rows);
TAKT_API size_t takt_run_sensitivity(const struct takt_run *run,
                                     const struct takt_sensitivity **rows);
TAKT_API size_t takt_run_dependences(const struct takt_run *run,
                                     const struct takt_dependence **rows);
TAKT_API size_t takt_run_slacks(const struct takt_run *run, const struct takt_slack **rows);
/* What the run itself warns of, with TAKT_WARNINGS; column 0: the whole line. */
TAKT_API size_t takt_run_findings(const struct takt_run *run, const struct takt_finding **rows);
/* Whether a run that is done is as expected. Of bounds with TAKT_BOUNDS, of slacks with
 * TAKT_DEPENDENCES, of warnings and removable.steps with TAKT_WARNINGS, of regions with
 * TAKT_REGIONS alone; not with TAKT_NO_TIME. */
TAKT_API enum takt_status takt_run_expect(const struct takt_run *run, const char *text,
                                          struct takt_expectation *result,
                                          struct takt_error *error);
/* Never NULL; without TAKT_VERDICT and before the run is done all texts are "" or NULL. */
TAKT_API const struct takt_verdict *takt_run_verdict(const struct takt_run *run);
/* What the program has printed (`takt run --dump`), with TAKT_VALUES; size without the NUL. */
TAKT_API const char *takt_run_dump(const struct takt_run *run, size_t *size);
/* 64-bit words from a place: exactly count, where it names a count, too. */
TAKT_API enum takt_status takt_run_get(struct takt_run *run, const char *place, uint64_t *words,
                                       size_t count, struct takt_error *error);
/* Hash of the state, with TAKT_VALUES; reads all memories that were written. */
TAKT_API uint64_t takt_run_state(const struct takt_run *run);
/* The program of a run that is done, without the statements in these lines, "12-20" or "NAME:12",
 * as `takt whatif --free`: a separate program, whose findings count the rules of time that it
 * breaks then; it can be run all the same. */
TAKT_API enum takt_status takt_run_without(const struct takt_run *run,
                                           struct takt_program **program, const char *lines,
                                           struct takt_error *error);
TAKT_API void takt_run_close(struct takt_run *run);

/* --- answers with handles ------------------------------------------------------------------------
 * Each is found once and is valid until it is closed, whatever happens to what it was made of. */

/* What is proven of a run, as `takt bound` says it. */
struct takt_proof {
    uint64_t cycles; /* of the run; of a region from its first start to the end of all */
    const struct takt_bound *bounds;
    const char *const *certificates; /* of each bound, JSON as in docs/json.md */
    size_t bound_count;
    const char *text; /* bounds with all that they rest on, for `takt certify` */
    size_t size;
};
/* Of a run with TAKT_BOUNDS that is done. region: its statements alone, of a run
 * with TAKT_REGIONS, too; NULL: the whole program. */
TAKT_API enum takt_status takt_proof_open(struct takt_proof **proof, struct takt_run *run,
                                          const char *region, struct takt_error *error);
TAKT_API void takt_proof_close(struct takt_proof *proof);

/* What statements that correspond spend more in b than in a, for one reason, in one unit, on
 * account of one source. Terms add up to the difference. */
struct takt_term {
    int64_t cycles; /* not 0 */
    const char *reason, *unit;
    const char *text;                          /* of the statement, or "" */
    const char *file_a, *file_b;               /* NULL: that side has no such statement */
    uint32_t line_a, line_b;                   /* or 0 */
    const char *source_file_a, *source_file_b; /* of what made the statement wait */
    uint32_t source_line_a, source_line_b;
    bool edited; /* the statement or its source is not the same on both sides */
};
/* A parameter that is not the same; a or b is "" where that side has none. */
struct takt_difference {
    const char *name, *unit, *a, *b;
};
/* Where two runs differ, as `takt diff` says it. */
struct takt_diff {
    uint64_t cycles_a, cycles_b;
    int64_t difference;                          /* of b minus those of a */
    size_t same, moved, changed, added, removed; /* statements */
    bool compared, equal; /* both runs have values; the states of all memories at their ends are */
    bool diverges;        /* the streams do not do the same from cycle `diverging` on */
    uint64_t diverging;
    const struct takt_term *terms; /* first those of edits, in both parts the largest first */
    size_t term_count;
    const struct takt_difference *parameters;
    size_t parameter_count;
};
/* Of two runs with TAKT_DIFF of one machine that are done. */
TAKT_API enum takt_status takt_diff_open(struct takt_diff **diff, const struct takt_run *a,
                                         const struct takt_run *b, struct takt_error *error);
TAKT_API void takt_diff_close(struct takt_diff *diff);

/* How a better program is looked for. Size as in takt_options. */
struct takt_search {
    size_t size; /* sizeof(struct takt_search) of the caller */
    bool (*stop)(
        void *context); /* called between trials until it returns true, which ends the search with
                                    the best so far. NULL: it ends by itself, always with the same
                                    answer */
    void *context;
    bool tags;   /* of a schedule: as `takt schedule --tags` */
    bool rename; /* of takt_schedule_open: as `takt schedule --rename` */
};
#define TAKT_SEARCH_INIT                                                                           \
    {                                                                                              \
        .size = sizeof(struct takt_search)                                                         \
    }

/* A line of the program as it was before an item; the lines of one item are numbered together. */
struct takt_edit {
    uint32_t line;
    const char *text; /* NULL: the line goes */
};
struct takt_item {
    const char *kind, *sentence;
    uint32_t line;          /* of the program as written, or 0: of a line that came later */
    uint32_t current;       /* of the program before this item */
    uint64_t before, after; /* cycles */
    bool finding;           /* for people to decide: not applied */
    bool dumps_only;        /* the dumps are equal, the state is not */
    const struct takt_edit *edits;
    size_t edit_count;
};
/* What makes a program faster, as `takt advise` says it: each item was run and compared. */
struct takt_advice {
    uint64_t before, after; /* cycles; items but findings add up to the difference */
    const struct takt_item *items;
    size_t item_count;
    uint64_t tried;
    bool stopped, complete; /* complete: there was nothing more to try */
    const char *equal; /* starts of memories with which values were compared: "zero, random:1" */
    const char *text;  /* the program with all items */
    size_t size;
};
/* Of a legal program of one text. search NULL: as TAKT_SEARCH_INIT. TAKT_INPUT for a machine that
 * has no advice. */
TAKT_API enum takt_status takt_advice_open(struct takt_advice **advice,
                                           struct takt_program *program,
                                           const struct takt_search *search,
                                           struct takt_error *error);
TAKT_API void takt_advice_close(struct takt_advice *advice);

/* A transfer and an access to the same places that no wait keeps in order. */
struct takt_pair {
    uint32_t transfer, access; /* lines */
    uint64_t cycles;           /* that are kept between them */
    bool early;                /* the access comes before the end of the transfer */
    uint32_t wait;             /* line of another transfer's wait that stays between them, or 0 */
    const char *tag;           /* that it waits for now, or "" */
};
/* A value, or the tag of a transfer, in another place. */
struct takt_moved {
    uint32_t line;     /* that writes it first */
    uint32_t accesses; /* operands that name it */
    const char *from, *to;
};
/* A better order of the statements with the same values, as `takt schedule` finds it. */
struct takt_schedule {
    uint64_t before, after; /* cycles */
    uint64_t bound;         /* no order with the same places takes fewer; 0: not known */
    bool kept, optimal, stopped;
    const char *reason; /* why it was kept, or why it is optimal, or "" */
    uint64_t pieces, tries;
    const char *equal; /* as of advice */
    const struct takt_pair *pairs;
    size_t pair_count;
    const char
        *text; /* the program in that order; as written where it is kept; may be an ELF file */
    size_t size;
    bool same_waits; /* the bound is of orders with the same waits and tags */
    /* With rename; else 0. If values moved, bound, optimal and tries are those of the program with
     * its new places. */
    uint64_t unrenamed;   /* cycles with all values in their places */
    uint64_t free_places; /* no order with any places takes fewer; 0: not known */
    uint64_t bytes;       /* of the new places, in each PE or block */
    const struct takt_moved *moved;
    size_t moved_count; /* 0: other places save nothing */
};
/* As takt_advice_open; TAKT_INPUT also for a program whose order cannot be changed. */
TAKT_API enum takt_status takt_schedule_open(struct takt_schedule **schedule,
                                             struct takt_program *program,
                                             const struct takt_search *search,
                                             struct takt_error *error);
TAKT_API void takt_schedule_close(struct takt_schedule *schedule);

/* Cycles from each turn of a loop to the next. */
struct takt_rate {
    uint64_t interval; /* of the steady turns; where there are none, on average */
    uint32_t steady;   /* turns in a row that are exactly so far apart, or 0 */
};
struct takt_load {
    const char *unit;
    uint64_t cycles; /* that a turn needs of it */
    uint64_t turned; /* of them those in which it turns, as a port does */
};
/* No order of a class has turns that begin fewer cycles after each other, for any number of turns.
 * Lines are those of the first turn. */
struct takt_interval {
    const char *class_name; /* "any-order", "free-places", "waits": with the same waits and tags */
    const char *limit;      /* "unit", "steps", "chain", or "" */
    uint64_t cycles;
    const struct takt_load *units; /* the largest first */
    size_t unit_count;
    uint64_t steps;        /* cycles of statements of which no two share a step; 0: not known */
    const uint32_t *apart; /* their lines */
    size_t apart_count;
    uint64_t chain; /* cycles of the chain that needs most a turn; 0: there is none */
    uint32_t turns; /* that it takes */
    const uint32_t *lines;
    size_t line_count;
};
/* A loop whose turns overlap, as `takt schedule --loop` says it. */
struct takt_loop {
    uint32_t first, last; /* lines */
    uint32_t turns;
    uint32_t statements;    /* of a turn */
    uint64_t before, after; /* cycles of the program */
    struct takt_rate written, found;
    const struct takt_interval *bounds;
    size_t bound_count;
    uint32_t steps, stages; /* of the order found: from turn to turn, turns at a time; 0: kept */
    bool kept, stopped;
    bool optimal;       /* no interval is shorter: */
    bool same_waits;    /* with the same waits and tags */
    const char *reason; /* why it was kept, or "" */
    uint64_t tries;     /* intervals that were tried */
    const char *equal;  /* as of advice */
    const struct takt_pair *pairs;
    size_t pair_count;
    const char *text; /* with prologue, steady turns and epilogue; as written where it is kept */
    size_t size;
};
/* As takt_schedule_open, of a region that is a loop: TAKT_INPUT for any other, where the program
 * has no such region, and for machines without. */
TAKT_API enum takt_status takt_loop_open(struct takt_loop **loop, struct takt_program *program,
                                         const char *region, const struct takt_search *search,
                                         struct takt_error *error);
TAKT_API void takt_loop_close(struct takt_loop *loop);

/* A step of an application; docs/applications.md. */
struct takt_app_step {
    const char *kind; /* "load", "store", "run", "repeat" */
    const char *text; /* "tile.vsm", "16,777,216 bytes" */
    uint32_t line;
    uint32_t depth; /* repeats around it */
    uint64_t times;
    uint64_t done;    /* turns or transfers, of all boards */
    uint64_t cycles;  /* from its begin to its end, on the board where that took longest */
    uint64_t exposed; /* of the total: where no other step took longer */
};
/* How long an application takes, as `takt app` says it. */
struct takt_app {
    const char *machine;
    uint32_t boards;
    uint64_t cycles, cycles_documented;
    double clock_hz;
    bool has_range;
    uint64_t range_low, range_high;
    uint64_t simulated; /* turns; the others repeat these */
    const char *limit;
    const struct takt_app_step *steps; /* as the file has them */
    size_t step_count;
    const char *json; /* all of it, as in docs/json.md */
};
/* text: of the application; its programs are files, from the folder of text->name. machine: its
 * numbers and options; NULL: the machine that the text names, as it is. flags: TAKT_RANGE,
 * TAKT_DOCUMENTED. TAKT_INPUT for errors in the application or in a program. */
TAKT_API enum takt_status takt_app_open(struct takt_app **app, struct takt_machine *machine,
                                        const struct takt_text *text, unsigned flags,
                                        struct takt_error *error);
/* The machine that an application names, as it is: to be set up and given to takt_app_open. */
TAKT_API enum takt_status takt_app_machine(struct takt_machine **machine,
                                           const struct takt_text *text, struct takt_error *error);
TAKT_API void takt_app_close(struct takt_app *app);

/* A measurement of a list, as the setting that was chosen and as the others explain it. Numbers
 * that are not known are NAN. */
struct takt_fit_row {
    const char *program, *quantity, *place; /* as the list has them; "FILE:LINE" of it */
    double value, tolerance;
    double predicted, low, high;          /* by that setting; by all settings found */
    double left_out, left_low, left_high; /* by fits without this measurement */
    bool impossible; /* no setting of the plausible ranges gives it: that is proven */
    bool conflicts;  /* no setting explains all, and the nearest one misses this */
    bool alone;      /* without it a setting explains the others */
};
/* An unpublished number. Of a text values are indices of its choices. */
struct takt_fit_number {
    const char *name;
    bool seen;        /* some measurement moves with it */
    const char *text; /* its value in that setting, as a chip file has it */
    double value;
    double found_low, found_high; /* over all settings found */
    double left_low, left_high;   /* what bounds leave of its plausible range */
};
/* What measurements say of unpublished numbers, as `takt fit` says it. */
struct takt_fit {
    const char *machine, *verdict;
    bool explained; /* a setting explains all measurements, or nearly; verdict says which */
    bool stopped;
    const struct takt_fit_row *rows; /* those with a value, in the order of the lists */
    size_t row_count;
    const struct takt_fit_number *numbers;
    size_t number_count;
    /* For takt_machine_config; of the nearest setting where none explains all; NULL: the machine
     * refuses it. */
    const char *chip;
    size_t chip_size;
    const char *json; /* all of it, as in docs/json.md */
};
/* Size as in takt_options. */
struct takt_fit_search {
    size_t size;      /* sizeof(struct takt_fit_search) of the caller */
    uint64_t seed;    /* the same one gives the same answer */
    unsigned effort;  /* per cent of the usual, at least 1 */
    unsigned threads; /* 0: one a processor; the answer does not depend on it */
    /* Called between runs, in any thread, until it returns true, which ends the search with what it
     * has found. NULL: it ends by itself. */
    bool (*stop)(void *context);
    void *context;
};
#define TAKT_FIT_SEARCH_INIT                                                                       \
    {                                                                                              \
        .size = sizeof(struct takt_fit_search), .seed = 1, .effort = 100                           \
    }
/* lists: texts as docs/calibrating.md has them; programs are files, from the folder of each text's
 * name. machine: its numbers; NULL: those of the chip that the list names. search NULL: as
 * TAKT_FIT_SEARCH_INIT. TAKT_INPUT for errors in a list or a program, and where no measurement has
 * a value. Measurements that contradict each other are TAKT_FINE. */
TAKT_API enum takt_status takt_fit_open(struct takt_fit **fit, struct takt_machine *machine,
                                        const struct takt_text *lists, size_t list_count,
                                        const struct takt_fit_search *search,
                                        struct takt_error *error);
/* The machine that lists name, with the numbers of their chip: to be set up and given to
 * takt_fit_open. */
TAKT_API enum takt_status takt_fit_machine(struct takt_machine **machine,
                                           const struct takt_text *lists, size_t list_count,
                                           struct takt_error *error);
TAKT_API void takt_fit_close(struct takt_fit *fit);

/* Whether a file is a trace that this version reads, holds what a run wrote, and is not being
 * written. As by each command on traces, the journal of a run that was killed is rolled back. */
TAKT_API enum takt_status takt_trace_check(const char *path, struct takt_error *error);

#ifdef __cplusplus
}
#endif

#endif
