/*
 * library: what the handles of include/takt.h hold.
 *
 *   library.c  machines and programs
 *   run.c      runs
 *   rows.c     rows of a run
 *   answers.c  proofs and differences
 *   better.c   advice, schedules and loops
 *   app.c      applications
 *   fit.c      measurements
 *   reopen.c   traces: whether one is whole, its machine and program
 */
#ifndef TAKT_LIBRARY_LIBRARY_H
#define TAKT_LIBRARY_LIBRARY_H

#include <stdatomic.h>
#include <stddef.h>

#include "analysis/dependences.h"
#include "analysis/diff_stream.h"
#include "analysis/exact_bound.h"
#include "analysis/verdict.h"
#include "include/takt.h"
#include "timing/machine.h"
#include "traces/recorder.h"
#include "traces/sinks.h"

struct takt_machine {
    const struct machine *machine;
    struct config config;
    struct machine_setting *settings; /* NULL-terminated; both texts are its own */
    size_t setting_count, setting_room;
    char **silenced; /* NULL-terminated */
    size_t silenced_count, silenced_room;
    atomic_size_t holders; /* itself until closed, and its programs */
};

struct takt_program {
    struct takt_machine *machine;
    struct source *sources;
    size_t source_count;
    struct machine_program *program;
    struct diag_list diags;
    struct takt_finding *findings;
    struct takt_detail *details;
    struct machine_setting
        *settings; /* instead of the machine's, of statements taken away; or NULL */
    bool legal;
    atomic_size_t holders;
};

/* Valid until all is freed. */
struct library_copy {
    struct library_copy *next;
    max_align_t bytes[];
};

/* A copy with a NUL after it, of zeros without bytes; NULL when memory is out. */
void *library_kept(struct library_copy **copies, const void *bytes, size_t length);
/* Of NULL: NULL, too. */
const char *library_kept_text(struct library_copy **copies, const char *text);
void library_copies_free(struct library_copy *copies);

/* Rows of one run that is done. Names are the run's, texts are kept. */
struct library_rows {
    struct library_copy *copies;
    struct takt_totals totals;
    struct takt_unit *units;
    size_t unit_count;
    struct takt_reason *shares;
    struct takt_counter *counters;
    size_t counter_count;
    struct takt_statement *statements;
    size_t statement_count;
    struct takt_transfer *transfers;
    size_t transfer_count;
    struct takt_attribute *attributes;
    struct takt_step *path;
    size_t path_count;
    struct takt_dependence *dependences;
    size_t dependence_count;
    struct takt_slack *slacks;
    size_t slack_count;
    struct takt_finding *findings;
    size_t finding_count;
};

/* Those that flags request. Returns 0, or -1 when memory is out; to be freed in both cases. */
int library_rows_list(struct library_rows *rows, const struct store *store, unsigned flags);
int library_rows_dependences(struct library_rows *rows, const struct dependences *dependences);
void library_rows_free(struct library_rows *rows);

enum run_stage { STAGE_NEW, STAGE_OPEN, STAGE_BEGUN, STAGE_DONE, STAGE_FAILED };

struct takt_run {
    struct takt_program *program;
    unsigned flags, threads;
    enum run_stage stage;
    struct machine_run *run;
    struct store store; /* what it reports, where library_keep or library_record has been called */
    struct recorder *recorder;
    bool kept; /* its trace is a file */
    char *init;
    struct run_options options;
    struct library_rows rows;
    struct sink_ops ops;
    struct starts starts;      /* with TAKT_DEPENDENCES, or bounds of regions */
    struct diff_stream stream; /* with TAKT_DIFF */
    struct tee_sink tee;
    struct sink sink;
    struct verdict limit;
    struct takt_verdict verdict; /* its texts are of `found` and below */
    struct takt_place verdict_lines[VERDICT_LINES];
    char verdict_text[VERDICT_TEXT];
    struct diag_list diags;
    struct diag_list *found; /* what the run finds: diags, or a list of the opener's */
    struct machine_proof proof;
    struct takt_bound *bounds;
    struct range range;
    struct takt_parameter *parameters;
    struct takt_sensitivity *sensitivity;
    FILE *dump_file;
    char *dump;
    size_t dump_size;
};

/* --- what the commands call --------------------------------------------------------------------
 * They read sources and configurations themselves, to say what is wrong with them, and have
 * options, sinks and traces that include/takt.h has not:
 *
 *   library_machine --> library_program --> library_judge
 *       --> library_run [--> library_prove] --> library_keep or library_record --> library_begin
 *       --> library_advance* --> library_finish
 *
 * The public calls are made of these. Status as in timing/machine.h; error as there, and "" where
 * findings say why or memory is out. Handles are closed by the public calls. */

