/*
 * machine_options: what the four tables of a machine (timing/machine.h) have in common: settings,
 * the options of a run, sizes, and the types that each machine defines.
 */
#ifndef TAKT_TIMING_MACHINE_OPTIONS_H
#define TAKT_TIMING_MACHINE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "config/config.h"

enum { MACHINE_ERROR = 512 }; /* bytes of an error sentence */
enum { MACHINE_HEAD = 64 };   /* bytes by which a file is recognised */
enum { MACHINE_SPEC = 128 };  /* bytes of a place in memory, as --load and --save name it */

struct machine_model;   /* timing/run.h */
struct machine_program; /* defined by each machine */
struct machine_run;     /* timing/run.h */
struct memory_state;    /* timing/memory_state.h */
struct sink;            /* timing/sink.h */

/* An option of the machine, as given. */
struct machine_setting {
    const char *name, *value; /* value of a flag: "" */
};

struct run_options {
    FILE *dump;                             /* output of the program; NULL drops it */
    const struct machine_setting *settings; /* options of the machine, up to a NULL name; or NULL */
    bool documented;                        /* with documented numbers only */
    bool timing_only, functional_only;
    bool total_only;  /* neither the documented-only total nor the range is needed */
    bool no_range;    /* the range is not needed */
    const char *init; /* "zero", "pattern", "random:SEED" or NULL */
    unsigned threads;
    bool reference;           /* plain C kernels */
    bool no_run_ahead;        /* one event a statement or unit operation; same answer */
    FILE *events;             /* list of the kernel's events, implies no_run_ahead; or NULL */
    const char *const *loads; /* "SPEC=FILE", NULL-terminated, or NULL */
    const char *const *saves; /* likewise */
    bool word_order_big;
    const char *const *silenced;      /* names of warnings to drop ("all"); as in diag_list */
    const struct memory_state *found; /* what earlier runs have left; NULL: there were none */
    const char *command;              /* command line for the trace */
};

/* A run to be opened. Program, configuration and sink must stay valid until the run is closed, and
 * so must what the options point to; the options themselves are copied. */
struct run_setup {
    const struct machine_program *program;
    const struct config *config;
    const struct run_options *options;
    const struct sink *sink;
};

#endif
