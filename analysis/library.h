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

enum run_stage { STAGE_OPEN, STAGE_BEGUN, STAGE_DONE, STAGE_FAILED };

struct takt_run {
    struct takt_program *program;
    unsigned flags, threads;
    enum run_stage stage;
    struct machine_run *run;
    struct recorder *recorder;
    char *init;
    struct run_options options;
    struct library_rows rows;
    struct sink_ops ops;
    struct tee_sink tee;
    struct sink sink;
    struct verdict found;
    struct takt_verdict verdict; /* its texts are of `found` and below */
    struct takt_place verdict_lines[VERDICT_LINES];
    char verdict_text[VERDICT_TEXT];
    struct diag_list diags;
    struct machine_proof proof;
    struct takt_bound *bounds;
    struct range range;
    struct takt_parameter *parameters;
    FILE *dump_file;
    char *dump;
    size_t dump_size;
};

/* Fill in error, which may be NULL; returns status. */
enum takt_status library_fail(struct takt_error *error, enum takt_status status, const char *format,
                              ...) __attribute__((format(printf, 3, 4)));
enum takt_status library_no_memory(struct takt_error *error);
/* Of the first error of a list. */
enum takt_status library_fault(struct takt_error *error, const struct diag_list *diags,
                               const struct source *sources);

#endif
