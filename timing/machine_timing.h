/*
 * machine_timing: the timing model of a machine: its parameters, what it lists in a trace, and the
 * calls that run it (timing/run.h). Status of calls: 0, 1 or -1, as in timing/machine.h.
 */
#ifndef TAKT_TIMING_MACHINE_TIMING_H
#define TAKT_TIMING_MACHINE_TIMING_H

#include "functional/directive.h"
#include "timing/machine_options.h"
#include "timing/sink.h"

struct memory; /* timing/memory.h */

/* One execution of a statement issues `cycles` cycles later than without the delay, and everything
 * after it in its stream as well. */
struct machine_delay {
    uint32_t stmt;
    uint64_t turn; /* number of earlier executions of the statement */
    uint64_t cycles;
};

/* Lists of a header, valid until the run is closed. describe sets the sources, the peaks of the
 * counters, and stmts and files where it makes them; machine_header makes the others. */
struct machine_lists {
    const struct source *sources;
    size_t source_count;
    struct counter_info *counters;
    struct stmt_info *stmts;
    struct file_info *files;
    struct param_info *params;
    struct directives directives;
    bool with_host; /* parameters of the host, too */
};

struct machine_timing {
    const struct param_row *params; /* of the configuration */
    size_t param_count;
    const char *config_text, *config_end; /* the default chip file, built in */
    const char *config_name;              /* "config/<machine>/<chip>.yaml" */
    /* Rules of a configuration beyond the range of each number; NULL: there are no such rules.
     * Returns 0 or 1. */
    int (*valid)(const struct config *config, char error[MACHINE_ERROR]);

    const struct reason_info *reasons; /* those of reason.def first */
    size_t reason_count;
    uint64_t passed; /* a bit for each reason for which a stream passes cycles by itself (nops) */
    const struct counter_info *counters;
    size_t counter_count;
    /* Statements, units, and all else that the tables here lack, into the header. Returns 0, or -1
     * when the host has no memory. */
    int (*describe)(const struct machine_run *run, struct sink_header *header,
                    struct machine_lists *lists);

    /* The model: model_size bytes, zero except for struct machine_model at its start. model_init
     * puts its first events into the kernel; free it in every case. Returns 0, 1 when its numbers
     * make no valid chip, or -1. */
    size_t model_size;
    int (*model_init)(struct machine_model *model);
    void (*model_free)(struct machine_model *model);
    /* Its numbers come from measurements of time: the low end of a range assumes the fastest clock
     * as well, in cycles of the configured clock_hz. */
    bool in_time;
    /* Programs of one shape each, by which a fit sees how settings differ that explain the
     * same measurements: a line "== name: what", then the program. NULL: there are none. */
    const char *probes, *probes_end;
    /* The dynamic memory, in which a later run finds what this one leaves; NULL: a later run finds
     * the chip as the first one does. */
    struct memory *(*memory)(struct machine_model *model);
    /* Cycles from 0 to the end of everything; NULL: model->finish. */
    uint64_t (*total)(const struct machine_model *model);
    /* The model has ended or was stopped: charge the remaining cycles to the units, and write
     * totals of statements and counters that differ from those of run_charge and model->counters
     * into the summary. Returns 0 or -1. */
    int (*settle)(struct machine_model *model, struct sink_summary *summary);

    uint32_t quantum; /* of delays (run_delayed), in cycles; 0: no delays */
    /* Of a complete timed run: cycles by which accesses precede the end of a transfer that they
     * meet, summed over such pairs. NULL: always 0. */
    uint64_t (*early)(const struct machine_run *run);
    /* As run_delayed; *cycles is UINT64_MAX where the delay moves such an access ahead of its
     * transfer's end. NULL: run_delayed works without it. */
    int (*delayed)(const struct machine_run *run, const struct machine_delay *delay,
                   uint64_t *cycles);
};

#endif
