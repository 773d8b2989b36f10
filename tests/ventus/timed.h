/* timed: a text of Ventus run with time: cycles, counters, and which warp issued when. */
#ifndef TAKT_TESTS_VENTUS_TIMED_H
#define TAKT_TESTS_VENTUS_TIMED_H

#include "timing/ventus/model.h"

struct ran {
    uint64_t cycles, counters[VENTUS_COUNTERS];
    uint64_t last;         /* where the last interval of any unit ends: not behind the cycles */
    uint32_t issued[4096]; /* number of the warp in its SM, from 1 */
    uint64_t idle, of_lines[2 * VENTUS_LANES + 1]; /* lanes; accesses by lines */
    struct unit_info units[128];
};

struct opened {
    struct source source;
    struct machine_program program;
    struct diag_list diags;
    struct sink sink;
    struct machine_run *run;
};

/* The chip file, with settings "KEY=VALUE KEY=VALUE" laid over it. */
void read_config(struct config *config, const char *settings);
/* A whole number of the configuration. */
uint64_t number(const struct config *config, const char *name);

/* Runs a program to its end; close_text closes it. run_text: both. */
void open_text(struct opened *opened, struct ran *ran, const char *text,
               const struct config *config, bool no_run_ahead);
void close_text(struct opened *opened);
void run_text(struct ran *ran, const char *text, const struct config *config, bool no_run_ahead);

#endif
