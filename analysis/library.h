/*
 * library: what the handles of include/takt.h hold.
 *
 *   library.c       machines and programs
 *   library_run.c   runs
 *   library_rows.c  the sink that keeps a run's rows
 */
#ifndef TAKT_ANALYSIS_LIBRARY_H
#define TAKT_ANALYSIS_LIBRARY_H

#include <stdatomic.h>
#include <stddef.h>

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
    bool legal;
    atomic_size_t holders;
};

/* What stands until all is freed. */
struct library_copy {
    struct library_copy *next;
    max_align_t bytes[];
};

/* Rows of one run. file and text of rows are the program's; names are kept. */
struct library_rows {
    unsigned flags;
    const struct takt_program *program;
    struct library_copy *copies;
    struct takt_totals totals;
    /* From the header. */
    struct takt_unit *units;
    const char **reasons;
    enum unit_state *states;
    struct takt_counter *counter_names;
    struct takt_statement *places; /* of each statement file, line, text */
    struct takt_attribute *attribute_names;
    size_t unit_count, reason_count, counter_name_count, place_count, attribute_count;
    /* From the events and the summary. */
    struct takt_reason *shares;
    struct takt_counter *counters;
    size_t counter_count;
    struct takt_statement *statements;
    size_t statement_count;
    struct takt_transfer *transfers;
    size_t transfer_count, transfer_room;
    struct takt_step *path;
    size_t path_count;
};

struct sink library_sink(struct library_rows *rows, struct sink_ops *ops);
void library_rows_free(struct library_rows *rows);

enum run_stage { STAGE_NEW, STAGE_OPEN, STAGE_BEGUN, STAGE_DONE, STAGE_FAILED };

struct takt_run {
    struct takt_program *program;
    unsigned flags, threads;
    enum run_stage stage;
    struct machine_run *run;
    struct recorder *recorder;
    bool kept; /* its trace is a file */
    char *init;
    struct run_options options;
    struct library_rows rows;
    struct sink_ops ops;
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
    FILE *dump_file;
    char *dump;
    size_t dump_size;
};

/* --- what the commands call --------------------------------------------------------------------
 * They read sources and configurations themselves, to say what is wrong with them, and have
 * options, sinks and traces that include/takt.h has not:
 *
 *   library_machine --> library_program --> library_judge
 *       --> library_run [--> library_prove] [--> library_record] --> library_begin
 *       --> library_advance* --> library_finish
 *
 * The public calls are made of these. Status as in timing/machine.h; error as there, and "" where
 * findings say why or memory is out. Handles are closed by the public calls. */

/* A machine without configuration; NULL: no memory. */
struct takt_machine *library_machine(const struct machine *machine);
/* A program of so many sources, which the caller opens. NULL: no memory. */
struct takt_program *library_program(struct takt_machine *machine, size_t count);
/* Parse and check. Findings in program->diags, sorted. */
int library_judge(struct takt_program *program, const struct machine_setting *settings);
/* NULL: no memory. What options point to stands until the run is closed. */
struct takt_run *library_run(struct takt_program *program, const struct run_options *options);
/* Dependences and bounds, by a graph of at most so many nodes (0: any). */
int library_prove(struct takt_run *run, size_t most, char error[MACHINE_ERROR]);
/* A trace at path, NULL: in memory. options.regions: where the program has some. */
int library_record(struct takt_run *run, const char *path, struct recorder_options options,
                   char error[MACHINE_ERROR]);
int library_begin(struct takt_run *run, struct sink sink, char error[MACHINE_ERROR]);
enum run_status library_advance(struct takt_run *run, uint64_t budget, char error[MACHINE_ERROR]);
/* The trace of a complete run takes its name, that of another stays partial. As recorder_close. */
int library_finish(struct takt_run *run, char error[MACHINE_ERROR]);

/* Fill in error, which may be NULL; returns status. */
enum takt_status library_fail(struct takt_error *error, enum takt_status status, const char *format,
                              ...) __attribute__((format(printf, 3, 4)));
enum takt_status library_no_memory(struct takt_error *error);
/* Of the first error of a list. */
enum takt_status library_fault(struct takt_error *error, const struct diag_list *diags,
                               const struct source *sources);

#endif
