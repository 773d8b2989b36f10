/*
 * value: what a place holds in a cycle, which statement wrote it, and what is about to change it.
 *
 *   complete run, its history of a place, cycle --value_print--> lines, or JSON
 */
#ifndef TAKT_ANALYSIS_VALUE_H
#define TAKT_ANALYSIS_VALUE_H

#include <stdio.h>

#include "timing/history.h"
#include "timing/run.h"

struct value_question {
    const char *place; /* as it was asked for */
    uint64_t cycle;
    const struct machine_run *run; /* with its header */
    const struct history *history;
};

/* Returns 0, or -1 when memory is out. */
int value_print(const struct value_question *question, bool json, FILE *out);

#endif