/* A machine without configuration; NULL: no memory. */
struct takt_machine *library_machine(const struct machine *machine);
/* A program of `count` sources, which the caller opens. NULL: no memory. */
struct takt_program *library_program(struct takt_machine *machine, size_t count);
/* The numbers of a trace as a machine's, and its program from the lines that it keeps, not judged.
 * *rc: an SQLite code, where there is no program. Numbers return 0, or not 0 where they are of
 * another machine. */
int library_trace_numbers(struct takt_machine *machine, sqlite3 *db);
struct takt_program *library_trace_program(struct takt_machine *machine, sqlite3 *db, int *rc);
/* Parse and check. Findings in program->diags, sorted. */
int library_judge(struct takt_program *program, const struct machine_setting *settings);
/* A statement that always fails when executed does not pass a check, though a run may never reach
 * it: its warning becomes an error. */
void library_raise_traps(struct takt_program *program);
/* A copy of a program's sources for a machine, not loaded: their texts may be changed. NULL: no
 * memory. */
struct takt_program *library_copy(const struct takt_program *from, struct takt_machine *machine);
/* Its settings are these, and that statements have been taken away: what waits for them does not
 * then. Returns 0, or -1 when memory is out. */
int library_freed(struct takt_program *program, const struct machine_setting *settings);
/* As library_judge, but only its language must be right; the rules of time that it breaks go into
 * a list. */
int library_load_changed(struct takt_program *program, const struct machine_setting *settings,
                         struct diag_list *rules);
/* NULL: no memory. What options point to must stay valid until the run is closed. */
struct takt_run *library_run(struct takt_program *program, const struct run_options *options);
/* Program, numbers and options, as machines take them. */
struct run_setup library_setup(const struct takt_run *run);
/* Dependences and bounds, by a graph of at most `most` nodes (0: any). */
int library_prove(struct takt_run *run, size_t most, char error[MACHINE_ERROR]);
/* After library_prove: what a search of every order proves of a small program (exact_bound.h).
 * Returns 0, or -1 when memory is out. */
int library_search(struct takt_run *run, const struct exact_effort *effort,
                   struct exact_found *found);
/* As much of it as a first screen can wait for. */
int library_search_quickly(struct takt_run *run);
/* What the run reports is kept in run->store. regions: divided among those of the program. */
int library_keep(struct takt_run *run, bool regions, char error[MACHINE_ERROR]);
/* And recorded at path, NULL: in memory. */
int library_record(struct takt_run *run, const char *path, struct recorder_options options,
                   char error[MACHINE_ERROR]);
/* The sink of the trace, or of the store alone. */
struct sink library_sink(struct takt_run *run);
int library_begin(struct takt_run *run, struct sink sink, char error[MACHINE_ERROR]);
enum run_status library_advance(struct takt_run *run, uint64_t budget, char error[MACHINE_ERROR]);
/* Of a run that is done: exact slacks of all statements into a trace that is a file, if that takes
 * little work, since they may never be used. Returns 0, or -1 when the host failed. */
int library_slacks(struct takt_run *run);
/* The trace of a complete run takes its name, that of another stays partial. As recorder_close. */
int library_finish(struct takt_run *run, char error[MACHINE_ERROR]);

/* A struct of options, which begins with its size, of a caller that may be compiled for another
 * version; it has all members before `least`. */
enum takt_status library_take(void *known, size_t known_size, size_t least, const void *given,
                              struct takt_error *error);

/* status and text as above; -1 and "" when there are more failures of the host than before: what it
 * did not do may be missing in any answer, be it an error of the program. */
int library_unless_host_failed(int status, unsigned long failures, char *text);

/* A caller's stop, called by any thread; once true it stays true. */
struct library_stop {
    bool (*stop)(void *context);
    void *context;
    atomic_bool stopped;
};
bool library_is_stopped(void *self);

/* What must hold of the machine as it is set up now. Returns 0, 1 with a sentence, or -1. */
int library_machine_fits(const struct takt_machine *machine, char error[MACHINE_ERROR]);
/* The file of a name, or its text. Standard input is not read. As source_open. */
int library_open_text(struct source *source, const struct takt_text *text, char *error,
                      size_t size);
/* Status of the rooms below, 0, 1 or -1, with their sentence. */
enum takt_status library_below(struct takt_error *error, int status, const char *text);

/* Fill in error, which may be NULL; returns status. */
enum takt_status library_fail(struct takt_error *error, enum takt_status status, const char *format,
                              ...) __attribute__((format(printf, 3, 4)));
enum takt_status library_no_memory(struct takt_error *error);
/* Of a required pointer that is NULL. */
enum takt_status library_missing(struct takt_error *error, const char *what);
/* Of the first error of a list. */
enum takt_status library_fault(struct takt_error *error, const struct diag_list *diags,
                               const struct source *sources);

#endif
