/*
 * fit_list: measurements of one chip, as a user writes them down.
 *
 *   machine: NAME
 *   chip: mine.yaml              # laid over the machine's own; may be left out
 *   measurements:
 *   - program: one.prog          # relative to the list
 *     options: {NAME: VALUE}     # of takt run: the machine's own, and init, load, set
 *     quantity: cycles           # or one of those below
 *     value: 120000              # empty: not measured yet
 *     tolerance: 4               # in the value's unit, or "0.5 %": the measurement's own error
 *     source: "by what, when"
 *     group: NAME                # left out together, as one measurement; may be missing
 *
 *   cycles               the total
 *   time                 the total in nanoseconds, by clock_hz
 *   counter NAME         as takt report TRACE counters names it; NAME/INDEX of one with several
 *   transfer LINE        cycles from the issue of the transfer of this line to its completion
 *   region NAME          cycles of a region, as takt report TRACE regions counts them
 *   between LINE LINE    cycles from the first issue in the one line to the first in the other, as
 *                        analysis/measured.h has an issue
 *   events FILE          the greatest difference between intervals, against a list of issues
 *                        (analysis/measured.h); its value is 0
 *
 *   text --fit_list_read--> struct fit_list; what is wrong is said as FILE:LINE:COLUMN
 */
#ifndef TAKT_ANALYSIS_FIT_LIST_H
#define TAKT_ANALYSIS_FIT_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "config/config.h"
#include "functional/source.h"
#include "timing/machine.h"

enum fit_quantity {
    FIT_CYCLES,
    FIT_TIME,
    FIT_COUNTER,
    FIT_TRANSFER,
    FIT_REGION,
    FIT_BETWEEN,
    FIT_EVENTS
};

enum { FIT_OPTIONS = 16 };

/* Where the list has it, from 1; 0: nowhere. */
struct fit_spot {
    size_t line, column;
};

enum fit_field { FIT_AT_ROW, FIT_AT_PROGRAM, FIT_AT_OPTIONS, FIT_AT_QUANTITY, FIT_SPOTS };

struct fit_measurement {
    char *program;  /* as the list has it */
    char *path;     /* where it is */
    char *quantity; /* as the list has it */
    enum fit_quantity kind;
    char *name;        /* of a counter or region; path of a list of events */
    uint32_t lines[2]; /* of transfer and between; [0]: index of a counter */
    struct machine_setting settings[FIT_OPTIONS + 1]; /* texts of its own */
    char *init;
    char *loads[FIT_OPTIONS + 1];
    bool known; /* it has a value */
    bool start; /* of events: measured.start */
    double value, tolerance;
    char *source;                     /* or NULL */
    char *group;                      /* of measurements that are left out together; or NULL */
    char *place;                      /* FILE:LINE of the list */
    struct fit_spot spots[FIT_SPOTS]; /* of the values; of the row where one is missing */
    const char *text;                 /* of the program, instead of the file; or NULL */
    size_t text_size;
};

struct fit_list {
    const struct machine *machine; /* NULL until the first file has been read */
    char *chip;                    /* path; or NULL */
    char *chip_place;              /* FILE:LINE:COLUMN where a list names that; or NULL */
    bool own_chip;                 /* a list names the machine's own */
    struct fit_measurement *items;
    size_t count, capacity;
};

enum { FIT_ERROR = 700 };

/* Adds a file's measurements to a list that is zero at first. Returns 0; 1 with a sentence, which
 * ends with "; fix: " and what to do, where that is known; -1 when
 * the host has no memory. Free it in every case. */
int fit_list_read(struct fit_list *list, const struct config_file *file, char error[FIT_ERROR]);
/* The text of the list's chip file, which it has. Returns 0; 1 with a sentence; -1 when the host
 * has no memory. */
int fit_list_chip(const struct fit_list *list, struct source *chip, char error[FIT_ERROR]);
void fit_list_free(struct fit_list *list);

#endif
